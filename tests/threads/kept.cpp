// SPDX-License-Identifier: MIT
// What is there before the first execution, or is kept behind one, is the same in all: variables
// that begin with allocated memory, and what libc allocates for itself. Nothing is wrong here.
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <rehearse/component.h>

static std::vector<int> numbers = {1, 2, 3};
static std::map<std::string, int> names = {{"a name that is too long to lie in its string", 1}};
static std::mutex guard;
static int *freed = static_cast<int *>(malloc(sizeof *freed));

static int add(int number)
{
    std::lock_guard<std::mutex> held(guard);
    numbers.push_back(number);
    names["another name that is too long " + std::to_string(number)] = number;
    if (freed) {
        *freed = number;
        free(freed);
        freed = nullptr;
    }
    return (int)numbers.size() + 100 * (int)names.size();
}

static void view(rh_view *view)
{
    for (int number : numbers)
        rh_view_add(view, number);
    for (const auto &name : names)
        rh_view_put(view, name.second, (int64_t)name.first.size());
}

RH_COMPONENT(kept){.view = view};

RH_THREADS(grows)
{
    rh_thread { RH_CALL(add(4)); }
    rh_thread
    {
        RH_CALL(add(5));
        RH_CALL(add(6));
    }
}

// The stream's buffer is not the block's memory.
static void print(bool is_error)
{
    std::lock_guard<std::mutex> held(guard);
    FILE *file = fopen("/dev/null", "w");
    printf("a text for %s\n", is_error ? "stderr" : "stdout");
    setlocale(LC_ALL, "C.UTF-8");
    char *block = static_cast<char *>(malloc(4096));
    memset(block, 7, 4096);
    printf("another one\n");
    std::cout << "and one more" << std::endl;
    fprintf(file, "and again\n");
    for (int i = 0; i < 4096; i++)
        RH_CHECK(block[i] == 7);
    free(block);
    fclose(file);
}

RH_THREADS(prints)
{
    rh_thread { print(true); }
    rh_thread { print(false); }
}
