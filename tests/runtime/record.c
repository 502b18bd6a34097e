// SPDX-License-Identifier: MIT
// Programs to record. What an actor has seen, in its order, is in its hash: a repetition that differs in anything has
// another sum of them.
//
//     record digest NODES HOPS    random sends, questions, timers and creations; prints the sum at the end
//     record endless              the same, without an end
//     record guests NODES HOPS    the same as digest, with more nodes that a thread outside creates meanwhile
//     record serve HOW            messages from a thread outside to actors that handlers create; HOW is crash, check,
//                                 pointer, or anything else for none of these; spawn, sized and held have the thread
//                                 create actors, whose state holds numbers and addresses, is of no known type, or
//                                 holds a pointer; sender has it call rh_outside
//     record drop                 mailboxes are full
//     record block                likewise, and senders wait
//     record squeeze              likewise, where what a sender does meanwhile is in hashes
//     record spill                the same, and what finds no room is dropped
//     record unsteady             sends more if a file `more` is there, which is not recorded
//     record late                 a message from outside names an actor that was gone, and another lives where it did
//     record early                main ends before rh_run if a file `stop` is there
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/run.h>
#include <rehearse/test.h>

RH_MESSAGE(job, {
    uint64_t value;
    int hops;
});
RH_MESSAGE(query, { uint64_t value; });
RH_MESSAGE(reply, { uint64_t value; });

enum { NODES_MOST = 32, PEERS = 3 };

static void oracle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    uint64_t *hash = state;
    const struct query *query = rh_as(message, query);
    (void)self;
    if (query) {
        *hash = *hash * 31 + query->value;
        rh_reply(message, reply, {.value = *hash});
    }
}

struct node {
    uint64_t hash;
    rh_actor *oracle;
    rh_actor *peers[PEERS];
    bool endless;
};

static void mix(struct node *node, uint64_t value)
{
    node->hash = (node->hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    node->hash ^= node->hash >> 29;
}

static void take_inputs(struct node *node)
{
    struct timespec now;
    uint64_t bytes;
    mix(node, (uint64_t)rand());
    mix(node, (uint64_t)rh_choose(5));
    switch (node->hash % 8) {
    case 0:
        clock_gettime(CLOCK_MONOTONIC, &now);
        mix(node, (uint64_t)now.tv_nsec);
        break;
    case 1:
        mix(node, (uint64_t)time(NULL));
        break;
    case 2:
        if (getrandom(&bytes, 5, 0) == 5)
            mix(node, bytes & 0xffffffffff);
        break;
    case 3:
        mix(node, rh_now());
        mix(node, rh_now());
        break;
    default:
        break;
    }
}

static void node_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct node *node = state;
    const struct job *job = rh_as(message, job);
    if (!job)
        return;
    mix(node, job->value);
    take_inputs(node);
    int hops = job->hops;
    if (node->hash % 5 == 0)
        mix(node,
            ((const struct reply *)rh_as(rh_ask(node->oracle, query, {.value = node->hash}), reply))
                ->value);
    if (hops == 0)
        return;
    hops -= !node->endless;
    if (node->hash % 4 == 0) {
        rh_after(node->hash % 3, self, job, {.value = node->hash, .hops = hops});
    } else if (node->hash % 11 == 0) {
        rh_actor *child = rh_spawn(node_behaviour, struct node, {.oracle = node->oracle});
        rh_send(child, job, {.value = node->hash, .hops = 0});
        rh_send(self, job, {.value = node->hash, .hops = hops});
    } else {
        rh_actor *peer = node->peers[node->hash % PEERS];
        rh_send(peer ? peer : self, job, {.value = node->hash, .hops = hops});
    }
}

struct nodes {
    int count;
    int hops;
    bool endless;
    rh_actor *oracle;
    rh_actor *all[NODES_MOST];
};

static void print_sum(const void *context)
{
    const struct nodes *nodes = context;
    uint64_t sum = 0;
    for (int i = 0; i < nodes->count; i++)
        sum += ((const struct node *)rh_view_state(nodes->all[i]))->hash;
    printf("sum %016llx\n", (unsigned long long)sum);
    fflush(stdout);
}

static void set_up_nodes(void *context)
{
    struct nodes *nodes = context;
    nodes->oracle = rh_spawn(oracle_behaviour, uint64_t, {1});
    for (int i = 0; i < nodes->count; i++) {
        struct node node = {
            .hash = (uint64_t)rand(), .oracle = nodes->oracle, .endless = nodes->endless};
        for (int k = 0; k < PEERS && i > 0; k++)
            node.peers[k] = nodes->all[(i * 7 + k * 5) % i];
        nodes->all[i] = rh_spawn_sized(node_behaviour, &node, sizeof node);
        rh_send(nodes->all[i], job, {.value = (uint64_t)i, .hops = nodes->hops});
    }
    if (!nodes->endless)
        rh__judge(print_sum, "print_sum", true, nodes, sizeof *nodes);
}

