// SPDX-License-Identifier: MIT
// A coordinator of workers that compute on a graph, after Signal/Collect, and three bugs. Bita
// found three in it; the first is one of them (its issue 80), the others are of the same kind:
// races at the coordinator, which decides from reports of workers when the computation has
// converged.
//
// Workers are the nodes of a grid and compute their distance from the first one. A worker that
// comes to know a shorter one signals it to its neighbours. A worker that has got no signal for
// some time reports that it is idle, and how many signals it has sent and received; when it is
// woken up it reports that as well. The coordinator sends all workers a heartbeat from time to
// time, and when all is done it tells them to finish, after which there must be no signal any more.
//
// Under `--delivery fifo`:
//
// heartbeat: the test sends the coordinator the addresses of the workers. A worker whose time is up
//            may report before they come, and the heartbeat goes to an array that is not there.
// in_flight: the coordinator stops when all have reported that they are idle, without a look at the
//            counts. A signal may be on its way.
// old_reports: it stops when besides as many signals have been received as sent. But these counts
//            are of different times: in a path of three workers, the second has reported before it
//            got a signal, and the first after it got its answer, so that one was sent and one
//            received, while the second's signal to the third is on its way.
//
// In the fixed twin the coordinator sends heartbeats only if it knows the workers, and if reports
// look good it asks all workers again how many signals they have sent. If that is what had been
// received according to the reports, none was on its way when it asked (F. Mattern, "Algorithms for
// distributed termination detection", 1987). That a worker's last report comes last rests on
// `--delivery fifo`; otherwise the coordinator may go on waiting for ever.
//
// bug:     --test heartbeat : crash
// cause:   status from worker reached coordinator before register_workers from outside
// bug:     --test in_flight : unhandled
// cause:   finish from coordinator reached worker before signal from worker
// bug:     --test old_reports : unhandled
// cause:   status from worker reached coordinator before status from worker
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST_WORKERS = 20, MOST_NEIGHBOURS = 4 };

enum { IDLE_MS = 100, UNREACHED = 1000 };

enum bug { NO_BUG, HEARTBEAT, IN_FLIGHT, OLD_REPORTS };

struct bus {
    int count;
    rh_actor *worker[MOST_WORKERS];
};

RH_MESSAGE(register_workers, { struct bus bus; });
RH_SIGNAL(start);
RH_MESSAGE(signal, { int distance; });
RH_SIGNAL(timeout);
RH_MESSAGE(status, {
    int worker;
    bool is_idle;
    int sent;
    int received;
});
RH_SIGNAL(heartbeat);
RH_SIGNAL(count_sent);
RH_MESSAGE(sent_count, { int sent; });
RH_SIGNAL(finish);

// Set by the test's body, and only read afterwards.
static struct {
    enum bug bug;
    int heartbeat_ms;
    rh_actor *coordinator;
    struct bus bus;
} graph;

struct report {
    bool is_idle;
    int sent;
    int received;
};

struct coordinator {
    struct bus *bus; // NULL until it knows the workers
    int64_t last_heartbeat;
    struct report report[MOST_WORKERS];
    int answers_missing; // of workers that were asked how many signals they have sent
    int sent;            // what they have answered so far
    int received;        // according to the reports when they were asked
    bool has_news;       // a report came since they were asked
    bool converged;
};

static bool heartbeat_is_due(const struct coordinator *coordinator)
{
    return (coordinator->bus || graph.bug == HEARTBEAT) &&
           (int64_t)rh_now() - coordinator->last_heartbeat >= graph.heartbeat_ms;
}

static void send_heartbeat(struct coordinator *coordinator)
{
    coordinator->last_heartbeat = (int64_t)rh_now();
    for (int i = 0; i < coordinator->bus->count; i++)
        rh_send(coordinator->bus->worker[i], heartbeat);
}

