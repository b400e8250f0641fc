/* wsrt.h: the Scheelite runtime: run an object or image on the simulated wafer from a C program.
 *
 *     char err[WSRT_ERR_BYTES];
 *     Wsrt *rt = wsrt_open("gemv.img", err);
 *     if (!rt) { fprintf(stderr, "%s\n", err); exit(2); }
 *     wsrt_write(rt, "x", 0, 0, 4, 1, 16, WSRT_F32, WSRT_ROW_MAJOR, x, 4 * 1 * 16);
 *     if (wsrt_run(rt, 0) != WSRT_END_IDLE) fprintf(stderr, "%s\n", wsrt_report(rt));
 *     wsrt_read(rt, "y", 0, 0, 1, 4, 16, WSRT_F32, WSRT_ROW_MAJOR, y, 1 * 4 * 16);
 *     wsrt_close(rt);
 *
 * Places are (x, y): x grows east, y grows south, (0, 0) is the north-west PE.  Functions that can fail return
 * WSRT_OK (0) or a negative WsrtError; wsrt_error() then has one clear line.  Pointers to text that a function
 * returns belong to the Wsrt and are good until the next call on it, names and symbols until wsrt_close.
 * One thread at a time may use a Wsrt; only wsrt_interrupt may be called from elsewhere.
 * Results are a function of image, data and parameters alone. */
#ifndef WSRT_H
#define WSRT_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WSRT_VERSION 100                   /* major * 10000 + minor * 100 + patch: 0.1.0 */
#define WSRT_ERR_BYTES 512
#define WSRT_API __attribute__((visibility("default")))

typedef struct Wsrt Wsrt;

typedef enum {
    WSRT_OK = 0,
    WSRT_E_FILE = -1,                      /* the file cannot be read or is not a sound object or image */
    WSRT_E_NAME = -2,                      /* no such symbol, parameter, engine, function */
    WSRT_E_RANGE = -3,                     /* a PE or rectangle outside of the machine, or a PE without the symbol */
    WSRT_E_SIZE = -4,                      /* element count and data size do not fit the symbol */
    WSRT_E_TYPE = -5,                      /* element type does not fit the symbol */
    WSRT_E_STATE = -6,                     /* not possible now: the machine has started, or a fault ended it */
    WSRT_E_STALL = -7,                     /* a command cannot end: nothing moves any more; wsrt_report() says why */
    WSRT_E_FAULT = -8,                     /* the program did what a machine cannot do: wsrt_fault() */
    WSRT_E_INTERRUPTED = -9                /* wsrt_interrupt was called; the command goes on with the next wait */
} WsrtError;

/* Element types.  WSRT_RAW16 and WSRT_RAW32 fit every symbol of that width; WSRT_ANY is the symbol's own type. */
typedef enum {
    WSRT_ANY, WSRT_I8, WSRT_U8, WSRT_I16, WSRT_U16, WSRT_I32, WSRT_U32, WSRT_F16, WSRT_F32, WSRT_BOOL, WSRT_PTR,
    WSRT_DSD, WSRT_BYTES, WSRT_FUNC, WSRT_TASK, WSRT_RAW16, WSRT_RAW32
} WsrtType;

/* Layout of host data of w x h PEs with n elements each; e is the element's number in its PE.
 *   WSRT_ROW_MAJOR  host[(y * w + x) * n + e]           (h, w, n) in C order
 *   WSRT_COL_MAJOR  host[y + h * (x + w * e)]           (h, w, n) in Fortran order */
typedef enum { WSRT_ROW_MAJOR, WSRT_COL_MAJOR } WsrtOrder;

typedef enum {
    WSRT_END_IDLE,                         /* nothing can move, nothing is half-done: the results mean something */
    WSRT_END_STALL,                        /* nothing can move, something is half-done: wsrt_report() says what and why */
    WSRT_END_FAULT,                        /* wsrt_fault() says what; the run cannot go on */
    WSRT_END_MAX_CYCLES,                   /* the cycle limit is reached; run again to go on */
    WSRT_END_INTERRUPTED,                  /* wsrt_interrupt was called; run again to go on */
    WSRT_END_ERROR                         /* the machine could not be made: wsrt_error() */
} WsrtEnd;

/* ---- open, describe, close */

WSRT_API unsigned wsrt_version(void);      /* WSRT_VERSION of the library */
/* Open an object or an image, or a folder that cslc left.  An object with symbols that nobody filled is fine: they are zero.
 * NULL and one line in err if the file is not sound. */
