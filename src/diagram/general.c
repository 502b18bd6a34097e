// SPDX-License-Identifier: MIT
#include "diagram/general.h"

#include <stdlib.h>
#include <string.h>

#include "diagram/fold.h"

// The diagram that most others are like; of equally many, the last, which is the largest.
static size_t find_model(const struct rh_node *const *bodies, size_t count)
{
    size_t best = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        size_t alike = 0;
        for (size_t k = 0; k < count; k++)
            alike += rh_node_is_alike(bodies[i], bodies[k]);
        if (alike >= most) {
            best = i;
            most = alike;
        }
    }
    return best;
}

// A column of numbers for each number of the model, at the points whose diagrams are like it.
struct columns {
    struct rh_points points;
    struct rh_numbers *rows; // owned; by point
};

static struct columns columns_of(const struct rh_points *points,
                                 const struct rh_node *const *bodies, size_t model)
{
    struct columns columns = {
        .points = {.variables = points->variables, .variable_count = points->variable_count}};
    columns.points.values =
        rh_alloc((points->count * points->variable_count + 1) * sizeof *points->values);
    columns.rows = rh_alloc((points->count + 1) * sizeof *columns.rows);
    for (size_t i = 0; i < points->count; i++) {
        if (!rh_node_is_alike(bodies[model], bodies[i]))
            continue;
        rh_node_numbers(bodies[i], &columns.rows[columns.points.count]);
        memcpy(columns.points.values + columns.points.count * points->variable_count,
               points->values + i * points->variable_count,
               points->variable_count * sizeof *points->values);
        columns.points.count++;
    }
    return columns;
}

static const struct rh_expression *fit_column(struct rh_arena *arena, const struct columns *columns,
                                              size_t column)
{
    int64_t *values = rh_alloc((columns->points.count + 1) * sizeof *values);
    for (size_t i = 0; i < columns->points.count; i++)
        values[i] = columns->rows[i].items[column];
    const struct rh_expression *found = rh_fit(arena, &columns->points, values);
    free(values);
    return found;
}

const struct rh_node *rh_generalize(struct rh_arena *arena, const struct rh_points *points,
                                    const struct rh_node *const *bodies)
{
    size_t model = find_model(bodies, points->count);
    struct columns columns = columns_of(points, bodies, model);
    size_t count = columns.rows[0].count;
    const struct rh_expression **numbers = rh_alloc((count + 1) * sizeof *numbers);
    bool is_known = true;
    for (size_t i = 0; i < count && is_known; i++) {
        numbers[i] = fit_column(arena, &columns, i);
        is_known = numbers[i] != NULL;
    }
    const struct rh_node *node = is_known ? rh_node_with(arena, bodies[model], numbers) : NULL;
    for (size_t i = 0; i < columns.points.count; i++)
        rh_vector_fini(&columns.rows[i]);
    free(columns.rows);
    free(columns.points.values);
    free(numbers);
    return node;
}
