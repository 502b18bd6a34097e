// SPDX-License-Identifier: MIT
// One controlled execution: its actors, its pending messages, its logical clocks; delivering a
// message and undoing that.
//
// Invariants:
//  1. Actors and messages are numbered in order of appearance. Undo is last in, first out, so the
//     numbers above those of an undone delivery are free again and the arrays behave as stacks.
//  2. `fingerprint` is the sum of the hashes of all actors, of all pending messages (weighted by
//     their place in their channel), of all pages of globals that differ from the start, of the
//     choices of the test's body, which may have left them in globals, and of the faults so far.
//  3. A delivery changes its receiver, removes one message, adds messages and actors, may change
//     globals, and nothing else.
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
#include "base/identity.h"
#include "base/none.h"
#include "base/status.h"
#include "base/table.h"
#include "base/vector.h"
#include "debug/debug.h"
#include "entry/process.h"
#include "entry/program.h"
#include "entry/stack.h"
#include "memory/fence.h"
#include "memory/frames.h"
#include "memory/memory.h"
#include "result/event.h"
#include "result/finding.h"
#include "trace/fault.h"
#include "trace/schedule.h"
#include "trace/suppression.h"
#include "world/files.h"

enum { RH_TYPE_CACHE = 1024, RH_UNPLACED_MOST = 64 };

// How many messages one rh_may_come can announce.
enum { RH_COMINGS_MOST = 1000 };

// What is known about a type of messages, of states, of elements of a flexible array, or of what a
// pointer points to.
struct rh_type_info {
    const char *name; // owned; NULL for a type of neither messages nor states
    size_t size;
    uint64_t name_hash;
    const struct rh_debug_type *debug; // borrowed; NULL if nothing is known about the type
    uint8_t *mask;     // owned; 0 where a byte is padding; NULL if no padding is known
    size_t values_end; // offset behind the last byte that is no padding
    size_t *pointers;  // owned; offsets of fields that are pointers, but not to actors
    size_t pointer_count;
    const struct rh_type_info **pointees; // owned; one for each pointer, NULL until asked for
    // Element of the flexible array at the type's end. NULL without such an array, and where its
    // elements hold neither pointers nor padding.
    const struct rh_type_info *tail;
    size_t tail_start;
};

// The order rule is about the first two kinds. The last two are no messages of the program, and
// never pending; see fault.h.
enum rh_message_kind { RH_PLAIN, RH_ASK, RH_REPLY, RH_TIMER, RH_CRASH, RH_END };

// The rh_message of actor.h.
struct rh_message {
    uint64_t identity;
    const struct rh_type_info *type;
    void *payload; // in the payload stack
    uint32_t size;
    uint32_t hashed_size; // size together with the given blocks behind the payload
    uint32_t sender;      // slot of the sender; 0: outside
    uint32_t receiver;    // slot of the receiver
    enum rh_message_kind kind;
    uint32_t coming; // 1 + the number of the rh_may_come that announced the message; 0: it was sent
    bool pending;
    uint8_t gifts;   // how many given blocks travel with the message
    uint16_t copy;   // which duplicate of another message this one is; 0: none
    uint16_t copies; // how many duplicates the message has
    uint16_t life;   // of a timer that an actor sets for itself: which of its lives sets it, from 0
    // Index of the ask's message: of an ask, of its reply and of duplicates of both.
    uint32_t request;
    // Of a delivered message: the one that the same handler got before; RH_NONE if none.
    uint32_t earlier;
    uint32_t sent_at; // number of the delivery that sent the message; 0: the test's body
    // Number of an earlier delivery that was needed as well for the message to be sent: had that
    // delivery come later, it would have sent the message. 0: there is none.
    uint32_t also_sent_at;
    bool is_after_all; // all deliveries up to the one that sent the message have led to it
    uint64_t now;      // the sender's logical time
    uint64_t due;      // when a timer is due

    uint32_t previous, next; // neighbours among the pending messages, in sending order
    uint32_t channel; // index of the channel; RH_NONE if the message is exempt from the order rule
    uint32_t channel_previous, channel_next; // neighbours among the pending messages of the channel
    rh_hash128 hash;                         // of the message's contents
    const char *file;
    int line;
    // Hash of file and line. Findings about messages that are otherwise alike name file and line.
    uint64_t place;
    bool first_from_creator; // see rh_actor_record.tag
    bool was_refused;     // the receiver's guard has refused the message, in generation answered_in
    uint64_t answered_in; // changed_in of the receiver when its guard was asked; 0: never asked
};

