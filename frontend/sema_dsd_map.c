/* frontend/sema_dsd_map.c: @map: a loop that calls a function per element (P5).
 *
 * Descriptors of memory become addresses that are stepped by hand, since DSRs do not survive a call; those of one dimension
 * that are known and have equal steps share one offset.  Streams are read and written a word at a time, and so are registers
 * of the program's own, which the machine steps. */
#include "frontend/sema_dsd.h"
#include <string.h>

/* A walk over memory in @map: the address of the element, and counters, in variables. */
typedef struct Walk {
    Opnd o;
    Type *t;                 /* of an element, as the callback sees it */
    bool fabric, dsr;        /* dsr: a register of the program's own, which steps by itself */
    IrRef len;
    IrRef at;                /* variable: the address, or what to add to base */
    bool based, rides;       /* the place is base + at; at is another walk's, which steps it */
    Addr base;
    int64_t step_bytes;      /* of a based walk */
    uint32_t n;
    IrRef ext[ACCESS_MAX_DIMS], step[ACCESS_MAX_DIMS], cnt[ACCESS_MAX_DIMS];   /* innermost first; step in bytes; cnt: variables */
} Walk;

static IrRef c16(Sema *s, int64_t v, Loc loc) { return ir_const(fn_of(s), s->fn->cur, T_I16, v & 0xffff, loc); }
static IrRef bin(Sema *s, IrOp op, IrRef a, IrRef b, Loc loc) { return ir_bin(fn_of(s), s->fn->cur, op, a, b, loc); }
static IrRef to_bytes(Sema *s, IrRef elems, const Type *t, Loc loc) { return bin(s, IR_MUL, elems, c16(s, t->size, loc), loc); }

static IrRef walk_var(Sema *s, IrRef init, Loc loc)
{
    IrRef v = ir_alloca(fn_of(s), 2, loc);
    ir_store(fn_of(s), s->fn->cur, v, 0, init, loc);
    return v;
}

static bool walk_known(Sema *s, Walk *w)
{
    const DsdConst *c = w->o.v.u.dsd;
    Loc loc = w->o.loc;
    const Shape *sh = c->shape.i ? c->ext : NULL;
    w->len = c16(s, c->w[1] & LEN_ENDLESS, loc);
    w->n = sh ? sh->n : 1;
    for (uint32_t k = 0; k < w->n; k++) {
        w->ext[k] = c16(s, sh ? sh->ext[k] : 0, loc);
        w->step[k] = to_bytes(s, c16(s, sh ? sh->stride[k] : (int8_t)(c->w[2] & 0xff), loc), w->t, loc);
    }
    Addr base = {.sym = c->base, .off = c->base.i ? (int16_t)c->w[0] : c->w[0]};
    w->based = !sh;
    if (w->based) {
        w->base = base;
        w->step_bytes = (int8_t)(c->w[2] & 0xff) * (int64_t)w->t->size;
        return true;         /* at: walks_share */
    }
    w->at = walk_var(s, addr_ir(s, base, loc), loc);
    return true;
}

/* The place of the element. */
static Addr walk_addr(Sema *s, const Walk *w)
{
    IrRef at = ir_load(fn_of(s), s->fn->cur, w->based ? T_I16 : T_PTR, w->at, 0, w->o.loc);
    return (Addr){.base = w->based ? bin(s, IR_ADD, addr_ir(s, w->base, w->o.loc), at, w->o.loc) : at};
}

