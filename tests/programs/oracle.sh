#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# The golden numbers hold for the naive enumerator of oracle/ too, which shares nothing with the
# engine: a wrong number in a table shows here.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/programs/oracle.shlib"

# What the oracle does not know: kinds that need the engine, inputs from files.
beyond='(shared-state|private-pointer|leak|livelock|crash|exit|hang|unset|order\.c|reserve\.c|--schedule)'

oracle_compile || exit 1

# compare_row DIRECTORY LABEL STATUS EXECUTIONS DELIVERIES KINDS
compare_row() {
    read_words "$1" $2
    options=$(echo " $options" | sed 's/ --fail-on [a-z-]*//')
    libs=$(sed -n 's,^// rehearse: --libs ,,p' $(list_sources $programs))
    ${CC:-cc} -std=c17 -g -I"$SOURCE/include" $programs oracle.o -o program $libs || return
    verdict_count=$((verdict_count + 1))
    ./program $options >program.out 2>program.err
    read -r _ executions deliveries found <<END
$(tail -n 1 program.out | sed 's/^\.*//')
END
    [ "$executions" = "$4" ] && [ "$deliveries" = "$5" ] && same_kinds "$6" "$found" ||
        disagree "$2" "table: $4 $5 $6" "oracle: $executions $deliveries $found"
}

set -f
for table in api/golden.txt kinds/errors.txt thirdparty/golden.txt programs/examples.txt; do
    directory=$SOURCE/tests/$(dirname $table)
    [ $table != programs/examples.txt ] || directory=$SOURCE/examples
    sed 's/#.*//' "$SOURCE/tests/$table" | grep : | grep -Ev "$beyond" >rows
    while IFS= read -r line; do
        compare_row "$directory" "$(echo ${line%%:*})" ${line#*:}
    done <rows
done
verdict_end
