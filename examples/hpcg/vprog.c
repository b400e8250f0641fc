/* The op program of one CG iteration.
 *
 * Takes MG, LEVELS and BC; leaves vprog.bin: u16 little endian, common to all PEs, one op a word (hpcg_ops.h: bits 0-7 code, 8-15
 * argument), ending with OP_END.
 *
 * With MG=0:  level view of CG, z = r, rtz, p, Ap, pAp and rr, x, r.
 * With MG=1 the V-cycle stands in place of z = r (document section 6.3):
 *     GS(0) SpMV(0) restrict GS(1) SpMV(1) restrict GS(2) SpMV(2) restrict GS(3) prolong GS(2) prolong GS(1) prolong GS(0)
 * with the co-set moves around level 1 and an exchange before each SpMV on levels 1 and 2.  With BC=sever the SpMV of the
 * post-smoothings run on contexts that are cut at the domain edges.
 */
#include "hpcg_common.h"

static struct {
    uint16_t op[VPROG_MAX];
    int n, level; /* level: the row of lvl_tab that is set, -1 none */
} prog = {.level = -1};

static void emit(enum HpcgOp op, int arg)
{
    if (prog.n == VPROG_MAX)
        die("internal: a program longer than %d ops", VPROG_MAX);
    prog.op[prog.n++] = (uint16_t)((unsigned)arg << 8 | (unsigned)op);
}

static void set_level(int level)
{
    if (prog.level != level)
        emit(OP_SET_LEVEL, level);
    prog.level = level;
}

static void gs_from_zero(int level)
{
    emit(OP_ZF_PATCH, 1);
    emit(OP_GS_FWD_DOWN, CTX_GS_FWD(level));
    emit(OP_GS_BWD_UP, CTX_GS_BWD(level));
    emit(OP_ZF_PATCH, 0);
}

static void spmv(int level, bool cut)
{
    if (level == 0) {
        emit(OP_SPMV_FULL, cut ? CTX_SPMV_FULL_CUT : CTX_SPMV_FULL);
        return;
    }
    emit(OP_XCHG, CTX_XCHG(level));
    emit(OP_GS_FWD_UP, cut ? CTX_UP_CUT(level) : CTX_UP(level));
    emit(OP_SPMV_DOWN, cut ? CTX_DOWN_CUT(level) : CTX_DOWN(level));
}

static void v_cycle(int levels, bool sever)
{
    emit(OP_MG_BEGIN, 0);
    for (int l = 0; l < levels; l++) {
        set_level(l);
        emit(OP_SMOOTH_PRE, 0);
        gs_from_zero(l);
        if (l + 1 == levels)
            break;
        spmv(l, false);
        emit(OP_RESTRICT, l);
        if (l == 0)
            emit(OP_REDIST, CTX_REDIST);
    }
    for (int l = levels - 2; l >= 0; l--) {
        if (l == 0)
            emit(OP_REDUCE, CTX_REDUCE);
        set_level(l);
        emit(OP_PROLONG, l);
        spmv(l, sever);
        emit(OP_SMOOTH_POST, 0);
        gs_from_zero(l);
        emit(OP_SMOOTH_ADD, 0);
    }
}

static void make_program(int mg, int levels, bool sever)
{
    if (mg)
        v_cycle(levels, sever);
    set_level(lvl_row_cg(mg, levels));
    if (!mg)
        emit(OP_COPY_RZ, 0);
    emit(OP_DOT, 0);
    emit(OP_P_UPDATE, 0);
    emit(OP_SPMV_FULL, CTX_SPMV_FULL);
    emit(OP_DOT, 1);
    emit(OP_X_UPDATE, 0);
    emit(OP_R_UPDATE, 0);
    emit(OP_END, 0);
}

/* ---- text ---------------------------------------------------------------------------------------------------------------- */
typedef struct {
    const char *name, *doc;
    enum HpcgArg arg;
    int mg;
} OpInfo;
static const OpInfo op_info[OP_COUNT] = {
#define HPCG_OP(code, name, arg, mg, doc) [code] = {#name, doc, ARG_##arg, mg},
    HPCG_OPS(HPCG_OP)
#undef HPCG_OP
};

static void list_program(void)
{
    static const char *const arg_name[] = {"", "row", "which", "context", "flag", "level"};
    for (int i = 0; i < prog.n; i++) {
        unsigned op = prog.op[i] & 0xff, arg = prog.op[i] >> 8;
        printf("%3d  0x%04x  %-12s", i, prog.op[i], op_info[op].name);
        if (op_info[op].arg != ARG_NONE)
            printf("%7s %-3u", arg_name[op_info[op].arg], arg);
        else
            printf("%11s", "");
        printf("  %s\n", op_info[op].doc);
    }
}

static void print_constants(void)
{
    for (int i = 0; i < OP_COUNT; i++)
        printf("const OP_%s: u16 = %d;%s\n", op_info[i].name, i, op_info[i].mg ? "  // MG=1" : "");
}

int main(int argc, char **argv)
{
    static const char *const zero_one[] = {"0", "1", NULL}, *const bcs[] = {"frozen", "sever", NULL};
    int mg = 1, levels = MAX_LEVELS, words = 0, bc = 0;
    const char *out_dir = NULL;
    bool list = false, constants = false;
    Opt opts[] = {
        {.name = "mg", .kind = OPT_CHOICE, .to = &mg, .help = "V-cycle preconditioner, default 1", .choices = zero_one},
        {.name = "levels", .kind = OPT_INT, .to = &levels, .help = "MG levels, default 4"},
        {.name = "bc", .kind = OPT_CHOICE, .to = &bc, .help = "coupling across GS domains, default frozen", .choices = bcs},
        {.name = "out-dir", .kind = OPT_STRING, .to = &out_dir, .help = "write vprog.bin here"},
        {.name = "words", .kind = OPT_INT, .to = &words, .help = "fill vprog.bin up to this many words with END"},
        {.name = "list", .kind = OPT_FLAG, .to = &list, .help = "print the program"},
        {.name = "constants", .kind = OPT_FLAG, .to = &constants, .help = "print the op codes as hpcg.w wants them"},
        {.name = NULL},
    };
    tool_name = "vprog";
    opt_parse(argc, argv, "Make the op program of one CG iteration.", opts, NULL, NULL);
    if (levels < 1 || levels > MAX_LEVELS)
        die("--levels must be 1..%d, not %d", MAX_LEVELS, levels);
    make_program(mg, levels, bc);
    if (words && (words < prog.n || words > VPROG_MAX))
        die("--words must be %d..%d, not %d", prog.n, VPROG_MAX, words);
    if (list)
        list_program();
    if (constants)
        print_constants();
    if (out_dir)
        write_file(out_dir, "vprog.bin", prog.op, (size_t)(words ? words : prog.n) * sizeof prog.op[0]);
    return 0;
}
