ws_doc(isa docs/gen/isa_md.c docs/isa.md ws_isa ws_base)
