// SPDX-License-Identifier: MIT
// Calls that reach what is outside of the program: each does what libc does, in the execution's own
// directory, and is noted where that directory does not keep executions apart.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "adapters/zmq/engine.h"
#include "adapters/zmq/outside.h"
#include "adapters/zmq/random.h"
#include "adapters/zmq/real.h"
#include "world/files.h"

// Descriptors.

int socket(int domain, int type, int protocol)
{
    rh__zmq_outside_note("socket");
    return RH_ZMQ_REAL(socket)(domain, type, protocol);
}

int socketpair(int domain, int type, int protocol, int ends[2])
{
    rh__zmq_outside_note("socketpair");
    return RH_ZMQ_REAL(socketpair)(domain, type, protocol, ends);
}

int pipe(int ends[2])
{
    rh__zmq_outside_note("pipe");
    return RH_ZMQ_REAL(pipe)(ends);
}

int pipe2(int ends[2], int flags)
{
    rh__zmq_outside_note("pipe");
    return RH_ZMQ_REAL(pipe2)(ends, flags);
}

int timerfd_create(int clock, int flags)
{
    rh__zmq_outside_note("timerfd_create");
    return RH_ZMQ_REAL(timerfd_create)(clock, flags);
}

int eventfd(unsigned value, int flags)
{
    rh__zmq_outside_note("eventfd");
    return RH_ZMQ_REAL(eventfd)(value, flags);
}

int signalfd(int descriptor, const sigset_t *signals, int flags)
{
    rh__zmq_outside_note("signalfd");
    return RH_ZMQ_REAL(signalfd)(descriptor, signals, flags);
}

int inotify_init1(int flags)
{
    rh__zmq_outside_note("inotify");
    return RH_ZMQ_REAL(inotify_init1)(flags);
}

int inotify_init(void)
{
    return inotify_init1(0);
}

// The world has reserved much more memory than there is to lock.
int mlockall(int flags)
{
    return rh__zmq_self() ? 0 : RH_ZMQ_REAL(mlockall)(flags);
}

// Other processes.

int posix_spawn(pid_t *restrict process, const char *restrict path,
                const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                char *const arguments[], char *const environment[])
{
    rh__zmq_outside_note("posix_spawn");
    return RH_ZMQ_REAL(posix_spawn)(process, path, actions, attributes, arguments, environment);
}

int posix_spawnp(pid_t *restrict process, const char *restrict file,
                 const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                 char *const arguments[], char *const environment[])
{
    rh__zmq_outside_note("posix_spawn");
    return RH_ZMQ_REAL(posix_spawnp)(process, file, actions, attributes, arguments, environment);
}

FILE *popen(const char *command, const char *mode)
{
    rh__zmq_outside_note("popen");
    return RH_ZMQ_REAL(popen)(command, mode);
}

int system(const char *command)
{
    rh__zmq_outside_note("system");
    return RH_ZMQ_REAL(system)(command);
}

// Files. Files that are installed, and devices without contents, are the same for all executions.

