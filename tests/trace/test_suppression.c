// SPDX-License-Identifier: MIT
#include "trace/suppression.h"

#include <unistd.h>

#include "test.h"

static struct rh_status read_text(struct rh_suppressions *suppressions, const char *bytes,
                                  size_t length)
{
    struct rh_text text = {0};
    rh_text_add_bytes(&text, bytes, length);
    struct rh_status status = rh_text_write_file(&text, "known");
    EXPECT(rh_is_ok(&status));
    rh_text_fini(&text);
    return rh_suppressions_read(suppressions, "known");
}

static void lines_match(void)
{
    static const char text[] = "# known ones\n"
                               "\n"
                               "shared-state log_counter   # a counter\r\n"
                               "shared-state cache_*_size\n"
                               "unhandled logger tick\n"
                               "unhandled * ping*";
    struct rh_suppressions known;
    struct rh_status status = read_text(&known, text, sizeof text - 1);
    EXPECT_TEXT(status.text, "");
    EXPECT(known.items.count == 4 && known.items.items[3].line == 6);

    EXPECT(rh_suppressions_match(&known, "shared-state", "log_counter", NULL));
    EXPECT(rh_suppressions_match(&known, "shared-state", "log_counter+8", NULL));
    EXPECT(!rh_suppressions_match(&known, "shared-state", "log_counter2", NULL));
    EXPECT(!rh_suppressions_match(&known, "shared-state", "my_log_counter", NULL));
    EXPECT(rh_suppressions_match(&known, "shared-state", "cache_a_b_size", NULL));
    EXPECT(rh_suppressions_match(&known, "shared-state", "cache__size", NULL));
    EXPECT(!rh_suppressions_match(&known, "shared-state", "cache_size", NULL));
    EXPECT(!rh_suppressions_match(&known, "unhandled", "log_counter", NULL));
    EXPECT(!rh_suppressions_match(&known, "check", "log_counter", NULL));
    EXPECT(!rh_suppressions_match(&known, "shared-state", NULL, NULL));

    EXPECT(rh_suppressions_match(&known, "unhandled", "logger", "tick"));
    EXPECT(rh_suppressions_match(&known, "unhandled", "logger_behaviour", "tick"));
    EXPECT(!rh_suppressions_match(&known, "unhandled", "logger_behaviour2", "tick"));
    EXPECT(!rh_suppressions_match(&known, "unhandled", "logger", "tock"));
    EXPECT(rh_suppressions_match(&known, "unhandled", "anyone", "ping_reply"));
    rh_suppressions_fini(&known);
    EXPECT(known.items.count == 0);
    EXPECT(!rh_suppressions_match(&known, "unhandled", "logger", "tick"));
}

static void stars_match(void)
{
    static const char text[] = "shared-state *a*b*\nshared-state \"\"\n";
    struct rh_suppressions known;
    struct rh_status status = read_text(&known, text, sizeof text - 1);
    EXPECT(rh_is_ok(&status));
    EXPECT(rh_suppressions_match(&known, "shared-state", "ab", NULL));
    EXPECT(rh_suppressions_match(&known, "shared-state", "xxaxxaxxbxxbxx", NULL));
    EXPECT(!rh_suppressions_match(&known, "shared-state", "bbba", NULL));
    EXPECT(rh_suppressions_match(&known, "shared-state", "", NULL));
    rh_suppressions_fini(&known);
}

static void bad_lines_are_refused(void)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"shared-state\n", "known:1: not a suppression: write `shared-state VARIABLE`"},
        {"\nshared-state a b\n", "known:2: not a suppression: write `shared-state VARIABLE`"},
        {"unhandled a\n", "known:1: not a suppression: write `unhandled BEHAVIOUR MESSAGE`"},
        {"unhandled a b c\n", "write `unhandled BEHAVIOUR MESSAGE`"},
        {"crash a\n", "a line begins with `shared-state`, `unhandled` or `#`"},
        {"shared-state \"a\n", "a quoted word does not end"},
        {"\x01\n", "the line holds a control character"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rh_suppressions known;
        struct rh_status status = read_text(&known, cases[i].text, strlen(cases[i].text));
        EXPECT(status.code == RH_BAD_INPUT && known.items.count == 0);
        EXPECT_PART(status.text, cases[i].message);
    }
    struct rh_suppressions known;
    struct rh_status status = read_text(&known, "a\0b", 3);
    EXPECT_PART(status.text, "the line holds a NUL byte");
    status = rh_suppressions_read(&known, "missing");
    EXPECT(status.code == RH_BAD_INPUT);
    EXPECT_PART(status.text, "cannot read missing");
}

int main(void)
{
    char folder[] = "rehearse-suppression.XXXXXX";
    EXPECT(mkdtemp(folder) && chdir(folder) == 0);
    lines_match();
    stars_match();
    bad_lines_are_refused();
    EXPECT(unlink("known") == 0 && chdir("..") == 0 && rmdir(folder) == 0);
    return 0;
}
