// SPDX-License-Identifier: MIT
#include "trace/schedule.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

#define HEAD "rehearse schedule 1\nprogram bank.c\ntest overdraw\n"

static const char example[] =
    "rehearse schedule 1\n"
    "program bank.c helper.c          # as given on the command line\n"
    "test overdraw\n"
    "order any\n"
    "time strict\n"
    "environment open\n"
    "finding check bank.c:27          # optional\n"
    "\n"
    "# a comment line\n"
    "input limit = 5                  # the rest of the line\n"
    "input name = \"a # b\" # comment\n"
    "\tdeliver withdraw to account#1 from teller#2 @4f3c9a2b1d0e7788   # {amount = 70}\n"
    "choose 1 of 3\n"
    "deliver stop to account#1 @00000000000000FF\n"
    "deliver stop to account#1 from outside\n"
    "deliver stop to account#1\n"
    "end # of it\n"
    "\n"
    "# nothing but comments may follow\n";

static void parse(struct rh_schedule *schedule, const char *text)
{
    struct rh_status status = rh_schedule_parse(schedule, "a.schedule", text, strlen(text));
    EXPECT_TEXT(status.text, "");
    EXPECT(rh_is_ok(&status));
}

static void expect_example(const struct rh_schedule *schedule)
{
    EXPECT_TEXT(schedule->path, "a.schedule");
    EXPECT(schedule->programs.count == 2);
    EXPECT_TEXT(schedule->programs.items[0], "bank.c");
    EXPECT_TEXT(schedule->programs.items[1], "helper.c");
    EXPECT_TEXT(schedule->test, "overdraw");
    EXPECT(schedule->order_rule == RH_ORDER_ANY && schedule->time == RH_TIME_STRICT);
    EXPECT(schedule->environment == RH_ENVIRONMENT_OPEN);
    EXPECT_TEXT(schedule->finding_kind, "check");
    EXPECT_TEXT(schedule->finding_file, "bank.c");
    EXPECT(schedule->finding_line == 27);
    EXPECT(schedule->inputs.count == 2);
    EXPECT_TEXT(schedule->inputs.items[0].name, "limit");
    EXPECT_TEXT(schedule->inputs.items[0].value, "5");
    EXPECT_TEXT(schedule->inputs.items[1].value, "\"a # b\"");
}

static void example_is_understood(const char *text)
{
    struct rh_schedule schedule;
    parse(&schedule, text);
    expect_example(&schedule);
    EXPECT(schedule.inputs.items[0].line == 10);
    EXPECT(schedule.steps.count == 5);
    const struct rh_step *steps = schedule.steps.items;
    EXPECT(steps[0].kind == RH_STEP_DELIVER && steps[0].line == 12);
    EXPECT_TEXT(steps[0].type, "withdraw");
    EXPECT_TEXT(steps[0].receiver, "account#1");
    EXPECT_TEXT(steps[0].sender, "teller#2");
    EXPECT(steps[0].has_identity && steps[0].identity == 0x4f3c9a2b1d0e7788);
    EXPECT(steps[1].kind == RH_STEP_CHOOSE && steps[1].outcome == 1 && steps[1].count == 3);
    EXPECT(steps[2].has_identity && steps[2].identity == 0xff && !steps[2].sender);
    EXPECT(!steps[3].has_identity);
    EXPECT_TEXT(steps[3].sender, "outside");
    EXPECT(!steps[4].has_identity && !steps[4].sender && steps[4].line == 16);
    rh_schedule_fini(&schedule);
    EXPECT(!schedule.path && !schedule.steps.count);
    rh_schedule_fini(&schedule);
}

static void windows_line_ends_are_fine(void)
{
    struct rh_text text = {0};
    for (const char *at = example; *at; at++)
        rh_text_add_bytes(&text, *at == '\n' ? "\r\n" : at, *at == '\n' ? 2 : 1);
    example_is_understood(rh_text_get(&text));
    rh_text_fini(&text);
}

static void printing_is_exact(void)
{
    struct rh_schedule schedule;
    struct rh_text text = {0};
    parse(&schedule, example);
    schedule.note = rh_strdup("money was lost\n\nlook at line 3\n");
    schedule.steps.items[0].comment = rh_strdup("{amount = 70}\nsent at bank.c:41");
    rh_schedule_print(&schedule, &text);
    EXPECT_TEXT(rh_text_get(&text), "rehearse schedule 1\n"
                                    "program bank.c helper.c\n"
                                    "test overdraw\n"
                                    "order any\n"
                                    "time strict\n"
                                    "environment open\n"
                                    "finding check bank.c:27\n"
                                    "# money was lost\n"
                                    "#\n"
                                    "# look at line 3\n"
                                    "input limit = 5\n"
                                    "input name = \"a # b\"\n"
                                    "deliver withdraw to account#1 from teller#2 @4f3c9a2b1d0e7788"
                                    "   # {amount = 70} sent at bank.c:41\n"
                                    "choose 1 of 3\n"
                                    "deliver stop to account#1 @00000000000000ff\n"
                                    "deliver stop to account#1 from outside\n"
                                    "deliver stop to account#1\n"
                                    "end\n");
    rh_schedule_fini(&schedule);
    rh_text_fini(&text);
}

