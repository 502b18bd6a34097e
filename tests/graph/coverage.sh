#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# --save-coverage and graph --coverage: what was taken, in which orders, and what never, derived by hand from coverage.c;
# several files together; files that say something else.
set -u
. "$SOURCE/tests/graph/compare.shlib"
need_analysis
failed=0
cp "$SOURCE/tests/graph/coverage.c" office.c

fail() {
    echo "FAIL $*"
    failed=$((failed + 1))
}
# show FILE OPTIONS...: the graph, in `shown`.
show() { "$REHEARSE" graph office.c --test office --coverage "$@" >shown 2>&1 || fail "graph --coverage $*"; }
says() { grep -qxF -- "$1" shown || fail "not said: $1"; }
says_not() { grep -qF -- "$1" shown && fail "said: $1"; }
line() { grep -nF -- "$1" office.c | sed -n "${2:-1}p" | cut -d: -f1; }
# refuses WORDS COMMAND...: exit status 2, and the words.
refuses() {
    local words=$1
    shift
    "$@" >output 2>&1
    local status=$?
    { [ $status -eq 2 ] && grep -qF -- "$words" output; } || {
        fail "exit status $status, or without $words: $*"
        cat output
    }
}

first=$(line 'rh_send(worker->boss, done);') second=$(line 'rh_send(worker->boss, done);' 2)
late=$(line 'boss, late);') ask=$(line 'rh_ask(') becomes=$(line 'rh_become(')
spare=$(line 'rh_spawn(spare_behaviour)') hired=$(line 'rh_send(spare')
idle_answer=$(line 'rh_reply(') boss_answer=$(line 'rh_reply(' 2) born=$(line 'rh_spawn(behaviour')

# One run in sending order: three times go, both done, then the question, which comes to the boss when it is idle.
"$REHEARSE" cover office.c --test office --max-executions 1 --save-coverage one.coverage --quiet ||
    fail 'cover'
show one.coverage
says "12 of 20 labels taken in 1 execution"
says "    creates clerk {boss = boss, jobs = 0}  (office.c:$born) taken"
says "    becomes idle  (office.c:$becomes) taken"
says "    send done to boss  (office.c:$second) taken"
says "    send done to idle  (office.c:$second) never taken"
says "    ask question to idle  (office.c:$ask) taken"
says "    ask question to boss  (office.c:$ask) never taken"
says "    reply answer to clerk  (office.c:$idle_answer) taken"
says "spare (never ran)"
says "    1 pair of messages came in: 0 in both orders, 1 in one, 0 never to one actor"
says "        only done from first (office.c:$first) before done from second (office.c:$second)"
says "    office.c:$spare: boss never created spare"
says "    office.c:$hired: go, sent by boss, was never received by spare"
says "    office.c:$boss_answer: answer, sent by boss, was never received by clerk"
says "    office.c:$late: late, sent by first, was never received by boss"
says "    office.c:$(line spare_behaviour): spare_behaviour"
says "    office.c:$late: late, sent by first: idle has no rh_as for it"
says_not 'Seen in runs'
says_not 'idle (never ran)'

# In all orders the boss gets both done and the question in every order: three pairs. A reply that is waited for is none.
"$REHEARSE" explore office.c --test office --reduction none --states none --save-coverage all.coverage \
    --quiet || fail 'explore'
show all.coverage
says "14 of 20 labels taken in 210 executions"
says "    3 pairs of messages came in: 3 in both orders, 0 in one, 0 never to one actor"
says "    reply answer to clerk  (office.c:$boss_answer) taken"
says_not "        only"
# Whatever the search leaves out, it is the same; and where every execution is run from its start.
for options in '--reduction optimal' '--reduction source --states exact' '--reduction optimal --undo off'; do
    # shellcheck disable=SC2086
    "$REHEARSE" explore office.c --test office $options --save-coverage reduced.coverage --quiet
    "$REHEARSE" graph office.c --test office --coverage reduced.coverage | sed 2d >reduced.shown
    sed 2d shown | cmp -s - reduced.shown || fail "not the same with $options"
done
# Also if another compiler calls the lines differently, in a send that goes over several.
if command -v clang >/dev/null; then
    sed 's/\(rh_send(new_worker(first_behaviour, boss),\) go/\1\n go/' office.c >long.c
    CC=clang "$REHEARSE" sample long.c --runs 5 --save-coverage long.coverage --quiet || fail 'clang'
    "$REHEARSE" graph long.c --test office --coverage long.coverage >shown
    says "    send go to first  (long.c:$(line 'rh_send(new_worker(first')) taken"
    says_not 'Seen in runs'
fi

# What a handler has done before it crashed counts.
sed -e 's/if (worker->jobs++ > 0)/abort();/' -e 's/#include <rehearse.actor.h>/#include <stdlib.h>\n&/' office.c |
    sed 's/rh_send(worker->boss, done);/rh_spawn(spare_behaviour);/' >crash.c
"$REHEARSE" explore crash.c --test office --keep-going --no-shrink --reduction optimal --quiet \
    --save-coverage crash.coverage >/dev/null
