// SPDX-License-Identifier: MIT
// Accounts of an online game, after the second server in the repository of Stone (crazyjohn/Stone on
// GitHub), a framework for such servers in Java and Akka; written anew from what is known about the
// original. That server is a cluster: this is its part that answers web clients, with the tables of
// accounts and players behind it, and with what looks after databases. game_cluster.c has the part
// to which clients connect to play, and game_server.c the other server of that repository.
//
// Each endpoint of the web server passes the requests of one kind on to a worker: to register, to
// log in, to change the password, to create a player. The worker asks the table of accounts or of
// players, which passes the question on to a worker of its own, who answers who asked. What is new
// goes to a queue too, which confirms it, and writes all it has when its heart beats. A data source
// registers with the master of databases; when the master's heart beats and there is one, it says
// that all is ready, and until then endpoints turn clients away.
//
// The web clients are actors that play a script. Subscribers of a topic are known by address. Where
// the original waits for an answer, a guard lets in no further request; the maps that workers of a
// table share belong to the table, and workers ask it. Where Akka sends in the name of another actor,
// a field has that actor's address. Three more workers for web requests are left out, and the tables
// that only they use, or that keep what players own, which are all alike.
//
// Under any order:
//
// wrong_password: who wants to create a player, or to play as one, and gives a wrong password is
//                 never answered.
//
// In the fixed test that is answered. Everything else is right under any order: of two that change
// one password, one is told that it was wrong, and of two that register one account as well.
//
// bug:     --test wrong_password : final
// cause:   not an ordering bug
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST_ACCOUNTS = 3, MOST_PLAYERS = 3, MOST_STEPS = 2, MOST_WORKERS = 2 };

enum { HEART_MS = 5000 };

enum request { END_OF_SCRIPT, REGISTER, LOG_IN, CHANGE_PASSWORD, CREATE_PLAYER, PLAY, REQUESTS };

// Between web clients and the web server.
RH_SIGNAL(start);
RH_MESSAGE(http_request, {
    enum request request;
    int account;
    int password;
    int value;        // the new password, or the name of the player
    rh_actor *client; // set by the endpoint
});
RH_MESSAGE(http_response, {
    bool is_ok;
    int value;
});

// To the tables of accounts and players, their workers and back.
RH_MESSAGE(user_info_get, {
    int account;
    rh_actor *asker;
});
RH_MESSAGE(user_info, { int password; });
RH_MESSAGE(user_info_register, {
    int account;
    int password;
    rh_actor *asker;
});
RH_MESSAGE(user_info_create, {
    bool is_ok;
    int account;
});
RH_MESSAGE(user_info_update, {
    int account;
    int old_password;
    int new_password;
    rh_actor *asker;
});
RH_MESSAGE(password_changed, { bool is_ok; });
RH_MESSAGE(player_info_get, {
    int name;
    rh_actor *asker;
});
RH_MESSAGE(player_info, {
    int player_id;
    int account;
});
RH_MESSAGE(player_info_create, {
    int name;
    int account;
    rh_actor *asker;
});
RH_MESSAGE(player_info_created, {
    bool is_ok;
    int player_id;
});
RH_MESSAGE(player_info_queue, {
    bool is_ok;
    int name;
});
RH_SIGNAL(heart);

// What the workers of a table share in the original: they ask its owner.
RH_MESSAGE(cached_user_get, { int account; });
RH_MESSAGE(cached_user_put, {
    int account;
    int password;
});
RH_MESSAGE(cached_player_get, { int name; });
RH_MESSAGE(cached_player_put, {
    int name;
    int account;
});
RH_SIGNAL(databases_get);
RH_MESSAGE(database_put, {
    int database;
    int index;
});

// To the king's master of databases and back.
RH_MESSAGE(db_register, {
    int database;
    rh_actor *asker;
});
RH_MESSAGE(db_heart, {
    int database;
    int index;
    rh_actor *asker;
});
RH_MESSAGE(db_select, { rh_actor *asker; });
RH_MESSAGE(db_selected, { int database; });
RH_SIGNAL(db_is_all_ready);

// Set by the test's body, and only read afterwards: who has subscribed to which topic.
static struct {
    bool is_fixed;
    rh_actor *user_info;
    rh_actor *player_info;
    rh_actor *user_queue;
    rh_actor *player_queue;
    rh_actor *db_master;
    rh_actor *data_source;
    rh_actor *endpoint[REQUESTS];
} topic;

