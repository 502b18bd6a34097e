// SPDX-License-Identifier: MIT
#include "base/lines.h"

#include "test.h"

static void read_words(void)
{
    static const char file[] = "one \"two words\" # a comment\r\n\n\t#\nthree#3";
    struct rh_lines lines;
    rh_lines_init(&lines, "file", file, sizeof file - 1);
    EXPECT(rh_lines_next(&lines) && lines.number == 1);
    EXPECT(rh_line_next(&lines.line) && !lines.line.quoted);
    EXPECT_TEXT(rh_lines_word(&lines), "one");
    EXPECT(rh_line_next(&lines.line) && lines.line.quoted);
    EXPECT_TEXT(rh_lines_word(&lines), "two words");
    EXPECT(!rh_line_next(&lines.line) && !lines.line.fault);
    for (int number = 2; number <= 3; number++) {
        EXPECT(rh_lines_next(&lines) && lines.number == number);
        EXPECT(!rh_line_next(&lines.line) && !lines.line.fault);
    }
    EXPECT(rh_lines_next(&lines) && rh_line_next(&lines.line));
    EXPECT_TEXT(rh_lines_word(&lines), "three#3");
    EXPECT(rh_is_ok(&lines.status));
    EXPECT(!rh_lines_fail(&lines, "`%s` is wrong", rh_lines_excerpt(&lines).text));
    EXPECT_TEXT(lines.status.text, "file:4: `three#3` is wrong");
    EXPECT(!rh_lines_next(&lines));
    rh_lines_fini(&lines);
}

// A line that is no text has no words, and the next one is as if nothing had been.
static void read_faulty_lines(void)
{
    static const char file[] = "a\001b\na \"b\nfine";
    struct rh_lines lines;
    rh_lines_init(&lines, "file", file, sizeof file - 1);
    rh_lines_fail(&lines, "wrong as a whole");
    EXPECT_TEXT(lines.status.text, "file:1: wrong as a whole");
    EXPECT(rh_lines_next(&lines) && !rh_line_next(&lines.line));
    EXPECT_TEXT(lines.line.fault, "the line holds a control character");
    EXPECT(rh_lines_next(&lines) && !lines.line.fault && rh_line_next(&lines.line));
    EXPECT(!rh_line_next(&lines.line));
    EXPECT_TEXT(lines.line.fault, "a quoted word does not end on its line");
    EXPECT(rh_lines_next(&lines) && !lines.line.fault && rh_line_next(&lines.line));
    rh_lines_fini(&lines);
}

static bool is_number(const char *word, int base, uint64_t expected)
{
    uint64_t number;
    return rh_line_number_of(word, strlen(word), base, &number) && number == expected;
}

static void read_numbers(void)
{
    uint64_t number;
    EXPECT(is_number("0", 10, 0) && is_number("0000000000000000000000000000000000000007", 10, 7));
    EXPECT(is_number("18446744073709551615", 10, UINT64_MAX));
    EXPECT(is_number("fF", 16, 255));
    EXPECT(!rh_line_number_of("18446744073709551616", 20, 10, &number));
    EXPECT(!rh_line_number_of("", 0, 10, &number) && !rh_line_number_of("1a", 2, 10, &number));
    EXPECT(!rh_line_number_of("-1", 2, 10, &number) && !rh_line_number_of("1g", 2, 16, &number));
    EXPECT(rh_line_identity_of("@00000000000000fe", &number) && number == 254);
    EXPECT(!rh_line_identity_of("@0fe", &number));
    EXPECT(!rh_line_identity_of("000000000000000fe", &number));
}

int main(void)
{
    read_words();
    read_faulty_lines();
    read_numbers();
    return 0;
}
