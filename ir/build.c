/* Building WIR: modules, functions, blocks, instructions.
 * Operand, block and case lists are in the module's arena and are copied when they grow; an instruction never moves to another
 * handle.  Nothing is folded here: what is asked for is what is built. */
#include "ir.h"
#include <assert.h>
#include <string.h>

#define IROP(name, text, nargs, flags, doc) [IR_##name] = {text, nargs, flags, doc},
const IrOpRow ir_ops[IR_NOPS] = {
#include "ir_ops.def"
};
#define IRVOP(name, d, a, b, c) [IRV_##name] = {#name, d, a, b, c},
const IrVopRow ir_vops[IRV_COUNT] = {
#include "ir_vops.def"
};
static const struct { const char *name; int bytes, bits; } types[T_COUNT] = {
    [T_VOID] = {"void", 0, 0}, [T_I1] = {"i1", 1, 1},      [T_I8] = {"i8", 1, 8},     [T_I16] = {"i16", 2, 16},
    [T_I32] = {"i32", 4, 32},  [T_I64] = {"i64", 8, 64},   [T_F16] = {"f16", 2, 16},  [T_BF16] = {"bf16", 2, 16},
    [T_CB16] = {"cb16", 2, 16}, [T_F32] = {"f32", 4, 32},  [T_PTR] = {"ptr", 2, 16},  [T_DSD] = {"dsd", 8, 64},
    [T_SLOT] = {"slot", 0, 0},
};

int ir_type_bytes(IrType t) { return types[t].bytes; }
int ir_type_bits(IrType t) { return types[t].bits; }
const char *ir_type_name(IrType t) { return (unsigned)t < T_COUNT ? types[t].name : "?"; }

int ir_vop_by_name(const char *name)
{
    for (int i = 0; i < IRV_COUNT; i++) {
        const char *a = ir_vops[i].name, *b = name;
        while (*a && *b && (*a == *b || (*a >= 'A' && *a <= 'Z' && *a + 32 == *b))) a++, b++;
        if (!*a && !*b) return i;
    }
    return -1;
}

/* ---- module, functions, globals */
IrModule *ir_module_new(Arena *a, const char *name)
{
    IrModule *m = ARENA_NEW(a, IrModule);
    m->arena = a;
    m->name = arena_strdup(a, name);
    return m;
}

void ir_module_free(IrModule *m)
{
    if (!m) return;
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++) {
        IrFn *f = m->fns[i];
        for (ptrdiff_t b = 0; b < arrlen(f->blks); b++) {
            arrfree(f->blks[b].ins);
            arrfree(f->blks[b].preds);
        }
        arrfree(f->blks);
        arrfree(f->ins);
        arrfree(f->params);
    }
    for (ptrdiff_t i = 0; i < arrlen(m->globals); i++) arrfree(m->globals[i].relocs);
    arrfree(m->fns);
    arrfree(m->globals);
    arrfree(m->boot);
}

IrFn *ir_fn_new(IrModule *m, const char *name, IrFnKind kind, IrType ret, IrSym *sym)
{
    IrFn *f = ARENA_NEW(m->arena, IrFn);
    f->mod = m;
    f->name = arena_strdup(m->arena, name);
    f->kind = kind;
    f->task_id = -1;
    f->ret = ret;
    arrput(f->ins, (IrIns){0});
    arrput(f->blks, (IrBlock){0});
    ir_block_new(f, "entry");
    if (sym) *sym = ir_fsym((uint32_t)arrlen(m->fns));
    arrput(m->fns, f);
    return f;
}

void ir_fn_param(IrFn *f, IrType t) { arrput(f->params, t); }

IrSym ir_global_new(IrModule *m, const char *name, uint32_t size_bytes, uint32_t align)
{
    IrGlobal g = {.name = arena_strdup(m->arena, name), .size_bytes = size_bytes, .align = align ? align : 1};
    arrput(m->globals, g);
    return ir_gsym((uint32_t)arrlen(m->globals) - 1);
}

IrBlk ir_block_new(IrFn *f, const char *name)
{
    IrBlock b = {.name = name ? arena_strdup(f->mod->arena, name) : NULL};
    arrput(f->blks, b);
    return (IrBlk){(uint32_t)arrlen(f->blks) - 1};
}

/* ---- instructions.  The room of a list is its length's next power of two, so that adding one copies only at powers of two. */
static size_t room(int n)
{
    size_t c = 1;
    while (c < (size_t)n) c *= 2;
    return c;
}

static void *grown(Arena *a, void *old, size_t n, size_t size)
{
    if (n & (n - 1)) return old;
    char *p = arena_alloc(a, (n ? 2 * n : 1) * size);
    if (n) memcpy(p, old, n * size);
    return p;
}

void ir_set_args(IrFn *f, IrRef r, int n, const IrRef *args)
{
    assert(n >= 0 && n <= UINT16_MAX);
    IrRef *p = n ? ARENA_ARR(f->mod->arena, IrRef, room(n)) : NULL;
    if (n && args) memcpy(p, args, sizeof *p * (size_t)n);
    ir_ins(f, r)->args = p;
    ir_ins(f, r)->nargs = (uint16_t)n;
}

