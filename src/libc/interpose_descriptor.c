// SPDX-License-Identifier: MIT
// Calls that change what the kernel keeps for the process or the file system: descriptors, file
// offsets, names, mappings. Undo does not reach the kernel, so they mark the execution. Those that
// also fill a buffer are in interpose_buffer.c.
#include "libc/real.h"

#include <fcntl.h>
#include <mqueue.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utime.h>

#include "memory/early.h"
#include "memory/globals.h"

// What open becomes under _FORTIFY_SOURCE.
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int directory, const char *path, int flags);
int __openat64_2(int directory, const char *path, int flags);
// And dprintf.
int __dprintf_chk(int file, int flag, const char *format, ...);
int __vdprintf_chk(int file, int flag, const char *format, va_list arguments);

// The lists below read as tables; clang-format would take them for code.
// clang-format off
#define FUNCTIONS(X)                                                                               \
    X(open) X(open64) X(openat) X(openat64) X(creat) X(creat64)                                    \
    X(close) X(dup) X(dup2) X(dup3) X(close_range)                                                 \
    X(lseek) X(lseek64) X(write) X(writev) X(pwrite) X(pwrite64) X(pwritev) X(pwritev64)           \
    X(socket) X(connect) X(bind) X(listen) X(shutdown) X(setsockopt)                               \
    X(send) X(sendto) X(sendmsg) X(sendfile) X(sendfile64)                                         \
    X(unlink) X(unlinkat) X(rename) X(renameat) X(renameat2) X(remove) X(rmdir)                    \
    X(link) X(linkat) X(symlink) X(symlinkat)                                                      \
    X(mkdir) X(mkdirat) X(mkfifo) X(mknod) X(mkstemp) X(mkstemp64) X(mkostemp) X(mkdtemp)          \
    X(chmod) X(fchmod) X(fchmodat) X(chown) X(fchown) X(lchown) X(fchownat)                        \
    X(truncate) X(truncate64) X(ftruncate) X(ftruncate64)                                          \
    X(fallocate) X(fallocate64) X(posix_fallocate) X(posix_fallocate64)                            \
    X(utime) X(utimes) X(utimensat) X(futimens) X(flock) X(lockf) X(lockf64)                       \
    X(mmap) X(mmap64) X(munmap) X(mremap) X(shm_open) X(shm_unlink) X(memfd_create)                \
    X(chdir) X(fchdir) X(chroot) X(umask) X(setrlimit) X(setrlimit64) X(alarm)                     \
    X(epoll_create) X(epoll_create1) X(epoll_ctl) X(eventfd) X(eventfd_write)                      \
    X(timerfd_create) X(vdprintf) X(__vdprintf_chk) X(brk) X(sbrk) X(nice)                         \
    X(msgget) X(msgsnd) X(semget) X(semop) X(semtimedop) X(semctl) X(shmget) X(shmat) X(shmdt)     \
    X(mq_open) X(mq_close) X(mq_unlink) X(mq_send) X(mq_timedsend)
RH_REAL_TABLE(rh__resolve_descriptor)

static mode_t mode_argument(int flags, va_list arguments)
{
    return __OPEN_NEEDS_MODE(flags) ? va_arg(arguments, mode_t) : 0;
}

// Inside of a handler: whether the open was served. The kernel's random bytes can be read only.
static bool serve_open(const char *path, int flags, int *descriptor)
{
    int kept_errno = errno;
    rh_world_cannot_undo("open");
    errno = kept_errno;
    if (!rh__is_random_path(path) || (flags & O_ACCMODE) != O_RDONLY) {
        return false;
    }
    *descriptor = rh__open_random(flags);
    return true;
}

#define OPEN(name)                                                                                 \
    RH_ENTRY(int, name, (const char *path, int flags, ...))                                        \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        mode_t mode = mode_argument(flags, arguments);                                             \
        va_end(arguments);                                                                         \
        int descriptor;                                                                            \
        bool served = rh__controlled() && serve_open(path, flags, &descriptor);                    \
        return served ? descriptor : REAL(name)(path, flags, mode);                                \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                               \
    RH_ENTRY(int, name, (int directory, const char *path, int flags, ...))                         \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        mode_t mode = mode_argument(flags, arguments);                                             \
        va_end(arguments);                                                                         \
        int descriptor;                                                                            \
        bool served = rh__controlled() && serve_open(path, flags, &descriptor);                    \
        return served ? descriptor : REAL(name)(directory, path, flags, mode);                     \
    }
