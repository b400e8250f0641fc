/* Which names did the user mean: edit distance, at most a third of the length off. */
#include "base.h"
#include <string.h>

enum { NAME_LIMIT = 64, SHOWN = 3 };

static int min3(int a, int b, int c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }

int ws_edit_distance(const char *s, const char *t)
{
    size_t n = strlen(s), m = strlen(t);
    int row[NAME_LIMIT + 1];
    if (n > NAME_LIMIT || m > NAME_LIMIT) return NAME_LIMIT;
    for (size_t k = 0; k <= m; k++) row[k] = (int)k;
    for (size_t i = 1; i <= n; i++) {
        int diag = row[0];
        row[0] = (int)i;
        for (size_t k = 1; k <= m; k++) {
            int up = row[k];
            row[k] = min3(up + 1, row[k - 1] + 1, diag + (s[i - 1] != t[k - 1]));
            diag = up;
        }
    }
    return row[m];
}

const char *near_names(Arena *a, const char *name, const char *const *names, size_t n)
{
    const char *best[SHOWN];
    int dist[SHOWN], found = 0, limit = (int)strlen(name) / 3 + 1;
    for (size_t i = 0; i < n; i++) {
        int d = ws_edit_distance(name, names[i]), k;
        bool known = d > limit;
        for (k = 0; k < found; k++) known |= strcmp(best[k], names[i]) == 0;
        if (known) continue;
        for (k = found; k > 0 && dist[k - 1] > d; k--)
            if (k < SHOWN) best[k] = best[k - 1], dist[k] = dist[k - 1];
        if (k < SHOWN) best[k] = names[i], dist[k] = d;
        if (found < SHOWN) found++;
    }
    if (!found) return "";
    Buf b = {0};
    for (int k = 0; k < found; k++) buf_printf(&b, "%s'%s'", k == 0 ? "; did you mean " : k == found - 1 ? " or " : ", ", best[k]);
    const char *s = arena_printf(a, "%s?", b.p);
    buf_free(&b);
    return s;
}
