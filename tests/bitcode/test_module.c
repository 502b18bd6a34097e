// SPDX-License-Identifier: MIT
// A source is compiled here, and what the reader makes of it is compared with what stands in it.
#include "bitcode/module.h"

#include "test.h"

static const char source[] =
    "struct inner { char tag; long weight; };\n"          // 1
    "struct outer {\n"                                    // 2
    "    int first;\n"                                    // 3
    "    struct inner items[3];\n"                        // 4
    "    unsigned flag : 3;\n"                            // 5
    "    int (*call)(int);\n"                             // 6
    "};\n"                                                // 7
    "static int twice(int value) { return 2 * value; }\n" // 8
    "struct outer whole = {7, {{'x', 5}}, 1, twice};\n"   // 9
    "long pick(struct outer *outer, int index)\n"         // 10
    "{\n"                                                 // 11
    "    return outer->items[index].weight;\n"            // 12
    "}\n"                                                 // 13
    "int choose(int value)\n"                             // 14
    "{\n"                                                 // 15
    "    switch (value) {\n"                              // 16
    "    case 1: return twice(value);\n"                  // 17
    "    case 5: return whole.call(-value);\n"            // 18
    "    default: return value > 9 ? 3 : -4;\n"           // 19
    "    }\n"                                             // 20
    "}\n"                                                 // 21
    "const char *word(void) { return \"hello\"; }\n"      // 22
    "union either { long wide[2]; int narrow; } form;\n"  // 23
    "int mark(int *flags)\n"                              // 24
    "{\n"                                                 // 25
    "    __atomic_store_n(flags, 1, 5);\n"                // 26
    "    __atomic_exchange_n(flags, 2, 5);\n"             // 27
    "    return __atomic_fetch_or(flags, 4, 5);\n"        // 28
    "}\n"                                                 // 29
    "static void *find_twice(void) { return twice; }\n"   // 30
    "int found(int) __attribute__((ifunc(\"find_twice\")));\n"
    "int call_found(void) { return found(1); }\n" // 32
    "long weigh(int index, struct outer outer)\n" // 33
    "{\n"                                         // 34
    "    return outer.items[index].weight;\n"     // 35
    "}\n"                                         // 36
    "typedef int four __attribute__((vector_size(16)));\n"
    "four turn(four a, four b) { return __builtin_shufflevector(a, b, 3, 0, 5, -1); }\n"
    "double half(double value) { return value >= 0.5 ? value / 2 : -value; }\n"
    "int differ(float a, float b) { return a != b; }\n"
    "int cut(double value) { return (int)value; }\n"
    "static _Thread_local int mine;\n"
    "int *own(void) { return &mine; }\n"
    "long last(int count, ...);\n"
    "long pass(struct outer *outer) { return last(1, *outer); }\n"
    "int one_of(four a, int index) { return a[index]; }\n";

// An optimizer makes one address of it.
static const char dimensions[] =
    "char deep(char (*a)[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1], int i)\n"
    "{ return a[i][i][i][i][i][i][i][i][i][i][i][i][i][i][i][i][i]; }\n";

static struct rh_ir_module module;

static const struct rh_ir_function *function_of(const char *name)
{
    for (size_t i = 0; i < module.functions.count; i++)
        if (!strcmp(module.functions.items[i].source_name, name))
            return &module.functions.items[i];
    EXPECT(!"the function is there");
    return NULL;
}

static const struct rh_ir_instruction *find(const struct rh_ir_function *function,
                                            enum rh_ir_opcode opcode, uint32_t skip)
{
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (function->instructions[i].opcode == opcode && skip-- == 0)
            return &function->instructions[i];
    EXPECT(!"the instruction is there");
    return NULL;
}

