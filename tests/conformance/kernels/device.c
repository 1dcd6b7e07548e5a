/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device.c - control flow around tasks that data on the device decides; sections.
 */
#include <slipway/kernel.h>

/* A counter in memory: the body runs until it is zero. */
slip_kernel void count_down(i32 n, i32 counter[1], i32 x[n])
{
    while (counter[0] > 0) {
        slip_for (i, n)
            x[i] += 1;
        slip_for (i, 1)
            counter[0]--;
    }
}

/* Tests last: once also where the counter starts at zero. */
slip_kernel void count_down_after(i32 n, i32 counter[1], i32 x[n])
{
    do {
        slip_for (i, n)
            x[i] += 1;
        counter[0] -= 1;
    } while (counter[0] > 0);
}

slip_kernel void until_nothing_changes(i32 n, i32 x[n], i32 trips[1])
{
    bool changed;
    trips[0] = 0;
    do {
        changed = false;
        slip_for (i, n)
            if (x[i] > 10) {
                x[i] -= x[i] / 2;
                changed = true;
            }
        trips[0]++;
    } while (changed);
}

slip_kernel void nested_device_loops(i32 outer[1], i32 inner[1], i32 n, i32 x[n], i32 y[n])
{
    i32 a = outer[0];
    while (a > 0) {
        i32 b = inner[0];
        slip_for (i, n)
            y[i] += 10;
        while (b > 0) {
            slip_for (i, n)
                x[i] += 1;
            --b;
        }
        --a;
    }
}

/* Two loops one after the other, a task before and one after. */
slip_kernel void sibling_loops(i32 p[1], i32 q[1], i32 n, i32 x[n], i32 y[n])
{
    slip_for (i, n)
        x[i] += 100;
    for (i32 k = p[0]; k > 0; --k)
        slip_for (i, n)
            x[i] += 1;
    for (i32 k = q[0]; k > 0; --k)
        slip_for (i, n)
            y[i] += 2;
    slip_for (i, n)
        x[i] *= 2;
}

/* Field case 53: the bound of the inner loop changes from pass to pass. */
slip_kernel void bound_that_grows(i32 n[1], i32 c[1], i32 out[1])
{
    do {
        i32 most = n[0];
        slip_for (k, most)
            out[0] += 1;
        n[0] += 2;
        c[0] -= 1;
    } while (c[0]);
}

slip_kernel void device_if(i32 n, const i32 flag[2], i32 x[n])
{
    if (flag[0] > 0) {
        slip_for (i, n)
            x[i] += 1;
        if (flag[1] == 7)
            slip_for (i, n)
                x[i] *= 2;
        else
            slip_for (i, n)
                x[i] -= 5;
    } else if (flag[1] > 0) {
        slip_for (i, n)
            x[i] = flag[1];
    }
    slip_for (i, n)
        x[i] += 1000;
}

/* The condition is read once, before the branch changes what it was made of. */
slip_kernel void branch_that_clears_its_flag(i32 n, i32 flag[1], i32 x[n])
{
    if (flag[0]) {
        slip_for (i, 1)
            flag[0] = 0;
        slip_for (i, n)
            x[i] += 1;
    }
}

slip_kernel i32 device_break_and_continue(i32 n, const i32 plan[12], i32 x[n])
{
    i32 rounds = 0;
    for (i32 k = 0; k < 12; ++k) {
        slip_for (i, n)
            x[i] += 1;
        if (plan[k] == 1)
            continue;
        slip_for (i, n)
            x[i] *= 2;
        if (plan[k] == 2)
            break;
        rounds += 1;
        slip_for (i, n)
            x[i] -= rounds;
    }
    slip_for (i, n)
        x[i] ^= 5;
    return rounds;
}

/* break and continue of the inner loop, decided by the device, in a loop of the host. */
slip_kernel void device_break_of_inner_loop(i32 n, i32 rounds, const i32 plan[8], i32 x[n])
{
    for (i32 a = 0; a < rounds; ++a) {
        for (i32 b = 0; b < 8; ++b) {
            if (plan[b] == a)
                break;
            if (plan[b] < 0)
                continue;
            slip_for (i, n)
                x[i] += 1 + b;
        }
        slip_for (i, n)
            x[i] *= 3;
    }
}

slip_kernel i32 device_return(i32 n, const i32 stop[1], i32 x[n])
{
    for (i32 k = 0; k < 6; ++k) {
        slip_for (i, n)
            x[i] += k + 1;
        if (stop[0] == k)
            return k * 10;
        slip_for (i, n)
            x[i] *= 2;
    }
    slip_for (i, n)
        x[i] = -x[i];
    return -1;
}

