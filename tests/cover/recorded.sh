#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The first run of cover can be one that was recorded on threads: what that has covered is what it has shown, in the
# order in which a replay has the host's guests.
. "$SOURCE/tests/cli/expect.bash"
if [ -n "${SANITIZE:-}" ]; then
    echo 'recordings are repeated in tests/runtime'
    exit 77
fi

# shellcheck disable=SC2086
${CC:-cc} -g ${CFLAGS:-} -I"$SOURCE/include" "$SOURCE/tests/cover/recorded.c" -o recorded "$LIBRARY" -ldw -lelf -ljansson -lm \
    ${LDLIBS:-} || exit 1

for seed in 1 2 3 4 5 6; do
    REHEARSE_RECORD=run-$seed.trace REHEARSE_DELAY=2000 REHEARSE_SEED=$seed expect 0 ./recorded
    expect 0 "$REHEARSE" replay run-$seed.trace --no-times
    sed -n 's/.*[0-9]  \(guest#[0-9]\) *-> host#1 .*/\1/p' "$capture/stdout" >order
    [ "$(wc -l <order)" = 4 ] || fail 'four guests'
    awk '{ for (i in came) print $1 " before hello from " came[i]; came[NR] = $1 }' order | LC_ALL=C sort >expected
    expect 0 "$REHEARSE" cover recorded --schedule run-$seed.trace --max-executions 1 --save-coverage run-$seed.coverage
    says 'goals:   pr 6 of 12, '
    expect 0 "$REHEARSE" coverage run-$seed.coverage
    sed -n 's/^ *never hello from \(guest#[0-9] before hello from guest#[0-9]\)$/\1/p' "$capture/stdout" |
        LC_ALL=C sort >never
    diff expected never || fail "seed $seed: other orders"
    cat expected >>all
done

# Together: the orders that some run has shown. Of a pair that was turned round no order is missing.
expect 0 "$REHEARSE" coverage run-?.coverage
covered=$((12 - $(sort all | uniq -c | awk '$1 == 6' | wc -l)))
says "goals: pr $covered of 12,"

# From there cover goes on to all.
expect 0 "$REHEARSE" cover recorded --schedule run-1.trace
says 'goals:   pr 12 of 12'

# Only the program that was recorded.
cp recorded other
printf x >>other
refuses 2 'run-1.trace' "$REHEARSE" cover other --schedule run-1.trace
