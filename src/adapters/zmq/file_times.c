// SPDX-License-Identifier: MIT
// Times of files, as the program's clock has them. A file from before the execution has the time
// that the system says, which the program's clock comes after. A file that was changed since has
// the logical time of the change: before time passes, all files that the program may have changed
// are looked at. The system's times are coarse, so a file whose change was seen is put back by a
// nanosecond: whatever comes next shows.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "adapters/zmq/engine.h"
#include "adapters/zmq/outside.h"
#include "adapters/zmq/real.h"
#include "base/text.h"
#include "base/vector.h"
#include "world/files.h"

// A file that was changed in this execution.
struct change {
    dev_t device;
    ino_t file;
    struct timespec seen; // the system's time of the newest change that was seen
    struct timespec time; // the program's
};

static struct {
    struct timespec start;   // the system's time when the execution began
    RH_VECTOR(char *) paths; // what the program may have changed; owned
    RH_VECTOR(struct change) changes;
} own;

static bool is_before(const struct timespec *one, const struct timespec *other)
{
    return one->tv_sec != other->tv_sec ? one->tv_sec < other->tv_sec
                                        : one->tv_nsec < other->tv_nsec;
}

static bool is_equal(const struct timespec *one, const struct timespec *other)
{
    return one->tv_sec == other->tv_sec && one->tv_nsec == other->tv_nsec;
}

// By the clock that the system takes for files.
void rh__zmq_file_times_begin(void)
{
    RH_ZMQ_REAL(clock_gettime)(CLOCK_REALTIME_COARSE, &own.start);
}

// Whether the system has set the time during this execution, and not the program.
static bool is_new(const struct timespec *time)
{
    struct timespec first = rh__zmq_wall_time(0);
    return !is_before(time, &own.start) && is_before(time, &first);
}

static struct change *get_change(const struct stat *status)
{
    for (size_t i = 0; i < own.changes.count; i++)
        if (own.changes.items[i].device == status->st_dev &&
            own.changes.items[i].file == status->st_ino)
            return &own.changes.items[i];
    struct change *change = rh_vector_push(&own.changes);
    *change = (struct change){.device = status->st_dev, .file = status->st_ino};
    return change;
}

// Gives false if the change was seen before.
static bool note_change(struct change *change, const struct stat *status)
{
    if (is_equal(&change->seen, &status->st_mtim))
        return false;
    change->seen = status->st_mtim;
    change->time = rh__zmq_wall_time(rh__zmq_now());
    return true;
}

static void mark(const char *path, struct timespec *time)
{
    struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, *time};
    times[1].tv_sec -= times[1].tv_nsec == 0;
    times[1].tv_nsec = times[1].tv_nsec > 0 ? times[1].tv_nsec - 1 : 999999999;
    if (utimensat(AT_FDCWD, path, times, 0) == 0)
        *time = times[1];
}

static void look_at(const char *path)
{
    struct stat status;
    if (RH_ZMQ_REAL(stat)(path, &status) != 0 || !is_new(&status.st_mtim))
        return;
    struct change *change = get_change(&status);
    if (note_change(change, &status))
        mark(path, &change->seen);
}

void rh__zmq_file_times_look(void)
{
    for (size_t i = 0; i < own.paths.count; i++)
        look_at(own.paths.items[i]);
}

// Takes the path.
static void expect(char *path)
{
    for (size_t i = 0; i < own.paths.count; i++)
        if (strcmp(own.paths.items[i], path) == 0) {
            free(path);
            return;
        }
    *rh_vector_push(&own.paths) = path;
}

// A file that is made or removed also changes its directory.
void rh__zmq_file_times_expect(const char *path)
{
    const char *end = strrchr(path, '/');
    char *directory = end ? rh_strdup(path) : rh_strdup(".");
    if (end)
        directory[end > path ? end - path : 1] = '\0';
    expect(directory);
    expect(rh_strdup(path));
}

// What programs ask for: first all changes are seen, then the system is asked.

