// stencil.w: heat on a wafer. W x H PEs hold a field of (H R) x (W C) points, a block of R rows and C columns each.
//
//   1  the sum over all points, everywhere (an allreduce); each point then loses the mean
//   2  STEPS steps of the 5-point stencil  u ← (1 - 4 k) u + k (north + south + west + east),  0 outside of the field
//
// Every PE runs block.w, which makes its own routes: it needs to know at which borders of the machine it stands, and whether
// its x and y are odd. So there are few classes of PEs, however large the machine.

param W: u16 = 4;
param H: u16 = 3;
param R: u16 = 4;
param C: u16 = 4;
param STEPS: u16 = 10;

layout {
    @set_rectangle(W, H);
    for (@range(u16, H)) |y| {
        for (@range(u16, W)) |x| {
            @set_tile_code(x, y, "block.w", .{
                .R = R, .C = C, .W = W, .H = H, .STEPS = STEPS, .x_odd = x % 2, .y_odd = y % 2,
                .west = x == 0, .east = x == W - 1, .north = y == 0, .south = y == H - 1,
            });
        }
    }
}
