/* ELF64 file to object.  Takes a path and trusts nothing behind it; leaves an object that passed obj_check and
 * points into the mapped file, or one clear line.  Structure is checked here (sizes, offsets, counts, strings), meaning
 * in obj_check.c. */
#include "obj_int.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct { const char *name; const uint8_t *p; uint64_t len; Elf64_Shdr h; bool taken; } Sec;
typedef struct { char *key; uint32_t value; } NameSlot;
typedef struct {
    const char *path;
    WsObj *o;
    char *err;
    Sec *secs;             /* arena of o */
    size_t nsecs;
    NameSlot *by_name;     /* section name -> number */
} Rd;

static bool fail(Rd *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool fail(Rd *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    Buf b = {0};
    buf_printf(&b, "%s: ", r->path);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    free(r->err);
    r->err = b.p;
    return false;
}
#define NOT_OBJ "not a Scheelite object: "

static uint16_t get16(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }
static uint32_t get32(const uint8_t *p) { return get16(p) | (uint32_t)get16(p + 2) << 16; }
static uint64_t get64(const uint8_t *p) { return get32(p) | (uint64_t)get32(p + 4) << 32; }

/* ---- file and headers */
static bool map_file(Rd *r)
{
    WsObj *o = r->o;
    struct stat st;
    int fd = open(r->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail(r, "%s", strerror(errno));
    bool ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (!ok) fail(r, S_ISDIR(st.st_mode) ? "is a folder" : "not a regular file");
    else if (st.st_size == 0) ok = fail(r, NOT_OBJ "the file is empty");
    else {
        /* private and writable: libelf may touch its copy; the file is never changed */
        void *m = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
        if (m == MAP_FAILED) ok = fail(r, "%s", strerror(errno));
        else o->map = m, o->map_len = (size_t)st.st_size;
    }
    close(fd);
    return ok;
}

static bool check_header(Rd *r)
{
    WsObj *o = r->o;
    const uint8_t *m = o->map;
    size_t magic = o->map_len < SELFMAG ? o->map_len : SELFMAG;
    if (memcmp(m, ELFMAG, magic) != 0) return fail(r, NOT_OBJ "not an ELF file");
    if (o->map_len < sizeof(Elf64_Ehdr)) return fail(r, "truncated: %zu bytes, less than an ELF header", o->map_len);
    if (m[EI_CLASS] != ELFCLASS64 || m[EI_DATA] != ELFDATA2LSB) return fail(r, NOT_OBJ "not a 64-bit little-endian ELF file");
    if (get16(m + 18) != WS_OBJ_MACHINE) return fail(r, NOT_OBJ "an ELF file for machine %u", get16(m + 18));
    uint32_t flags = get32(m + 48), version = flags & 0xff, arch = flags >> 8 & 15;
    if (version != WS_OBJ_VERSION) return fail(r, "version %u, this tool reads %d", version, WS_OBJ_VERSION);
    if (arch != ARCH_WSE2 && arch != ARCH_WSE3) return fail(r, NOT_OBJ "architecture %u", arch);
    if (flags >> 13) return fail(r, NOT_OBJ "flags 0x%x", flags);
    if (m[EI_VERSION] != EV_CURRENT || get32(m + 20) != EV_CURRENT || get16(m + 52) != sizeof(Elf64_Ehdr) || get16(m + 58) != sizeof(Elf64_Shdr))
        return fail(r, NOT_OBJ "an ELF header of another form");
    uint64_t shoff = get64(m + 40);
    if (shoff < sizeof(Elf64_Ehdr) || shoff % 8) return fail(r, NOT_OBJ "section headers at offset %llu", (unsigned long long)shoff);
    if (shoff > o->map_len || o->map_len - shoff < sizeof(Elf64_Shdr)) return fail(r, "truncated: the section headers are past the end of the file");
    o->arch = arch_make((ArchId)arch);
    o->image = flags >> 12 & 1;
    return true;
}

/* The string at off of a string table, or NULL. */
static const char *sec_str(const Sec *s, uint64_t off)
{
    if (off >= s->len || !memchr(s->p + off, 0, s->len - off)) return NULL;
    return (const char *)s->p + off;
}

static bool load_section(Rd *r, size_t i)
{
    Elf_Scn *scn = elf_getscn(r->o->elf, i);
    Elf64_Shdr *h = scn ? elf64_getshdr(scn) : NULL;
    if (!h) return fail(r, "truncated: section header %zu is past the end of the file", i);
    Sec *s = &r->secs[i];
    s->h = *h;
    s->len = h->sh_size;
    s->p = (const uint8_t *)"";
    if (i == 0 || h->sh_type == SHT_NOBITS || h->sh_size == 0) return true;
    if (h->sh_type != SHT_PROGBITS && h->sh_type != SHT_STRTAB && h->sh_type != SHT_SYMTAB) return fail(r, NOT_OBJ "section %zu of type %u", i, h->sh_type);
    if (h->sh_flags & SHF_COMPRESSED) return fail(r, NOT_OBJ "section %zu is compressed", i);
    if (h->sh_offset > r->o->map_len || h->sh_size > r->o->map_len - h->sh_offset)
        return fail(r, "truncated: section %zu (%llu bytes at %llu) reaches past the end of the file", i, (unsigned long long)h->sh_size,
                    (unsigned long long)h->sh_offset);
    s->p = (const uint8_t *)r->o->map + h->sh_offset;
    return true;
}

static bool load_sections(Rd *r)
{
    WsObj *o = r->o;
    size_t shstr;
    if (elf_version(EV_CURRENT) == EV_NONE) return fail(r, "libelf is too old");
    o->elf = elf_memory(o->map, o->map_len);
    if (!o->elf || elf_kind(o->elf) != ELF_K_ELF || elf_getshdrnum(o->elf, &r->nsecs) || elf_getshdrstrndx(o->elf, &shstr))
        return fail(r, NOT_OBJ "%s", elf_errmsg(-1) ? elf_errmsg(-1) : "no section headers");
    if (r->nsecs > (o->map_len - get64((uint8_t *)o->map + 40)) / sizeof(Elf64_Shdr)) return fail(r, "truncated: %zu section headers do not fit the file", r->nsecs);
    if (shstr == 0 || shstr >= r->nsecs) return fail(r, NOT_OBJ "no section names");
    r->secs = ARENA_ARR(o->arena, Sec, r->nsecs);
    for (size_t i = 0; i < r->nsecs; i++)
        if (!load_section(r, i)) return false;
    if (r->secs[shstr].h.sh_type != SHT_STRTAB) return fail(r, NOT_OBJ "no section names");
    for (size_t i = 1; i < r->nsecs; i++) {
        Sec *s = &r->secs[i];
        s->name = sec_str(&r->secs[shstr], s->h.sh_name);
        if (!s->name) return fail(r, NOT_OBJ "section %zu has a name outside the table", i);
        if (shgeti(r->by_name, s->name) >= 0) return fail(r, NOT_OBJ "section %s twice", s->name);
        shput(r->by_name, (char *)s->name, (uint32_t)i);
    }
    r->secs[shstr].taken = true;
    return true;
}

/* ---- sections by name */
static Sec *find(Rd *r, const char *pre, const char *name)
{
    Buf b = {0};
    buf_printf(&b, "%s%s", pre, name);
    ptrdiff_t i = shgeti(r->by_name, b.p);
    buf_free(&b);
    return i < 0 ? NULL : &r->secs[r->by_name[i].value];
}

/* The section, marked as known, of type type and whole records of `record` bytes (count in *n); an absent one has zero. */
static bool take(Rd *r, const char *pre, const char *name, uint32_t type, uint32_t record, const uint8_t **p, uint32_t *n, uint64_t *addr)
{
    Sec *s = find(r, pre, name);
    *p = (const uint8_t *)"";
    *n = 0;
    if (addr) *addr = 0;
    if (!s) return true;
    s->taken = true;
    if (s->h.sh_type != type) return fail(r, NOT_OBJ "section %s of type %u", s->name, s->h.sh_type);
    if (s->len % record || s->len / record > UINT32_MAX / 64) return fail(r, NOT_OBJ "section %s has %llu bytes", s->name, (unsigned long long)s->len);
    *p = s->p;
    *n = (uint32_t)(s->len / record);
    if (addr) *addr = s->h.sh_addr;
    return true;
}

/* a section of texts, each with its 0 */
static bool read_texts(Rd *r, const char *section, const char ***out, uint32_t *count)
{
    const uint8_t *p;
    uint32_t n;
    WsObj *o = r->o;
    if (!take(r, "", section, SHT_PROGBITS, 1, &p, &n, NULL)) return false;
    if (n && p[n - 1]) return fail(r, NOT_OBJ "section %s does not end a name", section);
    for (uint32_t i = 0; i < n; i++) *count += p[i] == 0;
    *out = ARENA_ARR(o->arena, const char *, *count);
    for (uint32_t i = 0, at = 0; i < *count; i++) {
        (*out)[i] = (const char *)p + at;
        at += (uint32_t)strlen((*out)[i]) + 1;
    }
    return true;
}

static bool read_files(Rd *r)
{
    return read_texts(r, ".w.files", &r->o->files, &r->o->nfiles) && read_texts(r, ".w.host", &r->o->host, &r->o->nhost);
}

static bool read_rects(Rd *r)
{
    const uint8_t *p;
    WsObj *o = r->o;
    if (!take(r, "", ".w.place", SHT_PROGBITS, PLACE_BYTES, &p, &o->nplaces, NULL)) return false;
    o->places = ARENA_ARR(o->arena, WsPlace, o->nplaces);
    for (uint32_t i = 0; i < o->nplaces; i++, p += PLACE_BYTES)
        o->places[i] = (WsPlace){get16(p), get16(p + 2), get16(p + 4), get16(p + 6), get32(p + 8)};
    if (!take(r, "", ".w.route", SHT_PROGBITS, ROUTE_BYTES, &p, &o->nroutes, NULL)) return false;
    o->routes = ARENA_ARR(o->arena, WsRoute, o->nroutes);
    for (uint32_t i = 0; i < o->nroutes; i++, p += ROUTE_BYTES) {
        o->routes[i] = (WsRoute){get16(p), get16(p + 2), get16(p + 4), get16(p + 6), p[8], get16(p + 10), p[9], get16(p + 12),
                                 {p[14], p[15], get16(p + 16), get16(p + 18), get16(p + 20), get16(p + 22)}};
    }
    return true;
}

/* ---- classes */
static bool read_memory(Rd *r, WsClass *c)
{
    uint64_t ta, da, ba;
    const uint8_t *none;
    if (!take(r, ".text.", c->name, SHT_PROGBITS, 1, &c->text, &c->text_bytes, &ta)) return false;
    if (!take(r, ".data.", c->name, SHT_PROGBITS, 1, &c->data, &c->data_bytes, &da)) return false;
    if (!take(r, ".bss.", c->name, SHT_NOBITS, 1, &none, &c->bss_bytes, &ba)) return false;
    if (ta > 0xffff || da > 0xffff || ba > 0xffff) return fail(r, NOT_OBJ "class %s has an address past 16 bits", c->name);
    c->text_addr = (uint16_t)ta, c->data_addr = (uint16_t)da, c->bss_addr = (uint16_t)ba;
    return true;
}

static bool read_tables(Rd *r, WsClass *c)
{
    const uint8_t *p;
    if (!take(r, ".w.boot.", c->name, SHT_PROGBITS, BOOT_BYTES, &p, &c->nboot, NULL)) return false;
    c->boot = ARENA_ARR(r->o->arena, WsBoot, c->nboot);
    for (uint32_t i = 0; i < c->nboot; i++, p += BOOT_BYTES) {
        c->boot[i] = (WsBoot){(BootKind)p[0], p[1], p[2], p[3], get16(p + 4), get16(p + 6)};
    }
    if (!take(r, ".w.line.", c->name, SHT_PROGBITS, LINE_BYTES, &p, &c->nlines, NULL)) return false;
    c->lines = ARENA_ARR(r->o->arena, WsLine, c->nlines);
    for (uint32_t i = 0; i < c->nlines; i++, p += LINE_BYTES) c->lines[i] = (WsLine){get16(p), get16(p + 2), get32(p + 4)};
    return true;
}

static bool read_classes(Rd *r)
{
    WsObj *o = r->o;
    Sec *info = find(r, "", ".w.info");
    if (!info || info->h.sh_type != SHT_PROGBITS || info->len < 8) return fail(r, NOT_OBJ "no section .w.info");
    info->taken = true;
    o->w = get16(info->p), o->h = get16(info->p + 2), o->nclasses = get32(info->p + 4);
    if (info->len != 8 + CLASS_BYTES * (uint64_t)o->nclasses) return fail(r, NOT_OBJ "%u classes in a section .w.info of %llu bytes", o->nclasses, (unsigned long long)info->len);
    o->classes = ARENA_ARR(o->arena, WsClass, o->nclasses);
    uint32_t n = 0;
    for (size_t i = 1; i < r->nsecs; i++) {
        if (strncmp(r->secs[i].name, ".text.", 6) != 0) continue;
        if (n == o->nclasses) return fail(r, NOT_OBJ "more classes than the %u announced", n);
        WsClass *c = &o->classes[n];
        c->name = r->secs[i].name + 6;
        c->stack_bytes = get32(info->p + 8 + CLASS_BYTES * (size_t)n);
        c->uses = get32(info->p + 12 + CLASS_BYTES * (size_t)n++);
        if (!read_memory(r, c) || !read_tables(r, c)) return false;
    }
    return n == o->nclasses || fail(r, NOT_OBJ "%u classes, %u announced", n, o->nclasses);
}

/* ---- symbols */
enum { SYM_BYTES = 24 };

static bool read_sym(Rd *r, const uint8_t *p, const Sec *str, WsSym *s)
{
    uint64_t value = get64(p + 8), size = get64(p + 16);
    int other = p[5];
    s->name = sec_str(str, get32(p));
    if (!s->name) return fail(r, NOT_OBJ "a symbol has a name outside the table");
    if (value > 0xffff || size > 0x10000) return fail(r, NOT_OBJ "symbol %s is outside memory", s->name);
    if ((other & OTHER_ZERO) || (other & 1)) return fail(r, NOT_OBJ "symbol %s has attributes 0x%x", s->name, other);
    *s = (WsSym){s->name, (uint16_t)value, (uint32_t)size, (WsType)(other >> OTHER_TYPE_SHIFT & 15), !(other & 3), other & OTHER_SET};
    return true;
}

/* Class of the file symbol at p: they come in the order of the classes. */
static bool file_sym(Rd *r, const uint8_t *p, const Sec *str, uint32_t n)
{
    const char *name = sec_str(str, get32(p));
    if (n >= r->o->nclasses || !name || strcmp(name, r->o->classes[n].name) != 0) return fail(r, NOT_OBJ "the symbol table does not follow the classes");
    return true;
}

static bool read_symbols(Rd *r)
{
    WsObj *o = r->o;
    const uint8_t *p;
    uint32_t n, cls = 0;
    if (!take(r, "", ".symtab", SHT_SYMTAB, SYM_BYTES, &p, &n, NULL)) return false;
    Sec *tab = find(r, "", ".symtab"), *str = find(r, "", ".strtab");
    if (!tab || !str || str->h.sh_type != SHT_STRTAB || n < 1) return fail(r, NOT_OBJ "no symbol table");
    str->taken = true;
    for (uint32_t i = 1, k; i < n; i = k) {
        const uint8_t *q = p + (size_t)i * SYM_BYTES;
        if ((q[4] & 15) != STT_FILE || !file_sym(r, q, str, cls)) return fail(r, NOT_OBJ "the symbol table does not follow the classes");
        for (k = i + 1; k < n && (p[(size_t)k * SYM_BYTES + 4] & 15) != STT_FILE; k++) { }
        WsClass *c = &o->classes[cls++];
        c->nsyms = k - i - 1;
        c->syms = ARENA_ARR(o->arena, WsSym, c->nsyms);
        for (uint32_t j = 0; j < c->nsyms; j++)
            if (!read_sym(r, q + (size_t)(j + 1) * SYM_BYTES, str, &c->syms[j])) return false;
    }
    return cls == o->nclasses || fail(r, NOT_OBJ "symbols of %u classes, %u announced", cls, o->nclasses);
}

/* ---- per-PE data: what is left */
static bool read_pe(Rd *r)
{
    WsObj *o = r->o;
    uint64_t pes = (uint64_t)o->w * o->h;
    if (!pes) return fail(r, NOT_OBJ "a rectangle of %u x %u PEs", o->w, o->h);
    for (size_t i = 1; i < r->nsecs; i++) o->npe += !r->secs[i].taken;
    o->pe = ARENA_ARR(o->arena, WsPeData, o->npe);
    o->npe = 0;
    for (size_t i = 1; i < r->nsecs; i++) {
        const Sec *s = &r->secs[i];
        if (s->taken) continue;
        if (strncmp(s->name, ".w.pe.", 6) != 0 || s->h.sh_type != SHT_PROGBITS) return fail(r, NOT_OBJ "unknown section %s", s->name);
        if (s->len % pes || s->len / pes > 0x10000) return fail(r, NOT_OBJ "section %s has %llu bytes", s->name, (unsigned long long)s->len);
        o->pe[o->npe++] = (WsPeData){s->name + 6, (uint32_t)(s->len / pes), s->p};
    }
    return true;
}

static bool read_all(Rd *r)
{
    if (!map_file(r) || !check_header(r) || !load_sections(r)) return false;
    if (!read_classes(r) || !read_files(r) || !read_rects(r) || !read_symbols(r) || !read_pe(r)) return false;
    const char *why = obj_check(r->o);
    return !why || fail(r, NOT_OBJ "%s", why);
}

WsObj *obj_read(const char *path, char **err)
{
    Rd r = {.path = path, .o = obj_new(ARCH_WSE3)};
    bool ok = read_all(&r);
    shfree(r.by_name);
    if (ok) return r.o;
    assert(r.err);
    obj_free(r.o);
    *err = r.err;
    return NULL;
}
