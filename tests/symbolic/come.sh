#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the outside may vary: of a test that lists messages with rh_may_come, only these come, so often and with these fields,
# which is what enumeration with an open environment says, too; an input has any value.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE/tests/symbolic/come.c" .

places() {
    grep -nE "; // ($1)" come.c | sed -E 's/:.*//; s/^/come.c:/'
}
# shellcheck disable=SC2046
expect 0 "$REHEARSE" reach come.c --test listed $(places 'LIVE|DEAD')
for place in $(places LIVE); do
    says "^$place is reached in test listed$"
done
for place in $(places DEAD); do
    says "^$place is unreachable: all values and all orders of test listed were tried$"
done
[ "$(places LIVE | wc -l)" -ge 3 ] && [ "$(places DEAD | wc -l)" -ge 2 ] || fail 'places are missing'
# shellcheck disable=SC2046
expect 0 "$REHEARSE" reach come.c --test listed --search random $(places LIVE)
[ "$(grep -c '^found: *in runs with messages that were drawn$' "$capture/stdout")" = "$(places LIVE | wc -l)" ] ||
    fail 'another search'

# shellcheck disable=SC2046
expect 0 "$REHEARSE" reach come.c --test varied --search forward $(places 'LIVE|DEAD')
[ "$(grep -c 'is reached in test varied$' "$capture/stdout")" = "$(places 'LIVE|DEAD' | wc -l)" ] || fail 'inputs'

expect 0 "$REHEARSE" explore come.c --test listed --environment open --lines --save-coverage lines --quiet --require-complete
expect 0 "$REHEARSE" coverage lines --json
never=" $(sed -n '/"never"/,/]/p' "$capture/stdout" | grep -oE '[0-9]+' | tr '\n' ' ')"
for place in $(places 'LIVE|DEAD'); do
    is_live=$(places LIVE | grep -cx "$place")
    [[ $never == *" ${place#*:} "* ]] && is_reached=0 || is_reached=1
    [ "$is_live" = "$is_reached" ] || fail "$place: enumeration says otherwise"
done
