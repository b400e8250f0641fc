"""Memory of PEs after a run, by their places in the fabric."""
import os

import numpy as np
from cerebras.sdk.runtime import sdkruntimepybind


class debug_util:
    """Of the run of a folder that this program stopped last."""

    def __init__(self, bindir, cmaddr=None):
        if cmaddr:
            raise ValueError("cmaddr: there is no machine at that address, only the simulated one; leave it out")
        self._rt = sdkruntimepybind._stopped.get(os.path.realpath(bindir))
        if self._rt is None:
            raise RuntimeError(f"{bindir}: no run of it was stopped by this program: debug_util comes after SdkRuntime.stop()")
        self._offsets = self._rt.fabric()[1]

    def _pe(self, x, y):
        px, py = int(x) - self._offsets[0], int(y) - self._offsets[1]
        if not (0 <= px < self._rt.width and 0 <= py < self._rt.height):
            raise ValueError(f"({x}, {y}) is not in the program's rectangle, which begins at {self._offsets} in the fabric")
        return px, py

    def get_symbol(self, x, y, name, dtype):
        """The elements of a symbol of one PE as an array."""
        px, py = self._pe(x, y)
        s = self._rt.symbol(name)
        raw = bytearray(s["elems"] * s["elem_bytes"])
        self._rt.read(name, memoryview(raw).cast({1: "B", 2: "H", 4: "I", 8: "Q"}[s["elem_bytes"]]), px, py, 1, 1, s["elems"])
        return np.frombuffer(bytes(raw), dtype=dtype)

    def get_symbol_rect(self, rectangle, name, dtype):
        """The same for ((x, y), (width, height)): an array of shape (width, height, elements)."""
        (x, y), (w, h) = rectangle
        return np.array([[self.get_symbol(x + i, y + k, name, dtype) for k in range(h)] for i in range(w)])
