/* libwsrt: what the commands of the stream do: words between host arrays, memory of PEs and host channels. */
#include "runtime/host/cmd.h"
#include <stdlib.h>
#include <string.h>

/* ---- the host array */
size_t cmd_index(const WsrtRegion *r, unsigned dx, unsigned dy, uint32_t e)
{
    bool row = r->order == WSRT_ROW_MAJOR;
    size_t n = r->elems, i = e;
    if (r->spread == WSRT_ROW_BCAST) return row ? dy * n + i : dy + r->h * i;
    if (r->spread == WSRT_COL_BCAST) return row ? dx * n + i : dx + r->w * i;
    return row ? ((size_t)dy * r->w + dx) * n + i : dy + r->h * (dx + r->w * i);
}

uint64_t cmd_total(const WsrtRegion *r)
{
    uint64_t pes = r->spread == WSRT_ROW_BCAST ? r->h : r->spread == WSRT_COL_BCAST ? r->w : (uint64_t)r->w * r->h;
    return pes * r->elems;
}

int cmd_check_region(Wsrt *rt, const WsrtRegion *r, size_t total, bool to_pe, const char *what)
{
    if (r->w == 0 || r->h == 0)
        return rt_fail(rt, WSRT_E_RANGE, "%s: rectangle %u,%u,%u,%u is empty", what, r->x, r->y, r->w, r->h);
    if (r->x >= rt->obj->w || r->y >= rt->obj->h || r->w > rt->obj->w - r->x || r->h > rt->obj->h - r->y)
        return rt_fail(rt, WSRT_E_RANGE, "%s: rectangle %u,%u,%u,%u is not inside the program's %u x %u PEs", what, r->x,
                       r->y, r->w, r->h, rt->obj->w, rt->obj->h);
    if (r->bits != 16 && r->bits != 32) return rt_fail(rt, WSRT_E_TYPE, "%s: elements have 16 or 32 bits, not %d", what, r->bits);
    if (r->order != WSRT_ROW_MAJOR && r->order != WSRT_COL_MAJOR)
        return rt_fail(rt, WSRT_E_TYPE, "%s: the order is row or column major", what);
    if ((unsigned)r->spread > WSRT_COL_BCAST || (r->spread && !to_pe))
        return rt_fail(rt, WSRT_E_TYPE, "%s: only copies to PEs can be spread over rows or columns", what);
    if (!r->elems) return rt_fail(rt, WSRT_E_SIZE, "%s: no elements asked for", what);
    if (total != cmd_total(r))
        return rt_fail(rt, WSRT_E_SIZE, "%s: the array has %zu elements; %u of each %s of %u x %u PEs are %llu", what,
                       total, r->elems,
                       r->spread == WSRT_ROW_BCAST ? "row" : r->spread == WSRT_COL_BCAST ? "column" : "PE", r->w, r->h, (unsigned long long)cmd_total(r));
    return WSRT_OK;
}

/* bits of the elements of a type that the program declares: of "[*]f32" 32; 0: not known */
static int type_bits(const char *t)
{
    size_t n = strlen(t);
    if (n >= 2 && (!strcmp(t + n - 2, "32"))) return 32;
    if (n >= 2 && (!strcmp(t + n - 2, "16"))) return 16;
    return 0;
}

int cmd_check_symbol(Wsrt *rt, const char *name, const WsrtRegion *r, bool to_pe)
{
    const WsrtExport *x = rt_export(rt, name);
    WsrtSymbol any;
    int e = wsrt_symbol(rt, name, &any);
    if (e) return e;
    if (any.type == WSRT_FUNC || any.type == WSRT_TASK) return rt_fail(rt, WSRT_E_TYPE, "%s is code, not data", name);
    if (!any.exported) return rt_fail(rt, WSRT_E_NAME, "%s is not exported", name);
    if (x && to_pe && !x->writable) return rt_fail(rt, WSRT_E_TYPE, "%s is read-only: the layout exports it so", name);
    int bits = any.type != WSRT_PTR ? (int)any.elem_bytes * 8 : x ? type_bits(x->type) : 0;
    if (bits && bits != r->bits) return rt_fail(rt, WSRT_E_TYPE, "%s has elements of %d bits, not %d", name, bits, r->bits);
    int32_t last = -2;
    for (unsigned y = r->y; y < r->y + r->h; y++)
        for (unsigned px = r->x; px < r->x + r->w; px++) {
            int32_t cls = sim_class(rt->sim, px, y);
            if (cls == last) continue;
            if (cls < 0) return rt_fail(rt, WSRT_E_RANGE, "PE (%u, %u) has no program, and no symbol %s", px, y, name);
            if (!rt_class_sym(rt, cls, name))
                return rt_fail(rt, WSRT_E_RANGE, "PE (%u, %u), class %s, has no symbol %s", px, y,
                               rt->obj->classes[cls].name, name);
            last = cls;
        }
    return WSRT_OK;
}

