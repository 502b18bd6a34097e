#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# replay --gdb with threads of the system: the events of user-level threads, one by one, on the first
# finding of every subject (the tool compares, and a debugger that only runs the program is enough
# for that), and gdb itself stops where the finding shows, with the program's lines.
set -u
failed=0
wrong() {
    echo "FAIL $*"
    failed=1
}

cat >run-only <<'END'
#!/bin/sh
while [ "$1" != --args ]; do shift; done
shift
exec "$@"
END
chmod +x run-only

for source in "$SOURCE"/subjects/threads/*.c; do
    name=$(basename "$source")
    rm -f ./*.schedule
    cp "$source" .
    "$REHEARSE" refine "$name" >found 2>&1
    for schedule in ./*.schedule; do
        GDB="$PWD/run-only" timeout -s KILL 60 "$REHEARSE" replay --gdb "$schedule" >replayed 2>&1
        [ $? -le 1 ] && grep -q ': test ' replayed || wrong "$name $schedule: $(tail -3 replayed)"
    done
done

stops() { # SUBJECT PATTERN [OPTIONS...]
    local name=$1 pattern=$2
    shift 2
    rm -f ./*.schedule
    "$REHEARSE" refine "$name.c" >found 2>&1
    GDB='gdb -nx -q -batch -ex bt' timeout -s KILL 60 \
        "$REHEARSE" replay --gdb "$@" "$(sed -n '0,/^saved: */s/^saved: *//p' found | head -1)" \
        >stopped 2>&1 </dev/null
    grep -q "hit Breakpoint 1, rh__stop_here" stopped && grep -q "$pattern" stopped ||
        wrong "$name: gdb does not stop at '$pattern': $(tail -20 stopped)"
}

if command -v gdb >/dev/null && gdb -nx -batch -ex run /bin/true >/dev/null 2>&1; then
    stops refcount ' in put (.* at refcount.c:2[02]'
    stops lost_notify ' in wait_for ().* at lost_notify.c:24'
    stops multiset ' at multiset.c:90'
    stops multiset ' at multiset.c:28' --at 2
fi
[ $failed -eq 0 ]
