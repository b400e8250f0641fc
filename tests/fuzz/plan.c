/* tests/fuzz/plan.c: planned programs: all that is sent is taken, and most run to their end.
 *
 * A phase has trees of colors, each with a root that sends, and transfers over them in one order for the whole machine.  Each PE does
 * its parts of the transfers in that order, in pieces, synchronous or on microthreads.  So the earliest transfer that is not done
 * always has all its parts begun: nothing can wait in a circle, whatever the queues hold.  A transfer may be a pipeline, in which one
 * operation takes from a tree and sends on another.  What routers do with switches, pop modes and filters is worked out here, word by
 * word (walk), so that it is known who gets how many. */
#include "tests/fuzz/gen_int.h"
#include "runtime/isa/obj.h"

enum { MAX_TREE = 20, MAX_OP = 40, MAX_WORDS = 60, LOOSE_UT = 7, LOOSE_TASK = 28, TASK_FIRST = 12, CONTROL_ID = 5 };
typedef enum { TREE_PLAIN, TREE_ENDS, TREE_SWITCH, TREE_GATHER, TREE_LOOSE } TreeKind;
typedef enum { OP_XFER, OP_CTRL, OP_END, OP_ADVANCE, OP_SELF } OpKind;
typedef struct { OpKind kind; int in, out, n; uint32_t word; } Op;
typedef struct {
    bool used, ring, data_task;
    int rx, also;                                        /* input; another one, or -1 */
    unsigned tx, edges;                                  /* outputs of position 0; those that lead to PEs of the tree */
    int pos[SW_POSITIONS], npos, boot, at, pop;          /* one direction each; rx for TREE_GATHER, else tx */
    WsFilter f;
    int count;                                           /* of the filter, now */
    int iq, oq, color;
} Node;
typedef struct { TreeKind kind; int color, root, last; bool over, swap; Node node[MAX_PE]; } Tree;    /* last: of a gather, the far end */
typedef struct {
    Gen *g;
    int ntree;
    Tree tree[MAX_TREE];
    Op op[MAX_PE][MAX_PHASE][MAX_OP];
    int nop[MAX_PE][MAX_PHASE];
    unsigned iq_used[MAX_PE], oq_used[MAX_PE], colors[MAX_PE];
    bool v2, core2;                                      /* version 2 of the machine: routers; cores too */
    int nfilter[MAX_PE];
    int null_in[MAX_PE];                                 /* an input queue that gives zeros, or -1 */
    int loose_out[MAX_PE];                               /* tree that the PE is the root of, or -1 */
} Plan;

/* ---- trees */
static int free_queue(Plan *p, int pe, bool in)
{
    unsigned *used = in ? &p->iq_used[pe] : &p->oq_used[pe];
    for (int i = 0, from = rnd(p->g, N_QUEUE); i < N_QUEUE; i++) {
        int q = (from + i) % N_QUEUE;
        if (*used >> q & 1 || !(in ? arch_iq_words(&p->g->a, q) : arch_oq_words(&p->g->a, q))) continue;
        *used |= 1u << q;
        return q;
    }
    return -1;
}

/* colors that a tree takes in each of its PEs: both of a pair that is swapped on words from west and east */
static unsigned taken(const Tree *t) { return t->swap ? 3u << (t->color & ~1) : 1u << t->color; }

static bool room_for(const Plan *p, int pe, const Tree *t)
{
    return !(p->colors[pe] & taken(t)) && (!p->g->contexts || __builtin_popcount(p->colors[pe]) < CTX_PAIRS);
}

static Node *add_node(Plan *p, Tree *t, int pe, int rx, int color)
{
    p->colors[pe] |= taken(t);
    t->node[pe] = (Node){.used = true, .color = color, .rx = rx, .also = -1, .iq = -1, .oq = -1};
    return &t->node[pe];
}

static bool give_ramp(Plan *p, Tree *t, int pe)
{
    Node *n = &t->node[pe];
    if (n->iq < 0) n->iq = free_queue(p, pe, true);
    if (n->iq < 0) return false;
    n->tx |= 1u << DIR_RAMP;
    if (t->kind == TREE_LOOSE) n->data_task = true;
    return true;
}

