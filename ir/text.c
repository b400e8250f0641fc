/* The printer of WIR.  Names are kept where they are given and made unique ("x.1"), values without one are numbered in the order
 * of printing, so that printing what was read from a print gives the same bytes.  The grammar is in docs/ir.md. */
#include "ir.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ROW(id, sev, name, text, hint) [IRD_##name] = {SEV_##sev, #id, #name, text, hint},
const DiagRow ir_diag_rows[IRD_COUNT] = {
#include "ir_diags.def"
};
#undef ROW

/* ---- names */
typedef struct { char *key; int value; } NameSet;
typedef struct { IrModule *m; IrFn *f; char **val, **blk, **glb, **fn; Arena *a; Buf *b; } Printer;

/* `name`, or the first of name.1, name.2, ... that is free */
static char *unique(Arena *a, NameSet **set, const char *name)
{
    char *s = arena_strdup(a, name);
    ptrdiff_t at = shgeti(*set, s);
    if (at >= 0) {
        int k = (*set)[at].value;
        do s = arena_printf(a, "%s.%d", name, ++k);
        while (shgeti(*set, s) >= 0);
        (*set)[at].value = k;
    }
    shput(*set, s, 0);
    return s;
}

static bool plain_name(const char *s)
{
    if (!*s || isdigit((unsigned char)*s)) return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr("_.$", *s) && (unsigned char)*s < 0x80) return false;
    return true;
}

static char *quoted(Arena *a, const char *s)
{
    Buf b = {0};
    if (plain_name(s) && strcmp(s, "_") != 0) return arena_strdup(a, s);
    buf_printf(&b, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\' || (unsigned char)*s < 32 || *s == 127) buf_printf(&b, "\\%02x", (unsigned char)*s);
        else buf_add(&b, s, 1);
    }
    buf_printf(&b, "\"");
    char *r = arena_strdup(a, b.p);
    buf_free(&b);
    return r;
}

static void name_symbols(Printer *p)
{
    NameSet *set = NULL;
    for (ptrdiff_t i = 0; i < arrlen(p->m->globals); i++)
        arrput(p->glb, quoted(p->a, unique(p->a, &set, p->m->globals[i].name)));
    for (ptrdiff_t i = 0; i < arrlen(p->m->fns); i++)
        arrput(p->fn, quoted(p->a, unique(p->a, &set, p->m->fns[i]->name)));
    shfree(set);
}

static void name_values(Printer *p, IrFn *f)
{
    NameSet *vals = NULL, *blks = NULL;
    int next = 0;
    p->f = f;
    arrsetlen(p->val, arrlen(f->ins));
    memset(p->val, 0, sizeof *p->val * (size_t)arrlen(f->ins));
    arrsetlen(p->blk, 0);
    arrput(p->blk, NULL);
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++) {
        const char *n = f->blks[b].name ? f->blks[b].name : arena_printf(p->a, "b%td", b);
        arrput(p->blk, quoted(p->a, unique(p->a, &blks, n)));
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            uint32_t r = f->blks[b].ins[i].i;
            if (f->ins[r].type == T_VOID) continue;
            const char *name = f->ins[r].name;
            p->val[r] = name && *name ? quoted(p->a, unique(p->a, &vals, name)) : arena_printf(p->a, "%d", next++);
        }
    }
    shfree(vals);
    shfree(blks);
}

static Printer printer(Buf *b, IrModule *m)
{
    Printer p = {.m = m, .b = b, .a = arena_new()};
    name_symbols(&p);
    return p;
}

static void printer_free(Printer *p)
{
    arrfree(p->val);
    arrfree(p->blk);
    arrfree(p->glb);
    arrfree(p->fn);
    arena_free(p->a);
}

/* ---- pieces */
static void pr_val(Printer *p, IrRef r)
{
    if (!r.i) buf_printf(p->b, "_");
    else if (r.i >= (uint32_t)arrlen(p->val) || !p->val[r.i]) buf_printf(p->b, "%%<bad %u>", r.i);
    else buf_printf(p->b, "%%%s", p->val[r.i]);
}

static void pr_blk(Printer *p, IrBlk b)
{
    if (!b.i || b.i >= (uint32_t)arrlen(p->blk)) buf_printf(p->b, "<bad block %u>", b.i);
    else buf_printf(p->b, "%s", p->blk[b.i]);
}

