// SPDX-License-Identifier: MIT
// The players of an online game, after the second server in the repository of Stone (crazyjohn/Stone
// on GitHub), a framework for such servers in Java and Akka; written anew from what is known about
// the original. That server is a cluster: this is its part to which clients connect to play.
// game_accounts.c has the part that looks after accounts, and game_server.c the other server of that
// repository.
//
// For each connection the server makes a handler, which passes what comes on to a decoder. The first
// packet has a name and a password; if they are right, the decoder asks the overlord for its player
// and waits. The overlord passes everything on to workers: one keeps what groups of players say about
// themselves, one tells groups where players are, and one has the least busy group make a player,
// and tells the connection when it is there. From then on the decoder passes packets on to the
// player, which has another actor deal with them, and that one answers the decoder. A second
// connection takes a player over from the first. A player that nobody has used for long tells the
// overlord, which has the connection closed and the player stopped.
//
// A connection is an actor that plays its client. The tables that know names and passwords are one
// actor here. Subscribers of a topic are known by address, and so are players. The map of groups that
// workers share belongs to the overlord, and workers ask it. Where Akka sends in the name of another
// actor, a field has that actor's address. Hearts, which beat for ever, beat once here.
//
// Under `--delivery fifo`:
//
// no_group_yet:      a connection comes before any group has said that it is there; the worker takes
//                    the first of none.
// second_connection: who takes a player over is not told where it is, and waits for ever. If the
//                    player is not there yet it is told, but then the first one, which still waits
//                    too, does not know that it is to be closed. No order avoids it.
// idle_player:       the overlord gives a player up before it has heard that it is there. The
//                    connection, which still waits for it, does not know that it is to be closed,
//                    and waits for ever. Later a packet to that player is lost, and the connection
//                    closed.
// other_groups:      a group says to whoever had it make a player where that is. It should say it to
//                    the overlord, which would tell the other groups, but it was a worker of his,
//                    who does not know the message; the original loses it silently.
//
// In the fixed tests a connection waits until there is a group, whoever takes a player over is told
// where it is, a connection that waits can be closed, and the overlord hears where players are and
// which connections have gone. All of this holds under `--delivery any` too.
//
// bug:     --test other_groups : final
// cause:   not an ordering bug
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { GROUPS = 2, MOST_PLAYERS = 2, PASSWORD = 5 };

enum { IDLE_MS = 1800000 };

// Of connections.
RH_SIGNAL(start);
RH_SIGNAL(db_is_all_ready);
RH_SIGNAL(connected);
RH_MESSAGE(tcp_register, { rh_actor *handler; });
RH_MESSAGE(received, { int password; });
RH_MESSAGE(bytes, { int password; });
RH_SIGNAL(tcp_write);
RH_SIGNAL(tcp_close);
RH_SIGNAL(terminated);
RH_SIGNAL(stop);
RH_SIGNAL(close_player_proxy);
RH_SIGNAL(user_info_get);
RH_MESSAGE(user_info, { int password; });
RH_SIGNAL(player_info_get);
RH_MESSAGE(player_info, { int player_id; });

// Between connections, the overlord and the groups of players.
RH_MESSAGE(player_create, {
    int player_id;
    rh_actor *connection; // set by the overlord
});
RH_MESSAGE(player_actor_address, {
    int player_id;
    rh_actor *player;
});
RH_MESSAGE(player_address, {
    int player_id;
    int group;
});
RH_MESSAGE(players_group_status, {
    int group;
    int players;
});
RH_MESSAGE(connection_close, {
    int player_id;
    rh_actor *connection; // set by the overlord
});
RH_MESSAGE(player_actor_kill, { int player_id; });
RH_SIGNAL(heart);
RH_SIGNAL(groups_get);
RH_MESSAGE(groups, {
    bool is_known[GROUPS];
    int players[GROUPS];
});
RH_SIGNAL(packet);
RH_MESSAGE(heart_request, { rh_actor *connection; });
RH_SIGNAL(packet_info);

// Set by the test's body, and only read afterwards: who has subscribed to which topic.
static struct {
    bool is_fixed;
    bool players_have_hearts;
    rh_actor *tables;
    rh_actor *tcp_server;
    rh_actor *overlord;
    rh_actor *group[GROUPS];
} topic;

