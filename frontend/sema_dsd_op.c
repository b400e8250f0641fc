/* frontend/sema_dsd_op.c: operands of vector operations, and the operations.
 *
 * An operand is a descriptor (which gets a DSR slot, loaded right before the operation), a DSR, a number (which stays in a
 * register), or the address of a variable: memory of one element that is read and written again for each element (P4). */
#include "frontend/sema_dsd.h"
#include <string.h>

/* ---- operands of vector operations ---------------------------------------------------------------------------------------- */

static bool same_addr(Addr a, Addr b) { return a.sym.i == b.sym.i && a.base.i == b.base.i && a.off == b.off; }
static bool is_lvalue(const AstNode *n)
{
    return n->kind == AST_NAME || n->kind == AST_FIELD || n->kind == AST_INDEX || n->kind == AST_DEREF;
}

static bool opnd_value(Sema *s, Opnd *o, Value v)
{
    o->v = v;
    o->t = v.type;
    if (v.kind == V_ERR) return false;
    if (is_dsd(&v)) o->k = O_DSD;
    else if (v.type->kind == TY_DSR && dsr_file(v.type) >= 0) {
        o->k = O_DSR;
        o->file = dsr_file(v.type);
        o->num = (int)v.u.i;
    } else if (v.type->kind == TY_POINTER) {
        o->k = O_PTR;
        o->t = v.type->elem;
        o->is_const = v.type->is_const;
        if (v.kind == V_PTR) {
            int64_t off;
            if (!ptr_memory(s, v.u.ptr, &o->addr.sym, &off, o->loc)) return false;
            o->addr.off = (int32_t)off;
            return true;
        }
        o->addr.base = value_ir(s, v, v.type, o->loc);
        return o->addr.base.i != 0;
    } else o->k = O_VAL;
    return true;
}

bool dsd_opnd(Sema *s, Scope *sc, AstNode *n, Type *want, Opnd *o)
{
    *o = (Opnd){.loc = n->loc};
    if (n->kind == AST_UNARY && n->u.un.op == OP_ADDR) {
        Place p = eval_place(s, sc, n->u.un.e);
        if (p.kind == P_ERR) return false;
        if (p.kind == P_MEM && type_is_scalar(p.type)) {
            *o = (Opnd){.k = O_PTR, .t = p.type, .addr = p.addr, .is_const = p.is_const, .loc = n->loc};
            return true;
        }
        return opnd_value(s, o, place_ptr(s, &p, n->loc));
    }
    if (!is_lvalue(n)) return opnd_value(s, o, eval_expr(s, sc, n, want));
    Place p = eval_place(s, sc, n);
    if (p.kind == P_ERR) return false;
    if (p.kind == P_MEM && p.type->kind == TY_DSD && p.addr.sym.i) {
        *o = (Opnd){.k = O_DSD, .t = p.type, .home = true, .addr = p.addr, .loc = n->loc};
        o->v.type = p.type;
        return true;
    }
    if (!opnd_value(s, o, place_load(s, &p, n->loc))) return false;
    if (p.kind == P_MEM && (o->k == O_VAL || o->k == O_DSD)) {
        o->has_place = true;
        o->addr = p.addr;
    }
    return true;
}

const char *dsd_opnd_text(const Opnd *o)
{
    if (o->k == O_PTR) return "a pointer";
    return o->t ? o->t->name : "nothing";
}

/* The same descriptor, memory or register: the destination then works in place. */
static bool opnd_same(const Opnd *a, const Opnd *b)
{
    if (a->k == O_PTR && b->k == O_VAL) return b->has_place && same_addr(a->addr, b->addr) && a->t == b->t;
    if (a->k != b->k) return false;
    if (a->k == O_PTR) return same_addr(a->addr, b->addr) && a->t->size == b->t->size;
    if (a->k == O_DSR) return b->file == DSRT_SRC0 && b->num == a->num && a->file == DSRT_SRC0;
    if (a->k != O_DSD || a->home != b->home) return false;
    if (a->home) return same_addr(a->addr, b->addr);
    if (a->v.kind != b->v.kind) return false;
    if (a->v.kind == V_IR) return a->v.u.ref.i == b->v.u.ref.i || (a->has_place && b->has_place && same_addr(a->addr, b->addr));
    const DsdConst *x = a->v.u.dsd, *y = b->v.u.dsd;
    return memcmp(x->w, y->w, sizeof x->w) == 0 && x->base.i == y->base.i && x->shape.i == y->shape.i;
}