static void pr_sym(Printer *p, IrSym s)
{
    uint32_t i = s.i & 0x7fffffffu;
    if (ir_sym_is_fn(s) && i < (uint32_t)arrlen(p->fn)) buf_printf(p->b, "@%s", p->fn[i]);
    else if (!ir_sym_is_fn(s) && i && i <= (uint32_t)arrlen(p->glb)) buf_printf(p->b, "@%s", p->glb[i - 1]);
    else buf_printf(p->b, "@<bad %u>", s.i);
}

static void pr_off(Printer *p, int64_t off)
{
    if (off < 0) buf_printf(p->b, " - %llu", 0 - (unsigned long long)off);
    else if (off > 0) buf_printf(p->b, " + %lld", (long long)off);
}

static void pr_list(Printer *p, const IrIns *in, int from)
{
    for (int i = from; i < in->nargs; i++) {
        if (i > from) buf_printf(p->b, ", ");
        pr_val(p, in->args[i]);
    }
}

static void pr_const(Buf *b, IrType t, int64_t v)
{
    if (t == T_DSD) buf_printf(b, "0x%016llx", (unsigned long long)v);
    else if (t == T_PTR || t == T_I1) buf_printf(b, "%llu", (unsigned long long)v);
    else buf_printf(b, "%lld", (long long)ir_signed(t, (uint64_t)v));
}

/* decimal when it reads back to the same bits, else the bits */
static void pr_float(Buf *b, IrType t, uint64_t bits)
{
    char s[64];
    double v = ir_float_value(t, bits);
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(s, sizeof s, "%.*g", digits, v);
        if (ir_float_bits(t, strtod(s, NULL)) != bits) continue;
        if (!strpbrk(s, "0123456789")) break;            /* inf, nan: as bits */
        buf_printf(b, strpbrk(s, ".e") ? "%s" : "%s.0", s);
        return;
    }
    buf_printf(b, "0x%llx", (unsigned long long)bits);
}

static const char *const cmps[] = {"eq", "ne", "slt", "sle", "ult", "ule"};

static void pr_vop(Printer *p, const IrIns *in)
{
    const IrVopRow *row = &ir_vops[in->vop < IRV_COUNT ? in->vop : 0];
    const IrType t[4] = {row->d, row->a, row->b, row->c};
    buf_printf(p->b, "vop ");
    for (const char *s = row->name; *s; s++) buf_printf(p->b, "%c", tolower((unsigned char)*s));
    if (in->type != T_VOID && in->type != row->d) buf_printf(p->b, " %s", ir_type_name(in->type));
    const char *sep = " ";
    for (int k = 0; k < 4 && k < in->nargs; k++) {
        if (t[k] == T_VOID && !in->args[k].i) continue;
        buf_printf(p->b, "%s", sep);
        pr_val(p, in->args[k]);
        sep = ", ";
    }
    if (in->imm) buf_printf(p->b, " n %lld", (long long)in->imm);
    if (!in->async.on) return;
    buf_printf(p->b, " async");
    sep = "(";
    const struct { const char *name; int v, none; } f[] = {
        {"ut", in->async.ut, -1}, {"act", in->async.act, -1}, {"unb", in->async.unb, -1}, {"prio", in->async.prio, 0}};
    for (int k = 0; k < 4; k++) {
        if (f[k].v == f[k].none) continue;
        buf_printf(p->b, "%s%s %d", sep, f[k].name, f[k].v);
        sep = ", ";
    }
    if (*sep == ',') buf_printf(p->b, ")");
}

static void pr_plain(Printer *p, const IrIns *in, bool with_type)
{
    if (with_type) buf_printf(p->b, " %s", ir_type_name(in->type));
    if (in->nargs) buf_printf(p->b, " ");
    pr_list(p, in, 0);
}

static void pr_switch(Printer *p, const IrIns *in)
{
    IrType t = in->nargs && in->args[0].i < (uint32_t)arrlen(p->f->ins) ? ir_ins(p->f, in->args[0])->type : T_I64;
    buf_printf(p->b, " ");
    pr_list(p, in, 0);
    for (int k = 0; k < in->nblocks; k++) {
        buf_printf(p->b, ", ");
        if (k) {
            pr_const(p->b, t, in->cases[k - 1]);
            buf_printf(p->b, ": ");
        }
        pr_blk(p, in->blocks[k]);
    }
}

