/* Simplify: constants folded as the machine computes them, algebra, strength reduction, casts, addresses, phis, branches on
 * constants, and common expressions of a block; loads of a block from what is known to be there.
 * needs: -     breaks: block numbers, predecessors     keeps: ssa, the order of effects, every bit of floating-point results
 * Each block's list is built anew, one instruction at a time: it is left alone, changed in place, or replaced by an older value
 * through `map`; what it needs besides is appended before it.  Rounds repeat until nothing changes.
 * No float rule assumes that NaN does not occur or that x * 1 keeps a NaN's bits. */
#include "ir/ir.h"
#include <stdlib.h>
#include <string.h>

typedef struct { IrKey key; IrRef value; } Seen;
typedef struct { IrRef alloca; IrSym sym; int64_t off; IrType type; IrRef value; } Cell;   /* a known place in memory */
typedef struct { IrFn *f; IrBlk b; IrRef *map; Seen *seen; Cell *cells; bool changed; } S;

enum { MAX_ROUNDS = 12, NEAR = 8000 /* offset that a load's immediate holds with room to spare */ };

/* ---- looking */
static IrIns *at(S *s, IrRef r) { return ir_ins(s->f, r); }
static IrType type_of(S *s, IrRef r) { return (IrType)at(s, r)->type; }
static IrRef follow(S *s, IrRef r)
{
    while (r.i < (uint32_t)arrlen(s->map) && s->map[r.i].i) r = s->map[r.i];
    return r;
}
static bool is_const(S *s, IrRef r, uint64_t *v)
{
    if (at(s, r)->op != IR_CONST) return false;
    *v = (uint64_t)at(s, r)->imm;
    return true;
}
static bool is_value(S *s, IrRef r, int64_t want)
{
    uint64_t v;
    return is_const(s, r, &v) && v == ir_mask(type_of(s, r), (uint64_t)want);
}
static bool is_op(S *s, IrRef r, IrOp op) { return at(s, r)->op == op; }
static IrRef arg(S *s, IrRef r, int k) { return follow(s, at(s, r)->args[k]); }
static int log2_of(uint64_t v)
{
    return v && !(v & (v - 1)) ? __builtin_ctzll(v) : -1;
}
/* x = y ^ 1 of type i1 */
static bool is_not(S *s, IrRef x, IrRef *y)
{
    if (!is_op(s, x, IR_XOR) || type_of(s, x) != T_I1 || !is_value(s, arg(s, x, 1), 1)) return false;
    *y = arg(s, x, 0);
    return true;
}

/* ---- changing */
static IrRef to_const(S *s, IrRef r, uint64_t v)
{
    IrIns *in = at(s, r);
    in->op = ir_is_float((IrType)in->type) ? IR_FCONST : IR_CONST;
    in->imm = (int64_t)ir_mask((IrType)in->type, v);
    in->nargs = 0;
    s->changed = true;
    return r;
}
static IrRef to(S *s, IrRef r, IrOp op, int n, IrRef x, IrRef y)
{
    IrIns *in = at(s, r);
    in->op = (uint8_t)op;
    in->nargs = (uint16_t)n;
    if (n > 0) in->args[0] = x;
    if (n > 1) in->args[1] = y;
    s->changed = true;
    return r;
}
static IrRef number(S *s, IrRef near, IrType t, uint64_t v) { return ir_const(s->f, s->b, t, (int64_t)v, at(s, near)->loc); }
static IrRef emit(S *s, IrRef near, IrOp op, IrType t, IrRef x, IrRef y)
{
    return ir_append(s->f, s->b, op, t, 2, (IrRef[]){x, y}, at(s, near)->loc);
}
static IrRef instead(S *s, IrRef x)
{
    s->changed = true;
    return x;
}

/* ---- constants */
static bool fold(S *s, IrRef r)
{
    IrIns *in = at(s, r);
    IrType from[3];
    uint64_t v[3], out;
    unsigned fl = ir_ops[in->op].flags;
    if (!(fl & I_RES) || (fl & (I_EFF | I_READ)) || in->op == IR_PHI || in->nargs < 1 || in->nargs > 3) return false;
    for (int k = 0; k < in->nargs; k++) {
        IrIns *a = at(s, in->args[k]);
        if (a->op != IR_CONST && a->op != IR_FCONST) return false;
        from[k] = (IrType)a->type;
        v[k] = (uint64_t)a->imm;
    }
    if (!ir_eval((IrOp)in->op, (IrType)in->type, in->imm, in->nargs, from, v, &out)) return false;
    to_const(s, r, out);
    return true;
}

