// SPDX-License-Identifier: MIT
// The inside of the analysis: inclusion-based points-to sets for a whole program of actors.
//
// A node stands for the values that one variable, or one stretch of an object, may have: a set of
// locations that only grows. An edge from one node to another says that the second has whatever the first has; a
// constraint does something with each new location. An object is everything that one place of the program
// creates while one behaviour handles messages of one origin: code that several behaviours share is analysed once for each of
// them (the paper's sensitivity to the actor object), and once for each place that a message comes from (handling_actor), except
// for what can't be told apart.
//
// A location is an object and the bytes in it that an address may name: one offset, or offsets in steps, or
// all. What is read and written through a location of some width has a cell of its own in the object; cells that
// overlap give each other what they have.
//
// Numbers are locations too, in an object that stands for all of them: at the offset that is their value, or everywhere
// for a number that is not known. A set of many becomes that. NULL is the number 0, and an integer is sign-extended from
// its own width, so that a condition that holds is -1.
//
// A branch is followed where its condition may lead: by the types of messages (dispatch.c) and by what numbers there are.
//
// Invariants:
//  1. When nothing is queued, every edge and every constraint holds.
//  2. A set has every number that the value may have. What is put where numbers are not followed counts as any number.
//     A value of which nothing is known when nothing changes any more, as what lies in memory that nothing was put into,
//     becomes any number (unknown.c).
#ifndef REHEARSE_FLOW_INTERNAL_H
#define REHEARSE_FLOW_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/vector.h"
#include "bitcode/module.h"
#include "flow/flow.h"

#define RH__NONE UINT32_MAX
// Offset, stride and count of a location or a cell that is everywhere in its object.
#define RH__EVERYWHERE UINT64_MAX

struct rh__location {
    uint32_t object;
    int64_t offset;
    uint64_t stride; // 0: one offset
    uint64_t count;  // of offsets; RH__EVERYWHERE: up to the end of the object
};

enum rh__object_kind {
    RH__NUMBER,   // all numbers: object 0 only
    RH__ANYTHING, // whatever code that is not known has
    RH__VARIABLE, // global `number`
    RH__FUNCTION, // function `number`
    RH__MEMORY,   // of a local variable, from the heap, a payload, a state
    RH__MESSAGE,  // message `number`: what an rh_message * points to
    RH__ADDRESS,  // address `number`: what an rh_actor * points to
    RH__OUTSIDE,  // a sender made by rh_outside
};

// A stretch of an object that is accessed: positions like those of a location, `width` bytes at each.
struct rh__cell {
    int64_t offset;
    uint64_t stride, count, width;
    uint32_t written, read; // nodes: what is put there, what is found there
    bool is_written;
};

// What is put into one object comes to another one too: a copy of `size` bytes.
struct rh__link {
    uint32_t from, to; // locations
    uint64_t size;     // RH__EVERYWHERE: not known
    bool is_first;     // nothing was there before
};

struct rh__object {
    enum rh__object_kind kind;
    uint32_t number;
    uint32_t owner;    // actor
    uint32_t type;     // RH_IR_NONE: not known
    bool inherits;     // it is made to be a copy, of whatever type that is
    bool is_payload;   // an address in it is not NULL
    uint32_t links_in; // of such an object: how many copies come together
    uint64_t size;     // RH__EVERYWHERE: not known
    uint32_t location_count;
    uint32_t whole; // the location that is everywhere in it; RH__NONE: nobody has asked for it
    bool is_zeroed; // what nothing is put into is zero
    bool has_escaped;
    bool is_merged; // nothing is told apart in it any more
    RH_VECTOR(struct rh__cell) cells;
    RH_VECTOR(struct rh__link) links;
};