// Each knows nodes of setup and the guest before it, and each gets its jobs while others come.
static int invite(struct nodes *nodes)
{
    enum { GUESTS = 12 };
    rh_actor *before = NULL;
    if (rh_start(&(rh_options){.stay = true, .context = nodes}, set_up_nodes) != 0)
        return 2;
    for (int i = 0; i < GUESTS; i++) {
        rh_actor *first = nodes->all[i % nodes->count];
        before = rh_spawn(node_behaviour, struct node,
                          {.hash = (uint64_t)i,
                           .oracle = nodes->oracle,
                           .peers = {first, before ? before : first, nodes->all[0]}});
        rh_send(before, job, {.value = (uint64_t)i, .hops = nodes->hops});
        usleep(200);
    }
    rh_drain();
    return rh_wait();
}

// A server.

RH_MESSAGE(open_one, { int number; });
RH_MESSAGE(line, {
    char text[16];
    rh_actor *peer;
});
RH_MESSAGE(blob, {
    int length;
    char bytes[];
});
RH_MESSAGE(loose, { const char *text; });
RH_SIGNAL(expire);

enum { CONNECTIONS = 4, LINES = 40 };

static rh_actor *connections[CONNECTIONS];
static int opened;

struct connection {
    int number;
    int seen;
};

static void connection_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct connection *connection = state;
    const struct line *line;
    const struct blob *blob;
    (void)self;
    if ((line = rh_as(message, line))) {
        connection->seen++;
        if (line->peer)
            rh_send(line->peer, line, {.text = "passed on"});
        if (strcmp(line->text, "crash") == 0)
            *(volatile int *)NULL = connection->seen;
        rh_check(strcmp(line->text, "check") != 0);
    } else if ((blob = rh_as(message, blob))) {
        for (int i = 0; i < blob->length; i++)
            connection->seen += blob->bytes[i];
    } else {
        rh_ignore(message);
    }
}

static void acceptor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int number = ((const struct open_one *)rh_as(message, open_one))->number;
    (void)self, (void)state;
    rh_actor *one = rh_spawn(connection_behaviour, struct connection, {.number = number});
    rh_after(3, one, expire);
    connections[number] = one;
    __atomic_add_fetch(&opened, 1, __ATOMIC_SEQ_CST);
}

static void set_up_acceptor(void *context)
{
    *(rh_actor **)context = rh_spawn(acceptor_behaviour);
}

static void send_line(int to, const char *text, rh_actor *peer)
{
    struct line line = {.peer = peer};
    snprintf(line.text, sizeof line.text, "%s", text);
    rh_send_sized(connections[to], line, &line, sizeof line);
}

static void send_blob(int to, int length)
{
    _Alignas(8) char bytes[sizeof(struct blob) + 300] = {0};
    struct blob *blob = (struct blob *)bytes;
    blob->length = length;
    memset(blob->bytes, to + 1, (size_t)length);
    rh_send_sized(connections[to], blob, blob, sizeof *blob + (size_t)length);
}

static int serve(const char *how)
{
    rh_actor *acceptor;
    if (rh_start(&(rh_options){.stay = true, .context = &acceptor}, set_up_acceptor) != 0)
        return 2;
    for (int i = 0; i < CONNECTIONS; i++)
        rh_send(acceptor, open_one, {.number = i});
    while (__atomic_load_n(&opened, __ATOMIC_SEQ_CST) < CONNECTIONS)
        usleep(100);
    for (int i = 0; i < LINES; i++) {
        send_line(i % CONNECTIONS, "line", i % 3 ? connections[(i + 1) % CONNECTIONS] : NULL);
        send_blob((i + 2) % CONNECTIONS, i * 7);
        if (i % 10 == 0)
            rh_after((uint64_t)i, connections[1], expire);
    }
    if (strcmp(how, "pointer") == 0)
        rh_send(connections[0], loose, {.text = how});
    struct connection connection = {.number = 7};
    if (strcmp(how, "spawn") == 0) {
        rh_actor *late = rh_spawn(acceptor_behaviour);
        rh_actor *one = rh_spawn(connection_behaviour, struct connection, {.number = 7});
        rh_send(late, open_one, {.number = 0});
        rh_send(one, line, {.text = "check", .peer = connections[0]});
    }
    if (strcmp(how, "sized") == 0)
        rh_spawn_sized(connection_behaviour, &connection, sizeof connection);
    if (strcmp(how, "held") == 0)
        rh_spawn(connection_behaviour, struct connection *, {&connection});
    if (strcmp(how, "sender") == 0)
        rh_outside("late");
    send_line(2, how, NULL);
    rh_drain();
    return rh_wait();
}

// Full mailboxes.

static void flood_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor **to = state;
    (void)self;
    if (!rh_as(message, expire) || !*to)
        return;
    for (int i = 0; i < 50; i++)
        rh_send(*to, expire);
}