/* ---- integers */
static bool constant_right(S *s, IrRef r)
{
    IrIns *in = at(s, r);
    bool left = at(s, in->args[0])->op == IR_CONST && at(s, in->args[1])->op != IR_CONST;
    if (left && (ir_ops[in->op].flags & I_COMM)) {
        IrRef x = in->args[0];
        in->args[0] = in->args[1];
        in->args[1] = x;
        s->changed = true;
    }
    return at(s, in->args[1])->op == IR_CONST;
}

/* (x op c1) op c2 -> x op (c1 op c2) */
static bool reassociate(S *s, IrRef r, uint64_t c)
{
    IrIns *in = at(s, r);
    IrRef x = in->args[0];
    uint64_t c1;
    if (at(s, x)->op != in->op || type_of(s, x) != in->type || !is_const(s, arg(s, x, 1), &c1)) return false;
    IrType t = (IrType)in->type, ct = type_of(s, in->args[1]);
    IrRef y = arg(s, x, 0);
    uint64_t sum;
    switch (in->op) {
    case IR_ADD: sum = c + c1; break;
    case IR_MUL: sum = c * c1; break;
    case IR_AND: sum = c & c1; break;
    case IR_OR: sum = c | c1; break;
    case IR_XOR: sum = c ^ c1; break;
    case IR_SHL: case IR_LSHR: case IR_ASHR: {
        uint64_t bits = (uint64_t)ir_type_bits(t);
        if (c >= bits || c1 >= bits) return false;
        sum = c + c1;
        if (sum >= bits && in->op != IR_ASHR) {
            to_const(s, r, 0);
            return true;
        }
        if (sum >= bits) sum = bits - 1;
        break;
    }
    default: return false;
    }
    IrRef k = number(s, r, ct, sum);
    to(s, r, (IrOp)at(s, r)->op, 2, y, k);
    return true;
}

/* x / 2^k and x rem 2^k, signed: a negative x is first moved up by 2^k - 1 */
static IrRef signed_power(S *s, IrRef r, int k)
{
    IrType t = type_of(s, r);
    IrRef x = at(s, r)->args[0];
    int bits = ir_type_bits(t);
    IrRef sign = emit(s, r, IR_ASHR, t, x, number(s, r, t, (uint64_t)bits - 1));
    IrRef up = emit(s, r, IR_ADD, t, x, emit(s, r, IR_LSHR, t, sign, number(s, r, t, (uint64_t)(bits - k))));
    if (at(s, r)->op == IR_SDIV) return to(s, r, IR_ASHR, 2, up, number(s, r, t, (uint64_t)k));
    return to(s, r, IR_SUB, 2, x, emit(s, r, IR_AND, t, up, number(s, r, t, ~(((uint64_t)1 << k) - 1))));
}

