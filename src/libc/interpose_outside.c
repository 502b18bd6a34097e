// SPDX-License-Identifier: MIT
// Calls that leave something behind in libc or in the process: streams, directories, the environment,
// loaded libraries, threads, signal handlers. What they allocate must outlive an undo, so they are
// served outside of the actor's memory; most of them also mark the execution as not undoable.
#include "libc/real.h"

#include "libc/streams.h"

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

// Defined by libc, but in none of its headers.
void _IO_doallocbuf(FILE *file);
int __isoc99_scanf(const char *format, ...);
int __isoc99_fscanf(FILE *file, const char *format, ...);
int __isoc99_vscanf(const char *format, va_list arguments);
int __isoc99_vfscanf(FILE *file, const char *format, va_list arguments);
size_t __fread_chk(void *buffer, size_t room, size_t size, size_t count, FILE *file);
size_t __fread_unlocked_chk(void *buffer, size_t room, size_t size, size_t count, FILE *file);
char *__fgets_chk(char *buffer, size_t room, int size, FILE *file);
char *__fgets_unlocked_chk(char *buffer, size_t room, int size, FILE *file);
char *re_comp(const char *pattern);
int re_exec(const char *text);
int __cxa_atexit(void (*function)(void *), void *argument, void *library);
int __cxa_at_quick_exit(void (*function)(void *), void *library);
int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *library);
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                      void *library);

// The lists below read as tables; clang-format would take them for code.
// clang-format off
#define FUNCTIONS(X)                                                                               \
    X(fopen) X(fopen64) X(fdopen) X(freopen) X(freopen64) X(fopencookie) X(popen)                  \
    X(tmpfile) X(tmpfile64) X(fmemopen) X(open_memstream) X(fclose) X(pclose)                      \
    X(setvbuf) X(setbuf) X(setbuffer) X(setlinebuf)                                                \
    X(fread) X(fread_unlocked) X(__fread_chk) X(__fread_unlocked_chk)                              \
    X(fgets) X(fgets_unlocked) X(__fgets_chk) X(__fgets_unlocked_chk)                              \
    X(fgetc) X(getc) X(getchar) X(ungetc)                                                          \
    X(getline) X(getdelim) X(__getdelim) X(__isoc99_vfscanf)                                       \
    X(fseek) X(fseeko) X(fseeko64) X(fsetpos) X(fsetpos64) X(rewind)                               \
    X(opendir) X(fdopendir) X(closedir) X(readdir) X(readdir64) X(rewinddir) X(seekdir)            \
    X(scandir) X(scandir64)                                                                        \
    X(setlocale) X(newlocale) X(duplocale) X(freelocale) X(uselocale)                              \
    X(bindtextdomain) X(bind_textdomain_codeset) X(textdomain)                                     \
    X(gettext) X(dgettext) X(dcgettext) X(ngettext) X(dngettext) X(dcngettext)                     \
    X(iconv_open) X(iconv_close)                                                                   \
    X(strerror) X(strerror_l) X(strsignal)                                                         \
    X(tzset) X(localtime) X(localtime_r) X(ctime) X(ctime_r) X(mktime) X(strftime) X(strftime_l)   \
    X(wcsftime) X(ttyname)                                                                         \
    X(setenv) X(putenv) X(unsetenv) X(clearenv)                                                    \
    X(__cxa_atexit) X(__cxa_at_quick_exit) X(__cxa_thread_atexit_impl) X(on_exit)                  \
    X(__register_atfork)                                                                           \
    X(dlopen) X(dlmopen) X(dlclose)                                                                \
    X(pthread_create) X(thrd_create) X(pthread_exit) X(thrd_exit)                                  \
    X(pthread_key_create) X(pthread_key_delete) X(pthread_setspecific)                             \
    X(tss_create) X(tss_delete) X(tss_set)                                                         \
    X(signal) X(sigaction) X(timer_create) X(timer_delete) X(sem_open) X(sem_close)                \
    X(hcreate) X(hdestroy) X(hsearch) X(re_comp) X(re_exec) X(strtok)                              \
    X(getopt) X(getopt_long) X(getopt_long_only)                                                   \
    X(system) X(posix_spawn) X(posix_spawnp) X(fork)                                               \
    X(exit) X(_exit) X(_Exit) X(quick_exit) X(err) X(errx) X(verr) X(verrx)                        \
    X(__assert_fail) X(__assert_perror_fail) X(__assert)
RH_REAL_TABLE(rh__resolve_outside)

// The common shape here: served outside, and marked.
#define MARKED(type, name, parameters, arguments)                                                  \
    OUTSIDE(type, name, parameters, arguments, CANNOT_UNDO)
