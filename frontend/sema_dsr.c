/* frontend/sema_dsr.c: data-structure registers of the program's own: @get_dsr, @get_xdsr, @get_sr, and what loads and changes them.
 *
 * A register is its number: a V_INT of a DSR type.  In WIR it is a pinned slot.  A load in a comptime block is done before the
 * program begins: by code that runs at boot.  The shape of a nested descriptor goes into the XDSR that the program names; strides
 * stand in the shape, so that stride registers are checked and hold nothing. */
#include "frontend/sema_dsd.h"

/* the register file: DSRT_DEST, DSRT_SRC0, DSRT_SRC1; -1: an XDSR or SR */
int dsr_file(const Type *t)
{
    static const int8_t file[] = {DSRT_DEST, DSRT_SRC0, DSRT_SRC1, DSRT_DEST, DSRT_SRC1, -1, -1};
    return file[t->sub];
}

bool dsr_is_fifo(const Type *t) { return t->kind == TY_DSR && (t->sub == DSRT_FIFO_DEST || t->sub == DSRT_FIFO_SRC1); }

IrRef dsr_slot(Sema *s, int file, int num, int xdsr, Loc loc)
{
    return dsd_slot_new(s, SLOT_PIN + PIN_FILE + 16 * file + num + PIN_XDSR * (xdsr + 1), loc);
}

DsdState *dsd_state(Sema *s)
{
    if (!s->dsd) s->dsd = ARENA_NEW(s->arena, DsdState);
    return s->dsd;
}

/* Elements that a DSR was loaded with for @map: a word of memory, written with each such load. */
IrSym dsr_length(Sema *s, int file, int num)
{
    IrSym *y = &dsd_state(s)->len[file][num];
    if (!y->i) {
        *y = ir_global_new(s->ir, sema_unique(s, ".dsrlen"), 2, 2);
        ir_global(s->ir, *y)->elem_type = WT_U16;
    }
    return *y;
}

/* ---- naming one */
Value dsd_get_dsr(Sema *s, Scope *sc, AstNode *n)
{
    Type *t = eval_type(s, sc, arg(n, 0));
    int64_t k;
    if (!t) return V_NONE;
    if (t->kind != TY_DSR || dsr_file(t) < 0) return SEMA_ERR(s, dsd_dsr_kind, arg_loc(n, 0), d_type(t));
    if (n->u.builtin.args.n < 2) return SEMA_ERR(s, not_built, n->loc, d_str("@get_dsr without a number"));
    Value v = eval_expr(s, sc, arg(n, 1), NULL);
    if (v.kind == V_INT && v.type->kind == TY_DSR) {        /* the same register, known to hold a FIFO */
        if (dsr_is_fifo(t) && dsr_file(v.type) == dsr_file(t)) return v_int(t, v.u.i);
        return SEMA_ERR(s, dsd_dsr_kind, arg_loc(n, 1), d_type(v.type));
    }
    if (v.kind == V_ERR || !known_int(s, v, "a DSR", 0, N_DSR - 1, arg_loc(n, 1), &k)) return V_NONE;
    return v_int(t, k);
}

/* @get_xdsr(n), @get_sr(n) */
Value dsd_get_xdsr(Sema *s, Scope *sc, AstNode *n, bool sr)
{
    int64_t k;
    if (!eval_known_int(s, sc, arg(n, 0), sr ? "a stride register" : "an XDSR", 0, N_XDSR - 1, &k)) return V_NONE;
    return v_int(sr ? ty_sr : ty_xdsr, k);
}

/* ---- loading one */
static const char *const load_later[] = {"advance_switch", "control_transform", "simd_mode", NULL};

/* A run-time descriptor with words changed, through memory.  set: bits that are added to what is there. */
static bool patched_load(Sema *s, IrRef slot, const Opnd *o, const Done *done, unsigned save, unsigned control)
{
    IrFn *f = fn_of(s);
    IrBlk *cur = &s->fn->cur;
    Value v = o->home ? addr_load(s, o->addr, o->t, o->loc) : o->v;
    IrRef d = dsd_ir(s, &v, o->loc);
    if (!d.i) return false;
    IrRef m = ir_alloca(f, 8, o->loc);
    ir_store(f, *cur, m, 0, d, o->loc);
    uint16_t none[4] = {(uint16_t)control, (uint16_t)save, 0, 0}, all[4] = {0xffff, 0xffff, 0xffff, 0xffff};   /* what gets set; what stays */
    dsd_done_words(done, is_fabric(o->t), none);
    dsd_done_words(done, is_fabric(o->t), all);
    for (int k = 0; k < 4; k++) {
        if (none[k] == 0 && all[k] == 0xffff) continue;
        IrRef w = ir_load(f, *cur, T_I16, m, 2 * k, o->loc);
        if (all[k] != 0xffff) w = ir_bin(f, *cur, IR_AND, w, ir_const(f, *cur, T_I16, all[k], o->loc), o->loc);
        if (none[k]) w = ir_bin(f, *cur, IR_OR, w, ir_const(f, *cur, T_I16, none[k], o->loc), o->loc);
        ir_store(f, *cur, m, 2 * k, w, o->loc);
    }
    ir_append(f, *cur, IR_DSRLOAD, T_VOID, 2, (IrRef[]){slot, m}, o->loc);
    return true;
}

