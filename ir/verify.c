/* The verifier: what every pass and the backend may rely on.  It reads a module with any contents in its fields (handles are
 * checked before they are followed) and reports all it finds.  A function is checked in three steps, each only if the one before
 * found nothing: form (handles, counts, blocks), types and places, then dominance and slots. */
#include "ir.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct { Diags *d; IrModule *m; IrFn *f; int errors; uint32_t *pos; IrBlk *idom, *rpo; Arena *a; } V;

#define BAD(v, name, loc, ...) (DIAG((v)->d, &ir_diag_rows[IRD_##name], (loc), __VA_ARGS__), (v)->errors++)
#define FN(v) d_str(arena_printf((v)->a, "@%s", (v)->f->name))

static DiagArg ref(V *v, IrRef r)
{
    Buf b = {0};
    ir_print_ref(&b, v->f, r);
    char *s = arena_strdup(v->a, b.p);
    buf_free(&b);
    return d_str(s);
}
static DiagArg blk_name(V *v, uint32_t b)
{
    const char *n = v->f->blks[b].name;
    return d_str(n ? n : arena_printf(v->a, "b%u", b));
}
static DiagArg type_name(IrType t) { return d_str(ir_type_name(t)); }

/* ---- step 1: form */
static bool arity_ok(const IrIns *in)
{
    int n = ir_ops[in->op].nargs;
    if (n >= 0) return in->nargs == n;
    switch (in->op) {
    case IR_RET: case IR_ACTIVATE: case IR_BLOCK: case IR_UNBLOCK: case IR_PRINT: return in->nargs <= 1;
    case IR_CALLR: return in->nargs >= 1;
    case IR_VOP: return in->nargs == 4;
    default: return true;
    }
}

static bool blocks_ok(const IrIns *in)
{
    switch (in->op) {
    case IR_BR: return in->nblocks == 1;
    case IR_CONDBR: return in->nblocks == 2;
    case IR_SWITCH: return in->nblocks >= 1 && (in->nblocks == 1 || in->cases);
    case IR_PHI: return in->nblocks == in->nargs;
    default: return in->nblocks == 0;
    }
}

static bool sym_ok(const IrModule *m, IrSym s)
{
    uint32_t i = s.i & 0x7fffffffu;
    return ir_sym_is_fn(s) ? i < (uint32_t)arrlen(m->fns) : i >= 1 && i <= (uint32_t)arrlen(m->globals);
}

static void form_ins(V *v, IrRef r, uint32_t b, bool last)
{
    IrFn *f = v->f;
    if (!r.i || r.i >= (uint32_t)arrlen(f->ins) || f->ins[r.i].op >= IR_NOPS || f->ins[r.i].type >= T_COUNT) {
        BAD(v, v_handle, f->loc, FN(v), blk_name(v, b));
        return;
    }
    IrIns *in = ir_ins(f, r);
    if (in->dead || in->blk.i != b || v->pos[r.i]) BAD(v, v_handle, in->loc, FN(v), ref(v, r));
    v->pos[r.i] = 1;
    if (!arity_ok(in)) BAD(v, v_operands, in->loc, FN(v), ref(v, r), d_int(in->nargs));
    for (int k = 0; k < in->nargs; k++) {
        uint32_t x = in->args[k].i;
        if (x >= (uint32_t)arrlen(f->ins) || (!x && in->op != IR_VOP)) BAD(v, v_handle, in->loc, FN(v), ref(v, r));
        else if (x && (f->ins[x].dead || f->ins[x].op >= IR_NOPS || !f->ins[x].blk.i)) BAD(v, v_handle, in->loc, FN(v), ref(v, r));
    }
    if (!blocks_ok(in)) BAD(v, v_handle, in->loc, FN(v), ref(v, r));
    for (int k = 0; k < in->nblocks; k++) {
        if (!in->blocks[k].i || in->blocks[k].i >= (uint32_t)arrlen(f->blks)) BAD(v, v_handle, in->loc, FN(v), ref(v, r));
        else if (in->blocks[k].i == 1 && in->op != IR_PHI) BAD(v, v_block, in->loc, FN(v), blk_name(v, 1), d_str("is the entry and may not be a target"));
    }
    bool wants_sym = in->op == IR_GADDR || in->op == IR_FADDR || in->op == IR_CALL;
    if (wants_sym && (!sym_ok(v->m, in->sym) || ir_sym_is_fn(in->sym) != (in->op != IR_GADDR))) BAD(v, v_handle, in->loc, FN(v), ref(v, r));
    if (in->op == IR_VOP && in->vop >= IRV_COUNT) BAD(v, v_handle, in->loc, FN(v), ref(v, r));
    if (((ir_ops[in->op].flags & I_TERM) != 0) != last)
        BAD(v, v_block, in->loc, FN(v), blk_name(v, b), d_str(last ? "does not end with a terminator" : "goes on behind its terminator"));
}

