// SPDX-License-Identifier: MIT
// One line of what to do about each kind of finding.
#include <string.h>

#include "base/shell_word.h"
#include "report/text.h"

// `%s` stands for the command that stops a debugger in the failing handler, or in the last handler
// if the finding belongs to none.
static const char *const advice[RH_FINDING_KIND_COUNT] = {
    [RH_FINDING_CHECK] = "%s stops in the handler that fails",
    [RH_FINDING_INVARIANT] = "%s stops in the handler after which it no longer holds",
    [RH_FINDING_FINAL] = "%s stops in the last handler; replay --trace-states shows how the states "
                         "came about",
    [RH_FINDING_CRASH] = "%s stops in the handler that crashes; continue leads to the line",
    [RH_FINDING_HANG] = "%s stops in the handler; continue, and Ctrl-C shows where it loops",
    [RH_FINDING_EXIT] = "stop the actor with rh_stop() instead of ending the process; %s stops "
                        "before it does",
    [RH_FINDING_DEADLOCK] = "let it answer before it asks, send instead of ask, or open the guard; "
                            "%s stops in the last handler",
    [RH_FINDING_LIVELOCK] = "the same states come round again: replay --trace-states shows which; "
                            "something must change or end, or rh_progress() say that it is meant",
    [RH_FINDING_UNDELIVERED] = "the receiver had stopped: let its senders know before it stops, or "
                               "let them expect it",
    [RH_FINDING_LEFTOVER] = "the receiver never got to take it: look at its guard, and at what it "
                            "waits for",
    [RH_FINDING_UNHANDLED] = "handle the message in this behaviour, or say rh_ignore(message)",
    [RH_FINDING_SHARED_STATE] =
        "move the variable into the actor's state, or list it in a file for "
        "--suppressions",
    [RH_FINDING_PRIVATE_POINTER] = "send the bytes themselves (rh_send_sized), or hand the block "
                                   "over with rh_give",
    [RH_FINDING_LEAK] = "free the block before the actor ends, for example in a function set with "
                        "rh_at_stop",
    [RH_FINDING_UNSET] = "set every field before it is sent or kept, for example with = {0}: what "
                         "it holds otherwise differs from machine to machine",
    [RH_FINDING_BOUND] = "if the program is meant to run that long, raise --max-length; otherwise "
                         "look for what never ends",
    [RH_FINDING_NONDETERMINISM] = "look for input that Rehearse does not control (threads, files, "
                                  "addresses as values) in this handler",
    [RH_FINDING_ORDER] = "the deliveries above were made: mend the program, or give the order that "
                         "it has now in RH_TEST_ORDER",
    [RH_FINDING_RACE] = "take a lock around both accesses, or make both atomic",
    [RH_FINDING_REACHED] = "%s stops in the handler that gets there",
    [RH_FINDING_COMMIT] = "mend the mark, or the component: an operation takes effect once",
    [RH_FINDING_COMMIT_BLOCK] =
        "hold the lock throughout the block, or take what is made apart out "
        "of it",
    [RH_FINDING_MISUSE] = "the test, or the component's user, has to keep others away from it",
    [RH_FINDING_UNSERIAL] = "a view (RH_COMPONENT) says which of that counts",
    [RH_FINDING_RULED_OUT] = "take the line out of the file of hints, or see how it comes about",
    [RH_FINDING_REFINEMENT] = "the interleaving shows what came between parts of an operation",
};

static const char leftover_outside[] =
    "the outside takes no messages: answer an actor that the test "
    "creates, or do not answer";

static const char still_alive[] =
    "let it stop when it is done (rh_stop), or let it be: --environment quiet";

static const char limit[] =
    "an execution can't have more: make the test smaller; what would follow "
    "was not explored";

// Sentences for programs that are not written with actor.h.
static const char foreign_exit[] = "%s stops before it ends";
static const char foreign_deadlock[] =
    "let one of them send first, or not wait; %s stops where the last one goes on";

static const char foreign_bound[] =
    "if it waits for others, run them in the same process; if it is meant to run that long, raise "
    "--max-length; otherwise look for what never ends";

// Of findings about somebody who waits or is gone, where a fault is the cause.
static const char after_loss[] =
    "who waits for what was lost waits for ever: send it again after a while (rh_after), or go on "
    "without; %s stops in the last handler";
static const char after_crash[] =
    "the others have to notice that an actor has crashed: look after a while (rh_after), and go on "
    "without it; %s stops in the last handler";

// NULL: no fault is the cause, or the finding's own sentence fits all the same. Of what was shrunk,
// each fault that is left is needed.
static const char *choose_after_fault(const struct rh_shown *shown)
{
    enum rh_finding_kind kind = shown->finding.kind;
    if (!shown->shrunk.cause || (kind != RH_FINDING_DEADLOCK && kind != RH_FINDING_LEFTOVER &&
                                 kind != RH_FINDING_UNDELIVERED))
        return NULL;
    for (size_t i = 0; i < shown->schedule.steps.count; i++) {
        enum rh_step_kind step = shown->schedule.steps.items[i].kind;
        if (step == RH_STEP_DROP || rh_step_is_crash(step))
            return step == RH_STEP_DROP ? after_loss : after_crash;
    }
    return NULL;
}

static const char *choose_foreign(const struct rh_finding *finding)
{
    return finding->kind == RH_FINDING_EXIT       ? foreign_exit
           : finding->kind == RH_FINDING_DEADLOCK ? foreign_deadlock
           : finding->kind == RH_FINDING_BOUND    ? foreign_bound
                                                  : advice[finding->kind];
}

// A leftover message of the outside has another cause than one of an actor. A deadlock without a
// place is about actors that are alive, and about no message.
static const char *choose_sentence(const struct rh_finding *finding)
{
    if (finding->is_limit)
        return limit;
    if (finding->kind == RH_FINDING_DEADLOCK && !*finding->file)
        return still_alive;
    bool is_outside = !*finding->behaviour || !strcmp(finding->behaviour, "outside");
    return finding->kind == RH_FINDING_LEFTOVER && is_outside ? leftover_outside
                                                              : advice[finding->kind];
}

void rh_report_advice(struct rh_text *text, const struct rh_shown *shown,
                      const struct rh_report_style *style)
{
    struct rh_text command = {0};
    rh_text_addf(&command, "%s --gdb", style->replay_command);
    rh_text_add_argument(&command, shown->schedule_path ? shown->schedule_path : "FILE");
    rh_text_add(&command, style->replay_arguments ? style->replay_arguments : "");
    const struct rh_finding *finding = &shown->finding;
    const char *sentence = choose_after_fault(shown);
    if (!sentence)
        sentence = style->is_foreign ? choose_foreign(finding) : choose_sentence(finding);
    for (; *sentence; sentence++) {
        if (sentence[0] == '%' && sentence[1] == 's') {
            rh_text_add(text, rh_text_get(&command));
            sentence++;
        } else {
            rh_text_add_bytes(text, sentence, 1);
        }
    }
    rh_text_fini(&command);
}
