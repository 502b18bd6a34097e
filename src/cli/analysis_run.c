// SPDX-License-Identifier: MIT
// The command, run by the executable that looks at bitcode: it is what runs the program.
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/analysis.h"

enum { OUTPUT_MOST = 1 << 26 };

static void read_all(int descriptor, struct rh_text *output)
{
    char bytes[4096];
    ssize_t count;
    while ((count = read(descriptor, bytes, sizeof bytes)) > 0 || (count < 0 && errno == EINTR))
        if (count > 0 && output->length < OUTPUT_MOST)
            rh_text_add_bytes(output, bytes, (size_t)count);
}

static pid_t start(const struct rh_words *words, int output, int other_end)
{
    pid_t child = -1;
    posix_spawn_file_actions_t actions;
    char **arguments = rh_words_arguments(words);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, output);
    posix_spawn_file_actions_addclose(&actions, other_end);
    if (posix_spawn(&child, arguments[0], &actions, NULL, arguments, environ) != 0)
        child = -1;
    posix_spawn_file_actions_destroy(&actions);
    free(arguments);
    return child;
}

int rh_analysis_run(const struct rh_words *words, struct rh_text *output)
{
    int ends[2], wait_status = 0;
    if (pipe(ends) != 0)
        return -1;
    pid_t child = start(words, ends[1], ends[0]);
    close(ends[1]);
    read_all(ends[0], output);
    close(ends[0]);
    while (child > 0 && waitpid(child, &wait_status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
}
