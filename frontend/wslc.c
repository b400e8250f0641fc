/* frontend/wslc.c: the compiler's driver.  main() reads as the list of stages; docs/architecture.md maps them to files. */
#include "frontend/machine.h"
#include "backend/asm.h"
#include "backend/backend.h"
#include "backend/link/link.h"
#include "frontend/parse.h"
#include "frontend/options.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MAX_TEXT = 64 << 20 };

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
    o->fe.colors = o->colors;
    o->fe.ncolors = (uint32_t)arrlen(o->colors);
    o->fe.exported = options_export;
    o->fe.exported_user = o;
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
    bool ok = m && m->name && *m->name;
    if (m && !ok) FE_DIAG(b->d, no_class, (Loc){0}, d_str(b->o->fe.source));
    ok = ok && back_end(b, m, 0);
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

static bool write_object(Diags *d, Options *o, WsObj *obj)
{
    const char *err, *path = o->folder ? outdir_object(o, d, obj->arena) : o->output;
    if (!path) return false;
    if (obj_write(obj, path, &err)) {
        size_t n = strlen(path);
        if (!strncmp(err, path, n) && !strncmp(err + n, ": ", 2)) err += n + 2; /* the message names the file */
        return FE_DIAG(d, no_write, (Loc){0}, d_str(path), d_str(err)), false;
    }
    if (o->folder && !outdir_json(o, d, obj)) return false;
    if (o->verbose) fprintf(stderr, "%s: %s: %u x %u PEs, %u class%s\n", o->tool, path, obj->w, obj->h, obj->nclasses, obj->nclasses == 1 ? "" : "es");
    return true;
}

static bool compile(Arena *a, Diags *d, Options *o)
{
    Back b = {o, d, a, obj_new(o->fe.arch), {0}};
    bool ok;
    if (o->emit == EMIT_AST) ok = emit_ast(&b);
    else if (ends_with(o->fe.source, ".s")) ok = from_asm(&b);
    else if (ends_with(o->fe.source, ".wir")) ok = from_wir(&b);
    else ok = fe_program(a, d, &o->fe, b.obj, back_end, &b);
    if (ok && o->emit == EMIT_PLACEMENT) fe_print_placement(&b.text, b.obj);
    if (ok && o->emit == EMIT_OBJ) ok = size_check(d, b.obj) && outdir_host_lines(o, d, b.obj) && write_object(d, o, b.obj);
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
    Options o = options_parse(argc, argv, d);
    library_dirs(&o);
    Arena *a = arena_new();
    bool ok = compile(a, d, &o);
    bool errors = diags_print(d, stderr) > 0;
    diags_free(d);
    arena_free(a);
    options_free(&o);
    return ok && !errors ? 0 : EXIT_SOURCE;
}
