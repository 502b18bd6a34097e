// SPDX-License-Identifier: MIT
// Calls of functions that are not in the sources are made by the program itself: the command's
// binary is started when the first one is asked for, and answers until it is let go.
#include "cli/analysis_foreign.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/foreign.h"
#include "cli/request.h"

static void start(struct rh_analysis_foreign *foreign)
{
    int pair[2], request;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return;
    int theirs = dup(pair[1]); // stays open across exec
    close(pair[1]);
    struct rh_words words = {0};
    rh_words_add(&words, RH_FOREIGN_REQUEST);
    rh_words_addf(&words, "%d", theirs);
    struct rh_status status = rh_request_make(&words, &request);
    rh_words_fini(&words);
    char *arguments[] = {(char *)foreign->binary, NULL};
    if (rh_is_ok(&status)) {
        rh_request_export(request, false);
        if (posix_spawn(&foreign->process, foreign->binary, NULL, NULL, arguments, environ))
            foreign->process = 0;
        unsetenv(RH_REQUEST_VARIABLE);
        close(request);
    }
    close(theirs);
    if (foreign->process)
        foreign->socket = pair[0];
    else
        close(pair[0]);
}

static void call(void *context, const struct rh_foreign_call *call,
                 struct rh_foreign_answer *answer)
{
    struct rh_analysis_foreign *foreign = context;
    if (!foreign->is_started && foreign->binary)
        start(foreign);
    foreign->is_started = true;
    *answer = (struct rh_foreign_answer){0};
    if (foreign->socket >= 0 &&
        send(foreign->socket, call, sizeof *call, MSG_NOSIGNAL) == sizeof *call &&
        recv(foreign->socket, answer, sizeof *answer, 0) == sizeof *answer)
        return;
    *answer = (struct rh_foreign_answer){.refused = "which can't be made here"};
}

void rh_analysis_foreign_init(struct rh_analysis_foreign *foreign, const char *binary)
{
    *foreign = (struct rh_analysis_foreign){.binary = binary, .socket = -1};
    foreign->caller = (struct rh_foreign_caller){foreign, call};
}

void rh_analysis_foreign_fini(struct rh_analysis_foreign *foreign)
{
    int wait_status;
    if (foreign->socket >= 0)
        close(foreign->socket);
    while (foreign->process && waitpid(foreign->process, &wait_status, 0) < 0 && errno == EINTR)
        ;
}
