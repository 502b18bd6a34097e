#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 400
# Of small programs with peers that come late, leave, or are in another process all outcomes are found, with the best
# reduction and without (tests/deep/zmq.sh: with another one, and with all three those that $slowly stands before): which
# there are is known by hand.
. "$SOURCE/tests/zmq/zmq.shlib"
compile_zmq tests/zmq/orders_remote -I"$SOURCE/tests/zmq"
outcomes_of=./orders_remote
slowly=${ZMQ_REDUCTIONS:+none optimal }${ZMQ_REDUCTIONS:-none}

outcomes own_pull 'crash outcome 1'
outcomes own_remote_pull 'crash outcome 1' 'crash outcome 2'
outcomes own_subscriber 'crash outcome 1' 'crash outcome 2'
outcomes own_dealer 'crash outcome 1' 'crash outcome 2'
outcomes hand_over_publisher 'crash outcome 1' 'crash outcome 2'
outcomes hand_over_remote_publisher 'crash outcome 1' 'crash outcome 2'
outcomes close_in_haste 'crash outcome 1' 'crash outcome 2'
outcomes lose_last 'crash outcome 0' 'crash outcome 1' 'crash outcome 6'
outcomes lose_last_disconnected 'crash outcome 0' 'crash outcome 1' 'crash outcome 6'
outcomes lose_nothing 'crash outcome 6'
outcomes lose_nothing_answered 'crash outcome 1'
outcomes lose_both 'crash outcome 1' 'crash outcome 2' 'crash outcome 3' 'crash outcome 4'
outcomes close_and_linger 'crash outcome 1'
# ZeroMQ tries to connect again after a while, when the socket has lingered: outcome 2.
outcomes bind_in_time incomplete 'crash outcome 1'
outcomes bind_too_late 'crash outcome 2'
outcomes end_when_taken 'crash outcome 1'
outcomes end_never 'deadlock'
# Where a send may notice that its peer leaves because of an earlier one, which is not tried, that is said.
reductions=$slowly outcomes connect_again incomplete 'crash outcome 4' 'deadlock'
outcomes bind_both 'crash outcome 1' 'crash outcome 2'
outcomes bind_both_remote 'crash outcome 1' 'crash outcome 2'
outcomes bind_what_is_closed 'crash outcome 1' 'crash outcome 2'
outcomes wake_any 'crash outcome 1' 'crash outcome 2'
# What was on its way when its receiver was closed may be at its sender still, which is tried only where there was no
# connection yet: that is said too.
reductions=$slowly outcomes keep_for_next incomplete 'crash outcome 1' 'crash outcome 2'
outcomes keep_order incomplete 'crash outcome 0' 'crash outcome 1' 'crash outcome 2'
outcomes keep_and_end 'crash outcome 1' 'deadlock'
outcomes keep_and_end_later incomplete 'crash outcome 1' 'crash outcome 2'
outcomes keep_and_drop incomplete 'crash outcome 2'
# Also here it takes a while, and in ZeroMQ outcome 2 is the common one.
outcomes keep_subscription incomplete 'crash outcome 1' 'crash outcome 2'
outcomes bind_again 'crash outcome 1' 'crash outcome 2'
outcomes bind_again_later 'crash outcome 1'
outcomes bind_again_elsewhere 'crash outcome 1'
outcomes two_ways 'crash outcome 1' 'crash outcome 2'
outcomes two_ways_inside 'crash outcome 1'
outcomes end_first 'crash outcome 1' 'crash outcome 2' 'crash outcome 3' 'crash outcome 4'
outcomes subscribe_before 'crash outcome 1' 'crash outcome 2' 'crash outcome 3'
outcomes push_to_leaving 'crash outcome 1' 'crash outcome 2'
outcomes push_to_leaving_and_wait 'crash outcome 1' 'deadlock'
outcomes push_to_staying 'crash outcome 1'
outcomes pair_with_leaving 'crash outcome 1' 'crash outcome 2'
outcomes deal_with_leaving 'crash outcome 1' 'crash outcome 2'
outcomes subscribe_bound 'crash outcome 1' 'crash outcome 2'
outcomes subscribe_bound_in_time 'crash outcome 1'
outcomes subscribe_bound_remote 'crash outcome 1' 'crash outcome 2'
outcomes subscribe_bound_never 'crash outcome 2'
outcomes subscribe_bound_waiting 'crash outcome 1'
outcomes connect_router 'crash outcome 1' 'crash outcome 2'
outcomes immediate 'crash outcome 1' 'crash outcome 2'
outcomes handover incomplete 'crash outcome 1' 'crash outcome 2'

[ $failed -eq 0 ]
