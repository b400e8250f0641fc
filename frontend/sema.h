/* frontend/sema.h: the semantic core: syntax trees in, WIR modules and a placement out.
 *
 * One recursive evaluator over the tree.  Every expression yields a Value that is known at compile time, or symbolic (one
 * number per PE of the class), or a WIR value.  The same code runs layout blocks, comptime blocks, global initialisers
 * (nothing unknown: s->fn is NULL or a frame without WIR) and the bodies of functions (s->fn->ir is set).  A condition that
 * is known prunes; what nobody references is never looked at.
 *
 * Three things live at three levels:
 *   Program   the whole run: source files, options, types, the placement.  Arena prog->arena.
 *   Sema      one evaluation: the layout, or one class of PEs.  Arena s->arena, with a WIR module when it is a class.
 *   FnState   one function: a WIR body under construction, or a frame of a call at compile time.
 * Errors are reported and poison: a Value of kind V_ERR (or a Place of kind P_ERR) was reported, its users stay silent. */
#ifndef FE_SEMA_H
#define FE_SEMA_H
#include "frontend/ast.h"
#include "frontend/diags.h"
#include "ir/ir.h"
#include "frontend/machine.h"

typedef struct Sema Sema;
typedef struct Scope Scope;
typedef struct Type Type;
typedef struct Value Value;
typedef struct Module Module;
typedef struct Decl Decl;
typedef struct FnState FnState;
typedef __int128 Int; /* compile-time integers; overflow beyond 64 bits signed or unsigned is an error */

/* ---- types: interned in the Program, so pointer-equal means equal */
typedef enum TypeKind {
    TY_VOID, TY_BOOL, TY_INT, TY_FLOAT, TY_COMPTIME_INT, TY_COMPTIME_FLOAT, TY_STRING, TY_TYPE, TY_ANYTYPE,
    TY_UNDEFINED,      /* of `undefined` */
    TY_ENUM_LIT,       /* of `.name` before it meets its enum */
    TY_COLOR, TY_INPUT_QUEUE, TY_OUTPUT_QUEUE, TY_DATA_TASK_ID, TY_LOCAL_TASK_ID, TY_CONTROL_TASK_ID, TY_UT_ID, TY_DIRECTION,
    TY_ARRAY, TY_POINTER, TY_STRUCT, TY_ENUM, TY_UNION, TY_FN, TY_MODULE,
    TY_COMPTIME_STRUCT, /* the name `comptime_struct`: any struct */
    TY_RANGE,          /* of @range(...) */
    TY_DSD,            /* sub: DsdTypeKind */
    TY_DSR,            /* sub: DsrTypeKind */
    TY_INDEX, TY_ITER, TY_SOCKET, TY_REG, TY_VIEW, /* Tungsten's: sema_stream.c */
    TY_KIND_COUNT
} TypeKind;
typedef enum { DSDT_MEM1D, DSDT_MEM4D, DSDT_FABIN, DSDT_FABOUT, DSDT_FIFO, DSDT_CIRCBUF } DsdTypeKind;
typedef enum { DSRT_DEST, DSRT_SRC0, DSRT_SRC1, DSRT_FIFO_DEST, DSRT_FIFO_SRC1, DSRT_XDSR, DSRT_SR } DsrTypeKind;

typedef struct Field { const char *name; Type *type; uint32_t off; int64_t value; Value *dflt; Loc loc; } Field; /* value: ENUM */

struct Type {
    uint8_t kind, bits, sub; /* bits: INT 8..64, FLOAT 16 or 32; sub: DSD, DSR, FLOAT 1 bf16 2 cb16 */
    bool is_signed;
    bool comptime_only;      /* its values exist at compile time only */
    bool many, is_const;     /* POINTER: [*]T, *const T */
    bool is_task, tuple, anon, layout; /* FN; STRUCT; layout: extern */
    uint32_t id;             /* order of creation: keys and order of output, never the address */
    uint32_t size, align;    /* bytes in PE memory; 0 when comptime_only */
    IrType ir;               /* of a scalar in a register; T_VOID: lives in memory (arrays, structs) or nowhere */
    WsType ws;               /* as seen by the host; of an array its element's */
    const char *name;        /* for messages */
    Type *elem;              /* ARRAY, POINTER; ENUM: its tag; ITER, SOCKET: element */
    uint32_t rank;           /* ARRAY */
    int64_t *dims;
    uint64_t count;          /* ARRAY: product of dims */
    Field *fields;
    uint32_t nfields;        /* STRUCT, UNION, ENUM */
    Type **params, *ret;
    uint32_t nparams;        /* FN */
    AstNode *node;           /* STRUCT, ENUM, UNION that were declared: where */
    Type *chain;             /* of equal hash */
};

