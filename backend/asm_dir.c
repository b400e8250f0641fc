/* The assembler's directives, one function each; the table at the end is the list. */
#include "asm_int.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool put_bytes(As *s, uint64_t v, uint32_t n, WsType t)
{
    uint8_t b[8];
    for (uint32_t i = 0; i < n; i++) b[i] = (uint8_t)(v >> 8 * i);
    return as_emit(s, b, n, t);
}

static bool type_word(As *s, WsType *t)
{
    for (int i = WT_NONE; i <= WT_BYTES; i++)
        if (as_word(s, ws_type_name((WsType)i))) {
            *t = (WsType)i;
            return true;
        }
    return as_expected(s, "a type (f32, u16, ... bytes)");
}

/* ---- object, class, section */
static bool d_arch(As *s)
{
    if (as_word(s, "wse2")) s->o->arch = arch_make(ARCH_WSE2);
    else if (as_word(s, "wse3")) s->o->arch = arch_make(ARCH_WSE3);
    else return as_expected(s, "wse2 or wse3");
    return true;
}

static bool d_rect(As *s)
{
    int64_t w, h;
    if (!as_known(s, &w) || !as_comma(s) || !as_known(s, &h)) return false;
    if (!as_range_check(s, s->line, w, 1, 4096) || !as_range_check(s, s->line, h, 1, 4096)) return false;
    s->o->w = (uint16_t)w, s->o->h = (uint16_t)h;
    return true;
}

static bool d_class(As *s)
{
    const char *name;
    if (!as_name(s, "the name of a class", &name)) return false;
    as_open_class(s, name);
    s->cur = SEC_TEXT;
    return true;
}

static bool d_text(As *s) { return s->cur = SEC_TEXT, true; }
static bool d_data(As *s) { return s->cur = SEC_DATA, true; }
static bool d_bss(As *s) { return s->cur = SEC_BSS, true; }

static bool d_stack(As *s)
{
    int64_t v;
    if (!as_known(s, &v) || !as_range_check(s, s->line, v, 0, 0xffff)) return false;
    as_cls(s)->stack_bytes = (uint32_t)v;
    return true;
}

static bool d_equ(As *s)
{
    const char *name;
    int64_t v;
    as_at_end(s);
    const char *from = s->p;
    if (!as_name(s, "a name", &name) || !as_comma(s)) return false;
    Loc loc = as_loc(s, from);
    if (!as_known(s, &v)) return false;
    if (shgeti(s->equs, name) >= 0 || (s->cls >= 0 && as_label(s, name))) {
        LD_DIAG(s->d, as_twice, loc, d_str(name));
        return false;
    }
    shput(s->equs, (char *)name, v);
    return true;
}

/* ---- data */
static bool d_align(As *s)
{
    int64_t n;
    if (!as_known(s, &n) || !as_range_check(s, s->line, n, 1, ALIGN_SEC)) return false;
    if (n & (n - 1)) return as_expected(s, "a power of two");
    uint32_t pad = (uint32_t)(-as_cls(s)->sec[s->cur].len & (uint32_t)(n - 1));
    if (s->cur != SEC_TEXT) return pad == 0 || as_emit(s, NULL, pad, WT_NONE);
    for (; pad >= 4; pad -= 4)
        if (!as_instruction(s, "nop", 3)) return false;
    return true;
}

static bool list(As *s, int64_t lo, int64_t hi, uint32_t n, WsType t)
{
    do {
        int64_t v;
        if (!as_ranged(s, &v, lo, hi) || !put_bytes(s, (uint64_t)v, n, t)) return false;
    } while (as_char(s, ','));
    return true;
}

static bool d_byte(As *s) { return list(s, -0x80, 0xff, 1, WT_U8); }
static bool d_half(As *s) { return list(s, -0x8000, 0xffff, 2, WT_U16); }
static bool d_word(As *s) { return list(s, INT32_MIN, UINT32_MAX, 4, WT_U32); }

