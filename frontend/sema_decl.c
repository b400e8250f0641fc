/* frontend/sema_decl.c: modules and their declarations, each resolved when it is first used; globals; source files.
 * A declaration is evaluated at file level: in a frame of its own, with nothing of the place that used it. */
#include "frontend/parse.h"
#include "frontend/sema.h"
#include <assert.h>
#include <errno.h>
#include <string.h>

/* ---- evaluating apart from what goes on */
typedef struct { FnState *fn; TmpMark tmp; bool ct; } Apart;
static Apart apart_begin(Sema *s)
{
    Apart a = {s->fn, tmp_begin(s, false), s->in_comptime};
    s->fn = NULL;
    s->in_comptime = false;
    return a;
}
static void apart_end(Sema *s, Apart a)
{
    s->fn = a.fn;
    s->in_comptime = a.ct;
    tmp_end(s, a.tmp);
}

/* ---- modules */
static const char *stem_of(Program *p, const char *path)
{
    const char *b = strrchr(path, '/');
    b = b ? b + 1 : path;
    const char *dot = strrchr(b, '.');
    return intern_n(p->in, b, dot ? (size_t)(dot - b) : strlen(b));
}

static const char *node_name(const AstNode *n)
{
    switch (n->kind) {
    case AST_FN: case AST_TASK: return n->u.fn.name;
    case AST_SOCKET: return n->u.socket.name;
    case AST_CONST: case AST_VAR: case AST_PARAM: case AST_INDEX_SET: case AST_ITER: return n->u.var.name;
    default: return NULL;
    }
}

Module *module_new(Sema *s, AstFile *f, Value params, bool root)
{
    Module *m = ARENA_NEW(s->arena, Module);
    *m = (Module){.id = (uint32_t)arrlen(s->mods), .file = f, .stem = stem_of(s->prog, f->path), .params = params, .root = root};
    for AST_EACH(i, f->decls) {
        AstNode *n = f->decls.v[i];
        const char *name = node_name(n);
        if (!name) continue;
        Decl *old = module_find(m, name);
        if (old) {
            SEMA_ERR(s, redeclared, n->loc, d_str(name));
            SEMA_NOTE(s, note_first, old->node->loc, d_str(name));
            continue;
        }
        Decl *d = ARENA_NEW(s->arena, Decl);
        *d = (Decl){.mod = m, .node = n, .name = name, .task_kind = -1, .task_id = -1};
        d->is_var = n->kind == AST_VAR && !(n->u.var.flags & DECL_COMPTIME);
        hmput(m->names, name, d);
        arrput(m->decls, d);
    }
    if (params.kind == V_AGG)
        for (uint32_t i = 0; i < params.n; i++) {
            Decl *d = params.type->fields[i].name ? module_find(m, params.type->fields[i].name) : NULL;
            if ((!d || d->node->kind != AST_PARAM) && params.type->fields[i].name)
                SEMA_ERR(s, param_unused, s->import_loc, d_str(m->stem), d_str(params.type->fields[i].name));
        }
    arrput(s->mods, m);
    return m;
}

static bool is_import(const AstNode *n)
{
    return n && n->kind == AST_BUILTIN && builtin_by_name(n->u.builtin.name) == BI_import_module;
}

void module_start(Sema *s, Module *m)
{
    if (m->started) return;
    m->started = true;
    for AST_EACH(i, m->file->decls) {
        if (diags_full(s->d)) return;
        AstNode *n = m->file->decls.v[i];
        if (n->kind == AST_COMPTIME) {
            Apart a = apart_begin(s);
            FnState ct = {.name = "comptime"};
            s->fn = &ct;
            s->in_comptime = true;
            Scope *sc = scope_push(s, NULL);
            sc->mod = m;
            exec_stmt(s, sc, n->u.wrap.e);
            scope_pop(s, sc);
            apart_end(s, a);
            continue;
        }
        if (!s->ir) continue;
        Decl *d = node_name(n) ? module_find(m, node_name(n)) : NULL;
        if (!d || d->node != n) continue;
        if (n->kind == AST_CONST && is_import(n->u.var.init)) decl_value(s, d, n->loc);   /* its comptime blocks bind and route */
        if ((n->kind == AST_VAR || n->kind == AST_CONST) && n->u.var.flags & DECL_EXPORT) decl_sym(s, d, n->loc);
        if (n->kind == AST_FN && n->u.fn.flags & DECL_EXPORT) fn_export(s, d, n->loc);
        if (n->kind == AST_TASK && n->u.fn.flags & DECL_EXPORT) task_export(s, d);
    }
}

