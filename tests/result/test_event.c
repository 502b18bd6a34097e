// SPDX-License-Identifier: MIT
#include "result/event.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

static int new_file(void)
{
    int descriptor = memfd_create("trace", MFD_CLOEXEC);
    EXPECT(descriptor >= 0);
    return descriptor;
}

static size_t size_of(int descriptor)
{
    struct stat stat;
    EXPECT(fstat(descriptor, &stat) == 0);
    return (size_t)stat.st_size;
}

static void write_two(int descriptor)
{
    uint8_t payload[] = {1, 0, 2, 255};
    struct rh_event send = {
        .kind = RH_EVENT_SEND,
        .delivery = 7,
        .identity = UINT64_MAX,
        .actor_address = 0x600000000000,
        .peer_address = 1,
        .number = INT64_MIN,
        .line = 42,
        .actor = "teller#2",
        .peer = "account#1",
        .type = "withdraw",
        .file = "bank.c",
        .text = "text",
        .payload = payload,
        .payload_size = sizeof payload,
    };
    rh_event_write(descriptor, &send);
    rh_event_write(descriptor, &(struct rh_event){.kind = RH_EVENT_FINDING, .actor = "outside"});
}

static void expect_first(const struct rh_event *event)
{
    EXPECT(event->kind == RH_EVENT_SEND && event->delivery == 7 && event->line == 42);
    EXPECT(event->identity == UINT64_MAX && event->actor_address == 0x600000000000);
    EXPECT(event->peer_address == 1 && event->number == INT64_MIN);
    EXPECT_TEXT(event->actor, "teller#2");
    EXPECT_TEXT(event->peer, "account#1");
    EXPECT_TEXT(event->type, "withdraw");
    EXPECT_TEXT(event->file, "bank.c");
    EXPECT_TEXT(event->text, "text");
    EXPECT(event->payload_size == 4 && memcmp(event->payload, "\1\0\2\377", 4) == 0);
}

static void records_round_trip(void)
{
    int file = new_file();
    write_two(file);
    off_t position = lseek(file, 0, SEEK_CUR);
    struct rh_trace trace;
    struct rh_status status = rh_trace_read(&trace, file);
    EXPECT_TEXT(status.text, "");
    EXPECT(trace.events.count == 2);
    expect_first(&trace.events.items[0]);
    const struct rh_event *finding = &trace.events.items[1];
    EXPECT(finding->kind == RH_EVENT_FINDING && finding->payload && finding->payload_size == 0);
    EXPECT_TEXT(finding->actor, "outside");
    EXPECT_TEXT(finding->peer, "");
    EXPECT_TEXT(finding->text, "");
    EXPECT(lseek(file, 0, SEEK_CUR) == position);
    rh_trace_fini(&trace);
    EXPECT(trace.events.count == 0);
    close(file);
}

static void empty_file_is_an_empty_trace(void)
{
    int file = new_file();
    struct rh_trace trace;
    struct rh_status status = rh_trace_read(&trace, file);
    EXPECT(rh_is_ok(&status) && trace.events.count == 0);
    rh_trace_fini(&trace);
    close(file);
}

// Wherever the last record is torn, the ones before it are read.
static void torn_record_is_dropped(void)
{
    int file = new_file();
    write_two(file);
    for (size_t size = size_of(file); size-- > 0;) {
        EXPECT(ftruncate(file, (off_t)size) == 0);
        struct rh_trace trace;
        struct rh_status status = rh_trace_read(&trace, file);
        EXPECT(rh_is_ok(&status) && trace.events.count <= 1);
        if (trace.events.count)
            expect_first(&trace.events.items[0]);
        rh_trace_fini(&trace);
    }
    close(file);
}

// No damage crashes the reader: it reads other values or says that the trace is damaged.
static void damage_is_survived(void)
{
    int file = new_file();
    write_two(file);
    int refused = 0;
    for (size_t at = 0; at < size_of(file); at++) {
        uint8_t byte;
        EXPECT(pread(file, &byte, 1, (off_t)at) == 1);
        uint8_t other = byte ^ 0x81;
        EXPECT(pwrite(file, &other, 1, (off_t)at) == 1);
        struct rh_trace trace;
        struct rh_status status = rh_trace_read(&trace, file);
        if (!rh_is_ok(&status)) {
            EXPECT_PART(status.text, "is damaged at byte");
            EXPECT(trace.events.count == 0);
            refused++;
        }
        rh_trace_fini(&trace);
        EXPECT(pwrite(file, &byte, 1, (off_t)at) == 1);
    }
    EXPECT(refused > 50);
    close(file);
}

static void large_payload_survives(void)
{
    size_t size = (size_t)3 << 20;
    uint8_t *payload = rh_alloc(size);
    for (size_t i = 0; i < size; i++)
        payload[i] = (uint8_t)(i * 7);
    int file = new_file();
    rh_event_write(
        file, &(struct rh_event){.kind = RH_EVENT_PRINT, .payload = payload, .payload_size = size});
    struct rh_trace trace;
    struct rh_status status = rh_trace_read(&trace, file);
    EXPECT(rh_is_ok(&status) && trace.events.count == 1);
    EXPECT(trace.events.items[0].payload_size == size);
    EXPECT(memcmp(trace.events.items[0].payload, payload, size) == 0);
    rh_trace_fini(&trace);
    free(payload);
    close(file);
}

static void bad_descriptors_are_errors(void)
{
    struct rh_trace trace;
    struct rh_status status = rh_trace_read(&trace, -1);
    EXPECT(status.code == RH_FAILED);
    EXPECT_PART(status.text, "can't be read");
    // A writer that can't write goes on: the execution matters more than its trace.
    rh_event_write(-1, &(struct rh_event){.kind = RH_EVENT_STOP});
    int full = open("/dev/full", O_WRONLY);
    rh_event_write(full, &(struct rh_event){.kind = RH_EVENT_STOP});
    close(full);
}

int main(void)
{
    EXPECT_TEXT(rh_event_kind_name(RH_EVENT_DELIVER), "deliver");
    EXPECT_TEXT(rh_event_kind_name(RH_EVENT_FINDING), "finding");
    records_round_trip();
    empty_file_is_an_empty_trace();
    torn_record_is_dropped();
    damage_is_survived();
    large_payload_survives();
    bad_descriptors_are_errors();
    return 0;
}
