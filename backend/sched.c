/* List scheduling of the straight-line parts of blocks, before register allocation.
 *
 * Bottom up: from the end of the region, always the instruction that can stand there without a stall and has the longest
 * way behind it to the start.  So what waits for nothing ends up late and fills the holes (the multiplication of a
 * Gauss-Seidel row in the drain of its dot register), and a fabric read stays as early as its order allows.
 * Fabric reads and sends keep their order, else deadlocks appear; memory references that may meet keep theirs; nothing
 * crosses a call, a task, router or clock instruction.  A new order is taken only if the table's numbers say it is faster.
 * Then step_bases ends old values of pointers that are stepped. */
#include "backend/mir.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REGION = 300 };

typedef struct {
    MIns *ins;
    int slots, dist_end, depth, nsucc, start;
    bool placed;
} Node;
typedef struct {
    const BeCtx *cx;
    MFn *f;
    Node *n;
    int count;                                           /* the last one is the instruction behind the region */
    int *dist;                                           /* [i * count + j]: start of j is at least start of i + this; 0: free */
} Region;

static bool fabric(MemRef r) { return r.kind == MK_FABRIC || r.kind == MK_UNKNOWN; }

static bool meets(MemRef a, MemRef b)
{
    if (!a.kind || !b.kind) return false;
    if (fabric(a) && fabric(b)) return true;
    if (a.kind == MK_FABRIC || b.kind == MK_FABRIC) return false;
    if (a.kind == MK_UNKNOWN || b.kind == MK_UNKNOWN || a.kind == MK_ANY || b.kind == MK_ANY) return true;
    if (a.kind != b.kind || a.id != b.id) return false;
    if (!a.size || !b.size) return true;
    return a.off < b.off + b.size && b.off < a.off + a.size;
}

static bool mem_order(const MIns *a, const MIns *b)
{
    for (int i = 0; i < 2; i++) {
        if (meets(a->rd[i], b->wr) || meets(a->wr, b->rd[i])) return true;
        for (int k = 0; k < 2; k++)
            if (fabric(a->rd[i]) && fabric(b->rd[k])) return true;
    }
    return meets(a->wr, b->wr);
}

static int imax(int a, int b) { return a > b ? a : b; }

/* Least distance between the starts of a and a later b; 0 if they may change places. */
static int distance(const Region *g, MIns *a, MIns *b, int slots)
{
    MOpd x[5], y[5];
    int nx = mi_operands(a, x), ny = mi_operands(b, y), d = 0;
    for (int i = 0; i < nx; i++)
        for (int k = 0; k < ny; k++) {
            Reg r = *x[i].r;
            if (r != *y[k].r || r == 0) continue;
            RegClass c = reg_class(g->f, r);
            bool dsr = c != RC_GPR && c != RC_DOT;
            bool def = x[i].def || (dsr && mi_is_vec(a)), use = y[k].use || (dsr && mi_is_vec(b));
            bool def2 = y[k].def || (dsr && mi_is_vec(b));
            if (def && use) d = imax(d, slots - 1 + (dsr && mi_is_vec(a) ? 1 : mi_latency(g->cx->arch, a, r, b)));
            if (def && def2) d = imax(d, c == RC_DOT ? slots - 1 + mi_latency(g->cx->arch, a, r, b) : slots);
            if (x[i].use && def2) d = imax(d, slots);
        }
    if (a->op == M_CALL || b->op == M_CALL || a->op == M_CALLR || b->op == M_CALLR) d = imax(d, slots);
    if (mem_order(a, b)) d = imax(d, slots);
    return d;
}

