/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arm_kernels.h - forward dynamics of any tree of links, for many environments at once.
 *
 * Included by arm_f64.c and arm_f32.c. Each function below does one stage of one environment, or of
 * one link or freedom of it; each kernel at the end is those stages, one task per stage over all.
 * Scratch is [block][item][component][lane]: environment e is lane e % LANES of block e / LANES.
 *
 * Everything is in world axes about one reference point, the centre of all mass, so a
 * composite inertia is a sum and a mass-matrix entry is one product of two screws.
 */
#include "arm_model.h"
#include "arm_space.h"

typedef struct ARM_NAME(arm_link) link_row;
typedef struct ARM_NAME(arm_dof) dof_row;

/* The motion axes of one joint at link position p, rotation r, from reference point o. */
static void joint_axes(const link_row *k, struct vec p, struct rot r, struct vec o, i32 lane,
                       real axis[][6][LANES])
{
    struct vec zero = vec3(0, 0, 0);
    if (k->joint == ARM_HINGE) {
        struct vec z = rotate(r, vec_of(k->axis));
        struct vec c = add(p, rotate(r, vec_of(k->joint_pos)));
        struct screw s = { z, cross(subtract(c, o), z) };
        put_screw(axis[k->dof], lane, s);
    } else if (k->joint == ARM_SLIDE) {
        struct screw s = { zero, rotate(r, vec_of(k->axis)) };
        put_screw(axis[k->dof], lane, s);
    } else if (k->joint == ARM_FREE) {
        struct vec arm = subtract(p, o);
        for (i32 d = 0; d < 3; ++d) {
            struct vec unit = vec3(d == 0, d == 1, d == 2);
            struct vec z = rotate(r, unit);
            struct screw move = { zero, unit };
            struct screw turn = { z, cross(arm, z) };
            put_screw(axis[k->dof + d], lane, move);
            put_screw(axis[k->dof + 3 + d], lane, turn);
        }
    }
}

/* Stage 1: the pose of link `k` in its parent's axes. */
static void joint_pose(i32 lane, const link_row *k, const real *q, real pos[][LANES],
                       real mat[][LANES])
{
    struct vec p = vec_of(k->pos);
    struct rot r = { vec_of(&k->rot[0]), vec_of(&k->rot[3]), vec_of(&k->rot[6]) };
    if (k->joint == ARM_HINGE) {
        struct vec pin = vec_of(k->joint_pos);
        struct vec c = add(p, rotate(r, pin));
        r = rot_times(r, rot_about(vec_of(k->axis), q[k->qpos]));
        p = subtract(c, rotate(r, pin));
    } else if (k->joint == ARM_SLIDE) {
        p = add(p, scale(q[k->qpos], rotate(r, vec_of(k->axis))));
    } else if (k->joint == ARM_FREE) {
        const real *u = &q[k->qpos];
        p = vec_of(u);
        r = rot_of_quat(u[3], u[4], u[5], u[6]);
    }
    put_vec(pos, lane, p);
    put_rot(mat, lane, r);
}

/* Stage 2: the poses in the world's axes, and the centre of all mass. */
static void link_poses(i32 lane, i32 nlink, const link_row *link, real pos[][3][LANES],
                       real mat[][9][LANES], real centre[][LANES])
{
    struct vec up_p = vec3(0, 0, 0); /* of link i - 1, which is most links' parent */
    struct rot up_r = { up_p, up_p, up_p };
    struct vec moment = vec3(0, 0, 0);
    real total = 0;
    for (i32 i = 0; i < nlink; ++i) {
        i32 parent = link[i].parent;
        struct vec p = get_vec(pos[i], lane);
        struct rot r = get_rot(mat[i], lane);
        if (parent >= 0) {
            if (parent != i - 1) {
                up_p = get_vec(pos[parent], lane);
                up_r = get_rot(mat[parent], lane);
            }
            p = add(up_p, rotate(up_r, p));
            r = rot_times(up_r, r);
            put_vec(pos[i], lane, p);
            put_rot(mat[i], lane, r);
        }
        moment = add(moment, scale(link[i].mass, add(p, rotate(r, vec_of(link[i].com)))));
        total = total + link[i].mass;
        up_p = p;
        up_r = r;
    }
    put_vec(centre, lane, scale(1 / total, moment));
}