enum rh__constraint_kind {
    RH__LOAD,      // target has what lies there; size
    RH__STORE,     // what target has is put there; size
    RH__OFFSET,    // target has the address that `instruction` makes of it
    RH__SPREAD,    // target has every address in the same object
    RH__STEP,      // target has the addresses of all elements of an array, of `size` bytes each
    RH__SHUFFLE,   // elements of `size` bytes change places
    RH__OVERLAP,   // target has it, but not what number it is, other than 0
    RH__CONVERT,   // target has it as a number of another width, as `instruction` says
    RH__COMBINE,   // combination `target` has it as its first (`size` 0) or its second operand
    RH__COPY_TO,   // transfer `target` writes there
    RH__COPY_FROM, // transfer `target` reads there
    RH__FILTER,    // target (a view) has the messages that its block lets through
    RH__AS,        // target has the payload, if the message has type `size` (RH__NONE: any)
    RH__SENDER,    // target has the sender of the message
    RH__CALL,      // call `target` calls it
    RH__CALL_BACK, // callback `target` calls it
    RH__OPERATION, // operation `target` is to be looked at again
    RH__DISPATCH,  // block `size` of instance `target` is to be looked at again
    RH__GUARD,     // guarded `target` gives it
    RH__ESCAPE,    // code that is not known has it
};

struct rh__constraint {
    enum rh__constraint_kind kind;
    uint32_t target;
    uint64_t size;
    const struct rh_ir_instruction *instruction;
    uint32_t next; // of the same node
};

struct rh__node {
    uint32_t
        *items; // locations, in the order in which they came; those before `done` went on already
    uint32_t count, capacity, done;
    uint32_t *table; // of a large set: its items plus 1, by hash
    uint32_t table_capacity;
    uint32_t *edges;
    uint32_t edge_count, edge_capacity;
    uint32_t constraints; // first
    uint32_t owner : 24;
    uint32_t number_count : 5;
    uint32_t has_any_number : 1;
    uint32_t is_patched : 1; // parts are put there one by one: together they are 0, or any number
    uint32_t is_queued : 1;
};

struct rh__transfer {
    uint32_t to, from; // nodes
    uint64_t size;
    bool is_first; // what is written to is made for this
};

// An instruction makes a number of two others.
struct rh__combination {
    uint32_t operands[2], result; // nodes
    uint32_t bits;                // of the operands
    const struct rh_ir_instruction *instruction;
};

// The type of a message. Number 0 is that of messages whose type is not known.
struct rh__message_type {
    const char *name;
    uint64_t size;
};

// What one place of the program sends while one behaviour runs, of one type.
struct rh__message {
    uint32_t object;
    uint32_t type;
    uint32_t payload;            // object
    uint32_t sender;             // node
    uint32_t replies;            // node that receives replies; RH__NONE: it was not asked
    RH_VECTOR(uint32_t) sent_by; // operations: the same, whatever message the behaviour handles
};

// Bytes of a global variable.
struct rh__stretch {
    uint32_t global;
    uint64_t offset, size;
};

// What rh_actor * names: all actors that were created with one behaviour.
struct rh__address {
    uint32_t function; // behaviour it was created with
    uint32_t object;
    uint32_t state;               // object
    RH_VECTOR(uint32_t) handlers; // actors: this behaviour, and those it may become
    RH_VECTOR(uint32_t) inbox;    // messages
};

// A behaviour, or the outside, as something that runs: the abstract actor of the paper.
struct rh__actor {
    uint32_t function;             // RH_IR_NONE: the outside
    uint32_t whole;                // actor: the same behaviour, whatever it handles
    uint32_t part_count;           // how many messages are handled by parts of it
    uint32_t self, state, message; // nodes
    bool is_running;               // its handler has been called
    bool is_guard;                 // it only says what its behaviour takes
    bool is_queued;
    bool calls_unknown;
    RH_VECTOR(uint32_t) nodes; // work to do
    size_t nodes_done;
    RH_VECTOR(uint32_t) operations;
    RH_VECTOR(uint32_t) instances;
};

struct rh__guard {
    uint32_t behaviour, guard; // functions
};

// Messages of one type that come to an actor whose behaviour has a guard: they wait until it may let them through.
struct rh__guarded {
    uint32_t actor, type;
    uint32_t messages; // node: what the guard is asked about
    bool is_open;
    RH_VECTOR(uint32_t) waiting; // messages
};

// What is known statically about the branches of a function on types of messages.
struct rh__dispatch {
    uint32_t *messages; // values that rh_as is asked about
    uint32_t message_count;
    struct rh__branch {
        uint32_t message; // index in messages; RH__NONE: no such branch
        uint32_t type;
        bool is_negated; // the first successor is taken if it is not of the type
    } * branches;        // by block
};

