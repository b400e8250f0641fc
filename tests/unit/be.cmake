# ws-llc compiles WIR text for the tests in tests/backend (lit: %wsllc); the unit tests of backend/.
add_executable(ws-llc EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/unit/be_llc.c)
target_link_libraries(ws-llc PRIVATE ws_be ws_ir ws_isa ws_base m)
set_target_properties(ws-llc PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WS_TEST_DIR}/bin)
set_property(GLOBAL APPEND PROPERTY WS_UNIT_TARGETS ws-llc)
# be_fuzz: random programs, interpreted and simulated
add_executable(be_fuzz EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/unit/be_fuzz.c ${CMAKE_SOURCE_DIR}/tests/unit/be_gen.c)
target_link_libraries(be_fuzz PRIVATE ir_testing ws_be ws_sim ws_ir ws_isa ws_base m)
set_target_properties(be_fuzz PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WS_TEST_DIR}/bin)
set_property(GLOBAL APPEND PROPERTY WS_UNIT_TARGETS be_fuzz)
add_executable(be_vfuzz EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/unit/be_vfuzz.c ${CMAKE_SOURCE_DIR}/tests/unit/be_vgen.c)
target_link_libraries(be_vfuzz PRIVATE ws_be ws_sim ws_ir ws_isa ws_base m)
set_target_properties(be_vfuzz PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WS_TEST_DIR}/bin)
set_property(GLOBAL APPEND PROPERTY WS_UNIT_TARGETS be_vfuzz)
