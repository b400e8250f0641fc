/* Register allocation by graph colouring, all files in one graph.
 * Rounds of: liveness, interference, conservative coalescing of copies (Briggs and George), simplification, colouring;
 * general registers that find no colour are spilled everywhere, constants and addresses are made again instead.  DSRs and dot
 * registers cannot be spilled: too many at once is an error that names the line. */
#include "backend/mir.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    BeCtx *cx;
    MFn *f;
    uint32_t n, words;                                   /* registers, words of a set */
    uint64_t *in, *out;                                  /* by block */
    uint64_t *adj;                                       /* n x n bits */
    uint32_t **list;                                     /* stb_ds of neighbours */
    uint32_t *deg;
    Reg *alias, *color;
    double *cost;
    int *remat;                                          /* index into defs + 1: the one instruction that makes it; -1 several defs */
    MIns *defs;
    bool spilled, failed;
} Ra;

static bool bit(const uint64_t *s, uint32_t i) { return s[i >> 6] >> (i & 63) & 1; }
static void set(uint64_t *s, uint32_t i) { s[i >> 6] |= 1ull << (i & 63); }
static void clr(uint64_t *s, uint32_t i) { s[i >> 6] &= ~(1ull << (i & 63)); }
static uint64_t *row(const Ra *r, uint64_t *m, uint32_t i) { return m + (size_t)i * r->words; }

static const uint32_t CALLER_SAVED = ((1u << (ABI_CALLER_LAST + 1)) - 2) | 1u << 28 | 1u << REG_TMP | 1u << REG_LINK;

/* Registers to give: all but r0, the scratch registers, sp and link.  Tests leave only a few, so that everything is spilled. */
int be_few_registers;
static uint32_t allocatable_mask(void)
{
    uint32_t all = ((1u << (ABI_CALLEE_LAST + 1)) - 2);
    if (!be_few_registers) return all;
    return all & (((1u << (be_few_registers + 1)) - 2) | 15u << ABI_CALLEE_FIRST);
}

static bool is_dsr(RegClass c) { return c == RC_DEST || c == RC_SRC0 || c == RC_SRC1; }
static bool is_call(const MIns *in) { return in->op == M_CALL || in->op == M_CALLR; }

/* ---- liveness */
static void step_back(Ra *r, MIns *in, uint64_t *live)
{
    MOpd o[5];
    int n = mi_operands(in, o);
    for (int i = 0; i < n; i++)
        if (o[i].def && !o[i].use && !(is_dsr(reg_class(r->f, *o[i].r)) && mi_is_vec(in))) clr(live, (uint32_t)*o[i].r);
    if (is_call(in))
        for (uint32_t p = 1; p < N_GPR; p++)
            if (CALLER_SAVED >> p & 1) clr(live, p);
    for (int i = 0; i < n; i++)
        if (o[i].use || (is_dsr(reg_class(r->f, *o[i].r)) && mi_is_vec(in))) set(live, (uint32_t)*o[i].r);
    for (uint32_t p = 1; p < N_GPR; p++)
        if (in->mask >> p & 1) set(live, p);
    clr(live, 0);
}

static void liveness(Ra *r)
{
    MFn *f = r->f;
    size_t nb = (size_t)arrlen(f->blks);
    uint64_t *tmp = ws_xmalloc(r->words * 8);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = nb - 1; k >= 1; k--) {
            uint64_t *out = row(r, r->out, (uint32_t)k), *in = row(r, r->in, (uint32_t)k);
            MBlk *b = &f->blks[k];
            for (ptrdiff_t i = 0; i < arrlen(b->succ); i++)
                for (uint32_t w = 0; w < r->words; w++) out[w] |= row(r, r->in, b->succ[i])[w];
            memcpy(tmp, out, r->words * 8);
            for (ptrdiff_t i = arrlen(b->ins) - 1; i >= 0; i--) step_back(r, &b->ins[i], tmp);
            if (memcmp(tmp, in, r->words * 8) != 0) {
                memcpy(in, tmp, r->words * 8);
                changed = true;
            }
        }
    }
    free(tmp);
}

