// costs.w: W PEs that do one thing, ROUNDS times: what the engine needs for it is the difference between two numbers of rounds.
//   "scalar" instructions, "element" of vector operations, "task" after task, "hop": words over W - 1 links, from end to end

param W: u16 = 4;
param WHAT: u16 = 0;                     // 0 scalar, 1 element, 2 task, 3 hop
param ROUNDS: u16 = 4;

const along = @get_color(0);

layout {
    @set_rectangle(W, 1);
    for (@range(u16, W)) |x| {
        @set_tile_code(x, 0, "one.w", .{ .WHAT = WHAT, .ROUNDS = ROUNDS, .along = along, .first = x == 0, .last = x == W - 1 });
        if (WHAT == 3) {
            if (x == 0) {
                @set_color_config(x, 0, along, .{ .routes = .{ .rx = .{RAMP}, .tx = .{EAST} } });
            } else if (x == W - 1) {
                @set_color_config(x, 0, along, .{ .routes = .{ .rx = .{WEST}, .tx = .{RAMP} } });
            } else {
                @set_color_config(x, 0, along, .{ .routes = .{ .rx = .{WEST}, .tx = .{EAST} } });
            }
        }
    }
}
