#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 400
# Of small programs within one process all outcomes are found, with the best reduction and without (tests/deep/zmq.sh:
# with another one): which there are is known by hand.
. "$SOURCE/tests/zmq/zmq.shlib"
compile_zmq tests/zmq/orders -I"$SOURCE/tests/zmq"
outcomes_of=./orders

outcomes fan_in 'crash outcome 1' 'crash outcome 2'
outcomes fan_in_3 'crash outcome 1' 'crash outcome 2' 'crash outcome 3' \
    'crash outcome 4' 'crash outcome 5' 'crash outcome 6'
outcomes poll_two 'crash outcome 1' 'crash outcome 2' 'crash outcome 3'
outcomes try_receive 'crash outcome 1' 'crash outcome 2'
outcomes slow_joiner 'crash outcome 1' 'crash outcome 2' 'crash outcome 3'
outcomes lost_update 'crash outcome 1' 'crash outcome 2'
outcomes lost_signal 'crash outcome 1' 'deadlock'
outcomes sleepers 'crash outcome 2'
outcomes bind_or_connect 'crash outcome 0' 'crash outcome 1'
outcomes connect_to_late 'crash outcome 1' 'crash outcome 2'
outcomes send_to_late 'crash outcome 1' 'crash outcome 2'
outcomes subscribe_to_late 'crash outcome 1' 'crash outcome 2'
outcomes close_early 'crash outcome 1'
outcomes hand_over 'crash outcome 1' 'crash outcome 2'
outcomes hand_over_and_overtake 'crash outcome 1' 'crash outcome 2'
outcomes hand_over_between 'crash outcome 1'
outcomes hand_over_at_the_end 'crash outcome 1'
outcomes hand_over_remote_pull 'crash outcome 1' 'crash outcome 2'
outcomes hand_over_when_told 'crash outcome 1'
outcomes leave_and_look 'crash outcome 1' 'crash outcome 2'
outcomes leave_and_look_again 'crash outcome 1' 'crash outcome 2'
outcomes last_moment 'crash outcome 1' 'crash outcome 2'
outcomes receive_after_end 'crash outcome 1'
outcomes poll_after_end 'crash outcome 1'
outcomes send_after_end 'crash outcome 1' 'crash outcome 2'
outcomes shut_down_and_tell 'crash outcome 1'
reductions='source optimal' outcomes startup 'crash outcome 1' 'crash outcome 2' 'crash outcome 3'

[ $failed -eq 0 ]
