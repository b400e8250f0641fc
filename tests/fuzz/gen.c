/* tests/fuzz/gen.c: see gen.h. */
#include "tests/fuzz/gen_int.h"

/* ---- streams */
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
        int d = (from + i) % 4, to = gen_neighbour(g, pe, d);
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
    gen_vector(g, in, out, n);
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
    int l = gen_label(g), n = 0;
    DATA(".align 4\nD%d: .half ", l);
    for (int c = 0; c < N_COLOR; c++)
        if (p->slot[c].used) DATA("%s%d, %d", n++ ? ", " : "", c, slot_word((Dir)p->slot[c].rx, p->slot[c].tx));
    for (; n < CTX_PAIRS; n++) DATA("%s31, 0", n ? ", " : "");
    DATA("\n");
    TEXT("liu r27, D%d\nsetrtr r27\n", l);
    l = gen_label(g), n = 0;
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
        while (one_in(g, 2)) gen_other(g);
        piece(g, p);
    }
    while (one_in(g, 3)) gen_other(g);
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
        for (int i = rnd(g, 3); i >= 0; i--) gen_scalar(g);
        if (one_in(g, 4)) TEXT("unb %d\n", 9 + rnd(g, 3));
        TEXT("done\n");
    }
    for (int q = 0; q < N_QUEUE; q++) {
        const Flow *f = &g->pe[pe][0].in[q];
        if (f->color < 0 || !f->data_task) continue;
        int id = g->arch == ARCH_WSE2 ? f->color : q;
        buf_printf(b, ".task data:%d, TD%d%s\n", id, q, one_in(g, 4) ? " high" : "");
        TEXT("TD%d: add r20, r20, r1\n", q);
        for (int i = rnd(g, 3); i; i--) gen_scalar(g);
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

void fuzz_wild(uint64_t seed, Buf *out)
{
    Gen *g = ws_xmalloc(sizeof *g);
    g->rng = seed * 0x2545f4914f6cdd1du + 1;
    g->b = out;
    g->nut = N_UT;
    g->arch = one_in(g, 2) ? ARCH_WSE2 : ARCH_WSE3;
    buf_printf(out, "; made by tests/fuzz/gen.c, seed %llu\n.arch wse%d\n", (unsigned long long)seed, g->arch);
    gen_machine(g);
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
