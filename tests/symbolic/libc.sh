#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Functions of libc and of LLVM with arguments that nobody knows: how many tests there are, how many of these break
# something, how often a limit cuts, and that running them gives what was predicted.
. "$SOURCE/tests/programs/verdict.shlib"
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}

# expect BEHAVIOUR MESSAGE TESTS BROKEN CUT
expect() {
    local found
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" generate "$SOURCE/tests/symbolic/libc.c" --behaviour "$1" --message "$2" >out 2>err || [ $? -eq 1 ] ||
        disagree "$1 $2: exit $?" "$(cat err)" "$(tail -n 3 out)"
    found=$(awk '/^[^ ].* gets / { tests = $(NF - ($NF == "BROKEN" ? 3 : 1)); broken = $NF == "BROKEN" ? $(NF - 1) : 0 }
        /^cut:/ { cut = $2 } /^not followed/ { cut = cut " and not followed" } END { print tests, broken, cut }' out)
    [ "$found" = "$3 $4 $5" ] || disagree "$1 $2: $found, not $3 $4 $5" "$(grep '^not followed' out)"
}

expect length word 5 1 0
expect order pair 2 0 0
expect sort list 6 0 0
expect block list 3 0 1
expect size amount 1 0 0
expect bits bits 3 0 0
expect stack pop 2 1 1
verdict_end
