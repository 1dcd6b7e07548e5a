/* SPDX-License-Identifier: Apache-2.0 */
/* arm_run_f64.c - arm_run.h for f64. The text is arm_run_body.h. */
#include "arm_f64.slip.h"

typedef double real;
#define ARM_NAME(name) name##_f64

#include "arm_run_body.h"