/* ---- interference */
static void add_edge(Ra *r, uint32_t a, uint32_t b)
{
    if (a == b || bit(row(r, r->adj, a), b)) return;
    set(row(r, r->adj, a), b);
    set(row(r, r->adj, b), a);
    arrput(r->list[a], b);
    arrput(r->list[b], a);
    r->deg[a]++;
    r->deg[b]++;
}

static void def_edges(Ra *r, uint32_t d, const uint64_t *live, uint32_t except)
{
    RegClass c = reg_class(r->f, (Reg)d);
    bool nested = d >= PR_VIRT && r->f->vregs[d - PR_VIRT].nested;
    for (uint32_t w = 0; w < r->words; w++)
        for (uint64_t m = live[w]; m; m &= m - 1) {
            uint32_t l = w * 64 + (uint32_t)__builtin_ctzll(m);
            if (l == d || l == except) continue;
            if (reg_class(r->f, (Reg)l) == c) add_edge(r, d, l);
            else if (nested && l >= PR_VIRT && r->f->vregs[l - PR_VIRT].nested) add_edge(r, d, l);    /* for the XDSRs */
        }
}

static void check_across(Ra *r, const MIns *in, const uint64_t *live)
{
    for (uint32_t v = PR_VIRT; v < r->n; v++) {
        if (!bit(live, v) || reg_class(r->f, (Reg)v) == RC_GPR) continue;
        if (!r->failed) BE_DIAG(r->cx->d, dsr_across_call, in->loc);
        r->failed = true;
    }
}

static void interference(Ra *r)
{
    MFn *f = r->f;
    uint64_t *live = ws_xmalloc(r->words * 8);
    for (uint32_t k = 1; k < (uint32_t)arrlen(f->blks); k++) {
        MBlk *b = &f->blks[k];
        memcpy(live, row(r, r->out, k), r->words * 8);
        double w = 1;
        for (uint32_t d = 0; d < b->depth && d < 8; d++) w *= 10;
        for (ptrdiff_t i = arrlen(b->ins) - 1; i >= 0; i--) {
            MIns *in = &b->ins[i];
            MOpd o[5];
            int n = mi_operands(in, o);
            if (is_call(in)) {
                check_across(r, in, live);
                for (uint32_t p = 1; p < N_GPR; p++)
                    if (CALLER_SAVED >> p & 1) def_edges(r, p, live, 0);
            }
            for (int x = 0; x < n; x++) {
                uint32_t d = (uint32_t)*o[x].r;
                if (o[x].def && d) {
                    def_edges(r, d, live, in->op == M_COPY ? (uint32_t)in->a : d);
                    for (int y = 0; y < n; y++)          /* two results of one instruction */
                        if (y != x && o[y].def && reg_class(f, *o[y].r) == reg_class(f, (Reg)d)) add_edge(r, d, (uint32_t)*o[y].r);
                }
                r->cost[d] += w;
                if (o[x].def && d >= PR_VIRT) {
                    if (r->remat[d] == 0 && (in->op == M_CONST || in->op == M_ADDR || in->op == M_FRAME)) {
                        arrput(r->defs, *in);
                        r->remat[d] = (int)arrlen(r->defs);
                    } else r->remat[d] = -1;
                }
            }
            step_back(r, in, live);
        }
    }
    /* what is live at the entry without a definition: all at once */
    uint64_t *in1 = row(r, r->in, 1);
    for (uint32_t v = 1; v < r->n; v++)
        if (bit(in1, v)) def_edges(r, v, in1, v);
    free(live);
}

static int file_size(const Ra *r, RegClass c)
{
    if (c == RC_GPR) return __builtin_popcount(allocatable_mask());
    if (c == RC_DOT) return N_DOT;
    return N_DSR - __builtin_popcount(r->cx->pinned[c]);
}

/* ---- coalescing */
static uint32_t root(const Ra *r, uint32_t v)
{
    while (r->alias[v] != (Reg)v) v = (uint32_t)r->alias[v];
    return v;
}

