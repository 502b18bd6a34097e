// SPDX-License-Identifier: MIT
// Calls in which the kernel fills a buffer of the program. A buffer in a global may be write-protected
// during the search; the kernel answers EFAULT there, where the program's own write would fault and
// be let through. So the buffer is touched first.
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

// What calls become under _FORTIFY_SOURCE; `room` is what the compiler knows of the buffer's size.
ssize_t __read_chk(int file, void *buffer, size_t size, size_t room);
ssize_t __pread_chk(int file, void *buffer, size_t size, off_t offset, size_t room);
ssize_t __pread64_chk(int file, void *buffer, size_t size, off64_t offset, size_t room);
ssize_t __recv_chk(int file, void *buffer, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int file, void *buffer, size_t size, size_t room, int flags,
                       __SOCKADDR_ARG address, socklen_t *length);
ssize_t __readlink_chk(const char *path, char *buffer, size_t size, size_t room);
ssize_t __readlinkat_chk(int directory, const char *path, char *buffer, size_t size, size_t room);
char *__getcwd_chk(char *buffer, size_t size, size_t room);
int __gethostname_chk(char *buffer, size_t size, size_t room);
int __getgroups_chk(int count, gid_t groups[], size_t room);
int __poll_chk(struct pollfd *files, nfds_t count, int timeout, size_t room);
int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *timeout,
                const sigset_t *mask, size_t room);

// The lists below read as tables; clang-format would take them for code.
// clang-format off
#define FUNCTIONS(X)                                                                               \
    X(read) X(__read_chk) X(pread) X(pread64) X(__pread_chk) X(__pread64_chk)                      \
    X(readv) X(preadv) X(preadv64) X(getdents64) X(eventfd_read)                                   \
    X(recv) X(__recv_chk) X(recvfrom) X(__recvfrom_chk) X(recvmsg) X(recvmmsg) X(sendmmsg)         \
    X(accept) X(accept4) X(getsockname) X(getpeername) X(getsockopt)                               \
    X(pipe) X(pipe2) X(socketpair)                                                                 \
    X(stat) X(stat64) X(fstat) X(fstat64) X(lstat) X(lstat64) X(fstatat) X(fstatat64) X(statx)     \
    X(statfs) X(statfs64) X(fstatfs) X(fstatfs64)                                                  \
    X(getxattr) X(lgetxattr) X(fgetxattr) X(listxattr) X(llistxattr) X(flistxattr)                 \
    X(getcwd) X(__getcwd_chk) X(readlink) X(__readlink_chk) X(readlinkat) X(__readlinkat_chk)      \
    X(poll) X(__poll_chk) X(ppoll) X(__ppoll_chk) X(select) X(pselect)                             \
    X(epoll_wait) X(epoll_pwait)                                                                   \
    X(uname) X(gethostname) X(__gethostname_chk) X(sysinfo) X(getgroups) X(__getgroups_chk)        \
    X(getrlimit) X(getrlimit64) X(sched_getaffinity)                                               \
    X(wait) X(waitpid) X(wait3) X(wait4) X(waitid)                                                 \
    X(sigpending)                                                                                  \
    X(getitimer) X(setitimer) X(clock_getres) X(timerfd_settime) X(timerfd_gettime)                \
    X(ioctl) X(fcntl) X(fcntl64) X(msgrcv) X(mq_receive) X(mq_timedreceive)
RH_REAL_TABLE(rh__resolve_buffer)

// In the lists of statements below: this object is going to be filled.
#define TOUCH(pointer) rh_globals_touch((pointer), sizeof *(pointer))
// A call that only fills one object.
#define FILLING(type, name, parameters, arguments, pointer)                                        \
    INSIDE(type, name, parameters, arguments, TOUCH(pointer))

INSIDE(ssize_t, read, (int file, void *buffer, size_t size), (file, buffer, size),
       CANNOT_UNDO; rh_globals_touch(buffer, size))
INSIDE(ssize_t, __read_chk, (int file, void *buffer, size_t size, size_t room),
       (file, buffer, size, room), rh_world_cannot_undo("read"); rh_globals_touch(buffer, size))
INSIDE(ssize_t, pread, (int file, void *buffer, size_t size, off_t offset),
       (file, buffer, size, offset), rh_globals_touch(buffer, size))