static uint32_t f32_bits(double v)
{
    float f = (float)v;
    uint32_t u;
    memcpy(&u, &f, 4);
    return f != f ? 0x7fc00000u : u;
}

static bool d_float(As *s)
{
    do {
        double v;
        if (!as_float(s, &v) || !put_bytes(s, f32_bits(v), 4, WT_F32)) return false;
    } while (as_char(s, ','));
    return true;
}

static bool d_half16f(As *s)
{
    do {
        double v;
        if (!as_float(s, &v) || !put_bytes(s, f64_to_f16(v), 2, WT_F16)) return false;
    } while (as_char(s, ','));
    return true;
}

static bool d_string(As *s)
{
    Buf b = {0};
    bool ok = as_string(s, &b);
    if (ok) {
        buf_add(&b, "", 1);
        ok = as_emit(s, b.p, (uint32_t)b.len, WT_U8);
    }
    buf_free(&b);
    return ok;
}

static bool d_space(As *s)
{
    int64_t n;
    if (!as_known(s, &n) || !as_range_check(s, s->line, n, 0, SEC_LIMIT)) return false;
    return as_emit(s, NULL, (uint32_t)n, WT_BYTES);
}

/* ---- descriptors (isa.h) */
static bool aligned(As *s, uint32_t n)
{
    if (as_cls(s)->sec[s->cur].len % n == 0) return true;
    s->p = s->eol;
    LD_DIAG(s->d, as_alignment, as_loc(s, s->line), d_str(arena_printf(s->a, "the address 0x%x", as_pc(s))), d_uint(n));
    return false;
}

static bool extent(As *s, uint16_t *w1)
{
    int64_t v = LEN_ENDLESS;
    if (!as_comma(s)) return false;
    if (!as_word(s, "endless") && !as_ranged(s, &v, 0, LEN_ENDLESS)) return false;
    *w1 = (uint16_t)v;
    return true;
}

static bool dsd_memory(As *s, uint16_t w[4], bool nested)
{
    int64_t base, third;
    w[3] = nested ? DSD_MEMND : DSD_MEM1D;
    if (!as_comma(s) || !as_ranged(s, &base, 0, 0xffff) || !extent(s, &w[1]) || !as_comma(s)) return false;
    if (nested ? !as_ranged(s, &third, 0, 0xffff) : !as_ranged(s, &third, -128, 127)) return false;
    w[0] = (uint16_t)base;
    w[2] = (uint16_t)(nested ? third : third & 0xff);
    if (!as_char(s, ',')) return true;
    if (!as_word(s, "save")) return as_expected(s, "save");
    w[1] |= DSD_SAVE;
    return true;
}

/* q2 or 2 */
static bool queue(As *s, int64_t *q)
{
    if (!as_at_end(s) && *s->p == 'q' && s->eol - s->p > 1 && s->p[1] >= '0' && s->p[1] <= '9') s->p++;
    return as_ranged(s, q, 0, N_QUEUE - 1);
}

static void uses(As *s, uint32_t u) { as_cls(s)->uses |= u; }

/* control, advance; end, oncontrol=TASK */
static bool fabric_flag(As *s, uint16_t w[4], bool out, bool *any)
{
    int id;
    *any = true;
    if (out && as_word(s, "control")) w[3] |= DSD_CONTROL;
    else if (out && as_word(s, "advance")) w[3] |= DSD_ADVANCE, uses(s, USES_DSD);
    else if (!out && as_word(s, "end")) w[0] |= ON_CONTROL_END, uses(s, USES_CONTROL);
    else if (!out && as_word(s, "oncontrol")) {
        if (!as_char(s, '=')) return as_expected(s, "'='");
        if (!as_task_id(s, &id)) return false;
        w[0] |= (uint16_t)(ON_CONTROL_ACT | id << 8);
        uses(s, USES_CONTROL);
    } else *any = false;
    return true;
}

