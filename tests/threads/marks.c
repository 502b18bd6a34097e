// SPDX-License-Identifier: MIT
// Marks of where operations take effect: those that are wrong, each of which is a finding that says
// so, and those that are right. The kind that each test is expected to show stands above it.
#include <pthread.h>
#include <rehearse/component.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second, unlocked;
static int left, right; // in no view
static _Atomic int counter;
static sem_t filled;

static void setup(void)
{
    sem_init(&filled, 0, 0);
}

static void view(rh_view *view)
{
    rh_view_put(view, 1, first);
    rh_view_put(view, 2, second);
    rh_view_put(view, 3, counter);
}

static void invariant(void)
{
    RH_CHECK(left + right == 0);
}

RH_COMPONENT(numbers){.setup = setup, .view = view, .invariant = invariant};

static void set(int value)
{
    RH_OPERATION(value);
    pthread_mutex_lock(&lock);
    RH_COMMIT(first = value);
    pthread_mutex_unlock(&lock);
}

static int get(void)
{
    RH_OPERATION();
    RH_OBSERVES();
    pthread_mutex_lock(&lock);
    int value = first;
    pthread_mutex_unlock(&lock);
    return RH_RESULT(value);
}

// --- Wrong marks. ---

static int set_if(int value)
{
    RH_OPERATION(value);
    pthread_mutex_lock(&lock);
    bool is_free = first == 0;
    if (is_free)
        RH_COMMIT(first = value);
    pthread_mutex_unlock(&lock);
    return RH_RESULT(is_free);
}

// EACH: commit
RH_THREADS(missing)
{
    rh_thread
    {
        set_if(1);
    }
    rh_thread
    {
        set_if(2);
    }
}

static void set_twice(int value)
{
    RH_OPERATION(value);
    pthread_mutex_lock(&lock);
    RH_COMMIT(first = value);
    RH_COMMIT(second = value);
    pthread_mutex_unlock(&lock);
}

// EACH: commit
RH_THREADS(doubled)
{
    rh_thread
    {
        set_twice(1);
    }
    rh_thread
    {
        set(2);
    }
}

// EACH: commit
RH_THREADS(outside)
{
    rh_thread
    {
        set(1);
        RH_COMMIT(unlocked = 1);
    }
}

static void leave_block(int value)
{
    RH_OPERATION(value);
    pthread_mutex_lock(&lock);
    RH_COMMIT_BLOCK
    {
        first = value;
        if (value == 1)
            break;
        second = value;
    }
    pthread_mutex_unlock(&lock);
}

// EACH: commit
RH_THREADS(left)
{
    rh_thread
    {
        leave_block(1);
    }
    rh_thread
    {
        leave_block(2);
    }
}

// EACH: commit
RH_THREADS(inside)
{
    rh_thread
    {
        RH_OPERATION();
        RH_COMMIT_BLOCK
        {
            RH_COMMIT(unlocked = 1);
        }
    }
}

// EACH: commit
RH_THREADS(nested)
{
    rh_thread
    {
        RH_OPERATION();
        RH_COMMIT_BLOCK
        {
            RH_COMMIT_BLOCK
            {
                unlocked = 1;
            }
        }
    }
}

// EACH: commit
RH_THREADS(both)
{
    rh_thread
    {
        RH_OPERATION();
        RH_OBSERVES();
        RH_COMMIT(unlocked = 1);
    }
}

static void set_apart(int value)
{
    RH_OPERATION(value);
    RH_COMMIT_BLOCK
    {
        pthread_mutex_lock(&lock);
        first = value;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        second = value;
        pthread_mutex_unlock(&lock);
    }
}

// EACH: commit-block
RH_THREADS(touched)
{
    rh_thread
    {
        set_apart(1);
    }
    rh_thread
    {
        get();
    }
}

static void destroy(void)
{
    RH_OPERATION();
    RH_EXCLUSIVE();
    pthread_mutex_lock(&lock);
    RH_COMMIT(first = 0);
    pthread_mutex_unlock(&lock);
}

