#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 1800
# tests/subjects/services.sh with fixed twins searched to the end, where they have one within the time, and under all
# conditions for which their heads claim that nothing is found.
SERVICES_THOROUGH=true exec "$SOURCE/tests/subjects/services.sh"
