// A 2 x 2 Gauss-Seidel domain, forward sweep: grid row 0 is machine row 1.  gs2x2.c checks the result.
param Z: u16 = 24;
const none: color = @get_color(31);
const c0: color = @get_color(0);   // stream of grid (0, 0)
const c1: color = @get_color(1);   // stream of grid (1, 0)
const c3: color = @get_color(3);   // stream of grid (0, 1)

layout {
    @set_rectangle(2, 2);
    @set_tile_code(0, 1, "gs_pe.w", .{ .Z = Z, .c_sw = none, .c_s = none, .c_se = none, .c_w = none, .c_tx = c0 });
    @set_tile_code(1, 1, "gs_pe.w", .{ .Z = Z, .c_sw = none, .c_s = none, .c_se = none, .c_w = c0, .c_tx = c1 });
    @set_tile_code(0, 0, "gs_pe.w", .{ .Z = Z, .c_sw = none, .c_s = c0, .c_se = c1, .c_w = none, .c_tx = c3 });
    @set_tile_code(1, 0, "gs_pe.w", .{ .Z = Z, .c_sw = c0, .c_s = c1, .c_se = none, .c_w = c3, .c_tx = none });
    @set_color_config(0, 1, c0, .{ .routes = .{ .rx = .{ RAMP }, .tx = .{ NORTH, EAST } } });
    @set_color_config(1, 1, c0, .{ .routes = .{ .rx = .{ WEST }, .tx = .{ RAMP } } });
    @set_color_config(0, 0, c0, .{ .routes = .{ .rx = .{ SOUTH }, .tx = .{ RAMP, EAST } } });
    @set_color_config(1, 0, c0, .{ .routes = .{ .rx = .{ WEST }, .tx = .{ RAMP } } });
    @set_color_config(1, 1, c1, .{ .routes = .{ .rx = .{ RAMP }, .tx = .{ NORTH } } });
    @set_color_config(1, 0, c1, .{ .routes = .{ .rx = .{ SOUTH }, .tx = .{ RAMP, WEST } } });
    @set_color_config(0, 0, c1, .{ .routes = .{ .rx = .{ EAST }, .tx = .{ RAMP } } });
    @set_color_config(0, 0, c3, .{ .routes = .{ .rx = .{ RAMP }, .tx = .{ EAST } } });
    @set_color_config(1, 0, c3, .{ .routes = .{ .rx = .{ WEST }, .tx = .{ RAMP } } });
}
