"""scheelite: run objects, images and the folders of cslc on the simulated wafer (docs/host.md).

    import numpy, scheelite
    rt = scheelite.Runtime("out")
    x = numpy.arange(12, dtype=numpy.float32)
    rt.h2d("x", x, 0, 0, 4, 1, 3)
    rt.launch("compute", [("i16", 2)])
    rt.d2h("x", x, 0, 0, 4, 1, 3)

Arrays are used in place through the buffer protocol; NumPy is not needed.  Failures raise Error (its .code is a number of
wsrt.h), Stall or Fault.
"""
from scheelite._wsrt import Error, Fault, Runtime, Stall

ROW_MAJOR, COL_MAJOR = 0, 1
EACH, ROW_BCAST, COL_BCAST = 0, 1, 2

__all__ = ["Runtime", "Error", "Stall", "Fault", "ROW_MAJOR", "COL_MAJOR", "EACH", "ROW_BCAST", "COL_BCAST"]
