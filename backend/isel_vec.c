/* Selection of DSR loads and vector operations.
 * A slot becomes one virtual DSR for each register file that its uses stand in (the position of the operand says which), and
 * each is loaded; a destination that is also the first source is updated in place and costs no load of its own. */
#include "backend/isel.h"
#include <assert.h>
#include <string.h>

enum { FILE_DEST, FILE_SRC0, FILE_SRC1 };
static const RegClass file_class[3] = {RC_DEST, RC_SRC0, RC_SRC1};
static const Reg file_phys[3] = {PR_DEST, PR_SRC0, PR_SRC1};

static int opcode(int vop)
{
    static int16_t map[IRV_COUNT];
    if (!map[vop]) {
        int op = pe_opcode_by_name(ir_vops[vop].name, strlen(ir_vops[vop].name));
        assert(op > 0);
        map[vop] = (int16_t)op;
    }
    return map[vop];
}

static IrRef arg(const IrIns *in, int k) { return k < in->nargs ? in->args[k] : IR_NONE; }
static bool is_slot(IrFn *f, IrRef r) { return r.i && ir_ins(f, r)->op == IR_DSRSLOT; }
static bool is_dot(IrFn *f, IrRef r) { return r.i && ir_ins(f, r)->op == IR_DOTSLOT; }

/* ---- what descriptors are known to be */
DescInfo isel_desc_at(const BeCtx *cx, IrSym sym, int64_t off)
{
    DescInfo d = {0};
    if (!sym.i || ir_sym_is_fn(sym)) return d;
    IrGlobal *g = ir_global(cx->m, sym);
    if (!g->init || off < 0 || off + 8 > g->size_bytes) return d;
    d.kind = g->init[off + 6] & 7;
    if (cx->desc[sym.i - 1].kind == 0xff) return d;      /* whole descriptors are stored to it: its array is not known */
    for (ptrdiff_t i = 0; i < arrlen(g->relocs); i++)
        if (g->relocs[i].off == (uint32_t)off && !ir_sym_is_fn(g->relocs[i].sym)) d.array = g->relocs[i].sym.i;
    return d;
}

static DescInfo desc_of_ptr(Isel *s, IrRef p, int64_t off)
{
    for (;;) {
        IrIns *in = ir_ins(s->f, isel_resolve(s, p));
        int64_t c;
        if (in->op == IR_GADDR) return isel_desc_at(s->cx, in->sym, in->imm + off);
        if (in->op != IR_ADD || !is_const(s->f, in->args[1], &c)) return (DescInfo){0};
        off += c;
        p = in->args[0];
    }
}

static DescInfo desc_of_value(Isel *s, IrRef v)
{
    bool rebased = false;
    uint32_t array = 0;
    for (int steps = 0; steps < 64; steps++) {
        IrIns *in = ir_ins(s->f, v);
        switch (in->op) {
        case IR_DSDBASE:
            if (!rebased) array = isel_root(s, in->args[1], NULL);
            rebased = true;
            v = in->args[0];
            break;
        case IR_DSDLEN: case IR_DSDOFF: case IR_DSDSTRIDE: v = in->args[0]; break;
        case IR_CONST: return (DescInfo){(uint8_t)((uint64_t)in->imm >> 48 & 7), array};
        case IR_LOAD: {
            DescInfo d = desc_of_ptr(s, in->args[0], in->imm);
            if (rebased) d.array = array;
            return d;
        }
        default: return (DescInfo){0, 0};
        }
    }
    return (DescInfo){0, 0};
}

static void see(SlotInfo *sl, DescInfo d)
{
    bool fabric = d.kind == DSD_FABIN || d.kind == DSD_FABOUT, memory = d.kind == DSD_MEM1D || d.kind == DSD_MEMND;
    if (!sl->seen) {
        sl->fabric = fabric;
        sl->memory = memory;
        sl->array = d.array;
    } else {
        sl->fabric &= fabric;
        sl->memory &= memory;
        if (sl->array != d.array) sl->array = 0;
    }
    sl->seen = true;
}

static MemRef slot_ref(const SlotInfo *sl)
{
    if (sl->fabric) return (MemRef){.kind = MK_FABRIC};
    if (!sl->memory) return (MemRef){.kind = MK_UNKNOWN};
    return sl->array ? (MemRef){.kind = MK_GLOBAL, .id = sl->array} : (MemRef){.kind = MK_ANY};
}

