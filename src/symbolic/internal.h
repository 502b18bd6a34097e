// SPDX-License-Identifier: MIT
// Between the files of this folder: programs of actors, run with values that nobody knows.
//
// A situation is a whole system at one point of a run: actors, pending messages, memory, the frames
// of the handler that runs, and the conditions under which the run comes here. Where a condition
// can hold and can fail, the situation is copied, and one copy goes each way.
//
// Invariants:
//  1. The conditions of a situation can hold together: `values` makes all of them true.
//  2. Memory is shared by copies until one of them writes (rh__sym_object_own).
//  3. An address is an ordinary term. Those of objects, actors, messages, globals and functions are
//     constants, each kind in a range of its own; an address that nobody knows is a variable, and
//     is decided before anything depends on it (unknown.c).
//  4. Whatever can't be followed ends its situation with a reason: no value is ever guessed.
#ifndef REHEARSE_SYMBOLIC_INTERNAL_H
#define REHEARSE_SYMBOLIC_INTERNAL_H

#include "base/identity.h"
#include "bitcode/module.h"
#include "smt/solver.h"
#include "symbolic/generate.h"

// --- Addresses. ---

#define RH__SYM_GLOBALS UINT64_C(0x100000000000)   // by index, 4 GiB each
#define RH__SYM_FUNCTIONS UINT64_C(0x200000000000) // by index, 16 bytes each
#define RH__SYM_OBJECTS UINT64_C(0x300000000000)   // by number, 4 GiB each
#define RH__SYM_ACTORS UINT64_C(0x700000000000)    // by index, 64 MiB each
#define RH__SYM_MESSAGES UINT64_C(0x780000000000)  // by number, 1 MiB each
#define RH__SYM_RANGE UINT64_C(0x100000000000)
enum { RH__SYM_OBJECT_BITS = 32, RH__SYM_ACTOR_BITS = 26, RH__SYM_MESSAGE_BITS = 20 };

static inline uint64_t rh__sym_object_address(uint32_t number)
{
    return RH__SYM_OBJECTS + ((uint64_t)number << RH__SYM_OBJECT_BITS);
}
static inline uint64_t rh__sym_actor_address(uint32_t actor)
{
    return RH__SYM_ACTORS + ((uint64_t)actor << RH__SYM_ACTOR_BITS);
}
static inline uint64_t rh__sym_message_address(uint32_t message)
{
    return RH__SYM_MESSAGES + ((uint64_t)message << RH__SYM_MESSAGE_BITS);
}
static inline uint64_t rh__sym_function_address(uint32_t function)
{
    return RH__SYM_FUNCTIONS + 16 * (uint64_t)function;
}
static inline uint64_t rh__sym_global_address(uint32_t global)
{
    return RH__SYM_GLOBALS + ((uint64_t)global << RH__SYM_OBJECT_BITS);
}

// --- Values. ---

// A value of the interpreter: a term, or a tuple of them for a struct, an array or a vector.
typedef uint32_t rh__sym_value;
#define RH__SYM_TUPLE UINT32_C(0x80000000)
#define RH__SYM_NO_VALUE UINT32_C(0xffffffff)

// A part of a tuple, or of an object: `size` bytes from `offset` on hold the term.
struct rh__sym_cell {
    uint32_t offset;
    uint32_t size; // 1 to 8
    rh_term term;
};

struct rh__sym_tuple {
    uint32_t count;
    struct rh__sym_cell *cells; // in the arena
};

// --- Memory. ---

enum rh__sym_rest {
    RH__SYM_REST_ZERO,  // bytes without a cell are zero
    RH__SYM_REST_UNSET, // bytes without a cell have never been written
};

struct rh__sym_object {
    uint32_t references;
    uint32_t count, capacity; // cells, by offset, without overlap
    uint64_t size;
    enum rh__sym_rest rest;
    bool is_constant;
    bool is_heap;       // from malloc
    bool is_stack;      // of a frame
    bool is_given;      // by rh_give, and not sent yet
    bool is_open;       // an unknown block: nobody knows how much is behind what is told of it
    bool is_travelling; // on its way in a message
    uint32_t owner;     // index of the actor whose memory it is in; RH_NONE: outside
    struct rh__sym_cell cells[];
};

// --- Actors and messages. ---

struct rh__sym_type { // of messages
    const char *name;
    uint64_t size;
    uint64_t text; // address of the name in the program; 0: not known
};

struct rh__sym_wait;

