/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arm_run_body.h - arm_run.h in the precision `real`; included by arm_run_f64.c and arm_run_f32.c.
 * The kernels get plain host arrays where figures are checked, and kept ones in a race.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arm_run.h"

typedef struct ARM_NAME(arm_link) link_row;
typedef struct ARM_NAME(arm_dof) dof_row;

/* The model in `real`. */
typedef struct model {
    int links, nq, nv;
    real gravity[3];
    link_row *link;
    dof_row *dof;
} model;

static void convert(real *to, const double *from, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        to[i] = (real)from[i];
}

/* `count` numbers in `real`; zeros where from is NULL. Sets *failed when memory ran out. */
static real *array_of(const double *from, int rows, int columns, bool *failed)
{
    size_t count = (size_t)rows * (size_t)columns;
    real *p = calloc(count, sizeof *p);
    if (!p)
        *failed = true;
    else if (from)
        convert(p, from, count);
    return p;
}

static void model_free(model *m)
{
    free(m->link);
    free(m->dof);
}

/* damping: [nv], in place of the model's; may be NULL. */
static bool model_make(const arm_robot *b, const double *damping, model *m)
{
    *m = (model){ .links = b->links, .nq = b->nq, .nv = b->nv };
    m->link = calloc((size_t)b->links, sizeof *m->link);
    m->dof = calloc((size_t)b->nv, sizeof *m->dof);
    if (!m->link || !m->dof) {
        model_free(m);
        return false;
    }
    convert(m->gravity, b->gravity, 3);
    for (int i = 0; i < b->links; ++i) {
        const struct arm_link_f64 *from = &b->link[i];
        link_row *to = &m->link[i];
        to->parent = from->parent;
        to->joint = from->joint;
        to->qpos = from->qpos;
        to->dof = from->dof;
        convert(to->pos, from->pos, 3);
        convert(to->rot, from->rot, 9);
        convert(to->axis, from->axis, 3);
        convert(to->joint_pos, from->joint_pos, 3);
        to->mass = (real)from->mass;
        convert(to->com, from->com, 3);
        convert(to->inertia, from->inertia, 6);
    }
    for (int d = 0; d < b->nv; ++d) {
        const struct arm_dof_f64 *from = &b->dof[d];
        double drag = damping ? damping[d] : from->damping;
        m->dof[d] = (dof_row){ from->link, from->above, (real)from->armature, (real)drag };
    }
    return true;
}

/* The largest difference of `count` numbers from the reference, rounded to `real`; infinity where
 * one is not a number. */
static double largest_difference(const real *a, const double *b, size_t count)
{
    double worst = 0;
    for (size_t i = 0; i < count; ++i) {
        double d = fabs((double)a[i] - (double)(real)b[i]);
        worst = isnan(d) ? INFINITY : fmax(worst, d);
    }
    return worst;
}

/* The worst row of [rows][columns]; each over the largest entry of its reference if relative. */
static double worst_row(const real *a, const double *b, int rows, int columns, bool relative)
{
    double worst = 0;
    size_t width = (size_t)columns;
    for (size_t r = 0; r < (size_t)rows; ++r) {
        double scale = 1;
        if (relative) {
            scale = 0;
            for (size_t c = 0; c < width; ++c)
                scale = fmax(scale, fabs(b[r * width + c]));
        }
        worst = fmax(worst, largest_difference(a + r * width, b + r * width, width) / scale);
    }
    return worst;
}

slip_status ARM_NAME(arm_states)(slip_stream *on, const arm_data *data, arm_state_errors *out)
{
    const arm_states *s = &data->states;
    int n = s->count;
    bool failed = false;
    model m;
    if (!model_make(&data->robot, NULL, &m))
        return SLIP_ERR_MEMORY;
    real *qpos = array_of(s->qpos, n, m.nq, &failed);
    real *qvel = array_of(s->qvel, n, m.nv, &failed);
    real *tau = array_of(s->tau, n, m.nv, &failed);
    real *mass = array_of(NULL, n, m.nv * m.nv, &failed);
    real *bias = array_of(NULL, n, m.nv, &failed);
    real *qacc = array_of(NULL, n, m.nv, &failed);
    real *xpos = array_of(NULL, n, m.links * 3, &failed);
    real *xmat = array_of(NULL, n, m.links * 9, &failed);
    slip_status status = SLIP_ERR_MEMORY;
    if (!failed)
        status = ARM_NAME(arm_state)(on, n, m.links, m.nq, m.nv, m.gravity, m.link, m.dof, qpos,
                                     qvel, tau, mass, bias, qacc, xpos, xmat);
    if (status == SLIP_OK) {
        out->xpos = worst_row(xpos, s->xpos, n, m.links * 3, false);
        out->xmat = worst_row(xmat, s->xmat, n, m.links * 9, false);
        out->mass = worst_row(mass, s->mass, n, m.nv * m.nv, true);
        out->bias = worst_row(bias, s->bias, n, m.nv, true);
        out->qacc = worst_row(qacc, s->qacc, n, m.nv, true);
    }
    free(qpos);
    free(qvel);
    free(tau);
    free(mass);
    free(bias);
    free(qacc);
    free(xpos);
    free(xmat);
    model_free(&m);
    return status;
}

