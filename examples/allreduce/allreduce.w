// allreduce.w: every PE of a W x H grid has a vector of N numbers; in the end every PE has the sum of all vectors.
//
//   1  chains along the rows, from east to west: column 0 has the sums of the rows
//   2  a chain up column 0: PE (0, 0) has the sum of all
//   3  multicast down column 0
//   4  multicast along the rows, from west to east
//
// A chain needs two colors in turn: a PE receives one from its neighbour and sends the other.

param W: u16 = 5;
param H: u16 = 4;
param N: u16 = 8;

const row = [2]color{ @get_color(0), @get_color(1) };
const col = [2]color{ @get_color(2), @get_color(3) };
const down = @get_color(4);
const along = @get_color(5);

fn route(x: u16, y: u16, c: color, from: direction, to: direction) void {
    @set_color_config(x, y, c, .{ .routes = .{ .rx = .{from}, .tx = .{to} } });
}

// a multicast: from the ramp at the first PE, to the ramp and on, to the ramp of the last
fn multicast(x: u16, y: u16, c: color, from: direction, to: direction, first: bool, last: bool) void {
    if (first and last) return;
    if (first) {
        route(x, y, c, RAMP, to);
    } else if (last) {
        route(x, y, c, from, RAMP);
    } else {
        @set_color_config(x, y, c, .{ .routes = .{ .rx = .{from}, .tx = .{RAMP, to} } });
    }
}

layout {
    @set_rectangle(W, H);
    for (@range(u16, H)) |y| {
        for (@range(u16, W)) |x| {
            @set_tile_code(x, y, "pe.w", .{
                .N = N,
                .west = x == 0, .east = x == W - 1, .north = y == 0, .south = y == H - 1,
                .from_east = row[(x + 1) % 2], .to_west = row[x % 2],
                .from_south = col[(y + 1) % 2], .to_north = col[y % 2],
                .down = down, .along = along,
            });
            if (x > 0) route(x, y, row[x % 2], RAMP, WEST);
            if (x < W - 1) route(x, y, row[(x + 1) % 2], EAST, RAMP);
            if (x == 0) {
                if (y > 0) route(x, y, col[y % 2], RAMP, NORTH);
                if (y < H - 1) route(x, y, col[(y + 1) % 2], SOUTH, RAMP);
                multicast(x, y, down, NORTH, SOUTH, y == 0, y == H - 1);
            }
            multicast(x, y, along, WEST, EAST, x == 0, x == W - 1);
        }
    }
}
