// SPDX-License-Identifier: MIT
// Specifications that are written down. The kind that each test is expected to show stands above
// it.
#include <pthread.h>
#include <rehearse/component.h>

enum { ROOM = 2 };

// A buffer of two numbers: put fails where it is full, and may fail where somebody else has the
// lock.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, numbers[ROOM + 1];

static void view(rh_view *view)
{
    for (int i = 0; i < count; i++)
        rh_view_put(view, i, numbers[i]);
}

static int right_count, right[ROOM];

static void right_view(rh_view *view)
{
    for (int i = 0; i < right_count; i++)
        rh_view_put(view, i, right[i]);
}

RH_COMPONENT(buffer){.view = view, .specification_view = right_view};

RH_SPECIFICATION(put)
{
    if (right_count == ROOM)
        return false;
    right[right_count++] = (int)argument[0];
    return true;
}

RH_SPECIFICATION(size)
{
    return right_count;
}

// Any number that is there will do.
RH_SPECIFICATION(any)
{
    for (int i = 0; i < right_count; i++)
        if (right[i] == result)
            return result;
    return right_count ? right[0] : -1;
}

static bool put(int number)
{
    RH_OPERATION(number);
    pthread_mutex_lock(&lock);
    bool is_full = count == ROOM;
    if (is_full)
        RH_OBSERVES();
    else
        RH_COMMIT_BLOCK
        {
            numbers[count] = number;
            count++;
        }
    pthread_mutex_unlock(&lock);
    return RH_RESULT(!is_full);
}

static int size(void)
{
    RH_OPERATION();
    RH_OBSERVES();
    pthread_mutex_lock(&lock);
    int value = count;
    pthread_mutex_unlock(&lock);
    return RH_RESULT(value);
}

static int any(void)
{
    RH_OPERATION();
    RH_OBSERVES();
    pthread_mutex_lock(&lock);
    int value = count ? numbers[count - 1] : -1;
    pthread_mutex_unlock(&lock);
    return RH_RESULT(value);
}

// EACH: -
RH_THREADS(filled)
{
    rh_thread
    {
        put(1);
        put(2);
    }
    rh_thread
    {
        put(3);
        size();
    }
}

// EACH: -
RH_THREADS(chosen)
{
    rh_thread
    {
        put(1);
        put(2);
    }
    rh_thread
    {
        any();
        any();
    }
}

// The place is looked for before the lock is there.
static bool put_early(int number)
{
    struct rh__operation rh__open __attribute__((cleanup(rh__operation_end))) =
        rh__operation_begin("put", __FILE__, __LINE__, 1, (const int64_t[]){number});
    int place = count;
    pthread_mutex_lock(&lock);
    numbers[place] = number;
    RH_COMMIT(count = place + 1);
    pthread_mutex_unlock(&lock);
    return RH_RESULT(true);
}

// EACH: refinement
RH_THREADS(early)
{
    rh_thread
    {
        put_early(1);
    }
    rh_thread
    {
        put_early(2);
    }
}

// Says false where there is room.
static bool put_reluctant(int number)
{
    struct rh__operation rh__open __attribute__((cleanup(rh__operation_end))) =
        rh__operation_begin("put", __FILE__, __LINE__, 1, (const int64_t[]){number});
    RH_OBSERVES();
    return RH_RESULT(false);
}

// EACH: refinement
RH_THREADS(reluctant)
{
    rh_thread
    {
        put_reluctant(1);
    }
    rh_thread
    {
        put(2);
    }
}

// What is internal needs no specification.
static void trim(void)
{
    RH_OPERATION();
    RH_INTERNAL();
    pthread_mutex_lock(&lock);
    RH_COMMIT(numbers[ROOM] = 0);
    pthread_mutex_unlock(&lock);
}

// EACH: -
RH_THREADS(trims)
{
    rh_thread
    {
        trim();
    }
    rh_thread
    {
        put(1);
        trim();
    }
}

static void trim_one(void)
{
    RH_OPERATION();
    RH_INTERNAL();
    pthread_mutex_lock(&lock);
    RH_COMMIT(count -= count > 0);
    pthread_mutex_unlock(&lock);
}

// EACH: refinement
RH_THREADS(trims_too_much)
{
    rh_thread
    {
        put(1);
    }
    rh_thread
    {
        trim_one();
    }
}