// A function as one actor runs it.
struct rh__instance {
    uint32_t function, actor;
    uint32_t first_node; // of its parameters, then its instructions
    uint32_t result;     // node
    uint32_t arguments;  // object that holds variable arguments; RH__NONE
    bool is_queued;
    const struct rh__dispatch *dispatch;
    RH_VECTOR(uint32_t) blocks; // to be looked at again
    bool *reached;              // by block
    uint64_t *types;            // by block and message: set of types
    uint32_t *views;            // by block and message: RH__NONE if nobody has asked
};

struct rh__view {
    uint32_t node, instance, block, message;
};

struct rh__call {
    uint32_t instance;
    const struct rh_ir_instruction *instruction;
};

// A library calls a function of the program, with these values for all its parameters.
struct rh__callback {
    uint32_t actor, values;
};

struct rh__operation {
    enum rh__operation_kind {
        RH__SPAWN,
        RH__SEND,
        RH__SEND_FROM,
        RH__AFTER,
        RH__ASK,
        RH__REPLY,
        RH__MAY_COME,
        RH__BECOME,
        RH__AT_STOP,
        RH__RECEPTIONIST,
    } kind;
    uint32_t instance, actor;
    const struct rh_ir_instruction *instruction;
    const struct rh_ir_function *function; // that the instruction is in
    uint32_t to;      // node: the receiver; the message for a reply; a function
    uint32_t type;    // node
    uint32_t payload; // node
    uint32_t from;    // node; RH__NONE: the actor itself
    uint64_t size;    // of the payload
    uint32_t line;    // node: where it stands; RH__NONE: that is constant, or it does not say
    uint32_t result;  // node
    uint32_t watched; // how many of the messages it answers have been looked at
    bool is_queued;
    RH_VECTOR(uint32_t) messages; // one for each type
};

// Code of an actor looks for messages of a type, or says that it ignores some.
struct rh__handled {
    uint32_t actor;
    uint32_t type;     // RH__NONE: any
    uint32_t messages; // node; RH__NONE: `type` says it
};

struct rh__event {
    uint32_t from, to; // actors
    uint32_t operation;
    uint32_t message; // RH__NONE: a creation
};

struct rh__flow {
    const struct rh_ir_module *module;
    const struct rh_flow_options *options;
    struct rh_arena arena;
    RH_VECTOR(struct rh__node) nodes;
    RH_VECTOR(struct rh__constraint) constraints;
    RH_VECTOR(struct rh__object) objects;
    RH_VECTOR(struct rh__location) locations;
    struct rh_index location_index;
    struct rh_index edge_index, overlap_index; // what leads from one node to another, by both
    RH_VECTOR(struct rh__link) links;          // all there are, to find them
    struct rh_index link_index;
    RH_VECTOR(struct rh__transfer) transfers;
    RH_VECTOR(struct rh__combination) combinations;
    RH_VECTOR(struct rh__message_type) types;
    RH_VECTOR(struct rh__message) messages;
    struct rh_index message_index;
    RH_VECTOR(struct rh__address) addresses;
    RH_VECTOR(struct rh__actor) actors; // 0 is the outside
    struct rh_index part_index;         // actors by the whole and the message
    RH_VECTOR(struct rh__instance) instances;
    struct rh_index instance_index;
    RH_VECTOR(struct rh__view) views;
    RH_VECTOR(struct rh__call) calls;
    RH_VECTOR(struct rh__callback) callbacks;
    RH_VECTOR(struct rh__operation) operations;
    RH_VECTOR(struct rh__guard) guards;
    RH_VECTOR(struct rh__guarded) guarded;
    struct rh_index guarded_index;
    RH_VECTOR(struct rh__event) events;
    struct rh_index event_index;
    RH_VECTOR(struct rh__handled) handled;
    struct rh_index handled_index;
    RH_VECTOR(struct rh__stretch) overwritten; // before anything can have looked at it
    RH_VECTOR(uint32_t) queue;                 // actors
    size_t queue_done;
    uint32_t *constant_nodes;   // by constant; RH__NONE
    uint32_t *global_objects;   // by global; RH__NONE
    uint32_t *function_objects; // by function; RH__NONE
    uint32_t *function_actors;  // by function; RH__NONE
    uint32_t *function_addresses;
    uint32_t *global_types; // by global: the message type that it describes; RH__NONE
    const struct rh__dispatch **dispatches; // by function; NULL until asked for
    uint32_t type_words;                    // of a set of types
    // Code that is not known may have everything in the node `escaped`, and may put any of it wherever it can reach. One
    // location stands for all of it in the sets of others, in `anything`: it is looked up only where it counts.
    uint32_t escaped, anything;
    uint32_t zero, any_number; // nodes that have only that
    uint32_t saved;            // node: addresses in files, in pipes and in texts
    uint32_t outside;          // object of rh_outside
    // What is copied has the type that it had, unless copies of several types come together: then what was concluded from
    // the first of them was wrong, and everything is analysed again without types of copies.
    bool ignores_copied_types;
    bool has_type_conflict;
    bool has_receptionists;
    bool has_assembly;
    bool *receptionists; // by function
    bool *unknown_calls; // by function: called, and not known
};

