/* runtime/isa/obj.h: objects and images, in memory and as ELF64 files (libelf).
 *
 * A WsObj is what wslc leaves, wsld edits and wsrun loads.  Object and image are the same format; an image
 * is an object whose `image` flag is set.  Class C has sections .text.C .data.C .bss.C at PE addresses;
 * its symbols are local behind an STT_FILE symbol named C.  .w.place and .w.route hold rectangles, run-length coded;
 * .w.boot.C the boot records; .w.line.C the line table; .w.files the source names; .w.pe.SYMBOL per-PE data
 * (y, then x, then element, over the whole W x H wafer rectangle).  Reading never trusts a number that it read.
 *
 * .w.host holds lines of text for the host side, absent when there are none.  Words are apart by one space:
 *   fabric W H X Y             size of the fabric, and where the rectangle lies in it (--fabric-dims, --fabric-offsets)
 *   export TYPE const|var NAME an exported name and its type, as the layout (@export_name) or the function declares it;
 *                              TYPE has no spaces: f32, [*]f32, fn(i16,f32)void */
#ifndef WS_OBJ_H
#define WS_OBJ_H
#include "isa.h"

typedef enum { WT_NONE, WT_I8, WT_U8, WT_I16, WT_U16, WT_I32, WT_U32, WT_F16, WT_F32, WT_BOOL, WT_PTR, WT_DSD, WT_FUNC, WT_TASK,
               WT_BYTES } WsType;                          /* element type of a symbol */
int ws_type_bytes(WsType t);                             /* element size; 4 for FUNC/TASK, 1 for BYTES */
const char *ws_type_name(WsType t);                      /* "f32", "u16", ... */

typedef struct {
    const char *name;
    uint16_t addr;                                       /* byte address in the PE */
    uint32_t size_bytes;
    WsType type;
    bool global;                                         /* exported: visible to the host */
    bool set;                                            /* filled by the compiler (initialiser) or wsld --set */
} WsSym;

typedef enum { BOOT_TASK, BOOT_IQ, BOOT_OQ, BOOT_ENTRY, BOOT_CTRL, BOOT_ROTATE } BootKind;
enum { BOOT_ACTIVE = 1, BOOT_BLOCKED = 2, BOOT_HIGH = 4, BOOT_LEND = 8 };
typedef struct {
    BootKind kind;
    uint8_t id;          /* TASK: 6-bit task id (bit 5: data); CTRL: control task 0..63; IQ, OQ: queue */
    uint8_t color;       /* IQ, OQ: color (COLOR_NULL: zeros) */
    uint8_t flags;       /* BOOT_ACTIVE, BOOT_BLOCKED, BOOT_HIGH: task (CTRL: not ACTIVE); BOOT_LEND: IQ q + 4 lends its words to q */
    uint16_t addr;       /* TASK, CTRL: entry address; ENTRY: address of main, which runs first, as a task of its own (id none);
                            IQ: added to the ids of control tasks; ROTATE: after so many starts of data task id its control task starts */
    uint16_t first;      /* ROTATE: starts that are counted at boot */
} WsBoot;

typedef struct { uint16_t addr, file; uint32_t line; } WsLine;   /* from addr on, until the next row; file: index + 1 into files */

typedef struct {
    const char *name;
    uint16_t text_addr; uint32_t text_bytes; const uint8_t *text;
    uint16_t data_addr; uint32_t data_bytes; const uint8_t *data;
    uint16_t bss_addr;  uint32_t bss_bytes;
    WsSym *syms;   uint32_t nsyms;
    WsBoot *boot;  uint32_t nboot;
    WsLine *lines; uint32_t nlines;                      /* sorted by addr */
    uint32_t stack_bytes;                                /* what the compiler counted; stack top is mem_bytes */
    uint32_t uses;                                       /* what its code may do beyond the plain machine: USES_... of a class */
} WsClass;