static bool allocatable(Reg p) { return allocatable_mask() >> p & 1; }

static bool george(const Ra *r, uint32_t phys, uint32_t v)
{
    int k = file_size(r, RC_GPR);
    for (ptrdiff_t i = 0; i < arrlen(r->list[v]); i++) {
        uint32_t t = root(r, r->list[v][i]);
        if (t == v || t < PR_VIRT || (int)r->deg[t] < k || bit(row(r, r->adj, t), phys)) continue;
        return false;
    }
    return true;
}

static bool briggs(const Ra *r, uint32_t a, uint32_t b)
{
    int k = file_size(r, RC_GPR), high = 0;
    for (ptrdiff_t i = 0; i < arrlen(r->list[a]); i++) {
        uint32_t t = root(r, r->list[a][i]);
        high += t < PR_VIRT || (int)r->deg[t] >= k;
    }
    for (ptrdiff_t i = 0; i < arrlen(r->list[b]); i++) {
        uint32_t t = root(r, r->list[b][i]);
        if (!bit(row(r, r->adj, t), a)) high += t < PR_VIRT || (int)r->deg[t] >= k;
    }
    return high < k;
}

static bool adjacent(const Ra *r, uint32_t a, uint32_t b) { return bit(row(r, r->adj, a), b); }

static void merge(Ra *r, uint32_t into, uint32_t v)
{
    r->alias[v] = (Reg)into;
    r->cost[into] += r->cost[v];
    for (ptrdiff_t i = 0; i < arrlen(r->list[v]); i++) {
        uint32_t t = root(r, r->list[v][i]);
        if (t == into) continue;
        if (adjacent(r, into, t)) r->deg[t]--;           /* two neighbours became one */
        else add_edge(r, into, t), r->deg[t]--;
    }
    if (into >= PR_VIRT) r->f->vregs[into - PR_VIRT].temp &= r->f->vregs[v - PR_VIRT].temp;
}

static bool try_merge(Ra *r, MIns *in)
{
    uint32_t a = root(r, (uint32_t)in->d), b = root(r, (uint32_t)in->a);
    if (a == b || a == 0 || b == 0) return false;
    if (a < PR_VIRT && b < PR_VIRT) return false;
    if (b < PR_VIRT) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    if (adjacent(r, a, b)) return false;
    if (a < PR_VIRT) {
        if (!allocatable((Reg)a) || !george(r, a, b)) return false;
    } else if (!briggs(r, a, b)) return false;
    merge(r, a, b);
    return true;
}

static void coalesce(Ra *r)
{
    uint32_t depth = 0;
    for (ptrdiff_t b = 1; b < arrlen(r->f->blks); b++)
        if (r->f->blks[b].depth > depth) depth = r->f->blks[b].depth;
    for (bool again = true; again;) {
        again = false;
        for (int64_t d = depth; d >= 0; d--)
            for (ptrdiff_t b = 1; b < arrlen(r->f->blks); b++) {
                if (r->f->blks[b].depth != d) continue;
                for (ptrdiff_t i = 0; i < arrlen(r->f->blks[b].ins); i++)
                    if (r->f->blks[b].ins[i].op == M_COPY && try_merge(r, &r->f->blks[b].ins[i])) again = true;
            }
    }
}

/* registers become their roots; copies to themselves go */
static void rewrite_aliases(Ra *r)
{
    for (ptrdiff_t b = 1; b < arrlen(r->f->blks); b++) {
        MBlk *bl = &r->f->blks[b];
        ptrdiff_t to = 0;
        for (ptrdiff_t i = 0; i < arrlen(bl->ins); i++) {
            MOpd o[5];
            int n = mi_operands(&bl->ins[i], o);
            for (int k = 0; k < n; k++) *o[k].r = (Reg)root(r, (uint32_t)*o[k].r);
            if (bl->ins[i].op == M_COPY && bl->ins[i].d == bl->ins[i].a) continue;
            bl->ins[to++] = bl->ins[i];
        }
        arrsetlen(bl->ins, (size_t)to);
    }
}