/* The state of n environments, on the host. */
typedef struct fleet {
    int n;
    real *qpos, *qvel, *tau;
} fleet;

static bool fleet_make(int n, const model *m, fleet *f)
{
    bool failed = false;
    f->n = n;
    f->qpos = array_of(NULL, n, m->nq, &failed);
    f->qvel = array_of(NULL, n, m->nv, &failed);
    f->tau = array_of(NULL, n, m->nv, &failed);
    return !failed;
}

static void fleet_free(fleet *f)
{
    free(f->qpos);
    free(f->qvel);
    free(f->tau);
}

static void fleet_place(fleet *f, const model *m, int e, const double *qpos, const double *qvel,
                        const double *tau)
{
    convert(f->qpos + (size_t)e * (size_t)m->nq, qpos, (size_t)m->nq);
    convert(f->qvel + (size_t)e * (size_t)m->nv, qvel, (size_t)m->nv);
    convert(f->tau + (size_t)e * (size_t)m->nv, tau, (size_t)m->nv);
}

static slip_status fleet_step(slip_stream *on, fleet *f, model *m, const arm_path *path, int steps)
{
    return ARM_NAME(arm_steps)(on, f->n, steps, (real)path->dt, path->implicit, m->links, m->nq,
                               m->nv, m->gravity, m->link, m->dof, f->qpos, f->qvel, f->tau);
}

/* How many environments differ from the first in any bit. */
static int count_strays(const fleet *f, const model *m)
{
    size_t q = (size_t)m->nq * sizeof(real);
    size_t v = (size_t)m->nv * sizeof(real);
    int strays = 0;
    for (int e = 1; e < f->n; ++e)
        strays += memcmp(f->qpos, f->qpos + e * m->nq, q) != 0 ||
                  memcmp(f->qvel, f->qvel + e * m->nv, v) != 0;
    return strays;
}

