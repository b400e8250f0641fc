/* wsld: join objects, fill symbols, write an image. */
#include "link.h"
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: wsld OBJ... [--set SYMBOL=FILE]... [--set-value SYMBOL=V,V,...]... -o IMG\n"
                            "       wsld OBJ... --list\n";
static const char help[] =
    "\n"
    "Joins objects, fills symbols and writes an image that wsrun runs.\n"
    "  --set SYMBOL=FILE       raw bytes of FILE.  As many bytes as the symbol has: the same for all PEs that have it.\n"
    "                          W x H times as many: each PE its own, ordered by y, then x, then element.\n"
    "  --set-value SYMBOL=V,.. values of the symbol's type, as many as it holds, or W x H times as many\n"
    "  --list                  list exported data symbols that have no value yet, with both sizes\n"
    "  -o IMG                  the image (- for standard output)\n"
    "  -h, --help              this text\n"
    "Symbols that are never set keep their initial value, else zero.  Exit status: 0, 1 after errors, 2 for a wrong call.\n";

typedef struct { bool file; const char *symbol, *arg; } Set;
typedef struct { const char **objs; Set *sets; const char *out; bool list, help; } Opts;

static bool bad(const char *what, const char *arg)
{
    fprintf(stderr, "wsld: %s%s\n%s", what, arg, usage);
    return false;
}

/* "--name VALUE" or "--name=VALUE" */
static const char *value_of(const char *name, int argc, char **argv, int *i)
{
    size_t n = strlen(name);
    if (strncmp(argv[*i], name, n) != 0) return NULL;
    if (argv[*i][n] == '=') return argv[*i] + n + 1;
    return argv[*i][n] == 0 && *i + 1 < argc ? argv[++*i] : NULL;
}

static bool add_set(Opts *o, bool file, const char *v)
{
    const char *eq = strchr(v, '=');
    if (!eq || eq == v || !eq[1]) return bad("expected SYMBOL=... : ", v);
    char *symbol = ws_xmalloc((size_t)(eq - v) + 1);
    memcpy(symbol, v, (size_t)(eq - v));
    arrput(o->sets, ((Set){file, symbol, eq + 1}));
    return true;
}

static bool parse(Opts *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *v;
        if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help")) o->help = true;
        else if (!strcmp(argv[i], "--list")) o->list = true;
        else if ((v = value_of("--set", argc, argv, &i))) { if (!add_set(o, true, v)) return false; }
        else if ((v = value_of("--set-value", argc, argv, &i))) { if (!add_set(o, false, v)) return false; }
        else if ((v = value_of("-o", argc, argv, &i))) o->out = v;
        else if (argv[i][0] == '-' && argv[i][1]) return bad("unknown option or missing value: ", argv[i]);
        else arrput(o->objs, argv[i]);
    }
    if (o->help) return true;
    if (arrlen(o->objs) == 0) return bad("no object given", "");
    if (!o->list && !o->out) return bad("no output given (-o IMG)", "");
    return true;
}

static WsObj *load(Diags *d, const Opts *o, WsObj ***all)
{
    for (ptrdiff_t i = 0; i < arrlen(o->objs); i++) {
        char *err = NULL;
        WsObj *x = obj_read(o->objs[i], &err);
        if (!x) {
            fprintf(stderr, "wsld: error: %s\n", err);
            free(err);
            return NULL;
        }
        arrput(*all, x);
        if (i && !ld_merge(d, (*all)[0], x, o->objs[0], o->objs[i])) return NULL;
    }
    return (*all)[0];
}

static bool fill(Diags *d, WsObj *o, const Opts *opts)
{
    bool ok = true;
    for (ptrdiff_t i = 0; i < arrlen(opts->sets); i++) {
        const Set *s = &opts->sets[i];
        bool twice = false;
        for (ptrdiff_t k = 0; k < i; k++) twice |= strcmp(opts->sets[k].symbol, s->symbol) == 0;
        if (twice) {
            LD_DIAG(d, ld_set_twice, (Loc){0}, d_str(s->symbol));
            ok = false;
        } else {
            ok &= s->file ? ld_set_file(d, o, s->symbol, s->arg) : ld_set_values(d, o, s->symbol, s->arg);
        }
    }
    return ok;
}

static bool run(Diags *d, const Opts *opts, WsObj ***all)
{
    WsObj *o = load(d, opts, all);
    if (!o || !fill(d, o, opts)) return false;
    if (opts->list) ld_list_unset(o, stdout);
    if (!opts->out) return true;
    if (!size_check(d, o)) return false;
    const char *err;
    o->image = true;
    if (obj_write(o, opts->out, &err) == 0) return true;
    fprintf(stderr, "wsld: error: %s\n", err);
    return false;
}

static void free_opts(Opts *o)
{
    for (ptrdiff_t i = 0; i < arrlen(o->sets); i++) free((char *)o->sets[i].symbol);
    arrfree(o->sets), arrfree(o->objs);
}

int main(int argc, char **argv)
{
    Opts o = {0};
    bool good = parse(&o, argc, argv);
    if (good && o.help) printf("%s%s", usage, help);
    if (!good || o.help) {
        free_opts(&o);
        return good ? ws_stdout_end("wsld", 0) : 2;
    }
    Diags *d = diags_new("wsld");
    WsObj **all = NULL;
    bool ok = run(d, &o, &all);
    diags_print(d, stderr);
    for (ptrdiff_t i = 0; i < arrlen(all); i++) obj_free(all[i]);
    arrfree(all);
    free_opts(&o);
    diags_free(d);
    return ws_stdout_end("wsld", ok ? 0 : 1);
}
