// SPDX-License-Identifier: MIT
// A store in shards, of which one moves to another server while clients write to it.
//
// A directory knows which server has the shard. When it is told to, it has the server give the shard away: the server
// starts a mover, which asks it for the keys piece by piece, and sends each piece to the new server. The old server
// goes on serving clients meanwhile. What is written to keys that the mover has already taken is forwarded to the new
// server as well. When the last piece is stored and all that was forwarded is acknowledged, the old server tells the
// directory, which makes the new one the owner. A client that is told `moved` asks the directory where to write, and
// again after a while if it is told to come back later.
//
// What goes wrong: pieces and forwarded writes come to the new server by two ways. A write that was forwarded may be
// there before the piece in which the mover has the key as it was before, and the piece overwrites it: what was
// acknowledged is lost. In the fixed twin each value has a version, and the new server keeps the higher one.
//
// bug:     --test broken : final
// cause:   forward from server reached server before piece from mover
// twin:    --test fixed
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { KEYS = 2, PIECE = 1, SERVERS = 2, LATER_MS = 50, MOST_ASKS = 3 };

struct entry {
    int value;
    int version;
};

// To the directory.
RH_SIGNAL(move_shard);
RH_SIGNAL(where);
RH_SIGNAL(handed_over);

// To a server.
RH_MESSAGE(give_away, { rh_actor *to; });
RH_SIGNAL(take_over);
RH_MESSAGE(put, {
    int key;
    int value;
});
RH_MESSAGE(forward, {
    int key;
    struct entry entry;
});
RH_SIGNAL(forward_stored);
RH_MESSAGE(read_piece, { int from; });
RH_MESSAGE(piece, {
    int from;
    struct entry entries[PIECE];
});
RH_SIGNAL(all_copied);

// To a mover.
RH_SIGNAL(start_moving);
RH_MESSAGE(piece_is, {
    int from;
    struct entry entries[PIECE];
});
RH_SIGNAL(piece_stored);

// To a client.
RH_SIGNAL(start);
RH_SIGNAL(put_done);
RH_SIGNAL(moved);
RH_MESSAGE(owner_is, { rh_actor *server; });
RH_SIGNAL(ask_again);

struct directory {
    rh_actor *servers[SERVERS];
    int owner;
};

static void directory_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct directory *directory = state;
    (void)self;

    if (rh_as(message, move_shard)) {
        rh_send(directory->servers[directory->owner], give_away,
                {.to = directory->servers[(directory->owner + 1) % SERVERS]});
    } else if (rh_as(message, handed_over)) {
        directory->owner = (directory->owner + 1) % SERVERS;
        rh_send(directory->servers[directory->owner], take_over);
    } else if (rh_as(message, where)) {
        rh_send(rh_sender(message), owner_is, {.server = directory->servers[directory->owner]});
    }
}

struct mover {
    rh_actor *source;
    rh_actor *target;
    int next; // key
};

static void go_on(struct mover *mover)
{
    if (mover->next < KEYS)
        rh_send(mover->source, read_piece, {.from = mover->next});
    else
        rh_send(mover->source, all_copied);
}

static void mover_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct mover *mover = state;
    const struct piece_is *read;
    (void)self;

    if (rh_as(message, start_moving)) {
        go_on(mover);
    } else if ((read = rh_as(message, piece_is))) {
        struct piece copy = {.from = read->from};
        for (int i = 0; i < PIECE; i++)
            copy.entries[i] = read->entries[i];
        rh_send_sized(mover->target, piece, &copy, sizeof copy);
    } else if (rh_as(message, piece_stored)) {
        mover->next += PIECE;
        go_on(mover);
    }
}

enum role { OWNER, GIVES_AWAY, NOT_OWNER };

struct server {
    rh_actor *directory;
    enum role role;
    bool compares; // the fix
    struct entry entries[KEYS];
    rh_actor *target; // while it gives the shard away
    int taken;        // keys that the mover has taken
    int forwarded;    // writes that are not acknowledged
    bool is_copied;
};

static void store(struct server *server, int key, struct entry entry)
{
    if (!server->compares || entry.version > server->entries[key].version)
        server->entries[key] = entry;
}

static void handle_put(struct server *server, rh_actor *client, const struct put *put)
{
    struct entry *entry = &server->entries[put->key];
    if (server->role == NOT_OWNER) {
        rh_send(client, moved);
        return;
    }
    entry->value = put->value;
    entry->version++;
    if (server->role == GIVES_AWAY && put->key < server->taken) {
        server->forwarded++;
        rh_send(server->target, forward, {.key = put->key, .entry = *entry});
    }
    rh_send(client, put_done);
}

