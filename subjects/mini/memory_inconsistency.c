// SPDX-License-Identifier: MIT
// Memory inconsistency: two replicas that end up different.
//
// Two writers each send their value to both replicas. Nothing orders the messages of different
// senders, so under `--delivery fifo` already one replica may see them in one order and one in the
// other, and each keeps what came last. In the fixed twin a value carries a time stamp, with the
// writer to break ties, and the larger one wins.
//
// bug:     --test broken : final
// cause:   set from writer reached replica before set from writer
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_MESSAGE(set, {
    int value;
    int stamp;
});

struct replica {
    int value;
    int stamp;
    bool minds_stamps; // the fix
};

static void replica_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct replica *replica = state;
    const struct set *set = rh_as(message, set);
    (void)self;

    if (!set || (replica->minds_stamps && set->stamp < replica->stamp))
        return;
    replica->value = set->value;
    replica->stamp = set->stamp;
}

struct writer {
    rh_actor *replica[2];
    int value;
    int stamp;
};

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct writer *writer = state;
    (void)self;

    if (!rh_as(message, start))
        return;
    for (int i = 0; i < 2; i++)
        rh_send(writer->replica[i], set, {.value = writer->value, .stamp = writer->stamp});
}

struct watched {
    rh_actor *first;
    rh_actor *second;
};

static void replicas_agree(const void *context)
{
    const struct watched *watched = context;
    const struct replica *first = rh_view_state(watched->first);
    const struct replica *second = rh_view_state(watched->second);

    rh_check(first->value == second->value);
}

static void set_up(bool minds_stamps)
{
    rh_actor *first = rh_spawn(replica_behaviour, struct replica, {.minds_stamps = minds_stamps});
    rh_actor *second = rh_spawn(replica_behaviour, struct replica, {.minds_stamps = minds_stamps});

    rh_finally(replicas_agree, struct watched, {.first = first, .second = second});
    for (int i = 1; i <= 2; i++) {
        rh_actor *writer = rh_spawn(writer_behaviour, struct writer,
                                    {.replica = {first, second}, .value = 10 * i, .stamp = i});
        rh_send(writer, start);
    }
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
