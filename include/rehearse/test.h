// SPDX-License-Identifier: MIT
// Write tests.
//
// The body of an RH_TEST sets up a world: it spawns actors and sends the first messages, in the
// name of `outside`. When it returns, Rehearse delivers messages in the orders it wants to try.
//
//     RH_TEST(never_overdrawn)
//     {
//         rh_actor *account = rh_spawn(account_behaviour, struct account, {.balance = 10});
//         rh_send(account, withdraw, {.amount = 10});
//         rh_invariant(not_negative, struct watched, {.account = account});
//     }
#ifndef REHEARSE_TEST_H
#define REHEARSE_TEST_H

#include <rehearse/actor.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rh_test {
    const char *name;
    void (*body)(void);
    const char *file;
    int line;
};

// Defines a test. The program needs no main: the library has one that runs all tests. The body runs
// under the same control as a handler, and what it leaves in global variables is the start of every
// execution.
//
//     RH_TEST(never_overdrawn) { ... }
#define RH_TEST(test_name)                                                                         \
    static void rh__test_body_##test_name(void);                                                   \
    static const struct rh_test rh__test_of_##test_name = {#test_name, rh__test_body_##test_name,  \
                                                           __FILE__, __LINE__};                    \
    static const struct rh_test *const rh__listed_test_##test_name                                 \
        __attribute__((section("rh_tests"), used)) = &rh__test_of_##test_name;                     \
    static void rh__test_body_##test_name(void)

struct rh_test_order {
    const struct rh_test *test;
    const char *steps;
    const char *file;
    int line;
};

// Gives the order of the deliveries of a test, which stands above in the same file, in the words of
// a schedule file, one step a line: `deliver`, `choose` and the others, with `input`, `send`,
// `hold` and `order`, `time`, `environment` before them if need be. Every verb then makes that one
// execution, and the test passes if it holds there. After the last step the rest is delivered in
// sending order. A step that can't be made is a finding: order.
//
//     RH_TEST_ORDER(never_overdrawn, "deliver deposit to account#1\n"
//                                    "deliver withdraw to account#1\n");
#define RH_TEST_ORDER(test_name, test_steps)                                                       \
    static const struct rh_test_order rh__order_of_##test_name = {&rh__test_of_##test_name,        \
                                                                  test_steps, __FILE__, __LINE__}; \
    static const struct rh_test_order *const rh__listed_order_##test_name                          \
        __attribute__((section("rh_orders"), used)) = &rh__order_of_##test_name

// A further sender outside of the system, independent of `outside`: its messages are not ordered
// with those of other senders. Use it with rh_send_from. It takes no messages. Reports and
// schedules tell it by its name, which no other sender of the test has: not empty, not "outside",
// without control characters, quotes and #. Any other name is a finding: check.
//
//     rh_actor *ann = rh_outside("ann");
//     rh_send_from(ann, account, deposit, {.amount = 5});
rh_actor *rh_outside(const char *name);

// The state of an actor that the test's body has created, which the body may still change. An actor
// that crashes and begins anew has the state that rh_spawn was given. Only in a test's body, and
// not on threads.
//
//     struct shop *state = rh_state_of(shop);
//     state->first = item;
void *rh_state_of(rh_actor *actor);

// A block of zeros in the memory of an actor that the test's body has created, for its state to
// lead to, as if the actor had called calloc. Only in a test's body, and not on threads.
//
//     struct item *item = rh_block_of(shop, sizeof *item);
//     item->price = 3;
void *rh_block_of(rh_actor *actor, size_t size);

// Declares that the outside may write to this actor. Once a test has declared one, a message from
// outside to an actor that was not declared is a finding: check.
//
//     rh_receptionist(front_desk);
void rh_receptionist(rh_actor *actor);

// Says that the outside may send this message up to `times` times, at any time, or not at all. With
// --environment open every number of messages up to `times` is tried, in every order with other
// deliveries; in the other environments nothing comes. Judges do not see these messages before they
// are delivered, and one that can't be delivered any more counts as one that did not come. Only in
// a test's body.
//
//     rh_may_come(door, knock, 2);
//     rh_may_come(account, deposit, 1, {.amount = 50});
#define rh_may_come(to, type, ...)                                                                 \
    RH__SELECT(RH__COME_FIELDS, RH__COME_SIGNAL, __VA_ARGS__)(to, type, __VA_ARGS__)

// Judges the world. `context` is a copy of what was given when the judge was set. A judge states
// what must hold with rh_check, and looks at the world only through the rh_view functions. Judges
// are called often, and must not change anything.
typedef void rh_judge(const void *context);

