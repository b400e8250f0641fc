/* The routing checker must see every wrong bit: flip each bit of each word of a spread of PEs, one at a time, and ask. */
#define main router1_main
#include "hpcg_router1.c"
#undef main

static int count_problems(const RouteTables *t)
{
    problems = PROBLEMS_SHOWN; /* nothing printed */
    check_spmv_full(t, true);
    check_dot(t, true);
    return problems - PROBLEMS_SHOWN;
}

int main(void)
{
    static const int at[][2] = {{0, 0}, {7, 0}, {0, 7}, {7, 7}, {4, 4}, {3, 4}, {6, 4}, {4, 3}, {4, 5}, {2, 6}, {5, 1}, {4, 0}};
    RouteTables t = make_tables(8, 8);
    int tried = 0, missed = 0;
    tool_name = "route_faults";
    if (count_problems(&t)) {
        printf("route_faults: the tables are bad before any fault\n");
        return 1;
    }
    for (size_t p = 0; p < sizeof at / sizeof at[0]; p++)
        for (size_t w = 0; w < rt_pe_words(t.contexts); w++)
            for (int bit = 0; bit < 16; bit++, tried++) {
                uint16_t *word = rt_pe(&t, at[p][0], at[p][1]) + w;
                *word ^= (uint16_t)(1u << bit);
                if (!count_problems(&t)) {
                    missed++;
                    printf("route_faults: PE (%d, %d) word %zu bit %d: not seen\n", at[p][0], at[p][1], w, bit);
                }
                *word ^= (uint16_t)(1u << bit);
            }
    /* two PEs that exchange their tables, and one that has its neighbour's */
    size_t bytes = rt_pe_words(t.contexts) * sizeof(uint16_t);
    uint16_t *one = rt_pe(&t, 2, 2), *two = rt_pe(&t, 3, 2);
    memcpy(one, two, bytes);
    missed += !count_problems(&t);
    printf("route_faults: %d bit flips and a copied table, %d not seen\n", tried, missed);
    return missed != 0;
}
