#!/bin/sh
# SPDX-License-Identifier: MIT
# The cause that is named is the one that explains the bug, whichever way it was found.
. "$SOURCE/tests/programs/verdict.shlib"
compile_once "$SOURCE/tests/explore/cause.c"
program=$verdict_binary

# says TEXT COMMAND...: the cause of the one error.
says() {
    verdict_count=$((verdict_count + 1))
    text=$1
    shift
    "$REHEARSE" "$@" --json --no-times --save . >found.json 2>found.err </dev/null
    [ "$(json_strings found.json cause)" = "$text" ] ||
        disagree "$*" "$(json_strings found.json cause)" "$(head -n 3 found.err)"
}

# names TEXT VERB OPTIONS...: with the program.
names() {
    named=$1
    shift
    says "$named" "$@" "$program"
}

# Whoever has the lease can be the one or the other.
for options in explore 'sample --seed 2' 'sample --seed 6' 'sample --strategy pct --seed 3' cover; do
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" $options --test lease --json --no-times --save . "$program" >found.json 2>&1 </dev/null
    json_strings found.json cause | grep -qx 'expire from lock#1 reached lock#1 before release from client#[12]' ||
        disagree "lease: $options" "$(json_strings found.json cause)"
done

# What the second answer sends is sent all the same if the other one comes second.
for options in explore 'sample --seed 1' cover; do
    names 'answer {from = 2, value = 2} from voter#2 reached asker#1 before answer {from = 1, value = 1} from voter#1' \
        $options --test last_answer
    names 'open from visitor#2 reached door#1 before word from visitor#1; and word from visitor#1 reached door#1 before shut from visitor#2' \
        $options --test between
done
for options in 'explore --reduction none' 'explore --reduction optimal' 'sample --seed 1'; do
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" $options --test replicas --json --no-times --save . "$program" >found.json 2>&1 </dev/null
    json_strings found.json cause >cause
    grep -q '^set {value = \([12]0\)} from writer#\([12]\) reached keeper#\([12]\) before set {value = [12]0} from writer#[12]; and set {value = [12]0} from writer#[12] reached keeper#[12] before set {value = \1} from writer#\2$' cause ||
        disagree "replicas: $options" "$(cat cause)"
done

# The search for a shorter execution makes no fault that was not asked for: a copy that comes twice would need less.
names 'note from noter#1 to counter#2 came once more' explore --test counted_twice --duplicate 1:note
! grep -q '^duplicate copy' counted_twice.schedule || disagree 'another message comes twice' "$(cat counted_twice.schedule)"
"$REHEARSE" explore --test counted_twice --duplicate 1:note --no-shrink --no-times --save . "$program" >/dev/null 2>&1
says 'note from noter#1 to counter#2 came once more' shrink counted_twice.schedule

# What is to be done about a deadlock depends on whether a fault is its cause.
# advises TEXT OPTIONS...: in the line `next:` of the deadlock.
advises() {
    verdict_count=$((verdict_count + 1))
    advice=$1
    shift
    "$REHEARSE" explore --test asks_once --no-times --save . "$@" "$program" >found.txt 2>&1 </dev/null
    grep -q '^deadlock: ' found.txt && grep -q "^next: .*$advice" found.txt ||
        disagree "$*: the advice" "$(cat found.txt)"
}
advises 'send it again after a while' --drop 1
advises 'others have to notice that an actor has crashed' --crash 1:knower
verdict_end
