/* SPDX-License-Identifier: Apache-2.0 */
/*
 * denormals_of.h - what the kernels of denormals.c call, for numbers of type T and with names by NAMED.
 */
typedef struct NAMED(held) {
    T first, second;
} NAMED(held);

static T NAMED(thrice)(T x)
{
    T sum = (T)-0.0;

    for (i32 k = 0; k < 3; ++k)
        sum += x;
    return sum;
}

static T NAMED(by_array)(T x, i32 k)
{
    T all[4] = { 1, 2, 3, 4 };

    all[k & 3] = x;
    return all[k & 3];
}

static T NAMED(by_struct)(T x)
{
    NAMED(held) held = { 0, 0 }, other;

    held.second = x;
    other = held;
    return other.second;
}

static T NAMED(branched)(T x)
{
    if (x > 130)
        x = 130;
    return x;
}

static T NAMED(looped)(T x, T y)
{
    T most = -1;

    for (i32 k = 0; k < 3; ++k) {
        const T next = k == 0 ? -1 : k == 1 ? x : y;
        if (next > most)
            most = next;
    }
    return most;
}

/* The rows of one number of `out`. */
static void NAMED(put_arithmetic)(i32 i, i32 n, T one, T x, T y, i32 k, T out[][n])
{
    ARITHMETIC(PUT_ROW)
}

static void NAMED(put_choices)(i32 i, i32 n, T x, T y, i32 k, T out[][n])
{
    CHOICES(PUT_CHOICE)
}

static void NAMED(put_functions)(i32 i, i32 n, T x, T y, T out[][n])
{
    FUNCTIONS(PUT_FUNCTION)
}
