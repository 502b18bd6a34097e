// SPDX-License-Identifier: MIT
// How values print.
#include "base/valgrind.h"
#include "debug/debug.h"
#include "test.h"

#include <complex.h>
#include <locale.h>
#include <math.h>
#include <rehearse/actor.h>
#include <stdio.h>

enum color { RED, GREEN = 5, BLUE = 200 };
enum balance { DEBT = -1, EVEN, CREDIT };
enum wide { HUGE_FLAG = 0x7fffffff };
__extension__ typedef unsigned __int128 wide_number;

struct transfer {
    int amount;
    rh_actor *to;
    char name[8];
};

struct scalars {
    char letter;
    signed char small;
    unsigned char byte;
    short low;
    unsigned short high;
    int number;
    unsigned positive;
    long long large;
    unsigned long long larger;
    bool flag;
    float narrow;
    double real;
    long double precise;
    enum color color;
    enum balance balance;
    enum wide wide;
    wide_number huge;
    _Complex double pair;
};

struct bits {
    unsigned low : 3;
    int middle : 4;
    bool flag : 1;
    enum color color : 9;
    enum balance balance : 3;
    long long big : 60;
};

struct tree {
    int kind;
    union {
        int number;
        unsigned char bytes[4];
    };
    struct {
        short x;
        short y;
    };
    union {
        int first;
        char second;
    } either;
    struct point {
        int x, y;
    } points[2];
    int grid[2][2];
};

struct pointers {
    void *nothing;
    const char *text;
    char *writable;
    int *number;
    rh_behaviour *behaviour;
    int (*foreign)(const char *);
    rh_actor *actor;
    void *unknown;
};

struct note {
    int length;
    char text[];
};

struct numbers {
    int count;
    int items[];
};

struct many {
    int items[20];
};

RH_SIGNAL(stop);

// Compilers describe only the types that a program uses.
struct transfer *volatile used_transfer;
struct tree *volatile used_tree;
struct note *volatile used_note;
struct numbers *volatile used_numbers;
struct many *volatile used_many;
struct stop *volatile used_stop;
enum color volatile used_color;
static int global_numbers[4];
static char actor_place[1];

static bool add_actor(void *context, struct rh_text *text, uint64_t address)
{
    (void)context;
    if (address != (uintptr_t)actor_place)
        return false;
    rh_text_add(text, "account#2");
    return true;
}

static const struct rh_debug_names names = {NULL, add_actor};

static void handle(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    (void)message;
}

static void expect_value(struct rh_debug *debug, const char *name, const void *bytes, size_t size,
                         const char *expected, int line)
{
    struct rh_text text = {0};
    const struct rh_debug_type *type = rh_debug_find_type(debug, name, 0);
    EXPECT(type);
    rh_debug_add_value(debug, &text, type, bytes, size, &names);
    test_expect_text(rh_text_get(&text), expected, __FILE__, line);
    rh_text_fini(&text);
}

#define EXPECT_VALUE(name, value, expected)                                                        \
    expect_value(debug, name, &(value), sizeof(value), expected, __LINE__)
#define EXPECT_SIZED(name, value, size, expected)                                                  \
    expect_value(debug, name, &(value), size, expected, __LINE__)

