// SPDX-License-Identifier: MIT
// Mutates schedules and expects that the parser answers: a schedule that prints and parses to the same
// text again, or an error that names the file. The mutations are seeded: each run does the same.
#include "base/rng.h"
#include "test.h"
#include "trace/schedule.h"

#define MUTATION_COUNT 40000

static const char *const seeds[] = {
    ("rehearse schedule 1\nprogram bank.c \"my helper.c\"\ntest overdraw\norder any\ntime strict\n"
     "finding check bank.c:27\ninput limit = 5 # five\ninput c = '#'\n"
     "deliver withdraw to account#1 from teller#2 @4f3c9a2b1d0e7788 # {amount = 70}\n"
     "choose 1 of 3\ndeliver stop to \"account#1\"\nend\n"),
    "rehearse schedule 1\r\nprogram p\r\ntest t\r\nchoose 0 of 1\r\nend\r\n",
    "rehearse schedule 1\nprogram p\ntest t\nsend put {s = \"}\", in = {c = '{'}} to a#1\nend\n",
    "rehearse schedule 1\nprogram p\ntest t\nsend stop to a#1 from ann # it\nend\n",
    "\n#\nrehearse schedule 1\nprogram \"\\x01\\\\\\\"\"\ntest t\ninput s = \"\\\"\"\nend",
};

// Pieces that mean something to the parser, so that mutations get past the first check.
static const char *const pieces[] = {
    "\n",
    "\r\n",
    "\"",
    "\\",
    "#",
    " # ",
    "@",
    "'",
    "=",
    " = ",
    "end\n",
    "of",
    "to",
    "from",
    "choose ",
    "0",
    "2147483647",
    "-1",
    "deliver ",
    "input x = ",
    "\\x",
    "\\x41",
    "\t",
    "  ",
    ":",
    "finding ",
    "send ",
    "{",
    "}",
    "program ",
    "rehearse schedule 1\n",
    "4f3c9a2b1d0e7788",
    "99999999999999999999",
};

static void replace(struct rh_text *text, size_t at, size_t removed, const void *added,
                    size_t added_length)
{
    struct rh_text result = {0};
    rh_text_add_bytes(&result, rh_text_get(text), at);
    rh_text_add_bytes(&result, added, added_length);
    rh_text_add_bytes(&result, rh_text_get(text) + at + removed, text->length - at - removed);
    rh_text_fini(text);
    *text = result;
}

static void mutate(struct rh_text *text, struct rh_rng *rng)
{
    size_t at = rh_rng_below(rng, text->length + 1);
    size_t left = text->length - at;
    size_t length = rh_rng_below(rng, left < 20 ? left + 1 : 20);
    const char *piece = pieces[rh_rng_below(rng, sizeof pieces / sizeof *pieces)];
    unsigned char byte = (unsigned char)rh_rng_next(rng);
    switch (rh_rng_below(rng, 6)) {
    case 0:
        replace(text, at, left ? 1 : 0, &byte, 1);
        break;
    case 1:
        replace(text, at, length, "", 0);
        break;
    case 2:
        replace(text, at, 0, piece, strlen(piece));
        break;
    case 3:
        replace(text, at, length, piece, strlen(piece));
        break;
    case 4: {
        char *copy = memcpy(rh_alloc(length + 1), rh_text_get(text) + at, length);
        replace(text, rh_rng_below(rng, text->length + 1), 0, copy, length);
        free(copy);
        break;
    }
    default:
        replace(text, at, left, "", 0);
        break;
    }
}

static void expect_round_trip(const struct rh_schedule *schedule)
{
    struct rh_text first = {0};
    struct rh_text second = {0};
    rh_schedule_print(schedule, &first);
    struct rh_schedule back;
    struct rh_status status = rh_schedule_parse(&back, "again", rh_text_get(&first), first.length);
    EXPECT_TEXT(status.text, "");
    rh_schedule_print(&back, &second);
    EXPECT_TEXT(rh_text_get(&second), rh_text_get(&first));
    rh_schedule_fini(&back);
    rh_text_fini(&first);
    rh_text_fini(&second);
}

// Gives whether the bytes were a schedule. They are copied to a block of just their size, so that a
// sanitizer sees a read behind them.
static bool expect_answer(const struct rh_text *text)
{
    char *bytes = malloc(text->length ? text->length : 1);
    EXPECT(bytes);
    memcpy(bytes, rh_text_get(text), text->length);
    struct rh_schedule schedule;
    struct rh_status status = rh_schedule_parse(&schedule, "fuzz", bytes, text->length);
    bool parsed = rh_is_ok(&status);
    if (parsed) {
        EXPECT(schedule.programs.count && schedule.test);
        expect_round_trip(&schedule);
    } else {
        EXPECT(status.code == RH_BAD_INPUT && strncmp(status.text, "fuzz:", 5) == 0);
        EXPECT(!schedule.path && !schedule.steps.items);
    }
    rh_schedule_fini(&schedule);
    free(bytes);
    return parsed;
}

int main(void)
{
    struct rh_rng rng;
    rh_rng_seed(&rng, 20240229);
    int parsed = 0;
    for (int i = 0; i < MUTATION_COUNT; i++) {
        struct rh_text text = {0};
        rh_text_add(&text, seeds[i % (sizeof seeds / sizeof *seeds)]);
        for (uint64_t count = 1 + rh_rng_below(&rng, 4); count; count--)
            mutate(&text, &rng);
        parsed += expect_answer(&text);
        rh_text_fini(&text);
    }
    // Both outcomes are reached often, or the mutations would test little.
    EXPECT(parsed > MUTATION_COUNT / 50 && parsed < MUTATION_COUNT / 2);
    return 0;
}
