// SPDX-License-Identifier: MIT
#include "cli/request.h"

#include <sys/mman.h>
#include <unistd.h>

#include "test.h"

static struct rh_status read_descriptor(int descriptor, struct rh_words *words)
{
    char number[20];
    snprintf(number, sizeof number, "%d", descriptor);
    return rh_request_read(number, words);
}

static void round_trip(void)
{
    struct rh_words words = {0}, again = {0};
    rh_words_add(&words, "explore");
    rh_words_add(&words, "--as=a b\nc");
    rh_words_add(&words, "");
    int descriptor;
    struct rh_status status = rh_request_make(&words, &descriptor);
    EXPECT(rh_is_ok(&status));
    EXPECT(!rh_request_is_answered(descriptor));
    // A debugger may run the program twice.
    for (int i = 0; i < 2; i++) {
        status = read_descriptor(descriptor, &again);
        EXPECT(rh_is_ok(&status));
        EXPECT(rh_request_is_answered(descriptor));
        EXPECT(again.count == 3);
        EXPECT_TEXT(again.items[1], "--as=a b\nc");
        EXPECT_TEXT(again.items[2], "");
        rh_words_fini(&again);
    }
    close(descriptor);
    rh_words_fini(&words);
}

static void expect_refused(const void *bytes, size_t size, const char *part)
{
    struct rh_words words = {0};
    int descriptor = memfd_create("test", 0);
    EXPECT(write(descriptor, bytes, size) == (ssize_t)size);
    struct rh_status status = read_descriptor(descriptor, &words);
    EXPECT(status.code == RH_BAD_INPUT);
    EXPECT_PART(status.text, part);
    EXPECT(!rh_request_is_answered(descriptor));
    close(descriptor);
    rh_words_fini(&words);
}

// The program may do something to every descriptor that it has.
static void stays_whole(void)
{
    struct rh_words words = {0}, again = {0};
    rh_words_add(&words, "explore");
    int descriptor;
    struct rh_status status = rh_request_make(&words, &descriptor);
    EXPECT(rh_is_ok(&status));
    EXPECT(ftruncate(descriptor, 0) != 0);
    EXPECT(write(descriptor, "?", 1) != 1);
    status = read_descriptor(descriptor, &again);
    EXPECT(rh_is_ok(&status) && again.count == 1);
    char number[20];
    snprintf(number, sizeof number, "%d", descriptor);
    rh_request_finish(number, 2);
    EXPECT(rh_request_status(descriptor) == 2);
    close(descriptor);
    rh_words_fini(&again);
    rh_words_fini(&words);
}

int main(void)
{
    round_trip();
    stays_whole();
    expect_refused("", 0, "no request");
    expect_refused("?", 1, "no request");
    expect_refused("x0.1.0\nlist", 12, "no request");
    expect_refused("?0.0.9\nlist", sizeof "?0.0.9\nlist", "the command is 0.0.9");
    struct rh_words words = {0};
    static const char *const wrong[] = {"", "x", "-1", "99999999999999999999", "7x", "654321"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct rh_status status = rh_request_read(wrong[i], &words);
        EXPECT(status.code == RH_BAD_INPUT);
    }
    rh_words_fini(&words);
    return 0;
}
