#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# Known states are left out in the same way however the search goes back: with undo, without, and with both compared,
# the same bytes. Over every test of every program that the other tests have, up to a bound. tests/deep/states_undo.sh has a
# larger one and all three ways everywhere, and there the subjects are searched with --states actors too.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/lib/modes.shlib"

without='--undo off : same'
both='--undo verify : same'
all="$without
$both"

# compare_ways STATES WAYS LABEL OPTIONS...: of $verdict_binary, up to $most deliveries in each test.
compare_ways() {
    states=$1
    ways=$2
    label=$3
    shift 3
    compare_modes "$label" "$verdict_binary" --reduction none --states "$states" --max-deliveries "$most" \
        --hang-limit "${hang_limit:-20}" "$@" <<END
--undo on
$ways
END
}

# compare LABEL OPTIONS...: what is undone does not depend on how states are compared, so that one of these has all ways.
compare() {
    compare_ways exact "$all" "$@"
    if [ -n "${STATES_MOST:-}" ]; then
        compare_ways actors "$all" "$@"
    else
        compare_ways actors "$without" "$@"
    fi
}

# compare_each SOURCE: test by test, but for one: verify alone sees that strtok writes into the memory of the other actor.
compare_each() {
    for test in $("$REHEARSE" list "$verdict_binary" | sed 's/ .*//'); do
        [ "$test" = tokens_of_two ] || compare "${1##*/} $test" --test "$test"
    done
}

most=${STATES_MOST:-100}
for source in "$SOURCE"/tests/engine/*.c "$SOURCE"/examples/*.c "$SOURCE"/tests/api/*.c; do
    case $source in
    # A part of another program; refused; with a library; needs a schedule; only waits.
    */shared_depot.c | */disagree_* | */early_* | */input.c | */slow.c) continue ;;
    # Seems to hang; tests/engine/slow_start.sh is about it.
    */slow_start.c) [ -n "${STATES_MOST:-}" ] || continue ;;
    esac
    case $source in
    */shared_main.c) compile_once "$source" "$SOURCE/tests/api/shared_depot.c" ;;
    *) compile_once "$source" ;;
    esac
    case $source in
    */libc_state.c) compare_each "$source" ;;
    # Its handlers start processes, which takes as long as the machine likes.
    */beside.c) hang_limit=5000 compare "${source##*/}" ;;
    *) compare "${source##*/}" ;;
    esac
done
most=${STATES_MOST:-50}
for source in "$SOURCE"/subjects/*/*.c; do
    case $source in
    */zmq/* | */threads/*) continue ;; # programs of another library, and components under threads
    esac
    compile_once "$source"
    if [ -n "${STATES_MOST:-}" ]; then
        compare "${source##*/}"
    else
        compare_ways exact "$both" "${source##*/}"
    fi
done
verdict_end