static bool grow_tree(Plan *p, Tree *t, int pe, int rx, int color, int depth)
{
    Gen *g = p->g;
    if (!room_for(p, pe, t)) return false;
    Node *n = add_node(p, t, pe, rx, color);
    for (int i = 0, from = rnd(g, 4); i < 4 && depth < 12; i++) {
        int d = (from + i) % 4, to = gen_neighbour(g, pe, d);
        if (to < 0 || d == rx || (n->tx && one_in(g, 3))) continue;
        if (grow_tree(p, t, to, (int)dir_opposite((Dir)d), color ^ (t->swap && d <= DIR_EAST), depth + 1)) n->tx |= 1u << d;
        if (n->tx && !one_in(g, 3)) break;
        if (rx != DIR_RAMP && one_in(g, 3)) break;
    }
    n->edges = n->tx;
    if (rx != DIR_RAMP && (!n->tx || one_in(g, 2))) give_ramp(p, t, pe);
    if (n->tx) return true;
    n->used = false;
    p->colors[pe] &= ~taken(t);
    return false;
}

/* switch positions and filters on a tree that has grown */
static void add_switches(Plan *p, Tree *t, int pe)
{
    Gen *g = p->g;
    Node *n = &t->node[pe];
    if (t->kind == TREE_SWITCH && one_in(g, 2)) {
        unsigned may = n->edges | (n->rx != DIR_RAMP && (n->iq >= 0 || give_ramp(p, t, pe)) ? 1u << DIR_RAMP : 0);
        n->npos = between(g, 1, 3);
        for (int k = 1; k <= n->npos; k++)
            do n->pos[k] = rnd(g, N_DIR);
            while (!(may >> n->pos[k] & 1));
        n->ring = one_in(g, 2);
        n->boot = n->at = one_in(g, 4) ? rnd(g, n->npos + 1) : 0;
    }
    if (t->kind == TREE_SWITCH && one_in(g, 2)) n->pop = rnd(g, 3);
    if (n->iq >= 0 && one_in(g, 8) && p->nfilter[pe] < N_FILTER && t->kind != TREE_LOOSE && t->kind != TREE_ENDS) {
        int limit = between(g, 0, 6);
        n->f = (WsFilter){FILTER_COUNTER, (uint8_t)between(g, 1, 3), (uint16_t)rnd(g, limit + 1), (uint16_t)rnd(g, limit + 1), (uint16_t)limit};
        n->count = n->f.init;
        p->nfilter[pe]++;
    }
}

/* a line of PEs that send to the root one after the other: each opens the way for the one behind it when it is done */
static bool grow_gather(Plan *p, Tree *t, int root)
{
    Gen *g = p->g;
    int at = root, len = between(g, 1, 5), from = -1;
    Node *n = add_node(p, t, root, -1, t->color);
    if (!give_ramp(p, t, root)) return false;
    t->last = root;
    for (int i = 0; i < len; i++) {
        int d = rnd(g, 4), to = gen_neighbour(g, at, d);
        if (to < 0 || !room_for(p, to, t) || t->node[to].used) continue;
        int q = free_queue(p, to, false);
        if (q < 0) break;
        if (at == root) n->rx = d;
        else n->npos = 1, n->pos[1] = d;
        from = (int)dir_opposite((Dir)d);
        n = add_node(p, t, to, DIR_RAMP, t->color);
        n->tx = 1u << from, n->oq = q;
        t->last = at = to;
    }
    return t->last != root;
}

static void make_tree(Plan *p)
{
    Gen *g = p->g;
    Tree *t = &p->tree[p->ntree];
    int root = rnd(g, g->w * g->h);
    memset(t, 0, sizeof *t);
    t->color = rnd(g, one_in(g, 2) ? N_COLOR : 6), t->root = root;
    if (p->v2 && !g->contexts) t->kind = (TreeKind)rnd(g, 4);
    if (t->kind == TREE_ENDS && !p->core2) t->kind = TREE_PLAIN;
    if ((t->kind == TREE_SWITCH || t->kind == TREE_GATHER) && !arch_has_switch(&g->a, t->color)) t->kind = TREE_PLAIN;
    if (!g->contexts && t->kind == TREE_PLAIN && one_in(g, 5) && p->loose_out[root] < 0) t->kind = TREE_LOOSE;
    for (int pe = 0; pe < MAX_PE; pe++) t->node[pe].iq = t->node[pe].oq = -1;
    t->swap = t->kind == TREE_PLAIN && p->v2 && !g->contexts && g->arch == ARCH_WSE2 && one_in(g, 3);
    if (!room_for(p, root, t)) return;
    if (t->kind == TREE_GATHER) {
        if (grow_gather(p, t, root)) p->ntree++;
        else p->colors[root] &= ~taken(t);
        return;
    }
    int q = free_queue(p, root, false);
    if (q < 0 || !grow_tree(p, t, root, DIR_RAMP, t->color, 0)) return;
    t->node[root].oq = q;
    if (t->kind == TREE_LOOSE) p->loose_out[root] = p->ntree;
    for (int pe = 0; pe < MAX_PE && p->v2 && !g->contexts; pe++)
        if (t->node[pe].used) add_switches(p, t, pe);
    p->ntree++;
}

