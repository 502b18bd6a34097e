// SPDX-License-Identifier: MIT
// One process that runs a program's threads one at a time, as user-level threads, over and over.
// All that the engine remembers lies in one mapping at a fixed address, outside of what is put back
// between executions.
//
// Code of the program calls in at points: hooks of the compiler before accesses to memory
// (hooks.c), functions of pthreads (sync.c), marks of component.h (history.c). At a point the
// thread says what it would do next, and whoever is chosen goes on. So the pending event of every
// thread is known whenever somebody is chosen. The end of a thread and the beginning of one are no
// points: they are made at once, since nothing but a join can tell when they happen.
#ifndef REHEARSE_THREADS_ENGINE_H
#define REHEARSE_THREADS_ENGINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/rng.h"
#include "reduce/ways.h"

enum {
    RH_THREADS_MOST = 16,
    RH_EVENTS_MOST = 1 << 14, // of one execution
    RH_OBJECTS_MOST = 1 << 10,
    RH_KEYS_MOST = 64,
    RH_SPIN_READS = 8, // places that a turn of a loop may read
    RH_TEXT_MOST = 600,
    RH_SILENT_MOST = 1 << 27,
    RH_SILENT_LONG = 1 << 16,
    RH_LOCKS_NOTED = 4,
    RH_KNOWN_BITS = 9,
    RH_RACES_MOST = 1 << 20, // along one execution
};

// Keys of pthread_key_create that the engine has made.
#define RH_OWN_KEYS 0x10000u

#define RH_ENGINE_ADDRESS UINT64_C(0x300000000000)
#define RH_STACKS_ADDRESS UINT64_C(0x310000000000)
#define RH_STACK_SIZE (UINT64_C(1) << 20)
#define RH_HEAP_ADDRESS UINT64_C(0x320000000000)
#define RH_HEAP_SIZE (UINT64_C(1) << 28) // of each thread

enum rh_act_kind {
    RH_ACT_NONE,
    RH_ACT_START, // made at once, in no path
    RH_ACT_READ,
    RH_ACT_WRITE,
    RH_ACT_LOCK,   // takes an object for itself
    RH_ACT_SHARE,  // takes it together with others who do the same
    RH_ACT_SYNC,   // does anything else with it
    RH_ACT_JOIN,   // `address`: number of the thread
    RH_ACT_PASS,   // goes on behind a barrier
    RH_ACT_CHOICE, // `address`: which of `size` ways; follows its thread's event at once
    RH_ACT_CALL,
    RH_ACT_RETURN,
    RH_ACT_COMMIT, // of a block, or of what no other thread touches
};

// What must be so for an event to be made.
enum rh_need {
    RH_NEED_NOTHING,
    RH_NEED_FREE,     // nobody has the object
    RH_NEED_UNLOCKED, // nobody has it for itself
    RH_NEED_POSITIVE, // its value is above zero
    RH_NEED_ENDED,    // the thread has ended
    RH_NEED_PASSED,   // all have come to the barrier
};

struct rh_act {
    uintptr_t address;
    uintptr_t code; // the return address of the hook
    uint32_t size;
    uint8_t kind;
    uint8_t thread;
    uint8_t need;
    bool is_atomic : 1;
    bool is_commit : 1;   // its operation may take effect with it
    bool is_viewed : 1;   // writes what a view reads
    bool is_blocked : 1;  // accesses what some commit block writes
    bool is_observed : 1; // an operation that only observes is called or returns
    uint32_t call;        // how many times its thread had called in, with this one
    const char *deed;     // of a SYNC, as people are told: "signals"
};

// Which events of each thread happen before: their number in the path, plus one.
struct rh_clock {
    uint16_t seen[RH_THREADS_MOST];
};

// A decision of the path.
struct rh_point {
    struct rh_act event;
    uint16_t enabled, done; // sets of threads; of a choice: of ways
    struct rh_ways ways;    // where executions are left out
    struct rh_label label;  // of the event
    uint16_t after;         // event whose end let this one go on; UINT16_MAX: none
    uint16_t woken;         // event that has ended its waiting before
    bool releases;          // who waits for the object could not have had it before this event
    uint16_t turns;         // of threads, up to this event
    bool shares;            // readers had it, who keep out nobody who only reads
    uintptr_t locks[RH_LOCKS_NOTED]; // that its thread has for itself, of an access; 0: no more
    struct rh_clock clock;           // of the event, with itself
    struct rh_clock order;           // the same by synchronisation alone
    uint32_t races; // where in the engine's `races` those end of events up to this one
};