#define MARKED_VOID(name, parameters, arguments)                                                   \
    OUTSIDE_VOID(name, parameters, arguments, CANNOT_UNDO)
// Served outside only, because libc keeps memory between calls that no later result depends on.
#define UNMARKED(type, name, parameters, arguments)                                                \
    OUTSIDE(type, name, parameters, arguments, (void)0)

// Streams. libc gives a stream its buffer at the first use; that use may be a printf in a handler,
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

#define OPENING(name, parameters, arguments)                                                       \
    RH_ENTRY(FILE *, name, parameters)                                                             \
    {                                                                                              \
        if (!rh__controlled()) {                                                                   \
            return REAL(name) arguments;                                                           \
        }                                                                                          \
        CANNOT_UNDO;                                                                               \
        int was_inside = rh__step_outside();                                                       \
        FILE *file = REAL(name) arguments;                                                         \
        rh__step_inside(was_inside);                                                               \
        return with_buffer(file);                                                                  \
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
        int was_inside = rh__step_outside();                                                       \
        FILE *file = is_random ? open_random_stream(mode) : REAL(name)(path, mode);                \
        rh__step_inside(was_inside);                                                               \
        return with_buffer(file);                                                                  \
    }
OPENING_PATH(fopen)
OPENING_PATH(fopen64)

OPENING(fdopen, (int descriptor, const char *mode), (descriptor, mode))
OPENING(freopen, (const char *restrict path, const char *restrict mode, FILE *restrict stream),
        (path, mode, stream))
OPENING(freopen64, (const char *restrict path, const char *restrict mode, FILE *restrict stream),
        (path, mode, stream))
OPENING(fopencookie,
        (void *restrict cookie, const char *restrict mode, cookie_io_functions_t functions),
        (cookie, mode, functions))

// What a started process is told is read now, so that a use of a given block shows.
static void look_at(const char *text)
{
    for (const volatile char *next = text; next && *next; next++) {
    }
}

RH_ENTRY(FILE *, popen, (const char *command, const char *mode))
{
    if (!rh__controlled()) {
        return REAL(popen)(command, mode);
    }
    CANNOT_UNDO;
    look_at(command);
    int was_inside = rh__step_outside();
    rh_world_open_given(true);
    FILE *file = REAL(popen)(command, mode);
    rh_world_open_given(false);
    rh__step_inside(was_inside);
    return with_buffer(file);
}

OPENING(tmpfile, (void), ())
OPENING(tmpfile64, (void), ())
OPENING(fmemopen, (void *buffer, size_t size, const char *mode), (buffer, size, mode))

// A stream of open_memstream is in no list of libc's; the world counts those that the test's body has open.
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
MARKED(int, pclose, (FILE *file), (file))
MARKED(int, setvbuf, (FILE *restrict file, char *restrict buffer, int mode, size_t size),
       (file, buffer, mode, size))
MARKED_VOID(setbuf, (FILE *restrict file, char *restrict buffer), (file, buffer))
MARKED_VOID(setbuffer, (FILE *restrict file, char *restrict buffer, size_t size),
            (file, buffer, size))
MARKED_VOID(setlinebuf, (FILE *file), (file))

// Reading moves the stream. A long fread goes past the stream's buffer: then the kernel fills the
// caller's.
OUTSIDE(size_t, fread, (void *restrict buffer, size_t size, size_t count, FILE *restrict file),
        (buffer, size, count, file), CANNOT_UNDO; rh_globals_touch(buffer, size * count))
OUTSIDE(size_t, fread_unlocked,
        (void *restrict buffer, size_t size, size_t count, FILE *restrict file),
        (buffer, size, count, file), rh_world_cannot_undo("fread");
        rh_globals_touch(buffer, size * count))
OUTSIDE(size_t, __fread_chk, (void *buffer, size_t room, size_t size, size_t count, FILE *file),
        (buffer, room, size, count, file), rh_world_cannot_undo("fread");
        rh_globals_touch(buffer, size * count))
OUTSIDE(size_t, __fread_unlocked_chk,
        (void *buffer, size_t room, size_t size, size_t count, FILE *file),
        (buffer, room, size, count, file), rh_world_cannot_undo("fread");
        rh_globals_touch(buffer, size * count))
MARKED(char *, fgets, (char *restrict buffer, int size, FILE *restrict file), (buffer, size, file))
MARKED(char *, fgets_unlocked, (char *restrict buffer, int size, FILE *restrict file),
       (buffer, size, file))
OUTSIDE(char *, __fgets_chk, (char *buffer, size_t room, int size, FILE *file),
        (buffer, room, size, file), rh_world_cannot_undo("fgets"))
