/* Loop-invariant code motion: what gives the same value in every round goes in front of the loop, inner loops first.
 * needs: -     breaks: predecessors     keeps: ssa, the order of effects, every bit of floating-point results
 *
 * Moved are values without effect, and loads of private objects (mem.h) that lie inside their object, that no store in the loop may
 * overlap and that every round executes; a shared object is read again each round, because a microthread may write it meanwhile.
 * What the backend gives for nothing stays: constants and addresses are made where they are wanted (a moved value takes copies
 * along), a sum with a constant is part of an access, a comparison is part of its branch.
 * A moved value occupies a register through the whole loop, so a loop takes no more than PRESSURE lets it: what it uses from outside
 * and carries round counts.  A loop with calls takes only divisions: registers that survive a call have to be saved. */
#include "ir/mem.h"
#include <stdlib.h>
#include <string.h>

enum { PRESSURE = 14 };                                  /* of about 24 that can be allocated; the rest is the round's own */
typedef struct { IrPlace place; IrType type; } Write;
typedef struct { uint32_t head, size; uint8_t *in; } Loop;               /* in: by block */
typedef struct {
    IrFn *f;
    IrMem mem;
    IrBlk *rpo, *idom;
    Loop *loops;                                         /* inner ones first */
} L;

static bool inside(const Loop *lp, IrBlk b) { return lp->in[b.i]; }

/* ---- loops */
static int by_size(const void *a, const void *b)
{
    const Loop *x = a, *y = b;
    return x->size != y->size ? (x->size < y->size ? -1 : 1) : (x->head > y->head) - (x->head < y->head);
}

static void find_loop(L *l, uint32_t head)
{
    Loop lp = {.head = head, .in = ir_loop_body(l->f, l->idom, head)};
    if (!lp.in) return;
    for (ptrdiff_t b = 0; b < arrlen(l->f->blks); b++) lp.size += lp.in[b];
    arrput(l->loops, lp);
}

static L survey(IrFn *f, const uint8_t *shared)
{
    ir_preds(f);
    L l = {.f = f, .mem = ir_mem(f, shared), .rpo = ir_rpo(f)};
    l.idom = ir_idom(f, l.rpo);
    for (ptrdiff_t i = 0; i < arrlen(l.rpo); i++) find_loop(&l, l.rpo[i].i);
    if (arrlen(l.loops)) qsort(l.loops, (size_t)arrlen(l.loops), sizeof *l.loops, by_size);
    return l;
}

static void survey_free(L *l)
{
    for (ptrdiff_t i = 0; i < arrlen(l->loops); i++) free(l->loops[i].in);
    arrfree(l->loops);
    arrfree(l->rpo);
    arrfree(l->idom);
    ir_mem_free(&l->mem);
}

/* ---- the block in front of a loop */
static IrBlk lone_entry(const L *l, const Loop *lp)
{
    const IrBlk *preds = l->f->blks[lp->head].preds;
    IrBlk p = {0};
    for (ptrdiff_t k = 0; k < arrlen(preds); k++) {
        if (inside(lp, preds[k])) continue;
        if (p.i) return (IrBlk){0};
        p = preds[k];
    }
    return ir_term(l->f, p)->op == IR_BR ? p : (IrBlk){0};
}

/* The phis of the head take one value from the new block for all that came from outside. */
static void enter_phi(IrFn *f, const Loop *lp, IrRef phi, IrBlk pre)
{
    const IrIns *in = ir_ins(f, phi);
    IrRef *args = NULL, *outer = NULL;
    IrBlk *blks = NULL, *from = NULL;
    bool same = true;
    for (int k = 0; k < in->nargs; k++) {
        if (inside(lp, in->blocks[k])) {
            arrput(args, in->args[k]);
            arrput(blks, in->blocks[k]);
        } else {
            arrput(outer, in->args[k]);
            arrput(from, in->blocks[k]);
            same &= outer[0].i == in->args[k].i;
        }
    }
    IrRef v = outer[0];
    if (!same) {
        v = ir_phi(f, pre, (IrType)in->type, in->loc);
        for (ptrdiff_t k = 0; k < arrlen(outer); k++) ir_phi_add(f, v, from[k], outer[k]);
    }
    arrput(args, v);
    arrput(blks, pre);
    ir_set_args(f, phi, (int)arrlen(args), args);
    ir_set_blocks(f, phi, (int)arrlen(blks), blks);
    arrfree(args);
    arrfree(outer);
    arrfree(blks);
    arrfree(from);
}

