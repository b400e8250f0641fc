/* Router tables as a picture: per color a grid of PEs, north above.
 *
 *        0   1   2          ●  words come from the core      ○  go to the core      ◉  both      ·  no route
 *   0    ●→ →─→ →○          an arrow at a side of a cell: how words move there; a line: they pass through
 *
 * In a large rectangle runs of equal columns and rows are drawn once, with their range. */
#include "link.h"
#include <stdlib.h>
#include <string.h>

enum { WHOLE = 16, SHOWN_MAX = 48, CELL = 4 };
typedef struct { uint32_t lo, hi; } Run;
typedef struct { const WsObj *o; uint16_t *slot; Run *cols, *rows; int cell; } Pic;

static uint16_t slot_at(const Pic *p, uint32_t x, uint32_t y) { return p->slot[(size_t)y * p->o->w + x]; }

static bool same_cols(const Pic *p, uint32_t a, uint32_t b)
{
    for (uint32_t y = 0; y < p->o->h; y++)
        if (slot_at(p, a, y) != slot_at(p, b, y)) return false;
    return true;
}

static bool same_rows(const Pic *p, uint32_t a, uint32_t b)
{
    return memcmp(p->slot + (size_t)a * p->o->w, p->slot + (size_t)b * p->o->w, p->o->w * sizeof *p->slot) == 0;
}

static Run *runs(const Pic *p, uint32_t n, bool (*same)(const Pic *, uint32_t, uint32_t))
{
    Run *v = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (i && n > WHOLE && same(p, i - 1, i)) v[arrlen(v) - 1].hi = i;
        else arrput(v, ((Run){i, i}));
    }
    return v;
}

/* ---- one cell: marks at its sides and in its middle */
static const char *side(uint16_t s, Dir d)
{
    static const char *const out[] = {"←", "→", "↓", "↑"}, *const in[] = {"→", "←", "↑", "↓"}, *const both[] = {"↔", "↔", "↕", "↕"};
    if (!slot_valid(s)) return NULL;
    bool tx = slot_tx(s) >> d & 1, rx = slot_rx(s) == d;
    return tx && rx ? both[d] : tx ? out[d] : rx ? in[d] : NULL;
}

static const char *middle(uint16_t s)
{
    /* bits: west, east, south, north */
    static const char *const line[16] = {"·", "╴", "╶", "─", "╷", "┐", "┌", "┬", "╵", "┘", "└", "┴", "│", "┤", "├", "┼"};
    if (!slot_valid(s)) return "·";
    bool up = slot_rx(s) == DIR_RAMP, down = slot_tx(s) >> DIR_RAMP & 1;
    if (up || down) return up && down ? "◉" : up ? "●" : "○";
    return line[(slot_tx(s) | 1u << slot_rx(s)) & 15];
}

static void spaces(int n, FILE *out) { fprintf(out, "%*s", n > 0 ? n : 0, ""); }

static void label(Run r, char *b, size_t n)
{
    if (r.lo == r.hi) snprintf(b, n, "%u", r.lo);
    else snprintf(b, n, "%u-%u", r.lo, r.hi);
}

enum { MARGIN = 10 };

/* part: 0 north marks, 1 the middle, 2 south marks */
static void cell_row(const Pic *p, Run row, int part, ptrdiff_t ncols, FILE *out)
{
    char name[24];
    bool any = part == 1;
    for (ptrdiff_t i = 0; i < ncols && !any; i++) any = side(slot_at(p, p->cols[i].lo, row.lo), part ? DIR_SOUTH : DIR_NORTH);
    if (!any) return;
    label(row, name, sizeof name);
    fprintf(out, "%*s", MARGIN, part == 1 ? name : "");
    int pad = p->cell - 3, owed = 0;
    for (ptrdiff_t i = 0; i < ncols; i++) {
        uint16_t s = slot_at(p, p->cols[i].lo, row.lo);
        const char *w = part == 1 ? side(s, DIR_WEST) : NULL, *e = part == 1 ? side(s, DIR_EAST) : NULL;
        const char *m = part == 1 ? middle(s) : side(s, part ? DIR_SOUTH : DIR_NORTH);
        owed += pad;
        const char *three[3] = {w, m, e};
        for (int k = 0; k < 3; k++) {
            if (!three[k]) {
                owed++;
                continue;
            }
            spaces(owed, out);
            owed = 0;
            fputs(three[k], out);
        }
    }
    fputc('\n', out);
}

static void header(const Pic *p, ptrdiff_t ncols, FILE *out)
{
    char name[24];
    fprintf(out, "%*s", MARGIN, "y \\ x");
    for (ptrdiff_t i = 0; i < ncols; i++) {
        label(p->cols[i], name, sizeof name);
        fprintf(out, "%*s", p->cell, name);
    }
    fputc('\n', out);
}

/* ---- what routes there are, in words, most PEs first */
typedef struct { uint32_t slot, n; } Kind;

static int more_first(const void *a, const void *b)
{
    const Kind *x = a, *y = b;
    if (x->n != y->n) return x->n > y->n ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot;
}

