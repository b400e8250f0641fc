/* frontend/ast.h: the syntax tree of W and CSL, as the parser leaves it and sema reads it.
 *
 * One struct AstNode: a kind, a place, a union with one named member per shape.  All memory is the arena that
 * fe_parse() was given; nothing is freed node by node.  Names are interned (pointer-equal means equal).  The tree says
 * what is written and nothing else: no types, no scopes, no folding; sema never changes it.  A pointer is NULL exactly
 * where the comment says "or NULL".  The one idea: expressions, types and statements are the same kind of node, since
 * the evaluator in sema is one recursion in which types are values and `if`/`switch`/blocks may be either. */
#ifndef FE_AST_H
#define FE_AST_H
#include "runtime/base/base.h"

/* ---- interner (ast.c): one copy per distinct name, for the life of its arena.  Compare names with ==. */
typedef struct Interner Interner;
Interner *interner_new(Arena *a);
const char *intern(Interner *in, const char *s);
const char *intern_n(Interner *in, const char *s, size_t n);
void interner_free(Interner *in); /* the table only; the names stay in the arena */

typedef struct AstNode AstNode;
typedef struct { AstNode **v; uint32_t n; } AstList;              /* v is NULL when n is 0 */
#define AST_EACH(it, list) (uint32_t it = 0; it < (list).n; it++) /* for AST_EACH(i, l) use((l).v[i]); */

/* Kinds.  X(KIND, head of its S-expression, member of the union, what is written). */
#define AST_KINDS(X)                                                                                             \
    /* declarations: at top level; CONST VAR INDEX ITER SOCKET also as statements */                             \
    X(CONST,       "const",       var,     "const x: T = e;")                                                    \
    X(VAR,         "var",         var,     "var x: T = e;")                                                      \
    X(PARAM,       "param",       var,     "param x: T = e;")                                                    \
    X(FN,          "fn",          fn,      "fn f(a: T) R { }")                                                   \
    X(TASK,        "task",        fn,      "task t(a: T) R { }")                                                 \
    X(FN_PARAM,    "arg",         arg,     "comptime a: T, in FN and TASK")                                      \
    X(LAYOUT,      "layout",      wrap,    "layout { }; e is a BLOCK")                                           \
    X(COMPTIME,    "comptime",    wrap,    "comptime { }, comptime e, comptime stmt; e is what follows")         \
    X(INDEX_SET,   "index-set",   var,     "index i3 = e;")                                                      \
    X(ITER,        "iter",        var,     "iter a: T = e; e mostly a LAMBDA")                                   \
    X(SOCKET,      "socket",      socket,  "socket s: in T = queue e;")                                          \
    /* statements; an expression may stand as a statement without a wrapper */                                   \
    X(BLOCK,       "block",       block,   "{ } or label: { }; also as a value")                                 \
    X(IF,          "if",          iff,     "if (c) a else b; statement and expression")                          \
    X(WHILE,       "while",       loop,    "label: while (c) : (step) body")                                     \
    X(FOR,         "for",         loop,    "label: for (e) |x, i| body")                                         \
    X(SWITCH,      "switch",      swtch,   "switch (e) { cases }; statement and expression")                     \
    X(CASE,        "case",        cas,     "a, b...c => body, or else => body")                                  \
    X(RANGE,       "range",       bin,     "lo...hi, both ends included, as a label of a CASE")                  \
    X(BREAK,       "break",       jump,    "break :label e")                                                     \
    X(CONTINUE,    "continue",    jump,    "continue :label")                                                    \
    X(RETURN,      "return",      jump,    "return e")                                                           \
    X(ASSIGN,      "=",           assign,  "a = e, a += e, ...; op says which")                                  \
    /* Tungsten's statements and expressions */                                                                  \
    X(BIND,        "<-",          assign,  "name <- e; dst is a NAME: declares or re-binds a register")          \
    X(ACCUM,       "<+-",         assign,  "name <+- e; dst as written: sema wants a NAME that is bound")        \
    X(MOVE,        "move",        assign,  "dst <- e with a dst that is not a bare name: one element")           \
    X(FORALL,      "forall",      idx,     "forall i stmt")                                                      \
    X(SUM,         "sum",         idx,     "sum forall i e; an expression")                                      \
    X(FOREVER,     "forever",     loop,    "label: forever { }: body only")                                      \
    X(PARALLEL,    "parallel",    wrap,    "parallel { a; b; }; e is a BLOCK")                                   \
    X(DISPATCH,    "dispatch",    swtch,   "dispatch (e) { cases }; statement")                                  \
    X(ELEM,        "elem",        wrap,    "a[]; e is the iterator or socket")                                   \
    X(VIEW,        "view",        field,   "wv:tx[]; name is the view, e the element")                           \
    /* expressions */                                                                                            \
    X(INT,         "int",         num,     "12 0x1F 0b10 1_000 'c'")                                             \
    X(FLOAT,       "float",       flt,     "1.5 2e-3")                                                           \
    X(STRING,      "string",      str,     "\"text\"")                                                           \
    X(BOOL,        "bool",        num,     "true, false: value is 1 or 0")                                       \
    X(UNDEFINED,   "undefined",   none,    "undefined")                                                          \
    X(VOID,        "void-value",  none,    "{} in an expression: the value of type void")                        \
    X(NAME,        "name",        name,    "x")                                                                  \
    X(ENUM_LIT,    "enum-lit",    name,    ".x")                                                                 \
    X(UNARY,       "unary",       un,      "-e !e ~e &e")                                                        \
    X(BINARY,      "binary",      bin,     "a + b, a and b, ...")                                                \
    X(CALL,        "call",        call,    "f(a, b); (sp)(e) is one whose callee is a NAME with parens set")     \
    X(BUILTIN,     "builtin",     builtin, "@f(a, b)")                                                           \
    X(FIELD,       "field",       field,   "e.name")                                                             \
    X(INDEX,       "at",          index,   "e[i, j]; at least one index")                                        \
    X(DEREF,       "deref",       wrap,    "e.*")                                                                \
    X(INIT,        "init",        init,    ".{ } or T{ }: struct, tuple or array literal")                       \
    X(FIELD_INIT,  "set",         field,   ".name = e, in INIT")                                                 \
    X(LAMBDA,      "lambda",      lambda,  "|i, j|{M, N} -> e")                                                  \
    /* types (a NAME or any expression may be a type as well) */                                                 \
    X(T_ARRAY,     "array",       tarray,  "[N]T [M, N]T")                                                       \
    X(T_POINTER,   "pointer",     tptr,    "*T *const T [*]T [*]const T")                                        \
    X(T_FN,        "fn-type",     tfn,     "fn (A, B) R, task (A) R")                                            \
    X(T_ANYTYPE,   "anytype",     none,    "anytype; also as the type of FN_PARAM")                              \
    X(T_STRUCT,    "struct",      tcont,   "struct { a: T, b: T = e }, packed or extern")                        \
    X(T_UNION,     "union",       tcont,   "union { a: T, b: T }, packed or extern, union(tag)")                 \
    X(T_ENUM,      "enum",        tcont,   "enum(T) { A, B = e }")                                               \
    X(MEMBER,      "member",      member,  "one field of a struct or union, one name of an enum")

