#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 400
# Threads that use locks. The default search of critical sections runs each order of them once, and whatever threads do
# with locks, each reduction shows what all orders show.
. "$SOURCE/tests/zmq/zmq.shlib"
compile_zmq tests/zmq/sections

# explore NAME ARGUMENT...: searches with $options, sets `executions`, and leaves what it shows in NAME: the
# program's lines and the kinds of findings, each once.
explore() {
    local name=$1
    shift
    rm -f lines
    # shellcheck disable=SC2086
    "$REHEARSE" explore --adapter zmq --keep-going --no-shrink --max-executions 0 --json --save schedules --shared-files \
        $options -- ./sections lines "$@" >result.json 2>error.txt
    # Threads that are detached may be cut off by the end of the process, which is not tried.
    local complete=true
    [[ " $*" != *' -'* ]] || complete=false
    grep -q "\"complete\": *$complete" result.json || { echo "FAIL $*, $name: not '$complete'"; cat error.txt; failed=1; }
    executions=$(grep -oE '"executions": *[0-9]+' result.json | head -1 | grep -oE '[0-9]+')
    { [ ! -e lines ] || sort -u lines; grep -oE '"kind": *"[a-z]+"' result.json | sort -u; } \
        >"$name"
}

# counts EXECUTIONS LINES ARGUMENT...: how many executions the default search needs, and how many lines they show.
counts() {
    local expected=$1 lines=$2
    shift 2
    options='' explore default "$@"
    local found
    found=$(wc -l <default)
    [ "$executions $found" = "$expected $lines" ] || {
        echo "FAIL $*: $executions executions show $found lines, not $expected and $lines"
        failed=1
    }
}

# same ARGUMENT...: each reduction shows what all orders show.
same() {
    local reduction
    options='--reduction none' explore none "$@"
    for reduction in optimal source; do
        options="--reduction $reduction" explore "$reduction" "$@"
        cmp -s none "$reduction" || {
            echo "FAIL $* with --reduction $reduction"
            diff none "$reduction"
            failed=1
        }
    done
}

# shows WHAT ARGUMENT...: what the default search must show among others.
shows() {
    local what=$1
    shift
    options='' explore default "$@"
    grep -q "$what" default || { echo "FAIL $*: no $what"; failed=1; }
}

# k critical sections in each of two threads have C(2k, k) orders.
counts 2 2 a a
counts 6 6 aa aa
counts 20 20 aaa aaa
counts 252 252 aaaaa aaaaa
# Those of mutexes that have nothing to do with each other multiply.
counts 4 4 ab ab
counts 4 4 a a b b
counts 6 6 a a a
counts 1 1 a b
# What is not in static storage: a mutex that a call has initialised is told apart from others.
counts 6 6 hh hh
counts 4 4 ih ih
counts 1 1 a h

shows '"deadlock"' B D
shows '"deadlock"' j bb
shows '1=n' x B

same B D
same xa B
same wx s
same w t
same vx s
same pq qp
same ru ur
same oa ao
same m b
same hi ih
same j aba
same mainab -a b
same a a x
# covers EXECUTIONS LINES ARGUMENT...: cover, whose goals are orders of sections too, shows so many lines in so many
# executions.
covers() {
    local most=$1 lines=$2 found
    shift 2
    rm -f lines
    "$REHEARSE" cover --adapter zmq --no-shrink --max-executions "$most" --json --save schedules --shared-files \
        -- ./sections lines "$@" >result.json 2>error.txt
    found=$(sort -u lines | wc -l)
    [ "$found" -ge "$lines" ] || { echo "FAIL cover $*: $found lines in $most executions, not $lines"; failed=1; }
    grep -q '"infeasible": *0' result.json || { echo "FAIL cover $*: a schedule was not followed"; failed=1; }
}

covers 3 2 a a
covers 20 6 aa aa
covers 20 4 ab ab
covers 30 4 xa B
covers 30 2 m b
[ $failed -eq 0 ]
