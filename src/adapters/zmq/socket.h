// SPDX-License-Identifier: MIT
// Sockets, and the pipes that connect them.
//
// A connection is two pipes, one at each socket. What a socket writes to its pipe is sent to the
// thread that owns the other socket, and is in the queue of the other pipe once it was delivered. A
// socket belongs to the thread that has used it last; what is delivered to an earlier owner is sent
// on.
#ifndef REHEARSE_ADAPTERS_ZMQ_SOCKET_H
#define REHEARSE_ADAPTERS_ZMQ_SOCKET_H

#include "adapters/zmq/api.h"
#include "adapters/zmq/engine.h"
#include "adapters/zmq/message.h"

enum { RH_ZMQ_ENDPOINT_MOST = 256, RH_ZMQ_ID_MOST = 255 };

struct rh_zmq_context {
    uint32_t mark;
    struct rh_zmq_thread *owner; // the thread that has made the context, or terminates it
    int options[CONTEXT_OPTIONS];
    uint32_t sockets; // how many sockets are open
    bool is_ending;   // whether the context is being terminated
    bool is_used;     // whether a socket was made, and ZeroMQ would have threads for the context
    // Used when sockets are made, when sockets are closed, and when the context is terminated.
    struct rh_zmq_shared made, closed, ended;
    // What the thread knew that has begun to terminate the context: deliveries, and what was sent.
    struct rh_zmq_clock known, past;
};

struct rh_zmq_endpoint;
struct rh_zmq_letter; // letter.h

// Messages that nobody has received.
struct rh_zmq_unread {
    size_t count;
    char first[RH_ZMQ_NAME_MOST]; // for people
};

struct rh_zmq_pipe {
    struct rh_zmq_socket *socket; // the socket of this end; NULL until somebody binds
    struct rh_zmq_pipe *peer;
    struct rh_zmq_endpoint *endpoint; // the endpoint that the connection goes through
    // Whether the socket of this end has called zmq_connect for the connection.
    bool is_connecting;
    struct rh_zmq_haste joined; // when zmq_connect was called
    bool is_early;              // whether nobody was bound when zmq_connect was called
    bool rests;                 // whether it is not yet time to make the connection again
    bool is_attached;           // whether the socket of this end knows the pipe
    bool is_pending;            // whether the other end must answer before the pipe can be used
    bool is_new; // whether the socket's thread has not looked since the pipe can be used
    // Whether the connection is over: the peer has closed its socket or disconnected, or the socket
    // has refused the pipe.
    bool is_gone;
    struct rh_zmq_departure {
        bool is_on_its_way; // whether the word that the peer has gone is on its way
        uint32_t thread;    // number of the thread that has closed or disconnected the peer
        uint32_t delivery;  // number of the delivery in which `thread` has
    } left;
    // Whether the other end was closed before there was a connection, and does not linger.
    bool is_void;
    // Until when messages wait after the socket has given up a pipe without a connection; 0: it has
    // not.
    uint64_t lingers_until;
    // After the socket has closed a pipe with a connection: until when ZMQ_LINGER lets messages be
    // sent; 0: no such limit.
    uint64_t sends_until;
    // The address that was connected to, as events of monitors have it; owned.
    char *address;
    // The route by which letters go through a remote connection; owned.
    char *route;
    uint64_t posted, opened; // letters sent to this end, and how many have taken effect
    RH_VECTOR(struct rh_zmq_letter *) held; // letters that have come before earlier ones; owned
    // Of a remote pipe: letters that have not taken effect.
    RH_VECTOR(struct rh_zmq_letter *) flying;
    // Used when the two ends meet, when a message comes from the other end, and when the other end
    // is closed before there was a connection.
    struct rh_zmq_shared meets;
    // Used when the other end's socket is used, and when its messages wait again since there never
    // was a connection.
    struct rh_zmq_shared kept;
    RH_VECTOR(struct rh_zmq_mail *) queue; // messages that have arrived, from index `first` on
    size_t first;
    uint64_t written; // messages written here
    // Bytes of the messages written here, and of those read here.
    uint64_t written_bytes, read_bytes;
    // How many of the messages written here the other end has read, as far as it has said so.
    uint64_t taken;
    uint64_t read; // messages read here
    // The last message written here, other than words of CZMQ.
    struct rh_zmq_writing {
        uint64_t letter;    // number of its letter at the other end, from 1 on; 0: none
        uint32_t delivery;  // number of the writer's delivery in which it was written
        uint32_t sent;      // its number among all that the writer has sent
        uint32_t caused_by; // number of the thread that caused `delivery`
        bool is_first;      // whether the writer had sent nothing before in `delivery`
    } last;
    bool waits_for_room;        // whether the socket has found the pipe full
    uint8_t id[RH_ZMQ_ID_MOST]; // for a ROUTER: the peer's routing id
    size_t id_size;
    bool is_named_here; // whether the socket itself has given the peer this id
    RH_VECTOR(struct rh_zmq_content *) topics; // for a PUB: topics that the peer wants; owned
    // For a PUB: requests of the peer, not read yet; owned.
    RH_VECTOR(struct rh_zmq_content *) requests;
    uint64_t heard; // for a PUB: how many requests it has read
    bool is_let_go; // for an XPUB: whether it has seen that the peer has gone
    uint64_t told;  // for a SUB: requests written here
    // For a SUB: how many of `told` the other end has read, as far as the SUB's thread has seen.
    uint64_t told_taken;
};