OPENAT(openat)
OPENAT(openat64)

// The fortified forms only check that the mode is not needed; the real ones would abort here too.
RH_ENTRY(int, __open_2, (const char *path, int flags))
{
    if (__OPEN_NEEDS_MODE(flags)) {
        abort();
    }
    return open(path, flags);
}

RH_ENTRY(int, __open64_2, (const char *path, int flags))
{
    if (__OPEN_NEEDS_MODE(flags)) {
        abort();
    }
    return open64(path, flags);
}

RH_ENTRY(int, __openat_2, (int directory, const char *path, int flags))
{
    if (__OPEN_NEEDS_MODE(flags)) {
        abort();
    }
    return openat(directory, path, flags);
}

RH_ENTRY(int, __openat64_2, (int directory, const char *path, int flags))
{
    if (__OPEN_NEEDS_MODE(flags)) {
        abort();
    }
    return openat64(directory, path, flags);
}

#define MARKED(type, name, parameters, arguments)                                                  \
    INSIDE(type, name, parameters, arguments, CANNOT_UNDO)

MARKED(int, creat, (const char *path, mode_t mode), (path, mode))
MARKED(int, creat64, (const char *path, mode_t mode), (path, mode))
MARKED(int, dup, (int file), (file))

// Programs that close everything they did not open must not close what the world needs.
static bool is_own(int file)
{
    for (size_t i = 0; i < sizeof rh__process.own_descriptors / sizeof(int); i++) {
        if (file >= 0 && file == rh__process.own_descriptors[i]) {
            return true;
        }
    }
    return false;
}

static int bad_descriptor(void)
{
    errno = EBADF;
    return -1;
}

INSIDE(int, close, (int file), (file),
       if (is_own(file)) { return bad_descriptor(); } CANNOT_UNDO)
INSIDE(int, dup2, (int file, int as), (file, as),
       if (is_own(as)) { return bad_descriptor(); } CANNOT_UNDO)
INSIDE(int, dup3, (int file, int as, int flags), (file, as, flags),
       if (is_own(as)) { return bad_descriptor(); } CANNOT_UNDO)

// Around the world's own descriptors, from the first on.
static int close_others(unsigned first, unsigned last, int flags)
{
    unsigned next = last;
    for (size_t i = 0; i < sizeof rh__process.own_descriptors / sizeof(int); i++) {
        int file = rh__process.own_descriptors[i];
        if (file >= 0 && (unsigned)file >= first && (unsigned)file <= next) {
            next = (unsigned)file;
        }
    }
    if (!is_own((int)next)) {
        return REAL(close_range)(first, last, flags);
    }
    int result = next > first ? REAL(close_range)(first, next - 1, flags) : 0;
    return result == 0 && next < last ? close_others(next + 1, last, flags) : result;
}

INSIDE(int, close_range, (unsigned first, unsigned last, int flags), (first, last, flags),
       CANNOT_UNDO; if (first <= last) { return close_others(first, last, flags); })
MARKED(off_t, lseek, (int file, off_t offset, int from), (file, offset, from))
MARKED(off64_t, lseek64, (int file, off64_t offset, int from), (file, offset, from))

// What goes to standard output and standard error is the world's to keep or to drop: it needs no
// undo.
static void mark_output(int file, const char *function)
{
    if (file != STDOUT_FILENO && file != STDERR_FILENO) {
        rh_world_cannot_undo(function);
    }
}

INSIDE(ssize_t, write, (int file, const void *buffer, size_t size), (file, buffer, size),
       mark_output(file, "write"))
INSIDE(ssize_t, writev, (int file, const struct iovec *vectors, int count), (file, vectors, count),
       mark_output(file, "writev"))

// libc writes these by itself.
INSIDE(int, vdprintf, (int file, const char *restrict format, va_list arguments),
       (file, format, arguments), mark_output(file, "dprintf"))
INSIDE(int, __vdprintf_chk, (int file, int flag, const char *format, va_list arguments),
       (file, flag, format, arguments), mark_output(file, "dprintf"))

