// SPDX-License-Identifier: MIT
// A program in LLVM bitcode, as plain data: types, global variables, functions, blocks,
// instructions, the source places of instructions and the fields of structs by name. The bitcode is
// read once, and nothing of LLVM is kept.
//
// Invariants:
//  1. Everything is named by its index in the module's array of its kind; the arrays do not change
//     once the module is read.
//  2. In a function, values are numbered: first the parameters, then the instructions in their
//     order, whether they give a value or not.
//  3. Addresses are computed in bytes: whoever reads a module need not know how a struct or an
//     array is laid out to step over it.
//
// Thread rule: once a module is read, any thread may look at it.
#ifndef REHEARSE_BITCODE_MODULE_H
#define REHEARSE_BITCODE_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/none.h"
#include "base/status.h"
#include "base/vector.h"

#define RH_IR_UNBOUNDED UINT64_MAX

enum rh_ir_type_kind {
    RH_IR_VOID,
    RH_IR_INTEGER,
    RH_IR_REAL,
    RH_IR_POINTER,
    RH_IR_ARRAY,
    RH_IR_VECTOR,
    RH_IR_STRUCT,
    RH_IR_OTHER_TYPE,
};

struct rh_ir_type {
    enum rh_ir_type_kind kind;
    uint32_t bits;  // width of an integer or a real
    uint64_t size;  // in bytes, with padding at the end; 0 if the type has no size
    uint64_t count; // elements of an array or a vector, or fields of a struct
    bool is_array;
    uint32_t element;        // type of the elements of an array or a vector
    const uint32_t *fields;  // types of a struct's fields
    const uint64_t *offsets; // of a struct's fields, in bytes
    const char *name;        // of a struct: "deposit" for struct deposit; NULL if it has no name
    bool is_union; // the struct stands for a union: it has one of the union's forms, and its size
};

// A value: one of the function's own by number, or a constant of the module by index.
struct rh_ir_ref {
    uint32_t index : 31;
    uint32_t is_constant : 1;
};

// A variable part of an address: index * stride bytes, the index sign-extended. `count` elements
// lie there.
struct rh_ir_step {
    struct rh_ir_ref index;
    uint64_t stride;
    uint64_t count; // RH_IR_UNBOUNDED: the type does not say how many
};

#define RH_IR_OPCODES(X)                                                                           \
    X(RETURN)     /* operand: the value, if there is one */                                        \
    X(BRANCH)     /* operand: the condition, if any; blocks: if true, if false */                  \
    X(SWITCH)     /* operands: the value, the cases; blocks: the default, the cases */             \
    X(JUMP_TABLE) /* blocks: where it may lead */                                                  \
    X(UNREACHABLE)                                                                                 \
    X(ALLOCATE) /* operand: how many of `accessed` */                                              \
    X(LOAD)     /* operand: address; `accessed` */                                                 \
    X(STORE)    /* operands: value, address; `accessed` */                                         \
    X(ADDRESS)  /* operand: base; `offset` and `steps` are added to it */                          \
    X(CALL)     /* operands: arguments, callee; `copied`; blocks: where to go on, if elsewhere */  \
    X(PHI)      /* operands: a value for each of blocks */                                         \
    X(SELECT)   /* operands: condition, if true, if false */                                       \
    X(COMPARE)  /* operands: two integers or addresses; `predicate` */                             \
    X(COMPARE_REAL) /* operands: two reals; `predicate`, `holds_unordered` */                      \
    X(ADD)                                                                                         \
    X(SUBTRACT)                                                                                    \
    X(MULTIPLY)                                                                                    \
    X(DIVIDE_UNSIGNED)                                                                             \
    X(DIVIDE_SIGNED)                                                                               \
    X(REST_UNSIGNED)                                                                               \
    X(REST_SIGNED)                                                                                 \
    X(SHIFT_LEFT)                                                                                  \
    X(SHIFT_RIGHT)                                                                                 \
    X(SHIFT_RIGHT_SIGNED)                                                                          \
    X(AND)                                                                                         \
    X(OR)                                                                                          \
    X(XOR)                                                                                         \
    X(ADD_REAL)                                                                                    \
    X(SUBTRACT_REAL)                                                                               \
    X(MULTIPLY_REAL)                                                                               \
    X(DIVIDE_REAL)                                                                                 \
    X(REST_REAL)                                                                                   \
    X(NEGATE_REAL)                                                                                 \
    X(TRUNCATE)                                                                                    \
    X(EXTEND_ZERO)                                                                                 \
    X(EXTEND_SIGN)                                                                                 \
    X(RESIZE_REAL) /* a real of another width */                                                   \
    X(REAL_TO_UNSIGNED)                                                                            \
    X(REAL_TO_SIGNED)                                                                              \
    X(UNSIGNED_TO_REAL)                                                                            \
    X(SIGNED_TO_REAL)                                                                              \
    X(TO_INTEGER)                                                                                  \
    X(TO_ADDRESS)                                                                                  \
    X(REINTERPRET)                                                                                 \
    X(EXTRACT)  /* operand: aggregate or vector; `offset` in bytes, -1: an index follows */        \
    X(INSERT)   /* operands: aggregate or vector, element; `offset`, -1: an index follows */       \
    X(SHUFFLE)  /* operands: two vectors */                                                        \
    X(EXCHANGE) /* operands: address, value; gives what was there; `accessed`, `made_by` */        \
    X(COMPARE_EXCHANGE) /* operands: address, expected, value; gives {what was, is equal} */       \
    X(NEXT_ARGUMENT)    /* operand: address of the list */                                         \
    X(FREEZE)                                                                                      \
    X(NOTHING) /* no effect on values: a fence */                                                  \
    X(UNSUPPORTED)

