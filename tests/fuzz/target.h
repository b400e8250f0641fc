/* tests/fuzz/target.h: fuzz targets: what may come from outside, through the code that reads it.
 *
 * A target takes one input, whatever it is, and neither crashes nor leaks nor hangs.  Each is a program for libFuzzer
 * (-DWS_FUZZ=ON: fuzz-NAME), and all are in fuzz-replay, which runs inputs from files and is part of the test suite.
 * Inputs that are programs begin with a line of options, and go on in parts: "//--- NAME" begins one; the first is the
 * program, the others are files beside it.  README.md says how to run them. */
#ifndef WS_FUZZ_TARGET_H
#define WS_FUZZ_TARGET_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef void FuzzTarget(const uint8_t *data, size_t size);
FuzzTarget fuzz_source;      /* W and CSL, with paint files: wslc, then a run of a few thousand cycles */
FuzzTarget fuzz_wir;         /* WIR text, the same way */
FuzzTarget fuzz_asm;         /* assembly text, the same way */
FuzzTarget fuzz_object;      /* object and image files: wsobjdump, wsld, wsrun */
FuzzTarget fuzz_core;        /* core files of a fixed object */
FuzzTarget fuzz_host;        /* calls of libwsrt, command stream included, on a fixed object */
FuzzTarget fuzz_cmdline;     /* command lines of wslc, wsld and wsrun; values for symbols */
/* every name here is a target */
#define FUZZ_TARGETS(X) X(source) X(wir) X(asm) X(object) X(core) X(host) X(cmdline)

/* ---- common.c */
/* A folder of this process in TMPDIR; gone when the process ends by itself. */
const char *fuzz_dir(void);
/* The path of a file in it; text of the caller, 512 bytes. */
const char *fuzz_path(char out[512], const char *name);
void fuzz_put(const char *path, const void *data, size_t size);
/* Write the parts of an input as files.  options: its first line.  main: name of the first part, or `fallback` for an input
 * without parts.  Files of the input before are removed first. */
typedef struct { char options[512], main[64]; } FuzzParts;
FuzzParts fuzz_parts(const uint8_t *data, size_t size, const char *fallback);
FILE *fuzz_null(void);       /* where text goes that nobody reads */

/* ---- target_object.c: read a file as all tools do, and run it for a while.  must: it has to be a sound object. */
void fuzz_object_file(const char *path, bool must);

/* ---- target_source.c: an object from a fixed program, made once; its path */
const char *fuzz_fixed_object(const char *name, const char *options, const char *text);

/* exit() of a tool's code comes back here; memory that it had is not called a leak */
#define FUZZ_EXIT_RETURNS(call)                     \
    do {                                            \
        fuzz_lsan(false);                           \
        if (!setjmp(fuzz_exit_to)) { call; }        \
        fuzz_lsan(true);                            \
    } while (0)
void fuzz_lsan(bool on);
#endif
