#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# pairs: what the reduced search covers, and what it rules out, is just what plain enumeration of
# every interleaving has run, and has not, on random programs and on subjects. RANDOM_COUNT and
# RANDOM_FIRST take more random programs, or others.
set -u
failed=0
wrong() {
    echo "FAIL $*"
    failed=1
}

# Each pair of each test that came to its end, without the memory and the reason.
pairs_of() {
    awk '/: test / { match($0, /: test [a-z0-9_]*/); test = substr($0, RSTART + 7, RLENGTH - 7); whole = /, complete$/ }
         /^ +[0-9]+ (open|covered|ruled out) / { sub(/^ +[0-9]+ /, ""); sub(/ +[^ ]+(: .*|, .* ways open)?$/, ""); if (whole) print test, $0 }' "$1"
}

# Of tests that both have come to the end of.
compare() { # NAME FILES FLAGS...
    local name=$1 reduction
    shift
    for reduction in none source; do
        "$REHEARSE" pairs --max-executions 40000 --reduction $reduction "$@" >"$reduction.out" 2>"$reduction.err"
        [ $? -le 1 ] || wrong "$name: pairs --reduction $reduction: $(cat "$reduction.err")"
        pairs_of "$reduction.out" >"$reduction.all"
    done
    cut -d' ' -f1 none.all | sort -u >tests.none
    cut -d' ' -f1 source.all | sort -u | comm -12 - tests.none >tests.both
    for reduction in none source; do
        grep -wFf tests.both "$reduction.all" >"$reduction.pairs"
    done
    diff none.pairs source.pairs || wrong "$name: the searches differ"
    cat source.pairs >>all.pairs
}

: >all.pairs
awk -v seed="${RANDOM_FIRST:-1}" -v count="${RANDOM_COUNT:-40}" -f "$SOURCE/tests/threads/random.awk" >program.c
compare random program.c
for subject in cache deque_last hash_resize lost_notify notify_one orphan rw_upgrade scan_fs; do
    compare $subject "$SOURCE/subjects/threads/$subject.c"
done
for state in covered 'ruled out'; do
    count=$(grep -c " $state " all.pairs)
    echo "$count pairs $state"
    [ "$count" -ge 30 ] || wrong "only $count pairs are $state"
done

cp "$SOURCE/subjects/threads/refcount.c" .
# A test that ends early says nothing about what others would have done.
"$REHEARSE" pairs refcount.c >out 2>&1
[ $? = 1 ] || wrong "a finding is not told by the exit status"
grep -q ' open ' out || wrong "nothing is open after a crash"
grep -q 'ruled out  ' out && wrong "a search that is not complete rules pairs out"

# Hints: what they exclude is ruled out, or a finding if it was run; the schedule of a pair is followed.
cat >hints <<'END'
refcount.c:61 refcount.c:21  # the end comes last
refcount.c:20 refcount.c:22
refcount.c:1 refcount.c:2
END
"$REHEARSE" pairs --hints hints --target 3 refcount.c >hinted 2>&1
grep -q 'ruled out refcount.c:61 reads   refcount.c:21 writes  object: line 1 of the hints' hinted || wrong "a hint rules nothing out"
grep -q '^ruled-out: hints:2 says that it can.t be: refcount.c:20 writes, then refcount.c:22 writes' hinted || wrong "a hint is not contradicted"
grep -q '^note:    hints:3 is no pair of this test' hinted || wrong "a hint that matches nothing"
grep -q '^pair 3: ' hinted && "$REHEARSE" replay freed-pair-3.schedule >target 2>&1
grep -q ': test freed: ' target || wrong "the schedule of a pair can't be followed"
echo 'insert 5' >hints
"$REHEARSE" pairs --hints hints refcount.c 2>&1 | grep -q '^rehearse: hints:1: a place is' || wrong "a wrong file of hints"

# JSON says what the text says.
"$REHEARSE" pairs --json --no-times refcount.c >json 2>&1
python3 - <<'END' || failed=1
import json
pairs, text = json.load(open("json"))["pairs"], open("out").read()
assert f"{pairs['covered']} of {pairs['covered'] + pairs['open']} pairs covered, {pairs['ruled_out']} ruled out" in text
lines = [line.split() for line in text.splitlines() if line.split()[1:2] in (["open"], ["covered"])]
assert len(lines) == len(pairs["list"]) > 0
for line, pair in zip(lines, pairs["list"]):
    first, second = pair["first"], pair["second"]
    assert line[1:3] == [pair["state"], f"{first['file']}:{first['line']}"], (line, pair)
    assert line[3:6] == [first["access"] + "s", f"{second['file']}:{second['line']}", second["access"] + "s"], (line, pair)
END

# cover steers: where a search covers all that can be, so does it; its findings have schedules.
for subject in cache ms_queue_aba multiset ring_publish treiber_aba; do
    cp "$SOURCE/subjects/threads/$subject.c" .
    "$REHEARSE" pairs $subject.c >searched 2>&1
    "$REHEARSE" cover $subject.c >steered 2>&1
    wanted=$(sed -n 's/.*: \([0-9]*\) of [0-9]* pairs* covered.*/\1/p' searched)
    grep -q "^pairs:   $wanted of [0-9]* covered, the last in execution [0-9]*, with [1-9]" steered || wrong "$subject: steered: $(grep '^pairs' steered), searched: $wanted"
    grep -q ', complete$' steered && wrong "$subject: cover is complete"
done
"$REHEARSE" cover cache.c >steered 2>&1
[ $? = 1 ] && grep -q '^race: ' steered && "$REHEARSE" replay "$(sed -n '0,/^saved: */s/^saved: *//p' steered | head -1)" 2>&1 | grep -q '^race: ' || wrong "cover's finding can't be replayed: $(cat steered)"
"$REHEARSE" cover --max-executions 3 multiset.c | grep -q ', [1-9] in all$\|, 1[0-9] in all$' || wrong '--max-executions does not end cover'
exit $failed