static IrRef with_constant(S *s, IrRef r, uint64_t c)
{
    IrIns *in = at(s, r);
    IrRef x = in->args[0];
    IrType t = (IrType)in->type, tx = type_of(s, x);
    int bits = ir_type_bits(t), k = log2_of(c);
    bool same = t == tx, ones = c == ir_mask(t, UINT64_MAX);
    switch (in->op) {
    case IR_ADD:
        if (c == 0 && same) return instead(s, x);
        if (is_op(s, x, IR_GADDR) && t == T_PTR) {
            IrIns *g = at(s, x);
            in->sym = g->sym;
            in->imm = g->imm + ir_signed(T_I16, c);
            return to(s, r, IR_GADDR, 0, IR_NONE, IR_NONE);
        }
        break;
    case IR_SUB: {
        if (c == 0 && same) return instead(s, x);
        IrType ct = type_of(s, in->args[1]);
        return to(s, r, IR_ADD, 2, x, number(s, r, ct == T_PTR ? T_I16 : ct, 0 - c));
    }
    case IR_MUL:
        if (c == 0) return to_const(s, r, 0);
        if (c == 1) return instead(s, x);
        if (k > 0) return to(s, r, IR_SHL, 2, x, number(s, r, t, (uint64_t)k));
        break;
    case IR_UDIV:
        if (k == 0) return instead(s, x);
        if (k > 0) return to(s, r, IR_LSHR, 2, x, number(s, r, t, (uint64_t)k));
        return r;
    case IR_UREM:
        if (k == 0) return to_const(s, r, 0);
        if (k > 0) return to(s, r, IR_AND, 2, x, number(s, r, t, c - 1));
        return r;
    case IR_SDIV: case IR_SREM:
        if (bits < 8) return r;
        if (k == 0) return at(s, r)->op == IR_SDIV ? instead(s, x) : to_const(s, r, 0);
        return k > 0 && k < bits - 1 ? signed_power(s, r, k) : r;
    case IR_AND:
        if (c == 0) return to_const(s, r, 0);
        if (ones) return instead(s, x);
        if (is_op(s, x, IR_ZEXT)) {
            uint64_t m = ir_mask(type_of(s, arg(s, x, 0)), UINT64_MAX);
            if ((c & m) == m) return instead(s, x);
        }
        break;
    case IR_OR:
        if (c == 0) return instead(s, x);
        if (ones) return to_const(s, r, c);
        break;
    case IR_XOR:
        if (c == 0) return instead(s, x);
        if (t == T_I1 && is_op(s, x, IR_ICMP)) {         /* c is 1: the comparison the other way round */
            IrIns *cmp = at(s, x);
            IrRef a = arg(s, x, 0), b = arg(s, x, 1);
            static const IrCmp not[] = {CMP_NE, CMP_EQ, CMP_SLE, CMP_SLT, CMP_ULE, CMP_ULT};
            in->imm = not[cmp->imm];
            return cmp->imm <= CMP_NE ? to(s, r, IR_ICMP, 2, a, b) : to(s, r, IR_ICMP, 2, b, a);
        }
        if (t == T_I1 && is_op(s, x, IR_FCMP) && at(s, x)->imm <= CMP_NE) {
            in->imm = at(s, x)->imm ^ 1;
            return to(s, r, IR_FCMP, 2, arg(s, x, 0), arg(s, x, 1));
        }
        break;
    default:                                             /* shifts */
        if (c == 0) return instead(s, x);
        if (c >= (uint64_t)bits && in->op != IR_ASHR) return to_const(s, r, 0);
        if (c >= (uint64_t)bits) return to(s, r, IR_ASHR, 2, x, number(s, r, t, (uint64_t)bits - 1));
    }
    reassociate(s, r, c);
    return r;
}

static IrRef integer(S *s, IrRef r)
{
    uint64_t c;
    if (constant_right(s, r)) {
        is_const(s, at(s, r)->args[1], &c);
        return with_constant(s, r, c);
    }
    IrIns *in = at(s, r);
    IrRef x = in->args[0], y = in->args[1];
    bool equal = x.i == y.i && type_of(s, x) == in->type;
    switch (in->op) {
    case IR_SUB: case IR_XOR: return x.i == y.i ? to_const(s, r, 0) : r;
    case IR_AND: case IR_OR: return equal ? instead(s, x) : r;
    case IR_SHL: case IR_LSHR: return is_value(s, x, 0) ? to_const(s, r, 0) : r;
    default: return r;
    }
}

/* ---- comparisons: constants right, strict where possible, as narrow as the operands */
static bool fits(IrType t, bool sign, IrType wide, uint64_t c)
{
    return sign ? ir_signed(t, c) == ir_signed(wide, c) : ir_mask(t, c) == c;
}

