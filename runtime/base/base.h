/* runtime/base/base.h: what every folder may use: arena, text buffer, source files, diagnostics sink,
 * atomic file output.  stb_ds (Debian: libstb-dev) is the dynamic array and hash map of the project:
 * arrput/arrlen/hmput/shput.  Iterate arrays, never hash maps, wherever order can be seen. */
#ifndef WS_BASE_H
#define WS_BASE_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stb/stb_ds.h>

/* A number that says how much is set aside at first, or done at once, and is free otherwise.  The CMake option WS_SMALL_LIMITS takes the
 * least that is legal, so that tests run what grows, and what is done when there is no room. */
#ifdef WS_SMALL_LIMITS
#define WS_LIMIT(usual, least) (least)
#else
#define WS_LIMIT(usual, least) (usual)
#endif

/* ---- arena.c: bump allocation; lifetimes are those of the arena.  Never returns NULL: out of memory
 * prints one line and exits with 70. */
typedef struct Arena Arena;
Arena *arena_new(void);
void arena_free(Arena *a);
size_t arena_bytes(const Arena *a);                        /* handed out so far */
void *arena_alloc(Arena *a, size_t len_bytes);           /* zeroed, 16-byte aligned */
char *arena_strdup(Arena *a, const char *s);
char *arena_strndup(Arena *a, const char *s, size_t n);
char *arena_printf(Arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
#define ARENA_NEW(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define ARENA_ARR(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (size_t)(n)))
void *ws_xmalloc(size_t n);                              /* zeroed; exits on failure */
void *ws_xrealloc(void *p, size_t n);
_Noreturn void ws_die(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* "internal error", exit 70 */

/* ---- buf.c: growing text/byte buffer, always NUL terminated */
typedef struct { char *p; size_t len, cap; } Buf;
void buf_printf(Buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(Buf *b, const char *fmt, va_list ap);
void buf_add(Buf *b, const void *p, size_t n);
void buf_free(Buf *b);

/* ---- file.c */
/* Read a whole file.  Returns a malloc'ed buffer with a NUL behind len bytes, or NULL with errno set
 * (EISDIR for folders, EFBIG over max_bytes). */
char *ws_read_file(const char *path, size_t max_bytes, size_t *len);
/* Output file: written to "PATH.tmpPID", renamed on commit, removed on abort.  path "-" is stdout. */
typedef struct WsOut WsOut;
WsOut *ws_out_open(const char *path);                    /* NULL with errno set */
FILE *ws_out_file(WsOut *o);
int ws_out_fd(WsOut *o);
int ws_out_commit(WsOut *o);                             /* 0, or -1 with errno set; frees o */
void ws_out_abort(WsOut *o);
/* The last thing of a tool that prints: `code` if all of standard output is out, else 1 after a line that says why not. */
int ws_stdout_end(const char *tool, int code);

/* ---- float.c: v in a format of 1 sign, e exponent and m fraction bits; to nearest even, denormals kept, a NaN is quiet and
 * positive.  f16 is (5, 10), bf16 (8, 7), cb16 (6, 9). */
uint64_t ws_float_bits(int e, int m, double v);

/* ---- near.c */
int ws_edit_distance(const char *s, const char *t);     /* large for names of more than 64 bytes */
/* "; did you mean 'x' or 'y'?" for the names closest to name, or "" when none is close.  Text of arena a. */
const char *near_names(Arena *a, const char *name, const char *const *names, size_t n);

/* ---- diag.c: diagnostics are data.  A table file (NAME.def) has rows
 *   ROW( E0301, ERROR, route_conflict, "color %0 is already routed %1 at tile %2", "give one route another color" )
 * and is included twice through DIAG_ENUM / DIAG_ROWS below.  %0..%5 are typed arguments; the hint may be "".
 * The sink sorts by file and offset and prints once, with source line and caret. */
typedef enum { SEV_ERROR, SEV_WARNING, SEV_NOTE, SEV_FATAL } DiagSev;
typedef struct { DiagSev sev; const char *id, *name, *text, *hint; } DiagRow;
typedef struct { uint32_t file; uint32_t off, len; } Loc; /* file 0: no place.  Byte offset and length. */
typedef struct {
    enum { DA_STR, DA_INT, DA_UINT, DA_FLT, DA_CHR } kind;
    union { const char *s; int64_t i; uint64_t u; double f; } v;
} DiagArg;
static inline DiagArg d_str(const char *s) { return (DiagArg){DA_STR, {.s = s}}; }
static inline DiagArg d_int(int64_t i) { return (DiagArg){DA_INT, {.i = i}}; }
static inline DiagArg d_uint(uint64_t u) { return (DiagArg){DA_UINT, {.u = u}}; }
static inline DiagArg d_flt(double f) { return (DiagArg){DA_FLT, {.f = f}}; }

typedef struct Diags Diags;
Diags *diags_new(const char *tool);                      /* tool name, printed before placeless messages */
void diags_free(Diags *d);
/* Register a source text (kept, not copied); returns the file number for Loc.file (>= 1). */
uint32_t diags_add_file(Diags *d, const char *name, const char *text, size_t len);
const char *diags_file_name(const Diags *d, uint32_t file);
const char *diags_file_text(const Diags *d, uint32_t file, size_t *len);
void diags_line_col(const Diags *d, Loc loc, uint32_t *line, uint32_t *col);  /* from 1; col in bytes */
void diag_emit(Diags *d, const DiagRow *row, Loc loc, int nargs, const DiagArg *args);
/* A note that belongs to the diagnostic emitted last (printed under it). */
void diag_note_emit(Diags *d, const DiagRow *row, Loc loc, int nargs, const DiagArg *args);
int diags_errors(const Diags *d);                        /* number of SEV_ERROR and SEV_FATAL so far */
bool diags_full(const Diags *d);                         /* true once the error limit (default 20) is reached */
void diags_set_limit(Diags *d, int max_errors);
void diags_set_werror(Diags *d, bool on);
int diags_print(Diags *d, FILE *out);                    /* sorts, prints what is new, returns the error count */
#define DIAG(d, row, loc, ...)                                                                     \
    diag_emit((d), (row), (loc), (int)(sizeof((DiagArg[]){__VA_ARGS__}) / sizeof(DiagArg)),        \
              (DiagArg[]){__VA_ARGS__})
#define DIAG_NOTE(d, row, loc, ...)                                                                \
    diag_note_emit((d), (row), (loc), (int)(sizeof((DiagArg[]){__VA_ARGS__}) / sizeof(DiagArg)),   \
                   (DiagArg[]){__VA_ARGS__})
/* Table use, in a header H:  the table's rows are written with ROW(id, sev, name, text, hint).
 *   enum { #define ROW(id, sev, name, text, hint) D_##name,   #include "x.def" };
 *   const DiagRow x_rows[] = { #define ROW(...) {SEV_##sev, #id, #name, text, hint}, ... }; */
#endif
