/* libwsrt: core files.
 *
 *   "WSCORE 1\n"  u32 width, height, mem_bytes, page_bytes  u64 cycles  u64 hash of the object's classes and places
 *   for each PE with a program, by y, then x: a bitmap of its pages, then those pages whose bit is set
 * A page is kept when it differs from what a fresh machine has there.  Numbers are little-endian.  The whole size must be
 * what the bitmaps say; nothing that is read is trusted. */
#include "host.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 256, MAX_PAGES = 65536 / PAGE, MAP_BYTES = MAX_PAGES / 8, HEAD = 9 + 4 * 4 + 2 * 8 };
static const char magic[] = "WSCORE 1\n";

static uint64_t mix(uint64_t h, const void *p, size_t n)
{
    for (size_t i = 0; i < n; i++) h = (h ^ ((const uint8_t *)p)[i]) * 0x100000001b3u;
    return h;
}

/* what decides where things are in memory, and what is in it at the start */
static uint64_t object_hash(const WsObj *o)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < o->nclasses; i++) {
        const WsClass *c = &o->classes[i];
        h = mix(h, c->text, c->text_bytes);
        h = mix(h, c->data, c->data_bytes);
        h = mix(h, &c->bss_addr, sizeof c->bss_addr);
    }
    for (uint32_t i = 0; i < o->nplaces; i++) {
        const WsPlace *p = &o->places[i];
        uint32_t n[5] = {p->x, p->y, p->w, p->h, p->cls};
        h = mix(h, n, sizeof n);
    }
    for (uint32_t i = 0; i < o->npe; i++) h = mix(h, o->pe[i].bytes, (size_t)o->w * o->h * o->pe[i].elem_bytes_per_pe);
    return h;
}

static void put(uint8_t *p, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++) p[i] = (uint8_t)(v >> 8 * i);
}

static void head(const Wsrt *rt, uint8_t h[HEAD])
{
    memcpy(h, magic, 9);
    put(h + 9, rt->obj->w, 4), put(h + 13, rt->obj->h, 4), put(h + 17, (uint64_t)AP(&rt->arch, mem_bytes), 4), put(h + 21,
                                                                                                                   PAGE, 4);
    put(h + 25, wsrt_cycles(rt), 8), put(h + 33, object_hash(rt->obj), 8);
}

static size_t page_len(const Wsrt *rt, unsigned page)
{
    size_t mem = (size_t)AP(&rt->arch, mem_bytes), from = (size_t)page * PAGE;
    return mem - from < PAGE ? mem - from : PAGE;
}

static unsigned pages(const Wsrt *rt) { return ((unsigned)AP(&rt->arch, mem_bytes) + PAGE - 1) / PAGE; }

static bool write_pe(const Wsrt *rt, FILE *f, const uint8_t *now, const uint8_t *fresh)
{
    uint8_t map[MAP_BYTES] = {0};
    for (unsigned p = 0; p < pages(rt); p++)
        if (memcmp(now + (size_t)p * PAGE, fresh + (size_t)p * PAGE, page_len(rt, p))) map[p / 8] |= (uint8_t)(1 << p % 8);
    bool ok = fwrite(map, 1, sizeof map, f) == sizeof map;
    for (unsigned p = 0; p < pages(rt) && ok; p++)
        if (map[p / 8] >> p % 8 & 1) ok = fwrite(now + (size_t)p * PAGE, 1, page_len(rt, p), f) == page_len(rt, p);
    return ok;
}

int wsrt_core_write(Wsrt *rt, const char *path)
{
    char *why = NULL;
    int e = rt_start(rt);
    if (e) return e;
    Sim *fresh = sim_new_engine(sim_engine_name(rt->sim), rt->obj, &rt->arch, &why);
    WsOut *out = fresh ? ws_out_open(path) : NULL;
    uint8_t h[HEAD];
    head(rt, h);
    bool ok = out && fwrite(h, 1, HEAD, ws_out_file(out)) == HEAD;
    for (unsigned y = 0; y < rt->obj->h && ok; y++)
        for (unsigned x = 0; x < rt->obj->w && ok; x++)
            if (sim_class(rt->sim, x, y) >= 0) ok = write_pe(rt, ws_out_file(out), sim_mem(rt->sim, x, y), sim_mem(fresh, x, y));
    int saved = errno;
    if (out && !ok) ws_out_abort(out);
    else if (out && ws_out_commit(out)) ok = false, saved = errno;
    if (fresh) sim_free(fresh);
    if (!ok) rt_fail(rt, WSRT_E_FILE, "%s: %s", path, why ? why : strerror(saved));
    free(why);
    return ok ? WSRT_OK : WSRT_E_FILE;
}

/* where the pages of each PE lie: the file is as long as the bitmaps say */
static bool sound(const Wsrt *rt, const uint8_t *p, size_t len)
{
    size_t at = HEAD;
    for (unsigned y = 0; y < rt->obj->h; y++)
        for (unsigned x = 0; x < rt->obj->w; x++) {
            if (sim_class(rt->sim, x, y) < 0) continue;
            if (len - at < MAP_BYTES) return false;
            const uint8_t *map = p + at;
            at += MAP_BYTES;
            for (unsigned k = 0; k < MAX_PAGES; k++) {
                if (!(map[k / 8] >> k % 8 & 1)) continue;
                if (k >= pages(rt) || len - at < page_len(rt, k)) return false;
                at += page_len(rt, k);
            }
        }
    return at == len;
}

static void load(Wsrt *rt, const uint8_t *p)
{
    p += HEAD;
    for (unsigned y = 0; y < rt->obj->h; y++)
        for (unsigned x = 0; x < rt->obj->w; x++) {
            if (sim_class(rt->sim, x, y) < 0) continue;
            const uint8_t *map = p;
            p += MAP_BYTES;
            for (unsigned k = 0; k < pages(rt); k++) {
                if (!(map[k / 8] >> k % 8 & 1)) continue;
                sim_mem_write(rt->sim, x, y, k * PAGE, p, page_len(rt, k));
                p += page_len(rt, k);
            }
        }
}

int wsrt_core_read(Wsrt *rt, const char *path)
{
    int e = rt_start(rt);
    if (e) return e;
    if (sim_cycle(rt->sim)) return rt_fail(rt, WSRT_E_STATE, "a core file is for a machine that has not run");
    size_t len, most = HEAD + wsrt_pes(rt) * (MAP_BYTES + (size_t)AP(&rt->arch, mem_bytes));
    char *data = ws_read_file(path, most, &len);
    if (!data)
        return rt_fail(rt, WSRT_E_FILE, "%s: %s", path,
                       errno == EFBIG ? "not a core file of this program: it is too long" : strerror(errno));
    uint8_t h[HEAD];
    head(rt, h);
    const uint8_t *p = (const uint8_t *)data;
    if (len < HEAD || memcmp(p, magic, 9)) e = rt_fail(rt, WSRT_E_FILE, "%s: not a core file", path);
    else if (memcmp(p + 9, h + 9, 16) || memcmp(p + 33, h + 33, 8))
        e = rt_fail(rt, WSRT_E_FILE, "%s: the core file of another program", path);
    else if (!sound(rt, p, len)) e = rt_fail(rt, WSRT_E_FILE, "%s: the core file is damaged", path);
    else load(rt, p);
    free(data);
    return e;
}
