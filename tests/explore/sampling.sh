#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 900
# The strategies of sample: how often each order comes, compared with what was worked out by hand; the same
# seed gives the same; each finds the bugs of examples and subjects, and what it finds replays.
. "$SOURCE/tests/programs/verdict.shlib"

sources=$SOURCE/tests/explore
compile_once "$sources/sampling.c"
sampling=$verdict_binary
runs=20000 seed_runs=5000
# Each run takes a process or so there, and fewer show as much of what a sanitizer looks for.
[ -z "${SANITIZE:-}" ] || runs=500 seed_runs=500

# sample_json ARGUMENTS...: leaves sample.json; sets sampled to how often a check has failed, 0 if it never did.
sample_json() {
    "$REHEARSE" sample --no-shrink --json --no-times --save . "$@" >sample.json 2>sample.err </dev/null
    sampled=$(json_number sample.json count)
    sampled=${sampled:-0}
}

# chance TEST NUMERATOR DENOMINATOR OPTIONS...: so many of the runs show the bug, within four standard deviations. The
# seeds are fixed: what holds once holds always.
chance() {
    verdict_count=$((verdict_count + 1))
    test=$1 numerator=$2 denominator=$3
    shift 3
    sample_json --keep-going --runs $runs --test $test "$@" "$sampling"
    awk -v got="$sampled" -v runs=$runs -v p="$numerator" -v q="$denominator" 'BEGIN {
        chance = p / q
        difference = got - runs * chance
        exit difference * difference > 16 * runs * chance * (1 - chance) + 1e-9
    }' || disagree "$test $*: $sampled of $runs instead of $numerator in $denominator"
}

# overtaken: three hops and `late`, against `early`. At random, `early` must lose four draws. With one priority for each
# message (pos) or channel (pct) it must be the lowest of five. In sending order it comes after the first hop, and a
# delay lets one more message pass: there must be one at each of the deliveries 2, 3 and 4, of five.
chance overtaken 1 16 --strategy random
chance overtaken 1 5 --strategy pos
chance overtaken 1 5 --strategy pct --depth 1
chance overtaken 0 1 --strategy delay --delays 2
chance overtaken 6 125 --strategy delay --delays 3

# between: `early`, `late`, `hop`, where the first and the last keep their order. At random, and by pos, where all race:
# two draws. With one priority for each channel never; if a channel falls behind, it must be the one that was ahead, and
# at the second of three deliveries. Sending order is `early`, `hop`, `late`: a delay at the second delivery.
chance between 1 4 --strategy random
chance between 1 4 --strategy pos
chance between 0 1 --strategy pct --depth 1
chance between 1 6 --strategy pct --depth 2
chance between 1 3 --strategy delay --delays 1

# last_of_three: the last sent comes first. It must be the highest of three. Both delays must be at the first delivery.
chance last_of_three 1 3 --strategy random
chance last_of_three 1 3 --strategy pos
chance last_of_three 1 3 --strategy pct --depth 1
chance last_of_three 0 1 --strategy delay --delays 1
chance last_of_three 1 9 --strategy delay --delays 2

# Without an order rule `hop` can come before `early` too: of the six orders of three messages, in one `late` stands in
# the middle behind `early`. To pct a link is a channel nevertheless: with one priority for each channel `late` never
# comes between. In runs that keep the order in links it does as above, in the others `early` must be drawn as the first
# of its link besides.
chance between 1 6 --strategy random --delivery any
chance between 1 6 --strategy pos --delivery any
chance between 0 1 --strategy pct --depth 1 --delivery any
chance between 1 8 --strategy pct --depth 2 --delivery any

# A timer goes behind messages nine times in ten. At random it has one chance in a draw where a message has ten.
chance tick 1 11 --strategy random
chance tick 1 20 --strategy pos
chance tick 1 20 --strategy pct --depth 1
# The timer must not be rare, and not be delayed at the first of two deliveries.
chance tick 1 20 --strategy delay --delays 1
# Among themselves timers are as likely as before: the relay's timer, and then its message, which timers do not pass.
chance two_ticks 5 11 --strategy random
# Of eleven in turn four keep strict time; random, pos and delay with rare timers do as above; and in four the timer
# comes first half of the time: in three that do not make it rare, and where pct has one of two points to fall behind.
chance tick 241 1210 --strategy mixed

