/* frontend/sema_route.c: what @set_color_config and @set_local_color_config say: routes, switches, filter, teardown, as the
 * machine wants it (WsRoute in obj.h); and the routes of all PEs.  Equal configurations are one record, named by number. */
#include "frontend/sema_place.h"
#include <string.h>

static const char *const dir_names[] = {"WEST", "EAST", "SOUTH", "NORTH", "RAMP"};
static const char *slot_text(Arena *a, const RouteCfg *c)
{
    Buf b = {0};
    buf_printf(&b, "from %s to", dir_names[slot_rx(c->slot) % N_DIR]);
    for (int d = 0; d < N_DIR; d++)
        if (slot_tx(c->slot) >> d & 1) buf_printf(&b, " %s", dir_names[d]);
    const char *r = arena_strdup(a, b.p);
    buf_free(&b);
    return r;
}

static uint32_t cfg_number(Placement *pl, const RouteCfg *c)
{
    ptrdiff_t i = hmgeti(pl->cfg_of, *c);
    if (i >= 0) return pl->cfg_of[i].value;
    arrput(pl->cfgs, *c);
    hmput(pl->cfg_of, *c, (uint32_t)arrlen(pl->cfgs));
    return (uint32_t)arrlen(pl->cfgs);
}

void place_route(Sema *s, uint32_t x, uint32_t y, int color, const RouteCfg *cfg, Loc loc)
{
    Placement *pl = s->prog->pl;
    size_t n = (size_t)pl->w * pl->h, pe = (size_t)y * pl->w + x;
    if (!pl->route[color]) {
        pl->route[color] = ARENA_ARR(s->prog->arena, uint32_t, n);
        pl->route_loc[color] = ARENA_ARR(s->prog->arena, uint32_t, n);
    }
    uint32_t old = pl->route[color][pe], now = cfg_number(pl, cfg);
    if (old && old != now) {
        SEMA_ERR(s, route_conflict, loc, d_int(color), d_str(slot_text(s->arena, &pl->cfgs[old - 1])), d_str(arena_printf(s->arena, "(%u, %u)", x, y)));
        SEMA_NOTE(s, note_first, pl->locs[pl->route_loc[color][pe]], d_str("the route"));
        return;
    }
    if (!old && cfg->filter.kind) {
        if (!pl->filters) pl->filters = ARENA_ARR(s->prog->arena, uint8_t, n);
        if (++pl->filters[pe] > N_FILTER) SEMA_ERR(s, too_many_filters, loc, d_int(N_FILTER), d_str(arena_printf(s->arena, "(%u, %u)", x, y)));
    }
    ptrdiff_t k = arrlen(pl->locs);
    if (!k || memcmp(&pl->locs[k - 1], &loc, sizeof loc)) arrput(pl->locs, loc), k++;
    pl->route[color][pe] = now;
    pl->route_loc[color][pe] = (uint32_t)k - 1;
}

/* The swap of a pair of colors stands in the routes of both. */
void routes_check(Program *p)
{
    enum { SWAP = SLOT_SWAP_NS | SLOT_SWAP_EW };
    Placement *pl = p->pl;
    for (int c = 0; c < N_COLOR; c++)
        for (size_t i = 0, n = (size_t)pl->w * pl->h; pl->route[c] && i < n; i++) {
            uint32_t a = pl->route[c][i], b = pl->route[c ^ 1] ? pl->route[c ^ 1][i] : 0;
            unsigned x = a ? pl->cfgs[a - 1].slot & SWAP : 0, y = b ? pl->cfgs[b - 1].slot & SWAP : 0;
            if (x == y || !x) continue;
            FE_DIAG(p->d, swap_pair, pl->locs[pl->route_loc[c][i]], d_int(c), d_int(c ^ 1), d_uint(i % pl->w), d_uint(i / pl->w));
            break;
        }
}

/* ---- reading a configuration */
typedef struct { Sema *s; Loc loc; int color; RouteCfg *out; } Cx;

static bool dir_of(Cx *c, Value v, int *d)
{
    if (v.kind == V_SYM) v = decide(c->s, v, c->loc);
    if (v.kind == V_INT && v.type == ty_direction) return *d = (int)v.u.i, true;
    if (v.kind != V_ERR) SEMA_ERR(c->s, type_mismatch, c->loc, d_type(ty_direction), d_type(v.type));
    return false;
}

static bool dirs_of(Cx *c, Value v, unsigned *mask)
{
    int d;
    *mask = 0;
    if (v.kind != V_AGG) return dir_of(c, v, &d) && (*mask = 1u << d, true);
    for (uint32_t i = 0; i < v.n; i++) {
        if (!dir_of(c, *agg_at(&v, i), &d)) return false;
        *mask |= 1u << d;
    }
    return true;
}

