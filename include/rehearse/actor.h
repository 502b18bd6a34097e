// SPDX-License-Identifier: MIT
// Write actors.
//
// An actor has an address (rh_actor *), a private state and a behaviour: the function that handles
// one message at a time. Actors share nothing: they act on each other by message only.
//
// Every operation below is a macro or function that makes one out-of-line call. Each argument is
// evaluated once. A brace list such as {.amount = 50, .fee = 1} is an ordinary C initializer.
//
// A misuse (a send to NULL, an rh_ask in a test's body, a send inside a guard) is a finding of the
// kind `check` at the line that made it. docs/api.md has the cases that are not obvious.
//
// Thread rule: operations are called from inside a behaviour, or from the body of an RH_TEST. On
// threads (run.h) other threads may call rh_send, rh_after, rh_spawn and rh_reserve too.
#ifndef REHEARSE_ACTOR_H
#define REHEARSE_ACTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rehearse/check.h>
#include <rehearse/version.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rh_actor rh_actor;
typedef struct rh_message rh_message;

// Handles one message. `state` is this actor's own copy of what rh_spawn was given (NULL without
// a state); `message` is valid until the behaviour returns.
//
//     static void account_behaviour(rh_actor *self, void *state, const rh_message *message)
typedef void rh_behaviour(rh_actor *self, void *state, const rh_message *message);

// Says whether the present state can take the message. A guard must not change anything, and its
// answer must depend on nothing but state and message. It is called often, in no promised number.
// See RH_GUARD.
typedef bool rh_guard(const void *state, const rh_message *message);

// Runs when an actor stops, to release what its state holds. See rh_at_stop.
typedef void rh_stop_function(rh_actor *self, void *state);

// What a message or a state is made of. Two descriptors are the same type if name and size agree.
struct rh_type {
    const char *name; // as written in the source: "deposit", "struct account"
    size_t size;      // size of the struct; 0 for a signal
};

// Ties a guard to a behaviour; made by RH_GUARD.
struct rh_guard_entry {
    rh_behaviour *behaviour;
    rh_guard *guard;
};

// Declares a message type and its struct. May stand in a header that several files share. Types are
// the same if name and size agree; a program with two of one name and different size is refused.
//
//     RH_MESSAGE(deposit, { int amount; });
//     RH_MESSAGE(remark, { int stars; char words[]; }); // for rh_send_sized
#define RH_MESSAGE(type, ...)                                                                      \
    struct type __VA_ARGS__;                                                                       \
    RH__TYPE(type, sizeof(struct type))

// Declares a message type without fields.
//
//     RH_SIGNAL(stop);
#define RH_SIGNAL(type)                                                                            \
    struct type {                                                                                  \
        char rh_no_fields;                                                                         \
    };                                                                                             \
    RH__TYPE(type, 0)

// Ties a guard to a behaviour: a message that the guard refuses waits until its receiver has
// handled another one. It does not hold back later messages of the same sender.
//
//     static bool buffer_guard(const void *state, const rh_message *message)
//     {
//         const struct buffer *buffer = state;
//         return buffer->count > 0 || !rh_as(message, get);
//     }
//     RH_GUARD(buffer_behaviour, buffer_guard);
#define RH_GUARD(behaviour_name, guard_name)                                                       \
    static const struct rh_guard_entry rh__guard_##behaviour_name = {behaviour_name, guard_name};  \
    static const struct rh_guard_entry *const rh__listed_guard_##behaviour_name                    \
        __attribute__((section("rh_guards"), used)) = &rh__guard_##behaviour_name

// The payload if the message is of this type, otherwise NULL. A delivery in which no rh_as matched
// and rh_ignore was not called is a finding: unhandled.
//
//     const struct deposit *deposit = rh_as(message, deposit);
#define rh_as(message, type) ((const struct type *)rh__as((message), &rh__type_##type))

// Creates an actor; gives its address. The state is copied. Write one spawn a statement: the
// numbers in the names of actors follow the order of creation, and C leaves the order of
// arguments open.
//
//     rh_actor *account = rh_spawn(account_behaviour, struct account, {.balance = 10});
//     rh_actor *logger = rh_spawn(logger_behaviour);
#define rh_spawn(...) RH__SELECT(RH__SPAWN_STATE, RH__SPAWN_PLAIN, __VA_ARGS__)(__VA_ARGS__)

// Creates an actor whose state is `size` bytes at `state`, copied: for a state of variable length.
//
//     size_t size = sizeof *table + rows * sizeof table->rows[0];
//     rh_actor *keeper = rh_spawn_sized(keeper_behaviour, table, size);
#define rh_spawn_sized(behaviour, state, size)                                                     \
    rh__spawn((behaviour), RH__BEHAVIOUR_NAME(behaviour), RH__NULL, (state), (size), RH__HERE)

