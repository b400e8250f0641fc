/* Plant a fault in the files of an image, so that a test can see that a check catches it.
 *
 * Takes the name of a fault and the folders of the image (--dir) and of the reference (--ref); changes vprog.bin or lvl_tab.bin
 * in --dir, or writes a changed copy of A.bin there.  What it finds must be what it expects to find, else exit 2: a
 * fault that changes nothing would be "caught" by nothing.  Faults that are options of other tools (domain, sever) or code
 * (z_rank, gs_coef, spmv_coef, beta: param FAULT of hpcg.w) change no file, but are known here. */
#include "hpcg_common.h"
#include "hpcg_iters.h"

#include <stdlib.h>
#include <string.h>

static const char *dir, *ref;
static int H, V, Z, levels = MAX_LEVELS, ZR = 16;

typedef struct {
    uint16_t *w;
    size_t n;
} Words;

static Words words(const char *name)
{
    Words f;
    char *path = path_join(dir, name);
    f.w = read_file(path, &f.n);
    f.n /= sizeof *f.w;
    free(path);
    return f;
}

static void save(const char *name, Words f)
{
    write_file(dir, name, f.w, f.n * sizeof *f.w);
    free(f.w);
}

static unsigned code(uint16_t op) { return op & 0xff; }

/* Place of the n-th op `op` (with argument `arg`, or any: -1) in vprog; dies if there is none. */
static size_t find_op(Words p, enum HpcgOp op, int arg, int n)
{
    for (size_t i = 0; i < p.n; i++)
        if (code(p.w[i]) == (unsigned)op && (arg < 0 || p.w[i] >> 8 == arg) && n-- == 0)
            return i;
    die("vprog has no op %d %d", (int)op, arg);
}

/* An op that does nothing: the level that is set anyhow, set again. */
static uint16_t nop(Words p, size_t at)
{
    while (at > 0 && code(p.w[at]) != OP_SET_LEVEL)
        at--;
    return p.w[at];
}

/* The backward sweep before the forward one, on every level. */
static void sweep_order(void)
{
    Words p = words("vprog.bin");
    find_op(p, OP_GS_FWD_DOWN, -1, 0);
    for (size_t i = 0; i + 1 < p.n; i++)
        if (code(p.w[i]) == OP_GS_FWD_DOWN && code(p.w[i + 1]) == OP_GS_BWD_UP) {
            uint16_t t = p.w[i];
            p.w[i] = p.w[i + 1];
            p.w[++i] = t;
        }
    save("vprog.bin", p);
}

/* The residual of the post-smoothing on level 0 from before the prolongation: SpMV and prolongation change places. */
static void stale(void)
{
    Words p = words("vprog.bin");
    size_t at = find_op(p, OP_PROLONG, 0, 0);
    if (code(p.w[at + 1]) != OP_SPMV_FULL)
        die("no SpMV after the prolongation to level 0");
    uint16_t t = p.w[at];
    p.w[at] = p.w[at + 1];
    p.w[at + 1] = t;
    save("vprog.bin", p);
}

/* No post-smoothing on level 1: all ops behind the prolongation up to SMOOTH_ADD. */
static void no_post(void)
{
    Words p = words("vprog.bin");
    for (size_t i = find_op(p, OP_PROLONG, 1, 0) + 1;; i++) {
        if (i == p.n)
            die("no SMOOTH_ADD after the prolongation to level 1");
        bool last = code(p.w[i]) == OP_SMOOTH_ADD;
        p.w[i] = nop(p, i);
        if (last)
            break;
    }
    save("vprog.bin", p);
}

/* One exchange of chunk ends lost: the one before the post-smoothing of level 2. */
static void lost_xchg(void)
{
    Words p = words("vprog.bin");
    size_t at = find_op(p, OP_XCHG, CTX_XCHG(2), 1);
    p.w[at] = nop(p, at);
    save("vprog.bin", p);
}

/* Restriction from level 1 to 2 takes the odd points. */
static void restriction(void)
{
    Words t = words("lvl_tab.bin");
    size_t at = ((size_t)1 * ITERS + IT_walkres_r) * 2;
    if (levels < 3 || at >= t.n)
        die("no level 2");
    t.w[at] = (uint16_t)(t.w[at] + 4);
    save("lvl_tab.bin", t);
}