/* names of the plain types: ty_u16 and so on; filled by types_init */
#define SEMA_TYPES(X)                                                                                                 \
    X(void) X(bool) X(i8) X(i16) X(i32) X(i64) X(u8) X(u16) X(u32) X(u64) X(f16) X(bf16) X(cb16) X(f32)               \
    X(comptime_int) X(comptime_float) X(comptime_string) X(comptime_struct) X(type) X(anytype) X(undefined)           \
    X(enum_lit) X(color) X(input_queue) X(output_queue) X(data_task_id) X(local_task_id) X(control_task_id) X(ut_id)  \
    X(direction) X(imported_module) X(range) X(mem1d_dsd) X(mem4d_dsd) X(fabin_dsd) X(fabout_dsd) X(fifo_dsd)         \
    X(circbuf_dsd) X(dsr_dest) X(dsr_src0) X(dsr_src1) X(dsr_fifo_dest) X(dsr_fifo_src1) X(xdsr) X(sr)                 \
    X(index) X(view) X(function)
#define X(n) extern Type *ty_##n;
SEMA_TYPES(X)
#undef X

/* ---- addresses in PE memory: a global plus bytes, or a WIR pointer plus bytes, or (both none) an absolute address */
typedef struct Addr { IrSym sym; IrRef base; int32_t off; } Addr;

/* ---- values */
typedef enum ValueKind {
    V_ERR,   /* reported; silent from here on */
    V_VOID,  /* {} */
    V_UNDEF, /* undefined */
    V_INT,   /* i: every discrete scalar: integers, bool, enum, color, queue, id, direction */
    V_FLT,   /* f */
    V_STR,   /* str */
    V_ELIT,  /* str.p: interned name of an enum literal */
    V_TYPE,  /* t */
    V_FN,    /* decl: FN or TASK */
    V_MOD,   /* mod */
    V_AGG,   /* agg: array (flat), struct, tuple: elements of any kind; a splat stores one element for all */
    V_PTR,   /* ptr: known pointer, or into compile-time memory */
    V_RANGE, /* range */
    V_DSD,   /* dsd: a constant descriptor */
    V_SYM,   /* sym: one number per PE of the class */
    V_IR,    /* ref: scalar in a WIR register */
    V_MEM,   /* addr: aggregate in PE memory (not a copy: it is read when it is used) */
    V_EXT,   /* ext: of sema_stream.c and sema_dsd.c (index, iter, socket, register, DSR) */
} ValueKind;

typedef struct PtrVal {
    Value *slot, *first; /* compile-time memory: what it points at, the first and */
    uint32_t n;          /* the number of elements of the array around it */
    Decl *decl;          /* the global it points into, or NULL */
    IrSym sym;           /* PE memory: global + off; sym none: absolute address off */
    int64_t off;
    bool is_const;
} PtrVal;
typedef struct RangeVal RangeVal; /* @range(type, start, end, step) */
typedef struct SymVal {  /* symbolic scalar: numbers of the PEs of the class, in the order of s->pes */
    int64_t *v;          /* integers and ids */
    double *f;           /* floats; else NULL */
    Loc loc;             /* where it came from, for notes */
    const char *name;    /* of the parameter, or NULL */
    uint32_t id;
    IrSym global;            /* its per-PE data word once it was used at run time, */
    Type *global_type;       /* as this type */
} SymVal;
/* A constant descriptor: isa.h's four words, with the symbols whose addresses go into them. */
typedef struct DsdConst {
    uint16_t w[4];
    IrSym base;          /* added to w[0] */
    IrSym shape;         /* added to w[2] (MEMND) */
    Type *elem;          /* of the memory it was made from, or NULL */
    bool indexed;        /* .index of an operation moves it (.wavelet_index_offset) */
    void *ext;           /* sema_dsd.c's own */
} DsdConst;

struct Value {
    uint8_t kind;
    bool splat;          /* AGG */
    bool is_const;       /* MEM: may not be written */
    uint32_t n;          /* AGG: elements (of the type, also when splat); STR: length */
    Type *type;
    union {
        Int i;
        double f;
        const char *s;
        Type *t;
        Decl *decl;
        Module *mod;
        Value *agg;
        PtrVal *ptr;
        struct RangeVal *range;
        DsdConst *dsd;
        SymVal *sym;
        IrRef ref;
        Addr addr;
        void *ext;
    } u;
};
#define IR_NOBLK ((IrBlk){0})
#define V_NONE ((Value){.kind = V_ERR})
struct RangeVal { Type *type; Value start, end, step; };

