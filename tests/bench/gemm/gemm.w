// gemm.w: Y = A X on a grid of W x H PEs. PE (i, j) holds a block of R rows and C columns of A, which stays; X has N columns.
//
//   X    its rows come in at the north row of PEs, C of them per column of PEs, and are multicast down
//   Y    partial sums of each row run from west to east; the east column of PEs has the result

param W: u16 = 4;
param H: u16 = 3;
param R: u16 = 5;
param C: u16 = 6;
param N: u16 = 7;

layout {
    @set_rectangle(W, H);
    for (@range(u16, H)) |y| {
        for (@range(u16, W)) |x| {
            @set_tile_code(x, y, "block.w", .{
                .R = R, .C = C, .N = N, .x_odd = x % 2,
                .north = y == 0, .south = y == H - 1, .west = x == 0, .east = x == W - 1,
            });
        }
    }
}
