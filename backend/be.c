/* be_compile: from one class of WIR to a class of an object.
 *
 *   scan       which globals are descriptors, which DSRs are pinned, how large the jump tables are
 *   place      offsets of globals (place.c)
 *   functions  isel -> sched -> ra -> emit_layout, for every function that something refers to
 *   finish     addresses, encoding, symbols, boot records, line table, stack
 *
 * .data follows .text, so what stands below the reach of an immediate address depends on the code's size: functions are
 * made once without such "near" globals to learn an upper bound of that size, and then again. */
#include "backend/isel.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR_LIMIT = 8192, DESC_BYTES = 8 };

/* ---- scan */
static IrSym pointer_root(IrFn *f, IrRef p)
{
    for (int i = 0; i < 64; i++) {
        IrIns *in = ir_ins(f, p);
        if (in->op == IR_GADDR) return in->sym;
        if (in->op != IR_ADD && in->op != IR_SUB && in->op != IR_BITCAST) break;
        p = in->args[0];
    }
    return (IrSym){0};
}

/* A descriptor to which whole descriptors are stored, here or perhaps through a pointer, may describe anything; one whose
 * words only are patched, one or two at a time (set_level), stays with its array: that is what an iterator is. */
static void scan_fn(BeCtx *cx, IrFn *f, bool *wild)
{
    static const RegClass file[] = {RC_DEST, RC_SRC0, RC_SRC1};
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            IrIns *in = ir_ins(f, f->blks[b].ins[i]);
            int64_t min, range;
            if (in->op == IR_STORE) {
                IrType t = ir_ins(f, in->args[1])->type;
                IrSym g = pointer_root(f, in->args[0]);
                if (t != T_DSD && ir_type_bytes(t) < DESC_BYTES) continue;
                if (g.i && !ir_sym_is_fn(g)) cx->desc[g.i - 1].kind = 0xff;
                else if (t == T_DSD && ir_ins(f, in->args[0])->op != IR_ALLOCA) *wild = true;
            } else if (in->op == IR_DSRSLOT) {
                if (slot_pin_xdsr(in->imm) >= 0) cx->pinned_xdsr |= 1u << slot_pin_xdsr(in->imm);
                if (slot_pin(in->imm) >= PIN_FILE) cx->pinned[file[pin_file(slot_pin(in->imm))]] |= 1u << slot_pin(in->imm) % 16;
            } else if (in->op == IR_SWITCH) {
                if (isel_switch_table(f, in, &min, &range)) cx->table_bytes += (uint32_t)range * 2;
            } else if (in->op == IR_VOP) {
                for (int k = 0; k < in->nargs && k < 3; k++) {
                    IrIns *s = in->args[k].i ? ir_ins(f, in->args[k]) : NULL;
                    if (!s || s->op != IR_DSRSLOT || slot_pin(s->imm) < 0) continue;
                    if (k == 0 && in->nargs > 1 && in->args[1].i == in->args[0].i) continue;   /* in place */
                    cx->pinned[file[k]] |= 1u << slot_pin(s->imm) % 16;
                }
            }
        }
}

static uint32_t max_align(const BeCtx *cx)
{
    uint32_t a = 4;
    for (ptrdiff_t i = 0; i < arrlen(cx->m->globals); i++)
        if (cx->m->globals[i].align > a) a = cx->m->globals[i].align;
    return a;
}

/* ---- which functions are wanted */
static void want(BeCtx *cx, uint8_t *w, uint32_t fn)
{
    if (w[fn] || cx->m->fns[fn]->decl_only) return;
    w[fn] = 1;
    IrFn *f = cx->m->fns[fn];
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            IrIns *in = ir_ins(f, f->blks[b].ins[i]);
            if ((in->op == IR_CALL || in->op == IR_FADDR) && in->sym.i) want(cx, w, in->sym.i & 0x7fffffff);
        }
}