static void converge(struct coordinator *coordinator)
{
    coordinator->converged = true;
    for (int i = 0; i < coordinator->bus->count; i++)
        rh_send(coordinator->bus->worker[i], finish);
}

static void ask_again(struct coordinator *coordinator, int received)
{
    coordinator->answers_missing = coordinator->bus->count;
    coordinator->sent = 0;
    coordinator->received = received;
    coordinator->has_news = false;
    for (int i = 0; i < coordinator->bus->count; i++)
        rh_send(coordinator->bus->worker[i], count_sent);
}

static void look_at_reports(struct coordinator *coordinator)
{
    int sent = 0;
    int received = 0;

    if (!coordinator->bus || coordinator->answers_missing || coordinator->converged)
        return;
    for (int i = 0; i < coordinator->bus->count; i++) {
        if (!coordinator->report[i].is_idle)
            return;
        sent += coordinator->report[i].sent;
        received += coordinator->report[i].received;
    }
    if (graph.bug == IN_FLIGHT || (graph.bug == OLD_REPORTS && sent == received))
        converge(coordinator);
    else if (sent == received)
        ask_again(coordinator, received);
}

static void take_answer(struct coordinator *coordinator, int sent)
{
    coordinator->sent += sent;
    if (--coordinator->answers_missing > 0)
        return;
    if (coordinator->sent == coordinator->received)
        converge(coordinator);
    else if (coordinator->has_news)
        look_at_reports(coordinator);
}

static void take_status(struct coordinator *coordinator, const struct status *status)
{
    coordinator->report[status->worker] =
        (struct report){status->is_idle, status->sent, status->received};
    coordinator->has_news = true;
    if (heartbeat_is_due(coordinator))
        send_heartbeat(coordinator);
    look_at_reports(coordinator);
}

static void coordinator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct coordinator *coordinator = state;
    const struct register_workers *workers;
    const struct status *status;
    const struct sent_count *count;
    (void)self;

    if ((workers = rh_as(message, register_workers))) {
        coordinator->bus = malloc(sizeof *coordinator->bus);
        *coordinator->bus = workers->bus;
        look_at_reports(coordinator);
    } else if ((status = rh_as(message, status))) {
        take_status(coordinator, status);
    } else if ((count = rh_as(message, sent_count))) {
        take_answer(coordinator, count->sent);
    }
}

struct worker {
    int id;
    int neighbours;
    int neighbour[MOST_NEIGHBOURS];
    int distance;
    int sent;
    int received;
    bool waits_for_timeout;
    bool had_signal; // since it began to wait
    bool said_idle;
};

static void report(struct worker *worker, bool is_idle)
{
    worker->said_idle = is_idle;
    rh_send(graph.coordinator, status,
            {.worker = worker->id,
             .is_idle = is_idle,
             .sent = worker->sent,
             .received = worker->received});
}

static void shorten(struct worker *worker, int distance)
{
    if (distance >= worker->distance)
        return;
    worker->distance = distance;
    for (int i = 0; i < worker->neighbours; i++)
        rh_send(graph.bus.worker[worker->neighbour[i]], signal, {.distance = distance + 1});
    worker->sent += worker->neighbours;
}

static void wait_for_timeout(rh_actor *self, struct worker *worker)
{
    if (!worker->waits_for_timeout)
        rh_after(IDLE_MS, self, timeout);
    worker->waits_for_timeout = true;
}

static void take_signal(rh_actor *self, struct worker *worker, int distance)
{
    worker->received++;
    worker->had_signal = worker->waits_for_timeout;
    shorten(worker, distance);
    if (worker->said_idle)
        report(worker, false);
    wait_for_timeout(self, worker);
}

static void take_timeout(rh_actor *self, struct worker *worker)
{
    worker->waits_for_timeout = false;
    if (worker->had_signal)
        wait_for_timeout(self, worker);
    else
        report(worker, true);
    worker->had_signal = false;
}

