// SPDX-License-Identifier: MIT
// Waiting for several sockets, and proxies, which do that.
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "adapters/zmq/socket.h"

int rh__zmq_events(struct rh_zmq_socket *socket)
{
    rh__zmq_catch_up();
    rh__zmq_socket_look(socket);
    rh__zmq_descriptor_clear(socket);
    rh__zmq_socket_doubt_room(socket);
    return (rh__zmq_can_receive(socket) ? READY_IN : 0) |
           (rh__zmq_can_send(socket) ? READY_OUT : 0);
}

struct polling {
    struct rh_zmq_poll_item *items;
    int count;
};

static short events_of_descriptor(const struct rh_zmq_poll_item *item)
{
    struct pollfd entry = {
        .fd = item->descriptor,
        .events = (short)((item->events & READY_IN ? POLLIN : 0) |
                          (item->events & READY_OUT ? POLLOUT : 0) |
                          (item->events & READY_URGENT ? POLLPRI : 0)),
    };
    rh__zmq_descriptors_look(&entry, 1);
    int events = (entry.revents & POLLIN ? READY_IN : 0) |
                 (entry.revents & POLLOUT ? READY_OUT : 0) |
                 (entry.revents & POLLPRI ? READY_URGENT : 0) |
                 (entry.revents & ~(POLLIN | POLLOUT | POLLPRI) ? READY_ERROR : 0);
    return (short)(events & (item->events | READY_ERROR));
}

static short events_of(const struct rh_zmq_poll_item *item)
{
    struct rh_zmq_socket *socket = item->socket;
    if (!socket)
        return events_of_descriptor(item);
    rh__zmq_socket_look(socket);
    int events = item->events & READY_IN && rh__zmq_can_receive(socket) ? READY_IN : 0;
    if (item->events & READY_OUT)
        rh__zmq_socket_doubt_room(socket);
    if (item->events & READY_OUT && rh__zmq_can_send(socket))
        events |= READY_OUT;
    return (short)events;
}

// A socket whose context is being terminated ends the poll too.
static bool is_over(const void *context)
{
    const struct polling *polling = context;
    for (int i = 0; i < polling->count; i++) {
        const struct rh_zmq_socket *socket = polling->items[i].socket;
        if (events_of(&polling->items[i]) || (socket && socket->is_ended))
            return true;
    }
    return false;
}

static const char *lacks_peer(const void *context)
{
    const struct polling *polling = context;
    const char *found = NULL;
    for (int i = 0; i < polling->count && !found; i++)
        if (polling->items[i].socket)
            found = rh__zmq_socket_lacks_peer(polling->items[i].socket);
        else
            found = rh__zmq_descriptor_lacks_peer(polling->items[i].descriptor);
    return found;
}

static void add_names(const struct polling *polling, char *names, size_t size)
{
    size_t length = 0;
    names[0] = '\0';
    for (int i = 0; i < polling->count && length < size; i++) {
        const struct rh_zmq_socket *socket = polling->items[i].socket;
        char other[32];
        snprintf(other, sizeof other, "descriptor %d", polling->items[i].descriptor);
        length += (size_t)snprintf(names + length, size - length, "%s%s", i > 0 ? ", " : "",
                                   socket ? socket->name : other);
    }
}

// Gives false with errno if one of the items can't be polled.
static bool check_items(const struct polling *polling)
{
    for (int i = 0; i < polling->count; i++)
        if (polling->items[i].socket && !rh__zmq_socket_use(polling->items[i].socket, "zmq_poll"))
            return false;
    return true;
}

static bool has_outside(const struct polling *polling)
{
    for (int i = 0; i < polling->count; i++)
        if (!polling->items[i].socket && !rh__zmq_descriptor_is_known(polling->items[i].descriptor))
            return true;
    return false;
}

