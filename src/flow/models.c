// SPDX-License-Identifier: MIT
#include "flow/models.h"

#include <stdlib.h>
#include <string.h>

static const struct model {
    const char *name;
    enum rh__effect effect;
} models[] = {
    // Sorted by name.
    {"__assert_fail", RH__NOTHING},
    {"__ctype_b_loc", RH__OPAQUE},
    {"__ctype_tolower_loc", RH__OPAQUE},
    {"__ctype_toupper_loc", RH__OPAQUE},
    {"__errno_location", RH__OPAQUE},
    {"__isoc23_fscanf", RH__RESTORES},
    {"__isoc23_scanf", RH__RESTORES},
    {"__isoc23_sscanf", RH__RESTORES},
    {"__isoc23_strtol", RH__ENDS},
    {"__isoc23_strtoll", RH__ENDS},
    {"__isoc23_strtoul", RH__ENDS},
    {"__isoc23_strtoull", RH__ENDS},
    {"__isoc99_fscanf", RH__RESTORES},
    {"__isoc99_scanf", RH__RESTORES},
    {"__isoc99_sscanf", RH__RESTORES},
    {"_exit", RH__NOTHING},
    {"abort", RH__RUNS},
    {"abs", RH__NOTHING},
    {"aligned_alloc", RH__ALLOCATES},
    {"alloca", RH__ALLOCATES},
    {"asprintf", RH__SHOWS_NEW},
    {"atof", RH__NOTHING},
    {"atoi", RH__NOTHING},
    {"atol", RH__PARSES},
    {"atoll", RH__PARSES},
    {"bcmp", RH__NOTHING},
    {"bsearch", RH__SEARCHES},
    {"bzero", RH__CLEARS},
    {"calloc", RH__ALLOCATES},
    {"ceil", RH__NOTHING},
    {"clock", RH__NOTHING},
    {"clock_gettime", RH__FILLS},
    {"close", RH__NOTHING},
    {"cos", RH__NOTHING},
    {"dlsym", RH__FINDS},
    {"dlvsym", RH__FINDS},
    {"dprintf", RH__SHOWS_TO},
    {"exit", RH__RUNS},
    {"exp", RH__NOTHING},
    {"fabs", RH__NOTHING},
    {"fclose", RH__NOTHING},
    {"fflush", RH__NOTHING},
    {"fgets", RH__FILLS},
    {"floor", RH__NOTHING},
    {"fmemopen", RH__OPENS},
    {"fmod", RH__NOTHING},
    {"fopen", RH__OPAQUE},
    {"fprintf", RH__SHOWS_TO},
    {"fputc", RH__NOTHING},
    {"fputs", RH__NOTHING},
    {"fread", RH__RESTORES},
    {"free", RH__NOTHING},
    {"fscanf", RH__RESTORES},
    {"fwrite", RH__SAVES},
    {"getchar", RH__NOTHING},
    {"getenv", RH__OPAQUE},
    {"getpid", RH__NOTHING},
    {"getrandom", RH__FILLS},
    {"gettimeofday", RH__FILLS},
    {"gmtime", RH__OPAQUE},
    {"isalnum", RH__NOTHING},
    {"isalpha", RH__NOTHING},
    {"isdigit", RH__NOTHING},
    {"isspace", RH__NOTHING},
    {"labs", RH__NOTHING},
    {"localtime", RH__OPAQUE},
    {"log", RH__NOTHING},
    {"malloc", RH__ALLOCATES},
    {"memalign", RH__ALLOCATES},
    {"memchr", RH__GIVES_INTO},
    {"memcmp", RH__NOTHING},
    {"memcpy", RH__COPIES},
    {"memmove", RH__COPIES},
    {"mempcpy", RH__COPIES},
    {"memrchr", RH__GIVES_INTO},
    {"memset", RH__SETS},
    {"nanosleep", RH__PUTS},
    {"open_memstream", RH__FILLS_FIRST},
    {"pause", RH__NOTHING},
    {"perror", RH__NOTHING},
    {"posix_memalign", RH__FILLS_FIRST},
    {"pow", RH__NOTHING},
    {"pread", RH__RESTORES},
    {"printf", RH__SHOWS},
    {"putc", RH__NOTHING},
    {"putchar", RH__NOTHING},
    {"puts", RH__NOTHING},
    {"pwrite", RH__SAVES_SECOND},
    {"qsort", RH__SORTS},
    {"qsort_r", RH__SORTS},
    {"raise", RH__RUNS},
    {"rand", RH__NOTHING},
    {"rand_r", RH__PUTS},
    {"random", RH__NOTHING},
    {"read", RH__RESTORES},
    {"realloc", RH__REALLOCATES},
    {"reallocarray", RH__REALLOCATES},
    {"scanf", RH__RESTORES},
    {"setvbuf", RH__NOTHING},
    {"sin", RH__NOTHING},
    {"sleep", RH__NOTHING},
    {"snprintf", RH__SHOWS_SOME},
    {"sprintf", RH__SHOWS_IN},
    {"sqrt", RH__NOTHING},
    {"srand", RH__NOTHING},
    {"srandom", RH__NOTHING},
    {"sscanf", RH__RESTORES},
    {"stpcpy", RH__FILLS},
    {"strcasecmp", RH__NOTHING},
    {"strcat", RH__FILLS},
    {"strchr", RH__GIVES_INTO},
    {"strcmp", RH__NOTHING},
    {"strcpy", RH__FILLS},
    {"strcspn", RH__NOTHING},
    {"strdup", RH__DUPLICATES},
    {"strerror", RH__OPAQUE},
    {"strlen", RH__NOTHING},
    {"strncasecmp", RH__NOTHING},
    {"strncat", RH__FILLS},
    {"strncmp", RH__NOTHING},
    {"strncpy", RH__FILLS},
    {"strndup", RH__DUPLICATES},
    {"strnlen", RH__NOTHING},
    {"strpbrk", RH__GIVES_INTO},
    {"strrchr", RH__GIVES_INTO},
    {"strspn", RH__NOTHING},
    {"strstr", RH__GIVES_INTO},
    {"strtod", RH__ENDS},
    {"strtof", RH__ENDS},
    {"strtol", RH__ENDS},
    {"strtold", RH__ENDS},
    {"strtoll", RH__ENDS},
    {"strtoul", RH__ENDS},
    {"strtoull", RH__ENDS},
    {"time", RH__PUTS},
    {"tolower", RH__NOTHING},
    {"toupper", RH__NOTHING},
    {"usleep", RH__NOTHING},
    {"vasprintf", RH__SHOWS_NEW},
    {"vfprintf", RH__SHOWS_TO},
    {"vprintf", RH__SHOWS},
    {"vsnprintf", RH__SHOWS_SOME},
    {"vsprintf", RH__SHOWS_IN},
    {"write", RH__SAVES_SECOND},
};

