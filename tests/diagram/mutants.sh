#!/bin/sh
# SPDX-License-Identifier: MIT
# Diagrams of programs with one small change (a part dropped, doubled or moved, another operator, other bounds): those with
# another language, by plain enumeration, are not exact, and those with the same are. MUTANTS_ALL makes more of them.
. "$SOURCE/tests/programs/verdict.shlib"
each=6
[ -z "${MUTANTS_ALL:-}" ] || each=40

${CC:-cc} -std=gnu17 -g -O1 -D_GNU_SOURCE -I"$SOURCE/src" -I"$SOURCE/include" -I"$SOURCE/tests" \
    "$SOURCE/tests/diagram/mutate.c" -o mutate "$LIBRARY" -ldw -lelf -ljansson -lm || exit 1

diagrams=0 same=0 other=0 refused=0
# mutants PROGRAM SOURCE TEST: of the diagram that is inferred, which is exact.
mutants() {
    compile_once "$2"
    "$REHEARSE" diagram "$verdict_binary" --test "$3" --at-least exact --save . >/dev/null || return 0
    ./mutate "$3.diagram" "$each" mutants.diagram verdicts || disagree "$1 $3: mutate fails"
    [ -s verdicts ] || return 0
    diagrams=$((diagrams + 1))
    verdict_count=$((verdict_count + $(wc -l <verdicts)))
    "$REHEARSE" conform "$verdict_binary" mutants.diagram >said 2>errors
    # One line for each of the diagrams.
    grep -o ': \(conforms\|does not conform\|unknown\) ([a-z-]*' said | sed 's/.*(//' >grades
    if [ "$(wc -l <grades)" -ne "$(wc -l <verdicts)" ]; then
        disagree "$1 $3: not each mutant has a grade" "$(cat errors)"
        return 0
    fi
    paste -d ' ' verdicts grades >both
    same=$((same + $(grep -c '^same' both)))
    other=$((other + $(grep -c '^other' both)))
    refused=$((refused + $(grep '^other' both | grep -vc ' exact$')))
    if grep '^same' both | grep -qv ' exact$'; then
        disagree "$1 $3: a diagram of the same language is refused" "$(cat both mutants.diagram said)"
    fi
}

while read -r program test grade; do
    case $program in '' | '#'*) continue ;; esac
    [ "$grade" != exact ] || mutants "$program" "$SOURCE/subjects/savina/$program.c" "$test"
done <"$SOURCE/tests/diagram/savina.txt"
mutants tcp "$SOURCE/subjects/protocols/tcp.c" connection
mutants sip "$SOURCE/subjects/protocols/sip.c" taken
mutants sip "$SOURCE/subjects/protocols/sip.c" taken_or_declined
mutants master_worker "$SOURCE/subjects/protocols/master_worker.c" crew
echo "$diagrams diagrams; $same mutants with the same language, $other with another, of which $refused are refused"
[ "$diagrams" -ge 20 ] || disagree "only $diagrams diagrams have mutants"
[ "$same" -gt 0 ] || disagree 'no mutant has the same language'
[ $((refused * 100)) -ge $((other * 99)) ] || disagree "$refused of $other are refused"
verdict_end
