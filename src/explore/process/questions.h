// SPDX-License-Identifier: MIT
// What a worker asks the keeper, and waits for. The program has the worker's descriptors, and may
// close them, or write to all that there are: so question and answer lie in shared memory, and the
// pipe only wakes the keeper, who looks a few times a second in any case.
#ifndef REHEARSE_EXPLORE_PROCESS_QUESTIONS_H
#define REHEARSE_EXPLORE_PROCESS_QUESTIONS_H

#include "explore/process/shared.h"

// Returns when the keeper has answered. `bell` is the pipe's end.
void rh_question_ask(struct rh_shared *shared, int bell, char question);

// The keeper: takes what the bell has, which may be anything.
void rh_question_hear(int bell);
// The question that waits for its answer; 0: none.
char rh_question_get(const struct rh_shared *shared);
void rh_question_answer(struct rh_shared *shared);

#endif
