// SPDX-License-Identifier: MIT
// A server with an event loop of its own: libuv reads lines from TCP connections, actors answer them.
//
// The loop's callbacks send to actors like any other thread. For the way back there is one actor, the gate, which puts
// answers into a box and wakes the loop. Nothing else knows of libuv, so that the tests below put another gate in its
// place and rehearse all the rest, with the very code that serves.
//
//     cc -O2 -g scores.c -o scores $(pkg-config --cflags --libs rehearse libuv)
//     ./scores            # says the port; then, elsewhere: nc 127.0.0.1 PORT
//     rehearse explore scores.c
//
// rehearse: --libs -luv
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include <rehearse/actor.h>
#include <rehearse/run.h>
#include <rehearse/test.h>

enum { LINE_MOST = 120 };

RH_MESSAGE(line, { char text[LINE_MOST]; });
RH_SIGNAL(hang_up);
RH_MESSAGE(score, { int points; });
RH_SIGNAL(ask_best);
RH_MESSAGE(best, { int points; });
RH_MESSAGE(answer, {
    uint64_t connection;
    char text[LINE_MOST];
});

// The board knows the best score, and tells whoever asks.

static void board_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *best = state;
    const struct score *score;
    (void)self;
    if ((score = rh_as(message, score))) {
        if (score->points > *best)
            *best = score->points;
    } else if (rh_as(message, ask_best)) {
        rh_reply(message, best, {.points = *best});
    }
}

// A player is one connection. Lines are `score N`, `best` and `mine`.

struct player {
    uint64_t connection;
    rh_actor *board;
    rh_actor *gate;
    int most;
};

static void say(const struct player *player, const char *word, int points)
{
    struct answer answer = {.connection = player->connection};
    snprintf(answer.text, sizeof answer.text, "%s %d\n", word, points);
    rh_send_sized(player->gate, answer, &answer, sizeof answer);
}

static void read_line(struct player *player, const char *text)
{
    int points;
    if (sscanf(text, "score %d", &points) == 1) {
        if (points > player->most)
            player->most = points;
        rh_send(player->board, score, {.points = points});
    } else if (strcmp(text, "best") == 0) {
        rh_send(player->board, ask_best);
    } else if (strcmp(text, "mine") == 0) {
        say(player, "mine", player->most);
    } else {
        say(player, "what?", 0);
    }
}

static void player_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct player *player = state;
    const struct line *line;
    const struct best *best;
    (void)self;
    if ((line = rh_as(message, line)))
        read_line(player, line->text);
    else if ((best = rh_as(message, best)))
        say(player, "best", best->points);
    else if (rh_as(message, hang_up))
        rh_stop();
}

// The server. All of it but the box belongs to the loop's thread.

struct boxed {
    struct boxed *next;
    struct answer answer;
};

struct box {
    pthread_mutex_t lock;
    struct boxed *first;
    struct boxed **last;
    uv_async_t wake;
};

struct connection {
    uv_tcp_t stream;
    struct connection *next;
    uint64_t number;
    rh_actor *player;
    char line[LINE_MOST];
    size_t length;
};

struct server {
    uv_loop_t *loop;
    uv_tcp_t listener;
    uv_signal_t end;
    struct box box;
    struct connection *connections;
    uint64_t connection_count;
    rh_actor *board;
    rh_actor *gate;
};

// The gate is the only actor that shares something with the loop.
static void gate_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct box *box = *(struct box **)state;
    const struct answer *answer = rh_as(message, answer);
    (void)self;
    if (!answer)
        return;
    struct boxed *boxed = malloc(sizeof *boxed);
    if (!boxed)
        abort();
    *boxed = (struct boxed){.answer = *answer};
    pthread_mutex_lock(&box->lock);
    *box->last = boxed;
    box->last = &boxed->next;
    pthread_mutex_unlock(&box->lock);
    uv_async_send(&box->wake);
}

static struct boxed *empty_box(struct box *box)
{
    pthread_mutex_lock(&box->lock);
    struct boxed *first = box->first;
    box->first = NULL;
    box->last = &box->first;
    pthread_mutex_unlock(&box->lock);
    return first;
}

static struct connection *find_connection(const struct server *server, uint64_t number)
{
    struct connection *connection = server->connections;
    while (connection && connection->number != number)
        connection = connection->next;
    return connection;
}

struct writing {
    uv_write_t request;
    char text[LINE_MOST];
};

static void on_written(uv_write_t *request, int status)
{
    (void)status;
    free(request->data);
}

static void write_answer(struct connection *connection, const struct answer *answer)
{
    struct writing *writing = malloc(sizeof *writing);
    if (!writing)
        abort();
    memcpy(writing->text, answer->text, sizeof writing->text);
    writing->request.data = writing;
    uv_buf_t bytes = uv_buf_init(writing->text, (unsigned)strlen(writing->text));
    if (uv_write(&writing->request, (uv_stream_t *)&connection->stream, &bytes, 1, on_written) != 0)
        free(writing);
}

// Answers may come for a connection that is gone.
static void on_wake(uv_async_t *wake)
{
    struct server *server = wake->data;
    for (struct boxed *boxed = empty_box(&server->box), *next; boxed; boxed = next) {
        struct connection *connection = find_connection(server, boxed->answer.connection);
        if (connection)
            write_answer(connection, &boxed->answer);
        next = boxed->next;
        free(boxed);
    }
}

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void close_connection(struct connection *connection)
{
    struct server *server = connection->stream.loop->data;
    struct connection **place = &server->connections;
    while (*place != connection)
        place = &(*place)->next;
    *place = connection->next;
    rh_send(connection->player, hang_up);
    uv_close((uv_handle_t *)&connection->stream, on_closed);
}

