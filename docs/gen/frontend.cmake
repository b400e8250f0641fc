ws_doc(builtins docs/gen/builtins_md.c docs/builtins.md ws_fe ws_ir ws_isa ws_base)
ws_doc(diagnostics docs/gen/diagnostics_md.c docs/diagnostics.md ws_base)
ws_doc(library docs/gen/library_md.c docs/library.md ws_base)
target_compile_definitions(gen_library PRIVATE WS_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
