/* The assembler's cursor: words, numbers and expressions of one line.
 * All reading is bounded by s->eol, which comes before a comment; a text may hold any bytes. */
#include "asm_int.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *trim(const char *from, const char *to)
{
    while (to > from && (to[-1] == ' ' || to[-1] == '\t' || to[-1] == '\r')) to--;
    return to;
}

Loc as_loc(const As *s, const char *from)
{
    const char *to = trim(from, s->p);
    return (Loc){s->file, (uint32_t)(from - s->text), (uint32_t)(to > from ? to - from : 1)};
}

static void skip(As *s)
{
    while (s->p < s->eol && (*s->p == ' ' || *s->p == '\t' || *s->p == '\r')) s->p++;
}

bool as_at_end(As *s)
{
    skip(s);
    return s->p >= s->eol;
}

static bool id_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$' || c == '@' || (unsigned char)c >= 0x80;
}

static bool id_part(char c) { return id_start(c) || (c >= '0' && c <= '9'); }

bool as_ident(As *s, const char **p, size_t *n)
{
    skip(s);
    if (s->p >= s->eol || !id_start(*s->p)) return false;
    *p = s->p;
    while (s->p < s->eol && id_part(*s->p)) s->p++;
    *n = (size_t)(s->p - *p);
    return true;
}

bool as_is(const char *p, size_t n, const char *word) { return strlen(word) == n && memcmp(p, word, n) == 0; }

bool as_word(As *s, const char *word)
{
    const char *p, *save = s->p;
    size_t n;
    if (as_ident(s, &p, &n) && as_is(p, n, word)) return true;
    s->p = save;
    return false;
}

bool as_expected(As *s, const char *what)
{
    skip(s);
    const char *from = s->p < s->eol ? s->p : trim(s->line, s->p), *word, *found = "the end of the line";
    size_t n;
    if (s->p < s->eol) {
        if (as_ident(s, &word, &n)) found = arena_printf(s->a, "'%.*s'", (int)n, word);
        else found = arena_printf(s->a, (unsigned char)*s->p < 0x20 ? "a control character" : "'%c'", *s->p);
    }
    LD_DIAG(s->d, as_expected, as_loc(s, from), d_str(what), d_str(found));
    return false;
}

bool as_char(As *s, char c)
{
    skip(s);
    if (s->p >= s->eol || *s->p != c) return false;
    s->p++;
    return true;
}

bool as_comma(As *s) { return as_char(s, ',') || as_expected(s, "','"); }

/* One character of a string or character literal. */
static bool escaped(As *s, int *c)
{
    if (s->p >= s->eol) return as_expected(s, "a closing quote");
    *c = (unsigned char)*s->p++;
    if (*c != '\\') return true;
    static const char from[] = "ntr0\\'\"", to[] = "\n\t\r\0\\'\"";
    const char *k = s->p < s->eol && *s->p ? strchr(from, *s->p) : NULL;
    if (!k) return as_expected(s, "one of n t r 0 \\ ' \" behind the backslash");
    *c = to[k - from];
    s->p++;
    return true;
}

bool as_string(As *s, Buf *out)
{
    if (!as_char(s, '"')) return as_expected(s, "a string");
    while (s->p >= s->eol || *s->p != '"') {
        int c;
        if (!escaped(s, &c)) return false;
        buf_add(out, &(char){(char)c}, 1);
    }
    s->p++;
    return true;
}

bool as_name(As *s, const char *what, const char **name)
{
    const char *p;
    size_t n;
    skip(s);
    if (s->p < s->eol && *s->p == '"') {
        Buf b = {0};
        bool ok = as_string(s, &b);
        *name = ok && b.p ? arena_strndup(s->a, b.p, strlen(b.p)) : "";
        buf_free(&b);
        return ok && (**name || as_expected(s, what));
    }
    if (!as_ident(s, &p, &n)) return as_expected(s, what);
    *name = arena_strndup(s->a, p, n);
    return true;
}

/* ---- numbers */
static int digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
}

bool as_number(As *s, int64_t *v)
{
    skip(s);
    const char *from = s->p;
    int c, base = 10;
    if (as_char(s, '\'')) {
        if (!escaped(s, &c)) return false;
        *v = c;
        return as_char(s, '\'') || as_expected(s, "a closing quote");
    }
    if (s->eol - s->p > 2 && *s->p == '0' && (s->p[1] | 32) == 'x') base = 16, s->p += 2;
    else if (s->eol - s->p > 2 && *s->p == '0' && (s->p[1] | 32) == 'b') base = 2, s->p += 2;
    if (s->p >= s->eol || digit(*s->p) >= base) {
        s->p = from;
        return as_expected(s, "a number");
    }
    uint64_t u = 0;
    for (; s->p < s->eol && digit(*s->p) < base; s->p++) {
        u = u * (unsigned)base + (unsigned)digit(*s->p);
        if (u >> 40) {
            while (s->p < s->eol && id_part(*s->p)) s->p++;
            LD_DIAG(s->d, as_range, as_loc(s, from), d_str("the number"), d_int(0), d_uint(0xffffffffu));
            return false;
        }
    }
    if (s->p < s->eol && id_part(*s->p)) return as_expected(s, "the end of the number");
    *v = (int64_t)u;
    return true;
}

