/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arm_cost.c - steps per second of one robot arm, its torques from the host and its state to the
 * host in each step, under the minimal and the conservative policy.
 *
 *     build/bench/arm_cost [DEVICE] [ROBOT] [FOLDER]
 *
 * DEVICE is what slip_device_open takes ("cuda:0"), ROBOT the name of the data ("panda"), FOLDER
 * holds them. Both policies run in turns in this process; the model stays on the device, and both
 * must end on the same bits.
 */
#define _POSIX_C_SOURCE 200809L

#include "../../examples/arm/arm_run_f64.c" /* the model and a step of it */

#include <stdio.h>

#include "need.h"
#include "timing.h"

enum { REPEATS = 15, STEPS = 300, POLICIES = 2 };

static const char *const policies[POLICIES] = { "minimal", "conservative" };

typedef struct side {
    slip_device *device;
    model m;
    fleet f;
    double rates[REPEATS]; /* steps a second */
    slip_stats stats;      /* of the last run */
} side;

static void begin(side *s, const char *device, const char *policy, const arm_data *data,
                  const arm_path *path)
{
    setenv("SLIPWAY_SYNC", strcmp(policy, "minimal") == 0 ? "" : policy, 1);
    need(slip_device_open(device, &s->device));
    if (!model_make(&data->robot, path->damping, &s->m) || !fleet_make(1, &s->m, &s->f))
        exit(1);
    need(slip_keep(s->device, s->m.gravity, sizeof s->m.gravity));
    need(slip_keep(s->device, s->m.link, (uint64_t)s->m.links * sizeof *s->m.link));
    need(slip_keep(s->device, s->m.dof, (uint64_t)s->m.nv * sizeof *s->m.dof));
}

static double run(side *s, const arm_path *path)
{
    slip_stream *on = slip_default(s->device);

    fleet_place(&s->f, &s->m, 0, path->qpos, path->qvel, path->tau);
    need(slip_stream_sync(on));
    slip_device_stats_reset(s->device);
    double from = timing_now();
    for (int k = 0; k < STEPS; k++)
        need(fleet_step(on, &s->f, &s->m, path, 1));
    double seconds = timing_now() - from;
    slip_device_stats(s->device, &s->stats);
    return STEPS / seconds;
}

static void check_same(const side *a, const side *b)
{
    size_t q = (size_t)a->m.nq * sizeof(real), v = (size_t)a->m.nv * sizeof(real);

    if (memcmp(a->f.qpos, b->f.qpos, q) == 0 && memcmp(a->f.qvel, b->f.qvel, v) == 0)
        return;
    fprintf(stderr, "the policies end on different states\n");
    exit(1);
}

static void print_side(const char *policy, const side *s, double median)
{
    printf("%-12s  %9.0f steps/s (%.0f .. %.0f)  a step: %.2f host waits, %.2f driver calls, "
           "%.2f us blocked\n",
           policy, median, s->rates[0], s->rates[REPEATS - 1], (double)s->stats.host_waits / STEPS,
           (double)s->stats.driver_calls / STEPS,
           1e-3 * (double)s->stats.host_blocked_ns / STEPS);
}

int main(int argc, char **argv)
{
    const char *device = argc > 1 ? argv[1] : "cuda:0", *robot = argc > 2 ? argv[2] : "panda";
    arm_data *data = arm_data_read(argc > 3 ? argv[3] : ARM_DATA_FOLDER, robot);
    const arm_path *path = data ? arm_data_path(data, "undamped") : NULL;
    static side sides[POLICIES];
    double medians[POLICIES];

    if (!path) {
        fprintf(stderr, "there is no path of %s\n", robot);
        return 1;
    }
    for (int p = 0; p < POLICIES; p++)
        begin(&sides[p], device, policies[p], data, path);
    for (int repeat = -1; repeat < REPEATS; repeat++) {
        for (int p = 0; p < POLICIES; p++) {
            double rate = run(&sides[p], path);
            if (repeat >= 0)
                sides[p].rates[repeat] = rate;
        }
        check_same(&sides[0], &sides[1]);
    }
    for (int p = 0; p < POLICIES; p++) {
        medians[p] = timing_median(sides[p].rates, REPEATS);
        print_side(policies[p], &sides[p], medians[p]);
    }
    printf("%s, f64, N = 1: minimal %.3f x conservative (medians of %d runs of %d steps)\n", robot,
           medians[0] / medians[1], REPEATS, STEPS);
    return 0;
}