static void expect_same_text(const struct rh_schedule *first, const struct rh_schedule *second)
{
    struct rh_text one = {0};
    struct rh_text two = {0};
    rh_schedule_print(first, &one);
    rh_schedule_print(second, &two);
    EXPECT_TEXT(rh_text_get(&two), rh_text_get(&one));
    rh_text_fini(&one);
    rh_text_fini(&two);
}

// Names that need quotes come back as they were.
static void odd_names_survive(void)
{
    static const char *const names[] = {
        "with blank",         "#1", "@1234", "",         "a\"b", "back\\slash", "\t", "new\nline",
        "gr\xc3\xbc\xc3\x9f", "to", "from",  "\x01\x7f", "\"",   "a#b"};
    struct rh_schedule schedule = {0};
    *rh_vector_push(&schedule.programs) = rh_strdup("my program.c");
    *rh_vector_push(&schedule.programs) = rh_strdup("#strange\".c");
    schedule.test = rh_strdup("test");
    schedule.finding_kind = rh_strdup("shared-state");
    schedule.finding_file = rh_strdup("C: drive.c");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct rh_step *step = rh_vector_push(&schedule.steps);
        step->type = rh_strdup(names[i]);
        step->receiver = rh_strdup(names[i]);
        step->sender = rh_strdup(names[i]);
        step->has_identity = i % 2;
        step->identity = UINT64_MAX - i;
    }
    struct rh_text text = {0};
    rh_schedule_print(&schedule, &text);
    struct rh_schedule back;
    parse(&back, rh_text_get(&text));
    expect_same_text(&schedule, &back);
    EXPECT_TEXT(back.programs.items[1], "#strange\".c");
    EXPECT_TEXT(back.finding_file, "C: drive.c");
    EXPECT(back.finding_line == 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        EXPECT_TEXT(back.steps.items[i].type, names[i]);
        EXPECT_TEXT(back.steps.items[i].sender, names[i]);
    }
    rh_schedule_fini(&schedule);
    rh_schedule_fini(&back);
    rh_text_fini(&text);
}

static void defaults_are_fifo_and_causal(void)
{
    struct rh_schedule schedule;
    parse(&schedule, HEAD "finding deadlock\nend");
    EXPECT(schedule.order_rule == RH_ORDER_FIFO && schedule.time == RH_TIME_CAUSAL);
    EXPECT(!schedule.finding_file && schedule.steps.count == 0);
    rh_schedule_fini(&schedule);
}

