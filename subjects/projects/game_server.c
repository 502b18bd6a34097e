// SPDX-License-Identifier: MIT
// A server for online games, after Stone (crazyjohn/Stone on GitHub), a framework for such servers in
// Java and Akka; written anew from what is known about the original. It is one of the projects on
// which the graphs of `rehearse graph` were first measured. This is the game that its author built
// with it; game_accounts.c and game_cluster.c are the other server of that repository.
//
// The agent server has the sessions of clients. Its master makes an actor for each, which logs its
// client in, gets and creates roles with the data server, and passes everything else on to the game
// server, by way of its master. The game server's master makes an actor for each player that has
// selected a role. That one loads the role from the data server, enters a scene, and gets to know
// what others in it do. When a session ends, the player is logged out of the game server, which says
// when that is done, and both of its actors are stopped. The data server's master passes requests on
// to actors for logins (which take turns), for roles, for humans, whose changes are kept and written
// when a timer says so, and for each other kind of entity.
//
// A client is an actor that plays a script, and the database another one, which is asked. What the
// original keeps in an event bus that all threads use is an actor, the scene, as it was in its
// earlier versions. Where Akka sends in the name of another actor, a field has that actor's address.
//
// Under `--delivery fifo`:
//
// comes_early:  a client selects its role before the game server has registered with the agent
//               server, which drops the message: the client waits for ever.
// leaves_early: a client goes before it has selected a role. The game server looks for its player,
//               which is not there: a send to NULL, where the original has an exception. No order
//               avoids it.
// same_account: two sessions log in with an account that is new. Two of the actors for logins look
//               for it before either has put it into the database.
// entity_order: the data server looks an entity's actor up under the entity's class and keeps it
//               under the message's, so that each message gets an actor of its own, and an entity
//               is changed before it is there.
//
// In the fixed tests the agent server opens sessions when the game server has registered, who has no
// player is logged out at once, one account's logins are all handled by one actor, and entities'
// actors are kept where they are looked for. The first and the last of these, and visits to a scene,
// rest on `--delivery fifo`, as Akka has it.
//
// bug:     --test leaves_early : check
// cause:   not an ordering bug
// bug:     --test entity_order : check
// cause:   db_write from db_master reached db_entity before db_write from db_master
// or:      write_row from db_entity reached database before write_row from db_entity
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST_PLAYERS = 4, MOST_STEPS = 6, LOGIN_ROUTEES = 2, DEFAULT_SCENE = 1 };

enum { TICK_MS = 50, MOCK_MS = 100 };

enum kind {
    END_OF_SCRIPT,
    CG_LOGIN,
    CG_GET_ROLE_LIST,
    CG_CREATE_ROLE,
    CG_SELECT_ROLE,
    CG_ENTER_SCENE_READY,
    CG_REQUEST_MOVE,
    CG_CLOSE, // of a script only: the session ends
    GC_LOGIN_RESULT,
    GC_ROLE_LIST,
    GC_ENTER_SCENE,
    GC_APPEAR,
    GC_MOVE,
    GA_PLAYER_LOGOUT_OK,
    AG_PLAYER_LOGOUT,
};

enum entity { HUMAN, HUMAN_ITEM, GUILD };

enum operation { INSERT, UPDATE, DELETE };

// Between clients, agent server and game server.
RH_SIGNAL(start);
RH_SIGNAL(client_session_open);
RH_MESSAGE(session_bound, { rh_actor *player; });
RH_MESSAGE(client_session_close, { rh_actor *player; });
RH_MESSAGE(cg_message, {
    enum kind kind;
    int value;
    rh_actor *player;
});
RH_MESSAGE(gc_message, {
    enum kind kind;
    int value;
    int player_id;
});
RH_MESSAGE(ag_forward, {
    enum kind kind;
    int value;
    int player_id;
    int scene_id;
});
RH_MESSAGE(ag_player_logout, { int player_id; });
RH_MESSAGE(game_register_to_agent, { int scene_id; });
RH_MESSAGE(agent_session_open, { rh_actor *agent; });
RH_MESSAGE(register_agent_player, { int player_id; });
RH_MESSAGE(unregister_agent_player, { int player_id; });
RH_SIGNAL(poison_pill);

