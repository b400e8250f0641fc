/* The machine's words have 32 bits: values of type i64 become two, the low and the high word.
 * needs: -     breaks: numbers of parameters     keeps: cfg, ssa, the order of effects
 * A function takes such a parameter as two; it returns the low word, and leaves the high one in a global that its caller reads at
 * once (tasks run to completion, so nobody comes between).  Division and conversion to and from floating point are not
 * split (the frontend calls <int64> for them): a module with one is left as it is, and the backend says so. */
#include "ir/ir.h"
#include <stdlib.h>

typedef struct { IrRef lo, hi; } Pair;
typedef struct {
    IrModule *m;
    IrFn *f;
    Pair *half;                                          /* stb_ds, by instruction: of a split value */
    IrRef *map;                                          /* stb_ds, by instruction: what an i1 or i32 result is now */
    IrRef at;                                            /* new instructions stand in front of it */
    IrSym *high;                                         /* the global, made when it is needed */
    Loc loc;
} Sp;

static IrType type_of(const IrFn *f, IrRef r) { return r.i ? (IrType)f->ins[r.i].type : T_VOID; }
static bool is64(const Sp *s, IrRef r) { return type_of(s->f, r) == T_I64; }

static bool uses64(IrFn *f, const IrIns *in)
{
    if (in->type == T_I64) return true;
    for (int k = 0; k < in->nargs; k++)
        if (type_of(f, in->args[k]) == T_I64) return true;
    return false;
}

static bool can_split(const IrIns *in)
{
    switch (in->op) {
    case IR_CONST: case IR_UNDEF: case IR_PARAM: case IR_LOAD: case IR_STORE: case IR_ADD: case IR_SUB: case IR_MUL: case IR_AND: case IR_OR: case IR_XOR:
    case IR_SHL: case IR_LSHR: case IR_ASHR: case IR_ICMP: case IR_TRUNC: case IR_ZEXT: case IR_SEXT: case IR_SELECT: case IR_PHI: case IR_CALL: case IR_CALLR:
    case IR_SWITCH: case IR_RET: return true;
    default: return false;
    }
}

/* ---- new instructions */
static IrRef num(Sp *s, int64_t v)
{
    IrRef r = ir_insert_before(s->f, s->at, IR_CONST, T_I32, 0, NULL, s->loc);
    ir_ins(s->f, r)->imm = (int64_t)(uint32_t)v;
    return r;
}
static IrRef un(Sp *s, IrOp op, IrType t, IrRef x) { return ir_insert_before(s->f, s->at, op, t, 1, &x, s->loc); }
static IrRef bin(Sp *s, IrOp op, IrRef x, IrRef y) { return ir_insert_before(s->f, s->at, op, T_I32, 2, (IrRef[]){x, y}, s->loc); }
static IrRef cmp(Sp *s, IrCmp c, IrRef x, IrRef y)
{
    IrRef r = ir_insert_before(s->f, s->at, IR_ICMP, T_I1, 2, (IrRef[]){x, y}, s->loc);
    ir_ins(s->f, r)->imm = c;
    return r;
}
static IrRef choose(Sp *s, IrType t, IrRef c, IrRef x, IrRef y) { return ir_insert_before(s->f, s->at, IR_SELECT, t, 3, (IrRef[]){c, x, y}, s->loc); }
static Pair half(const Sp *s, IrRef r) { return s->half[r.i]; }

static IrSym high_word(Sp *s)
{
    if (!s->high->i) *s->high = ir_global_new(s->m, ".high", 4, 4);
    return *s->high;
}

/* ---- arithmetic */
static Pair mul(Sp *s, Pair a, Pair b)
{
    /* the low words in halves of 16 bits */
    IrRef m16 = num(s, 0xffff), k16 = num(s, 16);
    IrRef a0 = bin(s, IR_AND, a.lo, m16), a1 = bin(s, IR_LSHR, a.lo, k16), b0 = bin(s, IR_AND, b.lo, m16), b1 = bin(s, IR_LSHR, b.lo, k16);
    IrRef low = bin(s, IR_MUL, a0, b0), x = bin(s, IR_MUL, a0, b1), y = bin(s, IR_MUL, a1, b0), top = bin(s, IR_MUL, a1, b1);
    IrRef mid = bin(s, IR_ADD, bin(s, IR_LSHR, low, k16), bin(s, IR_ADD, bin(s, IR_AND, x, m16), bin(s, IR_AND, y, m16)));
    IrRef hi = bin(s, IR_ADD, bin(s, IR_ADD, top, bin(s, IR_LSHR, mid, k16)), bin(s, IR_ADD, bin(s, IR_LSHR, x, k16), bin(s, IR_LSHR, y, k16)));
    hi = bin(s, IR_ADD, hi, bin(s, IR_ADD, bin(s, IR_MUL, a.lo, b.hi), bin(s, IR_MUL, a.hi, b.lo)));
    return (Pair){bin(s, IR_OR, bin(s, IR_AND, low, m16), bin(s, IR_SHL, mid, k16)), hi};
}

