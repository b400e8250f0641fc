// block.w: one block of A. What a PE does depends on where it stands; the conditions below are known when it is
// compiled, so each class has only its own part of the code.

param R: u16;
param C: u16;
param north: bool;
param south: bool;
param west: bool;
param east: bool;
param down: color;
param from_west: color;
param to_east: color;

export var A: [R, C]f32;                       // from the host
export var x: [C]f32;                          // from the host in the north row, else from the stream
export var y: [R]f32;                          // to the host from the east column

index rows = R;
index cols = C;

iter A_rd: f32 = |i, j|{R, C} -> A[i, j];
iter x_rd: f32 = |i, j|{R, C} -> x[j];         // the whole of x for every row
iter x_once: f32 = |j|{C} -> x[j];
iter x_wr: f32 = |j|{C} -> x[j];
iter y_wr: f32 = |i|{R} -> y[i];

socket x_out: out f32 = queue 2;
socket x_in: in f32 = queue 2;
socket sum_out: out f32 = queue 3;
socket sum_in: in f32 = queue 3;

export task main() void {
    if (!north) {
        ∀cols x_wr[] ← x_in[];
    } else if (!south) {
        ∀cols x_out[] ← x_once[];
    }
    ∀rows {
        acc <- ∑ ∀cols A_rd[] * x_rd[];
        if (west and east) {
            y_wr[] = acc;
        } else if (west) {
            sum_out[] = acc;
        } else if (east) {
            y_wr[] = sum_in[] + acc;
        } else {
            sum_out[] = sum_in[] + acc;
        }
    }
}

comptime {
    if (north and !south) @initialize_queue(@get_output_queue(2), .{ .color = down });
    if (!north) @initialize_queue(@get_input_queue(2), .{ .color = down });
    if (!east) @initialize_queue(@get_output_queue(3), .{ .color = to_east });
    if (!west) @initialize_queue(@get_input_queue(3), .{ .color = from_west });
}
