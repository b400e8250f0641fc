/* frontend/options.c: the command line of wslc.  Called as cslc it is the same program, whose output is a folder. */
#include "frontend/machine.h"
#include "backend/backend.h"
#include "frontend/options.h"
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
    "usage: wslc FILE.w [FILE.paint] -o FILE.obj [option...]\n"
    "       wslc FILE.csl | FILE.s | FILE.wir -o FILE.obj\n"
    "       cslc FILE.csl --fabric-dims=W,H [-o DIR] [option...]\n"
    "\n"
    "  -o FILE                 where the object goes; with --emit, the text (default: standard output)\n"
    "  -o DIR                  a folder, or a name that ends in /: the object and out.json (cslc: always; default: out)\n"
    "  --params=N:V,N:V        values of params (repeatable)\n"
    "  --colors=N:V,N:V        the same for params that are colors\n"
    "  --arch=wse2|wse3        the architecture (default: wse3)\n"
    "  -O0 | -O2               plain code, or optimised (default: -O2)\n"
    "  -I DIR                  also look for imported files here (repeatable)\n"
    "  --import-path=DIR       the same\n"
    "  --emit=KIND             obj, ast, wir, asm or placement instead of an object\n"
    "  --passes=LIST           run these passes only, comma separated\n"
    "  --dump-after=NAME       print the program after a pass or stage to standard error\n"
    "  --fuel=N                rounds and calls that compile-time code may take\n"
    "  --max-errors=N          stop after N errors (default 20)\n"
    "  --werror                warnings are errors\n"
    "  --pedantic-csl          warn of what CSL does not have\n"
    "  --verbose               say what was written\n"
    "  -h, --help              this text\n"
    "\n"
    "of the vendor's compiler:\n"
    "  --fabric-dims=W,H       size of the fabric; the rectangle of the program must fit it\n"
    "  --fabric-offsets=X,Y    where the rectangle lies in it (default: 0,0)\n"
    "  --memcpy                the host copies and launches: needs room around the rectangle\n"
    "  --channels=N            noted in out.json; the host's copies take no time here\n"
    "taken, without any effect:\n"
    "  --width-west-buf=N  --width-east-buf=N  --max-parallelism=N  --max-inlined-iterations=N\n";

static const char *tool = "wslc";
static _Noreturn void usage(const char *fmt, const char *what)
{
    fprintf(stderr, "%s: ", tool);
    fprintf(stderr, fmt, what);
    fprintf(stderr, "; %s --help lists the options\n", tool);
    exit(EXIT_USAGE);
}

static int64_t number(const char *opt, const char *t, int64_t min, int64_t max)
{
    char *e;
    errno = 0;
    long long v = strtoll(t, &e, 10);
    if (e == t || *e || errno || v < min || v > max) usage(min ? "%s takes a positive number" : "%s takes a number from 0", opt);
    return v;
}

/* W,H */
static void pair(const char *opt, const char *t, int min, int out[2])
{
    char *e, *f;
    errno = 0;
    long a = strtol(t, &e, 10), b = e != t && *e == ',' ? strtol(e + 1, &f, 10) : -1;
    if (e == t || *e != ',' || f == e + 1 || *f || errno || a < min || b < min || a > UINT16_MAX || b > UINT16_MAX)
        usage("%s takes two numbers: W,H", opt);
    out[0] = (int)a;
    out[1] = (int)b;
}

bool ends_with(const char *s, const char *suffix)
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

enum { O_PARAMS = 256, O_ARCH, O_EMIT, O_PASSES, O_DUMP, O_FUEL, O_MAX, O_WERROR, O_PEDANTIC, O_COLORS, O_DIMS, O_OFFSETS, O_MEMCPY,
       O_CHANNELS, O_VERBOSE, O_IGNORED };
static const struct option longs[] = {
    {"params", required_argument, NULL, O_PARAMS}, {"arch", required_argument, NULL, O_ARCH}, {"emit", required_argument, NULL, O_EMIT},
    {"passes", required_argument, NULL, O_PASSES}, {"dump-after", required_argument, NULL, O_DUMP}, {"fuel", required_argument, NULL, O_FUEL},
    {"max-errors", required_argument, NULL, O_MAX}, {"werror", no_argument, NULL, O_WERROR}, {"pedantic-csl", no_argument, NULL, O_PEDANTIC},
    {"help", no_argument, NULL, 'h'}, {"colors", required_argument, NULL, O_COLORS}, {"fabric-dims", required_argument, NULL, O_DIMS},
    {"fabric-offsets", required_argument, NULL, O_OFFSETS}, {"memcpy", no_argument, NULL, O_MEMCPY}, {"channels", required_argument, NULL, O_CHANNELS},
    {"verbose", no_argument, NULL, O_VERBOSE}, {"import-path", required_argument, NULL, 'I'}, {"width-west-buf", required_argument, NULL, O_IGNORED},
    {"width-east-buf", required_argument, NULL, O_IGNORED}, {"max-parallelism", required_argument, NULL, O_IGNORED},
    {"max-inlined-iterations", required_argument, NULL, O_IGNORED}, {0}};