/* ---- where a word goes */
typedef struct { int words[MAX_PE]; bool reached; } Got;

static bool filtered(Node *n, bool control)
{
    if (!n->f.kind || !(n->f.counts & (control ? FILTER_CONTROL : FILTER_DATA))) return false;
    bool kept = n->count > n->f.max;
    n->count = n->count == n->f.limit ? 0 : n->count + 1;
    return kept;
}

static void walk(const Gen *g, Tree *t, int pe, bool control, uint32_t w, Got *got, int depth)
{
    Node *n = &t->node[pe];
    unsigned tx = n->at ? 1u << n->pos[n->at] : n->tx;
    bool moved = false;
    int before = n->at;
    if (control && n->npos && (ctrl_command(w) & 3) == CMD_ADVANCE) n->at = n->at < n->npos ? n->at + 1 : n->ring ? 0 : n->at;
    if (control && n->npos && (ctrl_command(w) & 3) == CMD_RESET) n->at = 0;
    moved = (ctrl_command(w) & 3) == CMD_ADVANCE && n->at != before;
    if (tx >> DIR_RAMP & 1 && !(control && ctrl_command(w) & CMD_NOT_CORE)) {
        bool kept = filtered(n, control);
        if (!kept && !control) got->words[pe]++;
    } else if (tx >> DIR_RAMP & 1) filtered(n, control);
    if (control && (n->pop == POP_ALWAYS || (n->pop == POP_ON_ADVANCE && moved))) w = ctrl_pop(w);
    for (int d = 0; d < DIR_RAMP; d++)
        if (tx >> d & 1 && depth < 40) walk(g, t, gen_neighbour(g, pe, d), control, w, got, depth + 1);
}

/* ---- transfers */
static bool has_room(const Plan *p, int pe, int phase, int n) { return p->nop[pe][phase] + n <= MAX_OP; }
static Op *add_op(Plan *p, int pe, int phase, OpKind kind, int in, int out, int n)
{
    Op *o = &p->op[pe][phase][p->nop[pe][phase]++];
    *o = (Op){kind, in, out, n, 0};
    return o;
}

static uint32_t control_word(Gen *g, bool to_cores)
{
    static const unsigned first[] = {CMD_ADVANCE | CMD_NOT_CORE, CMD_ADVANCE | CMD_NOT_CORE, CMD_ADVANCE, CMD_RESET | CMD_NOT_CORE, CMD_NOT_CORE, CMD_NOP};
    uint32_t list = first[rnd(g, 6)];
    for (int k = 1; k < 8; k++) list |= (one_in(g, 4) ? first[rnd(g, 5)] : (unsigned)CMD_NOT_CORE) << 3 * k;
    for (int k = 0; k < 8 && !to_cores; k++) list |= (uint32_t)CMD_NOT_CORE << 3 * k;
    return (list & 0xff) << 22 | list >> 8 | (uint32_t)CTRL_NO_TASK << 16;
}

static uint32_t command(unsigned cmd)                    /* one command, not to any core; the rest nothing */
{
    return (CTRL_TEARDOWN & ~((uint32_t)7 << 22)) | (cmd | CMD_NOT_CORE) << 22;
}

static void control_op(Plan *p, int pe, int phase, int q, uint32_t w) { add_op(p, pe, phase, OP_CTRL, -1, q, 0)->word = w; }

static void gather(Plan *p, Tree *t, int phase)
{
    Gen *g = p->g;
    int path[MAX_PE], n = 0, sum = 0;
    for (int pe = gen_neighbour(g, t->root, t->node[t->root].rx);; pe = gen_neighbour(g, pe, t->node[pe].pos[1])) {
        if (!has_room(p, pe, phase, 2)) return;
        path[n++] = pe;
        if (!t->node[pe].npos) break;
    }
    if (!has_room(p, t->root, phase, 1)) return;
    for (int i = 0; i < n; i++) {
        int words = between(g, 1, 12);
        bool flag = p->core2 && i < n - 1 && one_in(g, 3);           /* the last word moves the switch, not a control word */
        add_op(p, path[i], phase, flag ? OP_ADVANCE : OP_XFER, -1, t->node[path[i]].oq, words);
        if (!flag) control_op(p, path[i], phase, t->node[path[i]].oq, command(i < n - 1 ? CMD_ADVANCE : CMD_RESET));
        sum += words;
    }
    add_op(p, t->root, phase, OP_XFER, t->node[t->root].iq, -1, sum);
}

