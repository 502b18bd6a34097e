// SPDX-License-Identifier: MIT
// Start of an actor: a server is started, then told which table to use, and then a client is started that asks it.
//
// Commands come from main, questions from the client: a question may be there first, and there is no table yet.
// Fixed: the server looks at questions only when it was told.
#include <assert.h>
#include <czmq.h>

static const int squares[] = {0, 1, 4, 9};

struct server {
    zsock_t *pipe, *questions;
    zpoller_t *poller;
    const int *table;
};

static void obey(struct server *server)
{
    char *command = zstr_recv(server->pipe);
    if (streq(command, "squares"))
        server->table = squares;
    zstr_free(&command);
}

static void answer(struct server *server)
{
    int question;
    zsock_recv(server->questions, "i", &question);
    zsock_send(server->questions, "i", server->table[question]);
}

// Answers one question.
static void run_server(zsock_t *pipe, void *arguments)
{
    struct server server = {.pipe = pipe, .questions = zsock_new_rep("@inproc://questions")};
    (void)arguments;
    server.poller = zpoller_new(pipe, server.questions, NULL);
    zsock_signal(pipe, 0);
#ifdef FIXED
    obey(&server);
#endif
    while (zpoller_wait(server.poller, -1) == pipe)
        obey(&server);
    answer(&server);
    zpoller_destroy(&server.poller);
    zsock_destroy(&server.questions);
}

static void run_client(zsock_t *pipe, void *arguments)
{
    zsock_t *questions = zsock_new_req(">inproc://questions");
    int square;
    (void)arguments;
    zsock_signal(pipe, 0);
    zsock_send(questions, "i", 3);
    zsock_recv(questions, "i", &square);
    assert(square == 9);
    zsock_destroy(&questions);
}

int main(void)
{
    zactor_t *server = zactor_new(run_server, NULL);
    zstr_send(server, "squares");
    zactor_t *client = zactor_new(run_client, NULL);
    zactor_destroy(&client);
    zactor_destroy(&server);
    return 0;
}
