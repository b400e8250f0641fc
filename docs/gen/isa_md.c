/* Prints docs/isa.md from pe_ops.def, arch_params.def and the constants of isa.h.  Nothing in the page is typed twice but
 * the prose of the formats, which stands beside the field table it describes (runtime/isa/isa.c). */
#include "runtime/isa/isa.h"
#include <ctype.h>
#include <string.h>

static const struct { OpFmt fmt; const char *name, *fields, *text; } formats[] = {
    {FMT_N, "N", "-", "op"},
    {FMT_R, "R", "ra[23:19]", "op ra"},
    {FMT_RR, "RR", "rd[23:19] ra[18:14]", "op rd, ra"},
    {FMT_RRR, "RRR", "rd[23:19] ra[18:14] rb[13:9]", "op rd, ra, rb"},
    {FMT_RRRR, "RRRR", "rd[23:19] ra[18:14] rb[13:9] rc[8:4]", "op rd, ra, rb, rc"},
    {FMT_RRI, "RRI", "rd[23:19] ra[18:14] imm[13:0] signed", "op rd, ra, imm; memory: op rd, ra+imm"},
    {FMT_RI, "RI", "rd[23:19] imm[15:0] (li: signed)", "op rd, imm"},
    {FMT_I, "I", "imm[15:0]", "op imm"},
    {FMT_BR, "BR", "ra[23:19] rb[18:14] off[13:0] signed, words from the next instruction", "op ra, rb, label"},
    {FMT_J, "J", "off[23:0] signed, words from the next instruction", "op label"},
    {FMT_LP, "LP", "k[23:22] ra[21:17] off[13:0] signed", "op lK, ra, label"},
    {FMT_LE, "LE", "k[23:22] off[13:0] signed", "op lK, label"},
    {FMT_V3, "V3", "d[23:18] a[17:12] b[11:6] n[5:0]", "op d, a, b, n=N (n=0, the length of the DSRs, is not written; an absent operand is left out)"},
    {FMT_V4, "V4", "d[23:18] a[17:12] b[11:6] c[5:0]", "op d, a, b, c"},
    {FMT_DL, "DL", "dsr[23:18] x[17:15] ra[14:10] imm[9:0] signed, in 2-byte units", "op s0.3, x1, ra+bytes"},
    {FMT_DRR, "DRR", "dsr[23:18] x[17:15] ra[14:10] rb[9:5]", "op s0.3, x1, ra, rb"},
    {FMT_DR, "DR", "dsr[23:18] ra[17:13]", "op s0.3, ra"},
    {FMT_T, "T", "id[5:0], bit 5 set: data task", "op 9 or op data:3"},
    {FMT_AS, "AS", "ut[23:21] prio[20:19] av[18] act[17:12] uv[11] unb[10:5] utv[4]", "op ut2, prio=low, act=9, unb=data:3 (each may be left out)"},
    {FMT_QR, "QR", "q[23:21] ra[20:16]", "op q2, ra"},
    {FMT_RK, "RK", "rd[23:19] k[7:0]", "op rd, k"},
};
_Static_assert(sizeof formats / sizeof *formats == FMT_RK + 1, "a row per format");

static const char *const units[] = {"INT", "FPU", "MEM", "CTL", "TSK", "DSR", "RTR", "FAB"};

static void lower(const char *s)
{
    for (; *s; s++) putchar(tolower((unsigned char)*s));
}

/* Table cells: "|" would end the cell. */
static void cell(const char *s)
{
    for (; *s; s++) printf(*s == '|' ? "\\|" : "%c", *s);
}

static void cycles(int v)
{
    if (v >= 0) printf("%d", v);
    else if (v == SLOT_VEC) printf("vector");
    else if (v == SLOT_BRANCH) printf("branch");
    else if (v == SLOT_SETRTR) printf("set_router");
    else if (v == SLOT_SETSOCK) printf("set_sockets");
    else printf("%s", arch_param_rows[-v - 1000].name);
}

static void flags(unsigned f)
{
    static const struct { unsigned bit; const char *name; } t[] = {
        {F_TIME, "time"}, {F_WAIT, "wait"}, {F_SIDE, "side"}, {F_LOAD, "load"}, {F_STORE, "store"}, {F_BR, "branch"}, {F_COMM, "comm"}, {F_RDEST, "rdest"},
    };
    const char *sep = "";
    for (size_t i = 0; i < sizeof t / sizeof *t; i++)
        if (f & t[i].bit) printf("%s%s", sep, t[i].name), sep = " ";
}

