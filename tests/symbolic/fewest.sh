#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# generate --fewest: as few as any subset of the tests, by fewest.py, which tries them all; and what they reach is what all
# reach.
. "$SOURCE/tests/cli/expect.bash"
"$REHEARSE" doctor | grep -q 'solver *Z3' && [ -x "$BUILD/rehearse-analysis" ] && command -v python3 >/dev/null || {
    echo 'no LLVM 19, Z3 or python3 here: tools/install-deps symbolic test'
    exit 77
}
export PYTHONDONTWRITEBYTECODE=1

# few SOURCE OPTIONS...
few() {
    local source=$1
    shift
    rm -rf all few
    run "$REHEARSE" generate "$source" "$@" --lines --save-coverage all.coverage --save all --json
    python3 -c '
import json, sys
for test in json.load(sys.stdin)["pairs"][0]["tests"]:
    if test["broken"]:
        print(test["test"], "broken", test["broken"], test["line"])' <"$capture/stdout" >broken
    run "$REHEARSE" generate "$source" "$@" --fewest --save few
    grep -q '^fewest: .*no fewer do$' "$capture/stdout" || fail "nothing is proved: $source"
    wanted=$(python3 "$SOURCE/tests/symbolic/fewest.py" all.coverage broken)
    set -- few/*
    [ $# = "$wanted" ] || fail "$# tests of $source, and $wanted are enough"
    for schedule; do
        cmp -s "$schedule" "all/${schedule#few/}" || fail "$schedule is another test with --fewest"
    done
    run "$REHEARSE" replay "$source" few --lines --save-coverage few.coverage
    for file in all few; do
        "$REHEARSE" coverage $file.coverage | grep -v ': test ' >$file.reached || fail "no coverage of $file"
    done
    cmp -s all.reached few.reached || fail "$source: $(diff all.reached few.reached)"
}

cat >steps.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/test.h>
RH_MESSAGE(step, { int a, b, c; });
struct walker {
    int x, y;
};
static void walker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct walker *walker = state;
    const struct step *step = rh_as(message, step);
    (void)self;
    if (step->a > 3)
        walker->x++;
    if (step->b > 3)
        walker->y++;
    else
        walker->y--;
    if (step->c == 7) {
        rh_check(step->a > 3 || step->b > 3);
        walker->x = 0;
    }
}
RH_TEST(none)
{
    rh_spawn(walker_behaviour, struct walker, {0});
}
END
few steps.c --behaviour walker --message step
[ "$(find all -name '*.schedule' | wc -l)" = 8 ] || fail 'not eight tests of three conditions'
few "$SOURCE/subjects/apet/prodcons.c" --behaviour consumer --message consume --loop 2 --actors-each 1 --delivery any

expect 1 "$REHEARSE" generate steps.c --behaviour walker --message step --fewest --json
says '"proved": true'
expect 1 "$REHEARSE" generate steps.c --behaviour walker --message step --fewest --write few.c
# By hand: c is not 7, or it is, and then the check asks for a, asks for b and that is enough, or fails.
[ "$(grep -c '^RH_TEST(' few.c)" = 4 ] || fail 'not four tests in C'
clang-19 -w -g -O1 -Xclang -disable-llvm-passes -emit-llvm -c -I"$SOURCE/include" steps.c -o steps.bc
refuses 2 'fewest measures what tests reach by running them' \
    "$REHEARSE" generate steps.bc --behaviour walker --message step --fewest

# Few of many tests: each way of the first handler has its share of --max-tests, and not the orders behind one of them all.
run "$REHEARSE" generate "$SOURCE/subjects/apet/qsort.c" --behaviour sorter --message sort --max-tests 20 \
    --lines --save-coverage share.coverage
"$REHEARSE" coverage share.coverage >share
grep -q 'qsort.c: .* lines' share || fail "nothing about qsort.c: $(cat share)"
! grep -q 'never lines* .* in split$' share || fail "not all lines of split: $(cat share)"
