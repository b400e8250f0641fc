/* Prints docs/library.md from the modules in stdlib/: the comment at the head of each, and its params, functions and constants
 * with the comments right above them.  What has a comment that begins with "(inside)" is not for users of the module. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const modules[] = {
    "memcpy/get_params", "memcpy/memcpy", "memcpy/memcpy_switches", "math", "random", "complex", "time", "timer", "layout",
    "directions", "control", "tile_config", "tile_config/color_config", "tile_config/switch_config", "tile_config/teardown",
    "tile_config/filters", "tile_config/task_priority", "tile_config/input_queue_config", "tile_config/output_queue_config", "tile_config/input_queue_status", "tile_config/output_queue_status",
    "tile_config/queue_flush", "collectives_2d/params", "collectives_2d/pe", "debug", "simprint", "string", "types", "data_utils", "bits", "empty",
};

static char *line_of(FILE *f, char *buf, int n)
{
    if (!fgets(buf, n, f)) return NULL;
    buf[strcspn(buf, "\n")] = 0;
    return buf;
}

static int starts(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

/* the head: up to the first line that is no comment; examples are indented by four more blanks */
static void head(FILE *f, char *buf, int n)
{
    int code = 0, first = 1;
    while (line_of(f, buf, n) && starts(buf, "//")) {
        const char *t = buf + 2 + (buf[2] == ' ');
        int now = starts(t, "    ");
        if (now != code) printf("```%s\n", now ? "csl" : "");
        code = now;
        char *colon = first && *t == '<' ? strstr(t, ">: ") : NULL; /* the name stands in the title */
        printf("%s\n", now ? t + 4 : colon ? colon + 3 : t);
        first = 0;
    }
    if (code) printf("```\n");
}

/* a constant that is computed is listed if its type is written, an enumeration or struct always */
static int is_listed(const char *line)
{
    const char *call = strchr(line, '('), *colon = strchr(line, ':'), *is = strchr(line, '=');
    return !call || (colon && colon < is) || strstr(line, "= enum(");
}

static void module(const char *name)
{
    char path[512], buf[512], note[1024] = "";
    snprintf(path, sizeof path, WS_SOURCE_DIR "/stdlib/%s.csl", name);
    FILE *f = fopen(path, "r");
    if (!f) exit((fprintf(stderr, "%s: cannot be read\n", path), 1));
    printf("\n## `<%s>`\n\n", name);
    head(f, buf, sizeof buf);
    int any = 0;
    do {
        if (starts(buf, "// ---- inside")) break;   /* what follows is the module's own */
        if (starts(buf, "// ---")) *note = 0;
        else if (starts(buf, "// ")) {
            size_t have = strlen(note);
            snprintf(note + have, sizeof note - have, "%s%s", have ? " " : "", buf + 3);
        } else {
            int fn = starts(buf, "fn "), known = starts(buf, "const ") && is_listed(buf), param = starts(buf, "param ");
            if ((fn || known || param) && !starts(note, "(inside)")) {
                char *end = fn ? strstr(buf, " {") : strchr(buf, ';');
                if (!any++) printf("\n| | |\n|---|---|\n");
                printf("| `%.*s` | %s |\n", end ? (int)(end - buf) : (int)strlen(buf), buf, note);
            }
            *note = 0;
        }
    } while (line_of(f, buf, sizeof buf));
    fclose(f);
}

int main(void)
{
    printf("# Library modules\n\nThis page is made from the modules in `stdlib/` by `docs/gen/library_md.c`: build the target `docs`, do not edit.\n"
           "A module is imported by its name in angle brackets; what nobody uses of it costs nothing.\n");
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) module(modules[i]);
    return 0;
}
