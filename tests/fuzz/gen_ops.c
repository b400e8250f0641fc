/* tests/fuzz/gen_ops.c: see gen_int.h. */
#include "tests/fuzz/gen_int.h"

/* ---- the machine */
static void param(Gen *g, const char *name, int v)
{
    arch_set(&g->a, name, v);
    buf_printf(g->b, "; PARAM: %s=%d\n", name, v);
}

void gen_machine(Gen *g)
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

int gen_neighbour(const Gen *g, int pe, int d)
{
    int x = pe % g->w, y = pe / g->w;
    if (d == DIR_WEST) return x ? pe - 1 : -1;
    if (d == DIR_EAST) return x + 1 < g->w ? pe + 1 : -1;
    if (d == DIR_NORTH) return y ? pe - g->w : -1;
    return y + 1 < g->h ? pe + g->w : -1;
}

/* ---- instructions */
int gen_label(Gen *g) { return g->nlabel++; }
int gen_reg(Gen *g) { return between(g, 1, 20); }

void gen_scalar(Gen *g)
{
    static const char *const rrr[] = {"add", "sub", "and", "or", "xor", "sll", "srl", "sra", "slt", "sltu", "seq", "mulu16", "muls16"};
    static const char *const ldst[] = {"ldb", "ldbu", "ldh", "ldhu", "ldw", "stb", "sth", "stw"};
    int l;
    switch (rnd(g, 14)) {
    case 0: case 1: TEXT("%s r%d, r%d, r%d\n", rrr[rnd(g, 13)], gen_reg(g), gen_reg(g), gen_reg(g)); break;
    case 2: TEXT("li r%d, %d\n", gen_reg(g), between(g, -100, 100)); break;
    case 3: TEXT("lui r%d, %d\n", gen_reg(g), between(g, 0x3f00, 0x4200)); break;
    case 4: TEXT("liu r21, work+%d\n%s r%d, r21\n", rnd(g, WORK_BYTES - 4), ldst[rnd(g, 8)], gen_reg(g)); break;
    case 5: TEXT("%s r%d, r%d, r%d\n", one_in(g, 2) ? "divu" : "rems", gen_reg(g), gen_reg(g), gen_reg(g)); break;
    case 6: TEXT("fadds r%d, r%d, r%d\n", gen_reg(g), gen_reg(g), gen_reg(g)); break;
    case 7: TEXT("fmuls r%d, r%d, r%d\nadd r%d, r%d, r%d\n", 3, gen_reg(g), gen_reg(g), gen_reg(g), 3, gen_reg(g)); break;
    case 8:
        l = gen_label(g);
        TEXT("b%s r%d, r%d, L%d\nnop\naddi r%d, r%d, 1\nL%d: ", one_in(g, 2) ? "lt" : "eq", gen_reg(g), gen_reg(g), l, gen_reg(g), gen_reg(g), l);
        break;
    case 9: {
        int a = gen_label(g), z = gen_label(g), k = rnd(g, 4);
        TEXT("li r22, %d\nloop l%d, r22, L%d\nL%d: addi r%d, r%d, 3\n", rnd(g, 6), k, z, a, gen_reg(g), gen_reg(g));
        if (one_in(g, 2)) TEXT("nop\n");
        TEXT("endl l%d, L%d\nL%d: ", k, a, z);
        break;
    }
    case 10: TEXT("tsc r23, 0\nliu r21, stamps+%d\nsth r23, r21\n", 2 * rnd(g, 32)); break;
    case 11: TEXT("fdivs r%d, r%d, r%d\n", gen_reg(g), gen_reg(g), gen_reg(g)); break;
    case 12:
        l = gen_label(g);
        TEXT("call L%d\njmp L%d\nL%d: nop\njr r31\nL%d: ", l, l + 1, l, l + 1);
        gen_label(g);
        break;
    default:
        for (int i = rnd(g, 12); i >= 0; i--) TEXT("nop\n");
    }
}

/* a descriptor in memory of about n elements; loaded into DSR `dsr` of a file */
void gen_load(Gen *g, const char *file, int dsr, const char *dsd)
{
    int l = gen_label(g);
    DATA("D%d: %s\n", l, dsd);
    TEXT("liu r24, D%d\nlddsr %s.%d, x%d, r24\n", l, file, dsr, rnd(g, 8));
}

