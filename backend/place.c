/* Where globals stand in .data and .bss.
 *
 *   pairs      which two arrays one vector operation reads together, and how their first elements lie to each other
 *   residues   a place modulo BANKS_BYTES for each array of a pair, so that the pairs that count do not meet in a bank
 *   place      offsets: descriptors first (one anchor register reaches them all), then small before large; of equals the one that
 *              fits, and where none does a few bytes are left out; those of a section behind the other data, in their order
 *
 * An operation whose two memory sources begin in banks that are equal mod 4 takes two slots for each group
 * (docs/machine.md, section 5: address bits 1 and 2), so only differences modulo 8 matter, and .data may start anywhere. */
#include "backend/mir.h"
#include <stdlib.h>
#include <string.h>

enum { BANKS_BYTES = 8, DESC_BYTES = 8 };

/* ---- what is known of a value modulo 8: it is  g's address + res  modulo mod; mod 0: not looked at yet, 1: nothing known.
 * g: global + 1, 0 for numbers.  guess: a descriptor says so whose words are patched as the program runs. */
typedef struct { uint32_t g; uint8_t mod, res, guess; } Pos;

static Pos pos_make(uint32_t g, uint32_t mod, uint32_t res)
{
    if (mod > BANKS_BYTES) mod = BANKS_BYTES;
    return mod <= 1 ? (Pos){0, 1, 0, 0} : (Pos){g, (uint8_t)mod, (uint8_t)(res & (mod - 1)), 0};
}

static Pos pos_meet(Pos p, Pos q)
{
    if (!p.mod || !q.mod) return p.mod ? p : q;
    uint32_t mod = p.g != q.g ? 1 : p.mod < q.mod ? p.mod : q.mod;
    while (mod > 1 && ((p.res ^ q.res) & (mod - 1))) mod /= 2;
    Pos r = pos_make(p.g, mod, p.res);
    r.guess = r.mod > 1 && (p.guess | q.guess);
    return r;
}

static Pos pos_add(Pos p, Pos q, bool minus)
{
    if (!p.mod || !q.mod) return (Pos){0};
    if ((p.g && q.g) || (minus && q.g)) return (Pos){0, 1, 0, 0};
    Pos r = pos_make(p.g | q.g, p.mod < q.mod ? p.mod : q.mod, minus ? p.res - q.res : p.res + q.res);
    r.guess = r.mod > 1 && (p.guess | q.guess);
    return r;
}

/* (ra + ma i) (rb + mb j): all but ra rb is a multiple of the lowest bit of the three other products */
static Pos pos_mul(Pos p, Pos q)
{
    if (!p.mod || !q.mod) return (Pos){0};
    if (p.g || q.g) return (Pos){0, 1, 0, 0};
    uint32_t other = (uint32_t)(p.res * q.mod | q.res * p.mod | p.mod * q.mod);
    return pos_make(0, other & -other, p.res * q.res);
}

/* ---- descriptors */
/* The array of the descriptor at offset off of a global: what it is at first. */
static Pos desc_pos(const BeCtx *cx, const uint8_t *stored, IrSym sym, int64_t off)
{
    if (!sym.i || ir_sym_is_fn(sym) || cx->desc[sym.i - 1].kind == 0xff) return (Pos){0, 1, 0, 0};
    const IrGlobal *g = ir_global(cx->m, sym);
    for (ptrdiff_t i = 0; i < arrlen(g->relocs); i++)
        if (g->relocs[i].off == (uint32_t)off && !ir_sym_is_fn(g->relocs[i].sym)) {
            Pos p = pos_make(g->relocs[i].sym.i, BANKS_BYTES, (uint32_t)g->relocs[i].add);
            p.guess = stored[sym.i - 1];
            return p;
        }
    return (Pos){0, 1, 0, 0};
}

/* args of a load or dsr.load: the pointer's global and offset */
static Pos desc_at(const BeCtx *cx, const uint8_t *stored, IrFn *f, IrRef p, int64_t off)
{
    int64_t c;
    for (;;) {
        const IrIns *in = ir_ins(f, p);
        if (in->op == IR_GADDR) return desc_pos(cx, stored, in->sym, in->imm + off);
        if (in->op != IR_ADD || !is_const(f, in->args[1], &c)) return (Pos){0, 1, 0, 0};
        off += c;
        p = in->args[0];
    }
}