// Within the game server.
RH_MESSAGE(register_player_actor, {
    int player_id;
    rh_actor *actor;
});
RH_MESSAGE(unregister_player_actor, { int player_id; });
RH_MESSAGE(scene_event, {
    enum kind kind;
    int role;
});
RH_SIGNAL(mock_tick);

// To the data server and back.
RH_MESSAGE(login, {
    int account;
    rh_actor *requester; // set by the master when it passes the message on, as below
});
RH_MESSAGE(get_role_list, {
    int player_id;
    rh_actor *requester;
});
RH_MESSAGE(create_role, {
    int player_id;
    rh_actor *requester;
});
RH_MESSAGE(db_get, {
    int id;
    rh_actor *requester;
});
RH_MESSAGE(db_write, {
    enum operation operation;
    enum entity entity;
    int id;
});
RH_SIGNAL(human_tick);
RH_MESSAGE(login_result, { int player_id; });
RH_MESSAGE(role_list_result, { int count; });
RH_MESSAGE(select_role_result, { int role; });

// To the database and back, which is asked.
RH_MESSAGE(query_player, { int account; });
RH_MESSAGE(insert_player, { int account; });
RH_MESSAGE(player_row, { int player_id; });
RH_MESSAGE(write_row, {
    enum operation operation;
    enum entity entity;
    int id;
});
RH_SIGNAL(row_written);

// Set by the test's body, and only read afterwards.
static struct {
    bool is_fixed;
    bool has_mock; // players change something by themselves
    rh_actor *database;
    rh_actor *db_master;
    rh_actor *agent_master;
    rh_actor *game_master;
    rh_actor *scene;
} mmo;

// The outside world: a client with its session, which plays a script, and the database.

struct client {
    int account;
    int step;
    enum kind script[MOST_STEPS];
    rh_actor *player;
    int seen[GA_PLAYER_LOGOUT_OK]; // how many messages of each kind have come
    int last_value;
};

static void take_step(struct client *client)
{
    enum kind kind = client->step < MOST_STEPS ? client->script[client->step++] : END_OF_SCRIPT;

    if (kind == CG_CLOSE)
        rh_send(mmo.agent_master, client_session_close, {.player = client->player});
    else if (kind != END_OF_SCRIPT)
        rh_send(mmo.agent_master, cg_message,
                {.kind = kind, .value = client->account, .player = client->player});
    // Nobody answers these.
    if (kind == CG_ENTER_SCENE_READY || kind == CG_REQUEST_MOVE)
        take_step(client);
}

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    const struct session_bound *bound;
    const struct gc_message *gc;
    (void)self;

    if (rh_as(message, start)) {
        rh_send(mmo.agent_master, client_session_open);
    } else if ((bound = rh_as(message, session_bound))) {
        client->player = bound->player;
        take_step(client);
    } else if ((gc = rh_as(message, gc_message))) {
        client->seen[gc->kind]++;
        client->last_value = gc->value;
        if (gc->kind == GC_LOGIN_RESULT || gc->kind == GC_ROLE_LIST || gc->kind == GC_ENTER_SCENE)
            take_step(client);
    }
}

struct database {
    int players;
    int account[MOST_PLAYERS];
    bool has_row[GUILD + 1][MOST_PLAYERS * 10];
    int rows_written;
};

static int find_player(const struct database *database, int account)
{
    for (int i = 0; i < database->players; i++)
        if (database->account[i] == account)
            return i + 1;
    return 0;
}

static void database_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct database *database = state;
    const struct query_player *query;
    const struct insert_player *insert;
    const struct write_row *write;
    (void)self;

    if ((query = rh_as(message, query_player))) {
        rh_reply(message, player_row, {.player_id = find_player(database, query->account)});
    } else if ((insert = rh_as(message, insert_player))) {
        rh_check(!find_player(database, insert->account));
        database->account[database->players++] = insert->account;
        rh_reply(message, player_row, {.player_id = database->players});
    } else if ((write = rh_as(message, write_row))) {
        bool *row = &database->has_row[write->entity][write->id];

        rh_check(*row == (write->operation != INSERT));
        *row = write->operation != DELETE;
        database->rows_written++;
        rh_reply(message, row_written);
    }
}