enum rh_ir_opcode {
#define X(name) RH_IR_##name,
    RH_IR_OPCODES(X)
#undef X
};

enum rh_ir_predicate {
    RH_IR_EQUAL,
    RH_IR_NOT_EQUAL,
    RH_IR_ABOVE,
    RH_IR_ABOVE_EQUAL,
    RH_IR_BELOW,
    RH_IR_BELOW_EQUAL,
    RH_IR_GREATER,
    RH_IR_GREATER_EQUAL,
    RH_IR_LESS,
    RH_IR_LESS_EQUAL,
    RH_IR_ORDERED,   // neither of two reals is NaN
    RH_IR_UNORDERED, // one of two reals is NaN
};

// Where something stands in the source. `file` is NULL where the bitcode does not say.
struct rh_ir_place {
    const char *file;
    uint32_t line;
    uint32_t column;
};

struct rh_ir_instruction {
    enum rh_ir_opcode opcode;
    enum rh_ir_predicate predicate;
    bool holds_unordered; // of a comparison of reals: it also holds if one of them is NaN
    // Of arithmetic: C leaves open what happens if the result does not fit a signed integer, or an
    // unsigned one; if bits are lost by dividing or shifting right.
    bool fits_signed, fits_unsigned, is_exact;
    // Of an exchange: the operation that computes the new contents from the old ones and the value.
    // RH_IR_STORE: the value is the new contents.
    enum rh_ir_opcode made_by;
    uint32_t type;     // type of the result
    uint32_t accessed; // type of what lies in memory; of an address: of what the base points to
    uint32_t operand_count;
    uint32_t block_count;
    uint32_t step_count;
    int64_t offset;
    const struct rh_ir_ref *operands;
    const uint32_t *blocks;
    const struct rh_ir_step *steps;
    // Of a shuffle, for each element of the result: its index in the two vectors, one behind the
    // other; -1: any element.
    const int32_t *mask;
    // Of a call, for each argument: as `copied` of a function; NULL: the callee gets no copies.
    const uint32_t *copied;
    struct rh_ir_place place;
};

struct rh_ir_block {
    uint32_t first; // index of the block's first instruction
    uint32_t count;
};

enum rh_ir_constant_kind {
    RH_IR_NUMBER,      // an integer of up to 64 bits: `number`, sign-extended
    RH_IR_REAL_NUMBER, // a real that a double holds exactly: `real`
    RH_IR_ZERO,        // null, or a value of any type that is all zero
    RH_IR_UNDEFINED,   // any bits
    RH_IR_BYTES,       // an array of bytes, as `bytes`
    RH_IR_ELEMENTS,    // an array, vector or struct of `operands`
    RH_IR_VARIABLE,    // the address of global `number`
    RH_IR_FUNCTION,    // the address of function `number`
    // `opcode` of `operands`, with `offset` if the opcode is RH_IR_ADDRESS. RH_IR_CALL: the address
    // that the loader gets by calling the function (an ifunc).
    RH_IR_EXPRESSION,
    RH_IR_OTHER_CONSTANT,
};

struct rh_ir_constant {
    enum rh_ir_constant_kind kind;
    enum rh_ir_opcode opcode;
    uint32_t type;
    uint32_t operand_count;
    int64_t number;
    double real;
    int64_t offset;
    const uint32_t *operands; // indexes of constants
    const char *bytes;
    size_t byte_count;
};

struct rh_ir_global {
    const char *name;
    const char *section; // NULL if the variable has no section of its own
    uint32_t type;
    uint32_t initial; // index of a constant; RH_NONE: the variable is defined elsewhere
    bool is_constant;
    bool is_thread_local;
    bool is_exported; // code that is not in the module may know the variable by its name
};

