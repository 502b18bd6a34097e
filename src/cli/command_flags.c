// SPDX-License-Identifier: MIT
// Flags that a comment in a source may give. A source is compiled before anybody has read it, and
// `graph` runs nothing of it: so flags that make the compiler run, load, read or write something
// else are not among them. What users give on their command line is not looked at.
#include <string.h>

#include "base/line.h"
#include "cli/command.h"

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define LETTERS LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS "0123456789"

// Flags without a value.
static const char *const plain[] = {
    // clang-format off
    "-pthread",
    "-O", "-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-Oz", "-Ofast",
    "-g", "-g0", "-g1", "-g2", "-g3", "-ggdb", "-ggdb0", "-ggdb1", "-ggdb2", "-ggdb3", "-gdwarf",
    "-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5", "-gstrict-dwarf", "-gno-strict-dwarf",
    "-gcolumn-info", "-gno-column-info", "-gline-tables-only",
    "-fPIC", "-fPIE", "-fpic", "-fpie", "-fno-PIC", "-fno-PIE", "-fno-pic", "-fno-pie", "-fno-plt",
    "-fasynchronous-unwind-tables", "-fno-asynchronous-unwind-tables", "-funwind-tables",
    "-fbuiltin", "-fno-builtin", "-fcommon", "-fno-common", "-ffreestanding", "-fhosted",
    "-fdata-sections", "-ffunction-sections",
    "-fdelete-null-pointer-checks", "-fno-delete-null-pointer-checks",
    "-fexceptions", "-fno-exceptions", "-frtti", "-fno-rtti", "-fpermissive", "-fcoroutines",
    "-ffast-math", "-fno-fast-math", "-fmath-errno", "-fno-math-errno", "-frounding-math",
    "-ftrapping-math", "-fno-trapping-math", "-fexcess-precision=standard",
    "-ffp-contract=off", "-ffp-contract=on", "-ffp-contract=fast",
    "-finline", "-fno-inline", "-finline-functions", "-fno-inline-functions",
    "-fms-extensions", "-fplan9-extensions", "-fgnu89-inline",
    "-fblocks", "-fno-blocks", "-fno-lto",
    "-fomit-frame-pointer", "-fno-omit-frame-pointer", "-foptimize-sibling-calls",
    "-fno-optimize-sibling-calls",
    "-fshort-enums", "-fno-short-enums", "-fsigned-char", "-funsigned-char",
    "-fstack-protector", "-fstack-protector-strong", "-fstack-protector-all",
    "-fno-stack-protector", "-fstack-clash-protection", "-fcf-protection",
    "-fstrict-aliasing", "-fno-strict-aliasing", "-fstrict-overflow", "-fno-strict-overflow",
    "-ftrapv", "-fno-trapv", "-fwrapv", "-fno-wrapv",
    "-fvisibility=default", "-fvisibility=hidden", "-fvisibility-inlines-hidden",
    "-m64", "-mno-red-zone", "-mred-zone", "-mfpmath=sse", "-mcmodel=small", "-mcmodel=medium",
    "-mcmodel=large",
    "-msse", "-msse2", "-msse3", "-mssse3", "-msse4", "-msse4.1", "-msse4.2", "-mavx", "-mavx2",
    "-mfma", "-mf16c", "-maes", "-mpclmul", "-msha", "-mbmi", "-mbmi2", "-mlzcnt", "-mpopcnt",
    "-mcx16", "-mmovbe", "-mrdrnd", "-mrdseed", "-madx",
    "-mno-sse3", "-mno-ssse3", "-mno-sse4", "-mno-sse4.1", "-mno-sse4.2", "-mno-avx", "-mno-avx2",
    "-mno-fma", "-mno-bmi", "-mno-bmi2", "-mno-lzcnt", "-mno-popcnt",
    // clang-format on
};

// Flags with a value, which is one of those characters; NULL: any. The compiler hands some values
// on as words of their own, where @ and - would begin a file of flags, and a flag: the first
// character is neither.
static const struct {
    const char *name;
    const char *first;
    const char *rest;
} valued[] = {
    {"-I", NULL, NULL},
    {"-L", NULL, NULL},
    {"-D", LETTERS, NULL},
    {"-U", LETTERS, NULL},
    {"-l", LETTERS DIGITS, LETTERS DIGITS "+-."},
    {"-std=", LOWER, LOWER DIGITS "+:"},
    {"-W", LETTERS, LETTERS DIGITS "=+-"},
    {"-march=", LOWER, LOWER DIGITS "-"},
    {"-mtune=", LOWER, LOWER DIGITS "-"},
    {"-fsanitize=", LOWER, LOWER "-,"},
    {"-fno-sanitize=", LOWER, LOWER "-,"},
};

static bool is_plain(const char *word)
{
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (!strcmp(word, plain[i]))
            return true;
    return !strcmp(word, "-W");
}

static bool has_value(const char *value, const char *first, const char *rest)
{
    if (!*value || *value == '@' || *value == '-' || (first && !strchr(first, *value)))
        return false;
    return !rest || value[1 + strspn(value + 1, rest)] == '\0';
}

static bool is_valued(const char *word)
{
    for (size_t i = 0; i < sizeof valued / sizeof *valued; i++) {
        size_t length = strlen(valued[i].name);
        if (!strncmp(word, valued[i].name, length) &&
            has_value(word + length, valued[i].first, valued[i].rest))
            return true;
    }
    return false;
}

// Whether the value of this flag may be the next word.
static bool takes_next(const char *word)
{
    return word[0] == '-' && word[1] && strchr("IDULl", word[1]) && !word[2];
}

static struct rh_status refuse(const char *word, const char *path, int line)
{
    return rh_bad_input("%s:%d: a rehearse comment may not give the compiler `%s`: "
                        "docs/security.md has what it may; --cflags and --libs take anything",
                        path, line, rh_excerpt_of(word, strlen(word)).text);
}

struct rh_status rh_flags_take(struct rh_words *flags, const struct rh_words *words, size_t *index,
                               const char *path, int line)
{
    struct rh_text flag = {0};
    rh_text_add(&flag, words->items[*index]);
    if (takes_next(rh_text_get(&flag)) && *index + 1 < words->count)
        rh_text_add(&flag, words->items[++*index]);
    bool is_taken = is_plain(rh_text_get(&flag)) || is_valued(rh_text_get(&flag));
    struct rh_status status = is_taken ? rh_ok() : refuse(rh_text_get(&flag), path, line);
    if (is_taken)
        rh_words_add(flags, rh_text_get(&flag));
    rh_text_fini(&flag);
    return status;
}