struct rh__sym_actor {
    uint32_t behaviour;             // index of a function; RH_NONE: not decided yet
    uint32_t state;                 // number of the object; RH_NONE: no state
    const char *record;             // name of the state's struct; NULL: not known
    const char *spawned_as;         // name of the behaviour that it was created with
    const char *name;               // "fact#1", as the world names it; in the arena
    uint64_t identity;              // as in the world
    uint64_t creating;              // the delivery that created it
    uint32_t from_creator;          // how many messages it was sent in that delivery
    struct rh__sym_object *initial; // contents at the beginning; NULL: created, or no state
    uint32_t parent;                // index of the actor that created it; RH_NONE: initial
    uint32_t deliveries;            // how many there were
    uint32_t kept;             // while the behaviour is not decided: which it may be; RH_NONE: any
    uint64_t now;              // logical time
    struct rh__sym_wait *wait; // of an actor that waits for a reply; owned, NULL: it does not
    uint32_t at_stop;          // function that runs when it stops; RH_NONE: none
    bool is_reserved;          // it has an address, and no state yet
    bool is_outside;           // it only sends: rh_outside; its name is the sender's
    bool is_receptionist;      // the test says that the outside may write to it
    bool is_stopped;
};

// As in the world, whose identities depend on them.
enum rh__sym_kind { RH__SYM_PLAIN, RH__SYM_ASK, RH__SYM_REPLY, RH__SYM_TIMER };

enum rh__sym_guard { RH__SYM_NOT_ASKED, RH__SYM_ACCEPTED, RH__SYM_REFUSED };

struct rh__sym_message {
    enum rh__sym_kind kind;
    enum rh__sym_guard
        guard;         // what the receiver's guard says of it in the receiver's present state
    uint32_t request;  // of a request and its reply: the request's number
    uint64_t now, due; // logical time of the sending; of a timer: when it is due
    bool is_answered;  // of a request that is handled: the reply was sent
    uint32_t number;   // the nth message of the situation's past
    uint32_t type;     // index in `types` of the engine
    uint32_t receiver; // index of an actor
    uint32_t sender;   // index of an actor; RH_NONE: outside
    uint32_t payload;  // number of the object; RH_NONE: none
    uint64_t identity; // as in the world
    bool is_first_from_creator;
    bool is_asleep; // sleeping task: what began with it has been seen
};

// What has happened, newest first; shared by copies.
struct rh__sym_event {
    const struct rh__sym_event *before;
    uint32_t message; // number
    uint32_t type;
    uint32_t receiver, sender;
    uint64_t identity;
    rh_term choice;   // what rh_choose gave, if `choices` is not 0
    uint32_t choices; // how many outcomes there were; 0: the event is a delivery
};

// Messages of the outside whose fields nobody knows, newest first; shared by copies.
struct rh__sym_arrival {
    const struct rh__sym_arrival *before;
    uint32_t type, receiver;
    uint32_t sender; // index of an actor; RH_NONE: outside
    uint64_t identity;
    struct rh__sym_object *payload; // as it came; NULL: none
    uint32_t count;                 // of this one and those before it
};

// Calls that the program has made for us, newest first; shared by copies.
struct rh__sym_called {
    const struct rh__sym_called *before;
    const char *text; // "crc(5) = 7"
    uint32_t count;   // of this one and those before it
};

// Conditions, newest first; shared by copies.
struct rh__sym_condition {
    const struct rh__sym_condition *before;
    rh_term term;
    struct rh_ir_place place;
    bool is_silent; // about overflow: people are not told
    uint32_t count; // of this one and those before it
};

// An address that was decided.
struct rh__sym_binding {
    uint32_t variable;
    rh_term value; // a constant
};

// A block of memory that is there at the beginning: what an address that nobody knew leads to.
struct rh__sym_block {
    uint32_t object;                // number at the beginning
    uint32_t owner;                 // index of the actor
    const char *name;               // of the variable that was the first to lead there
    uint64_t told;                  // structs, or elements behind a struct, that have variables
    struct rh__sym_object *initial; // contents at the beginning
    const char *record;             // as of struct rh__sym_unknown
    uint64_t record_size;
    const struct rh_ir_field *target;
};

// Rounds of a loop that might have been the last for all that is known.
struct rh__sym_rounds {
    uint32_t count;
    bool is_free;    // the present one might have been the last
    bool is_counted; // the present one is
};

struct rh__sym_frame {
    const struct rh_ir_function *function;
    uint32_t block, before;                // present block and the one it was reached from
    uint32_t next;                         // index of the next instruction in the function
    const struct rh_ir_instruction *call;  // the caller's; NULL: the frame is the handler's
    const struct rh__sym_sorting *sorting; // the frame compares for qsort; in the arena, or NULL
    rh__sym_value *values;                 // parameters and instructions; owned
    struct rh__sym_rounds *rounds;         // of each loop of the function; owned, NULL if none
    uint32_t first_object;                 // objects from this one on may be the frame's own
};

// A handler that waits for a reply.
struct rh__sym_wait {
    RH_VECTOR(struct rh__sym_frame) frames;
    RH_VECTOR(struct rh__sym_message) held;
    uint32_t request; // number of what it asked
};

enum rh__sym_end {
    RH__SYM_RUNS,
    RH__SYM_DONE,    // the handler has come to its end
    RH__SYM_CUT,     // a limit was reached; counted
    RH__SYM_BROKEN,  // a check fails, or the program does what it must not
    RH__SYM_UNKNOWN, // it can't be followed; noted
};

