/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arm_data.c - reads the text files of data/.
 *
 * The first failure is printed and kept in the reader; everything after it does nothing, so
 * the reading functions are straight lists. It must not trust a count it has read.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm_data.h"

enum { MAX_LINKS = 1000, MAX_ROWS = 100000 };

typedef struct reader {
    const char *path;
    FILE *file;
    int line;
    bool failed;
    char word[64];
} reader;

static void fail(reader *r, const char *expected)
{
    if (!r->failed)
        fprintf(stderr, "%s:%d: expected %s, found '%s'\n", r->path, r->line, expected, r->word);
    r->failed = true;
}

/* The first character that is neither blank nor part of a comment. */
static int skip_blanks(reader *r)
{
    bool comment = false;
    int c = getc(r->file);
    while (c != EOF && (comment || isspace(c) || c == '#')) {
        comment = c == '#' || (comment && c != '\n');
        r->line += c == '\n';
        c = getc(r->file);
    }
    return c;
}

/* The next word, "" at the end of the file. */
static void next_word(reader *r)
{
    size_t length = 0;
    int c = skip_blanks(r);
    for (; c != EOF && !isspace(c); c = getc(r->file))
        if (length + 1 < sizeof r->word)
            r->word[length++] = (char)c;
    r->word[length] = '\0';
    ungetc(c, r->file);
}

static void expect(reader *r, const char *key)
{
    if (r->failed)
        return;
    next_word(r);
    if (strcmp(r->word, key) != 0)
        fail(r, key);
}

static double read_number(reader *r)
{
    if (r->failed)
        return 0;
    next_word(r);
    char *end;
    double value = strtod(r->word, &end);
    if (end == r->word || *end != '\0')
        fail(r, "a number");
    return value;
}

static void read_row(reader *r, const char *key, int count, double *out)
{
    expect(r, key);
    for (int i = 0; i < count; ++i)
        out[i] = read_number(r);
}

static int read_count(reader *r, const char *key, int low, int high)
{
    double value;
    read_row(r, key, 1, &value);
    if (r->failed)
        return low;
    int whole = value >= low && value <= high ? (int)value : low;
    if (whole != value) {
        fail(r, "a whole number in range");
        fprintf(stderr, "  '%s' may be %d to %d\n", key, low, high);
    }
    return whole;
}

static void read_name(reader *r, const char *key, char out[32])
{
    expect(r, key);
    if (r->failed)
        return;
    next_word(r);
    if (strlen(r->word) >= 32)
        fail(r, "a name shorter than 32");
    else
        memcpy(out, r->word, strlen(r->word) + 1);
}

static double *numbers(reader *r, int rows, int columns)
{
    double *p = calloc((size_t)rows * (size_t)columns + 1, sizeof *p);
    if (!p)
        fail(r, "enough memory");
    return p;
}

static int read_joint(reader *r)
{
    static const char *const names[] = { "fixed", "hinge", "slide", "free" };
    char name[32] = "";
    read_name(r, "joint", name);
    for (int j = ARM_FIXED; j <= ARM_FREE; ++j)
        if (strcmp(name, names[j]) == 0)
            return j;
    fail(r, "fixed, hinge, slide or free");
    return ARM_FIXED;
}

/* The last freedom at or above link i, -1 if there is none. */
static int last_freedom(const arm_robot *b, int i)
{
    static const int freedoms[] = { 0, 1, 1, 6 };
    for (; i >= 0; i = b->link[i].parent)
        if (b->link[i].dof >= 0)
            return b->link[i].dof + freedoms[b->link[i].joint] - 1;
    return -1;
}

/* Gives link i its places in qpos and qvel, and adds its freedoms. */
static void add_freedoms(arm_robot *b, int i, double armature, double damping)
{
    struct arm_link_f64 *k = &b->link[i];
    int count = k->joint == ARM_FREE ? 6 : k->joint == ARM_FIXED ? 0 : 1;
    int above = last_freedom(b, k->parent);
    k->qpos = count ? b->nq : -1;
    k->dof = count ? b->nv : -1;
    for (int d = 0; d < count; ++d) {
        b->dof[b->nv] = (struct arm_dof_f64){ i, above, armature, damping };
        above = b->nv++;
    }
    b->nq += k->joint == ARM_FREE ? 7 : count;
}

/* A quaternion, as the rotation matrix of its unit. */
static void read_rotation(reader *r, double out[9])
{
    double q[4] = { 1, 0, 0, 0 };
    read_row(r, "quat", 4, q);
    double w = q[0];
    double x = q[1];
    double y = q[2];
    double z = q[3];
    double s = w * w + x * x + y * y + z * z;
    double m[9] = {
        w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z,
    };
    if (!(s > 0))
        fail(r, "a quaternion that is not zero");
    for (int k = 0; k < 9; ++k)
        out[k] = s > 0 ? m[k] / s : 0;
}