/* ---- params */
static Value param_value(Sema *s, Decl *d, Loc use)
{
    AstNode *n = d->node;
    Scope *sc = scope_push(s, NULL);
    sc->mod = d->mod;
    Type *t = n->u.var.type ? eval_type(s, sc, n->u.var.type) : NULL;
    Value v = V_NONE;
    if (n->u.var.type && !t) goto out;
    uint32_t k;
    Loc at = n->loc;
    if (d->mod->params.kind == V_AGG && type_field(d->mod->params.type, d->name, &k)) v = *agg_at(&d->mod->params, k);
    else if (d->mod->root)
        for (ptrdiff_t i = 0; i < arrlen(s->prog->params); i++)
            if (s->prog->params[i].name == d->name) {
                v = s->prog->params[i].v;
                s->prog->params[i].used = true;
            }
    if (v.kind == V_ERR && n->u.var.init) {
        v = eval_expr(s, sc, n->u.var.init, t);
        at = n->u.var.init->loc;
        if (v.kind == V_ERR) goto out;
    }
    if (v.kind == V_ERR) {
        SEMA_ERR(s, param_unset, use, d_str(d->name));
        SEMA_NOTE(s, note_declared, n->loc, d_str(d->name));
        goto out;
    }
    if (t) {
        if (!can_coerce(s, &v, t) && t->kind == TY_FLOAT && v.kind == V_FLT) v = convert(s, v, t, at);
        else v = coerce(s, v, t, at);
    }
    if (v.kind == V_SYM && !v.u.sym->name) v.u.sym->name = d->name;
out:
    scope_pop(s, sc);
    return v;
}

/* ---- extern: what another module of the program exports under the name */
static bool is_fn(const AstNode *n) { return n->kind == AST_FN || n->kind == AST_TASK; }
static bool is_var(const AstNode *n) { return n->kind == AST_CONST || n->kind == AST_VAR; }
static unsigned flags_of(const AstNode *n) { return is_fn(n) ? n->u.fn.flags : is_var(n) ? n->u.var.flags : 0; }

static const char *link_name(const Decl *d)
{
    const AstAttrs *at = is_fn(d->node) ? d->node->u.fn.attrs : d->node->u.var.attrs;
    if (at && at->linkname && at->linkname->kind == AST_STRING) return at->linkname->u.str.p;
    return d->export_name ? d->export_name : d->name;
}

static Decl *exporter(Sema *s, const Decl *d)
{
    for (ptrdiff_t i = 0; i < arrlen(s->mods); i++)
        for (ptrdiff_t k = 0; k < arrlen(s->mods[i]->decls); k++) {
            Decl *x = s->mods[i]->decls[k];
            if ((is_fn(x->node) ? is_fn(d->node) : is_var(x->node) && is_var(d->node)) && !(flags_of(x->node) & DECL_EXTERN) &&
                (flags_of(x->node) & DECL_EXPORT || x->export_name) && !strcmp(link_name(x), link_name(d))) return x;
        }
    return NULL;
}

static bool resolve(Sema *s, Decl *d, Loc use);
/* Modules that are imported by name but that nobody has looked at yet.  false: there are none */
static bool load_imports(Sema *s)
{
    const ptrdiff_t n = arrlen(s->mods);
    for (ptrdiff_t i = 0; i < n; i++)
        for (ptrdiff_t k = 0; k < arrlen(s->mods[i]->decls); k++) {
            Decl *x = s->mods[i]->decls[k];
            const AstNode *e = x->node->kind == AST_CONST ? x->node->u.var.init : NULL;
            if (x->state == DECL_NEW && e && e->kind == AST_BUILTIN && !strcmp(e->u.builtin.name, "import_module")) resolve(s, x, x->node->loc);
        }
    return arrlen(s->mods) > n;
}

