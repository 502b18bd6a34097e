// SPDX-License-Identifier: MIT
#include "world/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "entry/process.h"

enum { ENTRIES_MOST = 10000, NAMES_KEPT = 2 };
#define BYTES_MOST (UINT64_C(256) << 20)

// The execution of this process. Its pages stay writable.
static union {
    struct {
        bool is_shared, is_copied, is_busy;
        unsigned next_name;
        char from[RH_FILES_PATH_MOST]; // the working directory at the begin
        char to[RH_FILES_PATH_MOST];   // its copy
        char names[NAMES_KEPT][RH_FILES_PATH_MOST];
    };
    char pages[5 * 4096];
} own RH__OWN;

_Static_assert(sizeof own == 5 * 4096, "it has pages of its own");

static const char copy_name[] = "rehearse-files-";

static const char *temporary_directory(void)
{
    const char *directory = getenv("TMPDIR");
    return directory && *directory ? directory : "/tmp";
}

static void find_place(int process, char *path, size_t size)
{
    snprintf(path, size, "%.4000s/%s%d", temporary_directory(), copy_name, process);
}

void rh_files_begin(bool is_shared)
{
    own.is_copied = own.is_busy = false;
    own.is_shared = is_shared || !getcwd(own.from, sizeof own.from);
    find_place((int)syscall(SYS_getpid), own.to, sizeof own.to);
}

void rh_files_share(void)
{
    own.is_shared = true;
}

bool rh_files_is_busy(void)
{
    return own.is_busy;
}

// Removing.

static bool is_real_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static void remove_at(int parent, const char *name)
{
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
        return;
    int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *directory = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    for (const struct dirent *entry; directory && (entry = readdir(directory));)
        if (is_real_entry(entry))
            remove_at(descriptor, entry->d_name);
    if (directory)
        closedir(directory);
    unlinkat(parent, name, AT_REMOVEDIR);
}

void rh_files_tidy(int process)
{
    char path[RH_FILES_PATH_MOST];
    find_place(process, path, sizeof path);
    if (access(path, F_OK) == 0)
        remove_at(AT_FDCWD, path);
}

// Names.

