#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is called unreachable is: ten places that nothing leads to, each beside one that something leads to, and places that
# only the past of an actor rules out, of which nothing is claimed. Plain enumeration of up to three messages with all fields
# from -2 to 2 comes to none of the first and of the last, and to all others.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE/tests/symbolic/dead.c" .

grep -nE '; // (DEAD|LIVE|PAST|GONE)' dead.c >marked
[ "$(grep -c DEAD marked)" -ge 10 ] && [ "$(grep -c LIVE marked)" -ge 10 ] || fail 'places are missing'
sed -E 's/:.*//; s/^/dead.c:/' marked >places
# shellcheck disable=SC2046
expect 4 "$REHEARSE" reach dead.c --test alone --max-queries 1500 $(cat places)

while IFS=: read -r line text; do
    case $text in
    *DEAD*) says "^dead.c:$line is unreachable: " ;;
    *LIVE*) says "^dead.c:$line is reached in test alone$" ;;
    *GONE*) says "^dead.c:$line is unreachable: in test alone nothing that happens before" ;;
    *PAST*) says "^dead.c:$line: not found within" ;;
    esac
done <marked
# What excludes a place, in words: a condition of its own line, those of a caller, numbers that were compared.
says '^but:     dead.c:[0-9]+  pair.y < pair.x$'
says '^needs:   one.x \* 3 > 100$'
says '^but:     dead.c:[0-9]+  one.x <= 0$'
says '^         dead.c:[0-9]+  one.x >= 0$'
says '^needs:   0 == 2$'

for file in *.schedule; do
    run "$REHEARSE" replay "$file" --fail-on reached || [ $? = 1 ] || fail "$file"
    says '^reached: dead.c:'
done

while IFS=: read -r line text; do
    case $text in
    *LIVE*) expect 1 "$REHEARSE" explore dead.c --test brute --until "dead.c:$line" --no-shrink ;;
    *) expect 0 "$REHEARSE" explore dead.c --test brute --until "dead.c:$line" --no-shrink --require-complete ;;
    esac
done <marked
