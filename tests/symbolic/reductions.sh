#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What reductions of `generate` leave out: nothing. Each test of becoming.c and of the subjects, begun with its body (--test), with all orders
# and with each reduction and both, ends in the same states: reductions.py. REDUCTIONS_SUBJECTS says which subjects,
# REDUCTIONS_TESTS how many tests plain enumeration may take, above which a test is left out, and REDUCTIONS_LEAST how many
# must not be left out.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/symbolic/analysis.shlib"
command -v python3 >/dev/null || {
    echo "no python3 here: tools/install-deps test"
    exit 77
}
export PYTHONDONTWRITEBYTECODE=1
subjects=${REDUCTIONS_SUBJECTS:-mini/se*}
most=${REDUCTIONS_TESTS:-20}
least=${REDUCTIONS_LEAST:-6}
compared=0 fewer=0

# make NAME OPTIONS...: the tests as NAME.json. They may break something.
make_tests() {
    local name=$1
    shift
    timeout "${REDUCTIONS_SECONDS:-20}" "$BUILD/rehearse-analysis" generate "$bitcode" --test "$test" --json \
        --delivery "$order" --deliveries-each 1000 --actors-each 1000 "$@" >"$name.json" 2>errors
    [ $? -le 1 ]
}

read -ra patterns <<<"becoming $subjects"
for pattern in "${patterns[@]}"; do
    for source in "$SOURCE"/tests/symbolic/$pattern.c "$SOURCE"/subjects/$pattern.c; do
        [ -e "$source" ] || continue
        bitcode "$source" 2>errors || continue
        for test in $(sed -n 's/^RH_TEST(\([a-z0-9_]*\)).*/\1/p' "$source"); do
            for order in fifo any; do
                make_tests plain --no-stability --no-independence --max-tests "$most" || continue
                grep -q '"complete": true' plain.json || continue
                make_tests stable --no-independence && make_tests independent --no-stability && make_tests both || {
                    disagree "$source: $test, $order" "$(cat errors)"
                    continue
                }
                counts=$(python3 "$SOURCE/tests/symbolic/reductions.py" plain.json stable.json independent.json both.json)
                case $? in
                    0) compared=$((compared + 1)) ;;
                    2) continue ;;
                    *) disagree "$source: $test, $order" "$counts" ;;
                esac
                verdict_count=$((verdict_count + 1))
                read -r _ all _ _ few <<<"$counts"
                fewer=$((fewer + (few < all)))
            done
        done
    done
done
echo "$compared tests compared, $fewer of them reduced"
[ "$compared" -ge "$least" ] || disagree "only $compared tests could be compared"
[ "$fewer" -gt 0 ] || disagree 'nothing was reduced'
verdict_end