/* ---- which files a slot is needed in, and which operations swap their sources */
static bool in_place(IrFn *f, const IrIns *in, IrRef a) { return is_slot(f, arg(in, 0)) && arg(in, 0).i == a.i; }

static int use_files(Isel *s, const IrIns *in, bool swap, bool set)
{
    IrRef d = arg(in, 0), a = arg(in, swap ? 2 : 1), b = arg(in, swap ? 1 : 2);
    int news = 0;
    struct { IrRef r; int file; } u[3] = {{d, FILE_DEST}, {a, FILE_SRC0}, {b, FILE_SRC1}};
    for (int i = 0; i < 3; i++) {
        if (!is_slot(s->f, u[i].r) || (i == 0 && in_place(s->f, in, a))) continue;
        SlotInfo *sl = &s->slots[u[i].r.i];
        if (!(sl->files >> u[i].file & 1)) news++;
        if (set) sl->files |= (uint8_t)(1u << u[i].file);
    }
    return news;
}

static bool pinned(Isel *s, IrRef r) { return is_slot(s->f, r) && slot_pin(ir_ins(s->f, r)->imm) >= 0; }

/* Swapping must not change the length (rule P1 asks the first source first) nor which microthread is meant. */
static bool may_swap(Isel *s, const IrIns *in)
{
    if (!(pe_ops[opcode(in->vop)].flags & F_COMM) || in->async.on) return false;
    IrRef a = arg(in, 1), b = arg(in, 2);
    if (pinned(s, a) || pinned(s, b) || pinned(s, arg(in, 0))) return false;
    return in->imm || !is_slot(s->f, a) || !is_slot(s->f, b);
}

void isel_slots(Isel *s)
{
    for (ptrdiff_t i = 0; i < arrlen(s->f->ins); i++) {
        IrIns *in = &s->f->ins[i];
        if (in->op != IR_DSRSLOT) continue;
        SlotInfo *sl = &s->slots[i];
        int pin = slot_pin(in->imm);
        *sl = (SlotInfo){.reg = {R_NONE, R_NONE, R_NONE}, .pin = pin < 0 ? -1 : (int8_t)(pin % 16), .xdsr = (int8_t)slot_pin_xdsr(in->imm)};
        sl->nested = in->imm == 1 || sl->xdsr >= 0;
        if (pin >= PIN_FILE) sl->files = (uint8_t)(1u << pin_file(pin));
        for (int f = 0; f < 3 && pin >= 0 && pin < PIN_FILE; f++)
            if (s->cx->pinned[file_class[f]] >> sl->pin & 1) sl->files |= (uint8_t)(1u << f);
    }
    for (int pass = 0; pass < 2; pass++)
        for (ptrdiff_t i = 0; i < arrlen(s->lp.rpo); i++) {
            IrRef *ins = s->f->blks[s->lp.rpo[i].i].ins;
            for (ptrdiff_t k = 0; k < arrlen(ins); k++) {
                IrIns *in = ir_ins(s->f, ins[k]);
                if (in->op == IR_VOP && may_swap(s, in) == (pass == 1)) {
                    bool sw = pass == 1 && use_files(s, in, true, false) < use_files(s, in, false, false);
                    s->swap[ins[k].i] = sw;
                    use_files(s, in, sw, true);
                }
                if (pass) continue;
                if (in->op == IR_DSRLOAD) see(&s->slots[in->args[0].i], desc_of_ptr(s, in->args[1], in->imm));
                if (in->op == IR_DSRLOADV) see(&s->slots[in->args[0].i], desc_of_value(s, in->args[1]));
            }
        }
    for (ptrdiff_t i = 0; i < arrlen(s->lp.rpo); i++) {  /* new bases, now that the kinds are known */
        IrRef *ins = s->f->blks[s->lp.rpo[i].i].ins;
        for (ptrdiff_t k = 0; k < arrlen(ins); k++) {
            IrIns *in = ir_ins(s->f, ins[k]);
            if (in->op != IR_DSRBASE) continue;
            SlotInfo *sl = &s->slots[in->args[0].i];
            if (sl->array != isel_root(s, in->args[1], NULL)) sl->array = 0;
        }
    }
}

static Reg slot_reg(Isel *s, IrRef r, int file)
{
    SlotInfo *sl = &s->slots[r.i];
    if (sl->reg[file] == R_NONE) {
        if (sl->pin >= 0) sl->reg[file] = file_phys[file] + sl->pin;
        else {
            sl->reg[file] = vreg_new(s->mf, file_class[file], ir_ins(s->f, r)->loc.file ? ir_ins(s->f, r)->loc : s->loc);
            s->mf->vregs[sl->reg[file] - PR_VIRT].nested = sl->nested;
        }
    }
    return sl->reg[file];
}