static bool narrow(S *s, IrRef r)
{
    IrIns *in = at(s, r);
    IrRef x = in->args[0], y = in->args[1];
    IrOp ext = (IrOp)at(s, x)->op;
    if (ext != IR_ZEXT && ext != IR_SEXT) return false;
    IrRef nx = arg(s, x, 0), ny;
    IrType t = type_of(s, nx), wide = type_of(s, x);
    uint64_t c;
    if (t == T_I1) return false;
    if (at(s, y)->op == ext && type_of(s, arg(s, y, 0)) == t) ny = arg(s, y, 0);
    else if (is_const(s, y, &c) && fits(t, ext == IR_SEXT, wide, c)) ny = number(s, r, t, c);
    else return false;
    in = at(s, r);
    if (ext == IR_ZEXT && in->imm == CMP_SLT) in->imm = CMP_ULT;
    if (ext == IR_ZEXT && in->imm == CMP_SLE) in->imm = CMP_ULE;
    to(s, r, IR_ICMP, 2, nx, ny);
    return true;
}

static IrRef compare_constant(S *s, IrRef r, uint64_t c)
{
    IrIns *in = at(s, r);
    IrRef x = in->args[0];
    IrType t = type_of(s, x);
    uint64_t max = ir_mask(t, UINT64_MAX), smax = max >> 1, c1;
    bool eq = in->imm == CMP_EQ, ne = in->imm == CMP_NE;
    if (in->imm == CMP_ULT && c == 0) return to_const(s, r, 0);
    if (in->imm == CMP_ULE && c == max) return to_const(s, r, 1);
    if (in->imm == CMP_SLE && c == smax) return to_const(s, r, 1);
    if (in->imm == CMP_SLT && c == smax + 1) return to_const(s, r, 0);
    if (in->imm == CMP_ULE || in->imm == CMP_SLE) {
        IrCmp strict = in->imm == CMP_ULE ? CMP_ULT : CMP_SLT;
        IrRef k = number(s, r, t, c + 1);
        at(s, r)->imm = strict;
        return to(s, r, IR_ICMP, 2, x, k);
    }
    if (in->imm == CMP_ULT && c == 1) {
        IrRef k = number(s, r, t, 0);
        at(s, r)->imm = CMP_EQ;
        return to(s, r, IR_ICMP, 2, x, k);
    }
    if (!eq && !ne) return r;
    bool is_i1 = t == T_I1, ext_i1 = is_op(s, x, IR_ZEXT) && type_of(s, arg(s, x, 0)) == T_I1;
    if (is_i1 || (ext_i1 && c <= 1)) {                   /* b == 0, b != 0, ... */
        IrRef b = is_i1 ? x : arg(s, x, 0);
        if (eq == (c != 0)) return instead(s, b);
        return to(s, r, IR_XOR, 2, b, number(s, r, T_I1, 1));
    }
    if (is_op(s, x, IR_ADD) && is_const(s, arg(s, x, 1), &c1) && type_of(s, arg(s, x, 0)) == t) {
        IrRef k = number(s, r, t, c - c1);
        return to(s, r, IR_ICMP, 2, arg(s, x, 0), k);
    }
    if (is_op(s, x, IR_XOR) && is_const(s, arg(s, x, 1), &c1)) {
        IrRef k = number(s, r, t, c ^ c1);
        return to(s, r, IR_ICMP, 2, arg(s, x, 0), k);
    }
    return r;
}

static IrRef icmp(S *s, IrRef r)
{
    IrIns *in = at(s, r);
    if (in->args[0].i == in->args[1].i) return to_const(s, r, in->imm == CMP_EQ || in->imm == CMP_SLE || in->imm == CMP_ULE);
    bool left = at(s, in->args[0])->op == IR_CONST && at(s, in->args[1])->op != IR_CONST;
    if (left && in->imm <= CMP_NE) return to(s, r, IR_ICMP, 2, in->args[1], in->args[0]);
    if (narrow(s, r)) return r;
    uint64_t c;
    return is_const(s, at(s, r)->args[1], &c) ? compare_constant(s, r, c) : r;
}