OUTSIDE(char *, __fgets_unlocked_chk, (char *buffer, size_t room, int size, FILE *file),
        (buffer, room, size, file), rh_world_cannot_undo("fgets"))
MARKED(int, fgetc, (FILE *file), (file))
MARKED(int, getc, (FILE *file), (file))
MARKED(int, getchar, (void), ())
MARKED(int, ungetc, (int character, FILE *file), (character, file))

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

MARKED(int, fseek, (FILE *file, long offset, int from), (file, offset, from))
MARKED(int, fseeko, (FILE *file, off_t offset, int from), (file, offset, from))
MARKED(int, fseeko64, (FILE *file, off64_t offset, int from), (file, offset, from))
MARKED(int, fsetpos, (FILE *file, const fpos_t *position), (file, position))
MARKED(int, fsetpos64, (FILE *file, const fpos64_t *position), (file, position))
MARKED_VOID(rewind, (FILE *file), (file))

// Directories. The entries that scandir gives are the caller's.
MARKED(DIR *, opendir, (const char *path), (path))
MARKED(DIR *, fdopendir, (int file), (file))
MARKED(int, closedir, (DIR *directory), (directory))
MARKED(struct dirent *, readdir, (DIR *directory), (directory))
MARKED(struct dirent64 *, readdir64, (DIR *directory), (directory))
MARKED_VOID(rewinddir, (DIR *directory), (directory))
MARKED_VOID(seekdir, (DIR *directory, long position), (directory, position))
INSIDE(int, scandir,
       (const char *restrict path, struct dirent ***restrict entries,
        int (*filter)(const struct dirent *),
        int (*compare)(const struct dirent **, const struct dirent **)),
       (path, entries, filter, compare), CANNOT_UNDO)
INSIDE(int, scandir64,
       (const char *restrict path, struct dirent64 ***restrict entries,
        int (*filter)(const struct dirent64 *),
        int (*compare)(const struct dirent64 **, const struct dirent64 **)),
       (path, entries, filter, compare), CANNOT_UNDO)

// Language. Asking for the present locale changes nothing.
OUTSIDE(char *, setlocale, (int category, const char *name), (category, name),
        if (name) { CANNOT_UNDO; })
MARKED(locale_t, newlocale, (int mask, const char *name, locale_t base), (mask, name, base))
MARKED(locale_t, duplocale, (locale_t locale), (locale))
MARKED_VOID(freelocale, (locale_t locale), (locale))
OUTSIDE(locale_t, uselocale, (locale_t locale), (locale), if (locale) { CANNOT_UNDO; })
MARKED(char *, bindtextdomain, (const char *domain, const char *path), (domain, path))
MARKED(char *, bind_textdomain_codeset, (const char *domain, const char *codeset),
       (domain, codeset))
MARKED(char *, textdomain, (const char *domain), (domain))
UNMARKED(char *, gettext, (const char *text), (text))
UNMARKED(char *, dgettext, (const char *domain, const char *text), (domain, text))
UNMARKED(char *, dcgettext, (const char *domain, const char *text, int category),
         (domain, text, category))
UNMARKED(char *, ngettext, (const char *one, const char *many, unsigned long count),
         (one, many, count))
UNMARKED(char *, dngettext,
         (const char *domain, const char *one, const char *many, unsigned long count),
         (domain, one, many, count))
UNMARKED(char *, dcngettext,
         (const char *domain, const char *one, const char *many, unsigned long count, int category),
         (domain, one, many, count, category))
MARKED(iconv_t, iconv_open, (const char *to, const char *from), (to, from))
MARKED(int, iconv_close, (iconv_t conversion), (conversion))
UNMARKED(char *, strerror, (int number), (number))
UNMARKED(char *, strerror_l, (int number, locale_t locale), (number, locale))
UNMARKED(char *, strsignal, (int number), (number))

// Local time reads the zone's rules when they have changed.
OUTSIDE_VOID(tzset, (void), (), (void)0)
UNMARKED(struct tm *, localtime, (const time_t *time), (time))
UNMARKED(struct tm *, localtime_r, (const time_t *restrict time, struct tm *restrict result),
         (time, result))
UNMARKED(char *, ctime, (const time_t *time), (time))
UNMARKED(char *, ctime_r, (const time_t *restrict time, char *restrict result), (time, result))
UNMARKED(time_t, mktime, (struct tm *time), (time))
UNMARKED(size_t, strftime,
         (char *restrict result, size_t size, const char *restrict format,
          const struct tm *restrict time),
         (result, size, format, time))
