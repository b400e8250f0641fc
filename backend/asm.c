/* The assembler: text to object.  Two passes over the same statements: the first finds how long the sections are and
 * where labels lie, the second makes bytes and records.  A statement has the same length in both, because what decides
 * its length (numbers, .equ names) is known in both.  Sections: .text from 0, then .data, then .bss, 16-byte aligned. */
#include "asm_int.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- classes, sections, labels */
Cls *as_open_class(As *s, const char *name)
{
    for (ptrdiff_t i = 0; i < arrlen(s->classes); i++)
        if (strcmp(s->classes[i].name, name) == 0) {
            s->cls = (int)i;
            return &s->classes[i];
        }
    Cls c = {.name = arena_strdup(s->a, name)};
    arrput(s->classes, c);
    s->cls = (int)arrlen(s->classes) - 1;
    return &s->classes[s->cls];
}

Cls *as_cls(As *s) { return s->cls >= 0 ? &s->classes[s->cls] : as_open_class(s, "main"); }

uint32_t as_pc(As *s)
{
    const Section *x = &as_cls(s)->sec[s->cur];
    return x->base + x->len;
}

Label *as_label(As *s, const char *name)
{
    Cls *c = as_cls(s);
    ptrdiff_t i = shgeti(c->by_name, name);
    return i < 0 ? NULL : &c->labels[c->by_name[i].value];
}

bool as_undefined(As *s, const char *from, const char *name)
{
    const Cls *c = as_cls(s);
    const char **names = NULL;
    for (ptrdiff_t i = 0; i < arrlen(c->labels); i++) arrput(names, c->labels[i].name);
    const char *near = near_names(s->a, name, names, (size_t)arrlen(names));
    LD_DIAG(s->d, as_undefined, as_loc(s, from), d_str(name), d_str(c->name), d_str(near));
    arrfree(names);
    return false;
}

static bool define(As *s, const char *from, const char *name)
{
    Cls *c = as_cls(s);
    Section *x = &c->sec[s->cur];
    if (s->pass == 2) return true;
    if (shgeti(c->by_name, name) >= 0 || shgeti(s->equs, name) >= 0) {
        LD_DIAG(s->d, as_twice, as_loc(s, from), d_str(name));
        return false;
    }
    if (x->open && c->labels[x->open - 1].off != x->len) x->open = 0;
    Label l = {.name = name, .sec = s->cur, .off = x->len, .type = s->cur == SEC_TEXT ? WT_FUNC : WT_NONE, .local = strncmp(name, ".L", 2) == 0};
    if (!l.local) l.next_open = x->open;
    arrput(c->labels, l);
    if (!l.local) x->open = (int)arrlen(c->labels);
    shput(c->by_name, (char *)name, (int)arrlen(c->labels) - 1);
    return true;
}

/* Labels that wait for what follows them: their symbols grow by what was emitted. */
static void grow_open(Cls *c, const Section *x, WsType type)
{
    for (int i = x->open; i; i = c->labels[i - 1].next_open) {
        Label *l = &c->labels[i - 1];
        l->size = x->len - l->off;
        if (l->type == WT_NONE) l->type = type;
    }
}

static const char *const sec_names[] = {".text", ".data", ".bss"};

/* bytes NULL: n zero bytes; type WT_NONE: padding */
bool as_emit(As *s, const void *bytes, uint32_t n, WsType type)
{
    Cls *c = as_cls(s);
    Section *x = &c->sec[s->cur];
    if (n > SEC_LIMIT - x->len) {
        LD_DIAG(s->d, as_range, as_loc(s, s->line), d_str(arena_printf(s->a, "the size of %s", sec_names[s->cur])), d_int(0), d_int(SEC_LIMIT));
        return false;
    }
    if (s->pass == 2 && s->cur != SEC_BSS) {
        static const uint8_t zero[256];
        for (uint32_t i = 0; !bytes && i < n; i += sizeof zero) buf_add(&x->bytes, zero, n - i < sizeof zero ? n - i : sizeof zero);
        if (bytes) buf_add(&x->bytes, bytes, n);
    }
    x->len += n;
    if (type != WT_NONE && s->pass == 1) grow_open(c, x, type);
    return true;
}

/* ---- lines of the source, for the object's line table */
uint16_t as_file_index(As *s, const char *name)
{
    for (ptrdiff_t i = 0; i < arrlen(s->files); i++)
        if (strcmp(s->files[i], name) == 0) return (uint16_t)(i + 1);
    arrput(s->files, name);
    return (uint16_t)arrlen(s->files);
}

void as_add_line(As *s, const char *file, uint32_t line)
{
    Cls *c = as_cls(s);
    if (s->pass == 1) return;
    WsLine l = {(uint16_t)as_pc(s), as_file_index(s, file), line};
    ptrdiff_t n = arrlen(c->lines);
    if (n && c->lines[n - 1].addr == l.addr) c->lines[n - 1] = l;
    else arrput(c->lines, l);
}

