/* tests/unit/fe_parse_tool.c: the front end's first stage by itself: FILE... -> tree on stdout, messages on stderr.
 *   fe_parse_tool [--emit=ast | --emit=paint | --quiet] [--params=N:V,...] FILE...      exit code 1 after errors */
#include "frontend/paint.h"
#include "frontend/parse.h"
#include <stdlib.h>
#include <string.h>

typedef struct { bool quiet; const char *params; int failed; } Opts;

static bool has_suffix(const char *s, const char *suffix)
{
    size_t n = strlen(s), k = strlen(suffix);
    return n >= k && strcmp(s + n - k, suffix) == 0;
}

static void emit_ast(const Opts *o, Arena *a, Diags *d, const char *path, const char *text, size_t len)
{
    Interner *in = interner_new(a);
    Buf b = {0};
    AstFile *f = fe_parse(a, d, in, path, text, len);
    fe_ast_print(&b, f);
    if (!o->quiet && !diags_errors(d)) fwrite(b.p, 1, b.len, stdout);
    buf_free(&b);
    interner_free(in);
}

static void emit_paint(const Opts *o, Arena *a, Diags *d, const char *path, const char *text, size_t len)
{
    Buf b = {0};
    PaintPlacement *pl = paint_eval(a, d, path, text, len, o->params);
    if (pl) paint_print(&b, pl);
    if (!o->quiet && b.p) fwrite(b.p, 1, b.len, stdout);
    buf_free(&b);
}

static void one_file(Opts *o, const char *path)
{
    size_t len;
    char *text = ws_read_file(path, (size_t)1 << 30, &len);
    if (!text) {
        perror(path);
        o->failed = 1;
        return;
    }
    Arena *a = arena_new();
    Diags *d = diags_new("fe_parse_tool");
    (has_suffix(path, ".paint") ? emit_paint : emit_ast)(o, a, d, path, text, len);
    if (diags_print(d, stderr)) o->failed = 1;
    diags_free(d);
    arena_free(a);
    free(text);
}

int main(int argc, char **argv)
{
    Opts o = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quiet") == 0) o.quiet = true;
        else if (strncmp(argv[i], "--params=", 9) == 0) o.params = argv[i] + 9;
        else if (strncmp(argv[i], "--emit=", 7) != 0) one_file(&o, argv[i]);
    }
    return o.failed;
}
