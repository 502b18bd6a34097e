// SPDX-License-Identifier: MIT
// Values as people write them, and what is said about texts that are none.
#include "base/valgrind.h"
#include "debug/debug.h"
#include "test.h"

#include <complex.h>
#include <math.h>
#include <rehearse/actor.h>

enum color { RED, GREEN = 5, BLUE = 200 };
enum balance { DEBT = -1, EVEN, CREDIT };
__extension__ typedef __int128 wide_number;

struct order {
    int amount;
    char name[4];
    enum color color;
    struct {
        short x, y;
    } at;
    union {
        int whole;
        float part;
    };
    unsigned low : 3;
    int high : 5;
    bool flag;
    rh_actor *to;
    unsigned char bytes[3];
    int grid[2][2];
};

struct note {
    int length;
    char text[];
};

// Compilers describe only the types that a program uses.
struct order *volatile used_order;
struct note *volatile used_note;
enum color volatile used_color;
enum balance volatile used_balance;

static const struct rh_debug_type *type_of(struct rh_debug *debug, const char *name)
{
    const struct rh_debug_type *type = rh_debug_find_type(debug, name, 0);
    EXPECT(type);
    return type;
}

// Reads the text and prints what was read.
static void expect_read(struct rh_debug *debug, const char *name, const char *text,
                        const char *expected, int line)
{
    unsigned char bytes[128];
    const struct rh_debug_type *type = type_of(debug, name);
    size_t size = rh_debug_type_size(type);
    struct rh_text shown = {0};
    memset(bytes, 0xee, sizeof bytes);
    struct rh_status status = rh_debug_parse_value(debug, type, text, bytes, size, NULL);
    if (!rh_is_ok(&status))
        fprintf(stderr, "line %d: %s\n", line, status.text);
    EXPECT(rh_is_ok(&status));
    EXPECT(bytes[size] == 0xee);
    rh_debug_add_value(debug, &shown, type, bytes, size, NULL);
    test_expect_text(rh_text_get(&shown), expected, __FILE__, line);
    rh_text_fini(&shown);
}

static void expect_refused(struct rh_debug *debug, const char *name, const char *text,
                           const char *expected, int line)
{
    unsigned char bytes[128];
    const struct rh_debug_type *type = type_of(debug, name);
    struct rh_status status =
        rh_debug_parse_value(debug, type, text, bytes, rh_debug_type_size(type), NULL);
    EXPECT(status.code == RH_BAD_INPUT);
    test_expect_text(status.text, expected, __FILE__, line);
}

#define READ(name, text, expected) expect_read(debug, name, text, expected, __LINE__)
#define REFUSED(name, text, expected) expect_refused(debug, name, text, expected, __LINE__)

static void test_numbers(struct rh_debug *debug)
{
    READ("int", "5", "5");
    READ("int", "  -3 ", "-3");
    READ("int", "+7", "7");
    READ("int", "0x1f", "31");
    READ("int", "0b101", "5");
    READ("int", "017", "15");
    READ("int", "0", "0");
    READ("int", "'x'", "120");
    READ("int", "-2147483648", "-2147483648");
    READ("unsigned", "4294967295", "4294967295");
    READ("unsigned long", "18446744073709551615", "18446744073709551615");
    READ("long", "-9223372036854775808", "-9223372036854775808");
    READ("short", "-32768", "-32768");
    READ("signed char", "-128", "-128");
    READ("unsigned char", "255", "255");
    READ("unsigned char", "'A'", "65");
    READ("char", "'x'", "'x'");
    READ("char", "'\\n'", "'\\n'");
    READ("char", "'\\x41'", "'A'");
    READ("char", "'\\0'", "'\\0'");
    READ("char", "'\\''", "'\\''");
    READ("char", "65", "'A'");
    READ("char", "-1", "'\\xff'");
    READ("bool", "true", "true");
    READ("bool", "false", "false");
    READ("bool", "1", "true");
    READ("__int128", "-1", "0xffffffffffffffffffffffffffffffff");
    READ("unsigned __int128", "0xffffffffffffffffffffffffffffffff",
         "0xffffffffffffffffffffffffffffffff");
    READ("enum color", "GREEN", "GREEN");
    READ("enum color", "200", "BLUE");
    READ("enum balance", "DEBT", "DEBT");
    READ("enum balance", "-1", "DEBT");
    READ("void *", "NULL", "NULL");
    READ("rh_actor *", "0", "NULL");
}