/* ---- statements */
static bool statement(As *s)
{
    const char *p;
    size_t n;
    for (;;) {                                          /* labels, then at most one statement */
        if (as_at_end(s)) return true;
        const char *from = s->p;
        if (!as_ident(s, &p, &n)) return as_expected(s, "a label, an instruction or a directive");
        if (s->p >= s->eol || *s->p != ':') break;
        if (!define(s, from, arena_strndup(s->a, p, n))) return false;
        s->p++;
    }
    bool ok = *p == '.' ? as_directive(s, p, n) : as_instruction(s, p, n);
    if (!ok || as_at_end(s)) return ok;
    const char *from = s->p;
    s->p = s->eol;
    Loc loc = as_loc(s, from);
    LD_DIAG(s->d, as_trailing, loc, d_str(arena_strndup(s->a, from, loc.len)));
    return false;
}

/* End of the statement's text: the line end, or a comment outside quotes. */
static const char *line_end(const char *p, const char *nl)
{
    char quote = 0;
    for (; p < nl; p++) {
        if (quote && *p == '\\') p++;
        else if (quote) quote = *p == quote ? 0 : quote;
        else if (*p == '"' || *p == '\'') quote = *p;
        else if (*p == ';' || (*p == '/' && p + 1 < nl && p[1] == '/')) return p;
    }
    return nl;
}

static void run_pass(As *s, int pass)
{
    s->pass = pass;
    s->cls = -1;
    s->cur = SEC_TEXT;
    s->line_no = 0;
    shfree(s->equs);
    sh_new_strdup(s->equs);
    for (ptrdiff_t i = 0; i < arrlen(s->classes); i++)
        for (int k = 0; k < N_SEC; k++) s->classes[i].sec[k].len = 0;
    for (const char *nl; s->line < s->end && !diags_full(s->d); s->line = nl + 1) {
        nl = memchr(s->line, '\n', (size_t)(s->end - s->line));
        if (!nl) nl = s->end;
        s->line_no++;
        s->p = s->line;
        s->eol = line_end(s->line, nl);
        statement(s);
        if (nl == s->end) break;
    }
    s->line = s->text;
}

/* ---- from the assembler's classes to the object's */
static uint32_t align_up(uint32_t v, uint32_t n) { return (v + n - 1) / n * n; }

static void layout(As *s)
{
    for (ptrdiff_t i = 0; i < arrlen(s->classes); i++) {
        Section *x = s->classes[i].sec;
        x[SEC_DATA].base = align_up(x[SEC_TEXT].len, ALIGN_SEC);
        x[SEC_BSS].base = align_up(x[SEC_DATA].base + x[SEC_DATA].len, ALIGN_SEC);
    }
}

static void fill_class(As *s, const Cls *c, WsClass *out)
{
    const Section *t = &c->sec[SEC_TEXT], *dt = &c->sec[SEC_DATA], *bs = &c->sec[SEC_BSS];
    Arena *a = s->o->arena;
    *out = (WsClass){.name = arena_strdup(a, c->name), .stack_bytes = c->stack_bytes, .uses = c->uses};
    out->text_bytes = t->len;
    out->data_addr = (uint16_t)dt->base, out->data_bytes = dt->len;
    out->bss_addr = (uint16_t)bs->base, out->bss_bytes = bs->len;
    out->syms = ARENA_ARR(a, WsSym, arrlen(c->labels));
    for (ptrdiff_t i = 0; i < arrlen(c->labels); i++) {
        const Label *l = &c->labels[i];
        if (l->local) continue;
        out->syms[out->nsyms++] = (WsSym){arena_strdup(a, l->name), (uint16_t)(c->sec[l->sec].base + l->off), l->size, l->type, l->global, l->sec != SEC_BSS};
    }
}

static void *copy(Arena *a, const void *p, size_t n)
{
    void *q = arena_alloc(a, n);
    if (n) memcpy(q, p, n);
    return q;
}
#define COPY_ARR(a, arr) copy((a), (arr), sizeof *(arr) * (size_t)arrlen(arr))

/* Sizes and symbols: enough for size_check, which must say something before addresses stop meaning anything. */
static void fill_classes(As *s)
{
    WsObj *o = s->o;
    o->nclasses = (uint32_t)arrlen(s->classes);
    o->classes = ARENA_ARR(o->arena, WsClass, o->nclasses);
    for (uint32_t i = 0; i < o->nclasses; i++) fill_class(s, &s->classes[i], &o->classes[i]);
}