/* One value from those it is made of; a dsd stands for its base address. */
static Pos value_pos(const BeCtx *cx, const uint8_t *stored, IrFn *f, const IrIns *in, const Pos *at)
{
    Pos p = {0};
    int64_t c;
    switch (in->op) {
    case IR_CONST: return in->type == T_DSD ? (Pos){0, 1, 0, 0} : pos_make(0, BANKS_BYTES, (uint32_t)in->imm);
    case IR_GADDR: return pos_make(in->sym.i, ir_sym_is_fn(in->sym) ? 1 : BANKS_BYTES, (uint32_t)in->imm);
    case IR_ADD: case IR_DSDOFF: return pos_add(at[in->args[0].i], at[in->args[1].i], false);
    case IR_SUB: return pos_add(at[in->args[0].i], at[in->args[1].i], true);
    case IR_MUL: return pos_mul(at[in->args[0].i], at[in->args[1].i]);
    case IR_SHL:
        if (!is_const(f, in->args[1], &c) || c < 0 || c > 15) return (Pos){0, 1, 0, 0};
        return pos_mul(at[in->args[0].i], pos_make(0, BANKS_BYTES, 1u << c));
    case IR_TRUNC: case IR_ZEXT: case IR_SEXT: case IR_BITCAST: case IR_DSDLEN: case IR_DSDSTRIDE:
        if (in->type == T_I1 || ir_ins(f, in->args[0])->type == T_I1) return (Pos){0, 1, 0, 0};
        return at[in->args[0].i];
    case IR_DSDBASE: return at[in->args[1].i];
    case IR_SELECT: return pos_meet(at[in->args[1].i], at[in->args[2].i]);
    case IR_LOAD: return in->type == T_DSD ? desc_at(cx, stored, f, in->args[0], in->imm) : (Pos){0, 1, 0, 0};
    case IR_PHI:
        for (int k = 0; k < in->nargs; k++) p = pos_meet(p, at[in->args[k].i]);
        return p;
    default: return (Pos){0, 1, 0, 0};
    }
}

/* Down from "not looked at" until nothing changes: a value can fall only a few times. */
static Pos *positions(const BeCtx *cx, const uint8_t *stored, IrFn *f, const IrBlk *rpo)
{
    Pos *at = ws_xmalloc(sizeof *at * ((size_t)arrlen(f->ins) + 1));
    for (bool again = true; again;) {
        again = false;
        for (ptrdiff_t b = 0; b < arrlen(rpo); b++)
            for (ptrdiff_t k = 0; k < arrlen(f->blks[rpo[b].i].ins); k++) {
                uint32_t r = f->blks[rpo[b].i].ins[k].i;
                Pos p = pos_meet(at[r], value_pos(cx, stored, f, &f->ins[r], at));
                again |= p.g != at[r].g || p.mod != at[r].mod || p.res != at[r].res || p.guess != at[r].guess;
                at[r] = p;
            }
    }
    return at;
}

/* ---- pairs: a conflict if  place of a - place of b  is diff, modulo 8 */
typedef struct { uint32_t a, b; uint8_t diff; uint64_t weight; } Pair;
enum { KNOWN = 8 };                                      /* what is known counts as much as so many guesses */

static void pair_add(Pair **pairs, Pos p, Pos q, uint64_t weight)
{
    if (p.mod != BANKS_BYTES || q.mod != BANKS_BYTES || !p.g || !q.g || p.g == q.g) return;
    if (!p.guess && !q.guess) weight *= KNOWN;
    Pair n = {p.g - 1, q.g - 1, (uint8_t)((q.res - p.res) & 6), weight};     /* bit 0 of an address does not count */
    if (n.a > n.b) n = (Pair){n.b, n.a, (uint8_t)(-n.diff & 6), weight};
    for (ptrdiff_t i = 0; i < arrlen(*pairs); i++) {
        Pair *o = &(*pairs)[i];
        if (o->a != n.a || o->b != n.b || o->diff != n.diff) continue;
        o->weight += weight;
        return;
    }
    arrput(*pairs, n);
}

/* Every descriptor that a slot is ever loaded with; a few are enough.  A pinned number is one slot for all functions. */
enum { SLOT_MAX = 4 };
typedef struct { Pos p[SLOT_MAX]; int n; } Slot;
typedef struct { const BeCtx *cx; const uint8_t *stored; Slot pinned[PIN_MAX]; Pair *pairs; } Scan;