// The data server.

static void write_to_database(enum operation operation, enum entity entity, int id)
{
    const rh_message *reply =
        rh_ask(mmo.database, write_row, {.operation = operation, .entity = entity, .id = id});

    rh_check(rh_as(reply, row_written));
}

static void db_login_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct login *login;
    (void)self, (void)state;

    if ((login = rh_as(message, login))) {
        const rh_message *reply = rh_ask(mmo.database, query_player, {.account = login->account});
        int player_id = rh_as(reply, player_row)->player_id;

        if (player_id == 0) {
            reply = rh_ask(mmo.database, insert_player, {.account = login->account});
            player_id = rh_as(reply, player_row)->player_id;
        }
        rh_send(login->requester, login_result, {.player_id = player_id});
    }
}

struct db_role {
    int roles[MOST_PLAYERS + 1];
};

static void db_role_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct db_role *role = state;
    const struct get_role_list *list;
    const struct create_role *create;

    if ((list = rh_as(message, get_role_list))) {
        rh_send(list->requester, role_list_result, {.count = role->roles[list->player_id]});
    } else if ((create = rh_as(message, create_role))) {
        write_to_database(INSERT, HUMAN, create->player_id * 10 + role->roles[create->player_id]++);
        rh_send(self, get_role_list,
                {.player_id = create->player_id, .requester = create->requester});
    }
}

struct db_human {
    bool is_cached[MOST_PLAYERS * 10];
    bool is_modified[MOST_PLAYERS * 10];
};

static void write_modified(struct db_human *human)
{
    for (int i = 0; i < MOST_PLAYERS * 10; i++)
        if (human->is_modified[i]) {
            human->is_modified[i] = false;
            write_to_database(UPDATE, HUMAN, i);
        }
}

static void db_human_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct db_human *human = state;
    const struct db_get *get;
    const struct db_write *write;

    if ((get = rh_as(message, db_get))) {
        human->is_cached[get->id] = true;
        rh_send(get->requester, select_role_result, {.role = get->id});
    } else if (rh_as(message, human_tick)) {
        write_modified(human);
    } else if ((write = rh_as(message, db_write))) {
        rh_check(write->entity == HUMAN_ITEM && human->is_cached[write->id]);
        human->is_modified[write->id] = true;
        rh_after(TICK_MS, self, human_tick);
    }
}

static void db_entity_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct db_write *write;
    (void)self, (void)state;

    if ((write = rh_as(message, db_write)))
        write_to_database(write->operation, write->entity, write->id);
}

struct db_master {
    rh_actor *login[LOGIN_ROUTEES];
    int next_login;
    rh_actor *role;
    rh_actor *human;
    rh_actor *entity[GUILD + 1];
};

// The original looks for the actor of an entity's class, and keeps it under the class of the
// message.
static rh_actor *get_entity_actor(struct db_master *master, enum entity entity)
{
    rh_actor *actor = master->entity[entity];

    if (!actor) {
        actor = rh_spawn(db_entity_behaviour);
        if (mmo.is_fixed)
            master->entity[entity] = actor;
    }
    return actor;
}

// Goes round, if it is not fixed: then whoever has one account goes to one routee.
static rh_actor *get_login_routee(struct db_master *master, int account)
{
    if (mmo.is_fixed)
        return master->login[account % LOGIN_ROUTEES];
    return master->login[master->next_login++ % LOGIN_ROUTEES];
}

static void db_master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct db_master *master = state;
    const struct login *login;
    const struct get_role_list *list;
    const struct create_role *create;
    const struct db_get *get;
    const struct db_write *write;
    rh_actor *sender = rh_sender(message);
    (void)self;

    if ((login = rh_as(message, login))) {
        rh_send(get_login_routee(master, login->account), login,
                {.account = login->account, .requester = sender});
    } else if ((list = rh_as(message, get_role_list))) {
        rh_send(master->role, get_role_list, {.player_id = list->player_id, .requester = sender});
    } else if ((create = rh_as(message, create_role))) {
        rh_send(master->role, create_role, {.player_id = create->player_id, .requester = sender});
    } else if ((get = rh_as(message, db_get))) {
        rh_send(master->human, db_get, {.id = get->id, .requester = sender});
    } else if ((write = rh_as(message, db_write))) {
        rh_actor *actor =
            write->entity == HUMAN_ITEM ? master->human : get_entity_actor(master, write->entity);

        rh_send(actor, db_write,
                {.operation = write->operation, .entity = write->entity, .id = write->id});
    }
}

