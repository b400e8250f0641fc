/* frontend/pedantic.c: --pedantic-csl: a warning for each use of what W has and CSL has not.
 * Looks at the tree alone, so that code which nobody references is warned of too.  One table says which nodes are ours. */
#include "frontend/sema_stream.h"
#include <string.h>

typedef struct { AstKind kind; int row; } Ours;
static const Ours ours[] = {
    {AST_INDEX_SET, D_ext_index}, {AST_ITER, D_ext_iter}, {AST_SOCKET, D_ext_socket}, {AST_BIND, D_ext_arrow},
    {AST_ACCUM, D_ext_arrow}, {AST_MOVE, D_ext_arrow}, {AST_FORALL, D_ext_forall}, {AST_SUM, D_ext_sum},
    {AST_FOREVER, D_ext_forever}, {AST_PARALLEL, D_ext_parallel}, {AST_DISPATCH, D_ext_dispatch}, {AST_ELEM, D_ext_elem},
    {AST_VIEW, D_ext_view},
};

static void warn(Program *p, int row, Loc loc, const char *arg)
{
    DiagArg a = d_str(arg);
    diag_emit(p->d, &fe_diag_rows[row], loc, 1, &a);
}

static bool one_of(const char *name, const char *const *list)
{
    while (*list && strcmp(name, *list)) list++;
    return *list != NULL;
}

static void call(Program *p, const AstNode *n)
{
    static const char *const views[] = {"sp", "hp", "xp", "wv", NULL}, *const fns[] = {"set_router", "set_sockets", "teardown", NULL};
    const AstNode *f = n->u.call.fn;
    if (f->kind != AST_NAME) return;
    if (f->parens && one_of(f->u.name.name, views)) warn(p, D_ext_view, n->loc, "");
    else if (one_of(f->u.name.name, fns)) warn(p, D_ext_prelude, n->loc, f->u.name.name);
}

static void look(void *user, AstNode *n)
{
    Program *p = user;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (n->kind == ours[i].kind) warn(p, ours[i].row, n->loc, "");
    if (n->kind == AST_CALL && p->pedantic_w) call(p, n);
    if (n->kind == AST_BUILTIN) {
        int b = builtin_by_name(n->u.builtin.name);
        if (b >= 0 && fe_builtins[b].ours) warn(p, D_ext_builtin, n->loc, n->u.builtin.name);
        if (b == BI_initialize_queue && n->u.builtin.args.n == 2 && n->u.builtin.args.v[1]->kind == AST_INIT)
            for AST_EACH(i, n->u.builtin.args.v[1]->u.init.items) {
                const AstNode *f = n->u.builtin.args.v[1]->u.init.items.v[i];
                if (f->kind == AST_FIELD_INIT && !strcmp(f->u.field.name, "lend")) warn(p, D_ext_lend, f->loc, "");
            }
    }
    if (n->kind == AST_TASK && n->u.fn.flags & DECL_EXPORT && !strcmp(n->u.fn.name, "main")) warn(p, D_ext_main, n->loc, "");
    if (n->kind == AST_FN && n->u.fn.flags & DECL_HOST) warn(p, D_ext_host, n->loc, "");
    ast_each_child(n, look, p);
}

void pedantic_file(Program *p, const AstFile *f)
{
    p->pedantic_w = f->mode == FE_MODE_W;
    for AST_EACH(i, f->decls) look(p, f->decls.v[i]);
}
