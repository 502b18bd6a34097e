// SPDX-License-Identifier: MIT
// A place is reached when a run has come there: the command runs what is found, and tells how it
// went.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_name.h"
#include "base/shell_word.h"
#include "cli/analysis_reach.h"
#include "cli/output.h"

void rh_reaching_begin_words(const struct rh_reaching *reaching, struct rh_words *words,
                             const char *verb)
{
    rh_words_add(words, reaching->options->generate.command);
    rh_words_add(words, verb);
    rh_words_add(words, reaching->options->generate.binary);
}

// Whether such a finding is to be seen. A message to NULL is refused before anything goes through
// the pointer.
static bool is_wanted_kind(const struct rh_reaching *reaching, const char *kind)
{
    if (reaching->asked.goal == RH_REACH_LINE)
        return !strcmp(kind, "reached");
    if (reaching->asked.goal == RH_REACH_CHECK)
        return !strcmp(kind, "check") || !strcmp(kind, "invariant") || !strcmp(kind, "final");
    return !strcmp(kind, "crash") || (!strcmp(kind, "check") && !reaching->has_check);
}

void rh_reaching_add_until(const struct rh_reaching *reaching, struct rh_words *words)
{
    if (reaching->asked.goal == RH_REACH_LINE)
        rh_words_addf(words, "--until=%s:%u", reaching->asked.file, (unsigned)reaching->asked.line);
}

bool rh_reaching_is_wanted(const struct rh_reaching *reaching, const char *kind, const char *file,
                           uint32_t line)
{
    return kind && file && line == reaching->asked.line &&
           rh_is_named(file, reaching->asked.file) && is_wanted_kind(reaching, kind);
}

// A line of --outcomes: NAME KIND FILE:LINE.
static bool shows_wanted(const struct rh_reaching *reaching, char *line)
{
    char *rest = NULL;
    strtok_r(line, " \n", &rest);
    const char *kind = strtok_r(NULL, " \n", &rest);
    char *file = strtok_r(NULL, "\n", &rest);
    char *colon = file ? strrchr(file, ':') : NULL;
    if (!colon)
        return false;
    *colon = '\0';
    return rh_reaching_is_wanted(reaching, kind, file, (uint32_t)strtoul(colon + 1, NULL, 10));
}

bool rh_reaching_is_confirmed(const struct rh_reaching *reaching, const char *path)
{
    enum { OUTCOMES_MOST = 1 << 16 };
    struct rh_words words = {0};
    struct rh_text outcomes = {0}, text = {0};
    rh_text_addf(&outcomes, "%soutcomes", rh_text_get(&reaching->folder));
    rh_reaching_begin_words(reaching, &words, "replay");
    rh_words_add(&words, path);
    rh_words_addf(&words, "--outcomes=%s", rh_text_get(&outcomes));
    rh_reaching_add_until(reaching, &words);
    rh_analysis_run(&words, &text);
    rh_text_clear(&text);
    struct rh_status status = rh_text_read_file(&text, rh_text_get(&outcomes), OUTCOMES_MOST);
    bool is_there = rh_is_ok(&status) && text.length && shows_wanted(reaching, text.bytes);
    unlink(rh_text_get(&outcomes));
    rh_text_fini(&outcomes);
    rh_text_fini(&text);
    rh_words_fini(&words);
    return is_there;
}

// --- What is found. ---

// The name of the file: reach_shop_132.schedule.
static void name_file(const struct rh_reaching *reaching, struct rh_text *path)
{
    const char *base = rh_base_name(reaching->asked.file), *dot = strrchr(base, '.');
    const char *directory = reaching->options->save;
    if (directory)
        rh_text_addf(path, "%s/", directory);
    rh_text_addf(path, "reach_%.*s_%u.schedule", (int)(dot ? dot - base : (ptrdiff_t)strlen(base)),
                 base, (unsigned)reaching->asked.line);
}

// Between the first line and the blank line that ends the run.
static void keep_run(struct rh_reaching *reaching, const char *replayed)
{
    const char *begin = strchr(replayed, '\n');
    const char *end = begin ? strstr(begin, "\n\n") : NULL;
    if (begin)
        rh_text_add_bytes(&reaching->told, begin + 1,
                          end ? (size_t)(end - begin) : strlen(begin + 1));
    reaching->reached.told = rh_text_get(&reaching->told);
}

static void add_flags(struct rh_text *text, const char *option, const char *flags)
{
    if (!flags)
        return;
    rh_text_addf(text, " --%s", option);
    rh_text_add(text, " ");
    rh_text_add_shell_word(text, flags);
}

// The program is compiled once more for a replay: with the same flags, which the schedule has not.
static void name_replay(const struct rh_reaching *reaching, struct rh_text *replay)
{
    rh_text_add(replay, "rehearse replay");
    add_flags(replay, "cflags", reaching->options->cflags);
    add_flags(replay, "libs", reaching->options->libs);
    rh_text_add_argument(replay, rh_text_get(&reaching->saved));
}

struct rh_status rh_reaching_tell(struct rh_reaching *reaching)
{
    struct rh_words words = {0};
    struct rh_text output = {0};
    name_file(reaching, &reaching->saved);
    struct rh_status status = rh_schedule_write(&reaching->schedule, rh_text_get(&reaching->saved));
    rh_reaching_begin_words(reaching, &words, "replay");
    rh_words_add(&words, rh_text_get(&reaching->saved));
    rh_words_add(&words, "--no-times");
    rh_words_add(&words, "--color=never");
    rh_reaching_add_until(reaching, &words);
    if (rh_is_ok(&status) && rh_analysis_run(&words, &output) != RH_EXIT_FOUND)
        status = rh_failed("%s was replayed once more and went elsewhere",
                           rh_text_get(&reaching->saved));
    if (rh_is_ok(&status))
        keep_run(reaching, rh_text_get(&output));
    name_replay(reaching, &reaching->replay);
    reaching->reached.saved = rh_text_get(&reaching->saved);
    reaching->reached.replay = rh_text_get(&reaching->replay);
    reaching->reached.schedule = &reaching->schedule;
    rh_text_fini(&output);
    rh_words_fini(&words);
    return status;
}
