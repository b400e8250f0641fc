/* Unit tests of ir/: builder and analyses, text round trip of random modules, bad text, passes against an interpreter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "ir_gen.h"
#include "ir_interp.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int runs(int dflt)
{
    const char *s = getenv("WS_IR_RUNS");
    return s ? atoi(s) : dflt;
}

static char *text_of(IrModule *m)
{
    Buf b = {0};
    ir_print(&b, m);
    return b.p;
}

static int verify(IrModule *m)
{
    Diags *d = diags_new("ir_test");
    int n = ir_verify(d, m);
    if (n) {
        char *s = text_of(m);
        fprintf(stderr, "%s", s);
        free(s);
    }
    diags_print(d, stderr);
    diags_free(d);
    return n;
}

/* ---- numbers */
static void test_floats(void **state)
{
    for (uint32_t u = 0; u < 65536; u++) {               /* every f16: exact there and back, as the compiler has it */
        uint16_t h = (uint16_t)u;
        _Float16 x;
        memcpy(&x, &h, 2);
        double v = ir_float_value(T_F16, u);
        if (x != x) {
            assert_true(isnan(v));
            assert_int_equal(ir_float_bits(T_F16, v), 0x7e00);
            continue;
        }
        assert_true(v == (double)x && signbit(v) == signbit((double)x));
        assert_int_equal(ir_float_bits(T_F16, v), u);
    }
    uint64_t s = 1;
    for (int i = 0; i < 200000; i++) {                   /* rounding */
        uint32_t u = (uint32_t)gen_next(&s);
        if (i & 1) u = (u & 0x8fffffffu) | 0x30000000u;  /* near the f16 range */
        float x;
        memcpy(&x, &u, 4);
        _Float16 h = (_Float16)x;
        uint16_t want;
        memcpy(&want, &h, 2);
        if (x != x) want = 0x7e00;
        assert_int_equal(ir_float_bits(T_F16, x), want);
    }
    assert_int_equal(ir_float_bits(T_BF16, 1.0), 0x3f80);
    assert_int_equal(ir_float_bits(T_BF16, 1.00390625), 0x3f80);      /* half way: to even */
    assert_int_equal(ir_float_bits(T_BF16, 1.01171875), 0x3f82);
    assert_int_equal(ir_float_bits(T_CB16, 1.0), 0x3e00);
    assert_true(ir_float_value(T_CB16, 0x3e00) == 1.0);
}

static uint64_t eval2(IrOp op, IrType t, uint64_t a, uint64_t b)
{
    uint64_t out = 0;
    assert_true(ir_eval(op, t, 0, 2, (IrType[]){t, t}, (uint64_t[]){a, b}, &out));
    return out;
}

static void test_eval(void **state)
{
    uint64_t out;
    assert_int_equal(eval2(IR_SDIV, T_I16, 0x8000, 0xffff), 0x8000);
    assert_int_equal(eval2(IR_SREM, T_I16, 0x8000, 0xffff), 0);
    assert_int_equal(eval2(IR_UDIV, T_I8, 7, 0), 0xff);
    assert_int_equal(eval2(IR_SREM, T_I32, (uint32_t)-7, 0), (uint32_t)-7);
    assert_int_equal(eval2(IR_SREM, T_I32, (uint32_t)-7, 4), (uint32_t)-3);
    assert_int_equal(eval2(IR_ASHR, T_I16, 0x8000, 40), 0xffff);
    assert_int_equal(eval2(IR_SHL, T_I32, 1, 32), 0);
    assert_int_equal(eval2(IR_FADD, T_F16, 0x6800, 0x3800), 0x6800);  /* 2048 + 0.5 */
    assert_int_equal(eval2(IR_FDIV, T_F32, 0, 0), 0x7fc00000);
    assert_int_equal(eval2(IR_FMAX, T_F32, 0x80000000u, 0), 0);        /* +0 is above -0 */
    assert_int_equal(eval2(IR_FMAX, T_F16, 0x8000, 0x8000), 0x8000);
    /* rounded twice: 1 + eps * eps keeps nothing, and (1 + 2^-12)^2 - 1 loses the last bit of the product */
    IrType f3[] = {T_F32, T_F32, T_F32};
    assert_true(ir_eval(IR_FMA, T_F32, 0, 3, f3, (uint64_t[]){0xbf800000u, 0x3f800800u, 0x3f800800u}, &out));
    assert_int_equal(out, 0x3a000000u);
    assert_true(ir_eval(IR_DSDLEN, T_DSD, 0, 2, (IrType[]){T_DSD, T_I16}, (uint64_t[]){0x1111222283331000ull, 5}, &out));
    assert_int_equal(out >> 16 & 0xffff, 0x8005);
    assert_true(ir_eval(IR_DSDSTRIDE, T_DSD, 0, 2, (IrType[]){T_DSD, T_I16}, (uint64_t[]){0, 0xffff}, &out));
    assert_int_equal(out, 0xff00000000ull);
}

