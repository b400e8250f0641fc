/* What the host tools of the HPCG example share: the order of the stencil, the queues, the colors, the slot and socket words,
 * the file order of per-PE data, options and files.  Each fact stands here once.
 *
 * Coordinates.  (x, y, z) are grid coordinates as in the HPCG document: x east, y NORTH, z inside the PE.  The machine counts
 * rows southward, so grid row y is machine row V - 1 - y; pe_file_index() is the one place that knows.
 * Direction names are the machine's, and NORTH is machine y - 1 = grid y + 1, so a "north" neighbour is north in both. */
#ifndef HPCG_COMMON_H
#define HPCG_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "hpcg_ops.h"

/* ---- the stencil: order of the streams, of A, of the queues -------------------------------------------------------------
 *
 * A row z of A holds 26 coefficients:
 *
 *     A[26z +  0..11]  upper triples  ne  n  nw  e     each triple: the neighbour's z-1, z, z+1
 *     A[26z + 12..23]  lower triples  sw  s  se  w
 *     A[26z + 24]      own column, z+1
 *     A[26z + 25]      own column, z-1
 *
 * A coefficient that reaches outside the grid is stored as 0.  Stream t (0..7) is the neighbour of triple t.
 * "Lower" streams come earlier in the Gauss-Seidel order (z fastest, then x, then y), "upper" ones later. */
enum Stream { ST_NE, ST_N, ST_NW, ST_E, ST_SW, ST_S, ST_SE, ST_W, ST_COUNT };
enum { A_PER_ROW = 26, A_UP = 0, A_DOWN = 12, A_ZP1 = 24, A_ZM1 = 25 };

typedef struct {
    const char *name;
    int dx, dy;      /* offset of the neighbour in the grid */
    int queue_full;  /* input queue in spmv_full (all eight streams at once) */
    int queue_half;  /* input queue in a phase that reads only the four upper or the four lower streams */
} StreamInfo;
extern const StreamInfo stream_info[ST_COUNT];

/* Input queue of spmv_full by stream: sw 0, s 1, se 2, w 3, ne 4, n 5, nw 6, e 7.  In the half phases sw s se w and ne n nw e
 * both sit on 0 1 2 3: the stream that waits longest on the deep queues 0 and 1, and queue q + 4 lends its words (DBLQ). */
enum { IN_QUEUES = 8, OUT_QUEUE = 0 };

/* Input queues of the co-set moves.  redist: the owner's stream.  reduce, at the owner: chunk k on queue REDUCE_IN + k - 1.
 * xchg: the stream of the PE that holds the chunk below, and of the one above. */
enum { REDIST_IN = 0, REDUCE_IN = 0, XCHG_BELOW = 0, XCHG_ABOVE = 1 };

/* ---- the machine's words ------------------------------------------------------------------------------------------------ */
enum Dir { DIR_WEST, DIR_EAST, DIR_SOUTH, DIR_NORTH, DIR_RAMP, DIR_COUNT };
extern const char *const dir_name[DIR_COUNT];
extern const int dir_dx[4], dir_dy[4]; /* grid steps: NORTH is y + 1 */
static inline int dir_opposite(int d) { return d ^ 1; }

enum {
    CTX_SLOTS = 9,        /* (color, slot word) pairs of a context; 9 socket words of a context */
    COLOR_NULL = 31,      /* a queue bound to it reads zeros and never waits; in a pair: unused */
    COLORS_ROUTABLE = 24,
    SLOT_VALID = 1 << 15, /* slot word: bits 0-2 rx (a direction code), 3-7 tx mask, 8 switch table, 15 valid */
    SLOT_SWITCH = 1 << 8,
    SOCK_OUT = 1 << 8,    /* socket word: bits 0-4 color, 5-7 queue, 8 output, 9 lend (DBLQ), 15 valid */
    SOCK_LEND = 1 << 9,
    SOCK_VALID = 1 << 15
};
#define TX(dir) (1u << (3 + (dir)))
static inline uint16_t slot_word(int rx, unsigned tx) { return (uint16_t)(SLOT_VALID | tx | (unsigned)rx); }
static inline uint16_t sock_word(int color, int queue, unsigned flags)
{
    return (uint16_t)(SOCK_VALID | flags | (unsigned)queue << 5 | (unsigned)color);
}

