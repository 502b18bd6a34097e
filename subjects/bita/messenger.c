// SPDX-License-Identifier: MIT
// A messenger service, after the example of the Erlang tutorial, which Bita's authors took over.
//
// Clients log on to a server under a name, have it pass messages on, and log off; then a director
// starts another client with the same name.
//
// A client that logs off tells the server. It must not be off before the server knows, or
//
// name_taken: if it says at once that it has left, the next client may log on at the server before
//             it, and finds the name taken: under `--delivery fifo`.
// late_message: if it expects no messages any more from then on, one may come that the server has
//             passed on before: under any order rule.
//
// In the fixed twin a client stays until the server has confirmed, which comes after all messages
// that the server passed on to it before; that rests on `--delivery fifo`.
//
// bug:     --test name_taken : check
// cause:   add_user from client reached server before remove_user from client
// bug:     --test late_message : unhandled
// cause:   log_off from director reached client before message_from from server
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST_NAMES = 12 };

enum bug { NO_BUG, NAME_TAKEN, LATE_MESSAGE };

RH_SIGNAL(start);
RH_SIGNAL(log_on);
RH_SIGNAL(write);
RH_SIGNAL(log_off);
RH_MESSAGE(has_left, { int name; });
RH_MESSAGE(add_user, { int name; });
RH_SIGNAL(added);
RH_SIGNAL(name_is_taken);
RH_MESSAGE(remove_user, { int name; });
RH_SIGNAL(removed);
RH_MESSAGE(message_to, {
    int from;
    int to;
});
RH_SIGNAL(sent);
RH_SIGNAL(nobody_there);
RH_MESSAGE(message_from, { int name; });

// Set by the test's body, and only read afterwards.
static struct {
    enum bug bug;
    int names;
    int writers;  // so many of them write messages
    int messages; // so many each time that they are logged on
    rh_actor *director;
    rh_actor *server;
    rh_actor *first[MOST_NAMES];
    rh_actor *second[MOST_NAMES];
} service;

struct server {
    rh_actor *user[MOST_NAMES]; // by name, NULL if nobody has it
};

static void add(struct server *server, int name, const rh_message *message)
{
    if (server->user[name]) {
        rh_reply(message, name_is_taken);
    } else {
        server->user[name] = rh_sender(message);
        rh_reply(message, added);
    }
}

static void pass_on(struct server *server, const struct message_to *message_to,
                    const rh_message *message)
{
    rh_check(server->user[message_to->from] == rh_sender(message));
    if (server->user[message_to->to]) {
        rh_send(server->user[message_to->to], message_from, {.name = message_to->from});
        rh_reply(message, sent);
    } else {
        rh_reply(message, nobody_there);
    }
}

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct server *server = state;
    const struct add_user *add_user;
    const struct remove_user *remove_user;
    const struct message_to *message_to;
    (void)self;

    if ((add_user = rh_as(message, add_user))) {
        add(server, add_user->name, message);
    } else if ((remove_user = rh_as(message, remove_user))) {
        server->user[remove_user->name] = NULL;
        if (service.bug != NAME_TAKEN)
            rh_reply(message, removed);
    } else if ((message_to = rh_as(message, message_to))) {
        pass_on(server, message_to, message);
    }
}

struct client {
    int name;
    int next_to; // who gets the next message
    int received;
};

static rh_behaviour online_client_behaviour;

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    (void)self;

    if (!rh_as(message, log_on))
        return;
    const rh_message *answer = rh_ask(service.server, add_user, {.name = client->name});
    bool name_was_free = rh_as(answer, added);
    rh_check(name_was_free);
    rh_become(online_client_behaviour);
}

static void leave(const struct client *client)
{
    rh_send(service.director, has_left, {.name = client->name});
}

// Has told the server that it leaves; `name_taken` has told the director too.
static void leaving_client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    (void)self;

    if (rh_as(message, removed))
        leave(client);
    else if (rh_as(message, message_from) && service.bug != LATE_MESSAGE)
        client->received++;
    else
        rh_unhandled(message);
}

static void write_message(struct client *client)
{
    const rh_message *answer =
        rh_ask(service.server, message_to, {.from = client->name, .to = client->next_to});

    rh_check(rh_as(answer, sent) || rh_as(answer, nobody_there));
    client->next_to = (client->next_to + 1) % service.names;
}

static void online_client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    (void)self;

    if (rh_as(message, message_from)) {
        client->received++;
    } else if (rh_as(message, write)) {
        write_message(client);
    } else if (rh_as(message, log_off)) {
        rh_send(service.server, remove_user, {.name = client->name});
        rh_become(leaving_client_behaviour);
        if (service.bug == NAME_TAKEN)
            leave(client);
    }
}

static void use(rh_actor *client, int name)
{
    rh_send(client, log_on);
    for (int i = 0; i < service.messages && name < service.writers; i++)
        rh_send(client, write);
}

static void director_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct has_left *has_left;
    (void)self, (void)state;

    if (rh_as(message, start)) {
        for (int i = 0; i < service.names; i++) {
            use(service.first[i], i);
            if (service.second[i])
                rh_send(service.first[i], log_off);
        }
    } else if ((has_left = rh_as(message, has_left))) {
        use(service.second[has_left->name], has_left->name);
    }
}

struct watched {
    rh_actor *server;
};

static void all_are_logged_on(const void *context)
{
    const struct watched *watched = context;
    const struct server *server = rh_view_state(watched->server);

    for (int i = 0; i < service.names; i++)
        rh_check(server->user[i] == (service.second[i] ? service.second[i] : service.first[i]));
}

static rh_actor *new_client(int name)
{
    return rh_spawn(client_behaviour, struct client,
                    {.name = name, .next_to = (name + 1) % service.names});
}

// Those whose name is at least `leavers_from` log off, and their names are used again.
static void run_service(enum bug bug, int leavers_from)
{
    service.bug = bug;
    service.director = rh_spawn(director_behaviour);
    service.server = rh_spawn(server_behaviour, struct server, {.user = {NULL}});
    for (int i = 0; i < service.names; i++) {
        service.first[i] = new_client(i);
        service.second[i] = i < leavers_from ? NULL : new_client(i);
    }
    rh_finally(all_are_logged_on, struct watched, {.server = service.server});
    rh_send(service.director, start);
}

// The first client writes to the second, which leaves.
static void run_small(enum bug bug)
{
    service.names = 2;
    service.writers = 1;
    service.messages = 1;
    run_service(bug, 1);
}

static void run_full(enum bug bug)
{
    service.names = MOST_NAMES;
    service.writers = MOST_NAMES;
    service.messages = 3;
    run_service(bug, 0);
}

RH_TEST(name_taken)
{
    run_small(NAME_TAKEN);
}

RH_TEST(late_message)
{
    run_small(LATE_MESSAGE);
}

RH_TEST(fixed)
{
    run_small(NO_BUG);
}

RH_TEST(name_taken_full)
{
    run_full(NAME_TAKEN);
}

RH_TEST(late_message_full)
{
    run_full(LATE_MESSAGE);
}

RH_TEST(fixed_full)
{
    run_full(NO_BUG);
}
