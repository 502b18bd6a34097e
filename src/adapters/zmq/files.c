// SPDX-License-Identifier: MIT
// The working directory of an execution: a copy from the first change on.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/zmq/engine.h"
#include "adapters/zmq/outside.h"
#include "adapters/zmq/real.h"

enum { ENTRIES_MOST = 10000 };
#define BYTES_MOST (UINT64_C(256) << 20)
#define SHARED_VARIABLE "REHEARSE_SHARED_FILES"

static struct {
    bool is_shared; // whether --shared-files was given
    bool is_copied;
    char from[RH_ZMQ_PATH_MOST], to[RH_ZMQ_PATH_MOST]; // the working directory, and its copy
    size_t entries;
    uint64_t bytes;
} own;

void rh__zmq_files_place(int process, char *path, size_t size)
{
    const char *base = getenv("TMPDIR");
    snprintf(path, size, "%s/rehearse-files-%d", base && *base ? base : "/tmp", process);
}

// Takes the choice out of the environment: programs that this one starts have nothing to do with
// it.
__attribute__((constructor(102))) static void read_choice(void)
{
    own.is_shared = getenv(SHARED_VARIABLE) != NULL;
    unsetenv(SHARED_VARIABLE);
}

void rh__zmq_files_export(void)
{
    if (own.is_shared)
        setenv(SHARED_VARIABLE, "1", 1);
}

void rh__zmq_files_begin(void)
{
    own.is_copied = false;
    rh__zmq_file_times_begin();
    if (!getcwd(own.from, sizeof own.from))
        own.is_shared = true;
}

static bool is_real_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static void remove_at(int parent, const char *name)
{
    if (RH_ZMQ_REAL(unlinkat)(parent, name, 0) == 0 || errno == ENOENT)
        return;
    int descriptor =
        RH_ZMQ_REAL(openat)(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *directory = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    for (const struct dirent *entry; directory && (entry = readdir(directory));)
        if (is_real_entry(entry))
            remove_at(descriptor, entry->d_name);
    if (directory)
        closedir(directory);
    RH_ZMQ_REAL(unlinkat)(parent, name, AT_REMOVEDIR);
}

void rh__zmq_files_remove(const char *path)
{
    remove_at(AT_FDCWD, path);
}

// Copying. A file that can't be copied is not there: the system says so to whoever needs it. The
// copy is as old as the file.

static void copy_times(int to, const char *name, const struct stat *status)
{
    const struct timespec times[] = {status->st_atim, status->st_mtim};
    if (utimensat(to, name, times, AT_SYMLINK_NOFOLLOW) != 0)
        return;
}

static void copy_bytes(int from, int to, const char *name, const struct stat *status)
{
    int source = RH_ZMQ_REAL(openat)(from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    int target = RH_ZMQ_REAL(openat)(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                     status->st_mode & 07777);
    own.bytes += (uint64_t)status->st_size;
    if (source >= 0 && target >= 0 && own.bytes <= BYTES_MOST)
        while (sendfile(target, source, NULL, 1 << 20) > 0)
            continue;
    if (source >= 0)
        close(source);
    if (target >= 0)
        close(target);
}

static void copy_link(int from, int to, const char *name)
{
    char target[RH_ZMQ_PATH_MOST];
    ssize_t length = readlinkat(from, name, target, sizeof target - 1);
    if (length < 0)
        return;
    target[length] = '\0';
    if (symlinkat(target, to, name) != 0)
        return;
}

static void copy_entries(int from, int to);

static void copy_entry(int from, int to, const char *name)
{
    struct stat status;
    if (++own.entries > ENTRIES_MOST || own.bytes > BYTES_MOST ||
        RH_ZMQ_REAL(fstatat)(from, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    if (S_ISREG(status.st_mode))
        copy_bytes(from, to, name, &status);
    else if (S_ISLNK(status.st_mode))
        copy_link(from, to, name);
    else if (S_ISDIR(status.st_mode) && RH_ZMQ_REAL(mkdirat)(to, name, 0700) == 0)
        copy_entries(RH_ZMQ_REAL(openat)(from, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                     RH_ZMQ_REAL(openat)(to, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    copy_times(to, name, &status);
}

// Takes both descriptors.
static void copy_entries(int from, int to)
{
    DIR *directory = from >= 0 && to >= 0 ? fdopendir(from) : NULL;
    for (const struct dirent *entry; directory && (entry = readdir(directory));)
        if (is_real_entry(entry))
            copy_entry(from, to, entry->d_name);
    if (directory)
        closedir(directory);
    else if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
}

// Whether a path is in a directory: a directory can't be copied into itself.
static bool is_inside(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static void make_copy(void)
{
    own.is_copied = true;
    rh__zmq_files_place(RH_ZMQ_REAL(getpid)(), own.to, sizeof own.to);
    if (is_inside(own.to, own.from))
        rh__zmq_give_up("the program changes files in %s, which can't be copied to %s: run it "
                        "elsewhere, set TMPDIR, or say --shared-files",
                        own.from, own.to);
    if (RH_ZMQ_REAL(mkdir)(own.to, 0700) != 0)
        rh__zmq_give_up("cannot copy the working directory to %s: %s; set TMPDIR to another place, "
                        "or say --shared-files",
                        own.to, strerror(errno));
    copy_entries(RH_ZMQ_REAL(open)(own.from, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                 RH_ZMQ_REAL(open)(own.to, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat status;
    if (RH_ZMQ_REAL(fstatat)(AT_FDCWD, own.from, &status, 0) == 0)
        copy_times(AT_FDCWD, own.to, &status);
    if (own.entries > ENTRIES_MOST || own.bytes > BYTES_MOST)
        rh__zmq_give_up("the program changes files in %s, and there is more in it than %d files or "
                        "256 MB, too much to copy for each execution: run it elsewhere, or say "
                        "--shared-files",
                        own.from, ENTRIES_MOST);
    if (chdir(own.to) != 0)
        rh__zmq_give_up("cannot enter %s: %s", own.to, strerror(errno));
}

const char *rh__zmq_files_use(const char *path, bool changes, char *room)
{
    if (!rh__zmq_self() || own.is_shared)
        return path;
    int kept_errno = errno;
    bool is_absolute = path[0] == '/', is_ours = !is_absolute || is_inside(path, own.from);
    if (changes && is_ours && !own.is_copied)
        make_copy();
    errno = kept_errno;
    if (!own.is_copied || !is_absolute || !is_ours)
        return path;
    snprintf(room, RH_ZMQ_PATH_MOST, "%.2000s%.2000s", own.to, path + strlen(own.from));
    return room;
}
