/* The assembler's instructions: operands by the format of the row in pe_ops.def.
 * What an operand may be is decided by pe_encode; here is only how it is written (pe_print writes the same). */
#include "asm_int.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* "r12" with prefix "r" below limit; -1 if p..n is not that */
static int numbered(const char *p, size_t n, const char *prefix, int limit)
{
    size_t k = strlen(prefix);
    int v = 0;
    if (n <= k || n > k + 2 || memcmp(p, prefix, k) != 0) return -1;
    if (n == k + 2 && p[k] == '0') return -1;
    for (; k < n; k++) {
        if (p[k] < '0' || p[k] > '9') return -1;
        v = v * 10 + p[k] - '0';
    }
    return v < limit ? v : -1;
}

/* The next identifier, if it is prefix and number; else -1 and the cursor stays. */
static int take_numbered(As *s, const char *prefix, int limit)
{
    const char *p, *save = s->p;
    size_t n;
    int v = as_ident(s, &p, &n) ? numbered(p, n, prefix, limit) : -1;
    if (v < 0) s->p = save;
    return v;
}

static int take_reg(As *s)
{
    if (as_word(s, "sp")) return REG_SP;
    if (as_word(s, "lr")) return REG_LINK;
    return take_numbered(s, "r", N_GPR);
}

static bool reg(As *s, uint8_t *out)
{
    int r = take_reg(s);
    if (r < 0) return as_expected(s, "a register (r0 to r31)");
    *out = (uint8_t)r;
    return true;
}

/* "q2" or a plain number */
static bool small(As *s, const char *prefix, int limit, const char *what, uint8_t *out)
{
    int64_t v = take_numbered(s, prefix, limit);
    if (v < 0) {
        const char *c;
        As probe = *s;                                  /* a word of another kind is not a number */
        size_t n;
        if (as_ident(&probe, &c, &n) && shgeti(s->equs, arena_strndup(s->a, c, n)) < 0) return as_expected(s, what);
        if (!as_ranged(s, &v, 0, limit - 1)) return false;
    }
    *out = (uint8_t)v;
    return true;
}

bool as_task_id(As *s, int *id)
{
    int64_t v;
    bool data = as_word(s, "data");
    if (data && !as_char(s, ':')) return as_expected(s, "':'");
    if (!as_ranged(s, &v, 0, data ? TASK_DATA - 1 : 2 * TASK_DATA - 1)) return false;
    *id = (int)v | (data ? TASK_DATA : 0);
    return true;
}

static const char *const prio_names[] = {"default", "low", "medium", "high"};

static bool prio_value(As *s, int *prio)
{
    for (int i = 0; i < 4; i++)
        if (as_word(s, prio_names[i])) {
            *prio = i;
            return true;
        }
    return as_expected(s, "low, medium or high");
}

static bool keyed(As *s, const char *key)
{
    const char *save = s->p;
    if (as_word(s, key) && as_char(s, '=')) return true;
    s->p = save;
    return false;
}

bool as_attr_async(As *s, int *ut, int *prio, int *act, int *unb, bool *any)
{
    uint8_t u;
    *any = true;
    int v = take_numbered(s, "ut", N_UT);
    if (v >= 0) {
        *ut = v;
        return true;
    }
    if (keyed(s, "ut")) {
        if (!small(s, "ut", N_UT, "a microthread", &u)) return false;
        *ut = u;
        return true;
    }
    if (keyed(s, "prio")) return prio_value(s, prio);
    if (keyed(s, "act")) return as_task_id(s, act);
    if (keyed(s, "unb")) return as_task_id(s, unb);
    *any = false;
    return true;
}

static bool async(As *s, PeIns *in)
{
    int ut = -1, prio = 0, act = -1, unb = -1;
    while (!as_at_end(s)) {
        bool any;
        if (!as_attr_async(s, &ut, &prio, &act, &unb, &any)) return false;
        if (!any) return as_expected(s, "ut0 to ut7, prio=, act= or unb=");
        if (!as_at_end(s) && !as_comma(s)) return false;
    }
    in->ut = (int8_t)ut, in->prio = (uint8_t)prio, in->act = (int8_t)act, in->unb = (int8_t)unb;
    return true;
}

/* ---- DSRs and operands of vector operations */
static const char *const dsr_files[] = {"d.", "s0.", "s1."};

