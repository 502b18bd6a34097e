#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The verbs diagram and conform as users meet them: grades, the first difference, exit statuses, and diagrams that
# can't be read.
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE/tests/diagram/crew.c" .
"$CC" -g -I"$SOURCE/include" crew.c -o crew "$LIBRARY" -ldw -lelf -ljansson -lm || exit 1
crew=./crew

# write NAME DIAGRAM: a file with a diagram of the test crew.
write() {
    printf 'diagram crew =\n    %s\n' "$2" >"$1.diagram"
}

expect 0 "$REHEARSE" diagram "$crew"
says '^# .*crew.*: test crew: exact \('
says 'all i in 1\.\.3 \{'
expect 0 "$REHEARSE" diagram "$crew" --save .
[ -s crew.diagram ] || fail "--save has written no diagram"
expect 0 "$REHEARSE" conform crew.diagram "$crew" --at-least exact
says ': test crew, workers = 3: conforms \(exact\)$'
expect 0 "$REHEARSE" conform "$crew" crew.diagram
expect 0 ./crew conform crew.diagram

start='outside -> master: request'
worker='master -> worker[i]: work ; worker[i] -> master: result'
end='master -> client: response'
all="$start ; all i in 1..3 { $worker } ; $end"

# Pictures, machines of actors, and JSON.
expect 0 "$REHEARSE" diagram "$crew" --mermaid
says '^sequenceDiagram$'
says '^    par all i in 1\.\.3$'
says '^        p1->>p2: work$'
expect 0 "$REHEARSE" diagram "$crew" --plantuml --vary workers=1..4
says '^par all i in 1\.\.workers$'
says '^p1 -> p3 : response$'
expect 0 "$REHEARSE" diagram "$crew" --svg --save .
[ "$(grep -c '<text' crew.svg)" -eq 9 ] || fail "crew.svg has not four names, four arrows and a box"
expect 0 "$REHEARSE" diagram "$crew" --actor 'worker[2]'
says '^    s0 -> s1 \[label="work from master\\n/ result to master"\];$'
[ "$(grep -c 'shape=doublecircle' "$capture/stdout")" -eq 1 ] || fail "the worker's machine has not one end"
refuses 2 'has no actor worker; if there are several' "$REHEARSE" diagram "$crew" --actor worker
refuses 2 'exclude each other' "$REHEARSE" diagram "$crew" --svg --json
refuses 2 '.--set says which, not --vary' "$REHEARSE" diagram "$crew" --actor master --vary workers=1..2
expect 0 "$REHEARSE" diagram "$crew" --json --vary workers=1..4
jq -e '.tests[0] | .grade == "exact" and (.configurations | length) == 6 and .configurations[5].held_out and
    .tree.parts[1].last == "workers"' "$capture/stdout" >/dev/null || fail "the JSON of diagram is not as it should be"
jq -r '.tests[0].diagram' "$capture/stdout" >again.diagram
expect 0 "$REHEARSE" conform "$crew" again.diagram --json
jq -e '[.tests[].configurations[].values.workers] == [1, 2, 3, 4] and .verb == "conform"' "$capture/stdout" >/dev/null ||
    fail "the JSON of conform is not as it should be"

# What has changed.
expect 0 "$REHEARSE" diagram "$crew" --diff crew.diagram
says ': test crew: as in crew.diagram$'
sed 's/response/reply/' crew.diagram >old.diagram
expect 1 "$REHEARSE" diagram "$crew" --diff old.diagram
says '^  new message: master -> client: response$'
says '^  no longer sent: master -> client: reply$'
says '^  new: with delivery 7, .* comes master -> client: response, and the diagram expects master -> client: reply$'
sed 's/master -> client: response/(master -> client: response (+) skip)/' crew.diagram >old.diagram
expect 1 "$REHEARSE" diagram "$crew" --diff old.diagram
says '^  no longer: after .* deliveries the diagram also allows .*, upon which comes nothing$'
expect 4 "$REHEARSE" diagram "$crew" --diff old.diagram --max-deliveries 10
sed 's/diagram crew/diagram other/' crew.diagram >old.diagram
refuses 2 'old.diagram has no diagram of test crew' "$REHEARSE" diagram "$crew" --diff old.diagram
refuses 2 '.--diff looks at one configuration' "$REHEARSE" diagram "$crew" --diff old.diagram --vary workers=1..2

