// SPDX-License-Identifier: MIT
// Calls that leave something behind in libc or in the process: streams, directories, the
// environment, loaded libraries, threads, signal handlers. What these calls allocate must outlive
// an undo, so they are served outside of the actor's memory; most of them also mark the execution
// as not undoable.
#include "libc/real.h"

#include <assert.h>
#include <dirent.h>
#include <dlfcn.h>
#include <err.h>
#include <fcntl.h>
#include <getopt.h>
#include <iconv.h>
#include <libintl.h>
#include <locale.h>
#include <pthread.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "libc/streams.h"
#include "libc/undeclared.h"

#define IN_outside(...) __VA_ARGS__
#define RESOLVE rh__resolve_outside
#include "libc/interposed.h"

// The definitions below read as tables; clang-format would take them for code.
// clang-format off

// Streams. libc gives a stream its buffer at the first use; this use may be a printf in a handler,
// which can't be served outside because it may call back into the program. So a stream has its
// buffer from the start.
static FILE *with_buffer(FILE *file)
{
    if (file && !file->_IO_buf_base) {
        int kept_errno = errno;
        int was_inside = rh__step_outside();
        _IO_doallocbuf(file);
        rh__step_inside(was_inside);
        errno = kept_errno;
    }
    return file;
}

#define OPENING(name, parameters, arguments, ...)                                                  \
    RH_ENTRY(FILE *, name, parameters)                                                             \
    {                                                                                              \
        if (!rh__controlled()) {                                                                   \
            return REAL(name) arguments;                                                           \
        }                                                                                          \
        __VA_ARGS__;                                                                               \
        int was_inside = rh__step_outside();                                                       \
        FILE *file = REAL(name) arguments;                                                         \
        rh__step_inside(was_inside);                                                               \
        return with_buffer(file);                                                                  \
    }

// Whether a stream of this mode may make or change its file.
static bool alters(const char *mode)
{
    return strpbrk(mode, "wa+") != NULL;
}

static FILE *open_random_stream(const char *mode)
{
    int descriptor = rh__open_random(0);
    if (descriptor < 0) {
        return NULL;
    }
    FILE *file = REAL(fdopen)(descriptor, mode);
    if (!file) {
        close(descriptor);
    }
    return file;
}

// fopen differs from OPENING in the kernel's random bytes.
#define OPENING_PATH(name)                                                                         \
    RH_ENTRY(FILE *, name, (const char *restrict path, const char *restrict mode))                 \
    {                                                                                              \
        if (!rh__controlled()) {                                                                   \
            return REAL(name)(path, mode);                                                         \
        }                                                                                          \
        rh_world_cannot_undo("fopen");                                                             \
        bool is_random = mode[0] == 'r' && rh__is_random_path(path);                               \
        if (!is_random) {                                                                          \
            path = rh_world_file(AT_FDCWD, path, alters(mode));                                    \
        }                                                                                          \
        int was_inside = rh__step_outside();                                                       \
        FILE *file = is_random ? open_random_stream(mode) : REAL(name)(path, mode);                \
        rh__step_inside(was_inside);                                                               \
        return with_buffer(file);                                                                  \
    }
OPENING_PATH(fopen)
OPENING_PATH(fopen64)

OPENING(fdopen, (int descriptor, const char *mode), (descriptor, mode), CANNOT_UNDO)
OPENING(freopen, (const char *restrict path, const char *restrict mode, FILE *restrict stream),
        (path, mode, stream), CANNOT_UNDO;
        path = rh_world_file(AT_FDCWD, path, alters(mode)))
OPENING(freopen64, (const char *restrict path, const char *restrict mode, FILE *restrict stream),
        (path, mode, stream), CANNOT_UNDO;
        path = rh_world_file(AT_FDCWD, path, alters(mode)))
OPENING(fopencookie,
        (void *restrict cookie, const char *restrict mode, cookie_io_functions_t functions),
        (cookie, mode, functions), CANNOT_UNDO)

// The text that a started process is told is read now, so that a use of a given block shows.
static void look_at(const char *text)
{
    for (const volatile char *next = text; next && *next; next++) {
    }
}

// A process that is started may alter every file.
static void expect_changes(void)
{
    (void)rh_world_file(AT_FDCWD, ".", true);
}

RH_ENTRY(FILE *, popen, (const char *command, const char *mode))
{
    if (!rh__controlled()) {
        return REAL(popen)(command, mode);
    }
    CANNOT_UNDO;
    look_at(command);
    expect_changes();
    int was_inside = rh__step_outside();
    rh_world_open_given(true);
    FILE *file = REAL(popen)(command, mode);
    rh_world_open_given(false);
    rh__step_inside(was_inside);
    return with_buffer(file);
}