/* what stands behind the length of a fabric or FIFO descriptor */
static bool dsd_attrs(As *s, uint16_t w[4], bool fifo)
{
    bool out = (w[3] & 7) == DSD_FABOUT;
    int ut = -1, prio = 0, act = -1, unb = -1;
    while (as_char(s, ',')) {
        bool any = false;
        if (!fifo && !fabric_flag(s, w, out, &any)) return false;
        if (any) continue;
        if (!as_attr_async(s, &ut, &prio, &act, &unb, &any)) return false;
        if (!any) return as_expected(s, fifo ? "act=, unb=, ut= or prio=" : out ? "act=, unb=, ut=, prio=, control or advance" : "act=, unb=, ut=, prio=, end or oncontrol=");
    }
    if (act >= 0) w[2] |= (uint16_t)(act | 1 << 6);
    if (unb >= 0) w[2] |= (uint16_t)(unb << 8 | 1 << 14);
    if (ut >= 0) w[3] |= (uint16_t)(ut << 4 | DSD_UT_VALID);
    w[3] |= (uint16_t)(prio << 8);
    return true;
}

static bool dsd_fabric(As *s, uint16_t w[4], bool out)
{
    int64_t q;
    w[3] = out ? DSD_FABOUT : DSD_FABIN;
    if (!as_comma(s) || !queue(s, &q) || !extent(s, &w[1])) return false;
    w[0] = (uint16_t)q;
    return dsd_attrs(s, w, false);
}

/* .dsd fifo, RECORD, LENGTH */
static bool dsd_fifo(As *s, uint16_t w[4])
{
    int64_t record;
    w[3] = DSD_FIFO;
    uses(s, USES_DSD);
    if (!as_comma(s) || !as_ranged(s, &record, 0, 0xffff) || !extent(s, &w[1])) return false;
    w[0] = (uint16_t)record;
    return dsd_attrs(s, w, true);
}

static bool fifo_action(As *s, unsigned *a)
{
    static const char *const names[] = {"test", "end", "wait", "fault"};
    if (!as_char(s, '=')) return as_expected(s, "'='");
    for (unsigned i = 0; i < 4; i++)
        if (as_word(s, names[i])) return *a = i, true;
    return as_expected(s, "test, end, wait or fault");
}

/* .fifo BASE, ELEMENTS, BYTES [, push=TASK] [, pop=TASK] [, empty=ACTION] [, full=ACTION]: a FIFO record */
static bool d_fifo(As *s)
{
    int64_t base, cap, bytes;
    unsigned empty = FIFO_TEST, full = FIFO_TEST, act = 0;
    if (!as_ranged(s, &base, 0, 0xffff) || !as_comma(s) || !as_ranged(s, &cap, 1, 0x7fff) || !as_comma(s) || !as_known(s, &bytes)) return false;
    if (bytes != 2 && bytes != 4) return as_expected(s, "an element of 2 or 4 bytes");
    uses(s, USES_DSD);
    while (as_char(s, ',')) {
        int id, at = as_word(s, "push") ? 0 : as_word(s, "pop") ? 8 : -1;
        if (at >= 0) {
            if (!as_char(s, '=')) return as_expected(s, "'='");
            if (!as_task_id(s, &id)) return false;
            act |= (unsigned)(id | 0x40) << at;
        } else if (as_word(s, "empty")) {
            if (!fifo_action(s, &empty)) return false;
        } else if (!as_word(s, "full")) return as_expected(s, "push=, pop=, empty= or full=");
        else if (!fifo_action(s, &full)) return false;
    }
    const uint16_t w[FIFO_WORDS] = {[FIFO_BASE] = (uint16_t)base, [FIFO_CAP] = (uint16_t)cap, [FIFO_ACT] = (uint16_t)act,
                                    [FIFO_FORM] = (uint16_t)((unsigned)bytes | empty << 4 | full << 6)};
    if (!aligned(s, 2)) return false;
    for (int i = 0; i < FIFO_WORDS; i++)
        if (!put_bytes(s, w[i], 2, WT_U16)) return false;
    return true;
}