static void hand_over(struct server *server)
{
    if (!server->is_copied || server->forwarded > 0)
        return;
    server->role = NOT_OWNER;
    rh_send(server->directory, handed_over);
}

// What the old server does to give its shard away.
static void handle_giving(struct server *server, const rh_message *message)
{
    const struct give_away *give;
    const struct read_piece *read;

    if ((give = rh_as(message, give_away))) {
        server->role = GIVES_AWAY;
        server->target = give->to;
        rh_send(rh_spawn(mover_behaviour, struct mover, {.source = rh_self(), .target = give->to}),
                start_moving);
    } else if ((read = rh_as(message, read_piece))) {
        struct piece_is copy = {.from = read->from};
        for (int i = 0; i < PIECE; i++)
            copy.entries[i] = server->entries[read->from + i];
        server->taken = read->from + PIECE;
        rh_send_sized(rh_sender(message), piece_is, &copy, sizeof copy);
    } else if (rh_as(message, forward_stored)) {
        server->forwarded--;
        hand_over(server);
    } else if (rh_as(message, all_copied)) {
        server->is_copied = true;
        hand_over(server);
    }
}

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct server *server = state;
    const struct put *put;
    const struct forward *forward;
    const struct piece *piece;
    (void)self;

    if ((put = rh_as(message, put))) {
        handle_put(server, rh_sender(message), put);
    } else if ((forward = rh_as(message, forward))) {
        store(server, forward->key, forward->entry);
        rh_send(rh_sender(message), forward_stored);
    } else if ((piece = rh_as(message, piece))) {
        for (int i = 0; i < PIECE; i++)
            store(server, piece->from + i, piece->entries[i]);
        rh_send(rh_sender(message), piece_stored);
    } else if (rh_as(message, take_over)) {
        server->role = OWNER;
    } else {
        handle_giving(server, message);
    }
}

// Writes to a key of its own: 1, 2 and so on, each when the one before was acknowledged.
struct client {
    rh_actor *directory;
    rh_actor *server;
    int key;
    int values; // to be written
    int written;
    int asks;
};

static void put_next(const struct client *client)
{
    if (client->written < client->values)
        rh_send(client->server, put, {.key = client->key, .value = client->written + 1});
}

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    const struct owner_is *owner;
    (void)self;

    if (rh_as(message, start)) {
        put_next(client);
    } else if (rh_as(message, put_done)) {
        client->written++;
        put_next(client);
    } else if (rh_as(message, moved) || rh_as(message, ask_again)) {
        rh_send(client->directory, where);
    } else if ((owner = rh_as(message, owner_is))) {
        bool is_known = owner->server == client->server;
        client->server = owner->server;
        if (!is_known)
            put_next(client);
        else if (client->asks++ < MOST_ASKS)
            rh_after(LATER_MS, rh_self(), ask_again);
    }
}

struct watched {
    rh_actor *directory;
    rh_actor *clients[KEYS];
};

static void acknowledged_is_stored(const void *context)
{
    const struct watched *watched = context;
    const struct directory *directory = rh_view_state(watched->directory);
    const struct server *owner =
        directory ? rh_view_state(directory->servers[directory->owner]) : NULL;

    for (int i = 0; i < KEYS; i++) {
        const struct client *client = watched->clients[i] ? rh_view_state(watched->clients[i]) : 0;
        if (owner && client && client->written > 0)
            rh_check(owner->entries[client->key].value == client->written);
    }
}

static void set_up(bool compares)
{
    rh_actor *directory = rh_reserve(directory_behaviour);
    struct watched watched = {.directory = directory};
    rh_actor *first = rh_spawn(server_behaviour, struct server,
                               {.directory = directory, .role = OWNER, .compares = compares});
    rh_actor *second = rh_spawn(server_behaviour, struct server,
                                {.directory = directory, .role = NOT_OWNER, .compares = compares});

    rh_spawn_at(directory, struct directory, {.servers = {first, second}});
    for (int i = 0; i < KEYS && i < rh_parameter(int, clients, 2); i++) {
        watched.clients[i] = rh_spawn(client_behaviour, struct client,
                                      {.directory = directory,
                                       .server = first,
                                       .key = i,
                                       .values = rh_parameter(int, values, 2)});
        rh_send(watched.clients[i], start);
    }
    rh_send(directory, move_shard);
    rh_finally(acknowledged_is_stored, struct watched,
               {.directory = directory, .clients = {watched.clients[0], watched.clients[1]}});
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
