// SPDX-License-Identifier: MIT
// Functions of libc that read or write what another thread writes: a race each, which only the
// function's own accesses show. With -DFIXED both hold a lock: two executions, and no race.
#define _GNU_SOURCE
#include <pthread.h>
#include <rehearse/component.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char shared[32] = "abcdefghijklmnopqrstuvwxyz";
static const char text[32] = "0123456789";
static char *block;

static void enter(void)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
}

static void leave(void)
{
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#else
    (void)lock;
#endif
}

static int compare(const void *one, const void *other)
{
    return *(const char *)one - *(const char *)other;
}

static void setup(void)
{
    block = malloc(32);
    strcpy(block, "abc");
}

RH_COMPONENT(libc){.setup = setup};

#define EACH(name, call)                                                                           \
    RH_THREADS(name)                                                                               \
    {                                                                                              \
        char own[32] = "xyz";                                                                      \
        (void)own;                                                                                 \
        rh_thread                                                                                  \
        {                                                                                          \
            enter();                                                                               \
            call;                                                                                  \
            leave();                                                                               \
        }                                                                                          \
        rh_thread                                                                                  \
        {                                                                                          \
            enter();                                                                               \
            shared[1] = block[1] = 'q';                                                            \
            leave();                                                                               \
        }                                                                                          \
    }

EACH(memcpy_to, memcpy(shared, text, 32))
EACH(memcpy_from, memcpy(own, shared, 32))
EACH(memmove_to, memmove(shared, text, 32))
EACH(memmove_from, memmove(own, shared, 32))
EACH(mempcpy_to, mempcpy(shared, text, 32))
EACH(bcopy_to, bcopy(text, shared, 32))
EACH(memset_to, memset(shared, 1, 32))
EACH(bzero_to, bzero(shared, 32))
EACH(memcmp_from, RH_CHECK(memcmp(shared, text, 32) != 0))
EACH(memchr_from, RH_CHECK(memchr(shared, '7', 3) == NULL))
EACH(strlen_from, RH_CHECK(strlen(shared) > 0))
EACH(strnlen_from, RH_CHECK(strnlen(shared, 5) == 5))
EACH(strcmp_from, RH_CHECK(strcmp(shared, "abx") != 0))
EACH(strncmp_from, RH_CHECK(strncmp("abx", shared, 4) != 0))
EACH(strchr_from, RH_CHECK(strchr(shared, '7') == NULL))
EACH(strrchr_from, RH_CHECK(strrchr(shared, '7') == NULL))
EACH(strstr_from, RH_CHECK(strstr(shared, "77") == NULL))
EACH(strcpy_to, strcpy(shared, text))
EACH(strcpy_from, strcpy(own, shared))
EACH(stpcpy_to, RH_CHECK(stpcpy(shared, text) == shared + 10))
EACH(strcat_to, strcat(own, shared))
EACH(strncat_to, strncat(own, shared, 5))
EACH(strncpy_to, strncpy(shared, text, 32))
EACH(strdup_from, free(strdup(shared)))
EACH(strndup_from, free(strndup(shared, 4)))
EACH(snprintf_to, snprintf(shared, 32, "%d", 12))
EACH(sprintf_to, sprintf(shared, "%d", 12))
EACH(snprintf_text, snprintf(own, 32, "%d %5.3s", 3, shared))
EACH(printf_text, printf("%%%*d %ld %.*f %s", 3, 4, 5L, 2, 1.5, shared))
EACH(fprintf_text, fprintf(stdout, "%Lf %c %p %hhd %s", 1.0L, 'x', (void *)own, 7, shared))
EACH(dprintf_text, RH_CHECK(dprintf(-1, "%-3x%s", 5u, shared) != 0))
EACH(asprintf_text, char *made = NULL; RH_CHECK(asprintf(&made, "%s", shared) > 0); free(made))
EACH(sscanf_from, int number; RH_CHECK(sscanf(shared, "%d", &number) < 1))
EACH(sscanf_to, RH_CHECK(sscanf("7 xy", "%*d %2s", shared) == 1))
EACH(sscanf_set_to, RH_CHECK(sscanf("a]b", "%3[]ab]", shared) == 1))
EACH(sscanf_number_to, RH_CHECK(sscanf("12", "%hd", (short *)(void *)block) == 1))
EACH(wcslen_from, RH_CHECK(wcslen((wchar_t *)(void *)block) < 3))
EACH(wcscpy_to, wcscpy((wchar_t *)(void *)block, L"x"))
EACH(wcscmp_from, RH_CHECK(wcscmp((wchar_t *)(void *)block, L"x") != 0))
EACH(wmemset_to, wmemset((wchar_t *)(void *)block, L'x', 2))
EACH(printf_wide, printf("%ls", (wchar_t *)(void *)block))
EACH(qsort_to, qsort(shared, 26, 1, compare))
EACH(read_to, RH_CHECK(read(-1, shared, 8) < 0))
EACH(write_from, RH_CHECK(write(-1, shared, 8) < 0))
EACH(fwrite_from, fwrite(shared, 1, 8, stdout))
EACH(fputs_from, fputs(shared, stdout))
EACH(puts_from, puts(shared))
EACH(realloc_from, block = realloc(block, 64))
EACH(
    copy_of_struct, struct whole { char bytes[32]; } whole = *(struct whole *)(void *)shared;
    RH_CHECK(whole.bytes[own[0] - 'w'] != 'a'))

// What stops before the byte that the other thread writes has no race.
#ifndef FIXED
#define STOPS EACH
STOPS(memchr_stops, RH_CHECK(memchr(shared, 'a', 32) == shared))
STOPS(printf_stops, printf("%.1s", shared))
STOPS(scanf_stops, RH_CHECK(sscanf("x", "%1c", shared) == 1))
STOPS(strchr_stops, RH_CHECK(strchr(shared, 'a') == shared))
STOPS(strcmp_stops, RH_CHECK(strcmp(shared, text) > 0))
STOPS(strncmp_stops, RH_CHECK(strncmp(text, shared, 4) < 0))
#endif
