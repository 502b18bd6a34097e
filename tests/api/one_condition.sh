#!/bin/sh
# SPDX-License-Identifier: MIT
# rh_check takes one condition. With a text behind a comma it would judge the text, and never fail.
. "$SOURCE/tests/programs/verdict.shlib"

cat >two.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/test.h>
RH_TEST(two) { rh_check(1 == 2, "one is not two"); }
END
"$REHEARSE" list two.c >list 2>&1
status=$?
verdict_count=1
[ $status = 2 ] && grep -q rh_check list || disagree "two arguments of rh_check compile" "$(cat list)"
verdict_end
