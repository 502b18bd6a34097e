// SPDX-License-Identifier: MIT
// Masks and pointer offsets, compared with what the compiler really writes: a byte is padding if
// setting every field leaves it alone.
#include "debug/debug.h"
#include "test.h"

#include <complex.h>
#include <rehearse/actor.h>
#include <stdalign.h>

struct plain {
    char letter;
    int number;
    char second;
    double real;
    short tail;
};

struct nested {
    char first;
    struct plain inner[3];
    char last;
};

struct __attribute__((packed)) packed {
    char letter;
    int number;
    short tail;
};

struct bits {
    unsigned low : 3;
    int middle : 7;
    char after;
    unsigned long long wide : 40;
    _Bool flag : 1;
    int : 0;
    unsigned end : 2;
};

struct choice {
    char kind;
    union {
        short small;
        struct {
            char letter;
            int number;
        } pair;
    };
    char tail;
};

struct floats {
    long double wide;
    float narrow;
    long double table[2];
    _Complex float pair;
};

struct grid {
    char mark;
    struct {
        short x;
        char y;
    } cells[2][3];
    alignas(32) char aligned;
};

struct flexible {
    int count;
    char mark;
    char text[];
};

struct links {
    char mark;
    void *first;
    rh_actor *actor;
    const rh_actor *const other;
    struct {
        char *name;
        rh_behaviour *behaviour;
    } table[2];
    union {
        void *hidden;
        long number;
    };
    int *grid[2][2];
};

typedef struct {
    char letter;
    long number;
} unnamed;

__extension__ struct tail {
    char mark;
    struct {
        int number;
        struct {
            char letter;
            struct links *next;
            rh_actor *actor;
        } items[];
    } inner;
};

// Its text begins in the padding at the end of the outer struct.
__extension__ struct hidden_tail {
    long number;
    struct {
        int count;
        char text[];
    } inner;
};

// Compilers describe only the types that a program uses.
struct flexible *volatile used_flexible;
struct tail *volatile used_tail;
struct hidden_tail *volatile used_hidden_tail;
struct links *volatile used_links;

#define CLEAR(field) memset((void *)&(field), 0, sizeof(field))

static void clear_plain(struct plain *plain)
{
    CLEAR(plain->letter);
    CLEAR(plain->number);
    CLEAR(plain->second);
    CLEAR(plain->real);
    CLEAR(plain->tail);
}

static void clear_plain_bytes(void *bytes)
{
    clear_plain(bytes);
}

static void clear_nested(void *bytes)
{
    struct nested *nested = bytes;
    CLEAR(nested->first);
    for (int i = 0; i < 3; i++)
        clear_plain(&nested->inner[i]);
    CLEAR(nested->last);
}

static void clear_packed(void *bytes)
{
    struct packed *packed = bytes;
    CLEAR(packed->letter);
    CLEAR(packed->number);
    CLEAR(packed->tail);
}

static void clear_choice(void *bytes)
{
    struct choice *choice = bytes;
    CLEAR(choice->kind);
    CLEAR(choice->small);
    CLEAR(choice->pair.letter);
    CLEAR(choice->pair.number);
    CLEAR(choice->tail);
}

static void clear_floats(void *bytes)
{
    struct floats *floats = bytes;
    memset(&floats->wide, 0, 10);
    CLEAR(floats->narrow);
    memset(&floats->table[0], 0, 10);
    memset(&floats->table[1], 0, 10);
    CLEAR(floats->pair);
}

static void clear_grid(void *bytes)
{
    struct grid *grid = bytes;
    CLEAR(grid->mark);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3; j++) {
            CLEAR(grid->cells[i][j].x);
            CLEAR(grid->cells[i][j].y);
        }
    }
    CLEAR(grid->aligned);
}

static void clear_unnamed(void *bytes)
{
    unnamed *value = bytes;
    CLEAR(value->letter);
    CLEAR(value->number);
}

