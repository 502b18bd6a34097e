// SPDX-License-Identifier: MIT
// Delivering a message and undoing it.
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/valgrind.h"
#include "entry/constructors.h"
#include "entry/stack.h"
#include "libc/streams.h"
#include "memory/early.h"
#include "memory/globals.h"
#include "result/tape.h"
#include "world/channel.h"
#include "world/commons.h"
#include "world/fault.h"
#include "world/foreign.h"
#include "world/library_image.h"
#include "world/state/held.h"
#include "world/undo.h"
#include "world/unset.h"
#include "world/variables.h"
#include "world/verify.h"
#include "world/world.h"

// Copies in steps of 16 bytes, up to 15 too many: slots, payloads and the undo stack have room, and
// the bytes behind are zero or not in use. For the few bytes of most states a call of memcpy costs
// more.
static inline void copy_rounded(void *to, const void *from, size_t size)
{
    typedef uint64_t vector __attribute__((vector_size(16), aligned(8), may_alias));
    if (size > 512) {
        memcpy(to, from, size);
        return;
    }
    for (size_t i = 0; i < size; i += sizeof(vector))
        *(vector *)((char *)to + i) = *(const vector *)((const char *)from + i);
}

// Nothing keeps a handler from writing into a message that it handles.
static void save_payload(struct rh_world *world, const struct rh_message *message)
{
    copy_rounded(world->undo + world->undo_top, message->payload, message->size);
    world->undo_top += rh_undo_round_up(message->size);
}

static void save(struct rh_world *world, uint32_t index, const struct rh_message *message,
                 struct rh_actor_record *receiver)
{
    struct rh_undo_record *undo = (struct rh_undo_record *)(world->undo + world->undo_top);
    // Field by field: no place is hotter, and an initializer would clear the whole record first.
    undo->previous = world->undo_last;
    undo->message = index;
    undo->receiver = message->receiver;
    copy_rounded(&undo->record, receiver, RH_RECORD_SAVED);
    undo->actor_count = world->actor_count;
    undo->message_count = world->message_count;
    undo->number = world->number;
    undo->busy_count = world->busy_count;
    undo->payload_top = world->payload_top;
    undo->payload = message->payload;
    undo->fingerprint = world->fingerprint;
    undo->faults = world->faults;
    undo->globals = 0;
    undo->tape_top = world->options.tape ? world->options.tape->top : 0;
    undo->has_memory = !receiver->is_saved;
    receiver->is_saved = world->options.saves_once;
    size_t size = rh_undo_memory_size(undo);
    copy_rounded(undo + 1, rh_slot_base(message->receiver) + RH_STATE_OFFSET, size);
    world->undo_last = world->undo_top;
    world->undo_top += rh_undo_round_up(sizeof *undo + size);
    save_payload(world, message);
    if (message->kind == RH_REPLY)
        save_payload(world, &world->messages[receiver->handling]);
    undo->others = world->has_commons ? rh_commons_save(world, message->receiver) : 0;
    world->undo_count++;
}

static void unlink_pending(struct rh_world *world, uint32_t index)
{
    struct rh_message *message = &world->messages[index];
    message->pending = false;
    if (message->previous == RH_NONE)
        world->first_pending = message->next;
    else
        world->messages[message->previous].next = message->next;
    if (message->next == RH_NONE)
        world->last_pending = message->previous;
    else
        world->messages[message->next].previous = message->previous;
    world->pending_count--;
}

// The reverse of unlink_pending; the message still knows its neighbours.
static void relink_pending(struct rh_world *world, uint32_t index)
{
    struct rh_message *message = &world->messages[index];
    message->pending = true;
    if (message->previous == RH_NONE)
        world->first_pending = index;
    else
        world->messages[message->previous].next = index;
    if (message->next == RH_NONE)
        world->last_pending = index;
    else
        world->messages[message->next].previous = index;
    world->pending_count++;
}

