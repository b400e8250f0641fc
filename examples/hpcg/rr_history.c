/* Compare the fabric's ||r||^2 of every iteration with the reference.
 *
 * Takes GOT and REF.  Each is a csv with columns iter and rr (others are ignored; CRLF is fine), or, with --got-f32, GOT is the
 * raw f32 history read back from one PE.  GOT must have exactly --iters values if that is given, and at least one, and REF every
 * iteration of GOT.  Values must agree to --rel (1e-4) while rr/rr0 of the reference is above --floor (1e-10); below it they
 * must still be numbers, not negative, and below 1e3 times the floor.
 * --csv-out FILE also writes GOT as `iter,rr`.
 * Exit 0: agree; 1: the first iteration that does not, with both values; 2: an unreadable file. */
#include "hpcg_common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double *rr; /* by iteration; -1 where the file has none */
    int n;
} History;

enum { MAX_ITER = 1000000 };

static void put(History *h, long iter, double rr, const char *path)
{
    if (iter < 0 || iter > MAX_ITER)
        die("%s: iteration %ld", path, iter);
    if (iter >= h->n) {
        h->rr = realloc(h->rr, ((size_t)iter + 1) * sizeof *h->rr);
        if (!h->rr)
            die("out of memory");
        for (; h->n <= iter; h->n++)
            h->rr[h->n] = -1;
    }
    if (h->rr[iter] != -1)
        die("%s: iteration %ld twice", path, iter);
    h->rr[iter] = rr == -1 ? -2 : rr; /* -1 means none */
}

/* Field number f of a csv line, as a fresh string; null if there are fewer. */
static char *field(const char *line, int f)
{
    for (; f > 0; f--) {
        line = strchr(line, ',');
        if (!line)
            return NULL;
        line++;
    }
    return strndup(line, strcspn(line, ","));
}

static int column(const char *head, const char *name)
{
    char *s;
    for (int f = 0; (s = field(head, f)); f++) {
        bool same = strcmp(s, name) == 0;
        free(s);
        if (same)
            return f;
    }
    return -1;
}

static History read_csv(const char *path)
{
    size_t bytes;
    char *text = read_file(path, &bytes), *save = NULL;
    if (strlen(text) != bytes)
        die("%s: not a text file", path);
    char *head = strtok_r(text, "\r\n", &save);
    int ci = head ? column(head, "iter") : -1, cr = head ? column(head, "rr") : -1;
    if (ci < 0 || cr < 0)
        die("%s: no columns iter and rr", path);
    History h = {NULL, 0};
    for (char *line; (line = strtok_r(NULL, "\r\n", &save));) {
        char *si = field(line, ci), *sr = field(line, cr), *ei = NULL, *er = NULL;
        long iter = si ? strtol(si, &ei, 10) : 0;
        double rr = sr ? strtod(sr, &er) : 0;
        if (!si || !sr || ei == si || *ei || er == sr || *er)
            die("%s: bad line '%s'", path, line);
        put(&h, iter, rr, path);
        free(si);
        free(sr);
    }
    free(text);
    return h;
}

static History read_f32(const char *path)
{
    size_t bytes;
    char *data = read_file(path, &bytes);
    if (bytes % sizeof(float))
        die("%s: %zu bytes is no array of f32", path, bytes);
    History h = {NULL, 0};
    for (size_t i = 0; i < bytes / sizeof(float); i++) {
        float f;
        memcpy(&f, data + i * sizeof f, sizeof f);
        put(&h, (long)i, f, path);
    }
    free(data);
    return h;
}

int main(int argc, char **argv)
{
    double rel = 1e-4, floor_ = 1e-10;
    int iters = 0, nrest = 2;
    bool got_f32 = false;
    const char *rest[2], *csv_out = NULL;
    Opt opts[] = {
        {.name = "rel", .kind = OPT_DOUBLE, .to = &rel, .help = "relative tolerance, default 1e-4"},
        {.name = "floor", .kind = OPT_DOUBLE, .to = &floor_, .help = "rr/rr0 below which rr is not compared, default 1e-10"},
        {.name = "iters", .kind = OPT_INT, .to = &iters, .help = "GOT must have this many iterations"},
        {.name = "got-f32", .kind = OPT_FLAG, .to = &got_f32, .help = "GOT is raw f32, one value an iteration"},
        {.name = "csv-out", .kind = OPT_STRING, .to = &csv_out, .help = "also write GOT here, as iter,rr"},
        {.name = NULL},
    };
    tool_name = "rr_history";
    opt_parse(argc, argv, "Compare the residual history with the reference: rr_history GOT REF", opts, rest, &nrest);
    if (nrest != 2)
        die("want two files: GOT REF (try --help)");
    if (rel < 0 || floor_ < 0)
        die("a tolerance must not be negative");
    History got = got_f32 ? read_f32(rest[0]) : read_csv(rest[0]), ref = read_csv(rest[1]);
    if (csv_out) {
        OutFile o = out_open(NULL, csv_out);
        fprintf(o.f, "iter,rr\n");
        for (int k = 0; k < got.n; k++)
            fprintf(o.f, "%d,%.9g\n", k, got.rr[k]);
        out_close(&o);
    }
    if (got.n == 0 || (iters && got.n != iters))
        fail("%s has %d iterations, expected %s%d", rest[0], got.n, iters ? "" : "at least ", iters ? iters : 1);
    if (ref.n < got.n)
        fail("%s has %d iterations, the reference only %d", rest[0], got.n, ref.n);
    double rr0 = ref.rr[0], worst = 0;
    if (!(rr0 > 0) || !isfinite(rr0))
        die("%s: rr of iteration 0 is %g", rest[1], rr0);
    int compared = 0, worst_iter = 0;
    for (int k = 0; k < got.n; k++) {
        double g = got.rr[k], r = ref.rr[k];
        if (r == -1 || g == -1)
            fail("iteration %d is missing in %s", k, rest[g == -1 ? 0 : 1]);
        if (!isfinite(g) || g < 0 || !isfinite(r))
            fail("iteration %d: got rr %.9g, expected %.9g", k, g, r);
        if (r / rr0 <= floor_) {
            if (g / rr0 > 1e3 * floor_)
                fail("iteration %d: got rr %.9g, expected %.9g, converged (below %g of rr0)", k, g, r, floor_);
            continue;
        }
        double e = fabs(g - r) / r;
        if (e > rel)
            fail("iteration %d: got rr %.9g, expected %.9g, relative difference %.3g, allowed %g", k, g, r, e, rel);
        compared++;
        if (e >= worst) {
            worst = e;
            worst_iter = k;
        }
    }
    printf("rr: %d iterations agree (%d compared); the worst off by %.3g, relative, in iteration %d\n", got.n, compared, worst,
           worst_iter);
    free(got.rr);
    free(ref.rr);
    return 0;
}
