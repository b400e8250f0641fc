/* tests/fuzz/gen.c: see gen.h. */
#include "tests/fuzz/gen.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_PE = 16, MAX_PHASE = 3, WORK_BYTES = 640 };
typedef struct { uint8_t rx, tx; bool used; } Slot;
typedef struct { int color, left; bool data_task; } Flow;          /* words still to take, or to send */
typedef struct {
    Slot slot[N_COLOR];
    Flow in[N_QUEUE], out[N_QUEUE];                                 /* color -1: none */
} PePhase;
typedef struct {
    uint64_t rng;
    Buf *b;
    int w, h, arch, nphase;
    bool contexts, faults;
    Arch a;
    PePhase pe[MAX_PE][MAX_PHASE];
    /* of the PE that is being written */
    Buf text, data;
    int nlabel, ntask, pe_no, phase;
} Gen;

static uint64_t next(Gen *g)
{
    uint64_t z = (g->rng += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static int rnd(Gen *g, int n) { return n > 0 ? (int)(next(g) >> 33) % n : 0; }
static int between(Gen *g, int lo, int hi) { return lo + rnd(g, hi - lo + 1); }
static bool one_in(Gen *g, int n) { return rnd(g, n) == 0; }
#define TEXT(...) buf_printf(&g->text, __VA_ARGS__)
#define DATA(...) buf_printf(&g->data, __VA_ARGS__)

/* ---- the machine */
static void param(Gen *g, const char *name, int v)
{
    arch_set(&g->a, name, v);
    buf_printf(g->b, "; PARAM: %s=%d\n", name, v);
}

static void machine(Gen *g)
{
    static const struct { const char *name; int lo, hi; } some[] = {
        {"hop_cycles", 1, 3}, {"ramp_up", 0, 4}, {"ramp_down", 0, 4}, {"fab_op", 0, 2}, {"router_slots", 1, 4}, {"fabric_width", 1, 3},
        {"task_start", 0, 4}, {"dot_drain", 0, 4}, {"dsr_load", 1, 5}, {"dsr_slots", 1, 2}, {"set_router_cycles", 0, 3}, {"set_sockets_cycles", 0, 2},
        {"width_a", 1, 8}, {"width_b", 1, 4}, {"width_e", 1, 2}, {"fmac_rounding", 1, 2}, {"branch_taken", 1, 7}, {"int_div", 1, 40}};
    g->a = arch_make((ArchId)g->arch);
    bool tiny = one_in(g, 3);
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
        if (one_in(g, 6)) param(g, some[i].name, between(g, some[i].lo, some[i].hi));
    for (int q = 0; q < N_QUEUE; q++) {
        char name[16];
        snprintf(name, sizeof name, "iq%d_words", q);
        if (tiny || one_in(g, 12)) param(g, name, between(g, 1, tiny ? 2 : 8));
        snprintf(name, sizeof name, "oq%d_words", q);
        if ((tiny || one_in(g, 12)) && arch_oq_words(&g->a, q)) param(g, name, between(g, 1, tiny ? 2 : 8));
    }
}

/* ---- streams */
static int neighbour(const Gen *g, int pe, int d)
{
    int x = pe % g->w, y = pe / g->w;
    if (d == DIR_WEST) return x ? pe - 1 : -1;
    if (d == DIR_EAST) return x + 1 < g->w ? pe + 1 : -1;
    if (d == DIR_NORTH) return y ? pe - g->w : -1;
    return y + 1 < g->h ? pe + g->w : -1;
}

static int free_flow(Gen *g, Flow *f, bool in)
{
    int from = rnd(g, N_QUEUE);
    for (int i = 0; i < N_QUEUE; i++) {
        int q = (from + i) % N_QUEUE;
        if (f[q].color < 0 && (in ? arch_iq_words(&g->a, q) : arch_oq_words(&g->a, q))) return q;
    }
    return -1;
}

static int colors_at(const PePhase *p)
{
    int n = 0;
    for (int c = 0; c < N_COLOR; c++) n += p->slot[c].used;
    return n;
}

static bool grow(Gen *g, int pe, int phase, int color, int rx, int words, int depth)
{
    PePhase *p = &g->pe[pe][phase];
    if (p->slot[color].used || colors_at(p) >= CTX_PAIRS) return false;
    Slot *s = &p->slot[color];
    *s = (Slot){(uint8_t)rx, 0, true};
    int from = rnd(g, 4);
    for (int i = 0; i < 4; i++) {
        int d = (from + i) % 4, to = neighbour(g, pe, d);
        if (to < 0 || d == rx || one_in(g, 3) || depth > 12) continue;
        if (grow(g, to, phase, color, (int)dir_opposite((Dir)d), words, depth + 1)) s->tx |= (uint8_t)(1u << d);
        if (!one_in(g, 3)) break;
    }
    if (!s->tx || one_in(g, 2)) {
        int q = free_flow(g, p->in, true);
        if (q >= 0) p->in[q] = (Flow){color, words, false};
        if (q >= 0 || !s->tx) s->tx |= 1u << DIR_RAMP;
    }
    return true;
}

static void streams(Gen *g, int phase)
{
    int n = between(g, 1, 2 + g->w * g->h);
    for (int pe = 0; pe < g->w * g->h; pe++)
        for (int q = 0; q < N_QUEUE; q++) g->pe[pe][phase].in[q].color = g->pe[pe][phase].out[q].color = -1;
    for (int i = 0; i < n; i++) {
        int pe = rnd(g, g->w * g->h), color = rnd(g, one_in(g, 2) ? N_COLOR : 6), words = between(g, 1, one_in(g, 4) ? 60 : 16);
        PePhase *p = &g->pe[pe][phase];
        int q = free_flow(g, p->out, false);
        if (q < 0 || !grow(g, pe, phase, color, DIR_RAMP, words, 0)) continue;
        p->out[q] = (Flow){color, words, false};
    }
}

/* ---- instructions */
static int label(Gen *g) { return g->nlabel++; }
static int reg(Gen *g) { return between(g, 1, 20); }

static void scalar(Gen *g)
{
    static const char *const rrr[] = {"add", "sub", "and", "or", "xor", "sll", "srl", "sra", "slt", "sltu", "seq", "mulu16", "muls16"};
    static const char *const ldst[] = {"ldb", "ldbu", "ldh", "ldhu", "ldw", "stb", "sth", "stw"};
    int l;
    switch (rnd(g, 14)) {
    case 0: case 1: TEXT("%s r%d, r%d, r%d\n", rrr[rnd(g, 13)], reg(g), reg(g), reg(g)); break;
    case 2: TEXT("li r%d, %d\n", reg(g), between(g, -100, 100)); break;
    case 3: TEXT("lui r%d, %d\n", reg(g), between(g, 0x3f00, 0x4200)); break;
    case 4: TEXT("liu r21, work+%d\n%s r%d, r21\n", rnd(g, WORK_BYTES - 4), ldst[rnd(g, 8)], reg(g)); break;
    case 5: TEXT("%s r%d, r%d, r%d\n", one_in(g, 2) ? "divu" : "rems", reg(g), reg(g), reg(g)); break;
    case 6: TEXT("fadds r%d, r%d, r%d\n", reg(g), reg(g), reg(g)); break;
    case 7: TEXT("fmuls r%d, r%d, r%d\nadd r%d, r%d, r%d\n", 3, reg(g), reg(g), reg(g), 3, reg(g)); break;
    case 8:
        l = label(g);
        TEXT("b%s r%d, r%d, L%d\nnop\naddi r%d, r%d, 1\nL%d: ", one_in(g, 2) ? "lt" : "eq", reg(g), reg(g), l, reg(g), reg(g), l);
        break;
    case 9: {
        int a = label(g), z = label(g), k = rnd(g, 4);
        TEXT("li r22, %d\nloop l%d, r22, L%d\nL%d: addi r%d, r%d, 3\n", rnd(g, 6), k, z, a, reg(g), reg(g));
        if (one_in(g, 2)) TEXT("nop\n");
        TEXT("endl l%d, L%d\nL%d: ", k, a, z);
        break;
    }
    case 10: TEXT("tsc r23, 0\nliu r21, stamps+%d\nsth r23, r21\n", 2 * rnd(g, 32)); break;
    case 11: TEXT("fdivs r%d, r%d, r%d\n", reg(g), reg(g), reg(g)); break;
    case 12:
        l = label(g);
        TEXT("call L%d\njmp L%d\nL%d: nop\njr r31\nL%d: ", l, l + 1, l, l + 1);
        label(g);
        break;
    default:
        for (int i = rnd(g, 12); i >= 0; i--) TEXT("nop\n");
    }
}

/* a descriptor in memory of about n elements; loaded into DSR `dsr` of a file */
static void load(Gen *g, const char *file, int dsr, const char *dsd)
{
    int l = label(g);
    DATA("D%d: %s\n", l, dsd);
    TEXT("liu r24, D%d\nlddsr %s.%d, x%d, r24\n", l, file, dsr, rnd(g, 8));
}

static void mem_dsd(Gen *g, char out[128], int n)
{
    int at = rnd(g, WORK_BYTES / 2) & ~1;
    const char *save = one_in(g, 4) ? ", save" : "";
    if (one_in(g, 40)) at += 0x7000;                     /* beyond the memory */
    if (one_in(g, 4)) {
        int l = label(g), k = between(g, 2, 4);
        DATA("D%d: .shape %d, %d, %d, %d, 0, %d\n", l, k, between(g, -2, 3), between(g, 2, 5), between(g, -3, 6), between(g, 1, 9));
        snprintf(out, 128, ".dsd memnd, work+%d, %d, D%d%s", at, n, l, save);
    } else snprintf(out, 128, ".dsd mem1d, work+%d, %d, %d%s", at, n, one_in(g, 3) ? between(g, -4, 9) : 1, save);
}

static void fab_dsd(Gen *g, char out[128], bool in, int q, int n)
{
    static const char *const prio[] = {"", ", prio=low", ", prio=medium", ", prio=high"};
    char act[48] = "";
    if (one_in(g, 4)) snprintf(act, sizeof act, ", act=%d", 9 + rnd(g, 3));
    snprintf(out, 128, ".dsd %s, q%d, %d%s%s", in ? "fabin" : "fabout", q, n, act, prio[one_in(g, 3) ? rnd(g, 4) : 0]);
}

static void async(Gen *g)
{
    static const char *const prio[] = {"low", "medium", "high"};
    const char *sep = " ";
    TEXT("async");
    TEXT("%sut%d", sep, rnd(g, N_UT)), sep = ", ";
    if (one_in(g, 2)) TEXT("%sprio=%s", sep, prio[rnd(g, 3)]), sep = ", ";
    if (one_in(g, 3)) TEXT("%sact=%d", sep, 9 + rnd(g, 3)), sep = ", ";
    if (one_in(g, 5)) TEXT("%sunb=%d", sep, 9 + rnd(g, 3));
    TEXT("\n");
}

static const char *const two[] = {"fadds", "fsubs", "fmuls", "fmaxs", "add32", "sub32", "add16", "xor16", "faddh", "mul16"};
static const char *const one_src[] = {"fmovs", "fnegs", "fabss", "mov32", "mov16", "fmovh"};

/* operand of a source: a DSR that is loaded, or a register */
static void source(Gen *g, char out[16], const char *file, const char *dsd_or_null, int n)
{
    char d[128];
    if (!dsd_or_null && one_in(g, 4)) {
        snprintf(out, 16, "r%d", reg(g));
        return;
    }
    int k = rnd(g, 16);
    if (!dsd_or_null) mem_dsd(g, d, n);
    load(g, file, k, dsd_or_null ? dsd_or_null : d);
    snprintf(out, 16, "dsr%d", k);
}

/* one vector operation: in and out are queues or -1 */
static void vector(Gen *g, int in, int out, int n)
{
    char d[128], a[16], b[16], dest[16] = "", fin[128], fout[128];
    bool as = one_in(g, 2), both = one_in(g, 2), in_a = one_in(g, 2), own = n < 60 && one_in(g, 3);
    int k = rnd(g, 16), dn = own && one_in(g, 2) ? 100 : n;
    if (out >= 0) fab_dsd(g, fout, false, out, dn);
    if (in >= 0) fab_dsd(g, fin, true, in, dn);
    if (out >= 0) load(g, "d", k, fout), snprintf(dest, sizeof dest, "dsr%d", k);
    else if (!as && one_in(g, 3)) snprintf(dest, sizeof dest, "r%d", reg(g));
    else if (!as && one_in(g, 3)) {                      /* a chain */
        source(g, a, "s0", in >= 0 && in_a ? fin : NULL, dn);
        source(g, b, "s1", in >= 0 && !in_a ? fin : NULL, dn);
        int dot = rnd(g, 4);
        if (in >= 0 && !in_a && one_in(g, 2)) TEXT("sums dot%d, %s", dot, b);
        else TEXT("%s dot%d, %s, %s", one_in(g, 2) ? "dots" : "dotas", dot, a, b);
        TEXT(own ? ", n=%d\n" : "\n", n);
        if (one_in(g, 2)) TEXT("fmovs r%d, dot%d\n", reg(g), dot);
        return;
    } else {
        mem_dsd(g, d, dn);
        load(g, "d", k, d);
        snprintf(dest, sizeof dest, "dsr%d", k);
    }
    if (in >= 0 && !both && !one_in(g, 4)) {
        source(g, b, "s1", fin, dn);
        if (as) async(g);
        TEXT("%s %s, %s", one_src[rnd(g, 6)], dest, b);
    } else {
        source(g, a, "s0", in >= 0 && in_a ? fin : NULL, dn);
        source(g, b, "s1", in >= 0 && !in_a ? fin : NULL, dn);
        bool same = out < 0 && a[0] == 'd' && !(in >= 0 && in_a) && one_in(g, 4);
        if (as) async(g);
        if (!own && one_in(g, 6)) {
            TEXT("fmacs %s, %s, %s, r%d\n", same ? "same" : dest, a, b, reg(g));
            return;
        }
        TEXT("%s %s, %s, %s", two[rnd(g, 10)], same ? "same" : dest, a, b);
    }
    TEXT(own ? ", n=%d\n" : "\n", n);
}

static void fault(Gen *g)
{
    switch (rnd(g, 9)) {
    case 0: TEXT("trap %d\n", rnd(g, 4)); break;
    case 1: TEXT("act 30\n"); break;
    case 2: TEXT("liu r25, 2\nlddsrr d.3, x0, r25, r0\n"); break;
    case 3: TEXT("sendc q1, r5\n"); break;
    case 4: TEXT("jr r5\n"); break;
    case 5: TEXT("async ut2\nnop\n"); break;
    case 6: TEXT("fmovs dsr15, dsr15, n=2\n"); break;
    case 7: TEXT("lui r25, 0\nsendc q%d, r25\n", rnd(g, N_QUEUE)); break;
    default: TEXT("blk 7\n"); break;
    }
}

static void other(Gen *g)
{
    switch (rnd(g, 12)) {
    case 0: case 1: vector(g, -1, -1, between(g, 1, 20)); break;
    case 2: TEXT("waitut %d\n", rnd(g, 256)); break;
    case 3: TEXT("act %d\n", 9 + rnd(g, 3)); break;
    case 4: TEXT("%s %d\n", one_in(g, 3) ? "blk" : "unb", 9 + rnd(g, 3)); break;
    case 5: TEXT("li r25, %d\ndsrl s0.%d, r25\n", rnd(g, 9), rnd(g, 16)); break;
    case 6: TEXT("liu r25, work+%d\ndsrb s1.%d, r25\n", rnd(g, 100), rnd(g, 16)); break;
    case 7: if (one_in(g, 6)) TEXT("hout r%d, %d\n", reg(g), 1 + rnd(g, 7)); break;
    case 8: {
        int l = label(g);
        if (one_in(g, 6)) TEXT("L%d: liu r25, L%d\nldw r26, r25\nstw r26, r25\n", l, l);     /* the code is its own data now */
        break;
    }
    default: scalar(g);
    }
    if (g->faults && one_in(g, 60)) fault(g);
}

/* ---- one PE */
static void piece(Gen *g, PePhase *p)
{
    int in = -1, out = -1, from = rnd(g, N_QUEUE);
    for (int i = 0; i < N_QUEUE; i++) {
        int q = (from + i) % N_QUEUE;
        if (p->in[q].color >= 0 && p->in[q].left && !p->in[q].data_task) in = q;
        if (p->out[q].color >= 0 && p->out[q].left) out = q;
    }
    if (in < 0 && out < 0) return;
    if (in >= 0 && out >= 0 && !one_in(g, 4)) {
        if (one_in(g, 2)) in = -1;
        else out = -1;
    }
    int most = in >= 0 ? p->in[in].left : p->out[out].left;
    if (in >= 0 && out >= 0 && p->out[out].left < most) most = p->out[out].left;
    int n = one_in(g, 3) ? most : between(g, 1, most);
    if (n > 60) n = 60;
    if (one_in(g, 40)) n++;                              /* one too many */
    if (in >= 0 && out < 0 && n == 1 && one_in(g, 3)) n = 1;
    vector(g, in, out, n);
    if (in >= 0) p->in[in].left -= n < p->in[in].left ? n : p->in[in].left;
    if (out >= 0) p->out[out].left -= n < p->out[out].left ? n : p->out[out].left;
}

static bool pieces_left(const PePhase *p)
{
    for (int q = 0; q < N_QUEUE; q++)
        if ((p->in[q].color >= 0 && p->in[q].left && !p->in[q].data_task) || (p->out[q].color >= 0 && p->out[q].left)) return true;
    return false;
}

static void set_contexts(Gen *g, const PePhase *p)
{
    int l = label(g), n = 0;
    DATA(".align 4\nD%d: .half ", l);
    for (int c = 0; c < N_COLOR; c++)
        if (p->slot[c].used) DATA("%s%d, %d", n++ ? ", " : "", c, slot_word((Dir)p->slot[c].rx, p->slot[c].tx));
    for (; n < CTX_PAIRS; n++) DATA("%s31, 0", n ? ", " : "");
    DATA("\n");
    TEXT("liu r27, D%d\nsetrtr r27\n", l);
    l = label(g), n = 0;
    DATA("D%d: .half ", l);
    for (int q = 0; q < N_QUEUE; q++) {
        if (p->out[q].color >= 0 && n < CTX_PAIRS) DATA("%s%d", n++ ? ", " : "", sock_word(p->out[q].color, q, true, false));
        if (p->in[q].color >= 0 && n < CTX_PAIRS) DATA("%s%d", n++ ? ", " : "", sock_word(p->in[q].color, q, false, false));
    }
    for (; n < CTX_PAIRS; n++) DATA("%s0", n ? ", " : "");
    DATA("\n");
    TEXT("liu r27, D%d\nsetsock r27\n", l);
}

static void work(Gen *g, PePhase *p, int parts, int part)
{
    while (pieces_left(p) && (part == parts - 1 || !one_in(g, 5))) {
        while (one_in(g, 2)) other(g);
        piece(g, p);
    }
    while (one_in(g, 3)) other(g);
}

static void one_pe(Gen *g, int pe)
{
    Buf *b = g->b;
    g->text.len = g->data.len = 0;
    g->pe_no = pe;
    buf_printf(b, ".class c%d\n", pe);
    TEXT("main: lui r1, 0x3f80\nlui r2, 0x4000\nlui r25, 0x%x\ninsl r25, 0x%x\nmv r28, r25\n", CTRL_TEARDOWN >> 16, CTRL_TEARDOWN & 0xffff);
    for (int f = 0; f < g->nphase; f++) {
        PePhase *p = &g->pe[pe][f];
        for (int q = 0; q < N_QUEUE; q++) {
            if (p->in[q].color >= 0 && !g->contexts && one_in(g, 5)) p->in[q].data_task = true;
            if (g->contexts) continue;
            if (p->in[q].color >= 0) buf_printf(b, ".iq %d, %d%s\n", q, p->in[q].color, q < 4 && p->in[q + 4].color < 0 && one_in(g, 3) ? " lend" : "");
            else if (one_in(g, 10) && arch_iq_words(&g->a, q) && q >= 4) buf_printf(b, ".iq %d, null\n", q);
            if (p->out[q].color >= 0) buf_printf(b, ".oq %d, %d\n", q, p->out[q].color);
        }
        if (g->contexts) set_contexts(g, p);
        int parts = between(g, 1, 3);
        for (int k = 0; k < parts; k++) {
            work(g, p, parts, k);
            if (k == parts - 1) break;
            int t = 12 + g->ntask++;                     /* the rest is a task of its own */
            if (t > 28) continue;
            TEXT("act %d\ndone\nT%d: ", t, t);
            buf_printf(b, ".task %d, T%d%s\n", t, t, one_in(g, 3) ? " high" : "");
        }
        if (!g->contexts) break;
        TEXT("waitut 255\n");
        for (int q = 0; q < N_QUEUE; q++)
            if (p->out[q].color >= 0) TEXT("sendc q%d, r28\n", q);
    }
    TEXT("done\n");
    for (int id = 9; id < 12; id++) {                    /* what operations and other tasks activate */
        buf_printf(b, ".task %d, T%d%s%s\n", id, id, one_in(g, 3) ? " high" : "", one_in(g, 6) ? " blocked" : one_in(g, 8) ? " active" : "");
        TEXT("T%d: ", id);
        for (int i = rnd(g, 3); i >= 0; i--) scalar(g);
        if (one_in(g, 4)) TEXT("unb %d\n", 9 + rnd(g, 3));
        TEXT("done\n");
    }
    for (int q = 0; q < N_QUEUE; q++) {
        const Flow *f = &g->pe[pe][0].in[q];
        if (f->color < 0 || !f->data_task) continue;
        int id = g->arch == ARCH_WSE2 ? f->color : q;
        buf_printf(b, ".task data:%d, TD%d%s\n", id, q, one_in(g, 4) ? " high" : "");
        TEXT("TD%d: add r20, r20, r1\n", q);
        for (int i = rnd(g, 3); i; i--) scalar(g);
        if (one_in(g, 5)) TEXT("act %d\n", 9 + rnd(g, 3));
        if (one_in(g, 12)) TEXT("blk data:%d\n", id);
        TEXT("done\n");
    }
    buf_printf(b, "%s.data\n.align 4\n%s.align 4\nstamps: .space 64\n.bss\n.align 16\nwork: .space %d\n.entry main\n.place %d, %d, 1, 1, c%d\n", g->text.p,
               g->data.len ? g->data.p : "", WORK_BYTES, pe % g->w, pe / g->w, pe);
    if (g->contexts) return;
    for (int c = 0; c < N_COLOR; c++) {
        static const char *const dirs[] = {"west", "east", "south", "north", "ramp"};
        const Slot *s = &g->pe[pe][0].slot[c];
        if (!s->used) continue;
        buf_printf(b, ".route %d, %d, 1, 1, %d, %s", pe % g->w, pe / g->w, c, dirs[s->rx]);
        for (int d = 0; d < N_DIR; d++)
            if (s->tx >> d & 1) buf_printf(b, ", %s", dirs[d]);
        buf_printf(b, "\n");
    }
}

void fuzz_gen(uint64_t seed, Buf *out)
{
    Gen *g = ws_xmalloc(sizeof *g);
    g->rng = seed * 0x2545f4914f6cdd1du + 1;
    g->b = out;
    g->arch = one_in(g, 2) ? ARCH_WSE2 : ARCH_WSE3;
    buf_printf(out, "; made by tests/fuzz/gen.c, seed %llu\n.arch wse%d\n", (unsigned long long)seed, g->arch);
    machine(g);
    g->w = between(g, 1, 4);
    g->h = between(g, 1, 4);
    if (g->w * g->h > MAX_PE) g->h = MAX_PE / g->w;
    g->contexts = one_in(g, 3);
    g->faults = one_in(g, 8);
    g->nphase = g->contexts ? between(g, 1, MAX_PHASE) : 1;
    buf_printf(out, ".rect %d, %d\n", g->w, g->h);
    for (int f = 0; f < g->nphase; f++) streams(g, f);
    for (int pe = 0; pe < g->w * g->h; pe++) {
        g->ntask = 0;
        if (one_in(g, 20) && colors_at(&g->pe[pe][0]) == 0) continue;
        one_pe(g, pe);
    }
    buf_free(&g->text);
    buf_free(&g->data);
    free(g);
}

bool fuzz_params(const char *text, Arch *a)
{
    for (const char *p = text; (p = strstr(p, "; PARAM: ")); p++) {
        char name[40];
        int v;
        if (sscanf(p, "; PARAM: %39[a-z0-9_]=%d", name, &v) != 2 || !arch_set(a, name, v)) return false;
    }
    return true;
}
