/* Soundness of an object in memory: every address, count, id and rectangle against the machine and each other.
 * The one idea: reader and writer use the same walk, so what is written can be read. */
#include "obj_int.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BAD(...) return arena_printf(o->arena, __VA_ARGS__)

static bool name_ok(const char *s)
{
    if (!s || !*s || strlen(s) > NAME_MAX_BYTES) return false;
    for (; *s; s++)
        if ((unsigned char)*s < 0x20 || *s == 0x7f) return false;
    return true;
}

/* ---- one class */
typedef struct { const char *what; uint32_t lo, n; } Span;

static const char *check_sections(const WsObj *o, const WsClass *c)
{
    uint32_t mem = (uint32_t)AP(&o->arch, mem_bytes);
    const Span s[3] = {{"text", c->text_addr, c->text_bytes}, {"data", c->data_addr, c->data_bytes}, {"bss", c->bss_addr, c->bss_bytes}};
    if (c->text_bytes % 4 || c->text_addr % 4) BAD("class %s: text is not whole instructions", c->name);
    for (int i = 0; i < 3; i++) {
        if (s[i].n > mem || s[i].lo + s[i].n > mem)
            BAD("class %s: %s of %u bytes at 0x%x does not fit %u bytes of memory", c->name, s[i].what, s[i].n, s[i].lo, mem);
        for (int k = 0; k < i; k++)
            if (s[i].n && s[k].n && s[i].lo < s[k].lo + s[k].n && s[k].lo < s[i].lo + s[i].n)
                BAD("class %s: %s and %s overlap", c->name, s[k].what, s[i].what);
    }
    if (c->uses & ~(uint32_t)USES_CLASS) BAD("class %s: uses 0x%x of the machine", c->name, c->uses);
    if (c->stack_bytes > mem) BAD("class %s: a stack of %u bytes", c->name, c->stack_bytes);
    return NULL;
}

static const char *check_syms(const WsObj *o, const WsClass *c)
{
    uint32_t mem = (uint32_t)AP(&o->arch, mem_bytes);
    for (uint32_t i = 0; i < c->nsyms; i++) {
        const WsSym *s = &c->syms[i];
        if (!name_ok(s->name)) BAD("class %s: symbol %u has no proper name", c->name, i);
        if (s->type > WT_BYTES) BAD("class %s: symbol %s has type %d", c->name, s->name, (int)s->type);
        if (s->size_bytes > mem || s->addr + s->size_bytes > mem)
            BAD("class %s: symbol %s of %u bytes at 0x%x is outside memory", c->name, s->name, s->size_bytes, s->addr);
    }
    return NULL;
}

static bool code_addr_ok(const WsClass *c, uint16_t a)
{
    return a % 4 == 0 && a >= c->text_addr && a < c->text_addr + c->text_bytes;
}

static bool task_id_ok(const Arch *a, int id)
{
    if (id & TASK_DATA) return id < 64 && (id & 31) < AP(a, data_ids);
    return id >= AP(a, local_id_min) && id <= AP(a, local_id_max);
}

/* what a data task rotates with: control task 0 of its queue's table */
static const char *check_rotate(const WsObj *o, const WsClass *c, const WsBoot *r, uint64_t *seen)
{
    int base = 0;
    bool task = false, alt = false;
    for (uint32_t i = 0; i < c->nboot; i++)
        if (c->boot[i].kind == BOOT_IQ && c->boot[i].id == (r->id & 31)) base = c->boot[i].addr;
    for (uint32_t i = 0; i < c->nboot; i++) {
        task |= c->boot[i].kind == BOOT_TASK && c->boot[i].id == r->id;
        alt |= c->boot[i].kind == BOOT_CTRL && c->boot[i].id == base;
    }
    if (o->arch.id != ARCH_WSE3 || !(r->id & TASK_DATA) || !task || !alt || r->first > r->addr)
        BAD("class %s: data task %d rotates with no task, or from beyond its limit", c->name, r->id & 31);
    if (seen[BOOT_ROTATE] & (seen[BOOT_ROTATE] - 1)) BAD("class %s: more than %d pairs of rotating tasks", c->name, N_ROTATE);
    return NULL;
}