/* ---- builder and analyses */
static void test_analyses(void **state)
{
    Arena *a = arena_new();
    IrModule *m = ir_module_new(a, "t");
    Loc l = {0};
    IrFn *f = ir_fn_new(m, "f", FN_PLAIN, T_VOID, NULL);
    IrBlk e = {1}, h = ir_block_new(f, "h"), b1 = ir_block_new(f, "b1"), b2 = ir_block_new(f, "b2"), x = ir_block_new(f, "x");
    IrRef c = ir_const(f, e, T_I1, 1, l);
    ir_br(f, e, h, l);
    ir_condbr(f, h, c, b1, x, l);
    ir_condbr(f, b1, c, b1, b2, l);                      /* inner loop of one block */
    ir_br(f, b2, h, l);
    ir_ret(f, x, IR_NONE, l);
    ir_cfg(f);
    assert_int_equal(arrlen(ir_blk(f, h)->preds), 2);
    assert_int_equal(ir_blk(f, h)->loop_depth, 1);
    assert_int_equal(ir_blk(f, b1)->loop_depth, 2);
    assert_int_equal(ir_blk(f, x)->loop_depth, 0);
    IrBlk *rpo = ir_rpo(f), *idom = ir_idom(f, rpo);
    assert_int_equal(arrlen(rpo), 5);
    assert_int_equal(rpo[0].i, 1);
    assert_int_equal(idom[b2.i].i, b1.i);
    assert_int_equal(idom[x.i].i, h.i);
    assert_int_equal(idom[1].i, 0);
    uint32_t *uses = ir_use_counts(f);
    assert_int_equal(uses[c.i], 2);
    IrRef d = ir_insert_before(f, f->blks[1].ins[0], IR_CONST, T_I1, 0, NULL, l);
    ir_replace(f, c, d);
    ir_remove(f, c);
    assert_int_equal(verify(m), 0);
    arrfree(uses);
    arrfree(rpo);
    arrfree(idom);
    ir_module_free(m);
    arena_free(a);
}

static void test_lists_grow(void **state)
{
    Arena *a = arena_new();
    IrModule *m = ir_module_new(a, "t");
    IrFn *f = ir_fn_new(m, "f", FN_PLAIN, T_VOID, NULL);
    Loc l = {0};
    IrRef v = ir_const(f, (IrBlk){1}, T_I16, 0, l);
    IrBlk d = ir_block_new(f, NULL);
    IrRef sw = ir_switch(f, (IrBlk){1}, v, d, l);
    IrRef phi = ir_phi(f, d, T_I16, l);
    ir_phi_add(f, phi, (IrBlk){1}, v);
    for (int i = 0; i < 1000; i++) {
        IrBlk b = ir_block_new(f, NULL);
        ir_switch_add(f, sw, -i, b);
        ir_br(f, b, d, l);
        ir_phi_add(f, phi, b, v);
    }
    ir_ret(f, d, IR_NONE, l);
    assert_int_equal(verify(m), 0);
    assert_int_equal(ir_ins(f, sw)->cases[999], (uint16_t)-999);
    ir_module_free(m);
    arena_free(a);
}

