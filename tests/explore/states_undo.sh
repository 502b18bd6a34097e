#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# Known states are left out in the same way however the search goes back: with undo, without, and with both compared,
# the same bytes. Over every test of every program that the other tests have, up to a bound, which is a larger one in
# tests/deep/states_undo.sh.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"

# search UNDO OPTIONS...: leaves UNDO.json.
search() {
    search_undo=$1
    shift
    "$REHEARSE" explore --keep-going --no-shrink --json --no-times --save . --reduction none --undo "$search_undo" "$@" \
        "$verdict_binary" >"$search_undo.json" 2>"$search_undo.err" </dev/null
    echo "status $?" >>"$search_undo.json"
}

# compare LABEL OPTIONS...
compare() {
    label=$1
    shift
    verdict_count=$((verdict_count + 1))
    search on "$@"
    grep -q '^status [01]$' on.json || disagree "$label" "$(head -n 3 on.err)"
    for undo in off verify; do
        search $undo "$@"
        cmp -s on.json $undo.json ||
            disagree "$label: --undo on and $undo differ" "$(diff on.json $undo.json | head -n 6)"
    done
}

# compare_program MOST SOURCE...: all its tests at once, up to MOST deliveries in each.
compare_program() {
    most=$1
    shift
    compile_once "$@"
    for mode in exact actors; do
        compare "$(basename "$1") $mode" --states $mode --max-deliveries "$most" --hang-limit 300
    done
}

# compare_each MOST SOURCE: test by test, but for one: verify alone sees that strtok writes into the memory of the other
# actor.
compare_each() {
    compile_once "$2"
    for test in $("$REHEARSE" list "$verdict_binary" | sed 's/ .*//'); do
        [ "$test" != tokens_of_two ] || continue
        for mode in exact actors; do
            compare "$(basename "$2") $test $mode" --test "$test" --states $mode --max-deliveries "$1" --hang-limit 300
        done
    done
}

most=${STATES_MOST:-300}
for source in "$SOURCE"/tests/engine/*.c "$SOURCE"/examples/*.c "$SOURCE"/tests/api/*.c; do
    case $source in
    */shared_main.c) compare_program "$most" "$source" "$SOURCE/tests/api/shared_depot.c" ;;
    */shared_depot.c|*/disagree_*|*/early_*|*/input.c) ;; # a part of another program; refused; with a library; needs a schedule
    */libc_state.c) compare_each "$most" "$source" ;;
    *) compare_program "$most" "$source" ;;
    esac
done
most=${STATES_MOST:-100}
for source in "$SOURCE"/subjects/*/*.c; do
    case $source in
    */zmq/*) ;; # programs of another library
    *) compare_program "$most" "$source" ;;
    esac
done
verdict_end
