/* frontend/parse.h: source text in, syntax tree out. */
#ifndef FE_PARSE_H
#define FE_PARSE_H
#include "frontend/ast.h"

/* Parse one W (.w) or CSL (.csl) file; the suffix of path chooses the words.  Registers the text with d: it must live as
 * long as d.  Tree and names go to a and in.  Never NULL: after errors the file holds the declarations that could be
 * kept and has_errors is set; do not evaluate such a tree.  No node is deeper than AST_MAX_DEPTH unless has_errors. */
AstFile *fe_parse(Arena *a, Diags *d, Interner *in, const char *path, const char *text, size_t len);

FeMode fe_mode_of(const char *path);
#endif
