// SPDX-License-Identifier: MIT
#include "trace/schedule_saving.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file_name.h"
#include "base/line.h"
#include "trace/schedule_file.h"

void rh_saved_paths_fini(struct rh_saved_paths *saved)
{
    for (size_t i = 0; i < saved->count; i++)
        free(saved->items[i]);
    rh_vector_fini(saved);
}

bool rh_saved_paths_has(const struct rh_saved_paths *saved, const char *path)
{
    for (size_t i = 0; saved && i < saved->count; i++)
        if (strcmp(saved->items[i], path) == 0)
            return true;
    return false;
}

static bool are_same(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : one == other;
}

static bool have_same_test(const struct rh_schedule *one, const struct rh_schedule *other)
{
    if (one->programs.count != other->programs.count || !are_same(one->test, other->test))
        return false;
    for (size_t i = 0; i < one->programs.count; i++)
        if (!rh_has_same_stem(one->programs.items[i], other->programs.items[i]))
            return false;
    return true;
}

// How much a file has to do with the schedule that is to be saved.
enum likeness {
    OTHER,
    ALIKE, // the same finding, but on another line: lines move when the program is changed
    SAME
};

// Whether the file has the first line of the schedule's note, which is what was found.
static bool says_note(const struct rh_text *file, const struct rh_schedule *schedule)
{
    struct rh_text line = {0};
    rh_text_add(&line, "\n# ");
    rh_text_add_line(&line, schedule->note, strcspn(schedule->note, "\n"));
    rh_text_add(&line, "\n");
    bool says = strstr(rh_text_get(file), rh_text_get(&line)) != NULL;
    rh_text_fini(&line);
    return says;
}

static enum likeness compare(const struct rh_schedule *schedule, const struct rh_schedule *old,
                             const struct rh_text *file)
{
    if (!have_same_test(schedule, old) || !are_same(schedule->finding_kind, old->finding_kind) ||
        !are_same(schedule->finding_file, old->finding_file))
        return OTHER;
    bool says_same = !schedule->note || says_note(file, schedule);
    if (schedule->finding_line == old->finding_line && (schedule->finding_line > 0 || says_same))
        return SAME;
    return says_same ? ALIKE : OTHER;
}

static enum likeness look_at(const char *path, const struct rh_schedule *schedule)
{
    struct rh_text file = {0};
    struct rh_schedule old = {0};
    struct rh_status status = rh_text_read_file(&file, path, RH__SCHEDULE_FILE_LIMIT);
    if (rh_is_ok(&status))
        status = rh_schedule_parse(&old, path, rh_text_get(&file), file.length);
    enum likeness likeness = rh_is_ok(&status) ? compare(schedule, &old, &file) : OTHER;
    rh_schedule_fini(&old);
    rh_text_fini(&file);
    return likeness;
}

static char *path_of(const char *name, size_t number)
{
    struct rh_text path = {0};
    rh_text_add(&path, name);
    if (number > 1)
        rh_text_addf(&path, "-%zu", number);
    rh_text_add(&path, ".schedule");
    return rh_text_take(&path);
}

char *rh_schedule_saving_path(const char *name, const struct rh_schedule *schedule,
                              const struct rh_saved_paths *saved, const struct rh_saved_paths *own,
                              bool *is_new)
{
    char *path = NULL, *alike = NULL;
    struct stat file;
    enum likeness likeness = OTHER;
    bool is_free = false;
    for (size_t number = 1; !is_free && likeness != SAME; number++) {
        free(path);
        path = path_of(name, number);
        if (rh_saved_paths_has(saved, path))
            continue;
        // What is no ordinary file can't be written either, which is told then.
        is_free = rh_saved_paths_has(own, path) || stat(path, &file) < 0 || !S_ISREG(file.st_mode);
        likeness = is_free ? OTHER : look_at(path, schedule);
        if (likeness == ALIKE && !alike)
            alike = rh_strdup(path);
    }
    bool takes_alike = alike && is_free;
    if (is_new)
        *is_new = is_free && !takes_alike;
    free(takes_alike ? path : alike);
    return takes_alike ? alike : path;
}