# guarantee TEST ODDS OPTIONS...: the odds that pct promises are these, and not above what it does.
guarantee() {
    verdict_count=$((verdict_count + 1))
    test=$1 odds=$2
    shift 2
    sample_json --keep-going --runs $runs --test $test --strategy pct "$@" "$sampling"
    grep -q "a chance of at least 1 in $odds in each of the last" sample.json ||
        disagree "$test $*: no word about odds of 1 in $odds" "$(grep chance sample.json)"
    awk -v got="$sampled" -v runs=$runs -v odds="$odds" 'BEGIN {
        promised = runs / odds
        exit got < promised - 4 * sqrt(promised)
    }' || disagree "$test $*: promised 1 in $odds, and showed $sampled times in $runs"
}
# Channels times deliveries to the power of the depth less one. The bugs have the depths 1, 2 and 1.
guarantee overtaken 5 --depth 1
guarantee overtaken 25 --depth 2
guarantee overtaken 125 --depth 3
guarantee between 6 --depth 2
guarantee between 18 --depth 3
guarantee last_of_three 3 --depth 1
guarantee last_of_three 9 --depth 2
# Where links need not keep their order, every second run does.
guarantee between 12 --depth 2 --delivery any
guarantee overtaken 10 --depth 1 --delivery any

# The same seed gives the same, another one something else, and the number of runs does not matter.
for strategy in random pct pos delay mixed; do
    verdict_count=$((verdict_count + 1))
    options="--test overtaken --strategy $strategy"
    sample_json $options --runs $seed_runs --seed 3 "$sampling" && cp sample.json first.json
    sample_json $options --runs $seed_runs --seed 3 "$sampling"
    cmp -s first.json sample.json || disagree "$strategy: the same seed, and another result"
    json_strings sample.json strategy | grep -qx $strategy || disagree "$strategy: not in JSON"
    executions=$(json_number sample.json executions)
    sample_json $options --runs $((2 * seed_runs)) --seed 3 "$sampling"
    [ "$(json_number sample.json executions)" = "$executions" ] ||
        disagree "$strategy: more runs, and another execution finds it"
    sample_json $options --keep-going --runs $seed_runs --seed 3 "$sampling" && cp sample.json first.json
    sample_json $options --keep-going --runs $seed_runs --seed 4 "$sampling"
    [ "$(json_number first.json count)" != "$sampled" ] ||
        disagree "$strategy: another seed, and the same result"
done

# finds PROGRAM KIND OPTIONS...: every strategy finds it, however executions are taken back, and it replays.
finds() {
    program=$1 bug=$2
    shift 2
    compile_once "$SOURCE/$program"
    for strategy in random pct pos delay mixed; do
        verdict_count=$((verdict_count + 1))
        sample_json --strategy $strategy --runs 20000 "$@" "$verdict_binary"
        json_kinds sample.json | grep -Eq "(^|,)$bug(,|$)" ||
            disagree "$program $*: $strategy does not find $bug: $(json_kinds sample.json)"
        cp sample.json once.json
        replay_findings "$program $* $strategy" once
        sample_json --strategy $strategy --runs 20000 --undo off "$@" "$verdict_binary"
        cmp -s sample.json once.json || disagree "$program $* $strategy: --undo off differs"
    done
}
finds examples/bank.c check
finds examples/leader.c invariant --test forgetful_voter
finds examples/retry.c check --test late_answer
finds subjects/basset/leader.c final --test careless
finds subjects/basset/leader.c final --test ascending --delivery any
finds subjects/basset/server.c check --test readings_by_courier
finds subjects/basset/leader_capture.c check --test two_restarted
finds subjects/mini/order_violation.c crash --test broken
finds subjects/mini/lost_update.c final --test broken
finds subjects/mini/communication_deadlock.c deadlock --test broken
finds subjects/mini/behavioural_deadlock.c final --test broken
finds subjects/mini/memory_inconsistency.c final --test broken
finds subjects/mini/duplicate_stop.c undelivered --test broken --fail-on undelivered
finds subjects/mini/stale_notification.c final --test broken
finds subjects/mini/premature_termination.c final --test broken --delivery any
finds subjects/mini/lost_record.c unhandled --test broken_with_two_users
finds subjects/mini/self_message.c unhandled --test broken

# refuses PATTERN ARGUMENTS...: with exit status 2 and a sentence.
refuses() {
    verdict_count=$((verdict_count + 1))
    pattern=$1
    shift
    "$REHEARSE" "$@" "$sampling" >refused.out 2>refused.err </dev/null
    [ $? -eq 2 ] && grep -q -- "$pattern" refused.err || disagree "$*: not refused" "$(cat refused.err)"
}
refuses '--strategy takes mixed|random|pct|pos|delay|exhaustive, not .best.' sample --strategy best
refuses '--strategy pct takes samples: it is for sample, and explore takes exhaustive' explore --strategy pct
refuses '--strategy exhaustive is for explore: sample takes samples' sample --strategy exhaustive
refuses '--depth goes with --strategy pct' sample --depth 2
refuses '--depth goes with --strategy pct' sample --strategy pos --depth 2
refuses '--depth must be at least 1' sample --strategy pct --depth 0
refuses '--depth 65 is too large: the most is 64' sample --strategy pct --depth 65
refuses '--delays goes with --strategy delay' sample --strategy pct --delays 2
refuses '--delays 1001 is too large: the most is 1000' sample --strategy delay --delays 1001
verdict_end
