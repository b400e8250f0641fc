/* frontend/sema_ops.c: unary and binary operators: folded when both sides are known, element-wise over the PEs of the class
 * when one is symbolic, a WIR instruction otherwise.  Compile-time overflow is an error; run-time integers wrap. */
#include "frontend/sema.h"
#include <assert.h>
#include <math.h>
#include <string.h>

static bool is_cmp(AstOp op) { return op >= OP_EQ && op <= OP_GE; }
static bool is_shift(AstOp op) { return op == OP_SHL || op == OP_SHR; }
static bool is_bitop(AstOp op) { return op == OP_BAND || op == OP_BOR || op == OP_BXOR; }

static Value bad_op(Sema *s, AstOp op, Type *t, Loc loc) { return SEMA_ERR(s, bad_operand, loc, d_str(ast_op_text(op)), d_type(t)); }

/* ---- known integers.  0: fine, else the name of what went wrong */
typedef enum { ARITH_OK, ARITH_OVERFLOW, ARITH_DIV0, ARITH_SHIFT } Arith;
static Arith int_op(AstOp op, Int a, Int b, const Type *t, Int *out)
{
    Int r = 0;
    bool over = false;
    switch (op) {
    case OP_ADD: over = __builtin_add_overflow(a, b, &r); break;
    case OP_SUB: over = __builtin_sub_overflow(a, b, &r); break;
    case OP_MUL: over = __builtin_mul_overflow(a, b, &r); break;
    case OP_DIV: if (!b) return ARITH_DIV0; r = a / b; break;
    case OP_REM: if (!b) return ARITH_DIV0; r = a % b; break;
    case OP_BAND: r = a & b; break;
    case OP_BOR: r = a | b; break;
    case OP_BXOR: r = a ^ b; break;
    case OP_SHL:
        if (b < 0) return ARITH_SHIFT;
        if (t->kind == TY_INT) { /* bits fall off, as at run time */
            *out = b >= t->bits ? 0 : int_wrap(a << b, t);
            return ARITH_OK;
        }
        if (a && b > 64) return ARITH_OVERFLOW;
        over = a && __builtin_mul_overflow(a, (Int)1 << b, &r);
        break;
    case OP_SHR:
        if (b < 0) return ARITH_SHIFT;
        r = a >> (b > 126 ? 126 : b);
        break;
    default: assert(0);
    }
    if (over || !int_fits(r, t)) return ARITH_OVERFLOW;
    *out = r;
    return ARITH_OK;
}

static bool compare_int(AstOp op, Int a, Int b)
{
    switch (op) {
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_LT: return a < b;
    case OP_GT: return a > b;
    case OP_LE: return a <= b;
    default: return a >= b;
    }
}

static bool compare_flt(AstOp op, double a, double b)
{
    switch (op) {
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_LT: return a < b;
    case OP_GT: return a > b;
    case OP_LE: return a <= b;
    default: return a >= b;
    }
}

static Value arith_error(Sema *s, Arith e, AstOp op, Value a, Value b, Type *t, Loc loc)
{
    if (e == ARITH_DIV0) return SEMA_ERR(s, div_zero, loc);
    if (e == ARITH_SHIFT) return SEMA_ERR(s, bad_shift, loc, d_value(s, &b));
    return SEMA_ERR(s, int_overflow, loc, d_value(s, &a), d_str(ast_op_text(op)), d_value(s, &b), d_type(t));
}

static Value fold(Sema *s, AstOp op, Value a, Value b, Type *t, Loc loc)
{
    if (a.kind == V_FLT) {
        if (is_cmp(op)) return v_bool(compare_flt(op, a.u.f, b.u.f));
        double r = 0;
        switch (op) {
        case OP_ADD: r = a.u.f + b.u.f; break;
        case OP_SUB: r = a.u.f - b.u.f; break;
        case OP_MUL: r = a.u.f * b.u.f; break;
        case OP_DIV:
            if (t->kind == TY_COMPTIME_FLOAT && b.u.f == 0) return SEMA_ERR(s, div_zero, loc);
            r = a.u.f / b.u.f;
            break;
        default: return bad_op(s, op, t, loc);
        }
        return v_flt(t, flt_round(r, t));
    }
    if (is_cmp(op)) return v_bool(compare_int(op, a.u.i, b.u.i));
    Int r;
    Arith e = int_op(op, a.u.i, b.u.i, t, &r);
    return e ? arith_error(s, e, op, a, b, t, loc) : v_int(t, r);
}

/* ---- symbolic: one number per PE */
static double sym_f(const Value *v, uint32_t i) { return v->kind == V_SYM ? v->u.sym->f[i] : v->u.f; }
static Int sym_i(const Value *v, uint32_t i)
{
    return v->kind != V_SYM ? v->u.i : v->type->kind == TY_INT && !v->type->is_signed ? (Int)(uint64_t)v->u.sym->v[i] : v->u.sym->v[i];
}