static void take_byte(struct connection *connection, char byte)
{
    if (byte != '\n') {
        if (byte != '\r' && connection->length < sizeof connection->line - 1)
            connection->line[connection->length++] = byte;
        return;
    }
    struct line line = {0};
    memcpy(line.text, connection->line, connection->length);
    connection->length = 0;
    rh_send_sized(connection->player, line, &line, sizeof line);
}

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *bytes)
{
    (void)handle;
    *bytes = uv_buf_init(malloc(suggested), (unsigned)suggested);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *bytes)
{
    for (ssize_t i = 0; i < count; i++)
        take_byte(stream->data, bytes->base[i]);
    free(bytes->base);
    if (count < 0)
        close_connection(stream->data);
}

static void on_connection(uv_stream_t *listener, int status)
{
    struct server *server = listener->data;
    struct connection *connection = calloc(1, sizeof *connection);
    if (status != 0 || !connection) {
        free(connection);
        return;
    }
    uv_tcp_init(server->loop, &connection->stream);
    connection->stream.data = connection;
    connection->number = ++server->connection_count;
    connection->player =
        rh_spawn(player_behaviour, struct player,
                 {.connection = connection->number, .board = server->board, .gate = server->gate});
    connection->next = server->connections;
    server->connections = connection;
    if (uv_accept(listener, (uv_stream_t *)&connection->stream) != 0 ||
        uv_read_start((uv_stream_t *)&connection->stream, on_room, on_read) != 0)
        close_connection(connection);
}

// The first of two steps of the end: no more input. The actors may still have something to answer.
static void on_end(uv_signal_t *end, int number)
{
    struct server *server = end->data;
    (void)number;
    uv_stop(server->loop);
}

static void setup(void *context)
{
    struct server *server = context;
    server->board = rh_spawn(board_behaviour, int, {0});
    server->gate = rh_spawn(gate_behaviour, struct box *, {&server->box});
}

static void say_port(const struct server *server)
{
    struct sockaddr_in address;
    int size = sizeof address;
    uv_tcp_getsockname(&server->listener, (struct sockaddr *)&address, &size);
    printf("listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
}

static int listen_on_loopback(struct server *server)
{
    struct sockaddr_in address;
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_tcp_init(server->loop, &server->listener);
    server->listener.data = server;
    int status = uv_tcp_bind(&server->listener, (const struct sockaddr *)&address, 0);
    return status != 0 ? status : uv_listen((uv_stream_t *)&server->listener, 128, on_connection);
}

static void close_handle(uv_handle_t *handle, void *context)
{
    (void)context;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

// The second step: the actors are done, so nobody puts anything into the box any more.
static void close_loop(struct server *server)
{
    on_wake(&server->box.wake);
    while (server->connections) {
        struct connection *connection = server->connections;
        server->connections = connection->next;
        uv_close((uv_handle_t *)&connection->stream, on_closed);
    }
    uv_walk(server->loop, close_handle, NULL);
    uv_run(server->loop, UV_RUN_DEFAULT);
    uv_loop_close(server->loop);
}

int main(void)
{
    struct server server = {.loop = uv_default_loop(), .box = {.lock = PTHREAD_MUTEX_INITIALIZER}};
    server.loop->data = &server;
    server.box.last = &server.box.first;
    uv_async_init(server.loop, &server.box.wake, on_wake);
    server.box.wake.data = &server;
    uv_signal_init(server.loop, &server.end);
    server.end.data = &server;
    uv_signal_start(&server.end, on_end, SIGTERM);
    int status = listen_on_loopback(&server);
    if (status != 0) {
        fprintf(stderr, "scores: no port on loopback: %s\n", uv_strerror(status));
        return 1;
    }
    status = rh_start(&(rh_options){.stay = true, .context = &server}, setup);
    if (status != 0)
        return status;
    say_port(&server);
    uv_run(server.loop, UV_RUN_DEFAULT);
    rh_drain();
    status = rh_wait();
    close_loop(&server);
    return status;
}

// The same board and players with a gate that judges what they say.

static void judge_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const int *scored = state; // by each connection, before it asks
    const struct answer *answer = rh_as(message, answer);
    int points;
    (void)self;
    if (!answer)
        return;
    rh_check(sscanf(answer->text, "best %d", &points) == 1);
    rh_check(points >= scored[answer->connection]);
}

static void type_line(rh_actor *player, const char *text)
{
    struct line line = {0};
    snprintf(line.text, sizeof line.text, "%s", text);
    rh_send_sized(player, line, &line, sizeof line);
}

// Whoever asks for the best score after a score of their own is told of one that is no worse.
RH_TEST(own_score_counts)
{
    rh_actor *board = rh_spawn(board_behaviour, int, {0});
    rh_actor *judge = rh_spawn(judge_behaviour, int[2], {30, 50});
    for (uint64_t i = 0; i < 2; i++) {
        rh_actor *player = rh_spawn(player_behaviour, struct player,
                                    {.connection = i, .board = board, .gate = judge});
        type_line(player, i == 0 ? "score 30" : "score 50");
        type_line(player, "best");
    }
}