static void read_robot(reader *r, arm_robot *b)
{
    read_name(r, "robot", b->name);
    read_row(r, "gravity", 3, b->gravity);
    b->links = read_count(r, "links", 1, MAX_LINKS);
    b->link = calloc((size_t)b->links, sizeof *b->link);
    b->dof = calloc((size_t)b->links * 6, sizeof *b->dof);
    if (!b->link || !b->dof)
        fail(r, "enough memory");
    for (int i = 0; i < b->links && !r->failed; ++i) {
        struct arm_link_f64 *k = &b->link[i];
        char name[32];
        double armature = 0;
        double damping = 0;
        read_name(r, "link", name);
        k->parent = read_count(r, "parent", -1, i - 1);
        k->joint = read_joint(r);
        if (k->joint == ARM_FREE && k->parent >= 0)
            fail(r, "a free joint on a link of the world only");
        read_row(r, "pos", 3, k->pos);
        read_rotation(r, k->rot);
        read_row(r, "axis", 3, k->axis);
        read_row(r, "joint_pos", 3, k->joint_pos);
        read_row(r, "armature", 1, &armature);
        read_row(r, "damping", 1, &damping);
        read_row(r, "mass", 1, &k->mass);
        read_row(r, "com", 3, k->com);
        read_row(r, "inertia", 6, k->inertia);
        add_freedoms(b, i, armature, damping);
    }
}

static void read_states(reader *r, const arm_robot *b, arm_states *s)
{
    s->count = read_count(r, "states", 1, MAX_ROWS);
    struct {
        const char *key;
        int columns;
        double **at;
    } rows[] = {
        { "qpos", b->nq, &s->qpos },        { "qvel", b->nv, &s->qvel },
        { "tau", b->nv, &s->tau },          { "mass", b->nv * b->nv, &s->mass },
        { "bias", b->nv, &s->bias },        { "qacc", b->nv, &s->qacc },
        { "xpos", b->links * 3, &s->xpos }, { "xmat", b->links * 9, &s->xmat },
    };
    size_t count = sizeof rows / sizeof rows[0];
    for (size_t k = 0; k < count; ++k)
        *rows[k].at = numbers(r, s->count, rows[k].columns);
    for (int i = 0; i < s->count && !r->failed; ++i)
        for (size_t k = 0; k < count; ++k) {
            int columns = rows[k].columns;
            read_row(r, rows[k].key, columns, *rows[k].at + (size_t)i * (size_t)columns);
        }
}

static void read_path(reader *r, const arm_robot *b, arm_path *p)
{
    read_name(r, "path", p->name);
    p->implicit = read_count(r, "implicit", 0, 1);
    read_row(r, "dt", 1, &p->dt);
    p->stride = read_count(r, "stride", 1, MAX_ROWS);
    p->samples = read_count(r, "samples", 2, MAX_ROWS);
    p->damping = numbers(r, 1, b->nv);
    p->tau = numbers(r, 1, b->nv);
    p->qpos = numbers(r, p->samples, b->nq);
    p->qvel = numbers(r, p->samples, b->nv);
    if (r->failed)
        return;
    read_row(r, "damping", b->nv, p->damping);
    read_row(r, "tau", b->nv, p->tau);
    for (int i = 0; i < p->samples && !r->failed; ++i) {
        read_row(r, "qpos", b->nq, p->qpos + (size_t)i * (size_t)b->nq);
        read_row(r, "qvel", b->nv, p->qvel + (size_t)i * (size_t)b->nv);
    }
}

static void read_paths(reader *r, arm_data *d)
{
    d->path_count = read_count(r, "paths", 1, MAX_ROWS);
    d->paths = calloc((size_t)d->path_count, sizeof *d->paths);
    if (!d->paths)
        fail(r, "enough memory");
    for (int i = 0; i < d->path_count && !r->failed; ++i)
        read_path(r, &d->robot, &d->paths[i]);
}

/* Reads one of the three files into d; says whether it was whole. */
static bool read_file(const char *folder, const char *robot, const char *part, arm_data *d)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.%s.txt", folder, robot, part);
    reader r = { .path = path, .file = fopen(path, "r"), .line = 1 };
    if (!r.file) {
        perror(path);
        return false;
    }
    if (part[0] == 'm')
        read_robot(&r, &d->robot);
    else if (part[0] == 's')
        read_states(&r, &d->robot, &d->states);
    else
        read_paths(&r, d);
    expect(&r, "");
    fclose(r.file);
    return !r.failed;
}

arm_data *arm_data_read(const char *folder, const char *robot)
{
    arm_data *d = calloc(1, sizeof *d);
    if (d && read_file(folder, robot, "model", d) && read_file(folder, robot, "states", d) &&
        read_file(folder, robot, "paths", d))
        return d;
    arm_data_free(d);
    return NULL;
}

void arm_data_free(arm_data *d)
{
    if (!d)
        return;
    arm_states *s = &d->states;
    double *arrays[] = { s->qpos, s->qvel, s->tau, s->mass, s->bias, s->qacc, s->xpos, s->xmat };
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; ++k)
        free(arrays[k]);
    for (int i = 0; d->paths && i < d->path_count; ++i) {
        free(d->paths[i].damping);
        free(d->paths[i].tau);
        free(d->paths[i].qpos);
        free(d->paths[i].qvel);
    }
    free(d->paths);
    free(d->robot.link);
    free(d->robot.dof);
    free(d);
}

const arm_path *arm_data_path(const arm_data *data, const char *name)
{
    for (int i = 0; i < data->path_count; ++i)
        if (strcmp(data->paths[i].name, name) == 0)
            return &data->paths[i];
    return NULL;
}