static void form(V *v)
{
    IrFn *f = v->f;
    if (arrlen(f->blks) < 2) return;
    v->pos = ws_xmalloc(sizeof *v->pos * (size_t)arrlen(f->ins));
    for (uint32_t b = 1; b < (uint32_t)arrlen(f->blks); b++) {
        ptrdiff_t n = arrlen(f->blks[b].ins);
        if (!n) BAD(v, v_block, f->loc, FN(v), blk_name(v, b), d_str("is empty"));
        for (ptrdiff_t i = 0; i < n; i++) form_ins(v, f->blks[b].ins[i], b, i == n - 1);
    }
    for (uint32_t b = 1; !v->errors && b < (uint32_t)arrlen(f->blks); b++)   /* operands stand somewhere */
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            IrIns *in = ir_ins(f, f->blks[b].ins[i]);
            for (int k = 0; k < in->nargs; k++)
                if (in->args[k].i && !v->pos[in->args[k].i]) BAD(v, v_handle, in->loc, FN(v), ref(v, f->blks[b].ins[i]));
        }
    free(v->pos);
    v->pos = NULL;
}

/* ---- step 2: types and places */
static IrType ty(V *v, IrRef r) { return (IrType)ir_ins(v->f, r)->type; }

static void want(V *v, IrRef r, int k, IrType t)
{
    IrIns *in = ir_ins(v->f, r);
    if (ty(v, in->args[k]) != t) BAD(v, v_type, in->loc, FN(v), ref(v, r), d_int(k), type_name(ty(v, in->args[k])), type_name(t));
}
static void want_text(V *v, IrRef r, int k, bool ok, const char *what)
{
    IrIns *in = ir_ins(v->f, r);
    if (!ok) BAD(v, v_type, in->loc, FN(v), ref(v, r), d_int(k), type_name(ty(v, in->args[k])), d_str(what));
}
static void result(V *v, IrRef r, bool ok, const char *what)
{
    IrIns *in = ir_ins(v->f, r);
    if (!ok) BAD(v, v_result, in->loc, FN(v), ref(v, r), type_name((IrType)in->type), d_str(what));
}
static void range(V *v, IrRef r, const char *what, int64_t x, int64_t lo, int64_t hi)
{
    if (x < lo || x > hi) BAD(v, v_range, ir_ins(v->f, r)->loc, FN(v), d_str(what), ref(v, r), d_int(x));
}
static bool is_value(IrType t) { return t != T_VOID && t != T_SLOT; }
static bool is_addr(IrType t) { return t == T_PTR || t == T_I16; }

static void integer_op(V *v, IrRef r)
{
    IrIns *in = ir_ins(v->f, r);
    IrType t = (IrType)in->type, a = ty(v, in->args[0]), b = ty(v, in->args[1]);
    if (is_addr(t) && is_addr(a) && is_addr(b) && (in->op == IR_ADD || in->op == IR_SUB)) return;   /* pointer arithmetic */
    result(v, r, ir_is_int(t), "an integer");
    want(v, r, 0, t);
    want(v, r, 1, t);
}

static void float_op(V *v, IrRef r)
{
    IrIns *in = ir_ins(v->f, r);
    result(v, r, ir_is_float((IrType)in->type), "a float");
    for (int k = 0; k < in->nargs; k++) want(v, r, k, (IrType)in->type);
}