// A socket's descriptor may be in the list besides the socket: it is looked at first.
static int collect(const struct polling *polling)
{
    int ready = 0;
    for (int i = 0; i < polling->count; i++)
        if (!polling->items[i].socket)
            polling->items[i].revents = events_of_descriptor(&polling->items[i]);
    for (int i = 0; i < polling->count; i++) {
        struct rh_zmq_socket *socket = polling->items[i].socket;
        if (socket) {
            rh__zmq_descriptor_clear(socket);
            polling->items[i].revents = events_of(&polling->items[i]);
        }
        if (socket && socket->is_ended) {
            errno = ETERM;
            return -1;
        }
        ready += polling->items[i].revents != 0;
    }
    return ready;
}

int zmq_poll(struct rh_zmq_poll_item *items, int count, long timeout)
{
    const struct polling polling = {items, count};
    if (count < 0 || (count > 0 && !items)) {
        errno = count < 0 ? EINVAL : EFAULT;
        return -1;
    }
    if (!check_items(&polling))
        return -1;
    char names[RH_ZMQ_NAME_MOST];
    add_names(&polling, names, sizeof names);
    const struct rh_zmq_wait wait = {.call = "zmq_poll",
                                     .object = names,
                                     .is_over = count > 0 ? is_over : NULL,
                                     .context = &polling,
                                     .lacks_peer = lacks_peer,
                                     .deadline = rh__zmq_deadline(timeout),
                                     .observes = count > 0,
                                     .is_outside = has_outside(&polling)};
    rh__zmq_catch_up();
    rh__zmq_wait(&wait);
    return collect(&polling);
}

// Proxies.

// Moves one message, and a copy of it to the capture. Gives false with errno if it can't.
static bool move_message(void *from, void *to, void *capture)
{
    union rh_zmq_msg message, copy;
    for (bool more = true; more;) {
        zmq_msg_init(&message);
        if (zmq_msg_recv(&message, from, 0) < 0)
            return false;
        more = message.more;
        int flags = more ? FLAG_SNDMORE : 0;
        if (capture) {
            zmq_msg_init(&copy);
            zmq_msg_copy(&copy, &message);
            if (zmq_msg_send(&copy, capture, flags) < 0)
                return false;
        }
        if (zmq_msg_send(&message, to, flags) < 0)
            return false;
    }
    return true;
}

enum proxy_state { PROXY_ACTIVE, PROXY_PAUSED, PROXY_ENDED };

// Does what the control socket says.
static bool obey(void *control, enum proxy_state *state)
{
    char word[16] = "";
    int size = zmq_recv(control, word, sizeof word, 0);
    if (size < 0)
        return false;
    if (size == 5 && !memcmp(word, "PAUSE", 5))
        *state = PROXY_PAUSED;
    else if (size == 6 && !memcmp(word, "RESUME", 6))
        *state = PROXY_ACTIVE;
    else if (size == 9 && !memcmp(word, "TERMINATE", 9))
        *state = PROXY_ENDED;
    else
        rh__zmq_give_up("zmq_proxy_steerable: %.*s is not supported", size, word);
    return true;
}

int zmq_proxy_steerable(void *frontend, void *backend, void *capture, void *control)
{
    enum proxy_state state = PROXY_ACTIVE;
    struct rh_zmq_poll_item items[] = {{.socket = frontend, .events = READY_IN},
                                       {.socket = backend, .events = READY_IN},
                                       {.socket = control, .events = READY_IN}};
    int sides = frontend == backend ? 1 : 2;
    if (control)
        items[sides] = (struct rh_zmq_poll_item){.socket = control, .events = READY_IN};
    while (state != PROXY_ENDED) {
        if (zmq_poll(items, sides + (control != NULL), -1) < 0)
            return -1;
        if (control && items[sides].revents && !obey(control, &state))
            return -1;
        if (state != PROXY_ACTIVE)
            continue;
        if (items[0].revents && !move_message(frontend, backend, capture))
            return -1;
        if (sides == 2 && items[1].revents && !move_message(backend, frontend, capture))
            return -1;
    }
    return 0;
}

int zmq_proxy(void *frontend, void *backend, void *capture)
{
    return zmq_proxy_steerable(frontend, backend, capture, NULL);
}

int zmq_device(int type, void *frontend, void *backend)
{
    (void)type;
    return zmq_proxy(frontend, backend, NULL);
}
