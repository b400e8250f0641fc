/* Filling symbols: wsld --set and --set-value.
 * A symbol may exist in some classes only, at another address in each; it has one size.  Filling zeroed data turns a
 * class's .bss into .data. */
#include "link.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the symbol over all classes */
typedef struct { const WsSym *sym; const WsClass *cls; } Found;

static bool in_span(const WsSym *s, uint32_t addr, uint32_t n) { return s->addr >= addr && s->addr + s->size_bytes <= addr + n; }
static bool is_data(const WsClass *c, const WsSym *s)
{
    return s->size_bytes && (in_span(s, c->data_addr, c->data_bytes) || in_span(s, c->bss_addr, c->bss_bytes));
}

static bool no_symbol(Diags *d, const WsObj *o, const char *symbol)
{
    const char **names = NULL;
    Arena *a = arena_new();
    for (uint32_t i = 0; i < o->nclasses; i++)
        for (uint32_t k = 0; k < o->classes[i].nsyms; k++)
            if (is_data(&o->classes[i], &o->classes[i].syms[k])) arrput(names, o->classes[i].syms[k].name);
    LD_DIAG(d, ld_no_symbol, (Loc){0}, d_str(symbol), d_str(near_names(a, symbol, names, (size_t)arrlen(names))));
    arrfree(names);
    arena_free(a);
    return false;
}

/* One class that has the symbol, after checking that all that have it agree and that it is data. */
static bool find(Diags *d, const WsObj *o, const char *symbol, Found *f)
{
    *f = (Found){0};
    for (uint32_t i = 0; i < o->nclasses; i++) {
        const WsClass *c = &o->classes[i];
        const WsSym *s = cls_sym(c, symbol);
        if (!s) continue;
        if (!is_data(c, s)) {
            const char *what = s->size_bytes ? "code" : "empty";
            LD_DIAG(d, ld_not_data, (Loc){0}, d_str(symbol), d_str(what));
            return false;
        }
        if (f->sym && f->sym->size_bytes != s->size_bytes) {
            LD_DIAG(d, ld_sizes_differ, (Loc){0}, d_str(symbol), d_uint(f->sym->size_bytes), d_str(f->cls->name), d_uint(s->size_bytes), d_str(c->name));
            return false;
        }
        if (!f->sym) *f = (Found){s, c};
    }
    return f->sym || no_symbol(d, o, symbol);
}

/* ---- common values */
/* Make .data reach over .bss, so that all of it can hold values. */
static bool bss_to_data(WsObj *o, WsClass *c)
{
    uint32_t lo = c->data_bytes && c->data_addr < c->bss_addr ? c->data_addr : c->bss_addr;
    uint32_t end = c->bss_addr + c->bss_bytes, data_end = c->data_addr + c->data_bytes;
    if (c->data_bytes && data_end > end) end = data_end;
    if (c->text_bytes && c->text_addr < end && lo < c->text_addr + c->text_bytes) return false;
    uint8_t *p = arena_alloc(o->arena, end - lo);
    if (c->data_bytes) memcpy(p + (c->data_addr - lo), c->data, c->data_bytes);
    c->data = p;
    c->data_addr = (uint16_t)lo;
    c->data_bytes = end - lo;
    c->bss_addr = (uint16_t)end;
    c->bss_bytes = 0;
    return true;
}

static void drop_pe(WsObj *o, const char *symbol)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->npe; i++)
        if (strcmp(o->pe[i].symbol, symbol) != 0) o->pe[n++] = o->pe[i];
    o->npe = n;
}

static bool set_common(Diags *d, WsObj *o, const char *symbol, const uint8_t *bytes)
{
    drop_pe(o, symbol);
    for (uint32_t i = 0; i < o->nclasses; i++) {
        WsClass *c = &o->classes[i];
        WsSym *s = (WsSym *)cls_sym(c, symbol);
        if (!s) continue;
        if (!in_span(s, c->data_addr, c->data_bytes) && !bss_to_data(o, c)) {
            LD_DIAG(d, ld_not_data, (Loc){0}, d_str(symbol), d_str("zeroed data behind the code, which has to stay zero"));
            return false;
        }
        assert(in_span(s, c->data_addr, c->data_bytes));
        memcpy((uint8_t *)c->data + (s->addr - c->data_addr), bytes, s->size_bytes);   /* private mapping, or arena */
        s->set = true;
    }
    return true;
}

/* ---- values per PE; kept in the order of names, whatever the order of the options */
static void set_per_pe(WsObj *o, const char *symbol, uint32_t bytes_per_pe, const uint8_t *bytes)
{
    drop_pe(o, symbol);
    WsPeData *v = ARENA_ARR(o->arena, WsPeData, o->npe + 1);
    uint32_t at = 0;
    while (at < o->npe && strcmp(o->pe[at].symbol, symbol) < 0) at++;
    if (at) memcpy(v, o->pe, at * sizeof *v);
    v[at] = (WsPeData){arena_strdup(o->arena, symbol), bytes_per_pe, bytes};
    if (at < o->npe) memcpy(v + at + 1, o->pe + at, (o->npe - at) * sizeof *v);
    o->pe = v;
    o->npe++;
    for (uint32_t i = 0; i < o->nclasses; i++) {
        WsSym *s = (WsSym *)cls_sym(&o->classes[i], symbol);
        if (s) s->set = true;
    }
}