/* a PE on the way sends what it has got on: two senders of one color, one after the other; the tree carries nothing after that */
static void second_sender(Plan *p, Tree *t, int phase, const Got *first)
{
    Gen *g = p->g;
    for (int pe = 0; pe < g->w * g->h; pe++) {
        Node *n = &t->node[pe];
        if (!first->words[pe] || !n->edges || pe == t->root || !has_room(p, pe, phase, 1)) continue;
        int q = free_queue(p, pe, false), words = between(g, 1, 20);
        if (q < 0) continue;
        Got got = {0};
        n->tx &= ~(1u << DIR_RAMP);                      /* its own words come back to it: OP_SELF */
        for (int k = 0; k < words; k++) walk(g, t, pe, false, 0, &got, 0);
        n->tx |= 1u << DIR_RAMP;
        for (int k = 0; k < g->w * g->h; k++)
            if (got.words[k] && !has_room(p, k, phase, 1)) return;
        n->also = DIR_RAMP, n->oq = q;
        add_op(p, pe, phase, OP_SELF, n->iq, q, words);
        for (int k = 0; k < g->w * g->h; k++)
            if (got.words[k]) add_op(p, k, phase, OP_XFER, t->node[k].iq, -1, got.words[k]);
        t->over = true;
        return;
    }
}

static void transfer(Plan *p, Tree *t, int phase)
{
    Gen *g = p->g;
    int n = between(g, 1, one_in(g, 4) ? MAX_WORDS : 16), sender = t->root, from = -1;
    unsigned busy = 1u << sender;
    if (t->kind == TREE_GATHER) {
        gather(p, t, phase);
        return;
    }
    for (int stage = 0; stage < 4; stage++) {
        Got got = {0};
        Tree was = *t;
        for (int k = 0; k < n; k++) walk(g, t, sender, false, 0, &got, 0);
        bool fine = has_room(p, sender, phase, 2);
        for (int pe = 0; pe < g->w * g->h; pe++)
            if (got.words[pe] && (!has_room(p, pe, phase, 2) || busy >> pe & 1)) fine = false;
        if (!fine) *t = was;
        Op *o = from >= 0 ? &p->op[sender][phase][p->nop[sender][phase] - 1] : fine ? add_op(p, sender, phase, OP_XFER, -1, -1, n) : NULL;
        if (!fine) return;                               /* of a pipeline the part so far is whole */
        o->out = t->node[sender].oq;
        if (t->kind == TREE_ENDS) control_op(p, sender, phase, o->out, command(0) & ~((uint32_t)CMD_NOT_CORE << 22));
        int next = -1;
        for (int pe = 0; pe < g->w * g->h; pe++) {
            if (!got.words[pe]) continue;
            busy |= 1u << pe;
            add_op(p, pe, phase, t->kind == TREE_ENDS ? OP_END : OP_XFER, t->node[pe].iq, -1, got.words[pe]);
            for (int k = 0; k < p->ntree && t->kind != TREE_ENDS; k++)
                if (p->tree[k].kind == TREE_PLAIN && !p->tree[k].over && p->tree[k].root == pe && got.words[pe] == n && one_in(g, 2)) next = k;
        }
        if (t->kind == TREE_PLAIN && p->v2 && !g->contexts && one_in(g, 6)) second_sender(p, t, phase, &got);
        if (next < 0 || t->over || one_in(g, 3)) return;
        t = &p->tree[next], sender = t->root, from = next;
    }
}

static void plan_phase(Plan *p, int phase)
{
    Gen *g = p->g;
    p->ntree = 0;
    for (int pe = 0; pe < MAX_PE; pe++) p->iq_used[pe] = p->oq_used[pe] = p->colors[pe] = 0, p->nfilter[pe] = 0, p->loose_out[pe] = -1;
    for (int i = between(g, 1, 2 + g->w * g->h); i > 0 && p->ntree < MAX_TREE; i--) make_tree(p);
    for (int i = p->ntree ? between(g, 2, 30) : 0; i > 0; i--) {
        Tree *t = &p->tree[rnd(g, p->ntree)];
        if (t->kind == TREE_LOOSE || t->over) continue;
        if (t->kind == TREE_SWITCH && one_in(g, 2) && has_room(p, t->root, phase, 2)) {
            uint32_t w = control_word(g, p->core2);
            Got got = {0};
            walk(g, t, t->root, true, w, &got, 0);
            control_op(p, t->root, phase, t->node[t->root].oq, w);
        } else transfer(p, t, phase);
    }
}