// The agent server, which has the sessions of clients.

struct agent_player {
    rh_actor *master;
    rh_actor *db_master;
    rh_actor *session;
    int player_id;
};

static void forward_to_game(const struct agent_player *player, enum kind kind, int value)
{
    rh_send(
        player->master, ag_forward,
        {.kind = kind, .value = value, .player_id = player->player_id, .scene_id = DEFAULT_SCENE});
}

static void handle_cg(const struct agent_player *player, const struct cg_message *cg)
{
    if (cg->kind == CG_LOGIN)
        rh_send(player->db_master, login, {.account = cg->value});
    else if (cg->kind == CG_GET_ROLE_LIST)
        rh_send(player->db_master, get_role_list, {.player_id = player->player_id});
    else if (cg->kind == CG_CREATE_ROLE)
        rh_send(player->db_master, create_role, {.player_id = player->player_id});
    else
        forward_to_game(player, cg->kind, cg->value);
}

static void handle_gc(const struct agent_player *player, const struct gc_message *gc)
{
    if (gc->kind == GA_PLAYER_LOGOUT_OK)
        rh_send(player->master, unregister_agent_player, {.player_id = player->player_id});
    else
        rh_send(player->session, gc_message,
                {.kind = gc->kind, .value = gc->value, .player_id = gc->player_id});
}

static void agent_player_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct agent_player *player = state;
    const struct cg_message *cg;
    const struct login_result *login;
    const struct role_list_result *list;
    const struct gc_message *gc;
    (void)self;

    if ((cg = rh_as(message, cg_message))) {
        handle_cg(player, cg);
    } else if ((login = rh_as(message, login_result))) {
        player->player_id = login->player_id;
        rh_send(player->session, gc_message,
                {.kind = GC_LOGIN_RESULT, .player_id = player->player_id});
        rh_send(player->master, register_agent_player, {.player_id = player->player_id});
    } else if ((list = rh_as(message, role_list_result))) {
        rh_send(player->session, gc_message,
                {.kind = GC_ROLE_LIST, .value = list->count, .player_id = player->player_id});
    } else if ((gc = rh_as(message, gc_message))) {
        handle_gc(player, gc);
    } else if (rh_as(message, client_session_close)) {
        forward_to_game(player, AG_PLAYER_LOGOUT, 0);
    } else if (rh_as(message, poison_pill)) {
        rh_stop();
    }
}

struct agent_master {
    rh_actor *db_master;
    rh_actor *game_session[DEFAULT_SCENE + 1];
    rh_actor *player[MOST_PLAYERS + 1];
};

// As the codec of the game server makes it out.
static void write_to_game(rh_actor *session, const struct ag_forward *forward)
{
    if (forward->kind == AG_PLAYER_LOGOUT)
        rh_send(session, ag_player_logout, {.player_id = forward->player_id});
    else
        rh_send(session, ag_forward,
                {.kind = forward->kind,
                 .value = forward->value,
                 .player_id = forward->player_id,
                 .scene_id = forward->scene_id});
}

static void open_session(const struct agent_master *master, rh_actor *self, rh_actor *session)
{
    rh_actor *player =
        rh_spawn(agent_player_behaviour, struct agent_player,
                 {.master = self, .db_master = master->db_master, .session = session});

    rh_send(session, session_bound, {.player = player});
}

