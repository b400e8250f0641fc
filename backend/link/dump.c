/* What is inside an object, as text: summary, disassembly, symbols, boot records, sizes. */
#include "link.h"
#include <stdlib.h>
#include <string.h>

static uint32_t pes_of(const WsObj *o, uint32_t cls)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->nplaces; i++)
        if (o->places[i].cls == cls) n += (uint32_t)o->places[i].w * o->places[i].h;
    return n;
}

static const char *plural(uint32_t n) { return n == 1 ? "" : "s"; }
static uint32_t mem_of(const WsObj *o) { return (uint32_t)AP(&o->arch, mem_bytes); }
static double percent(uint32_t n, uint32_t of) { return of ? 100.0 * n / of : 0; }

/* ---- summary */
static void colors_line(const WsObj *o, FILE *out)
{
    uint32_t mask = 0;
    const char *sep = "";
    for (uint32_t i = 0; i < o->nroutes; i++) mask |= 1u << o->routes[i].color;
    fprintf(out, "colors routed:");
    for (int c = 0; c < N_COLOR; c++)
        if (mask >> c & 1) fprintf(out, "%s %d", sep, c), sep = ",";
    fprintf(out, "%s\n", mask ? "" : " none");
}

void dump_summary(const WsObj *o, const char *path, FILE *out)
{
    fprintf(out, "%s: %s, wse%d, %u x %u PEs, %u class%s\n", path, o->image ? "image" : "object", (int)o->arch.id, o->w, o->h,
            o->nclasses, o->nclasses == 1 ? "" : "es");
    for (uint32_t i = 0; i < o->nclasses; i++) {
        const WsClass *c = &o->classes[i];
        uint32_t n = pes_of(o, i), tasks = 0;
        for (uint32_t k = 0; k < c->nboot; k++) tasks += c->boot[k].kind == BOOT_TASK || c->boot[k].kind == BOOT_CTRL;
        fprintf(out, "class %s: %u PE%s, code %u, data %u, zeroed %u, stack %u bytes (%.1f%% of %u), %u symbol%s, %u task%s\n", c->name, n, plural(n),
                c->text_bytes, c->data_bytes, c->bss_bytes, c->stack_bytes, percent(class_bytes(c), mem_of(o)), mem_of(o),
                c->nsyms, plural(c->nsyms), tasks, plural(tasks));
    }
    colors_line(o, out);
    for (uint32_t i = 0; i < o->npe; i++) fprintf(out, "per-PE data: %s, %u bytes a PE\n", o->pe[i].symbol, o->pe[i].elem_bytes_per_pe);
    for (uint32_t i = 0; i < o->nfiles; i++) fprintf(out, "source: %s\n", o->files[i]);
}

void dump_size(const WsObj *o, FILE *out)
{
    fprintf(out, "%-20s %8s %8s %8s %8s %8s %8s %7s\n", "class", "PEs", "code", "data", "zeroed", "stack", "total", "memory");
    for (uint32_t i = 0; i < o->nclasses; i++) {
        const WsClass *c = &o->classes[i];
        fprintf(out, "%-20s %8u %8u %8u %8u %8u %8u %6.1f%%\n", c->name, pes_of(o, i), c->text_bytes, c->data_bytes, c->bss_bytes, c->stack_bytes,
                class_bytes(c), percent(class_bytes(c), mem_of(o)));
    }
    fprintf(out, "bytes; a PE has %u\n", mem_of(o));
}

/* ---- symbols */
static int by_addr(const void *a, const void *b)
{
    const WsSym *x = *(const WsSym *const *)a, *y = *(const WsSym *const *)b;
    return x->addr != y->addr ? (x->addr < y->addr ? -1 : 1) : strcmp(x->name, y->name);
}

static const WsSym **sorted_syms(const WsClass *c)
{
    const WsSym **v = ws_xmalloc(sizeof *v * (c->nsyms + 1));
    for (uint32_t i = 0; i < c->nsyms; i++) v[i] = &c->syms[i];
    qsort(v, c->nsyms, sizeof *v, by_addr);
    return v;
}

static bool has_pe(const WsObj *o, const char *symbol)
{
    for (uint32_t i = 0; i < o->npe; i++)
        if (strcmp(o->pe[i].symbol, symbol) == 0) return true;
    return false;
}

void dump_symbols(const WsObj *o, FILE *out)
{
    for (uint32_t i = 0; i < o->nclasses; i++) {
        const WsClass *c = &o->classes[i];
        const WsSym **v = sorted_syms(c);
        fprintf(out, "class %s: %u symbol%s\n  address   bytes type  scope  value    name\n", c->name, c->nsyms, plural(c->nsyms));
        for (uint32_t k = 0; k < c->nsyms; k++)
            fprintf(out, "  0x%04x %9u %-5s %-6s %-8s %s\n", v[k]->addr, v[k]->size_bytes, ws_type_name(v[k]->type), v[k]->global ? "export" : "local",
                    has_pe(o, v[k]->name) ? "per PE" : v[k]->set ? "set" : "unset", v[k]->name);
        free(v);
    }
}

/* ---- boot records */
static const char *name_at(const WsClass *c, uint32_t addr)
{
    const WsSym *best = NULL;
    for (uint32_t i = 0; i < c->nsyms; i++)
        if (c->syms[i].addr == addr && (!best || strcmp(c->syms[i].name, best->name) < 0)) best = &c->syms[i];
    return best ? best->name : NULL;
}

