/* Promote allocas to SSA values: phis at the iterated dominance frontier of the stores, then renaming down the dominator tree.
 * needs: -     breaks: unreachable blocks go, so block numbers may change     keeps: cfg, the order of effects
 * An alloca may be promoted in pieces (the fields of a struct): a piece is one offset, always accessed with one width.  Its
 * address may be offset by constants; any other use of the address (a call, a descriptor, a stored pointer) keeps it in memory.
 * A load before any store gives undef. */
#include "ir/ir.h"
#include <stdlib.h>
#include <string.h>

typedef struct { IrRef alloca; int64_t off, bytes; IrType type; bool bad; IrBlk *defs; } Var;   /* bytes: of the widest access */
typedef struct { IrRef base; int64_t off; } Addr;        /* base 0: not an address of a candidate */
typedef struct { IrFn *f; Var *vars; Addr *addr; uint8_t *escaped; int *var_of; IrRef *map; IrBlk *rpo, *idom; IrRef *undefs; } M;

static bool const_value(IrFn *f, IrRef r, int64_t *v)
{
    IrIns *in = ir_ins(f, r);
    if (in->op != IR_CONST) return false;
    *v = ir_signed((IrType)in->type, (uint64_t)in->imm);
    return true;
}

/* is in an address with a known distance from an alloca? */
static Addr address_of(M *m, const IrIns *in)
{
    int64_t c;
    if (in->op != IR_ADD && in->op != IR_SUB) return (Addr){0};
    for (int k = 0; k < 2; k++) {
        Addr a = m->addr[in->args[k].i];
        if (!a.base.i || !const_value(m->f, in->args[1 - k], &c) || (in->op == IR_SUB && k == 1)) continue;
        a.off += in->op == IR_SUB ? -c : c;
        return a;
    }
    return (Addr){0};
}

static int find_var(M *m, IrRef base, int64_t off)
{
    for (ptrdiff_t i = 0; i < arrlen(m->vars); i++)
        if (m->vars[i].alloca.i == base.i && m->vars[i].off == off) return (int)i;
    return -1;
}

static void access_var(M *m, IrRef r, IrType t)
{
    IrIns *in = ir_ins(m->f, r);
    Addr a = m->addr[in->args[0].i];
    if (!a.base.i) return;
    a.off += in->imm;
    if (ir_type_bytes(t) > 1) a.off &= ~(int64_t)1;      /* a wide access ignores bit 0; allocas are aligned */
    int v = find_var(m, a.base, a.off), bytes = ir_type_bytes(t);
    if (v < 0) {
        arrput(m->vars, ((Var){a.base, a.off, bytes, t, false, NULL}));
        v = (int)arrlen(m->vars) - 1;
    }
    if (m->vars[v].bytes < bytes) m->vars[v].bytes = bytes;
    if (ir_type_bits(m->vars[v].type) != ir_type_bits(t)) m->vars[v].bad = true;
    if (a.off < 0 || a.off + bytes > ir_ins(m->f, a.base)->imm) m->vars[v].bad = true;
    if (in->op == IR_STORE) arrput(m->vars[v].defs, in->blk);
    m->var_of[r.i] = v + 1;
}

/* Blocks in reverse postorder, so that an address is seen before its uses; unreachable ones are gone. */
static void find_accesses(M *m)
{
    IrFn *f = m->f;
    for (ptrdiff_t n = 0; n < arrlen(m->rpo); n++) {
        IrRef *ins = ir_blk(f, m->rpo[n])->ins;
        for (ptrdiff_t i = 0; i < arrlen(ins); i++) {
            IrIns *in = ir_ins(f, ins[i]);
            if (in->op == IR_ALLOCA) {
                m->addr[ins[i].i] = (Addr){ins[i], 0};
                continue;
            }
            m->addr[ins[i].i] = address_of(m, in);
            if (in->op == IR_LOAD) access_var(m, ins[i], (IrType)in->type);
            if (in->op == IR_STORE) access_var(m, ins[i], (IrType)ir_ins(f, in->args[1])->type);
            for (int k = 0; k < in->nargs; k++) {        /* every other use of an address lets it escape */
                bool known = m->addr[ins[i].i].base.i || ((in->op == IR_LOAD || in->op == IR_STORE) && k == 0);
                if (!known) m->escaped[m->addr[in->args[k].i].base.i] = 1;
            }
        }
    }
}

/* A phi may use an address that reverse postorder shows later (a loop): it counts as an escape too. */
static void find_phi_escapes(M *m)
{
    IrFn *f = m->f;
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            IrIns *in = ir_ins(f, f->blks[b].ins[i]);
            for (int k = 0; in->op == IR_PHI && k < in->nargs; k++) m->escaped[m->addr[in->args[k].i].base.i] = 1;
        }
}

static void drop_overlaps(M *m)
{
    for (ptrdiff_t i = 0; i < arrlen(m->vars); i++)
        for (ptrdiff_t k = 0; k < i; k++) {
            Var *a = &m->vars[i], *b = &m->vars[k];
            if (a->alloca.i != b->alloca.i) continue;
            if (a->off < b->off + b->bytes && b->off < a->off + a->bytes) a->bad = b->bad = true;
        }
    for (ptrdiff_t i = 0; i < arrlen(m->vars); i++) m->vars[i].bad |= m->escaped[m->vars[i].alloca.i];
}

