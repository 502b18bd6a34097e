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

// gifts.c

// Bytes that go into a message, or into a new state.
struct rh__sym_copying {
    rh_term address, size;
    const char *record; // the struct that they are; NULL: not known
    uint64_t record_size;
    bool is_state;
};
// A copy as an object of its own, which is not in the situation yet; NULL: of no bytes. What is
// handed over with it is on its way. false: the situation has ended, or goes on elsewhere.
bool rh__sym_copy_bytes(struct rh__sym *sym, struct rh__sym_situation *situation,
                        const struct rh__sym_copying *copying, struct rh__sym_object **copy);
// The payload of a message of the type. `arguments`: address and size.
bool rh__sym_copy_payload(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t type,
                          const rh__sym_value *arguments, struct rh__sym_object **payload);
enum rh__sym_served rh__sym_op_give(struct rh__sym *sym, struct rh__sym_situation *situation,
                                    const rh__sym_value *arguments, rh__sym_value *value);

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
