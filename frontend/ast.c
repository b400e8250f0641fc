/* frontend/ast.c: names of kinds and operators, the interner, and the walk over a node's children. */
#include "frontend/ast.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *ast_kind_name(AstKind k)
{
    static const char *const names[AST_KIND_COUNT] = {
        "none",
#define X(kind, head, member, doc) head,
        AST_KINDS(X)
#undef X
    };
    assert(k < AST_KIND_COUNT);
    return names[k];
}

const char *ast_op_text(AstOp op)
{
    static const char *const texts[OP_COUNT] = {
#define X(op, text) text,
        AST_OPS(X)
#undef X
    };
    assert(op < OP_COUNT);
    return texts[op];
}

/* ---- interner: open addressing over arena strings.  Nobody iterates it, so its order is never seen. */
struct Interner { Arena *a; const char **slot; uint32_t *len; size_t cap, n; };

static uint32_t hash_bytes(const char *s, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h ^ h >> 15;
}

Interner *interner_new(Arena *a)
{
    Interner *in = ws_xmalloc(sizeof *in);
    in->a = a;
    in->cap = WS_LIMIT(256, 2);
    in->slot = ws_xmalloc(in->cap * sizeof *in->slot);
    in->len = ws_xmalloc(in->cap * sizeof *in->len);
    return in;
}

void interner_free(Interner *in)
{
    if (!in) return;
    free(in->slot);
    free(in->len);
    free(in);
}

/* The slot that holds s, or the free one where it belongs. */
static size_t find_slot(const Interner *in, const char *s, size_t n)
{
    size_t i = hash_bytes(s, n) & (in->cap - 1);
    while (in->slot[i] && !(in->len[i] == n && memcmp(in->slot[i], s, n) == 0)) i = (i + 1) & (in->cap - 1);
    return i;
}

static void grow(Interner *in)
{
    Interner old = *in;
    in->cap *= 2;
    in->slot = ws_xmalloc(in->cap * sizeof *in->slot);
    in->len = ws_xmalloc(in->cap * sizeof *in->len);
    for (size_t i = 0; i < old.cap; i++)
        if (old.slot[i]) {
            size_t k = find_slot(in, old.slot[i], old.len[i]);
            in->slot[k] = old.slot[i];
            in->len[k] = old.len[i];
        }
    free(old.slot);
    free(old.len);
}

const char *intern_n(Interner *in, const char *s, size_t n)
{
    assert(n < UINT32_MAX);
    size_t i = find_slot(in, s, n);
    if (in->slot[i]) return in->slot[i];
    if (in->n * 2 >= in->cap) {
        grow(in);
        i = find_slot(in, s, n);
    }
    in->n++;
    in->len[i] = (uint32_t)n;
    return in->slot[i] = arena_strndup(in->a, s, n);
}

const char *intern(Interner *in, const char *s) { return intern_n(in, s, strlen(s)); }

/* ---- children */
static void each_list(AstList l, AstVisit *f, void *ctx)
{
    for (uint32_t i = 0; i < l.n; i++) f(ctx, l.v[i]);
}

static void each_opt(AstNode *n, AstVisit *f, void *ctx)
{
    if (n) f(ctx, n);
}

static void each_attr(const AstAttrs *at, AstVisit *f, void *ctx)
{
    if (!at) return;
    each_opt(at->align, f, ctx);
    each_opt(at->linkname, f, ctx);
    each_opt(at->linksection, f, ctx);
}