/* What an object needs beyond the plain machine.  The first four are said by the class; the others follow from routes. */
enum {
    USES_CONTROL = 1,    /* control wavelets reach the core: control tasks, on-control actions of input descriptors */
    USES_REGS = 2,       /* loads and stores reach the registers of the machine */
    USES_DSD = 4,        /* FIFO descriptors, switch-advancing outputs, indices of outputs, VLEFT */
    USES_TEARDOWN = 8,   /* a teardown activates task 29 */
    USES_CLASS = 15,
    USES_SWITCH = 16, USES_FILTER = 32, USES_SWAP = 64, USES_MANY_RX = 128, USES_SHUT = 256,
    USES_TABLES = 512    /* input queues with control tasks of their own, rotating tasks: follows from boot records */
};
enum { N_USES = 10, N_ROTATE = 2 };
extern const char *const ws_uses_names[N_USES];          /* by bit: "control", ... */

typedef struct { uint16_t x, y, w, h; uint32_t cls; } WsPlace;             /* rectangles do not overlap; uncovered PEs are empty */
/* A filter on the ramp copy of a color.  COUNTER: counted words 0.. are let through while the counter, which starts at init and
 * goes from limit back to 0, is at most max.  RANGE: a data word is let through if limit <= its high half <= max.  SPARSE: a
 * COUNTER whose limit is limit2 after the first round; at the end of the rounds that have a limit it lets everything through. */
typedef enum { FILTER_NONE, FILTER_COUNTER, FILTER_RANGE, FILTER_SPARSE } FilterKind;
/* COUNTER, SPARSE: which words it counts and judges; COUNTER: only control words pass, and only while the counter is max */
enum { FILTER_DATA = 1, FILTER_CONTROL = 2, FILTER_CONTROL_ONLY = 4 };
typedef struct { uint8_t kind, counts; uint16_t init, max, limit, limit2; } WsFilter;
typedef struct {
    uint16_t x, y, w, h;
    uint8_t color;
    uint16_t slot;                                       /* slot word; initial, OPEN at boot unless SLOT_SHUT */
    uint8_t rx_more;                                     /* inputs besides the slot word's, a bit per Dir */
    uint16_t sw;                                         /* switch word; counts if the slot word has SLOT_SWITCH */
    WsFilter filter;
} WsRoute;

typedef struct {
    const char *symbol;
    uint32_t elem_bytes_per_pe;                          /* bytes per PE */
    const uint8_t *bytes;                                /* W*H*elem_bytes_per_pe; may point into the mapped file */
} WsPeData;

typedef struct WsObj {
    Arena *arena;                                        /* owns everything below except a mapping */
    Arch arch;                                           /* id is stored; parameters are the table's */
    bool image;
    uint16_t w, h;
    WsClass *classes; uint32_t nclasses;
    WsPlace *places;  uint32_t nplaces;
    WsRoute *routes;  uint32_t nroutes;
    WsPeData *pe;     uint32_t npe;
    const char **files; uint32_t nfiles;                 /* source file names */
    const char **host; uint32_t nhost;                   /* lines for the host side: see below */
    void *map; size_t map_len;                           /* mmap of the file it was read from, or NULL */
    void *elf; int fd;
} WsObj;

enum { WS_OBJ_VERSION = 2, WS_OBJ_MACHINE = 0x5753 };    /* e_machine; version in e_flags bits 0-7, arch 8-11, image bit 12 */

WsObj *obj_new(ArchId arch);
void obj_free(WsObj *o);
/* Is the object sound (addresses, counts, ids, rectangles, against the machine and each other)?  NULL, or one line in o's
 * arena that says what is not.  obj_write refuses what fails it; obj_read returns only what passes it. */
const char *obj_check(const WsObj *o);
/* Write to path (temporary name, renamed).  Returns 0; or -1 and *err (arena text of o). */
int obj_write(const WsObj *o, const char *path, const char **err);
/* Read and check a file.  NULL and *err (malloc'ed, one clear line with the path) if it is not a sound object. */
WsObj *obj_read(const char *path, char **err);
/* what the object needs beyond the plain machine: USES_ bits */
uint32_t obj_uses(const WsObj *o);
/* class of PE (x, y), or -1 when nothing is placed there */
int32_t obj_class_at(const WsObj *o, uint32_t x, uint32_t y);
const WsSym *cls_sym(const WsClass *c, const char *name);          /* NULL if none */
const WsSym *cls_sym_at(const WsClass *c, uint32_t addr);           /* the symbol that covers a byte address */
/* file index + 1 and line of an instruction address; false if none */
bool cls_line(const WsClass *c, uint32_t addr, uint16_t *file, uint32_t *line);
#endif
