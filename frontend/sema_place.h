/* frontend/sema_place.h: the placement under construction: which PE runs what with which parameters, and the routes.
 * Shared by sema_layout.c, sema_class.c and sema_main.c.
 *
 * A tile's parameter struct is cut in two: its numbers (leaves), kept per PE, and all else (types, names, texts), the shape.
 * PEs of one shape are one class to begin with, so nine hundred thousand tiles cost their leaves and nothing more. */
#ifndef FE_SEMA_PLACE_H
#define FE_SEMA_PLACE_H
#include "frontend/sema.h"

typedef struct TileShape {
    uint64_t hash;
    AstFile *file;
    Value tmpl;              /* the first struct seen; V_ERR: no params */
    uint32_t nleaves;
    uint32_t *pes;           /* stb: y * W + x, in the order of the calls */
    int64_t *leaves;         /* stb: nleaves each; a float is its bits */
    Loc loc;                 /* of the first call */
    struct TileShape *chain;
} TileShape;

typedef struct { const char *name; uint32_t elem_bytes; uint8_t *bytes; } PeOut; /* bytes: W * H * elem_bytes */

/* what a router does with a color; without padding that is not zero: it is a key.  none: no directions at all, so no route */
typedef struct { uint16_t slot, sw; uint8_t rx_more, none; WsFilter filter; } RouteCfg;
_Static_assert(sizeof(RouteCfg) == 6 + sizeof(WsFilter), "a key has no padding");

typedef struct Placement {
    uint32_t w, h;           /* 0: not set yet */
    bool refused;            /* @set_rectangle was called, in vain */
    Loc rect_loc;
    uint32_t *tile;          /* per PE: index into shapes + 1 */
    TileShape **shapes;      /* stb */
    struct { uint64_t key; TileShape *value; } *by_hash; /* stb */
    uint32_t *route[N_COLOR];/* per PE: number of its configuration, 0 none; NULL: color unused */
    uint32_t *route_loc[N_COLOR];
    RouteCfg *cfgs;          /* stb: configuration k is cfgs[k - 1] */
    struct { RouteCfg key; uint32_t value; } *cfg_of; /* stb */
    uint8_t *filters;        /* per PE: how many; NULL: none at all */
    Loc *locs;               /* stb */
    uint32_t *cls;           /* per PE: class + 1 */
    const char **classes;    /* stb: names */
    PeOut *pe;               /* stb */
    struct { char *key; uint32_t value; } *stems; /* stb: classes per file stem */
} Placement;

/* ---- sema_route.c */
bool route_of(Sema *s, const Value *cfg, int color, Loc loc, RouteCfg *out); /* false: reported */
void place_route(Sema *s, uint32_t x, uint32_t y, int color, const RouteCfg *cfg, Loc loc);
void routes_check(Program *p);

/* ---- sema_layout.c */
bool place_size(Sema *s, int64_t w, int64_t h, Loc loc);
void place_tile(Sema *s, uint32_t x, uint32_t y, AstFile *f, const Value *params, Loc loc);
/* cut v into leaves; put: called for each */
typedef void LeafFn(void *user, Value *leaf);
void leaves_each(Value *v, LeafFn *f, void *user);
bool is_leaf(const Value *v);
/* merge equal neighbours into rectangles, sorted by y then x */
typedef void RectFn(void *user, uint32_t x, uint32_t y, uint32_t w, uint32_t h, uint32_t v);
void rects_merge(const uint32_t *v, uint32_t w, uint32_t h, RectFn *f, void *user); /* 0: left out */

/* ---- sema_class.c */
bool classes_compile(Program *p, FeClassFn *each, void *user); /* false: errors, or each said stop */
Sema *sema_new(Program *p);
void sema_free(Sema *s);
#endif