// Calls `judge` after the test's body and after each delivery: what it checks must hold at all
// times. A check that fails in it is a finding: invariant.
//
//     static void not_negative(const void *context)
//     {
//         const struct watched *watched = context;
//         const struct account *account = rh_view_state(watched->account);
//         rh_check(!account || account->balance >= 0);
//     }
//     ...
//     rh_invariant(not_negative, struct watched, {.account = account});
#define rh_invariant(judge, type, ...)                                                             \
    rh__judge((judge), #judge, false, RH__LITERAL(type, __VA_ARGS__), sizeof(type))

// Calls `judge` once at the end of each execution, when nothing is deliverable any more. A check
// that fails in it is a finding: final.
//
//     rh_finally(all_sold, struct watched, {.office = office});
#define rh_finally(judge, type, ...)                                                               \
    rh__judge((judge), #judge, true, RH__LITERAL(type, __VA_ARGS__), sizeof(type))

struct rh_test_judge {
    const struct rh_test *test;
    rh_judge *judge;
    bool at_end;
};

// Judges what must hold at the end of a test, which stands above in the same file, as rh_finally
// does. It has no context: it finds actors by their names.
//
//     RH_FINALLY(never_overdrawn)
//     {
//         const struct account *account = rh_view_state(rh_view_named("account#1"));
//         rh_check(account->balance == 0);
//     }
#define RH_FINALLY(test_name) RH__JUDGE(finally, test_name, true)

// Judges what must hold in a test at all times, as rh_invariant does. Otherwise like RH_FINALLY.
//
//     RH_INVARIANT(never_overdrawn)
//     {
//         rh_check(!rh_view_named("account#1/receipt#2"));
//     }
#define RH_INVARIANT(test_name) RH__JUDGE(invariant, test_name, false)

// The actor that reports and schedules call by this name, such as "account#2" or
// "master#1/worker#3", also if it has stopped; NULL if there is none, or none yet. Only inside a
// judge, and not on threads, where names are others.
//
//     const struct account *account = rh_view_state(rh_view_named("account#2"));
const rh_actor *rh_view_named(const char *name);

// The state of an actor, or NULL if it has stopped or has none. Only inside a judge.
//
//     const struct account *account = rh_view_state(watched->account);
const void *rh_view_state(const rh_actor *actor);

// Whether the actor is alive. Only inside a judge.
//
//     rh_check(rh_view_alive(watched->leader));
bool rh_view_alive(const rh_actor *actor);

// How many messages of this type wait for the actor; timers that it set before it crashed and began
// anew do not wait. Only inside a judge.
//
//     rh_check(rh_view_count(watched->account, withdraw) <= 2);
#define rh_view_count(actor, type) rh__view_count((actor), &rh__type_##type)

// The payload of the index-th message of this type that waits for the actor, from 0; NULL if there
// is none. A judge can't tell in which order different actors have sent: messages of actors that
// the test's body has created come by sender, in the order of creation, and those of one sender in
// sending order. Behind them come timers, replies, messages of actors that were created later and,
// under `--delivery any`, all messages, in the order of their bytes. Only inside a judge.
//
//     const struct deposit *first = rh_view_pending(watched->account, deposit, 0);
#define rh_view_pending(actor, type, index)                                                        \
    ((const struct type *)rh__view_pending((actor), &rh__type_##type, (index)))

// Runs the verb that the command line asks for, or explores all tests if the command line has no
// verb. Gives the exit status. For programs that have a main of their own and want to be test
// programs when told so. (The command needs no such call: `rehearse explore ./program` works on any
// program with tests.)
//
//     int main(int argc, char **argv)
//     {
//         if (argc > 1 && strcmp(argv[1], "--test") == 0)
//             return rh_test_main(argc - 1, argv + 1);
//         ...
int rh_test_main(int argc, char **argv);

void rh__may_come(rh_actor *to, int times, const struct rh_type *type, const void *payload,
                  size_t size, const char *file, int line);
void rh__judge(rh_judge *judge, const char *name, bool at_end, const void *context, size_t size);
size_t rh__view_count(const rh_actor *actor, const struct rh_type *type);
const void *rh__view_pending(const rh_actor *actor, const struct rh_type *type, size_t index);

#define RH__JUDGE(kind, test_name, is_at_end)                                                      \
    static void rh__##kind##_of_##test_name(void);                                                 \
    static void rh__##kind##_judge_##test_name(const void *context)                                \
    {                                                                                              \
        (void)context;                                                                             \
        rh__##kind##_of_##test_name();                                                             \
    }                                                                                              \
    static const struct rh_test_judge rh__##kind##_entry_##test_name = {                           \
        &rh__test_of_##test_name, rh__##kind##_judge_##test_name, is_at_end};                      \
    static const struct rh_test_judge *const rh__listed_##kind##_##test_name                       \
        __attribute__((section("rh_judges"), used)) = &rh__##kind##_entry_##test_name;             \
    static void rh__##kind##_of_##test_name(void)

#define RH__COME_SIGNAL(to, type, times) rh__may_come((to), (times), RH__SIGNAL(type), RH__HERE)
#define RH__COME_FIELDS(to, type, times, ...)                                                      \
    rh__may_come((to), (times), RH__FIELDS(type, __VA_ARGS__), RH__HERE)

#ifdef __cplusplus
}
#endif

#endif