WSRT_API Wsrt *wsrt_open(const char *path, char err[WSRT_ERR_BYTES]);
WSRT_API void wsrt_close(Wsrt *rt);        /* NULL is allowed */
WSRT_API const char *wsrt_error(const Wsrt *rt);           /* text of the last failure; "" if none */
WSRT_API unsigned wsrt_width(const Wsrt *rt);              /* PEs west to east */
WSRT_API unsigned wsrt_height(const Wsrt *rt);             /* PEs north to south */
WSRT_API const char *wsrt_arch(const Wsrt *rt);            /* "wse2" or "wse3" */
WSRT_API uint64_t wsrt_clock_hz(const Wsrt *rt);
WSRT_API uint64_t wsrt_pes(const Wsrt *rt);                /* PEs that have a program */
WSRT_API int wsrt_starts(const Wsrt *rt);                  /* 0: none starts by itself, in main or an active task: only calls do */

/* Before the machine starts (the first write, read, call or run): choose an engine, change a number of the machine.
 * Names are the rows of docs/machine.md.  WSRT_E_NAME, WSRT_E_RANGE (a value that no machine can have),
 * WSRT_E_STATE. */
WSRT_API int wsrt_set_engine(Wsrt *rt, const char *name);
WSRT_API int wsrt_set_arch_param(Wsrt *rt, const char *name, int32_t value);
/* Also before the start: a checked run faults on the first stray access of the program, and when a stack grows into data
 * (docs/machine.md, section 18).  Takes an engine that can; WSRT_E_STATE if the one chosen, or every one, cannot. */
WSRT_API int wsrt_set_check(Wsrt *rt);
WSRT_API int32_t wsrt_arch_param(const Wsrt *rt, const char *name);      /* -1: no such name */
WSRT_API const char *wsrt_engine(const Wsrt *rt);                        /* engine in use or chosen */
WSRT_API const char *wsrt_engine_at(int i);                              /* names of all engines; NULL past the last */

/* ---- symbols */

typedef struct {
    const char *name;
    WsrtType type;
    const char *type_name;                 /* "f32", "u16", ... */
    uint32_t elem_bytes, elems;            /* size of an element, elements in one PE */
    uint32_t x, y, w, h;                   /* smallest rectangle with every PE that has it */
    uint64_t pes;                          /* number of PEs that have it */
    int exported;                          /* 1: visible to the host by declaration */
    int set;                               /* 1: has an initialiser or was filled; 0: zero until somebody writes it */
    int uniform;                           /* 1: type and size are the same in every PE that has it */
} WsrtSymbol;

/* The i-th symbol by name, functions and tasks included; exported ones first.  WSRT_E_NAME past the last. */
WSRT_API int wsrt_symbol_at(Wsrt *rt, unsigned i, WsrtSymbol *out);
WSRT_API int wsrt_symbol(Wsrt *rt, const char *name, WsrtSymbol *out);

/* The symbol that begins where a pointer symbol of PE (x, y) points to now: its name.  WSRT_E_TYPE: the symbol is no
 * pointer; WSRT_E_NAME: nothing with a name begins there. */
WSRT_API int wsrt_pointee(Wsrt *rt, const char *symbol, unsigned x, unsigned y, const char **name);

/* ---- memory: between runs, before the first or after the last.
 * Copy the first `elems` elements of a symbol in each PE of the rectangle (x, y, w, h).  `total` is the size of the
 * host array in elements and must be w * h * elems.  8, 16, 32 and 64-bit elements, packed.
 * Every PE of the rectangle must have the symbol: WSRT_E_RANGE names the first one that does not. */
WSRT_API int wsrt_write(Wsrt *rt, const char *symbol, unsigned x, unsigned y, unsigned w, unsigned h, uint32_t elems,
                        WsrtType type, WsrtOrder order, const void *host, size_t total);
WSRT_API int wsrt_read(Wsrt *rt, const char *symbol, unsigned x, unsigned y, unsigned w, unsigned h, uint32_t elems,
                       WsrtType type, WsrtOrder order, void *host, size_t total);
