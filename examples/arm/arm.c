/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arm.c - forward dynamics of robots on the best device: agreement with reference figures, then
 * speed. Exit status 0 only if every figure agrees.
 *
 *   arm [demo|check|short] [FOLDER]
 *
 * check: figures only, no timed runs. short: the beginning of each path alone. FOLDER holds the data
 * files.
 *
 * SLIPWAY_DEVICE names the device. On one that is software a demo times fewer environments, and says
 * so; the figures are all compared.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipway/slipway.h>

#include "arm_run.h"

#ifndef ARM_DATA_FOLDER
#define ARM_DATA_FOLDER "examples/arm/data"
#endif

enum { RACE_ENVS = 256, SOFTWARE_ENVS = 16, PATH_ENVS = 11, SHORT_SAMPLES = 3, ALL_SAMPLES = 1 << 20 };

enum mode { DEMO, CHECK, SHORT };
static const char *const modes[] = { "demo", "check", "short" };

/* How much is done of each path: at most so many samples, and environments in a race (0: none). */
typedef struct extent {
    int samples, race_envs;
} extent;

/* How far a run may be from the reference at the end of a path. */
typedef struct path_limit {
    const char *path;
    double qpos, qvel;
} path_limit;

typedef struct limits {
    double xpos, xmat, mass, bias, qacc;
    path_limit paths[3];
} limits;

/* One robot in one precision. */
typedef struct subject {
    const char *robot, *precision;
    slip_status (*states)(slip_stream *, const arm_data *, arm_state_errors *);
    slip_status (*path)(slip_stream *, const arm_data *, const arm_path *, int, arm_path_errors *);
    slip_status (*race)(slip_stream *, const arm_data *, const arm_path *, int, enum arm_pace,
                        arm_race *);
    bool races;
    limits limits;
} subject;

#define F64 "f64", arm_states_f64, arm_path_f64, arm_race_f64
#define F32 "f32", arm_states_f32, arm_path_f32, arm_race_f32
#define LIMITS(state, path)                                                                     \
    {                                                                                           \
        state, state, state, state, state,                                                      \
        {                                                                                       \
            { "undamped", path, path }, { "damped_explicit", path, path },                      \
            { "damped_implicit", path, path },                                                  \
        }                                                                                       \
    }
#define EXACT LIMITS(1e-9, 1e-6)

/* The robots' f32 limits are three times what another program reached with f32 throughout. Those
 * figures are a few units in the last place, and that program differs from itself by a factor of
 * two where another machine rounds its sums in another order. */
#define THRICE(xpos, xmat, mass, bias, qacc, q0, v0, q1, v1, q2, v2)                            \
    {                                                                                           \
        3 * (xpos), 3 * (xmat), 3 * (mass), 3 * (bias), 3 * (qacc),                             \
        {                                                                                       \
            { "undamped", 3 * (q0), 3 * (v0) }, { "damped_explicit", 3 * (q1), 3 * (v1) },      \
            { "damped_implicit", 3 * (q2), 3 * (v2) },                                          \
        }                                                                                       \
    }
#define PANDA_F32                                                                               \
    THRICE(9e-8, 2e-7, 8e-7, 3e-7, 1e-6, 1.5e-4, 1e-3, 1.2e-5, 2.7e-5, 1.0e-5, 2.5e-5)
#define QUADRUPED_F32                                                                           \
    THRICE(2e-7, 3e-7, 1e-6, 1e-7, 6e-7, 8e-6, 9e-6, 1.3e-5, 2.2e-5, 1.8e-5, 2.1e-5)


static const subject subjects[] = {
    { "tree", F64, false, EXACT },
    { "tree", F32, false, LIMITS(1e-5, 1e-5) },
    { "panda", F64, true, EXACT },
    { "panda", F32, true, PANDA_F32 },
    { "quadruped", F64, true, EXACT },
    { "quadruped", F32, true, QUADRUPED_F32 },
};

/* How many figures missed their limit so far. */
static int missed;

static void figure(const char *name, double value, double limit)
{
    bool good = value <= limit;
    printf("  %s %.1e%s", name, value, good ? "" : " > ");
    if (!good)
        printf("%.1e", limit);
    missed += !good;
}

static const char *verdict(int missed_before)
{
    return missed == missed_before ? "agree" : "DISAGREE";
}

static slip_status check_states(const subject *s, slip_stream *on, const arm_data *data)
{
    int before = missed;
    arm_state_errors e;
    slip_status status = s->states(on, data, &e);
    if (status != SLIP_OK)
        return status;
    printf("  %-16s", "states");
    figure("xpos", e.xpos, s->limits.xpos);
    figure("xmat", e.xmat, s->limits.xmat);
    figure("mass", e.mass, s->limits.mass);
    figure("bias", e.bias, s->limits.bias);
    figure("qacc", e.qacc, s->limits.qacc);
    printf("  %s: %d states\n", verdict(before), data->states.count);
    return SLIP_OK;
}

static slip_status check_path(const subject *s, slip_stream *on, const arm_data *data,
                              const path_limit *limit, const extent *most)
{
    int before = missed;
    arm_path_errors e;
    const arm_path *whole = arm_data_path(data, limit->path);
    if (!whole) {
        fprintf(stderr, "%s: no path '%s' in the data\n", s->robot, limit->path);
        missed += 1;
        return SLIP_OK;
    }
    arm_path part = *whole;
    const arm_path *path = &part;
    if (part.samples > most->samples)
        part.samples = most->samples;
    slip_status status = s->path(on, data, path, PATH_ENVS, &e);
    if (status != SLIP_OK)
        return status;
    printf("  %-16s", path->name);
    figure("end qpos", e.qpos_end, limit->qpos);
    figure("qvel", e.qvel_end, limit->qvel);
    printf("  worst sample qpos %.1e  qvel %.1e", e.qpos_worst, e.qvel_worst);
    missed += e.strays;
    printf("  %s: %d steps", verdict(before), (path->samples - 1) * path->stride);
    printf(e.strays ? ", %d of %d equal environments differ\n" : "\n", e.strays, PATH_ENVS);
    return SLIP_OK;
}

