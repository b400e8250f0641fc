/* runtime/python/module.c: the extension scheelite._wsrt: libwsrt for Python, and nothing more.
 *
 * One type, Runtime.  Arrays come through the buffer protocol and are used in place: contiguous, or an error that says so.
 * The interpreter's lock is released while the machine runs; meanwhile Ctrl-C interrupts the run, after which Python's own
 * handler decides (KeyboardInterrupt by default).  An interrupted run or command goes on with the next call.
 * Arrays of commands that are not waited for are held until their command is done. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "runtime/include/wsrt.h"
#include <signal.h>

typedef struct Held { WsrtTask task; Py_buffer view; struct Held *next; } Held;
typedef struct {
    PyObject_HEAD
    Wsrt *rt;
    Held *held;                            /* arrays of commands under way */
    PyObject *print;                       /* callable or NULL */
    int busy;                              /* a call is going on, maybe in another thread */
} Runtime;

static PyObject *error_type, *stall_type, *fault_type;

/* ---- errors */
/* names and texts come from files and programs: any bytes; NULL is None */
static PyObject *text_of(const char *s)
{
    return s ? PyUnicode_DecodeUTF8(s, (Py_ssize_t)strlen(s), "replace") : Py_NewRef(Py_None);
}

/* an exception with the text, and the number as .code */
static PyObject *raise_text(PyObject *type, const char *text, int code)
{
    PyObject *e = PyObject_CallFunction(type, "N", text_of(text)), *n = PyLong_FromLong(code);
    if (e && n && !PyObject_SetAttrString(e, "code", n)) PyErr_SetObject(type, e);
    Py_XDECREF(e);
    Py_XDECREF(n);
    return NULL;
}

static PyObject *raise_code(Runtime *self, int code)
{
    PyObject *type = code == WSRT_E_STALL ? stall_type : code == WSRT_E_FAULT ? fault_type : error_type;
    return raise_text(type, wsrt_error(self->rt), code);
}

static int enter(Runtime *self)
{
    if (!self->rt) return PyErr_SetString(error_type, "the runtime is closed"), 0;
    if (self->busy) return PyErr_SetString(error_type, "the runtime is in use, by another thread or by the call that prints"), 0;
    return self->busy = 1;
}

/* ---- running without the lock */
static Wsrt *volatile running;
static volatile sig_atomic_t hit;
static void on_sigint(int sig)
{
    hit = 1;
    if (running) wsrt_interrupt(running);
}

typedef struct { Wsrt *rt; WsrtTask task; uint64_t max_cycles; int finish, run, poll; } Job;
static int job_code(const Job *j)
{
    if (j->finish) return wsrt_finish(j->rt);
    if (j->run) return (int)wsrt_run(j->rt, j->max_cycles);
    return j->poll ? wsrt_task_done(j->rt, j->task) : wsrt_task_wait(j->rt, j->task);
}

/* Do it until it ends by itself or Python's handler of Ctrl-C raises.  false: raised. */
static int do_job(Runtime *self, const Job *j, int *code)
{
    for (;;) {
        struct sigaction mine = {.sa_handler = on_sigint}, old;
        hit = 0;
        running = self->rt;
        sigaction(SIGINT, &mine, &old);
        Py_BEGIN_ALLOW_THREADS
        *code = job_code(j);
        Py_END_ALLOW_THREADS
        sigaction(SIGINT, &old, NULL);
        running = NULL;
        if (PyErr_Occurred()) return 0;                   /* the print callback raised */
        if (hit) PyErr_SetInterruptEx(SIGINT);
        if (PyErr_CheckSignals()) return 0;
        if (!(j->run ? *code == WSRT_END_INTERRUPTED : *code == WSRT_E_INTERRUPTED)) return 1;
    }
}

static void release_done(Runtime *self, WsrtTask upto)
{
    for (Held **p = &self->held; *p;) {
        Held *h = *p;
        if (h->task > upto) {
            p = &h->next;
            continue;
        }
        *p = h->next;
        PyBuffer_Release(&h->view);
        PyMem_Free(h);
    }
}

