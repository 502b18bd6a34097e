// SPDX-License-Identifier: MIT
// What a test of a component under threads says: which operations it has, which threads call them,
// and how its state is looked at. `rehearse refine` runs the threads in every relevant
// interleaving, and compares results and states with those of whole operations, one at a time.
//
//     RH_COMPONENT(multiset) { .setup = setup, .view = view };
//
//     RH_THREADS(pairs)
//     {
//         rh_thread { RH_CALL(insert_pair(5, 6)); }
//         rh_thread { RH_CALL(insert(7)); }
//         rh_at_end { RH_CALL(lookup(5)); }
//     }
//
// With -DRH_OFF all of it is nothing, and the component needs no library: tests are left out, and
// operations do what they did without marks. Written in C and C++ (from C++17 on) with the
// extensions of gcc and clang.
#ifndef REHEARSE_COMPONENT_H
#define REHEARSE_COMPONENT_H

#include <stdbool.h>
#include <stdint.h>

#include <rehearse/check.h>

#ifdef __cplusplus
extern "C" {
#endif

// A view: what the component's state means to its users, whatever its layout. A set of items in
// which the order of adding does not count.
typedef struct rh_view rh_view;

// Adds an element, as to a bag.
void rh_view_add(rh_view *view, int64_t element);
// Says what belongs to a key, as in a map.
void rh_view_put(rh_view *view, int64_t key, int64_t value);

// The component: all fields are optional. `setup` runs once, before all executions. `view` looks at
// the state while nothing else runs; it takes no locks that an operation may hold.
// `specification_view` is the same of the state that RH_SPECIFICATION works on, if that is another.
// `invariant` says, with RH_CHECK, what holds whenever the view is looked at: at each commit, and
// when no operation is open.
struct rh_component {
    void (*setup)(void);
    void (*view)(rh_view *view);
    void (*specification_view)(rh_view *view);
    void (*invariant)(void);
};

struct rh__component_entry {
    const char *name;
    const struct rh_component *component;
};

// A test: threads that call operations.
struct rh__role;
struct rh_threads_test {
    const char *name;
    void (*body)(struct rh__role *role);
    const char *file;
    int line;
};

bool rh__role_is_thread(struct rh__role *role, int line);
bool rh__role_is_after(struct rh__role *role);

// An operation that is running. `call` is its text, or only its name if `arguments` follow.
struct rh__operation {
    bool is_open;
};
struct rh__operation rh__operation_begin(const char *call, const char *file, int line, int count,
                                         const int64_t *arguments);
// `is_truth`: true and false, not 1 and 0. Whether the operation is to give another result.
bool rh__operation_result(int64_t result, bool is_truth);
int64_t rh__operation_other_result(void);
void rh__operation_end(struct rh__operation *operation);

// Where operations take effect.
void rh__commit_begin(void);
void rh__commit_end(bool commits, const char *file, int line);
void rh__observes(void);
void rh__internal(void);
void rh__pure(void);
void rh__exclusive(void);
void rh__action(const char *action, const char *file, int line, int count,
                const int64_t *arguments);
struct rh__block {
    bool is_open;
};
struct rh__block rh__block_begin(const char *file, int line);
void rh__block_end(struct rh__block *block);
void rh__block_left(struct rh__block *block);

struct rh__may_fail {
    const char *operation;
    int64_t value;
};
struct rh__specification {
    const char *operation;
    int64_t (*function)(const int64_t *argument, int64_t result);
};

struct rh__replayed {
    const char *action;
    void (*function)(const int64_t *argument);
};

#ifdef __cplusplus
}
#endif

#ifdef RH_OFF
#include <rehearse/component_off.h>
#else

#define RH__SECTION(name) __attribute__((section(name), used, aligned(8)))