// The tables of accounts and players: there is one of each.
static void tables_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, user_info_get))
        rh_reply(message, user_info, {.password = PASSWORD});
    else if (rh_as(message, player_info_get))
        rh_reply(message, player_info, {.player_id = 1});
}

// A connection and the client at its other end, which sends its password and then packets.
struct connection {
    int password;
    int packets; // to send when it has been let in
    rh_actor *handler;
    int written; // to it
    bool is_closed;
};

static void close_connection(struct connection *connection)
{
    if (!connection->is_closed && connection->handler)
        rh_send(connection->handler, terminated);
    connection->is_closed = true;
}

static void connection_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct connection *connection = state;
    const struct tcp_register *registered;
    (void)self;

    if (rh_as(message, start)) {
        rh_send(topic.tcp_server, connected);
    } else if ((registered = rh_as(message, tcp_register))) {
        connection->handler = registered->handler;
        rh_send(connection->handler, received, {.password = connection->password});
    } else if (rh_as(message, tcp_write)) {
        connection->written++;
        if (!connection->is_closed && connection->packets-- > 0)
            rh_send(connection->handler, received, {.password = 0});
    } else if (rh_as(message, tcp_close)) {
        close_connection(connection);
    }
}

enum stage { FIRST_PACKET, CHECKING, WAITING, PLAYING };

struct decoder {
    rh_actor *connection;
    rh_actor *parent;
    enum stage stage;
    int password;
    int player_id;
    rh_actor *player;
};

// While it looks whether a name and a password are right, the original waits.
static bool decoder_guard(const void *state, const rh_message *message)
{
    const struct decoder *decoder = state;

    return decoder->stage != CHECKING || rh_as(message, user_info) || rh_as(message, player_info);
}

static void decode_first(struct decoder *decoder, const rh_message *message)
{
    const struct bytes *bytes;
    const struct user_info *user;
    const struct player_info *player;

    if ((bytes = rh_as(message, bytes))) {
        decoder->stage = CHECKING;
        decoder->password = bytes->password;
        decoder->parent = rh_sender(message);
        rh_send(topic.tables, user_info_get);
    } else if ((user = rh_as(message, user_info))) {
        if (user->password == decoder->password) {
            rh_send(topic.tables, player_info_get);
        } else {
            decoder->stage = FIRST_PACKET;
            rh_send(decoder->connection, tcp_close);
        }
    } else if ((player = rh_as(message, player_info))) {
        decoder->stage = WAITING;
        decoder->player_id = player->player_id;
        rh_send(topic.overlord, player_create, {.player_id = player->player_id});
    }
}

static void wait_for_player(struct decoder *decoder, const rh_message *message)
{
    const struct player_actor_address *address;

    if ((address = rh_as(message, player_actor_address))) {
        decoder->stage = PLAYING;
        decoder->player = address->player;
        rh_send(decoder->parent, player_actor_address,
                {.player_id = address->player_id, .player = address->player});
        rh_send(decoder->connection, tcp_write);
    } else if (rh_as(message, close_player_proxy) && topic.is_fixed) {
        rh_send(decoder->connection, tcp_close);
    } else {
        rh_ignore(message);
    }
}

static void decode(struct decoder *decoder, const rh_message *message)
{
    if (rh_as(message, bytes)) {
        rh_send(decoder->player, packet);
    } else if (rh_as(message, packet_info)) {
        rh_send(decoder->connection, tcp_write);
    } else if (rh_as(message, close_player_proxy)) {
        rh_send(decoder->connection, tcp_close);
    } else {
        rh_ignore(message); // a player once more
    }
}

static void decoder_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct decoder *decoder = state;
    (void)self;

    if (rh_as(message, stop)) {
        // The original means to say this, but never gets to know that it has a player.
        if (decoder->player && topic.is_fixed)
            rh_send(topic.overlord, connection_close, {.player_id = decoder->player_id});
        rh_stop();
    } else if (decoder->stage == WAITING) {
        wait_for_player(decoder, message);
    } else if (decoder->stage == PLAYING) {
        decode(decoder, message);
    } else {
        decode_first(decoder, message);
    }
}
RH_GUARD(decoder_behaviour, decoder_guard);

struct tcp_handler {
    rh_actor *connection;
    rh_actor *decoder;
};

