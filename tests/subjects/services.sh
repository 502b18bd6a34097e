#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# The bugs of subjects/services: explore finds each with the options that its head gives, and names the cause that stands
# there, with what is needed besides; and it finds nothing in the fixed twin, nor do samples. SERVICES_EXECUTIONS bounds the search of a twin; SERVICES_THOROUGH=true has it searched under all conditions
# for which the head claims that. tests/deep/services.sh has more of both.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/subjects/causes.shlib"
if [ -n "${SANITIZE:-}" ]; then
    echo "each of many executions is a process"
    exit 77
fi
tab=$(printf '\t')

# is_silent LABEL VERB OPTIONS...
is_silent() {
    silent_label=$1
    shift
    "$REHEARSE" "$@" --json --no-times --save . "$verdict_binary" >silent.json 2>silent.err </dev/null
    verdict_count=$((verdict_count + 1))
    if ! grep -q '"executions"' silent.json || grep -q '"kind"' silent.json; then
        disagree "$silent_label: $*" "$(json_strings silent.json message | head -n 3)" "$(head -n 3 silent.err)"
    fi
}

known_causes "$SOURCE" | grep services/ >bugs
while IFS=$tab read -r source options kind causes needs; do
    compile_once "$SOURCE/$source"
    name_cause "$verdict_binary" $options
    verdict_count=$((verdict_count + 1))
    found=$(json_strings cause.json kind | head -n 1)
    [ "$found" = "$kind" ] || disagree "$source $options" "expected $kind, got $found" "$(head -n 3 cause.err)"
    cause_is "$named" "$causes" && needs_are "$named" "$needs" ||
        disagree "$source $options: the cause" "$named" "written: $causes, $needs"
done <bugs

known_twins "$SOURCE" >twins
while IFS=$tab read -r source options; do
    compile_once "$SOURCE/$source"
    plain=${options% --thorough}
    is_silent "$source" sample $plain --runs 500 --seed 1
    if [ "${SERVICES_THOROUGH:-false}" = true ]; then
        is_silent "$source" explore $options --max-seconds 20
    else
        is_silent "$source" explore $plain --reduction optimal --max-executions 1000
    fi
done <twins
verdict_end
