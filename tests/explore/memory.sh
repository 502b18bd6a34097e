#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 120
# --max-memory: the search stops, says why, and keeps what it has found.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer takes memory of its own, and states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"

compile_once "$SOURCE/tests/explore/memory.c"

# stopped LABEL STATUS KINDS: the last search was stopped by its memory.
stopped() {
    expect "$1" run "$2" '*' '*' "$3"
    [ "$(json_strings run.json stopped_by)" = memory ] || disagree "$1: stopped by $(json_strings run.json stopped_by)"
    [ "$(json_number run.json complete)" = false ] || disagree "$1: complete"
}

# No process takes less than 1 MB: not one delivery is made.
for verb in explore sample; do
    "$REHEARSE" $verb --json --no-times --max-memory 1 --test few "$verdict_binary" >run.json
    verdict_status=$?
    stopped "$verb few" 0 -
    [ "$(json_number run.json deliveries)" = 0 ] || disagree "$verb few: deliveries were made"
done
explore_json run --max-memory 1 --require-complete --reduction none --test few "$verdict_binary"
stopped 'few --require-complete' 4 -
"$REHEARSE" explore --no-times --max-memory 1 --reduction none --test few "$verdict_binary" >text
grep -q 'nothing found in 0 executions, stopped by memory, 0 deliveries$' text || disagree 'the text' "$(cat text)"

explore_json run --max-memory 1000 --reduction none --test few "$verdict_binary"
expect 'few in enough memory' run 0 6 15 -
[ "$(json_number run.json complete)" = true ] || disagree 'few in enough memory: not complete'

# There are some ten million states of 16 bytes: the table can't have grown beyond the bound.
explore_json run --max-memory 12 --max-executions 0 --reduction none --states exact --test many_states "$verdict_binary"
stopped 'many_states' 0 -
states=$(json_number run.json states)
[ "$states" -gt 65536 ] && [ "$states" -lt $((12 * 1048576 / 16)) ] || disagree "many_states: $states states"

# What was found before is reported.
explore_json run --keep-going --max-memory 12 --max-executions 0 --reduction none --states exact \
    --test many_states_and_an_error "$verdict_binary"
stopped 'many_states_and_an_error' 1 final

# Seven deliveries to undo keep 14 MB, which is noticed when it is looked at again.
explore_json run --max-memory 12 --reduction none --test large_states "$verdict_binary"
stopped 'large_states' 0 -
[ "$(json_number run.json deliveries)" = 1024 ] || disagree "large_states: $(json_number run.json deliveries) deliveries"

for value in 0 -1 much 99999999999; do
    "$REHEARSE" explore --max-memory $value "$verdict_binary" >/dev/null 2>usage.err
    [ $? = 2 ] && grep -q -e --max-memory usage.err || disagree "--max-memory $value is accepted"
done
verdict_end
