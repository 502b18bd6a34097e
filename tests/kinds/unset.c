// SPDX-License-Identifier: MIT
// A message with a field that its sender has not set, on the stack or in a block. The receiver looks at it only with
// -DREAD: then it is an error, since with other bytes there a check fails.
//
// One go, then one vote, in the only order: 1 execution, 2 deliveries.
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_MESSAGE(vote, {
    struct {
        int version;
        char name[16]; // only its beginning is used
    } head;
    int term;
    union {
        int small;
        long large;
    };
});

struct voter {
    rh_actor *box;
};

static void fill(struct vote *vote)
{
    strcpy(vote->head.name, "ann");
    vote->term = 1;
    vote->small = 1;
#ifdef FIXED
    vote->head.version = 1;
#endif
}

static void voter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct voter *voter = state;
    (void)self;
    rh_ignore(message);
#ifdef BLOCK
    struct vote *block = malloc(sizeof *block);
    fill(block);
    rh_send_sized(voter->box, vote, block, sizeof *block);
    free(block);
#else
    struct vote vote;
    fill(&vote);
    rh_send_sized(voter->box, vote, &vote, sizeof vote);
#endif
}

static void box_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct vote *vote = rh_as(message, vote);
    (void)self;
    (void)state;
    rh_check(vote->term == 1);
#ifdef READ
    rh_check(vote->head.version == 0 || vote->head.version == 1);
#endif
}

RH_TEST(unset)
{
    rh_send(rh_spawn(voter_behaviour, struct voter, {rh_spawn(box_behaviour)}), go);
}
