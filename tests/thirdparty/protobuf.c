// SPDX-License-Identifier: MIT
// protobuf-c: messages are packed and unpacked by their descriptor, which is written out here as
// the library's compiler would do it.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

#include "library.h"

// What protoc-gen-c makes of: message Note { int32 number = 1; string text = 2; Note last = 3; }
struct note {
    ProtobufCMessage base;
    int32_t number;
    char *text;
    struct note *last;
};

extern const ProtobufCMessageDescriptor note_descriptor;

static const ProtobufCFieldDescriptor note_fields[] = {
    {"number", 1, PROTOBUF_C_LABEL_NONE, PROTOBUF_C_TYPE_INT32, 0, offsetof(struct note, number),
     NULL, NULL, 0, 0, NULL, NULL},
    {"text", 2, PROTOBUF_C_LABEL_NONE, PROTOBUF_C_TYPE_STRING, 0, offsetof(struct note, text), NULL,
     "", 0, 0, NULL, NULL},
    {"last", 3, PROTOBUF_C_LABEL_NONE, PROTOBUF_C_TYPE_MESSAGE, 0, offsetof(struct note, last),
     &note_descriptor, NULL, 0, 0, NULL, NULL},
};
static const unsigned by_name[] = {2, 0, 1};
static const ProtobufCIntRange ranges[] = {{1, 0}, {0, 3}};

const ProtobufCMessageDescriptor note_descriptor = {.magic = PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC,
                                                    .name = "Note",
                                                    .short_name = "Note",
                                                    .c_name = "Note",
                                                    .package_name = "",
                                                    .sizeof_message = sizeof(struct note),
                                                    .n_fields = 3,
                                                    .fields = note_fields,
                                                    .fields_sorted_by_name = by_name,
                                                    .n_field_ranges = 1,
                                                    .field_ranges = ranges};

static void use(struct user *user, int number)
{
    struct note last = {.base = PROTOBUF_C_MESSAGE_INIT(&note_descriptor), .text = "last"};
    struct note note = {.base = PROTOBUF_C_MESSAGE_INIT(&note_descriptor), .text = "now"};
    const struct note *kept = user->kept;
    last.number = kept ? kept->number : 0;
    note.number = last.number + number;
    note.last = &last;
    uint8_t packed[64];
    size_t size = protobuf_c_message_pack(&note.base, packed);
    rh_check(size == protobuf_c_message_get_packed_size(&note.base) && size < sizeof packed);
    if (user->kept)
        protobuf_c_message_free_unpacked(user->kept, NULL);
    struct note *unpacked =
        (struct note *)protobuf_c_message_unpack(&note_descriptor, NULL, size, packed);
    rh_check(unpacked && unpacked->number == user->sum);
    rh_check(strcmp(unpacked->last->text, "last") == 0);
    user->kept = unpacked;
    rh_check(protobuf_c_message_unpack(&note_descriptor, NULL, size - 1, packed) == NULL);
}
