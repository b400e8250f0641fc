/* The interface of an engine (runtime/sim/sim.h): stops, going on, calls, callbacks, state, refusals. */
#include "backend/asm.h"
#include "runtime/observe/observe.h"
#include "runtime/sim/sim.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct { Arena *a; Diags *d; WsObj *o; Sim *s; } Fix;

static Fix load(const char *text)
{
    Fix f = {arena_new(), diags_new("sim_test"), NULL, NULL};
    if (asm_file(f.a, f.d, "x.s", text, strlen(text), ARCH_WSE2, &f.o)) {
        diags_print(f.d, stderr);
        fail_msg("the program does not assemble");
    }
    char *err = NULL;
    f.s = sim_new(f.o, &f.o->arch, &err);
    if (!f.s) fail_msg("%s", err);
    return f;
}

static void drop(Fix *f)
{
    sim_free(f->s);
    obj_free(f->o);
    diags_free(f->d);
    arena_free(f->a);
}

/* a ring of three PEs that pass 50 words on, with a microthread and a data task */
static const char ring[] =
    ".arch wse2\n.rect 3, 1\n.class src\nmain: lddsr d.0, o\nlddsr s1.0, v\nasync\nfmovs dsr0, dsr0\ndone\n"
    "t: add r5, r5, r1\nstw r5, sum\ndone\n"
    ".data\no: .dsd fabout, q2, 50\nv: .dsd mem1d, w, 50, 0\nw: .word 3\nsum: .word 0\n.global sum u32\n.entry main\n.oq 2, 1\n.iq 0, 2\n.task data:2, t\n"
    ".class mid\nmain: lddsr d.0, o\nlddsr s1.0, i\nasync ut1\nmov32 dsr0, dsr0\ndone\n.data\ni: .dsd fabin, q0, endless\no: .dsd fabout, q2, endless\n"
    ".entry main\n.oq 2, 3\n.iq 0, 1\n"
    ".class end\nmain: lddsr d.0, o\nlddsr s1.0, i\nmov32 dsr0, dsr0\ndone\n.data\ni: .dsd fabin, q0, 50\no: .dsd fabout, q3, 1\n"
    ".entry main\n.oq 3, 2\n.iq 0, 3\n"
    ".place 0,0,1,1,src\n.place 1,0,1,1,mid\n.place 2,0,1,1,end\n"
    ".route 0,0,1,1,1,ramp,east\n.route 1,0,1,1,1,west,ramp\n.route 1,0,1,1,3,ramp,east\n.route 2,0,1,1,3,west,ramp\n"
    ".route 2,0,1,1,2,ramp,west\n.route 1,0,1,1,2,east,west\n.route 0,0,1,1,2,east,ramp\n";

/* f in one go and g in slices of 7 cycles: the same end, cycle, state and counters; these go to a */
static SimStop run_both(Sim *f, Sim *g, uint64_t a[CT_COUNT])
{
    SimStop end = sim_run(f, 0), st;
    uint64_t at = 0, b[CT_COUNT];
    do {
        at += 7;
        st = sim_run(g, at);
        if (st == SIM_MAX_CYCLES) assert_int_equal(sim_cycle(g), at);
    } while (st == SIM_MAX_CYCLES);
    assert_int_equal(st, end);
    assert_int_equal(sim_cycle(f), sim_cycle(g));
    assert_true(sim_state_hash(f) == sim_state_hash(g));
    sim_counters_total(f, a);
    sim_counters_total(g, b);
    assert_memory_equal(a, b, sizeof b);
    return end;
}

static void test_steps(void **state)
{
    Fix f = load(ring), g = load(ring);
    uint64_t a[CT_COUNT];
    assert_int_equal(run_both(f.s, g.s, a), SIM_IDLE);
    assert_int_equal(a[CT_received], 150);
    assert_int_equal(a[CT_tasks], 3 + 50);
    uint32_t sum;
    memcpy(&sum, sim_mem(f.s, 0, 0) + cls_sym(&f.o->classes[0], "sum")->addr, 4);
    assert_int_equal(sum, 150);
    /* an endless microthread that waits is idle, and can be seen */
    SimThread t;
    assert_true(sim_thread(f.s, 1, 0, 1, &t));
    assert_true(t.active && t.endless);
    assert_int_equal(t.wait, WAIT_INPUT);
    assert_int_equal(t.color, 1);
    assert_int_equal(t.done, 50);
    drop(&f), drop(&g);
}