// What decides whether an event depends on others: a point is too large to be looked through.
struct rh_brief {
    uint64_t bits; // of the set
    const struct rh_touched *touched;
    uint8_t thread;
};

// Two events that could as well have come in the other order.
struct rh_race {
    uint16_t early, late;
    bool is_settled; // nothing is to be done about it, however the execution goes on behind it
};

// A set that was looked for lately.
struct rh_known_set {
    uintptr_t address;
    uint64_t traits; // of the event beside
    const struct rh_touched *set;
};

enum rh_thread_state { RH_THREAD_UNUSED, RH_THREAD_ALIVE, RH_THREAD_ENDED };

struct rh_fiber {
    void *stack_pointer;
    uintptr_t base; // of its thread-locals: the register fs
    enum rh_thread_state state;
    struct rh_act pending;
    void *(*function)(void *);
    void *argument;
    void *result;
    pthread_t handle;
    uintptr_t waits; // the condition variable that it waits at; 0: none
    bool is_woken;
    struct rh_act relock;  // takes back the mutex that it waits with
    bool has_left;         // pthread_exit: others go on if it is the first thread
    bool times_out;        // it is about to give the waiting up
    bool has_woken_alone;  // from waiting at a condition variable, for no reason
    uint16_t signalled_by; // who has ended its waiting
    uint16_t woken_by;     // the same, for the next event
    uint32_t passed;       // of the barrier that it has come to
    void *values[RH_KEYS_MOST];
    // Reads since its last write, and how often it has made the first of them: see spin.c.
    struct {
        struct {
            uintptr_t address, code;
            uint32_t size;
            uint64_t value;
        } reads[RH_SPIN_READS];
        int count, turns;
        int at; // the last of them that was made
        bool is_spinning;
    } spin;
    uint32_t calls;     // how many times it has called in
    uint16_t last;      // its last event in the path; UINT16_MAX: none yet
    uint16_t created;   // its creator's last event before
    int operation;      // the one that is open; -1: none
    int depth;          // of operations that call operations
    int operations;     // how many it has begun
    uint64_t random;    // see random.c
    int role;           // of RH_THREADS: which block it runs
    bool is_committing; // it is in RH_COMMIT
    bool has_commit;    // an event since then that it may commit with
    bool is_in_block;   // of RH_COMMIT_BLOCK
};

// What threads wait for: a mutex, a semaphore and so on, told by its address.
struct rh_waitable {
    uintptr_t address;
    int owner; // who has it for itself; -1: nobody
    int depth; // how many times over
    int readers;
    bool is_semaphore;
    int64_t value;     // of a semaphore; of a barrier, who has come
    int64_t capacity;  // of a barrier
    uint32_t passed;   // of a barrier: how many times all had come
    uint16_t released; // last event of who gave it back last; UINT16_MAX: nobody
    uint8_t state;     // of a `once`
};

enum rh_search_mode {
    RH_MODE_NONE,   // every interleaving
    RH_MODE_SOURCE, // one of each class: see choose.c
    RH_MODE_OPTIMAL,
    RH_MODE_RANDOM,
    RH_MODE_PCT,
    RH_MODE_MIXED,  // random and pct in turn: never the engine's own
    RH_MODE_SERIAL, // whole operations
    RH_MODE_ORDER,  // whole operations in one order: see serial_tree.c
    RH_MODE_FOLLOW, // a schedule
};

// Of an order of whole operations: the next one of the thread, or what it gives where it fails
// without an effect.
struct rh_order_step {
    int thread;
    bool fails;
    int64_t value;
};

// Of a schedule: the thread goes on until it has called in so many times, and then stops before
// what it is about to do.
struct rh_turn {
    int thread;
    uint32_t until; // UINT32_MAX: to its end
};

// An event as people are shown it.
struct rh_log_entry {
    struct rh_act event;
    uint64_t value; // that was read or written, if it has at most eight bytes
    int operation;  // -1: none
    bool commits;   // the operation takes effect with it
};