/* ---- text */
static IrModule *parse(Arena *a, const char *text, size_t len, bool quiet)
{
    Diags *d = diags_new("ir_test");
    IrModule *m = ir_parse(a, d, "t.wir", text, len);
    if (!quiet) diags_print(d, stderr);
    diags_free(d);
    return m;
}

static void test_round_trip(void **state)
{
    for (int i = 0, n = runs(100); i < n; i++) {
        Arena *a = arena_new();
        IrModule *m = gen_module(a, (uint64_t)i);
        assert_int_equal(verify(m), 0);
        char *s1 = text_of(m);
        IrModule *m2 = parse(a, s1, strlen(s1), false);
        assert_non_null(m2);
        assert_int_equal(verify(m2), 0);
        char *s2 = text_of(m2);
        assert_string_equal(s1, s2);
        free(s1);
        free(s2);
        ir_module_free(m);
        ir_module_free(m2);
        arena_free(a);
    }
}

/* Text with random damage is refused or read, never more; what is read and verifies survives all passes. */
static void damage(uint64_t *s, char *t, size_t *n, size_t cap)
{
    static const char *const bits[] = {"%0", "i16", "phi i16 [", "]", "}", "{", "-", "entry", "0x", ",", "\n", "\"", "vop dots ", "@f0", "99999999999999999999", ":", "ret", "slot"};
    for (uint32_t k = 0, m = 1 + (uint32_t)gen_next(s) % 4; k < m && *n > 2; k++) {
        size_t at = gen_next(s) % *n;
        switch (gen_next(s) % 4) {
        case 0: t[at] = (char)gen_next(s); break;
        case 1: {
            size_t len = 1 + gen_next(s) % 12;
            if (at + len > *n) len = *n - at;
            memmove(t + at, t + at + len, *n - at - len);
            *n -= len;
            break;
        }
        case 2: {
            const char *w = bits[gen_next(s) % (sizeof bits / sizeof *bits)];
            if (*n + strlen(w) >= cap) break;
            memmove(t + at + strlen(w), t + at, *n - at);
            memcpy(t + at, w, strlen(w));
            *n += strlen(w);
            break;
        }
        default: {                                       /* one digit for another: other values, blocks, numbers */
            while (at < *n && !(t[at] >= '0' && t[at] <= '9')) at++;
            if (at < *n) t[at] = (char)('0' + gen_next(s) % 10);
        }
        }
    }
}

static void survive(Arena *a, const char *t, size_t n)
{
    IrModule *m = parse(a, t, n, true);
    if (!m) return;
    Diags *d = diags_new("ir_test");
    if (ir_verify(d, m) == 0) {
        char *s1 = text_of(m);
        IrModule *m2 = parse(a, s1, strlen(s1), false);
        assert_non_null(m2);
        char *s2 = text_of(m2);
        assert_string_equal(s1, s2);
        IrPassOpts o = {.level = 2, .verify_each = true};
        if (!ir_run_passes(d, m, &o)) {
            diags_print(d, stderr);
            fail_msg("a pass broke:\n%s", s1);
        }
        free(s1);
        free(s2);
        ir_module_free(m2);
    }
    diags_free(d);
    ir_module_free(m);
}

static const char slots_text[] =
    "module \"s\"\nglobal @g0 size 32 align 4 export\nboot kind 0 id 5 color 0 flags 0 @t\nfn @t() task(local 5) {\nentry:\n  %g = gaddr @g0\n"
    "  %s = dsr.slot\n  %q = dsr.slot nested\n  %d = dot.slot\n  %i = const i16 3\n  dsr.load %s, %g + 8\n  br loop\nloop:\n  %k = phi i16 [%i, entry], [%k2, loop]\n"
    "  %v = const dsd 0x100040000\n  %v2 = dsd.len %v, %k\n  dsr.loadv %q, %v2\n  vop dots %d, %s, %q n 3\n  %x = vop fmovs _, %d\n"
    "  vop fmacs %s, %s, %q, %x\n  vop fmovs %s, %q async(ut 1, act 4)\n  %k2 = sub i16 %k, %i\n  %c = icmp slt %k2, %i\n  condbr %c, loop, out\n"
    "out:\n  activate 4\n  ret\n}\n";