size_t rh_world_receivers(struct rh_world *world)
{
    world->receivers.count = 0;
    world->stamp++;
    size_t offset = world->undo_last;
    for (size_t i = 0; i < world->undo_count; i++) {
        const struct rh_undo_record *undo = (struct rh_undo_record *)(world->undo + offset);
        offset = undo->previous;
        if (world->actors[undo->receiver].stamp == world->stamp)
            continue;
        world->actors[undo->receiver].stamp = world->stamp;
        *rh_vector_push(&world->receivers) = undo->receiver;
    }
    return world->receivers.count;
}

static void drop_new(struct rh_world *world, const struct rh_undo_record *undo)
{
    while (world->message_count > undo->message_count) {
        uint32_t index = --world->message_count;
        if (!world->messages[index].pending)
            continue; // lost, or a crash
        unlink_pending(world, index);
        rh_channel_pop(world, index);
    }
    while (world->actor_count > undo->actor_count) {
        uint32_t slot = --world->actor_count;
        if (!world->actors[slot].is_unplaced)
            rh_heap_clear(&world->actors[slot].heap, slot);
    }
}

void rh_undo_restore_actor(struct rh_world *world, uint32_t slot,
                           const struct rh_actor_record *record, const void *memory)
{
    struct rh_actor_record *actor = &world->actors[slot];
    char *base = rh_slot_base(slot);
    uint32_t used = record->heap.used;
    if (actor->heap.used > used)
        memset(base + used, 0, actor->heap.used - used);
    if (memory)
        copy_rounded(base + RH_STATE_OFFSET, memory, used - RH_STATE_OFFSET);
    copy_rounded(actor, record, RH_RECORD_SAVED);
}

static void restore_payloads(struct rh_world *world, const struct rh_undo_record *undo)
{
    const struct rh_message *message = &world->messages[undo->message];
    const char *saved = rh_undo_payload(undo);
    copy_rounded(message->payload, saved, message->size);
    if (message->kind != RH_REPLY)
        return;
    saved += rh_undo_round_up(message->size);
    message = &world->messages[undo->record.handling];
    copy_rounded(message->payload, saved, message->size);
}

void rh_world_undo(struct rh_world *world)
{
    rh_assert(rh_world_can_undo(world));
    struct rh_undo_record *undo = (struct rh_undo_record *)(world->undo + world->undo_last);
    rh_assert(undo->message_count <= world->message_count &&
              undo->actor_count <= world->actor_count && undo->number < world->number);
    drop_new(world, undo);
    if (world->options.tape)
        world->options.tape->top = undo->tape_top;
    if (undo->globals)
        rh_variables_restore(world, undo->globals);
    rh_undo_restore_actor(world, undo->receiver, &undo->record, undo->has_memory ? undo + 1 : NULL);
    if (undo->others)
        rh_commons_restore(world, undo->others);
    world->has_commons = undo->others != 0;
    struct rh_message *message = &world->messages[undo->message];
    message->payload = undo->payload;
    restore_payloads(world, undo);
    if (message->kind != RH_CRASH) {
        relink_pending(world, undo->message);
        rh_channel_restore(world, undo->message);
    }
    world->payload_top = undo->payload_top;
    if (undo->globals && world->options.fingerprints)
        rh_held_renew(world);
    world->fingerprint = undo->fingerprint;
    world->faults = undo->faults;
    world->number = undo->number;
    world->busy_count = undo->busy_count;
    world->undo_top = world->undo_last;
    world->undo_last = undo->previous;
    world->undo_count--;
    world->failed = false;
    if (world->arrivals.count > 0)
        rh_world_forget_arrivals(world);
    rh_verify_undone(world);
}

// Running the program's code.

