// SPDX-License-Identifier: MIT
// The numbers and structures of ZeroMQ's interface, version 4.3, that are compiled into programs.
#ifndef REHEARSE_ADAPTERS_ZMQ_API_H
#define REHEARSE_ADAPTERS_ZMQ_API_H

#include <stddef.h>
#include <stdint.h>

enum { VERSION_MAJOR = 4, VERSION_MINOR = 3, VERSION_PATCH = 4 };

// Errors that only ZeroMQ has.
enum { EFSM = 156384763, ENOCOMPATPROTO = 156384764, ETERM = 156384765, EMTHREAD = 156384766 };

// Types of sockets.
#define RH_ZMQ_TYPES(X)                                                                            \
    X(PAIR) X(PUB) X(SUB) X(REQ) X(REP) X(DEALER) X(ROUTER) X(PULL) X(PUSH) X(XPUB) X(XSUB)
enum rh_zmq_type {
#define X(name) RH_ZMQ_##name,
    RH_ZMQ_TYPES(X)
#undef X
        RH_ZMQ_TYPE_COUNT
};

// Options of contexts.
enum {
    CONTEXT_IO_THREADS = 1,
    CONTEXT_MAX_SOCKETS = 2,
    CONTEXT_SOCKET_LIMIT = 3,
    CONTEXT_MAX_MSGSZ = 5,
    CONTEXT_MSG_T_SIZE = 6,
    CONTEXT_IPV6 = 42,
    CONTEXT_BLOCKY = 70,
    CONTEXT_OPTIONS = 128,
};

// Options of sockets: number, name, default, and whether another value than the default changes
// what this version does.
#define RH_ZMQ_OPTIONS(X)                                                                          \
    X(8, RATE, 100, false)                                                                         \
    X(9, RECOVERY_IVL, 10000, false)                                                               \
    X(11, SNDBUF, -1, false)                                                                       \
    X(12, RCVBUF, -1, false)                                                                       \
    X(17, LINGER, -1, false)                                                                       \
    X(18, RECONNECT_IVL, 100, false)                                                               \
    X(19, BACKLOG, 100, false)                                                                     \
    X(21, RECONNECT_IVL_MAX, 0, false)                                                             \
    X(23, SNDHWM, 1000, false)                                                                     \
    X(24, RCVHWM, 1000, false)                                                                     \
    X(25, MULTICAST_HOPS, 1, false)                                                                \
    X(27, RCVTIMEO, -1, false)                                                                     \
    X(28, SNDTIMEO, -1, false)                                                                     \
    X(31, IPV4ONLY, 1, false)                                                                      \
    X(33, ROUTER_MANDATORY, 0, false)                                                              \
    X(34, TCP_KEEPALIVE, -1, false)                                                                \
    X(35, TCP_KEEPALIVE_CNT, -1, false)                                                            \
    X(36, TCP_KEEPALIVE_IDLE, -1, false)                                                           \
    X(37, TCP_KEEPALIVE_INTVL, -1, false)                                                          \
    X(39, IMMEDIATE, 0, false)                                                                     \
    X(40, XPUB_VERBOSE, 0, false)                                                                  \
    X(41, ROUTER_RAW, 0, true)                                                                     \
    X(42, IPV6, 0, false)                                                                          \
    X(43, MECHANISM, 0, false)                                                                     \
    X(44, PLAIN_SERVER, 0, true)                                                                   \
    X(47, CURVE_SERVER, 0, true)                                                                   \
    X(51, PROBE_ROUTER, 0, false)                                                                  \
    X(52, REQ_CORRELATE, 0, false)                                                                 \
    X(53, REQ_RELAXED, 0, false)                                                                   \
    X(54, CONFLATE, 0, false)                                                                      \
    X(56, ROUTER_HANDOVER, 0, false)                                                               \
    X(57, TOS, 0, false)                                                                           \
    X(62, GSSAPI_SERVER, 0, true)                                                                  \
    X(65, GSSAPI_PLAINTEXT, 0, true)                                                               \
    X(66, HANDSHAKE_IVL, 30000, false)                                                             \
    X(69, XPUB_NODROP, 0, true)                                                                    \
    X(71, XPUB_MANUAL, 0, true)                                                                    \
    X(73, STREAM_NOTIFY, 1, true)                                                                  \
    X(74, INVERT_MATCHING, 0, true)                                                                \
    X(75, HEARTBEAT_IVL, 0, false)                                                                 \
    X(76, HEARTBEAT_TTL, 0, false)                                                                 \
    X(77, HEARTBEAT_TIMEOUT, -1, false)                                                            \
    X(78, XPUB_VERBOSER, 0, true)                                                                  \
    X(79, CONNECT_TIMEOUT, 0, false)                                                               \
    X(80, TCP_MAXRT, 0, false)                                                                     \
    X(84, MULTICAST_MAXTPDU, 1500, false)