static IrRef select_of(S *s, IrRef r)
{
    IrIns *in = at(s, r);
    IrRef c = in->args[0], x = in->args[1], y = in->args[2], b;
    uint64_t v;
    if (is_const(s, c, &v)) return instead(s, v ? x : y);
    if (x.i == y.i) return instead(s, x);
    IrIns *ix = at(s, x), *iy = at(s, y);
    if ((ix->op == IR_CONST || ix->op == IR_FCONST) && ix->op == iy->op && ix->imm == iy->imm) return instead(s, x);
    if (in->type == T_I1 && is_value(s, x, 1) && is_value(s, y, 0)) return instead(s, c);
    if (in->type == T_I1 && is_value(s, x, 0) && is_value(s, y, 1)) return to(s, r, IR_XOR, 2, c, y);
    if (is_not(s, c, &b)) {
        in->args[0] = b;
        in->args[1] = y;
        in->args[2] = x;
        s->changed = true;
    }
    return r;
}

/* ---- casts and addresses */
static IrRef cast(S *s, IrRef r)
{
    IrIns *in = at(s, r);
    IrRef x = in->args[0];
    IrOp xo = (IrOp)at(s, x)->op;
    if (xo != IR_ZEXT && xo != IR_SEXT && xo != IR_TRUNC) return r;
    IrRef y = arg(s, x, 0);
    int bits = ir_type_bits((IrType)in->type), inner = ir_type_bits(type_of(s, y));
    if (in->op != IR_TRUNC) {
        if (xo == IR_TRUNC || (in->op == IR_ZEXT && xo == IR_SEXT)) return r;
        return to(s, r, xo, 1, y, IR_NONE);              /* sext of zext is zext */
    }
    if (xo == IR_TRUNC || inner > bits) return to(s, r, IR_TRUNC, 1, y, IR_NONE);
    if (inner == bits) return instead(s, y);
    return to(s, r, xo, 1, y, IR_NONE);
}

static IrRef bitcast(S *s, IrRef r)
{
    IrIns *in = at(s, r);
    IrRef x = in->args[0];
    if (type_of(s, x) == in->type) return instead(s, x);
    if (is_op(s, x, IR_BITCAST)) return to(s, r, IR_BITCAST, 1, arg(s, x, 0), IR_NONE);
    if (is_op(s, x, IR_UNDEF)) return to(s, r, IR_UNDEF, 0, IR_NONE, IR_NONE);
    bool add = is_op(s, x, IR_ADD), sub = is_op(s, x, IR_SUB);
    if (in->type != T_PTR || type_of(s, x) != T_I16 || (!add && !sub)) return r;
    for (int k = 0; k < (add ? 2 : 1); k++) {            /* ptr(i16(p) + n) -> p + n */
        IrRef p = arg(s, x, k);
        if (!is_op(s, p, IR_BITCAST) || type_of(s, arg(s, p, 0)) != T_PTR) continue;
        IrRef more = arg(s, x, 1 - k);
        ir_set_args(s->f, r, 2, NULL);
        return to(s, r, add ? IR_ADD : IR_SUB, 2, arg(s, p, 0), more);
    }
    return r;
}

/* The address of a load, store or dsr.load, operand k: constants go into the offset; a global's own offset too. */
static void address(S *s, IrRef r, int k)
{
    for (;;) {
        IrIns *in = at(s, r);
        IrRef p = in->args[k];
        uint64_t c;
        if (is_op(s, p, IR_ADD) && is_const(s, arg(s, p, 1), &c) && type_of(s, arg(s, p, 0)) == T_PTR) {
            in->imm = (int16_t)(uint64_t)(in->imm + ir_signed(T_I16, c));
            in->args[k] = arg(s, p, 0);
            s->changed = true;
            continue;
        }
        if (is_op(s, p, IR_GADDR) && at(s, p)->imm && at(s, p)->blk.i == s->b.i) {
            int64_t off = at(s, p)->imm + in->imm;
            if (off < -NEAR || off > NEAR) return;
            IrRef g = ir_gaddr(s->f, s->b, at(s, p)->sym, 0, at(s, p)->loc);
            at(s, r)->args[k] = g;
            at(s, r)->imm = off;
            s->changed = true;
        }
        return;
    }
}

/* ---- memory within a block.  Only places in a named global or alloca are tracked: others may be registers of the machine. */
static bool place(S *s, IrRef p, int64_t imm, Cell *c)
{
    *c = (Cell){.off = imm};
    IrIns *in = at(s, p);
    if (in->op == IR_GADDR) {
        c->sym = in->sym;
        c->off += in->imm;
        return true;
    }
    c->alloca = p;
    return in->op == IR_ALLOCA;
}

