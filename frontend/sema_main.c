/* frontend/sema_main.c: from options to an object without code: layout or paint or one PE, classes, placement. */
#include "frontend/paint.h"
#include "frontend/sema_place.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FUEL = 20000000, MAX_PAINT = 16 << 20 };

bool file_exists(const char *path)
{
    struct stat st;
    return !stat(path, &st) && !S_ISDIR(st.st_mode);
}

/* ---- names that need no declaration */
static void prelude(Program *p, const char *name, Value v) { hmput(p->prelude, intern(p->in, name), v); }

static void prelude_init(Program *p)
{
#define X(n) if (strcmp(#n, "undefined") && strcmp(#n, "enum_lit") && strcmp(#n, "range") && strcmp(#n, "index") && strcmp(#n, "view") && strcmp(#n, "function")) prelude(p, #n, v_type(ty_##n));
    SEMA_TYPES(X)
#undef X
    static const char *const dirs[] = {"WEST", "EAST", "SOUTH", "NORTH", "RAMP"};
    for (int d = 0; d < N_DIR; d++) prelude(p, dirs[d], v_int(ty_direction, d));
}

/* ---- --params */
static bool number(const char *t, Value *v)
{
    char *e;
    errno = 0;
    bool neg = t[0] == '-';
    unsigned long long u = strtoull(t + neg, &e, 0);
    if (e != t + neg && !*e && t[neg] != '-' && !errno) return *v = v_int(ty_comptime_int, neg ? -(Int)u : (Int)u), true;
    double f = strtod(t, &e);
    if (e != t && !*e) return *v = v_flt(ty_comptime_float, f), true;
    if (!strcmp(t, "true") || !strcmp(t, "false")) return *v = v_bool(t[0] == 't'), true;
    return false;
}

/* "N:V,N:V" of an option; messages show its text */
static bool params_list(Program *p, const char *list, bool colors)
{
    char *text = arena_strdup(p->arena, list);
    uint32_t file = diags_add_file(p->d, colors ? "--colors" : "--params", list, strlen(list));
    for (char *save, *one = strtok_r(text, ",", &save); one; one = strtok_r(NULL, ",", &save)) {
        char *c = strchr(one, ':');
        Loc loc = {file, (uint32_t)(one - text), (uint32_t)strlen(one)};
        if (!c || c == one || !c[1]) return FE_DIAG(p->d, bad_params, loc, d_str(one)), false;
        *c = 0;
        FeParam fp = {.name = intern(p->in, one), .loc = loc};
        bool num = number(c + 1, &fp.v);
        if (colors) {
            if (!num || fp.v.kind != V_INT || fp.v.u.i < 0 || fp.v.u.i >= N_COLOR) return FE_DIAG(p->d, bad_colors, loc, d_str(one), d_str(c + 1), d_int(N_COLOR - 1)), false;
            fp.v.type = ty_color;
        } else if (!num) fp.v = (Value){.kind = V_STR, .type = ty_comptime_string, .n = (uint32_t)strlen(c + 1), .u.s = c + 1};
        for (ptrdiff_t i = 0; i < arrlen(p->params); i++) {
            if (p->params[i].name != fp.name) continue;
            FE_DIAG(p->d, params_twice, loc, d_str(one));
            FE_NOTE(p->d, note_first, p->params[i].loc, d_str(one));
            return false;
        }
        arrput(p->params, fp);
    }
    return true;
}

static bool params_parse(Program *p, const FeOptions *o)
{
    for (uint32_t i = 0; i < o->nparams; i++)
        if (!params_list(p, o->params[i], false)) return false;
    for (uint32_t i = 0; i < o->ncolors; i++)
        if (!params_list(p, o->colors[i], true)) return false;
    return true;
}

/* ---- layout { } */
static AstNode *layout_of(const AstFile *f)
{
    for AST_EACH(i, f->decls)
        if (f->decls.v[i]->kind == AST_LAYOUT) return f->decls.v[i];
    return NULL;
}

static bool run_layout(Program *p, AstFile *f)
{
    Sema *s = sema_new(p);
    s->in_layout = true;
    s->root = module_new(s, f, V_NONE, true);
    for AST_EACH(i, f->decls) {
        AstNode *n = f->decls.v[i];
        if (n->kind != AST_LAYOUT) continue;
        Scope *sc = scope_push(s, NULL);
        sc->mod = s->root;
        FnState st = {.name = "layout"};
        s->fn = &st;
        exec_block(s, sc, n->u.wrap.e);
        s->fn = NULL;
        scope_pop(s, sc);
    }
    Placement *pl = p->pl;
    if (!pl->w && !s->errors) SEMA_ERR(s, rect_none, layout_of(f)->loc);
    bool own = false; /* a file that is its own tile code runs its comptime blocks as such */
    for (ptrdiff_t i = 0; i < arrlen(pl->shapes); i++) own |= pl->shapes[i]->file == f;
    s->in_layout = false;
    if (!own && !s->errors) module_start(s, s->root);
    bool ok = !s->errors;
    p->layout = s; /* values of tiles may point into it */
    return ok;
}

