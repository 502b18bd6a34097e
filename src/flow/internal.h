// SPDX-License-Identifier: MIT
// The inside of the analysis: inclusion-based points-to sets for a whole program of actors.
//
// A node stands for the values that one variable, or one stretch of an object, may have: a set of
// locations that only grows. An edge says that the second node has whatever the first has; a
// constraint does something with each new location of its node. An object is everything that one
// place of the program creates while one behaviour handles messages of one origin. Code that
// several behaviours share is analysed once for each of them (the paper's sensitivity to the actor
// object), and once for each place that a message comes from (handling_actor), up to a bound.
//
// A location is an object and the bytes in it that an address may name: one offset, or offsets in
// steps, or all. Each combination of a location and a width through which the object is read or
// written has a cell of its own in the object; cells that overlap give each other what they have.
//
// Numbers are locations too, in an object that stands for all of them: a known number at the offset
// that is its value, a number that is not known everywhere in the object. A set of many numbers
// becomes the latter. NULL is the number 0. An integer is sign-extended from its own width, so a
// condition that holds is -1.
//
// A branch is followed where its condition may lead: by the types of messages (dispatch.c) and by
// the numbers that the condition may be.
//
// Unknown code is a function that is not in the module and has no model (models.h), or assembly.
//
// Invariants:
//  1. When nothing is queued, every edge and every constraint holds.
//  2. A set has every number that the value may have. Where the analysis does not follow numbers,
//     it puts any number. A value whose set is still empty when nothing changes any more, for
//     instance one read from memory that nothing was put into, becomes any number (unknown.c).
#ifndef REHEARSE_FLOW_INTERNAL_H
#define REHEARSE_FLOW_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/none.h"
#include "base/vector.h"
#include "bitcode/module.h"
#include "flow/flow.h"

// Offset, stride and count of a location or a cell that is everywhere in its object.
#define RH__FLOW_EVERYWHERE UINT64_MAX

struct rh__flow_location {
    uint32_t object;
    int64_t offset;
    uint64_t stride; // distance of the offsets; 0: there is one offset
    uint64_t count;  // how many offsets; RH__FLOW_EVERYWHERE: up to the end of the object
};

enum rh__flow_object_kind {
    RH__FLOW_NUMBER,   // all numbers: object 0 only
    RH__FLOW_ANYTHING, // whatever unknown code has
    RH__FLOW_VARIABLE, // global `number`
    RH__FLOW_FUNCTION, // function `number`
    RH__FLOW_MEMORY,   // a local variable, a block of the heap, a payload or a state
    RH__FLOW_MESSAGE,  // message `number`: what an rh_message * points to
    RH__FLOW_ADDRESS,  // address `number`: what an rh_actor * points to
    RH__FLOW_OUTSIDE,  // a sender made by rh_outside
};

// A stretch of an object that is accessed: positions like those of a location, `width` bytes at
// each.
struct rh__flow_cell {
    int64_t offset;
    uint64_t stride, count, width;
    uint32_t written; // node: what is put into the cell
    uint32_t read;    // node: what is found in the cell, put there or into cells that overlap it
    bool is_written;  // something is put into the cell
};

// A copy of `size` bytes: what is put into one object comes to another one too.
struct rh__flow_link {
    uint32_t from, to; // locations
    uint64_t size;     // RH__FLOW_EVERYWHERE: not known
    bool is_first;     // the copy's object is new, so there is nothing in it before
};

struct rh__flow_object {
    enum rh__flow_object_kind kind;
    uint32_t number;
    uint32_t owner;    // actor whose code creates the object
    uint32_t type;     // RH_NONE: not known
    bool inherits;     // the object is made to be a copy, and takes the type of what is copied
    bool is_payload;   // the object is a payload: an address of it is not NULL
    uint32_t links_in; // of an object that inherits: how many copies come together in it
    uint64_t size;     // RH__FLOW_EVERYWHERE: not known
    uint32_t location_count;
    uint32_t whole;   // location of the whole object; RH_NONE: nobody has asked for it
    bool is_zeroed;   // bytes that nothing is put into are zero
    bool has_escaped; // unknown code has an address in the object
    bool is_merged;   // new locations and cells of the object are the whole object
    RH_VECTOR(struct rh__flow_cell) cells;
    RH_VECTOR(struct rh__flow_link) links;
};

