/* Arena, text buffer, whole-file reading, output files that appear when complete, diagnostics sink. */
#include "runtime/base/base.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static void test_arena(void **state)
{
    Arena *a = arena_new();
    for (size_t n = 1; n < 300000; n = n * 3 + 1) {
        char *p = arena_alloc(a, n);
        assert_int_equal((uintptr_t)p % 16, 0);
        assert_int_equal(p[0], 0);
        assert_int_equal(p[n - 1], 0);
        memset(p, 0xff, n);
    }
    assert_string_equal(arena_strdup(a, "tungsten"), "tungsten");
    assert_string_equal(arena_strndup(a, "tungsten", 4), "tung");
    assert_string_equal(arena_printf(a, "%d-%s", 7, "x"), "7-x");
    arena_free(a);
    arena_free(NULL);
}

static void test_buf(void **state)
{
    Buf b = {0};
    for (int i = 0; i < 1000; i++) buf_printf(&b, "%d,", i);
    assert_int_equal(strlen(b.p), b.len);
    assert_int_equal(strncmp(b.p, "0,1,2,3,", 8), 0);
    buf_add(&b, "\0x", 2);
    assert_int_equal(b.p[b.len], 0);
    buf_free(&b);
    assert_null(b.p);
}

static char dir[] = "/tmp/ws-base-XXXXXX";

static char *in_dir(Arena *a, const char *name) { return arena_printf(a, "%s/%s", dir, name); }

static void test_files(void **state)
{
    Arena *a = arena_new();
    char *path = in_dir(a, "f");
    size_t len;
    assert_null(ws_read_file(path, 100, &len));
    assert_int_equal(errno, ENOENT);
    assert_null(ws_read_file(dir, 100, &len));
    assert_int_equal(errno, EISDIR);

    WsOut *o = ws_out_open(path);
    assert_non_null(o);
    fputs("hello", ws_out_file(o));
    assert_int_equal(access(path, F_OK), -1);            /* not there before it is complete */
    assert_int_equal(ws_out_commit(o), 0);
    char *text = ws_read_file(path, 100, &len);
    assert_int_equal(len, 5);
    assert_string_equal(text, "hello");
    free(text);
    assert_null(ws_read_file(path, 4, &len));
    assert_int_equal(errno, EFBIG);

    o = ws_out_open(path);
    fputs("other", ws_out_file(o));
    ws_out_abort(o);
    text = ws_read_file(path, 100, &len);                /* the old one stays */
    assert_string_equal(text, "hello");
    free(text);
    assert_int_equal(unlink(path), 0);

    assert_null(ws_out_open(dir));
    assert_int_equal(errno, EISDIR);
    assert_null(ws_out_open(in_dir(a, "no/such/folder")));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(rmdir(dir), 0);                     /* no temporary file is left */
    arena_free(a);
}

static const DiagRow row_error = {SEV_ERROR, "T001", "one", "first %0 and %1", "do %1 to %0"};
static const DiagRow row_note = {SEV_NOTE, "T002", "two", "it was %0", ""};
static const DiagRow row_warning = {SEV_WARNING, "T003", "three", "perhaps %0 %9", ""};

static char *printed(Diags *d)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    diags_print(d, f);
    fclose(f);
    return text;
}

static void test_diags(void **state)
{
    Diags *d = diags_new("tool");
    const char *src = "one\n\ttw\xc3\xb6 three\nlast";
    uint32_t f = diags_add_file(d, "a.w", src, strlen(src));
    Loc late = {f, 10, 5}, early = {f, 0, 3};
    DIAG(d, &row_error, late, d_str("x"), d_int(-3));
    DIAG_NOTE(d, &row_note, early, d_flt(0.5));
    DIAG(d, &row_error, late, d_str("x"), d_int(-3));    /* the same thing about the same place is said once */
    DIAG(d, &row_warning, early, d_uint(8));
    DIAG(d, &row_warning, ((Loc){0, 0, 0}), d_uint(9));
    assert_int_equal(diags_errors(d), 1);
    char *text = printed(d);
    assert_string_equal(text,
                        "tool: warning[T003]: perhaps 9 ?\n"
                        "a.w:1:1: warning[T003]: perhaps 8 ?\n"
                        "    1 | one\n"
                        "      | ^~~\n"
                        "a.w:2:7: error[T001]: first x and -3\n"
                        "    2 | \ttw\xc3\xb6 three\n"
                        "      | \t    ^~~~~\n"
                        "      = help: do -3 to x\n"
                        "a.w:1:1: note: it was 0.5\n"
                        "    1 | one\n"
                        "      | ^~~\n");
    free(text);
    text = printed(d);                                   /* printed once */
    assert_string_equal(text, "");
    free(text);
    diags_free(d);
}

static void test_diag_limit(void **state)
{
    Diags *d = diags_new("tool");
    diags_set_limit(d, 2);
    diags_set_werror(d, true);
    for (int i = 0; i < 5; i++) {
        DIAG(d, &row_warning, ((Loc){0, 0, 0}), d_int(i));
        assert_int_equal(diags_full(d), i >= 1);
    }
    assert_int_equal(diags_errors(d), 5);
    char *text = printed(d);
    assert_non_null(strstr(text, "tool: error[T003]: perhaps 1 ?\n"));
    assert_null(strstr(text, "perhaps 2"));
    assert_non_null(strstr(text, "3 more errors not shown"));
    free(text);
    diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena), cmocka_unit_test(test_buf),        cmocka_unit_test(test_files),
        cmocka_unit_test(test_diags), cmocka_unit_test(test_diag_limit),
    };
    if (!mkdtemp(dir)) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
