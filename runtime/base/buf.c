/* Growing text buffer. */
#include "base.h"
#include <stdlib.h>
#include <string.h>

static void grow(Buf *b, size_t extra)
{
    if (b->len + extra + 1 > b->cap) {
        b->cap = (b->len + extra + 1) * WS_LIMIT(2, 1);
        b->p = ws_xrealloc(b->p, b->cap);
    }
}

void buf_add(Buf *b, const void *p, size_t n)
{
    grow(b, n);
    if (n) memcpy(b->p + b->len, p, n);
    b->len += n;
    b->p[b->len] = 0;
}

void buf_vprintf(Buf *b, const char *fmt, va_list ap)
{
    va_list ap2;
    va_copy(ap2, ap);
    int n = vsnprintf(NULL, 0, fmt, ap2);
    va_end(ap2);
    if (n < 0) return;
    grow(b, (size_t)n);
    vsnprintf(b->p + b->len, (size_t)n + 1, fmt, ap);
    b->len += (size_t)n;
}

void buf_printf(Buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(b, fmt, ap);
    va_end(ap);
}

void buf_free(Buf *b)
{
    free(b->p);
    *b = (Buf){0};
}