static void values_are_taken_as_they_stand(void)
{
    static const struct {
        const char *line;
        const char *value;
    } cases[] = {
        {"input x = -1.5e3", "-1.5e3"},
        {"input x =   spaced  words  ", "spaced  words"},
        {"input x = '#'   # a character", "'#'"},
        {"input x = '\"' # a quote", "'\"'"},
        {"input x = '\\'' # another", "'\\''"},
        {"input x = \"a\\\" # b\"", "\"a\\\" # b\""},
        {"input x = {a = 1, b = \"#\"}# no comment", "{a = 1, b = \"#\"}# no comment"},
        {"input \"x y\" = account#1", "account#1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rh_text text = {0};
        rh_text_addf(&text, HEAD "%s\nend\n", cases[i].line);
        struct rh_schedule schedule;
        parse(&schedule, rh_text_get(&text));
        EXPECT_TEXT(schedule.inputs.items[0].value, cases[i].value);
        struct rh_schedule back;
        rh_text_clear(&text);
        rh_schedule_print(&schedule, &text);
        parse(&back, rh_text_get(&text));
        EXPECT_TEXT(back.inputs.items[0].value, cases[i].value);
        rh_schedule_fini(&schedule);
        rh_schedule_fini(&back);
        rh_text_fini(&text);
    }
}

static const char sends[] = HEAD
    "order fifo\ntime causal\n"
    "input limit = 5\n"
    "send deposit {amount = 5, name = \"} # {\", c = '}', in = {x = 1}} to account#1 from ann\n"
    "send stop to account#1\n"
    "send \"odd type\" {} to \"odd actor\" from \"odd sender\"\n"
    "deliver stop to account#1\n"
    "end\n";

static void sends_round_trip(void)
{
    struct rh_schedule schedule;
    struct rh_text text = {0};
    parse(&schedule, sends);
    EXPECT(schedule.sends.count == 3 && schedule.steps.count == 1);
    const struct rh_schedule_send *first = schedule.sends.items;
    EXPECT_TEXT(first[0].type, "deposit");
    EXPECT_TEXT(first[0].fields, "{amount = 5, name = \"} # {\", c = '}', in = {x = 1}}");
    EXPECT_TEXT(first[0].receiver, "account#1");
    EXPECT_TEXT(first[0].sender, "ann");
    EXPECT(first[0].line == 7);
    EXPECT(!first[1].fields && !first[1].sender);
    EXPECT_TEXT(first[2].type, "odd type");
    EXPECT_TEXT(first[2].sender, "odd sender");
    rh_schedule_print(&schedule, &text);
    EXPECT_TEXT(rh_text_get(&text), sends);
    rh_schedule_fini(&schedule);
    rh_text_fini(&text);
}

static void laps_round_trip(void)
{
    static const char lap[] = "rehearse schedule 1\n"
                              "program bank.c\n"
                              "test overdraw\n"
                              "order fifo\n"
                              "time causal\n"
                              "deliver stop to account#1\n"
                              "lap\n"
                              "deliver stop to account#1\n"
                              "end\n";
    struct rh_schedule schedule;
    struct rh_text text = {0};
    parse(&schedule, lap);
    EXPECT(schedule.steps.count == 3);
    EXPECT(schedule.steps.items[1].kind == RH_STEP_LAP && schedule.steps.items[1].line == 7);
    rh_schedule_print(&schedule, &text);
    EXPECT_TEXT(rh_text_get(&text), lap);
    rh_schedule_fini(&schedule);
    rh_text_fini(&text);
}

static void programs_as_they_are_round_trip(void)
{
    static const char text[] = "rehearse schedule 1\n"
                               "program ./broker\n"
                               "adapter zmq\n"
                               "arguments 5555 \"two words\" \"\"\n"
                               "random 18446744073709551615\n"
                               "test main\n"
                               "order fifo\n"
                               "time causal\n"
                               "end\n";
    struct rh_schedule schedule;
    struct rh_text printed = {0};
    parse(&schedule, text);
    EXPECT_TEXT(schedule.adapter, "zmq");
    EXPECT(schedule.arguments.count == 3);
    EXPECT(schedule.random == UINT64_MAX);
    EXPECT_TEXT(schedule.arguments.items[1], "two words");
    rh_schedule_print(&schedule, &printed);
    EXPECT_TEXT(rh_text_get(&printed), text);
    rh_text_fini(&printed);
    rh_schedule_fini(&schedule);
}

static void faults_round_trip(void)
{
    static const char faults[] = "rehearse schedule 1\n"
                                 "program bank.c\n"
                                 "test overdraw\n"
                                 "order fifo\n"
                                 "time causal\n"
                                 "drop receipt to teller#2 from account#1 @0000000000000001\n"
                                 "duplicate receipt to teller#2 from account#1\n"
                                 "duplicate receipt to teller#2\n"
                                 "restart account#1 @0000000000000002\n"
                                 "restart account#1\n"
                                 "end\n";
    struct rh_schedule schedule;
    struct rh_text text = {0};
    parse(&schedule, faults);
    const struct rh_step *steps = schedule.steps.items;
    EXPECT(schedule.steps.count == 5);
    EXPECT(steps[0].kind == RH_STEP_DROP && steps[0].has_identity && steps[0].identity == 1);
    EXPECT_TEXT(steps[0].type, "receipt");
    EXPECT(steps[2].kind == RH_STEP_DUPLICATE && !steps[2].sender && !steps[2].has_identity);
    EXPECT(steps[3].kind == RH_STEP_RESTART && steps[3].identity == 2 && !steps[3].type);
    EXPECT_TEXT(steps[4].receiver, "account#1");
    struct rh_faults counted = rh_schedule_faults(&schedule);
    EXPECT(counted.drops == 1 && counted.duplicates == 2 && counted.crashes == 2);
    EXPECT(counted.restarts);
    rh_schedule_print(&schedule, &text);
    EXPECT_TEXT(rh_text_get(&text), faults);
    rh_schedule_fini(&schedule);
    rh_text_fini(&text);
}

static void holds_round_trip(void)
{
    static const char held[] = "rehearse schedule 1\n"
                               "program bank.c\n"
                               "test overdraw\n"
                               "order fifo\n"
                               "time causal\n"
                               "hold a to b#1 from c @00000000000000ff until \"d e\" to b#1\n"
                               "hold a to b#1 until until to until\n"
                               "deliver stop to account#1\n"
                               "stop\n"
                               "end\n";
    struct rh_schedule schedule;
    struct rh_text text = {0};
    parse(&schedule, held);
    EXPECT(schedule.stops && schedule.holds.count == 2 && schedule.steps.count == 1);
    const struct rh_hold *hold = &schedule.holds.items[0];
    EXPECT(hold->held.line == 6 && hold->held.has_identity && hold->held.identity == 0xff);
    EXPECT_TEXT(hold->held.sender, "c");
    EXPECT_TEXT(hold->until.type, "d e");
    EXPECT(!hold->until.has_identity && !hold->until.sender);
    EXPECT_TEXT(schedule.holds.items[1].until.type, "until");
    EXPECT_TEXT(schedule.holds.items[1].until.receiver, "until");
    rh_schedule_print(&schedule, &text);
    EXPECT_TEXT(rh_text_get(&text), held);
    rh_schedule_fini(&schedule);
    rh_text_fini(&text);
}

static void inputs_are_copied(void)
{
    struct rh_schedule schedule;
    struct rh_schedule copy = {.test = rh_strdup("overdraw")};
    struct rh_text text = {0};
    parse(&schedule, sends);
    *rh_vector_push(&copy.programs) = rh_strdup("bank.c");
    rh_schedule_copy_inputs(&copy, &schedule);
    rh_schedule_fini(&schedule);
    rh_schedule_print(&copy, &text);
    EXPECT(copy.inputs.count == 1 && copy.sends.count == 3 && copy.steps.count == 0);
    EXPECT(copy.inputs.items[0].line > 0 && copy.sends.items[0].line > copy.inputs.items[0].line);
    EXPECT_TEXT(copy.path, "a.schedule");
    EXPECT_PART(rh_text_get(&text), "input limit = 5\nsend deposit {amount = 5, name = ");
    rh_schedule_fini(&copy);
    rh_text_fini(&text);
}

static void expect_bad(const char *bytes, size_t length, const char *message)
{
    struct rh_schedule schedule;
    struct rh_status status = rh_schedule_parse(&schedule, "a.schedule", bytes, length);
    EXPECT(status.code == RH_BAD_INPUT);
    EXPECT_PART(status.text, message);
    EXPECT(!schedule.path && !schedule.test && !schedule.programs.items && !schedule.steps.items);
}

static void bad_files_are_refused(void)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"", "a.schedule:1: not a schedule: the file is empty"},
        {"\n\n# only comments\n", "a.schedule:3: not a schedule: the file is empty"},
        {"hello\n", "a.schedule:1: not a schedule: it begins with `hello`"},
        {"rehearse\n", "a.schedule:1: not a schedule"},
        {"rehearse schedule\n", "a.schedule:1: not a schedule"},
        {"rehearse schedule x\n", "a.schedule:1: not a schedule"},
        {"\"rehearse\" schedule 1\n", "a.schedule:1: not a schedule"},
        {"rehearse schedule 99999999999999999999\n", "a.schedule:1: not a schedule"},
        {"rehearse schedule 2\nfuture\n",
         "a.schedule:1: a schedule of version 2; this rehearse reads version 1"},
        {"rehearse schedule 1 2\n", "`2` is one word too many; write `rehearse schedule 1`"},
        {"rehearse schedule 1\n", "a.schedule:1: the file was cut off: it has no `end` line"},
        {HEAD "deliver x to y\n", "a.schedule:4: the file was cut off"},
        {HEAD "en", "a.schedule:4: `en` is not known here; a line begins with program"},
        {HEAD "drop receipt\n", "a.schedule:4: "},
        {HEAD "drop receipt to teller#2 by account#1\n", "a.schedule:4: `by` is not expected here"},
        {HEAD "duplicate receipt teller#2\n", "a.schedule:4: "},
        {HEAD "crash\n", "a.schedule:4: "},
        {HEAD "crash account#1 from teller#1\n",
         "a.schedule:4: `from` is not expected here; write `crash ACTOR @IDENTITY`"},
        {HEAD "crash account#1 @12\n", "a.schedule:4: "},
        {HEAD "crash account#1\nrestart account#1\n",
         "a.schedule:5: `crash` and `restart` exclude each other in one schedule, and line 4 has"},
        {HEAD "lap\nlap\n", "a.schedule:5: there is a second `lap` line; remove one of them"},
        {HEAD "lap 2\n", "`2` is one word too many; write `lap`"},
        {HEAD "lap\nend\n", "a.schedule:5: no delivery stands between `lap` and `end`"},
        {HEAD "lap\ntest x\n", "a.schedule:5: `test` stands after a step"},
        {HEAD "hold\n", "a.schedule:4: the line ends too early; write `hold TYPE to"},
        {HEAD "hold a to b\n", "a.schedule:4: the line ends too early"},
        {HEAD "hold a to b till c to d\n", "`until` is expected where `till` stands"},
        {HEAD "hold a to b @12 until c to d\n", "a.schedule:4: `@12` is not an identity"},
        {HEAD "hold a to b until c to d e\n", "a.schedule:4: `e` is not expected here"},
        {HEAD "deliver a to b\nhold a to b until c to d\n", "a.schedule:5: `hold` stands after"},
        {HEAD "stop now\n", "`now` is one word too many; write `stop`"},
        {HEAD "stop\ndeliver a to b\n", "a.schedule:5: `deliver` stands after `stop`"},
        {HEAD "stop\nstop\n", "a.schedule:5: `stop` stands after `stop`"},
        {HEAD "lap\ndeliver a to b\nstop\n", "ends with its last step anyway; remove `stop`"},
        {HEAD "end\nend\n", "a.schedule:5: `end` stands after `end`; remove"},
        {HEAD "end it\n", "a.schedule:4: `it` is one word too many; write `end`"},
        {"rehearse schedule 1\ntest t\nend\n", "a.schedule:3: no line names the program; add"},
        {"rehearse schedule 1\nprogram p\nend\n", "a.schedule:3: no line names the test; add"},
        {"rehearse schedule 1\nprogram # p\nend\n",
         "a.schedule:2: the line ends too early; write `program FILE...`"},
        {"rehearse schedule 1\nprogram a \"\"\n", "a.schedule:2: the name of a program is empty"},
        {"rehearse schedule 1\nprogram \"a\n", "a.schedule:2: a quoted word does not end"},
        {"rehearse schedule 1\nprogram a b\"c\n", "a.schedule:2: a quote stands in the middle"},
        {"rehearse schedule 1\nprogram \"a\"b\n", "is not followed by a blank"},
        {"rehearse schedule 1\nprogram \"a\\", "a quoted word does not end on its line"},
        {"rehearse schedule 1\nprogram \"a\\q\"\n", "\\ is followed by"},
        {"rehearse schedule 1\nprogram \"a\\x0\"\n", "two hexadecimal digits"},
        {"rehearse schedule 1\nprogram \"a\\x00\"\n", "two hexadecimal digits other than 00"},
        {"rehearse schedule 1\n\"program\" a\n", "`program` is not known here"},
        {"rehearse schedule 1\n\"oops\n", "a.schedule:2: a quoted word does not end"},
        {HEAD "program other.c\n", "a.schedule:4: there is a second `program` line; remove one"},
        {HEAD "test other\n", "a.schedule:4: there is a second `test` line"},
        {HEAD "order fifo\norder fifo\n", "a.schedule:5: there is a second `order` line"},
        {HEAD "time causal\ntime causal\n", "a.schedule:5: there is a second `time` line"},
        {HEAD "finding check\nfinding check\n", "a.schedule:5: there is a second `finding` line"},
        {"rehearse schedule 1\ntest\n", "a.schedule:2: the line ends too early; write `test NAME`"},
        {"rehearse schedule 1\ntest \"\"\n", "a.schedule:2: the name of the test is empty"},
        {"rehearse schedule 1\ntest a b\n", "a.schedule:2: `b` is one word too many"},
        {HEAD "order\n", "write `order fifo` or `order any`"},
        {HEAD "order lifo\n", "there is no order `lifo`; write `order fifo` or `order any`"},
        {HEAD "order any any\n", "`any` is one word too many"},
        {HEAD "adapter mpi\n", "there is no adapter `mpi`; write `adapter zmq`"},
        {HEAD "time fast\n", "there is no time `fast`; write `time causal` or `time strict`"},
        {HEAD "time\n", "the line ends too early"},
        {HEAD "finding\n", "the line ends too early"},
        {HEAD "finding wrong a.c:1\n", "there is no kind of finding `wrong`"},
        {HEAD "finding check a.c:99999999999\n", "has a line number above 2147483647"},
        {HEAD "finding check a.c:1 b\n", "`b` is one word too many"},
        {HEAD "finding check \"a.c\n", "a quoted word does not end"},
        {HEAD "input\n", "write `input NAME = VALUE`"},
        {HEAD "input limit\n", "write `input NAME = VALUE`"},
        {HEAD "input limit 5\n", "`=` is expected where `5` stands; write `input NAME = VALUE`"},
        {HEAD "input limit =5\n", "`=` is expected where `=5` stands"},
        {HEAD "input limit =\n", "the value is missing; write `input NAME = VALUE`"},
        {HEAD "input limit = # five\n", "the value is missing"},
        {HEAD "input limit = \"five\n", "a quote is opened and not closed on its line"},
        {HEAD "input limit = 'x\n", "a quote is opened and not closed on its line"},
        {HEAD "input a = 1\ninput a = 2\n", "a.schedule:5: input `a` stands on line 4 already"},
        {HEAD "send\n", "write `send TYPE {FIELD = VALUE, ...} to ACTOR from SENDER`"},
        {HEAD "send a\n", "the line ends too early"},
        {HEAD "send a to\n", "the line ends too early"},
        {HEAD "send a {x = 1}\n", "a.schedule:4: the line ends too early"},
        {HEAD "send a {x = 1 to b\n", "a brace is opened and not closed on its line"},
        {HEAD "send a {x = \"} to b\n", "a quote is opened and not closed on its line"},
        {HEAD "send a {x = 1}to b\n", "a closing brace is not followed by a blank"},
        {HEAD "send a } to b\n", "`to` is expected where `}` stands"},
        {HEAD "send a to b @0123456789abcdef\n", "`@0123456789abcdef` is not expected here"},
        {HEAD "send a to b from\n", "the line ends too early"},
        {HEAD "send a to b from c d\n", "`d` is one word too many"},
        {HEAD "instead a to b\n", "the fields are missing; write `instead TYPE {FIELD"},
        {HEAD "instead a {x = 1} from b\n", "`to` is expected where `from` stands"},
        {HEAD "instead a {x = 1} to b c\n", "`c` is not expected here"},
        {HEAD "instead a {x = 1} to b @12\n", "`@12` is not an identity"},
        {HEAD "deliver a to b\nsend a to b\n", "a.schedule:5: `send` stands after a step; move"},
        {HEAD "deliver\n", "write `deliver TYPE to RECEIVER from SENDER @IDENTITY`"},
        {HEAD "deliver a\n", "the line ends too early"},
        {HEAD "deliver a b\n", "`to` is expected where `b` stands"},
        {HEAD "deliver a to\n", "the line ends too early"},
        {HEAD "deliver a to b c\n", "`c` is not expected here"},
        {HEAD "deliver a to b from\n", "the line ends too early"},
        {HEAD "deliver a to b from c d\n", "`d` is not expected here"},
        {HEAD "deliver a to b \"c\n", "a quoted word does not end"},
        {HEAD "deliver a to b @12345\n", "`@12345` is not an identity; write @ and 16 hexadecimal"},
        {HEAD "deliver a to b @123456789abcdefg\n", "is not an identity"},
        {HEAD "deliver a to b @0123456789abcdef0\n", "is not an identity"},
        {HEAD "deliver a to b @0123456789abcdef from c\n", "`from` is one word too many"},
        {HEAD "deliver a to b \"@0123456789abcdef\"\n", "is not expected here"},
        {HEAD "choose\n", "write `choose OUTCOME of COUNT`"},
        {HEAD "choose 1\n", "the line ends too early"},
        {HEAD "choose 1 in 2\n", "`of` is expected where `in` stands"},
        {HEAD "choose 3 of 3\n", "choose 3 of 3: the outcome is a number from 0 to the count - 1"},
        {HEAD "choose 0 of 0\n", "choose 0 of 0"},
        {HEAD "choose -1 of 3\n", "`-1` is not a number from 0 to 2147483647"},
        {HEAD "choose 1 of 2147483648\n", "`2147483648` is not a number"},
        {HEAD "choose 99999999999999999999 of 3\n", "is not a number from 0"},
        {HEAD "choose 1 of 3 4\n", "`4` is one word too many"},
        {HEAD "choose 1x of 3\n", "`1x` is not a number"},
        {HEAD "choose 0 of 2\norder any\n", "`order` stands after a step; move the line above"},
        {HEAD "choose 0 of 2\ninput a = 1\n", "`input` stands after a step"},
        {HEAD "jump\n", "`jump` is not known here"},
        {HEAD "\x1b[31mdeliver\n", "a.schedule:4: damaged: the line holds a control character"},
        {HEAD "a\rb\n", "a.schedule:4: damaged: the line holds a control character"},
        {"\x7f"
         "ELF\x02\x01\x01\n",
         "a.schedule:1: not a schedule: the line holds a control"},
        {"\xff\xfe\xfd\n", "a.schedule:1: not a schedule: it begins with `???`"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_bad(cases[i].text, strlen(cases[i].text), cases[i].message);
}

