/* The queue table: which input queue a kernel reads for each stream, and the z-rank patch list.
 *
 * Takes Z, ZR, MG, LEVELS; leaves, common to all PEs, u16 little endian:
 *     q_tab.bin   [kernels][9]   queue of stream ne n nw e sw s se w, 0xffff = the kernel does not read it; then the output queue.
 *                                kernels: MG=0: spmv_full; MG=1 adds gs_fwd_down_fused, gs_bwd_up, gs_fwd_up, spmv_down
 *     zf_tab.bin  [levels][2]    MG=1: {z-rank height in rows, z-ranks} of a PE's column on each level: zf_patch zeroes dz = -1 in
 *                                the first row of every rank and dz = +1 in its last
 * The colors of the queues are in rt_sock (they differ per PE); a half-phase kernel's socket words have the lend bit where
 * `lend` below says so. */
#include "hpcg_common.h"

#include <string.h>

enum { UP = 1, DOWN = 2, FULL = UP | DOWN };
typedef struct {
    const char *name;
    int streams, mg;
    bool lend; /* levels 0 and 1: queue q + 4 lends its words to q (DBLQ) */
} Kernel;
static const Kernel kernels[] = {
    {"spmv_full", FULL, 0, false},
    {"gs_fwd_down_fused", DOWN, 1, true},
    {"gs_bwd_up", UP, 1, true},
    {"gs_fwd_up", UP, 1, false},
    {"spmv_down", DOWN, 1, false},
};
enum { KERNELS = sizeof kernels / sizeof kernels[0], NOT_READ = 0xffff };

static uint16_t queue_of(const Kernel *k, int stream)
{
    if (k->streams == FULL)
        return (uint16_t)stream_info[stream].queue_full;
    bool read = k->streams & (stream <= ST_E ? UP : DOWN);
    return read ? (uint16_t)stream_info[stream].queue_half : NOT_READ;
}

int main(int argc, char **argv)
{
    static const char *const zero_one[] = {"0", "1", NULL};
    int Z = 0, ZR = 16, levels = MAX_LEVELS, mg = 1;
    const char *out_dir = NULL;
    bool list = false;
    Opt opts[] = {
        {.name = "Z", .kind = OPT_INT, .to = &Z, .help = "points per PE", .required = true},
        {.name = "ZR", .kind = OPT_INT, .to = &ZR, .help = "z-rank height, default 16; 0 = one z-rank"},
        {.name = "levels", .kind = OPT_INT, .to = &levels, .help = "MG levels, default 4"},
        {.name = "mg", .kind = OPT_CHOICE, .to = &mg, .help = "V-cycle preconditioner, default 1", .choices = zero_one},
        {.name = "out-dir", .kind = OPT_STRING, .to = &out_dir, .help = "write q_tab.bin (and zf_tab.bin) here"},
        {.name = "list", .kind = OPT_FLAG, .to = &list, .help = "print the tables"},
        {.name = NULL},
    };
    tool_name = "host_stencil";
    opt_parse(argc, argv, "Make the queue table and the z-rank patch list.", opts, NULL, NULL);
    check_geometry(8, 8, Z, 0);
    if (levels < 1 || levels > MAX_LEVELS)
        die("--levels must be 1..%d, not %d", MAX_LEVELS, levels);
    if (mg && ((levels > 1 && Z % 32) || (ZR && (ZR % 8 || Z % ZR || (levels > 1 && Z % (4 * ZR))))))
        die("Z must be divisible by 32 and by 4 x ZR, and ZR by 8 (Z=%d ZR=%d)", Z, ZR);

    uint16_t q_tab[KERNELS][ST_COUNT + 1], zf_tab[MAX_LEVELS][2];
    size_t nk = 0;
    for (int k = 0; k < KERNELS; k++) {
        if (kernels[k].mg && !mg)
            continue;
        for (int s = 0; s < ST_COUNT; s++)
            q_tab[nk][s] = queue_of(&kernels[k], s);
        q_tab[nk][ST_COUNT] = OUT_QUEUE;
        if (list) {
            printf("%-18s", kernels[k].name);
            for (int s = 0; s < ST_COUNT; s++) {
                if (q_tab[nk][s] != NOT_READ)
                    printf(" %s:%u", stream_info[s].name, q_tab[nk][s]);
            }
            printf(" out:%d%s\n", OUT_QUEUE, kernels[k].lend ? " (q+4 lends on levels 0, 1)" : "");
        }
        nk++;
    }
    LevelLayout lay[MAX_LEVELS];
    level_layout(Z, levels, lay);
    for (int l = 0; l < levels; l++) {
        int height = ZR ? ZR >> l : lay[l].rows;
        zf_tab[l][0] = (uint16_t)height;
        zf_tab[l][1] = (uint16_t)(lay[l].rows / height);
        if (list && mg)
            printf("level %d: %u z-ranks of %u rows\n", l, zf_tab[l][1], zf_tab[l][0]);
    }
    if (out_dir) {
        write_file(out_dir, "q_tab.bin", q_tab, nk * sizeof q_tab[0]);
        if (mg)
            write_file(out_dir, "zf_tab.bin", zf_tab, (size_t)levels * sizeof zf_tab[0]);
    }
    return 0;
}