/* All parts from the eight bytes of the descriptor, and of its shape. */
static bool walk_runtime(Sema *s, Walk *w)
{
    IrFn *f = fn_of(s);
    Loc loc = w->o.loc;
    IrRef m;
    if (w->o.home) m = ir_gaddr(f, s->fn->cur, w->o.addr.sym, w->o.addr.off, loc);
    else {
        IrRef d = dsd_ir(s, &w->o.v, loc);
        if (!d.i) return false;
        m = ir_alloca(f, 8, loc);
        ir_store(f, s->fn->cur, m, 0, d, loc);
    }
    IrRef len = ir_load(f, s->fn->cur, T_I16, m, 2, loc);
    w->len = bin(s, IR_AND, len, c16(s, LEN_ENDLESS, loc), loc);
    if (w->fabric) return true;
    w->at = walk_var(s, ir_load(f, s->fn->cur, T_PTR, m, 0, loc), loc);
    if (w->o.t->sub == DSDT_MEM1D) {
        IrRef st = ir_un(f, s->fn->cur, IR_SEXT, T_I16, ir_load(f, s->fn->cur, T_I8, m, 4, loc), loc);
        w->n = 1;
        w->ext[0] = c16(s, 0, loc);
        w->step[0] = to_bytes(s, st, w->t, loc);
        return true;
    }
    IrRef sh = ir_load(f, s->fn->cur, T_PTR, m, 4, loc);
    w->n = ACCESS_MAX_DIMS;
    for (uint32_t k = 0; k < w->n; k++) {
        w->ext[k] = ir_load(f, s->fn->cur, T_I16, sh, 4 * k, loc);
        w->step[k] = to_bytes(s, ir_load(f, s->fn->cur, T_I16, sh, 4 * k + 2, loc), w->t, loc);
    }
    return true;
}

static bool walk_open(Sema *s, Walk *w)
{
    Loc loc = w->o.loc;
    if (!type_is_scalar(w->t) || (w->t->size != 2 && w->t->size != 4)) {
        SEMA_ERR(s, st_elem_size, loc, d_type(w->t));
        return false;
    }
    w->dsr = w->o.k == O_DSR;
    if (w->dsr) {
        w->len = ir_load(fn_of(s), s->fn->cur, T_I16, ir_gaddr(fn_of(s), s->fn->cur, dsr_length(s, w->o.file, w->o.num), 0, loc), 0, loc);
        return true;
    }
    w->fabric = is_fabric(w->o.t);
    bool known = !w->o.home && w->o.v.kind == V_DSD;
    if (w->fabric && known) {
        w->len = c16(s, w->o.v.u.dsd->w[1] & LEN_ENDLESS, loc);
        return true;
    }
    bool ok = known ? walk_known(s, w) : walk_runtime(s, w);
    for (uint32_t k = 0; ok && !w->fabric && k + 1 < w->n; k++) w->cnt[k] = walk_var(s, c16(s, 0, loc), loc);
    return ok;
}

/* One step: at += step[0]; where a dimension is full, back to its start and on in the next one. */
static void walk_step(Sema *s, Walk *w)
{
    IrFn *f = fn_of(s);
    Loc loc = w->o.loc;
    if (w->fabric || w->dsr || w->rides) return;
    IrBlk end = w->n > 1 ? ir_block_new(f, "stepped") : (IrBlk){0};
    for (uint32_t k = 0; k < w->n; k++) {
        IrRef p = ir_load(f, s->fn->cur, w->based ? T_I16 : T_PTR, w->at, 0, loc);
        p = bin(s, IR_ADD, p, w->step[k], loc);
        ir_store(f, s->fn->cur, w->at, 0, p, loc);
        if (k + 1 == w->n) break;
        IrRef c = bin(s, IR_ADD, ir_load(f, s->fn->cur, T_I16, w->cnt[k], 0, loc), c16(s, 1, loc), loc);
        ir_store(f, s->fn->cur, w->cnt[k], 0, c, loc);
        IrBlk full = ir_block_new(f, "full");
        ir_condbr(f, s->fn->cur, ir_icmp(f, s->fn->cur, CMP_EQ, c, w->ext[k], loc), full, end, loc);
        s->fn->cur = full;
        ir_store(f, full, w->cnt[k], 0, c16(s, 0, loc), loc);
        IrRef back = bin(s, IR_MUL, w->ext[k], w->step[k], loc);
        p = ir_load(f, full, T_PTR, w->at, 0, loc);
        ir_store(f, full, w->at, 0, bin(s, IR_SUB, p, back, loc), loc);
    }
    if (w->n == 1) return;
    ir_br(f, s->fn->cur, end, loc);
    s->fn->cur = end;
}

