# Tests: two targets, `check-quick` (under a minute) and `check` (everything, with the slow label).
# Tool tests are files under tests/ that say how to run themselves (lit, FileCheck); unit tests are C programs with
# cmocka, registered by one line in tests/unit/NAME.cmake:
#
#     ws_unit_test(NAME tests/unit/NAME_test.c ws_isa ws_base)     name, source, libraries
#
# or by add_executable and add_test.  All are run by lit; tests/tools/runlit.py prints the closing line "N passed, N failed, N skipped".
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_library(CMOCKA_LIB cmocka)
find_file(LIT_PY NAMES lit.py PATHS /usr/lib/llvm-19/build/utils/lit /usr/lib/llvm-20/build/utils/lit
          /usr/lib/llvm-18/build/utils/lit /usr/lib/llvm-17/build/utils/lit NO_DEFAULT_PATH)
find_program(FILECHECK NAMES FileCheck PATHS /usr/lib/llvm-19/bin /usr/lib/llvm-20/bin /usr/lib/llvm-18/bin
             /usr/lib/llvm-17/bin NO_DEFAULT_PATH)
find_program(FILECHECK NAMES FileCheck FileCheck-19)

set(WS_TEST_DIR ${CMAKE_BINARY_DIR}/tests)
enable_testing()

# ws_unit_test(NAME SOURCE LIBS...): builds NAME as a program and runs it as the test unit.NAME.
function(ws_unit_test name source)
  if(NOT EXISTS ${CMAKE_SOURCE_DIR}/${source})
    message(WARNING "unit test ${name}: there is no ${source}")
    return()
  endif()
  add_executable(unit_${name} EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/${source})
  target_link_libraries(unit_${name} PRIVATE ${ARGN} ${CMOCKA_LIB})
  set_target_properties(unit_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WS_TEST_DIR}/bin)
  add_test(NAME unit.${name} COMMAND unit_${name})
endfunction()

# `docs` makes the pages again that come from tables:  ws_doc(NAME SOURCE docs/PAGE.md LIBS...)
# The program prints the page to stdout; the test doc.NAME compares it with the committed page.
add_custom_target(docs)
function(ws_doc name source page)
  add_executable(gen_${name} EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/${source})
  target_link_libraries(gen_${name} PRIVATE ${ARGN})
  set_target_properties(gen_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WS_TEST_DIR}/bin)
  add_custom_target(doc_${name} COMMAND $<TARGET_FILE:gen_${name}> > ${CMAKE_SOURCE_DIR}/${page}.tmp
                    COMMAND ${CMAKE_COMMAND} -E rename ${CMAKE_SOURCE_DIR}/${page}.tmp ${CMAKE_SOURCE_DIR}/${page}
                    DEPENDS gen_${name} VERBATIM)
  add_dependencies(docs doc_${name})
  add_test(NAME doc.${name}
           COMMAND bash -c "$<TARGET_FILE:gen_${name}> | diff -u ${page} - || { echo 'build the target docs'; exit 1; }"
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()

get_property(ws_before DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
file(GLOB ws_test_cmake CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/*.cmake ${CMAKE_SOURCE_DIR}/tests/fuzz/*.cmake ${CMAKE_SOURCE_DIR}/docs/gen/*.cmake)
foreach(f ${ws_test_cmake})
  include(${f})
endforeach()

if(LIT_PY AND FILECHECK)
  # every add_test of the build is one lit test in unit/
  file(REMOVE_RECURSE ${WS_TEST_DIR}/unit)
  file(MAKE_DIRECTORY ${WS_TEST_DIR}/unit)
  get_property(ws_ctests DIRECTORY PROPERTY TESTS)
  foreach(t ${ws_ctests})
    file(WRITE ${WS_TEST_DIR}/unit/${t}.test
         "# RUN: ${CMAKE_CTEST_COMMAND} --test-dir ${CMAKE_BINARY_DIR} --no-tests=error --output-on-failure -R '^${t}$'\n")
  endforeach()
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
config.environment['ASAN_OPTIONS'] = 'abort_on_error=1:detect_leaks=1'
config.environment['UBSAN_OPTIONS'] = 'abort_on_error=1:print_stacktrace=1'
")
  get_property(ws_after DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  list(REMOVE_ITEM ws_after ${ws_before})
  set(ws_units)
  foreach(t ${ws_after})                                 # the programs that tests run
    get_target_property(type ${t} TYPE)
    if(type STREQUAL "EXECUTABLE")
      list(APPEND ws_units ${t})
    endif()
  endforeach()
  set(ws_tools)
  foreach(t wslc wsld wsobjdump wsrun wsrt wsrt_static)
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
