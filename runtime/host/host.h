/* runtime/host/host.h: what the files of libwsrt share.  The public side is runtime/include/wsrt.h. */
#ifndef WS_HOST_H
#define WS_HOST_H
#include "runtime/include/wsrt.h"
#include "runtime/sim/sim.h"

#define UNBLOCKS "memcpy.unblocks"            /* exported by stdlib/memcpy/stream.csl: calls of unblock_cmd_stream */

struct Wsrt {
    WsObj *obj;
    Arch arch;                             /* with the user's numbers */
    Sim *sim;                              /* NULL until the machine starts */
    char *engine;                          /* chosen; NULL: the default */
    WsrtSymbol *syms;                      /* sorted: exported first, then by name */
    Buf err, text;                         /* last error; last report */
    atomic_bool interrupt;
    bool faulted, check;
    WsrtEnd end;
    WsrtPrintFn *print; void *print_user;
    WsrtProgressFn *progress; void *progress_user; uint64_t progress_every;
    WsrtExport *exports;                   /* stb array; texts belong to export_texts */
    char **export_texts;                   /* stb array */
    struct Cmd *cmds;                      /* stb array: the command stream, first to last */
    WsrtTask last_task;                    /* number of the last command given */
    uint16_t launches;                     /* done or under way */
    bool booted;                           /* commands may come */
    int broken;                            /* an error that ended the stream, or 0 */
    Buf broken_text;
};

/* sets the error text and returns code */
int rt_fail(Wsrt *rt, WsrtError code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* makes the machine if there is none; WSRT_OK or an error */
int rt_start(Wsrt *rt);
/* symbol of a class, or NULL */
const WsSym *rt_class_sym(const Wsrt *rt, int32_t cls, const char *name);
/* the machine can stream: makes it so, as long as it has not run */
void rt_free_commands(Wsrt *rt);
const WsrtExport *rt_export(Wsrt *rt, const char *name);     /* NULL: not declared */
/* element size and count of a symbol as the host sees it */
void rt_sym_shape(const WsSym *s, WsrtType *type, uint32_t *elem_bytes, uint32_t *elems);
#endif