static char *take_stack(struct rh_world *world)
{
    if (rh__process.owns_malloc)
        return RH_STACK_START;
    if (world->stack_top)
        return world->stack_top;
    if (world->free_stacks.count > 0)
        return world->stack_top = world->free_stacks.items[--world->free_stacks.count];
    char *base = mmap(NULL, RH_STACK_SIZE, rh_stack_protection(),
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        rh_panic("no memory for another handler's stack");
    mprotect(base, 4096, PROT_NONE);
    rh_valgrind_add_stack(base, base + RH_STACK_SIZE);
    return world->stack_top = base + RH_STACK_SIZE;
}

// AddressSanitizer marks the frames that an abandoned handler leaves behind; they must be usable
// again.
static void forget_frames(const char *top)
{
    extern void __asan_unpoison_memory_region(const volatile void *, size_t) __attribute__((weak));
    if (__asan_unpoison_memory_region)
        __asan_unpoison_memory_region(top - RH_STACK_SIZE + 4096, RH_STACK_SIZE - 4096);
}

static struct rh_float_mode get_float_mode(void)
{
    struct rh_float_mode mode;
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mode.sse), "=m"(mode.x87));
    return mode;
}

static void set_float_mode(struct rh_float_mode mode)
{
    __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(mode.sse), "m"(mode.x87));
}

// The mode that every program starts with.
static const struct rh_float_mode start_mode = {0x1f80, 0x37f};

// A handler's mode is its own, and the tool computes with the usual one.
static void reset_float_mode(void)
{
    struct rh_float_mode mode = get_float_mode();
    if (mode.sse != start_mode.sse || mode.x87 != start_mode.x87)
        set_float_mode(start_mode);
}

// What the tool has computed leaves flags, such as "inexact". No handler sees them.
static void clear_float_flags(void)
{
    if (__builtin_expect(__builtin_ia32_stmxcsr() != start_mode.sse, 0))
        __builtin_ia32_ldmxcsr(start_mode.sse);
}

// Out of line: few handlers change the mask, and come_back is called after all of them.
static __attribute__((noinline)) void check_signal_mask(struct rh_world *world)
{
    sigset_t mask;
    world->keeps_signal_mask = false;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    for (int signal = 1; signal < NSIG; signal++)
        if (sigismember(&mask, signal) != sigismember(&world->signal_mask, signal))
            rh_world_cannot_undo("sigprocmask");
}

// Compilers and libc rely on it that functions leave this flag clear.
static void check_direction(struct rh_world *world)
{
    enum { DIRECTION_FLAG = 0x400 };
    if (__builtin_expect(!(__builtin_ia32_readeflags_u64() & DIRECTION_FLAG), 1))
        return;
    __asm__ volatile("cld");
    rh_world_give_in(world, world->stage, "the handler has left the direction flag set");
}

// libc finds by the thread pointer what each thread has for itself. Where it points nowhere this
// faults, and the signal's handler says why.
static void check_thread_pointer(struct rh_world *world)
{
    if (__builtin_expect(rh_thread_pointer() != world->thread_pointer, 0))
        rh_world_give_in(world, world->stage, "the handler has changed the thread pointer");
}

// A process that a handler forked ends where the handler does.
static void end_child(void)
{
    if (rh__process.is_child)
        _exit(0);
}

// Comes back from the program's code.
static void come_back(struct rh_world *world)
{
    end_child();
    rh_fence_ask(&world->fence, false);
    check_direction(world);
    check_thread_pointer(world);
    reset_float_mode();
    rh__process.in_handler = 0;
    rh__process.taking.message = NULL;
    if (world->keeps_signal_mask)
        check_signal_mask(world);
    rh__process.world_stack = NULL;
    world->inside = false;
    rh_world_check_reserved(world);
    world->stage = RH_STAGE_TOOL;
}

