/* The level table: where each iterator of hpcg.w starts, and how long it runs, on each level.
 *
 * Takes Z, LEVELS, MG, the list of iterators below, and (optionally) the PE addresses of the arrays; leaves
 *     lvl_tab.bin   u16 [rows][iterators][2] = {base in bytes, outer extent}, common to all PEs
 *
 * Rows: one per level, then the CG view of level 0, where p stands for x and Ap for ax.  With MG=0 there is the CG view alone.
 * `base` is relative to the start of the iterator's array unless --base ARRAY=ADDRESS gives its address in the PE.
 *
 * Per-PE arrays (hpcg_common.h, level_layout): A 26 words a row, diag invd r ax 1 word a row, all levels packed, finest first;
 * x likewise, with a zero pad below and above each level's column; p is one such column (Z + 2 words), Ap has Z words. */
#include "hpcg_common.h"

#include <stdlib.h>
#include <string.h>

enum Array { ARR_A, ARR_DIAG, ARR_INVD, ARR_R, ARR_AX, ARR_X, ARR_P, ARR_AP, ARR_COUNT };
static const char *const array_name[ARR_COUNT] = {"A", "diag", "invd", "r", "ax", "x", "p", "Ap"};

/*  name          array     words/row first  dir  mg   used by
 * first: word of the first element within the row (for x and p: 0 is the element itself, -1 the one below, +1 above)
 * dir: +1 starts at row 0, -1 at the last row (the access function then runs downward)
 * mg: 1 = only with the V-cycle */
typedef struct {
    const char *name;
    enum Array array;
    int stride, first, dir, mg;
    const char *doc;
} Iter;
static const Iter iters[] = {
    {"walkA3_all",    ARR_A,    26, A_UP,    1, 0, "|z,k|{N,24} -> A[26*z + k]: spmv_full, the eight triples"},
    {"walkA1_all",    ARR_A,    26, A_ZP1,   1, 0, "|z,k|{N,2} -> A[26*z + 24 + k]: spmv_full, z+1 then z-1"},
    {"walkdiag",      ARR_DIAG,  1, 0,       1, 0, "|z|{N} -> diag[z]"},
    {"walkx",         ARR_X,     1, 0,       1, 0, "|z|{N} -> x[z], past the pad"},
    {"walkZ1_up",     ARR_X,     1, 1,       1, 0, "|z|{N} -> x[z+1]"},
    {"walkZ1_down",   ARR_X,     1, -1,      1, 0, "|z|{N} -> x[z-1]"},
    {"tx_window_f",   ARR_X,     1, -1,      1, 0, "|z,k|{N,3} -> x[z-1+k]: the window that is sent"},
    {"walkax_wr",     ARR_AX,    1, 0,       1, 0, "|z|{N} -> ax[z]"},
    {"walkA3_down",   ARR_A,    26, A_DOWN,  1, 1, "|z,k|{N,12} -> A[26*z + 12 + k]: gs_fwd_down_fused, spmv_down"},
    {"walkA1b_down",  ARR_A,    26, A_ZM1,   1, 1, "|z|{N} -> A[26*z + 25]: own column, z-1"},
    {"walkA3_up",     ARR_A,    26, A_UP,    1, 1, "|z,k|{N,12} -> A[26*z + k]: gs_fwd_up"},
    {"walkA1_up",     ARR_A,    26, A_ZP1,   1, 1, "|z|{N} -> A[26*z + 24]: own column, z+1"},
    {"walkr_fwd",     ARR_R,     1, 0,       1, 1, "|z|{N} -> r[z]"},
    {"walkinvd_fwd",  ARR_INVD,  1, 0,       1, 1, "|z|{N} -> invd[z]"},
    {"walkax_rd_fwd", ARR_AX,    1, 0,       1, 1, "|z|{N} -> ax[z]"},
    {"walkA3_up_bwd", ARR_A,    26, A_UP,   -1, 1, "|z,k|{N,12} -> A[-26*z + k]: gs_bwd_up"},
    {"walkA1_up_bwd", ARR_A,    26, A_ZP1,  -1, 1, "|z|{N} -> A[-26*z + 24]"},
    {"walkr_bwd",     ARR_R,     1, 0,      -1, 1, "|z|{N} -> r[-z]"},
    {"walkinvd_bwd",  ARR_INVD,  1, 0,      -1, 1, "|z|{N} -> invd[-z]"},
    {"walkax_bwd",    ARR_AX,    1, 0,      -1, 1, "|z|{N} -> ax[-z]"},
    {"walky_bwd",     ARR_X,     1, 0,      -1, 1, "|z|{N} -> x[-z]: new x"},
    {"walkZ1_bwd",    ARR_X,     1, 1,      -1, 1, "|z|{N} -> x[-z+1]: own column, the row before in the sweep"},
    {"tx_window_b",   ARR_X,     1, -1,     -1, 1, "|z,k|{N,3} -> x[-z-1+k]"},
};
enum { ITERS = sizeof iters / sizeof iters[0], MAX_ROWS = MAX_LEVELS + 1 };