// Options of sockets that this version does not have.
#define RH_ZMQ_OTHER_OPTIONS(X)                                                                    \
    X(38, TCP_ACCEPT_FILTER)                                                                       \
    X(45, PLAIN_USERNAME)                                                                          \
    X(46, PLAIN_PASSWORD)                                                                          \
    X(48, CURVE_PUBLICKEY)                                                                         \
    X(49, CURVE_SECRETKEY)                                                                         \
    X(50, CURVE_SERVERKEY)                                                                         \
    X(58, IPC_FILTER_PID)                                                                          \
    X(59, IPC_FILTER_UID)                                                                          \
    X(60, IPC_FILTER_GID)                                                                          \
    X(63, GSSAPI_PRINCIPAL)                                                                        \
    X(64, GSSAPI_SERVICE_PRINCIPAL)                                                                \
    X(68, SOCKS_PROXY)                                                                             \
    X(72, XPUB_WELCOME_MSG)                                                                        \
    X(85, VMCI_BUFFER_SIZE)                                                                        \
    X(86, VMCI_BUFFER_MIN_SIZE)                                                                    \
    X(87, VMCI_BUFFER_MAX_SIZE)                                                                    \
    X(88, VMCI_CONNECT_TIMEOUT)                                                                    \
    X(89, USE_FD)                                                                                  \
    X(90, GSSAPI_PRINCIPAL_NAMETYPE)                                                               \
    X(91, GSSAPI_SERVICE_PRINCIPAL_NAMETYPE)                                                       \
    X(92, BINDTODEVICE)                                                                            \
    X(93, ZAP_ENFORCE_DOMAIN)                                                                      \
    X(94, LOOPBACK_FASTPATH)                                                                       \
    X(95, METADATA)                                                                                \
    X(96, MULTICAST_LOOP)                                                                          \
    X(97, ROUTER_NOTIFY)                                                                           \
    X(98, XPUB_MANUAL_LAST_VALUE)                                                                  \
    X(99, SOCKS_USERNAME)                                                                          \
    X(100, SOCKS_PASSWORD)                                                                         \
    X(101, IN_BATCH_SIZE)                                                                          \
    X(102, OUT_BATCH_SIZE)                                                                         \
    X(103, WSS_KEY_PEM)                                                                            \
    X(104, WSS_CERT_PEM)                                                                           \
    X(105, WSS_TRUST_PEM)                                                                          \
    X(106, WSS_HOSTNAME)                                                                           \
    X(107, WSS_TRUST_SYSTEM)                                                                       \
    X(108, ONLY_FIRST_SUBSCRIBE)                                                                   \
    X(109, RECONNECT_STOP)                                                                         \
    X(110, HELLO_MSG)                                                                              \
    X(111, DISCONNECT_MSG)                                                                         \
    X(112, PRIORITY)