/* A wide access ignores bit 0 of its address, so it stays in its bytes only if that is 0. */
static bool even(S *s, const Cell *c, IrType t)
{
    if (ir_type_bytes(t) < 2) return true;
    return !(c->off & 1) && (!c->sym.i || ir_global(s->f->mod, c->sym)->align >= 2);
}

static bool same_object(const Cell *a, const Cell *b) { return a->alloca.i == b->alloca.i && a->sym.i == b->sym.i; }

static void remember(S *s, Cell c, IrType t, IrRef value)
{
    c.type = t;
    c.value = value;
    if (arrlen(s->cells) < 64) arrput(s->cells, c);
}

static bool constant_memory(S *s, const Cell *c, IrType t, uint64_t *out)
{
    IrModule *m = s->f->mod;
    if (!c->sym.i) return false;
    IrGlobal *g = ir_global(m, c->sym);
    int n = ir_type_bytes(t);
    if (!g->is_const || g->exported || g->keep || c->off < 0 || c->off + n > g->size_bytes || !even(s, c, t)) return false;
    for (ptrdiff_t i = 0; i < arrlen(g->relocs); i++)
        if ((int64_t)g->relocs[i].off < c->off + n && c->off < (int64_t)g->relocs[i].off + 2) return false;
    uint64_t v = 0;
    for (int i = 0; g->init && i < n; i++) v |= (uint64_t)g->init[c->off + i] << (8 * i);
    if (t == T_I1 && v > 1) return false;
    *out = v;
    return true;
}

static IrRef load(S *s, IrRef r)
{
    Cell c;
    uint64_t v;
    IrIns *in = at(s, r);
    address(s, r, 0);
    in = at(s, r);
    if (!place(s, in->args[0], in->imm, &c)) return r;
    if (constant_memory(s, &c, (IrType)in->type, &v)) return to_const(s, r, v);
    for (ptrdiff_t i = 0; i < arrlen(s->cells); i++)
        if (same_object(&s->cells[i], &c) && s->cells[i].off == c.off && s->cells[i].type == in->type) return instead(s, s->cells[i].value);
    if (even(s, &c, (IrType)in->type)) remember(s, c, (IrType)in->type, r);
    return r;
}

static void store(S *s, IrRef r)
{
    Cell c;
    address(s, r, 0);
    IrIns *in = at(s, r);
    IrType t = type_of(s, in->args[1]);
    bool known = place(s, in->args[0], in->imm, &c), whole = known && !even(s, &c, t);
    for (ptrdiff_t i = arrlen(s->cells) - 1; i >= 0; i--) {
        Cell *o = &s->cells[i];
        bool apart = known && (!same_object(o, &c) || (!whole && (o->off >= c.off + ir_type_bytes(t) || c.off >= o->off + ir_type_bytes(o->type))));
        if (!apart) arrdelswap(s->cells, i);
    }
    if (known && !whole) remember(s, c, t, in->args[1]);
}

/* ---- descriptors: a later part overrides an earlier one */
static IrRef descriptor(S *s, IrRef r)
{
    IrIns *in = at(s, r);
    IrRef x = in->args[0];
    IrOp op = (IrOp)in->op, xo = (IrOp)at(s, x)->op;
    if (op == IR_DSDOFF && is_value(s, in->args[1], 0)) return instead(s, x);
    if (xo == op && op != IR_DSDOFF) return to(s, r, op, 2, arg(s, x, 0), in->args[1]);
    if (op == IR_DSDBASE && xo == IR_DSDOFF) return to(s, r, op, 2, arg(s, x, 0), in->args[1]);
    uint64_t c, c1;
    if (op == IR_DSDOFF && xo == op && is_const(s, in->args[1], &c) && is_const(s, arg(s, x, 1), &c1)) {
        IrRef k = number(s, r, type_of(s, in->args[1]), c + c1);
        return to(s, r, op, 2, arg(s, x, 0), k);
    }
    return r;
}