static IrBlk new_entry(IrFn *f, const Loop *lp)
{
    IrBlk pre = ir_block_new(f, "ahead"), head = {lp->head};
    for (ptrdiff_t i = 0; i < arrlen(f->blks[head.i].ins) && ir_ins(f, f->blks[head.i].ins[i])->op == IR_PHI; i++)
        enter_phi(f, lp, f->blks[head.i].ins[i], pre);
    ir_br(f, pre, head, ir_term(f, head)->loc);
    for (ptrdiff_t k = 0; k < arrlen(f->blks[head.i].preds); k++) {
        IrBlk p = f->blks[head.i].preds[k];
        if (inside(lp, p)) continue;
        IrIns *t = ir_term(f, p);
        for (int i = 0; i < t->nblocks; i++)
            if (t->blocks[i].i == head.i) t->blocks[i] = pre;
    }
    return pre;
}

/* ---- what can go */
typedef struct { Write *writes; bool call; int room; uint8_t *latched; } Facts;

static bool constant(const IrIns *in)
{
    return in->op == IR_CONST || in->op == IR_FCONST || in->op == IR_GADDR || in->op == IR_FADDR || in->op == IR_UNDEF;
}

static int registers(const IrIns *in) { return in->type == T_I64 || in->type == T_DSD ? 2 : in->type == T_SLOT || in->type == T_VOID ? 0 : 1; }

static Facts facts(const L *l, const Loop *lp)
{
    IrFn *f = l->f;
    Facts a = {.room = PRESSURE, .latched = ws_xmalloc((size_t)arrlen(f->blks))};
    uint8_t *counted = ws_xmalloc((size_t)arrlen(f->ins));
    for (ptrdiff_t i = 0; i < arrlen(l->rpo); i++) {
        IrBlk b = l->rpo[i];
        if (!inside(lp, b)) continue;
        a.latched[b.i] = 1;
        for (ptrdiff_t k = 0; k < arrlen(f->blks[lp->head].preds); k++)
            if (inside(lp, f->blks[lp->head].preds[k]) && !ir_dominates(l->idom, b.i, f->blks[lp->head].preds[k].i)) a.latched[b.i] = 0;
        for (ptrdiff_t k = 0; k < arrlen(f->blks[b.i].ins); k++) {
            IrRef r = f->blks[b.i].ins[k];
            const IrIns *in = ir_ins(f, r);
            IrMemEffect e = ir_mem_effect(f, in);
            if (e == MEM_ANY) a.call = true;
            if (e == MEM_STORE) {
                Write w = {ir_mem_place(&l->mem, r), (IrType)ir_ins(f, in->args[1])->type};
                arrput(a.writes, w);
            }
            if (in->op == IR_PHI && b.i == lp->head) a.room -= registers(in);
            for (int x = 0; x < in->nargs; x++) {
                IrRef v = in->args[x];
                if (!v.i || counted[v.i] || constant(ir_ins(f, v)) || inside(lp, ir_ins(f, v)->blk)) continue;
                counted[v.i] = 1;
                a.room -= registers(ir_ins(f, v));
            }
        }
    }
    free(counted);
    return a;
}

static bool stays(IrFn *f, const IrIns *in)
{
    switch (in->op) {
    case IR_PHI: case IR_PARAM: case IR_ALLOCA: case IR_DSRSLOT: case IR_DOTSLOT: return true;
    case IR_ICMP: case IR_FCMP: case IR_SELECT: case IR_BITCAST: case IR_TRUNC: return true;
    case IR_ADD: case IR_SUB:
        for (int k = 0; k < 2; k++)
            if (constant(ir_ins(f, in->args[k]))) return true;
        return false;
    default: return constant(in) || (ir_ops[in->op].flags & I_EFF) || !(ir_ops[in->op].flags & I_RES);
    }
}