UNMARKED(size_t, strftime_l,
         (char *restrict result, size_t size, const char *restrict format,
          const struct tm *restrict time, locale_t locale),
         (result, size, format, time, locale))
UNMARKED(size_t, wcsftime,
         (wchar_t *restrict result, size_t size, const wchar_t *restrict format,
          const struct tm *restrict time),
         (result, size, format, time))
UNMARKED(char *, ttyname, (int file), (file))

// The environment.
MARKED(int, setenv, (const char *name, const char *value, int overwrite), (name, value, overwrite))
MARKED(int, putenv, (char *assignment), (assignment))
MARKED(int, unsetenv, (const char *name), (name))
MARKED(int, clearenv, (void), ())

// Functions to call at the end. atexit itself is linked into each program and library, and calls
// __cxa_atexit.
OUTSIDE(int, __cxa_atexit, (void (*function)(void *), void *argument, void *library),
        (function, argument, library), rh_world_cannot_undo("atexit"))
OUTSIDE(int, __cxa_at_quick_exit, (void (*function)(void *), void *library), (function, library),
        rh_world_cannot_undo("at_quick_exit"))
OUTSIDE(int, __cxa_thread_atexit_impl, (void (*function)(void *), void *object, void *library),
        (function, object, library), rh_world_cannot_undo("thread_local"))
MARKED(int, on_exit, (void (*function)(int, void *), void *argument), (function, argument))
OUTSIDE(int, __register_atfork,
        (void (*prepare)(void), void (*parent)(void), void (*child)(void), void *library),
        (prepare, parent, child, library), rh_world_cannot_undo("pthread_atfork"))

// Libraries. dlopen searches the paths of the library that its return address lies in, so outside of
// handlers that address must stay the caller's.
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

MARKED(int, dlclose, (void *library), (library))

// Threads. One that a handler starts runs free, for nothing could order what it does.
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

RH_ENTRY(int, pthread_create, (pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*start)(void *), void *restrict argument))
{
    if (!rh__controlled()) {
        return REAL(pthread_create)(thread, attributes, start, argument);
    }
    CANNOT_UNDO;
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
    CANNOT_UNDO;
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

MARKED(int, pthread_key_create, (pthread_key_t *key, void (*destroy)(void *)), (key, destroy))
MARKED(int, pthread_key_delete, (pthread_key_t key), (key))
MARKED(int, pthread_setspecific, (pthread_key_t key, const void *value), (key, value))
MARKED(int, tss_create, (tss_t *key, tss_dtor_t destroy), (key, destroy))
MARKED_VOID(tss_delete, (tss_t key), (key))
MARKED(int, tss_set, (tss_t key, void *value), (key, value))

// Signals, timers of the process, named semaphores.
// The world itself lives from these two: a program that asks for them is told that it has them.
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
MARKED(int, timer_create, (clockid_t id, struct sigevent *restrict event, timer_t *restrict timer),
       (id, event, timer))
MARKED(int, timer_delete, (timer_t timer), (timer))

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

MARKED(int, sem_close, (sem_t *semaphore), (semaphore))

// Names of hosts, services, users and groups: libc loads libraries for them and keeps the answers.
MARKED(char *, re_comp, (const char *pattern), (pattern))
MARKED(int, re_exec, (const char *text), (text))
MARKED(int, hcreate, (size_t count), (count))
MARKED_VOID(hdestroy, (void), ())
MARKED(ENTRY *, hsearch, (ENTRY entry, ACTION action), (entry, action))
MARKED(int, getopt, (int count, char *const *arguments, const char *letters),
       (count, arguments, letters))
MARKED(int, getopt_long,
       (int count, char *const *arguments, const char *letters, const struct option *options,
        int *index),
       (count, arguments, letters, options, index))
MARKED(int, getopt_long_only,
       (int count, char *const *arguments, const char *letters, const struct option *options,
        int *index),
       (count, arguments, letters, options, index))

// Where the rest of the text lies is the world's, who knows whether another delivery has left it there.
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

// The child of vfork returns on its parent's stack, so outside of handlers there must be no frame of
// ours: hence a jump. Inside it becomes a fork, which POSIX allows.
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

// These call exit inside of libc, where it can't be interposed.
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

RH_ENTRY_VOID(__assert_fail, (const char *condition, const char *file, unsigned line, const char *function))
{
    if (rh__controlled()) {
        rh_world_assert(condition, file, line, function);
    }
    REAL(__assert_fail)(condition, file, line, function);
    __builtin_unreachable();
}

RH_ENTRY_VOID(__assert_perror_fail, (int number, const char *file, unsigned line, const char *function))
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
