// SPDX-License-Identifier: MIT
// Calls that change what the kernel keeps for the process or the file system: descriptors, file
// offsets, names, mappings. Undo does not reach the kernel, so these calls mark the execution.
// Calls that also fill a buffer are in interpose_buffer.c.
#include "libc/real.h"

#include <fcntl.h>
#include <mqueue.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

#include "libc/undeclared.h"
#include "memory/early.h"
#include "memory/globals.h"

#define IN_descriptor(...) __VA_ARGS__
#define RESOLVE rh__resolve_descriptor
#include "libc/interposed.h"

// The definitions below read as tables; clang-format would take them for code.
// clang-format off

static mode_t mode_argument(int flags, va_list arguments)
{
    return __OPEN_NEEDS_MODE(flags) ? va_arg(arguments, mode_t) : 0;
}

// Inside of a handler: whether the open was served here. The kernel's random bytes can be read
// only.
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

// Whether the call may make or change the file.
static bool alters(int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
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
        if (rh__controlled() && !served) {                                                         \
            path = rh_world_file(AT_FDCWD, path, alters(flags));                                   \
        }                                                                                          \
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
        if (rh__controlled() && !served) {                                                         \
            path = rh_world_file(directory, path, alters(flags));                                  \
        }                                                                                          \
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

// The pattern is the caller's, and gets the end of the name that was made, which is all that
// differs.
static void take_end(char *pattern, const char *made)
{
    size_t length = strlen(pattern), made_length = strlen(made);
    if (made != pattern && length >= 6 && made_length >= 6) {
        memcpy(pattern + length - 6, made + made_length - 6, 6);
    }
}

#define MAKING(type, name, parameters, arguments)                                                  \
    RH_ENTRY(type, name, parameters)                                                               \
    {                                                                                              \
        char *given = pattern;                                                                     \
        if (!rh__controlled()) {                                                                   \
            return REAL(name) arguments;                                                           \
        }                                                                                          \
        CANNOT_UNDO;                                                                               \
        pattern = (char *)(uintptr_t)rh_world_file(AT_FDCWD, pattern, true);                       \
        type made = REAL(name) arguments;                                                          \
        take_end(given, pattern);                                                                  \
        return made;                                                                               \
    }
MAKING(int, mkstemp, (char *pattern), (pattern))
MAKING(int, mkstemp64, (char *pattern), (pattern))
MAKING(int, mkostemp, (char *pattern, int flags), (pattern, flags))

RH_ENTRY(char *, mkdtemp, (char *pattern))
{
    if (!rh__controlled()) {
        return REAL(mkdtemp)(pattern);
    }
    CANNOT_UNDO;
    char *used = (char *)(uintptr_t)rh_world_file(AT_FDCWD, pattern, true);
    bool is_made = REAL(mkdtemp)(used) != NULL;
    take_end(pattern, used);
    return is_made ? pattern : NULL;
}

// Programs that close everything they did not open must not close descriptors that the world needs.
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

// Closes descriptors around the world's own, from the first on.
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

// What goes to standard output and standard error is the world's to keep or to drop: such a write
// needs no undo.
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

// libc writes by itself in these functions, without a call of write that we see.
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

// Memory that the test's body maps, or the program before it, is memory that handlers may write to.
static void *note_mapping(void *start, size_t size, int protection)
{
    if (start != MAP_FAILED && protection & PROT_WRITE &&
        (rh_early_is_open() || rh_world_is_in_body())) {
        if (size > RH_EARLY_MAPPING_MOST) {
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
            if (!address && !(flags & (MAP_FIXED | MAP_32BIT))) {                                  \
                address = rh_world_map_at(size);                                                   \
            }                                                                                      \
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

// The end of the data segment. Asking for the end changes nothing.
INSIDE(void *, sbrk, (intptr_t change), (change), if (change != 0) { CANNOT_UNDO; })
INSIDE(int, nice, (int change), (change), if (change != 0) { CANNOT_UNDO; })

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

// Attached memory is mapped in this process, and the kernel knows its size.
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