static float *read_a(size_t *bytes, int *rows, LevelLayout lay[MAX_LEVELS])
{
    char *path = path_join(ref, "A.bin");
    float *a = read_file(path, bytes);
    *rows = level_layout(Z, levels, lay);
    if (*bytes != (size_t)H * (size_t)V * (size_t)*rows * A_PER_ROW * sizeof *a)
        die("%s: %zu bytes", path, *bytes);
    free(path);
    return a;
}

/* One row of one PE with its triples of e and w exchanged. */
static void mirrored(void)
{
    size_t bytes;
    int rows;
    LevelLayout lay[MAX_LEVELS];
    float *a = read_a(&bytes, &rows, lay);
    float *row = a + (pe_file_index(H, V, 3, 4) * (size_t)rows + 20) * A_PER_ROW, t[3];
    memcpy(t, row + 3 * ST_E, sizeof t);
    if (memcmp(t, row + 3 * ST_W, sizeof t) == 0)
        die("the row is its own mirror image (INIT=exact?)");
    memcpy(row + 3 * ST_E, row + 3 * ST_W, sizeof t);
    memcpy(row + 3 * ST_W, t, sizeof t);
    write_file(dir, "A.bin", a, bytes);
    free(a);
}

/* One coefficient missing on the coarsest level, own z+1 of the first row of column (0, 0), chunk 0.  (Its z-1 of the next row
 * would be seen by nobody: the sweep before the restriction ends in this row and leaves no residual, so its forward value is 0.) */
static void coarsest_coef(void)
{
    size_t bytes;
    int rows;
    LevelLayout lay[MAX_LEVELS];
    float *a = read_a(&bytes, &rows, lay);
    const LevelLayout *l = &lay[levels - 1];
    float *c = a + (pe_file_index(H, V, 0, 0) * (size_t)rows + (size_t)l->row_off) * A_PER_ROW + A_ZP1;
    if (*c == 0)
        die("the coefficient is 0");
    *c = 0;
    write_file(dir, "A.bin", a, bytes);
    free(a);
}

static void elsewhere(void) {}

static const struct {
    const char *name;
    void (*plant)(void);
} faults[] = {
    {"sweep_order", sweep_order}, {"z_rank", elsewhere},        {"stale", stale},
    {"no_post", no_post},         {"lost_xchg", lost_xchg},     {"restriction", restriction},
    {"mirrored", mirrored},       {"coarsest_coef", coarsest_coef},
    {"domain", elsewhere},        {"sever", elsewhere},         {"gs_coef", elsewhere},
    {"spmv_coef", elsewhere},     {"beta", elsewhere},
};

int main(int argc, char **argv)
{
    const char *name = NULL;
    int nrest = 1;
    bool list = false;
    Opt opts[] = {
        {.name = "H", .kind = OPT_INT, .to = &H, .help = "PEs in x"},
        {.name = "V", .kind = OPT_INT, .to = &V, .help = "PEs in y"},
        {.name = "Z", .kind = OPT_INT, .to = &Z, .help = "points per PE"},
        {.name = "levels", .kind = OPT_INT, .to = &levels, .help = "MG levels, default 4"},
        {.name = "ZR", .kind = OPT_INT, .to = &ZR, .help = "z-rank height, default 16"},
        {.name = "dir", .kind = OPT_STRING, .to = &dir, .help = "files of the image"},
        {.name = "ref", .kind = OPT_STRING, .to = &ref, .help = "files of the reference"},
        {.name = "list", .kind = OPT_FLAG, .to = &list, .help = "print the names of the faults"},
        {.name = NULL},
    };
    tool_name = "plant";
    opt_parse(argc, argv, "Plant a fault in the files of an image: plant FAULT --dir D --ref R --H H --V V --Z Z", opts, &name, &nrest);
    enum { N = sizeof faults / sizeof faults[0] };
    if (list) {
        for (int i = 0; i < N; i++)
            puts(faults[i].name);
        return 0;
    }
    if (nrest != 1 || !dir || !ref)
        die("want a fault, --dir and --ref (try --help, --list)");
    check_geometry(H, V, Z, 1);
    if (levels < 1 || levels > MAX_LEVELS)
        die("--levels must be 1..%d, not %d", MAX_LEVELS, levels);
    for (int i = 0; i < N; i++)
        if (strcmp(name, faults[i].name) == 0) {
            faults[i].plant();
            return 0;
        }
    die("no fault is called '%s' (try --list)", name);
}