/* ---- where something can be stored */
typedef enum { P_ERR, P_CELL, P_MEM, P_VALUE } PlaceKind; /* P_VALUE: an rvalue (v): it has no address */
typedef struct Place {
    uint8_t kind;
    bool is_const;
    Type *type;
    Value *slot;             /* CELL: compile-time memory */
    Value *first; uint32_t n; /* CELL: the array around it */
    Addr addr;               /* MEM */
    Decl *decl;              /* the global variable, or NULL */
    Value v;                 /* VALUE */
} Place;

/* ---- scopes: a chain of small tables; file-level names are Decls of a Module */
typedef enum { E_VALUE, E_PLACE, E_STREAM } EntryKind;
typedef struct Entry {
    const char *name;
    EntryKind kind;
    Loc loc;
    Value v;                 /* VALUE: a const: known, or a WIR value that dominates its scope.  STREAM: sema_stream.c's */
    Place p;                 /* PLACE: a var */
} Entry;
struct Scope {
    Scope *up;               /* NULL: the next names are those of mod */
    Module *mod;
    Entry **e;               /* entries stay where they are while the scope is open */
    uint32_t n, cap;
};

/* ---- modules and declarations */
typedef enum { DECL_NEW, DECL_BUSY, DECL_DONE } DeclState;
struct Decl {
    Module *mod;
    AstNode *node;           /* CONST VAR PARAM FN TASK INDEX_SET ITER SOCKET */
    const char *name;
    uint8_t state;
    bool is_var;             /* mutable PE memory */
    Value v;                 /* const, param: its value.  var: none */
    Type *type;              /* const, var, param */
    IrSym sym;               /* its memory, once it has any */
    struct FnSpec **specs;   /* FN, TASK: stb: instances */
    const char *export_name; /* name for the host, or NULL */
    Decl *meant;             /* extern: what stands for it, once it was looked up */
    int task_kind, task_id;  /* TASK that was bound: IrFnKind, 6-bit id; -1 */
    uint8_t task_flags;      /* BOOT_* */
    Loc bind_loc;
};
struct Module {
    uint32_t id;
    AstFile *file;
    const char *stem;        /* of the file name */
    Value params;            /* struct of the values it was imported with, or V_ERR for none */
    bool root;
    bool started;            /* its comptime blocks were run */
    struct { const char *key; Decl *value; } *names; /* stb_ds hash by interned pointer */
    Decl **decls;            /* stb, in source order */
};

/* one instance of a function: for the known arguments in `key` */
typedef struct FnSpec {
    Decl *decl;
    const char *key;         /* text form of what is fixed */
    IrSym sym;
    Type *ret;
    Value *fixed;            /* per parameter: the known value, or kind V_ERR: comes at run time */
    Type **types;            /* per parameter */
    bool sret;               /* result through a pointer, the first parameter */
    bool queued;
} FnSpec;

/* ---- control flow of the evaluator */
typedef enum {
    FLOW_NEXT,
    FLOW_END,      /* the current WIR block ended (return, break, continue at run time); what follows is not looked at */
    FLOW_BREAK,    /* at compile time: leave fn->target */
    FLOW_CONTINUE, /* at compile time: next round of fn->target */
    FLOW_RETURN,   /* at compile time: fn->ret_val */
} Flow;

typedef struct Label {       /* loop or labelled block that is open */
    struct Label *up;
    const char *name;        /* or NULL */
    bool is_loop, known;     /* known: runs at compile time */
    IrBlk brk, cont;         /* run time: where to go */
    bool brk_used, cont_used;
    /* value of a labelled block: what each break brought, and the block that it ended in (still open) */
    struct LabelVal { Value v; IrBlk from; } *vals; /* stb */
    Type *want;
    Value val;               /* known: the value */
} Label;

struct FnState {
    FnState *up;             /* the caller's, for calls at compile time */
    IrFn *ir;                /* NULL: at compile time */
    IrBlk cur;               /* where instructions go */
    FnSpec *spec;
    const char *name;
    Type *ret;
    IrRef sret;
    Label *labels;
    Label *target;           /* of FLOW_BREAK, FLOW_CONTINUE */
    Value ret_val;
    Flow flow;               /* a jump inside an expression: exec_stmt takes it from here */
    Loc call_loc;            /* where it was called */
    void *stream;            /* sema_stream.c's own, per function */
    void *dsd;               /* sema_dsd.c's own */
};