static uint8_t *wanted(BeCtx *cx)
{
    uint8_t *w = ws_xmalloc((size_t)arrlen(cx->m->fns) + 1);
    for (ptrdiff_t i = 0; i < arrlen(cx->m->fns); i++)
        if (cx->m->fns[i]->exported || cx->m->fns[i]->kind != FN_PLAIN) want(cx, w, (uint32_t)i);
    for (ptrdiff_t i = 0; i < arrlen(cx->m->boot); i++)
        if (cx->m->boot[i].fn.i) want(cx, w, cx->m->boot[i].fn.i & 0x7fffffff);
    for (ptrdiff_t i = 0; i < arrlen(cx->m->globals); i++)
        for (ptrdiff_t k = 0; k < arrlen(cx->m->globals[i].relocs); k++)
            if (ir_sym_is_fn(cx->m->globals[i].relocs[k].sym)) want(cx, w, cx->m->globals[i].relocs[k].sym.i & 0x7fffffff);
    return w;
}

/* ---- functions */
/* from: schedule blocks of this loop depth and deeper; BE_NO_SCHEDULE: none */
enum { BE_NO_SCHEDULE = 255 };
static MFn *one_function(BeCtx *cx, uint32_t index, uint32_t from, bool report)
{
    uint32_t tables = cx->table_next;
    MFn *f = isel(cx, cx->m->fns[index], index);
    if (report) mir_dump(cx, f, "isel");
    if (report) mir_dump(cx, f, "hwloop");
    if (!cx->failed && from != BE_NO_SCHEDULE) sched(cx, f, from);
    if (report) mir_dump(cx, f, "sched");
    if (cx->failed || ra(cx, f, report || from == BE_NO_SCHEDULE)) {
        if (!cx->failed && report) mir_dump(cx, f, "ra");
        return f;
    }
    mfn_free(f);
    cx->table_next = tables;
    return NULL;
}

/* A schedule that spills more than the plain order does is given up outside loops first, then from the outer loops inward:
 * the innermost blocks are those that pay. */
static void compile_function(BeCtx *cx, uint32_t index, bool last)
{
    bool schedule = cx->opts->level >= 2 && !cx->opts->no_schedule;
    uint32_t tables = cx->table_next, from = schedule ? 0 : BE_NO_SCHEDULE;
    MFn *f = one_function(cx, index, from, last && !schedule);
    if (schedule && !cx->failed && (!f || f->spills)) {
        mfn_free(f);
        cx->table_next = tables;
        MFn *plain = one_function(cx, index, BE_NO_SCHEDULE, false);
        int most = plain ? plain->spills : 0;
        mfn_free(plain);
        do {
            cx->table_next = tables;
            f = !cx->failed && from != BE_NO_SCHEDULE ? one_function(cx, index, from, false) : NULL;
            if (f && f->spills <= most) break;
            mfn_free(f);
            f = NULL;
            from = from < 4 ? from + 1 : BE_NO_SCHEDULE;
        } while (from != BE_NO_SCHEDULE && !cx->failed);
        cx->table_next = f ? cx->table_next : tables;
        if (!f && !cx->failed) f = one_function(cx, index, BE_NO_SCHEDULE, last);
    }
    if (from != BE_NO_SCHEDULE && last && cx->opts->dump_after) {   /* the same again, with the dumps */
        mfn_free(f);
        cx->table_next = tables;
        f = one_function(cx, index, from, true);
    }
    if (!f) {
        cx->failed = true;
        return;
    }
    cx->fns[index] = f;
    if (!cx->failed) emit_layout(f);
}

static void drop_functions(BeCtx *cx)
{
    for (ptrdiff_t i = 0; i < arrlen(cx->fns); i++) {
        mfn_free(cx->fns[i]);
        cx->fns[i] = NULL;
    }
}

static void compile_all(BeCtx *cx, const uint8_t *w, uint32_t near_bytes, bool last)
{
    drop_functions(cx);
    cx->near_bytes = near_bytes;
    cx->table_next = cx->table_off;
    for (ptrdiff_t i = 0; i < arrlen(cx->m->fns); i++)
        if (w[i]) compile_function(cx, (uint32_t)i, last);
}

