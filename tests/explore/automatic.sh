#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# What explore does if it is told nothing, and there is no end to one execution for each class.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
program=$SOURCE/tests/explore/automatic.c

# automatic TEST OPTIONS...: leaves run.json.
automatic() {
    test=$1
    shift
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" explore "$program" --test "$test" --no-shrink --json --no-times --save . "$@" >run.json 2>run.err </dev/null
    verdict_status=$?
}

# shows FIELD VALUE
shows() {
    got=$(json_number run.json "$1")
    [ "$got" = "$2" ] || disagree "$test: $1 is $got, not $2" "$(head -n 3 run.err)"
}

automatic many_orders
shows complete true
shows states 5121
grep -q '"reduction": "source"' run.json || disagree "$test: reduction"
grep -q 'begun again with --states exact' run.json || disagree "$test: no note"
# What the first part spent is no part of the counts, and is said.
shows earlier_executions 100000
grep -q 'after 100000 executions and [0-9]* deliveries, which are not counted' run.json || disagree "$test: not said"
[ $verdict_status = 0 ] || disagree "$test: status $verdict_status"

# What is named is done and nothing else.
automatic many_orders --reduction optimal
shows complete false
shows executions 100000
automatic many_orders --max-executions 10
shows executions 10

# The first part finds it soon, and with --keep-going the second one again: once.
automatic wrong_in_the_end
[ $verdict_status = 1 ] || disagree "$test: status $verdict_status"
automatic wrong_in_the_end --keep-going
shows complete true
[ "$(json_strings run.json kind)" = final ] || disagree "$test: $(json_strings run.json kind)"
[ $verdict_status = 1 ] || disagree "$test: status $verdict_status"

# No end either way.
automatic counts_for_ever --max-length 40
shows complete false
[ "$(json_strings run.json kind)" = bound ] || disagree "$test: $(json_strings run.json kind)"
grep -q 'begun again with --states exact' run.json || disagree "$test: no note"
automatic counts_for_ever --max-length 40 --duplicate 1
grep -q 'begun again with --states exact --reduction none' run.json || disagree "$test with faults: no note"
automatic writes_for_ever --max-length 40
shows complete false
[ "$(json_strings run.json kind | xargs)" = "bound livelock" ] || disagree "$test: $(json_strings run.json kind)"
! grep -q 'begun again' run.json || disagree "$test: begun again"
verdict_end