/* The type of a variable as it is written; of a function, of parameter i, or of its result behind the last.  NULL: none is written, or an error. */
static Type *written_type(Sema *s, Decl *d, uint32_t i)
{
    AstNode *n = d->node, *t = is_fn(n) ? (i < n->u.fn.args.n ? n->u.fn.args.v[i]->u.arg.type : n->u.fn.ret) : n->u.var.type;
    if (!t) return is_fn(n) ? ty_void : NULL;
    Scope *sc = scope_push(s, NULL);
    sc->mod = d->mod;
    Type *r = eval_type(s, sc, t);
    scope_pop(s, sc);
    return r;
}

/* d itself, or what an extern declaration stands for; NULL after an error */
static Decl *meant(Sema *s, Decl *d, Loc use)
{
    if (!(flags_of(d->node) & DECL_EXTERN) || flags_of(d->node) & DECL_HOST) return d;
    if (d->meant) return d->meant;
    Decl *x = exporter(s, d);
    while (!x && load_imports(s)) x = exporter(s, d);
    if (!x) return SEMA_ERR(s, extern_none, use, d_str(link_name(d))), NULL;
    const bool fn = is_fn(d->node);
    const uint32_t n = fn ? d->node->u.fn.args.n : 0;
    const char *other = fn && x->node->u.fn.args.n != n ? arena_printf(s->arena, x->node->u.fn.args.n == 1 ? "1 parameter" : "%u parameters", (unsigned)x->node->u.fn.args.n) : NULL;
    Apart a = apart_begin(s);
    for (uint32_t i = 0; i <= n && !other; i++) {
        Type *here = written_type(s, d, i), *there = fn || x->node->u.var.type ? written_type(s, x, i) : decl_value(s, x, use).type;
        if (here && there && here != there) other = there->name;
    }
    apart_end(s, a);
    if (other) {
        SEMA_ERR(s, extern_type, d->node->loc, d_str(d->name), d_str(other));
        SEMA_NOTE(s, note_declared, x->node->loc, d_str(x->name));
    }
    return d->meant = x;
}

/* ---- const and var */
static void resolve_var(Sema *s, Decl *d)
{
    AstNode *n = d->node;
    Scope *sc = scope_push(s, NULL);
    sc->mod = d->mod;
    Type *t = n->u.var.type ? eval_type(s, sc, n->u.var.type) : NULL;
    if (n->u.var.type && !t) goto out;
    AstNode *e = n->u.var.init;
    Value v;
    if (!e) {
        if (!t || n->kind == AST_CONST) {
            SEMA_ERR(s, needs_init, n->loc, d_str(d->name));
            goto out;
        }
        v = value_zero(s, t);
    } else if (e->kind == AST_T_STRUCT || e->kind == AST_T_ENUM || e->kind == AST_T_UNION) {
        Type *c = eval_container(s, sc, e, d->name);
        v = c ? v_type(c) : V_NONE;
    } else v = t ? eval_as(s, sc, e, t) : eval_expr(s, sc, e, NULL);
    if (v.kind == V_ERR) goto out;
    if (!t) t = v.type;
    if (is_runtime(&v)) {
        SEMA_ERR(s, not_comptime, e ? e->loc : n->loc, d_str("the initial value"));
        goto out;
    }
    if (n->kind == AST_VAR && !(n->u.var.flags & DECL_COMPTIME) && t->comptime_only && s->ir) {
        if (t->kind == TY_COMPTIME_INT || t->kind == TY_COMPTIME_FLOAT) SEMA_ERR(s, untyped_var, n->loc, d_str(d->name), d_type(t));
        else SEMA_ERR(s, var_comptime, n->loc, d_str(d->name), d_type(t));
        goto out;
    }
    d->type = t;
    d->v = value_copy(s->arena, v);
out:
    scope_pop(s, sc);
}

static bool resolve(Sema *s, Decl *d, Loc use)
{
    if (d->state == DECL_DONE) return true;
    if (d->state == DECL_BUSY) {
        SEMA_ERR(s, decl_cycle, use, d_str(d->name));
        SEMA_NOTE(s, note_declared, d->node->loc, d_str(d->name));
        return false;
    }
    d->state = DECL_BUSY;
    d->v = V_NONE;
    Apart a = apart_begin(s);
    switch (d->node->kind) {
    case AST_FN: case AST_TASK:
        d->type = ty_function;
        d->v = (Value){.kind = V_FN, .type = ty_function, .u.decl = d};
        break;
    case AST_PARAM:
        d->v = value_copy(s->arena, param_value(s, d, use));
        d->type = d->v.type;
        break;
    case AST_INDEX_SET: case AST_ITER: case AST_SOCKET: {
        Scope *sc = scope_push(s, NULL);
        sc->mod = d->mod;
        if (!sema_stream_decl(s, sc, d->node, &d->v)) d->v = V_NONE;
        d->type = d->v.type;
        scope_pop(s, sc);
        break;
    }
    default: resolve_var(s, d); break;
    }
    apart_end(s, a);
    d->state = DECL_DONE;
    return true;
}

