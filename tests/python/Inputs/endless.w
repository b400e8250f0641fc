export var n: u32;
export task main() void {
    @print("started");
    while (n < 1000000000) : (n += 1) {}
}
