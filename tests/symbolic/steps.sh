#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The steps of reach, each for a place that the others do not come to: runs that a coverage file knows, values with which a
# function without code is called, messages that are drawn; and what the switches of the search backward are worth.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE"/tests/symbolic/{steps.c,far.c} .
$CC -shared -fPIC -O1 -o libsteps.so "$SOURCE/tests/symbolic/steps_library.c" || fail 'the library'
libraries="-L$PWD -Wl,-rpath,$PWD -lsteps -lm"

place() {
    grep -n -- "; // $2" "$1.c" | head -1 | sed "s/:.*//; s/^/$1.c:/"
}

late=$(place steps LATE)
expect 0 "$REHEARSE" sample steps.c --libs "$libraries" --runs 100 --seed 1 --lines --save-coverage known --quiet
expect 0 "$REHEARSE" reach steps.c --libs "$libraries" --coverage known "$late"
says '^found: *in a run of the test as it is, as the coverage file says$'
expect 0 "$REHEARSE" reach steps.c --libs "$libraries" "$late"
says '^found: *in runs of the test as it is$'
refuses 2 'cannot read unknown' "$REHEARSE" reach steps.c --libs "$libraries" --coverage unknown "$late"

# Of sixteen values that are tried one is right, and nothing is said of the others.
expect 0 "$REHEARSE" reach steps.c --libs "$libraries" --search forward "$(place steps CALL)"
says '^found: *by a search forward'
expect 4 "$REHEARSE" reach steps.c --libs "$libraries" "$(place steps NEVER)" --max-queries 200
says ': not found within'
says 'checksum of other values than it was called with'

drawn=$(place steps DRAWN)
expect 0 "$REHEARSE" reach steps.c --libs "$libraries" "$drawn" --without-messages
says '^found: *in runs with messages that were drawn$'
expect 1 "$REHEARSE" replay --libs "$libraries" "reach_steps_${drawn#*:}.schedule" --fail-on reached
refuses 2 'takes all|forward|backward|random' "$REHEARSE" reach far.c "$(place far FAR)" --search sideways

# queries OPTIONS: how many questions it takes to find the code, backward.
queries() {
    expect 0 "$REHEARSE" reach far.c --test begin "$(place far FAR)" --search backward --json "$@"
    says '"found_by": "backward"'
    asked=$(sed -n 's/.*"queries": \([0-9]*\).*/\1/p' "$capture/stdout")
}
queries
with=$asked
queries --no-feedback
[ $((2 * with)) -lt "$asked" ] || fail "with feedback $with questions, without $asked"
expect 4 "$REHEARSE" reach far.c --test begin "$(place far FAR)" --search forward --max-queries 2000
expect 4 "$REHEARSE" reach far.c --test begin "$(place far FAR)" --search backward --no-feedback --no-weights --max-queries 300
