// SPDX-License-Identifier: MIT
// Writes a program that puts numbers and addresses into memory in many ways, and looks at what is there then: memory SEED
// ROUNDS. What is there is computed here, so that each line which ends in `-> NAME` is reached and sends to that behaviour.
// Each round has memory of its own and does little with it: the more happens to memory the less is known about it, and then
// nothing can be wrong.
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AREAS = 2, SIZE = 64, PEERS = 4 };

// A stretch of memory: a union of arrays, or a struct of 16 bytes of words, 32 of addresses, 16 of halves.
struct area {
    unsigned char bytes[SIZE];
    unsigned char
        owners[SIZE]; // 0: part of a number; else of an address, of which it says which part
    bool is_struct;
};

static unsigned long seed;
static struct area areas[AREAS];

static int draw(int limit)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)(seed >> 33) % limit;
}

// A size or an index that is known, or one that is not.
static const char *amount(int number)
{
    static char text[4][32]; // as many as one statement has
    static int next;
    next = (next + 1) % 4;
    snprintf(text[next], sizeof text[next], draw(3) ? "%d" : "far(state, %d)", number);
    return text[next];
}

static uint64_t number_at(int area, int offset, int width)
{
    uint64_t number = 0;
    memcpy(&number, &areas[area].bytes[offset], (size_t)width);
    return number;
}

static bool is_number(int area, int offset, int width)
{
    for (int i = 0; i < width; i++)
        if (areas[area].owners[offset + i])
            return false;
    return true;
}

// Which address lies there: from 1 on; 0 if none does.
static int peer_at(int area, int offset)
{
    int first = areas[area].owners[offset];
    for (int i = 0; i < 8; i++)
        if (!first || first % 8 || areas[area].owners[offset + i] != first + i)
            return 0;
    return first / 8;
}

static void set_number(int area, int offset, int width, uint64_t number)
{
    memcpy(&areas[area].bytes[offset], &number, (size_t)width);
    memset(&areas[area].owners[offset], 0, (size_t)width);
}

static void move(int to, int offset, int from, int source, int size)
{
    memmove(&areas[to].bytes[offset], &areas[from].bytes[source], (size_t)size);
    memmove(&areas[to].owners[offset], &areas[from].owners[source], (size_t)size);
}

// --- Places. ---

// An array in an area: where it begins, how many elements there are, how wide they are.
struct array {
    const char *name;
    int offset, count, width;
};

static struct array draw_array(int area)
{
    static const struct array of_struct[] = {
        {"words", 0, 4, 4}, {"peers", 16, 4, 8}, {"halves", 48, 8, 2}};
    static const struct array of_union[] = {
        {"bytes", 0, 64, 1}, {"halves", 0, 32, 2}, {"words", 0, 16, 4}, {"longs", 0, 8, 8}};
    return areas[area].is_struct ? of_struct[draw(3)] : of_union[draw(4)];
}

static int draw_offset(int width)
{
    return draw(3) ? draw(SIZE / width) * width : draw(SIZE + 1 - width);
}

// Prints an element as a value that can be assigned: by its index, from the beginning or from the end.
static void print_element(int area, const struct array *array, int index)
{
    switch (draw(4)) {
    case 0:
        printf("area%d->%s[%s]", area, array->name, amount(index));
        break;
    case 1:
        printf("*(area%d->%s + %s)", area, array->name, amount(index));
        break;
    case 2:
        printf("(&area%d->%s[%s])[%d]", area, array->name, amount(array->count),
               index - array->count);
        break;
    default:
        printf("*step_back(area%d->%s + %s, %d)", area, array->name, amount(array->count),
               array->count - index);
    }
}

// --- What is done. ---

static void put_number(int area)
{
    static const uint64_t numbers[] = {0, 0, 1, 7, 255, 256, 257, 65535, 0x123456789abcdef};
    uint64_t number = numbers[draw(9)];
    struct array array = draw_array(area);
    if (draw(2)) {
        int width = 1 << draw(4), offset = draw_offset(width);
        set_number(area, offset, width, number);
        printf("    memcpy(bytes_of(area%d) + %s, &(uint64_t){%" PRIu64 "u}, %d);\n", area,
               amount(offset), number, width);
    } else if (strcmp(array.name, "peers") != 0) {
        int index = draw(array.count);
        set_number(area, array.offset + index * array.width, array.width, number);
        printf("    ");
        print_element(area, &array, index);
        printf(" = (__typeof__(area%d->%s[0]))%" PRIu64 "u;\n", area, array.name, number);
    }
}

