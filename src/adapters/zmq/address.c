// SPDX-License-Identifier: MIT
// Addresses as programs write them: which of them there are, and the names by which sockets that
// belong together find each other.
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <ifaddrs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "adapters/zmq/endpoint.h"
#include "adapters/zmq/outside.h"
#include "adapters/zmq/real.h"

enum { FIRST_PORT = 49152 };

static struct {
    unsigned next_port, next_path;
} own;

static bool fail(int error)
{
    errno = error;
    return false;
}

// A tcp address.
struct place {
    char host[RH_ZMQ_ENDPOINT_MOST];
    bool is_any;             // `*`
    bool is_number;          // whether `host` is an address, and not a name
    struct in6_addr address; // an IPv4 address is the last four bytes
    bool is_ipv6;
};

static void set_ipv4(struct place *place, struct in_addr address)
{
    place->address = (struct in6_addr){0};
    memcpy(place->address.s6_addr + 12, &address, sizeof address);
    place->is_number = true;
}

// Brackets are around IPv6 addresses, and need not be.
static void read_host(const char *text, size_t length, struct place *place)
{
    struct in_addr ipv4;
    bool has_brackets = length > 1 && text[0] == '[' && text[length - 1] == ']';
    *place = (struct place){.is_any = length == 1 && *text == '*'};
    snprintf(place->host, sizeof place->host, "%.*s", (int)length - 2 * has_brackets,
             text + has_brackets);
    if (inet_aton(place->host, &ipv4))
        set_ipv4(place, ipv4);
    else
        place->is_number = place->is_ipv6 = inet_pton(AF_INET6, place->host, &place->address) == 1;
}

static bool has_address(const struct place *place, const struct sockaddr *address)
{
    const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)(const void *)address;
    const struct sockaddr_in6 *ipv6 = (const struct sockaddr_in6 *)(const void *)address;
    if (!address || address->sa_family != (place->is_ipv6 ? AF_INET6 : AF_INET))
        return false;
    return place->is_ipv6
               ? memcmp(&ipv6->sin6_addr, &place->address, sizeof place->address) == 0
               : memcmp(&ipv4->sin_addr, place->address.s6_addr + 12, sizeof ipv4->sin_addr) == 0;
}

// Looks through the machine's interfaces: whether one has the address; or, for a name, whether one
// has that name, which becomes its IPv4 address.
static bool find_interface(struct place *place)
{
    struct ifaddrs *list = NULL;
    bool is_found = false;
    if (getifaddrs(&list) != 0)
        return false;
    for (const struct ifaddrs *at = list; at && !is_found; at = at->ifa_next) {
        bool is_named = !place->is_number && at->ifa_addr && at->ifa_addr->sa_family == AF_INET &&
                        strcmp(at->ifa_name, place->host) == 0;
        is_found = is_named || (place->is_number && has_address(place, at->ifa_addr));
        if (is_named)
            set_ipv4(place, ((const struct sockaddr_in *)(const void *)at->ifa_addr)->sin_addr);
    }
    freeifaddrs(list);
    return is_found;
}

// All of 127.0.0.0/8 is this machine, and so is 0.0.0.0.
static bool is_here(struct place *place)
{
    static const struct in6_addr none;
    bool is_none = memcmp(&place->address, &none, sizeof none) == 0;
    bool is_loop = !place->is_ipv6 && place->address.s6_addr[12] == 127;
    return place->is_any || (place->is_number && (is_none || is_loop)) || find_interface(place);
}

static void show_host(const struct place *place, char *shown, size_t size)
{
    char text[INET6_ADDRSTRLEN];
    if (place->is_any)
        snprintf(shown, size, "0.0.0.0");
    else if (place->is_number && place->is_ipv6)
        snprintf(shown, size, "[%s]", inet_ntop(AF_INET6, &place->address, text, sizeof text));
    else
        snprintf(shown, size, "%s",
                 inet_ntop(AF_INET, place->address.s6_addr + 12, text, sizeof text));
}

// Only an address of this machine, or an interface of it, can be bound. As in ZeroMQ, names of
// machines can't, nor IPv6 addresses unless ZMQ_IPV6 says so.
static bool bind_tcp(const struct rh_zmq_socket *socket, const char *host, const char *colon,
                     char *name, char *shown)
{
    struct place place;
    char text[RH_ZMQ_ENDPOINT_MOST / 2];
    bool is_any_port = strcmp(colon + 1, "*") == 0 || strcmp(colon + 1, "0") == 0;
    unsigned port = is_any_port ? FIRST_PORT + own.next_port : (uint16_t)atoi(colon + 1);
    if (port == 0)
        return fail(EINVAL);
    read_host(host, (size_t)(colon - host), &place);
    if (place.is_ipv6 && !socket->options[RH_ZMQ_OPTION_IPV6])
        return fail(ENODEV);
    if (!is_here(&place))
        return fail(place.is_number ? EADDRNOTAVAIL : ENODEV);
    own.next_port += is_any_port;
    show_host(&place, text, sizeof text);
    snprintf(name, RH_ZMQ_ENDPOINT_MOST, "tcp://*:%u", port);
    snprintf(shown, RH_ZMQ_ENDPOINT_MOST, "tcp://%s:%u", text, port);
    return true;
}

