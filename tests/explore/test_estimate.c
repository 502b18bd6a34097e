// SPDX-License-Identifier: MIT
// What is expected of a search, from paths that are written as the way taken and the ways there were.
#include "explore/strategy/estimate.h"

#include "../test.h"

struct way {
    uint32_t taken, count;
};

static double estimate(uint64_t executions, uint32_t length, const struct way *ways)
{
    struct rh_decision decisions[2000];
    struct rh_path path = {.length = length, .decisions = decisions};
    for (uint32_t i = 0; i < length; i++)
        decisions[i] = (struct rh_decision){.index = ways[i].taken, .count = ways[i].count};
    return rh_estimate(rh_branches_of_decision, NULL, &path, executions);
}

static bool is_close(double number, double expected)
{
    return number > expected * 0.999 && number < expected * 1.001;
}

// Three messages to one actor: the path that comes next after each of the six executions but the last.
static void all_alike(void)
{
    static const struct way next[][3] = {{{0, 3}, {1, 2}, {0, 1}},
                                         {{1, 3}, {0, 2}, {0, 1}},
                                         {{1, 3}, {1, 2}, {0, 1}},
                                         {{2, 3}, {0, 2}, {0, 1}},
                                         {{2, 3}, {1, 2}, {0, 1}}};
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t length = i % 2 == 0 ? 2 : 1; length <= 3; length++)
            EXPECT(is_close(estimate(i + 1, length, next[i]), 6));
}

// Half of the search had seven executions, and a third of the rest two.
static void uneven(void)
{
    EXPECT(is_close(estimate(9, 2, (const struct way[]){{1, 2}, {1, 3}}), 9 / (0.5 + 0.5 / 3)));
}

static void extremes(void)
{
    struct way ways[2000];
    for (uint32_t i = 0; i < 2000; i++)
        ways[i] = (struct way){i == 1999, 2};
    EXPECT(estimate(0, 2000, ways) <= 0);
    EXPECT(is_close(estimate(1, 2000, ways), RH_ESTIMATE_MOST));
    // A path that another process is changing.
    EXPECT(is_close(estimate(5, 1, (const struct way[]){{7, 3}}), 5));
    EXPECT(estimate(5, 1, (const struct way[]){{0, 0}}) > 0);
}

int main(void)
{
    all_alike();
    uneven();
    extremes();
    return 0;
}
