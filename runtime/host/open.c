/* libwsrt: opening a file, choosing the machine, listing symbols.
 * The machine itself is made at the first call that needs it (rt_start), so that parameters can come before. */
#include "host.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* WsrtType follows the public order, WsType the file format's: one row each */
static const WsrtType type_of[] = {[WT_NONE] = WSRT_BYTES, [WT_I8] = WSRT_I8,   [WT_U8] = WSRT_U8,   [WT_I16] = WSRT_I16,
                                   [WT_U16] = WSRT_U16,    [WT_I32] = WSRT_I32, [WT_U32] = WSRT_U32, [WT_F16] = WSRT_F16,
                                   [WT_F32] = WSRT_F32,    [WT_BOOL] = WSRT_BOOL, [WT_PTR] = WSRT_PTR, [WT_DSD] = WSRT_DSD,
                                   [WT_FUNC] = WSRT_FUNC,  [WT_TASK] = WSRT_TASK, [WT_BYTES] = WSRT_BYTES};

int rt_fail(Wsrt *rt, WsrtError code, const char *fmt, ...)
{
    va_list ap;
    rt->err.len = 0;
    va_start(ap, fmt);
    buf_vprintf(&rt->err, fmt, ap);
    va_end(ap);
    return code;
}

const char *wsrt_error(const Wsrt *rt) { return rt->err.p && rt->err.len ? rt->err.p : ""; }
unsigned wsrt_version(void) { return WSRT_VERSION; }

/* ---- symbols */

const WsSym *rt_class_sym(const Wsrt *rt, int32_t cls, const char *name)
{
    return cls < 0 ? NULL : cls_sym(&rt->obj->classes[cls], name);
}

void rt_sym_shape(const WsSym *s, WsrtType *type, uint32_t *elem_bytes, uint32_t *elems)
{
    uint32_t size = (uint32_t)ws_type_bytes(s->type);
    *type = type_of[s->type];
    if (size == 0 || s->size_bytes % size) {             /* not whole elements: bytes */
        *type = WSRT_BYTES;
        size = 1;
    }
    *elem_bytes = size;
    *elems = s->size_bytes / size;
}

size_t wsrt_type_bytes(WsrtType t)
{
    if (t == WSRT_RAW16) return 2;
    if (t == WSRT_RAW32) return 4;
    if (t == WSRT_ANY) return 0;
    for (int i = 1; i <= WT_BYTES; i++)
        if (type_of[i] == t) return (size_t)ws_type_bytes((WsType)i);
    return 0;
}

static int by_name(const void *pa, const void *pb)
{
    const WsrtSymbol *a = pa, *b = pb;
    if (a->exported != b->exported) return b->exported - a->exported;
    return strcmp(a->name, b->name);
}

static void widen(WsrtSymbol *s, const WsPlace *p)
{
    if (s->pes == 0) {
        s->x = p->x, s->y = p->y, s->w = p->w, s->h = p->h;
    } else {
        uint32_t x1 = s->x + s->w, y1 = s->y + s->h;
        if (p->x + (uint32_t)p->w > x1) x1 = p->x + (uint32_t)p->w;
        if (p->y + (uint32_t)p->h > y1) y1 = p->y + (uint32_t)p->h;
        if (p->x < s->x) s->x = p->x;
        if (p->y < s->y) s->y = p->y;
        s->w = x1 - s->x, s->h = y1 - s->y;
    }
    s->pes += (uint64_t)p->w * p->h;
}

/* one row a name, over all classes that are placed somewhere */
static void collect_symbols(Wsrt *rt)
{
    struct { char *key; uint32_t value; } *at = NULL;
    WsrtSymbol *list = NULL;
    for (uint32_t pl = 0; pl < rt->obj->nplaces; pl++) {
        const WsPlace *p = &rt->obj->places[pl];
        const WsClass *c = &rt->obj->classes[p->cls];
        for (uint32_t i = 0; i < c->nsyms; i++) {
            const WsSym *s = &c->syms[i];
            if (cls_sym(c, s->name) != s) continue;      /* the first of a name counts */
            WsrtSymbol row = {.name = s->name, .exported = s->global, .set = s->set, .uniform = 1};
            rt_sym_shape(s, &row.type, &row.elem_bytes, &row.elems);
            row.type_name = ws_type_name(row.type == WSRT_BYTES ? WT_BYTES : s->type);
            ptrdiff_t k = shgeti(at, s->name);
            if (k < 0) {
                shput(at, s->name, (uint32_t)arrlen(list));
                arrput(list, row);
                k = shgeti(at, s->name);
            }
            WsrtSymbol *r = &list[at[k].value];
            if (r->type != row.type || r->elems != row.elems || r->elem_bytes != row.elem_bytes) r->uniform = 0;
            r->exported |= row.exported;
            r->set &= row.set;
            widen(r, p);
        }
    }
    for (uint32_t i = 0; i < rt->obj->npe; i++) {        /* filled by wsld --set, each PE its own */
        ptrdiff_t k = shgeti(at, rt->obj->pe[i].symbol);
        if (k >= 0) list[at[k].value].set = 1;
    }
    shfree(at);
    if (arrlen(list)) qsort(list, (size_t)arrlen(list), sizeof *list, by_name);
    rt->syms = list;
}