static bool d_dsd(As *s)
{
    uint16_t w[4] = {0};
    bool ok;
    if (as_word(s, "mem1d")) ok = dsd_memory(s, w, false);
    else if (as_word(s, "memnd")) ok = dsd_memory(s, w, true);
    else if (as_word(s, "fabin")) ok = dsd_fabric(s, w, false);
    else if (as_word(s, "fabout")) ok = dsd_fabric(s, w, true);
    else if (as_word(s, "fifo")) ok = dsd_fifo(s, w);
    else ok = as_expected(s, "mem1d, memnd, fabin, fabout or fifo");
    if (!ok || !aligned(s, 2)) return false;
    return put_bytes(s, w[0] | (uint64_t)w[1] << 16 | (uint64_t)w[2] << 32 | (uint64_t)w[3] << 48, 8, WT_DSD);
}

/* Extents and strides, innermost first; the last one's extent is written as 0: it never wraps. */
static bool d_shape(As *s)
{
    uint16_t w[8] = {0};
    int n = 0;
    do {
        int64_t e, st;
        if (n == 4) return as_expected(s, "at most four dimensions");
        if (!as_ranged(s, &e, 0, 0xffff) || !as_comma(s) || !as_ranged(s, &st, -0x8000, 0x7fff)) return false;
        w[2 * n] = (uint16_t)e, w[2 * n + 1] = (uint16_t)st;
        n++;
    } while (as_char(s, ','));
    w[2 * (n - 1)] = 0;
    if (!aligned(s, 2)) return false;
    for (int i = 0; i < 8; i++)
        if (!put_bytes(s, w[i], 2, WT_U16)) return false;
    return true;
}

/* ---- symbols */
/* A label of the current class, in pass 2; in pass 1 only its name is read (*l is NULL then). */
static bool label(As *s, Label **l)
{
    const char *name;
    as_at_end(s);
    const char *from = s->p;
    *l = NULL;
    if (!as_name(s, "the name of a label", &name)) return false;
    if (s->pass == 1) return true;
    *l = as_label(s, name);
    return *l || as_undefined(s, from, name);
}

static bool d_global(As *s)
{
    Label *l;
    WsType t = WT_NONE;
    if (!label(s, &l)) return false;
    as_char(s, ',');
    if (!as_at_end(s) && !type_word(s, &t)) return false;
    if (!l) return true;
    l->global = true;
    if (t != WT_NONE) l->type = t;
    return true;
}

static bool d_sym(As *s)
{
    Label *l;
    WsType t = WT_NONE;
    int64_t n;
    if (!label(s, &l) || !as_comma(s) || !type_word(s, &t) || !as_comma(s) || !as_ranged(s, &n, 0, 0xffff)) return false;
    if (!l) return true;
    l->type = t, l->size = (uint32_t)n;
    return true;
}

/* ---- boot records */
static bool boot(As *s, WsBoot b)
{
    if (s->pass == 2) arrput(as_cls(s)->boot, b);
    return true;
}

static uint16_t label_addr(As *s, const Label *l) { return l ? (uint16_t)(as_cls(s)->sec[l->sec].base + l->off) : 0; }

static bool d_task(As *s)
{
    int id;
    Label *l;
    if (!as_task_id(s, &id) || !as_comma(s) || !label(s, &l)) return false;
    WsBoot b = {.kind = BOOT_TASK, .id = (uint8_t)id, .addr = label_addr(s, l)};
    if (l) l->type = WT_TASK;
    while (!as_at_end(s)) {
        as_char(s, ',');
        if (as_word(s, "active")) b.flags |= BOOT_ACTIVE;
        else if (as_word(s, "blocked")) b.flags |= BOOT_BLOCKED;
        else if (as_word(s, "high")) b.flags |= BOOT_HIGH;
        else return as_expected(s, "active, blocked or high");
    }
    return boot(s, b);
}

