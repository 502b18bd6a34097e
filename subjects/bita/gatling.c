// SPDX-License-Identifier: MIT
// The beginning and the end of a load test, after Gatling, which stresses web servers, and four
// bugs of it that Bita found: its issues 1018, 1019, 1116 and 1214. Each test that is not called
// fixed has one of them.
//
// A runner initializes a terminator, then a writer, which registers with the terminator; then it
// starts the users. Each user is a chain of actors that hand a session on: a start, requests, an
// end. Each of them sends the writer a record. When a user has come to its end the terminator is
// told; after the last one it has the writer flush its log, and releases the runner. The writer has
// itself called by the scheduler to show how it is doing.
//
// All need no more than `--delivery fifo`, as different actors send what comes in the wrong order:
//
// 1018: the end of a user sends the writer its record and tells the terminator at once. The flush
//       may come to the writer before that record or one of a request, which find the log closed.
// 1116: a first repair of it. The end of a user waits until the writer has written its record. That
//       of a request, sent earlier by another actor, may still come after the flush.
// 1019: the writer takes itself for registered as soon as it has asked. All users may have come to
//       their end before the terminator hears of it: it flushes nobody, and is then asked by a
//       writer although all is over.
// 1214: the writer asks to be called before it is registered. The call may come before the
//       registration is confirmed, to a writer that has nothing to show yet.
//
// In the fixed twin the last record of a user says how many there are, the writer confirms when it
// has all of them, and only then the end of the user tells the terminator. (In Gatling it is now
// the writer that tells the terminator, which hides 1019.) The writer goes on when its registration
// is confirmed. All of this holds under `--delivery any` too.
//
// bug:     --test issue_1018 : unhandled
// cause:   flush from terminator reached writer before record from user_end
// or:      flush from terminator reached writer before record from request
// bug:     --test issue_1019 : unhandled
// cause:   end_user from user_end reached terminator before register_writer from writer
// bug:     --test issue_1116 : unhandled
// cause:   flush from terminator reached writer before record from request
// bug:     --test issue_1214 : unhandled
// cause:   display from scheduler reached writer before registered from terminator
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST_USERS = 12 };

enum issue { NO_ISSUE, ISSUE_1018, ISSUE_1019, ISSUE_1116, ISSUE_1214 };

RH_SIGNAL(start);
RH_MESSAGE(initialize, { int users; });
RH_SIGNAL(initialized);
RH_SIGNAL(open_log);
RH_SIGNAL(log_is_open);
RH_SIGNAL(register_writer);
RH_SIGNAL(registered);
RH_SIGNAL(call_me);
RH_SIGNAL(display);
RH_SIGNAL(session);
RH_MESSAGE(record, {
    int user;
    int total; // how many records the user has, if this is its last one, else 0
});
RH_SIGNAL(written);
RH_SIGNAL(end_user);
RH_SIGNAL(flush);
RH_SIGNAL(flushed);
RH_SIGNAL(finished);

// Set by the test's body, and only read afterwards.
static struct {
    enum issue issue;
    int users;
    rh_actor *runner;
    rh_actor *terminator;
    rh_actor *writer;
    rh_actor *scheduler;
    rh_actor *first_of_user[MOST_USERS];
} load_test;

struct runner {
    bool released;
};

static void runner_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct runner *runner = state;
    (void)self;

    if (rh_as(message, start)) {
        rh_send(load_test.terminator, initialize, {.users = load_test.users});
    } else if (rh_as(message, initialized)) {
        rh_send(load_test.writer, open_log);
    } else if (rh_as(message, log_is_open)) {
        for (int i = 0; i < load_test.users; i++)
            rh_send(load_test.first_of_user[i], session);
    } else if (rh_as(message, finished)) {
        runner->released = true;
    }
}

struct terminator {
    int users;
    rh_actor *writer; // NULL until it has registered
};

static void ended_terminator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_unhandled(message);
}

static void end_load_test(void)
{
    rh_send(load_test.runner, finished);
    rh_become(ended_terminator_behaviour);
}

static void running_terminator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct terminator *terminator = state;
    (void)self;

    if (rh_as(message, register_writer)) {
        terminator->writer = rh_sender(message);
        rh_send(terminator->writer, registered);
    } else if (rh_as(message, end_user)) {
        if (--terminator->users > 0)
            return;
        if (terminator->writer)
            rh_send(terminator->writer, flush);
        else
            end_load_test();
    } else if (rh_as(message, flushed)) {
        end_load_test();
    }
}

static void terminator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct terminator *terminator = state;
    const struct initialize *initialize = rh_as(message, initialize);
    (void)self;

    if (!initialize)
        return;
    terminator->users = initialize->users;
    rh_become(running_terminator_behaviour);
    rh_send(load_test.runner, initialized);
}

struct user_log {
    int records;
    int total;     // 0 until the last record has come
    rh_actor *end; // who sent it
};

struct writer {
    struct user_log log[MOST_USERS];
    int shown; // records at the time of the display
    bool flushed;
};

static void closed_writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, display))
        return;
    rh_unhandled(message);
}

