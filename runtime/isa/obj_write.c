/* Object to ELF64 file, by libelf.  Leaves a file whose bytes depend on the object alone: sections in class order,
 * zero padding, no time, no path of the machine.
 *
 *   [1] .shstrtab [2] .strtab [3] .symtab [4] .w.info [5] .w.files [6] .w.place [7] .w.route
 *   per class  .text.C  .data.C  .bss.C  .w.boot.C  .w.line.C      (absent when empty, but .text.C)
 *   .w.host when there are lines; per symbol with per-PE data  .w.pe.SYMBOL
 *   .w.info: u16 w, u16 h, u32 classes, then u32 stack bytes and u32 uses of each class; all numbers little-endian */
#include "obj_int.h"
#include <assert.h>
#include <errno.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct { char *key; uint32_t value; } StrSlot;
typedef struct {
    const WsObj *o;
    Elf *elf;
    Buf shstr, str, sym, info, files, host, place, route;
    Buf *boot, *line;           /* one a class */
    StrSlot *strmap;
    uint32_t (*shndx)[3];       /* section number of text, data, bss of each class; 0: absent */
    bool failed;
} Wr;

static void put16(Buf *b, uint32_t v) { buf_add(b, (uint8_t[]){(uint8_t)v, (uint8_t)(v >> 8)}, 2); }
static void put32(Buf *b, uint32_t v) { put16(b, v & 0xffff), put16(b, v >> 16); }
static void put64(Buf *b, uint64_t v) { put32(b, (uint32_t)v), put32(b, (uint32_t)(v >> 32)); }
static void put8(Buf *b, int v) { buf_add(b, &(uint8_t){(uint8_t)v}, 1); }

static uint32_t str_add(Buf *b, const char *s)
{
    if (b->len == 0) buf_add(b, "", 1);
    uint32_t at = (uint32_t)b->len;
    buf_add(b, s, strlen(s) + 1);
    return at;
}

static uint32_t str_once(Wr *w, const char *s)
{
    ptrdiff_t i = shgeti(w->strmap, s);
    if (i >= 0) return w->strmap[i].value;
    uint32_t at = str_add(&w->str, s);
    shput(w->strmap, (char *)s, at);
    return at;
}

/* ---- sections */
typedef struct { uint32_t type; uint64_t flags, addr, align, entsize; uint32_t link, info; } Sh;

static uint32_t add_section(Wr *w, const char *pre, const char *name, Sh sh, const void *bytes, size_t len)
{
    Elf_Scn *scn = elf_newscn(w->elf);
    Elf_Data *d = scn ? elf_newdata(scn) : NULL;
    Elf64_Shdr *h = scn ? elf64_getshdr(scn) : NULL;
    if (!d || !h) {
        w->failed = true;
        return 0;
    }
    h->sh_name = (uint32_t)w->shstr.len;
    buf_add(&w->shstr, pre, strlen(pre));
    buf_add(&w->shstr, name, strlen(name) + 1);
    h->sh_type = sh.type;
    h->sh_flags = sh.flags;
    h->sh_addr = sh.addr;
    h->sh_entsize = sh.entsize;
    h->sh_link = sh.link;
    h->sh_info = sh.info;
    d->d_buf = (void *)bytes;
    d->d_size = len;
    d->d_align = sh.align;
    d->d_type = ELF_T_BYTE;
    d->d_version = EV_CURRENT;
    return (uint32_t)elf_ndxscn(scn);
}

static uint32_t add_plain(Wr *w, const char *pre, const char *name, const Buf *b, uint64_t entsize)
{
    return add_section(w, pre, name, (Sh){.type = SHT_PROGBITS, .align = 4, .entsize = entsize}, b->p, b->len);
}

static void add_class(Wr *w, uint32_t i)
{
    const WsClass *c = &w->o->classes[i];
    Sh text = {.type = SHT_PROGBITS, .flags = SHF_ALLOC | SHF_EXECINSTR, .addr = c->text_addr, .align = 4};
    Sh data = {.type = SHT_PROGBITS, .flags = SHF_ALLOC | SHF_WRITE, .addr = c->data_addr, .align = 2};
    Sh bss = {.type = SHT_NOBITS, .flags = SHF_ALLOC | SHF_WRITE, .addr = c->bss_addr, .align = 2};
    w->shndx[i][0] = add_section(w, ".text.", c->name, text, c->text, c->text_bytes);
    if (c->data_bytes) w->shndx[i][1] = add_section(w, ".data.", c->name, data, c->data, c->data_bytes);
    if (c->bss_bytes) w->shndx[i][2] = add_section(w, ".bss.", c->name, bss, NULL, c->bss_bytes);
    if (c->nboot) add_plain(w, ".w.boot.", c->name, &w->boot[i], BOOT_BYTES);
    if (c->nlines) add_plain(w, ".w.line.", c->name, &w->line[i], LINE_BYTES);
}

