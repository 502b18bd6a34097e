// SPDX-License-Identifier: MIT
// A framework for concurrent batch processing, after concurrent-batch-framework-java, which was
// published by S. Chaloner on GitHub for Java and Akka; written anew from what is known about the
// original. It is "Batch" of the projects on which the graphs of `rehearse graph` were first
// measured.
//
// A master has a queue of work. A worker makes itself known to it when it starts; whenever there is
// work, the master says so to all workers that have none, and each of them asks for some. What came
// of it goes to who wanted the work, and the master hears that the worker is free again. From time
// to time the scheduler has the master look whether all is done; if so it tells the listener, which
// counts results, and asks the job for further work. The job looks whether there is some, and has
// the listener ask for it; then it sends the master a list of work that begins where the listener's
// count ends. Answers of the outside come as messages from an actor to itself, as the original has
// them piped from its futures. Where Akka sends in the name of another actor, a field has that
// actor's address.
//
// Under `--delivery fifo`, with the scheduler's messages, which come at any time:
//
// loaded_twice: the master finds its queue empty a second time before the first list has come, or
//               before the listener has counted the last result. The job then begins the next list
//               where the last one began, and work is done twice.
// worker_dies:  the master puts the work of a worker that has died into its mailbox as it is, not as
//               a list or a request. It does not know such a message, and the work is lost.
//
// Under `--delivery any`:
//
// requests:     a worker asks for more before the master hears that it is free, and gets nothing.
//               Nobody tells it again that there is work.
//
// In the fixed tests the job begins where its own last list ended, the master sends itself the work of
// a dead worker as a list, and gives a worker that gets free the next work without being asked.
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST_WORK = 24, MOST_WORKERS = 4, MOST_REQUESTS = 2 };

enum { FIRST_LOOK_MS = 1000, LOOK_MS = 250 };

// To the master.
RH_MESSAGE(worker_created, { rh_actor *worker; });
RH_MESSAGE(worker_requests_work, { rh_actor *worker; });
RH_MESSAGE(work_is_done, { rh_actor *worker; });
RH_MESSAGE(terminated, { rh_actor *worker; });
RH_MESSAGE(work_request, { int work; });
RH_MESSAGE(bare_work, { int work; });
RH_MESSAGE(work_list, {
    int count;
    int work[MOST_WORK];
    rh_actor *requester;
});
RH_SIGNAL(check_for_finish);

// To a worker.
RH_SIGNAL(start);
RH_SIGNAL(work_is_ready);
RH_SIGNAL(no_work_to_be_done);
RH_MESSAGE(work_to_be_done, {
    int work;
    rh_actor *requester;
});
RH_SIGNAL(work_complete);

// To the listener, or to who else requested work.
RH_MESSAGE(work_success, { int work; });
RH_MESSAGE(work_error, { int work; });
RH_SIGNAL(work_queue_empty);
RH_SIGNAL(job_finished);
RH_MESSAGE(query_job_status, {
    rh_actor *forwarded_for; // NULL: it comes from who asks
});
RH_MESSAGE(observe, { rh_actor *observer; });
RH_SIGNAL(get_received_work);

// To the job. It passes the first two on to the listener.
RH_SIGNAL(job_has_more_work);
RH_SIGNAL(no_remaining_work);
RH_MESSAGE(check_job_for_work, { int processed; });
RH_MESSAGE(load_work, { int processed; });
RH_SIGNAL(load_work_finished);

// To the test kit.
RH_MESSAGE(job_status, {
    int processed;
    int errors;
});
RH_SIGNAL(custom_message_received);
RH_MESSAGE(received_work, { int count; });

// Set by the test's body, and only read afterwards. The first three are the names under which the
// actors of the original find each other.
static struct {
    rh_actor *listener;
    rh_actor *job;
    rh_actor *master;
    int total;
    int list_size;
    bool is_fixed;
} batch;

struct work {
    int number;
    rh_actor *requester;
};

struct engagement {
    rh_actor *worker;
    bool has_work;
    struct work work;
};

struct master {
    rh_actor *listener;
    int workers;
    struct engagement engagement[MOST_WORKERS];
    int first; // of the queue
    int last;
    struct work queue[2 * MOST_WORK];
};

static struct engagement *find_engagement(struct master *master, const rh_actor *worker)
{
    for (int i = 0; i < master->workers; i++)
        if (master->engagement[i].worker == worker)
            return &master->engagement[i];
    return NULL;
}

