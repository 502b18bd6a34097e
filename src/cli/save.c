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
static char *shrunk_path(const struct rh_options *options)
{
    static const char extension[] = ".schedule", mark[] = "-shrunk";
    struct rh_text path = {0};
    const char *base = rh_base_name(options->schedule);
    size_t length = strlen(base);
    if (length > strlen(extension) && !strcmp(base + length - strlen(extension), extension))
        length -= strlen(extension);
    if (length > strlen(mark) && !strncmp(base + length - strlen(mark), mark, strlen(mark)))
        length -= strlen(mark);
    add_directory(&path, options);
    rh_text_add_bytes(&path, base, length);
    rh_text_addf(&path, "%s%s", mark, extension);
    return rh_text_take(&path);
}

// TEST.schedule, TEST-2.schedule for errors; TEST-warning.schedule for warnings, which must not
// replace a file of an error. With a condition such as "--drop 1", TEST-drop.schedule and so on.
static char *schedule_path(const struct rh_options *options, const char *test,
                           const char *condition, enum rh_severity severity, size_t number)
{
    struct rh_text path = {0};
    if (options->verb == RH_VERB_SHRINK)
        return shrunk_path(options);
    add_directory(&path, options);
    rh_text_add(&path, test);
    if (condition)
        rh_text_add_bytes(&path, condition + 1, strcspn(condition, " ") - 1);
    if (severity == RH_SEVERITY_WARNING)
        rh_text_add(&path, "-warning");
    if (number > 1)
        rh_text_addf(&path, "-%zu", number);
    rh_text_add(&path, ".schedule");
    return rh_text_take(&path);
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

// Writes the schedule of a finding that comes after `number` - 1 others of its severity. Gives its
// path, owned; NULL if it can't be written.
static char *save_one(const struct rh_options *options, const char *test, const char *condition,
                      struct rh_shown *shown, size_t number, struct rh_status *status)
{
    complete_head(options, test, &shown->schedule);
    char *path = schedule_path(options, test, condition, shown->finding.severity, number);
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
    size_t number = ++early->counts[shown->finding.severity];
    char *path = save_one(early->options, early->test, early->condition, shown, number, &status);
    if (path)
        *rh_vector_push(&early->paths) = path;
}

static bool has_path(const struct rh_result *result, const char *path)
{
    for (size_t i = 0; i < result->findings.count; i++) {
        const char *own = result->findings.items[i].schedule_path;
        if (own && strcmp(own, path) == 0)
            return true;
    }
    return false;
}

void rh_save_tidy(struct rh_early_save *early, const struct rh_result *result)
{
    for (size_t i = 0; i < early->paths.count; i++)
        if (!has_path(result, early->paths.items[i]))
            unlink(early->paths.items[i]);
}

void rh_early_save_fini(struct rh_early_save *early)
{
    for (size_t i = 0; i < early->paths.count; i++)
        free(early->paths.items[i]);
    rh_vector_fini(&early->paths);
}

struct rh_status rh_save_findings(const struct rh_options *options, struct rh_result *result)
{
    struct rh_status first = rh_ok();
    size_t counts[RH_SEVERITIES] = {0};
    for (size_t i = 0; i < result->findings.count; i++) {
        struct rh_shown *shown = &result->findings.items[i];
        size_t number = ++counts[shown->finding.severity];
        struct rh_status status;
        char *path = save_one(options, result->test, result->condition, shown, number, &status);
        if (path) {
            free(shown->schedule_path);
            shown->schedule_path = path;
        } else if (rh_is_ok(&first)) {
            first = rh_failed("a finding of test %s could not be saved: %.800s", result->test,
                              status.text);
        }
    }
    return first;
}
