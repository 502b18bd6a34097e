// SPDX-License-Identifier: MIT
// What the files of this folder share. Debug information is read in three steps, each on the first
// question that needs it: the ELF file of a module, its named types, its places (variables and
// functions). A type is turned once from its DIE into a `struct rh_debug_type`; everything that is
// done with values works on that model and never on DWARF.
//
// Invariant: nothing here trusts the file. Walks are bounded by the size of what they walk, chains
// of references by RH__DEBUG_DEPTH, and every answer may be "unknown".
#ifndef REHEARSE_DEBUG_INTERNAL_H
#define REHEARSE_DEBUG_INTERNAL_H

#include <elfutils/libdw.h>
#include <gelf.h>

#include "base/index.h"
#include "base/vector.h"
#include "debug/debug.h"

enum {
    RH__DEBUG_DEPTH = 64, // nesting of types and scopes beyond which information counts as broken
};

__extension__ typedef __int128 rh__int128;
__extension__ typedef unsigned __int128 rh__uint128;

// A loaded part of a module, at the addresses of the running program.
struct rh__segment {
    uint64_t start;
    uint64_t end;
    bool writable;
};

// The name of a linker symbol and the addresses it covers.
struct rh__symbol {
    uint64_t start;
    uint64_t size; // 0 if the file does not say
    const char *name;
    unsigned section; // number in the file
    bool is_code;
    // Among symbols with the same start the one with the lowest rank is shown.
    size_t rank;
};

// A global variable, or a static one of a function.
struct rh__variable {
    uint64_t start;
    uint64_t size;
    const char *function; // NULL if the variable stands outside functions
    const char *name;
    const char *file; // NULL if unknown
    int line;
    size_t order;
};

// The code of a function, or of one inlined into another: ranges nest.
struct rh__function {
    uint64_t start;
    uint64_t end;
    const char *name;
    Dwarf_Die unit;
    int depth;
};

typedef RH_VECTOR(struct rh__segment) rh__segments;
typedef RH_VECTOR(struct rh__symbol) rh__symbols;
typedef RH_VECTOR(struct rh__variable) rh__variables;
typedef RH_VECTOR(struct rh__function) rh__functions;

// The executable or one library. An address in the running program is `bias` above the same address
// in the file.
struct rh__module {
    char *path;
    uint64_t bias;
    // Thread-locals of the thread that opened the debug information; 0 if the module has none.
    uint64_t thread_data;
    uint64_t thread_size;
    rh__segments segments;
    bool is_system;  // only the symbols of a system library are read
    bool is_running; // whether the module's memory can be read at the addresses of its segments

    bool elf_tried;
    Elf *elf;
    bool dwarf_tried;
    Dwarf *dwarf;
    bool own_tried;
    // Compilation directory of this library; NULL if the module does not contain the library.
    const char *own_directory;

    bool symbols_read;
    rh__symbols symbols;
    bool places_read;
    rh__variables variables;
    rh__functions functions;
};

// A name and the DIE that defines it, in the order of the file.
struct rh__named {
    const char *name;
    Dwarf_Die die;
    int tag;
    size_t order;
};

enum rh__kind {
    RH__OPAQUE, // bytes of which only the size is known
    RH__SIGNED,
    RH__UNSIGNED,
    RH__CHARACTER, // plain char, shown as 'x'
    RH__BOOL,
    RH__FLOAT,
    RH__COMPLEX,
    RH__ENUM,
    RH__POINTER,
    RH__STRUCT,
    RH__UNION,
    RH__ARRAY,
};

enum rh__pointee {
    RH__TO_OTHER,
    RH__TO_ACTOR,
    RH__TO_CHARACTERS,
    RH__TO_FUNCTION,
};

struct rh__field {
    // NULL if anonymous: the fields of an anonymous field count as the outer type's.
    const char *name;
    const struct rh_debug_type *type;
    size_t offset;
    unsigned bit_size;   // 0 if not a bit-field
    unsigned bit_offset; // from bit 0 of the byte at `offset`, below 8
};

struct rh__enumerator {
    const char *name;
    uint64_t value; // cut to the size of the type
};

// A type with typedefs and qualifiers taken off.
struct rh_debug_type {
    enum rh__kind kind;
    const char *name; // as people write it, or NULL
    size_t size;
    bool is_signed;           // of an enum: whether its values are signed
    bool is_extended;         // of a float or complex: x87 format, ten bytes used of sixteen
    enum rh__pointee pointee; // of a pointer
    // Of a pointer: the DIE of the type that it points to, turned when somebody asks for that type.
    Dwarf_Die target;
    bool has_target;
    const struct rh_debug_type *element; // of an array: the type of its elements
    size_t count;                        // of an array: the number of its elements
    bool is_flexible;                    // an array whose count the type does not say
    bool is_incomplete;                  // a struct or union with members that are not understood
    RH_VECTOR(struct rh__field) fields;
    RH_VECTOR(struct rh__enumerator) enumerators;
};

// An answer of rh_debug_find_type, kept because the same names are asked for again and again.
struct rh__found {
    const char *name;
    size_t size;
    const struct rh_debug_type *type; // may be NULL
};

typedef RH_VECTOR(struct rh__named) rh__names;

// How far the units have been read for the index of names.
struct rh__names_place {
    size_t module;  // number of the module to go on with
    Dwarf_CU *unit; // the last unit that was read in that module; NULL if none was
    size_t count;   // units read so far, in all modules
};

