// pair.w: two PEs side by side. Color 0 leads from the west PE to the east one.

param N: u16 = 6;                              // --params=N:100 changes it

const stream = @get_color(0);

layout {
    @set_rectangle(2, 1);
    @set_tile_code(0, 0, "west.w", .{ .N = N, .stream = stream });
    @set_tile_code(1, 0, "east.w", .{ .N = N, .stream = stream });
    // RAMP is the way between a PE and its own router
    @set_color_config(0, 0, stream, .{ .routes = .{ .rx = .{RAMP}, .tx = .{EAST} } });
    @set_color_config(1, 0, stream, .{ .routes = .{ .rx = .{WEST}, .tx = .{RAMP} } });
}