// Gives the address of an actor before the actor has a state, so that states can name each other.
// The actor's name and place among its creator's actors are those of a creation here. Messages to
// it wait for its rh_spawn_at, which comes in the same delivery or test's body: an address that is
// never spawned is a finding, check, and so is an rh_ask in between.
//
//     rh_actor *left = rh_reserve(node_behaviour);
//     rh_actor *right = rh_spawn(node_behaviour, struct node, {.next = left});
//     rh_spawn_at(left, struct node, {.next = right});
#define rh_reserve(behaviour)                                                                      \
    rh__reserve((behaviour), RH__BEHAVIOUR_NAME(behaviour), __FILE__, __LINE__)

// Creates the actor whose address was reserved. The state is copied.
//
//     rh_spawn_at(left, struct node, {.next = right});
//     rh_spawn_at(logger);
#define rh_spawn_at(...) RH__SELECT(RH__AT_STATE, RH__AT_PLAIN, __VA_ARGS__)(__VA_ARGS__)

// Creates the actor whose address was reserved, with `size` bytes at `state`, copied.
//
//     rh_spawn_at_sized(keeper, table, size);
#define rh_spawn_at_sized(actor, state, size)                                                      \
    rh__spawn_at((actor), RH__NULL, (state), (size), __FILE__, __LINE__)

// Sends a message; never waits. The payload is copied.
//
//     rh_send(account, deposit, {.amount = 50});
//     rh_send(account, stop);
#define rh_send(to, ...) RH__SELECT(RH__SEND_FIELDS, RH__SEND_SIGNAL, __VA_ARGS__)(to, __VA_ARGS__)

