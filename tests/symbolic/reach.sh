#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# reach: places in all parts of a program, each confirmed by a replay that says so by itself; checks; what is refused; and
# that a place to which nothing leads is never called reached.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE/tests/symbolic/places.c" "$SOURCE/examples/bank.c" .

# line TEXT: the line of places.c that has it.
line() {
    grep -n -- "$1" places.c | head -1 | cut -d: -f1
}

# reaches TEXT: the way to that line is found, and the schedule that is saved leads there by itself.
reaches() {
    local at
    at=$(line "$1")
    expect 0 "$REHEARSE" reach places.c "places.c:$at"
    says "^places.c:$at is reached in test doors$"
    expect 0 "$REHEARSE" replay "reach_places_$at.schedule"
    says "^warning: reached: places.c:$at is reached"
    expect 1 "$REHEARSE" replay "reach_places_$at.schedule" --fail-on reached
}
reaches 'in a guard'
reaches 'after an ask'
reaches 'when it stops'

at=$(line 'never$')
expect 4 "$REHEARSE" reach places.c "places.c:$at" --max-queries 300
says "^places.c:$at: not found within"
expect 0 "$REHEARSE" explore places.c --until "places.c:$at"

# A program that has changed no longer goes there.
at=$(line 'after an ask')
sed 's/number == 12)$/number == 14)/' places.c >changed && cp changed places.c
expect 0 "$REHEARSE" replay "reach_places_$at.schedule"
! grep -q "is reached" "$capture/stdout" || fail 'it still gets there'

# The overdraft, in samples of the test as it is; and by a message from outside that no client sends.
expect 1 "$REHEARSE" reach bank.c bank.c:29 --check --delivery any
says '^the check on bank.c:29 fails in test overdraw$'
expect 1 "$REHEARSE" reach bank.c bank.c:29 --check --without-messages --save found
says 'anyone'
expect 1 "$REHEARSE" replay found/reach_bank_29.schedule
says 'check failed: server->balance >= withdraw->amount'
expect 1 "$REHEARSE" reach bank.c bank.c:29 --check --without-messages --json
says '"found_by": "forward"'
says '"goal": "check"'

refuses 2 'bank.c:3 has no code; the nearest line' "$REHEARSE" reach bank.c bank.c:3
refuses 2 'no code of the program is in tank.c' "$REHEARSE" reach bank.c tank.c:29
refuses 2 'is in no handler' "$REHEARSE" reach bank.c bank.c:84
refuses 2 'bank.c:28 has no rh_check; lines of this file that have: 29' "$REHEARSE" reach bank.c bank.c:28 --check
refuses 2 'bank.c: schedules cannot be saved there' "$REHEARSE" reach bank.c bank.c:29 --save bank.c
refuses 2 'where to' "$REHEARSE" reach bank.c
refuses 2 'find their places themselves' "$REHEARSE" reach bank.c bank.c:29 --all-checks
refuses 2 "there is no test 'x'; there are: overdraw" "$REHEARSE" reach bank.c bank.c:29 --test x
refuses 2 'choose one' "$REHEARSE" reach bank.c bank.c:29 --check --dereference
refuses 2 'needs FILE:LINE' "$REHEARSE" explore bank.c --until bank.c
refuses 2 'cannot read none.c' "$REHEARSE" reach none.c none.c:1

# Lines that a coverage file lacks. The guard of places.c is code that no sample comes to.
run "$REHEARSE" sample places.c --runs 1 --lines --save-coverage places.coverage
mkdir ways
run "$REHEARSE" reach places.c --uncovered places.coverage --save ways --max-queries 300
says "^places.c:$(line 'in a guard') is reached in test doors: ways/reach_places_"
says "^places.c:$(line 'never$') was not found$"
says '^[0-9]+ reached, 0 unreachable, [0-9]+ not found'
run "$REHEARSE" sample places.c --runs 1 --save-coverage places.coverage
refuses 2 'writes them with --lines' "$REHEARSE" reach places.c --uncovered places.coverage
refuses 2 'find their places themselves' "$REHEARSE" reach places.c places.c:3 --uncovered places.coverage
