// SPDX-License-Identifier: MIT
// Damages schedules and expects that the parser answers: a schedule that prints and parses to the same text again, or an
// error that names the file.
#include "fuzz.h"
#include "trace/schedule.h"

static const char *const seeds[] = {
    ("rehearse schedule 1\nprogram bank.c \"my helper.c\"\ntest overdraw\norder any\ntime strict\n"
     "finding check bank.c:27\ninput limit = 5 # five\ninput c = '#'\n"
     "deliver withdraw to account#1 from teller#2 @4f3c9a2b1d0e7788 # {amount = 70}\n"
     "choose 1 of 3\ndeliver stop to \"account#1\"\nend\n"),
    "rehearse schedule 1\r\nprogram p\r\ntest t\r\nchoose 0 of 1\r\nend\r\n",
    "rehearse schedule 1\nprogram p\ntest t\nsend put {s = \"}\", in = {c = '{'}} to a#1\nend\n",
    "rehearse schedule 1\nprogram p\ntest t\nsend stop to a#1 from ann # it\nend\n",
    ("rehearse schedule 1\nprogram p\nadapter zmq\narguments a \"b c\"\ntest t\nenvironment open\n"
     "came put 00ff @a#1 00 to a#1 from ann @4f3c9a2b1d0e7788 due 7\ncreated b \"struct s\" 0102 "
     "@a#1 &x as b#1\nblock x of b#1 00 &x+1\n"
     "hold put to a#1 from ann until stop to a#1 @4f3c9a2b1d0e7788\n"
     "answer rand 7\ndrop put to a#1\nduplicate put to a#1\ncrash a#1 @4f3c9a2b1d0e7788\n"
     "deliver put to a#1\nlap\ndeliver put to a#1\nend\n"),
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

int main(int argc, char **argv)
{
    static const struct fuzz_reader reader = {seeds, FUZZ_COUNT(seeds), pieces, FUZZ_COUNT(pieces),
                                              40000, expect_answer};
    return fuzz_main(&reader, argc, argv);
}
