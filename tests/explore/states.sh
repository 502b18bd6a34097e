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

explore() { # name, options...
    explore_name=$1
    shift
    "$REHEARSE" explore ./program --reduction none --keep-going --json --no-times --save . "$@" \
        >"$explore_name.json" 2>"$explore_name.err" </dev/null
    echo $? >"$explore_name.status"
}

for source in "$SOURCE"/examples/*.c "$SOURCE"/tests/api/*.c "$SOURCE"/tests/explore/chosen.c \
    "$SOURCE"/tests/thirdparty/sqlite_two.c; do
    case $source in *shared_*|*disagree_*|*input.c) continue ;; esac
    libs=
    case $source in *sqlite*) libs=-lsqlite3 ;; esac
    cc -g -w -I"$SOURCE/include" "$source" -o program -L"$BUILD" -lrehearse -ldw -lelf -ljansson \
        -lm $libs || exit 1
    for test in $("$REHEARSE" list ./program --json | grep -o '"test": "[^"]*"' | cut -d'"' -f4); do
        for order in fifo any; do
            verdict_count=$((verdict_count + 1))
            label="$(basename "$source") $test $order"
            explore none --test "$test" --delivery $order
            grep -q '"complete": true' none.json || continue
            for mode in exact actors; do
                explore $mode --test "$test" --delivery $order --states $mode --states-full
                explore off --test "$test" --delivery $order --states $mode --states-full --undo off
                cmp -s $mode.json off.json || disagree "$label: $mode with undo on and off differ"
                grep -q '"complete": true' $mode.json || disagree "$label: $mode: not complete" "$(head -n 3 $mode.err)"
                [ "$(cat none.status)" = "$(cat $mode.status)" ] || disagree "$label: $mode: exit status"
                [ "$(json_strings none.json kind | sort -u)" = "$(json_strings $mode.json kind | sort -u)" ] ||
                    disagree "$label: $mode: kinds of finding"
                [ "$(json_number $mode.json deliveries)" -le "$(json_number none.json deliveries)" ] ||
                    disagree "$label: $mode: more deliveries"
            done
        done
    done
done
verdict_end
