/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - see run.h. References run in a child process, since a trap ends it; arrays are in memory
 * that both share, each between guards.
 */
#define _GNU_SOURCE
#include "generator/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

uint64_t run_repeats = 1;

enum { ROUNDS = 4, GUARD = 64, ALIGN = 64, SIDES = 3, RESULT_BYTES = 64 };
static const int64_t sizes_n[ROUNDS] = { 37, 0, 1, 1100 };
static const int32_t sizes_h[ROUNDS] = { 5, 0, 1, 33 }, sizes_w[ROUNDS] = { 7, 3, 1, 20 };

/* The arguments of one side: [0] slipc, [1] gcc with checks, [2] gcc optimised. */
typedef struct side {
    void *args[GEN_PARAMS];
    uint8_t *result;
    uint8_t *memory;
} side;

typedef struct round_data {
    const gen_program *p;
    int number;
    size_t bytes[GEN_PARAMS], total;
    side sides[SIDES];
} round_data;

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* ---- values ----------------------------------------------------------------------------- */

static double any_float(uint64_t *state)
{
    static const double special[] = { 0.0,      -0.0,   1.0,    -1.0,   INFINITY,     -INFINITY,
                                      NAN,      1e-310, -1e-42, 3.4e38, 2147483648.0, -129.0,
                                      65535.75, 9.3e18, 1e300,  0.5 };
    uint64_t r = next(state);

    if (r % 8 == 0)
        return special[r >> 32 & 15];
    if (r % 8 < 4)
        return (double)(int64_t)(r >> 40 & 63) - 16 + (double)(r >> 50 & 7) / 8;
    return ((double)(r >> 11) / 9007199254740992.0 - 0.5) * ldexp(1.0, (int)(r >> 3 & 63) - 24);
}

static void put_value(void *at, gen_type type, uint64_t *state)
{
    uint64_t r = next(state), small = r >> 32 & 31,
             value = r % 4 == 0   ? next(state)
                     : r % 4 == 1 ? 0 - small
                                  : small;
    double wide = any_float(state);
    float narrow = (float)wide;

    if (type == GEN_bool)
        value = r >> 20 & 1;
    if (type == GEN_f64)
        memcpy(at, &wide, sizeof wide);
    else if (type == GEN_f32)
        memcpy(at, &narrow, sizeof narrow);
    else
        memcpy(at, &value, gen_types[type].bytes);
}

typedef struct filling {
    uint8_t *at;
    uint64_t *state;
} filling;

static void fill_leaf(uint32_t offset, gen_type type, const char *path, void *user)
{
    const filling *f = user;

    (void)path;
    put_value(f->at + offset, type, f->state);
}

static uint32_t element_bytes(const gen_program *p, const gen_param *param)
{
    return param->record == GEN_NO_RECORD ? gen_types[param->type].bytes
                                          : p->records[param->record].bytes;
}

static size_t count_of(const gen_param *param, int round)
{
    const size_t known[] = { (size_t)sizes_n[round], (size_t)sizes_h[round],
                             (size_t)sizes_w[round] };
    size_t count = 1;

    for (uint32_t d = 0; d < param->rank; d++)
        count *= param->sizes[d] == GEN_SIZE_CONST ? param->constants[d] : known[param->sizes[d]];
    return count;
}

static void fill_param(const gen_program *p, const gen_param *param, int round, uint8_t *at,
                       uint64_t *state)
{
    uint32_t each = element_bytes(p, param);
    int64_t size = param->is_size == GEN_SIZE_H   ? sizes_h[round]
                   : param->is_size == GEN_SIZE_W ? sizes_w[round]
                                                  : sizes_n[round];

    if (param->is_small)
        size = round == 0 ? 2 : (int64_t)(next(state) % 4);
    if (param->is_size >= 0 || param->is_small) {
        memcpy(at, &size, each);
        return;
    }
    for (size_t i = 0, count = count_of(param, round); i < count; i++) {
        filling f = { at + i * each, state };
        if (param->record == GEN_NO_RECORD)
            put_value(f.at, param->type, state);
        else
            gen_leaves(p, param->record, fill_leaf, &f);
    }
}

/* ---- sides ------------------------------------------------------------------------------ */