static PyObject *wait_for(Runtime *self, WsrtTask task)
{
    int code, ok = do_job(self, &(Job){.rt = self->rt, .task = task}, &code);
    if (!ok) return NULL;
    if (code) return raise_code(self, code);
    release_done(self, task);
    Py_RETURN_NONE;
}

static void on_print(void *user, unsigned x, unsigned y, uint64_t cycle, const char *line)
{
    Runtime *self = user;
    PyGILState_STATE g = PyGILState_Ensure();
    if (self->print && !PyErr_Occurred()) {
        PyObject *r = PyObject_CallFunction(self->print, "IIKN", x, y, (unsigned long long)cycle, text_of(line));
        if (!r) wsrt_interrupt(self->rt);
        Py_XDECREF(r);
    }
    PyGILState_Release(g);
}

/* ---- arrays */
static int get_array(PyObject *array, Py_buffer *v, Py_ssize_t item, int writable)
{
    if (PyObject_GetBuffer(array, v, PyBUF_FORMAT | PyBUF_STRIDES)) return 0;
    const char *why = NULL;
    if (!PyBuffer_IsContiguous(v, 'C'))
        why = "the array is not contiguous in C order: numpy.ascontiguousarray makes a copy that is";
    if (!why && writable && v->readonly) why = "the array cannot be written";
    if (!why && v->itemsize != item) {
        PyErr_Format(error_type, "the array has elements of %zd bytes, not %zd%s", v->itemsize, item,
                     item == 4 ? ": also 16-bit data travel in 32-bit words" : "");
        PyBuffer_Release(v);
        return 0;
    }
    if (!why) return 1;
    PyErr_SetString(error_type, why);
    PyBuffer_Release(v);
    return 0;
}

/* ---- the command stream */
static char *copy_names[] = {"what", "array", "x", "y", "w", "h", "elems", "bits", "order", "spread", "nonblock", NULL};
enum { TO_SYMBOL, FROM_SYMBOL, TO_COLOR, FROM_COLOR };

static PyObject *copy(Runtime *self, PyObject *args, PyObject *kw, int kind)
{
    PyObject *what, *array;
    unsigned long x, y, w, h, elems;
    int bits = 32, order = 0, spread = 0, nonblock = 0, e;
    if (!PyArg_ParseTupleAndKeywords(args, kw, "OOkkkkk|iiip", copy_names, &what, &array, &x, &y, &w, &h, &elems, &bits,
                                     &order, &spread, &nonblock))
        return NULL;
    if (x > UINT32_MAX || y > UINT32_MAX || w > UINT32_MAX || h > UINT32_MAX || elems > UINT32_MAX)
        return PyErr_SetString(error_type, "a number is too large"), NULL;
    const char *name = NULL;
    long color = 0;
    if (kind < TO_COLOR && !(name = PyUnicode_AsUTF8(what))) return NULL;
    if (kind >= TO_COLOR && (color = PyLong_AsLong(what)) == -1 && PyErr_Occurred()) return NULL;
    if (color < 0 || color > INT32_MAX) return PyErr_Format(error_type, "there is no color %ld to stream on", color), NULL;
    if (!enter(self)) return NULL;
    Held *held = PyMem_Calloc(1, sizeof *held);
    if (!held || !get_array(array, &held->view, 4, kind == FROM_SYMBOL || kind == FROM_COLOR)) {
        PyMem_Free(held);
        self->busy = 0;
        return held ? NULL : PyErr_NoMemory();
    }
    WsrtRegion r = {(unsigned)x, (unsigned)y, (unsigned)w, (unsigned)h, (uint32_t)elems, bits, (WsrtOrder)order, (WsrtSpread)spread};
    size_t total = (size_t)(held->view.len / 4);
    uint32_t *host = held->view.buf;
    switch (kind) {
    case TO_SYMBOL: e = wsrt_h2d(self->rt, name, &r, host, total, &held->task); break;
    case FROM_SYMBOL: e = wsrt_d2h(self->rt, name, &r, host, total, &held->task); break;
    case TO_COLOR: e = wsrt_stream_h2d(self->rt, (unsigned)color, &r, host, total, &held->task); break;
    default: e = wsrt_stream_d2h(self->rt, (unsigned)color, &r, host, total, &held->task); break;
    }
    PyObject *result = NULL;
    if (e) {
        PyBuffer_Release(&held->view);
        PyMem_Free(held);
        raise_code(self, e);
    } else {
        WsrtTask task = held->task;
        held->next = self->held;
        self->held = held;
        if (nonblock || (result = wait_for(self, task))) {
            Py_XDECREF(result);
            result = PyLong_FromUnsignedLongLong(task);
        }
    }
    self->busy = 0;
    return result;
}