// What is done with each location of the constraint's node.
enum rh__flow_constraint_kind {
    RH__FLOW_LOAD,    // target has the `size` bytes that lie at the location
    RH__FLOW_STORE,   // the `size` bytes at the location have what target has
    RH__FLOW_OFFSET,  // target has the address that `instruction` makes of the location
    RH__FLOW_SPREAD,  // target has every address in the location's object
    RH__FLOW_STEP,    // target has the addresses of all elements of an array, of `size` bytes each
    RH__FLOW_SHUFFLE, // elements of `size` bytes at the location change places
    RH__FLOW_OVERLAP, // target has the location, but a number other than 0 as any number
    RH__FLOW_CONVERT, // target has the number in another width, as `instruction` says
    RH__FLOW_COMBINE, // the location is an operand of combination `target`: `size` is 0 or 1
    RH__FLOW_COPY_TO, // transfer `target` writes to the location
    RH__FLOW_COPY_FROM, // transfer `target` reads from the location
    RH__FLOW_FILTER,    // view `target` has the message, if the view's block lets it through
    RH__FLOW_AS,        // target has the message's payload if its type is `size` (RH_NONE: any)
    RH__FLOW_SENDER,    // target has the sender of the message
    RH__FLOW_CALL,      // call `target` calls the function
    RH__FLOW_CALL_BACK, // callback `target` calls the function
    RH__FLOW_OPERATION, // operation `target` is to be looked at again
    RH__FLOW_DISPATCH,  // block `size` of instance `target` is to be looked at again
    RH__FLOW_GUARD,     // the location is an answer of the guard of guarded `target`
    RH__FLOW_ESCAPE,    // unknown code has the location
};

struct rh__flow_constraint {
    enum rh__flow_constraint_kind kind;
    uint32_t target; // node, or an index of what the kind says
    uint64_t size;
    const struct rh_ir_instruction *instruction;
    uint32_t next; // next constraint of the same node
};

struct rh__flow_node {
    uint32_t *items; // locations, in the order in which they came
    uint32_t count, capacity;
    uint32_t done;          // locations before this index were given to edges and constraints
    struct rh_table *table; // of a large set: its items; otherwise NULL
    uint32_t *edges;
    uint32_t edge_count, edge_capacity;
    uint32_t constraints; // the node's newest constraint
    uint32_t owner : 24;  // actor that works on the node
    uint32_t number_count : 5;
    uint32_t has_any_number : 1;
    uint32_t is_patched : 1; // numbers are put in by parts: together they are 0, or any number
    uint32_t is_queued : 1;
};

// A copy of `size` bytes between memory that nodes name.
struct rh__flow_transfer {
    uint32_t to, from; // nodes
    uint64_t size;
    bool is_first; // what is written to is made for this copy
};

// An instruction that makes a number of two others.
struct rh__flow_combination {
    uint32_t operands[2], result; // nodes
    uint32_t bits;                // width of the operands
    const struct rh_ir_instruction *instruction;
};

// The type of a message. Number 0 is that of messages whose type is not known.
struct rh__flow_message_type {
    const char *name;
    uint64_t size;
};

// The messages of one type that one place of the program sends while one behaviour runs.
struct rh__flow_message {
    uint32_t object;
    uint32_t type;
    uint32_t payload; // object
    uint32_t sender;  // node
    uint32_t replies; // node that receives replies; RH_NONE: rh_ask did not send the message
    // The operations that send the message: the same call, in each part of the behaviour's actor.
    RH_VECTOR(uint32_t) sent_by;
};

// Bytes of a global variable.
struct rh__flow_stretch {
    uint32_t global;
    uint64_t offset, size;
};

// What an rh_actor * names: all actors that were created with one behaviour.
struct rh__flow_address {
    uint32_t function; // the behaviour that the actors were created with
    uint32_t object;
    uint32_t state;               // object
    RH_VECTOR(uint32_t) handlers; // actors: this behaviour, and those that it may become
    RH_VECTOR(uint32_t) inbox;    // messages that are sent to the address
};

// A behaviour, or the outside, as something that runs: the abstract actor of the paper.
struct rh__flow_actor {
    uint32_t function;             // the behaviour; RH_NONE: the outside
    uint32_t whole;                // actor that this one is a part of; itself if it is no part
    uint32_t part_count;           // how many messages have a part of their own
    uint32_t self, state, message; // nodes
    bool is_running;               // the handler has been called
    bool is_guard;                 // a part that only runs the behaviour's guard
    bool is_queued;
    bool calls_unknown;             // the actor's code calls unknown code
    RH_VECTOR(uint32_t) nodes;      // queued nodes
    size_t nodes_done;              // how many of `nodes` are done
    RH_VECTOR(uint32_t) operations; // queued operations
    RH_VECTOR(uint32_t) instances;  // queued instances
};