static uint32_t text_bytes(const BeCtx *cx)
{
    uint32_t n = 0;
    for (ptrdiff_t i = 0; i < arrlen(cx->fns); i++)
        if (cx->fns[i]) n += 4 * emit_words(cx->fns[i]);
    return n;
}

/* ---- stack: the deepest way through the call graph */
static uint32_t stack_of(BeCtx *cx, uint32_t fn, uint8_t *state, uint32_t *need, uint32_t indirect)
{
    MFn *f = cx->fns[fn];
    if (!f || state[fn] == 2) return f ? need[fn] : 0;
    if (state[fn] == 1) {
        BE_DIAG(cx->d, recursion, f->ir->loc, d_str(f->ir->name));
        return 0;
    }
    state[fn] = 1;
    uint32_t deepest = 0;
    for (ptrdiff_t b = 1; b < arrlen(f->ir->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->ir->blks[b].ins); i++) {
            IrIns *in = ir_ins(f->ir, f->ir->blks[b].ins[i]);
            uint32_t n = 0;
            if (in->op == IR_CALL) n = stack_of(cx, in->sym.i & 0x7fffffff, state, need, indirect);
            if (in->op == IR_CALLR) n = indirect;
            if (n > deepest) deepest = n;
        }
    state[fn] = 2;
    return need[fn] = f->frame_bytes + deepest;
}

static uint32_t stack_need(BeCtx *cx)
{
    ptrdiff_t n = arrlen(cx->fns);
    uint8_t *state = ws_xmalloc((size_t)n + 1);
    uint32_t *need = ws_xmalloc(sizeof *need * ((size_t)n + 1)), most = 0, plain = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        if (cx->fns[i] && cx->fns[i]->ir->kind == FN_PLAIN && cx->fns[i]->frame_bytes > plain) plain = cx->fns[i]->frame_bytes;
    for (ptrdiff_t i = 0; i < n; i++) {
        uint32_t s = stack_of(cx, (uint32_t)i, state, need, plain);
        if (s > most) most = s;
    }
    free(state);
    free(need);
    return most;
}

/* ---- finish */
static uint16_t file_index(BeCtx *cx, WsObj *o, uint32_t file)
{
    const char *name = diags_file_name(cx->d, file);
    if (!name) return 0;
    for (uint32_t i = 0; i < o->nfiles; i++)
        if (strcmp(o->files[i], name) == 0) return (uint16_t)(i + 1);
    if (!(o->nfiles & (o->nfiles - 1))) {      /* full at each power of two */
        const char **files = ARENA_ARR(o->arena, const char *, o->nfiles ? 2 * (size_t)o->nfiles : 1);
        if (o->nfiles) memcpy(files, o->files, sizeof *files * o->nfiles);
        o->files = files;
    }
    o->files[o->nfiles++] = arena_strdup(o->arena, name);
    return (uint16_t)o->nfiles;
}

static void line_table(BeCtx *cx, WsObj *o, WsClass *c, const Loc *locs, uint32_t nwords)
{
    WsLine *rows = NULL;
    uint32_t last_file = UINT32_MAX, last_off = 0;
    for (uint32_t i = 0; i < nwords; i++) {
        if (!locs[i].file || (locs[i].file == last_file && locs[i].off == last_off)) continue;
        uint32_t line = 0, col = 0;
        diags_line_col(cx->d, locs[i], &line, &col);
        WsLine r = {(uint16_t)(4 * i), file_index(cx, o, locs[i].file), line};
        last_file = locs[i].file;
        last_off = locs[i].off;
        if (arrlen(rows) && arrlast(rows).file == r.file && arrlast(rows).line == r.line) continue;
        arrput(rows, r);
    }
    c->nlines = (uint32_t)arrlen(rows);
    c->lines = ARENA_ARR(o->arena, WsLine, c->nlines + 1);
    if (c->nlines) memcpy(c->lines, rows, sizeof *rows * c->nlines);
    arrfree(rows);
}