/* ---- colouring */
static double spill_weight(const Ra *r, uint32_t v)
{
    const VReg *g = &r->f->vregs[v - PR_VIRT];
    if (g->temp) return 1e30;
    double c = r->cost[v] / (r->deg[v] + 1.0);
    return r->remat[v] > 0 ? c / 3 : c;
}

static void simplify(Ra *r, uint32_t **stack)
{
    uint8_t *gone = ws_xmalloc(r->n);
    uint32_t left = 0;
    for (uint32_t v = PR_VIRT; v < r->n; v++) {
        if (r->alias[v] != (Reg)v || r->cost[v] == 0) gone[v] = 1;
        else left++;
    }
    for (uint32_t *deg = r->deg; left;) {
        uint32_t pick = 0;
        bool progress = false;
        for (uint32_t v = r->n - 1; v >= PR_VIRT; v--) {
            if (gone[v] || (int)deg[v] >= file_size(r, reg_class(r->f, (Reg)v))) continue;
            progress = true;
            pick = v;
            gone[v] = 1;
            left--;
            arrput(*stack, v);
            for (ptrdiff_t i = 0; i < arrlen(r->list[v]); i++) {
                uint32_t t = root(r, r->list[v][i]);
                if (!gone[t]) deg[t]--;
            }
        }
        if (progress) continue;
        for (uint32_t v = PR_VIRT; v < r->n; v++)
            if (!gone[v] && (!pick || spill_weight(r, v) < spill_weight(r, pick))) pick = v;
        gone[pick] = 1;
        left--;
        arrput(*stack, pick);
        for (ptrdiff_t i = 0; i < arrlen(r->list[pick]); i++) {
            uint32_t t = root(r, r->list[pick][i]);
            if (!gone[t]) deg[t]--;
        }
    }
    free(gone);
}

static Reg first_phys(RegClass c)
{
    static const Reg base[] = {1, PR_DEST, PR_SRC0, PR_SRC1, PR_DOT};
    return base[c];
}

static Reg pick_color(Ra *r, uint32_t v, const Reg *hint)
{
    RegClass c = reg_class(r->f, (Reg)v);
    uint8_t used[PR_COUNT] = {0};
    for (ptrdiff_t i = 0; i < arrlen(r->list[v]); i++) {
        uint32_t t = root(r, r->list[v][i]);
        Reg p = t < PR_VIRT ? (Reg)t : r->color[t];
        if (p >= 0) used[p] = 1;
    }
    Reg lo = first_phys(c), hi = c == RC_GPR ? ABI_CALLEE_LAST : lo + (c == RC_DOT ? N_DOT : N_DSR) - 1;
    for (Reg p = 1; c == RC_GPR && p <= hi; p++)
        if (!allocatable(p)) used[p] = 1;
    if (is_dsr(c))
        for (int i = 0; i < N_DSR; i++)
            if (r->cx->pinned[c] >> i & 1) used[lo + i] = 1;
    if (hint[v] != R_NONE && c == RC_GPR) {
        uint32_t h = root(r, (uint32_t)hint[v]);
        Reg p = h < PR_VIRT ? (Reg)h : r->color[h];
        if (p >= lo && p <= hi && !used[p]) return p;
    }
    for (Reg p = lo; p <= hi; p++)
        if (!used[p]) return p;
    return R_NONE;
}

static void too_many(Ra *r, uint32_t v, bool report)
{
    static const char *const file[] = {"", "destination", "first source", "second source", ""};
    RegClass c = reg_class(r->f, (Reg)v);
    Loc loc = r->f->vregs[v - PR_VIRT].loc;
    if (report && !r->failed) {
        if (c == RC_DOT) BE_DIAG(r->cx->d, too_many_dots, loc, d_int(N_DOT));
        else BE_DIAG(r->cx->d, too_many_dsrs, loc, d_int(file_size(r, c)), d_str(file[c]));
    }
    r->failed = true;
}