/* ---- memory */
static uint32_t load16(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8; }

/* where a PE's data begin, all elements inside its memory */
static int data_address(Wsrt *rt, const Cmd *c, unsigned x, unsigned y, uint32_t *addr)
{
    const WsSym *s = rt_class_sym(rt, sim_class(rt->sim, x, y), c->name);
    *addr = s->type == WT_PTR ? load16(sim_mem(rt->sim, x, y) + s->addr) : s->addr;
    uint64_t end = *addr + (uint64_t)c->at.elems * (unsigned)c->at.bits / 8, mem = (uint64_t)AP(&rt->arch, mem_bytes);
    if (end <= mem) return WSRT_OK;
    return rt_fail(rt, WSRT_E_SIZE, "%s: %u elements from address %u reach beyond the %llu bytes of PE (%u, %u)", c->name,
                   c->at.elems, *addr,
                   (unsigned long long)mem, x, y);
}

static void copy_pe(Wsrt *rt, const Cmd *c, unsigned dx, unsigned dy, uint32_t addr, uint8_t *bytes)
{
    const WsrtRegion *r = &c->at;
    unsigned x = r->x + dx, y = r->y + dy, b = (unsigned)r->bits / 8;
    size_t len = (size_t)r->elems * b;
    if (c->kind == CMD_D2H) memcpy(bytes, sim_mem(rt->sim, x, y) + addr, len);
    for (uint32_t e = 0; e < r->elems; e++) {
        uint8_t *p = bytes + (size_t)e * b;
        uint32_t *w = &c->host[cmd_index(r, dx, dy, e)];
        if (c->kind == CMD_D2H) *w = b == 2 ? load16(p) : load16(p) | load16(p + 2) << 16;
        else for (unsigned k = 0; k < b; k++) p[k] = (uint8_t)(*w >> 8 * k);
    }
    if (c->kind == CMD_H2D) sim_mem_write(rt->sim, x, y, addr, bytes, len);
}

static int copy_all(Wsrt *rt, const Cmd *c)
{
    uint8_t *bytes = ws_xmalloc((size_t)c->at.elems * 4);
    int e = WSRT_OK;
    for (int pass = 0; pass < 2; pass++)                 /* all checks before the first word */
        for (unsigned dy = 0; dy < c->at.h && !e; dy++)
            for (unsigned dx = 0; dx < c->at.w && !e; dx++) {
                uint32_t addr;
                e = data_address(rt, c, c->at.x + dx, c->at.y + dy, &addr);
                if (!e && pass) copy_pe(rt, c, dx, dy, addr, bytes);
            }
    free(bytes);
    return e;
}

/* ---- streams */
static void stream_start(Wsrt *rt, const Cmd *c)
{
    uint32_t *words = ws_xmalloc((size_t)c->at.elems * sizeof *words);
    for (unsigned dy = 0; dy < c->at.h; dy++)
        for (unsigned dx = 0; dx < c->at.w; dx++) {
            unsigned x = c->at.x + dx, y = c->at.y + dy;
            if (c->kind == CMD_STREAM_D2H) {
                sim_channel_want(rt->sim, x, y, c->color, c->at.elems);
                continue;
            }
            for (uint32_t e = 0; e < c->at.elems; e++) words[e] = c->host[cmd_index(&c->at, dx, dy, e)];
            sim_channel_send(rt->sim, x, y, c->color, words, c->at.elems);
        }
    free(words);
}

/* words that a PE still has to take or to send */
static uint32_t stream_left(const Wsrt *rt, const Cmd *c, unsigned x, unsigned y)
{
    if (c->kind == CMD_STREAM_D2H) {
        size_t n = sim_channel_words(rt->sim, x, y, c->color);
        return n < c->at.elems ? c->at.elems - (uint32_t)n : 0;
    }
    size_t n = sim_channel_sending(rt->sim, x, y, c->color), room = (size_t)AP(&rt->arch, router_slots);
    return n > room ? (uint32_t)(n - room) : 0;          /* the rest is in the router, as if it had come over a link */
}

