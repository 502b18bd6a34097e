// SPDX-License-Identifier: MIT
// The engine's beginning and end.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbolic/internal.h"

struct rh_status rh__sym_init(struct rh__sym *sym, const struct rh_ir_module *module,
                              const struct rh_generate_options *options,
                              struct rh_generate_result *result)
{
    *result = (struct rh_generate_result){
        .limits = {options->loop, options->deliveries_each, options->actors_each},
        .keeps_order = options->keeps_order};
    *sym =
        (struct rh__sym){.module = module, .options = options, .result = result, .wanted = RH_NONE};
    sym->globals = rh_alloc(module->globals.count * sizeof(struct rh__sym_object *) + 1);
    sym->loops = rh_alloc(module->functions.count * sizeof *sym->loops + 1);
    rh_terms_init(&sym->terms);
    struct rh_status status = rh_solver_new(&sym->terms, options->solver_limit, &sym->solver);
    if (!rh_is_ok(&status))
        return status;
    if (options->queries && access(options->queries, W_OK | X_OK))
        return rh_bad_input("--queries: %s: %s", options->queries, strerror(errno));
    rh_solver_record(sym->solver, options->queries);
    rh__sym_types_find(sym);
    rh__sym_behaviours_find(sym);
    return rh_ok();
}

void rh__sym_fini(struct rh__sym *sym)
{
    for (size_t i = 0; i < sym->module->globals.count; i++)
        rh__sym_object_release(sym->globals[i]);
    for (size_t i = 0; i < sym->handlings.count; i++) {
        rh_vector_fini(&sym->handlings.items[i]->reads.items);
        rh_vector_fini(&sym->handlings.items[i]->writes.items);
        rh_vector_fini(&sym->handlings.items[i]->sends);
    }
    for (size_t i = 0; i < sym->payloads.count; i++)
        rh__sym_object_release(sym->payloads.items[i]);
    rh_vector_fini(&sym->payloads);
    free(sym->globals);
    free(sym->loops);
    rh_vector_fini(&sym->tuples);
    rh_vector_fini(&sym->types);
    rh_vector_fini(&sym->unknowns);
    rh_vector_fini(&sym->sites);
    rh_vector_fini(&sym->behaviours);
    rh_vector_fini(&sym->handlings);
    rh_vector_fini(&sym->forked);
    rh_vector_fini(&sym->laid_out);
    rh_vector_fini(&sym->bounds);
    rh_vector_fini(&sym->known_calls);
    rh_solver_free(sym->solver);
    rh_terms_fini(&sym->terms);
    // The result's texts lie in the arena.
    sym->result->arena = sym->arena;
}
