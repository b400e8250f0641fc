/* Instruction and architecture tables, encoder, decoder, printer.
 * Takes the rows of pe_ops.def and arch_params.def; leaves one place that knows where a field of a
 * format lies (field_rows).  Encoding is one-to-one: a word that decodes encodes to itself, so bits that
 * a format does not use must be zero, and a field without a meaning is refused both ways. */
#include "isa.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- architecture */
const ArchParamRow arch_param_rows[AP_COUNT] = {
#define PARAM(name, w2, w3, unit, mark, doc) [AP_##name] = {#name, w2, w3, unit, #mark, doc},
#include "arch_params.def"
};
_Static_assert(AP_iq7_words == AP_iq0_words + 7 && AP_oq7_words == AP_oq0_words + 7, "queue rows stand in order");
_Static_assert(AP_width_e == AP_width_a + 4 && VW_E == VW_A + 4, "width rows stand in the order of VClass");

Arch arch_make(ArchId id)
{
    assert(id == ARCH_WSE2 || id == ARCH_WSE3);
    Arch a = {.id = id};
    for (int i = 0; i < AP_COUNT; i++) a.p[i] = id == ARCH_WSE2 ? arch_param_rows[i].wse2 : arch_param_rows[i].wse3;
    return a;
}

bool arch_has_switch(const Arch *a, int color)
{
    static const uint32_t wse3_colors = 0x3ff | 1u << 12 | 1u << 13 | 1u << 16 | 1u << 17 | 1u << 20 | 1u << 21;
    return a->id != ARCH_WSE3 || wse3_colors >> color & 1;
}

bool arch_set(Arch *a, const char *name, int32_t value)
{
    if (value < 0) return false;
    for (int i = 0; i < AP_COUNT; i++)
        if (strcmp(arch_param_rows[i].name, name) == 0) {
            a->p[i] = value;
            return true;
        }
    return false;
}

