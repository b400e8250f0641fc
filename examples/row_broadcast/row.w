// row.w: a row of W PEs. The first one multicasts an array of N numbers to all others.

param W: u16 = 5;
param N: u16 = 4;

const row = @get_color(1);

layout {
    @comptime_assert(W >= 2);
    @set_rectangle(W, 1);
    @set_tile_code(0, 0, "sender.w", .{ .N = N, .row = row });
    @set_color_config(0, 0, row, .{ .routes = .{ .rx = .{RAMP}, .tx = .{EAST} } });
    for (@range(u16, 1, W, 1)) |x| {
        @set_tile_code(x, 0, "receiver.w", .{ .N = N, .row = row, .column = x });
        // the router copies each word: one to its own PE, one to the next router
        if (x < W - 1) {
            @set_color_config(x, 0, row, .{ .routes = .{ .rx = .{WEST}, .tx = .{RAMP, EAST} } });
        } else {
            @set_color_config(x, 0, row, .{ .routes = .{ .rx = .{WEST}, .tx = .{RAMP} } });
        }
    }
}
