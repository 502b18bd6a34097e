#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# Some of the random programs of tests/deep/random.sh; and what compares them notices differences.
if [ -n "${SANITIZE:-}" ]; then
    echo 'undo and leaks need the library'"'"'s own malloc, which a sanitizer replaces'
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/random/batches.shlib"

# result NAME EXECUTIONS CLASSES DIGEST LINE [COMPLETE [FORMS]]: a search of one program with one finding at this line.
result() {
    cat >"$1.json" <<END
      "test": "p1_random",
      "complete": ${6:-true},
      "executions": $2,
      "deliveries": 9,
        "final_states_digest": "$4",
        "final_forms_digest": "${7:-$4}",
        "classes": $3,
        "given_up": 0
          "kind": "final",
          "severity": "error",
          "file": "random.c",
          "line": $5,
END
    echo 'end p1_ | 1' >"$1.ends"
}

# notices NAME WHAT: this is said about a search that was left in NAME.json and NAME.ends; nothing if WHAT is empty.
notices() {
    verdict_count=$((verdict_count + 1))
    awk -v label=x -f "$SOURCE/tests/random/compare.awk" random.c none.json none.ends $(ls $1.*) >said
    if [ -z "$2" ]; then
        ! grep -q FAIL said || disagree "$1: nothing is wrong" "$(cat said)"
    else
        grep -Fqx "FAIL x: seed 1: $2" said || disagree "$1: not noticed: $2" "$(cat said)"
    fi
    grep -q '^TOTAL x: programs 1 judged 1 ' said || disagree "$1: not counted" "$(cat said)"
    rm -f "$1.json" "$1.ends"
}

echo '// random program 1: plain' >random.c
result none 6 2 same 7
result optimal 2 2 same 7
notices optimal ''
result optimal 3 2 same 7
notices optimal 'optimal: 3 executions of 2 classes'
result source 3 2 same 7
notices source ''
result source 3 1 same 7
notices source 'source: 1 classes, not 2'
result dcute 3 2 other 7
notices dcute 'dcute: 0 final states, not those of plain enumeration, 0'
result actors 1 1 other 7
notices actors ''
result exact 1 1 other 7
notices exact 'exact: 0 final states, not those of plain enumeration, 0'
result exact 1 1 other 7 true same
notices exact ''
sed -i 's/"final_forms_digest": .*/"final_forms_digest": null,/' none.json
result exact 1 1 other 7
sed -i 's/"final_forms_digest": .*/"final_forms_digest": null,/' exact.json
notices exact 'exact: 0 final states, not those of plain enumeration, 0'
result source 3 2 other 7 true same
notices source 'source: 0 final states, not those of plain enumeration, 0'
result actors 1 1 other 8
notices actors 'actors loses: finding final error random.c:7'
result exact 1 1 same 7 false
notices exact 'exact: not complete'
result exact 1 1 same 7
: >exact.ends
notices exact 'exact loses: end p1_ | 1'
result source-commuting 1 1 same 7
echo 'end p1_ | 2' >>source-commuting.ends
notices source-commuting 'source-commuting adds: end p1_ | 2'
result optimal-commuting 3 3 same 7
notices optimal-commuting 'optimal-commuting: 3 classes, more than 2'
printf 'end p1_ | 1\np1_random 6 9 final 2\n' >oracle.ends
notices oracle ''
printf 'end p1_ | 1\np1_random 6 9 final 3\n' >oracle.ends
notices oracle 'executions, deliveries, classes: oracle 6 9 3, engine 6 9 2'
printf 'end p1_ | 1\np1_random 6 9 check,final 2\n' >oracle.ends
notices oracle 'only the oracle has: kind check'

batches_start
batches_run 1 4 2000 32 || disagree 'the searches disagree, or too few programs were judged'
verdict_end
