/* frontend/ast_print.c: the tree as text, for `wslc --emit=ast` and for tests.
 *
 * One S-expression per declaration; the head of a list is the kind's or the operator's name.  A name is bare, `_` stands
 * for what is left out.  Blocks put each statement on a line of its own, everything else stays on the line:
 *
 *     (const x : (array (4) f32) = (@zeros (array (4) f32)))
 *     (fn f ((n i16)) void
 *       (block
 *         (<- acc (+ (sum i3 (* (elem a) (elem b))) c))))
 */
#include "frontend/ast.h"
#include <assert.h>
#include <string.h>

typedef struct { Buf *b; int indent; } Pr;

static void node(Pr *p, const AstNode *n);

static void text(Pr *p, const char *s) { buf_add(p->b, s, strlen(s)); }

/* " x", or " _" for what is not there. */
static void sub(Pr *p, const AstNode *n)
{
    text(p, " ");
    if (n) node(p, n);
    else text(p, "_");
}

static void word(Pr *p, const char *s)
{
    text(p, " ");
    text(p, s ? s : "_");
}

static void list(Pr *p, AstList l)
{
    for (uint32_t i = 0; i < l.n; i++) sub(p, l.v[i]);
}

static void paren_list(Pr *p, AstList l)
{
    text(p, " (");
    for (uint32_t i = 0; i < l.n; i++) {
        if (i) text(p, " ");
        node(p, l.v[i]);
    }
    text(p, ")");
}

static void newline(Pr *p)
{
    text(p, "\n");
    for (int i = 0; i < p->indent; i++) text(p, "  ");
}

static void lines(Pr *p, AstList l)
{
    p->indent++;
    for (uint32_t i = 0; i < l.n; i++) {
        newline(p);
        node(p, l.v[i]);
    }
    p->indent--;
}

/* A statement or block below the head line. */
static void line(Pr *p, const AstNode *n)
{
    p->indent++;
    newline(p);
    node(p, n);
    p->indent--;
}

static void flags(Pr *p, unsigned f)
{
    static const struct { unsigned bit; const char *s; } names[] = {
        {DECL_EXPORT, "export "}, {DECL_EXTERN, "extern "}, {DECL_HOST, "host "},
        {DECL_INLINE, "inline "}, {DECL_COMPTIME, "comptime "}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (f & names[i].bit) text(p, names[i].s);
}

static void attrs(Pr *p, const AstAttrs *a)
{
    if (!a) return;
    const struct { const char *s; const AstNode *n; } all[] = {
        {"align", a->align}, {"linkname", a->linkname}, {"linksection", a->linksection}};
    for (int i = 0; i < 3; i++)
        if (all[i].n) {
            text(p, " (");
            text(p, all[i].s);
            sub(p, all[i].n);
            text(p, ")");
        }
}

static void quoted(Pr *p, const char *s, size_t len)
{
    text(p, "\"");
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c == '"' || c == '\\') buf_printf(p->b, "\\%c", c);
        else if (c == '\n') text(p, "\\n");
        else if (c < 32 || c == 127) buf_printf(p->b, "\\x%02X", c);
        else buf_add(p->b, s + i, 1);
    }
    text(p, "\"");
}

static void var(Pr *p, const AstNode *n)
{
    word(p, n->u.var.name);
    if (n->u.var.type) {
        text(p, " :");
        sub(p, n->u.var.type);
    }
    attrs(p, n->u.var.attrs);
    if (n->u.var.init) {
        text(p, " =");
        sub(p, n->u.var.init);
    }
}

static void fn(Pr *p, const AstNode *n)
{
    word(p, n->u.fn.name);
    paren_list(p, n->u.fn.args);
    sub(p, n->u.fn.ret);
    attrs(p, n->u.fn.attrs);
    if (n->u.fn.body) line(p, n->u.fn.body);
}

static void loop(Pr *p, const AstNode *n)
{
    if (n->u.loop.is_inline) text(p, " inline");
    if (n->u.loop.label) buf_printf(p->b, " :%s", n->u.loop.label);
    if (n->u.loop.cond) sub(p, n->u.loop.cond);
    if (n->u.loop.elem) buf_printf(p->b, " |%s%s%s|", n->u.loop.elem, n->u.loop.pos ? " " : "",
                                   n->u.loop.pos ? n->u.loop.pos : "");
    if (n->u.loop.step) {
        text(p, " (step");
        sub(p, n->u.loop.step);
        text(p, ")");
    }
    line(p, n->u.loop.body);
}