// Pipes that take turns: the first `active` of them can be used, as far as the socket knows.
struct rh_zmq_ring {
    RH_VECTOR(struct rh_zmq_pipe *) pipes;
    size_t active, current;
    size_t seen; // how many of the active ones were so when the socket's thread looked last
};

struct rh_zmq_socket {
    uint32_t mark;
    struct rh_zmq_context *context;
    enum rh_zmq_type type;
    uint32_t number; // number among all sockets
    struct rh_zmq_thread *owner;
    // Used by its owner, and taken over by another thread.
    struct rh_zmq_shared used, taken;
    int options[OPTION_COUNT];
    uint8_t id[RH_ZMQ_ID_MOST];
    size_t id_size;
    uint8_t next_peer[RH_ZMQ_ID_MOST];   // ROUTER: its name for the next peer that it connects to
    size_t next_peer_size;               // 0: the name that the peer gives itself
    int64_t frame_most;                  // ZMQ_MAXMSGSIZE; -1: no limit
    char endpoint[RH_ZMQ_ENDPOINT_MOST]; // endpoint of the last bind or connect
    char name[RH_ZMQ_NAME_MOST];         // "PULL inproc://tasks"
    bool is_bound, is_closed;
    // Whether the socket was told that its context ends, and whether a call that has looked for
    // what has come has seen that: from then on all calls fail.
    bool is_stopped, is_ended;
    // How many receives there were since the last one that has looked.
    uint32_t receives;
    // Whether messages to a peer that has gone were lost, which may still wait here in ZeroMQ.
    bool has_lost;
    RH_VECTOR(struct rh_zmq_pipe *) pipes;
    // Remote peers that have connected, and whose connections are not there yet.
    uint32_t coming;
    // Used when somebody connects, and when the socket looks whether somebody has.
    struct rh_zmq_shared awaited;
    struct rh_zmq_ring in, out;
    RH_VECTOR(struct rh_zmq_content *) topics; // of a SUB: its subscriptions; owned
    RH_VECTOR(struct rh_zmq_mail *) notices;   // of an XPUB: subscriptions to receive; owned
    // Of a PUB: pipes that are new, or have requests; oldest first.
    RH_VECTOR(struct rh_zmq_pipe *) asking;
    // Of an XPUB: pipes whose peers have gone and whose topics are not forgotten yet.
    RH_VECTOR(struct rh_zmq_pipe *) leaving;
    struct rh_zmq_mail *incoming; // what is left of the message that is being read; NULL: none
    struct rh_zmq_mail *outgoing; // the message that is being written; NULL: none
    bool has_read;                // whether a part of `incoming` was read
    bool is_promised;             // SUB: whether the next message was found to be wanted
    // REQ: whether a reply is awaited. REP: whether a request was received. `partner` is the pipe
    // that it comes from.
    bool is_asked;
    struct rh_zmq_pipe *partner;
    struct rh_zmq_mail *envelope; // REP: frames that go in front of the reply
    // REP: a message that was taken for a request, and is none; NULL: none.
    struct rh_zmq_mail *stray;
    // REQ: number of the newest request, where requests have one.
    uint32_t request;
    uint32_t next_id;              // ROUTER: how many names it has given to peers
    struct rh_zmq_socket *monitor; // the PAIR to which this socket's events are sent; NULL: none
    int monitored;                 // the events that are sent to the monitor
    // Used when zmq_socket_monitor is called for this socket, and when a peer looks for a monitor.
    struct rh_zmq_shared watched;
    // Of a monitor: events that wait until somebody connects; owned.
    RH_VECTOR(struct rh_zmq_mail *) events;
    int descriptor;    // ZMQ_FD; 0: nobody has asked for it
    bool is_signalled; // whether `descriptor` is readable, or will be when it is asked for
    bool has_news;     // whether something has come since the socket's thread has looked
    // Messages that the socket was closed with, or that came later.
    struct rh_zmq_unread unread;
    // Messages that the socket had sent, and did not linger for.
    struct rh_zmq_unread dropped;
};