static void kinds(const Pic *p, FILE *out)
{
    static const char *const dir[N_DIR] = {"west", "east", "south", "north", "ramp"};
    uint32_t *count = ws_xmalloc(65536 * sizeof *count);
    Kind *v = NULL;
    for (size_t i = 0; i < (size_t)p->o->w * p->o->h; i++) count[p->slot[i]]++;
    for (uint32_t s = 1; s < 65536; s++)
        if (count[s]) arrput(v, ((Kind){s, count[s]}));
    qsort(v, (size_t)arrlen(v), sizeof *v, more_first);
    for (ptrdiff_t i = 0; i < arrlen(v); i++) {
        uint16_t s = (uint16_t)v[i].slot;
        fprintf(out, "  %s →", dir[slot_rx(s)]);
        for (int d = 0; d < N_DIR; d++)
            if (slot_tx(s) >> d & 1) fprintf(out, " %s", dir[d]);
        if (!slot_tx(s)) fprintf(out, " nowhere");
        fprintf(out, "%s: %u PE%s\n", s & SLOT_SWITCH ? " (switched)" : "", v[i].n, v[i].n == 1 ? "" : "s");
    }
    arrfree(v);
    free(count);
}

/* what a route has beyond its directions, a line a rectangle */
static void more(const WsRoute *r, FILE *out)
{
    static const char *const dir[N_DIR] = {"west", "east", "south", "north", "ramp"};
    static const char *const pops[] = {"none", "always", "advance", "?"};
    if (!(r->slot & SLOT_MORE) && !r->rx_more && !r->filter.kind) return;
    fprintf(out, "  (%u, %u) %u x %u:", r->x, r->y, r->w, r->h);
    for (int d = 0; d < N_DIR; d++)
        if (r->rx_more >> d & 1) fprintf(out, " also from %s;", dir[d]);
    for (int k = 1; k < SW_POSITIONS && r->slot & SLOT_SWITCH; k++)
        if (sw_defined(r->sw, k)) fprintf(out, " pos%d %s %s;", k, sw_pos(r->sw, k) & SW_RX ? "rx" : "tx", dir[sw_pos(r->sw, k) & 7]);
    if (r->slot & SLOT_SWITCH) fprintf(out, "%s starts at %d;", r->sw & SW_RING ? " ring;" : "", sw_at(r->sw));
    if (slot_pop(r->slot)) fprintf(out, " pop %s;", pops[slot_pop(r->slot)]);
    if (r->slot & SLOT_SWAP_EW) fprintf(out, " swap west and east;");
    if (r->slot & SLOT_SWAP_NS) fprintf(out, " swap north and south;");
    if (r->slot & SLOT_SHUT) fprintf(out, " closed at boot;");
    if (r->filter.kind == FILTER_RANGE) fprintf(out, " filter range %u to %u;", r->filter.limit, r->filter.max);
    if (r->filter.kind == FILTER_COUNTER || r->filter.kind == FILTER_SPARSE)
        fprintf(out, " filter %s from %u, through up to %u, back after %u, counts%s%s;", r->filter.kind == FILTER_SPARSE ? "sparse counter" : "counter", r->filter.init, r->filter.max, r->filter.limit,
                r->filter.counts & FILTER_DATA ? " data" : "", r->filter.counts & FILTER_CONTROL ? " control" : "");
    if (r->filter.limit2) fprintf(out, " then after %u;", r->filter.limit2);
    if (r->filter.counts & FILTER_CONTROL_ONLY) fprintf(out, " control words alone, at %u;", r->filter.max);
    fprintf(out, "\n");
}

static void color_picture(Pic *p, int color, FILE *out)
{
    char name[24];
    p->cols = runs(p, p->o->w, same_cols);
    p->rows = runs(p, p->o->h, same_rows);
    ptrdiff_t nc = arrlen(p->cols), nr = arrlen(p->rows), c = nc < SHOWN_MAX ? nc : SHOWN_MAX, r = nr < SHOWN_MAX ? nr : SHOWN_MAX;
    p->cell = CELL;
    for (ptrdiff_t i = 0; i < c; i++) {
        label(p->cols[i], name, sizeof name);
        if ((int)strlen(name) + 1 > p->cell) p->cell = (int)strlen(name) + 1;
    }
    fprintf(out, "color %d\n", color);
    kinds(p, out);
    for (uint32_t i = 0; i < p->o->nroutes; i++)
        if (p->o->routes[i].color == color) more(&p->o->routes[i], out);
    header(p, c, out);
    for (ptrdiff_t i = 0; i < r; i++)
        for (int part = 0; part < 3; part++) cell_row(p, p->rows[i], part, c, out);
    if (c < nc || r < nr) fprintf(out, "  (only the first %td of %td different columns and %td of %td different rows are drawn)\n", c, nc, r, nr);
    arrfree(p->cols);
    arrfree(p->rows);
}

void dump_routes(const WsObj *o, FILE *out)
{
    Pic p = {.o = o, .slot = ws_xmalloc((size_t)o->w * o->h * sizeof(uint16_t))};
    bool any = false;
    for (int color = 0; color < N_COLOR; color++) {
        bool routed = false;
        memset(p.slot, 0, (size_t)o->w * o->h * sizeof *p.slot);
        for (uint32_t i = 0; i < o->nroutes; i++) {
            const WsRoute *r = &o->routes[i];
            if (r->color != color) continue;
            routed = any = true;
            for (uint32_t y = r->y; y < (uint32_t)r->y + r->h; y++)
                for (uint32_t x = r->x; x < (uint32_t)r->x + r->w; x++) p.slot[(size_t)y * o->w + x] = r->slot;
        }
        if (routed) color_picture(&p, color, out);
    }
    if (!any) fprintf(out, "no color is routed\n");
    free(p.slot);
}
