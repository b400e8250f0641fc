/* frontend/parse.c: fe_parse() and the small functions that the grammar's and the scanner's actions call.
 * Takes text, leaves tree and diagnostics; everything lives in the arena, so an abandoned parse leaks nothing. */
#include "frontend/parse.h"
#include "frontend/parse_int.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX_MB = 64 };

/* ---- lists and nodes */
AstVec *vec_new(FeCx *cx) { return ARENA_NEW(cx->a, AstVec); }

AstVec *vec_add(FeCx *cx, AstVec *v, AstNode *n)
{
    if (!n) return v;
    if (v->n == v->cap) {
        uint32_t cap = v->cap ? v->cap * 2 : WS_LIMIT(4, 1);
        AstNode **p = ARENA_ARR(cx->a, AstNode *, cap);
        if (v->n) memcpy(p, v->v, v->n * sizeof *p);
        v->v = p;
        v->cap = cap;
    }
    v->v[v->n++] = n;
    return v;
}

AstList vec_list(const AstVec *v) { return v && v->n ? (AstList){v->v, v->n} : (AstList){NULL, 0}; }

void fe_too_deep(FeCx *cx, Loc loc)
{
    if (cx->stop) return;
    FE_ERR(cx, too_deep, loc);
    cx->stop = true;
}

AstNode *fe_put(FeCx *cx, AstNode n)
{
    AstNode *p = ast_put(cx->a, n);
    if (p->depth > AST_MAX_DEPTH) fe_too_deep(cx, (Loc){p->loc.file, p->loc.off, 1});
    return p;
}

AstNode *fe_arrow(FeCx *cx, Loc loc, AstNode *dst, AstNode *src)
{
    int kind = dst->kind == AST_NAME && !dst->parens ? AST_BIND : AST_MOVE;
    return fe_put(cx, (AstNode){.kind = (uint8_t)kind, .loc = loc, .u.assign = {OP_NONE, dst, src}});
}

AstNode *fe_comptime(FeCx *cx, Loc loc, AstNode *stmt)
{
    if (stmt && (stmt->kind == AST_CONST || stmt->kind == AST_VAR)) {
        stmt->u.var.flags |= DECL_COMPTIME;
        return stmt;
    }
    return stmt ? fe_put(cx, (AstNode){.kind = AST_COMPTIME, .loc = loc, .u.wrap = {stmt}}) : NULL;
}

AstNode *fe_block_value(FeCx *cx, AstNode *block)
{
    assert(block->kind == AST_BLOCK);
    if (block->u.block.stmts.n) return block;
    return fe_put(cx, (AstNode){.kind = AST_VOID, .loc = block->loc});
}

AstNode *fe_init(FeCx *cx, Loc loc, AstNode *type, AstVec *items)
{
    bool named = items && items->n && items->v[0]->kind == AST_FIELD_INIT;
    return fe_put(cx, (AstNode){.kind = AST_INIT, .loc = loc, .u.init = {type, vec_list(items), named}});
}

AstNode *fe_decl_flags(FeCx *cx, AstNode *decl, unsigned flags)
{
    bool fn = decl->kind == AST_FN || decl->kind == AST_TASK;
    assert(fn || decl->kind == AST_CONST || decl->kind == AST_VAR);
    if (fn && !decl->u.fn.body && !(flags & DECL_EXTERN)) FE_ERR(cx, no_body, decl->loc, d_str(decl->u.fn.name));
    if (fn) decl->u.fn.flags |= (uint8_t)flags;
    else decl->u.var.flags |= (uint8_t)flags;
    return decl;
}

AstNode *fe_doc(FeCx *cx, uint32_t off, AstNode *decl)
{
    for (ptrdiff_t i = arrlen(cx->docs) - 1; i >= 0 && cx->docs[i].off >= off; i--)
        if (cx->docs[i].off == off) {
            const char *t = cx->docs[i].text;
            if (decl->kind == AST_FN || decl->kind == AST_TASK) decl->u.fn.doc = t;
            else if (decl->kind == AST_SOCKET) decl->u.socket.doc = t;
            else decl->u.var.doc = t;
        }
    return decl;
}

AstAttrs *fe_attr(FeCx *cx, AstAttrs *at, AstAttrs add)
{
    if (!add.align && !add.linkname && !add.linksection) return at;
    if (!at) at = ARENA_NEW(cx->a, AstAttrs);
    if (add.align) at->align = add.align;
    if (add.linkname) at->linkname = add.linkname;
    if (add.linksection) at->linksection = add.linksection;
    return at;
}