static PyObject *h2d(Runtime *s, PyObject *a, PyObject *k) { return copy(s, a, k, TO_SYMBOL); }
static PyObject *d2h(Runtime *s, PyObject *a, PyObject *k) { return copy(s, a, k, FROM_SYMBOL); }
static PyObject *stream_h2d(Runtime *s, PyObject *a, PyObject *k) { return copy(s, a, k, TO_COLOR); }
static PyObject *stream_d2h(Runtime *s, PyObject *a, PyObject *k) { return copy(s, a, k, FROM_COLOR); }

/* (type name, number) */
static int get_arg(PyObject *o, WsrtArg *out)
{
    static const struct { const char *name; WsrtType type; } types[] = {{"i8", WSRT_I8}, {"u8", WSRT_U8}, {"i16", WSRT_I16}, {"u16", WSRT_U16}, {"i32", WSRT_I32},
                                                                         {"u32", WSRT_U32}, {"f16", WSRT_F16}, {"f32", WSRT_F32}, {"bool", WSRT_BOOL}};
    const char *type;
    PyObject *v;
    if (!PyArg_ParseTuple(o, "sO;an argument is (type, value)", &type, &v)) return 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(type, types[i].name)) continue;
        out->type = types[i].type;
        if (out->type == WSRT_F32) out->v.f = (float)PyFloat_AsDouble(v);
        else {
            PyObject *n = PyNumber_Index(v);
            out->v.u = n ? (uint32_t)PyLong_AsUnsignedLongMask(n) : 0;
            Py_XDECREF(n);
        }
        return !PyErr_Occurred();
    }
    PyErr_Format(error_type, "no function takes an argument of type %s", type);
    return 0;
}

static PyObject *launch(Runtime *self, PyObject *args, PyObject *kw)
{
    static char *names[] = {"function", "args", "nonblock", NULL};
    const char *function;
    PyObject *list = NULL;
    int nonblock = 0;
    WsrtArg a[8];
    if (!PyArg_ParseTupleAndKeywords(args, kw, "s|Op", names, &function, &list, &nonblock)) return NULL;
    Py_ssize_t n = list ? PySequence_Size(list) : 0;
    if (n < 0) return NULL;
    for (Py_ssize_t i = 0; i < n && i < 8; i++) {
        PyObject *o = PySequence_GetItem(list, i);
        int ok = o && get_arg(o, &a[i]);
        Py_XDECREF(o);
        if (!ok) return NULL;
    }
    if (!enter(self)) return NULL;
    WsrtTask task;
    PyObject *result = NULL;
    int e = wsrt_launch(self->rt, function, a, n > 8 ? 9 : (unsigned)n, &task);
    if (e) raise_code(self, e);
    else if (nonblock || (result = wait_for(self, task))) {
        Py_XDECREF(result);
        result = PyLong_FromUnsignedLongLong(task);
    }
    self->busy = 0;
    return result;
}

static PyObject *task_wait(Runtime *self, PyObject *arg)
{
    unsigned long long task = PyLong_AsUnsignedLongLong(arg);
    if (PyErr_Occurred() || !enter(self)) return NULL;
    PyObject *r = wait_for(self, task);
    self->busy = 0;
    return r;
}

static PyObject *task_done(Runtime *self, PyObject *arg)
{
    unsigned long long task = PyLong_AsUnsignedLongLong(arg);
    int code;
    if (PyErr_Occurred() || !enter(self)) return NULL;
    int ok = do_job(self, &(Job){.rt = self->rt, .task = task, .poll = 1}, &code);
    if (ok && code == 1) release_done(self, task);
    self->busy = 0;
    if (!ok) return NULL;
    return code < 0 ? raise_code(self, code) : PyBool_FromLong(code);
}