IrRef dsd_slot_new(Sema *s, int64_t imm, Loc loc)
{
    IrRef r = ir_append(fn_of(s), s->fn->cur, IR_DSRSLOT, T_SLOT, 0, NULL, loc);
    ir_ins(fn_of(s), r)->imm = imm;
    return r;
}

/* Load a slot from a descriptor: from memory where it stands there, else from the value. */
bool dsd_slot_load(Sema *s, IrRef slot, const Opnd *o)
{
    IrFn *f = fn_of(s);
    Addr a = o->addr;
    bool mem = o->home;
    if (!mem && o->v.kind == V_DSD) {
        a = value_addr(s, o->v, o->v.type, o->loc);
        mem = true;
    }
    if (mem) {
        if (!a.sym.i) return false;
        IrRef p = ir_gaddr(f, s->fn->cur, a.sym, a.off, o->loc);
        ir_append(f, s->fn->cur, IR_DSRLOAD, T_VOID, 2, (IrRef[]){slot, p}, o->loc);
        return true;
    }
    IrRef v = dsd_ir(s, &o->v, o->loc);
    if (!v.i) return false;
    ir_append(f, s->fn->cur, IR_DSRLOADV, T_VOID, 2, (IrRef[]){slot, v}, o->loc);
    return true;
}

/* Make the operand's slot; a pointer is memory of one element with stride 0 and no length of its own (P1, P4). */
bool dsd_opnd_slot(Sema *s, Opnd *o)
{
    if (o->k == O_DSR) {
        o->ref = dsr_slot(s, o->file, o->num, -1, o->loc);
        return o->ref.i != 0;
    }
    Opnd d = *o;
    if (o->k == O_PTR) {
        DsdConst c = {.w = {0, 0, 0, DSD_MEM1D}, .elem = o->t};
        d = (Opnd){.k = O_DSD, .loc = o->loc, .v = dsd_with_base(s, dsd_const(s, ty_mem1d_dsd, c), o->addr, o->loc)};
        if (d.v.kind == V_ERR) return false;
    }
    o->ref = dsd_slot_new(s, o->k == O_DSD && o->t->sub == DSDT_MEM4D, o->loc);
    return dsd_load_changed(s, o->ref, &d, &dsd_done_none, false, o->control);
}

/* The type of a number in this position of the dsd_operation; NULL: it does not fit there. */
static Type *scalar_type(Sema *s, const Value *v, IrType t, bool move)
{
    switch (t) {
    case T_F32: return can_coerce(s, v, ty_f32) ? ty_f32 : NULL;
    case T_F16: return can_coerce(s, v, ty_f16) ? ty_f16 : NULL;
    default: break;
    }
    Type *sg = t == T_I16 ? ty_i16 : ty_i32, *un = t == T_I16 ? ty_u16 : ty_u32;
    if (move && type_is_scalar(v->type) && v->type->size == sg->size) return v->type;      /* the bits, of whatever they are */
    if (!type_is_int(v->type)) return NULL;
    if (v->type->size == sg->size) return v->type;
    return can_coerce(s, v, sg) ? sg : can_coerce(s, v, un) ? un : NULL;
}

static int type_bytes(IrType t) { return t == T_F32 || t == T_I32 ? 4 : 2; }

/* ---- vector operations ---------------------------------------------------------------------------------------------------- */

typedef struct Opts { bool async, has_index; Value index; Loc index_loc; Done done; unsigned control; } Opts;

static const char *const op_known[] = {"async", "activate", "unblock", "ut_id", "priority", "index", "on_control", NULL};
static const char *const op_later[] = {"advance_switch", "control_transform", "simd_mode", NULL};