static void write_record(struct writer *writer, const struct record *record, rh_actor *sender)
{
    struct user_log *log = &writer->log[record->user];

    log->records++;
    if (record->total) {
        log->total = record->total;
        log->end = sender;
    }
    if (load_test.issue == ISSUE_1116) {
        if (record->total)
            rh_send(log->end, written);
    } else if (load_test.issue != ISSUE_1018 && log->records == log->total) {
        rh_send(log->end, written);
    }
}

static int count_records(const struct writer *writer)
{
    int count = 0;

    for (int i = 0; i < load_test.users; i++)
        count += writer->log[i].records;
    return count;
}

static void open_writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct writer *writer = state;
    const struct record *record;
    (void)self;

    if ((record = rh_as(message, record))) {
        write_record(writer, record, rh_sender(message));
    } else if (rh_as(message, display)) {
        writer->shown = count_records(writer);
    } else if (rh_as(message, flush)) {
        writer->flushed = true;
        rh_become(closed_writer_behaviour);
        rh_send(load_test.terminator, flushed);
    } else if (rh_as(message, registered)) {
        return; // to the writer of 1019, which did not wait for it
    }
}

// The scheduler of the actor system, of which somebody may ask to be called.
static void scheduler_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, call_me))
        rh_reply(message, display);
}

static void be_open(void)
{
    rh_become(open_writer_behaviour);
    if (load_test.issue != ISSUE_1214)
        rh_send(load_test.scheduler, call_me);
    rh_send(load_test.runner, log_is_open);
}

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, open_log)) {
        rh_send(load_test.terminator, register_writer);
        if (load_test.issue == ISSUE_1214)
            rh_send(load_test.scheduler, call_me);
        if (load_test.issue == ISSUE_1019)
            be_open();
    } else if (rh_as(message, registered)) {
        be_open();
    }
}

struct action {
    int user;
    rh_actor *next;
};

static void pass_session(const struct action *action)
{
    rh_send(load_test.writer, record, {.user = action->user});
    rh_send(action->next, session);
}

static void user_start_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    if (rh_as(message, session))
        pass_session(state);
}

static void request_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    if (rh_as(message, session))
        pass_session(state);
}

struct user_end {
    int user;
    int records;
};

static void user_end_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct user_end *end = state;
    (void)self;

    if (rh_as(message, session)) {
        rh_send(load_test.writer, record, {.user = end->user, .total = end->records});
        if (load_test.issue == ISSUE_1018)
            rh_send(load_test.terminator, end_user);
    } else if (rh_as(message, written)) {
        rh_send(load_test.terminator, end_user);
    }
}

struct watched {
    rh_actor *runner;
    rh_actor *writer;
    int records;
};

static void log_is_complete(const void *context)
{
    const struct watched *watched = context;
    const struct runner *runner = rh_view_state(watched->runner);
    const struct writer *writer = rh_view_state(watched->writer);

    rh_check(runner->released);
    rh_check(writer->flushed);
    rh_check(count_records(writer) == watched->records);
}

// The first actor of a user's chain.
static rh_actor *new_user(int user, int requests)
{
    rh_actor *next =
        rh_spawn(user_end_behaviour, struct user_end, {.user = user, .records = requests + 2});

    for (int i = 0; i < requests; i++)
        next = rh_spawn(request_behaviour, struct action, {.user = user, .next = next});
    return rh_spawn(user_start_behaviour, struct action, {.user = user, .next = next});
}

static void run_load_test(enum issue issue, int users, int requests)
{
    load_test.issue = issue;
    load_test.users = users;
    load_test.runner = rh_spawn(runner_behaviour, struct runner, {.released = false});
    load_test.terminator = rh_spawn(terminator_behaviour, struct terminator, {.users = 0});
    load_test.writer = rh_spawn(writer_behaviour, struct writer, {.flushed = false});
    load_test.scheduler = rh_spawn(scheduler_behaviour);
    for (int i = 0; i < users; i++)
        load_test.first_of_user[i] = new_user(i, requests);
    rh_finally(log_is_complete, struct watched,
               {.runner = load_test.runner,
                .writer = load_test.writer,
                .records = users * (requests + 2)});
    rh_send(load_test.runner, start);
}

static void run_small(enum issue issue)
{
    run_load_test(issue, 1, 1);
}

static void run_full(enum issue issue)
{
    run_load_test(issue, MOST_USERS, 5);
}

RH_TEST(issue_1018)
{
    run_small(ISSUE_1018);
}

RH_TEST(issue_1019)
{
    run_small(ISSUE_1019);
}

RH_TEST(issue_1116)
{
    run_small(ISSUE_1116);
}

RH_TEST(issue_1214)
{
    run_small(ISSUE_1214);
}

RH_TEST(fixed)
{
    run_small(NO_ISSUE);
}

RH_TEST(issue_1018_full)
{
    run_full(ISSUE_1018);
}

RH_TEST(issue_1019_full)
{
    run_full(ISSUE_1019);
}

RH_TEST(issue_1116_full)
{
    run_full(ISSUE_1116);
}

RH_TEST(issue_1214_full)
{
    run_full(ISSUE_1214);
}

RH_TEST(fixed_full)
{
    run_full(NO_ISSUE);
}