void ir_set_blocks(IrFn *f, IrRef r, int n, const IrBlk *blocks)
{
    assert(n >= 0 && n <= UINT16_MAX);
    IrBlk *p = n ? ARENA_ARR(f->mod->arena, IrBlk, room(n)) : NULL;
    if (n && blocks) memcpy(p, blocks, sizeof *p * (size_t)n);
    ir_ins(f, r)->blocks = p;
    ir_ins(f, r)->nblocks = (uint16_t)n;
}

static IrRef new_ins(IrFn *f, IrBlk b, IrOp op, IrType type, int nargs, const IrRef *args, Loc loc)
{
    assert(b.i != 0 && b.i < (uint32_t)arrlen(f->blks));
    IrIns in = {.op = (uint8_t)op, .type = (uint8_t)type, .blk = b, .loc = loc, .async = {.ut = -1, .act = -1, .unb = -1}};
    arrput(f->ins, in);
    IrRef r = {(uint32_t)arrlen(f->ins) - 1};
    ir_set_args(f, r, nargs, args);
    return r;
}

IrRef ir_append(IrFn *f, IrBlk b, IrOp op, IrType type, int nargs, const IrRef *args, Loc loc)
{
    IrRef r = new_ins(f, b, op, type, nargs, args, loc);
    arrput(f->blks[b.i].ins, r);
    return r;
}

static IrRef insert_at(IrFn *f, IrBlk b, ptrdiff_t at, IrOp op, IrType type, int nargs, const IrRef *args, Loc loc)
{
    IrRef r = new_ins(f, b, op, type, nargs, args, loc);
    arrins(f->blks[b.i].ins, at, r);
    return r;
}

static ptrdiff_t place_of(IrFn *f, IrRef r)
{
    IrRef *v = ir_blk(f, ir_ins(f, r)->blk)->ins;
    for (ptrdiff_t i = 0; i < arrlen(v); i++)
        if (v[i].i == r.i) return i;
    return -1;
}

IrRef ir_insert_before(IrFn *f, IrRef pos, IrOp op, IrType type, int nargs, const IrRef *args, Loc loc)
{
    ptrdiff_t at = place_of(f, pos);
    assert(at >= 0);
    return insert_at(f, ir_ins(f, pos)->blk, at, op, type, nargs, args, loc);
}

void ir_remove(IrFn *f, IrRef r)
{
    ptrdiff_t at = place_of(f, r);
    if (at >= 0) arrdel(ir_blk(f, ir_ins(f, r)->blk)->ins, at);
    ir_ins(f, r)->dead = true;
}

IrRef ir_const(IrFn *f, IrBlk b, IrType t, int64_t v, Loc loc)
{
    IrRef r = ir_append(f, b, IR_CONST, t, 0, NULL, loc);
    ir_ins(f, r)->imm = (int64_t)ir_mask(t, (uint64_t)v);
    return r;
}

IrRef ir_fconst(IrFn *f, IrBlk b, IrType t, double v, Loc loc)
{
    IrRef r = ir_append(f, b, IR_FCONST, t, 0, NULL, loc);
    ir_ins(f, r)->imm = (int64_t)ir_float_bits(t, v);
    return r;
}

IrRef ir_gaddr(IrFn *f, IrBlk b, IrSym s, int64_t off, Loc loc)
{
    IrRef r = ir_append(f, b, ir_sym_is_fn(s) ? IR_FADDR : IR_GADDR, T_PTR, 0, NULL, loc);
    ir_ins(f, r)->sym = s;
    ir_ins(f, r)->imm = off;
    return r;
}

IrRef ir_alloca(IrFn *f, uint32_t bytes, Loc loc)
{
    IrBlk entry = {1};
    ptrdiff_t at = 0;
    while (at < arrlen(f->blks[1].ins)) {
        IrOp op = ir_ins(f, f->blks[1].ins[at])->op;
        if (op != IR_PARAM && op != IR_ALLOCA) break;
        at++;
    }
    IrRef r = insert_at(f, entry, at, IR_ALLOCA, T_PTR, 0, NULL, loc);
    ir_ins(f, r)->imm = bytes;
    return r;
}

IrRef ir_load(IrFn *f, IrBlk b, IrType t, IrRef p, int64_t off, Loc loc)
{
    IrRef r = ir_append(f, b, IR_LOAD, t, 1, &p, loc);
    ir_ins(f, r)->imm = off;
    return r;
}

void ir_store(IrFn *f, IrBlk b, IrRef p, int64_t off, IrRef v, Loc loc)
{
    IrRef r = ir_append(f, b, IR_STORE, T_VOID, 2, (IrRef[]){p, v}, loc);
    ir_ins(f, r)->imm = off;
}

IrRef ir_bin(IrFn *f, IrBlk b, IrOp op, IrRef x, IrRef y, Loc loc)
{
    return ir_append(f, b, op, ir_ins(f, x)->type, 2, (IrRef[]){x, y}, loc);
}

