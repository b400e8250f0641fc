/* wsobjdump: look inside objects and images. */
#include "link.h"
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: wsobjdump [-d [--no-source]] [-t] [-r] [--boot] [--size] FILE...\n";
static const char help[] =
    "\n"
    "Without options: a summary.\n"
    "  -d            code of each class, with the source lines when their files can be read\n"
    "  --no-source   ... without them\n"
    "  -t            symbols of each class\n"
    "  -r            router tables, a picture per color\n"
    "  --boot        what each class starts with: tasks, queues, entry\n"
    "  --size        code and data of each class against the memory of a PE\n"
    "  -h, --help    this text\n"
    "Exit status: 0, 1 when a file is not a sound object, 2 for a wrong call.\n";

enum { DO_CODE = 1, DO_SYMS = 2, DO_ROUTES = 4, DO_BOOT = 8, DO_SIZE = 16, NO_SOURCE = 32 };

static int option(const char *s)
{
    static const struct { const char *name; int bit; } t[] = {
        {"-d", DO_CODE}, {"-t", DO_SYMS}, {"-r", DO_ROUTES}, {"--boot", DO_BOOT}, {"--size", DO_SIZE}, {"--no-source", NO_SOURCE},
    };
    for (size_t i = 0; i < sizeof t / sizeof *t; i++)
        if (strcmp(s, t[i].name) == 0) return t[i].bit;
    return 0;
}

static bool dump(const char *path, int what, bool many)
{
    char *err = NULL;
    WsObj *o = obj_read(path, &err);
    if (!o) {
        fprintf(stderr, "wsobjdump: error: %s\n", err);
        free(err);
        return false;
    }
    if (!(what & ~NO_SOURCE)) dump_summary(o, path, stdout);
    else if (many) printf("%s:\n", path);
    if (what & DO_SIZE) dump_size(o, stdout);
    if (what & DO_SYMS) dump_symbols(o, stdout);
    if (what & DO_BOOT) dump_boot(o, stdout);
    if (what & DO_CODE) dump_code(o, !(what & NO_SOURCE), stdout);
    if (what & DO_ROUTES) dump_routes(o, stdout);
    obj_free(o);
    return true;
}

int main(int argc, char **argv)
{
    int what = 0, files = 0, bad = 0;
    for (int i = 1; i < argc; i++) {
        int bit = option(argv[i]);
        if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help")) {
            printf("%s%s", usage, help);
            return ws_stdout_end("wsobjdump", 0);
        }
        if (argv[i][0] != '-') files++;
        else if (!bit) {
            fprintf(stderr, "wsobjdump: unknown option: %s\n%s", argv[i], usage);
            return 2;
        }
        what |= bit;
    }
    if (!files) {
        fprintf(stderr, "wsobjdump: no file given\n%s", usage);
        return 2;
    }
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-') bad += !dump(argv[i], what, files > 1);
    return ws_stdout_end("wsobjdump", bad ? 1 : 0);
}