static IrVop move_of(const Type *t) { return t->size == 4 ? IRV_MOV32 : IRV_MOV16; }

/* The element: from memory, or one word of the stream. */
static Value walk_read(Sema *s, Walk *w)
{
    IrFn *f = fn_of(s);
    Loc loc = w->o.loc;
    if (!w->fabric && !w->dsr) return addr_load(s, walk_addr(s, w), w->t, loc);
    Opnd o = w->o;
    if (!dsd_opnd_slot(s, &o)) return V_NONE;
    IrVop mv = move_of(w->t);
    IrRef r = ir_vop(f, s->fn->cur, mv, IR_NONE, IR_NONE, o.ref, IR_NONE, 1, loc);
    if (w->t->ir != ir_vops[mv].d) r = ir_un(f, s->fn->cur, IR_BITCAST, w->t->ir, r, loc);
    return v_ir(w->t, r);
}

static void walk_write(Sema *s, Walk *w, Value v)
{
    IrFn *f = fn_of(s);
    Loc loc = w->o.loc;
    if (!w->fabric && !w->dsr) {
        addr_store(s, walk_addr(s, w), w->t, v, loc);
        return;
    }
    IrRef r = value_ir(s, v, w->t, loc);
    Opnd o = w->o;
    if (!r.i || !dsd_opnd_slot(s, &o)) return;
    ir_vop(f, s->fn->cur, move_of(w->t), o.ref, IR_NONE, r, IR_NONE, 1, loc);
}

enum { MAP_MAX = 16 };
typedef struct Map {
    Value fn;
    uint32_t nin;
    Opnd in[MAP_MAX];
    Walk walk[MAP_MAX];      /* of the inputs that are descriptors */
    bool walks[MAP_MAX];
    bool has_out;
    Opnd out;
    Walk wout;
    Type *ret;
} Map;

/* The shortest operand ends the loop. */
static IrRef map_length(Sema *s, Map *m, Loc loc)
{
    IrRef n = IR_NONE;
    for (int i = (int)m->nin; i >= 0; i--) {
        bool out = i == (int)m->nin;
        if (out ? !m->has_out || m->out.k == O_PTR : !m->walks[i]) continue;
        IrRef len = out ? m->wout.len : m->walk[i].len;
        n = n.i ? ir_select(fn_of(s), s->fn->cur, ir_icmp(fn_of(s), s->fn->cur, CMP_ULT, len, n, loc), len, n, loc) : len;
    }
    return n;
}

/* One offset for all based walks of equal steps. */
static void walks_share(Sema *s, Map *m, Loc loc)
{
    Walk *w[MAP_MAX + 1];
    int n = 0;
    for (uint32_t i = 0; i < m->nin; i++)
        if (m->walks[i] && m->walk[i].based) w[n++] = &m->walk[i];
    if (m->has_out && m->out.k == O_DSD && m->wout.based) w[n++] = &m->wout;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i && !w[i]->rides; k++)
            if (w[k]->step_bytes == w[i]->step_bytes) {
                w[i]->at = w[k]->at;
                w[i]->rides = true;
            }
        if (!w[i]->rides) w[i]->at = walk_var(s, c16(s, 0, loc), loc);
    }
}

static void map_body(Sema *s, Map *m, Loc loc)
{
    Value args[MAP_MAX];
    for (uint32_t i = 0; i < m->nin; i++) {
        args[i] = m->walks[i] ? walk_read(s, &m->walk[i]) : m->in[i].v;
        if (args[i].kind == V_ERR) return;
    }
    Value r = call_fn(s, m->fn, m->nin, args, loc);
    if (m->has_out && r.kind != V_ERR) {
        if (m->out.k != O_PTR) walk_write(s, &m->wout, r);
        else addr_store(s, m->out.addr, m->out.t, r, loc);
    }
    for (uint32_t i = 0; i < m->nin; i++)
        if (m->walks[i]) walk_step(s, &m->walk[i]);
    if (m->has_out && m->out.k != O_PTR) walk_step(s, &m->wout);
}

