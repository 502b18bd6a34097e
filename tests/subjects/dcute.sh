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
    reductions_program=$2
    shift 2
    compare_modes "$reductions_label" "$reductions_program" --census "$@" <<END
--reduction none
--reduction dcute --order low : classes
--reduction dcute --order high : classes
--reduction dcute --order created : classes
END
}

run_subjects "$SOURCE/tests/subjects/dcute.txt" 2000 --reduction dcute
run_subjects "$SOURCE/tests/subjects/dcute.txt" 30 --reduction dcute --undo off
run_subjects "$SOURCE/tests/subjects/dcute.txt" 300 --reduction dcute --undo verify
reduce_subjects "$SOURCE/tests/subjects/golden.txt" 600
verdict_end
