/* Where the cycles of an iteration go, from the timestamps of TSTAMP=1.
 *
 * Takes the timestamps (hpcg_common.h), vprog.bin and the geometry; prints one line per kind of op and level, and sums.  An op ends where the next one starts; a routed op splits into
 *     set-up   until its context is there (it waits for the old context to be closed, so for slower neighbours too)
 *     fill     GS only: until the first windows of all predecessors are there
 *     run      the rest; of a GS sweep and an SpMV also by row (the last window and the teardown are in it)
 * Columns: cycles of PE (0, 0), of the far corner (H - 1, V - 1), and the mean of all PEs; multiply-adds of the op, at one a cycle.
 * floor + what lies above it = the mean.  --csv FILE writes the per-op table that draw_svg takes. */
#include "hpcg_common.h"

#include <stdlib.h>

/* What a group counts as in the sums. */
typedef enum { C_GS, C_SPMV, C_DOT, C_VEC, C_MOVE, C_SETUP, C_COUNT } Class;
static const char *const class_name[C_COUNT] = {"GS sweeps", "SpMV", "dot products", "vector updates", "co-set moves", "tables, z-rank patch"};

static int H, V, Z, levels = MAX_LEVELS, mg = 1;

static Class class_of(int op)
{
    if (op_is_gs(op))
        return C_GS;
    if (op == OP_SPMV_FULL || op == OP_GS_FWD_UP || op == OP_SPMV_DOWN)
        return C_SPMV;
    if (op == OP_DOT)
        return C_DOT;
    if (op == OP_REDIST || op == OP_REDUCE || op == OP_XCHG)
        return C_MOVE;
    return op == OP_SET_LEVEL || op == OP_ZF_PATCH || op == OP_END ? C_SETUP : C_VEC;
}

/* Multiply-adds of an op on `rows` rows, one a cycle: 139 a row of level 0 and iteration (MG=1), the floor. */
static int work(int op, int arg, int rows)
{
    switch (op) {
    case OP_SPMV_FULL: return 27 * rows;
    case OP_GS_FWD_DOWN: case OP_GS_BWD_UP: return 13 * rows;
    case OP_GS_FWD_UP: return 13 * rows;
    case OP_SPMV_DOWN: return 14 * rows;
    case OP_DOT: return (arg ? 2 : 1) * rows;
    case OP_P_UPDATE: case OP_X_UPDATE: case OP_R_UPDATE: return rows;
    default: return 0;
    }
}

typedef struct {
    int op, level, count, rows, work;
    double corner, far, all[4]; /* all: mean of set-up, fill, run, whole */
} Group;

/* What group op i of the iteration belongs to; made if it is the first of its kind. */
static Group *group_of(Group *group, int *n, int op, int level)
{
    int shown = class_of(op) == C_SETUP || class_of(op) == C_VEC ? -1 : level, g = 0;
    while (g < *n && (group[g].op != op || group[g].level != shown))
        g++;
    if (g == *n)
        group[(*n)++] = (Group){.op = op, .level = shown};
    return &group[g];
}

/* Add op i of the stamps to its group; a line of the CSV. */
static void add_op(Group *p, const Stamps *s, int i, int rows, FILE *csv)
{
    double pes = (double)H * V, start_sum = 0, cycles_sum = 0;
    int op = s->op[i] & 0xff, arg = s->op[i] >> 8;
    uint32_t first = UINT32_MAX, last = 0;
    p->count++;
    p->rows += rows;
    p->work += work(op, arg, rows);
    for (int y = 0; y < V; y++)
        for (int x = 0; x < H; x++) {
            const Times *t = stamp_of(s, x, y, i);
            double part[4] = {t->context - t->start, t->row - t->context, t->end - t->row, t->end - t->start};
            if (op == OP_DOT) { /* the column's own sum comes before the context: not set-up */
                part[2] += part[0];
                part[0] = 0;
            }
            for (int k = 0; k < 4; k++)
                p->all[k] += part[k] / pes;
            if (x == 0 && y == 0)
                p->corner += part[3];
            if (x == H - 1 && y == V - 1)
                p->far += part[3];
            first = t->start < first ? t->start : first;
            last = t->end > last ? t->end : last;
            start_sum += t->start;
            cycles_sum += t->end - t->start;
        }
    if (csv)
        fprintf(csv, "%d,%s,%d,%d,%u,%.1f,%u,%.1f,%d\n", i, op_name[op], arg, s->level[i], first, start_sum / pes, last, cycles_sum / pes, rows);
}

