// SPDX-License-Identifier: MIT
// The one mutable global of the library: what this process is doing on behalf of a program under
// test. It has pages of its own, so that protecting the program's globals leaves it writable.
//
// Interposed libc functions look at `in_handler` first: while it is 0 they do exactly what libc
// does.
#ifndef REHEARSE_ENTRY_PROCESS_H
#define REHEARSE_ENTRY_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rh_world;
struct rh_runtime;
struct rh_message;

// For objects of the library that change while a program is under test: pages of their own, which
// the watch over the program's globals leaves alone. The size of such an object must be a multiple
// of a page.
#define RH__OWN __attribute__((section("rh_own"), aligned(4096)))

struct rh_process {
    // Where the world waits for the handler; NULL while none runs. The first member: see rh__ask.
    void *world_stack;
    struct rh_world *world; // NULL outside of a controlled execution
    // Whether the program's own code is running under control: a behaviour, a guard, a judge or the
    // test's body. The world serves interposed calls made by that code; the library sets in_handler
    // to 0 while its own code needs libc. Volatile because compilers know malloc as a function that
    // reads no variable, and drop a store that only malloc would see.
    volatile int in_handler;
    // Whether malloc is ours (false under sanitizers and Valgrind).
    bool owns_malloc;
    bool is_child; // a handler forked this process: it must not go on with the search
    // Whether the tool's operations leave nothing of their own on the handlers' stack, since it is
    // ours: see stack_x86_64.S.
    bool calls_on_world;
    // Whether actors run on threads (see runtime/runtime.h): then operations are the runtime's, and
    // there is no world.
    bool runs_threads;
    int own_descriptors[2];     // descriptors that the program can't close; -1: none
    struct rh_runtime *runtime; // NULL unless runs_threads
    // Is told what libc has answered, while a run of actors on threads is recorded. Otherwise NULL.
    void (*note_answer)(const char *function, uint64_t value);
    bool has_recorded; // a run of actors on threads was recorded: one run in a process is
    // The keeper and the process that has started it, which get no signals from the program.
    int tool_processes[2];
    // For rh__as: the message that the running handler was called with, where it is noted that the
    // message was handled, and what is known about types. NULL while no handler runs.
    struct rh_taking {
        const struct rh_message *message;
        bool *handled;
        const void *types; // struct rh_type_slot
    } taking;
    char padding[4096 - 7 * sizeof(void *) - 8 * sizeof(int)];
};

_Static_assert(offsetof(struct rh_process, calls_on_world) == 22,
               "stack_x86_64.S and entry.h count on it");
_Static_assert(offsetof(struct rh_process, runs_threads) == 23, "stack_x86_64.S counts on it");
_Static_assert(offsetof(struct rh_process, taking) == 64, "entries_x86_64.S counts on it");
_Static_assert(sizeof(struct rh_process) == 4096, "it has a page of its own");

extern struct rh_process rh__process;

// What each thread has for itself. There is one such object: without others, nothing thread-local
// need be watched.
struct rh_local {
    struct rh_carrier *carrier; // in threads of the runtime
    // In threads that a handler started: nothing orders them with the deliveries, so they run as if
    // there were no world.
    bool is_free;
};

extern _Thread_local struct rh_local rh__local;

// Where libc and the compiler find what this thread has for itself. The first word there holds its
// own address.
static inline const void *rh_thread_pointer(void)
{
    const void *pointer;
    __asm__ volatile("movq %%fs:0, %0" : "=r"(pointer));
    return pointer;
}

// Called by interposed functions while in_handler.

// Memory of the running actor. The same rules as malloc's family; NULL when the actor's memory is
// full.
void *rh_memory_malloc(size_t size);
void *rh_memory_calloc(size_t count, size_t size);
void *rh_memory_realloc(void *block, size_t size); // a block of libc's is copied
void *rh_memory_memalign(size_t alignment, size_t size);
void rh_memory_free(void *block);
size_t rh_memory_usable_size(void *block);
// Whether the block came from an actor's memory.
bool rh_memory_owns(const void *block);
// The caller frees a block that is no actor's. Ends as libc does, by an abort, unless libc can have
// given the block.
void rh_memory_check_block(const void *block);

// This execution can't be undone from here on because of this call ("fopen"): the search will
// re-execute instead. Cheap to call again.
void rh_world_cannot_undo(const char *function);

// Where the next mapping is to lie that leaves its address to the kernel: in the same place in
// every run, since an actor may keep the address.
void *rh_world_map_at(size_t size);

// The program starts a thread by this call: nothing orders what it does with the deliveries, so no
// search is complete.
void rh_world_start_thread(const char *function);

// The handler is about to change which signals are blocked. If other signals are blocked when it
// ends than before, the delivery can't be undone.
void rh_world_keep_signal_mask(void);

// Where strtok keeps the rest of its text; `continues` if it is called without a new text.
char **rh_world_tokens(bool continues);

// A stream of open_memstream was opened (1) or closed (-1).
void rh_world_count_memory_stream(int change);

// The program called exit or _exit: a finding; does not return.
_Noreturn void rh_world_exit(int status, const char *function);

// Whether the test's body is running, under control; and ending it there, as if it had returned.
bool rh_world_is_in_body(void);
_Noreturn void rh_world_end_body(void);
// The test's body is the program's main, and has come to rh_run.
void rh_world_begin_run(void);

// An assert failed: a finding; does not return.
_Noreturn void rh_world_assert(const char *condition, const char *file, unsigned line,
                               const char *function);

// Next random number of the running actor's own stream; undone with the actor.
uint64_t rh_world_random(void);

// Nanoseconds of logical time since an arbitrary fixed day.
uint64_t rh_world_clock_ns(void);

// A process is about to be started that shares our memory until it executes its program, and has no
// signal handlers then: rh_world_open_given makes the pages on which given blocks lie accessible,
// or inaccessible again. rh_world_free_given is for a process of its own, which has left the world.
void rh_world_free_given(void);
void rh_world_open_given(bool open);

// What the schedule says that this function answers; false if it says nothing.
bool rh_world_answer(const char *function, uint64_t *value);

// libc's clock_gettime, whoever calls.
struct timespec;
int rh_real_clock_gettime(int clock, struct timespec *result);

// The name to use for a file that the program names, counted from `directory` as for openat. With
// `alters` it is about to make, change or remove the file. Valid until the call after the next.
const char *rh_world_file(int directory, const char *path, bool alters);
// Where the program is, if only the world knows; otherwise NULL.
const char *rh_world_directory(void);

// The kernel is about to fill this buffer: makes sure that its pages are writable.
void rh_globals_touch(void *buffer, size_t size);

#endif
