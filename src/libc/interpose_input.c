// SPDX-License-Identifier: MIT
// What a program could learn from outside of itself: time, random numbers, process numbers. Inside
// of a handler the answers depend on the schedule only, and are undone with the actor.
#include "libc/real.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define IN_input(...) __VA_ARGS__
#define RESOLVE rh__resolve_input
#include "libc/interposed.h"

enum {
    THE_PROCESS = 1000,
    THE_PARENT = 1,
    RANDOM_FILE_SIZE = 64 * 1024,
};

#define NANOSECONDS UINT64_C(1000000000)

// Tells whoever records what actors do on threads. Gives the answer, for callers that pass it on.
static uint64_t note(const char *function, uint64_t answer)
{
    if (__builtin_expect(rh__process.note_answer != NULL, 0)) {
        int kept_errno = errno;
        rh__process.note_answer(function, answer);
        errno = kept_errno;
    }
    return answer;
}

static uint64_t nanoseconds_of(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * NANOSECONDS + (uint64_t)time->tv_nsec;
}

int rh_real_clock_gettime(int clock, struct timespec *result)
{
    return REAL(clock_gettime)(clock, result);
}

// A handler takes no processor time. All other clocks show the same logical time. A recorded answer
// comes first.
static bool is_processor_time(clockid_t id)
{
    return id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID || id < 0;
}

static struct timespec logical_time(const char *function, clockid_t id)
{
    uint64_t now;
    if (!rh_world_answer(function, &now)) {
        now = is_processor_time(id) ? 0 : rh_world_clock_ns();
    }
    return (struct timespec){
        .tv_sec = (time_t)(now / NANOSECONDS),
        .tv_nsec = (long)(now % NANOSECONDS),
    };
}

RH_ENTRY(int, clock_gettime, (clockid_t id, struct timespec *result))
{
    if (!rh__controlled()) {
        int status = REAL(clock_gettime)(id, result);
        if (status == 0) {
            note("clock_gettime", nanoseconds_of(result));
        }
        return status;
    }
    if (id > CLOCK_TAI) {
        errno = EINVAL;
        return -1;
    }
    *result = logical_time("clock_gettime", id);
    return 0;
}

RH_ENTRY(int, gettimeofday, (struct timeval *restrict result, void *restrict zone))
{
    if (!rh__controlled()) {
        int status = REAL(gettimeofday)(result, zone);
        note("gettimeofday",
             (uint64_t)result->tv_sec * NANOSECONDS + (uint64_t)result->tv_usec * 1000);
        return status;
    }
    struct timespec now = logical_time("gettimeofday", CLOCK_REALTIME);
    *result = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    if (zone) {
        memset(zone, 0, sizeof(struct timezone));
    }
    return 0;
}

RH_ENTRY(time_t, time, (time_t * result))
{
    if (!rh__controlled()) {
        time_t answer = REAL(time)(result);
        note("time", (uint64_t)answer * NANOSECONDS);
        return answer;
    }
    time_t now = logical_time("time", CLOCK_REALTIME).tv_sec;
    if (result) {
        *result = now;
    }
    return now;
}

RH_ENTRY(int, timespec_get, (struct timespec * result, int base))
{
    if (!rh__controlled()) {
        int answer = REAL(timespec_get)(result, base);
        if (answer == TIME_UTC) {
            note("timespec_get", nanoseconds_of(result));
        }
        return answer;
    }
    if (base != TIME_UTC) {
        return 0;
    }
    *result = logical_time("timespec_get", CLOCK_REALTIME);
    return base;
}

RH_ENTRY(clock_t, clock, (void))
{
    uint64_t answer = 0;
    if (!rh__controlled()) {
        return (clock_t)note("clock", (uint64_t)REAL(clock)());
    }
    return rh_world_answer("clock", &answer) ? (clock_t)answer : 0;
}

RH_ENTRY(clock_t, times, (struct tms * result))
{
    if (!rh__controlled()) {
        return REAL(times)(result);
    }
    uint64_t tick = NANOSECONDS / (uint64_t)sysconf(_SC_CLK_TCK);
    if (result) {
        *result = (struct tms){0};
    }
    return (clock_t)(rh_world_clock_ns() / tick);
}

RH_ENTRY(int, getrusage, (__rusage_who_t who, struct rusage *result))
{
    if (!rh__controlled()) {
        return REAL(getrusage)(who, result);
    }
    *result = (struct rusage){.ru_utime = {0, 0}};
    return 0;
}

RH_ENTRY(unsigned, sleep, (unsigned seconds))
{
    return rh__controlled() ? 0 : REAL(sleep)(seconds);
}

