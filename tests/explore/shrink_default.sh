#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 900
# Errors of a search are shrunk without being asked, within a budget, unless --no-shrink says otherwise.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/explore/shrink.shlib"
set -m

compile_once "$SOURCE/tests/explore/shrink.c"
shrink_program=$verdict_binary
compile_once "$SOURCE/tests/explore/shrink_default.c"
special=$verdict_binary

# search DIRECTORY VERB OPTIONS...: leaves what it says in DIRECTORY.txt and its schedules in DIRECTORY.
search() {
    directory=$1
    shift
    rm -rf "$directory"
    mkdir "$directory"
    "$REHEARSE" "$@" --no-times --save "$directory" >"$directory.txt" 2>"$directory.err" </dev/null
    search_status=$?
}

# in_time NAME COMMAND...: with ten seconds, of which the tenth execution takes all that are left. To see that none of
# sixty deliveries can be left out takes sixty executions, and to look for a cause that is not there two hundred. Goes on
# by itself; leaves NAME.wrong, which is empty if all is right.
in_time() {
    local name=$1 status process
    shift
    mkdir "$name.least"
    mkfifo "$name.gate"
    EXECUTIONS=$PWD/$name.executions GATE=$PWD/$name.gate "$@" --shared-files --max-seconds 10 --json --save "$name.least" \
        >"$name.txt" 2>"$name.err" </dev/null &
    process=$!
    sleep 11
    exec 9<>"$name.gate"
    wait $process
    status=$?
    exec 9>&-
    [ $status -eq 1 ] || echo "status $status"
    executions=$(wc -l <"$name.executions")
    [ "$executions" -ge 10 ] && [ "$executions" -lt 20 ] || echo "$executions executions"
} >"$1.wrong"

# --max-seconds is for shrinking too. With --undo off each trial runs the test's body, which counts.
verdict_count=$((verdict_count + 2))
search slow explore --reduction none --no-shrink --test slow "$special"
in_time explore "$REHEARSE" explore --reduction none --undo off --test slow "$special" &
in_time shrink "$REHEARSE" shrink --undo off "$special" slow/slow.schedule &

delivery_lines() { grep -cE '^( \*| ) +[0-9]+  ' "$1"; }

# same_as_shrink TEST VERB OPTIONS...: what comes of it is what `shrink` makes of the schedule that was found, replays,
# and nothing can be left out of it. What is said about the search is the same with and without.
same_as_shrink() {
    verdict_count=$((verdict_count + 1))
    test=$1
    shift
    search found "$@" --test "$test" --no-shrink "$shrink_program"
    [ $search_status -eq 1 ] || disagree "$*: $test --no-shrink: status $search_status" "$(cat found.err)"
    ! grep -q '^shrunk:\|^cause:' found.txt || disagree "$*: $test is shrunk with --no-shrink"
    ! grep -q '^# cause:\|^stop\|^hold' found/$test.schedule || disagree "$*: $test: the schedule is shrunk"
    search least "$@" --test "$test" "$shrink_program"
    [ $search_status -eq 1 ] || disagree "$*: $test: status $search_status" "$(cat least.err)"
    [ "$(head -n 1 found.txt)" = "$(head -n 1 least.txt)" ] ||
        disagree "$*: $test: counts of the search" "$(head -n 1 found.txt least.txt)"
    shrink "$* $test" found/$test.schedule
    cmp -s found/$test-shrunk.schedule least/$test.schedule ||
        disagree "$*: $test: not what shrink makes of it" "$(diff found/$test-shrunk.schedule least/$test.schedule)"
    [ "$(sed -n 's/^cause:   //p' least.txt)" = "$(json_strings shrink.json cause)" ] || disagree "$*: $test: the cause"
    is_least "$* $test" least/$test.schedule
    "$REHEARSE" replay --no-times "$shrink_program" least/$test.schedule >replay.txt 2>&1
    [ $? -eq 1 ] || disagree "$*: $test: replay" "$(cat replay.txt)"
    ! grep -q '^shrunk:\|^cause:' replay.txt || disagree "$*: $test: a replay is shrunk"
}
for test in refused lost chosen always; do
    same_as_shrink $test sample --runs 2000 --seed 2
    same_as_shrink $test explore --reduction optimal --states none
    # A sanitizer replaces malloc, so states can't be compared.
    [ -n "${SANITIZE:-}" ] || same_as_shrink $test explore --reduction none --states exact
done
same_as_shrink dropped sample --runs 2000 --seed 2 --drop 1

# says TEXT: about the last search.
says() { grep -Fqx -e "$1" least.txt || disagree "not said: $1" "$(cat least.txt)"; }

