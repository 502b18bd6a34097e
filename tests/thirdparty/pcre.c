// SPDX-License-Identifier: MIT
// PCRE2: patterns are compiled in a handler, to machine code too, and matched in later ones.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

#include "library.h"

static void use(struct user *user, int number)
{
    int error = 0;
    PCRE2_SIZE place = 0;
    pcre2_code *code = user->kept;
    if (!code) {
        user->kept = code = pcre2_compile((PCRE2_SPTR) "(\\w+)-(?<number>\\d+)",
                                          PCRE2_ZERO_TERMINATED, 0, &error, &place, NULL);
#ifdef JIT
        rh_check(pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) == 0);
#endif
    }
    char subject[] = "on item-0 here";
    subject[8] += (char)number;
    pcre2_match_data *match = pcre2_match_data_create_from_pattern(code, NULL);
    rh_check(pcre2_match(code, (PCRE2_SPTR)subject, strlen(subject), 0, 0, match, NULL) == 3);
    PCRE2_UCHAR found[8];
    PCRE2_SIZE length = sizeof found;
    rh_check(pcre2_substring_copy_byname(match, (PCRE2_SPTR) "number", found, &length) == 0);
    rh_check(found[0] == '0' + number);
    pcre2_match_data_free(match);
}