typedef enum AstKind {
    AST_NONE,
#define X(kind, head, member, doc) AST_##kind,
    AST_KINDS(X)
#undef X
    AST_KIND_COUNT
} AstKind;

/* Operators.  X(NAME, spelling).  OP_NONE in an ASSIGN is plain `=`. */
#define AST_OPS(X)                                                                                               \
    X(NONE, "") X(ADD, "+") X(SUB, "-") X(MUL, "*") X(DIV, "/") X(REM, "%")                                      \
    X(SHL, "<<") X(SHR, ">>") X(BAND, "&") X(BOR, "|") X(BXOR, "^")                                              \
    X(EQ, "==") X(NE, "!=") X(LT, "<") X(GT, ">") X(LE, "<=") X(GE, ">=") X(AND, "and") X(OR, "or")              \
    X(NEG, "-") X(NOT, "!") X(BNOT, "~") X(ADDR, "&")
typedef enum AstOp {
#define X(op, text) OP_##op,
    AST_OPS(X)
#undef X
    OP_COUNT
} AstOp;

/* Bits of a declaration (var.flags, fn.flags). */
enum {
    DECL_EXPORT = 1, DECL_EXTERN = 2,
    DECL_HOST = 4,     /* extern host fn: found in a --plugin library */
    DECL_COMPTIME = 8, /* comptime var / comptime const */
    DECL_INLINE = 16,  /* inline fn */
};
typedef enum { LAYOUT_AUTO, LAYOUT_EXTERN, LAYOUT_PACKED } AstLayoutKind; /* of struct and union */
typedef enum { SOCK_IN, SOCK_OUT } AstSockDir;

/* What may follow a declared name or a signature: each an expression or NULL. */
typedef struct { AstNode *align, *linkname, *linksection; } AstAttrs;

