#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# typed.c: fields of structs that have no name, and bit fields, have their names in reports, schedules and tests in C. The box
# and the place tell three classes apart; the flag, the sign and whether the shop is open four, or three where the test says
# that it is closed.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE/tests/symbolic/typed.c" .

expect 0 "$REHEARSE" generate typed.c --behaviour shop --message order --write typed_tests.c
says '^typed.c: shop gets order: 12 tests$'
says '^run: *12 of 12 tests, as predicted'
says 'with    shop#1 \{stock = -?[0-9]+, last = \{kind = -?[0-9]+, size = \[.*\]\}, open = [01], level = [0-9]+\}$'
says 'place = \{x = -?[0-9]+, by_number = -?[0-9]+\}, flag = 5, sign = -[0-9]+\}$'
says '\(order.<16> & 7\) == 5u'
expect 0 "$REHEARSE" explore typed_tests.c
says '^12 passed, 0 failed$'
for compiler in gcc clang clang-19; do
    ! command -v $compiler >/dev/null || $compiler -Wall -Wextra -Werror -fsyntax-only -I "$SOURCE/include" typed_tests.c ||
        fail "$compiler does not take the tests"
done

# Another result. The program lies elsewhere, since what is compiled for tests is kept by its name.
mkdir changed
sed 's/level = 9/level = 10/' typed.c >changed/typed.c
cp typed_tests.c changed/changed_tests.c
expect 1 "$REHEARSE" explore changed/changed_tests.c --keep-going
says '^9 passed, 3 failed$'

expect 0 "$REHEARSE" generate typed.c --test shopping --any-messages --save saved
says '^run: *9 of 9 tests, as predicted'
grep -q '^instead order {items = -*[0-9]*, box = {kind = .*, size = \[.*\]}, place = {x = ' saved/shopping_1.schedule ||
    fail 'no fields by name'
expect 0 "$REHEARSE" replay saved --outcomes outcomes.txt