void gen_mem_dsd(Gen *g, char out[128], int n)
{
    int at = rnd(g, WORK_BYTES / 2) & ~1, least = g->safe ? 0 : -4;
    const char *save = one_in(g, 4) ? ", save" : "";
    if (one_in(g, 40)) at += 0x7000;                     /* beyond the memory */
    if (one_in(g, 4)) {
        int l = gen_label(g), k = between(g, 2, 4);
        DATA("D%d: .shape %d, %d, %d, %d, 0, %d\n", l, k, between(g, -2, 3), between(g, 2, 5), between(g, -3, 6), between(g, 1, 9));
        snprintf(out, 128, ".dsd memnd, work+%d, %d, D%d%s", at, n, l, save);
    } else snprintf(out, 128, ".dsd mem1d, work+%d, %d, %d%s", at, n, one_in(g, 3) ? between(g, least, 9) : 1, save);
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
    TEXT("%sut%d", sep, rnd(g, g->nut)), sep = ", ";
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
        snprintf(out, 16, "r%d", gen_reg(g));
        return;
    }
    int k = rnd(g, 16);
    if (!dsd_or_null) gen_mem_dsd(g, d, n);
    gen_load(g, file, k, dsd_or_null ? dsd_or_null : d);
    snprintf(out, 16, "dsr%d", k);
}

/* one vector operation: in and out are queues or -1 */
void gen_vector(Gen *g, int in, int out, int n)
{
    char d[128], a[16], b[16], dest[16] = "", fin[128], fout[128];
    bool as = one_in(g, 2), both = one_in(g, 2), in_a = one_in(g, 2), own = n < 60 && one_in(g, 3);
    int k = rnd(g, 16), dn = own && one_in(g, 2) ? 100 : n;
    if (out >= 0) fab_dsd(g, fout, false, out, dn);
    if (in >= 0) fab_dsd(g, fin, true, in, dn);
    if (out >= 0) gen_load(g, "d", k, fout), snprintf(dest, sizeof dest, "dsr%d", k);
    else if (!as && one_in(g, 3)) snprintf(dest, sizeof dest, "r%d", gen_reg(g));
    else if (!as && one_in(g, 3)) {                      /* a chain */
        source(g, a, "s0", in >= 0 && in_a ? fin : NULL, dn);
        source(g, b, "s1", in >= 0 && !in_a ? fin : NULL, dn);
        int dot = rnd(g, 4);
        if (in >= 0 && !in_a && one_in(g, 2)) TEXT("sums dot%d, %s", dot, b);
        else TEXT("%s dot%d, %s, %s", one_in(g, 2) ? "dots" : "dotas", dot, a, b);
        TEXT(own ? ", n=%d\n" : "\n", n);
        if (one_in(g, 2)) TEXT("fmovs r%d, dot%d\n", gen_reg(g), dot);
        return;
    } else {
        gen_mem_dsd(g, d, dn);
        gen_load(g, "d", k, d);
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
            TEXT("fmacs %s, %s, %s, r%d\n", same ? "same" : dest, a, b, gen_reg(g));
            return;
        }
        TEXT("%s %s, %s, %s", two[rnd(g, 10)], same ? "same" : dest, a, b);
    }
    TEXT(own ? ", n=%d\n" : "\n", n);
}

void gen_fault(Gen *g)
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

void gen_other(Gen *g)
{
    switch (rnd(g, 12)) {
    case 0: case 1: gen_vector(g, -1, -1, between(g, 1, 20)); break;
    case 2: TEXT("waitut %d\n", rnd(g, 1 << g->nut)); break;
    case 3: TEXT("act %d\n", 9 + rnd(g, 3)); break;
    case 4: TEXT("%s %d\n", one_in(g, 3) ? "blk" : "unb", 9 + rnd(g, 3)); break;
    case 5: TEXT("li r25, %d\ndsrl s0.%d, r25\n", rnd(g, 9), rnd(g, 16)); break;
    case 6: TEXT("liu r25, work+%d\ndsrb s1.%d, r25\n", rnd(g, 100), rnd(g, 16)); break;
    case 7: if (one_in(g, 6)) TEXT("hout r%d, %d\n", gen_reg(g), 1 + rnd(g, 7)); break;
    case 8: {
        int l = gen_label(g);
        if (one_in(g, 6)) TEXT("L%d: liu r25, L%d\nldw r26, r25\nstw r26, r25\n", l, l);     /* the code is its own data now */
        break;
    }
    default: gen_scalar(g);
    }
    if (g->faults && one_in(g, 60)) gen_fault(g);
}