// Sends `size` bytes at `payload` as a message of this type: for a struct that ends in a flexible
// array. The receiver learns the length with rh_size.
//
//     rh_send_sized(archive, remark, remark, sizeof *remark + strlen(remark->words) + 1);
#define rh_send_sized(to, type, payload, size)                                                     \
    rh__send((to), &rh__type_##type, (payload), (size), __FILE__, __LINE__)

// Sends in the name of an outside sender that rh_outside made. For tests.
//
//     rh_send_from(rh_outside("ann"), account, withdraw, {.amount = 10});
#define rh_send_from(from, to, ...)                                                                \
    RH__SELECT(RH__FROM_FIELDS, RH__FROM_SIGNAL, __VA_ARGS__)(from, to, __VA_ARGS__)

// A timer: a message to `to` that is due `milliseconds` of logical time from now. It is deliverable
// once the receiver's timers that are due earlier are done, so it may overtake any other message;
// with --time strict the earliest timer of all fires when nothing else is deliverable. Exempt from
// the order rule. Can't be cancelled: number your timers, and ignore the old ones.
//
//     rh_after(500, rh_self(), retry, {.attempt = 1});
#define rh_after(milliseconds, to, ...)                                                            \
    RH__SELECT(RH__AFTER_FIELDS, RH__AFTER_SIGNAL, __VA_ARGS__)(milliseconds, to, __VA_ARGS__)

// Sends a request and waits for its reply; other actors run meanwhile, and only the reply is
// delivered to this one. Gives the reply, valid until the behaviour returns. The request keeps its
// place among this actor's other messages, the reply has no order. Not in a test's body.
//
//     const rh_message *reply = rh_ask(server, get);
//     const struct value *value = rh_as(reply, value);
#define rh_ask(to, ...) RH__SELECT(RH__ASK_FIELDS, RH__ASK_SIGNAL, __VA_ARGS__)(to, __VA_ARGS__)

// Answers a message. If its sender asked, this ends the wait; otherwise it is an ordinary send to
// rh_sender(message). A second reply to one request is a finding: check.
//
//     rh_reply(message, value, {.number = server->number});
#define rh_reply(message, ...)                                                                     \
    RH__SELECT(RH__REPLY_FIELDS, RH__REPLY_SIGNAL, __VA_ARGS__)(message, __VA_ARGS__)

// From the next message on, this actor handles messages with another behaviour, and that
// behaviour's guard, if it has one. State and name stay.
//
//     rh_become(closed_behaviour);
#define rh_become(behaviour)                                                                       \
    rh__become((behaviour), RH__BEHAVIOUR_NAME(behaviour), __FILE__, __LINE__)

// Stops this actor when the handler ends. Messages to it are undeliverable from then on: they are
// reported as `undelivered` when the execution ends. What the actor still holds is a `leak`.
//
//     if (rh_as(message, done))
//         rh_stop();
#define rh_stop() rh__stop(__FILE__, __LINE__)

// Sets the function that runs when this actor stops, after the handler that called rh_stop. It
// runs as the actor, and may send. NULL takes it away. It does not run for actors that are alive
// when the execution ends.
//
//     static void close_file(rh_actor *self, void *state)
//     ...
//     rh_at_stop(close_file);
void rh_at_stop(rh_stop_function *function);

// The actor whose handler is running, also inside a library's callback. NULL in a test's body.
//
//     rh_send(registry, hello, {.from = rh_self()});
rh_actor *rh_self(void);

// Who sent the message. NULL for `outside`.
//
//     rh_actor *customer = rh_sender(message);
rh_actor *rh_sender(const rh_message *message);

// Length of the payload in bytes; 0 for a signal.
//
//     size_t length = rh_size(message) - sizeof(struct remark);
size_t rh_size(const rh_message *message);

// Name of the message's type.
//
//     printf("got %s\n", rh_name(message));
const char *rh_name(const rh_message *message);

// Milliseconds of logical time: the largest due time among the timers that led to this delivery,
// 0 if there are none. There is no clock that all actors share.
//
//     uint64_t deadline = rh_now() + 5000;
uint64_t rh_now(void);

// Explicit nondeterminism: a number from 0 to count - 1. explore tries them all, sample draws
// one, a schedule fixes it (`choose 1 of 2`).
//
//     if (rh_choose(2) == 1)
//         return; // the packet was lost
#define rh_choose(count) rh__choose((count), __FILE__, __LINE__)

// Says that this delivery makes progress. A program that comes back to a state that it has been in,
// and so can go round for ever, is a finding, livelock, unless a delivery on the way round calls
// rh_progress. Call rh_progress where work gets done, or in what is meant to go on for ever.
//
//     if (rh_as(message, tick))
//         rh_progress(); // a heartbeat never ends
void rh_progress(void);

// A value that the schedule file may give (`input NAME = VALUE`), otherwise all zero.
//
//     int limit = rh_input(int, "limit");
#define rh_input(type, name) (*(const type *)rh__input(#type, sizeof(type), (name)))

// A number that says how large a test is: the value that `--set NAME=VALUE` or the schedule file
// (`input NAME = VALUE`) gives, otherwise the one that stands here.
//
//     int seats = rh_parameter(int, seats, 3);
#define rh_parameter(type, name, value) ((type)rh__parameter(#name, (int)(value)))

// A condition that must hold. If not: finding, and this execution ends. In a judge (see test.h) the
// finding is `invariant` or `final`, elsewhere `check`.
//
//     rh_check(account->balance >= 0);
#define rh_check(condition) rh__check(!!(condition), #condition, __FILE__, __LINE__)

// Says that this message is deliberately not handled.
//
//     else
//         rh_ignore(message);
void rh_ignore(const rh_message *message);

// Says that this message should not have come here: finding, and this execution ends.
//
//     else
//         rh_unhandled(message);
#define rh_unhandled(message) rh__unhandled((message), __FILE__, __LINE__)

// Hands a block from malloc over: the block moves from this actor into the next message that
// carries the returned pointer in an aligned field, and on to the receiver, who frees the block.
// Send that message in the same handler: a block that is not sent when the handler ends is lost,
// the returned pointer leads nowhere then, and no finding says so. A later access by the giver is a
// finding: private-pointer.
//
//     rh_send(worker, job, {.buffer = (char *)rh_give(buffer), .length = n});
#define rh_give(pointer) rh__give((pointer), __FILE__, __LINE__)

// --- What the macros call. -----------------------------------------------------------------------

rh_actor *rh__spawn(rh_behaviour *behaviour, const char *behaviour_name, const struct rh_type *type,
                    const void *state, size_t size, const char *file, int line);
rh_actor *rh__reserve(rh_behaviour *behaviour, const char *behaviour_name, const char *file,
                      int line);
void rh__spawn_at(rh_actor *actor, const struct rh_type *type, const void *state, size_t size,
                  const char *file, int line);
void rh__send(rh_actor *to, const struct rh_type *type, const void *payload, size_t size,
              const char *file, int line);
void rh__send_from(rh_actor *from, rh_actor *to, const struct rh_type *type, const void *payload,
                   size_t size, const char *file, int line);
void rh__after(uint64_t milliseconds, rh_actor *to, const struct rh_type *type, const void *payload,
               size_t size, const char *file, int line);
const rh_message *rh__ask(rh_actor *to, const struct rh_type *type, const void *payload,
                          size_t size, const char *file, int line);
void rh__reply(const rh_message *message, const struct rh_type *type, const void *payload,
               size_t size, const char *file, int line);
const void *rh__as(const rh_message *message, const struct rh_type *type);
void rh__become(rh_behaviour *behaviour, const char *behaviour_name, const char *file, int line);
void rh__stop(const char *file, int line);
int rh__choose(int count, const char *file, int line);
const void *rh__input(const char *type, size_t size, const char *name);
int rh__parameter(const char *name, int value);
void rh__unhandled(const rh_message *message, const char *file, int line);
void *rh__give(void *pointer, const char *file, int line);

#ifdef __cplusplus
}
#define RH__NULL nullptr
template <class T> static inline const void *rh__address(const T &value)
{
    return &value;
}
#define RH__LITERAL(type, ...) rh__address<type>(__VA_ARGS__)
// A type descriptor for a state: static, so that the call gets a constant.
template <class T> static inline const struct rh_type *rh__state_type(const char *name)
{
    static const struct rh_type type = {name, sizeof(T)};
    return &type;
}
#define RH__STATE_TYPE(type) rh__state_type<type>(#type)
#define RH__BEHAVIOUR_NAME(behaviour) #behaviour
#else
#define RH__NULL ((void *)0)
#define RH__LITERAL(type, ...) (&(const type)__VA_ARGS__)
#define RH__STATE_TYPE(type) (&(const struct rh_type){#type, sizeof(type)})
// The function's name. What holds a behaviour, such as a variable, has a name that says nothing: it
// is marked, and the function's name is looked up.
#define RH__BEHAVIOUR_NAME(behaviour)                                                              \
    __builtin_choose_expr(                                                                         \
        __builtin_types_compatible_p(__typeof__(behaviour), __typeof__(rh_behaviour)), #behaviour, \
        "=" #behaviour)
#endif

#define RH__TYPE(type, size_of_type)                                                               \
    static const struct rh_type rh__type_##type __attribute__((unused)) = {#type, size_of_type};   \
    static const struct rh_type *const rh__listed_type_##type                                      \
        __attribute__((section("rh_types"), used)) = &rh__type_##type

// Gives `many` if more than one argument follows, `one` otherwise. A brace list counts once for
// each of its commas: up to 63 of them.
#define RH__SELECT(many, one, ...) RH__PICK_EXPANDED(__VA_ARGS__, RH__63_TIMES(many), one, 0)
#define RH__PICK_EXPANDED(...) RH__PICK(__VA_ARGS__)
#define RH__63_TIMES(m)                                                                            \
    m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m,   \
        m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m,  \
        m, m
#define RH__PICK(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18,  \
                 a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34,   \
                 a35, a36, a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50,   \
                 a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64, name, ...)  \
    name