/* .control ID, LABEL [blocked] [high] */
static bool d_control(As *s)
{
    int64_t id;
    Label *l;
    as_at_end(s);
    const char *from = s->p;
    if (!as_known(s, &id) || !as_range_check(s, from, id, 0, N_CONTROL - 1) || !as_comma(s) || !label(s, &l)) return false;
    WsBoot b = {.kind = BOOT_CTRL, .id = (uint8_t)id, .addr = label_addr(s, l)};
    if (l) l->type = WT_TASK;
    uses(s, USES_CONTROL);
    while (!as_at_end(s)) {
        as_char(s, ',');
        if (as_word(s, "blocked")) b.flags |= BOOT_BLOCKED;
        else if (as_word(s, "high")) b.flags |= BOOT_HIGH;
        else return as_expected(s, "blocked or high");
    }
    return boot(s, b);
}

/* .uses control, registers, fifo, teardown: of this class */
static bool d_uses(As *s)
{
    do {
        int k = 0;
        while (k < N_USES && !(USES_CLASS >> k & 1 && as_word(s, ws_uses_names[k]))) k++;
        if (k == N_USES) return as_expected(s, "control, registers, fifo or teardown");
        uses(s, 1u << k);
    } while (as_char(s, ','));
    return true;
}

static bool d_entry(As *s)
{
    Label *l;
    return label(s, &l) && boot(s, (WsBoot){.kind = BOOT_ENTRY, .addr = label_addr(s, l)});
}

static bool queue_color(As *s, WsBoot *b)
{
    int64_t q, c = COLOR_NULL;
    if (!queue(s, &q) || !as_comma(s)) return false;
    if (!as_word(s, "null") && !as_ranged(s, &c, 0, N_COLOR - 1)) return false;
    b->id = (uint8_t)q, b->color = (uint8_t)c;
    return true;
}

static bool d_iq(As *s)
{
    WsBoot b = {.kind = BOOT_IQ};
    if (!queue_color(s, &b)) return false;
    as_char(s, ',');
    int64_t base = 0;
    if (as_word(s, "lend")) b.flags = BOOT_LEND;
    as_char(s, ',');
    if (as_word(s, "control") && (!as_char(s, '=') || !as_ranged(s, &base, 0, N_CONTROL - 1))) return as_expected(s, "control=N");
    b.addr = (uint16_t)base;
    if (base) uses(s, USES_CONTROL);
    return boot(s, b);
}

/* .rotate data:N, LIMIT [first=N]: the task takes turns with control task 0 of its queue */
static bool d_rotate(As *s)
{
    int id;
    int64_t limit, first = 0;
    if (!as_task_id(s, &id) || !as_comma(s) || !as_ranged(s, &limit, 0, 0xffff)) return false;
    if (as_word(s, "first") && (!as_char(s, '=') || !as_ranged(s, &first, 0, 0xffff))) return as_expected(s, "first=N");
    return boot(s, (WsBoot){.kind = BOOT_ROTATE, .id = (uint8_t)id, .addr = (uint16_t)limit, .first = (uint16_t)first});
}

static bool d_oq(As *s)
{
    WsBoot b = {.kind = BOOT_OQ};
    return queue_color(s, &b) && boot(s, b);
}

/* ---- placement and routes */
static bool rect(As *s, uint16_t r[4])
{
    as_at_end(s);
    const char *from = s->p;
    for (int i = 0; i < 4; i++) {
        int64_t v;
        if (i && !as_comma(s)) return false;
        if (!as_known(s, &v) || !as_range_check(s, from, v, i < 2 ? 0 : 1, 0xffff)) return false;
        r[i] = (uint16_t)v;
    }
    if (s->pass == 1 || (r[0] + r[2] <= s->o->w && r[1] + r[3] <= s->o->h)) return as_comma(s);
    LD_DIAG(s->d, as_rect, as_loc(s, from), d_uint(r[0]), d_uint(r[1]), d_uint(r[2]), d_uint(r[3]), d_uint(s->o->w), d_uint(s->o->h));
    return false;
}

