/* libwsrt: host arrays to and from symbols of a rectangle of PEs.  Everything is checked before the first byte moves. */
#include "host.h"
#include <stdlib.h>
#include <string.h>

typedef struct { unsigned x, y, w, h; } Rect;

static int check_rect(Wsrt *rt, Rect r)
{
    if (r.w == 0 || r.h == 0) return rt_fail(rt, WSRT_E_RANGE, "rectangle %u,%u,%u,%u is empty", r.x, r.y, r.w, r.h);
    if (r.x >= rt->obj->w || r.y >= rt->obj->h || r.w > rt->obj->w - r.x || r.h > rt->obj->h - r.y)
        return rt_fail(rt, WSRT_E_RANGE, "rectangle %u,%u,%u,%u is not inside the machine of %u x %u PEs", r.x, r.y, r.w, r.h, rt->obj->w,
                       rt->obj->h);
    return WSRT_OK;
}

static bool type_fits(WsrtType want, WsrtType have, uint32_t have_bytes)
{
    if (want == WSRT_ANY || want == have) return true;
    if (want == WSRT_RAW16) return have_bytes == 2;
    if (want == WSRT_RAW32) return have_bytes == 4;
    return false;
}

static const char *type_text(WsrtType t)
{
    static const char *const names[] = {"any", "i8", "u8", "i16", "u16", "i32", "u32", "f16", "f32", "bool", "ptr", "dsd", "bytes",
                                        "func", "task", "16-bit", "32-bit"};
    return t <= WSRT_RAW32 ? names[t] : "unknown";
}

/* the symbol of one PE against what the host gave: its address and element size, or an error */
static int check_pe(Wsrt *rt, const char *name, unsigned x, unsigned y, uint32_t elems, WsrtType type, const WsSym **out, uint32_t *bytes)
{
    int32_t cls = sim_class(rt->sim, x, y);
    const WsSym *s = rt_class_sym(rt, cls, name);
    WsrtSymbol any;
    if (!s) {
        if (wsrt_symbol(rt, name, &any)) return WSRT_E_NAME;
        if (cls < 0) return rt_fail(rt, WSRT_E_RANGE, "PE (%u, %u) has no program, and no symbol %s", x, y, name);
        return rt_fail(rt, WSRT_E_RANGE, "PE (%u, %u), class %s, has no symbol %s", x, y, rt->obj->classes[cls].name, name);
    }
    WsrtType have;
    uint32_t have_elems;
    rt_sym_shape(s, &have, bytes, &have_elems);
    if (!type_fits(type, have, *bytes))
        return rt_fail(rt, WSRT_E_TYPE, "symbol %s has elements of type %s, not %s", name, type_text(have), type_text(type));
    if (elems > have_elems)
        return rt_fail(rt, WSRT_E_SIZE, "symbol %s has %u element%s in PE (%u, %u), not %u", name, have_elems, have_elems == 1 ? "" : "s", x, y, elems);
    *out = s;
    return WSRT_OK;
}

/* the class changes rarely along a row: look its symbol up once */
typedef struct { int32_t cls; const WsSym *sym; } Cached;

static int check_all(Wsrt *rt, const char *name, Rect r, uint32_t elems, WsrtType type, size_t total, uint32_t *bytes)
{
    int e = check_rect(rt, r);
    if (e) return e;
    if (elems == 0) return rt_fail(rt, WSRT_E_SIZE, "symbol %s: no elements asked for", name);
    if (total != (uint64_t)r.w * r.h * elems)
        return rt_fail(rt, WSRT_E_SIZE, "symbol %s: the array has %zu elements, and %u x %u PEs of %u are %llu", name, total, r.w, r.h, elems,
                       (unsigned long long)r.w * r.h * elems);
    if ((e = rt_start(rt))) return e;
    int32_t last = -2;
    for (unsigned y = r.y; y < r.y + r.h; y++)
        for (unsigned x = r.x; x < r.x + r.w; x++) {
            int32_t cls = sim_class(rt->sim, x, y);
            uint32_t b = 0;
            const WsSym *s;
            if (cls == last) continue;
            if ((e = check_pe(rt, name, x, y, elems, type, &s, &b))) return e;
            if (last != -2 && b != *bytes) return rt_fail(rt, WSRT_E_TYPE, "symbol %s is not of one type in the rectangle", name);
            last = cls;
            *bytes = b;
        }
    return WSRT_OK;
}

static size_t col_major(Rect r, unsigned dx, unsigned dy, uint32_t e) { return dy + (size_t)r.h * (dx + (size_t)r.w * e); }

