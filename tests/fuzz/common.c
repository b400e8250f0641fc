/* tests/fuzz/common.c: files of an input, and what targets share. */
#include "tests/fuzz/target.h"
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[256];

/* what lies in the folder, but for objects of fixed programs */
static void clear(bool all)
{
    char path[512];
    DIR *d = opendir(dir);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.' && (all || strncmp(e->d_name, "fixed-", 6))) unlink(fuzz_path(path, e->d_name));
    closedir(d);
}

static pid_t owner;
static void remove_dir(void)
{
    if (getpid() != owner) return;
    clear(true);
    rmdir(dir);
}

const char *fuzz_dir(void)
{
    if (dir[0]) return dir;
    const char *tmp = getenv("TMPDIR");
    owner = getpid();
    snprintf(dir, sizeof dir, "%s/ws-fuzz.%ld", tmp ? tmp : "/tmp", (long)owner);
    if (mkdir(dir, 0700)) perror(dir), exit(1);
    atexit(remove_dir);
    return dir;
}

const char *fuzz_path(char out[512], const char *name)
{
    snprintf(out, 512, "%s/%s", fuzz_dir(), name);
    return out;
}

void fuzz_put(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f)) perror(path), exit(1);
}

FILE *fuzz_null(void)
{
    static FILE *f;
    if (!f && !(f = fopen("/dev/null", "w"))) perror("/dev/null"), exit(1);
    return f;
}

/* "//--- NAME" or ";--- NAME" at p; how long it is, 0: it is none */
static size_t part_line(const char *p, const char *end, char name[64])
{
    const char *s = p, *eol = memchr(p, '\n', (size_t)(end - p));
    if (end - s > 2 && !memcmp(s, "//", 2)) s += 2;
    else if (s < end && *s == ';') s++;
    else return 0;
    if (!eol || eol - s < 6 || memcmp(s, "--- ", 4) || s[4] == '.' || eol - s - 4 > 63) return 0;
    for (const char *t = s + 4; t < eol; t++)
        if (!isalnum((unsigned char)*t) && *t != '_' && *t != '.') return 0;
    snprintf(name, 64, "%.*s", (int)(eol - s - 4), s + 4);
    return (size_t)(eol + 1 - p);
}

FuzzParts fuzz_parts(const uint8_t *data, size_t size, const char *fallback)
{
    FuzzParts p = {0};
    const char *s = (const char *)data, *end = s + size, *eol = size ? memchr(s, '\n', size) : NULL;
    char name[64], path[512];
    fuzz_dir();
    clear(false);
    if (eol && eol - s < (ptrdiff_t)sizeof p.options) memcpy(p.options, s, (size_t)(eol - s));
    if (eol) s = eol + 1;
    const char *body = s;
    snprintf(name, sizeof name, "%s", fallback);
    for (bool any = false; s <= end;) {
        char next[64];
        size_t n = s < end ? part_line(s, end, next) : 0;
        if (n || s == end) {
            if (any || s == end) {
                fuzz_put(fuzz_path(path, name), body, (size_t)(s - body));
                if (!p.main[0]) memcpy(p.main, name, sizeof name);
            }
            if (s == end) break;
            any = true;
            memcpy(name, next, sizeof name);
            body = s + n;
        }
        eol = memchr(s, '\n', (size_t)(end - s));
        s = eol ? eol + 1 : end;
    }
    return p;
}

/* of the leak checker, when it is linked */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));
void fuzz_lsan(bool on)
{
    if (on && __lsan_enable) __lsan_enable();
    else if (!on && __lsan_disable) __lsan_disable();
}
