// link.w: one PE of the chain.

param N: u16;
param x_odd: u16;
param first: bool;
param last: bool;

const from_west = @get_color(1 - x_odd);
const to_east = @get_color(x_odd);

export var words: [N]f32;                // from the host in the first PE, to the host from the last

index n = N;
iter words_rd: f32 = |i|{N} -> words[i];
iter words_wr: f32 = |i|{N} -> words[i];
socket west: in f32 = queue 2;
socket east: out f32 = queue 2;

export task main() void {
    if (first) {
        ∀n east[] ← words_rd[];
    } else if (last) {
        ∀n words_wr[] ← west[] + 1.0;
    } else {
        ∀n east[] ← west[] + 1.0;
    }
}

comptime {
    if (!first) {
        @set_local_color_config(from_west, .{ .routes = .{ .rx = .{WEST}, .tx = .{RAMP} } });
        @initialize_queue(@get_input_queue(2), .{ .color = from_west });
    }
    if (!last) {
        @set_local_color_config(to_east, .{ .routes = .{ .rx = .{RAMP}, .tx = .{EAST} } });
        @initialize_queue(@get_output_queue(2), .{ .color = to_east });
    }
}