// The copy of the working directory is as old as the directory itself, by the system's times.
static bool asks_program(void)
{
    return rh__zmq_self() && !rh_files_is_busy();
}

static void look(void)
{
    if (asks_program())
        rh__zmq_file_times_look();
}

static void replace(struct timespec *time, const struct timespec *by)
{
    if (is_new(time))
        *time = *by;
}

// Puts the program's times in the place of the system's, if there was no error.
static int translate(int result, struct stat *status)
{
    if (result != 0 || !asks_program())
        return result;
    struct timespec time = rh__zmq_wall_time(0);
    if (is_new(&status->st_mtim)) {
        struct change *change = get_change(status);
        note_change(change, status);
        time = change->time;
    }
    replace(&status->st_mtim, &time);
    replace(&status->st_ctim, &time);
    replace(&status->st_atim, &time);
    return 0;
}

int fstatat(int directory, const char *restrict path, struct stat *restrict status, int flags)
{
    bool is_ours = directory == AT_FDCWD || path[0] == '/';
    look();
    const char *used = is_ours ? rh__zmq_outside_use(path, false) : path;
    return translate(RH_ZMQ_REAL(fstatat)(directory, used, status, flags), status);
}

int stat(const char *restrict path, struct stat *restrict status)
{
    return fstatat(AT_FDCWD, path, status, 0);
}

int lstat(const char *restrict path, struct stat *restrict status)
{
    return fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

int fstat(int descriptor, struct stat *status)
{
    look();
    return translate(RH_ZMQ_REAL(fstat)(descriptor, status), status);
}

static void replace_extended(struct statx_timestamp *time, const struct timespec *by)
{
    const struct timespec plain = {time->tv_sec, time->tv_nsec};
    if (is_new(&plain))
        *time = (struct statx_timestamp){.tv_sec = by->tv_sec, .tv_nsec = (uint32_t)by->tv_nsec};
}

int statx(int directory, const char *restrict path, int flags, unsigned mask,
          struct statx *restrict status)
{
    struct stat plain;
    bool is_ours = directory == AT_FDCWD || path[0] == '/';
    const char *used = is_ours ? rh__zmq_outside_use(path, false) : path;
    look();
    int result = RH_ZMQ_REAL(statx)(directory, used, flags, mask, status);
    if (result != 0 || !asks_program())
        return result;
    plain = (struct stat){.st_dev = makedev(status->stx_dev_major, status->stx_dev_minor),
                          .st_ino = status->stx_ino,
                          .st_mtim = {status->stx_mtime.tv_sec, status->stx_mtime.tv_nsec}};
    translate(0, &plain);
    struct timespec first = rh__zmq_wall_time(0);
    struct timespec time = is_before(&plain.st_mtim, &first) ? first : plain.st_mtim;
    replace_extended(&status->stx_mtime, &time);
    replace_extended(&status->stx_ctime, &time);
    replace_extended(&status->stx_atime, &time);
    replace_extended(&status->stx_btime, &time);
    return 0;
}

// Forms with other names. Sizes of files have 64 bits in all of them.

int stat64(const char *restrict path, struct stat64 *restrict status)
{
    return stat(path, (struct stat *)status);
}

int lstat64(const char *restrict path, struct stat64 *restrict status)
{
    return lstat(path, (struct stat *)status);
}

int fstat64(int descriptor, struct stat64 *status)
{
    return fstat(descriptor, (struct stat *)status);
}

int fstatat64(int directory, const char *restrict path, struct stat64 *restrict status, int flags)
{
    return fstatat(directory, path, (struct stat *)status, flags);
}

// What programs call that were built with an older libc.

int __xstat(int version, const char *path, struct stat *status)
{
    (void)version;
    return stat(path, status);
}

int __lxstat(int version, const char *path, struct stat *status)
{
    (void)version;
    return lstat(path, status);
}

int __fxstat(int version, int descriptor, struct stat *status)
{
    (void)version;
    return fstat(descriptor, status);
}
