// SPDX-License-Identifier: MIT
// Sockets, and the pipes that connect them.
//
// A connection is two pipes, one at each socket. What a socket writes to its pipe is sent to the thread that owns the
// other socket, and is in the queue of that one's pipe once it was delivered. A socket belongs to the thread that has
// used it last; what is delivered to an earlier owner is sent on.
#ifndef REHEARSE_ADAPTERS_ZMQ_SOCKET_H
#define REHEARSE_ADAPTERS_ZMQ_SOCKET_H

#include "adapters/zmq/api.h"
#include "adapters/zmq/engine.h"
#include "adapters/zmq/message.h"

enum { RH_ZMQ_ENDPOINT_MOST = 256, RH_ZMQ_ID_MOST = 255 };

struct rh_zmq_context {
    uint32_t mark;
    struct rh_zmq_thread *owner; // has made it, or terminates it
    int options[CONTEXT_OPTIONS];
    uint32_t sockets; // that are open
    bool is_ending;   // it is being terminated
    // Sockets were made, sockets were closed, the context was terminated.
    struct rh_zmq_shared made, closed, ended;
};

struct rh_zmq_endpoint;
struct rh_zmq_letter; // pipe.c

// Messages that nobody has received.
struct rh_zmq_unread {
    size_t count;
    char first[RH_ZMQ_NAME_MOST]; // for people
};

struct rh_zmq_pipe {
    struct rh_zmq_socket *socket; // whose it is; NULL until somebody binds
    struct rh_zmq_pipe *peer;
    struct rh_zmq_endpoint *endpoint; // that the connection goes through
    bool is_connecting;               // its socket has called zmq_connect for it
    struct rh_zmq_haste joined;       // that it has
    bool is_early;                    // and nobody was bound then
    bool is_attached;                 // its socket knows it
    bool is_pending;                  // but it can't be used before the other end has answered
    bool is_new;                      // and its thread has not looked since then
    bool is_gone;                     // the peer has closed its socket, or disconnected
    struct rh_zmq_departure {
        bool is_on_its_way; // that it has
        uint32_t thread;    // that has
        uint32_t delivery;  // number of that thread's, in which it has
    } left;
    bool is_void; // the other end was closed before there was a connection, and does not linger
    uint64_t lingers_until;  // after its socket has given it up; 0: it has not
    uint64_t sends_until;    // the same for what is on its way through a connection that is there
    char *address;           // that was connected to, as events of monitors have it; owned
    char *way;               // that what is sent to the other end goes by, if that is remote; owned
    uint64_t posted, opened; // letters sent to it, and those of them that have taken effect
    RH_VECTOR(struct rh_zmq_letter *) held;   // that have come before earlier ones; owned
    RH_VECTOR(struct rh_zmq_letter *) flying; // that have not taken effect, if it is remote
    // The two ends have met, or something has come from the other one, or that was closed before.
    struct rh_zmq_shared meets;
    // The other one was used, or its messages wait again since there never was a connection.
    struct rh_zmq_shared kept;
    RH_VECTOR(struct rh_zmq_mail *) queue; // what has arrived, from `first` on
    size_t first;
    uint64_t written;                   // messages written here
    uint64_t written_bytes, read_bytes; // of these, and of those taken here
    uint64_t taken; // of those, taken at the other end, as far as it has said so
    uint64_t read;  // messages taken here
    // The last message written here that is no word of CZMQ's.
    struct rh_zmq_writing {
        uint64_t letter;    // its number at the other end, from 1 on; 0: none
        uint32_t delivery;  // number of the writer's, in which it was written
        uint32_t sent;      // its number among all that the writer has sent
        uint32_t caused_by; // the thread that had sent that
        bool is_first;      // the writer had sent nothing before in it
    } last;
    bool waits_for_room;        // its socket has found it full
    uint8_t id[RH_ZMQ_ID_MOST]; // the peer's routing id, for a ROUTER
    size_t id_size;
    bool is_named_here;                          // that is what the socket itself calls it
    RH_VECTOR(struct rh_zmq_content *) topics;   // that the peer wants, for a PUB; owned
    RH_VECTOR(struct rh_zmq_content *) requests; // of the peer, that a PUB has not read; owned
    uint64_t heard;                              // those that it has read
    bool is_let_go;                              // the peer has gone, and the XPUB has seen that
    uint64_t told;                               // requests written here, by a SUB
    uint64_t told_taken; // of those, read at the other end, as far as its thread has seen
};

