// SPDX-License-Identifier: MIT
// What depends on what: actors with invariants, timers and names in common, and others beside them.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(tick);
RH_SIGNAL(late);

// Pairs of actors, each with an invariant of its own.

struct counter {
    int count;
};

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    (void)self;
    if (rh_as(message, tick))
        counter->count++;
}

struct pair {
    rh_actor *one, *two;
};

static int count_of(const rh_actor *actor)
{
    return ((const struct counter *)rh_view_state(actor))->count;
}

static void at_most_two(const void *context)
{
    const struct pair *pair = context;
    rh_check(count_of(pair->one) + count_of(pair->two) <= 2);
}

static void make_pairs(int count)
{
    for (int i = 0; i < count; i++) {
        rh_actor *one = rh_spawn(counter_behaviour, struct counter, {0});
        rh_actor *two = rh_spawn(counter_behaviour, struct counter, {0});
        rh_invariant(at_most_two, struct pair, {.one = one, .two = two});
        rh_send(one, tick);
        rh_send(two, tick);
    }
}

RH_TEST(one_pair)
{
    make_pairs(1);
}

RH_TEST(three_pairs)
{
    make_pairs(3);
}

// Who sets a timer for another actor.

struct setter {
    rh_actor *peer;
    int count;
};

static void setter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct setter *setter = state;
    (void)self;
    setter->count++;
    if (rh_as(message, tick) && setter->peer)
        rh_after(10, setter->peer, late);
    else if (rh_as(message, late))
        setter->count++;
}

static void make_timers(int count)
{
    for (int i = 0; i < count; i++) {
        rh_actor *waiting = rh_spawn(setter_behaviour, struct setter, {0});
        rh_actor *setter = rh_spawn(setter_behaviour, struct setter, {.peer = waiting});
        rh_send(setter, tick);
        rh_send(waiting, tick);
    }
}

RH_TEST(one_timer)
{
    make_timers(1);
}

RH_TEST(three_timers)
{
    make_timers(3);
}

// Three actors set a timer for a fourth: none of them sees of the others, but the timers' orders count.
RH_TEST(timers_for_one)
{
    rh_actor *waiting = rh_spawn(setter_behaviour, struct setter, {0});
    for (int i = 0; i < 3; i++)
        rh_send(rh_spawn(setter_behaviour, struct setter, {.peer = waiting}), tick);
}

// Two actors send in the name of one outside sender, to receivers that have nothing to do with each other.

struct speaker {
    rh_actor *name, *to;
};

static void speaker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct speaker *speaker = state;
    (void)self;
    if (rh_as(message, tick))
        rh_send_from(speaker->name, speaker->to, late);
    else
        rh_ignore(message);
}

static void speak(rh_actor *name, rh_actor *to)
{
    rh_send(rh_spawn(speaker_behaviour, struct speaker, {.name = name, .to = to}), tick);
}

static void listener_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

RH_TEST(two_names)
{
    for (int i = 0; i < 2; i++) {
        rh_actor *listener = rh_spawn(listener_behaviour);
        rh_actor *name = rh_outside(i == 0 ? "first" : "second");
        speak(name, listener);
        speak(name, listener);
    }
}

// A replicated log: the leader appends what it is told and tells the followers, who acknowledge. Readers ask
// the followers, which changes nothing there.

RH_MESSAGE(put, { int value; });
RH_MESSAGE(append, {
    int index;
    int value;
});
RH_MESSAGE(acknowledge, { int index; });
RH_SIGNAL(get);
RH_MESSAGE(length, { int value; });

enum { FOLLOWERS = 2, ENTRIES = 4 };

struct server {
    rh_actor *peers[FOLLOWERS];
    int log[ENTRIES];
    int length;
    int acknowledged[ENTRIES];
    int committed;
};

static void lead(struct server *server, const struct put *put)
{
    int index = server->length++;
    server->log[index] = put->value;
    for (int i = 0; i < FOLLOWERS; i++)
        rh_send(server->peers[i], append, {.index = index, .value = put->value});
}

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct server *server = state;
    const struct put *put;
    const struct append *append;
    const struct acknowledge *done;
    (void)self;
    if ((put = rh_as(message, put))) {
        lead(server, put);
    } else if ((append = rh_as(message, append))) {
        server->log[append->index] = append->value;
        server->length = append->index + 1;
        rh_send(rh_sender(message), acknowledge, {.index = append->index});
    } else if ((done = rh_as(message, acknowledge))) {
        server->acknowledged[done->index]++;
        if (server->committed <= done->index)
            server->committed = done->index + 1;
    } else if (rh_as(message, get)) {
        rh_send(rh_sender(message), length, {.value = server->length});
    }
}

struct reader {
    rh_actor *server;
    int seen;
};

static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct reader *reader = state;
    const struct length *length;
    (void)self;
    if (rh_as(message, tick))
        rh_send(reader->server, get);
    else if ((length = rh_as(message, length)))
        reader->seen = length->value;
}

struct servers {
    rh_actor *all[1 + FOLLOWERS];
};

// What is committed is in the log of a follower too.
static void is_replicated(const void *context)
{
    const struct servers *servers = context;
    const struct server *leader = rh_view_state(servers->all[0]);
    for (int i = 0; i < leader->committed; i++) {
        int copies = 0;
        for (int j = 1; j <= FOLLOWERS; j++) {
            const struct server *follower = rh_view_state(servers->all[j]);
            copies += follower->length > i && follower->log[i] == leader->log[i];
        }
        rh_check(copies > 0);
    }
}

static void replicate(int entries, int readers)
{
    rh_actor *one = rh_spawn(server_behaviour, struct server, {0});
    rh_actor *two = rh_spawn(server_behaviour, struct server, {0});
    rh_actor *leader = rh_spawn(server_behaviour, struct server, {.peers = {one, two}});
    rh_invariant(is_replicated, struct servers, {.all = {leader, one, two}});
    for (int i = 0; i < entries; i++)
        rh_send(leader, put, {.value = i + 1});
    for (int i = 0; i < readers; i++)
        rh_send(rh_spawn(reader_behaviour, struct reader, {.server = i % 2 ? two : one}), tick);
}

RH_TEST(replicated_log)
{
    replicate(1, 2);
}

// Every delivery changes what the invariant looks at.
RH_TEST(servers_only)
{
    replicate(2, 0);
}