static bool op_options(Sema *s, Scope *sc, AstNode *n, Opts *o)
{
    Cfg c;
    if (!dsd_cfg(&c, s, sc, n, "a vector operation", op_known, op_later)) return false;
    if (!dsd_cfg_bool(&c, "async", &o->async) || !dsd_cfg_done(&c, &o->done) || !dsd_cfg_on_control(&c, &o->control)) return false;
    if (dsd_cfg_get(&c, "index", ty_u16, &o->index, &o->index_loc)) {
        o->index = o->index.kind == V_INT && o->index.u.i < 0 ? coerce(s, o->index, ty_i16, o->index_loc) : o->index;
        if (!type_is_int(o->index.type ? o->index.type : ty_void) || o->index.type->size > 2) o->index = coerce(s, o->index, ty_u16, o->index_loc);
        if (o->index.kind == V_ERR) return false;
        o->has_index = true;
    }
    if (o->async) return true;
    const char *first = o->done.act >= 0 ? "activate" : o->done.unb >= 0 ? "unblock" : o->done.ut >= 0 ? "ut_id" : NULL;
    if (!first) return true;
    SEMA_ERR(s, dsd_not_async, n->loc, d_str(first));
    return false;
}

/* positions of an operation: d, a, b, c */
static const char *const pos_names[4] = {"the destination", "the first source", "the second source", "the factor"};

static bool bad_operand(Sema *s, AstNode *n, const Opnd *o, int pos, const char *takes)
{
    SEMA_ERR(s, dsd_operand, o->loc, d_str(n->u.builtin.name), d_str(pos_names[pos]), d_str(takes), d_str(dsd_opnd_text(o)));
    return false;
}

/* Equal constants share their memory: nobody may write to it. */
bool dsd_of_constant(Sema *s, const Opnd *o)
{
    IrSym b = !o->home && o->v.kind == V_DSD ? o->v.u.dsd->base : (IrSym){0};
    return b.i && !ir_sym_is_fn(b) && ir_global(s->ir, b)->is_const;
}

/* Does the operand fit its position of the row? */
static bool opnd_check(Sema *s, AstNode *n, Opnd *o, int pos, IrType et, bool move)
{
    static const uint8_t file_of[4] = {DSRT_DEST, DSRT_SRC0, DSRT_SRC1, 0};
    switch (o->k) {
    case O_DSD:
        if (pos == 3) return bad_operand(s, n, o, pos, "a number");
        if (o->t->sub == DSDT_CIRCBUF) SEMA_ERR(s, dsd_circbuf, o->loc);
        else if (o->t->sub == DSDT_FABOUT && pos) SEMA_ERR(s, dsd_direction, o->loc, d_type(o->t), d_str("read"));
        else if (o->t->sub == DSDT_FABIN && !pos) SEMA_ERR(s, dsd_direction, o->loc, d_type(o->t), d_str("written"));
        else if (!pos && dsd_of_constant(s, o)) SEMA_ERR(s, dsd_const_dest, o->loc, d_int(0));
        else return true;
        return false;
    case O_DSR:
        if (pos == 3) return bad_operand(s, n, o, pos, "a number");
        if (o->file == file_of[pos] || (pos == 0 && o->file == DSRT_SRC0)) return true;
        SEMA_ERR(s, dsd_dsr_file, o->loc, d_type(o->t), d_str(pos_names[pos]));
        return false;
    case O_PTR:
        if (pos == 3) return bad_operand(s, n, o, pos, "a number");
        if (!type_is_scalar(o->t) || (int)o->t->size != type_bytes(et))
            return bad_operand(s, n, o, pos, type_bytes(et) == 4 ? "a pointer to 32 bits" : "a pointer to 16 bits");
        if (!pos && o->is_const) return bad_operand(s, n, o, pos, "a pointer that may be written through");
        return true;
    case O_VAL:
        if (pos == 0) return bad_operand(s, n, o, pos, "a DSD, a DSR or the address of a variable");
        if (o->v.kind == V_AGG || o->v.kind == V_MEM || !(o->t = scalar_type(s, &o->v, et, move))) {
            o->t = o->v.type;
            return bad_operand(s, n, o, pos, pos == 3 ? "a number" : "a DSD, a DSR, a number or a pointer");
        }
        return true;
    default: return false;
    }
}

/* A DSR that stands in the wrong place beside a number changes places with it where the operation commutes. */
static bool wrong_file(const Opnd *o, int file) { return o->k == O_DSR && o->file != file; }
static bool commutes(int vop)
{
    switch (vop) {
    case IRV_FADDS: case IRV_FMULS: case IRV_FMAXS: case IRV_FADDH: case IRV_FMULH: case IRV_FMAXH: case IRV_ADD16: case IRV_AND16:
    case IRV_OR16: case IRV_XOR16: case IRV_MUL16: case IRV_ADD32: return true;
    default: return false;
    }
}

