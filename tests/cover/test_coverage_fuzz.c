// SPDX-License-Identifier: MIT
// Damages coverage files and expects that the reader answers, and that what it has read can be reviewed.
#include "cover/coverage_file.h"
#include "cover/review.h"
#include "fuzz.h"

#define HEAD                                                                                       \
    "rehearse coverage 1\nprogram till.c helper.c\ntest overdraw\norder fifo\ntime "               \
    "causal\nenvironment quiet\n"                                                                  \
    "executions 102\n"

static const char *const seeds[] = {
    (HEAD
     "actor till#1 @1603f52fc8d65b40\nevent deposit from outside @3746e04afc624911 at till.c:34\n"
     "event withdraw from \"a b\" @e5dd7a522e80dda1 at till.c:35 changes\n"
     "event told from clerk#1 @e5dd7a522e80dda2 at till.c:36 reply\n"
     "pr 0: 1\npcr 0: 1\npbr 1: 0\nfree 0: 1-2\nfree 1: 0\n"
     "run\nreceive 0\nreceive 1 sent 0 changes\nreceive 2 reply behind 0 due 7 timer\n"
     "run\nreceive 1\nreceive 0 enabled 0\nend\n"),
    (HEAD
     "behaviour till_behaviour in till.c\nbehaviour clerk in clerk.c\ncreated 1 by 0 at till.c:33\n"
     "became 2 by 1 at till.c:3\nsent deposit from 0 to 1 at till.c:34\n"
     "sent withdraw from 0 to 1 at till.c:35 reply\nbefore 2: 3\nend\n"),
    (HEAD "end\n" HEAD "run\nend\n"),
};

static const char *const pieces[] = {
    "\n",
    "end\n",
    "run\n",
    "receive 0",
    "receive 1",
    "event m from a @0000000000000007 at a.c:1\n",
    "pr 0: 0-9",
    "free 1:",
    "-",
    "0-18446744073709551615",
    "18446744073709551615",
    "4294967296",
    " sent 0",
    " behind 0",
    "\"",
    "#",
    "actor a#1 @0000000000000001\n",
    "@0000000000000001",
    "test t\n",
    "program p\n",
    (HEAD),
    "before 0: 1\n",
    " at a.c:2147483648",
    ":",
};

// The bytes are copied to a block of just their size, so that a sanitizer sees a read behind them.
static bool expect_answer(const struct rh_text *input)
{
    char *bytes = malloc(input->length ? input->length : 1);
    EXPECT(bytes);
    memcpy(bytes, rh_text_get(input), input->length);
    struct rh_coverage_set set = {0};
    struct rh_coverage_review review = {0};
    struct rh_status status = rh_coverage_parse(&set, "fuzz", bytes, input->length);
    bool is_read = rh_is_ok(&status);
    EXPECT(is_read || (status.code == RH_BAD_INPUT && strncmp(status.text, "fuzz:", 5) == 0));
    if (is_read) {
        status = rh_coverage_review(&set, 10, &review);
        EXPECT_TEXT(status.text, "");
    }
    rh_coverage_review_fini(&review);
    rh_coverage_set_fini(&set);
    free(bytes);
    return is_read;
}

int main(int argc, char **argv)
{
    static const struct fuzz_reader reader = {seeds, FUZZ_COUNT(seeds), pieces, FUZZ_COUNT(pieces),
                                              20000, expect_answer};
    return fuzz_main(&reader, argc, argv);
}