/* A shift of a word by 32 or more gives 0 (ASHR: the sign), so the parts of either case can be joined. */
static Pair shift(Sp *s, IrOp op, Pair a, Pair count)
{
    IrRef k32 = num(s, 32), n = choose(s, T_I32, cmp(s, CMP_EQ, count.hi, num(s, 0)), count.lo, num(s, 64));
    IrRef back = bin(s, IR_SUB, k32, n), over = bin(s, IR_SUB, n, k32);
    if (op == IR_SHL) {
        IrRef hi = bin(s, IR_OR, bin(s, IR_SHL, a.hi, n), bin(s, IR_OR, bin(s, IR_LSHR, a.lo, back), bin(s, IR_SHL, a.lo, over)));
        return (Pair){bin(s, IR_SHL, a.lo, n), hi};
    }
    IrRef lo = bin(s, IR_OR, bin(s, IR_LSHR, a.lo, n), bin(s, IR_SHL, a.hi, back));
    if (op == IR_LSHR) return (Pair){bin(s, IR_OR, lo, bin(s, IR_LSHR, a.hi, over)), bin(s, IR_LSHR, a.hi, n)};
    return (Pair){choose(s, T_I32, cmp(s, CMP_ULT, n, k32), lo, bin(s, IR_ASHR, a.hi, over)), bin(s, IR_ASHR, a.hi, n)};
}

static Pair arith(Sp *s, IrOp op, Pair a, Pair b)
{
    IrRef lo, c;
    switch (op) {
    case IR_ADD:
        lo = bin(s, IR_ADD, a.lo, b.lo);
        c = un(s, IR_ZEXT, T_I32, cmp(s, CMP_ULT, lo, a.lo));
        return (Pair){lo, bin(s, IR_ADD, bin(s, IR_ADD, a.hi, b.hi), c)};
    case IR_SUB:
        c = un(s, IR_ZEXT, T_I32, cmp(s, CMP_ULT, a.lo, b.lo));
        return (Pair){bin(s, IR_SUB, a.lo, b.lo), bin(s, IR_SUB, bin(s, IR_SUB, a.hi, b.hi), c)};
    case IR_MUL: return mul(s, a, b);
    case IR_SHL: case IR_LSHR: case IR_ASHR: return shift(s, op, a, b);
    default: return (Pair){bin(s, op, a.lo, b.lo), bin(s, op, a.hi, b.hi)};
    }
}

static IrRef compare(Sp *s, IrCmp c, Pair a, Pair b)
{
    IrRef same;
    if (c == CMP_EQ || c == CMP_NE) {
        IrRef z = bin(s, IR_OR, bin(s, IR_XOR, a.lo, b.lo), bin(s, IR_XOR, a.hi, b.hi));
        return cmp(s, c, z, num(s, 0));
    }
    same = cmp(s, CMP_EQ, a.hi, b.hi);
    return choose(s, T_I1, same, cmp(s, c == CMP_SLT || c == CMP_ULT ? CMP_ULT : CMP_ULE, a.lo, b.lo),
                  cmp(s, c == CMP_SLT || c == CMP_SLE ? CMP_SLT : CMP_ULT, a.hi, b.hi));
}

static Pair widen(Sp *s, IrRef x, bool sign)
{
    IrRef lo = type_of(s->f, x) == T_I32 ? x : un(s, sign ? IR_SEXT : IR_ZEXT, T_I32, x);
    return (Pair){lo, sign ? bin(s, IR_ASHR, lo, num(s, 31)) : num(s, 0)};
}

