/* Does a class fit the memory of a PE?  If not, say what takes the room. */
#include "link.h"
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 8 };

static uint32_t max2(uint32_t a, uint32_t b) { return a > b ? a : b; }

uint32_t class_bytes(const WsClass *c)
{
    uint32_t sum = c->text_bytes + c->data_bytes + c->bss_bytes;
    uint32_t text = c->text_bytes ? c->text_addr + c->text_bytes : 0;
    uint32_t data = c->data_bytes ? c->data_addr + c->data_bytes : 0;
    uint32_t bss = c->bss_bytes ? c->bss_addr + c->bss_bytes : 0;
    return max2(sum, max2(text, max2(data, bss))) + c->stack_bytes;
}

static int larger_first(const void *a, const void *b)
{
    const WsSym *x = *(const WsSym *const *)a, *y = *(const WsSym *const *)b;
    if (x->size_bytes != y->size_bytes) return x->size_bytes > y->size_bytes ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* "A 40000 bytes, B 8000 bytes": the largest symbols of a class; "" without symbols. */
static Buf largest(const WsClass *c)
{
    Buf b = {0};
    const WsSym **v = ws_xmalloc(sizeof *v * (c->nsyms + 1));
    for (uint32_t i = 0; i < c->nsyms; i++) v[i] = &c->syms[i];
    qsort(v, c->nsyms, sizeof *v, larger_first);
    for (uint32_t i = 0; i < c->nsyms && i < LARGEST && v[i]->size_bytes; i++)
        buf_printf(&b, "%s%s %u bytes", i ? ", " : "", v[i]->name, v[i]->size_bytes);
    free(v);
    return b;
}

bool size_check(Diags *d, const WsObj *o)
{
    bool ok = true;
    uint32_t mem = (uint32_t)AP(&o->arch, mem_bytes);
    for (uint32_t i = 0; i < o->nclasses; i++) {
        const WsClass *c = &o->classes[i];
        uint32_t need = class_bytes(c);
        if (need <= mem) continue;
        ok = false;
        Buf b = largest(c);
        LD_DIAG(d, size_over, (Loc){0}, d_str(c->name), d_uint(need), d_uint(mem), d_uint(need - mem));
        LD_NOTE(d, size_parts, (Loc){0}, d_uint(c->text_bytes), d_uint(c->data_bytes), d_uint(c->bss_bytes), d_uint(c->stack_bytes),
                d_uint(need - c->text_bytes - c->data_bytes - c->bss_bytes - c->stack_bytes));
        if (b.len) LD_NOTE(d, size_largest, (Loc){0}, d_str(b.p));
        buf_free(&b);
    }
    return ok;
}
