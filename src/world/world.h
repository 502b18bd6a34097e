// SPDX-License-Identifier: MIT
// One controlled execution: its actors, its pending messages, its logical clocks; delivering a
// message and undoing that.
//
// Invariants:
//  1. Actors and messages are numbered in order of appearance. Undo is last in, first out, so the numbers
//     above those of an undone delivery are free again and the arrays behave as stacks.
//  2. `fingerprint` is the sum of the hashes of all actors, of all pending messages (weighted by their place in
//     their channel), of all pages of globals that differ from the start, of what the test's body has chosen, since
//     it may have left that in globals, and of the faults there have been.
//  3. A delivery changes its receiver, removes one message, adds messages and actors, may change globals, and
//     nothing else.
//
// Thread rule: one world in a process, used by one thread.
#ifndef REHEARSE_WORLD_WORLD_H
#define REHEARSE_WORLD_WORLD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rehearse/adapter.h>
#include <rehearse/test.h>

#include "base/hash.h"
#include "base/status.h"
#include "base/vector.h"
#include "debug/debug.h"
#include "entry/process.h"
#include "entry/program.h"
#include "memory/memory.h"
#include "result/event.h"
#include "result/finding.h"
#include "trace/fault.h"
#include "trace/schedule.h"
#include "trace/suppression.h"

#define RH_NONE UINT32_MAX
#define RH_SWEEP_LEAST 256
enum { RH_TYPE_CACHE = 1024, RH_UNPLACED_MOST = 64 };

// Of one rh_may_come.
enum { RH_COMINGS_MOST = 1000 };

// What is known about a type: of messages and states, of the elements of a flexible array, of what a pointer points to.
struct rh_type_info {
    const char *name; // owned; NULL if it is not a message's or a state's
    size_t size;
    uint64_t name_hash;
    const struct rh_debug_type *debug; // borrowed; NULL if nothing is known
    uint8_t *mask;     // owned; 0 where a byte is padding; NULL if no padding is known
    size_t values_end; // behind the last byte that is no padding
    size_t *pointers;  // owned; offsets of fields that are pointers, not to actors
    size_t pointer_count;
    const struct rh_type_info **pointees; // owned; for each pointer, NULL until asked for
    // Element of the flexible array at the end; NULL if there is none, or no pointers and no padding in it.
    const struct rh_type_info *tail;
    size_t tail_start;
};

// The order rule is about the first two. The last two are no messages of the program, and never pending; see fault.h.
enum rh_message_kind { RH_PLAIN, RH_ASK, RH_REPLY, RH_TIMER, RH_CRASH, RH_END };

// The rh_message of actor.h.
struct rh_message {
    uint64_t identity;
    const struct rh_type_info *type;
    void *payload; // in the payload stack
    uint32_t size;
    uint32_t hashed_size; // with the blocks that travel behind the payload
    uint32_t sender;      // slot; 0: outside
    uint32_t receiver;    // slot
    enum rh_message_kind kind;
    uint32_t coming; // 1 + the number of the rh_may_come that it is from; 0: it was sent
    bool pending;
    uint8_t gifts;     // how many blocks travel with it
    uint16_t copy;     // which duplicate of another message it is; 0: none
    uint16_t copies;   // how many duplicates it has
    uint16_t life;     // a timer that an actor sets for itself: which of its lives sets it, from 0
    uint32_t request;  // index of the ask's message; for a reply, an ask and a duplicate of one
    uint32_t earlier;  // delivered: what the same handler got before this one; RH_NONE if nothing
    uint32_t sent_at;  // number of the delivery that sent it; 0: the test's body
    bool is_after_all; // all deliveries up to the one that sent it have led to it
    uint64_t now;      // sender's logical time
    uint64_t due;      // timer

    uint32_t previous, next;                 // among the pending, in sending order
    uint32_t channel;                        // index; RH_NONE if exempt from the order rule
    uint32_t channel_previous, channel_next; // among the pending of the channel
    rh_hash128 hash;                         // of its contents
    const char *file;
    int line;
    uint64_t place; // hash of both: findings about messages that are otherwise alike name these
    bool first_from_creator; // see rh_actor_record.tag
    bool was_refused;        // by its receiver's guard, as the receiver was after delivery
    uint64_t judged_in;      // of this generation; 0: never
};