static void notify_workers(const struct master *master)
{
    if (master->first == master->last)
        return;
    for (int i = 0; i < master->workers; i++)
        if (!master->engagement[i].has_work)
            rh_send(master->engagement[i].worker, work_is_ready);
}

static void enqueue(struct master *master, int number, rh_actor *requester)
{
    rh_check(master->last < 2 * MOST_WORK);
    master->queue[master->last++] = (struct work){number, requester};
}

static void give_work(struct master *master, struct engagement *engagement)
{
    if (master->first == master->last) {
        rh_send(engagement->worker, no_work_to_be_done);
    } else if (!engagement->has_work) {
        engagement->has_work = true;
        engagement->work = master->queue[master->first++];
        rh_send(engagement->worker, work_to_be_done,
                {.work = engagement->work.number, .requester = engagement->work.requester});
    }
}

static void bury(struct master *master, struct engagement *engagement)
{
    struct work work = engagement->work;
    bool was_working = engagement->has_work;

    *engagement = master->engagement[--master->workers];
    if (!was_working)
        return;
    if (batch.is_fixed)
        rh_send(rh_self(), work_list,
                {.count = 1, .work = {work.number}, .requester = work.requester});
    else
        rh_send(rh_self(), bare_work, {.work = work.number});
}

static bool is_idle(const struct master *master)
{
    for (int i = 0; i < master->workers; i++)
        if (master->engagement[i].has_work)
            return false;
    return master->first == master->last;
}

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;
    const struct worker_created *created;
    const struct worker_requests_work *requests;
    const struct work_is_done *done;
    const struct terminated *terminated;
    const struct work_request *request;
    const struct work_list *list;
    struct engagement *engagement;
    (void)self;

    if ((created = rh_as(message, worker_created))) {
        rh_check(master->workers < MOST_WORKERS);
        master->engagement[master->workers++] = (struct engagement){.worker = created->worker};
        notify_workers(master);
    } else if ((requests = rh_as(message, worker_requests_work))) {
        if ((engagement = find_engagement(master, requests->worker)))
            give_work(master, engagement);
    } else if ((done = rh_as(message, work_is_done))) {
        engagement = find_engagement(master, done->worker);
        rh_check(engagement);
        engagement->has_work = false;
        if (batch.is_fixed && master->first < master->last)
            give_work(master, engagement);
    } else if ((terminated = rh_as(message, terminated))) {
        if ((engagement = find_engagement(master, terminated->worker)))
            bury(master, engagement);
    } else if ((request = rh_as(message, work_request))) {
        enqueue(master, request->work, rh_sender(message));
        notify_workers(master);
    } else if ((list = rh_as(message, work_list))) {
        for (int i = 0; i < list->count; i++)
            enqueue(master, list->work[i], list->requester);
        notify_workers(master);
    } else if (rh_as(message, check_for_finish)) {
        if (is_idle(master))
            rh_send(master->listener, work_queue_empty);
    } else {
        rh_unhandled(message);
    }
}

struct worker {
    rh_actor *master;
    bool is_active;
    bool is_mortal; // dies of its first work
};

// The master watches its workers.
static void tell_death(rh_actor *self, void *state)
{
    const struct worker *worker = state;

    rh_send(worker->master, terminated, {.worker = self});
}

// Some of the work can't be done: that whose number ends in 4.
static void do_work(int work, rh_actor *requester)
{
    if (work % 10 == 4)
        rh_send(requester, work_error, {.work = work});
    else
        rh_send(requester, work_success, {.work = work});
    rh_send(rh_self(), work_complete);
}

static void handle_while_active(struct worker *worker, const rh_message *message)
{
    if (rh_as(message, work_complete)) {
        worker->is_active = false;
        rh_send(worker->master, work_is_done, {.worker = rh_self()});
        if (!batch.is_fixed)
            rh_send(worker->master, worker_requests_work, {.worker = rh_self()});
    } else {
        rh_ignore(message); // that there is work, or none
    }
}

static void handle_while_idle(struct worker *worker, const rh_message *message)
{
    const struct work_to_be_done *to_do;

    if (rh_as(message, start)) {
        rh_at_stop(tell_death);
        rh_send(worker->master, worker_created, {.worker = rh_self()});
    } else if (rh_as(message, work_is_ready)) {
        rh_send(worker->master, worker_requests_work, {.worker = rh_self()});
    } else if ((to_do = rh_as(message, work_to_be_done))) {
        if (worker->is_mortal) {
            rh_stop();
            return;
        }
        do_work(to_do->work, to_do->requester);
        worker->is_active = true;
    } else if (rh_as(message, no_work_to_be_done)) {
        return;
    }
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    (void)self;

    if (worker->is_active)
        handle_while_active(worker, message);
    else
        handle_while_idle(worker, message);
}

