/* frontend/paint.c: evaluates a .paint file to rectangles.
 *
 * Takes the items that paint.y collected; leaves a PaintPlacement.  A picture is worked out bottom-up as an Area: its size
 * and the rectangles in it, relative to its top left corner.  The one idea: repetition widens what spans the whole side
 * instead of copying it, so hstackrep(762, vstackrep(1172, worker)) is one rectangle. */
#include "frontend/paint_int.h"
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct { uint32_t w, h; PaintRect *v; uint32_t n; } Area;
typedef struct { bool is_area; PaintValue value; Area area; } Val;
typedef struct Name { const char *name; Loc loc; Val val; } Name;

typedef struct {
    FeCx *cx;
    Name *names;          /* stb */
    PaintTile *tiles;     /* stb, in order of evaluation */
    PaintColor *colors;   /* stb */
    PaintParam *params;   /* stb: the command line's */
    uint32_t taken;       /* bit k: color k is in use */
    Area picture;
    const PaintItem *painted;
} Ev;

static bool eval(Ev *ev, const AstNode *n, Val *out);

/* ---- names and kinds */
static const Name *find_name(const Ev *ev, const char *name)
{
    for (ptrdiff_t i = 0; i < arrlen(ev->names); i++)
        if (ev->names[i].name == name) return &ev->names[i];
    return NULL;
}

static const char *kind_text(const Val *v)
{
    static const char *const text[] = {"a whole number", "a fraction", "a string", "a truth value", "a color"};
    return v->is_area ? "a rectangle" : text[v->value.kind];
}

static bool wrong_kind(Ev *ev, Loc loc, const char *want, const Val *v)
{
    FE_ERR(ev->cx, paint_kind, loc, d_str(want), d_str(kind_text(v)));
    return false;
}

static bool eval_int(Ev *ev, const AstNode *n, int64_t *out)
{
    Val v;
    if (!eval(ev, n, &v)) return false;
    if (v.is_area || v.value.kind != PV_INT) return wrong_kind(ev, n->loc, "a whole number", &v);
    *out = v.value.i;
    return true;
}

static bool eval_area(Ev *ev, const AstNode *n, Area *out)
{
    Val v;
    if (!eval(ev, n, &v)) return false;
    if (!v.is_area) return wrong_kind(ev, n->loc, "a rectangle", &v);
    *out = v.area;
    return true;
}

/* ---- areas.  Everything is written for stacking along x; `vert` swaps the axes at the edges of a function. */
static uint32_t along(const Area *a, bool vert) { return vert ? a->h : a->w; }
static uint32_t across(const Area *a, bool vert) { return vert ? a->w : a->h; }
static uint32_t *pos(PaintRect *r, bool vert) { return vert ? &r->y : &r->x; }
static uint32_t *len(PaintRect *r, bool vert) { return vert ? &r->h : &r->w; }

static bool too_big(Ev *ev, Loc loc, uint64_t w, uint64_t h, uint64_t nrects)
{
    if (w > PAINT_MAX_SIDE || h > PAINT_MAX_SIDE)
        FE_ERR(ev->cx, paint_too_large, loc, d_uint(w), d_uint(h), d_int(PAINT_MAX_SIDE));
    else if (nrects > PAINT_MAX_RECTS)
        FE_ERR(ev->cx, paint_too_many, loc, d_int(PAINT_MAX_RECTS));
    else return false;
    return true;
}