/* Stage 3: the inertia of link `k`, and the motion axes of its joint. */
static void link_inertia(i32 lane, const link_row *k, real pos[][LANES], real mat[][LANES],
                         real centre[][LANES], real body[][LANES], real axis[][6][LANES])
{
    struct vec p = get_vec(pos, lane);
    struct rot r = get_rot(mat, lane);
    struct vec o = get_vec(centre, lane);
    struct vec c = subtract(add(p, rotate(r, vec_of(k->com))), o);
    struct inertia b = inertia_at(r, c, k->mass, k->inertia);
    body[0][lane] = b.mass;
    put_vec(&body[1], lane, b.first);
    put_vec(&body[4], lane, b.diagonal);
    put_vec(&body[7], lane, b.products);
    joint_axes(k, p, r, o, lane, axis);
}

static struct inertia get_inertia(real x[][LANES], i32 lane)
{
    struct inertia b = { x[0][lane], get_vec(&x[1], lane), get_vec(&x[4], lane),
                         get_vec(&x[7], lane) };
    return b;
}

/* Stage 4: the force on each link for zero acceleration of the joints, of its subtree after
 * (recursive Newton-Euler); then `body` is of each subtree too (composite rigid bodies). The
 * velocity of a free base as a whole is left out: it changes no force. */
static void link_forces(i32 lane, i32 nlink, const link_row *link, const real *gravity,
                        const real *v, real body[][10][LANES], real axis[][6][LANES],
                        real speed[][6][LANES], real rate[][6][LANES], real force[][6][LANES])
{
    struct vec zero = vec3(0, 0, 0);
    for (i32 i = 0; i < nlink; ++i) {
        const link_row *k = &link[i];
        struct screw w = { zero, zero };
        struct screw a = { zero, scale(-1, vec_of(gravity)) };
        if (k->parent >= 0) {
            w = get_screw(speed[k->parent], lane);
            a = get_screw(rate[k->parent], lane);
        }
        if (k->joint == ARM_HINGE || k->joint == ARM_SLIDE) {
            struct screw own = screw_scale(v[k->dof], get_screw(axis[k->dof], lane));
            a = screw_add(a, cross_motion(w, own));
            w = screw_add(w, own);
        } else if (k->joint == ARM_FREE) {
            for (i32 d = k->dof + 3; d < k->dof + 6; ++d)
                w = screw_add(w, screw_scale(v[d], get_screw(axis[d], lane)));
        }
        struct inertia b = get_inertia(body[i], lane);
        struct screw f = screw_add(inertia_times(b, a), cross_force(w, inertia_times(b, w)));
        put_screw(speed[i], lane, w);
        put_screw(rate[i], lane, a);
        put_screw(force[i], lane, f);
    }
    for (i32 i = nlink - 1; i > 0; --i) {
        i32 up = link[i].parent;
        if (up < 0)
            continue;
        put_screw(force[up], lane,
                  screw_add(get_screw(force[up], lane), get_screw(force[i], lane)));
        for (i32 c = 0; c < 10; ++c)
            body[up][c][lane] = body[up][c][lane] + body[i][c][lane];
    }
}

/* Stage 5: of freedom d, the force that its joint must give, and its row of the mass matrix's lower
 * triangle. */
static void mass_row(i32 lane, i32 d, const dof_row *dof, real body[][10][LANES],
                     real axis[][6][LANES], real force[][6][LANES], real row[][LANES],
                     real bias[LANES])
{
    struct screw own = get_screw(axis[d], lane);
    struct screw f = inertia_times(get_inertia(body[dof[d].link], lane), own);
    for (i32 c = 0; c < d; ++c)
        row[c][lane] = 0;
    row[d][lane] = screw_dot(own, f) + dof[d].armature;
    for (i32 c = dof[d].above; c >= 0; c = dof[c].above)
        row[c][lane] = screw_dot(get_screw(axis[c], lane), f);
    bias[lane] = screw_dot(own, get_screw(force[dof[d].link], lane));
}

/* Stage 6: x = m^-1 x. The lower triangle of m becomes L and D of m = L' D L, which keeps the
 * zeros between branches: a freedom meets only those above it. */
