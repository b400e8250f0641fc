/* frontend/sema_class.c: classes: PEs that run the same code.
 *
 * All PEs of one shape (file, and all of their parameters that are not numbers) start as one class; a number that differs
 * between them is symbolic, one value per PE.  Code may compute with it freely.  Where a known value is needed (a branch, a
 * size, an id, a color, a comptime argument) decide() looks: if the PEs agree, it is known; if not, the evaluation is given
 * up, the PEs are parted by the value, and each part starts anew.  It comes to the same place with one value and goes on, so
 * nothing needs to be remembered.  A symbolic value that is used at run time is a load of a per-PE data word. */
#include "frontend/sema_place.h"
#include <assert.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CLASSES = 4096 };

typedef struct ClassJob {
    TileShape *shape;
    uint32_t *idx, n;        /* which of the shape's PEs, in order of their numbers */
    jmp_buf fork;
    int64_t *fork_by;        /* value of the decision per PE */
    Loc fork_loc;
} ClassJob;

/* ---- symbolic values */
Value sym_new(Sema *s, Type *t, bool flt, Loc loc)
{
    SymVal *y = ARENA_NEW(s->arena, SymVal);
    y->loc = loc;
    y->id = ++s->nsyms;
    if (flt) y->f = ARENA_ARR(s->arena, double, s->npes);
    else y->v = ARENA_ARR(s->arena, int64_t, s->npes);
    return (Value){.kind = V_SYM, .type = t, .u.sym = y};
}

static Value sym_at(const Value *v, uint32_t i)
{
    if (v->u.sym->f) return v_flt(v->type, v->u.sym->f[i]);
    int64_t x = v->u.sym->v[i];
    return v_int(v->type, v->type->kind == TY_INT && !v->type->is_signed ? (Int)(uint64_t)x : (Int)x);
}

static bool agrees(const Sema *s, const SymVal *y)
{
    for (uint32_t i = 1; i < s->npes; i++)
        if (y->f ? memcmp(&y->f[i], &y->f[0], 8) != 0 : y->v[i] != y->v[0]) return false;
    return true;
}

Value sym_settle(Sema *s, Value v) { return agrees(s, v.u.sym) ? sym_at(&v, 0) : v; }

void sym_blame(Sema *s, Value v, uint32_t i)
{
    uint32_t w = s->prog->pl->w;
    SEMA_NOTE(s, note_at_pe, v.u.sym->loc, d_uint(s->pes[i] % w), d_uint(s->pes[i] / w));
}

Value sym_convert(Sema *s, Value v, Type *t, bool check, Loc loc)
{
    Value r = sym_new(s, t, type_is_float(t), loc);
    r.u.sym->name = v.u.sym->name;
    for (uint32_t i = 0; i < s->npes; i++) {
        Value x = sym_at(&v, i);
        x = check ? coerce(s, x, t, loc) : convert(s, x, t, loc);
        if (x.kind == V_ERR) {
            sym_blame(s, v, i);
            return x;
        }
        if (r.u.sym->f) r.u.sym->f[i] = x.u.f;
        else r.u.sym->v[i] = (int64_t)x.u.i;
    }
    return sym_settle(s, r);
}

Value sym_gather(Sema *s, Value agg, Value index, Loc loc)
{
    Value r = sym_new(s, agg.type->elem, false, loc);
    for (uint32_t i = 0; i < s->npes; i++) {
        Value at = sym_at(&index, i);
        if (at.u.i < 0 || at.u.i >= agg.n) {
            SEMA_ERR(s, index_range, loc, d_value(s, &at), d_type(agg.type));
            sym_blame(s, index, i);
            return V_NONE;
        }
        Value *e = agg_at(&agg, (uint32_t)at.u.i);
        if (e->kind != V_INT) return decide(s, index, loc), V_NONE;
        r.u.sym->v[i] = (int64_t)e->u.i;
    }
    return sym_settle(s, r);
}

Value decide(Sema *s, Value v, Loc loc)
{
    if (v.kind != V_SYM) return v;
    if (agrees(s, v.u.sym)) return sym_at(&v, 0);
    ClassJob *j = s->job;
    j->fork_by = ws_xmalloc(sizeof *j->fork_by * s->npes);
    if (v.u.sym->f) memcpy(j->fork_by, v.u.sym->f, sizeof *j->fork_by * s->npes);
    else memcpy(j->fork_by, v.u.sym->v, sizeof *j->fork_by * s->npes);
    j->fork_loc = loc;
    longjmp(j->fork, 1);
}

/* ---- per-PE data */
typedef struct PeWord { const char *name; Type *type; Value v; struct PeWord *next; } PeWord;

void pe_data_of(Sema *s, const char *name, Type *t, const Value *v, Loc loc)
{
    PeWord *w = ARENA_NEW(s->arena, PeWord);
    *w = (PeWord){name, t, *v, s->pe_data};
    s->pe_data = w;
}

void pe_data_rename(Sema *s, const char *old, const char *name)
{
    for (PeWord *w = s->pe_data; w; w = w->next)
        if (!strcmp(w->name, old)) w->name = name;
}

