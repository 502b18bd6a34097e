// SPDX-License-Identifier: MIT
// How well a diagram fits a program.
#ifndef REHEARSE_DIAGRAM_GRADE_H
#define REHEARSE_DIAGRAM_GRADE_H

#include <stdbool.h>

// unsound: the program does something that the diagram does not allow. sound: it does not.
// order-exact: moreover, what the diagram allows beyond the program is only another message that a
// handler might send, never another order of receives, and every arrow of the diagram is taken.
// exact: the diagram allows nothing else. unknown: none of these is certain.
enum rh_grade {
    RH_GRADE_UNSOUND,
    RH_GRADE_UNKNOWN,
    RH_GRADE_SOUND,
    RH_GRADE_ORDER_EXACT,
    RH_GRADE_EXACT,
};
const char *rh_grade_name(enum rh_grade grade);
bool rh_grade_parse(const char *text, enum rh_grade *grade);

#endif