/* ---- the dot product ---------------------------------------------------------------------------------------------------- *
 * See the top of hpcg_router1.c for the design.  Input queues (order = order of the adds) and the role word of a PE. */
enum DotIn { DOT_PAIR, DOT_WEST, DOT_EAST, DOT_SOUTH, DOT_NORTH, DOT_INPUTS, DOT_BCAST = DOT_INPUTS };
enum {
    ROLE_BCAST = 1 << DOT_BCAST, /* bits 0..5: input queue 0..5 is bound to a color, not to null */
    ROLE_CENTRE = 1 << 6,        /* keeps its own sum as the result and broadcasts it */
    ROLE_COLOR_SHIFT = 8,        /* bits 8..12: color on which this PE sends, its only one in a dot */
    ROLE_COSET_SHIFT = 13        /* MG=1, bits 13..14: co-set of the PE, its place in its 2 x 2 block: 0 owner, 1 E, 2 N, 3 NE */
};
enum { COL_ROW0 = 16, COL_ROW1, COL_PAIR, COL_BCAST, COL_COL0, COL_COL1 };

typedef struct {
    int src_x[DOT_INPUTS], src_y[DOT_INPUTS]; /* who sends to input i; x < 0: nobody (the queue is null) */
    int in_color[DOT_BCAST + 1];              /* COLOR_NULL: none */
    int out_color;
    int out_dir;                              /* toward the receiver; DIR_RAMP for the centre (broadcast) */
    int out_hops;                             /* 1, or 2 in a row chain (over a leaf PE); 0 for the centre */
    bool centre;
} DotPlan;
void dot_plan(int H, int V, int x, int y, DotPlan *plan);

/* ---- per-PE layout of the levels ---------------------------------------------------------------------------------------- *
 * With co-sets a PE holds Z rows of level 0 and Z / 2^(L+2) rows of level L >= 1; all levels packed, finest first. */
enum { MAX_LEVELS = 4 };
typedef struct {
    int rows;     /* rows of this level on a PE */
    int row_off;  /* first row in A, diag, invd, r, ax (in rows) */
    int x_off;    /* word of the lower pad in x: element z is at x_off + 1 + z, the upper pad at x_off + 1 + rows */
} LevelLayout;
/* Fill lay[0..levels-1]; returns the rows of all levels together. */
int level_layout(int Z, int levels, LevelLayout lay[MAX_LEVELS]);
/* Which piece of level L's grid PE (x, y) holds: column (*cx, *cy), rows from *z0.  False: none (its rows are zero). */
bool level_piece(int Z, int level, int x, int y, int *cx, int *cy, int *z0);
static inline int coset_of(int x, int y) { return (x & 1) + 2 * (y & 1); } /* 0 owner, 1 E, 2 N, 3 NE */

/* Rows of lvl_tab: one per level, then the CG view of level 0 (x -> p, ax -> Ap).  MG=0 has the CG view alone, row 0. */
static inline int lvl_row_cg(int mg, int levels) { return mg ? levels : 0; }

/* Per-PE files: machine row, then x, then element. */
static inline size_t pe_file_index(int H, int V, int x, int y) { return (size_t)(V - 1 - y) * (size_t)H + (size_t)x; }

/* ---- HPCG's credited flops ---------------------------------------------------------------------------------------------- */
int64_t hpcg_nnz(int H, int V, int Z, int level);
int64_t hpcg_flops_per_iter(int H, int V, int Z, int levels, int mg);
int64_t hpcg_flops_setup(int H, int V, int Z);

/* ---- options ------------------------------------------------------------------------------------------------------------- */
typedef enum { OPT_INT, OPT_U32, OPT_DOUBLE, OPT_STRING, OPT_CHOICE, OPT_FLAG } OptKind;
typedef struct {
    const char *name;           /* without the dashes; `--name VALUE` or `--name=VALUE` */
    OptKind kind;
    void *to;                   /* int, uint32_t, double, const char *, int (index of the choice), bool */
    const char *help;
    const char *const *choices; /* OPT_CHOICE: null-terminated */
    bool required;
    bool seen;                  /* set by opt_parse */
} Opt;
/* Parse the command line; prints usage on --help (exit 0); any bad option ends the program with exit code 2.
 * `rest` receives up to *nrest words that are no options (rest may be null: none allowed). */
void opt_parse(int argc, char **argv, const char *about, Opt *opts, const char **rest, int *nrest);

