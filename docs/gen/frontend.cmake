ws_doc(builtins docs/gen/builtins_md.c docs/builtins.md ws_fe ws_ir ws_isa ws_base)
ws_doc(diagnostics docs/gen/diagnostics_md.c docs/diagnostics.md ws_base)
