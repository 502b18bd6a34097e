// SPDX-License-Identifier: MIT
#include "result/coverage.h"

#include <stdlib.h>

static void free_pair(struct rh_pair_review *pair)
{
    free(pair->first);
    free(pair->second);
    free(pair->reason);
    free(pair->schedule_path);
    rh_schedule_fini(&pair->schedule);
}

static void free_actor(struct rh_actor_review *actor)
{
    for (int kind = 0; kind < RH_PAIR_KINDS; kind++) {
        struct rh_pair_list *list = &actor->pairs[kind];
        for (size_t i = 0; i < list->listed.count; i++)
            free_pair(&list->listed.items[i]);
        rh_vector_fini(&list->listed);
    }
    free(actor->name);
}

void rh_coverage_review_fini(struct rh_coverage_review *review)
{
    for (size_t i = 0; i < review->tests.count; i++) {
        struct rh_test_review *test = &review->tests.items[i];
        for (size_t k = 0; k < test->actors.count; k++)
            free_actor(&test->actors.items[k]);
        rh_vector_fini(&test->actors);
        free(test->program);
        free(test->test);
    }
    rh_vector_fini(&review->tests);
    for (size_t i = 0; i < review->programs.count; i++) {
        free(review->programs.items[i].program);
        rh_line_coverage_fini(&review->programs.items[i].reached);
    }
    rh_vector_fini(&review->programs);
}

double rh_coverage_review_percent(const struct rh_coverage_review *review)
{
    uint64_t covered = 0, known = 0;
    for (size_t i = 0; i < review->tests.count; i++) {
        covered += review->tests.items[i].criteria[0].covered;
        known += review->tests.items[i].criteria[0].known;
    }
    return known > 0 ? 100 * (double)covered / (double)known : 100;
}
