/* SPDX-License-Identifier: Apache-2.0 */
/*
 * whole.h - calls through the whole stack, on a device of a look-alike: one scene for each way in
 * which memory moves and the host waits. Each knows what must come out.
 */
#ifndef SLIPWAY_FAKE_STREAM_WHOLE_H
#define SLIPWAY_FAKE_STREAM_WHOLE_H

#include <slipway/slipway.h>

enum { WHOLE_COUNT = 3000 };

/* What a scene works on: its own, so that scenes may run at once, each on its stream. */
typedef struct whole {
    slip_device *device;
    slip_stream *stream, *other; /* `other`: NULL, or a second one */
    int32_t x[WHOLE_COUNT], a[WHOLE_COUNT], b[WHOLE_COUNT];
    int64_t total;
    int32_t rounds;
    slip_stream *shared;       /* NULL, or over the default stream */
    void *device_x, *device_y; /* NULL, or device memory */
    int32_t *pinned;           /* NULL, or of slip_host_alloc */
    slip_event *event;
    int kept; /* x is */
    int registered;
} whole;

typedef struct whole_scene {
    const char *name;
    slip_status (*call)(whole *w); /* everything from `begin`'s state on */
    int (*right)(const whole *w);  /* after a call that succeeded */
    int one_call;                  /* of a kernel, and nothing else */
    int polls;                     /* the host waits in its midst, for what the device computes */
} whole_scene;

extern const whole_scene whole_scenes[];
extern const int whole_scene_count;

/* Arrays as they are before a call: x[i] is i, outputs a pattern. */
void whole_begin(whole *w);
/* Loads the scenes' module, and does nothing else. */
slip_status whole_load(whole *w);
/* Are outputs of host memory as whole_begin left them? */
int whole_untouched(const whole *w);
/* Gives back what scenes made; not the device and the streams. */
void whole_drop(whole *w);

#endif
