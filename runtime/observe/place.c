/* Places in a program as a person reads them: source lines, functions, threads, directions. */
#include "observe.h"
#include <assert.h>

static const WsClass *class_at(const Sim *s, unsigned x, unsigned y)
{
    int32_t c = sim_class(s, x, y);
    return c < 0 ? NULL : &sim_obj(s)->classes[c];
}

const char *obs_function(const Sim *s, unsigned x, unsigned y, uint32_t addr)
{
    const WsClass *c = class_at(s, x, y);
    const WsSym *best = NULL;
    if (!c || addr < c->text_addr || addr >= c->text_addr + c->text_bytes) return NULL;
    for (uint32_t i = 0; i < c->nsyms; i++) {            /* labels have no size: the nearest one before counts */
        const WsSym *y2 = &c->syms[i];
        if ((y2->type == WT_FUNC || y2->type == WT_TASK) && y2->addr <= addr && (!best || y2->addr > best->addr)) best = y2;
    }
    return best ? best->name : NULL;
}

void obs_source(const Sim *s, unsigned x, unsigned y, uint32_t pc, const char **file, uint32_t *line, const char **function)
{
    const WsClass *c = class_at(s, x, y);
    uint16_t f = 0;
    *file = NULL;
    *line = 0;
    if (c && cls_line(c, pc, &f, line) && f >= 1 && f <= sim_obj(s)->nfiles) *file = sim_obj(s)->files[f - 1];
    if (function) *function = obs_function(s, x, y, pc);
}

void obs_print_source(Buf *b, const Sim *s, unsigned x, unsigned y, uint32_t pc)
{
    const char *file;
    uint32_t line;
    obs_source(s, x, y, pc, &file, &line, NULL);
    if (file)
        buf_printf(b, "%s:%u", file, line);
    else
        buf_printf(b, "pc 0x%04x", pc);
}

void obs_print_thread(Buf *b, int thread)
{
    if (thread == THREAD_MAIN)
        buf_printf(b, "main thread");
    else if (thread >= 0)
        buf_printf(b, "microthread %d", thread);
    else
        buf_printf(b, "router");
}

const char *obs_dir_name(Dir d)
{
    static const char *const names[N_DIR] = {"west", "east", "south", "north", "ramp"};
    assert(d < N_DIR);
    return names[d];
}