Value sym_binary(Sema *s, AstOp op, Value a, Value b, Type *t, Loc loc)
{
    bool flt = type_is_float(a.type);
    Value r = sym_new(s, is_cmp(op) || op == OP_AND || op == OP_OR ? ty_bool : t, flt && !is_cmp(op), loc);
    for (uint32_t i = 0; i < s->npes; i++) {
        Value x = flt ? v_flt(a.type, sym_f(&a, i)) : v_int(a.type, sym_i(&a, i));
        Value y = flt ? v_flt(b.type, sym_f(&b, i)) : v_int(b.type, sym_i(&b, i));
        Value z = op == OP_AND ? v_bool(x.u.i && y.u.i) : op == OP_OR ? v_bool(x.u.i || y.u.i) : fold(s, op, x, y, t, loc);
        if (z.kind == V_ERR) {
            sym_blame(s, a.kind == V_SYM ? a : b, i);
            return z;
        }
        if (r.u.sym->f) r.u.sym->f[i] = z.u.f;
        else r.u.sym->v[i] = (int64_t)z.u.i;
    }
    return sym_settle(s, r);
}

Value sym_unary(Sema *s, AstOp op, Value a, Type *t, Loc loc)
{
    Value r = sym_new(s, t, a.u.sym->f, loc);
    for (uint32_t i = 0; i < s->npes; i++) {
        Value z = unary(s, op, a.u.sym->f ? v_flt(a.type, a.u.sym->f[i]) : v_int(a.type, sym_i(&a, i)), loc);
        if (z.kind == V_ERR) {
            sym_blame(s, a, i);
            return z;
        }
        if (r.u.sym->f) r.u.sym->f[i] = z.u.f;
        else r.u.sym->v[i] = (int64_t)z.u.i;
    }
    return sym_settle(s, r);
}

/* ---- WIR */
static Value ir_compare(Sema *s, AstOp op, IrRef x, IrRef y, Type *t, Loc loc)
{
    IrFn *f = s->fn->ir;
    IrBlk b = s->fn->cur;
    bool swap = op == OP_GT || op == OP_GE, sg = t->is_signed, flt = type_is_float(t);
    IrCmp c = op == OP_EQ ? CMP_EQ : op == OP_NE ? CMP_NE : op == OP_LT || op == OP_GT ? (sg || flt ? CMP_SLT : CMP_ULT) : (sg || flt ? CMP_SLE : CMP_ULE);
    if (swap) {
        IrRef z = x;
        x = y;
        y = z;
    }
    return v_ir(ty_bool, flt ? ir_fcmp(f, b, c, x, y, loc) : ir_icmp(f, b, c, x, y, loc));
}

static Value ir_arith(Sema *s, AstOp op, IrRef x, IrRef y, Type *t, Loc loc)
{
    static const uint8_t ints[] = {[OP_ADD] = IR_ADD, [OP_SUB] = IR_SUB, [OP_MUL] = IR_MUL, [OP_SHL] = IR_SHL, [OP_BAND] = IR_AND,
                                   [OP_BOR] = IR_OR, [OP_BXOR] = IR_XOR};
    IrOp o;
    if (type_is_float(t)) {
        switch (op) {
        case OP_ADD: o = IR_FADD; break;
        case OP_SUB: o = IR_FSUB; break;
        case OP_MUL: o = IR_FMUL; break;
        case OP_DIV: o = IR_FDIV; break;
        default: return bad_op(s, op, t, loc);
        }
    } else if (t->ir == T_I64 && (op == OP_DIV || op == OP_REM)) {
        static const char *const names[2][2] = {{"divide_unsigned", "remainder_unsigned"}, {"divide", "remainder"}};
        const Value args[2] = {v_ir(t, x), v_ir(t, y)};
        return call_fn(s, library_fn(s, "<int64>", names[t->is_signed][op == OP_REM], loc), 2, args, loc);
    } else if (op == OP_DIV) o = t->is_signed ? IR_SDIV : IR_UDIV;
    else if (op == OP_REM) o = t->is_signed ? IR_SREM : IR_UREM;
    else if (op == OP_SHR) o = t->is_signed ? IR_ASHR : IR_LSHR;
    else o = (IrOp)ints[op];
    return v_ir(t, ir_bin(s->fn->ir, s->fn->cur, o, x, y, loc));
}

static IrRef shift_count(Sema *s, Value b, Type *t, Loc loc)
{
    if (b.kind == V_INT) return value_ir(s, v_int(t, b.u.i > 127 ? 127 : b.u.i), t, loc);
    Value c = convert(s, b, t, loc);
    return c.kind == V_ERR ? IR_NONE : value_ir(s, c, t, loc);
}

static Value shift(Sema *s, AstOp op, Value a, Value b, Loc loc)
{
    if (!type_is_int(a.type)) return bad_op(s, op, a.type, loc);
    if (!type_is_int(b.type)) return bad_op(s, op, b.type, loc);
    if (b.kind == V_INT && b.u.i < 0) return SEMA_ERR(s, bad_shift, loc, d_value(s, &b));
    if (a.kind == V_INT && b.kind == V_INT) return fold(s, op, a, b, a.type, loc);
    if (a.kind != V_IR && b.kind != V_IR) return sym_binary(s, op, a, b, a.type, loc);
    if (a.type->kind == TY_COMPTIME_INT) return SEMA_ERR(s, untyped_shift, loc);
    IrRef x = value_ir(s, a, a.type, loc), y = shift_count(s, b, a.type, loc);
    return x.i && y.i ? ir_arith(s, op, x, y, a.type, loc) : V_NONE;
}

