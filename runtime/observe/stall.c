/* The stall report: takes a machine in which nothing can move and says why.
 *
 * First part, groups: each PE has findings (a thread that waits, a word that cannot leave); equal findings of one
 * class at one line are one group, with a count and an example.  Second part, chains: from the example of a group,
 * who waits for whom, one line a step:
 *
 *     a thread that wants a word   -> upstream through the routers to the PE that sends it -> what that one waits for
 *     a thread that wants space    -> downstream to the first buffer that stays full -> who should read it
 *     a thread that wants a teardown -> upstream to the PE that should send it
 *
 * until a PE comes again (a cycle) or there is an end (nothing left to do, a closed slot, a blocked task).
 * Only the state that sim.h shows is used, so the report is the same for every engine. */
#include "observe.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    CAUSE_RUNNING, CAUSE_TIME,                           /* in obs_where_report only */
    CAUSE_INPUT, CAUSE_OUTPUT, CAUSE_UT, CAUSE_SLOT, CAUSE_SOCKET, CAUSE_CALL, CAUSE_FIFO, CAUSE_UT_BLOCKED,
    CAUSE_TASK_BLOCKED,                                  /* a word for a data task that is blocked */
    CAUSE_CONTROL,                                       /* a control word whose task has no code, is blocked, or cannot start */
    CAUSE_NO_READER,                                     /* words in an input queue, and nobody takes them */
    CAUSE_SLOT_CLOSED, CAUSE_SLOT_NONE, CAUSE_WRONG_RX   /* words at a router that its slot does not take */
} Cause;

typedef struct {                                         /* compared as bytes: always made by memset first */
    int32_t cls;
    uint32_t cause, file, line;
    int16_t thread, task;
    uint8_t queue, color, slot_state, rx, from, at;      /* at: switch position + 1; 0: no switch */
    bool torn_down;
} Key;
typedef struct { Key key; uint64_t pes; unsigned x, y; uint16_t pc; uint32_t done, total; bool endless; } Group;
typedef struct { Key key; uint32_t value; } KeySlot;
typedef struct { const Sim *s; Group *groups; KeySlot *index; uint64_t pes; bool where; } Report;

/* ---- findings of one PE */

static Key key_new(const Report *r, unsigned x, unsigned y, Cause cause)
{
    Key k;
    memset(&k, 0, sizeof k);
    k.cls = sim_class(r->s, x, y);
    k.cause = cause;
    k.thread = -1;
    k.task = -1;
    k.color = COLOR_NONE;
    return k;
}

static Group *found(Report *r, unsigned x, unsigned y, Key key)
{
    ptrdiff_t i = hmgeti(r->index, key);
    if (i < 0) {
        Group g = {.key = key, .x = x, .y = y};
        hmput(r->index, key, (uint32_t)arrlen(r->groups));
        arrput(r->groups, g);
        i = hmgeti(r->index, key);
    }
    Group *g = &r->groups[r->index[i].value];
    g->pes++;
    return g;
}

/* waits that only somebody else can end */
static bool waits_for_other(const SimThread *t)
{
    return t->active && t->wait >= WAIT_INPUT;
}

/* an endless microthread that waits for input is idle, not stalled (docs/machine.md, end of a run) */
static bool is_idle(const SimThread *t, int thread)
{
    return !t->active || (thread != THREAD_MAIN && t->endless && (t->wait == WAIT_INPUT || t->wait == WAIT_FIFO || t->wait == WAIT_BLOCKED));
}

static void add_color(const Report *r, unsigned x, unsigned y, Key *k, int color)
{
    SimSlot sl;
    k->color = (uint8_t)color;
    if (color < N_COLOR && sim_slot(r->s, x, y, color, &sl)) {
        k->slot_state = (uint8_t)sl.state;
        k->rx = (uint8_t)slot_rx(sl.slot);
    }
}

