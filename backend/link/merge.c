/* Several objects into one: their classes side by side on the same rectangle.  What overlaps is refused by obj_check. */
#include "link.h"
#include <string.h>

static void *joined(Arena *a, const void *p, uint32_t n, const void *q, uint32_t m, size_t size)
{
    char *v = arena_alloc(a, ((size_t)n + m) * size);
    if (n) memcpy(v, p, n * size);
    if (m) memcpy(v + n * size, q, m * size);
    return v;
}

static const char *why_not(const WsObj *a, const WsObj *b)
{
    if (a->arch.id != b->arch.id) return "the architectures differ";
    if (a->w != b->w || a->h != b->h) return "the rectangles of PEs differ";
    for (uint32_t i = 0; i < a->nclasses; i++)
        for (uint32_t k = 0; k < b->nclasses; k++)
            if (strcmp(a->classes[i].name, b->classes[k].name) == 0) return arena_printf(a->arena, "both have a class %s", b->classes[k].name);
    return NULL;
}

bool ld_merge(Diags *d, WsObj *o, const WsObj *from, const char *into_path, const char *from_path)
{
    const char *why = why_not(o, from);
    uint32_t nc = o->nclasses, np = o->nplaces, nf = o->nfiles;
    if (!why && nf + from->nfiles > UINT16_MAX) why = "too many source files";
    if (!why) {
        Arena *a = o->arena;
        o->classes = joined(a, o->classes, nc, from->classes, from->nclasses, sizeof *o->classes);
        o->places = joined(a, o->places, np, from->places, from->nplaces, sizeof *o->places);
        o->routes = joined(a, o->routes, o->nroutes, from->routes, from->nroutes, sizeof *o->routes);
        o->pe = joined(a, o->pe, o->npe, from->pe, from->npe, sizeof *o->pe);
        o->files = joined(a, o->files, nf, from->files, from->nfiles, sizeof *o->files);
        o->host = joined(a, o->host, o->nhost, from->host, from->nhost, sizeof *o->host);
        o->nhost += from->nhost;
        o->nclasses += from->nclasses, o->nplaces += from->nplaces, o->nroutes += from->nroutes, o->npe += from->npe, o->nfiles += from->nfiles;
        for (uint32_t i = np; i < o->nplaces; i++) o->places[i].cls += nc;
        for (uint32_t i = nc; i < o->nclasses; i++)
            for (uint32_t k = 0; k < o->classes[i].nlines; k++)
                if (o->classes[i].lines[k].file) o->classes[i].lines[k].file = (uint16_t)(o->classes[i].lines[k].file + nf);
        why = obj_check(o);
    }
    if (why) LD_DIAG(d, ld_merge, (Loc){0}, d_str(from_path), d_str(into_path), d_str(why));
    return !why;
}
