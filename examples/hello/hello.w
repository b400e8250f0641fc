// hello.w: one PE prints a line and leaves a number for the host to read.

export var answer: u32 = 0;       // `export`: the host may name it

export task main() void {         // where a program starts
    var sum: u32 = 0;
    for (@range(u16, 1, 11, 1)) |i| {
        sum += i;
    }
    answer = sum;
    @print("hello from a PE: 1 + ... + 10 = {}", sum);
}
