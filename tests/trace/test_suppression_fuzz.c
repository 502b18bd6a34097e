// SPDX-License-Identifier: MIT
// Damages suppressions and expects that the reader answers, and that what it has read can be asked.
#include "fuzz.h"
#include "trace/suppression.h"

static const char *const seeds[] = {
    "# known ones\n\nshared-state log_counter   # a counter\r\nshared-state cache_*_size\n",
    "unhandled logger tick\nunhandled * ping*",
    "leak *a*b*c*d*\nshared-state \"a b\"\n",
};

static const char *const pieces[] = {
    "\n",         "\r\n",  "\"", "*",   "**", "*a*",   "#", " ", "shared-state ",
    "unhandled ", "leak ", "\\", "\\x", "+8", "check "};

static bool expect_answer(const struct rh_text *input)
{
    char path[40];
    int descriptor = fuzz_file(rh_text_get(input), input->length, path);
    struct rh_suppressions known = {0};
    struct rh_status status = rh_suppressions_read(&known, path);
    EXPECT(status.code != RH_FAILED);
    if (!rh_is_ok(&status))
        EXPECT(strstr(status.text, path));
    for (size_t i = 0; i < known.items.count; i++)
        rh_suppressions_match(&known, "shared-state", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "tick");
    rh_suppressions_fini(&known);
    close(descriptor);
    return rh_is_ok(&status);
}

int main(int argc, char **argv)
{
    static const struct fuzz_reader reader = {seeds, FUZZ_COUNT(seeds), pieces, FUZZ_COUNT(pieces),
                                              8000,  expect_answer};
    return fuzz_main(&reader, argc, argv);
}