/* Load a slot from a descriptor with those words changed. */
bool dsd_load_changed(Sema *s, IrRef slot, Opnd *d, const Done *done, bool save, unsigned control)
{
    bool change = save || control || done->act >= 0 || done->unb >= 0 || done->ut >= 0 || done->prio;
    if (!change) return dsd_slot_load(s, slot, d);
    if (d->v.kind != V_DSD || d->home) return patched_load(s, slot, d, done, save ? DSD_SAVE : 0, control);
    DsdConst c = *d->v.u.dsd;
    if (save) c.w[1] |= DSD_SAVE;
    c.w[0] |= (uint16_t)control;
    dsd_done_words(done, is_fabric(d->t), c.w);
    d->v = dsd_const(s, d->t, c);
    return dsd_slot_load(s, slot, d);
}

typedef struct Load { Opnd r, d; int xdsr; bool save, async, step; Done done; unsigned control; } Load;

static bool load_options(Sema *s, Scope *sc, AstNode *n, Load *l)
{
    static const char *const fabric[] = {"async", "activate", "unblock", "ut_id", "priority", "on_control", "single_step", "save_address", NULL};
    Cfg c;
    l->done = dsd_done_none;
    if (!n) return true;
    if (!dsd_cfg(&c, s, sc, n, "a load of a DSR", fabric, load_later) || !dsd_cfg_bool(&c, "save_address", &l->save) ||
        !dsd_cfg_bool(&c, "single_step", &l->step) || !dsd_cfg_bool(&c, "async", &l->async) || !dsd_cfg_done(&c, &l->done) ||
        !dsd_cfg_on_control(&c, &l->control)) return false;
    if (is_fabric(l->d.t)) return true;
    const char *first = l->done.act >= 0 ? "activate" : l->done.unb >= 0 ? "unblock" : l->control ? "on_control" : NULL;
    if (first) SEMA_ERR(s, dsd_mem_done, c.loc, d_str(first));
    return !first;
}

/* the elements of the descriptor, into the word that @map looks at */
static bool keep_length(Sema *s, const Load *l, Loc loc)
{
    IrFn *f = fn_of(s);
    IrRef len;
    Value v = l->d.home ? addr_load(s, l->d.addr, l->d.t, loc) : l->d.v;
    if (v.kind == V_DSD) len = ir_const(f, s->fn->cur, T_I16, v.u.dsd->w[1] & LEN_ENDLESS, loc);
    else {
        IrRef d = dsd_ir(s, &v, loc);
        if (!d.i) return false;
        IrRef m = ir_alloca(f, 8, loc);
        ir_store(f, s->fn->cur, m, 0, d, loc);
        len = ir_bin(f, s->fn->cur, IR_AND, ir_load(f, s->fn->cur, T_I16, m, 2, loc), ir_const(f, s->fn->cur, T_I16, LEN_ENDLESS, loc), loc);
    }
    ir_store(f, s->fn->cur, ir_gaddr(f, s->fn->cur, dsr_length(s, l->r.file, l->r.num), 0, loc), 0, len, loc);
    return true;
}

static bool load_emit(Sema *s, Load *l, Loc loc)
{
    IrRef slot = dsr_slot(s, l->r.file, l->r.num, l->xdsr, loc);
    if (l->step && !keep_length(s, l, loc)) return false;
    return dsd_load_changed(s, slot, &l->d, &l->done, l->save, l->control);
}

/* In a comptime block the load is done at boot, by code of its own. */
static Value load_done(Sema *s, Load *l, Loc loc)
{
    if (in_pe_code(s)) return load_emit(s, l, loc) ? v_void() : V_NONE;
    if (!s->in_comptime) return dsd_runtime(s, loc), V_NONE;
    if (!s->ir) return v_void();
    if (!l->d.home && l->d.v.kind != V_DSD) return SEMA_ERR(s, not_comptime, loc, d_str("the descriptor"));
    FnState *was = s->fn;
    bool ct = s->in_comptime;
    s->fn = start_code(s, loc);
    s->in_comptime = false;
    bool ok = load_emit(s, l, loc);
    s->fn = was;
    s->in_comptime = ct;
    return ok ? v_void() : V_NONE;
}

static bool number_of_kind(Sema *s, Scope *sc, AstNode *a, Type *t, int *num)
{
    Value v = eval_expr(s, sc, a, NULL);
    if (v.kind == V_ERR) return false;
    if (v.kind == V_INT && v.type == t) return *num = (int)v.u.i, true;
    return SEMA_ERR(s, type_mismatch, a->loc, d_type(t), d_type(v.type)), false;
}

