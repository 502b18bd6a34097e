#!/bin/sh
# SPDX-License-Identifier: MIT
# A limit of the tool ends its execution: limits.c. What was found before stays, so do other tests, and nothing is complete.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so actors' memory has no such limits"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
compile_once "$SOURCE/tests/explore/limits.c"

# One order has two deliveries, the other ends with its first.
search() {
    explore_json run --keep-going --save . "$@" "$verdict_binary"
    ! grep -q '"complete": true' run.json || disagree "$*: complete"
}
for test in state message actors; do
    search --test $test --reduction none
    expect "$test none" run 1 2 3 bound,check
    search --test $test --reduction optimal
    expect "$test optimal" run 1 2 3 bound,check
done
search --test state --states exact
expect 'state --states exact' run 1 2 3 bound,check
search --test state --undo off
expect 'state --undo off' run 1 2 3 bound,check
search --test body
expect 'body' run 0 1 0 bound

# A reduction that has no room is done without.
for reduction in source optimal; do
    explore_json deep --test deep --reduction $reduction --max-length 100000 "$verdict_binary"
    expect "deep $reduction" deep 0 1 70000 -
    grep -q '"complete": true' deep.json && grep -q 'went on without --reduction' deep.json ||
        disagree "deep $reduction" "$(cat deep.json)"
done

# The execution that was ended can be followed.
"$REHEARSE" replay --json --no-times "$verdict_binary" state-warning.schedule >replay.json || disagree 'replay' "$(cat replay.json)"
[ "$(json_strings replay.json kind)" = bound ] || disagree 'replay: no bound' "$(cat replay.json)"

# All tests have their results.
explore_json all --keep-going --max-length 100 "$verdict_binary"
verdict_count=$((verdict_count + 1))
[ "$(grep -c '"kind": "check"' all.json)" = 4 ] && [ "$(grep -c '"kind": "bound"' all.json)" = 5 ] ||
    disagree 'all tests' "$(cat all.json)"

# Samples go on behind a limit.
"$REHEARSE" sample --runs 6 --seed 1 --keep-going --json --no-times --no-shrink --save . --test state "$verdict_binary" >sample.json
verdict_count=$((verdict_count + 1))
[ "$(json_number sample.json executions)" = 6 ] || disagree 'sample' "$(cat sample.json)"
verdict_end