/* The same value in every PE that has the symbol: `total` elements must be the symbol's. */
WSRT_API int wsrt_fill(Wsrt *rt, const char *symbol, WsrtType type, const void *host, size_t total);
/* Bytes of one PE's memory at an address. */
WSRT_API int wsrt_peek(Wsrt *rt, unsigned x, unsigned y, uint32_t addr, void *bytes, size_t len);
WSRT_API int wsrt_poke(Wsrt *rt, unsigned x, unsigned y, uint32_t addr, const void *bytes, size_t len);
WSRT_API size_t wsrt_type_bytes(WsrtType type);            /* 0 for WSRT_ANY */

/* Core files: the memory of all PEs, for a program that looks at it later.  Only what differs from the object's own memory
 * is kept, so a file fits the object that it was written with; another one is refused (WSRT_E_FILE).
 * Reading needs a machine that has not run: it then holds that memory, and that is all it holds. */
WSRT_API int wsrt_core_write(Wsrt *rt, const char *path);
WSRT_API int wsrt_core_read(Wsrt *rt, const char *path);

/* ---- running */

/* Launch an exported function in each PE of a rectangle: up to 8 arguments of 32 bits each (floats as their bits; f16
 * and 16-bit integers in the low half).  It runs with the next wsrt_run, which cannot end idle before it has returned. */
WSRT_API int wsrt_call(Wsrt *rt, const char *function, unsigned x, unsigned y, unsigned w, unsigned h,
                       const uint32_t *args, int nargs);
/* Run until nothing can move, or until max_cycles cycles since the start (0: no limit). */
WSRT_API WsrtEnd wsrt_run(Wsrt *rt, uint64_t max_cycles);
WSRT_API const char *wsrt_end_name(WsrtEnd end);           /* "idle", "stall", "fault", "max-cycles", "interrupted", "error" */
WSRT_API uint64_t wsrt_cycles(const Wsrt *rt);             /* cycles since the start */
/* Ask a run that is going on to stop; safe in a signal handler and from another thread. */
WSRT_API void wsrt_interrupt(Wsrt *rt);

/* A line that a kernel prints: place, cycle, text without a line end.  Order: cycle, y, x. */
typedef void WsrtPrintFn(void *user, unsigned x, unsigned y, uint64_t cycle, const char *line);
WSRT_API void wsrt_on_print(Wsrt *rt, WsrtPrintFn *fn, void *user);
/* Called about every every_cycles cycles while a run goes on. */
typedef void WsrtProgressFn(void *user, uint64_t cycle);
WSRT_API void wsrt_on_progress(Wsrt *rt, uint64_t every_cycles, WsrtProgressFn *fn, void *user);

/* ---- the command stream: what a host does to programs that import <memcpy/memcpy> (docs/host.md)
 *
 * Commands are done one after another, in the order of the calls.  Each call ends with a WsrtTask *task: with NULL the
 * call returns when the command, and all before it, are done.  Else it returns at once with a number for wsrt_task_wait;
 * host arrays must then stay as they are until the task is done.  Commands that are not waited for are done by the next
 * wait, or by wsrt_finish.  The first command lets the program boot.
 * WSRT_E_STALL, WSRT_E_FAULT: of this command or of one before it; the stream is broken and takes no more.
 * Do not mix with wsrt_call and wsrt_run while commands are under way. */
typedef uint64_t WsrtTask;

typedef enum {
    WSRT_EACH,                             /* every PE its own: w * h * elems elements */
    WSRT_ROW_BCAST,                        /* every row its own, for all PEs of the row: h * elems */
    WSRT_COL_BCAST                         /* every column its own, for all PEs of the column: w * elems */
} WsrtSpread;

typedef struct {
    unsigned x, y, w, h;                   /* PEs */
    uint32_t elems;                        /* of each PE */
    int bits;                              /* 16 or 32: size of an element in the PE.  On the host each takes a uint32_t; of
                                            * 16 bits the low half counts, but a stream to PEs sends all 32 */
    WsrtOrder order;
    WsrtSpread spread;                     /* to PEs only */
} WsrtRegion;

/* Copy to or from an exported symbol.  A symbol that is a pointer stands for what it points to when the command is done;
 * its length is not known, so that only the PE's memory bounds the copy.  `total`: size of the host array. */
WSRT_API int wsrt_h2d(Wsrt *rt, const char *symbol, const WsrtRegion *at, const uint32_t *host, size_t total, WsrtTask *task);
WSRT_API int wsrt_d2h(Wsrt *rt, const char *symbol, const WsrtRegion *at, uint32_t *host, size_t total, WsrtTask *task);
/* Send words to PEs on a color, or take words that PEs send on it.  Sending is done when every word is in a queue or on
 * its way into one, receiving when all words have come. */
