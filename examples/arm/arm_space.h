/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arm_space.h - vectors, rotations and rigid-body inertias, in the precision `real`.
 *
 * Included by a kernel file after `real` is named. Everything here is a value: nothing
 * reads or writes an array of the kernel but the four get and put functions at the end.
 */
#ifndef ARM_SPACE_H
#define ARM_SPACE_H

/* The innermost extent of every scratch array: this many environments lie side by side. Eight
 * f64 are one cache line, and neighbouring lanes of a GPU read neighbouring words. */
enum { LANES = 8 };

struct vec {
    real x, y, z;
};

/* A rotation by its rows: rotate() turns link coordinates into world coordinates. */
struct rot {
    struct vec x, y, z;
};

/* Motion: angular velocity and the velocity of the body's point at the reference point.
 * Force: the moment about the reference point and the force. Both in world axes. */
struct screw {
    struct vec turn, move;
};

/* The inertia of a body about the reference point: mass, mass times centre, second moments. */
struct inertia {
    real mass;
    struct vec first;
    struct vec diagonal; /* xx yy zz */
    struct vec products; /* yz xz xy */
};

static struct vec vec3(real x, real y, real z)
{
    struct vec v = { x, y, z };
    return v;
}

static struct vec vec_of(const real *p)
{
    return vec3(p[0], p[1], p[2]);
}

static struct vec add(struct vec a, struct vec b)
{
    return vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static struct vec subtract(struct vec a, struct vec b)
{
    return vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static struct vec scale(real s, struct vec a)
{
    return vec3(s * a.x, s * a.y, s * a.z);
}

static real dot(struct vec a, struct vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vec cross(struct vec a, struct vec b)
{
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static struct vec rotate(struct rot r, struct vec v)
{
    return vec3(dot(r.x, v), dot(r.y, v), dot(r.z, v));
}

/* A row of a product: the row `a` times the matrix r. */
static struct vec row_times(struct vec a, struct rot r)
{
    return add(add(scale(a.x, r.x), scale(a.y, r.y)), scale(a.z, r.z));
}

static struct rot rot_times(struct rot a, struct rot b)
{
    struct rot c = { row_times(a.x, b), row_times(a.y, b), row_times(a.z, b) };
    return c;
}

/* The rotation of the quaternion (w, x, y, z), whatever its length. */
static struct rot rot_of_quat(real w, real x, real y, real z)
{
    real s = 2 / (w * w + x * x + y * y + z * z);
    struct rot r = {
        { 1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y) },
        { s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x) },
        { s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y) },
    };
    return r;
}

/* The rotation by `angle` about the unit vector a. About a coordinate axis its entries are
 * sines, cosines, zeros and ones, with no rounding. */
static struct rot rot_about(struct vec a, real angle)
{
    real s = real_sin(angle);
    real c = real_cos(angle);
    real k = 1 - c;
    struct vec d = vec3(a.x * a.x, a.y * a.y, a.z * a.z);
    struct rot r = {
        { d.x + c * (d.y + d.z), k * a.x * a.y - s * a.z, k * a.x * a.z + s * a.y },
        { k * a.x * a.y + s * a.z, d.y + c * (d.x + d.z), k * a.y * a.z - s * a.x },
        { k * a.x * a.z - s * a.y, k * a.y * a.z + s * a.x, d.z + c * (d.x + d.y) },
    };
    return r;
}

static struct screw screw_add(struct screw a, struct screw b)
{
    struct screw c = { add(a.turn, b.turn), add(a.move, b.move) };
    return c;
}

static struct screw screw_scale(real s, struct screw a)
{
    struct screw c = { scale(s, a.turn), scale(s, a.move) };
    return c;
}

/* The power of a force along a motion. */
static real screw_dot(struct screw a, struct screw b)
{
    return dot(a.turn, b.turn) + dot(a.move, b.move);
}

/* The rate of the motion m carried along by the motion v. */
static struct screw cross_motion(struct screw v, struct screw m)
{
    struct screw c = { cross(v.turn, m.turn),
                       add(cross(v.turn, m.move), cross(v.move, m.turn)) };
    return c;
}

/* The rate of the force (or momentum) f carried along by the motion v. */
static struct screw cross_force(struct screw v, struct screw f)
{
    struct screw c = { add(cross(v.turn, f.turn), cross(v.move, f.move)),
                       cross(v.turn, f.move) };
    return c;
}

/* The momentum of a body of inertia b that moves by m. */
static struct screw inertia_times(struct inertia b, struct screw m)
{
    struct vec w = m.turn;
    struct vec j = vec3(b.diagonal.x * w.x + b.products.z * w.y + b.products.y * w.z,
                        b.products.z * w.x + b.diagonal.y * w.y + b.products.x * w.z,
                        b.products.y * w.x + b.products.x * w.y + b.diagonal.z * w.z);
    struct screw c = { add(j, cross(b.first, m.move)),
                       subtract(scale(b.mass, m.move), cross(b.first, w)) };
    return c;
}

/* The inertia of a link about the reference point: r its rotation, c its centre of mass
 * from the reference point, i its inertia about the centre of mass in link axes. */
static struct inertia inertia_at(struct rot r, struct vec c, real mass, const real *i)
{
    struct rot local = { { i[0], i[3], i[4] }, { i[3], i[1], i[5] }, { i[4], i[5], i[2] } };
    struct rot half = rot_times(r, local);
    struct inertia b = {
        mass,
        scale(mass, c),
        { dot(half.x, r.x) + mass * (c.y * c.y + c.z * c.z),
          dot(half.y, r.y) + mass * (c.x * c.x + c.z * c.z),
          dot(half.z, r.z) + mass * (c.x * c.x + c.y * c.y) },
        { dot(half.y, r.z) - mass * c.y * c.z, dot(half.x, r.z) - mass * c.x * c.z,
          dot(half.x, r.y) - mass * c.x * c.y },
    };
    return b;
}

static struct vec get_vec(real x[][LANES], i32 lane)
{
    return vec3(x[0][lane], x[1][lane], x[2][lane]);
}

static void put_vec(real x[][LANES], i32 lane, struct vec v)
{
    x[0][lane] = v.x;
    x[1][lane] = v.y;
    x[2][lane] = v.z;
}

static struct rot get_rot(real x[][LANES], i32 lane)
{
    struct rot r = { get_vec(&x[0], lane), get_vec(&x[3], lane), get_vec(&x[6], lane) };
    return r;
}

static void put_rot(real x[][LANES], i32 lane, struct rot r)
{
    put_vec(&x[0], lane, r.x);
    put_vec(&x[3], lane, r.y);
    put_vec(&x[6], lane, r.z);
}

static struct screw get_screw(real x[][LANES], i32 lane)
{
    struct screw s = { get_vec(&x[0], lane), get_vec(&x[3], lane) };
    return s;
}

static void put_screw(real x[][LANES], i32 lane, struct screw s)
{
    put_vec(&x[0], lane, s.turn);
    put_vec(&x[3], lane, s.move);
}

#endif
