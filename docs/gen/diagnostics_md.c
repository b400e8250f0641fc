/* Prints docs/diagnostics.md from the message tables of the tools. */
#include "runtime/base/base.h"

#define ROW(id, sev, name, text, hint) {SEV_##sev, #id, #name, text, hint},
static const DiagRow frontend[] = {
#include "frontend/diags.def"
};
static const DiagRow ir[] = {
#include "ir/ir_diags.def"
};
static const DiagRow backend[] = {
#include "backend/be_diags.def"
};
static const DiagRow link[] = {
#include "backend/link/link_diags.def"
};
#undef ROW

/* "|" would end the cell */
static void cell(const char *s)
{
    for (; *s; s++) printf(*s == '|' ? "\\|" : "%c", *s);
}

static void table(const char *title, const DiagRow *r, size_t n)
{
    static const char *const sev[] = {"error", "warning", "note", "fatal"};
    printf("\n## %s\n\n| ID | kind | message | what to do |\n|---|---|---|---|\n", title);
    for (size_t i = 0; i < n; i++) {
        printf("| %s | %s | ", r[i].id, sev[r[i].sev]);
        cell(r[i].text);
        printf(" | ");
        cell(r[i].hint);
        printf(" |\n");
    }
}
#define TABLE(title, t) table(title, t, sizeof t / sizeof *t)

int main(void)
{
    printf("# Diagnostics\n\nThis page is made from the message tables by `docs/gen/diagnostics_md.c`: build the target `docs`, do not edit.\n"
           "An ID is never used for another message. %%0, %%1 and so on stand for what the message is about.\n");
    TABLE("Front end (`frontend/diags.def`)", frontend);
    TABLE("WIR (`ir/ir_diags.def`)", ir);
    TABLE("Back end (`backend/be_diags.def`)", backend);
    TABLE("Linker and objects (`backend/link/link_diags.def`)", link);
    return 0;
}
