// SPDX-License-Identifier: MIT
#include "adapters/zmq/anew.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "adapters/zmq/engine.h"
#include "adapters/zmq/real.h"
#include "base/text.h"
#include "entry/program.h"
#include "entry/stack.h"

// Says that the program is executed once more. The variable stays in the keeper's environment, for
// debuggers that the keeper executes.
#define ANEW_VARIABLE "REHEARSE_ANEW"
#define PRELOAD_VARIABLE "LD_PRELOAD"
enum { STACK_SIZE = 8 << 20 };

static struct {
    bool is_anew;
    bool is_worker; // whether this process is a worker, and not the keeper
    char *request;  // the request that the environment names; NULL: none
    char *preload;  // LD_PRELOAD as it was when the program was started
    pthread_t first;
    void *linker; // stack pointer of the first thread in the constructor
    int status;   // exit status of the keeper
    void (*run)(const void *job);
    const void *job;
} own;

bool rh__zmq_is_anew(void)
{
    return own.is_anew;
}

pthread_t rh__zmq_first_thread(void)
{
    return own.first;
}

// Runs before the program's own constructors, and before libc's, which sets `environ`.
__attribute__((constructor(101))) static void note_start(int argc, char **argv, char **environment)
{
    const char *request, *preload;
    own.first = pthread_self();
    if (!environ)
        environ = environment;
    rh__program_start.argc = argc;
    rh__program_start.argv = argv;
    rh__program_start.environment = environment;
    own.is_anew = getenv(ANEW_VARIABLE) != NULL;
    request = getenv(RH_REQUEST_VARIABLE);
    preload = getenv(PRELOAD_VARIABLE);
    own.request = request ? rh_strdup(request) : NULL;
    own.preload = preload ? rh_strdup(preload) : NULL;
}

static void serve(void)
{
    own.status = rh_program_serve(rh__program_start.argc, rh__program_start.argv,
                                  rh__program_start.environment);
}

// Runs after leave_preload, which takes this library out of the environment.
__attribute__((constructor(103))) static void keep(void)
{
    if (!own.is_anew || !own.request)
        return;
    char *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED)
        rh_panic("there is no memory for a stack: %s", strerror(errno));
    rh_stack_start(&own.linker, stack + STACK_SIZE, &(struct rh_call){serve, {NULL}});
    if (!own.is_worker) {
        fflush(NULL);
        _exit(own.status);
    }
    unsetenv(ANEW_VARIABLE);
    rh__zmq_enter();
}

static void *direct(void *argument)
{
    (void)argument;
    own.run(own.job);
    return NULL;
}

void rh__zmq_launch(void (*run)(const void *job), const void *job)
{
    pthread_t director;
    pthread_attr_t attributes;
    if (!own.is_anew)
        return;
    own.is_worker = true;
    own.run = run;
    own.job = job;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    int error = RH_ZMQ_REAL(pthread_create)(&director, &attributes, direct, NULL);
    pthread_attr_destroy(&attributes);
    if (error != 0)
        rh_panic("cannot start a thread: %s", strerror(error));
    rh_stack_leave(&own.linker);
}

struct rh_status rh__zmq_execute_anew(void)
{
    setenv(ANEW_VARIABLE, "1", 1);
    if (own.preload)
        setenv(PRELOAD_VARIABLE, own.preload, 1);
    // Standard output is what it was already.
    if (own.request)
        own.request[strcspn(own.request, ",")] = '\0';
    if (own.request)
        setenv(RH_REQUEST_VARIABLE, own.request, 1);
    execv("/proc/self/exe", rh__program_start.argv);
    return rh_failed("%s has threads before its main is called, and can't be executed anew: %s",
                     rh__program_start.argv[0], strerror(errno));
}