static bool dsr(As *s, uint8_t *out)
{
    for (int f = 0; f < 3; f++) {
        int v = take_numbered(s, dsr_files[f], N_DSR);
        if (v < 0) continue;
        *out = (uint8_t)(f * N_DSR + v);
        return true;
    }
    return as_expected(s, "a DSR (d.0, s0.0 or s1.0 to 15)");
}

/* pos: 0 d, 1 a, 2 b, 3 c.  A DSR is dsrN, or N of the file of its position by name. */
static bool operand(As *s, int pos, uint8_t *out)
{
    int v;
    if ((v = take_reg(s)) >= 0) *out = (uint8_t)(OPD_R0 + v);
    else if ((v = take_numbered(s, "dsr", N_DSR)) >= 0) *out = (uint8_t)(OPD_DSR0 + v);
    else if ((v = take_numbered(s, "dot", N_DOT)) >= 0) *out = (uint8_t)(OPD_DOT0 + v);
    else if (pos < 3 && (v = take_numbered(s, dsr_files[pos], N_DSR)) >= 0) *out = (uint8_t)(OPD_DSR0 + v);
    else if (as_word(s, "same")) *out = OPD_SAME_A;
    else return as_expected(s, pos == 0 ? "a destination (r0, dot0, dsr0, same)" : "an operand (r0, dot0, dsr0)");
    return true;
}

static bool vector(As *s, const PeOp *op, PeIns *in)
{
    uint8_t *code[4] = {&in->d, &in->a, &in->b, &in->c};
    bool first = true;
    for (int i = 0; i < 4; i++) {
        *code[i] = OPD_NONE;
        if (op->esz[i] == 0) {
            const char *save = s->p;                    /* between commas: "fmovs r1, -, r2" */
            if (!first && !as_char(s, ',')) continue;
            if (!as_char(s, '-')) s->p = save;
            continue;
        }
        if (!first && !as_comma(s)) return false;
        if (!operand(s, i, code[i])) return false;
        first = false;
    }
    if (op->fmt != FMT_V3 || !as_char(s, ',')) return true;
    int64_t n;
    if (!keyed(s, "n")) return as_expected(s, "n=");
    if (!as_ranged(s, &n, 0, 63)) return false;
    in->imm = (int32_t)n;
    return true;
}

/* ---- addresses and immediates */
/* The range of the immediate value of a row, in the units it is written in. */
static void imm_range(const PeOp *op, int opcode, int64_t *lo, int64_t *hi)
{
    int bits = op->fmt == FMT_RRI ? 14 : op->fmt == FMT_DL ? 11 : 16;
    bool sgn = op->fmt == FMT_RRI || op->fmt == FMT_DL || opcode == OP_LI;
    *lo = sgn ? -(1 << (bits - 1)) : 0;
    *hi = sgn ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
}

static bool imm(As *s, const PeOp *op, PeIns *in)
{
    int64_t v, lo, hi;
    imm_range(op, in->op, &lo, &hi);
    if (!as_ranged(s, &v, lo, hi)) return false;
    in->imm = (int32_t)v;
    return true;
}

/* reg, reg+expr, reg-expr, or expr (from r0); with or without [ ] */
static bool address(As *s, const PeOp *op, PeIns *in)
{
    bool bracket = as_char(s, '[');
    int r = take_reg(s);
    const char *save = s->p;
    in->ra = (uint8_t)(r < 0 ? 0 : r);
    bool more = r < 0;
    if (!more) {
        more = as_char(s, '+') || as_char(s, '-');
        s->p = save;
    }
    if (more && !imm(s, op, in)) return false;
    return !bracket || as_char(s, ']') || as_expected(s, "']'");
}

/* Where to go: an address; in->imm becomes words from the next instruction. */
static bool target(As *s, PeIns *in, int bits)
{
    int64_t v;
    as_at_end(s);
    const char *from = s->p;
    if (!as_expr(s, &v)) return false;
    if (s->pass == 1) return true;
    int64_t off = v - (int64_t)as_pc(s) - 4, lim = (int64_t)1 << (bits + 1);
    if (off % 4) {
        LD_DIAG(s->d, as_alignment, as_loc(s, from), d_str(arena_printf(s->a, "the target 0x%llx", (unsigned long long)v)), d_int(4));
        return false;
    }
    if (off < -lim || off >= lim) {
        LD_DIAG(s->d, as_range, as_loc(s, from), d_str(arena_printf(s->a, "a distance of %lld bytes", (long long)off)), d_int(-lim), d_int(lim - 4));
        return false;
    }
    in->imm = (int32_t)(off / 4);
    return true;
}

