// SPDX-License-Identifier: MIT
// C++ streams, exceptions and containers. std::cout lies in the executable, and is the library's.
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "library.h"

static int parse(const std::string &text)
{
    std::istringstream stream(text);
    int number = 0;
    if (!(stream >> number))
        throw std::runtime_error("no number");
    return number;
}

static void use(struct user *user, int number)
{
    auto *seen = static_cast<std::map<std::string, int> *>(user->kept);
    if (!seen)
        user->kept = seen = new std::map<std::string, int>;
    std::ostringstream name;
    name << std::setw(number) << std::setfill('x') << number;
    (*seen)[name.str()] = number;
    std::cout << "sum " << std::setw(4) << user->sum << std::endl;
    try {
        rh_check(parse(std::to_string(user->sum)) == user->sum);
        parse(name.str());
        rh_check(number == 1);
    } catch (const std::runtime_error &) {
        rh_check(number > 1);
    }
    rh_check(static_cast<int>(seen->size()) == user->count);
}
