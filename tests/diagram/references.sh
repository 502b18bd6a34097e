#!/bin/sh
# SPDX-License-Identifier: MIT
# Diagrams of programs of Savina that were written by hand hold at all sizes that they name, with the grade of
# references.txt. Where such a diagram and the inferred one (savina.txt) are both exact, they say the same: so it is for at
# least 17 programs, beside the three of protocols.sh.
. "$SOURCE/tests/programs/verdict.shlib"

while read -r program test grade; do
    case $program in '' | '#'*) continue ;; esac
    compile_once "$SOURCE/subjects/savina/$program.c"
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" conform "$verdict_binary" --test "$test" --at-least "$grade" \
        "$SOURCE/tests/diagram/references/savina/$program.diagram" >said ||
        disagree "$program $test: the reference is not $grade" "$(cat said)"
done <"$SOURCE/tests/diagram/references.txt"
awk '$3 == "exact"' "$SOURCE/tests/diagram/references.txt" "$SOURCE/tests/diagram/savina.txt" | sort | uniq -d |
    cut -d ' ' -f 1 | sort -u >equal
[ "$(wc -l <equal)" -ge 17 ] || disagree 'fewer programs whose reference is what is inferred' "$(cat equal)"
verdict_end
