// SPDX-License-Identifier: MIT
// Clone: a server has a counter and publishes each change of it. A client asks for a snapshot, and follows the changes
// from there on.
//
// It subscribes when it has the snapshot. A change that comes to the server in between is neither in the snapshot nor
// published to the client, whose counter is wrong from then on.
// Fixed: the client subscribes first, and leaves out changes that the snapshot has already.
#include <czmq.h>

enum { SESSION_MS = 10 };

// Publishes a change, or the end.
static void publish(zsock_t *changes, zsock_t *source, int *count)
{
    char *change = zstr_recv(source);
    *count += streq(change, "add");
    zsock_send(changes, "si", change, *count);
    zstr_free(&change);
}

static void run_server(zsock_t *pipe, void *arguments)
{
    zsock_t *changes = zsock_new_pub("@inproc://changes");
    zsock_t *snapshots = zsock_new_rep("@inproc://snapshots");
    zsock_t *source = zsock_new_pull("@inproc://source");
    zpoller_t *poller = zpoller_new(snapshots, source, pipe, NULL);
    int count = 0;
    (void)arguments;
    zsock_signal(pipe, 0);
    for (void *from; (from = zpoller_wait(poller, -1)) != pipe;) {
        if (from == source) {
            publish(changes, source, &count);
            continue;
        }
        char *request = zstr_recv(snapshots);
        zsock_send(snapshots, "i", count);
        zstr_free(&request);
    }
    zpoller_destroy(&poller);
    zsock_destroy(&source);
    zsock_destroy(&snapshots);
    zsock_destroy(&changes);
}

static int take_snapshot(void)
{
    int count;
    zsock_t *snapshots = zsock_new_req(">inproc://snapshots");
    zstr_send(snapshots, "snapshot");
    zsock_recv(snapshots, "i", &count);
    zsock_destroy(&snapshots);
    return count;
}

// The counter at the end of the changes, from what it was in the snapshot.
static int follow(zsock_t *changes, int count)
{
    for (bool goes_on = true; goes_on;) {
        char *change;
        int number;
        zsock_recv(changes, "si", &change, &number);
        goes_on = strneq(change, "end");
#ifdef FIXED
        count += goes_on && number > count;
#else
        count += goes_on;
#endif
        zstr_free(&change);
    }
    return count;
}

static void run_client(zsock_t *pipe, void *arguments)
{
    (void)arguments;
    zsock_signal(pipe, 0);
#ifdef FIXED
    zsock_t *changes = zsock_new_sub(">inproc://changes", "");
    int count = take_snapshot();
#else
    int count = take_snapshot();
    zsock_t *changes = zsock_new_sub(">inproc://changes", "");
#endif
    zsock_signal(pipe, 0);
    zsock_send(pipe, "i", follow(changes, count));
    zsock_destroy(&changes);
}

int main(void)
{
    int count;
    zactor_t *server = zactor_new(run_server, NULL);
    zsock_t *source = zsock_new_push(">inproc://source");
    zstr_send(source, "add");
    zactor_t *client = zactor_new(run_client, NULL);
    zsock_wait(client);
    zclock_sleep(SESSION_MS);
    zstr_send(source, "end");
    zsock_recv(client, "i", &count);
    zsock_destroy(&source);
    zactor_destroy(&client);
    zactor_destroy(&server);
    return count == 1 ? 0 : 1;
}
