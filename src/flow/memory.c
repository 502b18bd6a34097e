// SPDX-License-Identifier: MIT
// Objects, the locations and cells in them, and copies between them.
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/status.h"
#include "flow/internal.h"

// An object with more locations or cells than these is looked at as a whole: an address that moves
// on in a loop would have no end of them. Fewer cells are kept in an object into which addresses
// were put at no place in particular (is_mixed).
enum { LOCATIONS_MOST = 96, CELLS_MOST = 192, CELLS_MIXED = 16 };

uint32_t rh__flow_object_new(struct rh__flow *flow, enum rh__flow_object_kind kind, uint32_t number,
                             uint32_t owner, uint64_t size)
{
    *rh_vector_push(&flow->objects) = (struct rh__flow_object){.kind = kind,
                                                               .number = number,
                                                               .owner = owner,
                                                               .size = size,
                                                               .type = RH_NONE,
                                                               .whole = RH_NONE};
    return (uint32_t)flow->objects.count - 1;
}

bool rh__flow_has_cells(const struct rh__flow *flow, uint32_t object)
{
    enum rh__flow_object_kind kind = flow->objects.items[object].kind;
    return kind == RH__FLOW_VARIABLE || kind == RH__FLOW_MEMORY;
}

// --- Locations. ---

static bool same_location(const struct rh__flow_location *a, const struct rh__flow_location *b)
{
    return a->object == b->object && a->offset == b->offset && a->stride == b->stride &&
           a->count == b->count;
}

static struct rh__flow_location everywhere(uint32_t object)
{
    return (struct rh__flow_location){.object = object, .stride = 1, .count = RH__FLOW_EVERYWHERE};
}

static uint32_t intern(struct rh__flow *flow, struct rh__flow_location location)
{
    uint64_t words[4] = {location.object, (uint64_t)location.offset, location.stride,
                         location.count};
    for (uint64_t seed = 0;; seed++) {
        uint64_t key = rh_hash64(words, sizeof words, seed);
        uint32_t found = rh_index_find(&flow->location_index, key);
        if (found == RH_NONE) {
            struct rh__flow_object *object = &flow->objects.items[location.object];
            bool is_whole = location.stride == 1 && location.count == RH__FLOW_EVERYWHERE;
            bool is_merged = object->is_merged || object->location_count >= LOCATIONS_MOST;
            if (!is_whole && is_merged && location.object != 0)
                return intern(flow, everywhere(location.object));
            object->location_count++;
            *rh_vector_push(&flow->locations) = location;
            found = (uint32_t)flow->locations.count - 1;
            if (is_whole && location.object != 0)
                object->whole = found;
            rh_index_add(&flow->location_index, key, found);
            return found;
        }
        if (same_location(&flow->locations.items[found], &location))
            return found;
    }
}

uint32_t rh__flow_location_of(struct rh__flow *flow, uint32_t object)
{
    return intern(flow, (struct rh__flow_location){.object = object, .count = 1});
}

uint32_t rh__flow_number(struct rh__flow *flow, int64_t number)
{
    return intern(flow, (struct rh__flow_location){.offset = number, .count = 1});
}

void rh__flow_any_number(struct rh__flow *flow, uint32_t node)
{
    rh__flow_node_add(flow, node, rh__flow_location_everywhere(flow, 0));
}

uint32_t rh__flow_location_everywhere(struct rh__flow *flow, uint32_t object)
{
    if (object != 0 && !rh__flow_has_cells(flow, object))
        return rh__flow_location_of(flow, object);
    return intern(flow, everywhere(object));
}

// An array in an object: where it begins, and how many pieces of some stride it has.
struct array {
    uint64_t offset, count;
};

// Whether elements have this stride, or are arrays of such elements: a table of rows may be walked
// through as one array.
static bool is_made_of(const struct rh_ir_module *module, uint32_t element, uint64_t stride)
{
    const struct rh_ir_type *each = rh_ir_type_of(module, element);
    return each->size == stride ||
           (each->kind == RH_IR_ARRAY && is_made_of(module, each->element, stride));
}