/* ---- records */
static void make_records(Wr *w)
{
    const WsObj *o = w->o;
    put16(&w->info, o->w), put16(&w->info, o->h), put32(&w->info, o->nclasses);
    for (uint32_t i = 0; i < o->nfiles; i++) buf_add(&w->files, o->files[i], strlen(o->files[i]) + 1);
    for (uint32_t i = 0; i < o->nhost; i++) buf_add(&w->host, o->host[i], strlen(o->host[i]) + 1);
    for (uint32_t i = 0; i < o->nplaces; i++) {
        const WsPlace *p = &o->places[i];
        put16(&w->place, p->x), put16(&w->place, p->y), put16(&w->place, p->w), put16(&w->place, p->h), put32(&w->place, p->cls);
    }
    for (uint32_t i = 0; i < o->nroutes; i++) {
        const WsRoute *r = &o->routes[i];
        put16(&w->route, r->x), put16(&w->route, r->y), put16(&w->route, r->w), put16(&w->route, r->h);
        put8(&w->route, r->color), put8(&w->route, r->rx_more), put16(&w->route, r->slot), put16(&w->route, r->sw);
        put8(&w->route, r->filter.kind), put8(&w->route, r->filter.counts);
        put16(&w->route, r->filter.init), put16(&w->route, r->filter.max), put16(&w->route, r->filter.limit), put16(&w->route, r->filter.limit2);
    }
    for (uint32_t i = 0; i < o->nclasses; i++) {
        const WsClass *c = &o->classes[i];
        put32(&w->info, c->stack_bytes), put32(&w->info, c->uses);
        for (uint32_t k = 0; k < c->nboot; k++) {
            const WsBoot *b = &c->boot[k];
            put8(&w->boot[i], b->kind), put8(&w->boot[i], b->id), put8(&w->boot[i], b->color), put8(&w->boot[i], b->flags);
            put16(&w->boot[i], b->addr), put16(&w->boot[i], b->first);
        }
        for (uint32_t k = 0; k < c->nlines; k++)
            put16(&w->line[i], c->lines[k].addr), put16(&w->line[i], c->lines[k].file), put32(&w->line[i], c->lines[k].line);
    }
}

static void put_sym(Wr *w, uint32_t name, int info, int other, uint32_t shndx, uint64_t value, uint64_t size)
{
    put32(&w->sym, name), put8(&w->sym, info), put8(&w->sym, other), put16(&w->sym, shndx);
    put64(&w->sym, value), put64(&w->sym, size);
}

static uint32_t sym_section(const Wr *w, uint32_t i, const WsSym *s)
{
    const WsClass *c = &w->o->classes[i];
    const uint32_t lo[3] = {c->text_addr, c->data_addr, c->bss_addr}, n[3] = {c->text_bytes, c->data_bytes, c->bss_bytes};
    for (int k = 0; k < 3; k++)
        if (w->shndx[i][k] && s->addr >= lo[k] && s->addr - lo[k] < n[k] + (s->size_bytes == 0))
            return w->shndx[i][k] < SHN_LORESERVE ? w->shndx[i][k] : SHN_ABS;
    return SHN_ABS;
}

static void make_symtab(Wr *w)
{
    put_sym(w, 0, 0, 0, 0, 0, 0);
    for (uint32_t i = 0; i < w->o->nclasses; i++) {
        const WsClass *c = &w->o->classes[i];
        put_sym(w, str_once(w, c->name), ELF64_ST_INFO(STB_LOCAL, STT_FILE), 0, SHN_ABS, 0, 0);
        for (uint32_t k = 0; k < c->nsyms; k++) {
            const WsSym *s = &c->syms[k];
            int type = s->type == WT_FUNC || s->type == WT_TASK ? STT_FUNC : s->type == WT_NONE ? STT_NOTYPE : STT_OBJECT;
            int other = (s->global ? STV_DEFAULT : STV_HIDDEN) | s->type << OTHER_TYPE_SHIFT | (s->set ? OTHER_SET : 0);
            put_sym(w, str_once(w, s->name), ELF64_ST_INFO(STB_LOCAL, type), other, sym_section(w, i, s), s->addr, s->size_bytes);
        }
    }
}

/* The three tables that depend on later sections were added first, empty: give them their bytes now. */
static void fill(Wr *w, uint32_t ndx, const Buf *b)
{
    Elf_Data *d = elf_getdata(elf_getscn(w->elf, ndx), NULL);
    d->d_buf = b->p;
    d->d_size = b->len;
}

