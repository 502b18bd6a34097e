#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Goals that are orders of deliveries to different actors, which touch something besides their actors: cover reaches
# them, and coverage says what they are about.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so whether a delivery changes its actor is not known"
    exit 77
fi
. "$SOURCE/tests/cli/expect.bash"
program=$SOURCE/tests/cover/across.c
number() { sed -n "s/^ *\"$1\": \([a-z0-9.]*\),*$/\1/p" "$capture/stdout" | head -n 1; }

# No actor has a pair here, so that without these goals there would be one run.
expect 1 "$REHEARSE" cover "$program" --test two_servers --max-executions 2 --no-times
says 'invariant second_not_ahead does not hold'
says 'pr 1 of 2, pbr 0 of 0, pcr 1 of 2'
expect 1 "$REHEARSE" cover "$program" --test two_servers --no-sweeps --max-executions 2 --no-times
says 'invariant second_not_ahead does not hold'

# The second update has sixty deliveries behind it. Without these goals, orders of the guests are all there is to look
# for, and a random sweep comes by it in run 18.
expect 1 "$REHEARSE" cover "$program" --test long_way --max-executions 2 --no-times
says 'invariant second_not_ahead does not hold'
expect 1 "$REHEARSE" cover "$program" --test long_way --no-sweeps --max-executions 10 --no-times
says 'invariant second_not_ahead does not hold'

# Who changes nothing that the invariant looks at is in no such pair: four across, one at the first server, and three at
# the second, with the one who looks.
expect 0 "$REHEARSE" cover "$program" --test readers --json --no-times --save-coverage readers.coverage
[ "$(number covered)" = 16 ] && [ "$(number known)" = 16 ] && [ "$(number infeasible)" = 0 ] || fail 'not all goals'
cp "$capture/stdout" readers.json
expect 0 "$REHEARSE" coverage readers.coverage
says '^the invariant seen_together: pr 8 of 8, pbr 0 of 0, pcr 8 of 8'
says '4 pairs in both orders'
expect 0 "$REHEARSE" cover "$program" --test readers --json --no-times --save-coverage again.coverage --undo off
cmp -s readers.json "$capture/stdout" && cmp -s readers.coverage again.coverage || fail 'it differs without undo'

# What was learned outlives the processes that learned it, and nothing begins anew.
expect 1 "$REHEARSE" cover "$program" --test deaths --keep-going --json --no-times --no-shrink --save-coverage deaths.coverage
[ "$(number known)" = 6 ] && [ "$(number covered)" -ge 5 ] && [ "$(number executions)" -gt 90 ] || fail 'deaths'
cp "$capture/stdout" deaths.json
expect 1 "$REHEARSE" cover "$program" --test deaths --keep-going --json --no-times --no-shrink --save-coverage again.coverage --undo off
cmp -s deaths.json "$capture/stdout" && cmp -s deaths.coverage again.coverage || fail 'it differs without undo'

# A pair says what it is about, and a schedule leads to its other order.
expect 0 "$REHEARSE" cover "$program" --test two_servers --max-executions 1 --save-coverage one.coverage
expect 0 "$REHEARSE" coverage one.coverage --save .
says '^the invariant second_not_ahead: pr 1 of 2, pbr 0 of 0, pcr 1 of 2'
says 'never update from ben at server#2 before update from ann at server#1'
expect 1 "$REHEARSE" cover "$program" --schedule two_servers-missing-1.schedule --max-executions 1
says 'invariant second_not_ahead does not hold'
expect 0 "$REHEARSE" coverage one.coverage --json
says '"object": "the invariant second_not_ahead"'
! grep -q '"actor"' "$capture/stdout" || fail 'an actor without pairs'
expect 0 "$REHEARSE" cover "$program" --test one_name --max-executions 1 --save-coverage name.coverage
expect 0 "$REHEARSE" coverage name.coverage
says '^the name name: pr 1 of 2'
expect 0 "$REHEARSE" cover "$program" --test timers_of_another --max-executions 1 --save-coverage timers.coverage
expect 0 "$REHEARSE" coverage timers.coverage
says '^the timers of setter#1: pr '

# Files that two runs have written, each with one order, are merged to both.
expect 0 "$REHEARSE" cover "$program" --test readers --max-executions 1 --save-coverage first.coverage
expect 0 "$REHEARSE" cover "$program" --test readers --max-executions 1 --seed 2 --save-coverage second.coverage
expect 0 "$REHEARSE" coverage first.coverage second.coverage
says '2 executions'
says '^the invariant seen_together: pr [5-8] of 8'

# Nothing of such a file is believed.
bad() { # line, pattern, text
    printf '%b' "$3" >bad.coverage
    refuses 2 "^rehearse: bad.coverage:$1: .*$2" "$REHEARSE" coverage bad.coverage
}
head='rehearse coverage 1\nprogram a.c\ntest t\n'
object='object "the invariant i" @00000000000000aa\n'
events='actor a#1 @0000000000000001\nevent m from b#1 @0000000000000002 writes 0\nactor a#2 @0000000000000003\n'
bad 4 'not an identity' "${head}object o 12\n"
bad 4 'says nothing about an object' "${head}object o @00000000000000aa surprise\n"
bad 5 'no object 0 above' "${head}${events}"
bad 8 'no object 1 above' "${head}${object}${events}event m from b#1 @0000000000000004 reads 1\n"
bad 9 'no pair' "${head}${object}${events}event m from b#1 @0000000000000004\npr 0: 1\n"
bad 9 'no pair' "${head}${object}${events}event m from b#1 @0000000000000004 reads 0\npbr 0: 1\n"
printf "${head}${object}${events}event m from b#1 @0000000000000004 reads 0\npr 0: 1\nfree 0: 1\nend\n" >good.coverage
expect 0 "$REHEARSE" coverage good.coverage
says '^the invariant i: pr 1 of 2'
# Two that only read it are no pair.
sed 's/writes 0/reads 0/' good.coverage >readers-only.coverage
refuses 2 'no pair' "$REHEARSE" coverage readers-only.coverage