static void cast(V *v, IrRef r)
{
    IrIns *in = ir_ins(v->f, r);
    IrType t = (IrType)in->type, a = ty(v, in->args[0]);
    int nt = ir_type_bits(t), na = ir_type_bits(a);
    switch (in->op) {
    case IR_TRUNC: case IR_ZEXT: case IR_SEXT:
        result(v, r, ir_is_int(t), "an integer");
        want_text(v, r, 0, ir_is_int(a) && (in->op == IR_TRUNC ? na > nt : na < nt), in->op == IR_TRUNC ? "a wider integer" : "a narrower integer");
        return;
    case IR_FPTOSI: case IR_FPTOUI:
        result(v, r, ir_is_int(t) && t != T_I1, "an integer");
        want_text(v, r, 0, ir_is_float(a), "a float");
        return;
    case IR_SITOFP: case IR_UITOFP:
        result(v, r, ir_is_float(t), "a float");
        want_text(v, r, 0, ir_is_int(a), "an integer");
        return;
    case IR_FPEXT: case IR_FPTRUNC:
        result(v, r, ir_is_float(t), "a float");
        want_text(v, r, 0, ir_is_float(a) && (in->op == IR_FPEXT ? na < nt : na > nt), in->op == IR_FPEXT ? "a narrower float" : "a wider float");
        return;
    default:
        result(v, r, is_value(t), "a value");
        want_text(v, r, 0, is_value(a) && na == nt, "of the same width");
    }
}

static void call(V *v, IrRef r)
{
    IrIns *in = ir_ins(v->f, r);
    IrFn *callee = ir_fn(v->m, in->sym);
    DiagArg name = d_str(arena_printf(v->a, "@%s", callee->name));
    if (callee->kind != FN_PLAIN && callee->kind != FN_MAIN) BAD(v, v_call, in->loc, FN(v), name, d_str("is a task and cannot be called"));
    if (in->nargs != arrlen(callee->params)) {
        BAD(v, v_call, in->loc, FN(v), name, d_str(arena_printf(v->a, "takes %td arguments, not %d", arrlen(callee->params), in->nargs)));
        return;
    }
    for (int k = 0; k < in->nargs; k++) want(v, r, k, callee->params[k]);
    result(v, r, in->type == callee->ret, ir_type_name(callee->ret));
}

static void slot_error(V *v, IrRef r, const char *what) { BAD(v, v_slot, ir_ins(v->f, r)->loc, FN(v), ref(v, r), d_str(what)); }

static bool is_slot_op(V *v, IrRef r, IrOp op) { return r.i && ir_ins(v->f, r)->op == op; }

static bool dot_chain(int vop)
{
    return vop == IRV_DOTS || vop == IRV_DOTAS || vop == IRV_DOTNS || vop == IRV_SUMS || vop == IRV_SUMAS;
}
static bool four_operands(int vop) { return vop == IRV_FMACS || vop == IRV_FMACH || vop == IRV_FMSS; }

static void vop(V *v, IrRef r)
{
    IrIns *in = ir_ins(v->f, r);
    const IrVopRow *row = &ir_vops[in->vop];
    const IrType t[4] = {row->d, row->a, row->b, row->c};
    for (int k = 0; k < 4; k++) {
        IrRef x = in->args[k];
        if (t[k] == T_VOID ? x.i != 0 : !x.i && k != 0) slot_error(v, r, x.i ? "an operand too many" : "an operand is missing");
        else if (x.i && k == 0 && ty(v, x) != T_SLOT) slot_error(v, r, "the destination is a slot or none");
        else if (x.i && ty(v, x) != T_SLOT)
            want_text(v, r, k, is_value(ty(v, x)) && ir_type_bits(ty(v, x)) == ir_type_bits(t[k]), ir_type_name(t[k]));
    }
    if (dot_chain(in->vop) && !is_slot_op(v, in->args[0], IR_DOTSLOT)) slot_error(v, r, "the destination of a chain is a dot slot");
    if (in->vop == IRV_FMSS && is_slot_op(v, in->args[0], IR_DSRSLOT)) slot_error(v, r, "fmss cannot write to a DSR");
    if (is_slot_op(v, in->args[3], IR_DSRSLOT)) slot_error(v, r, "operand c is a value or a dot slot");
    bool ok = in->args[0].i ? in->type == T_VOID : in->type != T_VOID && is_value((IrType)in->type) && ir_type_bits((IrType)in->type) == ir_type_bits(row->d);
    result(v, r, ok, in->args[0].i ? "void" : ir_type_name(row->d));
    range(v, r, "the own count", in->imm, 0, four_operands(in->vop) ? 1 : 63);
    if (!in->async.on) return;
    range(v, r, "ut", in->async.ut, -1, 7);
    range(v, r, "act", in->async.act, -1, 63);
    range(v, r, "unb", in->async.unb, -1, 63);
    range(v, r, "prio", in->async.prio, 0, 3);
    if (!in->args[0].i) slot_error(v, r, "an asynchronous operation has no register result");
}