static void set_up_flood(void *context)
{
    (void)context;
    rh_actor *sink = rh_spawn(flood_behaviour, rh_actor *, {NULL});
    rh_send(rh_spawn(flood_behaviour, rh_actor *, {sink}), expire);
}

// Three that send in turn to two who see all of it, in their order, with actors of their own in between; nobody's
// mailbox holds more than four.

enum { SOURCES = 3, SINKS = 2, ROUNDS = 60 };

struct sinks {
    rh_actor *all[SINKS];
};

static void eye_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct node *node = state;
    const struct job *job = rh_as(message, job);
    (void)self;
    if (job)
        mix(node, job->value);
    for (volatile int i = 0; i < 300; i++) // slower than who sends
        ;
}

static void errand_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sinks *sinks = state;
    const struct job *job = rh_as(message, job);
    (void)self;
    if (job)
        rh_send(sinks->all[job->value % SINKS], job, {.value = job->value * 3});
    rh_stop();
}

static void source_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sinks *sinks = state;
    const struct job *job = rh_as(message, job);
    (void)self;
    for (uint64_t i = 0; job && i < ROUNDS; i++) {
        uint64_t value = job->value * 1000 + i;
        rh_send(sinks->all[i / 3 % SINKS], job, {.value = value});
        if (i % 7 == 0)
            rh_send(rh_spawn_sized(errand_behaviour, sinks, sizeof *sinks), job, {.value = value});
        if (i % 5 == 0)
            rh_after(i % 3, sinks->all[0], job, {.value = value * 7});
    }
}

static void set_up_squeeze(void *context)
{
    struct sinks sinks;
    struct nodes nodes = {.count = SINKS};
    (void)context;
    for (int i = 0; i < SINKS; i++)
        nodes.all[i] = sinks.all[i] = rh_spawn(eye_behaviour, struct node, {.hash = 1});
    for (uint64_t i = 0; i < SOURCES; i++)
        rh_send(rh_spawn_sized(source_behaviour, &sinks, sizeof sinks), job, {.value = i + 1});
    rh__judge(print_sum, "print_sum", true, &nodes, sizeof nodes);
}

// What is not recorded.

static void unsteady_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *left = state;
    (void)message;
    rh_ignore(message);
    if (--*left <= 0)
        return;
    rh_send(self, expire);
    if (*left == 5 && access("more", F_OK) == 0)
        rh_send(self, expire);
}

static void set_up_unsteady(void *context)
{
    (void)context;
    rh_send(rh_spawn(unsteady_behaviour, int, {20}), expire);
}

// Actors that come and go in one place, of which the outside knows the first.

static void mortal_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *left = state;
    rh_ignore(message);
    if (!connections[0])
        connections[0] = self;
    if (--*left > 0)
        rh_send(rh_spawn(mortal_behaviour, int, {*left}), expire);
    else
        __atomic_store_n(&opened, 1, __ATOMIC_SEQ_CST);
    rh_stop();
}

static void set_up_late(void *context)
{
    rh_actor **actors = context;
    actors[0] = rh_spawn(connection_behaviour, struct connection, {.number = 0});
    rh_send(rh_spawn(mortal_behaviour, int, {300}), expire);
}

static int late(void)
{
    rh_actor *actor;
    if (rh_start(&(rh_options){.stay = true, .context = &actor}, set_up_late) != 0)
        return 2;
    while (!__atomic_load_n(&opened, __ATOMIC_SEQ_CST))
        usleep(100);
    rh_send(connections[0], expire); // to nobody
    rh_send(actor, line, {.text = "late", .peer = connections[0]});
    rh_drain();
    return rh_wait();
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";
    struct nodes nodes = {.count = count > 2 ? atoi(arguments[2]) : 8,
                          .hops = count > 3 ? atoi(arguments[3]) : 20,
                          .endless = strcmp(what, "endless") == 0};
    if (strcmp(what, "early") == 0 && access("stop", F_OK) == 0)
        return 0;
    if (strcmp(what, "guests") == 0)
        return invite(&nodes);
    if (strcmp(what, "serve") == 0)
        return serve(count > 2 ? arguments[2] : "");
    if (strcmp(what, "drop") == 0)
        return rh_run(&(rh_options){.mailbox_limit = 4, .overload = RH_DROP_NEWEST}, set_up_flood);
    if (strcmp(what, "squeeze") == 0)
        return rh_run(&(rh_options){.mailbox_limit = 4}, set_up_squeeze);
    if (strcmp(what, "spill") == 0)
        return rh_run(&(rh_options){.mailbox_limit = 4, .overload = RH_DROP_NEWEST},
                      set_up_squeeze);
    if (strcmp(what, "unsteady") == 0)
        return rh_run(NULL, set_up_unsteady);
    if (strcmp(what, "late") == 0)
        return late();
    if (strcmp(what, "block") == 0)
        return rh_run(&(rh_options){.mailbox_limit = 4}, set_up_flood);
    return rh_run(&(rh_options){.context = &nodes}, set_up_nodes);
}
