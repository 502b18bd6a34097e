// SPDX-License-Identifier: MIT
// The wheel of timers against a plain sorted list: all fire, none early, in the order of their times, and those of one
// millisecond in the order in which they were set.
#include "runtime/timer.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "test.h"

enum { COUNT = 20000 };

static struct rh_mail *new_mail(uint64_t due, uint32_t number)
{
    struct rh_mail *mail = calloc(1, sizeof *mail);
    mail->due = due;
    mail->size = number;
    return mail;
}

static int compare(const void *left, const void *right)
{
    const struct rh_mail *one = *(struct rh_mail *const *)left;
    const struct rh_mail *other = *(struct rh_mail *const *)right;
    if (one->due != other->due)
        return one->due < other->due ? -1 : 1;
    return one->size < other->size ? -1 : 1;
}

// Times on all levels: small ones often, and some that differ in the highest digit only.
static uint64_t draw(struct rh_rng *rng, uint64_t now)
{
    uint64_t bits = rh_rng_below(rng, 39);
    uint64_t due = now + 1 + rh_rng_below(rng, UINT64_C(1) << bits);
    return due < RH_TIMER_MOST ? due : RH_TIMER_MOST;
}

// Sets timers while others fire. Time moves in steps of any size.
static void fires_in_order(uint64_t seed)
{
    static struct rh_mail *set[COUNT], *fired[COUNT];
    struct rh_wheel wheel;
    memset(&wheel, 0, sizeof wheel);
    struct rh_rng rng;
    rh_rng_seed(&rng, seed);
    size_t set_count = 0, fired_count = 0;
    while (fired_count < COUNT) {
        for (int i = 0; i < 100 && set_count < COUNT; i++) {
            set[set_count] = new_mail(draw(&rng, wheel.now), (uint32_t)set_count);
            rh__wheel_put(&wheel, set[set_count++]);
        }
        if (rh_rng_below(&rng, 2))
            (void)rh__wheel_prepare(&wheel, (unsigned)rh_rng_below(&rng, 60));
        uint64_t next = rh__wheel_next(&wheel);
        EXPECT(next > wheel.now);
        uint64_t until = rh_rng_below(&rng, 2) ? next : draw(&rng, wheel.now);
        for (struct rh_mail *mail; (mail = rh__wheel_advance(&wheel, until));) {
            for (; mail; mail = mail->next) {
                EXPECT(mail->due == wheel.now && mail->due <= until);
                fired[fired_count++] = mail;
            }
        }
        EXPECT(wheel.now == until);
    }
    EXPECT(rh__wheel_next(&wheel) == UINT64_MAX);
    qsort(set, COUNT, sizeof *set, compare);
    EXPECT(memcmp(set, fired, sizeof set) == 0);
    for (size_t i = 0; i < COUNT; i++)
        free(set[i]);
}

// What is added after its time fires at once, before what is not due yet, and by its time too.
static void overdue_come_first(void)
{
    struct rh_wheel wheel = {.now = 100};
    const uint64_t times[] = {90, 300, 70, 100, 90, 101};
    struct rh_mail *mails[6];
    for (uint32_t i = 0; i < 6; i++)
        rh__wheel_put(&wheel, mails[i] = new_mail(times[i], i));
    EXPECT(rh__wheel_next(&wheel) <= 100);
    struct rh_mail *mail = rh__wheel_advance(&wheel, 100);
    const uint32_t order[] = {2, 0, 4, 3};
    for (int i = 0; i < 4; i++, mail = mail->next)
        EXPECT(mail == mails[order[i]]);
    EXPECT(!mail && !rh__wheel_advance(&wheel, 100));
    EXPECT(rh__wheel_advance(&wheel, 200) == mails[5] && wheel.now == 101);
    EXPECT(!rh__wheel_advance(&wheel, 299) && rh__wheel_advance(&wheel, 300) == mails[1]);
    for (int i = 0; i < 6; i++)
        free(mails[i]);
}

int main(void)
{
    overdue_come_first();
    for (uint64_t seed = 1; seed <= 20; seed++)
        fires_in_order(seed);
    return 0;
}
