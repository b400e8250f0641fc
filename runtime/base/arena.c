/* Arena: a list of blocks; alloc bumps, free releases all.  Also the checked malloc and the fatal exit. */
#include "base.h"
#include <stdlib.h>
#include <string.h>

typedef struct Block { struct Block *next; size_t used, cap; _Alignas(16) char data[]; } Block;
struct Arena { Block *head; };

static void oom(void)
{
    fputs("fatal: out of memory\n", stderr);
    exit(70);
}

void *ws_xmalloc(size_t n)
{
    void *p = calloc(1, n ? n : 1);
    if (!p) oom();
    return p;
}

void *ws_xrealloc(void *p, size_t n)
{
    p = realloc(p, n ? n : 1);
    if (!p) oom();
    return p;
}

void ws_die(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("internal error: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    exit(70);
}

Arena *arena_new(void) { return ws_xmalloc(sizeof(Arena)); }

void arena_free(Arena *a)
{
    if (!a) return;
    for (Block *b = a->head, *n; b; b = n) {
        n = b->next;
        free(b);
    }
    free(a);
}

size_t arena_bytes(const Arena *a)
{
    size_t n = 0;
    for (const Block *b = a->head; b; b = b->next) n += b->used;
    return n;
}

void *arena_alloc(Arena *a, size_t n)
{
    if (n > SIZE_MAX / 2) oom();
    n = (n + 15) & ~(size_t)15;
    if (!a->head || a->head->cap - a->head->used < n) {
        const size_t usual = WS_LIMIT(65536, 16);
        size_t cap = n > usual ? n : usual;
        Block *b = ws_xmalloc(sizeof(Block) + cap);
        b->cap = cap;
        b->next = a->head;
        a->head = b;
    }
    void *p = a->head->data + a->head->used;
    a->head->used += n;
    return p;
}

char *arena_strndup(Arena *a, const char *s, size_t n)
{
    char *p = arena_alloc(a, n + 1);
    memcpy(p, s, n);
    return p;
}

char *arena_strdup(Arena *a, const char *s) { return arena_strndup(a, s, strlen(s)); }

char *arena_printf(Arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    Buf b = {0};
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    char *s = arena_strndup(a, b.p ? b.p : "", b.len);
    buf_free(&b);
    return s;
}
