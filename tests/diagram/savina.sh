#!/bin/sh
# SPDX-License-Identifier: MIT
# Diagrams of the programs of Savina have the grades of savina.txt, what was printed conforms when it is read again, and in
# their pictures nothing overlaps.
. "$SOURCE/tests/programs/verdict.shlib"

while read -r program test grade; do
    case $program in '' | '#'*) continue ;; esac
    compile_once "$SOURCE/subjects/savina/$program.c"
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" diagram "$verdict_binary" --test "$test" --save . --svg || disagree "$program $test: diagram ends with status $?"
    mv "$test.svg" "$program-$test.svg"
    "$REHEARSE" conform "$verdict_binary" --test "$test" --at-least "$grade" "$test.diagram" >said ||
        disagree "$program $test: not $grade any more" "$(cat said)"
done <"$SOURCE/tests/diagram/savina.txt"
python3 "$SOURCE/tests/diagram/overlaps.py" ./*.svg >overlaps || disagree 'pictures with overlaps' "$(cat overlaps)"
verdict_end