// Pipes that take turns: the first `active` of them can be used, as far as is known.
struct rh_zmq_ring {
    RH_VECTOR(struct rh_zmq_pipe *) pipes;
    size_t active, current;
};

struct rh_zmq_socket {
    uint32_t mark;
    struct rh_zmq_context *context;
    enum rh_zmq_type type;
    uint32_t number; // among all sockets
    struct rh_zmq_thread *owner;
    struct rh_zmq_shared used, taken; // taken: by another thread than the one that had it
    int options[OPTION_COUNT];
    uint8_t id[RH_ZMQ_ID_MOST];
    size_t id_size;
    uint8_t next_peer[RH_ZMQ_ID_MOST];   // ROUTER: what it calls whom it connects to next
    size_t next_peer_size;               // 0: whatever that calls itself
    int64_t frame_most;                  // ZMQ_MAXMSGSIZE; -1: no limit
    char endpoint[RH_ZMQ_ENDPOINT_MOST]; // of the last bind or connect
    char name[RH_ZMQ_NAME_MOST];         // "PULL inproc://tasks"
    bool is_bound, is_closed, is_ended;
    bool has_lost; // what was on its way to a peer that has gone, and may wait here in ZeroMQ
    RH_VECTOR(struct rh_zmq_pipe *) pipes;
    uint32_t coming;              // remote peers that have connected, and are not there yet
    struct rh_zmq_shared awaited; // somebody has connected, or it was looked whether one has
    struct rh_zmq_ring in, out;
    RH_VECTOR(struct rh_zmq_content *) topics; // of a SUB; owned
    RH_VECTOR(struct rh_zmq_mail *) notices;   // of an XPUB: subscriptions; owned
    RH_VECTOR(struct rh_zmq_pipe *) asking;    // of a PUB: new, or with requests; oldest first
    RH_VECTOR(struct rh_zmq_pipe *) leaving;   // of an XPUB: gone, and their topics are not yet
    struct rh_zmq_mail *incoming;              // the message that is being read, what is left of it
    struct rh_zmq_mail *outgoing;              // the message that is being written; NULL: none
    bool has_read;                             // a part of `incoming`
    bool is_promised;                          // SUB: the next message was found to be wanted
    // REQ: a reply is awaited, from this pipe. REP: a request was received, from this pipe.
    bool is_asked;
    struct rh_zmq_pipe *partner;
    struct rh_zmq_mail *envelope;           // REP: what goes in front of the reply
    struct rh_zmq_mail *stray;              // REP: was taken for a request, and is none; NULL: none
    uint32_t request;                       // REQ: its number, where requests have one
    uint32_t next_id;                       // ROUTER
    struct rh_zmq_socket *monitor;          // the PAIR to which its events are sent; NULL: none
    int monitored;                          // which
    struct rh_zmq_shared watched;           // somebody has called zmq_socket_monitor for it
    RH_VECTOR(struct rh_zmq_mail *) events; // of a monitor: nobody is connected yet; owned
    int descriptor;                         // ZMQ_FD; 0: nobody has asked for it
    bool is_signalled;                      // it is readable
    bool has_news;                          // something has come since its thread has looked
    struct rh_zmq_unread unread;            // what it was closed with, or came later
    struct rh_zmq_unread dropped;           // what it had sent, and did not linger for
};

