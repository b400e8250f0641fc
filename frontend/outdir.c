/* frontend/outdir.c: what host programs look for: lines in the object, and the folder with out.json that cslc leaves.
 *
 *   DIR/out.json           params and colors of the command line, sizes, where the object is
 *   DIR/bin/out_0.elf      the object; one file for all classes
 * Both are written under temporary names and renamed, so that a folder can be used again. */
#include "frontend/machine.h"
#include "frontend/options.h"
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define OBJECT "bin/out_0.elf"
/* what the vendor's memcpy takes of the fabric: columns west and east of the rectangle, rows north and south */
enum { MEMCPY_WEST = 4, MEMCPY_EAST = 3, MEMCPY_NORTH = 1, MEMCPY_SOUTH = 1 };

static bool fits(const Options *o, const WsObj *obj, const char **help, Arena *a)
{
    int west = o->memcpy ? MEMCPY_WEST : 0, east = o->memcpy ? MEMCPY_EAST : 0;
    int north = o->memcpy ? MEMCPY_NORTH : 0, south = o->memcpy ? MEMCPY_SOUTH : 0;
    if (o->offsets[0] < west || o->offsets[1] < north)
        return *help = arena_printf(a, "with --memcpy the offsets are at least --fabric-offsets=%d,%d", west, north), false;
    int w = o->offsets[0] + obj->w + east, h = o->offsets[1] + obj->h + south;
    return *help = arena_printf(a, "give --fabric-dims=%d,%d or more", w, h), w <= o->dims[0] && h <= o->dims[1];
}

bool outdir_host_lines(const Options *o, Diags *d, WsObj *obj)
{
    Arena *a = obj->arena;
    const char *why;
    if (o->fabric && !fits(o, obj, &why, a)) {
        const char *size = arena_printf(a, "%u x %u", obj->w, obj->h), *at = arena_printf(a, "%d,%d", o->offsets[0], o->offsets[1]);
        FE_DIAG(d, fabric_small, (Loc){0}, d_str(size), d_str(at), d_str(arena_printf(a, "%d x %d", o->dims[0], o->dims[1])), d_str(why));
        return false;
    }
    obj->host = ARENA_ARR(a, const char *, arrlen(o->exports) + 1);
    if (o->fabric)
        obj->host[obj->nhost++] = arena_printf(a, "fabric %d %d %d %d", o->dims[0], o->dims[1], o->offsets[0], o->offsets[1]);
    for (ptrdiff_t i = 0; i < arrlen(o->exports); i++) obj->host[obj->nhost++] = arena_strdup(a, o->exports[i]);
    return true;
}

static const char *path_of(const Options *o, Arena *a, const char *name)
{
    size_t n = strlen(o->output);
    while (n > 1 && o->output[n - 1] == '/') n--;
    return arena_printf(a, "%.*s/%s", (int)n, o->output, name);
}

/* the folder and those above it */
static bool make_folder(const char *path)
{
    char *p = strdup(path);
    bool ok = true;
    for (char *s = p + 1; ok && *s; s++)
        if (*s == '/') {
            *s = 0;
            ok = !mkdir(p, 0777) || errno == EEXIST;
            *s = '/';
        }
    free(p);
    return ok;
}

const char *outdir_object(const Options *o, Diags *d, Arena *a)
{
    const char *path = path_of(o, a, OBJECT);
    if (make_folder(path)) return path;
    FE_DIAG(d, no_write, (Loc){0}, d_str(o->output), d_str(strerror(errno)));
    return NULL;
}

/* "N:V,N:V" into an object: whole numbers as such, the rest as text */
static void add_values(json_t *into, const char *list)
{
    char *text = strdup(list);
    for (char *save, *one = strtok_r(text, ",", &save); one; one = strtok_r(NULL, ",", &save)) {
        char *c = strchr(one, ':'), *e;
        if (!c) continue;                                  /* was reported */
        *c++ = 0;
        errno = 0;
        long long v = strtoll(c, &e, 0);
        json_object_set_new(into, one, e != c && !*e && !errno ? json_integer(v) : json_string(c));
    }
    free(text);
}

static json_t *export_rows(const WsObj *obj)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < obj->nhost; i++) {
        char type[256], mode[8], name[256];
        if (sscanf(obj->host[i], "export %255s %7s %255s", type, mode, name) != 3) continue;
        json_array_append_new(rows, json_pack("{s:s, s:s, s:b}", "name", name, "type", type, "mutable", !strcmp(mode, "var")));
    }
    return rows;
}

bool outdir_json(const Options *o, Diags *d, const WsObj *obj)
{
    json_t *params = json_object(), *colors = json_object();
    for (ptrdiff_t i = 0; i < arrlen(o->params); i++) add_values(params, o->params[i]);
    for (ptrdiff_t i = 0; i < arrlen(o->colors); i++) add_values(colors, o->colors[i]);
    json_t *root = json_pack("{s:s, s:s, s:s, s:o, s:o, s:[i,i], s:[i,i], s:[i,i], s:b, s:i, s:o}", "compiler",
                             "scheelite", "object", OBJECT, "arch",
                             obj->arch.id == ARCH_WSE2 ? "wse2" : "wse3", "params", params, "colors", colors, "size", obj->w, obj->h, "fabric_dims",
                             o->fabric ? o->dims[0] : obj->w, o->fabric ? o->dims[1] : obj->h, "fabric_offsets", o->offsets[0], o->offsets[1],
                             "memcpy", o->memcpy, "channels", o->channels, "exports", export_rows(obj));
    Arena *a = arena_new();
    const char *path = path_of(o, a, "out.json");
    WsOut *out = ws_out_open(path);
    bool ok = out && !json_dumpf(root, ws_out_file(out), JSON_INDENT(2)) && fputc('\n', ws_out_file(out)) != EOF;
    if (out && ok) ok = !ws_out_commit(out);
    else if (out) ws_out_abort(out);
    if (!ok) FE_DIAG(d, no_write, (Loc){0}, d_str(path), d_str(strerror(errno)));
    json_decref(root);
    arena_free(a);
    return ok;
}
