/* tests/fuzz/target_cmdline.c: command lines.  The first byte of an input names the tool, the rest are its arguments, one a
 * line.  Nothing is run that writes a file; wsld's fillings are done, on a fixed object.  The tools' files are included, so
 * that their exit() comes back. */
#include "tests/fuzz/target.h"
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf fuzz_exit_to;
static _Noreturn void fuzz_exit(int code) { longjmp(fuzz_exit_to, code + 1); }
#define exit fuzz_exit
#define main wsrun_main
#define usage wsrun_usage
#include "runtime/wsrun.c"
#undef main
#undef usage
#undef exit
#undef fail
#define main wsld_main
#define Set LdSet
#define run ld_run
#define load ld_load
#include "backend/link/wsld.c"
#undef main
#include <assert.h>

void fuzz_wslc_options(char **argv);
enum { MAX_ARGS = 64 };

static const char symbols[] =
    ".arch wse3\n.rect 2, 1\n.class a\n.entry main\nmain:\n done\n.data\nh: .half16f 1.5\nd: .dsd mem1d, h, 1, 1\n.bss\n.align 4\nx: .space 8\nb: .space 2\n"
    "f: .space 4\n.sym x, i32, 8\n.sym b, bool, 2\n.sym f, f32, 4\n.global x, i32\n.global f, f32\n.place 0, 0, 1, 1, a\n"
    ".class b\n.entry main\nmain:\n done\n.bss\nx: .space 8\n.sym x, i32, 8\n.global x, i32\n.place 1, 0, 1, 1, b\n";

static void free_where(Where *w) { free(w->symbol); }

static void wsrun_line(int argc, char **argv, const char *object)
{
    char err[WSRT_ERR_BYTES];
    Options o = {0};
    Wsrt *rt = wsrt_open(object, err);
    optind = 0;
    assert(rt);
    FUZZ_EXIT_RETURNS({
        o = parse_options(argc, argv);
        for (ptrdiff_t i = 0; i < arrlen(o.params); i++) must(rt, "--arch-param", o.params[i].name, wsrt_set_arch_param(rt, o.params[i].name, o.params[i].value));
        for (ptrdiff_t i = 0; i < arrlen(o.sets); i++) apply_set(rt, &o.sets[i]);
        for (ptrdiff_t i = 0; i < arrlen(o.gets); i++) resolve(rt, "--read", &o.gets[i].at);
    });
    for (ptrdiff_t i = 0; i < arrlen(o.sets); i++) free_where(&o.sets[i].at);
    for (ptrdiff_t i = 0; i < arrlen(o.gets); i++) free_where(&o.gets[i].at);
    for (ptrdiff_t i = 0; i < arrlen(o.params); i++) free(o.params[i].name);
    arrfree(o.gets), arrfree(o.sets), arrfree(o.params);
    wsrt_close(rt);
}

static void wsld_line(int argc, char **argv, const char *object)
{
    Opts o = {0};
    Diags *d = diags_new("wsld");
    if (parse(&o, argc, argv) && !o.help) {
        char *err;
        WsObj *obj = obj_read(object, &err);
        assert(obj);
        if (fill(d, obj, &o)) ld_list_unset(obj, fuzz_null());
        obj_free(obj);
    }
    free_opts(&o);
    diags_print(d, fuzz_null());
    diags_free(d);
}

void fuzz_cmdline(const uint8_t *data, size_t size)
{
    static const char *object;
    if (!object) object = fuzz_fixed_object("symbols.s", "", symbols);
    if (!size) return;
    char *text = malloc(size), *argv[MAX_ARGS + 1] = {"tool"};
    int argc = 1;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    for (char *t = text; t && argc < MAX_ARGS;) {
        char *eol = strchr(t, '\n');
        if (eol) *eol = 0;
        argv[argc++] = t;
        t = eol ? eol + 1 : NULL;
    }
    switch (data[0] % 4) {
    case 0: fuzz_wslc_options(argv); break;
    case 1: argv[0] = "cslc"; fuzz_wslc_options(argv); break;
    case 2: wsrun_line(argc, argv, object); break;
    case 3: wsld_line(argc, argv, object); break;
    }
    free(text);
}
