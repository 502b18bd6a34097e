// SPDX-License-Identifier: MIT
// What can become of a program, chosen by the first argument: see programs.sh.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

static void *context;
static const char *what;

static void misbehave(void *socket)
{
    if (!strcmp(what, "fault"))
        *(volatile int *)0 = 1;
    if (!strcmp(what, "abort"))
        abort();
    if (!strcmp(what, "exit"))
        exit(7);
    if (!strcmp(what, "raw_exit"))
        _exit(9);
    for (volatile int i = 0; !strcmp(what, "spin"); i++)
        continue;
    while (!strcmp(what, "forever"))
        usleep(1000);
    if (!strcmp(what, "address"))
        zmq_bind(socket, "pgm://eth0;239.192.1.1:5555");
    if (!strcmp(what, "stream"))
        zmq_socket(context, ZMQ_STREAM);
    int on = 1;
    if (!strcmp(what, "option"))
        zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &on, sizeof on);
    if (!strcmp(what, "text_option"))
        zmq_setsockopt(socket, ZMQ_PLAIN_USERNAME, "me", 2);
    if (!strcmp(what, "no_option") &&
        (zmq_setsockopt(socket, 999, &on, sizeof on) != -1 || errno != EINVAL))
        abort();
    if (!strcmp(what, "semaphore"))
        sem_open("/rehearse", 0);
    if (!strcmp(what, "wait"))
        zmq_recv(socket, &on, sizeof on, 0);
}

static void *run(void *argument)
{
    char text[16];
    void *socket = zmq_socket(context, ZMQ_PAIR);
    (void)argument;
    zmq_connect(socket, "inproc://pair");
    zmq_recv(socket, text, sizeof text, 0);
    misbehave(socket);
    zmq_close(socket);
    return NULL;
}

static void say_bye(void)
{
    puts("bye");
}

int main(int argc, char **argv)
{
    pthread_t thread;
    what = argc > 1 ? argv[1] : "";
    atexit(say_bye);
    context = zmq_ctx_new();
    void *socket = zmq_socket(context, ZMQ_PAIR);
    zmq_bind(socket, "inproc://pair");
    pthread_create(&thread, NULL, run, NULL);
    zmq_send(socket, "a\x01", 2, 0);
    pthread_join(thread, NULL);
    sleep(1000);
    zmq_close(socket);
    zmq_ctx_term(context);
    return 0;
}
