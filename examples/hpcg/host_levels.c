/* The level table: where each iterator of hpcg.w starts, and how long it runs, on each level; and what the arrays take.
 *
 * Takes Z, LEVELS, MG, the list of iterators (hpcg_iters.h), and the PE addresses of the arrays; leaves
 *     lvl_tab.bin   u16 [rows][iterators][2] = {base in bytes, extent}, common to all PEs
 *
 * Rows: one per level, then the CG view of level 0, where p stands for x and Ap for ax.  With MG=0 there is the CG view alone.
 * `base` is relative to the start of the iterator's array unless an argument ARRAY=ADDRESS gives its address in the PE.
 * The extent is that of the outer dimension (rows); with --ready it is the whole length word of a descriptor, rows x inner with
 * bit 15 set (an operation leaves its advanced position), so that set_level is a copy.
 *
 * Per-PE arrays (hpcg_common.h, level_layout): A 26 words a row, diag invd r ax 1 word a row, all levels packed, finest first;
 * x likewise, with a zero pad below and above each level's column; p is one such column (Z + 2 words), Ap has Z words.
 * Ap is free during the V-cycle: it holds col1 (Z/2 words, the owner's level-1 column: right-hand side from restrict to redist,
 * result from reduce to prolong) and xs (x before a post-smoothing, from smooth_post to smooth_add). */
#include "hpcg_common.h"
#include "hpcg_iters.h"

#include <stdlib.h>
#include <string.h>

enum Array { ARR_A, ARR_diag, ARR_invd, ARR_r, ARR_ax, ARR_x, ARR_p, ARR_Ap, ARR_COUNT, ARR_R_NEXT = ARR_COUNT, ARR_X_NEXT };
static const char *const array_name[] = {"A", "diag", "invd", "r", "ax", "x", "p", "Ap", "r next", "x next"};
enum Anchor { FWD, BWD };
enum Rows { ALL, HALF, ONE };

typedef struct {
    const char *name;
    enum Array array;
    int first;
    enum Anchor anchor;
    int step, inner;
    enum Rows rows;
    int mg;
    const char *doc;
} Iter;
static const Iter iters[ITERS] = {
#define HPCG_IT(name, array, first, anchor, step, inner, rows, mg, doc) {#name, ARR_##array, first, anchor, step, inner, rows, mg, doc},
    HPCG_ITERS(HPCG_IT)
#undef HPCG_IT
};
enum { MAX_ROWS = MAX_LEVELS + 1, KEEP_POSITION = 0x8000 };

static unsigned base_of[ARR_COUNT];
static LevelLayout lay[MAX_LEVELS];
static int Z, ZR = 16, levels = MAX_LEVELS, mg = 1;

/* The array that an iterator walks on a row of the table; row `levels` is the CG view (level 0).  -1: there is no next level. */
static int array_on(const Iter *it, int row)
{
    bool cg = row == lvl_row_cg(mg, levels);
    if (it->array == ARR_R_NEXT || it->array == ARR_X_NEXT) {
        if (cg || row + 1 == levels)
            return -1;
        return row == 0 ? ARR_Ap : it->array == ARR_R_NEXT ? ARR_r : ARR_x;
    }
    return !cg ? (int)it->array : it->array == ARR_x ? ARR_p : it->array == ARR_ax ? ARR_Ap : (int)it->array;
}

