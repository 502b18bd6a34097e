// SPDX-License-Identifier: MIT
// Three servers that copy entries to each other, as a program in C does it that was not written for Rehearse: a state of
// BYTES bytes in a struct and in blocks of malloc's, a buffer on the stack, about 100 ns a handler; and two invariants that
// look at all three. 60 messages an execution, in any order. With -DBY_HAND the same handlers without Rehearse: a walk that
// takes one of the waiting messages at random until there is none, looks at the invariants after each, and begins anew, for
// as many seconds as its argument says. It prints executions and deliveries a second.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BYTES
#define BYTES 2048
#endif
enum {
    SERVERS = 3,
    EACH = 4,
    ENTRIES = 16,
    WORDS = 80,
    TABLE = BYTES / 2,
    REST = BYTES / 2 - 24 * ENTRIES - 48
};

struct entry {
    uint64_t sum;
    uint32_t origin, number;
    uint32_t acks;
    bool is_committed;
};

struct server {
    uint32_t id, count, committed, applied;
    uint64_t digest;
    char *table; // TABLE bytes; NULL until the first message
    struct entry entries[ENTRIES];
    unsigned char rest[REST]; // pages of the file, say: few of them change at a time
};

// What a server sends, by whoever drives it.
static void send_append(void *context, uint32_t to, uint32_t from, uint32_t number,
                        const char *text);
static void send_ack(void *context, uint32_t to, uint32_t origin, uint32_t number);

