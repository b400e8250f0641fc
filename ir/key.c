/* ir/key.c: which instructions are values, and when two are equal: for simplify, in a block, and gvn, down the dominator tree. */
#include "ir/ir.h"
#include <string.h>

bool ir_is_value(const IrIns *in)
{
    unsigned fl = ir_ops[in->op].flags;
    if (!(fl & I_RES) || (fl & (I_EFF | I_READ)) || in->nargs > 3) return false;
    return in->op != IR_PHI && in->op != IR_ALLOCA && in->op != IR_PARAM && in->type != T_SLOT;
}

IrKey ir_key(const IrIns *in)
{
    IrKey k;
    memset(&k, 0, sizeof k);
    k.op = in->op;
    k.type = in->type;
    k.nargs = (uint8_t)in->nargs;
    k.sym = in->op == IR_GADDR || in->op == IR_FADDR ? in->sym.i : 0;
    k.imm = in->nargs && in->op != IR_ICMP && in->op != IR_FCMP ? 0 : in->imm;
    for (int i = 0; i < in->nargs; i++) k.args[i] = in->args[i].i;
    if ((ir_ops[in->op].flags & I_COMM) && k.args[0] > k.args[1]) {
        uint32_t x = k.args[0];
        k.args[0] = k.args[1];
        k.args[1] = x;
    }
    return k;
}
