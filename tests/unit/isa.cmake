# Unit tests of the instruction table and the object format.
ws_unit_test(isa tests/unit/isa_test.c ws_isa ws_base)
ws_unit_test(obj tests/unit/obj_test.c ws_isa ws_base)
