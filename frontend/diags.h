/* frontend/diags.h: the front end's message table (diags.def) as an enum and an array.
 *   FE_DIAG(d, bad_char, loc, d_str(c));         FE_NOTE(d, name, loc, ...): under the one before */
#ifndef FE_DIAGS_H
#define FE_DIAGS_H
#include "runtime/base/base.h"
enum FeDiag {
#define ROW(id, sev, name, text, hint) D_##name,
#include "frontend/diags.def"
#undef ROW
    D_COUNT
};
extern const DiagRow fe_diag_rows[D_COUNT];
#define FE_DIAG(d, name, loc, ...) DIAG((d), &fe_diag_rows[D_##name], (loc), ##__VA_ARGS__)
#define FE_NOTE(d, name, loc, ...) DIAG_NOTE((d), &fe_diag_rows[D_##name], (loc), ##__VA_ARGS__)
#endif