static void slot_use(V *v, IrRef r)
{
    IrIns *in = ir_ins(v->f, r);
    bool dsr = in->op == IR_DSRLOAD || in->op == IR_DSRLOADV || in->op == IR_DSRBASE || in->op == IR_DSRLEN || in->op == IR_DSRINDEX;
    for (int k = 0; k < in->nargs; k++) {
        if (!in->args[k].i || ty(v, in->args[k]) != T_SLOT) continue;
        IrOp def = ir_ins(v->f, in->args[k])->op;
        if (def != IR_DSRSLOT && def != IR_DOTSLOT) slot_error(v, r, "the slot does not come from dsr.slot or dot.slot");
        if (in->op == IR_VOP) {
            int file = def == IR_DSRSLOT ? pin_file(slot_pin(ir_ins(v->f, in->args[k])->imm)) : -1;
            bool in_place = k == 0 && in->nargs > 1 && in->args[1].i == in->args[0].i;
            if (file >= 0 && file != (in_place ? 1 : k)) slot_error(v, r, "the pinned DSR is of another file");
            continue;
        }
        if (!dsr || k != 0) slot_error(v, r, "a slot is not a value");
        else if (def != IR_DSRSLOT) slot_error(v, r, "a dot register has no descriptor");
    }
    if (dsr) want(v, r, 0, T_SLOT);
}