/* ---- construction */
static IrBlk **frontiers(M *m)
{
    IrFn *f = m->f;
    IrBlk **df = ws_xmalloc(sizeof *df * (size_t)arrlen(f->blks));
    for (ptrdiff_t n = 0; n < arrlen(m->rpo); n++) {
        uint32_t b = m->rpo[n].i;
        if (arrlen(f->blks[b].preds) < 2) continue;
        for (ptrdiff_t k = 0; k < arrlen(f->blks[b].preds); k++)
            for (uint32_t p = f->blks[b].preds[k].i; p && p != m->idom[b].i; p = m->idom[p].i)
                if (!arrlen(df[p]) || arrlast(df[p]).i != b) arrput(df[p], (IrBlk){b});
    }
    return df;
}

/* Blocks where v is live at the head; phis elsewhere would be dead. */
static void live_in(M *m, int v, uint8_t *live)
{
    IrFn *f = m->f;
    uint32_t *work = NULL;
    memset(live, 0, (size_t)arrlen(f->blks));
    for (ptrdiff_t n = 0; n < arrlen(m->rpo); n++) {
        IrRef *ins = ir_blk(f, m->rpo[n])->ins;
        for (ptrdiff_t i = 0; i < arrlen(ins); i++) {
            if (m->var_of[ins[i].i] != v + 1) continue;
            if (ir_ins(f, ins[i])->op == IR_LOAD) arrput(work, m->rpo[n].i);
            break;
        }
    }
    uint8_t *def = ws_xmalloc((size_t)arrlen(f->blks));
    for (ptrdiff_t i = 0; i < arrlen(m->vars[v].defs); i++) def[m->vars[v].defs[i].i] = 1;
    while (arrlen(work)) {
        uint32_t b = arrpop(work);
        if (live[b]) continue;
        live[b] = 1;
        for (ptrdiff_t k = 0; k < arrlen(f->blks[b].preds); k++)
            if (!def[f->blks[b].preds[k].i]) arrput(work, f->blks[b].preds[k].i);
    }
    free(def);
    arrfree(work);
}

static void place_phis(M *m, int v, IrBlk **df, uint8_t *live, uint32_t *has)
{
    IrFn *f = m->f;
    IrBlk *work = NULL;
    live_in(m, v, live);
    for (ptrdiff_t i = 0; i < arrlen(m->vars[v].defs); i++) arrput(work, m->vars[v].defs[i]);
    while (arrlen(work)) {
        IrBlk b = arrpop(work);
        for (ptrdiff_t k = 0; k < arrlen(df[b.i]); k++) {
            IrBlk d = df[b.i][k];
            if (has[d.i] == (uint32_t)v + 1 || !live[d.i]) continue;
            has[d.i] = (uint32_t)v + 1;
            IrIns *a = ir_ins(f, m->vars[v].alloca);
            const char *name = a->name;
            IrRef phi = ir_phi(f, d, m->vars[v].type, a->loc);
            ir_ins(f, phi)->name = name;
            arrsetlen(m->var_of, arrlen(f->ins));
            arrsetlen(m->map, arrlen(f->ins));
            m->map[phi.i] = IR_NONE;
            m->var_of[phi.i] = v + 1;
            arrput(work, d);
        }
    }
    arrfree(work);
}

/* undef of v, in the entry block behind the parameters */
static IrRef undef(M *m, int v)
{
    IrFn *f = m->f;
    if (m->undefs[v].i) return m->undefs[v];
    IrRef a = m->vars[v].alloca;
    Loc loc = ir_ins(f, a)->loc;
    m->undefs[v] = ir_insert_before(f, a, IR_UNDEF, m->vars[v].type, 0, NULL, loc);
    arrsetlen(m->var_of, arrlen(f->ins));
    arrsetlen(m->map, arrlen(f->ins));
    m->var_of[m->undefs[v].i] = 0;
    m->map[m->undefs[v].i] = IR_NONE;
    return m->undefs[v];
}

static void rename_block(M *m, uint32_t b, IrRef *cur)
{
    IrFn *f = m->f;
    for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
        IrRef r = f->blks[b].ins[i];
        IrIns *in = ir_ins(f, r);
        int v = m->var_of[r.i] - 1;
        if (v < 0 || m->vars[v].bad) continue;
        if (in->op == IR_PHI) {
            cur[v] = r;
        } else if (in->op == IR_STORE) {
            cur[v] = in->args[1];
            in->dead = true;
        } else {
            if (!cur[v].i) {
                cur[v] = undef(m, v);
                if (b == 1) i++;                         /* the entry block has grown before this place */
                in = ir_ins(f, r);
            }
            IrRef val = cur[v];
            while (m->map[val.i].i) val = m->map[val.i];
            if (ir_ins(f, val)->type == in->type) {
                m->map[r.i] = val;
                in->dead = true;
            } else {                                     /* stored with another type of this width */
                in->op = IR_BITCAST;
                in->imm = 0;
                in->args[0] = val;
                m->var_of[r.i] = 0;
            }
        }
    }
}

