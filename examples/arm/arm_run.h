/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arm_run.h - what arm.c asks of the kernels, once per precision: how far they are from the
 * reference figures, and how fast they are. The figures go in and come out as f64.
 */
#ifndef ARM_RUN_H
#define ARM_RUN_H

#include <slipway/slipway.h>

#include "arm_data.h"

/* The worst over all states. Relative: the largest difference over the largest reference entry. */
typedef struct arm_state_errors {
    double xpos, xmat;         /* absolute, m and 1 */
    double mass, bias, qacc;   /* relative */
} arm_state_errors;

/* Largest differences along a path. */
typedef struct arm_path_errors {
    double qpos_end, qvel_end;
    double qpos_worst, qvel_worst;
    int strays; /* environments that did not end on the same bits as the first */
} arm_path_errors;

/* One timed run of `steps` steps of `envs` environments, and the counters it moved. */
typedef struct arm_race {
    double seconds;
    slip_stats stats;
    double qpos_end, qvel_end; /* of environment 0, against the path it follows */
    int broken;                /* environments with a number that is not finite */
    double *qpos;              /* [envs][nq], the caller frees it */
} arm_race;

/* Where one step is one call, and where all steps are one call. */
enum arm_pace { ARM_STEP_PER_CALL, ARM_ONE_CALL };

/*
 * arm_states_f64 - all states of the data in one call.
 * arm_path_f64   - `envs` equal environments along a path, a call per sample.
 * arm_race_f64   - environment 0 follows the path; the others start from the data's states, each a
 *                  little changed, under their forces. The arrays stay on the device.
 *
 * Errors   those of the calls; MEMORY when the host has none
 */
#define ARM_RUN(name)                                                                           \
    slip_status arm_states_##name(slip_stream *on, const arm_data *data, arm_state_errors *out); \
    slip_status arm_path_##name(slip_stream *on, const arm_data *data, const arm_path *path,    \
                                int envs, arm_path_errors *out);                                \
    slip_status arm_race_##name(slip_stream *on, const arm_data *data, const arm_path *path,    \
                                int envs, enum arm_pace pace, arm_race *out);

ARM_RUN(f64)
ARM_RUN(f32)

#endif
