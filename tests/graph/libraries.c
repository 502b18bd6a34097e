// SPDX-License-Identifier: MIT
// An actor that works with a library whose bitcode is analysed too, and tells another one how much it has found. Which
// library it is, the command line says.
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(work, { char text[64]; });
RH_MESSAGE(found, {
    int count;
    rh_actor *by;
});

#if defined USES_CJSON
#include "cJSON.h"

static int count_in(const char *text)
{
    cJSON *array = cJSON_Parse(text);
    int count = cJSON_GetArraySize(array);
    cJSON_Delete(array);
    return count;
}
#elif defined USES_YAML
#include "yaml.h"

static int count_in(const char *text)
{
    yaml_parser_t parser;
    yaml_event_t event;
    int count = 0;
    bool is_end = !yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    while (!is_end && yaml_parser_parse(&parser, &event)) {
        count += event.type == YAML_SCALAR_EVENT;
        is_end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return count;
}
#else
#include "zlib.h"

static int count_in(const char *text)
{
    Bytef packed[256];
    uLongf size = sizeof packed;
    return compress(packed, &size, (const Bytef *)text, strlen(text)) == Z_OK ? (int)size : 0;
}
#endif

static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_as(message, found);
}

struct worker {
    rh_actor *keeper;
};

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct worker *worker = state;
    const struct work *work = rh_as(message, work);
    if (work)
        rh_send(worker->keeper, found, {.count = count_in(work->text), .by = self});
}

RH_TEST(library)
{
    rh_actor *keeper = rh_spawn(keeper_behaviour);
    rh_actor *worker = rh_spawn(worker_behaviour, struct worker, {.keeper = keeper});
    rh_send(worker, work, {.text = "[1, 2, 3]"});
}