static unsigned base_of[ARR_COUNT];

static enum Array cg_view(enum Array a) { return a == ARR_X ? ARR_P : a == ARR_AX ? ARR_AP : a; }

/* Byte address of the first element of iterator `it` on a level (cg: on the CG view, lay = level 0). */
static uint16_t iter_base(const Iter *it, const LevelLayout *lay, bool cg)
{
    enum Array a = cg ? cg_view(it->array) : it->array;
    int word = a == ARR_X ? lay->x_off + 1 : a == ARR_P ? 1 : a == ARR_AP ? 0 : lay->row_off * it->stride;
    word += it->first + (it->dir < 0 ? (lay->rows - 1) * it->stride : 0);
    long addr = (long)base_of[a] + 4L * word;
    if (addr < 0 || addr > 0xffff)
        die("%s: address %ld does not fit in 16 bits (array %s at %u)", it->name, addr, array_name[a], base_of[a]);
    return (uint16_t)addr;
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

int main(int argc, char **argv)
{
    static const char *const zero_one[] = {"0", "1", NULL};
    int Z = 0, levels = MAX_LEVELS, mg = 1, nrest = ARR_COUNT;
    const char *out_dir = NULL, *rest[ARR_COUNT];
    bool list = false;
    Opt opts[] = {
        {.name = "Z", .kind = OPT_INT, .to = &Z, .help = "points per PE", .required = true},
        {.name = "levels", .kind = OPT_INT, .to = &levels, .help = "MG levels, default 4"},
        {.name = "mg", .kind = OPT_CHOICE, .to = &mg, .help = "V-cycle preconditioner, default 1", .choices = zero_one},
        {.name = "out-dir", .kind = OPT_STRING, .to = &out_dir, .help = "write lvl_tab.bin here"},
        {.name = "list", .kind = OPT_FLAG, .to = &list, .help = "print the table"},
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
    LevelLayout lay[MAX_LEVELS];
    level_layout(Z, levels, lay);

    uint16_t tab[MAX_ROWS][ITERS][2];
    int rows = lvl_row_cg(mg, levels) + 1, cols = 0;
    for (int i = 0; i < ITERS; i++) {
        if (iters[i].mg && !mg)
            continue;
        for (int r = 0; r < rows; r++) {
            bool cg = r == rows - 1;
            tab[r][cols][0] = iter_base(&iters[i], &lay[cg ? 0 : r], cg);
            tab[r][cols][1] = (uint16_t)lay[cg ? 0 : r].rows;
        }
        if (list) {
            printf("%2d  %-14s %-5s", cols, iters[i].name, array_name[iters[i].array]);
            for (int r = 0; r < rows; r++)
                printf(" %5u/%-3u", tab[r][cols][0], tab[r][cols][1]);
            printf("  %s\n", iters[i].doc);
        }
        cols++;
    }
    if (out_dir) {
        OutFile o = out_open(out_dir, "lvl_tab.bin");
        for (int r = 0; r < rows; r++)
            out_write(&o, tab[r], (size_t)cols * sizeof tab[r][0]);
        out_close(&o);
    }
    return 0;
}