static void type_ins(V *v, IrRef r, uint32_t b)
{
    IrIns *in = ir_ins(v->f, r);
    IrType t = (IrType)in->type;
    slot_use(v, r);
    switch (in->op) {
    case IR_CONST:
        result(v, r, ir_is_int(t) || t == T_PTR || t == T_DSD, "an integer, ptr or dsd");
        if ((uint64_t)in->imm != ir_mask(t, (uint64_t)in->imm)) range(v, r, "the constant", in->imm, 1, 0);
        return;
    case IR_FCONST:
        result(v, r, ir_is_float(t), "a float");
        if ((uint64_t)in->imm != ir_mask(t, (uint64_t)in->imm)) range(v, r, "the constant", in->imm, 1, 0);
        return;
    case IR_UNDEF: result(v, r, is_value(t), "a value"); return;
    case IR_GADDR: case IR_FADDR: result(v, r, t == T_PTR, "ptr"); return;
    case IR_PARAM:
        if (b != 1) BAD(v, v_entry, in->loc, FN(v), ref(v, r));
        range(v, r, "the number", in->imm, 0, arrlen(v->f->params) - 1);
        if (in->imm >= 0 && in->imm < arrlen(v->f->params)) result(v, r, t == v->f->params[in->imm], ir_type_name(v->f->params[in->imm]));
        return;
    case IR_ALLOCA:
        if (b != 1) BAD(v, v_entry, in->loc, FN(v), ref(v, r));
        range(v, r, "the size", in->imm, 0, 1 << 24);
        result(v, r, t == T_PTR, "ptr");
        return;
    case IR_LOAD: want(v, r, 0, T_PTR); result(v, r, is_value(t), "a value"); return;
    case IR_STORE: want(v, r, 0, T_PTR); want_text(v, r, 1, is_value(ty(v, in->args[1])), "a value"); result(v, r, t == T_VOID, "void"); return;
    case IR_ADD: case IR_SUB: case IR_MUL: case IR_UDIV: case IR_SDIV: case IR_UREM: case IR_SREM:
    case IR_AND: case IR_OR: case IR_XOR: case IR_SHL: case IR_LSHR: case IR_ASHR: integer_op(v, r); return;
    case IR_FADD: case IR_FSUB: case IR_FMUL: case IR_FDIV: case IR_FMAX: case IR_FNEG: case IR_FABS: case IR_FMA: case IR_FMS:
        float_op(v, r);
        return;
    case IR_ICMP: case IR_FCMP: {
        IrType a = ty(v, in->args[0]);
        bool ic = in->op == IR_ICMP;
        want_text(v, r, 0, ic ? ir_is_int(a) || a == T_PTR : ir_is_float(a), ic ? "an integer or ptr" : "a float");
        want(v, r, 1, a);
        range(v, r, "the condition", in->imm, 0, ic ? CMP_ULE : CMP_SLE);
        result(v, r, t == T_I1, "i1");
        return;
    }
    case IR_TRUNC: case IR_ZEXT: case IR_SEXT: case IR_FPTOSI: case IR_FPTOUI: case IR_SITOFP: case IR_UITOFP: case IR_FPEXT:
    case IR_FPTRUNC: case IR_BITCAST: cast(v, r); return;
    case IR_SELECT:
        result(v, r, is_value(t), "a value");
        want(v, r, 0, T_I1);
        want(v, r, 1, t);
        want(v, r, 2, t);
        return;
    case IR_PHI:
        result(v, r, is_value(t), "a value");
        for (int k = 0; k < in->nargs; k++) want(v, r, k, t);
        return;
    case IR_CALL: call(v, r); return;
    case IR_CALLR:
        want(v, r, 0, T_PTR);
        for (int k = 1; k < in->nargs; k++) want_text(v, r, k, is_value(ty(v, in->args[k])), "a value");
        return;
    case IR_CONDBR: want(v, r, 0, T_I1); return;
    case IR_SWITCH: want_text(v, r, 0, ir_is_int(ty(v, in->args[0])), "an integer"); return;
    case IR_RET:
        if (in->nargs != (v->f->ret != T_VOID)) BAD(v, v_operands, in->loc, FN(v), ref(v, r), d_int(in->nargs));
        else if (in->nargs) want(v, r, 0, v->f->ret);
        return;
    case IR_ACTIVATE: case IR_BLOCK: case IR_UNBLOCK:
        if (in->nargs) want_text(v, r, 0, ir_is_int(ty(v, in->args[0])), "an integer");
        else range(v, r, "the task id", in->imm, 0, 63);
        return;
    case IR_TSC: range(v, r, "the word", in->imm, 0, 2); result(v, r, t == T_I16, "i16"); return;
    case IR_VLEFT: result(v, r, t == T_I16, "i16"); return;
    case IR_PRINT: range(v, r, "the kind", in->imm, 0, 255); return;
    case IR_WAITUT: range(v, r, "the mask", in->imm, 0, 255); return;
    case IR_TRAP: range(v, r, "the code", in->imm, 0, 65535); return;
    case IR_SETROUTER: case IR_SETSOCKETS: want(v, r, 0, T_PTR); return;
    case IR_SENDCTRL: range(v, r, "the queue", in->imm, 0, 7); want_text(v, r, 0, ir_type_bits(ty(v, in->args[0])) == 32, "32 bits wide"); return;
    case IR_DSDBASE: case IR_DSDLEN: case IR_DSDOFF: case IR_DSDSTRIDE:
        result(v, r, t == T_DSD, "dsd");
        want(v, r, 0, T_DSD);
        want_text(v, r, 1, ir_type_bits(ty(v, in->args[1])) == 16, "16 bits wide");
        return;
    case IR_DSRSLOT: case IR_DOTSLOT: result(v, r, t == T_SLOT, "slot"); range(v, r, "the pin", in->imm, 0, SLOT_PIN + PIN_XDSR * 9 - 1); return;
    case IR_DSRLOAD: want(v, r, 1, T_PTR); return;
    case IR_DSRLOADV: want(v, r, 1, T_DSD); return;
    case IR_DSRBASE: case IR_DSRLEN: case IR_DSRINDEX: want_text(v, r, 1, ir_type_bits(ty(v, in->args[1])) == 16, "16 bits wide"); return;
    case IR_VOP: vop(v, r); return;
    default: return;
    }
}

