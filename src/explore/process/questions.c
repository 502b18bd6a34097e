// SPDX-License-Identifier: MIT
#include "explore/process/questions.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

void rh_question_ask(struct rh_shared *shared, int bell, char question)
{
    uint32_t asked = (unsigned char)question;
    atomic_store(&shared->question, asked);
    // Without the bell the keeper comes somewhat later.
    ssize_t rung = write(bell, &question, 1);
    (void)rung;
    while (atomic_load(&shared->question) == asked)
        syscall(SYS_futex, &shared->question, FUTEX_WAIT, asked, NULL, NULL, 0);
}

void rh_question_hear(int bell)
{
    char rung[256];
    if (read(bell, rung, sizeof rung) < 0)
        return;
}

char rh_question_get(const struct rh_shared *shared)
{
    return (char)atomic_load(&shared->question);
}

void rh_question_answer(struct rh_shared *shared)
{
    atomic_store(&shared->question, 0);
    syscall(SYS_futex, &shared->question, FUTEX_WAKE, 1, NULL, NULL, 0);
}
