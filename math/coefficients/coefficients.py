#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Computes the polynomials of math/ and prints math/polynomials.h. Needs mpmath.

Each is the minimax polynomial of a function of z on an interval, by Remez's exchange; `weight` turns
its error into the relative error of what the library computes from it. Coefficients are rounded to
the type, lowest first, and the rest is fitted again after each of the first, so that rounding costs
next to nothing. The comment beside each gives the error that is left, as a power of two.
"""
import sys
from mpmath import mp, mpf, matrix, lu_solve, log, sqrt, sin, cos, exp, atan, asin, sinh, cosh, cbrt, pi, \
    frexp, ldexp, fabs, nint

mp.prec = 200
GRID = 240
REFITTED = 3


def round_to(value, bits):
    if value == 0:
        return mpf(0)
    m, e = frexp(value)
    return ldexp(nint(ldexp(m, bits)), e - bits)


def solve(points, target, weight, first, count):
    """c[first..first+count-1] and the levelled error at count + 1 points."""
    n = count + 1
    a, b = matrix(n, n), matrix(n, 1)
    for i, z in enumerate(points):
        for k in range(count):
            a[i, k] = z ** (first + k)
        w = weight(z)
        a[i, count] = (-1) ** i / w if w else mpf(0)
        b[i] = target(z)
    x = lu_solve(a, b)
    return [x[k] for k in range(count)]


def value_of(c, first, z):
    s = mpf(0)
    for x in reversed(c):
        s = s * z + x
    return s * z ** first


def remez(target, weight, lo, hi, first, count):
    n = count + 1
    points = [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    grid = [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * (2 * i + 1) / (2 * GRID)) for i in range(GRID)]
    values = [(z, target(z), weight(z)) for z in grid]
    best = None
    for _ in range(12):
        c = solve(points, target, weight, first, count)
        errors = [(value_of(c, first, z) - t) * w for z, t, w in values]
        top = max(fabs(e) for e in errors)
        if best is None or top < best[0]:
            best = (top, c)
        peaks = []  # one per run of one sign: its largest
        for i, e in enumerate(errors):
            if peaks and (errors[peaks[-1]] > 0) == (e > 0):
                if fabs(e) > fabs(errors[peaks[-1]]):
                    peaks[-1] = i
            else:
                peaks.append(i)
        while len(peaks) > n:
            peaks.pop(0 if fabs(errors[peaks[0]]) < fabs(errors[peaks[-1]]) else -1)
        if len(peaks) < n:
            break
        points = [grid[i] for i in peaks]
        if top < min(fabs(errors[i]) for i in peaks) * mpf('1.01'):
            break
    return best


def fit(target, weight, lo, hi, degree, bits, refitted):
    c = []
    while len(c) < degree + 1:
        k = len(c)
        rest = lambda z: target(z) - value_of(c, 0, z)
        _, found = remez(rest, weight, lo, hi, k, degree + 1 - k)
        c += [round_to(x, bits) for x in (found[:1] if k < refitted else found)]
    steps = [lo + (hi - lo) * i / 1000 for i in range(1001)]
    worst = max(fabs((value_of(c, 0, z) - target(z)) * weight(z)) for z in steps)
    return c, worst


def hexadecimal(value, f32):
    text = float(value).hex()
    head, tail = text.split('p')
    head = head.rstrip('0').rstrip('.') if '.' in head else head
    return head + 'p' + tail + ('f' if f32 else '')


def horner(c, z):
    text = c[-1]
    for x in reversed(c[:-1]):
        text = '%s + %s * (%s)' % (x, z, text) if ' ' in text else '%s + %s * %s' % (x, z, text)
    return text


def wrap(text, width=92):
    lines, line = [], ''
    for word in text.split(' '):
        if len(line) + len(word) + 1 > width:
            lines.append(line)
            line = ''
        line += (' ' if line else '') + word
    return '\n           '.join(lines + [line])


def emit(name, what, target, weight, lo, hi, degrees, refitted=REFITTED):
    for f32 in (True, False):
        degree = degrees[0 if f32 else 1]
        if degree is None:
            continue
        bits, kind = (24, 'f32') if f32 else (53, 'f64')
        c, worst = fit(target, weight, mpf(lo), mpf(hi), degree, bits, refitted)
        text = [hexadecimal(x, f32) for x in c]
        print('\n/* %s: 2^%.1f */' % (what, float(log(worst, 2))))
        print('static inline %s %s_%s(%s z)\n{' % (kind, name, kind, kind))
        if degree >= 5:  # two chains at once
            print('    const %s zz = z * z;\n' % kind)
            print('    return %s +' % wrap(horner(text[0::2], 'zz')))
            print('           z * (%s);' % wrap(horner(text[1::2], 'zz')))
        else:
            print('    return %s;' % wrap(horner(text, 'z')))
        print('}')
        print(name, kind, degree, float(log(worst, 2)), file=sys.stderr)


def small(f, series):
    """f away from 0, its series at 0."""
    return lambda z: f(z) if z > mpf(10) ** -12 or z < -mpf(10) ** -12 else series(z)


one = lambda z: mpf(1)
quarter = (pi / 4) ** 2 * mpf('1.0002')
half_ln2 = (log(2) / 2) * mpf('1.0005')
slope = (sqrt(mpf(2)) - 1) * mpf('1.0001')

print('''/* SPDX-License-Identifier: Apache-2.0 */
/*
 * polynomials.h - minimax polynomials. Made by math/coefficients/coefficients.py, which says what
 * they are; change it, not this file. The power of two is the largest relative error that each
 * leaves in the function named.
 */
#ifndef SLIP_MATH_POLYNOMIALS_H
#define SLIP_MATH_POLYNOMIALS_H

#include <slipway/kernel.h>''')

emit('sin_poly', '(sin r - r) / r^3 of z = r^2, to pi/4',
     small(lambda z: (sin(sqrt(z)) - sqrt(z)) / (z * sqrt(z)), lambda z: -mpf(1) / 6 + z / 120),
     lambda z: z, 0, quarter, (3, 6))
emit('cos_poly', '(cos r - 1 + r^2 / 2) / r^4 of z = r^2, to pi/4',
     small(lambda z: (cos(sqrt(z)) - 1 + z / 2) / (z * z), lambda z: mpf(1) / 24 - z / 720),
     lambda z: z * z, 0, quarter, (2, 6))
emit('sinh_poly', '(sinh r - r) / r^3 of z = r^2, to ln 2 / 2',
     small(lambda z: (sinh(sqrt(z)) - sqrt(z)) / (z * sqrt(z)), lambda z: mpf(1) / 6 + z / 120),
     lambda z: z, 0, half_ln2 ** 2, (2, 5))
emit('cosh_poly', '(cosh r - 1) / r^2 of z = r^2, to ln 2 / 2',
     small(lambda z: (cosh(sqrt(z)) - 1) / z, lambda z: mpf(1) / 2 + z / 24),
     lambda z: z, 0, half_ln2 ** 2, (2, 5))
emit('exp2_poly', '(2^r - 1 - r ln 2) / r^2 of z = r, from -1/2 to 1/2',
     small(lambda z: (exp(z * log(2)) - 1 - z * log(2)) / (z * z),
           lambda z: log(2) ** 2 / 2 + z * log(2) ** 3 / 6),
     lambda z: z * z + mpf('1e-3'), mpf('-0.5001'), mpf('0.5001'), (5, 10), 0)
emit('atan_poly', '(atan t - t) / t^3 of z = t^2, to tan pi/8',
     small(lambda z: (atan(sqrt(z)) - sqrt(z)) / (z * sqrt(z)), lambda z: -mpf(1) / 3 + z / 5),
     lambda z: z, 0, slope ** 2, (4, 11))
emit('asin_poly', '(asin t - t) / t^3 of z = t^2, to 1/2',
     small(lambda z: (asin(sqrt(z)) - sqrt(z)) / (z * sqrt(z)), lambda z: mpf(1) / 6 + z * 3 / 40),
     lambda z: z, 0, mpf('0.2501'), (5, 12))
root = sqrt(mpf(2))
s_max = ((root - 1) / (root + 1)) ** 2 * mpf('1.0002')
emit('log_poly', '(ln(1 + f) - f + f^2 / 2) / f^3 of z = f, from sqrt(1/2) - 1 to sqrt 2 - 1',
     small(lambda z: (log(1 + z) - z + z * z / 2) / z ** 3, lambda z: mpf(1) / 3 - z / 4),
     lambda z: z * z, sqrt(mpf(1) / 2) - mpf('1.0001'), root - mpf('0.9999'), (8, None))
emit('atanh_poly', '(2 atanh s / s - 2) / s^2 of z = s^2, s = f / (2 + f) with f as for log',
     small(lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) / sqrt(z) - 2) / z,
           lambda z: mpf(2) / 3 + z * 2 / 5),
     lambda z: z / 2, 0, s_max, (None, 7))
emit('log2_tail_poly', '(2 atanh s / s - 2 - 2 s^2 / 3) / (s^4 ln 2) of z = s^2, for pow',
     small(lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) / sqrt(z) - 2 - 2 * z / 3) / (z * z) / log(2),
           lambda z: (mpf(2) / 5 + z * 2 / 7) / log(2)),
     lambda z: z * z / 2 * log(2), 0, s_max, (3, 8))
emit('cbrt_poly', 'cube root of z, from 1 to 2',
     lambda z: cbrt(z), lambda z: 1 / cbrt(z), 1, 2, (3, 4))
emit('inverse_root_poly', '1 / sqrt z, from 1 to 4: where the iteration starts', lambda z: 1 / sqrt(z),
     lambda z: sqrt(z), 1, 4, (2, 2))
emit('inverse_poly', '1 / z, from 1 to 2: where the iteration starts', lambda z: 1 / z,
     lambda z: z, 1, 2, (2, 2))
print('\n#endif')