static bool d_place(As *s)
{
    uint16_t r[4];
    const char *name;
    if (!rect(s, r)) return false;
    as_at_end(s);
    const char *from = s->p;
    if (!as_name(s, "the name of a class", &name)) return false;
    if (s->pass == 1) return true;
    const char **names = NULL;
    ptrdiff_t i, n = arrlen(s->classes);
    for (i = 0; i < n && strcmp(s->classes[i].name, name) != 0; i++) arrput(names, s->classes[i].name);
    if (i < n) arrput(s->places, ((WsPlace){r[0], r[1], r[2], r[3], (uint32_t)i}));
    else LD_DIAG(s->d, as_no_class, as_loc(s, from), d_str(name), d_str(near_names(s->a, name, names, (size_t)arrlen(names))));
    arrfree(names);
    return i < n;
}

static const char *const dir_names[N_DIR] = {"west", "east", "south", "north", "ramp"};

static bool direction(As *s, Dir *d)
{
    for (int i = 0; i < N_DIR; i++)
        if (as_word(s, dir_names[i])) {
            *d = (Dir)i;
            return true;
        }
    return as_expected(s, "west, east, south, north or ramp");
}

/* rx=D or tx=D behind posK */
static bool switch_pos(As *s, int k, uint16_t *sw)
{
    Dir d = DIR_WEST;
    bool rx = as_word(s, "rx");
    if (!rx && !as_word(s, "tx")) return as_expected(s, "rx= or tx=");
    if (!as_char(s, '=')) return as_expected(s, "'='");
    if (!direction(s, &d)) return false;
    *sw = (uint16_t)((*sw & ~(15u << 4 * (k - 1))) | ((unsigned)d | (rx ? SW_RX : 0u)) << 4 * (k - 1));
    return true;
}

static bool pop_mode(As *s, uint16_t *slot)
{
    int m = as_word(s, "always") ? POP_ALWAYS : as_word(s, "advance") ? POP_ON_ADVANCE : as_word(s, "advance_nop") ? POP_ON_ADVANCE_NOP : as_word(s, "none") ? POP_NONE : -1;
    if (m < 0) return as_expected(s, "none, always, advance or advance_nop");
    *slot = (uint16_t)((*slot & ~(3u << SLOT_POP_AT)) | (unsigned)m << SLOT_POP_AT);
    return true;
}

/* filter range MIN MAX; filter counter INIT MAX LIMIT [control] [nodata] [only]; filter sparse INIT MAX LIMIT LIMIT2 [...] */
static bool filter(As *s, WsFilter *f)
{
    int64_t v[4] = {0};
    bool range = as_word(s, "range"), sparse = !range && as_word(s, "sparse");
    if (!range && !sparse && !as_word(s, "counter")) return as_expected(s, "range, counter or sparse");
    for (int i = 0; i < (range ? 2 : sparse ? 4 : 3); i++)
        if (!as_ranged(s, &v[i], 0, 0xffff)) return false;
    if (range) *f = (WsFilter){.kind = FILTER_RANGE, .limit = (uint16_t)v[0], .max = (uint16_t)v[1]};
    else *f = (WsFilter){sparse ? FILTER_SPARSE : FILTER_COUNTER, FILTER_DATA, (uint16_t)v[0], (uint16_t)v[1], (uint16_t)v[2], (uint16_t)v[3]};
    if (!range && as_word(s, "control")) f->counts |= FILTER_CONTROL;
    if (!range && as_word(s, "nodata")) f->counts &= (uint8_t)~FILTER_DATA;
    if (!range && !sparse && as_word(s, "only")) f->counts |= FILTER_CONTROL_ONLY;
    return true;
}