INSIDE(ssize_t, pread64, (int file, void *buffer, size_t size, off64_t offset),
       (file, buffer, size, offset), rh_globals_touch(buffer, size))
INSIDE(ssize_t, __pread_chk, (int file, void *buffer, size_t size, off_t offset, size_t room),
       (file, buffer, size, offset, room), rh_globals_touch(buffer, size))
INSIDE(ssize_t, __pread64_chk, (int file, void *buffer, size_t size, off64_t offset, size_t room),
       (file, buffer, size, offset, room), rh_globals_touch(buffer, size))

static void touch_vectors(const struct iovec *vectors, int count)
{
    for (int i = 0; i < count; i++) {
        rh_globals_touch(vectors[i].iov_base, vectors[i].iov_len);
    }
}

INSIDE(ssize_t, readv, (int file, const struct iovec *vectors, int count), (file, vectors, count),
       CANNOT_UNDO; touch_vectors(vectors, count))
INSIDE(ssize_t, preadv, (int file, const struct iovec *vectors, int count, off_t offset),
       (file, vectors, count, offset), touch_vectors(vectors, count))
INSIDE(ssize_t, preadv64, (int file, const struct iovec *vectors, int count, off64_t offset),
       (file, vectors, count, offset), touch_vectors(vectors, count))
INSIDE(ssize_t, getdents64, (int file, void *buffer, size_t size), (file, buffer, size),
       CANNOT_UNDO; rh_globals_touch(buffer, size))
INSIDE(int, eventfd_read, (int file, eventfd_t *value), (file, value), CANNOT_UNDO; TOUCH(value))

// The kernel reads the length as the room for the address, and writes it as well.
static void touch_address(void *address, socklen_t *length)
{
    if (length) {
        TOUCH(length);
        rh_globals_touch(address, *length);
    }
}

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

INSIDE(ssize_t, recv, (int file, void *buffer, size_t size, int flags), (file, buffer, size, flags),
       CANNOT_UNDO; rh_globals_touch(buffer, size))
INSIDE(ssize_t, __recv_chk, (int file, void *buffer, size_t size, size_t room, int flags),
       (file, buffer, size, room, flags), rh_world_cannot_undo("recv");
       rh_globals_touch(buffer, size))
INSIDE(ssize_t, recvfrom,
       (int file, void *restrict buffer, size_t size, int flags, __SOCKADDR_ARG address,
        socklen_t *restrict length),
       (file, buffer, size, flags, address, length), CANNOT_UNDO; rh_globals_touch(buffer, size);
       touch_address(address.__sockaddr__, length))
INSIDE(ssize_t, __recvfrom_chk,
       (int file, void *buffer, size_t size, size_t room, int flags, __SOCKADDR_ARG address,
        socklen_t *length),
       (file, buffer, size, room, flags, address, length), rh_world_cannot_undo("recvfrom");
       rh_globals_touch(buffer, size); touch_address(address.__sockaddr__, length))
INSIDE(ssize_t, recvmsg, (int file, struct msghdr *message, int flags), (file, message, flags),
       CANNOT_UNDO; touch_header(message))
INSIDE(int, recvmmsg,
       (int file, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout),
       (file, messages, count, flags, timeout), CANNOT_UNDO; TOUCH(timeout);
       touch_messages(messages, count))
INSIDE(int, sendmmsg, (int file, struct mmsghdr *messages, unsigned count, int flags),
       (file, messages, count, flags), CANNOT_UNDO;
       rh_globals_touch(messages, count * sizeof *messages))
INSIDE(int, accept, (int file, __SOCKADDR_ARG address, socklen_t *restrict length),
       (file, address, length), CANNOT_UNDO; touch_address(address.__sockaddr__, length))
INSIDE(int, accept4, (int file, __SOCKADDR_ARG address, socklen_t *restrict length, int flags),
       (file, address, length, flags), CANNOT_UNDO; touch_address(address.__sockaddr__, length))
INSIDE(int, getsockname, (int file, __SOCKADDR_ARG address, socklen_t *restrict length),
       (file, address, length), touch_address(address.__sockaddr__, length))
INSIDE(int, getpeername, (int file, __SOCKADDR_ARG address, socklen_t *restrict length),
       (file, address, length), touch_address(address.__sockaddr__, length))
