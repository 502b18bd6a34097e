// SPDX-License-Identifier: MIT
// Writes a program that puts numbers into memory in many ways, and looks at what is there then: memory SEED STEPS. What it
// looks for is computed here, so that every branch of it is taken.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AREAS = 3, SIZE = 64 };

static unsigned long seed;
static unsigned char areas[AREAS][SIZE];

static int draw(int limit)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)(seed >> 33) % limit;
}

static uint64_t number_at(int area, int offset, int width)
{
    uint64_t number = 0;
    memcpy(&number, &areas[area][offset], (size_t)width);
    return number;
}

// A place for something of this width, often an aligned one.
static int draw_offset(int width)
{
    return draw(3) ? draw(SIZE / width) * width : draw(SIZE + 1 - width);
}

// A size or an index that is known, or one that is not.
static const char *amount(int number)
{
    static char text[3][32]; // as many as one statement has
    static int next;
    next = (next + 1) % 3;
    snprintf(text[next], sizeof text[next], draw(2) ? "%d" : "step(state, %d)", number);
    return text[next];
}

static void put_number(int area)
{
    static const uint64_t numbers[] = {0, 1, 7, 255, 65535, 0x123456789abcdef};
    int width = 1 << draw(4), offset = draw_offset(width);
    uint64_t number = numbers[draw(6)];
    memcpy(&areas[area][offset], &number, (size_t)width);
    number = number_at(area, offset, width);
    if (width == 4 && offset % 4 == 0)
        printf("    state->areas[%d].words[%d] = %" PRIu64 "u;\n", area, offset / 4, number);
    else
        printf("    memcpy(&state->areas[%d].bytes[%d], &(uint64_t){%" PRIu64 "u}, %d);\n", area,
               offset, number, width);
}

static void copy_bytes(int area)
{
    int from = draw(AREAS), size = 4 + draw(7) * 4;
    int offset = draw_offset(size), source = draw_offset(size);
    memmove(&areas[area][offset], &areas[from][source], (size_t)size);
    printf("    memmove(state->areas[%d].bytes + %s, state->areas[%d].bytes + %s, (size_t)%s);\n",
           area, amount(offset), from, amount(source), amount(size));
}

static void set_bytes(int area)
{
    int size = 4 + draw(5) * 4, offset = draw_offset(size), value = draw(3) == 0;
    memset(&areas[area][offset], value, (size_t)size);
    printf("    memset(&state->areas[%d].bytes[%d], %d, (size_t)%s);\n", area, offset, value,
           amount(size));
}

static void copy_area(int area)
{
    int from = draw(AREAS);
    if (from == area)
        return;
    memcpy(areas[area], areas[from], SIZE);
    if (draw(2))
        printf("    state->areas[%d] = state->areas[%d];\n", area, from);
    else
        printf("    for (int i = 0; i < %d; i++)\n"
               "        state->areas[%d].bytes[i] = state->areas[%d].bytes[i];\n",
               SIZE, area, from);
}

static void add(int area)
{
    int index = draw(SIZE / 4);
    uint32_t sum = (uint32_t)number_at(area, 4 * index, 4) + 3;
    memcpy(&areas[area][4 * index], &sum, 4);
    printf("    state->areas[%d].words[%s] += 3;\n", area, amount(index));
}

static void move_word(int area)
{
    int to = draw(SIZE / 4), from = draw(SIZE / 4);
    memmove(&areas[area][4 * to], &areas[area][4 * from], 4);
    printf("    {\n        uint32_t *to = state->areas[%d].words;\n        to += %s;\n"
           "        *to = state->areas[%d].words[%s];\n    }\n",
           area, amount(to), area, amount(from));
}

static void look(void)
{
    int area = draw(AREAS), width = 1 << draw(4), offset = draw_offset(width);
    printf("    if (number_at(&state->areas[%d].bytes[%d], %d) == %" PRIu64 "u)\n"
           "        rh_send(state->to, taken);\n",
           area, offset, width, number_at(area, offset, width));
    int index = draw(SIZE / 4);
    printf("    if (state->areas[%d].words[%d] == %" PRIu64
           "u)\n        rh_send(state->to, taken);\n",
           area, index, number_at(area, 4 * index, 4));
}

int main(int count, char **arguments)
{
    static void (*const ways[])(int) = {put_number, put_number, put_number, copy_bytes,
                                        set_bytes,  copy_area,  add,        move_word};
    seed = count > 1 ? strtoul(arguments[1], NULL, 10) : 1;
    printf("#include <stdint.h>\n#include <string.h>\n#include <rehearse/actor.h>\n"
           "#include <rehearse/test.h>\nRH_SIGNAL(start);\nRH_SIGNAL(taken);\n"
           "struct state {\n    rh_actor *to;\n    int zero;\n"
           "    union {\n        unsigned char bytes[%d];\n        uint32_t words[%d];\n"
           "    } areas[%d];\n};\n",
           SIZE, SIZE / 4, AREAS);
    printf(
        "__attribute__((noinline)) static int step(const struct state *state, int number)\n"
        "{\n    return number + state->zero;\n}\n"
        "static inline uint64_t number_at(const void *bytes, size_t width)\n"
        "{\n    uint64_t number = 0;\n    memcpy(&number, bytes, width);\n    return number;\n}\n"
        "static void end_behaviour(rh_actor *self, void *state, const rh_message *message)\n"
        "{\n    (void)self, (void)state;\n    rh_ignore(message);\n}\n"
        "static void begin_behaviour(rh_actor *self, void *own, const rh_message *message)\n"
        "{\n    struct state *state = own;\n    (void)self;\n    rh_ignore(message);\n");
    for (int i = 0; i < (count > 2 ? atoi(arguments[2]) : 8); i++) {
        ways[draw(sizeof ways / sizeof ways[0])](draw(AREAS));
        look();
    }
    printf("}\nRH_TEST(memory)\n{\n    rh_actor *to = rh_spawn(end_behaviour);\n"
           "    rh_send(rh_spawn(begin_behaviour, struct state, {.to = to}), start);\n}\n");
}
