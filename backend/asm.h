/* backend/asm.h: the assembler.  A whole object as text: instructions as wsobjdump prints them, labels, and the directives
 * of the table at the end of asm_dir.c (classes, data, descriptors, symbols, boot records, placement, routes, per-PE data).
 * The files in tests/isa show each. */
#ifndef WS_ASM_H
#define WS_ASM_H
#include "runtime/isa/obj.h"

/* Assemble a whole source text.  path: its name in messages and in the line table; text need not end in NUL, and must
 * live as long as d.  arch: the one without an .arch line.  Returns 0 and *out (free with obj_free), or the number of
 * errors, which are in d.  a: scratch. */
int asm_file(Arena *a, Diags *d, const char *path, const char *text, size_t len, ArchId arch, WsObj **out);
/* Encode one instruction at byte address pc that names no labels (for tests and tools).  Returns false if it is not one. */
bool asm_one(const char *text, uint32_t pc, uint32_t *word);
#endif