static void types_step(V *v)
{
    IrFn *f = v->f;
    for (uint32_t b = 1; b < (uint32_t)arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            IrRef r = f->blks[b].ins[i];
            unsigned fl = ir_ops[ir_ins(f, r)->op].flags;
            if (!(fl & I_RES)) result(v, r, ir_ins(f, r)->type == T_VOID, "void");
            type_ins(v, r, b);
        }
}

/* ---- step 3: dominance, phis, slots */
static bool dominated(V *v, uint32_t a, uint32_t b)
{
    while (b && b != a) b = v->idom[b].i;
    return b == a;
}

static void phi_shape(V *v, IrRef r, uint32_t b, ptrdiff_t at)
{
    IrFn *f = v->f;
    IrIns *in = ir_ins(f, r);
    if (at > 0 && ir_ins(f, f->blks[b].ins[at - 1])->op != IR_PHI) BAD(v, v_phi, in->loc, FN(v), ref(v, r), d_str("stands behind other instructions"));
    IrBlk *preds = f->blks[b].preds;
    bool same = in->nblocks == arrlen(preds);
    for (int k = 0; same && k < in->nblocks; k++) {
        int hits = 0;
        for (ptrdiff_t i = 0; i < arrlen(preds); i++) hits += preds[i].i == in->blocks[k].i;
        for (int j = 0; j < k; j++) hits += in->blocks[j].i == in->blocks[k].i;
        same = hits == 1;
    }
    if (!same) BAD(v, v_phi, in->loc, FN(v), ref(v, r), d_str("does not have one operand for each predecessor"));
    for (int k = 0; k < in->nargs; k++) {
        uint32_t def = ir_ins(f, in->args[k])->blk.i, p = in->blocks[k].i;
        if ((v->idom[p].i || p == 1) && !dominated(v, def, p)) BAD(v, v_dominance, in->loc, FN(v), ref(v, r), ref(v, in->args[k]));
    }
}

static void dominance(V *v)
{
    IrFn *f = v->f;
    v->pos = ws_xmalloc(sizeof *v->pos * (size_t)arrlen(f->ins));
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) v->pos[f->blks[b].ins[i].i] = (uint32_t)i;
    for (ptrdiff_t n = 0; n < arrlen(v->rpo); n++) {
        uint32_t b = v->rpo[n].i;
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            IrRef r = f->blks[b].ins[i];
            IrIns *in = ir_ins(f, r);
            if (in->op == IR_PHI) {
                phi_shape(v, r, b, i);
                continue;
            }
            for (int k = 0; k < in->nargs; k++) {
                uint32_t x = in->args[k].i, def = x ? f->ins[x].blk.i : 0;
                if (x && !(def == b ? v->pos[x] < (uint32_t)i : dominated(v, def, b)))
                    BAD(v, v_dominance, in->loc, FN(v), ref(v, r), ref(v, in->args[k]));
            }
        }
    }
    free(v->pos);
    v->pos = NULL;
}

/* Forward, all ways: which slots are loaded.  A call unloads them all but pinned ones, which always count as loaded. */
typedef struct { V *v; uint32_t *num; int n; uint8_t *in; IrRef *slots; } Slots;

static bool slot_reads(const IrIns *in, int k)
{
    if (in->op == IR_DSRBASE || in->op == IR_DSRLEN || in->op == IR_DSRINDEX) return k == 0;
    if (in->op != IR_VOP) return false;
    return k > 0 || in->vop == IRV_DOTAS || in->vop == IRV_DOTNS || in->vop == IRV_SUMAS;
}

static void slot_flow(Slots *s, uint32_t b, uint8_t *st, bool report)
{
    IrFn *f = s->v->f;
    for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
        IrRef r = f->blks[b].ins[i];
        IrIns *in = ir_ins(f, r);
        if (in->op == IR_CALL || in->op == IR_CALLR)
            for (int k = 0; k < s->n; k++) st[k] &= ir_ins(f, s->slots[k])->imm >= 2;
        if (s->num[r.i]) st[s->num[r.i] - 1] = in->imm >= 2;
        for (int k = 0; report && k < in->nargs; k++) {
            uint32_t n = s->num[in->args[k].i];
            bool dsr_dest = in->op == IR_VOP && k == 0 && n && ir_ins(f, in->args[0])->op == IR_DSRSLOT;
            if (n && !st[n - 1] && (slot_reads(in, k) || dsr_dest))
                BAD(s->v, v_slot_unset, in->loc, FN(s->v), ref(s->v, r), ref(s->v, in->args[k]));
        }
        bool sets = in->op == IR_DSRLOAD || in->op == IR_DSRLOADV || in->op == IR_VOP;
        if (sets && in->nargs && s->num[in->args[0].i]) st[s->num[in->args[0].i] - 1] = 1;
    }
}