bool rh_world_call(struct rh_world *world, enum rh_stage stage, uint32_t slot,
                   const struct rh_call *call)
{
    char *top = take_stack(world);
    world->current = slot;
    world->stage = stage;
    world->inside = true;
    if (rh__process.owns_malloc)
        rh_frames_clear(&world->frames);
    if (stage == RH_STAGE_GUARD || stage == RH_STAGE_JUDGE)
        rh_globals_rewatch();
    *world->errno_at = 0;
    rh__process.in_handler = stage == RH_STAGE_HANDLER || stage == RH_STAGE_SETUP;
    clear_float_flags();
    rh_fence_ask(&world->fence, world->frames.is_closed);
    void *announced = rh_stack_announce(top);
    world->answer = rh_stack_start(&rh__process.world_stack, top, call);
    rh_stack_withdraw(announced);
    come_back(world);
    if (world->failed)
        forget_frames(top);
    return !world->failed;
}

// From now on the running handler may take the message that it was called with.
static void begin_taking(struct rh_world *world, struct rh_actor_record *record)
{
    rh__process.taking = (struct rh_taking){.message = &world->messages[record->handling],
                                            .handled = &record->handled,
                                            .types = world->type_cache};
}

static bool call_handler(struct rh_world *world, struct rh_actor_record *record,
                         const struct rh_message *message)
{
    begin_taking(world, record);
    const struct rh_adapter_ops *adapter = world->options.adapter;
    const rh_actor *self = rh_world_address(message->receiver);
    struct rh_call call = {(void (*)(void))record->behaviour, {self, record->state, message}};
    if (adapter->process)
        call = (struct rh_call){(void (*)(void))adapter->process, {self, message}};
    return rh_world_call(world, RH_STAGE_HANDLER, message->receiver, &call);
}

// Puts the suspended handler's stack into its actor's memory.
static void keep_stack(struct rh_world *world, struct rh_actor_record *record)
{
    if (!rh__process.owns_malloc) {
        record->saved_stack = world->stack_top;
        world->stack_top = NULL;
        return;
    }
    record->saved_size = (uint32_t)(RH_STACK_START - (char *)record->stack_pointer);
    record->saved_stack = rh_heap_alloc(&record->heap, world->current, record->saved_size);
    if (!record->saved_stack)
        rh_world_reach_limit(world,
                             "the waiting handler of %s does not fit into its actor's memory",
                             record->behaviour_name);
    memcpy(record->saved_stack, record->stack_pointer, record->saved_size);
}

static void bring_stack_back(struct rh_world *world, struct rh_actor_record *record)
{
    if (!rh__process.owns_malloc) {
        if (world->stack_top)
            *rh_vector_push(&world->free_stacks) = world->stack_top;
        world->stack_top = record->saved_stack;
        return;
    }
    rh_frames_clear(&world->frames);
    memcpy(record->stack_pointer, record->saved_stack, record->saved_size);
    rh_heap_free(&record->heap, world->current, record->saved_stack);
    record->saved_stack = NULL;
}

void rh_world_wait(struct rh_world *world, uint32_t request, void *handler)
{
    struct rh_actor_record *record = &world->actors[world->current];
    record->status = RH_ACTOR_WAITING;
    record->request = request;
    record->stack_pointer = handler;
    record->resume_at = ((const void **)handler)[6];
    record->float_mode = get_float_mode();
    world->suspended = true;
}

static void resume_handler(struct rh_world *world)
{
    struct rh_actor_record *record = &world->actors[world->current];
    bring_stack_back(world, record);
    record->status = RH_ACTOR_IDLE;
    world->stage = RH_STAGE_HANDLER;
    world->inside = true;
    *world->errno_at = 0;
    rh__process.in_handler = 1;
    begin_taking(world, record);
    set_float_mode(record->float_mode);
    rh_fence_ask(&world->fence, world->frames.is_closed);
    void *announced =
        rh_stack_announce(rh__process.owns_malloc ? RH_STACK_START : world->stack_top);
    rh_stack_resume(&rh__process.world_stack, record->stack_pointer,
                    &world->messages[world->delivering]);
    rh_stack_withdraw(announced);
    come_back(world);
}