// A message of the front, see channel.h.
struct rh_front {
    uint32_t message;
    uint32_t receiver; // slot of the receiver; RH_NONE: the message is neither plain nor an ask
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

// What a waiting handler can still look at, see held.h.
struct rh_held {
    RH_VECTOR(uint32_t) messages;  // their numbers, newest first
    RH_VECTOR(uint64_t) addresses; // found in the actor's memory, to be looked for in messages
};

// What the world knows about an actor. The part that deliveries change comes first, and is saved
// before each of them.
struct rh_actor_record {
    rh_hash128 hash;        // the actor's part of the fingerprint
    rh_hash128 memory_hash; // if is_hashed: the part of its memory in that
    rh_behaviour *behaviour;
    const char *behaviour_name; // at present, as written in the source
    uint64_t behaviour_hash;    // of behaviour_name
    rh_guard *guard;
    rh_stop_function *at_stop;
    void *state; // NULL for an actor without a state
    uint32_t state_size;
    enum rh_actor_status status;
    struct rh_heap heap;
    uint64_t changed_in;   // generation of the newest delivery that changed the actor
    uint64_t now;          // logical time, milliseconds
    uint64_t random_count; // numbers drawn from the actor's stream, and actors that it created
    bool handled;        // the running handler has matched its message, or said that it ignores it
    bool replied;        // the running handler has answered its message
    bool stopping;       // the running handler has called rh_stop
    bool has_given;      // the actor has given blocks away
    bool is_hashed;      // memory_hash is that of the memory as it was after the last delivery
    bool is_saved;       // where saves_once: the undo stack has the actor's memory
    uint32_t request;    // of a waiting actor: message index of its ask
    uint32_t handling;   // message index of what the handler was called with
    uint32_t received;   // message index of the newest that the handler got: `handling`, or a reply
    uint32_t saved_size; // size of saved_stack
    uint32_t crash;      // message index of the actor's crash, where crashes may come
    void *stack_pointer; // of the suspended handler
    // Block in the actor's heap; or a stack of the actor's own where malloc is not ours.
    void *saved_stack;
    // Block in the actor's heap with its version of private libraries' data; NULL without one.
    void *library_image;
    struct rh_float_mode float_mode; // of the suspended handler