#define RH__HERE __FILE__, __LINE__
#define RH__SIGNAL(type) &rh__type_##type, RH__NULL, 0
#define RH__FIELDS(type, ...)                                                                      \
    &rh__type_##type, RH__LITERAL(struct type, __VA_ARGS__), sizeof(struct type)

#define RH__SPAWN_PLAIN(behaviour)                                                                 \
    rh__spawn((behaviour), RH__BEHAVIOUR_NAME(behaviour), RH__NULL, RH__NULL, 0, RH__HERE)
#define RH__SPAWN_STATE(behaviour, type, ...)                                                      \
    rh__spawn((behaviour), RH__BEHAVIOUR_NAME(behaviour), RH__STATE_TYPE(type),                    \
              RH__LITERAL(type, __VA_ARGS__), sizeof(type), RH__HERE)
#define RH__AT_PLAIN(actor) rh__spawn_at((actor), RH__NULL, RH__NULL, 0, RH__HERE)
#define RH__AT_STATE(actor, type, ...)                                                             \
    rh__spawn_at((actor), RH__STATE_TYPE(type), RH__LITERAL(type, __VA_ARGS__), sizeof(type),      \
                 RH__HERE)
#define RH__SEND_SIGNAL(to, type) rh__send((to), RH__SIGNAL(type), RH__HERE)
#define RH__SEND_FIELDS(to, type, ...) rh__send((to), RH__FIELDS(type, __VA_ARGS__), RH__HERE)
#define RH__FROM_SIGNAL(from, to, type) rh__send_from((from), (to), RH__SIGNAL(type), RH__HERE)
#define RH__FROM_FIELDS(from, to, type, ...)                                                       \
    rh__send_from((from), (to), RH__FIELDS(type, __VA_ARGS__), RH__HERE)
#define RH__AFTER_SIGNAL(ms, to, type) rh__after((ms), (to), RH__SIGNAL(type), RH__HERE)
#define RH__AFTER_FIELDS(ms, to, type, ...)                                                        \
    rh__after((ms), (to), RH__FIELDS(type, __VA_ARGS__), RH__HERE)
#define RH__ASK_SIGNAL(to, type) rh__ask((to), RH__SIGNAL(type), RH__HERE)
#define RH__ASK_FIELDS(to, type, ...) rh__ask((to), RH__FIELDS(type, __VA_ARGS__), RH__HERE)
#define RH__REPLY_SIGNAL(message, type) rh__reply((message), RH__SIGNAL(type), RH__HERE)
#define RH__REPLY_FIELDS(message, type, ...)                                                       \
    rh__reply((message), RH__FIELDS(type, __VA_ARGS__), RH__HERE)

#endif
