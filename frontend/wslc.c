/* frontend/wslc.c: the compiler's driver.  main() reads as the list of stages; docs/architecture.md maps them to files. */
#include "frontend/machine.h"
#include "backend/asm.h"
#include "backend/backend.h"
#include "backend/link/link.h"
#include "frontend/parse.h"
#include "frontend/sema.h"
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { EXIT_SOURCE = 1, EXIT_USAGE = 2, MAX_TEXT = 64 << 20 };
typedef enum { EMIT_OBJ, EMIT_AST, EMIT_WIR, EMIT_ASM, EMIT_PLACEMENT } Emit;

typedef struct {
    FeOptions fe;
    const char *output, *passes, *dump_after;
    const char **incdirs; /* stb */
    const char **params;  /* stb */
    Emit emit;
    int level;
} Options;

static const char help[] =
    "usage: wslc FILE.w [FILE.paint] -o FILE.obj [option...]\n"
    "       wslc FILE.csl | FILE.s | FILE.wir -o FILE.obj\n"
    "\n"
    "  -o FILE                 where the object goes; with --emit, the text (default: standard output)\n"
    "  --params=N:V,N:V        values of params (repeatable)\n"
    "  --arch=wse2|wse3        the architecture (default: wse3)\n"
    "  -O0 | -O2               plain code, or optimised (default: -O2)\n"
    "  -I DIR                  also look for imported files here (repeatable)\n"
    "  --emit=KIND             obj, ast, wir, asm or placement instead of an object\n"
    "  --passes=LIST           run these passes only, comma separated\n"
    "  --dump-after=NAME       print the program after a pass or stage to standard error\n"
    "  --fuel=N                rounds and calls that compile-time code may take\n"
    "  --max-errors=N          stop after N errors (default 20)\n"
    "  --werror                warnings are errors\n"
    "  --pedantic-csl          stay with CSL\n"
    "  -h, --help              this text\n";

static _Noreturn void usage(const char *fmt, const char *what)
{
    fprintf(stderr, "wslc: ");
    fprintf(stderr, fmt, what);
    fprintf(stderr, "; wslc --help lists the options\n");
    exit(EXIT_USAGE);
}

static int64_t number(const char *opt, const char *t, int64_t max)
{
    char *e;
    errno = 0;
    long long v = strtoll(t, &e, 10);
    if (e == t || *e || errno || v < 1 || v > max) usage("%s takes a positive number", opt);
    return v;
}

static bool ends(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);
    return n > m && !strcmp(s + n - m, suffix);
}

static Emit emit_kind(const char *t)
{
    static const char *const kinds[] = {"obj", "ast", "wir", "asm", "placement"};
    for (int i = 0; i < 5; i++)
        if (!strcmp(t, kinds[i])) return (Emit)i;
    usage("--emit=%s: it is obj, ast, wir, asm or placement", t);
}

static const char *known_stages(const char *list)
{
    for (const char *s = list; *s;) {
        size_t n = strcspn(s, ",");
        if (!ir_pass_known(s, n) && !be_stage_known(s, n)) usage("--dump-after=%s: a name is no pass or stage", list);
        s += n + (s[n] == ',');
    }
    return list;
}