OPENING(tmpfile, (void), (), CANNOT_UNDO)
OPENING(tmpfile64, (void), (), CANNOT_UNDO)
OPENING(fmemopen, (void *buffer, size_t size, const char *mode), (buffer, size, mode), CANNOT_UNDO)

// A stream of open_memstream is in no list of libc's; the world counts those that the test's body
// has open.
RH_ENTRY(FILE *, open_memstream, (char **buffer, size_t *size))
{
    if (!rh__controlled()) {
        return REAL(open_memstream)(buffer, size);
    }
    CANNOT_UNDO;
    int was_inside = rh__step_outside();
    FILE *file = REAL(open_memstream)(buffer, size);
    rh__step_inside(was_inside);
    if (file) {
        rh_world_count_memory_stream(1);
    }
    return with_buffer(file);
}

OUTSIDE(int, fclose, (FILE *file), (file), CANNOT_UNDO;
        if (rh_world_is_in_body() && !rh_streams_has(file)) { rh_world_count_memory_stream(-1); })

// The line is the caller's and so the actor's; the stream's buffer is not.
INSIDE(ssize_t, getline, (char **restrict line, size_t *restrict size, FILE *restrict file),
       (line, size, file), CANNOT_UNDO; with_buffer(file))
INSIDE(ssize_t, getdelim,
       (char **restrict line, size_t *restrict size, int end, FILE *restrict file),
       (line, size, end, file), CANNOT_UNDO; with_buffer(file))
INSIDE(ssize_t, __getdelim, (char **line, size_t *size, int end, FILE *file),
       (line, size, end, file), rh_world_cannot_undo("getline"); with_buffer(file))
INSIDE(int, __isoc99_vfscanf, (FILE *file, const char *format, va_list arguments),
       (file, format, arguments), rh_world_cannot_undo("scanf"); with_buffer(file))

RH_ENTRY(int, __isoc99_vscanf, (const char *format, va_list arguments))
{
    return __isoc99_vfscanf(stdin, format, arguments);
}

RH_ENTRY_ANY(sizeof(int), int, __isoc99_fscanf, (FILE *file, const char *format, ...))
{
    va_list arguments;
    va_start(arguments, format);
    int count = __isoc99_vfscanf(file, format, arguments);
    va_end(arguments);
    return count;
}

RH_ENTRY_ANY(sizeof(int), int, __isoc99_scanf, (const char *format, ...))
{
    va_list arguments;
    va_start(arguments, format);
    int count = __isoc99_vfscanf(stdin, format, arguments);
    va_end(arguments);
    return count;
}

// Language. Asking for the present locale changes nothing.
OUTSIDE(char *, setlocale, (int category, const char *name), (category, name),
        if (name) { CANNOT_UNDO; })
OUTSIDE(locale_t, uselocale, (locale_t locale), (locale), if (locale) { CANNOT_UNDO; })

// Libraries. dlopen searches the paths of the library that its return address lies in, so outside
// of handlers that address must stay the caller's.
static __attribute__((noinline)) void *controlled_dlopen(const char *path, int mode)
{
    rh_world_cannot_undo("dlopen");
    int was_inside = rh__step_outside();
    void *library = REAL(dlopen)(path, mode);
    rh__step_inside(was_inside);
    return library;
}

RH_TAIL_CALLER void *rh__body_dlopen(const char *path, int mode);
RH_ENTRY(void *, dlopen, (const char *path, int mode))
{
    if (rh__controlled()) {
        return controlled_dlopen(path, mode);
    }
    void *(*real_dlopen)(const char *, int) = REAL(dlopen);
    RH_TAIL_CALL real_dlopen(path, mode);
}

static __attribute__((noinline)) void *controlled_dlmopen(Lmid_t space, const char *path, int mode)
{
    rh_world_cannot_undo("dlmopen");
    int was_inside = rh__step_outside();
    void *library = REAL(dlmopen)(space, path, mode);
    rh__step_inside(was_inside);
    return library;
}

RH_TAIL_CALLER void *rh__body_dlmopen(Lmid_t space, const char *path, int mode);
RH_ENTRY(void *, dlmopen, (Lmid_t space, const char *path, int mode))
{
    if (rh__controlled()) {
        return controlled_dlmopen(space, path, mode);
    }
    void *(*real_dlmopen)(Lmid_t, const char *, int) = REAL(dlmopen);
    RH_TAIL_CALL real_dlmopen(space, path, mode);
}

