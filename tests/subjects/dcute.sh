#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# --reduction dcute runs what dcute.txt says, with deliveries taken back and without, and loses nothing on the smaller
# subjects, whichever actor it tries first.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so final states can't be compared"
    exit 77
fi
. "$SOURCE/tests/subjects/reductions.shlib"

# Called by reduce_subjects.
compare_reductions() {
    reductions_label=$1
    reductions_sources=$2
    shift 2
    explore_json plain --keep-going --census --max-executions 0 --reduction none "$@"
    [ "$(json_number plain.json complete)" = true ] || return 1
    for order in low high created; do
        verdict_count=$((verdict_count + 1))
        explore_json reduced --keep-going --census --max-executions 0 --reduction dcute --order $order "$@"
        judge_reduction "$reductions_label --order $order" reduced plain
        [ "$(json_number reduced.json executions)" -le "$(json_number plain.json executions)" ] ||
            disagree "$reductions_label --order $order: more executions than without"
    done
}

run_subjects "$SOURCE/tests/subjects/dcute.txt" 2000 --reduction dcute
run_subjects "$SOURCE/tests/subjects/dcute.txt" 30 --reduction dcute --undo off
run_subjects "$SOURCE/tests/subjects/dcute.txt" 300 --reduction dcute --undo verify
reduce_subjects "$SOURCE/tests/subjects/golden.txt" 600
verdict_end
