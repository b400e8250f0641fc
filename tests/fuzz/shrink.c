/* tests/fuzz/shrink.c: see fuzz.h. */
#define _GNU_SOURCE
#include "backend/asm.h"
#include "tests/diff/diff.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/gen.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool fuzz_load(FuzzObj *f, const char *text, bool loud)
{
    *f = (FuzzObj){.ar = arena_new(), .d = diags_new("sim-fuzz")};
    bool fine = asm_file(f->ar, f->d, "fuzz.s", text, strlen(text), ARCH_WSE3, &f->o) == 0;
    if (!fine && loud) diags_print(f->d, stderr);
    if (fine) {
        f->a = f->o->arch;
        fine = fuzz_params(text, &f->a);
    }
    if (!fine) fuzz_unload(f);
    return fine;
}

void fuzz_unload(FuzzObj *f)
{
    if (f->o) obj_free(f->o);
    diags_free(f->d);
    arena_free(f->ar);
}

/* ---- making smaller: leave out runs of lines, long ones first; whole PEs go that way too, as their lines stand together */
typedef struct { char **line; size_t n; time_t until; } Lines;

static bool differs(const char *text)
{
    FuzzObj f;
    if (!fuzz_load(&f, text, false)) return false;
    char *lacks = sim_engine_lacks("fast", f.o), *why = NULL;
    DiffHow how = {"reference", "fast", 20000, 3, 1, .brief = true};
    DiffSeen seen;
    bool bad = !lacks && !diff_run(f.o, &f.a, &how, &seen, &why);
    free(lacks);
    free(why);
    fuzz_unload(&f);
    return bad;
}

static void join(Buf *b, const Lines *l, size_t from, size_t n)     /* without n lines from `from` on */
{
    b->len = 0;
    buf_add(b, "", 0);
    for (size_t i = 0; i < l->n; i++)
        if (i < from || i >= from + n) buf_printf(b, "%s\n", l->line[i]);
}

static bool drop_runs(Lines *l, Buf *b, size_t run)
{
    bool any = false;
    for (size_t at = 0; at < l->n && time(NULL) < l->until;) {
        size_t n = run < l->n - at ? run : l->n - at;
        join(b, l, at, n);
        if (!differs(b->p)) {
            at += n;
            continue;
        }
        memmove(l->line + at, l->line + at + n, (l->n - at - n) * sizeof *l->line);
        l->n -= n;
        any = true;
    }
    return any;
}

/* a PE: its lines from .class on, with its routes */
static bool drop_pes(Lines *l, Buf *b)
{
    bool any = false;
    for (size_t at = l->n; at-- > 0 && time(NULL) < l->until;) {
        if (strncmp(l->line[at], ".class", 6)) continue;
        size_t n = 1;
        while (at + n < l->n && strncmp(l->line[at + n], ".class", 6)) n++;
        join(b, l, at, n);
        if (!differs(b->p)) continue;
        memmove(l->line + at, l->line + at + n, (l->n - at - n) * sizeof *l->line);
        l->n -= n;
        any = true;
    }
    return any;
}

bool fuzz_shrink(const char *text, Buf *out, int seconds)
{
    if (!differs(text)) return false;
    char *copy = strdup(text), *save = NULL;
    Lines l = {.until = time(NULL) + seconds};
    Buf b = {0};
    for (char *p = strtok_r(copy, "\n", &save); p; p = strtok_r(NULL, "\n", &save)) arrput(l.line, p);
    l.n = (size_t)arrlen(l.line);
    drop_pes(&l, &b);
    for (bool again = true; again && time(NULL) < l.until;) {
        again = false;
        for (size_t run = l.n / 2; run; run /= 2) again |= drop_runs(&l, &b, run);
    }
    join(out, &l, 0, 0);
    buf_free(&b);
    arrfree(l.line);
    free(copy);
    return true;
}

/* ---- grants */
/* outputs that heads of a router wait for after cycle now, which is done */
static unsigned waiting(const Sim *s, unsigned x, unsigned y, uint64_t now)
{
    unsigned outs = 0;
    SimSlot k;
    SimWord w;
    for (int c = 0; c < N_COLOR; c++) {
        if (!sim_slot(s, x, y, c, &k) || k.state != SLOT_OPEN) continue;
        for (int d = 0; d < DIR_RAMP; d++)
            if (k.words[d] && sim_slot_word(s, x, y, c, (Dir)d, 0, &w) && w.at <= now) outs |= slot_tx(k.slot);
    }
    SimQueue q;
    for (int i = 0; i < N_QUEUE; i++)
        if (sim_queue(s, x, y, true, i, &q) && q.words && sim_queue_word(s, x, y, true, i, 0, &w) && w.at <= now && w.color < N_COLOR &&
            sim_slot(s, x, y, w.color, &k) && k.state == SLOT_OPEN) outs |= slot_tx(k.slot);
    return outs;
}

void fuzz_grants(const FuzzObj *f, uint64_t max_cycles, FuzzGrants *sum)
{
    static const int of[] = {CT_hop_w, CT_hop_e, CT_hop_s, CT_hop_n, CT_ramp};
    char *err = NULL;
    Sim *s = sim_new_engine("reference", f->o, &f->a, &err);
    if (!s) return free(err);
    size_t n = (size_t)sim_width(s) * sim_height(s);
    uint64_t (*seen)[N_DIR] = ws_xmalloc(n * sizeof *seen);
    SimStop stop = SIM_MAX_CYCLES;
    for (uint64_t now = 0; now < max_cycles && stop == SIM_MAX_CYCLES; now++) {
        stop = sim_run(s, now + 1);
        for (size_t i = 0; i < n; i++) {
            unsigned x = (unsigned)(i % sim_width(s)), y = (unsigned)(i / sim_width(s)), outs = 0;
            const uint64_t *c = sim_counters(s, x, y);
            for (int d = 0; d < N_DIR; d++)
                if (c[of[d]] != seen[i][d]) outs |= 1u << d, sum->all++, seen[i][d] = c[of[d]];
            if (outs) sum->contended += (uint64_t)__builtin_popcount(outs & waiting(s, x, y, now));
        }
    }
    free(seen);
    sim_free(s);
}
