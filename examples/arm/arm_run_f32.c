/* SPDX-License-Identifier: Apache-2.0 */
/* arm_run_f32.c - arm_run.h for f32. The text is arm_run_body.h. */
#include "arm_f32.slip.h"

typedef float real;
#define ARM_NAME(name) name##_f32

#include "arm_run_body.h"
