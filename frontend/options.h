/* frontend/options.h: the command line of wslc, which is also cslc: what was asked for, and the folder that cslc leaves. */
#ifndef FE_OPTIONS_H
#define FE_OPTIONS_H
#include "frontend/sema.h"

enum { EXIT_SOURCE = 1, EXIT_USAGE = 2 };
typedef enum { EMIT_OBJ, EMIT_AST, EMIT_WIR, EMIT_ASM, EMIT_PLACEMENT } Emit;

typedef struct Options {
    FeOptions fe;
    const char *tool;        /* "wslc", or "cslc" when called so */
    const char *output, *passes, *dump_after;
    const char **incdirs; /* stb */
    const char **params;  /* stb */
    const char **colors;  /* stb */
    Emit emit;
    int level;
    bool folder;             /* output is a folder: object, out.json */
    bool verbose, memcpy;
    bool fabric;             /* --fabric-dims was given */
    int dims[2], offsets[2]; /* of the fabric, and of the rectangle in it */
    int channels;
    const char **exports; /* stb, malloc'ed: lines "export TYPE const|var NAME" for the object's .w.host */
} Options;

/* Parse; on a fault prints one line and exits with EXIT_USAGE.  --help exits with 0. */
Options options_parse(int argc, char **argv, Diags *d);
void options_free(Options *o);
bool ends_with(const char *s, const char *suffix);
/* options.fe.exported: keeps the line of a name; a name that came before stays as it was. */
void options_export(void *options, const char *name, const char *type, bool writable);

/* The fabric's line and those of exported names into the object.  false: reported (the rectangle does not fit the fabric). */
bool outdir_host_lines(const Options *o, Diags *d, WsObj *obj);
/* Where the object of the folder goes, in arena a.  Makes the folders.  NULL: reported. */
const char *outdir_object(const Options *o, Diags *d, Arena *a);
/* out.json of the folder.  false: reported. */
bool outdir_json(const Options *o, Diags *d, const WsObj *obj);
#endif