static bool flag_of(Cx *c, const Value *v, const char *name, bool *on)
{
    int64_t k = 0;
    Value f = opt_field(c->s, v, name);
    if (f.kind == V_ERR) return *on = false, true;
    if (!known_int(c->s, f, name, 0, 1, c->loc, &k)) return false;
    return *on = k, true;
}

static bool number_of(Cx *c, const Value *v, const char *what, const char *name, bool need, int64_t *k)
{
    Value f = opt_field(c->s, v, name);
    if (f.kind == V_ERR) return !need || (SEMA_ERR(c->s, field_missing, c->loc, d_str(what), d_str(name)), false);
    return known_int(c->s, f, name, 0, 65535, c->loc, k);
}

/* only these fields; later: known, not built */
static bool fields_ok(Cx *c, const Value *v, const char *what, const char *const *known, const char *const *later)
{
    if (v->kind != V_AGG || v->type->kind != TY_STRUCT || (v->type->tuple && v->n)) return SEMA_ERR(c->s, type_mismatch, c->loc, d_str("a struct"), d_type(v->type)), false;
    for (uint32_t i = 0; i < v->type->nfields; i++) {
        const char *f = v->type->fields[i].name;
        bool ok = false;
        for (const char *const *k = known; *k; k++) ok |= !strcmp(*k, f);
        for (const char *const *k = later; k && *k; k++)
            if (!strcmp(*k, f)) return SEMA_ERR(c->s, not_built, c->loc, d_str(arena_printf(c->s->arena, ".%s of %s", f, what))), false;
        if (!ok) return SEMA_ERR(c->s, no_field, c->loc, d_str(what), d_str(f)), false;
    }
    return true;
}

/* Directions written as a number: outputs in bits 0 to 4, inputs in 5 to 9 (<directions>).  false: an error */
static bool bits_of(Cx *c, Value v, const char *what, unsigned *tx, unsigned *rx)
{
    int64_t k;
    if (!known_int(c->s, v, what, 0, 1023, c->loc, &k)) return false;
    *tx = (unsigned)k & 31, *rx = (unsigned)k >> 5;
    return true;
}
static bool is_number(const Value *v) { return v->kind == V_SYM || (v->kind == V_INT && v->type != ty_direction); }

static bool routes_of(Cx *c, const Value *r)
{
    static const char *const known[] = {"rx", "tx", "color_swap_x", "color_swap_y", NULL};
    Sema *s = c->s;
    unsigned rm, tm;
    bool ew = false, ns = false;
    if (is_number(r)) {
        if (!bits_of(c, *r, ".routes", &tm, &rm)) return false;
    } else {
        if (!fields_ok(c, r, ".routes", known, NULL)) return false;
        Value rx = opt_field(s, r, "rx"), tx = opt_field(s, r, "tx");
        if (rx.kind == V_ERR) return SEMA_ERR(s, field_missing, c->loc, d_str(".routes"), d_str("rx")), false;
        if (tx.kind == V_ERR) return SEMA_ERR(s, field_missing, c->loc, d_str(".routes"), d_str("tx")), false;
        if (!dirs_of(c, rx, &rm) || !dirs_of(c, tx, &tm) || !flag_of(c, r, "color_swap_x", &ew) || !flag_of(c, r, "color_swap_y", &ns)) return false;
    }
    c->out->none = !rm && !tm;
    if (c->out->none) return true;
    if (!rm) return SEMA_ERR(s, route_rx, c->loc), false;
    /* where colors are swapped, what comes back is of the other color */
    unsigned swapped = (ew ? 1u << DIR_WEST | 1u << DIR_EAST : 0) | (ns ? 1u << DIR_NORTH | 1u << DIR_SOUTH : 0);
    unsigned back = rm & tm & ~(1u << DIR_RAMP) & ~swapped;
    if (back) return SEMA_ERR(s, route_back, c->loc, d_str(dir_names[__builtin_ctz(back)])), false;
    if ((ew || ns) && s->prog->arch.id == ARCH_WSE3) return SEMA_ERR(s, swap_wse2, c->loc), false;
    int d = __builtin_ctz(rm);
    c->out->slot = (uint16_t)(slot_word((Dir)d, tm) | (ew ? SLOT_SWAP_EW : 0) | (ns ? SLOT_SWAP_NS : 0));
    c->out->rx_more = (uint8_t)(rm & ~(1u << d));
    return true;
}

