// SPDX-License-Identifier: MIT
// The connections of a database client, after Fyrie-Redis, and two of its bugs (issues 12 and 13).
//
// A session has a worker of its own, which takes what comes from the connection, and has the one
// manager of input and output open it. For each request the session tells its worker who waits for
// the next answer, and has the manager write the request to the server. What the server answers the
// manager hands to the worker, which gives it to whoever has waited longest. If a connection is
// closed the worker tells all who wait that they have failed.
//
// Under `--delivery fifo`:
//
// issue_13: the answer may come to the worker from the manager before the session's word that
//           somebody waits for it. It is lost, and the one who waits gets the next one, or none.
// issue_12: the connection is refused. The manager's word that it is closed may come to the worker
//           before the session's which connection it has, and then is about one it does not know.
//
// In the fixed twins the worker keeps an answer until somebody waits for it, and it is created with
// its connection. That nothing is written before the connection is open, and that answers are in
// the order of the requests, rests on `--delivery fifo`.
//
// bug:     --test issue_12 : unhandled
// cause:   closed from manager reached worker before socket from session
// bug:     --test issue_13 : final
// cause:   read from manager reached worker before run from session
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST_SESSIONS = 4, MOST_CLIENTS = 5, NO_CONNECTION = -1 };

enum bug { NO_BUG, ISSUE_12, ISSUE_13 };

RH_SIGNAL(start);
RH_SIGNAL(go);
RH_MESSAGE(request, { int number; });
RH_MESSAGE(reply, {
    bool failed;
    int number; // twice that of the request
});
RH_MESSAGE(connect, {
    int connection;
    rh_actor *worker;
});
RH_MESSAGE(socket, { int connection; });
RH_MESSAGE(run, { rh_actor *client; });
RH_MESSAGE(write, {
    int connection;
    int number;
});
RH_MESSAGE(query, {
    int connection;
    int number;
});
RH_MESSAGE(answer, {
    int connection;
    int number;
});
RH_MESSAGE(read, { int number; });
RH_MESSAGE(closed, { int connection; });

struct clients {
    rh_actor *of_session[MOST_SESSIONS][MOST_CLIENTS];
};

struct watched {
    struct clients all;
};

// Set by the test's body, and only read afterwards.
static struct {
    enum bug bug;
    int sessions;
    int clients;  // of each session
    int requests; // of each client
    int refused;  // the connection that the server refuses, or NO_CONNECTION
    rh_actor *manager;
    rh_actor *server;
    struct clients all;
} redis;

struct manager {
    rh_actor *worker[MOST_SESSIONS]; // of a connection, NULL if it is not open
};

static void manager_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct manager *manager = state;
    const struct connect *connect;
    const struct write *write;
    const struct answer *answer;
    (void)self;

    if ((connect = rh_as(message, connect))) {
        if (connect->connection == redis.refused)
            rh_send(connect->worker, closed, {.connection = connect->connection});
        else
            manager->worker[connect->connection] = connect->worker;
    } else if ((write = rh_as(message, write))) {
        if (manager->worker[write->connection])
            rh_send(redis.server, query,
                    {.connection = write->connection, .number = write->number});
    } else if ((answer = rh_as(message, answer))) {
        rh_send(manager->worker[answer->connection], read, {.number = answer->number});
    }
}

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct query *query = rh_as(message, query);
    (void)self, (void)state;

    if (query)
        rh_reply(message, answer, {.connection = query->connection, .number = 2 * query->number});
}

// Who waits for answers; or answers that nobody waits for yet. Never both.
struct worker {
    int connection;
    bool is_closed;
    int waiting;
    rh_actor *client[MOST_CLIENTS];
    int early;
    int answer[MOST_CLIENTS];
};

static void take_run(struct worker *worker, rh_actor *client)
{
    if (worker->is_closed) {
        rh_send(client, reply, {.failed = true});
    } else if (worker->early > 0) {
        rh_send(client, reply, {.number = worker->answer[0]});
        worker->early--;
        for (int i = 0; i < worker->early; i++)
            worker->answer[i] = worker->answer[i + 1];
    } else {
        worker->client[worker->waiting++] = client;
    }
}

static void take_read(struct worker *worker, int number)
{
    if (worker->waiting > 0) {
        rh_send(worker->client[0], reply, {.number = number});
        worker->waiting--;
        for (int i = 0; i < worker->waiting; i++)
            worker->client[i] = worker->client[i + 1];
    } else if (redis.bug != ISSUE_13) {
        worker->answer[worker->early++] = number;
    }
}