// A message of the front, see channel.h.
struct rh_front {
    uint32_t message;
    uint32_t receiver; // slot; RH_NONE: it is no plain message and no ask
};

enum rh_actor_status {
    RH_ACTOR_IDLE,
    RH_ACTOR_WAITING, // for the reply to `request`
    RH_ACTOR_STOPPED,
    RH_ACTOR_CRASHED,
    RH_ACTOR_OUTSIDE, // the test, or one of its rh_outside
};

// How the processor computes: rounding, exceptions, denormals.
struct rh_float_mode {
    uint32_t sse;
    uint16_t x87;
};

// What the world knows about an actor. The part that deliveries change comes first, and is saved before each.
struct rh_actor_record {
    rh_hash128 hash; // its part of the fingerprint
    rh_behaviour *behaviour;
    const char *behaviour_name; // at present, as written in the source
    uint64_t behaviour_hash;    // of the name
    rh_guard *guard;
    rh_stop_function *at_stop;
    void *state; // NULL without one
    uint32_t state_size;
    enum rh_actor_status status;
    struct rh_heap heap;
    uint64_t changed_in;   // generation of the delivery that has made it what it is
    uint64_t now;          // logical time, milliseconds
    uint64_t random_count; // numbers drawn from its stream, and actors created
    bool handled;        // the running handler has matched its message, or said that it ignores it
    bool replied;        // the running handler has answered its message
    bool stopping;       // the running handler has called rh_stop
    bool has_given;      // it has given blocks away
    uint32_t request;    // waiting: message index of its ask
    uint32_t handling;   // message index of what the handler was called with
    uint32_t received;   // the newest that the handler got: that, or a reply
    uint32_t saved_size; // of saved_stack
    uint32_t crash;      // message index of its crash, if there may be one
    void *stack_pointer; // of the suspended handler
    void *saved_stack;   // block in the actor's heap; or its own stack where malloc is not ours
    void *
        library_image; // block in the actor's heap: its version of private libraries' data; NULL without
    struct rh_float_mode float_mode; // of the suspended handler

    // From here on nothing changes that undo would have to put back.
    uint64_t identity;
    uint64_t
        random_seed; // of its stream: from its creator's stream, so that equal states draw equal numbers
    uint64_t origin;          // identity and random_seed in one word
    const char *spawned_name; // behaviour when it was created; for outsiders their name
    const struct rh_type_info *state_type; // NULL if unknown
    rh_behaviour *spawned_behaviour;       // what it begins anew with after a crash
    const void *spawned_state;             // in the payload stack
    uint32_t spawned_size;
    const void *resume_at; // waiting: code address in the handler, for debuggers
    bool receptionist;
    // Its place in the tree of creations: the source of its name.
    uint32_t creator;  // slot
    uint32_t index;    // among the creator delivery's creations of this behaviour, from 1
    uint64_t creating; // identity of the creating delivery
    uint64_t tag;      // the same, or 0 if that delivered the first message that the creator's own
                       // creator sent to it: then the name needs no mark of the delivery
    uint32_t messages_from_creator; // sent to it by the delivery that created it
    uint64_t stamp;                 // see rh_world_receivers
    uint64_t head[4];               // what head_hash in fingerprint.c was made of, and the result
    rh_hash128 head_hash;
    // A small state stays here until something needs it in the actor's slot, whose first page costs more than all else
    // about an actor that never gets a message.
    bool is_unplaced;
    _Alignas(16) char unplaced[RH_UNPLACED_MOST];
};
#define RH_RECORD_SAVED offsetof(struct rh_actor_record, identity)

// Messages from one actor to another, in order.
struct rh_channel {
    uint64_t key;         // of sender, receiver and rh_may_come
    uint32_t first, last; // pending messages; RH_NONE if there are none
    rh_hash128 sum;       // of the messages' terms in the fingerprint
    rh_hash128 power;     // RH_CHANNEL_BASE to the power of their number
};