/* Address of the first element on a row of the table, and the extent. */
static void entry(const Iter *it, int row, bool ready, uint16_t out[2])
{
    int array = array_on(it, row), level = row == lvl_row_cg(mg, levels) ? 0 : row;
    out[0] = out[1] = 0;
    if (array < 0)
        return;
    const LevelLayout *l = &lay[level];
    int rows = l->rows, words = array == ARR_A ? A_PER_ROW : 1, column = l->row_off * words;
    if (it->array == ARR_R_NEXT)
        column = level == 0 ? 0 : lay[level + 1].row_off;
    if (it->array == ARR_X_NEXT)
        column = level == 0 ? 0 : lay[level + 1].x_off + 1;
    if (it->array == ARR_x)
        column = l->x_off + 1; /* the CG view's p too: level 0 starts at 0 */
    int word = column + it->first + (it->anchor == BWD ? (rows - 1) * words : 0);
    int extent = it->rows == ALL ? rows : it->rows == HALF ? rows / 2 : 1;
    long addr = (long)base_of[array] + 4L * word;
    if (addr < 0 || addr > 0xffff) {
        if (base_of[array] || it->mg == 0)
            die("%s: address %ld does not fit in 16 bits (array %s at %u)", it->name, addr, array_name[array], base_of[array]);
        addr &= 0xffff; /* relative to an array that starts at 0: before it */
    }
    int length = extent * it->inner;
    if (length >= KEEP_POSITION)
        die("%s: %d elements do not fit in a descriptor", it->name, length);
    out[0] = (uint16_t)addr;
    out[1] = (uint16_t)(ready ? length | KEEP_POSITION : extent);
}

static void parse_base(const char *s)
{
    const char *eq = strchr(s, '=');
    char *end;
    for (int a = 0; eq && a < ARR_COUNT; a++)
        if (strlen(array_name[a]) == (size_t)(eq - s) && strncmp(array_name[a], s, (size_t)(eq - s)) == 0) {
            unsigned long v = strtoul(eq + 1, &end, 0);
            if (end == eq + 1 || *end || v > 0xffff)
                die("'%s': the address must be 0..0xffff", s);
            base_of[a] = (unsigned)v;
            return;
        }
    die("'%s': want ARRAY=ADDRESS with ARRAY one of A diag invd r ax x p Ap", s);
}

/* ---- memory -------------------------------------------------------------------------------------------------------------- */
enum { DATA_LIMIT = 40 << 10, PE_MEMORY = 48 << 10 };
static int total;

static void mem_line(const char *name, int bytes, const char *how)
{
    if (bytes == 0)
        return;
    printf("  %-24s %6d  %s\n", name, bytes, how);
    total += bytes;
}

/* What a PE's data take; false if it is more than 40 KB. */
static bool print_memory(int iters_cg)
{
    int rows = level_layout(Z, levels, lay), contexts = mg ? CTX_COUNT_MG1 : CTX_COUNT_MG0, n = mg ? ITERS : ITERS_MG0;
    int ranks = ZR ? Z / ZR : 1;
    printf("bytes on a PE: Z = %d, ZR = %d, MG = %d, %d levels, %d rows\n", Z, ZR, mg, levels, rows);
    mem_line("A", 4 * A_PER_ROW * rows, "26 words a row");
    mem_line("diag", 4 * rows, "");
    mem_line("invd", mg ? 4 * rows : 0, "");
    mem_line("r", mg ? 4 * rows : 0, "right-hand sides of the levels");
    mem_line("ax", mg ? 4 * rows : 0, "");
    mem_line("x", mg ? 4 * (rows + 2 * levels) : 0, "with a pad at each end of a level");
    mem_line("p", 4 * (Z + 2), "");
    mem_line("Ap", 4 * Z, mg ? "also col1 and xs" : "");
    mem_line("xcg", 4 * Z, "");
    mem_line(mg ? "rcg" : "r", 4 * Z, "residual of CG");
    mem_line("zcg", mg ? 0 : 4 * Z, "preconditioned residual");
    mem_line("zf_save", mg ? 4 * 18 * ranks : 0, "coefficients that zf_patch zeroes: 18 a z-rank of level 0");
    int arrays = total;
    mem_line("rrh", 4 * iters_cg, "");
    mem_line("rt_ctx, rt_sock", 54 * contexts, "");
    mem_line("rt_dot, _sock, rt_role", 56, "");
    mem_line("rt_none", mg ? 36 : 0, "a context without slots");
    mem_line("vprog", 2 * VPROG_MAX, "");
    mem_line("lvl_tab", 4 * n * (lvl_row_cg(mg, levels) + 1), "rows x iterators x 2");
    mem_line("zf_tab", mg ? 4 * levels : 0, "");
    mem_line("homes", 8 * n, "descriptors of the iterators");
    printf("  %-24s %6d\n", "arrays", arrays);
    printf("  %-24s %6d  of %d: %d left for code, stack, constants\n", "all data", total, PE_MEMORY, PE_MEMORY - total);
    if (total <= DATA_LIMIT)
        return true;
    printf("host_levels: FAIL: the data take %d bytes, more than %d (40 KB): Z = %d with ZR = %d does not fit\n", total, DATA_LIMIT, Z, ZR);
    return false;
}

