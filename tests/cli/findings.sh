#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a finding looks like, as text and as JSON, saved and replayed; and the exit status.
. "$SOURCE/tests/cli/expect.bash"

expect 0 "$REHEARSE" list till.c
says '^overdraw  till.c:31$'
says '^calm      till.c:38$'
expect 0 "$REHEARSE" list till.c --json
says '"verb": "list"'

expect 1 "$REHEARSE" explore till.c --no-times
says '^till.c: test overdraw: FAILED after 2 executions'
says '^till.c: test calm: passed, all 2 executions'
says 'till->balance >= withdraw->amount'
says ' at till.c:26 in till#1 \(handling withdraw\)'
says '^ \*    1  customer -> till#1  withdraw \{amount = 70\}  till.c:35$'
says '^            prints   \| asked for 70$'
says '^saved:   overdraw.schedule$'
says '^replay:  rehearse replay overdraw.schedule$'
says '^next:    rehearse replay --gdb overdraw.schedule stops'
says '^1 passed, 1 failed$'
[ ! -s "$capture/stderr" ] || fail 'something on standard error'
grep -q '^program till.c' overdraw.schedule || fail 'the schedule does not name its program'
grep -q '^deliver withdraw to till#1 from customer @.*# {amount = 70} sent at till.c:35$' \
    overdraw.schedule || fail 'the schedule has no comments'

# The same again gives the same, byte for byte.
cp overdraw.schedule first.schedule
cp "$capture/stdout" first.txt
expect 1 "$REHEARSE" explore till.c --no-times
cmp overdraw.schedule first.schedule || fail 'another schedule'
cmp "$capture/stdout" first.txt || fail 'another output'

# Replays, from here, from elsewhere, and with the program named.
expect 1 "$REHEARSE" replay overdraw.schedule
says 'FAILED again'
says 'spawns   till#1 \{balance = 0\}'
expect 1 "$REHEARSE" replay --trace-states overdraw.schedule
says 'before   \{balance = 0\}'
expect 1 "$REHEARSE" replay till.c overdraw.schedule
expect 1 "$REHEARSE" replay till.c --schedule overdraw.schedule
mkdir elsewhere
cd elsewhere || exit 1
expect 1 "$REHEARSE" replay ../till.c ../overdraw.schedule
[ -z "$(ls -A)" ] || fail 'a replay wrote a file'
cd ..
sed 's/till->balance >= withdraw->amount/1/' till.c >fixed.c
mv fixed.c till.c
expect 0 "$REHEARSE" replay overdraw.schedule
says 'nothing found'
cp "$SOURCE/tests/cli/programs/till.c" .

# Where findings go, and that earlier ones are replaced (saved.sh has what is not).
mkdir found
sed 's/^# .*/# as it was/' first.schedule >found/overdraw.schedule
expect 1 "$REHEARSE" explore till.c --test overdraw --save found
says '^saved:   found/overdraw.schedule$'
cmp found/overdraw.schedule first.schedule || fail 'saved something else'

# One object on standard output: flat for one test, with `tests` for several.
expect 1 "$REHEARSE" explore till.c --test overdraw --json --no-times
cat >wanted.json <<'END'
{
  "program": "till.c",
  "test": "overdraw",
  "verb": "explore",
  "strategy": "dfs",
  "reduction": "optimal",
  "delivery": "fifo",
  "environment": "quiet",
END
head -n 8 "$capture/stdout" | cmp - wanted.json || fail 'the head of the object'
for key in seed complete stopped_by executions deliveries states findings coverage notes \
    kind severity message file line actor schedule steps count; do
    says "\"$key\": "
done
says '"schedule": "overdraw.schedule"'
! grep -q seconds "$capture/stdout" || fail 'a time without being asked'
expect 1 "$REHEARSE" explore till.c --json
says '"tests": \['
says '"seconds": '

expect 1 "$REHEARSE" explore "$SOURCE/examples/bank.c" --json
says '"complete": false'
says '"stopped_by": "finding"'

# Paths are printed as they were given; for long ones the file's name is enough in the table.
mkdir -p deep/er
cp till.c deep/er
expect 1 "$REHEARSE" explore deep/er/till.c --test overdraw --no-times
says '^deep/er/till.c: test overdraw: FAILED'
says ' at deep/er/till.c:26 in till#1 \(handling withdraw\)$'
says 'withdraw \{amount = 70\}  deep/er/till.c:35$'
expect 1 "$REHEARSE" explore "$PWD/deep/er/till.c" --test overdraw --no-times
says "^$PWD/deep/er/till.c: test overdraw: FAILED"
says " at $PWD/deep/er/till.c:26 in till#1"
says 'withdraw \{amount = 70\}  till.c:35$'
expect 1 "$REHEARSE" explore "$PWD/deep/er/till.c" --test overdraw --json
says "\"file\": \"$PWD/deep/er/till.c\""

# Exit status.
expect 0 "$REHEARSE" explore till.c --test calm --require-complete
expect 4 "$REHEARSE" explore slow.c --max-executions 10 --require-complete --test slow
says 'stopped by executions'
expect 0 "$REHEARSE" explore slow.c --max-executions 10 --test slow
expect 1 "$REHEARSE" sample till.c --test overdraw --runs 100 --seed 7
says 'seed 7'
expect 1 "$REHEARSE" explore till.c --test overdraw --quiet
[ "$(wc -l <"$capture/stdout")" -eq 1 ] || fail 'quiet is one line'

# Colours only when asked for, since this is no terminal.
! grep -q "$(printf '\033')" first.txt || fail 'colours in a file'
expect 1 "$REHEARSE" explore till.c --test overdraw --color always
grep -q "$(printf '\033')" "$capture/stdout" || fail 'no colours'

# One of a thing is one thing.
expect 0 "$REHEARSE" explore "$SOURCE/tests/kinds/bound.c" --max-length 1
says 'an execution was cut off after 1 delivery \(--max-length\)'
expect 0 "$REHEARSE" explore "$SOURCE/tests/kinds/bound.c" --max-length 2
says 'an execution was cut off after 2 deliveries \(--max-length\)'
expect 0 "$REHEARSE" explore "$SOURCE/tests/kinds/bound.c" --cflags -DFIXED --census --no-times
says ', 1 final state, 1 class$'
