// SPDX-License-Identifier: MIT
// A library whose functions `generate` has called: what they do besides giving a number.
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int calls;
static const int squares[] = {0, 1, 4, 9, 16};
static char *volatile kept;

int plain(int a, double b, float c, long d, short e)
{
    return a + (int)(b * 10) + (int)(c * 100) + (int)(d * 1000) + e * 10000;
}
double mean(int count, ...)
{
    double sum = 0;
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum += va_arg(list, double);
    va_end(list);
    return sum / count;
}
int reads_table(int index)
{
    return squares[index];
}
void fills(unsigned char *bytes, int count)
{
    for (int i = 0; i < count; i++)
        bytes[i] = (unsigned char)(i * 3);
}
int sums(const unsigned char *bytes, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += bytes[i];
    return sum;
}
int counts(int by)
{
    calls += by;
    return calls;
}
int keeps(char *bytes)
{
    kept = bytes;
    return 1;
}
int allocates(int size)
{
    char *block = malloc((size_t)size + 100);
    memset(block, 1, (size_t)size + 100);
    int result = block[size];
    free(block);
    return result;
}
int tells_time(int unit)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int)(now.tv_nsec / (unit + 1));
}
int tells_process(int more)
{
    return (int)getpid() + more;
}
int ticks(int more)
{
    return (int)__builtin_ia32_rdtsc() + more;
}
int writes_out(int more)
{
    return (int)write(1, "written", 7) + more;
}
int ends(int more)
{
    if (more < 100)
        abort();
    return more;
}
int address(const unsigned char *bytes)
{
    return (int)((uintptr_t)bytes >> 12);
}