static PyObject *finish(Runtime *self, PyObject *none)
{
    int code;
    if (!enter(self)) return NULL;
    int ok = do_job(self, &(Job){.rt = self->rt, .finish = 1}, &code);
    if (ok && !code) release_done(self, UINT64_MAX);
    self->busy = 0;
    if (!ok) return NULL;
    if (code) return raise_code(self, code);
    Py_RETURN_NONE;
}

/* ---- plain runs and memory */
static PyObject *run(Runtime *self, PyObject *args, PyObject *kw)
{
    static char *names[] = {"max_cycles", NULL};
    unsigned long long max = 0;
    int code;
    if (!PyArg_ParseTupleAndKeywords(args, kw, "|K", names, &max) || !enter(self)) return NULL;
    int ok = do_job(self, &(Job){.rt = self->rt, .run = 1, .max_cycles = max}, &code);
    self->busy = 0;
    if (!ok) return NULL;
    if (code == WSRT_END_ERROR) return raise_code(self, WSRT_E_STATE);
    return PyUnicode_FromString(wsrt_end_name((WsrtEnd)code));
}

static PyObject *memory(Runtime *self, PyObject *args, PyObject *kw, int write)
{
    static char *names[] = {"symbol", "array", "x", "y", "w", "h", "elems", "order", NULL};
    const char *symbol;
    PyObject *array;
    unsigned x, y, w, h, elems;
    int order = 0, e;
    Py_buffer v;
    WsrtSymbol s;
    if (!PyArg_ParseTupleAndKeywords(args, kw, "sOIIIII|i", names, &symbol, &array, &x, &y, &w, &h, &elems,
                                     &order) || !enter(self))
        return NULL;
    PyObject *result = NULL;
    if ((e = wsrt_symbol(self->rt, symbol, &s))) raise_code(self, e);
    else if (get_array(array, &v, s.elem_bytes, !write)) {
        size_t total = (size_t)v.len / s.elem_bytes;
        e = write ? wsrt_write(self->rt, symbol, x, y, w, h, elems, WSRT_ANY, (WsrtOrder)order, v.buf, total)
                  : wsrt_read(self->rt, symbol, x, y, w, h, elems, WSRT_ANY, (WsrtOrder)order, v.buf, total);
        PyBuffer_Release(&v);
        result = e ? raise_code(self, e) : Py_NewRef(Py_None);
    }
    self->busy = 0;
    return result;
}
static PyObject *rt_write(Runtime *s, PyObject *a, PyObject *k) { return memory(s, a, k, 1); }
static PyObject *rt_read(Runtime *s, PyObject *a, PyObject *k) { return memory(s, a, k, 0); }

static PyObject *peek(Runtime *self, PyObject *args)
{
    unsigned x, y, addr;
    Py_ssize_t len;
    if (!PyArg_ParseTuple(args, "IIIn", &x, &y, &addr, &len)) return NULL;
    if (len < 0 || len > 0x10000) return PyErr_SetString(error_type, "a PE has no memory of that length"), NULL;
    if (!enter(self)) return NULL;
    PyObject *b = PyBytes_FromStringAndSize(NULL, len);
    int e = b ? wsrt_peek(self->rt, x, y, addr, PyBytes_AS_STRING(b), (size_t)len) : 0;
    self->busy = 0;
    if (!e) return b;
    Py_DECREF(b);
    return raise_code(self, e);
}

/* ---- describing */
static PyObject *symbol_dict(const WsrtSymbol *s)
{
    return Py_BuildValue("{s:N,s:s,s:I,s:I,s:(IIII),s:K,s:O,s:O,s:O}", "name", text_of(s->name), "type", s->type_name,
                         "elem_bytes", s->elem_bytes, "elems", s->elems,
                         "rect", s->x, s->y, s->w, s->h, "pes", (unsigned long long)s->pes, "exported", s->exported ? Py_True : Py_False, "set",
                         s->set ? Py_True : Py_False, "uniform", s->uniform ? Py_True : Py_False);
}

