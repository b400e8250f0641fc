/* frontend/paint.h: the layout language: a picture of stacked rectangles in, placed code out.
 *
 *     let H = param; let V = param;
 *     color c_dot;
 *     define worker = tile code "hpcg.w" { .Z = 128, .c = c_dot };
 *     paint hstackrep(H, vstackrep(V, worker));
 *
 * Takes the text of one .paint file and the command line's params; leaves a list of rectangles that cover the painted
 * area without overlap.  Sizes are worked out bottom-up; where two rectangles meet, their edges must be of equal length.
 * A uniform area stays one rectangle, however many PEs it has. */
#ifndef FE_PAINT_H
#define FE_PAINT_H
#include "runtime/base/base.h"

typedef enum { PV_INT, PV_FLOAT, PV_STRING, PV_BOOL, PV_COLOR } PaintValueKind;
typedef struct {
    PaintValueKind kind;
    int64_t i;        /* PV_INT, PV_BOOL (0, 1), PV_COLOR (its number) */
    double f;         /* PV_FLOAT */
    const char *s;    /* PV_STRING: text; PV_FLOAT: spelling; PV_COLOR: name */
} PaintValue;

typedef struct { const char *name; PaintValue value; Loc loc; } PaintParam;

/* One `tile code` of the source: which file runs there, with which parameters. */
typedef struct {
    const char *code; /* as written, relative to the .paint file */
    PaintParam *params;
    uint32_t nparams;
    Loc loc;          /* the tile expression */
    Loc code_loc;     /* the file name */
} PaintTile;

typedef struct { uint32_t x, y, w, h, tile; } PaintRect;                  /* x to the east, y to the south; tile: index */
typedef struct { const char *name; uint32_t number; Loc loc; } PaintColor;

typedef struct {
    uint32_t w, h;                                   /* the painted area */
    PaintTile *tiles; uint32_t ntiles;               /* in order of first use, top left to bottom right */
    PaintRect *rects; uint32_t nrects;               /* sorted by y, then x; no overlap, no gap */
    PaintColor *colors; uint32_t ncolors;            /* in source order */
} PaintPlacement;

/* Registers the text with d, parses and evaluates it.  params: "N:V,N:V" or NULL: values for `let N = param;`; names that
 * the file does not ask for are left alone, since they may be the kernel's.  NULL after errors. */
PaintPlacement *paint_eval(Arena *a, Diags *d, const char *path, const char *text, size_t len, const char *params);

/* The placement as text (wslc --emit=placement). */
void paint_print(Buf *out, const PaintPlacement *p);

/* A fabric has colors 0 .. 23; an area of more than this is refused. */
enum { PAINT_COLORS = 24, PAINT_MAX_SIDE = 65535, PAINT_MAX_RECTS = 1 << 20 };
#endif
