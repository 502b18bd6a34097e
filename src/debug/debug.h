// SPDX-License-Identifier: MIT
// What the debug information of the running program knows: types by name, their padding, how a
// value prints, which variable or function an address belongs to. The only folder that includes
// elfutils. Without debug information every question has an answer that says so.
//
// Thread rule: none; one user at a time. May be used after fork on inherited handles.
#ifndef REHEARSE_DEBUG_DEBUG_H
#define REHEARSE_DEBUG_DEBUG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

struct rh_debug;
struct rh_debug_type;

// Opens the debug information of this process (executable and every loaded library that is not a
// system library), or, with a path, of an executable file that is not running.
struct rh_debug *rh_debug_open_self(void);
struct rh_debug *rh_debug_open_file(const char *path, struct rh_status *status);
void rh_debug_free(struct rh_debug *debug);

// Whether the executable has type information at all (compiled with -g).
bool rh_debug_has_types(const struct rh_debug *debug);

// Finds a type as written in C: "struct account", "account" (a typedef or a struct of that name),
// "int", "unsigned long", "char *". `size` tells candidates of equal name apart; 0 accepts any.
// NULL if unknown. Owned by `debug`.
const struct rh_debug_type *rh_debug_find_type(struct rh_debug *debug, const char *name,
                                               size_t size);
size_t rh_debug_type_size(const struct rh_debug_type *type);

// Sets mask[i] to 0xff if byte i of the type carries a value and to 0 if it is padding (a
// bit-field's byte counts as a value; the bytes of a union count if any member uses them; where
// something is not understood all bytes count). `mask` has rh_debug_type_size bytes.
void rh_debug_type_mask(const struct rh_debug_type *type, uint8_t *mask);

// Byte offsets of the fields of pointer type (nested structs and arrays included, not unions), at
// most `most`, in ascending order; pointers to `rh_actor` are left out. Gives how many.
size_t rh_debug_type_pointers(const struct rh_debug_type *type, size_t *offsets, size_t most);
// As rh_debug_type_pointers, for the pointers to `rh_actor` alone.
size_t rh_debug_type_actors(const struct rh_debug_type *type, size_t *offsets, size_t most);

// Adds the names of the fields of a value all of whose bytes are `byte`: "version, header.length".
// Numbers, enums and pointers count, in nested structs too, and of an array its first element:
// programs leave the rest of one unset, and members of unions. At most eight are named. false if
// there are none.
bool rh_debug_find_filled(const struct rh_debug_type *type, const void *bytes, size_t size,
                          uint8_t byte, struct rh_text *names);

// The type of the elements of the flexible array at the end of a struct, and in `start` the byte at
// which the first element begins; NULL if the struct has no such array. The elements are no part of
// the struct's mask and of its pointers.
const struct rh_debug_type *rh_debug_type_tail(const struct rh_debug_type *type, size_t *start);

// The type that the pointer at this offset of a type points to. NULL if there is no pointer, or its
// target is not known.
const struct rh_debug_type *rh_debug_type_pointee(struct rh_debug *debug,
                                                  const struct rh_debug_type *type, size_t offset);

// How values that only the world can name are shown.
struct rh_debug_names {
    void *context;
    // Adds the name of an address that means something (an actor: "account#2"). Gives false for an
    // address that means nothing, which then prints as symbol or as `(pointer)`.
    bool (*add_address)(void *context, struct rh_text *text, uint64_t address);
};

// Adds a value: `{amount = 50, to = account#2, name = "bob"}`. Structs with field names, arrays in
// brackets (at most 16 elements, then ...), char arrays as strings, enums by name, bools, floats
// with %g, function pointers by symbol, rh_actor * by name, bit-fields, unions as their members.
// `size` may exceed the type's (flexible array: its elements follow, char ones as text) or fall
// short of it (prints what is there). type NULL: hex bytes, at most 32, then `...`. Values are
// deterministic under address randomisation: a pointer that is no actor prints as `function`,
// `&variable`, the text of a constant string, or else `(pointer)`; NULL as `NULL`.
void rh_debug_add_value(struct rh_debug *debug, struct rh_text *text,
                        const struct rh_debug_type *type, const void *bytes, size_t size,
                        const struct rh_debug_names *names);

// What names stand for that only the world knows.
struct rh_debug_addresses {
    void *context;
    // The address of the actor of this name ("account#2"). Gives false if there is no such actor.
    bool (*find)(void *context, const char *name, uint64_t *address);
};

// Reads one value as people write it in a schedule file: "5", "-3", "0x1f", "1.5", "true", "'x'",
// an enumerator's name, "\"text\"" for a char array, "[1, 2]" for other arrays, and for a struct
// its fields by name, "{amount = 5, name = \"x\"}", where fields that are not named become zero. An
// `rh_actor *` is written as the actor's name, in quotes if the name has blanks, where `addresses`
// is not NULL; all other pointers can only be NULL. Used for `input` lines and for outside
// messages.
struct rh_status rh_debug_parse_value(struct rh_debug *debug, const struct rh_debug_type *type,
                                      const char *text, void *bytes, size_t size,
                                      const struct rh_debug_addresses *addresses);

// The variable that contains this address of the running program, as "name" or "name+8"; a static
// variable of a function as "function.name". false if none is known. `file` and `line` may be NULL;
// they are borrowed from `debug`. For a file that is not running, addresses are those in the file.
bool rh_debug_variable_at(struct rh_debug *debug, uintptr_t address, struct rh_text *name,
                          const char **file, int *line);

// The executable's data as the linker knows them, in the order of the addresses: variables that
// share a section follow each other. Thread-locals are those of the first thread.
struct rh_debug_data {
    const char *name;
    uintptr_t start;
    size_t size;
    unsigned section;
};
void rh_debug_visit_data(struct rh_debug *debug,
                         void (*visit)(void *context, const struct rh_debug_data *data),
                         void *context);

// The function that contains this code address, and the source line. false if not even the symbol
// is known; file is NULL and line 0 if only the symbol is.
bool rh_debug_code_at(struct rh_debug *debug, uintptr_t address, struct rh_text *function,
                      const char **file, int *line);

// The executable's function that begins at this address, as the linker calls it. NULL if none is
// known.
const char *rh_debug_function_name(struct rh_debug *debug, uintptr_t address);
// The address of the executable's function with this linker name; 0 if there is none, or more than
// one.
uintptr_t rh_debug_find_function(struct rh_debug *debug, const char *name);

// Visits the addresses at which code of a source line begins, in the executable and in libraries
// built with it. `file` is the path that the compiler was given, or its end behind a slash.
void rh_debug_visit_line(struct rh_debug *debug, const char *file, int line,
                         void (*visit)(void *context, uintptr_t address), void *context);

// The executable's functions as the linker knows them, in the order of the addresses.
struct rh_debug_code {
    const char *name;
    uintptr_t start;
    size_t size; // 0 if the file does not say
};
void rh_debug_visit_code(struct rh_debug *debug,
                         void (*visit)(void *context, const struct rh_debug_code *code),
                         void *context);

// The source line of this code address, and the function that it stands in. false if it is not
// known. All texts are borrowed from `debug`.
bool rh_debug_line_at(struct rh_debug *debug, uintptr_t address, const char **function,
                      const char **file, int *line);

// Whether this code was compiled from the library's own sources, as far as the debug information
// knows.
bool rh_debug_code_is_own(struct rh_debug *debug, uintptr_t address);

#endif
