/* The rows of link_diags.def. */
#include "link.h"

const DiagRow link_diag_rows[LD_COUNT] = {
#define ROW(id, sev, name, text, hint) [LD_##name] = {SEV_##sev, #id, #name, text, hint},
#include "backend/link/link_diags.def"
#undef ROW
};