static bool costly(const IrIns *in)
{
    return in->op == IR_UDIV || in->op == IR_SDIV || in->op == IR_UREM || in->op == IR_SREM || in->op == IR_FDIV;
}

static bool load_can_go(const L *l, const Facts *a, IrRef r)
{
    const IrIns *in = ir_ins(l->f, r);
    IrPlace p = ir_mem_place(&l->mem, r);
    if (!a->latched[in->blk.i] || !ir_mem_private(&l->mem, &p) || !ir_mem_inside(&l->mem, &p, (IrType)in->type)) return false;
    for (ptrdiff_t i = 0; i < arrlen(a->writes); i++)
        if (ir_mem_overlap(&l->mem, &a->writes[i].place, a->writes[i].type, &p, (IrType)in->type)) return false;
    return true;
}

static bool can_go(const L *l, const Loop *lp, const Facts *a, IrRef r)
{
    const IrIns *in = ir_ins(l->f, r);
    if (stays(l->f, in) || (a->call && !costly(in)) || registers(in) > a->room) return false;
    for (int k = 0; k < in->nargs; k++) {
        const IrIns *x = ir_ins(l->f, in->args[k]);
        if (in->args[k].i && inside(lp, x->blk) && !constant(x)) return false;
    }
    return in->op == IR_LOAD ? load_can_go(l, a, r) : in->op != IR_VOP;
}

static void move(IrFn *f, IrRef r, IrBlk pre)
{
    IrRef term = f->blks[pre.i].ins[arrlen(f->blks[pre.i].ins) - 1];
    for (int k = 0; k < ir_ins(f, r)->nargs; k++) {
        IrRef c = ir_ins(f, r)->args[k];
        if (!c.i || !constant(ir_ins(f, c))) continue;
        const IrIns *x = ir_ins(f, c);
        IrSym sym = x->sym;
        int64_t imm = x->imm;
        IrRef copy = ir_insert_before(f, term, (IrOp)x->op, (IrType)x->type, 0, NULL, x->loc);
        ir_ins(f, copy)->sym = sym;
        ir_ins(f, copy)->imm = imm;
        ir_ins(f, r)->args[k] = copy;
    }
    IrRef **from = &f->blks[ir_ins(f, r)->blk.i].ins, **to = &f->blks[pre.i].ins;
    for (ptrdiff_t i = 0; i < arrlen(*from); i++)
        if ((*from)[i].i == r.i) {
            arrdel(*from, i);
            break;
        }
    ptrdiff_t at = arrlen(*to) - 1;                      /* the macro evaluates it twice */
    arrins(*to, at, r);
    ir_ins(f, r)->blk = pre;
}

/* True: the function has changed, so all has to be looked at anew. */
static bool hoist(L *l, const Loop *lp)
{
    IrFn *f = l->f;
    Facts a = facts(l, lp);
    IrBlk pre = lone_entry(l, lp);
    bool made = false, moved = false;
    for (ptrdiff_t i = 0; i < arrlen(l->rpo) && !made; i++) {
        uint32_t b = l->rpo[i].i;
        if (!lp->in[b]) continue;
        for (ptrdiff_t k = 0; k < arrlen(f->blks[b].ins); k++) {
            IrRef r = f->blks[b].ins[k];
            if (!can_go(l, lp, &a, r)) continue;
            if (!pre.i) {
                new_entry(f, lp);
                made = true;
                break;
            }
            a.room -= registers(ir_ins(f, r));
            move(f, r, pre);
            moved = true;
            k--;
        }
    }
    arrfree(a.writes);
    free(a.latched);
    return made || moved;
}

static void one(IrFn *f, const uint8_t *shared)
{
    ir_drop_unreachable(f);
    for (bool again = true; again;) {
        L l = survey(f, shared);
        again = false;
        for (ptrdiff_t i = 0; i < arrlen(l.loops) && !again; i++) again = hoist(&l, &l.loops[i]);
        survey_free(&l);
    }
}

void pass_licm(IrModule *m)
{
    uint8_t *shared = ir_shared_globals(m);
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++)
        if (!m->fns[i]->decl_only) one(m->fns[i], shared);
    free(shared);
}
