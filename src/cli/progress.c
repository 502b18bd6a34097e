// SPDX-License-Identifier: MIT
#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/output.h"

bool rh_progress_has_terminal(void)
{
    return isatty(STDERR_FILENO);
}

static void add_duration(struct rh_text *text, double seconds)
{
    if (seconds < 60)
        rh_text_addf(text, "%.0f s", seconds);
    else if (seconds < 3600)
        rh_text_addf(text, "%.0f min", seconds / 60);
    else if (seconds < 100 * 3600)
        rh_text_addf(text, "%.0f h", seconds / 3600);
    else
        rh_text_add(text, "days");
}

// The part of the search that is done: as the search estimates, or as its bound says, whichever
// ends sooner.
static double done_part(const struct rh_progress_line *line, const struct rh_progress *progress)
{
    double done = progress->done;
    if (line->max_executions) {
        double of_bound = (double)progress->executions / (double)line->max_executions;
        done = of_bound > done ? of_bound : done;
    }
    return done > 1 ? 1 : done;
}

static void add_shrinking(struct rh_text *words, const struct rh_progress *progress)
{
    rh_text_add(words, "shrinking");
    if (progress->findings > 1)
        rh_text_addf(words, " finding %llu of %llu", (unsigned long long)progress->shrinking,
                     (unsigned long long)progress->findings);
    rh_text_addf(words, ", %llu executions", (unsigned long long)progress->executions);
}

static void add_search(struct rh_text *words, const struct rh_progress_line *line,
                       const struct rh_progress *progress)
{
    uint64_t count = progress->states ? progress->states : progress->executions;
    rh_text_addf(words, "%llu %s", (unsigned long long)count,
                 progress->states ? "states" : "executions");
    if (progress->seconds > 0.5)
        rh_text_addf(words, ", %.0f/s", (double)count / progress->seconds);
    rh_text_addf(words, ", %llu found", (unsigned long long)progress->findings);
    if (progress->goals_known)
        rh_text_addf(words, ", %llu of %llu goals covered",
                     (unsigned long long)progress->goals_covered,
                     (unsigned long long)progress->goals_known);
    double done = done_part(line, progress);
    if (done > 0) {
        rh_text_addf(words, done < 0.01 ? ", less than 1%% done" : ", about %.0f%% done",
                     100 * done);
        if (progress->seconds > 0.5) {
            rh_text_add(words, ", ");
            add_duration(words, progress->seconds * (1 - done) / done);
            rh_text_add(words, " left");
        }
    }
}

void rh_progress_add(struct rh_text *text, const struct rh_progress_line *line,
                     const struct rh_progress *progress, int width)
{
    struct rh_text words = {0};
    rh_text_addf(&words, "%s: ", line->test);
    if (progress->shrinking)
        add_shrinking(&words, progress);
    else
        add_search(&words, line, progress);
    size_t most = width > 1 ? (size_t)width - 1 : 79;
    rh_text_add_bytes(text, rh_text_get(&words), words.length < most ? words.length : most);
    rh_text_fini(&words);
}

static int terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void rh_progress_show(void *context, const struct rh_progress *progress)
{
    struct rh_progress_line *line = context;
    struct rh_text text = {0};
    rh_text_add(&text, "\r\033[K");
    rh_progress_add(&text, line, progress, terminal_width());
    rh_print_error_text(rh_text_get(&text));
    rh_text_fini(&text);
    line->is_shown = true;
}

void rh_progress_clear(struct rh_progress_line *line)
{
    if (line->is_shown)
        rh_print_error_text("\r\033[K");
    line->is_shown = false;
}

static void add_place(struct rh_text *text, const struct rh_suspicion *suspicion, const char *now)
{
    if (suspicion->file)
        rh_text_addf(text, ",%s at %s:%d in %s", now, suspicion->file, suspicion->line,
                     suspicion->function);
}

void rh_progress_suspect(void *context, const struct rh_suspicion *suspicion)
{
    struct rh_progress_line *line = context;
    struct rh_text text = {0};
    bool is_stopped = suspicion->more == 0;
    bool handles = *suspicion->actor && *suspicion->message_type;
    rh_text_addf(&text, "rehearse: test %s: %s", line->test, is_stopped ? "stopped while " : "");
    if (handles)
        rh_text_addf(&text, "%s %s handling %s", suspicion->actor, is_stopped ? "was" : "has been",
                     suspicion->message_type);
    else
        rh_text_addf(&text, "code outside of any handler %s running",
                     is_stopped ? "was" : "has been");
    rh_text_addf(&text, "%s for %.*f s", is_stopped ? "," : "", suspicion->seconds < 1 ? 2 : 1,
                 suspicion->seconds);
    add_place(&text, suspicion, is_stopped ? "" : " now");
    if (!is_stopped)
        rh_text_addf(&text, "; does it hang? It is run again, alone, for up to %g s",
                     suspicion->more);
    rh_text_add(&text, "\n");
    rh_progress_clear(line);
    rh_print_error_text(rh_text_get(&text));
    rh_text_fini(&text);
}