// Something wrong, as the world sees it.
struct rh_world_finding {
    enum rh_finding_kind kind;
    char text[600];
    const char *file; // borrowed; NULL if unknown
    int line;
    uint32_t actor;               // slot; RH_NONE if none
    const char *behaviour_name;   // borrowed; NULL if none
    const char *message_type;     // borrowed; NULL if none
    const struct rh_write *write; // borrowed; a shared variable was written here; NULL if not known
};

// The logical time, and numbers of an actor's random stream.
enum rh_look { RH_LOOK_TIME = 1, RH_LOOK_RANDOM = 2 };

// An actor is created with a behaviour, or takes it on when its handler ends.
struct rh_turn {
    bool creates;
    rh_behaviour *behaviour;
    const char *behaviour_name; // borrowed; as written in the source
    const char *file;           // borrowed
    int line;
};

// What the world needs of whoever drives it.
struct rh_world_driver {
    void *context;
    // The outcome of an rh_choose among `count`.
    int (*choose)(void *context, int count);
    // How many messages of an rh_may_come are to come: *number holds how many may, at most. false if nothing decides
    // that: all of them may, and need not.
    bool (*comes)(void *context, int *number);
    // A drop or a duplicate may befall a message that is being sent: one of `count` ways, of which 0 is none. May be
    // NULL if there are no such faults.
    int (*fault)(void *context, enum rh_fault fault, const struct rh_message *message, int count);
    // A value in the schedule file that does not fit, or a limit of ours. Does not return.
    void (*bad_input)(void *context, struct rh_status status);
    // A finding. Those that end an execution are followed by deliver returning false.
    void (*finding)(void *context, const struct rh_world_finding *finding);
    // A handler waits with `depth` bytes on its stack, more than are cleared before each handler. May be NULL.
    void (*deep_wait)(void *context, uint32_t depth);
    // Deliveries to these two do not commute though each changes its receiver only: the running actor sets a timer
    // for the other one, or sends in the name of an outside sender. May be NULL.
    void (*tied)(void *context, uint32_t slot, uint32_t other);
    // The running invariant looks at an actor; at what is pending for it, if `type` is not NULL: messages of this type.
    // May be NULL.
    void (*viewed)(void *context, uint32_t judge, uint32_t slot, const struct rh_type_info *type);
    // The program looks at something that states may leave out as long as nobody does. May be NULL.
    void (*looked)(void *context, enum rh_look look);
    // A handler goes on with what another delivery, perhaps one that was undone, has begun with strtok. May be NULL.
    void (*shares_tokens)(void *context);
    // The running actor, or the test's body, does this. May be NULL.
    void (*turned)(void *context, const struct rh_turn *turn);
    // What the schedule says that a function answers which is about time or chance. NULL if there never is anything.
    bool (*answer)(void *context, const char *function, uint64_t *value);
};

struct rh_world;
struct rh_write;

// What a message is sent with.
struct rh_sending {
    enum rh_message_kind kind;
    uint32_t sender, receiver;
    const struct rh_type *type;
    const void *payload;
    size_t size;
    uint64_t due;
    uint32_t request;
    uint32_t coming;   // see rh_message
    uint64_t identity; // of what comes or came; others get theirs when they are sent
    bool stays_away;   // it does not come: it takes its number, and is never pending
    bool is_after_all; // it is sent because nothing else could happen: all before it has led to it
    const char *file;
    int line;
};

// What an rh_may_come says.
struct rh_coming {
    struct rh_sending sending; // the payload is owned
    uint32_t most;
    uint64_t identity; // that of each message is made of this and its number
};

