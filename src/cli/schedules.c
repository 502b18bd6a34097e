// SPDX-License-Identifier: MIT
#include "cli/schedules.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool rh_schedules_is(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

struct rh_status rh_schedules_make(const char *directory)
{
    if (!directory || mkdir(directory, 0777) == 0 ||
        (rh_schedules_is(directory) && access(directory, W_OK) == 0))
        return rh_ok();
    return rh_bad_input("%s: schedules cannot be saved there", directory);
}

static int is_schedule(const struct dirent *entry)
{
    static const char ending[] = ".schedule";
    size_t length = strlen(entry->d_name), end = sizeof ending - 1;
    return length > end && !strcmp(entry->d_name + length - end, ending);
}

// Numbers in names count as numbers: the tenth comes after the ninth.
static int by_name(const struct dirent **one, const struct dirent **other)
{
    return strverscmp((*one)->d_name, (*other)->d_name);
}

static struct rh_status read_one(struct rh_schedules *schedules, const char *directory,
                                 const char *name)
{
    struct rh_text path = {0};
    struct rh_schedule schedule;
    rh_text_addf(&path, "%s/%s", directory, name);
    struct rh_status status = rh_schedule_read(&schedule, rh_text_get(&path));
    if (rh_is_ok(&status))
        *(struct rh_schedule *)rh_vector_push(schedules) = schedule;
    rh_text_fini(&path);
    return status;
}

struct rh_status rh_schedules_read(struct rh_schedules *schedules, const char *directory,
                                   size_t most)
{
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, is_schedule, by_name);
    struct rh_status status = rh_ok();
    if (count < 0)
        status = rh_bad_input("%s cannot be read", directory);
    else if (count == 0)
        status = rh_bad_input("%s has no files NAME.schedule", directory);
    for (int i = 0; i < count; i++) {
        if (rh_is_ok(&status) && schedules->count < most)
            status = read_one(schedules, directory, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return status;
}

void rh_schedules_fini(struct rh_schedules *schedules)
{
    for (size_t i = 0; i < schedules->count; i++)
        rh_schedule_fini(&schedules->items[i]);
    rh_vector_fini(schedules);
}
