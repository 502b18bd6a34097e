// SPDX-License-Identifier: MIT
// File descriptors: the one that a socket has for event loops (ZMQ_FD), and the calls that wait for
// descriptors.
//
// A socket's descriptor becomes readable when something comes to the socket, or the socket has
// something to do with a network, and stops being so when the socket's thread has called anything
// that looks for that, as ZeroMQ says: whoever is woken asks for ZMQ_EVENTS, and receives until
// nothing is left. Waiting for descriptors is an event like
// zmq_poll. Other descriptors than those of sockets are not under control: they are looked at when
// the thread waits, and when nothing else can happen.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

#include "adapters/zmq/outside.h"
#include "adapters/zmq/real.h"
#include "adapters/zmq/socket.h"

static struct {
    RH_VECTOR(struct rh_zmq_socket *) sockets; // sockets that have a descriptor
} own;

int rh__zmq_descriptor_get(struct rh_zmq_socket *socket)
{
    if (socket->descriptor > 0)
        return socket->descriptor;
    int descriptor = RH_ZMQ_REAL(eventfd)(socket->is_signalled, EFD_NONBLOCK | EFD_CLOEXEC);
    if (descriptor <= 0)
        rh__zmq_give_up("there is no file descriptor left for ZMQ_FD, on a %s socket",
                        rh__zmq_type_name(socket->type));
    socket->descriptor = descriptor;
    *rh_vector_push(&own.sockets) = socket;
    rh__zmq_outside_differs(RH_ZMQ_DIFFERS_WOKEN, socket->name);
    return descriptor;
}

void rh__zmq_descriptor_signal(struct rh_zmq_socket *socket)
{
    socket->has_news = true;
    if (socket->descriptor > 0 && !socket->is_signalled)
        eventfd_write(socket->descriptor, 1);
    socket->is_signalled = true;
}

void rh__zmq_descriptor_clear(struct rh_zmq_socket *socket)
{
    eventfd_t count;
    socket->has_news = false;
    if (socket->descriptor > 0 && socket->is_signalled)
        eventfd_read(socket->descriptor, &count);
    socket->is_signalled = false;
}

void rh__zmq_descriptor_close(struct rh_zmq_socket *socket)
{
    if (socket->descriptor > 0)
        close(socket->descriptor);
    socket->descriptor = 0;
    socket->is_signalled = false;
}

// The socket that has the descriptor; NULL: none has.
static const struct rh_zmq_socket *find_socket(int descriptor)
{
    for (size_t i = 0; i < own.sockets.count; i++)
        if (own.sockets.items[i]->descriptor == descriptor)
            return own.sockets.items[i];
    return NULL;
}

bool rh__zmq_descriptor_is_known(int descriptor)
{
    return find_socket(descriptor) != NULL;
}

const char *rh__zmq_descriptor_lacks_peer(int descriptor)
{
    const struct rh_zmq_socket *socket = find_socket(descriptor);
    return socket ? rh__zmq_socket_lacks_peer(socket) : NULL;
}

int rh__zmq_descriptors_look(struct pollfd *entries, size_t count)
{
    return RH_ZMQ_REAL(poll)(entries, count, 0);
}

// Waiting.

struct waiting {
    const struct pollfd *entries;
    size_t count;
};

// Looks at the descriptors without changing anything that the caller sees.
static bool is_over(const void *context)
{
    const struct waiting *waiting = context;
    bool is_ready = false;
    for (size_t i = 0; i < waiting->count && !is_ready; i++) {
        struct pollfd entry = waiting->entries[i];
        is_ready = rh__zmq_descriptors_look(&entry, 1) > 0;
    }
    return is_ready;
}

static const char *lacks_peer(const void *context)
{
    const struct waiting *waiting = context;
    const char *found = NULL;
    for (size_t i = 0; i < waiting->count && !found; i++)
        found = rh__zmq_descriptor_lacks_peer(waiting->entries[i].fd);
    return found;
}

static void name_entries(const struct waiting *waiting, char *names, size_t size)
{
    struct rh_text text = {0};
    for (size_t i = 0; i < own.sockets.count; i++)
        for (size_t k = 0; k < waiting->count; k++)
            if (own.sockets.items[i]->descriptor == waiting->entries[k].fd)
                rh_text_addf(&text, "%s%s", text.length > 0 ? ", " : "",
                             own.sockets.items[i]->name);
    for (size_t i = 0; i < waiting->count; i++)
        if (!rh__zmq_descriptor_is_known(waiting->entries[i].fd))
            rh_text_addf(&text, "%sdescriptor %d", text.length > 0 ? ", " : "",
                         waiting->entries[i].fd);
    snprintf(names, size, "%s", rh_text_get(&text));
    rh_text_fini(&text);
}

