/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arm_f32.c - the kernels arm_state_f32 and arm_steps_f32. The text is arm_kernels.h; this
 * file names the precision and nothing else.
 */
#include <math.h>
#include <slipway/kernel.h>

#include "arm_model.h"

typedef f32 real;
#define ARM_NAME(name) name##_f32
#define real_sin sinf
#define real_cos cosf
#define real_sqrt sqrtf

#include "arm_kernels.h"