/* ---- instruction table */
#define P_branch SLOT_BRANCH
#define P_set_router SLOT_SETRTR
#define P_set_sockets SLOT_SETSOCK
#define VEC SLOT_VEC
#define P_jump SLOT_PARAM(jump)
#define P_int_div SLOT_PARAM(int_div)
#define P_fp_div SLOT_PARAM(fp_div)
#define P_dsr_slots SLOT_PARAM(dsr_slots)
#define P_dsr_load SLOT_PARAM(dsr_load)
#define OP(code, name, fmt, unit, slots, lat, fl, vw, esz, jit, doc)                                    \
    [code] = {#name, doc, FMT_##fmt, UNIT_##unit, slots, lat, fl, vw,                                   \
              {(esz)[0] - '0', (esz)[1] - '0', (esz)[2] - '0', (esz)[3] - '0'}, JIT_##jit},
const PeOp pe_ops[256] = { /* -Woverride-init: a code past 8 bits, or used twice, does not compile */
#include "pe_ops.def"
};

int pe_cycles(const Arch *a, int v)
{
    if (v >= 0) return v;
    int p = -v - 1000;
    assert(p >= 0 && p < AP_COUNT);
    return a->p[p];
}

int pe_width(const Arch *a, VClass v) { return v == VW_NONE ? 1 : a->p[AP_width_a + (v - VW_A)]; }

int pe_opcode_by_name(const char *name, size_t len)
{
    for (int i = 0; i < 256; i++)
        if (pe_ops[i].name && strlen(pe_ops[i].name) == len && strncasecmp(pe_ops[i].name, name, len) == 0) return i;
    return -1;
}

/* ---- encoding: where the fields of each format lie */
typedef enum { FD_END, FD_RD, FD_RA, FD_RB, FD_RC, FD_D, FD_A, FD_B, FD_C, FD_DSR, FD_X, FD_Q, FD_K, FD_PRIO,
               FD_UT, FD_UTV, FD_ACT, FD_AV, FD_UNB, FD_UV, FD_IMM, FD_SIMM } FieldId;
typedef struct { uint8_t id, lo, width; } Field;
static const Field field_rows[][8] = {
    [FMT_N] = {{FD_END}},
    [FMT_R] = {{FD_RA, 19, 5}},
    [FMT_RR] = {{FD_RD, 19, 5}, {FD_RA, 14, 5}},
    [FMT_RRR] = {{FD_RD, 19, 5}, {FD_RA, 14, 5}, {FD_RB, 9, 5}},
    [FMT_RRRR] = {{FD_RD, 19, 5}, {FD_RA, 14, 5}, {FD_RB, 9, 5}, {FD_RC, 4, 5}},
    [FMT_RRI] = {{FD_RD, 19, 5}, {FD_RA, 14, 5}, {FD_SIMM, 0, 14}},
    [FMT_RI] = {{FD_RD, 19, 5}, {FD_IMM, 0, 16}},
    [FMT_I] = {{FD_IMM, 0, 16}},
    [FMT_BR] = {{FD_RA, 19, 5}, {FD_RB, 14, 5}, {FD_SIMM, 0, 14}},
    [FMT_J] = {{FD_SIMM, 0, 24}},
    [FMT_LP] = {{FD_K, 22, 2}, {FD_RA, 17, 5}, {FD_SIMM, 0, 14}},
    [FMT_LE] = {{FD_K, 22, 2}, {FD_SIMM, 0, 14}},
    [FMT_V3] = {{FD_D, 18, 6}, {FD_A, 12, 6}, {FD_B, 6, 6}, {FD_IMM, 0, 6}},
    [FMT_V4] = {{FD_D, 18, 6}, {FD_A, 12, 6}, {FD_B, 6, 6}, {FD_C, 0, 6}},
    [FMT_DL] = {{FD_DSR, 18, 6}, {FD_X, 15, 3}, {FD_RA, 10, 5}, {FD_SIMM, 0, 10}},
    [FMT_DRR] = {{FD_DSR, 18, 6}, {FD_X, 15, 3}, {FD_RA, 10, 5}, {FD_RB, 5, 5}},
    [FMT_DR] = {{FD_DSR, 18, 6}, {FD_RA, 13, 5}},
    [FMT_T] = {{FD_IMM, 0, 6}},
    [FMT_AS] = {{FD_UT, 21, 3}, {FD_PRIO, 19, 2}, {FD_AV, 18, 1}, {FD_ACT, 12, 6}, {FD_UV, 11, 1}, {FD_UNB, 5, 6}, {FD_UTV, 4, 1}},
    [FMT_QR] = {{FD_Q, 21, 3}, {FD_RA, 16, 5}},
    [FMT_RK] = {{FD_RD, 19, 5}, {FD_IMM, 0, 8}},
};
_Static_assert(sizeof field_rows / sizeof field_rows[0] == FMT_RK + 1, "a row per format");

static int32_t max0(int v) { return v < 0 ? 0 : v; }

static int32_t field_get(const PeIns *in, FieldId f)
{
    switch (f) {
    case FD_RD: return in->rd;
    case FD_RA: return in->ra;
    case FD_RB: return in->rb;
    case FD_RC: return in->rc;
    case FD_D: return in->d;
    case FD_A: return in->a;
    case FD_B: return in->b;
    case FD_C: return in->c;
    case FD_DSR: return in->dsr;
    case FD_X: return in->x;
    case FD_Q: return in->q;
    case FD_K: return in->k;
    case FD_PRIO: return in->prio;
    case FD_UT: return max0(in->ut);
    case FD_UTV: return in->ut >= 0;
    case FD_ACT: return max0(in->act);
    case FD_AV: return in->act >= 0;
    case FD_UNB: return max0(in->unb);
    case FD_UV: return in->unb >= 0;
    case FD_IMM: case FD_SIMM: return in->imm;
    case FD_END: break;
    }
    assert(!"no such field");
    return 0;
}

/* The valid bits (AV, UV, UTV) stand to the right of, or left of, their values: field_put keeps what it has of
 * each, and pe_decode settles absent ones at the end. */
static void field_put(PeIns *out, FieldId f, int32_t v)
{
    switch (f) {
    case FD_RD: out->rd = (uint8_t)v; break;
    case FD_RA: out->ra = (uint8_t)v; break;
    case FD_RB: out->rb = (uint8_t)v; break;
    case FD_RC: out->rc = (uint8_t)v; break;
    case FD_D: out->d = (uint8_t)v; break;
    case FD_A: out->a = (uint8_t)v; break;
    case FD_B: out->b = (uint8_t)v; break;
    case FD_C: out->c = (uint8_t)v; break;
    case FD_DSR: out->dsr = (uint8_t)v; break;
    case FD_X: out->x = (uint8_t)v; break;
    case FD_Q: out->q = (uint8_t)v; break;
    case FD_K: out->k = (uint8_t)v; break;
    case FD_PRIO: out->prio = (uint8_t)v; break;
    case FD_UT: out->ut = (int8_t)v; break;
    case FD_ACT: out->act = (int8_t)v; break;
    case FD_UNB: out->unb = (int8_t)v; break;
    case FD_IMM: case FD_SIMM: out->imm = v; break;
    case FD_UTV: case FD_AV: case FD_UV: case FD_END: break;
    }
}

static bool field_signed(FieldId f, int op) { return f == FD_SIMM || op == OP_LI; }

static bool field_fits(FieldId f, int op, int width, int32_t v)
{
    if ((f == FD_IMM || f == FD_SIMM) && field_signed(f, op)) return v >= -(1 << (width - 1)) && v < 1 << (width - 1);
    return v >= 0 && v < 1 << width;
}

/* ---- what operands an instruction may have, beyond the width of the fields */
static const char *vector_why(const PeIns *in, const PeOp *op)
{
    bool v4 = op->fmt == FMT_V4;
    const uint8_t code[4] = {in->d, in->a, in->b, v4 ? in->c : OPD_NONE};
    for (int i = 0; i < 4; i++) {
        if (op->esz[i] == 0 && code[i] != OPD_NONE) return "the operand must be absent (-)";
        if (op->esz[i] != 0 && code[i] == OPD_NONE) return "an operand is missing";
        if (code[i] > OPD_SAME_A || (code[i] == OPD_SAME_A && i != 0)) return "not an operand code";
    }
    if (opd_is_dsr(code[3])) return "the fourth operand must be a register or a dot register";
    if (in->d == OPD_SAME_A && !opd_is_dsr(in->a)) return "'same' needs a DSR as first source";
    bool dot_dest = (op->flags & F_RDEST) && !v4;
    if (dot_dest && !opd_is_dot(in->d)) return "the destination must be a dot register";
    if (!dot_dest && opd_is_dot(in->d)) return "only dot and sum operations write a dot register";
    if ((op->flags & F_RDEST) && v4 && !opd_is_reg(in->d)) return "the destination must be a register";
    return NULL;
}

/* NULL if the decoded instruction has a meaning, else the reason why it has none. */
static const char *ins_why(const PeIns *in)
{
    const PeOp *op = &pe_ops[in->op];
    switch (op->fmt) {
    case FMT_V3: case FMT_V4: return vector_why(in, op);
    case FMT_DL: case FMT_DRR: case FMT_DR: return in->dsr >= 3 * N_DSR ? "no such DSR" : NULL;
    case FMT_I: return in->op == OP_WAITUT && in->imm >= 1 << N_UT ? "the mask has a bit for each of 8 microthreads" : NULL;
    case FMT_RK:
        if (in->op == OP_TSC && in->imm > 2) return "the counter has words 0, 1 and 2";
        if (in->op == OP_VLEFT && in->imm > 0) return "VLEFT has word 0 only";
        if (in->op == OP_HOUT && in->imm > 7) return "print kinds are 0 to 7";
        return NULL;
    default: return NULL;
    }
}

bool pe_encode(const PeIns *in, uint32_t *word, const char **why)
{
    const char *dummy;
    if (!why) why = &dummy;
    const PeOp *op = &pe_ops[in->op];
    *why = "no such opcode";
    if (!op->name) return false;
    uint32_t w = (uint32_t)in->op << 24;
    for (const Field *f = field_rows[op->fmt]; f < field_rows[op->fmt] + 8 && f->id; f++) {
        int32_t v = field_get(in, f->id);
        bool imm = f->id == FD_IMM || f->id == FD_SIMM;
        *why = imm ? "the immediate value or distance does not fit" : "an operand does not fit its field";
        if (!field_fits(f->id, in->op, f->width, v)) return false;
        w |= ((uint32_t)v & ((1u << f->width) - 1)) << f->lo;
    }
    *why = ins_why(in);
    if (*why) return false;
    *word = w;
    return true;
}

bool pe_decode(uint32_t word, PeIns *out)
{
    PeIns in = {.op = (uint8_t)(word >> 24), .ut = -1, .act = -1, .unb = -1};
    const PeOp *op = &pe_ops[in.op];
    if (!op->name) return false;
    if (op->fmt == FMT_V3) in.c = OPD_NONE;
    bool utv = false, av = false, uv = false;
    uint32_t used = 0xff000000u;
    for (const Field *f = field_rows[op->fmt]; f < field_rows[op->fmt] + 8 && f->id; f++) {
        uint32_t mask = (1u << f->width) - 1, raw = word >> f->lo & mask;
        used |= mask << f->lo;
        int32_t v = (int32_t)raw;
        if ((f->id == FD_IMM || f->id == FD_SIMM) && field_signed(f->id, in.op) && raw >> (f->width - 1)) v -= (int32_t)mask + 1;
        field_put(&in, f->id, v);
        if (f->id == FD_UTV) utv = raw;
        if (f->id == FD_AV) av = raw;
        if (f->id == FD_UV) uv = raw;
    }
    if (word & ~used) return false;
    if (op->fmt == FMT_AS) {
        if ((!utv && in.ut) || (!av && in.act) || (!uv && in.unb)) return false;
        if (!utv) in.ut = -1;
        if (!av) in.act = -1;
        if (!uv) in.unb = -1;
    }
    if (ins_why(&in)) return false;
    *out = in;
    return true;
}

/* ---- text: exactly what backend/asm.c reads */
static void print_opd(Buf *b, int c)
{
    if (opd_is_reg(c)) buf_printf(b, "r%d", c);
    else if (opd_is_dsr(c)) buf_printf(b, "dsr%d", c - OPD_DSR0);
    else if (opd_is_dot(c)) buf_printf(b, "dot%d", c - OPD_DOT0);
    else buf_printf(b, c == OPD_SAME_A ? "same" : "-");
}

static void print_vector(Buf *b, const PeIns *in, const PeOp *op)
{
    const uint8_t code[4] = {in->d, in->a, in->b, in->c};
    const char *sep = " ";
    for (int i = 0; i < 4; i++) {
        if (op->esz[i] == 0) continue;
        buf_printf(b, "%s", sep);
        print_opd(b, code[i]);
        sep = ", ";
    }
    if (op->fmt == FMT_V3 && in->imm) buf_printf(b, ", n=%d", in->imm);
}

static void print_dsr(Buf *b, int dsr)
{
    static const char *const file[] = {"d", "s0", "s1"};
    assert(dsr < 3 * N_DSR);
    buf_printf(b, "%s.%d", file[dsr / N_DSR], dsr % N_DSR);
}

static void print_task(Buf *b, int id)
{
    if (id & TASK_DATA) buf_printf(b, "data:%d", id & ~TASK_DATA);
    else buf_printf(b, "%d", id);
}

static void print_async(Buf *b, const PeIns *in)
{
    static const char *const prio[] = {"", "prio=low", "prio=medium", "prio=high"};
    const char *sep = " ";
    if (in->ut >= 0) buf_printf(b, "%sut%d", sep, in->ut), sep = ", ";
    if (in->prio) buf_printf(b, "%s%s", sep, prio[in->prio & 3]), sep = ", ";
    if (in->act >= 0) buf_printf(b, "%sact=", sep), print_task(b, in->act), sep = ", ";
    if (in->unb >= 0) buf_printf(b, "%sunb=", sep), print_task(b, in->unb);
}

/* off: words from the next instruction */
static void print_target(Buf *b, int32_t off, uint32_t pc, const char *(*sym)(void *, uint32_t), void *user)
{
    int64_t t = (int64_t)pc + 4 + (int64_t)off * 4;
    const char *name = sym && t >= 0 && t <= 0xffff ? sym(user, (uint32_t)t) : NULL;
    if (name) buf_printf(b, "%s", name);
    else if (t < 0) buf_printf(b, "-0x%llx", (unsigned long long)-t);
    else buf_printf(b, "0x%llx", (unsigned long long)t);
}

static void print_mem(Buf *b, int ra, int bytes)
{
    buf_printf(b, bytes ? "r%d%+d" : "r%d", ra, bytes);
}

void pe_print(Buf *b, const PeIns *in, uint32_t pc, const char *(*sym)(void *, uint32_t addr), void *user)
{
    const PeOp *op = &pe_ops[in->op];
    assert(op->name);
    for (const char *p = op->name; *p; p++) buf_printf(b, "%c", *p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p);
    switch (op->fmt) {
    case FMT_N: break;
    case FMT_R: buf_printf(b, " r%d", in->ra); break;
    case FMT_RR: buf_printf(b, " r%d, r%d", in->rd, in->ra); break;
    case FMT_RRR: buf_printf(b, " r%d, r%d, r%d", in->rd, in->ra, in->rb); break;
    case FMT_RRRR: buf_printf(b, " r%d, r%d, r%d, r%d", in->rd, in->ra, in->rb, in->rc); break;
    case FMT_RRI:
        buf_printf(b, " r%d, ", in->rd);
        if (op->unit == UNIT_MEM) print_mem(b, in->ra, in->imm);
        else buf_printf(b, "r%d, %d", in->ra, in->imm);
        break;
    case FMT_RI: buf_printf(b, in->op == OP_LI || in->op == OP_LIU ? " r%d, %d" : " r%d, 0x%x", in->rd, in->imm); break;
    case FMT_I: buf_printf(b, " %d", in->imm); break;
    case FMT_BR: buf_printf(b, " r%d, r%d, ", in->ra, in->rb); print_target(b, in->imm, pc, sym, user); break;
    case FMT_J: buf_printf(b, " "); print_target(b, in->imm, pc, sym, user); break;
    case FMT_LP: buf_printf(b, " l%d, r%d, ", in->k, in->ra); print_target(b, in->imm, pc, sym, user); break;
    case FMT_LE: buf_printf(b, " l%d, ", in->k); print_target(b, in->imm, pc, sym, user); break;
    case FMT_V3: case FMT_V4: print_vector(b, in, op); break;
    case FMT_DL: buf_printf(b, " "); print_dsr(b, in->dsr); buf_printf(b, ", x%d, ", in->x); print_mem(b, in->ra, in->imm * 2); break;
    case FMT_DRR: buf_printf(b, " "); print_dsr(b, in->dsr); buf_printf(b, ", x%d, r%d, r%d", in->x, in->ra, in->rb); break;
    case FMT_DR: buf_printf(b, " "); print_dsr(b, in->dsr); buf_printf(b, ", r%d", in->ra); break;
    case FMT_T: buf_printf(b, " "); print_task(b, in->imm); break;
    case FMT_AS: print_async(b, in); break;
    case FMT_QR: buf_printf(b, " q%d, r%d", in->q, in->ra); break;
    case FMT_RK: buf_printf(b, " r%d, %d", in->rd, in->imm); break;
    }
}