/* Put b behind a (which may be empty: n == 0).  The edges have been compared. */
static bool append(Ev *ev, Loc loc, Area *a, const Area *b, bool vert)
{
    uint64_t side = (uint64_t)along(a, vert) + along(b, vert), n = (uint64_t)a->n + b->n;
    if (too_big(ev, loc, vert ? across(b, vert) : side, vert ? side : across(b, vert), n)) return false;
    uint32_t shift = along(a, vert);
    if (a->n == 1 && b->n == 1 && a->v[0].tile == b->v[0].tile) {     /* one uniform rectangle, longer */
        *len(&a->v[0], vert) += along(b, vert);
    } else {
        PaintRect *v = ARENA_ARR(ev->cx->a, PaintRect, n);
        if (a->n) memcpy(v, a->v, a->n * sizeof *v);
        memcpy(v + a->n, b->v, b->n * sizeof *v);
        for (uint32_t i = a->n; i < n; i++) *pos(&v[i], vert) += shift;
        a->v = v;
        a->n = (uint32_t)n;
    }
    if (vert) a->h = (uint32_t)side, a->w = b->w;
    else a->w = (uint32_t)side, a->h = b->h;
    return true;
}

static bool edges_differ(Ev *ev, const AstNode *call, const AstNode *x, const Area *a, const AstNode *y, const Area *b,
                         bool vert)
{
    if (across(a, vert) == across(b, vert)) return false;
    FE_ERR(ev->cx, paint_size, y->loc, d_str(call->u.call.fn->u.name.name), d_uint(a->w), d_uint(a->h), d_uint(b->w),
           d_uint(b->h), d_str(vert ? "widths" : "heights"));
    FE_NOTE(ev->cx->d, paint_the_other, x->loc, d_uint(a->w), d_uint(a->h));
    return true;
}

/* An Area with rectangles of its own, since append() may lengthen the first in place. */
static Area copy_area(Ev *ev, const Area *a)
{
    Area c = *a;
    c.v = ARENA_ARR(ev->cx->a, PaintRect, a->n);
    memcpy(c.v, a->v, a->n * sizeof *c.v);
    return c;
}

static bool stack(Ev *ev, const AstNode *call, bool vert, Area *out)
{
    AstList args = call->u.call.args;
    Area prev = {0};
    bool ok = true;
    for (uint32_t i = 0; i < args.n; i++) {
        Area a;
        if (!eval_area(ev, args.v[i], &a)) return false;
        if (i == 0) *out = copy_area(ev, &a);
        else if (edges_differ(ev, call, args.v[i - 1], &prev, args.v[i], &a, vert)) ok = false;
        else if (ok && !append(ev, call->loc, out, &a, vert)) return false;
        prev = a;
    }
    return ok;
}

/* n copies of a: what spans a's whole side is widened, the rest is copied. */
static bool repeat(Ev *ev, const AstNode *call, const Area *a, uint32_t n, bool vert, Area *out)
{
    uint64_t side = (uint64_t)along(a, vert) * n, wide = 0;
    for (uint32_t i = 0; i < a->n; i++) wide += *len(&a->v[i], vert) == along(a, vert);
    uint64_t total = wide + (a->n - wide) * n;
    if (too_big(ev, call->loc, vert ? a->w : side, vert ? side : a->h, total)) return false;
    *out = (Area){vert ? a->w : (uint32_t)side, vert ? (uint32_t)side : a->h,
                  ARENA_ARR(ev->cx->a, PaintRect, total), (uint32_t)total};
    PaintRect *r = out->v;
    for (uint32_t i = 0; i < a->n; i++) {
        bool spans = *len(&a->v[i], vert) == along(a, vert);
        for (uint32_t k = 0; k < (spans ? 1 : n); k++) {
            *r = a->v[i];
            if (spans) *len(r, vert) = (uint32_t)side;
            else *pos(r, vert) += k * along(a, vert);
            r++;
        }
    }
    assert(r == out->v + out->n);
    return true;
}

static bool stack_rep(Ev *ev, const AstNode *call, bool vert, Area *out)
{
    AstList args = call->u.call.args;
    int64_t n;
    Area a;
    bool ok = eval_int(ev, args.v[0], &n);
    if (!eval_area(ev, args.v[1], &a) || !ok) return false;
    if (n < 1 || n > PAINT_MAX_SIDE) {
        FE_ERR(ev->cx, paint_count, args.v[0]->loc, d_int(n), d_int(PAINT_MAX_SIDE));
        return false;
    }
    return repeat(ev, call, &a, (uint32_t)n, vert, out);
}

