// Registers and dot registers: binding, binding again, in a block inside too, chains that go round a loop, `<+-`, two chains at once, order of elements.
// RUN: both '%wslc --arch=ARCH -O0 %s -o %t0.obj && %wsrun %t0.obj --dump out' | FileCheck %s
// RUN: both '%wslc --arch=ARCH -O2 %s -o %t2.obj && %wsrun %t2.obj --dump out' | FileCheck %s
var a: [8]f32;
var one: [8]f32;
var h: [4]i16 = [4]i16{ 7, -2, 100, 3 };
export var out: [35]f32;
var prod: [3]f32;
iter prods: f32 = |i|{3} -> prod[i];
index i1 = 1;
iter rd: f32 = |i|{8} -> a[i];
iter rd2: f32 = |i|{8} -> a[i];
iter ones: f32 = |i|{8} -> one[i];
iter hs: i16 = |i|{4} -> h[i];
index i2 = 2;
index i3 = 3;
index i4 = 4;
index i8 = 8;

export task main() void {
    for (@range(u16, 8)) |i| { a[i] = @as(f32, i + 1); one[i] = 1.0; }
    x <- 3.0;
    {
        x <- 4.0;                       // the same one
        x <+- 1.0;
        out[0] = x;                     // 5
        inner <- 1.0;
    }
    {
        inner <- 7;                     // another one: that block's is gone
        out[1] = x + @as(f32, inner);   // 12
    }
    x <- x - 2.0;                       // 3
    x <- x * 2.0;                       // the same one again
    x <+- rd[];                         // 6 + 1
    out[2] = x;
    x = 20.0;
    out[3] = x;
    ∀i3 { x <+- rd[] * ones[]; }        // + 1 2 3
    out[4] = x;                         // 26
    n <- 5;
    n <+- 2;
    out[5] = @as(f32, n);               // 7
    w <- hs[];
    out[6] = @as(f32, w);               // 7

    s <- ∑ ∀i4 rd[];                    // 10
    t <- ∑ ∀i4 rd[] * rd2[];            // 30, while s is live
    s <+- ∑ ∀i2 ones[];                 // 12
    t <+- s;                            // a number more: 42
    t <+- rd[] * ones[];                // a product more: 43
    t <+- ones[];                       // 44
    out[7] = s;
    out[8] = t;
    s <- ∑ ∀i2 rd[];                    // a new chain: 3
    out[9] = s;
    s <- s + 1.0;                       // starts with a number: 4
    s <+- ∑ ∀i2 ones[];
    out[10] = s;                        // 6
    out[11] = s * 2.0 + t;              // 56
    out[12] = 100.0 - s * s;            // 64
    u <- -s;
    out[13] = u;                        // -6
    s <- ∑ ∀i2 ones[] * s;              // the old value is a factor: 12
    out[14] = s;
    {
        s <- ∑ ∀i3 ones[];              // a new chain in the same one
        out[15] = s;                    // 3
    }
    out[16] = s;                        // 3
    s <+- 9.0;                          // 12
    // a chain that a round starts and the next one ends: 1 | 2 3 | 4 5 | 6 7 | 8, summed pair by pair
    ∀i1 {
        c0 <- ∑ ∀i1 rd[];
        ∀i3 {
            c0 <+- ∑ ∀i1 rd[];
            c1 <- ∑ ∀i1 rd[] * ones[];
            prods[] = c0;
            c0 <- c1;
        }
        c0 <+- rd[];
        out[31] = c0;
    }
    out[32] = prod[0];
    out[33] = prod[1];
    out[34] = prod[2];
    y <- 1.0;
    y <- ∑ ∀i2 rd[];                    // a register stays one
    out[17] = y;                        // 3
    ∀i8 s <+- rd[];                     // one chain of eight: 12 + 36
    out[18] = s;
    // a product of scalars first, at compile time
    out[19] = s + 0.5 * 4.0;            // 50
    // elements are read in the order written
    ∀i2 {
        v <- rd[] - rd[];               // 1-2, 3-4
        out[20] = v;
        v2 <- rd[] * 10.0 - rd[];       // 30-4 = 26?  rd stands at 2, then 6: 3*10-4, 7*10-8
        out[21] = v2;
    }
    z <- rd[] - (rd[] - rd[]);          // 1 - (2 - 3) = 2
    out[22] = z;
    z <- rd[] - rd[] * rd[];            // 1 - 2 * 3 = -5
    out[23] = z;
    z <- rd[] * rd[] + rd[];            // 1 * 2 + 3 = 5
    out[24] = z;
    z <- (∑ ∀i3 rd[]) - (∑ ∀i2 rd[]);   // 1 + 2 + 3 - (4 + 5) = -3: one statement, one position
    out[25] = z;
    q <- if (z < 0.0) rd[] + rd2[] else rd[];
    out[26] = q;                        // 2
    big <- ∑ ∀i8 rd[] * 0.5;
    out[27] = big;                      // 18
    big2 <- ∑ ∀i4 2.0 * rd[];
    out[28] = big2;                     // 20
    p <- twice(4.0) - rd[];             // 8 - 1: read after the call
    out[29] = p;
    p <- rd[] - twice(rd[]);            // 1 - 2 * 2 = -3
    out[30] = p;
}
fn twice(v: f32) f32 {
    r <- ones[];
    return v * (r + 1.0);
}
// CHECK: out (0,0): 5 12 7 20 26 7 7 12 44 3 6 56 64 -6 12 3 3 3 48 50 -1 62 2 -5 5 -3 2 18 20 7 -3 15 3 7 11
