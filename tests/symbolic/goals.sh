#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Accesses out of bounds, of arrays and of allocated blocks, which the compiler's checks confirm; checks that judges make at
# all times and at the end. Of those that never happen, all values and orders are tried, and nothing else is claimed.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE/tests/symbolic/goals.c" .

lines() {
    grep -n "// $1" goals.c | sed 's/:.*//; s/^/goals.c:/'
}

# shellcheck disable=SC2046
expect 1 "$REHEARSE" reach goals.c $(lines BAD) --dereference --test bounds --messages 2
for place in $(lines BAD); do
    says "^a bad pointer or index on $place is used in test bounds$"
done
says '[Ii]ndex 8 out of bounds'
says 'heap-buffer-overflow'
says '^replay: *rehearse replay --cflags -fsanitize=address,bounds reach_goals_[0-9]+.schedule$'
place=$(lines BAD | tail -1)
expect 1 "$REHEARSE" replay --cflags -fsanitize=address,bounds "reach_goals_${place#*:}.schedule"
says "^crash: .* at $place in shelf#1"
# shellcheck disable=SC2046
expect 0 "$REHEARSE" reach goals.c $(lines GOOD) --dereference --test care --messages 2
for place in $(lines GOOD); do
    says "^a bad pointer or index on $place is never used( with at most 2 messages from outside: all values|: in test care nothing that)"
done

# At the end everything has come that the test sends; with more messages there are other sums.
# shellcheck disable=SC2046
expect 0 "$REHEARSE" reach goals.c $(lines HOLDS) --check --test judged --messages 2
for place in $(lines HOLDS); do
    says "^the check on $place never fails with at most 2 messages from outside: all values and all orders of test judged"
done
expect 1 "$REHEARSE" reach goals.c --all-checks --test judged --messages 2
for place in $(lines 'FAILS: '); do
    says "^the check on $place fails in test judged$"
done
says 'invariant has_room does not hold'
says 'final comes_out does not hold'
for file in *.schedule; do
    run "$REHEARSE" replay "$file" --cflags -fsanitize=address,bounds && fail "$file shows nothing"
done
# shellcheck disable=SC2046
expect 1 "$REHEARSE" reach goals.c $(lines 'FAILS$') --check --test declared --messages 2
[ "$(grep -c ' fails in test declared$' "$capture/stdout")" = 2 ] || fail 'a judge that stands beside its test'

place=$(lines FAILS | head -1)
refuses 2 "$place is in a judge, and in no handler: --check" "$REHEARSE" reach goals.c "$place"
place=$(lines 'FAILS: only' | head -1)
refuses 2 'leave out --without-messages' "$REHEARSE" reach goals.c "$place" --check --without-messages
