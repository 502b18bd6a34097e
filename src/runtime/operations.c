// SPDX-License-Identifier: MIT
// The operations of actor.h while actors run on threads.
#include <errno.h>
#include <string.h>
#include <time.h>

#include "entry/operations.h"
#include "entry/process.h"
#include "entry/program.h"
#include "runtime/record_delivery.h"
#include "runtime/runtime.h"
#include "world/behaviour.h"

enum { INPUT_MOST = 4096 };

// A message on its way, and the call that sends it.
struct sending {
    rh_actor *sender;
    rh_actor *to;
    const struct rh_type *type;
    const void *payload;
    size_t size;
    const char *operation;
    const char *file;
    int line;
};

static inline struct rh_runtime *runtime_now(void)
{
    return rh__process.runtime;
}

bool rh_same_type(const struct rh_type *one, const struct rh_type *other)
{
    return one == other || (runtime_now()->repeats_types && one->size == other->size &&
                            strcmp(one->name, other->name) == 0);
}

// The delivery of the running handler; a call from anywhere else is a misuse.
static inline struct rh_delivery *handler_now(const char *operation, const char *file, int line)
{
    struct rh_delivery *delivery = rh__local.carrier ? rh__local.carrier->delivery : NULL;
    if (__builtin_expect(!delivery || delivery->stage == RH_AT_GUARD, 0))
        rh_runtime_fail(file, line, "%s outside of a behaviour", operation);
    return delivery;
}

// The address of the running actor; NULL in threads from outside. A call from a guard or judge is a
// misuse, since these must not change anything.
static inline rh_actor *sender_now(struct rh_carrier *carrier, const char *operation,
                                   const char *file, int line)
{
    const struct rh_delivery *delivery = carrier ? carrier->delivery : NULL;
    if (__builtin_expect(carrier ? !delivery || delivery->stage == RH_AT_GUARD
                                 : runtime_now()->judging != NULL,
                         0))
        rh_runtime_fail(file, line, "%s inside a guard or a judge: they must not change anything",
                        operation);
    return delivery ? rh_cell_address(&carrier->runtime->cells, delivery->cell) : NULL;
}

// Sending.

static void check_receptionist(const struct rh_runtime *runtime, const struct rh_cell *cell,
                               const struct sending *sending)
{
    if (runtime->has_receptionists && !__atomic_load_n(&cell->receptionist, __ATOMIC_RELAXED)) {
        char name[RH_NAME_SIZE];
        rh_cell_name(runtime, cell, name);
        rh_runtime_fail(sending->file, sending->line,
                        "outside sent %s to %s, which is not declared with rh_receptionist",
                        sending->type->name, name);
    }
}

static inline struct rh_cell *receiver_of(const struct rh_runtime *runtime,
                                          const struct rh_carrier *carrier,
                                          const struct sending *sending)
{
    struct rh_cell *cell = rh_address_cell(&runtime->cells, sending->to);
    if (__builtin_expect(!cell, 0))
        rh_runtime_fail(sending->file, sending->line, "%s to %s", sending->operation,
                        sending->to ? "an address that is no actor's" : "NULL");
    if (__builtin_expect(sending->size < sending->type->size || sending->size > UINT32_MAX, 0))
        rh_runtime_fail(sending->file, sending->line, "%s of %s with %zu bytes: its fields are %zu",
                        sending->operation, sending->type->name, sending->size,
                        sending->type->size);
    if (!carrier)
        check_receptionist(runtime, cell, sending);
    return cell;
}

static void delay(struct rh_runtime *runtime, struct rh_carrier *carrier)
{
    struct rh_rng *rng = &rh_post_enter(runtime, carrier)->rng;
    uint64_t ns = rh_rng_below(rng, runtime->options.delay_us * 1000 + 1);
    rh_post_leave(runtime, carrier);
    const struct timespec pause = {.tv_sec = (time_t)(ns / 1000000000),
                                   .tv_nsec = (long)(ns % 1000000000)};
    nanosleep(&pause, NULL);
}

