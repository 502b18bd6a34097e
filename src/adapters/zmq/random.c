// SPDX-License-Identifier: MIT
#include "adapters/zmq/random.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "adapters/zmq/engine.h"
#include "adapters/zmq/real.h"
#include "base/vector.h"

// The process number that programs see instead of their own, which differs in every execution.
enum { PROGRAM_PID = 4000 };

static void fill(void *buffer, size_t size)
{
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        uint64_t number = rh__zmq_random();
        size_t part = size - i < sizeof number ? size - i : sizeof number;
        memcpy((char *)buffer + i, &number, part);
    }
}

ssize_t getrandom(void *buffer, size_t size, unsigned flags)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(getrandom)(buffer, size, flags);
    fill(buffer, size);
    return (ssize_t)size;
}

int getentropy(void *buffer, size_t size)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(getentropy)(buffer, size);
    fill(buffer, size);
    return 0;
}

uint32_t arc4random(void)
{
    uint32_t number;
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(arc4random)();
    fill(&number, sizeof number);
    return number;
}

void arc4random_buf(void *buffer, size_t size)
{
    if (rh__zmq_self())
        fill(buffer, size);
    else
        RH_ZMQ_REAL(arc4random_buf)(buffer, size);
}

// The numbers are not spread quite evenly where `bound` is large, which nobody can tell.
uint32_t arc4random_uniform(uint32_t bound)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(arc4random_uniform)(bound);
    return bound > 1 ? (uint32_t)(rh__zmq_random() % bound) : 0;
}

// libc's generator, with a state for each thread; the state of main gives what libc gives.

// Size of the state of libc's own generator.
enum { STATE_SIZE = 128 };

struct rh_zmq_generator {
    struct random_data data;
    char state[STATE_SIZE];
};

static struct rh_zmq_generator *generator_of(struct rh_zmq_thread *thread)
{
    if (thread->generator)
        return thread->generator;
    thread->generator = rh_alloc(sizeof *thread->generator);
    initstate_r(thread->seed, thread->generator->state, STATE_SIZE, &thread->generator->data);
    return thread->generator;
}

long random(void)
{
    int32_t number;
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(random)();
    random_r(&generator_of(rh__zmq_self())->data, &number);
    return number;
}

void srandom(unsigned seed)
{
    if (!rh__zmq_self()) {
        RH_ZMQ_REAL(srandom)(seed);
        return;
    }
    rh__zmq_self()->seed = seed;
    srandom_r(seed, &generator_of(rh__zmq_self())->data);
}

int rand(void)
{
    return (int)random();
}

void srand(unsigned seed)
{
    srandom(seed);
}

// The system's devices: reading them gives the thread's stream.

static struct {
    RH_VECTOR(int) sources; // descriptors; -1: closed
} own;

bool rh__zmq_random_is_source(const char *path)
{
    return rh__zmq_self() && (!strcmp(path, "/dev/urandom") || !strcmp(path, "/dev/random"));
}

void rh__zmq_random_add_source(int descriptor)
{
    *rh_vector_push(&own.sources) = descriptor;
}

static int *find_source(int descriptor)
{
    for (size_t i = 0; i < own.sources.count; i++)
        if (own.sources.items[i] == descriptor)
            return &own.sources.items[i];
    return NULL;
}

static ssize_t read_stream(void *cookie, char *buffer, size_t size)
{
    (void)cookie;
    fill(buffer, size);
    return (ssize_t)size;
}

FILE *rh__zmq_random_open(void)
{
    return fopencookie(NULL, "r", (cookie_io_functions_t){.read = read_stream});
}

ssize_t read(int descriptor, void *buffer, size_t size)
{
    if (!rh__zmq_self() || !find_source(descriptor))
        return RH_ZMQ_REAL(read)(descriptor, buffer, size);
    fill(buffer, size);
    return (ssize_t)size;
}

int close(int descriptor)
{
    int *source = rh__zmq_self() ? find_source(descriptor) : NULL;
    if (source)
        *source = -1;
    return RH_ZMQ_REAL(close)(descriptor);
}

// libuuid, as far as programs use it.

void uuid_generate(unsigned char *uuid);
void uuid_generate_random(unsigned char *uuid);
void uuid_generate_time(unsigned char *uuid);

static void make_uuid(unsigned char *uuid)
{
    if (getentropy(uuid, 16) != 0)
        abort();
    uuid[6] = (unsigned char)((uuid[6] & 0x0f) | 0x40);
    uuid[8] = (unsigned char)((uuid[8] & 0x3f) | 0x80);
}

void uuid_generate(unsigned char *uuid)
{
    make_uuid(uuid);
}

void uuid_generate_random(unsigned char *uuid)
{
    make_uuid(uuid);
}

void uuid_generate_time(unsigned char *uuid)
{
    make_uuid(uuid);
}

// Numbers of processes; kill understands them too.

pid_t getpid(void)
{
    return rh__zmq_self() ? PROGRAM_PID : RH_ZMQ_REAL(getpid)();
}