/* one of the words behind the outputs of a route; *any: there was one */
static bool route_option(As *s, WsRoute *r, bool *any)
{
    static const char *const pos[SW_POSITIONS] = {"", "pos1", "pos2", "pos3"};
    int64_t at;
    Dir d = DIR_WEST;
    *any = true;
    for (int k = 1; k < SW_POSITIONS; k++)
        if (as_word(s, pos[k])) return r->slot |= SLOT_SWITCH, switch_pos(s, k, &r->sw);
    if (as_word(s, "ring")) return r->slot |= SLOT_SWITCH, r->sw |= SW_RING, true;
    if (as_word(s, "at")) {
        if (!as_char(s, '=')) return as_expected(s, "'='");
        if (!as_ranged(s, &at, 0, SW_POSITIONS - 1)) return false;
        return r->slot |= SLOT_SWITCH, r->sw = (uint16_t)((r->sw & ~(3u << SW_AT)) | (unsigned)at << SW_AT), true;
    }
    if (as_word(s, "pop")) return as_char(s, '=') ? pop_mode(s, &r->slot) : as_expected(s, "'='");
    if (as_word(s, "swap_ns")) return r->slot |= SLOT_SWAP_NS, true;
    if (as_word(s, "swap_ew")) return r->slot |= SLOT_SWAP_EW, true;
    if (as_word(s, "closed")) return r->slot |= SLOT_SHUT, true;
    if (as_word(s, "filter")) return filter(s, &r->filter);
    if (as_word(s, "also")) {
        if (!as_char(s, '=')) return as_expected(s, "'='");
        if (!direction(s, &d)) return false;
        return r->rx_more |= (uint8_t)(1u << d), true;
    }
    return *any = false, true;
}

/* .route X, Y, W, H, COLOR, INPUT, OUTPUT... [also=INPUT] [posK rx=D | posK tx=D] [ring] [at=N] [pop=MODE] [closed] [swap_ew] [swap_ns] [filter ...] */
static bool d_route(As *s)
{
    uint16_t r[4];
    int64_t color;
    Dir rx = DIR_WEST, tx = DIR_WEST;
    WsRoute o = {.sw = SW_UNDEFINED};
    if (!rect(s, r) || !as_ranged(s, &color, 0, N_COLOR - 1) || !as_comma(s) || !direction(s, &rx) || !as_comma(s)) return false;
    o.x = r[0], o.y = r[1], o.w = r[2], o.h = r[3], o.color = (uint8_t)color, o.slot = slot_word(rx, 0);
    do {
        bool any;
        if (!route_option(s, &o, &any)) return false;
        if (!any) {
            if (!direction(s, &tx)) return false;
            o.slot |= (uint16_t)(8u << tx);
        }
        as_char(s, ',');
    } while (!as_at_end(s));
    if (!(o.slot & SLOT_SWITCH)) o.sw = 0;
    if (!slot_tx(o.slot)) return as_expected(s, "an output");
    if (s->pass == 2) arrput(s->routes, o);
    return true;
}

/* ---- per-PE data: .pe SYMBOL TYPE: v v v ...; more lines for the same symbol go on */
static PeData *pe_data(As *s, const char *symbol, WsType t, Loc loc)
{
    for (ptrdiff_t i = 0; i < arrlen(s->pe); i++)
        if (strcmp(s->pe[i].symbol, symbol) == 0) return &s->pe[i];
    PeData p = {.symbol = symbol, .type = t, .loc = loc};
    arrput(s->pe, p);
    return &s->pe[arrlen(s->pe) - 1];
}

static bool pe_value(As *s, WsType t, uint64_t *v)
{
    double f;
    int64_t i;
    int bits = 8 * ws_type_bytes(t);
    as_at_end(s);
    const char *from = s->p;
    if (t == WT_F32 || t == WT_F16) {
        if (!as_float(s, &f)) return false;
        *v = t == WT_F32 ? f32_bits(f) : f64_to_f16(f);
        return true;
    }
    s->label_ref = false;
    if (!as_signed(s, &i) || !as_range_check(s, from, i, -((int64_t)1 << (bits - 1)), ((int64_t)1 << bits) - 1)) return false;
    *v = (uint64_t)i;
    return true;
}

/* Does some class have this symbol? */
static bool any_class_has(As *s, const char *from, const char *name)
{
    for (ptrdiff_t i = 0; i < arrlen(s->classes); i++)
        if (shgeti(s->classes[i].by_name, name) >= 0) return true;
    return as_undefined(s, from, name);
}