/* ---- programs: the whole run of wslc */
typedef struct FeParam { const char *name; Value v; Loc loc; bool used; } FeParam;
/* A name for the host and its type, in the layout (@export_name) or of an exported function; the same name may come again. */
typedef void FeExportFn(void *user, const char *name, const char *type, bool writable);
typedef struct Program {
    Arena *arena;
    Diags *d;
    Interner *in;
    Arch arch;
    const char *source;                         /* the file named on the command line */
    const char **incdirs; uint32_t nincdirs;
    FeParam *params;         /* stb: --params */
    struct { const char *key; Value value; } *prelude; /* stb: by interned name */
    FeExportFn *exported; void *exported_user;
    int fabric[4];           /* width and height of the fabric (0: not given), and where the rectangle lies in it */
    bool pedantic, pedantic_w; /* w: the file that is looked at is a .w */
    bool starts;             /* a class boots something, or the host may call it */
    struct { char *key; AstFile *value; } *files; /* stb: by path as opened */
    struct { uint64_t key; Type *value; } *types; /* stb: heads of chains by hash */
    uint32_t ntypes;
    Scope *free_scopes;
    struct Placement *pl;
    Sema *layout;            /* the evaluation of the layout */
    int64_t fuel, fuel_limit; /* loop rounds and calls at compile time that are left */
    struct { uint64_t key; int value; } *seen; /* stb: diagnostics reported so far */
} Program;

/* what is bound to a task id */
enum { TASK_CONTROL_ID = 128 };
typedef struct TaskSlot { Decl *task; IrSym fn; uint8_t flags; bool want, opened; Loc loc, want_loc; } TaskSlot; /* want: activated somewhere; opened: unblocked at the start */

/* what runs when a color was torn down, a queue has run empty */
typedef struct Handler { int id; IrSym fn; Loc loc; } Handler;

struct Sema {
    Program *prog;
    Arena *arena;            /* lives as long as this evaluation and its WIR */
    Arena *va;               /* the same as arena */
    struct { char *p; size_t used, cap; bool on; } tmp; /* values of one compile-time statement; see sema_alloc */
    struct Bound *free_bound; /* sema_call.c */
    Diags *d;
    IrModule *ir;            /* NULL: layout, no PE memory */
    FnState *fn;             /* NULL: file level */
    Module **mods;           /* stb */
    Module *root;
    FnSpec **queue;          /* stb: functions whose bodies are to be compiled */
    uint32_t *pes; uint32_t npes; /* class: its PEs as y * W + x, ascending.  Layout: none */
    struct ClassJob *job;    /* class: what it was made for; fork_* of sema_class.c */
    bool in_layout;          /* layout builtins are allowed */
    bool in_comptime;        /* inside a comptime block: binding and set-up builtins are allowed */
    bool trial;              /* errors are neither reported nor counted: the caller has another way */
    bool muted;              /* the last diagnostic was a repetition: its notes are dropped */
    uint32_t depth, calls;
    int errors;
    uint32_t next_name;      /* for hidden globals */
    struct { char *key; IrSym value; } *consts; /* stb: materialised constants by content */
    struct { char *key; uint32_t value; } *names; /* stb: names of globals and functions that are taken */
    struct { char *key; int value; } *claimed;  /* stb: names given by @export_symbol */
    struct { char *key; int value; } *sections;     /* stb: linksection, by number */
    SymVal **pe_words;       /* stb */
    int iq_color[N_QUEUE], oq_color[N_QUEUE]; /* -1: not bound */
    int iq_as[N_QUEUE], oq_as[N_QUEUE];       /* the queue that the program calls it */
    Loc iq_loc[N_QUEUE], oq_loc[N_QUEUE];
    bool iq_lend[N_QUEUE];
    int iq_table[N_QUEUE];   /* .ctrl_table_id */
    struct { int id; int64_t limit, first; Decl *alt; Loc loc; } rotate[N_ROTATE]; /* @bind_rotating_tasks */
    int nrotate;
    int64_t ctrl_stride;     /* of @set_control_task_table; 0: control tasks share the table of the others */
    Loc ctrl_loc;
    TaskSlot tasks[64];      /* by 6-bit id */
    struct { int64_t key; int64_t value; } *config; /* stb: registers that comptime blocks stored, by word address */
    FnState *start;          /* code that runs at boot, before main; NULL: none yet */
    Handler *on_teardown, *on_empty; /* stb: by color; by queue, output queues from 8 on */
    TaskSlot control[64];    /* control tasks; their ids are TASK_CONTROL_ID + 0..63 where both kinds meet */
    struct { char *key; Module *value; } *imports; /* stb: by file and params */
    struct { AstFile *key; bool value; } *stateful; /* stb: files whose imports are copies */
    Loc import_loc;          /* what is being imported: for messages */
    uint32_t nsyms, pe_count[8];
    struct PeWord *pe_data;  /* values of globals that differ between PEs */
    const char *last_file_name; Module *last_file_mod; AstFile *last_file; /* of @set_tile_code */
    void *stream, *dsd;      /* per evaluation data of sema_stream.c and sema_dsd.c */
};

