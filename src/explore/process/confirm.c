// SPDX-License-Identifier: MIT
#include "explore/process/confirm.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "explore/process/place.h"
#include "world/unset.h"

enum { OUTPUT_KEPT = 64 << 10, HANG_FACTOR = 10 };

// Traces.

struct rh_status rh_trace_room_open(struct rh_trace_room *room)
{
    room->tape = rh_tape_new();
    room->output = rh_descriptor_raise(memfd_create("output", MFD_CLOEXEC));
    if (!room->tape || room->output < 0)
        return rh_failed("cannot reserve the memory for a trace");
    return rh_ok();
}

void rh_trace_room_close(struct rh_trace_room *room)
{
    rh_tape_free(room->tape);
    close(room->output);
}

static void read_output(int descriptor, struct rh_text *output)
{
    off_t end = lseek(descriptor, 0, SEEK_END);
    off_t start = end > OUTPUT_KEPT ? end - OUTPUT_KEPT : 0;
    char bytes[4096];
    ssize_t got;
    while (start < end && (got = pread(descriptor, bytes, sizeof bytes, start)) > 0) {
        rh_text_add_bytes(output, bytes, (size_t)got);
        start += got;
    }
}

// A worker that crashed could not record what it printed last.
static void add_last_words(struct rh_execution *execution, int descriptor)
{
    size_t recorded = 0;
    uint32_t delivery = 0;
    for (size_t i = 0; i < execution->events.count; i++) {
        if (execution->events.items[i].kind == RH_EVENT_PRINT)
            recorded += execution->events.items[i].payload_size;
        delivery = execution->events.items[i].delivery;
    }
    off_t end = lseek(descriptor, 0, SEEK_END);
    if (end <= (off_t)recorded)
        return;
    size_t size = (size_t)end - recorded;
    uint8_t *bytes = rh_alloc(size);
    ssize_t got = pread(descriptor, bytes, size, (off_t)recorded);
    rh_execution_add(execution, &(struct rh_event){.kind = RH_EVENT_PRINT,
                                                   .delivery = delivery,
                                                   .actor = rh_strdup(""),
                                                   .peer = rh_strdup(""),
                                                   .type = rh_strdup(""),
                                                   .file = rh_strdup(""),
                                                   .text = rh_strdup(""),
                                                   .payload = bytes,
                                                   .payload_size = got > 0 ? (size_t)got : 0});
}

struct rh_status rh_trace_room_read(const struct rh_trace_room *room,
                                    struct rh_execution *execution, struct rh_text *output)
{
    struct rh_status status = rh_tape_read(room->tape, execution);
    if (rh_is_ok(&status))
        add_last_words(execution, room->output);
    read_output(room->output, output);
    return status;
}

// Crashes.

static void set_place(struct rh_debug *debug, const uint64_t *frames, int frame_count,
                      struct rh_finding *finding, struct rh_text *function)
{
    struct rh_place place = rh_place_find(debug, frames, frame_count, function);
    if (!place.file)
        return;
    RH_FINDING_SET(finding->file, place.file);
    finding->line = place.line;
}

// The beginning of a handler that hangs, was killed or has left damage stands for the place: where
// a hanging one was interrupted is chance, and where the others did it is not known.
static void find_handler(struct rh_debug *debug, const struct rh_crash *crash,
                         struct rh_finding *finding)
{
    struct rh_text function = {0};
    const char *file = NULL;
    if (debug && crash->handler &&
        rh_debug_code_at(debug, (uintptr_t)crash->handler, &function, &file, &finding->line) &&
        file)
        RH_FINDING_SET(finding->file, file);
    rh_text_fini(&function);
}

static const char *signal_meaning(const struct rh_crash *crash)
{
    if (crash->overflow)
        return "stack overflow";
    switch (crash->signal) {
    case SIGSEGV:
        return crash->address < 65536 ? "access through a NULL pointer"
                                      : "access to memory that is not there or not writable";
    case SIGBUS:
        return "misaligned or missing memory (SIGBUS)";
    case SIGFPE:
        return "division by zero or overflow in a division (SIGFPE)";
    case SIGILL:
        return "illegal instruction (SIGILL)";
    case SIGABRT:
        return "abort() was called";
    case SIGINT:
        return "the program has sent SIGINT to itself";
    case SIGQUIT:
        return "the program has sent SIGQUIT to itself";
    case SIGTERM:
        return "the program has sent SIGTERM to itself";
    case SIGHUP:
        return "the program has sent SIGHUP to itself";
    case SIGKILL:
        return "killed (SIGKILL), by the program itself or for lack of memory";
    default:
        return "killed by a signal";
    }
}

