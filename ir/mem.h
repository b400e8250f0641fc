/* ir/mem.h: which memory an instruction names, and whether anyone else can name it.  For passes that move or merge loads.
 *
 * A place is an object (a global of the module or an alloca), an offset in it if that is known, and a type.  An object is PRIVATE
 * if its address is used only by loads, stores, descriptor and router loads, and comparisons: no pointer, no descriptor, no host
 * and no microthread can name it.  Everything else is SHARED. */
#ifndef WS_IR_MEM_H
#define WS_IR_MEM_H
#include "ir/ir.h"

typedef struct { IrSym sym; IrRef alloca; int32_t off; bool known, exact; } IrPlace;   /* known: the object; exact: off, too */
typedef struct {
    IrFn *f;
    const uint8_t *globals;                              /* by global: shared */
    uint8_t *allocas;                                    /* by instruction: shared */
    IrPlace *at;                                         /* by instruction: what a pointer value points to */
} IrMem;

uint8_t *ir_shared_globals(IrModule *m);                 /* by global's number; the caller frees */
IrMem ir_mem(IrFn *f, const uint8_t *globals);           /* for the instructions that f has now */
void ir_mem_free(IrMem *m);
IrPlace ir_mem_place(const IrMem *m, IrRef access);      /* of a load or store */
bool ir_mem_private(const IrMem *m, const IrPlace *p);
/* May an access to a of type ta touch what b of type tb names? */
bool ir_mem_overlap(const IrMem *m, const IrPlace *a, IrType ta, const IrPlace *b, IrType tb);
/* Does it lie in its object, so that reading it is harmless at any time? */
bool ir_mem_inside(const IrMem *m, const IrPlace *p, IrType t);
/* What an effect may do to memory: nothing, write shared objects (now, or through what it starts or waits for), or anything. */
typedef enum { MEM_NONE, MEM_STORE, MEM_SHARED, MEM_ANY } IrMemEffect;
IrMemEffect ir_mem_effect(IrFn *f, const IrIns *in);
#endif