// points.c
uint32_t rh__node_new(struct rh__flow *flow, uint32_t owner);
uint32_t rh__nodes_new(struct rh__flow *flow, uint32_t owner, uint32_t count);
void rh__node_add(struct rh__flow *flow, uint32_t node, uint32_t location);
void rh__node_patch(struct rh__flow *flow, uint32_t node);
void rh__edge(struct rh__flow *flow, uint32_t from, uint32_t to);
void rh__constrain(struct rh__flow *flow, uint32_t node, const struct rh__constraint *constraint);
// What the first has comes to the second, but not what number it is: only a part of it is found there. A part of 0 is 0.
void rh__overlap(struct rh__flow *flow, uint32_t from, uint32_t to);
void rh__solve(struct rh__flow *flow);
void rh__queue_actor(struct rh__flow *flow, uint32_t actor);
void rh__queue_block(struct rh__flow *flow, uint32_t instance, uint32_t block);

// numbers.c
static inline bool rh__is_number(const struct rh__flow *flow, uint32_t location)
{
    return flow->locations.items[location].object == 0;
}
// Whether it is a number that is known, and which.
bool rh__is_known(const struct rh__flow *flow, uint32_t location, int64_t *number);
void rh__convert(struct rh__flow *flow, const struct rh__constraint *constraint, uint32_t location);
void rh__combination_new(struct rh__flow *flow, const struct rh__combination *combination);
// Something new is among the first or the second operands.
void rh__combine(struct rh__flow *flow, uint32_t combination, uint32_t side, uint32_t location);

// memory.c
uint32_t rh__object_new(struct rh__flow *flow, enum rh__object_kind kind, uint32_t number,
                        uint32_t owner, uint64_t size);
uint32_t rh__location_of(struct rh__flow *flow, uint32_t object); // its first byte
uint32_t rh__number(struct rh__flow *flow, int64_t number);
void rh__any_number(struct rh__flow *flow, uint32_t node);
uint32_t rh__location_everywhere(struct rh__flow *flow, uint32_t object);
// The location that an address computation makes of one.
uint32_t rh__location_moved(struct rh__flow *flow, uint32_t location,
                            const struct rh_ir_instruction *instruction);
uint32_t rh__location_add(struct rh__flow *flow, uint32_t location, int64_t offset);
uint32_t rh__location_step(struct rh__flow *flow, uint32_t location, uint64_t stride);
void rh__load(struct rh__flow *flow, uint32_t location, uint64_t width, uint32_t target);
void rh__store(struct rh__flow *flow, uint32_t location, uint64_t width, uint32_t source);
// What is put into the one location comes to the other.
void rh__link_locations(struct rh__flow *flow, const struct rh__link *link);
void rh__transfer_new(struct rh__flow *flow, const struct rh__transfer *transfer);
void rh__escape(struct rh__flow *flow, uint32_t location);
// Whether memory can be looked at through it.
bool rh__has_cells(const struct rh__flow *flow, uint32_t object);

// constants.c
uint32_t rh__constant_node(struct rh__flow *flow, uint32_t constant);
uint32_t rh__global_object(struct rh__flow *flow, uint32_t global);
uint32_t rh__function_object(struct rh__flow *flow, uint32_t function);
void rh__types_find(struct rh__flow *flow);
// Whether a constant is the address of a global variable, or of a place in it, and which.
bool rh__constant_address(const struct rh_ir_module *module, uint32_t constant, uint32_t *global,
                          int64_t *offset);