struct AstNode {
    uint8_t kind;  /* AstKind */
    bool parens;   /* an expression that stood in its own parentheses */
    uint16_t depth; /* height of the tree below, saturating: sema may refuse before it recurses */
    Loc loc;       /* the whole construct; of a declaration: its name */
    union {
        struct { uint8_t unused; } none;
        struct {
            const char *name;
            AstNode *type;   /* or NULL: inferred; the type of a param without one comes with its value */
            AstNode *init;   /* or NULL */
            AstAttrs *attrs; /* or NULL */
            const char *doc; /* text of the `///` lines above, or NULL */
            uint8_t flags;   /* DECL_* */
        } var;               /* CONST VAR PARAM INDEX_SET ITER */
        struct {
            const char *name;
            AstList args;    /* FN_PARAM */
            AstNode *ret;    /* type; NULL only for a task that leaves out `void` */
            AstNode *body;   /* BLOCK, or NULL: extern */
            AstAttrs *attrs; /* or NULL */
            const char *doc; /* or NULL */
            uint8_t flags;   /* DECL_* */
        } fn;                /* FN TASK */
        struct { const char *name; AstNode *type; bool is_comptime; } arg;            /* type T_ANYTYPE: anytype */
        struct { const char *name; AstNode *type, *queue; const char *doc; AstSockDir dir; } socket;
        struct { AstNode *e; } wrap;
        struct { const char *label; AstList stmts; } block;                           /* label or NULL */
        struct { AstNode *cond, *then, *els; } iff;                                   /* els or NULL */
        struct {
            const char *label;  /* or NULL */
            AstNode *cond;      /* WHILE: condition.  FOR: what is run over, `@range(...)` or an array */
            AstNode *step;      /* WHILE: the (step), any simple statement, or NULL */
            AstNode *body;
            const char *elem, *pos; /* FOR: |elem, pos|; pos or NULL; "_" is the interned "_" */
            bool is_inline;
        } loop;                 /* WHILE FOR FOREVER */
        struct { AstNode *on; AstList cases; } swtch;                                 /* SWITCH DISPATCH: CASE list */
        struct { AstList labels; AstNode *body; } cas;                                /* no labels: else */
        struct { const char *label; AstNode *e; } jump;                               /* each or NULL */
        struct { AstOp op; AstNode *dst, *src; } assign;                              /* ASSIGN BIND ACCUM MOVE */
        struct { const char *index; Loc index_loc; AstNode *e; } idx;                 /* FORALL SUM */
        struct { uint64_t value; bool overflow; const char *text; } num;              /* overflow: over 64 bits */
        struct { double value; const char *text; } flt;                               /* text without `_` */
        struct { const char *p; size_t len; } str;                                    /* escapes resolved; NUL behind */
        struct { const char *name; } name;
        struct { AstOp op; AstNode *e; } un;
        struct { AstOp op; AstNode *l, *r; } bin;                                     /* BINARY RANGE */
        struct { AstNode *fn; AstList args; } call;
        struct { const char *name; AstList args; } builtin;                           /* name without `@` */
        struct { AstNode *e; const char *name; Loc name_loc; } field;                 /* FIELD FIELD_INIT VIEW */
        struct { AstNode *e; AstList at; } index;
        struct { AstNode *type; AstList items; bool named; } init; /* type or NULL (.{}); named: items FIELD_INIT */
        struct { AstList names, extents; AstNode *e; } lambda;                        /* names: NAME nodes */
        struct { AstList dims; AstNode *elem; } tarray;
        struct { AstNode *elem; bool many, is_const; } tptr;
        struct { AstList args; AstNode *ret; bool is_task; } tfn;                     /* args: types */
        struct { AstNode *tag; AstList members; AstLayoutKind layout; } tcont;        /* tag or NULL */
        struct { const char *name; AstNode *type, *value; } member;                   /* each or NULL */
    } u;
};

typedef enum { FE_MODE_W, FE_MODE_CSL } FeMode; /* by suffix: .csl has no Tungsten words */

typedef struct AstFile {
    const char *path;
    uint32_t file;  /* Loc.file of all its nodes */
    FeMode mode;
    AstList decls;  /* in source order: CONST VAR PARAM FN TASK LAYOUT COMPTIME INDEX_SET ITER SOCKET */
    bool has_errors;/* something was reported: the tree holds what could be kept */
} AstFile;

/* ---- ast.c */
AstNode *ast_put(Arena *a, AstNode n); /* copy into the arena; computes depth from the children */
typedef void AstVisit(void *ctx, AstNode *child);
void ast_each_child(const AstNode *n, AstVisit *f, void *ctx); /* in source order, NULLs left out */
#define AST_MAX_DEPTH 1000             /* fe_parse refuses a deeper tree, so that a recursion over it is safe */
const char *ast_kind_name(AstKind k); /* head of the S-expression */
const char *ast_op_text(AstOp op);

/* ---- ast_print.c: one S-expression per declaration.  Form: docs in ast_print.c; tests read it. */
void fe_ast_print(Buf *out, const AstFile *file);
void fe_ast_print_node(Buf *out, const AstNode *n); /* one node, no newline at its end */
#endif
