// SPDX-License-Identifier: MIT
// The component's state as a log tells it: RH_ACTION says what the program does, and RH_REPLAY does
// it again to the component's own variables, in this process. An action that belongs to a commit
// counts from that commit on.
#ifndef REHEARSE_THREADS_LOG_REPLAY_H
#define REHEARSE_THREADS_LOG_REPLAY_H

#include "base/status.h"
#include "threads/log/record.h"
#include "threads/view.h"

struct rh_log_step {
    const struct rh_log_record *record; // NULL: it is missing
    uint32_t thread;
};

// Whether the program says how actions are done again.
bool rh__log_replays(void);

struct rh_log_replay;
// From the state after the component's set-up.
struct rh_log_replay *rh__log_replay_new(uint32_t threads);
void rh__log_replay_free(struct rh_log_replay *replay);

// Takes the next step: an action, or a commit. `action` and `file` are what an action's record
// names.
struct rh_status rh__log_replay_take(struct rh_log_replay *replay, const struct rh_log_step *step,
                                     const char *action, const char *file);
// What the component's view shows now.
void rh__log_replay_view(struct rh_view *view);

#endif