Value decl_value(Sema *s, Decl *d, Loc use)
{
    if (!(d = meant(s, d, use)) || !resolve(s, d, use)) return V_NONE;
    if (d->is_var && s->ir) {
        Place p = decl_place(s, d, use);
        return place_load(s, &p, use);
    }
    return d->v;
}

Place decl_place(Sema *s, Decl *d, Loc use)
{
    if (!(d = meant(s, d, use)) || !resolve(s, d, use) || d->v.kind == V_ERR) return (Place){.kind = P_ERR};
    Place p = {.type = d->type, .decl = d, .v = d->v};
    if (d->node->kind == AST_VAR && (!d->is_var || !s->ir)) {
        p.kind = P_CELL;
        p.slot = &d->v;
        return p;
    }
    if (d->is_var) {
        p.kind = P_MEM;
        p.addr.sym = decl_sym(s, d, use);
        if (!p.addr.sym.i) p.kind = P_ERR;
        return p;
    }
    p.kind = P_VALUE;
    p.is_const = true;
    return p;
}

/* ---- globals */
static bool all_zero(const uint8_t *p, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (p[i]) return false;
    return true;
}

static bool has_sym(const Value *v)
{
    if (v->kind == V_SYM) return true;
    if (v->kind != V_AGG) return false;
    for (uint32_t i = 0; i < (v->splat ? 1 : v->n); i++)
        if (has_sym(&v->u.agg[i])) return true;
    return false;
}

static bool is_zero(const Value *v)
{
    if (v->kind == V_UNDEF || v->kind == V_VOID) return true;
    if (v->kind == V_INT) return v->u.i == 0;
    if (v->kind != V_AGG || !v->splat) return false;
    return is_zero(&v->u.agg[0]);
}

IrSym global_new(Sema *s, const char *name, Type *t, const Value *init, bool is_const, Loc loc)
{
    IrSym none = {0};
    if (t->comptime_only || t->kind == TY_VOID) return SEMA_ERR(s, not_runtime, loc, d_type(t)), none;
    if (!s->ir) return SEMA_ERR(s, not_comptime, loc, d_str("PE memory")), none;
    int32_t most = AP(&s->prog->arch, mem_bytes);
    if (t->size > (uint32_t)most) return SEMA_ERR(s, too_large, loc, d_type(t), d_uint(t->size), d_int(most)), none;
    uint8_t *bytes = NULL;
    IrReloc *relocs = NULL;
    bool sym = init && has_sym(init);
    if (init && !is_zero(init)) {
        bytes = ARENA_ARR(s->arena, uint8_t, t->size ? t->size : 1);
        if (!value_bytes(s, init, t, bytes, 0, &relocs, 0, loc)) return arrfree(relocs), none;
        if (!arrlen(relocs) && all_zero(bytes, t->size)) bytes = NULL;
    }
    IrSym r = ir_global_new(s->ir, name, t->size ? t->size : 1, t->align);
    IrGlobal *g = ir_global(s->ir, r);
    g->init = sym ? NULL : bytes;
    g->relocs = relocs;
    g->is_const = is_const;
    g->elem_type = (int)t->ws;
    g->loc = loc;
    if (sym) pe_data_of(s, name, t, init, loc);
    return r;
}

IrSym global_bytes(Sema *s, const char *hint, const void *bytes, uint32_t len, uint32_t align, bool is_const, Loc loc)
{
    Buf k = {0};
    buf_printf(&k, "#%u,", align);
    for (uint32_t i = 0; i < len; i++) buf_printf(&k, "%02x", ((const uint8_t *)bytes)[i]);
    ptrdiff_t at = is_const ? shgeti(s->consts, k.p) : -1;
    IrSym r;
    if (at >= 0) r = s->consts[at].value;
    else {
        r = ir_global_new(s->ir, arena_printf(s->arena, ".%s.%u", hint, s->next_name++), len ? len : 1, align);
        IrGlobal *g = ir_global(s->ir, r);
        g->init = ARENA_ARR(s->arena, uint8_t, len ? len : 1);
        memcpy(g->init, bytes, len);
        g->is_const = is_const;
        g->elem_type = WT_BYTES;
        g->loc = loc;
        if (is_const) shput(s->consts, arena_strdup(s->arena, k.p), r);
    }
    buf_free(&k);
    return r;
}