static bool eval_call(Ev *ev, const AstNode *n, Val *out)
{
    const char *f = n->u.call.fn->u.name.name;
    bool rep = strcmp(f, "hstackrep") == 0 || strcmp(f, "vstackrep") == 0;
    if (strcmp(f, "split") == 0 || strcmp(f, "ring") == 0) {
        FE_ERR(ev->cx, paint_unimplemented, n->u.call.fn->loc, d_str(f));
        return false;
    }
    if (!rep && strcmp(f, "hstack") != 0 && strcmp(f, "vstack") != 0) {
        FE_ERR(ev->cx, paint_unknown_fn, n->u.call.fn->loc, d_str(f));
        return false;
    }
    if (rep && n->u.call.args.n != 2) {
        FE_ERR(ev->cx, paint_arity, n->loc, d_str(f), d_str("a count and a rectangle"), d_uint(n->u.call.args.n));
        return false;
    }
    out->is_area = true;
    return (rep ? stack_rep : stack)(ev, n, f[0] == 'v', &out->area);
}

/* ---- values */
static bool eval_params(Ev *ev, AstList items, PaintTile *t)
{
    bool ok = true;
    t->params = ARENA_ARR(ev->cx->a, PaintParam, items.n);
    for (uint32_t i = 0; i < items.n; i++) {
        const AstNode *f = items.v[i];
        Val v;
        for (uint32_t k = 0; k < t->nparams; k++)
            if (t->params[k].name == f->u.field.name) {
                FE_ERR(ev->cx, paint_param_twice, f->u.field.name_loc, d_str(f->u.field.name));
                ok = false;
            }
        if (!eval(ev, f->u.field.e, &v)) ok = false;
        else if (v.is_area) ok = wrong_kind(ev, f->u.field.e->loc, "a value", &v);
        else t->params[t->nparams++] = (PaintParam){f->u.field.name, v.value, f->u.field.name_loc};
    }
    return ok;
}

static bool eval_tile(Ev *ev, const AstNode *n, Val *out)
{
    PaintTile t = {.code = n->u.init.type->u.str.p, .loc = n->loc, .code_loc = n->u.init.type->loc};
    bool ok = eval_params(ev, n->u.init.items, &t);
    PaintRect *r = ARENA_NEW(ev->cx->a, PaintRect);
    *r = (PaintRect){0, 0, 1, 1, (uint32_t)arrlen(ev->tiles)};
    arrput(ev->tiles, t);
    *out = (Val){.is_area = true, .area = {1, 1, r, 1}};
    return ok;
}

static bool arithmetic_fault(Ev *ev, Loc loc, const char *what)
{
    FE_ERR(ev->cx, paint_arithmetic, loc, d_str(what));
    return false;
}

static bool eval_binary(Ev *ev, const AstNode *n, Val *out)
{
    int64_t a, b, r = 0;
    bool ok = eval_int(ev, n->u.bin.l, &a), over = false;
    if (!eval_int(ev, n->u.bin.r, &b) || !ok) return false;
    bool divides = n->u.bin.op == OP_DIV || n->u.bin.op == OP_REM;
    if (divides && b == 0) return arithmetic_fault(ev, n->loc, "division by zero");
    if (divides && a == INT64_MIN && b == -1) return arithmetic_fault(ev, n->loc, "overflow");
    switch (n->u.bin.op) {
    case OP_ADD: over = __builtin_add_overflow(a, b, &r); break;
    case OP_SUB: over = __builtin_sub_overflow(a, b, &r); break;
    case OP_MUL: over = __builtin_mul_overflow(a, b, &r); break;
    case OP_DIV: r = a / b; break;
    case OP_REM: r = a % b; break;
    default: assert(!"no such operator in paint.y");
    }
    if (over) return arithmetic_fault(ev, n->loc, "overflow");
    out->value = (PaintValue){.kind = PV_INT, .i = r};
    return true;
}

