// SPDX-License-Identifier: MIT
#include "cli/options.h"
#include "test.h"

static const struct rh_tool command = {.name = "rehearse", .takes_programs = true};

enum { MOST = 16 };

static struct rh_status parse(struct rh_options *options, const struct rh_tool *tool,
                              char **arguments)
{
    int count = 0;
    while (arguments[count])
        count++;
    return rh_options_parse(options, tool, count, arguments);
}

#define PARSE(options, tool, ...) parse(options, tool, (char *[MOST]){__VA_ARGS__, NULL})

static void everything(void)
{
    struct rh_options options;
    struct rh_status status =
        PARSE(&options, &command, "sample", "bank.c", "--seed=0xff", "--runs", "12", "log.c",
              "--fail-on", "leak,bound", "--json", "--", "--seed", "x");
    EXPECT(rh_is_ok(&status));
    EXPECT(options.verb == RH_VERB_SAMPLE);
    EXPECT(options.run.seed == 255);
    EXPECT(options.run.max_executions == 12);
    EXPECT_TEXT(options.run.strategy, "mixed");
    EXPECT(options.json);
    EXPECT(options.run.fail_on == (1u << RH_FINDING_LEAK | 1u << RH_FINDING_BOUND));
    EXPECT(options.operands.count == 2);
    EXPECT_TEXT(options.operands.items[1], "log.c");
    EXPECT(options.arguments.count == 2);
    EXPECT_TEXT(options.arguments.items[0], "--seed");
    // What is passed on to the program has no operands.
    EXPECT(options.words.count == 5);
    EXPECT_TEXT(options.words.items[0], "sample");
    EXPECT_TEXT(options.words.items[2], "--runs=12");
    rh_options_fini(&options);
}

static void defaults(void)
{
    struct rh_options options;
    const struct rh_tool program = {.name = "./bank_test"};
    char *none[] = {NULL};
    struct rh_status status = rh_options_parse(&options, &program, 0, none);
    EXPECT(rh_is_ok(&status));
    EXPECT(options.verb == RH_VERB_EXPLORE);
    EXPECT(options.run.max_executions == 100000);
    EXPECT(options.run.automatic);
    EXPECT_TEXT(options.run.reduction, "optimal");
    EXPECT(options.run.max_seconds == 0);
    EXPECT(options.run.order_rule == RH_ORDER_FIFO);
    rh_options_fini(&options);
}

// What is named is done, and nothing else.
static void chosen_searches(void)
{
    static const struct {
        const char *option;
        const char *reduction;
    } searches[] = {{"--states=exact", "none"},
                    {"--states=none", "optimal"},
                    {"--reduction=source", "source"},
                    {"--reduction=optimal", "optimal"},
                    {"--max-executions=5", "optimal"}};
    const struct rh_tool program = {.name = "./bank_test"};
    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
        struct rh_options options;
        char *words[] = {(char[]){"explore"}, (char *)searches[i].option};
        struct rh_status status = rh_options_parse(&options, &program, 2, words);
        EXPECT(rh_is_ok(&status));
        EXPECT(!options.run.automatic);
        EXPECT_TEXT(options.run.reduction, searches[i].reduction);
        rh_options_fini(&options);
    }
}

static void hidden_options(void)
{
    struct rh_options options;
    const struct rh_tool request = {.name = "rehearse", .is_request = true};
    struct rh_status status =
        PARSE(&options, &request, "replay", "--as=a.c", "--as=b c.c", "--here");
    EXPECT(rh_is_ok(&status));
    EXPECT(options.here && options.names.count == 2);
    EXPECT_TEXT(options.names.items[1], "b c.c");
    rh_options_fini(&options);
    status = PARSE(&options, &command, "replay", "--here");
    EXPECT(status.code == RH_BAD_INPUT);
    rh_options_fini(&options);
}

static void help_names_every_option(void)
{
    struct rh_text text = {0};
    rh_options_help(&text, &command, RH_VERB_EXPLORE);
    EXPECT_PART(rh_text_get(&text), "--max-executions N");
    EXPECT_PART(rh_text_get(&text), "rehearse explore bank.c");
    EXPECT(!strstr(rh_text_get(&text), "--here"));
    EXPECT(!strstr(rh_text_get(&text), "--runs"));
    for (const char *line = rh_text_get(&text); *line; line += strcspn(line, "\n") + 1)
        EXPECT(strcspn(line, "\n") <= 100);
    rh_text_fini(&text);
}

int main(void)
{
    everything();
    defaults();
    chosen_searches();
    hidden_options();
    help_names_every_option();
    return 0;
}
