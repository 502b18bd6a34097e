#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests whose states lead to blocks of memory: they are run, saved and written as C, and fail when the program's result
# changes. Lists may come together and go in circles with --block-aliases.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
[ -z "${SANITIZE:-}" ] || {
    echo "a sanitizer replaces malloc, so whose a block is can't be told"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
at_raise() { sed "s/ + RAISED/$1/" "$SOURCE/tests/symbolic/blocks.c" >blocks.c; }
at_raise ''

# What a test's body puts there; nothing is lost, and leads nowhere that it must not.
expect 0 "$REHEARSE" explore blocks.c --no-times
expect 0 "$REHEARSE" explore blocks.c --undo verify
expect 0 "$REHEARSE" generate blocks.c --test popped
says '^run: *1 of 1 tests, as predicted'
expect 0 "$REHEARSE" graph blocks.c

# generated MESSAGE STATUS TESTS BROKEN OPTIONS...
generated() {
    local message=$1 status=$2 tests=$3 broken=$4
    shift 4
    expect "$status" "$REHEARSE" generate blocks.c --behaviour list --message "$message" --save "$message" \
        --write "$message.c" "$@"
    says "^run: *$tests of $tests tests, as predicted"
    [ "$(grep -c '^RH_TEST(' "$message.c")" = "$tests" ] || fail "tests of $message in C"
    expect "$status" "$REHEARSE" replay "$message" --no-times
    says "^$((tests - broken)) passed, $broken failed$"
    expect "$status" "$REHEARSE" explore "$message.c" --keep-going --no-times --quiet
    [ "$(grep -c '_breaks: ' "$capture/stdout")" = "$broken" ] || fail "tests of $message that break something"
}
generated pop 1 2 1
generated push 0 2 0
generated turn 0 10 0 --block-aliases
generated attach 0 4 0
generated hand 0 8 0 --actors-each 1
generated lend 1 5 2 --actors-each 1
generated total 0 6 0

# A circle, two lists with one end, and a block that is handed over.
grep -q '^block 2 of list#1 &1 ' turn/*.schedule || fail 'no circle'
grep -q '^block 1 of list#1 &1 ' turn/*.schedule || fail 'no block that leads to itself'
grep -q '^ends &1 freed$' pop/*.schedule || fail 'no block that is freed'
expect 1 "$REHEARSE" generate blocks.c --behaviour list --message lend --actors-each 1
says 'BROKEN  a pointer into the sender.s memory  at blocks.c:'
expect 1 "$REHEARSE" generate blocks.c --behaviour list --message pop --json
says '"block": "&1"'

# Both compilers take the file.
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || continue
    for message in pop push turn attach hand lend total; do
        expect 0 "$compiler" -Wall -Wextra -Werror -I"$SOURCE/include" -fsyntax-only "$message.c"
    done
done

# Another result is noticed by what was kept before, and so is another value in a test.
at_raise ' + 1'
expect 1 "$REHEARSE" replay pop --no-times
says 'at the end list#1 has another state than the schedule says'
cp pop.c again.c
echo '// What the tests'"'"' compiler keeps is found by this file only.' >>again.c
expect 1 "$REHEARSE" explore again.c --keep-going --no-times --quiet
says 'list_pop_2: check failed|list_pop_2: final'
at_raise ''
sed 's/block_1->value == 11/block_1->value == 12/; s/^\( *rh_check(block_2->next ==\).*/\1 NULL);/' turn.c >changed.c
cmp -s turn.c changed.c && fail 'nothing to change in turn.c'
expect 1 "$REHEARSE" explore changed.c --keep-going --no-times --quiet
says 'final'
one=$(grep -l '^ends &1 freed' pop/*.schedule | head -n 1)
for change in 's/^ends &1 freed/ends \&1 00/' 's/^ends list#1 .*/ends list#1 \&1/' 's/^block 1 of list#1 0000/block 1 of list#1 0100/'; do
    sed "$change" "$one" >changed.schedule
    cmp -s "$one" changed.schedule && fail "nothing to change: $change"
    expect 1 "$REHEARSE" replay changed.schedule
done

# An actor is not stable while another may have its address in a block: both orders are found, as without stability.
cp "$SOURCE/tests/symbolic/boxed.c" .
ends() {
    expect 1 "$REHEARSE" generate boxed.c --behaviour first --message go --any-behaviour "$@"
    grep -v BROKEN "$capture/stdout" | grep -o 'ends    first#1 {keeper = keeper#1, number = [0-9]*' | sort -u
}
ends --no-stability >all
ends >some
[ "$(grep -c . some)" -ge 3 ] || fail 'orders at an actor that is not stable'
grep -q 'number = 31' some || fail 'triple behind add'
grep -q 'number = 33' some || fail 'triple before add'

# Bad input.
sed 's/^block 1 of/block 2 of/' "$one" >other.schedule
refuses 2 'other.schedule:[0-9]+: it leads to a block that no .block. line makes' "$REHEARSE" replay other.schedule
sed 's/^block 1 of list#1/block 1 of list#2/' "$one" >other.schedule
refuses 2 'it leads to a block in another actor' "$REHEARSE" replay other.schedule
sed '/^block 1 of/p' "$one" >other.schedule
refuses 2 'there is a block of this name already' "$REHEARSE" replay other.schedule
sed 's/^created.*//' "$one" >other.schedule
refuses 2 'no .created. line creates the actor' "$REHEARSE" replay other.schedule
