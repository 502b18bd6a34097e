#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 900
# What is left of schedules that are shrunk, compared with what was worked out by hand; in each nothing can be left out.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/explore/shrink.shlib"

compile_once "$SOURCE/tests/explore/shrink.c"
program=$verdict_binary
executions=500
# Each execution takes a process or so there, and fewer show as much of what a sanitizer looks for.
[ -z "${SANITIZE:-}" ] || executions=50

# left TEST OPTIONS...: samples until the bug is found, shrinks that, and compares it with standard input: the lines
# from the first that is no head, without identities and comments, and the cause.
seeds='1 2'
left() {
    verdict_count=$((verdict_count + 1))
    test=$1
    shift
    cat >expected
    rm -rf found
    mkdir found
    for seed in $seeds; do
        "$REHEARSE" sample --no-shrink --json --no-times --save found --runs 2000 --seed $seed --test $test "$@" "$program" >found.json 2>&1
        shrink "$test $seed" found/$test.schedule
        {
            sed -n '/^\(hold\|choose\|drop\|duplicate\|deliver\|crash\|stop\)/{s/ *# .*//;s/ @[0-9a-f]*//g;p}' "$shrunk"
            json_strings shrink.json cause
        } >left
        diff expected left >difference || disagree "$test, seed $seed" "$(cat difference)"
        grep -q "^# cause: $(tail -n 1 left)" "$shrunk" || disagree "$test: no cause in the file"
        is_least "$test $seed" "$shrunk"
        cp "$shrunk" again.schedule
        shrink "$test $seed again" again.schedule
        diff found/$test-shrunk.schedule again-shrunk.schedule >difference ||
            disagree "$test $seed: what was shrunk becomes smaller" "$(cat difference)"
    done
}

# The four deliveries that lead to a `write` behind a `flush`. Of what each sends the `write` is sent first.
left refused <<'END'
deliver go to action#1 from ann
deliver go to terminator#1 from ben
deliver flush to writer#1 from terminator#1
deliver write to writer#1 from action#1
stop
flush from terminator#1 reached writer#1 before write from action#1
END

# Nothing of an end can be left out: but all is in sending order.
left lost <<'END'
hold write to writer#1 from action#1 until flush to writer#1 from terminator#1
flush from terminator#1 reached writer#1 before write from action#1
END

left chosen <<'END'
deliver go to action#1 from ann
choose 2 of 3
deliver go to terminator#1 from ben
deliver flush to writer#1 from terminator#1
deliver write to writer#1 from action#1
stop
flush from terminator#1 reached writer#1 before write from action#1; and rh_choose(3) gave 2 in go to action#1
END

# Two messages can get lost: samples with one seed find the test's own, and with the other what is sent because of it.
seeds=2
left dropped --drop 1 <<'END'
drop go to action#1 from outside
go from outside to action#1 was lost
END
seeds=1
left dropped --drop 1 <<'END'
deliver go to action#1 from outside
drop write to writer#1 from action#1
write from action#1 to writer#1 was lost
END
seeds='1 2'

left always <<'END'
not an ordering bug: it fails in the default order too
END

# One item is enough, and it is not the cause that it came before the other one: if it does not, both are emptied twice.
verdict_count=$((verdict_count + 1))
"$REHEARSE" explore --json --no-times --save . --test thrown_twice "$program" >thrown.json
[ "$(json_strings thrown.json cause)" = "not an ordering bug: it fails in the default order too, and where it does not something else is wrong" ] ||
    disagree "a cause that is none" "$(cat thrown.json)"

# A budget: what is there then is said not to be the least, and shows the finding.
verdict_count=$((verdict_count + 1))
"$REHEARSE" sample --no-shrink --json --no-times --save . --runs 2000 --seed 2 --test refused "$program" >found.json
"$REHEARSE" shrink --no-times --max-executions 4 refused.schedule >budget.txt
[ $? -eq 1 ] || disagree "budget: status"
"$REHEARSE" shrink --no-times --json --max-executions 4 refused.schedule >shrink.json
grep -q 'not yet as small as it gets' budget.txt || disagree "budget: not said" "$(cat budget.txt)"
shows refused-shrunk.schedule || disagree "budget: does not show"

# The same file, byte for byte, with sources as well as with a program.
verdict_count=$((verdict_count + 1))
"$REHEARSE" shrink --no-times --json refused.schedule >first.json
cp refused-shrunk.schedule first.schedule
"$REHEARSE" shrink --no-times --json refused.schedule >second.json
cmp first.json second.json && cmp first.schedule refused-shrunk.schedule ||
    disagree "the same schedule, and another result"

# A schedule that shows nothing has nothing to be shrunk.
verdict_count=$((verdict_count + 1))
printf 'rehearse schedule 1\nprogram shrink.c\ntest refused\nend\n' >fine.schedule
"$REHEARSE" shrink --no-times "$program" fine.schedule >fine.txt 2>&1
[ $? -eq 0 ] && grep -q 'nothing found in this schedule' fine.txt && [ ! -e fine-shrunk.schedule ] ||
    disagree "nothing to shrink" "$(cat fine.txt)"

