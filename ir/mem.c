/* Places in memory and who can name them (mem.h).  Addresses are followed through sums and casts; a pointer that goes through a
 * phi, a select, memory or a call is of unknown origin, and its object is shared. */
#include "ir/mem.h"
#include <stdlib.h>
#include <string.h>

/* ---- what pointers point to */
static bool constant(IrFn *f, IrRef r, int64_t *v)
{
    if (ir_ins(f, r)->op != IR_CONST) return false;
    *v = ir_signed(T_I16, (uint64_t)ir_ins(f, r)->imm);
    return true;
}

static IrPlace pointee(IrFn *f, const IrPlace *at, IrRef r)
{
    const IrIns *in = ir_ins(f, r);
    int64_t c;
    switch (in->op) {
    case IR_GADDR: return (IrPlace){.sym = in->sym, .off = (int32_t)in->imm, .known = true, .exact = true};
    case IR_ALLOCA: return (IrPlace){.alloca = r, .known = true, .exact = true};
    case IR_BITCAST: return at[in->args[0].i];
    case IR_ADD: case IR_SUB:
        for (int k = 0; k < (in->op == IR_ADD ? 2 : 1); k++) {
            IrPlace p = at[in->args[k].i];
            if (!p.known) continue;
            if (!constant(f, in->args[1 - k], &c)) p.exact = false, c = 0;
            p.off += (int32_t)(in->op == IR_ADD ? c : -c);
            return p;
        }
        return (IrPlace){0};
    default: return (IrPlace){0};
    }
}

/* May operand k of the instruction hold an address, without making it known to anyone else? */
static bool keeps(const IrPlace *at, const IrIns *in, int k)
{
    switch (in->op) {
    case IR_LOAD: case IR_SETROUTER: case IR_SETSOCKETS: case IR_ICMP: case IR_BITCAST: return true;
    case IR_STORE: return k == 0;
    case IR_DSRLOAD: return k == 1;
    case IR_ADD: return !at[in->args[1 - k].i].known;    /* the sum of two addresses is none */
    case IR_SUB: return k == 0 && !at[in->args[1].i].known;
    default: return false;
    }
}

/* Fills at[]; marks the objects whose address gets out. */
static void scan(IrFn *f, IrPlace *at, uint8_t *globals, uint8_t *allocas)
{
    IrBlk *rpo = ir_rpo(f);
    for (ptrdiff_t i = 0; i < arrlen(rpo); i++) {
        const IrRef *ins = f->blks[rpo[i].i].ins;
        for (ptrdiff_t k = 0; k < arrlen(ins); k++) at[ins[k].i] = pointee(f, at, ins[k]);
    }
    for (ptrdiff_t i = 0; i < arrlen(rpo); i++) {        /* behind it: phis name what comes later */
        const IrRef *ins = f->blks[rpo[i].i].ins;
        for (ptrdiff_t k = 0; k < arrlen(ins); k++) {
            const IrIns *in = ir_ins(f, ins[k]);
            for (int a = 0; a < in->nargs; a++) {
                const IrPlace *p = &at[in->args[a].i];
                if (!p->known || keeps(at, in, a)) continue;
                if (p->sym.i && globals) globals[p->sym.i - 1] = 1;
                if (p->alloca.i && allocas) allocas[p->alloca.i] = 1;
            }
        }
    }
    arrfree(rpo);
}

uint8_t *ir_shared_globals(IrModule *m)
{
    uint8_t *shared = ws_xmalloc((size_t)arrlen(m->globals) + 1);
    for (ptrdiff_t i = 0; i < arrlen(m->globals); i++) {
        IrGlobal *g = &m->globals[i];
        if (g->exported || g->keep) shared[i] = 1;
        for (ptrdiff_t k = 0; k < arrlen(g->relocs); k++)
            if (!ir_sym_is_fn(g->relocs[k].sym) && g->relocs[k].sym.i) shared[g->relocs[k].sym.i - 1] = 1;
    }
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++) {
        IrFn *f = m->fns[i];
        if (f->decl_only) continue;
        IrPlace *at = ws_xmalloc(sizeof *at * (size_t)arrlen(f->ins));
        scan(f, at, shared, NULL);
        free(at);
    }
    return shared;
}

IrMem ir_mem(IrFn *f, const uint8_t *globals)
{
    size_t n = (size_t)arrlen(f->ins);
    IrMem m = {.f = f, .globals = globals, .allocas = ws_xmalloc(n), .at = ws_xmalloc(sizeof *m.at * n)};
    scan(f, m.at, NULL, m.allocas);
    return m;
}

void ir_mem_free(IrMem *m)
{
    free(m->allocas);
    free(m->at);
}

/* ---- accesses */
static IrType accessed(IrFn *f, const IrIns *in) { return (IrType)(in->op == IR_STORE ? ir_ins(f, in->args[1])->type : in->type); }

IrPlace ir_mem_place(const IrMem *m, IrRef access)
{
    const IrIns *in = ir_ins(m->f, access);
    IrPlace p = m->at[in->args[0].i];
    p.off += (int32_t)in->imm;
    /* a wide access ignores bit 0 of its address: where that may be set, the place is not what it says */
    bool even = !(p.off & 1) && (!p.sym.i || ir_global(m->f->mod, p.sym)->align >= 2);
    if (ir_type_bytes(accessed(m->f, in)) > 1 && !even) p.exact = false;
    return p;
}

bool ir_mem_private(const IrMem *m, const IrPlace *p)
{
    if (!p->known) return false;
    return p->sym.i ? !m->globals[p->sym.i - 1] : !m->allocas[p->alloca.i];
}

bool ir_mem_overlap(const IrMem *m, const IrPlace *a, IrType ta, const IrPlace *b, IrType tb)
{
    if (!a->known) return !ir_mem_private(m, b);
    if (!b->known) return !ir_mem_private(m, a);
    if (a->sym.i != b->sym.i || a->alloca.i != b->alloca.i) return false;
    if (!a->exact || !b->exact) return true;
    return a->off < b->off + ir_type_bytes(tb) && b->off < a->off + ir_type_bytes(ta);
}

bool ir_mem_inside(const IrMem *m, const IrPlace *p, IrType t)
{
    if (!p->known || !p->exact || p->off < 0) return false;
    int64_t size = p->sym.i ? (int64_t)ir_global(m->f->mod, p->sym)->size_bytes : ir_ins(m->f, p->alloca)->imm;
    return p->off + ir_type_bytes(t) <= size;
}

IrMemEffect ir_mem_effect(IrFn *f, const IrIns *in)
{
    if (!(ir_ops[in->op].flags & I_EFF)) return MEM_NONE;
    switch (in->op) {
    case IR_STORE: return MEM_STORE;
    case IR_CALL: case IR_CALLR: return MEM_ANY;
    case IR_VOP:                                         /* on registers only: a value like any other */
        for (int k = 0; k < in->nargs; k++)
            if (in->args[k].i && ir_ins(f, in->args[k])->type == T_SLOT) return MEM_SHARED;
        return in->async.on ? MEM_SHARED : MEM_NONE;
    default: return MEM_SHARED;
    }
}
