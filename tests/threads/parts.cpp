// SPDX-License-Identifier: MIT
// Components in C++. EACH says which kind a test shows.
#include <atomic>
#include <map>
#include <mutex>

#include <rehearse/component.h>

static std::mutex guard;
static std::map<int, int> *prices;
static std::atomic<int> version;
static int seats = 2;

static void setup()
{
    prices = new std::map<int, int>;
}

static void view(rh_view *view)
{
    for (const auto &item : *prices)
        rh_view_put(view, item.first, item.second);
    rh_view_put(view, -1, seats);
}

RH_COMPONENT(shop){.setup = setup, .view = view};

static bool raise(int item, int price)
{
    RH_OPERATION(item, price);
    std::lock_guard<std::mutex> held(guard);
    bool is_more = (*prices)[item] < price;
    if (is_more)
        RH_COMMIT((*prices)[item] = price);
    else
        RH_OBSERVES();
    return RH_RESULT(is_more);
}

static bool book(int count)
{
    RH_OPERATION(count);
    std::unique_lock<std::mutex> held(guard);
    bool is_free = seats >= count;
#ifndef FIXED
    held.unlock();
    held.lock();
#endif
    if (is_free)
        RH_COMMIT_BLOCK { seats -= count; }
    else
        RH_OBSERVES();
    return RH_RESULT(is_free);
}

static int advance()
{
    RH_OPERATION();
    int next = version.load() + 1, before = next - 1;
    while (!RH_COMMIT_IF(version.compare_exchange_strong(before, next)))
        next = before + 1;
    return RH_RESULT(next);
}

static int fail()
{
    RH_OPERATION();
    RH_OBSERVES();
    std::lock_guard<std::mutex> held(guard);
    throw seats;
}

// EACH: -
RH_THREADS(raises)
{
    rh_thread { raise(1, 5); }
    rh_thread { raise(1, 7); }
}

// EACH: -
RH_THREADS(calls)
{
    rh_thread { RH_CALL(raise(1, 5)); }
    rh_thread { RH_CHECK(RH_CALL(raise(2, 5)) == true); }
}

// EACH: -
RH_THREADS(advances)
{
    rh_thread { advance(); }
    rh_thread { advance(); }
}

// EACH: refinement
RH_THREADS(books)
{
    rh_thread { book(1); }
    rh_thread { book(2); }
}

// An exception ends an operation, and gives its lock back.
// EACH: -
RH_THREADS(throws)
{
    rh_thread
    {
        try {
            fail();
        } catch (int left) {
            RH_CHECK(left <= 2);
        }
        raise(3, 1);
    }
    rh_thread { raise(4, 1); }
}