static const char *check_boot(const WsObj *o, const WsClass *c)
{
    uint64_t seen[BOOT_ROTATE + 1] = {0};
    for (uint32_t i = 0; i < c->nboot; i++) {
        const WsBoot *b = &c->boot[i];
        if (b->kind > BOOT_ROTATE) BAD("class %s: boot record %u of kind %d", c->name, i, (int)b->kind);
        bool queue = b->kind == BOOT_IQ || b->kind == BOOT_OQ;
        int flags = b->kind == BOOT_TASK ? BOOT_ACTIVE | BOOT_BLOCKED | BOOT_HIGH : b->kind == BOOT_CTRL ? BOOT_BLOCKED | BOOT_HIGH : b->kind == BOOT_IQ ? BOOT_LEND : 0;
        if (b->flags & ~flags) BAD("class %s: boot record %u has flags 0x%x", c->name, i, b->flags);
        if (b->kind == BOOT_TASK && !task_id_ok(&o->arch, b->id)) BAD("class %s: task id %d is not one of this architecture", c->name, b->id);
        if (b->kind == BOOT_CTRL && (b->id >= N_CONTROL || b->id == CTRL_NO_TASK)) BAD("class %s: control task %d", c->name, b->id);
        if (b->kind == BOOT_CTRL && !(c->uses & USES_CONTROL)) BAD("class %s: control task %d, and the class does not say that it uses control", c->name, b->id);
        if (queue && b->id >= N_QUEUE) BAD("class %s: queue %d", c->name, b->id);
        if (b->kind == BOOT_OQ && arch_oq_words(&o->arch, b->id) == 0) BAD("class %s: this architecture has no output queue %d", c->name, b->id);
        if (queue && b->color >= N_COLOR && b->color != COLOR_NULL) BAD("class %s: queue %d has color %d", c->name, b->id, b->color);
        if ((b->flags & BOOT_LEND) && b->kind == BOOT_IQ && b->id >= N_QUEUE / 2) BAD("class %s: no queue lends to queue %d", c->name, b->id);
        if (b->kind == BOOT_IQ && (b->addr >= N_CONTROL || (b->addr && o->arch.id != ARCH_WSE3))) BAD("class %s: input queue %d has its control tasks from %u on", c->name, b->id, b->addr);
        const char *e = b->kind == BOOT_ROTATE ? check_rotate(o, c, b, seen) : NULL;
        if (e) return e;
        if (b->first && b->kind != BOOT_ROTATE) BAD("class %s: boot record %u has a count of starts", c->name, i);
        if (!queue && b->kind != BOOT_ROTATE && !code_addr_ok(c, b->addr)) BAD("class %s: boot record %u starts at 0x%x, outside the code", c->name, i, b->addr);
        uint64_t bit = 1ull << (b->kind == BOOT_ENTRY ? 0 : b->id);
        if (seen[b->kind] & bit) BAD("class %s: boot records twice for the same %s", c->name, b->kind == BOOT_TASK ? "task" : b->kind == BOOT_CTRL ? "control task" : queue ? "queue" : "entry");
        seen[b->kind] |= bit;
    }
    return NULL;
}

static const char *check_lines(const WsObj *o, const WsClass *c)
{
    for (uint32_t i = 0; i < c->nlines; i++) {
        if (c->lines[i].file > o->nfiles) BAD("class %s: line row %u names file %u of %u", c->name, i, c->lines[i].file, o->nfiles);
        if (i && c->lines[i].addr <= c->lines[i - 1].addr) BAD("class %s: line rows are not in order", c->name);
    }
    return NULL;
}

static const char *check_class(const WsObj *o, const WsClass *c)
{
    const char *e;
    if (!name_ok(c->name)) BAD("a class has no proper name");
    if ((e = check_sections(o, c)) || (e = check_syms(o, c)) || (e = check_boot(o, c))) return e;
    return check_lines(o, c);
}

/* ---- the rectangle */
static bool rect_ok(const WsObj *o, uint32_t x, uint32_t y, uint32_t w, uint32_t h)
{
    return w && h && x + w <= o->w && y + h <= o->h;
}