static int copy(Wsrt *rt, const char *name, Rect r, uint32_t elems, WsrtType type, WsrtOrder order, uint8_t *host, size_t total, bool write)
{
    uint32_t b = 0;
    int e = check_all(rt, name, r, elems, type, total, &b);
    if (e) return e;
    size_t row_bytes = (size_t)elems * b;
    uint8_t *tmp = order == WSRT_COL_MAJOR ? ws_xmalloc(row_bytes) : NULL;
    Cached c = {.cls = -1};
    for (unsigned dy = 0; dy < r.h; dy++)
        for (unsigned dx = 0; dx < r.w; dx++) {
            unsigned x = r.x + dx, y = r.y + dy;
            int32_t cls = sim_class(rt->sim, x, y);
            if (cls != c.cls) c = (Cached){cls, rt_class_sym(rt, cls, name)};
            uint8_t *pe = tmp ? tmp : host + ((size_t)dy * r.w + dx) * row_bytes;
            if (write) {
                for (uint32_t i = 0; tmp && i < elems; i++) memcpy(pe + (size_t)i * b, host + col_major(r, dx, dy, i) * b, b);
                sim_mem_write(rt->sim, x, y, c.sym->addr, pe, row_bytes);
            } else {
                memcpy(pe, sim_mem(rt->sim, x, y) + c.sym->addr, row_bytes);
                for (uint32_t i = 0; tmp && i < elems; i++) memcpy(host + col_major(r, dx, dy, i) * b, pe + (size_t)i * b, b);
            }
        }
    free(tmp);
    return WSRT_OK;
}

int wsrt_write(Wsrt *rt, const char *symbol, unsigned x, unsigned y, unsigned w, unsigned h, uint32_t elems, WsrtType type, WsrtOrder order,
               const void *host, size_t total)
{
    return copy(rt, symbol, (Rect){x, y, w, h}, elems, type, order, (uint8_t *)(uintptr_t)host, total, true);
}

int wsrt_read(Wsrt *rt, const char *symbol, unsigned x, unsigned y, unsigned w, unsigned h, uint32_t elems, WsrtType type, WsrtOrder order,
              void *host, size_t total)
{
    return copy(rt, symbol, (Rect){x, y, w, h}, elems, type, order, host, total, false);
}

int wsrt_fill(Wsrt *rt, const char *symbol, WsrtType type, const void *host, size_t total)
{
    WsrtSymbol any;
    int e = wsrt_symbol(rt, symbol, &any);
    if (e) return e;
    if (total != any.elems || !any.uniform)
        return rt_fail(rt, WSRT_E_SIZE, "symbol %s has %u elements, not %zu", symbol, any.elems, total);
    if (!type_fits(type, any.type, any.elem_bytes))
        return rt_fail(rt, WSRT_E_TYPE, "symbol %s has elements of type %s, not %s", symbol, type_text(any.type), type_text(type));
    if ((e = rt_start(rt))) return e;
    for (unsigned y = any.y; y < any.y + any.h; y++)
        for (unsigned x = any.x; x < any.x + any.w; x++) {
            const WsSym *s = rt_class_sym(rt, sim_class(rt->sim, x, y), symbol);
            if (s) sim_mem_write(rt->sim, x, y, s->addr, host, s->size_bytes);
        }
    return WSRT_OK;
}

int wsrt_pointee(Wsrt *rt, const char *symbol, unsigned x, unsigned y, const char **name)
{
    const WsSym *s;
    uint32_t bytes;
    int e = check_rect(rt, (Rect){x, y, 1, 1});
    if (e || (e = rt_start(rt)) || (e = check_pe(rt, symbol, x, y, 0, WSRT_ANY, &s, &bytes))) return e;
    if (s->type != WT_PTR) return rt_fail(rt, WSRT_E_TYPE, "symbol %s is no pointer", symbol);
    const uint8_t *p = sim_mem(rt->sim, x, y) + s->addr;
    const WsSym *to = cls_sym_at(&rt->obj->classes[sim_class(rt->sim, x, y)], (uint32_t)(p[0] | p[1] << 8));
    if (!to || to->addr != (p[0] | p[1] << 8)) return rt_fail(rt, WSRT_E_NAME, "symbol %s of PE (%u, %u) points to nothing with a name", symbol, x, y);
    *name = to->name;
    return WSRT_OK;
}

static int check_address(Wsrt *rt, unsigned x, unsigned y, uint32_t addr, size_t len)
{
    int e = check_rect(rt, (Rect){x, y, 1, 1});
    if (e || (e = rt_start(rt))) return e;
    uint32_t mem = (uint32_t)AP(&rt->arch, mem_bytes);
    if (sim_class(rt->sim, x, y) < 0) return rt_fail(rt, WSRT_E_RANGE, "PE (%u, %u) has no program", x, y);
    if (addr > mem || len > mem - addr)
        return rt_fail(rt, WSRT_E_RANGE, "%zu bytes at address %u are not inside the %u bytes of a PE", len, addr, mem);
    return WSRT_OK;
}

int wsrt_peek(Wsrt *rt, unsigned x, unsigned y, uint32_t addr, void *bytes, size_t len)
{
    int e = check_address(rt, x, y, addr, len);
    if (!e) memcpy(bytes, sim_mem(rt->sim, x, y) + addr, len);
    return e;
}

int wsrt_poke(Wsrt *rt, unsigned x, unsigned y, uint32_t addr, const void *bytes, size_t len)
{
    int e = check_address(rt, x, y, addr, len);
    if (!e) sim_mem_write(rt->sim, x, y, addr, bytes, len);
    return e;
}
