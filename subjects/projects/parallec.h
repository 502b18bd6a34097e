// SPDX-License-Identifier: MIT
// Of parallec.c: its messages, what the test decides, and the workers for single requests.
#ifndef PARALLEC_H
#define PARALLEC_H

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST_HOSTS = 8 };

enum issue { NO_ISSUE, TWO_ANSWERS, ONE_TOO_MANY, LOST_CANCEL, LATE_REQUEST };

enum protocol { HTTP, SSH, TCP, UDP, PING };

// What a host, or the way to it, does.
enum conduct {
    ANSWERS,
    REFUSES,
    IS_SILENT,
    DOES_ANYTHING, // of those above
    STAYS_OPEN,    // answers, and does not close the connection
    CANT_BE_ASKED, // there is an error before anything is sent
    HAS_BAD_NAME,
};

// What is in an answer.
enum body { EMPTY, TEXT, JOB, PROGRESS, DONE };

enum error { NO_ERROR, CANCELED, TIMED_OUT, OPERATION_TIMED_OUT, FAILED, BAD_NAME };

enum task_state { COMPLETED, COMPLETED_WITH_ERROR };

enum manager_step { MANAGER_TIMEOUT, MANAGER_CANCEL };

enum operation_step { OPERATION_PROCESS, OPERATION_POLL, OPERATION_TIMEOUT, OPERATION_CANCEL };

enum request_step {
    REQUEST_PROCESS,
    REQUEST_CHECK_FUTURE,
    REQUEST_CANCEL,
    REQUEST_EXCEPTION,
    REQUEST_TIMEOUT,
};

enum channel_event { RECEIVED, DISCONNECTED, IDLE, EXCEPTION };

enum time_out { MANAGER_TIMES_OUT = 1, OPERATION_TIMES_OUT = 2, REQUEST_TIMES_OUT = 4 };

enum {
    CHECK_MS = 500,
    CONTINUE_MS = 500,
    POLL_MS = 1000,
    IDLE_MS = 5000,
    REQUEST_MS = 15000,
    OPERATION_MS = 15000,
    MANAGER_MS = 600000,
};

RH_SIGNAL(start);
RH_SIGNAL(stop);
RH_SIGNAL(initial_request);
RH_MESSAGE(manager_message, { enum manager_step step; });
RH_MESSAGE(cancel_on_hosts, {
    int hosts;
    int host[MOST_HOSTS];
});
RH_MESSAGE(response_from_manager, {
    enum task_state state;
    int responses;
});
RH_MESSAGE(request_to_assistant, {
    rh_actor *sender;
    int workers;
    rh_actor *worker[MOST_HOSTS];
    int concurrency;
});
RH_MESSAGE(continue_to_send, { int sent; });
RH_MESSAGE(response_count, { int count; });
RH_MESSAGE(operation_message, {
    enum operation_step step;
    rh_actor *sender; // in whose name, of OPERATION_PROCESS
    int timer;        // its number, of OPERATION_POLL and OPERATION_TIMEOUT
});
RH_MESSAGE(response_on_task, {
    int host;
    enum error error;
    enum body body;
});
RH_MESSAGE(request_message, { enum request_step step; });
RH_MESSAGE(response_on_request, {
    enum error error;
    enum body body;
});
RH_MESSAGE(http_completed, { enum body body; });
RH_MESSAGE(channel_news, { enum channel_event event; });

// Set by the test's body, and only read afterwards.
static struct {
    enum issue issue;
    enum protocol protocol;
    int hosts;
    int concurrency;
    int time_outs;        // a set of enum time_out
    enum conduct conduct; // of the hosts
    bool is_pollable;
    bool names_no_job;          // though it is pollable
    int polls;                  // after which a job is done
    enum conduct at_first_poll; // at later ones they answer
    int checks;                 // of a result in vain, before there is one or no more news
    int retries;                // of the assistant in vain, before it waits until there is room
} task;

// A worker for a single request, of any protocol.
struct request_worker {
    int poll; // the number of the poll, 0 for the request itself
    rh_actor *sender;
    int tries;
    bool has_replied;
    enum body body;       // of what has been received
    enum conduct conduct; // of the host, as it turned out
    int checks;
};

static enum conduct meet_host(const struct request_worker *worker)
{
    if (worker->poll > 1)
        return ANSWERS;

    enum conduct conduct = worker->poll == 1 ? task.at_first_poll : task.conduct;

    return conduct == DOES_ANYTHING ? (enum conduct)rh_choose(DOES_ANYTHING) : conduct;
}

// At later polls hosts answer, in time.
static bool may_time_out(const struct request_worker *worker)
{
    return task.time_outs & REQUEST_TIMES_OUT && worker->poll <= 1;
}

// Answers who sent the request, once, and stops. Nobody is answered if that was the outside.
static void reply_request(struct request_worker *worker, enum error error, enum body body)
{
    if (worker->has_replied)
        return;
    worker->has_replied = true;
    if (worker->sender)
        rh_send(worker->sender, response_on_request, {.error = error, .body = body});
    rh_stop();
}

