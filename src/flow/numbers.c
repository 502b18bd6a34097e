// SPDX-License-Identifier: MIT
// Numbers: what conversions, arithmetic and comparisons make of known numbers.
#include "flow/internal.h"

bool rh__flow_is_known(const struct rh__flow *flow, uint32_t location, int64_t *number)
{
    const struct rh__flow_location *value = rh__flow_location_get(flow, location);
    *number = value->offset;
    return value->object == 0 && value->stride == 0;
}

// The lowest bits of a number, sign-extended.
static int64_t cut(uint64_t number, uint32_t bits)
{
    if (bits >= 64)
        return (int64_t)number;
    number &= (UINT64_C(1) << bits) - 1;
    if (number >> (bits - 1))
        number |= ~((UINT64_C(1) << bits) - 1);
    return (int64_t)number;
}

static uint64_t without_sign(int64_t number, uint32_t bits)
{
    return bits >= 64 ? (uint64_t)number : (uint64_t)number & ((UINT64_C(1) << bits) - 1);
}

void rh__flow_convert(struct rh__flow *flow, const struct rh__flow_constraint *constraint,
                      uint32_t location)
{
    uint32_t bits = (uint32_t)constraint->size;
    int64_t number;
    if (rh__flow_is_known(flow, location, &number)) {
        bool keeps_sign = constraint->instruction->opcode != RH_IR_EXTEND_ZERO;
        number = keeps_sign ? cut((uint64_t)number, bits) : (int64_t)without_sign(number, bits);
        location = rh__flow_number(flow, number);
    }
    rh__flow_node_add(flow, constraint->target, location);
}

// --- Two operands. ---

static bool compare(enum rh_ir_predicate predicate, uint32_t bits, int64_t a, int64_t b)
{
    uint64_t left = without_sign(a, bits), right = without_sign(b, bits);
    switch (predicate) {
    case RH_IR_EQUAL:
        return a == b;
    case RH_IR_NOT_EQUAL:
        return a != b;
    case RH_IR_ABOVE:
        return left > right;
    case RH_IR_ABOVE_EQUAL:
        return left >= right;
    case RH_IR_BELOW:
        return left < right;
    case RH_IR_BELOW_EQUAL:
        return left <= right;
    case RH_IR_GREATER:
        return a > b;
    case RH_IR_GREATER_EQUAL:
        return a >= b;
    case RH_IR_LESS:
        return a < b;
    default:
        return a <= b;
    }
}

// Computes shifts and divisions; false for operands for which C does not define the result.
static bool shift_or_divide(enum rh_ir_opcode opcode, uint32_t bits, int64_t a, int64_t b,
                            int64_t *result)
{
    uint64_t left = without_sign(a, bits), right = without_sign(b, bits);
    bool is_shift = opcode >= RH_IR_SHIFT_LEFT && opcode <= RH_IR_SHIFT_RIGHT_SIGNED;
    if (is_shift ? right >= bits : b == 0 || b == -1)
        return false;
    switch (opcode) {
    case RH_IR_SHIFT_LEFT:
        *result = (int64_t)(left << right);
        return true;
    case RH_IR_SHIFT_RIGHT:
        *result = (int64_t)(left >> right);
        return true;
    case RH_IR_SHIFT_RIGHT_SIGNED:
        *result = a >> right;
        return true;
    case RH_IR_DIVIDE_UNSIGNED:
        *result = (int64_t)(left / right);
        return true;
    case RH_IR_DIVIDE_SIGNED:
        *result = a / b;
        return true;
    case RH_IR_REST_UNSIGNED:
        *result = (int64_t)(left % right);
        return true;
    case RH_IR_REST_SIGNED:
        *result = a % b;
        return true;
    default:
        return false;
    }
}

// Computes what the instruction makes of two numbers; false if it can't be told.
static bool compute(const struct rh__flow_combination *combination, int64_t a, int64_t b,
                    int64_t *result)
{
    uint32_t bits = combination->bits;
    switch (combination->instruction->opcode) {
    case RH_IR_COMPARE:
        *result = -compare(combination->instruction->predicate, bits, a, b);
        return true;
    case RH_IR_ADD:
        *result = (int64_t)((uint64_t)a + (uint64_t)b);
        break;
    case RH_IR_SUBTRACT:
        *result = (int64_t)((uint64_t)a - (uint64_t)b);
        break;
    case RH_IR_MULTIPLY:
        *result = (int64_t)((uint64_t)a * (uint64_t)b);
        break;
    case RH_IR_AND:
        *result = a & b;
        break;
    case RH_IR_OR:
        *result = a | b;
        break;
    case RH_IR_XOR:
        *result = a ^ b;
        break;
    default:
        if (!shift_or_divide(combination->instruction->opcode, bits, a, b, result))
            return false;
    }
    *result = cut((uint64_t)*result, bits);
    return true;
}

// Whether one is an address in a payload and the other is NULL: the two are not equal.
static bool is_payload_and_null(const struct rh__flow *flow, uint32_t a, uint32_t b)
{
    int64_t number;
    if (!rh__flow_is_number(flow, b)) {
        uint32_t swapped = a;
        a = b;
        b = swapped;
    }
    return rh__flow_object_at(flow, a)->is_payload && rh__flow_is_known(flow, b, &number) &&
           number == 0;
}

static void combine_pair(struct rh__flow *flow, const struct rh__flow_combination *combination,
                         uint32_t left, uint32_t right)
{
    const struct rh_ir_instruction *instruction = combination->instruction;
    bool is_equality =
        instruction->opcode == RH_IR_COMPARE && instruction->predicate <= RH_IR_NOT_EQUAL;
    int64_t a, b, result;
    if (rh__flow_is_known(flow, left, &a) && rh__flow_is_known(flow, right, &b)) {
        if (compute(combination, a, b, &result))
            rh__flow_node_add(flow, combination->result, rh__flow_number(flow, result));
        else
            rh__flow_any_number(flow, combination->result);
    } else if (is_equality && is_payload_and_null(flow, left, right)) {
        result = instruction->predicate == RH_IR_EQUAL ? 0 : -1;
        rh__flow_node_add(flow, combination->result, rh__flow_number(flow, result));
    } else {
        rh__flow_any_number(flow, combination->result);
    }
}

// Each pair of operands is combined when the later of the two is passed on.
void rh__flow_combine(struct rh__flow *flow, uint32_t number, uint32_t side, uint32_t location)
{
    struct rh__flow_combination combination = flow->combinations.items[number];
    uint32_t other = combination.operands[1 - side];
    for (uint32_t i = 0; i < flow->nodes.items[other].done; i++) {
        if (flow->nodes.items[combination.result].has_any_number)
            return;
        uint32_t item = flow->nodes.items[other].items[i];
        combine_pair(flow, &combination, side ? item : location, side ? location : item);
    }
}

void rh__flow_combination_new(struct rh__flow *flow, const struct rh__flow_combination *combination)
{
    uint32_t number = (uint32_t)flow->combinations.count;
    *rh_vector_push(&flow->combinations) = *combination;
    for (uint32_t side = 0; side < 2; side++)
        rh__flow_constrain(flow, combination->operands[side],
                           &(struct rh__flow_constraint){
                               .kind = RH__FLOW_COMBINE, .target = number, .size = side});
}
