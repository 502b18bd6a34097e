// SPDX-License-Identifier: MIT
// Binary star: a primary and a backup server tell each other that they are there. One becomes active and serves the
// clients, the other is passive.
//
// What they tell each other comes by tcp, and takes its time. A server that is asked by a client before it has heard of
// its peer believes that it is alone, and becomes active. If that happens to the backup there are two of them: the split
// brain that the pattern is to prevent.
// Fixed: the backup never becomes active because of a client alone; it turns clients away until it has heard the primary.
#include <czmq.h>

struct server {
    const char *inbox, *peer;
    bool is_backup;
};

// Whether the server is active after what has come, from its peer or from a client.
static bool decide(const struct server *server, bool knows_peer, bool is_active, const char *from)
{
    if (streq(from, "peer"))
        return is_active || !server->is_backup;
#ifdef FIXED
    if (server->is_backup)
        return is_active;
#endif
    return is_active || !knows_peer;
}

// Greets its peer when it is told to, handles the peer's greeting and one client, and tells whether it is active.
static void run_server(zsock_t *pipe, void *arguments)
{
    const struct server *server = arguments;
    zsock_t *inbox = zsock_new_pull(server->inbox);
    bool is_active = false, knows_peer = false;
    zsock_signal(pipe, 0);
    zsock_wait(pipe);
    zsock_t *peer = zsock_new_push(server->peer);
    zsock_set_linger(peer, -1);
    zstr_send(peer, "peer");
    zsock_signal(pipe, 0);
    for (int i = 0; i < 2; i++) {
        char *from = zstr_recv(inbox);
        is_active = decide(server, knows_peer, is_active, from);
        knows_peer |= streq(from, "peer");
        zstr_free(&from);
    }
    zsock_send(pipe, "i", is_active);
    zsock_destroy(&peer);
    zsock_destroy(&inbox);
}

static void start(zactor_t *server)
{
    zsock_signal(server, 0);
    zsock_wait(server);
}

static void ask(const char *endpoint)
{
    zsock_t *socket = zsock_new_push(endpoint);
    zstr_send(socket, "client");
    zsock_destroy(&socket);
}

static int is_active(zactor_t *server)
{
    int answer;
    zsock_recv(server, "i", &answer);
    return answer;
}

int main(void)
{
    struct server of_primary = {"@inproc://primary,@tcp://127.0.0.1:5601", ">tcp://127.0.0.1:5602",
                                false};
    struct server of_backup = {"@inproc://backup,@tcp://127.0.0.1:5602", ">tcp://127.0.0.1:5601",
                               true};
    zactor_t *primary = zactor_new(run_server, &of_primary);
    zactor_t *backup = zactor_new(run_server, &of_backup);
    start(primary);
    start(backup);
    ask(">inproc://primary");
    ask(">inproc://backup");
    int count = is_active(primary) + is_active(backup);
    zactor_destroy(&backup);
    zactor_destroy(&primary);
    return count == 1 ? 0 : 1;
}