// The socket, which now belongs to the caller; NULL with errno if it is none.
struct rh_zmq_socket *rh__zmq_socket_use(void *socket, const char *call);
const char *rh__zmq_type_name(enum rh_zmq_type type);
// Of anything that may be a socket; NULL if it is none.
const char *rh__zmq_socket_type(const void *socket);
// Whether ZMQ_CONFLATE does something for the socket, and is set.
bool rh__zmq_socket_conflates(const struct rh_zmq_socket *socket);
bool rh__zmq_can_write(enum rh_zmq_type type);
bool rh__zmq_can_read(enum rh_zmq_type type);

// ring.c: they take turns as in ZeroMQ, so that programs see the same order.
void rh__zmq_ring_add(struct rh_zmq_ring *ring, struct rh_zmq_pipe *pipe);
void rh__zmq_ring_remove(struct rh_zmq_ring *ring, const struct rh_zmq_pipe *pipe);
// false if it was among those that can be used.
bool rh__zmq_ring_activate(struct rh_zmq_ring *ring, const struct rh_zmq_pipe *pipe);
// The message that is next, which stays where it is; NULL if there is none.
const struct rh_zmq_mail *rh__zmq_ring_peek(struct rh_zmq_ring *ring);
// Takes the next message; NULL if there is none. `*from` receives its pipe.
struct rh_zmq_mail *rh__zmq_ring_take(struct rh_zmq_ring *ring, struct rh_zmq_pipe **from);
// The pipe to write to next; NULL if there is none with room. rh__zmq_ring_next goes on to the next.
struct rh_zmq_pipe *rh__zmq_ring_find(struct rh_zmq_ring *ring);
void rh__zmq_ring_next(struct rh_zmq_ring *ring);

// pipe.c
struct rh_zmq_pipe *rh__zmq_pipe_new(struct rh_zmq_socket *socket, struct rh_zmq_endpoint *endpoint,
                                     const char *address);
// Makes the pipe known to its socket, whose thread is the caller or is being delivered to, before there is anybody at the
// other end.
void rh__zmq_pipe_begin(struct rh_zmq_pipe *pipe);
// The thread of the socket, which acts, looks at what has come to it: peers that are new are told what goes first, which
// in ZeroMQ too waits until some call looks.
void rh__zmq_socket_look(struct rh_zmq_socket *socket);
// Connects the pipe of the caller's socket with one of `other`.
void rh__zmq_pipe_join(struct rh_zmq_pipe *pipe, struct rh_zmq_socket *other);
// The same when the other side has come: the caller's socket takes its end of it, with all that is in it.
void rh__zmq_pipe_accept(struct rh_zmq_pipe *pipe, struct rh_zmq_socket *socket);
void rh__zmq_pipe_write(struct rh_zmq_pipe *pipe, struct rh_zmq_mail *mail);
// Whether a peer of the caller's socket has gone, as the caller can know, and that is still on its way: then a message is
// lost, or there is nobody to send it to, whichever is first.
bool rh__zmq_pipes_are_left(const struct rh_zmq_socket *socket);
struct rh_zmq_mail *rh__zmq_pipe_read(struct rh_zmq_pipe *pipe);
// How many messages may be in it; 0: no limit.
uint64_t rh__zmq_pipe_limit(const struct rh_zmq_pipe *pipe);
bool rh__zmq_pipe_has_room(const struct rh_zmq_pipe *pipe);
// The caller's socket gives the connection up.
void rh__zmq_pipe_close(struct rh_zmq_pipe *pipe);
// The caller's socket is going to give up all its connections, or those that it has made, or accepted, through this
// endpoint: if it does not linger, what it has sent before there was one is lost, and what is on its way may be.
void rh__zmq_pipes_leave(struct rh_zmq_socket *socket, const struct rh_zmq_endpoint *endpoint,
                         bool connecting, const char *call);
