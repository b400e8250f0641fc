/* frontend/sema_dsd.h: what the five files of CSL's DSD builtins share.
 *   sema_dsd.c      descriptors: @get_dsd and the builtins that change one; structs of options; dispatch
 *   sema_dsd_op.c   operands, vector operations
 *   sema_dsr.c      data-structure registers
 *   sema_dsd_fifo.c FIFOs
 *   sema_dsd_map.c  @map */
#ifndef FE_SEMA_DSD_H
#define FE_SEMA_DSD_H
#include "frontend/sema_stream.h"
#include <string.h>

static inline IrFn *fn_of(Sema *s) { return s->fn->ir; }
static inline bool in_pe_code(Sema *s) { return s->fn && s->fn->ir; }
static inline Loc arg_loc(AstNode *n, uint32_t i) { return i < n->u.builtin.args.n ? n->u.builtin.args.v[i]->loc : n->loc; }
static inline AstNode *arg(AstNode *n, uint32_t i) { return n->u.builtin.args.v[i]; }
static inline bool is_dsd(const Value *v) { return v->type && v->type->kind == TY_DSD; }
static inline bool is_fabric(const Type *t) { return t->sub == DSDT_FABIN || t->sub == DSDT_FABOUT; }

/* Shape of a nested walk, kept with the constant for @map. */
typedef struct Shape { uint32_t n; uint16_t ext[ACCESS_MAX_DIMS]; int16_t stride[ACCESS_MAX_DIMS]; } Shape;   /* innermost first */
/* A literal is read field by field, so that a field may hold an access function; anything else is a known struct. */
typedef struct Cfg { Sema *s; Scope *sc; AstNode *lit; Value v; Loc loc; } Cfg;
/* What completes an operation, and where it runs. */
typedef struct Done { int act, unb, ut, prio; } Done;
/* One operand as it is written.  DSD: v, or (home) its global variable, loaded from there.  PTR: addr of one scalar, t its
 * type.  VAL, and a DSD that is not home: v, and where it was read from.  DSR: file and number. */
typedef struct Opnd {
    enum { O_NONE, O_VAL, O_PTR, O_DSD, O_DSR } k;
    Type *t;
    Value v;
    bool home, has_place, is_const;
    Addr addr;
    int file, num;
    unsigned control;        /* DSD: what a control wavelet does, into word 0 */
    IrRef ref;               /* slot or value, once made */
    Loc loc;
} Opnd;

/* ---- sema_dsd.c */
extern const Done dsd_done_none;
/* Open a struct of fields or options; names beside known are reported, those in later as not built yet. */
bool dsd_cfg(Cfg *c, Sema *s, Scope *sc, AstNode *n, const char *of, const char *const *known, const char *const *later);
bool dsd_cfg_get(Cfg *c, const char *name, Type *want, Value *out, Loc *loc); /* false: absent.  V_ERR: reported */
bool dsd_cfg_bool(Cfg *c, const char *name, bool *out);            /* an absent field leaves *out */
bool dsd_cfg_task(Cfg *c, const char *name, int *out);             /* a task's name or id in 6 bits */
bool dsd_cfg_done(Cfg *c, Done *o);
void dsd_done_words(const Done *o, bool fabric, uint16_t w[4]);    /* into words 2 and 3 of a descriptor; of memory: only 3 */
Value dsd_const(Sema *s, Type *t, DsdConst c);
IrRef dsd_ir(Sema *s, const Value *v, Loc loc);                    /* as a WIR value */
Value dsd_with_base(Sema *s, Value v, Addr a, Loc loc);
bool dsd_cfg_on_control(Cfg *c, unsigned *bits);                   /* into word 0 of an input's descriptor */
bool dsd_base_of(Sema *s, Scope *sc, AstNode *n, Value *given, Addr *a, Type **elem, Loc loc);
bool dsd_runtime(Sema *s, Loc loc);                                /* in code of a PE; else reports */
/* ---- sema_dsd_op.c */
bool dsd_opnd(Sema *s, Scope *sc, AstNode *n, Type *want, Opnd *o);
bool dsd_opnd_slot(Sema *s, Opnd *o);                              /* makes its DSR slot */
const char *dsd_opnd_text(const Opnd *o);
bool dsd_of_constant(Sema *s, const Opnd *o);                      /* a descriptor that walks over a constant */
Value dsd_operation(Sema *s, Scope *sc, AstNode *n, int vop);
IrRef dsd_slot_new(Sema *s, int64_t imm, Loc loc);
bool dsd_slot_load(Sema *s, IrRef slot, const Opnd *o);
/* ---- sema_dsr.c */
typedef struct FifoHome { IrSym record, read, write; struct FifoHome *next; } FifoHome;   /* descriptors of a FIFO: as a source, as a destination */
typedef struct DsdState { IrSym len[3][N_DSR]; FifoHome *fifos; } DsdState;   /* per evaluation */
DsdState *dsd_state(Sema *s);
int dsr_file(const Type *t);
bool dsr_is_fifo(const Type *t);
IrRef dsr_slot(Sema *s, int file, int num, int xdsr, Loc loc);     /* xdsr: -1 none */
IrSym dsr_length(Sema *s, int file, int num);
bool dsd_load_changed(Sema *s, IrRef slot, Opnd *d, const Done *done, bool save, unsigned control);
Value dsd_get_dsr(Sema *s, Scope *sc, AstNode *n);
Value dsd_get_xdsr(Sema *s, Scope *sc, AstNode *n, bool sr);
Value dsd_load_to_dsr(Sema *s, Scope *sc, AstNode *n);
Value dsd_load_xdsr(Sema *s, Scope *sc, AstNode *n);
Value dsd_load_xdsr_sr(Sema *s, Scope *sc, AstNode *n);
Value dsd_set_dsr(Sema *s, Scope *sc, AstNode *n, bool base);
/* ---- sema_dsd_fifo.c */
Value dsd_allocate_fifo(Sema *s, Scope *sc, AstNode *n);
Value dsd_fifo_length(Sema *s, Scope *sc, AstNode *n, bool write);
bool dsd_fifo_home(Sema *s, Opnd *o, bool write);                  /* makes o its descriptor in memory */
/* ---- sema_dsd_map.c */
Value dsd_map(Sema *s, Scope *sc, AstNode *n);
Value dsd_bits(Sema *s, Scope *sc, AstNode *n, const char *fn);
#endif
