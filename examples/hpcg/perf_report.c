/* Cycles per iteration, credited flops, rate, against the floor.
 *
 * Takes the statistics of a run (JSON object with keys cycles and, optionally, clock_hz; others are ignored) and the geometry;
 * prints a report and leaves (with --out-dir) perf.json.  `cycles` may be overridden with --cycles, for a count of the iterations
 * alone, measured by the PEs; else all cycles of the run, start and end included, count as iterations.
 *
 * The floor: one multiply-add per cycle and PE.  MG=1: 139 Z cycles an iteration.  MG=0: 33 Z (SpMV 26 + 1, three dots 3, three
 * updates 3).  LEVELS=1, one SYMGS: 59 Z.  A run below the floor skipped arithmetic: exit 1. */
#include "hpcg_common.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

enum { CLOCK_HZ = 875000000, FLOOR_MG1 = 139, FLOOR_ONE_LEVEL = 59, FLOOR_MG0 = 33 };

/* A whole number >= 1 from key `name`; 0 if the key is not there. */
static int64_t stat_number(const json_t *o, const char *path, const char *name)
{
    const json_t *v = json_object_get(o, name);
    if (!v)
        return 0;
    double d = json_is_number(v) ? json_number_value(v) : -1;
    if (!(d >= 1) || d > 9e15 || d != floor(d))
        die("%s: \"%s\" must be a whole number from 1 up", path, name);
    return (int64_t)d;
}

int main(int argc, char **argv)
{
    static const char *const zero_one[] = {"0", "1", NULL};
    int H = 0, V = 0, Z = 0, iters = 0, mg = 1, levels = MAX_LEVELS, nrest = 1;
    double cycles_opt = 0;
    const char *stats = NULL, *out_dir = NULL;
    Opt opts[] = {
        {.name = "H", .kind = OPT_INT, .to = &H, .help = "PEs in x", .required = true},
        {.name = "V", .kind = OPT_INT, .to = &V, .help = "PEs in y", .required = true},
        {.name = "Z", .kind = OPT_INT, .to = &Z, .help = "points per PE", .required = true},
        {.name = "iters", .kind = OPT_INT, .to = &iters, .help = "CG iterations of the run", .required = true},
        {.name = "mg", .kind = OPT_CHOICE, .to = &mg, .help = "V-cycle preconditioner, default 1", .choices = zero_one},
        {.name = "levels", .kind = OPT_INT, .to = &levels, .help = "MG levels, default 4"},
        {.name = "cycles", .kind = OPT_DOUBLE, .to = &cycles_opt, .help = "cycles of the iterations, instead of the statistics'"},
        {.name = "out-dir", .kind = OPT_STRING, .to = &out_dir, .help = "write perf.json here"},
        {.name = NULL},
    };
    tool_name = "perf_report";
    opt_parse(argc, argv, "Report the speed of a run: perf_report STATS.json --H H --V V --Z Z --iters N", opts, &stats, &nrest);
    if (nrest != 1)
        die("which statistics? (perf_report STATS.json ...)");
    check_geometry(H, V, Z, 0);
    if (iters < 1)
        die("--iters must be at least 1");
    if (levels < 1 || levels > MAX_LEVELS)
        die("--levels must be 1..%d, not %d", MAX_LEVELS, levels);
    if (cycles_opt != floor(cycles_opt) || cycles_opt < 0 || cycles_opt > 9e15)
        die("--cycles must be a whole number from 1 up");

    json_error_t err;
    json_t *o = json_load_file(stats, 0, &err);
    if (!o)
        die("%s:%d: %s", stats, err.line, err.text);
    if (!json_is_object(o))
        die("%s: not a JSON object", stats);
    int64_t cycles = cycles_opt > 0 ? (int64_t)cycles_opt : stat_number(o, stats, "cycles");
    int64_t clock = stat_number(o, stats, "clock_hz");
    if (!cycles)
        die("%s: no \"cycles\"", stats);
    if (!clock)
        clock = CLOCK_HZ;
    json_decref(o);

    int64_t per_iter = hpcg_flops_per_iter(H, V, Z, mg ? levels : 1, mg), setup = hpcg_flops_setup(H, V, Z);
    int floor_z = !mg ? FLOOR_MG0 : levels == 1 ? FLOOR_ONE_LEVEL : FLOOR_MG1;
    double cyc_iter = (double)cycles / iters, floor_cycles = (double)floor_z * Z;
    double seconds = cyc_iter / (double)clock, gflops = (double)per_iter / seconds * 1e-9;
    double per_pe = (double)per_iter / cyc_iter / ((double)H * V);
    printf("cycles per iteration  %.1f (%" PRId64 " cycles, %d iterations; floor %.0f)\n", cyc_iter, cycles, iters, floor_cycles);
    printf("credited flops        %" PRId64 " per iteration, %" PRId64 " once\n", per_iter, setup);
    printf("rate                  %.3f Gflop/s at %.0f MHz; %.4f flops per cycle and PE\n", gflops, (double)clock * 1e-6, per_pe);
    if (out_dir) {
        json_t *p = json_pack("{s:i, s:i, s:i, s:i, s:i, s:I, s:I, s:f, s:f, s:I, s:I, s:f, s:f}", "H", H, "V", V, "Z", Z, "mg", mg, "iters",
                              iters, "cycles", (json_int_t)cycles, "clock_hz", (json_int_t)clock, "cycles_per_iter", cyc_iter,
                              "floor_cycles_per_iter", floor_cycles, "flops_per_iter", (json_int_t)per_iter, "flops_setup",
                              (json_int_t)setup, "gflops", gflops, "flops_per_cycle_pe", per_pe);
        char *text = p ? json_dumps(p, JSON_INDENT(1) | JSON_PRESERVE_ORDER) : NULL;
        if (!text)
            die("internal: cannot make perf.json");
        OutFile f = out_open(out_dir, "perf.json");
        fprintf(f.f, "%s\n", text);
        out_close(&f);
        free(text);
        json_decref(p);
    }
    if (cyc_iter < floor_cycles)
        fail("%.1f cycles per iteration is below the floor of %.0f (%d Z): arithmetic was skipped", cyc_iter, floor_cycles,
             floor_z);
    return 0;
}
