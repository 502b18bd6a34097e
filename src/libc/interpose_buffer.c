// SPDX-License-Identifier: MIT
// Calls in which the kernel fills a buffer of the program. A buffer in a global may be
// write-protected during the search; the kernel answers EFAULT there, where the program's own write
// would fault and be let through. So the buffer is touched first.
//
// Calls that also take something away (bytes from a pipe, a finished child) mark the execution.
#include "libc/real.h"

#include <dirent.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "libc/undeclared.h"

#define IN_buffer(...) __VA_ARGS__
#define RESOLVE rh__resolve_buffer
#include "libc/interposed.h"

// The definitions below read as tables; clang-format would take them for code.
// clang-format off

// In the lists of statements below: the object behind the pointer is going to be filled.
#define TOUCH(pointer) rh_globals_touch((pointer), sizeof *(pointer))

static void touch_vectors(const struct iovec *vectors, int count)
{
    for (int i = 0; i < count; i++) {
        rh_globals_touch(vectors[i].iov_base, vectors[i].iov_len);
    }
}

// Without a buffer getcwd allocates one. NULL with errno if there is no room.
static char *give_directory(const char *directory, char *buffer, size_t size)
{
    size_t needed = strlen(directory) + 1;
    if (buffer && size == 0) {
        errno = EINVAL;
        return NULL;
    }
    if (size > 0 && size < needed) {
        errno = ERANGE;
        return NULL;
    }
    char *room = buffer ? buffer : malloc(size > needed ? size : needed);
    return room ? memcpy(room, directory, needed) : NULL;
}

#define ASKING_WHERE(name, parameters, arguments)                                                  \
    RH_ENTRY(char *, name, parameters)                                                             \
    {                                                                                              \
        int kept_errno = errno;                                                                    \
        const char *directory = rh__controlled() ? rh_world_directory() : NULL;                    \
        errno = kept_errno;                                                                        \
        if (directory) {                                                                           \
            return give_directory(directory, buffer, size);                                        \
        }                                                                                          \
        if (rh__controlled()) {                                                                    \
            rh_globals_touch(buffer, size);                                                        \
        }                                                                                          \
        return REAL(name) arguments;                                                               \
    }
ASKING_WHERE(getcwd, (char *buffer, size_t size), (buffer, size))
ASKING_WHERE(__getcwd_chk, (char *buffer, size_t size, size_t room), (buffer, size, room))

INSIDE(ssize_t, readv, (int file, const struct iovec *vectors, int count), (file, vectors, count),
       CANNOT_UNDO; touch_vectors(vectors, count))
INSIDE(ssize_t, preadv, (int file, const struct iovec *vectors, int count, off_t offset),
       (file, vectors, count, offset), touch_vectors(vectors, count))
INSIDE(ssize_t, preadv64, (int file, const struct iovec *vectors, int count, off64_t offset),
       (file, vectors, count, offset), touch_vectors(vectors, count))

static void touch_header(struct msghdr *header)
{
    TOUCH(header);
    rh_globals_touch(header->msg_name, header->msg_namelen);
    rh_globals_touch(header->msg_control, header->msg_controllen);
    touch_vectors(header->msg_iov, (int)header->msg_iovlen);
}

static void touch_messages(struct mmsghdr *messages, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        TOUCH(&messages[i]);
        touch_header(&messages[i].msg_hdr);
    }
}

INSIDE(ssize_t, recvmsg, (int file, struct msghdr *message, int flags), (file, message, flags),
       CANNOT_UNDO; touch_header(message))
INSIDE(int, recvmmsg,
       (int file, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout),
       (file, messages, count, flags, timeout), CANNOT_UNDO; TOUCH(timeout);
       touch_messages(messages, count))

// Waiting for nothing is a way to sleep; time is logical, so the sleep is over at once.
#define SLEEP_IF(nothing)                                                                          \
    if (nothing) {                                                                                 \
        return 0;                                                                                  \
    }