/* one position: 4 bits of the switch word */
static bool position_of(Cx *c, const Value *v, unsigned *bits)
{
    static const char *const known[] = {"rx", "tx", "invalid", NULL};
    *bits = SW_NONE;
    if (is_number(v)) {
        unsigned t, r;
        if (!bits_of(c, *v, "a switch position", &t, &r)) return false;
        const unsigned all = t | r << 5;                 /* 0: there is none */
        if (all & (all - 1)) return SEMA_ERR(c->s, switch_one, c->loc), false;
        if (all) *bits = r ? (unsigned)__builtin_ctz(r) | SW_RX : (unsigned)__builtin_ctz(t);
        return true;
    }
    if (!fields_ok(c, v, "a switch position", known, NULL)) return false;
    Value rx = opt_field(c->s, v, "rx"), tx = opt_field(c->s, v, "tx");
    bool invalid;
    unsigned mask = 0;
    if (!flag_of(c, v, "invalid", &invalid)) return false;
    int given = (rx.kind != V_ERR) + (tx.kind != V_ERR) + invalid;
    if (given == 1 && invalid) return true;
    if (given == 1 && !dirs_of(c, rx.kind != V_ERR ? rx : tx, &mask)) return false;
    if (given != 1 || !mask || mask & (mask - 1)) return SEMA_ERR(c->s, switch_one, c->loc), false;
    *bits = (unsigned)__builtin_ctz(mask) | (rx.kind != V_ERR ? SW_RX : 0);
    return true;
}

static bool pop_of(Cx *c, const Value *v)
{
    static const char *const names[] = {"no_pop", "always_pop", "pop_on_advance", "pop_on_advance_nop", NULL};   /* by PopMode */
    if (!fields_ok(c, v, ".pop_mode", names, NULL)) return false;
    int n = 0, mode = 0;
    for (int i = 0; names[i]; i++) {
        bool on;
        if (!flag_of(c, v, names[i], &on)) return false;
        if (on) n++, mode = i;
    }
    if (n > 1) return SEMA_ERR(c->s, pop_mode, c->loc), false;
    c->out->slot |= (uint16_t)(mode << SLOT_POP_AT);
    return true;
}

static bool switches_of(Cx *c, const Value *v)
{
    static const char *const known[] = {"pos1", "pos2", "pos3", "ring_mode", "pop_mode", "current_switch_pos", NULL};
    Sema *s = c->s;
    if (!fields_ok(c, v, ".switches", known, NULL)) return false;
    unsigned word = SW_UNDEFINED;
    int last = 0;
    for (int k = 1; k < SW_POSITIONS; k++) {
        unsigned bits;
        Value p = opt_field(s, v, known[k - 1]);
        if (p.kind == V_ERR) continue;
        if (!position_of(c, &p, &bits)) return false;
        word = (word & ~(15u << 4 * (k - 1))) | bits << 4 * (k - 1);
        if ((bits & 7) == SW_NONE) continue;
        if (last != k - 1) return SEMA_ERR(s, switch_gap, c->loc, d_int(k), d_int(k - 1)), false;
        last = k;
    }
    bool ring;
    int64_t at = 0;
    Value pop = opt_field(s, v, "pop_mode");
    if (!flag_of(c, v, "ring_mode", &ring) || !number_of(c, v, ".switches", "current_switch_pos", false, &at)) return false;
    if (pop.kind != V_ERR && !pop_of(c, &pop)) return false;
    if (at > last) return SEMA_ERR(s, out_of_range, c->loc, d_str("current_switch_pos"), d_int(at), d_int(0), d_int(last)), false;
    if (last && !arch_has_switch(&s->prog->arch, c->color)) return SEMA_ERR(s, switch_color, c->loc, d_int(c->color)), false;
    c->out->slot |= SLOT_SWITCH;
    c->out->sw = (uint16_t)(word | (ring ? SW_RING : 0) | (unsigned)at << SW_AT);
    return true;
}

