#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 7200
# What Z3 is asked about the rows of symbolic/counts.txt, and about every behaviour and message of the subjects, asked of
# cvc5: the answers are alike, where neither says that it does not know. QUERIES_STATES is how many states a row may have
# at most, QUERIES_SUBJECTS which programs of subjects/ are looked at.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/symbolic/analysis.shlib"
command -v cvc5 >/dev/null || {
    echo "no cvc5 here: tools/install-deps test"
    exit 77
}
most=${QUERIES_STATES:-6000}
subjects=${QUERIES_SUBJECTS:-[bmps]*/*}
same=0 unknown=0

# ask SOURCE OPTIONS...: what Z3 is asked, and cvc5 each of it. What takes too long is left out.
ask() {
    local source=$1 file z3 cvc5
    shift
    rm -rf queries
    mkdir queries
    bitcode "$source" && timeout 60 "$BUILD/rehearse-analysis" generate "$bitcode" --queries queries "$@" >out 2>err
    for file in queries/*.smt2; do
        [ -e "$file" ] || continue
        z3=$(sed -n 's/^(set-info :status \([a-z]*\))$/\1/p' "$file")
        cvc5=$(cvc5 --rlimit=1000000 "$file" 2>&1)
        verdict_count=$((verdict_count + 1))
        case "$z3 $cvc5" in
            'sat sat' | 'unsat unsat') same=$((same + 1)) ;;
            'unknown '* | *' unknown') unknown=$((unknown + 1)) ;;
            *) disagree "$source $*: Z3 says $z3, cvc5 $cvc5" "$(cat "$file")" ;;
        esac
    done
}

while read -r program behaviour message loop deliveries actors rest; do
    case $program in '#'* | '') continue ;; esac
    # shellcheck disable=SC2086
    set -- ${rest##*:}
    [ "$2" -le "$most" ] || continue
    source=$SOURCE/subjects/apet/$program.c
    [ -e "$source" ] || source=$SOURCE/tests/symbolic/$program.c
    # shellcheck disable=SC2086
    ask "$source" --delivery any --behaviour "$behaviour" --message "$message" --loop "$loop" \
        --deliveries-each "$deliveries" --actors-each "$actors" ${rest%%:*}
done <"$SOURCE/tests/symbolic/counts.txt"

limits='--loop 1 --deliveries-each 2 --actors-each 1 --max-tests 25'
# shellcheck disable=SC2086
for source in "$SOURCE"/subjects/$subjects.c; do
    case $source in */zmq/*) continue ;; esac
    while read -r behaviour message _; do
        ask "$source" --behaviour "$behaviour" --message "$message" $limits
    done <<<"$(bitcode "$source" && timeout 60 "$BUILD/rehearse-analysis" generate "$bitcode" $limits 2>/dev/null | tail -n +3)"
done
echo "$same alike, $unknown unknown to one of them"
[ "$same" -gt 0 ] || disagree 'no query was asked'
verdict_end
