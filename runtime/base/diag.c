/* Diagnostics sink: collects rows with typed arguments, sorts by place, prints once with line and caret. */
#include "base.h"
#include <stdlib.h>
#include <string.h>

typedef struct { const char *name, *text; size_t len; uint32_t *lines; } File;
typedef struct { const DiagRow *row; Loc loc; char *msg, *hint; int seq; int parent; bool printed; } Item;
struct Diags { const char *tool; File *files; Item *items; int errors, limit, last; bool werror; };

Diags *diags_new(const char *tool)
{
    Diags *d = ws_xmalloc(sizeof *d);
    d->tool = tool;
    d->limit = 20;
    d->last = -1;
    return d;
}

void diags_free(Diags *d)
{
    if (!d) return;
    for (ptrdiff_t i = 0; i < arrlen(d->files); i++) arrfree(d->files[i].lines);
    for (ptrdiff_t i = 0; i < arrlen(d->items); i++) {
        free(d->items[i].msg);
        free(d->items[i].hint);
    }
    arrfree(d->files);
    arrfree(d->items);
    free(d);
}

uint32_t diags_add_file(Diags *d, const char *name, const char *text, size_t len)
{
    File f = {name, text, len, NULL};
    arrput(f.lines, 0);
    for (size_t i = 0; i < len; i++)
        if (text[i] == '\n') arrput(f.lines, (uint32_t)(i + 1));
    arrput(d->files, f);
    return (uint32_t)arrlen(d->files);
}

static const File *file_of(const Diags *d, uint32_t n)
{
    return n >= 1 && n <= (uint32_t)arrlen(d->files) ? &d->files[n - 1] : NULL;
}

const char *diags_file_name(const Diags *d, uint32_t n)
{
    const File *f = file_of(d, n);
    return f ? f->name : NULL;
}

const char *diags_file_text(const Diags *d, uint32_t n, size_t *len)
{
    const File *f = file_of(d, n);
    if (!f) return NULL;
    *len = f->len;
    return f->text;
}

void diags_line_col(const Diags *d, Loc loc, uint32_t *line, uint32_t *col)
{
    const File *f = file_of(d, loc.file);
    *line = *col = 0;
    if (!f) return;
    ptrdiff_t lo = 0, hi = arrlen(f->lines);
    while (hi - lo > 1) {
        ptrdiff_t mid = (lo + hi) / 2;
        if (f->lines[mid] <= loc.off) lo = mid;
        else hi = mid;
    }
    *line = (uint32_t)lo + 1;
    *col = loc.off - f->lines[lo] + 1;
}

static void add_arg(Buf *b, const DiagArg *a)
{
    switch (a->kind) {
    case DA_STR: buf_printf(b, "%s", a->v.s ? a->v.s : "(null)"); break;
    case DA_INT: buf_printf(b, "%lld", (long long)a->v.i); break;
    case DA_UINT: buf_printf(b, "%llu", (unsigned long long)a->v.u); break;
    case DA_FLT: buf_printf(b, "%.9g", a->v.f); break;
    case DA_CHR: buf_printf(b, "%c", (int)a->v.i); break;
    }
}

static char *format(const char *text, int nargs, const DiagArg *args)
{
    Buf b = {0};
    for (const char *p = text; *p; p++) {
        if (*p == '%' && p[1] >= '0' && p[1] <= '9') {
            int k = *++p - '0';
            if (k < nargs) add_arg(&b, &args[k]);
            else buf_add(&b, "?", 1);
        } else {
            buf_add(&b, p, 1);
        }
    }
    buf_add(&b, "", 0);
    return b.p;
}

static void add_item(Diags *d, const DiagRow *row, Loc loc, char *msg, int parent, int nargs, const DiagArg *args)
{
    char *hint = row->hint && row->hint[0] ? format(row->hint, nargs, args) : NULL;
    Item it = {row, loc, msg, hint, (int)arrlen(d->items), parent, false};
    arrput(d->items, it);
}

static bool same(const Item *it, const DiagRow *row, Loc loc, const char *msg)
{
    return it->row == row && it->loc.file == loc.file && it->loc.off == loc.off && strcmp(it->msg, msg) == 0;
}