struct rh_world_options {
    enum rh_order_rule order_rule;
    enum rh_time time;
    enum rh_environment environment;
    struct rh_faults faults; // that there may be
    const struct rh_adapter_ops *adapter;
    struct rh_world_driver driver;
    struct rh_debug *debug;
    const struct rh_schedule *inputs; // may be NULL
    const struct rh_suppressions *suppressions;
    int trace;        // descriptor for events, or -1
    int trace_output; // descriptor of a file that receives what the program prints, or -1
    bool trace_states;
    bool keep_undo;     // whether deliveries are to be undone later
    bool fingerprints;  // whether to keep the fingerprint
    bool verify;        // look for changes where there must be none, at any cost
    bool watch_globals; // whether to notice writes to globals
    bool note_writes;   // and where they are made
    const char *
        private_libraries; // separated by commas: each actor has its own data of them; NULL for none
    bool protect_globals;  // by write protection: somebody calls rh_globals_fault on SIGSEGV
    bool guard_gifts;      // notice uses of given blocks: somebody calls rh_gift_fault and so on
    uint32_t
        sweep; // bytes of the handler stack to clear before each handler; RH_SWEEP_LEAST or more
    bool types_unknown; // padding counts, so it must hold nothing but what the program leaves there
    bool pass_output;   // what the program prints is wanted: do not drop it
    bool tokens_shared; // deliveries go on with what others began with strtok: none can be undone
    uint32_t endures;   // bit 1 << kind: an execution goes on after a finding of this kind
    // Called before each delivery is handed over; may be NULL.
    void (*before_delivery)(struct rh_world *world, uint32_t message);
};

// What the process is doing for the program under test, for crash reports.
enum rh_stage { RH_STAGE_TOOL, RH_STAGE_SETUP, RH_STAGE_HANDLER, RH_STAGE_GUARD, RH_STAGE_JUDGE };

struct rh_judge_entry {
    rh_judge *judge;
    const char *name;
    bool at_end;
    void *context; // owned
};

// Counts sends and creations of the running delivery by kind, for identities.
struct rh_tally {
    uint64_t key;
    uint64_t generation;
    uint32_t count;
};

// A block on its way from rh_give to the send that carries it.
struct rh_gift {
    uint64_t token; // the pointer value that stands for it until it is sent
    size_t size;
    char *bytes; // in the payload stack
};

// A stretch of whole pages.
struct rh_pages {
    uint64_t start, end;
};

// A recorded message from outside, or an actor that was created there, and the actors that such messages name.
struct rh_arrival {
    const struct rh_schedule_send *send; // borrowed
    uint32_t message;                    // or slot; RH_NONE: it has not come yet
};
struct rh_awaited_actor {
    char *name;    // owned
    uint32_t slot; // RH_NONE: there is none yet
};

struct rh_world {
    struct rh_world_options options;

    struct rh_actor_record *actors; // by slot; slot 0 is outside
    uint32_t actor_count;
    struct rh_message *messages; // by number
    uint32_t message_count;
    char *payloads; // a stack
    size_t payload_top;
    uint32_t actor_most, message_most; // room in the arrays
    size_t payload_most;
    uint32_t first_pending, last_pending, pending_count;
    uint32_t *deliverable; // result of rh_world_deliverable
    uint32_t deliverable_capacity;

    RH_VECTOR(struct rh_channel) channels;
    RH_VECTOR(struct rh_front) front;
    uint32_t *channel_table; // open addressing: index in channels plus 1, by key
    uint32_t channel_capacity;
    rh_hash128 fingerprint;
    rh_hash128 chosen;       // the outcomes of rh_choose in the test's body; 0: there were none
    struct rh_faults faults; // that may still come
    uint32_t end;            // message index that stands for the end, where that is a choice

    char *undo; // a stack of records
    size_t undo_top;
    size_t undo_last; // offset of the newest record
    size_t undo_count;
    uint32_t busy_count;           // actors that wait or hold memory
    RH_VECTOR(uint32_t) receivers; // result of rh_world_receivers
    uint64_t stamp;                // of its newest call
    const char *cannot_undo;       // the call that made this execution impossible to undo, or NULL
    uint32_t cannot_undo_at;       // delivery number
    bool keeps_signal_mask; // the handler that is running has changed which signals are blocked
    sigset_t signal_mask;   // then: what it was before
    char *tokens;           // what strtok goes on with
    uint64_t tokens_in;     // generation of the delivery that left it there
    int memory_streams;     // of open_memstream; of interest until the body has ended
    bool is_before_run; // main has not come to rh_run: nothing of what it does here was recorded
    bool has_stream;    // one was open when the test's body ended
    bool wrote_library; // a delivery has changed data of a library since the start
    bool has_foreign_memory; // of a sanitizer's malloc, from before the first delivery
    bool wrote_body;         // and memory of the test's body
    bool wrote_globals;      // or of the program