# refuses PATTERN FILE: written by hand, and with a mistake.
refuses() {
    verdict_count=$((verdict_count + 1))
    { printf 'rehearse schedule 1\nprogram shrink.c\ntest refused\n' && cat; } >hand.schedule
    "$REHEARSE" replay "$program" hand.schedule >refused.txt 2>&1
    [ $? -eq 2 ] && grep -q -- "$1" refused.txt || disagree "not refused: $1" "$(cat refused.txt)"
}
refuses 'hand.schedule:4: the line ends too early' <<'END'
hold write to writer#1
end
END
refuses 'hand.schedule:4: `until` is expected where `unless` stands' <<'END'
hold write to writer#1 unless flush to writer#1
end
END
refuses 'hand.schedule:4: write to writer#1 is held until flush to writer#2, which does not come' <<'END'
hold write to writer#1 until flush to writer#2
end
END
refuses 'hand.schedule:5: write to writer#1 from action#1 is held until flush to writer#1 from terminator#1, which does not come' <<'END'
hold flush to writer#1 from terminator#1 until write to writer#1 from action#1
hold write to writer#1 from action#1 until flush to writer#1 from terminator#1
end
END
# What is never sent can't be held, and then it says nothing that nothing is found.
refuses 'hand.schedule:5: note to writer#1 from action#1 cannot be held, since it is never sent' <<'END'
hold flush to writer#1 until write to writer#1
hold note to writer#1 from action#1 until flush to writer#1
end
END
refuses 'hand.schedule:4: write to writer#1 with this @identity cannot be held' <<'END'
hold write to writer#1 @0000000000000001 until flush to writer#1
end
END
refuses 'hand.schedule:5: `hold` stands after a step' <<'END'
deliver go to action#1
hold write to writer#1 until flush to writer#1
end
END
refuses 'hand.schedule:5: `deliver` stands after `stop`' <<'END'
stop
deliver go to action#1
end
END
refuses 'remove `stop`' <<'END'
deliver go to action#1
lap
deliver go to terminator#1
stop
end
END

# Holds by names: everything that they fit is held, and what is not said is in sending order.
verdict_count=$((verdict_count + 1))
printf 'rehearse schedule 1\nprogram shrink.c\ntest lost\nhold write to writer#1 until flush to writer#1\nend\n' >hand.schedule
"$REHEARSE" replay --no-times "$program" hand.schedule >held.txt 2>&1
[ $? -eq 1 ] && grep -q 'does not hold: writer->lost == 0' held.txt || disagree "a hold by hand" "$(cat held.txt)"
# One that holds nothing does not hide what is found.
verdict_count=$((verdict_count + 1))
sed 's/^end/hold note to writer#1 until flush to writer#1\nend/' hand.schedule >vain.schedule
"$REHEARSE" replay --no-times "$program" vain.schedule >vain.txt 2>&1
[ $? -eq 1 ] && grep -q 'does not hold: writer->lost == 0' vain.txt ||
    disagree "a hold in vain" "$(cat vain.txt)"

# Other kinds of schedules: what comes from outside, inputs, crashes and duplicates, restarts, replies.
others() {
    compile_once "$SOURCE/tests/explore/$1"
    shift
    rm -rf saved
    mkdir saved
    "$REHEARSE" explore --reduction none --no-shrink --max-executions $executions --json --no-times --keep-going --save saved "$@" \
        "$verdict_binary" >search.json 2>&1
    shrink_all "$*" saved
}
for test in asks asks_twice tellers gate stops; do
    others faults.c --test $test --drop 1 --crash 1
    others faults.c --test $test --duplicate 1 --crash 1 --restart
done
for test in once twice needs_two too_late in_a_cycle refuses_what_comes; do
    others environment.c --test $test --environment open
done

explore="explore --reduction none --max-executions $executions"
sample='sample --runs 100 --seed 1'
shrink_table "$SOURCE/examples" "$SOURCE/tests/programs/examples.txt" "$explore" "$sample"
# The warnings of projects/ are many and alike; tests/deep/shrink.sh has them, and what samples of the others find.
grep -v '^projects/.*: 0 ' "$SOURCE/tests/subjects/golden.txt" >golden.txt
shrink_table "$SOURCE/subjects" golden.txt "$explore"
# Without the first alarm the second can't be delivered, and without both the check fails as well.
cat >two_alarms.schedule <<END
rehearse schedule 1
program $program
test two_alarms
order fifo
time causal
deliver set to alarms#1 from outside
deliver first to alarms#1 from alarms#1
deliver second to alarms#1 from alarms#1
deliver go to prober#1 from alarms#1
deliver probe to alarms#1 from prober#1
end
END
shrink two_alarms two_alarms.schedule
sed -n '/^deliver/{s/ *# .*//;s/ @[0-9a-f]*//g;p}' "$shrunk" >left
diff - left >difference <<'END' || disagree two_alarms "$(cat difference)"
deliver set to alarms#1 from outside
deliver go to prober#1 from alarms#1
deliver probe to alarms#1 from prober#1
END
is_least two_alarms "$shrunk"
verdict_end
