#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# The programs of subjects/threads and their fixed twins: verdict, exact number of executions and
# kinds of findings are those of subjects.txt, and the first schedule replays to the same kind.
set -u
failed=0
complain() {
    echo "FAIL $*"
    failed=$((failed + 1))
}

# Kinds in the order of their first finding, with commas; - for none.
kinds_of() {
    awk '/^(refinement|race|deadlock|check|crash|exit): / { sub(":", "", $1); if (!seen[$1]++) list = list "," $1 }
         END { print list ? substr(list, 2) : "-" }' "$1"
}

check_line() { # PROGRAM FLAGS STATUS EXECUTIONS COMPLETE KINDS
    local name=$1 flags=$2 status=$3 executions=$4 complete=$5 kinds=$6
    local words=()
    [ "$flags" = - ] || words=(--cflags "$flags")
    rm -f ./*.schedule
    cp "$SOURCE/subjects/threads/$name.c" .
    "$REHEARSE" refine "${words[@]}" "$name.c" >out 2>&1
    local got=$?
    local counts
    counts=$(awk '/: test / { is_complete = /, complete$/ ? "complete" : "-"; match($0, /[0-9]+ (in all|execution(s)?(, complete)?$)/); split(substr($0, RSTART), w, " "); print w[1], is_complete }' out)
    [ "$got $counts $(kinds_of out)" = "$status $executions $complete $kinds" ] ||
        complain "$name $flags: $got $counts $(kinds_of out), not $status $executions $complete $kinds"
    [ "$kinds" = - ] && return
    local schedule
    schedule=$(sed -n '0,/^saved: */s/^saved: *//p' out | head -1)
    "$REHEARSE" replay "${words[@]}" "$schedule" >replayed 2>&1
    got=$?
    [ $got = 1 ] && [ "$(kinds_of replayed)" = "${kinds%%,*}" ] || {
        complain "$name $flags: $schedule replays with status $got to $(kinds_of replayed)"
        cat replayed
    }
}

while read -r name flags status executions complete kinds; do
    case $name in '' | '#'*) continue ;; esac
    check_line "$name" "$flags" "$status" "$executions" "$complete" "$kinds"
done <"$SOURCE/tests/threads/subjects.txt"
[ $failed -eq 0 ]