struct rh__flow_guard {
    uint32_t behaviour, guard; // functions
};

// Messages of one type that come to an actor whose behaviour has a guard. They wait until the guard
// may let them through.
struct rh__flow_guarded {
    uint32_t actor, type;
    uint32_t messages;           // node: the messages that the guard is asked about
    bool is_open;                // the guard may let the messages through
    RH_VECTOR(uint32_t) waiting; // messages
};

// What is known about a function's branches on types of messages, whoever runs the function.
struct rh__flow_dispatch {
    uint32_t *messages; // values of the function that rh_as is asked about
    uint32_t message_count;
    struct rh__flow_branch {
        uint32_t message; // index in `messages`; RH_NONE: the block has no such branch
        uint32_t type;
        bool is_negated; // the first successor is taken if the message is not of the type
    } * branches;        // by block
};

// A function as one actor runs it.
struct rh__flow_instance {
    uint32_t function, actor;
    uint32_t first_node; // first of the nodes of the parameters, then of the instructions
    uint32_t result;     // node
    uint32_t arguments;  // object that holds variable arguments; RH_NONE: there are none
    bool is_queued;
    const struct rh__flow_dispatch *dispatch;
    RH_VECTOR(uint32_t) blocks; // blocks to be looked at again
    bool *reached;              // by block
    uint64_t *types;            // by block and message of the dispatch: set of types
    uint32_t *views;            // by block and message: the view; RH_NONE: not asked for yet
};

// The messages that a value may be in one block: only those of types that may reach the block.
struct rh__flow_view {
    uint32_t node, instance, block, message;
};

// A call by address.
struct rh__flow_call {
    uint32_t instance;
    const struct rh_ir_instruction *instruction;
};

// A library calls a function of the program. All its parameters may have all values of the node
// `values`.
struct rh__flow_callback {
    uint32_t actor, values;
};

// A call of an operation of actor.h or test.h, in one instance.
struct rh__flow_operation {
    // The meanings of entry/operations.def.
    enum rh__flow_operation_kind {
        RH__FLOW_SPAWN,
        RH__FLOW_RESERVE,
        RH__FLOW_SPAWN_AT,
        RH__FLOW_SEND,
        RH__FLOW_SEND_FROM,
        RH__FLOW_AFTER,
        RH__FLOW_ASK,
        RH__FLOW_REPLY,
        RH__FLOW_MAY_COME,
        RH__FLOW_BECOME,
        RH__FLOW_AT_STOP,
        RH__FLOW_RECEPTIONIST,
        RH__FLOW_STATE_OF,
        // The others are done with when they are met.
        RH__FLOW_TAKE,
        RH__FLOW_IGNORE,
        RH__FLOW_SELF,
        RH__FLOW_ORIGIN,
        RH__FLOW_GIVE,
        RH__FLOW_INPUT,
        RH__FLOW_BLOCK_OF,
        RH__FLOW_OUTSIDER,
        RH__FLOW_SILENT,
    } kind;
    uint32_t instance, actor;
    const struct rh_ir_instruction *instruction;
    const struct rh_ir_function *function; // function that has the instruction
    uint32_t to;      // node: the receiver, the function, or the message that is answered
    uint32_t type;    // node
    uint32_t payload; // node
    uint32_t from;    // node: the sender; RH_NONE: the actor itself
    // Operand of the call: what describes the type of a state; RH_NONE: it creates no actor.
    uint32_t state_type;
    uint64_t size;    // size of the payload
    uint32_t line;    // node: the source line; RH_NONE: it is constant, or there is none
    uint32_t result;  // node
    uint32_t watched; // of a reply: how many of the messages in `to` have been looked at
    bool is_queued;
    RH_VECTOR(uint32_t) messages; // the messages that the operation sends, one for each type
};

// An actor's code looks for messages of a type, or ignores some messages.
struct rh__flow_handled {
    uint32_t actor;
    uint32_t type;     // RH_NONE: any type
    uint32_t messages; // node: what is ignored; RH_NONE: `type` says what is looked for
};

