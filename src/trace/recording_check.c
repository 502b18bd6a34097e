// SPDX-License-Identifier: MIT
// Whether a recording can be repeated, and what is left of one that can't.
#include <sys/mman.h>

#include "base/hash.h"
#include "base/input_file.h"
#include "trace/recording.h"

uint64_t rh_recording_hash_file(const char *path)
{
    struct rh_input_file file;
    struct rh_status status = rh_input_open(&file, path);
    uint64_t hash = 0;
    if (rh_is_ok(&status) && file.size > 0) {
        void *bytes = mmap(NULL, file.size, PROT_READ, MAP_PRIVATE, file.descriptor, 0);
        if (bytes != MAP_FAILED) {
            hash = rh_hash64(bytes, file.size, 7);
            munmap(bytes, file.size);
        }
    }
    rh_input_close(&file);
    return hash;
}

void rh_recording_log(const struct rh_recording *recording, struct rh_text *text, size_t most)
{
    const struct rh_recorded_log *items = recording->log.items;
    for (size_t i = 0; i < recording->log.count;) {
        size_t end = i;
        while (end < recording->log.count && items[end].lane == items[i].lane)
            end++;
        size_t first = end - i > most ? end - most : i;
        rh_text_addf(text, "thread %u, its last %zu deliveries:\n", items[i].lane + 1, end - first);
        for (; first < end; first++)
            rh_text_addf(text, "    %s%s to %s (actor %u)\n", items[first].type,
                         items[first].is_reply ? " (reply)" : "", items[first].behaviour,
                         items[first].cell + 1);
        i = end;
    }
}

struct rh_status rh_recording_check(const struct rh_recording *recording, const char *path,
                                    const char *program)
{
    if (recording->overwritten > 0)
        return rh_bad_input("%s can't be repeated: it was longer than REHEARSE_RECORD_LIMIT, and "
                            "its beginning is overwritten",
                            path);
    if (recording->is_too_long)
        return rh_bad_input("%s can't be repeated: it has more than %d deliveries", path,
                            RH_RECORDING_MOST);
    if (recording->program_hash != rh_recording_hash_file(program))
        return rh_bad_input("%s was recorded with another build of %s: it can only be repeated "
                            "with that",
                            path, recording->program);
    if (recording->drops.count > RH_RECORDING_DROPS)
        return rh_bad_input("%s can't be repeated: more than %d messages were dropped because "
                            "mailboxes were full",
                            path, RH_RECORDING_DROPS);
    if (recording->has_late_sender)
        return rh_bad_input("%s can't be repeated: rh_outside was called after setup", path);
    return rh_ok();
}
