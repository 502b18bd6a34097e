#!/bin/sh
# SPDX-License-Identifier: MIT
# Rounds that are not needed are left out, whichever round an error was found in; and what is called the least is.
if [ -n "${SANITIZE:-}" ]; then
    echo 'a sanitizer replaces malloc, so states can not be compared'
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"

compile_once "$SOURCE/tests/explore/shrink_rounds.c"
for seed in 1 2 3 4 5 6 7 8; do
    for test in rounds two_disturb; do
        "$REHEARSE" sample --runs 200 --seed $seed --test $test --json --no-times "$verdict_binary" >run.json
        verdict_count=$((verdict_count + 1))
        # pong, disturb and ping.
        [ "$(json_number run.json steps)" = 3 ] || disagree "$test, seed $seed: $(json_number run.json steps) deliveries, not 3"
        [ "$(json_number run.json least)" = true ] || disagree "$test, seed $seed: not proved least"
    done
done

# Behind the first hang nobody looks whether there is less.
verdict_count=$((verdict_count + 1))
seed=1
kind=hang
while [ $kind != check ] && [ $seed -lt 50 ]; do
    "$REHEARSE" sample --runs 1 --seed $seed --hang-limit 20 --no-shrink --test hangs_elsewhere --json --no-times \
        "$verdict_binary" >found.json
    kind=$(json_kinds found.json)
    seed=$((seed + 1))
done
"$REHEARSE" shrink --hang-limit 20 --json --no-times "$verdict_binary" hangs_elsewhere.schedule >run.json
[ "$(json_number run.json done)" = true ] && [ "$(json_number run.json least)" = false ] ||
    disagree 'hangs_elsewhere' "$(cat run.json)"
verdict_end