static void put_peer(int area)
{
    int peer = draw(PEERS) + 1, offset = draw_offset(8);
    static const struct array arrays[] = {{"peers", 0, 8, 8}, {"peers", 16, 4, 8}};
    const struct array *array = &arrays[areas[area].is_struct];
    if (draw(3) == 0) {
        printf("    memcpy(bytes_of(area%d) + %s, &state->peers[%d], 8);\n", area, amount(offset),
               peer - 1);
    } else {
        int index = draw(array->count);
        offset = array->offset + 8 * index;
        printf("    ");
        print_element(area, array, index);
        printf(" = state->peers[%s];\n", amount(peer - 1));
    }
    for (int i = 0; i < 8; i++)
        areas[area].owners[offset + i] = (unsigned char)(8 * peer + i);
}

static void copy_bytes(int area)
{
    int from = draw(AREAS), size = 1 + draw(40);
    int offset = draw_offset(size), source = draw_offset(size);
    move(area, offset, from, source, size);
    printf("    memmove(bytes_of(area%d) + %s, bytes_of(area%d) + %s, (size_t)%s);\n", area,
           amount(offset), from, amount(source), amount(size));
}

// Some elements of an array come to another place in it, or in the same array of another area.
static void copy_elements(int area)
{
    int from = draw(AREAS);
    struct array array = draw_array(area);
    if (areas[from].is_struct != areas[area].is_struct)
        return;
    int count = 1 + draw(array.count < 4 ? array.count : 4);
    int to = draw(array.count + 1 - count), source = draw(array.count + 1 - count);
    move(area, array.offset + to * array.width, from, array.offset + source * array.width,
         count * array.width);
    printf("    memmove(&area%d->%s[%s], &area%d->%s[%s], (size_t)%s * %d);\n", area, array.name,
           amount(to), from, array.name, amount(source), amount(count), array.width);
}

static void set_bytes(int area)
{
    int size = 1 + draw(20), offset = draw_offset(size), value = draw(3) == 0;
    memset(&areas[area].bytes[offset], value, (size_t)size);
    memset(&areas[area].owners[offset], 0, (size_t)size);
    printf("    memset(bytes_of(area%d) + %s, %d, (size_t)%s);\n", area, amount(offset), value,
           amount(size));
}

static void copy_area(int area)
{
    int from = draw(AREAS);
    if (from == area || areas[from].is_struct != areas[area].is_struct)
        return;
    move(area, 0, from, 0, SIZE);
    if (draw(2))
        printf("    *area%d = *area%d;\n", area, from);
    else
        printf("    for (int i = 0; i < %d; i++)\n"
               "        bytes_of(area%d)[i] = bytes_of(area%d)[i];\n",
               SIZE, area, from);
}

static void add(int area)
{
    struct array array = draw_array(area);
    int index = draw(array.count), offset = array.offset + index * array.width;
    if (!strcmp(array.name, "peers") || !is_number(area, offset, array.width))
        return;
    set_number(area, offset, array.width, number_at(area, offset, array.width) + 3);
    printf("    area%d->%s[%s] += 3;\n", area, array.name, amount(index));
}

// --- What is there then. ---

static void look_for_number(int area, int offset, int width)
{
    if (is_number(area, offset, width))
        printf("    if (number_at(bytes_of(area%d) + %s, %d) == %" PRIu64 "u)\n"
               "        rh_send(state->end, taken); // -> end\n",
               area, amount(offset), width, number_at(area, offset, width));
}

static void look_for_element(int area)
{
    struct array array = draw_array(area);
    int index = draw(array.count), offset = array.offset + index * array.width;
    if (!strcmp(array.name, "peers") || !is_number(area, offset, array.width))
        return;
    printf("    if (");
    print_element(area, &array, index);
    printf(" == %" PRIu64 "u)\n        rh_send(state->end, taken); // -> end\n",
           number_at(area, offset, array.width));
}

static void look_for_peers(int area)
{
    static const struct array arrays[] = {{"peers", 0, 8, 8}, {"peers", 16, 4, 8}};
    const struct array *array = &arrays[areas[area].is_struct];
    for (int offset = 0; offset + 8 <= SIZE; offset++) {
        int peer = peer_at(area, offset), index = (offset - array->offset) / 8;
        if (!peer)
            continue;
        printf("    rh_send(");
        if (offset >= array->offset && offset % 8 == 0 && index < array->count && draw(3))
            print_element(area, array, index);
        else
            printf("(rh_actor *)number_at(bytes_of(area%d) + %s, 8)", area, amount(offset));
        printf(", taken); // -> peer_%d\n", peer - 1);
    }
}

