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
    puts("\n## When a load may be merged\n\n"
         "A task runs to its end before another starts, but microthreads and the host write memory while it runs. `ir/mem.h` sorts objects\n"
         "(globals and allocas): one is *private* if it is not exported or kept, no initial value holds its address, and its address is used only\n"
         "by loads, stores, comparisons and the loads of descriptors, contexts and sockets. All others are *shared*; so is what a DSD describes.\n\n"
         "- Accesses to two named objects never overlap; those to one object do, unless both offsets are constants that keep them apart. A\n"
         "  wide access at an odd place may be anywhere in its object. A pointer of unknown origin may name any shared object, and no private one.\n"
         "- What a load read or a store wrote is known until a store that may overlap, or a call. About a shared object it is forgotten at\n"
         "  every other effect too: a vector operation, anything about tasks, waits, the router, output, the cycle counter.\n"
         "- It is passed on to a block that has one predecessor. Where ways meet, and so around every loop, only what is known about private\n"
         "  objects is, if no block between writes there: a loop that waits for a shared object reads it each time.\n"
         "- What is read through a pointer of unknown origin is never kept: it may be a register of the machine.");
    return 0;
}