static bool find_array(const struct rh_ir_module *module, uint32_t type, uint64_t at,
                       uint64_t stride, struct array *array)
{
    const struct rh_ir_type *each = rh_ir_type_of(module, type);
    if (each->kind == RH_IR_ARRAY) {
        uint64_t size = rh_ir_size_of(module, each->element);
        // Some write an array of any length as one element, or none, at the end of a struct.
        if (size > 0 && each->count > 1 && is_made_of(module, each->element, stride)) {
            *array = (struct array){at, each->count * (size / stride)};
            return true;
        }
        return each->count > 1 && size > 0 && array->offset >= at &&
               find_array(module, each->element, at + (array->offset - at) / size * size, stride,
                          array);
    }
    // Only one form of a union is known. That holds also for a variable of a union type, whose
    // struct has no name.
    if (each->kind != RH_IR_STRUCT || each->is_union || !each->name)
        return false;
    for (uint64_t i = 0; i < each->count; i++) {
        uint64_t start = at + each->offsets[i];
        if (array->offset >= start &&
            array->offset < start + rh_ir_size_of(module, each->fields[i]))
            // An address of bytes at the beginning of a struct may lead through all of the struct.
            return !(stride == 1 && array->offset == at) &&
                   find_array(module, each->fields[i], start, stride, array);
    }
    return false;
}

// Finds the array around an offset. Where one array ends and the next begins, an address may be the
// end of the first, so the two count as one array.
static bool find_arrays(const struct rh__flow *flow, uint32_t type, uint64_t offset,
                        uint64_t stride, struct array *array)
{
    *array = (struct array){.offset = offset};
    if (type == RH_NONE || !find_array(flow->module, type, 0, stride, array))
        return false;
    struct array before = {.offset = offset - 1};
    if (array->offset == offset && offset > 0 &&
        find_array(flow->module, type, 0, stride, &before)) {
        array->count += (offset - before.offset) / stride;
        array->offset = before.offset;
    }
    return true;
}

