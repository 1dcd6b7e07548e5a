/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access_keys.c - does an address determine the iteration that uses it?
 *
 * A digit names an axis when it is that index times a constant plus uniform values; i / L and i % L
 * in two digits name it together; and several indices in one digit name their axes when each factor
 * equals the range of what is below it (row * m + col). Digits with other values name nothing.
 */
#include <string.h>

#include "ir/access.h"

bool access_uniform(const access_task *t, const ir_op *op, int depth)
{
    if (op->code == IR_param)
        return op->index >= t->task->rank && op->type->kind == IR_SCALAR;
    if (op->code == IR_const)
        return true;
    if (op->code == IR_load && op->in[0]->type->space != IR_GLOBAL &&
        op->in[0]->type->space != IR_LOCAL)
        return op->in[0]->code != IR_index || access_uniform(t, op->in[0]->in[1], 8);
    if (depth == 0 || !(op->code < (ir_code)SCALAR_OP_COUNT))
        return false;
    for (uint32_t i = 0; i < op->in_count; i++)
        if (!access_uniform(t, op->in[i], depth - 1))
            return false;
    return true;
}

static ir_op *narrow(ir_op *op)
{
    while (op->code == IR_convert && scalar_types[op->in[0]->type->scalar].is_integer &&
           scalar_types[op->type->scalar].bytes >= scalar_types[op->in[0]->type->scalar].bytes)
        op = op->in[0];
    return op;
}

/* An index under a one-to-one change of its own type: i - lo, i ^ 1, -i. */
static ir_op *plain_index(const access_task *t, ir_op *op)
{
    op = narrow(op);
    while (op->code == IR_add || op->code == IR_sub || op->code == IR_xor || op->code == IR_neg) {
        bool right = op->in_count == 2 && !access_uniform(t, op->in[1], 8);
        if (op->in_count == 2 && !access_uniform(t, op->in[!right], 8))
            break;
        op = narrow(op->in[right]);
    }
    return op;
}

/* What one digit says about the iteration. */
typedef struct key_part {
    uint32_t axes;     /* bit set: named by this digit alone */
    const ir_op *half; /* div or rem of an index by a uniform value, standing alone */
    uint32_t half_axis;
} key_part;

static bool is_half(const access_task *t, const ir_op *op, uint32_t *axis)
{
    if (op->code != IR_div && op->code != IR_rem)
        return false;
    const ir_op *index = narrow(op->in[0]);
    *axis = index->index;
    return access_is_index(t, index) && access_uniform(t, op->in[1], 8);
}

/* Upper bound (exclusive) of an index that starts at 0, as a product; factor 0: not known. */
static access_product range_of(const access_task *t, const ir_op *index)
{
    const mod_axis *axis = &t->task->axes[index->index];

    if (axis->lo == MOD_NONE || axis->hi == MOD_NONE)
        return (access_product){ 0 };
    for (uint32_t i = 0; i < t->entry->const_count; i++)
        if (t->entry->consts[i].slot == axis->lo && t->entry->consts[i].bits == 0)
            return access_slot_product(t, axis->hi, 8);
    return (access_product){ 0 };
}

/* Exclusive upper bound of a value that is never negative; factor 0: none is known. */
static access_product bound_of(const access_task *t, ir_op *atom)
{
    ir_op *op = narrow(atom);

    if (access_is_index(t, op))
        return range_of(t, op);
    if (op->code == IR_rem && op->in[1]->code == IR_const &&
        access_is_index(t, narrow(op->in[0])) && range_of(t, narrow(op->in[0])).factor)
        return (access_product){ .factor = (int64_t)op->in[1]->bits };
    if (op->code == IR_and && op->in[1]->code == IR_const && (int64_t)op->in[1]->bits >= 0)
        return (access_product){ .factor = (int64_t)op->in[1]->bits + 1 };
    return access_loop_bound(t, op);
}

/* Is a >= b, for products that hold the same symbols? */
static bool reaches(const access_product *a, const access_product *b)
{
    if (!a->factor || !b->factor || a->count != b->count ||
        memcmp(a->symbols, b->symbols, a->count * sizeof *a->symbols) != 0)
        return false;
    return a->factor >= b->factor && a->factor > 0 && b->factor > 0;
}

