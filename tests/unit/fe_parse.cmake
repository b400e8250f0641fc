# The front end's parser by itself: a tool that prints trees and placements, and unit tests.
if(TARGET ws_fe)
  add_executable(fe_parse_tool EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/unit/fe_parse_tool.c)
  target_link_libraries(fe_parse_tool PRIVATE ws_fe ws_base)
  set_target_properties(fe_parse_tool PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WS_TEST_DIR}/bin)
  ws_unit_test(fe_parse tests/unit/fe_parse_test.c ws_fe ws_base)
endif()
