/* frontend/diags.c: the rows of diags.def. */
#include "frontend/diags.h"
const DiagRow fe_diag_rows[D_COUNT] = {
#define ROW(id, sev, name, text, hint) [D_##name] = {SEV_##sev, #id, #name, text, hint},
#include "frontend/diags.def"
#undef ROW
};
