// block.w: one block of the field, with a rim of one point around it. A step exchanges the borders, eight streams at once, and
// then is five vector operations over the block.
//
// A stream to the neighbours takes two colors in turn: a router cannot take one color from its own PE and from a neighbour.
// Where there is no neighbour, the queue is bound to the null color, which takes every word and gives zeros: no PE needs to
// ask where it stands.

param R: u16;
param C: u16;
param W: u16;
param H: u16;
param STEPS: u16;
param x_odd: u16;
param y_odd: u16;
param west: bool;                              // at this border of the machine
param east: bool;
param north: bool;
param south: bool;

const k: f32 = 0.125;

export var u: [R + 2, C + 2]f32;               // from the host, and to the host
export var total: f32;                         // the sum over the machine before the first step
var t: [R * C]f32;

index all = R * C;
index rows = R;
index cols = C;

iter u_rd: f32 = |i, j|{R, C} -> u[i + 1, j + 1];
iter u_wr: f32 = |i, j|{R, C} -> u[i + 1, j + 1];
iter above: f32 = |i, j|{R, C} -> u[i, j + 1];
iter below: f32 = |i, j|{R, C} -> u[i + 2, j + 1];
iter left: f32 = |i, j|{R, C} -> u[i + 1, j];
iter right: f32 = |i, j|{R, C} -> u[i + 1, j + 2];
iter t_rd: f32 = |i|{R * C} -> t[i];
iter t_wr: f32 = |i|{R * C} -> t[i];
// borders to send, and the rim to fill
iter w_border: f32 = |i|{R} -> u[i + 1, 1];
iter e_border: f32 = |i|{R} -> u[i + 1, C];
iter n_border: f32 = |j|{C} -> u[1, j + 1];
iter s_border: f32 = |j|{C} -> u[R, j + 1];
iter w_rim: f32 = |i|{R} -> u[i + 1, 0];
iter e_rim: f32 = |i|{R} -> u[i + 1, C + 1];
iter n_rim: f32 = |j|{C} -> u[0, j + 1];
iter s_rim: f32 = |j|{C} -> u[R + 1, j + 1];

socket to_west: out f32 = queue 2;
socket to_east: out f32 = queue 3;
socket to_north: out f32 = queue 4;
socket to_south: out f32 = queue 5;
socket from_east: in f32 = queue 2;            // what the eastern neighbour sends to the west
socket from_west: in f32 = queue 3;
socket from_south: in f32 = queue 4;
socket from_north: in f32 = queue 5;
socket row_tx: out f32 = queue 0;
socket col_tx: out f32 = queue 1;
socket down_tx: out f32 = queue 6;
socket along_tx: out f32 = queue 7;
socket row_rx: in f32 = queue 0;
socket col_rx: in f32 = queue 1;
socket down_rx: in f32 = queue 6;
socket along_rx: in f32 = queue 7;

// the sum of x over all PEs: west along the rows, north up column 0, and back by multicast
fn allreduce(x: f32) f32 {
    var sum = x + row_rx[];
    row_tx[] = sum;
    if (west) {
        sum = sum + col_rx[];
        col_tx[] = sum;
        if (north) {
            down_tx[] = sum;
        } else {
            sum = down_rx[];
        }
        along_tx[] = sum;
    } else {
        sum = along_rx[];
    }
    return sum;
}

fn step() void {
    parallel {
        ∀rows to_west[] ← w_border[];
        ∀rows to_east[] ← e_border[];
        ∀cols to_north[] ← n_border[];
        ∀cols to_south[] ← s_border[];
        ∀rows w_rim[] ← from_west[];
        ∀rows e_rim[] ← from_east[];
        ∀cols n_rim[] ← from_north[];
        ∀cols s_rim[] ← from_south[];
    }
    ∀all t_wr[] ← above[] + below[];
    ∀all t_wr[] ← t_rd[] + left[];
    ∀all t_wr[] ← t_rd[] + right[];
    ∀all u_wr[] ← u_rd[] * (1.0 - 4.0 * k);
    ∀all u_wr[] ← u_rd[] + t_rd[] * k;
}

export task main() void {
    acc <- ∑ ∀all u_rd[];
    total = allreduce(acc);
    const mean = total / (@as(f32, R) * @as(f32, C) * @as(f32, W) * @as(f32, H));
    ∀all u_wr[] ← u_rd[] - mean;
    for (@range(u16, STEPS)) |s| step();
}

// ---- routes and queues
const none = @get_color(31);

// Words to the neighbour in direction `to` through output queue q, and from the one on the other side, `from`, through input
// queue q. `odd`: which of the colors c and c + 1 is the one to send with.
fn hop(q: u16, c: u16, odd: u16, to: direction, from: direction, sends: bool, receives: bool) void {
    const mine = @get_color(c + odd);
    const theirs = @get_color(c + 1 - odd);
    if (sends) @set_local_color_config(mine, .{ .routes = .{ .rx = .{RAMP}, .tx = .{to} } });
    if (receives) @set_local_color_config(theirs, .{ .routes = .{ .rx = .{from}, .tx = .{RAMP} } });
    @initialize_queue(@get_output_queue(q), .{ .color = if (sends) mine else none });
    @initialize_queue(@get_input_queue(q), .{ .color = if (receives) theirs else none });
}

// from the first PE of a line to all others
fn multicast(q: u16, c: u16, to: direction, from: direction, first: bool, last: bool) void {
    const color = if (first and last) none else @get_color(c);
    if (first) {
        if (!last) @set_local_color_config(color, .{ .routes = .{ .rx = .{RAMP}, .tx = .{to} } });
        @initialize_queue(@get_output_queue(q), .{ .color = color });
    } else {
        @set_local_color_config(color, .{ .routes = .{ .rx = .{from}, .tx = if (last) .{RAMP} else .{RAMP, to} } });
        @initialize_queue(@get_input_queue(q), .{ .color = color });
    }
}

comptime {
    hop(2, 0, x_odd, WEST, EAST, !west, !east);
    hop(3, 2, x_odd, EAST, WEST, !east, !west);
    hop(4, 4, y_odd, NORTH, SOUTH, !north, !south);
    hop(5, 6, y_odd, SOUTH, NORTH, !south, !north);
    // the allreduce
    hop(0, 8, x_odd, WEST, EAST, !west, !east);
    if (west) hop(1, 10, y_odd, NORTH, SOUTH, !north, !south);
    if (west) multicast(6, 12, SOUTH, NORTH, north, south);
    multicast(7, 13, EAST, WEST, west, east);
}