static void test_floats(struct rh_debug *debug)
{
    READ("double", "1.5", "1.5");
    READ("double", "-2", "-2");
    READ("double", "1e300", "1e+300");
    READ("float", "0.1", "0.1");
    READ("float", "0x1p-3", "0.125");
    // Valgrind computes with 64 bits where the processor has 80.
    if (!rh_valgrind_is_running()) {
        READ("double", "inf", "inf");
        READ("long double", "1e4000", "1e+4000");
    }
    READ("complex double", "1.5-2i", "1.5-2i");
    READ("complex double", "3i", "0+3i");
    READ("complex float", "4", "4+0i");
    REFUSED("double", "abc", "expected a number, at column 1 of abc");
    REFUSED("double", "1.5x", "expected a number, at column 1 of 1.5x");
    REFUSED("float", "1e300", "the number is too large, at the end of 1e300");
    REFUSED("complex double", "1+2", "expected the imaginary part, such as +2i, at the end of 1+2");
}

static void test_refused_numbers(struct rh_debug *debug)
{
    REFUSED("int", "", "expected a whole number, at the end of an empty text");
    REFUSED("int", "abc", "expected a whole number, at column 1 of abc");
    REFUSED("int", "1.5", "expected a whole number, at column 1 of 1.5");
    REFUSED("int", "5x", "expected a whole number, at column 1 of 5x");
    REFUSED("int", "0x", "expected a whole number, at column 1 of 0x");
    REFUSED("int", "09", "expected a whole number, at column 1 of 09");
    REFUSED("int", "5 6", "unexpected text after the value, at column 3 of 5 6");
    REFUSED("int", "2147483648",
            "the number does not fit int (-2147483648 to 2147483647), at column 1 of 2147483648");
    REFUSED("unsigned", "-1",
            "the number does not fit unsigned int (0 to 4294967295), at column 1 of -1");
    REFUSED("bool", "2", "the number does not fit bool (0 to 1), at column 1 of 2");
    REFUSED("bool", "maybe", "expected true or false, found maybe, at the end of maybe");
    REFUSED("unsigned __int128", "0x100000000000000000000000000000000",
            "the number is too large, at column 1 of 0x100000000000000000000000000000000");
    REFUSED("enum color", "PINK",
            "PINK is no value of enum color (RED, GREEN, BLUE), at the end of PINK");
    REFUSED("char", "''", "expected a character between the quotes, at column 2 of ''");
    REFUSED("char", "'ab'", "expected a closing ', at column 3 of 'ab'");
    REFUSED("char", "'\\q'", "unknown escape after \\, at column 3 of '\\q'");
    REFUSED("char", "'", "expected a closing ', at the end of '");
    REFUSED("char", "256", "the number does not fit char (-128 to 255), at column 1 of 256");
    REFUSED("char *", "12", "a pointer can only be NULL here, at column 1 of 12");
}

static void test_structs(struct rh_debug *debug)
{
    READ("order", "{amount = 5, name = \"x\"}",
         "{amount = 5, name = \"x\", color = RED, at = {x = 0, y = 0}, whole = 0, part = 0, "
         "low = 0, high = 0, flag = false, to = NULL, bytes = [0, 0, 0], "
         "grid = [[0, 0], [0, 0]]}");
    READ("order",
         "{ .high=-16,low = 7,at = {y = -2},color=GREEN, part = 1.5, flag=true, to = NULL,"
         "bytes=[1,0x2], grid = [[1],[2,3]], name = \"a\\\"\\n\\\\\", }",
         "{amount = 0, name = \"a\\\"\\n\\\\\", color = GREEN, at = {x = 0, y = -2}, "
         "whole = 1069547520, part = 1.5, low = 7, high = -16, flag = true, to = NULL, "
         "bytes = [1, 2, 0], grid = [[1, 0], [2, 3]]}");
    READ("order", "{}",
         "{amount = 0, name = \"\", color = RED, at = {x = 0, y = 0}, whole = 0, part = 0, "
         "low = 0, high = 0, flag = false, to = NULL, bytes = [0, 0, 0], "
         "grid = [[0, 0], [0, 0]]}");
    READ("char[4]", "\"abcd\"", "\"abcd\"");
    READ("char[4]", "\"\\x41\\102\"", "\"AB\"");
    READ("char[2]", "[0xff, 1]", "[0xff, 0x01]");
    READ("int[3]", "[1, 2]", "[1, 2, 0]");
    READ("int[3]", "[]", "[0, 0, 0]");
}