/* Does it get a line of its own below an `if`? */
static bool is_stmt(const AstNode *n)
{
    if (!n) return false;
    if (n->kind == AST_IF) return is_stmt(n->u.iff.then) || is_stmt(n->u.iff.els);
    return n->kind == AST_BLOCK || n->kind == AST_ASSIGN || n->kind == AST_FOR || n->kind == AST_WHILE ||
           n->kind == AST_BIND || n->kind == AST_MOVE || n->kind == AST_ACCUM;
}

/* The branches of an `if` go on lines of their own when one of them is a statement. */
static void iff(Pr *p, const AstNode *n)
{
    sub(p, n->u.iff.cond);
    bool multi = is_stmt(n->u.iff.then) || is_stmt(n->u.iff.els);
    void (*put)(Pr *, const AstNode *) = multi ? line : sub;
    put(p, n->u.iff.then);
    if (n->u.iff.els) put(p, n->u.iff.els);
}

static void cas(Pr *p, const AstNode *n)
{
    if (n->u.cas.labels.n) paren_list(p, n->u.cas.labels);
    else text(p, " else");
    (is_stmt(n->u.cas.body) ? line : sub)(p, n->u.cas.body);
}

static void call(Pr *p, const AstNode *n)
{
    const AstNode *f = n->u.call.fn;
    text(p, "(call");
    if (f->parens) {
        text(p, " (paren");
        sub(p, f);
        text(p, ")");
    } else {
        sub(p, f);
    }
    list(p, n->u.call.args);
    text(p, ")");
}

/* Kinds that are not (head ...). */
static bool atom(Pr *p, const AstNode *n)
{
    switch (n->kind) {
    case AST_NAME: text(p, n->u.name.name); return true;
    case AST_ENUM_LIT: buf_printf(p->b, ".%s", n->u.name.name); return true;
    case AST_INT:
        if (n->u.num.overflow) buf_printf(p->b, "(overflow %s)", n->u.num.text);
        else buf_printf(p->b, "%llu", (unsigned long long)n->u.num.value);
        return true;
    case AST_FLOAT: text(p, n->u.flt.text); return true;
    case AST_BOOL: text(p, n->u.num.value ? "true" : "false"); return true;
    case AST_STRING: quoted(p, n->u.str.p, n->u.str.len); return true;
    case AST_UNDEFINED:
    case AST_T_ANYTYPE: text(p, ast_kind_name(n->kind)); return true;
    case AST_CALL: call(p, n); return true;
    default: return false;
    }
}

static void head(Pr *p, const AstNode *n)
{
    text(p, "(");
    switch (n->kind) {
    case AST_CONST: case AST_VAR: case AST_PARAM: flags(p, n->u.var.flags); break;
    case AST_FN: case AST_TASK: flags(p, n->u.fn.flags); break;
    case AST_BINARY: text(p, ast_op_text(n->u.bin.op)); return;
    case AST_UNARY: text(p, ast_op_text(n->u.un.op)); return;
    case AST_ASSIGN: text(p, ast_op_text(n->u.assign.op)); break;
    case AST_BUILTIN: buf_printf(p->b, "@%s", n->u.builtin.name); return;
    case AST_T_STRUCT: case AST_T_UNION:
        if (n->u.tcont.layout) text(p, n->u.tcont.layout == LAYOUT_PACKED ? "packed-" : "extern-");
        break;
    default: break;
    }
    text(p, ast_kind_name(n->kind));
}

static void type_body(Pr *p, const AstNode *n)
{
    switch (n->kind) {
    case AST_T_ARRAY: paren_list(p, n->u.tarray.dims); sub(p, n->u.tarray.elem); break;
    case AST_T_POINTER:
        if (n->u.tptr.many) word(p, "many");
        if (n->u.tptr.is_const) word(p, "const");
        sub(p, n->u.tptr.elem);
        break;
    case AST_T_FN:
        if (n->u.tfn.is_task) word(p, "task");
        paren_list(p, n->u.tfn.args);
        sub(p, n->u.tfn.ret);
        break;
    case AST_T_ENUM: sub(p, n->u.tcont.tag); list(p, n->u.tcont.members); break;
    case AST_T_STRUCT:
    case AST_T_UNION:
        if (n->u.tcont.tag) sub(p, n->u.tcont.tag);
        list(p, n->u.tcont.members);
        break;
    case AST_MEMBER:
        word(p, n->u.member.name);
        if (n->u.member.type) sub(p, n->u.member.type);
        if (n->u.member.value) {
            text(p, " =");
            sub(p, n->u.member.value);
        }
        break;
    default: assert(!"a kind without a printer");
    }
}

