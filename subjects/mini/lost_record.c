// SPDX-License-Identifier: MIT
// Flush against last record: a log is closed before its last entry has come.
//
// At its end a user sends the writer a last record and the terminator word that it has ended; the
// terminator has the writer flush. The record and the flush reach the writer by different ways, so
// under `--delivery fifo` already the flush may come first, and the record finds the log closed. In
// the fixed twin it is the writer that tells the terminator, once it has written the last record;
// that rests on `--delivery fifo` between user and writer.
//
// bug:     --test broken : unhandled
// cause:   flush from terminator reached writer before record from user
// bug:     --test broken_with_two_users : unhandled
// cause:   flush from terminator reached writer before record from user
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(session);
RH_MESSAGE(record, { bool is_last; });
RH_SIGNAL(end_user);
RH_SIGNAL(flush);

struct writer {
    rh_actor *terminator; // whom to tell of a last record, or NULL
    int records;
    bool flushed;
};

static void closed_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_unhandled(message);
}

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct writer *writer = state;
    const struct record *record;
    (void)self;

    if ((record = rh_as(message, record))) {
        writer->records++;
        if (record->is_last && writer->terminator)
            rh_send(writer->terminator, end_user);
    } else if (rh_as(message, flush)) {
        writer->flushed = true;
        rh_become(closed_behaviour);
    }
}

// Set by the test's body, and only read afterwards.
static rh_actor *log_writer;

struct terminator {
    int users;
};

static void terminator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct terminator *terminator = state;
    (void)self;

    if (rh_as(message, end_user) && --terminator->users == 0)
        rh_send(log_writer, flush);
}

struct user {
    rh_actor *terminator; // whom to tell of its end, or NULL
};

static void user_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct user *user = state;
    (void)self;

    if (!rh_as(message, session))
        return;
    rh_send(log_writer, record, {.is_last = false});
    rh_send(log_writer, record, {.is_last = true});
    if (user->terminator)
        rh_send(user->terminator, end_user);
}

struct watched {
    rh_actor *writer;
    int records;
};

static void log_is_complete(const void *context)
{
    const struct watched *watched = context;
    const struct writer *writer = rh_view_state(watched->writer);

    rh_check(writer->flushed);
    rh_check(writer->records == watched->records);
}

static void set_up(int users, bool writer_tells)
{
    rh_actor *terminator = rh_spawn(terminator_behaviour, struct terminator, {.users = users});

    log_writer =
        rh_spawn(writer_behaviour, struct writer, {.terminator = writer_tells ? terminator : NULL});
    rh_finally(log_is_complete, struct watched, {.writer = log_writer, .records = 2 * users});
    for (int i = 0; i < users; i++) {
        rh_actor *user =
            rh_spawn(user_behaviour, struct user, {.terminator = writer_tells ? NULL : terminator});
        rh_send(user, session);
    }
}

RH_TEST(broken)
{
    set_up(1, false);
}

RH_TEST(broken_with_two_users)
{
    set_up(2, false);
}

RH_TEST(fixed)
{
    set_up(1, true);
}

RH_TEST(fixed_with_two_users)
{
    set_up(2, true);
}
