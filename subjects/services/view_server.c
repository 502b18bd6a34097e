// SPDX-License-Identifier: MIT
// Primary and backup with a view server, as courses on distributed systems have it for exercise, after the scheme that
// A. Bhide, E. N. Elnozahy and S. P. Morgan published in 1991.
//
// Servers ping the view server from time to time, and say which view they know. A view has a number, a primary and
// perhaps a backup. Who pings first is the primary of view 1; another one that pings becomes the backup in a new view.
// A server that is not heard of between two looks is taken for dead, and the backup becomes the primary. The primary
// sends a new backup all that it has, and from then on each write before it acknowledges it; when the backup has it all,
// the primary pings with the number of the view, which acknowledges the view. Clients ask the view server who the
// primary is, write and read; without an answer they ask again.
//
// What goes wrong: the view server goes on to the next view when the primary of the present one has not acknowledged it.
// If the primary dies before the backup has its data, the backup becomes the primary without them, and answers clients
// as if nothing had ever been written. In the fixed twin the view server waits: no view follows one that its primary
// has not acknowledged, and the service stands still.
//
// bug:     --test broken --time strict --crash 1:server : invariant
// cause:   server crashed
// twin:    --test fixed --time strict --crash 1:server --thorough
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { PING_MS = 100, LOOK_MS = 250, CLIENT_MS = 150, MOST_SERVERS = 2 };

// To the view server.
RH_MESSAGE(ping, { int view; });
RH_SIGNAL(look);
RH_SIGNAL(who_is_primary);

// To a server.
RH_SIGNAL(tick);
RH_MESSAGE(view_is, {
    int view;
    rh_actor *primary;
    rh_actor *backup;
});
RH_MESSAGE(everything, {
    int view;
    int value;
});
RH_SIGNAL(has_everything);
RH_MESSAGE(put, { int value; });
RH_MESSAGE(put_too, {
    int value;
    rh_actor *client;
});
RH_MESSAGE(put_there, { rh_actor *client; });
RH_SIGNAL(get);

// To a client.
RH_SIGNAL(go);
RH_MESSAGE(primary_is, { rh_actor *primary; });
RH_SIGNAL(put_done);
RH_MESSAGE(value_is, { int value; });
RH_SIGNAL(not_primary);

struct view {
    int number;
    rh_actor *primary;
    rh_actor *backup;
};

struct view_server {
    bool waits; // the fix
    struct view view;
    bool is_acknowledged;
    bool primary_was_heard; // since the last look
    bool backup_was_heard;
    rh_actor *idle; // pings, and is neither primary nor backup
    int looks;      // still to come
};

static void begin_view(struct view_server *server, rh_actor *primary, rh_actor *backup)
{
    server->view = (struct view){server->view.number + 1, primary, backup};
    server->is_acknowledged = false;
    server->primary_was_heard = server->backup_was_heard = true;
    if (server->idle == primary || server->idle == backup)
        server->idle = NULL;
}

static bool may_go_on(const struct view_server *server)
{
    return server->is_acknowledged || !server->waits;
}

static void handle_ping(struct view_server *server, rh_actor *from, int view)
{
    if (server->view.number == 0) {
        begin_view(server, from, NULL);
    } else if (from == server->view.primary) {
        server->primary_was_heard = true;
        server->is_acknowledged |= view == server->view.number;
    } else if (from == server->view.backup) {
        server->backup_was_heard = true;
    } else {
        server->idle = from;
    }
    if (server->idle && !server->view.backup && may_go_on(server))
        begin_view(server, server->view.primary, server->idle);
    rh_send(from, view_is,
            {.view = server->view.number,
             .primary = server->view.primary,
             .backup = server->view.backup});
}

static void handle_look(struct view_server *server)
{
    const struct view *view = &server->view;
    if (!server->primary_was_heard && view->backup && may_go_on(server))
        begin_view(server, view->backup, server->idle);
    else if (!server->backup_was_heard && view->backup && may_go_on(server))
        begin_view(server, view->primary, server->idle);
    server->primary_was_heard = server->backup_was_heard = false;
    if (--server->looks > 0)
        rh_after(LOOK_MS, rh_self(), look);
}

static void view_server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct view_server *server = state;
    const struct ping *ping = rh_as(message, ping);
    (void)self;

    if (ping)
        handle_ping(server, rh_sender(message), ping->view);
    else if (rh_as(message, look))
        handle_look(server);
    else if (rh_as(message, who_is_primary))
        rh_send(rh_sender(message), primary_is, {.primary = server->view.primary});
}