/* One walker per union member, so that a new kind needs no line here. */
#define WALK(member) static void walk_##member(const AstNode *n, AstVisit *f, void *ctx)
#define NO_CHILDREN(member) WALK(member) { (void)n, (void)f, (void)ctx; }
NO_CHILDREN(none)
NO_CHILDREN(num)
NO_CHILDREN(flt)
NO_CHILDREN(str)
NO_CHILDREN(name)
WALK(var) { each_opt(n->u.var.type, f, ctx); each_attr(n->u.var.attrs, f, ctx); each_opt(n->u.var.init, f, ctx); }
WALK(fn)
{
    each_list(n->u.fn.args, f, ctx);
    each_opt(n->u.fn.ret, f, ctx);
    each_attr(n->u.fn.attrs, f, ctx);
    each_opt(n->u.fn.body, f, ctx);
}
WALK(arg) { each_opt(n->u.arg.type, f, ctx); }
WALK(socket) { each_opt(n->u.socket.type, f, ctx); each_opt(n->u.socket.queue, f, ctx); }
WALK(wrap) { each_opt(n->u.wrap.e, f, ctx); }
WALK(block) { each_list(n->u.block.stmts, f, ctx); }
WALK(iff) { each_opt(n->u.iff.cond, f, ctx); each_opt(n->u.iff.then, f, ctx); each_opt(n->u.iff.els, f, ctx); }
WALK(loop) { each_opt(n->u.loop.cond, f, ctx); each_opt(n->u.loop.step, f, ctx); each_opt(n->u.loop.body, f, ctx); }
WALK(swtch) { each_opt(n->u.swtch.on, f, ctx); each_list(n->u.swtch.cases, f, ctx); }
WALK(cas) { each_list(n->u.cas.labels, f, ctx); each_opt(n->u.cas.body, f, ctx); }
WALK(jump) { each_opt(n->u.jump.e, f, ctx); }
WALK(assign) { each_opt(n->u.assign.dst, f, ctx); each_opt(n->u.assign.src, f, ctx); }
WALK(idx) { each_opt(n->u.idx.e, f, ctx); }
WALK(un) { each_opt(n->u.un.e, f, ctx); }
WALK(bin) { each_opt(n->u.bin.l, f, ctx); each_opt(n->u.bin.r, f, ctx); }
WALK(call) { each_opt(n->u.call.fn, f, ctx); each_list(n->u.call.args, f, ctx); }
WALK(builtin) { each_list(n->u.builtin.args, f, ctx); }
WALK(field) { each_opt(n->u.field.e, f, ctx); }
WALK(index) { each_opt(n->u.index.e, f, ctx); each_list(n->u.index.at, f, ctx); }
WALK(init) { each_opt(n->u.init.type, f, ctx); each_list(n->u.init.items, f, ctx); }
WALK(lambda)
{
    each_list(n->u.lambda.names, f, ctx);
    each_list(n->u.lambda.extents, f, ctx);
    each_opt(n->u.lambda.e, f, ctx);
}
WALK(tarray) { each_list(n->u.tarray.dims, f, ctx); each_opt(n->u.tarray.elem, f, ctx); }
WALK(tptr) { each_opt(n->u.tptr.elem, f, ctx); }
WALK(tfn) { each_list(n->u.tfn.args, f, ctx); each_opt(n->u.tfn.ret, f, ctx); }
WALK(tcont) { each_opt(n->u.tcont.tag, f, ctx); each_list(n->u.tcont.members, f, ctx); }
WALK(member) { each_opt(n->u.member.type, f, ctx); each_opt(n->u.member.value, f, ctx); }

void ast_each_child(const AstNode *n, AstVisit *f, void *ctx)
{
    typedef void Walker(const AstNode *, AstVisit *, void *);
    static Walker *const walkers[AST_KIND_COUNT] = {
#define X(kind, head, member, doc) [AST_##kind] = walk_##member,
        AST_KINDS(X)
#undef X
    };
    assert(n->kind > AST_NONE && n->kind < AST_KIND_COUNT);
    walkers[n->kind](n, f, ctx);
}

static void max_depth(void *ctx, AstNode *child)
{
    uint32_t *d = ctx;
    if (child->depth > *d) *d = child->depth;
}

AstNode *ast_put(Arena *a, AstNode n)
{
    uint32_t below = 0;
    ast_each_child(&n, max_depth, &below);
    n.depth = (uint16_t)(below < UINT16_MAX ? below + 1 : UINT16_MAX);
    AstNode *p = ARENA_NEW(a, AstNode);
    *p = n;
    return p;
}
