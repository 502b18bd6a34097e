// SPDX-License-Identifier: MIT
// kind: refinement
// append asks for the other buffer's length and copies its characters in two critical sections; in
// between the other may have become shorter.
#include <pthread.h>
#include <rehearse/component.h>

struct buffer {
    pthread_mutex_t lock;
    int length;
    char bytes[8];
};
static struct buffer a = {PTHREAD_MUTEX_INITIALIZER, 1, "a"};
static struct buffer b = {PTHREAD_MUTEX_INITIALIZER, 2, "bc"};

static int get_length(struct buffer *buffer)
{
    pthread_mutex_lock(&buffer->lock);
    int length = buffer->length;
    pthread_mutex_unlock(&buffer->lock);
    return length;
}

static bool get_bytes(struct buffer *buffer, int length, char *bytes)
{
    pthread_mutex_lock(&buffer->lock);
    bool is_long_enough = length <= buffer->length;
    for (int i = 0; is_long_enough && i < length; i++)
        bytes[i] = buffer->bytes[i];
    pthread_mutex_unlock(&buffer->lock);
    return is_long_enough;
}

static bool append(struct buffer *to, struct buffer *from)
{
    char bytes[8];
#ifdef FIXED
    pthread_mutex_lock(&from->lock);
    int length = from->length;
    for (int i = 0; i < length; i++)
        bytes[i] = from->bytes[i];
    pthread_mutex_unlock(&from->lock);
    (void)get_length;
    (void)get_bytes;
#else
    int length = get_length(from);
    if (!get_bytes(from, length, bytes))
        return false;
#endif
    pthread_mutex_lock(&to->lock);
    for (int i = 0; i < length; i++)
        to->bytes[to->length++] = bytes[i];
    pthread_mutex_unlock(&to->lock);
    return true;
}

static void set_length(struct buffer *buffer, int length)
{
    pthread_mutex_lock(&buffer->lock);
    buffer->length = length;
    pthread_mutex_unlock(&buffer->lock);
}

static void view(rh_view *view)
{
    for (int i = 0; i < a.length; i++)
        rh_view_put(view, i, a.bytes[i]);
    rh_view_put(view, -1, b.length);
}

RH_COMPONENT(buffers){.view = view};

RH_THREADS(shorter)
{
    rh_thread
    {
        RH_CALL(append(&a, &b));
    }
    rh_thread
    {
        RH_CALL(set_length(&b, 0));
    }
}