static void stream_end(Wsrt *rt, const Cmd *c)
{
    uint32_t *words = ws_xmalloc((size_t)c->at.elems * sizeof *words), mask = c->at.bits == 16 ? 0xffff : UINT32_MAX;
    for (unsigned dy = 0; dy < c->at.h; dy++)
        for (unsigned dx = 0; dx < c->at.w; dx++) {
            sim_channel_take(rt->sim, c->at.x + dx, c->at.y + dy, c->color, words, c->at.elems);
            for (uint32_t e = 0; e < c->at.elems; e++) c->host[cmd_index(&c->at, dx, dy, e)] = words[e] & mask;
        }
    free(words);
}

/* ---- launches */
static bool unblocked(const Wsrt *rt, unsigned x, unsigned y)
{
    int32_t cls = sim_class(rt->sim, x, y);
    const WsSym *s = rt_class_sym(rt, cls, UNBLOCKS);
    if (cls < 0) return true;
    if (!s) return !sim_call_pending(rt->sim, x, y);
    return (int16_t)(load16(sim_mem(rt->sim, x, y) + s->addr) - rt->launches) >= 0;      /* counts wrap */
}

static int launch_start(Wsrt *rt, const Cmd *c)
{
    for (unsigned y = 0; y < rt->obj->h; y++)
        for (unsigned x = 0; x < rt->obj->w; x++) {
            int32_t cls = sim_class(rt->sim, x, y);
            if (cls >= 0 && !sim_call(rt->sim, x, y, rt_class_sym(rt, cls, c->name)->addr, c->args, c->nargs))
                return rt_fail(rt, WSRT_E_STATE, "PE (%u, %u) does not take the call of %s", x, y, c->name);
        }
    rt->launches++;
    return WSRT_OK;
}

/* ---- any command */
int cmd_start(Wsrt *rt, Cmd *c)
{
    switch (c->kind) {
    case CMD_H2D: case CMD_D2H: return copy_all(rt, c);
    case CMD_LAUNCH: return launch_start(rt, c);
    default: stream_start(rt, c); return WSRT_OK;
    }
}

/* PE (x, y) keeps the command from its end */
static bool lacks(const Wsrt *rt, const Cmd *c, unsigned x, unsigned y)
{
    return c->kind == CMD_LAUNCH ? !unblocked(rt, x, y) : stream_left(rt, c, x, y) > 0;
}

static WsrtRegion places(const Wsrt *rt, const Cmd *c)
{
    if (c->kind == CMD_LAUNCH) return (WsrtRegion){.w = rt->obj->w, .h = rt->obj->h};
    return c->at;
}

bool cmd_ready(const Wsrt *rt, const Cmd *c)
{
    if (c->kind == CMD_H2D || c->kind == CMD_D2H) return true;
    WsrtRegion r = places(rt, c);
    for (unsigned y = r.y; y < r.y + r.h; y++)
        for (unsigned x = r.x; x < r.x + r.w; x++)
            if (lacks(rt, c, x, y)) return false;
    return true;
}

void cmd_end(Wsrt *rt, Cmd *c)
{
    if (c->kind == CMD_STREAM_D2H) stream_end(rt, c);
}

void cmd_missing(const Wsrt *rt, const Cmd *c, Buf *out)
{
    WsrtRegion r = places(rt, c);
    unsigned long long n = 0, ex = 0, ey = 0;
    for (unsigned y = r.y; y < r.y + r.h; y++)
        for (unsigned x = r.x; x < r.x + r.w; x++)
            if (!c->started ? sim_call_pending(rt->sim, x, y) : lacks(rt, c, x, y))
                if (!n++) ex = x, ey = y;
    buf_printf(out, "%llu of %llu PEs, the first is (%llu, %llu), ", n, (unsigned long long)r.w * r.h, ex, ey);
    if (!c->started) buf_printf(out, "still run the function launched before");
    else if (c->kind == CMD_LAUNCH) {
        bool counts = rt_class_sym(rt, sim_class(rt->sim, (unsigned)ex, (unsigned)ey), UNBLOCKS);
        buf_printf(out, "have not %s", counts ? "called unblock_cmd_stream" : "returned");
    } else {
        uint32_t left = stream_left(rt, c, (unsigned)ex, (unsigned)ey);
        buf_printf(out, c->kind == CMD_STREAM_D2H ? "have not sent all: %u of %u words are missing there"
                                                  : "have not taken all: %u of %u words wait there", left, c->at.elems);
    }
}