struct rh_debug {
    RH_VECTOR(struct rh__module *) modules; // the executable first
    struct rh__names_place names_place;
    // How far units have been read for types inside functions.
    struct rh__names_place local_names_place;
    rh__names names; // sorted by name, then by order
    RH_VECTOR(struct rh_debug_type *) types;
    RH_VECTOR(char *) strings;
    // What DIEs, and entries of the table of basic types, were turned into: places in `converted`
    // by the address of the DIE or entry.
    struct rh_index converted_index;
    RH_VECTOR(const struct rh_debug_type *) converted;
    int depth; // nesting of the types that are being turned
    RH_VECTOR(struct rh__found) found;
};

// open.c. Both give NULL if the module has no ELF file or no debug information.
Elf *rh__module_elf(struct rh__module *module);
Dwarf *rh__module_dwarf(struct rh__module *module);
const struct rh__segment *rh__segment_at(struct rh_debug *debug, uint64_t address,
                                         struct rh__module **module);
// Takes the string and keeps it as long as `debug` lives.
const char *rh__debug_keep(struct rh_debug *debug, char *string);

// walk.c. A visit of every DIE of a unit below its root in the order of the file; the visitor says
// whether to descend. `scope` is what the visitor gave for the enclosing DIE.
struct rh__visitor {
    void *context;
    // Gives the scope for the DIE's children, or NULL not to visit them.
    const void *(*visit)(void *context, Dwarf_Die *die, const void *scope, int depth);
};
void rh__walk_unit(Dwarf_Die *root, const void *scope, const struct rh__visitor *visitor);
// Steps through the units of a module. `unit` starts as NULL; gives false after the last one.
bool rh__next_unit(Dwarf *dwarf, Dwarf_CU **unit, Dwarf_Die *root);
bool rh__unit_is_own(struct rh__module *module, Dwarf_Die *root);
bool rh__die_flag(Dwarf_Die *die, unsigned attribute);
bool rh__die_unsigned(Dwarf_Die *die, unsigned attribute, uint64_t *value);
bool rh__die_reference(Dwarf_Die *die, unsigned attribute, Dwarf_Die *target);

// names.c. The definitions of a name in the order of the file; `local` includes those inside
// functions.
const struct rh__named *rh__find_names(struct rh_debug *debug, const char *name, bool local,
                                       size_t *count);
// As rh__find_names without `local`, but only among the names that have been read so far.
const struct rh__named *rh__find_read_names(const struct rh_debug *debug, const char *name,
                                            size_t *count);
// Reads more units, for types outside functions. Gives false if no unit was left.
bool rh__read_more_names(struct rh_debug *debug);

// basic.c. A type of the language by its words in any order ("long unsigned int"), or one that
// <stdint.h> and its like name the same way everywhere; NULL if it is none.
const struct rh_debug_type *rh__find_basic(struct rh_debug *debug, const char *words);
const struct rh_debug_type *rh__find_standard(struct rh_debug *debug, const char *name);

// type.c.
struct rh_debug_type *rh__type_new(struct rh_debug *debug, enum rh__kind kind, const char *name,
                                   size_t size);
// The entry of a key; the entry's type is NULL if the key is still to be turned. Valid until the
// next call.
const struct rh_debug_type **rh__converted(struct rh_debug *debug, const void *key);
// The type that a DIE describes; an opaque type of size 0 if the DIE does not tell. Never NULL.
const struct rh_debug_type *rh__type_of_die(struct rh_debug *debug, Dwarf_Die *die);
const struct rh_debug_type *rh__type_of(struct rh_debug *debug, Dwarf_Die *die);
const struct rh_debug_type *rh__array_of(struct rh_debug *debug,
                                         const struct rh_debug_type *element, size_t count,
                                         bool is_flexible);
enum rh__pointee rh__pointee_of(Dwarf_Die *target);
// Whether the field is a flexible array: its elements reach to the end of the value.
bool rh__is_flexible_field(const struct rh_debug_type *outer, size_t index);

// bits.c. Reads and writes whole numbers of up to 16 bytes.
rh__uint128 rh__bits_read(const void *bytes, size_t offset, unsigned bit_offset, unsigned bit_size);
void rh__bits_write(void *bytes, size_t offset, unsigned bit_offset, unsigned bit_size,
                    rh__uint128 value);
rh__int128 rh__bits_extend(rh__uint128 value, unsigned bit_size);
bool rh__is_number(const struct rh_debug_type *type);
bool rh__is_signed(const struct rh_debug_type *type);

// quote.c. Whether bytes can be shown as text, and text between quotes as C writes it.
bool rh__is_text(const char *bytes, size_t length);
void rh__add_quoted(struct rh_text *text, const char *bytes, size_t length);
void rh__add_character(struct rh_text *text, char character);

// pointer.c. Adds what is at an address, or `(pointer)`.
void rh__add_pointer(struct rh_debug *debug, struct rh_text *text, enum rh__pointee pointee,
                     uint64_t address, const struct rh_debug_names *names);

// symbol.c. NULL if no symbol covers the address of the running program.
const struct rh__symbol *rh__symbol_at(struct rh__module *module, uint64_t address, bool is_code);
// Adds the name without its version (stdout@GLIBC_2.2.5).
void rh__add_symbol_name(struct rh_text *text, const struct rh__symbol *symbol);

// lines.c. The file and line of a code address in the file, of a function that begins at `lowest`;
// the file is spelled as __FILE__ spells it where the debug information knows.
bool rh__line_at(Dwarf_Die *unit, uint64_t address, uint64_t lowest, const char **file, int *line);
// Where a variable is declared. File is NULL and line 0 where the DIE does not say.
void rh__declared_at(Dwarf_Die *die, const char **file, int *line);

// place.c. Adds the name of the function that begins exactly here; gives false if none does.
bool rh__add_function_starting_at(struct rh_debug *debug, struct rh_text *text, uint64_t address);

#endif
