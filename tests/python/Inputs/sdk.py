"""The vendor's names: SdkRuntime, sdk_utils, debug_util; what they do, and what they say when it is wrong."""
import json
import os
import sys

import numpy as np
from cerebras.geometry.geometry import IntRectangle, IntVector
from cerebras.sdk import sdk_utils
from cerebras.sdk.debug.debug_util import debug_util
from cerebras.sdk.runtime.sdkruntimepybind import MemcpyDataType, MemcpyOrder, SdkRuntime, Task
from cerebras.sdk.sdk_utils import calculate_cycles, input_array_to_u32, memcpy_view

folder = sys.argv[1]
out = json.load(open(f"{folder}/out.json"))
params = out["params"]
N = int(params["n"])
ROW, COL, B16, B32 = MemcpyOrder.ROW_MAJOR, MemcpyOrder.COL_MAJOR, MemcpyDataType.MEMCPY_16BIT, MemcpyDataType.MEMCPY_32BIT


def raises(kind, text, call, *args, **kw):
    try:
        call(*args, **kw)
    except kind as e:
        assert text in str(e), f"{text!r} is not in {e!r}"
        return
    raise AssertionError(f"no {kind.__name__}: {text}")


def kw(data_type=B32, order=ROW, nonblock=False, streaming=False):
    return dict(streaming=streaming, data_type=data_type, order=order, nonblock=nonblock)


raises(RuntimeError, "nowhere", SdkRuntime, f"{folder}/nowhere")
raises(ValueError, "only the simulated one", SdkRuntime, folder, cmaddr="10.0.0.1:9000")
raises(TypeError, "colour", SdkRuntime, folder, colour=1)
runner = SdkRuntime(folder, cmaddr=None, suppress_simfab_trace=True)
a, h = runner.get_id("a"), runner.get_id("h")
raises(ValueError, "exports no symbol b", runner.get_id, "b")
raises(RuntimeError, "call load() and run()", runner.launch, "loops")
raises(RuntimeError, "call load() first", runner.run)
if os.path.exists(f"{folder}/core.ws"):
    os.remove(f"{folder}/core.ws")
raises(RuntimeError, "there is no core.ws", debug_util, folder)
runner.load()
raises(RuntimeError, "call run()", runner.stop)
runner.run()

# copies: both orders, (h, w, n)
data = np.arange(2 * 3 * N, dtype=np.float32).reshape(2, 3, N)
runner.memcpy_h2d(a, data.ravel(), 0, 0, 3, 2, N, **kw())
back = np.zeros(2 * 3 * N, np.float32)
runner.memcpy_d2h(back, a, 0, 0, 3, 2, N, **kw(order=COL))
np.testing.assert_array_equal(back.reshape((2, 3, N), order="F"), data)
one = np.zeros((N, 1), np.float32)
runner.memcpy_d2h(one, a, 2, 1, 1, 1, np.int32(N), **kw())
np.testing.assert_array_equal(one[:, 0], data[1, 2])

# 16 bits: in 32-bit words
runner.memcpy_h2d(h, input_array_to_u32(np.arange(24, dtype=np.uint16), None, 1), 0, 0, 3, 2, 4, **kw(B16))
runner.launch("f", np.float32(0.5), np.uint16(1000), nonblock=False)
words = np.zeros(24, np.uint32)
runner.memcpy_d2h(words, h, 0, 0, 3, 2, 4, **kw(B16))
np.testing.assert_array_equal(memcpy_view(words, np.dtype(np.uint16)), 1000 + np.arange(24))
runner.memcpy_d2h(back, a, 0, 0, 3, 2, N, **kw())
np.testing.assert_array_equal(back, data.ravel() / 2)

# broadcasts: (h, 1, n) and (1, w, n)
rows = np.arange(2 * N, dtype=np.float32)
runner.memcpy_h2d_rowbcast(a, rows, 0, 0, 3, 2, N, **kw())
runner.memcpy_d2h(back, a, 0, 0, 3, 2, N, **kw())
np.testing.assert_array_equal(back.reshape(2, 3, N), np.repeat(rows.reshape(2, 1, N), 3, axis=1))
cols = np.arange(3 * N, dtype=np.float32)
runner.memcpy_h2d_colbcast(a, cols, 0, 0, 3, 2, N, **kw(order=COL))
runner.memcpy_d2h(back, a, 0, 0, 3, 2, N, **kw(order=COL))
np.testing.assert_array_equal(back.reshape((2, 3, N), order="F"), np.repeat(cols.reshape((1, 3, N), order="F"), 2, axis=0))

# tasks; call; an array that only the runtime still holds
t = runner.memcpy_h2d(a, np.full(6 * N, 8, np.float32), 0, 0, 3, 2, N, **kw(nonblock=True))
u = runner.launch("f", np.float32(2), np.uint16(0), nonblock=True)
v = runner.memcpy_d2h(back, a, 0, 0, 3, 2, N, **kw(nonblock=True))
runner.task_wait(v)
assert isinstance(t, Task) and runner.is_task_done(t) and runner.is_task_done(u) and np.all(back == 16)
runner.call("loops", [], nonblock=False)
runner.call("f", [np.float32(1), np.uint16(1)], nonblock=False)
runner.launch("f", 1.0, 1, nonblock=False)         # Python numbers take the declared type
runner.launch("early", nonblock=False)             # over before it began: the count is ahead
runner.launch("say", np.uint16(7), nonblock=False)
assert sorted(line.split(" ", 1)[1] for line in open("sim.log")) == ["7 from 0\n", "7 from 1\n"], open("sim.log").read()

