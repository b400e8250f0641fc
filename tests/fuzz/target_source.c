/* tests/fuzz/target_source.c: wslc in this process, from the command line to the object; the targets source, wir and asm, and
 * wslc's part of the target cmdline.  The driver's two files are included, so that their exit() comes back. */
#include "tests/fuzz/target.h"
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf fuzz_exit_to;
static _Noreturn void fuzz_exit(int code) { longjmp(fuzz_exit_to, code + 1); }
#define exit fuzz_exit
#define main wslc_main
#include "frontend/options.c"
#include "frontend/wslc.c"
#undef exit
#undef main
#include <assert.h>

enum { MAX_ARGS = 40 };

/* false: wslc would have ended there */
static bool parsed(char **argv, Diags *d, Options *o)
{
    volatile bool ok = false;
    int argc = 0;
    while (argv[argc]) argc++;
    optind = 0;
    FUZZ_EXIT_RETURNS(*o = options_parse(argc, argv, d); ok = true);
    return ok;
}

/* an option of an input's first line: those that only change what is compiled */
static bool harmless(const char *w)
{
    static const char *const ok[] = {"-O0", "-O2", "--arch=wse2", "--arch=wse3", "--pedantic-csl", "--werror", "--memcpy"};
    static const char *const with_value[] = {"--params=", "--colors=", "--fabric-dims=", "--fabric-offsets=", "--passes="};
    for (size_t i = 0; i < sizeof ok / sizeof *ok; i++)
        if (!strcmp(w, ok[i])) return true;
    for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++)
        if (!strncmp(w, with_value[i], strlen(with_value[i]))) return true;
    return false;
}

/* The program of an input to an object at `out`; false: refused. */
static bool compiled(FuzzParts *p, const char *out, FILE *messages)
{
    char source[512], *argv[MAX_ARGS] = {"wslc", "--fuel=100000", (char *)(uintptr_t)fuzz_path(source, p->main), "-o", (char *)(uintptr_t)out};
    int n = 5;
    for (char *save, *w = strtok_r(p->options, " ", &save); w && n < MAX_ARGS - 1; w = strtok_r(NULL, " ", &save))
        if (harmless(w)) argv[n++] = w;
    Diags *d = diags_new("wslc");
    Options o;
    bool ok = parsed(argv, d, &o);
    if (ok) {
        library_dirs(&o);
        Arena *a = arena_new();
        ok = compile(a, d, &o);
        ok = !diags_print(d, messages) && ok;
        diags_free(d);
        arena_free(a);
        options_free(&o);
    } else {
        diags_free(d);
    }
    return ok;
}

static void deep_stack(void)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_STACK, &r) || r.rlim_cur == RLIM_INFINITY || r.rlim_cur >= (rlim_t)512 << 20) return;
    r.rlim_cur = r.rlim_max == RLIM_INFINITY ? (rlim_t)512 << 20 : r.rlim_max;      /* a sanitizer's frames are large */
    setrlimit(RLIMIT_STACK, &r);
}

static void program(const uint8_t *data, size_t size, const char *fallback)
{
    char out[512];
    deep_stack();
    FuzzParts p = fuzz_parts(data, size, fallback);
    fuzz_path(out, "out.obj");
    if (p.main[0] && compiled(&p, out, fuzz_null())) fuzz_object_file(out, true);
}

void fuzz_source(const uint8_t *data, size_t size) { program(data, size, "main.csl"); }
void fuzz_wir(const uint8_t *data, size_t size) { program(data, size, "main.wir"); }
void fuzz_asm(const uint8_t *data, size_t size) { program(data, size, "main.s"); }

const char *fuzz_fixed_object(const char *name, const char *options, const char *text)
{
    char path[512];
    FuzzParts p = {0};
    deep_stack();
    snprintf(p.options, sizeof p.options, "%s", options);
    snprintf(p.main, sizeof p.main, "%s", name);
    fuzz_put(fuzz_path(path, name), text, strlen(text));
    char obj[128];
    snprintf(obj, sizeof obj, "fixed-%s.obj", name);
    const char *out = strdup(fuzz_path(path, obj));
    if (!compiled(&p, out, stderr)) fprintf(stderr, "the fixed program %s does not compile\n", name), abort();
    return out;
}

void fuzz_wslc_options(char **argv)
{
    Diags *d = diags_new("wslc");
    Options o;
    if (parsed(argv, d, &o)) options_free(&o);
    diags_free(d);
}
