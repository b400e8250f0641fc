/* frontend/parse_int.h: what lexer.l, parser.y, their paint twins and parse.c share; nobody else includes it. */
#ifndef FE_PARSE_INT_H
#define FE_PARSE_INT_H
#include "frontend/ast.h"
#include "frontend/diags.h"

typedef struct { uint32_t off; const char *text; } DocAt; /* off: of the token it precedes; UINT32_MAX: not yet known */

/* Everything of one parse.  The scanner owns `off`; the parser's error reporter reads the last two places. */
typedef struct FeCx {
    Arena *a;
    Diags *d;
    Interner *in;
    const char *text; /* whole file */
    size_t len;
    FeMode mode;
    uint32_t file;
    uint32_t off;     /* where the next token starts */
    Loc last, prev;   /* last token handed out, and the one before it */
    int last_tok, prev_tok;
    DocAt *docs;      /* stb: doc comments in source order */
    bool failed, stop; /* something was reported; the parse was given up */
    /* recovery, see fe_yylex(): what to hand out after an error */
    enum { REC_NONE, REC_SKIP, REC_SKIP_TO_BRACE, REC_SEMICOLON, REC_BRACE, REC_AGAIN } recover;
    int depth;         /* open braces handed out */
    uint32_t err_off;  /* place of the last error that kept its token */
    void *last_val;    /* FE_YYSTYPE of the last token */
    AstFile *out;
} FeCx;

/* A list under construction, in the arena. */
typedef struct AstVec { AstNode **v; uint32_t n, cap; } AstVec;
typedef struct { const char *elem, *pos; } AstCapture;

#define FE_ERR(cx, name, loc, ...) ((cx)->failed = true, FE_DIAG((cx)->d, name, (loc), ##__VA_ARGS__))

/* ---- parse.c, for the grammar's actions */
AstVec *vec_new(FeCx *cx);
AstVec *vec_add(FeCx *cx, AstVec *v, AstNode *n); /* n may be NULL: what an error rule leaves */
AstList vec_list(const AstVec *v);                /* v may be NULL */
AstNode *fe_put(FeCx *cx, AstNode n);             /* ast_put + depth limit */
AstNode *fe_arrow(FeCx *cx, Loc loc, AstNode *dst, AstNode *src); /* BIND or MOVE, by dst */
AstNode *fe_comptime(FeCx *cx, Loc loc, AstNode *stmt);           /* COMPTIME, or the flag of a const or var */
AstNode *fe_block_value(FeCx *cx, AstNode *block);                /* `{}` as a value is VOID */
AstNode *fe_init(FeCx *cx, Loc loc, AstNode *type, AstVec *items);
AstNode *fe_decl_flags(FeCx *cx, AstNode *decl, unsigned flags);  /* export, extern; what is not extern has a body */
AstNode *fe_doc(FeCx *cx, uint32_t off, AstNode *decl);           /* attach the doc comment before offset off */
AstAttrs *fe_attr(FeCx *cx, AstAttrs *at, AstAttrs add);          /* merge; later ones win */
const char *fe_slice(FeCx *cx, Loc loc);                          /* the text of a token, shortened for messages */
bool fe_on_new_line(const FeCx *cx);                              /* the last token is on a later line than the one before */
void fe_too_deep(FeCx *cx, Loc loc);

int fe_run_parser(FeCx *cx);                                      /* lexer.l: scan and parse cx->text */

/* ---- parse.c, for the scanners */
bool fe_check_utf8(FeCx *cx);                                /* reports bad bytes with their offsets */
uint32_t fe_decode(const char *s, size_t len, int *n);       /* one code point; *n its bytes, 0 if malformed */
bool fe_is_id_start(uint32_t c);                             /* xid.c: Unicode XID_Start, and _ */
bool fe_is_id_continue(uint32_t c);
const char *fe_show_char(FeCx *cx, uint32_t c);              /* 'x' or U+XXXX, for messages */
AstNode *fe_int(FeCx *cx, Loc loc, const char *s, int len);  /* INT from its spelling */
AstNode *fe_float(FeCx *cx, Loc loc, const char *s, int len);
AstNode *fe_string(FeCx *cx, Loc loc, const char *s, int len); /* s with its quotes */
AstNode *fe_char(FeCx *cx, Loc loc, const char *s, int len);

/* Bison's place of a rule: from its first symbol that is not empty to its last; empty rules sit behind what came
 * before. */
#define YYLLOC_DEFAULT(cur, rhs, n)                                                                            \
    do {                                                                                                       \
        int k_ = 1, n_ = (int)(n);                                                                             \
        while (k_ < n_ && YYRHSLOC(rhs, k_).len == 0) k_++;                                                    \
        if (n_ == 0) {                                                                                         \
            (cur) = YYRHSLOC(rhs, 0);                                                                          \
            (cur).off += (cur).len;                                                                            \
            (cur).len = 0;                                                                                     \
        } else {                                                                                               \
            (cur) = YYRHSLOC(rhs, k_);                                                                         \
            while (n_ > k_ && YYRHSLOC(rhs, n_).len == 0) n_--;                                                \
            (cur).len = YYRHSLOC(rhs, n_).off + YYRHSLOC(rhs, n_).len - (cur).off;                             \
        }                                                                                                      \
    } while (0)
#endif