static void print_groups(FILE *f, const Group *group, int n)
{
    double total = 0, sum[C_COUNT][4] = {{0}}, floor_z = !mg ? 33 : levels == 1 ? 59 : 139, floor_ = floor_z * Z;
    int done[C_COUNT] = {0}, adds = 0;
    for (int g = 0; g < n; g++)
        total += group[g].all[3];
    fprintf(f, "phase          level ops    (0, 0)   far corner       mean     %%   set-up     fill      run  by row  multiply-adds\n");
    for (int g = 0; g < n; g++) {
        const Group *p = &group[g];
        Class k = class_of(p->op);
        char lv[12] = "-", row[16] = "";
        if (p->level >= 0)
            snprintf(lv, sizeof lv, "%d", p->level);
        if (k == C_GS || k == C_SPMV)
            snprintf(row, sizeof row, "%.1f", p->all[2] / p->rows);
        fprintf(f, "%-14s %5s %3d %9.0f %12.0f %10.1f %5.1f %8.1f %8.1f %8.1f %7s %14d\n", op_name[p->op], lv, p->count, p->corner, p->far,
                p->all[3], 100 * p->all[3] / total, p->all[0], p->all[1], p->all[2], row, p->work);
        for (int i = 0; i < 4; i++)
            sum[k][i] += p->all[i];
        done[k] += p->work;
    }
    for (int k = 0; k < C_COUNT; k++)
        adds += done[k];
    fprintf(f, "\none iteration, mean of all PEs: %.0f cycles = floor %.0f (%.0f Z) + %.0f multiply-adds of the coarse levels + %.0f\n", total,
            floor_, floor_z, adds - floor_, total - adds);
    fprintf(f, "%-24s %10s %14s %10s %10s %10s\n", "above the multiply-adds", "cycles", "multiply-adds", "set-up", "fill", "rows, waits");
    for (int k = 0; k < C_COUNT; k++)
        fprintf(f, "%-24s %10.0f %14d %10.0f %10.0f %10.0f\n", class_name[k], sum[k][3], done[k], sum[k][0], sum[k][1], sum[k][2] - done[k]);
}

int main(int argc, char **argv)
{
    static const char *const zero_one[] = {"0", "1", NULL};
    int ZR = 16, nrest = 2;
    const char *rest[2], *out = NULL, *csv = NULL;
    Opt opts[] = {
        {.name = "H", .kind = OPT_INT, .to = &H, .help = "PEs in x", .required = true},
        {.name = "V", .kind = OPT_INT, .to = &V, .help = "PEs in y", .required = true},
        {.name = "Z", .kind = OPT_INT, .to = &Z, .help = "points per PE", .required = true},
        {.name = "ZR", .kind = OPT_INT, .to = &ZR, .help = "z-rank height (not used)"},
        {.name = "levels", .kind = OPT_INT, .to = &levels, .help = "MG levels, default 4"},
        {.name = "mg", .kind = OPT_CHOICE, .to = &mg, .help = "V-cycle preconditioner, default 1", .choices = zero_one},
        {.name = "out", .kind = OPT_STRING, .to = &out, .help = "write the report here, not to standard output"},
        {.name = "csv", .kind = OPT_STRING, .to = &csv, .help = "write a line per op: index,op,level,min start,mean start,max end"},
        {.name = NULL},
    };
    tool_name = "phase_report";
    opt_parse(argc, argv, "Cycles of an iteration by phase: phase_report TS VPROG --H H --V V --Z Z", opts, rest, &nrest);
    if (nrest != 2)
        die("want two files: TS VPROG (try --help)");
    check_geometry(H, V, Z, 0);
    if (levels < 1 || levels > MAX_LEVELS)
        die("--levels must be 1..%d, not %d", MAX_LEVELS, levels);
    if (!mg)
        levels = 1;
    Stamps s = stamps_read(rest[0], rest[1], H, V, mg, levels);
    LevelLayout lay[MAX_LEVELS];
    level_layout(Z, levels, lay);

    Group group[VPROG_MAX];
    int n = 0;
    OutFile c = {0};
    if (csv) {
        c = out_open(NULL, csv);
        fprintf(c.f, "index,op,arg,level,first_start,mean_start,last_end,mean_cycles,rows\n");
    }
    for (int i = 0; i < s.n; i++)
        add_op(group_of(group, &n, s.op[i] & 0xff, s.level[i]), &s, i, lay[s.level[i]].rows, csv ? c.f : NULL);
    if (csv)
        out_close(&c);

    OutFile o = {0};
    FILE *f = stdout;
    if (out) {
        o = out_open(NULL, out);
        f = o.f;
    }
    print_groups(f, group, n);
    if (out)
        out_close(&o);
    stamps_free(&s);
    return 0;
}
