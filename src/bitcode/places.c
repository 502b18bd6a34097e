// SPDX-License-Identifier: MIT
// What the debug information says: source places, names of functions, fields of structs.
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "bitcode/internal.h"

// Tags of DWARF.
enum {
    TAG_ARRAY = 0x01,
    TAG_ENUMERATION = 0x04,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_STRUCTURE = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_BASE = 0x24,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
};

// Indexes of operands in nodes of debug information.
enum {
    FILE_NAME = 0,
    UNIT_RETAINED_TYPES = 5,
    TYPE_NAME = 2,
    TYPE_BASE = 3,
    TYPE_ELEMENTS = 4,
    RANGE_COUNT = 0,
    FUNCTION_NAME = 2
};
// More levels of typedef and const than anybody writes.
enum { QUALIFIERS_MOST = 64 };

static LLVMContextRef context_of(const struct rh__ir_reader *reader)
{
    return LLVMGetModuleContext(reader->source);
}

// LLVM's verifier does not look at all of the debug information, and LLVM takes a node for what it
// is called with: in damaged bitcode a text may stand in the place of a type.

// The operand of a node as a value; NULL if it is no node, or the node has no such operand.
static LLVMValueRef operand_of(LLVMValueRef node, unsigned index)
{
    unsigned count = LLVMIsAMDNode(node) ? LLVMGetMDNodeNumOperands(node) : 0;
    if (index >= count)
        return NULL;
    LLVMValueRef *operands = rh_alloc(count * sizeof(LLVMValueRef));
    LLVMGetMDNodeOperands(node, operands);
    LLVMValueRef operand = operands[index];
    free(operands);
    return operand;
}

static LLVMMetadataRef metadata_of(LLVMValueRef value)
{
    return value ? LLVMValueAsMetadata(value) : NULL;
}

static const char *text_of(struct rh__ir_reader *reader, LLVMValueRef value)
{
    unsigned length = 0;
    const char *text = value ? LLVMGetMDString(value, &length) : NULL;
    return text ? rh_arena_text(&reader->module->arena, text, length) : NULL;
}

// The tag of a type in the debug information; 0 for anything else.
static uint16_t tag_of(LLVMValueRef value)
{
    LLVMMetadataRef metadata = metadata_of(value);
    LLVMMetadataKind kind = metadata ? LLVMGetMetadataKind(metadata) : LLVMMDStringMetadataKind;
    bool is_type = kind == LLVMDIBasicTypeMetadataKind || kind == LLVMDIDerivedTypeMetadataKind ||
                   kind == LLVMDICompositeTypeMetadataKind;
    return is_type ? LLVMGetDINodeTag(metadata) : 0;
}

static const char *file_name(struct rh__ir_reader *reader, LLVMMetadataRef file)
{
    if (!file)
        return NULL;
    uint32_t known = rh_index_find(&reader->files, rh__ir_key(file));
    if (known != RH_NONE)
        return reader->file_names.items[known];
    rh_index_add(&reader->files, rh__ir_key(file), (uint32_t)reader->file_names.count);
    const char *name =
        text_of(reader, operand_of(LLVMMetadataAsValue(context_of(reader), file), FILE_NAME));
    *rh_vector_push(&reader->file_names) = name;
    return name;
}

struct rh_ir_place rh__ir_read_place(struct rh__ir_reader *reader, LLVMValueRef instruction)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    if (!location)
        return (struct rh_ir_place){0};
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
    return (struct rh_ir_place){file_name(reader, file), LLVMDILocationGetLine(location),
                                LLVMDILocationGetColumn(location)};
}

void rh__ir_read_subprogram(struct rh__ir_reader *reader, LLVMValueRef value,
                            struct rh_ir_function *function)
{
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    function->name = rh_arena_text(&reader->module->arena, name, length);
    function->source_name = function->name;
    LLVMMetadataRef subprogram = LLVMGetSubprogram(value);
    if (!subprogram)
        return;
    const char *source_name = text_of(
        reader, operand_of(LLVMMetadataAsValue(context_of(reader), subprogram), FUNCTION_NAME));
    if (source_name)
        function->source_name = source_name;
    function->place.file = file_name(reader, LLVMDIScopeGetFile(subprogram));
    function->place.line = LLVMDISubprogramGetLine(subprogram);
}

// What stands in front of a type.
struct qualifiers {
    bool is_constant;
    LLVMValueRef alias; // the last typedef; NULL: none
};

static LLVMValueRef take_qualifiers(LLVMValueRef type, struct qualifiers *taken)
{
    for (int i = 0; type && i < QUALIFIERS_MOST; i++) {
        uint16_t tag = tag_of(type);
        if (tag != TAG_TYPEDEF && tag != TAG_CONST && tag != TAG_VOLATILE)
            return type;
        taken->is_constant |= tag == TAG_CONST;
        if (tag == TAG_TYPEDEF)
            taken->alias = type;
        type = operand_of(type, TYPE_BASE);
    }
    return NULL;
}