    // Fields from here on never change in a way that undo would have to put back.
    uint64_t identity;
    // Seed of the actor's stream of random numbers, drawn from its creator's stream, so that equal
    // states draw equal numbers.
    uint64_t random_seed;
    uint64_t origin;          // identity and random_seed in one word
    const char *spawned_name; // behaviour when the actor was created; of an outsider, its name
    const struct rh_type_info *state_type; // NULL if unknown
    rh_behaviour *spawned_behaviour; // behaviour that the actor begins anew with after a crash
    // State that the actor begins anew with after a crash, in the payload stack.
    const void *spawned_state;
    uint32_t spawned_size;
    const void *resume_at; // of a waiting actor: code address in its handler, for debuggers
    bool receptionist;
    // The actor's place in the tree of creations, from which its name comes.
    uint32_t creator;  // slot of the creator
    uint32_t index;    // number among the creating delivery's creations of this behaviour, from 1
    uint64_t creating; // identity of the creating delivery
    // `creating`; or 0 if the creating delivery handed over the first message that the creator's
    // own creator sent to the creator: then the actor's name needs no mark of that delivery.
    uint64_t tag;
    uint32_t messages_from_creator; // how many messages the creating delivery has sent to the actor
    uint64_t stamp;                 // see rh_world_receivers
    uint64_t head[4];               // what head_hash was made of, see fingerprint.c
    rh_hash128 head_hash;
    // A small state stays in `unplaced` until something needs it in the actor's slot: the slot's
    // first page costs more than everything else about an actor that never gets a message.
    bool is_unplaced;
    _Alignas(16) char unplaced[RH_UNPLACED_MOST];
};
#define RH_RECORD_SAVED offsetof(struct rh_actor_record, identity)

// Whether the end of an execution has to look at this actor: it waits, or holds memory.
static inline bool rh_actor_is_busy(const struct rh_actor_record *record)
{
    return record->status == RH_ACTOR_WAITING || record->heap.live_count > 0;
}

// Messages from one actor to another, in order.
struct rh_channel {
    uint64_t key;         // made of sender, receiver and rh_may_come
    uint32_t first, last; // pending messages; RH_NONE if there are none
    rh_hash128 sum;       // sum of the messages' terms in the fingerprint
    rh_hash128 power;     // RH_CHANNEL_BASE to the power of the number of messages
};

// What a program may look at: the logical time, and numbers of an actor's random stream.
enum rh_look { RH_LOOK_TIME = 1, RH_LOOK_RANDOM = 2, RH_LOOK_NAMES = 4 };

// An actor is created with a behaviour, or takes on a behaviour when its handler ends.
struct rh_turn {
    bool creates;
    rh_behaviour *behaviour;
    const char *behaviour_name; // borrowed; as written in the source
    const char *file;           // borrowed
    int line;
};

// Objects that deliveries touch besides actors. The number of an object is the hash of its word and
// of what the object is about, such as an actor's identity.
enum rh_object_word {
    RH_OBJECT_EVERYTHING = 1,
    RH_OBJECT_JUDGE,  // what an invariant looks at
    RH_OBJECT_TIMERS, // timers of an actor, of which an earlier one holds back the later ones
    RH_OBJECT_NAME,   // name of an outside sender, whose messages keep their order
    RH_OBJECT_SHARED, // what threads have in common
};

// Says that deliveries touch an object besides their receiver.
struct rh_touching {
    uint32_t slot; // of the receiver
    bool is_every; // all deliveries to the receiver, not only those of the type being delivered
    bool writes;
    uint64_t object; // number of the object
};

// What the world needs of whoever drives it.
struct rh_world_driver {
    void *context;
    // Gives the outcome of an rh_choose among `count`.
    int (*choose)(void *context, int count);
    // Decides how many messages of an rh_may_come are to come: *number holds how many may come at
    // most. false if nothing decides: all of them may come, and none has to.
    bool (*comes)(void *context, int *number);
    // A drop or a duplicate may befall a message that is being sent: gives one of `count` ways, of
    // which 0 is no fault. May be NULL if there are neither drops nor duplicates.
    int (*fault)(void *context, enum rh_fault fault, const struct rh_message *message, int count);
    // A value in the schedule file does not fit, or we can't go on. Does not return.
    void (*bad_input)(void *context, struct rh_status status);
    // The program needs more than an execution can have: the finding was reported, and the
    // execution is over. Does not return.
    void (*limit)(void *context);
    // The schedule can't be followed: see rh_world_refuse. NULL where nothing follows one.
    void (*refuse)(void *context, struct rh_status status);
    // Something wrong was found, for the driver to complete and to keep. If it ends the execution,
    // rh_world_deliver returns false after the call.
    void (*finding)(void *context, struct rh_finding *finding);
    // Deliveries touch more than their receiver. May be NULL.
    void (*touches)(void *context, const struct rh_touching *touching);
    // The running invariant looks at an actor; if `type` is not NULL, at messages of this type that
    // are pending for the actor. May be NULL.
    void (*viewed)(void *context, uint32_t judge, uint32_t slot, const struct rh_type_info *type);
    // The running invariant looks for the actor of a name, which is hashed, whether there is one or
    // not. May be NULL.
    void (*looked_for)(void *context, uint32_t judge, uint64_t name);
    // The program looks at something that states may leave out as long as nobody looks at it. May
    // be NULL.
    void (*looked)(void *context, enum rh_look look);
    // A handler goes on with a text that another delivery, perhaps one that was undone, has begun
    // with strtok. May be NULL.
    void (*shares_tokens)(void *context);
    // The program starts a thread by this call. May be NULL.
    void (*starts_thread)(void *context, const char *function);
    // The running actor, or the test's body, creates an actor or takes on a behaviour. May be NULL.
    void (*turned)(void *context, const struct rh_turn *turn);
    // Gives the answer that the schedule has for a function about time or chance; false if it has
    // none. NULL if no schedule has answers.
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
    uint32_t coming; // see rh_message
    // Of a message of rh_may_come or of a recording, or one that two deliveries lead to; others get
    // theirs when they are sent.
    uint64_t identity;
    bool stays_away; // the message does not come: it takes its number, and is never pending
    // Sent because nothing else could happen: all deliveries before have led to the message.
    bool is_after_all;
    // Of a message that two deliveries lead to, and that the later one sends: the earlier one. The
    // message has the same identity, sender and place in its channel in either order.
    uint32_t also_sent_at;
    const char *file;
    int line;
};

// What an rh_may_come says.
struct rh_coming {
    struct rh_sending sending; // the payload is owned
    uint32_t most;
    uint64_t identity; // from which, with its number, the identity of each message is made
};

struct rh_world_options {
    enum rh_order_rule order_rule;
    enum rh_time time;
    enum rh_environment environment;
    struct rh_faults faults; // how many faults there may be
    const struct rh_adapter_ops *adapter;
    uint64_t random; // where the random numbers of a program that an adapter runs start
    struct rh_world_driver driver;
    struct rh_debug *debug;
    const struct rh_schedule *inputs; // may be NULL
    const struct rh_suppressions *suppressions;
    struct rh_tape *tape; // where events are written down; NULL: nowhere
    int trace_output;     // descriptor of a file that receives what the program prints, or -1
    bool trace_states;
    bool keep_undo; // whether deliveries are to be undone later
    // Deliveries are taken back all or none: an actor's memory is saved before its first delivery
    // only.
    bool saves_once;
    bool fingerprints;  // whether to keep the fingerprint
    bool verify;        // look for changes where there must be none, at any cost
    bool watch_globals; // whether to notice writes to globals
    bool note_writes;   // whether to note where globals are written
    // Names of libraries, separated by commas, of whose data each actor has its own version; NULL
    // for none.
    const char *private_libraries;
    // Notice writes by write protection: somebody calls rh_globals_fault on SIGSEGV.
    bool protect_globals;
    // Notice uses of given blocks: somebody calls rh_fence_fault and its relatives.
    bool guard_gifts;
    // What the stack and fresh blocks are full of, to find out what is never set; 0 otherwise.
    uint8_t fill;
    bool pass_output;   // what the program prints is wanted: do not drop it
    uint32_t *aims_met; // borrowed; bit 1 << rh_fault: its aim has named something; may be NULL
    bool tokens_shared; // deliveries go on with what others began with strtok: none can be undone
    uint32_t endures;   // bit 1 << kind: an execution goes on after a finding of this kind
    bool shared_files;  // executions change files in place
    struct rh_files_told *files_told; // what executions share nevertheless; may be NULL
    // Called before each delivery is handed over; may be NULL.
    void (*before_delivery)(struct rh_world *world, uint32_t message);
};

// What the process is doing for the program under test, for crash reports.
enum rh_stage { RH_STAGE_TOOL, RH_STAGE_SETUP, RH_STAGE_HANDLER, RH_STAGE_GUARD, RH_STAGE_JUDGE };

struct rh_judge_entry {
    rh_judge *judge;
    const char *name;
    bool at_end;
    void *context; // owned; NULL without one
};

// Counts sends and creations of the running delivery by kind, for identities.
struct rh_tally {
    uint64_t key;
    uint32_t count;
};

// A block on its way from rh_give to the send that carries it.
struct rh_gift {
    uint64_t token; // pointer value that stands for the block until it is sent
    size_t size;
    char *bytes; // in the payload stack
};

// An actor that the running handler has reserved and not spawned yet.
struct rh_reserved {
    uint32_t slot;
    const char *file;
    int line;
};

// A recorded message from outside, or an actor that was created there.
struct rh_arrival {
    const struct rh_schedule_send *send; // borrowed
    // Index of the message, or slot of the actor; RH_NONE: not here yet.
    uint32_t message;
    uint64_t search; // the newest search for missing actors that came here
};
struct rh_awaited_actor {
    char *name;    // owned
    uint32_t slot; // RH_NONE: there is no actor of this name yet
    // Index of the arrival that is this actor; RH_NONE: it does not come from outside.
    uint32_t creation;
};

// A block that a schedule names.
struct rh_named_block {
    char *name; // owned
    uint64_t address;
    bool is_met; // something leads there at the end
};

// What a build with VERIFY=1 remembers; see verify.h.
struct rh_verified_actor {
    rh_hash128 memory, record;
    rh_hash128 hash; // the actor's part of the fingerprint
};
struct rh_verified {
    RH_VECTOR(struct rh_verified_actor) actors; // before the newest delivery, by slot
    RH_VECTOR(rh_hash128) pending; // before the newest delivery, by message; 0: not pending
    rh_hash128 globals;            // before the newest delivery
    RH_VECTOR(rh_hash128) marks;   // state before each delivery that can be undone
    bool is_off;                   // the program has written into the memory of another actor
};

// Where mappings lie that the program makes under control.
#define RH_MAPPINGS_BASE UINT64_C(0x180000000000)

// A parameter that the test's body has asked for, with the value that it got.
struct rh_parameter {
    const char *name; // borrowed from the program
    int value;
};

struct rh_world {
    struct rh_world_options options;
    RH_VECTOR(struct rh_parameter) parameters; // each once

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