/* a counter filter and a sparse one: the numbers and flags that they share */
static bool counter_of(Cx *c, const Value *v, bool sparse)
{
    static const char *const counter[] = {"kind", "limit1", "max_counter", "init_counter", "count_data", "count_control", "filter_control", "fast_mode", NULL};
    static const char *const more[] = {"kind", "limit1", "limit2", "max_counter", "init_counter", "count_data", "count_control", "fast_mode", NULL};
    const char *what = sparse ? "a sparse counter filter" : "a counter filter";
    int64_t init = 0, max = 0, limit = 0, limit2 = 0;
    bool data, control, only, fast;                      /* fast: no filter here takes time */
    if (!fields_ok(c, v, what, sparse ? more : counter, NULL) || !flag_of(c, v, "fast_mode", &fast)) return false;
    if (!number_of(c, v, what, "init_counter", false, &init) || !number_of(c, v, what, "max_counter", false, &max) ||
        !number_of(c, v, what, "limit1", false, &limit) || !number_of(c, v, what, "limit2", false, &limit2)) return false;
    if (!flag_of(c, v, "count_data", &data) || !flag_of(c, v, "count_control", &control) || !flag_of(c, v, "filter_control", &only)) return false;
    c->out->filter = (WsFilter){sparse ? FILTER_SPARSE : FILTER_COUNTER,
                                (uint8_t)((data ? FILTER_DATA : 0) | (control ? FILTER_CONTROL : 0) | (only ? FILTER_CONTROL_ONLY : 0)),
                                (uint16_t)init, (uint16_t)max, (uint16_t)limit, (uint16_t)limit2};
    return true;
}

static bool filter_of(Cx *c, const Value *v)
{
    static const char *const kinds[] = {"counter", "range", "sparse_counter", NULL};
    static const char *const ranged[] = {"kind", "min_idx", "max_idx", "fast_mode", NULL};
    Sema *s = c->s;
    Value kind = opt_field(s, v, "kind");
    if (kind.kind == V_ERR) return SEMA_ERR(s, field_missing, c->loc, d_str(".filter"), d_str("kind")), false;
    bool on[3], fast;
    if (!fields_ok(c, &kind, "the kind of a filter", kinds, NULL)) return false;
    for (int i = 0; i < 3; i++)
        if (!flag_of(c, &kind, kinds[i], &on[i])) return false;
    if (on[0] + on[1] + on[2] != 1) return SEMA_ERR(s, filter_kind, c->loc), false;
    if (!on[1]) return counter_of(c, v, on[2]);
    int64_t lo = 0, hi = 0;
    if (!fields_ok(c, v, "a range filter", ranged, NULL) || !flag_of(c, v, "fast_mode", &fast)) return false;
    if (!number_of(c, v, "a range filter", "min_idx", true, &lo) || !number_of(c, v, "a range filter", "max_idx", true, &hi)) return false;
    c->out->filter = (WsFilter){FILTER_RANGE, 0, 0, (uint16_t)hi, (uint16_t)lo, 0};
    return true;
}

bool route_of(Sema *s, const Value *cfg, int color, Loc loc, RouteCfg *out)
{
    static const char *const known[] = {"routes", "switches", "filter", "teardown", NULL};
    Cx c = {s, loc, color, out};
    memset(out, 0, sizeof *out);
    if (cfg->kind == V_ERR || !fields_ok(&c, cfg, "a color configuration", known, NULL)) return false;
    Value r = opt_field(s, cfg, "routes"), sw = opt_field(s, cfg, "switches"), f = opt_field(s, cfg, "filter");
    bool shut;
    if (r.kind == V_ERR) return SEMA_ERR(s, field_missing, loc, d_str("a color configuration"), d_str("routes")), false;
    if (!routes_of(&c, &r) || (sw.kind != V_ERR && !switches_of(&c, &sw)) || (f.kind != V_ERR && !filter_of(&c, &f))) return false;
    if (!flag_of(&c, cfg, "teardown", &shut)) return false;
    if (shut) out->slot |= SLOT_SHUT;
    return true;
}

/* @get_filter_id(color): how many colors below this one have a filter; the same at all PEs of the class */
Value filter_id(Sema *s, Scope *sc, AstNode *n)
{
    AstNode *a = n->u.builtin.args.v[0];
    Value v = eval_as(s, sc, a, ty_color);
    int64_t c;
    if (v.kind == V_ERR || !known_int(s, v, "the color", 0, N_COLOR - 1, a->loc, &c)) return V_NONE;
    Placement *pl = s->prog->pl;
    int id = -1;
    for (uint32_t i = 0; i < s->npes; i++) {
        int below = 0;
        bool has = false;
        for (int k = 0; k <= c; k++) {
            uint32_t cfg = pl->route[k] ? pl->route[k][s->pes[i]] : 0;
            has = cfg && pl->cfgs[cfg - 1].filter.kind;
            below += has && k < c;
        }
        if (!has || (i && below != id)) return SEMA_ERR(s, filter_none, n->loc, d_int(c), d_str(has ? "has filters of different numbers at" : "has no filter at"));
        id = below;
    }
    return v_int(ty_u16, id < 0 ? 0 : id);
}