static void build(Region *g)
{
    int n = g->count;
    for (int i = 0; i < n; i++) {
        Node *a = &g->n[i];
        a->slots = mi_slots(g->cx->arch, a->ins);
        for (int j = i + 1; j < n; j++) {
            int d = distance(g, a->ins, g->n[j].ins, a->slots);
            if (j == n - 1) d = imax(d, a->slots);       /* all stand before the end */
            if (d) {
                g->dist[i * n + j] = d;
                a->nsucc++;
            }
        }
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            if (g->dist[i * n + j]) g->n[j].depth = imax(g->n[j].depth, g->n[i].depth + g->dist[i * n + j]);
}

/* cycles from the first instruction to the start of the end, in this order */
static int simulate(const Region *g, const int *order)
{
    int n = g->count, *start = ws_xmalloc(sizeof *start * (size_t)n), t = 0;
    for (int k = 0; k < n; k++) {
        int j = order[k], s = t;
        for (int p = 0; p < k; p++) {
            int d = g->dist[order[p] * n + j];
            if (d) s = imax(s, start[order[p]] + d);
        }
        start[j] = s;
        t = s + g->n[j].slots;
    }
    int end = start[order[n - 1]];
    free(start);
    return end;
}

static int latest(const Region *g, int i, int cur)
{
    int n = g->count, t = cur - g->n[i].slots;
    for (int j = i + 1; j < n; j++) {
        int d = g->dist[i * n + j];
        if (d && g->n[j].start - d < t) t = g->n[j].start - d;
    }
    return t;
}

static void list_schedule(Region *g, int *order)
{
    int n = g->count, cur = 0, *left = ws_xmalloc(sizeof *left * (size_t)n);
    for (int i = 0; i < n; i++) left[i] = g->n[i].nsucc;
    for (int k = n - 1; k >= 0; k--) {
        int best = -1, best_stall = 0;
        for (int i = n - 1; i >= 0; i--) {
            if (g->n[i].placed || left[i]) continue;
            int stall = i == n - 1 ? 0 : cur - g->n[i].slots - latest(g, i, cur);
            if (best < 0 || stall < best_stall || (stall == best_stall && g->n[i].depth > g->n[best].depth)) {
                best = i;
                best_stall = stall;
            }
        }
        g->n[best].placed = true;
        g->n[best].start = best == n - 1 ? 0 : latest(g, best, cur);
        cur = g->n[best].start;
        order[k] = best;
        for (int i = 0; i < best; i++)
            if (g->dist[i * n + best]) left[i]--;
    }
    free(left);
}

/* needs: terminators at the end.  [from, to) is the region; ins[to] stays behind it. */
static void region(BeCtx *cx, MFn *f, MIns *ins, ptrdiff_t from, ptrdiff_t to)
{
    int n = (int)(to - from) + 1;
    bool worth = false;
    for (ptrdiff_t i = from; i < to; i++) worth |= mi_is_vec(&ins[i]) || (ins[i].op < 256 && pe_cycles(cx->arch, pe_ops[ins[i].op].latency) > 1);
    if (n < 3 || n > MAX_REGION || !worth) return;
    Region g = {.cx = cx, .f = f, .count = n, .n = ws_xmalloc(sizeof(Node) * (size_t)n), .dist = ws_xmalloc(sizeof(int) * (size_t)n * (size_t)n)};
    for (int i = 0; i < n; i++) g.n[i].ins = &ins[from + i];
    build(&g);
    int *order = ws_xmalloc(sizeof(int) * (size_t)n), *plain = ws_xmalloc(sizeof(int) * (size_t)n);
    for (int i = 0; i < n; i++) plain[i] = i;
    list_schedule(&g, order);
    if (simulate(&g, order) < simulate(&g, plain)) {
        MIns *copy = ws_xmalloc(sizeof *copy * (size_t)n);
        memcpy(copy, &ins[from], sizeof *copy * (size_t)n);
        for (int i = 0; i < n - 1; i++) ins[from + i] = copy[order[i]];
        free(copy);
    }
    free(order);
    free(plain);
    free(g.n);
    free(g.dist);
}

/* y is read by nothing but the address of this load or store, whose offset can take c off. */
static bool moves_base(MIns *in, Reg y, int32_t c)
{
    MOpd o[5];
    int n = mi_operands(in, o);
    if (in->op >= 256 || !(pe_ops[in->op].flags & (F_LOAD | F_STORE)) || pe_ops[in->op].fmt != FMT_RRI || in->a != y) return false;
    for (int i = 0; i < n; i++)
        if (o[i].use && *o[i].r == y && o[i].r != &in->a) return false;
    int64_t imm = (int64_t)in->imm - c;
    return in->symk == SY_DATA ? imm >= 0 : imm >= -(1 << 13) && imm < 1 << 13;
}

/* Behind x = y + c accesses through y go through x, if that ends y: then a walk round a loop needs one register and no copy, though
 * the addition fills a hole in front of the access. */
static void step_bases(MIns *ins)
{
    for (ptrdiff_t i = 0; i < arrlen(ins); i++) {
        Reg x = ins[i].d, y = ins[i].a;
        if (ins[i].op != OP_ADDI || ins[i].symk || x == y || !reg_is_virt(x) || !reg_is_virt(y)) continue;
        ptrdiff_t end = i + 1;
        bool ok = true, over = false;
        for (; end < arrlen(ins) && ok && !over; end++) {
            MOpd o[5];
            int n = mi_operands(&ins[end], o);
            bool reads = false;
            for (int k = 0; k < n; k++) {
                reads |= o[k].use && *o[k].r == y;
                over |= o[k].def && (*o[k].r == y || *o[k].r == x);
            }
            ok = !reads || moves_base(&ins[end], y, ins[i].imm);
        }
        for (ptrdiff_t k = i + 1; k < end && ok && over; k++)
            if (moves_base(&ins[k], y, ins[i].imm)) {
                ins[k].a = x;
                ins[k].imm -= ins[i].imm;
            }
    }
}

void sched(BeCtx *cx, MFn *f, uint32_t from_depth)
{
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++) {
        if (f->blks[b].depth < from_depth) continue;
        MIns *ins = f->blks[b].ins;
        ptrdiff_t end = arrlen(ins), from = 0;
        while (end > 0 && mi_is_term(&ins[end - 1])) end--;
        for (ptrdiff_t i = 0; i <= end; i++) {
            bool stop = i == end || mi_barrier(&ins[i]) || mi_is_term(&ins[i]) || i - from >= MAX_REGION - 1;
            if (!stop) continue;
            if (i < arrlen(ins)) region(cx, f, ins, from, i);
            from = i + (i < end && !mi_barrier(&ins[i]) && !mi_is_term(&ins[i]) ? 0 : 1);
        }
        step_bases(ins);
    }
}
