ws_unit_test(base tests/unit/base_test.c ws_base)