INSIDE(int, getsockopt,
       (int file, int level, int name, void *restrict value, socklen_t *restrict length),
       (file, level, name, value, length), touch_address(value, length))

INSIDE(int, pipe, (int files[2]), (files), CANNOT_UNDO; rh_globals_touch(files, 2 * sizeof *files))
INSIDE(int, pipe2, (int files[2], int flags), (files, flags), CANNOT_UNDO;
       rh_globals_touch(files, 2 * sizeof *files))
INSIDE(int, socketpair, (int domain, int type, int protocol, int files[2]),
       (domain, type, protocol, files), CANNOT_UNDO; rh_globals_touch(files, 2 * sizeof *files))

FILLING(int, stat, (const char *restrict path, struct stat *restrict result), (path, result), result)
FILLING(int, stat64, (const char *restrict path, struct stat64 *restrict result), (path, result),
        result)
FILLING(int, fstat, (int file, struct stat *result), (file, result), result)
FILLING(int, fstat64, (int file, struct stat64 *result), (file, result), result)
FILLING(int, lstat, (const char *restrict path, struct stat *restrict result), (path, result),
        result)
FILLING(int, lstat64, (const char *restrict path, struct stat64 *restrict result), (path, result),
        result)
FILLING(int, fstatat,
        (int directory, const char *restrict path, struct stat *restrict result, int flags),
        (directory, path, result, flags), result)
FILLING(int, fstatat64,
        (int directory, const char *restrict path, struct stat64 *restrict result, int flags),
        (directory, path, result, flags), result)
FILLING(int, statx,
        (int directory, const char *restrict path, int flags, unsigned mask,
         struct statx *restrict result),
        (directory, path, flags, mask, result), result)
FILLING(int, statfs, (const char *path, struct statfs *result), (path, result), result)
FILLING(int, statfs64, (const char *path, struct statfs64 *result), (path, result), result)
FILLING(int, fstatfs, (int file, struct statfs *result), (file, result), result)
FILLING(int, fstatfs64, (int file, struct statfs64 *result), (file, result), result)

INSIDE(ssize_t, getxattr, (const char *path, const char *name, void *buffer, size_t size),
       (path, name, buffer, size), rh_globals_touch(buffer, size))
INSIDE(ssize_t, lgetxattr, (const char *path, const char *name, void *buffer, size_t size),
       (path, name, buffer, size), rh_globals_touch(buffer, size))
INSIDE(ssize_t, fgetxattr, (int file, const char *name, void *buffer, size_t size),
       (file, name, buffer, size), rh_globals_touch(buffer, size))
INSIDE(ssize_t, listxattr, (const char *path, char *buffer, size_t size), (path, buffer, size),
       rh_globals_touch(buffer, size))
INSIDE(ssize_t, llistxattr, (const char *path, char *buffer, size_t size), (path, buffer, size),
       rh_globals_touch(buffer, size))
INSIDE(ssize_t, flistxattr, (int file, char *buffer, size_t size), (file, buffer, size),
       rh_globals_touch(buffer, size))

// Without a buffer it allocates one, which is the caller's.
INSIDE(char *, getcwd, (char *buffer, size_t size), (buffer, size), rh_globals_touch(buffer, size))
INSIDE(char *, __getcwd_chk, (char *buffer, size_t size, size_t room), (buffer, size, room),
       rh_globals_touch(buffer, size))
INSIDE(ssize_t, readlink, (const char *restrict path, char *restrict buffer, size_t size),
       (path, buffer, size), rh_globals_touch(buffer, size))
INSIDE(ssize_t, __readlink_chk, (const char *path, char *buffer, size_t size, size_t room),
       (path, buffer, size, room), rh_globals_touch(buffer, size))
INSIDE(ssize_t, readlinkat,
       (int directory, const char *restrict path, char *restrict buffer, size_t size),
       (directory, path, buffer, size), rh_globals_touch(buffer, size))
INSIDE(ssize_t, __readlinkat_chk,
       (int directory, const char *path, char *buffer, size_t size, size_t room),
       (directory, path, buffer, size, room), rh_globals_touch(buffer, size))

// Waiting for nothing is a way to sleep; time is logical, so it is over at once.
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

