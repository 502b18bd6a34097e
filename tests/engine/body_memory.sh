#!/bin/sh
# SPDX-License-Identifier: MIT
# What handlers write into memory that the test's body has allocated or mapped is put back, compared, and ties those
# together who use it: every way of searching says the same.
. "$SOURCE/tests/programs/verdict.shlib"
compile_once "$SOURCE/tests/engine/body_memory.c"

# Under a sanitizer what malloc gave is not watched, so states can't be compared, and all that was allocated ties.
if [ -n "${SANITIZE:-}" ]; then
    for test in one three mapped; do
        for reduction in none source optimal dcute; do
            explore_json run --keep-going --test $test --reduction $reduction "$verdict_binary"
            expect "$test $reduction" run 1 '*' '*' check
            explore_json run --keep-going --test ${test}_holds --reduction $reduction "$verdict_binary"
            expect "${test}_holds $reduction" run 0 '*' '*' -
        done
    done
    verdict_end
    exit
fi

for test in one three mapped mapped_shared attached unmapped; do
    for name in $test ${test}_holds; do
        case $name in
        unmapped) continue ;;
        *_holds) status=0 kinds=- ;;
        *) status=1 kinds=check ;;
        esac
        for options in '--reduction none' '--reduction none --undo off' '--reduction none --undo verify' \
            '--reduction source' '--reduction optimal' '--reduction optimal --undo off' '--reduction dcute' \
            '--states exact' '--states exact --reduction source' '--states actors'; do
            # shellcheck disable=SC2086
            explore_json run --keep-going --census --test "$name" $options "$verdict_binary"
            expect "$name $options" run $status '*' '*' "$kinds"
            [ "$(json_number run.json complete)" = true ] || disagree "$name $options: not complete"
            case $options in
            *states*) ;;
            *) final="$(json_number run.json final_states) $(json_strings run.json final_states_digest)" ;;
            esac
            [ "$options" != '--reduction none' ] || first=$final
            [ "$final" = "$first" ] || disagree "$name $options: other final states than plain enumeration"
        done
    done
done

explore_json run --reduction optimal --test only_read "$verdict_binary"
expect only_read run 0 1 3 -
verdict_end
