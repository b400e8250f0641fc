/* runtime/isa/isa.h: instruction table, operand codes, encoding, descriptors, architecture parameters.
 * The only thing that compiler and simulator share (with obj.h).  Specification: docs/machine.md. */
#ifndef WS_ISA_H
#define WS_ISA_H
#include "runtime/base/base.h"

/* ---- architecture parameters (arch_params.def) */
typedef enum { ARCH_WSE2 = 2, ARCH_WSE3 = 3 } ArchId;
enum ArchParam {
#define PARAM(name, w2, w3, unit, mark, doc) AP_##name,
#include "arch_params.def"
    AP_COUNT
};
typedef struct { ArchId id; int32_t p[AP_COUNT]; } Arch;
typedef struct { const char *name; int32_t wse2, wse3; const char *unit, *mark, *doc; } ArchParamRow;
extern const ArchParamRow arch_param_rows[AP_COUNT];
Arch arch_make(ArchId id);
bool arch_set(Arch *a, const char *name, int32_t value);  /* --arch-param; false: no such name or value < 0 */
#define AP(arch, name) ((arch)->p[AP_##name])
enum { N_GPR = 32, N_DOT = 4, N_DSR = 16, N_XDSR = 8, N_LOOP = 4, N_UT = 8, N_QUEUE = 8, N_COLOR = 24,
       COLOR_NULL = 31, REG_SP = 30, REG_LINK = 31, CTX_PAIRS = 9, LEN_ENDLESS = 0x7fff };
static inline int arch_iq_words(const Arch *a, int q) { return a->p[AP_iq0_words + q]; }
bool arch_has_switch(const Arch *a, int color);         /* may the color have switch positions? */
static inline int arch_oq_words(const Arch *a, int q) { return a->p[AP_oq0_words + q]; }

/* ---- instruction table (pe_ops.def) */
typedef enum { FMT_N, FMT_R, FMT_RR, FMT_RRR, FMT_RRRR, FMT_RRI, FMT_RI, FMT_I, FMT_BR, FMT_J, FMT_LP, FMT_LE,
               FMT_V3, FMT_V4, FMT_DL, FMT_DRR, FMT_DR, FMT_T, FMT_AS, FMT_QR, FMT_RK } OpFmt;
typedef enum { UNIT_INT, UNIT_FPU, UNIT_MEM, UNIT_CTL, UNIT_TSK, UNIT_DSR, UNIT_RTR, UNIT_FAB } OpUnit;
typedef enum { VW_NONE, VW_A, VW_B, VW_C, VW_D, VW_E } VClass;
typedef enum { JIT_NO, JIT_YES } JitTier;
enum { F_TIME = 1, F_WAIT = 2, F_SIDE = 4, F_LOAD = 8, F_STORE = 16, F_BR = 32, F_COMM = 64, F_RDEST = 128 };
/* slots and latency of a row: >= 0 a number of cycles; < 0: SLOT_VEC, SLOT_BRANCH, ... or -(1000 + AP_x) */
enum { SLOT_VEC = -1, SLOT_BRANCH = -2, SLOT_SETRTR = -3, SLOT_SETSOCK = -4 };
#define SLOT_PARAM(x) (-(1000 + AP_##x))
typedef enum {
#define OP(code, name, ...) OP_##name = code,
#include "pe_ops.def"
} PeOpcode;
typedef struct {
    const char *name;                  /* upper case; assembler text is lower case; NULL: no such opcode */
    const char *doc;
    OpFmt fmt; OpUnit unit; int slots, latency; unsigned flags; VClass vclass;
    uint8_t esz[4];                    /* element bytes of d, a, b, c; 0: absent */
    JitTier jit;
} PeOp;
extern const PeOp pe_ops[256];
/* a row's slots or latency with the architecture's numbers put in (not for SLOT_VEC, SLOT_BRANCH, SETRTR, SETSOCK) */
int pe_cycles(const Arch *a, int slots_or_latency);
int pe_width(const Arch *a, VClass v);  /* elements per cycle */

/* Operand codes of vector operations (6 bits).  A DSR number is of the file of its position: d dest file,
 * a src0 file, b src1 file; SAME_A as d: the destination is a's DSR (in place; src0 may serve as destination). */
enum OpdCode { OPD_R0 = 0, OPD_DSR0 = 32, OPD_DOT0 = 48, OPD_NONE = 52, OPD_SAME_A = 53 };
static inline bool opd_is_reg(int c) { return c >= 0 && c < 32; }
static inline bool opd_is_dsr(int c) { return c >= 32 && c < 48; }
static inline bool opd_is_dot(int c) { return c >= 48 && c < 52; }
/* DSR numbers outside vector operands (DL, DRR, DR): file * 16 + index */
enum DsrFile { DSR_DEST = 0, DSR_SRC0 = 1, DSR_SRC1 = 2 };