/* ---- builtins.def */
typedef enum { BI_CORE, BI_DSD, BI_LATER } BiOwner; /* who lowers it; LATER: known, not built yet */
enum { BI_CSL, BI_OURS };                           /* ours: an extension */
typedef struct BuiltinRow { const char *name; BiOwner owner; bool ours; int min, max; const char *sig, *doc; } BuiltinRow;
enum {
#define BUILTIN(name, ...) BI_##name,
#include "frontend/builtins.def"
#undef BUILTIN
    BI_COUNT
};
extern const BuiltinRow fe_builtins[BI_COUNT];
int builtin_by_name(const char *name); /* -1: none */

/* ---- diagnostics: reported once per row and place, whatever number of classes meet it */
#define SEMA_ERR(s, name, loc, ...) sema_err((s), &fe_diag_rows[D_##name], (loc), DIAG_ARGS(__VA_ARGS__))
#define SEMA_NOTE(s, name, loc, ...) sema_note((s), &fe_diag_rows[D_##name], (loc), DIAG_ARGS(__VA_ARGS__))
#define DIAG_ARGS(...) (int)(sizeof((DiagArg[]){__VA_ARGS__}) / sizeof(DiagArg)), (DiagArg[]){__VA_ARGS__}
/* ---- sema.c: diagnostics, scopes, names */
Value sema_err(Sema *s, const DiagRow *row, Loc loc, int n, const DiagArg *args); /* returns V_NONE, to return on */
void sema_note(Sema *s, const DiagRow *row, Loc loc, int n, const DiagArg *args);
DiagArg d_type(Type *t);
DiagArg d_value(Sema *s, const Value *v);
Scope *scope_push(Sema *s, Scope *up);
void scope_pop(Sema *s, Scope *sc);
Entry *scope_define(Sema *s, Scope *sc, const char *name, Loc loc); /* NULL: taken in this scope (reported); fill kind, v or p */
Entry *scope_lookup(Scope *sc, const char *name);                   /* locals only; NULL: none */
Decl *module_find(Module *m, const char *name);                     /* NULL: none */
/* Memory for values, zeroed.  It lives as long as the Sema, or, while a compile-time statement runs whose values nobody can
 * keep (tmp.on), until the statement is over; who keeps a value then copies it with value_copy(s->arena, v). */
void *sema_alloc(Sema *s, size_t bytes);
typedef struct { size_t used; bool on; } TmpMark;
TmpMark tmp_begin(Sema *s, bool on);
void tmp_end(Sema *s, TmpMark m);
bool sema_fuel(Sema *s, Loc loc);                                   /* one round or call more; false: used up (reported) */
const char *sema_unique(Sema *s, const char *name);                 /* a name for a global or function, made unique */

/* ---- sema_types.c */
void types_init(Program *p);
Type *type_array(Program *p, Type *elem, uint32_t rank, const int64_t *dims);
Type *type_pointer(Program *p, Type *elem, bool many, bool is_const);
Type *type_fn(Program *p, uint32_t n, Type **params, Type *ret, bool is_task);
Type *type_struct(Program *p, AstNode *node, const char *name, uint32_t n, const Field *f, bool tuple); /* node NULL: anonymous */
Type *type_stream(Program *p, TypeKind kind, Type *elem); /* ITER, SOCKET, REG of elem */
const Field *type_field(const Type *t, const char *name, uint32_t *index); /* NULL: none */
bool type_is_int(const Type *t);      /* INT, COMPTIME_INT */
bool type_is_float(const Type *t);    /* FLOAT, COMPTIME_FLOAT */
bool type_is_discrete(const Type *t); /* held in Value.u.i */
bool type_is_scalar(const Type *t);   /* fits a register at run time: ir != T_VOID */
bool int_fits(Int v, const Type *t);
double flt_round(double v, const Type *t); /* to the precision of t */
Type *eval_type(Sema *s, Scope *sc, AstNode *n);       /* NULL: reported */
Type *eval_container(Sema *s, Scope *sc, AstNode *n, const char *name); /* T_STRUCT T_ENUM T_UNION */