/* Mark bit in each PE of a rectangle; false, and where, if one has it already. */
static bool mark_rect(const WsObj *o, uint32_t *grid, uint32_t bit, const uint16_t *r, uint32_t *px, uint32_t *py)
{
    for (uint32_t y = r[1]; y < (uint32_t)r[1] + r[3]; y++)
        for (uint32_t x = r[0]; x < (uint32_t)r[0] + r[2]; x++) {
            uint32_t *g = &grid[(size_t)y * o->w + x];
            if (*g & bit) {
                *px = x, *py = y;
                return false;
            }
            *g |= bit;
        }
    return true;
}

static const char *check_places(const WsObj *o, uint32_t *grid)
{
    uint32_t x, y;
    for (uint32_t i = 0; i < o->nplaces; i++) {
        const WsPlace *p = &o->places[i];
        if (!rect_ok(o, p->x, p->y, p->w, p->h)) BAD("placement %u (%u, %u, %u x %u) is outside the rectangle", i, p->x, p->y, p->w, p->h);
        if (p->cls >= o->nclasses) BAD("placement %u has class %u of %u", i, p->cls, o->nclasses);
        if (!mark_rect(o, grid, 1u << 31, &p->x, &x, &y)) BAD("PE (%u, %u) is placed twice", x, y);
    }
    return NULL;
}

static const char *check_switch(const WsObj *o, uint32_t i)
{
    const WsRoute *r = &o->routes[i];
    int n = 1;
    if (!(r->slot & SLOT_SWITCH)) return r->sw ? arena_printf(o->arena, "route %u has switch word 0x%04x and no switch", i, r->sw) : NULL;
    for (int k = 1; k < SW_POSITIONS; k++) {
        if ((sw_pos(r->sw, k) & 7) > SW_NONE) BAD("route %u has direction %u at switch position %d", i, sw_pos(r->sw, k) & 7, k);
        if (sw_defined(r->sw, k) && n++ != k) BAD("route %u has switch position %d and not %d", i, k, k - 1);
    }
    if (r->sw >> 15) BAD("route %u has switch word 0x%04x", i, r->sw);
    if (sw_at(r->sw) >= n) BAD("route %u starts at switch position %d of %d", i, sw_at(r->sw), n);
    if (n > 1 && !arch_has_switch(&o->arch, r->color)) BAD("route %u: color %u has no switch on wse3", i, r->color);
    return NULL;
}

static const char *check_filter(const WsObj *o, uint32_t i)
{
    const WsRoute *r = &o->routes[i];
    const WsFilter *f = &r->filter;
    bool only = f->counts & FILTER_CONTROL_ONLY;
    if (f->kind > FILTER_SPARSE || f->counts > 7 || (only && f->kind != FILTER_COUNTER)) BAD("route %u has a filter of kind %d, counting 0x%x", i, f->kind, f->counts);
    if (f->kind == FILTER_NONE && (f->counts || f->init || f->max || f->limit || f->limit2)) BAD("route %u has numbers of a filter and no filter", i);
    if (f->kind != FILTER_SPARSE && f->limit2) BAD("route %u has a second limit that its filter does not use", i);
    if (f->kind == FILTER_RANGE && (f->counts || f->init)) BAD("route %u: a range filter does not count", i);
    return NULL;
}