static void count(void *user, uint64_t cycle) { ++*(int *)user; }

static void test_interrupt(void **state)
{
    Fix f = load(".class k\nmain: b main\n.entry main\n.place 0,0,1,1,k\n");
    atomic_bool flag = true;
    int calls = 0;
    sim_set_interrupt(f.s, &flag);
    sim_on_progress(f.s, 1000, count, &calls);
    assert_int_equal(sim_run(f.s, 0), SIM_INTERRUPTED);
    flag = false;
    assert_int_equal(sim_run(f.s, 100000), SIM_MAX_CYCLES);
    assert_in_range(calls, 40, 100);                     /* the fast engine looks up every few thousand cycles */
    drop(&f);
}

static const char calls[] =
    ".class k\nadd2: add r1, r1, r2\nret\nhang: lddsr s1.0, i\nfmovs r1, dsr0\nret\nt: li r1, 7\nstw r1, seen\ndone\n"
    ".data\ni: .dsd fabin, q0, 1\nseen: .word 0\n.iq 0, 4\n.task 9, t\n.place 0,0,1,1,k\n";

static void test_calls(void **state)
{
    Fix f = load(calls);
    assert_int_equal(sim_run(f.s, 0), SIM_IDLE);
    assert_int_equal(sim_cycle(f.s), 0);
    const WsClass *c = &f.o->classes[0];
    uint32_t args[2] = {30, 12};
    assert_true(sim_call(f.s, 0, 0, cls_sym(c, "add2")->addr, args, 2));
    assert_true(sim_call_pending(f.s, 0, 0));
    assert_false(sim_call(f.s, 0, 0, cls_sym(c, "add2")->addr, args, 2));
    assert_int_equal(sim_run(f.s, 0), SIM_IDLE);
    assert_false(sim_call_pending(f.s, 0, 0));
    assert_int_equal(sim_call_result(f.s, 0, 0), 42);
    assert_int_equal(sim_cycle(f.s), 3 + 1 + 4 + 1);     /* start, add, ret, done */
    assert_true(sim_activate(f.s, 0, 0, 9));
    assert_int_equal(sim_run(f.s, 0), SIM_IDLE);
    assert_int_equal(sim_mem(f.s, 0, 0)[cls_sym(c, "seen")->addr], 7);
    assert_true(sim_call(f.s, 0, 0, cls_sym(c, "hang")->addr, NULL, 0));
    assert_int_equal(sim_run(f.s, 0), SIM_STALLED);
    SimThread t;
    assert_true(sim_thread(f.s, 0, 0, THREAD_MAIN, &t));
    assert_int_equal(t.wait, WAIT_INPUT);
    assert_int_equal(t.queue, 0);
    assert_int_equal(t.task, TASK_CALL);
    assert_false(sim_activate(f.s, 0, 0, 10));           /* no code: a fault */
    assert_int_equal(sim_run(f.s, 0), SIM_FAULT);
    assert_int_equal(sim_fault(f.s)->kind, SF_task_unbound);
    drop(&f);
}

static void keep(void *user, unsigned x, unsigned y, uint64_t cycle, const char *line)
{
    buf_printf(user, "%u,%u@%llu:%s|", x, y, (unsigned long long)cycle, line);
}

static void test_print(void **state)
{
    Fix f = load(".rect 2, 1\n.class k\nmain: la r1, s\nhout r1, 0\nli r2, -5\nhout r2, 1\nhout r2, 7\nliu r2, 65\nhout r2, 6\ndone\n"
                 ".data\ns: .string \"x = \"\n.entry main\n.place 0,0,2,1,k\n");
    Buf b = {0};
    sim_on_print(f.s, keep, &b);
    assert_int_equal(sim_run(f.s, 0), SIM_IDLE);
    assert_string_equal(b.p, "0,0@7:x = -5|1,0@7:x = -5|");
    sim_flush_prints(f.s);
    assert_string_equal(b.p, "0,0@7:x = -5|1,0@7:x = -5|0,0@11:A|1,0@11:A|");
    buf_free(&b);
    drop(&f);
}