/* ---- sema_value.c: making, keys, bytes, run-time forms */
Value v_int(Type *t, Int i);
Value v_flt(Type *t, double f);
Value v_bool(bool b);
Value v_void(void);
Value v_type(Type *t);
Value v_str(Sema *s, const char *p, size_t len);
Value v_ir(Type *t, IrRef r);
Value v_ext(Type *t, void *ext);
Value v_agg(Sema *s, Type *t, uint32_t n);             /* elements to be filled */
Value v_splat(Sema *s, Type *t, Value elem);
Value *agg_at(const Value *v, uint32_t i);             /* element i, to read */
void agg_expand(Sema *s, Value *v);                     /* a splat in compile-time memory becomes one element each */
Value value_copy(Arena *a, Value v);                   /* deep: aggregates are duplicated */
Value value_snapshot(Sema *s, Value v);                /* the same, in sema_alloc's memory */
Value value_zero(Sema *s, Type *t);                    /* what a var without initialiser holds */
bool is_known(const Value *v);                         /* at compile time, all of it: no IR, no MEM, no SYM inside */
bool is_runtime(const Value *v);                       /* IR or MEM, or inside */
void value_key(Buf *b, const Value *v);                /* text form: equal keys mean equal values */
void value_print(Buf *b, const Value *v);              /* for messages */
bool value_equal(const Value *a, const Value *b);
/* Write a known (or symbolic, for the PE number pe of the class) value of type t as PE memory; relocations are added to g
 * at byte base.  false: it cannot be in memory (reported). */
bool value_bytes(Sema *s, const Value *v, Type *t, uint8_t *out, uint32_t base, IrReloc **relocs, uint32_t pe, Loc loc);
/* The value as a WIR register of type t->ir: coerces, makes constants, reads per-PE words.  IR_NONE: reported. */
IrRef value_ir(Sema *s, Value v, Type *t, Loc loc);
/* The address of the value's memory: of V_MEM its own, else a constant global or a temporary. */
Addr value_addr(Sema *s, Value v, Type *t, Loc loc);
IrRef addr_ir(Sema *s, Addr a, Loc loc);               /* as a WIR pointer, offset included */
Addr addr_add(Addr a, int32_t bytes);
Addr addr_index(Sema *s, Addr a, IrRef i, uint32_t size, Loc loc); /* a + i * size at run time; i is an i16 */
Value addr_load(Sema *s, Addr a, Type *t, Loc loc);    /* scalar: a load; aggregate: V_MEM; DSD: a load */
void addr_store(Sema *s, Addr a, Type *t, Value v, Loc loc); /* coerces; aggregates element by element or by copying */
Addr addr_temp(Sema *s, Type *t, Loc loc);             /* alloca */

/* ---- sema_coerce.c */
Value coerce(Sema *s, Value v, Type *want, Loc loc);   /* implicit conversion; V_ERR: reported */
bool can_coerce(Sema *s, const Value *v, Type *want);
Value convert(Sema *s, Value v, Type *want, Loc loc);  /* @as */
Int int_wrap(Int v, const Type *t);                    /* cut to the bits of t */
Type *fn_type(Sema *s, Decl *d);                       /* as a value; NULL: generic (not reported) */
Type *peer_type(Sema *s, const Value *a, const Value *b, Loc loc); /* common type of both; NULL: reported */

/* ---- sema_expr.c */
Value eval_expr(Sema *s, Scope *sc, AstNode *n, Type *want);  /* want or NULL: a hint for literals; result is not coerced */
Value eval_fixed(Sema *s, Scope *sc, AstNode *n, Type *want); /* where only a known value will do: runs functions */
Value eval_as(Sema *s, Scope *sc, AstNode *n, Type *want);    /* evaluated and coerced to want */
Place eval_place(Sema *s, Scope *sc, AstNode *n);             /* lvalue; P_VALUE when it is an rvalue */
Value place_load(Sema *s, const Place *p, Loc loc);
void place_store(Sema *s, const Place *p, Value v, Loc loc);  /* coerces; reports stores to constants */
Value place_ptr(Sema *s, const Place *p, Loc loc);            /* &p */
Place place_index(Sema *s, const Place *p, uint32_t n, const Value *at, Loc loc);
Place place_field(Sema *s, const Place *p, const char *name, Loc loc);
Place ptr_deref(Sema *s, Value ptr, Loc loc);                 /* ptr.*; of [*]T its first element */
bool ptr_memory(Sema *s, const PtrVal *p, IrSym *sym, int64_t *off, Loc loc); /* where a known pointer points in PE memory */
bool sema_prelude(Sema *s, const char *name, Value *out);     /* types, directions: names that need no declaration */
bool eval_known_int(Sema *s, Scope *sc, AstNode *n, const char *what, int64_t lo, int64_t hi, int64_t *out); /* reports */
bool known_int(Sema *s, Value v, const char *what, int64_t lo, int64_t hi, Loc loc, int64_t *out); /* symbolic: decides */
bool eval_known_bool(Sema *s, Scope *sc, AstNode *n, bool *out);
/* names in a struct of options (`.{ .async = true }`): V_ERR without a report when absent */
Value opt_field(Sema *s, const Value *opts, const char *name);

