#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 200
# What explore makes of a search that is not over soon: samples before it, and after it if it gives up. What it says
# about that, and what turns it off.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
compile_once "$SOURCE/tests/explore/portfolio.c"
program=$verdict_binary

# explores TEST OPTIONS...: leaves run.json and sets verdict_status; parts is what each part took, as words.
explores() {
    test=$1
    shift
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" explore --test "$test" --no-shrink --json --no-times --save . "$@" "$program" >run.json 2>run.err </dev/null
    verdict_status=$?
    parts=$(tr -d ' \n",{}' <run.json | sed -n 's/.*parts:\[\([^]]*\)\].*/\1/p' | sed 's/deliveries:[0-9]*//g; s/part:/ /g')
}

shows() { # FIELD VALUE
    got=$(json_number run.json "$1")
    [ "$got" = "$2" ] || disagree "$test: $1 is $got, not $2" "$(head -n 3 run.err)"
}

# 120 orders: the search is all there is.
explores few
shows complete true
shows executions 120
[ -z "$parts" ] || disagree "$test: parts $parts"

# 5,040 orders without an error: samples come between, and the result is the search's.
explores many
shows complete true
shows executions 5040
case $parts in
*searchexecutions:15*samplesexecutions:500*coverexecutions:200*searchexecutions:5040*) ;;
*) disagree "$test: parts $parts" ;;
esac
grep -q 'samples were taken besides: 15 executions of the search, then 500 executions of samples, then 200 executions of cover' run.json ||
    disagree "$test: no note"
for off in '--strategy exhaustive' '--reduction optimal' '--states none' '--max-deliveries 1000000' --census; do
    # shellcheck disable=SC2086
    explores many $off
    shows executions 5040
    [ -z "$parts" ] || disagree "$test $off: parts $parts"
done

# The error is in the last of many orders: samples come to it, and the search does not.
explores last_first
[ $verdict_status = 1 ] || disagree "$test: status $verdict_status"
[ "$(json_strings run.json strategy)" = mixed ] || disagree "$test: $(json_strings run.json strategy)"
case $parts in *searchexecutions:15*samplesexecutions:*) ;; *) disagree "$test: parts $parts" ;; esac
[ "$(json_number run.json executions)" -gt 15 ] || disagree "$test: not all executions are counted"
cp run.json first.json
explores last_first
cmp -s first.json run.json || disagree "$test: not the same again"
"$REHEARSE" replay "$program" last_first.schedule >replay.out 2>&1
[ $? -eq 1 ] || disagree "$test: does not replay" "$(cat replay.out)"
explores last_first --strategy exhaustive --max-seconds 1
[ $verdict_status = 0 ] || disagree "$test: found by the search, so the test shows nothing"

# With --keep-going what samples have found is there at the end, once.
explores last_first --keep-going --max-seconds 3
[ "$(json_strings run.json kind)" = check ] || disagree "$test --keep-going: $(json_strings run.json kind)"

# No part goes beyond the time, and the last one is of samples.
explores nothing --max-seconds 2
shows complete false
[ "$(json_strings run.json stopped_by)" = seconds ] || disagree "$test: $(json_strings run.json stopped_by)"
case $parts in *samples*search*samples*) ;; *) disagree "$test: parts $parts" ;; esac

# A test that gives its order has one execution.
explores ordered
shows executions 1
[ -z "$parts" ] || disagree "$test: parts $parts"
verdict_end