// The caller's socket is going to be bound no more: an event of its own if somebody has connected and is not there yet,
// since that comes first or never.
void rh__zmq_pipes_await(struct rh_zmq_socket *socket, const char *call);
// Sends a subscription of the caller's socket.
void rh__zmq_pipe_subscribe(struct rh_zmq_pipe *pipe, const struct rh_zmq_content *topic, bool on);

// A socket of the context was closed, or somebody has taken what one had sent: who terminates the context is told.
void rh__zmq_context_note(struct rh_zmq_context *context, const char *name);

// endpoint.c
// Nobody finds the socket by a name any more.
void rh__zmq_endpoints_unbind(struct rh_zmq_socket *socket);
// The context is terminated: all its ports are free.
void rh__zmq_endpoints_leave(const struct rh_zmq_context *context);
// The pipe's peer has gone: its socket, whose thread is being told, connects again, as ZeroMQ does but for inproc.
void rh__zmq_endpoint_reconnect(const struct rh_zmq_pipe *pipe);
// There never was a connection: the pipe, of the side that connects, waits for somebody to bind, or goes to who has.
void rh__zmq_endpoint_wait(struct rh_zmq_pipe *pipe);
// Whether connections through it come to this socket, of the acting thread.
bool rh__zmq_endpoint_is_of(const struct rh_zmq_endpoint *endpoint,
                            const struct rh_zmq_socket *socket);
// Called before the caller's socket does something to its peers. Where nobody is bound yet that depends on whether
// somebody is meanwhile, and where a peer is the caller's own, on whether another thread takes that: then it is an event
// of its own.
void rh__zmq_peers_use(struct rh_zmq_socket *socket, const char *call);
const char *rh__zmq_endpoint_name(const struct rh_zmq_endpoint *endpoint);
// Whether it is of a transport between processes.
bool rh__zmq_endpoint_is_remote(const struct rh_zmq_endpoint *endpoint);
// What the socket has sent through the endpoint is lost, since who was bound has gone: ZeroMQ may have it still.
void rh__zmq_endpoint_lose(struct rh_zmq_endpoint *endpoint, struct rh_zmq_socket *socket);
bool rh__zmq_endpoint_is_bound(const struct rh_zmq_endpoint *endpoint);
// The way of one more connection that the acting thread makes through it, where that is remote: gives its name.
char *rh__zmq_endpoint_add_way(struct rh_zmq_endpoint *endpoint);
// Names a socket after its first endpoint.
void rh__zmq_socket_rename(struct rh_zmq_socket *socket, const char *endpoint);

// Reports what was sent where nobody was ever bound.
void rh__zmq_endpoints_judge(void);

// linger.c: what was sent where nobody is bound yet, or the connection is not there yet, by who does not wait for that.
// The socket gives up its connections that are not there; those through this endpoint, or all if it is NULL.
void rh__zmq_linger_begin(const struct rh_zmq_socket *socket,
                          const struct rh_zmq_endpoint *endpoint);
// Somebody has bound: whether there is still something in this connection for him.
bool rh__zmq_linger_take(struct rh_zmq_pipe *pipe);
// The connection is there, or never will be.
void rh__zmq_linger_end(const struct rh_zmq_pipe *pipe);
// There never was a connection: whether somebody else could have what is in it.
bool rh__zmq_linger_has(const struct rh_zmq_pipe *pipe);
// The socket, which lingers, gives the connection up.
void rh__zmq_linger_check(const struct rh_zmq_pipe *pipe);
// Until when the context has such messages; 0: it has none.
uint64_t rh__zmq_linger_until(const struct rh_zmq_context *context);

// monitor.c
void rh__zmq_monitor_stop(struct rh_zmq_socket *socket);
// Something has happened to the socket, whose thread acts.
void rh__zmq_monitor_emit(struct rh_zmq_socket *socket, enum rh_zmq_monitor_event event,
                          int32_t value, const char *address);