static void pr_call(Printer *p, const IrIns *in)
{
    if (in->type != T_VOID) buf_printf(p->b, " %s", ir_type_name(in->type));
    buf_printf(p->b, " ");
    if (in->op == IR_CALL) pr_sym(p, in->sym);
    else if (in->nargs) pr_val(p, in->args[0]);
    buf_printf(p->b, "(");
    pr_list(p, in, in->op == IR_CALLR);
    buf_printf(p->b, ")");
}

static void pr_operands(Printer *p, const IrIns *in)
{
    Buf *b = p->b;
    switch (in->op) {
    case IR_CONST:
        buf_printf(b, " %s ", ir_type_name(in->type));
        pr_const(b, in->type, in->imm);
        return;
    case IR_FCONST:
        buf_printf(b, " %s ", ir_type_name(in->type));
        pr_float(b, in->type, (uint64_t)in->imm);
        return;
    case IR_GADDR: case IR_FADDR:
        buf_printf(b, " ");
        pr_sym(p, in->sym);
        pr_off(p, in->imm);
        return;
    case IR_PARAM: buf_printf(b, " %s %lld", ir_type_name(in->type), (long long)in->imm); return;
    case IR_LOAD:
        pr_plain(p, in, true);
        pr_off(p, in->imm);
        return;
    case IR_STORE:
        buf_printf(b, " ");
        pr_val(p, in->nargs ? in->args[0] : IR_NONE);
        pr_off(p, in->imm);
        buf_printf(b, ", ");
        pr_list(p, in, 1);
        return;
    case IR_DSRLOAD:
        pr_plain(p, in, false);
        pr_off(p, in->imm);
        return;
    case IR_ICMP: case IR_FCMP:
        buf_printf(b, " %s ", (uint64_t)in->imm < 6 ? cmps[in->imm] : "?");
        pr_list(p, in, 0);
        return;
    case IR_PHI:
        buf_printf(b, " %s", ir_type_name(in->type));
        for (int k = 0; k < in->nargs && k < in->nblocks; k++) {
            buf_printf(b, k ? ", [" : " [");
            pr_val(p, in->args[k]);
            buf_printf(b, ", ");
            pr_blk(p, in->blocks[k]);
            buf_printf(b, "]");
        }
        return;
    case IR_CALL: case IR_CALLR: pr_call(p, in); return;
    case IR_BR: case IR_CONDBR:
        pr_plain(p, in, false);
        for (int k = 0; k < in->nblocks; k++) {
            buf_printf(b, k || in->nargs ? ", " : " ");
            pr_blk(p, in->blocks[k]);
        }
        return;
    case IR_SWITCH: pr_switch(p, in); return;
    case IR_ACTIVATE: case IR_BLOCK: case IR_UNBLOCK:
        if (in->nargs) pr_plain(p, in, false);
        else buf_printf(b, " %lld", (long long)in->imm);
        return;
    case IR_ALLOCA: case IR_TSC: case IR_TRAP: case IR_WAITUT: buf_printf(b, " %lld", (long long)in->imm); return;
    case IR_VLEFT: return;
    case IR_PRINT: case IR_SENDCTRL:
        buf_printf(b, " %lld%s", (long long)in->imm, in->nargs ? ", " : "");
        pr_list(p, in, 0);
        return;
    case IR_DSRSLOT: case IR_DOTSLOT:
        if (in->imm == 1) buf_printf(b, " nested");
        else if (in->imm) buf_printf(b, slot_pin_xdsr(in->imm) >= 0 ? " pin %d xdsr %d" : " pin %d", slot_pin(in->imm), slot_pin_xdsr(in->imm));
        return;
    case IR_DSDBASE: case IR_DSDLEN: case IR_DSDOFF: case IR_DSDSTRIDE: pr_plain(p, in, false); return;
    default: pr_plain(p, in, ir_ops[in->op].flags & I_RES); return;
    }
}

static void pr_ins(Printer *p, IrRef r)
{
    const IrIns *in = ir_ins(p->f, r);
    buf_printf(p->b, "  ");
    if (in->type != T_VOID) {
        pr_val(p, r);
        buf_printf(p->b, " = ");
    }
    if (in->op == IR_VOP) {
        pr_vop(p, in);
    } else {
        buf_printf(p->b, "%s", ir_ops[in->op].text);
        pr_operands(p, in);
    }
    buf_printf(p->b, "\n");
}