static const char *code_name_at(const WsClass *c, uint32_t addr)
{
    return addr >= c->text_addr && addr < c->text_addr + c->text_bytes ? name_at(c, addr) : NULL;
}

static void boot_line(const WsClass *c, const WsBoot *b, FILE *out)
{
    const char *name = code_name_at(c, b->addr);
    char color[16] = "null";
    if (b->color != COLOR_NULL) snprintf(color, sizeof color, "%d", b->color);
    switch (b->kind) {
    case BOOT_TASK:
        fprintf(out, "  task %s%d at 0x%04x %s%s%s%s\n", b->id & TASK_DATA ? "data:" : "", b->id & (TASK_DATA - 1), b->addr, name ? name : "",
                b->flags & BOOT_ACTIVE ? " active" : "", b->flags & BOOT_BLOCKED ? " blocked" : "", b->flags & BOOT_HIGH ? " high" : "");
        break;
    case BOOT_CTRL:
        fprintf(out, "  control task %d at 0x%04x %s%s%s\n", b->id, b->addr, name ? name : "", b->flags & BOOT_BLOCKED ? " blocked" : "",
                b->flags & BOOT_HIGH ? " high" : "");
        break;
    case BOOT_IQ:
        fprintf(out, "  input queue %d color %s%s", b->id, color, b->flags & BOOT_LEND ? " with the words of queue + 4" : "");
        fprintf(out, b->addr ? ", control tasks from %u on\n" : "\n", b->addr);
        break;
    case BOOT_ROTATE: fprintf(out, "  data task %d rotates after %u starts, %u counted\n", b->id & 31, b->addr, b->first); break;
    case BOOT_OQ: fprintf(out, "  output queue %d color %s\n", b->id, color); break;
    case BOOT_ENTRY: fprintf(out, "  entry at 0x%04x %s\n", b->addr, name ? name : ""); break;
    }
}

void dump_boot(const WsObj *o, FILE *out)
{
    for (uint32_t i = 0; i < o->nclasses; i++) {
        const WsClass *c = &o->classes[i];
        fprintf(out, "class %s: boot\n", c->name);
        for (int k = 0; k < N_USES; k++)
            if (c->uses >> k & 1) fprintf(out, "  uses %s\n", ws_uses_names[k]);
        for (uint32_t k = 0; k < c->nboot; k++) boot_line(c, &c->boot[k], out);
    }
}

/* ---- disassembly with source lines */
typedef struct { char *text; size_t len; const char **lines; } Source;

static Source *load_sources(const WsObj *o)
{
    Source *v = NULL;
    for (uint32_t i = 0; i < o->nfiles; i++) {
        Source s = {0};
        s.text = ws_read_file(o->files[i], 1 << 26, &s.len);
        for (char *p = s.text; p && p < s.text + s.len;) {
            char *nl = memchr(p, '\n', (size_t)(s.text + s.len - p));
            arrput(s.lines, p);
            if (nl && nl > p && nl[-1] == '\r') nl[-1] = 0;
            if (nl) *nl = 0;
            p = nl ? nl + 1 : NULL;
        }
        arrput(v, s);
    }
    return v;
}

static void free_sources(Source *v)
{
    for (ptrdiff_t i = 0; i < arrlen(v); i++) {
        arrfree(v[i].lines);
        free(v[i].text);
    }
    arrfree(v);
}

static void source_line(const WsObj *o, const Source *v, uint16_t file, uint32_t line, FILE *out)
{
    const Source *s = &v[file - 1];
    fprintf(out, "; %s:%u", o->files[file - 1], line);
    if (line && line <= (uint32_t)arrlen(s->lines)) fprintf(out, ": %s", s->lines[line - 1]);
    fputc('\n', out);
}

typedef struct { const WsClass *c; } SymCtx;
static const char *sym_cb(void *user, uint32_t addr) { return code_name_at(((SymCtx *)user)->c, addr); }

static void instruction_line(const WsClass *c, uint32_t at, FILE *out)
{
    const uint8_t *p = c->text + at;
    uint32_t w = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    PeIns in;
    Buf b = {0};
    SymCtx ctx = {c};
    if (pe_decode(w, &in)) pe_print(&b, &in, c->text_addr + at, sym_cb, &ctx);
    else buf_printf(&b, ".word 0x%08x", w);
    fprintf(out, "    %04x: %08x  %s\n", c->text_addr + at, w, b.p);
    buf_free(&b);
}

static void class_code(const WsObj *o, const WsClass *c, const Source *src, FILE *out)
{
    const WsSym **v = sorted_syms(c);
    uint32_t k = 0;
    uint16_t last_file = 0;
    uint32_t last_line = 0;
    fprintf(out, "class %s: code 0x%04x to 0x%04x\n", c->name, c->text_addr, c->text_addr + c->text_bytes);
    for (uint32_t at = 0; at + 4 <= c->text_bytes; at += 4) {
        uint32_t addr = c->text_addr + at, line = 0;
        uint16_t file = 0;
        for (; k < c->nsyms && v[k]->addr <= addr; k++)
            if (v[k]->addr == addr) fprintf(out, "%s:\n", v[k]->name);
        if (src && cls_line(c, addr, &file, &line) && (file != last_file || line != last_line)) source_line(o, src, file, line, out);
        last_file = file, last_line = line;
        instruction_line(c, at, out);
    }
    free(v);
}

void dump_code(const WsObj *o, bool with_source, FILE *out)
{
    Source *src = with_source ? load_sources(o) : NULL;
    for (uint32_t i = 0; i < o->nclasses; i++) class_code(o, &o->classes[i], src, out);
    free_sources(src);
}