slip_status ARM_NAME(arm_path)(slip_stream *on, const arm_data *data, const arm_path *path,
                               int envs, arm_path_errors *out)
{
    model m;
    fleet f;
    slip_status status = SLIP_ERR_MEMORY;
    arm_path_errors worst = { 0 };
    if (!model_make(&data->robot, path->damping, &m))
        return SLIP_ERR_MEMORY;
    if (!fleet_make(envs, &m, &f))
        goto done;
    for (int e = 0; e < envs; ++e)
        fleet_place(&f, &m, e, path->qpos, path->qvel, path->tau);
    for (int k = 1; k < path->samples; ++k) {
        status = fleet_step(on, &f, &m, path, path->stride);
        if (status != SLIP_OK)
            goto done;
        worst.qpos_end = largest_difference(f.qpos, path->qpos + k * m.nq, (size_t)m.nq);
        worst.qvel_end = largest_difference(f.qvel, path->qvel + k * m.nv, (size_t)m.nv);
        worst.qpos_worst = fmax(worst.qpos_worst, worst.qpos_end);
        worst.qvel_worst = fmax(worst.qvel_worst, worst.qvel_end);
    }
    worst.strays = count_strays(&f, &m);
    *out = worst;
done:
    fleet_free(&f);
    model_free(&m);
    return status;
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Environment 0 starts the path; the others are the data's states with their speeds scaled. */
static void fleet_spread(fleet *f, const model *m, const arm_states *s, const arm_path *path)
{
    fleet_place(f, m, 0, path->qpos, path->qvel, path->tau);
    for (int e = 1; e < f->n; ++e) {
        int k = e % s->count;
        real share = (real)(f->n - e) / (real)f->n;
        fleet_place(f, m, e, s->qpos + k * m->nq, s->qvel + k * m->nv, path->tau);
        for (int d = 0; d < m->nv; ++d)
            f->qvel[e * m->nv + d] *= share;
    }
}

static int count_broken(const fleet *f, const model *m)
{
    int broken = 0;
    for (int e = 0; e < f->n; ++e) {
        bool finite = true;
        for (int k = 0; k < m->nq; ++k)
            finite = finite && isfinite(f->qpos[e * m->nq + k]);
        for (int k = 0; k < m->nv; ++k)
            finite = finite && isfinite(f->qvel[e * m->nv + k]);
        broken += !finite;
    }
    return broken;
}

/* The arrays of a race, and how many of them have a mirror on the device. */
typedef struct mirrors {
    void *at[6];
    uint64_t bytes[6];
    int kept;
} mirrors;

static slip_status mirrors_keep(slip_device *device, const model *m, const fleet *f, mirrors *k)
{
    uint64_t links = (uint64_t)m->links;
    uint64_t q = (uint64_t)f->n * (uint64_t)m->nq * sizeof(real);
    uint64_t v = (uint64_t)f->n * (uint64_t)m->nv * sizeof(real);
    *k = (mirrors){
        { (void *)m->gravity, m->link, m->dof, f->qpos, f->qvel, f->tau },
        { sizeof m->gravity, links * sizeof *m->link, (uint64_t)m->nv * sizeof *m->dof, q, v, v },
        0,
    };
    for (; k->kept < 6; ++k->kept) {
        slip_status status = slip_keep(device, k->at[k->kept], k->bytes[k->kept]);
        if (status != SLIP_OK)
            return status;
    }
    return SLIP_OK;
}

static slip_status race_run(slip_stream *on, fleet *f, model *m, const arm_path *path,
                            enum arm_pace pace, double *seconds)
{
    int steps = (path->samples - 1) * path->stride;
    int calls = pace == ARM_ONE_CALL ? 1 : steps;
    slip_status status = SLIP_OK;
    double start = now();
    for (int c = 0; c < calls && status == SLIP_OK; ++c)
        status = fleet_step(on, f, m, path, steps / calls);
    if (status == SLIP_OK)
        status = slip_stream_sync(on);
    *seconds = now() - start;
    return status;
}

slip_status ARM_NAME(arm_race)(slip_stream *on, const arm_data *data, const arm_path *path,
                               int envs, enum arm_pace pace, arm_race *out)
{
    slip_device *device = slip_stream_device(on);
    int last = path->samples - 1;
    model m;
    fleet f;
    mirrors k = { .kept = 0 };
    arm_race race = { 0 };
    slip_status status = SLIP_ERR_MEMORY;
    if (!model_make(&data->robot, path->damping, &m))
        return SLIP_ERR_MEMORY;
    if (!fleet_make(envs, &m, &f))
        goto done;
    fleet_spread(&f, &m, &data->states, path);
    status = fleet_step(on, &f, &m, path, 0); /* the module is loaded before the clock starts */
    if (status != SLIP_OK)
        goto done;
    slip_device_stats_reset(device);
    status = mirrors_keep(device, &m, &f, &k);
    if (status == SLIP_OK)
        status = race_run(on, &f, &m, path, pace, &race.seconds);
    if (status == SLIP_OK)
        status = slip_fetch(on, f.qpos);
    if (status == SLIP_OK)
        status = slip_fetch(on, f.qvel);
    if (status != SLIP_OK)
        goto done;
    slip_device_stats(device, &race.stats);
    race.qpos_end = largest_difference(f.qpos, path->qpos + last * m.nq, (size_t)m.nq);
    race.qvel_end = largest_difference(f.qvel, path->qvel + last * m.nv, (size_t)m.nv);
    race.broken = count_broken(&f, &m);
    race.qpos = (double *)calloc((size_t)envs * (size_t)m.nq, sizeof *race.qpos);
    status = race.qpos ? SLIP_OK : SLIP_ERR_MEMORY;
    for (int i = 0; race.qpos && i < envs * m.nq; ++i)
        race.qpos[i] = (double)f.qpos[i];
    *out = race;
done:
    while (k.kept > 0) {
        slip_status dropped = slip_unkeep(device, k.at[--k.kept]);
        status = status == SLIP_OK ? dropped : status;
    }
    fleet_free(&f);
    model_free(&m);
    return status;
}
