"""Memory of PEs after a run, by their places in the fabric: from the core file that SdkRuntime.stop() leaves in the folder."""
import os

import numpy as np
import scheelite
from cerebras.sdk.runtime.sdkruntimepybind import CORE, _symbol_bytes

_KINDS = {1: "?", 2: np.uint8, 3: np.int8, 4: np.uint16, 5: np.int16, 6: np.uint32, 7: np.int32, 8: np.float16, 9: np.float32}


def _notes(words):
    """The values behind the array of <debug> (stdlib/debug.csl)."""
    out, at, end = [], 1, int(words[0]) + 1
    while at < end:
        kind, n = int(words[at]) & 255, int(words[at]) >> 8
        body = words[at + 1:at + 1 + n]
        if kind == 0:
            out.append(body[1:].tobytes()[:int(body[0])].decode("utf-8", "replace"))
        elif kind == 1:
            out.append(bool(body[0]))
        elif kind == 10:
            out.append(int(body[0]) | int(body[1]) << 16 | int(body[2]) << 32)
        else:
            out.append(body.view(_KINDS[kind])[0])
        at += n + 1
    return out


class debug_util:
    """Of the last run of a folder that was stopped."""

    def __init__(self, bindir, cmaddr=None):
        if cmaddr:
            raise ValueError("cmaddr: there is no machine at that address, only the simulated one; leave it out")
        core = os.path.join(bindir, CORE)
        self._rt = scheelite.Runtime(bindir)
        if not os.path.exists(core):
            raise RuntimeError(f"{bindir}: there is no {CORE}: debug_util comes after SdkRuntime.stop(), or dump_core() for many PEs")
        self._rt.core_read(core)
        self._offsets = self._rt.fabric()[1]

    def _pe(self, x, y):
        px, py = int(x) - self._offsets[0], int(y) - self._offsets[1]
        if not (0 <= px < self._rt.width and 0 <= py < self._rt.height):
            raise ValueError(f"({x}, {y}) is not in the program's rectangle, which begins at {self._offsets} in the fabric")
        return px, py

    def get_symbol(self, x, y, name, dtype):
        """The elements of a symbol of one PE as an array."""
        return _symbol_bytes(self._rt, *self._pe(x, y), name).view(dtype)

    def get_symbol_rect(self, rectangle, name, dtype):
        """The same for ((x, y), (width, height)): an array of shape (width, height, elements)."""
        (x, y), (w, h) = rectangle
        return np.array([[self.get_symbol(x + i, y + k, name, dtype) for k in range(h)] for i in range(w)])

    def read_trace(self, x, y, key):
        """What the PE noted down under a key of <debug>, in order: texts, numbers, time stamps."""
        return _notes(self.get_symbol(x, y, f"debug.{key}", np.uint16))