// Whether there is room for the message, which is counted then. A timer is counted when it fires,
// and a reply goes past the mailbox.
static bool has_room(struct rh_runtime *runtime, struct rh_carrier *carrier, struct rh_cell *cell,
                     enum rh_mail_kind kind, const struct sending *sending)
{
    return kind == RH_MAIL_TIMER || kind == RH_MAIL_REPLY ||
           rh_find_room(runtime, carrier, cell, sending->type, sending->file, sending->line);
}

// Gives NULL if the message is dropped because there is no room.
static inline struct rh_mail *make_mail(struct rh_runtime *runtime, struct rh_carrier *carrier,
                                        enum rh_mail_kind kind, const struct sending *sending)
{
    struct rh_cell *cell = receiver_of(runtime, carrier, sending);
    if (__builtin_expect(runtime->options.delay_us > 0, 0) && !runtime->in_setup)
        delay(runtime, carrier);
    if (__builtin_expect(runtime->options.mailbox_limit > 0, 0) &&
        !has_room(runtime, carrier, cell, kind, sending)) {
        if (carrier && carrier->lane)
            rh_record_drop(carrier->lane);
        return NULL;
    }
    size_t tail = runtime->recorder ? rh_stamp_room(kind, sending->size) : 0;
    struct rh_post *post = rh_post_enter(runtime, carrier);
    struct rh_mail *mail = rh_mail_new(&runtime->office, &post->mails, sending->size + tail);
    rh_post_leave(runtime, carrier);
    mail->size = (uint32_t)sending->size;
    mail->type = sending->type;
    mail->sender = sending->sender;
    mail->cell = rh_cell_number(&runtime->cells, cell);
    mail->life = rh_address_life(sending->to);
    mail->kind = (uint8_t)kind;
    mail->handled = mail->replied = false;
    if (sending->size > 0)
        memcpy(mail->payload, sending->payload, sending->size);
    if (carrier && carrier->lane)
        rh_stamp(carrier->lane, mail);
    return mail;
}

// Sends the message on its way, which may take some time.
static inline void dispatch(struct rh_runtime *runtime, struct rh_carrier *carrier,
                            struct rh_mail *mail)
{
    if (__builtin_expect(runtime->options.transit_us == 0, 1)) {
        rh_deposit(runtime, carrier, mail);
        return;
    }
    rh_transit_send(runtime, &rh_post_enter(runtime, carrier)->rng, mail);
    rh_post_leave(runtime, carrier);
}

// Messages from outside arrive in the order in which they are recorded, except for those of setup.
static void deposit_recorded(struct rh_runtime *runtime, struct rh_mail *mail)
{
    struct rh_lane *lane = rh_recorder_enter(runtime->recorder);
    rh_stamp(lane, mail);
    if (runtime->in_setup) {
        dispatch(runtime, NULL, mail);
    } else {
        rh_record_send(lane, mail);
        rh_deposit(runtime, NULL, mail);
    }
    rh_recorder_leave(runtime->recorder);
}

static inline void send_plain(struct rh_carrier *carrier, const struct sending *sending)
{
    struct rh_runtime *runtime = runtime_now();
    struct rh_mail *mail = make_mail(runtime, carrier, RH_MAIL_PLAIN, sending);
    if (!mail)
        return;
    if (__builtin_expect(!carrier && runtime->recorder, 0))
        deposit_recorded(runtime, mail);
    else
        dispatch(runtime, carrier, mail);
}

void rh__send_threaded(rh_actor *to, const struct rh_type *type, const void *payload, size_t size,
                       const char *file, int line)
{
    struct rh_carrier *carrier = rh__local.carrier;
    rh_actor *sender = sender_now(carrier, "rh_send", file, line);
    send_plain(carrier, &(struct sending){sender, to, type, payload, size, "rh_send", file, line});
}

void rh__send_from_threaded(rh_actor *from, rh_actor *to, const struct rh_type *type,
                            const void *payload, size_t size, const char *file, int line)
{
    const struct rh_cell *cell = rh_address_cell(&runtime_now()->cells, from);
    if (!cell || cell->status != RH_CELL_OUTSIDE)
        rh_runtime_fail(file, line,
                        "rh_send_from in the name of an actor: only rh_outside makes such senders");
    sender_now(rh__local.carrier, "rh_send_from", file, line);
    send_plain(rh__local.carrier,
               &(struct sending){from, to, type, payload, size, "rh_send_from", file, line});
}

