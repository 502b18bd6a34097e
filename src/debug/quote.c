// SPDX-License-Identifier: MIT
// Text between quotes, as C writes it.
#include "debug/internal.h"

#include <string.h>

// The length of the UTF-8 sequence at the start; 0 if the bytes are no valid sequence of two or
// more. The caller handles ASCII.
static size_t sequence_length(const unsigned char *bytes, size_t length)
{
    size_t expected = bytes[0] >= 0xf0 && bytes[0] <= 0xf4  ? 4
                      : bytes[0] >= 0xe0 && bytes[0] < 0xf0 ? 3
                      : bytes[0] >= 0xc2 && bytes[0] < 0xe0 ? 2
                                                            : 0;
    if (expected == 0 || expected > length)
        return 0;
    for (size_t i = 1; i < expected; i++)
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
    bool is_overlong =
        (bytes[0] == 0xe0 && bytes[1] < 0xa0) || (bytes[0] == 0xf0 && bytes[1] < 0x90);
    bool is_beyond = (bytes[0] == 0xed && bytes[1] > 0x9f) || (bytes[0] == 0xf4 && bytes[1] > 0x8f);
    return is_overlong || is_beyond ? 0 : expected;
}

static const char escaped[] = "\n\t\r\"\\";
static const char letters[] = "ntr\"\\";

static bool is_printable(unsigned char character)
{
    return character >= 0x20 && character < 0x7f;
}

bool rh__is_text(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        unsigned char character = (unsigned char)bytes[i];
        size_t step = 1;
        if (character >= 0x80)
            step = sequence_length((const unsigned char *)bytes + i, length - i);
        else if (!is_printable(character) && !memchr(escaped, character, sizeof escaped - 1))
            step = 0;
        if (step == 0)
            return false;
        i += step;
    }
    return true;
}

void rh__add_quoted(struct rh_text *text, const char *bytes, size_t length)
{
    rh_text_add(text, "\"");
    for (size_t i = 0; i < length; i++) {
        const char *found = memchr(escaped, bytes[i], sizeof escaped - 1);
        if (found)
            rh_text_addf(text, "\\%c", letters[found - escaped]);
        else
            rh_text_add_bytes(text, &bytes[i], 1);
    }
    rh_text_add(text, "\"");
}

void rh__add_character(struct rh_text *text, char character)
{
    const char *found = memchr(escaped, character, sizeof escaped - 1);
    if (character == '\'')
        rh_text_add(text, "'\\''");
    else if (character == '\0')
        rh_text_add(text, "'\\0'");
    else if (found && character != '"')
        rh_text_addf(text, "'\\%c'", letters[found - escaped]);
    else if (is_printable((unsigned char)character))
        rh_text_addf(text, "'%c'", character);
    else
        rh_text_addf(text, "'\\x%02x'", (unsigned char)character);
}
