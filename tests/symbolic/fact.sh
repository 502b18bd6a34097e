#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The rows of fact.txt; FACT_STATES is how many states a row may have at most. Every test is run in the world by the
# command itself: it ends with 3 if one ends otherwise than it says.
. "$SOURCE/tests/programs/verdict.shlib"
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
most=${FACT_STATES:-300}

while read -r loop deliveries actors rest; do
    case $loop in '#'* | '') continue ;; esac
    options=${rest%%:*}
    # shellcheck disable=SC2086
    set -- ${rest##*:}
    [ "$2" -le "$most" ] || continue
    verdict_count=$((verdict_count + 1))
    # shellcheck disable=SC2086
    "$REHEARSE" generate "$SOURCE/subjects/apet/fact.c" --behaviour fact --message ft --delivery any --no-aliases \
        --loop "$loop" --deliveries-each "$deliveries" --actors-each "$actors" $options >out 2>err ||
        disagree "$loop $deliveries $actors $options: exit $?" "$(cat err)" "$(tail -n 3 out)"
    found=$(sed -n 's/.*: \([0-9]*\) tests$/\1/p; s/^states: \([0-9]*\),.*/\1/p
        s/^cut: *\([0-9]*\) by [^,]*, \([0-9]*\) by [^,]*, \([0-9]*\) by.*/\1 \2 \3/p' out | awk '
        NR == 1 { tests = $1 } NF == 3 { cuts = $0 } NR > 1 && NF == 1 { states = $1 } END { print tests, states, cuts }')
    [ "$found" = "$*" ] || disagree "$loop $deliveries $actors $options: $found, not $*"
    grep -q "^run: *$1 of $1 tests, as predicted" out || disagree "$loop $deliveries $actors $options: $(tail -n 2 out)"
done <"$SOURCE/tests/symbolic/fact.txt"
verdict_end
