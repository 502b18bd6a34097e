// SPDX-License-Identifier: MIT
// Two actors of CZMQ that throw a ball to and fro, for the number of runs in a second: see bench/speed/zmq.
#include <czmq.h>

enum { ROUNDS = 20 };

static void run_server(zsock_t *pipe, void *arguments)
{
    zsock_t *ball = zsock_new_pair("@inproc://ball");
    (void)arguments;
    zsock_signal(pipe, 0);
    for (int i = 0; i < ROUNDS; i++) {
        char *text = zstr_recv(ball);
        zstr_send(ball, text);
        zstr_free(&text);
    }
    zsock_destroy(&ball);
}

static void run_client(zsock_t *pipe, void *arguments)
{
    zsock_t *ball = zsock_new_pair(">inproc://ball");
    (void)arguments;
    zsock_signal(pipe, 0);
    for (int i = 0; i < ROUNDS; i++) {
        zstr_send(ball, "ball");
        char *text = zstr_recv(ball);
        zstr_free(&text);
    }
    zsock_destroy(&ball);
}

int main(void)
{
    zactor_t *server = zactor_new(run_server, NULL);
    zactor_t *client = zactor_new(run_client, NULL);
    zactor_destroy(&client);
    zactor_destroy(&server);
    return 0;
}