"$REHEARSE" graph crash.c --test office --coverage crash.coverage >shown
says "    creates spare  (crash.c:$((first + 1))) taken"

# Two files, of one order each, are both orders.
read -r one two < <(grep -E '^(created|became|sent) ' one.coverage |
    awk '/^sent done/ { printf "%d ", NR - 1 } END { print "" }')
sed -e "s/^\(before $one:.*\) $two\(.*\)/\1\2/" -e "s/^before $two:.*/& $one/" one.coverage >other.coverage
show other.coverage
says "        only done from second (office.c:$second) before done from first (office.c:$first)"
show one.coverage --coverage other.coverage
says "12 of 20 labels taken in 2 executions"
says "    1 pair of messages came in: 1 in both orders, 0 in one, 0 never to one actor"

# A run of cover in which nothing was received.
{
    cat office.c
    echo 'RH_TEST(idle) { rh_spawn(spare_behaviour); }'
} >idle.c
"$REHEARSE" cover idle.c --test idle --save-coverage idle.coverage >/dev/null || fail 'cover idle'
"$REHEARSE" graph idle.c --test idle --coverage idle.coverage >shown
says '1 of 1 labels taken in 1 execution'

# The other forms.
"$REHEARSE" graph office.c --test office --coverage one.coverage --dot >shown
grep -qF 'label="boss\n0 of 1 pairs in both orders", shape=ellipse, color="#1b7837"' shown || fail 'dot: boss'
grep -qF 'label="spare\nnever ran", shape=ellipse, color="#b2182b"' shown || fail 'dot: spare'
grep -qF "label=\"late  office.c:$late never taken\l\", color=\"#b2182b\"" shown && fail 'dot: done was taken'
grep -qF "label=\"done  office.c:$first\llate  office.c:$late never taken\l\", color=\"#1b7837\"" shown ||
    fail 'dot: late'
if command -v dot >/dev/null; then
    "$REHEARSE" graph office.c --test office --coverage one.coverage --svg | grep -q '#b2182b' || fail 'svg'
fi
if command -v jq >/dev/null; then
    "$REHEARSE" graph office.c --test office --coverage one.coverage --json >shown
    jq -e '.coverage.taken == 12 and .coverage.executions == 1 and (.coverage.pairs | length) == 1
        and .coverage.pairs[0].first_came_first != .coverage.pairs[0].second_came_first
        and ([.nodes[] | select(.function and (.ran | not)).name] == ["spare"])
        and ([.edges[].labels[] | select(.taken)] | length) == 12' shown >/dev/null || fail 'json'
    "$REHEARSE" graph office.c --json | jq -e '.coverage == null' >/dev/null || fail 'json without coverage'
fi

# Runs of another program, or of the program before it was changed, show nothing that is not there.
sed 's/^RH_SIGNAL(late);/&\n/' office.c >changed.c
"$REHEARSE" graph changed.c --test office --coverage one.coverage >shown
says 'Seen in runs, and not in this program; has it been changed since?'
says "    office.c:$first: done, sent by first_behaviour to boss_behaviour"
says '0 of 20 labels taken in 1 execution'
refuses 'one.coverage says nothing about test nobody' \
    "$REHEARSE" graph office.c --test nobody --coverage one.coverage
refuses 'one.coverage says nothing about the tests of this program' \
    "$REHEARSE" graph "$SOURCE/examples/bank.c" --coverage one.coverage
refuses 'No such file or directory' "$REHEARSE" graph office.c --coverage missing.coverage
refuses 'there is only what runs have taken' "$REHEARSE" coverage all.coverage

# Bad lines.
bad() { # line, words, text
    printf '%b' "rehearse coverage 1\nprogram office.c\ntest office\n$3" >bad.coverage
    refuses "bad.coverage:$1: $2" "$REHEARSE" graph office.c --coverage bad.coverage
}
behaviour='behaviour f in office.c\n'
sends="${behaviour}sent done from 0 to 1 at office.c:1\nsent late from 0 to 1 at office.c:2\n"
bad 4 'what has passed comes after the behaviours' 'sent done from 0 to 1\n'
bad 4 '`at` stands where `in` is expected' 'behaviour f at office.c\n'
bad 5 'there is no behaviour 2 above' "${behaviour}created 2 by 0\n"
bad 5 '`of` stands where `by` is expected' "${behaviour}became 1 of 0\n"
bad 5 '`never` does not belong here' "${behaviour}sent done from 0 to 1 never\n"
bad 5 '`reply` does not belong here' "${behaviour}created 1 by 0 reply\n"
bad 5 '`office.c` is no place: FILE:LINE' "${behaviour}created 1 by 0 at office.c\n"
bad 7 'there is no passage 2 above' "${sends}before 0: 1-2\n"
bad 7 'passages 1 and 1 are no pair' "${sends}before 1: 1\n"
bad 7 '`x` is no number or range of passages' "${sends}before 1: x\n"
bad 8 'passages 0 and 2 are no pair' "${sends}created 1 by 0\nbefore 0: 2\n"
[ $failed -eq 0 ]