static bool find_thread(Report *r, unsigned x, unsigned y, int thread)
{
    SimThread t;
    if (!sim_thread(r->s, x, y, thread, &t) || !t.active) return false;
    if (r->where ? false : is_idle(&t, thread) || !waits_for_other(&t)) return false;
    static const Cause of_wait[] = {
        [WAIT_NOTHING] = CAUSE_RUNNING, [WAIT_READY] = CAUSE_RUNNING, [WAIT_TIME] = CAUSE_TIME,  [WAIT_INPUT] = CAUSE_INPUT,
        [WAIT_OUTPUT] = CAUSE_OUTPUT,   [WAIT_UT] = CAUSE_UT,         [WAIT_SLOT] = CAUSE_SLOT,  [WAIT_SOCKET] = CAUSE_SOCKET,
        [WAIT_FIFO] = CAUSE_FIFO,       [WAIT_BLOCKED] = CAUSE_UT_BLOCKED};
    Key k = key_new(r, x, y, of_wait[t.wait]);
    k.thread = (int16_t)thread;
    k.task = t.task;
    if (t.wait >= WAIT_INPUT) {
        k.queue = t.queue;
        if (t.color != COLOR_NONE) add_color(r, x, y, &k, t.color);
        SimQueue q;
        if (t.wait == WAIT_INPUT && sim_queue(r->s, x, y, false, t.queue, &q)) k.torn_down = !q.open;
    }
    if (k.cls >= 0) {
        uint16_t file = 0;
        if (cls_line(&sim_obj(r->s)->classes[k.cls], t.pc, &file, &k.line)) k.file = file;
        else k.line = t.pc;
    }
    Group *g = found(r, x, y, k);
    if (g->pes == 1) g->pc = t.pc, g->done = t.done, g->total = t.total, g->endless = t.endless;
    return true;
}

/* does a thread of this PE wait, for anything?  Then a word that lies in a queue is not the first thing to tell. */
static bool has_waiter(const Sim *s, unsigned x, unsigned y)
{
    SimThread t;
    for (int i = 0; i < N_THREAD; i++)
        if (sim_thread(s, x, y, i, &t) && !is_idle(&t, i) && waits_for_other(&t)) return true;
    return false;
}

static int data_task_of(const Sim *s, int queue, int color)
{
    return TASK_DATA | (sim_arch(s)->id == ARCH_WSE2 ? color : queue);
}

static bool find_queues(Report *r, unsigned x, unsigned y)
{
    bool any = false;
    for (int q = 0; q < N_QUEUE; q++) {
        SimQueue iq;
        SimTask task;
        if (!sim_queue(r->s, x, y, false, q, &iq) || iq.words == 0 || iq.color >= N_COLOR) continue;
        int id = data_task_of(r->s, q, iq.color);
        SimWord head;
        if (sim_queue_word(r->s, x, y, false, q, 0, &head) && head.control) {
            Key k = key_new(r, x, y, CAUSE_CONTROL);
            k.queue = (uint8_t)q;
            k.color = iq.color;
            k.task = (int16_t)(TASK_CONTROL + ctrl_task(head.data));
            Group *g = found(r, x, y, k);
            if (g->pes == 1) g->total = head.data;
            any = true;
            continue;
        }
        bool bound = sim_task(r->s, x, y, id, &task) && task.bound_code;
        if (bound ? !task.blocked : has_waiter(r->s, x, y)) continue;
        Key k = key_new(r, x, y, bound ? CAUSE_TASK_BLOCKED : CAUSE_NO_READER);
        k.queue = (uint8_t)q;
        k.color = iq.color;
        if (bound) k.task = (int16_t)id;
        Group *g = found(r, x, y, k);
        if (g->pes == 1) g->total = iq.words;
        any = true;
    }
    return any;
}

static bool find_router(Report *r, unsigned x, unsigned y)
{
    bool any = false;
    for (int c = 0; c < N_COLOR; c++) {
        SimSlot sl;
        if (!sim_slot(r->s, x, y, c, &sl)) continue;
        for (Dir d = DIR_WEST; d <= DIR_RAMP; d++) {
            uint32_t words = 0;
            if (d < DIR_RAMP) {
                words = sl.words[d];
            } else {
                for (int q = 0; q < N_QUEUE; q++) {
                    SimQueue oq;
                    if (sim_queue(r->s, x, y, true, q, &oq) && oq.color == c) words += oq.words;
                }
            }
            if (words == 0) continue;
            if (sl.state == SLOT_OPEN && sl.rx >> d & 1) continue;      /* a full buffer further on holds it up */
            Key k = key_new(r, x, y, sl.state == SLOT_CLOSED ? CAUSE_SLOT_CLOSED : sl.state == SLOT_NONE ? CAUSE_SLOT_NONE : CAUSE_WRONG_RX);
            k.color = (uint8_t)c;
            k.from = (uint8_t)d;
            k.rx = (uint8_t)slot_rx(sl.slot);
            k.at = sl.sw ? (uint8_t)(sw_at(sl.sw) + 1) : 0;
            Group *g = found(r, x, y, k);
            if (g->pes == 1) g->total = words;
            any = true;
        }
    }
    return any;
}

