// SPDX-License-Identifier: MIT
// The mailbox of Rehearse's own run time: two threads push, and whoever is told to run the actor
// takes. No message is lost, and no thread runs the actor while another does.
#include <rehearse/component.h>

#include "runtime/mailbox.h"

static struct rh_mailbox mailbox;
static struct rh_mail mails[2];
static _Atomic int runners;
static _Atomic int taken;

static void setup(void)
{
    mailbox.newest = RH_MAILBOX_IDLE;
}

static void push(int number)
{
    if (rh_mailbox_push(&mailbox, &mails[number]) != RH_PUSHED_AND_WOKE)
        return;
    RH_CHECK(++runners == 1);
    do
        for (struct rh_mail *mail = rh_mailbox_take(&mailbox); mail; mail = mail->next)
            taken++;
    while (runners--, !rh_mailbox_settle(&mailbox) && ++runners == 1);
}

RH_COMPONENT(mailbox){.setup = setup};

RH_THREADS(pushes)
{
    rh_thread
    {
        push(0);
    }
    rh_thread
    {
        push(1);
    }
    rh_at_end
    {
        RH_CHECK(taken == 2);
        RH_CHECK(mailbox.newest == RH_MAILBOX_IDLE);
    }
}
