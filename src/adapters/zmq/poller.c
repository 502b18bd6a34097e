// SPDX-License-Identifier: MIT
// zmq_poller: a list of sockets and descriptors that is kept between waits.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/zmq/socket.h"

#define POLLER_MARK UINT32_C(0xc0de9011)

struct poller {
    uint32_t mark;
    RH_VECTOR(struct rh_zmq_poll_item) items;
    RH_VECTOR(void *) data; // the program's data for each item
};

static int fail(int error)
{
    errno = error;
    return -1;
}

static struct poller *get_poller(void *object)
{
    struct poller *poller = object;
    if (poller && poller->mark == POLLER_MARK)
        return poller;
    errno = EFAULT;
    return NULL;
}

void *zmq_poller_new(void)
{
    rh__zmq_caller(__func__);
    struct poller *poller = rh_alloc(sizeof *poller);
    poller->mark = POLLER_MARK;
    return poller;
}

int zmq_poller_destroy(void **object)
{
    struct poller *poller = get_poller(object ? *object : NULL);
    if (!poller)
        return -1;
    poller->mark = 0;
    rh_vector_fini(&poller->items);
    rh_vector_fini(&poller->data);
    free(poller);
    *object = NULL;
    return 0;
}

int zmq_poller_size(void *object)
{
    const struct poller *poller = get_poller(object);
    return poller ? (int)poller->items.count : -1;
}

// The item's place in the list; the length of the list if it is not there.
static size_t index_of(const struct poller *poller, const void *socket, int descriptor)
{
    size_t at = 0;
    while (at < poller->items.count && (poller->items.items[at].socket != socket ||
                                        poller->items.items[at].descriptor != descriptor))
        at++;
    return at;
}

static bool are_known(short events)
{
    return (events & ~(READY_IN | READY_OUT | READY_ERROR | READY_URGENT)) == 0;
}

static int add(void *object, void *socket, int descriptor, void *data, short events)
{
    struct poller *poller = get_poller(object);
    if (!poller)
        return -1;
    if (!are_known(events) || index_of(poller, socket, descriptor) < poller->items.count)
        return fail(EINVAL);
    *rh_vector_push(&poller->items) =
        (struct rh_zmq_poll_item){.socket = socket, .descriptor = descriptor, .events = events};
    *rh_vector_push(&poller->data) = data;
    return 0;
}

static int modify(void *object, const void *socket, int descriptor, short events)
{
    struct poller *poller = get_poller(object);
    if (!poller)
        return -1;
    size_t at = index_of(poller, socket, descriptor);
    if (!are_known(events) || at == poller->items.count)
        return fail(EINVAL);
    poller->items.items[at].events = events;
    return 0;
}

static int take_out(void *object, const void *socket, int descriptor)
{
    struct poller *poller = get_poller(object);
    if (!poller)
        return -1;
    size_t at = index_of(poller, socket, descriptor), behind = poller->items.count - at;
    if (behind == 0)
        return fail(EINVAL);
    memmove(&poller->items.items[at], &poller->items.items[at + 1],
            (behind - 1) * sizeof *poller->items.items);
    memmove(&poller->data.items[at], &poller->data.items[at + 1],
            (behind - 1) * sizeof *poller->data.items);
    poller->items.count--;
    poller->data.count--;
    return 0;
}

int zmq_poller_add(void *poller, void *socket, void *data, short events)
{
    return rh__zmq_socket_type(socket) ? add(poller, socket, -1, data, events) : fail(ENOTSOCK);
}

int zmq_poller_modify(void *poller, void *socket, short events)
{
    return rh__zmq_socket_type(socket) ? modify(poller, socket, -1, events) : fail(ENOTSOCK);
}

int zmq_poller_remove(void *poller, void *socket)
{
    return rh__zmq_socket_type(socket) ? take_out(poller, socket, -1) : fail(ENOTSOCK);
}

int zmq_poller_add_fd(void *poller, int descriptor, void *data, short events)
{
    return descriptor >= 0 ? add(poller, NULL, descriptor, data, events) : fail(EBADF);
}

int zmq_poller_modify_fd(void *poller, int descriptor, short events)
{
    return descriptor >= 0 ? modify(poller, NULL, descriptor, events) : fail(EBADF);
}

int zmq_poller_remove_fd(void *poller, int descriptor)
{
    return descriptor >= 0 ? take_out(poller, NULL, descriptor) : fail(EBADF);
}

int zmq_poller_wait_all(void *object, struct rh_zmq_poller_event *events, int count, long timeout)
{
    struct poller *poller = get_poller(object);
    if (!poller)
        return -1;
    if (!events || count < 0)
        return fail(events ? EINVAL : EFAULT);
    if (poller->items.count == 0 && timeout < 0)
        return fail(EFAULT);
    int ready = zmq_poll(poller->items.items, (int)poller->items.count, timeout), given = 0;
    if (ready <= 0)
        return ready < 0 ? -1 : fail(EAGAIN);
    for (size_t i = 0; i < poller->items.count && given < count; i++) {
        const struct rh_zmq_poll_item *item = &poller->items.items[i];
        if (item->revents)
            events[given++] = (struct rh_zmq_poller_event){item->socket, item->descriptor,
                                                           poller->data.items[i], item->revents};
    }
    return given;
}

int zmq_poller_wait(void *poller, struct rh_zmq_poller_event *event, long timeout)
{
    int given = zmq_poller_wait_all(poller, event, 1, timeout);
    if (given < 0 && event)
        *event = (struct rh_zmq_poller_event){.descriptor = -1};
    return given < 0 ? -1 : 0;
}
