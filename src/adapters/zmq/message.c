// SPDX-License-Identifier: MIT
#include "adapters/zmq/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/zmq/engine.h"
#include "adapters/zmq/names.h"

struct rh_zmq_content *rh__zmq_content_new(const void *bytes, size_t size)
{
    if (size == 0)
        return NULL;
    struct rh_zmq_content *content = rh_alloc(sizeof *content + size);
    *content = (struct rh_zmq_content){.users = 1, .size = size, .data = content + 1};
    if (bytes)
        memcpy(content->data, bytes, size);
    return content;
}

void rh__zmq_content_free(struct rh_zmq_content *content)
{
    if (!content || --content->users > 0)
        return;
    if (content->release)
        content->release(content->data, content->hint);
    free(content);
}

static struct rh_zmq_content *share(struct rh_zmq_content *content)
{
    if (content)
        content->users++;
    return content;
}

// Whole messages.

struct rh_zmq_mail *rh__zmq_mail_new(void)
{
    return rh_alloc(sizeof(struct rh_zmq_mail));
}

void rh__zmq_mail_free(struct rh_zmq_mail *mail)
{
    for (size_t i = 0; mail && i < mail->frames.count; i++)
        rh__zmq_content_free(mail->frames.items[i]);
    if (mail)
        rh_vector_fini(&mail->frames);
    free(mail);
}

void rh__zmq_mail_add(struct rh_zmq_mail *mail, struct rh_zmq_content *content)
{
    *rh_vector_push(&mail->frames) = content;
}

void rh__zmq_mail_add_first(struct rh_zmq_mail *mail, struct rh_zmq_content *content)
{
    rh_vector_push(&mail->frames);
    memmove(mail->frames.items + 1, mail->frames.items,
            (mail->frames.count - 1) * sizeof *mail->frames.items);
    mail->frames.items[0] = content;
}

struct rh_zmq_content *rh__zmq_mail_take(struct rh_zmq_mail *mail)
{
    struct rh_zmq_content *content = mail->frames.items[0];
    mail->frames.count--;
    memmove(mail->frames.items, mail->frames.items + 1,
            mail->frames.count * sizeof *mail->frames.items);
    return content;
}

struct rh_zmq_mail *rh__zmq_mail_share(const struct rh_zmq_mail *mail)
{
    struct rh_zmq_mail *copy = rh__zmq_mail_new();
    for (size_t i = 0; i < mail->frames.count; i++)
        rh__zmq_mail_add(copy, share(mail->frames.items[i]));
    return copy;
}

void rh__zmq_mail_show(const struct rh_zmq_mail *mail, struct rh_text *text)
{
    if (mail->event)
        rh_text_add(text, mail->event);
    for (size_t i = mail->event ? 1 : 0; i < mail->frames.count; i++) {
        const struct rh_zmq_content *content = mail->frames.items[i];
        rh_text_add(text, i > 0 ? " | " : "");
        rh__zmq_add_frame(text, content ? content->data : "", rh__zmq_content_size(content));
    }
}

// zmq_msg_t.

static bool is_valid(const union rh_zmq_msg *message)
{
    if (message->mark == RH_ZMQ_MARK)
        return true;
    errno = EFAULT;
    return false;
}

int zmq_msg_init(union rh_zmq_msg *message)
{
    *message = (union rh_zmq_msg){.mark = RH_ZMQ_MARK};
    return 0;
}

int zmq_msg_init_size(union rh_zmq_msg *message, size_t size)
{
    zmq_msg_init(message);
    message->content = rh__zmq_content_new(NULL, size);
    return 0;
}

int zmq_msg_init_buffer(union rh_zmq_msg *message, const void *bytes, size_t size)
{
    zmq_msg_init(message);
    message->content = rh__zmq_content_new(size > 0 ? bytes : NULL, size);
    return 0;
}

// The program's bytes are released when nobody uses them any more, even if there are no bytes.
int zmq_msg_init_data(union rh_zmq_msg *message, void *data, size_t size, rh_zmq_free *release,
                      void *hint)
{
    zmq_msg_init(message);
    message->content = rh_alloc(sizeof *message->content);
    *message->content = (struct rh_zmq_content){
        .users = 1, .size = size, .data = data, .release = release, .hint = hint};
    return 0;
}

int zmq_msg_close(union rh_zmq_msg *message)
{
    if (!is_valid(message))
        return -1;
    rh__zmq_content_free(message->content);
    *message = (union rh_zmq_msg){0};
    return 0;
}

int zmq_msg_move(union rh_zmq_msg *to, union rh_zmq_msg *from)
{
    if (!is_valid(to) || !is_valid(from))
        return -1;
    if (to == from)
        return 0;
    rh__zmq_content_free(to->content);
    *to = *from;
    return zmq_msg_init(from);
}

int zmq_msg_copy(union rh_zmq_msg *to, union rh_zmq_msg *from)
{
    if (!is_valid(to) || !is_valid(from))
        return -1;
    struct rh_zmq_content *content = share(from->content);
    rh__zmq_content_free(to->content);
    *to = *from;
    to->content = content;
    return 0;
}

void *zmq_msg_data(union rh_zmq_msg *message)
{
    return message->content ? message->content->data : message->bytes + sizeof message->bytes - 1;
}

size_t zmq_msg_size(const union rh_zmq_msg *message)
{
    return rh__zmq_content_size(message->content);
}

int zmq_msg_more(const union rh_zmq_msg *message)
{
    return message->more;
}

int zmq_msg_get(const union rh_zmq_msg *message, int property)
{
    if (property == MESSAGE_MORE)
        return message->more;
    if (property == MESSAGE_SHARED)
        return message->content && message->content->users > 1;
    if (property == MESSAGE_SRCFD)
        rh__zmq_give_up("zmq_msg_get: ZMQ_SRCFD is not supported");
    errno = EINVAL;
    return -1;
}

// There is no property that can be set.
int zmq_msg_set(union rh_zmq_msg *message, int property, int value)
{
    (void)message, (void)property, (void)value;
    errno = EINVAL;
    return -1;
}
