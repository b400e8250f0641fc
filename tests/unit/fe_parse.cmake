# The front end's parser by itself: a tool that prints trees and placements, and unit tests.
if(TARGET ws_fe)
  add_executable(fe_parse_tool ${CMAKE_SOURCE_DIR}/tests/unit/fe_parse_tool.c)
  target_link_libraries(fe_parse_tool PRIVATE ws_fe ws_base)
endif()
