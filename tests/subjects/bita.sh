#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# The bugs of subjects/bita, which bita.txt lists: explore finds each of them if it is told nothing, and nothing in what
# is fixed; a schedule that was written by hand shows it, and does not if the two deliveries that matter change places;
# in the order of sending only those show it that are marked so; and sample runs the large ones, with nothing found in
# what is fixed.
#
# In such a schedule one delivery is marked `# early` and one `# late`. Changed, it ends with the late one in place of
# the early one, and everything else comes in the order of sending.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"

# verdict LABEL STATUS KINDS MESSAGE VERB ARGUMENTS...: what a verb says about a test. MESSAGE may be the beginning of it.
verdict() {
    label=$1 expected=$2 expected_kinds=$3 words=$4 verb=$5
    shift 5
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" "$verb" --json --no-times "$@" >said.json 2>said.err </dev/null
    status=$?
    [ $status -eq "$expected" ] && same_kinds "$expected_kinds" "$(json_kinds said.json)" &&
        case "$(json_strings said.json message)" in
        "$words"*) true ;;
        *) false ;;
        esac && return
    disagree "$label: $verb" "expected status $expected, kinds $expected_kinds, $words" \
        "got      status $status, kinds $(json_kinds said.json), $(json_strings said.json message)" \
        "$(head -n 5 said.err)"
    return 1
}

# is_first NAME: whether this name is new. Bugs of a program may have fixed tests in common.
is_first() {
    [ ! -e "$1.asked" ] && : >"$1.asked"
}

explore_both() {
    verdict "$name" 1 "$bug_kind" "$message" explore --save . --test "$test" "$verdict_binary"
    is_first "$program-$fixed" || return
    verdict "$name fixed" 0 - '' explore --save . --test "$fixed" "$verdict_binary" || return
    [ "$(json_number said.json complete)" = true ] || disagree "$name fixed: explore: not complete"
}

replay_both() {
    trigger=$SOURCE/tests/subjects/triggers/$name.schedule
    awk '/ # early$/ { early = 1 } !early || / # late$/ || /^end$/' "$trigger" >changed.schedule
    grep -q ' # late$' changed.schedule || disagree "$name: no delivery is marked late"
    verdict "$name" 1 "$bug_kind" "$message" replay "$verdict_binary" "$trigger"
    verdict "$name with both changed" 0 - '' replay "$verdict_binary" changed.schedule
}

# No step at all: the order of sending.
replay_in_order() {
    [ "$random" = at-once ] && in_order=1 || in_order=0
    for order_test in "$test" "$full"; do
        printf 'rehearse schedule 1\nprogram %s.c\ntest %s\nend\n' "$program" "$order_test" >order.schedule
        "$REHEARSE" replay --json --no-times "$verdict_binary" order.schedule >said.json 2>said.err
        status=$?
        [ $status -eq "$in_order" ] || disagree "$name: $order_test in the order of sending: status $status" \
            "$(head -n 5 said.err)"
    done
}

# What kind the first one is that a random execution of a large test shows is a matter of chance.
sample_both() {
    "$REHEARSE" sample --no-shrink --json --no-times --save . --runs 200 --seed 1 --test "$full" "$verdict_binary" \
        >said.json 2>said.err
    status=$?
    [ $status -eq 1 ] || { [ $status -eq 0 ] && [ "$random" = seldom ]; } ||
        disagree "$name: sample: status $status" "$(head -n 5 said.err)"
    is_first "$program-$full_fixed" || return
    verdict "$name fixed" 0 - '' sample --save . --runs 2000 --seed 1 --test "$full_fixed" "$verdict_binary"
}

while read -r name program test fixed full full_fixed random bug_kind message; do
    case $name in
    ''|'#'*) continue ;;
    esac
    compile_once "$SOURCE/subjects/bita/$program.c"
    explore_both
    replay_both
    replay_in_order
    sample_both
done <"$SOURCE/tests/subjects/bita.txt"
verdict_end