static void take_closed(struct worker *worker)
{
    worker->is_closed = true;
    for (int i = 0; i < worker->waiting; i++)
        rh_send(worker->client[i], reply, {.failed = true});
    worker->waiting = 0;
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    const struct socket *socket;
    const struct run *run;
    const struct read *read;
    const struct closed *closed;
    (void)self;

    if ((socket = rh_as(message, socket)))
        worker->connection = socket->connection;
    else if ((run = rh_as(message, run)))
        take_run(worker, run->client);
    else if ((read = rh_as(message, read)))
        take_read(worker, read->number);
    else if ((closed = rh_as(message, closed)) && closed->connection == worker->connection)
        take_closed(worker);
    else
        rh_unhandled(message);
}

struct session {
    int connection;
    rh_actor *worker;
};

static void open_session(struct session *session)
{
    int known = redis.bug == ISSUE_12 ? NO_CONNECTION : session->connection;

    session->worker = rh_spawn(worker_behaviour, struct worker, {.connection = known});
    rh_send(redis.manager, connect, {.connection = session->connection, .worker = session->worker});
    if (redis.bug == ISSUE_12)
        rh_send(session->worker, socket, {.connection = session->connection});
    for (int i = 0; i < redis.clients; i++)
        rh_send(redis.all.of_session[session->connection][i], go);
}

static void session_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct session *session = state;
    const struct request *request;
    (void)self;

    if (rh_as(message, start)) {
        open_session(session);
    } else if ((request = rh_as(message, request))) {
        rh_send(session->worker, run, {.client = rh_sender(message)});
        rh_send(redis.manager, write,
                {.connection = session->connection, .number = request->number});
    }
}

struct client {
    rh_actor *session;
    int number; // of the present request
    int answered;
};

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    const struct reply *reply;
    (void)self;

    if ((reply = rh_as(message, reply))) {
        rh_check(reply->failed || reply->number == 2 * client->number);
        client->number++;
        client->answered++;
    } else if (!rh_as(message, go)) {
        return;
    }
    if (client->answered < redis.requests)
        rh_send(client->session, request, {.number = client->number});
}

static void all_were_answered(const void *context)
{
    const struct watched *watched = context;

    for (int i = 0; i < redis.sessions; i++) {
        for (int j = 0; j < redis.clients; j++) {
            const struct client *client = rh_view_state(watched->all.of_session[i][j]);
            rh_check(client->answered == redis.requests);
        }
    }
}

static void open_connection(int connection)
{
    rh_actor *session =
        rh_spawn(session_behaviour, struct session, {.connection = connection, .worker = NULL});

    for (int i = 0; i < redis.clients; i++)
        redis.all.of_session[connection][i] =
            rh_spawn(client_behaviour, struct client,
                     {.session = session, .number = 1000 * connection + 100 * i});
    rh_send(session, start);
}

static void use_database(void)
{
    redis.manager = rh_spawn(manager_behaviour, struct manager, {.worker = {NULL}});
    redis.server = rh_spawn(server_behaviour);
    for (int i = 0; i < redis.sessions; i++)
        open_connection(i);
    rh_finally(all_were_answered, struct watched, {.all = redis.all});
}

// One session, whose clients ask once.
static void run_small(enum bug bug, int clients, int refused)
{
    redis.bug = bug;
    redis.sessions = 1;
    redis.clients = clients;
    redis.requests = 1;
    redis.refused = refused;
    use_database();
}

static void run_full(enum bug bug, int refused)
{
    redis.bug = bug;
    redis.sessions = MOST_SESSIONS;
    redis.clients = MOST_CLIENTS;
    redis.requests = 4;
    redis.refused = refused;
    use_database();
}

RH_TEST(issue_12)
{
    run_small(ISSUE_12, 1, 0);
}

RH_TEST(issue_12_fixed)
{
    run_small(NO_BUG, 1, 0);
}

RH_TEST(issue_13)
{
    run_small(ISSUE_13, 1, NO_CONNECTION);
}

RH_TEST(issue_13_fixed)
{
    run_small(NO_BUG, 1, NO_CONNECTION);
}

RH_TEST(issue_13_with_two)
{
    run_small(ISSUE_13, 2, NO_CONNECTION);
}

RH_TEST(issue_13_fixed_with_two)
{
    run_small(NO_BUG, 2, NO_CONNECTION);
}

RH_TEST(issue_12_full)
{
    run_full(ISSUE_12, 2);
}

RH_TEST(issue_12_fixed_full)
{
    run_full(NO_BUG, 2);
}

RH_TEST(issue_13_full)
{
    run_full(ISSUE_13, NO_CONNECTION);
}

RH_TEST(issue_13_fixed_full)
{
    run_full(NO_BUG, NO_CONNECTION);
}