static bool eval_negated(Ev *ev, const AstNode *n, Val *out)
{
    if (!eval(ev, n->u.un.e, out)) return false;
    if (!out->is_area && out->value.kind == PV_FLOAT) {
        out->value.f = -out->value.f;
        const char *s = out->value.s;
        out->value.s = s[0] == '-' ? s + 1 : arena_printf(ev->cx->a, "-%s", s);
        return true;
    }
    if (out->is_area || out->value.kind != PV_INT) return wrong_kind(ev, n->u.un.e->loc, "a number", out);
    if (out->value.i == INT64_MIN) return arithmetic_fault(ev, n->loc, "overflow");
    out->value.i = -out->value.i;
    return true;
}

static bool eval_name(Ev *ev, const AstNode *n, Val *out)
{
    const Name *k = find_name(ev, n->u.name.name);
    if (!k) {
        FE_ERR(ev->cx, paint_undefined, n->loc, d_str(n->u.name.name));
        return false;
    }
    *out = k->val;
    /* an empty area marks a name whose definition failed: said once, there */
    return !(out->is_area && out->area.n == 0);
}

static bool eval(Ev *ev, const AstNode *n, Val *out)
{
    *out = (Val){0};
    switch (n->kind) {
    case AST_INT:
        if (n->u.num.overflow || n->u.num.value > INT64_MAX) return arithmetic_fault(ev, n->loc, "a number over 63 bits");
        out->value = (PaintValue){.kind = PV_INT, .i = (int64_t)n->u.num.value};
        return true;
    case AST_FLOAT: out->value = (PaintValue){.kind = PV_FLOAT, .f = n->u.flt.value, .s = n->u.flt.text}; return true;
    case AST_STRING: out->value = (PaintValue){.kind = PV_STRING, .s = n->u.str.p}; return true;
    case AST_BOOL: out->value = (PaintValue){.kind = PV_BOOL, .i = (int64_t)n->u.num.value}; return true;
    case AST_NAME: return eval_name(ev, n, out);
    case AST_UNARY: return eval_negated(ev, n, out);
    case AST_BINARY: return eval_binary(ev, n, out);
    case AST_CALL: return eval_call(ev, n, out);
    case AST_INIT: return eval_tile(ev, n, out);
    default: assert(!"not an expression of paint.y");
    }
    return false;
}

/* ---- items */
static void define(Ev *ev, const PaintItem *it, const Val *val)
{
    const Name *old = find_name(ev, it->name);
    if (old) {
        FE_ERR(ev->cx, paint_redefined, it->loc, d_str(it->name));
        FE_NOTE(ev->cx->d, paint_first_here, old->loc);
        return;
    }
    arrput(ev->names, ((Name){it->name, it->loc, *val}));
}

static bool let_param(Ev *ev, const PaintItem *it, Val *out)
{
    for (ptrdiff_t i = 0; i < arrlen(ev->params); i++)
        if (ev->params[i].name == it->name) {
            *out = (Val){.value = ev->params[i].value};
            return true;
        }
    FE_ERR(ev->cx, paint_no_value, it->loc, d_str(it->name));
    return false;
}

static bool color(Ev *ev, const PaintItem *it, Val *out)
{
    int64_t n = 0;
    if (it->e) {
        if (!eval_int(ev, it->e, &n)) return false;
        if (n < 0 || n >= PAINT_COLORS) {
            FE_ERR(ev->cx, paint_color_range, it->e->loc, d_int(n), d_int(PAINT_COLORS - 1));
            return false;
        }
    } else {
        while (n < PAINT_COLORS && ev->taken >> n & 1) n++;
        if (n == PAINT_COLORS) {
            FE_ERR(ev->cx, paint_no_color_left, it->loc, d_int(PAINT_COLORS));
            return false;
        }
        ev->taken |= 1u << n;
    }
    arrput(ev->colors, ((PaintColor){it->name, (uint32_t)n, it->loc}));
    *out = (Val){.value = {.kind = PV_COLOR, .i = n, .s = it->name}};
    return true;
}