/* options with a value; which: the index in longs, for messages */
static void take(Options *o, Diags *d, int c, int which)
{
    switch (c) {
    case 'o': o->output = optarg + (*optarg == '='); break;              /* the vendor's scripts also write -o=DIR */
    case 'O':
        if (strcmp(optarg, "0") && strcmp(optarg, "2")) usage("-O%s: the levels are -O0 and -O2", optarg);
        o->level = optarg[0] - '0';
        break;
    case 'I': arrput(o->incdirs, optarg); break;
    case O_PARAMS: arrput(o->params, optarg); break;
    case O_COLORS: arrput(o->colors, optarg); break;
    case O_ARCH:
        if (strcmp(optarg, "wse2") && strcmp(optarg, "wse3")) usage("--arch=%s: it is wse2 or wse3", optarg);
        o->fe.arch = optarg[3] == '2' ? ARCH_WSE2 : ARCH_WSE3;
        break;
    case O_EMIT: o->emit = emit_kind(optarg); break;
    case O_PASSES: o->passes = optarg; break;
    case O_DUMP: o->dump_after = known_stages(optarg); break;
    case O_FUEL: o->fe.fuel = number("--fuel", optarg, 1, INT64_MAX); break;
    case O_MAX: diags_set_limit(d, (int)number("--max-errors", optarg, 1, INT_MAX)); break;
    case O_WERROR: diags_set_werror(d, true); break;
    case O_PEDANTIC: o->fe.pedantic = true; break;
    case O_DIMS: pair("--fabric-dims", optarg, 1, o->dims); o->fabric = true; memcpy(o->fe.fabric, o->dims, sizeof o->dims); break;
    case O_OFFSETS: pair("--fabric-offsets", optarg, 0, o->offsets); memcpy(o->fe.fabric + 2, o->offsets, sizeof o->offsets); break;
    case O_MEMCPY: o->memcpy = true; break;
    case O_CHANNELS: o->channels = (int)number("--channels", optarg, 1, 16); break;
    case O_VERBOSE: o->verbose = true; break;
    case O_IGNORED: number(longs[which].name, optarg, 0, INT_MAX); break;
    }
}

static bool is_folder(const char *path)
{
    struct stat st;
    return path[0] && (path[strlen(path) - 1] == '/' || (!stat(path, &st) && S_ISDIR(st.st_mode)));
}

static void check(Options *o)
{
    const char *src = o->fe.source;
    if (!src) usage("%s", "no source file");
    if (!ends_with(src, ".w") && !ends_with(src, ".csl") && !ends_with(src, ".s") && !ends_with(src, ".wir"))
        usage("%s: a source is FILE.w, .csl, .s or .wir", src);
    bool lang = ends_with(src, ".w") || ends_with(src, ".csl");
    if (o->fe.paint && !lang) usage("%s: only .w and .csl sources are placed by a .paint file", o->fe.paint);
    if (!lang && (o->emit == EMIT_AST || (o->emit == EMIT_WIR && ends_with(src, ".s"))))
        usage("%s has no such stage for --emit", src);
    bool cslc = !strcmp(o->tool, "cslc");
    if (o->emit == EMIT_OBJ) {
        if (!o->output && cslc) o->output = "out";
        if (!o->output) usage("%s", "where to? give -o FILE.obj");
        o->folder = cslc || is_folder(o->output);
    }
    if (o->fe.arch == 0) o->fe.arch = ARCH_WSE3;
}

Options options_parse(int argc, char **argv, Diags *d)
{
    const char *slash = strrchr(argv[0], '/');
    if (!strcmp(slash ? slash + 1 : argv[0], "cslc")) tool = "cslc";
    Options o = {.tool = tool, .level = 2, .channels = 1};
    opterr = 0;
    for (int c, which = 0; (c = getopt_long(argc, argv, "-:o:O:I:h", longs, &which)) != -1;) switch (c) {
        case 1:
            if (ends_with(optarg, ".paint") && !o.fe.paint) o.fe.paint = optarg;
            else if (!o.fe.source) o.fe.source = optarg;
            else usage("one source at a time: what is %s for?", optarg);
            break;
        case 'h': fputs(help, stdout); exit(ws_stdout_end("wslc", 0));
        case ':': usage("%s needs a value", argv[optind - 1]);
        case '?': usage("unknown option %s", argv[optind - 1]);
        default: take(&o, d, c, which);
        }
    check(&o);
    return o;
}

void options_free(Options *o)
{
    for (ptrdiff_t i = 0; i < arrlen(o->exports); i++) free((char *)(uintptr_t)o->exports[i]);
    arrfree(o->exports);
    arrfree(o->incdirs);
    arrfree(o->params);
    arrfree(o->colors);
}

/* ---- names for the host */
void options_export(void *options, const char *name, const char *type, bool writable)
{
    Options *o = options;
    for (ptrdiff_t i = 0; i < arrlen(o->exports); i++)
        if (!strcmp(strrchr(o->exports[i], ' ') + 1, name)) return;
    Buf b = {0};
    buf_printf(&b, "export ");
    for (; *type; type++)
        if (*type != ' ') buf_add(&b, type, 1);
    buf_printf(&b, " %s %s", writable ? "var" : "const", name);
    arrput(o->exports, b.p);
}