#define RH_COMPONENT(component)                                                                    \
    extern const struct rh_component rh__component_##component;                                    \
    static const struct rh__component_entry rh__component_entry_##component RH__SECTION(           \
        "rh_components") = {#component, &rh__component_##component};                               \
    const struct rh_component rh__component_##component =

#define RH_THREADS(test)                                                                           \
    static void rh__threads_##test(struct rh__role *rh__role);                                     \
    static const struct rh_threads_test rh__threads_test_##test = {#test, rh__threads_##test,      \
                                                                   __FILE__, __LINE__};            \
    static const struct rh_threads_test *const rh__threads_pointer_##test RH__SECTION(             \
        "rh_threads_tests") = &rh__threads_test_##test;                                            \
    static void rh__threads_##test(struct rh__role *rh__role)

// Blocks of RH_THREADS. Each thread runs the body and, of the blocks, its own; what stands outside
// of blocks is run by all of them, and variables there are each thread's own.
#define rh_thread if (rh__role_is_thread(rh__role, __LINE__))
// What runs when all threads have ended.
#define rh_at_end if (rh__role_is_after(rh__role))

// Calls an operation, whose result is compared; any function whose result is a number, a pointer or
// nothing.
#define RH_CALL(call) RH__CALL(call)
// Stands at the beginning of an operation, with its arguments, which are numbers; RH_RESULT stands
// around what it returns.
#define RH_OPERATION(...)                                                                          \
    struct rh__operation rh__open __attribute__((cleanup(rh__operation_end), unused)) =            \
        RH__BEGIN(__VA_ARGS__)
#define RH_RESULT(value) RH__RESULT(value)

#ifdef __cplusplus
#include <rehearse/component_cxx.h>
#else
#define RH__CALL(call)                                                                             \
    (__extension__({                                                                               \
        struct rh__operation rh__open = rh__operation_begin(#call, __FILE__, __LINE__, -1, 0);     \
        __typeof__(RH__VALUE(call)) rh__value = RH__VALUE(call);                                   \
        if (!__builtin_types_compatible_p(__typeof__(call), void) &&                               \
            rh__operation_result((int64_t)rh__value,                                               \
                                 __builtin_types_compatible_p(__typeof__(call), _Bool)))           \
            rh__value = (__typeof__(rh__value))rh__operation_other_result();                       \
        rh__operation_end(&rh__open);                                                              \
        rh__value;                                                                                 \
    }))
#define RH__VALUE(call)                                                                            \
    __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(call), void), (__extension__({   \
                              call;                                                                \
                              0;                                                                   \
                          })),                                                                     \
                          (call))
#define RH__BEGIN(...)                                                                             \
    rh__operation_begin(__func__, __FILE__, __LINE__, RH__COUNT(__VA_ARGS__),                      \
                        RH__NUMBERS(__VA_ARGS__))
#define RH__RESULT(value)                                                                          \
    (__extension__({                                                                               \
        __typeof__(value) rh__value = (value);                                                     \
        if (rh__operation_result((int64_t)rh__value,                                               \
                                 __builtin_types_compatible_p(__typeof__(value), _Bool)))          \
            rh__value = (__typeof__(rh__value))rh__operation_other_result();                       \
        rh__value;                                                                                 \
    }))
#define RH__COMMIT(access, commits)                                                                \
    (__extension__({                                                                               \
        RH__MARK;                                                                                  \
        rh__commit_begin();                                                                        \
        __typeof__(RH__VALUE(access)) rh__value = RH__VALUE(access);                               \
        rh__commit_end(commits, __FILE__, __LINE__);                                               \
        rh__value;                                                                                 \
    }))
#define RH__COMMIT_ALWAYS(access) RH__COMMIT(access, true)
#define RH__COMMIT_IF(access) RH__COMMIT(access, !!rh__value)
#define RH__COUNT(...) ((int)(sizeof(const int64_t[]){0, __VA_ARGS__} / sizeof(int64_t)) - 1)
#define RH__NUMBERS(...) (((const int64_t[]){0, __VA_ARGS__}) + 1)
#define RH__ACTION(name, ...)                                                                      \
    rh__action(name, __FILE__, __LINE__, RH__COUNT(__VA_ARGS__), RH__NUMBERS(__VA_ARGS__))
#endif

// --- Where operations take effect. ---
//
// With these marks an execution is compared with the one order in which its operations committed,
// at each commit, instead of with all orders at its end. Each operation then commits exactly once,
// or says that it only observes, or fails as RH_MAY_FAIL lets it.

