// scalar.w: no stream and no vector operation: each PE sorts numbers of its own by insertion, ROUNDS times. Loads, stores,
// compares and branches, which go another way each time.

param W: u16 = 2;
param H: u16 = 2;
param ROUNDS: u16 = 2;

layout {
    @set_rectangle(W, H);
    for (@range(u16, H)) |y| {
        for (@range(u16, W)) |x| @set_tile_code(x, y, "sort.w", .{ .seed = 1 + x + 64 * y, .ROUNDS = ROUNDS });
    }
}