static void find_all(Report *r)
{
    for (unsigned y = 0; y < sim_height(r->s); y++)
        for (unsigned x = 0; x < sim_width(r->s); x++) {
            bool any = false;
            if (sim_class(r->s, x, y) >= 0) {
                for (int t = THREAD_MAIN; t >= 0; t--) any |= find_thread(r, x, y, t);
                if (sim_call_pending(r->s, x, y) && !any) {
                    found(r, x, y, key_new(r, x, y, CAUSE_CALL));
                    any = true;
                }
                if (!r->where) any |= find_queues(r, x, y);
            }
            if (!r->where) any |= find_router(r, x, y);
            r->pes += any;
        }
}

/* ---- printing a group */

static void print_route(Buf *b, const Key *k)
{
    if (k->color >= N_COLOR) return;
    buf_printf(b, " (color %d", k->color);
    if (k->torn_down) buf_printf(b, ", torn down");
    else if (k->slot_state == SLOT_CLOSED) buf_printf(b, ", whose slot is closed");
    else if (k->slot_state == SLOT_NONE) buf_printf(b, ", which has no route here");
    else if (k->cause == CAUSE_INPUT) buf_printf(b, ", from the %s", obs_dir_name((Dir)k->rx));
    buf_printf(b, ")");
}

static void print_words(Buf *b, uint32_t n, int color)
{
    buf_printf(b, "%u word%s of color %d", n, n == 1 ? "" : "s", color);
}

static void print_task(Buf *b, const Sim *s, unsigned x, unsigned y, int id)
{
    SimTask t;
    const char *name = (id < N_TASK || id >= TASK_CONTROL) && sim_task(s, x, y, id, &t) && t.bound_code ? obs_function(s, x, y, t.addr) : NULL;
    if (id == TASK_ENTRY) buf_printf(b, "main");
    else if (id == TASK_CALL) buf_printf(b, "a call of the host");
    else if (id >= TASK_CONTROL) buf_printf(b, "control task %d", id - TASK_CONTROL);
    else buf_printf(b, "%s task %d", id & TASK_DATA ? "data" : "local", id & 31);
    if (name) buf_printf(b, " (%s)", name);
}

/* what a thread waits for, as the end of "waits for ..." */
static void print_wait(Buf *b, const Key *k)
{
    switch ((Cause)k->cause) {
    case CAUSE_INPUT: buf_printf(b, "waits for a word of input queue %d", k->queue); print_route(b, k); break;
    case CAUSE_OUTPUT: buf_printf(b, "waits for space in output queue %d", k->queue); print_route(b, k); break;
    case CAUSE_UT: buf_printf(b, "waits for microthread %d to finish", k->queue); break;
    case CAUSE_SLOT: buf_printf(b, "waits for the teardown of color %d, to set the router", k->color); break;
    case CAUSE_SOCKET: buf_printf(b, "waits for the teardown of color %d at input queue %d, to set the sockets", k->color, k->queue); break;
    case CAUSE_FIFO: buf_printf(b, k->queue ? "waits for space in a FIFO, which is full" : "waits for an element of a FIFO, which is empty"); break;
    case CAUSE_UT_BLOCKED: buf_printf(b, "is blocked by the program"); break;
    case CAUSE_TIME: buf_printf(b, "waits for an earlier instruction"); break;
    default: buf_printf(b, "runs"); break;
    }
}