    // What the running judge looks at of pending messages, in the order in which it sees them.
    struct rh_viewed {
        uint64_t in; // judge_calls then; 0: nothing was looked at yet
        uint32_t slot;
        const struct rh_type_info *type;
        RH_VECTOR(uint32_t) messages;
    } viewed;
    uint64_t judge_calls;      // how many times judges were called
    uint32_t body_actor_count; // actors that the test's body has created, and the outside

    RH_VECTOR(struct rh_channel) channels;
    RH_VECTOR(struct rh_front) front;
    struct rh_table channel_table; // indexes in channels by key
    rh_hash128 fingerprint;
    rh_hash128 chosen;       // outcomes of rh_choose in the test's body; 0: there were none
    struct rh_faults faults; // faults that may still come
    // Index of the message that stands for the end of the execution, where ending is a choice.
    uint32_t end;

    char *undo; // a stack of records
    size_t undo_top;
    size_t undo_last; // offset of the newest record
    size_t undo_count;
    uint32_t busy_count;           // how many actors wait or hold memory
    RH_VECTOR(uint32_t) receivers; // result of rh_world_receivers
    uint64_t stamp;                // of the newest call of rh_world_receivers
    // Name of the call that made this execution impossible to undo, or NULL.
    const char *cannot_undo;
    uint32_t cannot_undo_at; // number of the delivery that made the call in cannot_undo
    bool keeps_signal_mask;  // the running handler has changed which signals are blocked
    sigset_t signal_mask;    // if keeps_signal_mask: the mask before the handler changed it
    char *tokens;            // the rest of the text that strtok goes on with
    uint64_t tokens_in;      // generation of the delivery that left `tokens`
    size_t mapped; // bytes of addresses that mappings have been given: see rh_world_map_at
    // Open streams of open_memstream; of interest until the test's body has ended.
    int memory_streams;
    uint64_t answer;    // what the newest call of the program gave, if it has a result
    bool is_before_run; // main has not come to rh_run: nothing of what it does before was recorded
    bool has_stream;    // a stream was open when the test's body ended
    bool has_commons;   // handlers reach memory of other actors: see commons.h
    bool wrote_library; // a delivery has changed data of a library since the start
    // Memory of a sanitizer's malloc, from before the first delivery, is in use.
    bool has_foreign_memory;
    bool wrote_body; // a delivery has changed memory of the test's body since the start
    // A delivery has changed data of the program, of a library or of the test's body.
    bool wrote_globals;
    // Such data differs from the start, and there are fingerprints: see held.h.
    bool holds_all;
    char suppressed[64]; // a variable that was written and that a suppression names; or ""

