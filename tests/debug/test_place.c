// SPDX-License-Identifier: MIT
// Variables and code by address.
#include "debug/debug.h"
#include "test.h"

#include <ctype.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT __attribute__((used, noinline))

struct pair {
    int first;
    int second;
};

int counter_line = __LINE__, counter = 7;
static volatile int zeroed[10];
static struct pair volatile pairs[3];
const int constant = 5;
extern int declared_first;
int declared_first = 3;
static _Thread_local volatile int per_thread = 1;

KEPT static int count_calls(void)
{
    static volatile int calls = 0;
    return ++calls;
}

KEPT static volatile int *find_static(void)
{
    {
        static volatile int inner[4];
        return inner;
    }
}

static int call_line;

KEPT static void *here(void)
{
    return __builtin_return_address(0);
}

KEPT static void *caller(void)
{
    call_line = __LINE__ + 1;
    void *address = here();
    __asm__ volatile("" : : "r"(address) : "memory");
    return address;
}

static inline __attribute__((always_inline)) int twice(int number)
{
    return zeroed[number] * 2;
}

KEPT static int outer(int number)
{
    return twice(number);
}

static void expect_variable(struct rh_debug *debug, const volatile void *address, const char *name,
                            int line, int from)
{
    struct rh_text text = {0};
    const char *file = "";
    int found_line = -1;
    bool found = rh_debug_variable_at(debug, (uintptr_t)address, &text, &file, &found_line);
    if (!found)
        fprintf(stderr, "line %d: no variable\n", from);
    EXPECT(found);
    test_expect_text(rh_text_get(&text), name, __FILE__, from);
    if (line > 0) {
        EXPECT_TEXT(file, __FILE__);
        EXPECT(found_line == line);
    }
    rh_text_clear(&text);
    EXPECT(rh_debug_variable_at(debug, (uintptr_t)address, &text, NULL, NULL));
    test_expect_text(rh_text_get(&text), name, __FILE__, from);
    rh_text_fini(&text);
}

#define VARIABLE(address, name, line) expect_variable(debug, address, name, line, __LINE__)

static void test_variables(struct rh_debug *debug)
{
    VARIABLE(&counter, "counter", counter_line);
    VARIABLE((char *)&counter + 3, "counter+3", counter_line);
    VARIABLE(&zeroed[0], "zeroed", counter_line + 1);
    VARIABLE(&zeroed[9], "zeroed+36", counter_line + 1);
    VARIABLE(&pairs[1].second, "pairs+12", counter_line + 2);
    VARIABLE(&constant, "constant", counter_line + 3);
    VARIABLE(&declared_first, "declared_first", 0);
    VARIABLE(&per_thread, "per_thread", counter_line + 6);
    VARIABLE(find_static(), "find_static.inner", 0);
    VARIABLE(find_static() + 2, "find_static.inner+8", 0);
    VARIABLE(&stdout, "stdout", 0);
}

static void test_no_variable(struct rh_debug *debug)
{
    int local = 0;
    void *block = malloc(10);
    struct rh_text text = {0};
    const char *file = "";
    int line = -1;
    EXPECT(!rh_debug_variable_at(debug, (uintptr_t)&local, &text, &file, &line));
    EXPECT(!file && line == 0);
    EXPECT(!rh_debug_variable_at(debug, (uintptr_t)block, &text, NULL, NULL));
    EXPECT(!rh_debug_variable_at(debug, 0, &text, NULL, NULL));
    EXPECT(!rh_debug_variable_at(debug, UINTPTR_MAX, &text, NULL, NULL));
    EXPECT(!rh_debug_variable_at(debug, (uintptr_t)&caller, &text, NULL, NULL));
    EXPECT_TEXT(rh_text_get(&text), "");
    free(block);
}