static void symbols(BeCtx *cx, WsObj *o, WsClass *c, const uint32_t *fn_addr)
{
    ptrdiff_t ng = arrlen(cx->m->globals), nf = arrlen(cx->fns);
    c->syms = ARENA_ARR(o->arena, WsSym, ng + nf + 1);
    for (ptrdiff_t i = 0; i < ng; i++) {
        IrGlobal *g = &cx->m->globals[i];
        c->syms[c->nsyms++] = (WsSym){arena_strdup(o->arena, g->name), (uint16_t)(c->data_addr + cx->place[i].addr_off), g->size_bytes,
                                      g->elem_type ? (WsType)g->elem_type : WT_BYTES, g->exported, g->init != NULL};
    }
    for (ptrdiff_t i = 0; i < nf; i++) {
        if (!cx->fns[i]) continue;
        IrFn *f = cx->fns[i]->ir;
        c->syms[c->nsyms++] = (WsSym){arena_strdup(o->arena, f->name), (uint16_t)fn_addr[i], 4 * emit_words(cx->fns[i]),
                                      f->kind == FN_PLAIN ? WT_FUNC : WT_TASK, f->exported, true};
    }
}

static void boot(BeCtx *cx, WsObj *o, WsClass *c, const uint32_t *fn_addr)
{
    ptrdiff_t nb = arrlen(cx->m->boot), nf = arrlen(cx->fns);
    c->boot = ARENA_ARR(o->arena, WsBoot, nb + nf + 1);
    uint8_t *has = ws_xmalloc((size_t)nf + 1);
    for (ptrdiff_t i = 0; i < nb; i++) {
        IrBoot *b = &cx->m->boot[i];
        uint32_t fn = b->fn.i & 0x7fffffff;
        uint16_t addr = b->fn.i ? (uint16_t)fn_addr[fn] : (uint16_t)b->num;
        if (b->fn.i) has[fn] = 1;
        c->boot[c->nboot++] = (WsBoot){(BootKind)b->kind, (uint8_t)b->id, (uint8_t)b->color, (uint8_t)b->flags, addr, (uint16_t)b->first};
    }
    for (ptrdiff_t i = 0; i < nf; i++) {
        if (!cx->fns[i] || has[i]) continue;
        IrFn *f = cx->fns[i]->ir;
        if (f->kind == FN_MAIN) c->boot[c->nboot++] = (WsBoot){.kind = BOOT_ENTRY, .addr = (uint16_t)fn_addr[i]};
        else if (f->kind == FN_TASK_CONTROL && f->task_id >= 0)
            c->boot[c->nboot++] = (WsBoot){.kind = BOOT_CTRL, .addr = (uint16_t)fn_addr[i], .id = (uint8_t)f->task_id};
        else if ((f->kind == FN_TASK_LOCAL || f->kind == FN_TASK_DATA) && f->task_id >= 0)
            c->boot[c->nboot++] = (WsBoot){.kind = BOOT_TASK, .addr = (uint16_t)fn_addr[i],
                                           .id = (uint8_t)(f->kind == FN_TASK_DATA ? f->task_id | TASK_DATA : f->task_id)};
    }
    free(has);
    c->uses |= cx->m->uses;
    for (uint32_t i = 0; i < c->nboot; i++)
        if (c->boot[i].kind == BOOT_CTRL) c->uses |= USES_CONTROL;
}

static void data_bytes(BeCtx *cx, uint8_t *data, uint32_t data_addr, const uint32_t *fn_addr)
{
    for (ptrdiff_t i = 0; i < arrlen(cx->m->globals); i++) {
        IrGlobal *g = &cx->m->globals[i];
        if (cx->place[i].is_bss) continue;
        uint8_t *p = data + cx->place[i].addr_off;
        if (g->init) memcpy(p, g->init, g->size_bytes);
        for (ptrdiff_t k = 0; k < arrlen(g->relocs); k++) {
            IrReloc *r = &g->relocs[k];
            uint32_t v = ir_sym_is_fn(r->sym) ? fn_addr[r->sym.i & 0x7fffffff] : data_addr + cx->place[r->sym.i - 1].addr_off;
            v += (uint32_t)r->add;
            p[r->off] = (uint8_t)v;
            p[r->off + 1] = (uint8_t)(v >> 8);
        }
    }
}