IrRef ir_un(IrFn *f, IrBlk b, IrOp op, IrType t, IrRef x, Loc loc) { return ir_append(f, b, op, t, 1, &x, loc); }

IrRef ir_icmp(IrFn *f, IrBlk b, IrCmp c, IrRef x, IrRef y, Loc loc)
{
    IrRef r = ir_append(f, b, IR_ICMP, T_I1, 2, (IrRef[]){x, y}, loc);
    ir_ins(f, r)->imm = c;
    return r;
}

IrRef ir_fcmp(IrFn *f, IrBlk b, IrCmp c, IrRef x, IrRef y, Loc loc)
{
    IrRef r = ir_append(f, b, IR_FCMP, T_I1, 2, (IrRef[]){x, y}, loc);
    ir_ins(f, r)->imm = c;
    return r;
}

IrRef ir_select(IrFn *f, IrBlk b, IrRef c, IrRef x, IrRef y, Loc loc)
{
    return ir_append(f, b, IR_SELECT, ir_ins(f, x)->type, 3, (IrRef[]){c, x, y}, loc);
}

IrRef ir_phi(IrFn *f, IrBlk b, IrType t, Loc loc)
{
    ptrdiff_t at = 0;
    IrRef *v = f->blks[b.i].ins;
    while (at < arrlen(v) && ir_ins(f, v[at])->op == IR_PHI) at++;
    return insert_at(f, b, at, IR_PHI, t, 0, NULL, loc);
}

void ir_phi_add(IrFn *f, IrRef phi, IrBlk pred, IrRef v)
{
    IrIns *in = ir_ins(f, phi);
    assert(in->op == IR_PHI && in->nargs == in->nblocks && in->nargs < UINT16_MAX);
    in->args = grown(f->mod->arena, in->args, in->nargs, sizeof *in->args);
    in->blocks = grown(f->mod->arena, in->blocks, in->nblocks, sizeof *in->blocks);
    in->args[in->nargs++] = v;
    in->blocks[in->nblocks++] = pred;
}

void ir_br(IrFn *f, IrBlk b, IrBlk to, Loc loc)
{
    IrRef r = ir_append(f, b, IR_BR, T_VOID, 0, NULL, loc);
    ir_set_blocks(f, r, 1, &to);
}

void ir_condbr(IrFn *f, IrBlk b, IrRef c, IrBlk t, IrBlk e, Loc loc)
{
    IrRef r = ir_append(f, b, IR_CONDBR, T_VOID, 1, &c, loc);
    ir_set_blocks(f, r, 2, (IrBlk[]){t, e});
}

IrRef ir_switch(IrFn *f, IrBlk b, IrRef v, IrBlk dflt, Loc loc)
{
    IrRef r = ir_append(f, b, IR_SWITCH, T_VOID, 1, &v, loc);
    ir_set_blocks(f, r, 1, &dflt);
    return r;
}

void ir_switch_add(IrFn *f, IrRef sw, int64_t v, IrBlk to)
{
    IrIns *in = ir_ins(f, sw);
    assert(in->op == IR_SWITCH && in->nblocks >= 1 && in->nblocks < UINT16_MAX);
    in->blocks = grown(f->mod->arena, in->blocks, in->nblocks, sizeof *in->blocks);
    in->cases = grown(f->mod->arena, in->cases, in->nblocks - 1u, sizeof *in->cases);
    in->cases[in->nblocks - 1] = (int64_t)ir_mask(ir_ins(f, in->args[0])->type, (uint64_t)v);
    in->blocks[in->nblocks++] = to;
}

void ir_ret(IrFn *f, IrBlk b, IrRef v, Loc loc) { ir_append(f, b, IR_RET, T_VOID, v.i != 0, &v, loc); }

IrRef ir_call(IrFn *f, IrBlk b, IrSym fn, IrType ret, int n, const IrRef *args, Loc loc)
{
    IrRef r = ir_append(f, b, IR_CALL, ret, n, args, loc);
    ir_ins(f, r)->sym = fn;
    return r;
}

IrRef ir_vop(IrFn *f, IrBlk b, IrVop v, IrRef d, IrRef a, IrRef bb, IrRef c, int n, Loc loc)
{
    IrRef r = ir_append(f, b, IR_VOP, d.i ? T_VOID : ir_vops[v].d, 4, (IrRef[]){d, a, bb, c}, loc);
    ir_ins(f, r)->vop = (uint8_t)v;
    ir_ins(f, r)->imm = n;
    return r;
}

IrIns *ir_term(IrFn *f, IrBlk b)
{
    IrRef *v = ir_blk(f, b)->ins;
    if (!arrlen(v)) return NULL;
    IrIns *in = ir_ins(f, arrlast(v));
    return ir_ops[in->op].flags & I_TERM ? in : NULL;
}

bool ir_terminated(IrFn *f, IrBlk b) { return ir_term(f, b) != NULL; }