/* ---- sema_ops.c */
Value binary(Sema *s, AstOp op, Value a, Value b, Loc loc);   /* not and, or: they are control flow */
Value unary(Sema *s, AstOp op, Value a, Loc loc);
/* ---- sema_stmt.c */
Flow exec_stmt(Sema *s, Scope *sc, AstNode *n);
Flow exec_block(Sema *s, Scope *sc, AstNode *block);          /* in a scope of its own */
Label *label_push(Sema *s, const char *name, bool is_loop, bool known);
void label_pop(Sema *s, Label *l);
Value eval_if(Sema *s, Scope *sc, AstNode *n, Type *want);
Value eval_switch(Sema *s, Scope *sc, AstNode *n, Type *want);
Value eval_block(Sema *s, Scope *sc, AstNode *n, Type *want);
void bind_const(Sema *s, Scope *sc, const char *name, Value v, Loc loc); /* a const local; copies what could change */

/* ---- sema_call.c */
Value eval_call(Sema *s, Scope *sc, AstNode *n, Type *want);
Value call_fn(Sema *s, Value fn, uint32_t n, const Value *args, Loc loc); /* known or run-time call of a V_FN */
FnSpec *fn_spec_plain(Sema *s, Decl *d, Loc loc);             /* instance of a function without fixed arguments; NULL: reported */
void fn_compile(Sema *s, FnSpec *sp);

/* ---- sema_decl.c */
Module *module_new(Sema *s, AstFile *f, Value params, bool root);
void module_start(Sema *s, Module *m);                        /* runs its comptime blocks, once */
Value decl_value(Sema *s, Decl *d, Loc use);                  /* resolves: const, param, fn, module-level streams */
Place decl_place(Sema *s, Decl *d, Loc use);
IrSym decl_sym(Sema *s, Decl *d, Loc use);                    /* its memory: made on first use */
IrSym global_new(Sema *s, const char *name, Type *t, const Value *init, bool is_const, Loc loc); /* init NULL: zeros */
IrSym global_bytes(Sema *s, const char *hint, const void *bytes, uint32_t len, uint32_t align, bool is_const, Loc loc); /* hidden; equal constants are shared */
IrSym global_const(Sema *s, Value v, Type *t, Loc loc); /* hidden constant with a known value; equal ones are shared */
AstFile *program_file(Program *p, const char *path, Loc loc); /* parses once; NULL: reported */

/* ---- sema_builtin.c, sema_task.c, sema_layout.c */
Value eval_builtin(Sema *s, Scope *sc, AstNode *n, Type *want);
bool task_bind(Sema *s, Decl *task, IrFnKind kind, int id, Loc loc);
int task_id6(Sema *s, Value id, Loc loc);                     /* local or data task id, or a task's name, as 6 bits; -1: reported */
void fn_export(Sema *s, Decl *d, Loc loc);                    /* a function for the host */
void task_export(Sema *s, Decl *d);                           /* export task main */
void task_state(Sema *s, int bi, Value id, Loc loc);          /* @activate @block @unblock */
void export_symbol(Sema *s, const Place *p, const char *name, Loc loc);
void sema_boot(Sema *s);                                      /* the class is complete: boot records */
Value layout_builtin(Sema *s, Scope *sc, AstNode *n, int bi);
AstFile *module_file(Sema *s, const Module *from, const char *name, Loc loc); /* "file" or "<library>"; NULL: reported */
bool file_exists(const char *path);
int queue_bind(Sema *s, int queue, bool out, int color, Loc loc); /* the queue that has the color; a conflict is reported */
int queue_pick(Sema *s, bool out, int color, Loc loc);
Value config_builtin(Sema *s, Scope *sc, AstNode *n, int bi);    /* @get_config and its like */
Value filter_id(Sema *s, Scope *sc, AstNode *n);
Value bind_rotating(Sema *s, Scope *sc, AstNode *n);
int queue_control_base(const Sema *s, int q);
void rotating_bind(Sema *s);                                  /* all comptime blocks were run */
void control_tables_check(Sema *s);                           /* the class is complete: ids that share a table differ */
void queue_lend(Sema *s, int queue, Loc loc);                 /* queue + 4 lends its words to queue */

/* ---- sema_regs.c */
void microthread_state(Sema *s, bool block, Value v, Loc loc);
Value control_task_table(Sema *s, Scope *sc, AstNode *n);
Value rpc_color(Sema *s, Scope *sc, AstNode *n);

