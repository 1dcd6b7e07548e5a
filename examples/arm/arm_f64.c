/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arm_f64.c - the kernels arm_state_f64 and arm_steps_f64. The text is arm_kernels.h; this
 * file names the precision and nothing else.
 */
#include <math.h>
#include <slipway/kernel.h>

#include "arm_model.h"

typedef f64 real;
#define ARM_NAME(name) name##_f64
#define real_sin sin
#define real_cos cos
#define real_sqrt sqrt

#include "arm_kernels.h"
