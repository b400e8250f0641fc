/* tests/fuzz/target_object.c: a file through everything that reads objects: reader, dumper, linker, host library and both
 * engines for a few thousand cycles; and core files. */
#include "backend/link/link.h"
#include "runtime/include/wsrt.h"
#include "runtime/sim/sim.h"
#include "tests/fuzz/target.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { CYCLES = 1500, MAX_PES = 64, MAX_DRAWN = 8, MAX_READ = 1 << 16 };

static void dump(const WsObj *o)
{
    FILE *f = fuzz_null();
    dump_summary(o, "x.obj", f);
    dump_code(o, true, f);
    dump_symbols(o, f);
    dump_boot(o, f);
    dump_size(o, f);
    if (o->w * o->h <= MAX_DRAWN) dump_routes(o, f);
    ld_list_unset(o, f);
}

/* all symbols filled, and written as an image that can be read */
static void link_image(const char *path)
{
    char out[512], *err = NULL;
    const char *why;
    WsObj *o = obj_read(path, &err);
    Diags *d = diags_new("wsld");
    assert(o);
    for (uint32_t i = 0; i < o->nclasses; i++)
        for (uint32_t k = 0; k < o->classes[i].nsyms && k < 8; k++) ld_set_values(d, o, o->classes[i].syms[k].name, "1");
    o->image = true;
    if (size_check(d, o) && !obj_write(o, fuzz_path(out, "out.img"), &why)) {
        WsObj *again = obj_read(out, &err);
        if (!again) fprintf(stderr, "what wsld writes cannot be read: %s\n", err), abort();
        obj_free(again);
    }
    diags_print(d, fuzz_null());
    diags_free(d);
    obj_free(o);
}

static void read_back(Wsrt *rt)
{
    WsrtSymbol s;
    const char *name;
    static uint8_t data[MAX_READ];
    for (unsigned i = 0; !wsrt_symbol_at(rt, i, &s); i++) {
        size_t total = (size_t)s.w * s.h * s.elems;
        if (!s.w || !s.h) continue;
        if (total * s.elem_bytes <= sizeof data) wsrt_read(rt, s.name, s.x, s.y, s.w, s.h, s.elems, WSRT_ANY, WSRT_COL_MAJOR, data, total);
        wsrt_pointee(rt, s.name, s.x, s.y, &name);
    }
}

static void no_print(void *user, unsigned x, unsigned y, uint64_t cycle, const char *line) { fprintf(fuzz_null(), "%s\n", line); }

/* Run, with one launched function, and look at everything. */
static void run(const char *path, const char *engine)
{
    char err[WSRT_ERR_BYTES];
    WsrtFault f;
    WsrtExport x;
    WsrtCounter c;
    unsigned dims[2], offsets[2];
    uint32_t args[2] = {1, 2};
    Wsrt *rt = wsrt_open(path, err);
    assert(rt);
    if (wsrt_pes(rt) > MAX_PES || (uint64_t)wsrt_width(rt) * wsrt_height(rt) > MAX_PES || wsrt_set_engine(rt, engine)) return wsrt_close(rt);
    wsrt_on_print(rt, no_print, NULL);
    WsrtEnd end = wsrt_run(rt, CYCLES);
    for (unsigned i = 0; !wsrt_export_at(rt, i, &x); i++)
        if (end == WSRT_END_IDLE && !wsrt_call(rt, x.name, 0, 0, 1, 1, args, 2)) {
            end = wsrt_run(rt, 2 * CYCLES);
            break;
        }
    if (end == WSRT_END_FAULT && !wsrt_fault(rt, &f) && !strcmp(f.kind, "internal")) fprintf(stderr, "%s: %s\n", f.name, f.text), abort();
    if (end != WSRT_END_ERROR) {
        wsrt_report(rt);
        wsrt_counter_sum(rt, 0, &c);
        wsrt_fabric(rt, dims, offsets);
        if (wsrt_pes(rt) <= MAX_DRAWN) wsrt_state_hash(rt);
        read_back(rt);
    }
    wsrt_close(rt);
}

void fuzz_object_file(const char *path, bool must)
{
    char *err = NULL;
    WsObj *o = obj_read(path, &err);
    if (!o) {
        if (must) fprintf(stderr, "what wslc writes cannot be read: %s\n", err), abort();
        free(err);
        return;
    }
    dump(o);
    obj_free(o);
    link_image(path);
    run(path, "reference");
    run(path, "fast");
}

void fuzz_object(const uint8_t *data, size_t size)
{
    char path[512];
    fuzz_put(fuzz_path(path, "in.obj"), data, size);
    fuzz_object_file(path, false);
}

/* ---- core files */
static const char three_pes[] =
    ".arch wse2\n.rect 3, 2\n.class c\n.entry main\nmain:\n ldw r1, x\n add r1, r1, r1\n stw r1, y\n done\n"
    ".data\nx: .word 5\n.bss\ny: .space 300\n.sym y, i32, 300\n.global y, i32\n.place 0, 0, 3, 1, c\n";

enum { HEAD = 41, MAX_CORE = 1 << 16 };                  /* bytes of a core file before the first PE */

/* A machine for the fixed object, and the head of a core file that fits it. */
static Wsrt *three(uint8_t head[HEAD])
{
    static const char *object;
    static uint8_t once[HEAD];
    char path[512], err[WSRT_ERR_BYTES];
    bool first = !object;
    if (first) object = fuzz_fixed_object("three.s", "", three_pes);
    Wsrt *rt = wsrt_open(object, err);
    assert(rt);
    if (first) {
        int e = wsrt_core_write(rt, fuzz_path(path, "head.core"));
        FILE *f = fopen(path, "rb");
        if (e || !f || fread(once, 1, HEAD, f) != HEAD) abort();
        fclose(f);
    }
    memcpy(head, once, HEAD);
    return rt;
}

/* The first byte says whether the rest is the whole file, or what follows a head that fits. */
void fuzz_core(const uint8_t *data, size_t size)
{
    static uint8_t file[HEAD + MAX_CORE];
    char path[512];
    uint32_t out[75];
    if (!size || size > MAX_CORE) return;
    Wsrt *rt = three(file);
    size_t head = data[0] & 1 ? HEAD : 0;
    memcpy(file + head, data + 1, size - 1);
    fuzz_put(fuzz_path(path, "in.core"), file, head + size - 1);
    if (!wsrt_core_read(rt, path)) {
        wsrt_read(rt, "y", 0, 0, 1, 1, 75, WSRT_ANY, WSRT_ROW_MAJOR, out, 75);
        int e = wsrt_core_write(rt, fuzz_path(path, "out.core"));
        assert(!e);
        wsrt_run(rt, CYCLES);
    }
    wsrt_close(rt);
}