static void test_transfer(struct rh_debug *debug)
{
    struct transfer transfer = {50, (rh_actor *)(void *)actor_place, "bob"};
    EXPECT_VALUE("transfer", transfer, "{amount = 50, to = account#2, name = \"bob\"}");
    EXPECT_SIZED("transfer", transfer, 16, "{amount = 50, to = account#2, ...}");
    EXPECT_SIZED("transfer", transfer, 18, "{amount = 50, to = account#2, name = \"bo\"}");
    EXPECT_SIZED("transfer", transfer, 12, "{amount = 50, ...}");
    EXPECT_SIZED("transfer", transfer, 0, "{}");
    memcpy(transfer.name, "12345678", 8);
    EXPECT_VALUE("transfer", transfer, "{amount = 50, to = account#2, name = \"12345678\"}");
    memcpy(transfer.name, "a\"\\\n\t\xc3\xa4", 8);
    EXPECT_VALUE("transfer", transfer,
                 "{amount = 50, to = account#2, name = \"a\\\"\\\\\\n\\t\xc3\xa4\"}");
    memcpy(transfer.name, "\x01\xff", 3);
    memset(transfer.name + 3, 0, 5);
    EXPECT_VALUE("transfer", transfer,
                 "{amount = 50, to = account#2, name = [0x01, 0xff, 0x00, 0x00, 0x00, 0x00, 0x00, "
                 "0x00]}");
    char bytes[sizeof transfer + 3] = {0};
    EXPECT_VALUE("transfer", bytes, "{amount = 0, to = NULL, name = \"\"} and 3 more bytes");
}

static void test_scalars(struct rh_debug *debug)
{
    struct scalars scalars = {.letter = 'x',
                              .small = -5,
                              .byte = 200,
                              .low = -300,
                              .high = 65535,
                              .number = -2147483647 - 1,
                              .positive = 4294967295u,
                              .large = -9223372036854775807 - 1,
                              .larger = 18446744073709551615u,
                              .flag = true,
                              .narrow = 1.5f,
                              .real = 0.1,
                              .precise = -2.25L,
                              .color = BLUE,
                              .balance = DEBT,
                              .wide = HUGE_FLAG,
                              .huge = (wide_number)1 << 100 | 5,
                              .pair = 1.0 - 2.0 * I};
    EXPECT_VALUE("struct scalars", scalars,
                 "{letter = 'x', small = -5, byte = 200, low = -300, high = 65535, "
                 "number = -2147483648, positive = 4294967295, large = -9223372036854775808, "
                 "larger = 18446744073709551615, flag = true, narrow = 1.5, real = 0.1, "
                 "precise = -2.25, color = BLUE, balance = DEBT, wide = HUGE_FLAG, "
                 "huge = 0x10000000000000000000000005, pair = 1-2i}");
    enum color unknown = (enum color)7;
    EXPECT_VALUE("enum color", unknown, "7");
    enum balance low = (enum balance) - 7;
    EXPECT_VALUE("enum balance", low, "-7");
    double special[] = {(double)INFINITY, 1e300, -0.0};
    if (!rh_valgrind_is_running()) // which computes with 64 bits where the processor has 80
        EXPECT_VALUE("double[3]", special, "[inf, 1e+300, -0]");
    unsigned char odd = 3;
    EXPECT_VALUE("bool", odd, "3");
    char letters[][1] = {{'\''}, {'\n'}, {'\0'}, {'\x80'}, {'"'}};
    static const char *const shown[] = {"'\\''", "'\\n'", "'\\0'", "'\\x80'", "'\"'"};
    for (int i = 0; i < 5; i++)
        EXPECT_VALUE("char", letters[i], shown[i]);
}

static void test_bits(struct rh_debug *debug)
{
    struct bits bits = {5, -3, true, BLUE, DEBT, -12345678901};
    EXPECT_VALUE("struct bits", bits,
                 "{low = 5, middle = -3, flag = true, color = BLUE, balance = DEBT, "
                 "big = -12345678901}");
}

static void test_nesting(struct rh_debug *debug)
{
    struct tree tree = {.kind = 1,
                        .number = 0x01020304,
                        .x = 7,
                        .y = 8,
                        .either = {.first = 65},
                        .points = {{1, 2}, {3, 4}},
                        .grid = {{1, 2}, {3, 4}}};
    EXPECT_VALUE("struct tree", tree,
                 "{kind = 1, number = 16909060, bytes = [4, 3, 2, 1], x = 7, y = 8, "
                 "either = {first = 65, second = 'A'}, points = [{x = 1, y = 2}, {x = 3, y = 4}], "
                 "grid = [[1, 2], [3, 4]]}");
    struct many many = {{0}};
    EXPECT_VALUE("struct many", many,
                 "{items = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...]}");
    EXPECT_SIZED("struct many", many, 9, "{items = [0, 0, ..., ...]}");
    EXPECT_SIZED("struct many", many, 8, "{items = [0, 0, ...]}");
    struct stop stop = {0};
    EXPECT_SIZED("stop", stop, 0, "{}");
}

