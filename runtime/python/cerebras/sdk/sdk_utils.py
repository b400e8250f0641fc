"""Arrays of 16-bit data in 32-bit words, and time stamps."""
import numpy as np


def memcpy_view(array, dtype):
    """The array's 32-bit words seen as dtype: of 16 bits, the low half of each word.  A view, also for writing."""
    dtype = np.dtype(dtype)
    if array.dtype.itemsize != 4:
        raise ValueError(f"memcpy_view: the array is of {array.dtype}, not of 32-bit elements")
    if dtype.itemsize == 4:
        return array.view(dtype)
    if dtype.itemsize != 2:
        raise ValueError(f"memcpy_view: {dtype} has neither 16 nor 32 bits")
    return array.view(dtype)[..., ::2]


def input_array_to_u32(np_arr, sentinel, fast_dim_sz):
    """16-bit elements as 32-bit words: with sentinel None zeros above, else the index of the element in the fastest
    dimension, which has fast_dim_sz elements.  32-bit elements keep their bits."""
    flat = np.ascontiguousarray(np_arr).ravel()
    if flat.dtype.itemsize == 4:
        return flat.view(np.uint32)
    if flat.dtype.itemsize != 2:
        raise ValueError(f"input_array_to_u32: {flat.dtype} has neither 16 nor 32 bits")
    words = flat.view(np.uint16).astype(np.uint32)
    if sentinel is not None:
        words |= (np.arange(flat.size, dtype=np.uint32) % np.uint32(fast_dim_sz)) << np.uint32(16)
    return words


def calculate_cycles(timestamp_buf):
    """Cycles between two 48-bit time stamps: three 32-bit words hold start low, start mid; start high, end low; end mid, end
    high, the first of each pair in the low half."""
    half = np.ascontiguousarray(timestamp_buf).view(np.uint16).ravel()
    if half.size != 6:
        raise ValueError("calculate_cycles: two time stamps are three 32-bit words")
    word = [int(h) for h in half]
    return np.int64((word[3] | word[4] << 16 | word[5] << 32) - (word[0] | word[1] << 16 | word[2] << 32))