static void nul_bytes_are_refused(void)
{
    static const char early[] = "rehearse\0schedule 1\n";
    static const char late[] = HEAD "deliver a to b\0c\nend\n";
    expect_bad(early, sizeof early - 1, "a.schedule:1: not a schedule: the line holds a NUL byte");
    expect_bad(late, sizeof late - 1, "a.schedule:4: damaged: the line holds a NUL byte");
    static const char zeros[1000];
    expect_bad(zeros, sizeof zeros, "a.schedule:1: not a schedule: the line holds a NUL byte");
}

// No prefix of a file is taken for the whole, except where only the last line's end is missing.
static void every_cut_is_noticed(void)
{
    size_t whole = strlen(example);
    size_t end = (size_t)(strstr(example, "\nend") + 4 - example);
    for (size_t length = 0; length < whole; length++) {
        // The block has no NUL behind it, so that reading too far is noticed by a sanitizer.
        char *cut = malloc(length ? length : 1);
        EXPECT(cut);
        for (size_t i = 0; i < length; i++)
            cut[i] = example[i];
        struct rh_schedule schedule;
        struct rh_status status = rh_schedule_parse(&schedule, "a.schedule", cut, length);
        EXPECT((status.code == RH_OK) == (length >= end));
        rh_schedule_fini(&schedule);
        free(cut);
    }
}