RH_ENTRY_ANY(sizeof(int), int, dprintf, (int file, const char *restrict format, ...))
{
    va_list arguments;
    va_start(arguments, format);
    int count = vdprintf(file, format, arguments);
    va_end(arguments);
    return count;
}

RH_ENTRY_ANY(sizeof(int), int, __dprintf_chk, (int file, int flag, const char *format, ...))
{
    va_list arguments;
    va_start(arguments, format);
    int count = __vdprintf_chk(file, flag, format, arguments);
    va_end(arguments);
    return count;
}

MARKED(ssize_t, pwrite, (int file, const void *buffer, size_t size, off_t offset),
       (file, buffer, size, offset))
MARKED(ssize_t, pwrite64, (int file, const void *buffer, size_t size, off64_t offset),
       (file, buffer, size, offset))
MARKED(ssize_t, pwritev, (int file, const struct iovec *vectors, int count, off_t offset),
       (file, vectors, count, offset))
MARKED(ssize_t, pwritev64, (int file, const struct iovec *vectors, int count, off64_t offset),
       (file, vectors, count, offset))

MARKED(int, socket, (int domain, int type, int protocol), (domain, type, protocol))
MARKED(int, connect, (int file, __CONST_SOCKADDR_ARG address, socklen_t length),
       (file, address, length))
MARKED(int, bind, (int file, __CONST_SOCKADDR_ARG address, socklen_t length),
       (file, address, length))
MARKED(int, listen, (int file, int backlog), (file, backlog))
MARKED(int, shutdown, (int file, int how), (file, how))
MARKED(int, setsockopt, (int file, int level, int name, const void *value, socklen_t length),
       (file, level, name, value, length))
MARKED(ssize_t, send, (int file, const void *buffer, size_t size, int flags),
       (file, buffer, size, flags))
MARKED(ssize_t, sendto,
       (int file, const void *buffer, size_t size, int flags, __CONST_SOCKADDR_ARG address,
        socklen_t length),
       (file, buffer, size, flags, address, length))
MARKED(ssize_t, sendmsg, (int file, const struct msghdr *message, int flags),
       (file, message, flags))
// The kernel moves the offset.
INSIDE(ssize_t, sendfile, (int to, int from, off_t *offset, size_t size), (to, from, offset, size),
       CANNOT_UNDO; rh_globals_touch(offset, sizeof *offset))
INSIDE(ssize_t, sendfile64, (int to, int from, off64_t *offset, size_t size),
       (to, from, offset, size), CANNOT_UNDO; rh_globals_touch(offset, sizeof *offset))

MARKED(int, unlink, (const char *path), (path))
MARKED(int, unlinkat, (int directory, const char *path, int flags), (directory, path, flags))
MARKED(int, rename, (const char *from, const char *to), (from, to))
MARKED(int, renameat, (int from_directory, const char *from, int to_directory, const char *to),
       (from_directory, from, to_directory, to))
MARKED(int, renameat2,
       (int from_directory, const char *from, int to_directory, const char *to, unsigned flags),
       (from_directory, from, to_directory, to, flags))
MARKED(int, remove, (const char *path), (path))
MARKED(int, rmdir, (const char *path), (path))
MARKED(int, link, (const char *from, const char *to), (from, to))
MARKED(int, linkat,
       (int from_directory, const char *from, int to_directory, const char *to, int flags),
       (from_directory, from, to_directory, to, flags))
MARKED(int, symlink, (const char *from, const char *to), (from, to))
MARKED(int, symlinkat, (const char *from, int to_directory, const char *to),
       (from, to_directory, to))
MARKED(int, mkdir, (const char *path, mode_t mode), (path, mode))
MARKED(int, mkdirat, (int directory, const char *path, mode_t mode), (directory, path, mode))
MARKED(int, mkfifo, (const char *path, mode_t mode), (path, mode))
MARKED(int, mknod, (const char *path, mode_t mode, dev_t device), (path, mode, device))
MARKED(int, mkstemp, (char *pattern), (pattern))
MARKED(int, mkstemp64, (char *pattern), (pattern))
MARKED(int, mkostemp, (char *pattern, int flags), (pattern, flags))
MARKED(char *, mkdtemp, (char *pattern), (pattern))
MARKED(int, chmod, (const char *path, mode_t mode), (path, mode))
MARKED(int, fchmod, (int file, mode_t mode), (file, mode))
MARKED(int, fchmodat, (int directory, const char *path, mode_t mode, int flags),
       (directory, path, mode, flags))
