// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

static void text_grows(void)
{
    struct rh_text text = {0};
    EXPECT_TEXT(rh_text_get(&text), "");
    rh_text_clear(&text);
    rh_text_add(&text, "");
    EXPECT(text.length == 0);
    for (int i = 0; i < 1000; i++)
        rh_text_addf(&text, "%d,", i % 10);
    EXPECT(text.length == 2000 && strlen(text.bytes) == 2000);
    rh_text_clear(&text);
    EXPECT_TEXT(rh_text_get(&text), "");
    rh_text_addf(&text, "%05000d", 1);
    EXPECT(text.length == 5000 && text.bytes[4999] == '1' && text.bytes[5000] == '\0');
    rh_text_clear(&text);
    rh_text_add_bytes(&text, "a\0b", 3);
    rh_text_add_bytes(&text, NULL, 0);
    EXPECT(text.length == 3 && memcmp(text.bytes, "a\0b", 4) == 0);
    rh_text_fini(&text);
    EXPECT(!text.bytes && text.length == 0 && text.capacity == 0);
}

// Every length up to some hundred: the one that just fits and the one that just does not.
static void every_length_fits(void)
{
    for (int length = 0; length < 300; length++) {
        struct rh_text text = {0};
        rh_text_addf(&text, "%*s", length, "");
        EXPECT(text.length == (size_t)length && text.bytes[length] == '\0');
        rh_text_addf(&text, "%*s", length, "");
        EXPECT(text.length == 2 * (size_t)length && text.capacity > text.length);
        rh_text_fini(&text);
    }
}

static void take_gives_the_bytes(void)
{
    struct rh_text text = {0};
    char *empty = rh_text_take(&text);
    EXPECT_TEXT(empty, "");
    free(empty);
    rh_text_add(&text, "word");
    char *word = rh_text_take(&text);
    EXPECT_TEXT(word, "word");
    EXPECT(!text.bytes && text.length == 0);
    free(word);
}

static void allocation_is_zeroed(void)
{
    unsigned char *block = rh_alloc(1000);
    for (int i = 0; i < 1000; i++)
        EXPECT(block[i] == 0);
    block = rh_realloc(block, 2000);
    block[1999] = 1;
    free(block);
    free(rh_alloc(0));
    free(rh_realloc(NULL, 0));
}

static void ask_too_much(void)
{
    rh_alloc(PTRDIFF_MAX / 2);
}

static void ask_too_much_again(void)
{
    rh_realloc(NULL, SIZE_MAX);
}

static void out_of_memory_says_so(void (*ask)(void))
{
    int ends[2];
    EXPECT(pipe(ends) == 0);
    pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        ask();
        _exit(0);
    }
    close(ends[1]);
    char said[4000] = "";
    size_t length = 0;
    for (ssize_t count; (count = read(ends[0], said + length, sizeof said - 1 - length)) > 0;)
        length += (size_t)count;
    close(ends[0]);
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child);
    // AddressSanitizer stops at the request itself, with its own words.
    if (strstr(said, "AddressSanitizer"))
        return;
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    EXPECT_PART(said, "rehearse: out of memory");
}

static struct rh_text text_of(const char *string)
{
    struct rh_text text = {0};
    rh_text_add(&text, string);
    return text;
}