# The four deliveries of shrink.sh, of which the last fails; three tickers with up to three ticks each, and a fifth
# delivery that is not needed, the other way round.
verdict_count=$((verdict_count + 3))
search found sample --runs 2000 --seed 2 --test refused --no-shrink "$shrink_program"
search least sample --runs 2000 --seed 2 --test refused "$shrink_program"
says "shrunk:  from $(delivery_lines found.txt) deliveries to 4"
says 'cause:   flush from terminator#1 reached writer#1 before write from action#1'
[ "$(delivery_lines least.txt)" -eq 4 ] || disagree 'refused: the sequence' "$(cat least.txt)"
search least sample --runs 2000 --seed 2 --test refused --json "$shrink_program"
[ "$(json_number least.txt from)" = "$(delivery_lines found.txt)" ] &&
    [ "$(json_number least.txt least)" = true ] && [ "$(json_number least.txt steps)" = 4 ] ||
    disagree 'refused: --json' "$(cat least.txt)"
search least sample --runs 2000 --seed 2 --test lost "$shrink_program"
grep -q '^shrunk:  to sending order with 1 message held back$' least.txt || disagree 'lost' "$(cat least.txt)"

# Warnings stay as they were found, and are shrunk if they are errors.
verdict_count=$((verdict_count + 2))
undelivered=$SOURCE/tests/kinds/undelivered.c
search found explore --reduction none --no-shrink "$undelivered"
search least explore --reduction none "$undelivered"
sed 's,^\(saved\|replay\):.*,,;s,least/,found/,g' least.txt >least.same
sed 's,^\(saved\|replay\):.*,,' found.txt >found.same
cmp -s found.same least.same && cmp -s found/*.schedule least/*.schedule ||
    disagree 'a warning is shrunk' "$(cat least.txt)"
search least explore --reduction none --fail-on undelivered "$undelivered"
grep -q '^shrunk:' least.txt || disagree 'a warning that is an error is not shrunk' "$(cat least.txt)"

# It shows in every order, in six deliveries if they come in sending order, which needs nothing to be said; and in two
# otherwise. Those are the fewest, and stay.
verdict_count=$((verdict_count + 2))
search least explore --reduction none --states none --test longer_in_sending_order "$special"
says 'shrunk:  to sending order'
says 'cause:   not an ordering bug: it fails in the default order too'
search least explore --reduction none --states none --shortest --test longer_in_sending_order "$special"
says 'shrunk:  to sending order with 1 message held back'
says 'note:    no execution with fewer deliveries shows an error'
[ "$(delivery_lines least.txt)" -eq 2 ] || disagree '--shortest: it became longer' "$(cat least.txt)"

# No beat can be left out, since each leads to the next; but all answers can, and then it fails at the fourth beat.
verdict_count=$((verdict_count + 1))
search least explore --reduction optimal --states none --max-length 2000 --max-executions 50 --test heartbeat "$special"
grep -q '^shrunk:  from [0-9]\{4\} deliveries to 4$' least.txt || disagree 'heartbeat' "$(grep '^shrunk' least.txt)"
says 'cause:   beat from monitor#1 reached monitor#1 before pong from peer#1'
shrink heartbeat least/heartbeat.schedule
is_least heartbeat "$shrunk"
cmp -s least/heartbeat.schedule "$shrunk" || disagree 'heartbeat: what was shrunk becomes smaller' "$(cat "$shrunk")"

# A budget: three hundred deliveries of which each is needed. To try each alone takes three hundred executions of three
# hundred deliveries, and to try halves, quarters and so on before takes as many.
verdict_count=$((verdict_count + 1))
search least sample --runs 1 --test needs_all --json "$special"
executions=$(sed -n '/"shrunk"/,/}/s/.*"executions": \([0-9]*\).*/\1/p' least.txt)
[ "$executions" -le 701 ] || disagree "needs_all: $executions executions"
[ "$(json_number least.txt from) $(json_number least.txt least)" = '300 false' ] &&
    [ "$(grep -c '^deliver' least/needs_all.schedule)" -eq 300 ] || disagree 'needs_all' "$(cat least.txt)"
"$REHEARSE" replay "$special" least/needs_all.schedule >replay.txt 2>&1
[ $? -eq 1 ] || disagree 'needs_all does not replay' "$(cat replay.txt)"

# And one for all together: each of the twelve takes more than a hundred executions for each delivery alone and about
# as many for the larger parts, of which there are two thousand.
verdict_count=$((verdict_count + 1))
search least explore --reduction none --keep-going --test many "$special"
shrunk=$(grep -c '^cause:' least.txt)
left=$((12 - shrunk))
[ $left -gt 0 ] && [ $shrunk -gt 4 ] &&
    grep -q "^note:    $left errors* w[a-z]* not shrunk, since there are so many" least.txt ||
    disagree "many: $shrunk shrunk" "$(grep '^note' least.txt)"