static void fill_side(const round_data *r, side *s)
{
    const gen_program *p = r->p;
    uint64_t state = p->seed * 31 + (uint64_t)r->number;
    size_t at = 0;

    memset(s->memory, 0x6b, r->total);
    for (uint32_t k = 0; k < p->param_count; k++) {
        s->args[k] = s->memory + at + GUARD;
        memset(s->args[k], 0, r->bytes[k]);
        fill_param(p, &p->params[k], r->number, s->args[k], &state);
        at += (r->bytes[k] + 2 * GUARD + ALIGN - 1) / ALIGN * ALIGN;
    }
    s->result = s->memory + at + GUARD;
    memset(s->result, 0, RESULT_BYTES);
}

static bool make_side(round_data *r, side *s)
{
    s->memory = mmap(NULL, r->total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s->memory == MAP_FAILED)
        return false;
    fill_side(r, s);
    return true;
}

static bool make_round(round_data *r)
{
    r->total = RESULT_BYTES + 2 * GUARD;
    for (uint32_t k = 0; k < r->p->param_count; k++) {
        r->bytes[k] = count_of(&r->p->params[k], r->number) * element_bytes(r->p, &r->p->params[k]);
        r->total += (r->bytes[k] + 2 * GUARD + ALIGN - 1) / ALIGN * ALIGN;
    }
    for (int i = 0; i < SIDES; i++)
        if (!make_side(r, &r->sides[i]))
            return false;
    return true;
}

static void drop_round(round_data *r)
{
    for (int i = 0; i < SIDES; i++)
        if (r->sides[i].memory && r->sides[i].memory != MAP_FAILED)
            munmap(r->sides[i].memory, r->total);
}

static bool guards_hold(const round_data *r, const side *s)
{
    for (uint32_t k = 0; k <= r->p->param_count; k++) {
        bool last = k == r->p->param_count;
        const uint8_t *at = last ? s->result : s->args[k],
                      *end = at + (last ? RESULT_BYTES : r->bytes[k]);
        for (int i = 1; i <= GUARD; i++)
            if (at[-i] != 0x6b || (!last && end[i - 1] != 0x6b))
                return false;
    }
    return true;
}

/* ---- comparing -------------------------------------------------------------------------- */

static bool is_nan(const uint8_t *at, gen_type type)
{
    float narrow;
    double wide;

    memcpy(&narrow, at, sizeof narrow);
    memcpy(&wide, at, type == GEN_f64 ? sizeof wide : sizeof narrow);
    return type == GEN_f32 ? isnan(narrow) : type == GEN_f64 && isnan(wide);
}