// What takes the time: a text is made and summed up.
static uint64_t mix(const char *text, uint32_t salt)
{
    uint64_t buffer[WORDS], sum = salt;
    memset(buffer, 0, sizeof buffer);
    memcpy(buffer, text, strlen(text));
    for (int i = 0; i < WORDS; i++)
        sum = (sum ^ buffer[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static void put(struct server *server, uint32_t origin, uint32_t number, const char *text)
{
    if (!server->table)
        server->table = calloc(1, TABLE);
    if (!server->table || server->count == ENTRIES)
        abort();
    uint64_t sum = mix(text, origin * EACH + number);
    server->entries[server->count++] =
        (struct entry){.sum = sum, .origin = origin, .number = number};
    strcpy(server->table + sum % (TABLE / 64) * 64, text);
    server->rest[sum % REST] ^= (unsigned char)number;
    server->digest ^= sum;
}

static void on_propose(struct server *server, void *context, uint32_t number)
{
    char text[32];
    char *scratch = malloc(64);
    if (!scratch)
        abort();
    memset(scratch, 'a' + (int)number, 20);
    scratch[20] = '\0';
    strcpy(text, scratch);
    free(scratch);
    put(server, server->id, number, text);
    for (uint32_t to = 0; to < SERVERS; to++)
        if (to != server->id)
            send_append(context, to, server->id, number, text);
}

static void on_append(struct server *server, void *context, uint32_t origin, uint32_t number,
                      const char *text)
{
    put(server, origin, number, text);
    send_ack(context, origin, origin, number);
}

static void on_ack(struct server *server, uint32_t origin, uint32_t number)
{
    for (uint32_t i = 0; i < server->count; i++) {
        struct entry *entry = &server->entries[i];
        if (entry->origin != origin || entry->number != number)
            continue;
        entry->acks++;
        if (!entry->is_committed)
            server->committed++;
        entry->is_committed = true;
    }
    server->applied = (uint32_t)mix("applied", server->applied) & 0xff;
}

// What the invariants say of the servers.
static bool has_room(const struct server *const servers[SERVERS])
{
    for (int i = 0; i < SERVERS; i++)
        if (servers[i]->committed > servers[i]->count)
            return false;
    return true;
}

static bool is_known_elsewhere(const struct server *const servers[SERVERS])
{
    uint32_t committed = 0, count = 0;
    for (int i = 0; i < SERVERS; i++)
        committed += servers[i]->committed, count += servers[i]->count;
    return 2 * committed <= count;
}

#ifdef BY_HAND
#include <time.h>

enum kind { PROPOSE, APPEND, ACK };

struct message {
    enum kind kind;
    uint32_t to, origin, number;
    char text[24];
};

struct walk {
    struct server servers[SERVERS];
    struct message waiting[64];
    uint32_t count;
    uint64_t seed, deliveries;
};

static void send_append(void *context, uint32_t to, uint32_t from, uint32_t number,
                        const char *text)
{
    struct walk *walk = context;
    struct message *message = &walk->waiting[walk->count++];
    *message = (struct message){.kind = APPEND, .to = to, .origin = from, .number = number};
    strcpy(message->text, text);
}

static void send_ack(void *context, uint32_t to, uint32_t origin, uint32_t number)
{
    struct walk *walk = context;
    walk->waiting[walk->count++] =
        (struct message){.kind = ACK, .to = to, .origin = origin, .number = number};
}

static void take(struct walk *walk)
{
    walk->seed = walk->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    uint32_t index = (uint32_t)(walk->seed >> 33) % walk->count;
    struct message message = walk->waiting[index];
    memmove(&walk->waiting[index], &walk->waiting[index + 1],
            sizeof message * (--walk->count - index));
    struct server *server = &walk->servers[message.to];
    if (message.kind == PROPOSE)
        on_propose(server, walk, message.number);
    else if (message.kind == APPEND)
        on_append(server, walk, message.origin, message.number, message.text);
    else
        on_ack(server, message.origin, message.number);
    walk->deliveries++;
}

static void run(struct walk *walk)
{
    const struct server *servers[SERVERS];
    for (uint32_t i = 0; i < SERVERS; i++) {
        memset(&walk->servers[i], 0, sizeof walk->servers[i]);
        walk->servers[i].id = i;
        servers[i] = &walk->servers[i];
        for (uint32_t number = 0; number < EACH; number++)
            walk->waiting[walk->count++] =
                (struct message){.kind = PROPOSE, .to = i, .number = number};
    }
    while (walk->count > 0) {
        take(walk);
        if (!has_room(servers) || !is_known_elsewhere(servers))
            abort();
    }
    for (int i = 0; i < SERVERS; i++)
        free(walk->servers[i].table);
}

int main(int argc, char **argv)
{
    static struct walk walk = {.seed = 1};
    double limit = argc > 1 ? atof(argv[1]) : 1, seconds = 0;
    uint64_t executions = 0;
    for (clock_t start = clock(); seconds < limit;
         seconds = (double)(clock() - start) / CLOCKS_PER_SEC)
        for (int i = 0; i < 1000; i++, executions++)
            run(&walk);
    printf("%.0f %.0f\n", (double)executions / seconds, (double)walk.deliveries / seconds);
}
#else
#include <rehearse/test.h>

RH_MESSAGE(propose, { uint32_t number; });
RH_MESSAGE(append, {
    uint32_t origin, number;
    char text[24];
});
RH_MESSAGE(ack, { uint32_t origin, number; });

// Written by the test's body alone.
static rh_actor *peers[SERVERS];

static void send_append(void *context, uint32_t to, uint32_t from, uint32_t number,
                        const char *text)
{
    struct append append = {.origin = from, .number = number};
    strcpy(append.text, text);
    (void)context;
    rh_send_sized(peers[to], append, &append, sizeof append);
}

static void send_ack(void *context, uint32_t to, uint32_t origin, uint32_t number)
{
    (void)context;
    rh_send(peers[to], ack, {.origin = origin, .number = number});
}

static void node_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct server *server = state;
    const struct propose *propose = rh_as(message, propose);
    const struct append *append = rh_as(message, append);
    const struct ack *ack = rh_as(message, ack);
    (void)self;
    if (propose)
        on_propose(server, NULL, propose->number);
    else if (append)
        on_append(server, NULL, append->origin, append->number, append->text);
    else if (ack)
        on_ack(server, ack->origin, ack->number);
}

struct watched {
    rh_actor *servers[SERVERS];
};

static void view(const void *context, const struct server *servers[SERVERS])
{
    const struct watched *watched = context;
    for (int i = 0; i < SERVERS; i++)
        servers[i] = rh_view_state(watched->servers[i]);
}

static void room(const void *context)
{
    const struct server *servers[SERVERS];
    view(context, servers);
    rh_check(has_room(servers));
}

static void known_elsewhere(const void *context)
{
    const struct server *servers[SERVERS];
    view(context, servers);
    rh_check(is_known_elsewhere(servers));
}

RH_TEST(protocol)
{
    static struct server server;
    for (uint32_t i = 0; i < SERVERS; i++) {
        server.id = i;
        peers[i] = rh_spawn_sized(node_behaviour, &server, sizeof server);
    }
    for (uint32_t i = 0; i < SERVERS; i++)
        for (uint32_t number = 0; number < EACH; number++)
            rh_send(peers[i], propose, {.number = number});
    rh_invariant(room, struct watched, {.servers = {peers[0], peers[1], peers[2]}});
    rh_invariant(known_elsewhere, struct watched, {.servers = {peers[0], peers[1], peers[2]}});
}
#endif
