#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sketches: what diagram --abstract says of small programs, what sketches mean to conform, and which can't be read.
. "$SOURCE/tests/cli/expect.bash"
. "$SOURCE/tests/graph/compare.shlib"
need_analysis
cp "$SOURCE/tests/diagram/crew.c" .
"$CC" -g -I"$SOURCE/include" crew.c -o crew "$LIBRARY" -ldw -lelf -ljansson -lm || exit 1

# The test's own three workers are any number, and the client may be answered after each result.
expect 0 "$REHEARSE" diagram --abstract crew.c
says '^# crew.c: test crew: from the sources alone$'
says '^#   crew.c:35: in a loop: how often it goes round is not known$'
says '^#   crew.c:35: there may be several actors worker: any of them is meant$'
says '^#   crew.c:34: a branch: which way it goes is not known$'
says '^sketch crew =$'
cp "$capture/stdout" printed
expect 0 "$REHEARSE" diagram --abstract crew.c --save .
cmp -s printed crew.sketch || fail "--save writes something else"
expect 0 "$REHEARSE" conform crew.c crew.sketch
says ': conforms \(sound\)$'
expect 0 "$REHEARSE" conform ./crew crew.sketch --set workers=5
refuses 2 'diagram looks at C sources' "$REHEARSE" diagram --abstract ./crew
refuses 2 'rehearse diagram --abstract prog.c' ./crew diagram --abstract
refuses 2 'does not go with --vary' "$REHEARSE" diagram --abstract crew.c --vary workers=1..2
refuses 2 'does not go with --actor' "$REHEARSE" diagram --abstract crew.c --actor master

