// RUN: %wslc --emit=wir -O0 --params=size:3 %s | FileCheck %s
// What nobody references is neither checked nor allocated; a known condition prunes.
// CHECK-NOT: global @huge
// CHECK: global @small
// CHECK-NOT: global @huge
param size: u16;
param never;
param big: bool = false;
var huge: [20000]u16;
var small: [4]u16;
const wrong = nothing + 1;
fn uncalled() void { no_such_thing(); }
export task main() void {
    if (big) {
        huge[0] = never;
    } else small[0] = size;
    if (@is_arch("wse2")) only_on_wse2();
    return;
    this_is_not_reached();
}