struct rh_ir_function {
    const char *name;        // unique in the module
    const char *source_name; // as written in the source; `name` if that is not known
    struct rh_ir_place place;
    uint32_t type; // type of what the function gives
    uint32_t parameter_count;
    bool is_variadic;
    bool is_intrinsic;          // the function is one of LLVM's own
    bool is_exported;           // code that is not in the module may know the function by its name
    const uint32_t *parameters; // types
    // For each parameter: the type of the object that the caller copies, giving the copy's address;
    // RH_NONE: the parameter is the value itself.
    const uint32_t *copied;
    struct rh_ir_block *blocks; // none: the function is defined elsewhere
    uint32_t block_count;
    struct rh_ir_instruction *instructions;
    uint32_t instruction_count;
};

// Arrays of more dimensions are told of as if they had one.
enum { RH_IR_DIMENSIONS = 4 };

// A field of a struct or union of the source, as the debug information has it.
struct rh_ir_field {
    const char *name; // "" if the field has no name
    uint64_t offset;  // in bytes
    uint64_t size;    // in bytes
    uint64_t count;   // elements of an array, however many dimensions it has; otherwise 1
    bool is_array;
    // Of an array of several dimensions, the outermost first; `dimension_count` is 0 for others.
    uint64_t dimensions[RH_IR_DIMENSIONS];
    uint32_t dimension_count;
    uint64_t element_size; // of an array: bytes of an element; 0: not known
    bool is_pointer;       // this and what follows: of the field, or of each element of an array
    bool is_integer;       // an integer or an enumeration
    bool is_real;
    bool is_signed;
    bool is_truth; // _Bool: 0 or 1
    bool is_bit_field;
    bool is_constant; // const: the field itself, not what it points to
    // In bits, from the start of the struct; of whatever field.
    uint64_t bit_offset, bits;
    // The name of the struct or union that the field is, or that it points to; NULL if none. One
    // without a name has that of a typedef, or one that no identifier of C can be.
    const char *record;
    uint64_t record_size; // in bytes; 0: not known
    // What a pointer leads to if that is a number or a pointer; NULL: it is not.
    const struct rh_ir_field *target;
};

// A struct or union of the source, as the debug information has it.
struct rh_ir_record {
    const char *name;
    bool is_typedef; // the name is a typedef's only
    bool is_union;
    uint64_t size;
    const struct rh_ir_field *fields;
    uint32_t field_count;
};

struct rh_ir_module {
    struct rh_arena arena; // what the structs below point to
    RH_VECTOR(struct rh_ir_type) types;
    RH_VECTOR(struct rh_ir_constant) constants;
    RH_VECTOR(struct rh_ir_global) globals;
    RH_VECTOR(struct rh_ir_function) functions;
    RH_VECTOR(struct rh_ir_record) records;
};

// How LLVM prepares a program before it is read. The program still does the same.
struct rh_ir_preparation {
    bool promote;      // local variables whose address is not taken become values
    bool split;        // parts of local structs and arrays become variables of their own
    bool inline_calls; // small functions are copied to where they are called
    bool rotate_loops; // a loop's condition is tested once before the loop, and at its end
};

// A file of bitcode.
struct rh_ir_file {
    const char *path;
    const char *name; // what errors call the file: for instance, the source it was made from
};

// Reads files and links them. Errors are RH_BAD_INPUT and name the file. Call rh_ir_module_fini in
// any case.
struct rh_status rh_ir_module_read(struct rh_ir_module *module, const struct rh_ir_file *files,
                                   size_t count, const struct rh_ir_preparation *preparation);
void rh_ir_module_fini(struct rh_ir_module *module);

static inline const struct rh_ir_type *rh_ir_type_of(const struct rh_ir_module *module,
                                                     uint32_t type)
{
    return &module->types.items[type];
}

static inline uint64_t rh_ir_size_of(const struct rh_ir_module *module, uint32_t type)
{
    return module->types.items[type].size;
}

// The instruction that gives this value; NULL if the value is a parameter or a constant.
const struct rh_ir_instruction *rh_ir_definition(const struct rh_ir_function *function,
                                                 struct rh_ir_ref value);
// The type of a value.
uint32_t rh_ir_ref_type(const struct rh_ir_module *module, const struct rh_ir_function *function,
                        struct rh_ir_ref value);
// The block that an instruction of the function stands in.
uint32_t rh_ir_block_of(const struct rh_ir_function *function,
                        const struct rh_ir_instruction *instruction);
// The function that the instruction calls by name; NULL if it calls none, or through an address.
const struct rh_ir_function *rh_ir_callee(const struct rh_ir_module *module,
                                          const struct rh_ir_instruction *instruction);
// The text that a constant is the address of; NULL if the value is no such constant.
const char *rh_ir_text(const struct rh_ir_module *module, struct rh_ir_ref value);
// Whether the value is an integer constant, and which.
bool rh_ir_number(const struct rh_ir_module *module, struct rh_ir_ref value, int64_t *number);
// The record of this name ("deposit") and size; NULL if the debug information has none.
const struct rh_ir_record *rh_ir_record_find(const struct rh_ir_module *module, const char *name,
                                             uint64_t size);

#endif
