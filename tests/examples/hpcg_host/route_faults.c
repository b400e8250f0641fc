/* The routing checker must see every wrong bit: flip each bit of each word of a spread of PEs, one at a time, and ask the check
 * of the table that holds the word.  MG=0, then MG=1 with two domains in each direction and the cut contexts. */
#define main router1_main
#include "hpcg_router1.c"
#undef main

/* Problems of the table that word w of a PE belongs to: context 0, 1, ... or the dot's. */
static int count_problems(const RouteTables *t, size_t w)
{
    size_t pairs = 18 * (size_t)t->contexts;
    int ctx = w < pairs ? (int)(w / 18) : w < rt_off_ctx(t->contexts, t->contexts) ? (int)((w - pairs) / 9) : t->contexts;
    problems = PROBLEMS_SHOWN; /* nothing printed */
    if (ctx < t->contexts)
        check_context(t, ctx, true);
    else
        check_dot(t, true);
    return problems - PROBLEMS_SHOWN;
}

static int flip_all(RouteTables *t, const int (*at)[2], int n, int *tried)
{
    int missed = 0;
    for (int p = 0; p < n; p++)
        for (size_t w = 0; w < rt_pe_words(t->contexts); w++)
            for (int bit = 0; bit < 16; bit++, ++*tried) {
                uint16_t *word = rt_pe(t, at[p][0], at[p][1]) + w;
                *word ^= (uint16_t)(1u << bit);
                if (!count_problems(t, w)) {
                    missed++;
                    printf("route_faults: PE (%d, %d) word %zu bit %d: not seen\n", at[p][0], at[p][1], w, bit);
                }
                *word ^= (uint16_t)(1u << bit);
            }
    return missed;
}

/* A PE that has its neighbour's table: seen in every context that is not the same there. */
static int copied(RouteTables *t)
{
    size_t words = rt_pe_words(t->contexts), bytes = words * sizeof(uint16_t);
    uint16_t *one = rt_pe(t, 2, 2), *two = rt_pe(t, 3, 2), *save = xcalloc(words, sizeof *save);
    int missed = 0;
    memcpy(save, one, bytes);
    for (int c = 0; c <= t->contexts; c++) {
        size_t off = rt_off_ctx(t->contexts, c), socks = rt_off_sock(t->contexts, c);
        memcpy(one + off, two + off, 36);
        memcpy(one + socks, two + socks, 18);
        bool same = memcmp(one, save, bytes) == 0;
        if (!same && !count_problems(t, off)) {
            missed++;
            printf("route_faults: the neighbour's context %d: not seen\n", c);
        }
        memcpy(one, save, bytes);
    }
    free(save);
    return missed;
}

int main(void)
{
    static const int at0[][2] = {{0, 0}, {7, 0}, {0, 7}, {7, 7}, {4, 4}, {3, 4}, {6, 4}, {4, 3}, {4, 5}, {2, 6}, {5, 1}, {4, 0}};
    static const int at1[][2] = {{0, 0}, {9, 8}, {6, 5}};
    int tried = 0, missed = 0;
    tool_name = "route_faults";
    for (int mg = 0; mg < 2; mg++) {
        int edge = mg ? 16 : 8;
        NGS = 8;
        RouteTables t = make_tables(edge, edge, mg ? CTX_COUNT_SEVER : CTX_COUNT_MG0);
        for (int c = 0; c <= t.contexts; c++)
            if (count_problems(&t, rt_off_ctx(t.contexts, c))) {
                printf("route_faults: context %d is bad before any fault\n", c);
                return 1;
            }
        missed += mg ? flip_all(&t, at1, 3, &tried) : flip_all(&t, at0, 12, &tried);
        missed += copied(&t);
        rt_free(&t);
    }
    printf("route_faults: %d bit flips and copied tables, %d not seen\n", tried, missed);
    return missed != 0;
}