static void print_group(Buf *b, const Sim *s, const Group *g)
{
    const Key *k = &g->key;
    buf_printf(b, "  %6llu PE%s  ", (unsigned long long)g->pes, g->pes == 1 ? " " : "s");
    if (k->cls >= 0) buf_printf(b, "class %s  ", sim_obj(s)->classes[k->cls].name);
    if (k->thread >= 0) {
        obs_print_source(b, s, g->x, g->y, g->pc);
        const char *fn = obs_function(s, g->x, g->y, g->pc);
        if (fn) buf_printf(b, " (%s)", fn);
        buf_printf(b, "  ");
        obs_print_thread(b, k->thread);
        if (k->thread == THREAD_MAIN && k->task >= 0) {
            buf_printf(b, " in ");
            print_task(b, s, g->x, g->y, k->task);
        }
        buf_printf(b, " ");
        print_wait(b, k);
        buf_printf(b, "; e.g. PE (%u, %u)", g->x, g->y);
        if (g->total && g->endless) buf_printf(b, ", %u elements done", g->done);
        else if (g->total) buf_printf(b, ", %u of %u elements done", g->done, g->total);
        buf_printf(b, "\n");
        return;
    }
    switch ((Cause)k->cause) {
    case CAUSE_CALL: buf_printf(b, "a call of the host has not been started"); break;
    case CAUSE_TASK_BLOCKED:
        print_words(b, g->total, k->color);
        buf_printf(b, " in input queue %d for ", k->queue);
        print_task(b, s, g->x, g->y, k->task);
        buf_printf(b, ", which is blocked");
        break;
    case CAUSE_CONTROL: {
        SimTask t;
        buf_printf(b, "control wavelet %08x of color %d is at the head of input queue %d, and its ", g->total, k->color, k->queue);
        print_task(b, s, g->x, g->y, k->task);
        bool known = sim_task(s, g->x, g->y, k->task, &t);
        buf_printf(b, "%s", known && !t.bound_code ? " has no code" : known && t.blocked ? " is blocked" : " cannot start: a task runs, or the queue's data task is blocked");
        break;
    }
    case CAUSE_NO_READER:
        print_words(b, g->total, k->color);
        buf_printf(b, " in input queue %d that nobody reads", k->queue);
        break;
    default:
        print_words(b, g->total, k->color);
        if (k->from == DIR_RAMP) buf_printf(b, " from the core wait");
        else buf_printf(b, " from the %s wait", obs_dir_name((Dir)k->from));
        if (k->cause == CAUSE_SLOT_CLOSED) buf_printf(b, ": the slot of the color is closed, and nobody opens it");
        else if (k->cause == CAUSE_SLOT_NONE) buf_printf(b, ": the color has no route here");
        else {
            buf_printf(b, ": the route");
            if (k->at) buf_printf(b, ", at switch position %d,", k->at - 1);
            if (k->rx == DIR_RAMP) buf_printf(b, " takes the color from the core");
            else buf_printf(b, " takes the color from the %s", obs_dir_name((Dir)k->rx));
        }
    }
    buf_printf(b, "; e.g. PE (%u, %u)\n", g->x, g->y);
}

/* ---- chains */

typedef struct { unsigned x, y; int thread; } Node;      /* a thread of a PE that waits; thread -1: none, the chain ends */
typedef struct { const Sim *s; Buf *b; Node *seen; } Chain;
static const Node chain_end = {0, 0, -1};
enum { CHAIN_MAX_STEPS = 4096, CHAIN_HEAD = 24, CHAIN_TAIL = 4, CHAINS_MAX = 3 };

/* the neighbor of (x, y) in direction d; false at the edge */
static bool step(const Sim *s, unsigned *x, unsigned *y, Dir d)
{
    switch (d) {
    case DIR_WEST: return (*x)-- > 0;
    case DIR_EAST: return ++*x < sim_width(s);
    case DIR_NORTH: return (*y)-- > 0;
    case DIR_SOUTH: return ++*y < sim_height(s);
    default: return true;
    }
}

/* the thread of a PE whose wait explains why the PE does not go on; says so and ends the chain if there is none */
static Node waiter_of(Chain *c, unsigned x, unsigned y)
{
    SimThread t;
    for (int pass = 0; pass < 2; pass++)                 /* second choice: forwarders that wait for input for ever */
        for (int i = THREAD_MAIN; i >= 0; i--)
            if (sim_thread(c->s, x, y, i, &t) && waits_for_other(&t) && (pass || !is_idle(&t, i))) return (Node){x, y, i};
    buf_printf(c->b, "\n    PE (%u, %u) ", x, y);
    if (sim_class(c->s, x, y) < 0) {
        buf_printf(c->b, "has no program");
        return chain_end;
    }
    for (int id = 0; id < N_TASK; id++) {
        SimTask k;
        if (!sim_task(c->s, x, y, id, &k) || !k.bound_code || !k.blocked) continue;
        bool word = false;
        for (int q = 0; q < N_QUEUE && (id & TASK_DATA); q++) {
            SimQueue iq;
            word |= sim_queue(c->s, x, y, false, q, &iq) && iq.words && iq.color < N_COLOR && data_task_of(c->s, q, iq.color) == id;
        }
        if (!word && !k.active) continue;
        print_task(c->b, c->s, x, y, id);
        buf_printf(c->b, word ? " is blocked while a word waits for it: nobody unblocks it" : " is active and blocked: nobody unblocks it");
        return chain_end;
    }
    buf_printf(c->b, "has nothing left to do");
    return chain_end;
}