// What becomes an edge of the message flow graph: a message, or a creation or change of behaviour.
struct rh__flow_event {
    uint32_t from, to; // actors
    uint32_t operation;
    uint32_t message; // RH_NONE: there is no message
};

struct rh__flow {
    const struct rh_ir_module *module;
    const struct rh_flow_options *options;
    uint32_t body; // function: the test's body
    struct rh_arena arena;
    RH_VECTOR(struct rh__flow_node) nodes;
    RH_VECTOR(struct rh__flow_constraint) constraints;
    RH_VECTOR(struct rh__flow_object) objects;
    RH_VECTOR(struct rh__flow_location) locations;
    struct rh_index location_index;
    struct rh_index edge_index,
        overlap_index;                     // pairs of nodes with an edge, or with RH__FLOW_OVERLAP
    RH_VECTOR(struct rh__flow_link) links; // the links of all objects
    struct rh_index link_index;
    RH_VECTOR(struct rh__flow_transfer) transfers;
    RH_VECTOR(struct rh__flow_combination) combinations;
    RH_VECTOR(struct rh__flow_message_type) types;
    RH_VECTOR(struct rh__flow_message) messages;
    struct rh_index message_index;
    RH_VECTOR(struct rh__flow_address) addresses;
    RH_VECTOR(struct rh__flow_actor) actors; // 0 is the outside
    struct rh_index part_index;              // part of an actor by the actor and the message
    RH_VECTOR(struct rh__flow_instance) instances;
    struct rh_index instance_index;
    RH_VECTOR(struct rh__flow_view) views;
    RH_VECTOR(struct rh__flow_call) calls;
    RH_VECTOR(struct rh__flow_callback) callbacks;
    RH_VECTOR(struct rh__flow_operation) operations;
    RH_VECTOR(struct rh__flow_guard) guards;
    RH_VECTOR(struct rh__flow_guarded) guarded;
    struct rh_index guarded_index;
    RH_VECTOR(struct rh__flow_event) events;
    struct rh_index event_index;
    RH_VECTOR(struct rh__flow_handled) handled;
    struct rh_index handled_index;
    RH_VECTOR(struct rh__flow_stretch) overwritten; // see beginning.c
    RH_VECTOR(uint32_t) queue;                      // actors that have something to do
    size_t queue_done;
    uint32_t *constant_nodes;     // by constant; RH_NONE: not asked for yet
    uint32_t *global_objects;     // by global; RH_NONE: not asked for yet
    uint32_t *function_objects;   // by function; RH_NONE: not asked for yet
    uint32_t *function_actors;    // by function; RH_NONE: no actor has this behaviour yet
    uint32_t *function_addresses; // by function; RH_NONE: no actor was created with it yet
    uint32_t *global_types;       // by global: the message type that it describes; RH_NONE: none
    const struct rh__flow_dispatch **dispatches; // by function; NULL: not asked for yet
    uint32_t type_words;                         // length of a set of types
    // Unknown code may have all locations in the node `escaped`, and may put any of them wherever
    // it can reach. In the sets of other nodes one location stands for all of these, and the node
    // `anything` has that one. The constraints that must know all of them look at `escaped`.
    uint32_t escaped, anything;
    uint32_t zero, any_number; // nodes that have only the number 0, and only any number
    uint32_t saved;            // node: addresses in files, in pipes and in texts
    uint32_t outside;          // object of rh_outside
    // A copy has the type of what was copied. If copies of several types come together in one
    // object, what was concluded from the type of the first was wrong: has_type_conflict is set,
    // and all is analysed again with ignores_copied_types.
    bool ignores_copied_types;
    bool has_type_conflict;
    bool has_receptionists;
    bool has_assembly;
    bool *receptionists; // by function: an actor with this behaviour is declared a receptionist
    bool *unknown_calls; // by function: its code is not there, and it is called
};

// points.c
uint32_t rh__flow_node_new(struct rh__flow *flow, uint32_t owner);
uint32_t rh__flow_nodes_new(struct rh__flow *flow, uint32_t owner, uint32_t count);
void rh__flow_node_add(struct rh__flow *flow, uint32_t node, uint32_t location);
void rh__flow_node_patch(struct rh__flow *flow, uint32_t node);
void rh__flow_edge(struct rh__flow *flow, uint32_t from, uint32_t to);
void rh__flow_constrain(struct rh__flow *flow, uint32_t node,
                        const struct rh__flow_constraint *constraint);
