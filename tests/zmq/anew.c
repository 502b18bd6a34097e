// SPDX-License-Identifier: MIT
// A program with a thread from before main to its very end, which main gives a job: see anew.sh. Two others race. The
// thread is begun by a library, with LIBRARY and USER, or by the executable itself.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

int times_begun(void);
int await_work(void);

#ifndef USER
enum job { NOTHING, WORK, END };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static enum job job = END;
static int done, begun;
static pthread_t thread;

static void set_job(enum job value)
{
    pthread_mutex_lock(&lock);
    job = value;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *helper(void *argument)
{
    pthread_mutex_lock(&lock);
    job = NOTHING;
    pthread_cond_broadcast(&changed);
    while (job != END) {
        if (job == WORK) {
            job = NOTHING;
            done++;
            pthread_cond_broadcast(&changed);
        }
        pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    return argument;
}

__attribute__((constructor)) static void begin(void)
{
    begun++;
    pthread_create(&thread, NULL, helper, NULL);
    pthread_mutex_lock(&lock);
    while (job == END)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

__attribute__((destructor)) static void end(void)
{
    set_job(END);
    pthread_join(thread, NULL);
    puts("end");
    fflush(stdout);
}

int times_begun(void)
{
    return begun;
}

int await_work(void)
{
    int result;
    set_job(WORK);
    pthread_mutex_lock(&lock);
    while (done == 0)
        pthread_cond_wait(&changed, &lock);
    result = done;
    pthread_mutex_unlock(&lock);
    return result;
}
#endif

#ifndef LIBRARY
static void *context;

static void *push(void *name)
{
    void *socket = zmq_socket(context, ZMQ_PUSH);
    zmq_connect(socket, "inproc://results");
    zmq_send(socket, name, 1, 0);
    zmq_close(socket);
    return NULL;
}

static char race(void)
{
    pthread_t threads[2];
    char first, second;
    void *pull = zmq_socket(context, ZMQ_PULL);
    zmq_bind(pull, "inproc://results");
    pthread_create(&threads[0], NULL, push, "a");
    pthread_create(&threads[1], NULL, push, "b");
    zmq_recv(pull, &first, 1, 0);
    zmq_recv(pull, &second, 1, 0);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    zmq_close(pull);
    return first;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "fine";
    context = zmq_ctx_new();
    int done = await_work();
    char first = race();
    printf("begun %d times, %d done\n", times_begun(), done);
    fflush(stdout);
    zmq_ctx_term(context);
    if (strcmp(what, "crash") == 0 && first == 'b')
        abort();
    return strcmp(what, "exit") == 0 && first == 'b' ? 3 : 0;
}
#endif
