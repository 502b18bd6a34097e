#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ctrl-C stops at once; what was found until then is summarised.
. "$SOURCE/tests/cli/expect.bash"
set -m

# The signal comes when the compiler is done and the program runs, long before the search is done.
interrupt() {
    local signal=$1 target=$2
    shift 2
    "$@" >"$capture/stdout" 2>"$capture/stderr" </dev/null &
    local group=$!
    for _ in {1..600}; do
        pgrep -f "^$TMPDIR/rehearse-[^/]*/slow" >/dev/null && break
        sleep 0.1
    done
    sleep 1
    if [ "$target" = group ]; then kill -"$signal" -- -$group; else kill -"$signal" $group; fi
    wait $group
}

for target in group command; do
    for signal in INT TERM; do
        interrupt $signal $target "$REHEARSE" explore slow.c --test slow --max-executions 0 --json
        status=$?
        [ $status -eq 4 ] || fail "exit status $status after $signal to the $target"
        says '"stopped_by": "interrupt"'
        says '"complete": false'
        [ -z "$(pgrep -f "$TMPDIR/rehearse-")" ] || fail 'left a process behind'
        [ -z "$(find "$TMPDIR" -maxdepth 1 -name 'rehearse-*')" ] || fail 'left a directory behind'
    done
done

# What was found is saved, and decides the exit status.
interrupt INT group "$REHEARSE" explore slow.c --test slow_and_wrong --keep-going --max-executions 0
status=$?
[ $status -eq 1 ] || fail "exit status $status after a finding"
says 'FAILED after'
says '^saved:   slow_and_wrong.schedule$'
expect 1 "$REHEARSE" replay slow_and_wrong.schedule