static void slots_step(V *v)
{
    IrFn *f = v->f;
    Slots s = {.v = v, .num = ws_xmalloc(sizeof *s.num * (size_t)arrlen(f->ins))};
    for (ptrdiff_t i = 1; i < arrlen(f->ins); i++)
        if (f->ins[i].type == T_SLOT && !f->ins[i].dead) {
            arrput(s.slots, (IrRef){(uint32_t)i});
            s.num[i] = (uint32_t)arrlen(s.slots);
        }
    s.n = (int)arrlen(s.slots);
    size_t n = (size_t)s.n;
    s.in = ws_xmalloc(n * (size_t)arrlen(f->blks));
    uint8_t *st = ws_xmalloc(n);
    memset(s.in, 1, n * (size_t)arrlen(f->blks));
    if (n) memset(s.in + n, 0, n);                       /* entry */
    for (bool changed = n != 0; changed;) {
        changed = false;
        for (ptrdiff_t i = 0; i < arrlen(v->rpo); i++) {
            memcpy(st, s.in + v->rpo[i].i * n, n);
            slot_flow(&s, v->rpo[i].i, st, false);
            IrIns *t = ir_term(f, v->rpo[i]);
            for (int k = 0; k < t->nblocks; k++)
                for (size_t q = 0; q < n; q++) {
                    uint8_t *x = &s.in[t->blocks[k].i * n + q];
                    if (*x > st[q]) *x = st[q], changed = true;
                }
        }
    }
    for (ptrdiff_t i = 0; n && i < arrlen(v->rpo); i++) {
        memcpy(st, s.in + v->rpo[i].i * n, n);
        slot_flow(&s, v->rpo[i].i, st, true);
    }
    free(st);
    free(s.in);
    free(s.num);
    arrfree(s.slots);
}

static void function(V *v)
{
    int before = v->errors;
    if (v->f->decl_only) return;
    v->errors = 0;
    form(v);
    if (!v->errors) {
        if (v->f->kind >= FN_TASK_LOCAL && v->f->ret != T_VOID) BAD(v, v_call, v->f->loc, FN(v), d_str("a task"), d_str("returns nothing"));
        types_step(v);
    }
    if (!v->errors) {
        v->rpo = ir_rpo(v->f);
        v->idom = ir_idom(v->f, v->rpo);
        dominance(v);
        if (!v->errors) slots_step(v);
        arrfree(v->rpo);
        arrfree(v->idom);
        v->rpo = v->idom = NULL;
    }
    v->errors += before;
}

static void globals(V *v)
{
    for (ptrdiff_t i = 0; i < arrlen(v->m->globals); i++) {
        IrGlobal *g = &v->m->globals[i];
        DiagArg name = d_str(arena_printf(v->a, "@%s", g->name));
        if (!g->align || (g->align & (g->align - 1))) BAD(v, v_global, g->loc, name, d_str("the alignment is not a power of two"));
        for (ptrdiff_t k = 0; k < arrlen(g->relocs); k++) {
            if (!sym_ok(v->m, g->relocs[k].sym)) BAD(v, v_global, g->loc, name, d_str("a relocation names something that does not exist"));
            if ((uint64_t)g->relocs[k].off + 2 > g->size_bytes) BAD(v, v_global, g->loc, name, d_str("a relocation is outside"));
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(v->m->boot); i++) {
        IrSym s = v->m->boot[i].fn;
        if (s.i && (!ir_sym_is_fn(s) || !sym_ok(v->m, s))) BAD(v, v_boot, (Loc){0}, d_int(i), d_str("names something that is not a function"));
    }
}

int ir_verify(Diags *d, IrModule *m)
{
    V v = {.d = d, .m = m, .a = arena_new()};
    globals(&v);
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++) {
        v.f = m->fns[i];
        function(&v);
    }
    arena_free(v.a);
    return v.errors;
}
