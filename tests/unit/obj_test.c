/* The object format: what is written is read back equal and byte for byte the same each time; a file cut at any length,
 * or with any byte changed, is refused with one line or gives an object that is sound. */
#include "runtime/isa/obj.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static char path_a[64], path_b[64];

static WsObj *sample(void)
{
    WsObj *o = obj_new(ARCH_WSE3);
    o->image = true;
    o->w = 3, o->h = 2;
    o->nclasses = 2;
    o->classes = ARENA_ARR(o->arena, WsClass, 2);
    static const uint8_t text[16] = {1, 2, 3, 4}, data[6] = {9, 8, 7, 6, 5, 4};
    static WsSym syms[] = {{"main", 0, 16, WT_FUNC, true, true}, {"A", 16, 4, WT_F32, true, true},
                           {"b", 20, 2, WT_U16, false, true}, {"z", 32, 100, WT_I16, true, false}};
    static WsSym syms2[] = {{"main", 0, 8, WT_TASK, false, true}, {"A", 64, 4, WT_F32, true, false}};
    static WsBoot boot[] = {{BOOT_ENTRY, 0, 0, 0, 4}, {BOOT_TASK, 9, 0, BOOT_ACTIVE, 8}, {BOOT_TASK, TASK_DATA | 3, 0, BOOT_BLOCKED, 12},
                            {BOOT_IQ, 2, 31, BOOT_LEND, 0}, {BOOT_OQ, 3, 5, 0, 0}};
    static WsLine lines[] = {{0, 1, 10}, {4, 2, 70000}, {8, 0, 0}};
    static WsPlace places[] = {{0, 0, 2, 2, 0}, {2, 0, 1, 1, 1}};
    static WsRoute routes[] = {{0, 0, 2, 2, 5, 0}, {0, 0, 3, 1, 6, 0}};
    static const char *files[] = {"a.w", "dir/b.w"};
    static const uint8_t pe[24] = {42};
    static WsPeData ped[] = {{"A", 4, pe}};
    routes[0].slot = slot_word(DIR_WEST, 1u << DIR_EAST);
    routes[1].slot = slot_word(DIR_RAMP, 1u << DIR_NORTH | 1u << DIR_SOUTH);
    o->classes[0] = (WsClass){"first", 0, 16, text, 16, 6, data, 32, 100, syms, 4, boot, 5, lines, 3, 256};
    o->classes[1] = (WsClass){"second.class", 0, 8, text, 0, 0, NULL, 64, 4, syms2, 2, NULL, 0, NULL, 0, 0};
    o->places = places, o->nplaces = 2;
    o->routes = routes, o->nroutes = 2;
    o->files = files, o->nfiles = 2;
    o->pe = ped, o->npe = 1;
    return o;
}

static void write_ok(const WsObj *o, const char *path)
{
    const char *err = NULL;
    if (obj_write(o, path, &err)) fail_msg("%s", err);
}

static WsObj *read_ok(const char *path)
{
    char *err = NULL;
    WsObj *o = obj_read(path, &err);
    if (!o) fail_msg("%s", err);
    return o;
}

static void test_round_trip(void **state)
{
    WsObj *o = sample();
    write_ok(o, path_a);
    WsObj *p = read_ok(path_a);
    assert_int_equal(p->arch.id, ARCH_WSE3);
    assert_true(p->image);
    assert_int_equal(p->w * 100 + p->h, 302);
    assert_int_equal(p->nclasses, 2);
    for (int i = 0; i < 2; i++) {
        WsClass *c = &o->classes[i], *d = &p->classes[i];
        assert_string_equal(c->name, d->name);
        assert_int_equal(c->text_bytes, d->text_bytes);
        assert_int_equal(c->data_addr, d->data_addr);
        assert_int_equal(c->bss_addr, d->bss_addr);
        assert_int_equal(c->bss_bytes, d->bss_bytes);
        assert_int_equal(c->stack_bytes, d->stack_bytes);
        assert_memory_equal(c->text, d->text, c->text_bytes);
        if (c->data_bytes) assert_memory_equal(c->data, d->data, c->data_bytes);
        assert_int_equal(c->nsyms, d->nsyms);
        for (uint32_t k = 0; k < c->nsyms; k++) {
            WsSym s = c->syms[k], t = d->syms[k];
            assert_string_equal(s.name, t.name);
            assert_true(s.addr == t.addr && s.size_bytes == t.size_bytes && s.type == t.type && s.global == t.global && s.set == t.set);
        }
        assert_int_equal(c->nboot, d->nboot);
        if (c->nboot) assert_memory_equal(c->boot, d->boot, c->nboot * sizeof *c->boot);
        assert_int_equal(c->nlines, d->nlines);
        if (c->nlines) assert_memory_equal(c->lines, d->lines, c->nlines * sizeof *c->lines);
    }
    assert_memory_equal(o->places, p->places, 2 * sizeof *o->places);
    for (int i = 0; i < 2; i++) assert_true(o->routes[i].slot == p->routes[i].slot && o->routes[i].color == p->routes[i].color);
    assert_string_equal(p->files[1], "dir/b.w");
    assert_string_equal(p->pe[0].symbol, "A");
    assert_int_equal(p->pe[0].elem_bytes_per_pe, 4);
    assert_memory_equal(p->pe[0].bytes, o->pe[0].bytes, 24);
    write_ok(p, path_b);
    size_t na, nb;
    char *a = ws_read_file(path_a, 1 << 20, &na), *b = ws_read_file(path_b, 1 << 20, &nb);
    assert_int_equal(na, nb);
    assert_memory_equal(a, b, na);
    free(a), free(b);
    obj_free(p), obj_free(o);
}