/* Indices of one digit, smallest factor first: each factor must reach what is below it. */
static uint32_t radix_axes(const access_task *t, const access_digit *digit)
{
    bool used[ACCESS_TERMS] = { 0 };
    access_product below = { .factor = 1 };
    uint32_t axes = 0, left = 0;

    for (uint32_t i = 0; i < digit->count; i++) {
        used[i] = access_uniform(t, digit->terms[i].atom, 8);
        left += !used[i];
    }
    while (left) {
        uint32_t at = digit->count;
        for (uint32_t i = 0; i < digit->count; i++)
            if (!used[i] && reaches(&digit->terms[i].factor, &below) &&
                (at == digit->count || reaches(&digit->terms[at].factor, &digit->terms[i].factor)))
                at = i;
        if (at == digit->count)
            return 0;
        const access_term *term = &digit->terms[at];
        ir_op *op = narrow(term->atom);
        bool index = access_is_index(t, op);
        used[at] = true;
        if (index)
            axes |= UINT32_C(1) << op->index;
        if (--left == 0 && index)
            return axes;
        access_product range = bound_of(t, term->atom);
        if (!range.factor)
            return 0;
        below = access_times(term->factor, range);
    }
    return axes;
}

/* `nonzero`: uniform factors are taken not to be 0, and the values of updates to differ. */
static key_part read_digit(const access_task *t, const access_digit *digit, bool nonzero)
{
    key_part part = { 0 };
    const access_term *moving = NULL;
    uint32_t moves = 0;

    for (uint32_t i = 0; i < digit->count; i++)
        if (!access_uniform(t, digit->terms[i].atom, 8)) {
            moving = &digit->terms[i];
            moves++;
        }
    if (moves == 1 && (moving->factor.count == 0 || nonzero)) {
        ir_op *op = narrow(moving->atom), *index = plain_index(t, op);
        if (access_is_index(t, index))
            part.axes = UINT32_C(1) << index->index;
        else if (nonzero && (op->code == IR_update || op->code == IR_atomic))
            part.axes = (UINT32_C(1) << t->task->rank) - 1; /* out[count[0]++]: each gets its own */
        else if (is_half(t, op, &part.half_axis))
            part.half = op;
    } else if (moves > 1) {
        part.axes = radix_axes(t, digit);
    }
    return part;
}

static bool halves_meet(const key_part *parts, uint32_t rank, uint32_t d)
{
    for (uint32_t k = 0; k < rank; k++)
        if (parts[d].half && parts[k].half && parts[k].half->code != parts[d].half->code &&
            parts[k].half_axis == parts[d].half_axis &&
            access_same_value(parts[k].half->in[1], parts[d].half->in[1], 8))
            return true;
    return false;
}

/* Which digits make the key (bit set); 0: no key. */
static uint32_t key_digits(const access_task *t, const access_at *a, bool nonzero)
{
    key_part parts[ACCESS_DIGITS];
    uint32_t axes = 0, digits = 0;

    if (!a->form.known || t->task->rank == 0)
        return 0;
    for (uint32_t d = 0; d < a->form.rank; d++)
        parts[d] = read_digit(t, &a->form.digits[d], nonzero);
    for (uint32_t d = 0; d < a->form.rank; d++) {
        uint32_t named = parts[d].axes;
        if (halves_meet(parts, a->form.rank, d))
            named |= UINT32_C(1) << parts[d].half_axis;
        axes |= named;
        if (named)
            digits |= UINT32_C(1) << d;
    }
    return axes == (UINT32_C(1) << t->task->rank) - 1 ? digits : 0;
}

bool access_names_iteration(const access_task *t, ir_op *value)
{
    access_at at = { 0 };

    access_form_of_value(t, value, &at.form);
    return key_digits(t, &at, false) != 0;
}

static bool same_term(const access_term *a, const access_term *b)
{
    return access_same_product(&a->factor, &b->factor) &&
           access_same_value(narrow(a->atom), narrow(b->atom), 12);
}

/* Sums of the same terms, in any order. */
static bool same_terms(const access_digit *a, const access_digit *b)
{
    bool used[ACCESS_TERMS] = { 0 };

    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t k = 0;
        while (k < b->count && (used[k] || !same_term(&a->terms[i], &b->terms[k])))
            k++;
        if (k == b->count)
            return false;
        used[k] = true;
    }
    return true;
}

static bool same_digit(const access_digit *a, const access_digit *b)
{
    return a->constant == b->constant && same_terms(a, b);
}

/* Is the digit `a` what `b` is in another iteration: one index times a factor that divides the difference,
 * and as far away as that index goes? */