static void agent_master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct agent_master *master = state;
    const struct client_session_close *closed;
    const struct cg_message *cg;
    const struct game_register_to_agent *game;
    const struct ag_forward *forward;
    const struct gc_message *gc;
    const struct register_agent_player *known;
    const struct unregister_agent_player *gone;

    if (rh_as(message, client_session_open)) {
        open_session(master, self, rh_sender(message));
    } else if ((closed = rh_as(message, client_session_close))) {
        rh_send(closed->player, client_session_close, {.player = closed->player});
    } else if ((cg = rh_as(message, cg_message))) {
        rh_send(cg->player, cg_message,
                {.kind = cg->kind, .value = cg->value, .player = cg->player});
    } else if ((game = rh_as(message, game_register_to_agent))) {
        master->game_session[game->scene_id] = rh_sender(message);
    } else if ((forward = rh_as(message, ag_forward))) {
        if (master->game_session[forward->scene_id])
            write_to_game(master->game_session[forward->scene_id], forward);
    } else if ((gc = rh_as(message, gc_message))) {
        if (master->player[gc->player_id])
            rh_send(master->player[gc->player_id], gc_message,
                    {.kind = gc->kind, .value = gc->value, .player_id = gc->player_id});
    } else if ((known = rh_as(message, register_agent_player))) {
        master->player[known->player_id] = rh_sender(message);
    } else if ((gone = rh_as(message, unregister_agent_player))) {
        master->player[gone->player_id] = NULL;
        rh_reply(message, poison_pill);
    }
}

// The game server.

struct scene {
    rh_actor *player[MOST_PLAYERS + 1];
};

static void scene_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct scene *scene = state;
    const struct register_player_actor *enters;
    const struct unregister_player_actor *leaves;
    const struct scene_event *event;
    (void)self;

    if ((enters = rh_as(message, register_player_actor))) {
        scene->player[enters->player_id] = enters->actor;
    } else if ((leaves = rh_as(message, unregister_player_actor))) {
        scene->player[leaves->player_id] = NULL;
    } else if ((event = rh_as(message, scene_event))) {
        for (int i = 0; i <= MOST_PLAYERS; i++)
            if (scene->player[i])
                rh_send(scene->player[i], scene_event, {.kind = event->kind, .role = event->role});
    }
}

struct game_player {
    int player_id;
    int role; // 0 until there is one
    rh_actor *session;
    rh_actor *db_master;
    rh_actor *scene;
};

static void tell_client(const struct game_player *player, enum kind kind, int value)
{
    rh_send(player->session, gc_message,
            {.kind = kind, .value = value, .player_id = player->player_id});
}

static void play(const struct game_player *player, const struct ag_forward *forward)
{
    if (forward->kind == CG_SELECT_ROLE) {
        rh_send(player->db_master, db_get, {.id = forward->player_id * 10});
    } else if (forward->kind == CG_ENTER_SCENE_READY && player->role) {
        rh_send(player->scene, register_player_actor,
                {.player_id = player->player_id, .actor = rh_self()});
        rh_send(player->scene, scene_event, {.kind = GC_APPEAR, .role = player->role});
    } else if (forward->kind == CG_REQUEST_MOVE && player->role) {
        rh_send(player->scene, scene_event, {.kind = GC_MOVE, .role = player->role});
    }
}

static void game_player_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct game_player *player = state;
    const struct ag_forward *forward;
    const struct select_role_result *selected;
    const struct scene_event *event;

    if ((forward = rh_as(message, ag_forward))) {
        play(player, forward);
    } else if ((selected = rh_as(message, select_role_result))) {
        player->role = selected->role;
        tell_client(player, GC_ENTER_SCENE, selected->role);
        if (mmo.has_mock)
            rh_after(MOCK_MS, self, mock_tick);
    } else if (rh_as(message, mock_tick)) {
        rh_send(player->db_master, db_write,
                {.operation = UPDATE, .entity = HUMAN_ITEM, .id = player->role});
    } else if ((event = rh_as(message, scene_event))) {
        if (event->role != player->role)
            tell_client(player, event->kind, event->role);
    } else if (rh_as(message, ag_player_logout)) {
        rh_send(player->scene, unregister_player_actor, {.player_id = player->player_id});
        tell_client(player, GA_PLAYER_LOGOUT_OK, 0);
    } else if (rh_as(message, poison_pill)) {
        rh_stop();
    }
}

struct game_master {
    rh_actor *db_master;
    rh_actor *scene;
    rh_actor *agent;
    rh_actor *player[MOST_PLAYERS + 1];
};