static void test_flexible(struct rh_debug *debug)
{
    char bytes[16] = {3, 0, 0, 0, 'a', 'b', 'c'};
    EXPECT_SIZED("struct note", bytes, 7, "{length = 3, text = \"abc\"}");
    EXPECT_SIZED("struct note", bytes, 16, "{length = 3, text = \"abc\"}");
    EXPECT_SIZED("struct note", bytes, 4, "{length = 3, text = \"\"}");
    int numbers[] = {2, 10, 20};
    EXPECT_VALUE("struct numbers", numbers, "{count = 2, items = [10, 20]}");
    EXPECT_SIZED("struct numbers", numbers, 4, "{count = 2, items = []}");
}

static void test_pointers(struct rh_debug *debug)
{
    static const char long_text[] = "0123456789012345678901234567890123456789012345678901234567\xc3"
                                    "\xa4\xc3\xa4 and more";
    char local[] = "on the stack";
    struct pointers pointers = {.text = "con\"stant",
                                .writable = local,
                                .number = &global_numbers[2],
                                .behaviour = handle,
                                .foreign = puts,
                                .actor = (rh_actor *)(void *)actor_place,
                                .unknown = &pointers};
    EXPECT_VALUE("struct pointers", pointers,
                 "{nothing = NULL, text = \"con\\\"stant\", writable = (pointer), "
                 "number = &global_numbers+8, behaviour = handle, foreign = puts, "
                 "actor = account#2, unknown = (pointer)}");
    const char *text = long_text;
    EXPECT_VALUE("const char *", text,
                 "\"0123456789012345678901234567890123456789012345678901234567\xc3\xa4\"...");
    rh_actor *stranger = (rh_actor *)(void *)local;
    EXPECT_VALUE("rh_actor *", stranger, "(pointer)");
    rh_behaviour *behaviour = handle;
    EXPECT_VALUE("rh_behaviour *", behaviour, "handle");
    void *wild = (void *)(uintptr_t)0x1234;
    EXPECT_VALUE("char *", wild, "(pointer)");
}

static void test_unknown(struct rh_debug *debug)
{
    unsigned char bytes[40] = {0x0a, 0xff};
    struct rh_text text = {0};
    rh_debug_add_value(debug, &text, NULL, bytes, 3, NULL);
    EXPECT_TEXT(rh_text_get(&text), "0a ff 00");
    rh_text_clear(&text);
    rh_debug_add_value(debug, &text, NULL, bytes, 32, NULL);
    EXPECT(strlen(rh_text_get(&text)) == 32 * 3 - 1);
    rh_text_clear(&text);
    rh_debug_add_value(debug, &text, NULL, bytes, 33, NULL);
    EXPECT(strlen(rh_text_get(&text)) == 32 * 3 - 1 + 4);
    EXPECT_PART(rh_text_get(&text), "00 ...");
    rh_text_fini(&text);
}

// Numbers do not follow the language of the program under test.
static void test_language(struct rh_debug *debug)
{
    double real = 1.5;
    setlocale(LC_ALL, "de_DE.UTF-8");
    EXPECT_VALUE("double", real, "1.5");
    setlocale(LC_ALL, "C");
}

int main(void)
{
    struct rh_debug *debug = rh_debug_open_self();
    test_transfer(debug);
    test_scalars(debug);
    test_bits(debug);
    test_nesting(debug);
    test_flexible(debug);
    test_pointers(debug);
    test_unknown(debug);
    test_language(debug);
    rh_debug_free(debug);
    return 0;
}