int wsrt_symbol_at(Wsrt *rt, unsigned i, WsrtSymbol *out)
{
    if (!rt->syms) collect_symbols(rt);
    if (i >= (unsigned)arrlen(rt->syms)) return rt_fail(rt, WSRT_E_NAME, "there are %d symbols", (int)arrlen(rt->syms));
    *out = rt->syms[i];
    return WSRT_OK;
}

int wsrt_symbol(Wsrt *rt, const char *name, WsrtSymbol *out)
{
    if (!rt->syms) collect_symbols(rt);
    for (ptrdiff_t i = 0; i < arrlen(rt->syms); i++)
        if (strcmp(rt->syms[i].name, name) == 0) {
            *out = rt->syms[i];
            return WSRT_OK;
        }
    return rt_fail(rt, WSRT_E_NAME, "there is no symbol %s", name);
}

/* ---- what the compiler says to the host: lines of .w.host */
static void collect_exports(Wsrt *rt)
{
    for (uint32_t i = 0; i < rt->obj->nhost; i++) {
        char *save, *t = strdup(rt->obj->host[i]), *word = strtok_r(t, " ", &save);
        char *type = strtok_r(NULL, " ", &save), *mode = type ? strtok_r(NULL, " ", &save) : NULL, *name = mode ? strtok_r(NULL, " ", &save) : NULL;
        arrput(rt->export_texts, t);
        if (name && !strcmp(word, "export")) arrput(rt->exports, ((WsrtExport){name, type, !strcmp(mode, "var")}));
    }
}

const WsrtExport *rt_export(Wsrt *rt, const char *name)
{
    for (ptrdiff_t i = 0; i < arrlen(rt->exports); i++)
        if (!strcmp(rt->exports[i].name, name)) return &rt->exports[i];
    return NULL;
}

int wsrt_export_at(Wsrt *rt, unsigned i, WsrtExport *out)
{
    if (i >= (unsigned)arrlen(rt->exports)) return rt_fail(rt, WSRT_E_NAME, "there are %d exported names", (int)arrlen(rt->exports));
    *out = rt->exports[i];
    return WSRT_OK;
}

void wsrt_fabric(const Wsrt *rt, unsigned dims[2], unsigned offsets[2])
{
    dims[0] = rt->obj->w, dims[1] = rt->obj->h, offsets[0] = offsets[1] = 0;
    for (uint32_t i = 0; i < rt->obj->nhost; i++)
        if (sscanf(rt->obj->host[i], "fabric %u %u %u %u", &dims[0], &dims[1], &offsets[0], &offsets[1]) == 4) return;
}

/* ---- open and close */
#define OBJECT_IN_FOLDER "bin/out_0.elf"                 /* as wslc calls it */

Wsrt *wsrt_open(const char *path, char err[WSRT_ERR_BYTES])
{
    char *why = NULL, in_folder[4096];
    struct stat st;
    if (!stat(path, &st) && S_ISDIR(st.st_mode) && (size_t)snprintf(in_folder, sizeof in_folder, "%s/" OBJECT_IN_FOLDER, path) < sizeof in_folder &&
        !stat(in_folder, &st)) path = in_folder;
    WsObj *obj = obj_read(path, &why);
    if (!obj) {
        snprintf(err, WSRT_ERR_BYTES, "%.*s", WSRT_ERR_BYTES - 1, why ? why : path);
        free(why);
        return NULL;
    }
    Wsrt *rt = ws_xmalloc(sizeof *rt);
    rt->obj = obj;
    rt->arch = obj->arch;
    atomic_init(&rt->interrupt, false);
    rt->end = WSRT_END_ERROR;
    collect_exports(rt);
    return rt;
}

void wsrt_close(Wsrt *rt)
{
    if (!rt) return;
    if (rt->sim) sim_free(rt->sim);
    obj_free(rt->obj);
    arrfree(rt->syms);
    for (ptrdiff_t i = 0; i < arrlen(rt->export_texts); i++) free(rt->export_texts[i]);
    arrfree(rt->export_texts);
    arrfree(rt->exports);
    rt_free_commands(rt);
    buf_free(&rt->err);
    buf_free(&rt->text);
    free(rt->engine);
    free(rt);
}

