; FIFOs in memory.  6 words go from the fabric into a FIFO of 4 on one microthread, and out of it on another; the writer waits while
; it is full, the reader while it is empty.  Pushes and pops activate tasks.
; RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun %t.obj --dump got --dump rec --dump seen --dump left --dump sync' | FileCheck %s
; CHECK: got (0,0): 5 6 7 8 9 10
; CHECK: rec (0,0): {{[0-9]+}} 4 2 0 19017 4
; CHECK: seen (0,0): 1 1
; a synchronous operation on a full or empty FIFO ends early: VLEFT says how many elements are left
; CHECK: left (0,0): 2 0 3
; CHECK: sync (0,0): 1 2 3
; what the actions of the record say instead
; RUN: sed 's/^f2:.*/&, full=fault/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 4 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=FULL
; RUN: sed 's/^f2:.*/&, empty=fault/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 4 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=EMPTY
; RUN: sed 's/^f2:.*/&, empty=wait/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 3 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=WAIT
; RUN: sed 's/^f2:.*/&, full=wait/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 3 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=WAITF
; FULL: program fault S021 (fifo_blocked): {{.*}}the FIFO at 0x{{.*}} is full
; EMPTY: program fault S021 (fifo_blocked): {{.*}}the FIFO at 0x{{.*}} is empty
; WAIT: main thread in main waits for an element of a FIFO, which is empty
; WAITF: main thread in main waits for space in a FIFO, which is full
; records that lie
; RUN: sed 's/^f2:.*/f2: .half buf2, 3, 3, 0, 0, 2/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 4 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=HEAD
; RUN: sed 's/^f2:.*/f2: .half buf2, 3, 0, 4, 0, 2/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 4 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=COUNT
; RUN: sed 's/^f2:.*/f2: .half buf2, 0, 0, 0, 0, 2/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 4 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=CAP
; RUN: sed 's/^f2:.*/f2: .half buf2, 3, 0, 0, 0, 4/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 4 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=SIZE
; HEAD: program fault S020 (bad_fifo): {{.*}}the FIFO at 0x{{.*}} has a record whose oldest place is beyond its capacity
; COUNT: program fault S020 (bad_fifo): {{.*}}has a record that holds more than its capacity
; CAP: program fault S020 (bad_fifo): {{.*}}has no record: its capacity is 0
; SIZE: program fault S020 (bad_fifo): {{.*}}holds elements of another size than the operation's
.class k
main: lddsr d.2, p2
      lddsr s1.2, five
      lddsr s1.3, p2
      lddsr d.3, s_
      la r5, left
      mov16 dsr2, dsr2           ; 5 elements, 3 places
      vleft r1, 0
      sth r1, r5
      mov16 dsr3, dsr3, n=3      ; takes the three
      vleft r1, 0
      sth r1, r5+2
      mov16 dsr3, dsr3, n=3      ; and now there is none
      vleft r1, 0
      sth r1, r5+4
      lddsr d.0, o
      lddsr s1.0, w
      async
      mov32 dsr0, dsr0
      lddsr d.0, push
      lddsr s1.0, i
      async ut4
      mov32 dsr0, dsr0
      lddsr s1.1, pop
      lddsr d.1, g
      async ut5
      mov32 dsr1, dsr1
      done
t9:   li r1, 1
      sth r1, seen
      done
t10:  li r1, 1
      sth r1, seen+2
      done
.data
o: .dsd fabout, q2, 6
w: .dsd mem1d, words, 6, 1
words: .word 5, 6, 7, 8, 9, 10
i: .dsd fabin, q0, endless
push: .dsd fifo, rec, 0
pop: .dsd fifo, rec, 0
g: .dsd mem1d, got, 6, 1
rec: .fifo buf, 4, 4, push=9, pop=10
.sym rec, u16, 12
buf: .word 0, 0, 0, 0
got: .word 0, 0, 0, 0, 0, 0
seen: .half 0, 0
left: .half 0, 0, 0
sync: .half 0, 0, 0
p2: .dsd fifo, f2, 0
five: .dsd mem1d, fives, 5, 1
s_: .dsd mem1d, sync, 3, 1
f2: .fifo buf2, 3, 2
buf2: .half 0, 0, 0
fives: .half 1, 2, 3, 4, 5
.global got u32
.global rec u16
.global seen u16
.global left u16
.global sync u16
.entry main
.task 9, t9
.task 10, t10
.iq 0, 2
.oq 2, 2
.route 0, 0, 1, 1, 2, ramp, ramp
.place 0, 0, 1, 1, k