# what is wrong
raises(TypeError, "32-bit elements travel", runner.memcpy_h2d, h, np.zeros(24, np.uint16), 0, 0, 3, 2, 4, **kw(B16))
raises(TypeError, "not a NumPy array", runner.memcpy_h2d, h, [0] * 24, 0, 0, 3, 2, 4, **kw(B16))
raises(RuntimeError, "not contiguous", runner.memcpy_h2d, a, np.zeros(12 * N, np.float32)[::2], 0, 0, 3, 2, N, **kw())
raises(RuntimeError, "has 5 elements", runner.memcpy_h2d, a, np.zeros(5, np.float32), 0, 0, 3, 2, N, **kw())
raises(RuntimeError, "not inside the program's 3 x 2 PEs", runner.memcpy_d2h, back, a, 1, 0, 3, 2, N, **kw())
raises(RuntimeError, "elements of 32 bits, not 16", runner.memcpy_d2h, back, a, 0, 0, 3, 2, N, **kw(B16))
frozen = np.zeros(6 * N, np.float32)
frozen.flags.writeable = False
raises(RuntimeError, "cannot be written", runner.memcpy_d2h, frozen, a, 0, 0, 3, 2, N, **kw())
raises(ValueError, "no symbol with the number 999", runner.memcpy_d2h, back, 999, 0, 0, 3, 2, N, **kw())
raises(RuntimeError, "the program routes that color", runner.memcpy_h2d, 3, back, 0, 0, 3, 2, N, **kw(streaming=True))
raises(RuntimeError, "there is no symbol g", runner.launch, "g", nonblock=False)
raises(RuntimeError, "takes 2 arguments, not 1", runner.launch, "f", np.float32(1), nonblock=False)
raises(RuntimeError, "argument 1 is of type u16, not i16", runner.launch, "f", np.float32(1), np.int16(1), nonblock=False)
raises(ValueError, "is no u16", runner.launch, "f", np.float32(1), 70000, nonblock=False)
raises(TypeError, "give a NumPy scalar", runner.launch, "f", "x", np.uint16(1), nonblock=False)
raises(TypeError, "data_type is a MemcpyDataType", runner.memcpy_d2h, back, a, 0, 0, 3, 2, N, streaming=False, data_type=32, order=ROW, nonblock=False)

# what is left is done by stop; afterwards memory is readable, by places of the rectangle and of the fabric
runner.memcpy_h2d(a, np.full(6 * N, 3, np.float32), 0, 0, 3, 2, N, **kw(nonblock=True))
runner.stop()
raises(RuntimeError, "stop() was called", runner.launch, "loops")
core = open(f"{folder}/core.ws", "rb").read()
for bad, text in ((core[:-1], "damaged"), (core + b"x", "damaged"), (b"WSCORE 2" + core[8:], "not a core file"), (core[:20], "not a core file"),
                  (core[:9] + b"\x09" + core[10:], "of another program"), (core[:41] + b"\xff" * 32 + core[73:], "damaged")):
    with open(f"{folder}/core.ws", "wb") as f:
        f.write(bad)
    raises(RuntimeError, text, debug_util, folder)
runner.dump_core(f"{folder}/core.ws")
np.testing.assert_array_equal(runner.read_symbol(1, 1, "where", dtype="uint16"), [1, 1])
np.testing.assert_array_equal(runner.read_symbol(1, 1, "where").view(np.uint16), [1, 1])
np.testing.assert_array_equal(runner.read_symbol(2, 0, "a", dtype="float32"), np.full(N, 3))     # what the pointer points to
assert runner.coord_logical_to_physical((2, 1)) == (6, 2)
debug = debug_util(folder)
np.testing.assert_array_equal(debug.get_symbol(6, 2, "where", np.uint16), [2, 1])
np.testing.assert_array_equal(debug.get_symbol(4, 2, "a", np.float32), np.full(N, 3))
loops = 8 if out["arch"] == "wse3" else 6
np.testing.assert_array_equal(debug.get_symbol(4, 1, "round", np.uint32)[:loops], 100 + np.arange(loops))
assert debug.get_symbol_rect(((4, 1), (3, 2)), "where", np.uint16).shape == (3, 2, 2)
assert debug.read_trace(5, 2, "notes") == ["begin", 70000, -5, 1.5, True, 0.25, 7], debug.read_trace(5, 2, "notes")
begin, end = debug.read_trace(5, 2, "times")
assert 0 < end - begin < 100000, (begin, end)
raises(RuntimeError, "there is no symbol debug.other", debug.read_trace, 5, 2, "other")
raises(ValueError, "not in the program's rectangle", debug.get_symbol, 3, 1, "where", np.uint16)

# helpers
np.testing.assert_array_equal(input_array_to_u32(np.array([5, 6, 7], np.int16), 1, 2), [5, 0x10006, 7])
np.testing.assert_array_equal(input_array_to_u32(np.array([-1], np.int16), None, 1), [0xffff])
np.testing.assert_array_equal(sdk_utils.input_array_to_u32(np.array([1.0], np.float32), None, 1), [0x3f800000])
view = np.zeros(2, np.uint32)
memcpy_view(view, np.dtype(np.float16))[1] = 1.0
assert view[1] == 0x3c00
stamps = np.array([0xfff0, 1, 0, 0x10, 2, 1], np.uint16).view(np.float32)
assert calculate_cycles(stamps) == 0x100020010 - 0x1fff0
r = IntRectangle(IntVector(1, 2), IntVector(4, 4))
assert (r.width, r.height) == (3, 2)
print("SUCCESS")