/* switches, a filter, a FIFO and control tasks: the same in slices of 7 cycles as in one go, and visible */
static const char wide[] =
    ".arch wse2\n.rect 3, 1\n.class src\nmain: lddsr d.0, o\nlddsr s1.0, w\nliu r3, 20\nloop l0, r3, out\ntop: mov32 dsr0, dsr0, n=2\n"
    "lw32 r2, 0x00490007\nsendc q2, r2\nendl l0, top\nout: done\n"
    ".data\no: .dsd fabout, q2, 2\nw: .dsd mem1d, v, 40, 1\nv: .space 160\n.entry main\n.oq 2, 2\n"
    ".class mid\nmain: lddsr d.0, p\nlddsr s1.0, i\nasync ut1\nmov32 dsr0, dsr0\nlddsr s1.1, p\nlddsr d.1, g\nasync ut2, prio=low\nadd32 dsr1, r5, dsr1\ndone\n"
    "told: add r5, r5, r1\nstw r5, sum\ndone\n"
    ".data\ni: .dsd fabin, q0, endless\np: .dsd fifo, rec, 0\nrec: .fifo buf, 3, 4\nbuf: .word 0, 0, 0\ng: .dsd mem1d, got, endless, 0\ngot: .word 0\nsum: .word 0\n"
    ".control 9, told\n.entry main\n.iq 0, 2\n.place 0,0,1,1,src\n.place 1,0,2,1,mid\n"
    ".route 0,0,1,1,2,ramp,east\n.route 1,0,1,1,2,west,ramp pos1 tx=east ring filter counter 0 2 4\n.route 2,0,1,1,2,west,ramp\n";

static void test_wide_steps(void **state)
{
    Fix f = load(wide), g = load(wide);
    uint64_t a[CT_COUNT];
    run_both(f.s, g.s, a);
    SimSlot sl;
    assert_true(sim_slot(f.s, 1, 0, 2, &sl));
    assert_int_equal(sl.rx, 1 << DIR_WEST);
    assert_true(sl.sw & SW_RING);
    assert_int_equal(slot_tx(sl.slot), sw_at(sl.sw) ? 1 << DIR_EAST : 1 << DIR_RAMP);
    assert_int_equal(sl.filter.kind, FILTER_COUNTER);
    SimTask k;
    assert_true(sim_task(f.s, 1, 0, TASK_CONTROL + 9, &k));
    assert_true(k.bound_code && !k.blocked);
    assert_false(sim_task(f.s, 1, 0, N_TASK, &k));
    char *lacks = sim_engine_lacks("fast", f.o);
    if (lacks) {                                         /* then it refuses the object, and by default another runs it */
        char *err = NULL;
        assert_null(sim_new_engine("fast", f.o, &f.o->arch, &err));
        assert_non_null(strstr(err, lacks));
        free(err);
    }
    free(lacks);
    drop(&f), drop(&g);
}

/* code that a program writes is executed as written; sim_mem_write too */
static void test_code(void **state)
{
    Fix f = load(".class k\nmain: lw32 r1, 0x25180009\nstw r1, patch\npatch: nop\nstw r3, out\ndone\n.data\nout: .word 0\n.global out u32\n.entry main\n.place 0,0,1,1,k\n");
    uint32_t li;
    assert_true(asm_one("li r3, 9", 0, &li));
    assert_int_equal(li, 0x25180009);
    assert_int_equal(sim_run(f.s, 0), SIM_IDLE);
    assert_int_equal(sim_mem(f.s, 0, 0)[cls_sym(&f.o->classes[0], "out")->addr], 9);
    drop(&f);
    f = load(".class k\nmain: nop\nstw r3, out\ndone\n.data\nout: .word 0\n.global out u32\n.entry main\n.place 0,0,1,1,k\n");
    assert_true(sim_mem_write(f.s, 0, 0, cls_sym(&f.o->classes[0], "main")->addr, &li, 4));
    assert_false(sim_mem_write(f.s, 0, 0, (uint32_t)AP(sim_arch(f.s), mem_bytes) - 2, &li, 4));
    assert_int_equal(sim_run(f.s, 0), SIM_IDLE);
    assert_int_equal(sim_mem(f.s, 0, 0)[cls_sym(&f.o->classes[0], "out")->addr], 9);
    drop(&f);
}