/* ---- functions, globals, module */
static void pr_fn(Printer *p, IrFn *f, const char *name)
{
    static const char *const kinds[] = {"", " task(local", " task(data", " task(control", " main"};
    Buf *b = p->b;
    name_values(p, f);
    buf_printf(b, "%sfn @%s(", f->decl_only ? "declare " : "", name);
    for (ptrdiff_t i = 0; i < arrlen(f->params); i++) buf_printf(b, "%s%s", i ? ", " : "", ir_type_name(f->params[i]));
    buf_printf(b, ")");
    if (f->ret != T_VOID) buf_printf(b, " -> %s", ir_type_name(f->ret));
    buf_printf(b, "%s", kinds[f->kind]);
    if (f->kind != FN_PLAIN && f->kind != FN_MAIN) {
        if (f->task_id >= 0) buf_printf(b, " %d", f->task_id);
        buf_printf(b, ")");
    }
    if (f->inl) buf_printf(b, " inline(%s)", f->inl == INLINE_ALWAYS ? "always" : "never");
    if (f->exported) buf_printf(b, " export");
    if (f->decl_only) {
        buf_printf(b, "\n");
        return;
    }
    buf_printf(b, " {\n");
    for (uint32_t k = 1; k < (uint32_t)arrlen(f->blks); k++) {
        pr_blk(p, (IrBlk){k});
        buf_printf(b, ":\n");
        for (ptrdiff_t i = 0; i < arrlen(f->blks[k].ins); i++) pr_ins(p, f->blks[k].ins[i]);
    }
    buf_printf(b, "}\n");
}

static void pr_global(Printer *p, const IrGlobal *g, const char *name)
{
    Buf *b = p->b;
    buf_printf(b, "global @%s size %u align %u", name, g->size_bytes, g->align);
    if (g->elem_type) buf_printf(b, " type %d", g->elem_type);
    if (g->is_const) buf_printf(b, " const");
    if (g->exported) buf_printf(b, " export");
    if (g->keep) buf_printf(b, " keep");
    if (g->section) buf_printf(b, " section %d", g->section);
    if (g->init) {
        uint32_t n = g->size_bytes;
        while (n && !g->init[n - 1]) n--;                /* the rest is zeros */
        buf_printf(b, " = x\"");
        for (uint32_t i = 0; i < n; i++) {
            if (i && i % 32 == 0) buf_printf(b, "\"\n  x\"");
            buf_printf(b, "%02x", g->init[i]);
        }
        buf_printf(b, "\"");
    }
    for (ptrdiff_t i = 0; i < arrlen(g->relocs); i++) {
        buf_printf(b, "\n  reloc %u ", g->relocs[i].off);
        pr_sym(p, g->relocs[i].sym);
        pr_off(p, g->relocs[i].add);
    }
    buf_printf(b, "\n");
}

void ir_print(Buf *b, IrModule *m)
{
    Printer p = printer(b, m);
    const char *q = quoted(p.a, m->name);
    buf_printf(b, *q == '"' ? "module %s\n" : "module \"%s\"\n", q);
    if (m->uses) buf_printf(b, "uses %u\n", m->uses);
    for (ptrdiff_t i = 0; i < arrlen(m->globals); i++) pr_global(&p, &m->globals[i], p.glb[i]);
    for (ptrdiff_t i = 0; i < arrlen(m->boot); i++) {
        const IrBoot *r = &m->boot[i];
        buf_printf(b, "boot kind %d id %d color %d flags %d", r->kind, r->id, r->color, r->flags);
        if (r->num || r->first) buf_printf(b, " num %d first %d", r->num, r->first);
        if (r->fn.i) {
            buf_printf(b, " ");
            pr_sym(&p, r->fn);
        }
        buf_printf(b, "\n");
    }
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++) {
        buf_printf(b, "\n");
        pr_fn(&p, m->fns[i], p.fn[i]);
    }
    printer_free(&p);
}

void ir_print_fn(Buf *b, IrFn *f)
{
    Printer p = printer(b, f->mod);
    const char *name = f->name;
    for (ptrdiff_t i = 0; i < arrlen(f->mod->fns); i++)
        if (f->mod->fns[i] == f) name = p.fn[i];
    pr_fn(&p, f, name);
    printer_free(&p);
}

void ir_print_ref(Buf *b, IrFn *f, IrRef r)
{
    Printer p = {.m = f->mod, .b = b, .a = arena_new()};
    name_values(&p, f);
    if (r.i && r.i < (uint32_t)arrlen(f->ins) && f->ins[r.i].type == T_VOID) buf_printf(b, "%s", ir_ops[f->ins[r.i].op].text);
    else pr_val(&p, r);
    printer_free(&p);
}