static Options options(int argc, char **argv, Diags *d)
{
    enum { O_PARAMS = 256, O_ARCH, O_EMIT, O_PASSES, O_DUMP, O_FUEL, O_MAX, O_WERROR, O_PEDANTIC };
    static const struct option longs[] = {
        {"params", required_argument, NULL, O_PARAMS}, {"arch", required_argument, NULL, O_ARCH}, {"emit", required_argument, NULL, O_EMIT},
        {"passes", required_argument, NULL, O_PASSES}, {"dump-after", required_argument, NULL, O_DUMP}, {"fuel", required_argument, NULL, O_FUEL},
        {"max-errors", required_argument, NULL, O_MAX}, {"werror", no_argument, NULL, O_WERROR}, {"pedantic-csl", no_argument, NULL, O_PEDANTIC},
        {"help", no_argument, NULL, 'h'}, {0}};
    Options o = {.fe = {.arch = ARCH_WSE3}, .level = 2};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "-:o:O:I:h", longs, NULL)) != -1;) switch (c) {
        case 1:
            if (ends(optarg, ".paint") && !o.fe.paint) o.fe.paint = optarg;
            else if (!o.fe.source) o.fe.source = optarg;
            else usage("one source at a time: what is %s for?", optarg);
            break;
        case 'o': o.output = optarg; break;
        case 'O':
            if (strcmp(optarg, "0") && strcmp(optarg, "2")) usage("-O%s: the levels are -O0 and -O2", optarg);
            o.level = optarg[0] - '0';
            break;
        case 'I': arrput(o.incdirs, optarg); break;
        case O_PARAMS: arrput(o.params, optarg); break;
        case O_ARCH:
            if (strcmp(optarg, "wse2") && strcmp(optarg, "wse3")) usage("--arch=%s: it is wse2 or wse3", optarg);
            o.fe.arch = optarg[3] == '2' ? ARCH_WSE2 : ARCH_WSE3;
            break;
        case O_EMIT: o.emit = emit_kind(optarg); break;
        case O_PASSES: o.passes = optarg; break;
        case O_DUMP: o.dump_after = known_stages(optarg); break;
        case O_FUEL: o.fe.fuel = number("--fuel", optarg, INT64_MAX); break;
        case O_MAX: diags_set_limit(d, (int)number("--max-errors", optarg, INT_MAX)); break;
        case O_WERROR: diags_set_werror(d, true); break;
        case O_PEDANTIC: o.fe.pedantic = true; break;
        case 'h': fputs(help, stdout); exit(0);
        case ':': usage("%s needs a value", argv[optind - 1]);
        default: usage("unknown option %s", argv[optind - 1]);
        }
    if (!o.fe.source) usage("%s", "no source file");
    if (!ends(o.fe.source, ".w") && !ends(o.fe.source, ".csl") && !ends(o.fe.source, ".s") && !ends(o.fe.source, ".wir"))
        usage("%s: a source is FILE.w, .csl, .s or .wir", o.fe.source);
    bool lang = ends(o.fe.source, ".w") || ends(o.fe.source, ".csl");
    if (o.fe.paint && !lang) usage("%s: only .w and .csl sources are placed by a .paint file", o.fe.paint);
    if (!lang && (o.emit == EMIT_AST || (o.emit == EMIT_WIR && ends(o.fe.source, ".s")))) usage("%s has no such stage for --emit", o.fe.source);
    if (o.emit == EMIT_OBJ && !o.output) usage("%s", "where to? give -o FILE.obj");
    return o;
}

/* the library lies beside the program when it was built, and under share/ when it was installed */
static void library_dirs(Options *o)
{
    char exe[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 64);
    static char share[4096 + 64];
    if (n > 0) {
        exe[n] = 0;
        char *slash = strrchr(exe, '/');
        if (slash) *slash = 0;
        snprintf(share, sizeof share, "%s/../share/scheelite/stdlib", exe);
        arrins(o->incdirs, 0, share);
    }
#ifdef WS_SOURCE_DIR
    arrins(o->incdirs, 0, WS_SOURCE_DIR "/stdlib");
#endif
    o->fe.incdirs = o->incdirs;
    o->fe.nincdirs = (uint32_t)arrlen(o->incdirs);
    o->fe.params = o->params;
    o->fe.nparams = (uint32_t)arrlen(o->params);
}

/* ---- one class at a time: passes, then code */
typedef struct { Options *o; Diags *d; Arena *a; WsObj *obj; Buf text; } Back;
static bool back_end(void *user, IrModule *m, uint32_t number)
{
    Back *b = user;
    IrPassOpts p = {.level = b->o->level, .only = b->o->passes, .dump_after = b->o->dump_after, .dump = stderr, .verify_each = true};
    if (ir_verify(b->d, m)) return false;
    if (!ir_run_passes(b->d, m, &p)) return false;
    if (b->o->emit == EMIT_WIR) {
        ir_print(&b->text, m);
        return true;
    }
    BeOpts be = {.level = b->o->level, .dump_after = b->o->dump_after, .dump = stderr};
    return be_compile(b->d, m, &be, b->obj);
}

