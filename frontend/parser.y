/* frontend/parser.y: the grammar of W and of CSL, which is W without the words and arrows of Tungsten.
 *
 * Takes the tokens of lexer.l, leaves cx->out->decls.  LALR(1) without conflicts; the points that keep it so:
 *   - a statement starts with a `postfix` alone or left of `= += <- <+-`, never with an expression that starts with
 *     `{ if switch`, a literal or an operator; so blocks, loops and labels need no lookahead;
 *   - `type` lies below `expr`, and only `expr` has a brace behind a type: `fn f() T {` is a body;
 *   - `value` is where a whole expression ends at , ; ) ] or }: if-expressions, jumps, lambdas, blocks live only there;
 *   - `if (c) a() else b();` needs rules of its own, so there is no dangling else among statements;
 *   - ∑ binds like +, so it takes products and not sums.
 * Actions build the tree and nothing else. */
%require "3.8"
%define api.pure full
%define api.prefix {fe_yy}
%define api.location.type {Loc}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param {FeCx *cx} {void *scanner}

%code requires {
#include "frontend/parse_int.h"
}
%code {
int fe_yylex(FE_YYSTYPE *val, Loc *loc, FeCx *cx, void *scanner);
static void fe_yyerror(Loc *loc, FeCx *cx, void *scanner, const char *msg);

#define L(x) vec_list(x)
#define N(KIND, loc_, member, ...) \
    fe_put(cx, (AstNode){.kind = AST_##KIND, .loc = (loc_), .u = {.member = {__VA_ARGS__}}})
#define BIN(op_, l_, r_, loc_) N(BINARY, loc_, bin, .op = OP_##op_, .l = (l_), .r = (r_))
#define UN(op_, e_, loc_) N(UNARY, loc_, un, .op = OP_##op_, .e = (e_))
}

%union {
    AstNode *node;
    AstVec *vec;
    const char *name;
    AstOp op;
    AstAttrs *attrs;
    AstCapture cap;
    unsigned flags;
    AstSockDir dir;
}

%token END 0 "end of file"
%token <name> IDENT "name"
%token <name> INDEX "'index'" ITER "'iter'" SOCKET "'socket'" IN "'in'" OUT "'out'" QUEUE "'queue'" SUM "'sum'"
%token <name> FORALL "'forall'" FOREVER "'forever'" PARALLEL "'parallel'" HOST "'host'" DISPATCH "'dispatch'"
%token <name> BUILTIN "builtin"
%token <node> INT "number" FLOAT "floating-point number" STRING "string"
%token <op> OP_ASSIGN "assignment operator"
%token ALIGN "'align'" AND "'and'" ANYTYPE "'anytype'" BREAK "'break'" COMPTIME "'comptime'" CONST "'const'"
%token CONTINUE "'continue'" ELSE "'else'" ENUM "'enum'" EXPORT "'export'" EXTERN "'extern'" FALSE_ "'false'"
%token FN "'fn'" FOR "'for'" IF "'if'" INLINE "'inline'" LAYOUT "'layout'" LINKNAME "'linkname'"
%token LINKSECTION "'linksection'" OR "'or'" PACKED "'packed'" PARAM "'param'" RETURN "'return'" STRUCT "'struct'"
%token SWITCH "'switch'" TASK "'task'" TRUE_ "'true'" UNDEFINED "'undefined'" UNION "'union'" VAR "'var'"
%token WHILE "'while'"
%token DOT_BRACE "'.{'" DOT_STAR "'.*'" ELLIPSIS "'...'" FAT_ARROW "'=>'" THIN_ARROW "'->'"
%token EQ "'=='" NE "'!='" LE "'<='" GE "'>='" SHL "'<<'" SHR "'>>'"
%token ARROW "'<-'" ACC_ARROW "'<+-'" SUM_SIGN "'∑'" FORALL_SIGN "'∀'"

%type <name> name field_name label_opt
%type <node> decl var_decl fn_decl stream_decl stmt simple assign jump block loop forever if_stmt value expr type postfix
%type <node> view case case_label case_body param_decl member enum_member field_init switch dispatch type_opt init_opt
%type <node> ret_opt value_opt step_opt capture_name body_or_semi container
%type <vec> decls stmts values values_opt params params_opt cases case_labels members enum_members
%type <vec> types types_opt names fields init_items
%type <attrs> attrs
%type <cap> captures
%type <flags> linkage comptime_opt inline_opt
%type <dir> direction

/* lowest to highest */
%precedence NO_ELSE
%precedence ELSE
%left OR
%left AND
%nonassoc EQ NE '<' '>' LE GE
%left '&' '|' '^'
%left SHL SHR
%left '+' '-' SUM_PREC
%left '*' '/' '%'
%precedence UNARY_PREC

%%
/* ---- declarations */
file: decls                                     { cx->out->decls = L($1); }
    ;
decls: %empty                                   { $$ = vec_new(cx); }
    | decls decl                                { $$ = vec_add(cx, $1, $2); }
    ;
decl: linkage var_decl ';'                      { $$ = fe_doc(cx, @$.off, fe_decl_flags(cx, $2, $1)); }
    | linkage fn_decl                           { $$ = fe_doc(cx, @$.off, fe_decl_flags(cx, $2, $1)); }
    | PARAM name type_opt attrs init_opt ';'
      { $$ = fe_doc(cx, @$.off, N(PARAM, @2, var, .name = $2, .type = $3, .attrs = $4, .init = $5)); }
    | stream_decl                               { $$ = fe_doc(cx, @$.off, $1); }
    | COMPTIME block                            { $$ = N(COMPTIME, @$, wrap, $2); }
    | LAYOUT block                              { $$ = N(LAYOUT, @$, wrap, $2); }
    | error ';'                                 { $$ = NULL; yyerrok; }
    | error '}'                                 { $$ = NULL; yyerrok; }
    ;
linkage: %empty                                 { $$ = 0; }
    | EXPORT                                    { $$ = DECL_EXPORT; }
    | EXTERN                                    { $$ = DECL_EXTERN; }
    | EXTERN HOST                               { $$ = DECL_EXTERN | DECL_HOST; }
    | INLINE                                    { $$ = DECL_INLINE; }
    | EXPORT INLINE                             { $$ = DECL_EXPORT | DECL_INLINE; }
    ;
var_decl: CONST name type_opt attrs init_opt
      { $$ = N(CONST, @2, var, .name = $2, .type = $3, .attrs = $4, .init = $5); }
    | VAR name type_opt attrs init_opt
      { $$ = N(VAR, @2, var, .name = $2, .type = $3, .attrs = $4, .init = $5); }
    ;
type_opt: %empty                                { $$ = NULL; }
    | ':' type                                  { $$ = $2; }
    ;
init_opt: %empty                                { $$ = NULL; }
    | '=' value                                 { $$ = $2; }
    ;
attrs: %empty                                   { $$ = NULL; }
    | attrs ALIGN '(' value ')'                 { $$ = fe_attr(cx, $1, (AstAttrs){.align = $4}); }
    | attrs LINKNAME '(' value ')'              { $$ = fe_attr(cx, $1, (AstAttrs){.linkname = $4}); }
    | attrs LINKSECTION '(' value ')'           { $$ = fe_attr(cx, $1, (AstAttrs){.linksection = $4}); }
    ;
fn_decl: FN name '(' params_opt ')' attrs type attrs body_or_semi
      { $$ = N(FN, @2, fn, .name = $2, .args = L($4), .ret = $7, .body = $9,
               .attrs = fe_attr(cx, $6, $8 ? *$8 : (AstAttrs){0})); }
    | TASK name '(' params_opt ')' attrs ret_opt body_or_semi
      { $$ = N(TASK, @2, fn, .name = $2, .args = L($4), .ret = $7, .body = $8, .attrs = $6); }
    ;
ret_opt: %empty                                 { $$ = NULL; }
    | type attrs                                { $$ = $1; (void)$2; }
    ;
body_or_semi: block
    | ';'                                       { $$ = NULL; }
    ;
params_opt: %empty                              { $$ = NULL; }
    | params comma_opt                          { $$ = $1; }
    ;
params: param_decl                              { $$ = vec_add(cx, vec_new(cx), $1); }
    | params ',' param_decl                     { $$ = vec_add(cx, $1, $3); }
    ;
param_decl: comptime_opt name ':' type          { $$ = N(FN_PARAM, @2, arg, .name = $2, .type = $4, .is_comptime = $1); }
    ;
comptime_opt: %empty                            { $$ = 0; }
    | COMPTIME                                  { $$ = 1; }
    ;
comma_opt: %empty
    | ','
    ;
stream_decl: INDEX name '=' value ';'           { $$ = N(INDEX_SET, @2, var, .name = $2, .init = $4); }
    | ITER name ':' type '=' value ';'          { $$ = N(ITER, @2, var, .name = $2, .type = $4, .init = $6); }
    | SOCKET name ':' direction type '=' QUEUE expr ';'
      { $$ = N(SOCKET, @2, socket, .name = $2, .dir = $4, .type = $5, .queue = $8); }
    ;
direction: IN                                   { $$ = SOCK_IN; }
    | OUT                                       { $$ = SOCK_OUT; }
    ;

/* ---- statements */
block: '{' stmts '}'                            { $$ = N(BLOCK, @$, block, .stmts = L($2)); }
    | '{' stmts error '}'                       { $$ = N(BLOCK, @$, block, .stmts = L($2)); yyerrok; }
    ;
stmts: %empty                                   { $$ = vec_new(cx); }
    | stmts stmt                                { $$ = vec_add(cx, $1, $2); }
    ;
stmt: simple ';'
    | var_decl ';'
    | stream_decl
    | block
    | name ':' block                            { $$ = $3; $$->u.block.label = $1; }
    | loop
    | forever
    | name ':' loop                             { $$ = $3; $$->u.loop.label = $1; }
    | name ':' forever                          { $$ = $3; $$->u.loop.label = $1; }
    | if_stmt
    | switch
    | dispatch
    | COMPTIME stmt                             { $$ = fe_comptime(cx, @$, $2); }
    | forall name stmt                          { $$ = N(FORALL, @$, idx, .index = $2, .index_loc = @2, .e = $3); }
    | PARALLEL block                            { $$ = N(PARALLEL, @$, wrap, $2); }
    | error ';'                                 { $$ = NULL; yyerrok; }
    ;
simple: postfix
    | assign
    | jump
    ;
assign: postfix '=' value                       { $$ = N(ASSIGN, @$, assign, OP_NONE, $1, $3); }
    | postfix OP_ASSIGN value                   { $$ = N(ASSIGN, @$, assign, $2, $1, $3); }
    | postfix ARROW value                       { $$ = fe_arrow(cx, @$, $1, $3); }
    | postfix ACC_ARROW value                   { $$ = N(ACCUM, @$, assign, OP_NONE, $1, $3); }
    | view ARROW value                          { $$ = fe_arrow(cx, @$, $1, $3); }
    ;
jump: RETURN value_opt                          { $$ = N(RETURN, @$, jump, NULL, $2); }
    | BREAK label_opt                           { $$ = N(BREAK, @$, jump, $2, NULL); }
    | BREAK ':' name value                      { $$ = N(BREAK, @$, jump, $3, $4); }
    | CONTINUE label_opt                        { $$ = N(CONTINUE, @$, jump, $2, NULL); }
    ;
label_opt: %empty                               { $$ = NULL; }
    | ':' name                                  { $$ = $2; }
    ;
value_opt: %empty                               { $$ = NULL; }
    | value
    ;
if_stmt: IF '(' value ')' stmt                  { $$ = N(IF, @$, iff, $3, $5, NULL); }
    | IF '(' value ')' block ELSE stmt          { $$ = N(IF, @$, iff, $3, $5, $7); }
    | IF '(' value ')' simple ELSE stmt         { $$ = N(IF, @$, iff, $3, $5, $7); }
    ;
loop: inline_opt WHILE '(' value ')' step_opt stmt
      { $$ = N(WHILE, @$, loop, .cond = $4, .step = $6, .body = $7, .is_inline = $1); }
    | inline_opt FOR '(' value ')' captures stmt
      { $$ = N(FOR, @$, loop, .cond = $4, .elem = $6.elem, .pos = $6.pos, .body = $7, .is_inline = $1); }
    ;
forever: FOREVER block                          { $$ = N(FOREVER, @$, loop, .body = $2); }
    ;
inline_opt: %empty                              { $$ = 0; }
    | INLINE                                    { $$ = 1; }
    ;
step_opt: %empty                                { $$ = NULL; }
    | ':' '(' simple ')'                        { $$ = $3; }
    ;
captures: '|' name '|'                          { $$ = (AstCapture){$2, NULL}; }
    | '|' name ',' name '|'                     { $$ = (AstCapture){$2, $4}; }
    ;
switch: SWITCH '(' value ')' '{' cases comma_opt '}' { $$ = N(SWITCH, @$, swtch, $3, L($6)); }
    ;
dispatch: DISPATCH '(' value ')' '{' cases comma_opt '}' { $$ = N(DISPATCH, @$, swtch, $3, L($6)); }
    ;
cases: case                                     { $$ = vec_add(cx, vec_new(cx), $1); }
    | cases ',' case                            { $$ = vec_add(cx, $1, $3); }
    ;
case: case_labels comma_opt FAT_ARROW case_body { $$ = N(CASE, @$, cas, L($1), $4); }
    | ELSE FAT_ARROW case_body                  { $$ = N(CASE, @$, cas, .body = $3); }
    | error FAT_ARROW case_body                 { $$ = NULL; (void)$3; yyerrok; }
    | error                                     { $$ = NULL; }
    ;
case_labels: case_label                         { $$ = vec_add(cx, vec_new(cx), $1); }
    | case_labels ',' case_label                { $$ = vec_add(cx, $1, $3); }
    ;
case_label: expr
    | expr ELLIPSIS expr                        { $$ = N(RANGE, @$, bin, OP_NONE, $1, $3); }
    ;
case_body: value
    | assign
    | loop
    | name ':' loop                             { $$ = $3; $$->u.loop.label = $1; }
    ;
forall: FORALL
    | FORALL_SIGN
    ;

/* ---- expressions */
value: expr
    | block                                     { $$ = fe_block_value(cx, $1); }
    | name ':' block                            { $$ = $3; $$->u.block.label = $1; }
    | jump
    | COMPTIME value                            { $$ = fe_comptime(cx, @$, $2); }
    | IF '(' value ')' value %prec NO_ELSE      { $$ = N(IF, @$, iff, $3, $5, NULL); }
    | IF '(' value ')' value ELSE value         { $$ = N(IF, @$, iff, $3, $5, $7); }
    | '|' names '|' '{' values comma_opt '}' THIN_ARROW value
      { $$ = N(LAMBDA, @$, lambda, L($2), L($5), $9); }
    ;
values: value                                   { $$ = vec_add(cx, vec_new(cx), $1); }
    | values ',' value                          { $$ = vec_add(cx, $1, $3); }
    ;
values_opt: %empty                              { $$ = NULL; }
    | values comma_opt                          { $$ = $1; }
    ;
names: capture_name                             { $$ = vec_add(cx, vec_new(cx), $1); }
    | names ',' capture_name                    { $$ = vec_add(cx, $1, $3); }
    ;
capture_name: name                              { $$ = N(NAME, @1, name, $1); }
    ;
expr: type
    | type '{' init_items '}'                   { $$ = fe_init(cx, @$, $1, $3); }
    | DOT_BRACE init_items '}'                  { $$ = fe_init(cx, @$, NULL, $2); }
    | '.' field_name                            { $$ = N(ENUM_LIT, @$, name, $2); }
    | INT
    | FLOAT
    | STRING
    | TRUE_                                     { $$ = N(BOOL, @$, num, .value = 1); }
    | FALSE_                                    { $$ = N(BOOL, @$, num, .value = 0); }
    | UNDEFINED                                 { $$ = N(UNDEFINED, @$, none, 0); }
    | view
    | switch
    | sum_sign forall name expr %prec SUM_PREC  { $$ = N(SUM, @$, idx, .index = $3, .index_loc = @3, .e = $4); }
    | '-' expr %prec UNARY_PREC                 { $$ = UN(NEG, $2, @$); }
    | '!' expr %prec UNARY_PREC                 { $$ = UN(NOT, $2, @$); }
    | '~' expr %prec UNARY_PREC                 { $$ = UN(BNOT, $2, @$); }
    | '&' expr %prec UNARY_PREC                 { $$ = UN(ADDR, $2, @$); }
    | expr OR expr                              { $$ = BIN(OR, $1, $3, @$); }
    | expr AND expr                             { $$ = BIN(AND, $1, $3, @$); }
    | expr EQ expr                              { $$ = BIN(EQ, $1, $3, @$); }
    | expr NE expr                              { $$ = BIN(NE, $1, $3, @$); }
    | expr '<' expr                             { $$ = BIN(LT, $1, $3, @$); }
    | expr '>' expr                             { $$ = BIN(GT, $1, $3, @$); }
    | expr LE expr                              { $$ = BIN(LE, $1, $3, @$); }
    | expr GE expr                              { $$ = BIN(GE, $1, $3, @$); }
    | expr '&' expr                             { $$ = BIN(BAND, $1, $3, @$); }
    | expr '|' expr                             { $$ = BIN(BOR, $1, $3, @$); }
    | expr '^' expr                             { $$ = BIN(BXOR, $1, $3, @$); }
    | expr SHL expr                             { $$ = BIN(SHL, $1, $3, @$); }
    | expr SHR expr                             { $$ = BIN(SHR, $1, $3, @$); }
    | expr '+' expr                             { $$ = BIN(ADD, $1, $3, @$); }
    | expr '-' expr                             { $$ = BIN(SUB, $1, $3, @$); }
    | expr '*' expr                             { $$ = BIN(MUL, $1, $3, @$); }
    | expr '/' expr                             { $$ = BIN(DIV, $1, $3, @$); }
    | expr '%' expr                             { $$ = BIN(REM, $1, $3, @$); }
    ;
sum_sign: SUM
    | SUM_SIGN
    ;
view: name ':' postfix                          { $$ = N(VIEW, @$, field, .name = $1, .name_loc = @1, .e = $3); }
    ;
init_items: %empty                              { $$ = NULL; }
    | values comma_opt                          { $$ = $1; }
    | fields comma_opt                          { $$ = $1; }
    ;
fields: field_init                              { $$ = vec_add(cx, vec_new(cx), $1); }
    | fields ',' field_init                     { $$ = vec_add(cx, $1, $3); }
    ;
field_init: '.' field_name '=' value            { $$ = N(FIELD_INIT, @$, field, .name = $2, .name_loc = @2, .e = $4); }
    ;
postfix: name                                   { $$ = N(NAME, @$, name, $1); }
    | BUILTIN '(' values_opt ')'                { $$ = N(BUILTIN, @$, builtin, $1, L($3)); }
    | '(' value ')'                             { $$ = $2; $$->parens = true; $$->loc = @$; }
    | postfix '(' values_opt ')'                { $$ = N(CALL, @$, call, $1, L($3)); }
    | postfix '[' values comma_opt ']'          { $$ = N(INDEX, @$, index, $1, L($3)); }
    | postfix '[' ']'                           { $$ = N(ELEM, @$, wrap, $1); }
    | postfix '.' field_name                    { $$ = N(FIELD, @$, field, .e = $1, .name = $3, .name_loc = @3); }
    | postfix DOT_STAR                          { $$ = N(DEREF, @$, wrap, $1); }
    ;

/* ---- types: prefix forms over a postfix */
type: postfix
    | '[' values comma_opt ']' type             { $$ = N(T_ARRAY, @$, tarray, L($2), $5); }
    | '[' '*' ']' type                          { $$ = N(T_POINTER, @$, tptr, $4, .many = true); }
    | '[' '*' ']' CONST type                    { $$ = N(T_POINTER, @$, tptr, $5, .many = true, .is_const = true); }
    | '*' type                                  { $$ = N(T_POINTER, @$, tptr, $2); }
    | '*' CONST type                            { $$ = N(T_POINTER, @$, tptr, $3, .is_const = true); }
    | FN '(' types_opt ')' type                 { $$ = N(T_FN, @$, tfn, L($3), $5); }
    | TASK '(' types_opt ')' type               { $$ = N(T_FN, @$, tfn, L($3), $5, .is_task = true); }
    | ANYTYPE                                   { $$ = N(T_ANYTYPE, @$, none, 0); }
    | container                                 { $$->loc = @$; }
    | EXTERN container                          { $$ = $2; $$->loc = @$; $$->u.tcont.layout = LAYOUT_EXTERN; }
    | PACKED container                          { $$ = $2; $$->loc = @$; $$->u.tcont.layout = LAYOUT_PACKED; }
    | ENUM '{' enum_members comma_opt '}'       { $$ = N(T_ENUM, @$, tcont, NULL, L($3)); }
    | ENUM '(' type ')' '{' enum_members comma_opt '}' { $$ = N(T_ENUM, @$, tcont, $3, L($6)); }
    ;
types_opt: %empty                               { $$ = NULL; }
    | types comma_opt                           { $$ = $1; }
    ;
types: type                                     { $$ = vec_add(cx, vec_new(cx), $1); }
    | types ',' type                            { $$ = vec_add(cx, $1, $3); }
    ;
container: STRUCT '{' '}'                       { $$ = N(T_STRUCT, @$, tcont, NULL); }
    | STRUCT '{' members comma_opt '}'          { $$ = N(T_STRUCT, @$, tcont, NULL, L($3)); }
    | UNION '{' members comma_opt '}'           { $$ = N(T_UNION, @$, tcont, NULL, L($3)); }
    | UNION '(' type ')' '{' members comma_opt '}' { $$ = N(T_UNION, @$, tcont, $3, L($6)); }
    ;
members: member                                 { $$ = vec_add(cx, vec_new(cx), $1); }
    | members ',' member                        { $$ = vec_add(cx, $1, $3); }
    ;
member: name ':' type init_opt                  { $$ = N(MEMBER, @1, member, $1, $3, $4); }
    ;
enum_members: enum_member                       { $$ = vec_add(cx, vec_new(cx), $1); }
    | enum_members ',' enum_member              { $$ = vec_add(cx, $1, $3); }
    ;
enum_member: name init_opt                      { $$ = N(MEMBER, @1, member, .name = $1, .value = $2); }
    ;

/* ---- names: Tungsten's words are names wherever a name may stand */
name: IDENT | INDEX | ITER | SOCKET | IN | OUT | QUEUE | SUM | FORALL | FOREVER | PARALLEL | HOST
    ;
field_name: name | DISPATCH
    ;
%%
/* ---- messages.  Expected tokens are told by group: when both signs of a group are expected, its text stands for all its
 * members.  The widest group comes first. */
#define WORDS INDEX, ITER, SOCKET, IN, OUT, QUEUE, SUM, FORALL, FOREVER, PARALLEL, HOST
#define TYPE_STARTERS IDENT, WORDS, BUILTIN, '(', '[', '*', FN, TASK, ANYTYPE, STRUCT, UNION, ENUM, EXTERN, PACKED
#define OPERATORS OR, AND, EQ, NE, '<', '>', LE, GE, '&', '|', '^', SHL, SHR, '+', '-', '*', '/', '%'
#define MEMBERS(...) (const int[]){__VA_ARGS__, 0}
typedef struct { int sign, sign2; const char *text; int members[64]; } Group;

static const Group groups[] = {
    {INT, '(', "an expression", {TYPE_STARTERS, INT, FLOAT, STRING, TRUE_, FALSE_, UNDEFINED, DOT_BRACE, '.',
        SUM_SIGN, SWITCH, IF, COMPTIME, RETURN, BREAK, CONTINUE, '{', '|', '-', '!', '~', '&'}},
    {VAR, WHILE, "a statement", {IDENT, WORDS, BUILTIN, '(', '{', CONST, VAR, IF, WHILE, FOR, SWITCH, RETURN,
        BREAK, CONTINUE, COMPTIME, INLINE, DISPATCH, FORALL_SIGN}},
    {VAR, LAYOUT, "a declaration", {CONST, VAR, FN, TASK, PARAM, EXPORT, EXTERN, INLINE, COMPTIME, LAYOUT,
        INDEX, ITER, SOCKET}},
    {ANYTYPE, '[', "a type", {TYPE_STARTERS, CONST}},
    {IDENT, IDENT, "a name", {IDENT, WORDS, DISPATCH}},
    {'+', '*', "an operator", {OPERATORS, '(', '[', '.', DOT_STAR, '{', ELLIPSIS}},
    {OP_ASSIGN, '=', "an assignment", {OP_ASSIGN, '=', ARROW, ACC_ARROW, '(', '[', '.', DOT_STAR, ':'}},
    {DOT_STAR, '.', NULL, {'(', '[', '.', DOT_STAR}},
    {0}};

static bool expects(const bool *set, int token) { return set[YYTRANSLATE(token)]; }

static void drop(bool *set, const int *tokens)
{
    for (; *tokens; tokens++) set[YYTRANSLATE(*tokens)] = false;
}

/* "a, b or c".  Eats set. */
static const char *expected_text(FeCx *cx, bool *set)
{
    const char *item[YYNTOKENS];
    int n = 0;
    if (cx->mode == FE_MODE_CSL) drop(set, MEMBERS(WORDS, DISPATCH, SUM_SIGN, FORALL_SIGN, ARROW, ACC_ARROW));
    for (const Group *g = groups; g->sign; g++)
        if (expects(set, g->sign) && expects(set, g->sign2)) {
            if (g->text) item[n++] = g->text;
            drop(set, g->members);
        }
    for (int i = 0; i < YYNTOKENS; i++)
        if (set[i] && i != YYSYMBOL_YYerror) item[n++] = yysymbol_name((yysymbol_kind_t)i);
    const char *s = n ? item[0] : "something else";
    for (int i = 1; i < n; i++) s = arena_printf(cx->a, "%s%s%s", s, i + 1 < n ? ", " : " or ", item[i]);
    return s;
}

static bool is_comparison(int t) { return t == EQ || t == NE || t == LE || t == GE || t == '<' || t == '>'; }

static bool is_operator(int t)
{
    for (const int *p = MEMBERS(OPERATORS); *p; p++)
        if (*p == t) return true;
    return false;
}

static bool starts_statement(int t)
{
    for (const int *p = MEMBERS(CONST, VAR, PARAM, FN, TASK, EXPORT, EXTERN, LAYOUT, WHILE, FOR, IF, RETURN, BREAK,
                                CONTINUE, COMPTIME, SWITCH, INLINE); *p; p++)
        if (*p == t) return true;
    return false;
}

/* Between two items of a list that stand on two lines, or behind a `}`. */
static bool comma_forgotten(FeCx *cx, const bool *set, int tok)
{
    if (!expects(set, ',') || expects(set, ';') || strchr(")]}", tok < 128 ? tok : ' ')) return false;
    return tok != END && (fe_on_new_line(cx) || cx->prev_tok == '}') && !starts_statement(tok);
}

/* Mistakes that have a message of their own. */
static bool known_mistake(FeCx *cx, const bool *set, int tok, Loc loc)
{
    if (tok == '.' && cx->prev_tok == '{') FE_ERR(cx, dot_forgotten, loc);
    else if (tok == ELSE && cx->prev_tok == ';') FE_ERR(cx, semicolon_before_else, cx->prev);
    else if (tok == '<' && cx->mode == FE_MODE_CSL && expects(set, OP_ASSIGN) && cx->text[loc.off + 1] == '-')
        FE_ERR(cx, tungsten_char, loc, d_str("'<-'"));
    else if (tok == ARROW && loc.len == 2 && !expects(set, ARROW) && expects(set, '+')) FE_ERR(cx, arrow_in_expr, loc);
    else if (is_comparison(tok) && expects(set, '+')) FE_ERR(cx, chained_comparison, loc);
    else if (is_operator(tok) && expects(set, OP_ASSIGN)) FE_ERR(cx, stmt_no_effect, loc);
    else if (expects(set, ';') && fe_on_new_line(cx)) FE_ERR(cx, missing_semicolon, cx->prev);
    else if (comma_forgotten(cx, set, tok)) FE_ERR(cx, missing_comma, cx->prev);
    else return false;
    return true;
}

/* Tell the scanner what comes next.  A statement that starts on a line of its own is kept: first a `;` is put before it,
 * and if that does not help (a function inside an unclosed block) a `}`.  Else the rest of the statement is skipped. */
static void choose_recovery(FeCx *cx, bool at_line_start)
{
    int tok = cx->last_tok;
    bool again = cx->err_off == cx->last.off + 1;
    cx->recover = REC_NONE;
    if (tok == ';' || tok == '}' || tok == END) return;      /* fits behind `error` as it is */
    if (at_line_start && !again) cx->recover = REC_SEMICOLON;
    else if (again && cx->depth > 0) cx->recover = REC_BRACE;
    else cx->recover = tok == '.' && cx->prev_tok == '{' ? REC_SKIP_TO_BRACE : REC_SKIP;
    if (cx->recover == REC_SEMICOLON || cx->recover == REC_BRACE) cx->err_off = cx->last.off + 1;
}

static void report(const yypcontext_t *ctx, FeCx *cx, bool *set)
{
    Loc loc = *yypcontext_location(ctx);
    yysymbol_kind_t got = yypcontext_token(ctx);
    if (known_mistake(cx, set, cx->last_tok, loc)) return;
    const char *what = yysymbol_name(got), *expected = expected_text(cx, set);
    if (got == YYSYMBOL_IDENT || got == YYSYMBOL_BUILTIN || got == YYSYMBOL_INT || got == YYSYMBOL_OP_ASSIGN)
        what = arena_printf(cx->a, "'%s'", fe_slice(cx, loc));
    FE_ERR(cx, syntax, loc, d_str(what), d_str(expected));
}

static int yyreport_syntax_error(const yypcontext_t *ctx, FeCx *cx, void *scanner)
{
    if (cx->stop) return 0;
    yysymbol_kind_t want[YYNTOKENS];
    bool set[YYNTOKENS] = {false};
    int n = yypcontext_expected_tokens(ctx, want, YYNTOKENS);
    for (int i = 0; i < n; i++) set[want[i]] = true;
    bool kept = fe_on_new_line(cx) && (starts_statement(cx->last_tok) || expects(set, ';'));
    if (cx->err_off != cx->last.off + 1) report(ctx, cx, set);   /* a token that was kept is reported once */
    cx->failed = true;
    if (comma_forgotten(cx, set, cx->last_tok)) cx->recover = REC_NONE;  /* the next item may fit behind `error` */
    else choose_recovery(cx, kept);
    cx->stop |= diags_full(cx->d);
    return 0;
}

/* Called for one thing only: the parser's stack is full. */
static void fe_yyerror(Loc *loc, FeCx *cx, void *scanner, const char *msg)
{
    fe_too_deep(cx, *loc);
}
