#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# Known states are left out in the same way however the search goes back: with undo, without, and with both compared,
# the same bytes. Over every test of every program that the other tests have, up to a bound, which is a larger one in
# tests/deep/states_undo.sh, where the subjects are searched with --states actors too.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/lib/modes.shlib"

# compare LABEL OPTIONS...: of $verdict_binary, up to $most deliveries in each test.
compare() {
    label=$1
    shift
    for states in $modes; do
        compare_modes "$label" "$verdict_binary" --reduction none --states "$states" --max-deliveries "$most" \
            --hang-limit 20 "$@" <<END
--undo on
--undo off : same
--undo verify : same
END
    done
}

# compare_each SOURCE: test by test, but for one: verify alone sees that strtok writes into the memory of the other actor.
compare_each() {
    for test in $("$REHEARSE" list "$verdict_binary" | sed 's/ .*//'); do
        [ "$test" = tokens_of_two ] || compare "${1##*/} $test" --test "$test"
    done
}

most=${STATES_MOST:-100}
modes='exact actors'
for source in "$SOURCE"/tests/engine/*.c "$SOURCE"/examples/*.c "$SOURCE"/tests/api/*.c; do
    case $source in
    # A part of another program; refused; with a library; needs a schedule; only waits.
    */shared_depot.c | */disagree_* | */early_* | */input.c | */slow.c) continue ;;
    */shared_main.c) compile_once "$source" "$SOURCE/tests/api/shared_depot.c" ;;
    *) compile_once "$source" ;;
    esac
    case $source in
    */libc_state.c) compare_each "$source" ;;
    *) compare "${source##*/}" ;;
    esac
done
most=${STATES_MOST:-50}
[ -n "${STATES_MOST:-}" ] || modes=exact
for source in "$SOURCE"/subjects/*/*.c; do
    case $source in
    */zmq/* | */threads/*) continue ;; # programs of another library, and components under threads
    esac
    compile_once "$source"
    compare "${source##*/}"
done
verdict_end
