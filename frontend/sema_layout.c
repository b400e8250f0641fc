/* frontend/sema_layout.c: layout builtins: size, tiles, routes (sema_route.c); checks as they are set.  Rectangles are merged at the end. */
#include "frontend/sema_place.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ARG(i) (n->u.builtin.args.v[i])
#define NARGS (n->u.builtin.args.n)

/* ---- placing */
bool place_size(Sema *s, int64_t w, int64_t h, Loc loc)
{
    Program *p = s->prog;
    Placement *pl = p->pl;
    if (pl->w) {
        SEMA_ERR(s, rect_twice, loc);
        SEMA_NOTE(s, note_first, pl->rect_loc, d_str("@set_rectangle"));
        return false;
    }
    int mw = AP(&p->arch, max_width), mh = AP(&p->arch, max_height);
    if (w < 1 || h < 1 || w > mw || h > mh) {
        SEMA_ERR(s, rect_size, loc, d_int(w), d_int(h), d_int(mw), d_int(mh));
        pl->refused = true;
        return false;
    }
    pl->w = (uint32_t)w;
    pl->h = (uint32_t)h;
    pl->rect_loc = loc;
    pl->tile = ARENA_ARR(p->arena, uint32_t, (size_t)(w * h));
    pl->cls = ARENA_ARR(p->arena, uint32_t, (size_t)(w * h));
    return true;
}

bool is_leaf(const Value *v)
{
    return v->kind == V_FLT || (v->kind == V_INT && v->u.i >= INT64_MIN && v->u.i <= INT64_MAX);
}

void leaves_each(Value *v, LeafFn *f, void *user)
{
    if (is_leaf(v)) f(user, v);
    else if (v->kind == V_AGG)
        for (uint32_t i = 0; i < (v->splat ? 1 : v->n); i++) leaves_each(&v->u.agg[i], f, user);
}

static uint64_t mix(uint64_t h, uint64_t v) { return (h ^ v) * 0x9e3779b97f4a7c15u ^ (h >> 31); }

static uint64_t shape_hash(const Value *v, uint64_t h)
{
    h = mix(h, (uint64_t)v->kind << 32 | (v->type ? v->type->id : 0));
    if (is_leaf(v)) return h;
    if (v->kind == V_AGG) {
        h = mix(h, v->n);
        for (uint32_t i = 0; i < (v->splat ? 1 : v->n); i++) h = shape_hash(&v->u.agg[i], h);
    } else if (v->kind == V_STR) h = mix(h, stbds_hash_bytes((void *)v->u.s, v->n, 5));
    else if (v->kind == V_TYPE) h = mix(h, v->u.t->id);
    else if (v->kind == V_INT) h = mix(h, (uint64_t)v->u.i);
    return h;
}

static bool shape_same(const Value *a, const Value *b)
{
    if (a->kind != b->kind || a->type != b->type) return false;
    if (is_leaf(a)) return is_leaf(b);
    if (a->kind == V_AGG) {
        if (a->n != b->n || a->splat != b->splat) return false;
        for (uint32_t i = 0; i < (a->splat ? 1 : a->n); i++)
            if (!shape_same(&a->u.agg[i], &b->u.agg[i])) return false;
        return true;
    }
    return value_equal(a, b);
}

/* what may travel from the layout to a tile */
static bool portable(const Value *v)
{
    switch (v->kind) {
    case V_VOID: case V_UNDEF: case V_INT: case V_FLT: case V_STR: case V_ELIT: case V_TYPE: case V_ERR: return true;
    case V_AGG:
        for (uint32_t i = 0; i < (v->splat ? 1 : v->n); i++)
            if (!portable(&v->u.agg[i])) return false;
        return true;
    default: return false;
    }
}

static void put_leaf(void *user, Value *v)
{
    TileShape *t = user;
    int64_t x;
    if (v->kind == V_FLT) memcpy(&x, &v->u.f, 8);
    else x = (int64_t)v->u.i;
    arrput(t->leaves, x);
}
static void count_leaf(void *user, Value *v) { ++*(uint32_t *)user; }