for file in least/*.schedule; do
    "$REHEARSE" replay "$special" "$file" >replay.txt 2>&1
    [ $? -eq 1 ] || disagree "many: $file does not replay" "$(cat replay.txt)"
done

# Where there are no two deliveries nothing is said about exchanging them.
verdict_count=$((verdict_count + 2))
search least explore --test past_the_front "$SOURCE/tests/api/outside.c"
says 'cause:   not an ordering bug: it shows without a delivery'
search least explore --test alone "$special"
says 'cause:   not an ordering bug: there is only one delivery'

# A hang too. The first of its two messages is handled and does not matter.
verdict_count=$((verdict_count + 1))
search least explore --reduction none --hang-limit 20 "$SOURCE/tests/kinds/hang.c"
[ $search_status -eq 1 ] || disagree 'a hang' "$(cat least.txt least.err)"
says 'shrunk:  from 2 deliveries to 1'
says 'cause:   not an ordering bug: it fails in the default order too'
"$REHEARSE" replay --hang-limit 20 "$SOURCE/tests/kinds/hang.c" least/*.schedule >replay.txt 2>&1
[ $? -eq 1 ] || disagree 'hang: does not replay' "$(cat replay.txt)"

# What takes longer than the limit, and less than ten times as long, is no hang, though it looks like one at first, if
# somebody looks in time: of two messages that are both needed for one, neither is left out. All these times are the
# processor's. That both come in sending order says as much as both of them do.
verdict_count=$((verdict_count + 1))
for how in --no-shrink ''; do
    # shellcheck disable=SC2086
    search least explore --reduction none --hang-limit 20 $how --test slow_then_hangs "$special"
    [ $search_status -eq 1 ] || disagree "slow_then_hangs $how" "$(cat least.txt least.err)"
    case $(grep -c '^deliver' least/slow_then_hangs.schedule)$how in
    2* | 0) ;;
    *) disagree "slow_then_hangs $how: not both" "$(cat least/slow_then_hangs.schedule)" ;;
    esac
    "$REHEARSE" replay --hang-limit 20 "$special" least/slow_then_hangs.schedule >replay.txt 2>&1
    [ $? -eq 1 ] && grep -q '^hang: ' replay.txt && grep -q '^ \* *2  outside' replay.txt ||
        disagree "slow_then_hangs $how: does not replay" "$(cat replay.txt least.txt)"
done

# What began above.
wait
for name in explore shrink; do
    [ ! -s $name.wrong ] || disagree "$name --max-seconds" "$(cat $name.wrong $name.txt $name.err)"
done
"$REHEARSE" replay "$special" explore.least/slow.schedule >replay.txt 2>&1
[ $? -eq 1 ] || disagree '--max-seconds: does not replay' "$(cat replay.txt)"

# A search that has used all its time has some left for that; every error is shrunk, or counted as one for which there
# was none.
verdict_count=$((verdict_count + 1))
search least sample --runs 1000000000 --keep-going --max-seconds 2 --test refused "$shrink_program"
errors=$(grep -c '^saved:' least.txt)
shrunk=$(grep -c '^cause:' least.txt)
late=$(sed -n 's/^note:    \([0-9]*\) errors* w[a-z]* not shrunk, since there was no time left.*/\1/p' least.txt)
[ "$errors" -gt 0 ] && [ $((shrunk + ${late:-0})) -eq "$errors" ] ||
    disagree "--max-seconds: $errors errors, $shrunk shrunk, ${late:-none} late" "$(cat least.txt)"

# The live line says what goes on.
verdict_count=$((verdict_count + 1))
script -qec "'$REHEARSE' explore --reduction none --max-seconds 1 --save least --test slow '$special'" typescript >/dev/null </dev/null
grep -q 'slow: shrinking, [0-9]* executions' typescript || disagree 'the live line' "$(tr '\r' '\n' <typescript)"

# Ctrl-C: the first executions are the search, its repetition, that of the schedule, one with its last delivery as the
# end, and the first attempt, which leaves the twenty deliveries to others out. The tenth does not go on.
verdict_count=$((verdict_count + 1))
mkdir interrupted
mkfifo gate
EXECUTIONS=$PWD/executions GATE=$PWD/gate "$REHEARSE" explore --shared-files --no-times --undo off --test slow --save interrupted "$special" \
    >interrupted.txt 2>interrupted.err </dev/null &
group=$!
for _ in {1..1200}; do
    [ "$(cat executions 2>/dev/null | wc -l)" -lt 10 ] || break
    sleep 0.1
done
kill -INT -- -$group
wait $group
[ $? -eq 1 ] || disagree 'interrupted: status' "$(cat interrupted.err)"
grep -q 'FAILED after 1 execution, 80 deliveries' interrupted.txt &&
    grep -qx 'shrunk:  from 80 deliveries to 60, not yet as small as it gets' interrupted.txt &&
    grep -qx 'cause:   not looked for to the end: interrupted' interrupted.txt &&
    grep -qx 'saved:   interrupted/slow.schedule' interrupted.txt || disagree 'interrupted' "$(cat interrupted.txt)"
"$REHEARSE" replay "$special" interrupted/slow.schedule >replay.txt 2>&1
[ $? -eq 1 ] || disagree 'interrupted: does not replay' "$(cat replay.txt)"
verdict_end
