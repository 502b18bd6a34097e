// SPDX-License-Identifier: MIT
// Prints what the debug information of this very program says; see variants.sh.
#include "debug/debug.h"

#include <stdio.h>
#include <string.h>

struct account {
    char kind;
    int balance;
    const char *owner;
    void (*action)(void);
};

long *part_weight(int index);
int *part_static(void);

struct account accounts[2] = {{'s', 10, "ann", NULL}};
static volatile int hidden_counter[2];

__attribute__((noinline)) void greet(void);
void greet(void)
{
    hidden_counter[1]++;
}

static void say_variable(struct rh_debug *debug, const char *label, const volatile void *address)
{
    struct rh_text text = {0};
    const char *file;
    int line;
    bool known = rh_debug_variable_at(debug, (uintptr_t)address, &text, &file, &line);
    const char *base = file && strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    printf("%s: %s %s:%d\n", label, known ? rh_text_get(&text) : "unknown", base ? base : "-",
           line);
    rh_text_fini(&text);
}

static void say_code(struct rh_debug *debug, void (*code)(void))
{
    struct rh_text text = {0};
    const char *file;
    int line;
    bool known = rh_debug_code_at(debug, (uintptr_t)code, &text, &file, &line);
    const char *base = file && strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    printf("code: %s %s:%s\n", known ? rh_text_get(&text) : "unknown", base ? base : "-",
           line > 0 ? "line" : "none");
    rh_text_fini(&text);
}

static void say_type(struct rh_debug *debug, const char *name, size_t size, const void *bytes)
{
    struct rh_text text = {0};
    uint8_t mask[64];
    const struct rh_debug_type *type = rh_debug_find_type(debug, name, size);
    rh_debug_add_value(debug, &text, type, bytes, size < 4 || type ? size : 4, NULL);
    printf("%s: %s ", name, type ? rh_text_get(&text) : "unknown");
    if (type)
        rh_debug_type_mask(type, mask);
    for (size_t i = 0; type && i < size; i++)
        putchar(mask[i] ? 'v' : '.');
    putchar('\n');
    rh_text_fini(&text);
}

int main(void)
{
    struct rh_debug *debug = rh_debug_open_self();
    static int calls;
    calls++;
    accounts[0].action = greet;
    greet();
    printf("types: %s\n", rh_debug_has_types(debug) ? "yes" : "no");
    say_type(debug, "struct account", sizeof accounts[0], &accounts[0]);
    say_type(debug, "struct part", 16, part_weight(1) - 1);
    say_type(debug, "int", 4, &accounts[0].balance);
    say_variable(debug, "global", &accounts[1].balance);
    say_variable(debug, "static", &hidden_counter[1]);
    say_variable(debug, "inside", &calls);
    say_variable(debug, "library", part_weight(2));
    say_variable(debug, "library static", part_static());
    say_code(debug, greet);
    rh_debug_free(debug);
    return 0;
}