/* the words of a color fill input queue q: who should take them? */
static Node reader_of(Chain *c, unsigned x, unsigned y, int q, int color)
{
    buf_printf(c->b, ": input queue %d of PE (%u, %u) stays full", q, x, y);
    SimTask t;
    int id = data_task_of(c->s, q, color);
    if (sim_task(c->s, x, y, id, &t) && t.bound_code && t.blocked) {
        buf_printf(c->b, ", its ");
        print_task(c->b, c->s, x, y, id);
        buf_printf(c->b, " is blocked");
    }
    return waiter_of(c, x, y);
}

/* words of a color arrived at the router of (x, y) from a direction and stay: go on to the buffer that holds them up */
static Node holder_of(Chain *c, unsigned x, unsigned y, int color, Dir from)
{
    for (uint64_t n = 0; n < (uint64_t)sim_width(c->s) * sim_height(c->s); n++) {
        SimSlot sl;
        if (!sim_slot(c->s, x, y, color, &sl) || sl.state == SLOT_NONE) {
            buf_printf(c->b, ": PE (%u, %u) has no route of color %d", x, y, color);
            return chain_end;
        }
        if (sl.state == SLOT_CLOSED) {
            buf_printf(c->b, ": the slot of color %d at PE (%u, %u) is closed", color, x, y);
            return waiter_of(c, x, y);
        }
        if (!(sl.rx >> from & 1)) {
            buf_printf(c->b, ": the route of color %d at PE (%u, %u)", color, x, y);
            if (sl.sw) buf_printf(c->b, ", at switch position %d,", sw_at(sl.sw));
            buf_printf(c->b, " takes words from the %s, these come from the %s",
                       obs_dir_name(slot_rx(sl.slot)), obs_dir_name(from));
            return chain_end;
        }
        if (slot_tx(sl.slot) >> DIR_RAMP & 1) {
            bool bound = false;
            for (int q = 0; q < N_QUEUE; q++) {
                SimQueue iq;
                if (!sim_queue(c->s, x, y, false, q, &iq) || iq.color != color) continue;
                bound = true;
                if (!iq.open) {
                    buf_printf(c->b, ": input queue %d of PE (%u, %u) is torn down", q, x, y);
                    return waiter_of(c, x, y);
                }
                if (iq.words >= iq.capacity) return reader_of(c, x, y, q, color);
            }
            if (!bound) {
                buf_printf(c->b, ": no input queue of PE (%u, %u) is bound to color %d", x, y, color);
                return waiter_of(c, x, y);
            }
        }
        bool on = false;
        for (Dir d = DIR_WEST; d < DIR_RAMP && !on; d++) {
            if (!(slot_tx(sl.slot) >> d & 1) || sl.in_flight[d] < (uint32_t)AP(sim_arch(c->s), router_slots)) continue;
            on = step(c->s, &x, &y, d);
            from = dir_opposite(d);
        }
        if (!on) break;
    }
    buf_printf(c->b, ": no buffer on the way is full");
    return chain_end;
}