static Reg dot_reg(Isel *s, IrRef r)
{
    if (s->lo[r.i] == R_NONE) s->lo[r.i] = vreg_new(s->mf, RC_DOT, ir_ins(s->f, r)->loc.file ? ir_ins(s->f, r)->loc : s->loc);
    return s->lo[r.i];
}

/* ---- loads of DSRs */
enum { DL_MIN = -1024, DL_MAX = 1022, DL_ANCHOR0 = 1024, DL_STEP = 2048 };

static void dsr_load(Isel *s, IrIns *in)
{
    SlotInfo *sl = &s->slots[in->args[0].i];
    int64_t off = in->imm;
    IrRef p = isel_resolve(s, in->args[1]);
    IrIns *g = ir_ins(s->f, p);
    int64_t c;
    while (g->op == IR_ADD && is_const(s->f, g->args[1], &c)) {
        off += c;
        p = isel_resolve(s, g->args[0]);
        g = ir_ins(s->f, p);
    }
    if (!sl->files) return;
    Reg base;
    MemRef ref = {.kind = MK_ANY};
    if (g->op == IR_GADDR) {
        ref = (MemRef){MK_GLOBAL, g->sym.i, (int32_t)(g->imm + off), 8};
        off += s->cx->place[g->sym.i - 1].addr_off + g->imm;
        int64_t a = DL_ANCHOR0 + off / DL_STEP * DL_STEP;
        base = isel_anchor(s, a);
        off -= a;
    } else base = isel_need(s, p);
    if (off < DL_MIN || off > DL_MAX || (off & 1)) {
        Reg t = isel_tmp(s);
        isel_emit(s, OP_ADD, t, base, isel_int(s, off));
        base = t;
        off = 0;
    }
    for (int f = 0; f < 3; f++) {
        if (!(sl->files >> f & 1)) continue;
        MIns *l = isel_emit_imm(s, OP_LDDSR, slot_reg(s, in->args[0], f), base, off / 2);
        l->rd[0] = ref;
        if (sl->xdsr >= 0) l->k = (uint8_t)sl->xdsr;
        if (sl->nested || !sl->seen) l->rd[1] = (MemRef){.kind = MK_ANY};     /* the shape record */
    }
}

/* dsr.loadv of a value that was made by changing base or length: load the old one and change the DSR */
static void dsr_loadv(Isel *s, IrIns *in)
{
    SlotInfo *sl = &s->slots[in->args[0].i];
    IrRef v = in->args[1];
    IrRef base = IR_NONE, len = IR_NONE;
    for (;;) {
        IrIns *x = ir_ins(s->f, v);
        if (s->uses[v.i] > 1) break;
        if (x->op == IR_DSDBASE && !base.i) base = x->args[1];
        else if (x->op == IR_DSDLEN && !len.i) len = x->args[1];
        else break;
        v = x->args[0];
    }
    if (!sl->files) return;
    Reg lo = isel_need(s, v), hi = isel_need_hi(s, v);
    for (int f = 0; f < 3; f++) {
        if (!(sl->files >> f & 1)) continue;
        Reg r = slot_reg(s, in->args[0], f);
        MIns *l = isel_emit(s, OP_LDDSRR, r, lo, hi);
        if (sl->xdsr >= 0) l->k = (uint8_t)sl->xdsr;
        if (sl->nested || !sl->seen) l->rd[1] = (MemRef){.kind = MK_ANY};
        if (base.i) isel_emit(s, OP_DSRB, r, isel_need(s, base), R_NONE);
        if (len.i) isel_emit(s, OP_DSRL, r, isel_need(s, len), R_NONE);
    }
}

static void dsr_set(Isel *s, IrIns *in, int op)
{
    SlotInfo *sl = &s->slots[in->args[0].i];
    for (int f = 0; f < 3; f++)
        if (sl->files >> f & 1) isel_emit(s, op, slot_reg(s, in->args[0], f), isel_need(s, in->args[1]), R_NONE);
}

/* ---- vector operations */
typedef struct { Reg r; MemRef ref; } Operand;

static Operand operand(Isel *s, IrRef r, int file)
{
    if (!r.i) return (Operand){.r = R_NONE};
    if (is_slot(s->f, r)) return (Operand){slot_reg(s, r, file), slot_ref(&s->slots[r.i])};
    if (is_dot(s->f, r)) return (Operand){.r = dot_reg(s, r)};
    return (Operand){.r = isel_need(s, r)};
}

