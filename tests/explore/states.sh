#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# --states exact and actors on every example and API test, and on chosen.c, if plain enumeration completes it: the same
# findings, complete, in no more deliveries; and with --undo off the same bytes. To begin anew with two databases each time
# takes long, and each sender sends each of them one message, so that any order is one of fifo; tests/deep/states.sh has both.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/lib/modes.shlib"

cat >all <<END
--states none
--states exact --states-full : findings
--states exact --states-full --undo off : same
--states actors --states-full : findings
--states actors --states-full --undo off : same
END
grep -v -- '--undo off' all >undone
for source in "$SOURCE"/examples/*.c "$SOURCE"/tests/api/*.c "$SOURCE"/tests/explore/chosen.c \
    "$SOURCE"/tests/thirdparty/sqlite_two.c; do
    case $source in *shared_* | *disagree_* | *input.c) continue ;; esac
    compile_once "$source"
    modes=all
    orders='fifo any'
    case $source in */sqlite_two.c) [ -n "${STATES_ALL:-}" ] || modes=undone orders=fifo ;; esac
    for order in $orders; do
        compare_modes "${source##*/} $order" "$verdict_binary" --reduction none --delivery $order --max-executions 10000 <"$modes"
    done
done
verdict_end