/* Print "TOOL: message" and exit 2 (bad use or bad file). */
_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Print "TOOL: FAIL: message" and exit 1 (a check that failed). */
_Noreturn void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
extern const char *tool_name;

/* Grid limits and divisibility that the document states; dies with the rule that is broken.  mg = -1: H, V, Z positive only. */
void check_geometry(int H, int V, int Z, int mg);

/* ---- files: written to PATH.tmp.PID and renamed, so that a reader never sees half a file -------------------------------- */
typedef struct {
    FILE *f;
    char *path, *tmp;
} OutFile;
OutFile out_open(const char *dir, const char *name); /* dir may be null; it is made if it does not exist */
void out_write(OutFile *o, const void *data, size_t bytes);
void out_close(OutFile *o);
void write_file(const char *dir, const char *name, const void *data, size_t bytes);
void *read_file(const char *path, size_t *bytes);    /* dies with the reason if it cannot */
char *path_join(const char *dir, const char *name);

void *xcalloc(size_t n, size_t size); /* n or size may be 0; dies when out of memory */

/* ---- timestamps of TSTAMP=1 (phase_report, draw_svg) ---------------------------------------------------------------------- *
 * ts.u16: u16 [V][H][VPROG_MAX][3], per-PE order: of each op of vprog, in the last iteration, the low word of the cycle at which it
 * started, at which its routing context was there, at which the first row of a sweep began.  No op takes 65536 cycles, and PEs are
 * never that far apart, so whole times follow: counted from PE (0, 0)'s start of op 0 + 65536. */
typedef struct {
    uint32_t start, context, row, end; /* start <= context <= row <= end; the last two steps are empty where an op has none */
} Times;
typedef struct {
    int H, V, n;       /* ops without the closing END */
    uint16_t *op;      /* vprog */
    int level[VPROG_MAX];
    Times *t;          /* [y][x][op] */
} Stamps;
Stamps stamps_read(const char *ts, const char *vprog, int H, int V, int mg, int levels);
static inline const Times *stamp_of(const Stamps *s, int x, int y, int op) { return &s->t[(size_t)(y * s->H + x) * (size_t)s->n + (size_t)op]; }
void stamps_free(Stamps *s);
extern const char *const op_name[OP_COUNT];
static inline bool op_is_gs(int op) { return op == OP_GS_FWD_DOWN || op == OP_GS_BWD_UP; }
bool op_is_routed(int op); /* with a context: routed phases and dot products */

/* ---- routing tables (hpcg_router1, pack_routing) ------------------------------------------------------------------------- *
 * In memory and in a .rt file: PEs in per-PE file order, each `pe_words` u16 words:
 *     ctx[contexts][9][2]   sock[contexts][9]   dot[9][2]   dot_sock[9]   role */
typedef struct {
    int H, V, contexts;
    uint16_t *w;
} RouteTables;
static inline size_t rt_pe_words(int contexts) { return (size_t)(contexts + 1) * 27 + 1; }
static inline uint16_t *rt_pe(const RouteTables *t, int x, int y)
{
    return t->w + pe_file_index(t->H, t->V, x, y) * rt_pe_words(t->contexts);
}
/* Offsets of the parts within a PE's words; context index `contexts` means the dot table. */
static inline size_t rt_off_ctx(int contexts, int c) { return c < contexts ? (size_t)c * 18 : (size_t)contexts * 27; }
static inline size_t rt_off_sock(int contexts, int c)
{
    return c < contexts ? (size_t)contexts * 18 + (size_t)c * 9 : (size_t)contexts * 27 + 18;
}
static inline size_t rt_off_role(int contexts) { return (size_t)(contexts + 1) * 27; }
RouteTables rt_new(int H, int V, int contexts);
RouteTables rt_read(const char *path);
void rt_write(const RouteTables *t, const char *dir, const char *name);
RouteTables rt_read_packed(const char *dir, int H, int V, int contexts); /* the files of pack_routing */
void rt_free(RouteTables *t);

/* The packed files: symbol S is in file S.bin. */
typedef struct {
    const char *symbol;
    int first_ctx; /* 0: all contexts, 1: the dot table */
    int kind;      /* 0 slot pairs, 1 socket words, 2 role */
} RoutePart;
enum { ROUTE_PARTS = 5 };
extern const RoutePart route_parts[ROUTE_PARTS];
void rt_part_span(const RoutePart *part, int contexts, size_t *off, size_t *words);

#endif