// beginning.c: what the body of the test overwrites at once. Asked for before anything else is looked at.
void rh__beginning_read(struct rh__flow *flow, uint32_t body);
// The end of what is overwritten from this offset on, the offset itself if that is not; and where the next such stretch
// begins, `limit` if there is none before it.
uint64_t rh__overwritten_end(const struct rh__flow *flow, uint32_t global, uint64_t offset);
uint64_t rh__overwritten_next(const struct rh__flow *flow, uint32_t global, uint64_t offset,
                              uint64_t limit);

// build.c: the main that runs the tests; RH__NONE: there is none, or it does something else.
uint32_t rh__main_find(const struct rh_ir_module *module);
// Whether the loader calls functions whose addresses are in the variable, before anything else runs.
bool rh__runs_at_start(const struct rh_ir_global *global);

// dispatch.c
const struct rh__dispatch *rh__dispatch_of(struct rh__flow *flow, uint32_t function);
void rh__dispatch_run(struct rh__flow *flow, uint32_t instance);
bool rh__view_takes(const struct rh__flow *flow, const struct rh__view *view, uint32_t location);
// The node of a value in a block: narrowed if it is a message.
uint32_t rh__view_node(struct rh__flow *flow, uint32_t instance, uint32_t block, uint32_t value);

// instances.c
uint32_t rh__instance_get(struct rh__flow *flow, uint32_t function, uint32_t actor);
uint32_t rh__parameter(const struct rh__flow *flow, uint32_t instance, uint32_t index);
uint32_t rh__operand(struct rh__flow *flow, uint32_t instance, uint32_t block,
                     struct rh_ir_ref value);
void rh__generate_block(struct rh__flow *flow, uint32_t instance, uint32_t block);
// What values become along an edge between blocks.
void rh__generate_edge(struct rh__flow *flow, uint32_t instance, uint32_t from, uint32_t to);
uint32_t rh__value_node(const struct rh__flow *flow, uint32_t instance,
                        const struct rh_ir_instruction *instruction);

// calls.c
void rh__call_named(struct rh__flow *flow, uint32_t instance, uint32_t block,
                    const struct rh_ir_instruction *call, uint32_t function);
void rh__call_address(struct rh__flow *flow, uint32_t instance, uint32_t block,
                      const struct rh_ir_instruction *call);
void rh__call_resolved(struct rh__flow *flow, uint32_t call, uint32_t location);
// What the call by address calls may be code that is not known.
void rh__call_unknown(struct rh__flow *flow, uint32_t call);
// Calls a function of the program, if that is what it is, with the same values for all parameters. What it gives goes to
// `results`.
void rh__call_back(struct rh__flow *flow, uint32_t actor, uint32_t location, uint32_t values,
                   uint32_t results);

// operations.c
bool rh__operation_call(struct rh__flow *flow, uint32_t instance, uint32_t block,
                        const struct rh_ir_instruction *call, const char *name);
void rh__operation_run(struct rh__flow *flow, uint32_t operation);
void rh__operation_queue(struct rh__flow *flow, uint32_t operation);
// A part of an actor: it has what the actor has, except for messages.
uint32_t rh__actor_part(struct rh__flow *flow, uint32_t actor);
// The message is handed to the behaviour.
void rh__receive(struct rh__flow *flow, uint32_t actor, uint32_t message);

// unknown.c: values of code that is reached, of which nothing is known, become any number. Whether there are any.
bool rh__unknown_found(struct rh__flow *flow);

// guards.c: a message that is sent to an actor is received when its guard may let it through.
void rh__guards_find(struct rh__flow *flow);
void rh__guard_ask(struct rh__flow *flow, uint32_t actor, uint32_t message);
void rh__guard_answer(struct rh__flow *flow, uint32_t guarded, uint32_t location);

// library.c
void rh__library_call(struct rh__flow *flow, uint32_t instance, uint32_t block,
                      const struct rh_ir_instruction *call, uint32_t function);

// A call of code that is not known.
void rh__unknown_call(struct rh__flow *flow, uint32_t instance, uint32_t block,
                      const struct rh_ir_instruction *call);

static inline const struct rh__location *rh__location_get(const struct rh__flow *flow,
                                                          uint32_t location)
{
    return &flow->locations.items[location];
}
static inline const struct rh__object *rh__object_at(const struct rh__flow *flow, uint32_t location)
{
    return &flow->objects.items[flow->locations.items[location].object];
}

#endif