static enum rh_finding_kind kind_of(const struct rh_crash *crash, enum rh_end end)
{
    return end == RH_END_HANG   ? RH_FINDING_HANG
           : end == RH_END_EXIT ? RH_FINDING_EXIT
           : crash->given       ? RH_FINDING_PRIVATE_POINTER
                                : RH_FINDING_CRASH;
}

void rh_confirm_describe(const struct rh_run_options *options, const struct rh_shared *shared,
                         enum rh_end end, struct rh_finding *finding)
{
    struct rh_debug *debug = options->debug;
    const struct rh_crash *crash = &shared->crash;
    *finding = (struct rh_finding){.kind = kind_of(crash, end)};
    finding->severity = rh_shared_severity(options, finding);
    memcpy(finding->actor, crash->actor, sizeof finding->actor);
    memcpy(finding->behaviour, crash->behaviour, sizeof finding->behaviour);
    memcpy(finding->message_type, crash->message_type, sizeof finding->message_type);
    struct rh_text function = {0};
    if (end == RH_END_HANG || crash->is_sudden || crash->is_damage)
        find_handler(debug, crash, finding);
    else
        set_place(debug, crash->frames, crash->frame_count, finding, &function);
    const char *text = end == RH_END_HANG   ? "the handler does not end"
                       : end == RH_END_EXIT ? "the program ended the process"
                       : crash->given       ? "a block was used after rh_give had given it away"
                       : crash->text[0]     ? crash->text
                                            : signal_meaning(crash);
    snprintf(
        finding->message, sizeof finding->message, "%s%s%s%s", text,
        crash->in_tool && end == RH_END_CRASH
            ? ", outside of any handler: the program has overwritten memory that is not its own"
            : "",
        function.length > 0 ? " in " : "", rh_text_get(&function));
    rh_text_fini(&function);
}

void rh_confirm_write(struct rh_debug *debug, const struct rh_shared *shared,
                      struct rh_finding *finding)
{
    const struct rh_write *write = &shared->write;
    struct rh_finding declared = *finding;
    struct rh_text function = {0};
    if (finding->kind == RH_FINDING_SHARED_STATE)
        set_place(debug, write->frames, write->frame_count, finding, &function);
    if (function.length > 0)
        snprintf(finding->message, sizeof finding->message, "%.400s (declared at %.150s:%d)",
                 declared.message, declared.file, declared.line);
    rh_text_fini(&function);
}

static enum rh_end follow(const struct rh_job *search, const struct rh_path *path,
                          struct rh_trace_room *room, const struct rh_watch *watch)
{
    struct rh_job job = *search;
    if (job.mode == RH_WORKER_SEARCH)
        job.mode = RH_WORKER_FOLLOW;
    job.follow = *path;
    job.tape = room ? room->tape : NULL;
    job.trace_output = room ? room->output : -1;
    job.ask_keeper = -1;
    return rh_keeper_run(&job, watch);
}

enum rh_end rh_confirm_follow(const struct rh_job *job, const struct rh_path *path,
                              uint32_t limit_ms, struct rh_trace_room *room)
{
    struct rh_watch watch = {.limit_ms = limit_ms, .questions = -1};
    return follow(job, path, room, &watch);
}

static bool is_wanted(void *options)
{
    const struct rh_run_options *own = options;
    return !own->interrupted || !*own->interrupted;
}

enum rh_end rh_confirm_follow_beside(const struct rh_job *job, const struct rh_path *path,
                                     uint32_t limit_ms, struct rh_trace_room *room)
{
    struct rh_watch watch = {.limit_ms = limit_ms,
                             .questions = -1,
                             .context = (void *)(uintptr_t)job->options,
                             .tick = is_wanted};
    return follow(job, path, room, &watch);
}

// Schedules.

// Names of actors by address.
static bool add_actor_name(void *context, struct rh_text *text, uint64_t address)
{
    const struct rh_execution *execution = context;
    const char *name = rh_execution_name(execution, address);
    if (name)
        rh_text_add(text, name);
    return name != NULL;
}

static const struct rh_debug_type *payload_type(struct rh_debug *debug, const char *name,
                                                size_t size)
{
    char tagged[256];
    snprintf(tagged, sizeof tagged, "struct %s", name);
    const struct rh_debug_type *type = rh_debug_find_type(debug, tagged, size);
    return type ? type : rh_debug_find_type(debug, tagged, 0);
}

static char *copy_or_null(const char *text)
{
    return text[0] != '\0' ? rh_strdup(text) : NULL;
}

