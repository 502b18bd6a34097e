#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Programs that do harm, each with an actor beside it whose check must be found nevertheless: hostile.txt. Each search
# ends by itself, and every finding is replayed.
. "$SOURCE/tests/programs/verdict.shlib"

if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer notices most of it first"
    exit 77
fi
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
    grep -q "check failed: !(gate->last == 2" row.json || disagree "$label: the check beside it is lost"
    [ -z "$text" ] || grep -q "$text" row.json || disagree "$label: nothing says '$text'" "$(cat row.json)"
    replay_findings "$label" row --hang-limit 200
done <"$here/hostile.txt"
verdict_end
