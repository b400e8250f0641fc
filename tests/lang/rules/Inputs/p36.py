"""The host of p36-stream.csl."""
import array
import sys

import scheelite

rt = scheelite.Runtime(sys.argv[1])


def words(n, value=0):
    return array.array("I", [value] * n)


def value(nonblock=False):
    out = words(3)
    rt.d2h("value", out, 0, 0, 3, 1, 1)
    return list(out)


rt.launch("slow", [("u16", 1000)], nonblock=True)
print("slow", value())
seen, hops = [], []
for k in (1, 2, 3):
    rt.launch("early", [("u16", k)])
    w = words(1)
    rt.read("seen", w, 2, 0, 1, 1, 1)
    seen.append(w[0])
    rt.read("got", w, 2, 0, 1, 1, 1)
    hops.append(w[0])
print("early", seen)
print("hops", hops)
rt.launch("echo", [("u16", 8)])
rt.stream_h2d(0, array.array("I", range(1, 9)), 1, 0, 1, 1, 8)
back = words(8)
rt.stream_d2h(1, back, 1, 0, 1, 1, 8)
print("streamed", list(back))
# four commands that nobody waits for, in the order of the calls; the copies see what is there in their turn
rt.h2d("value", words(3, 5), 0, 0, 3, 1, 1, nonblock=True)
one, two = words(3), words(3)
rt.d2h("value", one, 0, 0, 3, 1, 1, nonblock=True)
rt.launch("plus", [("u16", 5000)], nonblock=True)
last = rt.d2h("value", two, 0, 0, 3, 1, 1, nonblock=True)
assert one[0] == 0 and two[0] == 0
rt.wait(last)
print("order", [one[1], two[1]])
rt.h2d("value", words(3, 1000), 0, 0, 3, 1, 1, nonblock=True)
rt.launch("slow", [("u16", 3000)], nonblock=True)
rt.finish()
pe = words(3)
rt.read(rt.pointee("value", 0, 0), pe, 0, 0, 3, 1, 1)
print("finished", list(pe))
