// SPDX-License-Identifier: MIT
// A replicated log with snapshots: one leader, as in a term of Raft in which nobody else is elected (D. Ongaro and
// J. Ousterhout, "In search of an understandable consensus algorithm", 2014, sections 5.3 and 7).
//
// Clients give the leader commands, which it appends to its log and sends to its followers; what a majority has is
// committed and applied, and the client is answered. A follower takes an entry only if it has the one before, and says
// how far it has come. The leader keeps a few entries only: when more are applied, it throws the oldest away. A follower
// that still needs one of these gets a snapshot, the sum of all commands up to some entry. Snapshots are large and have
// a way of their own, so a transfer is an actor that brings one. From time to time the leader sends again what was not
// acknowledged.
//
// What goes wrong: a snapshot is installed without a look at what the follower has. The leader takes a follower for one
// that lags behind, whose entries are only on their way, and starts a transfer; these entries come, and later ones, and
// then the snapshot, which is older. The follower falls back behind what it has acknowledged, and what was committed with
// its vote is no longer with a majority. In the fixed twin a follower ignores a snapshot of what it has applied already.
//
// bug:     --test broken : invariant
// cause:   append from leader reached follower before install from transfer
// twin:    --test fixed --thorough
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { FOLLOWERS = 2, KEPT = 1, MOST_ENTRIES = 8, AGAIN_MS = 300 };

// To the leader.
RH_MESSAGE(command, { int amount; });
RH_MESSAGE(has_up_to, {
    int follower;
    int index;
});
RH_SIGNAL(send_again);

// To a follower.
RH_MESSAGE(append, {
    int index;
    int amount;
    int committed;
});
RH_MESSAGE(install, {
    int index; // of the last entry in it
    int sum;
});

// To a transfer and to a client.
RH_SIGNAL(begin_transfer);
RH_SIGNAL(start);
RH_MESSAGE(done, { int index; });

// Brings one snapshot, and ends.
struct transfer {
    rh_actor *follower;
    int index;
    int sum;
};

static void transfer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct transfer *transfer = state;
    (void)self;

    if (rh_as(message, begin_transfer)) {
        rh_send(transfer->follower, install, {.index = transfer->index, .sum = transfer->sum});
        rh_stop();
    }
}

struct leader {
    rh_actor *followers[FOLLOWERS];
    int has[FOLLOWERS]; // index up to which each follower has acknowledged
    rh_actor *clients[MOST_ENTRIES + 1];
    int amounts[MOST_ENTRIES + 1]; // entries, from 1 on
    int last;
    int committed;
    int first;       // entry that is still there
    int sum;         // of all that is committed
    int thrown_away; // sum of the entries before `first`
    int again;       // how often it still sends again
    bool is_transferring[FOLLOWERS];
};

static void send_entry(const struct leader *leader, int follower, int index)
{
    rh_send(leader->followers[follower], append,
            {.index = index, .amount = leader->amounts[index], .committed = leader->committed});
}

static void handle_command(struct leader *leader, rh_actor *client, int amount)
{
    rh_check(leader->last < MOST_ENTRIES);
    leader->amounts[++leader->last] = amount;
    leader->clients[leader->last] = client;
    for (int i = 0; i < FOLLOWERS; i++)
        send_entry(leader, i, leader->last);
}

// The leader has every entry, so that one follower makes a majority.
static void commit(struct leader *leader)
{
    for (int i = 0; i < FOLLOWERS; i++)
        while (leader->committed < leader->has[i]) {
            leader->sum += leader->amounts[++leader->committed];
            rh_send(leader->clients[leader->committed], done, {.index = leader->committed});
        }
    while (leader->committed - leader->first >= KEPT)
        leader->thrown_away += leader->amounts[leader->first++];
}

static void start_transfer(struct leader *leader, int follower)
{
    if (leader->is_transferring[follower])
        return;
    leader->is_transferring[follower] = true;
    rh_send(rh_spawn(transfer_behaviour, struct transfer,
                     {.follower = leader->followers[follower],
                      .index = leader->first - 1,
                      .sum = leader->thrown_away}),
            begin_transfer);
}

static void send_all_again(struct leader *leader)
{
    for (int i = 0; i < FOLLOWERS; i++) {
        if (leader->has[i] + 1 < leader->first)
            start_transfer(leader, i);
        for (int index = leader->has[i] + 1; index <= leader->last; index++)
            if (index >= leader->first)
                send_entry(leader, i, index);
    }
    if (--leader->again > 0)
        rh_after(AGAIN_MS, rh_self(), send_again);
}

static void leader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct leader *leader = state;
    const struct command *command;
    const struct has_up_to *has;
    (void)self;

    if ((command = rh_as(message, command))) {
        handle_command(leader, rh_sender(message), command->amount);
    } else if ((has = rh_as(message, has_up_to))) {
        if (has->index > leader->has[has->follower])
            leader->has[has->follower] = has->index;
        commit(leader);
    } else if (rh_as(message, send_again)) {
        send_all_again(leader);
    }
}

struct follower {
    rh_actor *leader;
    int number;
    bool compares; // the fix
    int last;      // entry that it has
    int sum;       // of all entries up to that one
    int told;      // the highest index that it has acknowledged
};

static void acknowledge(struct follower *follower)
{
    if (follower->last > follower->told)
        follower->told = follower->last;
    rh_send(follower->leader, has_up_to, {.follower = follower->number, .index = follower->last});
}

static void follower_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct follower *follower = state;
    const struct append *append = rh_as(message, append);
    const struct install *install = rh_as(message, install);
    (void)self;

    if (append && append->index == follower->last + 1) {
        follower->last = append->index;
        follower->sum += append->amount;
        acknowledge(follower);
    } else if (install && (!follower->compares || install->index > follower->last)) {
        follower->last = install->index;
        follower->sum = install->sum;
        acknowledge(follower);
    }
}

// Gives its commands one after the other.
struct client {
    rh_actor *leader;
    int commands; // still to be given
};

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    (void)self;

    if (!rh_as(message, start) && !rh_as(message, done))
        return;
    if (client->commands > 0)
        rh_send(client->leader, command, {.amount = client->commands--});
}

struct watched {
    rh_actor *followers[FOLLOWERS];
};

static void acknowledged_is_kept(const void *context)
{
    const struct watched *watched = context;

    for (int i = 0; i < FOLLOWERS; i++) {
        const struct follower *follower = rh_view_state(watched->followers[i]);
        rh_check(!follower || follower->last >= follower->told);
    }
}

static void set_up(bool compares)
{
    rh_actor *leader = rh_reserve(leader_behaviour);
    struct leader first = {.first = 1, .again = rh_parameter(int, again, 1)};

    for (int i = 0; i < FOLLOWERS; i++)
        first.followers[i] = rh_spawn(follower_behaviour, struct follower,
                                      {.leader = leader, .number = i, .compares = compares});
    rh_spawn_at_sized(leader, &first, sizeof first);
    for (int i = 0; i < rh_parameter(int, clients, 1); i++)
        rh_send(rh_spawn(client_behaviour, struct client,
                         {.leader = leader, .commands = rh_parameter(int, commands, 3)}),
                start);
    rh_after(AGAIN_MS, leader, send_again);
    rh_invariant(acknowledged_is_kept, struct watched,
                 {.followers = {first.followers[0], first.followers[1]}});
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