    // The running delivery.
    enum rh_stage stage;
    uint32_t current;           // slot of the actor that runs; 0 in the test's body
    uint32_t guarded;           // index of the message that a guard looks at
    bool is_damaged;            // see rh_world_give_in
    const void *thread_pointer; // of the thread in which handlers run
    int *errno_at;              // errno of that thread
    long thread;                // that thread's number
    char crash_text[128]; // what to say if the program is about to crash; "" if nothing is known
    uint32_t delivering;  // index of the message being delivered; RH_NONE in the test's body
    uint64_t delivery;    // identity of the delivery, from which identities of what it does derive
    uint32_t number;      // of the delivery in this execution, from 1; 0 in the test's body
    uint64_t tag;         // tag of the actors that the delivery creates
    bool failed;          // a finding ended the delivery
    bool limited;         // the execution needs more than there is
    bool progressed;      // the delivery has called rh_progress
    // The write that led to the finding which is being reported; NULL if not known.
    const struct rh_write *write;
    bool inside;     // the program's code is on the handler stack
    bool suspended;  // the handler waits for a reply
    char *stack_top; // of the stack that the next handler runs on
    RH_VECTOR(struct rh_tally) tallies;
    struct rh_table tally_table; // indexes in tallies by key
    struct rh_verified verified;
    uint64_t generation; // deliveries so far, also those that were undone, and the test's body
    uint64_t told_in;    // generation in which the schedule answered rh_now
    RH_VECTOR(struct rh_reserved) reserved;
    RH_VECTOR(struct rh_gift) gifts;
    uint64_t next_gift;            // offset in the gift region
    RH_VECTOR(char *) free_stacks; // where malloc is not ours