const char *fe_slice(FeCx *cx, Loc loc)
{
    enum { MOST = 40 };
    bool cut = loc.len > MOST;
    return arena_printf(cx->a, "%.*s%s", cut ? MOST : (int)loc.len, cx->text + loc.off, cut ? ".." : "");
}

bool fe_on_new_line(const FeCx *cx)
{
    uint32_t from = cx->prev.off + cx->prev.len;
    return cx->prev_tok && cx->last.off > from && memchr(cx->text + from, '\n', cx->last.off - from);
}

/* ---- text */
uint32_t fe_decode(const char *s, size_t len, int *n)
{
    const unsigned char *p = (const unsigned char *)s;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    *n = 0;
    if (!len) return 0;
    int want = 0;
    if (p[0] < 0x80) want = 1;
    else if (p[0] >= 0xC2 && p[0] < 0xE0) want = 2;
    else if (p[0] >= 0xE0 && p[0] < 0xF0) want = 3;
    else if (p[0] >= 0xF0 && p[0] < 0xF5) want = 4;
    if (!want || (size_t)want > len) return 0;
    uint32_t c = want == 1 ? p[0] : p[0] & (0x7Fu >> want);
    for (int i = 1; i < want; i++) {
        if ((p[i] & 0xC0) != 0x80) return 0;
        c = c << 6 | (p[i] & 0x3F);
    }
    if (c < least[want] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return 0;
    *n = want;
    return c;
}

bool fe_check_utf8(FeCx *cx)
{
    enum { MOST = 5 };
    int bad = 0;
    for (size_t i = 0; i < cx->len && bad < MOST;) {
        int n;
        fe_decode(cx->text + i, cx->len - i, &n);
        if (n) {
            i += (size_t)n;
            continue;
        }
        bad++;
        Loc loc = {cx->file, (uint32_t)i, 1};
        FE_ERR(cx, bad_utf8, loc, d_str(arena_printf(cx->a, "0x%02X", (unsigned char)cx->text[i])), d_uint(i));
        while (i < cx->len && (fe_decode(cx->text + i, cx->len - i, &n), n == 0)) i++;   /* one message a run */
    }
    return bad == 0;
}

/* Append code point c as UTF-8. */
static void put_utf8(Buf *b, uint32_t c)
{
    char u[4];
    int n = 0;
    if (c < 0x80) u[n++] = (char)c;
    else {
        int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        u[n++] = (char)((0xF0u << (3 - more)) | c >> (6 * more));
        while (more--) u[n++] = (char)(0x80 | (c >> (6 * more) & 63));
    }
    buf_add(b, u, (size_t)n);
}

const char *fe_show_char(FeCx *cx, uint32_t c)
{
    if (c < 32 || c == 127) return arena_printf(cx->a, "U+%04X", c);
    if (c < 127) return arena_printf(cx->a, "'%c'", (int)c);
    Buf b = {0};
    put_utf8(&b, c);
    const char *s = arena_printf(cx->a, "'%s' (U+%04X)", b.p, c);
    buf_free(&b);
    return s;
}

/* ---- literals */
static int digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static char *without_underscores(FeCx *cx, const char *s, int len)
{
    char *t = arena_alloc(cx->a, (size_t)len + 1);
    int n = 0;
    for (int i = 0; i < len; i++)
        if (s[i] != '_') t[n++] = s[i];
    return t;
}

AstNode *fe_int(FeCx *cx, Loc loc, const char *s, int len)
{
    const char *text = without_underscores(cx, s, len), *p = text;
    unsigned base = 10;
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'o' || p[1] == 'b')) {
        base = p[1] == 'x' ? 16 : p[1] == 'o' ? 8 : 2;
        p += 2;
        if (!*p) FE_ERR(cx, bad_number, loc, d_str(fe_slice(cx, loc)));
    }
    uint64_t v = 0;
    bool overflow = false;
    for (; *p; p++) {
        overflow |= __builtin_mul_overflow(v, (uint64_t)base, &v);
        overflow |= __builtin_add_overflow(v, (uint64_t)digit(*p), &v);
    }
    return fe_put(cx, (AstNode){.kind = AST_INT, .loc = loc, .u.num = {v, overflow, text}});
}