static PyObject *symbol(Runtime *self, PyObject *arg)
{
    WsrtSymbol s;
    const char *name = PyUnicode_AsUTF8(arg);
    if (!name || !enter(self)) return NULL;
    int e = wsrt_symbol(self->rt, name, &s);
    self->busy = 0;
    return e ? raise_code(self, e) : symbol_dict(&s);
}

static PyObject *pointee(Runtime *self, PyObject *args)
{
    const char *name;
    unsigned x, y;
    if (!PyArg_ParseTuple(args, "sII", &name, &x, &y) || !enter(self)) return NULL;
    int e = wsrt_pointee(self->rt, name, x, y, &name);
    self->busy = 0;
    return e ? raise_code(self, e) : text_of(name);
}

static PyObject *symbols(Runtime *self, PyObject *none)
{
    WsrtSymbol s;
    PyObject *list = PyList_New(0);
    if (!list || !enter(self)) return NULL;
    for (unsigned i = 0; wsrt_symbol_at(self->rt, i, &s) == WSRT_OK; i++) {
        PyObject *d = symbol_dict(&s);
        if (d) PyList_Append(list, d);
        Py_XDECREF(d);
    }
    self->busy = 0;
    return list;
}

static PyObject *exports(Runtime *self, PyObject *none)
{
    WsrtExport x;
    PyObject *list = PyList_New(0);
    if (!list || !enter(self)) return NULL;
    for (unsigned i = 0; wsrt_export_at(self->rt, i, &x) == WSRT_OK; i++) {
        PyObject *d = Py_BuildValue("{s:N,s:N,s:O}", "name", text_of(x.name), "type", text_of(x.type), "mutable", x.writable ? Py_True : Py_False);
        if (d) PyList_Append(list, d);
        Py_XDECREF(d);
    }
    self->busy = 0;
    return list;
}

static PyObject *fabric(Runtime *self, PyObject *none)
{
    unsigned d[2], o[2];
    if (!enter(self)) return NULL;
    wsrt_fabric(self->rt, d, o);
    self->busy = 0;
    return Py_BuildValue("((II)(II))", d[0], d[1], o[0], o[1]);
}

static PyObject *report(Runtime *self, PyObject *none)
{
    if (!enter(self)) return NULL;
    PyObject *r = text_of(wsrt_report(self->rt));
    self->busy = 0;
    return r;
}

static PyObject *fault(Runtime *self, PyObject *none)
{
    WsrtFault f;
    if (!enter(self)) return NULL;
    int e = wsrt_fault(self->rt, &f);
    self->busy = 0;
    if (e) Py_RETURN_NONE;
    return Py_BuildValue("{s:s,s:s,s:s,s:N,s:(II),s:K,s:I,s:i,s:N,s:I,s:N}", "id", f.id, "name", f.name, "kind", f.kind, "text",
                         text_of(f.text), "pe", f.x, f.y, "cycle", (unsigned long long)f.cycle, "pc", f.pc, "thread", f.thread,
                         "file", text_of(f.file), "line", f.line, "function", text_of(f.function));
}

static PyObject *counter(Runtime *self, PyObject *args)
{
    const char *name;
    unsigned x, y, i = 0;
    uint64_t v = 0;
    if (!PyArg_ParseTuple(args, "sII", &name, &x, &y) || !enter(self)) return NULL;
    while (wsrt_counter_name(i) && strcmp(wsrt_counter_name(i), name)) i++;
    int known = wsrt_counter_name(i) != NULL, e = known ? wsrt_counter(self->rt, i, x, y, &v) : 0;
    self->busy = 0;
    if (!known) return PyErr_Format(error_type, "there is no counter %s", name);
    return e ? raise_code(self, e) : PyLong_FromUnsignedLongLong(v);
}

static PyObject *set_engine(Runtime *self, PyObject *arg)
{
    const char *name = PyUnicode_AsUTF8(arg);
    if (!name || !enter(self)) return NULL;
    int e = wsrt_set_engine(self->rt, name);
    self->busy = 0;
    if (e) return raise_code(self, e);
    Py_RETURN_NONE;
}

static PyObject *set_arch_param(Runtime *self, PyObject *args)
{
    const char *name;
    int value;
    if (!PyArg_ParseTuple(args, "si", &name, &value) || !enter(self)) return NULL;
    int e = wsrt_set_arch_param(self->rt, name, value);
    self->busy = 0;
    if (e) return raise_code(self, e);
    Py_RETURN_NONE;
}

