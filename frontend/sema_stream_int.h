/* frontend/sema_stream_int.h: what the three files of Tungsten's statements share: sema_stream.c (access functions,
 * declarations, names), sema_stream_vec.c (elements as operands of vector operations), sema_stream_stmt.c (statements). */
#ifndef FE_SEMA_STREAM_INT_H
#define FE_SEMA_STREAM_INT_H
#include "frontend/sema_stream.h"
#include <string.h>

typedef struct StObj StObj;
typedef struct Point { IrBlk blk; IrRef after; } Point; /* a place where DSR loads can be put later; after none: at the head */
/* A dsr.setlen that is left out, because the descriptor holds that length already: a constant without use keeps its place. */
typedef struct LenSpot { struct LenSpot *of_use, *of_obj; IrFn *fn; IrRef at, slot, n; } LenSpot;

typedef enum { ST_INDEX, ST_ITER, ST_SOCKET, ST_DOT } StKind;
struct StObj {
    StKind kind;
    const char *name;
    Type *elem;
    Loc loc;
    IrFn *fn;                /* declared in this function's body; NULL: at file level */
    IrSym desc;              /* ITER, SOCKET: descriptor */
    int64_t total;           /* ITER: elements */
    bool nested;             /* ITER: needs an XDSR */
    bool is_const;           /* ITER: over constants */
    bool patched;            /* ITER: its address was taken, so the descriptor may hold another length at run time */
    LenSpot *spots;          /* ITER */
    uint32_t nest_no;        /* declared inside that loop nest (0: outside of any), */
    Point point;             /* here, where what runs runs so often */
    int64_t rounds;
    bool out;                /* SOCKET */
    int queue;               /* SOCKET */
    Value extent;            /* INDEX, in a function: known, or at run time */
    AstNode *node;           /* INDEX, at file level: evaluated at each use, */
    Module *mod;             /* in this module */
    IrRef slot;              /* DOT */
};

typedef enum { POS_NONE, POS_DEST, POS_SRC0, POS_SRC1 } Pos;
/* One iterator or socket in one loop nest. */
typedef struct StUse {
    struct StUse *next;
    StObj *obj;
    IrRef slot;              /* none: not loaded yet */
    Pos pos;                 /* ITER: the register file its position is in; fixed by the first operation */
    bool len_set;            /* the DSR's length is not the descriptor's, somewhere in the nest */
    int64_t moved;           /* ITER: elements that the nest moves it over for certain; -1: too many, reported */
    LenSpot *spots;
} StUse;

enum { MEMO = WS_LIMIT(1024, 1) };
typedef struct StFn {
    int nest;                /* depth; 0: outside */
    uint32_t nest_no;        /* counts the outermost ones */
    bool loop;               /* the outermost is a loop: slots are loaded at its entry */
    bool calls;              /* ... with calls inside, which a DSR does not survive */
    Point entry;
    int64_t rounds;          /* how often what is evaluated now runs in its nest; -1: not known, or only perhaps */
    int64_t elems;           /* elements of the operation that is being emitted; -1: not known */
    StUse *uses;
    int ut;                  /* >= 0: vector operations go to that microthread (parallel) */
    bool vec;                /* operands are for many elements: reading one into a register does not do, */
    bool vec_failed;         /* and would have been needed */
    uint32_t ndots;          /* dot registers declared so far: what touches() remembers hangs on it */
    struct { const AstNode *n; uint32_t ndots; bool yes; } memo[MEMO];
} StFn;

/* An operand of a vector operation. */
typedef struct Opd { enum { O_ERR, O_VAL, O_ELEM, O_DOT } k; Type *t; Value v; StUse *use; IrRef slot; } Opd;
/* A vector operation ready to be emitted: vop >= 0: a row of the table; -1: reported; -2: computed, the value is in b. */
typedef struct Vec { int vop; Type *t; Opd a, b, c; bool has_a, has_c; } Vec;

static inline IrFn *st_ir(Sema *s) { return s->fn->ir; }

/* ---- sema_stream.c */
StFn *st_fn(Sema *s);
bool st_in_pe_code(Sema *s, Loc loc);                            /* else reported */
StObj *st_obj_new(Sema *s, StKind k, const char *name, Type *elem, Loc loc);
StObj *st_ext_obj(const Value *v);                               /* NULL: not one of ours */
bool st_name(Sema *s, Scope *sc, AstNode *n, Value *v);          /* what a NAME or module.NAME means; reports no unknown name */
StObj *st_name_obj(Sema *s, Scope *sc, AstNode *n);              /* NULL: not one of ours */
StObj *st_index(Sema *s, Scope *sc, const char *name, Loc loc);  /* NULL: reported */
bool st_extent(Sema *s, StObj *o, Loc loc, int64_t *k, Value *v); /* *k >= 0: known; -1: at run time, *v (u16).  false: reported */
void st_len_needed(LenSpot *p);                                  /* the dsr.setlen is needed after all */

/* ---- sema_stream_vec.c */
Point st_here(Sema *s);
void st_nest_enter(Sema *s, AstNode *n);
int64_t st_rounds(Sema *s, const AstNode *body, int64_t times); /* what follows runs so often; returns what to set back */
void st_nest_leave(Sema *s);
Type *st_view_type(const char *name);                            /* of sp hp xp wv; else NULL */
bool st_is_elem(Sema *s, Scope *sc, const AstNode *n);           /* a[], view:a[], (view)(a[]) */
bool st_invariant(Sema *s, Scope *sc, AstNode *n, const char *index); /* a value that is the same for all elements */
bool st_same_twice(Sema *s, Scope *sc, AstNode *a, AstNode *b);  /* do elements of one stream stand in both? */
bool st_touches(Sema *s, Scope *sc, AstNode *n);
Opd st_eval(Sema *s, Scope *sc, AstNode *n, Type *want);
Opd st_elem(Sema *s, Scope *sc, AstNode *n, bool write);
Opd st_val(Value v);
Value st_fetch(Sema *s, Opd o, Loc loc);                         /* into a register */
IrVop st_mov_of(const Type *t);
Vec st_binary(Sema *s, Scope *sc, AstNode *n, Type *want);
IrRef st_dest(Sema *s, const Opd *o, Loc loc);                   /* the slot of an element that is written */
IrRef st_emit(Sema *s, Vec *v, IrRef d, int n, Loc loc);         /* to slot d, or (none) to a register */
bool st_fits(Sema *s, Vec *v, Loc loc);                          /* as an operation over many elements; else reported */
int st_count(Sema *s, Vec *v, Opd *dst, int64_t k, Value kv, Loc loc); /* own count for k elements; 0: by lengths, set here */
IrRef st_dot_new(Sema *s, const char *name, Loc loc);
bool st_sum(Sema *s, Scope *sc, AstNode *n, IrRef d, bool accumulate);  /* ∑ ∀i e into dot register d */
bool st_chain(Sema *s, Scope *sc, AstNode *e, int64_t k, Value kv, IrRef d, bool accumulate, Loc loc);
enum { VEC_MAX = 32766 };                                        /* elements of one operation */
#endif