/* ---- memory and calls */
static IrRef load(Sp *s, IrRef p, int64_t off)
{
    IrRef r = un(s, IR_LOAD, T_I32, p);
    ir_ins(s->f, r)->imm = off;
    return r;
}
static void store(Sp *s, IrRef p, int64_t off, IrRef v)
{
    IrRef r = ir_insert_before(s->f, s->at, IR_STORE, T_VOID, 2, (IrRef[]){p, v}, s->loc);
    ir_ins(s->f, r)->imm = off;
}
static IrRef high_addr(Sp *s)
{
    IrRef r = ir_insert_before(s->f, s->at, IR_GADDR, T_PTR, 0, NULL, s->loc);
    ir_ins(s->f, r)->sym = high_word(s);
    return r;
}

/* The arguments with those of 64 bits as two; a result of 64 bits is a new call. */
static void call(Sp *s, IrRef r)
{
    IrRef *args = NULL;
    for (int k = 0; k < ir_ins(s->f, r)->nargs; k++) {
        IrRef x = ir_ins(s->f, r)->args[k];
        arrput(args, is64(s, x) ? half(s, x).lo : x);
        if (is64(s, x)) arrput(args, half(s, x).hi);
    }
    if (is64(s, r)) {
        IrRef c = ir_insert_before(s->f, r, (IrOp)ir_ins(s->f, r)->op, T_I32, (int)arrlen(args), args, s->loc);
        ir_ins(s->f, c)->sym = ir_ins(s->f, r)->sym;
        s->half[r.i] = (Pair){c, load(s, high_addr(s), 0)};
    } else ir_set_args(s->f, r, (int)arrlen(args), args);
    arrfree(args);
}

/* on the number of the case instead */
static void number_cases(Sp *s, IrRef r, Pair x)
{
    const int n = ir_ins(s->f, r)->nblocks - 1;
    IrRef k = num(s, n);
    for (int i = n; i-- > 0;) {
        const int64_t v = ir_ins(s->f, r)->cases[i];
        const Pair c = {num(s, v), num(s, (int64_t)((uint64_t)v >> 32))};
        k = choose(s, T_I32, compare(s, CMP_EQ, x, c), num(s, i), k);
        ir_ins(s->f, r)->cases[i] = i;
    }
    ir_set_args(s->f, r, 1, &k);
}

static void split(Sp *s, IrRef r)
{
    IrIns in = *ir_ins(s->f, r);
    Pair a = in.nargs > 0 && is64(s, in.args[0]) ? half(s, in.args[0]) : (Pair){0}, b = in.nargs > 1 && is64(s, in.args[1]) ? half(s, in.args[1]) : (Pair){0};
    Pair p;
    s->at = r;
    s->loc = in.loc;
    switch (in.op) {
    case IR_CONST: p = (Pair){num(s, in.imm), num(s, (int64_t)((uint64_t)in.imm >> 32))}; break;
    case IR_UNDEF: p.lo = ir_insert_before(s->f, r, IR_UNDEF, T_I32, 0, NULL, in.loc), p.hi = ir_insert_before(s->f, r, IR_UNDEF, T_I32, 0, NULL, in.loc); break;
    case IR_PARAM:
        p.lo = ir_insert_before(s->f, r, IR_PARAM, T_I32, 0, NULL, in.loc), p.hi = ir_insert_before(s->f, r, IR_PARAM, T_I32, 0, NULL, in.loc);
        ir_ins(s->f, p.lo)->imm = in.imm, ir_ins(s->f, p.hi)->imm = in.imm + 1;
        break;
    case IR_LOAD: p.lo = load(s, in.args[0], in.imm), p.hi = load(s, in.args[0], in.imm + 4); break;
    case IR_STORE: store(s, in.args[0], in.imm, b.lo), store(s, in.args[0], in.imm + 4, b.hi); return;
    case IR_ICMP: s->map[r.i] = compare(s, (IrCmp)in.imm, a, b); return;
    case IR_TRUNC: s->map[r.i] = in.type == T_I32 ? a.lo : un(s, IR_TRUNC, (IrType)in.type, a.lo); return;
    case IR_ZEXT: case IR_SEXT: p = widen(s, in.args[0], in.op == IR_SEXT); break;
    case IR_SELECT: {
        Pair c = half(s, in.args[2]);
        p = (Pair){choose(s, T_I32, in.args[0], b.lo, c.lo), choose(s, T_I32, in.args[0], b.hi, c.hi)};
        break;
    }
    case IR_CALL: case IR_CALLR: call(s, r); return;
    case IR_SWITCH: number_cases(s, r, a); return;
    case IR_RET:
        store(s, high_addr(s), 0, a.hi);
        ir_set_args(s->f, r, 1, &a.lo);
        return;
    default: p = arith(s, (IrOp)in.op, a, b);
    }
    s->half[r.i] = p;
}

