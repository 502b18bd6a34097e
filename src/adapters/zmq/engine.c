// SPDX-License-Identifier: MIT
#include "adapters/zmq/engine.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <rehearse/test.h>

#include "adapters/zmq/anew.h"
#include "adapters/zmq/beside.h"
#include "adapters/zmq/names.h"
#include "adapters/zmq/outside.h"
#include "entry/program.h"
#include "world/world.h"

enum { MAIN_STACK = 8 << 20 };
// How often, and how long in between, the director looks whether something that is not under
// control has come before it gives up: half a second in all.
enum { OUTSIDE_LOOKS = 500, OUTSIDE_PAUSE_NS = 1000000 };

// The engine of this process. There is one execution in it.
static struct engine {
    int turn; // a futex: 1 while the director may run
    bool has_left;
    // Whether nothing is deliverable: what is sent now comes after everything.
    bool is_idle;
    struct rh_zmq_thread *leaving;  // the thread that has called exit first; NULL: none
    struct rh_zmq_thread *receiver; // the thread to which something is being delivered
    uint64_t now;
    uint32_t thread_count;
    struct rh_zmq_thread threads[RH_ZMQ_THREADS_MOST];
    RH_VECTOR(struct sent {
        struct rh_zmq_parcel parcel;
        struct rh_zmq_clock clock;
        struct rh_zmq_clock past;
        uint64_t wait_number; // of a timeout: which wait it ends
        enum rh_zmq_event event;
        uint32_t sender; // number of a thread
        // A thread knows of the parcel if it knows `known_at` or more of what thread `known_by` has
        // sent.
        uint32_t known_by;
        uint32_t known_at;
        // What the message declares; owned.
        uint64_t *objects;
        uint32_t object_count;
    }) parcels;          // by message number
    uint32_t delivering; // number of the message that is being delivered
    uint32_t applying;   // number of the message that is being applied
} engine;

static _Thread_local struct rh_zmq_thread *self;

struct rh_zmq_thread *rh__zmq_self(void)
{
    return self;
}

struct rh_zmq_thread *rh__zmq_caller(const char *call)
{
    if (!self)
        rh_panic("%s was called before the program's main, or by a thread that is not under "
                 "control",
                 call);
    return self;
}

struct rh_zmq_thread *rh__zmq_acting(void)
{
    return self ? self : engine.receiver;
}

uint64_t rh__zmq_now(void)
{
    return engine.now;
}

uint64_t rh__zmq_deadline(int64_t milliseconds)
{
    return milliseconds < 0 ? RH_ZMQ_NEVER : engine.now + (uint64_t)milliseconds * 1000000;
}

uint64_t rh__zmq_random(void)
{
    return rh_rng_next(&rh__zmq_caller(__func__)->rng);
}

void *rh__zmq_real(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        rh_panic("libc has no %s", name);
    return function;
}

// The turn.

static void wait_for_turn(int *turn)
{
    while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) == 0)
        syscall(SYS_futex, turn, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    __atomic_store_n(turn, 0, __ATOMIC_RELAXED);
}

