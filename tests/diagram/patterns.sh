#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# diagram --patterns: each pattern shows where it is, in as many executions as have it, and not elsewhere.
. "$SOURCE/tests/cli/expect.bash"

# build NAME SOURCE
build() {
    "$CC" -g -I"$SOURCE/include" -I"$SOURCE/subjects/savina" "$2" -o "$1" "$LIBRARY" -ldw -lelf -ljansson -lm || exit 1
}

# patterns PROGRAM TEST LINES: just these patterns, with the number of executions.
patterns() {
    expect 0 "$REHEARSE" diagram "./$1" --test "$2" --patterns
    sed 's/^.*: test [a-z_]*: //; s/  */ /g' "$capture/stdout" >got
    printf '%s\n' "$3" >expected
    cmp -s got expected || fail "other patterns: $(diff expected got)"
}

build crew "$SOURCE/tests/diagram/crew.c"
patterns crew crew '3 patterns in 6 executions
 broadcast master -> worker: work always
 gather worker -> master: result always
 request/reply master -> worker: work ; worker -> master: result always'
build ring "$SOURCE/subjects/savina/thread_ring.c"
patterns ring long_way_fixed '3 patterns in 1 execution
 broadcast outside -> unlinked: successor always
 ring unlinked -> unlinked: leave always
 ring unlinked -> unlinked: trip always'
build sieve "$SOURCE/subjects/savina/sieve.c"
patterns sieve small '4 patterns in 1 execution
 pipeline producer -> filter: candidate ; filter -> filter: candidate always
 pipeline producer -> filter: end ; filter -> filter: end always
 stream filter -> filter: candidate always
 stream producer -> filter: candidate always'

# What does not always show, and play to and fro.
cat >game.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_SIGNAL(ball);
RH_SIGNAL(back);
RH_SIGNAL(note);

static void partner_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_check(rh_as(message, ball));
    rh_reply(message, back);
}

struct player {
    rh_actor *partner;
    int left;
};

static void player_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct player *player = state;
    if (rh_as(message, note))
        return;
    rh_check(rh_as(message, start) || rh_as(message, back));
    if (rh_as(message, start) && rh_choose(2))
        rh_send(self, note);
    if (player->left-- > 0)
        rh_send(player->partner, ball);
}

RH_TEST(game)
{
    rh_actor *partner = rh_spawn(partner_behaviour);
    rh_send(rh_spawn(player_behaviour, struct player, {.partner = partner, .left = 2}), start);
}
END
build game game.c
expect 0 "$REHEARSE" diagram ./game --patterns
says '^  ping-pong      player -> partner: ball ; partner -> player: back +always$'
says '^  request/reply  player -> partner: ball ; partner -> player: back +always$'
says '^  request/reply  partner -> player: back ; player -> partner: ball +always$'
says '^  self           player -> player: note +in [0-9]+$'
[ "$(wc -l <"$capture/stdout")" -eq 5 ] || fail "more than these patterns"
expect 0 "$REHEARSE" diagram ./game --patterns --max-executions 1
says 'in 1 execution$'
refuses 2 'exclude each other' "$REHEARSE" diagram ./game --patterns --json
