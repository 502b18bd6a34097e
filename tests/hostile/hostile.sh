#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Programs that do harm, each with an actor beside it whose check must be found nevertheless: hostile.txt. Each search
# ends by itself, and every finding is replayed. What is done to processes stays in its execution: signals do not reach the
# search, and nobody outlives it.
. "$SOURCE/tests/programs/verdict.shlib"

if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer notices most of it first"
    exit 77
fi
# In a session of its own, so that a signal that gets out ends this test and not the others; and without descriptors of
# whoever runs it, to which programs would write.
[ -n "${HOSTILE_SESSION:-}" ] || HOSTILE_SESSION=own exec setsid -w bash -c '
    for file in /proc/$$/fd/*; do
        [ "${file##*/}" -lt 3 ] || eval "exec ${file##*/}>&-"
    done
    exec "$0"' "$0"
LEFT=$PWD/left
export LEFT
: >"$LEFT"
here=$SOURCE/tests/hostile
set -f
while IFS= read -r line; do
    line=${line%%#*}
    case $line in
    *:*:*) ;;
    *) continue ;;
    esac
    label=$(echo ${line%%:*})
    expected=${line#*:}
    text=$(echo ${expected#*:})
    read_words "$here" $label
    compile_once $programs
    explore_json row --keep-going --hang-limit 200 $options "$verdict_binary"
    set -- ${expected%%:*}
    expect "$label" row "$1" '*' '*' "$2"
    [ "$(head -n 1 row.json)$(tail -n 1 row.json)" = '{}' ] || disagree "$label: no JSON" "$(cat row.json)"
    [ ! -s row.err ] || disagree "$label says $(cat row.err)"
    grep -q "check failed: !(gate->last == 2" row.json || disagree "$label: the check beside it is lost"
    [ -z "$text" ] || grep -q "$text" row.json || disagree "$label: nothing says '$text'" "$(cat row.json)"
    # Two executions that differ are no one's to replay.
    case $2 in *nondeterminism*) ;; *) replay_findings "$label" row --hang-limit 200 ;; esac
done <"$here/hostile.txt"

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