static void expect_mask(struct rh_debug *debug, const char *name, size_t size,
                        void (*clear)(void *))
{
    alignas(64) uint8_t bytes[256];
    uint8_t mask[256];
    const struct rh_debug_type *type = rh_debug_find_type(debug, name, size);
    EXPECT(type && rh_debug_type_size(type) == size && size <= sizeof bytes);
    memset(mask, 0x11, sizeof mask);
    rh_debug_type_mask(type, mask);
    memset(bytes, 0xaa, sizeof bytes);
    clear(bytes);
    for (size_t i = 0; i < size; i++) {
        if (mask[i] != (bytes[i] == 0 ? 0xff : 0))
            fprintf(stderr, "%s: byte %zu\n", name, i);
        EXPECT(mask[i] == (bytes[i] == 0 ? 0xff : 0));
    }
    EXPECT(mask[size] == 0x11);
}

// Every bit that some assignment changes must lie in a byte that counts as a value.
static void test_bits(struct rh_debug *debug)
{
    struct bits zeros;
    struct bits ones;
    uint8_t mask[sizeof(struct bits)];
    const struct rh_debug_type *type = rh_debug_find_type(debug, "struct bits", sizeof zeros);
    EXPECT(type);
    rh_debug_type_mask(type, mask);
    memset(&zeros, 0, sizeof zeros);
    memset(&ones, 0, sizeof ones);
    ones.low = 7;
    ones.middle = -1;
    ones.after = -1;
    ones.wide = (1ull << 40) - 1;
    ones.flag = 1;
    ones.end = 3;
    for (size_t i = 0; i < sizeof zeros; i++)
        EXPECT(mask[i] == (((uint8_t *)&zeros)[i] != ((uint8_t *)&ones)[i] ? 0xff : 0));
}

static void test_flexible(struct rh_debug *debug)
{
    uint8_t mask[sizeof(struct flexible)];
    const struct rh_debug_type *type =
        rh_debug_find_type(debug, "struct flexible", sizeof(struct flexible));
    EXPECT(type && rh_debug_type_size(type) == 8);
    rh_debug_type_mask(type, mask);
    // The text begins right after the mark, in what would be padding without it.
    EXPECT(offsetof(struct flexible, text) == 5);
    for (size_t i = 0; i < sizeof mask; i++)
        EXPECT(mask[i] == 0xff);
}

static void test_tail(struct rh_debug *debug)
{
    size_t start, offsets[4];
    uint8_t mask[24];
    const struct rh_debug_type *type =
        rh_debug_find_type(debug, "struct tail", sizeof(struct tail));
    const struct rh_debug_type *element = type ? rh_debug_type_tail(type, &start) : NULL;
    EXPECT(element && start == offsetof(struct tail, inner.items));
    EXPECT(rh_debug_type_size(element) == sizeof mask);
    rh_debug_type_mask(element, mask);
    EXPECT(mask[0] == 0xff && mask[1] == 0 && mask[7] == 0 && mask[8] == 0xff);
    EXPECT(rh_debug_type_pointers(element, offsets, 4) == 1 && offsets[0] == 8);
    EXPECT(rh_debug_type_pointers(type, offsets, 4) == 0);

    type = rh_debug_find_type(debug, "struct hidden_tail", sizeof(struct hidden_tail));
    EXPECT(type && rh_debug_type_tail(type, &start) && start == 12);
    rh_debug_type_mask(type, mask);
    for (size_t i = 0; i < sizeof(struct hidden_tail); i++)
        EXPECT(mask[i] == 0xff);
    type = rh_debug_find_type(debug, "struct plain", 0);
    EXPECT(type && !rh_debug_type_tail(type, &start));
}

static void test_pointee(struct rh_debug *debug)
{
    size_t start;
    const struct rh_debug_type *links = rh_debug_find_type(debug, "struct links", 0);
    const struct rh_debug_type *tail = rh_debug_find_type(debug, "struct tail", 0);
    const struct rh_debug_type *element = tail ? rh_debug_type_tail(tail, &start) : NULL;
    EXPECT(links && element);
    EXPECT(rh_debug_type_pointee(debug, element, 8) == links);
    EXPECT(!rh_debug_type_pointee(debug, element, 0) && !rh_debug_type_pointee(debug, element, 12));
    EXPECT(!rh_debug_type_pointee(debug, links, offsetof(struct links, first)));
    const struct rh_debug_type *number =
        rh_debug_type_pointee(debug, links, offsetof(struct links, grid[1][1]));
    EXPECT(number && rh_debug_type_size(number) == sizeof(int));
    EXPECT(!rh_debug_type_pointee(debug, links, sizeof(struct links)));
}

