#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 120
# --shortest: the errors of shortest.c with as few deliveries as there are, however the search is reduced.
. "$SOURCE/tests/programs/verdict.shlib"

compile_once "$SOURCE/tests/explore/shortest.c"

# lengths: of the errors in run.json, in ascending order.
lengths() {
    awk '$1 == "\"severity\":" { is_error = $2 ~ /error/ }
        $1 == "\"steps\":" && is_error {
            for (i = ++count; i > 1 && length_of[i - 1] > $2 + 0; i--)
                length_of[i] = length_of[i - 1]
            length_of[i] = $2 + 0
        }
        END { for (i = 1; i <= count; i++) printf "%d ", length_of[i] }' run.json
}

# shortest TEST LENGTH [ALL]: the one error, and those with --keep-going.
shortest() {
    for reduction in none source optimal dcute; do
        for undo in on off verify; do
            verdict_count=$((verdict_count + 1))
            label="$1 --reduction $reduction --undo $undo"
            explore_json run --shortest --reduction $reduction --undo $undo --test "$1" "$verdict_binary"
            [ "$(lengths)" = "$2 " ] || disagree "$label: lengths $(lengths)"
            [ "$(json_strings run.json stopped_by)" = finding ] || disagree "$label: not stopped by the finding"
            grep -q 'no execution with fewer deliveries shows an error' run.json || disagree "$label: no proof"
            "$REHEARSE" replay --json "$verdict_binary" "run.saved/$1.schedule" >replay.json 2>replay.err
            [ $? = 1 ] || disagree "$label: the schedule does not replay" "$(cat replay.err)"
            explore_json run --shortest --keep-going --reduction $reduction --undo $undo --test "$1" "$verdict_binary"
            [ "$(lengths)" = "${3:-$2} " ] || disagree "$label --keep-going: lengths $(lengths)"
            grep -q 'no execution with fewer deliveries shows one of these errors' run.json ||
                disagree "$label --keep-going: no proof"
        done
    done
}
shortest after_noise 1
shortest crash_after_noise 1
shortest relayed 2
# `second` fails if it is not the first of three, and if it is, `first` fails as the third.
shortest two_errors 2 '2 3'
# The probe is on its way and the gate turned.
shortest in_a_guard 2
# Of turn with no pass, one of noise.
shortest at_the_end 3
shortest seen_together 2
shortest at_once 0

# Without it the first is taken, with all that was delivered before.
explore_json run --reduction optimal --test after_noise "$verdict_binary"
[ "$(lengths)" = '4 ' ] || disagree "after_noise without --shortest: lengths $(lengths)"
# A search that was stopped knows less.
explore_json run --shortest --reduction none --max-executions 1 --test after_noise "$verdict_binary"
[ "$(lengths)" = '4 ' ] && grep -q 'there may be an execution with fewer deliveries' run.json ||
    disagree "after_noise --max-executions 1: lengths $(lengths)"
# Nothing to be found is as without it.
explore_json run --shortest --reduction none --test nothing "$verdict_binary"
expect nothing run 0 6 15 -
[ "$(json_number run.json complete)" = true ] || disagree 'nothing: not complete'
! grep -q 'fewer deliveries' run.json || disagree 'nothing: a note'
# Executions are not run beyond the length of an error: first the one of four deliveries, then beginnings of it.
explore_json run --shortest --reduction none --test after_noise "$verdict_binary"
[ "$(json_number run.json deliveries)" -lt 40 ] || disagree 'after_noise: executions are not cut'

# Every subject that plain enumeration completes: of each kind of error the same length.
if [ -z "${SANITIZE:-}" ]; then
    for source in "$SOURCE"/subjects/mini/*.c "$SOURCE"/subjects/basset/*.c; do
        compile_once "$source"
        for test in $("$REHEARSE" list --json "$verdict_binary" | grep -o '"test": "[^"]*"' | cut -d'"' -f4); do
            for reduction in none source optimal dcute; do
                explore_json run --shortest --keep-going --max-executions 3000 --max-length 200 --reduction $reduction \
                    --test "$test" "$verdict_binary"
                [ $reduction != none ] || plain=$(lengths)
                [ $reduction != none ] || [ "$(json_number run.json complete)" = true ] && [ -n "$plain" ] || break
                verdict_count=$((verdict_count + 1))
                [ "$(lengths)" = "$plain" ] ||
                    disagree "${source##*/} $test --reduction $reduction: lengths $(lengths), plain $plain"
            done
        done
    done
    compile_once "$SOURCE/tests/explore/shortest.c"
fi

# A search that goes on with states by itself claims nothing.
"$REHEARSE" explore --shortest --no-shrink "$SOURCE/tests/explore/shortest_endless.c" >endless.out
grep -q 'there may be an execution with fewer deliveries' endless.out ||
    disagree 'shortest_endless.c: claims that there is no shorter one' "$(grep note: endless.out)"

refuses() {
    "$REHEARSE" explore --shortest "$@" "$verdict_binary" >/dev/null 2>usage.err
    [ $? = 2 ] && grep -q -e '--shortest' usage.err || disagree "--shortest $* is accepted"
}
refuses --states exact
refuses --reduction source --commuting
verdict_end