bool as_signed(As *s, int64_t *v)
{
    bool neg = as_char(s, '-');
    if (!neg) as_char(s, '+');
    if (!as_number(s, v)) return false;
    if (neg) *v = -*v;
    return true;
}

bool as_float(As *s, double *v)
{
    char b[64], *end;
    size_t n = 0;
    skip(s);
    for (const char *p = s->p; p < s->eol && *p != ',' && *p != ' ' && *p != '\t' && *p != '\r' && n < sizeof b - 1; p++) b[n++] = *p;
    b[n] = 0;
    *v = strtod(b, &end);
    if (end == b || *end) return as_expected(s, "a floating-point number");
    s->p += n;
    return true;
}

/* ---- expressions: | & << >> + - * / unary - + ~ ( ) . and names */
static bool binary(As *s, int64_t *v, int level);
static bool primary(As *s, int64_t *v);
enum { DEPTH_LIMIT = 100 };

static bool name_value(As *s, const char *from, const char *p, size_t n, int64_t *v)
{
    char *name = arena_strndup(s->a, p, n);
    *v = 0;
    if (as_is(p, n, ".")) {
        s->label_ref = true;
        *v = s->pass == 2 ? (int64_t)as_pc(s) : 0;
        return true;
    }
    ptrdiff_t e = shgeti(s->equs, name);
    if (e >= 0) {
        *v = s->equs[e].value;
        return true;
    }
    s->label_ref = true;
    if (s->pass == 1) return true;
    const Label *l = as_label(s, name);
    if (!l) return as_undefined(s, from, name);
    *v = as_cls(s)->sec[l->sec].base + l->off;
    return true;
}

static int64_t negate(int64_t v) { return (int64_t)(0 - (uint64_t)v); }

static bool primary_in(As *s, int64_t *v)
{
    const char *p, *from;
    size_t n;
    skip(s);
    from = s->p;
    if (s->depth > DEPTH_LIMIT) return as_expected(s, "a simpler expression");
    if (as_char(s, '(')) return binary(s, v, 0) && (as_char(s, ')') || as_expected(s, "')'"));
    if (as_char(s, '-')) return primary(s, v) && (*v = negate(*v), true);
    if (as_char(s, '+')) return primary(s, v);
    if (as_char(s, '~')) return primary(s, v) && (*v = ~*v, true);
    if (as_ident(s, &p, &n)) return name_value(s, from, p, n, v);
    if (s->p < s->eol && (digit(*s->p) < 10 || *s->p == '\'')) return as_number(s, v);
    return as_expected(s, "a value");
}

static bool primary(As *s, int64_t *v)
{
    s->depth++;
    bool ok = primary_in(s, v);
    s->depth--;
    return ok;
}

static const char *const levels[] = {"|", "&", "<>", "+-", "*/"};
enum { N_LEVEL = sizeof levels / sizeof *levels };

/* The operator of this level that is next, taken; 0 if none. */
static char operator(As *s, int level)
{
    skip(s);
    if (s->p >= s->eol || !*s->p || !strchr(levels[level], *s->p)) return 0;
    char c = *s->p;
    if (c == '<' || c == '>') {
        if (s->eol - s->p < 2 || s->p[1] != c) return 0;
        s->p++;
    }
    s->p++;
    return c;
}

static int64_t apply(char c, int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (c) {
    case '|': return a | b;
    case '&': return a & b;
    case '<': return b >= 0 && b < 64 ? (int64_t)(x << b) : 0;
    case '>': return b >= 0 && b < 64 ? a >> b : 0;
    case '+': return (int64_t)(x + y);
    case '-': return (int64_t)(x - y);
    case '*': return (int64_t)(x * y);
    default: return b == 0 || (b == -1 && a == INT64_MIN) ? 0 : a / b;
    }
}

static bool binary(As *s, int64_t *v, int level)
{
    if (level == N_LEVEL) return primary(s, v);
    if (!binary(s, v, level + 1)) return false;
    for (char c; (c = operator(s, level)) != 0;) {
        int64_t b;
        if (!binary(s, &b, level + 1)) return false;
        *v = apply(c, *v, b);
    }
    return true;
}

bool as_expr(As *s, int64_t *v)
{
    s->label_ref = false;
    return binary(s, v, 0);
}

bool as_known(As *s, int64_t *v)
{
    skip(s);
    const char *from = s->p;
    if (!as_expr(s, v)) return false;
    if (!s->label_ref) return true;
    LD_DIAG(s->d, as_not_known, as_loc(s, from));
    return false;
}

bool as_range_check(As *s, const char *from, int64_t v, int64_t lo, int64_t hi)
{
    if ((s->pass == 1 && s->label_ref) || (v >= lo && v <= hi)) return true;
    LD_DIAG(s->d, as_range, as_loc(s, from), d_int(v), d_int(lo), d_int(hi));
    return false;
}

bool as_ranged(As *s, int64_t *v, int64_t lo, int64_t hi)
{
    skip(s);
    const char *from = s->p;
    return as_expr(s, v) && as_range_check(s, from, *v, lo, hi);
}