static bool paint_it(Ev *ev, const PaintItem *it)
{
    if (ev->painted) {
        FE_ERR(ev->cx, paint_twice, it->loc);
        FE_NOTE(ev->cx->d, paint_first_here, ev->painted->loc);
        return false;
    }
    ev->painted = it;
    return eval_area(ev, it->e, &ev->picture);
}

static void item(Ev *ev, const PaintItem *it)
{
    Val v = {0};
    bool ok = false;
    switch (it->kind) {
    case PI_LET: ok = eval(ev, it->e, &v) && (!v.is_area || wrong_kind(ev, it->e->loc, "a value", &v)); break;
    case PI_LET_PARAM: ok = let_param(ev, it, &v); break;
    case PI_COLOR: ok = color(ev, it, &v); break;
    case PI_DEFINE: v.is_area = true; ok = eval_area(ev, it->e, &v.area); break;
    case PI_PAINT: paint_it(ev, it); return;
    }
    if (!ok) v = (Val){.is_area = true};      /* a failed definition: no second message at its uses */
    define(ev, it, &v);
}

void paint_item(PaintCx *cx, PaintItemKind kind, const char *name, Loc loc, AstNode *e)
{
    PaintItem *it = ARENA_NEW(cx->fe.a, PaintItem);
    *it = (PaintItem){NULL, kind, name, loc, e};
    *cx->end = it;
    cx->end = &it->next;
}

/* ---- the command line */
static PaintValue value_of(FeCx *cx, const char *s)
{
    char *end;
    const char *digits = s + (*s == '-');
    bool hex = digits[0] == '0' && digits[1] == 'x';
    if (*digits >= '0' && *digits <= '9') {
        errno = 0;
        long long i = strtoll(s, &end, hex ? 16 : 10);
        if (!*end && !errno) return (PaintValue){.kind = PV_INT, .i = i};
        double f = strtod(s, &end);
        if (!*end && isfinite(f) && !hex) return (PaintValue){.kind = PV_FLOAT, .f = f, .s = s};
    }
    if (strcmp(s, "true") == 0 || strcmp(s, "false") == 0) return (PaintValue){.kind = PV_BOOL, .i = *s == 't'};
    return (PaintValue){.kind = PV_STRING, .s = s};
}

static void read_params(Ev *ev, const char *p)
{
    while (p && *p) {
        size_t n = strcspn(p, ",");
        const char *one = arena_strndup(ev->cx->a, p, n), *colon = strchr(one, ':');
        if (!colon || colon == one || !colon[1]) FE_ERR(ev->cx, paint_bad_params, ((Loc){0}), d_str(one));
        else arrput(ev->params, ((PaintParam){intern_n(ev->cx->in, one, (size_t)(colon - one)),
                                              value_of(ev->cx, colon + 1), (Loc){0}}));
        p += n + (p[n] == ',');
    }
}

/* ---- result */
static int by_place(const void *a, const void *b)
{
    const PaintRect *x = a, *y = b;
    if (x->y != y->y) return x->y < y->y ? -1 : 1;
    return x->x < y->x ? -1 : x->x > y->x;
}

/* Renumber the tiles in the order in which the picture meets them; drop those it does not use. */
static void number_tiles(Ev *ev, PaintPlacement *pl)
{
    size_t n = (size_t)arrlen(ev->tiles);
    uint32_t *map = ARENA_ARR(ev->cx->a, uint32_t, n);      /* new number + 1 */
    pl->tiles = ARENA_ARR(ev->cx->a, PaintTile, n);
    for (uint32_t i = 0; i < pl->nrects; i++) {
        uint32_t *m = &map[pl->rects[i].tile];
        if (!*m) {
            pl->tiles[pl->ntiles++] = ev->tiles[pl->rects[i].tile];
            *m = pl->ntiles;
        }
        pl->rects[i].tile = *m - 1;
    }
}

