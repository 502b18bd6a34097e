// SPDX-License-Identifier: MIT
// Names and messages made of addresses, of each kind of memory: see addresses.sh.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

static void *context;
static char name[64];

static void *send_addresses(void *argument)
{
    char text[128];
    void *push = zmq_socket(context, ZMQ_PUSH), *block = malloc(100);
    zmq_connect(push, name);
    snprintf(text, sizeof text, "%p %p %p", (void *)&push, block, argument);
    zmq_send(push, text, strlen(text), 0);
    zmq_close(push);
    return block;
}

int main(void)
{
    pthread_t threads[2];
    char text[128], first[128] = "";
    void *blocks[] = {malloc(100), malloc(1 << 20)};
    context = zmq_ctx_new();
    void *pull = zmq_socket(context, ZMQ_PULL);
    snprintf(name, sizeof name, "inproc://%p", blocks[0]);
    zmq_bind(pull, name);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, send_addresses, blocks[i]);
    for (int i = 0; i < 2; i++) {
        int size = zmq_recv(pull, text, sizeof text, 0);
        printf("%.*s\n", size, text);
        if (i == 0)
            snprintf(first, sizeof first, "%.*s", size, text);
    }
    fflush(stdout);
    snprintf(text, sizeof text, "%p", blocks[0]);
    assert(strstr(first, text));
    return 0;
}
