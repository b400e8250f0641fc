/* Prints docs/passes.md from ir/passes.def. */
#include <stdio.h>
#include <string.h>

typedef struct { const char *name, *kind; int level; const char *doc; } Row;
#define PASS(name, kind, level, doc) {#name, #kind, level, doc},
static const Row rows[] = {
#include "ir/passes.def"
};

int main(void)
{
    puts("# Passes over WIR\n\n"
         "Made from `ir/passes.def` by `docs/gen/passes_md.c`: do not edit. In the order in which they run; `-O0` runs those of level 0,\n"
         "`-O1` and `-O2` the rest. `wslc --passes=A,B` runs the named ones instead, `--dump-after=NAME` prints the module after each run of\n"
         "NAME. Each pass is in `ir/pass/NAME.c` and states there what it needs and keeps; none changes the order of effects.\n\n"
         "| level | pass | on | what it does |\n|---|---|---|---|");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("| %d | `%s` | %s | %s |\n", rows[i].level, rows[i].name, strcmp(rows[i].kind, "FN") == 0 ? "function" : "module", rows[i].doc);
    return 0;
}