static void log_out(struct game_master *master, int player_id, rh_actor *agent)
{
    rh_actor *player = master->player[player_id];

    if (!player && mmo.is_fixed) {
        rh_send(agent, gc_message, {.kind = GA_PLAYER_LOGOUT_OK, .player_id = player_id});
        return;
    }
    rh_send(player, ag_player_logout, {.player_id = player_id});
    rh_send(player, poison_pill);
    master->player[player_id] = NULL;
}

static void game_master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct game_master *master = state;
    const struct ag_player_logout *logout;
    const struct ag_forward *forward;
    const struct agent_session_open *opened;
    (void)self;

    if ((logout = rh_as(message, ag_player_logout))) {
        log_out(master, logout->player_id, rh_sender(message));
    } else if ((forward = rh_as(message, ag_forward))) {
        if (forward->kind == CG_SELECT_ROLE)
            master->player[forward->player_id] = rh_spawn(game_player_behaviour, struct game_player,
                                                          {.player_id = forward->player_id,
                                                           .session = rh_sender(message),
                                                           .db_master = master->db_master,
                                                           .scene = master->scene});
        rh_send(master->player[forward->player_id], ag_forward,
                {.kind = forward->kind,
                 .value = forward->value,
                 .player_id = forward->player_id,
                 .scene_id = forward->scene_id});
    } else if ((opened = rh_as(message, agent_session_open))) {
        master->agent = opened->agent;
        rh_send(master->agent, game_register_to_agent, {.scene_id = DEFAULT_SCENE});
    }
}

// Until the game server has registered, what clients want of it has nowhere to go. The original
// lets them in all the same.
static bool agent_master_guard(const void *state, const rh_message *message)
{
    const struct agent_master *master = state;

    return !mmo.is_fixed || master->game_session[DEFAULT_SCENE] ||
           !rh_as(message, client_session_open);
}
RH_GUARD(agent_master_behaviour, agent_master_guard);

static void start_mmo(bool is_fixed, int players)
{
    struct db_master db_master = {.next_login = 0};

    mmo.is_fixed = is_fixed;
    mmo.has_mock = false;
    mmo.database = rh_spawn(database_behaviour, struct database, {.players = players});
    for (int i = 0; i < LOGIN_ROUTEES; i++)
        db_master.login[i] = rh_spawn(db_login_behaviour);
    db_master.role = rh_spawn(db_role_behaviour, struct db_role, {.roles = {0}});
    db_master.human = rh_spawn(db_human_behaviour, struct db_human, {.is_cached = {false}});
    mmo.db_master = rh_spawn_sized(db_master_behaviour, &db_master, sizeof db_master);
    mmo.scene = rh_spawn(scene_behaviour, struct scene, {.player = {NULL}});
    mmo.game_master = rh_spawn(game_master_behaviour, struct game_master,
                               {.db_master = mmo.db_master, .scene = mmo.scene});
}

// `is_up`: the game server has registered before the first client comes.
static void start_agent(bool is_up)
{
    mmo.agent_master =
        rh_spawn(agent_master_behaviour, struct agent_master,
                 {.db_master = mmo.db_master,
                  .game_session = {[DEFAULT_SCENE] = is_up ? mmo.game_master : NULL}});
    if (!is_up)
        rh_send(mmo.game_master, agent_session_open, {.agent = mmo.agent_master});
}

struct expected {
    rh_actor *client[2];
    enum kind kind; // that each client has got at least once
};

static void clients_got_it(const void *context)
{
    const struct expected *expected = context;

    for (int i = 0; i < 2; i++)
        if (expected->client[i]) {
            const struct client *client = rh_view_state(expected->client[i]);

            rh_check(client->seen[expected->kind] > 0);
        }
}

static rh_actor *add_client(int account, const enum kind *script, int steps)
{
    struct client client = {.account = account};
    rh_actor *actor;

    for (int i = 0; i < steps; i++)
        client.script[i] = script[i];
    actor = rh_spawn_sized(client_behaviour, &client, sizeof client);
    rh_send(actor, start);
    return actor;
}

#define ADD_CLIENT(account, ...)                                                                   \
    add_client(account, (const enum kind[]){__VA_ARGS__},                                          \
               sizeof((const enum kind[]){__VA_ARGS__}) / sizeof(enum kind))