// What stands for a descriptor of the socket in events.
int32_t rh__zmq_monitor_descriptor(const struct rh_zmq_socket *socket);
// Waits until somebody reads the events of the caller's socket, as ZeroMQ does where the caller's thread makes them.
void rh__zmq_monitor_await(const struct rh_zmq_socket *socket, const char *call);
// Events of the connecting side: there is a connection, or nobody to connect to.
void rh__zmq_monitor_connected(const struct rh_zmq_pipe *pipe);
void rh__zmq_monitor_delayed(const struct rh_zmq_pipe *pipe);
// Of the other side.
void rh__zmq_monitor_accepted(const struct rh_zmq_pipe *pipe);
// Of both: the peer has gone.
void rh__zmq_monitor_disconnected(const struct rh_zmq_pipe *pipe);
// What was held back for the monitor goes to whoever has connected to it.
void rh__zmq_monitor_flush(struct rh_zmq_pipe *pipe);

// unread.c
// Whether it is a word that CZMQ's actors say by themselves.
bool rh__zmq_content_is_of_czmq(const struct rh_zmq_content *content);
bool rh__zmq_mail_is_of_czmq(const struct rh_zmq_mail *mail);
void rh__zmq_unread_note(struct rh_zmq_unread *unread, const struct rh_zmq_mail *mail);
void rh__zmq_unread_note_queue(struct rh_zmq_unread *unread, const struct rh_zmq_pipe *pipe);
// A finding about the thread, unless there are none: `undelivered` if its socket is closed, otherwise `leftover`.
void rh__zmq_unread_report(const struct rh_zmq_unread *unread, const struct rh_zmq_thread *thread,
                           bool is_closed, const char *where, const char *why);

// descriptor.c: ZMQ_FD. Something has come to the socket, and its thread has seen what has come.
int rh__zmq_descriptor_get(struct rh_zmq_socket *socket);
void rh__zmq_descriptor_signal(struct rh_zmq_socket *socket);
void rh__zmq_descriptor_clear(struct rh_zmq_socket *socket);
void rh__zmq_descriptor_close(struct rh_zmq_socket *socket);
// Whether it is one of these.
bool rh__zmq_descriptor_is_known(int descriptor);
// What is ready of descriptors now.
struct pollfd;
int rh__zmq_descriptors_look(struct pollfd *entries, size_t count);

// topics.c: subscriptions.
bool rh__zmq_topics_match(struct rh_zmq_content *const *topics, size_t count,
                          const struct rh_zmq_mail *mail);
void rh__zmq_socket_subscribe(struct rh_zmq_socket *socket, const void *topic, size_t size,
                              bool on);
// The peer has gone. What it wants is forgotten; an XPUB receives that as messages, some time after its thread has looked, as
// in ZeroMQ.
void rh__zmq_pipe_end_topics(struct rh_zmq_pipe *pipe);
// For a PUB or XPUB, which reads what has come when its thread looks, as ZeroMQ does: all of one peer, then all of the next, in
// the order in which the first of each has come. A peer that is new counts from then on. Takes the request; NULL: none.
void rh__zmq_pipe_ask(struct rh_zmq_pipe *pipe, struct rh_zmq_content *request);
void rh__zmq_topics_read(struct rh_zmq_socket *socket);
// For a SUB: what asks the peer for a topic, or takes that back, and counts as told; NULL if ZeroMQ drops it.
struct rh_zmq_content *rh__zmq_pipe_request(struct rh_zmq_pipe *pipe,
                                            const struct rh_zmq_content *topic, bool on);
// What was read is told each time that half of the queue was, as with messages, and seen when the thread looks.
void rh__zmq_pipe_see_taken(struct rh_zmq_pipe *pipe);

// receive.c, send.c: what does not wait.
bool rh__zmq_can_receive(struct rh_zmq_socket *socket);
bool rh__zmq_can_send(struct rh_zmq_socket *socket);
int rh__zmq_send_content(void *socket, struct rh_zmq_content *content, int flags, const char *call);
int rh__zmq_events(struct rh_zmq_socket *socket);

#endif