char *rh_confirm_comment(struct rh_debug *debug, const struct rh_execution *execution,
                         const struct rh_event *event)
{
    struct rh_text text = {0};
    rh_text_add(&text, "");
    if (debug && event->payload_size > 0) {
        struct rh_debug_names names = {(void *)(uintptr_t)execution, add_actor_name};
        rh_debug_add_value(debug, &text, payload_type(debug, event->type, event->payload_size),
                           event->payload, event->payload_size, &names);
        rh_text_add(&text, " ");
    }
    rh_text_add(&text, event->text);
    if (*event->file)
        rh_text_addf(&text, "sent at %s:%d", event->file, event->line);
    return rh_text_take(&text);
}

static struct rh_step message_step(const struct rh_run_options *options,
                                   const struct rh_execution *execution,
                                   const struct rh_event *event, enum rh_step_kind kind)
{
    bool arrives = kind == RH_STEP_DELIVER;
    char *comment = rh_confirm_comment(options->debug, execution, event);
    if (*comment == '\0') {
        free(comment);
        comment = NULL;
    }
    return (struct rh_step){.kind = kind,
                            .type = rh_strdup(event->type),
                            .receiver = rh_strdup(arrives ? event->actor : event->peer),
                            .sender = rh_strdup(arrives ? event->peer : event->actor),
                            .has_identity = true,
                            .identity = event->identity,
                            .comment = comment};
}

static void add_step(const struct rh_run_options *options, const struct rh_execution *execution,
                     const struct rh_event *event, struct rh_schedule *schedule)
{
    struct rh_step step;
    switch (event->kind) {
    case RH_EVENT_LAP:
        step = (struct rh_step){.kind = RH_STEP_LAP,
                                .comment = rh_strdup("what follows leads back to here")};
        break;
    case RH_EVENT_CHOOSE:
        step = (struct rh_step){
            .kind = RH_STEP_CHOOSE,
            .outcome = (int)event->number,
            .count = atoi(event->type),
            .comment = copy_or_null(event->text),
        };
        break;
    case RH_EVENT_ANSWER:
        step = (struct rh_step){.kind = RH_STEP_ANSWER,
                                .type = rh_strdup(event->type),
                                .value = (uint64_t)event->number};
        break;
    case RH_EVENT_DELIVER:
        step = message_step(options, execution, event, RH_STEP_DELIVER);
        break;
    case RH_EVENT_DROP:
        step = message_step(options, execution, event, RH_STEP_DROP);
        break;
    case RH_EVENT_DUPLICATE:
        step = message_step(options, execution, event, RH_STEP_DUPLICATE);
        break;
    case RH_EVENT_CRASH:
        step = (struct rh_step){.kind = event->number ? RH_STEP_RESTART : RH_STEP_CRASH,
                                .receiver = rh_strdup(event->actor),
                                .has_identity = true,
                                .identity = event->identity};
        break;
    default:
        return;
    }
    *rh_vector_push(&schedule->steps) = step;
}

// Leaves out recorded messages from outside that have not come this time.
static void leave_out_absent(struct rh_schedule *schedule, const struct rh_execution *execution)
{
    struct rh_index sent = {0};
    for (size_t i = 0; i < execution->events.count && schedule->sends.count > 0; i++) {
        const struct rh_event *event = &execution->events.items[i];
        bool is_sent = event->kind == RH_EVENT_SEND || event->kind == RH_EVENT_TIMER;
        if (is_sent && rh_index_find(&sent, event->identity) == RH_NONE)
            rh_index_add(&sent, event->identity, (uint32_t)i);
    }
    rh_schedule_keep_needed(schedule, &sent);
    rh_index_fini(&sent);
}

void rh_confirm_schedule(const struct rh_run_options *options, const struct rh_test *test,
                         const struct rh_execution *execution, struct rh_schedule *schedule)
{
    *schedule = (struct rh_schedule){.test = rh_strdup(test->name),
                                     .order_rule = options->order_rule,
                                     .time = options->time,
                                     .environment = options->environment};
    if (options->schedule)
        rh_schedule_copy_inputs(schedule, options->schedule);
    leave_out_absent(schedule, execution);
    for (size_t i = 0; i < execution->events.count; i++)
        add_step(options, execution, &execution->events.items[i], schedule);
}

// Findings.

static size_t count_deliveries(const struct rh_schedule *schedule)
{
    size_t count = 0;
    for (size_t i = 0; i < schedule->steps.count; i++)
        count += rh_step_is_move(schedule->steps.items[i].kind);
    return count;
}