# Pictures, the graph of all handlers, and JSON.
expect 0 "$REHEARSE" diagram --abstract crew.c --mermaid
says '^    loop any number of times, side by side$'
expect 0 "$REHEARSE" diagram --abstract crew.c --plantuml
says '^    p1 -> p2 : work$'
expect 0 "$REHEARSE" diagram --abstract crew.c --svg --save .
[ "$(grep -c '<text' crew.svg)" -ge 8 ] || fail "crew.svg has not four names, four arrows and two boxes"
expect 0 "$REHEARSE" diagram --abstract crew.c --dot
says '^    subgraph cluster[0-9]+ \{$'
says '^        label="master: result";$'
says 'shape=box, label="create worker \(35\)"\];$'
says 'style=dashed, color=blue, fontsize=10, label="work"\];$'
[ "$(grep -c 'shape=diamond' "$capture/stdout")" -eq 2 ] || fail "not two branches: the loop, and whether all is done"
expect 0 "$REHEARSE" diagram --abstract crew.c --json
jq -e '.tests[0] | .tree.parts[1].parallel and .definitions == [] and (.unknown | length) == 3 and
    (.handlers | map(.class + " " + (.message // "")) | sort) ==
        ["client response", "master request", "master result", "outside ", "worker work"] and
    ([.edges[].message] | map(select(.)) | sort) == ["request", "response", "result", "work"]' "$capture/stdout" >/dev/null ||
    fail "the JSON of a sketch is not as it should be"
refuses 2 'exclude each other' "$REHEARSE" diagram --abstract crew.c --svg --json
refuses 2 '.--dot goes with --abstract' "$REHEARSE" diagram ./crew --dot

# What executions do of a sketch: the workers are three, and the branch is never the same for all. Without classes of
# several actors it is a diagram, with a diagram's grade.
expect 0 "$REHEARSE" diagram ./crew --from crew.sketch
says '^# ./crew: test crew: sound \([0-9]+ states\); from crew.sketch, with [0-9]+ of [0-9]+ changes that were tried$'
says '^    \]\|3$'
says '^        \( master -> client: response \(\+\) skip \)$'
cp "$capture/stdout" tight.sketch
expect 0 "$REHEARSE" conform ./crew tight.sketch
expect 1 "$REHEARSE" conform ./crew tight.sketch --set workers=4
expect 0 "$REHEARSE" diagram ./crew --from crew.sketch --set workers=1
says '^# ./crew: test crew: exact .* from crew.sketch'
says '^diagram crew =$'
says '^    master -> worker: work ;$'
says '^    master -> client: response$'
printf 'sketch crew = outside -> master: request\n' >little.sketch
expect 1 "$REHEARSE" diagram ./crew --from little.sketch
says ': test crew: unsound .* with 0 of 0 changes'
sed -i s/crew/ship/ little.sketch
refuses 2 'little.sketch has no diagram of test crew' "$REHEARSE" diagram ./crew --from little.sketch
refuses 2 'does not go with --from' "$REHEARSE" diagram --abstract crew.c --from crew.sketch
refuses 2 '.--from looks at one configuration' "$REHEARSE" diagram ./crew --from crew.sketch --vary workers=1..2

# write NAME SKETCH [DEFINITION]
write() {
    printf '%s\nsketch crew =\n    %s\n' "${3:-}" "$2" >"$1.sketch"
}

# judged STATUS SKETCH [DEFINITION]: whether the crew conforms.
judged() {
    write judged "$2" "${3:-}"
    expect "$1" "$REHEARSE" conform ./crew judged.sketch
}

# Any number of rounds side by side; not one after the other, not two or four, not without an end. Definitions that might
# come back are no harm where they do not.
start='outside -> master: request'
round='master -> worker: work ; worker -> master: result'
end='(master -> client: response (+) skip)'
judged 0 "$start ; [$round ; $end]|*"
judged 0 "$start ; [$round ; $end]|3"
judged 0 "$start ; [$round ; $end]|1..*"
judged 1 "$start ; [$round ; $end]|2"
judged 1 "$start ; [$round ; $end]|4"
judged 1 "$start ; [$round ; $end]^*"
judged 1 "$start ; [$round]|*"
judged 0 "$start ; [ $round ; end ]|*" "def end = master -> client: response (+) skip"
judged 1 "$start ; more" "def more = master -> worker: work ; (worker -> master: result ; $end | (more (+) skip))"
judged 0 "$start ; [ work ]|*" 'def work = master -> worker: work ; result
def result = worker -> master: result ; (master -> client: response (+) skip (+) work)'

# A message that nobody receives ends what stands behind it, and nothing else: here `two`.
cat >lost.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(one);
RH_SIGNAL(two);
RH_SIGNAL(ack);

struct once {
    rh_actor *sink;
};

static void sink_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_check(rh_as(message, ack));
}

static void once_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    rh_check(rh_as(message, one) || rh_as(message, two));
    rh_send(((struct once *)state)->sink, ack);
    rh_stop();
}

RH_TEST(lost)
{
    rh_actor *sink = rh_spawn(sink_behaviour);
    rh_actor *once = rh_spawn(once_behaviour, struct once, {sink});
    rh_send(once, one);
    rh_send(once, two);
}
END
expect 0 "$REHEARSE" diagram --abstract lost.c --save .
expect 0 "$REHEARSE" conform lost.c lost.sketch
sed -i 's/once: one ;/once: one ; once -> sink: ack ;/' lost.sketch
expect 1 "$REHEARSE" conform lost.c lost.sketch

# Definitions are for diagrams too.
printf 'def round = master -> worker[1]: work ; worker[1] -> master: result\ndiagram crew =\n  %s ; (round | %s) ; %s\n' \
    "$start" 'all i in 2..3 { master -> worker[i]: work ; worker[i] -> master: result }' \
    'master -> client: response' >defined.diagram
expect 0 "$REHEARSE" conform ./crew defined.diagram --at-least exact

# refused PLACE PATTERN SKETCH [DEFINITION]: can't be read.
refused() {
    write refused "$3" "${4:-}"
    refuses 2 "^rehearse: refused.sketch:$1: $2" "$REHEARSE" conform ./crew refused.sketch
}
refused 3:5 'there is no definition more' 'more'
refused 1:12 'the definition more comes back to itself before anything is sent' "$start ; more" 'def more = [more]^* ; less
def less = skip'
refused 1:12 'the definition one comes back to itself before anything is sent' "$start" 'def one = (other | skip)
def other = one'
refused 3:5 'a definition that says itself again can.t stand before a ~' "more ~ $start" "def more = $round ; (more (+) skip)"
refused 3:7 'a definition that says itself again can.t stand before a ~' "[ more ]~3" "def more = $round ; (more (+) skip)"
refused 2:5 "expected a name that no definition before has, not 'more'" "$start" 'def more = skip
def more = skip'
refused 2:1 "expected 'diagram' or 'sketch' and its name" "$start" 'def a = skip
vary b = 1..2'
refused 3:34 "expected '\]\^', '\]~' or '\]\|' and how many times, not '\]'" "[ $start ]"
