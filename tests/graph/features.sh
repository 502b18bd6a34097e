#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The graphs of features.c, branches.c and origins.c have the edges that features.txt, branches.txt and origins.txt name for
# each test, and no others.
set -u
. "$SOURCE/tests/graph/compare.shlib"
need_analysis
failed=0

# check_edges NAME: the tests of NAME.c have the edges in NAME.txt.
check_edges() {
    local test
    for test in $(sed -n 's/^\([a-z]*\): .*/\1/p' "$SOURCE/tests/graph/$1.txt" | uniq); do
        "$REHEARSE" graph --test "$test" "$SOURCE/tests/graph/$1.c" >"$test.graph" || exit 1
        graph_edges "$test.graph" | cut -d ' ' -f 1-3 | LC_ALL=C sort -u >"$test.edges"
        sed -n "s/^$test: //p" "$SOURCE/tests/graph/$1.txt" | LC_ALL=C sort -u >"$test.expected"
        if ! diff "$test.expected" "$test.edges" >difference; then
            echo "FAIL $1, $test: expected (<) and in the graph (>)"
            cat difference
            failed=$((failed + 1))
        fi
    done
}
check_edges features
check_edges branches
check_edges origins

# expect FILE LINE: the file has this line.
expect() {
    grep -qF -- "$2" "$1" || {
        echo "FAIL $1 does not have: $2"
        cat "$1"
        failed=$((failed + 1))
    }
}

expect unheard.graph 'surprise, sent by outside: deaf has no rh_as for it'
expect functions.graph 'tdelete, tfind, tsearch'
expect store.graph 'store (receptionist)'
expect store.graph 'put {value = 9} to store'
expect store.graph 'reply value {value = 4} to reader'
expect door.graph 'timer knock to open'
expect door.graph 'may come knock to closed'
expect door.graph 'becomes open'
expect neighbours.graph 'creates east {other = west}'
expect array.graph 'creates holder {all = left|right, other = far}'
expect juggled.graph 'creates juggler {word = left, number = right, pair = any|far}'
for test in table recursion array boxed heap juggled variadic store; do
    if grep -q 'has no rh_as' $test.graph; then
        echo "FAIL $test: something counts as not handled"
        failed=$((failed + 1))
    fi
done

# What the comparisons leave out.
branches() { "$REHEARSE" graph "$@" "$SOURCE/tests/graph/branches.c"; }
branches --any-number --test parameter >any.graph
expect any.graph 'creates left'
expect any.graph 'creates right'
branches --any-number --test guard >guard-any.graph
graph_edges guard-any.graph | cut -d ' ' -f 1-3 | LC_ALL=C sort -u | diff guard.expected - || failed=$((failed + 1))
branches --baseline --test guard >base.graph
expect base.graph 'send start to lonely'
branches --baseline --test parameter >parameter-base.graph
cmp parameter-base.graph parameter.graph || failed=$((failed + 1))

# What a message carries without who sent it, and a variable with what it held at the start.
"$REHEARSE" graph --any-origin --test told "$SOURCE/tests/graph/origins.c" >told-any.graph
expect told-any.graph 'send yes to first'
expect told-any.graph 'reply no to last'
"$REHEARSE" graph --any-number --test set "$SOURCE/tests/graph/origins.c" >set-any.graph
expect set-any.graph 'send yes to left'

# What a main does before it calls rh_test_main counts; a main that does something else does not run.
for call in 'rh_test_main(argc, argv)' argc; do
    cat >main.c <<END
#include <rehearse/actor.h>
#include <rehearse/test.h>
RH_SIGNAL(hello);
static int mode;
static void shy_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, hello) && mode == 1)
        rh_send(rh_self(), hello);
}
RH_TEST(one)
{
    rh_send(rh_spawn(shy_behaviour), hello);
}
int main(int argc, char **argv)
{
    mode = argc > 1 && argv[1][0] == 'x';
    return $call;
}
END
    "$REHEARSE" graph main.c >"main-${call%%(*}.graph" || failed=$((failed + 1))
done
expect main-rh_test_main.graph 'send hello to shy  (main.c:9)'
if grep -q 'main.c:9' main-argc.graph; then
    echo 'FAIL main is run that does not call rh_test_main'
    failed=$((failed + 1))
fi
[ $failed -eq 0 ]
