/* ws-opt: reads WIR text, verifies it, runs passes, prints it; for the tests of ir/.
 *   ws-opt [--emit=wir] [--passes=A,B | -O0 | -O1 | -O2] [--dump-after=NAME] [--no-verify] FILE.wir */
#include "ir/ir.h"
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    IrPassOpts o = {.level = 0, .verify_each = true, .dump = stdout};
    const char *path = NULL;
    bool run = false, verify = true;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--passes=", 9) == 0) o.only = argv[i] + 9, run = true;
        else if (strncmp(argv[i], "-O", 2) == 0) o.level = atoi(argv[i] + 2), run = true;
        else if (strncmp(argv[i], "--dump-after=", 13) == 0) o.dump_after = argv[i] + 13;
        else if (strcmp(argv[i], "--no-verify") == 0) verify = o.verify_each = false;
        else if (strcmp(argv[i], "--emit=wir") != 0) path = argv[i];
    }
    size_t len = 0;
    char *text = path ? ws_read_file(path, 1 << 26, &len) : NULL;
    if (!text) {
        fprintf(stderr, "ws-opt: cannot read %s\n", path ? path : "(no file)");
        return 2;
    }
    Arena *a = arena_new();
    Diags *d = diags_new("ws-opt");
    IrModule *m = ir_parse(a, d, path, text, len);
    bool ok = m && (!verify || ir_verify(d, m) == 0) && (!run || ir_run_passes(d, m, &o));
    if (ok) {
        Buf b = {0};
        ir_print(&b, m);
        fputs(b.p, stdout);
        buf_free(&b);
    }
    diags_print(d, stderr);
    ir_module_free(m);
    diags_free(d);
    arena_free(a);
    free(text);
    return ok ? 0 : 1;
}
