// SPDX-License-Identifier: MIT
#include "base/file_name.h"
#include "test.h"

int main(void)
{
    EXPECT_TEXT(rh_base_name("/a/b.c"), "b.c");
    EXPECT_TEXT(rh_base_name("b.c"), "b.c");
    EXPECT(rh_has_same_stem("/a/bank.c", "./bank.c"));
    EXPECT(rh_has_same_stem("bank.c", "build/bank"));
    EXPECT(!rh_has_same_stem("bank.c", "banks.c"));
    EXPECT(!rh_has_same_stem("bank.c", "b.c"));
    EXPECT(!rh_has_same_stem("a.b/c", "a.b/d"));
    EXPECT(rh_has_same_stem(".c", "x/.c"));
    return 0;
}