static void test_lookup(void **state)
{
    WsObj *o = sample();
    uint16_t file;
    uint32_t line;
    assert_int_equal(obj_class_at(o, 1, 1), 0);
    assert_int_equal(obj_class_at(o, 2, 0), 1);
    assert_int_equal(obj_class_at(o, 2, 1), -1);
    assert_int_equal(obj_class_at(o, 9, 9), -1);
    assert_string_equal(cls_sym_at(&o->classes[0], 131)->name, "z");
    assert_null(cls_sym_at(&o->classes[0], 132));
    assert_null(cls_sym(&o->classes[1], "b"));
    assert_true(cls_line(&o->classes[0], 4, &file, &line) && file == 2 && line == 70000);
    assert_true(cls_line(&o->classes[0], 3, &file, &line) && file == 1 && line == 10);
    assert_false(cls_line(&o->classes[0], 12, &file, &line));
    assert_false(cls_line(&o->classes[1], 0, &file, &line));
    obj_free(o);
}

static void refuse(WsObj *o, const char *part)
{
    const char *err = NULL;
    assert_int_equal(obj_write(o, path_b, &err), -1);
    if (!strstr(err, part)) fail_msg("expected '%s' in: %s", part, err);
}

static void test_unsound_is_not_written(void **state)
{
    WsObj *o = sample();
    o->classes[0].bss_addr = 18, refuse(o, "data and bss overlap"), o->classes[0].bss_addr = 32;
    o->classes[0].bss_bytes = 60000, refuse(o, "does not fit"), o->classes[0].bss_bytes = 100;
    o->classes[0].boot[1].id = 7, refuse(o, "task id 7"), o->classes[0].boot[1].id = 9;
    o->classes[0].boot[0].addr = 16, refuse(o, "outside the code"), o->classes[0].boot[0].addr = 4;
    o->classes[0].boot[4].color = 24, refuse(o, "has color 24"), o->classes[0].boot[4].color = 5;
    o->places[1].x = 1, refuse(o, "placed twice"), o->places[1].x = 2;
    o->places[1].h = 3, refuse(o, "outside the rectangle"), o->places[1].h = 1;
    o->places[1].cls = 2, refuse(o, "class 2 of 2"), o->places[1].cls = 1;
    o->routes[0].color = 6, refuse(o, "routed twice at PE (0, 0)"), o->routes[0].color = 5;
    o->pe[0].elem_bytes_per_pe = 2, refuse(o, "2 bytes a PE"), o->pe[0].elem_bytes_per_pe = 4;
    o->pe[0].symbol = "nope", refuse(o, "no class"), o->pe[0].symbol = "A";
    o->classes[0].lines[1].addr = 0, refuse(o, "not in order"), o->classes[0].lines[1].addr = 4;
    WsRoute *r = &o->routes[0], good = *r;
    o->classes[0].uses = 16, refuse(o, "uses 0x10 of the machine"), o->classes[0].uses = 0;
    o->classes[0].boot[1].kind = BOOT_CTRL, o->classes[0].boot[1].flags = 0, refuse(o, "does not say that it uses control");
    o->classes[0].uses = USES_CONTROL, o->classes[0].boot[1].flags = BOOT_ACTIVE, refuse(o, "flags 0x1");
    o->classes[0].uses = 0, o->classes[0].boot[1].kind = BOOT_ROTATE, o->classes[0].boot[1].flags = 0, refuse(o, "rotates with no task");
    o->classes[0].boot[1].flags = BOOT_ACTIVE, o->classes[0].boot[1].kind = BOOT_TASK;
    o->classes[0].boot[1].first = 1, refuse(o, "count of starts"), o->classes[0].boot[1].first = 0;
    r->slot |= 0x4000, refuse(o, "slot word 0xc"), *r = good;
    r->sw = SW_UNDEFINED, refuse(o, "and no switch"), *r = good;
    r->slot |= SLOT_SWITCH, r->sw = 0x556, refuse(o, "direction 6 at switch position 1"), *r = good;
    r->slot |= SLOT_SWITCH, r->sw = 0x8555, refuse(o, "switch word 0x8555"), *r = good;
    r->slot |= SLOT_SWITCH, r->sw = 0x6555, refuse(o, "starts at switch position 3 of 1"), *r = good;
    r->rx_more = 32, refuse(o, "further inputs 0x20"), *r = good;
    r->filter.kind = 4, refuse(o, "filter of kind 4"), *r = good;
    r->filter.kind = FILTER_COUNTER, r->filter.limit2 = 1, refuse(o, "second limit"), *r = good;
    r->filter.kind = FILTER_SPARSE, r->filter.counts = FILTER_CONTROL_ONLY, refuse(o, "counting 0x4"), *r = good;
    r->filter.max = 1, refuse(o, "numbers of a filter and no filter"), *r = good;
    r->filter.kind = FILTER_RANGE, r->filter.counts = 1, refuse(o, "a range filter does not count"), *r = good;
    r->slot |= SLOT_SWAP_EW, refuse(o, "which wse3 cannot"), *r = good;
    write_ok(o, path_b);
    obj_free(o);
}

