# engine-diff: two engines on the same programs (tests/diff); sim-fuzz: on random programs (tests/fuzz)
add_executable(engine-diff EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/diff/engine_diff.c ${CMAKE_SOURCE_DIR}/tests/diff/diff.c)
target_link_libraries(engine-diff PRIVATE ws_asm ws_link ws_sim ws_isa ws_base m)
set_target_properties(engine-diff PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WS_TEST_DIR}/bin)