MARKED(int, chown, (const char *path, uid_t user, gid_t group), (path, user, group))
MARKED(int, fchown, (int file, uid_t user, gid_t group), (file, user, group))
MARKED(int, lchown, (const char *path, uid_t user, gid_t group), (path, user, group))
MARKED(int, fchownat, (int directory, const char *path, uid_t user, gid_t group, int flags),
       (directory, path, user, group, flags))
MARKED(int, truncate, (const char *path, off_t size), (path, size))
MARKED(int, truncate64, (const char *path, off64_t size), (path, size))
MARKED(int, ftruncate, (int file, off_t size), (file, size))
MARKED(int, ftruncate64, (int file, off64_t size), (file, size))
MARKED(int, fallocate, (int file, int mode, off_t offset, off_t size), (file, mode, offset, size))
MARKED(int, fallocate64, (int file, int mode, off64_t offset, off64_t size),
       (file, mode, offset, size))
MARKED(int, posix_fallocate, (int file, off_t offset, off_t size), (file, offset, size))
MARKED(int, posix_fallocate64, (int file, off64_t offset, off64_t size), (file, offset, size))
MARKED(int, utime, (const char *path, const struct utimbuf *times), (path, times))
MARKED(int, utimes, (const char *path, const struct timeval times[2]), (path, times))
MARKED(int, utimensat,
       (int directory, const char *path, const struct timespec times[2], int flags),
       (directory, path, times, flags))
MARKED(int, futimens, (int file, const struct timespec times[2]), (file, times))
MARKED(int, flock, (int file, int operation), (file, operation))
MARKED(int, lockf, (int file, int command, off_t size), (file, command, size))
MARKED(int, lockf64, (int file, int command, off64_t size), (file, command, size))

// What the test's body maps, or the program before, is memory that handlers may write to.
static void *note_mapping(void *start, size_t size, int protection)
{
    if (start != MAP_FAILED && protection & PROT_WRITE &&
        (rh_early_is_open() || rh_world_is_in_body())) {
        if (size > RH_EARLY_MAPPING_MOST && rh_early_is_open()) {
            rh_early_leave_out();
            return start;
        }
        int was_inside = rh__step_outside();
        rh_globals_map(start, size);
        rh__step_inside(was_inside);
    }
    return start;
}

#define MAPPING(name, offset_type)                                                                 \
    RH_ENTRY(void *, name,                                                                         \
             (void *address, size_t size, int protection, int flags, int file,                     \
              offset_type offset))                                                                 \
    {                                                                                              \
        if (rh__controlled()) {                                                                    \
            CANNOT_UNDO;                                                                           \
        } else if (!rh_early_is_open()) {                                                          \
            return REAL(name)(address, size, protection, flags, file, offset);                     \
        }                                                                                          \
        return note_mapping(REAL(name)(address, size, protection, flags, file, offset), size,      \
                            protection);                                                           \
    }

MAPPING(mmap, off_t)
MAPPING(mmap64, off64_t)

static void note_unmapping(void *start, size_t size)
{
    int was_inside = rh__step_outside();
    rh_globals_unmap(start, size);
    rh__step_inside(was_inside);
}

RH_ENTRY(int, munmap, (void *address, size_t size))
{
    if (rh__controlled()) {
        CANNOT_UNDO;
    }
    if (rh__controlled() || rh_early_is_open()) {
        int kept_errno = errno;
        note_unmapping(address, size);
        errno = kept_errno;
    }
    return REAL(munmap)(address, size);
}

RH_ENTRY(void *, mremap, (void *address, size_t old_size, size_t new_size, int flags, ...))
{
    va_list arguments;
    va_start(arguments, flags);
    void *new_address = flags & MREMAP_FIXED ? va_arg(arguments, void *) : NULL;
    va_end(arguments);
    if (rh__controlled()) {
        CANNOT_UNDO;
    } else if (!rh_early_is_open()) {
        return REAL(mremap)(address, old_size, new_size, flags, new_address);
    }
    note_unmapping(address, old_size);
    void *start = REAL(mremap)(address, old_size, new_size, flags, new_address);
    return note_mapping(start, new_size, PROT_WRITE);
}