static void print_formats(void)
{
    puts("## Formats\n\nBits 31 to 24 are the opcode. Bits that a format does not name are zero; a word with one of them set is not an instruction.\n");
    puts("| format | fields | written |\n|---|---|---|");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) printf("| %s | %s | `%s` |\n", formats[i].name, formats[i].fields, formats[i].text);
    printf("\nOperands of vector operations (6 bits): %d-%d `r0`-`r%d`, %d-%d `dsr0`-`dsr%d` of the file of the position "
           "(d: destination file, a: src0, b: src1), %d-%d `dot0`-`dot%d`, %d absent, %d `same` (d only: the DSR of a, in place). "
           "c is a register or a dot register.\n"
           "DSRs by number (6 bits): file * %d + index, written `d.3`, `s0.3`, `s1.3`.\n\n",
           OPD_R0, OPD_R0 + N_GPR - 1, N_GPR - 1, OPD_DSR0, OPD_DSR0 + N_DSR - 1, N_DSR - 1, OPD_DOT0, OPD_DOT0 + N_DOT - 1, N_DOT - 1, OPD_NONE, OPD_SAME_A, N_DSR);
}

static void print_ops(void)
{
    static const char vw[] = "-ABCDE";
    puts("## Instructions\n");
    puts("Slots: issue slots held (a name is a parameter below; *vector*: `ceil(n / min(width, ports))`, doubled by bank conflicts; *branch*: "
         "branch_taken or branch_not_taken). Latency: cycles from the last issue until the result may be used. Width: row of the width table, with the "
         "element bytes of d, a, b, c. Flags: *time* observes time, *wait* may wait, *side* has an effect besides its result, *comm* a and b may be "
         "swapped, *rdest* the destination is a register (a dot register for dots and sums), *branch* ends a basic block.\n");
    puts("| code | name | format | unit | slots | latency | width | flags | meaning |\n|---|---|---|---|---|---|---|---|---|");
    for (int i = 0; i < 256; i++) {
        const PeOp *o = &pe_ops[i];
        if (!o->name) continue;
        printf("| 0x%02x | `", i);
        lower(o->name);
        printf("` | %s | %s | ", formats[o->fmt].name, units[o->unit]);
        cycles(o->slots);
        printf(" | ");
        cycles(o->latency);
        if (o->vclass == VW_NONE) printf(" | - | ");
        else printf(" | %c %d%d%d%d | ", vw[o->vclass], o->esz[0], o->esz[1], o->esz[2], o->esz[3]);
        flags(o->flags);
        printf(" | ");
        cell(o->doc);
        puts(" |");
    }
    putchar('\n');
}

static void print_descriptors(void)
{
    printf("## Descriptors\n\n"
           "Eight bytes in memory, four little-endian 16-bit words:\n\n"
           "| word | memory | fabric |\n|---|---|---|\n"
           "| 0 | base byte address; FIFO (kind %d): byte address of its record | queue, bits 0-2; fabin: 8-13 task to activate on a control word, 14 valid, 15 a control word ends the operation |\n"
           "| 1 | bits 0-14 length in elements, 0x%x endless; bit 15 save the advanced address | the same |\n"
           "| 2 | mem1d (kind %d): stride in elements, signed, low byte; memnd (kind %d): byte address of the shape | bits 0-5 task to activate, 6 valid; 8-13 task to unblock, 14 valid |\n"
           "| 3 | bits 0-2 kind | bits 0-2 kind (fabin %d, fabout %d); 3 control wavelets; 4-6 microthread, 7 valid; 8-9 priority (0 default, 1 low, 2 medium, 3 high); 10 the last word advances the switch (fabout) |\n\n"
           "A FIFO descriptor has words 2 and 3 as a fabric one. Its record is six 16-bit words: base byte address, capacity in elements, place of the oldest element, elements held, tasks (0-5 to activate on a push, 6 valid; 8-13 on a pop, 14 valid), "
           "form (0-2 element bytes, 2 or 4; 4-5 when empty, 6-7 when full: 0 synchronous ends, asynchronous waits; 1 end; 2 wait; 3 fault).\n"
           "A shape is four pairs { u16 extent, i16 stride in elements }, innermost first; a dimension that is not there, and the outermost one, has extent 0.\n"
           "Control tasks have ids of their own, 0 to 63 but 31.\n"
           "Task ids in 6 bits: from %d on data tasks (wse2: color, wse3: input queue), below local tasks.\n\n",
           DSD_FIFO, LEN_ENDLESS, DSD_MEM1D, DSD_MEMND, DSD_FABIN, DSD_FABOUT, TASK_DATA);
    printf("## Router and queue words\n\n"
           "| word | bits |\n|---|---|\n"
           "| slot | 0-2 direction words come from (west %d, east %d, south %d, north %d, ramp %d); 3-7 directions they go to; 8 there is a switch word; 9 swap of north and south, 10 of east and west; 11-12 pop (0 never, 1 always, 2 on advance, 3 on advance or nothing); 13 closed at boot; 15 valid |\n"
           "| switch | per position k = 1..3 in bits 4 (k - 1): 3 bits direction, %d for not defined, and a bit: it replaces the input; 12 ring; 13-14 current position |\n"
           "| socket | 0-4 color (%d: null); 5-7 queue; 8 output; 9 queue + 4 lends its words; 15 valid |\n\n",
           DIR_WEST, DIR_EAST, DIR_SOUTH, DIR_NORTH, DIR_RAMP, SW_NONE, COLOR_NULL);
}