static bool op_allowed(AstOp op, const Type *t)
{
    if (op == OP_EQ || op == OP_NE) return type_is_discrete(t) || type_is_float(t) || t->kind == TY_POINTER;
    if (is_cmp(op)) return type_is_int(t) || type_is_float(t);
    if (is_bitop(op)) return type_is_int(t) || t->kind == TY_BOOL;
    if (op == OP_REM) return type_is_int(t);
    return type_is_int(t) || type_is_float(t);
}

/* types, strings, void: equality at compile time only */
static bool plain_equal(const Value *a, const Value *b, bool *eq)
{
    if (a->kind == V_TYPE && b->kind == V_TYPE) *eq = a->u.t == b->u.t;
    else if (a->kind == V_STR && b->kind == V_STR) *eq = a->n == b->n && !memcmp(a->u.s, b->u.s, a->n);
    else if (a->kind == V_FN && b->kind == V_FN) *eq = a->u.decl == b->u.decl;
    else if (a->kind == V_VOID && b->kind == V_VOID) *eq = true;
    else if (a->kind == V_INT && b->kind == V_INT && a->type->kind == TY_DSR && a->type == b->type) *eq = a->u.i == b->u.i;
    else if (a->kind == V_PTR && b->kind == V_PTR && !a->u.ptr->slot == !b->u.ptr->slot)
        *eq = a->u.ptr->slot == b->u.ptr->slot && a->u.ptr->sym.i == b->u.ptr->sym.i && a->u.ptr->off == b->u.ptr->off;
    else return false;
    return true;
}

Value binary(Sema *s, AstOp op, Value a, Value b, Loc loc)
{
    if (a.kind == V_ERR || b.kind == V_ERR) return V_NONE;
    if (is_shift(op)) return shift(s, op, a, b, loc);
    bool eq;
    if ((op == OP_EQ || op == OP_NE) && plain_equal(&a, &b, &eq)) return v_bool(eq == (op == OP_EQ));
    Type *t = peer_type(s, &a, &b, loc);
    if (!t) return V_NONE;
    if (!op_allowed(op, t)) return bad_op(s, op, t, loc);
    a = coerce(s, a, t, loc);
    b = coerce(s, b, t, loc);
    if (a.kind == V_ERR || b.kind == V_ERR) return V_NONE;
    if ((a.kind == V_INT || a.kind == V_FLT) && (b.kind == V_INT || b.kind == V_FLT)) return fold(s, op, a, b, t, loc);
    bool sa = a.kind == V_SYM || a.kind == V_INT || a.kind == V_FLT, sb = b.kind == V_SYM || b.kind == V_INT || b.kind == V_FLT;
    if (sa && sb) return sym_binary(s, op, a, b, t, loc);
    IrRef x = value_ir(s, a, t, loc), y = value_ir(s, b, t, loc);
    if (!x.i || !y.i) return V_NONE;
    return is_cmp(op) ? ir_compare(s, op, x, y, t, loc) : ir_arith(s, op, x, y, t, loc);
}

Value unary(Sema *s, AstOp op, Value a, Loc loc)
{
    if (a.kind == V_ERR) return a;
    Type *t = a.type;
    bool ok = op == OP_NOT ? t->kind == TY_BOOL : op == OP_NEG ? type_is_int(t) || type_is_float(t) : type_is_int(t);
    if (!ok) return bad_op(s, op, t, loc);
    if (a.kind == V_SYM) return sym_unary(s, op, a, t, loc);
    if (a.kind == V_FLT) return v_flt(t, -a.u.f);
    if (a.kind == V_INT) {
        if (op == OP_NOT) return v_bool(!a.u.i);
        if (op == OP_BNOT) return v_int(t, t->kind == TY_INT ? int_wrap(~a.u.i, t) : ~a.u.i);
        if (!int_fits(-a.u.i, t)) return SEMA_ERR(s, int_range, loc, d_str(arena_printf(s->arena, "-%s", d_value(s, &a).v.s)), d_type(t));
        return v_int(t, -a.u.i);
    }
    IrRef x = value_ir(s, a, t, loc);
    if (!x.i) return V_NONE;
    IrFn *f = s->fn->ir;
    IrBlk b = s->fn->cur;
    if (op == OP_NOT) return v_ir(t, ir_bin(f, b, IR_XOR, x, ir_const(f, b, T_I1, 1, loc), loc));
    if (op == OP_BNOT) return v_ir(t, ir_bin(f, b, IR_XOR, x, ir_const(f, b, t->ir, -1, loc), loc));
    if (type_is_float(t)) return v_ir(t, ir_un(f, b, IR_FNEG, t->ir, x, loc));
    return v_ir(t, ir_bin(f, b, IR_SUB, ir_const(f, b, t->ir, 0, loc), x, loc));
}
