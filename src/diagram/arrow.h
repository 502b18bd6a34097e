// SPDX-License-Identifier: MIT
// Which messages of a program an arrow of a diagram means. An index that the arrow leaves open, as
// `i` in worker[i], means any, but the same wherever it stands in the arrow.
#ifndef REHEARSE_DIAGRAM_ARROW_H
#define REHEARSE_DIAGRAM_ARROW_H

#include "diagram/form.h"

// Parameters may have values in `bindings`.
bool rh_arrow_means(const struct rh_names *names, const struct rh_node *arrow,
                    const struct rh_binding *bindings, const struct rh_label *label);
// Whether the arrow's sender, or its receiver, may be this actor.
bool rh_arrow_is_from(const struct rh_names *names, const struct rh_node *arrow,
                      const struct rh_binding *bindings, uint32_t actor);
bool rh_arrow_is_to(const struct rh_names *names, const struct rh_node *arrow,
                    const struct rh_binding *bindings, uint32_t actor);

#endif