IrSym global_const(Sema *s, Value v, Type *t, Loc loc)
{
    Buf k = {0};
    buf_printf(&k, "%u=", t->id);
    value_key(&k, &v);
    ptrdiff_t at = shgeti(s->consts, k.p);
    IrSym r = {0};
    if (at >= 0) r = s->consts[at].value;
    else {
        r = global_new(s, arena_printf(s->arena, ".c.%u", s->next_name++), t, &v, true, loc);
        if (r.i) shput(s->consts, arena_strdup(s->arena, k.p), r);
    }
    buf_free(&k);
    return r;
}

/* the number of a section of this class; 0 after an error */
static int section_of(Sema *s, Scope *sc, AstNode *n)
{
    Value v = eval_expr(s, sc, n, NULL);
    if (v.kind == V_ERR) return 0;
    if (v.kind != V_STR) return SEMA_ERR(s, type_mismatch, n->loc, d_str("a string"), d_type(v.type)), 0;
    const ptrdiff_t i = shgeti(s->sections, (char *)(uintptr_t)v.u.s);
    if (i >= 0) return s->sections[i].value;
    const int k = (int)shlen(s->sections) + 1;
    shput(s->sections, arena_strdup(s->arena, v.u.s), k);
    return k;
}

IrSym decl_sym(Sema *s, Decl *d, Loc use)
{
    if (!(d = meant(s, d, use)) || !resolve(s, d, use) || d->v.kind == V_ERR) return (IrSym){0};
    if (d->sym.i || !s->ir) return d->sym;
    AstNode *n = d->node;
    AstAttrs *at = n->u.var.attrs;
    bool exported = n->u.var.flags & DECL_EXPORT || d->export_name;
    const char *name = d->export_name ? d->export_name : d->name;
    if (at && at->linkname && at->linkname->kind == AST_STRING) name = at->linkname->u.str.p;
    else if (!exported && !d->mod->root) name = arena_printf(s->arena, "%s.%s", d->mod->stem, d->name);
    Apart a = apart_begin(s);
    name = sema_unique(s, name);
    d->sym = global_new(s, name, d->type, &d->v, n->kind == AST_CONST, n->loc);
    int64_t al;
    if (d->sym.i) {
        Scope *sc = scope_push(s, NULL);
        sc->mod = d->mod;
        if (at && at->linksection) ir_global(s->ir, d->sym)->section = section_of(s, sc, at->linksection);
        if (at && at->align && eval_known_int(s, sc, at->align, "the alignment", 1, 4096, &al)) {
            if (al & (al - 1)) SEMA_ERR(s, bad_align, at->align->loc, d_int(al));
            else if ((uint32_t)al > ir_global(s->ir, d->sym)->align) ir_global(s->ir, d->sym)->align = (uint32_t)al;
        }
        scope_pop(s, sc);
        ir_global(s->ir, d->sym)->exported = exported;
        ir_global(s->ir, d->sym)->keep = exported;
    }
    apart_end(s, a);
    return d->sym;
}

/* ---- files */
enum { MAX_SOURCE = 64 << 20 };
AstFile *program_file(Program *p, const char *path, Loc loc)
{
    ptrdiff_t i = shgeti(p->files, path);
    if (i >= 0) return p->files[i].value;
    size_t len;
    char *text = ws_read_file(path, MAX_SOURCE, &len);
    AstFile *f = NULL;
    if (!text) FE_DIAG(p->d, no_file, loc, d_str(path), d_str(strerror(errno)));
    else {
        const char *keep = arena_strndup(p->arena, text, len);
        free(text);
        f = fe_parse(p->arena, p->d, p->in, arena_strdup(p->arena, path), keep, len);
        if (f->has_errors) f = NULL;
        else if (p->pedantic) pedantic_file(p, f);
    }
    shput(p->files, arena_strdup(p->arena, path), f);
    return f;
}