// Taking an edge-triggered event takes it away.
INSIDE(int, epoll_wait, (int queue, struct epoll_event *events, int count, int timeout),
       (queue, events, count, timeout), CANNOT_UNDO;
       rh_globals_touch(events, (size_t)count * sizeof *events))
INSIDE(int, epoll_pwait,
       (int queue, struct epoll_event *events, int count, int timeout, const sigset_t *mask),
       (queue, events, count, timeout, mask), CANNOT_UNDO;
       rh_globals_touch(events, (size_t)count * sizeof *events))

FILLING(int, uname, (struct utsname *result), (result), result)
INSIDE(int, gethostname, (char *buffer, size_t size), (buffer, size),
       rh_globals_touch(buffer, size))
INSIDE(int, __gethostname_chk, (char *buffer, size_t size, size_t room), (buffer, size, room),
       rh_globals_touch(buffer, size))
FILLING(int, sysinfo, (struct sysinfo *result), (result), result)
INSIDE(int, getgroups, (int count, gid_t groups[]), (count, groups),
       rh_globals_touch(groups, (size_t)count * sizeof *groups))
INSIDE(int, __getgroups_chk, (int count, gid_t groups[], size_t room), (count, groups, room),
       rh_globals_touch(groups, (size_t)count * sizeof *groups))
FILLING(int, getrlimit, (__rlimit_resource_t resource, struct rlimit *limit), (resource, limit),
        limit)
FILLING(int, getrlimit64, (__rlimit_resource_t resource, struct rlimit64 *limit), (resource, limit),
        limit)
INSIDE(int, sched_getaffinity, (pid_t process, size_t size, cpu_set_t *set), (process, size, set),
       rh_globals_touch(set, size))

INSIDE(pid_t, wait, (int *status), (status), CANNOT_UNDO; TOUCH(status))
INSIDE(pid_t, waitpid, (pid_t process, int *status, int options), (process, status, options),
       CANNOT_UNDO; TOUCH(status))
INSIDE(pid_t, wait3, (int *status, int options, struct rusage *usage), (status, options, usage),
       CANNOT_UNDO; TOUCH(status); TOUCH(usage))
INSIDE(pid_t, wait4, (pid_t process, int *status, int options, struct rusage *usage),
       (process, status, options, usage), CANNOT_UNDO; TOUCH(status); TOUCH(usage))
INSIDE(int, waitid, (idtype_t type, id_t id, siginfo_t *information, int options),
       (type, id, information, options), CANNOT_UNDO; TOUCH(information))

FILLING(int, sigpending, (sigset_t *set), (set), set)

FILLING(int, getitimer, (__itimer_which_t which, struct itimerval *value), (which, value), value)
INSIDE(int, setitimer,
       (__itimer_which_t which, const struct itimerval *restrict value,
        struct itimerval *restrict old),
       (which, value, old), CANNOT_UNDO; TOUCH(old))
FILLING(int, clock_getres, (clockid_t id, struct timespec *result), (id, result), result)
INSIDE(int, timerfd_settime,
       (int file, int flags, const struct itimerspec *value, struct itimerspec *old),
       (file, flags, value, old), CANNOT_UNDO; TOUCH(old))
FILLING(int, timerfd_gettime, (int file, struct itimerspec *value), (file, value), value)

// What the third argument points to is known to the device only. This covers the common structures.
enum { IOCTL_ROOM = 256 };

static bool is_ioctl_question(unsigned long request)
{
    return request == FIONREAD || request == TIOCGWINSZ || request == TCGETS || request == TIOCGPGRP;
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

// A message begins with its type.
INSIDE(ssize_t, msgrcv, (int queue, void *message, size_t size, long type, int flags),
       (queue, message, size, type, flags), CANNOT_UNDO;
       rh_globals_touch(message, sizeof(long) + size))
INSIDE(ssize_t, mq_receive, (mqd_t queue, char *message, size_t size, unsigned *priority),
       (queue, message, size, priority), CANNOT_UNDO; rh_globals_touch(message, size))
INSIDE(ssize_t, mq_timedreceive,
       (mqd_t queue, char *restrict message, size_t size, unsigned *restrict priority,
        const struct timespec *restrict timeout),
       (queue, message, size, priority, timeout), CANNOT_UNDO; rh_globals_touch(message, size))
