#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# Ways that are easy to overlook: all that corners.c reaches is in its graph, however its bitcode was optimized.
set -u
. "$SOURCE/tests/graph/compare.shlib"
begin_comparing
check_sound corners "$SOURCE/tests/graph/corners.c" -rdynamic sample --runs 1 || failed=$((failed + 1))
check_optimized corners "$SOURCE/tests/graph/corners.c" -rdynamic || failed=$((failed + 1))
for line in $(grep -n '^ *hit(' "$SOURCE/tests/graph/corners.c" | cut -d : -f 1); do
    grep -q "^taken walker .*:$line$" corners.seen-edges || {
        echo "FAIL corners.c:$line was not reached"
        failed=$((failed + 1))
    }
done
[ $failed -eq 0 ]
