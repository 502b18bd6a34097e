#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Bad input of generate, and a solver that fails: one sentence and the exit status that the docs say; what the solver can't
# answer is said, and the rest goes on.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
sed 's/ + RAISED//' "$SOURCE/tests/symbolic/till.c" >till.c

refuses 2 'no behaviour is called purse: the program has (till, display|display, till)' \
    "$REHEARSE" generate till.c --behaviour purse --message pay
refuses 2 'no behaviour is called purse' "$REHEARSE" generate till.c --behaviour purse
refuses 2 'refund: no message has that name; till takes pay' "$REHEARSE" generate till.c --behaviour till --message refund
refuses 2 'show: till never looks for that message; it takes pay' \
    "$REHEARSE" generate till.c --behaviour till --message show
refuses 2 'no behaviour of the program takes refund' "$REHEARSE" generate till.c --message refund
refuses 2 'there is no such field' "$REHEARSE" generate till.c --behaviour till --message pay --given color=3
refuses 2 'is no number' "$REHEARSE" generate till.c --behaviour till --message pay --given price=many
refuses 2 'needs FIELD=VALUE' "$REHEARSE" generate till.c --behaviour till --message pay --given price
refuses 2 'cannot read missing.c' "$REHEARSE" generate missing.c
touch file
refuses 2 'file: schedules cannot be saved there' "$REHEARSE" generate till.c --behaviour till --message pay --save file

# A function whose code is not there: where it matters nothing is followed, and that is said with its line.
cat >tax.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/test.h>
RH_MESSAGE(pay, { int amount; });
struct till {
    int taken;
};
int tax(int amount);
static void till_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct till *till = state;
    const struct pay *pay = rh_as(message, pay);
    (void)self;
    if (pay && pay->amount > 10)
        till->taken = tax(pay->amount);
    else if (pay && pay->amount * pay->amount == 49)
        till->taken = 1;
}
RH_TEST(one)
{
    rh_send(rh_spawn(till_behaviour, struct till, {0}), pay, {.amount = 1});
}
END
echo 'int tax(int amount) { return amount / 5; }' >rates.c
clang-19 -g -O1 -Xclang -disable-llvm-passes -I"$SOURCE/include" -emit-llvm -c tax.c -o tax.bc || exit 1
expect 0 "$REHEARSE" generate tax.bc --behaviour till --message pay
says '^not followed, 1 times: .*tax.* at .*tax.c:14'
says '^not run: 2 tests'
expect 4 "$REHEARSE" generate tax.bc --behaviour till --message pay --require-complete
expect 0 "$REHEARSE" generate tax.c rates.c --behaviour till --message pay --require-complete
says '^run: *3 of 3 tests, as predicted'

# A solver that may do nearly nothing, and one that dies.
expect 0 "$REHEARSE" generate tax.c rates.c --behaviour till --message pay --solver-limit 1
says '^solver: gave up on [1-9][0-9]* of [0-9]* questions'
says '^not followed, [0-9]* times: the solver gave up'
says '^run: *([1-9][0-9]*) of \1 tests, as predicted'
expect 4 "$REHEARSE" generate tax.c rates.c --behaviour till --message pay --solver-limit 1 --require-complete
# A sanitizer must be the first of all libraries.
if [ -z "${SANITIZE:-}" ]; then
    cat >dies.c <<'END'
#include <stdlib.h>
int Z3_solver_check(void *context, void *solver)
{
    (void)context, (void)solver;
    abort();
}
END
    gcc -shared -fPIC dies.c -o dies.so || exit 1
    expect 0 env LD_PRELOAD="$PWD/dies.so" "$REHEARSE" generate tax.c rates.c --behaviour till --message pay
    says '^solver: gave up on [1-9]'
    says '^run: *([1-9][0-9]*) of \1 tests, as predicted'
fi
# Questions count by the work that they take: one that is given up is more than the rest of the budget.
cat >hard.c <<'END'
#include <stdint.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>
RH_MESSAGE(factor, { uint64_t a, b; });
static void factor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct factor *factor = rh_as(message, factor);
    (void)self, (void)state;
    if (factor && factor->a > 1 && factor->a < 1u << 31 && factor->b > 1 && factor->b < 1u << 31)
        rh_check(factor->a * factor->b != 1000000016000000063u);
}
RH_TEST(one)
{
    rh_send(rh_spawn(factor_behaviour), factor, {.a = 1});
}
END
hard=(generate hard.c --behaviour factor --message factor --solver-limit 1600000)
expect 0 "$REHEARSE" "${hard[@]}" --json
[ "$(sed -n 's/.*"queries": \([0-9]*\).*/\1/p' "$capture/stdout")" -lt 20 ] || fail 'few questions'
expect 0 "$REHEARSE" "${hard[@]}" --max-queries 100
! grep -q 'max-queries' "$capture/stdout" || fail 'the budget is large enough'
expect 0 "$REHEARSE" "${hard[@]}" --max-queries 20
says '^not followed, [0-9]* times: the rest, after the queries of --max-queries'

"$REHEARSE" doctor >doctor.txt 2>&1
grep -q '^ok.*solver\|solver.*Z3' doctor.txt || fail "doctor says nothing about the solver: $(cat doctor.txt)"