static void finished_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, signal))
        rh_unhandled(message); // the computation is said to be over
    else
        rh_ignore(message);
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    const struct signal *signal;

    if (rh_as(message, start)) {
        if (worker->id == 0)
            shorten(worker, 0);
        wait_for_timeout(self, worker);
    } else if ((signal = rh_as(message, signal))) {
        take_signal(self, worker, signal->distance);
    } else if (rh_as(message, timeout)) {
        take_timeout(self, worker);
    } else if (rh_as(message, count_sent)) {
        rh_reply(message, sent_count, {.sent = worker->sent});
    } else if (rh_as(message, finish)) {
        rh_become(finished_worker_behaviour);
    } else {
        (void)rh_as(message, heartbeat);
    }
}

struct watched {
    struct bus bus;
    rh_actor *coordinator;
    int columns;
};

static void distances_are_right(const void *context)
{
    const struct watched *watched = context;
    const struct coordinator *coordinator = rh_view_state(watched->coordinator);

    rh_check(coordinator->converged);
    for (int i = 0; i < watched->bus.count; i++) {
        const struct worker *worker = rh_view_state(watched->bus.worker[i]);
        rh_check(worker->distance == i / watched->columns + i % watched->columns);
    }
}

static void add_neighbour(struct worker *worker, int neighbour)
{
    worker->neighbour[worker->neighbours++] = neighbour;
}

static rh_actor *new_worker(int id, int rows, int columns)
{
    struct worker worker = {.id = id, .distance = UNREACHED};
    int row = id / columns;
    int column = id % columns;

    if (row > 0)
        add_neighbour(&worker, id - columns);
    if (column > 0)
        add_neighbour(&worker, id - 1);
    if (column < columns - 1)
        add_neighbour(&worker, id + 1);
    if (row < rows - 1)
        add_neighbour(&worker, id + columns);
    return rh_spawn_sized(worker_behaviour, &worker, sizeof worker);
}

static void compute(enum bug bug, int rows, int columns, int heartbeat_ms)
{
    graph.bug = bug;
    graph.heartbeat_ms = heartbeat_ms;
    graph.coordinator = rh_spawn(coordinator_behaviour, struct coordinator, {.bus = NULL});
    for (graph.bus.count = 0; graph.bus.count < rows * columns; graph.bus.count++)
        graph.bus.worker[graph.bus.count] = new_worker(graph.bus.count, rows, columns);
    rh_finally(distances_are_right, struct watched,
               {.bus = graph.bus, .coordinator = graph.coordinator, .columns = columns});
    rh_send(graph.coordinator, register_workers, {.bus = graph.bus});
    for (int i = 0; i < graph.bus.count; i++)
        rh_send(graph.bus.worker[i], start);
}

// The first report brings about a heartbeat.
static void two_workers(enum bug bug)
{
    compute(bug, 1, 2, IDLE_MS);
}

// No heartbeats.
static void three_workers(enum bug bug)
{
    compute(bug, 1, 3, 1000 * IDLE_MS);
}

static void twenty_workers(enum bug bug)
{
    compute(bug, 4, 5, 2 * IDLE_MS);
}

RH_TEST(heartbeat)
{
    two_workers(HEARTBEAT);
}

RH_TEST(heartbeat_fixed)
{
    two_workers(NO_BUG);
}

RH_TEST(in_flight)
{
    three_workers(IN_FLIGHT);
}

RH_TEST(old_reports)
{
    three_workers(OLD_REPORTS);
}

RH_TEST(fixed)
{
    three_workers(NO_BUG);
}

RH_TEST(heartbeat_full)
{
    twenty_workers(HEARTBEAT);
}

RH_TEST(in_flight_full)
{
    twenty_workers(IN_FLIGHT);
}

RH_TEST(old_reports_full)
{
    twenty_workers(OLD_REPORTS);
}

RH_TEST(fixed_full)
{
    twenty_workers(NO_BUG);
}
