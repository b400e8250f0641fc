# Tests: two targets, `check-quick` (under a minute) and `check` (everything, with the slow label).
# Tool tests are files under tests/ that say how to run themselves (lit, FileCheck); unit tests are C programs with
# cmocka, registered by one line in tests/unit/NAME.cmake:
#
#     ws_unit_test(NAME tests/unit/NAME.c ws_base ws_isa)          name, source, libraries
#
# Both are run by lit; tests/tools/runlit.py prints the closing line "N passed, N failed, N skipped".
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_library(CMOCKA_LIB cmocka)
find_file(LIT_PY NAMES lit.py PATHS /usr/lib/llvm-19/build/utils/lit /usr/lib/llvm-20/build/utils/lit
          /usr/lib/llvm-18/build/utils/lit /usr/lib/llvm-17/build/utils/lit NO_DEFAULT_PATH)
find_program(FILECHECK NAMES FileCheck PATHS /usr/lib/llvm-19/bin /usr/lib/llvm-20/bin /usr/lib/llvm-18/bin
             /usr/lib/llvm-17/bin NO_DEFAULT_PATH)
find_program(FILECHECK NAMES FileCheck FileCheck-19)

set(WS_TEST_DIR ${CMAKE_BINARY_DIR}/tests)
file(REMOVE_RECURSE ${WS_TEST_DIR}/unit)
file(MAKE_DIRECTORY ${WS_TEST_DIR}/unit)
set_property(GLOBAL PROPERTY WS_UNIT_TARGETS "")

# ws_unit_test(NAME SOURCE LIBS...): builds NAME as a program and runs it as the test unit/NAME.
function(ws_unit_test name source)
  if(NOT CMOCKA_LIB)
    return()
  endif()
  if(NOT IS_ABSOLUTE ${source})
    set(source ${CMAKE_SOURCE_DIR}/${source})
  endif()
  add_executable(unit_${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(unit_${name} PRIVATE ${ARGN} ${CMOCKA_LIB})
  set_target_properties(unit_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WS_TEST_DIR}/bin)
  file(WRITE ${WS_TEST_DIR}/unit/${name}.test "# RUN: ${WS_TEST_DIR}/bin/unit_${name}\n")
  set_property(GLOBAL APPEND PROPERTY WS_UNIT_TARGETS unit_${name})
endfunction()

# `docs` regenerates the pages made from tables into docs/; the programs that print them add themselves:
#     ws_doc(NAME SOURCE docs/PAGE.md LIBS...)     the program prints the page to stdout
add_custom_target(docs)
set_property(GLOBAL PROPERTY WS_DOC_ROWS "")
function(ws_doc name source page)
  add_executable(gen_${name} EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/${source})
  target_link_libraries(gen_${name} PRIVATE ${ARGN})
  set_target_properties(gen_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WS_TEST_DIR}/bin)
  add_custom_target(doc_${name} COMMAND $<TARGET_FILE:gen_${name}> > ${CMAKE_SOURCE_DIR}/${page}.tmp
                    COMMAND ${CMAKE_COMMAND} -E rename ${CMAKE_SOURCE_DIR}/${page}.tmp ${CMAKE_SOURCE_DIR}/${page}
                    DEPENDS gen_${name} VERBATIM)
  add_dependencies(docs doc_${name})
  # test: the committed page is what the program prints
  file(WRITE ${WS_TEST_DIR}/unit/doc-${name}.test
       "# the page is made from a table: build the target `docs` and commit it\n# RUN: ${WS_TEST_DIR}/bin/gen_${name} | diff -u ${CMAKE_SOURCE_DIR}/${page} -\n")
  set_property(GLOBAL APPEND PROPERTY WS_UNIT_TARGETS gen_${name})
endfunction()

file(GLOB ws_test_cmake CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/*.cmake ${CMAKE_SOURCE_DIR}/docs/gen/*.cmake)
foreach(f ${ws_test_cmake})
  include(${f})
endforeach()

if(LIT_PY AND FILECHECK)
  get_filename_component(WS_LLVM_BIN ${FILECHECK} DIRECTORY)
  file(WRITE ${WS_TEST_DIR}/lit.site.cfg.py "# made by tests/tests.cmake
config.ws_source = r'${CMAKE_SOURCE_DIR}'
config.ws_build = r'${CMAKE_BINARY_DIR}'
config.ws_llvm_bin = r'${WS_LLVM_BIN}'
config.ws_cc = r'${CMAKE_C_COMPILER}'
config.ws_python = r'${Python3_EXECUTABLE}'
config.ws_sanitize = '${WS_SANITIZE}' in ('ON', '1', 'TRUE', 'YES')
lit_config.load_config(config, r'${CMAKE_SOURCE_DIR}/tests/lit.cfg.py')
")
  file(WRITE ${WS_TEST_DIR}/unit/lit.site.cfg.py "# made by tests/tests.cmake
import lit.formats, os
config.name = 'unit'
config.test_format = lit.formats.ShTest(True)
config.suffixes = ['.test']
config.test_source_root = config.test_exec_root = os.path.dirname(__file__)
config.environment['ASAN_OPTIONS'] = 'abort_on_error=1:detect_leaks=0'
config.environment['UBSAN_OPTIONS'] = 'abort_on_error=1:print_stacktrace=1'
")
  get_property(ws_units GLOBAL PROPERTY WS_UNIT_TARGETS)
  set(ws_tools)
  foreach(t wslc wsld wsobjdump wsrun wsrt_shared)
    if(TARGET ${t})
      list(APPEND ws_tools ${t})
    endif()
  endforeach()
  add_custom_target(test-programs DEPENDS ${ws_tools} ${ws_units})
  set(run ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/tools/runlit.py --lit ${LIT_PY})
  add_custom_target(check-quick COMMAND ${run} ${WS_TEST_DIR} DEPENDS test-programs USES_TERMINAL VERBATIM)
  add_custom_target(check COMMAND ${run} --slow ${WS_TEST_DIR} DEPENDS test-programs USES_TERMINAL VERBATIM)
else()
  message(STATUS "no lit or FileCheck (Debian: llvm-19-tools): the targets check and check-quick are absent")
endif()
