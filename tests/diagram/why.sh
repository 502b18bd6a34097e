#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# diagram --why and --where: which executions show an arrow, with a schedule that does when it is replayed, and where and
# when messages are sent.
. "$SOURCE/tests/cli/expect.bash"
for program in crew chooser; do
    cp "$SOURCE/tests/diagram/$program.c" .
    "$CC" -g -I"$SOURCE/include" $program.c -o $program "$LIBRARY" -ldw -lelf -ljansson -lm || exit 1
done

# shows SCHEDULE PROGRAM PATTERN...: the deliveries of the replayed schedule have these, one after the other.
shows() {
    schedule=$1 program=$2
    shift 2
    expect 0 "$REHEARSE" replay "./$program" "$schedule"
    sed -n 's/^ *[0-9]*  \([^ ]*\) *-> \([^ ]*\) *\([^ ]*\) .*/\1 -> \2: \3/p' "$capture/stdout" >deliveries
    line=0
    for pattern in "$@"; do
        found=$(awk -v from="$line" -v pattern="$pattern" 'NR > from && $0 ~ pattern { print NR; exit }' deliveries)
        [ -n "$found" ] || fail "$schedule does not show $pattern behind delivery $line: $(cat deliveries)"
        line=$found
    done
}

expect 0 "$REHEARSE" diagram ./crew --why 'worker[i] -> master: result'
says '^  in 6 of 6 executions, 3 times each$'
says '^  sent at crew.c:[0-9]+ upon work$'
says '^    3  worker\[1\] -> master: result$'
shows crew.why.schedule crew ': work$' ': result$'
expect 0 "$REHEARSE" diagram ./crew --why 'worker[3] -> master: result ; worker[1] -> master: result'
shows crew.why-1.schedule crew 'worker#3 .*: result$' 'worker#1 .*: result$'
shows crew.why-2.schedule crew 'worker#1 .*: result$' 'worker#3 .*: result$'
expect 0 "$REHEARSE" diagram ./crew --why 'worker[1] -> master: result | master -> client: response'
says '^  .master -> client: response. never before .worker\[1\] -> master: result.$'
expect 1 "$REHEARSE" diagram ./crew --why 'worker -> master: work'
says '^  in 0 of 6 executions$'
expect 4 "$REHEARSE" diagram ./crew --why 'worker -> master: work' --max-deliveries 10
says 'executions that were tried$'
refuses 2 '^rehearse: --why:1:8: expected ' "$REHEARSE" diagram ./crew --why 'master worker'
refuses 2 'has no actor nobody' "$REHEARSE" diagram ./crew --why 'nobody -> master: work'
refuses 2 'has no message play' "$REHEARSE" diagram ./crew --why 'worker -> master: play'
refuses 2 'takes one arrow' "$REHEARSE" diagram ./crew --why '[worker -> master: work]^2'
refuses 2 '.--set says which, not --vary' "$REHEARSE" diagram ./crew --why 'a -> b: c' --vary workers=1..2
refuses 2 'exclude each other' "$REHEARSE" diagram ./crew --why 'a -> b: c' --svg

# A choice of the handler is in the schedule; a field, a number and a choice tell when.
expect 0 "$REHEARSE" diagram ./chooser --why 'dice -> client[1]: lucky'
says '^  sent at chooser.c:[0-9]+ upon start with rh_choose = 2$'
grep -q '^choose 2 of 3$' shop.why.schedule || fail "the schedule does not have the choice"
shows shop.why.schedule chooser ': lucky$'
expect 0 "$REHEARSE" diagram ./chooser --where --save .
grep -q ': over .* upon question with amount = limit$' shop.diagram || fail "over: $(cat shop.diagram)"
grep -q ': third .* upon the 3rd question$' shop.diagram || fail "third: $(cat shop.diagram)"
grep -q '^#   outside -> dice: start .* chooser.c:[0-9]* at the start$' shop.diagram || fail "start: $(cat shop.diagram)"
expect 0 "$REHEARSE" conform ./chooser shop.diagram
expect 0 "$REHEARSE" diagram ./chooser --why 'server -> client: over'
says '^  sent at chooser.c:[0-9]+ upon question with amount = limit$'
expect 0 "$REHEARSE" diagram ./chooser --why 'server -> client: much'
says '^  sent at chooser.c:[0-9]+ upon question with amount >= 30$'
expect 0 "$REHEARSE" diagram ./crew --json
jq -e '[.. | objects | select(.kind? == "arrow")] | .[3].when == "upon the 3rd result" and (.[3].where | test("^crew.c:[0-9]+$"))' \
    "$capture/stdout" >/dev/null || fail "the JSON of diagram does not say where and when"
