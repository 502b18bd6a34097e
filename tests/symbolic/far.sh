#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The search backward: places that need more messages than the search forward sends, and places that nothing before leads to,
# however many messages there are, each beside one that is reached. Plain enumeration of up to three messages with all fields
# from -2 to 2 comes to none of these.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE/tests/symbolic/far.c" .

places() {
    grep -nE "; // ($1)" far.c | sed -E 's/:.*//; s/^/far.c:/'
}
# shellcheck disable=SC2046
expect 0 "$REHEARSE" reach far.c --test begin $(places 'FAR|DEAD|LIVE')
for place in $(places DEAD); do
    says "^$place is unreachable: in test begin nothing that happens before brings about what it needs$"
done
for place in $(places 'FAR|LIVE'); do
    says "^$place is reached in test begin$"
done
[ "$(grep -c '^found: *by a search backward from the place$' "$capture/stdout")" = 3 ] || fail 'found by another search'

# The code, one digit after the other; so many ticks; ten times a hundred.
code=$(sed -n 's/.*sends    digit {value = \([0-9]\)} .*/\1/p' "$capture/stdout" | tr -d '\n')
[[ $code == *31415926* ]] || fail "the code is $code"
ticks=$(places FAR | tail -1)
expect 0 "$REHEARSE" replay "reach_far_${ticks#*:}.schedule"
says 'no error in this schedule, 25 deliveries'
says "reached: $ticks is reached"

# With no more messages than the user has said.
expect 0 "$REHEARSE" reach far.c --test begin "$ticks" --messages 3
says "^$ticks is unreachable with at most 3 messages from outside: "

expect 0 "$REHEARSE" explore far.c --test brute --lines --save-coverage brute.coverage --max-executions 0 --quiet
expect 0 "$REHEARSE" coverage brute.coverage --json
never=" $(sed -n '/"never"/,/]/p' "$capture/stdout" | grep -oE '[0-9]+' | tr '\n' ' ')"
for place in $(places 'DEAD|LIVE'); do
    is_live=$(places LIVE | grep -cx "$place")
    [[ $never == *" ${place#*:} "* ]] && is_reached=0 || is_reached=1
    [ "$is_live" = "$is_reached" ] || fail "$place: enumeration says otherwise"
done
