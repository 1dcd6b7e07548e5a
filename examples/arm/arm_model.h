/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arm_model.h - the model of a robot as two tables, shared by the kernels and the host.
 *
 * Links stand parent before child. The tables exist once for f64 and once for f32, so that
 * a kernel reads its own precision. Nothing here depends on Slipway.
 */
#ifndef ARM_MODEL_H
#define ARM_MODEL_H

#include <stdint.h>

/* How a link moves against its parent. */
enum arm_joint { ARM_FIXED, ARM_HINGE, ARM_SLIDE, ARM_FREE };

/*
 * arm_link: one rigid link and the joint that carries it.
 *
 *   parent      index of the parent link, -1 for the world
 *   joint       enum arm_joint; free only on a link of the world
 *   qpos, dof   first entry in qpos and in qvel, -1 for a fixed link
 *   pos, rot    link frame in the parent's at joint value 0; rot is a matrix, by rows
 *   axis        unit joint axis in link coordinates
 *   joint_pos   a point of a hinge's axis in link coordinates
 *   mass, com   kg; centre of mass in link coordinates
 *   inertia     xx yy zz xy xz yz about the centre of mass, along the link's axes
 *
 * arm_dof: one degree of freedom, an entry of qvel.
 *
 *   link      the link that it moves
 *   above     the next degree of freedom towards the root, -1 if there is none
 *   armature  rotor inertia, added to the diagonal of the mass matrix
 *   damping   viscous
 */
#define ARM_TABLES(real, name)                                                                  \
    struct arm_link_##name {                                                                    \
        int32_t parent;                                                                         \
        int32_t joint;                                                                          \
        int32_t qpos;                                                                           \
        int32_t dof;                                                                            \
        real pos[3];                                                                            \
        real rot[9];                                                                            \
        real axis[3];                                                                           \
        real joint_pos[3];                                                                      \
        real mass;                                                                              \
        real com[3];                                                                            \
        real inertia[6];                                                                        \
    };                                                                                          \
    struct arm_dof_##name {                                                                     \
        int32_t link;                                                                           \
        int32_t above;                                                                          \
        real armature;                                                                          \
        real damping;                                                                           \
    };

ARM_TABLES(double, f64)
ARM_TABLES(float, f32)

#endif