// The operation takes effect with this write, or this read: nothing happens between the
// expression's last access and the commit.
#define RH_COMMIT(access) RH__COMMIT_ALWAYS(access)
// The same if the expression turns out to be true, as of a compare-and-exchange.
#define RH_COMMIT_IF(access) RH__COMMIT_IF(access)

// The block's writes take effect together, at its end: RH_COMMIT_BLOCK { a = 1; b = 2; }
#define RH_COMMIT_BLOCK                                                                            \
    for (struct rh__block rh__block __attribute__((cleanup(rh__block_left))) = (__extension__({    \
             RH__MARK;                                                                             \
             rh__block_begin(__FILE__, __LINE__);                                                  \
         }));                                                                                      \
         rh__block.is_open; rh__block_end(&rh__block))

// In this call the operation changes nothing: what it gives must have been right at some time
// between its call and its return.
#define RH_OBSERVES()                                                                              \
    do {                                                                                           \
        RH__MARK;                                                                                  \
        rh__observes();                                                                            \
    } while (0)

// This call commits, and changes nothing that users could see, as of a thread that writes a cache
// back: the view is the same before its commit and after it. It has no specification.
#define RH_INTERNAL()                                                                              \
    do {                                                                                           \
        RH__MARK;                                                                                  \
        rh__internal();                                                                            \
    } while (0)

// RH_OBSERVES, and what the call writes to memory that others use has its old value again when it
// returns.
#define RH_PURE()                                                                                  \
    do {                                                                                           \
        RH__MARK;                                                                                  \
        rh__pure();                                                                                \
    } while (0)

// No other operation may run beside this call. Nothing has to be marked besides.
#define RH_EXCLUSIVE() rh__exclusive()

// The operation may give this value, and change nothing, whenever it likes.
#define RH_MAY_FAIL(operation, value)                                                              \
    static const struct rh__may_fail RH__JOINED(rh__may_fail_, __LINE__)                           \
        RH__SECTION("rh_may_fail") = {#operation, (int64_t)(value)}

// What the operation does to the state of the specification, which is in variables, and what it
// must give: a function with the operation's arguments, those of RH_OPERATION, in `argument`.
// `result` is what it gave: where several values are right, the function decides by that.
//
//     RH_SPECIFICATION(insert) { is_in[argument[0]] = true; return true; }
#define RH_SPECIFICATION(operation)                                                                \
    static int64_t rh__specification_##operation(const int64_t *argument, int64_t result);         \
    static const struct rh__specification rh__specification_entry_##operation RH__SECTION(         \
        "rh_specifications") = {#operation, rh__specification_##operation};                        \
    static int64_t rh__specification_##operation(const int64_t *argument __attribute__((unused)),  \
                                                 int64_t result __attribute__((unused)))

// What the code is about to do to the component's state, for a log (REHEARSE_LOG): at each commit
// RH_REPLAY of all actions so far gives the state that the view is taken of, later, elsewhere.
// Stands under the locks that keep others away, or, where it belongs to a commit, in the brackets:
//
//     RH_COMMIT((RH_ACTION(put, place, value), slots[place] = value));
//     RH_REPLAY(put) { slots[argument[0]] = argument[1]; }
#define RH_ACTION(action, ...) RH__ACTION(#action, ##__VA_ARGS__)
#define RH_REPLAY(action)                                                                          \
    static void rh__replay_##action(const int64_t *argument);                                      \
    static const struct rh__replayed rh__replayed_entry_##action RH__SECTION("rh_replayed") = {    \
        #action, rh__replay_##action};                                                             \
    static void rh__replay_##action(const int64_t *argument __attribute__((unused)))

#define RH__JOINED(one, other) RH__JOINED_NOW(one, other)
#define RH__JOINED_NOW(one, other) one##other
// Tells that the program has marks, before any of them is come to.
#define RH__MARK __asm__ volatile(".pushsection rh_marks,\"a\"; .byte 0; .popsection")

// What must hold; otherwise a finding: check.
#define RH_CHECK(condition) rh__check((condition), #condition, __FILE__, __LINE__)

#endif

#endif
