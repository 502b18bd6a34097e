#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is called unreachable from a test's set-up is: ten places where all values and orders have to be tried and two where
# nobody sends what is needed, each beside one that something leads to. Plain enumeration of all values in all orders comes
# to none of the first, and to all others; the two are reached from another test.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE/tests/symbolic/past.c" .

# lines KIND FROM TO: the places of that kind between two texts of the program.
lines() {
    awk -v kind="// $1" -v from="$2" -v to="$3" \
        'index($0, from) { on = 1 } index($0, to) { on = 0 } on && index($0, kind) { print "past.c:" NR }' past.c
}
door=('struct guest {' 'struct clerk {')
limited=('struct clerk {' 'struct driver {')

# judged TEST OPTIONS: what the places of that part of the program are called.
judged() {
    local kind verdict
    for kind in DEAD NOWAY LIVE; do
        verdict="is unreachable.*: (all values and all orders of test $1|in test $1 nothing that|no state of its actor)"
        [ $kind = NOWAY ] && verdict="is unreachable: in the message flow graph no way leads there from test $1"
        [ $kind = LIVE ] && verdict="is reached in test $1"
        for place in $(lines $kind "$2" "$3"); do
            says "^$place $verdict"
        done
    done
}
# shellcheck disable=SC2046
expect 0 "$REHEARSE" reach past.c --test door --messages 2 $(lines DEAD "${door[@]}") $(lines LIVE "${door[@]}") \
    $(lines NOWAY "${door[@]}")
judged door "${door[@]}"
says 'is unreachable with at most 2 messages from outside'
says 'nothing creates a vault$'
says 'nothing sends audit to an alarm$'
# shellcheck disable=SC2046
expect 0 "$REHEARSE" reach past.c --test limited --messages 0 $(lines DEAD "${limited[@]}") $(lines LIVE "${limited[@]}")
judged limited "${limited[@]}"
[ "$(grep -c '// DEAD' past.c)" -ge 10 ] && [ "$(grep -c '// LIVE' past.c)" -ge 10 ] || fail 'places are missing'

# enumerated TEST FROM TO: all of them at once, from a coverage of lines.
enumerated() {
    local line never
    expect 0 "$REHEARSE" explore past.c --test "$1" --lines --save-coverage "$1.coverage" --max-executions 0 --quiet
    expect 0 "$REHEARSE" coverage "$1.coverage" --json
    never=" $(sed -n '/"never"/,/]/p' "$capture/stdout" | grep -oE '[0-9]+' | tr '\n' ' ')"
    for place in $(lines DEAD "$2" "$3") $(lines NOWAY "$2" "$3"); do
        [[ $never == *" ${place#*:} "* ]] || fail "$place is reached by enumeration"
    done
    for place in $(lines LIVE "$2" "$3"); do
        [[ $never != *" ${place#*:} "* ]] || fail "$place is not reached by enumeration"
    done
}
enumerated every_digit "${door[@]}"
enumerated every_limit "${limited[@]}"

# Each place that nothing leads to from one test, from another.
# shellcheck disable=SC2046
expect 0 "$REHEARSE" reach past.c --test audited $(lines NOWAY "${door[@]}")
says 'is reached in test audited'