WSRT_API int wsrt_stream_h2d(Wsrt *rt, unsigned color, const WsrtRegion *at, const uint32_t *host, size_t total, WsrtTask *task);
WSRT_API int wsrt_stream_d2h(Wsrt *rt, unsigned color, const WsrtRegion *at, uint32_t *host, size_t total, WsrtTask *task);

typedef struct { WsrtType type; union { int32_t i; uint32_t u; float f; } v; } WsrtArg;   /* f16: its bits in u */
/* Launch an exported function in all PEs that have a program.  Done when each has called unblock_cmd_stream as often as
 * there were launches; PEs without <memcpy/memcpy>: when the function has returned.  Arguments are checked against the
 * types that the program declares, if it does. */
WSRT_API int wsrt_launch(Wsrt *rt, const char *function, const WsrtArg *args, unsigned nargs, WsrtTask *task);

WSRT_API int wsrt_task_wait(Wsrt *rt, WsrtTask task);     /* a task that was waited for before is done: WSRT_OK */
WSRT_API int wsrt_task_done(Wsrt *rt, WsrtTask task);     /* 1 done, 0 not yet (does the next command); < 0 an error */
/* All commands, then on until nothing can move, or a thousand times host_latency cycles: some programs never rest. */
WSRT_API int wsrt_finish(Wsrt *rt);

/* The i-th name that the layout or a function declares for the host, and its type without spaces: "[*]f32",
 * "fn(i16,f32)void".  WSRT_E_NAME past the last. */
typedef struct { const char *name, *type; int writable; } WsrtExport;
WSRT_API int wsrt_export_at(Wsrt *rt, unsigned i, WsrtExport *out);
/* Size of the fabric and place of the rectangle in it, as the compiler was told; that of the rectangle and (0, 0) else. */
WSRT_API void wsrt_fabric(const Wsrt *rt, unsigned dims[2], unsigned offsets[2]);

/* ---- what happened */

/* After WSRT_END_STALL: which PEs wait, on what, at which source lines, and who waits for whom.  After any other end:
 * where the PEs stand.  Several lines, each with a line end. */
WSRT_API const char *wsrt_report(Wsrt *rt);

typedef struct {
    const char *id, *name;                 /* row of runtime/sim/faults.def: "S003", "assert_failed" */
    const char *kind;                      /* "program fault", "unsupported", "unimplemented", "internal" */
    const char *text;
    unsigned x, y;
    uint64_t cycle;
    uint32_t pc;                           /* byte address of the instruction */
    int thread;                            /* microthread 0..7, 8 main thread, -1 the router */
    const char *file;                      /* source file; NULL if not known */
    unsigned line;
    const char *function;                  /* enclosing function or task; NULL if not known */
} WsrtFault;
WSRT_API int wsrt_fault(Wsrt *rt, WsrtFault *out);         /* WSRT_E_STATE: there was no fault */

/* Counters (rows of docs/machine.md), numbered from 0.  name, unit, doc: NULL past the last. */
WSRT_API const char *wsrt_counter_name(unsigned i);
WSRT_API const char *wsrt_counter_unit(unsigned i);
WSRT_API const char *wsrt_counter_doc(unsigned i);
WSRT_API int wsrt_counter(Wsrt *rt, unsigned i, unsigned x, unsigned y, uint64_t *value);      /* of one PE */
typedef struct { uint64_t total, min, max; unsigned min_x, min_y, max_x, max_y; } WsrtCounter; /* min, max: PEs with a program */
WSRT_API int wsrt_counter_sum(Wsrt *rt, unsigned i, WsrtCounter *out);
/* Memory of this computer that the machine takes: the engine's own state, and the pages of PE memory that were touched. */
typedef struct { uint64_t state_bytes, touched_bytes; } WsrtMemory;
WSRT_API int wsrt_memory(Wsrt *rt, WsrtMemory *out);
/* Why the engine left its quick way (docs/engine.md), numbered from 0, and how often; NULL past the last, or if it has one way. */
WSRT_API const char *wsrt_slow(Wsrt *rt, unsigned i, uint64_t *count);
/* Hash of the whole state of the machine: equal runs have equal hashes. */
WSRT_API uint64_t wsrt_state_hash(Wsrt *rt);

#ifdef __cplusplus
}
#endif
#endif