static void test_refused_structs(struct rh_debug *debug)
{
    REFUSED("order", "5", "expected { and the fields of struct order, at column 1 of 5");
    REFUSED("order", "{amont = 5}",
            "no field amont in struct order (it has amount, name, color, at, whole, part, low, "
            "high, flag, to, bytes, grid), at column 2 of {amont = 5}");
    REFUSED("order", "{amount 5}", "expected = after amount, at column 9 of {amount 5}");
    REFUSED("order", "{amount = 5", "expected , or } after the field, at the end of {amount = 5");
    REFUSED("order", "{5}", "expected the name of a field, at column 2 of {5}");
    REFUSED("order", "{amount = }", "expected a whole number, at column 11 of {amount = }");
    REFUSED("order", "{low = 8}",
            "the number does not fit unsigned int of 3 bits (0 to 7), at column 8 of {low = 8}");
    REFUSED("order", "{name = \"abcde\"}",
            "the text has 5 bytes, there is room for 4, at column 9 of {name = \"abcde\"}");
    REFUSED("order", "{name = \"abc}", "expected a closing \", at the end of {name = \"abc}");
    REFUSED("order", "{bytes = [1,2,3,4]}",
            "the list has more than 3 elements, at column 17 of {bytes = [1,2,3,4]}");
    REFUSED("order", "{grid = 1}", "expected a list in brackets, at column 9 of {grid = 1}");
    REFUSED("order", "{bytes = 1}",
            "expected a list in brackets or a text in quotes, at column 10 of {bytes = 1}");
}

static void test_sizes(struct rh_debug *debug)
{
    char bytes[32];
    struct rh_text text = {0};
    const struct rh_debug_type *note = type_of(debug, "struct note");
    struct rh_status status =
        rh_debug_parse_value(debug, note, "{length = 2, text = \"hi\"}", bytes, 12, NULL);
    EXPECT(rh_is_ok(&status));
    rh_debug_add_value(debug, &text, note, bytes, 12, NULL);
    EXPECT_TEXT(rh_text_get(&text), "{length = 2, text = \"hi\"}");
    status = rh_debug_parse_value(debug, note, "{text = \"too long\"}", bytes, 8, NULL);
    EXPECT_PART(status.text, "the text has 8 bytes, there is room for 4");
    status = rh_debug_parse_value(debug, note, "{}", bytes, 3, NULL);
    EXPECT_TEXT(status.text, "struct note takes 4 bytes, there is room for 3");
    status = rh_debug_parse_value(debug, NULL, "5", bytes, 3, NULL);
    EXPECT_TEXT(status.text, "the type of 5 is not known: compile with -g");
    rh_text_fini(&text);
}

// Whatever the text is, it is read or refused.
static void test_any_text(struct rh_debug *debug)
{
    static const char parts[] = "{}[]=,.\"'\\x0amountbytes5-+ ie";
    static const char *const names[] = {"order",         "int",        "char",
                                        "double",        "char[4]",    "int[2][2]",
                                        "complex float", "enum color", "void *"};
    unsigned state = 1;
    for (int round = 0; round < 200000; round++) {
        char text[24];
        unsigned char bytes[128];
        size_t length = 0;
        do {
            state = state * 1103515245u + 12345u;
            text[length++] = parts[(state >> 16) % (sizeof parts - 1)];
        } while (length < sizeof text - 1 && (state >> 8) % 16);
        text[length] = '\0';
        const struct rh_debug_type *type = type_of(debug, names[round % 9]);
        struct rh_status status =
            rh_debug_parse_value(debug, type, text, bytes, rh_debug_type_size(type), NULL);
        EXPECT(rh_is_ok(&status) || status.text[0]);
    }
}

int main(void)
{
    struct rh_debug *debug = rh_debug_open_self();
    test_numbers(debug);
    test_floats(debug);
    test_refused_numbers(debug);
    test_structs(debug);
    test_refused_structs(debug);
    test_sizes(debug);
    test_any_text(debug);
    rh_debug_free(debug);
    return 0;
}