static void check_records(void)
{
    const struct rh_ir_record *outer = rh_ir_record_find(&module, "outer", 72);
    EXPECT(outer && outer->field_count == 4);
    EXPECT_TEXT(outer->fields[0].name, "first");
    EXPECT(outer->fields[0].offset == 0 && outer->fields[0].size == 4);
    EXPECT(outer->fields[0].is_integer && outer->fields[0].is_signed);
    EXPECT_TEXT(outer->fields[1].name, "items");
    EXPECT(outer->fields[1].offset == 8 && outer->fields[1].size == 48);
    EXPECT(outer->fields[1].count == 3 && outer->fields[1].record_size == 16);
    EXPECT_TEXT(outer->fields[1].record, "inner");
    EXPECT(outer->fields[0].count == 1 && !outer->fields[0].record);
    EXPECT(outer->fields[2].is_bit_field && !outer->fields[2].is_signed);
    EXPECT_TEXT(outer->fields[3].name, "call");
    EXPECT(outer->fields[3].is_pointer && outer->fields[3].offset == 64);
    EXPECT(!rh_ir_record_find(&module, "outer", 4));
    const struct rh_ir_record *inner = rh_ir_record_find(&module, "inner", 16);
    EXPECT(inner && inner->field_count == 2 && inner->fields[1].offset == 8);
}

// outer->items[index].weight lies at 8 + 16 * index + 8.
static void check_address(void)
{
    const struct rh_ir_function *pick = function_of("pick");
    EXPECT(pick->parameter_count == 2 && pick->place.line == 10);
    int64_t offset = 0;
    uint32_t steps = 0;
    for (uint32_t i = 0; i < pick->instruction_count; i++) {
        const struct rh_ir_instruction *each = &pick->instructions[i];
        if (each->opcode != RH_IR_ADDRESS)
            continue;
        offset += each->offset;
        for (uint32_t k = 0; k < each->step_count; k++, steps++)
            EXPECT(each->steps[k].stride == 16 && each->steps[k].count == 3);
    }
    EXPECT(offset == 16 && steps == 1);
    const struct rh_ir_instruction *load = find(pick, RH_IR_LOAD, 0);
    EXPECT(rh_ir_size_of(&module, load->accessed) == 8);
    EXPECT(load->place.line == 12 && !strcmp(load->place.file, "source.c"));
}

static void check_branches(void)
{
    const struct rh_ir_function *choose = function_of("choose");
    const struct rh_ir_instruction *jump = find(choose, RH_IR_SWITCH, 0);
    int64_t first, second;
    EXPECT(jump->block_count == 3 && jump->operand_count == 3);
    EXPECT(!jump->operands[0].is_constant && jump->operands[0].index == 0);
    EXPECT(rh_ir_number(&module, jump->operands[1], &first) && first == 1);
    EXPECT(rh_ir_number(&module, jump->operands[2], &second) && second == 5);
    for (uint32_t i = 0; i < jump->block_count; i++)
        EXPECT(jump->blocks[i] < choose->block_count);
    const struct rh_ir_instruction *direct = find(choose, RH_IR_CALL, 0);
    EXPECT(rh_ir_callee(&module, direct) == function_of("twice"));
    EXPECT(direct->place.line == 17);
    const struct rh_ir_instruction *indirect = find(choose, RH_IR_CALL, 1);
    EXPECT(!rh_ir_callee(&module, indirect) && indirect->operand_count == 2);
    EXPECT(rh_ir_definition(choose, indirect->operands[1])->opcode == RH_IR_LOAD);
    const struct rh_ir_instruction *compare = find(choose, RH_IR_COMPARE, 0);
    EXPECT(compare->predicate == RH_IR_GREATER);
    EXPECT(rh_ir_type_of(&module, compare->type)->bits == 1);
    const struct rh_ir_instruction *join = find(choose, RH_IR_PHI, 0);
    EXPECT(join->operand_count == join->block_count);
}

static const struct rh_ir_global *global_of(const char *name)
{
    for (size_t i = 0; i < module.globals.count; i++)
        if (!strcmp(module.globals.items[i].name, name))
            return &module.globals.items[i];
    EXPECT(!"the variable is there");
    return NULL;
}