// Options of sockets that are no plain numbers, or are not kept with the others.
enum {
    OPTION_AFFINITY = 4,
    OPTION_ROUTING_ID = 5,
    OPTION_SUBSCRIBE = 6,
    OPTION_UNSUBSCRIBE = 7,
    OPTION_RCVMORE = 13,
    OPTION_FD = 14,
    OPTION_EVENTS = 15,
    OPTION_TYPE = 16,
    OPTION_MAXMSGSIZE = 22,
    OPTION_LAST_ENDPOINT = 32,
    OPTION_ZAP_DOMAIN = 55,
    OPTION_CONNECT_ROUTING_ID = 61,
    OPTION_THREAD_SAFE = 81,
    OPTION_COUNT = 128,
};

enum rh_zmq_option {
#define X(number, name, value, matters) RH_ZMQ_OPTION_##name = number,
    RH_ZMQ_OPTIONS(X)
#undef X
};

enum { MESSAGE_MORE = 1, MESSAGE_SRCFD = 2, MESSAGE_SHARED = 3 };
// Events of monitors.
#define RH_ZMQ_MONITOR_EVENTS(X)                                                                   \
    X(CONNECTED, 0x1)                                                                              \
    X(CONNECT_DELAYED, 0x2)                                                                        \
    X(CONNECT_RETRIED, 0x4)                                                                        \
    X(LISTENING, 0x8)                                                                              \
    X(BIND_FAILED, 0x10)                                                                           \
    X(ACCEPTED, 0x20)                                                                              \
    X(CLOSED, 0x80)                                                                                \
    X(DISCONNECTED, 0x200)                                                                         \
    X(MONITOR_STOPPED, 0x400)                                                                      \
    X(HANDSHAKE_SUCCEEDED, 0x1000)
enum rh_zmq_monitor_event {
#define X(name, number) RH_ZMQ_EVENT_##name = number,
    RH_ZMQ_MONITOR_EVENTS(X)
#undef X
};
enum { FLAG_DONTWAIT = 1, FLAG_SNDMORE = 2 };
enum { READY_IN = 1, READY_OUT = 2, READY_ERROR = 4, READY_URGENT = 8 };

typedef void rh_zmq_free(void *data, void *hint);

// zmq_msg_t, whose size is compiled into programs.
struct rh_zmq_content;
struct rh_zmq_pipe;
union rh_zmq_msg {
    struct {
        struct rh_zmq_content *content; // NULL: no bytes
        uint32_t mark;                  // RH_ZMQ_MARK if the message was initialised
        uint8_t more;
        const struct rh_zmq_pipe *origin; // the pipe that it was written to; NULL within a process
    };
    unsigned char bytes[64];
    void *alignment;
};
_Static_assert(sizeof(union rh_zmq_msg) == 64, "ZeroMQ's zmq_msg_t has this size");

// zmq_pollitem_t.
struct rh_zmq_poll_item {
    void *socket;
    int descriptor;
    short events;
    short revents;
};

// What this library defines.

int zmq_errno(void);
const char *zmq_strerror(int error);
void zmq_version(int *major, int *minor, int *patch);

void *zmq_ctx_new(void);
int zmq_ctx_term(void *context);
int zmq_ctx_shutdown(void *context);
int zmq_ctx_set(void *context, int option, int value);
int zmq_ctx_get(void *context, int option);
void *zmq_init(int io_threads);
int zmq_term(void *context);
int zmq_ctx_destroy(void *context);

int zmq_msg_init(union rh_zmq_msg *message);
int zmq_msg_init_size(union rh_zmq_msg *message, size_t size);
int zmq_msg_init_buffer(union rh_zmq_msg *message, const void *bytes, size_t size);
int zmq_msg_init_data(union rh_zmq_msg *message, void *data, size_t size, rh_zmq_free *release,
                      void *hint);
int zmq_msg_send(union rh_zmq_msg *message, void *socket, int flags);
int zmq_msg_recv(union rh_zmq_msg *message, void *socket, int flags);
int zmq_msg_close(union rh_zmq_msg *message);
int zmq_msg_move(union rh_zmq_msg *to, union rh_zmq_msg *from);
int zmq_msg_copy(union rh_zmq_msg *to, union rh_zmq_msg *from);
void *zmq_msg_data(union rh_zmq_msg *message);
size_t zmq_msg_size(const union rh_zmq_msg *message);
int zmq_msg_more(const union rh_zmq_msg *message);
const char *zmq_msg_gets(const union rh_zmq_msg *message, const char *property);
int zmq_msg_get(const union rh_zmq_msg *message, int property);
int zmq_msg_set(union rh_zmq_msg *message, int property, int value);

