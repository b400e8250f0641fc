"""SdkRuntime over scheelite.Runtime.

Commands keep their order: copies, launches and streams are done one after another.  With nonblock=True a call returns a
task at once; its array must stay as it is until the task is done.  16-bit data travel in 32-bit words, the low half counts.
Lines that kernels print go to sim.log in the working folder, as "@cycle text".
"""
import enum
import numbers
import os

import numpy as np
import scheelite


class MemcpyDataType(enum.Enum):
    MEMCPY_16BIT = 16
    MEMCPY_32BIT = 32


class MemcpyOrder(enum.Enum):
    ROW_MAJOR = scheelite.ROW_MAJOR
    COL_MAJOR = scheelite.COL_MAJOR


class Task:
    """What a call with nonblock=True returns."""

    def __init__(self, number):
        self.number = number


_ARG_TYPES = {"int8": "i8", "uint8": "u8", "int16": "i16", "uint16": "u16", "int32": "i32", "uint32": "u32", "float16": "f16", "float32": "f32", "bool": "bool"}
_RANGES = {"i8": (-128, 127), "u8": (0, 255), "i16": (-32768, 32767), "u16": (0, 65535), "i32": (-2**31, 2**31 - 1), "u32": (0, 2**32 - 1), "bool": (0, 1)}
CORE = "core.ws"         # in the folder, for cerebras.sdk.debug
_CORE_PES = 4096         # stop() writes it by itself up to that many PEs


def _symbol_bytes(rt, x, y, name):
    """The bytes of a symbol of one PE; of an exported pointer, of the array that it points to."""
    s = rt.symbol(name)
    if s["type"] == "ptr":
        try:
            name = rt.pointee(name, x, y)
            s = rt.symbol(name)
        except scheelite.Error:
            pass                                           # it points into the middle of something: the pointer itself
    out = np.zeros(s["elems"] * s["elem_bytes"], np.uint8)
    rt.read(name, memoryview(out).cast({1: "B", 2: "H", 4: "I", 8: "Q"}[s["elem_bytes"]]), x, y, 1, 1, s["elems"])
    return out