MARKED(int, shm_open, (const char *name, int flags, mode_t mode), (name, flags, mode))
MARKED(int, shm_unlink, (const char *name), (name))
MARKED(int, memfd_create, (const char *name, unsigned flags), (name, flags))
MARKED(int, chdir, (const char *path), (path))
MARKED(int, fchdir, (int file), (file))
MARKED(int, chroot, (const char *path), (path))
MARKED(mode_t, umask, (mode_t mask), (mask))
MARKED(int, setrlimit, (__rlimit_resource_t resource, const struct rlimit *limit),
       (resource, limit))
MARKED(int, setrlimit64, (__rlimit_resource_t resource, const struct rlimit64 *limit),
       (resource, limit))
MARKED(unsigned, alarm, (unsigned seconds), (seconds))
MARKED(int, epoll_create, (int size), (size))
MARKED(int, epoll_create1, (int flags), (flags))
MARKED(int, epoll_ctl, (int queue, int operation, int file, struct epoll_event *event),
       (queue, operation, file, event))
MARKED(int, eventfd, (unsigned count, int flags), (count, flags))
MARKED(int, eventfd_write, (int file, eventfd_t value), (file, value))
MARKED(int, timerfd_create, (__clockid_t id, int flags), (id, flags))

// The end of the data segment. Asking for it changes nothing.
MARKED(int, brk, (void *end), (end))
INSIDE(void *, sbrk, (intptr_t change), (change), if (change != 0) { CANNOT_UNDO; })
INSIDE(int, nice, (int change), (change), if (change != 0) { CANNOT_UNDO; })

// Queues, semaphores and memory that the kernel keeps by key or name. What is received fills a buffer.
MARKED(int, msgget, (key_t key, int flags), (key, flags))
MARKED(int, msgsnd, (int queue, const void *message, size_t size, int flags),
       (queue, message, size, flags))
MARKED(int, semget, (key_t key, int count, int flags), (key, count, flags))
MARKED(int, semop, (int set, struct sembuf *operations, size_t count), (set, operations, count))
MARKED(int, semtimedop,
       (int set, struct sembuf *operations, size_t count, const struct timespec *timeout),
       (set, operations, count, timeout))

RH_ENTRY(int, semctl, (int set, int number, int command, ...))
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *); // as wide as the union that some commands take
    va_end(arguments);
    if (rh__controlled()) {
        CANNOT_UNDO;
    }
    return REAL(semctl)(set, number, command, argument);
}

MARKED(int, shmget, (key_t key, size_t size, int flags), (key, size, flags))

// In a process what is attached is mapped, and the kernel knows how much that is.
RH_ENTRY(void *, shmat, (int memory, const void *address, int flags))
{
    struct shmid_ds about;
    void *start = REAL(shmat)(memory, address, flags);
    if (rh__controlled()) {
        CANNOT_UNDO;
    } else if (!rh_early_is_open()) {
        return start;
    }
    bool is_known = start != MAP_FAILED && shmctl(memory, IPC_STAT, &about) == 0;
    return is_known ? note_mapping(start, about.shm_segsz, flags & SHM_RDONLY ? 0 : PROT_WRITE)
                    : start;
}

MARKED(int, shmdt, (const void *address), (address))

RH_ENTRY(mqd_t, mq_open, (const char *name, int flags, ...))
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    struct mq_attr *attributes = flags & O_CREAT ? va_arg(arguments, struct mq_attr *) : NULL;
    va_end(arguments);
    if (rh__controlled()) {
        CANNOT_UNDO;
    }
    return REAL(mq_open)(name, flags, mode, attributes);
}

MARKED(int, mq_close, (mqd_t queue), (queue))
MARKED(int, mq_unlink, (const char *name), (name))
MARKED(int, mq_send, (mqd_t queue, const char *message, size_t size, unsigned priority),
       (queue, message, size, priority))
MARKED(int, mq_timedsend,
       (mqd_t queue, const char *message, size_t size, unsigned priority,
        const struct timespec *timeout),
       (queue, message, size, priority, timeout))
