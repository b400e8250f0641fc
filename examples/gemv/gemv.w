// gemv.w: y = A x on a grid of W x H PEs. PE (i, j) holds a block of R rows and C columns of A.
//
//   x    comes in at the north row, a part of C elements per column of PEs, and is multicast down the columns
//   y    partial sums travel from west to east along each row of PEs, in two colors in turn, since one router cannot
//        receive a color from the west and from its own PE; the east column has the result

param W: u16 = 4;
param H: u16 = 3;
param R: u16 = 6;
param C: u16 = 5;

const down = @get_color(0);
const chain = [2]color{ @get_color(1), @get_color(2) };

layout {
    @set_rectangle(W, H);
    for (@range(u16, H)) |j| {
        for (@range(u16, W)) |i| {
            @set_tile_code(i, j, "block.w", .{
                .R = R, .C = C,
                .north = j == 0, .south = j == H - 1, .west = i == 0, .east = i == W - 1,
                .down = down, .from_west = chain[(i + 1) % 2], .to_east = chain[i % 2],
            });
            if (H > 1) {
                if (j == 0) {
                    @set_color_config(i, j, down, .{ .routes = .{ .rx = .{RAMP}, .tx = .{SOUTH} } });
                } else if (j < H - 1) {
                    @set_color_config(i, j, down, .{ .routes = .{ .rx = .{NORTH}, .tx = .{RAMP, SOUTH} } });
                } else {
                    @set_color_config(i, j, down, .{ .routes = .{ .rx = .{NORTH}, .tx = .{RAMP} } });
                }
            }
            if (i > 0) @set_color_config(i, j, chain[(i + 1) % 2], .{ .routes = .{ .rx = .{WEST}, .tx = .{RAMP} } });
            if (i < W - 1) @set_color_config(i, j, chain[i % 2], .{ .routes = .{ .rx = .{RAMP}, .tx = .{EAST} } });
        }
    }
}
