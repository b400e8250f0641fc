/* tests/unit/fe_parse_test.c: what the printed tree does not show: places, docs, modes, limits, the interner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "frontend/diags.h"
#include "frontend/paint.h"
#include "frontend/parse.h"
#include <stdlib.h>
#include <string.h>

typedef struct { Arena *a; Diags *d; Interner *in; AstFile *f; } Fx;

static Fx parse_as(const char *path, const char *text)
{
    Fx x = {arena_new(), diags_new("test"), NULL, NULL};
    x.in = interner_new(x.a);
    x.f = fe_parse(x.a, x.d, x.in, path, text, strlen(text));
    return x;
}

static void done(Fx x)
{
    interner_free(x.in);
    diags_free(x.d);
    arena_free(x.a);
}

static void text_at(const char *src, Loc loc, const char *want)
{
    assert_int_equal(loc.file, 1);
    assert_int_equal(loc.len, strlen(want));
    assert_memory_equal(src + loc.off, want, loc.len);
}

static void test_interner(void **state)
{
    Arena *a = arena_new();
    Interner *in = interner_new(a);
    const char *first = intern(in, "n0"), *empty = intern_n(in, "", 0);
    for (int i = 0; i < 5000; i++) {
        char s[16];
        snprintf(s, sizeof s, "n%d", i);
        const char *p = intern(in, s);
        assert_string_equal(p, s);
        assert_ptr_equal(p, intern_n(in, s, strlen(s)));
    }
    assert_ptr_equal(first, intern(in, "n0"));
    assert_ptr_equal(empty, intern(in, ""));
    interner_free(in);
    arena_free(a);
}

static void test_places(void **state)
{
    const char *src = "// é\nexport fn f(x: i16) void { while (x < 1) { y = g(x) + 2; } }\nvar v: i16 = (1);\n";
    Fx x = parse_as("a.w", src);
    assert_int_equal(diags_errors(x.d), 0);
    assert_int_equal(x.f->decls.n, 2);
    const AstNode *f = x.f->decls.v[0], *v = x.f->decls.v[1];
    text_at(src, f->loc, "f");
    const AstNode *loop = f->u.fn.body->u.block.stmts.v[0];
    text_at(src, loop->loc, "while (x < 1) { y = g(x) + 2; }");
    text_at(src, loop->u.loop.cond->loc, "x < 1");
    const AstNode *assign = loop->u.loop.body->u.block.stmts.v[0];
    text_at(src, assign->loc, "y = g(x) + 2");
    text_at(src, assign->u.assign.src->u.bin.l->loc, "g(x)");
    text_at(src, v->loc, "v");
    text_at(src, v->u.var.init->loc, "(1)");
    assert_true(v->u.var.init->parens);
    done(x);
}

static void test_docs(void **state)
{
    Fx x = parse_as("a.w", "/// first\n///second \xC3\xA9\n// not doc\nexport fn f() void {\n /// inner\n const c = 1; }\n"
                           "//// no doc\nvar v: i16;\n/// of p\nparam p: i16;\n/// s\nsocket s: in wv = queue 0;\n");
    assert_int_equal(diags_errors(x.d), 0);
    assert_string_equal(x.f->decls.v[0]->u.fn.doc, "first\nsecond \xC3\xA9");
    assert_null(x.f->decls.v[1]->u.var.doc);
    assert_string_equal(x.f->decls.v[2]->u.var.doc, "of p");
    assert_string_equal(x.f->decls.v[3]->u.socket.doc, "s");
    done(x);
}

static void test_modes(void **state)
{
    assert_int_equal(fe_mode_of("x/y.csl"), FE_MODE_CSL);
    assert_int_equal(fe_mode_of("x.csl/y.w"), FE_MODE_W);
    assert_int_equal(fe_mode_of("y"), FE_MODE_W);
    Fx w = parse_as("a.w", "fn f() void { a <- b; }"), c = parse_as("a.csl", "fn f() void { a <- b; }");
    assert_false(w.f->has_errors);
    assert_true(c.f->has_errors);
    done(w);
    done(c);
}

static void test_literals(void **state)
{
    Fx x = parse_as("a.w", "const a = 0xFFFF_FFFF_FFFF_FFFF; const b = 0x1_0000_0000_0000_0000; const c = \"a\\x00b\"; const d = 1_0.25;");
    AstNode **v = x.f->decls.v;
    assert_true(v[0]->u.var.init->u.num.value == UINT64_MAX && !v[0]->u.var.init->u.num.overflow);
    assert_true(v[1]->u.var.init->u.num.overflow);
    assert_int_equal(v[2]->u.var.init->u.str.len, 3);
    assert_memory_equal(v[2]->u.var.init->u.str.p, "a\0b", 4);
    assert_true(v[3]->u.var.init->u.flt.value == 10.25);
    assert_string_equal(v[3]->u.var.init->u.flt.text, "10.25");
    done(x);
}

/* What was good before and after an error is in the tree. */
static void test_errors_keep_the_rest(void **state)
{
    Fx x = parse_as("a.w", "const a = 1;\nconst b = ;\nfn f() void { x = 1; y = 2 3; z = 4; }\nconst c = 3;\n");
    assert_true(x.f->has_errors);
    assert_int_equal(diags_errors(x.d), 2);
    assert_int_equal(x.f->decls.n, 3);
    assert_int_equal(x.f->decls.v[1]->u.fn.body->u.block.stmts.n, 2);
    done(x);
}