static void test_bad_text(void **state)
{
    static char t[1 << 16];
    for (int i = 0, n = runs(100) * 8; i < n; i++) {
        Arena *a = arena_new();
        uint64_t s = 77 + (uint64_t)i;
        size_t len = sizeof slots_text - 1;
        if (i & 1) {
            memcpy(t, slots_text, len);
        } else {
            IrModule *m = gen_module(a, (uint64_t)(i / 16));
            char *text = text_of(m);
            len = strlen(text) < sizeof t / 2 ? strlen(text) : sizeof t / 2;
            memcpy(t, text, len);
            free(text);
            ir_module_free(m);
        }
        damage(&s, t, &len, sizeof t);
        survive(a, t, len);
        arena_free(a);
    }
}

/* ---- passes against the interpreter */
typedef struct { uint64_t ret, *trace; uint8_t g[2][32]; bool done; } Result;

static Result run(IrModule *m, uint64_t seed)
{
    Interp *s = malloc(sizeof *s);
    uint64_t args[4] = {gen_next(&seed) & 0xffff, gen_next(&seed) & 0x7fffffff, 0, 0};
    IrFn *f = NULL;
    interp_init(s, m, 20000);
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++)
        if (strcmp(m->fns[i]->name, "f0") == 0) f = m->fns[i];
    assert_non_null(f);
    Result r = {.ret = interp_call(s, f, args), .trace = s->trace, .done = s->fuel >= 0};
    assert_false(s->stuck);
    memcpy(r.g[0], s->mem + 0x1000, 32);
    memcpy(r.g[1], s->mem + 0x2000, 32);
    free(s);
    return r;
}

static void check_equal(const Result *x, const Result *y, uint64_t seed, const char *before, const char *passes, IrModule *m)
{
    ptrdiff_t n = arrlen(x->trace) < arrlen(y->trace) ? arrlen(x->trace) : arrlen(y->trace);
    bool ok = !n || memcmp(x->trace, y->trace, (size_t)n * sizeof *x->trace) == 0;
    if (x->done && y->done)
        ok = ok && arrlen(x->trace) == arrlen(y->trace) && x->ret == y->ret && memcmp(x->g, y->g, sizeof x->g) == 0;
    if (ok) return;
    char *after = text_of(m);
    fail_msg("seed %llu, passes %s: results differ: %llx, %llx\n// before\n%s\n// after\n%s", (unsigned long long)seed, passes,
             (unsigned long long)x->ret, (unsigned long long)y->ret, before, after);
}

static const char *some_passes(uint64_t *s, char *buf)
{
    static const char *const names[] = {"simplifycfg", "mem2reg", "inline", "simplify", "dce", "gvn", "licm"};
    if (gen_next(s) % 3 == 0) return NULL;               /* the regular order */
    *buf = 0;
    for (uint64_t k = 0, n = 1 + gen_next(s) % 7; k < n; k++) {
        if (k) strcat(buf, ",");
        strcat(buf, names[gen_next(s) % (sizeof names / sizeof *names)]);
    }
    return buf;
}

static void test_passes(void **state)
{
    int finished = 0, n = runs(600);
    uint64_t from = getenv("WS_IR_SEED") ? strtoull(getenv("WS_IR_SEED"), NULL, 0) : 1000;
    for (int i = 0; i < n; i++) {
        Arena *a = arena_new();
        uint64_t seed = from + (uint64_t)i, s = seed * 31;
        char buf[256];
        IrModule *m = gen_module(a, seed);
        char *before = text_of(m);
        Result r0[3], r1[3];
        for (uint64_t k = 0; k < 3; k++) r0[k] = run(m, k);
        Diags *d = diags_new("ir_test");
        IrPassOpts o = {.level = 2, .verify_each = true, .only = some_passes(&s, buf)};
        if (!ir_run_passes(d, m, &o)) {
            diags_print(d, stderr);
            fail_msg("seed %llu: verifier after %s\n%s", (unsigned long long)seed, o.only ? o.only : "all", before);
        }
        for (uint64_t k = 0; k < 3; k++) {
            r1[k] = run(m, k);
            check_equal(&r0[k], &r1[k], seed, before, o.only ? o.only : "all", m);
            finished += r0[k].done;
            arrfree(r0[k].trace);
            arrfree(r1[k].trace);
        }
        diags_free(d);
        free(before);
        ir_module_free(m);
        arena_free(a);
    }
    assert_true(finished > n);                           /* most runs end, so that results are compared */
}