/* ---- the rest */
static void task_id(S *s, IrRef r)
{
    IrIns *in = at(s, r);
    uint64_t c;
    if (in->nargs != 1 || !is_const(s, in->args[0], &c) || c > 63) return;
    in->imm = (int64_t)c;
    in->nargs = 0;
    s->changed = true;
}

static void known_callee(S *s, IrRef r)
{
    IrIns *in = at(s, r), *p = at(s, in->args[0]);
    if (p->op != IR_FADDR || p->imm) return;
    IrFn *g = ir_fn(s->f->mod, p->sym);
    if (g->kind != FN_PLAIN || g->ret != in->type || arrlen(g->params) != in->nargs - 1) return;
    for (int k = 1; k < in->nargs; k++)
        if (type_of(s, in->args[k]) != g->params[k - 1]) return;
    in->op = IR_CALL;
    in->sym = p->sym;
    memmove(in->args, in->args + 1, sizeof *in->args * (size_t)(in->nargs - 1));
    in->nargs--;
    s->changed = true;
}

static void condbr(S *s, IrRef r)
{
    IrIns *in = at(s, r);
    IrRef b;
    if (!is_not(s, in->args[0], &b)) return;
    IrBlk t = in->blocks[0];
    in->args[0] = b;
    in->blocks[0] = in->blocks[1];
    in->blocks[1] = t;
    s->changed = true;
}

static IrRef one(S *s, IrRef r)
{
    if (fold(s, r)) return r;
    IrIns *in = at(s, r);
    switch (in->op) {
    case IR_ADD: case IR_SUB: case IR_MUL: case IR_UDIV: case IR_SDIV: case IR_UREM: case IR_SREM:
    case IR_AND: case IR_OR: case IR_XOR: case IR_SHL: case IR_LSHR: case IR_ASHR: return integer(s, r);
    case IR_ICMP: return icmp(s, r);
    case IR_SELECT: return select_of(s, r);
    case IR_TRUNC: case IR_ZEXT: case IR_SEXT: return cast(s, r);
    case IR_BITCAST: return bitcast(s, r);
    case IR_FNEG: return is_op(s, in->args[0], IR_FNEG) ? instead(s, arg(s, in->args[0], 0)) : r;
    case IR_FABS:
        if (!is_op(s, in->args[0], IR_FNEG) && !is_op(s, in->args[0], IR_FABS)) return r;
        return to(s, r, IR_FABS, 1, arg(s, in->args[0], 0), IR_NONE);
    case IR_LOAD: return load(s, r);
    case IR_STORE: store(s, r); return r;
    case IR_DSRLOAD: address(s, r, 1); return r;
    case IR_DSDBASE: case IR_DSDLEN: case IR_DSDOFF: case IR_DSDSTRIDE: return descriptor(s, r);
    case IR_ACTIVATE: case IR_BLOCK: case IR_UNBLOCK: task_id(s, r); return r;
    case IR_CALLR: known_callee(s, r); return r;
    case IR_CONDBR: condbr(s, r); return r;
    default: return r;
    }
}

/* An equal expression that stands earlier in this block, or r. */
static IrRef common(S *s, IrRef r)
{
    IrIns *in = at(s, r);
    if (!ir_is_value(in)) return r;
    IrKey k = ir_key(in);
    ptrdiff_t i = hmgeti(s->seen, k);
    if (i >= 0) return s->seen[i].value;
    hmput(s->seen, k, r);
    return r;
}

/* ---- phis.  A phi of one value is that value; of equal constants, a constant of this block (undef may be anything). */
static IrRef phi_value(S *s, IrRef r, bool *constant)
{
    IrIns *in = at(s, r);
    IrRef v = IR_NONE;
    bool undef = false;
    *constant = true;
    for (int k = 0; k < in->nargs; k++) {
        IrRef x = in->args[k];
        IrIns *ix = at(s, x);
        if (x.i == r.i) continue;
        if (ix->op == IR_UNDEF) {
            undef = true;
            if (!v.i) v = x;
            continue;
        }
        bool first = !v.i || at(s, v)->op == IR_UNDEF;
        bool num = ix->op == IR_CONST || ix->op == IR_FCONST;
        *constant &= num;
        if (!first && x.i != v.i && !(num && at(s, v)->op == ix->op && at(s, v)->imm == ix->imm)) return IR_NONE;
        if (!first && x.i == v.i) continue;
        v = x;
    }
    if (v.i && at(s, v)->op == IR_UNDEF) {
        *constant = false;
        for (int k = 0; k < in->nargs; k++)              /* several undefs: any one need not dominate the phi */
            if (in->args[k].i != v.i && in->args[k].i != r.i) return IR_NONE;
        return v;
    }
    return undef && !*constant ? IR_NONE : v;
}

