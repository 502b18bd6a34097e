#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Recorded runs of a program on threads are compared with diagrams: of any length, and with the first delivery that
# differs.
. "$SOURCE/tests/cli/expect.bash"
for wrong in '' -DWRONG; do
    "$CC" -g $wrong -I"$SOURCE/include" "$SOURCE/tests/diagram/rally.c" -o rally$wrong "$LIBRARY" -ldw -lelf -ljansson -lm ||
        exit 1
done

# write NAME TIMES: a file with a diagram of so many rounds.
write() {
    cat >"$1.diagram" <<END
diagram rally =
    outside -> player: begin ;
    [ player -> partner: ball ; partner -> player: back ]^$2 ;
    player -> partner: over
END
}
write any '*'
write seven 7
write long 60000

REHEARSE_RECORD=seven.trace ./rally 7
expect 0 "$REHEARSE" conform seven.diagram seven.trace
says '^seven.trace: a run of 16 deliveries: conforms to rally$'
expect 0 "$REHEARSE" conform any.diagram ./rally seven.trace
REHEARSE_RECORD=three.trace ./rally 3
expect 1 "$REHEARSE" conform seven.diagram three.trace
says '^three.trace: a run of 8 deliveries: does not conform to rally$'
says 'with delivery 7, partner -> player: back, comes player -> partner: over, and the diagram expects player -> partner: ball$'
REHEARSE_RECORD=nine.trace ./rally 9
expect 1 "$REHEARSE" conform seven.diagram nine.trace --json
jq -e '.tests[0] | .grade == "unsound" and .configurations[0].schedule == "nine.trace"' "$capture/stdout" >/dev/null ||
    fail "the JSON of a run is not as it should be"
REHEARSE_RECORD=wrong.trace ./rally-DWRONG 7
expect 1 "$REHEARSE" conform any.diagram wrong.trace
says 'with delivery 10, player -> partner: ball, comes partner -> player: back, partner -> player: over, and the diagram'

# A run that is so long that what is left of the diagram is forgotten behind it, several times.
REHEARSE_RECORD=long.trace ./rally 60000
expect 0 "$REHEARSE" conform long.diagram long.trace
says 'a run of 120002 deliveries: conforms'
REHEARSE_RECORD=longer.trace ./rally 60001
expect 1 "$REHEARSE" conform long.diagram longer.trace
says 'with delivery 120001, partner -> player: back, comes player -> partner: ball, and the diagram expects'

# Which diagram is meant, and which program.
cat any.diagram >two.diagram
sed 's/diagram rally/diagram other/' any.diagram >>two.diagram
refuses 2 'has several diagrams, and none is called main' "$REHEARSE" conform two.diagram seven.trace
sed 's/diagram rally/diagram main/' any.diagram >>two.diagram
expect 0 "$REHEARSE" conform two.diagram seven.trace
says 'conforms to main$'
refuses 2 'which is not there any more|cannot read' "$REHEARSE" conform any.diagram ./missing seven.trace
