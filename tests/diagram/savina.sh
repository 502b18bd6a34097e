#!/bin/sh
# SPDX-License-Identifier: MIT
# Diagrams of the programs of Savina have the grades of savina.txt, and what was printed conforms when it is read again.
. "$SOURCE/tests/programs/verdict.shlib"

while read -r program test grade; do
    case $program in '' | '#'*) continue ;; esac
    compile_once "$SOURCE/subjects/savina/$program.c"
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" diagram "$verdict_binary" --test "$test" >found.diagram || disagree "$program $test: diagram ends with status $?"
    "$REHEARSE" conform "$verdict_binary" --test "$test" --at-least "$grade" found.diagram >said ||
        disagree "$program $test: not $grade any more" "$(cat said)"
done <"$SOURCE/tests/diagram/savina.txt"
verdict_end