static void color(Ra *r, uint32_t *stack, uint32_t **spills, bool report)
{
    Reg *hint = ws_xmalloc(sizeof *hint * r->n);
    for (uint32_t v = 0; v < r->n; v++) hint[v] = R_NONE;
    for (ptrdiff_t b = 1; b < arrlen(r->f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(r->f->blks[b].ins); i++) {
            MIns *in = &r->f->blks[b].ins[i];
            if (in->op != M_COPY || !in->a || !in->d) continue;
            if (hint[in->d] == R_NONE || in->a < PR_VIRT) hint[in->d] = in->a;
            if (hint[in->a] == R_NONE || in->d < PR_VIRT) hint[in->a] = in->d;
        }
    while (arrlen(stack)) {
        uint32_t v = arrpop(stack);
        Reg p = pick_color(r, v, hint);
        if (p == R_NONE && reg_class(r->f, (Reg)v) != RC_GPR) too_many(r, v, report);
        else if (p == R_NONE) arrput(*spills, v);
        else r->color[v] = p;
    }
    free(hint);
}

/* ---- spilling: a slot of the frame, or the instruction again */
static MIns frame_access(int op, Reg v, int32_t fi, Loc loc)
{
    return (MIns){.op = (uint16_t)op, .d = v, .a = REG_SP, .b = R_NONE, .c = R_NONE, .fi = fi, .loc = loc};
}

static void spill_one(Ra *r, uint32_t v)
{
    MFn *f = r->f;
    bool again = r->remat[v] > 0;
    int32_t fi = FI_NONE;
    if (!again) {
        FrameObj o = {.bytes = 4};
        fi = (int32_t)arrlen(f->frame);
        arrput(f->frame, o);
    }
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++) {
        MIns *old = f->blks[b].ins, *out = NULL;
        for (ptrdiff_t i = 0; i < arrlen(old); i++) {
            MIns in = old[i];
            MOpd o[5];
            int n = mi_operands(&in, o);
            bool use = false, def = false;
            for (int k = 0; k < n; k++) {
                if (*o[k].r != (Reg)v) continue;
                use |= o[k].use;
                def |= o[k].def;
            }
            if (again && def) continue;                  /* it will be made where it is used */
            Reg t = R_NONE;
            if (use || def) {
                t = vreg_new(f, RC_GPR, in.loc);
                f->vregs[t - PR_VIRT].temp = true;
                for (int k = 0; k < n; k++)
                    if (*o[k].r == (Reg)v) *o[k].r = t;
            }
            if (use && again) {
                MIns m = r->defs[r->remat[v] - 1];
                m.d = t;
                m.loc = in.loc;
                arrput(out, m);
            } else if (use) arrput(out, frame_access(OP_LDW, t, fi, in.loc));
            arrput(out, in);
            if (def) arrput(out, frame_access(OP_STW, t, fi, in.loc));
        }
        arrfree(old);
        f->blks[b].ins = out;
    }
}

/* ---- XDSRs: nested DSRs of all files that are live together */
static void xdsrs(Ra *r, bool report)
{
    MFn *f = r->f;
    arrsetlen(f->xdsr, arrlen(f->vregs));
    for (uint32_t v = PR_VIRT; v < r->n; v++) f->xdsr[v - PR_VIRT] = 0xff;
    for (uint32_t v = PR_VIRT; v < r->n; v++) {
        if (!f->vregs[v - PR_VIRT].nested || r->cost[v] == 0) continue;
        unsigned used = r->cx->pinned_xdsr;
        for (ptrdiff_t i = 0; i < arrlen(r->list[v]); i++) {
            uint32_t t = r->list[v][i];
            if (t >= PR_VIRT && f->vregs[t - PR_VIRT].nested && f->xdsr[t - PR_VIRT] != 0xff) used |= 1u << f->xdsr[t - PR_VIRT];
        }
        int x = __builtin_ctz(~used);
        if (x >= N_XDSR) {
            if (report && !r->failed) BE_DIAG(r->cx->d, too_many_xdsrs, f->vregs[v - PR_VIRT].loc, d_int(N_XDSR));
            r->failed = true;
            x = 0;
        }
        f->xdsr[v - PR_VIRT] = (uint8_t)x;
    }
}

