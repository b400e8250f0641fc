/* tests/fuzz/replay.c: fuzz-replay TARGET FILE...: runs the target of target.h on each file.  Exit code 0 when none crashed. */
#include "runtime/base/base.h"
#include "tests/fuzz/target.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name; FuzzTarget *run; } targets[] = {
#define X(n) {#n, fuzz_##n},
    FUZZ_TARGETS(X)
#undef X
};

int main(int argc, char **argv)
{
    FuzzTarget *run = NULL;
    for (size_t i = 0; i < sizeof targets / sizeof *targets && argc > 2; i++)
        if (!strcmp(argv[1], targets[i].name)) run = targets[i].run;
    if (!run) {
        fprintf(stderr, "usage: fuzz-replay TARGET FILE...; the targets are");
        for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) fprintf(stderr, " %s", targets[i].name);
        fprintf(stderr, "\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        size_t len;
        char *data = ws_read_file(argv[i], 64 << 20, &len);
        if (!data) return fprintf(stderr, "%s: %s\n", argv[i], strerror(errno)), 2;
        uint8_t *exact = malloc(len ? len : 1);          /* no byte behind it that may be read */
        memcpy(exact, data, len);
        free(data);
        run(exact, len);
        free(exact);
    }
    printf("%d inputs of %s\n", argc - 2, argv[1]);
    return 0;
}