static void print_directives(void)
{
    static const char *const rows[][2] = {
        {".arch wse2|wse3", "architecture of the object"}, {".rect W, H", "PEs"}, {".class NAME", "what follows is this class's"},
        {".text .data .bss", "section"}, {".stack N", "bytes of stack that the code needs"}, {".equ NAME, N", "a name for a number"},
        {".align N .space N", "place"}, {".byte .half .word .float .half16f .string", "data"},
        {".global LABEL TYPE", "the host sees it"}, {".sym LABEL, TYPE, BYTES", "type and size of a symbol"},
        {".dsd mem1d, BASE, LENGTH, STRIDE [, save]", "descriptor of memory; LENGTH may be endless"},
        {".dsd memnd, BASE, LENGTH, SHAPE [, save]", "nested descriptor"}, {".shape E, S [, E, S ...]", "extents and strides, innermost first; a circular buffer of n: n, 1, 0, 0"},
        {".dsd fabin, qN, LENGTH [, act= unb= ut= prio= end oncontrol=TASK]", "input; end, oncontrol: at a control word"},
        {".dsd fabout, qN, LENGTH [, act= unb= ut= prio= control advance]", "output; advance: the last word moves the switch"},
        {".dsd fifo, RECORD, LENGTH [, act= unb= ut= prio=]", "FIFO; LENGTH is 0 as a rule"},
        {".fifo BASE, ELEMENTS, BYTES [, push=TASK] [, pop=TASK] [, empty=A] [, full=A]", "FIFO record; A: test, end, wait, fault"},
        {".task ID, LABEL [active] [blocked] [high]", "local task, or data:N"}, {".control ID, LABEL [blocked] [high]", "control task"},
        {".entry LABEL", "what runs first"}, {".iq N, COLOR|null [lend] [control=K] .oq N, COLOR|null", "queues; control words of the queue name control tasks from K on"},
        {".rotate data:N, LIMIT [first=F]", "after LIMIT starts of the data task, the first F of them counted already, control task 0 of its queue starts instead"},
        {".uses control, registers, fifo, teardown", "what the class uses beyond the plain machine (machine.md, section 16); directives that need one say it by themselves"},
        {".place X, Y, W, H, CLASS", "which PEs run the class"},
        {".route X, Y, W, H, COLOR, FROM, TO... [also=FROM]", "route; directions west east south north ramp"},
        {"  ... [pos1 rx=D|tx=D] [pos2 ...] [pos3 ...] [ring] [at=N] [pop=none|always|advance|advance_nop]", "switch positions, ring mode, position at boot, pop mode"},
        {"  ... [closed] [swap_ew] [swap_ns] [filter range MIN MAX | filter counter INIT MAX LIMIT [control] [nodata] [only] | filter sparse INIT MAX LIMIT LIMIT2 [control] [nodata]]", "closed at boot, color swap, filter"},
        {".pe SYMBOL TYPE: V V ...", "per-PE data, y, then x, then element"}, {".line FILE, N", "source place of the code that follows"},
    };
    puts("## Directives of the assembler\n");
    puts("| written | meaning |\n|---|---|");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        printf("| `");
        cell(rows[i][0]);
        printf("` | ");
        cell(rows[i][1]);
        puts(" |");
    }
    putchar('\n');
}

static void print_params(void)
{
    puts("## Parameters of the architecture\n");
    puts("Each can be overridden: `wsrun --arch-param NAME=VALUE`. Marks: **S** stated by a public source, **D** derived from published measurements, "
         "**G** our choice where nothing is public. *G rows are assumptions*: who publishes results must know.\n");
    puts("| name | wse2 | wse3 | unit | mark | meaning |\n|---|---|---|---|---|---|");
    for (int i = 0; i < AP_COUNT; i++) {
        const ArchParamRow *r = &arch_param_rows[i];
        printf("| `%s` | %d | %d | %s | %s | ", r->name, r->wse2, r->wse3, r->unit, r->mark);
        cell(r->doc);
        puts(" |");
    }
}

int main(void)
{
    puts("# The instruction set\n\nThis page is made from `runtime/isa/pe_ops.def`, `runtime/isa/arch_params.def` and `runtime/isa/isa.h` by "
         "`docs/gen/isa_md.c`: build the target `docs`, do not edit.\n");
    printf("A PE has %d registers of 32 bits (r0 is zero, r%d the stack pointer, r%d the link), %d dot-product registers, three files of %d DSRs "
           "(destination, src0, src1), %d XDSRs, %d loop counters, %d microthreads, %d input and output queues.\n\n",
           N_GPR, REG_SP, REG_LINK, N_DOT, N_DSR, N_XDSR, N_LOOP, N_UT, N_QUEUE);
    print_formats();
    print_ops();
    print_descriptors();
    print_directives();
    print_params();
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].fmt != (OpFmt)i) return 1;
    return 0;
}