# What a diagram allows too much, and what it does not allow.
write loose "$start ; (all i in 1..3 { $worker } ; ($end (+) skip))"
expect 0 "$REHEARSE" conform "$crew" loose.diagram
says 'conforms \(order-exact\)$'
says 'also allows .*, upon which comes nothing$'
expect 1 "$REHEARSE" conform "$crew" loose.diagram --at-least exact
write unused "$start ; all i in 1..3 { $worker } ; ($end (+) (master -> client: request))"
expect 0 "$REHEARSE" conform "$crew" unused.diagram
says 'conforms \(sound\)$'
write four "$start ; all i in 1..4 { $worker } ; $end"
expect 1 "$REHEARSE" conform "$crew" four.diagram
says 'does not conform \(unsound\)$'
says '  saved: crew.schedule$'
expect 0 "$REHEARSE" replay "$crew" crew.schedule
write ordered "$start ; for i in 1..3 { $worker } ; $end"
expect 1 "$REHEARSE" conform "$crew" ordered.diagram
says 'with delivery 1, outside -> master: request, comes .*, and the diagram expects master -> worker\[1\]: work$'
write short "$start ; all i in 1..3 { $worker }"
expect 1 "$REHEARSE" conform "$crew" short.diagram
says 'with delivery 7, .*, comes master -> client: response, and the diagram expects nothing$'
write long "$all ; client -> master: result"
expect 1 "$REHEARSE" conform "$crew" long.diagram
write pipelined "$start ; for~ i in 1..3 { $worker } ; $end"
expect 1 "$REHEARSE" conform "$crew" pipelined.diagram

# The same in other words.
write grouped "$start ; (all i in 2..3 { $worker } | master -> worker[1]: work ; worker[1] -> master: result) ; $end"
expect 0 "$REHEARSE" conform "$crew" grouped.diagram --at-least exact
write commented "$all # and that is all"
expect 0 "$REHEARSE" conform "$crew" commented.diagram --at-least exact

# refused PLACE PATTERN DIAGRAM: can't be read, or not for this program.
refused() {
    write refused "$3"
    refuses 2 "^rehearse: refused.diagram:$1: $2" "$REHEARSE" conform "$crew" refused.diagram
}
refused 2:5 "expected an actor, not ';'" ';'
refused 2:32 "expected ';', '~', '\|', '\(\+\)' or the end, not 'x'" "$start x"
refused 3:1 'expected an actor, but the diagram ends here' "$start ;"
refused 2:13 "expected '->', 'asks', 'answers', 'sets' or 'loses', not '-'" 'outside - master: request'
refused 2:34 "expected '\]\^', '\]~' or '\]\|' and how many times, not '\]'" "[ $start ]"
refused 2:5 'there are 3 actors worker: say which, as worker\[1\]' 'worker -> master: result'
refused 2:5 'n has no value: it is neither an index nor a parameter of the test' "[$start]^n"
refused 2:5 'a loop can.t go round -1 times' "[$start]^(2 - 3)"
refused 2:5 'this number can.t be computed' "[$start]^(2 / 0)"
refused 2:5 "expected an actor, not '.*'" "$(printf '\001')"
refused 2:34 "expected a number up to 2147483647, not '99999999999'" "[$start]^99999999999"
refused 2:506 'expected fewer parentheses within each other' "$(printf '%600s' '' | tr ' ' '(')"
# Parts.
parted() {
    printf '%s\ndiagram crew =\n    %s\n' "$2" "$3" >"$1.diagram"
}
parted parts 'def job(i) = master -> worker[i]: work ; worker[i] -> master: result' \
    "$start ; (job(1) | job(1 + 1) | job(3)) ; $end"
expect 0 "$REHEARSE" conform "$crew" parts.diagram --at-least exact
parted chain 'def jobs(i) = (master -> worker[i]: work ; worker[i] -> master: result | jobs(i)) (+) skip' "$start ; jobs(1)"
refuses 2 'chain.diagram:1:[0-9]+: the definition jobs comes back to itself before anything is sent' "$REHEARSE" conform "$crew" chain.diagram
# A part that calls itself ends where there are no more workers.
parted chain 'def jobs(i) = master -> worker[i]: work ; worker[i] -> master: result (+)
    master -> worker[i]: work ; worker[i] -> master: result ; jobs(i + 1)' "$start ; jobs(1) ; $end"
expect 1 "$REHEARSE" conform "$crew" chain.diagram
says 'comes .*, and the diagram expects master -> worker\[1\]: work'
expect 0 "$REHEARSE" conform "$crew" chain.diagram --set workers=1
says 'conforms \(exact\)$'
parted called 'def one(i) = worker[i] -> master: result (+) two(i)  def two(i) = master -> worker[i]: work ; one(i)' \
    "$start ; all i in 1..3 { two(i) } ; $end"
# That another `work` could follow is no way: the master would have to receive something before.
expect 0 "$REHEARSE" conform "$crew" called.diagram --at-least exact
# refused_part PLACE PATTERN DEFINITIONS DIAGRAM
refused_part() {
    parted refused "$3" "$4"
    refuses 2 "^rehearse: refused.diagram:$1: $2" "$REHEARSE" conform "$crew" refused.diagram
}
refused_part 3:5 'there is no definition jobs' '' 'jobs(1)'
refused_part 3:5 'job has 1 parameters, not 2' 'def job(i) = skip' 'job(1, 2)'
refused_part 2:29 "expected a name that no definition before has, not 'job'" 'def job(i) = skip
    def other(i) = skip def job(i) = skip' 'job(1)'