/* false: near globals turned out not to be near */
static bool finish(BeCtx *cx, WsObj *o)
{
    ptrdiff_t nf = arrlen(cx->fns);
    uint32_t *fn_addr = ws_xmalloc(sizeof *fn_addr * ((size_t)nf + 1)), pc = 0;
    for (ptrdiff_t i = 0; i < nf; i++) {
        fn_addr[i] = pc;
        if (cx->fns[i]) pc += 4 * emit_words(cx->fns[i]);
    }
    WsClass c = {.name = arena_strdup(o->arena, cx->m->name ? cx->m->name : "main"), .text_bytes = pc};
    c.data_addr = (uint16_t)be_align_up(pc, max_align(cx));
    uint32_t top = be_align_up(pc, max_align(cx)) + cx->bss_off + cx->bss_bytes;
    if (top > UINT16_MAX) {
        BE_DIAG(cx->d, too_large, ((Loc){0}), d_str(c.name), d_uint(top));
        cx->failed = true;
        free(fn_addr);
        return true;
    }
    uint8_t *text = ARENA_ARR(o->arena, uint8_t, pc + 4), *data = ARENA_ARR(o->arena, uint8_t, cx->data_bytes + 4);
    Loc *locs = ws_xmalloc(sizeof *locs * (pc / 4 + 1));
    data_bytes(cx, data, c.data_addr, fn_addr);
    Emit e = {.cx = cx, .fn_addr = fn_addr, .data_addr = c.data_addr, .text = text, .data = data, .locs = locs};
    for (ptrdiff_t i = 0; i < nf; i++)
        if (cx->fns[i]) emit_encode(&e, cx->fns[i]);
    if (!e.near_miss) {
        c.text = text;
        c.data = data;
        c.data_bytes = cx->data_bytes;
        c.bss_addr = (uint16_t)(c.data_addr + cx->bss_off);
        c.bss_bytes = cx->bss_bytes;
        c.stack_bytes = stack_need(cx);
        symbols(cx, o, &c, fn_addr);
        boot(cx, o, &c, fn_addr);
        line_table(cx, o, &c, locs, pc / 4);
        if (!(o->nclasses & (o->nclasses - 1))) {      /* full at each power of two */
            WsClass *all = ARENA_ARR(o->arena, WsClass, o->nclasses ? 2 * (size_t)o->nclasses : 1);
            if (o->nclasses) memcpy(all, o->classes, sizeof *all * o->nclasses);
            o->classes = all;
        }
        o->classes[o->nclasses++] = c;
    }
    free(fn_addr);
    free(locs);
    return !e.near_miss;
}

bool be_compile(Diags *d, IrModule *m, const BeOpts *opts, WsObj *o)
{
    BeCtx cx = {.d = d, .m = m, .opts = opts, .arch = &o->arch};
    int before = diags_errors(d);
    size_t ng = (size_t)arrlen(m->globals) + 1;
    cx.place = ws_xmalloc(sizeof *cx.place * ng);
    cx.desc = ws_xmalloc(sizeof *cx.desc * ng);
    arrsetlen(cx.fns, arrlen(m->fns));
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++) cx.fns[i] = NULL;
    uint8_t *w = wanted(&cx);
    bool wild = false;
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++)
        if (w[i]) scan_fn(&cx, m->fns[i], &wild);
    for (size_t i = 0; wild && i + 1 < ng; i++) cx.desc[i].kind = 0xff;
    place_globals(&cx, w);
    compile_all(&cx, w, 0, false);
    uint32_t base = be_align_up(text_bytes(&cx), max_align(&cx));
    if (!cx.failed) {
        compile_all(&cx, w, base < NEAR_LIMIT ? NEAR_LIMIT - base : 0, true);
        if (!cx.failed && diags_errors(d) == before && !finish(&cx, o)) {
            compile_all(&cx, w, 0, false);
            finish(&cx, o);
        }
    }
    drop_functions(&cx);
    arrfree(cx.fns);
    free(w);
    free(cx.place);
    free(cx.desc);
    return !cx.failed && diags_errors(d) == before;
}