static void tcp_handler_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct tcp_handler *handler = state;
    const struct received *received;
    (void)self;

    if ((received = rh_as(message, received))) {
        rh_send(handler->decoder, bytes, {.password = received->password});
    } else if (rh_as(message, terminated)) {
        rh_send(handler->decoder, stop);
        rh_stop();
    } else {
        rh_ignore(message); // that there is a player
    }
}

struct tcp_server {
    bool is_all_ready;
};

static void tcp_server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct tcp_server *server = state;
    (void)self;

    if (rh_as(message, connected)) {
        rh_actor *connection = rh_sender(message);

        if (server->is_all_ready) {
            rh_actor *decoder =
                rh_spawn(decoder_behaviour, struct decoder, {.connection = connection});
            rh_actor *handler = rh_spawn(tcp_handler_behaviour, struct tcp_handler,
                                         {.connection = connection, .decoder = decoder});

            rh_send(connection, tcp_register, {.handler = handler});
        } else {
            rh_send(connection, tcp_close);
        }
    } else if (rh_as(message, db_is_all_ready)) {
        server->is_all_ready = true;
    }
}

// The overlord and his workers.

struct overlord {
    rh_actor *status_worker;
    rh_actor *address_worker;
    rh_actor *create_worker;
    struct groups groups;
};

static void pass_to_create_worker(const struct overlord *overlord, const rh_message *message)
{
    const struct player_create *create;
    const struct player_actor_address *address;
    const struct connection_close *closed;
    const struct player_actor_kill *kill;

    if ((create = rh_as(message, player_create)))
        rh_send(overlord->create_worker, player_create,
                {.player_id = create->player_id, .connection = rh_sender(message)});
    else if ((address = rh_as(message, player_actor_address)))
        rh_send(overlord->create_worker, player_actor_address,
                {.player_id = address->player_id, .player = address->player});
    else if ((closed = rh_as(message, connection_close)))
        rh_send(overlord->create_worker, connection_close,
                {.player_id = closed->player_id, .connection = rh_sender(message)});
    else if ((kill = rh_as(message, player_actor_kill)))
        rh_send(overlord->create_worker, player_actor_kill, {.player_id = kill->player_id});
}

static void overlord_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct overlord *overlord = state;
    const struct players_group_status *status;
    const struct player_address *address;
    (void)self;

    if ((status = rh_as(message, players_group_status))) {
        if (rh_sender(message) != overlord->status_worker) {
            rh_send(overlord->status_worker, players_group_status,
                    {.group = status->group, .players = status->players});
        } else {
            overlord->groups.is_known[status->group] = true;
            overlord->groups.players[status->group] = status->players;
        }
    } else if ((address = rh_as(message, player_address))) {
        rh_send(overlord->address_worker, player_address,
                {.player_id = address->player_id, .group = address->group});
    } else if (rh_as(message, groups_get)) {
        const struct groups *known = &overlord->groups;

        rh_reply(message, groups,
                 {.is_known = {known->is_known[0], known->is_known[1]},
                  .players = {known->players[0], known->players[1]}});
    } else {
        pass_to_create_worker(overlord, message);
    }
}

// Until there is a group, nothing can be made in one. The original has it tried all the same.
static bool overlord_guard(const void *state, const rh_message *message)
{
    const struct overlord *overlord = state;

    return !topic.is_fixed || overlord->groups.is_known[0] || overlord->groups.is_known[1] ||
           !rh_as(message, player_create);
}
RH_GUARD(overlord_behaviour, overlord_guard);

static struct groups get_groups(void)
{
    return *rh_as(rh_ask(topic.overlord, groups_get), groups);
}

static void status_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct players_group_status *status;
    (void)self, (void)state;

    if ((status = rh_as(message, players_group_status)))
        rh_send(topic.overlord, players_group_status,
                {.group = status->group, .players = status->players});
}

static void address_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct player_address *address;
    (void)self, (void)state;

    if ((address = rh_as(message, player_address))) {
        struct groups groups = get_groups();

        for (int i = 0; i < GROUPS; i++)
            if (groups.is_known[i] && i != address->group)
                rh_send(topic.group[i], player_address,
                        {.player_id = address->player_id, .group = address->group});
    }
}

struct player_status {
    bool is_known;
    rh_actor *connection;
    rh_actor *player;
};

struct create_worker {
    struct player_status status[MOST_PLAYERS];
};

static int least_busy(struct groups groups)
{
    int best = -1;

    for (int i = 0; i < GROUPS; i++)
        if (groups.is_known[i] && (best < 0 || groups.players[i] < groups.players[best]))
            best = i;
    rh_check(best >= 0);
    return best;
}