struct job {
    bool is_active;
    int loaded; // only what is fixed looks at it
};

static void check_for_work(int processed)
{
    if (processed < batch.total)
        rh_send(rh_self(), job_has_more_work);
    else
        rh_send(rh_self(), no_remaining_work);
}

static void send_list(struct job *job, int processed, rh_actor *requester)
{
    struct work_list list = {.requester = requester};
    int begin = batch.is_fixed ? job->loaded : processed;

    while (list.count < batch.list_size && begin + list.count < batch.total) {
        list.work[list.count] = begin + list.count;
        list.count++;
    }
    job->loaded = begin + list.count;
    rh_send_sized(batch.master, work_list, &list, sizeof list);
    rh_send(rh_self(), load_work_finished);
}

static void handle_while_loading(struct job *job, const rh_message *message)
{
    if (rh_as(message, load_work_finished)) {
        job->is_active = false;
    } else if (rh_as(message, job_has_more_work)) {
        rh_send(batch.listener, job_has_more_work);
        job->is_active = false;
    } else if (rh_as(message, no_remaining_work)) {
        rh_send(batch.listener, job_finished);
        job->is_active = false;
    } else {
        rh_ignore(message); // it is being done already
    }
}

static void handle_while_waiting(struct job *job, const rh_message *message)
{
    const struct check_job_for_work *check;
    const struct load_work *load;

    if ((check = rh_as(message, check_job_for_work))) {
        check_for_work(check->processed);
        job->is_active = true;
    } else if ((load = rh_as(message, load_work))) {
        send_list(job, load->processed, rh_sender(message));
        job->is_active = true;
    }
}

static void job_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct job *job = state;
    (void)self;

    if (job->is_active)
        handle_while_loading(job, message);
    else
        handle_while_waiting(job, message);
}

struct listener {
    int processed;
    int errors;
    bool received[MOST_WORK];
    bool has_finished;
    rh_actor *observer;
};

static void count_result(struct listener *listener, int work)
{
    listener->processed++;
    rh_check(!listener->received[work]);
    listener->received[work] = true;
}

static void answer_status(const struct listener *listener, const rh_message *message)
{
    rh_reply(message, job_status, {.processed = listener->processed, .errors = listener->errors});
    if (listener->observer)
        rh_send(listener->observer, query_job_status, {.forwarded_for = rh_sender(message)});
}

static void listener_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct listener *listener = state;
    const struct work_success *success;
    const struct work_error *error;
    const struct observe *observe;
    (void)self;

    if ((success = rh_as(message, work_success))) {
        count_result(listener, success->work);
    } else if ((error = rh_as(message, work_error))) {
        count_result(listener, error->work);
        listener->errors++;
    } else if (rh_as(message, work_queue_empty)) {
        rh_send(batch.job, check_job_for_work, {.processed = listener->processed});
    } else if (rh_as(message, job_has_more_work)) {
        rh_send(batch.job, load_work, {.processed = listener->processed});
    } else if (rh_as(message, job_finished)) {
        rh_check(listener->processed == batch.total);
        listener->has_finished = true;
    } else if (rh_as(message, query_job_status)) {
        answer_status(listener, message);
    } else if ((observe = rh_as(message, observe))) {
        listener->observer = observe->observer;
        rh_reply(message, custom_message_received);
    } else if (rh_as(message, get_received_work)) {
        rh_reply(message, received_work, {.count = listener->processed});
    }
}

// Who tests the framework: requests work of its own, looks on, or asks the listener.
struct test_kit {
    rh_actor *observer; // who is to look on
    int requests;       // how much work to request
    int request[MOST_REQUESTS];
    int results;
    int errors;
    int forwarded; // questions of another one that were passed on to this one
    int seen;      // according to the status
    bool has_ended;
};

static void begin(const struct test_kit *kit)
{
    for (int i = 0; i < kit->requests; i++)
        rh_send(batch.master, work_request, {.work = kit->request[i]});
    if (kit->observer)
        rh_send(batch.listener, observe, {.observer = kit->observer});
}

