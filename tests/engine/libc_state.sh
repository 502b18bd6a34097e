#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# What actors share inside of libc is neither undone nor left out of a reduction, and no two states are taken for one
# because of it: every mode finds the same.
. "$SOURCE/tests/programs/verdict.shlib"

compile_once "$SOURCE/tests/engine/libc_state.c"
[ -n "$verdict_binary" ] || exit 1

# all_modes TEST STATUS EXECUTIONS KINDS
all_modes() {
    while read -r executions mode; do
        case "${SANITIZE:-}$mode" in
        [!-]*states*) continue ;; # needs our malloc
        esac
        # shellcheck disable=SC2086
        explore_json found "$verdict_binary" --test "$1" --keep-going $mode
        expect "$1 $mode" found "$2" "$executions" '*' "$4"
    done <<MODES
$3 --undo on
$3 --undo off
$3 --undo verify
* --reduction source
* --reduction source --undo verify
* --reduction optimal
* --reduction dcute
* --states exact
* --states exact --reduction source
* --states actors
MODES
}

# costs_nothing TEST: the reduction needs one execution, and nothing was run again.
costs_nothing() {
    explore_json found "$verdict_binary" --test "$1" --reduction source
    expect "$1 alone" found 0 1 '*' -
    ! grep -q 'undone' found.json || disagree "$1: not free" "$(grep undone found.json)"
}

while IFS=' :' read -r test status executions kinds word; do
    case $test in
    '' | '#'*) continue ;;
    esac
    if [ "$word" = verify ]; then
        explore_json found "$verdict_binary" --test "$test" --keep-going --undo verify
        expect "$test" found "$status" "$executions" '*' "$kinds"
        continue
    fi
    all_modes "$test" "$status" "$executions" "$kinds" </dev/null
    [ "$word" != free ] || costs_nothing "$test" </dev/null
done <"$SOURCE/tests/engine/libc_state.txt"
verdict_end
