#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random components: what refine finds at commits, and by all orders of whole operations, is what
# plain enumeration of all interleavings by other code finds. COMPONENTS_COUNT and COMPONENTS_FIRST
# take more of them, or others; they are made in programs of a hundred.
set -u
count=${COMPONENTS_COUNT:-60}
first=${COMPONENTS_FIRST:-1}
each=100
failed=0
compared=0

# A line for each test: its name, kinds but races, as of the oracle.
kinds_of() {
    awk '/: test / { if (name) print name, list(); name = $3; sub(":", "", name); delete seen }
         /^(refinement|commit|commit-block|deadlock|check|crash): / { sub(":", "", $1); seen[$1] = 1 }
         /^note: *undecided/ { seen["undecided"] = 1 }
         function list(  text) {
             text = ""
             if ("commit" in seen) text = text " commit"
             if ("commit-block" in seen) text = text " commit-block"
             if ("refinement" in seen) text = text " refinement"
             if ("deadlock" in seen || "check" in seen || "crash" in seen || "undecided" in seen) text = text " other"
             return text ? substr(text, 2) : "-"
         }
         END { print name, list() }' "$1" | sort
}

while [ "$count" -gt 0 ]; do
    part=$((count < each ? count : each))
    python3 "$SOURCE/tests/threads/components.py" "$first" "$part" program.c expected || exit 1
    sed 's/ marked: \(.*\) all: .*/ \1/' expected | sort >marked.wanted
    sed 's/ marked: .* all: / /' expected | sort >all.wanted
    "$REHEARSE" refine --max-executions 0 --cflags "-Wno-all ${COMPONENTS_FLAGS:-}" program.c >marked.out 2>marked.err
    "$REHEARSE" refine --max-executions 0 --cflags "-Wno-all -DNO_MARKS ${COMPONENTS_FLAGS:-}" program.c >all.out 2>all.err
    for way in marked all; do
        kinds_of $way.out >$way.got
        diff $way.wanted $way.got || {
            echo "FAIL $way, of components.py $first $part: wanted <, got >"
            cat $way.err
            failed=1
        }
    done
    compared=$((compared + part))
    count=$((count - part))
    first=$((first + 1))
done
echo "$compared compared"
[ $failed -eq 0 ]
