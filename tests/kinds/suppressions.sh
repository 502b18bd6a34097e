#!/bin/sh
# SPDX-License-Identifier: MIT
# Known findings of legacy code are silenced by a file, and only those that it names.
. "$SOURCE/tests/programs/verdict.shlib"

kinds=$SOURCE/tests/kinds
cat >known <<'END'
# counters of the log
shared-state handled
unhandled worker ti*   # not interesting
END
cat >others <<'END'
shared-state counted
unhandled worker work
END
explore_json shared --keep-going --suppressions known "$kinds/shared_state.c"
expect "shared_state.c, suppressed" shared 0 2 4 -
explore_json shared --keep-going --suppressions others "$kinds/shared_state.c"
expect "shared_state.c, others suppressed" shared 1 2 '*' shared-state
# A reduction takes the variable not to matter, and so has not tried all that may; plain enumeration has.
for reduction in none optimal; do
    explore_json shared --keep-going --suppressions known --reduction $reduction "$kinds/shared_state.c"
    complete=$([ $reduction = none ] && echo true || echo false)
    verdict_count=$((verdict_count + 1))
    grep -q "\"complete\": $complete" shared.json || disagree "shared_state.c $reduction: complete is not $complete"
    grep -q 'suppressed variable handled' shared.json && says=true || says=false
    [ $says != $complete ] || disagree "shared_state.c $reduction: the note" "$(cat shared.json)"
done
explore_json unhandled --keep-going --suppressions known "$kinds/unhandled.c"
expect "unhandled.c, suppressed" unhandled 0 1 1 -
explore_json unhandled --keep-going --suppressions others "$kinds/unhandled.c"
expect "unhandled.c, others suppressed" unhandled 1 1 1 unhandled
verdict_end