// Takes any number of steps from a location, in either direction: within the array that the
// location lies in if it is known, otherwise within the object.
static struct rh__flow_location step_anywhere(const struct rh__flow *flow,
                                              struct rh__flow_location location, uint64_t stride)
{
    const struct rh__flow_object *object = &flow->objects.items[location.object];
    if (stride && location.stride == stride)
        return location;
    if (location.stride || stride == 0 || location.offset < 0)
        return everywhere(location.object);
    struct array array;
    if (find_arrays(flow, object->type, (uint64_t)location.offset, stride, &array)) {
        location.offset =
            (int64_t)array.offset + (location.offset - (int64_t)array.offset) % (int64_t)stride;
        location.stride = stride;
        location.count = array.count;
        return location;
    }
    if (stride == 1)
        return everywhere(location.object);
    location.offset %= (int64_t)stride;
    location.stride = stride;
    location.count = RH__FLOW_EVERYWHERE;
    return location;
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static struct rh__flow_location step(const struct rh__flow *flow, struct rh__flow_location location,
                                     uint64_t stride, uint64_t count)
{
    if (count == RH_IR_UNBOUNDED || count <= 1)
        return step_anywhere(flow, location, stride);
    if (stride == 0)
        return location;
    if (location.offset < 0)
        return everywhere(location.object);
    if (!location.stride) {
        location.stride = stride;
        location.count = count;
        return location;
    }
    if (location.count == RH__FLOW_EVERYWHERE)
        return everywhere(location.object);
    uint64_t divisor = greatest_divisor(location.stride, stride);
    uint64_t reach = location.stride * (location.count - 1) + stride * (count - 1);
    location.stride = divisor;
    location.count = reach / divisor + 1;
    return location;
}

static int64_t rest_of(int64_t number, uint64_t divisor)
{
    rh_assert(divisor > 0);
    int64_t rest = number % (int64_t)divisor;
    return rest < 0 ? rest + (int64_t)divisor : rest;
}

uint32_t rh__flow_location_add(struct rh__flow *flow, uint32_t number, int64_t offset)
{
    struct rh__flow_location location = flow->locations.items[number];
    bool is_whole = location.stride == 1 && location.count == RH__FLOW_EVERYWHERE;
    if (offset == 0 || is_whole || !rh__flow_has_cells(flow, location.object))
        return number;
    int64_t beyond = location.stride ? offset - rest_of(offset, location.stride) : 0;
    location.offset += offset;
    if (location.count == RH__FLOW_EVERYWHERE) {
        location.offset = rest_of(location.offset, location.stride);
    } else if (beyond) {
        // The address may have been the end of the array, which is not among the offsets; moved to
        // another element, it may lead back into the array.
        location.offset -= beyond > 0 ? beyond : 0;
        location.count += (uint64_t)(beyond < 0 ? -beyond : beyond) / location.stride;
    }
    return intern(flow, location);
}

uint32_t rh__flow_location_step(struct rh__flow *flow, uint32_t number, uint64_t stride)
{
    struct rh__flow_location location = flow->locations.items[number];
    return rh__flow_has_cells(flow, location.object)
               ? intern(flow, step_anywhere(flow, location, stride))
               : number;
}

uint32_t rh__flow_location_moved(struct rh__flow *flow, uint32_t number,
                                 const struct rh_ir_instruction *instruction)
{
    if (rh__flow_is_number(flow, number)) {
        bool is_same = instruction->offset == 0 && instruction->step_count == 0;
        return is_same ? number : rh__flow_location_everywhere(flow, 0);
    }
    number = rh__flow_location_add(flow, number, instruction->offset);
    struct rh__flow_location location = flow->locations.items[number];
    if (!instruction->step_count || !rh__flow_has_cells(flow, location.object))
        return number;
    for (uint32_t i = 0; i < instruction->step_count; i++) {
        const struct rh_ir_step *each = &instruction->steps[i];
        location = step(flow, location, each->stride, each->count);
    }
    return intern(flow, location);
}

// --- Cells. ---

static bool is_whole(uint64_t stride, uint64_t count)
{
    return count == RH__FLOW_EVERYWHERE && stride <= 1;
}

static uint64_t last_byte(const struct rh__flow_cell *cell)
{
    if (cell->count == RH__FLOW_EVERYWHERE || cell->width == RH__FLOW_EVERYWHERE)
        return INT64_MAX;
    return (uint64_t)cell->offset + cell->stride * (cell->count - 1) + cell->width - 1;
}

// Whether stretches of these widths, which lie `distance` apart in a ring of `stride` bytes, touch.
static bool touch_in_ring(uint64_t distance, uint64_t stride, uint64_t width, uint64_t other_width)
{
    return distance < width || stride - distance < other_width;
}

static bool overlap(const struct rh__flow_cell *a, const struct rh__flow_cell *b)
{
    if (a->offset > (int64_t)last_byte(b) || b->offset > (int64_t)last_byte(a))
        return false;
    uint64_t stride = a->stride ? a->stride : b->stride;
    if (!stride || (a->stride && b->stride && a->stride != b->stride))
        return true;
    int64_t distance = (b->offset - a->offset) % (int64_t)stride;
    if (distance < 0)
        distance += (int64_t)stride;
    return touch_in_ring((uint64_t)distance, stride, a->width, b->width);
}

static bool same_cell(const struct rh__flow_cell *a, const struct rh__flow_cell *b)
{
    return a->offset == b->offset && a->stride == b->stride && a->count == b->count &&
           a->width == b->width;
}

static struct rh__flow_cell whole_cell(void)
{
    return (struct rh__flow_cell){
        .stride = 1, .count = RH__FLOW_EVERYWHERE, .width = 1, .offset = INT32_MIN};
}

// Whether a boundary may lie inside of a stretch of the cell, if the boundary or the cell repeats
// every `stride` bytes.
static bool cuts(int64_t boundary, const struct rh__flow_cell *cell, uint64_t stride)
{
    if (!stride)
        return boundary > cell->offset && (uint64_t)(boundary - cell->offset) < cell->width;
    int64_t distance = rest_of(boundary - cell->offset, stride);
    return (distance ? (uint64_t)distance : stride) < cell->width;
}

// What is put into one cell is found in the other: as it is if both have stretches of the same
// width at the same places. Where it covers only a part of a stretch, a number is made of the part
// and of what was there.
static void give(struct rh__flow *flow, const struct rh__flow_cell *from,
                 const struct rh__flow_cell *to)
{
    uint64_t stride = greatest_divisor(from->stride, to->stride);
    bool is_part =
        cuts(from->offset, to, stride) || cuts(from->offset + (int64_t)from->width, to, stride);
    // Values are put into an object as a whole in pieces of any width.
    bool is_same = !is_part && from->width == to->width && !is_whole(from->stride, from->count);
    if (is_same)
        rh__flow_edge(flow, from->written, to->read);
    else
        rh__flow_overlap(flow, from->written, to->read);
    if (is_part)
        rh__flow_node_patch(flow, to->read);
}

// Connects a new cell, the last of its object, with the cells that it overlaps.
static void connect(struct rh__flow *flow, uint32_t object, size_t index)
{
    struct rh__flow_cell cell = flow->objects.items[object].cells.items[index];
    if (flow->objects.items[object].is_zeroed)
        rh__flow_edge(flow, flow->zero, cell.read);
    give(flow, &cell, &cell);
    for (size_t i = 0; i < index; i++) {
        struct rh__flow_cell other = flow->objects.items[object].cells.items[i];
        if (!overlap(&cell, &other))
            continue;
        give(flow, &cell, &other);
        give(flow, &other, &cell);
    }
}

// Whether addresses were put into the object at no place in particular, so that they are found
// everywhere in the object.
static bool is_mixed(const struct rh__flow *flow, const struct rh__flow_object *object)
{
    const struct rh__flow_cell whole = whole_cell();
    for (size_t i = 0; i < object->cells.count; i++) {
        if (!same_cell(&object->cells.items[i], &whole))
            continue;
        const struct rh__flow_node *node = &flow->nodes.items[object->cells.items[i].written];
        for (uint32_t k = 0; k < node->count; k++)
            if (!rh__flow_is_number(flow, node->items[k]))
                return true;
    }
    return false;
}

// The index of a cell, which is made if the object does not have it yet. In a merged object, the
// cell of the whole object.
static size_t cell_get(struct rh__flow *flow, uint32_t object, struct rh__flow_cell wanted)
{
    struct rh__flow_object *at = &flow->objects.items[object];
    for (size_t i = 0; i < at->cells.count; i++)
        if (same_cell(&at->cells.items[i], &wanted))
            return i;
    struct rh__flow_cell whole = whole_cell();
    at->is_merged = at->is_merged || at->cells.count >= CELLS_MOST ||
                    (at->cells.count >= CELLS_MIXED && is_mixed(flow, at));
    if (at->is_merged && !same_cell(&wanted, &whole))
        return cell_get(flow, object, whole);
    uint32_t owner = at->owner;
    wanted.is_written = false;
    wanted.written = rh__flow_node_new(flow, owner);
    wanted.read = rh__flow_node_new(flow, owner);
    *rh_vector_push(&flow->objects.items[object].cells) = wanted;
    size_t index = flow->objects.items[object].cells.count - 1;
    connect(flow, object, index);
    return index;
}

static struct rh__flow_cell cell_at(const struct rh__flow_location *location, uint64_t width)
{
    bool is_whole = location->stride == 1 && location->count == RH__FLOW_EVERYWHERE;
    if (is_whole || width == RH__FLOW_EVERYWHERE)
        return whole_cell();
    return (struct rh__flow_cell){.offset = location->offset,
                                  .stride = location->stride,
                                  .count = location->count,
                                  .width = width ? width : 1};
}

static void follow_link(struct rh__flow *flow, const struct rh__flow_link *link,
                        const struct rh__flow_cell *cell);

// Something is put into this cell: from now on its contents go along the object's links.
static void mark_written(struct rh__flow *flow, uint32_t object, size_t index)
{
    struct rh__flow_cell *cell = &flow->objects.items[object].cells.items[index];
    if (cell->is_written)
        return;
    cell->is_written = true;
    for (size_t i = 0; i < flow->objects.items[object].links.count; i++) {
        struct rh__flow_link link = flow->objects.items[object].links.items[i];
        struct rh__flow_cell copy = flow->objects.items[object].cells.items[index];
        follow_link(flow, &link, &copy);
    }
}

void rh__flow_load(struct rh__flow *flow, uint32_t number, uint64_t width, uint32_t target)
{
    struct rh__flow_location location = flow->locations.items[number];
    if (!rh__flow_has_cells(flow, location.object))
        return;
    size_t index = cell_get(flow, location.object, cell_at(&location, width));
    struct rh__flow_cell cell = flow->objects.items[location.object].cells.items[index];
    // What is found somewhere in the object may be a part of what was put there.
    if (is_whole(cell.stride, cell.count))
        rh__flow_overlap(flow, cell.read, target);
    else
        rh__flow_edge(flow, cell.read, target);
}

void rh__flow_store(struct rh__flow *flow, uint32_t number, uint64_t width, uint32_t source)
{
    struct rh__flow_location location = flow->locations.items[number];
    if (!rh__flow_has_cells(flow, location.object))
        return;
    size_t index = cell_get(flow, location.object, cell_at(&location, width));
    rh__flow_edge(flow, source, flow->objects.items[location.object].cells.items[index].written);
    mark_written(flow, location.object, index);
}

// --- Copies. ---

// Gives the offset of a cell in an element of the copied stretch; false if it can't be told.
static bool place_in_copy(const struct rh__flow_link *link, const struct rh__flow_location *from,
                          const struct rh__flow_cell *cell, int64_t *place)
{
    if (is_whole(cell->stride, cell->count))
        return false;
    uint64_t span = cell->width;
    *place = cell->offset - from->offset;
    if (from->stride) {
        if (cell->stride && cell->stride != from->stride)
            return false;
        *place %= (int64_t)from->stride;
        if (*place < 0)
            *place += (int64_t)from->stride;
    } else if (cell->count == RH__FLOW_EVERYWHERE) {
        return false;
    } else {
        span += cell->stride * (cell->count - 1);
    }
    return *place >= 0 &&
           (link->size == RH__FLOW_EVERYWHERE || (uint64_t)*place + span <= link->size);
}

// Whether the copy leaves out all of the cell.
static bool is_outside(const struct rh__flow_link *link, const struct rh__flow_location *from,
                       const struct rh__flow_cell *cell)
{
    struct rh__flow_cell copied = cell_at(from, link->size);
    return !overlap(&copied, cell);
}

// The cell of the copy for a cell that lies at `place` in the copied stretch. If several elements
// are copied at once, the cell may have been in any of them.
static struct rh__flow_cell placed(const struct rh__flow_link *link,
                                   const struct rh__flow_location *from,
                                   const struct rh__flow_location *to,
                                   const struct rh__flow_cell *cell, int64_t place)
{
    struct rh__flow_cell target = {.offset = to->offset + place,
                                   .stride = to->stride,
                                   .count = to->count,
                                   .width = cell->width};
    if (!from->stride && cell->stride) {
        target.stride = cell->stride;
        target.count = cell->count;
    } else if (from->stride && !to->stride && link->size > from->stride) {
        bool is_open = link->size == RH__FLOW_EVERYWHERE;
        target.stride = from->stride;
        target.count = is_open ? RH__FLOW_EVERYWHERE
                               : (link->size - (uint64_t)place - cell->width) / from->stride + 1;
    }
    return target;
}

static void follow_link(struct rh__flow *flow, const struct rh__flow_link *link,
                        const struct rh__flow_cell *cell)
{
    struct rh__flow_location from = flow->locations.items[link->from];
    struct rh__flow_location to = flow->locations.items[link->to];
    if (is_outside(link, &from, cell))
        return;
    int64_t place;
    bool is_single = !cell->stride || from.stride;
    bool is_in_step = !to.stride || to.stride == from.stride || link->size <= from.stride;
    bool is_placed = place_in_copy(link, &from, cell, &place) && (is_single || !to.stride) &&
                     (!from.stride || is_in_step);
    // Without a place, the contents of the cell may be anywhere in the copy.
    struct rh__flow_cell target =
        is_placed ? placed(link, &from, &to, cell, place) : cell_at(&to, link->size);
    size_t index = cell_get(flow, to.object, target);
    uint32_t written = flow->objects.items[to.object].cells.items[index].written;
    if (is_placed && flow->objects.items[to.object].cells.items[index].width == cell->width)
        rh__flow_edge(flow, cell->written, written);
    else
        rh__flow_overlap(flow, cell->written, written);
    mark_written(flow, to.object, index);
}

// An object that is made to be a copy takes the type of what is copied.
static void inherit_type(struct rh__flow *flow, uint32_t to, uint32_t from)
{
    const struct rh__flow_location *source = &flow->locations.items[from];
    struct rh__flow_object *copy = &flow->objects.items[flow->locations.items[to].object];
    if (!copy->inherits || flow->ignores_copied_types)
        return;
    bool is_start = source->offset == 0 && source->stride == 0;
    uint32_t type = is_start ? flow->objects.items[source->object].type : RH_NONE;
    if (copy->links_in == 0)
        copy->type = type;
    else if (copy->type != type)
        flow->has_type_conflict = true;
    copy->links_in++;
}

// A copy from or to no place in particular: whatever is found at the source may come to anywhere in
// the target.
static void link_whole(struct rh__flow *flow, const struct rh__flow_link *link)
{
    struct rh__flow_location source = flow->locations.items[link->from];
    struct rh__flow_location target = flow->locations.items[link->to];
    size_t found = cell_get(flow, source.object, cell_at(&source, link->size));
    size_t put = cell_get(flow, target.object, cell_at(&target, link->size));
    rh__flow_overlap(flow, flow->objects.items[source.object].cells.items[found].read,
                     flow->objects.items[target.object].cells.items[put].written);
    mark_written(flow, target.object, put);
}

static void copy_zeros(struct rh__flow *flow, const struct rh__flow_link *link);

// From now on, bytes of the object that nothing is put into are zero.
static void make_zeroed(struct rh__flow *flow, uint32_t object)
{
    if (flow->objects.items[object].is_zeroed)
        return;
    flow->objects.items[object].is_zeroed = true;
    for (size_t i = 0; i < flow->objects.items[object].cells.count; i++)
        rh__flow_edge(flow, flow->zero, flow->objects.items[object].cells.items[i].read);
    for (size_t i = 0; i < flow->objects.items[object].links.count; i++) {
        struct rh__flow_link link = flow->objects.items[object].links.items[i];
        copy_zeros(flow, &link);
    }
}

static void copy_zeros(struct rh__flow *flow, const struct rh__flow_link *link)
{
    if (link->is_first)
        make_zeroed(flow, flow->locations.items[link->to].object);
    else
        rh__flow_store(flow, link->to, link->size, flow->zero);
}

static bool is_new_link(struct rh__flow *flow, const struct rh__flow_link *link)
{
    uint64_t words[4] = {link->from, link->to, link->size, link->is_first};
    for (uint64_t seed = 0;; seed++) {
        uint64_t key = rh_hash64(words, sizeof words, seed);
        uint32_t known = rh_index_find(&flow->link_index, key);
        if (known == RH_NONE) {
            rh_index_add(&flow->link_index, key, (uint32_t)flow->links.count);
            *rh_vector_push(&flow->links) = *link;
            return true;
        }
        const struct rh__flow_link *other = &flow->links.items[known];
        if (other->from == link->from && other->to == link->to && other->size == link->size &&
            other->is_first == link->is_first)
            return false;
    }
}

void rh__flow_link_locations(struct rh__flow *flow, const struct rh__flow_link *link)
{
    struct rh__flow_location source = flow->locations.items[link->from];
    struct rh__flow_location target = flow->locations.items[link->to];
    if (!rh__flow_has_cells(flow, source.object) || !rh__flow_has_cells(flow, target.object) ||
        (link->from == link->to && !target.stride) || !link->size || !is_new_link(flow, link))
        return;
    inherit_type(flow, link->to, link->from);
    if (is_whole(source.stride, source.count) || is_whole(target.stride, target.count)) {
        link_whole(flow, link);
        return;
    }
    *rh_vector_push(&flow->objects.items[source.object].links) = *link;
    for (size_t i = 0; i < flow->objects.items[source.object].cells.count; i++) {
        struct rh__flow_cell cell = flow->objects.items[source.object].cells.items[i];
        if (cell.is_written)
            follow_link(flow, link, &cell);
    }
    if (flow->objects.items[source.object].is_zeroed)
        copy_zeros(flow, link);
}

void rh__flow_transfer_new(struct rh__flow *flow, const struct rh__flow_transfer *transfer)
{
    uint32_t number = (uint32_t)flow->transfers.count;
    *rh_vector_push(&flow->transfers) = *transfer;
    rh__flow_constrain(flow, transfer->to,
                       &(struct rh__flow_constraint){.kind = RH__FLOW_COPY_TO, .target = number});
    rh__flow_constrain(flow, transfer->from,
                       &(struct rh__flow_constraint){.kind = RH__FLOW_COPY_FROM, .target = number});
}

// --- Unknown code. ---

void rh__flow_escape(struct rh__flow *flow, uint32_t number)
{
    uint32_t object = flow->locations.items[number].object;
    if (flow->objects.items[object].has_escaped)
        return;
    flow->objects.items[object].has_escaped = true;
    if (rh__flow_has_cells(flow, object)) {
        uint32_t whole = rh__flow_location_everywhere(flow, object);
        rh__flow_load(flow, whole, 1, flow->escaped);
        rh__flow_store(flow, whole, 1, flow->anything);
    }
    for (uint32_t i = 0; i < flow->actors.count; i++)
        if (flow->actors.items[i].calls_unknown)
            rh__flow_call_back(flow, i, number, flow->anything, flow->escaped);
}
