# Unit tests of the instruction table and the object format.
ws_unit_test(isa tests/unit/isa_test.c ws_isa ws_base)
ws_unit_test(obj tests/unit/obj_test.c ws_isa ws_base)
# the assembler alone, so that it is tested whatever state the compiler is in
file(GLOB ws_asm_srcs CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/backend/asm*.c)
ws_unit_test(asm tests/unit/asm_test.c ws_asm ws_link ws_isa ws_base)
add_library(ws_asm STATIC EXCLUDE_FROM_ALL ${ws_asm_srcs})
