#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# A worker that lives on and takes its trials back shrinks every finding to the same as a worker for each trial does, which
# --undo off has.
if [ -n "${SANITIZE:-}" ]; then
    echo 'a sanitizer replaces malloc, so nothing can be undone'
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"

least=0

# compare SOURCE [OPTIONS...]
compare() {
    source=$1
    shift
    compile_once "$SOURCE/$source"
    for undo in on off; do
        rm -rf "$undo"
        mkdir "$undo"
        (cd "$undo" && "$REHEARSE" sample --runs 30 --seed 1 --keep-going --undo $undo --json --no-times "$@" \
            "../$verdict_binary" >result.json 2>result.err)
        case $? in
        0 | 1) ;;
        *) disagree "$source $* --undo $undo" "$(cat "$undo/result.err")" ;;
        esac
        # The note that calls could not be undone.
        sed -i '/executed again/d' "$undo/result.json"
    done
    verdict_count=$((verdict_count + 1))
    least=$((least + $(grep -c '"least": true' on/result.json)))
    diff -r on off >difference ||
        disagree "$source $*: shrinking by undo and by starting anew differ" "$(head -n 20 difference)"
}

compare tests/explore/shrink_living.c
compare tests/explore/shrink.c --drop 1
compare subjects/mini/lost_update.c
compare subjects/mini/retry.c
for program in "$SOURCE"/subjects/bita/*.c; do
    # These take as long as all others; tests/deep/shrink.sh has them.
    case $program in */fyrie_redis.c | */gatling.c | */messenger.c | */signal_collect.c) [ -n "${LIVING_ALL:-}" ] || continue ;; esac
    compare "${program#"$SOURCE"/}"
done
# Trials that can be taken back do not run the test's body again.
compile_once "$SOURCE/tests/explore/shrink_living.c"
for undo in on off; do
    BODIES=$PWD/bodies_$undo "$REHEARSE" sample --shared-files --runs 30 --seed 1 --test checks --undo $undo "$verdict_binary" >/dev/null
done
on=$(wc -c <bodies_on) off=$(wc -c <bodies_off)
[ $((on * 2)) -lt "$off" ] || disagree "the body has run $on times, and $off times where nothing is taken back"
[ "$least" -ge 20 ] || disagree "only $least findings were shrunk"
verdict_end