static void print_race(const arm_race *r, const char *what, int envs, int steps)
{
    const slip_stats *t = &r->stats;
    printf("  %-16s  %.3f s, %.0f environment-steps/s; %llu calls, %llu tasks, %llu host waits, "
           "%llu bytes up, %llu bytes down\n",
           what, r->seconds, envs * (double)steps / r->seconds, (unsigned long long)t->calls,
           (unsigned long long)t->tasks, (unsigned long long)t->host_waits,
           (unsigned long long)t->upload_bytes, (unsigned long long)t->download_bytes);
}

/* The same run twice, in one call and in a call per step: both must end on the same bits, and
 * environment 0 where the reference does. */
static slip_status race(const subject *s, slip_stream *on, const arm_data *data, const extent *most)
{
    int before = missed, envs = most->race_envs;
    const path_limit *limit = &s->limits.paths[1];
    const arm_path *whole = arm_data_path(data, limit->path);
    arm_path part, *path = &part;
    arm_race many = { .qpos = NULL };
    arm_race one = { .qpos = NULL };
    if (!whole)
        return SLIP_OK;
    part = *whole;
    if (part.samples > most->samples)
        part.samples = most->samples;
    int steps = (path->samples - 1) * path->stride;
    slip_status status = s->race(on, data, path, envs, ARM_STEP_PER_CALL, &many);
    if (status == SLIP_OK)
        status = s->race(on, data, path, envs, ARM_ONE_CALL, &one);
    if (status == SLIP_OK) {
        size_t bytes = (size_t)envs * (size_t)data->robot.nq * sizeof *one.qpos;
        bool same = memcmp(one.qpos, many.qpos, bytes) == 0;
        print_race(&many, "a call per step", envs, steps);
        print_race(&one, "one call", envs, steps);
        printf("  %-16s", "both");
        figure("end qpos", fmax(one.qpos_end, many.qpos_end), limit->qpos);
        figure("qvel", fmax(one.qvel_end, many.qvel_end), limit->qvel);
        missed += !same + one.broken + many.broken;
        printf("  %s: %d environments x %d steps, %s bits, %d not finite\n", verdict(before),
               envs, steps, same ? "same" : "DIFFERENT", one.broken + many.broken);
    }
    free(many.qpos);
    free(one.qpos);
    return status;
}

static slip_status run_subject(const subject *s, slip_stream *on, const char *folder,
                               const extent *most)
{
    arm_data *data = arm_data_read(folder, s->robot);
    if (!data) {
        missed += 1;
        return SLIP_OK;
    }
    printf("%s, %s: %d links, %d freedoms\n", s->robot, s->precision, data->robot.links,
           data->robot.nv);
    slip_status status = check_states(s, on, data);
    for (size_t k = 0; k < sizeof s->limits.paths / sizeof s->limits.paths[0]; ++k)
        if (status == SLIP_OK)
            status = check_path(s, on, data, &s->limits.paths[k], most);
    if (status == SLIP_OK && most->race_envs > 0 && s->races)
        status = race(s, on, data, most);
    arm_data_free(data);
    return status;
}

/* A GPU's interface run by the host takes minutes for what a device does in seconds. */
static extent extent_of(enum mode mode, const slip_device_info *info)
{
    const bool is_software = strcmp(info->kind, "software") == 0;
    extent most = { mode == SHORT ? SHORT_SAMPLES : ALL_SAMPLES,
                    mode != DEMO ? 0 : is_software ? SOFTWARE_ENVS : RACE_ENVS };

    if (mode == DEMO && is_software)
        printf("this device is software: %d environments are timed instead of %d\n", SOFTWARE_ENVS,
               RACE_ENVS);
    return most;
}

int main(int argc, char **argv)
{
    enum mode mode = DEMO;
    const char *folder = argc > 2 ? argv[2] : ARM_DATA_FOLDER;
    slip_device *device;
    slip_device_info info;
    while (argc > 1 && mode <= SHORT && strcmp(argv[1], modes[mode]) != 0)
        mode += 1;
    if (argc > 3 || mode > SHORT) {
        fprintf(stderr, "usage: arm [demo|check|short] [FOLDER]\n");
        return 2;
    }
    slip_status status = slip_device_open("auto", &device);
    if (status != SLIP_OK)
        return slip_report(stderr);
    slip_device_describe(device, &info);
    printf("device: %s (%s", info.name, info.family);
    if (info.compute_units) /* Vulkan does not say */
        printf(", %u compute units", info.compute_units);
    printf(")\n");
    const extent most = extent_of(mode, &info);
    for (size_t k = 0; k < sizeof subjects / sizeof subjects[0] && status == SLIP_OK; ++k)
        status = run_subject(&subjects[k], slip_default(device), folder, &most);
    if (status != SLIP_OK)
        slip_report(stderr);
    slip_device_close(device);
    if (status == SLIP_OK)
        printf(missed ? "arm: %d figures DISAGREE\n" : "arm: every figure agrees\n", missed);
    return status != SLIP_OK || missed > 0;
}
