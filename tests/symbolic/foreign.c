// SPDX-License-Identifier: MIT
// Calls of functions whose code is not in the sources: those of foreign_library.c, and of libc.
#include <ctype.h>
#include <math.h>
#include <rehearse/actor.h>
#include <rehearse/test.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int plain(int a, double b, float c, long d, short e);
double mean(int count, ...);
int reads_table(int index);
void fills(unsigned char *bytes, int count);
int sums(const unsigned char *bytes, int count);
int counts(int by);
int keeps(char *bytes);
int allocates(int size);
int tells_time(int unit);
int tells_process(int more);
int ticks(int more);
int writes_out(int more);
int ends(int more);
int address(const unsigned char *bytes);

struct clerk {
    int last;
    double mean;
    unsigned char bytes[4];
};

// One behaviour for each call.
#define CLERK(name, what)                                                                          \
    static void name##_behaviour(rh_actor *self, void *state, const rh_message *message)           \
    {                                                                                              \
        struct clerk *clerk = state;                                                               \
        const struct job *job = rh_as(message, job);                                               \
        (void)self;                                                                                \
        if (job && job->number > 0 && job->number < 5)                                             \
            what;                                                                                  \
    }
RH_MESSAGE(job, {
    int number;
    unsigned char bytes[4];
});
static unsigned char local_sum(int number)
{
    unsigned char bytes[6];
    fills(bytes, number);
    return bytes[number - 1];
}
CLERK(plain, clerk->last = plain(job->number, 2.5, 1.25F, 7, 3))
CLERK(mean, clerk->mean = mean(2, (double)job->number, 2.0))
CLERK(table, clerk->last = reads_table(job->number))
CLERK(branch, if (reads_table(job->number) == 1) clerk->last = 1)
CLERK(fill, fills(clerk->bytes, 3))
CLERK(local, clerk->last = local_sum(job->number))
CLERK(sum, clerk->last = sums(job->bytes, 4))
CLERK(beyond, clerk->last = sums(job->bytes, 5))
CLERK(count, clerk->last = counts(job->number))
CLERK(keep, clerk->last = keeps((char *)clerk->bytes))
CLERK(allocate, clerk->last = allocates(job->number))
CLERK(time, clerk->last = tells_time(job->number))
CLERK(process, clerk->last = tells_process(job->number))
CLERK(tick, clerk->last = ticks(job->number))
CLERK(output, clerk->last = writes_out(job->number))
CLERK(end, clerk->last = ends(job->number))
CLERK(address, clerk->last = address(clerk->bytes))
CLERK(upper, clerk->last = toupper('a' + job->number))
CLERK(text, clerk->last = snprintf((char *)clerk->bytes, 4, "%d", job->number))
CLERK(parse, clerk->last = atoi("42"))
CLERK(libc_time, clerk->last = (int)time(NULL))
CLERK(chance, clerk->last = rand())
CLERK(environment, clerk->last = getenv("HOME") != NULL)

RH_TEST(all)
{
#define SPAWN(name) rh_spawn(name##_behaviour, struct clerk, {0})
    SPAWN(plain), SPAWN(mean), SPAWN(table), SPAWN(branch), SPAWN(fill), SPAWN(local), SPAWN(sum);
    SPAWN(beyond), SPAWN(count), SPAWN(keep), SPAWN(allocate), SPAWN(time), SPAWN(process);
    SPAWN(tick), SPAWN(output), SPAWN(end), SPAWN(address), SPAWN(upper), SPAWN(text);
    SPAWN(parse), SPAWN(libc_time), SPAWN(chance), SPAWN(environment);
}