/* ---- paint */
static Value paint_value(Program *p, const PaintValue *v)
{
    switch (v->kind) {
    case PV_INT: return v_int(ty_comptime_int, v->i);
    case PV_FLOAT: return v_flt(ty_comptime_float, v->f);
    case PV_BOOL: return v_bool(v->i != 0);
    case PV_COLOR: return v_int(ty_color, v->i);
    default: return (Value){.kind = V_STR, .type = ty_comptime_string, .n = (uint32_t)strlen(v->s), .u.s = v->s};
    }
}

static bool run_paint(Program *p, const char *path, const FeOptions *o)
{
    size_t len;
    char *raw = ws_read_file(path, MAX_PAINT, &len);
    if (!raw) return FE_DIAG(p->d, no_file, (Loc){0}, d_str(path), d_str(strerror(errno))), false;
    char *text = arena_strndup(p->arena, raw, len);
    free(raw);
    Buf params = {0};
    for (uint32_t i = 0; i < o->nparams; i++) buf_printf(&params, "%s%s", i ? "," : "", o->params[i]);
    PaintPlacement *pp = paint_eval(p->arena, p->d, path, text, len, params.p ? arena_strdup(p->arena, params.p) : NULL);
    buf_free(&params);
    if (!pp) return false;
    Sema *s = sema_new(p);
    AstFile *at = ARENA_NEW(p->arena, AstFile); /* no code of its own: file names are relative to it */
    at->path = arena_strdup(p->arena, path);
    s->root = module_new(s, at, V_NONE, true);
    AstFile **files = ARENA_ARR(p->arena, AstFile *, pp->ntiles + 1);
    Value *vals = ARENA_ARR(p->arena, Value, pp->ntiles + 1);
    bool ok = true;
    for (uint32_t t = 0; t < pp->ntiles; t++) {
        PaintTile *pt = &pp->tiles[t];
        files[t] = module_file(s, s->root, pt->code, pt->code_loc);
        ok &= files[t] != NULL;
        Field *f = ARENA_ARR(p->arena, Field, pt->nparams + 1);
        vals[t] = v_agg(s, NULL, pt->nparams);
        for (uint32_t i = 0; i < pt->nparams; i++) {
            vals[t].u.agg[i] = paint_value(p, &pt->params[i].value);
            f[i] = (Field){.name = intern(p->in, pt->params[i].name), .type = vals[t].u.agg[i].type};
        }
        vals[t].type = type_struct(p, NULL, NULL, pt->nparams, f, false);
    }
    ok = ok && place_size(s, pp->w, pp->h, pp->ntiles ? pp->tiles[0].loc : (Loc){0});
    for (uint32_t i = 0; ok && i < pp->nrects; i++) {
        PaintRect *r = &pp->rects[i];
        for (uint32_t y = r->y; y < r->y + r->h; y++)
            for (uint32_t x = r->x; x < r->x + r->w; x++) place_tile(s, x, y, files[r->tile], &vals[r->tile], pp->tiles[r->tile].loc);
    }
    ok = ok && !s->errors;
    for (ptrdiff_t i = 0; i < arrlen(p->params); i++) p->params[i].used = true; /* paint may have read them */
    p->layout = s;
    return ok;
}

static bool run_single(Program *p, AstFile *f)
{
    Sema *s = sema_new(p);
    p->layout = s;
    Loc loc = f->decls.n ? f->decls.v[0]->loc : (Loc){0};
    if (place_size(s, 1, 1, loc)) place_tile(s, 0, 0, f, NULL, loc);
    return !s->errors;
}