// After the handler.

static void stop_actor(struct rh_world *world, uint32_t slot)
{
    struct rh_actor_record *record = &world->actors[slot];
    const struct rh_call at_stop = {(void (*)(void))record->at_stop,
                                    {rh_world_address(slot), record->state}};
    rh_gift_protect(world, slot, record->at_stop != NULL);
    bool holds = !record->at_stop || rh_world_call(world, RH_STAGE_HANDLER, slot, &at_stop);
    rh_gift_protect(world, slot, false);
    if (!holds)
        return;
    if (world->suspended) {
        const struct rh_message *request = &world->messages[record->request];
        record->status = RH_ACTOR_IDLE;
        rh_world_fail(world, RH_FINDING_CHECK, request->file, request->line,
                      "rh_ask in a function given to rh_at_stop: a stopped actor gets no reply");
        return;
    }
    rh_library_forget(world, slot);
    if (record->heap.live_count > 0 && world->options.watch_globals && rh__process.owns_malloc)
        world->has_commons |= rh_variables_reach_actors(world);
    rh_world_check_leaks(world, slot, true);
    record->status = RH_ACTOR_STOPPED;
    rh_world_drop_memory(world, slot);
}

static bool is_suppressed(struct rh_world *world, const char *kind, const char *behaviour,
                          const char *type)
{
    struct rh_text name = {0};
    rh_identity_add_behaviour(&name, behaviour);
    bool match = world->options.suppressions &&
                 rh_suppressions_match(world->options.suppressions, kind, rh_text_get(&name), type);
    rh_text_fini(&name);
    return match;
}

static void finish_handler(struct rh_world *world, uint32_t slot,
                           const struct rh_actor_record *record)
{
    if (!record->handled) {
        const struct rh_message *message = &world->messages[record->handling];
        if (!is_suppressed(world, "unhandled", record->behaviour_name, message->type->name))
            rh_world_fail(world, RH_FINDING_UNHANDLED, message->file, message->line,
                          "%s was not handled", message->type->name);
    }
    if (!world->failed && record->stopping)
        stop_actor(world, slot);
}

static void begin_step(struct rh_world *world, uint32_t index, const struct rh_message *message,
                       struct rh_actor_record *receiver)
{
    world->number++;
    world->delivering = index;
    world->current = message->receiver;
    world->delivery = message->identity;
    world->generation++;
    world->tallies.count = 0;
    rh_table_clear(&world->tally_table);
    world->suspended = false;
    world->failed = world->progressed = false;
    world->tag = message->first_from_creator ? 0 : message->identity;
    receiver->changed_in = world->generation;
}

static void begin(struct rh_world *world, uint32_t index, struct rh_message *message,
                  struct rh_actor_record *receiver)
{
    unlink_pending(world, index);
    rh_channel_remove(world, index);
    begin_step(world, index, message, receiver);
    if (receiver->now < message->now)
        receiver->now = message->now;
    if (message->kind == RH_TIMER && receiver->now < message->due)
        receiver->now = message->due;
    if (message->gifts > 0)
        rh_gift_arrive(world, message);
}

// Whether the handler has left the record of its message and what lies behind it alone.
static bool is_whole(const struct rh_world *world, const struct rh_message *message)
{
    return message->identity == world->delivery && rh_message_is_guarded(message);
}

static void run(struct rh_world *world, uint32_t index, struct rh_message *message,
                struct rh_actor_record *receiver)
{
    world->crash_text[0] = '\0';
    if (receiver->library_image)
        rh_library_enter(receiver);
    rh_globals_rewatch();
    if (receiver->has_given)
        rh_gift_protect(world, message->receiver, true);
    message->earlier = message->kind == RH_REPLY ? receiver->received : RH_NONE;
    receiver->received = index;
    if (message->kind == RH_REPLY) {
        resume_handler(world);
    } else {
        receiver->handling = index;
        receiver->handled = receiver->replied = receiver->stopping = false;
        call_handler(world, receiver, message);
    }
    if (__builtin_expect(!is_whole(world, message), 0))
        rh_world_give_in(world, RH_STAGE_HANDLER,
                         "the handler has overwritten its message and what lies behind it");
    if (receiver->has_given)
        rh_gift_protect(world, message->receiver, false);
    world->gifts.count = 0;
}

