// chain.w: a stream of N words through W PEs in a line: each adds 1 and passes the word on; the last keeps them.

param W: u16 = 4;
param N: u16 = 20;

layout {
    @set_rectangle(W, 1);
    for (@range(u16, W)) |x| {
        @set_tile_code(x, 0, "link.w", .{ .N = N, .x_odd = x % 2, .first = x == 0, .last = x == W - 1 });
    }
}