void rh_confirm_fill(const struct rh_finding *finding, const struct rh_execution *execution,
                     struct rh_shown *shown)
{
    shown->finding = *finding;
    shown->finding.delivery = rh_finding_find_delivery(finding, execution);
    shown->steps = count_deliveries(&shown->schedule);
    rh_finding_head(finding, &shown->schedule);
}

// A finding that does not show again is a finding about the program's determinism.
static void note_absence(const struct rh_run_options *options, struct rh_finding *finding)
{
    char message[sizeof finding->message];
    snprintf(message, sizeof message,
             "%s: %.400s: this did not show again when the same deliveries were "
             "repeated",
             rh_finding_kind_name(finding->kind), finding->message);
    memcpy(finding->message, message, sizeof message);
    finding->kind = RH_FINDING_NONDETERMINISM;
    finding->lap.unfair = false;
    finding->lap.length = 0;
    finding->severity = rh_shared_severity(options, finding);
}

static bool was_shown(const struct rh_job *job, enum rh_end end, uint64_t key)
{
    struct rh_shared *shared = job->shared;
    for (uint32_t i = 0; i < shared->lead_count; i++)
        if (shared->leads[i].key == key && shared->leads[i].shown)
            return true;
    if (end != RH_END_CRASH && end != RH_END_HANG && end != RH_END_EXIT)
        return false;
    struct rh_finding crash;
    rh_confirm_describe(job->options, shared, end, &crash);
    return rh_shared_key(&crash) == key;
}

// Follows the path to a finding: all of it, or only decisions that the finding needs. Opens the
// room.
static struct rh_status follow_lead(const struct rh_job *job, const struct rh_lead *lead,
                                    bool only_needed, struct rh_trace_room *room, bool *is_shown)
{
    struct rh_shared *shared = job->shared;
    const struct rh_finding *finding = &lead->finding;
    const struct rh_decision *decisions = &shared->paths[lead->path];
    struct rh_status status = rh_trace_room_open(room);
    if (!rh_is_ok(&status))
        return status;
    for (uint32_t i = 0; i < shared->lead_count; i++)
        shared->leads[i].shown = false;
    shared->write.frame_count = 0;
    struct rh_path path = {.length = lead->length};
    path.decisions = rh_alloc(sizeof *path.decisions * (lead->length + 1));
    memcpy(path.decisions, decisions, sizeof *path.decisions * lead->length);
    if (only_needed)
        path.length = rh_shortest_take(decisions, lead->length, path.decisions);
    path.keep = path.length;
    struct rh_job follower = *job;
    follower.unguarded = finding->kind == RH_FINDING_HANG;
    follower.fill = rh_unset_fill(finding);
    follower.by_identity = only_needed;
    follower.lap = finding->lap.length > 0 ? finding->lap.start : RH_NONE;
    follower.variety = finding->lap.variety;
    // A hang, too, gets the time it had when it was found: a handler that only takes long is none.
    enum rh_end end =
        rh_confirm_follow(&follower, &path, job->options->hang_ms * HANG_FACTOR, room);
    free(path.decisions);
    *is_shown = end != RH_END_STATUS &&
                (finding->kind == RH_FINDING_NONDETERMINISM || was_shown(job, end, lead->key));
    return end == RH_END_STATUS ? shared->status : rh_ok();
}

static bool needs_all(const struct rh_shared *shared, const struct rh_lead *lead)
{
    for (uint32_t i = 0; i < lead->length; i++)
        if (!shared->paths[lead->path + i].is_needed)
            return false;
    return true;
}

struct rh_status rh_confirm_lead(const struct rh_job *job, const struct rh_lead *lead,
                                 struct rh_shown *shown)
{
    struct rh_finding finding = lead->finding;
    struct rh_trace_room room;
    bool is_shown = false;
    struct rh_status status = rh_ok();
    if (!needs_all(job->shared, lead)) {
        status = follow_lead(job, lead, true, &room, &is_shown);
        if (!is_shown)
            rh_trace_room_close(&room);
    }
    if (!is_shown)
        status = follow_lead(job, lead, false, &room, &is_shown);
    if (rh_is_ok(&status) && !is_shown)
        note_absence(job->options, &finding);
    else if (job->shared->crash.is_sudden)
        memcpy(finding.actor, job->shared->crash.actor, sizeof finding.actor);
    rh_confirm_write(job->options->debug, job->shared, &finding);
    if (rh_is_ok(&status))
        status = rh_trace_room_read(&room, &shown->execution, &shown->output);
    rh_trace_room_close(&room);
    rh_confirm_schedule(job->options, job->test, &shown->execution, &shown->schedule);
    rh_confirm_fill(&finding, &shown->execution, shown);
    return status;
}