INSIDE(int, poll, (struct pollfd *files, nfds_t count, int timeout), (files, count, timeout),
       SLEEP_IF(count == 0 && timeout >= 0) rh_globals_touch(files, count * sizeof *files))
INSIDE(int, __poll_chk, (struct pollfd *files, nfds_t count, int timeout, size_t room),
       (files, count, timeout, room),
       SLEEP_IF(count == 0 && timeout >= 0) rh_globals_touch(files, count * sizeof *files))
INSIDE(int, ppoll,
       (struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask),
       (files, count, timeout, mask),
       SLEEP_IF(count == 0 && timeout) rh_globals_touch(files, count * sizeof *files))
INSIDE(int, __ppoll_chk,
       (struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask,
        size_t room),
       (files, count, timeout, mask, room),
       SLEEP_IF(count == 0 && timeout) rh_globals_touch(files, count * sizeof *files))

static void touch_sets(int count, fd_set *readable, fd_set *writable, fd_set *exceptional)
{
    size_t words = ((size_t)count + 63) / 64;
    rh_globals_touch(readable, words * sizeof(long));
    rh_globals_touch(writable, words * sizeof(long));
    rh_globals_touch(exceptional, words * sizeof(long));
}

// The kernel writes the time that is left.
INSIDE(int, select,
       (int count, fd_set *restrict readable, fd_set *restrict writable,
        fd_set *restrict exceptional, struct timeval *restrict timeout),
       (count, readable, writable, exceptional, timeout),
       SLEEP_IF(count == 0 && timeout) touch_sets(count, readable, writable, exceptional);
       TOUCH(timeout))
INSIDE(int, pselect,
       (int count, fd_set *restrict readable, fd_set *restrict writable,
        fd_set *restrict exceptional, const struct timespec *restrict timeout,
        const sigset_t *restrict mask),
       (count, readable, writable, exceptional, timeout, mask),
       SLEEP_IF(count == 0 && timeout) touch_sets(count, readable, writable, exceptional))

// Only the device knows what the third argument points to. This size covers the common structures.
enum { IOCTL_ROOM = 256 };

static bool is_ioctl_question(unsigned long request)
{
    return request == FIONREAD || request == TIOCGWINSZ || request == TCGETS ||
           request == TIOCGPGRP;
}

static void prepare_ioctl(unsigned long request, void *argument)
{
    int kept_errno = errno;
    if (!is_ioctl_question(request)) {
        rh_world_cannot_undo("ioctl");
    }
    rh_globals_touch(argument, IOCTL_ROOM);
    errno = kept_errno;
}

RH_ENTRY(int, ioctl, (int file, unsigned long request, ...))
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (rh__controlled()) {
        prepare_ioctl(request, argument);
    }
    return REAL(ioctl)(file, request, argument);
}

static bool is_fcntl_question(int command)
{
    return command == F_GETFD || command == F_GETFL || command == F_GETLK ||
           command == F_OFD_GETLK || command == F_GETOWN || command == F_GETPIPE_SZ;
}

static void prepare_fcntl(int command, void *argument)
{
    int kept_errno = errno;
    if (!is_fcntl_question(command)) {
        rh_world_cannot_undo("fcntl");
    }
    if (command == F_GETLK || command == F_OFD_GETLK) {
        rh_globals_touch(argument, sizeof(struct flock));
    }
    errno = kept_errno;
}

#define FCNTL(name)                                                                                \
    RH_ENTRY(int, name, (int file, int command, ...))                                              \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, command);                                                              \
        void *argument = va_arg(arguments, void *);                                                \
        va_end(arguments);                                                                         \
        if (rh__controlled()) {                                                                    \
            prepare_fcntl(command, argument);                                                      \
        }                                                                                          \
        return REAL(name)(file, command, argument);                                                \
    }
FCNTL(fcntl)
FCNTL(fcntl64)
