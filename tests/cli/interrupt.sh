#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ctrl-C stops at once; what was found until then is summarised.
. "$SOURCE/tests/cli/expect.bash"
set -m

# The signal comes long after the compiler is done, long before the search is.
interrupt() {
    local signal=$1 target=$2
    shift 2
    "$@" >"$capture/stdout" 2>"$capture/stderr" </dev/null &
    local group=$!
    sleep 5
    if [ "$target" = group ]; then kill -"$signal" -- -$group; else kill -"$signal" $group; fi
    wait $group
}

for target in group command; do
    for signal in INT TERM; do
        interrupt $signal $target "$REHEARSE" explore slow.c --max-executions 0 --json
        status=$?
        [ $status -eq 4 ] || fail "exit status $status after $signal to the $target"
        says '"stopped_by": "interrupt"'
        says '"complete": false'
        [ -z "$(find "$TMPDIR" -maxdepth 1 -name 'rehearse-*')" ] || fail 'left a directory behind'
    done
done