// EACH: misuse
RH_THREADS(beside)
{
    rh_thread
    {
        set(1);
    }
    rh_thread
    {
        destroy();
    }
}

// EACH: -
RH_THREADS(after)
{
    rh_thread
    {
        set(1);
    }
    rh_at_end
    {
        destroy();
    }
}

// --- Wrong components. ---

static int sum(void)
{
    RH_OPERATION();
    RH_OBSERVES();
    pthread_mutex_lock(&lock);
    int value = first;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    value += second;
    pthread_mutex_unlock(&lock);
    return RH_RESULT(value);
}

static void move(int value)
{
    RH_OPERATION(value);
    pthread_mutex_lock(&lock);
    RH_COMMIT_BLOCK
    {
        first += value;
        second -= value;
    }
    pthread_mutex_unlock(&lock);
}

// The sum is 0 in every state.
// EACH: refinement
RH_THREADS(observed)
{
    rh_thread
    {
        sum();
    }
    rh_thread
    {
        move(4);
    }
}

static int next(void)
{
    RH_OPERATION();
    pthread_mutex_lock(&lock);
    int value = first + 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    RH_COMMIT(first = value);
    pthread_mutex_unlock(&lock);
    return RH_RESULT(value);
}

// EACH: refinement
RH_THREADS(lost)
{
    rh_thread
    {
        next();
    }
    rh_thread
    {
        next();
    }
}

static int issued; // in no view

static int issue(void)
{
    RH_OPERATION();
    pthread_mutex_lock(&lock);
    int value = issued + 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    RH_COMMIT(issued = value);
    pthread_mutex_unlock(&lock);
    return RH_RESULT(value);
}

// EACH: refinement
RH_THREADS(issued_twice)
{
    rh_thread
    {
        issue();
    }
    rh_thread
    {
        issue();
    }
}

// Commits before its other write: whoever commits in between sees half of it.
static void set_late(int value)
{
    RH_OPERATION(value);
    pthread_mutex_lock(&lock);
    RH_COMMIT(first = value);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    second = value;
    pthread_mutex_unlock(&lock);
}

// EACH: refinement
RH_THREADS(late)
{
    rh_thread
    {
        set_late(1);
    }
    rh_thread
    {
        set(2);
    }
}

static int uses; // in no view

// Right, but marked where it no longer matters.
static void set_first(int value)
{
    RH_OPERATION(value);
    pthread_mutex_lock(&lock);
    first = value;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    RH_COMMIT(uses++);
    pthread_mutex_unlock(&lock);
}

// EACH: refinement
RH_THREADS(misplaced)
{
    rh_thread
    {
        set_first(1);
    }
    rh_thread
    {
        set_first(2);
    }
}

static void shift(int value)
{
    RH_OPERATION(value);
    pthread_mutex_lock(&lock);
    left += value;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    RH_COMMIT(right -= value);
    pthread_mutex_unlock(&lock);
}

// Who commits between the two writes has it that the invariant does not hold.
// EACH: check
RH_THREADS(unbalanced)
{
    rh_thread
    {
        shift(1);
    }
    rh_thread
    {
        set(2);
    }
}

// --- What is right. ---

static void shift_whole(int value)
{
    RH_OPERATION(value);
    RH_COMMIT_BLOCK
    {
        pthread_mutex_lock(&lock);
        left += value;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        right -= value;
        pthread_mutex_unlock(&lock);
    }
}

// At a commit in between, the writes of the block are put back.
// EACH: -
RH_THREADS(balanced)
{
    rh_thread
    {
        shift_whole(1);
    }
    rh_thread
    {
        set(2);
    }
}

// EACH: -
RH_THREADS(windows)
{
    rh_thread
    {
        set(1);
        set(2);
    }
    rh_thread
    {
        get();
        get();
    }
}