static LLVMValueRef without_qualifiers(LLVMValueRef type)
{
    struct qualifiers taken = {0};
    return take_qualifiers(type, &taken);
}

static uint64_t size_of(LLVMValueRef type)
{
    return type && tag_of(type) ? LLVMDITypeGetSizeInBits(metadata_of(type)) / 8 : 0;
}

// Adds how many elements an array has, in each of its dimensions. false: that is not known.
static bool add_dimensions(LLVMValueRef type, struct rh_ir_field *field)
{
    LLVMValueRef ranges = operand_of(type, TYPE_ELEMENTS);
    unsigned count = ranges && LLVMIsAMDNode(ranges) ? LLVMGetMDNodeNumOperands(ranges) : 0;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef range = operand_of(ranges, i);
        LLVMValueRef number = range ? operand_of(range, RANGE_COUNT) : NULL;
        if (!number || !LLVMIsAConstantInt(number) || field->dimension_count == RH_IR_DIMENSIONS)
            return false;
        field->dimensions[field->dimension_count++] = LLVMConstIntGetZExtValue(number);
    }
    return count > 0;
}

// An array's elements, if the type is one.
static LLVMValueRef read_array(LLVMValueRef type, struct rh_ir_field *field,
                               struct qualifiers *taken)
{
    field->count = 1;
    field->is_array = type && tag_of(type) == TAG_ARRAY;
    bool is_known = true;
    for (int i = 0; type && tag_of(type) == TAG_ARRAY && i < QUALIFIERS_MOST; i++) {
        is_known = is_known && add_dimensions(type, field);
        type = take_qualifiers(operand_of(type, TYPE_BASE), taken);
    }
    uint64_t size = size_of(type), product = 1;
    for (uint32_t i = 0; i < field->dimension_count; i++)
        product *= field->dimensions[i];
    if (!is_known || field->dimension_count < 2 || product * size != field->size)
        field->dimension_count = 0;
    field->element_size = field->is_array ? size : 0;
    if (size && field->size > size && !field->is_bit_field)
        field->count = field->size / size;
    return type;
}

static void add_record(struct rh__ir_reader *reader, LLVMValueRef type, const char *name,
                       bool is_typedef);

// The name of a struct or union. One that has none has that of the typedef, or gets one, and is a
// record under that name.
static const char *record_name(struct rh__ir_reader *reader, LLVMValueRef type, LLVMValueRef alias)
{
    const char *name = text_of(reader, operand_of(type, TYPE_NAME));
    if (name)
        return name;
    name = alias ? text_of(reader, operand_of(alias, TYPE_NAME)) : NULL;
    if (name) {
        add_record(reader, type, name, true);
        return name;
    }
    uint64_t key = rh__ir_key(metadata_of(type));
    uint32_t found = rh_index_find(&reader->unnamed, key);
    if (found != RH_NONE)
        return reader->unnamed_names.items[found];
    struct rh_text made = {0};
    rh_text_addf(&made, "<%zu>", reader->unnamed_names.count + 1);
    name = rh_arena_text(&reader->module->arena, rh_text_get(&made), made.length);
    rh_text_fini(&made);
    rh_index_add(&reader->unnamed, key, (uint32_t)reader->unnamed_names.count);
    *rh_vector_push(&reader->unnamed_names) = name;
    add_record(reader, type, name, false);
    return name;
}

static void read_field_type(struct rh__ir_reader *reader, LLVMValueRef type,
                            struct rh_ir_field *field)
{
    struct qualifiers taken = {0};
    type = take_qualifiers(type, &taken);
    type = read_array(type, field, &taken);
    field->is_constant = taken.is_constant;
    if (!type)
        return;
    uint16_t tag = tag_of(type);
    const char *name = text_of(reader, operand_of(type, TYPE_NAME));
    field->is_real = tag == TAG_BASE && name && (strstr(name, "float") || strstr(name, "double"));
    field->is_pointer = tag == TAG_POINTER;
    field->is_integer = tag == TAG_ENUMERATION || (tag == TAG_BASE && !field->is_real);
    field->is_signed = name && !strstr(name, "unsigned") && !strstr(name, "_Bool");
    field->is_truth = tag == TAG_BASE && name && (!strcmp(name, "_Bool") || !strcmp(name, "bool"));
    struct qualifiers before = {0};
    if (!field->is_pointer)
        before = taken;
    LLVMValueRef record =
        field->is_pointer ? take_qualifiers(operand_of(type, TYPE_BASE), &before) : type;
    uint16_t record_tag = record ? tag_of(record) : 0;
    if (record_tag == TAG_STRUCTURE || record_tag == TAG_UNION) {
        field->record = record_name(reader, record, before.alias);
        field->record_size = size_of(record);
    } else if (field->is_pointer && size_of(record)) {
        struct rh_ir_field *target = rh_arena_take(&reader->module->arena, sizeof *target);
        target->name = "";
        target->size = size_of(record);
        read_field_type(reader, record, target);
        field->target = target;
    }
}