/* ---- code */
static int fifo(Gen *g, int cap, bool wait)              /* label of a descriptor of a new FIFO */
{
    int l = gen_label(g), r = gen_label(g), d = gen_label(g);
    DATA(".align 4\nD%d: .space %d\nD%d: .fifo D%d, %d, 4%s%s%s\nD%d: .dsd fifo, D%d, 0\n", l, 4 * cap, r, l, cap, one_in(g, 3) ? ", push=9" : "",
         one_in(g, 3) ? ", pop=10" : "", wait ? ", empty=wait, full=wait" : "", d, r);
    return d;
}

/* n words of a queue, in or out, through a FIFO between two microthreads, or a microthread and the main thread */
static void through_fifo(Gen *g, int in, int out, int n)
{
    char mem[128], fab[128];
    bool wait = one_in(g, 2);
    int f = fifo(g, between(g, 1, 6), wait), a = rnd(g, g->nut), b = (a + 1) % g->nut;
    gen_mem_dsd(g, mem, n);
    snprintf(fab, sizeof fab, ".dsd %s, q%d, %d", in >= 0 ? "fabin" : "fabout", in >= 0 ? in : out, n);
    gen_load(g, "s1", 3, in >= 0 ? fab : mem);
    TEXT("liu r24, D%d\nlddsr d.3, x0, r24\nasync ut%d\nmov32 dsr3, dsr3\nlddsr s1.4, x0, r24\n", f, a);
    gen_load(g, "d", 4, in >= 0 ? mem : fab);
    if (!wait) TEXT("async ut%d\n", b);
    TEXT("mov32 dsr4, dsr4\n");
}

static void local_fifo(Gen *g)
{
    char mem[128];
    int f = fifo(g, between(g, 1, 6), false);
    gen_mem_dsd(g, mem, between(g, 1, 8));
    gen_load(g, "s1", 5, mem);
    TEXT("liu r24, D%d\nlddsr d.5, x0, r24\nmov32 dsr5, dsr5\nvleft r%d, 0\nlddsr s1.6, x0, r24\n", f, gen_reg(g));
    gen_mem_dsd(g, mem, between(g, 1, 8));
    gen_load(g, "d", 6, mem);
    TEXT("mov32 dsr6, dsr6, n=%d\nvleft r%d, 0\n", between(g, 1, 8), gen_reg(g));
}

static void registers(Gen *g)
{
    switch (rnd(g, 5)) {
    case 0: TEXT("liu r21, 0x%x\nldhu r%d, r21\n", REG_IQ_EMPTY + 2 * rnd(g, 4), gen_reg(g)); break;
    case 1: TEXT("liu r21, 0x%x\nldhu r%d, r21\n", REG_COLOR + 2 * rnd(g, 2 * N_COLOR), gen_reg(g)); break;
    case 2:
        TEXT("liu r21, 0x%x\nli r22, %d\nsth r22, r21\n", REG_UT_BLOCK, rnd(g, 1 << g->nut));
        gen_scalar(g);
        TEXT("liu r21, 0x%x\nsth r0, r21\n", REG_UT_BLOCK);
        break;
    case 3: TEXT("liu r21, 0x%x\nliu r22, %d\nsth r22, r21\n", REG_HIGH, rnd(g, 1 << 16)); break;
    default: TEXT("liu r21, 0x%x\nliu r22, %d\nsth r22, r21\nldhu r%d, r21+2\n", REG_FLUSH, rnd(g, 1 << 16), gen_reg(g)); break;
    }
}

static void spare(Plan *p, int pe)
{
    Gen *g = p->g;
    if (g->regs && one_in(g, 8)) registers(g);
    else if (p->core2 && one_in(g, 12)) local_fifo(g);
    else if (!g->contexts && p->null_in[pe] >= 0 && one_in(g, 8)) gen_vector(g, p->null_in[pe], -1, between(g, 1, 20));
    else gen_other(g);
}

static void wait_all(Gen *g) { TEXT("waitut %d\n", (1 << g->nut) - 1); }

static void end_op(Gen *g, const Op *o)                  /* ends at a control word, before it has all it asked for */
{
    char d[128], m[128];
    int n = o->n + between(g, 1, 9);
    wait_all(g);
    snprintf(d, sizeof d, ".dsd fabin, q%d, %d, end%s", o->in, n, one_in(g, 3) ? ", oncontrol=9" : "");
    gen_mem_dsd(g, m, n);
    gen_load(g, "s1", 7, d);
    gen_load(g, "d", 7, m);
    bool as = one_in(g, 2);
    if (as) TEXT("async ut1%s\n", one_in(g, 3) ? ", act=10" : "");
    TEXT("mov32 dsr7, dsr7\n");
    if (as) wait_all(g);
}