/* The operand after the DSR (and XDSR): a descriptor that goes into such registers by this builtin. */
static bool load_operands(Sema *s, Scope *sc, AstNode *n, uint32_t at, Load *l)
{
    const char *name = n->u.builtin.name;
    l->xdsr = -1;
    if (!dsd_opnd(s, sc, arg(n, 0), NULL, &l->r)) return false;
    if (l->r.k != O_DSR) return SEMA_ERR(s, dsd_not_dsd, arg_loc(n, 0), d_str(name), d_str("DSR"), d_str(dsd_opnd_text(&l->r))), false;
    if (at > 1 && !number_of_kind(s, sc, arg(n, 1), ty_xdsr, &l->xdsr)) return false;
    if (!dsd_opnd(s, sc, arg(n, at), NULL, &l->d)) return false;
    if (l->d.k != O_DSD) return SEMA_ERR(s, dsd_not_dsd, arg_loc(n, at), d_str(name), d_str("DSD"), d_str(dsd_opnd_text(&l->d))), false;
    const char *by = l->d.t->sub == DSDT_CIRCBUF ? "load_to_dsr_xdsr" : l->d.t->sub == DSDT_MEM4D ? "load_to_dsr_xdsr_sr" : "load_to_dsr";
    if (strcmp(by, name)) return SEMA_ERR(s, dsr_load_by, arg_loc(n, at), d_type(l->d.t), d_str(by)), false;
    bool wrong = l->r.file == DSRT_DEST ? l->d.t->sub == DSDT_FABIN : l->d.t->sub == DSDT_FABOUT;
    if (wrong || l->d.t->sub == DSDT_FIFO) return SEMA_ERR(s, dsd_dsr_dir, arg_loc(n, at), d_type(l->d.t), d_type(l->r.t)), false;
    return true;
}

Value dsd_load_to_dsr(Sema *s, Scope *sc, AstNode *n)
{
    Load l = {.xdsr = -1};
    if (!load_operands(s, sc, n, 1, &l) || !load_options(s, sc, n->u.builtin.args.n > 2 ? arg(n, 2) : NULL, &l)) return V_NONE;
    return load_done(s, &l, n->loc);
}

Value dsd_load_xdsr(Sema *s, Scope *sc, AstNode *n)
{
    Load l = {.xdsr = -1};
    if (!load_operands(s, sc, n, 2, &l) || !load_options(s, sc, n->u.builtin.args.n > 3 ? arg(n, 3) : NULL, &l)) return V_NONE;
    return load_done(s, &l, n->loc);
}

/* (dsr, xdsr, .{ sr, ... }, dsd, options) */
Value dsd_load_xdsr_sr(Sema *s, Scope *sc, AstNode *n)
{
    Load l = {.xdsr = -1};
    Value srs = eval_expr(s, sc, arg(n, 2), NULL);
    if (srs.kind == V_ERR) return srs;
    bool ok = srs.kind == V_VOID || (srs.kind == V_AGG && srs.n <= 3);
    for (uint32_t i = 0; ok && srs.kind == V_AGG && i < srs.n; i++) ok = agg_at(&srs, i)->type == ty_sr;
    if (!ok) return SEMA_ERR(s, dsr_strides, arg_loc(n, 2));
    if (!load_operands(s, sc, n, 3, &l) || !load_options(s, sc, n->u.builtin.args.n > 4 ? arg(n, 4) : NULL, &l)) return V_NONE;
    return load_done(s, &l, n->loc);
}

/* ---- changing one: @set_dsr_length(dsr, n), @set_dsr_base_addr(dsr, pointer) */
Value dsd_set_dsr(Sema *s, Scope *sc, AstNode *n, bool base)
{
    Opnd r;
    if (!dsd_runtime(s, n->loc) || !dsd_opnd(s, sc, arg(n, 0), NULL, &r)) return V_NONE;
    if (r.k != O_DSR) return SEMA_ERR(s, dsd_not_dsd, arg_loc(n, 0), d_str(n->u.builtin.name), d_str("DSR"), d_str(dsd_opnd_text(&r)));
    IrRef x;
    if (base) {
        Addr a;
        Type *elem;
        if (!dsd_base_of(s, sc, arg(n, 1), NULL, &a, &elem, arg_loc(n, 1))) return V_NONE;
        x = addr_ir(s, a, n->loc);
    } else {
        Value v = eval_as(s, sc, arg(n, 1), ty_u16);
        if (v.kind == V_ERR) return v;
        x = value_ir(s, v, ty_u16, n->loc);
    }
    if (!x.i) return V_NONE;
    ir_append(fn_of(s), s->fn->cur, base ? IR_DSRBASE : IR_DSRLEN, T_VOID, 2, (IrRef[]){dsr_slot(s, r.file, r.num, -1, n->loc), x}, n->loc);
    return v_void();
}
