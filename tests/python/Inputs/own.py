"""The module of our own: plain buffers, runs, faults, threads, Ctrl-C."""
import array
import os
import signal
import sys
import threading
import time

import scheelite

arch, folder, streams, obj = sys.argv[1:5]


def raises(kind, text, call, *args, **kw):
    try:
        call(*args, **kw)
    except kind as e:
        assert text in str(e), f"{text!r} is not in {e!r}"
        return e
    raise AssertionError(f"no {kind.__name__}: {text}")


assert raises(scheelite.Error, "not a Scheelite object", scheelite.Runtime, __file__).code == -1
rt = scheelite.Runtime(folder)
assert (rt.width, rt.height, rt.arch, rt.fabric()) == (3, 2, arch, ((10, 4), (4, 1)))
assert {"name": "f", "type": "fn(f32,u16)void", "mutable": False} in rt.exports()
assert rt.symbol("where")["rect"] == (0, 0, 3, 2) and any(s["name"] == "round" for s in rt.symbols())
lines = []
rt.on_print(lambda x, y, cycle, line: lines.append((x, y, line)))
rt.launch("say", [("u16", 3)])
assert lines == [(2, 0, "3 from 0"), (2, 1, "3 from 1")], lines
raises(scheelite.Error, "no function takes an argument of type u64", rt.launch, "f", [("u64", 3)])
h = array.array("I", [7, 8, 9, 1])
rt.h2d("h", h, 1, 1, 1, 1, 4, bits=16)
back = array.array("H", [0] * 4)
raises(scheelite.Error, "elements of 2 bytes, not 4", rt.d2h, "h", back, 1, 1, 1, 1, 4, bits=16)
back = array.array("I", [0] * 4)
rt.d2h("h", back, 1, 1, 1, 1, 4, bits=16)
assert list(back) == [7, 8, 9, 1]
where = array.array("H", [0] * 12)
rt.read("where", where, 0, 0, 3, 2, 2)
assert list(where) == [0, 0, 1, 0, 2, 0, 0, 1, 1, 1, 2, 1]
assert rt.peek(0, 0, 0, 4) != rt.peek(0, 0, 4, 4)
assert raises(scheelite.Error, "not inside the 49152 bytes", rt.peek, 0, 0, 49150, 4).code == -3
assert rt.counter("slots", 0, 0) > 0 and rt.fault() is None and rt.symbol("h")["type"] == "ptr"

assert rt.pointee("h", 1, 1).startswith("h") and rt.symbol(rt.pointee("h", 1, 1))["elems"] == 4
assert rt.cycles > 0 and 5e8 < rt.clock_hz < 2e9 and rt.engine in ("reference", "fast", "both") and "PE" in rt.report()
raises(scheelite.Error, "no counter", rt.counter, "sloths", 0, 0)

# memory kept in a file, and read into a machine that has not run
rt.core_write(obj + ".core")
later = scheelite.Runtime(folder)
later.core_read(obj + ".core")
kept = array.array("H", [0] * 4)
later.read(later.pointee("h", 1, 1), kept, 1, 1, 1, 1, 4)
seen_now = array.array("H", [1] * 4)
rt.read(rt.pointee("h", 1, 1), seen_now, 1, 1, 1, 1, 4)
assert kept == seen_now
assert raises(scheelite.Error, "has not run", rt.core_read, obj + ".core").code == -6
later.close()

# streams, tasks, the machine's numbers
two = scheelite.Runtime(streams)
raises(scheelite.Error, "steam", two.set_engine, "steam")
two.set_engine("reference")
two.set_arch_param("hop_cycles", 2)
raises(scheelite.Error, "no_such_thing", two.set_arch_param, "no_such_thing", 2)
words = array.array("I", range(100, 108))
sent = two.stream_h2d(3, words, 0, 0, 2, 1, 4, nonblock=True)
two.launch("echo")
assert two.done(sent)
got = array.array("I", [0] * 8)
two.stream_d2h(4, got, 0, 0, 2, 1, 4)
assert got == words, got
v = array.array("I", [0] * 6)
later = two.d2h("v", v, 0, 0, 2, 1, 3, nonblock=True)
two.wait(later)
assert list(v) == [1, 2, 3, 1, 2, 3]
two.finish()
two.write("left", array.array("H", [7]), 0, 0, 1, 1, 1)
two.close()
raises(scheelite.Error, "the runtime is closed", two.finish)

# an error in the printing function ends the call; the interpreter and the runtime go on
rt.on_print(lambda *a: 1 // 0)
raises(ZeroDivisionError, "", rt.launch, "say", [("u16", 4)])
rt.on_print(None)
rt.launch("say", [("u16", 5)])

# the lock is released while the machine runs: a thread counts; meanwhile nobody else may use the runtime
stop, count, seen = threading.Event(), [0], []


def other():
    while not stop.is_set():
        count[0] += 1
        try:
            rt.report()
        except scheelite.Error as e:
            seen.append(str(e))
        if len(seen) > 3:
            os.kill(os.getpid(), signal.SIGINT)           # Ctrl-C, while endless() runs
            return
        time.sleep(0.01)


rt.launch("early")                                      # uses up the end that was said at the start
thread = threading.Thread(target=other, daemon=True)
thread.start()
zeros = array.array("I", [0] * 24)
rt.h2d("h", zeros, 0, 0, 3, 2, 4, bits=16)
task = rt.launch("endless", nonblock=True)
raises(KeyboardInterrupt, "", rt.wait, task)
stop.set()
thread.join()
assert count[0] > 1 and "in use, by another thread" in seen[0], (count, seen)
assert not isinstance(sys.exc_info()[1], KeyboardInterrupt)

# a handler of the program's own that does not raise: the run goes on
hits = []
signal.signal(signal.SIGINT, lambda *a: hits.append(1))
raw = scheelite.Runtime(obj)
raw.on_print(lambda *a: os.kill(os.getpid(), signal.SIGINT))
assert raw.run(max_cycles=3000000) == "max-cycles" and hits == [1], hits
raw.close()
raises(scheelite.Error, "the runtime is closed", raw.run)

# bytes that are no text, in a name for the host: shown as far as they can be
image = open(f"{folder}/bin/out_0.elf", "rb").read()
with open(obj, "wb") as f:
    f.write(image.replace(b"const loops", b"const l\xff\x80ps"))
assert "l\ufffd\ufffdps" in [e["name"] for e in scheelite.Runtime(obj).exports()]
print("SUCCESS")