struct rh__sym_situation {
    RH_VECTOR(struct rh__sym_object *) objects; // by number; NULL: gone
    RH_VECTOR(struct rh__sym_actor) actors;
    RH_VECTOR(struct rh__sym_message) pending; // in the order of sending
    RH_VECTOR(struct rh__sym_frame) frames;
    RH_VECTOR(struct rh__sym_binding) bindings;
    RH_VECTOR(struct rh__sym_block) blocks;
    // Variables of the program that the test's body has written; nobody else may.
    RH_VECTOR(struct rh__sym_written {
        uint32_t global; // index
        uint32_t object; // number
    })
    globals;
    RH_VECTOR(uint64_t) values;  // of variables, by index
    RH_VECTOR(uint32_t) created; // how many by each creation site
    const struct rh__sym_condition *conditions;
    const struct rh__sym_event *events;
    const struct rh__sym_called *called;
    uint32_t values_tried;  // of arguments of such calls, on the way here, besides the present ones
    uint32_t message_count; // messages that there have been
    uint32_t running;       // index of the actor whose handler runs; RH_NONE: a test's body does
    // What the handler may look at: the message that it was called with, and replies.
    RH_VECTOR(struct rh__sym_message) held;
    rh__sym_value returned; // by the function that was called first: of a guard
    uint64_t delivery, tag; // as in the world: see base/identity.h
    RH_VECTOR(struct rh__sym_tally {
        uint64_t key;
        uint32_t count;
    })
    tallies;          // what this delivery has made so far, by key
    uint64_t steps;   // instructions of this delivery
    uint32_t choices; // that were made with rh_choose
    const struct rh__sym_arrival *arrivals;
    RH_VECTOR(struct rh__sym_input {
        const char *name; // in the arena, as the type
        const char *type;
        uint32_t object;
    })
    inputs; // that were asked for with rh_input, each once
    RH_VECTOR(struct rh__sym_judge {
        uint32_t function;
        uint32_t context; // number of the object that the judge gets; RH_NONE: none
        bool at_end;      // otherwise at all times
    })
    judges;
    RH_VECTOR(struct rh__sym_coming {
        uint32_t type;
        uint32_t receiver;
        uint32_t object; // number of its contents; RH_NONE: none
        uint64_t most;   // so many may come
        uint64_t came;
    })
    comings;             // what the test lists with rh_may_come
    uint32_t next_judge; // index of the next one to be asked
    bool is_judging;     // a judge runs, which may only look
    bool is_handled;
    bool is_stopping;
    bool is_at_stop;   // the function of rh_at_stop runs, or has run
    bool is_undefined; // what is broken has no meaning in C
    enum rh__sym_end end;
    const char *reason; // why it is broken or unknown; in the arena
    struct rh_ir_place place;
};

struct rh__sym_situations {
    struct rh__sym_situation **items;
    size_t count, capacity;
};

// --- The engine. ---

// A loop of a function: a block that is reached from behind, and the blocks around.
struct rh__sym_loop {
    uint32_t header;
    const bool *has; // by block
};

struct rh__sym_nearest;

struct rh__sym_loops {
    bool is_known;
    uint32_t count;
    struct rh__sym_loop *items;
};

struct rh__sym_behaviour {
    uint32_t function;
    const char *name;    // without "_behaviour"
    const char *record;  // of the state: "fact"; NULL: no state, or not known
    uint64_t state_size; // 0: no state
    uint32_t guard;      // a function; RH_NONE: none
};

// What is known about a variable.
struct rh__sym_unknown {
    bool is_pointer;
    bool is_actor; // the pointer leads to an actor
    bool is_signed;
    const char *record; // what the pointer leads to; NULL: no struct, or not known
    uint64_t record_size;
    const struct rh_ir_field *target; // what it leads to if that is a number or a pointer, or NULL
    uint32_t site;                    // creation site of what it may lead to
    uint32_t kept; // which behaviours the actor may have: rh__sym_kept_has; RH_NONE: any
};

// Whose field is unknown.
struct rh__sym_owner {
    uint32_t behaviour; // function: of its state; RH_NONE: of a message
    const char *type;   // of the message; NULL: of neither
};

struct rh__sym_leaf {
    const char *path; // "items[2].weight"; "<3>" for a byte that has no name
    uint32_t offset, size;
    const struct rh_ir_field *field; // NULL: a byte
    bool is_constant;                // const, or in something that is
    // Of a bit field: the bits from `offset` on that it is made of; 0: it is no bit field.
    uint32_t first_bit, bits;
};
struct rh__sym_leaves {
    const struct rh__sym_leaf *items; // in the arena
    uint32_t count;
    // As C has them: bit fields instead of the bytes that they lie in.
    const struct rh__sym_leaf *words; // in the arena
    uint32_t word_count;
};