static void phis(S *s, IrRef *old, ptrdiff_t *next)
{
    IrRef *late = NULL, *values = NULL;
    ptrdiff_t i = 0;
    for (; i < arrlen(old) && at(s, old[i])->op == IR_PHI; i++) {
        IrRef r = old[i];
        IrIns *in = at(s, r);
        bool constant;
        for (int k = 0; k < in->nargs; k++) in->args[k] = follow(s, in->args[k]);
        IrRef v = phi_value(s, r, &constant);
        for (ptrdiff_t j = 0; !v.i && j < arrlen(s->f->blks[s->b.i].ins) && j < 32; j++) {   /* an equal phi */
            IrIns *o = at(s, s->f->blks[s->b.i].ins[j]);
            bool equal = o->type == in->type && o->nargs == in->nargs;
            for (int k = 0; equal && k < in->nargs; k++) equal = o->args[k].i == in->args[k].i && o->blocks[k].i == in->blocks[k].i;
            if (equal) v = s->f->blks[s->b.i].ins[j], constant = false;
        }
        if (!v.i) {
            arrput(s->f->blks[s->b.i].ins, r);
            continue;
        }
        s->changed = true;
        in->dead = true;
        if (constant) {
            arrput(late, r);
            arrput(values, v);
        } else {
            s->map[r.i] = v;
        }
    }
    for (ptrdiff_t k = 0; k < arrlen(late); k++) {
        IrIns *v = at(s, values[k]);
        IrRef c = ir_append(s->f, s->b, (IrOp)v->op, (IrType)v->type, 0, NULL, v->loc);
        at(s, c)->imm = at(s, values[k])->imm;
        s->map[late[k].i] = c;
    }
    arrfree(late);
    arrfree(values);
    *next = i;
}

static void block(S *s, IrBlk b)
{
    IrFn *f = s->f;
    IrRef *old = f->blks[b.i].ins;
    ptrdiff_t i = 0;
    f->blks[b.i].ins = NULL;
    s->b = b;
    phis(s, old, &i);
    for (; i < arrlen(old); i++) {
        IrRef r = old[i];
        IrIns *in = at(s, r);
        for (int k = 0; k < in->nargs; k++) in->args[k] = follow(s, in->args[k]);
        IrRef v = one(s, r);
        unsigned fl = ir_ops[at(s, r)->op].flags;
        if ((fl & I_EFF) && at(s, r)->op != IR_STORE) arrsetlen(s->cells, 0);
        if (v.i == r.i) v = common(s, r);
        if (v.i == r.i) {
            arrput(f->blks[b.i].ins, r);
            continue;
        }
        s->changed = true;
        s->map[r.i] = v;
        at(s, r)->dead = true;
    }
    arrfree(old);
    hmfree(s->seen);
    s->seen = NULL;
    arrsetlen(s->cells, 0);
    s->changed |= ir_fold_branch(f, b);
}

static bool one_round(IrFn *f)
{
    S s = {.f = f};
    ir_drop_unreachable(f);
    arrsetlen(s.map, arrlen(f->ins));                    /* instructions made in this round are never replaced in it */
    memset(s.map, 0, sizeof *s.map * (size_t)arrlen(s.map));
    IrBlk *rpo = ir_rpo(f);
    for (ptrdiff_t i = 0; i < arrlen(rpo); i++) block(&s, rpo[i]);
    ir_apply(f, s.map);
    arrfree(rpo);
    arrfree(s.map);
    arrfree(s.cells);
    return s.changed;
}

void pass_simplify(IrFn *f)
{
    for (int k = 0; k < MAX_ROUNDS && one_round(f); k++) {}
    ir_drop_unreachable(f);
}