// The tables of accounts and players. A table passes each request on to one of its workers.

struct user_table {
    rh_actor *get_worker;
    rh_actor *register_worker;
    rh_actor *change_worker;
    int password[MOST_ACCOUNTS]; // 0: there is no such account
};

static void user_table_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct user_table *table = state;
    const struct user_info_register *new_user;
    const struct user_info_get *get;
    const struct user_info_update *update;
    const struct cached_user_get *cached_get;
    const struct cached_user_put *cached_put;
    (void)self;

    if ((new_user = rh_as(message, user_info_register))) {
        rh_send(table->register_worker, user_info_register,
                {.account = new_user->account,
                 .password = new_user->password,
                 .asker = rh_sender(message)});
    } else if ((get = rh_as(message, user_info_get))) {
        rh_send(table->get_worker, user_info_get,
                {.account = get->account, .asker = rh_sender(message)});
    } else if ((update = rh_as(message, user_info_update))) {
        rh_send(table->change_worker, user_info_update,
                {.account = update->account,
                 .old_password = update->old_password,
                 .new_password = update->new_password,
                 .asker = rh_sender(message)});
    } else if ((cached_get = rh_as(message, cached_user_get))) {
        rh_reply(message, user_info, {.password = table->password[cached_get->account]});
    } else if ((cached_put = rh_as(message, cached_user_put))) {
        table->password[cached_put->account] = cached_put->password;
        rh_reply(message, user_info, {.password = cached_put->password});
    }
}

static int get_password(int account)
{
    const rh_message *reply = rh_ask(topic.user_info, cached_user_get, {.account = account});

    return rh_as(reply, user_info)->password;
}

static void put_password(int account, int password)
{
    const rh_message *reply =
        rh_ask(topic.user_info, cached_user_put, {.account = account, .password = password});

    rh_check(rh_as(reply, user_info));
}

static void user_get_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct user_info_get *get;
    (void)self, (void)state;

    if ((get = rh_as(message, user_info_get)))
        rh_send(get->asker, user_info, {.password = get_password(get->account)});
}

struct user_register_worker {
    bool must_save[MOST_ACCOUNTS];
};

static void user_register_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct user_register_worker *worker = state;
    const struct user_info_register *new_user;
    const struct user_info_create *created;
    (void)self;

    if ((new_user = rh_as(message, user_info_register))) {
        int account = new_user->account;
        bool is_free = !get_password(account) && !worker->must_save[account];

        if (is_free) {
            worker->must_save[account] = true;
            rh_send(topic.user_queue, user_info_create, {.is_ok = true, .account = account});
            put_password(account, new_user->password);
        }
        rh_send(new_user->asker, user_info_create, {.is_ok = is_free, .account = account});
    } else if ((created = rh_as(message, user_info_create))) {
        worker->must_save[created->account] = false;
    }
}

static void user_change_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct user_info_update *update;
    (void)self, (void)state;

    if ((update = rh_as(message, user_info_update))) {
        bool is_right = get_password(update->account) == update->old_password;

        if (is_right)
            put_password(update->account, update->new_password);
        rh_send(update->asker, password_changed, {.is_ok = is_right});
    }
}

// The queues collect what is new, and write it to the database when their hearts beat.
struct queue {
    bool is_new[MOST_ACCOUNTS];
    int written;
};

static bool enqueue(struct queue *queue, int number)
{
    bool is_new = !queue->is_new[number];

    queue->is_new[number] = true;
    rh_after(HEART_MS, rh_self(), heart);
    return is_new;
}

static void write_queue(struct queue *queue)
{
    for (int i = 0; i < MOST_ACCOUNTS; i++) {
        queue->written += queue->is_new[i];
        queue->is_new[i] = false;
    }
}

static void user_queue_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct user_info_create *create;
    (void)self;

    if ((create = rh_as(message, user_info_create)))
        rh_reply(message, user_info_create,
                 {.is_ok = enqueue(state, create->account), .account = create->account});
    else if (rh_as(message, heart))
        write_queue(state);
}

static void player_queue_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct player_info_queue *create;
    (void)self;

    if ((create = rh_as(message, player_info_queue)))
        rh_reply(message, player_info_queue,
                 {.is_ok = enqueue(state, create->name), .name = create->name});
    else if (rh_as(message, heart))
        write_queue(state);
}

struct player_table {
    rh_actor *get_worker;
    rh_actor *create_worker;
    int players;
    struct player_info player[MOST_PLAYERS]; // by name; player_id is 0 if there is none
};

