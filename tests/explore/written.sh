#!/bin/sh
# SPDX-License-Identifier: MIT
# A shared-state names the line that wrote the variable, whatever was written before and however the search goes back;
# where the write can't be seen, the line of the declaration.
case ${SANITIZE:+${CC:-cc}} in
*clang*)
    echo "clang links its sanitizers' run time into the program, with an unwinder that writes on watched pages"
    exit 77
    ;;
esac
. "$SOURCE/tests/programs/verdict.shlib"

source=$SOURCE/tests/explore/written.c
echo 'shared-state known' >known.txt

# place TEST COMMENT [DECLARED]: the finding's line is the one with the comment, and the text names the other one.
place() {
    verdict_count=$((verdict_count + 1))
    wanted=$(grep -n "// $2\$" "$source" | cut -d: -f1)
    got=$(json_number "$1.json" line)
    kind=$(json_kinds "$1.json")
    [ "$kind $got" = "shared-state $wanted" ] || disagree "$1: $kind at line $got, not $wanted" "$(head -n 5 "$1.err")"
    declared=$(grep -c '(declared at [^ ]*written.c:[0-9]*)' "$1.json")
    [ "$declared" = "$3" ] || disagree "$1: declared" "$(json_strings "$1.json" message)"
}

compile_once "$source"
for undo in on off verify; do
    while read -r test comment declared; do
        explore_json "$test" --reduction none --undo $undo --suppressions known.txt --test "$test" "$verdict_binary"
        place "$test" "$comment" "$declared"
        [ $undo = on ] || continue
        replay_findings "$test" "$test" --suppressions known.txt
        cp replay.json "$test.json"
        place "$test" "$comment" "$declared"
    done <<'end'
direct direct 1
libc libc 1
field field 1
local_variable declared_local 0
beside declared 0
guard guard 1
invariant invariant 1
end
done
verdict_end
