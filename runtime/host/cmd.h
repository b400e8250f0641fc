/* runtime/host/cmd.h: the command stream, inside.  cmd.c keeps the order, cmd_copy.c moves the words. */
#ifndef WS_CMD_H
#define WS_CMD_H
#include "runtime/host/host.h"

typedef enum { CMD_H2D, CMD_D2H, CMD_STREAM_H2D, CMD_STREAM_D2H, CMD_LAUNCH } CmdKind;
typedef struct Cmd {
    CmdKind kind;
    WsrtTask task;
    bool started;                          /* launched or sent; what is left is to wait */
    char *name;                            /* symbol or function; streams: NULL */
    uint8_t color;
    WsrtRegion at;
    uint32_t *host;
    uint32_t args[8];
    int nargs;
} Cmd;

/* word of element e of PE (dx, dy) of the rectangle in the host array; and how many words the array has */
size_t cmd_index(const WsrtRegion *r, unsigned dx, unsigned dy, uint32_t e);
uint64_t cmd_total(const WsrtRegion *r);
int cmd_check_region(Wsrt *rt, const WsrtRegion *r, size_t total, bool to_pe, const char *what);
int cmd_check_symbol(Wsrt *rt, const char *name, const WsrtRegion *r, bool to_pe);     /* what can be known before its turn */
/* Do the command's first part: everything of a copy.  The others are waited for until cmd_ready. */
int cmd_start(Wsrt *rt, Cmd *c);
bool cmd_ready(const Wsrt *rt, const Cmd *c);              /* nothing is left to wait for */
void cmd_end(Wsrt *rt, Cmd *c);                            /* ready: the words that came go to the host array */
void cmd_missing(const Wsrt *rt, const Cmd *c, Buf *out);  /* who keeps it from its end, for the message */
#endif
