/* backend/link/link.h: the linker's library: what wsld, wsobjdump, the assembler and the compiler share. */
#ifndef WS_LINK_H
#define WS_LINK_H
#include "runtime/isa/obj.h"

enum LinkDiag {
#define ROW(id, sev, name, text, hint) LD_##name,
#include "backend/link/link_diags.def"
#undef ROW
    LD_COUNT
};
extern const DiagRow link_diag_rows[LD_COUNT];
#define LD_DIAG(d, row, loc, ...) DIAG((d), &link_diag_rows[LD_##row], (loc), ##__VA_ARGS__)
#define LD_NOTE(d, row, loc, ...) DIAG_NOTE((d), &link_diag_rows[LD_##row], (loc), ##__VA_ARGS__)

static inline uint16_t f64_to_f16(double v) { return (uint16_t)ws_float_bits(5, 10, v); } /* IEEE binary16 */

/* ---- size.c */
/* Bytes of PE memory that a class takes: code, data, zeroed data, gaps between them, stack reserve. */
uint32_t class_bytes(const WsClass *c);
/* Does every class fit the PE's memory?  Reports each that does not, with its parts and largest symbols, and by how many
 * bytes.  Section sizes count, not addresses: it works on an object too big to have 16-bit addresses. */
bool size_check(Diags *d, const WsObj *o);

/* ---- set.c, merge.c.  Each returns false after a report.  They write into o's own copy of its file (obj_read maps it
 * privately) and keep what they map of a file until the process ends. */
/* Give symbol the bytes of a file: as many as the symbol has, for every class that has it; or W x H times as many, for each
 * PE its own (y, then x, then element). */
bool ld_set_file(Diags *d, WsObj *o, const char *symbol, const char *path);
/* The same from "1,2,3", values of the symbol's type. */
bool ld_set_values(Diags *d, WsObj *o, const char *symbol, const char *values);
/* Data symbols of all classes that have no value yet, one a line. */
void ld_list_unset(const WsObj *o, FILE *out);
/* Put the classes, placements, routes and per-PE data of from into into; from must live as long. */
bool ld_merge(Diags *d, WsObj *into, const WsObj *from, const char *into_path, const char *from_path);

/* ---- dump.c, dump_routes.c */
void dump_summary(const WsObj *o, const char *path, FILE *out);
void dump_code(const WsObj *o, bool with_source, FILE *out);
void dump_symbols(const WsObj *o, FILE *out);
void dump_boot(const WsObj *o, FILE *out);
void dump_size(const WsObj *o, FILE *out);
void dump_routes(const WsObj *o, FILE *out);
#endif