// Threads. A thread that a handler starts runs free, for nothing could order what it does.
struct free_thread {
    void *(*start)(void *);
    int (*start_c11)(void *);
    void *argument;
};

static struct free_thread begin_free_thread(void *given)
{
    rh__local.is_free = true;
    struct free_thread thread = *(struct free_thread *)given;
    free(given);
    return thread;
}

static void *run_free_thread(void *given)
{
    struct free_thread thread = begin_free_thread(given);
    return thread.start(thread.argument);
}

static int run_free_thread_c11(void *given)
{
    struct free_thread thread = begin_free_thread(given);
    return thread.start_c11(thread.argument);
}

// Called outside; gives NULL without memory.
static struct free_thread *new_free_thread(struct free_thread thread)
{
    struct free_thread *copy = malloc(sizeof *copy);
    if (copy) {
        *copy = thread;
    }
    return copy;
}

RH_ENTRY(int, pthread_create,
         (pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
          void *(*start)(void *), void *restrict argument))
{
    if (!rh__controlled()) {
        return REAL(pthread_create)(thread, attributes, start, argument);
    }
    rh_world_start_thread("pthread_create");
    int was_inside = rh__step_outside();
    struct free_thread *given =
        new_free_thread((struct free_thread){.start = start, .argument = argument});
    int error =
        given ? REAL(pthread_create)(thread, attributes, run_free_thread, given) : EAGAIN;
    if (error) {
        free(given);
    }
    rh__step_inside(was_inside);
    return error;
}

RH_ENTRY(int, thrd_create, (thrd_t *thread, thrd_start_t start, void *argument))
{
    if (!rh__controlled()) {
        return REAL(thrd_create)(thread, start, argument);
    }
    rh_world_start_thread("thrd_create");
    int was_inside = rh__step_outside();
    struct free_thread *given =
        new_free_thread((struct free_thread){.start_c11 = start, .argument = argument});
    int result = given ? REAL(thrd_create)(thread, run_free_thread_c11, given) : thrd_nomem;
    if (result != thrd_success) {
        free(given);
    }
    rh__step_inside(was_inside);
    return result;
}

OUTSIDE(int, timer_create,
        (clockid_t id, struct sigevent *restrict event, timer_t *restrict timer),
        (id, event, timer), if (event && event->sigev_notify == SIGEV_THREAD) {
            rh_world_start_thread("timer_create");
        } CANNOT_UNDO)

// The world itself lives from these two signals: a program that asks for them is told that it has
// them.
static bool is_own_signal(int number)
{
    return number == SIGSEGV || number == SIGTRAP;
}

OUTSIDE(sighandler_t, signal, (int number, sighandler_t handler), (number, handler),
        if (is_own_signal(number)) { return SIG_DFL; } CANNOT_UNDO)
OUTSIDE(int, sigaction,
        (int number, const struct sigaction *restrict action, struct sigaction *restrict old),
        (number, action, old), if (action && is_own_signal(number)) {
            if (old) { *old = (struct sigaction){0}; }
            return 0;
        }
        if (action) { CANNOT_UNDO; })

RH_ENTRY(sem_t *, sem_open, (const char *name, int flags, ...))
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    unsigned value = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    if (!rh__controlled()) {
        return REAL(sem_open)(name, flags, mode, value);
    }
    CANNOT_UNDO;
    int was_inside = rh__step_outside();
    sem_t *semaphore = REAL(sem_open)(name, flags, mode, value);
    rh__step_inside(was_inside);
    return semaphore;
}

// The world keeps the rest of the text, since it knows whether another delivery has left it there.
RH_ENTRY(char *, strtok, (char *restrict text, const char *restrict delimiters))
{
    if (!rh__controlled()) {
        return REAL(strtok)(text, delimiters);
    }
    return strtok_r(text, delimiters, rh_world_tokens(text == NULL));
}

// Processes. A child of a handler is no part of the world: it runs uncontrolled.
#define STARTING(name, parameters, arguments, ...)                                                 \
    RH_ENTRY(int, name, parameters)                                                                \
    {                                                                                              \
        if (!rh__controlled()) {                                                                   \
            return REAL(name) arguments;                                                           \
        }                                                                                          \
        CANNOT_UNDO;                                                                               \
        __VA_ARGS__;                                                                               \
        expect_changes();                                                                          \
        int was_inside = rh__step_outside();                                                       \
        rh_world_open_given(true);                                                                 \
        int outcome = REAL(name) arguments;                                                        \
        rh_world_open_given(false);                                                                \
        rh__step_inside(was_inside);                                                               \
        return outcome;                                                                            \
    }

static void look_at_all(char *const *texts)
{
    for (; texts && *texts; texts++) {
        look_at(*texts);
    }
}