// The second node finds parts of what the first has: a part of 0 is 0, and a part of another number
// may be any number.
void rh__flow_overlap(struct rh__flow *flow, uint32_t from, uint32_t to);
void rh__flow_solve(struct rh__flow *flow);
void rh__flow_queue_actor(struct rh__flow *flow, uint32_t actor);
void rh__flow_queue_block(struct rh__flow *flow, uint32_t instance, uint32_t block);

// numbers.c
static inline bool rh__flow_is_number(const struct rh__flow *flow, uint32_t location)
{
    return flow->locations.items[location].object == 0;
}
// Whether the location is a known number, and which.
bool rh__flow_is_known(const struct rh__flow *flow, uint32_t location, int64_t *number);
void rh__flow_convert(struct rh__flow *flow, const struct rh__flow_constraint *constraint,
                      uint32_t location);
void rh__flow_combination_new(struct rh__flow *flow,
                              const struct rh__flow_combination *combination);
// `location` is new among the first (`side` 0) or the second (1) operands.
void rh__flow_combine(struct rh__flow *flow, uint32_t combination, uint32_t side,
                      uint32_t location);

// memory.c
uint32_t rh__flow_object_new(struct rh__flow *flow, enum rh__flow_object_kind kind, uint32_t number,
                             uint32_t owner, uint64_t size);
uint32_t rh__flow_location_of(struct rh__flow *flow, uint32_t object); // the object's first byte
uint32_t rh__flow_number(struct rh__flow *flow, int64_t number);
void rh__flow_any_number(struct rh__flow *flow, uint32_t node);
uint32_t rh__flow_location_everywhere(struct rh__flow *flow, uint32_t object);
// The location that an address computation makes of another.
uint32_t rh__flow_location_moved(struct rh__flow *flow, uint32_t location,
                                 const struct rh_ir_instruction *instruction);
uint32_t rh__flow_location_add(struct rh__flow *flow, uint32_t location, int64_t offset);
uint32_t rh__flow_location_step(struct rh__flow *flow, uint32_t location, uint64_t stride);
void rh__flow_load(struct rh__flow *flow, uint32_t location, uint64_t width, uint32_t target);
void rh__flow_store(struct rh__flow *flow, uint32_t location, uint64_t width, uint32_t source);
// What is put into the first location of the link comes to the second.
void rh__flow_link_locations(struct rh__flow *flow, const struct rh__flow_link *link);
void rh__flow_transfer_new(struct rh__flow *flow, const struct rh__flow_transfer *transfer);
void rh__flow_escape(struct rh__flow *flow, uint32_t location);
// Whether the object has memory that can be read and written.
bool rh__flow_has_cells(const struct rh__flow *flow, uint32_t object);

// constants.c
uint32_t rh__flow_constant_node(struct rh__flow *flow, uint32_t constant);
uint32_t rh__flow_global_object(struct rh__flow *flow, uint32_t global);
uint32_t rh__flow_function_object(struct rh__flow *flow, uint32_t function);
void rh__flow_types_find(struct rh__flow *flow);
// Whether a constant is an address in a global variable; gives the variable, and the offset in it.
bool rh__flow_constant_address(const struct rh_ir_module *module, uint32_t constant,
                               uint32_t *global, int64_t *offset);

// beginning.c: what the body of the test overwrites before anything reads it.
// rh__flow_beginning_read comes before all else.
void rh__flow_beginning_read(struct rh__flow *flow, uint32_t body);
// The end of the bytes from `offset` on that are overwritten without a gap; `offset` itself if the
// byte there is not overwritten.
uint64_t rh__flow_overwritten_end(const struct rh__flow *flow, uint32_t global, uint64_t offset);
// The first overwritten byte from `offset` on; `limit` if there is none before `limit`.
uint64_t rh__flow_overwritten_next(const struct rh__flow *flow, uint32_t global, uint64_t offset,
                                   uint64_t limit);

// build.c
// What is done with the analysis of each test. Borrows.
typedef void rh__flow_take(void *context, const char *test, struct rh__flow *flow);
// Analyses each test that the options name by itself. Errors as of rh_flow_build.
struct rh_status rh__flow_each_test(const struct rh_ir_module *module,
                                    const struct rh_flow_options *options, rh__flow_take *take,
                                    void *context);
// The main that runs the tests; RH_NONE: there is no main, or it does not run them.
uint32_t rh__flow_main_find(const struct rh_ir_module *module);
// Whether the loader calls the functions whose addresses are in the variable, before anything else
// runs.
bool rh__flow_runs_at_start(const struct rh_ir_global *global);