refused_part 1:9 "expected a parameter, not '1'" 'def job(1) = skip' 'job(1)'
refused_part "1:[0-9]+" 'j has no value' 'def job(i) = master -> worker[j]: work' 'job(1)'
refused_part "[0-9]:[0-9]+" 'up calls itself with more than 5000 different numbers' \
    'def up(i) = master -> worker[1]: work ; up(i + 1)' 'up(1)'

write other "$all"
sed -i 's/diagram crew/diagram others/' other.diagram
refuses 2 'other.diagram has a diagram others, and there is no such test' "$REHEARSE" conform "$crew" other.diagram
expect 0 "$REHEARSE" conform "$crew" other.diagram --test crew
refuses 2 'which diagram\?' "$REHEARSE" conform "$crew"
refuses 2 'missing.diagram' "$REHEARSE" conform "$crew" missing.diagram
refuses 2 'at-least takes' "$REHEARSE" conform "$crew" crew.diagram --at-least good

# Parameters: one diagram for all values, which holds for values that nobody has tried. --set is for all verbs.
expect 0 "$REHEARSE" diagram "$crew" --vary workers=1..4
says '^vary workers = 1\.\.4$'
says 'all i in 1\.\.workers \{'
says '^#   exact for workers = 6 \(held out\)$'
cp "$capture/stdout" varied.diagram
expect 0 "$REHEARSE" conform "$crew" varied.diagram --at-least exact
[ "$(grep -c 'conforms (exact)' "$capture/stdout")" -eq 4 ] || fail "not four values"
expect 0 "$REHEARSE" conform "$crew" varied.diagram --set workers=5
says 'test crew, workers = 5: conforms'
expect 0 "$REHEARSE" conform "$crew" varied.diagram --vary workers=2..3
[ "$(grep -c 'conforms (exact)' "$capture/stdout")" -eq 2 ] || fail "not two values"
expect 1 "$REHEARSE" conform "$crew" crew.diagram --set workers=2
grep -q '^input workers = 2$' crew.schedule || fail "the schedule does not have the parameter"
expect 0 "$REHEARSE" explore "$crew" --set workers=1 --no-times
says 'the only execution, 4 deliveries$'
for verb in explore sample diagram; do
    refuses 2 'test crew has no parameter people' "$REHEARSE" $verb "$crew" --set people=2
done
refuses 2 'no parameter people' "$REHEARSE" diagram "$crew" --vary people=1..2
refuses 2 "needs NAME=VALUE with an integer, not 'workers'" "$REHEARSE" explore "$crew" --set workers
refuses 2 "needs NAME=VALUE with an integer, not 'workers=x'" "$REHEARSE" explore "$crew" --set workers=x
refuses 2 "needs NAME=LEAST..MOST with integers, not 'workers=3..1'" "$REHEARSE" diagram "$crew" --vary workers=3..1
refuses 2 'more than 100 combinations' "$REHEARSE" diagram "$crew" --vary workers=1..1000

# What was not tried is not known.
expect 4 "$REHEARSE" conform "$crew" crew.diagram --max-deliveries 10
says 'unknown \(unknown: not all orders were tried\)$'

# A test that fails is found to fail; if some executions come to their ends there is a diagram of these.
wrong() {
    sed "s/rh_check(rh_as(message, response))/rh_check($1)/" crew.c >wrong.c
    "$CC" -g -I"$SOURCE/include" wrong.c -o wrong "$LIBRARY" -ldw -lelf -ljansson -lm || exit 1
}
wrong 'rh_as(message, response) \&\& rh_choose(2)'
expect 1 "$REHEARSE" diagram ./wrong
says '; the test fails: check'
says '^diagram crew =$'
expect 1 "$REHEARSE" conform ./wrong crew.diagram
says 'does not conform \(unknown: .*; the test fails: check\)$'
wrong '!rh_as(message, response)'
refuses 1 'no diagram was found: the test fails: check, and no execution comes to its end' "$REHEARSE" diagram ./wrong

# Where several may choose, each choice stands where it is made, and not all ways from the beginning to the end.
"$CC" -g -I"$SOURCE/include" "$SOURCE/tests/diagram/two_phase.c" -o two_phase "$LIBRARY" -ldw -lelf -ljansson -lm || exit 1
expect 0 "$REHEARSE" diagram ./two_phase --vary participants=1..3
says '^# ./two_phase: test two_phase: order-exact$'
says '^#   order-exact for participants = 5 \(held out\)$'
says '^    all i in 1\.\.participants \{$'
says '^        \( participant\[i\] -> coordinator: no \(\+\) participant\[i\] -> coordinator: yes \)$'
[ "$(grep -c 'prepare' "$capture/stdout")" -eq 1 ] || fail "several votes: $(cat "$capture/stdout")"
expect 0 "$REHEARSE" diagram ./two_phase --at-least exact
says '^# ./two_phase: test two_phase: exact '
