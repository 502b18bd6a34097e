#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Random programs in which some of what the outside sends may come or not. With rh_may_come in an open environment, all
# ways of searching agree, and executions end as they do in the same program whose body chooses which of them to send.
if [ -n "${SANITIZE:-}" ]; then
    echo 'final states are compared with the library'"'"'s own malloc, which a sanitizer replaces'
    exit 77
fi
. "$SOURCE/tests/random/compare.shlib"

may='rh_may_come((to), type, 1, __VA_ARGS__)'
chosen='do { if (rh_choose(2)) rh_send_from(rh_outside("some " TEXT_OF(__LINE__)), (to), type, __VA_ARGS__); } while (0)'

# build NAME DEFINITION: the program with this in the place of some sends.
build() {
    ${CC:-cc} -std=gnu17 -g -O1 -w ${CFLAGS:-} "-DSOMETIMES(to,type,...)=$2" \
        '-DTEXT_OF(number)=TEXT(number)' '-DTEXT(number)=#number' -I"$SOURCE/include" \
        -I"$SOURCE/tests/random" random.c "$LIBRARY" -ldw -lelf -ljansson -lm ${LDLIBS:-} -o "$1"
}

# ends NAME OPTIONS...: the states in which executions of ./random end.
ends() {
    name=$1
    shift
    run "$name" explore --output --census --max-executions 400 $rules "$@"
    grep -a '^end' "$name/error" | LC_ALL=C sort -u >"$name.ends"
}

# found NAME: kinds and lines of its findings, but for those about messages that were sent in vain.
found() {
    json_findings "$1/result.json" | grep -Ev 'undelivered|leftover|deadlock'
}

compare_comings() {
    label="$generator $seed $rules"
    cp random.may random
    ends full --environment open --reduction none
    grep -q '"complete": true' full/result.json || return
    verdict_count=$((verdict_count + 1))
    for undo in off verify; do
        ends $undo --environment open --reduction none --undo $undo
        cmp -s full/result.json $undo/result.json || wrong "$label: --undo $undo gives another result"
    done
    for reduction in source optimal dcute; do
        ends $reduction --environment open --reduction $reduction
        cmp -s full.ends $reduction.ends || wrong "$label: --reduction $reduction loses an end"
        judge_reduction "$label --reduction $reduction" $reduction/result full/result
    done
    for how in 'exact --states-full --reduction none' 'actors --states-full --reduction none' 'exact --reduction source'; do
        ends states --environment open --states $how
        cmp -s full.ends states.ends || wrong "$label: --states $how loses an end"
        json_findings full/result.json >full.found
        json_findings states/result.json >states.found
        cmp -s full.found states.found || wrong "$label: --states $how loses a finding"
    done
    compare_replay
    cp random.chosen random
    ends chosen --environment open --reduction none
    for name in full chosen; do
        # What is left of what was sent in vain does not count.
        sed 's/ ([0-9]*)//g' $name.ends | LC_ALL=C sort -u >$name.states
        found $name >$name.found
    done
    # Under strict time a timer waits for what is sent, and not for what may come.
    case $rules in
    *strict) LC_ALL=C comm -13 full.states chosen.states >difference ;;
    *) diff full.states chosen.states >difference; diff full.found chosen.found >>difference ;;
    esac
    [ ! -s difference ] || wrong "$label: what may come differs from what is chosen" "$(head -n 10 difference)"
}

# comings GENERATOR SEED RULES
comings() {
    generator=$1
    seed=$2
    rules="--delivery ${3%-*} --time ${3#*-}"
    "./$generator" "$seed" | sed 's/rh_send_from(outside\[[0-9]*\], \(actors\[[0-9]*\]\), number,/SOMETIMES(\1, number,/' \
        >random.c
    grep -q 'SOMETIMES(' random.c || return
    build random.may "$may" && build random.chosen "$chosen" || { disagree "$generator $seed: does not compile"; return; }
    compare_comings
}

compare_start
seed=${COMINGS_FIRST:-1}
while [ $seed -le "${COMINGS_LAST:-5}" ]; do
    for rules in fifo-causal any-strict; do
        comings orders $seed $rules
    done
    comings generate $seed any-causal
    seed=$((seed + 1))
done
verdict_end