static void make_player(struct player_status *status, const struct player_create *create)
{
    int group = least_busy(get_groups());

    if (status->is_known) {
        if (status->connection)
            rh_send(status->connection, close_player_proxy);
        if (topic.is_fixed && status->player)
            rh_send(create->connection, player_actor_address,
                    {.player_id = create->player_id, .player = status->player});
    } else {
        rh_send(topic.group[group], player_create, {.player_id = create->player_id});
        status->is_known = true;
    }
    status->connection = create->connection;
}

static void kill_player(struct player_status *status, int player_id)
{
    struct groups groups = get_groups();

    if (status->connection)
        rh_send(status->connection, close_player_proxy);
    *status = (struct player_status){.is_known = false};
    for (int i = 0; i < GROUPS; i++)
        if (groups.is_known[i])
            rh_send(topic.group[i], player_actor_kill, {.player_id = player_id});
}

static void create_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct create_worker *worker = state;
    const struct player_create *create;
    const struct player_actor_address *address;
    const struct connection_close *closed;
    const struct player_actor_kill *kill;
    (void)self;

    if ((create = rh_as(message, player_create))) {
        make_player(&worker->status[create->player_id], create);
    } else if ((address = rh_as(message, player_actor_address))) {
        struct player_status *status = &worker->status[address->player_id];

        status->player = address->player;
        if (status->connection)
            rh_send(status->connection, player_actor_address,
                    {.player_id = address->player_id, .player = address->player});
    } else if ((closed = rh_as(message, connection_close))) {
        struct player_status *status = &worker->status[closed->player_id];

        if (status->connection == closed->connection)
            status->connection = NULL;
    } else if ((kill = rh_as(message, player_actor_kill))) {
        kill_player(&worker->status[kill->player_id], kill->player_id);
    } else {
        rh_ignore(message); // where a player is
    }
}

// A group of players.

static void deal_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct heart_request *request;
    (void)self, (void)state;

    if ((request = rh_as(message, heart_request)))
        rh_send(request->connection, packet_info);
    else if (rh_as(message, stop))
        rh_stop();
}

struct player {
    int player_id;
    rh_actor *deal;
    uint64_t last_packet;
};

static void player_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct player *player = state;
    (void)self;

    if (rh_as(message, packet)) {
        player->last_packet = rh_now();
        rh_send(player->deal, heart_request, {.connection = rh_sender(message)});
    } else if (rh_as(message, heart)) {
        if (rh_now() - player->last_packet >= IDLE_MS)
            rh_send(topic.overlord, player_actor_kill, {.player_id = player->player_id});
    } else if (rh_as(message, stop)) {
        rh_send(player->deal, stop);
        rh_stop();
    }
}

struct players_group {
    int group;
    int players;
    rh_actor *player[MOST_PLAYERS];
    int address[MOST_PLAYERS]; // group of each player that it knows, plus 1
};

static void add_player(struct players_group *group, int player_id, rh_actor *creator)
{
    rh_actor *deal = rh_spawn(deal_behaviour);
    rh_actor *player = rh_spawn(player_behaviour, struct player,
                                {.player_id = player_id, .deal = deal, .last_packet = rh_now()});

    if (topic.players_have_hearts)
        rh_after(IDLE_MS, player, heart);
    group->players++;
    group->player[player_id] = player;
    group->address[player_id] = group->group + 1;
    rh_send(topic.overlord, player_actor_address, {.player_id = player_id, .player = player});
    rh_send(topic.is_fixed ? topic.overlord : creator, player_address,
            {.player_id = player_id, .group = group->group});
}

static void remove_player(struct players_group *group, int player_id)
{
    if (group->player[player_id]) {
        rh_send(group->player[player_id], stop);
        group->player[player_id] = NULL;
        group->players--;
    }
}

static void players_group_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct players_group *group = state;
    const struct player_create *create;
    const struct player_address *address;
    const struct player_actor_kill *kill;
    (void)self;

    if (rh_as(message, heart)) {
        rh_send(topic.overlord, players_group_status,
                {.group = group->group, .players = group->players});
    } else if ((create = rh_as(message, player_create))) {
        add_player(group, create->player_id, rh_sender(message));
    } else if ((address = rh_as(message, player_address))) {
        group->address[address->player_id] = address->group + 1;
        remove_player(group, address->player_id);
    } else if ((kill = rh_as(message, player_actor_kill))) {
        group->address[kill->player_id] = 0;
        remove_player(group, kill->player_id);
    }
}