int main(int argc, char **argv)
{
    static const char *const zero_one[] = {"0", "1", NULL};
    int nrest = ARR_COUNT, iters_cg = 10;
    const char *out_dir = NULL, *rest[ARR_COUNT];
    bool list = false, ready = false, memory = false;
    Opt opts[] = {
        {.name = "Z", .kind = OPT_INT, .to = &Z, .help = "points per PE", .required = true},
        {.name = "levels", .kind = OPT_INT, .to = &levels, .help = "MG levels, default 4"},
        {.name = "mg", .kind = OPT_CHOICE, .to = &mg, .help = "V-cycle preconditioner, default 1", .choices = zero_one},
        {.name = "out-dir", .kind = OPT_STRING, .to = &out_dir, .help = "write lvl_tab.bin here"},
        {.name = "ready", .kind = OPT_FLAG, .to = &ready, .help = "second word of an entry: the descriptor's length word"},
        {.name = "list", .kind = OPT_FLAG, .to = &list, .help = "print the table"},
        {.name = "memory", .kind = OPT_FLAG, .to = &memory, .help = "print what the data take; exit 1 if more than 40 KB"},
        {.name = "ZR", .kind = OPT_INT, .to = &ZR, .help = "for --memory: z-rank height, default 16; 0 = one z-rank"},
        {.name = "iters", .kind = OPT_INT, .to = &iters_cg, .help = "for --memory: CG iterations, default 10"},
        {.name = NULL},
    };
    tool_name = "host_levels";
    opt_parse(argc, argv, "Make the level table: host_levels --Z Z [ARRAY=ADDRESS ...]", opts, rest, &nrest);
    for (int i = 0; i < nrest; i++)
        parse_base(rest[i]);
    check_geometry(8, 8, Z, 0);
    if (levels < 1 || levels > MAX_LEVELS)
        die("--levels must be 1..%d, not %d", MAX_LEVELS, levels);
    if (!mg)
        levels = 1;
    else if (levels > 1 && Z % 32)
        die("co-sets need Z divisible by 32 (Z=%d)", Z);
    level_layout(Z, levels, lay);

    int rows = lvl_row_cg(mg, levels) + 1, cols = mg ? ITERS : ITERS_MG0;
    uint16_t tab[MAX_ROWS][ITERS][2];
    for (int i = 0; i < cols; i++) {
        for (int r = 0; r < rows; r++)
            entry(&iters[i], r, ready, tab[r][i]);
        if (list) {
            printf("%2d  %-14s %-6s {rows,%d}", i, iters[i].name, array_name[iters[i].array], iters[i].inner);
            for (int r = 0; r < rows; r++)
                printf(" %5u/%-5u", tab[r][i][0], tab[r][i][1]);
            printf("  %s\n", iters[i].doc);
        }
    }
    if (out_dir) {
        OutFile o = out_open(out_dir, "lvl_tab.bin");
        for (int r = 0; r < rows; r++)
            out_write(&o, tab[r], (size_t)cols * sizeof tab[r][0]);
        out_close(&o);
    }
    return memory && !print_memory(iters_cg);
}
