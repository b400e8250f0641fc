/* frontend/paint.y: the grammar of the layout language.  One kind of expression for numbers and rectangles; paint.c tells
 * them apart when it evaluates.  Actions build the tree and nothing else. */
%require "3.8"
%define api.pure full
%define api.prefix {paint_yy}
%define api.location.type {Loc}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param {PaintCx *cx} {void *scanner}

%code requires {
#include "frontend/paint_int.h"
}
%code {
int paint_yylex(PAINT_YYSTYPE *val, Loc *loc, PaintCx *cx, void *scanner);
static void paint_yyerror(Loc *loc, PaintCx *cx, void *scanner, const char *msg);

#define N(KIND, loc_, member, ...) \
    fe_put(&cx->fe, (AstNode){.kind = AST_##KIND, .loc = (loc_), .u = {.member = {__VA_ARGS__}}})
#define ADD(vec, n) vec_add(&cx->fe, (vec), (n))
#define NEW vec_new(&cx->fe)
}

%union {
    AstNode *node;
    AstVec *vec;
    const char *name;
}

%token END 0 "end of file"
%token <name> IDENT "name"
%token <node> INT "number" FLOAT "floating-point number" STRING "string"
%token LET "'let'" PARAM "'param'" COLOR "'color'" DEFINE "'define'" TILE "'tile'" CODE "'code'" PAINT "'paint'"
%token TRUE_ "'true'" FALSE_ "'false'"
%type <node> expr tile field
%type <vec> args fields fields_opt

%left '+' '-'
%left '*' '/' '%'
%precedence UNARY_PREC

%%
file: %empty
    | file item
    ;
item: LET IDENT '=' PARAM ';'        { paint_item(cx, PI_LET_PARAM, $2, @2, NULL); }
    | LET IDENT '=' expr ';'         { paint_item(cx, PI_LET, $2, @2, $4); }
    | COLOR IDENT ';'                { paint_item(cx, PI_COLOR, $2, @2, NULL); }
    | COLOR IDENT '=' expr ';'       { paint_item(cx, PI_COLOR, $2, @2, $4); }
    | DEFINE IDENT '=' expr ';'      { paint_item(cx, PI_DEFINE, $2, @2, $4); }
    | PAINT expr ';'                 { paint_item(cx, PI_PAINT, NULL, @1, $2); }
    | error ';'                      { yyerrok; }
    ;
expr: INT
    | FLOAT
    | STRING
    | TRUE_                          { $$ = N(BOOL, @$, num, .value = 1); }
    | FALSE_                         { $$ = N(BOOL, @$, num, .value = 0); }
    | IDENT                          { $$ = N(NAME, @$, name, $1); }
    | IDENT '(' args comma_opt ')'   { $$ = N(CALL, @$, call, N(NAME, @1, name, $1), vec_list($3)); }
    | tile
    | '(' expr ')'                   { $$ = $2; }
    | '-' expr %prec UNARY_PREC      { $$ = N(UNARY, @$, un, OP_NEG, $2); }
    | expr '+' expr                  { $$ = N(BINARY, @$, bin, OP_ADD, $1, $3); }
    | expr '-' expr                  { $$ = N(BINARY, @$, bin, OP_SUB, $1, $3); }
    | expr '*' expr                  { $$ = N(BINARY, @$, bin, OP_MUL, $1, $3); }
    | expr '/' expr                  { $$ = N(BINARY, @$, bin, OP_DIV, $1, $3); }
    | expr '%' expr                  { $$ = N(BINARY, @$, bin, OP_REM, $1, $3); }
    ;
args: expr                           { $$ = ADD(NEW, $1); }
    | args ',' expr                  { $$ = ADD($1, $3); }
    ;
comma_opt: %empty
    | ','
    ;
tile: TILE CODE STRING fields_opt    { $$ = N(INIT, @$, init, $3, vec_list($4), .named = true); }
    ;
fields_opt: %empty                   { $$ = NULL; }
    | '{' '}'                        { $$ = NULL; }
    | '{' fields comma_opt '}'       { $$ = $2; }
    ;
fields: field                        { $$ = ADD(NEW, $1); }
    | fields ',' field               { $$ = ADD($1, $3); }
    ;
field: '.' IDENT '=' expr            { $$ = N(FIELD_INIT, @$, field, .name = $2, .name_loc = @2, .e = $4); }
    ;
%%
static bool have(const bool *set, int token) { return set[YYTRANSLATE(token)]; }

static void drop(bool *set, const int *tokens)
{
    for (; *tokens; tokens++) set[YYTRANSLATE(*tokens)] = false;
}

/* "a, b or c": an expression, an operator, an item stand for their tokens. */
static const char *expected_text(FeCx *cx, bool *set)
{
    static const int expr[] = {INT, FLOAT, STRING, TRUE_, FALSE_, IDENT, TILE, '(', '-', 0};
    static const int ops[] = {'+', '-', '*', '/', '%', '(', 0};
    const char *item[YYNTOKENS];
    int n = 0;
    if (have(set, INT)) item[n++] = "an expression", drop(set, expr);
    else if (have(set, '+')) item[n++] = "an operator", drop(set, ops);
    for (int i = 0; i < YYNTOKENS; i++)
        if (set[i] && i != YYSYMBOL_YYerror) item[n++] = yysymbol_name((yysymbol_kind_t)i);
    const char *s = n ? item[0] : "something else";
    for (int i = 1; i < n; i++) s = arena_printf(cx->a, "%s%s%s", s, i + 1 < n ? ", " : " or ", item[i]);
    return s;
}

static int yyreport_syntax_error(const yypcontext_t *ctx, PaintCx *cx, void *scanner)
{
    FeCx *fe = &cx->fe;
    if (fe->stop) return 0;
    yysymbol_kind_t want[YYNTOKENS];
    bool set[YYNTOKENS] = {false};
    int n = yypcontext_expected_tokens(ctx, want, YYNTOKENS);
    for (int i = 0; i < n; i++) set[want[i]] = true;
    Loc loc = *yypcontext_location(ctx);
    yysymbol_kind_t got = yypcontext_token(ctx);
    const char *what = yysymbol_name(got);
    if (got == YYSYMBOL_IDENT) what = arena_printf(fe->a, "'%s'", fe_slice(fe, loc));
    if (have(set, ';') && fe_on_new_line(fe)) FE_ERR(fe, missing_semicolon, fe->prev);
    else FE_ERR(fe, syntax, loc, d_str(what), d_str(expected_text(fe, set)));
    fe->stop |= diags_full(fe->d);
    return 0;
}

static void paint_yyerror(Loc *loc, PaintCx *cx, void *scanner, const char *msg)
{
    fe_too_deep(&cx->fe, *loc);
}