// The socket, which belongs to the caller from now on; NULL with errno if it is no socket.
struct rh_zmq_socket *rh__zmq_socket_use(void *socket, const char *call);
const char *rh__zmq_type_name(enum rh_zmq_type type);
// The type of anything that may be a socket; NULL if it is none.
const char *rh__zmq_socket_type(const void *socket);
// Whether ZMQ_CONFLATE does something for the socket, and is set.
bool rh__zmq_socket_conflates(const struct rh_zmq_socket *socket);
bool rh__zmq_can_write(enum rh_zmq_type type);
bool rh__zmq_can_read(enum rh_zmq_type type);

// ring.c: pipes take turns as in ZeroMQ, so that programs see the same order.
void rh__zmq_ring_add(struct rh_zmq_ring *ring, struct rh_zmq_pipe *pipe);
void rh__zmq_ring_remove(struct rh_zmq_ring *ring, const struct rh_zmq_pipe *pipe);
// Gives false if the pipe was among those that can be used.
bool rh__zmq_ring_activate(struct rh_zmq_ring *ring, const struct rh_zmq_pipe *pipe);
// The next message, which stays where it is; NULL if there is none.
const struct rh_zmq_mail *rh__zmq_ring_peek(struct rh_zmq_ring *ring);
// Takes the next message; NULL if there is none. `*from` receives its pipe.
struct rh_zmq_mail *rh__zmq_ring_take(struct rh_zmq_ring *ring, struct rh_zmq_pipe **from);
// The pipe to write to next; NULL if none has room. rh__zmq_ring_next goes on to the next pipe.
struct rh_zmq_pipe *rh__zmq_ring_find(struct rh_zmq_ring *ring);
void rh__zmq_ring_next(struct rh_zmq_ring *ring);

// pipe.c
struct rh_zmq_pipe *rh__zmq_pipe_new(struct rh_zmq_socket *socket, struct rh_zmq_endpoint *endpoint,
                                     const char *address);
// Makes the pipe known to its socket before there is anybody at the other end. The socket's thread
// is the caller, or is being delivered to.
void rh__zmq_pipe_begin(struct rh_zmq_pipe *pipe);
// The acting thread looks at what has come to its socket. New peers are told what goes first, which
// in ZeroMQ, too, waits until some call looks. Ends the socket if it was told so.
void rh__zmq_socket_look(struct rh_zmq_socket *socket);
// Connects the pipe of the caller's socket with one of `other`.
void rh__zmq_pipe_join(struct rh_zmq_pipe *pipe, struct rh_zmq_socket *other);
// Connects a pipe whose other side has been there before: the caller's socket takes its end, with
// all that is in it.
void rh__zmq_pipe_accept(struct rh_zmq_pipe *pipe, struct rh_zmq_socket *socket);
void rh__zmq_pipe_write(struct rh_zmq_pipe *pipe, struct rh_zmq_mail *mail);
// Whether a peer of the caller's socket has gone, as the caller can know, and the word of that is
// still on its way: then a message is lost, or there is nobody to send it to, whichever is first.
bool rh__zmq_pipes_are_left(const struct rh_zmq_socket *socket);
struct rh_zmq_mail *rh__zmq_pipe_read(struct rh_zmq_pipe *pipe);
// The writer at this pipe waits for room, and may have some now.
void rh__zmq_pipe_tell_room(struct rh_zmq_pipe *writer);

// room.c
// How many messages may be in the two queues of the pipe; 0: no limit.
uint64_t rh__zmq_pipe_limit(const struct rh_zmq_pipe *pipe);
bool rh__zmq_pipe_has_room(const struct rh_zmq_pipe *pipe);
// Called where it makes a difference whether the pipe has room, or one to which the socket writes
// in turn, and the caller does not wait for that.
void rh__zmq_pipe_doubt_room(const struct rh_zmq_pipe *pipe);
void rh__zmq_socket_doubt_room(const struct rh_zmq_socket *socket);
// The socket, which lingers, gives up the pipe.
void rh__zmq_linger_check(const struct rh_zmq_pipe *pipe);

// The caller's socket gives the connection up.
void rh__zmq_pipe_close(struct rh_zmq_pipe *pipe);
// Called before the caller's socket gives up all its connections, or those that it has made, or
// accepted, through this endpoint. If the socket does not linger, messages that it has sent before
// there was a connection are lost, and those on their way may be.
void rh__zmq_pipes_leave(struct rh_zmq_socket *socket, const struct rh_zmq_endpoint *endpoint,
                         bool connecting, const char *call);