static void build(Wr *w)
{
    const WsObj *o = w->o;
    Elf64_Ehdr *eh = elf64_newehdr(w->elf);
    if (!eh) {
        w->failed = true;
        return;
    }
    eh->e_ident[EI_DATA] = ELFDATA2LSB;
    eh->e_type = ET_EXEC;
    eh->e_machine = WS_OBJ_MACHINE;
    eh->e_version = EV_CURRENT;
    eh->e_flags = WS_OBJ_VERSION | (uint32_t)o->arch.id << 8 | (o->image ? 1u << 12 : 0);
    eh->e_shstrndx = 1;
    make_records(w);
    buf_add(&w->shstr, "", 1);
    buf_add(&w->str, "", 1);
    uint32_t shstr = add_section(w, "", ".shstrtab", (Sh){.type = SHT_STRTAB, .align = 1}, NULL, 0);
    uint32_t str = add_section(w, "", ".strtab", (Sh){.type = SHT_STRTAB, .align = 1}, NULL, 0);
    uint32_t nsyms = 1 + o->nclasses;
    for (uint32_t i = 0; i < o->nclasses; i++) nsyms += o->classes[i].nsyms;
    uint32_t sym = add_section(w, "", ".symtab", (Sh){.type = SHT_SYMTAB, .align = 8, .entsize = 24, .link = str, .info = nsyms}, NULL, 0);
    add_plain(w, "", ".w.info", &w->info, 0);
    add_plain(w, "", ".w.files", &w->files, 0);
    add_plain(w, "", ".w.place", &w->place, PLACE_BYTES);
    add_plain(w, "", ".w.route", &w->route, ROUTE_BYTES);
    for (uint32_t i = 0; i < o->nclasses; i++) add_class(w, i);
    if (o->nhost) add_plain(w, "", ".w.host", &w->host, 0);
    for (uint32_t i = 0; i < o->npe; i++) {
        size_t len = (size_t)o->w * o->h * o->pe[i].elem_bytes_per_pe;
        add_section(w, ".w.pe.", o->pe[i].symbol, (Sh){.type = SHT_PROGBITS, .align = 64}, o->pe[i].bytes, len);
    }
    if (w->failed) return;
    assert(shstr == 1);
    make_symtab(w);
    fill(w, shstr, &w->shstr);
    fill(w, str, &w->str);
    fill(w, sym, &w->sym);
}

static void wr_free(Wr *w)
{
    Buf *b[] = {&w->shstr, &w->str, &w->sym, &w->info, &w->files, &w->host, &w->place, &w->route};
    for (size_t i = 0; i < sizeof b / sizeof *b; i++) buf_free(b[i]);
    for (uint32_t i = 0; i < w->o->nclasses; i++) buf_free(&w->boot[i]), buf_free(&w->line[i]);
    free(w->boot);
    free(w->line);
    free(w->shndx);
    shfree(w->strmap);
}

/* Write the ELF file to a regular, empty, readable and writable file.  NULL, or what went wrong. */
static const char *write_elf(const WsObj *o, int fd)
{
    if (elf_version(EV_CURRENT) == EV_NONE) return "libelf is too old";
    Wr w = {.o = o};
    w.boot = ws_xmalloc(sizeof(Buf) * (o->nclasses + 1));
    w.line = ws_xmalloc(sizeof(Buf) * (o->nclasses + 1));
    w.shndx = ws_xmalloc(sizeof *w.shndx * (o->nclasses + 1));
    sh_new_strdup(w.strmap);
    w.elf = elf_begin(fd, ELF_C_WRITE, NULL);
    if (w.elf) {
        elf_fill(0);
        build(&w);
    }
    bool ok = w.elf && !w.failed && elf_update(w.elf, ELF_C_WRITE) >= 0;
    const char *why = ok ? NULL : arena_strdup(o->arena, elf_errmsg(-1) ? elf_errmsg(-1) : "write failed");
    if (w.elf) elf_end(w.elf);
    wr_free(&w);
    return why;
}

/* Standard output or a device: libelf writes at offsets, so by way of a temporary file. */
static const char *write_through(const WsObj *o, FILE *out)
{
    FILE *tmp = tmpfile();
    if (!tmp) return strerror(errno);
    const char *why = write_elf(o, fileno(tmp));
    char chunk[65536];
    size_t n;
    rewind(tmp);
    while (!why && (n = fread(chunk, 1, sizeof chunk, tmp)) > 0)
        if (fwrite(chunk, 1, n, out) != n) why = strerror(errno);
    fclose(tmp);
    return why;
}

int obj_write(const WsObj *o, const char *path, const char **err)
{
    const char *why = obj_check(o);
    if (why) {
        *err = arena_printf(o->arena, "%s: not written: the object is not sound: %s", path, why);
        return -1;
    }
    WsOut *out = ws_out_open(path);
    if (!out) {
        *err = arena_printf(o->arena, "%s: %s", path, strerror(errno));
        return -1;
    }
    struct stat st;
    bool regular = fstat(ws_out_fd(out), &st) == 0 && S_ISREG(st.st_mode) && strcmp(path, "-") != 0;
    why = regular ? write_elf(o, ws_out_fd(out)) : write_through(o, ws_out_file(out));
    if (why) {
        ws_out_abort(out);
    } else if (ws_out_commit(out)) {
        why = strerror(errno);
    }
    if (!why) return 0;
    *err = arena_printf(o->arena, "%s: %s", path, why);
    return -1;
}
