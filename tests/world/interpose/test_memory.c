// SPDX-License-Identifier: MIT
// Outside of handlers the malloc family is glibc's.
#include "base/valgrind.h"
#include "test.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

// The compiler knows these functions too well to leave every call in place.
static void *(*volatile allocate)(size_t) = malloc;
static void *(*volatile allocate_zeroed)(size_t, size_t) = calloc;
static void *(*volatile resize)(void *, size_t) = realloc;
static void *(*volatile resize_array)(void *, size_t, size_t) = reallocarray;
static void *(*volatile align)(size_t, size_t) = memalign;

static int is_aligned(const void *block, size_t alignment)
{
    return (uintptr_t)block % alignment == 0;
}

static void blocks_hold_what_they_should(void)
{
    for (size_t size = 0; size < 5000; size += 37) {
        char *block = allocate(size);
        EXPECT(block && is_aligned(block, 16) && malloc_usable_size(block) >= size);
        memset(block, 1, size);
        char *zeroed = allocate_zeroed(size, 3);
        EXPECT(zeroed && is_aligned(zeroed, 16));
        for (size_t i = 0; i < 3 * size; i++) {
            EXPECT(zeroed[i] == 0);
        }
        free(block);
        free(zeroed);
    }
}

static void growing_keeps_the_contents(void)
{
    char *block = resize(NULL, 10);
    EXPECT(block);
    memcpy(block, "contents", 9);
    for (size_t size = 10; size < 1000000; size *= 3) {
        block = resize(block, size);
        EXPECT(block);
        EXPECT_TEXT(block, "contents");
    }
    block = resize_array(block, 9, 1);
    EXPECT_TEXT(block, "contents");
    EXPECT(resize(block, 0) == NULL);
}

static void alignment_is_kept(void)
{
    for (size_t alignment = 8; alignment <= 8192; alignment *= 2) {
        void *block = align(alignment, 100);
        EXPECT(block && is_aligned(block, alignment));
        free(block);
        EXPECT(posix_memalign(&block, alignment, 100) == 0 && is_aligned(block, alignment));
        free(block);
        block = aligned_alloc(alignment, 10 * alignment);
        EXPECT(block && is_aligned(block, alignment));
        free(block);
    }
    void *page = valloc(1);
    EXPECT(page && is_aligned(page, (size_t)getpagesize()));
    free(page);
    page = pvalloc(1);
    EXPECT(page && malloc_usable_size(page) >= (size_t)getpagesize());
    free(page);
}

static void impossible_requests_fail(void)
{
    errno = 0;
    EXPECT(!allocate(SIZE_MAX - 100) && errno == ENOMEM);
    errno = 0;
    EXPECT(!allocate_zeroed(SIZE_MAX / 2, 3) && errno == ENOMEM);
    errno = 0;
    EXPECT(!resize_array(NULL, SIZE_MAX / 2, 3) && errno == ENOMEM);
    void *block = NULL;
    errno = 0;
    EXPECT(posix_memalign(&block, 24, 1) == EINVAL && errno == 0 && !block);
    EXPECT(posix_memalign(&block, 4, 1) == EINVAL && !block);
    EXPECT(posix_memalign(&block, 16, SIZE_MAX - 100) == ENOMEM && !block);
}

static void nothing_is_no_block(void)
{
    errno = 5;
    free(NULL);
    EXPECT(errno == 5 && malloc_usable_size(NULL) == 0);
}

static void a_child_can_allocate(void)
{
    char *inherited = allocate(100);
    pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
        char *own = allocate(100);
        free(inherited);
        free(own);
        _exit(own ? 0 : 1);
    }
    int status;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    free(inherited);
}

int main(void)
{
    if (rh_valgrind_is_running()) {
        puts("Valgrind serves malloc itself");
        return 77;
    }
    blocks_hold_what_they_should();
    growing_keeps_the_contents();
    alignment_is_kept();
    impossible_requests_fail();
    nothing_is_no_block();
    a_child_can_allocate();
    return 0;
}

// Sanitizers end the program at an impossible request unless told otherwise.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