AstNode *fe_float(FeCx *cx, Loc loc, const char *s, int len)
{
    const char *text = without_underscores(cx, s, len);
    double v = strtod(text, NULL);
    if (isinf(v)) FE_ERR(cx, float_range, loc, d_str(text));
    return fe_put(cx, (AstNode){.kind = AST_FLOAT, .loc = loc, .u.flt = {v, text}});
}

/* `{N}` of \u{N}; returns the characters used, 0 if malformed. */
static int unicode_escape(Buf *b, const char *s, const char *end)
{
    uint32_t c = 0;
    int i = 1;
    if (s >= end || *s != '{') return 0;
    for (; s + i < end && digit(s[i]) < 16 && i <= 7; i++) c = c * 16 + (uint32_t)digit(s[i]);
    if (i == 1 || s + i >= end || s[i] != '}' || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return 0;
    put_utf8(b, c);
    return i + 1;
}

/* The escape whose letter is at s; returns the characters used, 0 if unknown. */
static int escape(Buf *b, const char *s, const char *end)
{
    static const char from[] = "nrt0\\'\"", to[] = "\n\r\t\0\\'\"";
    const char *k = *s ? strchr(from, *s) : NULL;
    if (k) {
        buf_add(b, &to[k - from], 1);
        return 1;
    }
    if (*s == 'x' && end - s >= 3 && digit(s[1]) < 16 && digit(s[2]) < 16) {
        char c = (char)(digit(s[1]) * 16 + digit(s[2]));
        buf_add(b, &c, 1);
        return 3;
    }
    if (*s == 'u') {
        int n = unicode_escape(b, s + 1, end);
        return n ? n + 1 : 0;
    }
    return 0;
}

/* The bytes between the quotes of s, escapes resolved. */
static void unquote(FeCx *cx, Loc loc, const char *s, int len, Buf *b)
{
    const char *p = s + 1, *end = s + len - 1;
    while (p < end) {
        Loc here = {loc.file, loc.off + (uint32_t)(p - s), 1};
        if (*p == '\\') {
            int n = escape(b, p + 1, end);
            here.len = 2;
            if (!n) FE_ERR(cx, bad_escape, here, d_str(fe_slice(cx, here)));
            p += n ? n + 1 : 2;
            continue;
        }
        if ((unsigned char)*p < 32 && *p != '\t')
            FE_ERR(cx, not_in_string, here, d_str(fe_show_char(cx, (unsigned char)*p)));
        buf_add(b, p++, 1);
    }
}

AstNode *fe_string(FeCx *cx, Loc loc, const char *s, int len)
{
    Buf b = {0};
    unquote(cx, loc, s, len, &b);
    const char *p = arena_strndup(cx->a, b.p ? b.p : "", b.len);
    AstNode *n = fe_put(cx, (AstNode){.kind = AST_STRING, .loc = loc, .u.str = {p, b.len}});
    buf_free(&b);
    return n;
}

AstNode *fe_char(FeCx *cx, Loc loc, const char *s, int len)
{
    Buf b = {0};
    unquote(cx, loc, s, len, &b);
    int n = 0;
    uint32_t c = b.len ? fe_decode(b.p, b.len, &n) : 0;
    if (b.len == 1) c = (unsigned char)b.p[0], n = 1;       /* '\xFF' */
    if (!n || (size_t)n != b.len) FE_ERR(cx, bad_char_literal, loc);
    buf_free(&b);
    return fe_put(cx, (AstNode){.kind = AST_INT, .loc = loc, .u.num = {c, false, fe_slice(cx, loc)}});
}

/* ---- entry */
FeMode fe_mode_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".csl") == 0 ? FE_MODE_CSL : FE_MODE_W;
}

AstFile *fe_parse(Arena *a, Diags *d, Interner *in, const char *path, const char *text, size_t len)
{
    AstFile *f = ARENA_NEW(a, AstFile);
    f->path = arena_strdup(a, path);
    f->mode = fe_mode_of(path);
    f->file = diags_add_file(d, f->path, text, len);
    FeCx cx = {.a = a, .d = d, .in = in, .text = text, .len = len, .mode = f->mode, .file = f->file, .out = f};
    if (len > (size_t)FILE_MAX_MB << 20) {
        FE_ERR(&cx, file_too_large, ((Loc){f->file, 0, 0}), d_int(FILE_MAX_MB));
    } else {
        fe_check_utf8(&cx);
        if (fe_run_parser(&cx)) cx.failed = true;
    }
    arrfree(cx.docs);
    f->has_errors = cx.failed;
    return f;
}