/* the one .paint file beside the source: 0 none, 1 found, -1 several (reported) */
static int find_paint(Program *p, const char *source, const char **out)
{
    const char *slash = strrchr(source, '/');
    const char *dir = slash ? arena_strndup(p->arena, source, (size_t)(slash - source) + 1) : "./";
    DIR *d = opendir(dir);
    if (!d) return 0;
    const char *a = NULL, *b = NULL;
    for (struct dirent *e; (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        if (n < 7 || strcmp(e->d_name + n - 6, ".paint")) continue;
        const char *name = arena_strdup(p->arena, e->d_name);
        if (!a) a = name;
        else if (!b || strcmp(name, b) < 0) b = name;
        if (b && strcmp(b, a) < 0) {
            const char *t = a;
            a = b;
            b = t;
        }
    }
    closedir(d);
    if (b) return FE_DIAG(p->d, paint_several, (Loc){0}, d_str(a), d_str(b)), -1;
    *out = a ? arena_printf(p->arena, "%s%s", slash ? dir : "", a) : NULL;
    return a != NULL;
}

/* ---- the object's tables */
typedef struct { WsObj *o; WsPlace *place; WsRoute *route; const RouteCfg *cfgs; uint8_t color; } Out;
static void out_place(void *user, uint32_t x, uint32_t y, uint32_t w, uint32_t h, uint32_t v)
{
    Out *o = user;
    arrput(o->place, ((WsPlace){(uint16_t)x, (uint16_t)y, (uint16_t)w, (uint16_t)h, v - 1}));
}
static void out_route(void *user, uint32_t x, uint32_t y, uint32_t w, uint32_t h, uint32_t v)
{
    Out *o = user;
    const RouteCfg *c = &o->cfgs[v - 1];
    arrput(o->route, ((WsRoute){(uint16_t)x, (uint16_t)y, (uint16_t)w, (uint16_t)h, o->color, c->slot, c->rx_more, c->sw, c->filter}));
}

static void fill(Program *p, WsObj *o)
{
    Placement *pl = p->pl;
    Out out = {.o = o, .cfgs = pl->cfgs};
    o->w = (uint16_t)pl->w;
    o->h = (uint16_t)pl->h;
    rects_merge(pl->cls, pl->w, pl->h, out_place, &out);
    for (int c = 0; c < N_COLOR; c++) {
        out.color = (uint8_t)c;
        if (pl->route[c]) rects_merge(pl->route[c], pl->w, pl->h, out_route, &out);
    }
    o->nplaces = (uint32_t)arrlen(out.place);
    o->places = ARENA_ARR(o->arena, WsPlace, o->nplaces + 1);
    if (o->nplaces) memcpy(o->places, out.place, sizeof *o->places * o->nplaces);
    o->nroutes = (uint32_t)arrlen(out.route);
    o->routes = ARENA_ARR(o->arena, WsRoute, o->nroutes + 1);
    if (o->nroutes) memcpy(o->routes, out.route, sizeof *o->routes * o->nroutes);
    arrfree(out.place);
    arrfree(out.route);
    o->pe = ARENA_ARR(o->arena, WsPeData, arrlen(pl->pe) + 1);
    for (ptrdiff_t i = 0; i < arrlen(pl->pe); i++) {
        bool used = false; /* the optimiser may have removed it */
        for (uint32_t c = 0; c < o->nclasses && !used; c++) used = cls_sym(&o->classes[c], pl->pe[i].name);
        if (!used) continue;
        size_t bytes = (size_t)pl->w * pl->h * pl->pe[i].elem_bytes;
        uint8_t *b = arena_alloc(o->arena, bytes);
        memcpy(b, pl->pe[i].bytes, bytes);
        o->pe[o->npe++] = (WsPeData){arena_strdup(o->arena, pl->pe[i].name), pl->pe[i].elem_bytes, b};
    }
}

void fe_print_placement(Buf *b, const WsObj *o)
{
    static const char *const dirs[] = {"WEST", "EAST", "SOUTH", "NORTH", "RAMP"};
    buf_printf(b, "rectangle %u x %u\n", o->w, o->h);
    for (uint32_t i = 0; i < o->nplaces; i++) {
        const WsPlace *p = &o->places[i];
        const char *name = p->cls < o->nclasses ? o->classes[p->cls].name : "?";
        buf_printf(b, "place %s at %u, %u size %u x %u\n", name, p->x, p->y, p->w, p->h);
    }
    for (uint32_t i = 0; i < o->nroutes; i++) {
        const WsRoute *r = &o->routes[i];
        buf_printf(b, "route color %u at %u, %u size %u x %u rx %s", r->color, r->x, r->y, r->w, r->h, dirs[slot_rx(r->slot) % N_DIR]);
        for (int d = 0; d < N_DIR; d++)
            if (r->rx_more >> d & 1) buf_printf(b, " and %s", dirs[d]);
        buf_printf(b, " tx");
        for (int d = 0; d < N_DIR; d++)
            if (slot_tx(r->slot) >> d & 1) buf_printf(b, " %s", dirs[d]);
        for (int k = 1; r->slot & SLOT_SWITCH && k < SW_POSITIONS && sw_defined(r->sw, k); k++)
            buf_printf(b, " pos%d %s %s", k, sw_pos(r->sw, k) & SW_RX ? "rx" : "tx", dirs[sw_pos(r->sw, k) & 7]);
        if (r->slot & SLOT_SWITCH && r->sw & SW_RING) buf_printf(b, " ring");
        if (r->slot & SLOT_SWITCH && sw_at(r->sw)) buf_printf(b, " at %d", sw_at(r->sw));
        static const char *const pops[] = {"", " pop", " pop-on-advance", " pop-on-advance-nop"};
        buf_printf(b, "%s", pops[slot_pop(r->slot)]);
        if (r->slot & SLOT_SWAP_EW) buf_printf(b, " swap-x");
        if (r->slot & SLOT_SWAP_NS) buf_printf(b, " swap-y");
        if (r->slot & SLOT_SHUT) buf_printf(b, " closed");
        const WsFilter *f = &r->filter;
        if (f->kind == FILTER_RANGE) buf_printf(b, " range %u to %u", f->limit, f->max);
        if (f->kind == FILTER_COUNTER || f->kind == FILTER_SPARSE)
            buf_printf(b, " %s %u max %u limit %u%s%s", f->kind == FILTER_SPARSE ? "sparse" : "counter", f->init, f->max, f->limit, f->counts & FILTER_DATA ? " data" : "", f->counts & FILTER_CONTROL ? " control" : "");
        buf_printf(b, "\n");
    }
    for (uint32_t i = 0; i < o->npe; i++) buf_printf(b, "data %s %u bytes a PE\n", o->pe[i].symbol, o->pe[i].elem_bytes_per_pe);
}

/* ---- the whole */
static void program_free(Program *p)
{
    if (p->layout) sema_free(p->layout);
    Placement *pl = p->pl;
    for (ptrdiff_t i = 0; i < arrlen(pl->shapes); i++) {
        arrfree(pl->shapes[i]->pes);
        arrfree(pl->shapes[i]->leaves);
    }
    arrfree(pl->shapes);
    hmfree(pl->by_hash);
    arrfree(pl->locs);
    arrfree(pl->cfgs);
    hmfree(pl->cfg_of);
    arrfree(pl->classes);
    arrfree(pl->pe);
    shfree(pl->stems);
    arrfree(p->params);
    hmfree(p->prelude);
    shfree(p->files);
    hmfree(p->types);
    hmfree(p->seen);
    interner_free(p->in);
}

static bool place_all(Program *p, const FeOptions *opt)
{
    AstFile *f = program_file(p, opt->source, (Loc){0});
    if (!f) return false;
    const char *paint = opt->paint;
    if (layout_of(f)) {
        if (paint) return FE_DIAG(p->d, layout_and_paint, layout_of(f)->loc, d_str(paint)), false;
        return run_layout(p, f);
    }
    if (!paint && find_paint(p, opt->source, &paint) < 0) return false;
    if (p->pedantic && paint) FE_DIAG(p->d, ext_paint, (Loc){0});
    else if (p->pedantic) FE_DIAG(p->d, ext_one_pe, f->decls.n ? f->decls.v[0]->loc : (Loc){0});
    return paint ? run_paint(p, paint, opt) : run_single(p, f);
}

bool fe_program(Arena *a, Diags *d, const FeOptions *opt, WsObj *o, FeClassFn *each, void *user)
{
    Program *p = ARENA_NEW(a, Program);
    *p = (Program){.arena = a, .d = d, .in = interner_new(a), .arch = arch_make(opt->arch), .source = opt->source, .incdirs = opt->incdirs,
                   .nincdirs = opt->nincdirs, .fabric = {opt->fabric[0], opt->fabric[1], opt->fabric[2], opt->fabric[3]}, .pedantic = opt->pedantic, .exported = opt->exported, .exported_user = opt->exported_user, .fuel = opt->fuel ? opt->fuel : FUEL};
    p->fuel_limit = p->fuel;
    p->pl = ARENA_NEW(a, Placement);
    types_init(p);
    prelude_init(p);
    bool ok = params_parse(p, opt) && place_all(p, opt) && classes_compile(p, each, user);
    if (ok) {
        if (!p->starts) FE_DIAG(d, never_starts, (Loc){0});
        for (ptrdiff_t i = 0; i < arrlen(p->params); i++)
            if (!p->params[i].used) FE_DIAG(d, params_unused, p->params[i].loc, d_str(p->params[i].name));
        routes_check(p);
        fill(p, o);
    }
    program_free(p);
    return ok && !diags_errors(d);
}
