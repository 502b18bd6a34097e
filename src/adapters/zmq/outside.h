// SPDX-License-Identifier: MIT
// What executions share with each other and with the rest of the machine, which is not under
// control: files, outside sockets and other descriptors, other processes.
//
// Processes that an execution starts end with it. Files are as world/files.h says. Everything else
// that a program uses works as usual, and is noted, so that the result says so once.
#ifndef REHEARSE_ADAPTERS_ZMQ_OUTSIDE_H
#define REHEARSE_ADAPTERS_ZMQ_OUTSIDE_H

#include <stdbool.h>

// Called in the keeper, before the first execution.
void rh__zmq_outside_open(void);
// Gives the sentence `index` about all executions; the caller frees it. NULL: there are no more.
char *rh__zmq_outside_say(unsigned index);
// Whether an execution has met one of RH_ZMQ_DIFFERENCES.
bool rh__zmq_outside_omits(void);

// Notes that the program has called something that is not under control.
void rh__zmq_outside_note(const char *what);

// What can be different in ZeroMQ, and is not tried: said once if an execution meets it, with the
// first socket or endpoint that did. The search is not complete then.
#define RH_ZMQ_DIFFERENCES(X)                                                                      \
    X(LEFT, "a peer has left while something was sent to it, which was lost: in ZeroMQ the send "  \
            "may also notice that first, and wait for another peer")                               \
    X(CLOSED, "somebody has used an endpoint because of what a thread had sent right before it "   \
              "closed its socket, or connected: in ZeroMQ it may also come first")                 \
    X(KEPT, "something was on its way to a peer that has closed its socket, and was lost: ZeroMQ " \
            "may have it still, for the next one who binds")                                       \
    X(UNTOLD, "a subscription was made while as many as the high-water mark allows were on their " \
              "way: ZeroMQ may drop it")                                                           \
    X(STRAY, "a REQ was sent a message without the empty frame in front, which was dropped: "      \
             "ZeroMQ ends the connection")                                                         \
    X(LINGERED, "more messages than the high-water mark were not received before their sender "    \
                "had lingered: ZeroMQ may lose the last of them")                                  \
    X(ENDED, "a context was shut down in no order with what another thread did: in ZeroMQ more "   \
             "of its calls may have failed with ETERM")                                            \
    X(REFUSED, "a PAIR that has a peer has refused another one: in ZeroMQ that may notice it "     \
               "before it sends something, which is then not lost")                                \
    X(WOKEN, "a loop may wait for ZMQ_FD: ZeroMQ makes it readable more often, with nothing to "   \
             "receive")                                                                            \
    X(SOON,                                                                                        \
      "a connection was made as soon as somebody was bound, and there are time-outs: ZeroMQ "      \
      "tries again after ZMQ_RECONNECT_IVL milliseconds, and up to twice as many")                 \
    X(RUNNING, "the process was ended while another thread was running, which goes on here until " \
               "it waits: natively it ends anywhere before that")                                  \
    X(FULL, "more messages than the high-water mark were sent over tcp or ipc, and those before "  \
            "may not have left: ZeroMQ may find no room, and drop a message, send it to another "  \
            "peer, or say so")                                                                     \
    X(HELD, "more was sent over tcp or ipc than the high-water marks and a network may have room " \
            "for: in ZeroMQ a send may wait for that")                                             \
    X(CROWDED, "a socket was closed while more was on its way than its peer and a network may "    \
               "have room for: in ZeroMQ zmq_ctx_term waits for that")
enum rh_zmq_difference {
#define X(name, sentence) RH_ZMQ_DIFFERS_##name,
    RH_ZMQ_DIFFERENCES(X)
#undef X
        RH_ZMQ_DIFFERENCE_COUNT
};
void rh__zmq_outside_differs(enum rh_zmq_difference difference, const char *where);

// Called before the program uses a file by this name: gives the name to use, as rh_files_name. With
// `changes`, the call may change something.
const char *rh__zmq_outside_use(const char *path, bool changes);

// file_times.c
void rh__zmq_file_times_begin(void);
// Called before the program may change the file by this name.
void rh__zmq_file_times_expect(const char *path);
// Looks which files the program has changed. Called before time passes.
void rh__zmq_file_times_look(void);

#endif