/* ---- sema_handler.c */
Value handler_builtin(Sema *s, Scope *sc, AstNode *n, int bi);
Value queue_flush(Sema *s, Scope *sc, AstNode *n);
FnState *start_code(Sema *s, Loc loc);                        /* what comptime blocks do at run time goes there */
void start_emit(Sema *s);                                     /* the class is complete: boot runs it */
void handlers_emit(Sema *s);                                  /* the class is complete: the task of its handlers */
Module *import_library(Sema *s, const char *name, Loc loc);   /* as @import_module(name); NULL: reported */
Value library_fn(Sema *s, const char *module, const char *name, Loc loc);    /* a function of a library module */

/* ---- pedantic.c */
void pedantic_file(Program *p, const AstFile *f);             /* warn of all that CSL has not */

/* ---- sema_class.c */
/* A symbolic scalar where a known one is needed: all PEs agree, or the class forks here (does not return then). */
Value decide(Sema *s, Value v, Loc loc);
void pe_data_of(Sema *s, const char *name, Type *t, const Value *v, Loc loc); /* this global's contents differ between PEs */
void pe_data_rename(Sema *s, const char *old, const char *name);
Value sym_new(Sema *s, Type *t, bool flt, Loc loc);           /* numbers to be filled */
Value sym_settle(Sema *s, Value v);                           /* known after all if the PEs agree */
void sym_blame(Sema *s, Value v, uint32_t i);                 /* note: which PE an error is about */
Value sym_gather(Sema *s, Value agg, Value index, Loc loc);   /* element of a known array at a symbolic index */
Value sym_binary(Sema *s, AstOp op, Value a, Value b, Type *t, Loc loc);
Value sym_unary(Sema *s, AstOp op, Value a, Type *t, Loc loc);
Value sym_convert(Sema *s, Value v, Type *t, bool check, Loc loc);
IrRef sym_ir(Sema *s, Value v, Loc loc);                      /* load of its per-PE word */
IrSym sym_global(Sema *s, Value v, Loc loc);

/* ---- hooks: sema_stream.c, sema_dsd.c (sema_hooks.c until they are there).  Each returns false when it is not its own. */
/* INDEX_SET ITER SOCKET, at file level (s->fn NULL) and as a statement: *out is what the name means (V_EXT) */
bool sema_stream_decl(Sema *s, Scope *sc, AstNode *n, Value *out);
/* BIND ACCUM MOVE FORALL FOREVER PARALLEL DISPATCH, and ASSIGN whose dst is ELEM or VIEW */
bool sema_stream_stmt(Sema *s, Scope *sc, AstNode *n, Flow *flow);
/* SUM ELEM VIEW LAMBDA, a NAME whose entry is E_STREAM or V_EXT, a CALL of (sp) (hp) (xp) (wv) */
bool sema_stream_expr(Sema *s, Scope *sc, AstNode *n, Type *want, Value *out);
/* CALL in a .w file of a name that nothing declares: the prelude (set_router, set_sockets, teardown, ...) */
bool sema_stream_call(Sema *s, Scope *sc, AstNode *call, Type *want, Value *out);
/* builtins whose row says DSD */
Value dsd_lambda(Sema *s, Scope *sc, AstNode *lam);            /* an access function as a struct of its parts */
bool sema_dsd_builtin(Sema *s, Scope *sc, AstNode *n, int bi, Type *want, Value *out);
/* &x, x.f, x == y of a V_DSD, TY_DSR or V_EXT value, if ever; assignment of DSD variables is plain (T_DSD, 8 bytes) */

/* ---- the driver's view: sema_main.c */
typedef struct FeOptions {
    const char *source;      /* X.w or X.csl */
    const char *paint;       /* or NULL */
    ArchId arch;
    const char **incdirs; uint32_t nincdirs;
    const char **params; uint32_t nparams; /* "N:V,..." */
    const char **colors; uint32_t ncolors; /* the same; the values are colors */
    FeExportFn *exported; void *exported_user; /* or NULL */
    int fabric[4];           /* --fabric-dims (0: not given), --fabric-offsets */
    bool pedantic;
    int64_t fuel;            /* 0: the default */
} FeOptions;
/* A class that is ready: its WIR, and which class number it gets.  Return false to stop. */
typedef bool FeClassFn(void *user, IrModule *m, uint32_t number);
/* Evaluate everything: classes to `each` in a fixed order, then placement, routes and per-PE data into o (whose arena they
 * live in).  Source texts go to a: it must live until d is printed.  false: errors were reported. */
bool fe_program(Arena *a, Diags *d, const FeOptions *opt, WsObj *o, FeClassFn *each, void *user);
void fe_print_placement(Buf *out, const WsObj *o); /* text form of rectangles and routes */
#endif