static void player_table_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct player_table *table = state;
    const struct player_info_get *get;
    const struct player_info_create *create;
    const struct cached_player_get *cached_get;
    const struct cached_player_put *cached_put;
    (void)self;

    if ((get = rh_as(message, player_info_get))) {
        rh_send(table->get_worker, player_info_get,
                {.name = get->name, .asker = rh_sender(message)});
    } else if ((create = rh_as(message, player_info_create))) {
        rh_send(table->create_worker, player_info_create,
                {.name = create->name, .account = create->account, .asker = rh_sender(message)});
    } else if ((cached_get = rh_as(message, cached_player_get))) {
        const struct player_info *player = &table->player[cached_get->name];

        rh_reply(message, player_info,
                 {.player_id = player->player_id, .account = player->account});
    } else if ((cached_put = rh_as(message, cached_player_put))) {
        struct player_info *player = &table->player[cached_put->name];

        player->player_id = ++table->players;
        player->account = cached_put->account;
        rh_reply(message, player_info,
                 {.player_id = player->player_id, .account = player->account});
    }
}

static struct player_info get_player(int name)
{
    return *rh_as(rh_ask(topic.player_info, cached_player_get, {.name = name}), player_info);
}

static void player_get_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct player_info_get *get;
    (void)self, (void)state;

    if ((get = rh_as(message, player_info_get))) {
        struct player_info player = get_player(get->name);

        rh_send(get->asker, player_info,
                {.player_id = player.player_id, .account = player.account});
    }
}

struct player_create_worker {
    bool must_save[MOST_PLAYERS];
};

static void player_create_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct player_create_worker *worker = state;
    const struct player_info_create *create;
    const struct player_info_queue *created;
    (void)self;

    if ((create = rh_as(message, player_info_create))) {
        bool is_free = !get_player(create->name).player_id && !worker->must_save[create->name];
        int player_id = 0;

        if (is_free) {
            const rh_message *reply = rh_ask(topic.player_info, cached_player_put,
                                             {.name = create->name, .account = create->account});

            player_id = rh_as(reply, player_info)->player_id;
            worker->must_save[create->name] = true;
            rh_send(topic.player_queue, player_info_queue, {.name = create->name});
        }
        rh_send(create->asker, player_info_created, {.is_ok = is_free, .player_id = player_id});
    } else if ((created = rh_as(message, player_info_queue))) {
        worker->must_save[created->name] = false;
    }
}

// The king's master of databases.

struct db_master {
    rh_actor *register_worker;
    rh_actor *heart_worker;
    rh_actor *select_worker;
    int database; // 0 until there is one
    int index;
    int seen_index; // that came back
    bool is_all_ready;
};

static void be_ready(struct db_master *master)
{
    if (!master->database)
        return;
    master->index++;
    rh_send(topic.data_source, db_heart, {.database = master->database, .index = master->index});
    if (master->is_all_ready)
        return;
    master->is_all_ready = true;
    for (int i = 0; i < REQUESTS; i++)
        if (topic.endpoint[i])
            rh_send(topic.endpoint[i], db_is_all_ready);
}

static void db_master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct db_master *master = state;
    const struct db_register *new_database;
    const struct db_heart *beat;
    const struct database_put *put;
    (void)self;

    if ((new_database = rh_as(message, db_register))) {
        rh_send(master->register_worker, db_register,
                {.database = new_database->database, .asker = rh_sender(message)});
    } else if ((beat = rh_as(message, db_heart))) {
        rh_send(master->heart_worker, db_heart, {.database = beat->database, .index = beat->index});
    } else if (rh_as(message, db_select)) {
        rh_send(master->select_worker, db_select, {.asker = rh_sender(message)});
    } else if (rh_as(message, heart)) {
        be_ready(master);
    } else if ((put = rh_as(message, database_put))) {
        master->database = put->database;
        master->seen_index = put->index;
        rh_reply(message, db_selected, {.database = put->database});
    } else if (rh_as(message, databases_get)) {
        rh_reply(message, db_selected, {.database = master->database});
    }
}

static void put_database(int database, int index)
{
    const rh_message *reply =
        rh_ask(topic.db_master, database_put, {.database = database, .index = index});

    rh_check(rh_as(reply, db_selected));
}

static void db_register_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct db_register *new_database;
    (void)self, (void)state;

    if ((new_database = rh_as(message, db_register))) {
        put_database(new_database->database, 0);
        rh_send(new_database->asker, db_register, {.database = new_database->database});
    }
}

