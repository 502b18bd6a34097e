// SPDX-License-Identifier: MIT
// Outside of handlers time, random numbers and process numbers are the system's.
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

// Later than any logical clock begins, and than this test was written.
enum { YEAR_2023 = 1672531200 };

static void clocks_show_the_time(void)
{
    struct timespec now;
    EXPECT(clock_gettime(CLOCK_REALTIME, &now) == 0 && now.tv_sec > YEAR_2023);
    struct timeval day;
    EXPECT(gettimeofday(&day, NULL) == 0 && day.tv_sec >= now.tv_sec);
    time_t seconds;
    EXPECT(time(&seconds) == seconds && seconds > YEAR_2023);
    EXPECT(timespec_get(&now, TIME_UTC) == TIME_UTC && now.tv_sec > YEAR_2023);
    EXPECT(timespec_get(&now, -1) == 0);
    EXPECT(clock_gettime(CLOCK_MONOTONIC, &now) == 0 && (now.tv_sec || now.tv_nsec));
    errno = 0;
    EXPECT(clock_gettime(1000, &now) == -1 && errno == EINVAL);
}

static void processor_time_is_used(void)
{
    clock_t start = clock();
    EXPECT(start >= 0);
    struct timespec used = {0, 0};
    while (used.tv_sec == 0 && used.tv_nsec < 20000000) {
        EXPECT(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0);
    }
    EXPECT(clock() > start);
    struct rusage usage;
    EXPECT(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss > 0);
    struct tms ticks;
    EXPECT(times(&ticks) != -1);
}

static long milliseconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000;
}

static void sleeping_takes_time(void)
{
    struct timespec start, pause = {0, 5000000};
    clock_gettime(CLOCK_MONOTONIC, &start);
    EXPECT(nanosleep(&pause, NULL) == 0);
    EXPECT(clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL) == 0);
    EXPECT(usleep(5000) == 0);
    EXPECT(milliseconds_since(&start) >= 15);
    EXPECT(sleep(0) == 0);
}

static void seeds_decide_the_numbers(void)
{
    int numbers[2];
    for (int i = 0; i < 2; i++) {
        srand(42);
        numbers[i] = rand();
    }
    EXPECT(numbers[0] == numbers[1]);
    srand(43);
    EXPECT(rand() != numbers[0]);
    srandom(42);
    EXPECT(random() == numbers[0]); // glibc's rand and random are one generator
    srand48(1);
    long first = lrand48();
    srand48(1);
    EXPECT(lrand48() == first && mrand48() != 0);
    double fraction = drand48();
    EXPECT(fraction >= 0 && fraction < 1);
}

static void random_bytes_are_random(void)
{
    char first[32], second[32];
    EXPECT(getrandom(first, sizeof first, 0) == sizeof first);
    EXPECT(getentropy(second, sizeof second) == 0);
    EXPECT(memcmp(first, second, sizeof first) != 0);
    int file = open("/dev/urandom", O_RDONLY);
    EXPECT(file >= 0 && read(file, second, sizeof second) == sizeof second);
    EXPECT(memcmp(first, second, sizeof first) != 0);
    EXPECT(close(file) == 0);
}

static void the_process_has_its_number(void)
{
    EXPECT(getpid() == (pid_t)syscall(SYS_getpid));
    EXPECT(gettid() == (pid_t)syscall(SYS_gettid));
    EXPECT(getppid() == (pid_t)syscall(SYS_getppid));
    EXPECT(kill(getpid(), 0) == 0);
}

int main(void)
{
    clocks_show_the_time();
    processor_time_is_used();
    sleeping_takes_time();
    seeds_decide_the_numbers();
    random_bytes_are_random();
    the_process_has_its_number();
    return 0;
}