    // The running delivery.
    enum rh_stage stage;
    uint32_t current;     // slot of the actor that runs; 0 in the test's body
    uint32_t guarded;     // message index that a guard looks at
    char crash_text[128]; // what to say if the program is about to crash; "" if nothing is known
    uint32_t delivering;  // message index being delivered; RH_NONE in the test's body
    uint64_t delivery;    // identity of the delivery; identities of what it does derive from it
    uint32_t number;      // of the delivery in this execution, from 1; 0 in the test's body
    uint64_t tag;         // for the actors it creates
    bool failed;          // a finding ended it
    bool progressed;      // it has called rh_progress
    const struct rh_write
        *write;      // that led to the finding which is being reported; NULL if not known
    bool inside;     // the program's code is on the handler stack
    bool suspended;  // it waits for a reply
    char *stack_top; // of the stack that the next handler runs on
    struct rh_tally *tallies;
    uint32_t tally_capacity, tally_count;
    uint64_t generation; // deliveries so far, also those that were undone, and the test's body
    uint64_t told_in;    // in which rh_now was answered by the schedule
    RH_VECTOR(struct rh_gift) gifts;
    uint64_t next_gift;            // offset in the gift region
    RH_VECTOR(char *) free_stacks; // where malloc is not ours

    RH_VECTOR(struct rh_judge_entry) judges;
    const struct rh_judge_entry *judging; // the one that runs
    RH_VECTOR(struct rh_type_info *) types;
    bool has_receptionists;
    RH_VECTOR(struct rh_coming) comings;
    RH_VECTOR(struct rh_arrival) arrivals;
    RH_VECTOR(struct rh_awaited_actor) awaited; // by name, each once
    uint32_t acquainted;                        // actors that have been looked for in `awaited`
    RH_VECTOR(struct rh_heap_block) given;  // blocks that the running actor gave away, by address
    RH_VECTOR(struct rh_pages) given_pages; // that they lie on; they do not touch each other
    struct rh_pages opened; // around those that one instruction may access; end 0: none
    bool ours; // code of ours is running, not the program's: what it opens stays open until it ends
    bool set_apart;     // the kernel keeps guarded pages apart from others
    bool watches_calls; // the kernel knows `asks`
    volatile char asks; // read by the kernel: 1 if it is to ask before it makes a system call
    volatile bool
        guards; // the pages of given blocks are closed, but for those opened for one instruction
    uint64_t filled;    // buffer that the system call which was let through fills; 0: none
    size_t output_seen; // bytes of trace_output already recorded
    uint8_t *scratch;   // for canonical forms
    size_t scratch_capacity;
    struct rh_canonical *canonical; // see canonical.h; NULL until it is used
    struct rh_type_slot {
        const char *name;
        size_t size;
        const struct rh_type_info *info;
    } type_cache
        [RH_TYPE_CACHE]; // direct mapped; at the end, where no page is touched before it is used
};

// Makes the world of this process.
struct rh_world *rh_world_new(const struct rh_world_options *options, struct rh_status *status);

// Runs the test's body. false if a finding ended it.
bool rh_world_setup(struct rh_world *world, const struct rh_test *test);

// Makes a sender outside of the system; gives its slot. The name is copied.
uint32_t rh_world_add_outside(struct rh_world *world, const char *name);
// A sender of the test's or of an earlier line; RH_NONE if there is none of this name. The test itself has no address.
uint32_t rh_world_find_outside(const struct rh_world *world, const char *name);
// Sends what the schedule sends once the test's body has run.
void rh_world_send_scheduled(struct rh_world *world);
// Such a line does not fit the program.
_Noreturn void rh_world_refuse_send(struct rh_world *world, const struct rh_schedule_send *send,
                                    const char *format, ...) __attribute__((format(printf, 3, 4)));

// arrival.c: recorded messages from outside. Each is sent as soon as all actors exist that it names, behind those from
// the same sender to the same receiver that came before it. So are actors created that threads from outside have made.
void rh_world_expect_arrivals(struct rh_world *world); // once the test's body has run
void rh__world_let_arrive(struct rh_world *world);     // there are other actors now
static inline void rh_world_let_arrive(struct rh_world *world)
{
    if (world->arrivals.count > 0 && world->acquainted != world->actor_count)
        rh__world_let_arrive(world);
}
// After undo.
void rh_world_forget_arrivals(struct rh_world *world);
// Sends one. The payload is in terms of this world, and it has its identity.
uint32_t rh_world_arrive(struct rh_world *world, const struct rh_sending *sending);

