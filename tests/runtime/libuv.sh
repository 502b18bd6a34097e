#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# Actors inside a program that has an event loop: the example's server answers many connections at once, ends when it is
# told to, and its tests are explored. A run that was recorded is repeated, though the loop creates an actor for each
# connection, also if the server was killed.
set -u
. "$SOURCE/tests/runtime/build.shlib"
failed=0
complain() {
    echo "FAIL $*"
    failed=$((failed + 1))
}
example=$SOURCE/examples/libuv/scores.c
LDLIBS=-luv build_program scores "$example" || exit 1

# talk PORT NUMBER: one connection, two hundred scores, twenty at a time, since the system holds back what follows a line
# that was not answered. After each its own best is at least that score.
talk() {
    local first i word points
    exec 3<>"/dev/tcp/127.0.0.1/$1" || return 1
    for ((first = 1; first <= 200; first += 20)); do
        for ((i = first; i < first + 20; i++)); do
            printf 'score %d\nbest\n' $((i * 10 + $2)) >&3
        done
        for ((i = first; i < first + 20; i++)); do
            read -r -t 60 word points <&3 || return 1
            [ "$word" = best ] && [ "$points" -ge $((i * 10 + $2)) ] || return 1
        done
    done
    printf 'mine\nwho are you\n' >&3
    read -r -t 60 word points <&3 && [ "$word $points" = "mine $((2000 + $2))" ] &&
        read -r -t 60 word points <&3 && [ "$word $points" = 'what? 0' ]
}

# start: in the background, as `server`; listens on `port`.
start() {
    rm -f out
    ./scores >out 2>err &
    server=$!
    for ((i = 0; i < 600; i++)); do
        [ -s out ] && break
        sleep 0.1
    done
    port=$(sed 's/.*://' out)
}

for REHEARSE_THREADS in 1 2; do
    threads=$REHEARSE_THREADS
    export REHEARSE_THREADS
    start
    clients=()
    for number in 0 1 2 3 4 5 6 7; do
        (talk "$port" $number) &
        clients+=($!)
    done
    for client in "${clients[@]}"; do
        wait "$client" || complain "$threads threads: a client is not served"
    done
    # One is still connected when the server ends.
    exec 4<>"/dev/tcp/127.0.0.1/$port"
    printf 'best\n' >&4
    read -r -t 60 answer <&4
    [ "$answer" = 'best 2007' ] || complain "$threads threads: $answer after all scores"
    kill -TERM $server
    wait $server
    status=$?
    exec 4>&-
    [ $status -eq 0 ] && [ ! -s err ] || complain "$threads threads: status $status: $(cat err)"
done

# Two clients of 200 scores and two lines each: scores, questions to the board, its replies and answers; and who hangs up.
if [ -z "${SANITIZE:-}" ]; then
    for signal in TERM KILL; do
        export REHEARSE_RECORD=run.trace
        start
        unset REHEARSE_RECORD
        for number in 0 1; do
            (talk "$port" $number) || complain "recorded: a client is not served"
        done
        sleep 0.2 # until the server has seen that they are gone
        kill -$signal $server
        wait $server 2>/dev/null
        timeout 100 "$REHEARSE" replay run.trace --no-times >out 2>err ||
            complain "replay, after $signal: status $?: $(cat err; tail -n 5 out)"
        grep -q ', 2410 deliveries' out || complain "replay, after $signal: $(head -n 1 out)"
        grep -q 'outside *-> player#2 *hang_up' out || complain "replay, after $signal: $(tail -n 5 out)"
    done
fi

"$REHEARSE" explore "$example" --reduction optimal --states none --save . >out 2>&1 ||
    complain "explore: $(cat out)"
grep -q 'own_score_counts: passed, all 12 executions' out || complain "explore: $(cat out)"
"$REHEARSE" explore "$example" --delivery any --save . >out 2>&1 && complain "explore, any order: $(cat out)"
grep -q '^check failed: points >= scored' out || complain "explore, any order: $(cat out)"
exit $failed