static void test_kit_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct test_kit *kit = state;
    const struct job_status *status;
    const struct received_work *received;
    const struct query_job_status *query;

    if (rh_as(message, start)) {
        begin(kit);
    } else if (rh_as(message, work_success)) {
        kit->results++;
    } else if (rh_as(message, work_error)) {
        kit->results++;
        kit->errors++;
    } else if (rh_as(message, custom_message_received)) {
        rh_send(batch.listener, query_job_status, {.forwarded_for = NULL});
    } else if ((status = rh_as(message, job_status))) {
        rh_check(status->errors <= status->processed);
        kit->seen = status->processed;
        rh_send(batch.listener, get_received_work);
    } else if ((received = rh_as(message, received_work))) {
        rh_check(received->count >= kit->seen);
        kit->has_ended = true;
    } else if ((query = rh_as(message, query_job_status))) {
        rh_check(query->forwarded_for && query->forwarded_for != self);
        kit->forwarded++;
    }
}

struct watched {
    rh_actor *kit;
    rh_actor *observer;
    int results; // of work that was requested directly
    int errors;
};

// What must come to an end has.
static void work_is_done_finally(const void *context)
{
    const struct watched *watched = context;
    const struct listener *listener = rh_view_state(batch.listener);
    const struct test_kit *kit = watched->kit ? rh_view_state(watched->kit) : NULL;
    const struct test_kit *observer = watched->observer ? rh_view_state(watched->observer) : NULL;

    rh_check(!listener->has_finished || listener->processed == batch.total);
    rh_check(!kit || kit->results == watched->results);
    rh_check(!kit || kit->errors == watched->errors);
    rh_check(!observer || (kit->has_ended && observer->forwarded == 1));
}

// As the controller sets it up. The job goes on where it has been left.
static void set_up(int processed, int total, int list_size, bool is_fixed)
{
    batch.total = total;
    batch.list_size = list_size;
    batch.is_fixed = is_fixed;
    batch.listener = rh_spawn(listener_behaviour, struct listener, {.processed = processed});
    batch.job = rh_spawn(job_behaviour, struct job, {.loaded = processed});
    batch.master = rh_spawn(master_behaviour, struct master, {.listener = batch.listener});
}

static void add_worker(bool is_mortal)
{
    rh_actor *worker =
        rh_spawn(worker_behaviour, struct worker, {.master = batch.master, .is_mortal = is_mortal});

    rh_send(worker, start);
}

static void look(int times)
{
    for (int i = 0; i < times; i++)
        rh_after(FIRST_LOOK_MS + i * LOOK_MS, batch.master, check_for_finish);
}

static void do_job(int processed, int total, int list_size, int workers, int looks, bool is_fixed)
{
    set_up(processed, total, list_size, is_fixed);
    for (int i = 0; i < workers; i++)
        add_worker(false);
    look(looks);
    rh_finally(work_is_done_finally, struct watched, {.kit = NULL});
}

static void request_work(int first, int second, bool has_mortal, bool is_fixed)
{
    rh_actor *kit;

    set_up(0, 0, 1, is_fixed);
    kit = rh_spawn(test_kit_behaviour, struct test_kit,
                   {.requests = second < 0 ? 1 : 2, .request = {first, second}});
    if (has_mortal)
        add_worker(true);
    add_worker(false);
    rh_send(kit, start);
    rh_finally(work_is_done_finally, struct watched,
               {.kit = kit,
                .results = second < 0 ? 1 : 2,
                .errors = (first % 10 == 4) + (second % 10 == 4)});
}

// Only one look, so that nothing is loaded twice. The work fails.
RH_TEST(one_look)
{
    do_job(4, 5, 1, 1, 1, false);
}

RH_TEST(loaded_twice)
{
    do_job(0, 1, 1, 1, 2, false);
}

RH_TEST(loaded_twice_fixed)
{
    do_job(0, 1, 1, 1, 2, true);
}

RH_TEST(nothing_to_do)
{
    do_job(0, 0, 1, 1, 1, false);
}

RH_TEST(status)
{
    rh_actor *observer;
    rh_actor *kit;

    set_up(0, 5, 5, false);
    observer = rh_spawn(test_kit_behaviour, struct test_kit, {.requests = 0});
    kit = rh_spawn(test_kit_behaviour, struct test_kit, {.observer = observer});
    rh_send(batch.listener, work_error, {.work = 4});
    rh_send(kit, start);
    rh_finally(work_is_done_finally, struct watched, {.kit = kit, .observer = observer});
}

RH_TEST(requests)
{
    request_work(3, 4, false, false);
}

RH_TEST(requests_fixed)
{
    request_work(3, 4, false, true);
}

RH_TEST(worker_dies)
{
    request_work(3, -1, true, false);
}

RH_TEST(worker_dies_fixed)
{
    request_work(3, -1, true, true);
}

RH_TEST(large)
{
    do_job(0, 20, 5, 3, 12, false);
}