struct rh__sym {
    bool ends_with_unknown; // the first question that the solver gives up ends it
    bool may_go_on;         // when the budget ends, there is more: that is no note
    uint64_t situations;    // that a search has come to, of which each costs a part of a question
    // How many tests there may be until the present way is given up for others; 0: any number.
    uint64_t tests_end;
    const struct rh_ir_module *module;
    const struct rh_generate_options *options;
    struct rh_terms terms;
    struct rh_solver *solver;
    struct rh_arena arena;
    RH_VECTOR(struct rh__sym_tuple) tuples;
    RH_VECTOR(struct rh__sym_type) types;
    RH_VECTOR(struct rh__sym_unknown) unknowns; // by variable
    RH_VECTOR(const char *) sites;              // creation sites by name
    RH_VECTOR(struct rh__sym_behaviour) behaviours;
    RH_VECTOR(struct rh__sym_handling *) handlings;
    RH_VECTOR(struct rh__sym_laid_out {
        const char *record;
        uint64_t size;
        struct rh__sym_leaves leaves;
    })
    laid_out; // leaves that were asked for
    // Indexes of arrays: `index` is below `count` where `condition` is assumed.
    RH_VECTOR(struct rh__sym_bound {
        rh_term index;
        rh_term condition;
        uint64_t count;
    })
    bounds;
    struct rh__sym_nearest *nearest; // how near the search has come; NULL: nobody asks
    bool **marks; // by function: its instructions that are to be reached; NULL: none
    struct rh__sym_situations *hits; // all that come to one of them, where they end; NULL: not kept
    struct rh__sym_situation *reached; // the first that came to one of them; NULL: none yet
    uint64_t first_identity;           // of the first message
    uint32_t wanted; // type of the message that an unknown actor is to get; RH_NONE: none
    // A handler has looked at more than its state and its message: variables that the program may
    // write, clocks, senders, what libc gives.
    bool looks_elsewhere;
    bool uses_senders;   // some handler looks who sent a message
    bool uses_at_stop;   // some handler calls rh_at_stop
    bool uses_become;    // some handler calls rh_become
    bool has_invariants; // every delivery is looked at, so that every order matters
    // What was left out without a note, in all situations so far: values that make a signed integer
    // overflow; addresses that nobody knows and that could have led elsewhere; outsiders that could
    // have sent a message instead of the one that did.
    bool leaves_out_overflow, leaves_out_addresses, leaves_out_senders;
    RH_VECTOR(struct rh__sym_known_call {
        struct rh_foreign_call *call; // in the arena, as the answer
        const struct rh_foreign_answer *answer;
    })
    known_calls;
    RH_VECTOR(struct rh__sym_object *) payloads; // of what the test's body sends; to be released
    struct rh__sym_loops *loops;                 // by function
    struct rh__sym_object **globals;  // contents at the start, by index; NULL: not made yet
    struct rh__sym_situations forked; // what is still to be run of the present delivery
    struct rh_generate_result *result;
    struct rh__sym_naming *naming; // gives names to blocks; NULL: they have none
};

// engine.c
struct rh_status rh__sym_init(struct rh__sym *sym, const struct rh_ir_module *module,
                              const struct rh_generate_options *options,
                              struct rh_generate_result *result);
// The result keeps the arena.
void rh__sym_fini(struct rh__sym *sym);

// budget.c: whether the budget has ended. Something is left to be followed then: that is noted.
bool rh__sym_is_over(struct rh__sym *sym);
// What was spent so far, in questions to the solver.
uint64_t rh__sym_spent(const struct rh__sym *sym);

// What became of a call that is not of the program's own code.
enum rh__sym_served {
    RH__SYM_SERVED,
    RH__SYM_NOT_SERVED, // another file may know the function
    RH__SYM_AGAIN,      // the situation was replaced, or has ended
    RH__SYM_WAITS,      // for the reply to the newest message
};

// objects.c
struct rh__sym_object *rh__sym_object_new(uint64_t size, enum rh__sym_rest rest);
void rh__sym_object_release(struct rh__sym_object *object);
uint32_t rh__sym_object_add(struct rh__sym_situation *situation, struct rh__sym_object *object);
// The object for writing: this situation's own copy.
struct rh__sym_object *rh__sym_object_own(struct rh__sym_situation *situation, uint32_t number);
// The same of one that is not among the situation's objects, or at another place.
struct rh__sym_object *rh__sym_object_own_at(struct rh__sym_object **slot);
rh_term rh__sym_object_read(struct rh__sym *sym, const struct rh__sym_object *object,
                            uint64_t offset, unsigned size, bool *is_unset);
void rh__sym_object_write(struct rh__sym *sym, struct rh__sym_object **object, uint64_t offset,
                          unsigned size, rh_term term);
// Copies `size` bytes, cell by cell.
void rh__sym_object_copy(struct rh__sym *sym, struct rh__sym_object **to, uint64_t to_offset,
                         const struct rh__sym_object *from, uint64_t from_offset, uint64_t size);