    RH_VECTOR(struct rh_judge_entry) judges;
    const struct rh_judge_entry *judging; // the judge that runs
    RH_VECTOR(struct rh_type_info *) types;
    bool has_receptionists;
    bool changes_states; // the test's body has changed what actors begin with
    RH_VECTOR(struct rh_coming) comings;
    RH_VECTOR(struct rh_arrival) arrivals;
    // The world before a generated schedule has made anything; owned, NULL with others.
    struct rh_undo_record *start;
    RH_VECTOR(struct rh_named_block) blocks;    // that have been made
    RH_VECTOR(struct rh_awaited_actor) awaited; // by name, each once
    uint32_t acquainted;                        // how many actors have been looked for in `awaited`
    uint64_t searches;                          // for actors that arrivals miss
    struct rh_fence fence;   // around the blocks that the running actor gave away
    struct rh_frames frames; // what is cleared of the handlers' stack; unless malloc is not ours
    size_t output_seen;      // bytes of trace_output already recorded
    uint8_t *scratch;        // for canonical forms
    size_t scratch_capacity;
    struct rh_held held;            // of the actor whose fingerprint was computed last
    RH_VECTOR(uint64_t) held_words; // that actor's memory, with places for addresses in messages
    struct rh_canonical *canonical; // see canonical.h; NULL until it is used
    // Cache of types, direct mapped. It stands at the end, where no page of it is touched before it
    // is used.
    struct rh_type_slot {
        const char *name;
        size_t size;
        const struct rh_type_info *info;
    } type_cache[RH_TYPE_CACHE];
};

// Makes the world of this process.
struct rh_world *rh_world_new(const struct rh_world_options *options, struct rh_status *status);

// Runs the test's body. false if a finding ended it.
bool rh_world_setup(struct rh_world *world, const struct rh_test *test);

// Makes a sender outside of the system; gives its slot. The name is copied.
uint32_t rh_world_add_outside(struct rh_world *world, const char *name);
// The slot of a sender outside that the test or an earlier line of the schedule has made; RH_NONE
// if there is none of this name. The test itself has no address.
uint32_t rh_world_find_outside(const struct rh_world *world, const char *name);
// Notes a parameter of the test.
void rh_world_note_parameter(struct rh_world *world, const char *name, int value);
// Sends the messages that the schedule sends once the test's body has run.
void rh_world_send_scheduled(struct rh_world *world);
// Refuses a line of the schedule that sends what the program can't send.
_Noreturn void rh_world_refuse_send(struct rh_world *world, const struct rh_schedule_send *send,
                                    const char *format, ...) __attribute__((format(printf, 3, 4)));

// arrival.c: recorded messages from outside, each of which is sent as soon as all actors that it
// names exist, behind earlier ones from the same sender to the same receiver; and actors that
// threads from outside have created, which appear in the same way.
void rh_world_expect_arrivals(struct rh_world *world); // once the test's body has run
void rh__world_let_arrive(struct rh_world *world);     // when there are new actors
static inline void rh_world_let_arrive(struct rh_world *world)
{
    if (world->arrivals.count > 0 && world->acquainted != world->actor_count)
        rh__world_let_arrive(world);
}
// Forgets arrivals that undo has taken away.
void rh_world_forget_arrivals(struct rh_world *world);
// Forgets all arrivals, and that they were expected.
void rh_world_drop_arrivals(struct rh_world *world);
// Sends a recorded message. The payload is in terms of this world, and `sending` has the identity.
uint32_t rh_world_arrive(struct rh_world *world, const struct rh_sending *sending);

// environment.c: messages that the test says may come, and sending them once its body has run.
void rh_world_may_come(struct rh_world *world, const struct rh_sending *sending, uint32_t most);
void rh_world_let_come(struct rh_world *world);

// The messages that may be delivered now, in sending order: indexes in world->deliverable.
uint32_t rh_world_deliverable(struct rh_world *world);
// Takes messages of rh_may_come out of the first `count` in world->deliverable. Gives how many are
// left.
uint32_t rh_world_without_comings(struct rh_world *world, uint32_t count);

// Takes back what a generated schedule has made, all deliveries being undone, and begins with the
// schedule that is there now.
void rh_world_begin_again(struct rh_world *world);

// Delivers a message, or crashes an actor. false if a finding ended the execution.
bool rh_world_deliver(struct rh_world *world, uint32_t message);

// Whether the newest delivery can be undone; and undoing it.
static inline bool rh_world_can_undo(const struct rh_world *world)
{
    return world->undo_count > 0 && rh__process.owns_malloc &&
           (!world->cannot_undo || world->number < world->cannot_undo_at);
}
void rh_world_undo(struct rh_world *world);

// past.c: whether the message's receiver would have accepted the message in the state that the
// receiver had behind `number` deliveries of this execution. The guard is called; whatever it finds
// or does is the caller's matter.
enum rh_answer { RH_ANSWER_NO, RH_ANSWER_YES, RH_ANSWER_UNKNOWN };
enum rh_answer rh_world_accepted(struct rh_world *world, uint32_t number, uint32_t message);
// past.c: whether the newest delivery has changed its receiver, which was idle before, as
// fingerprints see it. Needs the undo stack.
bool rh_world_has_changed_idle(const struct rh_world *world);

// The receivers of all deliveries that can be undone, each once, in world->receivers. Gives their
// number.
size_t rh_world_receivers(struct rh_world *world);

// Checks an execution in which nothing is deliverable any more: final checks, deadlock, messages
// that were not delivered, leaks. false if an error was found.
bool rh_world_end(struct rh_world *world);
// ends.c: reports an execution that has ended otherwise than its schedule says.
void rh_world_check_ends(struct rh_world *world);

// A digest of everything, computed from nothing but the present state: for cross-checks of undo and
// of the incremental fingerprint. The stacks of waiting handlers hold bytes that nobody will read
// again, left there by earlier calls (a symbol bound on first use, say), so another process may
// have other bytes. Without `stacks` those stacks do not count, and neither does which of several
// like requests is waited for or answered.
rh_hash128 rh_world_digest(struct rh_world *world, bool stacks);

// "account#2", "master#1/worker#2", "outside".
void rh_world_add_name(const struct rh_world *world, struct rh_text *text, uint32_t slot);
// A hash of the actor's name.
uint64_t rh_world_hash_name(const struct rh_world *world, uint32_t slot);
// The actor of this name; RH_NONE if there is none.
uint32_t rh_world_find_name(const struct rh_world *world, const char *name);

// --- Between the files of this folder and the adapters. ------------------------------------------

// The slot of an actor; RH_NONE if the address is that of no actor of this world.
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
// The number of a new message, for which there is room.
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
    uint32_t index; // number in the actor's name; 0: the actor is the next that its creator makes
    // Fills in what of the state depends on where it is; NULL: nothing does.
    void (*complete)(struct rh_world *world, uint32_t slot, const void *context);
    const void *context;
};
uint32_t rh_world_spawn(struct rh_world *world, const struct rh_spawning *spawning);
// Gives the slot of the next actor, or sender outside.
uint32_t rh_world_new_slot(struct rh_world *world);
// The two halves of rh_world_spawn: an actor that has its address, name and identity, then its
// state. Both are called in one handler. false if the slot is not one that was reserved in it and
// has not been spawned since.
uint32_t rh_world_reserve(struct rh_world *world, const struct rh_spawning *spawning);
bool rh_world_spawn_at(struct rh_world *world, uint32_t slot, const struct rh_spawning *spawning);
// Reports actors that a handler, or the test's body, has reserved and not spawned when it ends.
void rh__world_check_reserved(struct rh_world *world);
static inline void rh_world_check_reserved(struct rh_world *world)
{
    if (world->reserved.count > 0)
        rh__world_check_reserved(world);
}
// blocks.c: blocks of memory that actors begin with.
// A block of zeros in the memory of an actor.
void *rh_world_new_block(struct rh_world *world, uint32_t slot, size_t size);
// Whether a live block starts at the address.
bool rh_world_has_block(const struct rh_world *world, uint64_t address);
// Size of the live block that starts at the address; 0: none does.
size_t rh_world_block_size(const struct rh_world *world, uint64_t address);
// The block of this name, which is new if there is none.
struct rh_named_block *rh_world_name_block(struct rh_world *world, const char *name);
// What the word of a schedule, such as &1 or &1+8, leads to; 0: nothing yet.
uint64_t rh_world_block_address(const struct rh_world *world, const char *word);
// Whether the address, which is there at the end, is what the word leads to. A name that is new is
// from now on that of the block which the address is in. Two names that were met are two blocks:
// one that is freed gives way to another at its address.
bool rh_world_meet_block(struct rh_world *world, const char *word, uint64_t address);
// Leaves the first `count` names.
void rh_world_forget_blocks(struct rh_world *world, size_t count);

