#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Verbs, options and tests that do not exist, and values that make no sense.
. "$SOURCE/tests/cli/expect.bash"

refuses 2 'a verb is missing' "$REHEARSE"
refuses 2 "unknown verb 'explor'; did you mean explore\?" "$REHEARSE" explor till.c
refuses 2 "unknown verb 'frobnicate'; see rehearse --help" "$REHEARSE" frobnicate till.c
refuses 2 'the first argument is a verb, not --json' "$REHEARSE" --json explore till.c
refuses 2 'which program\?' "$REHEARSE" explore

# Help on what looks at a program says what its exit status means.
for verb in list explore sample cover coverage replay shrink graph; do
    expect 0 "$REHEARSE" $verb --help
    says '^Exit status: 0 '
done

refuses 2 'which schedule\?' "$REHEARSE" replay

refuses 2 'unknown option --foo for explore; see rehearse explore --help' \
    "$REHEARSE" explore --foo till.c
refuses 2 'did you mean --seed\?' "$REHEARSE" sample --sed 3 till.c
refuses 2 'unknown option -x for explore' "$REHEARSE" explore -x till.c
refuses 2 '--runs is an option of sample, refine, pairs, not of explore' "$REHEARSE" explore --runs 3 till.c
refuses 2 '--seed is an option of sample, cover, refine, pairs, not of explore' "$REHEARSE" explore --seed 3 till.c
refuses 2 '--keep-going is an option of explore, sample, cover, not of replay' \
    "$REHEARSE" replay --keep-going a.schedule
refuses 2 "--states takes none|exact|actors|bitstate, not 'all'" "$REHEARSE" explore --states all till.c
refuses 2 "--states takes none|exact|actors|bitstate, not ''" "$REHEARSE" sample --states= till.c
refuses 2 '--states exact is for explore' "$REHEARSE" sample --states exact till.c
refuses 2 '--json takes no value' "$REHEARSE" explore --json=yes till.c
refuses 2 '--delivery needs a value: fifo\|any' "$REHEARSE" explore till.c --delivery
refuses 2 "--delivery takes fifo\|any, not 'lifo'" "$REHEARSE" explore till.c --delivery lifo
refuses 2 "--time takes causal\|strict, not 'x'" "$REHEARSE" explore till.c --time x
refuses 2 "--undo takes on\|off\|verify, not 'x'" "$REHEARSE" explore till.c --undo=x
refuses 2 "'leek' is none; there are: check .* leak" "$REHEARSE" explore till.c --fail-on bound,leek
refuses 2 'hidden|unknown option --as' "$REHEARSE" explore till.c --as other.c

refuses 2 '--runs must be at least 1' "$REHEARSE" sample --runs 0 till.c
refuses 2 "--runs needs a number, not '1e3'" "$REHEARSE" sample --runs 1e3 till.c
for seed in x '' -1 +1 0x 0xg 7seven '7 ' 1.5; do
    refuses 2 "--seed needs a number, not '" "$REHEARSE" sample --seed "$seed" till.c
done
refuses 2 'too large' "$REHEARSE" sample --seed 99999999999999999999 till.c
refuses 2 '--max-length must be at least 1' "$REHEARSE" explore --max-length 0 till.c
refuses 2 'seconds above 0' "$REHEARSE" explore --max-seconds nan till.c
refuses 2 'seconds above 0' "$REHEARSE" explore --max-seconds 0 till.c
refuses 2 '--at goes with --gdb' "$REHEARSE" replay --at 2 found.schedule
refuses 2 "--commuting goes with --reduction source or optimal" \
    "$REHEARSE" explore --commuting --states exact till.c
refuses 2 'only exact and source go together' "$REHEARSE" explore --states exact --reduction optimal till.c
refuses 2 'only exact and source go together' "$REHEARSE" explore --states actors --reduction source till.c
refuses 2 'only exact and source go together' \
    "$REHEARSE" explore --states exact --reduction source --states-full till.c
refuses 2 "--commuting goes with --reduction source or optimal" \
    "$REHEARSE" explore --commuting --reduction dcute till.c
refuses 2 '--order goes with --reduction dcute' "$REHEARSE" explore --order low till.c
refuses 2 '--order goes with --reduction dcute' \
    "$REHEARSE" explore --order high --reduction optimal till.c
refuses 2 "--order takes low\|high\|created, not 'random'" \
    "$REHEARSE" explore --reduction dcute --order random till.c

refuses 2 "till.c has no test 'overdrw'; did you mean overdraw\?" \
    "$REHEARSE" explore till.c --test overdrw
refuses 2 "till.c has no test 'zebra'; there are: overdraw, calm" \
    "$REHEARSE" sample till.c --test zebra

expect 0 "$REHEARSE" explore till.c --test calm --states none
expect 0 "$REHEARSE" sample till.c --test calm --states=none

# Help is on standard output and is no error.
expect 0 "$REHEARSE" --help
says '^Usage: rehearse VERB'
says '^  rehearse explore bank.c  *#'
[ -z "$(awk '/^  rehearse [a-z]+ .*#/ { print $2 }' "$capture/stdout" | sort | uniq -d)" ] ||
    fail 'more than one example of a verb'
for verb in list explore sample replay doctor; do
    expect 0 "$REHEARSE" $verb --help
    says "^Usage: rehearse $verb"
    says '^Examples:'
    expect 0 "$REHEARSE" help $verb
    says "^Usage: rehearse $verb"
done
expect 0 "$REHEARSE" explore --help
says '--hang-limit MS .*\(default 1000\)'
refuses 2 "unknown verb 'nothing'" "$REHEARSE" help nothing
expect 0 "$REHEARSE" version
says '^rehearse [0-9]+\.[0-9]+\.[0-9]+$'
expect 0 "$REHEARSE" --version
