/* SPDX-License-Identifier: Apache-2.0 */
/*
 * switches.c - switches inside an iteration and around tasks, of every type, nested and in loops.
 */
#include <slipway/kernel.h>

enum shape { POINT, LINE = 3, CIRCLE, BOX = -2 };

/* Fallthrough, default in the middle, several labels, no default, negative labels. */
slip_kernel void switches(i32 n, const i32 x[n], slip_out i32 a[n], slip_out i32 b[n],
                          slip_out i32 c[n])
{
    slip_for (i, n) {
        i32 r = 0;
        switch (x[i] & 7) {
        case 0:
            r = 1;
            break;
        case 1:
        case 2:
            r = 2;
            /* fallthrough */
        default:
            r += 10;
            break;
        case 5:
            r = 5;
            /* fallthrough */
        case 3:
            r += 100;
            /* fallthrough */
        case 4:
            r += 1000;
        }
        a[i] = r;
        r = -1;
        switch (x[i] % 5) {
        case -4:
            r = 40;
            break;
        case -1:
        case 1:
            r = 11;
            break;
        case 4: {
            i32 local = x[i] / 5;
            r = local * 2;
        }
        }
        b[i] = r;
        switch (x[i] & 3) {
        }
        switch (x[i] & 3) {
        default:
            r += 3;
        }
        c[i] = r;
    }
}

#define FALL(k) \
    case k: \
        r = r * 3 + (k); \
        /* fallthrough */
#define FALL8(k) \
    FALL(k) FALL(k + 1) FALL(k + 2) FALL(k + 3) FALL(k + 4) FALL(k + 5) FALL(k + 6) FALL(k + 7)
#define FALL64(k) \
    FALL8(k) FALL8(k + 8) FALL8(k + 16) FALL8(k + 24) FALL8(k + 32) FALL8(k + 40) FALL8(k + 48) \
    FALL8(k + 56)

/* More groups in a row than lie in each other as blocks, with the default among them, ways out of the
 * middle, and `continue`. */
slip_kernel void long_switch(i32 n, const i32 x[n], slip_out u32 out[n], slip_out u32 ends[n])
{
    slip_for (i, n) {
        u32 r = 1;
        ends[i] = 0;
        for (i32 k = 0; k < 3; k++) {
            switch (x[i] & 511) {
                FALL64(0)
                FALL64(64)
                if ((x[i] & 512) != 0)
                    break;
                FALL64(300)
            default:
                r ^= 0x55;
                /* fallthrough */
                FALL64(128)
                if ((x[i] & 1024) != 0)
                    continue;
                FALL8(400)
            case 500:
                r += 7;
                break;
            case 501:
                r += 9;
            }
            ends[i] += r;
        }
        out[i] = r;
    }
}

static u32 by_helper(i32 x)
{
    u32 r = 2;

    switch (x) {
        FALL8(-4)
        if (r > 1000000)
            return r;
        FALL8(20)
    case 50:
        r++;
    }
    return r;
}

/* The same at kernel level, by the host and on the device. */
slip_kernel void long_switch_outside(i32 n, i32 kind, const i32 x[1], u32 out[3])
{
    u32 r = 5;

    switch (kind) {
        FALL8(0)
        FALL8(8)
        slip_for (i, n)
            out[i] += r;
        FALL8(16)
    default:
        slip_for (i, n)
            out[i] ^= r;
        FALL8(30)
    }
    out[1] = r;
    switch (x[0]) {
        FALL8(0)
        FALL8(8)
        r += by_helper(x[0]);
        FALL8(16)
    default:
        r -= 9;
        FALL8(30)
    }
    out[2] = r + by_helper(x[0] - 6) + by_helper(kind);
}

slip_kernel void switch_types(i32 n, const u8 x[n], const i64 y[n], const u32 z[n],
                              slip_out i32 out[n])
{
    slip_for (i, n) {
        enum shape s = x[i] % 3 == 0 ? BOX : x[i] % 3 == 1 ? LINE : CIRCLE;
        i32 r = 0;
        switch (x[i]) {
        case 255:
            r = 1;
            break;
        case 'A':
            r = 2;
            break;
        case 0:
            r = 3;
        }
        switch (y[i]) {
        case 0x100000000:
            r += 10;
            break;
        case 0:
            r += 20;
            break;
        case INT64_MIN:
            r += 30;
            break;
        case -1:
            r += 40;
        }
        switch (z[i]) {
        case 4294967295u:
            r += 100;
            break;
        case 0x80000000:
            r += 200;
        }
        switch (s) {
        case POINT:
            r += 9000;
            break;
        case LINE:
            r += 1000;
            break;
        case CIRCLE:
            r += 2000;
            break;
        case BOX:
            r += 3000;
        }
        out[i] = r;
    }
}

/* break leaves the switch, continue the loop around it; a loop in a case has its own break. */
slip_kernel void switch_in_loops(i32 n, const u32 x[n], slip_out i32 out[n])
{
    slip_for (i, n) {
        u32 v = x[i];
        i32 s = 0;
        for (i32 k = 0; k < 16; ++k, v >>= 2) {
            switch (v & 3) {
            case 0:
                continue;
            case 1:
                s += k;
                break;
            case 2:
                for (i32 j = 0; j < 9; ++j) {
                    if (j == k)
                        break;
                    if (j & 1)
                        continue;
                    s += j;
                }
                /* fallthrough */
            default:
                if (s > 300) {
                    s -= 250;
                    break;
                }
                s *= 2;
            }
            s += 1;
        }
        do {
            switch (s % 3) {
            case 0:
                s -= 1;
                continue;
            case 1:
                s -= 4;
                break;
            default:
                s -= 2;
            }
            s -= 10;
        } while (s > 0);
        out[i] = s;
    }
}

slip_kernel void switch_nested(i32 n, const i32 x[n], slip_out i32 out[n])
{
    slip_for (i, n) {
        i32 r = x[i] & 255;
        switch (r & 3) {
        case 0:
            switch (r >> 2 & 3) {
            case 1:
                r = 1000;
                break;
            default:
                r += 1;
            case 2:
                r += 2;
            }
            r *= 2;
            break;
        case 3:
            if (r & 64)
                break;
            r -= 5;
        case 1:
            r = -r;
        }
        out[i] = r;
    }
}
