// SPDX-License-Identifier: MIT
// A send from a callback that SQLite calls, deep inside the library: the sender is the actor whose
// handler is running.
//
// go, then three rows to one listener in fifo order; another go from another sender to a second
// reader of the same listener. Two chains go - row - row - row: C(8,4) = 70 executions; the nodes
// with the root are C(10,5) - 1, so 250 deliveries.
//
// rehearse: --libs -lsqlite3
#include <sqlite3.h>
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_MESSAGE(row, { int number; });

static int row_found(void *context, int count, char **values, char **names)
{
    rh_actor *listener = context;
    (void)names;

    rh_check(count == 1);
    rh_send(listener, row, {.number = atoi(values[0])});
    return 0;
}

static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *listener = *(rh_actor **)state;
    sqlite3 *connection = NULL;
    (void)self;

    if (rh_as(message, go)) {
        rh_check(sqlite3_open(":memory:", &connection) == SQLITE_OK);
        rh_check(sqlite3_exec(connection, "values (1), (2), (3)", row_found, listener, NULL) ==
                 SQLITE_OK);
        rh_check(sqlite3_close(connection) == SQLITE_OK);
    }
}

struct listener {
    rh_actor *first; // whose row came first
    int next[2];     // number of the next row of either reader
};

static void listener_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct listener *listener = state;
    const struct row *row = rh_as(message, row);
    (void)self;

    if (row) {
        if (!listener->first)
            listener->first = rh_sender(message);
        int *next = &listener->next[rh_sender(message) == listener->first];
        rh_check(row->number == ++*next);
    }
}

RH_TEST(sqlite_callback)
{
    rh_actor *listener = rh_spawn(listener_behaviour, struct listener, {.first = NULL});

    rh_send(rh_spawn(reader_behaviour, rh_actor *, {listener}), go);
    rh_send(rh_spawn(reader_behaviour, rh_actor *, {listener}), go);
}
