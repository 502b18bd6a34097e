// SPDX-License-Identifier: MIT
// Reads bitcode files, links them and makes one module of them.
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

#include "base/input_file.h"
#include "bitcode/internal.h"

// The first error that LLVM reports while it works.
struct complaint {
    char text[400];
};

static void listen(LLVMDiagnosticInfoRef info, void *context)
{
    struct complaint *complaint = context;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || *complaint->text)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    strncpy(complaint->text, text, sizeof complaint->text - 1);
    LLVMDisposeMessage(text);
}

static struct rh_status load(LLVMContextRef context, const struct rh_ir_file *file,
                             struct complaint *complaint, LLVMModuleRef *module)
{
    LLVMMemoryBufferRef buffer = NULL;
    char *text = NULL;
    struct rh_status can_read = rh_input_check(file->path);
    if (!rh_is_ok(&can_read))
        return can_read;
    if (LLVMCreateMemoryBufferWithContentsOfFile(file->path, &buffer, &text)) {
        struct rh_status status = rh_failed("cannot read %s: %s", file->name, text);
        LLVMDisposeMessage(text);
        return status;
    }
    LLVMBool failed = LLVMParseBitcodeInContext2(context, buffer, module);
    LLVMDisposeMemoryBuffer(buffer);
    if (failed)
        return rh_bad_input("%s cannot be read as bitcode of LLVM 19 or older: %s", file->name,
                            *complaint->text ? complaint->text : "it is damaged");
    if (LLVMVerifyModule(*module, LLVMReturnStatusAction, &text)) {
        struct rh_status status = rh_bad_input("%s is no valid bitcode: %.*s", file->name,
                                               (int)strcspn(text, "\n"), text);
        LLVMDisposeMessage(text);
        LLVMDisposeModule(*module);
        return status;
    }
    LLVMDisposeMessage(text);
    return rh_ok();
}

static struct rh_status load_all(LLVMContextRef context, const struct rh_ir_file *files,
                                 size_t count, struct complaint *complaint, LLVMModuleRef *all)
{
    struct rh_status status = load(context, &files[0], complaint, all);
    for (size_t i = 1; rh_is_ok(&status) && i < count; i++) {
        LLVMModuleRef one = NULL;
        status = load(context, &files[i], complaint, &one);
        if (rh_is_ok(&status) && LLVMLinkModules2(*all, one))
            status = rh_bad_input("%s does not link with the others: %s", files[i].name,
                                  *complaint->text ? complaint->text : "LLVM does not say why");
        if (!rh_is_ok(&status))
            LLVMDisposeModule(*all);
    }
    return status;
}

static struct rh_status prepare(LLVMModuleRef module, const struct rh_ir_preparation *preparation)
{
    struct rh_text passes = {0};
    if (preparation->split)
        rh_text_add(&passes, "function(sroa<preserve-cfg>)");
    if (preparation->promote)
        rh_text_addf(&passes, "%sfunction(mem2reg)", passes.length ? "," : "");
    if (preparation->inline_calls)
        rh_text_addf(&passes, "%scgscc(inline)", passes.length ? "," : "");
    if (preparation->rotate_loops)
        rh_text_addf(&passes, "%sfunction(loop(loop-rotate))", passes.length ? "," : "");
    if (!passes.length)
        return rh_ok();
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, rh_text_get(&passes), NULL, options);
    LLVMDisposePassBuilderOptions(options);
    rh_text_fini(&passes);
    if (!error)
        return rh_ok();
    char *text = LLVMGetErrorMessage(error);
    struct rh_status status = rh_failed("LLVM cannot prepare the program: %s", text);
    LLVMDisposeErrorMessage(text);
    return status;
}

static const char *copy_name(struct rh__ir_reader *reader, LLVMValueRef value)
{
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    return rh_arena_text(&reader->module->arena, name, length);
}

static void read_globals(struct rh__ir_reader *reader)
{
    struct rh_ir_module *module = reader->module;
    for (LLVMValueRef each = LLVMGetFirstGlobal(reader->source); each;
         each = LLVMGetNextGlobal(each)) {
        const char *section = LLVMGetSection(each);
        rh_index_add(&reader->globals, rh__ir_key(each), (uint32_t)module->globals.count);
        *rh_vector_push(&module->globals) = (struct rh_ir_global){
            .name = copy_name(reader, each),
            .section = section && *section ? rh_arena_text(&module->arena, section, strlen(section))
                                           : NULL,
            .type = rh__ir_read_type(reader, LLVMGlobalGetValueType(each)),
            .is_constant = LLVMIsGlobalConstant(each),
            .is_thread_local = LLVMIsThreadLocal(each),
            .is_exported = rh__ir_is_exported(each),
            .initial = RH_NONE,
        };
    }
}

static void read_functions(struct rh__ir_reader *reader)
{
    struct rh_ir_module *module = reader->module;
    uint32_t count = 0;
    for (LLVMValueRef each = LLVMGetFirstFunction(reader->source); each;
         each = LLVMGetNextFunction(each)) {
        rh_index_add(&reader->functions, rh__ir_key(each), count++);
        rh_vector_push(&module->functions);
    }
    count = 0;
    for (LLVMValueRef each = LLVMGetFirstFunction(reader->source); each;
         each = LLVMGetNextFunction(each)) {
        struct rh_ir_function read = {0};
        rh__ir_read_function(reader, each, &read);
        module->functions.items[count++] = read;
    }
}

static void read_initial_values(struct rh__ir_reader *reader)
{
    uint32_t count = 0;
    for (LLVMValueRef each = LLVMGetFirstGlobal(reader->source); each;
         each = LLVMGetNextGlobal(each), count++) {
        LLVMValueRef initial = LLVMGetInitializer(each);
        if (initial)
            reader->module->globals.items[count].initial = rh__ir_read_constant(reader, initial);
    }
}

static void translate(struct rh_ir_module *module, LLVMModuleRef source)
{
    struct rh__ir_reader reader = {
        .module = module, .source = source, .layout = LLVMGetModuleDataLayout(source)};
    read_globals(&reader);
    read_functions(&reader);
    read_initial_values(&reader);
    rh__ir_read_records(&reader);
    rh__ir_check(module);
    rh_index_fini(&reader.types);
    rh_index_fini(&reader.constants);
    rh_index_fini(&reader.globals);
    rh_index_fini(&reader.functions);
    rh_index_fini(&reader.files);
    rh_vector_fini(&reader.file_names);
    rh_index_fini(&reader.unnamed);
    rh_vector_fini(&reader.unnamed_names);
}

static struct rh_status check_target(LLVMModuleRef source, const char *name)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(source);
    if (LLVMPointerSize(layout) != 8 || LLVMByteOrder(layout) != LLVMLittleEndian)
        return rh_bad_input("%s is for another machine (%s): addresses of 8 bytes, lowest byte "
                            "first, are understood",
                            name, LLVMGetTarget(source));
    return rh_ok();
}

struct rh_status rh_ir_module_read(struct rh_ir_module *module, const struct rh_ir_file *files,
                                   size_t count, const struct rh_ir_preparation *preparation)
{
    *module = (struct rh_ir_module){0};
    struct complaint complaint = {""};
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, listen, &complaint);
    LLVMModuleRef source = NULL;
    struct rh_status status = load_all(context, files, count, &complaint, &source);
    if (rh_is_ok(&status)) {
        status = check_target(source, files[0].name);
        if (rh_is_ok(&status))
            status = prepare(source, preparation);
        if (rh_is_ok(&status))
            translate(module, source);
        LLVMDisposeModule(source);
    }
    LLVMContextDispose(context);
    return status;
}