// memory.c
// access.c: whether the present instruction loads what a bit field is then set in: its bits are
// masked out, and the others are stored again. Those may never have been set, and are zero then.
bool rh__sym_sets_bit_field(const struct rh__sym_situation *situation);

// A place in memory: an object with an offset that may depend on variables.
struct rh__sym_place {
    uint32_t object; // number; RH_NONE: a global
    uint32_t global; // index; RH_NONE: an object
    rh_term offset;
};
// Finds what an address leads to. false: the situation has ended or was replaced by others.
bool rh__sym_find(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                  uint64_t size, struct rh__sym_place *place);
const struct rh__sym_object *rh__sym_object_at(struct rh__sym *sym,
                                               const struct rh__sym_situation *situation,
                                               const struct rh__sym_place *place);
bool rh__sym_load(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                  uint32_t type, rh__sym_value *value);
bool rh__sym_store(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                   uint32_t type, rh__sym_value value);
// As rh__sym_find, with an offset that is a constant from now on.
bool rh__sym_find_fixed(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                        uint64_t size, struct rh__sym_place *place, uint64_t *offset);
// Goes on where the index is below the count. false: it can't be.
bool rh__sym_bound_index(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term index,
                         uint64_t count);
// A length that nobody knows is one of the first few, as if a loop went over it: the others are cut
// off. false: the situation has ended.
bool rh__sym_length(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term term,
                    uint64_t *length);
// Goes on where the condition holds; the rest is cut off as by --loop.
bool rh__sym_cut_others(struct rh__sym *sym, struct rh__sym_situation *situation,
                        rh_term condition);
// The object of a place for writing; NULL: it can't be written, and the situation has ended.
struct rh__sym_object **rh__sym_writable(struct rh__sym *sym, struct rh__sym_situation *situation,
                                         const struct rh__sym_place *place);

// values.c
rh__sym_value rh__sym_tuple_new(struct rh__sym *sym, const struct rh__sym_cell *cells,
                                uint32_t count);
static inline bool rh__sym_is_tuple(rh__sym_value value)
{
    return value & RH__SYM_TUPLE && value != RH__SYM_NO_VALUE;
}
static inline const struct rh__sym_tuple *rh__sym_tuple_get(const struct rh__sym *sym,
                                                            rh__sym_value value)
{
    return &sym->tuples.items[value & ~RH__SYM_TUPLE];
}
// The scalar parts of a type, by offset. Gives false if a part is of a kind that has no terms.
struct rh__sym_part {
    uint32_t offset;
    uint32_t type;
};
struct rh__sym_parts {
    struct rh__sym_part *items;
    size_t count, capacity;
};
bool rh__sym_parts_of(const struct rh_ir_module *module, uint32_t type, uint64_t offset,
                      struct rh__sym_parts *parts);
// Bits of a scalar type as a term has them; 0: it has none.
unsigned rh__sym_bits(const struct rh_ir_module *module, uint32_t type);
bool rh__sym_is_scalar(const struct rh_ir_module *module, uint32_t type);
// RH__SYM_NO_VALUE if the constant can't be told.
rh__sym_value rh__sym_constant(struct rh__sym *sym, uint32_t constant);
struct rh__sym_object *rh__sym_global(struct rh__sym *sym, uint32_t global);
// The text at a constant address; NULL if there is none.
const char *rh__sym_text(struct rh__sym *sym, const struct rh__sym_situation *situation,
                         rh_term address);
// Whether the number is the address of something that there is or was, or lies in it.
bool rh__sym_is_address(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                        uint64_t number);
// Whether the term is a constant, and which: rh_term_is_constant after what was decided.
bool rh__sym_number(struct rh__sym *sym, const struct rh__sym_situation *situation, rh_term term,
                    uint64_t *number);

// wait.c: handlers that wait for a reply.
// Puts the running handler away until the reply to the request comes.
void rh__sym_wait_begin(struct rh__sym_situation *situation, uint32_t request);
// Goes on with the handler of the actor that runs; `reply` is what the ask gives.
void rh__sym_wait_end(struct rh__sym *sym, struct rh__sym_situation *situation,
                      struct rh__sym_message reply);
struct rh__sym_wait *rh__sym_wait_copy(struct rh__sym *sym, const struct rh__sym_wait *wait);
void rh__sym_wait_free(struct rh__sym_wait *wait);
void rh__sym_frame_copy(struct rh__sym *sym, struct rh__sym_frame *frame);
void rh__sym_frame_fini(struct rh__sym_frame *frame);
// The message at an address, of those that the handler may look at; NULL: none.
struct rh__sym_message *rh__sym_held(struct rh__sym *sym, struct rh__sym_situation *situation,
                                     rh_term address);

// leaves.c: the numbers and addresses that a struct is made of.
struct rh__sym_leaves rh__sym_leaves_of(struct rh__sym *sym, const char *record, uint64_t size);
// The array without a length that a struct ends in; NULL: it does not.
const struct rh_ir_field *rh__sym_tail_of(const struct rh_ir_record *record);
// Those of as many structs, or numbers or addresses, or elements behind a struct, as `size` has
// room for.
struct rh__sym_leaves rh__sym_leaves_of_block(struct rh__sym *sym, const char *record,
                                              uint64_t record_size,
                                              const struct rh_ir_field *target, uint64_t size);

