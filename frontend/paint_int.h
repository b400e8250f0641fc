/* frontend/paint_int.h: between paintlex.l, paint.y and paint.c.  Expressions are AstNodes: INT FLOAT STRING BOOL NAME UNARY
 * BINARY, CALL for hstack(...) and the like, and INIT for `tile code FILE {..}` with the file name as its type. */
#ifndef FE_PAINT_INT_H
#define FE_PAINT_INT_H
#include "frontend/paint.h"
#include "frontend/parse_int.h"

typedef enum { PI_LET, PI_LET_PARAM, PI_COLOR, PI_DEFINE, PI_PAINT } PaintItemKind;
typedef struct PaintItem {
    struct PaintItem *next;
    PaintItemKind kind;
    const char *name; /* NULL for PI_PAINT */
    Loc loc;          /* of the name, or of `paint` */
    AstNode *e;       /* NULL for PI_LET_PARAM and for a color without number */
} PaintItem;

typedef struct PaintCx { FeCx fe; PaintItem *first, **end; } PaintCx; /* fe first: the scanner sees only that */

int paint_run_parser(PaintCx *cx); /* paintlex.l */
void paint_item(PaintCx *cx, PaintItemKind kind, const char *name, Loc loc, AstNode *e);
#endif