static void check_constants(void)
{
    const struct rh_ir_global *whole = global_of("whole");
    EXPECT(!whole->is_constant && rh_ir_size_of(&module, whole->type) == 72);
    const struct rh_ir_constant *initial = &module.constants.items[whole->initial];
    EXPECT(initial->kind == RH_IR_ELEMENTS);
    const struct rh_ir_constant *number = &module.constants.items[initial->operands[0]];
    EXPECT(number->kind == RH_IR_NUMBER && number->number == 7);
    const struct rh_ir_constant *last =
        &module.constants.items[initial->operands[initial->operand_count - 1]];
    EXPECT(last->kind == RH_IR_FUNCTION);
    EXPECT_TEXT(module.functions.items[last->number].source_name, "twice");
    const struct rh_ir_function *word = function_of("word");
    EXPECT_TEXT(rh_ir_text(&module, find(word, RH_IR_RETURN, 0)->operands[0]), "hello");
}

static void check_unions(void)
{
    const struct rh_ir_type *form = rh_ir_type_of(&module, global_of("form")->type);
    EXPECT(form->kind == RH_IR_STRUCT && form->is_union && form->size == 16);
    EXPECT_TEXT(form->name, "either");
    EXPECT(!rh_ir_type_of(&module, global_of("whole")->type)->is_union);
}

static void check_exchanges(void)
{
    const struct rh_ir_function *mark = function_of("mark");
    EXPECT(find(mark, RH_IR_EXCHANGE, 0)->made_by == RH_IR_STORE);
    EXPECT(find(mark, RH_IR_EXCHANGE, 1)->made_by == RH_IR_OR);
}

// A function that the loader chooses is what another function gives.
static void check_resolved(void)
{
    const struct rh_ir_instruction *call = find(function_of("call_found"), RH_IR_CALL, 0);
    EXPECT(!rh_ir_callee(&module, call));
    const struct rh_ir_constant *called = &module.constants.items[call->operands[1].index];
    EXPECT(called->kind == RH_IR_EXPRESSION && called->opcode == RH_IR_CALL);
    const struct rh_ir_constant *resolver = &module.constants.items[called->operands[0]];
    EXPECT(resolver->kind == RH_IR_FUNCTION);
    EXPECT(&module.functions.items[resolver->number] == function_of("find_twice"));
}

static void check_copied(void)
{
    const struct rh_ir_function *weigh = function_of("weigh");
    EXPECT(weigh->parameter_count == 2 && weigh->copied[0] == RH_NONE);
    EXPECT_TEXT(rh_ir_type_of(&module, weigh->copied[1])->name, "outer");
}

// Of a struct among variable arguments only the call says that it is passed whole.
static void check_copied_by_call(void)
{
    const struct rh_ir_instruction *call = find(function_of("pass"), RH_IR_CALL, 0);
    EXPECT(function_of("last")->parameter_count == 1 && call->operand_count == 3);
    EXPECT(call->copied && call->copied[0] == RH_NONE);
    EXPECT_TEXT(rh_ir_type_of(&module, call->copied[1])->name, "outer");
    EXPECT(!find(function_of("choose"), RH_IR_CALL, 0)->copied);
}

static void check_reals(void)
{
    const struct rh_ir_function *half = function_of("half");
    EXPECT(rh_ir_type_of(&module, half->type)->kind == RH_IR_REAL);
    EXPECT(rh_ir_type_of(&module, half->type)->bits == 64);
    const struct rh_ir_instruction *compare = find(half, RH_IR_COMPARE_REAL, 0);
    EXPECT(compare->predicate == RH_IR_GREATER_EQUAL && !compare->holds_unordered);
    const struct rh_ir_constant *limit = &module.constants.items[compare->operands[1].index];
    EXPECT(limit->kind == RH_IR_REAL_NUMBER && limit->real == 0.5);
    EXPECT(find(half, RH_IR_DIVIDE_REAL, 0) && find(half, RH_IR_NEGATE_REAL, 0));
    compare = find(function_of("differ"), RH_IR_COMPARE_REAL, 0);
    EXPECT(compare->predicate == RH_IR_NOT_EQUAL && compare->holds_unordered);
    EXPECT(find(function_of("cut"), RH_IR_REAL_TO_SIGNED, 0));
}