IrSym sym_global(Sema *s, Value v, Loc loc)
{
    SymVal *y = v.u.sym;
    Type *t = v.type;
    if (y->global.i && y->global_type == t) return y->global;
    for (ptrdiff_t i = 0; i < arrlen(s->pe_words); i++) { /* the same numbers again */
        SymVal *o = s->pe_words[i];
        if (!o->f != !y->f || o->global_type->size != t->size) continue;
        if (!memcmp(o->f ? (void *)o->f : (void *)o->v, y->f ? (void *)y->f : (void *)y->v, 8u * s->npes)) return o->global;
    }
    assert(!t->comptime_only);
    const char *name = arena_printf(s->arena, ".pe%u.%u", t->size, s->pe_count[t->size & 7]++);
    y->global = global_new(s, name, t, &v, true, loc);
    y->global_type = t;
    if (y->global.i) {
        ir_global(s->ir, y->global)->is_const = false;
        arrput(s->pe_words, y);
    }
    return y->global;
}

IrRef sym_ir(Sema *s, Value v, Loc loc)
{
    IrSym g = sym_global(s, v, loc);
    if (!g.i) return IR_NONE;
    IrFn *f = s->fn->ir;
    return ir_load(f, s->fn->cur, v.type->ir, ir_gaddr(f, s->fn->cur, g, 0, loc), 0, loc);
}

/* the class is done: its words go to the program's */
static void flush_pe_data(Sema *s)
{
    Placement *pl = s->prog->pl;
    PeWord *first = NULL; /* oldest first */
    for (PeWord *w = s->pe_data, *next; w; w = next) {
        next = w->next;
        w->next = first;
        first = w;
    }
    for (PeWord *w = first; w; w = w->next) {
        PeOut *o = NULL;
        for (ptrdiff_t i = 0; i < arrlen(pl->pe) && !o; i++)
            if (!strcmp(pl->pe[i].name, w->name) && pl->pe[i].elem_bytes == w->type->size) o = &pl->pe[i];
        if (!o) {
            PeOut n = {arena_strdup(s->prog->arena, w->name), w->type->size, ARENA_ARR(s->prog->arena, uint8_t, (size_t)pl->w * pl->h * w->type->size)};
            arrput(pl->pe, n);
            o = &arrlast(pl->pe);
        }
        IrReloc *relocs = NULL;
        for (uint32_t i = 0; i < s->npes; i++)
            if (!value_bytes(s, &w->v, w->type, o->bytes + (size_t)s->pes[i] * w->type->size, 0, &relocs, i, s->root->file->decls.n ? s->root->file->decls.v[0]->loc : (Loc){0})) break;
        if (arrlen(relocs)) SEMA_ERR(s, not_built, (Loc){0}, d_str("a pointer in data that differs between PEs"));
        arrfree(relocs);
    }
}

/* ---- one evaluation */
Sema *sema_new(Program *p)
{
    Arena *a = arena_new();
    Sema *s = ARENA_NEW(a, Sema);
    s->prog = p;
    s->arena = s->va = a;
    s->d = p->d;
    for (int q = 0; q < N_QUEUE; q++) s->iq_color[q] = s->oq_color[q] = -1;
    return s;
}

void sema_free(Sema *s)
{
    for (ptrdiff_t i = 0; i < arrlen(s->mods); i++) {
        for (ptrdiff_t k = 0; k < arrlen(s->mods[i]->decls); k++) arrfree(s->mods[i]->decls[k]->specs);
        hmfree(s->mods[i]->names);
        arrfree(s->mods[i]->decls);
    }
    arrfree(s->mods);
    arrfree(s->queue);
    arrfree(s->on_teardown);
    arrfree(s->on_empty);
    arrfree(s->pe_words);
    shfree(s->consts);
    shfree(s->names);
    shfree(s->claimed);
    shfree(s->sections);
    shfree(s->imports);
    hmfree(s->stateful);
    hmfree(s->config);
    ir_module_free(s->ir);
    arena_free(s->arena);
}

typedef struct { Sema *s; ClassJob *j; uint32_t k; } LeafCx;
static void leaf_value(void *user, Value *v)
{
    LeafCx *c = user;
    TileShape *t = c->j->shape;
    Value y = sym_new(c->s, v->type, v->kind == V_FLT, t->loc);
    for (uint32_t i = 0; i < c->j->n; i++) {
        int64_t x = t->leaves[(size_t)c->j->idx[i] * t->nleaves + c->k];
        if (y.u.sym->f) memcpy(&y.u.sym->f[i], &x, 8);
        else y.u.sym->v[i] = x;
    }
    *v = sym_settle(c->s, y);
    c->k++;
}

/* all modules that were imported, and what they need */
static void drain(Sema *s, ptrdiff_t *m, ptrdiff_t *q)
{
    while (*m < arrlen(s->mods) || *q < arrlen(s->queue)) {
        if (*m < arrlen(s->mods)) module_start(s, s->mods[(*m)++]);
        else fn_compile(s, s->queue[(*q)++]);
    }
}

