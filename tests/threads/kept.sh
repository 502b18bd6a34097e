#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Executions begin with the same memory, whatever was allocated before the first or by libc: nothing
# is found where nothing is wrong, with both reductions, and in samples.
set -u
failed=0
cp "$SOURCE/tests/threads/kept.cpp" .
for words in '--reduction source' '--reduction optimal' '--runs 300'; do
    # shellcheck disable=SC2086
    "$REHEARSE" refine $words kept.cpp >out 2>&1
    status=$?
    case $words in --runs*) wanted=': passed, 300 executions$' ;; *) wanted=': passed, .*, complete$' ;; esac
    [ $status = 0 ] && [ "$(grep -c "$wanted" out)" = 2 ] || {
        echo "FAIL $words: $(cat out)"
        failed=1
    }
done
exit $failed
