/* backend/backend.h: from WIR to PE code in an object's class. */
#ifndef WS_BACKEND_H
#define WS_BACKEND_H
#include "ir/ir.h"
#include "runtime/isa/obj.h"

typedef struct {
    int level;                 /* 0: correct and plain; 2: list scheduler, hardware loops */
    bool no_schedule, no_hwloop;
    const char *dump_after;    /* "isel", "sched", "ra", "hwloop": MIR text to dump */
    FILE *dump;
} BeOpts;
/* Compile one class and append it to o (text, data, bss, symbols, boot records, line table).  Loc.file numbers are turned
 * into o->files through d.  Errors (does not fit, too many DSRs, ...) go to d; returns false then.
 * No IR pass is run here: give it the module as the passes left it. */
bool be_compile(Diags *d, IrModule *m, const BeOpts *opts, WsObj *o);
bool be_stage_known(const char *name, size_t n);      /* a stage that dump_after may name; n bytes of name */
#endif