static void db_heart_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct db_heart *beat;
    (void)self, (void)state;

    if ((beat = rh_as(message, db_heart)))
        put_database(beat->database, beat->index);
}

static void db_select_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct db_select *select;
    (void)self, (void)state;

    if ((select = rh_as(message, db_select))) {
        const rh_message *reply = rh_ask(topic.db_master, databases_get);

        rh_send(select->asker, db_selected, {.database = rh_as(reply, db_selected)->database});
    }
}

struct data_source {
    int database;
    bool is_registered;
};

static void data_source_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct data_source *source = state;
    const struct db_heart *beat;
    (void)self;

    if (rh_as(message, heart)) {
        if (!source->is_registered)
            rh_send(topic.db_master, db_register, {.database = source->database});
    } else if (rh_as(message, db_register)) {
        source->is_registered = true;
    } else if ((beat = rh_as(message, db_heart))) {
        if (source->is_registered)
            rh_reply(message, db_heart, {.database = source->database, .index = beat->index});
    }
}

// The web server. Each endpoint has a worker for one kind of requests.

struct endpoint {
    int workers; // which take turns
    int next;
    rh_actor *worker[MOST_WORKERS];
    bool is_all_ready;
};

static void endpoint_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct endpoint *endpoint = state;
    const struct http_request *request;
    (void)self;

    if ((request = rh_as(message, http_request))) {
        if (endpoint->is_all_ready)
            rh_send(endpoint->worker[endpoint->next++ % endpoint->workers], http_request,
                    {.request = request->request,
                     .account = request->account,
                     .password = request->password,
                     .value = request->value,
                     .client = rh_sender(message)});
        else
            rh_reply(message, http_response, {.is_ok = false});
    } else if (rh_as(message, db_is_all_ready)) {
        endpoint->is_all_ready = true;
    }
}

// Where the original waits for what it has asked for, the guard lets no further request in.
struct web_worker {
    bool waits;
    struct http_request request;
};

static bool web_worker_guard(const void *state, const rh_message *message)
{
    const struct web_worker *worker = state;

    return !worker->waits || !rh_as(message, http_request);
}

static void begin_request(struct web_worker *worker, const struct http_request *request)
{
    worker->waits = true;
    worker->request = *request;
}

static void end_request(struct web_worker *worker, bool is_ok, int value)
{
    worker->waits = false;
    rh_send(worker->request.client, http_response, {.is_ok = is_ok, .value = value});
}

// The original does not answer here.
static void refuse(struct web_worker *worker)
{
    if (topic.is_fixed)
        end_request(worker, false, 0);
    worker->waits = false;
}

static void register_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct web_worker *worker = state;
    const struct http_request *request;
    const struct user_info_create *created;
    (void)self;

    if ((request = rh_as(message, http_request))) {
        begin_request(worker, request);
        rh_send(topic.user_info, user_info_register,
                {.account = request->account, .password = request->password});
    } else if ((created = rh_as(message, user_info_create))) {
        end_request(worker, created->is_ok, created->account);
    }
}
RH_GUARD(register_worker_behaviour, web_worker_guard);

static void login_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct web_worker *worker = state;
    const struct http_request *request;
    const struct user_info *user;
    (void)self;

    if ((request = rh_as(message, http_request))) {
        begin_request(worker, request);
        rh_send(topic.user_info, user_info_get, {.account = request->account});
    } else if ((user = rh_as(message, user_info))) {
        end_request(worker, user->password == worker->request.password, 0);
    }
}
RH_GUARD(login_worker_behaviour, web_worker_guard);

static void password_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct web_worker *worker = state;
    const struct http_request *request;
    const struct user_info *user;
    const struct password_changed *changed;
    (void)self;

    if ((request = rh_as(message, http_request))) {
        begin_request(worker, request);
        rh_send(topic.user_info, user_info_get, {.account = request->account});
    } else if ((user = rh_as(message, user_info))) {
        if (user->password == worker->request.password)
            rh_send(topic.user_info, user_info_update,
                    {.account = worker->request.account,
                     .old_password = worker->request.password,
                     .new_password = worker->request.value});
        else
            end_request(worker, false, 0);
    } else if ((changed = rh_as(message, password_changed))) {
        end_request(worker, changed->is_ok, 0);
    }
}
RH_GUARD(password_worker_behaviour, web_worker_guard);

