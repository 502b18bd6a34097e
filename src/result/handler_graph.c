// SPDX-License-Identifier: MIT
#include "result/handler_graph.h"

void rh_handler_graph_fini(struct rh_handler_graph *graph)
{
    rh_vector_fini(&graph->handlers);
    rh_vector_fini(&graph->nodes);
    rh_vector_fini(&graph->edges);
    rh_arena_fini(&graph->arena);
}