/* somebody at (x, y) wants a word of a color: go upstream to the PE that sends it */
static Node sender_of(Chain *c, unsigned x, unsigned y, int color, const char *what)
{
    unsigned x0 = x, y0 = y;
    for (uint64_t n = 0; n <= (uint64_t)sim_width(c->s) * sim_height(c->s); n++) {
        SimSlot sl;
        unsigned sx = x, sy = y;
        if (!sim_slot(c->s, x, y, color, &sl) || sl.state == SLOT_NONE) {
            buf_printf(c->b, ": PE (%u, %u) has no route of color %d", x, y, color);
            return chain_end;
        }
        if (sl.state == SLOT_CLOSED) {
            buf_printf(c->b, ": the slot of color %d at PE (%u, %u) is closed", color, x, y);
            return x == x0 && y == y0 ? chain_end : waiter_of(c, x, y);
        }
        Dir rx = slot_rx(sl.slot);
        if (rx != DIR_RAMP && sl.words[rx]) return holder_of(c, x, y, color, rx);    /* it is here, and another branch is full */
        if (rx == DIR_RAMP) {
            for (int q = 0; q < N_QUEUE; q++) {
                SimQueue oq;
                if (sim_queue(c->s, x, y, true, q, &oq) && oq.color == color && oq.words) return holder_of(c, x, y, color, DIR_RAMP);
            }
            buf_printf(c->b, ", which PE (%u, %u) %s", x, y, what);
            if (x == x0 && y == y0) buf_printf(c->b, " itself");
            return waiter_of(c, x, y);
        }
        if (!step(c->s, &sx, &sy, rx)) {
            buf_printf(c->b, ": its route comes from outside of the machine at PE (%u, %u)", x, y);
            return chain_end;
        }
        SimSlot up;
        if (sim_slot(c->s, sx, sy, color, &up) && up.state == SLOT_OPEN && !(slot_tx(up.slot) >> dir_opposite(rx) & 1)) {
            buf_printf(c->b, ": the route comes from the %s at PE (%u, %u), and PE (%u, %u) does not send it there", obs_dir_name(rx), x, y, sx, sy);
            return chain_end;
        }
        x = sx, y = sy;
    }
    buf_printf(c->b, ": its route goes round in a circle");
    return chain_end;
}

/* print one step and find the next */
static Node follow(Chain *c, Node n)
{
    SimThread t;
    bool ok = sim_thread(c->s, n.x, n.y, n.thread, &t);
    assert(ok);
    buf_printf(c->b, "    PE (%u, %u) ", n.x, n.y);
    obs_print_source(c->b, c->s, n.x, n.y, t.pc);
    if (n.thread != THREAD_MAIN) buf_printf(c->b, " microthread %d", n.thread);
    switch (t.wait) {
    case WAIT_INPUT: {
        SimQueue q;
        buf_printf(c->b, " waits for a word of input queue %d, color %d", t.queue, t.color);
        if (sim_queue(c->s, n.x, n.y, false, t.queue, &q) && !q.open) {
            buf_printf(c->b, ": the queue was torn down");
            return chain_end;
        }
        if (t.color >= N_COLOR) {
            buf_printf(c->b, ": the queue is bound to nothing");
            return chain_end;
        }
        return sender_of(c, n.x, n.y, t.color, "sends");
    }
    case WAIT_OUTPUT:
        buf_printf(c->b, " waits for space in output queue %d, color %d", t.queue, t.color);
        if (t.color >= N_COLOR) return chain_end;
        return holder_of(c, n.x, n.y, t.color, DIR_RAMP);
    case WAIT_UT:
        buf_printf(c->b, " waits for microthread %d", t.queue);
        return (Node){n.x, n.y, t.queue};
    case WAIT_SLOT:
    case WAIT_SOCKET:
        buf_printf(c->b, " waits for the teardown of color %d", t.color);
        if (t.color >= N_COLOR) return chain_end;
        return sender_of(c, n.x, n.y, t.color, "should send");
    case WAIT_FIFO: buf_printf(c->b, t.queue ? " waits for space in a FIFO: nobody takes from it" : " waits for an element of a FIFO: nobody puts one there"); return chain_end;
    case WAIT_BLOCKED: buf_printf(c->b, " is blocked by the program"); return chain_end;
    default: buf_printf(c->b, " does not wait"); return chain_end;
    }
}

