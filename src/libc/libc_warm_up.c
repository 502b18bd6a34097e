// SPDX-License-Identifier: MIT
#include "libc/real.h"

#include "libc/libc_warm_up.h"
#include "libc/streams.h"

#include <execinfo.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

// Defined by libc, but in none of its headers: each gives a stream its buffer, as the first use of
// the stream would.
void _IO_doallocbuf(FILE *file);
void _IO_wdoallocbuf(FILE *file);

static void resolve_functions(void)
{
    rh__resolve_input();
    rh__resolve_outside();
    rh__resolve_descriptor();
    rh__resolve_buffer();
    rh__resolve_process();
    rh__resolve_database();
    rh__resolve_specific();
}

static void give_buffers(void)
{
    for (FILE *file = rh_streams_first(); file; file = file->_chain) {
        if (!file->_IO_buf_base) {
            _IO_doallocbuf(file);
        }
    }
    _IO_wdoallocbuf(stdin);
    _IO_wdoallocbuf(stdout);
    _IO_wdoallocbuf(stderr);
}

static void warm_up_time(void)
{
    char text[64];
    time_t now = 0;
    tzset();
    struct tm *local = localtime(&now);
    if (local) {
        mktime(local);
        strftime(text, sizeof text, "%c %Z", local);
    }
}

static void warm_up_language(void)
{
    mbstate_t state = {0};
    wchar_t wide;
    char narrow[MB_LEN_MAX];
    setlocale(LC_ALL, NULL);
    localeconv();
    mbrtowc(&wide, "a", 1, &state);
    wcrtomb(narrow, L'a', &state);
    (void)strerror(-1);
    (void)strsignal(-1);
}

// The destination is volatile so that no compiler drops the calls.
static void warm_up_numbers(void)
{
    char text[128];
    volatile double number = strtod("1.5e100", NULL);
    volatile long double long_number = strtold("1.5e1000", NULL);
    snprintf(text, sizeof text, "%g %.3f %a %Lg", number, 1.0 / 3, number, long_number);
    wchar_t wide_text[32];
    swprintf(wide_text, sizeof wide_text / sizeof *wide_text, L"%d %g", 1, 1.5);
}

static int compare_bytes(const void *left, const void *right)
{
    return *(const unsigned char *)left - *(const unsigned char *)right;
}

// Beyond 1 KiB qsort asks how much memory there is, once. Two large elements are quickly sorted.
static void warm_up_sorting(void)
{
    unsigned char bytes[2048] = {1};
    qsort(bytes, 2, sizeof bytes / 2, compare_bytes);
}

// The first backtrace loads the unwinder.
static void warm_up_unwinding(void)
{
    void *frames[2];
    backtrace(frames, 2);
}

// The end of the data segment, which sbrk moves, is the program's: what the tool allocates while
// the program runs comes from room that libc has there before, and large blocks lie elsewhere.
static void leave_room(void)
{
    enum { ROOM = 1 << 20, PIECE = 100 << 10 };
    void *pieces[4], *end = sbrk(0);
    mallopt(M_TOP_PAD, ROOM);
    mallopt(M_TRIM_THRESHOLD, 2 * ROOM);
    size_t count = 0;
    while (count < sizeof pieces / sizeof *pieces && sbrk(0) == end)
        pieces[count++] = malloc(PIECE);
    while (count > 0)
        free(pieces[--count]);
}

void rh_libc_warm_up(void)
{
    int was_inside = rh__step_outside();
    int kept_errno = errno;
    resolve_functions();
    rh__reserve_keys();
    give_buffers();
    warm_up_time();
    warm_up_language();
    warm_up_numbers();
    warm_up_sorting();
    warm_up_unwinding();
    leave_room();
    errno = kept_errno;
    rh__step_inside(was_inside);
}
