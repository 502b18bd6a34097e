// SPDX-License-Identifier: MIT
// What ZeroMQ offers besides sockets.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/zmq/api.h"
#include "adapters/zmq/engine.h"
#include "base/text.h"

int zmq_errno(void)
{
    return errno;
}

const char *zmq_strerror(int error)
{
    switch (error) {
    case EFSM:
        return "Operation cannot be accomplished in current state";
    case ENOCOMPATPROTO:
        return "The protocol is not compatible with the socket type";
    case ETERM:
        return "Context was terminated";
    case EMTHREAD:
        return "No thread available";
    case EHOSTUNREACH:
        return "Host unreachable";
    default:
        return strerror(error);
    }
}

void zmq_version(int *major, int *minor, int *patch)
{
    *major = VERSION_MAJOR;
    *minor = VERSION_MINOR;
    *patch = VERSION_PATCH;
}

int zmq_has(const char *capability)
{
    return strcmp(capability, "ipc") == 0;
}

// Z85: four bytes as five digits to the base 85.

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             ".-:+=^!/*?&<>()[]{}@%$#";

char *zmq_z85_encode(char *text, const uint8_t *bytes, size_t size)
{
    if (size % 4 != 0) {
        errno = EINVAL;
        return NULL;
    }
    char *at = text;
    for (size_t i = 0; i < size; i += 4, at += 5) {
        uint32_t value = (uint32_t)bytes[i] << 24 | (uint32_t)bytes[i + 1] << 16 |
                         (uint32_t)bytes[i + 2] << 8 | bytes[i + 3];
        for (int k = 4; k >= 0; k--, value /= 85)
            at[k] = digits[value % 85];
    }
    *at = '\0';
    return text;
}

// The value of five digits; more than 32 bits if they are no digits.
static uint64_t decode_digits(const char *text)
{
    uint64_t value = 0;
    for (int i = 0; i < 5; i++) {
        const char *digit = strchr(digits, text[i]);
        if (!digit || text[i] == '\0')
            return UINT64_MAX;
        value = value * 85 + (uint64_t)(digit - digits);
    }
    return value;
}

uint8_t *zmq_z85_decode(uint8_t *bytes, const char *text)
{
    size_t length = strlen(text);
    uint8_t *at = bytes;
    for (size_t i = 0; length % 5 == 0 && i < length; i += 5) {
        uint64_t value = decode_digits(text + i);
        if (value > UINT32_MAX) {
            errno = EINVAL;
            return NULL;
        }
        for (int shift = 24; shift >= 0; shift -= 8)
            *at++ = (uint8_t)(value >> shift);
    }
    if (length % 5 == 0 && length > 0)
        return bytes;
    errno = EINVAL;
    return NULL;
}

// Counters, which need no atomic operations: only one thread runs at a time.

void *zmq_atomic_counter_new(void)
{
    return rh_alloc(sizeof(int));
}

void zmq_atomic_counter_set(void *counter, int value)
{
    *(int *)counter = value;
}

int zmq_atomic_counter_inc(void *counter)
{
    return (*(int *)counter)++;
}

int zmq_atomic_counter_dec(void *counter)
{
    return --*(int *)counter > 0;
}

int zmq_atomic_counter_value(void *counter)
{
    return *(int *)counter;
}

void zmq_atomic_counter_destroy(void **counter)
{
    free(*counter);
    *counter = NULL;
}

// Time and threads.

void *zmq_stopwatch_start(void)
{
    uint64_t *watch = rh_alloc(sizeof *watch);
    *watch = rh__zmq_now();
    return watch;
}

unsigned long zmq_stopwatch_intermediate(void *watch)
{
    return (unsigned long)((rh__zmq_now() - *(uint64_t *)watch) / 1000);
}

unsigned long zmq_stopwatch_stop(void *watch)
{
    unsigned long passed = zmq_stopwatch_intermediate(watch);
    free(watch);
    return passed;
}

void zmq_sleep(int seconds)
{
    const struct rh_zmq_wait wait = {
        .call = __func__, .object = "", .deadline = rh__zmq_deadline((int64_t)seconds * 1000)};
    rh__zmq_wait(&wait);
}

struct task {
    void (*function)(void *argument);
    void *argument;
    pthread_t handle;
};

static void *run_task(void *argument)
{
    const struct task *task = argument;
    task->function(task->argument);
    return NULL;
}

void *zmq_threadstart(void (*function)(void *), void *argument)
{
    struct task *task = rh_alloc(sizeof *task);
    task->function = function;
    task->argument = argument;
    if (pthread_create(&task->handle, NULL, run_task, task) == 0)
        return task;
    free(task);
    return NULL;
}

void zmq_threadclose(void *thread)
{
    struct task *task = thread;
    pthread_join(task->handle, NULL);
    free(task);
}
