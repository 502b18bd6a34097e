// SPDX-License-Identifier: MIT
// Random topologies of sockets in one thread, and random calls on them; prints what each call gives. The same seeds give
// the same lines on ZeroMQ and in its place. ZeroMQ looks only now and then whether peers have connected or read
// something; asking all sockets for their events before each call makes it look, and with a third argument only the socket
// of the call.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

enum { SOCKETS_MOST = 6, ENDPOINTS = 2, STEPS = 40, IDS_MOST = 64 };

static const int pairs[][2] = {
    {ZMQ_PUSH, ZMQ_PULL},     {ZMQ_PULL, ZMQ_PUSH},  {ZMQ_DEALER, ZMQ_ROUTER},
    {ZMQ_ROUTER, ZMQ_DEALER}, {ZMQ_REP, ZMQ_REQ},    {ZMQ_ROUTER, ZMQ_REQ},
    {ZMQ_PUB, ZMQ_SUB},       {ZMQ_SUB, ZMQ_PUB},    {ZMQ_PAIR, ZMQ_PAIR},
    {ZMQ_DEALER, ZMQ_DEALER}, {ZMQ_REP, ZMQ_DEALER}, {ZMQ_XPUB, ZMQ_SUB},
};

static unsigned long long state;
static int is_alone; // only the socket of each call is asked
static void *context;
static void *sockets[SOCKETS_MOST];
static int types[SOCKETS_MOST];
static int
    has_envelopes; // peers are REQ or REP sockets: messages for them begin with an empty frame
static int count;
static char ids[IDS_MOST][16];
static size_t id_sizes[IDS_MOST];
static int id_count;

static unsigned below(unsigned most)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % most;
}

static void ask(int i)
{
    int events;
    size_t size = sizeof events;
    if (sockets[i])
        zmq_getsockopt(sockets[i], ZMQ_EVENTS, &events, &size);
}

static void settle(int acting)
{
    if (is_alone) {
        ask(acting);
        return;
    }
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < count; i++)
            ask(i);
}

// Names that a ROUTER gives its peers are shown by their number.
static int number_of(const char *id, size_t size)
{
    for (int i = 0; i < id_count; i++)
        if (id_sizes[i] == size && !memcmp(ids[i], id, size))
            return i;
    if (id_count == IDS_MOST || size > sizeof ids[0])
        return -1;
    memcpy(ids[id_count], id, size);
    id_sizes[id_count] = size;
    return id_count++;
}

static const char *error_name(void)
{
    return errno == EAGAIN         ? "EAGAIN"
           : errno == EFSM         ? "EFSM"
           : errno == ENOTSUP      ? "ENOTSUP"
           : errno == EHOSTUNREACH ? "EHOSTUNREACH"
           : errno == EADDRINUSE   ? "EADDRINUSE"
                                   : zmq_strerror(errno);
}

static void receive(int i)
{
    int more = 1;
    printf("  %d receives", i);
    for (int part = 0; more; part++) {
        char text[64];
        int size = zmq_recv(sockets[i], text, sizeof text, ZMQ_DONTWAIT);
        if (size < 0) {
            printf(" %s", error_name());
            break;
        }
        if (part == 0 && types[i] == ZMQ_ROUTER)
            printf(" id%d", number_of(text, (size_t)size));
        else if (size > 0 && (unsigned char)text[0] < 2)
            printf(" %d%.*s", text[0], size - 1, text + 1);
        else
            printf(" '%.*s'", size, text);
        size_t length = sizeof more;
        zmq_getsockopt(sockets[i], ZMQ_RCVMORE, &more, &length);
    }
    printf("\n");
}

static int send_part(int i, const void *bytes, size_t size, int flags)
{
    int result = zmq_send(sockets[i], bytes, size, flags | ZMQ_DONTWAIT);
    if (result < 0)
        printf(" %s", error_name());
    return result;
}