static bool is_move(int vop) { return vop == IRV_MOV16 || vop == IRV_MOV32; }

/* No operand is a descriptor: one element, through a register. */
static void scalar_op(Sema *s, int vop, Opnd o[4], Loc loc)
{
    IrRef r[4] = {IR_NONE, IR_NONE, IR_NONE, IR_NONE};
    for (int i = 1; i < 4; i++) {
        if (o[i].k == O_NONE) continue;
        Value v = o[i].k == O_PTR ? addr_load(s, o[i].addr, o[i].t, o[i].loc) : o[i].v;
        r[i] = value_ir(s, v, o[i].t, o[i].loc);
        if (!r[i].i) return;
    }
    IrRef x = ir_vop(fn_of(s), s->fn->cur, (IrVop)vop, IR_NONE, r[1], r[2], r[3], 1, loc);
    IrType xt = ir_vops[vop].d;
    if (o[0].t->ir != xt) x = ir_un(fn_of(s), s->fn->cur, IR_BITCAST, o[0].t->ir, x, loc);
    addr_store(s, o[0].addr, o[0].t, v_ir(o[0].t, x), loc);
}

/* The microthread of an asynchronous operation: -1 leaves it to the machine, which asks the first fabric descriptor. */
static bool pick_ut(Sema *s, const Opnd o[4], Opts *op, Loc loc)
{
    if (op->done.ut >= 0) return true;
    for (int i = 0; i < 3; i++)
        if (o[i].k == O_DSR || (o[i].k == O_DSD && is_fabric(o[i].t))) return true;
    SEMA_ERR(s, dsd_no_ut, loc, d_int(0));
    return false;
}

/* .index: into the high halves of what an output sends, and the place in memory descriptors made with .wavelet_index_offset */
static bool set_index(Sema *s, const Opnd o[4], const Opts *op)
{
    bool any = false;
    Type *t = op->index.type->kind == TY_COMPTIME_INT ? (op->index.u.i < 0 ? ty_i16 : ty_u16) : op->index.type;
    IrRef v = value_ir(s, op->index, t, op->index_loc);
    if (!v.i) return false;
    if (t->size == 1) v = ir_un(fn_of(s), s->fn->cur, t->is_signed ? IR_SEXT : IR_ZEXT, T_I16, v, op->index_loc);
    for (int i = 0; i < 3; i++) {
        if (o[i].k != O_DSD || (i && o[i].ref.i == o[0].ref.i)) continue;
        if (!(o[i].t->sub == DSDT_FABOUT) && !(o[i].v.kind == V_DSD && o[i].v.u.dsd->indexed)) continue;
        ir_append(fn_of(s), s->fn->cur, IR_DSRINDEX, T_VOID, 2, (IrRef[]){o[i].ref, v}, op->index_loc);
        any = true;
    }
    s->ir->uses |= USES_DSD;
    if (!any) SEMA_ERR(s, dsd_index, op->index_loc);
    return any;
}

/* .on_control: into the descriptor of the input.  A DSR was loaded with it. */
static bool set_control(Sema *s, Opnd o[4], const Opts *op, Loc loc)
{
    bool any = false;
    for (int i = 1; i < 3; i++) {
        any |= o[i].k == O_DSR || (o[i].k == O_DSD && o[i].t->sub == DSDT_FABIN);
        if (o[i].k == O_DSD && o[i].t->sub == DSDT_FABIN) o[i].control = op->control;
    }
    if (!any) SEMA_ERR(s, dsd_on_control, loc);
    return any;
}

