/* Prints docs/builtins.md from frontend/builtins.def. */
#include "frontend/sema.h"

static void section(const char *title, const char *text, BiOwner owner)
{
    printf("\n## %s\n\n%s\n\n| call | meaning |\n|---|---|\n", title, text);
    for (int i = 0; i < BI_COUNT; i++)
        if (fe_builtins[i].owner == owner) printf("| `%s` | %s%s |\n", fe_builtins[i].sig, fe_builtins[i].ours ? "extension: " : "", fe_builtins[i].doc);
}

int main(void)
{
    printf("# Builtin functions\n\nThis page is made from `frontend/builtins.def` by `docs/gen/builtins_md.c`: build the target `docs`, do not edit.\n"
           "Arguments that may be left out are not marked; a wrong number of arguments is an error that shows the call.\n");
    section("Types, values, tasks, layout", "Evaluated by the front end.", BI_CORE);
    section("Descriptors and vector operations",
            "`d`, `a`, `b`, `c` are descriptors, DSRs, pointers to scalars or, as sources, scalars. `options` is a struct: `.async`, `.activate`, "
            "`.unblock`, `.ut_id`, `.priority`.", BI_DSD);
    section("Not built yet", "Part of CSL. Using one is an error that says so by name.", BI_LATER);
    return 0;
}
