// SPDX-License-Identifier: MIT
// A diagram as a sequence chart: lifelines side by side, and rows from top to bottom, of which each
// is an arrow, or where a box begins, is divided or ends. All pictures are made of it.
#ifndef REHEARSE_REPORT_SEQUENCE_H
#define REHEARSE_REPORT_SEQUENCE_H

#include "diagram/diagram.h"

enum rh_sequence_kind {
    RH_SEQUENCE_ARROW,
    RH_SEQUENCE_BEGIN,
    RH_SEQUENCE_DIVIDE,
    RH_SEQUENCE_END,
    RH_SEQUENCE_FOLDED, // what stands here is left out; `text` says how much
};

// What a box means. RH_BOX_GROUP says it in its text only.
enum rh_box { RH_BOX_ANY_ORDER, RH_BOX_CHOICE, RH_BOX_MAYBE, RH_BOX_LOOP, RH_BOX_GROUP };

struct rh_sequence_row {
    enum rh_sequence_kind kind;
    enum rh_box box;
    uint32_t from, to; // lifelines; of boxes and of what is left out: the first and the last inside
    const char *text;
    bool is_answer, is_lost;
};

// Rows of a drawn picture, beyond which the inside of boxes is left out.
enum { RH_PICTURE_ROWS = 120 };

// Texts live in an arena that is somebody else's.
struct rh_sequence {
    RH_VECTOR(const char *) lifelines;
    RH_VECTOR(struct rh_sequence_row) rows;
};

// Definitions stand behind the diagram, each in a box. With `rows_most`, what is deep inside is
// left out until there are no more rows than that, and long lists are cut; 0: everything is shown.
void rh_sequence_init(struct rh_sequence *sequence, struct rh_arena *arena,
                      const struct rh_diagram *diagram, size_t rows_most);
void rh_sequence_fini(struct rh_sequence *sequence);

// The charts. `title` is one line.
void rh_report_mermaid(struct rh_text *text, const struct rh_sequence *sequence, const char *title);
void rh_report_plantuml(struct rh_text *text, const struct rh_sequence *sequence,
                        const char *title);
void rh_report_svg(struct rh_text *text, const struct rh_sequence *sequence, const char *title);

#endif