static void put_colors(Ra *r)
{
    MFn *f = r->f;
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++) {
        MBlk *bl = &f->blks[b];
        ptrdiff_t to = 0;
        for (ptrdiff_t i = 0; i < arrlen(bl->ins); i++) {
            MIns *in = &bl->ins[i];
            MOpd o[5];
            int n = mi_operands(in, o);
            if ((in->op == OP_LDDSR || in->op == OP_LDDSRR) && in->d >= PR_VIRT && f->xdsr[in->d - PR_VIRT] != 0xff)
                in->k = f->xdsr[in->d - PR_VIRT];
            for (int k = 0; k < n; k++)
                if (*o[k].r >= PR_VIRT) *o[k].r = r->color[root(r, (uint32_t)*o[k].r)];
            for (int k = 0; k < n; k++) assert(*o[k].r >= 0);
            if (in->op == M_COPY && in->d == in->a) continue;
            for (int k = 0; k < n; k++)
                if (o[k].def && *o[k].r >= ABI_CALLEE_FIRST && *o[k].r <= ABI_CALLEE_LAST) f->saved |= 1u << *o[k].r;
            bl->ins[to++] = *in;
        }
        arrsetlen(bl->ins, (size_t)to);
    }
}

static void ra_init(Ra *r, BeCtx *cx, MFn *f)
{
    *r = (Ra){.cx = cx, .f = f, .n = PR_VIRT + (uint32_t)arrlen(f->vregs)};
    r->words = (r->n + 63) / 64;
    size_t nb = (size_t)arrlen(f->blks);
    r->in = ws_xmalloc(nb * r->words * 8);
    r->out = ws_xmalloc(nb * r->words * 8);
    r->adj = ws_xmalloc((size_t)r->n * r->words * 8);
    r->list = ws_xmalloc(sizeof *r->list * r->n);
    r->deg = ws_xmalloc(sizeof *r->deg * r->n);
    r->alias = ws_xmalloc(sizeof *r->alias * r->n);
    r->color = ws_xmalloc(sizeof *r->color * r->n);
    r->cost = ws_xmalloc(sizeof *r->cost * r->n);
    r->remat = ws_xmalloc(sizeof *r->remat * r->n);
    for (uint32_t v = 0; v < r->n; v++) {
        r->alias[v] = (Reg)v;
        r->color[v] = R_NONE;
    }
}

static void ra_free(Ra *r)
{
    for (uint32_t v = 0; v < r->n; v++) arrfree(r->list[v]);
    free(r->in);
    free(r->out);
    free(r->adj);
    free(r->list);
    free(r->deg);
    free(r->alias);
    free(r->color);
    free(r->cost);
    free(r->remat);
    arrfree(r->defs);
}

bool ra(BeCtx *cx, MFn *f, bool report)
{
    for (int turn = 0;; turn++) {
        if (turn > 40) ws_die("register allocation of %s does not end", f->ir->name);
        Ra r;
        ra_init(&r, cx, f);
        liveness(&r);
        interference(&r);
        coalesce(&r);
        rewrite_aliases(&r);
        bool failed = r.failed;
        ra_free(&r);
        if (failed) return false;
        ra_init(&r, cx, f);                              /* the graph of what is left */
        uint32_t *stack = NULL, *spills = NULL;
        liveness(&r);
        interference(&r);
        xdsrs(&r, report);
        simplify(&r, &stack);
        color(&r, stack, &spills, report);
        for (ptrdiff_t i = 0; i < arrlen(spills); i++) spill_one(&r, spills[i]);
        bool done = !arrlen(spills);
        failed = r.failed;
        if (!done) f->spills++;
        else if (!failed) put_colors(&r);
        arrfree(stack);
        arrfree(spills);
        ra_free(&r);
        if (failed) return false;
        if (done) return true;
    }
}
