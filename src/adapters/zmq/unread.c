// SPDX-License-Identifier: MIT
// Messages that nobody has received: a socket was closed with them, the process ended before, or
// nobody was ever bound where they were sent.
#include <stdio.h>
#include <string.h>

#include "adapters/zmq/socket.h"
#include "result/finding.h"
#include "world/world.h"

// Words that CZMQ's actors exchange by themselves: that an actor should end, even if it has ended,
// and that it has begun or ended, even if nobody waits for that.
bool rh__zmq_content_is_of_czmq(const struct rh_zmq_content *content)
{
    static const char end[] = {'$', 'T', 'E', 'R', 'M'};
    static const uint8_t signal[] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77};
    size_t size = rh__zmq_content_size(content);
    return (size == sizeof end && memcmp(content->data, end, size) == 0) ||
           (size == sizeof signal + 1 &&
            memcmp((const uint8_t *)content->data + 1, signal, sizeof signal) == 0);
}

bool rh__zmq_mail_is_of_czmq(const struct rh_zmq_mail *mail)
{
    return mail->frames.count == 1 && rh__zmq_content_is_of_czmq(mail->frames.items[0]);
}

void rh__zmq_unread_note(struct rh_zmq_unread *unread, const struct rh_zmq_mail *mail)
{
    if (mail->event || rh__zmq_mail_is_of_czmq(mail) || unread->count++ > 0)
        return;
    struct rh_text text = {0};
    rh__zmq_mail_show(mail, &text);
    snprintf(unread->first, sizeof unread->first, "%s", rh_text_get(&text));
    rh_text_fini(&text);
}

// A message that a SUB does not want any more would not have been received.
void rh__zmq_unread_note_queue(struct rh_zmq_unread *unread, const struct rh_zmq_pipe *pipe)
{
    const struct rh_zmq_socket *socket = pipe->socket;
    bool is_filtered = socket && (socket->type == RH_ZMQ_SUB || socket->type == RH_ZMQ_XSUB);
    for (size_t i = pipe->first; i < pipe->queue.count; i++)
        if (!is_filtered ||
            rh__zmq_topics_match(socket->topics.items, socket->topics.count, pipe->queue.items[i]))
            rh__zmq_unread_note(unread, pipe->queue.items[i]);
}

void rh__zmq_unread_report(const struct rh_zmq_unread *unread, const struct rh_zmq_thread *thread,
                           bool is_closed, const char *where, const char *why)
{
    struct rh_world *world = rh__process.world;
    if (unread->count == 0)
        return;
    uint32_t current = world->current, delivering = world->delivering;
    struct rh_text others = {0};
    if (unread->count > 1)
        rh_text_addf(&others, ", first of %zu messages,", unread->count);
    world->current = thread->slot;
    world->delivering = RH_NONE;
    rh_world_report(world, is_closed ? RH_FINDING_UNDELIVERED : RH_FINDING_LEFTOVER, NULL, 0,
                    "'%s'%s was never received: %s%s", unread->first, rh_text_get(&others), where,
                    why);
    world->current = current;
    world->delivering = delivering;
    rh_text_fini(&others);
}
