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

enum { AREAS = 2, SIZE = 72, PEERS = 4 };

// A stretch of memory.
struct area {
    unsigned char bytes[SIZE];
    // 0: part of a number; else of an address, of which it says which part.
    unsigned char owners[SIZE];
    enum form {
        FORMS, // a union of arrays
        PARTS, // a struct of arrays
        ROWS,  // an array of structs
    } form;
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

// An array in an area, or a field of the elements of one.
struct array {
    const char *name, *field; // "" for no field
    int offset, count, width, stride;
};

static const struct array arrays[][5] = {
    [FORMS] = {{"bytes", "", 0, 72, 1, 1},
               {"halves", "", 0, 36, 2, 2},
               {"words", "", 0, 18, 4, 4},
               {"longs", "", 0, 9, 8, 8},
               {"peers", "", 0, 9, 8, 8}},
    [PARTS] = {{"words", "", 0, 4, 4, 4},
               {"peers", "", 16, 4, 8, 8},
               {"halves", "", 48, 12, 2, 2},
               {"halves", "", 48, 12, 2, 2},
               {"peers", "", 16, 4, 8, 8}},
    [ROWS] = {{"rows", ".word", 0, 3, 4, 24},
              {"rows", ".half", 4, 3, 2, 24},
              {"rows", ".wide", 16, 3, 8, 24},
              {"rows", ".word", 0, 3, 4, 24},
              {"rows", ".peer", 8, 3, 8, 24}},
};

static const struct array *draw_array(int area)
{
    return &arrays[areas[area].form][draw(4)];
}

static const struct array *peers_of(int area)
{
    return &arrays[areas[area].form][4];
}

static bool holds_peers(const struct array *array)
{
    return !strcmp(array->name, "peers") || !strcmp(array->field, ".peer");
}

static int draw_offset(int width)
{
    return draw(3) ? draw(SIZE / width) * width : draw(SIZE + 1 - width);
}

// Prints an element as a value that can be assigned: by its index, from the beginning or from the end.
static void print_element(int area, const struct array *array, int index)
{
    const char *name = array->name, *field = array->field;
    switch (draw(4)) {
    case 0:
        printf("area%d->%s[%s]%s", area, name, amount(index), field);
        break;
    case 1:
        printf("(*(area%d->%s + %s))%s", area, name, amount(index), field);
        break;
    case 2:
        printf("(&area%d->%s[%s])[%d]%s", area, name, amount(array->count), index - array->count,
               field);
        break;
    default:
        printf("(*step_back(area%d->%s + %s, %d))%s", area, name, amount(array->count),
               array->count - index, field);
    }
}

// --- What is done. ---

static void put_number(int area)
{
    static const uint64_t numbers[] = {0, 0, 1, 7, 255, 256, 257, 65535, 0x123456789abcdef};
    uint64_t number = numbers[draw(9)];
    const struct array *array = draw_array(area);
    if (draw(2)) {
        int width = 1 << draw(4), offset = draw_offset(width);
        set_number(area, offset, width, number);
        printf("    memcpy(bytes_of(area%d) + %s, &(uint64_t){%" PRIu64 "u}, %d);\n", area,
               amount(offset), number, width);
    } else if (!holds_peers(array)) {
        int index = draw(array->count);
        set_number(area, array->offset + index * array->stride, array->width, number);
        printf("    ");
        print_element(area, array, index);
        printf(" = (__typeof__(area%d->%s[0]%s))%" PRIu64 "u;\n", area, array->name, array->field,
               number);
    }
}

static void put_peer(int area)
{
    int peer = draw(PEERS) + 1, offset = draw_offset(8);
    const struct array *array = peers_of(area);
    if (draw(3) == 0) {
        printf("    memcpy(bytes_of(area%d) + %s, &state->peers[%d], 8);\n", area, amount(offset),
               peer - 1);
    } else {
        int index = draw(array->count);
        offset = array->offset + array->stride * index;
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
    const struct array *array = draw_array(area);
    if (areas[from].form != areas[area].form)
        return;
    int count = 1 + draw(array->count < 4 ? array->count : 4);
    int to = draw(array->count + 1 - count), source = draw(array->count + 1 - count);
    int start = areas[area].form == ROWS ? 0 : array->offset;
    move(area, start + to * array->stride, from, start + source * array->stride,
         count * array->stride);
    printf("    memmove(&area%d->%s[%s], &area%d->%s[%s], (size_t)%s * %d);\n", area, array->name,
           amount(to), from, array->name, amount(source), amount(count), array->stride);
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
    if (from == area || areas[from].form != areas[area].form)
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
    const struct array *array = draw_array(area);
    int index = draw(array->count), offset = array->offset + index * array->stride;
    if (holds_peers(array) || !is_number(area, offset, array->width))
        return;
    set_number(area, offset, array->width, number_at(area, offset, array->width) + 3);
    printf("    area%d->%s[%s]%s += 3;\n", area, array->name, amount(index), array->field);
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
    const struct array *array = draw_array(area);
    int index = draw(array->count), offset = array->offset + index * array->stride;
    if (holds_peers(array) || !is_number(area, offset, array->width))
        return;
    printf("    if (");
    print_element(area, array, index);
    printf(" == %" PRIu64 "u)\n        rh_send(state->end, taken); // -> end\n",
           number_at(area, offset, array->width));
}

static void look_for_peers(int area)
{
    const struct array *array = peers_of(area);
    for (int offset = 0; offset + 8 <= SIZE; offset++) {
        int peer = peer_at(area, offset), distance = offset - array->offset;
        int index = distance / array->stride;
        if (!peer)
            continue;
        printf("    rh_send(");
        if (distance >= 0 && distance % array->stride == 0 && index < array->count && draw(3))
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
    static const char *const types[] = {"union forms", "struct parts", "struct table"};
    bool is_heap = draw(2), is_mixed = draw(4) == 0;
    int form = draw(3);
    memset(areas, 0, sizeof areas);
    printf("__attribute__((noinline)) static void round_%d(struct state *state)\n{\n", number);
    for (int i = 0; i < AREAS; i++) {
        areas[i].form = (enum form)((form + (is_mixed && i == 1)) % 3);
        const char *type = types[areas[i].form];
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
           "    uint16_t halves[12];\n};\n"
           "struct table {\n    struct {\n        uint32_t word;\n        uint16_t half;\n"
           "        rh_actor *peer;\n        uint64_t wide;\n    } rows[3];\n};\n"
           "union forms {\n    unsigned char bytes[72];\n    uint16_t halves[36];\n"
           "    uint32_t words[18];\n    uint64_t longs[9];\n    rh_actor *peers[9];\n};\n"
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
