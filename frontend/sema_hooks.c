/* frontend/sema_hooks.c: stands where sema_stream.c and sema_dsd.c are not built: "not built yet", by name. */
#include "frontend/sema.h"

#ifndef WS_HAVE_STREAM
bool sema_stream_decl(Sema *s, Scope *sc, AstNode *n, Value *out)
{
    *out = SEMA_ERR(s, not_built, n->loc, d_str(ast_kind_name((AstKind)n->kind)));
    return true;
}

bool sema_stream_stmt(Sema *s, Scope *sc, AstNode *n, Flow *flow)
{
    SEMA_ERR(s, not_built, n->loc, d_str(ast_kind_name((AstKind)n->kind)));
    *flow = FLOW_NEXT;
    return true;
}

bool sema_stream_expr(Sema *s, Scope *sc, AstNode *n, Type *want, Value *out)
{
    if (n->kind == AST_CALL) return false;
    *out = SEMA_ERR(s, not_built, n->loc, d_str(ast_kind_name((AstKind)n->kind)));
    return true;
}

bool sema_stream_call(Sema *s, Scope *sc, AstNode *call, Type *want, Value *out) { return false; }
#endif

#ifndef WS_HAVE_DSD
bool sema_dsd_builtin(Sema *s, Scope *sc, AstNode *n, int bi, Type *want, Value *out)
{
    *out = SEMA_ERR(s, builtin_not_built, n->loc, d_str(fe_builtins[bi].name));
    return true;
}
#endif
