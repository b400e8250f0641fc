/* runtime/sim/fast_pool.c: blocks that come and go, by size.  What came back last is in the cache still, and goes out first. */
#include "runtime/sim/fast.h"
#include <assert.h>
#include <string.h>

/* sizes 16, 32, 48, 64, 96, 128, 192, ...: the kind, and the size it has room for */
static inline unsigned kind_of(size_t bytes, size_t *size)
{
    if (bytes <= 64) {
        *size = (bytes + 15) & ~(size_t)15;
        return (unsigned)(*size / 16);
    }
    const unsigned log = 63 - (unsigned)__builtin_clzll(bytes - 1);            /* 2^log < bytes <= 2^(log + 1) */
    const size_t mid = (size_t)3 << (log - 1);
    *size = bytes <= mid ? mid : (size_t)2 << log;
    return 5 + 2 * (log - 6) + (bytes > mid);
}

void *fast_get(Fast *s, size_t bytes)
{
    size_t size;
    const unsigned k = kind_of(bytes, &size);
    void *p = k < POOL_KINDS ? s->pool.free[k] : NULL;
    if (p) {
        memcpy(&s->pool.free[k], p, sizeof p);
        return memset(p, 0, size);
    }
    if (size > POOL_CHUNK / 4) return arena_alloc(s->arena, size);
    if (size > (size_t)(s->pool.end - s->pool.at)) {
        uint8_t *c = arena_alloc(s->arena, POOL_CHUNK);
        s->pool.at = c + (-(uintptr_t)c & 63);
        s->pool.end = c + POOL_CHUNK;
    }
    p = s->pool.at;
    s->pool.at += size;
    return p;
}

void fast_put(Fast *s, void *p, size_t bytes)
{
    size_t size;
    const unsigned k = kind_of(bytes, &size);
    assert(k < POOL_KINDS);
    memcpy(p, &s->pool.free[k], sizeof p);
    s->pool.free[k] = p;
}
