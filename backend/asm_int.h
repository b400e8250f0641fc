/* backend/asm_int.h: the assembler's files among themselves: asm.c (passes, layout), asm_lex.c (cursor, numbers,
 * expressions), asm_ins.c (instructions), asm_dir.c (directives). */
#ifndef WS_ASM_INT_H
#define WS_ASM_INT_H
#include "asm.h"
#include "backend/link/link.h"

enum { SEC_TEXT, SEC_DATA, SEC_BSS, N_SEC, ALIGN_SEC = 16, SEC_LIMIT = 1 << 24 };

typedef struct {
    const char *name;
    int sec;
    uint32_t off, size;            /* bytes within the section; size: what follows up to the next label, padding not counted */
    int next_open;                 /* other label at the same place, index + 1 */
    WsType type;                   /* WT_NONE until data follows or a directive says */
    bool global, local;            /* local: ".L...", no symbol */
} Label;
typedef struct { Buf bytes; uint32_t len, base; int open; } Section;   /* open: last label nothing else has followed yet, index + 1 */
typedef struct { char *key; int value; } IntSlot;
typedef struct { char *key; int64_t value; } EquSlot;
typedef struct {
    const char *name;
    Section sec[N_SEC];
    Label *labels; IntSlot *by_name;
    WsBoot *boot;
    WsLine *lines;
    bool own_lines;                /* it has .line directives: the source itself is not its source */
    uint32_t stack_bytes, uses;
} Cls;
typedef struct { const char *symbol; WsType type; Buf bytes; Loc loc; } PeData;

typedef struct {
    Arena *a;
    Diags *d;
    uint32_t file;
    const char *path, *text, *end;
    const char *line, *p, *eol;    /* this line: start, cursor, end without comment */
    uint32_t line_no;
    int pass;                      /* 1: sizes and labels; 2: bytes */
    int depth;                     /* of parentheses and signs in an expression */
    bool label_ref;                /* the expression read last names a label */
    int cls, cur;                  /* current class (-1: none yet) and section */
    Cls *classes;
    EquSlot *equs;
    WsObj *o;
    WsPlace *places; WsRoute *routes; PeData *pe; const char **files;
    bool arch_given, rect_given;
} As;

/* ---- asm_lex.c.  Readers return false after a report; the cursor then stands anywhere on the line. */
Loc as_loc(const As *s, const char *from);                       /* from .. cursor, at least one byte */
bool as_expected(As *s, const char *what);
bool as_at_end(As *s);                                           /* nothing left on the line */
bool as_char(As *s, char c);                                     /* take c if it is next */
bool as_comma(As *s);
bool as_ident(As *s, const char **p, size_t *n);                 /* no report */
bool as_is(const char *p, size_t n, const char *word);
bool as_word(As *s, const char *word);                           /* take the identifier if it is next */
bool as_name(As *s, const char *what, const char **name);        /* identifier or "string" (arena) */
bool as_string(As *s, Buf *out);
bool as_number(As *s, int64_t *v);                               /* literal: decimal, 0x, 0b, 'c' */
bool as_signed(As *s, int64_t *v);                               /* literal with an optional sign */
bool as_float(As *s, double *v);
bool as_expr(As *s, int64_t *v);
bool as_known(As *s, int64_t *v);                                /* expression without labels */
bool as_ranged(As *s, int64_t *v, int64_t lo, int64_t hi);       /* expression in lo..hi (checked in pass 2 if it names labels) */
bool as_range_check(As *s, const char *from, int64_t v, int64_t lo, int64_t hi);

/* ---- asm.c */
Cls *as_cls(As *s);                                              /* the current class; makes "main" if there is none */
Cls *as_open_class(As *s, const char *name);
uint32_t as_pc(As *s);                                           /* address of what comes next */
bool as_emit(As *s, const void *bytes, uint32_t n, WsType type); /* to the current section */
Label *as_label(As *s, const char *name);                        /* of the current class, or NULL */
bool as_undefined(As *s, const char *from, const char *name);    /* report */
uint16_t as_file_index(As *s, const char *name);                 /* index + 1 */
void as_add_line(As *s, const char *file, uint32_t line);

/* ---- asm_ins.c */
bool as_instruction(As *s, const char *name, size_t n);
bool as_task_id(As *s, int *id);
bool as_attr_async(As *s, int *ut, int *prio, int *act, int *unb, bool *any);   /* one of ut2 ut= prio= act= unb= if it is next */
/* ---- asm_dir.c */
bool as_directive(As *s, const char *name, size_t n);
#endif