static bool counter(As *s, PeIns *in) { return small(s, "l", N_LOOP, "a loop counter (l0 to l3)", &in->k); }

static bool xdsr(As *s, PeIns *in)
{
    int v = take_numbered(s, "x", N_XDSR);
    if (v < 0) return true;                             /* may be left out: x0 */
    in->x = (uint8_t)v;
    return as_comma(s);
}

static bool print_kind(As *s, PeIns *in)
{
    int64_t v;
    if (!as_ranged(s, &v, 0, in->op == OP_TSC ? 2 : in->op == OP_VLEFT ? 0 : 7)) return false;
    in->imm = (int32_t)v;
    return true;
}

static bool task_operand(As *s, PeIns *in)
{
    int id;
    if (!as_task_id(s, &id)) return false;
    in->imm = id;
    return true;
}

#define COMMA as_comma(s)
static bool operands(As *s, const PeOp *op, PeIns *in)
{
    switch (op->fmt) {
    case FMT_N: return true;
    case FMT_R: return reg(s, &in->ra);
    case FMT_RR: return reg(s, &in->rd) && COMMA && reg(s, &in->ra);
    case FMT_RRR: return reg(s, &in->rd) && COMMA && reg(s, &in->ra) && COMMA && reg(s, &in->rb);
    case FMT_RRRR: return reg(s, &in->rd) && COMMA && reg(s, &in->ra) && COMMA && reg(s, &in->rb) && COMMA && reg(s, &in->rc);
    case FMT_RRI:
        if (!reg(s, &in->rd) || !COMMA) return false;
        if (op->unit == UNIT_MEM) return address(s, op, in);
        return reg(s, &in->ra) && COMMA && imm(s, op, in);
    case FMT_RI: return reg(s, &in->rd) && COMMA && imm(s, op, in);
    case FMT_I: return imm(s, op, in);
    case FMT_BR: return reg(s, &in->ra) && COMMA && reg(s, &in->rb) && COMMA && target(s, in, 14);
    case FMT_J: return target(s, in, 24);
    case FMT_LP: return counter(s, in) && COMMA && reg(s, &in->ra) && COMMA && target(s, in, 14);
    case FMT_LE: return counter(s, in) && COMMA && target(s, in, 14);
    case FMT_V3: case FMT_V4: return vector(s, op, in);
    case FMT_DL: return dsr(s, &in->dsr) && COMMA && xdsr(s, in) && address(s, op, in);
    case FMT_DRR: return dsr(s, &in->dsr) && COMMA && xdsr(s, in) && reg(s, &in->ra) && COMMA && reg(s, &in->rb);
    case FMT_DR: return dsr(s, &in->dsr) && COMMA && reg(s, &in->ra);
    case FMT_T: return task_operand(s, in);
    case FMT_AS: return async(s, in);
    case FMT_QR: return small(s, "q", N_QUEUE, "a queue (q0 to q7)", &in->q) && COMMA && reg(s, &in->ra);
    case FMT_RK: return reg(s, &in->rd) && COMMA && print_kind(s, in);
    }
    return false;
}

static bool emit_word(As *s, uint32_t w)
{
    uint8_t b[4] = {(uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16), (uint8_t)(w >> 24)};
    return as_emit(s, b, 4, WT_FUNC);
}

/* In pass 1 an instruction is four bytes, whatever its operands will be. */
static bool emit_ins(As *s, const char *from, PeIns *in)
{
    uint32_t w = 0;
    const char *why;
    if (in->op == OP_LDDSR && s->pass == 2) {
        if (in->imm % 2) {
            LD_DIAG(s->d, as_alignment, as_loc(s, from), d_str("the descriptor's address"), d_int(2));
            return false;
        }
        in->imm /= 2;
    }
    if (s->pass == 2 && !pe_encode(in, &w, &why)) {
        char low[24];
        const char *name = pe_ops[in->op].name;
        size_t n = strlen(name);
        assert(n < sizeof low);
        for (size_t i = 0; i <= n; i++) low[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + 32) : name[i];
        LD_DIAG(s->d, as_operand, as_loc(s, from), d_str(low), d_str(why));
        return false;
    }
    return emit_word(s, w);
}