static bool d_pe(As *s)
{
    const char *name;
    WsType t;
    as_at_end(s);
    const char *from = s->p;
    if (!as_name(s, "the name of a symbol", &name)) return false;
    Loc loc = as_loc(s, from);
    if (!type_word(s, &t)) return false;
    if (t == WT_NONE || t == WT_DSD) return as_expected(s, "a type of numbers");
    if (!as_char(s, ':')) return as_expected(s, "':'");
    if (s->pass == 2 && !any_class_has(s, from, name)) return false;
    while (!as_at_end(s)) {
        uint64_t v;
        uint8_t b[4];
        if (!pe_value(s, t, &v)) return false;
        as_char(s, ',');
        for (int i = 0; i < 4; i++) b[i] = (uint8_t)(v >> 8 * i);
        if (s->pass == 2) buf_add(&pe_data(s, name, t, loc)->bytes, b, (size_t)ws_type_bytes(t));
    }
    return true;
}

static bool d_line(As *s)
{
    const char *file;
    int64_t n;
    if (!as_name(s, "a file name", &file) || !as_comma(s) || !as_known(s, &n) || !as_range_check(s, s->line, n, 0, UINT32_MAX)) return false;
    as_cls(s)->own_lines = true;
    if (s->cur == SEC_TEXT) as_add_line(s, file, (uint32_t)n);
    return true;
}

/* ---- the list; in: sections where it may stand, one bit each */
enum { IN_TEXT = 1, IN_DATA = 2, IN_BSS = 4, IN_ANY = 7 };
static const struct { const char *name; bool (*fn)(As *); int in; } dirs[] = {
    {".arch", d_arch, IN_ANY}, {".rect", d_rect, IN_ANY}, {".class", d_class, IN_ANY},
    {".text", d_text, IN_ANY}, {".data", d_data, IN_ANY}, {".bss", d_bss, IN_ANY}, {".stack", d_stack, IN_ANY}, {".equ", d_equ, IN_ANY},
    {".align", d_align, IN_ANY}, {".space", d_space, IN_DATA | IN_BSS},
    {".byte", d_byte, IN_DATA}, {".half", d_half, IN_DATA}, {".word", d_word, IN_DATA},
    {".float", d_float, IN_DATA}, {".half16f", d_half16f, IN_DATA}, {".string", d_string, IN_DATA},
    {".dsd", d_dsd, IN_DATA}, {".shape", d_shape, IN_DATA}, {".fifo", d_fifo, IN_DATA},
    {".global", d_global, IN_ANY}, {".sym", d_sym, IN_ANY},
    {".task", d_task, IN_ANY}, {".control", d_control, IN_ANY}, {".rotate", d_rotate, IN_ANY}, {".uses", d_uses, IN_ANY}, {".entry", d_entry, IN_ANY}, {".iq", d_iq, IN_ANY}, {".oq", d_oq, IN_ANY},
    {".place", d_place, IN_ANY}, {".route", d_route, IN_ANY}, {".pe", d_pe, IN_ANY}, {".line", d_line, IN_ANY},
};
enum { N_DIRS = sizeof dirs / sizeof *dirs };

bool as_directive(As *s, const char *p, size_t n)
{
    static const char *const names[] = {".text", ".data", ".bss"};
    const char *known[N_DIRS];
    for (int i = 0; i < N_DIRS; i++) {
        known[i] = dirs[i].name;
        if (!as_is(p, n, dirs[i].name)) continue;
        if (dirs[i].in >> s->cur & 1) return dirs[i].fn(s);
        LD_DIAG(s->d, as_section, as_loc(s, p), d_str(dirs[i].name), d_str(names[s->cur]));
        return false;
    }
    const char *name = arena_strndup(s->a, p, n);
    LD_DIAG(s->d, as_unknown_dir, as_loc(s, p), d_str(name), d_str(near_names(s->a, name, known, N_DIRS)));
    return false;
}