void *zmq_socket(void *context, int type);
int zmq_close(void *socket);
int zmq_setsockopt(void *socket, int option, const void *value, size_t size);
int zmq_getsockopt(void *socket, int option, void *value, size_t *size);
int zmq_bind(void *socket, const char *endpoint);
int zmq_connect(void *socket, const char *endpoint);
int zmq_unbind(void *socket, const char *endpoint);
int zmq_disconnect(void *socket, const char *endpoint);
int zmq_socket_monitor(void *socket, const char *endpoint, int events);
int zmq_send(void *socket, const void *bytes, size_t size, int flags);
int zmq_send_const(void *socket, const void *bytes, size_t size, int flags);
int zmq_recv(void *socket, void *bytes, size_t size, int flags);
int zmq_sendmsg(void *socket, union rh_zmq_msg *message, int flags);
int zmq_recvmsg(void *socket, union rh_zmq_msg *message, int flags);
struct iovec;
int zmq_sendiov(void *socket, struct iovec *parts, size_t count, int flags);
int zmq_recviov(void *socket, struct iovec *parts, size_t *count, int flags);

int zmq_poll(struct rh_zmq_poll_item *items, int count, long timeout);
// zmq_poller_event_t.
struct rh_zmq_poller_event {
    void *socket;
    int descriptor;
    void *data;
    short events;
};
void *zmq_poller_new(void);
int zmq_poller_destroy(void **poller);
int zmq_poller_size(void *poller);
int zmq_poller_add(void *poller, void *socket, void *data, short events);
int zmq_poller_modify(void *poller, void *socket, short events);
int zmq_poller_remove(void *poller, void *socket);
int zmq_poller_add_fd(void *poller, int descriptor, void *data, short events);
int zmq_poller_modify_fd(void *poller, int descriptor, short events);
int zmq_poller_remove_fd(void *poller, int descriptor);
int zmq_poller_wait(void *poller, struct rh_zmq_poller_event *event, long timeout);
int zmq_poller_wait_all(void *poller, struct rh_zmq_poller_event *events, int count, long timeout);

typedef void rh_zmq_timer_function(int timer, void *argument);
void *zmq_timers_new(void);
int zmq_timers_destroy(void **timers);
int zmq_timers_add(void *timers, size_t interval, rh_zmq_timer_function *function, void *argument);
int zmq_timers_cancel(void *timers, int timer);
int zmq_timers_set_interval(void *timers, int timer, size_t interval);
int zmq_timers_reset(void *timers, int timer);
long zmq_timers_timeout(void *timers);
int zmq_timers_execute(void *timers);

int zmq_proxy(void *frontend, void *backend, void *capture);
int zmq_proxy_steerable(void *frontend, void *backend, void *capture, void *control);
int zmq_device(int type, void *frontend, void *backend);
int zmq_has(const char *capability);

char *zmq_z85_encode(char *text, const uint8_t *bytes, size_t size);
uint8_t *zmq_z85_decode(uint8_t *bytes, const char *text);

void *zmq_atomic_counter_new(void);
void zmq_atomic_counter_set(void *counter, int value);
int zmq_atomic_counter_inc(void *counter);
int zmq_atomic_counter_dec(void *counter);
int zmq_atomic_counter_value(void *counter);
void zmq_atomic_counter_destroy(void **counter);

void *zmq_stopwatch_start(void);
unsigned long zmq_stopwatch_intermediate(void *watch);
unsigned long zmq_stopwatch_stop(void *watch);
void zmq_sleep(int seconds);
void *zmq_threadstart(void (*function)(void *), void *argument);
void zmq_threadclose(void *thread);

#endif
