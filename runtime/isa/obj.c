/* Objects in memory: making, freeing, looking things up. */
#include "obj_int.h"
#include <assert.h>
#include <libelf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct { const char *name; int bytes; } types[] = {
    [WT_NONE] = {"none", 0}, [WT_I8] = {"i8", 1}, [WT_U8] = {"u8", 1}, [WT_I16] = {"i16", 2}, [WT_U16] = {"u16", 2},
    [WT_I32] = {"i32", 4}, [WT_U32] = {"u32", 4}, [WT_F16] = {"f16", 2}, [WT_F32] = {"f32", 4}, [WT_BOOL] = {"bool", 1},
    [WT_PTR] = {"ptr", 2}, [WT_DSD] = {"dsd", 8}, [WT_FUNC] = {"func", 4}, [WT_TASK] = {"task", 4}, [WT_BYTES] = {"bytes", 1},
};
_Static_assert(sizeof types / sizeof *types == WT_BYTES + 1, "a row per type");

int ws_type_bytes(WsType t) { return t <= WT_BYTES ? types[t].bytes : 0; }
const char *ws_type_name(WsType t) { return t <= WT_BYTES ? types[t].name : "?"; }

const char *const ws_uses_names[N_USES] = {"control", "registers", "fifo", "teardown", "switches", "filters", "color swap", "several inputs", "closed colors", "control task tables"};

/* instructions that only mean something with the wider descriptors */
static bool text_uses_dsd(const WsClass *c)
{
    for (uint32_t i = 3; i < c->text_bytes; i += 4)
        if (c->text[i] == OP_VLEFT || c->text[i] == OP_DSRX) return true;
    return false;
}

uint32_t obj_uses(const WsObj *o)
{
    uint32_t u = 0;
    for (uint32_t i = 0; i < o->nclasses; i++) {
        const WsClass *c = &o->classes[i];
        u |= c->uses | (text_uses_dsd(c) ? USES_DSD : 0);
        for (uint32_t k = 0; k < c->nboot; k++)
            if (c->boot[k].kind == BOOT_ROTATE || (c->boot[k].kind == BOOT_IQ && c->boot[k].addr)) u |= USES_TABLES;
    }
    for (uint32_t i = 0; i < o->nroutes; i++) {
        const WsRoute *r = &o->routes[i];
        if (r->slot & SLOT_SWITCH || slot_pop(r->slot)) u |= USES_SWITCH;
        if (r->slot & (SLOT_SWAP_NS | SLOT_SWAP_EW)) u |= USES_SWAP;
        if (r->slot & SLOT_SHUT) u |= USES_SHUT;
        if (r->filter.kind) u |= USES_FILTER;
        if (r->rx_more) u |= USES_MANY_RX;
    }
    return u;
}

WsObj *obj_new(ArchId arch)
{
    Arena *a = arena_new();
    WsObj *o = ARENA_NEW(a, WsObj);
    o->arena = a;
    o->arch = arch_make(arch);
    o->w = o->h = 1;
    o->fd = -1;
    return o;
}

void obj_free(WsObj *o)
{
    if (!o) return;
    if (o->elf) elf_end(o->elf);
    if (o->map) munmap(o->map, o->map_len);
    if (o->fd >= 0) close(o->fd);
    arena_free(o->arena);
}

int32_t obj_class_at(const WsObj *o, uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < o->nplaces; i++) {
        const WsPlace *p = &o->places[i];
        if (x >= p->x && x - p->x < p->w && y >= p->y && y - p->y < p->h) return (int32_t)p->cls;
    }
    return -1;
}

const WsSym *cls_sym(const WsClass *c, const char *name)
{
    for (uint32_t i = 0; i < c->nsyms; i++)
        if (strcmp(c->syms[i].name, name) == 0) return &c->syms[i];
    return NULL;
}

/* Of several that cover the address, the one that starts last (an inner label before an outer symbol). */
const WsSym *cls_sym_at(const WsClass *c, uint32_t addr)
{
    const WsSym *best = NULL;
    for (uint32_t i = 0; i < c->nsyms; i++) {
        const WsSym *s = &c->syms[i];
        if (addr < s->addr || addr - s->addr >= s->size_bytes) continue;
        if (!best || s->addr > best->addr) best = s;
    }
    return best;
}

bool cls_line(const WsClass *c, uint32_t addr, uint16_t *file, uint32_t *line)
{
    uint32_t lo = 0, hi = c->nlines;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (c->lines[mid].addr <= addr) lo = mid + 1;
        else hi = mid;
    }
    if (lo == 0 || c->lines[lo - 1].file == 0 || addr - c->text_addr >= c->text_bytes) return false;
    *file = c->lines[lo - 1].file;
    *line = c->lines[lo - 1].line;
    return true;
}