static void wait_for(const struct pollfd *entries, size_t count, const char *call,
                     uint64_t deadline)
{
    const struct waiting waiting = {entries, count};
    char names[RH_ZMQ_NAME_MOST];
    name_entries(&waiting, names, sizeof names);
    bool is_outside = false;
    for (size_t i = 0; i < count; i++)
        is_outside |= !rh__zmq_descriptor_is_known(entries[i].fd);
    const struct rh_zmq_wait wait = {.call = call,
                                     .object = count > 0 ? names : "",
                                     .is_over = count > 0 ? is_over : NULL,
                                     .context = &waiting,
                                     .lacks_peer = lacks_peer,
                                     .deadline = deadline,
                                     .observes = count > 0,
                                     .is_outside = is_outside};
    rh__zmq_catch_up();
    rh__zmq_wait(&wait);
}

// The deadline after a time, which may be NULL for ever.
static uint64_t deadline_after(const struct timespec *time)
{
    return time ? rh__zmq_now() + (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec
                : RH_ZMQ_NEVER;
}

int poll(struct pollfd *entries, nfds_t count, int timeout_ms)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(poll)(entries, count, timeout_ms);
    wait_for(entries, count, "poll", rh__zmq_deadline(timeout_ms));
    return RH_ZMQ_REAL(poll)(entries, count, 0);
}

int ppoll(struct pollfd *entries, nfds_t count, const struct timespec *timeout,
          const sigset_t *signals)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(ppoll)(entries, count, timeout, signals);
    wait_for(entries, count, "ppoll", deadline_after(timeout));
    return RH_ZMQ_REAL(poll)(entries, count, 0);
}

// The descriptors that a select waits for, as a list; the caller frees it.
static struct pollfd *list_selected(int count, const fd_set *readable, const fd_set *writable,
                                    const fd_set *exceptional, size_t *length)
{
    struct pollfd *entries = rh_alloc((size_t)(count > 0 ? count : 1) * sizeof *entries);
    *length = 0;
    for (int i = 0; i < count; i++) {
        int events = (readable && FD_ISSET(i, readable) ? POLLIN : 0) |
                     (writable && FD_ISSET(i, writable) ? POLLOUT : 0) |
                     (exceptional && FD_ISSET(i, exceptional) ? POLLPRI : 0);
        if (events)
            entries[(*length)++] = (struct pollfd){.fd = i, .events = (short)events};
    }
    return entries;
}

static int select_until(int count, fd_set *readable, fd_set *writable, fd_set *exceptional,
                        const char *call, uint64_t deadline)
{
    size_t length;
    struct timeval none = {0};
    struct pollfd *entries = list_selected(count, readable, writable, exceptional, &length);
    wait_for(entries, length, call, deadline);
    free(entries);
    return RH_ZMQ_REAL(select)(count, readable, writable, exceptional, &none);
}

int select(int count, fd_set *restrict readable, fd_set *restrict writable,
           fd_set *restrict exceptional, struct timeval *restrict timeout)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(select)(count, readable, writable, exceptional, timeout);
    const struct timespec time = {.tv_sec = timeout ? timeout->tv_sec : 0,
                                  .tv_nsec = timeout ? timeout->tv_usec * 1000 : 0};
    return select_until(count, readable, writable, exceptional, "select",
                        deadline_after(timeout ? &time : NULL));
}

int pselect(int count, fd_set *restrict readable, fd_set *restrict writable,
            fd_set *restrict exceptional, const struct timespec *restrict timeout,
            const sigset_t *restrict signals)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pselect)(count, readable, writable, exceptional, timeout, signals);
    return select_until(count, readable, writable, exceptional, "pselect", deadline_after(timeout));
}

// A descriptor of epoll is readable when one of the descriptors in it is ready.
static int epoll_until(int epoll, struct epoll_event *events, int most, const char *call,
                       int timeout_ms)
{
    const struct pollfd entry = {.fd = epoll, .events = POLLIN};
    uint64_t deadline = rh__zmq_deadline(timeout_ms);
    int ready;
    do {
        wait_for(&entry, 1, call, deadline);
        ready = RH_ZMQ_REAL(epoll_wait)(epoll, events, most, 0);
    } while (ready == 0 && rh__zmq_now() < deadline);
    return ready;
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(epoll_wait)(epoll, events, most, timeout_ms);
    return epoll_until(epoll, events, most, "epoll_wait", timeout_ms);
}

int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout_ms,
                const sigset_t *signals)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(epoll_pwait)(epoll, events, most, timeout_ms, signals);
    return epoll_until(epoll, events, most, "epoll_pwait", timeout_ms);
}
