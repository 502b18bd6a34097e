// SPDX-License-Identifier: MIT
// For unit tests: a plain C program that exits with 0 if everything held. The first expectation that
// does not hold says where and ends the program.
#ifndef REHEARSE_TESTS_TEST_H
#define REHEARSE_TESTS_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(...)                                                                                \
    ((__VA_ARGS__) ? (void)0 : test_expectation_failed(#__VA_ARGS__, __FILE__, __LINE__))

#define EXPECT_TEXT(actual, expected) test_expect_text((actual), (expected), __FILE__, __LINE__)

// Expects that the text contains the part.
#define EXPECT_PART(text, part) test_expect_part((text), (part), __FILE__, __LINE__)

static inline void test_expectation_failed(const char *condition, const char *file, int line)
{
    fflush(stdout);
    fprintf(stderr, "%s:%d: expected %s\n", file, line, condition);
    exit(1);
}

static inline void test_expect_text(const char *actual, const char *expected, const char *file,
                                    int line)
{
    if (actual && expected ? strcmp(actual, expected) == 0 : actual == expected)
        return;
    fflush(stdout);
    fprintf(stderr, "%s:%d: expected the text\n%s\nbut it is\n%s\n", file, line,
            expected ? expected : "(NULL)", actual ? actual : "(NULL)");
    exit(1);
}

static inline void test_expect_part(const char *text, const char *part, const char *file, int line)
{
    if (text && strstr(text, part))
        return;
    fflush(stdout);
    fprintf(stderr, "%s:%d: expected the part\n%s\nin the text\n%s\n", file, line, part,
            text ? text : "(NULL)");
    exit(1);
}

#endif