struct watched {
    rh_actor *connection[2];
    int written;      // at least, to those that are open
    bool both_groups; // must know where the player is
};

static void connections_are_served(const void *context)
{
    const struct watched *watched = context;

    for (int i = 0; i < 2; i++)
        if (watched->connection[i]) {
            const struct connection *connection = rh_view_state(watched->connection[i]);

            rh_check(connection->is_closed || connection->written >= watched->written);
        }
    for (int i = 0; i < GROUPS && watched->both_groups; i++) {
        const struct players_group *group = rh_view_state(topic.group[i]);

        rh_check(group->address[1] == 1);
    }
}

// With so many groups that the overlord knows already.
static void set_up(bool is_fixed, int groups)
{
    rh_actor *status_worker = rh_spawn(status_worker_behaviour);
    rh_actor *address_worker = rh_spawn(address_worker_behaviour);
    rh_actor *create_worker =
        rh_spawn(create_worker_behaviour, struct create_worker, {.status = {{false}}});

    topic.is_fixed = is_fixed;
    topic.players_have_hearts = false;
    topic.tables = rh_spawn(tables_behaviour);
    topic.tcp_server = rh_spawn(tcp_server_behaviour, struct tcp_server, {.is_all_ready = true});
    topic.overlord = rh_spawn(overlord_behaviour, struct overlord,
                              {.status_worker = status_worker,
                               .address_worker = address_worker,
                               .create_worker = create_worker,
                               .groups = {.is_known = {groups > 0, groups > 1}}});
    for (int i = 0; i < GROUPS; i++)
        topic.group[i] = rh_spawn(players_group_behaviour, struct players_group, {.group = i});
}

static rh_actor *add_connection(int password, int packets)
{
    rh_actor *connection = rh_spawn(connection_behaviour, struct connection,
                                    {.password = password, .packets = packets});

    rh_send(connection, start);
    return connection;
}

static void expect(rh_actor *connection, int written, bool both_groups)
{
    rh_finally(connections_are_served, struct watched,
               {.connection = {connection}, .written = written, .both_groups = both_groups});
}

RH_TEST(plays)
{
    set_up(false, 1);
    expect(add_connection(PASSWORD, 1), 2, false);
}

RH_TEST(wrong_password)
{
    set_up(false, 1);
    expect(add_connection(0, 0), 1, false);
}

// A connection that comes too early is closed.
RH_TEST(not_ready)
{
    set_up(false, 1);
    topic.tcp_server = rh_spawn(tcp_server_behaviour, struct tcp_server, {.is_all_ready = false});
    rh_send(topic.tcp_server, db_is_all_ready);
    expect(add_connection(PASSWORD, 0), 1, false);
}

static void play_early(bool is_fixed)
{
    set_up(is_fixed, 0);
    rh_send(topic.group[0], heart);
    expect(add_connection(PASSWORD, 0), 1, false);
}

RH_TEST(no_group_yet)
{
    play_early(false);
}

RH_TEST(no_group_yet_fixed)
{
    play_early(true);
}

static void use_groups(bool is_fixed)
{
    set_up(is_fixed, 2);
    expect(add_connection(PASSWORD, 0), 1, true);
}

RH_TEST(other_groups)
{
    use_groups(false);
}

RH_TEST(other_groups_fixed)
{
    use_groups(true);
}

static void connect_twice(bool is_fixed)
{
    rh_actor *first;
    rh_actor *second;

    set_up(is_fixed, 1);
    first = add_connection(PASSWORD, 0);
    second = add_connection(PASSWORD, 0);
    rh_finally(connections_are_served, struct watched,
               {.connection = {first, second}, .written = 1});
}

RH_TEST(second_connection)
{
    connect_twice(false);
}

RH_TEST(second_connection_fixed)
{
    connect_twice(true);
}

static void be_idle(bool is_fixed)
{
    set_up(is_fixed, 1);
    topic.players_have_hearts = true;
    expect(add_connection(PASSWORD, 1), 2, false);
}

RH_TEST(idle_player)
{
    be_idle(false);
}

RH_TEST(idle_player_fixed)
{
    be_idle(true);
}
