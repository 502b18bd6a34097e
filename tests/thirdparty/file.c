// SPDX-License-Identifier: MIT
// An actor that opens a file, writes and reads back: streams live in the C library's own lists, so
// these executions can't be undone and are run again instead. The other actor uses no file.
//
// Two senders of a record each to the writer, one of a note to the other: 3! = 6 executions,
// 3 + 6 + 6 = 15 deliveries.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(record, { int number; });
RH_SIGNAL(note);

struct writer {
    int records;
    int sum;
};

// A file of its own for each delivery: what is on disk is not undone.
static void write_and_read(struct writer *writer, int number)
{
    char text[64] = "";
    FILE *file = tmpfile();

    rh_check(file != NULL);
    rh_check(fprintf(file, "record %d after %d\n", number, writer->sum) > 0);
    rewind(file);
    rh_check(fgets(text, sizeof text, file) != NULL);
    rh_check(atoi(text + strlen("record ")) == number);
    rh_check(fclose(file) == 0);
}

static void read_only(void)
{
    FILE *file = fopen("/dev/null", "r");

    rh_check(file != NULL);
    rh_check(fgetc(file) == EOF);
    fclose(file);
}

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct writer *writer = state;
    const struct record *record = rh_as(message, record);
    (void)self;

    if (record) {
        read_only();
        write_and_read(writer, record->number);
        writer->records++;
        writer->sum += record->number;
        rh_check(writer->records < 2 || writer->sum == 3);
    }
}

static void listener_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, note))
        rh_check(true);
}

RH_TEST(file)
{
    rh_actor *writer = rh_spawn(writer_behaviour, struct writer, {.records = 0});

    rh_send(writer, record, {.number = 1});
    rh_send_from(rh_outside("second"), writer, record, {.number = 2});
    rh_send(rh_spawn(listener_behaviour), note);
}