static void evaluate(Sema *s, ClassJob *j)
{
    TileShape *t = j->shape;
    s->ir = ir_module_new(s->arena, "class");
    s->job = j;
    s->npes = j->n;
    s->pes = ARENA_ARR(s->arena, uint32_t, j->n);
    for (uint32_t i = 0; i < j->n; i++) s->pes[i] = t->pes[j->idx[i]];
    Value params = value_copy(s->arena, t->tmpl);
    LeafCx c = {s, j, 0};
    leaves_each(&params, leaf_value, &c);
    s->import_loc = t->loc;
    s->root = module_new(s, t->file, params, true);
    ptrdiff_t m = 0, q = 0;
    drain(s, &m, &q);
    handlers_emit(s);
    rotating_bind(s);
    drain(s, &m, &q);
    start_emit(s);
    sema_boot(s);
}

typedef struct { Program *p; FeClassFn *each; void *user; bool ok; } Run;

static int by_pair(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void run_job(Run *r, TileShape *t, uint32_t *idx, uint32_t n);

/* part the PEs by the decision, in the order in which the values are first met */
static void fork_job(Run *r, ClassJob *j)
{
    struct { int64_t key; uint32_t value; } *part = NULL;
    uint32_t *of = ws_xmalloc(sizeof *of * (j->n + 1)), parts = 0;
    for (uint32_t i = 0; i < j->n; i++) {
        ptrdiff_t k = hmgeti(part, j->fork_by[i]);
        if (k < 0) {
            hmput(part, j->fork_by[i], parts);
            of[i] = parts++;
        } else of[i] = part[k].value;
    }
    hmfree(part);
    free(j->fork_by);
    if (parts > MAX_CLASSES) {
        FE_DIAG(r->p->d, too_many_classes, j->fork_loc, d_uint(parts), d_int(MAX_CLASSES));
        r->ok = false;
    }
    uint32_t *sub = ws_xmalloc(sizeof *sub * (j->n + 1));
    for (uint32_t k = 0; k < parts && parts <= MAX_CLASSES && !diags_full(r->p->d); k++) {
        uint32_t m = 0;
        for (uint32_t i = 0; i < j->n; i++)
            if (of[i] == k) sub[m++] = j->idx[i];
        run_job(r, j->shape, sub, m);
    }
    free(sub);
    free(of);
}

static void run_job(Run *r, TileShape *t, uint32_t *idx, uint32_t n)
{
    Program *p = r->p;
    Placement *pl = p->pl;
    Sema *volatile s = sema_new(p);
    ClassJob *j = ARENA_NEW(p->arena, ClassJob);
    *j = (ClassJob){.shape = t, .idx = ws_xmalloc(sizeof *idx * (n + 1)), .n = n};
    memcpy(j->idx, idx, sizeof *idx * n);
    if (!setjmp(j->fork)) {
        evaluate(s, j);
        if (s->errors) r->ok = false;
        else {
            uint32_t k = shget(pl->stems, s->root->stem);
            shput(pl->stems, s->root->stem, k + 1);
            uint32_t number = (uint32_t)arrlen(pl->classes);
            const char *name = arena_printf(p->arena, "%s%u", s->root->stem, k);
            s->ir->name = name;
            if (number >= MAX_CLASSES) {
                FE_DIAG(p->d, too_many_classes, t->loc, d_uint(number + 1), d_int(MAX_CLASSES));
                r->ok = false;
            } else {
                arrput(pl->classes, name);
                for (uint32_t i = 0; i < s->npes; i++) pl->cls[s->pes[i]] = number + 1;
                flush_pe_data(s);
                if (s->errors || !r->each(r->user, s->ir, number)) r->ok = false;
            }
        }
        sema_free(s);
    } else {
        sema_free(s);
        fork_job(r, j);
    }
    free(j->idx);
}

bool classes_compile(Program *p, FeClassFn *each, void *user)
{
    Run r = {p, each, user, true};
    Placement *pl = p->pl;
    for (ptrdiff_t i = 0; i < arrlen(pl->shapes) && !diags_full(p->d); i++) {
        TileShape *t = pl->shapes[i];
        uint32_t n = (uint32_t)arrlen(t->pes);
        uint32_t *idx = ws_xmalloc(sizeof *idx * (n + 1));
        bool sorted = true;
        for (uint32_t k = 0; k < n; k++) {
            idx[k] = k;
            sorted &= !k || t->pes[k - 1] < t->pes[k];
        }
        if (!sorted) { /* by PE: sort pairs */
            uint64_t *pair = ws_xmalloc(sizeof *pair * n);
            for (uint32_t k = 0; k < n; k++) pair[k] = (uint64_t)t->pes[k] << 32 | k;
            qsort(pair, n, sizeof *pair, by_pair);
            for (uint32_t k = 0; k < n; k++) idx[k] = (uint32_t)pair[k];
            free(pair);
        }
        run_job(&r, t, idx, n);
        free(idx);
    }
    return r.ok;
}