static enum body answer_http(const struct request_worker *worker)
{
    if (!task.is_pollable)
        return TEXT;
    if (worker->poll == 0)
        return task.names_no_job ? TEXT : JOB;
    return worker->poll < task.polls ? PROGRESS : DONE;
}

static void process_http(rh_actor *self, struct request_worker *worker)
{
    switch (meet_host(worker)) {
    case ANSWERS:
        rh_send(self, http_completed, {.body = answer_http(worker)});
        break;
    case REFUSES:
        rh_send(self, request_message, {.step = REQUEST_EXCEPTION}); // the client's callback
        break;
    case CANT_BE_ASKED:
        rh_send(self, request_message, {.step = REQUEST_EXCEPTION});
        return;
    default:
        break;
    }
    if (may_time_out(worker))
        rh_after(REQUEST_MS, self, request_message, {.step = REQUEST_TIMEOUT});
}

static void http_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct request_worker *worker = state;
    const struct request_message *request;
    const struct http_completed *completed;

    if ((request = rh_as(message, request_message))) {
        switch (request->step) {
        case REQUEST_PROCESS:
            if (++worker->tries > 1)
                break; // twice the same
            worker->sender = rh_sender(message);
            process_http(self, worker);
            break;
        case REQUEST_CANCEL:
            if (!worker->sender)
                worker->sender = rh_sender(message);
            reply_request(worker, CANCELED, EMPTY);
            break;
        case REQUEST_EXCEPTION:
            reply_request(worker, FAILED, EMPTY);
            break;
        case REQUEST_TIMEOUT:
            reply_request(worker, TIMED_OUT, EMPTY);
            break;
        case REQUEST_CHECK_FUTURE:
            rh_send(self, request_message, {.step = REQUEST_EXCEPTION});
            break;
        }
    } else if ((completed = rh_as(message, http_completed))) {
        reply_request(worker, NO_ERROR, completed->body);
    } else if (rh_as(message, stop)) {
        rh_stop();
    } else {
        rh_ignore(message);
        rh_send(self, request_message, {.step = REQUEST_EXCEPTION});
    }
}

// Whether the command has ended, and may have failed.
static bool is_future_done(const struct request_worker *worker)
{
    return worker->checks >= task.checks && worker->conduct != IS_SILENT;
}

static void ssh_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct request_worker *worker = state;
    const struct request_message *request;

    if ((request = rh_as(message, request_message))) {
        switch (request->step) {
        case REQUEST_PROCESS:
            if (++worker->tries > 1)
                break;
            worker->sender = rh_sender(message);
            if (task.time_outs & REQUEST_TIMES_OUT)
                rh_after(REQUEST_MS, self, request_message, {.step = REQUEST_TIMEOUT});
            worker->conduct = meet_host(worker);
            rh_after(CHECK_MS, self, request_message, {.step = REQUEST_CHECK_FUTURE});
            break;
        case REQUEST_CHECK_FUTURE:
            if (is_future_done(worker)) {
                if (worker->conduct == ANSWERS)
                    reply_request(worker, NO_ERROR, TEXT);
                else
                    rh_send(self, request_message, {.step = REQUEST_EXCEPTION});
            } else if (worker->checks++ < task.checks) {
                rh_after(CHECK_MS, self, request_message, {.step = REQUEST_CHECK_FUTURE});
            }
            break;
        case REQUEST_CANCEL:
            if (!worker->sender)
                worker->sender = rh_sender(message);
            reply_request(worker, CANCELED, EMPTY);
            break;
        case REQUEST_EXCEPTION:
            reply_request(worker, FAILED, EMPTY);
            break;
        case REQUEST_TIMEOUT:
            reply_request(worker, TIMED_OUT, EMPTY);
            break;
        }
    } else if (rh_as(message, stop)) {
        rh_stop();
    } else {
        rh_ignore(message);
        rh_send(self, request_message, {.step = REQUEST_EXCEPTION});
    }
}

