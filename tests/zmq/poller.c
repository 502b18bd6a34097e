// SPDX-License-Identifier: MIT
// zmq_poller, which ZeroMQ as Debian has it does not have: what it gives is known by hand.
#define ZMQ_BUILD_DRAFT_API
#include <assert.h>
#include <errno.h>
#include <unistd.h>
#include <zmq.h>

int main(void)
{
    void *context = zmq_ctx_new();
    void *in = zmq_socket(context, ZMQ_PULL), *out = zmq_socket(context, ZMQ_PUSH);
    zmq_poller_event_t event, events[4];
    int pipe_ends[2], unused = pipe(pipe_ends), tag;
    assert(unused == 0);
    zmq_bind(in, "inproc://in");
    zmq_connect(out, "inproc://in");
    void *poller = zmq_poller_new();
    assert(zmq_poller_wait_all(poller, events, 4, -1) == -1 && errno == EFAULT);
    assert(zmq_poller_add(poller, in, &tag, ZMQ_POLLIN) == 0 && zmq_poller_size(poller) == 1);
    assert(zmq_poller_add(poller, in, NULL, ZMQ_POLLIN) == -1 && errno == EINVAL);
    assert(zmq_poller_add(poller, &tag, NULL, ZMQ_POLLIN) == -1 && errno == ENOTSOCK);
    assert(zmq_poller_wait(poller, &event, 5) == -1 && errno == EAGAIN && !event.socket);
    zmq_send(out, "x", 1, 0);
    assert(zmq_poller_wait(poller, &event, -1) == 0 && event.socket == in &&
           event.user_data == &tag && event.events == ZMQ_POLLIN);
    assert(zmq_poller_add_fd(poller, pipe_ends[0], NULL, ZMQ_POLLIN) == 0);
    unused = (int)write(pipe_ends[1], "y", 1);
    assert(zmq_poller_wait_all(poller, events, 4, -1) == 2 && events[1].fd == pipe_ends[0]);
    assert(zmq_poller_modify(poller, in, 0) == 0);
    assert(zmq_poller_wait_all(poller, events, 4, 0) == 1 && !events[0].socket);
    assert(zmq_poller_remove_fd(poller, pipe_ends[0]) == 0);
    assert(zmq_poller_remove(poller, in) == 0 && zmq_poller_remove(poller, in) == -1);
    assert(zmq_poller_destroy(&poller) == 0 && !poller);
    zmq_close(in);
    zmq_close(out);
    zmq_ctx_term(context);
    return 0;
}
