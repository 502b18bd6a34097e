// SPDX-License-Identifier: MIT
#include "cli/words.h"
#include "test.h"

static void expect_split(const char *text, const char *joined)
{
    struct rh_words words = {0};
    struct rh_text result = {0};
    EXPECT(rh_words_split(&words, text));
    for (size_t i = 0; i < words.count; i++)
        rh_text_addf(&result, "<%s>", words.items[i]);
    EXPECT_TEXT(rh_text_get(&result), joined);
    rh_text_fini(&result);
    rh_words_fini(&words);
}

static void split(void)
{
    expect_split("", "");
    expect_split(" \t\n ", "");
    expect_split("-O2  -g", "<-O2><-g>");
    expect_split("-DNAME='\"a b\"' x", "<-DNAME=\"a b\"><x>");
    expect_split("\"a \\\" b\" 'c \\ d' e\\ f", "<a \" b><c \\ d><e f>");
    expect_split("'' \"\"", "<><>");
    expect_split("end\\", "<end\\>");
    struct rh_words words = {0};
    EXPECT(!rh_words_split(&words, "one 'two"));
    rh_words_fini(&words);
}

static void nearest(void)
{
    static const char *const verbs[] = {"list", "explore", "sample", "replay"};
    EXPECT_TEXT(rh_words_nearest("explor", verbs, 4), "explore");
    EXPECT_TEXT(rh_words_nearest("reply", verbs, 4), "replay");
    EXPECT_TEXT(rh_words_nearest("lits", verbs, 4), "list");
    EXPECT(rh_words_nearest("frobnicate", verbs, 4) == NULL);
    EXPECT(rh_words_nearest("", verbs, 4) == NULL);
    EXPECT(rh_words_nearest("x", verbs, 4) == NULL);
    char huge[5000];
    memset(huge, 'x', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    EXPECT(rh_words_nearest(huge, verbs, 4) == NULL);
}

int main(void)
{
    split();
    nearest();
    return 0;
}
