// SPDX-License-Identifier: MIT
// Deliveries to different actors whose order matters: an invariant looks at both, one sets a timer for the other, both
// send in one name. cover has goals for them; across.sh says what it finds by these.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(update, { int value; });
RH_MESSAGE(hop, { int left; });
RH_SIGNAL(hello);
RH_SIGNAL(look);
RH_SIGNAL(fetch);
RH_MESSAGE(fetched, { int value; });
RH_SIGNAL(tick);
RH_SIGNAL(go);

// A server keeps the newest value. Whoever looks changes nothing.
struct server {
    int value;
};

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct server *server = state;
    const struct update *update = rh_as(message, update);
    (void)self;
    if (update)
        server->value = update->value;
    else if (rh_as(message, fetch))
        rh_reply(message, fetched, {.value = server->value});
    else
        rh_as(message, look);
}

struct pair {
    rh_actor *first, *second;
};

static struct pair spawn_pair(void)
{
    return (struct pair){rh_spawn(server_behaviour, struct server, {.value = 0}),
                         rh_spawn(server_behaviour, struct server, {.value = 0})};
}

static int value_of(const rh_actor *actor)
{
    return ((const struct server *)rh_view_state(actor))->value;
}

static void second_not_ahead(const void *context)
{
    const struct pair *pair = context;
    rh_check(value_of(pair->second) <= value_of(pair->first));
}

static void seen_together(const void *context)
{
    const struct pair *pair = context;
    rh_check(value_of(pair->second) + value_of(pair->first) < 100);
}

// Each server gets one message, so that no actor has a pair: the order of the two is the only goal.
RH_TEST(two_servers)
{
    struct pair pair = spawn_pair();
    rh_invariant(second_not_ahead, struct pair, {.first = pair.first, .second = pair.second});
    rh_send_from(rh_outside("ann"), pair.first, update, {.value = 1});
    rh_send_from(rh_outside("ben"), pair.second, update, {.value = 1});
}

// An invariant over both sees updates, but not who only looks: four updates of two servers are four pairs across, and two
// pairs at one actor.
RH_TEST(readers)
{
    struct pair pair = spawn_pair();
    rh_invariant(seen_together, struct pair, {.first = pair.first, .second = pair.second});
    rh_send_from(rh_outside("ann"), pair.first, update, {.value = 1});
    rh_send_from(rh_outside("ben"), pair.second, update, {.value = 2});
    rh_send_from(rh_outside("eva"), pair.first, update, {.value = 3});
    rh_send_from(rh_outside("dan"), pair.second, update, {.value = 4});
    rh_send_from(rh_outside("ida"), pair.second, look);
}

// A server that dies if its value falls takes its process with it, and what was learned stays.
static void mortal_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct server *server = state;
    const struct update *update = rh_as(message, update);
    (void)self;
    if (!update)
        return;
    if (update->value < server->value)
        *(volatile int *)8 = 0;
    server->value = update->value;
}

RH_TEST(deaths)
{
    struct pair pair = spawn_pair();
    pair.first = rh_spawn(mortal_behaviour, struct server, {.value = 0});
    rh_invariant(seen_together, struct pair, {.first = pair.first, .second = pair.second});
    rh_send_from(rh_outside("ann"), pair.first, update, {.value = 1});
    rh_send_from(rh_outside("ben"), pair.first, update, {.value = 2});
    rh_send_from(rh_outside("eva"), pair.second, update, {.value = 3});
}

// A message goes from relay to relay, and the last one updates the second server.
enum { RELAYS = 60, GUESTS = 3 };

struct relay {
    rh_actor *next;
};

static void relay_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct relay *relay = state;
    const struct hop *hop = rh_as(message, hop);
    (void)self;
    if (hop && hop->left > 0)
        rh_send(relay->next, hop, {.left = hop->left - 1});
    else if (hop)
        rh_send(relay->next, update, {.value = 1});
}

static void host_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_as(message, hello);
}

// The update of the first server must wait until the other one has gone all the way. There are guests whose orders at
// their host are goals too, and mean nothing.
RH_TEST(long_way)
{
    static const char *const names[GUESTS] = {"ann", "ben", "eva"};
    struct pair pair = spawn_pair();
    rh_actor *next = pair.second, *host = rh_spawn(host_behaviour);
    rh_invariant(second_not_ahead, struct pair, {.first = pair.first, .second = pair.second});
    for (int i = 0; i < RELAYS; i++)
        next = rh_spawn(relay_behaviour, struct relay, {.next = next});
    for (int i = 0; i < GUESTS; i++)
        rh_send_from(rh_outside(names[i]), host, hello);
    rh_send_from(rh_outside("dan"), pair.first, update, {.value = 1});
    rh_send_from(rh_outside("ida"), next, hop, {.left = RELAYS - 1});
}

// The reply that an asker waits for changes it, which the invariant sees together with the server.
struct asker {
    rh_actor *server;
    int value;
};

static void asker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct asker *asker = state;
    (void)self;
    if (!rh_as(message, go))
        return;
    const rh_message *answer = rh_ask(asker->server, fetch);
    asker->value = ((const struct fetched *)rh_as(answer, fetched))->value;
}

static void asker_follows(const void *context)
{
    const struct pair *pair = context;
    const struct asker *asker = rh_view_state(pair->second);
    rh_check(asker->value <= value_of(pair->first));
}

RH_TEST(replies)
{
    rh_actor *server = rh_spawn(server_behaviour, struct server, {.value = 0});
    rh_actor *asker = rh_spawn(asker_behaviour, struct asker, {.server = server});
    rh_invariant(asker_follows, struct pair, {.first = server, .second = asker});
    rh_send_from(rh_outside("ann"), asker, go);
    rh_send_from(rh_outside("ben"), server, update, {.value = 1});
}

// Two senders in the name of a third: their messages keep the order in which the two ran.
struct sender {
    rh_actor *host, *name;
};

static void sender_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct sender *sender = state;
    (void)self;
    if (rh_as(message, go))
        rh_send_from(sender->name, sender->host, hello);
}

static void send_in_one_name(int senders)
{
    rh_actor *host = rh_spawn(host_behaviour), *name = rh_outside("name");
    for (int i = 0; i < senders; i++)
        rh_send(rh_spawn(sender_behaviour, struct sender, {.host = host, .name = name}), go);
}

RH_TEST(one_name)
{
    send_in_one_name(2);
}

RH_TEST(one_name_of_three)
{
    send_in_one_name(3);
}

// One actor sets a timer for another, which has timers of its own.
struct setter {
    rh_actor *other;
};

static void setter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct setter *setter = state;
    (void)self;
    if (rh_as(message, go))
        rh_after(5, setter->other, tick);
    else if (!rh_as(message, tick))
        rh_as(message, hello);
}

RH_TEST(timers_of_another)
{
    rh_actor *other = rh_spawn(setter_behaviour, struct setter, {.other = NULL});
    rh_actor *setter = rh_spawn(setter_behaviour, struct setter, {.other = other});
    rh_send(setter, go);
    rh_after(10, other, tick);
    rh_send_from(rh_outside("ann"), other, hello);
}