// environment.c: what the test says may come, and sending it once the test's body has run.
void rh_world_may_come(struct rh_world *world, const struct rh_sending *sending, uint32_t most);
void rh_world_let_come(struct rh_world *world);

// The messages that may be delivered now, in sending order: indexes in world->deliverable.
uint32_t rh_world_deliverable(struct rh_world *world);
// Takes those of an rh_may_come out of the `count` that were found. Gives how many are left.
uint32_t rh_world_without_comings(struct rh_world *world, uint32_t count);

// Delivers a message, or crashes an actor. false if a finding ended the execution.
bool rh_world_deliver(struct rh_world *world, uint32_t message);

// Whether the newest delivery can be undone; and undoing it.
static inline bool rh_world_can_undo(const struct rh_world *world)
{
    return world->undo_count > 0 && rh__process.owns_malloc &&
           (!world->cannot_undo || world->number < world->cannot_undo_at);
}
void rh_world_undo(struct rh_world *world);

// past.c: whether the message's receiver would have accepted it in the state that it had behind `number` deliveries of
// this execution. The guard is called; what it finds or does is the caller's matter.
enum rh_answer { RH_ANSWER_NO, RH_ANSWER_YES, RH_ANSWER_UNKNOWN };
enum rh_answer rh_world_accepted(struct rh_world *world, uint32_t number, uint32_t message);

// The receivers of all deliveries that can be undone, each once, in world->receivers. Gives how many.
size_t rh_world_receivers(struct rh_world *world);

// Judges an execution in which nothing is deliverable any more: final checks, deadlock, what was not
// delivered, leaks. false if an error was found.
bool rh_world_end(struct rh_world *world);

// A digest of everything, computed from nothing but the present state: for cross-checks of undo and of
// the incremental fingerprint. The stacks of waiting handlers hold bytes that nobody will read again, left there by
// earlier calls (a symbol bound on first use, say), so another process may have others: without
// `stacks` they do not count, and neither does which of several like requests it is that is waited for or answered.
rh_hash128 rh_world_digest(struct rh_world *world, bool stacks);

// "account#2", "master#1/worker#2", "outside".
void rh_world_add_name(const struct rh_world *world, struct rh_text *text, uint32_t slot);
// "account" for "account_behaviour".
void rh_world_add_short_name(struct rh_text *text, const char *behaviour_name);

// --- Between the files of this folder and the adapters. ------------------------------------------

// RH_NONE if it is no actor of this world.
static inline uint32_t rh_world_slot(const rh_actor *actor)
{
    uint64_t address = (uint64_t)actor;
    if (!rh_region_has(address) || rh_slot_offset(address) != 0)
        return RH_NONE;
    uint32_t slot = rh_slot_of(address);
    return slot < rh__process.world->actor_count ? slot : RH_NONE;
}
static inline rh_actor *rh_world_address(uint32_t slot)
{
    return (rh_actor *)rh_slot_base(slot);
}

uint32_t rh_world_send(struct rh_world *world, const struct rh_sending *sending);
// A message's number, with room for it.
uint32_t rh_world_new_message(struct rh_world *world);
// Puts a message on its way.
void rh_world_append(struct rh_world *world, uint32_t index);

struct rh_spawning {
    rh_behaviour *behaviour;
    const char *behaviour_name;
    const struct rh_type *type; // NULL if unknown
    const void *state;
    size_t size;
    const char *file;
    int line;
    uint32_t index; // in its name; 0: it is the next that its creator makes
};
uint32_t rh_world_spawn(struct rh_world *world, const struct rh_spawning *spawning);
// arrival.c: one that a recorded thread from outside has created. The state is in terms of this world, and it has its
// index.
uint32_t rh_world_appear(struct rh_world *world, const struct rh_spawning *spawning);