static void player_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct web_worker *worker = state;
    const struct http_request *request;
    const struct user_info *user;
    const struct db_selected *selected;
    const struct player_info_created *created;
    (void)self;

    if ((request = rh_as(message, http_request))) {
        begin_request(worker, request);
        rh_send(topic.user_info, user_info_get, {.account = request->account});
    } else if ((user = rh_as(message, user_info))) {
        if (user->password == worker->request.password)
            rh_send(topic.db_master, db_select, {.asker = NULL});
        else
            refuse(worker);
    } else if ((selected = rh_as(message, db_selected))) {
        if (selected->database)
            rh_send(topic.player_info, player_info_create,
                    {.name = worker->request.value, .account = worker->request.account});
        else
            end_request(worker, false, 0);
    } else if ((created = rh_as(message, player_info_created))) {
        end_request(worker, created->is_ok, created->player_id);
    }
}
RH_GUARD(player_worker_behaviour, web_worker_guard);

static void play_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct web_worker *worker = state;
    const struct http_request *request;
    const struct user_info *user;
    const struct player_info *player;
    (void)self;

    if ((request = rh_as(message, http_request))) {
        begin_request(worker, request);
        rh_send(topic.user_info, user_info_get, {.account = request->account});
    } else if ((user = rh_as(message, user_info))) {
        if (user->password == worker->request.password)
            rh_send(topic.player_info, player_info_get, {.name = worker->request.value});
        else
            refuse(worker);
    } else if ((player = rh_as(message, player_info))) {
        end_request(worker, player->player_id && player->account == worker->request.account,
                    player->player_id);
    }
}
RH_GUARD(play_worker_behaviour, web_worker_guard);

// A web client, which plays a script.
struct client {
    struct http_request script[MOST_STEPS];
    int step;
    int answers;
    int successes;
    int value;
};

static void take_step(struct client *client)
{
    const struct http_request *request = &client->script[client->step];

    if (client->step == MOST_STEPS || request->request == END_OF_SCRIPT)
        return;
    client->step++;
    rh_send(topic.endpoint[request->request], http_request,
            {.request = request->request,
             .account = request->account,
             .password = request->password,
             .value = request->value});
}

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    const struct http_response *response;
    (void)self;

    if (rh_as(message, start)) {
        take_step(client);
    } else if ((response = rh_as(message, http_response))) {
        client->answers++;
        client->successes += response->is_ok;
        client->value = response->value;
        take_step(client);
    }
}

struct expected {
    rh_actor *client[2];
    int answers;
    int successes;
};

static void clients_are_served(const void *context)
{
    const struct expected *expected = context;
    int answers = 0;
    int successes = 0;

    for (int i = 0; i < 2; i++)
        if (expected->client[i]) {
            const struct client *client = rh_view_state(expected->client[i]);

            answers += client->answers;
            successes += client->successes;
        }
    rh_check(answers == expected->answers);
    rh_check(successes == expected->successes);
}

static void set_up_tables(int password)
{
    rh_actor *get_worker = rh_spawn(user_get_worker_behaviour);
    rh_actor *change_worker = rh_spawn(user_change_worker_behaviour);
    rh_actor *register_worker =
        rh_spawn(user_register_worker_behaviour, struct user_register_worker, {{false}});
    rh_actor *player_getter = rh_spawn(player_get_worker_behaviour);
    rh_actor *player_creator =
        rh_spawn(player_create_worker_behaviour, struct player_create_worker, {{false}});

    topic.user_queue = rh_spawn(user_queue_behaviour, struct queue, {.written = 0});
    topic.player_queue = rh_spawn(player_queue_behaviour, struct queue, {.written = 0});
    topic.user_info = rh_spawn(user_table_behaviour, struct user_table,
                               {.get_worker = get_worker,
                                .register_worker = register_worker,
                                .change_worker = change_worker,
                                .password = {[1] = password}});
    topic.player_info = rh_spawn(player_table_behaviour, struct player_table,
                                 {.get_worker = player_getter, .create_worker = player_creator});
}

static void set_up_databases(int database)
{
    rh_actor *register_worker = rh_spawn(db_register_worker_behaviour);
    rh_actor *heart_worker = rh_spawn(db_heart_worker_behaviour);
    rh_actor *select_worker = rh_spawn(db_select_worker_behaviour);

    topic.data_source = rh_spawn(data_source_behaviour, struct data_source, {.database = 7});
    topic.db_master = rh_spawn(db_master_behaviour, struct db_master,
                               {.register_worker = register_worker,
                                .heart_worker = heart_worker,
                                .select_worker = select_worker,
                                .database = database});
}