// arrival.c: creates an actor that a recorded thread from outside has created, or reserves it. The
// state is in terms of this world, and `spawning` has the index.
uint32_t rh_world_appear(struct rh_world *world, const struct rh_spawning *spawning,
                         bool is_reserved);

// Tells the driver that an actor is created or takes on a behaviour.
static inline void rh_world_turn(const struct rh_world *world, const struct rh_turn *turn)
{
    if (world->options.driver.turned)
        world->options.driver.turned(world->options.driver.context, turn);
}

// Whether the address lies in what is reserved for the world, and no actor can have allocated it.
bool rh_world_reserves(uint64_t address);

// Takes room on the payload stack, with a copy of the bytes if there are any.
enum { RH_PAYLOAD_ALIGNMENT = 16 };
void *rh_world_push_payload(struct rh_world *world, const void *payload, size_t size);
// How much room so many bytes take there.
static inline size_t rh_payload_room(size_t size)
{
    const size_t unit = RH_PAYLOAD_ALIGNMENT;
    return size == 0 ? unit : (size + unit - 1) & ~(unit - 1);
}
// Puts a guard behind the payload of a message, which tells whether somebody has written there.
#define RH_PAYLOAD_GUARD UINT64_C(0x6573726165686552)
void rh_world_push_guard(struct rh_world *world);
// Whether the guard is as it was. That of a message with given blocks lies behind these.
static inline bool rh_message_is_guarded(const struct rh_message *message)
{
    const char *end = (const char *)message->payload + rh_payload_room(message->size);
    uint64_t guard;
    __builtin_memcpy(&guard, end, sizeof guard);
    return guard == RH_PAYLOAD_GUARD || message->gifts > 0;
}

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
// Clears the padding of a value whose type has a mask, and of the elements behind the value.
void rh_type_clear_padding(const struct rh_type_info *type, void *bytes, size_t size);
// Replaces each address of an actor in a value, and in the elements behind it, by what `visit`
// gives.
typedef uint64_t rh_visit_actor(void *context, uint64_t address);
void rh_type_replace_actors(const struct rh_type_info *type, void *bytes, size_t size,
                            rh_visit_actor *visit, void *context);
// Whether a field holds a pointer that is neither NULL nor an actor's address.
bool rh_type_has_pointer(const struct rh_type_info *type, const void *bytes, size_t size);
// The type that the pointer at this offset points to; NULL if there is no pointer or its type is
// not known.
const struct rh_type_info *rh_type_pointee(struct rh_world *world, const struct rh_type_info *type,
                                           size_t offset);

// Suspends the running handler until the reply to an ask that was just sent. `handler` is its stack
// pointer, where six registers and the return address of rh__ask lie.
void rh_world_wait(struct rh_world *world, uint32_t request, void *handler);

// Reports a finding about the running actor. `rh_world_fail` also ends the execution and, when
// called from the program's code, does not return; unless the finding is of a kind that an
// execution endures.
void rh_world_report(struct rh_world *world, enum rh_finding_kind kind, const char *file, int line,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));
void rh_world_fail(struct rh_world *world, enum rh_finding_kind kind, const char *file, int line,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));

