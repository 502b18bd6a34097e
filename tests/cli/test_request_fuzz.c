// SPDX-License-Identifier: MIT
// Damages requests and expects that they are refused, or that their words make options or are refused as those.
#include <rehearse/version.h>

#include "cli/options.h"
#include "cli/request.h"
#include "fuzz.h"

// In place of NULs, which texts do not have.
enum { WORD_END = '\001' };

static const char *const seeds[] = {
    "?" REHEARSE_VERSION "\nexplore\001--as=till.c\001--max-executions=7\001--drop=2\001--json\001",
    "!" REHEARSE_VERSION "\nreplay\001--here\001--schedule=a.schedule\001--as=a b\001--at=3\001",
    "?" REHEARSE_VERSION
    "\nsample\001--runs=5\001--strategy=pct\001--depth=3\001--seed=0x7f\001--\001word\001",
    "?" REHEARSE_VERSION "\ncover\001--criteria=pr,pcr\001--save-coverage=file\001--test=t\001",
};

static const char *const pieces[] = {"\001",
                                     "\n",
                                     "?",
                                     "!",
                                     "0",
                                     "-",
                                     "--",
                                     "=",
                                     "--help\001",
                                     "--json\001",
                                     "99999999999999999999",
                                     "list\001",
                                     "shrink\001",
                                     "--states=exact\001",
                                     "--reduction=none\001",
                                     "--order=\001",
                                     ","};

static bool expect_answer(const struct rh_text *input)
{
    char path[40], number[20];
    struct rh_text bytes = {0};
    rh_text_add_bytes(&bytes, rh_text_get(input), input->length);
    for (size_t i = 0; i < bytes.length; i++)
        if (bytes.bytes[i] == WORD_END)
            bytes.bytes[i] = '\0';
    int descriptor = fuzz_file(rh_text_get(&bytes), bytes.length, path);
    snprintf(number, sizeof number, "%d", descriptor);
    struct rh_words words = {0};
    struct rh_status status = rh_request_read(number, &words);
    EXPECT(status.code != RH_FAILED);
    bool is_read = rh_is_ok(&status);
    EXPECT(rh_request_is_answered(descriptor) || !is_read);
    if (is_read) {
        struct rh_tool tool = {.name = "rehearse", .is_request = true};
        struct rh_options options = {0};
        char **arguments = rh_words_arguments(&words);
        status = rh_options_parse(&options, &tool, (int)words.count, arguments);
        EXPECT(status.code != RH_FAILED);
        rh_options_fini(&options);
        free(arguments);
        rh_request_finish(number, 2);
        EXPECT(rh_request_status(descriptor) == 2);
    }
    rh_words_fini(&words);
    rh_text_fini(&bytes);
    close(descriptor);
    return is_read;
}

int main(int argc, char **argv)
{
    static const struct fuzz_reader reader = {seeds, FUZZ_COUNT(seeds), pieces, FUZZ_COUNT(pieces),
                                              8000,  expect_answer};
    return fuzz_main(&reader, argc, argv);
}
