#!/bin/sh
# SPDX-License-Identifier: MIT
# What handlers do to processes stays in their execution: signals do not reach the search, and nobody outlives it.
. "$SOURCE/tests/programs/verdict.shlib"

compile_once "$SOURCE/tests/explore/contained.c"
LEFT=$PWD/left
export LEFT
: >"$LEFT"

# The table: a test, the kinds of what is found, and options. In a session of its own, so that a signal that gets out ends this test
# and not the others.
while read -r test kinds options; do
    # shellcheck disable=SC2086
    setsid -w "$REHEARSE" explore --keep-going --json --shared-files --save . --test "$test" $options "$verdict_binary" \
        >"$test.json" 2>"$test.err" </dev/null
    verdict_status=$?
    expect "$test" "$test" 1 '*' '*' "$kinds"
    grep -q 'check failed: !(gate->last == 2' "$test.json" || disagree "$test: the check beside it is lost"
    [ ! -s "$test.err" ] || disagree "$test says $(cat "$test.err")"
done <<END
group_kill check,crash
group_term check,crash
group_number check,crash
parent_kill check
parent_stop check
child check
daemon check
locks check
closes check,nondeterminism --undo verify
END

# Who was left has ended. One that was killed may wait for somebody to notice.
is_gone() {
    ! kill -0 "$1" 2>/dev/null || grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null || ! kill -0 "$1" 2>/dev/null
}
[ "$(wc -l <"$LEFT")" -gt 10 ] || disagree 'nobody was left'
while read -r process; do
    is_gone "$process" || {
        disagree "process $process is still there"
        kill -KILL "$process"
    }
done <"$LEFT"
verdict_end