static void long_line_is_refused(const char *start)
{
    size_t size = (size_t)100 << 20;
    char *bytes = malloc(size);
    EXPECT(bytes);
    memset(bytes, 'x', size);
    for (size_t i = 0; start[i]; i++)
        bytes[i] = start[i];
    expect_bad(bytes, size, "the line is longer than 1 MB");
    free(bytes);
}

static void huge_files_are_refused(void)
{
    long_line_is_refused("");
    long_line_is_refused(HEAD);
    int hole = creat("huge", 0644);
    EXPECT(hole >= 0 && ftruncate(hole, (off_t)1 << 40) == 0 && close(hole) == 0);
    struct rh_schedule schedule;
    struct rh_status status = rh_schedule_read(&schedule, "huge");
    EXPECT(status.code == RH_BAD_INPUT && !schedule.path);
    EXPECT_PART(status.text, "huge: the file is larger than");
    unlink("huge");
    status = rh_schedule_read(&schedule, "missing");
    EXPECT(status.code == RH_BAD_INPUT && !schedule.path);
    EXPECT_TEXT(status.text, "cannot read missing: No such file or directory");
}

static void many_inputs_are_refused(void)
{
    struct rh_text text = {0};
    rh_text_add(&text, HEAD);
    for (int i = 0; i < 10001; i++)
        rh_text_addf(&text, "input i%d = 0\n", i);
    expect_bad(rh_text_get(&text), text.length, "there are more than 10000 inputs");
    rh_text_fini(&text);
}