static void map_loop(Sema *s, Map *m, Loc loc)
{
    IrFn *f = fn_of(s);
    walks_share(s, m, loc);
    IrRef bound = map_length(s, m, loc), zero = c16(s, 0, loc);
    IrBlk pre = s->fn->cur, head = ir_block_new(f, "map"), done = ir_block_new(f, "mapped");
    ir_condbr(f, pre, ir_icmp(f, pre, CMP_NE, bound, zero, loc), head, done, loc);
    s->fn->cur = head;
    IrRef i = ir_phi(f, head, T_I16, loc);
    map_body(s, m, loc);
    IrRef next = bin(s, IR_ADD, i, c16(s, 1, loc), loc);
    ir_condbr(f, s->fn->cur, ir_icmp(f, s->fn->cur, CMP_ULT, next, bound, loc), head, done, loc);
    ir_phi_add(f, i, pre, zero);
    ir_phi_add(f, i, s->fn->cur, next);
    s->fn->cur = done;
}

/* The callback's parameter i as a type; of a generic callback the element that the descriptor was made from. */
static Type *map_param(Sema *s, const Map *m, uint32_t i)
{
    AstNode *p = m->fn.u.decl->node->u.fn.args.v[i];
    if (p->u.arg.type && p->u.arg.type->kind != AST_T_ANYTYPE) {
        Scope *sc = scope_push(s, NULL);
        sc->mod = m->fn.u.decl->mod;
        Type *t = eval_type(s, sc, p->u.arg.type);
        scope_pop(s, sc);
        return t;
    }
    const Opnd *o = &m->in[i];
    if (!o->home && o->v.kind == V_DSD && o->v.u.dsd->elem) return o->v.u.dsd->elem;
    SEMA_ERR(s, dsd_map_type, o->loc, d_int(i + 1));
    return NULL;
}

static Type *map_ret(Sema *s, const Map *m)
{
    AstNode *r = m->fn.u.decl->node->u.fn.ret;
    if (!r) return ty_void;
    Scope *sc = scope_push(s, NULL);
    sc->mod = m->fn.u.decl->mod;
    Type *t = eval_type(s, sc, r);
    scope_pop(s, sc);
    return t;
}

static bool map_in(Sema *s, Scope *sc, AstNode *n, Map *m, uint32_t i)
{
    Opnd *o = &m->in[i];
    if (!dsd_opnd(s, sc, arg(n, 1 + i), NULL, o)) return false;
    if (o->k == O_DSR && o->file != DSRT_SRC1) return SEMA_ERR(s, dsd_dsr_file, o->loc, d_type(o->t), d_str("an input of @map")), false;
    if (o->k == O_PTR && o->v.kind == V_ERR) {       /* &x of memory: as the pointer that it is */
        Place p = {.kind = P_MEM, .type = o->t, .addr = o->addr, .is_const = o->is_const};
        o->v = place_ptr(s, &p, o->loc);
    }
    if (o->k != O_DSD && o->k != O_DSR) return o->v.kind != V_ERR;
    if (o->k == O_DSD && o->t->sub == DSDT_CIRCBUF) return SEMA_ERR(s, dsd_circbuf, o->loc), false;
    if (o->k == O_DSD && o->t->sub == DSDT_FABOUT) {
        SEMA_ERR(s, dsd_direction, o->loc, d_type(o->t), d_str("read"));
        return false;
    }
    m->walks[i] = true;
    m->walk[i] = (Walk){.o = *o, .t = map_param(s, m, i)};
    return m->walk[i].t && walk_open(s, &m->walk[i]);
}

