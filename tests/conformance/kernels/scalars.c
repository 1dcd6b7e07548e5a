/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalars.c - scalars of every width as parameters and results; kernels with nothing to do.
 */
#include <slipway/kernel.h>

slip_kernel void nothing_at_all(void)
{
}

slip_kernel void nothing_to_do(i32 n, f32 k, f32 x[n])
{
    (void)k;
    (void)x;
}

slip_kernel void no_task_one_store(i64 value, i64 x[1])
{
    x[0] = value;
}

slip_kernel i8 give_i8(i8 x)
{
    return x;
}

slip_kernel u8 give_u8(u8 x)
{
    return x;
}

slip_kernel i16 give_i16(i16 x)
{
    return x;
}

slip_kernel u16 give_u16(u16 x)
{
    return x;
}

slip_kernel i32 give_i32(i32 x)
{
    return x;
}

slip_kernel u32 give_u32(u32 x)
{
    return x;
}

slip_kernel i64 give_i64(i64 x)
{
    return x;
}

slip_kernel u64 give_u64(u64 x)
{
    return x;
}

slip_kernel f32 give_f32(f32 x)
{
    return x;
}

slip_kernel f64 give_f64(f64 x)
{
    return x;
}

slip_kernel bool give_bool(bool x)
{
    return !x;
}

slip_kernel size_t give_size(size_t x)
{
    return x + 1;
}

/* The spellings that C has beside the short ones. */
slip_kernel long give_long(char a, signed char b, unsigned char c, short d, unsigned short e,
                           int f, unsigned g, long h, unsigned long i, long long j,
                           unsigned long long k)
{
    return (long)a + b + c + d + e + f + (long)g + h + (long)i + (long)j + (long)k;
}

/* Each parameter is seen inside a task with its own width and sign. */
slip_kernel void see_integers(i8 a, u8 b, i16 c, u16 d, i32 e, u32 f, i64 g, u64 h,
                              slip_out i64 as_signed[8], slip_out u64 as_unsigned[8])
{
    slip_for (i, 8) {
        i64 s = 0;
        u64 u = 0;
        switch (i) {
        case 0:
            s = a;
            u = (u64)a;
            break;
        case 1:
            s = b;
            u = b;
            break;
        case 2:
            s = c;
            u = (u64)c;
            break;
        case 3:
            s = d;
            u = d;
            break;
        case 4:
            s = e;
            u = (u64)e;
            break;
        case 5:
            s = f;
            u = f;
            break;
        case 6:
            s = g;
            u = (u64)g;
            break;
        default:
            s = (i64)h;
            u = h;
        }
        as_signed[i] = s;
        as_unsigned[i] = u;
    }
}

slip_kernel void see_floats(f32 a, f64 b, bool yes, bool no, slip_out f64 numbers[2],
                            slip_out bool truths[2])
{
    slip_for (i, 2) {
        numbers[i] = i ? b : (f64)a;
        truths[i] = i ? no : yes;
    }
}

/* A parameter is a variable of the kernel: assigning it changes nothing for the caller. */
slip_kernel i32 parameter_is_a_variable(i32 n, i32 step, i32 x[n])
{
    const i32 all = n;
    i32 rounds = 0;
    while (step > 0) {
        slip_for (i, all)
            x[i] += step;
        step -= 2;
        ++rounds;
    }
    return rounds * 100 + step;
}

slip_kernel f64 mixed_expression(i8 a, u16 b, i64 c, f32 d, f64 e)
{
    return a * b + (f64)c * d - e / (d + 3);
}

slip_kernel bool compare_mixed(i32 a, u32 b, f32 c)
{
    return (u32)a < b && c > 0;
}