static bool is_constant(const char *path)
{
    static const char *const places[] = {"/usr/",     "/lib/",     "/etc/",    "/proc/",
                                         "/dev/null", "/dev/zero", "/dev/tty", "/dev/full"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (strncmp(path, places[i], strlen(places[i])) == 0)
            return true;
    return false;
}

// The name to use for a file.
static const char *use(const char *path, bool changes)
{
    if (rh_files_is_busy())
        return path;
    const char *used = rh__zmq_outside_use(path, changes);
    if (used == path && path[0] == '/' && !(is_constant(path) || rh__zmq_random_is_source(path)))
        rh__zmq_outside_note(path);
    if (changes && rh__zmq_self())
        rh__zmq_file_times_expect(used);
    return used;
}

static bool changes(int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
}

// The third argument of open, where there is one.
#define MODE(flags)                                                                                \
    __extension__({                                                                                \
        mode_t rh__mode = 0;                                                                       \
        if (flags & (O_CREAT | O_TMPFILE)) {                                                       \
            va_list arguments;                                                                     \
            va_start(arguments, flags);                                                            \
            rh__mode = va_arg(arguments, mode_t);                                                  \
            va_end(arguments);                                                                     \
        }                                                                                          \
        rh__mode;                                                                                  \
    })

static int note_source(const char *path, int descriptor)
{
    if (descriptor >= 0 && rh__zmq_random_is_source(path))
        rh__zmq_random_add_source(descriptor);
    return descriptor;
}

int open(const char *path, int flags, ...)
{
    mode_t mode = MODE(flags);
    return note_source(path, RH_ZMQ_REAL(open)(use(path, changes(flags)), flags, mode));
}

int open64(const char *path, int flags, ...)
{
    mode_t mode = MODE(flags);
    return note_source(path, RH_ZMQ_REAL(open64)(use(path, changes(flags)), flags, mode));
}

// A path relative to another directory is relative to what the program has opened.
int openat(int directory, const char *path, int flags, ...)
{
    mode_t mode = MODE(flags);
    bool is_ours = directory == AT_FDCWD || path[0] == '/';
    const char *used = is_ours ? use(path, changes(flags)) : path;
    return note_source(path, RH_ZMQ_REAL(openat)(directory, used, flags, mode));
}

int creat(const char *path, mode_t mode)
{
    return RH_ZMQ_REAL(creat)(use(path, true), mode);
}

FILE *fopen(const char *path, const char *mode)
{
    if (rh__zmq_random_is_source(path))
        return rh__zmq_random_open();
    return RH_ZMQ_REAL(fopen)(use(path, strpbrk(mode, "wa+") != NULL), mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    const char *used = path ? use(path, strpbrk(mode, "wa+") != NULL) : NULL;
    return RH_ZMQ_REAL(freopen)(used, mode, stream);
}

FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    return freopen(path, mode, stream);
}

// The pattern is the caller's and gets the end of the name that was used, which is all that
// differs.
static void take_end(char *pattern, const char *used)
{
    if (used != pattern)
        strcpy(pattern + strlen(pattern) - 6, used + strlen(used) - 6);
}

int mkstemp(char *pattern)
{
    char *used = (char *)(uintptr_t)use(pattern, true);
    int descriptor = RH_ZMQ_REAL(mkstemp)(used);
    if (descriptor >= 0)
        take_end(pattern, used);
    return descriptor;
}

int mkstemp64(char *pattern)
{
    return mkstemp(pattern);
}

char *mkdtemp(char *pattern)
{
    char *used = (char *)(uintptr_t)use(pattern, true);
    if (!RH_ZMQ_REAL(mkdtemp)(used))
        return NULL;
    take_end(pattern, used);
    return pattern;
}

int symlink(const char *target, const char *path)
{
    return RH_ZMQ_REAL(symlink)(target, use(path, true));
}

int link(const char *from, const char *to)
{
    const char *used = use(to, true);
    return RH_ZMQ_REAL(link)(use(from, false), used);
}

int chmod(const char *path, mode_t mode)
{
    return RH_ZMQ_REAL(chmod)(use(path, true), mode);
}

DIR *opendir(const char *path)
{
    return RH_ZMQ_REAL(opendir)(rh__zmq_outside_use(path, false));
}

int unlink(const char *path)
{
    return RH_ZMQ_REAL(unlink)(use(path, true));
}

int remove(const char *path)
{
    return RH_ZMQ_REAL(remove)(use(path, true));
}

int rmdir(const char *path)
{
    return RH_ZMQ_REAL(rmdir)(use(path, true));
}

int mkdir(const char *path, mode_t mode)
{
    return RH_ZMQ_REAL(mkdir)(use(path, true), mode);
}

int rename(const char *from, const char *to)
{
    const char *used = use(from, true);
    return RH_ZMQ_REAL(rename)(used, use(to, true));
}

int truncate(const char *path, off_t length)
{
    return RH_ZMQ_REAL(truncate)(use(path, true), length);
}

int access(const char *path, int mode)
{
    return RH_ZMQ_REAL(access)(rh__zmq_outside_use(path, false), mode);
}
