// SPDX-License-Identifier: MIT
// rehearse: --cflags -DFROM_COMMENT='"a b"' --libs -lm
#include <math.h>

#include <rehearse/test.h>

#ifndef FROM_COMMENT
#error "the comment was not read"
#endif
#ifndef FROM_OPTION
#error "--cflags was not read"
#endif

RH_TEST(flagged)
{
    rh_check(sizeof FROM_COMMENT == 4);
    rh_check(cos(0) > 0.5);
}