def _words(array):
    """The array as the runtime wants it: 32-bit elements, in place."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"the array is a {type(array).__name__}, not a NumPy array")
    if array.dtype.itemsize != 4:
        raise TypeError(f"the array is of {array.dtype}: 32-bit elements travel, also for 16-bit data (cerebras.sdk.sdk_utils.input_array_to_u32)")
    return array


class SdkRuntime:
    """Runs the folder that cslc left."""

    def __init__(self, bindir, platform=None, cmaddr=None, suppress_simfab_trace=False, simfab_numthreads=None, msg_level=None, memcpy_required=True, **other):
        if other:
            raise TypeError("SdkRuntime takes no " + ", ".join(sorted(other)))
        if cmaddr:
            raise ValueError(f"cmaddr={cmaddr!r}: there is no machine at that address, only the simulated one; leave it out")
        self._dir = os.path.realpath(bindir)
        self._rt = scheelite.Runtime(bindir)
        self._rt.on_print(self._print)
        self._log = None
        self._signatures = {e["name"]: e["type"] for e in self._rt.exports()}
        self._names = [s["name"] for s in self._rt.symbols() if s["exported"]]
        self._state = "new"

    def _print(self, x, y, cycle, line):
        if self._log is None:
            self._log = open("sim.log", "w", encoding="utf-8")
        self._log.write(f"@{cycle} {line}\n")
        self._log.flush()

    def _running(self, what):
        if self._state != "running":
            hint = {"new": "call load() and run() before it", "loaded": "call run() before it", "stopped": "stop() was called"}[self._state]
            raise RuntimeError(f"{what}: the program is not running; {hint}")

    # ---- the life of a run
    def load(self):
        """Load the program."""
        if self._state != "new":
            raise RuntimeError("load() was called already")
        self._state = "loaded"

    def run(self):
        """Start it: commands may come."""
        if self._state != "loaded":
            raise RuntimeError("run(): call load() first" if self._state == "new" else "run() was called already")
        self._state = "running"

    def stop(self):
        """Do what is left, and let the program come to rest.  Its memory stays readable."""
        self._running("stop")
        self._rt.finish()
        self._state = "stopped"
        if self._rt.width * self._rt.height <= _CORE_PES:
            self.dump_core(os.path.join(self._dir, CORE))
        if self._log:
            self._log.close()
            self._log = None

    # ---- names
    def get_id(self, name):
        """The number of an exported symbol."""
        if name not in self._names:
            raise ValueError(f"the program exports no symbol {name}")
        return self._names.index(name)

    get_symbol_id = get_id

    def _symbol(self, number):
        n = int(number)
        if not 0 <= n < len(self._names):
            raise ValueError(f"there is no symbol with the number {n}: get_id gives them")
        return self._names[n]

    # ---- commands
    def _copy(self, to_pe, what, array, px, py, w, h, elems, streaming, data_type, order, nonblock, spread=scheelite.EACH):
        self._running("memcpy_h2d" if to_pe else "memcpy_d2h")
        if not isinstance(data_type, MemcpyDataType) or not isinstance(order, MemcpyOrder):
            raise TypeError("data_type is a MemcpyDataType, order a MemcpyOrder")
        call = (self._rt.stream_h2d if to_pe else self._rt.stream_d2h) if streaming else (self._rt.h2d if to_pe else self._rt.d2h)
        target = int(what) if streaming else self._symbol(what)
        return Task(call(target, _words(array), int(px), int(py), int(w), int(h), int(elems), bits=data_type.value, order=order.value,
                         spread=spread, nonblock=bool(nonblock)))

    def memcpy_h2d(self, dest, src, px, py, w, h, elem_per_pe, *, streaming, data_type, order, nonblock):
        """Copy the array to a symbol (its number), or stream it on a color."""
        return self._copy(True, dest, src, px, py, w, h, elem_per_pe, streaming, data_type, order, nonblock)

    def memcpy_d2h(self, dest, src, px, py, w, h, elem_per_pe, *, streaming, data_type, order, nonblock):
        """Copy a symbol (its number) to the array, or take what PEs stream on a color."""
        return self._copy(False, src, dest, px, py, w, h, elem_per_pe, streaming, data_type, order, nonblock)

    def memcpy_h2d_rowbcast(self, dest, src, px, py, w, h, elem_per_pe, *, streaming, data_type, order, nonblock):
        """The array has one value a row, (h, 1, elem_per_pe): all PEs of a row get it."""
        return self._copy(True, dest, src, px, py, w, h, elem_per_pe, streaming, data_type, order, nonblock, scheelite.ROW_BCAST)

    def memcpy_h2d_colbcast(self, dest, src, px, py, w, h, elem_per_pe, *, streaming, data_type, order, nonblock):
        """The array has one value a column, (1, w, elem_per_pe): all PEs of a column get it."""
        return self._copy(True, dest, src, px, py, w, h, elem_per_pe, streaming, data_type, order, nonblock, scheelite.COL_BCAST)

    def _args(self, name, args):
        signature = self._signatures.get(name, "")
        declared = [t for t in signature[3:signature.find(")")].split(",") if t] if signature.startswith("fn(") else []
        out = []
        for i, a in enumerate(args):
            want = declared[i] if i < len(declared) else None
            kind = _ARG_TYPES.get(a.dtype.name) if isinstance(a, (np.generic, np.ndarray)) and np.ndim(a) == 0 else None
            if kind is None and isinstance(a, numbers.Real) and want:
                kind = want                                # a Python number takes the declared type
                if kind in _RANGES and not (isinstance(a, int) and _RANGES[kind][0] <= a <= _RANGES[kind][1]):
                    raise ValueError(f"{name}: argument {i}, {a!r}, is no {kind}")
            if kind is None:
                raise TypeError(f"{name}: argument {i} is a {type(a).__name__}; give a NumPy scalar, such as numpy.int16({a!r})")
            if kind == "f16":
                out.append((kind, int(np.float16(a).view(np.uint16))))
            else:
                out.append((kind, float(a) if kind == "f32" else int(a)))
        return out

    def launch(self, name, *args, nonblock=False):
        """Launch an exported function in all PEs; done when each has called unblock_cmd_stream."""
        self._running("launch")
        return Task(self._rt.launch(name, self._args(name, args), nonblock=bool(nonblock)))

    def call(self, name, params=(), nonblock=False):
        """launch, with the arguments in a list."""
        return self.launch(name, *params, nonblock=nonblock)

    def is_task_done(self, task):
        return self._rt.done(task.number)

    def task_wait(self, task):
        self._rt.wait(task.number)

    # ---- afterwards
    def read_symbol(self, x, y, name, dtype="uint8"):
        """The bytes of a symbol of one PE of the rectangle, as an array of dtype."""
        return _symbol_bytes(self._rt, int(x), int(y), name).view(dtype)

    def dump_core(self, path):
        """Write the memory of all PEs: a core file.  stop() leaves core.ws in the folder, if there are not too many PEs."""
        self._rt.core_write(path)

    def coord_logical_to_physical(self, coord):
        """Of a PE of the rectangle, its place in the fabric."""
        (_, offsets) = self._rt.fabric()
        return (int(coord[0]) + offsets[0], int(coord[1]) + offsets[1])
