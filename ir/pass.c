/* The pass manager: runs the rows of passes.def in order, or the named ones; dumps and verifies between them. */
#include "ir.h"
#include <string.h>

#define PASS_FN(name) void pass_##name(IrFn *f);
#define PASS_MOD(name) void pass_##name(IrModule *m);
#define PASS(name, kind, level, doc) PASS_##kind(name)
#include "passes.def"
#undef PASS_FN
#undef PASS_MOD

typedef struct { const char *name; int level; void (*fn)(IrFn *); void (*mod)(IrModule *); } Pass;
#define PASS_FN(x) .fn = pass_##x
#define PASS_MOD(x) .mod = pass_##x
#define PASS(x, kind, lvl, doc) {.name = #x, .level = lvl, PASS_##kind(x)},
static const Pass passes[] = {
#include "passes.def"
};
enum { N_PASSES = sizeof passes / sizeof *passes };

static bool same(const char *name, const char *list, size_t n) { return strlen(name) == n && memcmp(name, list, n) == 0; }

bool ir_pass_known(const char *name, size_t n)
{
    for (int k = 0; k < N_PASSES; k++)
        if (same(passes[k].name, name, n)) return true;
    return same("all", name, n);
}

bool ir_listed(const char *name, const char *list)
{
    while (list && *list) {
        size_t n = strcspn(list, ",");
        if (same(name, list, n) || same("all", list, n)) return true;
        list += n + (list[n] == ',');
    }
    return false;
}

static bool run_one(Diags *d, IrModule *m, const Pass *p, const IrPassOpts *o)
{
    if (p->mod) p->mod(m);
    else
        for (ptrdiff_t i = 0; i < arrlen(m->fns); i++)
            if (!m->fns[i]->decl_only) p->fn(m->fns[i]);
    if (ir_listed(p->name, o->dump_after) && o->dump) {
        Buf b = {0};
        ir_print(&b, m);
        fprintf(o->dump, "// after %s\n%s", p->name, b.p);
        buf_free(&b);
    }
    if (!o->verify_each || ir_verify(d, m) == 0) return true;
    DIAG(d, &ir_diag_rows[IRD_after_pass], (Loc){0}, d_str(p->name));
    return false;
}

bool ir_run_passes(Diags *d, IrModule *m, const IrPassOpts *o)
{
    if (!o->only) {
        for (int k = 0; k < N_PASSES; k++)
            if (passes[k].level <= o->level && !run_one(d, m, &passes[k], o)) return false;
        return true;
    }
    for (const char *s = o->only; *s;) {
        size_t n = strcspn(s, ",");
        int k = 0;
        while (k < N_PASSES && !same(passes[k].name, s, n)) k++;
        if (k == N_PASSES && n) {
            char *name = arena_strndup(m->arena, s, n);
            DIAG(d, &ir_diag_rows[IRD_unknown_pass], (Loc){0}, d_str(name));
            return false;
        }
        if (n && !run_one(d, m, &passes[k], o)) return false;
        s += n + (s[n] == ',');
    }
    return true;
}