/* ---- pseudo instructions */
static PeIns ins(int op) { return (PeIns){.op = (uint8_t)op, .ut = -1, .act = -1, .unb = -1}; }

static bool ps_mv(As *s, const char *from)
{
    PeIns in = ins(OP_ADD);
    return reg(s, &in.rd) && COMMA && reg(s, &in.ra) && emit_ins(s, from, &in);
}

static bool ps_la(As *s, const char *from)
{
    PeIns in = ins(OP_LIU);
    return reg(s, &in.rd) && COMMA && imm(s, &pe_ops[OP_LIU], &in) && emit_ins(s, from, &in);
}

/* Any 32-bit value: one instruction when one is enough; an address is one LIU. */
static bool ps_lw32(As *s, const char *from)
{
    PeIns in = ins(OP_LIU);
    int64_t v;
    if (!reg(s, &in.rd) || !COMMA || !as_ranged(s, &v, INT32_MIN, UINT32_MAX)) return false;
    uint32_t u = (uint32_t)v;
    in.imm = (int32_t)(u & 0xffff);
    if (s->label_ref || u <= 0xffff) return emit_ins(s, from, &in);
    if (u >= 0xffff8000u) {
        in.op = OP_LI, in.imm = (int32_t)u;
        return emit_ins(s, from, &in);
    }
    PeIns hi = ins(OP_LUI);
    hi.rd = in.rd, hi.imm = (int32_t)(u >> 16);
    if (!emit_ins(s, from, &hi)) return false;
    in.op = OP_INSL;
    return in.imm == 0 || emit_ins(s, from, &in);
}

static bool ps_ret(As *s, const char *from)
{
    PeIns in = ins(OP_JR);
    in.ra = REG_LINK;
    return emit_ins(s, from, &in);
}

static bool ps_b(As *s, const char *from)
{
    PeIns in = ins(OP_JMP);
    return target(s, &in, 24) && emit_ins(s, from, &in);
}

static bool ps_nop(As *s, const char *from)
{
    PeIns in = ins(OP_ADD);
    return emit_ins(s, from, &in);
}

static const struct { const char *name; bool (*fn)(As *, const char *); } pseudo[] = {
    {"mv", ps_mv}, {"la", ps_la}, {"lw32", ps_lw32}, {"ret", ps_ret}, {"b", ps_b}, {"nop", ps_nop},
};
enum { N_PSEUDO = sizeof pseudo / sizeof *pseudo };

static bool unknown(As *s, const char *p, size_t n)
{
    char low[256][16];
    const char *names[256 + N_PSEUDO];
    size_t k = 0;
    for (int i = 0; i < 256; i++) {
        if (!pe_ops[i].name) continue;
        size_t j = 0;
        for (; pe_ops[i].name[j] && j < sizeof low[k] - 1; j++) low[k][j] = (char)(pe_ops[i].name[j] | (pe_ops[i].name[j] >= 'A' ? 32 : 0));
        low[k][j] = 0;
        names[k] = low[k];
        k++;
    }
    for (int i = 0; i < N_PSEUDO; i++) names[k++] = pseudo[i].name;
    const char *name = arena_strndup(s->a, p, n);
    LD_DIAG(s->d, as_unknown_op, as_loc(s, p), d_str(name), d_str(near_names(s->a, name, names, k)));
    return false;
}

bool as_instruction(As *s, const char *p, size_t n)
{
    int op = pe_opcode_by_name(p, n), ps = -1;
    for (int i = 0; op < 0 && i < N_PSEUDO; i++)
        if (as_is(p, n, pseudo[i].name)) ps = i;
    if (op < 0 && ps < 0) return unknown(s, p, n);
    if (s->cur != SEC_TEXT) {
        LD_DIAG(s->d, as_section, as_loc(s, p), d_str("an instruction"), d_str(s->cur == SEC_DATA ? ".data" : ".bss"));
        return false;
    }
    if (!as_cls(s)->own_lines) as_add_line(s, s->path, s->line_no);
    if (ps >= 0) return pseudo[ps].fn(s, p);
    PeIns in = ins(op);
    if (pe_ops[op].fmt == FMT_V3) in.c = OPD_NONE;
    return operands(s, &pe_ops[op], &in) && emit_ins(s, p, &in);
}