/* What goes beyond directions comes back from the file. */
static void test_wide_routes(void **state)
{
    WsObj *o = sample();
    WsRoute *r = &o->routes[0], good = *r;
    *r = (WsRoute){0, 0, 2, 2, 5, (uint16_t)(good.slot | SLOT_SWITCH | POP_ON_ADVANCE << SLOT_POP_AT | SLOT_SHUT), 1u << DIR_NORTH, 0x355c,
                   {FILTER_COUNTER, FILTER_DATA | FILTER_CONTROL, 1, 2, 0xffff}};
    o->classes[0].uses = USES_CONTROL | USES_REGS;
    assert_int_equal(obj_uses(o), USES_CONTROL | USES_REGS | USES_SWITCH | USES_SHUT | USES_FILTER | USES_MANY_RX);
    write_ok(o, path_a);
    WsObj *p = read_ok(path_a);
    const WsRoute *q = &p->routes[0];
    assert_true(q->slot == r->slot && q->sw == r->sw && q->rx_more == r->rx_more);
    assert_true(q->filter.kind == FILTER_COUNTER && q->filter.counts == 3 && q->filter.init == 1 && q->filter.max == 2 && q->filter.limit == 0xffff);
    assert_int_equal(p->classes[0].uses, USES_CONTROL | USES_REGS);
    assert_int_equal(p->classes[1].uses, 0);
    *r = good, o->classes[0].uses = 0;
    obj_free(p), obj_free(o);
}

