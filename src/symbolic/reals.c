// SPDX-License-Identifier: MIT
// Functions of real numbers. What the solver knows is a term; others are computed for one value.
#include <math.h>
#include <string.h>

#include "symbolic/internal.h"

static rh_term sign_bit(struct rh__sym *sym, rh_term a)
{
    unsigned width = rh_term_width(&sym->terms, a);
    return rh_term_constant(&sym->terms, width, UINT64_C(1) << (width - 1));
}

enum rh__sym_served rh__sym_fabs(const struct rh__sym_call *call)
{
    struct rh_terms *terms = &call->sym->terms;
    rh_term others = rh_term_not(terms, sign_bit(call->sym, call->arguments[0]));
    *call->value = rh_term_make2(terms, RH_TERM_AND, call->arguments[0], others);
    return RH__SYM_SERVED;
}

enum rh__sym_served rh__sym_copysign(const struct rh__sym_call *call)
{
    struct rh_terms *terms = &call->sym->terms;
    rh_term sign = sign_bit(call->sym, call->arguments[0]);
    rh_term size = rh_term_make2(terms, RH_TERM_AND, call->arguments[0], rh_term_not(terms, sign));
    *call->value = rh_term_make2(terms, RH_TERM_OR, size,
                                 rh_term_make2(terms, RH_TERM_AND, call->arguments[1], sign));
    return RH__SYM_SERVED;
}

// Without instructions that multiply and add at once, which x86-64 has not by itself, each is
// rounded.
enum rh__sym_served rh__sym_fmuladd(const struct rh__sym_call *call)
{
    struct rh_terms *terms = &call->sym->terms;
    rh_term product =
        rh_term_make2(terms, RH_TERM_MULTIPLY_REAL, call->arguments[0], call->arguments[1]);
    *call->value = rh_term_make2(terms, RH_TERM_ADD_REAL, product, call->arguments[2]);
    return RH__SYM_SERVED;
}

// `a` if `is_first` holds or `b` is no number.
static void set_either(const struct rh__sym_call *call, rh_term is_first)
{
    struct rh_terms *terms = &call->sym->terms;
    rh_term a = call->arguments[0], b = call->arguments[1];
    rh_term is_only = rh_term_make1(terms, RH_TERM_IS_NAN, b);
    *call->value = rh_term_choice(terms, rh_term_make2(terms, RH_TERM_OR, is_first, is_only), a, b);
}

enum rh__sym_served rh__sym_least(const struct rh__sym_call *call)
{
    set_either(call, rh_term_make2(&call->sym->terms, RH_TERM_LESS_EQUAL_REAL, call->arguments[0],
                                   call->arguments[1]));
    return RH__SYM_SERVED;
}

enum rh__sym_served rh__sym_greatest(const struct rh__sym_call *call)
{
    set_either(call, rh_term_make2(&call->sym->terms, RH_TERM_LESS_EQUAL_REAL, call->arguments[1],
                                   call->arguments[0]));
    return RH__SYM_SERVED;
}

// --- Functions that are computed. ---

static const struct computed {
    const char *name; // and with llvm. before it
    double (*one)(double);
    double (*two)(double, double);
} computed[] = {
    {"sin", sin, NULL},     {"cos", cos, NULL},        {"tan", tan, NULL},
    {"asin", asin, NULL},   {"acos", acos, NULL},      {"atan", atan, NULL},
    {"exp", exp, NULL},     {"exp2", exp2, NULL},      {"log", log, NULL},
    {"log2", log2, NULL},   {"log10", log10, NULL},    {"sqrt", sqrt, NULL},
    {"cbrt", cbrt, NULL},   {"floor", floor, NULL},    {"ceil", ceil, NULL},
    {"trunc", trunc, NULL}, {"round", round, NULL},    {"rint", rint, NULL},
    {"pow", NULL, pow},     {"fmod", NULL, fmod},      {"atan2", NULL, atan2},
    {"hypot", NULL, hypot}, {"nearbyint", rint, NULL},
};

static const struct computed *find_computed(const char *name)
{
    static const char of_llvm[] = "llvm.", of_double[] = ".f64";
    size_t length = strlen(name);
    if (!strncmp(name, of_llvm, sizeof of_llvm - 1)) {
        name += sizeof of_llvm - 1;
        length = strlen(name);
        size_t end = sizeof of_double - 1;
        if (length <= end || strcmp(name + length - end, of_double) != 0)
            return NULL;
        length -= end;
    }
    for (size_t i = 0; i < sizeof computed / sizeof computed[0]; i++)
        if (strlen(computed[i].name) == length && !strncmp(computed[i].name, name, length))
            return &computed[i];
    return NULL;
}

// The argument's value here. Where it has another one, the situation ends: nobody has a term for
// the function.
static bool fix_argument(const struct rh__sym_call *call, rh_term term, double *real)
{
    struct rh__sym *sym = call->sym;
    struct rh_assignment values = {call->situation->values.items, call->situation->values.count};
    uint64_t number = rh_term_value(&sym->terms, term, values);
    memcpy(real, &number, sizeof *real);
    struct rh_text reason = {0};
    rh_text_addf(&reason, "%s of other numbers than %g", call->callee->source_name, *real);
    bool is_fixed = rh__sym_require(
        sym, call->situation,
        rh_term_make2(&sym->terms, RH_TERM_EQUAL, term, rh_term_constant(&sym->terms, 64, number)),
        RH__SYM_UNKNOWN, rh_text_get(&reason), false);
    rh_text_fini(&reason);
    return is_fixed;
}

enum rh__sym_served rh__sym_real_function(const struct rh__sym_call *call)
{
    const struct computed *function = find_computed(call->callee->name);
    uint32_t count = function && function->two ? 2 : 1;
    double arguments[2] = {0, 0};
    if (!function || call->count < count)
        return RH__SYM_NOT_SERVED;
    for (uint32_t i = 0; i < count; i++)
        if (rh__sym_is_tuple(call->arguments[i]) ||
            rh_term_width(&call->sym->terms, call->arguments[i]) != 64)
            return RH__SYM_NOT_SERVED;
    for (uint32_t i = 0; i < count; i++)
        if (!fix_argument(call, call->arguments[i], &arguments[i]))
            return RH__SYM_AGAIN;
    double result =
        function->two ? function->two(arguments[0], arguments[1]) : function->one(arguments[0]);
    uint64_t number;
    memcpy(&number, &result, sizeof number);
    *call->value = rh_term_constant(&call->sym->terms, 64, number);
    return RH__SYM_SERVED;
}