// Not clock_gettime as programs call it, whose answers are recorded.
uint64_t rh_clock_ns(void)
{
    struct timespec now;
    rh_real_clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t milliseconds_now(const struct rh_runtime *runtime)
{
    return (rh_clock_ns() - runtime->start_ns) / 1000000;
}

// The timing of what this thread does; NULL in a thread from outside.
static struct rh_timing *timing_now(struct rh_runtime *runtime)
{
    struct rh_carrier *carrier = rh__local.carrier;
    if (carrier)
        return carrier->delivery ? &carrier->delivery->timing : NULL;
    return runtime->in_setup ? &runtime->setup_timing : NULL;
}

static uint64_t time_of(const struct rh_runtime *runtime, struct rh_timing *timing)
{
    if (!timing)
        return milliseconds_now(runtime);
    if (!timing->has_now) {
        timing->now = milliseconds_now(runtime);
        timing->has_now = true;
    }
    return timing->now;
}

uint64_t rh_now_threaded(void)
{
    struct rh_runtime *runtime = runtime_now();
    struct rh_timing *timing = timing_now(runtime);
    uint64_t now = time_of(runtime, timing);
    if (__builtin_expect(runtime->recorder && timing && !timing->has_told, 0)) {
        rh__record_answer("rh_now", now);
        timing->has_told = true;
    }
    return now;
}

void rh__timing_end(struct rh_runtime *runtime, struct rh_timing *timing)
{
    struct rh_mail *timers = timing->timers;
    *timing = (struct rh_timing){.has_now = false};
    if (timers)
        rh_wheel_add(runtime, timers);
}

static void set_timer(struct rh_runtime *runtime, struct rh_mail *mail)
{
    struct rh_timing *timing = timing_now(runtime);
    mail->next = NULL;
    if (!timing) {
        rh_wheel_add(runtime, mail);
        return;
    }
    if (timing->timers)
        timing->last_timer->next = mail;
    else
        timing->timers = mail;
    timing->last_timer = mail;
}

// Records a timer that is set outside of handlers.
static void record_timer(struct rh_runtime *runtime, struct rh_mail *mail)
{
    struct rh_lane *lane = rh_recorder_enter(runtime->recorder);
    rh_stamp(lane, mail);
    if (!runtime->in_setup)
        rh_record_send(lane, mail);
    rh_recorder_leave(runtime->recorder);
}

void rh__after_threaded(uint64_t milliseconds, rh_actor *to, const struct rh_type *type,
                        const void *payload, size_t size, const char *file, int line)
{
    struct rh_carrier *carrier = rh__local.carrier;
    struct rh_runtime *runtime = runtime_now();
    rh_actor *sender = sender_now(carrier, "rh_after", file, line);
    struct rh_mail *mail =
        make_mail(runtime, carrier, RH_MAIL_TIMER,
                  &(struct sending){sender, to, type, payload, size, "rh_after", file, line});
    uint64_t now = time_of(runtime, timing_now(runtime));
    mail->due = milliseconds < RH_TIMER_MOST - now ? now + milliseconds : RH_TIMER_MOST;
    if (__builtin_expect(!carrier && runtime->recorder, 0))
        record_timer(runtime, mail);
    set_timer(runtime, mail);
}

const rh_message *rh__ask_threaded(rh_actor *to, const struct rh_type *type, const void *payload,
                                   size_t size, const char *file, int line)
{
    struct rh_delivery *delivery = handler_now("rh_ask", file, line);
    struct rh_carrier *carrier = rh__local.carrier;
    rh_check_reserved(carrier->runtime, delivery->reserved);
    struct rh_wait wait = {.carrier = carrier, .type = type, .asked = true};
    rh_actor *sender = rh_cell_address(&carrier->runtime->cells, delivery->cell);
    struct rh_mail *request =
        make_mail(carrier->runtime, carrier, RH_MAIL_ASK,
                  &(struct sending){sender, to, type, payload, size, "rh_ask", file, line});
    delivery->cell->wait = &wait;
    if (request)
        dispatch(carrier->runtime, carrier, request);
    rh_suspend(carrier, &wait);
    delivery->cell->wait = NULL;
    wait.reply->next = delivery->replies;
    delivery->replies = wait.reply;
    if (carrier->lane)
        rh_record_delivery(carrier->lane, delivery->cell, wait.reply, true);
    carrier->post.counts.delivered++;
    errno = 0;
    return (const rh_message *)wait.reply;
}

static void answer(struct rh_carrier *carrier, const struct rh_mail *request,
                   const struct sending *sending)
{
    struct rh_runtime *runtime = carrier->runtime;
    struct rh_mail *reply = make_mail(runtime, carrier, RH_MAIL_REPLY, sending);
    if (__builtin_expect(runtime->options.transit_us > 0, 0))
        dispatch(runtime, carrier, reply);
    else
        rh_resume_with(rh_address_cell(&runtime->cells, request->sender)->wait, reply);
}

void rh__reply_threaded(const rh_message *message, const struct rh_type *type, const void *payload,
                        size_t size, const char *file, int line)
{
    struct rh_delivery *delivery = handler_now("rh_reply", file, line);
    struct rh_carrier *carrier = rh__local.carrier;
    struct rh_mail *request = delivery->mail;
    if (message != (const rh_message *)request)
        rh_runtime_fail(file, line, "rh_reply to a message that this behaviour is not handling");
    if (request->kind == RH_MAIL_ASK && request->replied)
        rh_runtime_fail(file, line, "second rh_reply to one %s", request->type->name);
    request->replied = true;
    struct sending sending = {
        .sender = rh_cell_address(&carrier->runtime->cells, delivery->cell),
        .to = request->sender,
        .type = type,
        .payload = payload,
        .size = size,
        .operation = "rh_reply",
        .file = file,
        .line = line,
    };
    if (request->kind == RH_MAIL_ASK)
        answer(carrier, request, &sending);
    else
        send_plain(carrier, &sending);
}

// Actors.

static void set_behaviour(const struct rh_runtime *runtime, struct rh_cell *cell,
                          rh_behaviour *behaviour, const char *name)
{
    cell->behaviour = behaviour;
    cell->behaviour_name = rh_behaviour_name(behaviour, name, NULL);
    cell->guard = runtime->has_guards ? rh_program_find_guard(behaviour) : NULL;
}

static void set_state(struct rh_cell *cell, const void *state, size_t size)
{
    cell->state = NULL;
    if (size > RH_CELL_SMALL) {
        cell->state = malloc(size);
        if (!cell->state)
            rh_panic("no memory for a state of %zu bytes", size);
    } else if (size > 0) {
        cell->state = cell->small;
    }
    if (size > 0)
        memcpy(cell->state, state, size);
}

static void record_birth(struct rh_runtime *runtime, const struct rh_carrier *carrier,
                         struct rh_cell *cell)
{
    rh_record_birth(carrier ? carrier->lane : rh_recorder_enter(runtime->recorder), cell);
    if (!carrier)
        rh_recorder_leave(runtime->recorder);
}

// The number of the next actor of this behaviour that setup, or a thread from outside, creates. The
// caller has outside_lock.
static uint16_t number_outside(struct rh_runtime *runtime, const char *name)
{
    size_t i = 0;
    while (i < runtime->created.count && strcmp(runtime->created.items[i].name, name) != 0)
        i++;
    if (i == runtime->created.count)
        *rh_vector_push(&runtime->created) = (struct rh_created){name, 0};
    uint32_t number = ++runtime->created.items[i].count;
    return number <= UINT16_MAX ? (uint16_t)number : 0;
}

// A cell for a new actor, which has everything but its state. Its mailbox is closed.
static inline struct rh_cell *new_cell(struct rh_runtime *runtime, struct rh_carrier *carrier,
                                       rh_behaviour *behaviour, const char *behaviour_name)
{
    struct rh_post *post = rh_post_enter(runtime, carrier);
    struct rh_cell *cell = rh_cells_take(&runtime->cells, &post->cells);
    post->counts.spawned++;
    set_behaviour(runtime, cell, behaviour, behaviour_name);
    cell->spawned_name = cell->behaviour_name;
    cell->number = carrier ? 0 : number_outside(runtime, cell->spawned_name);
    rh_post_leave(runtime, carrier);
    cell->inbox = cell->refused = cell->last_refused = NULL;
    cell->wait = NULL;
    cell->at_stop = NULL;
    cell->stopping = false;
    __atomic_store_n(&cell->receptionist, false, __ATOMIC_RELAXED);
    return cell;
}

static inline void begin_actor(struct rh_cell *cell, const void *state, size_t size,
                               const char *file, int line)
{
    set_state(cell, state, size);
    cell->file = file;
    cell->line = (unsigned)line & RH_CELL_LINE_MASK;
    cell->status = RH_CELL_ALIVE;
}

// Records an actor that a thread from outside creates; what setup creates needs no record.
static void record_creation(struct rh_runtime *runtime, const struct rh_cell *cell,
                            const struct rh_type *type, size_t size)
{
    if (runtime->in_setup)
        return;
    rh_record_creation(rh_recorder_enter(runtime->recorder), cell, type, size);
    rh_recorder_leave(runtime->recorder);
}

rh_actor *rh__spawn_threaded(rh_behaviour *behaviour, const char *behaviour_name,
                             const struct rh_type *type, const void *state, size_t size,
                             const char *file, int line)
{
    struct rh_carrier *carrier = rh__local.carrier;
    struct rh_runtime *runtime = runtime_now();
    sender_now(carrier, "rh_spawn", file, line);
    struct rh_cell *cell = new_cell(runtime, carrier, behaviour, behaviour_name);
    begin_actor(cell, state, size, file, line);
    rh_actor *address = rh_cell_address(&runtime->cells, cell);
    if (__builtin_expect(runtime->recorder != NULL, 0)) {
        record_birth(runtime, carrier, cell);
        if (!carrier)
            record_creation(runtime, cell, type, size);
    }
    rh_mailbox_open(&cell->mailbox);
    return address;
}

// Where the actors that this handler, or the outside, has reserved and not spawned are listed.
static struct rh_cell **reserved_by(struct rh_runtime *runtime, const struct rh_carrier *carrier)
{
    return carrier ? &carrier->delivery->reserved : &runtime->reserved;
}

rh_actor *rh__reserve_threaded(rh_behaviour *behaviour, const char *behaviour_name,
                               const char *file, int line)
{
    struct rh_carrier *carrier = rh__local.carrier;
    struct rh_runtime *runtime = runtime_now();
    sender_now(carrier, "rh_reserve", file, line);
    struct rh_cell *cell = new_cell(runtime, carrier, behaviour, behaviour_name);
    begin_actor(cell, NULL, 0, file, line);
    cell->status = RH_CELL_RESERVED;
    if (runtime->recorder)
        record_birth(runtime, carrier, cell);
    rh_post_enter(runtime, carrier);
    struct rh_cell **list = reserved_by(runtime, carrier);
    cell->reserved_before = *list;
    *list = cell;
    rh_post_leave(runtime, carrier);
    rh_mailbox_reserve(&cell->mailbox);
    return rh_cell_address(&runtime->cells, cell);
}

// Takes the actor off the list of those that are reserved; false if it is not there.
static bool take_reserved(struct rh_runtime *runtime, struct rh_carrier *carrier,
                          struct rh_cell *cell)
{
    rh_post_enter(runtime, carrier);
    struct rh_cell **at = reserved_by(runtime, carrier);
    while (*at && *at != cell)
        at = &(*at)->reserved_before;
    bool is_there = *at != NULL;
    if (is_there)
        *at = cell->reserved_before;
    rh_post_leave(runtime, carrier);
    return is_there;
}

void rh__spawn_at_threaded(rh_actor *actor, const struct rh_type *type, const void *state,
                           size_t size, const char *file, int line)
{
    struct rh_carrier *carrier = rh__local.carrier;
    struct rh_runtime *runtime = runtime_now();
    sender_now(carrier, "rh_spawn_at", file, line);
    struct rh_cell *cell = rh_address_cell(&runtime->cells, actor);
    if (!cell || !take_reserved(runtime, carrier, cell))
        rh_runtime_fail(file, line,
                        "rh_spawn_at of an address that was not reserved in this delivery, or was "
                        "spawned already");
    begin_actor(cell, state, size, file, line);
    cell->at_stop = NULL;
    if (!carrier && runtime->recorder)
        record_creation(runtime, cell, type, size);
    if (!rh_mailbox_settle(&cell->mailbox))
        rh_schedule(runtime, carrier, cell);
}

void rh__check_reserved(const struct rh_runtime *runtime, const struct rh_cell *cell)
{
    char name[RH_NAME_SIZE];
    rh_cell_name(runtime, cell, name);
    rh_runtime_fail(cell->file, (int)cell->line,
                    "%s was reserved and never spawned: call rh_spawn_at in the same delivery, or "
                    "in setup",
                    name);
}

void rh__become_threaded(rh_behaviour *behaviour, const char *behaviour_name, const char *file,
                         int line)
{
    struct rh_delivery *delivery = handler_now("rh_become", file, line);
    set_behaviour(runtime_now(), delivery->cell, behaviour, behaviour_name);
}

void rh__stop_threaded(const char *file, int line)
{
    handler_now("rh_stop", file, line)->cell->stopping = true;
}

void rh_at_stop_threaded(rh_stop_function *function)
{
    handler_now("rh_at_stop", NULL, 0)->cell->at_stop = function;
}

rh_actor *rh_self_threaded(void)
{
    struct rh_carrier *carrier = rh__local.carrier;
    return carrier && carrier->delivery
               ? rh_cell_address(&carrier->runtime->cells, carrier->delivery->cell)
               : NULL;
}

// Messages.

const void *rh__as_threaded(const rh_message *message, const struct rh_type *type)
{
    struct rh_mail *mail = (struct rh_mail *)message;
    if (!rh_same_type(mail->type, type))
        return NULL;
    mail->handled = true;
    return mail->payload;
}

void rh_ignore_threaded(const rh_message *message)
{
    ((struct rh_mail *)message)->handled = true;
}

void rh__unhandled_threaded(const rh_message *message, const char *file, int line)
{
    rh_runtime_fail(file, line, "%s should not have come here",
                    ((const struct rh_mail *)message)->type->name);
}

rh_actor *rh_sender_threaded(const rh_message *message)
{
    return ((const struct rh_mail *)message)->sender;
}

size_t rh_size_threaded(const rh_message *message)
{
    return ((const struct rh_mail *)message)->size;
}

const char *rh_name_threaded(const rh_message *message)
{
    return ((const struct rh_mail *)message)->type->name;
}

// The block stays where it is: on threads all actors have one heap.
void *rh__give_threaded(void *pointer, const char *file, int line)
{
    sender_now(rh__local.carrier, "rh_give", file, line);
    return pointer;
}

// The rest.

int rh__choose_threaded(int count, const char *file, int line)
{
    struct rh_carrier *carrier = rh__local.carrier;
    sender_now(carrier, "rh_choose", file, line);
    if (count <= 0)
        rh_runtime_fail(file, line, "rh_choose(%d): nothing to choose from", count);
    struct rh_post *post = rh_post_enter(runtime_now(), carrier);
    int outcome = (int)rh_rng_below(&post->rng, (uint64_t)count);
    rh_post_leave(runtime_now(), carrier);
    if (__builtin_expect(runtime_now()->recorder != NULL, 0))
        rh__record_answer("rh_choose", (uint64_t)count << 32 | (uint64_t)outcome);
    return outcome;
}

void rh_progress_threaded(void)
{
    handler_now("rh_progress", NULL, 0);
}

// On threads no schedule gives values.
const void *rh__input_threaded(const char *type, size_t size, const char *name)
{
    static const _Alignas(16) char zeros[INPUT_MOST];
    if (size > sizeof zeros)
        rh_runtime_fail(NULL, 0, "rh_input of %s: the type %s has more than %d bytes", name, type,
                        INPUT_MOST);
    return zeros;
}

int rh__parameter_threaded(const char *name, int value)
{
    (void)name;
    return value;
}

void rh__check_threaded(bool holds, const char *condition, const char *file, int line)
{
    if (__builtin_expect(holds, 1))
        return;
    const struct rh_runtime_judge *judge = runtime_now()->judging;
    if (judge)
        rh_runtime_fail(file, line, "%s %s does not hold: %s",
                        judge->at_end ? "final" : "invariant", judge->name, condition);
    rh_runtime_fail(file, line, "check failed: %s", condition);
}