static void factor_and_solve(i32 lane, i32 nv, const dof_row *dof, real m[][nv][LANES],
                             real x[][LANES])
{
    for (i32 k = nv - 1; k >= 0; --k) {
        real pivot = m[k][k][lane];
        for (i32 i = dof[k].above; i >= 0; i = dof[i].above) {
            real a = m[k][i][lane] / pivot;
            for (i32 j = i; j >= 0; j = dof[j].above)
                m[i][j][lane] = m[i][j][lane] - a * m[k][j][lane];
            m[k][i][lane] = a;
            x[i][lane] = x[i][lane] - a * x[k][lane];
        }
    }
    for (i32 k = 0; k < nv; ++k) {
        real sum = x[k][lane] / m[k][k][lane];
        for (i32 i = dof[k].above; i >= 0; i = dof[i].above)
            sum = sum - m[k][i][lane] * x[i][lane];
        x[k][lane] = sum;
    }
}

/* u = u turned by the angular velocity w (link axes) for the time h: the exact exponential. */
static void turn_quat(real *u, struct vec w, real h)
{
    real length = real_sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3]);
    real speed = real_sqrt(dot(w, w));
    if (speed > 0) {
        real s = u[0] / length;
        struct vec a = scale(1 / length, vec_of(&u[1]));
        real c = real_cos(h * speed / 2);
        struct vec b = scale(real_sin(h * speed / 2) / speed, w);
        struct vec t = add(add(scale(s, b), scale(c, a)), cross(a, b));
        u[0] = s * c - dot(a, b);
        u[1] = t.x;
        u[2] = t.y;
        u[3] = t.z;
    }
}

/* Stage 7: the semi-implicit step. First the velocity, then the position by the new velocity. */
static void advance(i32 lane, i32 nlink, i32 nv, const link_row *link, real h,
                    real acceleration[][LANES], real *q, real *v)
{
    for (i32 d = 0; d < nv; ++d)
        v[d] = v[d] + h * acceleration[d][lane];
    for (i32 i = 0; i < nlink; ++i) {
        i32 at = link[i].qpos;
        i32 d = link[i].dof;
        if (link[i].joint == ARM_HINGE || link[i].joint == ARM_SLIDE) {
            q[at] = q[at] + h * v[d];
        } else if (link[i].joint == ARM_FREE) {
            for (i32 c = 0; c < 3; ++c)
                q[at + c] = q[at + c] + h * v[d + c];
            turn_quat(&q[at + 3], vec_of(&v[d + 3]), h);
        }
    }
}

/*
 * arm_state - what the dynamics of n environments are, without moving them.
 *
 *   gravity          m/s^2, world axes
 *   link, dof        the model
 *   qpos, qvel, tau  the state and the applied force of each environment
 *   mass             the mass matrix, armature included, full
 *   bias             Coriolis, centrifugal and gravity force; no damping in it
 *   qacc             solves mass qacc = tau - bias - damping qvel
 *   xpos, xmat       origin and rotation of each link in the world
 */
slip_kernel void ARM_NAME(arm_state)(i32 n, i32 nlink, i32 nq, i32 nv, const real gravity[3],
                                     const struct ARM_NAME(arm_link) link[nlink],
                                     const struct ARM_NAME(arm_dof) dof[nv], const real qpos[n][nq],
                                     const real qvel[n][nv], const real tau[n][nv],
                                     slip_out real mass[n][nv][nv], slip_out real bias[n][nv],
                                     slip_out real qacc[n][nv], slip_out real xpos[n][nlink][3],
                                     slip_out real xmat[n][nlink][9])
{
    i32 blocks = (n + LANES - 1) / LANES;
    real pos[blocks][nlink][3][LANES];
    real mat[blocks][nlink][9][LANES];
    real centre[blocks][3][LANES];
    real body[blocks][nlink][10][LANES];
    real axis[blocks][nv][6][LANES];
    real speed[blocks][nlink][6][LANES];
    real rate[blocks][nlink][6][LANES];
    real force[blocks][nlink][6][LANES];
    real m[blocks][nv][nv][LANES];
    real x[blocks][nv][LANES];

    slip_for2 (e, n, i, nlink)
        joint_pose(e % LANES, &link[i], qpos[e], pos[e / LANES][i], mat[e / LANES][i]);
    slip_for (e, n)
        link_poses(e % LANES, nlink, link, pos[e / LANES], mat[e / LANES], centre[e / LANES]);
    slip_for2 (e, n, i, nlink)
        link_inertia(e % LANES, &link[i], pos[e / LANES][i], mat[e / LANES][i], centre[e / LANES],
                     body[e / LANES][i], axis[e / LANES]);
    slip_for (e, n)
        link_forces(e % LANES, nlink, link, gravity, qvel[e], body[e / LANES], axis[e / LANES],
                    speed[e / LANES], rate[e / LANES], force[e / LANES]);
    slip_for2 (e, n, d, nv)
        mass_row(e % LANES, d, dof, body[e / LANES], axis[e / LANES], force[e / LANES],
                 m[e / LANES][d], x[e / LANES][d]);
    slip_for (e, n) {
        i32 b = e / LANES;
        i32 lane = e % LANES;
        for (i32 i = 0; i < nlink; ++i) {
            for (i32 c = 0; c < 3; ++c)
                xpos[e][i][c] = pos[b][i][c][lane];
            for (i32 c = 0; c < 9; ++c)
                xmat[e][i][c] = mat[b][i][c][lane];
        }
        for (i32 r = 0; r < nv; ++r) {
            for (i32 c = 0; c < nv; ++c)
                mass[e][r][c] = c < r ? m[b][r][c][lane] : m[b][c][r][lane];
            bias[e][r] = x[b][r][lane];
            x[b][r][lane] = tau[e][r] - x[b][r][lane] - dof[r].damping * qvel[e][r];
        }
    }
    slip_for (e, n)
        factor_and_solve(e % LANES, nv, dof, m[e / LANES], x[e / LANES]);
    slip_for (e, n) {
        for (i32 r = 0; r < nv; ++r)
            qacc[e][r] = x[e / LANES][r][e % LANES];
    }
}