#define ADD_ENDPOINT(request, behaviour, is_ready)                                                 \
    do {                                                                                           \
        rh_actor *first = rh_spawn(behaviour, struct web_worker, {false});                         \
        rh_actor *second = rh_spawn(behaviour, struct web_worker, {false});                        \
                                                                                                   \
        topic.endpoint[request] =                                                                  \
            rh_spawn(endpoint_behaviour, struct endpoint,                                          \
                     {.workers = 2, .worker = {first, second}, .is_all_ready = is_ready});         \
    } while (0)

static void set_up(int password, int database, bool is_all_ready)
{
    topic.is_fixed = false;
    set_up_tables(password);
    set_up_databases(database);
    ADD_ENDPOINT(REGISTER, register_worker_behaviour, is_all_ready);
    ADD_ENDPOINT(LOG_IN, login_worker_behaviour, is_all_ready);
    ADD_ENDPOINT(CHANGE_PASSWORD, password_worker_behaviour, is_all_ready);
    ADD_ENDPOINT(CREATE_PLAYER, player_worker_behaviour, is_all_ready);
    ADD_ENDPOINT(PLAY, play_worker_behaviour, is_all_ready);
}

static rh_actor *add_client(enum request first, enum request second, int password, int value)
{
    rh_actor *client =
        rh_spawn(client_behaviour, struct client,
                 {.script = {{first, .account = 1, .password = password, .value = value},
                             {second, .account = 1, .password = password, .value = value}}});

    rh_send(client, start);
    return client;
}

static void expect(rh_actor *client, int answers, int successes)
{
    rh_finally(clients_are_served, struct expected,
               {.client = {client}, .answers = answers, .successes = successes});
}

RH_TEST(register_and_log_in)
{
    set_up(0, 0, true);
    expect(add_client(REGISTER, LOG_IN, 5, 0), 2, 2);
}

static void two_clients(enum request request, int password, int answers, int successes)
{
    rh_actor *first;
    rh_actor *second;

    set_up(password, 0, true);
    first = add_client(request, END_OF_SCRIPT, 5, 6);
    second = add_client(request, END_OF_SCRIPT, 5, 8);
    rh_finally(clients_are_served, struct expected,
               {.client = {first, second}, .answers = answers, .successes = successes});
}

RH_TEST(register_twice)
{
    two_clients(REGISTER, 0, 2, 1);
}

RH_TEST(change_twice)
{
    two_clients(CHANGE_PASSWORD, 5, 2, 1);
}

RH_TEST(create_and_play)
{
    set_up(5, 7, true);
    expect(add_client(CREATE_PLAYER, PLAY, 5, 1), 2, 2);
}

RH_TEST(create_twice)
{
    set_up(5, 7, true);
    expect(add_client(CREATE_PLAYER, CREATE_PLAYER, 5, 1), 2, 1);
}

RH_TEST(no_database)
{
    set_up(5, 0, true);
    expect(add_client(CREATE_PLAYER, PLAY, 5, 1), 2, 0);
}

// The second request is to see that the first one's worker goes on.
static void mistake_password(bool is_fixed)
{
    set_up(5, 7, true);
    topic.is_fixed = is_fixed;
    expect(add_client(PLAY, CREATE_PLAYER, 4, 1), 2, 0);
}

RH_TEST(wrong_password)
{
    mistake_password(false);
}

RH_TEST(wrong_password_fixed)
{
    mistake_password(true);
}

static void is_ready_finally(const void *context)
{
    const struct db_master *master = rh_view_state(topic.db_master);
    const struct data_source *source = rh_view_state(topic.data_source);
    (void)context;

    rh_check(!source->is_registered || master->database == 7);
    rh_check(!master->is_all_ready || master->database == 7);
    rh_check(master->seen_index <= master->index);
}

// A client that comes before all is ready is turned away.
RH_TEST(start_up)
{
    set_up(5, 0, false);
    rh_after(HEART_MS, topic.data_source, heart);
    rh_after(HEART_MS, topic.db_master, heart);
    rh_after(2 * HEART_MS, topic.db_master, heart);
    add_client(LOG_IN, END_OF_SCRIPT, 5, 0);
    rh_finally(is_ready_finally, struct expected, {.answers = 0});
}
