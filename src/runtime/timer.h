// SPDX-License-Identifier: MIT
// Messages that are due later. A wheel of wheels: each level has 64 lists. A list of the first
// level holds the timers that are due in one millisecond, a list of the next level those that are
// due in 64, and so on; as its time comes near, a list is dealt out to the level below. A list is
// dealt out while the timers of the list before it fire, since dealing out many timers takes longer
// than a millisecond. So each level has two halves, one for the present 64 lists and one for timers
// that are dealt out early. Adding a timer, and firing one, costs the same for any number of
// timers. A thread of its own fires the timers, and sleeps until one is due; it starts with the
// first timer.
//
// A handler's timers are due from the time of its delivery, and are added together when the handler
// has returned, so that they fire in the order in which they are due however slow the handler was.
#ifndef REHEARSE_RUNTIME_TIMER_H
#define REHEARSE_RUNTIME_TIMER_H

#include <pthread.h>

#include "runtime/mail.h"

struct rh_runtime;

enum { RH_WHEEL_LEVELS = 8, RH_WHEEL_PLACES = 64 };

struct rh_timer_list {
    struct rh_mail *first, *last;
};

struct rh_wheel {
    pthread_mutex_t lock;
    // Signalled when something is due earlier than `alarm`, or the run is over.
    pthread_cond_t changed;
    pthread_t thread;
    bool has_thread;
    bool ends;
    uint64_t now;            // milliseconds; everything that was due until then has fired
    uint64_t alarm;          // the due time that the thread sleeps for
    uint64_t pending;        // timers that are not in their receiver's mailbox yet; atomic
    struct rh_mail *overdue; // timers that were added after they were due, in the order of `due`
    uint64_t used[RH_WHEEL_LEVELS][2]; // a bit for each list that is not empty
    struct rh_timer_list lists[RH_WHEEL_LEVELS][2][RH_WHEEL_PLACES];
};

// No timer is due later than this, in milliseconds.
#define RH_TIMER_MOST ((UINT64_C(1) << 47) - 1)

void rh_wheel_init(struct rh_wheel *wheel);
// Ends the thread. Timers that are pending stay.
void rh_wheel_stop(struct rh_wheel *wheel);
void rh_wheel_fini(struct rh_wheel *wheel);

// Takes a list of messages, whose `due` is set. Each fires in the millisecond after `due`: not
// early, and after all timers that are due before.
void rh_wheel_add(struct rh_runtime *runtime, struct rh_mail *mails);

// Takes all timers that are pending; the thread has ended.
struct rh_mail *rh_wheel_take_all(struct rh_wheel *wheel);

// The parts of the wheel that know nothing of threads.
void rh__wheel_put(struct rh_wheel *wheel, struct rh_mail *mail);
// Moves time on, at most to `until`, and gives the list of the timers that are due first, all of
// one millisecond unless they are overdue. NULL if nothing is due until then.
struct rh_mail *rh__wheel_advance(struct rh_wheel *wheel, uint64_t until);
// Deals out the lists that come next before their time, at most `most` timers. Gives whether there
// is more to deal out.
bool rh__wheel_prepare(struct rh_wheel *wheel, unsigned most);
// When to look again, not after the next timer is due; UINT64_MAX if there is no timer.
uint64_t rh__wheel_next(const struct rh_wheel *wheel);

#endif
