// sort.w: fill an array from a linear congruential generator, sort it, add it up with its places; again, ROUNDS times.

param seed: u32;
param ROUNDS: u16;

const N: u16 = 40;
var v: [N]u32;
export var check: u32 = 0;

export task main() void {
    var state: u32 = seed;
    for (@range(u16, ROUNDS)) |round| {
        for (@range(u16, N)) |i| {
            state = state * 1664525 + 1013904223;
            var k: u16 = i;
            const new = state >> 8;
            while (k > 0 and v[k - 1] > new) {
                v[k] = v[k - 1];
                k -= 1;
            }
            v[k] = new;
        }
        for (@range(u16, N)) |i| check = check * 31 + v[i];
    }
}