static void count(void *ctx, AstNode *child)
{
    int *n = ctx;
    ++*n;
    assert_true(child->depth > 0);
    ast_each_child(child, count, ctx);
}

static void test_children(void **state)
{
    Fx x = parse_as("a.w", "fn f(a: i16) T { if (a) { g(a[1, 2]) = .{ .x = 1 }; } }");
    int n = 0;
    count(&n, x.f->decls.v[0]);
    /* fn, arg, i16, T, block, if, a, block, =, call, g, at, a, 1, 2, init, set, 1 */
    assert_int_equal(n, 18);
    assert_int_equal(x.f->decls.v[0]->depth, 8);
    done(x);
}

static void test_depth_limit(void **state)
{
    for (int terms = AST_MAX_DEPTH - 2; terms <= AST_MAX_DEPTH + 1; terms++) {
        Buf b = {0};
        buf_printf(&b, "const x = 1");
        for (int i = 1; i < terms; i++) buf_printf(&b, "+1");
        buf_printf(&b, ";");
        Fx x = parse_as("a.w", b.p);
        assert_int_equal(x.f->has_errors, terms + 1 > AST_MAX_DEPTH);      /* + 1: the declaration */
        done(x);
        buf_free(&b);
    }
}

static void test_too_large(void **state)
{
    size_t len = ((size_t)64 << 20) + 1;
    char *text = malloc(len + 1);
    memset(text, ' ', len);
    text[len] = 0;
    Arena *a = arena_new();
    Diags *d = diags_new("test");
    Interner *in = interner_new(a);
    assert_true(fe_parse(a, d, in, "a.w", text, len)->has_errors);          /* E0117 */
    assert_int_equal(diags_errors(d), 1);
    assert_null(paint_eval(a, d, "a.paint", text, len, NULL));
    assert_int_equal(diags_errors(d), 2);
    interner_free(in);
    diags_free(d);
    arena_free(a);
    free(text);
}

static void test_placement(void **state)
{
    const char *src = "color c; define t = tile code \"k.w\" { .c = c, .n = N }; let N = param;\n", *more =
        "let N = param; color c; define t = tile code \"k.w\" { .c = c, .n = N, .f = N2 };\nlet N2 = param;", *good =
        "let N = param; color c; paint hstackrep(N, tile code \"k.w\" { .c = c, .n = N });";
    Arena *a = arena_new();
    Diags *d = diags_new("test");
    assert_null(paint_eval(a, d, "a.paint", src, strlen(src), "N:3"));
    assert_null(paint_eval(a, d, "b.paint", more, strlen(more), "N:3,N2:1.5"));
    PaintPlacement *p = paint_eval(a, d, "c.paint", good, strlen(good), "N:0x10,other:x");
    assert_non_null(p);
    assert_true(p->w == 16 && p->h == 1 && p->nrects == 1 && p->ntiles == 1 && p->ncolors == 1);
    assert_string_equal(p->tiles[0].code, "k.w");
    assert_int_equal(p->tiles[0].nparams, 2);
    assert_int_equal(p->tiles[0].params[0].value.kind, PV_COLOR);
    assert_int_equal(p->tiles[0].params[1].value.i, 16);
    diags_free(d);
    arena_free(a);
}

static void test_rows(void **state)
{
    for (int i = 0; i < D_COUNT; i++) {
        const DiagRow *r = &fe_diag_rows[i];
        assert_int_equal(strlen(r->id), 5);
        for (int k = 0; k < i; k++) assert_string_not_equal(r->id, fe_diag_rows[k].id);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interner),     cmocka_unit_test(test_places),   cmocka_unit_test(test_docs),
        cmocka_unit_test(test_modes),        cmocka_unit_test(test_literals), cmocka_unit_test(test_errors_keep_the_rest),
        cmocka_unit_test(test_children),     cmocka_unit_test(test_depth_limit), cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_placement),    cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
