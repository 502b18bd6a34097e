#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# The reductions lose nothing on the programs that show what the API, the engine and the kinds of findings are about;
# and the classes that the census counts are those that oracle/ counts, which shares nothing with it. Only the rows with
# at least REDUCTIONS_LEAST executions: where there are few orders there is little to leave out.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so final states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/programs/reductions.shlib"
. "$SOURCE/tests/programs/oracle.shlib"

# What is left out: hangs, which only wait; programs that are cut off by --max-length, whose number of executions depends
# on where that happens; the program whose test gives its order (RH_TEST_ORDER), which is one execution in every search,
# so that nothing is enumerated; and the one with a thread, which is left to chance, so that no search is complete.
left_out='^(hang|livelock|bound|order\.c|beside\.c --test processes)|--max-length|--hang-limit'
# What the oracle does not know: kinds that need the engine, inputs from files, guards and stop functions that fail, code
# on stacks, actors whose address is given out before they are there.
beyond='(shared-state|private-pointer|leak|crash|exit|--schedule|guard_(sends|check)|at_stop_asks|executable_stack|reserve\.c)'

oracle_compile || exit 1

# compare_classes LABEL PROGRAMS OPTIONS: the last word of the oracle against plain.json.
compare_classes() {
    oracle=$(dirname "$verdict_binary")/oracle
    # shellcheck disable=SC2086
    [ -x "$oracle" ] || ${CC:-cc} -std=c17 -g -I"$SOURCE/include" $2 oracle.o -o "$oracle" \
        $(sed -n 's,^// rehearse:.*--libs \(.*\),\1,p' $(list_sources $2)) ||
        { disagree "$1: does not link with the oracle"; return; }
    options=$(echo " $3" | sed 's/ --fail-on [a-z-]*//')
    # shellcheck disable=SC2086
    counted=$("$oracle" --classes on $options 2>/dev/null | tail -n 1 | sed 's/.* //')
    verdict_count=$((verdict_count + 1))
    [ "$counted" = "$(json_number plain.json classes)" ] ||
        disagree "$1: classes" "oracle $counted, census $(json_number plain.json classes)"
}

# compare_row DIRECTORY LINE
compare_row() {
    label=$(echo ${2%%:*})
    # shellcheck disable=SC2086
    read_words "$1" $label
    # shellcheck disable=SC2086
    compile_once $programs
    # shellcheck disable=SC2086
    compare_reductions "$label" "$verdict_binary" $options ||
        disagree "$label: plain enumeration is not complete" "$(head -n 5 plain.err)"
    # What a handler does to libraries and the system is nothing that the oracle sees.
    grep -Eq 'a handler has (written|called)' plain.json || echo "$2" | grep -Eq -e "$beyond" ||
        compare_classes "$label" "$programs" "$options"
}

set -f
for table in api/golden.txt kinds/errors.txt kinds/crashes.txt engine/engine.txt programs/examples.txt; do
    directory=$SOURCE/tests/$(dirname $table)
    [ $table != programs/examples.txt ] || directory=$SOURCE/examples
    sed 's/#.*//' "$SOURCE/tests/$table" | grep : | grep -Ev -e "$left_out" >rows
    while IFS= read -r line; do
        executions=$(echo "${line#*:}" | awk '{ print $2 }')
        [ "$executions" = '*' ] || [ "$executions" -ge "${REDUCTIONS_LEAST:-3}" ] || continue
        compare_row "$directory" "$line"
    done <rows
done
verdict_end