static void show(FILE *out, const uint8_t *at, gen_type type)
{
    uint64_t bits = 0;
    float narrow;
    double wide;

    memcpy(&bits, at, gen_types[type].bytes);
    memcpy(&narrow, &bits, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    if (gen_types[type].is_float)
        fprintf(out, "%a (%.9g, 0x%" PRIx64 ")", type == GEN_f32 ? (double)narrow : wide,
                type == GEN_f32 ? (double)narrow : wide, bits);
    else
        fprintf(out, "0x%" PRIx64 " (%" PRId64 ")", bits,
                gen_types[type].is_signed ? (int64_t)(bits << (64 - 8 * gen_types[type].bytes)) >>
                                                (64 - 8 * gen_types[type].bytes)
                                          : (int64_t)bits);
}

typedef struct comparing {
    const uint8_t *got, *want;
    const char *name;
    size_t index;
    FILE *out;
    int shown;
} comparing;

static void compare_leaf(uint32_t offset, gen_type type, const char *path, void *user)
{
    comparing *c = user;
    const uint8_t *got = c->got + offset, *want = c->want + offset;

    if (memcmp(got, want, gen_types[type].bytes) == 0 || (is_nan(got, type) && is_nan(want, type)))
        return;
    if (c->out && c->shown < 6) {
        fprintf(c->out, "  %s[%zu]%s of %s is ", c->name, c->index, path, gen_types[type].name);
        show(c->out, got, type);
        fprintf(c->out, ", expected ");
        show(c->out, want, type);
        fprintf(c->out, "\n");
    }
    c->shown++;
}

static int compare(const round_data *r, const side *got, const side *want, FILE *out)
{
    const gen_program *p = r->p;
    int found = 0;

    for (uint32_t k = 0; k < p->param_count; k++) {
        const gen_param *param = &p->params[k];
        uint32_t each = element_bytes(p, param);
        comparing c = { .name = param->name, .out = out };
        if (param->kind != GEN_ARRAY)
            continue;
        for (size_t i = 0; i < r->bytes[k] / each; i++) {
            c.index = i;
            c.got = (const uint8_t *)got->args[k] + i * each;
            c.want = (const uint8_t *)want->args[k] + i * each;
            if (param->record == GEN_NO_RECORD)
                compare_leaf(0, param->type, "", &c);
            else
                gen_leaves(p, param->record, compare_leaf, &c);
        }
        found += c.shown;
    }
    comparing c = { .got = got->result, .want = want->result, .name = "result", .out = out };
    if (p->has_result && p->result_record == GEN_NO_RECORD)
        compare_leaf(0, p->result, "", &c);
    else if (p->has_result)
        gen_leaves(p, p->result_record, compare_leaf, &c);
    return found + c.shown;
}

/* ---- running ---------------------------------------------------------------------------- */

/* Runs the references in a child. Returns its wait status. */
static int run_references(const built *b, round_data *rounds)
{
    fflush(NULL);
    pid_t child = fork();
    int status = -1;

    if (child == 0) {
        alarm(60);
        for (int i = 0; i < ROUNDS; i++) {
            round_data *r = &rounds[i];
            build_find(b->checked, r->p->name)(r->sides[1].args, r->sides[1].result);
            if (b->optimised)
                build_find(b->optimised, r->p->name)(r->sides[2].args, r->sides[2].result);
        }
        _exit(0);
    }
    if (child > 0)
        waitpid(child, &status, 0);
    return status;
}

static slip_status run_device(const built *b, round_data *r, slip_device *device)
{
    const gen_program *p = r->p;
    slip_entry *entry = NULL;
    slip_arg args[GEN_PARAMS];
    uint32_t result = !p->has_result                      ? 0
                      : p->result_record == GEN_NO_RECORD ? gen_types[p->result].bytes
                                                          : p->records[p->result_record].bytes;

    for (uint32_t k = 0; k < p->param_count; k++)
        args[k] = (slip_arg){ r->sides[0].args[k], r->bytes[k] };
    slip_status status = slip_module_find(b->module, p->name, &entry);
    if (status == SLIP_OK)
        status = slip_launch(slip_default(device), entry, args, p->param_count,
                             result ? r->sides[0].result : NULL, result);
    return status;
}

static void show_scalars(const round_data *r, FILE *out)
{
    fprintf(out, "  round %d:", r->number);
    for (uint32_t k = 0; k < r->p->param_count; k++)
        if (r->p->params[k].kind == GEN_SCALAR) {
            fprintf(out, " %s = ", r->p->params[k].name);
            show(out, r->sides[1].args[k], r->p->params[k].type);
        }
    fprintf(out, "\n");
}

static verdict judge(const built *b, round_data *r, slip_device *device, FILE *out)
{
    if (!guards_hold(r, &r->sides[1]) ||
        (b->optimised && compare(r, &r->sides[1], &r->sides[2], out) > 0)) {
        if (out)
            fprintf(out, "%s: gcc's builds differ or write outside (round %d)\n", r->p->name,
                    r->number);
        return UNDEFINED;
    }
    if (run_device(b, r, device) != SLIP_OK) {
        if (out)
            fprintf(out, "%s: the call failed (round %d): %s\n", r->p->name, r->number,
                    slip_last_error()->message);
        return FAILS;
    }
    if (compare(r, &r->sides[0], &r->sides[1], out) > 0) {
        if (out)
            show_scalars(r, out);
        return DIFFERS;
    }
    if (!guards_hold(r, &r->sides[0])) {
        if (out)
            fprintf(out, "%s: the kernel wrote outside an array (round %d)\n", r->p->name,
                    r->number);
        return DIFFERS;
    }
    return AGREES;
}

verdict run_program(const gen_program *program, const built *b, slip_device *device, FILE *out)
{
    round_data rounds[ROUNDS] = { { 0 } };
    verdict found = AGREES;
    bool made = true;

    for (int i = 0; i < ROUNDS; i++) {
        rounds[i] = (round_data){ .p = program, .number = i };
        made = made && make_round(&rounds[i]);
    }
    int status = made ? run_references(b, rounds) : -1;
    if (status != 0) {
        found = UNDEFINED;
        if (out)
            fprintf(out,
                    "%s: the reference ended with status 0x%x: undefined behaviour, or no end\n",
                    program->name, (unsigned)status);
    }
    for (int i = 0; i < ROUNDS && found == AGREES; i++)
        for (uint64_t k = 0; k < run_repeats && found == AGREES; k++) {
            if (k > 0)
                fill_side(&rounds[i], &rounds[i].sides[0]);
            found = judge(b, &rounds[i], device, out);
        }
    for (int i = 0; i < ROUNDS; i++)
        drop_round(&rounds[i]);
    return found;
}
