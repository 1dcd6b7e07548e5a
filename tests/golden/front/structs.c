/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

typedef struct {
    f32 x, y;
} vec2;

struct body {
    vec2 at[2];
    struct {
        i32 id, kind;
    };
    bool on;
};

static vec2 add(vec2 a, vec2 b) { return (vec2){ a.x + b.x, .y = a.y + b.y }; }
static void move(struct body *b, vec2 by) { b->at[1] = add(b->at[0], by); }

slip_kernel vec2 f(i32 n, struct body b[n])
{
    slip_for (i, n) {
        struct body own = b[i];
        own.kind++;
        move(&own, (vec2){ 1 });
        move(&b[i], own.at[1]);
        b[i].on = own.id;
    }
    return b[0].at[1];
}