STARTING(system, (const char *command), (command), look_at(command))
STARTING(posix_spawn,
         (pid_t *restrict process, const char *restrict path,
          const posix_spawn_file_actions_t *restrict actions,
          const posix_spawnattr_t *restrict attributes, char *const argv[restrict],
          char *const envp[restrict]),
         (process, path, actions, attributes, argv, envp), look_at(path);
         look_at_all(argv); look_at_all(envp))
STARTING(posix_spawnp,
         (pid_t *process, const char *name, const posix_spawn_file_actions_t *actions,
          const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]),
         (process, name, actions, attributes, argv, envp), look_at(name);
         look_at_all(argv); look_at_all(envp))

RH_ENTRY(pid_t, fork, (void))
{
    if (!rh__controlled()) {
        return REAL(fork)();
    }
    CANNOT_UNDO;
    expect_changes();
    int was_inside = rh__step_outside();
    pid_t child = REAL(fork)();
    rh__process.is_child |= child == 0;
    if (child == 0) {
        rh_world_free_given();
    } else {
        rh__step_inside(was_inside);
    }
    return child;
}

// The child of vfork returns on its parent's stack, so outside of handlers there must be no frame
// of ours: hence a jump. Inside a handler vfork becomes a fork, which POSIX allows.
_Static_assert(offsetof(struct rh_process, in_handler) == 16, "the jump below reads it");
__asm__(".text\n"
        ".globl vfork\n"
        ".type vfork, @function\n"
        "vfork:\n"
        "    endbr64\n"
        "    movq rh__process@GOTPCREL(%rip), %rax\n"
        "    cmpl $0, 16(%rax)\n"
        "    jne fork@PLT\n"
        "    jmp __vfork@PLT\n"
        ".size vfork, . - vfork\n");

// The end of the process or of its only thread is a finding, and ends this execution only.
#define ENDING(name)                                                                               \
    RH_ENTRY_VOID(name, (int status))                                                              \
    {                                                                                              \
        if (rh__controlled()) {                                                                    \
            rh_world_exit(status, #name);                                                          \
        }                                                                                          \
        REAL(name)(status);                                                                        \
        __builtin_unreachable();                                                                   \
    }
ENDING(exit)
ENDING(_exit)
ENDING(_Exit)
ENDING(quick_exit)

RH_ENTRY_VOID(pthread_exit, (void *result))
{
    if (rh__controlled()) {
        rh_world_exit(0, "pthread_exit");
    }
    REAL(pthread_exit)(result);
    __builtin_unreachable();
}

RH_ENTRY_VOID(thrd_exit, (int result))
{
    if (rh__controlled()) {
        rh_world_exit(result, "thrd_exit");
    }
    REAL(thrd_exit)(result);
    __builtin_unreachable();
}

// These functions call exit inside of libc, where it can't be interposed.
RH_ENTRY_VOID(verr, (int status, const char *format, va_list arguments))
{
    if (rh__controlled()) {
        vwarn(format, arguments);
        rh_world_exit(status, "err");
    }
    REAL(verr)(status, format, arguments);
    __builtin_unreachable();
}

RH_ENTRY_VOID(verrx, (int status, const char *format, va_list arguments))
{
    if (rh__controlled()) {
        vwarnx(format, arguments);
        rh_world_exit(status, "errx");
    }
    REAL(verrx)(status, format, arguments);
    __builtin_unreachable();
}

RH_ENTRY_ANY(0, void, err, (int status, const char *format, ...))
{
    va_list arguments;
    va_start(arguments, format);
    verr(status, format, arguments);
}

RH_ENTRY_ANY(0, void, errx, (int status, const char *format, ...))
{
    va_list arguments;
    va_start(arguments, format);
    verrx(status, format, arguments);
}

RH_ENTRY_VOID(__assert_fail,
              (const char *condition, const char *file, unsigned line, const char *function))
{
    if (rh__controlled()) {
        rh_world_assert(condition, file, line, function);
    }
    REAL(__assert_fail)(condition, file, line, function);
    __builtin_unreachable();
}

RH_ENTRY_VOID(__assert_perror_fail,
              (int number, const char *file, unsigned line, const char *function))
{
    if (rh__controlled()) {
        rh_world_assert(strerror(number), file, line, function);
    }
    REAL(__assert_perror_fail)(number, file, line, function);
    __builtin_unreachable();
}

RH_ENTRY_VOID(__assert, (const char *condition, const char *file, int line))
{
    if (rh__controlled()) {
        rh_world_assert(condition, file, (unsigned)line, "");
    }
    REAL(__assert)(condition, file, line);
}