static PyObject *core(Runtime *self, PyObject *path, int write)
{
    PyObject *bytes;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    if (!enter(self)) return Py_DECREF(bytes), NULL;
    int e = write ? wsrt_core_write(self->rt, PyBytes_AS_STRING(bytes)) : wsrt_core_read(self->rt, PyBytes_AS_STRING(bytes));
    Py_DECREF(bytes);
    self->busy = 0;
    if (e) return raise_code(self, e);
    Py_RETURN_NONE;
}
static PyObject *core_write(Runtime *s, PyObject *path) { return core(s, path, 1); }
static PyObject *core_read(Runtime *s, PyObject *path) { return core(s, path, 0); }

static PyObject *set_print(Runtime *self, PyObject *arg)
{
    if (!enter(self)) return NULL;
    if (arg != Py_None && !PyCallable_Check(arg)) {
        self->busy = 0;
        return PyErr_SetString(PyExc_TypeError, "on_print takes a function of x, y, cycle, line, or None"), NULL;
    }
    Py_XSETREF(self->print, arg == Py_None ? NULL : Py_NewRef(arg));
    wsrt_on_print(self->rt, on_print, self);
    self->busy = 0;
    Py_RETURN_NONE;
}

/* ---- the type */
static int rt_init(Runtime *self, PyObject *args, PyObject *kw)
{
    static char *names[] = {"path", NULL};
    PyObject *path;
    char err[WSRT_ERR_BYTES];
    if (self->rt) return PyErr_SetString(error_type, "the runtime is open already"), -1;
    if (!PyArg_ParseTupleAndKeywords(args, kw, "O&", names, PyUnicode_FSConverter, &path)) return -1;
    self->rt = wsrt_open(PyBytes_AS_STRING(path), err);
    Py_DECREF(path);
    if (self->rt) return 0;
    raise_text(error_type, err, WSRT_E_FILE);
    return -1;
}

static PyObject *rt_close(Runtime *self, PyObject *none)
{
    if (!self->rt) Py_RETURN_NONE;
    if (!enter(self)) return NULL;
    wsrt_close(self->rt);
    self->rt = NULL;
    release_done(self, UINT64_MAX);
    self->busy = 0;
    Py_RETURN_NONE;
}

