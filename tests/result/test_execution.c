// SPDX-License-Identifier: MIT
#include "result/execution.h"

#include "result/tape.h"
#include "test.h"

static void write_two(struct rh_tape *tape)
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
    EXPECT(rh_tape_write(tape, &send));
    EXPECT(rh_tape_write(tape, &(struct rh_event){.kind = RH_EVENT_FINDING, .actor = "outside"}));
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
    struct rh_tape *tape = rh_tape_new();
    write_two(tape);
    struct rh_execution execution;
    struct rh_status status = rh_tape_read(tape, &execution);
    EXPECT_TEXT(status.text, "");
    EXPECT(execution.events.count == 2);
    expect_first(&execution.events.items[0]);
    const struct rh_event *finding = &execution.events.items[1];
    EXPECT(finding->kind == RH_EVENT_FINDING && finding->payload && finding->payload_size == 0);
    EXPECT_TEXT(finding->actor, "outside");
    EXPECT_TEXT(finding->peer, "");
    EXPECT_TEXT(finding->text, "");
    rh_execution_fini(&execution);
    EXPECT(execution.events.count == 0);
    rh_tape_free(tape);
}

static void empty_tape_is_an_empty_execution(void)
{
    struct rh_tape *tape = rh_tape_new();
    struct rh_execution execution;
    struct rh_status status = rh_tape_read(tape, &execution);
    EXPECT(rh_is_ok(&status) && execution.events.count == 0);
    rh_tape_free(tape);
}

// No damage crashes the reader: it reads other values or says that the record is damaged.
static void damage_is_survived(void)
{
    struct rh_tape *tape = rh_tape_new();
    write_two(tape);
    uint8_t *bytes = (uint8_t *)(tape + 1);
    int refused = 0;
    for (size_t at = 0; at < tape->top; at++) {
        bytes[at] ^= 0x81;
        struct rh_execution execution;
        struct rh_status status = rh_tape_read(tape, &execution);
        if (!rh_is_ok(&status)) {
            EXPECT_PART(status.text, "is damaged at byte");
            EXPECT(execution.events.count == 0);
            refused++;
        }
        rh_execution_fini(&execution);
        bytes[at] ^= 0x81;
    }
    EXPECT(refused > 50);
    rh_tape_free(tape);
}

// The program under test may also have changed how much is on the tape.
static void wrong_ends_are_refused(void)
{
    struct rh_tape *tape = rh_tape_new();
    write_two(tape);
    size_t tops[] = {1, tape->top - 1, tape->top + 1, tape->room + 1, SIZE_MAX};
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++) {
        tape->top = tops[i];
        struct rh_execution execution;
        struct rh_status status = rh_tape_read(tape, &execution);
        EXPECT(status.code == RH_FAILED && execution.events.count == 0);
    }
    rh_tape_free(tape);
}

static void large_payload_survives(void)
{
    size_t size = (size_t)3 << 20;
    uint8_t *payload = rh_alloc(size);
    for (size_t i = 0; i < size; i++)
        payload[i] = (uint8_t)(i * 7);
    struct rh_tape *tape = rh_tape_new();
    EXPECT(rh_tape_write(
        tape,
        &(struct rh_event){.kind = RH_EVENT_PRINT, .payload = payload, .payload_size = size}));
    struct rh_execution execution;
    struct rh_status status = rh_tape_read(tape, &execution);
    EXPECT(rh_is_ok(&status) && execution.events.count == 1);
    EXPECT(execution.events.items[0].payload_size == size);
    EXPECT(memcmp(execution.events.items[0].payload, payload, size) == 0);
    rh_execution_fini(&execution);
    free(payload);
    rh_tape_free(tape);
}

// What does not fit is left out whole.
static void full_tape_refuses(void)
{
    struct rh_tape *tape = rh_tape_new();
    write_two(tape);
    size_t top = tape->top, room = tape->room;
    tape->room = top + 8;
    EXPECT(!rh_tape_write(tape, &(struct rh_event){.kind = RH_EVENT_STOP}));
    EXPECT(tape->top == top);
    struct rh_execution execution;
    struct rh_status status = rh_tape_read(tape, &execution);
    EXPECT(rh_is_ok(&status) && execution.events.count == 2);
    rh_execution_fini(&execution);
    tape->room = room;
    rh_tape_free(tape);
}

static void add(struct rh_execution *execution, enum rh_event_kind kind, uint32_t delivery,
                uint64_t identity, uint64_t peer_address)
{
    rh_execution_add(execution, &(struct rh_event){.kind = kind,
                                                   .delivery = delivery,
                                                   .identity = identity,
                                                   .peer_address = peer_address,
                                                   .peer = rh_strdup("account#1")});
}

// The body creates an actor and sends to it; the delivery sends two, of which one is lost.
static void who_is_who(void)
{
    struct rh_execution execution = {0};
    add(&execution, RH_EVENT_SPAWN, 0, 1, 100);
    add(&execution, RH_EVENT_SEND, 0, 11, 100);
    add(&execution, RH_EVENT_DELIVER, 1, 11, 0);
    add(&execution, RH_EVENT_ASK, 1, 12, 100);
    add(&execution, RH_EVENT_TIMER, 1, 13, 100);
    add(&execution, RH_EVENT_DROP, 1, 12, 100);
    EXPECT(execution.deliveries == 1 && execution.messages.count == 3);
    const struct rh_execution_message *first = rh_execution_message(&execution, 11);
    EXPECT(first && first->sent == 1 && first->sent_in == 0 && first->taken == 2);
    const struct rh_execution_message *lost = rh_execution_message(&execution, 12);
    EXPECT(lost && lost->sent == 3 && lost->sent_in == 1 && lost->taken == 5);
    const struct rh_execution_message *pending = rh_execution_message(&execution, 13);
    EXPECT(pending && pending->taken == RH_NONE);
    EXPECT(!rh_execution_message(&execution, 14) && !rh_execution_sending(&execution, 14));
    EXPECT(rh_execution_sending(&execution, 13) == &execution.events.items[4]);
    EXPECT(rh_execution_creation(&execution, 100) == &execution.events.items[0]);
    EXPECT_TEXT(rh_execution_name(&execution, 100), "account#1");
    EXPECT(!rh_execution_name(&execution, 101));
    EXPECT(rh_execution_has_same_path(&execution, &execution));
    rh_execution_fini(&execution);
}

int main(void)
{
    EXPECT_TEXT(rh_event_kind_name(RH_EVENT_DELIVER), "deliver");
    EXPECT_TEXT(rh_event_kind_name(RH_EVENT_FINDING), "finding");
    records_round_trip();
    empty_tape_is_an_empty_execution();
    damage_is_survived();
    wrong_ends_are_refused();
    large_payload_survives();
    full_tape_refuses();
    who_is_who();
    return 0;
}