static void slot_add(Slot *s, Pos p)
{
    if (s->n < SLOT_MAX) s->p[s->n++] = p;
}

static Slot *slot_of(Scan *z, IrFn *f, Slot *slots, IrRef r)
{
    const IrIns *in = ir_ins(f, r);
    return in->op == IR_DSRSLOT && slot_pin(in->imm) >= 0 ? &z->pinned[slot_pin(in->imm)] : &slots[r.i];
}

/* what slots hold, or (pairs) who reads them */
static void scan_ins(Scan *z, IrFn *f, const Pos *at, Slot *slots, const IrIns *in, bool pairs, uint32_t depth)
{
    if (!pairs && in->op == IR_DSRLOAD) slot_add(slot_of(z, f, slots, in->args[0]), desc_at(z->cx, z->stored, f, in->args[1], in->imm));
    if (!pairs && (in->op == IR_DSRLOADV || in->op == IR_DSRBASE)) slot_add(slot_of(z, f, slots, in->args[0]), at[in->args[1].i]);
    if (!pairs || in->op != IR_VOP || in->nargs < 3 || in->imm == 1) return;
    const Slot *x = slot_of(z, f, slots, in->args[1]), *y = slot_of(z, f, slots, in->args[2]);
    for (int i = 0; i < x->n * y->n; i++)
        pair_add(&z->pairs, x->p[i / y->n], y->p[i % y->n], (uint64_t)1 << 3 * (depth < 8 ? depth : 8));
}

static void scan_fn_slots(Scan *z, IrFn *f, bool pairs)
{
    ir_cfg(f);
    IrBlk *rpo = ir_rpo(f);
    Pos *at = positions(z->cx, z->stored, f, rpo);
    Slot *slots = ws_xmalloc(sizeof *slots * ((size_t)arrlen(f->ins) + 1));
    for (int round = 0; round <= pairs; round++)
        for (ptrdiff_t b = 0; b < arrlen(rpo); b++) {
            const IrBlock *k = &f->blks[rpo[b].i];
            for (ptrdiff_t i = 0; i < arrlen(k->ins); i++) scan_ins(z, f, at, slots, ir_ins(f, k->ins[i]), round > 0, k->loop_depth);
        }
    free(slots);
    free(at);
    arrfree(rpo);
}

/* Globals that stores reach by name: a descriptor among them need not stay what its initial value says. */
static uint8_t *stored_globals(const BeCtx *cx, const uint8_t *wanted)
{
    uint8_t *stored = ws_xmalloc((size_t)arrlen(cx->m->globals) + 1);
    for (ptrdiff_t i = 0; i < arrlen(cx->m->fns); i++) {
        IrFn *f = cx->m->fns[i];
        for (ptrdiff_t b = 1; wanted[i] && b < arrlen(f->blks); b++)
            for (ptrdiff_t k = 0; k < arrlen(f->blks[b].ins); k++) {
                const IrIns *in = ir_ins(f, f->blks[b].ins[k]);
                if (in->op != IR_STORE) continue;
                const IrIns *p = ir_ins(f, in->args[0]);
                while (p->op == IR_ADD || p->op == IR_SUB || p->op == IR_BITCAST) p = ir_ins(f, p->args[0]);
                if (p->op == IR_GADDR && !ir_sym_is_fn(p->sym)) stored[p->sym.i - 1] = 1;
            }
    }
    return stored;
}

/* ---- residues */
typedef struct {
    uint8_t paired, residue, step;                       /* step: of the residues that its alignment allows */
    uint32_t set;                                        /* of globals that hang together */
} Spot;

static bool meet_in_bank(const Pair *p, uint32_t place_a, uint32_t place_b) { return ((place_a - place_b) & 6) == p->diff; }

/* of all pairs of global g, if it stood at residue */
static uint64_t cost_at(const Pair *pairs, const Spot *s, uint32_t g, uint32_t residue)
{
    uint64_t cost = 0;
    for (ptrdiff_t i = 0; i < arrlen(pairs); i++) {
        const Pair *p = &pairs[i];
        if (p->a != g && p->b != g) continue;
        if (meet_in_bank(p, p->a == g ? residue : s[p->a].residue, p->b == g ? residue : s[p->b].residue)) cost += p->weight;
    }
    return cost;
}