/* Room for what is made in between: half and map grow with the function. */
static void grow(Sp *s)
{
    while (arrlen(s->half) < arrlen(s->f->ins)) arrput(s->half, (Pair){0});
    while (arrlen(s->map) < arrlen(s->f->ins)) arrput(s->map, IR_NONE);
}

static bool ends(const IrIns *in) { return in->op == IR_STORE || in->op == IR_ICMP || in->op == IR_TRUNC || in->type == T_I64; }

/* phis first, without operands, so that every use finds its halves; then all else in an order in which definitions come first */
static void phis(Sp *s, bool fill)
{
    for (ptrdiff_t b = 1; b < arrlen(s->f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(s->f->blks[b].ins); i++) {
            IrRef r = s->f->blks[b].ins[i];
            IrIns in = *ir_ins(s->f, r);
            if (in.op != IR_PHI || in.type != T_I64) continue;
            if (!fill) {
                Pair p = {ir_insert_before(s->f, r, IR_PHI, T_I32, 0, NULL, in.loc), ir_insert_before(s->f, r, IR_PHI, T_I32, 0, NULL, in.loc)};
                grow(s);
                s->half[r.i] = p;
                i += 2;
                continue;
            }
            for (int k = 0; k < in.nargs; k++) {
                ir_phi_add(s->f, half(s, r).lo, in.blocks[k], half(s, in.args[k]).lo);
                ir_phi_add(s->f, half(s, r).hi, in.blocks[k], half(s, in.args[k]).hi);
            }
            ir_ins(s->f, r)->dead = true;
        }
}

/* parameters behind one of 64 bits have a higher number now */
static void params(IrFn *f)
{
    int *first = NULL, n = 0;
    IrType *types = NULL;
    for (ptrdiff_t k = 0; k < arrlen(f->params); k++) {
        arrput(first, n);
        arrput(types, f->params[k] == T_I64 ? T_I32 : f->params[k]);
        if (f->params[k] == T_I64) arrput(types, T_I32);
        n = (int)arrlen(types);
    }
    for (ptrdiff_t i = 1; i < arrlen(f->ins); i++)
        if (f->ins[i].op == IR_PARAM && !f->ins[i].dead && f->ins[i].imm < arrlen(first)) f->ins[i].imm = first[f->ins[i].imm];
    arrfree(f->params);
    f->params = types;
    arrfree(first);
}

static void split_fn(Sp *s)
{
    params(s->f);
    ir_cfg(s->f);
    IrBlk *rpo = ir_rpo(s->f);
    grow(s);
    phis(s, false);
    for (ptrdiff_t k = 0; k < arrlen(rpo); k++) {
        IrRef *old = NULL;                               /* the block's list grows */
        const IrBlock *b = &s->f->blks[rpo[k].i];
        for (ptrdiff_t i = 0; i < arrlen(b->ins); i++) arrput(old, b->ins[i]);
        for (ptrdiff_t i = 0; i < arrlen(old); i++) {
            IrIns *in = ir_ins(s->f, old[i]);
            if (in->op == IR_PHI || !uses64(s->f, in)) continue;
            split(s, old[i]);
            grow(s);
            if (ends(ir_ins(s->f, old[i]))) ir_ins(s->f, old[i])->dead = true;
        }
        arrfree(old);
    }
    phis(s, true);
    arrfree(rpo);
    ir_apply(s->f, s->map);
    ir_sweep(s->f);
    if (s->f->ret == T_I64) s->f->ret = T_I32;
}

static bool any64(IrFn *f, bool *can)
{
    bool any = f->ret == T_I64;
    for (ptrdiff_t k = 0; k < arrlen(f->params); k++) any |= f->params[k] == T_I64;
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            const IrIns *in = ir_ins(f, f->blks[b].ins[i]);
            if (!uses64(f, in)) continue;
            any = true;
            *can &= can_split(in);
        }
    return any;
}

void pass_split64(IrModule *m)
{
    bool any = false, can = true;
    IrSym high = {0};
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++) any |= any64(m->fns[i], &can);
    if (!any || !can) return;
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++) {
        bool yes = true;
        if (!any64(m->fns[i], &yes)) continue;
        Sp s = {.m = m, .f = m->fns[i], .high = &high};
        if (s.f->decl_only) params(s.f);
        else split_fn(&s);
        arrfree(s.half);
        arrfree(s.map);
    }
}
