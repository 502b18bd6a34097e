// SPDX-License-Identifier: MIT
// Router to dealer: a dispatcher sends an order to a press by its name, when it is told that the press is there, and waits
// for the answer.
//
// A ROUTER socket drops what is for a name that it does not know, without a word. That the press is there comes to the
// dispatcher by way of main, and its connection directly: if that comes later, the order is lost, and all wait.
// Fixed: the press greets the dispatcher, which waits for that on the socket that it will use.
#include <czmq.h>

static void run_press(zsock_t *pipe, void *arguments)
{
    zsock_t *orders = zsock_new(ZMQ_DEALER);
    (void)arguments;
    zsock_set_identity(orders, "press");
    zsock_connect(orders, "inproc://orders");
#ifdef FIXED
    zstr_send(orders, "hello");
#endif
    zsock_signal(pipe, 0);
    char *order = zstr_recv(orders);
    zstr_send(orders, order);
    zstr_free(&order);
    zsock_destroy(&orders);
}

static void run_dispatcher(zsock_t *pipe, void *arguments)
{
    zsock_t *orders = zsock_new_router("@inproc://orders");
    char *name, *text;
    (void)arguments;
    zsock_signal(pipe, 0);
    char *press = zstr_recv(pipe);
#ifdef FIXED
    zstr_recvx(orders, &name, &text, NULL);
    zstr_free(&name);
    zstr_free(&text);
#endif
    zstr_sendx(orders, press, "print", NULL);
    zstr_recvx(orders, &name, &text, NULL);
    zstr_send(pipe, text);
    zstr_free(&name);
    zstr_free(&text);
    zstr_free(&press);
    zsock_destroy(&orders);
}

int main(void)
{
    zactor_t *dispatcher = zactor_new(run_dispatcher, NULL);
    zactor_t *press = zactor_new(run_press, NULL);
    zstr_send(dispatcher, "press");
    char *answer = zstr_recv(dispatcher);
    int status = streq(answer, "print") ? 0 : 1;
    zstr_free(&answer);
    zactor_destroy(&press);
    zactor_destroy(&dispatcher);
    return status;
}