enum rh_outcome {
    RH_OUTCOME_COMPLETE,
    RH_OUTCOME_ASLEEP,  // an equivalent execution was made
    RH_OUTCOME_FAILED,  // a finding has ended it
    RH_OUTCOME_CUT,     // too many events
    RH_OUTCOME_BLOCKED, // of a serial run: an operation waits for another
    RH_OUTCOME_REFUSED, // the program calls what is not served
    RH_OUTCOME_STRAYED, // it did not follow the path: the program decides by something else
};

// What was found, at the end of the execution that shows it.
struct rh_threads_finding {
    int kind;                   // enum rh_finding_kind
    char text[RH_TEXT_MOST];    // one sentence
    uintptr_t code, other_code; // where; 0: unknown
    uintptr_t address;          // of a variable that it is about; 0: none
    const char *file;           // where, if the program says so itself
    int line;
    int thread, other_thread;
};

struct rh_engine {
    bool is_active; // the program's code runs under control
    bool is_setting_up;
    bool is_interrupted; // the user wants no more: set by the keeper
    uint64_t executions; // that have come to an end so far, in this test
    size_t found;        // findings that were told so far
    uint64_t steps;      // points that were come to, in all executions
    uint32_t silent;     // accesses of the running thread since its last point
    struct {
        uintptr_t address, code;
        uint64_t value;
        uint32_t age; // accesses since then
        bool is_set;
    } repeated;      // of spin.c: a read that may be that of a loop
    bool is_serving; // the program's code runs: what it allocates lies in its own heap
    int quiet;       // nothing is scheduled
    int current;
    int thread_count;
    struct rh_fiber threads[RH_THREADS_MOST];
    void *director; // where the director waits
    uintptr_t director_base;
    bool has_fsgsbase;
    pthread_t handles[RH_THREADS_MOST];
    uintptr_t bases[RH_THREADS_MOST];

    // For a debugger, which knows no user-level threads: each thread is carried by one of the
    // system's, and the turn is handed over. One execution only.
    bool is_carried;
    uint32_t tickets[RH_THREADS_MOST]; // futexes: 1: it is the thread's turn
    void *carriers[RH_THREADS_MOST];   // where the system's thread waits
    bool is_leaving;
    int stop_thread; // before its event with this call the debugger stops; -1: nowhere
    uint32_t stop_call;

    enum rh_search_mode mode;
    enum rh_outcome outcome;
    uint64_t growths;        // how often something turned out to be shared
    uint64_t growths_before; // the execution
    bool has_grown;          // something turned out to be shared: the search starts again
    uint32_t count;          // events of the execution so far
    uint32_t points;         // that the execution has come to, events or not
    uint32_t prescribed;
    uint32_t turns_most; // of RH_MODE_NONE: executions with more turns are left out; 0: any number
    uint32_t cut;        // events after which an execution ends
    struct rh_rng random;
    int depth; // of pct
    uint32_t longest;
    int priorities[RH_THREADS_MOST];
    uint32_t changes[8];
    bool has_weak_atomics; // weaker than seq_cst, which is what they were taken for
    bool has_order;        // calls and returns depend on each other
    bool is_marked;        // executions are compared in the order of commits
    bool has_no_view;      // results alone are compared
    bool is_viewing;       // a view is looked at
    bool has_unseen;       // code of the program whose accesses are not seen
    bool is_journaling;    // what is written is taken back: see journal.h
    int open_blocks;       // of RH_COMMIT_BLOCK
    struct {
        const struct rh_order_step *steps;
        int count, next;
        const struct rh_order_step *skipped; // the operation that runs is to fail; NULL: it is not
    } order;                                 // of RH_MODE_ORDER
    bool notes_locks;                        // in points
    bool volatile_is_atomic;
    bool has_spurious; // who waits at a condition variable may wake for no reason

    struct rh_waitable objects[RH_OBJECTS_MOST];
    int object_count;
    int key_count;
    void (*destructors[RH_KEYS_MOST])(void *);
    uint32_t granule_count; // of shared.c
    struct {
        uint32_t hang_ms;
        uint64_t steps;              // when progress was last seen
        int64_t computed_ms, now_ms; // by then
    } watch;                         // of watch.c
    int spins;                       // how often all were found spinning
    int64_t sleeping_ns;             // logical time that threads have slept
    char refusal[RH_TEXT_MOST];      // why the program can't be searched; "": it can
    struct rh_threads_finding race;  // the first of this execution
    bool has_race;
    struct rh_threads_finding finding; // of this execution
    bool has_finding;
    const struct rh_turn *turns; // of RH_MODE_FOLLOW
    size_t turn_count, turn;
    const int *choices; // of RH_MODE_FOLLOW
    size_t choice_count, choice;
    struct rh_log_entry *log; // room for RH_EVENTS_MOST; NULL: nothing is written down
    uint32_t log_count;
    bool has_open_write; // the last entry's write is being made

