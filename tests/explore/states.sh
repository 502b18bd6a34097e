#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 600
# --states exact and actors on every example and API test, and on chosen.c, if plain enumeration completes it: the same kinds of
# finding, complete, in no more deliveries; and with --undo off the same numbers.
set -euo pipefail
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
set +e
cd "$TMPDIR"

# explore NAME OPTIONS...: leaves NAME.json; sets explored to the status and the kinds of findings, and deliveries.
explore() {
    explore_name=$1
    shift
    "$REHEARSE" explore "$verdict_binary" --reduction none --keep-going --json --no-times --save . "$@" \
        >"$explore_name.json" 2>"$explore_name.err" </dev/null
    explored=$?
    read -r _ deliveries kinds <<<"$(json_summary "$explore_name.json")"
    explored="$explored $kinds"
}

for source in "$SOURCE"/examples/*.c "$SOURCE"/tests/api/*.c "$SOURCE"/tests/explore/chosen.c \
    "$SOURCE"/tests/thirdparty/sqlite_two.c; do
    case $source in *shared_*|*disagree_*|*input.c) continue ;; esac
    compile_once "$source"
    for test in $("$REHEARSE" list "$verdict_binary" | sed 's/ .*//'); do
        for order in fifo any; do
            verdict_count=$((verdict_count + 1))
            label="$(basename "$source") $test $order"
            explore none --test "$test" --delivery $order
            grep -q '"complete": true' none.json || continue
            plain=$explored most=$deliveries
            for mode in exact actors; do
                explore off --test "$test" --delivery $order --states $mode --states-full --undo off
                explore $mode --test "$test" --delivery $order --states $mode --states-full
                cmp -s $mode.json off.json || disagree "$label: $mode with undo on and off differ"
                grep -q '"complete": true' $mode.json || disagree "$label: $mode: not complete" "$(head -n 3 $mode.err)"
                [ "$explored" = "$plain" ] || disagree "$label: $mode: $explored, not $plain"
                [ "$deliveries" -le "$most" ] || disagree "$label: $mode: more deliveries"
            done
        done
    done
done
verdict_end
