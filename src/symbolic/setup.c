// SPDX-License-Identifier: MIT
// A test's body, run as the world runs it: in the name of the outside, before the first delivery.
// What it takes from rh_input is unknown, so it may come to several situations.
#include <string.h>

#include "symbolic/internal.h"

static const char test_prefix[] = "rh__test_of_";

// The name and the body that a test's declaration has; false if the global is none.
static bool read_test(const struct rh__sym *sym, const struct rh_ir_global *global,
                      struct rh__sym_test *test)
{
    const struct rh_ir_module *module = sym->module;
    if (strncmp(global->name, test_prefix, sizeof test_prefix - 1) != 0 ||
        global->initial == RH_NONE)
        return false;
    const struct rh_ir_constant *entry = &module->constants.items[global->initial];
    if (entry->kind != RH_IR_ELEMENTS || entry->operand_count < 2)
        return false;
    struct rh_ir_ref name = {.index = entry->operands[0], .is_constant = true};
    const struct rh_ir_constant *body = &module->constants.items[entry->operands[1]];
    test->name = rh_ir_text(module, name);
    if (!test->name || body->kind != RH_IR_FUNCTION)
        return false;
    test->body = &module->functions.items[body->number];
    return test->body->block_count;
}

void rh__sym_tests_find(struct rh__sym *sym, struct rh__sym_tests *tests)
{
    struct rh__sym_test test;
    for (size_t i = 0; i < sym->module->globals.count; i++)
        if (read_test(sym, &sym->module->globals.items[i], &test))
            *(struct rh__sym_test *)rh_vector_push(tests) = test;
}

void rh__sym_set_up(struct rh__sym *sym, const struct rh__sym_test *test,
                    struct rh__sym_situations *begun)
{
    struct rh__sym_situation *situation = rh__sym_situation_new();
    rh__sym_call(sym, situation, test->body, NULL, NULL, 0);
    rh__sym_push(sym, situation);
    while (sym->forked.count) {
        struct rh__sym_situation *next = sym->forked.items[--sym->forked.count];
        rh__sym_run(sym, next);
        if (next->end == RH__SYM_UNKNOWN || next->end == RH__SYM_BROKEN)
            rh__sym_note(sym, next->reason, next->place);
        if (next->end == RH__SYM_DONE)
            *(struct rh__sym_situation **)rh_vector_push(begun) = next;
        else
            rh__sym_situation_free(next);
    }
}

// --- Operations of test.h. ---

// rh_outside(name): a sender that takes no messages.
static enum rh__sym_served make_sender(struct rh__sym *sym, struct rh__sym_situation *situation,
                                       rh_term name, rh__sym_value *value)
{
    uint32_t index = (uint32_t)situation->actors.count;
    const char *text = rh__sym_text(sym, situation, name);
    *rh_vector_push(&situation->actors) = (struct rh__sym_actor){.behaviour = RH_NONE,
                                                                 .state = RH_NONE,
                                                                 .at_stop = RH_NONE,
                                                                 .parent = RH_NONE,
                                                                 .name = text ? text : "?",
                                                                 .is_sender = true,
                                                                 .is_stopped = true};
    *value = rh_term_constant(&sym->terms, 64, rh__sym_actor_address(index));
    return RH__SYM_SERVED;
}

static enum rh__sym_served mark_receptionist(struct rh__sym *sym,
                                             struct rh__sym_situation *situation, rh_term address)
{
    uint64_t number;
    if (rh__sym_number(sym, situation, address, &number) && number >= RH__SYM_ACTORS &&
        (number - RH__SYM_ACTORS) >> RH__SYM_ACTOR_BITS < situation->actors.count)
        situation->actors.items[(number - RH__SYM_ACTORS) >> RH__SYM_ACTOR_BITS].is_receptionist =
            true;
    return RH__SYM_SERVED;
}

enum rh__sym_served rh__sym_body_operation(struct rh__sym *sym, struct rh__sym_situation *situation,
                                           const char *name, const rh__sym_value *arguments,
                                           rh__sym_value *value)
{
    if (!strcmp(name, "rh_outside"))
        return make_sender(sym, situation, arguments[0], value);
    if (!strcmp(name, "rh_receptionist"))
        return mark_receptionist(sym, situation, arguments[0]);
    // Judges look at the world and change nothing; what may come need not.
    if (!strcmp(name, "rh__judge") || !strcmp(name, "rh__may_come"))
        return RH__SYM_SERVED;
    return RH__SYM_NOT_SERVED;
}
