#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Random programs with errors: --shortest finds one with as few deliveries as there are, which is the smallest
# --max-length at which plain enumeration finds any; and of every error the same length, however the search is reduced.
if [ -n "${SANITIZE:-}" ]; then
    echo 'too slow without undo, which a sanitizer leaves out'
    exit 77
fi
. "$SOURCE/tests/random/compare.shlib"

# explore OPTIONS...: leaves result.json; sets status.
explore() {
    rm -rf saved
    mkdir saved
    "$REHEARSE" explore --no-shrink --json --no-times --save saved $rules "$@" ./random >result.json 2>result.err </dev/null
    status=$?
}

# The smallest bound on an execution with which an error is found, up to that of all executions.
find_least() {
    least=0
    while :; do
        explore --reduction none --max-length $((least > 0 ? least : 1)) --max-executions 0
        [ $status -eq 1 ] && break
        least=$((least + 1))
        [ $least -lt 40 ] || return 1
    done
    # A body that fails makes no delivery.
    [ $least -gt 0 ] || least=$(json_number result.json steps)
}

# Of every error: kind, place, deliveries.
errors() {
    grep -oE '^ +"(kind|severity|file|line|steps)": [^,]*' result.json | sed 's/^ *//' | paste - - - - - |
        grep '"error"' | LC_ALL=C sort
}

judge_one() {
    verdict_count=$((verdict_count + 1))
    steps=$(json_number result.json steps)
    [ $status = 1 ] && [ "$(grep -c '"error"' result.json)" = 1 ] && grep -q 'no execution with fewer' result.json ||
        disagree "$label --reduction $reduction: not one error that is the shortest"
    "$REHEARSE" replay --json --no-times ./random "$(json_strings result.json schedule | head -n 1)" >replay.json 2>&1
    [ $? = 1 ] || disagree "$label --reduction $reduction: the schedule does not replay"
    steps=$(errors | sed 's/.*"steps": //')
    [ "$steps" = "$least" ] || disagree "$label --reduction $reduction: $steps deliveries, not $least" "$(errors)"
}

judge_all() {
    errors >found
    [ $reduction != none ] || cp found wanted
    cmp -s wanted found || disagree "$label --reduction $reduction --keep-going: other lengths" "$(diff wanted found)"
}

# shortest GENERATOR SEED RULES: nothing if the program has no error, or too many executions.
shortest() {
    generator=$1
    seed=$2
    label="$1 $2 $3"
    rules="--delivery ${3%-*} --time ${3#*-}"
    "./$generator" "$seed" >random.c
    ${CC:-cc} -std=gnu17 -g -O1 -w ${CFLAGS:-} -I"$SOURCE/include" -I"$SOURCE/tests/random" random.c \
        "$LIBRARY" -ldw -lelf -ljansson -lm ${LDLIBS:-} -o random ||
        { disagree "$label: does not compile"; return; }
    explore --reduction none --keep-going --max-executions 2000
    [ $status -eq 1 ] && grep -q '"complete": true' result.json && find_least || return
    for reduction in none source optimal dcute; do
        explore --shortest --reduction $reduction --max-executions 0
        judge_one
        explore --shortest --keep-going --reduction $reduction --max-executions 0
        judge_all
    done
}

compare_start
seed=${SHORTEST_FIRST:-1}
while [ $seed -le "${SHORTEST_LAST:-5}" ]; do
    shortest orders $seed fifo-causal
    shortest orders $seed any-causal
    shortest generate $seed any-causal
    seed=$((seed + 1))
done
verdict_end