void rh_world_take_output(struct rh_world *world)
{
    if (world->options.trace_output >= 0)
        rh_trace_output(world);
    else if (__fpending(stdout) > 0)
        world->options.pass_output ? (void)fflush(stdout) : __fpurge(stdout);
}

// Settles a delivery whose handler has ended, waits, or was abandoned.
static void settle(struct rh_world *world, uint32_t slot, struct rh_actor_record *record,
                   bool was_busy)
{
    if (!world->failed && world->suspended)
        keep_stack(world, record);
    else if (!world->failed)
        finish_handler(world, slot, record);
    world->current = slot;
    if (record->state && record->state_type && record->state_type->mask)
        rh_world_clear_padding(record);
    if (rh_unset_looks(world))
        rh_unset_check_state(world, slot, NULL, 0);
    if (world->options.watch_globals) {
        if (world->options.private_libraries)
            rh_library_leave(world, slot);
        size_t saved = rh_variables_settle(world);
        if (saved && world->options.keep_undo)
            ((struct rh_undo_record *)(world->undo + world->undo_last))->globals = saved;
        if (world->options.fingerprints)
            rh_held_renew(world);
    }
    world->busy_count += rh_actor_is_busy(record) - was_busy;
    rh_world_take_output(world);
    if (world->options.fingerprints)
        rh_fingerprint_actor(world, slot);
    if (world->has_commons)
        rh_commons_settle(world, slot);
    if (world->options.tape)
        rh_trace_state(world, slot, 1);
    if (!world->failed && world->judges.count > 0)
        rh_world_judge(world, false);
}

static void hand_over(struct rh_world *world, uint32_t index, struct rh_message *message,
                      struct rh_actor_record *receiver)
{
    if (__builtin_expect(!rh_message_is_guarded(message), 0))
        rh_world_give_in(world, RH_STAGE_TOOL, "a pending message was overwritten");
    begin(world, index, message, receiver);
    if (world->options.tape) {
        rh_trace_message(world, message, true);
        rh_trace_state(world, message->receiver, 0);
    }
    if (world->options.before_delivery)
        world->options.before_delivery(world, index);
    run(world, index, message, receiver);
}

bool rh_world_deliver(struct rh_world *world, uint32_t index)
{
    struct rh_message *message = &world->messages[index];
    uint32_t slot = message->receiver;
    struct rh_actor_record *receiver = &world->actors[slot];
    bool was_busy = rh_actor_is_busy(receiver);
    rh_assert(message->pending == (message->kind != RH_CRASH) && world->delivering == RH_NONE);
    rh_world_place(world, slot);
    rh_verify_begin(world);
    if (world->options.keep_undo)
        save(world, index, message, receiver);
    if (message->kind == RH_CRASH) {
        begin_step(world, index, message, receiver);
        rh_fault_crash(world, index);
    } else {
        hand_over(world, index, message, receiver);
    }
    settle(world, slot, receiver, was_busy);
    world->delivering = RH_NONE;
    world->current = 0;
    rh_world_let_arrive(world);
    rh_verify_end(world, slot);
    return !world->failed;
}

// Handlers may use a stream that is open when the test's body ends, and share what it holds,
// without a call that we see. So nothing can be undone from here on; whatever else the body did
// stays done, and no search goes back behind it.
static void note_streams(struct rh_world *world)
{
    world->cannot_undo = NULL;
    world->has_stream = !world->options.adapter->keeps_state &&
                        (world->memory_streams > 0 || rh_streams_has_others());
    if (world->has_stream)
        rh_world_cannot_undo("fopen");
    world->has_foreign_memory = !world->options.adapter->keeps_state && rh_foreign_has_allocated();
}