RH_ENTRY(int, usleep, (useconds_t microseconds))
{
    return rh__controlled() ? 0 : REAL(usleep)(microseconds);
}

static bool is_duration(const struct timespec *duration)
{
    return duration->tv_sec >= 0 && duration->tv_nsec >= 0 &&
           (uint64_t)duration->tv_nsec < NANOSECONDS;
}

RH_ENTRY(int, nanosleep, (const struct timespec *duration, struct timespec *rest))
{
    if (!rh__controlled()) {
        return REAL(nanosleep)(duration, rest);
    }
    if (!is_duration(duration)) {
        errno = EINVAL;
        return -1;
    }
    return 0;
}

RH_ENTRY(int, clock_nanosleep,
         (clockid_t id, int flags, const struct timespec *duration, struct timespec *rest))
{
    if (!rh__controlled()) {
        return REAL(clock_nanosleep)(id, flags, duration, rest);
    }
    return is_duration(duration) ? 0 : EINVAL;
}

RH_ENTRY(int, thrd_sleep, (const struct timespec *duration, struct timespec *rest))
{
    if (!rh__controlled()) {
        return REAL(thrd_sleep)(duration, rest);
    }
    return is_duration(duration) ? 0 : -2;
}

// The next number of the function: as it was recorded, or `count` bits of the actor's stream.
static uint32_t random_bits(const char *function, int count)
{
    uint64_t answer;
    return (uint32_t)(rh_world_answer(function, &answer) ? answer
                                                         : rh_world_random() >> (64 - count));
}

// All actors share libc's generators. Inside of a handler each actor has a stream of its own
// instead, one for all functions; the stream comes from the world's seed, so a seed that the
// program sets there is ignored.
RH_ENTRY(int, rand, (void))
{
    return rh__controlled() ? (int)random_bits("rand", 31)
                            : (int)note("rand", (uint64_t)REAL(rand)());
}

RH_ENTRY(long, random, (void))
{
    return rh__controlled() ? (long)random_bits("random", 31)
                            : (long)note("random", (uint64_t)REAL(random)());
}

RH_ENTRY(long, lrand48, (void))
{
    return rh__controlled() ? (long)random_bits("lrand48", 31)
                            : (long)note("lrand48", (uint64_t)REAL(lrand48)());
}

RH_ENTRY(long, mrand48, (void))
{
    return rh__controlled() ? (long)(int32_t)random_bits("mrand48", 32)
                            : (long)note("mrand48", (uint64_t)REAL(mrand48)());
}

RH_ENTRY_OF(RH_WIDTH_DOUBLE, RH_WORDS_FEW, double, drand48, (void))
{
    uint64_t answer;
    if (!rh__controlled()) {
        double number = REAL(drand48)();
        note("drand48", (uint64_t)(number * 0x1p48)); // the number has 48 bits
        return number;
    }
    if (!rh_world_answer("drand48", &answer)) {
        answer = rh_world_random() >> 16;
    }
    return (double)answer * 0x1p-48;
}

RH_ENTRY_VOID(srand, (unsigned seed))
{
    if (!rh__controlled()) {
        REAL(srand)(seed);
    }
}

RH_ENTRY_VOID(srandom, (unsigned seed))
{
    if (!rh__controlled()) {
        REAL(srandom)(seed);
    }
}

RH_ENTRY_VOID(srand48, (long seed))
{
    if (!rh__controlled()) {
        REAL(srand48)(seed);
    }
}

// Notes what the kernel has put into a buffer, eight bytes at a time.
static void note_bytes(const char *function, const void *buffer, size_t size)
{
    const unsigned char *next = buffer;
    while (size > 0 && rh__process.note_answer) {
        uint64_t bytes = 0;
        size_t part = size < sizeof bytes ? size : sizeof bytes;
        memcpy(&bytes, next, part);
        note(function, bytes);
        next += part;
        size -= part;
    }
}

static void fill_random(const char *function, void *buffer, size_t size)
{
    unsigned char *next = buffer;
    while (size > 0) {
        uint64_t bytes;
        if (!rh_world_answer(function, &bytes)) {
            bytes = rh_world_random();
        }
        size_t part = size < sizeof bytes ? size : sizeof bytes;
        memcpy(next, &bytes, part);
        next += part;
        size -= part;
    }
}

RH_ENTRY(ssize_t, getrandom, (void *buffer, size_t size, unsigned flags))
{
    if (!rh__controlled()) {
        ssize_t got = REAL(getrandom)(buffer, size, flags);
        note_bytes("getrandom", buffer, got > 0 ? (size_t)got : 0);
        return got;
    }
    fill_random("getrandom", buffer, size);
    return (ssize_t)size;
}

