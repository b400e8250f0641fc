/* ws-llc: reads WIR text, compiles it and prints the code; for the tests of backend/.
 *   ws-llc [-O0|-O2] [--passes] [--no-verify] [--arch=wse2|wse3] [--no-schedule] [--no-hwloop] [--registers=N] [--dump-after=STAGE] [--size] [-o OBJ] FILE.wir
 * --passes runs the IR's passes of the level first; -o writes an object for one PE. */
#include "backend/mir.h"
#include <stdlib.h>
#include <string.h>

static const WsClass *current;

static const char *sym_at(void *user, uint32_t addr)
{
    for (uint32_t i = 0; i < current->nsyms; i++)
        if (current->syms[i].addr == addr && (current->syms[i].type == WT_FUNC || current->syms[i].type == WT_TASK)) return current->syms[i].name;
    return NULL;
}

static void print_class(const WsClass *c)
{
    Buf b = {0};
    current = c;
    for (uint32_t pc = 0; pc < c->text_bytes; pc += 4) {
        const char *s = sym_at(NULL, pc);
        if (s) buf_printf(&b, "%s:\n", s);
        uint32_t w = c->text[pc] | c->text[pc + 1] << 8 | c->text[pc + 2] << 16 | (uint32_t)c->text[pc + 3] << 24;
        PeIns in;
        buf_printf(&b, "  %04x  ", pc);
        if (pe_decode(w, &in)) pe_print(&b, &in, pc, sym_at, NULL);
        else buf_printf(&b, ".word 0x%08x", w);
        buf_printf(&b, "\n");
    }
    for (uint32_t i = 0; i < c->nsyms; i++)
        if (c->syms[i].type != WT_FUNC && c->syms[i].type != WT_TASK)
            buf_printf(&b, "%s = 0x%04x, %u bytes%s\n", c->syms[i].name, c->syms[i].addr, c->syms[i].size_bytes, c->syms[i].global ? ", exported" : "");
    for (uint32_t i = 0; i < c->nboot; i++)
        buf_printf(&b, "boot kind %d id %d color %d flags %d addr 0x%04x\n", c->boot[i].kind, c->boot[i].id, c->boot[i].color, c->boot[i].flags, c->boot[i].addr);
    fputs(b.p ? b.p : "", stdout);
    buf_free(&b);
}

int main(int argc, char **argv)
{
    BeOpts o = {.level = 2, .dump = stdout};
    const char *path = NULL, *out = NULL;
    bool size = false, passes = false, verify = true;
    ArchId arch = ARCH_WSE3;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-O", 2) == 0) o.level = atoi(argv[i] + 2);
        else if (strncmp(argv[i], "--dump-after=", 13) == 0) o.dump_after = argv[i] + 13;
        else if (strcmp(argv[i], "--no-schedule") == 0) o.no_schedule = true;
        else if (strcmp(argv[i], "--no-hwloop") == 0) o.no_hwloop = true;
        else if (strcmp(argv[i], "--passes") == 0) passes = true;
        else if (strcmp(argv[i], "--no-verify") == 0) verify = false;
        else if (strncmp(argv[i], "--registers=", 12) == 0) be_few_registers = atoi(argv[i] + 12);
        else if (strcmp(argv[i], "--size") == 0) size = true;
        else if (strncmp(argv[i], "--arch=", 7) == 0) arch = strcmp(argv[i] + 7, "wse2") == 0 ? ARCH_WSE2 : ARCH_WSE3;
        else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) out = argv[++i];
        else path = argv[i];
    }
    size_t len = 0;
    char *text = path ? ws_read_file(path, 1 << 26, &len) : NULL;
    if (!text) {
        fprintf(stderr, "ws-llc: cannot read %s\n", path ? path : "(no file)");
        return 2;
    }
    Arena *a = arena_new();
    Diags *d = diags_new("ws-llc");
    WsObj *obj = obj_new(arch);
    IrModule *m = ir_parse(a, d, path, text, len);
    IrPassOpts po = {.level = o.level, .verify_each = true};
    bool ok = m && (!verify || ir_verify(d, m) == 0) && (!passes || ir_run_passes(d, m, &po)) && be_compile(d, m, &o, obj);
    if (ok && size)
        printf("text %u data %u bss %u stack %u\n", obj->classes[0].text_bytes, obj->classes[0].data_bytes, obj->classes[0].bss_bytes,
               obj->classes[0].stack_bytes);
    else if (ok && !o.dump_after) print_class(&obj->classes[0]);
    diags_print(d, stderr);
    if (ok && out) {
        const char *err = NULL;
        obj->w = obj->h = 1;
        obj->places = ARENA_NEW(obj->arena, WsPlace);
        obj->places[0] = (WsPlace){0, 0, 1, 1, 0};
        obj->nplaces = 1;
        ok = obj_write(obj, out, &err) == 0;
        if (!ok) fprintf(stderr, "ws-llc: %s\n", err);
    }
    ir_module_free(m);
    obj_free(obj);
    diags_free(d);
    arena_free(a);
    free(text);
    return ok ? 0 : 1;
}