// Intrinsics of LLVM by the beginning of their names. An intrinsic that is not listed and has no
// addresses among its parameters only computes: what it gives may be what it was given.
static const struct model intrinsics[] = {
    {"llvm.memcpy.", RH__COPIES},
    {"llvm.memmove.", RH__COPIES},
    {"llvm.memset.", RH__SETS},
    {"llvm.va_start", RH__STARTS_LIST},
    {"llvm.va_copy", RH__COPIES_LIST},
    {"llvm.va_end", RH__NOTHING},
    {"llvm.lifetime.", RH__NOTHING},
    {"llvm.dbg.", RH__NOTHING},
    {"llvm.objectsize.", RH__NOTHING},
    {"llvm.stackrestore", RH__NOTHING},
    {"llvm.assume", RH__NOTHING},
    {"llvm.trap", RH__NOTHING},
    {"llvm.prefetch", RH__NOTHING},
    {"llvm.invariant.", RH__NOTHING},
    {"llvm.expect", RH__SAME},
    {"llvm.threadlocal.address", RH__SAME},
    {"llvm.ptrmask", RH__SAME},
    {"llvm.ptr.annotation", RH__SAME},
    {"llvm.launder.", RH__SAME},
    {"llvm.strip.", RH__SAME},
    {"llvm.ssa.copy", RH__SAME},
    {"llvm.is.constant", RH__SAME},
    {"llvm.var.annotation", RH__NOTHING},
    {"llvm.load.relative", RH__LOADS_RELATIVE},
};

static int compare_model(const void *key, const void *model)
{
    return strcmp(key, ((const struct model *)model)->name);
}

// With the checks of _FORTIFY_SOURCE, memcpy is __memcpy_chk. Its first arguments are the same;
// only functions that format have others before the format (is_checked in library.c).
static const struct model *find_model(const char *name)
{
    char plain[64];
    size_t length = strlen(name);
    const struct model *found =
        bsearch(name, models, sizeof models / sizeof models[0], sizeof models[0], compare_model);
    if (found || length < 7 || length >= sizeof plain || strncmp(name, "__", 2) != 0 ||
        strcmp(name + length - 4, "_chk") != 0)
        return found;
    memcpy(plain, name + 2, length - 6);
    plain[length - 6] = '\0';
    return bsearch(plain, models, sizeof models / sizeof models[0], sizeof models[0],
                   compare_model);
}

static bool takes_addresses(const struct rh_ir_module *module,
                            const struct rh_ir_function *function)
{
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        const struct rh_ir_type *type = rh_ir_type_of(module, function->parameters[i]);
        if (type->kind == RH_IR_VECTOR)
            type = rh_ir_type_of(module, type->element);
        if (type->kind == RH_IR_POINTER)
            return true;
    }
    return false;
}

bool rh__effect_find(const struct rh_ir_module *module, const struct rh_ir_function *function,
                     enum rh__effect *effect)
{
    const struct model *model = function->is_intrinsic ? NULL : find_model(function->name);
    for (size_t i = 0; function->is_intrinsic && i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (!strncmp(function->name, intrinsics[i].name, strlen(intrinsics[i].name)))
            model = &intrinsics[i];
    *effect = model ? model->effect : RH__SAME;
    return model || (function->is_intrinsic && !takes_addresses(module, function));
}

uint32_t rh__effect_needs(enum rh__effect effect)
{
    switch (effect) {
    case RH__COPIES:
    case RH__COPIES_LIST:
    case RH__CLEARS:
    case RH__ENDS:
    case RH__SETS:
    case RH__SAVES_SECOND:
    case RH__FINDS:
        return 2;
    case RH__SORTS:
        return 4;
    case RH__SEARCHES:
        return 5;
    case RH__FILLS:
    case RH__SAVES:
    case RH__RESTORES:
    case RH__OPENS:
    case RH__SHOWS_IN:
    case RH__SHOWS_SOME:
    case RH__SHOWS_NEW:
    case RH__GIVES_INTO:
    case RH__REALLOCATES:
    case RH__FILLS_FIRST:
    case RH__STARTS_LIST:
    case RH__LOADS_RELATIVE:
        return 1;
    default:
        return 0;
    }
}