RH_ENTRY(int, getentropy, (void *buffer, size_t size))
{
    if (!rh__controlled()) {
        int status = REAL(getentropy)(buffer, size);
        note_bytes("getentropy", buffer, status == 0 ? size : 0);
        return status;
    }
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    fill_random("getentropy", buffer, size);
    return 0;
}

#if __GLIBC_PREREQ(2, 36)
RH_ENTRY(uint32_t, arc4random, (void))
{
    return rh__controlled() ? random_bits("arc4random", 32)
                            : (uint32_t)note("arc4random", REAL(arc4random)());
}

RH_ENTRY_VOID(arc4random_buf, (void *buffer, size_t size))
{
    if (!rh__controlled()) {
        REAL(arc4random_buf)(buffer, size);
        note_bytes("arc4random_buf", buffer, size);
        return;
    }
    fill_random("arc4random_buf", buffer, size);
}

RH_ENTRY(uint32_t, arc4random_uniform, (uint32_t bound))
{
    if (!rh__controlled()) {
        return (uint32_t)note("arc4random_uniform", REAL(arc4random_uniform)(bound));
    }
    uint64_t answer;
    if (rh_world_answer("arc4random_uniform", &answer)) {
        return (uint32_t)answer;
    }
    return (uint32_t)((rh_world_random() >> 32) * bound >> 32);
}
#endif

bool rh__is_random_path(const char *path)
{
    return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

int rh__open_random(int flags)
{
    unsigned char bytes[RANDOM_FILE_SIZE];
    fill_random("/dev/urandom", bytes, sizeof bytes);
    int was_inside = rh__step_outside();
    int file = memfd_create("random", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
    if (file >= 0 && pwrite(file, bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        close(file);
        file = -1;
    }
    rh__step_inside(was_inside);
    return file;
}

// The world has one process, whose number does not change from run to run.
RH_ENTRY(pid_t, getpid, (void))
{
    return rh__controlled() ? THE_PROCESS : REAL(getpid)();
}

RH_ENTRY(pid_t, gettid, (void))
{
    return rh__controlled() ? THE_PROCESS : REAL(gettid)();
}

RH_ENTRY(pid_t, getppid, (void))
{
    return rh__controlled() ? THE_PARENT : REAL(getppid)();
}

// An execution is a process group of its own.
static bool is_own(pid_t process)
{
    return process == 0 || process == THE_PROCESS;
}

RH_ENTRY(pid_t, getpgrp, (void))
{
    return rh__controlled() ? THE_PROCESS : REAL(getpgrp)();
}

RH_ENTRY(pid_t, getpgid, (pid_t process))
{
    return rh__controlled() && is_own(process) ? THE_PROCESS : REAL(getpgid)(process);
}

RH_ENTRY(pid_t, getsid, (pid_t process))
{
    return rh__controlled() && is_own(process) ? THE_PARENT : REAL(getsid)(process);
}

// A signal to the made-up numbers must reach this process, and never a stranger. Those that run the
// tests are like processes of another user.
static bool translate(pid_t *process)
{
    const int *tool = rh__process.tool_processes;
    if (*process == THE_PROCESS) {
        *process = REAL(getpid)();
    }
    return *process > THE_PARENT && *process != tool[0] && *process != tool[1];
}

// The same for a group. Group 1 would be all processes.
static bool translate_group(pid_t *group)
{
    const int *tool = rh__process.tool_processes;
    if (is_own(*group)) {
        *group = 0;
        return true;
    }
    return *group > THE_PARENT && *group != REAL(getpgid)(tool[0]) &&
           *group != REAL(getpgid)(tool[1]);
}

static int refuse_signal(void)
{
    errno = EPERM;
    return -1;
}

RH_ENTRY(int, killpg, (pid_t group, int number))
{
    if (rh__controlled() && !translate_group(&group)) {
        return refuse_signal();
    }
    return REAL(killpg)(group, number);
}

RH_ENTRY(int, kill, (pid_t process, int number))
{
    if (rh__controlled() && process <= 0) {
        return killpg(-process, number);
    }
    if (rh__controlled() && !translate(&process)) {
        return refuse_signal();
    }
    return REAL(kill)(process, number);
}

RH_ENTRY(int, tgkill, (pid_t process, pid_t thread, int number))
{
    if (rh__controlled() && !translate(&process)) {
        return refuse_signal();
    }
    if (rh__controlled() && thread == THE_PROCESS) {
        thread = REAL(gettid)();
    }
    return REAL(tgkill)(process, thread, number);
}

RH_ENTRY(int, sigqueue, (pid_t process, int number, const union sigval value))
{
    if (rh__controlled() && !translate(&process)) {
        return refuse_signal();
    }
    return REAL(sigqueue)(process, number, value);
}
