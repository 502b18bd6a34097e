#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# Every check that fails, and every access through NULL, of the programs of Savina (tests/subjects/savina.txt): `reach` makes
# each of them happen, under the order rule that it needs. Among them are the paper's bugs as far as they are known:
# ThreadRing's three, Big's two. REACH_LEFT_OUT names programs that are too large for a search of few questions.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE"/subjects/savina/*.[ch] .
left_out=${REACH_LEFT_OUT-}

tried=0 missing=''
while IFS='|' read -r head where _; do
    read -r program test rule _ kind _ <<<"$head"
    where=$(sed 's/^ *//; s/ *$//' <<<"$where")
    case $kind in check | crash) ;; *) continue ;; esac
    [[ " $left_out " == *" $program "* ]] && continue
    goal=--check
    [[ $kind = crash || $where = rh_send* ]] && goal=--dereference
    found=''
    for line in $(grep -nF -- "$where" "$program.c" | cut -d: -f1); do
        run "$REHEARSE" reach "$program.c" "$program.c:$line" $goal --test "$test" --delivery "$rule" --max-queries 3000 --save .
        [ $? = 1 ] && found=$(sed -n 's/^found: *//p' "$capture/stdout")
        [ -n "$found" ] && break
    done
    tried=$((tried + 1))
    echo "$program $test $rule $where: ${found:-not found}"
    [ -n "$found" ] || missing+=" $program:$test:$rule"
done < <(grep -vE '^(#|$)' "$SOURCE/tests/subjects/savina.txt")
[ "$tried" -ge 25 ] || { [ -n "$left_out" ] && [ "$tried" -gt 0 ]; } || fail "only $tried were tried"
[ -z "$missing" ] || fail "not found:$missing"