/* Decoded instruction.  Fields by format:
 *   rd ra rb rc     registers (RRR, RR, RRI, RI, BR: ra rb, R: ra, LP: ra, DL/DRR/DR: ra rb, QR: ra, RK: rd)
 *   imm             RRI imm14, RI/I imm16 (RI LI signed others as u16), BR/J/LP/LE offset in words, DL imm10 (2-byte units),
 *                   T id, RK k, V3 n
 *   d a b c         operand codes (V3: c = OPD_NONE)
 *   dsr x q k       DSR number, XDSR, queue, loop counter
 *   ut prio act unb AS; act, unb = -1 when absent; ut = -1 when not given */
typedef struct {
    uint8_t op;
    uint8_t rd, ra, rb, rc, d, a, b, c, dsr, x, q, k;
    int8_t ut, act, unb;
    uint8_t prio;
    int32_t imm;
} PeIns;
/* Encode; returns false if a field does not fit (*why gets a static text). */
bool pe_encode(const PeIns *in, uint32_t *word, const char **why);
/* Decode; returns false for an undefined opcode or a field with no meaning (never reads outside tables). */
bool pe_decode(uint32_t word, PeIns *out);
/* Assembler text of one instruction at byte address pc (branch targets as absolute hex unless sym gives a name). */
void pe_print(Buf *b, const PeIns *in, uint32_t pc, const char *(*sym)(void *, uint32_t addr), void *user);
int pe_opcode_by_name(const char *name, size_t len);     /* -1 if unknown; case-insensitive */

/* ---- descriptors: 8 bytes in memory, four little-endian 16-bit words
 *   w0  memory: base byte address                     fabric: queue (bits 0-2); FABIN also: bits 8-13 task to activate on a
 *       control wavelet, 14 valid, 15 a control wavelet ends the operation          FIFO: byte address of the FIFO record
 *   w1  bits 0-14 length in elements, 0x7fff endless; bit 15 save_address (an operation without own count leaves the advanced
 *       address in the DSR)
 *   w2  MEM1D: stride (low byte, signed, elements)    MEMND: byte address of the shape record
 *       fabric: bits 0-5 task to activate, 6 valid, 8-13 task to unblock, 14 valid
 *   w3  bits 0-2 kind; 3 control wavelets (FABOUT); 4-6 microthread, 7 valid; 8-9 priority (0 default, 1 low, 2 medium, 3 high);
 *       10 the last word advances this router's switch (FABOUT)
 * Shape record: 4 x { u16 extent, i16 stride in elements }, innermost first, 16 bytes; a dimension that is not there, and
 * the outermost one, has extent 0 (it never wraps).  Strides are in units of the operation's element (rule P2).
 * FIFO record: six 16-bit words, even address: base byte address, capacity in elements, place of the oldest element, elements it
 * holds, actions (bits 0-5 task to activate on a push, 6 valid, 8-13 on a pop, 14 valid), form (bits 0-2 element bytes, 2 or 4;
 * 4-5 FifoAction when empty, 6-7 when full).
 * Task ids in 6 bits: bit 5 set = data task (wse2 color, wse3 input queue), else local task. */
typedef enum { DSD_NONE = 0, DSD_MEM1D = 1, DSD_MEMND = 2, DSD_FABIN = 3, DSD_FABOUT = 4, DSD_FIFO = 5 } DsdKind;
enum { DSD_SAVE = 0x8000, DSD_CONTROL = 8, DSD_UT_VALID = 0x80, DSD_ADVANCE = 0x400, TASK_DATA = 32 };
enum { ON_CONTROL_ACT = 0x4000, ON_CONTROL_END = 0x8000 };         /* w0 of FABIN */
enum { FIFO_BASE, FIFO_CAP, FIFO_HEAD, FIFO_COUNT, FIFO_ACT, FIFO_FORM, FIFO_WORDS };
/* an empty FIFO as source, a full one as destination: what a synchronous / an asynchronous operation does */
typedef enum { FIFO_TEST,              /* ends early / waits */
               FIFO_END,               /* both end early */
               FIFO_WAIT,              /* both wait */
               FIFO_FAULT              /* both fault */ } FifoAction;

/* ---- directions, router slot words, socket words, wavelets */
typedef enum { DIR_WEST = 0, DIR_EAST = 1, DIR_SOUTH = 2, DIR_NORTH = 3, DIR_RAMP = 4, N_DIR = 5 } Dir;
static inline Dir dir_opposite(Dir d) { return d == DIR_RAMP ? DIR_RAMP : (Dir)(d ^ 1); }
/* slot word: bits 0-2 rx direction, bits 3-7 tx mask (bit 3 + Dir), 8 switch table present (the switch word counts), 9 colors are
 * swapped on words from north and south, 10 from west and east, 11-12 PopMode, 13 closed at boot, 15 valid */