static void ping_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct request_worker *worker = state;
    const struct request_message *request;

    if ((request = rh_as(message, request_message))) {
        switch (request->step) {
        case REQUEST_PROCESS:
            if (++worker->tries > 1)
                break;
            worker->sender = rh_sender(message);
            if (task.time_outs & REQUEST_TIMES_OUT)
                rh_after(REQUEST_MS, self, request_message, {.step = REQUEST_TIMEOUT});
            worker->conduct = meet_host(worker);
            rh_after(CHECK_MS, self, request_message, {.step = REQUEST_CHECK_FUTURE});
            break;
        case REQUEST_CHECK_FUTURE:
            if (is_future_done(worker)) {
                // That a host can't be reached is an answer, too.
                reply_request(worker, NO_ERROR, worker->conduct == ANSWERS ? TEXT : EMPTY);
            } else if (worker->checks++ < task.checks) {
                rh_after(CHECK_MS, self, request_message, {.step = REQUEST_CHECK_FUTURE});
            }
            break;
        case REQUEST_CANCEL:
            if (!worker->sender)
                worker->sender = rh_sender(message);
            reply_request(worker, CANCELED, EMPTY);
            break;
        case REQUEST_EXCEPTION:
            reply_request(worker, FAILED, EMPTY);
            break;
        case REQUEST_TIMEOUT:
            reply_request(worker, TIMED_OUT, EMPTY);
            break;
        }
    } else if (rh_as(message, stop)) {
        rh_stop();
    } else {
        rh_ignore(message);
        worker->sender = rh_sender(message);
        rh_send(self, request_message, {.step = REQUEST_EXCEPTION});
    }
}

// Connects and writes; what comes of it the channel tells, one thing after the other.
static void process_on_channel(rh_actor *self, struct request_worker *worker)
{
    worker->conduct = meet_host(worker);
    if (worker->conduct == CANT_BE_ASKED) {
        rh_send(self, request_message, {.step = REQUEST_EXCEPTION});
        return;
    }
    if (task.time_outs & REQUEST_TIMES_OUT)
        rh_after(REQUEST_MS, self, request_message, {.step = REQUEST_TIMEOUT});
    if (worker->conduct == REFUSES)
        rh_send(self, channel_news, {.event = EXCEPTION});
    else if (worker->conduct == IS_SILENT)
        rh_after(IDLE_MS, self, channel_news, {.event = IDLE});
    else
        rh_send(self, channel_news, {.event = RECEIVED});
}

static void tcp_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct request_worker *worker = state;
    const struct request_message *request;
    const struct channel_news *news;

    if ((request = rh_as(message, request_message))) {
        switch (request->step) {
        case REQUEST_PROCESS:
            if (++worker->tries > 1)
                break;
            worker->sender = rh_sender(message);
            process_on_channel(self, worker);
            break;
        case REQUEST_CANCEL:
            if (!worker->sender)
                worker->sender = rh_sender(message);
            reply_request(worker, CANCELED, EMPTY);
            break;
        case REQUEST_EXCEPTION:
            reply_request(worker, FAILED, EMPTY);
            break;
        case REQUEST_TIMEOUT:
            reply_request(worker, TIMED_OUT, EMPTY);
            break;
        case REQUEST_CHECK_FUTURE:
            worker->sender = rh_sender(message);
            rh_send(self, request_message, {.step = REQUEST_EXCEPTION});
            break;
        }
    } else if ((news = rh_as(message, channel_news))) {
        switch (news->event) {
        case RECEIVED:
            worker->body = TEXT;
            if (worker->conduct == STAYS_OPEN)
                rh_after(IDLE_MS, self, channel_news, {.event = IDLE});
            else
                rh_send(self, channel_news, {.event = DISCONNECTED});
            break;
        case DISCONNECTED:
        case IDLE: // what has come until then is the answer
            reply_request(worker, NO_ERROR, worker->body);
            break;
        case EXCEPTION:
            reply_request(worker, FAILED, worker->body);
            break;
        }
    } else if (rh_as(message, stop)) {
        rh_stop();
    } else {
        rh_ignore(message);
        worker->sender = rh_sender(message);
        rh_send(self, request_message, {.step = REQUEST_EXCEPTION});
    }
}

static void udp_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct request_worker *worker = state;
    const struct request_message *request;
    const struct channel_news *news;

    if ((request = rh_as(message, request_message))) {
        switch (request->step) {
        case REQUEST_PROCESS:
            if (++worker->tries > 1)
                break;
            worker->sender = rh_sender(message);
            process_on_channel(self, worker);
            break;
        case REQUEST_CANCEL:
            if (!worker->sender)
                worker->sender = rh_sender(message);
            reply_request(worker, CANCELED, EMPTY);
            break;
        case REQUEST_EXCEPTION:
            reply_request(worker, FAILED, EMPTY);
            break;
        case REQUEST_TIMEOUT:
            reply_request(worker, TIMED_OUT, EMPTY);
            break;
        case REQUEST_CHECK_FUTURE:
            worker->sender = rh_sender(message);
            rh_send(self, request_message, {.step = REQUEST_EXCEPTION});
            break;
        }
    } else if ((news = rh_as(message, channel_news))) {
        if (news->event == RECEIVED)
            reply_request(worker, NO_ERROR, TEXT);
        else // IDLE and EXCEPTION: there is only one answer, and it did not come
            reply_request(worker, FAILED, EMPTY);
    } else if (rh_as(message, stop)) {
        rh_stop();
    } else {
        rh_ignore(message);
        worker->sender = rh_sender(message);
        rh_send(self, request_message, {.step = REQUEST_EXCEPTION});
    }
}

#endif