/* ---- from a file */
/* Map a file for reading; NULL and errno.  An empty file gives a pointer and *len 0. */
static const uint8_t *map_file(const char *path, uint64_t *len)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return NULL;
    const uint8_t *p = NULL;
    int e = EINVAL;
    if (fstat(fd, &st) == 0) {
        *len = (uint64_t)st.st_size;
        if (S_ISDIR(st.st_mode)) e = EISDIR;
        else if (S_ISREG(st.st_mode) && st.st_size == 0) p = (const uint8_t *)"";
        else if (S_ISREG(st.st_mode)) {
            void *m = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
            if (m != MAP_FAILED) p = m;
            else e = errno;
        }
    }
    close(fd);
    errno = e;
    return p;
}

bool ld_set_file(Diags *d, WsObj *o, const char *symbol, const char *path)
{
    Found f;
    uint64_t len;
    if (!find(d, o, symbol, &f)) return false;
    const uint8_t *bytes = map_file(path, &len);
    if (!bytes) {
        LD_DIAG(d, ld_file, (Loc){0}, d_str(path), d_str(errno == EINVAL ? "not a regular file" : strerror(errno)));
        return false;
    }
    uint64_t one = f.sym->size_bytes, all = one * o->w * o->h;
    if (len == one) return set_common(d, o, symbol, bytes);
    if (len == all) {
        set_per_pe(o, symbol, f.sym->size_bytes, bytes);
        return true;
    }
    LD_DIAG(d, ld_size, (Loc){0}, d_str(path), d_uint(len), d_str(symbol), d_uint(one), d_uint(all), d_uint(o->w), d_uint(o->h));
    return false;
}

/* ---- from text */
static bool parse_int(const char *t, int bytes, uint64_t *v)
{
    char *end;
    errno = 0;
    long long i = strtoll(t, &end, 0);
    int bits = 8 * bytes;
    if (end == t || *end || errno) return false;
    *v = (uint64_t)i;
    return i >= -(1ll << (bits - 1)) && i < 1ll << bits;
}

static bool parse_value(const char *t, WsType type, uint64_t *v)
{
    char *end;
    double x = strtod(t, &end);
    bool number = end != t && !*end;
    float f = (float)x;
    uint32_t u;
    switch (type) {
    case WT_F32:
        memcpy(&u, &f, 4);
        *v = f != f ? 0x7fc00000u : u;
        return number;
    case WT_F16: *v = f64_to_f16(x); return number;
    case WT_BOOL:
        *v = strcmp(t, "true") == 0;
        return *v || strcmp(t, "false") == 0 || (parse_int(t, 1, v) && *v <= 1);
    case WT_I8: case WT_U8: case WT_I16: case WT_U16: case WT_I32: case WT_U32: case WT_PTR: case WT_BYTES:
        return parse_int(t, ws_type_bytes(type), v);
    default: return false;
    }
}

/* The values as bytes in o's arena; false after a report. */
static bool parse_values(Diags *d, WsObj *o, const WsSym *s, const char *values, Buf *out)
{
    Arena *a = o->arena;
    for (const char *p = values, *e;; p = e + 1) {
        while (*p == ' ') p++;
        e = strchr(p, ',');
        size_t n = e ? (size_t)(e - p) : strlen(p);
        while (n && p[n - 1] == ' ') n--;
        const char *t = arena_strndup(a, p, n);
        uint64_t v;
        if (!parse_value(t, s->type, &v)) {
            LD_DIAG(d, ld_value, (Loc){0}, d_str(t), d_str(ws_type_name(s->type)));
            return false;
        }
        for (int i = 0; i < ws_type_bytes(s->type); i++) buf_add(out, &(uint8_t){(uint8_t)(v >> 8 * i)}, 1);
        if (!e) return true;
    }
}

bool ld_set_values(Diags *d, WsObj *o, const char *symbol, const char *values)
{
    Found f;
    Buf b = {0};
    if (!find(d, o, symbol, &f)) return false;
    bool ok = parse_values(d, o, f.sym, values, &b);
    uint64_t one = f.sym->size_bytes, all = one * o->w * o->h;
    uint32_t elem = (uint32_t)ws_type_bytes(f.sym->type);
    if (ok && b.len == one) ok = set_common(d, o, symbol, (uint8_t *)b.p);
    else if (ok && b.len == all) {
        uint8_t *p = arena_alloc(o->arena, b.len);
        memcpy(p, b.p, b.len);
        set_per_pe(o, symbol, f.sym->size_bytes, p);
    } else if (ok) {
        LD_DIAG(d, ld_count, (Loc){0}, d_str(symbol), d_uint(one / elem), d_str(ws_type_name(f.sym->type)), d_uint(b.len / elem));
        ok = false;
    }
    buf_free(&b);
    return ok;
}

/* ---- --list */
void ld_list_unset(const WsObj *o, FILE *out)
{
    struct { char *key; int value; } *done = NULL;
    for (uint32_t i = 0; i < o->nclasses; i++) {
        const WsClass *c = &o->classes[i];
        for (uint32_t k = 0; k < c->nsyms; k++) {
            const WsSym *s = &c->syms[k];
            if (s->set || !s->global || !is_data(c, s) || shgeti(done, s->name) >= 0) continue;
            shput(done, (char *)s->name, 1);
            uint32_t elem = (uint32_t)ws_type_bytes(s->type);
            if (elem && s->size_bytes % elem == 0) fprintf(out, "%-24s %s[%u], ", s->name, ws_type_name(s->type), s->size_bytes / elem);
            else fprintf(out, "%-24s %s, ", s->name, ws_type_name(s->type));
            fprintf(out, "%u bytes; per PE %llu bytes; in", s->size_bytes, (unsigned long long)s->size_bytes * o->w * o->h);
            for (uint32_t m = i; m < o->nclasses; m++)
                if (cls_sym(&o->classes[m], s->name)) fprintf(out, " %s", o->classes[m].name);
            fputc('\n', out);
        }
    }
    shfree(done);
}