static void test_pointers(struct rh_debug *debug)
{
    size_t offsets[16];
    const struct rh_debug_type *type = rh_debug_find_type(debug, "links", sizeof(struct links));
    size_t expected[] = {
        offsetof(struct links, first),
        offsetof(struct links, table[0].name),
        offsetof(struct links, table[0].behaviour),
        offsetof(struct links, table[1].name),
        offsetof(struct links, table[1].behaviour),
        offsetof(struct links, grid[0][0]),
        offsetof(struct links, grid[0][1]),
        offsetof(struct links, grid[1][0]),
        offsetof(struct links, grid[1][1]),
    };
    size_t count = sizeof expected / sizeof *expected;
    EXPECT(type && rh_debug_type_pointers(type, offsets, 16) == count);
    for (size_t i = 0; i < count; i++)
        EXPECT(offsets[i] == expected[i]);
    EXPECT(rh_debug_type_pointers(type, offsets, 2) == 2 && offsets[1] == expected[1]);
    EXPECT(rh_debug_type_pointers(type, offsets, 0) == 0);
    type = rh_debug_find_type(debug, "struct plain", 0);
    EXPECT(type && rh_debug_type_pointers(type, offsets, 16) == 0);
}

// Names of the fields of a type that hold nothing but the byte, in a value full of it.
static void expect_filled(struct rh_debug *debug, const char *name, size_t size,
                          const char *expected)
{
    struct rh_text names = {0};
    uint8_t bytes[512];
    const struct rh_debug_type *type = rh_debug_find_type(debug, name, size);
    memset(bytes, 0xd5, sizeof bytes);
    EXPECT(type && rh_debug_find_filled(type, bytes, size, 0xd5, &names));
    EXPECT_TEXT(rh_text_get(&names), expected);
    rh_text_fini(&names);
}

static void test_filled(struct rh_debug *debug)
{
    struct rh_text names = {0};
    struct plain value;
    expect_filled(debug, "struct plain", sizeof value, "letter, number, second, real, tail");
    expect_filled(debug, "struct nested", sizeof(struct nested),
                  "first, inner[0].letter, inner[0].number, inner[0].second, inner[0].real, "
                  "inner[0].tail, last");
    expect_filled(debug, "struct choice", sizeof(struct choice), "kind, tail");
    expect_filled(debug, "struct bits", sizeof(struct bits), "after");
    expect_filled(debug, "struct flexible", sizeof(struct flexible), "count, mark");
    const struct rh_debug_type *type = rh_debug_find_type(debug, "struct plain", sizeof value);
    memset(&value, 0xd5, sizeof value);
    value.letter = value.second = 'a';
    value.number = 1;
    value.real = 1;
    EXPECT(rh_debug_find_filled(type, &value, sizeof value, 0xd5, &names));
    EXPECT_TEXT(rh_text_get(&names), "tail");
    EXPECT(!rh_debug_find_filled(type, &value, offsetof(struct plain, tail), 0xd5, &names));
    ((char *)&value.tail)[1] = 0;
    EXPECT(!rh_debug_find_filled(type, &value, sizeof value, 0xd5, &names));
    rh_text_fini(&names);
}

static void test_local_type(struct rh_debug *debug)
{
    struct hidden_inside {
        char letter;
        int number;
    };
    volatile struct hidden_inside value = {'a', 1};
    uint8_t mask[sizeof(struct hidden_inside)];
    const struct rh_debug_type *type = rh_debug_find_type(debug, "struct hidden_inside", 0);
    EXPECT(type && rh_debug_type_size(type) == sizeof value);
    rh_debug_type_mask(type, mask);
    EXPECT(mask[0] == 0xff && mask[1] == 0 && mask[3] == 0 && mask[4] == 0xff);
}