/* Every number of an object that was read, looked at; every byte touched. */
static unsigned walk(const WsObj *o)
{
    unsigned sum = 0;
    uint32_t mem = (uint32_t)AP(&o->arch, mem_bytes);
    assert_true(o->w && o->h);
    for (uint32_t i = 0; i < o->nclasses; i++) {
        const WsClass *c = &o->classes[i];
        assert_true(strlen(c->name) > 0 && c->text_addr + c->text_bytes <= mem && c->data_addr + c->data_bytes <= mem && c->bss_addr + c->bss_bytes <= mem);
        for (uint32_t k = 0; k < c->text_bytes; k++) sum += c->text[k];
        for (uint32_t k = 0; k < c->data_bytes; k++) sum += c->data[k];
        for (uint32_t k = 0; k < c->nsyms; k++) {
            assert_true(strlen(c->syms[k].name) > 0 && c->syms[k].addr + c->syms[k].size_bytes <= mem);
            sum += (unsigned)ws_type_bytes(c->syms[k].type);
            assert_non_null(cls_sym(c, c->syms[k].name));
        }
        for (uint32_t k = 0; k < c->nboot; k++)
            switch (c->boot[k].kind) {
            case BOOT_TASK: assert_true(c->boot[k].id < 64 && c->boot[k].addr < c->text_addr + c->text_bytes); break;
            case BOOT_ENTRY: assert_true(c->boot[k].addr < c->text_addr + c->text_bytes); break;
            case BOOT_ROTATE: assert_true(c->boot[k].id < 64 && c->boot[k].first <= c->boot[k].addr); break;
            default: assert_true(c->boot[k].id < N_QUEUE && (c->boot[k].color < N_COLOR || c->boot[k].color == COLOR_NULL));
            }
        for (uint32_t k = 0; k < c->nlines; k++) {
            uint16_t f;
            uint32_t l;
            if (cls_line(c, c->lines[k].addr, &f, &l)) sum += (unsigned)strlen(o->files[f - 1]);
        }
    }
    for (uint32_t i = 0; i < o->nplaces; i++) {
        const WsPlace *p = &o->places[i];
        assert_true(p->x + p->w <= o->w && p->y + p->h <= o->h && p->cls < o->nclasses);
        assert_int_equal(obj_class_at(o, p->x, p->y), p->cls);
    }
    for (uint32_t i = 0; i < o->nroutes; i++) assert_true(o->routes[i].color < N_COLOR && slot_rx(o->routes[i].slot) < N_DIR);
    for (uint32_t i = 0; i < o->npe; i++)
        for (size_t k = 0; k < (size_t)o->w * o->h * o->pe[i].elem_bytes_per_pe; k++) sum += o->pe[i].bytes[k];
    return sum;
}

static void try_bytes(const char *bytes, size_t n, int *good)
{
    FILE *f = fopen(path_b, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
    char *err = NULL;
    WsObj *o = obj_read(path_b, &err);
    if (o) {
        walk(o);
        obj_free(o);
        ++*good;
        return;
    }
    assert_non_null(err);
    assert_null(strchr(err, '\n'));
    assert_int_equal(strncmp(err, path_b, strlen(path_b)), 0);
    free(err);
}

static void test_truncated(void **state)
{
    WsObj *o = sample();
    write_ok(o, path_a);
    obj_free(o);
    size_t n;
    int good = 0;
    char *a = ws_read_file(path_a, 1 << 20, &n);
    for (size_t i = 0; i < n; i++) try_bytes(a, i, &good);
    assert_int_equal(good, 0);
    free(a);
}

static void test_flipped(void **state)
{
    WsObj *o = sample();
    write_ok(o, path_a);
    obj_free(o);
    size_t n;
    int good = 0;
    char *a = ws_read_file(path_a, 1 << 20, &n);
    static const unsigned char flips[] = {0xff, 0x01, 0x80, 0x10};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < sizeof flips; k++) {
            a[i] = (char)(a[i] ^ flips[k]);
            try_bytes(a, n, &good);
            a[i] = (char)(a[i] ^ flips[k]);
        }
    assert_true(good > 0 && (size_t)good < n * sizeof flips);
    free(a);
}

static void test_not_objects(void **state)
{
    char *err = NULL;
    assert_null(obj_read("/", &err));
    assert_string_equal(err, "/: is a folder");
    free(err);
    assert_null(obj_read("/nonexistent", &err));
    free(err);
    assert_null(obj_read("/proc/self/exe", &err));
    assert_non_null(strstr(err, "machine 62"));
    free(err);
}

static void test_version(void **state)
{
    WsObj *o = sample();
    write_ok(o, path_a);
    obj_free(o);
    FILE *f = fopen(path_a, "r+b");
    assert_int_equal(fseek(f, 48, SEEK_SET), 0);
    fputc(7, f);
    fclose(f);
    char *err = NULL, want[128];
    assert_null(obj_read(path_a, &err));
    snprintf(want, sizeof want, "%s: version 7, this tool reads 2", path_a);
    assert_string_equal(err, want);
    free(err);
}

int main(void)
{
    snprintf(path_a, sizeof path_a, "/tmp/obj_test.%ld.a", (long)getpid());
    snprintf(path_b, sizeof path_b, "/tmp/obj_test.%ld.b", (long)getpid());
    const struct CMUnitTest t[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_lookup), cmocka_unit_test(test_unsound_is_not_written),
        cmocka_unit_test(test_truncated), cmocka_unit_test(test_flipped), cmocka_unit_test(test_not_objects), cmocka_unit_test(test_version), cmocka_unit_test(test_wide_routes),
    };
    int rc = cmocka_run_group_tests(t, NULL, NULL);
    unlink(path_a);
    unlink(path_b);
    return rc;
}