static size_t files_here(void)
{
    size_t count = 0;
    DIR *directory = opendir(".");
    EXPECT(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static void expect_file(const char *path, const char *expected)
{
    struct rh_text text = {0};
    struct rh_status status = rh_text_read_file(&text, path, 1 << 20);
    EXPECT_TEXT(status.text, "");
    EXPECT_TEXT(rh_text_get(&text), expected);
    rh_text_fini(&text);
}

static void files_go_out_and_in(void)
{
    struct rh_text text = text_of("hello\n");
    struct rh_status status = rh_text_write_file(&text, "greeting");
    EXPECT(rh_is_ok(&status));
    expect_file("greeting", "hello\n");
    rh_text_clear(&text);
    rh_text_add_bytes(&text, "a\0b", 3);
    status = rh_text_write_file(&text, "greeting");
    EXPECT(rh_is_ok(&status));
    struct rh_text back = text_of("is cleared");
    status = rh_text_read_file(&back, "greeting", 3);
    EXPECT(rh_is_ok(&status) && back.length == 3 && memcmp(back.bytes, "a\0b", 4) == 0);
    rh_text_clear(&text);
    status = rh_text_write_file(&text, "greeting");
    EXPECT(rh_is_ok(&status));
    expect_file("greeting", "");
    EXPECT(files_here() == 1);
    unlink("greeting");
    rh_text_fini(&text);
    rh_text_fini(&back);
}

static void expect_refused(const char *path, size_t limit, const char *part)
{
    struct rh_text text = text_of("old");
    struct rh_status status = rh_text_read_file(&text, path, limit);
    EXPECT(status.code == RH_BAD_INPUT);
    EXPECT_PART(status.text, path);
    EXPECT_PART(status.text, part);
    EXPECT(text.length == 0);
    rh_text_fini(&text);
}

static void reading_refuses(void)
{
    expect_refused("missing", 10, "No such file");
    expect_refused(".", 10, "is a directory");
    expect_refused("/dev/zero", 1000000, "it is a device");
    struct rh_text text = text_of("1234");
    struct rh_status status = rh_text_write_file(&text, "four");
    EXPECT(rh_is_ok(&status));
    expect_refused("four", 3, "larger than 3 bytes");
    expect_file("four", "1234");
    unlink("four");
    rh_text_fini(&text);
}

// A link is followed where it leads below its directory, and not where it leads out.
static void links_out_are_refused(void)
{
    struct rh_text text = text_of("new");
    EXPECT(mkdir("inner", 0777) == 0);
    EXPECT(symlink("../outer", "inner/link") == 0 && symlink("inner/file", "link") == 0);
    struct rh_status status = rh_text_write_file(&text, "inner/file");
    EXPECT_TEXT(status.text, "");
    status = rh_text_write_file(&text, "link");
    EXPECT_TEXT(status.text, "");
    status = rh_text_write_file(&text, "outer");
    EXPECT_TEXT(status.text, "");
    text.bytes[0] = 'N';
    status = rh_text_write_file(&text, "inner/link");
    EXPECT(status.code == RH_FAILED);
    EXPECT_PART(status.text, "inner/link: is a link that leads out of its directory");
    expect_file("outer", "new");
    rh_text_fini(&text);
    EXPECT(unlink("inner/link") == 0 && unlink("inner/file") == 0 && rmdir("inner") == 0);
    EXPECT(unlink("link") == 0 && unlink("outer") == 0);
}

static void permissions_and_links_stay(void)
{
    struct rh_text text = text_of("new");
    int descriptor = open("private", O_WRONLY | O_CREAT, 0640);
    EXPECT(descriptor >= 0 && fchmod(descriptor, 0640) == 0 && close(descriptor) == 0);
    EXPECT(symlink("private", "link") == 0);
    struct rh_status status = rh_text_write_file(&text, "link");
    EXPECT(rh_is_ok(&status));
    struct stat stat;
    EXPECT(lstat("link", &stat) == 0 && S_ISLNK(stat.st_mode));
    EXPECT(lstat("private", &stat) == 0 && (stat.st_mode & 07777) == 0640);
    expect_file("private", "new");
    unlink("link");
    unlink("private");
    rh_text_fini(&text);
}

static void expect_not_written(const struct rh_text *text, const char *path, const char *part)
{
    size_t before = files_here();
    struct rh_status status = rh_text_write_file(text, path);
    EXPECT(status.code == RH_FAILED);
    EXPECT_PART(status.text, path);
    EXPECT_PART(status.text, part);
    EXPECT(files_here() == before);
}

static void writing_refuses(void)
{
    struct rh_text text = text_of("content");
    expect_not_written(&text, "missing/file", "No such file");
    EXPECT(mkdir("folder", 0755) == 0);
    expect_not_written(&text, "folder", "Is a directory");
    EXPECT(rmdir("folder") == 0);
    // A device is written, never replaced by a file.
    expect_not_written(&text, "/dev/full", "No space left");
    struct stat stat;
    EXPECT(lstat("/dev/full", &stat) == 0 && S_ISCHR(stat.st_mode));
    struct rh_status status = rh_text_write_file(&text, "/dev/null");
    EXPECT(rh_is_ok(&status));
    char longest[300];
    memset(longest, 'n', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    expect_not_written(&text, longest, "name too long");
    rh_text_fini(&text);
}

// Fails the write after every possible number of bytes: the old file stays, nothing is left behind.
static void every_cut_loses_nothing(void)
{
    struct rh_text old = text_of("what was there before");
    struct rh_text text = text_of("something new that does not fit");
    struct rh_status status = rh_text_write_file(&old, "kept");
    EXPECT(rh_is_ok(&status));
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before;
    EXPECT(getrlimit(RLIMIT_FSIZE, &before) == 0);
    for (rlim_t limit = 0; limit < text.length; limit++) {
        struct rlimit tight = {limit, before.rlim_max};
        EXPECT(setrlimit(RLIMIT_FSIZE, &tight) == 0);
        status = rh_text_write_file(&text, "kept");
        struct rh_status fresh = rh_text_write_file(&text, "fresh");
        EXPECT(setrlimit(RLIMIT_FSIZE, &before) == 0);
        EXPECT(status.code == RH_FAILED && fresh.code == RH_FAILED);
        EXPECT_TEXT(status.text, "kept: can't be written: File too large");
        expect_file("kept", "what was there before");
        EXPECT(files_here() == 1);
    }
    status = rh_text_write_file(&text, "kept");
    EXPECT(rh_is_ok(&status));
    expect_file("kept", "something new that does not fit");
    unlink("kept");
    rh_text_fini(&old);
    rh_text_fini(&text);
}

static void read_only_folder_is_left_alone(void)
{
    if (geteuid() == 0)
        return;
    struct rh_text text = text_of("content");
    EXPECT(mkdir("closed", 0555) == 0);
    expect_not_written(&text, "closed/file", "Permission denied");
    EXPECT(rmdir("closed") == 0);
    rh_text_fini(&text);
}

// A disk that is really full, where the machine lets us mount one.
static void full_disk_keeps_the_old_file(void)
{
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", "none", MS_REC | MS_PRIVATE, "") != 0)
        return;
    EXPECT(mkdir("disk", 0755) == 0);
    if (mount("none", "disk", "tmpfs", 0, "size=64k") == 0) {
        EXPECT(chdir("disk") == 0);
        struct rh_text old = text_of("old");
        struct rh_text text = {0};
        rh_text_addf(&text, "%0100000d", 1);
        struct rh_status status = rh_text_write_file(&old, "kept");
        EXPECT(rh_is_ok(&status));
        expect_not_written(&text, "kept", "No space left");
        expect_not_written(&text, "fresh", "No space left");
        expect_file("kept", "old");
        rh_text_fini(&old);
        rh_text_fini(&text);
        EXPECT(chdir("..") == 0 && umount("disk") == 0);
    }
    EXPECT(rmdir("disk") == 0);
}

int main(void)
{
    char folder[] = "rehearse-text.XXXXXX";
    EXPECT(mkdtemp(folder) && chdir(folder) == 0);
    text_grows();
    every_length_fits();
    take_gives_the_bytes();
    allocation_is_zeroed();
    out_of_memory_says_so(ask_too_much);
    out_of_memory_says_so(ask_too_much_again);
    files_go_out_and_in();
    reading_refuses();
    permissions_and_links_stay();
    links_out_are_refused();
    writing_refuses();
    every_cut_loses_nothing();
    read_only_folder_is_left_alone();
    full_disk_keeps_the_old_file();
    EXPECT(files_here() == 0);
    EXPECT(chdir("..") == 0 && rmdir(folder) == 0);
    return 0;
}
