# Unit tests of the instruction table, the object format and the assembler.
find_library(CMOCKA_LIB cmocka REQUIRED)
add_executable(test_isa ${CMAKE_SOURCE_DIR}/tests/unit/isa_test.c)
target_link_libraries(test_isa PRIVATE ws_isa ws_base ${CMOCKA_LIB})
add_test(NAME unit.isa COMMAND test_isa)