// Whether a path is in a directory, or is the directory.
static bool is_inside(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

// The directory that a name counts from, as the program knows it. false if nobody knows.
static bool find_base(int directory, char *base)
{
    char path[64], found[RH_FILES_PATH_MOST];
    snprintf(path, sizeof path, "/proc/self/fd/%d", directory);
    ssize_t length =
        readlink(directory == AT_FDCWD ? "/proc/self/cwd" : path, found, sizeof found - 1);
    if (length <= 0)
        return false;
    found[length] = '\0';
    bool is_copy = own.is_copied && is_inside(found, own.to);
    int written = snprintf(base, RH_FILES_PATH_MOST, "%s%s", is_copy ? own.from : "",
                           is_copy ? found + strlen(own.to) : found);
    return written < RH_FILES_PATH_MOST;
}

static void drop_last(char *path, size_t *length)
{
    while (*length > 0 && path[--*length] != '/')
        continue;
    path[*length] = '\0';
}

// Adds the parts of a path to a path without `.`, `..` and empty parts. false if there is no room.
static bool add_parts(char *whole, const char *path)
{
    size_t length = strlen(whole);
    while (*path) {
        size_t part = strcspn(path, "/");
        if (part == 2 && strncmp(path, "..", 2) == 0) {
            drop_last(whole, &length);
        } else if (part > 0 && !(part == 1 && *path == '.')) {
            if (length + part + 2 > RH_FILES_PATH_MOST)
                return false;
            whole[length++] = '/';
            memcpy(whole + length, path, part);
            length += part;
            whole[length] = '\0';
        }
        path += part + (path[part] == '/');
    }
    return true;
}

// The absolute name of a file as the program knows it.
static bool find_whole(int directory, const char *path, char *whole)
{
    char base[RH_FILES_PATH_MOST] = "";
    whole[0] = '\0';
    if (path[0] != '/' && !find_base(directory, base))
        return false;
    return add_parts(whole, base) && add_parts(whole, path);
}

bool rh_files_is_outside(int directory, const char *path, char *whole)
{
    int kept_errno = errno;
    bool is_outside = !own.is_shared && !own.is_busy && path && *path &&
                      find_whole(directory, path, whole) && !is_inside(whole, own.from);
    errno = kept_errno;
    return is_outside;
}

static char *next_name(void)
{
    own.next_name = (own.next_name + 1) % NAMES_KEPT;
    return own.names[own.next_name];
}

static bool has_parent(const char *path)
{
    for (; *path; path += strcspn(path, "/"), path += *path == '/')
        if (strncmp(path, "..", 2) == 0 && (path[2] == '/' || path[2] == '\0'))
            return true;
    return false;
}

// A name that counts from the working directory, and does not lead out of it, is the same in the
// copy.
static bool stays(int directory, const char *path)
{
    return path[0] != '/' && directory == AT_FDCWD && !has_parent(path);
}

const char *rh_files_name(int directory, const char *path)
{
    if (!own.is_copied || own.is_busy || !path || !*path || stays(directory, path))
        return path;
    int kept_errno = errno;
    char whole[RH_FILES_PATH_MOST];
    char *name = next_name();
    // The copy may lie in the directory that it is a copy of.
    bool is_known = find_whole(directory, path, whole) && !is_inside(whole, own.to);
    bool is_ours = is_known && is_inside(whole, own.from);
    bool fits = is_known && snprintf(name, RH_FILES_PATH_MOST, "%s%s%s", is_ours ? own.to : "",
                                     whole + (is_ours ? strlen(own.from) : 0),
                                     path[strlen(path) - 1] == '/' ? "/" : "") < RH_FILES_PATH_MOST;
    errno = kept_errno;
    return fits ? name : path;
}

const char *rh_files_directory(void)
{
    if (!own.is_copied)
        return NULL;
    char *name = next_name();
    return find_base(AT_FDCWD, name) ? name : NULL;
}

// Copying. What can't be copied, as a socket, is a link to what is there.

struct size {
    size_t entries;
    uint64_t bytes;
};

// Copies that lie here, of this execution and of others, are no part of the directory.
static bool is_copied(const struct dirent *entry)
{
    return is_real_entry(entry) && strncmp(entry->d_name, copy_name, sizeof copy_name - 1) != 0;
}

static bool is_too_much(const struct size *size)
{
    return size->entries > ENTRIES_MOST || size->bytes > BYTES_MOST;
}

// A place in the directory and in its copy. The name is that of the directory here.
struct place {
    int from, to; // descriptors; -1: there is none
    const char *name;
};

static struct place enter(const struct place *place, const char *name, char *path)
{
    int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    snprintf(path, RH_FILES_PATH_MOST, "%.2000s/%.2000s", place->name, name);
    return (struct place){.from = openat(place->from, name, flags),
                          .to = place->to < 0 ? -1 : openat(place->to, name, flags),
                          .name = path};
}

static void link_to_original(const struct place *place, const char *name)
{
    char path[RH_FILES_PATH_MOST];
    snprintf(path, sizeof path, "%.2000s/%.2000s", place->name, name);
    (void)!symlinkat(path, place->to, name);
}

// The copy is as old as what it is a copy of.
static void copy_times(int to, const char *name, const struct stat *about)
{
    const struct timespec times[] = {about->st_atim, about->st_mtim};
    (void)!utimensat(to, name, times, AT_SYMLINK_NOFOLLOW);
}

static bool copy_bytes(const struct place *place, const char *name, const struct stat *about)
{
    int source = openat(place->from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (source < 0)
        return false;
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    int target = openat(place->to, name, flags, about->st_mode & 07777);
    while (target >= 0 && sendfile(target, source, NULL, 1 << 20) > 0)
        continue;
    close(source);
    if (target >= 0)
        close(target);
    return target >= 0;
}

// A relative link that leads out of the directory leads to the same place from the copy.
static void copy_link(const struct place *place, const char *name)
{
    char target[RH_FILES_PATH_MOST], whole[RH_FILES_PATH_MOST] = "";
    ssize_t length = readlinkat(place->from, name, target, sizeof target - 1);
    if (length < 0)
        return;
    target[length] = '\0';
    bool leads_out = target[0] != '/' && add_parts(whole, place->name) &&
                     add_parts(whole, target) && !is_inside(whole, own.from);
    (void)!symlinkat(leads_out ? whole : target, place->to, name);
}

static void copy_entry(const struct place *place, const char *name, const struct stat *about)
{
    if (S_ISLNK(about->st_mode))
        copy_link(place, name);
    else if (S_ISDIR(about->st_mode))
        (void)!mkdirat(place->to, name, 0700);
    else if (!S_ISREG(about->st_mode) || !copy_bytes(place, name, about))
        link_to_original(place, name);
}

// Counts what is in a place, or copies it where there is a copy. Takes the descriptors.
static void walk(struct place place, struct size *size)
{
    DIR *directory = place.from >= 0 ? fdopendir(place.from) : NULL;
    char path[RH_FILES_PATH_MOST];
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        struct stat about;
        if (!is_copied(entry) || is_too_much(size) ||
            fstatat(place.from, entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        size->entries++;
        size->bytes += S_ISREG(about.st_mode) ? (uint64_t)about.st_size : 0;
        if (place.to >= 0)
            copy_entry(&place, entry->d_name, &about);
        if (S_ISDIR(about.st_mode))
            walk(enter(&place, entry->d_name, path), size);
        if (place.to >= 0)
            copy_times(place.to, entry->d_name, &about);
    }
    if (directory)
        closedir(directory);
    if (place.to >= 0)
        close(place.to);
}

static struct place open_place(bool copies)
{
    int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    return (struct place){.from = openat(AT_FDCWD, own.from, flags),
                          .to = copies ? openat(AT_FDCWD, own.to, flags) : -1,
                          .name = own.from};
}

// Goes to where the program is, in the copy.
static bool follow_program(void)
{
    char now[RH_FILES_PATH_MOST], path[RH_FILES_PATH_MOST];
    if (!getcwd(now, sizeof now) || !is_inside(now, own.from))
        return true;
    int length = snprintf(path, sizeof path, "%.2000s%.2000s", own.to, now + strlen(own.from));
    return length < (int)sizeof path && chdir(path) == 0;
}

static struct rh_status make_copy(void)
{
    struct size size = {0};
    walk(open_place(false), &size);
    if (is_too_much(&size))
        return rh_bad_input("the program changes files in %s, and there is more in it than %d "
                            "files or 256 MB, too much to copy for each execution: run it "
                            "elsewhere, or say --shared-files",
                            own.from, ENTRIES_MOST);
    // An execution of this number may have died together with its keeper.
    remove_at(AT_FDCWD, own.to);
    if (mkdirat(AT_FDCWD, own.to, 0700) != 0)
        return rh_bad_input("cannot copy the working directory to %s: %s; set TMPDIR to another "
                            "place, or say --shared-files",
                            temporary_directory(), strerror(errno));
    size = (struct size){0};
    walk(open_place(true), &size);
    struct stat about;
    if (fstatat(AT_FDCWD, own.from, &about, 0) == 0)
        copy_times(AT_FDCWD, own.to, &about);
    if (!follow_program())
        return rh_bad_input("cannot enter the copy of the working directory in %s: %s",
                            temporary_directory(), strerror(errno));
    own.is_copied = true;
    return rh_ok();
}

struct rh_status rh_files_prepare(int directory, const char *path)
{
    char whole[RH_FILES_PATH_MOST];
    if (own.is_shared || own.is_copied || own.is_busy || !path ||
        rh_files_is_outside(directory, path, whole))
        return rh_ok();
    int kept_errno = errno;
    own.is_busy = true;
    struct rh_status status = make_copy();
    own.is_busy = false;
    errno = kept_errno;
    return status;
}
