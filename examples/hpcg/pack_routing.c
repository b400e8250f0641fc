/* Router tables to the per-PE files that wsld loads with `--set SYMBOL=FILE`.
 *
 * Takes a .rt file of hpcg_router1; leaves one file per symbol, u16 little endian, in per-PE order (machine row, x, element):
 *     rt_ctx.bin       [contexts][9][2]  (color, slot word) pairs for set_router
 *     rt_sock.bin      [contexts][9]     socket words for set_sockets
 *     rt_dot.bin       [9][2]            the dot table
 *     rt_dot_sock.bin  [9]
 *     rt_role.bin      [1]               role in the dot (hpcg_common.h)
 */
#include "hpcg_common.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    const char *in = NULL, *out_dir = NULL;
    Opt opts[] = {
        {.name = "out-dir", .kind = OPT_STRING, .to = &out_dir, .help = "where the files go", .required = true},
        {.name = NULL},
    };
    int nrest = 1;
    tool_name = "pack_routing";
    opt_parse(argc, argv, "Pack router tables: pack_routing ROUTER.rt --out-dir DIR", opts, &in, &nrest);
    if (nrest != 1)
        die("which .rt file? (pack_routing ROUTER.rt --out-dir DIR)");
    RouteTables t = rt_read(in);
    size_t stride = rt_pe_words(t.contexts), pes = (size_t)t.H * (size_t)t.V;
    for (int i = 0; i < ROUTE_PARTS; i++) {
        size_t off, words;
        char name[64];
        rt_part_span(&route_parts[i], t.contexts, &off, &words);
        snprintf(name, sizeof name, "%s.bin", route_parts[i].symbol);
        OutFile o = out_open(out_dir, name);
        for (size_t p = 0; p < pes; p++)
            out_write(&o, t.w + p * stride + off, words * sizeof *t.w);
        out_close(&o);
    }
    rt_free(&t);
    return 0;
}
