ws_unit_test(host tests/unit/host_test.c ws_host ws_sim ws_isa ws_base)