// As ZeroMQ does, which looks no further before it connects.
static bool is_connectable(const char *address)
{
    const char *colon = strrchr(address, ':');
    size_t length = isalnum((unsigned char)*address) || *address == '[' || *address == ':';
    while (length > 0 && address[length] &&
           (isalnum((unsigned char)address[length]) || strchr(".-:%;[]_*", address[length])))
        length++;
    return length == strlen(address) && colon && isdigit((unsigned char)colon[1]);
}

// Whether the name stands for this machine.
static bool is_own_name(const char *host)
{
    char here[256] = "";
    return strcmp(host, "localhost") == 0 ||
           (gethostname(here, sizeof here - 1) == 0 && strcmp(host, here) == 0);
}

// Only the port tells addresses of this machine apart. At another one, or a port that is none,
// nobody is ever bound.
static bool connect_tcp(const char *address, const char *host, const char *colon, char *name,
                        char *shown)
{
    struct place place;
    unsigned long port = strtoul(colon + 1, NULL, 10);
    if (!is_connectable(address))
        return fail(EINVAL);
    read_host(host, (size_t)(colon - host), &place);
    bool is_reached =
        port > 0 && port <= UINT16_MAX && (is_own_name(place.host) || is_here(&place));
    if (strcmp(place.host, "localhost") == 0)
        snprintf(shown, RH_ZMQ_ENDPOINT_MOST, "tcp://127.0.0.1:%lu", port);
    else
        snprintf(shown, RH_ZMQ_ENDPOINT_MOST, "tcp://%s", host);
    if (is_reached)
        snprintf(name, RH_ZMQ_ENDPOINT_MOST, "tcp://*:%lu", port);
    else
        snprintf(name, RH_ZMQ_ENDPOINT_MOST, "tcp://%s", host);
    return true;
}

// In front of the address to connect to there may be one to connect from.
static const char *skip_source(const char *address)
{
    const char *end = strchr(address, ';');
    return end ? end + 1 : address;
}

static bool make_tcp_name(const struct rh_zmq_socket *socket, const char *address, bool binds,
                          char *name, char *shown)
{
    const char *host = skip_source(address), *colon = strrchr(host, ':');
    if (!colon)
        return fail(EINVAL);
    return binds ? bind_tcp(socket, host, colon, name, shown)
                 : connect_tcp(address, host, colon, name, shown);
}

// A path is bound in a directory that is there.
static bool make_ipc_name(const char *path, bool binds, char *name)
{
    char directory[RH_ZMQ_ENDPOINT_MOST];
    const struct sockaddr_un *longest = NULL;
    if (strlen(path) >= sizeof longest->sun_path)
        return fail(ENAMETOOLONG);
    if (binds && strcmp(path, "*") == 0) {
        snprintf(name, RH_ZMQ_ENDPOINT_MOST, "ipc:///tmp/tmp%06u/socket", ++own.next_path);
        return true;
    }
    const char *end = strrchr(path, '/');
    snprintf(directory, sizeof directory, "%.*s", end ? (int)(end - path) + 1 : 1,
             end ? path : ".");
    if (binds && *path != '@' &&
        RH_ZMQ_REAL(access)(rh__zmq_outside_use(directory, false), W_OK | X_OK) != 0)
        return false;
    snprintf(name, RH_ZMQ_ENDPOINT_MOST, "ipc://%s", path);
    return true;
}

// Transports that ZeroMQ has, and this version does not.
static void refuse_others(const struct rh_zmq_socket *socket, const char *address, bool binds)
{
    static const char *const others[] = {"pgm", "epgm", "norm", "tipc", "vmci", "udp", "ws", "wss"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t length = strlen(others[i]);
        if (strncmp(address, others[i], length) == 0 && strncmp(address + length, "://", 3) == 0)
            rh__zmq_give_up("%s: the transport %s is not supported, on a %s socket: %.200s",
                            binds ? "zmq_bind" : "zmq_connect", others[i],
                            rh__zmq_type_name(socket->type), address);
    }
}

bool rh__zmq_address_name(const struct rh_zmq_socket *socket, const char *address, bool binds,
                          char *name, char *shown)
{
    const char *rest = strstr(address, "://");
    if (strlen(address) >= RH_ZMQ_ENDPOINT_MOST - 32 || !rest || !rest[3])
        return fail(EINVAL);
    refuse_others(socket, address, binds);
    if (strncmp(address, "tcp://", 6) == 0)
        return make_tcp_name(socket, address + 6, binds, name, shown);
    if (strncmp(address, "inproc://", 9) == 0)
        snprintf(name, RH_ZMQ_ENDPOINT_MOST, "%s", address);
    else if (strncmp(address, "ipc://", 6) != 0)
        return fail(EPROTONOSUPPORT);
    else if (!make_ipc_name(address + 6, binds, name))
        return false;
    snprintf(shown, RH_ZMQ_ENDPOINT_MOST, "%s", name);
    return true;
}

void rh__zmq_address_resolve(const char *address, char *shown)
{
    struct place place;
    char text[RH_ZMQ_ENDPOINT_MOST / 2];
    bool is_tcp = strncmp(address, "tcp://", 6) == 0;
    const char *host = is_tcp ? skip_source(address + 6) : "", *colon = strrchr(host, ':');
    snprintf(shown, RH_ZMQ_ENDPOINT_MOST, "%s", address);
    if (!colon)
        return;
    read_host(host, (size_t)(colon - host), &place);
    if (!place.is_number)
        return;
    show_host(&place, text, sizeof text);
    snprintf(shown, RH_ZMQ_ENDPOINT_MOST, "tcp://%s:%u", text, (unsigned)(uint16_t)atoi(colon + 1));
}
