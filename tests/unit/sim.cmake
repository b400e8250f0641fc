ws_unit_test(sim_el tests/unit/sim_el_test.c ws_sim ws_isa ws_base m)
ws_unit_test(sim tests/unit/sim_test.c ws_be ws_link ws_sim ws_isa ws_base m)