    struct rh_touched_sets touched;
    const struct rh_touched *touches_all;
    struct rh_known_set known[1 << RH_KNOWN_BITS];
    struct rh_ways_memory ways;
    uint32_t rest;        // the tree for the next point
    bool has_no_room;     // for what is left to try
    rh_sequence sequence; // of the race that is looked at
    struct rh_race races[RH_RACES_MOST];
    struct rh_brief briefs[RH_EVENTS_MOST]; // of the path
    struct rh_point path[RH_EVENTS_MOST];
};

#define rh__engine ((struct rh_engine *)RH_ENGINE_ADDRESS)

static inline struct rh_fiber *rh__current(void)
{
    return &rh__engine->threads[rh__engine->current];
}

// Maps the engine, empty, so that processes share it: who watches over the one that runs the
// program can tell where it was when it died. false: there is no address space.
bool rh__engine_map(void);
// Maps everything else, and makes the threads whose thread-locals are used. Call once in a process.
// Gives what is missing, or NULL.
const char *rh__engine_start(void);

// Runs one execution of `body` as the program's first thread, and gives how it ended.
enum rh_outcome rh__engine_run(void *(*body)(void *), void *argument);

// A point: the running thread would do this next. Returns when it is its turn.
void rh__point(enum rh_act_kind kind, uintptr_t address, size_t size, bool is_atomic,
               uintptr_t code);

