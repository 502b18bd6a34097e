#!/bin/sh
# SPDX-License-Identifier: MIT
# What shrinking leaves out first is what the finding does not depend on. An invariant that looks at two actors makes
# deliveries to one of them depend on deliveries to the other: the first draft keeps both, so that the ticks of twenty
# actors go at once. If only deliveries to one actor counted as dependent, it would take 75 executions.
. "$SOURCE/tests/programs/verdict.shlib"

compile_once "$SOURCE/tests/explore/shrink_depends.c"
"$REHEARSE" sample --runs 100 --seed 2 --json --no-times "$verdict_binary" >result.json
verdict_count=1
# Three values for each cell, in order.
[ "$(json_number result.json steps)" = 6 ] || disagree 'the least has six deliveries' "$(cat result.json)"
executions=$(sed -n '/"shrunk"/,/}/p' result.json >shrunk.json && json_number shrunk.json executions)
[ "$executions" -lt 60 ] || disagree "shrinking took $executions executions"
verdict_end