static void expr_body(Pr *p, const AstNode *n)
{
    switch (n->kind) {
    case AST_VOID: break;
    case AST_UNARY: sub(p, n->u.un.e); break;
    case AST_RANGE:
    case AST_BINARY: sub(p, n->u.bin.l); sub(p, n->u.bin.r); break;
    case AST_BUILTIN: list(p, n->u.builtin.args); break;
    case AST_FIELD: sub(p, n->u.field.e); word(p, n->u.field.name); break;
    case AST_VIEW:
    case AST_FIELD_INIT: word(p, n->u.field.name); sub(p, n->u.field.e); break;
    case AST_INDEX: sub(p, n->u.index.e); list(p, n->u.index.at); break;
    case AST_DEREF:
    case AST_ELEM: sub(p, n->u.wrap.e); break;
    case AST_INIT: sub(p, n->u.init.type); list(p, n->u.init.items); break;
    case AST_SUM: word(p, n->u.idx.index); sub(p, n->u.idx.e); break;
    case AST_LAMBDA:
        paren_list(p, n->u.lambda.names);
        paren_list(p, n->u.lambda.extents);
        sub(p, n->u.lambda.e);
        break;
    default: type_body(p, n);
    }
}

static void body(Pr *p, const AstNode *n)
{
    switch (n->kind) {
    case AST_CONST: case AST_VAR: case AST_PARAM: case AST_INDEX_SET: case AST_ITER: var(p, n); break;
    case AST_FN: case AST_TASK: fn(p, n); break;
    case AST_FN_PARAM:
        if (n->u.arg.is_comptime) text(p, " comptime");
        word(p, n->u.arg.name);
        sub(p, n->u.arg.type);
        break;
    case AST_SOCKET:
        word(p, n->u.socket.name);
        word(p, n->u.socket.dir == SOCK_IN ? "in" : "out");
        sub(p, n->u.socket.type);
        sub(p, n->u.socket.queue);
        break;
    case AST_LAYOUT: case AST_PARALLEL: line(p, n->u.wrap.e); break;
    case AST_COMPTIME: (is_stmt(n->u.wrap.e) ? line : sub)(p, n->u.wrap.e); break;
    case AST_BLOCK:
        if (n->u.block.label) buf_printf(p->b, " :%s", n->u.block.label);
        lines(p, n->u.block.stmts);
        break;
    case AST_IF: iff(p, n); break;
    case AST_WHILE: case AST_FOR: case AST_FOREVER: loop(p, n); break;
    case AST_SWITCH: case AST_DISPATCH: sub(p, n->u.swtch.on); lines(p, n->u.swtch.cases); break;
    case AST_CASE: cas(p, n); break;
    case AST_BREAK: case AST_CONTINUE: case AST_RETURN:
        if (n->u.jump.label) buf_printf(p->b, " :%s", n->u.jump.label);
        if (n->u.jump.e) sub(p, n->u.jump.e);
        break;
    case AST_ASSIGN: case AST_BIND: case AST_ACCUM: case AST_MOVE:
        sub(p, n->u.assign.dst);
        sub(p, n->u.assign.src);
        break;
    case AST_FORALL:
        word(p, n->u.idx.index);
        (n->u.idx.e->kind == AST_BLOCK ? line : sub)(p, n->u.idx.e);
        break;
    default: expr_body(p, n);
    }
}

static void node(Pr *p, const AstNode *n)
{
    if (n->depth > AST_MAX_DEPTH) {
        text(p, "(too-deep)");
        return;
    }
    if (atom(p, n)) return;
    head(p, n);
    body(p, n);
    text(p, ")");
}

void fe_ast_print_node(Buf *out, const AstNode *n)
{
    Pr p = {out, 0};
    node(&p, n);
}

void fe_ast_print(Buf *out, const AstFile *f)
{
    for (uint32_t i = 0; i < f->decls.n; i++) {
        fe_ast_print_node(out, f->decls.v[i]);
        buf_add(out, "\n", 1);
    }
}