static void vector_op(Sema *s, int vop, Opnd o[4], const Opts *op, Loc loc)
{
    bool shared[4] = {false};
    if (op->control && !set_control(s, o, op, loc)) return;
    for (int i = 0; i < 3; i++)
        if (o[i].k == O_DSD && o[i].t->sub == DSDT_FIFO && !dsd_fifo_home(s, &o[i], i == 0)) return;
    for (int i = 1; i < 4; i++)                      /* numbers first: they are read before the operation starts */
        if (o[i].k == O_VAL) {
            shared[i] = i == 1 && opnd_same(&o[0], &o[1]);
            if (shared[i]) continue;
            if (i == 2 && opnd_same(&o[0], &o[2])) { /* read again for each element (P4) */
                o[2] = (Opnd){.k = O_PTR, .t = o[0].t, .addr = o[0].addr, .loc = o[2].loc};
                continue;
            }
            o[i].ref = value_ir(s, o[i].v, o[i].t, o[i].loc);
            if (!o[i].ref.i) return;
        }
    if (o[1].k != O_NONE && o[1].k != O_VAL) shared[1] = opnd_same(&o[0], &o[1]);
    if (!dsd_opnd_slot(s, &o[0])) return;
    for (int i = 1; i < 3; i++) {
        if (o[i].k == O_NONE || o[i].ref.i) continue;
        if (shared[i]) o[i].ref = o[0].ref;
        else if (!dsd_opnd_slot(s, &o[i])) return;
    }
    if (op->has_index && !set_index(s, o, op)) return;
    IrRef r = ir_vop(fn_of(s), s->fn->cur, (IrVop)vop, o[0].ref, o[1].ref, o[2].ref, o[3].ref, 0, loc);
    if (op->async)
        ir_ins(fn_of(s), r)->async = (IrAsync){.on = true, .ut = (int8_t)op->done.ut, .act = (int8_t)op->done.act,
                                               .unb = (int8_t)op->done.unb, .prio = (uint8_t)op->done.prio};
}

/* A synchronous operation with a FIFO says whether it went to its end, or the FIFO was empty or full before. */
static Value went_through(Sema *s, Loc loc)
{
    IrFn *f = fn_of(s);
    IrRef left = ir_append(f, s->fn->cur, IR_VLEFT, T_I16, 0, NULL, loc);
    return v_ir(ty_bool, ir_icmp(f, s->fn->cur, CMP_EQ, left, ir_const(f, s->fn->cur, T_I16, 0, loc), loc));
}

Value dsd_operation(Sema *s, Scope *sc, AstNode *n, int vop)
{
    const IrVopRow *row = &ir_vops[vop];
    const IrType et[4] = {row->d, row->a, row->b, row->c};
    uint32_t nops = 0, have = n->u.builtin.args.n;
    for (int i = 0; i < 4; i++) nops += et[i] != T_VOID;
    if (have != nops && have != nops + 1)
        return SEMA_ERR(s, dsd_arity, n->loc, d_str(n->u.builtin.name), d_uint(nops), d_uint(have));
    if (!dsd_runtime(s, n->loc)) return V_NONE;
    Opnd o[4] = {{0}};
    Opts op = {.done = dsd_done_none};
    bool ok = true, stream = false;
    for (uint32_t i = 0, k = 0; k < 4; k++) {
        if (et[k] == T_VOID) continue;
        AstNode *a = arg(n, i++);
        Type *want = et[k] == T_F32 ? ty_f32 : et[k] == T_F16 ? ty_f16 : NULL;
        ok = dsd_opnd(s, sc, a, want, &o[k]) && ok;
        stream |= o[k].k == O_DSD || o[k].k == O_DSR;
    }
    if (ok && commutes(vop) && (wrong_file(&o[1], DSRT_SRC0) || wrong_file(&o[2], DSRT_SRC1)) && !wrong_file(&o[2], DSRT_SRC0) &&
        !wrong_file(&o[1], DSRT_SRC1) && (o[1].k == O_VAL || o[2].k == O_VAL)) {
        Opnd t = o[1];
        o[1] = o[2];
        o[2] = t;
    }
    for (int k = 0; ok && k < 4; k++) ok = et[k] == T_VOID || opnd_check(s, n, &o[k], k, et[k], is_move(vop));
    if (have > nops) ok = op_options(s, sc, arg(n, nops), &op) && ok;
    if (!ok || (op.async && !pick_ut(s, o, &op, n->loc))) return V_NONE;
    if (o[0].k == O_DSR && o[0].file == DSRT_SRC0 && !opnd_same(&o[0], &o[1]))
        return SEMA_ERR(s, dsd_dsr_file, o[0].loc, d_type(o[0].t), d_str("the destination, unless it is the first source too"));
    if (stream || op.async) vector_op(s, vop, o, &op, n->loc);
    else scalar_op(s, vop, o, n->loc);
    bool fifo = false;
    for (int k = 0; k < 3; k++) fifo |= (o[k].k == O_DSD && o[k].t->sub == DSDT_FIFO) || (o[k].k == O_DSR && dsr_is_fifo(o[k].t));
    return fifo && !op.async ? went_through(s, n->loc) : v_bool(true);
}
