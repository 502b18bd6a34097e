// SPDX-License-Identifier: MIT
#include "base/shell_word.h"

#include "test.h"

static void shell_word(void)
{
    struct rh_text text = {0};
    rh_text_add_shell_word(&text, "./bank_test");
    rh_text_add(&text, " ");
    rh_text_add_shell_word(&text, "my bank's");
    rh_text_add(&text, " ");
    rh_text_add_shell_word(&text, "");
    EXPECT_TEXT(rh_text_get(&text), "./bank_test 'my bank'\\''s' ''");
    rh_text_clear(&text);
    rh_text_add_argument(&text, "a.schedule");
    rh_text_add_argument(&text, "-a b");
    EXPECT_TEXT(rh_text_get(&text), " a.schedule './-a b'");
    rh_text_fini(&text);
}

int main(void)
{
    shell_word();
    return 0;
}