static size_t first_twin(void)
{
    struct twin {
        int number;
    };
    volatile struct twin value = {1};
    return sizeof value + (size_t)value.number - 1;
}

static size_t second_twin(void)
{
    struct twin {
        long numbers[2];
    };
    volatile struct twin value = {{1, 2}};
    return sizeof value + (size_t)value.numbers[0] - 1;
}

// The size tells types of one name apart.
static void test_twins(struct rh_debug *debug)
{
    const struct rh_debug_type *first = rh_debug_find_type(debug, "struct twin", first_twin());
    const struct rh_debug_type *second = rh_debug_find_type(debug, "struct twin", second_twin());
    EXPECT(first && rh_debug_type_size(first) == 4);
    EXPECT(second && rh_debug_type_size(second) == 16);
    EXPECT(!rh_debug_find_type(debug, "struct twin", 8));
}

static void test_names(struct rh_debug *debug)
{
    static const struct {
        const char *name;
        size_t size;
    } known[] = {
        {"int", 4},
        {"unsigned long", 8},
        {"long unsigned int", 8},
        {"unsigned", 4},
        {"short int", 2},
        {"signed char", 1},
        {"long double", 16},
        {"char *", 8},
        {"const char *", 8},
        {"struct plain *", 8},
        {"void *", 8},
        {"void (*)(int)", 8},
        {"struct plain const", sizeof(struct plain)},
        {"plain", sizeof(struct plain)},
        {"unnamed", sizeof(unnamed)},
        {"char[12]", 12},
        {"int [2][3]", 24},
        {"struct plain[2]", 2 * sizeof(struct plain)},
        {"uint32_t", 4},
        {"size_t", 8},
        {"bool", 1},
        {"unsigned __int128", 16},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct rh_debug_type *type = rh_debug_find_type(debug, known[i].name, 0);
        if (!type)
            fprintf(stderr, "%s\n", known[i].name);
        EXPECT(type && rh_debug_type_size(type) == known[i].size);
        EXPECT(rh_debug_find_type(debug, known[i].name, known[i].size));
        EXPECT(!rh_debug_find_type(debug, known[i].name, known[i].size + 1));
    }
    static const char *const unknown[] = {"",
                                          "struct",
                                          "struct nowhere",
                                          "nowhere",
                                          "void",
                                          "int int",
                                          "long char",
                                          "union plain",
                                          "enum plain",
                                          "struct int",
                                          "*",
                                          "int[",
                                          "int[x]",
                                          "plain[2]x",
                                          "a+b",
                                          "signed unsigned"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        EXPECT(!rh_debug_find_type(debug, unknown[i], 0));
}

// The library that is linked into this program is compiled with -g too, and its types are hidden.
static void test_own_types(struct rh_debug *debug)
{
    EXPECT(rh_debug_has_types(debug));
    EXPECT(!rh_debug_find_type(debug, "struct rh__module", 0));
}

int main(void)
{
    struct rh_debug *debug = rh_debug_open_self();
    expect_mask(debug, "struct plain", sizeof(struct plain), clear_plain_bytes);
    expect_mask(debug, "struct nested", sizeof(struct nested), clear_nested);
    expect_mask(debug, "struct packed", sizeof(struct packed), clear_packed);
    expect_mask(debug, "struct choice", sizeof(struct choice), clear_choice);
    expect_mask(debug, "struct floats", sizeof(struct floats), clear_floats);
    expect_mask(debug, "struct grid", sizeof(struct grid), clear_grid);
    expect_mask(debug, "unnamed", sizeof(unnamed), clear_unnamed);
    test_bits(debug);
    test_flexible(debug);
    test_tail(debug);
    test_pointee(debug);
    test_pointers(debug);
    test_filled(debug);
    test_local_type(debug);
    test_twins(debug);
    test_names(debug);
    test_own_types(debug);
    rh_debug_free(debug);
    return 0;
}