/* of the pairs between two sets, if all of set b stood shift bytes on */
static uint64_t cost_between(const Pair *pairs, const Spot *s, uint32_t a, uint32_t b, uint32_t shift)
{
    uint64_t cost = 0;
    for (ptrdiff_t i = 0; i < arrlen(pairs); i++) {
        const Pair *p = &pairs[i];
        uint32_t x = s[p->a].set, y = s[p->b].set;
        if (!(x == a && y == b) && !(x == b && y == a)) continue;
        if (meet_in_bank(p, s[p->a].residue + (x == b ? shift : 0), s[p->b].residue + (y == b ? shift : 0))) cost += p->weight;
    }
    return cost;
}

/* Sets a and b become one; the one of finer alignment moves to where it costs least. */
static void join(const Pair *pairs, Spot *s, ptrdiff_t n, uint32_t a, uint32_t b)
{
    uint32_t step[2] = {2, 2}, best = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            if (s[i].set == (k ? b : a) && s[i].step > step[k]) step[k] = s[i].step;
    bool b_moves = step[1] <= step[0];
    uint32_t moves = b_moves ? b : a, stays = b_moves ? a : b;
    uint64_t least = cost_between(pairs, s, stays, moves, 0);
    for (uint32_t shift = step[b_moves]; shift < BANKS_BYTES; shift += step[b_moves]) {
        uint64_t c = cost_between(pairs, s, stays, moves, shift);
        if (c >= least) continue;
        least = c;
        best = shift;
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        if (s[i].set != moves) continue;
        s[i].residue = (uint8_t)((s[i].residue + best) % BANKS_BYTES);
        s[i].set = stays;
    }
}

static int by_weight(const void *a, const void *b)
{
    const Pair *p = a, *q = b;
    if (p->weight != q->weight) return p->weight > q->weight ? -1 : 1;
    return p->a != q->a ? (p->a < q->a ? -1 : 1) : p->b != q->b ? (p->b < q->b ? -1 : 1) : p->diff - q->diff;
}

/* Sets grow together by the pairs that count most; then each array in turn goes where it costs least, until none gains: the cost
 * falls, so this ends. */
static Spot *residues(const BeCtx *cx, Pair *pairs)
{
    ptrdiff_t n = arrlen(cx->m->globals);
    Spot *s = ws_xmalloc(sizeof *s * ((size_t)n + 1));
    for (ptrdiff_t i = 0; i < n; i++) {
        uint32_t align = cx->m->globals[i].align;
        s[i] = (Spot){.set = (uint32_t)i, .step = align >= BANKS_BYTES ? BANKS_BYTES : align > 2 ? (uint8_t)align : 2};
    }
    if (arrlen(pairs)) qsort(pairs, (size_t)arrlen(pairs), sizeof *pairs, by_weight);
    for (ptrdiff_t i = 0; i < arrlen(pairs); i++) {
        Spot *a = &s[pairs[i].a], *b = &s[pairs[i].b];
        a->paired = b->paired = 1;
        if (a->set != b->set) join(pairs, s, n, a->set, b->set);
    }
    for (bool again = true; again;) {
        again = false;
        for (ptrdiff_t i = 0; i < n; i++) {
            if (!s[i].paired) continue;
            uint64_t best = cost_at(pairs, s, (uint32_t)i, s[i].residue);
            for (uint32_t r = s[i].residue % s[i].step; r < BANKS_BYTES; r += s[i].step) {
                uint64_t c = cost_at(pairs, s, (uint32_t)i, r);
                if (c >= best) continue;
                best = c;
                s[i].residue = (uint8_t)r;
                again = true;
            }
        }
    }
    return s;
}

/* ---- place */
typedef struct { Spot *spot; int8_t *shift; uint8_t *set_step; } Banks;      /* by set: what to add to residues, -1 free; its coarsest step */

