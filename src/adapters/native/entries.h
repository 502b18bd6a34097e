// SPDX-License-Identifier: MIT
// The functions of actor.h and test.h that entry/stack_x86_64.S has entries for: a function that
// native.c defines under such a name is the body that the entry calls. Include this header before
// those two.
#ifndef REHEARSE_ADAPTERS_NATIVE_ENTRIES_H
#define REHEARSE_ADAPTERS_NATIVE_ENTRIES_H

#define rh__send rh__send_body
#define rh__send_from rh__send_from_body
#define rh__after rh__after_body
#define rh__reply rh__reply_body
#define rh__spawn rh__spawn_body
#define rh__as rh__as_body
#define rh__become rh__become_body
#define rh__stop rh__stop_body
#define rh_at_stop rh_at_stop_body
#define rh_self rh_self_body
#define rh_sender rh_sender_body
#define rh_size rh_size_body
#define rh_name rh_name_body
#define rh_now rh_now_body
#define rh_progress rh_progress_body
#define rh__choose rh__choose_body
#define rh__input rh__input_body
#define rh__check rh__check_body
#define rh_ignore rh_ignore_body
#define rh__unhandled rh__unhandled_body
#define rh__give rh__give_body
#define rh_outside rh_outside_body
#define rh_receptionist rh_receptionist_body
#define rh__may_come rh__may_come_body
#define rh__judge rh__judge_body
#define rh_view_state rh_view_state_body
#define rh_view_alive rh_view_alive_body
#define rh__view_pending rh__view_pending_body
#define rh__view_count rh__view_count_body

#endif
