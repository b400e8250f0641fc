/* runtime/isa/obj_int.h: what the files of the object format share; nobody else includes it. */
#ifndef WS_OBJ_INT_H
#define WS_OBJ_INT_H
#include "obj.h"

enum { PLACE_BYTES = 12, ROUTE_BYTES = 24, CLASS_BYTES = 8, BOOT_BYTES = 8, LINE_BYTES = 8, NAME_MAX_BYTES = 255, RECT_MAX = 4096 };
/* st_other of a symbol: bits 0-1 ELF visibility (default: exported, hidden: not), 2-5 WsType, 6 set, 7 zero */
enum { OTHER_TYPE_SHIFT = 2, OTHER_SET = 0x40, OTHER_ZERO = 0x80 };
_Static_assert(WT_BYTES < 16, "a type fits st_other");
#endif