/* ---- the verifier on what no text can say */
static bool says(Diags *d, const char *id)
{
    char *p = NULL;
    size_t n;
    FILE *f = open_memstream(&p, &n);
    diags_print(d, f);
    fclose(f);
    bool hit = strstr(p, id) != NULL;
    free(p);
    return hit;
}

static void test_broken_handles(void **state)
{
    for (int k = 0; k < 8; k++) {
        Arena *a = arena_new();
        Diags *d = diags_new("ir_test");
        IrModule *m = parse(a, slots_text, sizeof slots_text - 1, false);
        IrFn *f = m->fns[0];
        IrRef vop = IR_NONE;
        for (uint32_t i = 1; i < (uint32_t)arrlen(f->ins); i++)
            if (f->ins[i].op == IR_VOP) vop.i = i;
        IrIns *in = ir_ins(f, vop);
        switch (k) {
        case 0: in->args[1].i = 9999; break;
        case 1: in->dead = true; break;
        case 2: in->op = 250; break;
        case 3: in->vop = 255; break;
        case 4: ir_term(f, (IrBlk){1})->blocks[0].i = 77; break;
        case 5: f->blks[1].ins[0].i = 0; break;
        case 6: in->type = 99; break;
        case 7: in->blk.i = 1; break;
        }
        assert_true(ir_verify(d, m) > 0);
        assert_true(says(d, "E1050"));
        diags_free(d);
        ir_module_free(m);
        arena_free(a);
    }
}

static void test_verify_after_pass(void **state)
{
    static const char t[] = "module \"m\"\nfn @f() -> i16 export {\n  %x = const i32 1\n  ret %x\n}\n";
    Arena *a = arena_new();
    Diags *d = diags_new("ir_test");
    IrModule *m = parse(a, t, sizeof t - 1, false);
    assert_false(ir_run_passes(d, m, &(IrPassOpts){.level = 0, .verify_each = true}));
    assert_true(says(d, "E1091"));
    diags_free(d);
    ir_module_free(m);
    arena_free(a);
}

static void test_inline_keeps_places(void **state)
{
    static const char t[] = "module \"m\"\nfn @f(i16) -> i16 {\n  %x = param i16 0\n  %y = mul i16 %x, %x\n  ret %y\n}\n"
                            "fn @main() main {\n  %a = const i16 3\n  %r = call i16 @f(%a)\n  activate %r\n  ret\n}\n";
    Arena *a = arena_new();
    IrModule *m = parse(a, t, sizeof t - 1, false);
    Diags *d = diags_new("ir_test");
    assert_true(ir_run_passes(d, m, &(IrPassOpts){.only = "inline", .verify_each = true}));
    uint32_t want = (uint32_t)(strstr(t, "mul") - t);
    bool found = false;
    IrFn *f = m->fns[1];
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            IrIns *in = ir_ins(f, f->blks[b].ins[i]);
            if (in->op == IR_MUL) found = in->loc.off <= want && in->loc.off + 20 > want;
        }
    assert_true(found);
    diags_free(d);
    ir_module_free(m);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floats),      cmocka_unit_test(test_eval),     cmocka_unit_test(test_analyses),
        cmocka_unit_test(test_lists_grow),  cmocka_unit_test(test_round_trip), cmocka_unit_test(test_bad_text),
        cmocka_unit_test(test_passes),      cmocka_unit_test(test_inline_keeps_places),
        cmocka_unit_test(test_broken_handles), cmocka_unit_test(test_verify_after_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
