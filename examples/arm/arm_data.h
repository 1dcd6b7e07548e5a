/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arm_data.h - robots and reference figures, read from the text files of data/ (format:
 * data/README.md). All in f64, as stored. It knows nothing of Slipway.
 */
#ifndef ARM_DATA_H
#define ARM_DATA_H

#include <stdbool.h>

#include "arm_model.h"

typedef struct arm_robot {
    char name[32];
    int links, nq, nv;
    double gravity[3];
    struct arm_link_f64 *link; /* [links] */
    struct arm_dof_f64 *dof;   /* [nv] */
} arm_robot;

/* Each array is [count][...], in order. */
typedef struct arm_states {
    int count;
    double *qpos, *qvel, *tau;
    double *mass, *bias, *qacc;
    double *xpos, *xmat;
} arm_states;

typedef struct arm_path {
    char name[32];
    bool implicit;
    double dt;
    int stride, samples;
    double *damping, *tau; /* [nv] */
    double *qpos, *qvel;   /* [samples][nq], [samples][nv] */
} arm_path;

typedef struct arm_data {
    arm_robot robot;
    arm_states states;
    arm_path *paths;
    int path_count;
} arm_data;

/* Reads FOLDER/ROBOT.{model,states,paths}.txt. On failure prints the file, the line and what was
 * expected there, and returns NULL. */
arm_data *arm_data_read(const char *folder, const char *robot);
void arm_data_free(arm_data *data); /* takes NULL */

/* The path of that name, or NULL. */
const arm_path *arm_data_path(const arm_data *data, const char *name);

#endif
