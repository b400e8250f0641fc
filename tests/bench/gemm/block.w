// block.w: one block of A. For each row of X that arrives, R multiply-adds of a whole row: y[r, :] += A[r, k] x[:].

param R: u16;
param C: u16;
param N: u16;
param x_odd: u16;
param north: bool;
param south: bool;
param west: bool;
param east: bool;

export var A: [C, R]f32;                       // from the host; columns of the block one after another
export var X: [C, N]f32;                       // from the host in the north row
export var Y: [R * N]f32;                      // to the host from the east column
var row: [N]f32;                               // the row of X that is at work

index rows = R;
index cols = C;
index n = N;
index all = R * N;

iter A_rd: f32 = |k, r|{C, R} -> A[k, r];
iter X_rd: f32 = |k, j|{C, N} -> X[k, j];
iter row_wr: f32 = |k, j|{C, N} -> row[j];
iter row_tx: f32 = |k, j|{C, N} -> row[j];
iter row_rd: f32 = |k, r, j|{C, R, N} -> row[j];
iter Y_rd: f32 = |k, r, j|{C, R, N} -> Y[N * r + j];
iter Y_wr: f32 = |k, r, j|{C, R, N} -> Y[N * r + j];
iter sum_rd: f32 = |i|{R * N} -> Y[i];
iter sum_wr: f32 = |i|{R * N} -> Y[i];

socket down_tx: out f32 = queue 2;
socket down_rx: in f32 = queue 2;
socket east_tx: out f32 = queue 3;
socket west_rx: in f32 = queue 3;

export task main() void {
    ∀cols {
        if (north) {
            ∀n row_wr[] ← X_rd[];
            ∀n down_tx[] ← row_tx[];
        } else {
            ∀n row_wr[] ← down_rx[];
        }
        ∀rows {
            const a = A_rd[];
            ∀n Y_wr[] ← Y_rd[] + row_rd[] * a;
        }
    }
    if (east) {
        ∀all sum_wr[] ← sum_rd[] + west_rx[];
    } else {
        ∀all east_tx[] ← sum_rd[] + west_rx[];
    }
}

// ---- routes and queues; the null color takes every word and gives zeros
const none = @get_color(31);
const from_west = if (west) none else @get_color(2 - x_odd);
const to_east = if (east) none else @get_color(1 + x_odd);
const down = if (north and south) none else @get_color(0);

comptime {
    if (!west) @set_local_color_config(from_west, .{ .routes = .{ .rx = .{WEST}, .tx = .{RAMP} } });
    if (!east) @set_local_color_config(to_east, .{ .routes = .{ .rx = .{RAMP}, .tx = .{EAST} } });
    @initialize_queue(@get_input_queue(3), .{ .color = from_west });
    @initialize_queue(@get_output_queue(3), .{ .color = to_east });
    if (north) {
        if (!south) @set_local_color_config(down, .{ .routes = .{ .rx = .{RAMP}, .tx = .{SOUTH} } });
        @initialize_queue(@get_output_queue(2), .{ .color = down });
    } else {
        @set_local_color_config(down, .{ .routes = .{ .rx = .{NORTH}, .tx = if (south) .{RAMP} else .{RAMP, SOUTH} } });
        @initialize_queue(@get_input_queue(2), .{ .color = down });
    }
}