// Ends the execution, from the program's code; does not return.
_Noreturn void rh__leave(enum rh_outcome outcome);
// Ends it with a finding; the format gives its sentence.
_Noreturn void rh__fail(int kind, uintptr_t code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

_Noreturn void rh__fail_at(int kind, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Where a debugger has its breakpoint.
void rh__stop_here(void) __attribute__((noinline));

int rh__thread_create(void *(*function)(void *), void *argument);
// Ends the running thread.
_Noreturn void rh__thread_end(void *result);

// Adds "main" or "thread#1".
struct rh_text;
void rh__thread_print(int thread, struct rh_text *text);

// Reports that all threads wait for each other; does not return.
_Noreturn void rh__deadlock(void);

bool rh__is_enabled(const struct rh_fiber *thread);
struct rh_waitable *rh__object_at(uintptr_t address);
// Says what the running thread waits for, and lets others go on until it is there.
void rh__wait(const struct rh_act *event);
// Ends the execution and the search, since the program calls what is not served.
_Noreturn void rh__refuse(const char *function, uintptr_t code);
// The same, since it would wait in the function for something outside.
_Noreturn void rh__refuse_wait(const char *function, uintptr_t code);
// The same, with a reason of its own.
_Noreturn void rh__refuse_because(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The same, since it does more than there is room for: "frees more than 5 blocks".
_Noreturn void rh__exceed(const char *deed);
// One of `count` ways, from 0, all of which are tried.
int rh__choice(int count);
// What clocks say is at least so late from here on: the running thread has waited in vain.
void rh__let_pass_until(const struct timespec *time, uintptr_t code);
// Calls the destructors of its keys.
void rh__keys_end(void);

// Crashes of the program end the execution from here on.
void rh__crashes_start(void);

// --- watch.c ---

// From here on an execution ends that comes to no point in so many milliseconds of processor time,
// or in ten times as many if it waits for something outside.
void rh__watch_start(uint32_t hang_ms);
// The running thread has made RH_SILENT_MOST accesses that nobody else could notice.
_Noreturn void rh__watch_silent(uintptr_t code);

// --- spin.c ---

// The running thread has read, or has written something: a loop that reads the same over and over
// need not be repeated until somebody writes that.
void rh__spin_read(uintptr_t address, size_t size, uintptr_t code);
void rh__spin_write(void);
// The running thread has made RH_SILENT_LONG accesses, and more, that nobody else could notice. A
// loop among them that only reads waits for others.
void rh__spin_silent(uintptr_t address, size_t size, bool writes, uintptr_t code);
// A thread writes: who waits for that in a loop goes on.
void rh__spin_wake(const struct rh_act *event);
// Nobody else can go on: loops are let turn again. false: there is none.
bool rh__spin_release(void);

// --- dependence.c ---

// false: there is no address space.
bool rh__dependence_start(void);
// A search begins, in which events may touch something else than in the one before.
void rh__dependence_begin(void);
const struct rh_touched *rh__touched_of(const struct rh_act *event);
bool rh__depends(const struct rh_act *one, const struct rh_act *other);
bool rh__is_access(const struct rh_act *event);
// Whether it takes an object or does anything else with it.
bool rh__is_object(const struct rh_act *event);

// --- choose.c ---

// Chooses who goes on; -1: nobody, and the outcome is set.
int rh__choose_thread(void);
// A decision about one of `count` ways.
int rh__choose_way(int count);
// Of RH_MODE_FOLLOW: what the running thread does next is no event, but its turn may be over.
void rh__follow(void);
// The value of the last write is there.
void rh__log_settle(void);

// --- races.c ---

// Clocks of the new part of the path, and data races in it. In a reduced search, the other orders
// of its races are added to what is left to try.
void rh__look_back(void);

// --- search.c ---

static inline bool rh__reduces(void)
{
    return rh__engine->mode == RH_MODE_SOURCE || rh__engine->mode == RH_MODE_OPTIMAL;
}

void rh__search_begin(enum rh_search_mode mode, uint64_t seed);
// Prescribes the next execution; false: there is none.
bool rh__search_next(void);
// A label of a thread's event: the identity is the thread's number plus one, since no two events of
// a thread are next at a point.
struct rh_label rh__label_of(const struct rh_act *event);
static inline int rh__label_thread(const struct rh_label *label)
{
    return (int)label->identity - 1;
}

// --- shared.c ---

void rh__shared_start(void);
void rh__shared_forget(void);

// Something turned out to be shared, or the like: what was an event so far is not all that is.
void rh__note_grown(void);

// A view reads these bytes. Whether one does: who writes them is seen by every commit.
void rh__note_viewed(uintptr_t address, size_t size);
bool rh__is_viewed(uintptr_t address, size_t size);
// A commit block writes these bytes. Whether one does: who accesses them comes before or after its
// end.
void rh__note_blocked(uintptr_t address, size_t size);
bool rh__is_blocked(uintptr_t address, size_t size);

// Notes that the running thread touches these bytes. Whether another thread does too, so that it is
// an event.
bool rh__is_shared(uintptr_t address, size_t size, bool writes);

// From here on accesses to these bytes are events.
void rh__share(uintptr_t address, size_t size);

// Somebody tries an object without waiting, so that it can be told when it is given back.
void rh__note_tried(uintptr_t address);
// The running thread uses an object there. Whether somebody frees what lies around it, so that it
// can be told when it is given back.
void rh__note_object(uintptr_t address);
bool rh__is_object_shared(uintptr_t address);
// Whether the program has ever written there.
bool rh__is_written(uintptr_t address);
bool rh__is_tried(uintptr_t address);

// --- commit.c ---

// Says of the event what it has to do with commits.
void rh__commit_mark(struct rh_act *event);
// The running thread accesses these bytes, while a block is open.
void rh__block_access(uintptr_t address, size_t size, bool writes, uintptr_t code);

// --- image.c ---

void rh__image_take(void);
void rh__image_restore(void);
void rh__locals_begin(int thread);
// Whether the program has code whose accesses are not seen: libraries, and, where it runs as it is,
// all that was not compiled with -fsanitize=thread.
bool rh__image_has_unseen(void);
// Hash of the program's variables.
uint64_t rh__image_hash(void);
// Copies them, and tells in how many bytes that the program has written they differ from a copy,
// and where first.
size_t rh__image_size(void);
void rh__image_save(char *copy);
size_t rh__image_difference(const char *copy, uintptr_t *first);

// --- heap.c ---

void rh__heap_start(void);
// What the program allocates in between, before the engine is there, is its own and is put back.
void rh__heap_begin_early(void);
void rh__heap_end_early(void);
void rh__heap_take(void);
void rh__heap_restore(void);
// Whether the program has allocated the byte, in whatever block.
static inline bool rh__heap_has(uintptr_t address)
{
    return address - RH_HEAP_ADDRESS < RH_THREADS_MOST * RH_HEAP_SIZE;
}
// Whether the byte belongs to a block that was freed.
bool rh__heap_is_freed(uintptr_t address);

#endif
