// SPDX-License-Identifier: MIT
#include "base/shell_word.h"

#include <string.h>

void rh_text_add_shell_word(struct rh_text *text, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./+=:,@%^#";
    if (*word && *word != '#' && word[strspn(word, plain)] == '\0') {
        rh_text_add(text, word);
        return;
    }
    rh_text_add(text, "'");
    for (const char *p = word; *p; p++) {
        if (*p == '\'')
            rh_text_add(text, "'\\''");
        else
            rh_text_add_bytes(text, p, 1);
    }
    rh_text_add(text, "'");
}

void rh_text_add_argument(struct rh_text *text, const char *word)
{
    struct rh_text file = {0};
    rh_text_addf(&file, "%s%s", *word == '-' ? "./" : "", word);
    rh_text_add(text, " ");
    rh_text_add_shell_word(text, rh_text_get(&file));
    rh_text_fini(&file);
}
