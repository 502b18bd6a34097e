// SPDX-License-Identifier: MIT
// The functions of actor.h and test.h that entry/stack_x86_64.S has entries for: a function that is
// defined here under such a name is what the entry calls while actors run on threads. Include this
// header before those two.
#ifndef REHEARSE_RUNTIME_ENTRIES_H
#define REHEARSE_RUNTIME_ENTRIES_H

#define rh__send rh__send_run
#define rh__send_from rh__send_from_run
#define rh__after rh__after_run
#define rh__ask rh__ask_run
#define rh__reply rh__reply_run
#define rh__spawn rh__spawn_run
#define rh__as rh__as_run
#define rh__become rh__become_run
#define rh__stop rh__stop_run
#define rh_at_stop rh_at_stop_run
#define rh_self rh_self_run
#define rh_sender rh_sender_run
#define rh_size rh_size_run
#define rh_name rh_name_run
#define rh_now rh_now_run
#define rh_progress rh_progress_run
#define rh__choose rh__choose_run
#define rh__input rh__input_run
#define rh__check rh__check_run
#define rh_ignore rh_ignore_run
#define rh__unhandled rh__unhandled_run
#define rh__give rh__give_run
#define rh_outside rh_outside_run
#define rh_receptionist rh_receptionist_run
#define rh__may_come rh__may_come_run
#define rh__judge rh__judge_run
#define rh_view_state rh_view_state_run
#define rh_view_alive rh_view_alive_run
#define rh__view_pending rh__view_pending_run
#define rh__view_count rh__view_count_run

#endif