/* sends words that come back to itself: it has to take them while it sends */
static void self_op(Gen *g, const Op *o)
{
    char d[128], m[128];
    wait_all(g);
    snprintf(d, sizeof d, ".dsd fabout, q%d, %d", o->out, o->n);
    gen_load(g, "d", 11, d);
    snprintf(d, sizeof d, ".dsd fabin, q%d, %d", o->in, o->n);
    gen_load(g, "s1", 11, d);
    gen_mem_dsd(g, m, o->n);
    gen_load(g, "d", 12, m);
    TEXT("async ut%d\nmov32 dsr11, r%d\nmov32 dsr12, dsr11\n", rnd(g, g->nut), gen_reg(g));
}

static void op_code(Plan *p, int pe, const Op *o)
{
    Gen *g = p->g;
    char d[128];
    switch (o->kind) {
    case OP_CTRL:
        wait_all(g);
        TEXT("lw32 r25, 0x%x\nsendc q%d, r25\n", o->word, o->out);
        break;
    case OP_END: end_op(g, o); break;
    case OP_SELF: self_op(g, o); break;
    case OP_ADVANCE:
        wait_all(g);
        snprintf(d, sizeof d, ".dsd fabout, q%d, %d, advance", o->out, o->n);
        gen_load(g, "d", 8, d);
        if (one_in(g, 2)) TEXT("mov32 dsr8, r%d\n", gen_reg(g));
        else TEXT("async ut0\nmov32 dsr8, r%d\n", gen_reg(g)), wait_all(g);
        break;
    case OP_XFER:
        if (p->core2 && (o->in < 0) != (o->out < 0) && one_in(g, 8)) {
            through_fifo(g, o->in, o->out, o->n);
            break;
        }
        for (int left = o->n, n; left; left -= n) {
            n = one_in(g, 2) ? left : between(g, 1, left);
            gen_vector(g, o->in, o->out, n);
            while (left > n && one_in(g, 3)) spare(p, pe);
        }
    }
}

static void ops_code(Plan *p, int pe, int phase)
{
    Gen *g = p->g;
    for (int i = 0; i < p->nop[pe][phase]; i++) {
        while (one_in(g, 2)) spare(p, pe);
        op_code(p, pe, &p->op[pe][phase][i]);
        if (g->faults && one_in(g, 40)) gen_fault(g);
        int t = TASK_FIRST + g->ntask;
        if (!one_in(g, 4) || t >= LOOSE_TASK) continue;
        g->ntask++;                                      /* the rest is a task of its own */
        buf_printf(g->b, ".task %d, T%d%s\n", t, t, one_in(g, 3) ? " high" : "");
        if (one_in(g, 2)) {
            char m[128];
            gen_mem_dsd(g, m, between(g, 1, 20));
            gen_load(g, "d", 9, m);
            if (one_in(g, 2)) TEXT("async ut2, act=%d\nmov32 dsr9, r5\ndone\nT%d: ", t, t);
            else TEXT("blk %d\nact %d\nasync ut2, unb=%d\nmov32 dsr9, r5\ndone\nT%d: ", t, t, t, t);
        } else TEXT("act %d\ndone\nT%d: ", t, t);
    }
    while (one_in(g, 3)) spare(p, pe);
}

static void loose_code(Plan *p, int pe)
{
    Gen *g = p->g;
    int k = p->loose_out[pe];
    if (k < 0) return;
    char m[128], d[128];
    int n = between(g, 1, 100);
    snprintf(d, sizeof d, ".dsd fabout, q%d, %d", p->tree[k].node[pe].oq, n);
    gen_mem_dsd(g, m, n);
    gen_load(g, "d", 10, d);
    gen_load(g, "s1", 10, m);
    bool more = p->core2 && one_in(g, 2);
    TEXT("async ut%d%s%s\nfmovs dsr10, dsr10\n", LOOSE_UT, one_in(g, 2) ? ", prio=low" : "", more ? ", act=28" : "");
    if (!more) return;
    int z = gen_label(g);
    TEXT("jmp L%d\nT%d: lw32 r25, 0x%x\nsendc q%d, r25\ndone\nL%d: ", z, LOOSE_TASK, (command(0) & 0xf800ffffu) | CONTROL_ID << 16, p->tree[k].node[pe].oq, z);
    buf_printf(g->b, ".task %d, T%d\n", LOOSE_TASK, LOOSE_TASK);
}