void place_tile(Sema *s, uint32_t x, uint32_t y, AstFile *f, const Value *params, Loc loc)
{
    Placement *pl = s->prog->pl;
    uint32_t pe = y * pl->w + x;
    if (pl->tile[pe]) {
        SEMA_ERR(s, tile_twice, loc, d_uint(x), d_uint(y));
        SEMA_NOTE(s, note_first, pl->shapes[pl->tile[pe] - 1]->loc, d_str("@set_tile_code"));
        return;
    }
    Value none = V_NONE;
    if (!params) params = &none;
    uint64_t h = shape_hash(params, f->file);
    TileShape *head = hmget(pl->by_hash, h), *t = head;
    while (t && (t->file != f || !shape_same(&t->tmpl, params))) t = t->chain;
    if (!t) {
        if (!portable(params)) {
            SEMA_ERR(s, tile_param, loc);
            return;
        }
        t = ARENA_NEW(s->prog->arena, TileShape);
        *t = (TileShape){.hash = h, .file = f, .tmpl = value_copy(s->prog->arena, *params), .loc = loc, .chain = head};
        leaves_each(&t->tmpl, count_leaf, &t->nleaves);
        hmput(pl->by_hash, h, t);
        arrput(pl->shapes, t);
    }
    ptrdiff_t k = 0; /* its number: usually one of the last */
    for (k = arrlen(pl->shapes) - 1; pl->shapes[k] != t; k--) {}
    pl->tile[pe] = (uint32_t)k + 1;
    arrput(t->pes, pe);
    leaves_each((Value *)params, put_leaf, t);
}

/* ---- arguments */
static bool color_arg(Sema *s, Scope *sc, AstNode *a, int *color)
{
    Value v = eval_expr(s, sc, a, NULL);
    int64_t c;
    if (v.kind == V_ERR) return false;
    if (v.type != ty_color) return SEMA_ERR(s, type_mismatch, a->loc, d_type(ty_color), d_type(v.type)), false;
    if (!known_int(s, v, "the color", 0, N_COLOR - 1, a->loc, &c)) return false;
    *color = (int)c;
    return true;
}

/* @set_rectangle comes first; when it was refused, that was said */
static Value no_size(Sema *s, AstNode *n)
{
    if (s->prog->pl->refused) return V_NONE;
    return SEMA_ERR(s, rect_first, n->loc);
}

static bool coord_args(Sema *s, Scope *sc, AstNode *n, int64_t *x, int64_t *y)
{
    Placement *pl = s->prog->pl;
    if (!pl->w) return no_size(s, n), false;
    if (!eval_known_int(s, sc, ARG(0), "x", INT32_MIN, INT32_MAX, x) || !eval_known_int(s, sc, ARG(1), "y", INT32_MIN, INT32_MAX, y)) return false;
    if (*x < 0 || *y < 0 || *x >= pl->w || *y >= pl->h)
        return SEMA_ERR(s, outside_rect, n->loc, d_int(*x), d_int(*y), d_uint(pl->w), d_uint(pl->h)), false;
    return true;
}

static Value set_tile_code(Sema *s, Scope *sc, AstNode *n)
{
    int64_t x, y;
    if (!coord_args(s, sc, n, &x, &y)) return V_NONE;
    if (NARGS == 2) return place_tile(s, (uint32_t)x, (uint32_t)y, sc->mod->file, NULL, n->loc), v_void();
    Value f = eval_expr(s, sc, ARG(2), NULL), p = V_NONE;
    if (f.kind == V_ERR) return f;
    if (f.kind != V_STR) return SEMA_ERR(s, type_mismatch, ARG(2)->loc, d_str("a file name"), d_type(f.type));
    if (NARGS == 4) {
        p = eval_expr(s, sc, ARG(3), NULL);
        if (p.kind == V_ERR) return p;
        if (p.kind == V_VOID) p = V_NONE;
        else if (p.kind != V_AGG || p.type->kind != TY_STRUCT) return SEMA_ERR(s, type_mismatch, ARG(3)->loc, d_str("a struct"), d_type(p.type));
    }
    if (s->last_file_name != f.u.s || s->last_file_mod != sc->mod) { /* one look-up for a whole loop */
        s->last_file = module_file(s, sc->mod, f.u.s, ARG(2)->loc);
        s->last_file_name = f.u.s;
        s->last_file_mod = sc->mod;
    }
    if (s->last_file) place_tile(s, (uint32_t)x, (uint32_t)y, s->last_file, p.kind == V_AGG ? &p : NULL, n->loc);
    return v_void();
}

static Value extent_value(Sema *s, uint32_t w, uint32_t h)
{
    Field f[2] = {{.name = intern(s->prog->in, "width"), .type = ty_u16}, {.name = intern(s->prog->in, "height"), .type = ty_u16}};
    Value v = v_agg(s, type_struct(s->prog, NULL, NULL, 2, f, false), 2);
    v.u.agg[0] = v_int(ty_u16, w);
    v.u.agg[1] = v_int(ty_u16, h);
    return v;
}

static Value rectangle(Sema *s, AstNode *n)
{
    Placement *pl = s->prog->pl;
    if (!pl->w) return no_size(s, n);
    const int *dims = s->prog->fabric, *at = s->prog->fabric + 2;
    Value size = extent_value(s, pl->w, pl->h), fabric = dims[0] ? extent_value(s, (uint32_t)dims[0], (uint32_t)dims[1]) : size;
    Value parts[4] = {*agg_at(&size, 0), *agg_at(&size, 1), fabric, extent_value(s, (uint32_t)at[0], (uint32_t)at[1])};
    static const char *const names[4] = {"width", "height", "fabric", "offsets"};
    Field f[4] = {{0}};
    for (int i = 0; i < 4; i++) f[i] = (Field){.name = intern(s->prog->in, names[i]), .type = parts[i].type};
    Value v = v_agg(s, type_struct(s->prog, NULL, NULL, 4, f, false), 4);
    for (int i = 0; i < 4; i++) v.u.agg[i] = parts[i];
    return v;
}

