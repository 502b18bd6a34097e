// SPDX-License-Identifier: MIT
// A program that writes a log: four threads count. What is wrong with it is chosen by a macro, and
// wrong in every run.
#include <pthread.h>
#include <rehearse/component.h>
#include <signal.h>

enum { THREADS = 4, ROUNDS = 300 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void setup(void)
{
    total = 1;
}

static void view(rh_view *view)
{
    rh_view_put(view, 1, total);
}

static int right = 1;

static void right_view(rh_view *view)
{
    rh_view_put(view, 1, right);
}

RH_COMPONENT(counter){.setup = setup, .view = view, .specification_view = right_view};

RH_SPECIFICATION(add)
{
    right += (int)argument[0];
    return right;
}

#ifndef UNWRITTEN
RH_SPECIFICATION(get)
{
    return right;
}
#endif

static int add(int number)
{
    RH_OPERATION(number);
    pthread_mutex_lock(&lock);
    int sum = total + number;
#ifdef LOST
    RH_COMMIT(total = number == 7 ? total : sum);
#else
    RH_COMMIT(total = sum);
#endif
#ifdef TWICE
    if (number == 7)
        RH_COMMIT(total = sum);
#endif
#ifdef KILLED
    if (number == 7)
        raise(SIGKILL);
#endif
    pthread_mutex_unlock(&lock);
#ifdef WRONG
    sum += number == 7;
#endif
    return RH_RESULT(sum);
}

static int get(void)
{
    RH_OPERATION();
    RH_OBSERVES();
    pthread_mutex_lock(&lock);
    int value = total;
    pthread_mutex_unlock(&lock);
#ifdef STALE
    value -= 100000;
#endif
    return RH_RESULT(value);
}

static void *work(void *argument)
{
    for (int i = 0; i < ROUNDS; i++) {
        add(1 + i % 3);
        get();
    }
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    add(7);
    return 0;
}