static bool next_to(const access_task *t, const access_digit *a, const access_digit *b)
{
    const access_term *moving = NULL;
    int64_t apart;

    for (uint32_t i = 0; i < b->count; i++) {
        if (access_uniform(t, b->terms[i].atom, 8))
            continue;
        if (moving)
            return false;
        moving = &b->terms[i];
    }
    if (!moving || moving->factor.count || !access_is_index(t, narrow(moving->atom)) ||
        __builtin_sub_overflow(a->constant, b->constant, &apart) || apart < -INT32_MAX ||
        apart > INT32_MAX || apart % moving->factor.factor)
        return false;
    access_product range = range_of(t, narrow(moving->atom));
    apart /= moving->factor.factor;
    return !range.factor || range.count || (apart < range.factor && -apart < range.factor);
}

bool access_next_to(const access_task *t, const access_at *a, const access_at *b)
{
    bool moved = false;

    if (!a->root || a->root != b->root || !b->keyed || !a->form.known || a->form.rank != b->form.rank ||
        a->form.unit != b->form.unit || a->form.path != b->form.path)
        return false;
    for (uint32_t d = 0; d < a->form.rank; d++) {
        const access_digit *x = &a->form.digits[d], *y = &b->form.digits[d];
        if (!access_same_product(&a->form.strides[d], &b->form.strides[d]) || !same_terms(x, y))
            return false;
        if (x->constant == y->constant)
            continue;
        if (!next_to(t, x, y))
            return false;
        moved = true;
    }
    return moved;
}

bool access_same_form(const access_form *a, const access_form *b)
{
    if (!a->known || !b->known || a->rank != b->rank || a->unit != b->unit || a->path != b->path)
        return false;
    for (uint32_t d = 0; d < a->rank; d++)
        if (!same_digit(&a->digits[d], &b->digits[d]) ||
            !access_same_product(&a->strides[d], &b->strides[d]))
            return false;
    return true;
}

/* The largest constant factor of an index in the digit, where all below it is a constant or has a
 * bound: the digit without what lies below the index. */
static bool split_digit(const access_task *t, const access_digit *digit, access_digit *high)
{
    int64_t top = 0;

    *high = (access_digit){ 0 };
    for (uint32_t i = 0; i < digit->count; i++)
        if (digit->terms[i].factor.count)
            return false;
    for (uint32_t i = 0; i < digit->count; i++)
        if (access_is_index(t, narrow(digit->terms[i].atom)) && digit->terms[i].factor.factor > top)
            top = digit->terms[i].factor.factor;
    if (top <= 1 || digit->constant < 0)
        return false;
    int64_t below = digit->constant % top;
    for (uint32_t i = 0; i < digit->count; i++) {
        const access_term *term = &digit->terms[i];
        if (term->factor.factor % top == 0) {
            high->terms[high->count++] = *term;
            continue;
        }
        access_product range = bound_of(t, term->atom);
        if (!range.factor || range.count || term->factor.factor < 0)
            return false;
        below += term->factor.factor * (range.factor - 1);
    }
    high->constant = digit->constant / top;
    return below < top;
}

/* Do the digits of both keys say the same? Then equal addresses mean equal iterations. */
static bool same_key(const access_task *t, const access_at *a, const access_at *b, uint32_t digits)
{
    for (uint32_t d = 0; d < a->form.rank; d++) {
        access_digit x, y;
        if (!(digits >> d & 1) || same_digit(&a->form.digits[d], &b->form.digits[d]))
            continue;
        if (!split_digit(t, &a->form.digits[d], &x) || !split_digit(t, &b->form.digits[d], &y) ||
            !same_digit(&x, &y))
            return false;
    }
    return true;
}

/* Bytes that differ in every element: two members of a struct. */
static bool apart_in_element(const access_at *a, const access_at *b)
{
    uint64_t a_bytes = a->ptr->type->elem->size, b_bytes = b->ptr->type->elem->size;

    return a->root == b->root && a->form.known && b->form.known &&
           (a->form.path + a_bytes <= b->form.path || b->form.path + b_bytes <= a->form.path);
}

void access_prove(access_task *t)
{
    uint32_t *keys = arena_new(t->m->arena, (t->count + 1) * sizeof *keys);

    for (uint32_t i = 0; i < t->count; i++) {
        keys[i] = key_digits(t, &t->at[i], false);
        t->at[i].likely = keys[i] || key_digits(t, &t->at[i], true);
        t->at[i].keyed = keys[i] != 0;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        access_at *a = &t->at[i];
        a->only = a->keyed;
        for (uint32_t k = 0; a->only && k < t->count; k++) {
            const access_at *b = &t->at[k];
            if (k == i || !access_overlap(t, a, b) || apart_in_element(a, b) ||
                (a->kind == ACCESS_READ && b->kind == ACCESS_READ))
                continue;
            a->only = keys[k] == keys[i] && a->root == b->root && same_key(t, a, b, keys[i]);
        }
    }
}