/* two engines are compared by all that they show; "both" runs two */
static void test_compare(void **state)
{
    Fix f = load(ring);
    char *err = NULL;
    Sim *r = sim_new_engine("reference", f.o, &f.o->arch, &err), *q = sim_new_engine("fast", f.o, &f.o->arch, &err);
    Sim *b = sim_new_engine("both", f.o, &f.o->arch, &err);
    assert_true(r && q && b);
    SimStop end = sim_run(r, 0), other = sim_run(q, 0);
    assert_int_equal(sim_run(f.s, 0), end);
    assert_true(obs_same(r, end, q, other));
    assert_int_equal(sim_run(b, 0), end);
    assert_int_equal(sim_cycle(b), sim_cycle(r));
    assert_true(sim_state_hash(b) == sim_state_hash(r));
    assert_true(sim_mem_write(q, 1, 0, 0x7001, "\x2a", 1));
    assert_false(obs_same(r, end, q, other));
    Buf why = {0};
    obs_difference(&why, r, end, q, other);
    assert_non_null(strstr(why.p, "(1,0) memory 0x7000: 0000, 2a00"));
    buf_free(&why);
    sim_free(r), sim_free(q), sim_free(b);
    for (int i = 0; sim_engine_at(i); i++) {             /* a limit just where the run ends */
        Sim *s = sim_new_engine(sim_engine_at(i), f.o, &f.o->arch, &err);
        uint64_t cycle = sim_cycle(f.s);
        assert_non_null(s);
        assert_int_equal(sim_run(s, cycle), SIM_MAX_CYCLES);
        assert_int_equal(sim_run(s, 0), end);
        assert_int_equal(sim_cycle(s), cycle);
        sim_free(s);
    }
    drop(&f);
}

static void test_refused(void **state)
{
    Fix f = load(".class k\nmain: done\n.entry main\n.place 0,0,1,1,k\n");
    char *err = NULL;
    assert_null(sim_new_engine("none", f.o, &f.o->arch, &err));
    assert_string_equal(err, "no engine named 'none'");
    free(err);
    Arch a = f.o->arch;
    assert_true(arch_set(&a, "hop_cycles", 0));
    assert_null(sim_new(f.o, &a, &err));
    assert_string_equal(err, "parameter hop_cycles must be at least 1");
    free(err);
    a = f.o->arch;
    assert_true(arch_set(&a, "mem_bytes", 4));
    assert_null(sim_new(f.o, &a, &err) ? "made" : NULL);
    free(err);
    Arch other = arch_make(f.o->arch.id == ARCH_WSE2 ? ARCH_WSE3 : ARCH_WSE2);
    assert_null(sim_new(f.o, &other, &err));
    free(err);
    /* readers refuse what is not there */
    SimThread t;
    SimSlot sl;
    uint32_t v;
    assert_false(sim_thread(f.s, 1, 0, 0, &t));
    assert_false(sim_thread(f.s, 0, 0, N_THREAD, &t));
    assert_false(sim_slot(f.s, 0, 0, N_COLOR, &sl));
    assert_false(sim_register(f.s, 0, 0, SIM_N_REG, &v));
    assert_null(sim_mem(f.s, 5, 5));
    drop(&f);
}

/* the same program with numbers of the machine far away from the usual ones still does the same */
static void test_params(void **state)
{
    static const char *const odd[][2] = {{"ramp_up", "200"}, {"ramp_down", "0"}, {"ramp_up", "0"}, {"fab_op", "0"}, {"fab_op", "5"}, {"hop_cycles", "100"},
                                         {"router_slots", "1"}, {"task_start", "0"}, {"iq0_words", "1"}, {"oq2_words", "1"}, {"fabric_width", "4"}, {"dsr_load", "300"}};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        Fix f = load(ring);
        Arch a = f.o->arch;
        char *err = NULL;
        assert_true(arch_set(&a, odd[i][0], atoi(odd[i][1])));
        Sim *s = sim_new(f.o, &a, &err);
        if (!s) fail_msg("%s", err);
        if (sim_run(s, 0) != SIM_IDLE) fail_msg("%s=%s does not end idle", odd[i][0], odd[i][1]);
        assert_int_equal(sim_mem(s, 0, 0)[cls_sym(&f.o->classes[0], "sum")->addr], 150);
        sim_free(s);
        drop(&f);
    }
}

int main(void)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(test_steps), cmocka_unit_test(test_wide_steps), cmocka_unit_test(test_interrupt), cmocka_unit_test(test_calls), cmocka_unit_test(test_print),
                                   cmocka_unit_test(test_code), cmocka_unit_test(test_compare), cmocka_unit_test(test_refused), cmocka_unit_test(test_params)};
    return cmocka_run_group_tests(t, NULL, NULL);
}