static void fill_phis(M *m, uint32_t b, IrRef *cur)
{
    IrFn *f = m->f;
    IrIns *t = ir_term(f, (IrBlk){b});
    for (int k = 0; t && k < t->nblocks; k++) {
        bool again = false;
        for (int q = 0; q < k; q++) again |= t->blocks[q].i == t->blocks[k].i;
        uint32_t s = t->blocks[k].i;
        for (ptrdiff_t i = 0; !again && i < arrlen(f->blks[s].ins); i++) {
            IrRef r = f->blks[s].ins[i];
            if (ir_ins(f, r)->op != IR_PHI) break;
            int v = m->var_of[r.i] - 1;
            if (v < 0) continue;
            IrRef val = cur[v].i ? cur[v] : undef(m, v);
            while (m->map[val.i].i) val = m->map[val.i];
            IrType want = m->vars[v].type;
            if (ir_ins(f, val)->type != want) {
                IrRef last = arrlast(f->blks[b].ins);
                val = ir_insert_before(f, last, IR_BITCAST, want, 1, &val, ir_ins(f, r)->loc);
                arrsetlen(m->var_of, arrlen(f->ins));
                arrsetlen(m->map, arrlen(f->ins));
                m->var_of[val.i] = 0;
                m->map[val.i] = IR_NONE;
            }
            ir_phi_add(f, r, (IrBlk){b}, val);
            t = ir_term(f, (IrBlk){b});
        }
    }
}

/* In reverse postorder the dominator comes first: each block starts from the values at the end of its idom. */
static void rename_all(M *m)
{
    IrFn *f = m->f;
    size_t n = (size_t)arrlen(m->vars);
    IrRef **at_end = ws_xmalloc(sizeof *at_end * (size_t)arrlen(f->blks));
    for (ptrdiff_t i = 0; i < arrlen(m->rpo); i++) {
        uint32_t b = m->rpo[i].i;
        at_end[b] = ws_xmalloc(sizeof(IrRef) * n);
        if (m->idom[b].i) memcpy(at_end[b], at_end[m->idom[b].i], sizeof(IrRef) * n);
        rename_block(m, b, at_end[b]);
    }
    for (ptrdiff_t i = 0; i < arrlen(m->rpo); i++) fill_phis(m, m->rpo[i].i, at_end[m->rpo[i].i]);
    for (ptrdiff_t i = 0; i < arrlen(m->rpo); i++) free(at_end[m->rpo[i].i]);
    free(at_end);
}

/* allocas and their addresses that nobody uses any more */
static void drop_unused(M *m)
{
    IrFn *f = m->f;
    for (bool changed = true; changed;) {
        uint32_t *uses = ir_use_counts(f);
        changed = false;
        for (ptrdiff_t i = 1; i < arrlen(m->addr); i++) {
            IrIns *in = &f->ins[i];
            if (in->dead || !m->addr[i].base.i || uses[i]) continue;
            in->dead = true;
            changed = true;
        }
        if (changed) ir_sweep(f);
        arrfree(uses);
    }
}

void pass_mem2reg(IrFn *f)
{
    ir_drop_unreachable(f);
    size_t n = (size_t)arrlen(f->ins);
    M m = {.f = f, .escaped = ws_xmalloc(n)};
    arrsetlen(m.addr, n);
    memset(m.addr, 0, n * sizeof *m.addr);
    arrsetlen(m.var_of, n);
    arrsetlen(m.map, n);
    memset(m.var_of, 0, n * sizeof *m.var_of);
    memset(m.map, 0, n * sizeof *m.map);
    m.rpo = ir_rpo(f);
    m.idom = ir_idom(f, m.rpo);
    find_accesses(&m);
    find_phi_escapes(&m);
    drop_overlaps(&m);
    bool any = false;
    for (ptrdiff_t v = 0; v < arrlen(m.vars); v++) any |= !m.vars[v].bad;
    if (any) {
        IrBlk **df = frontiers(&m);
        uint8_t *live = ws_xmalloc((size_t)arrlen(f->blks));
        uint32_t *has = ws_xmalloc(sizeof *has * (size_t)arrlen(f->blks));
        m.undefs = ws_xmalloc(sizeof *m.undefs * (size_t)arrlen(m.vars));
        for (int v = 0; v < (int)arrlen(m.vars); v++)
            if (!m.vars[v].bad) place_phis(&m, v, df, live, has);
        rename_all(&m);
        ir_apply(f, m.map);
        ir_sweep(f);
        for (ptrdiff_t b = 0; b < arrlen(f->blks); b++) arrfree(df[b]);
        free(df);
        free(live);
        free(has);
        free(m.undefs);
    }
    drop_unused(&m);
    arrfree(m.addr);
    for (ptrdiff_t v = 0; v < arrlen(m.vars); v++) arrfree(m.vars[v].defs);
    arrfree(m.vars);
    arrfree(m.var_of);
    arrfree(m.map);
    arrfree(m.rpo);
    arrfree(m.idom);
    free(m.escaped);
}