static bool map_out(Sema *s, Scope *sc, AstNode *n, Map *m)
{
    Opnd *o = &m->out;
    if (!dsd_opnd(s, sc, arg(n, 1 + m->nin), NULL, o)) return false;
    if (o->k == O_DSR && o->file != DSRT_DEST) return SEMA_ERR(s, dsd_dsr_file, o->loc, d_type(o->t), d_str("the destination of @map")), false;
    if (o->k == O_DSD && o->t->sub == DSDT_CIRCBUF) return SEMA_ERR(s, dsd_circbuf, o->loc), false;
    if (o->k != O_DSD && o->k != O_PTR && o->k != O_DSR) {
        SEMA_ERR(s, dsd_operand, o->loc, d_str("map"), d_str("the destination"), d_str("a DSD or the address of a variable"),
                 d_str(dsd_opnd_text(o)));
        return false;
    }
    if (o->k == O_DSD && o->t->sub == DSDT_FABIN) {
        SEMA_ERR(s, dsd_direction, o->loc, d_type(o->t), d_str("written"));
        return false;
    }
    if (o->k == O_DSD && dsd_of_constant(s, o)) {
        SEMA_ERR(s, dsd_const_dest, o->loc, d_int(0));
        return false;
    }
    m->wout = (Walk){.o = *o, .t = m->ret};
    return o->k == O_PTR || walk_open(s, &m->wout);
}

static Value map_call(Sema *s, Scope *sc, AstNode *n, Value fn)
{
    Map m = {.fn = fn};
    if (m.fn.kind == V_ERR || !dsd_runtime(s, n->loc)) return V_NONE;
    if (m.fn.kind != V_FN || m.fn.u.decl->node->kind != AST_FN)
        return SEMA_ERR(s, dsd_map_fn, arg_loc(n, 0), d_type(m.fn.type));
    AstNode *last = arg(n, n->u.builtin.args.n - 1);
    if (last->kind == AST_INIT && !last->u.init.type) return SEMA_ERR(s, not_built, last->loc, d_str("an option of @map"));
    m.ret = map_ret(s, &m);
    if (!m.ret) return V_NONE;
    m.has_out = m.ret->kind != TY_VOID;
    m.nin = m.fn.u.decl->node->u.fn.args.n;
    uint32_t have = n->u.builtin.args.n - 1;
    if (have != m.nin + m.has_out || m.nin >= MAP_MAX)
        return SEMA_ERR(s, dsd_map_arity, n->loc, d_uint(m.nin), d_str(m.has_out ? "a destination" : "no destination"),
                        d_uint(have));
    bool any = false;
    for (uint32_t i = 0; i < m.nin; i++) {
        if (!map_in(s, sc, n, &m, i)) return V_NONE;
        any |= m.walks[i];
    }
    if (m.has_out && !map_out(s, sc, n, &m)) return V_NONE;
    if (!any && !(m.has_out && m.out.k != O_PTR)) return SEMA_ERR(s, dsd_map_length, n->loc, d_int(0));
    map_loop(s, &m, n->loc);
    return v_void();
}

Value dsd_map(Sema *s, Scope *sc, AstNode *n) { return map_call(s, sc, n, eval_expr(s, sc, arg(n, 0), NULL)); }

/* @popcnt(d, a) and the like: a function of <bits> for each element */
Value dsd_bits(Sema *s, Scope *sc, AstNode *n, const char *fn)
{
    if (n->u.builtin.args.n != 2) return SEMA_ERR(s, builtin_args, n->loc, d_str(arena_printf(s->arena, "@%s(d, a)", n->u.builtin.name)), d_uint(n->u.builtin.args.n));
    AstNode *args[3] = {n, arg(n, 1), arg(n, 0)}, as_map = *n;
    as_map.u.builtin.args = (AstList){args, 3};
    return map_call(s, sc, &as_map, library_fn(s, "<bits>", fn, n->loc));
}
