/* frontend/sema.c: what every part of sema stands on: reporting once, scopes, names, the fuel of compile-time code. */
#include "frontend/sema.h"
#include <assert.h>
#include <string.h>

/* ---- diagnostics.  Classes share code, so the same error is met several times: the first one is kept. */
static uint64_t mix(uint64_t h, uint64_t v)
{
    h ^= v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccdu;
}

static void call_trace(Sema *s)
{
    int shown = 0;
    for (FnState *f = s->fn; f && shown < 3; f = f->up)
        if (f->call_loc.file && !f->ir) {
            DiagArg a = d_str(f->name);
            diag_note_emit(s->d, &fe_diag_rows[D_note_called], f->call_loc, 1, &a);
            shown++;
        }
}

Value sema_err(Sema *s, const DiagRow *row, Loc loc, int n, const DiagArg *args)
{
    if (s->trial) {
        s->muted = true;
        return V_NONE;
    }
    uint64_t h = mix(mix(mix(1, (uint64_t)(row - fe_diag_rows)), (uint64_t)loc.file << 32 | loc.off), loc.len);
    for (int i = 0; i < n && !loc.file; i++)
        h = mix(h, args[i].kind == DA_STR ? stbds_hash_string((char *)args[i].v.s, 7) : args[i].v.u);
    s->errors += row->sev != SEV_WARNING;
    s->muted = hmgeti(s->prog->seen, h) >= 0;
    if (s->muted) return V_NONE;
    hmput(s->prog->seen, h, 1);
    diag_emit(s->d, row, loc, n, args);
    if (s->fn) call_trace(s);
    return V_NONE;
}

void sema_note(Sema *s, const DiagRow *row, Loc loc, int n, const DiagArg *args)
{
    if (!s->muted) diag_note_emit(s->d, row, loc, n, args);
}

DiagArg d_type(Type *t) { return d_str(t ? t->name : "?"); }

DiagArg d_value(Sema *s, const Value *v)
{
    Buf b = {0};
    value_print(&b, v);
    const char *text = b.p ? arena_strndup(s->arena, b.p, b.len > 60 ? 60 : b.len) : "";
    if (b.len > 60) text = arena_printf(s->arena, "%s...", text);
    buf_free(&b);
    return d_str(text);
}

/* ---- scopes: a stack; what was popped is used again */
Scope *scope_push(Sema *s, Scope *up)
{
    Scope *sc = s->prog->free_scopes;
    if (sc) s->prog->free_scopes = sc->up;
    else sc = ARENA_NEW(s->prog->arena, Scope);
    sc->up = up;
    sc->mod = up ? up->mod : NULL;
    sc->n = 0;
    return sc;
}

void scope_pop(Sema *s, Scope *sc)
{
    sc->up = s->prog->free_scopes;
    s->prog->free_scopes = sc;
}

Entry *scope_define(Sema *s, Scope *sc, const char *name, Loc loc)
{
    for (uint32_t i = 0; i < sc->n; i++)
        if (sc->e[i]->name == name) {
            SEMA_ERR(s, redeclared, loc, d_str(name));
            SEMA_NOTE(s, note_first, sc->e[i]->loc, d_str(name));
            return NULL;
        }
    if (sc->n == sc->cap) {
        uint32_t cap = sc->cap ? sc->cap * 2 : WS_LIMIT(4, 1);
        Entry **e = ARENA_ARR(s->prog->arena, Entry *, cap);
        if (sc->cap) memcpy(e, sc->e, sizeof *e * sc->cap);
        for (uint32_t i = sc->cap; i < cap; i++) e[i] = ARENA_NEW(s->prog->arena, Entry);
        sc->e = e;
        sc->cap = cap;
    }
    Entry *e = sc->e[sc->n++];
    *e = (Entry){.name = name, .kind = E_VALUE, .loc = loc};
    return e;
}

Entry *scope_lookup(Scope *sc, const char *name)
{
    for (; sc; sc = sc->up)
        for (uint32_t i = sc->n; i-- > 0;)
            if (sc->e[i]->name == name) return sc->e[i];
    return NULL;
}

Decl *module_find(Module *m, const char *name)
{
    ptrdiff_t i = hmgeti(m->names, name);
    return i < 0 ? NULL : m->names[i].value;
}

bool sema_fuel(Sema *s, Loc loc)
{
    if (diags_full(s->d)) return false;
    if (s->prog->fuel > 0) {
        s->prog->fuel--;
        return true;
    }
    SEMA_ERR(s, out_of_fuel, loc, d_int(s->prog->fuel_limit));
    return false;
}

const char *sema_unique(Sema *s, const char *name)
{
    ptrdiff_t i = shgeti(s->names, name);
    if (i < 0) {
        shput(s->names, name, 0);
        return name;
    }
    for (;;) {
        const char *t = arena_printf(s->arena, "%s.%u", name, ++s->names[i].value);
        if (shgeti(s->names, t) >= 0) continue;
        shput(s->names, t, 0);
        return t;
    }
}

/* ---- memory of values */
void *sema_alloc(Sema *s, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (!s->tmp.on || bytes > s->tmp.cap - s->tmp.used) return arena_alloc(s->arena, bytes);
    void *p = memset(s->tmp.p + s->tmp.used, 0, bytes);
    s->tmp.used += bytes;
    return p;
}

TmpMark tmp_begin(Sema *s, bool on)
{
    TmpMark m = {s->tmp.used, s->tmp.on};
    if (on && !s->tmp.p) {
        s->tmp.cap = WS_LIMIT(1 << 20, 64);
        s->tmp.p = arena_alloc(s->arena, s->tmp.cap);
    }
    s->tmp.on = on;
    return m;
}

void tmp_end(Sema *s, TmpMark m)
{
    if (s->tmp.on) s->tmp.used = m.used; /* what was made with tmp off is not here */
    s->tmp.on = m.on;
}