static void task_body(Gen *g, int most)
{
    for (int i = rnd(g, most); i; i--) gen_scalar(g);
    if (one_in(g, 5)) TEXT("act %d\n", 9 + rnd(g, 3));
    TEXT("done\n");
}

static void other_tasks(Plan *p, int pe)
{
    Gen *g = p->g;
    for (int id = 9; id < 12; id++) {                    /* what operations and other tasks activate */
        buf_printf(g->b, ".task %d, T%d%s%s\n", id, id, one_in(g, 3) ? " high" : "", one_in(g, 6) ? " blocked" : one_in(g, 8) ? " active" : "");
        TEXT("T%d: ", id);
        for (int i = rnd(g, 3); i >= 0; i--) gen_scalar(g);
        if (one_in(g, 4)) TEXT("unb %d\n", 9 + rnd(g, 3));
        TEXT("done\n");
    }
    for (int k = 0; k < p->ntree && !g->contexts; k++) {
        const Node *n = &p->tree[k].node[pe];
        if (!n->used || !n->data_task) continue;
        int id = g->arch == ARCH_WSE2 ? p->tree[k].color : n->iq;
        buf_printf(g->b, ".task data:%d, TD%d%s\n", id, k, one_in(g, 4) ? " high" : "");
        TEXT("TD%d: add r20, r20, r1\n", k);
        task_body(g, 3);
    }
    if (p->core2) {
        buf_printf(g->b, ".control %d, TC%s\n", CONTROL_ID, one_in(g, 3) ? " high" : "");
        TEXT("TC: add r19, r19, r1\n");
        task_body(g, 3);
        if (one_in(g, 2)) {
            buf_printf(g->b, ".uses teardown\n.task 29, T29\n");
            TEXT("T29: ");
            task_body(g, 3);
        }
    }
}

static void boot_queues(Plan *p, int pe)
{
    Gen *g = p->g;
    p->null_in[pe] = one_in(g, 3) ? free_queue(p, pe, true) : -1;
    if (p->null_in[pe] >= 0) buf_printf(g->b, ".iq %d, null\n", p->null_in[pe]);
    for (int k = 0; k < p->ntree; k++) {
        const Node *n = &p->tree[k].node[pe];
        if (!n->used) continue;
        bool lend = n->iq >= 0 && n->iq < 4 && !(p->iq_used[pe] >> (n->iq + 4) & 1) && one_in(g, 3);
        if (n->iq >= 0) buf_printf(g->b, ".iq %d, %d%s\n", n->iq, n->color, lend ? " lend" : "");
        if (n->oq >= 0) buf_printf(g->b, ".oq %d, %d\n", n->oq, n->color);
    }
}

static void routes(Plan *p, int pe)
{
    static const char *const dirs[] = {"west", "east", "south", "north", "ramp"}, *const pops[] = {"none", "always", "advance"};
    Buf *b = p->g->b;
    for (int k = 0; k < p->ntree; k++) {
        const Tree *t = &p->tree[k];
        const Node *n = &t->node[pe];
        if (!n->used) continue;
        buf_printf(b, ".route %d, %d, 1, 1, %d, %s", pe % p->g->w, pe / p->g->w, n->color, dirs[n->rx]);
        for (int d = 0; d < N_DIR; d++)
            if (n->tx >> d & 1) buf_printf(b, ", %s", dirs[d]);
        for (int i = 1; i <= n->npos; i++) buf_printf(b, " pos%d %s=%s", i, t->kind == TREE_GATHER ? "rx" : "tx", dirs[n->pos[i]]);
        if (n->npos && n->ring) buf_printf(b, " ring");
        if (n->boot) buf_printf(b, " at=%d", n->boot);
        if (n->pop) buf_printf(b, " pop=%s", pops[n->pop]);
        if (n->also >= 0) buf_printf(b, " also=%s", dirs[n->also]);
        if (t->swap) buf_printf(b, " swap_ew");
        if (n->f.kind)
            buf_printf(b, " filter counter %d %d %d%s%s", n->f.init, n->f.max, n->f.limit, n->f.counts & FILTER_CONTROL ? " control" : "",
                       n->f.counts & FILTER_DATA ? "" : " nodata");
        buf_printf(b, "\n");
        if (t->swap) buf_printf(b, ".route %d, %d, 1, 1, %d, ramp, ramp swap_ew\n", pe % p->g->w, pe / p->g->w, n->color ^ 1);    /* the pair is whole */
    }
}