// unknown.c: what nobody knows.
// The variable of this name: the same on every path, since no path has two of one name.
rh_term rh__sym_variable(struct rh__sym *sym, struct rh__sym_situation *situation, unsigned bits,
                         const char *name, struct rh__sym_unknown unknown);
// A state or payload of unknown contents, with variables named `prefix.field`.
uint32_t rh__sym_unknown_object(struct rh__sym *sym, struct rh__sym_situation *situation,
                                const char *record, uint64_t size, const char *prefix,
                                struct rh__sym_owner owner);
// The block at the beginning that an address is that of; NULL: none.
const struct rh__sym_block *rh__sym_block_at(const struct rh__sym_situation *situation,
                                             uint64_t address);
// Tells more of an open block, up to the byte `end`, but not more elements than loops go round.
void rh__sym_block_grow(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t object,
                        uint64_t end);
// Whether the field is the address of an actor.
bool rh__sym_is_actor(const struct rh_ir_field *field);

// kept.c: what is known of addresses in the field at this offset; RH_NONE: nothing.
uint32_t rh__sym_kept_find(const struct rh__sym *sym, struct rh__sym_owner owner, uint64_t offset);
bool rh__sym_kept_has(const struct rh__sym *sym, uint32_t kept, uint32_t behaviour);

// unknown.c
rh_term rh__sym_settle(struct rh__sym *sym, const struct rh__sym_situation *situation,
                       rh_term term);
// Decides an address that nobody knows before it is compared or used. true: it is known now. false:
// the situation was replaced by one for each way to decide.
bool rh__sym_decide(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term *address);

// situation.c
struct rh__sym_situation *rh__sym_situation_new(void);
struct rh__sym_situation *rh__sym_situation_copy(struct rh__sym *sym,
                                                 const struct rh__sym_situation *situation);