Value layout_builtin(Sema *s, Scope *sc, AstNode *n, int bi)
{
    int64_t x, y;
    int c;
    RouteCfg route;
    if (bi == BI_get_rectangle) return rectangle(s, n);
    if (bi == BI_set_local_color_config) {
        if (!s->in_comptime || (s->fn && s->fn->ir)) return SEMA_ERR(s, comptime_only, n->loc, d_str("set_local_color_config"));
        if (!s->ir || !color_arg(s, sc, ARG(0), &c)) return s->ir ? V_NONE : v_void();
        Value cfg = eval_expr(s, sc, ARG(1), NULL);
        if (!route_of(s, &cfg, c, n->loc, &route)) return V_NONE;
        if (route.none) return v_void();
        uint32_t w = s->prog->pl->w;
        for (uint32_t i = 0; i < s->npes; i++) place_route(s, s->pes[i] % w, s->pes[i] / w, c, &route, n->loc);
        return v_void();
    }
    if (!s->in_layout) return SEMA_ERR(s, layout_only, n->loc, d_str(n->u.builtin.name));
    switch (bi) {
    case BI_set_rectangle:
        if (!eval_known_int(s, sc, ARG(0), "the width", INT32_MIN, INT32_MAX, &x) ||
            !eval_known_int(s, sc, ARG(1), "the height", INT32_MIN, INT32_MAX, &y)) {
            s->prog->pl->refused = true;
            return V_NONE;
        }
        place_size(s, x, y, n->loc);
        return v_void();
    case BI_set_tile_code: return set_tile_code(s, sc, n);
    case BI_set_color_config: {
        if (!coord_args(s, sc, n, &x, &y) || !color_arg(s, sc, ARG(2), &c)) return V_NONE;
        Value cfg = eval_expr(s, sc, ARG(3), NULL);
        if (route_of(s, &cfg, c, n->loc, &route) && !route.none) place_route(s, (uint32_t)x, (uint32_t)y, c, &route, n->loc);
        return v_void();
    }
    case BI_export_name: { /* a promise to the host; each class exports what it has */
        Value v = eval_expr(s, sc, ARG(0), NULL);
        if (v.kind == V_ERR) return v;
        if (v.kind != V_STR) return SEMA_ERR(s, type_mismatch, ARG(0)->loc, d_str("a string"), d_type(v.type));
        Type *t = eval_type(s, sc, ARG(1));
        bool writable = t && t->kind == TY_POINTER;
        if (t && NARGS == 3 && !eval_known_bool(s, sc, ARG(2), &writable)) return V_NONE;
        if (t && s->prog->exported) s->prog->exported(s->prog->exported_user, v.u.s, t->name, writable);
        return v_void();
    }
    default: return SEMA_ERR(s, builtin_not_built, n->loc, d_str(n->u.builtin.name));
    }
}

/* ---- rectangles */
typedef struct { uint32_t x, y, w, h, v; } Rect;
static int by_yx(const void *a, const void *b)
{
    const Rect *p = a, *q = b;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

void rects_merge(const uint32_t *v, uint32_t w, uint32_t h, RectFn *f, void *user)
{
    Rect *done = NULL, *open = NULL, *next = NULL;
    for (uint32_t y = 0; y <= h; y++) {
        ptrdiff_t o = 0;
        arrsetlen(next, 0);
        for (uint32_t x = 0; y < h && x < w;) {
            uint32_t e = x, k = v[(size_t)y * w + x];
            while (e < w && v[(size_t)y * w + e] == k) e++;
            if (k) {
                while (o < arrlen(open) && open[o].x < x) { arrput(done, open[o]); o++; }
                Rect r = {x, y, e - x, 1, k};
                if (o < arrlen(open) && open[o].x == x && open[o].w == e - x && open[o].v == k) {
                    r = open[o++];
                    r.h++;
                }
                arrput(next, r);
            }
            x = e;
        }
        for (; o < arrlen(open); o++) arrput(done, open[o]);
        Rect *t = open;
        open = next;
        next = t;
    }
    if (arrlen(done)) qsort(done, (size_t)arrlen(done), sizeof *done, by_yx);
    for (ptrdiff_t i = 0; i < arrlen(done); i++) f(user, done[i].x, done[i].y, done[i].w, done[i].h, done[i].v);
    arrfree(done);
    arrfree(open);
    arrfree(next);
}
