#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# Ways that are easy to overlook: all that corners.c reaches is in its graph, however its bitcode was optimized, and in the
# graphs of its parts.
set -u
. "$SOURCE/tests/graph/compare.shlib"
begin_comparing
check_sound corners "$SOURCE/tests/graph/corners.c" -rdynamic sample --runs 1 || failed=$((failed + 1))
check_optimized corners "$SOURCE/tests/graph/corners.c" -rdynamic || failed=$((failed + 1))
for corner in $(sed -nE '/const corners\[\]/,/^};/s/^    ([a-z_]+),$/\1/p' "$SOURCE/tests/graph/corners.c"); do
    "$REHEARSE" graph --cflags "-w -DONLY=$corner" "$SOURCE/tests/graph/corners.c" >alone
    graph_edges alone
done | LC_ALL=C sort -u | LC_ALL=C comm -23 corners.seen-edges - >missed
if [ -s missed ]; then
    echo 'FAIL each by itself: seen, and not in the graph:'
    cat missed
    failed=$((failed + 1))
fi
for line in $(grep -n '^ *hit(' "$SOURCE/tests/graph/corners.c" | cut -d : -f 1); do
    grep -q "^taken walker .*:$line$" corners.seen-edges || {
        echo "FAIL corners.c:$line was not reached"
        failed=$((failed + 1))
    }
done
[ $failed -eq 0 ]