// Tells the driver.
static inline void rh_world_turn(const struct rh_world *world, const struct rh_turn *turn)
{
    if (world->options.driver.turned)
        world->options.driver.turned(world->options.driver.context, turn);
}

// Room on the payload stack, with a copy of the bytes if there are any.
void *rh_world_push_payload(struct rh_world *world, const void *payload, size_t size);

// What is known about a type; looked up the first time, and found in the cache from then on.
const struct rh_type_info *rh__world_find_type(struct rh_world *world, const struct rh_type *type);
static inline struct rh_type_slot *rh_world_type_slot(struct rh_world *world,
                                                      const struct rh_type *type)
{
    return &world->type_cache[((uintptr_t)type->name >> 2) % RH_TYPE_CACHE];
}
static inline const struct rh_type_info *rh_world_type(struct rh_world *world,
                                                       const struct rh_type *type)
{
    const struct rh_type_slot *slot = rh_world_type_slot(world, type);
    return slot->name == type->name && slot->size == type->size ? slot->info
                                                                : rh__world_find_type(world, type);
}

// type.c
const struct rh_type_info *rh_type_new(struct rh_world *world, const struct rh_type *type);
// Clears the padding of a value whose type has a mask, also that of the elements behind it.
void rh_type_clear_padding(const struct rh_type_info *type, void *bytes, size_t size);
// Replaces each address of an actor in a value, and in the elements behind it, by what `visit` makes of it.
typedef uint64_t rh_visit_actor(void *context, uint64_t address);
void rh_type_replace_actors(const struct rh_type_info *type, void *bytes, size_t size,
                            rh_visit_actor *visit, void *context);
// Whether a field holds another pointer than NULL or an actor's.
bool rh_type_has_pointer(const struct rh_type_info *type, const void *bytes, size_t size);
// What the pointer at this offset points to; NULL if there is none or that is not known.
const struct rh_type_info *rh_type_pointee(struct rh_world *world, const struct rh_type_info *type,
                                           size_t offset);

// The running handler waits for the reply to an ask that was just sent. `handler` is its stack pointer, where
// six registers and the return address of rh__ask lie.
void rh_world_wait(struct rh_world *world, uint32_t request, void *handler);

// Reports a finding about the running actor. `rh_world_fail` also ends the execution and, when called from
// the program's code, does not return; unless it is of a kind that an execution endures.
void rh_world_report(struct rh_world *world, enum rh_finding_kind kind, const char *file, int line,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));
void rh_world_fail(struct rh_world *world, enum rh_finding_kind kind, const char *file, int line,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));