void diag_emit(Diags *d, const DiagRow *row, Loc loc, int nargs, const DiagArg *args)
{
    char *msg = format(row->text, nargs, args);
    for (ptrdiff_t i = 0; i < arrlen(d->items); i++)
        if (d->items[i].parent < 0 && same(&d->items[i], row, loc, msg)) {
            free(msg);              /* the same thing about the same place is said once */
            d->last = -1;
            return;
        }
    bool err = row->sev == SEV_ERROR || row->sev == SEV_FATAL || (d->werror && row->sev == SEV_WARNING);
    if (err && d->errors >= d->limit) {
        d->errors++;
        d->last = -1;
        free(msg);
        return;
    }
    d->errors += err;
    add_item(d, row, loc, msg, -1, nargs, args);
    d->last = (int)arrlen(d->items) - 1;
}

void diag_note_emit(Diags *d, const DiagRow *row, Loc loc, int nargs, const DiagArg *args)
{
    if (d->last < 0) return;
    add_item(d, row, loc, format(row->text, nargs, args), d->last, nargs, args);
}

int diags_errors(const Diags *d) { return d->errors; }
bool diags_full(const Diags *d) { return d->errors >= d->limit; }
void diags_set_limit(Diags *d, int n) { d->limit = n; }
void diags_set_werror(Diags *d, bool on) { d->werror = on; }

enum { LINE_SHOWN = 160 };      /* bytes of a source line that a message shows at most */

static void caret(const Diags *d, Loc loc, FILE *out)
{
    const File *f = file_of(d, loc.file);
    if (!f || loc.off > f->len) return;
    uint32_t line, col;
    diags_line_col(d, loc, &line, &col);
    size_t b = f->lines[line - 1], e = b;
    while (e < f->len && f->text[e] != '\n' && f->text[e] != '\r') e++;
    if (e - b > LINE_SHOWN) {       /* of a very long line, what is around the place */
        if (loc.off - b > LINE_SHOWN / 2) b = loc.off - LINE_SHOWN / 2;
        if (e - b > LINE_SHOWN) e = b + LINE_SHOWN;
        while (b < loc.off && ((unsigned char)f->text[b] & 0xC0) == 0x80) b++;
        while (e > b && e < f->len && ((unsigned char)f->text[e] & 0xC0) == 0x80) e--;
    }
    fprintf(out, "%5u | %.*s\n      | ", line, (int)(e - b), f->text + b);
    for (size_t i = b; i < loc.off && i < e; i++)
        if (((unsigned char)f->text[i] & 0xC0) != 0x80) fputc(f->text[i] == '\t' ? '\t' : ' ', out);
    fputc('^', out);
    for (size_t i = (size_t)loc.off + 1; i < (size_t)loc.off + loc.len && i < e; i++)
        if (((unsigned char)f->text[i] & 0xC0) != 0x80) fputc('~', out);
    fputc('\n', out);
}

static void print_item(const Diags *d, const Item *it, FILE *out)
{
    static const char *const names[] = {"error", "warning", "note", "fatal"};
    const char *sev = d->werror && it->row->sev == SEV_WARNING ? "error" : names[it->row->sev];
    if (file_of(d, it->loc.file)) {
        uint32_t line, col;
        diags_line_col(d, it->loc, &line, &col);
        fprintf(out, "%s:%u:%u: ", diags_file_name(d, it->loc.file), line, col);
    } else {
        fprintf(out, "%s: ", d->tool);
    }
    if (it->row->sev == SEV_NOTE) fprintf(out, "%s: %s\n", sev, it->msg);
    else fprintf(out, "%s[%s]: %s\n", sev, it->row->id, it->msg);
    caret(d, it->loc, out);
    if (it->hint) fprintf(out, "      = help: %s\n", it->hint);
}

static int by_place(const void *a, const void *b)
{
    const Item *x = *(const Item *const *)a, *y = *(const Item *const *)b;
    if (x->loc.file != y->loc.file) return x->loc.file < y->loc.file ? -1 : 1;
    if (x->loc.off != y->loc.off) return x->loc.off < y->loc.off ? -1 : 1;
    return x->seq - y->seq;
}

int diags_print(Diags *d, FILE *out)
{
    Item **v = NULL;
    for (ptrdiff_t i = 0; i < arrlen(d->items); i++)
        if (d->items[i].parent < 0 && !d->items[i].printed) arrput(v, &d->items[i]);
    if (arrlen(v)) qsort(v, (size_t)arrlen(v), sizeof *v, by_place);
    for (ptrdiff_t i = 0; i < arrlen(v); i++) {
        v[i]->printed = true;
        print_item(d, v[i], out);
        for (ptrdiff_t k = 0; k < arrlen(d->items); k++)
            if (d->items[k].parent == v[i]->seq) print_item(d, &d->items[k], out);
    }
    if (d->errors > d->limit) fprintf(out, "%s: %d more errors not shown\n", d->tool, d->errors - d->limit);
    arrfree(v);
    return d->errors;
}
