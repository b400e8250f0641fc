// pe.w: one PE of the allreduce. Each step is one vector operation over the N elements.

param N: u16;
param west: bool;
param east: bool;
param north: bool;
param south: bool;
param from_east: color;
param to_west: color;
param from_south: color;
param to_north: color;
param down: color;
param along: color;

export var v: [N]f32;                          // from the host
export var sum: [N]f32;                        // to the host

index n = N;
iter v_rd: f32 = |i|{N} -> v[i];
iter sum_wr: f32 = |i|{N} -> sum[i];
iter sum_rd: f32 = |i|{N} -> sum[i];

socket east_in: in f32 = queue 2;
socket west_out: out f32 = queue 2;
socket south_in: in f32 = queue 3;
socket north_out: out f32 = queue 3;
socket down_in: in f32 = queue 4;
socket down_out: out f32 = queue 4;
socket along_in: in f32 = queue 5;
socket along_out: out f32 = queue 5;

export task main() void {
    // 1: along the row
    if (west and east) {
        ∀n sum_wr[] ← v_rd[];
    } else if (east) {
        ∀n west_out[] ← v_rd[];
    } else if (west) {
        ∀n sum_wr[] ← v_rd[] + east_in[];
    } else {
        ∀n west_out[] ← v_rd[] + east_in[];
    }
    if (west) {
        // 2: up column 0
        if (south and !north) {
            ∀n north_out[] ← sum_rd[];
        } else if (!south and north) {
            ∀n sum_wr[] ← sum_rd[] + south_in[];
        } else if (!south) {
            ∀n north_out[] ← sum_rd[] + south_in[];
        }
        // 3: down column 0
        if (!north) {
            ∀n sum_wr[] ← down_in[];
        } else if (!south) {
            ∀n down_out[] ← sum_rd[];
        }
    }
    // 4: along the row
    if (!west) {
        ∀n sum_wr[] ← along_in[];
    } else if (!east) {
        ∀n along_out[] ← sum_rd[];
    }
}

comptime {
    if (!east) @initialize_queue(@get_input_queue(2), .{ .color = from_east });
    if (!west) @initialize_queue(@get_output_queue(2), .{ .color = to_west });
    if (west) {
        if (!south) @initialize_queue(@get_input_queue(3), .{ .color = from_south });
        if (!north) @initialize_queue(@get_output_queue(3), .{ .color = to_north });
        if (!north) @initialize_queue(@get_input_queue(4), .{ .color = down });
        if (north and !south) @initialize_queue(@get_output_queue(4), .{ .color = down });
    }
    if (!west) @initialize_queue(@get_input_queue(5), .{ .color = along });
    if (west and !east) @initialize_queue(@get_output_queue(5), .{ .color = along });
}
