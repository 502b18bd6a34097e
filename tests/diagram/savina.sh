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
# The exact diagram of chameneos is written in parts, and is read again; the short one is an eighth of it.
verdict_count=$((verdict_count + 1))
compile_once "$SOURCE/subjects/savina/chameneos.c"
"$REHEARSE" diagram "$verdict_binary" --at-least exact --save . || disagree "chameneos: no exact diagram"
grep -q '^def ' small.diagram || disagree 'chameneos: the exact diagram has no parts' "$(cat small.diagram)"
"$REHEARSE" conform "$verdict_binary" --at-least exact small.diagram >said ||
    disagree 'chameneos: what is exact is not when it is read again' "$(cat said)"
[ "$(wc -l <small.diagram)" -lt 150 ] || disagree 'chameneos: the exact diagram is not short' "$(cat small.diagram)"
"$REHEARSE" diagram "$verdict_binary" >short.diagram
[ "$(wc -l <short.diagram)" -lt 20 ] || disagree 'chameneos: nobody reads this' "$(cat short.diagram)"
python3 "$SOURCE/tests/diagram/overlaps.py" ./*.svg >overlaps || disagree 'pictures with overlaps' "$(cat overlaps)"
verdict_end
