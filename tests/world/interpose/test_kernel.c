// SPDX-License-Identifier: MIT
// Outside of handlers the calls that reach the kernel do what they always do.
#include "base/valgrind.h"
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

static void modes_reach_the_kernel(void)
{
    umask(0);
    int file = open("modes", O_CREAT | O_RDWR | O_EXCL, 0640);
    struct stat status;
    EXPECT(file >= 0 && fstat(file, &status) == 0 && (status.st_mode & 0777) == 0640);
    EXPECT(close(file) == 0);
    file = openat64(AT_FDCWD, "modes64", O_CREAT | O_RDWR, 0604);
    EXPECT(file >= 0 && stat("modes64", &status) == 0 && (status.st_mode & 0777) == 0604);
    EXPECT(close(file) == 0 && unlink("modes") == 0 && rename("modes64", "modes") == 0);
    EXPECT(lstat("modes", &status) == 0 && unlink("modes") == 0);
    errno = 0;
    EXPECT(open("modes", O_RDONLY) == -1 && errno == ENOENT);
}

static void bytes_come_back(void)
{
    int file = open("bytes", O_CREAT | O_RDWR, 0600);
    char buffer[16] = "";
    EXPECT(write(file, "0123456789", 10) == 10 && lseek(file, 2, SEEK_SET) == 2);
    EXPECT(read(file, buffer, 3) == 3 && memcmp(buffer, "234", 3) == 0);
    EXPECT(pread(file, buffer, 2, 8) == 2 && memcmp(buffer, "89", 2) == 0);
    struct iovec vectors[2] = {{buffer, 1}, {buffer + 1, 2}};
    EXPECT(readv(file, vectors, 2) == 3 && memcmp(buffer, "567", 3) == 0);
    EXPECT(ftruncate(file, 4) == 0 && pwrite(file, "x", 1, 3) == 1);
    char *mapped = mmap(NULL, 4, PROT_READ, MAP_PRIVATE, file, 0);
    EXPECT(mapped != MAP_FAILED && memcmp(mapped, "012x", 4) == 0 && munmap(mapped, 4) == 0);
    errno = 0;
    EXPECT(close(file) == 0 && read(file, buffer, 1) == -1 && errno == EBADF);
    EXPECT(unlink("bytes") == 0);
}

static void flags_reach_the_kernel(void)
{
    int ends[2];
    EXPECT(pipe2(ends, O_CLOEXEC) == 0);
    EXPECT(fcntl(ends[0], F_GETFD) == FD_CLOEXEC && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    EXPECT(fcntl(ends[0], F_GETFL) & O_NONBLOCK);
    int copy = fcntl(ends[0], F_DUPFD, 50);
    EXPECT(copy >= 50 && close(copy) == 0);
    char byte;
    errno = 0;
    EXPECT(read(ends[0], &byte, 1) == -1 && errno == EAGAIN);
    int waiting = -1;
    EXPECT(write(ends[1], "abc", 3) == 3 && ioctl(ends[0], FIONREAD, &waiting) == 0);
    EXPECT(waiting == 3);
    struct pollfd readable = {.fd = ends[0], .events = POLLIN};
    EXPECT(poll(&readable, 1, 0) == 1 && readable.revents == POLLIN && poll(NULL, 0, 1) == 0);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    EXPECT(select(ends[0] + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(ends[0], &set));
    EXPECT(close(ends[0]) == 0 && close(ends[1]) == 0);
}

static void datagrams_carry_addresses(void)
{
    int receiver = socket(AF_UNIX, SOCK_DGRAM, 0), sender = socket(AF_UNIX, SOCK_DGRAM, 0);
    struct sockaddr_un here = {.sun_family = AF_UNIX, .sun_path = "receiver"};
    struct sockaddr_un there = {.sun_family = AF_UNIX, .sun_path = "sender"};
    EXPECT(bind(receiver, (struct sockaddr *)&here, sizeof here) == 0);
    EXPECT(bind(sender, (struct sockaddr *)&there, sizeof there) == 0);
    EXPECT(sendto(sender, "hi", 2, 0, (struct sockaddr *)&here, sizeof here) == 2);
    struct sockaddr_un from;
    socklen_t length = sizeof from;
    char buffer[8];
    EXPECT(recvfrom(receiver, buffer, sizeof buffer, 0, (struct sockaddr *)&from, &length) == 2);
    EXPECT_TEXT(from.sun_path, "sender");
    length = sizeof from;
    EXPECT(getsockname(receiver, (struct sockaddr *)&from, &length) == 0);
    EXPECT_TEXT(from.sun_path, "receiver");
    EXPECT(close(receiver) == 0 && close(sender) == 0);
    EXPECT(unlink("receiver") == 0 && unlink("sender") == 0);
}

static void directories_are_read(void)
{
    EXPECT(mkdir("folder", 0700) == 0 && chdir("folder") == 0 && symlink("target", "link") == 0);
    char buffer[4096];
    EXPECT(readlink("link", buffer, sizeof buffer) == 6 && memcmp(buffer, "target", 6) == 0);
    EXPECT(getcwd(buffer, sizeof buffer) && strstr(buffer, "/folder"));
    char *path = getcwd(NULL, 0);
    EXPECT_TEXT(path, buffer);
    free(path);
    DIR *directory = opendir(".");
    int count = 0;
    while (readdir(directory)) {
        count++;
    }
    EXPECT(count == 3 && closedir(directory) == 0);
    EXPECT(unlink("link") == 0 && chdir("..") == 0 && rmdir("folder") == 0);
}

static void children_are_waited_for(void)
{
    pid_t child = fork();
    if (child == 0) {
        _exit(7);
    }
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
    // The child of vfork shares this frame's memory until it ends.
    volatile int seen_by_parent = 0;
    child = vfork(); // NOLINT(clang-analyzer-security.insecureAPI.vfork)
    if (child == 0) {
        seen_by_parent = 1; // NOLINT(clang-analyzer-unix.Vfork)
        _exit(8);
    }
    EXPECT(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 8);
    // To Valgrind vfork is fork.
    EXPECT(seen_by_parent || rh_valgrind_is_running());
    EXPECT(WEXITSTATUS(system("exit 9")) == 9);
}

static void the_system_says_who_it_is(void)
{
    struct utsname name;
    char host[256];
    EXPECT(uname(&name) == 0 && gethostname(host, sizeof host) == 0);
    EXPECT_TEXT(host, name.nodename);
    sigset_t blocked, old;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    EXPECT(sigprocmask(SIG_BLOCK, &blocked, &old) == 0 && !sigismember(&old, SIGUSR1));
    EXPECT(sigprocmask(SIG_SETMASK, &old, &blocked) == 0 && sigismember(&blocked, SIGUSR1));
}

int main(void)
{
    modes_reach_the_kernel();
    bytes_come_back();
    flags_reach_the_kernel();
    datagrams_carry_addresses();
    directories_are_read();
    children_are_waited_for();
    the_system_says_who_it_is();
    return 0;
}