void rh__sym_situation_free(struct rh__sym_situation *situation);
void rh__sym_end_with(struct rh__sym *sym, struct rh__sym_situation *situation,
                      enum rh__sym_end end, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void rh__sym_cut(struct rh__sym *sym, struct rh__sym_situation *situation,
                 enum rh_generate_cut cut);
// Adds a condition that holds for the present values.
void rh__sym_assume(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term condition,
                    bool is_silent);
bool rh__sym_is_assumed(const struct rh__sym_situation *situation, rh_term condition);
// Whether the condition can hold here; on RH_CAN `values` has the values (room for all variables).
enum rh_answer rh__sym_can(struct rh__sym *sym, const struct rh__sym_situation *situation,
                           rh_term condition, bool is_silent, uint64_t *values);
// Goes on where the condition holds; a copy goes on where it does not, from the same instruction.
// Gives the condition's value in this situation from now on.
bool rh__sym_fork(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term condition,
                  struct rh__sym_situation **other);
// The rest of the situation's time: sends it to what is still to be run.
void rh__sym_push(struct rh__sym *sym, struct rh__sym_situation *situation);

// interpret.c: runs until the handler ends, or the situation does.
void rh__sym_run(struct rh__sym *sym, struct rh__sym_situation *situation);
// calls.c: a frame for the function. `call`: the caller's instruction; NULL: nobody's. false: the
// situation has ended.
bool rh__sym_call(struct rh__sym *sym, struct rh__sym_situation *situation,
                  const struct rh_ir_function *function, const struct rh_ir_instruction *call,
                  const rh__sym_value *arguments, uint32_t count);
// loops.c
const struct rh__sym_loops *rh__sym_loops_of(struct rh__sym *sym,
                                             const struct rh_ir_function *function);

// deliver.c: between deliveries.
bool rh__sym_is_deliverable(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                            size_t index);
// The first pending message whose receiver's guard has not been asked; RH_NONE: none.
uint32_t rh__sym_first_not_asked(const struct rh__sym *sym,
                                 const struct rh__sym_situation *situation);
// A situation for each answer that the guard may give of a pending message.
void rh__sym_ask_guard(struct rh__sym *sym, const struct rh__sym_situation *situation,
                       uint32_t index, struct rh__sym_situations *answers);
// A copy in which the handler of a pending message is about to begin.
struct rh__sym_situation *rh__sym_take_out(struct rh__sym *sym,
                                           const struct rh__sym_situation *situation, size_t index);
// All outcomes of the delivery that is about to begin. Takes the situation.
void rh__sym_deliver(struct rh__sym *sym, struct rh__sym_situation *situation,
                     struct rh__sym_situations *outcomes);

// gifts.c: blocks that rh_give has handed over.
// Those that the message carries are its receiver's from now on.
void rh__sym_take_gifts(struct rh__sym *sym, struct rh__sym_situation *situation,
                        const struct rh__sym_message *message);
// A handler has ended: what it gave and did not send is lost.
void rh__sym_lose_gifts(struct rh__sym_situation *situation);
// An actor has stopped: its blocks are free.
void rh__sym_free_own(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t actor);

// names.c: identities and names as the world has them.
// Names a new actor: `index` is in the situation, and has its behaviour and parent.
void rh__sym_name_actor(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t index);
void rh__sym_name_message(struct rh__sym *sym, struct rh__sym_situation *situation,
                          struct rh__sym_message *message);

// operations.c, library.c: calls that are not the program's own. They set `*value`.
enum rh__sym_served rh__sym_operation(struct rh__sym *sym, struct rh__sym_situation *situation,
                                      const char *name, const rh__sym_value *arguments,
                                      uint32_t count, rh__sym_value *value);
// A call of a function that the program does not define.
struct rh__sym_call {
    struct rh__sym *sym;
    struct rh__sym_situation *situation;
    const struct rh_ir_function *callee;
    const rh__sym_value *arguments;
    uint32_t count;
    rh__sym_value *value;
};
typedef enum rh__sym_served rh__sym_function(const struct rh__sym_call *call);
enum rh__sym_served rh__sym_library(const struct rh__sym_call *call);
// Whether memory of the test's body leads into that of an actor.
bool rh__sym_is_shared(struct rh__sym *sym, const struct rh__sym_situation *situation);
enum rh__sym_served rh__sym_allocate(const struct rh__sym_call *call, rh_term size, bool is_zero);
// foreign.c: functions that are not in the sources, and of which nothing is known.
rh__sym_function rh__sym_foreign;
// Goes on only where the condition holds; elsewhere the situation ends with `end` and the reason.
// `is_undefined`: as of a situation. false: it can't hold, and this situation has ended.
bool rh__sym_require(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term condition,
                     enum rh__sym_end end, const char *reason, bool is_undefined);

// texts.c: texts and blocks of bytes, as terms over their bytes.
rh__sym_function rh__sym_strlen, rh__sym_strnlen, rh__sym_strcmp, rh__sym_strncmp, rh__sym_memcmp,
    rh__sym_strcpy, rh__sym_strncpy, rh__sym_strcat, rh__sym_strchr, rh__sym_strrchr,
    rh__sym_memchr, rh__sym_strdup;

// reals.c: functions of real numbers.
rh__sym_function rh__sym_fabs, rh__sym_fmuladd, rh__sym_copysign, rh__sym_least, rh__sym_greatest,
    rh__sym_real_function;

// sorting.c: qsort, which calls the program's function.
rh__sym_function rh__sym_qsort;
// The comparing function comes to its end, and is still the innermost frame. Gives whether what it
// says is known; otherwise the situation has ended or goes on elsewhere.
bool rh__sym_sorting_decide(struct rh__sym *sym, struct rh__sym_situation *situation,
                            rh__sym_value compared, bool *is_greater);
// Goes on when the frame is gone. true: the call of qsort is done.
bool rh__sym_sorting_go(struct rh__sym *sym, struct rh__sym_situation *situation,
                        const struct rh__sym_sorting *sorting, bool is_greater);

// operations.c: what arguments name. false: it can't be told, or the situation goes on elsewhere.
bool rh__sym_message_type(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                          uint32_t *type);
// The actor at an address; RH_NONE: null.
bool rh__sym_actor_at(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                      uint32_t *actor);

uint32_t rh__sym_type_named(struct rh__sym *sym, const char *name, uint64_t size);
uint32_t rh__sym_site(struct rh__sym *sym, const char *name);

// reads.c: what a handler does with one type of message, by looking at its code.
struct rh__sym_ranges {
    bool is_all;
    RH_VECTOR(struct rh__sym_range {
        uint64_t offset;
        uint64_t size;
    })
    items;
};
struct rh__sym_handling {
    uint32_t behaviour;
    uint32_t type;
    struct rh__sym_ranges reads, writes; // of the state
    bool sends_anything;                 // what is sent can't be told
    RH_VECTOR(uint32_t) sends;           // indexes of types
    bool is_taken;                       // the handler looks for this type
    bool is_near;                        // it may come to what is marked
    bool asks;                           // and goes on with a reply, of whatever type
    bool is_ignored;                     // it may say rh_ignore to it
    bool becomes;                        // its actor may have another behaviour afterwards
    bool has_chain;                      // `chain` is known
    bool *chain; // by type: what may be sent because of this, sooner or later; in the arena
};
struct rh__sym_handling *rh__sym_handling_of(struct rh__sym *sym, uint32_t behaviour,
                                             uint32_t type);
// Whether what the one writes is read by the other.
bool rh__sym_writes_to(const struct rh__sym_handling *a, const struct rh__sym_handling *b);
bool rh__sym_are_independent(const struct rh__sym *sym, const struct rh__sym_handling *a,
                             const struct rh__sym_handling *b);
const bool *rh__sym_chain_of(struct rh__sym *sym, struct rh__sym_handling *handling);

// nearest.c: a jump can't go one of its ways here, since what that needs can't hold.
void rh__sym_blocked(struct rh__sym *sym, const struct rh__sym_situation *situation,
                     const struct rh_ir_instruction *jump, uint32_t way, rh_term needed);
// A check that is made here can't fail.
void rh__sym_holds(struct rh__sym *sym, const struct rh__sym_situation *situation, rh_term check);

// behaviours.c: which behaviours there are, and what their states are.
// The text that a constant global begins with: the name in a struct rh_type; NULL: none.
const char *rh__sym_name_in_global(struct rh__sym *sym, struct rh_ir_ref value);
void rh__sym_behaviours_find(struct rh__sym *sym);
// The behaviour whose function it is; RH_NONE: none.
uint32_t rh__sym_behaviour_of(const struct rh__sym *sym, uint32_t function);
void rh__sym_types_find(struct rh__sym *sym);
// Makes an actor one of this behaviour, with a state that nobody knows.
void rh__sym_become_initial(struct rh__sym *sym, struct rh__sym_situation *situation,
                            uint32_t actor, uint32_t behaviour);

// body.c: the body of a test, in place of a first message.
struct rh_status rh__sym_body_find(const struct rh__sym *sym, const char *test, uint32_t *found);
// The name of the test whose body the function is; NULL: it is none.
const char *rh__sym_body_name(const struct rh_ir_function *function);
// The index of the sender of this name, as rh_outside makes it.
uint32_t rh__sym_outside(struct rh__sym_situation *situation, const char *name);
// All ways through the body, in `outcomes`.
void rh__sym_body_run(struct rh__sym *sym, const struct rh__sym_situation *situation, uint32_t body,
                      struct rh__sym_situations *outcomes);
// Operations that only bodies may call.
enum rh__sym_served rh__sym_body_operation(struct rh__sym *sym, struct rh__sym_situation *situation,
                                           const char *name, const rh__sym_value *arguments,
                                           rh__sym_value *value);

// Makes the fields of a message that the body sends unknown; the message is the newest.
void rh__sym_body_forget(struct rh__sym *sym, struct rh__sym_situation *situation);
// Whether the body of a test runs.
bool rh__sym_is_body(const struct rh__sym_situation *situation);

// judges.c: what a test says must hold, at all times or at the end.
void rh__sym_judge_add(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t function,
                       uint32_t context, bool at_end);
// The judge that the global declares beside a test; RH_NONE: it declares none.
uint32_t rh__sym_judge_declared(const struct rh__sym *sym, const struct rh_ir_global *global,
                                const char **test, bool *at_end);
// Those that the test declares beside its body.
void rh__sym_judges_declared(struct rh__sym *sym, struct rh__sym_situation *situation,
                             const char *test);
// Asks all judges for the end or for all times. Each outcome is done if they all hold there. Takes
// the situation.
void rh__sym_judge(struct rh__sym *sym, struct rh__sym_situation *situation, bool at_end,
                   struct rh__sym_situations *outcomes);
// rh_view_named and its like.
enum rh__sym_served rh__sym_view(struct rh__sym *sym, struct rh__sym_situation *situation,
                                 const char *name, const rh__sym_value *arguments,
                                 rh__sym_value *value);

// tests.c: what is kept of a situation in which a test ends.
void rh__sym_test_add(struct rh__sym *sym, struct rh__sym_situation *situation,
                      const struct rh__sym_object *message);
// The fields of an object with the values that the situation has for what nobody knows.
struct rh_generate_fields rh__sym_fields_of(struct rh__sym *sym,
                                            const struct rh__sym_situation *situation,
                                            const struct rh__sym_object *object,
                                            const char *record);
// As rh__sym_fields_of, of the first part of an object that has these leaves.
struct rh_generate_fields rh__sym_fields_at(struct rh__sym *sym,
                                            const struct rh__sym_situation *situation,
                                            const struct rh__sym_object *object,
                                            struct rh__sym_leaves leaves);
// The type of a struct in C's words; NULL: not known.
const char *rh__sym_type_of(struct rh__sym *sym, const char *record, uint64_t size);

// blocks.c: blocks of a test, and names for them.
// From here to rh__sym_blocks_end fields that lead to blocks say to which.
void rh__sym_blocks_begin(struct rh__sym *sym, const struct rh__sym_situation *situation);
// What is at the end from here on.
void rh__sym_blocks_turn(struct rh__sym *sym);
// Gives the blocks to the test.
void rh__sym_blocks_end(struct rh__sym *sym, struct rh_generate_test *test);
// Notes what the field leads to. false: that is no block. `field` is what is known of it, or NULL.
bool rh__sym_block_name(struct rh__sym *sym, const struct rh_ir_field *field,
                        struct rh_generate_field *named);
void rh__sym_note(struct rh__sym *sym, const char *text, struct rh_ir_place place);

#endif