static void give_turn(int *turn)
{
    __atomic_store_n(turn, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// In a thread of the program: lets the director go on until it is this thread's turn again.
static void yield(void)
{
    int kept_errno = errno;
    give_turn(&engine.turn);
    wait_for_turn(&self->turn);
    errno = kept_errno;
}

// Called by the director: lets the thread run until it waits or ends.
static void run(struct rh_zmq_thread *thread)
{
    give_turn(&thread->turn);
    wait_for_turn(&engine.turn);
    // What a thread does after its function has returned is over before anything else happens.
    if (thread->has_ended)
        pthread_join(thread->handle, NULL);
}

// Sending.

static const struct rh_type *type_of(enum rh_zmq_event event)
{
#define X(number, name) {#name, 0},
    static const struct rh_type types[] = {RH_ZMQ_EVENTS(X)};
#undef X
    return &types[event];
}

static struct rh_sending sending_of(uint32_t sender, const struct rh_zmq_thread *to,
                                    enum rh_zmq_event event, const char *text)
{
    return (struct rh_sending){.kind = RH_PLAIN,
                               .sender = sender,
                               .receiver = to->slot,
                               .type = type_of(event),
                               .payload = text,
                               .size = *text ? strlen(text) + 1 : 0,
                               .is_after_all = engine.is_idle};
}

static uint32_t send(const struct rh_sending *sending, const struct sent *sent)
{
    uint32_t number = rh_world_send(rh__process.world, sending);
    while (engine.parcels.count <= number)
        rh_vector_push(&engine.parcels);
    engine.parcels.items[number] = *sent;
    return number;
}

// The message lets the thread go on, which waits until then.
static void declare(struct sent *sent, const struct rh_zmq_thread *thread)
{
    size_t size = sizeof *sent->objects * thread->expected.count;
    if (size == 0)
        return;
    sent->objects = rh_alloc(size);
    sent->object_count = (uint32_t)thread->expected.count;
    memcpy(sent->objects, thread->expected.items, size);
}

// Whether the thread waits for this, so that what it expects is the same until the message comes.
static bool is_waited_for(enum rh_zmq_event event)
{
    return event == RH_ZMQ_STEP || event == RH_ZMQ_TIMEOUT || event == RH_ZMQ_UNLOCK ||
           event == RH_ZMQ_WAKE;
}

static uint32_t post_as(uint32_t sender, struct rh_zmq_thread *from, const struct rh_zmq_thread *to,
                        enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel)
{
    const struct rh_sending sending = sending_of(sender, to, event, text);
    // Whoever joins the thread may send in its name as well then (rh__zmq_join).
    if (from->has_ended) {
        rh__zmq_check(&from->ending);
        rh__zmq_note(&from->ending);
    }
    from->past.at[from->number]++;
    struct sent sent = {.parcel = parcel,
                        .clock = from->clock,
                        .past = from->past,
                        .wait_number = to->wait_number,
                        .event = event,
                        .sender = from->number,
                        .known_by = from->number,
                        .known_at = from->past.at[from->number]};
    if (is_waited_for(event))
        declare(&sent, to);
    return send(&sending, &sent);
}

static uint32_t post(struct rh_zmq_thread *from, struct rh_zmq_thread *to, enum rh_zmq_event event,
                     const char *text, struct rh_zmq_parcel parcel)
{
    return post_as(from->slot, from, to, event, text, parcel);
}

void rh__zmq_post(struct rh_zmq_thread *to, enum rh_zmq_event event, const char *text,
                  struct rh_zmq_parcel parcel)
{
    post(rh__zmq_caller("rh__zmq_post"), to, event, text, parcel);
}

void rh__zmq_post_from(struct rh_zmq_thread *from, struct rh_zmq_thread *to,
                       enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel)
{
    post(from, to, event, text, parcel);
}

// Each route is a sender of its own in the world, "main#1/tcp:5555", since messages of one sender
// keep their order.
static uint32_t add_route(struct rh_zmq_thread *thread, const char *name)
{
    struct rh_text full = {0};
    rh_world_add_name(rh__process.world, &full, thread->slot);
    rh_text_addf(&full, "/%s", name);
    uint32_t slot = rh_world_add_outside(rh__process.world, rh_text_get(&full));
    rh_text_fini(&full);
    *rh_vector_push(&thread->routes) = (struct rh_zmq_route){rh_strdup(name), slot};
    return slot;
}

static uint32_t get_route(struct rh_zmq_thread *thread, const char *name)
{
    for (size_t i = 0; i < thread->routes.count; i++)
        if (strcmp(thread->routes.items[i].name, name) == 0)
            return thread->routes.items[i].slot;
    return add_route(thread, name);
}

void rh__zmq_post_by(const char *route, struct rh_zmq_thread *from, struct rh_zmq_thread *to,
                     enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel)
{
    post_as(get_route(from, route), from, to, event, text, parcel);
}

void rh__zmq_post_at_once(struct rh_zmq_thread *from, struct rh_zmq_thread *to,
                          enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel)
{
    *rh_vector_push(&to->unapplied) = post(from, to, event, text, parcel);
}

void rh__zmq_post_on(struct rh_zmq_thread *from, struct rh_zmq_thread *to, enum rh_zmq_event event,
                     const char *text, struct rh_zmq_parcel parcel)
{
    uint32_t number = post(from, to, event, text, parcel);
    struct sent *sent = &engine.parcels.items[number];
    const struct sent *before = &engine.parcels.items[engine.applying];
    sent->known_by = before->known_by;
    sent->known_at = before->known_at;
    *rh_vector_push(&to->unapplied) = number;
}

static void post_step(struct rh_zmq_thread *thread, const char *call, const char *object)
{
    char name[RH_ZMQ_NAME_MOST];
    snprintf(name, sizeof name, "%s%s%s", call, *object ? " " : "", object);
    thread->has_step = true;
    post(thread, thread, RH_ZMQ_STEP, name, (struct rh_zmq_parcel){0});
}

// Waiting.

static bool can_go_on(const struct rh_zmq_thread *thread)
{
    const struct rh_zmq_wait *wait = thread->wait;
    return thread->is_woken || thread->was_late || (wait->is_over && wait->is_over(wait->context));
}

bool rh__zmq_wait(const struct rh_zmq_wait *wait)
{
    struct rh_zmq_thread *thread = rh__zmq_caller(wait->call);
    if (rh__process.world->options.before_delivery)
        thread->resumes_at = rh__zmq_find_return();
    thread->wait = wait;
    thread->wait_number++;
    thread->is_woken = thread->was_late = false;
    if (wait->shared)
        rh__zmq_expect(wait->shared);
    bool is_over = wait->is_over && wait->is_over(wait->context);
    // If the deadline is now nothing can come first, but it takes an event to see what has come.
    if (wait->observes && (is_over || wait->deadline <= engine.now))
        post_step(thread, wait->call, wait->object);
    if (wait->observes || !is_over)
        yield();
    if (wait->shared)
        rh__zmq_expect_no_more(wait->shared);
    thread->wait = NULL;
    return !thread->was_late || (wait->is_over && wait->is_over(wait->context));
}

void rh__zmq_step(const char *call, const char *object)
{
    const struct rh_zmq_wait wait = {
        .call = call, .object = object, .deadline = engine.now, .observes = true};
    rh__zmq_wait(&wait);
}

void rh__zmq_step_for(const char *call, const char *object, const struct rh_zmq_shared *shared)
{
    const struct rh_zmq_wait wait = {
        .call = call, .object = object, .shared = shared, .deadline = engine.now, .observes = true};
    rh__zmq_wait(&wait);
}

bool rh__zmq_has_sent(const struct rh_zmq_thread *thread)
{
    return thread->past.at[thread->number] > thread->sent_before;
}

struct rh_zmq_haste rh__zmq_haste(void)
{
    const struct rh_zmq_thread *here = rh__zmq_acting();
    return (struct rh_zmq_haste){.thread = here->number,
                                 .delivery = here->clock.at[here->number],
                                 .sent = rh__zmq_has_sent(here) ? here->past.at[here->number] : 0};
}

bool rh__zmq_was_hasty(const struct rh_zmq_haste *haste)
{
    const struct rh_zmq_thread *here = rh__zmq_acting();
    return haste->sent > 0 && haste->thread != here->number &&
           here->clock.at[haste->thread] >= haste->delivery &&
           here->past.at[haste->thread] <= haste->sent;
}

void rh__zmq_give_way(const char *call, const char *object)
{
    if (rh__zmq_has_sent(rh__zmq_caller(call)) && !rh__zmq_is_alone())
        rh__zmq_step(call, object);
}

int rh__zmq_choose(int count, const char *about, const char *of)
{
    struct rh_world *world = rh__process.world;
    int outcome = world->options.driver.choose(world->options.driver.context, count);
    char ways[32], text[2 * RH_ZMQ_NAME_MOST];
    snprintf(ways, sizeof ways, "%d", count);
    snprintf(text, sizeof text, "%s%s", about, of);
    if (world->options.tape)
        rh_trace_choice(world, ways, outcome, text, NULL, 0);
    return outcome;
}

void rh__zmq_wake(struct rh_zmq_thread *thread)
{
    thread->is_woken = true;
}

// What threads share.

void rh__zmq_tie(const struct rh_zmq_thread *one, const struct rh_zmq_thread *other)
{
    const struct rh_world_driver *driver = &rh__process.world->options.driver;
    if (one == other || !driver->touches)
        return;
    const struct rh_actor_record *actors = rh__process.world->actors;
    uint64_t object =
        rh_hash64_pair(RH_OBJECT_SHARED, actors[one->slot].identity + actors[other->slot].identity);
    driver->touches(driver->context, &(struct rh_touching){one->slot, true, true, object});
    driver->touches(driver->context, &(struct rh_touching){other->slot, true, true, object});
}

void rh__zmq_expect(const struct rh_zmq_shared *shared)
{
    *rh_vector_push(&self->expected) = shared->number;
}

void rh__zmq_expect_no_more(const struct rh_zmq_shared *shared)
{
    for (size_t i = self->expected.count; i > 0; i--)
        if (self->expected.items[i - 1] == shared->number) {
            self->expected.items[i - 1] = self->expected.items[--self->expected.count];
            return;
        }
}

// Whether the message that is being delivered declares the object.
static bool is_declared(const struct rh_zmq_shared *shared)
{
    const struct sent *sent = &engine.parcels.items[engine.delivering];
    for (uint32_t i = 0; i < sent->object_count; i++)
        if (sent->objects[i] == shared->number)
            return true;
    return false;
}

// All deliveries to the thread touch the object.
static void add_use(const struct rh_zmq_thread *thread, const struct rh_zmq_shared *shared)
{
    const struct rh_world_driver *driver = &rh__process.world->options.driver;
    if (driver->touches)
        driver->touches(driver->context,
                        &(struct rh_touching){thread->slot, true, true, shared->number});
}

void rh__zmq_note(struct rh_zmq_shared *shared)
{
    const struct rh_zmq_thread *thread = rh__zmq_acting();
    uint32_t now = thread->clock.at[thread->number];
    shared->used.at[thread->number] = now;
    if (!is_declared(shared))
        shared->undeclared.at[thread->number] = now;
}

// The acting thread's use of the object and that of the other thread have no order.
static void relate(const struct rh_zmq_shared *shared, const struct rh_zmq_thread *thread,
                   const struct rh_zmq_thread *other)
{
    if (shared->number == 0) {
        rh__zmq_tie(thread, other);
        return;
    }
    if (!is_declared(shared))
        add_use(thread, shared);
    if (shared->undeclared.at[other->number] > thread->clock.at[other->number])
        add_use(other, shared);
}

void rh__zmq_check(const struct rh_zmq_shared *shared)
{
    const struct rh_zmq_thread *thread = rh__zmq_acting();
    for (uint32_t i = 0; i < engine.thread_count; i++)
        if (shared->used.at[i] > thread->clock.at[i])
            relate(shared, thread, &engine.threads[i]);
}

bool rh__zmq_knows_all(const struct rh_zmq_shared *shared)
{
    const struct rh_zmq_thread *thread = rh__zmq_acting();
    for (uint32_t i = 0; i < engine.thread_count; i++)
        if (shared->used.at[i] > thread->clock.at[i])
            return false;
    return true;
}

static void learn(struct rh_zmq_clock *clock, const struct rh_zmq_clock *from)
{
    for (uint32_t i = 0; i < engine.thread_count; i++)
        if (clock->at[i] < from->at[i])
            clock->at[i] = from->at[i];
}

// Whether the parcel is for the thread, and the thread can know of it. Whether the other thread has
// sent the parcel on matters to both threads.
static bool is_there(const struct sent *sent, const struct rh_zmq_thread *thread,
                     const struct rh_zmq_thread *other)
{
    const struct rh_zmq_parcel *parcel = &sent->parcel;
    if (other != thread && !(parcel->owner && *parcel->owner == thread))
        return false;
    if (other != thread)
        rh__zmq_tie(thread, other);
    return sent->known_at <= thread->past.at[sent->known_by];
}

// Applies what was sent to the other thread and is for this one, or to this thread itself, in the
// order of sending. All of it was sent before the running delivery, by messages or by ties, and
// changes only what belongs to this thread: no other delivery can tell.
static void catch_up_with(struct rh_zmq_thread *thread, struct rh_zmq_thread *other)
{
    size_t kept = 0;
    for (size_t i = 0; i < other->unapplied.count; i++) {
        uint32_t number = other->unapplied.items[i];
        struct sent *sent = &engine.parcels.items[number];
        struct rh_zmq_parcel parcel = sent->parcel;
        if (!parcel.apply)
            continue;
        if (!is_there(sent, thread, other)) {
            other->unapplied.items[kept++] = number;
            continue;
        }
        sent->parcel.apply = NULL;
        engine.applying = number;
        parcel.apply(thread, parcel.object, parcel.content);
    }
    other->unapplied.count = kept;
}

// What was sent to an earlier owner of a socket is older, and is applied first.
void rh__zmq_catch_up(void)
{
    struct rh_zmq_thread *thread = rh__zmq_caller(__func__);
    for (uint32_t i = 0; i < engine.thread_count; i++)
        if (&engine.threads[i] != thread)
            catch_up_with(thread, &engine.threads[i]);
    catch_up_with(thread, thread);
}

void rh__zmq_release(struct rh_zmq_shared *shared)
{
    rh__zmq_note(shared);
    learn(&shared->past, &rh__zmq_acting()->past);
}

void rh__zmq_acquire(const struct rh_zmq_shared *shared)
{
    struct rh_zmq_thread *thread = rh__zmq_acting();
    rh__zmq_check(shared);
    learn(&thread->past, &shared->past);
}

void rh__zmq_see_all(void)
{
    struct rh_zmq_thread *thread = rh__zmq_caller(__func__);
    for (size_t i = 0; i < thread->unapplied.count; i++) {
        const struct sent *sent = &engine.parcels.items[thread->unapplied.items[i]];
        rh__zmq_tie(thread, &engine.threads[sent->sender]);
        learn(&thread->past, &sent->past);
    }
}

void rh__zmq_touch(struct rh_zmq_shared *shared)
{
    rh__zmq_acquire(shared);
    rh__zmq_release(shared);
}

// Ends of executions.

static void report(int kind, const char *file, int line, const char *format, va_list arguments)
{
    char text[512];
    vsnprintf(text, sizeof text, format, arguments);
    rh_world_report(rh__process.world, (enum rh_finding_kind)kind, file, line, "%s", text);
    rh__process.world->failed = true;
}

void rh__zmq_fail(int kind, const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    report(kind, file, line, format, arguments);
    va_end(arguments);
    for (;;)
        yield();
}

void rh__zmq_give_up(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rh_world_give_up(rh__process.world, "%s", text);
}

void rh__zmq_leave(int status)
{
    fflush(NULL);
    self->is_leaving = true;
    self->status = status;
    self->wait = NULL;
    if (!engine.leaving)
        engine.leaving = self;
    for (;;)
        yield();
}

static void end_process(const struct rh_zmq_thread *thread)
{
    engine.has_left = true;
    if (thread->status == 0)
        return;
    rh_world_report(rh__process.world, RH_FINDING_EXIT, NULL, 0,
                    "the program ended with exit status %d", thread->status);
    rh__process.world->failed = true;
}

// Called by libc when all functions that the program has registered for its exit have run.
static void on_process_exit(int status, void *context)
{
    (void)context;
    if (self)
        rh__zmq_leave(status);
}

// Threads.

static void apply_end(struct rh_zmq_thread *to, void *object, void *content)
{
    const struct rh_zmq_thread *ended = object;
    (void)content;
    to->knows_end[ended->number] = true;
}

static void tell_end(struct rh_zmq_thread *thread)
{
    rh__zmq_post_from(thread, thread->joined_by, RH_ZMQ_ENDED, "",
                      (struct rh_zmq_parcel){apply_end, thread, NULL, NULL});
}

static void apply_join(struct rh_zmq_thread *to, void *object, void *content)
{
    (void)content;
    to->joined_by = object;
    if (to->has_ended)
        tell_end(to);
}

// A thread that has ended, and the thread that waits for its end.
struct end {
    const struct rh_zmq_thread *waiting, *ended;
};

static bool knows_end(const void *context)
{
    const struct end *end = context;
    return end->waiting->knows_end[end->ended->number];
}

// The thread has ended, and is joined. What follows for who joins it comes of both, in whichever
// order they were: the same message comes from the thread that has ended, behind all that this has
// sent, with what it knew at its end.
static void send_end(struct rh_zmq_thread *thread)
{
    const struct rh_world *world = rh__process.world;
    const struct rh_zmq_thread *to = thread->joining.thread;
    bool is_joined_first = world->number == thread->end.delivered;
    struct rh_sending sending = sending_of(thread->slot, to, RH_ZMQ_ENDED, "");
    sending.identity =
        rh_hash64_pair(thread->joining.delivery, world->actors[thread->slot].identity);
    sending.also_sent_at = is_joined_first ? thread->joining.delivered : thread->end.delivered;
    struct sent sent = {.parcel = {apply_end, thread, NULL, NULL},
                        .clock = thread->end.clock,
                        .past = thread->end.past,
                        .event = RH_ZMQ_ENDED,
                        .sender = thread->number,
                        .known_by = thread->number,
                        .known_at = thread->end.past.at[thread->number]};
    declare(&sent, to);
    send(&sending, &sent);
}

void rh__zmq_join(struct rh_zmq_thread *thread)
{
    struct rh_zmq_thread *caller = rh__zmq_caller("pthread_join");
    const struct end end = {caller, thread};
    const struct rh_zmq_wait wait = {.call = "pthread_join",
                                     .object = thread->name,
                                     .is_over = knows_end,
                                     .context = &end,
                                     .deadline = RH_ZMQ_NEVER};
    if (knows_end(&end))
        return;
    rh__zmq_check(&thread->ending);
    rh__zmq_note(&thread->ending);
    thread->joining.thread = caller;
    thread->joining.delivery = caller->delivery;
    thread->joining.delivered = caller->delivered;
    if (thread->has_ended)
        send_end(thread);
    rh__zmq_wait(&wait);
}

bool rh__zmq_join_until(struct rh_zmq_thread *thread, const char *call, uint64_t deadline)
{
    const struct end end = {rh__zmq_caller(call), thread};
    const struct rh_zmq_wait wait = {.call = call,
                                     .object = thread->name,
                                     .is_over = knows_end,
                                     .context = &end,
                                     .deadline = deadline,
                                     .observes = true};
    rh__zmq_post(thread, RH_ZMQ_JOIN, "", (struct rh_zmq_parcel){apply_join, self, NULL, NULL});
    rh__zmq_wait(&wait);
    return knows_end(&end);
}

static void end_thread(void *argument)
{
    struct rh_zmq_thread *thread = argument;
    if (thread->joined_by)
        tell_end(thread);
    thread->has_ended = true;
    thread->wait = NULL;
    thread->end.delivered = thread->delivered;
    thread->end.clock = thread->clock;
    thread->end.past = thread->past;
    if (thread->joining.thread)
        send_end(thread);
    give_turn(&engine.turn);
}

static void *run_thread(void *argument)
{
    struct rh_zmq_thread *thread = argument;
    self = thread;
    wait_for_turn(&thread->turn);
    pthread_cleanup_push(end_thread, thread);
    thread->result = thread->start(thread->argument);
    pthread_cleanup_pop(1);
    return NULL;
}

static void *run_main(void *argument)
{
    const struct rh_program_start *start = argument;
    exit(start->main(start->argc, start->argv, start->environment));
}

// The first thread of a program that is started anew exists already.
static int create(struct rh_zmq_thread *thread, const pthread_attr_t *attributes)
{
    if (thread->number == 0 && rh__zmq_is_anew()) {
        thread->handle = rh__zmq_first_thread();
        return 0;
    }
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = NULL;
    *(void **)&real = rh__zmq_real("pthread_create");
    return real(&thread->handle, attributes, run_thread, thread);
}

struct rh_zmq_thread *rh__zmq_spawn(void *(*start)(void *), void *argument,
                                    const pthread_attr_t *attributes, int *error)
{
    if (engine.thread_count == RH_ZMQ_THREADS_MOST)
        rh__zmq_give_up("the program has more than %d threads", RH_ZMQ_THREADS_MOST);
    rh__zmq_beside_check();
    struct rh_zmq_thread *thread = &engine.threads[engine.thread_count];
    *thread =
        (struct rh_zmq_thread){.number = engine.thread_count, .start = start, .argument = argument};
    // The first thread has the seed that libc has by default.
    rh_rng_seed(&thread->rng, self ? rh_rng_next(&self->rng) : 0);
    thread->seed = self ? self->seed + (unsigned)rh_rng_next(&self->rng) : 1;
    *error = create(thread, attributes);
    if (*error != 0)
        return NULL;
    engine.thread_count++;
    rh_behaviour *behaviour = NULL;
    thread->name = rh__zmq_thread_name(start, argument, &behaviour);
    struct rh_spawning spawning = {.behaviour = behaviour, .behaviour_name = thread->name};
    thread->slot = rh_world_spawn(rh__process.world, &spawning);
    *(rh_behaviour **)&thread->resumes_at = behaviour;
    return thread;
}

bool rh__zmq_is_alone(void)
{
    const struct rh_zmq_thread *caller = rh__zmq_caller(__func__);
    for (uint32_t i = 0; i < engine.thread_count; i++)
        if (i != caller->number && !caller->knows_end[i])
            return false;
    return true;
}

struct rh_zmq_thread *rh__zmq_find(pthread_t handle)
{
    for (uint32_t i = engine.thread_count; i > 0; i--)
        if (pthread_equal(engine.threads[i - 1].handle, handle))
            return &engine.threads[i - 1];
    return NULL;
}

void rh__zmq_begin(void)
{
    int error;
    pthread_attr_t attributes;
    on_exit(on_process_exit, NULL);
    rh__zmq_numbers_begin();
    rh__zmq_outside_begin();
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, MAIN_STACK);
    struct rh_zmq_thread *thread = rh__zmq_spawn(run_main, &rh__program_start, &attributes, &error);
    pthread_attr_destroy(&attributes);
    if (!thread)
        rh_panic("cannot start a thread: %s", strerror(error));
    struct rh_sending sending = {.receiver = thread->slot, .type = type_of(RH_ZMQ_START)};
    uint32_t number = rh_world_send(rh__process.world, &sending);
    rh_assert(number == 0);
    *rh_vector_push(&engine.parcels) = (struct sent){.event = RH_ZMQ_START};
}

// The thread goes back to the dynamic linker, and only the destructor of this key tells when it
// ends.
void rh__zmq_enter(void)
{
    pthread_key_t key;
    self = &engine.threads[0];
    wait_for_turn(&self->turn);
    if (pthread_key_create(&key, end_thread) == 0)
        pthread_setspecific(key, self);
}

// The adapter.

static struct rh_zmq_thread *thread_of(uint32_t slot)
{
    for (uint32_t i = 0; i < engine.thread_count; i++)
        if (engine.threads[i].slot == slot)
            return &engine.threads[i];
    return NULL;
}

// Whether what is being delivered may end the wait.
static bool may_look(const struct rh_zmq_wait *wait)
{
    return !wait->shared || is_declared(wait->shared);
}

// Lets the thread go on if what has come ends its wait, or look if its wait observes.
static void let_go_on(struct rh_zmq_thread *thread, enum rh_zmq_event event)
{
    if (event == RH_ZMQ_START || event == RH_ZMQ_STEP) {
        thread->has_step = false;
        run(thread);
    } else if (thread->wait && !thread->has_step && may_look(thread->wait) && can_go_on(thread)) {
        if (thread->wait->observes)
            post_step(thread, thread->wait->call, thread->wait->object);
        else
            run(thread);
    }
}

static void deliver(struct rh_zmq_thread *thread, const struct sent *sent)
{
    engine.receiver = thread;
    thread->clock.at[thread->number]++;
    learn(&thread->clock, &sent->clock);
    learn(&thread->past, &sent->past);
    thread->delivery = rh__process.world->delivery;
    thread->delivered = rh__process.world->number;
    thread->caused_by = sent->sender;
    thread->sent_before = thread->past.at[thread->number];
    if (sent->event == RH_ZMQ_EXIT) {
        end_process(thread);
        return;
    }
    if (sent->event == RH_ZMQ_TIMEOUT && thread->wait && sent->wait_number == thread->wait_number)
        thread->was_late = true;
    if (sent->event == RH_ZMQ_WAKE && sent->wait_number == thread->wait_number)
        rh__zmq_wake(thread);
    if (sent->parcel.apply)
        sent->parcel.apply(thread, sent->parcel.object, sent->parcel.content);
    let_go_on(thread, sent->event);
}

static void process(rh_actor *actor, const rh_message *message)
{
    struct rh_world *world = rh__process.world;
    uint32_t slot = rh_world_slot(actor);
    rh__process.in_handler = 0;
    world->actors[slot].handled = true;
    struct sent *kept = &engine.parcels.items[message - world->messages];
    const struct sent sent = *kept;
    kept->parcel.apply = NULL;
    engine.delivering = engine.applying = (uint32_t)(message - world->messages);
    deliver(thread_of(slot), &sent);
}

// Sends a message to a thread in the thread's own name, as part of its newest delivery.
static void post_idle(struct rh_zmq_thread *thread, enum rh_zmq_event event, const char *text)
{
    struct rh_world *world = rh__process.world;
    world->current = thread->slot;
    world->delivery = thread->delivery;
    engine.is_idle = true;
    post(thread, thread, event, text, (struct rh_zmq_parcel){0});
    engine.is_idle = false;
    world->current = 0;
}

static uint64_t earliest_deadline(void)
{
    uint64_t earliest = RH_ZMQ_NEVER;
    for (uint32_t i = 0; i < engine.thread_count; i++) {
        const struct rh_zmq_thread *thread = &engine.threads[i];
        if (thread->wait && thread->wait->deadline < earliest)
            earliest = thread->wait->deadline;
    }
    return earliest;
}

static bool let_time_pass(void)
{
    uint64_t earliest = earliest_deadline();
    if (earliest == RH_ZMQ_NEVER)
        return false;
    engine.now = earliest;
    for (uint32_t i = 0; i < engine.thread_count; i++) {
        struct rh_zmq_thread *thread = &engine.threads[i];
        if (thread->wait && thread->wait->deadline == earliest)
            post_idle(thread, RH_ZMQ_TIMEOUT, thread->wait->call);
    }
    return true;
}

// Lets threads go on that wait for something that is not under control and has come.
static bool let_outside_come(void)
{
    bool has_come = false;
    for (uint32_t i = 0; i < engine.thread_count; i++) {
        struct rh_zmq_thread *thread = &engine.threads[i];
        if (!thread->wait || !thread->wait->is_outside || !can_go_on(thread))
            continue;
        thread->has_step = true;
        post_idle(thread, RH_ZMQ_STEP, thread->wait->call);
        has_come = true;
    }
    return has_come;
}

static bool waits_for_outside(void)
{
    bool waits = false;
    for (uint32_t i = 0; i < engine.thread_count; i++)
        waits |= engine.threads[i].wait && engine.threads[i].wait->is_outside;
    return waits;
}

// Nothing under control can happen any more: waits for a while for what is not.
static bool await_outside(void)
{
    for (int i = 0; i < OUTSIDE_LOOKS && waits_for_outside(); i++) {
        struct timespec pause = {.tv_nsec = OUTSIDE_PAUSE_NS};
        syscall(SYS_nanosleep, &pause, NULL);
        if (let_outside_come())
            return true;
    }
    return false;
}

static bool go_on_idle(void)
{
    if (engine.has_left)
        return false;
    if (let_outside_come())
        return true;
    if (!engine.leaving)
        return let_time_pass() || await_outside();
    post_idle(engine.leaving, RH_ZMQ_EXIT, "");
    return true;
}

static void add_waiting(struct rh_text *text, const struct rh_zmq_thread *thread, const char *how)
{
    rh_text_add(text, text->length > 0 ? "; " : "");
    rh_world_add_name(rh__process.world, text, thread->slot);
    rh_text_addf(text, "%s in %s", how, thread->wait->call);
    if (*thread->wait->object)
        rh_text_addf(text, " on %s", thread->wait->object);
}

// In a long execution, a thread that has had no delivery among the last LATELY only waits.
enum { LATELY = 1000 };

static char *describe(void)
{
    struct rh_text text = {0};
    uint32_t now = rh__process.world->number;
    for (int goes_on = 1; goes_on >= 0; goes_on--)
        for (uint32_t i = 0; i < engine.thread_count; i++) {
            const struct rh_zmq_thread *thread = &engine.threads[i];
            bool is_late = now - thread->delivered < LATELY && now >= LATELY;
            if (thread->wait && is_late == (goes_on == 1))
                add_waiting(&text, thread, is_late ? " does not stop," : " waits");
        }
    return rh_text_take(&text);
}

// Called when nothing can happen any more, which is fine if the process has ended.
static void judge(void)
{
    struct rh_text text = {0};
    if (engine.has_left) {
        rh__zmq_sockets_judge();
        return;
    }
    for (uint32_t i = 0; i < engine.thread_count; i++)
        if (engine.threads[i].wait)
            add_waiting(&text, &engine.threads[i], "");
    // What is not under control may be late, which is no error of the program.
    if (waits_for_outside())
        rh_world_report(rh__process.world, RH_FINDING_BOUND, NULL, 0,
                        "nothing has come from outside for half a second, and all threads wait: %s",
                        rh_text_get(&text));
    else
        rh_world_fail(rh__process.world, RH_FINDING_DEADLOCK, NULL, 0, "%s%s",
                      text.length > 0 ? "all threads wait: " : "",
                      text.length > 0 ? rh_text_get(&text)
                                      : "all threads have ended, and main has not");
    rh_text_fini(&text);
}

static unsigned touches(const rh_message *message, const uint64_t **objects)
{
    size_t number = (size_t)(message - rh__process.world->messages);
    if (number >= engine.parcels.count)
        return 0;
    *objects = engine.parcels.items[number].objects;
    return engine.parcels.items[number].object_count;
}

static const void *resumes_at(rh_actor *actor)
{
    return thread_of(rh_world_slot(actor))->resumes_at;
}

const struct rh_adapter_ops rh_zmq_adapter = {.name = "zmq",
                                              .process = process,
                                              .touches = touches,
                                              .keeps_state = true,
                                              .go_on_idle = go_on_idle,
                                              .resumes_at = resumes_at,
                                              .judge = judge,
                                              .describe = describe,
                                              .tidy = rh__zmq_outside_tidy,
                                              .say = rh__zmq_outside_say,
                                              .omits = rh__zmq_outside_omits,
                                              .launch = rh__zmq_launch};

const struct rh_adapter_ops *rh_program_adapter(void)
{
    return &rh_zmq_adapter;
}

// The one test of a program that is explored as it is: running it.
static const struct rh_test test = {"main", rh__zmq_begin, "", 0};
static const struct rh_test *const test_entry __attribute__((section("rh_tests"), used)) = &test;
