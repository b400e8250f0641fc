/* The reader of WIR text (docs/ir.md).  Takes any bytes, leaves a module or reports what is wrong with the place.
 * The whole text is cut into tokens first; functions and globals are entered before any body is read, labels before their function's
 * instructions, and a value gets its handle when its name is first met, so everything may be used before its definition. */
#include "ir.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef enum { K_END, K_WORD, K_VALUE, K_SYM, K_NUM, K_STR, K_PUNCT } Kind;
/* text: the name, number or string's contents; a quoted name is one that text cannot be mistaken for a number */
typedef struct { Kind kind; bool first, quoted; char punct; Loc loc; const char *text; } Tok;
typedef struct { char *key; uint32_t value; } Names;
typedef struct { Arena *a; Diags *d; IrModule *m; Tok *toks; size_t at; Names *syms, *vals, *blks; IrFn *f; IrBlk b; int errors; } Reader;
enum { MAX_GLOBAL_BYTES = 1 << 24 };

static bool err_at(Reader *r, const DiagRow *row, Loc loc, int n, const DiagArg *args)
{
    diag_emit(r->d, row, loc, n, args);
    r->errors++;
    return false;
}
#define ERR(r, name, loc, ...)                                                                                          \
    err_at((r), &ir_diag_rows[IRD_##name], (loc), (int)(sizeof((DiagArg[]){__VA_ARGS__}) / sizeof(DiagArg)),            \
           (DiagArg[]){__VA_ARGS__})

/* ---- tokens */
typedef struct { Reader *r; const char *p, *end, *base; uint32_t file; bool first; } Lexer;

static bool name_char(int c) { return isalnum(c) || c == '_' || c == '.' || c == '$' || c >= 0x80; }
static int hex_digit(int c) { return isdigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

static void put(Lexer *l, Kind k, const char *start, const char *text, bool quoted_name)
{
    Tok t = {.kind = k, .first = l->first, .quoted = quoted_name, .text = text, .punct = k == K_PUNCT ? *start : 0,
             .loc = {l->file, (uint32_t)(start - l->base), (uint32_t)(l->p - start)}};
    arrput(l->r->toks, t);
    l->first = false;
}

/* a string at l->p, which is '"'; \xx is a byte, \\ and \" themselves */
static const char *string(Lexer *l, bool *ok)
{
    const char *start = l->p++;
    Buf b = {0};
    while (l->p < l->end && *l->p != '"' && *l->p != '\n') {
        char c = *l->p++;
        if (c == '\\' && l->end - l->p >= 2 && hex_digit((unsigned char)l->p[0]) >= 0 && hex_digit((unsigned char)l->p[1]) >= 0) {
            c = (char)(hex_digit((unsigned char)l->p[0]) * 16 + hex_digit((unsigned char)l->p[1]));
            l->p += 2;
        } else if (c == '\\' && l->p < l->end && *l->p != '\n') {
            c = *l->p++;
        }
        if (c) buf_add(&b, &c, 1);
    }
    *ok = l->p < l->end && *l->p == '"';
    if (*ok) l->p++;
    else ERR(l->r, open_string, ((Loc){l->file, (uint32_t)(start - l->base), 1}), d_str(""));
    char *s = arena_strdup(l->r->a, b.p ? b.p : "");
    buf_free(&b);
    return s;
}

static void token(Lexer *l)
{
    const char *start = l->p;
    int c = (unsigned char)*l->p;
    bool ok;
    if ((c == '%' || c == '@') && l->end - l->p > 1 && (name_char((unsigned char)l->p[1]) || l->p[1] == '"')) {
        l->p++;
        bool q = *l->p == '"';
        const char *name = l->p;
        if (q) {
            name = string(l, &ok);
        } else {
            while (l->p < l->end && name_char((unsigned char)*l->p)) l->p++;
            name = arena_strndup(l->r->a, name, (size_t)(l->p - name));
        }
        put(l, c == '%' ? K_VALUE : K_SYM, start, name, q);
    } else if (c == '"') {
        const char *s = string(l, &ok);
        put(l, K_STR, start, s, true);
    } else if (isdigit(c) || ((c == '-' || c == '.') && l->end - l->p > 1 && isdigit((unsigned char)l->p[1]))) {
        for (l->p++; l->p < l->end; l->p++) {
            int x = (unsigned char)*l->p;
            bool sign = (x == '+' || x == '-') && (l->p[-1] == 'e' || l->p[-1] == 'E') && start[1] != 'x';
            if (!isalnum(x) && x != '.' && !sign) break;
        }
        put(l, K_NUM, start, arena_strndup(l->r->a, start, (size_t)(l->p - start)), false);
    } else if (name_char(c)) {
        while (l->p < l->end && name_char((unsigned char)*l->p)) l->p++;
        put(l, K_WORD, start, arena_strndup(l->r->a, start, (size_t)(l->p - start)), false);
    } else if (c == '-' && l->end - l->p > 1 && l->p[1] == '>') {
        l->p += 2;
        put(l, K_PUNCT, start, "->", false);
        arrlast(l->r->toks).punct = '>';
    } else if (l->p++, strchr("(){}[],:=+-", c) && c) {
        put(l, K_PUNCT, start, arena_strndup(l->r->a, start, 1), false);
    } else {
        const char *what = isprint(c) ? arena_printf(l->r->a, "'%c'", c) : arena_printf(l->r->a, "0x%02x", c);
        ERR(l->r, bad_char, ((Loc){l->file, (uint32_t)(start - l->base), 1}), d_str(what));
    }
}

static void tokenize(Reader *r, uint32_t file, const char *text, size_t len)
{
    Lexer l = {r, text, text + len, text, file, true};
    while (l.p < l.end && r->errors < 100) {
        if (*l.p == '\n') l.first = true, l.p++;
        else if (*l.p == ' ' || *l.p == '\t' || *l.p == '\r') l.p++;
        else if (l.end - l.p > 1 && l.p[0] == '/' && l.p[1] == '/')
            while (l.p < l.end && *l.p != '\n') l.p++;
        else token(&l);
    }
    l.first = true;
    put(&l, K_END, l.p, "the end of the file", false);
}

/* ---- the stream */
static const Tok *peek(Reader *r) { return &r->toks[r->at]; }
static const Tok *next(Reader *r)
{
    const Tok *t = &r->toks[r->at];
    if (t->kind != K_END) r->at++;
    return t;
}
static bool is_punct(const Tok *t, char c) { return t->kind == K_PUNCT && t->punct == c; }
static bool is_word(const Tok *t, const char *s) { return t->kind == K_WORD && strcmp(t->text, s) == 0; }
static bool take(Reader *r, char c) { return is_punct(peek(r), c) ? r->at++, true : false; }
static bool take_word(Reader *r, const char *s) { return is_word(peek(r), s) ? r->at++, true : false; }

static bool expected(Reader *r, const char *what)
{
    const Tok *t = peek(r);
    static const char sigil[] = {[K_VALUE] = '%', [K_SYM] = '@', [K_STR] = '"'};
    const char *found = t->kind == K_END ? t->text
                      : t->kind < sizeof sigil && sigil[t->kind] ? arena_printf(r->a, "%c%s", sigil[t->kind], t->text)
                                                                 : arena_printf(r->a, "'%s'", t->text);
    return ERR(r, expected, t->loc, d_str(what), d_str(found));
}

static bool need(Reader *r, char c)
{
    if (take(r, c)) return true;
    return expected(r, (char[]){'\'', c, '\'', 0});
}

/* An integer in [lo, hi]; hi is unsigned so that both signs of a width can be written. */
static bool number(Reader *r, int64_t lo, uint64_t hi, int64_t *out)
{
    const Tok *t = peek(r);
    if (t->kind != K_NUM) return expected(r, "a number");
    const char *s = t->text;
    bool neg = *s == '-';
    char *end;
    errno = 0;
    uint64_t v = strtoull(s + neg, &end, s[neg] == '0' && (s[neg + 1] == 'x' || s[neg + 1] == 'X') ? 16 : 10);
    bool fits = neg ? v <= (uint64_t)0 - (uint64_t)lo : v <= hi;
    if (errno || *end || !fits || end == s + neg) return ERR(r, bad_number, t->loc, d_str(s));
    *out = (int64_t)(neg ? 0 - v : v);
    r->at++;
    return true;
}

static bool type(Reader *r, IrType *out)
{
    const Tok *t = peek(r);
    if (t->kind != K_WORD) return expected(r, "a type");
    for (int k = 0; k < T_COUNT; k++)
        if (strcmp(t->text, ir_type_name((IrType)k)) == 0) {
            *out = (IrType)k;
            r->at++;
            return true;
        }
    return ERR(r, unknown_type, t->loc, d_str(t->text));
}

static bool name(Reader *r, const char **out)
{
    const Tok *t = peek(r);
    if (t->kind != K_WORD && t->kind != K_STR) return expected(r, "a name");
    *out = t->text;
    r->at++;
    return true;
}

static bool symbol(Reader *r, IrSym *out)
{
    const Tok *t = peek(r);
    if (t->kind != K_SYM) return expected(r, "a global or function (@name)");
    ptrdiff_t at = shgeti(r->syms, t->text);
    r->at++;
    if (at < 0) return ERR(r, undefined, t->loc, d_str(arena_printf(r->a, "@%s", t->text)));
    out->i = r->syms[at].value;
    return true;
}

/* unnamed values have the key "#12" */
static IrRef value_handle(Reader *r, const Tok *t)
{
    bool unnamed = !t->quoted && isdigit((unsigned char)*t->text);
    const char *key = unnamed ? arena_printf(r->a, "#%s", t->text) : arena_printf(r->a, "%%%s", t->text);
    ptrdiff_t at = shgeti(r->vals, key);
    if (at >= 0) return (IrRef){r->vals[at].value};
    IrIns in = {.loc = t->loc, .name = unnamed ? NULL : t->text, .async = {.ut = -1, .act = -1, .unb = -1}};
    arrput(r->f->ins, in);
    uint32_t i = (uint32_t)arrlen(r->f->ins) - 1;
    shput(r->vals, key, i);
    return (IrRef){i};
}

static bool value(Reader *r, IrRef *out)
{
    const Tok *t = peek(r);
    if (t->kind != K_VALUE) return expected(r, "a value (%name)");
    *out = value_handle(r, t);
    r->at++;
    return true;
}

static bool block(Reader *r, IrBlk *out)
{
    const Tok *t = peek(r);
    const char *n = NULL;
    if (!name(r, &n)) return false;
    ptrdiff_t at = shgeti(r->blks, n);
    if (at < 0) return ERR(r, undefined, t->loc, d_str(arena_printf(r->a, "block %s", n)));
    out->i = r->blks[at].value;
    return true;
}

static bool offset(Reader *r, int64_t *out)
{
    *out = 0;
    bool plus = take(r, '+'), minus = !plus && take(r, '-');
    if (!plus && !minus && (peek(r)->kind != K_NUM || peek(r)->first)) return true;
    if (!number(r, INT32_MIN, INT32_MAX, out)) return false;
    if (minus) *out = -*out;
    return true;
}

/* ---- instructions.  Operands gather in v; the fields of the instruction in `in`. */
typedef struct { IrIns in; IrRef *v; IrBlk *blks; int64_t *cases; IrType result; } Draft;

static bool values(Reader *r, Draft *d, int n)
{
    for (int k = 0; k < n; k++) {
        IrRef x;
        if (k && !need(r, ',')) return false;
        if (!value(r, &x)) return false;
        arrput(d->v, x);
    }
    return true;
}

static bool blocks(Reader *r, Draft *d, int n, bool comma)
{
    for (int k = 0; k < n; k++) {
        IrBlk b;
        if ((k || comma) && !need(r, ',')) return false;
        if (!block(r, &b)) return false;
        arrput(d->blks, b);
    }
    return true;
}

static bool call(Reader *r, Draft *d)
{
    d->result = T_VOID;
    if (peek(r)->kind == K_WORD && !type(r, &d->result)) return false;
    if (d->in.op == IR_CALL ? !symbol(r, &d->in.sym) : !values(r, d, 1)) return false;
    if (!need(r, '(')) return false;
    for (bool first = true; !take(r, ')'); first = false) {
        IrRef x;
        if (!first && !need(r, ',')) return false;
        if (!value(r, &x)) return false;
        arrput(d->v, x);
    }
    return true;
}

static bool phi(Reader *r, Draft *d)
{
    if (!type(r, &d->result)) return false;
    if (!is_punct(peek(r), '[')) return true;
    do {
        if (!need(r, '[') || !values(r, d, 1) || !blocks(r, d, 1, true) || !need(r, ']')) return false;
    } while (take(r, ','));
    return true;
}

static bool switch_(Reader *r, Draft *d)
{
    if (!values(r, d, 1) || !blocks(r, d, 1, true)) return false;
    while (take(r, ',')) {
        int64_t c;
        if (!number(r, INT64_MIN, UINT64_MAX, &c) || !need(r, ':') || !blocks(r, d, 1, false)) return false;
        arrput(d->cases, c);
    }
    return true;
}

static bool async(Reader *r, IrAsync *a)
{
    a->on = true;
    if (!take(r, '(')) return true;
    do {
        int64_t v;
        const Tok *t = next(r);
        bool ut = is_word(t, "ut"), act = is_word(t, "act"), unb = is_word(t, "unb");
        if (!ut && !act && !unb && !is_word(t, "prio")) return ERR(r, expected, t->loc, d_str("ut, act, unb or prio"), d_str(t->text));
        if (!number(r, ut || act || unb ? -1 : 0, 127, &v)) return false;
        if (ut) a->ut = (int8_t)v;
        else if (act) a->act = (int8_t)v;
        else if (unb) a->unb = (int8_t)v;
        else a->prio = (uint8_t)v;
    } while (take(r, ','));
    return need(r, ')');
}

static bool vop(Reader *r, Draft *d)
{
    const Tok *t = peek(r);
    const char *n = NULL;
    if (!name(r, &n)) return false;
    int v = ir_vop_by_name(n);
    if (v < 0) return ERR(r, unknown_vop, t->loc, d_str(n));
    d->in.vop = (uint8_t)v;
    IrType kinds[4] = {ir_vops[v].d, ir_vops[v].a, ir_vops[v].b, ir_vops[v].c}, explicit_type = T_VOID;
    if (peek(r)->kind == K_WORD && !is_word(peek(r), "_") && !type(r, &explicit_type)) return false;
    for (int k = 0, first = 1; k < 4; k++) {
        IrRef x = IR_NONE;
        if (kinds[k] != T_VOID) {
            if (!first && !need(r, ',')) return false;
            if (!take_word(r, "_") && !value(r, &x)) return false;
            first = 0;
        }
        arrput(d->v, x);
    }
    if (!d->v[0].i) d->result = explicit_type != T_VOID ? explicit_type : ir_vops[v].d;
    if (take_word(r, "n") && !number(r, INT32_MIN, INT32_MAX, &d->in.imm)) return false;
    return take_word(r, "async") ? async(r, &d->in.async) : true;
}

static bool constant(Reader *r, Draft *d)
{
    if (!type(r, &d->result)) return false;
    int n = ir_type_bits(d->result);
    int64_t lo = n < 1 || n > 63 ? INT64_MIN : -((int64_t)1 << (n - 1));
    uint64_t hi = n < 1 || n > 63 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
    if (!number(r, lo, hi, &d->in.imm)) return false;
    d->in.imm = (int64_t)ir_mask(d->result, (uint64_t)d->in.imm);
    return true;
}

static bool float_constant(Reader *r, Draft *d)
{
    if (!type(r, &d->result)) return false;
    const Tok *t = peek(r);
    if (!ir_is_float(d->result)) return ERR(r, unknown_type, r->toks[r->at - 1].loc, d_str(ir_type_name(d->result)));
    if (t->kind == K_WORD && (is_word(t, "inf") || is_word(t, "nan"))) {
        d->in.imm = (int64_t)ir_float_bits(d->result, strtod(t->text, NULL));
        r->at++;
        return true;
    }
    if (t->kind != K_NUM) return expected(r, "a number");
    if (strncmp(t->text, "0x", 2) == 0) return number(r, 0, ((uint64_t)1 << ir_type_bits(d->result)) - 1, &d->in.imm);
    char *end;
    double v = strtod(t->text, &end);
    if (*end) return ERR(r, bad_number, t->loc, d_str(t->text));
    d->in.imm = (int64_t)ir_float_bits(d->result, v);
    r->at++;
    return true;
}

static bool comparison(Reader *r, Draft *d)
{
    static const char *const cmps[] = {"eq", "ne", "slt", "sle", "ult", "ule"};
    d->result = T_I1;
    for (int k = 0; k < 6; k++)
        if (take_word(r, cmps[k])) {
            d->in.imm = k;
            return values(r, d, 2);
        }
    return expected(r, "eq, ne, slt, sle, ult or ule");
}

static bool operands(Reader *r, Draft *d)
{
    IrIns *in = &d->in;
    const IrOpRow *row = &ir_ops[in->op];
    switch (in->op) {
    case IR_CONST: return constant(r, d);
    case IR_FCONST: return float_constant(r, d);
    case IR_GADDR: case IR_FADDR:
        d->result = T_PTR;
        if (!symbol(r, &in->sym)) return false;
        in->op = ir_sym_is_fn(in->sym) ? IR_FADDR : IR_GADDR;
        return offset(r, &in->imm);
    case IR_PARAM: return type(r, &d->result) && number(r, 0, INT32_MAX, &in->imm);
    case IR_ALLOCA:
        d->result = T_PTR;
        return number(r, 0, UINT32_MAX, &in->imm);
    case IR_LOAD: return type(r, &d->result) && values(r, d, 1) && offset(r, &in->imm);
    case IR_STORE: return values(r, d, 1) && offset(r, &in->imm) && need(r, ',') && values(r, d, 1);
    case IR_DSRLOAD: return values(r, d, 2) && offset(r, &in->imm);
    case IR_ICMP: case IR_FCMP: return comparison(r, d);
    case IR_PHI: return phi(r, d);
    case IR_CALL: case IR_CALLR: return call(r, d);
    case IR_BR: return blocks(r, d, 1, false);
    case IR_CONDBR: return values(r, d, 1) && blocks(r, d, 2, true);
    case IR_SWITCH: return switch_(r, d);
    case IR_RET: return peek(r)->kind == K_VALUE && !peek(r)->first ? values(r, d, 1) : true;
    case IR_ACTIVATE: case IR_BLOCK: case IR_UNBLOCK:
        return peek(r)->kind == K_VALUE ? values(r, d, 1) : number(r, 0, INT32_MAX, &in->imm);
    case IR_TSC:
        d->result = T_I16;
        return number(r, 0, INT32_MAX, &in->imm);
    case IR_VLEFT: return d->result = T_I16, true;
    case IR_TRAP: case IR_WAITUT: return number(r, 0, INT32_MAX, &in->imm);
    case IR_PRINT: case IR_SENDCTRL: return number(r, 0, INT32_MAX, &in->imm) && (take(r, ',') ? values(r, d, 1) : true);
    case IR_DSRSLOT: case IR_DOTSLOT:
        d->result = T_SLOT;
        if (take_word(r, "nested")) in->imm = 1;
        else if (take_word(r, "pin")) {
            int64_t x;
            if (!number(r, 0, PIN_MAX - 1, &in->imm)) return false;
            in->imm += SLOT_PIN;
            if (!take_word(r, "xdsr")) return true;
            if (!number(r, 0, 7, &x)) return false;
            in->imm += PIN_XDSR * (x + 1);
        }
        return true;
    case IR_DSDBASE: case IR_DSDLEN: case IR_DSDOFF: case IR_DSDSTRIDE:
        d->result = T_DSD;
        return values(r, d, 2);
    case IR_VOP: return vop(r, d);
    default:
        if ((row->flags & I_RES) && !type(r, &d->result)) return false;
        return values(r, d, row->nargs > 0 ? row->nargs : 0);
    }
}

/* fills the handle `res` (which may have been met before), or a new one */
static void finish(Reader *r, Draft *d, IrRef res)
{
    IrFn *f = r->f;
    if (!res.i) {
        arrput(f->ins, (IrIns){0});
        res.i = (uint32_t)arrlen(f->ins) - 1;
    }
    d->in.name = ir_ins(f, res)->name;
    d->in.type = (uint8_t)d->result;
    d->in.blk = r->b;
    *ir_ins(f, res) = d->in;
    ir_set_args(f, res, (int)arrlen(d->v), d->v);
    ir_set_blocks(f, res, (int)arrlen(d->blks), d->blks);
    if (arrlen(d->cases)) {
        int64_t *c = ARENA_ARR(r->a, int64_t, 2 * arrlen(d->cases));
        memcpy(c, d->cases, sizeof *c * (size_t)arrlen(d->cases));
        ir_ins(f, res)->cases = c;
    }
    arrput(ir_blk(f, r->b)->ins, res);
}

static bool instruction(Reader *r)
{
    const Tok *t = peek(r), *res = NULL;
    Draft d = {.in = {.op = IR_NOPS, .loc = t->loc, .async = {.ut = -1, .act = -1, .unb = -1}}};
    bool ok = true;
    if (t->kind == K_VALUE) {
        res = next(r);
        ok = need(r, '=');
    }
    t = peek(r);
    if (ok && t->kind != K_WORD) ok = expected(r, "an instruction");
    for (int k = 0; ok && k < IR_NOPS; k++)
        if (strcmp(ir_ops[k].text, t->text) == 0) d.in.op = (uint8_t)k;
    if (ok && d.in.op == IR_NOPS) ok = ERR(r, unknown_op, t->loc, d_str(t->text));
    if (ok) r->at++;
    ok = ok && operands(r, &d);
    if (ok && !peek(r)->first && !is_punct(peek(r), '}')) ok = expected(r, "the end of the line");
    if (ok && arrlen(d.v) > UINT16_MAX) ok = ERR(r, bad_number, t->loc, d_int((int64_t)arrlen(d.v)));
    if (ok && arrlen(d.blks) > UINT16_MAX) ok = ERR(r, bad_number, t->loc, d_int((int64_t)arrlen(d.blks)));
    if (ok && res && d.result == T_VOID) ok = ERR(r, no_result, res->loc, d_str(t->text));
    if (ok) {
        IrRef h = res ? value_handle(r, res) : IR_NONE;
        if (h.i && ir_ins(r->f, h)->blk.i) ok = ERR(r, redefined, res->loc, d_str(arena_printf(r->a, "%%%s", res->text)));
        else finish(r, &d, h);
    }
    arrfree(d.v);
    arrfree(d.blks);
    arrfree(d.cases);
    return ok;
}

/* ---- functions */
static bool label_here(const Tok *t) { return (t[0].kind == K_WORD || t[0].kind == K_STR) && t[0].first && is_punct(&t[1], ':'); }

/* Enter the labels from behind the '{' on.  Instructions before the first label are the block `entry`. */
static void labels(Reader *r)
{
    bool first = label_here(peek(r));
    if (!first) shput(r->blks, r->f->blks[1].name, 1);
    for (const Tok *t = &r->toks[r->at]; t->kind != K_END && !is_punct(t, '}'); t++) {
        if (!label_here(t)) continue;
        if (shgeti(r->blks, t->text) >= 0) {
            ERR(r, redefined, t->loc, d_str(arena_printf(r->a, "block %s", t->text)));
            continue;
        }
        if (!first) ir_block_new(r->f, NULL);
        r->f->blks[arrlen(r->f->blks) - 1].name = t->text;
        shput(r->blks, t->text, (uint32_t)arrlen(r->f->blks) - 1);
        first = false;
    }
}

static void close_values(Reader *r, bool clean)
{
    IrFn *f = r->f;
    for (ptrdiff_t i = 1; i < arrlen(f->ins); i++) {
        IrIns *in = &f->ins[i];
        if (!in->blk.i && clean)
            ERR(r, undefined, in->loc, d_str(in->name ? arena_printf(r->a, "%%%s", in->name) : "the value"));
        for (int k = 0; in->op == IR_SWITCH && k + 1 < in->nblocks; k++)
            in->cases[k] = (int64_t)ir_mask(ir_ins(f, in->args[0])->type, (uint64_t)in->cases[k]);
    }
}

static bool body(Reader *r)
{
    int errors = r->errors;
    r->b = (IrBlk){0};
    labels(r);
    while (!take(r, '}')) {
        const Tok *t = peek(r);
        if (t->kind == K_END) return expected(r, "'}'");
        if (label_here(t)) {
            ptrdiff_t at = shgeti(r->blks, t->text);
            r->b.i = at >= 0 ? r->blks[at].value : 1;
            r->at += 2;
            continue;
        }
        if (!r->b.i) r->b.i = 1;
        size_t before = r->at;
        if (!instruction(r)) {
            if (r->errors >= 100) return false;
            if (r->at == before) r->at++;
            while (peek(r)->kind != K_END && !peek(r)->first && !is_punct(peek(r), '}')) r->at++;
        }
    }
    close_values(r, r->errors == errors);
    return true;
}

static bool fn_attr(Reader *r, IrFn *f)
{
    int64_t v;
    if (take_word(r, "export")) f->exported = true;
    else if (take_word(r, "main")) f->kind = FN_MAIN;
    else if (take_word(r, "inline")) {
        if (!need(r, '(')) return false;
        if (take_word(r, "always")) f->inl = INLINE_ALWAYS;
        else if (take_word(r, "never")) f->inl = INLINE_NEVER;
        else return expected(r, "always or never");
        return need(r, ')');
    } else if (take_word(r, "task")) {
        if (!need(r, '(')) return false;
        if (take_word(r, "local")) f->kind = FN_TASK_LOCAL;
        else if (take_word(r, "data")) f->kind = FN_TASK_DATA;
        else if (take_word(r, "control")) f->kind = FN_TASK_CONTROL;
        else return expected(r, "local, data or control");
        if (peek(r)->kind == K_NUM) {
            if (!number(r, 0, 63, &v)) return false;
            f->task_id = (int)v;
        }
        return need(r, ')');
    } else {
        return expected(r, f->decl_only ? "an attribute" : "an attribute or '{'");
    }
    return true;
}

/* at the name */
static bool function(Reader *r, bool declare)
{
    const Tok *t = next(r);
    IrSym sym = {shget(r->syms, t->text)};
    if (!ir_sym_is_fn(sym)) return ERR(r, undefined, t->loc, d_str(arena_printf(r->a, "@%s", t->text)));
    IrFn *f = r->f = ir_fn(r->m, sym);
    IrType ty;
    f->decl_only = declare;
    f->loc = t->loc;
    if (!need(r, '(')) return false;
    for (bool first = true; !take(r, ')'); first = false) {
        if (!first && !need(r, ',')) return false;
        if (!type(r, &ty)) return false;
        ir_fn_param(f, ty);
    }
    if (take(r, '>') && !type(r, &f->ret)) return false;
    if (declare) {
        while (!peek(r)->first)
            if (!fn_attr(r, f)) return false;
        return true;
    }
    while (!take(r, '{'))
        if (!fn_attr(r, f)) return false;
    shfree(r->vals);
    shfree(r->blks);
    return body(r);
}

/* ---- module level */
static bool init_bytes(Reader *r, IrGlobal *g)
{
    uint32_t n = 0;
    g->init = arena_alloc(r->a, g->size_bytes ? g->size_bytes : 1);
    if (!is_word(peek(r), "x")) return expected(r, "x\"hexadecimal bytes\"");
    while (take_word(r, "x")) {
        const Tok *t = peek(r);
        if (t->kind != K_STR) return expected(r, "a string of hexadecimal bytes");
        for (const char *s = t->text; *s; s += 2) {
            while (*s == ' ') s++;
            if (!*s) break;
            int hi = hex_digit((unsigned char)s[0]), lo = hi < 0 ? -1 : hex_digit((unsigned char)s[1]);
            if (lo < 0 || n >= g->size_bytes) return ERR(r, bad_number, t->loc, d_str(lo < 0 ? s : "of bytes"));
            g->init[n++] = (uint8_t)(hi * 16 + lo);
        }
        r->at++;
    }
    return true;
}

static bool global(Reader *r)
{
    const Tok *t = next(r);
    IrSym sym = {shget(r->syms, t->text)};
    if (!sym.i || ir_sym_is_fn(sym)) return ERR(r, undefined, t->loc, d_str(arena_printf(r->a, "@%s", t->text)));
    IrGlobal *g = ir_global(r->m, sym);
    int64_t v;
    g->loc = t->loc;
    while (!peek(r)->first || is_word(peek(r), "reloc")) {
        if (take_word(r, "size")) {
            if (!number(r, 0, MAX_GLOBAL_BYTES, &v)) return false;
            g->size_bytes = (uint32_t)v;
        } else if (take_word(r, "align")) {
            if (!number(r, 0, 65536, &v)) return false;
            g->align = (uint32_t)v;
        } else if (take_word(r, "type")) {
            if (!number(r, 0, INT16_MAX, &v)) return false;
            g->elem_type = (int)v;
        } else if (take_word(r, "const")) g->is_const = true;
        else if (take_word(r, "export")) g->exported = true;
        else if (take_word(r, "keep")) g->keep = true;
        else if (take_word(r, "section")) {
            if (!number(r, 0, INT16_MAX, &v)) return false;
            g->section = (int)v;
        }
        else if (take(r, '=')) {
            if (!init_bytes(r, g)) return false;
        } else if (take_word(r, "reloc")) {
            IrReloc rel = {0};
            if (!number(r, 0, MAX_GLOBAL_BYTES, &v)) return false;
            rel.off = (uint32_t)v;
            if (!symbol(r, &rel.sym) || !offset(r, &v)) return false;
            rel.add = (int32_t)v;
            arrput(g->relocs, rel);
        } else return expected(r, "size, align, type, const, export, keep, section, '=' or reloc");
    }
    return true;
}

static bool boot(Reader *r)
{
    static const char *const names[] = {"kind", "id", "color", "flags", "num", "first"};
    IrBoot b = {0};
    int *field[] = {&b.kind, &b.id, &b.color, &b.flags, &b.num, &b.first};
    for (int k = 0; k < 6; k++) {
        int64_t v;
        if (!take_word(r, names[k])) {
            if (k == 4) break;
            return expected(r, names[k]);
        }
        if (!number(r, INT32_MIN, INT32_MAX, &v)) return false;
        *field[k] = (int)v;
    }
    if (peek(r)->kind == K_SYM && !peek(r)->first && !symbol(r, &b.fn)) return false;
    arrput(r->m->boot, b);
    return true;
}

/* functions and globals get their numbers in the order of the text */
static void enter_symbols(Reader *r)
{
    int depth = 0, modules = 0;
    for (const Tok *t = r->toks; t->kind != K_END; t++) {
        depth += is_punct(t, '{') - is_punct(t, '}');
        if (depth <= 0 && t->first && is_word(t, "module") && modules++) {
            ERR(r, second_module, t->loc, d_str(""));
            return;
        }
        if (depth > 0 || t->kind != K_SYM || t == r->toks || t[-1].kind != K_WORD) continue;
        bool g = is_word(&t[-1], "global") && t[-1].first, f = is_word(&t[-1], "fn");
        if (!g && !f) continue;
        if (shgeti(r->syms, t->text) >= 0) {
            ERR(r, redefined, t->loc, d_str(arena_printf(r->a, "@%s", t->text)));
            continue;
        }
        IrSym s;
        if (g) s = ir_global_new(r->m, t->text, 0, 1);
        else ir_fn_new(r->m, t->text, FN_PLAIN, T_VOID, &s);
        shput(r->syms, t->text, s.i);
    }
}

static bool item(Reader *r)
{
    const Tok *t = next(r);
    bool sym = peek(r)->kind == K_SYM;
    if (is_word(t, "module") && peek(r)->kind == K_STR) return r->m->name = next(r)->text, true;
    if (is_word(t, "module")) return expected(r, "the module's name, a string");
    if (is_word(t, "boot")) return boot(r);
    if (is_word(t, "uses")) {
        int64_t v;
        return number(r, 0, UINT32_MAX, &v) && (r->m->uses = (uint32_t)v, true);
    }
    if (is_word(t, "global")) return sym ? global(r) : expected(r, "@name");
    bool declare = is_word(t, "declare");
    if (declare) {
        t = next(r);
        sym = peek(r)->kind == K_SYM;
    }
    if (is_word(t, "fn")) return sym ? function(r, declare) : expected(r, "@name");
    return ERR(r, expected, t->loc, d_str("module, uses, global, boot, declare or fn"), d_str(arena_printf(r->a, "'%s'", t->text)));
}

IrModule *ir_parse(Arena *a, Diags *d, const char *path, const char *text, size_t len)
{
    Reader r = {.a = a, .d = d, .m = ir_module_new(a, "")};
    uint32_t file = diags_add_file(d, path, text, len);
    tokenize(&r, file, text, len);
    enter_symbols(&r);
    while (!r.errors && peek(&r)->kind != K_END)
        if (!item(&r)) break;
    arrfree(r.toks);
    shfree(r.syms);
    shfree(r.vals);
    shfree(r.blks);
    if (!r.errors) return r.m;
    ir_module_free(r.m);
    return NULL;
}
