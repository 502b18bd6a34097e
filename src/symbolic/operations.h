// SPDX-License-Identifier: MIT
// Between the files that know the operations of actor.h. An operation changes nothing before
// something in it forks, since the copy does it again.
#ifndef REHEARSE_SYMBOLIC_OPERATIONS_H
#define REHEARSE_SYMBOLIC_OPERATIONS_H

#include "symbolic/internal.h"

// operations.c

// Each ends the situation, and is what the operation gives then.
enum rh__sym_served rh__sym_operation_unknown(struct rh__sym *sym,
                                              struct rh__sym_situation *situation,
                                              const char *what);
enum rh__sym_served rh__sym_operation_broken(struct rh__sym *sym,
                                             struct rh__sym_situation *situation, const char *what);
// The name and size in a struct rh_type at the address; NULL: there is none.
const char *rh__sym_type_at(struct rh__sym *sym, struct rh__sym_situation *situation,
                            rh_term address, uint64_t *size);
// A copy of `size` bytes as an object of its own, which is not in the situation yet; NULL: none.
// `record`: the struct that the bytes are, or NULL.
bool rh__sym_copy_bytes(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                        rh_term size, const char *record, struct rh__sym_object **copy);

// sends.c

// The logical time of who runs; a test's body has none.
uint64_t rh__sym_present(const struct rh__sym_situation *situation);
// `message` has what the kind of sending needs.
enum rh__sym_served rh__sym_op_send(struct rh__sym *sym, struct rh__sym_situation *situation,
                                    const rh__sym_value *arguments, struct rh__sym_message message);
enum rh__sym_served rh__sym_op_send_from(struct rh__sym *sym, struct rh__sym_situation *situation,
                                         const rh__sym_value *arguments);
enum rh__sym_served rh__sym_op_after(struct rh__sym *sym, struct rh__sym_situation *situation,
                                     const rh__sym_value *arguments);
enum rh__sym_served rh__sym_op_ask(struct rh__sym *sym, struct rh__sym_situation *situation,
                                   const rh__sym_value *arguments);
enum rh__sym_served rh__sym_op_reply(struct rh__sym *sym, struct rh__sym_situation *situation,
                                     const rh__sym_value *arguments);

// spawns.c
enum rh__sym_served rh__sym_op_spawn(struct rh__sym *sym, struct rh__sym_situation *situation,
                                     const rh__sym_value *arguments, rh__sym_value *value);
enum rh__sym_served rh__sym_op_reserve(struct rh__sym *sym, struct rh__sym_situation *situation,
                                       const rh__sym_value *arguments, rh__sym_value *value);
enum rh__sym_served rh__sym_op_spawn_at(struct rh__sym *sym, struct rh__sym_situation *situation,
                                        const rh__sym_value *arguments);

#endif