static void long_names_do_not_flood_messages(void)
{
    struct rh_text text = {0};
    rh_text_addf(&text, HEAD "%0100000d\n", 0);
    expect_bad(rh_text_get(&text), text.length, "000...` is not known here; a line begins with");
    rh_text_fini(&text);
}

static size_t files_here(void)
{
    size_t count = 0;
    DIR *directory = opendir(".");
    EXPECT(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static void files_round_trip(void)
{
    struct rh_schedule schedule;
    parse(&schedule, example);
    struct rh_status status = rh_schedule_write(&schedule, "saved.schedule");
    EXPECT(rh_is_ok(&status));
    struct rh_schedule back;
    status = rh_schedule_read(&back, "saved.schedule");
    EXPECT_TEXT(status.text, "");
    EXPECT_TEXT(back.path, "saved.schedule");
    expect_same_text(&schedule, &back);
    rh_schedule_fini(&back);

    // A write that fails leaves the earlier file whole.
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before;
    EXPECT(getrlimit(RLIMIT_FSIZE, &before) == 0);
    struct rlimit tight = {100, before.rlim_max};
    EXPECT(setrlimit(RLIMIT_FSIZE, &tight) == 0);
    status = rh_schedule_write(&schedule, "saved.schedule");
    EXPECT(setrlimit(RLIMIT_FSIZE, &before) == 0);
    EXPECT(status.code == RH_FAILED && files_here() == 1);
    status = rh_schedule_read(&back, "saved.schedule");
    EXPECT(rh_is_ok(&status) && back.steps.count == schedule.steps.count);
    rh_schedule_fini(&back);
    status = rh_schedule_write(&schedule, "missing/saved.schedule");
    EXPECT(status.code == RH_FAILED);
    EXPECT_PART(status.text, "missing/saved.schedule: can't be written");
    unlink("saved.schedule");
    rh_schedule_fini(&schedule);
}

static void names_are_parsed(void)
{
    enum rh_order_rule order;
    enum rh_time time;
    EXPECT(rh_order_rule_parse("fifo", &order) && order == RH_ORDER_FIFO);
    EXPECT(rh_order_rule_parse("any", &order) && order == RH_ORDER_ANY);
    EXPECT(!rh_order_rule_parse("", &order) && !rh_order_rule_parse("Fifo", &order));
    EXPECT(rh_time_parse("causal", &time) && time == RH_TIME_CAUSAL);
    EXPECT(rh_time_parse("strict", &time) && time == RH_TIME_STRICT);
    EXPECT(!rh_time_parse("anytime", &time));
}

// What a recording leads to is written as it is read.
static void test_recorded(void)
{
    static const char text[] =
        HEAD "order fifo\ntime causal\n"
             "came line 64696e67 \"@bell#1\" ff to bell#2 from ann @00000000000000ff\n"
             "came tick to bell#1 @0123456789abcdef due 18446744073709551615\n"
             "created bell_behaviour \"struct bell\" \"@bell#1\" 00ff as bell#3\n"
             "created gong_behaviour \"\" as gong#1\n"
             "instead line {length = 3} to bell#1 from ann @00000000000000fe\n"
             "instead line {length = 4} to bell#2\n"
             "block 1 of gong#1 0700 \"@bell#1\" &b+8\n"
             "block b of gong#1 &1 &1\n"
             "answer rh_now 7\n"
             "deliver line to bell#2 @00000000000000ff\n"
             "answer rand 1804289383\n"
             "ends gong#1 &b ??\n"
             "ends &b &1 &1\n"
             "ends &1 freed\n"
             "end\n";
    struct rh_schedule schedule;
    struct rh_text printed = {0};
    parse(&schedule, text);
    EXPECT(schedule.sends.count == 6);
    EXPECT(schedule.sends.items[4].is_instead && schedule.sends.items[4].identity == 254);
    EXPECT_TEXT(schedule.sends.items[5].fields, "{length = 4}");
    EXPECT_TEXT(schedule.sends.items[2].type, "bell_behaviour");
    EXPECT_TEXT(schedule.sends.items[2].state_type, "struct bell");
    EXPECT_TEXT(schedule.sends.items[2].receiver, "bell#3");
    EXPECT_TEXT(schedule.sends.items[3].state_type, "");
    EXPECT_TEXT(schedule.sends.items[0].bytes, "64696e67 \"@bell#1\" ff");
    EXPECT_TEXT(schedule.sends.items[0].sender, "ann");
    EXPECT(schedule.sends.items[0].identity == 255 && !schedule.sends.items[0].is_timer);
    EXPECT_TEXT(schedule.sends.items[1].bytes, "");
    EXPECT(schedule.sends.items[1].is_timer && schedule.sends.items[1].due == UINT64_MAX);
    EXPECT(schedule.steps.items[0].kind == RH_STEP_ANSWER && schedule.steps.items[0].value == 7);
    EXPECT_TEXT(schedule.steps.items[2].type, "rand");
    EXPECT(schedule.blocks.count == 2);
    EXPECT_TEXT(schedule.blocks.items[0].bytes, "0700 \"@bell#1\" &b+8");
    EXPECT_TEXT(schedule.blocks.items[1].name, "b");
    EXPECT(schedule.ends.count == 3 && !schedule.ends.items[2].bytes);
    rh_schedule_print(&schedule, &printed);
    EXPECT_TEXT(rh_text_get(&printed), text);
    rh_text_fini(&printed);
    rh_schedule_fini(&schedule);
}

// Of what was created, only what is named by a message that is needed, or by one that was created and is needed. Actors
// may name each other, so that one is named only by a line above its own.
static void test_needed(void)
{
    static const char text[] = HEAD "created a_behaviour int \"@e#1\" as a#1\n"
                                    "created b_behaviour int \"@a#1\" as b#1\n"
                                    "created c_behaviour int \"@a#1\" as c#1\n"
                                    "created d_behaviour int 00 as d#1\n"
                                    "created e_behaviour int \"@a#1\" as e#1\n"
                                    "block 1 of b#1 \"@f#1\"\n"
                                    "block 2 of c#1 00\n"
                                    "created f_behaviour int 00 as f#1\n"
                                    "came line \"@d#1\" to b#1 @0000000000000001\n"
                                    "came line to c#1 @0000000000000002\n"
                                    "end\n";
    static const bool expected[] = {true, true, false, true, true, true, true, false};
    struct rh_schedule schedule;
    struct rh_index identities = {0};
    parse(&schedule, text);
    rh_index_add(&identities, 1, 0);
    bool *needed = rh_schedule_find_needed(&schedule, &identities);
    for (size_t i = 0; i < schedule.sends.count; i++)
        EXPECT(needed[i] == expected[i]);
    free(needed);
    rh_schedule_keep_needed(&schedule, &identities);
    EXPECT(schedule.sends.count == 6);
    EXPECT_TEXT(schedule.sends.items[5].receiver, "b#1");
    EXPECT(schedule.blocks.count == 1);
    EXPECT_TEXT(schedule.blocks.items[0].actor, "b#1");
    rh_index_fini(&identities);
    rh_schedule_fini(&schedule);
}

// The order that a test gives: lines of a schedule, without those that are about the file.
static void test_order(void)
{
    struct rh_schedule schedule;
    struct rh_status status = rh_schedule_parse_order(
        &schedule, "order of one",
        "# nothing\norder any\ninput x = 1\ndeliver a to b#1\nchoose 1 of 2");
    EXPECT(rh_is_ok(&status));
    EXPECT(schedule.order_rule == RH_ORDER_ANY);
    EXPECT(schedule.inputs.count == 1 && schedule.steps.count == 2);
    EXPECT(schedule.steps.items[1].line == 5);
    rh_schedule_fini(&schedule);
    status = rh_schedule_parse_order(&schedule, "order of one", "");
    EXPECT(rh_is_ok(&status) && schedule.steps.count == 0);
    rh_schedule_fini(&schedule);
    static const char *const wrong[] = {"rehearse schedule 1",
                                        "program x",
                                        "test one",
                                        "adapter zmq",
                                        "arguments 1",
                                        "finding check a.c:1",
                                        "deliver a to b#1\nlap",
                                        "stop",
                                        "end",
                                        "deliver a to b#1\ninput x = 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        status = rh_schedule_parse_order(&schedule, "order of one", wrong[i]);
        EXPECT(status.code == RH_BAD_INPUT);
        EXPECT(strncmp(status.text, "order of one:", 13) == 0);
    }
}

static void test_bad_recorded(void)
{
    static const char *const lines[][2] = {
        {"came line 646 to bell#1 @00000000000000ff",
         "`646` is neither bytes in hexadecimal nor @ACTOR"},
        {"came line zz to bell#1 @00000000000000ff", "`zz` is neither bytes"},
        {"came line 00", "the line ends too early"},
        {"came line 00 to bell#1", "its identity is missing"},
        {"came line 00 to bell#1 @12", "`@12` is not an identity"},
        {"came line 00 to bell#1 @00000000000000ff due soon", "`soon` is not a number"},
        {"came line 00 to bell#1 @00000000000000ff now", "`now` is not expected here"},
        {"created bell_behaviour int 00", "the line ends too early"},
        {"created bell_behaviour int zz as bell#1", "`zz` is neither bytes"},
        {"created bell_behaviour int 00 as bell#1 now", "one word too many"},
        {"block 1 of bell#1 00", "no `created` line creates the actor"},
        {"block 1 of bell#1 zz", "`zz` is neither bytes"},
        {"block 1 00", "`of` is expected"},
        {"created b int &1 as bell#1", "no `block` line makes"},
        {"created b int & as bell#1", "`&` is neither bytes"},
        {"created b int &1+x as bell#1", "`&1+x` is neither bytes"},
        {"answer", "the line ends too early"},
        {"answer rand -1", "`-1` is not a number"},
        {"answer rand 99999999999999999999", "is not a number"},
        {"answer rand 1 2", "one word too many"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct rh_schedule schedule;
        char text[300];
        snprintf(text, sizeof text, HEAD "%s\nend\n", lines[i][0]);
        struct rh_status status = rh_schedule_parse(&schedule, "a.schedule", text, strlen(text));
        EXPECT(status.code == RH_BAD_INPUT);
        EXPECT_PART(status.text, "a.schedule:4: ");
        EXPECT_PART(status.text, lines[i][1]);
    }
}

int main(void)
{
    char folder[] = "rehearse-schedule.XXXXXX";
    EXPECT(mkdtemp(folder) && chdir(folder) == 0);
    example_is_understood(example);
    windows_line_ends_are_fine();
    printing_is_exact();
    odd_names_survive();
    defaults_are_fifo_and_causal();
    values_are_taken_as_they_stand();
    sends_round_trip();
    laps_round_trip();
    programs_as_they_are_round_trip();
    faults_round_trip();
    holds_round_trip();
    inputs_are_copied();
    bad_files_are_refused();
    nul_bytes_are_refused();
    every_cut_is_noticed();
    huge_files_are_refused();
    many_inputs_are_refused();
    long_names_do_not_flood_messages();
    files_round_trip();
    names_are_parsed();
    EXPECT(chdir("..") == 0 && rmdir(folder) == 0);
    test_recorded();
    test_needed();
    test_order();
    test_bad_recorded();
    return 0;
}