static uint32_t read_fields(struct rh__ir_reader *reader, LLVMValueRef elements,
                            struct rh_ir_field *fields)
{
    unsigned count = LLVMGetMDNodeNumOperands(elements);
    uint32_t found = 0;
    LLVMValueRef *operands = rh_alloc(count * sizeof(LLVMValueRef));
    LLVMGetMDNodeOperands(elements, operands);
    for (unsigned i = 0; i < count; i++) {
        LLVMMetadataRef member = metadata_of(operands[i]);
        if (tag_of(operands[i]) != TAG_MEMBER)
            continue;
        const char *name = text_of(reader, operand_of(operands[i], TYPE_NAME));
        uint64_t offset = LLVMDITypeGetOffsetInBits(member);
        uint64_t size = LLVMDITypeGetSizeInBits(member);
        struct rh_ir_field *field = &fields[found++];
        field->name = name ? name : "";
        field->offset = offset / 8;
        field->size = size / 8;
        field->is_bit_field = offset % 8 || size % 8;
        field->bit_offset = offset;
        field->bits = size;
        read_field_type(reader, operand_of(operands[i], TYPE_BASE), field);
    }
    free(operands);
    return found;
}

// Adds the struct or union under this name, if it is one that is defined.
static void add_record(struct rh__ir_reader *reader, LLVMValueRef type, const char *name,
                       bool is_typedef)
{
    uint16_t tag = tag_of(type);
    LLVMValueRef elements =
        tag == TAG_STRUCTURE || tag == TAG_UNION ? operand_of(type, TYPE_ELEMENTS) : NULL;
    if (!elements || !LLVMIsAMDNode(elements))
        return;
    uint64_t size = LLVMDITypeGetSizeInBits(metadata_of(type)) / 8;
    for (size_t i = 0; i < reader->module->records.count; i++) {
        struct rh_ir_record *known = &reader->module->records.items[i];
        if (known->size != size || strcmp(known->name, name) != 0)
            continue;
        known->is_typedef = known->is_typedef && is_typedef;
        return;
    }
    struct rh_ir_field *fields =
        rh_arena_take(&reader->module->arena, LLVMGetMDNodeNumOperands(elements) * sizeof *fields);
    uint32_t count = read_fields(reader, elements, fields);
    *rh_vector_push(&reader->module->records) = (struct rh_ir_record){.name = name,
                                                                      .is_typedef = is_typedef,
                                                                      .is_union = tag == TAG_UNION,
                                                                      .size = size,
                                                                      .fields = fields,
                                                                      .field_count = count};
}

// A struct is known by its own name and by those that typedefs give it.
static void read_record(struct rh__ir_reader *reader, LLVMValueRef type)
{
    const char *name = text_of(reader, operand_of(type, TYPE_NAME));
    LLVMValueRef named = tag_of(type) == TAG_TYPEDEF ? without_qualifiers(type) : type;
    uint16_t tag = named ? tag_of(named) : 0;
    if (name && (tag == TAG_STRUCTURE || tag == TAG_UNION))
        add_record(reader, named, name, named != type);
}

static void read_unit(struct rh__ir_reader *reader, LLVMValueRef unit)
{
    LLVMValueRef types = operand_of(unit, UNIT_RETAINED_TYPES);
    unsigned count = types && LLVMIsAMDNode(types) ? LLVMGetMDNodeNumOperands(types) : 0;
    LLVMValueRef *operands = rh_alloc((count + 1) * sizeof(LLVMValueRef));
    if (count > 0)
        LLVMGetMDNodeOperands(types, operands);
    for (unsigned i = 0; i < count; i++)
        if (operands[i])
            read_record(reader, operands[i]);
    free(operands);
}

void rh__ir_read_records(struct rh__ir_reader *reader)
{
    static const char units[] = "llvm.dbg.cu";
    unsigned count = LLVMGetNamedMetadataNumOperands(reader->source, units);
    LLVMValueRef *operands = rh_alloc((count + 1) * sizeof(LLVMValueRef));
    LLVMGetNamedMetadataOperands(reader->source, units, operands);
    for (unsigned i = 0; i < count; i++)
        read_unit(reader, operands[i]);
    free(operands);
}
