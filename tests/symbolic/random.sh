#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random programs of which every class of paths over a small domain has a test: programs.py. SYMBOLIC_FIRST is the first
# seed and SYMBOLIC_COUNT says how many there are.
. "$SOURCE/tests/symbolic/analysis.shlib"
command -v python3 >/dev/null || {
    echo "no python3 here: tools/install-deps test"
    exit 77
}
export PYTHONDONTWRITEBYTECODE=1
first=${SYMBOLIC_FIRST:-1}
last=$((first + ${SYMBOLIC_COUNT:-24}))
failed=0

# So many to a file: each question reads all of it.
for ((from = first; from < last; from += 24)); do
    count=$((last - from < 24 ? last - from : 24))
    python3 "$SOURCE/tests/symbolic/programs.py" write "$from" "$count" >"programs_$from.c"
    for ((seed = from; seed < from + count; seed++)); do
        analyse "programs_$from.c" --behaviour "a$seed" --message "m${seed}_0" --delivery any --deliveries-each 9 >"$seed.out" ||
            failed=1
    done
    python3 "$SOURCE/tests/symbolic/programs.py" judge "$from" "$count" || failed=1
done
exit $failed