static void rt_dealloc(Runtime *self)
{
    wsrt_close(self->rt);
    release_done(self, UINT64_MAX);
    Py_CLEAR(self->print);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *get(Runtime *self, void *what)
{
    if (!self->rt) return PyErr_SetString(error_type, "the runtime is closed"), NULL;
    switch (*(const char *)what) {
    case 'w': return PyLong_FromUnsignedLong(wsrt_width(self->rt));
    case 'h': return PyLong_FromUnsignedLong(wsrt_height(self->rt));
    case 'c': return PyLong_FromUnsignedLongLong(wsrt_cycles(self->rt));
    case 'e': return PyUnicode_FromString(wsrt_engine(self->rt));
    case 'z': return PyLong_FromUnsignedLongLong(wsrt_clock_hz(self->rt));
    default: return PyUnicode_FromString(wsrt_arch(self->rt));
    }
}

#define KW(f) (PyCFunction)(void (*)(void))f, METH_VARARGS | METH_KEYWORDS
static PyMethodDef methods[] = {
    {"h2d", KW(h2d), "h2d(symbol, array, x, y, w, h, elems, bits=32, order=0, spread=0, nonblock=False) -> task"},
    {"d2h", KW(d2h), "d2h(symbol, array, x, y, w, h, elems, bits=32, order=0, spread=0, nonblock=False) -> task"},
    {"stream_h2d", KW(stream_h2d), "stream_h2d(color, array, x, y, w, h, elems, bits=32, order=0, spread=0, nonblock=False) -> task"},
    {"stream_d2h", KW(stream_d2h), "stream_d2h(color, array, x, y, w, h, elems, bits=32, order=0, spread=0, nonblock=False) -> task"},
    {"launch", KW(launch), "launch(function, args=[(type, value), ...], nonblock=False) -> task"},
    {"wait", (PyCFunction)task_wait, METH_O, "wait(task): until it is done"},
    {"done", (PyCFunction)task_done, METH_O, "done(task) -> bool; does the next command"},
    {"finish", (PyCFunction)finish, METH_NOARGS, "all commands, then on until nothing can move"},
    {"run", KW(run), "run(max_cycles=0) -> how it ended: idle, stall, fault, max-cycles"},
    {"write", KW(rt_write), "write(symbol, array, x, y, w, h, elems, order=0)"},
    {"read", KW(rt_read), "read(symbol, array, x, y, w, h, elems, order=0)"},
    {"peek", (PyCFunction)peek, METH_VARARGS, "peek(x, y, address, length) -> bytes"},
    {"symbol", (PyCFunction)symbol, METH_O, "symbol(name) -> dict"},
    {"pointee", (PyCFunction)pointee, METH_VARARGS, "pointee(symbol, x, y) -> name of what the pointer points to"},
    {"symbols", (PyCFunction)symbols, METH_NOARGS, "all symbols"},
    {"exports", (PyCFunction)exports, METH_NOARGS, "names declared for the host, with types"},
    {"fabric", (PyCFunction)fabric, METH_NOARGS, "((width, height), (x, y)): the fabric, and where the rectangle lies in it"},
    {"report", (PyCFunction)report, METH_NOARGS, "where the PEs stand, or why nothing moves"},
    {"fault", (PyCFunction)fault, METH_NOARGS, "dict, or None"},
    {"counter", (PyCFunction)counter, METH_VARARGS, "counter(name, x, y) -> int"},
    {"set_engine", (PyCFunction)set_engine, METH_O, "before the machine starts"},
    {"set_arch_param", (PyCFunction)set_arch_param, METH_VARARGS, "set_arch_param(name, value), before the machine starts"},
    {"core_write", (PyCFunction)core_write, METH_O, "core_write(path): the memory of all PEs"},
    {"core_read", (PyCFunction)core_read, METH_O, "core_read(path), before the machine has run: holds that memory then"},
    {"on_print", (PyCFunction)set_print, METH_O, "on_print(f): f(x, y, cycle, line) for each line a kernel prints"},
    {"close", (PyCFunction)rt_close, METH_NOARGS, "free the machine"},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset[] = {{"width", (getter)get, NULL, "PEs west to east", "w"}, {"height", (getter)get, NULL, "PEs north to south", "h"},
                               {"cycles", (getter)get, NULL, "cycles since the start", "c"}, {"engine", (getter)get, NULL, "engine in use", "e"},
                               {"arch", (getter)get, NULL, "wse2 or wse3", "a"}, {"clock_hz", (getter)get, NULL, "clock of the machine", "z"}, {0}};
static PyTypeObject runtime_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "scheelite.Runtime", .tp_basicsize = sizeof(Runtime), .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "Runtime(path): an object, an image, or a folder that cslc left", .tp_new = PyType_GenericNew, .tp_init = (initproc)rt_init,
    .tp_dealloc = (destructor)rt_dealloc, .tp_methods = methods, .tp_getset = getset};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "scheelite._wsrt", .m_doc = "libwsrt", .m_size = -1};

PyMODINIT_FUNC PyInit__wsrt(void)
{
    PyObject *m = PyModule_Create(&module);
    if (!m || PyType_Ready(&runtime_type)) return NULL;
    error_type = PyErr_NewExceptionWithDoc("scheelite.Error", "what went wrong, and a number of wsrt.h",
                                           PyExc_RuntimeError, NULL);
    stall_type = PyErr_NewExceptionWithDoc("scheelite.Stall", "nothing moves any more; Runtime.report() says why",
                                           error_type, NULL);
    fault_type = PyErr_NewExceptionWithDoc("scheelite.Fault", "the program did what a machine cannot do", error_type, NULL);
    if (PyModule_AddObjectRef(m, "Runtime", (PyObject *)&runtime_type) || PyModule_AddObjectRef(m, "Error", error_type) ||
        PyModule_AddObjectRef(m, "Stall", stall_type) || PyModule_AddObjectRef(m, "Fault", fault_type)) return NULL;
    return m;
}