static bool increment(void)
{
    RH_OPERATION();
    int old = counter;
    if (!RH_COMMIT_IF(atomic_compare_exchange_strong(&counter, &old, old + 1)))
        return RH_RESULT(false);
    return RH_RESULT(true);
}

RH_MAY_FAIL(increment, false);

// A failing increment changes nothing: a third one comes to at most three.
// EACH: -
RH_THREADS(failing)
{
    rh_thread
    {
        increment();
        increment();
    }
    rh_thread
    {
        increment();
    }
}

static void put(int value)
{
    RH_OPERATION(value);
    pthread_mutex_lock(&lock);
    RH_COMMIT(first = value);
    sem_post(&filled);
    pthread_mutex_unlock(&lock);
}

static int take(void)
{
    RH_OPERATION();
    sem_wait(&filled);
    pthread_mutex_lock(&lock);
    int value = first;
    RH_COMMIT(first = 0);
    pthread_mutex_unlock(&lock);
    return RH_RESULT(value);
}

// An operation that waits has its place behind the one that it waits for.
// EACH: -
RH_THREADS(waiting)
{
    rh_thread
    {
        take();
    }
    rh_thread
    {
        put(7);
    }
}

// Each commits with what only its own thread touches.
// EACH: -
RH_THREADS(apart)
{
    rh_thread
    {
        RH_OPERATION();
        static int own;
        RH_COMMIT(own = 1);
    }
    rh_thread
    {
        set(1);
    }
}

// With RH_CALL around it, too.
// EACH: -
RH_THREADS(called)
{
    rh_thread
    {
        RH_CALL(set(1));
    }
    rh_thread
    {
        RH_CALL(set(2));
        RH_CALL(get());
    }
}

// What a client does depends on what an operation that observes gives.
// EACH: -
RH_THREADS(deciding)
{
    rh_thread
    {
        set(1);
    }
    rh_thread
    {
        if (get() == 1)
            set(2);
        else
            set(3);
    }
}

// --- Operations that are internal, or pure. ---

static int kept = 1, spare;

static void tidy(bool is_wrong)
{
    RH_OPERATION(is_wrong);
    RH_INTERNAL();
    pthread_mutex_lock(&lock);
    if (kept)
        RH_COMMIT_BLOCK
        {
            kept = 0;
            spare++;
            first += is_wrong;
        }
    pthread_mutex_unlock(&lock);
}

// One of both finds nothing to do.
// EACH: -
RH_THREADS(tidies)
{
    rh_thread
    {
        tidy(false);
        get();
    }
    rh_thread
    {
        tidy(false);
        set(1);
    }
}

// EACH: refinement
RH_THREADS(tidies_too_much)
{
    rh_thread
    {
        tidy(true);
    }
    rh_thread
    {
        get();
    }
}

static int look(bool leaves)
{
    RH_OPERATION(leaves);
    RH_PURE();
    pthread_mutex_lock(&lock);
    int value = second++;
    second -= !leaves;
    pthread_mutex_unlock(&lock);
    return RH_RESULT(value);
}

// EACH: -
RH_THREADS(looks)
{
    rh_thread
    {
        look(false);
    }
    rh_thread
    {
        look(false);
        set(1);
    }
}

// EACH: misuse
RH_THREADS(looks_too_hard)
{
    rh_thread
    {
        look(true);
    }
    rh_thread
    {
        look(false);
    }
}

// What another thread writes meanwhile is not the operation's.
static int look_around(void)
{
    RH_OPERATION();
    RH_PURE();
    pthread_mutex_lock(&lock);
    int value = unlocked;
    unlocked = 5;
    unlocked = value;
    pthread_mutex_unlock(&lock);
    return RH_RESULT(0);
}

static void write_unlocked(void)
{
    RH_OPERATION();
    pthread_mutex_lock(&lock);
    RH_COMMIT(unlocked = 7);
    pthread_mutex_unlock(&lock);
}

// EACH: -
RH_THREADS(looks_around)
{
    rh_thread
    {
        look_around();
    }
    rh_thread
    {
        write_unlocked();
    }
}