/* print the chain from a node; false if the node is on an earlier chain */
static bool print_chain(Buf *out, const Sim *s, Node n, Node **seen_before)
{
    Buf *lines = NULL;
    Node *seen = NULL;
    ptrdiff_t again = -1;
    for (ptrdiff_t i = 0; i < arrlen(*seen_before); i++)
        if (memcmp(&(*seen_before)[i], &n, sizeof n) == 0) return false;
    while (n.thread >= 0 && again < 0 && arrlen(seen) < CHAIN_MAX_STEPS) {
        Buf line = {0};
        Chain c = {s, &line, seen};
        arrput(seen, n);
        arrput(*seen_before, n);
        n = follow(&c, n);
        arrput(lines, line);
        for (ptrdiff_t i = 0; i < arrlen(seen) && n.thread >= 0; i++)
            if (memcmp(&seen[i], &n, sizeof n) == 0) again = i;
    }
    ptrdiff_t nlines = arrlen(lines);
    for (ptrdiff_t i = 0; i < nlines; i++) {
        if (i == CHAIN_HEAD && nlines > CHAIN_HEAD + CHAIN_TAIL) {
            buf_printf(out, "    ... %lld steps more ...\n", (long long)(nlines - CHAIN_HEAD - CHAIN_TAIL));
            for (; i < nlines - CHAIN_TAIL; i++) buf_free(&lines[i]);
        }
        buf_printf(out, "%s\n", lines[i].p);
        buf_free(&lines[i]);
    }
    if (again >= 0) {
        ptrdiff_t len = nlines - again;
        buf_printf(out, "    PE (%u, %u) again: ", n.x, n.y);
        if (len == 1) buf_printf(out, "it waits for itself\n");
        else buf_printf(out, "a cycle of %lld waits\n", (long long)len);
    }
    arrfree(lines);
    arrfree(seen);
    return true;
}

static int by_size(const void *pa, const void *pb)       /* most PEs first; then the order of finding, which is that of (y, x) */
{
    const Group *a = pa, *b = pb;
    if (a->pes != b->pes) return a->pes < b->pes ? 1 : -1;
    if (a->y != b->y) return a->y < b->y ? -1 : 1;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    return memcmp(&a->key, &b->key, sizeof a->key);
}

static void print_groups(Buf *b, const Report *r)
{
    enum { GROUPS_MAX = 40 };
    ptrdiff_t n = arrlen(r->groups);
    for (ptrdiff_t i = 0; i < n && i < GROUPS_MAX; i++) print_group(b, r->s, &r->groups[i]);
    if (n > GROUPS_MAX) buf_printf(b, "  and %lld more groups\n", (long long)(n - GROUPS_MAX));
}

static void report_free(Report *r)
{
    arrfree(r->groups);
    hmfree(r->index);
}

static uint64_t count_pes(const Sim *s)
{
    uint64_t n = 0;
    for (unsigned y = 0; y < sim_height(s); y++)
        for (unsigned x = 0; x < sim_width(s); x++) n += sim_class(s, x, y) >= 0;
    return n;
}

void obs_stall_report(Buf *b, const Sim *s)
{
    Report r = {.s = s};
    find_all(&r);
    if (arrlen(r.groups)) qsort(r.groups, (size_t)arrlen(r.groups), sizeof *r.groups, by_size);
    buf_printf(b, "stall at cycle %llu: nothing can move, and %llu of %llu PEs are not done\n", (unsigned long long)sim_cycle(s),
               (unsigned long long)r.pes, (unsigned long long)count_pes(s));
    print_groups(b, &r);
    Node *seen = NULL;
    int chains = 0;
    for (ptrdiff_t i = 0; i < arrlen(r.groups) && chains < CHAINS_MAX; i++) {
        const Group *g = &r.groups[i];
        if (g->key.thread < 0) continue;
        Node n;
        memset(&n, 0, sizeof n);
        n.x = g->x, n.y = g->y, n.thread = g->key.thread;
        Buf text = {0};
        if (print_chain(&text, s, n, &seen)) {
            if (!chains++) buf_printf(b, "who waits for whom:\n");
            else buf_printf(b, "and:\n");
            buf_add(b, text.p, text.len);
        }
        buf_free(&text);
    }
    arrfree(seen);
    report_free(&r);
}

void obs_where_report(Buf *b, const Sim *s)
{
    Report r = {.s = s, .where = true};
    find_all(&r);
    if (arrlen(r.groups)) qsort(r.groups, (size_t)arrlen(r.groups), sizeof *r.groups, by_size);
    buf_printf(b, "at cycle %llu: %llu of %llu PEs have something to do\n", (unsigned long long)sim_cycle(s), (unsigned long long)r.pes,
               (unsigned long long)count_pes(s));
    print_groups(b, &r);
    report_free(&r);
}
