/* Whole-file reading, and output files that appear under their name only when complete. */
#include "base.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *ws_read_file(const char *path, size_t max_bytes, size_t *len)
{
    struct stat st;
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
        fclose(f);
        errno = EISDIR;
        return NULL;
    }
    Buf b = {0};
    char chunk[WS_LIMIT(65536, 3)];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0) {
        if (b.len + n > max_bytes) {
            fclose(f);
            buf_free(&b);
            errno = EFBIG;
            return NULL;
        }
        buf_add(&b, chunk, n);
    }
    int bad = ferror(f), e = errno;
    fclose(f);
    if (bad) {
        buf_free(&b);
        errno = e;
        return NULL;
    }
    buf_add(&b, "", 0);
    *len = b.len;
    return b.p;
}

struct WsOut { FILE *f; char *path, *tmp; };

WsOut *ws_out_open(const char *path)
{
    WsOut *o = ws_xmalloc(sizeof *o);
    if (strcmp(path, "-") == 0) {
        o->f = stdout;
        return o;
    }
    Buf b = {0};
    struct stat st = {0};
    /* a device or pipe (such as /dev/null) is written in place: it cannot be renamed over */
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
        o->f = fopen(path, "wb");
    } else {
        buf_printf(&b, "%s.tmp%ld", path, (long)getpid());
        o->tmp = b.p;
        if (S_ISDIR(st.st_mode))
            errno = EISDIR;
        else
            o->f = fopen(o->tmp, "w+b");
    }
    if (!o->f) {
        int e = errno;
        free(o->tmp);
        free(o);
        errno = e;
        return NULL;
    }
    o->path = strdup(path);
    return o;
}

FILE *ws_out_file(WsOut *o) { return o->f; }
int ws_out_fd(WsOut *o) { return fileno(o->f); }

static int finish(WsOut *o, bool keep)
{
    int rc = 0, e = 0;
    if (!o->path) {
        rc = fflush(o->f) || ferror(o->f) ? -1 : 0;
        e = errno;
    } else {
        if (fflush(o->f) || ferror(o->f)) rc = -1, e = errno;
        if (fclose(o->f)) rc = -1, e = errno;
        if (o->tmp) {
            if (keep && rc == 0 && rename(o->tmp, o->path)) rc = -1, e = errno;
            if (!keep || rc) unlink(o->tmp);
        }
    }
    free(o->path);
    free(o->tmp);
    free(o);
    errno = e;
    return rc;
}

int ws_out_commit(WsOut *o) { return finish(o, true); }
void ws_out_abort(WsOut *o) { finish(o, false); }

int ws_stdout_end(const char *tool, int code)
{
    bool lost = ferror(stdout);      /* by an earlier line: its errno is gone */
    if (!fflush(stdout) && !lost) return code;
    fprintf(stderr, "%s: standard output: %s\n", tool, lost ? "not everything could be written" : strerror(errno));
    return 1;
}