static void transmit(int i, int step)
{
    unsigned parts = 1 + below(3), id = below(id_count > 0 ? (unsigned)id_count : 1);
    printf("  %d sends", i);
    if (types[i] == ZMQ_ROUTER && id_count > 0)
        if (send_part(i, ids[id], id_sizes[id], ZMQ_SNDMORE) < 0)
            parts = 0;
    int is_raw = types[i] == ZMQ_ROUTER || types[i] == ZMQ_DEALER;
    if (is_raw && has_envelopes && parts > 0 && send_part(i, "", 0, ZMQ_SNDMORE) < 0)
        parts = 0;
    for (unsigned part = 0; part < parts; part++) {
        char text[16];
        int size = snprintf(text, sizeof text, "%c%d.%u", 'a' + below(3), step, part);
        if (below(8) == 0)
            size = 0;
        if (send_part(i, text, (size_t)size, part + 1 < parts ? ZMQ_SNDMORE : 0) < 0)
            break;
        printf(" '%.*s'", size, text);
    }
    printf("\n");
}

static void change_topic(int i)
{
    char topic[2] = {(char)('a' + below(3)), '\0'};
    size_t size = below(3) > 0;
    int option = below(4) > 0 ? ZMQ_SUBSCRIBE : ZMQ_UNSUBSCRIBE;
    printf("  %d %s '%.*s'\n", i, option == ZMQ_SUBSCRIBE ? "wants" : "leaves", (int)size, topic);
    zmq_setsockopt(sockets[i], option, topic, size);
}

static void attach(int i, int binds, unsigned endpoint, unsigned seed)
{
    char name[32];
    snprintf(name, sizeof name, "inproc://%u-%u", seed, endpoint);
    int result = binds ? zmq_bind(sockets[i], name) : zmq_connect(sockets[i], name);
    printf("  %d %s %u%s%s\n", i, binds ? "binds" : "connects", endpoint, result ? " " : "",
           result ? error_name() : "");
}

// ZeroMQ gives closed sockets back some time later.
static void *make_socket(int type)
{
    void *socket;
    while (!(socket = zmq_socket(context, type)) && errno == EMFILE)
        usleep(1000);
    return socket;
}

static void open_sockets(unsigned seed)
{
    const int *pair = pairs[below(sizeof pairs / sizeof pairs[0])];
    int binders = pair[0] == ZMQ_PAIR ? 1 : 1 + (int)below(ENDPOINTS);
    int connectors = pair[0] == ZMQ_PAIR ? 1 : 1 + (int)below(3);
    int limit = 1 + (int)below(4);
    has_envelopes = pair[0] == ZMQ_REP || pair[1] == ZMQ_REQ;
    count = binders + connectors;
    printf("seed %u: %d x %d, %d x %d, limit %d\n", seed, binders, pair[0], connectors, pair[1],
           limit);
    for (int i = 0; i < count; i++) {
        types[i] = pair[i >= binders];
        sockets[i] = make_socket(types[i]);
        zmq_setsockopt(sockets[i], ZMQ_SNDHWM, &limit, sizeof limit);
        zmq_setsockopt(sockets[i], ZMQ_RCVHWM, &limit, sizeof limit);
    }
    int is_early = below(4) == 0; // connects before binds
    for (int k = 0; k < count; k++) {
        int i = is_early ? count - 1 - k : k;
        attach(i, i < binders, i < binders ? (unsigned)i : below((unsigned)binders), seed);
    }
}

static void run(unsigned seed)
{
    state = seed * 2654435761ULL + 1;
    id_count = 0;
    open_sockets(seed);
    for (int step = 0; step < STEPS; step++) {
        int i = (int)below((unsigned)count);
        settle(i);
        if (types[i] == ZMQ_SUB && below(4) == 0)
            change_topic(i);
        else if (below(2) == 0)
            transmit(i, step);
        else
            receive(i);
    }
    for (int i = 0; i < count; i++) {
        zmq_close(sockets[i]);
        sockets[i] = NULL;
    }
}

int main(int argc, char **argv)
{
    unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    unsigned number = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    is_alone = argc > 3;
    context = zmq_ctx_new();
    for (unsigned i = 0; i < number; i++)
        run(first + i);
    zmq_ctx_term(context);
    return 0;
}