// Ends the search with this status: an input file does not fit the program, or there is no room
// left.
_Noreturn void rh_world_bad_input(const struct rh_world *world, struct rh_status status);
// A schedule does not fit the program. Comes back only if whoever drives the world goes on with
// another schedule: then this execution is over.
void rh_world_refuse(const struct rh_world *world, struct rh_status status);
// Ends the search: the program does something that we can't do.
_Noreturn void rh_world_give_up(struct rh_world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Ends the execution, which needs more than there is: more actors, more memory. What would follow
// is not explored, which the finding `bound` says.
_Noreturn void rh_world_reach_limit(struct rh_world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Calls a function of the program on the handler stack. false if a finding ended the function. The
// function's result is in `answer` of the world.
bool rh_world_call(struct rh_world *world, enum rh_stage stage, uint32_t slot,
                   const struct rh_call *call);

// The program has damaged what is not its own: nothing of this world can be relied on, and the
// process ends as in a crash of the program.
_Noreturn void rh_world_give_in(struct rh_world *world, enum rh_stage stage, const char *text);

// What to say about the crash that the caller is about to cause.
void rh_world_crash_text(struct rh_world *world, const char *text);

// trace.c: writes down what happens; does nothing where no trace is wanted.
void rh_trace_message(struct rh_world *world, const struct rh_message *message, bool delivered);
void rh_trace_spawn(struct rh_world *world, uint32_t slot, const struct rh_spawning *spawning);
// The state of an actor before (0) and after (1) its handler.
void rh_trace_state(struct rh_world *world, uint32_t slot, int64_t when);
// Something that the running actor does to itself.
void rh_trace_self(struct rh_world *world, enum rh_event_kind kind, const char *type,
                   int64_t number, const char *file, int line);
// The outcome of a choice among `ways`, and what the choice is about.
void rh_trace_choice(struct rh_world *world, const char *ways, int64_t outcome, const char *about,
                     const char *file, int line);
void rh_trace_finding(struct rh_world *world, const struct rh_finding *finding);
// The state that is reached here comes back.
void rh_trace_lap(struct rh_world *world);
// A drop of this message, or this duplicate of another.
void rh_trace_fault(struct rh_world *world, enum rh_event_kind kind,
                    const struct rh_message *message);
// The crash that this message stands for.
void rh_trace_crash(struct rh_world *world, uint32_t index);
// Everything that the program has printed since the last call.
void rh_trace_output(struct rh_world *world);

// Records, passes on or drops what the program has printed since the last call.
void rh_world_take_output(struct rh_world *world);

// 1 plus the number of earlier sends or creations of the running delivery under this key.
uint32_t rh_world_tally(struct rh_world *world, uint64_t key);

void rh_world_set_behaviour(struct rh_actor_record *record, rh_behaviour *behaviour,
                            const char *name);
void rh_world_clear_padding(struct rh_actor_record *record);
// Gives an actor the memory and the state that it begins with.
void rh_world_place_state(struct rh_world *world, uint32_t slot, const void *state, size_t size);
// The test's body is over: what it has changed of actors' memory counts.
void rh_world_settle_states(struct rh_world *world);
// The actor's life has ended: gives its memory back, but for what others may reach.
void rh_world_drop_memory(struct rh_world *world, uint32_t slot);

// Puts the actor's state where its handlers expect it, if the state is not there yet.
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
// The hash of bytes in which addresses count as what they point to.
rh_hash128 rh_canonical_hash(struct rh_world *world, const void *bytes, size_t size, uint64_t seed);
// Whether there may be addresses among these bytes, which are aligned like a uint64_t.
bool rh_has_addresses(const void *bytes, size_t size);
// An address in a loaded module as module and offset; any other word as it is.
uint64_t rh_canonical_address(uint64_t word);
// The hash of the faults so far: part of the state, since those faults can't come any more. 0 if
// there have been none.
rh_hash128 rh_faults_hash(const struct rh_world *world);
// Adds an outcome that the test's body has chosen.
void rh_fingerprint_chosen(struct rh_world *world, int outcome);
// Flags of what a waiting handler has done that decides what it may still do, and of how it
// computes.
uint64_t rh_waiting_flags(const struct rh_actor_record *record);
void rh_fingerprint_actor(struct rh_world *world, uint32_t slot);

// check.c
// Sets the judges that the program declares for the test.
void rh_world_add_judges(struct rh_world *world, const struct rh_test *test);
bool rh_world_judge(struct rh_world *world, bool at_end);
void rh_world_check_leaks(struct rh_world *world, uint32_t slot, bool stopped);
// Frees the blocks of an actor whose life has ended but for those that others may reach.
void rh_world_free_own(struct rh_world *world, uint32_t slot);
// Without a type, the bytes are those of a state of which nothing is known.
void rh_world_check_pointers(struct rh_world *world, const struct rh_type_info *type,
                             const void *bytes, size_t size, const char *file, int line);

// gift.c
void rh_gift_init(struct rh_world *world);
// Keeps a block that was given away out of use: its giver must not touch it any more.
void rh_gift_retire(struct rh_world *world, void *block);
// Makes the blocks that this actor gave away inaccessible while its handler runs.
void rh_gift_protect(struct rh_world *world, uint32_t slot, bool on);
void *rh_gift_take(struct rh_world *world, const void *bytes, size_t size);
void rh_gift_attach(struct rh_world *world, struct rh_message *message);
void rh_gift_arrive(struct rh_world *world, struct rh_message *message);

#endif
