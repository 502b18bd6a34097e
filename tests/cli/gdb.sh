#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# replay --gdb stops in the handler of the failing delivery, and at any delivery by number.
. "$SOURCE/tests/cli/expect.bash"

refuse_gdb() {
    GDB=no-such-debugger refuses 2 'no-such-debugger was not found: install gdb' \
        "$REHEARSE" replay --gdb overdraw.schedule
}

expect 1 "$REHEARSE" explore till.c --test overdraw
refuse_gdb
command -v gdb >"$capture/stdout" || { echo 'gdb is not installed'; exit 77; }
gdb -nx -batch -ex run /bin/true >"$capture/stdout" 2>&1
grep -q 'exited normally' "$capture/stdout" || { echo 'ptrace is not allowed'; exit 77; }

cat >both.schedule <<'END'
rehearse schedule 1
program till.c
test calm
deliver deposit to till#1 from customer
deliver deposit to till#1 from outside
end
END
export GDB="gdb -nx -batch -ex 'print *(struct till *)state' -ex bt"
run "$REHEARSE" replay --gdb overdraw.schedule
says 'this is the handler of delivery 1'
says '#0 .*till_behaviour \('
says '\$1 = \{balance = 0\}'
run "$REHEARSE" replay --gdb --at 2 both.schedule
says 'this is the handler of delivery 2'
says '#0 .*till_behaviour \('
says '\$1 = \{balance = 7\}'
run "$REHEARSE" replay --gdb --at 9 both.schedule
says 'ended before delivery 9'
[ -z "$(find "$TMPDIR" -maxdepth 1 -name 'rehearse-*')" ] || fail 'left a directory behind'
exit 0
