// SPDX-License-Identifier: MIT
#include "cli/route.h"

#include <stdlib.h>

static void add_delivery(const struct rh_journal *journal, const struct rh_journal_step *step,
                         struct rh_schedule *schedule)
{
    const struct rh_journal_message *message = &journal->messages[step->received];
    *rh_vector_push(&schedule->steps) =
        (struct rh_step){.kind = RH_STEP_DELIVER,
                         .type = rh_strdup(journal->types[message->type]),
                         .receiver = rh_strdup(journal->actors[message->receiver].name),
                         .sender = rh_strdup(journal->actors[message->sender].name)};
}

// What the body or the handler has chosen comes behind it.
static void add_choices(const struct rh_journal *journal, const struct rh_journal_step *step,
                        struct rh_schedule *schedule)
{
    for (uint32_t i = 0; i < step->choice_count; i++) {
        const struct rh_journal_choice *choice = &journal->choices[step->first_choice + i];
        *rh_vector_push(&schedule->steps) = (struct rh_step){
            .kind = RH_STEP_CHOOSE, .outcome = (int)choice->outcome, .count = (int)choice->count};
    }
}

void rh_route_schedule(const struct rh_subject *subject, const struct rh_automaton *automaton,
                       const uint32_t *edges, size_t count, struct rh_schedule *schedule)
{
    const struct rh_options *options = subject->options;
    const struct rh_journal *journal = subject->states;
    *schedule = (struct rh_schedule){.test = rh_strdup(subject->test->name),
                                     .order_rule = options->run.order_rule,
                                     .time = options->run.time,
                                     .environment = options->run.environment};
    for (size_t i = 0; i < options->names.count; i++)
        *rh_vector_push(&schedule->programs) = rh_strdup(options->names.items[i]);
    rh_schedule_copy_inputs(schedule, &subject->inputs);
    for (size_t i = 0; i < count; i++) {
        const struct rh_journal_step *step = &journal->steps[automaton->edges.items[edges[i]].step];
        if (i > 0)
            add_delivery(journal, step, schedule);
        add_choices(journal, step, schedule);
    }
}