/*
 * arm_steps - move n environments by `steps` steps of `dt` seconds, under a constant force tau.
 *
 *   implicit   1: damping acts at the end of the step, (mass + dt damping) qacc = ...
 *              0: damping acts at its start
 *
 * qpos and qvel are the state, read and written. The rest as in arm_state.
 */
slip_kernel void ARM_NAME(arm_steps)(i32 n, i32 steps, real dt, i32 implicit, i32 nlink, i32 nq,
                                     i32 nv, const real gravity[3],
                                     const struct ARM_NAME(arm_link) link[nlink],
                                     const struct ARM_NAME(arm_dof) dof[nv], real qpos[n][nq],
                                     real qvel[n][nv], const real tau[n][nv])
{
    i32 blocks = (n + LANES - 1) / LANES;
    real late = implicit ? dt : 0;
    real pos[blocks][nlink][3][LANES];
    real mat[blocks][nlink][9][LANES];
    real centre[blocks][3][LANES];
    real body[blocks][nlink][10][LANES];
    real axis[blocks][nv][6][LANES];
    real speed[blocks][nlink][6][LANES];
    real rate[blocks][nlink][6][LANES];
    real force[blocks][nlink][6][LANES];
    real m[blocks][nv][nv][LANES];
    real x[blocks][nv][LANES];

    for (i32 s = 0; s < steps; ++s) {
        slip_for2 (e, n, i, nlink)
            joint_pose(e % LANES, &link[i], qpos[e], pos[e / LANES][i], mat[e / LANES][i]);
        slip_for (e, n)
            link_poses(e % LANES, nlink, link, pos[e / LANES], mat[e / LANES], centre[e / LANES]);
        slip_for2 (e, n, i, nlink)
            link_inertia(e % LANES, &link[i], pos[e / LANES][i], mat[e / LANES][i],
                         centre[e / LANES], body[e / LANES][i], axis[e / LANES]);
        slip_for (e, n)
            link_forces(e % LANES, nlink, link, gravity, qvel[e], body[e / LANES], axis[e / LANES],
                        speed[e / LANES], rate[e / LANES], force[e / LANES]);
        slip_for2 (e, n, d, nv) {
            i32 b = e / LANES;
            i32 lane = e % LANES;
            mass_row(lane, d, dof, body[b], axis[b], force[b], m[b][d], x[b][d]);
            x[b][d][lane] = tau[e][d] - x[b][d][lane] - dof[d].damping * qvel[e][d];
            m[b][d][d][lane] = m[b][d][d][lane] + late * dof[d].damping;
        }
        slip_for (e, n) {
            factor_and_solve(e % LANES, nv, dof, m[e / LANES], x[e / LANES]);
            advance(e % LANES, nlink, nv, link, dt, x[e / LANES], qpos[e], qvel[e]);
        }
    }
}