/* SETRTR and SETSOCK of a phase; its end is a teardown of each tree by its root */
static void context(Plan *p, int pe)
{
    Gen *g = p->g;
    int l = gen_label(g), n = 0;
    DATA(".align 4\nD%d: .half ", l);
    for (int k = 0; k < p->ntree; k++)
        if (p->tree[k].node[pe].used) DATA("%s%d, %d", n++ ? ", " : "", p->tree[k].color, slot_word((Dir)p->tree[k].node[pe].rx, p->tree[k].node[pe].tx));
    for (; n < CTX_PAIRS; n++) DATA("%s31, 0", n ? ", " : "");
    DATA("\n");
    TEXT("liu r27, D%d\nsetrtr r27\n", l);
    l = gen_label(g), n = 0;
    DATA("D%d: .half ", l);
    for (int k = 0; k < p->ntree; k++) {
        const Node *o = &p->tree[k].node[pe];
        if (!o->used || n + 2 > CTX_PAIRS) continue;
        if (o->oq >= 0) DATA("%s%d", n++ ? ", " : "", sock_word(p->tree[k].color, o->oq, true, false));
        if (o->iq >= 0) DATA("%s%d", n++ ? ", " : "", sock_word(p->tree[k].color, o->iq, false, false));
    }
    for (; n < CTX_PAIRS; n++) DATA("%s0", n ? ", " : "");
    DATA("\n");
    TEXT("liu r27, D%d\nsetsock r27\n", l);
}

static void teardowns(Plan *p, int pe)
{
    wait_all(p->g);
    for (int k = 0; k < p->ntree; k++)
        if (p->tree[k].root == pe) buf_printf(&p->g->text, "sendc q%d, r28\n", p->tree[k].node[pe].oq);
}

typedef struct { Buf text, data; int nlabel, ntask; } PeText;

void fuzz_plan(uint64_t seed, Buf *out)
{
    Gen *g = ws_xmalloc(sizeof *g);
    Plan *p = ws_xmalloc(sizeof *p);
    p->g = g;
    g->rng = seed * 0x2545f4914f6cdd1du + 7;
    g->b = out;
    g->nut = LOOSE_UT, g->safe = true;
    g->arch = one_in(g, 2) ? ARCH_WSE2 : ARCH_WSE3;
    buf_printf(out, "; made by tests/fuzz/plan.c, seed %llu\n.arch wse%d\n", (unsigned long long)seed, g->arch);
    gen_machine(g);
    g->w = between(g, 1, 4), g->h = between(g, 1, 4);
    g->contexts = one_in(g, 3);
    g->faults = one_in(g, 16);
    p->v2 = one_in(g, 2), p->core2 = p->v2 && one_in(g, 2);
    g->nphase = g->contexts ? between(g, 1, MAX_PHASE) : 1;
    buf_printf(out, ".rect %d, %d\n", g->w, g->h);
    PeText of[MAX_PE] = {0};
    Buf boot[MAX_PE] = {0};
    for (int f = 0; f < g->nphase; f++) {
        plan_phase(p, f);
        for (int pe = 0; pe < g->w * g->h; pe++) {
            g->text = of[pe].text, g->data = of[pe].data, g->nlabel = of[pe].nlabel, g->ntask = of[pe].ntask;
            g->b = &boot[pe];
            g->regs = p->core2 && pe % 3 == 0;
            if (!f) {
                TEXT("main: lui r1, 0x3f80\nlui r2, 0x4000\nlw32 r28, 0x%x\n", CTRL_TEARDOWN);
                buf_printf(g->b, ".class c%d\n%s%s", pe, p->core2 ? ".uses control\n" : "", g->regs ? ".uses registers\n" : "");
            }
            if (g->contexts) context(p, pe);
            else boot_queues(p, pe), loose_code(p, pe);
            ops_code(p, pe, f);
            if (g->contexts) teardowns(p, pe);
            if (f == g->nphase - 1) {
                TEXT("done\n");
                other_tasks(p, pe);
            }
            of[pe] = (PeText){g->text, g->data, g->nlabel, g->ntask};
        }
    }
    g->b = out;
    for (int pe = 0; pe < g->w * g->h; pe++) {
        buf_printf(out, "%s%s.data\n.align 4\n%s.align 4\nstamps: .space 64\n.bss\n.align 16\n.space 2048\nwork: .space %d\n.entry main\n.place %d, %d, 1, 1, c%d\n", boot[pe].p,
                   of[pe].text.p, of[pe].data.len ? of[pe].data.p : "", WORK_BYTES, pe % g->w, pe / g->w, pe);
        if (!g->contexts) routes(p, pe);
        buf_free(&boot[pe]), buf_free(&of[pe].text), buf_free(&of[pe].data);
    }
    free(p);
    free(g);
}