static Banks banks_make(const BeCtx *cx, const uint8_t *wanted)
{
    size_t n = (size_t)arrlen(cx->m->globals);
    uint8_t *stored = stored_globals(cx, wanted);
    Scan z = {.cx = cx, .stored = stored};
    for (int pairs = 0; pairs < 2; pairs++)              /* first what pinned slots hold anywhere */
        for (ptrdiff_t i = 0; i < arrlen(cx->m->fns); i++)
            if (wanted[i]) scan_fn_slots(&z, cx->m->fns[i], pairs);
    Banks k = {residues(cx, z.pairs), ws_xmalloc(n + 1), ws_xmalloc(n + 1)};
    memset(k.shift, -1, n + 1);
    for (size_t i = 0; i < n; i++)
        if (k.set_step[k.spot[i].set] < k.spot[i].step) k.set_step[k.spot[i].set] = k.spot[i].step;
    free(stored);
    arrfree(z.pairs);
    return k;
}

/* The first place from off on that suits global g.  The first array of a set takes the next place that suits any of the set. */
static uint32_t bank_place(const Banks *k, uint32_t g, uint32_t off, uint32_t align)
{
    const Spot *s = &k->spot[g];
    off = be_align_up(off, align);
    for (uint32_t pad = 0; s->paired && pad < BANKS_BYTES; pad += s->step) {
        uint32_t shift = (off + pad - s->residue) % BANKS_BYTES;
        if (k->shift[s->set] < 0 ? !(shift % k->set_step[s->set]) : shift == (uint32_t)k->shift[s->set]) return off + pad;
    }
    return off;                                          /* odd alignments: any place is right, some are slow */
}

static void bank_taken(Banks *k, uint32_t g, uint32_t off)
{
    const Spot *s = &k->spot[g];
    if (s->paired && k->shift[s->set] < 0) k->shift[s->set] = (int8_t)((off - s->residue) % BANKS_BYTES);
}

static bool is_desc(const IrGlobal *g)
{
    return g->elem_type == WT_DSD || (g->size_bytes == DESC_BYTES && arrlen(g->relocs) == 1 && g->relocs[0].off == 0);
}

/* descriptors, other data, sections, zeros */
enum { PART_DESC, PART_DATA, PART_SECTION, PART_ZERO, N_PARTS };
static int part_of(const IrGlobal *g)
{
    return g->section ? PART_SECTION : !g->init && !arrlen(g->relocs) ? PART_ZERO : is_desc(g) ? PART_DESC : PART_DATA;
}

/* The next global of a part: descriptors in their order; those of sections by section; else a small one before a large one, and of equals the one that leaves the
 * fewest bytes out. */
static ptrdiff_t next_global(const BeCtx *cx, const Banks *banks, const uint8_t *done, int part, uint32_t off)
{
    ptrdiff_t best = -1;
    uint32_t best_at = 0;
    for (ptrdiff_t i = 0; i < arrlen(cx->m->globals); i++) {
        const IrGlobal *g = &cx->m->globals[i];
        if (done[i] || part_of(g) != part || (best >= 0 && part == PART_DESC)) continue;
        if (part == PART_SECTION) {
            if (best < 0 || g->section < cx->m->globals[best].section) best = i;
            continue;
        }
        uint32_t bytes = best < 0 ? UINT32_MAX : cx->m->globals[best].size_bytes;
        if (g->size_bytes > bytes) continue;
        uint32_t at = bank_place(banks, (uint32_t)i, off, g->align);
        if (g->size_bytes == bytes && at >= best_at) continue;
        best = i;
        best_at = at;
    }
    return best;
}

void place_globals(BeCtx *cx, const uint8_t *wanted)
{
    uint32_t off = 0;
    uint8_t *done = ws_xmalloc((size_t)arrlen(cx->m->globals) + 1);
    Banks banks = banks_make(cx, wanted);
    for (int part = 0; part < N_PARTS; part++) {
        for (ptrdiff_t g; (g = next_global(cx, &banks, done, part, off)) >= 0;) {
            done[g] = 1;
            off = bank_place(&banks, (uint32_t)g, off, cx->m->globals[g].align);
            bank_taken(&banks, (uint32_t)g, off);
            cx->place[g] = (DataPlace){off, part == PART_ZERO};
            off += cx->m->globals[g].size_bytes;
        }
        if (part == PART_SECTION) {
            off = be_align_up(off, 2);
            cx->table_off = off;
            off += cx->table_bytes;
            cx->data_bytes = off;
            off = cx->bss_off = be_align_up(off, 4);
        }
    }
    cx->bss_bytes = off - cx->bss_off;
    free(banks.spot);
    free(banks.shift);
    free(banks.set_step);
    free(done);
}