// Ends the search: the program needs more than we can give.
_Noreturn void rh_world_give_up(struct rh_world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Runs a function of the program on the handler stack. false if a finding ended it.
bool rh_world_call(struct rh_world *world, enum rh_stage stage, uint32_t slot,
                   void (*function)(void *), void *argument);

// What to say about the crash that the caller is about to cause.
void rh_world_crash_text(struct rh_world *world, const char *text);

// trace.c: what happens, written down. Nothing where no trace is wanted.
void rh_trace_message(struct rh_world *world, const struct rh_message *message, bool delivered);
void rh_trace_spawn(struct rh_world *world, uint32_t slot, const struct rh_spawning *spawning);
// The state of an actor before (0) and after (1) its handler.
void rh_trace_state(struct rh_world *world, uint32_t slot, int64_t when);
// Something that the running actor does to itself.
void rh_trace_self(struct rh_world *world, enum rh_event_kind kind, const char *type,
                   int64_t number, const char *file, int line);
// The outcome of a choice among `ways`, and what it is about.
void rh_trace_choice(struct rh_world *world, const char *ways, int64_t outcome, const char *about,
                     const char *file, int line);
void rh_trace_finding(struct rh_world *world, const struct rh_world_finding *finding);
// The state that is reached here comes back.
void rh_trace_lap(struct rh_world *world);
// A drop of this message, or this duplicate of another.
void rh_trace_fault(struct rh_world *world, enum rh_event_kind kind,
                    const struct rh_message *message);
// The crash that this message stands for.
void rh_trace_crash(struct rh_world *world, uint32_t index);
// What the program has printed since the last call.
void rh_trace_output(struct rh_world *world);

// Records, passes on or drops what the program has printed since the last call.
void rh_world_take_output(struct rh_world *world);

// Number of the running delivery's earlier sends or creations under this key, plus one.
uint32_t rh_world_tally(struct rh_world *world, uint64_t key);

void rh_world_set_behaviour(struct rh_actor_record *record, rh_behaviour *behaviour,
                            const char *name);
void rh_world_clear_padding(struct rh_actor_record *record);
// Gives an actor the memory and the state that it begins with.
void rh_world_place_state(struct rh_world *world, uint32_t slot, const void *state, size_t size);

// Puts the actor's state where its handlers expect it, if it is not there yet.
void rh__world_place(struct rh_world *world, uint32_t slot);
static inline void rh_world_place(struct rh_world *world, uint32_t slot)
{
    if (world->actors[slot].is_unplaced)
        rh__world_place(world, slot);
}
// Where the actor's used memory begins: its state, then its heap.
static inline const char *rh_world_memory(const struct rh_actor_record *record, uint32_t slot)
{
    return record->is_unplaced ? record->unplaced : rh_slot_base(slot) + RH_STATE_OFFSET;
}

// Tells the driver that the program has looked at something.
void rh_world_look(struct rh_world *world, enum rh_look look);

// fingerprint.c
rh_hash128 rh_actor_hash(struct rh_world *world, uint32_t slot);
rh_hash128 rh_message_hash(struct rh_world *world, const struct rh_message *message);
// Bytes in which addresses count as what they point to.
rh_hash128 rh_canonical_hash(struct rh_world *world, const void *bytes, size_t size, uint64_t seed);
// An address in a loaded module as module and offset; any other word as it is.
uint64_t rh_canonical_address(uint64_t word);
// The faults there have been: part of the state, since they are no more to come. 0 if there have been none.
rh_hash128 rh_faults_hash(const struct rh_world *world);
// The test's body has chosen this.
void rh_fingerprint_chosen(struct rh_world *world, int outcome);
// What a waiting handler has done that decides what it may still do, and how it computes.
uint64_t rh_waiting_flags(const struct rh_actor_record *record);
void rh_fingerprint_actor(struct rh_world *world, uint32_t slot);

// check.c
bool rh_world_judge(struct rh_world *world, bool at_end);
void rh_world_check_leaks(struct rh_world *world, uint32_t slot, bool stopped);
// Without a type, the bytes are those of a state of which nothing is known.
void rh_world_check_pointers(struct rh_world *world, const struct rh_type_info *type,
                             const void *bytes, size_t size, const char *file, int line);

// gift.c, gift_guard.c
// Keeps a block that was given away out of use: its giver must not touch it any more.
void rh_gift_guard(struct rh_world *world, void *block);
// Makes the blocks that this actor gave away inaccessible while its handler runs.
void rh_gift_protect(struct rh_world *world, uint32_t slot, bool on);
// For signal handlers; `context` is their ucontext_t. Between these two our own system calls need no permission.
void rh_gift_pause(struct rh_world *world);
void rh_gift_resume(struct rh_world *world);
// SIGSEGV: an access to this address faulted. RH_ACCESS_NEIGHBOUR: it lies beside a given block; the instruction is to
// run again, and SIGTRAP may follow.
enum rh_access { RH_ACCESS_OTHER, RH_ACCESS_NEIGHBOUR, RH_ACCESS_GIVEN };
enum rh_access rh_gift_fault(struct rh_world *world, uint64_t address, void *context);
// SIGSYS: the kernel asks about a system call. As above.
enum rh_access rh_gift_call(struct rh_world *world, const siginfo_t *info, void *context);
// SIGTRAP: the instruction that was let through has run. RH_ACCESS_OTHER: it was not that.
enum rh_access rh_gift_step(struct rh_world *world, void *context);
// Makes guarded pages accessible, or those that were made accessible inaccessible again.
void rh_gift_open(struct rh_world *world, bool open);
void *rh_gift_take(struct rh_world *world, const void *bytes, size_t size);
void rh_gift_attach(struct rh_world *world, struct rh_message *message);
void rh_gift_arrive(struct rh_world *world, struct rh_message *message);

#endif