// Called before the caller's socket stops being bound: an event of its own if somebody has
// connected whose connection is not there yet, since that connection comes first or never.
void rh__zmq_pipes_await(struct rh_zmq_socket *socket, const char *call);
// Sends a subscription of the caller's socket.
void rh__zmq_pipe_subscribe(struct rh_zmq_pipe *pipe, const struct rh_zmq_content *topic, bool on);

// Tells the thread that terminates the context that a socket was closed, or that somebody has taken
// what a closed socket had sent.
void rh__zmq_context_note(struct rh_zmq_context *context, const char *name);

// endpoint.c
// Unbinds the socket: nobody finds it by a name any more.
void rh__zmq_endpoints_unbind(struct rh_zmq_socket *socket);
// The context is terminated: all its ports are free.
void rh__zmq_endpoints_leave(const struct rh_zmq_context *context);
// Called at the end of a connection whose peer has gone: the socket, whose thread is being told,
// connects again after ZMQ_RECONNECT_IVL, as ZeroMQ does except for inproc.
void rh__zmq_endpoint_reconnect(const struct rh_zmq_pipe *pipe);
// Called before the socket gives up its connections that are not there, through this endpoint, or
// all if it is NULL: none of them rests any more.
void rh__zmq_endpoint_hurry(const struct rh_zmq_endpoint *endpoint,
                            const struct rh_zmq_socket *socket);
bool rh__zmq_socket_reconnects(const struct rh_zmq_socket *socket);
// Called for a pipe of the connecting side that never had a connection: the pipe waits for somebody
// to bind, or goes to who has bound.
void rh__zmq_endpoint_wait(struct rh_zmq_pipe *pipe);
// Whether connections through the endpoint come to this socket of the acting thread.
bool rh__zmq_endpoint_is_of(const struct rh_zmq_endpoint *endpoint,
                            const struct rh_zmq_socket *socket);
// Called before the caller's socket does something to its peers. Where nobody is bound yet, the
// result depends on whether somebody binds meanwhile; where the caller has the peer's socket, on
// whether another thread takes that over. In both cases the call is an event of its own.
void rh__zmq_peers_use(struct rh_zmq_socket *socket, const char *call);
const char *rh__zmq_endpoint_name(const struct rh_zmq_endpoint *endpoint);
// Whether the endpoint's transport is one between processes.
bool rh__zmq_endpoint_is_remote(const struct rh_zmq_endpoint *endpoint);
// Called when messages that the socket has sent through the endpoint are lost, since whoever was
// bound has gone: ZeroMQ may have them still.
void rh__zmq_endpoint_lose(struct rh_zmq_endpoint *endpoint, struct rh_zmq_socket *socket);
bool rh__zmq_endpoint_is_bound(const struct rh_zmq_endpoint *endpoint);
// Gives the name of the route for one more connection that the acting thread makes through the
// endpoint; "" if the endpoint is not remote.
char *rh__zmq_endpoint_add_route(struct rh_zmq_endpoint *endpoint);
// Names a socket after its first endpoint.
void rh__zmq_socket_rename(struct rh_zmq_socket *socket, const char *endpoint);

// An endpoint between processes that nobody but this socket has ever used in this one, so that its
// peers can only be in another; NULL: the socket has none.
const char *rh__zmq_socket_lacks_peer(const struct rh_zmq_socket *socket);

// Reports what was sent where nobody was ever bound.
void rh__zmq_endpoints_judge(void);

// linger.c: messages that were sent where nobody is bound yet, or the connection is not there yet,
// by a sender that does not wait for either.
// The socket gives up its connections that are not there: those through this endpoint, or all if it
// is NULL.
void rh__zmq_linger_begin(const struct rh_zmq_socket *socket,
                          const struct rh_zmq_endpoint *endpoint);
// Somebody has bound: whether this connection still has something for that socket.
bool rh__zmq_linger_take(struct rh_zmq_pipe *pipe);
// The connection of the pipe is there, or never will be.
void rh__zmq_linger_end(const struct rh_zmq_pipe *pipe);
// There never was a connection: whether another socket could get what is in the pipe.
bool rh__zmq_linger_has(const struct rh_zmq_pipe *pipe);
// Until when the context has messages that linger; 0: it has none.
uint64_t rh__zmq_linger_until(const struct rh_zmq_context *context);

// monitor.c
void rh__zmq_monitor_stop(struct rh_zmq_socket *socket);
// Something has happened to the socket, whose thread acts.
void rh__zmq_monitor_emit(struct rh_zmq_socket *socket, enum rh_zmq_monitor_event event,
                          int32_t value, const char *address);
