// A module that nothing else names still runs its comptime blocks: it binds tasks and exports.  An empty @initialize_queue
// binds nothing.
// RUN: %wslc %s --arch=wse2 -o %t.obj && %wsrun %t.obj --dump ran | FileCheck %s
// CHECK: ran (0,0): 7
const edge = @import_module("Inputs/import_starts.w");
comptime { @initialize_queue(@get_output_queue(1), .{}); }