enum { SLOT_SWITCH = 0x100, SLOT_SWAP_NS = 0x200, SLOT_SWAP_EW = 0x400, SLOT_POP_AT = 11, SLOT_SHUT = 0x2000, SLOT_MORE = 0x3f00 };
typedef enum { POP_NONE, POP_ALWAYS, POP_ON_ADVANCE, POP_ON_ADVANCE_NOP } PopMode;
static inline uint16_t slot_word(Dir rx, unsigned txmask) { return (uint16_t)(0x8000u | (unsigned)rx | txmask << 3); }
static inline bool slot_valid(uint16_t s) { return s >> 15; }
static inline Dir slot_rx(uint16_t s) { return (Dir)(s & 7); }
static inline unsigned slot_tx(uint16_t s) { return s >> 3 & 31; }
static inline PopMode slot_pop(uint16_t s) { return (PopMode)(s >> SLOT_POP_AT & 3); }
/* switch word: position k = 1..3 in bits 4 (k - 1): 0-2 the direction, 5 not defined; 3 it replaces the input (else the outputs).
 * Bit 12 ring: after the last defined position comes position 0; bits 13-14 the current position. */
enum { SW_NONE = 5, SW_UNDEFINED = 0x555, SW_RX = 8, SW_RING = 0x1000, SW_AT = 13, SW_POSITIONS = 4 };
static inline int sw_at(uint16_t w) { return w >> SW_AT & 3; }
static inline unsigned sw_pos(uint16_t w, int k) { return (unsigned)w >> 4 * (k - 1) & 15; }
static inline bool sw_defined(uint16_t w, int k) { return k == 0 || (sw_pos(w, k) & 7) < N_DIR; }
/* socket word: bits 0-4 color, 5-7 queue, 8 output, 9 lend (queue q + 4 lends its words to q), 15 valid */
enum { SOCK_OUT = 0x100, SOCK_LEND = 0x200, SOCK_VALID = 0x8000 };
static inline uint16_t sock_word(int color, int q, bool out, bool lend)
{
    return (uint16_t)(SOCK_VALID | (lend ? SOCK_LEND : 0) | (out ? SOCK_OUT : 0) | q << 5 | color);
}
/* control wavelet with TEARDOWN as its first command, not delivered to any core (rule P26) */
#define CTRL_TEARDOWN 0x09df9249u
/* Commands of a control wavelet: eight of 3 bits (2 bits opcode, 1 bit "not to the core"), the first in bits 22..24; the list
 * goes up to bit 29 and on from bit 0.  Bits 16..21 name a control task, CTRL_NO_TASK none. */
enum { CMD_NOP, CMD_ADVANCE, CMD_RESET, CMD_TEARDOWN, CMD_NOT_CORE = 4, CTRL_NO_TASK = 31, N_CONTROL = 64 };
static inline unsigned ctrl_command(uint32_t w) { return w >> 22 & 7; }
static inline int ctrl_task(uint32_t w) { return (int)(w >> 16 & 63); }
/* without its first command; NOP, not to the core, comes in at the end */
static inline uint32_t ctrl_pop(uint32_t w)
{
    uint32_t list = (w >> 22 & 0xff) | (w & 0xffff) << 8;
    list = list >> 3 | (uint32_t)CMD_NOT_CORE << 21;
    return (w & 0xc03f0000u) | (list & 0xff) << 22 | list >> 8;
}

/* ---- registers of the machine, at byte addresses, 16 bits each (docs/machine.md, "Registers of the machine") */
enum {
    REGS_FIRST = 0xfe00,
    REG_IQ_COLOR = 0xfe00,     /* + 2 * input queue: bits 4-8 its color */
    REG_OQ_COLOR = 0xfe10,     /* + 2 * output queue: the same */
    REG_COLOR = 0xfe40,        /* + 2 * color: bits 0-4 outputs, 5-9 inputs, 10-11 swap, 12-13 PopMode, 14 closed, 15 routed */
    REG_SWITCH = 0xfe80,       /* + 2 * color: the switch word */
    REG_PENDING = 0xfec0,      /* colors 0-15 closed by a teardown and not opened again; + 2: colors 16-23 */
    REG_FLUSH = 0xfec4,        /* bits 0-7 input queues, 8-15 output queues: report when empty */
    REG_FLUSHED = 0xfec6,      /* those that were; written ones are cleared */
    REG_IQ_EMPTY = 0xfec8, REG_IQ_FULL = 0xfeca, REG_OQ_EMPTY = 0xfecc, REG_OQ_FULL = 0xfece,
    REG_UT_BLOCK = 0xfed0,     /* microthreads that may not issue */
    REG_HIGH = 0xfed8,         /* + 2 * k: tasks 16 k .. 16 k + 15 of high priority */
    REG_CTRL_BLOCK = 0xfee0,   /* + 2 * k: control tasks 16 k .. 16 k + 15 that are blocked */
    REG_FILTER = 0xff00,       /* + 16 * filter: counter; + 2 max; + 4 limit */
    N_FILTER = 6, TASK_TEARDOWN = 29
};
#endif