/* The swap of a pair of colors stands in the routes of both, at the same PEs.  swap: per PE and color, bit 0 NS, 1 EW. */
static const char *check_together(const WsObj *o)
{
    const char *e = NULL;
    size_t n = (size_t)o->w * o->h;
    uint32_t *ns = ws_xmalloc(n * sizeof *ns), *ew = ws_xmalloc(n * sizeof *ew);
    uint8_t *filters = ws_xmalloc(n);
    for (uint32_t i = 0; i < o->nroutes; i++) {
        const WsRoute *r = &o->routes[i];
        for (uint32_t y = r->y; y < (uint32_t)r->y + r->h; y++)
            for (uint32_t x = r->x; x < (uint32_t)r->x + r->w; x++) {
                size_t at = (size_t)y * o->w + x;
                if (r->slot & SLOT_SWAP_NS) ns[at] |= 1u << r->color;
                if (r->slot & SLOT_SWAP_EW) ew[at] |= 1u << r->color;
                filters[at] = (uint8_t)(filters[at] + (r->filter.kind != FILTER_NONE && filters[at] <= N_FILTER));
            }
    }
    for (size_t at = 0; at < n && !e; at++) {
        uint32_t x = (uint32_t)(at % o->w), y = (uint32_t)(at / o->w), one = ((ns[at] >> 1 ^ ns[at]) | (ew[at] >> 1 ^ ew[at])) & 0x555555;
        if (one) e = arena_printf(o->arena, "colors %d and %d are not both swapped at PE (%u, %u)", __builtin_ctz(one), __builtin_ctz(one) + 1, x, y);
        if ((ns[at] | ew[at]) && o->arch.id == ARCH_WSE3) e = arena_printf(o->arena, "colors are swapped at PE (%u, %u), which wse3 cannot", x, y);
        if (filters[at] > N_FILTER) e = arena_printf(o->arena, "more than %d filters at PE (%u, %u)", N_FILTER, x, y);
    }
    free(ns), free(ew), free(filters);
    return e;
}

static const char *check_routes(const WsObj *o, uint32_t *grid)
{
    uint32_t x, y;
    for (uint32_t i = 0; i < o->nroutes; i++) {
        const WsRoute *r = &o->routes[i];
        if (!rect_ok(o, r->x, r->y, r->w, r->h)) BAD("route %u (%u, %u, %u x %u) is outside the rectangle", i, r->x, r->y, r->w, r->h);
        if (r->color >= N_COLOR) BAD("route %u has color %u", i, r->color);
        const char *e;
        if (!slot_valid(r->slot) || slot_rx(r->slot) >= N_DIR || (r->slot & 0x4000)) BAD("route %u has slot word 0x%04x", i, r->slot);
        if (r->rx_more >> N_DIR || r->rx_more >> slot_rx(r->slot) & 1) BAD("route %u has further inputs 0x%x", i, r->rx_more);
        if ((e = check_switch(o, i)) || (e = check_filter(o, i))) return e;
        if (!mark_rect(o, grid, 1u << r->color, &r->x, &x, &y)) BAD("color %u is routed twice at PE (%u, %u)", r->color, x, y);
    }
    return check_together(o);
}
_Static_assert(offsetof(WsPlace, h) == 6 && offsetof(WsRoute, h) == 6, "a rectangle is x, y, w, h in both");

static const char *check_pe(const WsObj *o)
{
    for (uint32_t i = 0; i < o->npe; i++) {
        const WsPeData *d = &o->pe[i];
        uint32_t found = 0;
        if (!name_ok(d->symbol)) BAD("per-PE data %u has no proper name", i);
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(o->pe[k].symbol, d->symbol) == 0) BAD("per-PE data of %s twice", d->symbol);
        for (uint32_t k = 0; k < o->nclasses; k++) {
            const WsSym *s = cls_sym(&o->classes[k], d->symbol);
            if (!s) continue;
            found++;
            if (s->size_bytes != d->elem_bytes_per_pe)
                BAD("per-PE data of %s has %u bytes a PE, the symbol in class %s %u", d->symbol, d->elem_bytes_per_pe, o->classes[k].name, s->size_bytes);
        }
        if (!found) BAD("per-PE data of %s, a symbol of no class", d->symbol);
    }
    return NULL;
}

const char *obj_check(const WsObj *o)
{
    const char *e = NULL;
    if (o->arch.id != ARCH_WSE2 && o->arch.id != ARCH_WSE3) BAD("architecture %d", (int)o->arch.id);
    if (!o->w || !o->h || o->w > RECT_MAX || o->h > RECT_MAX) BAD("a rectangle of %u x %u PEs", o->w, o->h);
    for (uint32_t i = 0; i < o->nclasses && !e; i++) e = check_class(o, &o->classes[i]);
    for (uint32_t i = 0; i < o->nfiles && !e; i++)
        if (!o->files[i] || !*o->files[i]) e = "a source file without a name";
    if (e) return e;
    uint32_t *grid = ws_xmalloc((size_t)o->w * o->h * sizeof *grid);
    e = check_places(o, grid);
    if (!e) e = check_routes(o, grid);
    free(grid);
    return e ? e : check_pe(o);
}