// Where the program keeps its state itself they come before main, on its thread.
static bool run_constructors(struct rh_world *world)
{
    if (world->options.adapter->keeps_state || !rh_constructors_are_due())
        return true;
    rh_early_resume();
    const struct rh_call call = {rh_constructors_run, {NULL}};
    bool holds = rh_world_call(world, RH_STAGE_SETUP, 0, &call);
    rh_early_end();
    rh_globals_learn_early();
    return holds;
}

// What the schedule makes once the test's body has run.
static void make_scheduled(struct rh_world *world)
{
    rh_world_send_scheduled(world);
    rh_world_expect_arrivals(world);
    rh_world_let_come(world);
}

// Remembers the world that a generated schedule begins with: there is nothing but the outside.
static void keep_start(struct rh_world *world)
{
    if (!world->options.inputs || !world->options.inputs->is_generated)
        return;
    world->start = rh_alloc(sizeof *world->start);
    *world->start = (struct rh_undo_record){
        .record = world->actors[0],
        .actor_count = world->actor_count,
        .message_count = world->message_count,
        .payload_top = world->payload_top,
        .fingerprint = world->fingerprint,
        .tape_top = world->options.tape ? world->options.tape->top : 0,
    };
}

void rh_world_begin_again(struct rh_world *world)
{
    const struct rh_undo_record *start = world->start;
    rh_assert(start && world->number == 0 && world->undo_count == 0);
    drop_new(world, start);
    rh_world_drop_arrivals(world);
    world->actors[0] = start->record;
    world->payload_top = start->payload_top;
    world->fingerprint = start->fingerprint;
    if (world->options.tape)
        world->options.tape->top = start->tape_top;
    world->delivery = rh_identity_body();
    world->tag = 0;
    world->generation++;
    make_scheduled(world);
}

static bool has_parameter(const struct rh_world *world, const char *name)
{
    for (size_t i = 0; i < world->parameters.count; i++)
        if (!strcmp(world->parameters.items[i].name, name))
            return true;
    return false;
}

void rh_world_note_parameter(struct rh_world *world, const char *name, int value)
{
    if (!has_parameter(world, name))
        *rh_vector_push(&world->parameters) = (struct rh_parameter){name, value};
}

// Whoever sets a parameter on the command line means one that there is.
static void check_parameters(const struct rh_world *world, const struct rh_test *test)
{
    const struct rh_schedule *inputs = world->options.inputs;
    for (size_t i = 0; inputs && i < inputs->inputs.count; i++)
        if (inputs->inputs.items[i].line == 0 &&
            !has_parameter(world, inputs->inputs.items[i].name))
            rh_world_bad_input(world, rh_bad_input("test %s has no parameter %s: its body does not "
                                                   "call rh_parameter for it",
                                                   test->name, inputs->inputs.items[i].name));
}

bool rh_world_setup(struct rh_world *world, const struct rh_test *test)
{
    world->delivery = rh_identity_body();
    world->generation++;
    world->tag = 0;
    if (world->options.faults.crashes > 0)
        rh_fault_setup(world);
    bool holds = run_constructors(world) &&
                 rh_world_call(world, RH_STAGE_SETUP, 0, &(struct rh_call){test->body, {NULL}});
    world->body_actor_count = world->actor_count;
    rh_world_settle_states(world);
    rh_world_take_output(world);
    note_streams(world);
    if (holds) {
        check_parameters(world, test);
        rh_world_add_judges(world, test);
        keep_start(world);
        make_scheduled(world);
    }
    if (world->options.watch_globals)
        rh_variables_watch(world);
    if (holds && world->judges.count > 0)
        holds = rh_world_judge(world, false);
    return holds;
}