// dispatch.c
const struct rh__flow_dispatch *rh__flow_dispatch_of(struct rh__flow *flow, uint32_t function);
// Once all is solved: whether some message goes from a block to this successor.
bool rh__flow_edge_is_taken(struct rh__flow *flow, uint32_t instance, uint32_t block,
                            uint32_t successor);
void rh__flow_dispatch_run(struct rh__flow *flow, uint32_t instance);
bool rh__flow_view_takes(const struct rh__flow *flow, const struct rh__flow_view *view,
                         uint32_t location);
// The node of a value in a block: a view if the function asks rh_as about the value.
uint32_t rh__flow_view_node(struct rh__flow *flow, uint32_t instance, uint32_t block,
                            uint32_t value);

// instances.c
uint32_t rh__flow_instance_get(struct rh__flow *flow, uint32_t function, uint32_t actor);
uint32_t rh__flow_parameter(const struct rh__flow *flow, uint32_t instance, uint32_t index);
uint32_t rh__flow_operand(struct rh__flow *flow, uint32_t instance, uint32_t block,
                          struct rh_ir_ref value);
void rh__flow_generate_block(struct rh__flow *flow, uint32_t instance, uint32_t block);
// Lets values come along an edge between blocks to the phis of the second.
void rh__flow_generate_edge(struct rh__flow *flow, uint32_t instance, uint32_t from, uint32_t to);
uint32_t rh__flow_value_node(const struct rh__flow *flow, uint32_t instance,
                             const struct rh_ir_instruction *instruction);

// calls.c
void rh__flow_call_named(struct rh__flow *flow, uint32_t instance, uint32_t block,
                         const struct rh_ir_instruction *call, uint32_t function);
void rh__flow_call_address(struct rh__flow *flow, uint32_t instance, uint32_t block,
                           const struct rh_ir_instruction *call);
void rh__flow_call_resolved(struct rh__flow *flow, uint32_t call, uint32_t location);
// The call by address may call unknown code.
void rh__flow_call_unknown(struct rh__flow *flow, uint32_t call);
// If the location is a function of the program, calls it with `values` for each of its parameters.
// What the function gives goes to `results`.
void rh__flow_call_back(struct rh__flow *flow, uint32_t actor, uint32_t location, uint32_t values,
                        uint32_t results);

// operations.c
// Whether the call asks if a message is of a type: the message is the first argument, the type the
// second.
bool rh__flow_operation_takes(const struct rh_ir_instruction *call, const char *name);
bool rh__flow_operation_call(struct rh__flow *flow, uint32_t instance, uint32_t block,
                             const struct rh_ir_instruction *call, const char *name);
void rh__flow_operation_run(struct rh__flow *flow, uint32_t operation);
void rh__flow_operation_queue(struct rh__flow *flow, uint32_t operation);
// Makes a part of an actor: it has the actor's address and state, and messages of its own.
uint32_t rh__flow_actor_part(struct rh__flow *flow, uint32_t actor);
// The behaviour handles the message.
void rh__flow_receive(struct rh__flow *flow, uint32_t actor, uint32_t message);

// unknown.c: makes values of reached code whose sets are empty any number. Gives whether there were
// any.
bool rh__flow_unknown_found(struct rh__flow *flow);

// guards.c: an actor receives a message that is sent to it once its guard may let the message
// through.
void rh__flow_guards_find(struct rh__flow *flow);
void rh__flow_guard_ask(struct rh__flow *flow, uint32_t actor, uint32_t message);
void rh__flow_guard_answer(struct rh__flow *flow, uint32_t guarded, uint32_t location);

// library.c
void rh__flow_library_call(struct rh__flow *flow, uint32_t instance, uint32_t block,
                           const struct rh_ir_instruction *call, uint32_t function);

// A call of unknown code.
void rh__flow_unknown_call(struct rh__flow *flow, uint32_t instance, uint32_t block,
                           const struct rh_ir_instruction *call);

static inline const struct rh__flow_location *rh__flow_location_get(const struct rh__flow *flow,
                                                                    uint32_t location)
{
    return &flow->locations.items[location];
}
static inline const struct rh__flow_object *rh__flow_object_at(const struct rh__flow *flow,
                                                               uint32_t location)
{
    return &flow->objects.items[flow->locations.items[location].object];
}

#endif
