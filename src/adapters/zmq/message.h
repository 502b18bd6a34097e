// SPDX-License-Identifier: MIT
// Messages: frames whose bytes may be shared, and several of them that travel together.
#ifndef REHEARSE_ADAPTERS_ZMQ_MESSAGE_H
#define REHEARSE_ADAPTERS_ZMQ_MESSAGE_H

#include <stdbool.h>

#include "adapters/zmq/api.h"
#include "base/text.h"
#include "base/vector.h"

#define RH_ZMQ_MARK UINT32_C(0x7a6d7121)

// The bytes of a frame.
struct rh_zmq_content {
    uint32_t users;
    size_t size;
    void *data;           // the bytes: behind this struct, or the program's own
    rh_zmq_free *release; // releases the program's bytes; NULL: they are not to be released
    void *hint;
};

// Gives NULL if `size` is 0. The bytes are copied unless `bytes` is NULL.
struct rh_zmq_content *rh__zmq_content_new(const void *bytes, size_t size);
void rh__zmq_content_free(struct rh_zmq_content *content);
static inline size_t rh__zmq_content_size(const struct rh_zmq_content *content)
{
    return content ? content->size : 0;
}

// A whole message.
struct rh_zmq_mail {
    RH_VECTOR(struct rh_zmq_content *) frames; // owned
    const struct rh_zmq_pipe *origin; // the pipe that it was written to; NULL within a process
    const char *event;                // name of a monitor's event; NULL: a message of the program
};

struct rh_zmq_mail *rh__zmq_mail_new(void);
void rh__zmq_mail_free(struct rh_zmq_mail *mail);
// Takes the content.
void rh__zmq_mail_add(struct rh_zmq_mail *mail, struct rh_zmq_content *content);
void rh__zmq_mail_add_first(struct rh_zmq_mail *mail, struct rh_zmq_content *content);
// Gives the first frame to the caller.
struct rh_zmq_content *rh__zmq_mail_take(struct rh_zmq_mail *mail);
// Another message with the same bytes.
struct rh_zmq_mail *rh__zmq_mail_share(const struct rh_zmq_mail *mail);
// Adds the message as text: "hello | 0x00ff".
void rh__zmq_mail_show(const struct rh_zmq_mail *mail, struct rh_text *text);

#endif