static PaintPlacement *placement(Ev *ev)
{
    PaintPlacement *pl = ARENA_NEW(ev->cx->a, PaintPlacement);
    Area a = copy_area(ev, &ev->picture);
    qsort(a.v, a.n, sizeof *a.v, by_place);
    *pl = (PaintPlacement){.w = a.w, .h = a.h, .rects = a.v, .nrects = a.n, .ncolors = (uint32_t)arrlen(ev->colors)};
    pl->colors = ARENA_ARR(ev->cx->a, PaintColor, pl->ncolors);
    if (pl->ncolors) memcpy(pl->colors, ev->colors, pl->ncolors * sizeof *pl->colors);
    number_tiles(ev, pl);
    return pl;
}

static PaintPlacement *evaluate(PaintCx *cx, const char *params)
{
    Ev ev = {.cx = &cx->fe};
    read_params(&ev, params);
    for (const PaintItem *it = cx->first; it; it = it->next) {      /* colors with a number of their own go first */
        if (it->kind == PI_COLOR && it->e && it->e->kind == AST_INT && it->e->u.num.value < PAINT_COLORS)
            ev.taken |= 1u << it->e->u.num.value;
    }
    for (const PaintItem *it = cx->first; it; it = it->next) item(&ev, it);
    if (!ev.painted && !cx->fe.failed) FE_ERR(&cx->fe, paint_nothing, ((Loc){cx->fe.file, 0, 0}));
    PaintPlacement *pl = cx->fe.failed ? NULL : placement(&ev);
    arrfree(ev.names);
    arrfree(ev.tiles);
    arrfree(ev.colors);
    arrfree(ev.params);
    return pl;
}

PaintPlacement *paint_eval(Arena *a, Diags *d, const char *path, const char *text, size_t len, const char *params)
{
    enum { MAX_MB = 16 };
    Interner *in = interner_new(a);
    PaintCx cx = {.fe = {.a = a, .d = d, .in = in, .text = text, .len = len}};
    cx.end = &cx.first;
    cx.fe.file = diags_add_file(d, arena_strdup(a, path), text, len);
    PaintPlacement *pl = NULL;
    if (len > (size_t)MAX_MB << 20) FE_ERR(&cx.fe, file_too_large, ((Loc){cx.fe.file, 0, 0}), d_int(MAX_MB));
    else if (paint_run_parser(&cx) == 0 && !cx.fe.failed) pl = evaluate(&cx, params);
    interner_free(in);
    return pl;
}

static void print_value(Buf *b, const PaintValue *v)
{
    switch (v->kind) {
    case PV_INT: buf_printf(b, "%" PRId64, v->i); break;
    case PV_FLOAT: buf_printf(b, "%s", v->s); break;
    case PV_STRING: buf_printf(b, "\"%s\"", v->s); break;
    case PV_BOOL: buf_printf(b, "%s", v->i ? "true" : "false"); break;
    case PV_COLOR: buf_printf(b, "%s", v->s); break;
    }
}

void paint_print(Buf *b, const PaintPlacement *p)
{
    buf_printf(b, "area %u x %u\n", p->w, p->h);
    for (uint32_t i = 0; i < p->ncolors; i++) buf_printf(b, "color %u %s\n", p->colors[i].number, p->colors[i].name);
    for (uint32_t i = 0; i < p->ntiles; i++) {
        buf_printf(b, "tile %u \"%s\"", i, p->tiles[i].code);
        for (uint32_t k = 0; k < p->tiles[i].nparams; k++) {
            buf_printf(b, " %s=", p->tiles[i].params[k].name);
            print_value(b, &p->tiles[i].params[k].value);
        }
        buf_printf(b, "\n");
    }
    for (uint32_t i = 0; i < p->nrects; i++) {
        const PaintRect *r = &p->rects[i];
        buf_printf(b, "rect %u,%u %u x %u tile %u\n", r->x, r->y, r->w, r->h, r->tile);
    }
}