/* Device variables of the loop itself: a sum decides whether to go on. */
slip_kernel i32 until_the_sum_is_large(i32 n, i64 limit, const i32 x[n], slip_out i64 y[n])
{
    i64 sum = 0;
    i32 rounds = 0;
    slip_for (i, n)
        y[i] = 0;
    while (sum < limit && rounds < 50) {
        slip_for (i, n) {
            sum += x[i] & 15;
            y[i] += x[i] & 3;
        }
        ++rounds;
    }
    return rounds;
}

/* Bisection: which half is next is decided by what the device counted. */
slip_kernel i32 median_by_bisection(i32 n, const i32 x[n])
{
    i32 low = -64, high = 64;
    while (low < high) {
        i32 middle = low + (high - low) / 2, below = 0;
        slip_for (i, n)
            below += x[i] <= middle;
        if (below * 2 >= n)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Breadth first: levels spread until a level is empty. No task reads what it writes. */
slip_kernel i32 spread(i32 h, i32 w, const u8 wall[h][w], i32 level[h][w])
{
    bool near[h][w];
    i32 reached = 1, depth = 0;
    while (reached) {
        reached = 0;
        slip_for2 (r, h, c, w)
            near[r][c] = level[r][c] == -1 && !wall[r][c] &&
                         ((r > 0 && level[r - 1][c] == depth) ||
                          (r < h - 1 && level[r + 1][c] == depth) ||
                          (c > 0 && level[r][c - 1] == depth) ||
                          (c < w - 1 && level[r][c + 1] == depth));
        ++depth;
        slip_for2 (r, h, c, w)
            if (near[r][c]) {
                level[r][c] = depth;
                reached = 1;
            }
    }
    return depth;
}

slip_kernel void sections_of_two(i32 n, i32 x[n], i32 y[n], slip_out i32 z[n])
{
    slip_sections {
        slip_section {
            slip_for (i, n)
                x[i] += 1;
        }
        slip_section {
            slip_for (i, n)
                y[i] *= 2;
        }
    }
    slip_for (i, n)
        z[i] = x[i] + y[i];
}

/* Two dependent tasks in each section: (x + 1) * 2 and (y + 3) * 4. */
slip_kernel void sections_of_chains(i32 n, i32 x[n], i32 y[n])
{
    slip_sections {
        slip_section {
            slip_for (i, n)
                x[i] += 1;
            slip_for (i, n)
                x[i] *= 2;
        }
        slip_section {
            slip_for (i, n)
                y[i] += 3;
            slip_for (i, n)
                y[i] *= 4;
        }
    }
}

/* Each section sums into a variable of its own, of several sizes; one goes on behind its loop. */
slip_kernel void sections_of_sums(i32 n, const i32 x[n], const i32 y[n], i64 out[6])
{
    i32 sum = 1, product = 3;
    i64 mean = -5;
    u8 odd = 0, even = 0;
    u16 flips = 9;

    slip_sections {
        slip_section
            slip_for (i, n)
                sum += x[i];
        slip_section {
            i64 total = 0;
            slip_for (i, n)
                total += y[i];
            mean = total / (n + 1);
        }
        slip_section
            slip_for (i, n)
                odd |= (u8)(y[i] & 0x35);
        slip_section
            slip_for (i, n)
                even |= (u8)(x[i] & 0x4a);
        slip_section
            slip_for (i, n)
                flips ^= (u16)x[i];
        slip_section
            slip_for (i, n)
                product *= y[i] | 1;
    }
    out[0] = sum;
    out[1] = mean;
    out[2] = odd;
    out[3] = even;
    out[4] = flips;
    out[5] = product;
}

/* The same in a loop, and each pass reads what the one before summed. */
slip_kernel i32 sections_of_sums_in_loops(i32 n, i32 steps, const i32 x[n], i32 y[n])
{
    i32 sum = 0, most = 0;

    for (i32 k = 0; k < steps; ++k) {
        slip_sections {
            slip_section
                slip_for (i, n)
                    sum += x[i] + k;
            slip_section
                slip_for (i, n)
                    most ^= y[i];
        }
        slip_for (i, n)
            y[i] += sum ^ most;
    }
    return sum - most;
}

/* Regions back to back, in a loop; sections of one, of serial statements, with loops inside. */
slip_kernel void sections_in_loops(i32 n, i32 steps, i32 x[n], i32 y[n], i32 log[2])
{
    for (i32 k = 0; k < steps; ++k) {
        slip_sections {
            slip_section {
                for (i32 r = 0; r < 3; ++r)
                    slip_for (i, n)
                        x[i] += r;
            }
            slip_section {
                i32 scratch[n];
                slip_for (i, n)
                    scratch[i] = y[n - 1 - i];
                slip_for (i, n)
                    y[i] = scratch[i] + 1;
            }
            slip_section
                log[0] += 1;
        }
        slip_sections {
            slip_section {
                if (k & 1)
                    slip_for (i, n)
                        x[i] ^= y[i];
            }
        }
        slip_sections {
        }
    }
    slip_sections {
        slip_section
            log[1] = log[0] * 5;
    }
}
