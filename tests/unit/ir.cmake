# ws-opt runs passes over WIR text for the tests in tests/ir (lit: %wsopt); the unit tests of ir/.
add_executable(ws-opt EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/unit/ir_opt.c)
target_link_libraries(ws-opt PRIVATE ws_ir ws_base m)
set_target_properties(ws-opt PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WS_TEST_DIR}/bin)
set_property(GLOBAL APPEND PROPERTY WS_UNIT_TARGETS ws-opt)
add_library(ir_testing STATIC EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/unit/ir_interp.c ${CMAKE_SOURCE_DIR}/tests/unit/ir_gen.c)
target_link_libraries(ir_testing PUBLIC ws_ir ws_base m)
ws_unit_test(ir tests/unit/ir_test.c ir_testing ws_ir ws_base m)