struct server {
    rh_actor *view_server;
    struct view view;
    int known; // view that it pings with
    int value; // 0: nothing was written
    int ticks; // still to come
};

static void take_view(struct server *server, const struct view_is *view)
{
    if (view->view <= server->view.number)
        return;
    server->view = (struct view){view->view, view->primary, view->backup};
    bool has_new_backup = view->primary == rh_self() && view->backup;
    if (has_new_backup)
        rh_send(view->backup, everything, {.view = view->view, .value = server->value});
    else
        server->known = view->view;
}

static void handle_put(struct server *server, rh_actor *client, int value)
{
    if (server->view.primary != rh_self()) {
        rh_send(client, not_primary);
        return;
    }
    server->value = value;
    if (server->view.backup)
        rh_send(server->view.backup, put_too, {.value = value, .client = client});
    else
        rh_send(client, put_done);
}

static void handle_copies(struct server *server, const rh_message *message)
{
    const struct everything *everything;
    const struct put_too *put;
    const struct put_there *there;

    if ((everything = rh_as(message, everything))) {
        server->value = everything->value;
        rh_send(rh_sender(message), has_everything);
    } else if (rh_as(message, has_everything)) {
        server->known = server->view.number;
    } else if ((put = rh_as(message, put_too))) {
        server->value = put->value;
        rh_send(rh_sender(message), put_there, {.client = put->client});
    } else if ((there = rh_as(message, put_there))) {
        rh_send(there->client, put_done);
    }
}

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct server *server = state;
    const struct view_is *view;
    const struct put *put;
    (void)self;

    if (rh_as(message, tick)) {
        rh_send(server->view_server, ping, {.view = server->known});
        if (--server->ticks > 0)
            rh_after(PING_MS, rh_self(), tick);
    } else if ((view = rh_as(message, view_is))) {
        take_view(server, view);
    } else if ((put = rh_as(message, put))) {
        handle_put(server, rh_sender(message), put->value);
    } else if (rh_as(message, get)) {
        if (server->view.primary == rh_self())
            rh_send(rh_sender(message), value_is, {.value = server->value});
        else
            rh_send(rh_sender(message), not_primary);
    } else {
        handle_copies(server, message);
    }
}

// Writes once, and then reads as often as it goes on.
struct client {
    rh_actor *view_server;
    int tries; // still to be made
    bool is_written;
    int read; // 0: nothing yet
    bool has_read_nothing;
};

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    const struct primary_is *is;
    const struct value_is *value;
    (void)self;

    if (rh_as(message, go)) {
        rh_send(client->view_server, who_is_primary);
        if (--client->tries > 0)
            rh_after(CLIENT_MS, rh_self(), go);
    } else if ((is = rh_as(message, primary_is))) {
        if (is->primary && client->is_written)
            rh_send(is->primary, get);
        else if (is->primary)
            rh_send(is->primary, put, {.value = 7});
    } else if (rh_as(message, put_done)) {
        client->is_written = true;
    } else if ((value = rh_as(message, value_is))) {
        client->read = value->value;
        client->has_read_nothing |= value->value == 0;
    } else {
        (void)rh_as(message, not_primary);
    }
}

struct watched {
    rh_actor *client;
};

static void what_was_written_is_read(const void *context)
{
    const struct watched *watched = context;
    const struct client *client = rh_view_state(watched->client);

    rh_check(!client || !client->has_read_nothing);
}

// The second server comes when the first has served for a while.
static void set_up(bool waits)
{
    rh_actor *view_server = rh_spawn(view_server_behaviour, struct view_server,
                                     {.waits = waits, .looks = rh_parameter(int, looks, 3)});
    rh_actor *client = rh_spawn(client_behaviour, struct client,
                                {.view_server = view_server, .tries = rh_parameter(int, tries, 5)});

    for (int i = 0; i < MOST_SERVERS; i++) {
        rh_actor *server =
            rh_spawn(server_behaviour, struct server,
                     {.view_server = view_server, .ticks = rh_parameter(int, ticks, 6)});
        rh_after(i * 3 * PING_MS + 50, server, tick);
    }
    rh_after(CLIENT_MS, client, go);
    rh_after(LOOK_MS, view_server, look);
    rh_invariant(what_was_written_is_read, struct watched, {.client = client});
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
