#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 600
# Of each program of subjects/zmq: in the order of sending nothing goes wrong. The race is found, and its schedule shows it
# again. The fixed twin has no finding, three of them no error: with all orders, or with as many as ZMQ_MOST says.
. "$SOURCE/tests/zmq/zmq.shlib"
pkg-config --exists libczmq || {
    echo 'no libczmq here: tools/install-deps zmq'
    exit 77
}
failed=0
most=${ZMQ_MOST:-100}

# compile_subject NAME OUTPUT FLAGS...
compile_subject() {
    local name=$1 output=$2
    shift 2
    ${CC:-cc} -std=gnu17 -Wall -Wextra -g "$SOURCE/subjects/zmq/$name.c" -o "$output" "$@" -lczmq -lzmq -pthread ||
        exit 1
}

# run STATUS PATTERN VERB ARGUMENTS...: what the command ends with, and a line that it prints.
run() {
    local wanted=$1 pattern=$2 actual
    shift 2
    "$REHEARSE" "$1" --adapter zmq --no-shrink --save schedules "${@:2}" >report.txt 2>&1
    actual=$?
    [ $actual -eq "$wanted" ] && grep -qE -- "$pattern" report.txt && return
    echo "FAIL rehearse $*: exit status $actual, not $wanted, or no '$pattern' in"
    head -n 12 report.txt
    failed=1
}

# replay PROGRAM STATUS PATTERN SCHEDULE
replay() {
    local actual
    "$REHEARSE" replay --adapter zmq "$4" -- "$1" >report.txt 2>&1
    actual=$?
    [ $actual -eq "$2" ] && grep -qE -- "$3" report.txt && return
    echo "FAIL rehearse replay $4 -- $1: exit status $actual, not $2, or no '$3' in"
    tail -n 12 report.txt
    failed=1
}

# in_sending_order PROGRAM: nothing goes wrong.
in_sending_order() {
    printf 'rehearse schedule 1\nprogram %s\ntest main\nend\n' "$1" >empty.schedule
    replay "$1" 0 '' empty.schedule
}

# find_race PROGRAM KIND VERB: the bounds make a search that does not find it fail, and none of them is time.
find_race() {
    rm -f schedules/*
    case $3 in
    explore) run 1 "^$2: " explore --reduction optimal --max-executions 1000 -- "$1" ;;
    cover) run 1 "^$2: " cover --max-executions 100 -- "$1" ;;
    esac
    replay "$1" 1 "^$2: " schedules/main.schedule
}

while read -r name kind verbs fixed; do
    case $name in
    '' | '#'*) continue ;;
    esac
    compile_subject "$name" "$name"
    compile_subject "$name" "${name}_fixed" -DFIXED
    in_sending_order "./$name"
    in_sending_order "./${name}_fixed"
    for verb in ${verbs//,/ }; do
        find_race "./$name" "$kind" "$verb"
    done
    # Who stops at once leaves the last message where it is, which is a warning.
    case $name in
    actor_stop | heartbeat | kill_signal) clean='(nothing found|no error)' ;;
    *) clean='nothing found' ;;
    esac
    [ "$fixed" != deep ] || fixed=${ZMQ_MOST:+all}
    case ${fixed:-some} in
    all) run 0 'passed, all [0-9]+ executions' explore --reduction optimal --max-executions 0 -- "./${name}_fixed" ;;
    some) run 0 "$clean in $most executions, stopped by executions" explore --reduction optimal \
        --max-executions "$most" -- "./${name}_fixed" ;;
    esac
    run 0 "$clean in" cover --max-executions $((most / 2)) -- "./${name}_fixed"
done <"$SOURCE/tests/zmq/subjects.txt"

# Whoever adds a program adds a line.
for source in "$SOURCE"/subjects/zmq/*.c; do
    grep -q "^$(basename "$source" .c) " "$SOURCE/tests/zmq/subjects.txt" || {
        echo "FAIL no line for $source"
        failed=1
    }
done
[ $failed -eq 0 ]