RH_TEST(whole_visit)
{
    rh_actor *client;

    start_mmo(false, 0);
    start_agent(true);
    client = ADD_CLIENT(1, CG_LOGIN, CG_CREATE_ROLE, CG_GET_ROLE_LIST, CG_SELECT_ROLE,
                        CG_ENTER_SCENE_READY, CG_CLOSE);
    rh_finally(clients_got_it, struct expected, {.client = {client}, .kind = GC_ENTER_SCENE});
}

static void hears_of_others_only(const void *context)
{
    const struct expected *expected = context;
    const struct client *second = rh_view_state(expected->client[1]);

    rh_check(second->seen[GC_ENTER_SCENE] == 1);
    rh_check(second->seen[GC_APPEAR] == 0 && second->seen[GC_MOVE] == 0);
}

// The first is in the scene when the second one comes, and does something there.
static void visit_other(enum kind deed)
{
    rh_actor *first = rh_spawn(client_behaviour, struct client, {.account = 1});
    rh_actor *agent_player;
    rh_actor *game_player;
    rh_actor *second;

    start_mmo(false, 1);
    agent_player =
        rh_spawn(agent_player_behaviour, struct agent_player, {.session = first, .player_id = 1});
    mmo.agent_master = rh_spawn(agent_master_behaviour, struct agent_master,
                                {.db_master = mmo.db_master,
                                 .game_session = {[DEFAULT_SCENE] = mmo.game_master},
                                 .player = {[1] = agent_player}});
    game_player =
        rh_spawn(game_player_behaviour, struct game_player,
                 {.player_id = 1, .role = 10, .session = mmo.agent_master, .scene = mmo.scene});
    rh_send(mmo.scene, register_player_actor, {.player_id = 1, .actor = game_player});
    second = ADD_CLIENT(2, CG_LOGIN, CG_SELECT_ROLE, deed);
    rh_finally(hears_of_others_only, struct expected, {.client = {first, second}});
}

RH_TEST(appears)
{
    visit_other(CG_ENTER_SCENE_READY);
}

RH_TEST(moves)
{
    visit_other(CG_REQUEST_MOVE);
}

RH_TEST(changes_are_kept)
{
    start_mmo(false, 0);
    start_agent(true);
    mmo.has_mock = true;
    ADD_CLIENT(1, CG_LOGIN, CG_CREATE_ROLE, CG_SELECT_ROLE);
}

static void come_early(bool is_fixed)
{
    rh_actor *client;

    start_mmo(is_fixed, 0);
    start_agent(false);
    client = ADD_CLIENT(1, CG_LOGIN, CG_SELECT_ROLE);
    rh_finally(clients_got_it, struct expected, {.client = {client}, .kind = GC_ENTER_SCENE});
}

RH_TEST(comes_early)
{
    come_early(false);
}

RH_TEST(comes_early_fixed)
{
    come_early(true);
}

static void leave_early(bool is_fixed)
{
    start_mmo(is_fixed, 0);
    start_agent(true);
    ADD_CLIENT(1, CG_LOGIN, CG_CLOSE);
}

RH_TEST(leaves_early)
{
    leave_early(false);
}

RH_TEST(leaves_early_fixed)
{
    leave_early(true);
}

static void log_in_twice(bool is_fixed)
{
    rh_actor *first;
    rh_actor *second;

    start_mmo(is_fixed, 0);
    start_agent(true);
    first = ADD_CLIENT(1, CG_LOGIN);
    second = ADD_CLIENT(1, CG_LOGIN);
    rh_finally(clients_got_it, struct expected,
               {.client = {first, second}, .kind = GC_LOGIN_RESULT});
}

RH_TEST(same_account)
{
    log_in_twice(false);
}

RH_TEST(same_account_fixed)
{
    log_in_twice(true);
}

static void write_entity(bool is_fixed)
{
    start_mmo(is_fixed, 0);
    rh_send(mmo.db_master, db_write, {.operation = INSERT, .entity = GUILD, .id = 1});
    rh_send(mmo.db_master, db_write, {.operation = UPDATE, .entity = GUILD, .id = 1});
    rh_send(mmo.db_master, db_write, {.operation = DELETE, .entity = GUILD, .id = 1});
}

RH_TEST(entity_order)
{
    write_entity(false);
}

RH_TEST(entity_order_fixed)
{
    write_entity(true);
}