static void fill_bytes(As *s)
{
    WsObj *o = s->o;
    for (uint32_t i = 0; i < o->nclasses; i++) {
        const Cls *c = &s->classes[i];
        WsClass *k = &o->classes[i];
        assert(c->sec[SEC_TEXT].bytes.len == c->sec[SEC_TEXT].len && c->sec[SEC_DATA].bytes.len == c->sec[SEC_DATA].len);
        k->text = copy(o->arena, c->sec[SEC_TEXT].bytes.p, k->text_bytes);
        k->data = copy(o->arena, c->sec[SEC_DATA].bytes.p, k->data_bytes);
        k->boot = COPY_ARR(o->arena, c->boot), k->nboot = (uint32_t)arrlen(c->boot);
        k->lines = COPY_ARR(o->arena, c->lines), k->nlines = (uint32_t)arrlen(c->lines);
    }
}

/* Per-PE data must have the size of the symbol on every PE. */
static void fill_pe(As *s)
{
    WsObj *o = s->o;
    o->pe = ARENA_ARR(o->arena, WsPeData, arrlen(s->pe));
    for (ptrdiff_t i = 0; i < arrlen(s->pe); i++) {
        PeData *p = &s->pe[i];
        const WsSym *sym = NULL;
        for (uint32_t k = 0; k < o->nclasses && !sym; k++) sym = cls_sym(&o->classes[k], p->symbol);
        if (!sym) continue;                             /* reported by the directive */
        uint64_t need = (uint64_t)o->w * o->h * sym->size_bytes;
        if (p->bytes.len != need) {
            LD_DIAG(s->d, as_pe_size, p->loc, d_str(p->symbol), d_uint(p->bytes.len), d_uint(o->w), d_uint(o->h), d_uint(sym->size_bytes), d_uint(need));
            continue;
        }
        o->pe[o->npe++] = (WsPeData){arena_strdup(o->arena, p->symbol), sym->size_bytes, copy(o->arena, p->bytes.p, p->bytes.len)};
    }
}

static void fill_object(As *s)
{
    WsObj *o = s->o;
    fill_classes(s);
    fill_bytes(s);
    fill_pe(s);
    if (o->nclasses == 1 && arrlen(s->places) == 0) arrput(s->places, ((WsPlace){0, 0, o->w, o->h, 0}));
    o->places = COPY_ARR(o->arena, s->places), o->nplaces = (uint32_t)arrlen(s->places);
    o->routes = COPY_ARR(o->arena, s->routes), o->nroutes = (uint32_t)arrlen(s->routes);
    o->nfiles = (uint32_t)arrlen(s->files);
    o->files = ARENA_ARR(o->arena, const char *, o->nfiles);
    for (uint32_t i = 0; i < o->nfiles; i++) o->files[i] = arena_strdup(o->arena, s->files[i]);
    const char *why = diags_errors(s->d) ? NULL : obj_check(o);
    if (why) LD_DIAG(s->d, as_unsound, (Loc){0}, d_str(why));
}

static void as_free(As *s)
{
    for (ptrdiff_t i = 0; i < arrlen(s->classes); i++) {
        Cls *c = &s->classes[i];
        for (int k = 0; k < N_SEC; k++) buf_free(&c->sec[k].bytes);
        arrfree(c->labels), arrfree(c->boot), arrfree(c->lines);
        shfree(c->by_name);
    }
    for (ptrdiff_t i = 0; i < arrlen(s->pe); i++) buf_free(&s->pe[i].bytes);
    arrfree(s->classes), arrfree(s->places), arrfree(s->routes), arrfree(s->pe), arrfree(s->files);
    shfree(s->equs);
}

int asm_file(Arena *a, Diags *d, const char *path, const char *text, size_t len, ArchId arch, WsObj **out)
{
    As s = {.a = a, .d = d, .path = path, .text = text, .end = text + len, .line = text};
    int before = diags_errors(d);
    assert(len < UINT32_MAX);
    s.file = diags_add_file(d, path, text, len);
    s.o = obj_new(arch);
    run_pass(&s, 1);
    layout(&s);
    fill_classes(&s);
    if (size_check(d, s.o)) {
        run_pass(&s, 2);
        if (diags_errors(d) == before) fill_object(&s);
    }
    as_free(&s);
    int errors = diags_errors(d) - before;
    *out = errors ? NULL : s.o;
    if (errors) obj_free(s.o);
    return errors;
}

bool asm_one(const char *text, uint32_t pc, uint32_t *word)
{
    Arena *a = arena_new();
    Diags *d = diags_new("asm");
    As s = {.a = a, .d = d, .path = "-", .text = text, .end = text + strlen(text), .line = text, .pass = 2, .cls = -1};
    s.file = diags_add_file(d, "-", text, strlen(text));
    s.o = obj_new(ARCH_WSE3);
    s.p = text;
    s.eol = line_end(text, s.end);
    Section *x = &as_cls(&s)->sec[SEC_TEXT];
    x->base = pc;
    bool ok = statement(&s) && x->bytes.len == 4;
    if (ok) memcpy(word, x->bytes.p, 4);
    as_free(&s);
    obj_free(s.o);
    diags_free(d);
    arena_free(a);
    return ok;
}