// A place where there is something, if that is soon found.
static int draw_place(int area, int width)
{
    int offset = draw_offset(width);
    for (int i = 0; i < 8 && !number_at(area, offset, width); i++)
        offset = draw_offset(width);
    return offset;
}

static void look(void)
{
    for (int area = 0; area < AREAS; area++) {
        for (int i = 0; i < 4; i++) {
            int width = 1 << draw(4);
            look_for_number(area, draw_place(area, width), width);
        }
        look_for_element(area);
        look_for_peers(area);
    }
}

static void write_round(int number)
{
    static void (*const ways[])(int) = {put_number, put_number,    put_number, put_peer,  put_peer,
                                        copy_bytes, copy_elements, set_bytes,  copy_area, add};
    bool is_heap = draw(2), is_struct = draw(2), is_mixed = draw(4) == 0;
    memset(areas, 0, sizeof areas);
    printf("__attribute__((noinline)) static void round_%d(struct state *state)\n{\n", number);
    for (int i = 0; i < AREAS; i++) {
        areas[i].is_struct = is_struct != (is_mixed && i == 1);
        const char *type = areas[i].is_struct ? "struct parts" : "union forms";
        if (is_heap)
            printf("    %s *area%d = calloc(1, sizeof *area%d);\n", type, i, i);
        else
            printf("    %s memory%d = {0}, *area%d = &memory%d;\n", type, i, i, i);
    }
    for (int i = 1 + draw(4); i > 0; i--)
        ways[draw(sizeof ways / sizeof ways[0])](draw(AREAS));
    look();
    for (int i = 0; is_heap && i < AREAS; i++)
        printf("    free(area%d);\n", i);
    printf("}\n");
}

static void write_sink(const char *name, int number)
{
    printf("static void %s", name);
    if (number >= 0)
        printf("_%d", number);
    printf("_behaviour(rh_actor *self, void *state, const rh_message *message)\n"
           "{\n    (void)self, (void)state;\n    rh_ignore(message);\n}\n");
}

int main(int count, char **arguments)
{
    int rounds = count > 2 ? atoi(arguments[2]) : 8;
    seed = count > 1 ? strtoul(arguments[1], NULL, 10) : 1;
    printf("#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n"
           "#include <rehearse/actor.h>\n#include <rehearse/test.h>\n"
           "RH_SIGNAL(start);\nRH_SIGNAL(taken);\n"
           "struct state {\n    rh_actor *end, *peers[%d];\n    int zero;\n};\n"
           "struct parts {\n    uint32_t words[4];\n    rh_actor *peers[4];\n"
           "    uint16_t halves[8];\n};\n"
           "union forms {\n    unsigned char bytes[64];\n    uint16_t halves[32];\n"
           "    uint32_t words[16];\n    uint64_t longs[8];\n    rh_actor *peers[8];\n};\n"
           "#define bytes_of(area) ((unsigned char *)(area))\n"
           "#define step_back(at, steps) ((at) - (steps))\n",
           PEERS);
    printf("__attribute__((noinline)) static int far(const struct state *state, int number)\n"
           "{\n    return number + state->zero;\n}\n"
           "static inline uint64_t number_at(const void *bytes, size_t width)\n"
           "{\n    uint64_t number = 0;\n    memcpy(&number, bytes, width);\n"
           "    return number;\n}\n");
    write_sink("end", -1);
    for (int i = 0; i < PEERS; i++)
        write_sink("peer", i);
    for (int i = 0; i < rounds; i++)
        write_round(i);
    printf("static void begin_behaviour(rh_actor *self, void *state, const rh_message *message)\n"
           "{\n    (void)self;\n    rh_ignore(message);\n");
    for (int i = 0; i < rounds; i++)
        printf("    round_%d(state);\n", i);
    printf("}\nRH_TEST(memory)\n{\n    struct state state = {.end = rh_spawn(end_behaviour)};\n");
    for (int i = 0; i < PEERS; i++)
        printf("    state.peers[%d] = rh_spawn(peer_%d_behaviour);\n", i, i);
    printf("    rh_send(rh_spawn_sized(begin_behaviour, &state, sizeof state), start);\n}\n");
}