/* ---- what else may come in */
static const char *source_text(Back *b, size_t *len)
{
    const char *path = b->o->fe.source;
    char *t = ws_read_file(path, MAX_TEXT, len);
    if (!t) return FE_DIAG(b->d, no_file, (Loc){0}, d_str(path), d_str(strerror(errno))), NULL;
    const char *kept = arena_strndup(b->a, t, *len);
    free(t);
    return kept;
}

static bool emit_ast(Back *b)
{
    size_t len;
    const char *text = source_text(b, &len);
    if (!text) return false;
    Interner *in = interner_new(b->a);
    AstFile *f = fe_parse(b->a, b->d, in, b->o->fe.source, text, len);
    if (!f->has_errors) fe_ast_print(&b->text, f);
    interner_free(in);
    return !f->has_errors;
}

static bool from_wir(Back *b)
{
    size_t len;
    const char *text = source_text(b, &len);
    IrModule *m = text ? ir_parse(b->a, b->d, b->o->fe.source, text, len) : NULL;
    bool ok = m && back_end(b, m, 0);
    ir_module_free(m);
    if (!ok) return false;
    b->obj->w = b->obj->h = 1;
    b->obj->nplaces = 1;
    b->obj->places = ARENA_NEW(b->obj->arena, WsPlace);
    *b->obj->places = (WsPlace){0, 0, 1, 1, 0};
    return true;
}

static bool from_asm(Back *b)
{
    size_t len;
    const char *text = source_text(b, &len);
    if (!text) return false;
    obj_free(b->obj);
    b->obj = NULL;
    return !asm_file(b->a, b->d, b->o->fe.source, text, len, b->o->fe.arch, &b->obj);
}

static bool write_text(Diags *d, Options *o, const Buf *b, const WsObj *asm_of)
{
    WsOut *out = ws_out_open(o->output ? o->output : "-");
    if (out && asm_of) dump_code(asm_of, false, ws_out_file(out));
    else if (out) fwrite(b->p ? b->p : "", 1, b->len, ws_out_file(out));
    if (out && !ws_out_commit(out)) return true;
    FE_DIAG(d, no_write, (Loc){0}, d_str(o->output ? o->output : "standard output"), d_str(strerror(errno)));
    return false;
}

static bool write_object(Diags *d, Options *o, const WsObj *obj)
{
    const char *err;
    if (!obj_write(obj, o->output, &err)) return true;
    FE_DIAG(d, no_write, (Loc){0}, d_str(o->output), d_str(err));
    return false;
}

static bool compile(Arena *a, Diags *d, Options *o)
{
    Back b = {o, d, a, obj_new(o->fe.arch), {0}};
    bool ok;
    if (o->emit == EMIT_AST) ok = emit_ast(&b);
    else if (ends(o->fe.source, ".s")) ok = from_asm(&b);
    else if (ends(o->fe.source, ".wir")) ok = from_wir(&b);
    else ok = fe_program(a, d, &o->fe, b.obj, back_end, &b);
    if (ok && o->emit == EMIT_PLACEMENT) fe_print_placement(&b.text, b.obj);
    if (ok && o->emit == EMIT_OBJ) ok = size_check(d, b.obj) && write_object(d, o, b.obj);
    else if (ok) ok = write_text(d, o, &b.text, o->emit == EMIT_ASM ? b.obj : NULL);
    buf_free(&b.text);
    if (b.obj) obj_free(b.obj);
    return ok;
}

/* sema recurses over the tree and over calls at compile time, up to a fixed depth: room for that */
static void room_for_recursion(void)
{
    struct rlimit r;
    rlim_t want = (rlim_t)64 << 20;
    if (getrlimit(RLIMIT_STACK, &r) || r.rlim_cur == RLIM_INFINITY || r.rlim_cur >= want) return;
    r.rlim_cur = r.rlim_max == RLIM_INFINITY || r.rlim_max > want ? want : r.rlim_max;
    setrlimit(RLIMIT_STACK, &r);
}

int main(int argc, char **argv)
{
    room_for_recursion();
    Diags *d = diags_new("wslc");
    Options o = options(argc, argv, d);
    library_dirs(&o);
    Arena *a = arena_new();
    bool ok = compile(a, d, &o);
    bool errors = diags_print(d, stderr) > 0;
    diags_free(d);
    arena_free(a);
    arrfree(o.incdirs);
    arrfree(o.params);
    return ok && !errors ? 0 : EXIT_SOURCE;
}
