#!/bin/sh
# SPDX-License-Identifier: MIT
# One diagram for several sizes of a program, inferred from small ones, has the grade of sizes.txt at these and at two
# larger ones; what is printed has it too when it is read again.
. "$SOURCE/tests/programs/verdict.shlib"

while read -r program test grade varied; do
    case $program in '' | '#'*) continue ;; esac
    compile_once "$SOURCE/subjects/savina/$program.c"
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" diagram "$verdict_binary" --test "$test" --vary "$varied" --save . ||
        disagree "$program $test $varied: diagram ends with status $?"
    [ "$(grep -c '(held out)$' "$test.diagram")" -eq 2 ] || grep -q '(held out): ' "$test.diagram" ||
        disagree "$program $test $varied: not two sizes are held out" "$(cat "$test.diagram")"
    "$REHEARSE" conform "$verdict_binary" --test "$test" --at-least "$grade" "$test.diagram" >said ||
        disagree "$program $test $varied: not $grade any more" "$(cat said)"
    if [ "$grade" != sound ] && grep 'held out' "$test.diagram" | grep -qv "# *$grade for\|exact for"; then
        disagree "$program $test $varied: not $grade at sizes that were held out" "$(cat "$test.diagram")"
    fi
    if grep -q unsound "$test.diagram"; then
        disagree "$program $test $varied: unsound somewhere" "$(cat "$test.diagram")"
    fi
done <"$SOURCE/tests/diagram/sizes.txt"
verdict_end