static void test_code(struct rh_debug *debug)
{
    struct rh_text text = {0};
    const char *file = "";
    int line = -1;
    EXPECT(rh_debug_code_at(debug, (uintptr_t)&caller, &text, &file, &line));
    EXPECT_TEXT(rh_text_get(&text), "caller");
    EXPECT_TEXT(file, __FILE__);
    rh_text_clear(&text);
    // One before the return address is inside the call.
    EXPECT(rh_debug_code_at(debug, (uintptr_t)caller() - 1, &text, &file, &line));
    EXPECT_TEXT(rh_text_get(&text), "caller");
    EXPECT_TEXT(file, __FILE__);
    EXPECT(line == call_line);
    rh_text_clear(&text);
    // The first instruction comes from an inlined function, but the address is that of the outer.
    EXPECT(rh_debug_code_at(debug, (uintptr_t)&outer, &text, &file, &line));
    EXPECT_TEXT(rh_text_get(&text), "outer");
    EXPECT(line > call_line);
    rh_text_clear(&text);
    EXPECT(rh_debug_code_at(debug, (uintptr_t)&rh_debug_code_at, &text, NULL, NULL));
    EXPECT_TEXT(rh_text_get(&text), "rh_debug_code_at");
    rh_text_clear(&text);
    EXPECT(rh_debug_code_at(debug, (uintptr_t)&toupper, &text, &file, &line));
    EXPECT_TEXT(rh_text_get(&text), "toupper");
    EXPECT(!file && line == 0);
    rh_text_clear(&text);
    EXPECT(!rh_debug_code_at(debug, (uintptr_t)&counter, &text, &file, &line));
    EXPECT(!rh_debug_code_at(debug, (uintptr_t)&text, &text, &file, &line));
    EXPECT(!rh_debug_code_at(debug, 1, &text, &file, &line));
    EXPECT(!file && line == 0);
    EXPECT_TEXT(rh_text_get(&text), "");
    rh_text_fini(&text);
}

// A worker uses what it inherited, also if the files are out of its reach.
static void test_own_code(struct rh_debug *debug)
{
    EXPECT(rh_debug_code_is_own(debug, (uintptr_t)rh_debug_open_self));
    EXPECT(!rh_debug_code_is_own(debug, (uintptr_t)count_calls));
    EXPECT(!rh_debug_code_is_own(debug, (uintptr_t)tolower));
    EXPECT(!rh_debug_code_is_own(debug, 16));
}

struct data_seen {
    uintptr_t last;
    unsigned section; // of counter
    bool counter, zeroed, per_thread;
};

static void see_data(void *context, const struct rh_debug_data *data)
{
    struct data_seen *seen = context;
    EXPECT(data->start >= seen->last);
    seen->last = data->start;
    if (data->start == (uintptr_t)&counter && strcmp(data->name, "counter") == 0) {
        seen->counter = data->size >= sizeof counter; // a sanitizer makes it larger
        seen->section = data->section;
    }
    seen->zeroed |= data->start == (uintptr_t)&zeroed && data->size >= sizeof zeroed;
    seen->per_thread |= data->start == (uintptr_t)&per_thread && data->section != seen->section;
    EXPECT(strcmp(data->name, "count_calls") != 0);
}

static void test_data(struct rh_debug *debug)
{
    struct data_seen seen = {0};
    rh_debug_visit_data(debug, see_data, &seen);
    EXPECT(seen.counter && seen.zeroed && seen.per_thread);
}

static void test_after_fork(void)
{
    struct rh_debug *debug = rh_debug_open_self();
    pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
        for (int descriptor = 3; descriptor < 64; descriptor++)
            close(descriptor);
        EXPECT(chdir("/") == 0);
        VARIABLE(&counter, "counter", counter_line);
        EXPECT(rh_debug_find_type(debug, "struct pair", 8));
        rh_debug_free(debug);
        _exit(0);
    }
    int status;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    VARIABLE(&counter, "counter", counter_line);
    rh_debug_free(debug);
}

int main(void)
{
    EXPECT(count_calls() == 1 && per_thread == 1 && outer(3) == 0);
    struct rh_debug *debug = rh_debug_open_self();
    test_variables(debug);
    test_no_variable(debug);
    test_code(debug);
    test_own_code(debug);
    test_data(debug);
    rh_debug_free(debug);
    test_after_fork();
    rh_debug_free(NULL);
    return 0;
}
