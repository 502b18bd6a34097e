#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# --lines: which lines and ways executions reach. ways.c says which lines are never reached; with both compilers, and however
# deliveries are taken back, these are they. What is reached before a crash, an error or a question without an answer counts,
# and nothing behind it.
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE/tests/lines/ways.c" .

wanted=$(grep -n '// never' ways.c | cut -d: -f1)
for compiler in gcc clang; do
    command -v $compiler >"$capture/path" || continue
    for undo in on off; do
        CC=$compiler run "$REHEARSE" explore ways.c --undo $undo --keep-going --no-shrink --lines --save-coverage all.coverage --quiet
        CC=$compiler expect 0 "$REHEARSE" coverage all.coverage --json
        actual=$(sed -n '/"never"/,/]/s/^ *\([0-9][0-9]*\),*$/\1/p' "$capture/stdout")
        [ "$actual" = "$wanted" ] ||
            fail "$compiler, undo $undo: never $(tr '\n' ' ' <<<"$actual"), by its comments $(tr '\n' ' ' <<<"$wanted")"
        cp all.coverage $compiler-$undo.coverage
    done
    cmp -s $compiler-on.coverage $compiler-off.coverage || fail "$compiler: other lines without undo"
done

# Where both ends were reached, and the way was never gone. An order of two clients that wait at once is no way from the one
# to the other; nor is a call of a function a way from the call before.
expect 1 env CC=gcc "$REHEARSE" explore ways.c --keep-going --no-shrink --lines --save-coverage all.coverage --quiet
expect 0 "$REHEARSE" coverage all.coverage
grep 'never from' "$capture/stdout" >ways
line() { grep -n -F -m 1 -- "$1" ways.c | cut -d: -f1; }
cat >wanted <<END
  never from line $(line 'if (a > 0') in pick to line $(line 'if (a > 0')
  never from line $(line 'if (a > 0') in pick to line $(($(line 'if (a > 0') + 2))
  never from line $(line 'if (question)') in oracle_behaviour to line $(($(line 'rh_reply(message, answer') + 1))
END
diff wanted ways >"$capture/diff" || fail "ways: $(cat "$capture/diff")"
says '^ways.c: [0-9]+ of [0-9]+ lines, [0-9]+ of [0-9]+ ways of branches$'
says '^ways.c: test asks: 3 executions$'

# A sample, a replay and a cover have lines too; files of several runs are taken together.
for test in guards asks; do
    expect 0 "$REHEARSE" sample ways.c --runs 5 --test $test --lines --save-coverage $test.coverage
done
expect 0 "$REHEARSE" coverage guards.coverage
says 'never lines [0-9]+ to [0-9]+ in client_behaviour'
expect 0 "$REHEARSE" coverage guards.coverage asks.coverage
says "never line $(line 'client->total = 0; // never') in client_behaviour"
says 'never lines [0-9]+ to [0-9]+ in worker_behaviour'
expect 1 "$REHEARSE" replay ways.c crashes.schedule --lines --save-coverage crash.coverage
expect 0 "$REHEARSE" coverage crash.coverage
says 'never lines [0-9]+ to [0-9]+ in crashing_behaviour'
expect 0 "$REHEARSE" cover ways.c --test asks --lines --save-coverage cover.coverage
expect 0 "$REHEARSE" coverage cover.coverage
says 'goals: pr'
says 'ways of branches'
says 'of the pr goals are covered'

# Generated tests: what they reach of the program is merged, too.
if [ -x "$BUILD/rehearse-analysis" ] && "$REHEARSE" doctor | grep -q 'solver *Z3'; then
    cp "$SOURCE/tests/symbolic/till.c" .
    run "$REHEARSE" generate till.c --behaviour till --message pay --cflags -DRAISED=0 --lines --save-coverage generated.coverage
    expect 0 "$REHEARSE" coverage generated.coverage
    says '^till.c: [0-9]+ of [0-9]+ lines'
fi

# What is no coverage of this program, or no coverage.
expect 0 "$REHEARSE" explore ways.c --test guards --save-coverage without.coverage
refuses 2 'neither goals, .* nor lines' "$REHEARSE" coverage without.coverage
refuses 2 '--lines goes with --save-coverage FILE' "$REHEARSE" explore ways.c --lines
cc -g -I"$SOURCE/include" ways.c "$LIBRARY" -ldw -lelf -ljansson -lm -o ways
refuses 2 'ways was compiled without hooks' "$REHEARSE" explore ./ways --lines --save-coverage none.coverage
cc -g -I"$SOURCE/include" -fsanitize-coverage=trace-pc -fno-omit-frame-pointer -fno-optimize-sibling-calls \
    -fno-jump-tables ways.c "$LIBRARY" -ldw -lelf -ljansson -lm -o ways
expect 0 "$REHEARSE" explore ./ways --test guards --lines --save-coverage binary.coverage
expect 0 "$REHEARSE" coverage guards.coverage binary.coverage
sed 's/return 10;/{\n        number++; return 10; }/' ways.c >changed.c
mkdir other && mv changed.c other/ways.c
expect 0 "$REHEARSE" explore other/ways.c --test asks --lines --save-coverage changed.coverage
refuses 2 'tests guards and asks have other lines and branches' "$REHEARSE" coverage guards.coverage changed.coverage
refuses 2 'changed.coverage:[0-9]+: the lines and branches of test asks are not those of the part before' \
    "$REHEARSE" coverage asks.coverage changed.coverage

# Damaged files.
bad() { # the line that replaces the one with this beginning, pattern
    sed "0,/^$1/s/^$1.*/$2/" guards.coverage >bad.coverage
    refuses 2 "bad.coverage:[0-9]+: $3" "$REHEARSE" coverage bad.coverage
}
bad 'reached 0' 'reached 0: 1' 'line 1 is none of the lines of source 0'
bad 'reached 0' 'reached 1: 1' 'there is no source 1 above'
bad 'lines 0' 'lines 0: 9 8' 'line 8 is not above the one before'
bad 'branch' 'branch 5 in 0 gone 6' '.gone. says nothing about a branch'
bad 'function' 'function f in 7 from 1 to 2' 'there is no source 7 above'
bad 'rehearse' 'rehearse coverage 1' 'files of version 1 have no sources'
bad 'rehearse' 'rehearse coverage 3' '.*reads versions 1 and 2'