static void vop_error(Isel *s, IrIns *in, const char *why)
{
    BE_DIAG(s->cx->d, vop_operand, in->loc, d_str(ir_vops[in->vop].name), d_str(why));
    s->cx->failed = true;
}

/* FMACS, FMSS, FMACH: opcodes of own count 1; others only know rule P1 */
static int four_operand(Isel *s, IrIns *in, int op, bool any_slot)
{
    if (in->imm > 1) vop_error(s, in, "a multiply-add has no own count but 1");
    if (in->imm != 1 && any_slot) return op;
    return op == OP_FMACS ? OP_FMACS1 : op == OP_FMSS ? OP_FMSS1 : OP_FMACH1;
}

static void vop(Isel *s, IrRef r, IrIns *in)
{
    int op = opcode(in->vop);
    bool v4 = pe_ops[op].fmt == FMT_V4, sw = s->swap[r.i];
    IrRef rd = arg(in, 0), ra = arg(in, sw ? 2 : 1), rb = arg(in, sw ? 1 : 2), rc = arg(in, 3);
    if (v4 && is_slot(s->f, rc)) {                       /* c cannot be a DSR; b * c commutes */
        if (is_slot(s->f, rb)) vop_error(s, in, "one factor must be a register or a dot register");
        vop_error(s, in, "the second factor must not be a descriptor: swap the factors");
        return;
    }
    Operand a = operand(s, ra, FILE_SRC0), b = operand(s, rb, FILE_SRC1), c = operand(s, rc, 0), d = {.r = R_NONE};
    bool to_dot = pe_ops[op].flags & F_RDEST && !v4, result = false;
    Reg store_to = R_NONE, out = R_NONE;
    if (is_slot(s->f, rd)) {
        d = in_place(s->f, in, ra) ? (Operand){R_SAME, slot_ref(&s->slots[rd.i])} : operand(s, rd, FILE_DEST);
        if ((pe_ops[op].flags & F_RDEST) && !to_dot) {   /* FMSS: only a register; then a move */
            if (in->imm != 1) vop_error(s, in, "the result goes to a register, one element");
            if (d.r == R_SAME) vop_error(s, in, "the destination cannot be the first source");
            store_to = d.r;
            d.r = isel_tmp(s);
        }
    } else if (is_dot(s->f, rd)) {
        d.r = dot_reg(s, rd);
        if (!to_dot) {                                   /* nothing else writes dot registers */
            vop_error(s, in, "only dot and sum operations write a dot register");
            return;
        }
    } else if (rd.i) {
        vop_error(s, in, "the destination must be a slot");
        return;
    } else {
        result = true;
        out = s->lo[r.i] == R_NONE ? isel_tmp(s) : s->lo[r.i];
        d.r = to_dot ? vreg_new(s->mf, RC_DOT, in->loc) : out;
    }
    bool any = is_slot(s->f, rd) || is_slot(s->f, ra) || is_slot(s->f, rb);
    if (v4) op = four_operand(s, in, op, any);
    MIns *m = isel_emit(s, op, d.r, a.r, b.r);
    m->c = c.r;
    m->imm = v4 ? 0 : (int32_t)in->imm;
    if (!v4 && !any && !m->imm) m->imm = 1;
    m->rd[0] = a.ref;
    m->rd[1] = b.ref;
    if (store_to == R_NONE) m->wr = d.ref;
    m->is_async = in->async.on;
    m->async = in->async;
    MemRef wref = d.ref;
    if (store_to != R_NONE) {
        MIns *mv = isel_emit(s, OP_FMOVS, store_to, R_NONE, d.r);
        mv->imm = 1;
        mv->wr = wref;
    }
    if (result && to_dot) {
        MIns *mv = isel_emit(s, OP_FMOVS, out, R_NONE, d.r);
        mv->imm = 1;
    }
}

void isel_vec(Isel *s, IrRef r)
{
    IrIns *in = ir_ins(s->f, r);
    switch (in->op) {
    case IR_DSRLOAD: dsr_load(s, in); return;
    case IR_DSRLOADV: dsr_loadv(s, in); return;
    case IR_DSRBASE: dsr_set(s, in, OP_DSRB); return;
    case IR_DSRLEN: dsr_set(s, in, OP_DSRL); return;
    case IR_DSRINDEX: dsr_set(s, in, OP_DSRX); return;
    default: vop(s, r, in); return;
    }
}