static void check_linkage(void)
{
    EXPECT(global_of("mine")->is_thread_local && !global_of("mine")->is_exported);
    EXPECT(!global_of("whole")->is_thread_local && global_of("whole")->is_exported);
    EXPECT(function_of("pick")->is_exported && !function_of("twice")->is_exported);
}

static void check_element(void)
{
    const struct rh_ir_instruction *element = find(function_of("one_of"), RH_IR_EXTRACT, 0);
    EXPECT(element->offset == -1 && element->operand_count == 2);
}

// However many dimensions an address has, none of its indexes is lost.
static void check_dimensions(void)
{
    const struct rh_ir_instruction *address = find(function_of("deep"), RH_IR_UNSUPPORTED, 0);
    EXPECT(address->operand_count == 18);
}

static void write_source(const char *path, const char *text)
{
    FILE *output = fopen(path, "w");
    EXPECT(output);
    fputs(text, output);
    fclose(output);
}

static void check_mask(void)
{
    const int32_t *mask = find(function_of("turn"), RH_IR_SHUFFLE, 0)->mask;
    EXPECT(mask[0] == 3 && mask[1] == 0 && mask[2] == 5 && mask[3] == -1);
}

int main(void)
{
    static const struct rh_ir_preparation promote = {.promote = true};
    static const struct rh_ir_preparation both = {.promote = true, .inline_calls = true};
    const struct rh_ir_file file = {"source.bc", "source.c"};
    write_source("source.c", source);
    write_source("deep.c", dimensions);
    if (system("clang-19 -g -O1 -Xclang -disable-llvm-passes -fno-eliminate-unused-debug-types "
               "-emit-llvm -c source.c -o source.bc && "
               "clang-19 -O1 -emit-llvm -c deep.c -o deep.bc"))
        return 77;
    struct rh_status status = rh_ir_module_read(&module, &file, 1, &promote);
    EXPECT(rh_is_ok(&status));
    check_records();
    check_address();
    check_branches();
    check_constants();
    check_unions();
    check_exchanges();
    check_resolved();
    check_copied();
    check_copied_by_call();
    check_reals();
    check_linkage();
    check_element();
    check_mask();
    // Parameters are values, not memory.
    for (uint32_t i = 0; i < function_of("choose")->instruction_count; i++)
        EXPECT(function_of("choose")->instructions[i].opcode != RH_IR_STORE ||
               function_of("choose")->instructions[i].operands[0].is_constant ||
               function_of("choose")->instructions[i].operands[0].index != 0);
    rh_ir_module_fini(&module);

    // Small functions are copied to where they are called, and keep their places.
    status = rh_ir_module_read(&module, &file, 1, &both);
    EXPECT(rh_is_ok(&status));
    const struct rh_ir_instruction *product = find(function_of("choose"), RH_IR_MULTIPLY, 0);
    EXPECT(product->place.line == 8);
    rh_ir_module_fini(&module);

    status = rh_ir_module_read(&module, &(struct rh_ir_file){"deep.bc", "deep.c"}, 1, &promote);
    EXPECT(rh_is_ok(&status));
    check_dimensions();
    rh_ir_module_fini(&module);

    status = rh_ir_module_read(&module, &(struct rh_ir_file){"missing.bc", "missing"}, 1, &both);
    EXPECT(status.code == RH_BAD_INPUT);
    EXPECT_PART(status.text, "cannot read missing");
    rh_ir_module_fini(&module);
    return 0;
}
