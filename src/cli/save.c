// SPDX-License-Identifier: MIT
#include "cli/save.h"

#include "base/file_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct rh_status rh_save_check(const struct rh_options *options)
{
    struct stat stat_of_directory;
    if (!options->save)
        return rh_ok();
    if (stat(options->save, &stat_of_directory) < 0)
        return rh_bad_input("--save %s: %s", options->save, strerror(errno));
    if (!S_ISDIR(stat_of_directory.st_mode))
        return rh_bad_input("--save %s: not a directory", options->save);
    if (access(options->save, W_OK | X_OK) < 0)
        return rh_bad_input("--save %s: cannot be written: %s", options->save, strerror(errno));
    return rh_ok();
}

static void add_directory(struct rh_text *path, const struct rh_options *options)
{
    if (!options->save)
        return;
    rh_text_add(path, options->save);
    if (options->save[strlen(options->save) - 1] != '/')
        rh_text_add(path, "/");
}

// found.schedule is shrunk to found-shrunk.schedule, and found-shrunk.schedule to itself.
static void add_shrunk_name(struct rh_text *name, const struct rh_options *options)
{
    static const char extension[] = ".schedule", mark[] = "-shrunk";
    const char *base = rh_base_name(options->schedule);
    size_t length = strlen(base);
    if (length > strlen(extension) && !strcmp(base + length - strlen(extension), extension))
        length -= strlen(extension);
    if (length > strlen(mark) && !strncmp(base + length - strlen(mark), mark, strlen(mark)))
        length -= strlen(mark);
    rh_text_add_bytes(name, base, length);
    rh_text_add(name, mark);
}

// What the file's name begins with: TEST for errors; TEST-warning for warnings. With a condition
// such as "--drop 1", TEST-drop and so on.
static void add_name(struct rh_text *name, const struct rh_options *options, const char *test,
                     const char *condition, enum rh_severity severity)
{
    add_directory(name, options);
    if (options->verb == RH_VERB_SHRINK) {
        add_shrunk_name(name, options);
        return;
    }
    rh_text_add(name, test);
    if (condition)
        rh_text_add_bytes(name, condition + 1, strcspn(condition, " ") - 1);
    if (severity == RH_SEVERITY_WARNING)
        rh_text_add(name, "-warning");
}

// The schedule names its program and test too, so that the file alone is enough to replay it.
static void complete_head(const struct rh_options *options, const char *test,
                          struct rh_schedule *schedule)
{
    for (size_t i = 0; i < schedule->programs.count; i++)
        free(schedule->programs.items[i]);
    schedule->programs.count = 0;
    for (size_t i = 0; i < options->names.count; i++)
        *rh_vector_push(&schedule->programs) = rh_strdup(options->names.items[i]);
    if (options->adapter && !schedule->adapter) {
        schedule->adapter = rh_strdup(options->adapter);
        for (size_t i = 0; i < options->arguments.count; i++)
            *rh_vector_push(&schedule->arguments) = rh_strdup(options->arguments.items[i]);
    }
    schedule->random = options->adapter ? options->run.random : 0;
    if (!schedule->test)
        schedule->test = rh_strdup(test);
}

// Writes the schedule of a finding. Gives its path, owned; NULL if it can't be written.
static char *save_one(const struct rh_early_save *early, struct rh_shown *shown,
                      const struct rh_saved_paths *saved, const struct rh_saved_paths *own,
                      bool *is_new, struct rh_status *status)
{
    struct rh_text name = {0};
    complete_head(early->options, early->test, &shown->schedule);
    add_name(&name, early->options, early->test, early->condition, shown->finding.severity);
    char *path = rh_schedule_saving_path(rh_text_get(&name), &shown->schedule, saved, own, is_new);
    rh_text_fini(&name);
    *status = rh_schedule_write(&shown->schedule, path);
    if (rh_is_ok(status))
        return path;
    free(path);
    return NULL;
}

void rh_save_early(void *context, struct rh_shown *shown)
{
    struct rh_early_save *early = context;
    struct rh_status status;
    bool is_new;
    char *path = save_one(early, shown, &early->saved, NULL, &is_new, &status);
    if (!path)
        return;
    *rh_vector_push(&early->saved) = path;
    if (is_new)
        *rh_vector_push(&early->created) = rh_strdup(path);
}

void rh_early_save_fini(struct rh_early_save *early)
{
    rh_saved_paths_fini(&early->saved);
    rh_saved_paths_fini(&early->created);
}

static void remove_others(const struct rh_early_save *early, const struct rh_saved_paths *saved)
{
    for (size_t i = 0; i < early->created.count; i++)
        if (!rh_saved_paths_has(saved, early->created.items[i]))
            unlink(early->created.items[i]);
}

struct rh_status rh_save_findings(const struct rh_early_save *early, struct rh_result *result)
{
    struct rh_status first = rh_ok();
    struct rh_saved_paths saved = {0};
    for (size_t i = 0; i < result->findings.count; i++) {
        struct rh_shown *shown = &result->findings.items[i];
        struct rh_status status;
        char *path = save_one(early, shown, &saved, &early->created, NULL, &status);
        if (path) {
            free(shown->schedule_path);
            shown->schedule_path = path;
            *rh_vector_push(&saved) = rh_strdup(path);
        } else if (rh_is_ok(&first)) {
            first = rh_failed("a finding of test %s could not be saved: %.800s", result->test,
                              status.text);
        }
    }
    if (rh_is_ok(&first))
        remove_others(early, &saved);
    rh_saved_paths_fini(&saved);
    return first;
}