// The number that stands for a descriptor of the socket in events.
int32_t rh__zmq_monitor_descriptor(const struct rh_zmq_socket *socket);
// Waits until somebody reads the events of the caller's socket, as ZeroMQ does where the caller's
// own thread makes the events.
void rh__zmq_monitor_await(const struct rh_zmq_socket *socket, const char *call);
// Events of the connecting side: there is a connection, or nobody to connect to.
void rh__zmq_monitor_connected(const struct rh_zmq_pipe *pipe);
void rh__zmq_monitor_delayed(const struct rh_zmq_pipe *pipe);
// Events of the side that is bound: there is a connection.
void rh__zmq_monitor_accepted(const struct rh_zmq_pipe *pipe);
// Events of both sides: the peer has gone.
void rh__zmq_monitor_disconnected(const struct rh_zmq_pipe *pipe);
// Events that were held back for the monitor go to whoever has connected to it.
void rh__zmq_monitor_flush(struct rh_zmq_pipe *pipe);

// unread.c
// Whether the content is a word that CZMQ's actors say by themselves.
bool rh__zmq_content_is_of_czmq(const struct rh_zmq_content *content);
bool rh__zmq_mail_is_of_czmq(const struct rh_zmq_mail *mail);
void rh__zmq_unread_note(struct rh_zmq_unread *unread, const struct rh_zmq_mail *mail);
void rh__zmq_unread_note_queue(struct rh_zmq_unread *unread, const struct rh_zmq_pipe *pipe);
// Reports the messages as a finding about the thread, unless there are none: `undelivered` if their
// socket is closed, otherwise `leftover`.
void rh__zmq_unread_report(const struct rh_zmq_unread *unread, const struct rh_zmq_thread *thread,
                           bool is_closed, const char *where, const char *why);

// descriptor.c: ZMQ_FD. `signal` is called when something has come to the socket, `clear` when its
// thread has seen what has come.
int rh__zmq_descriptor_get(struct rh_zmq_socket *socket);
void rh__zmq_descriptor_signal(struct rh_zmq_socket *socket);
void rh__zmq_descriptor_clear(struct rh_zmq_socket *socket);
void rh__zmq_descriptor_close(struct rh_zmq_socket *socket);
// Whether the descriptor is that of a socket.
bool rh__zmq_descriptor_is_known(int descriptor);
// As rh__zmq_socket_lacks_peer, for the socket that has the descriptor; NULL if none has.
const char *rh__zmq_descriptor_lacks_peer(int descriptor);
// Looks which of the descriptors are ready now.
struct pollfd;
int rh__zmq_descriptors_look(struct pollfd *entries, size_t count);

// topics.c: subscriptions.
bool rh__zmq_topics_match(struct rh_zmq_content *const *topics, size_t count,
                          const struct rh_zmq_mail *mail);
void rh__zmq_socket_subscribe(struct rh_zmq_socket *socket, const void *topic, size_t size,
                              bool on);
// The peer has gone, and its topics are forgotten. An XPUB receives that as messages, some time
// after its thread has looked, as in ZeroMQ.
void rh__zmq_pipe_end_topics(struct rh_zmq_pipe *pipe);
// For a PUB or XPUB, which reads requests when its thread looks, as ZeroMQ does: all requests of
// one peer, then all of the next, in the order in which the first of each has come. A new peer
// takes its place with `request` NULL. Takes the request.
void rh__zmq_pipe_ask(struct rh_zmq_pipe *pipe, struct rh_zmq_content *request);
void rh__zmq_topics_read(struct rh_zmq_socket *socket);
// For a SUB: makes the request that asks the peer for a topic, or takes that back, and counts it as
// told. NULL if ZeroMQ drops the request.
struct rh_zmq_content *rh__zmq_pipe_request(struct rh_zmq_pipe *pipe,
                                            const struct rh_zmq_content *topic, bool on);
// For a SUB: sees how many requests the peer has read. As with messages, the peer tells each time
// that it has read half of the queue, and the thread sees that when it looks.
void rh__zmq_pipe_see_taken(struct rh_zmq_pipe *pipe);

// receive.c, send.c: whether a call would not wait, and sending.
bool rh__zmq_can_receive(struct rh_zmq_socket *socket);
bool rh__zmq_can_send(struct rh_zmq_socket *socket);
int rh__zmq_send_content(void *socket, struct rh_zmq_content *content, int flags, const char *call);
int rh__zmq_events(struct rh_zmq_socket *socket);

#endif