unsigned wsrt_width(const Wsrt *rt) { return rt->obj->w; }
unsigned wsrt_height(const Wsrt *rt) { return rt->obj->h; }
const char *wsrt_arch(const Wsrt *rt) { return rt->arch.id == ARCH_WSE2 ? "wse2" : "wse3"; }
uint64_t wsrt_clock_hz(const Wsrt *rt) { return (uint64_t)AP(&rt->arch, clock_mhz) * 1000000; }

uint64_t wsrt_pes(const Wsrt *rt)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < rt->obj->nplaces; i++) n += (uint64_t)rt->obj->places[i].w * rt->obj->places[i].h;
    return n;
}

int wsrt_starts(const Wsrt *rt)
{
    for (uint32_t i = 0; i < rt->obj->nplaces; i++) {
        const WsClass *c = &rt->obj->classes[rt->obj->places[i].cls];
        for (uint32_t k = 0; k < c->nboot; k++)
            if (c->boot[k].kind == BOOT_ENTRY || (c->boot[k].kind == BOOT_TASK && c->boot[k].flags & BOOT_ACTIVE)) return 1;
    }
    return 0;
}

/* ---- choosing the machine */

const char *wsrt_engine_at(int i) { return sim_engine_at(i); }
const char *wsrt_engine(const Wsrt *rt)
{
    return rt->sim ? sim_engine_name(rt->sim) : rt->engine ? rt->engine : sim_engine_default();
}

int wsrt_set_engine(Wsrt *rt, const char *name)
{
    if (rt->sim) return rt_fail(rt, WSRT_E_STATE, "the machine has started: the engine cannot be changed");
    for (int i = 0; sim_engine_at(i); i++)
        if (strcmp(sim_engine_at(i), name) == 0) {
            free(rt->engine);
            rt->engine = strdup(name);
            return WSRT_OK;
        }
    rt_fail(rt, WSRT_E_NAME, "there is no engine %s; there is", name);
    for (int i = 0; sim_engine_at(i); i++) buf_printf(&rt->err, "%s %s", i ? "," : "", sim_engine_at(i));
    return WSRT_E_NAME;
}

int wsrt_set_arch_param(Wsrt *rt, const char *name, int32_t value)
{
    if (rt->sim) return rt_fail(rt, WSRT_E_STATE, "the machine has started: its numbers cannot be changed");
    int i = 0;
    while (i < AP_COUNT && strcmp(arch_param_rows[i].name, name)) i++;
    if (i == AP_COUNT) return rt_fail(rt, WSRT_E_NAME, "there is no architecture parameter %s (docs/machine.md lists them)", name);
    Arch with = rt->arch;
    if (value < 0 || !arch_set(&with, name, value))
        return rt_fail(rt, WSRT_E_RANGE, "architecture parameter %s cannot be %d", name, value);
    rt->arch = with;
    return WSRT_OK;
}

int32_t wsrt_arch_param(const Wsrt *rt, const char *name)
{
    for (int i = 0; i < AP_COUNT; i++)
        if (strcmp(arch_param_rows[i].name, name) == 0) return rt->arch.p[i];
    return -1;
}

int wsrt_set_check(Wsrt *rt)
{
    const char *able = sim_engine_with_check(rt->obj);
    if (rt->sim) return rt_fail(rt, WSRT_E_STATE, "the machine has started: it is too late for a checked run");
    if (!able) return rt_fail(rt, WSRT_E_STATE, "no engine checks accesses and does all that the program uses");
    rt->check = true;
    return rt->engine ? WSRT_OK : wsrt_set_engine(rt, able);
}

int rt_start(Wsrt *rt)
{
    if (rt->sim) return WSRT_OK;
    char *why = NULL;
    rt->sim = sim_new_engine(rt->engine, rt->obj, &rt->arch, &why);
    if (!rt->sim) {
        rt_fail(rt, WSRT_E_RANGE, "%s", why ? why : "the machine cannot be made");
        free(why);
        return WSRT_E_RANGE;
    }
    if (rt->check && !sim_check(rt->sim)) {
        rt_fail(rt, WSRT_E_STATE, "the %s engine does not check accesses; the reference engine does", sim_engine_name(rt->sim));
        sim_free(rt->sim);
        rt->sim = NULL;
        return WSRT_E_STATE;
    }
    sim_set_interrupt(rt->sim, &rt->interrupt);
    if (rt->print) sim_on_print(rt->sim, rt->print, rt->print_user);
    if (rt->progress) sim_on_progress(rt->sim, rt->progress_every, rt->progress, rt->progress_user);
    return WSRT_OK;
}
