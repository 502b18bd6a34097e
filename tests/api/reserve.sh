#!/bin/sh
# SPDX-License-Identifier: MIT
# Addresses before their actors: an actor that was reserved is the same, in every search and schedule, as one that was created
# there; and what is said if it never is.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/programs/reductions.shlib"

compile_once "$SOURCE/tests/api/reserve.c" || exit 1
reserve=$verdict_binary
compare_reductions reserve "$reserve"
compare_reductions 'reserve with faults' "$reserve" --test in_handler --drop 1 --crash 1

# The same program with and without: names, identities and orders are the same. An execution ends with the message to the
# third leaf, before, between or behind the two others: 1 + 2 + 2, with 1 + 3 + 4 + 2 deliveries.
cat >same.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/test.h>
RH_SIGNAL(go);
struct one {
    int number;
};
static void leaf_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct one *one = state;
    (void)self;
    rh_check(!rh_as(message, go) || one->number != 3);
}
static void root_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *leaves[3];
    (void)self, (void)state;
    if (!rh_as(message, go))
        return;
#ifdef RESERVED
    for (int i = 0; i < 3; i++)
        leaves[i] = rh_reserve(leaf_behaviour);
    for (int i = 3; i-- > 0;)
        rh_spawn_at(leaves[i], struct one, {.number = i + 1});
#else
    for (int i = 0; i < 3; i++)
        leaves[i] = rh_spawn(leaf_behaviour, struct one, {.number = i + 1});
#endif
    for (int i = 0; i < 3; i++)
        rh_send(leaves[i], go);
}
RH_TEST(all)
{
    rh_send(rh_spawn(root_behaviour), go);
}
END
explore_json plain --keep-going same.c
explore_json reserved --keep-going same.c --cflags -DRESERVED
expect plain plain 1 5 10 check
expect reserved reserved 1 5 10 check
for name in plain reserved; do
    sed -n 's/  *#.*//; /^deliver/p' $name.saved/*.schedule >$name.steps
done
grep -q '^deliver go to root#1/leaf#3 from root#1 @' plain.steps || disagree 'no step' "$(cat plain.steps)"
cmp plain.steps reserved.steps || disagree 'identities' "$(diff plain.steps reserved.steps)"

# says TEST TEXT
says() {
    "$REHEARSE" explore "$reserve" --test "$1" --no-times >out 2>&1
    grep -qF "$2" out || disagree "$1: no $2" "$(cat out)"
}
says never_spawned 'node#2 was reserved and never spawned: call rh_spawn_at in the same delivery'
says never_spawned_in_handler 'careless#1/plain#1 was reserved and never spawned'
says ask_between 'careless#1/plain#1 was reserved and never spawned'
says spawned_twice 'rh_spawn_at of an address that was not reserved in this delivery, or was spawned already'
says not_reserved 'rh_spawn_at of an address that was not reserved in this delivery, or was spawned already'
verdict_end
