/* backend/be_diags.h: the backend's message table (be_diags.def) as an enum and an array.
 *   BE_DIAG(d, too_many_dots, loc, d_int(N_DOT)); */
#ifndef BE_DIAGS_H
#define BE_DIAGS_H
#include "runtime/base/base.h"
enum BeDiag {
#define ROW(id, sev, name, text, hint) BD_##name,
#include "backend/be_diags.def"
#undef ROW
    BD_COUNT
};
extern const DiagRow be_diag_rows[BD_COUNT];
#define BE_DIAG(d, name, loc, ...) DIAG((d), &be_diag_rows[BD_##name], (loc), ##__VA_ARGS__)
#endif
