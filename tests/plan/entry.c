/* SPDX-License-Identifier: Apache-2.0 */
/* entry.c - see entry.h. */
#include "plan/entry.h"

#include <ctype.h>
#include <string.h>

#include "support/check.h"

enum { MOST = 512 };

typedef struct reader {
    mem_arena *arena;
    const char *at;
    char word[64];
    mod_entry *entry;
    mod_param *params;
    mod_scratch *scratch;
    mod_node *nodes;
    mod_task *tasks;
} reader;

static bool next_word(reader *r)
{
    size_t n = 0;

    while (isspace((unsigned char)*r->at))
        r->at++;
    while (*r->at && !isspace((unsigned char)*r->at) && n + 1 < sizeof r->word)
        r->word[n++] = *r->at++;
    r->word[n] = 0;
    return n > 0;
}

static bool is_word(const reader *r, const char *word)
{
    return strcmp(r->word, word) == 0;
}

static uint32_t flags_of(const char *letters)
{
    uint32_t flags = 0;

    for (; *letters; letters++) {
        switch (*letters) {
        case 'r':
            flags |= MOD_READ;
            break;
        case 'w':
            flags |= MOD_WRITE;
            break;
        case 'u':
            flags |= MOD_READ | MOD_WRITE | MOD_UPDATE;
            break;
        case 'c':
            flags |= MOD_WRITE | MOD_COVERS;
            break;
        case 's':
            flags |= MOD_SINGLE;
            break;
        case 'k':
        case 'o':
            break;
        default:
            CHECK_FAIL("unknown access `%c`", *letters);
        }
    }
    return flags;
}

static void read_params(reader *r)
{
    while (next_word(r) && !is_word(r, "|")) {
        char *colon = strchr(r->word, ':');
        if (is_word(r, "result")) {
            r->entry->result =
                (mod_result){ .kind = MOD_SCALAR_RESULT, .scalar = SCALAR_f32, .bytes = 4 };
            r->entry->cells_bytes = 8;
            continue;
        }
        CHECK(colon != NULL);
        mod_param *p = &r->params[r->entry->param_count++];
        p->name = arena_copy(r->arena, r->word, (size_t)(colon - r->word));
        p->kind = MOD_ARRAY;
        p->scalar = SCALAR_f32;
        p->bytes = p->align = 4;
        p->access = flags_of(colon + 1);
        p->is_const = strchr(colon, 'k') != NULL;
        p->is_out = strchr(colon, 'o') != NULL;
    }
}

static uint32_t add_node(reader *r, mod_node_kind kind)
{
    mod_node *n = &r->nodes[r->entry->node_count];

    CHECK(r->entry->node_count < MOST);
    n->kind = kind;
    n->cond = n->other = MOD_NONE;
    n->end = r->entry->node_count + 1;
    return r->entry->node_count++;
}

/* The array number of a name; a new name is a scratch array, taken here. */
static uint32_t array_named(reader *r, const char *name, size_t length)
{
    for (uint32_t p = 0; p < r->entry->param_count; p++)
        if (strlen(r->params[p].name) == length && memcmp(r->params[p].name, name, length) == 0)
            return p;
    for (uint32_t s = 0; s < r->entry->scratch_count; s++)
        if (strlen(r->scratch[s].name) == length && memcmp(r->scratch[s].name, name, length) == 0)
            return r->entry->param_count + s;
    uint32_t index = r->entry->scratch_count++;
    r->scratch[index].name = arena_copy(r->arena, name, length);
    r->scratch[index].bytes = r->scratch[index].align = 4;
    uint32_t node = add_node(r, MOD_TAKE);
    r->nodes[node].first = index;
    return r->entry->param_count + index;
}

static void read_task(reader *r)
{
    mod_task *t = &r->tasks[r->entry->task_count];
    mod_access *accesses = arena_new(r->arena, 64 * sizeof *accesses);
    const char *name = arena_text(r->arena, "%s", r->word);

    CHECK(r->entry->task_count < MOST);
    for (;;) {
        const char *before = r->at;
        char *sign;
        if (!next_word(r) || !(sign = strchr(r->word, '='))) {
            r->at = before;
            break;
        }
        if (strcmp(r->word, "bounds=cells") == 0) {
            static const mod_reduce sum = { SCALAR_OP_add, SCALAR_f32, 0 };
            t->rank = t->reduce_count = 1;
            t->reduces = &sum;
            t->axes[0] = (mod_axis){ SCALAR_i32, MOD_NONE, MOD_NONE, 0, 4 };
            if (r->entry->cells_bytes < 8)
                r->entry->cells_bytes = 8;
            continue;
        }
        bool cells = strncmp(r->word, "cells=", 6) == 0;
        bool cell = strncmp(r->word, "cell", 4) == 0 && isdigit((unsigned char)r->word[4]);
        mod_access *a = &accesses[t->access_count++];
        a->flags = flags_of(sign + 1);
        if (cell) {
            a->first = 4 * (uint32_t)(r->word[4] - '0');
            a->bytes = 4;
        }
        a->array = cells || cell ? MOD_NONE : array_named(r, r->word, (size_t)(sign - r->word));
        if ((cells || cell) && r->entry->cells_bytes < a->first + 8)
            r->entry->cells_bytes = a->first + 8;
    }
    t->name = name;
    t->accesses = accesses;
    t->predicate = MOD_NONE;
    uint32_t node = add_node(r, MOD_TASK);
    r->nodes[node].first = r->entry->task_count++;
}

static void read_nodes(reader *r);

static void read_block(reader *r, mod_node_kind kind)
{
    uint32_t node = add_node(r, kind);

    CHECK(next_word(r) && is_word(r, "{"));
    read_nodes(r);
    r->nodes[node].other = r->entry->node_count;
    if (kind == MOD_IF) {
        const char *before = r->at;
        if (next_word(r) && is_word(r, "else")) {
            CHECK(next_word(r) && is_word(r, "{"));
            read_nodes(r);
        } else {
            r->at = before;
        }
    }
    r->nodes[node].end = r->entry->node_count;
}

static void read_device_loop(reader *r, char word)
{
    uint32_t node = r->entry->node_count;

    r->nodes[node].first = word ? 4 * (uint32_t)(word - '0') : 0;
    read_block(r, MOD_DEVICE_LOOP);
    if (r->entry->cells_bytes < r->nodes[node].first + 8)
        r->entry->cells_bytes = r->nodes[node].first + 8;
}

static void read_nodes(reader *r)
{
    while (next_word(r) && !is_word(r, "}")) {
        if (is_word(r, "take")) {
            CHECK(next_word(r));
            array_named(r, r->word, strlen(r->word));
        } else if (is_word(r, "loop"))
            read_block(r, MOD_LOOP);
        else if (strncmp(r->word, "device", 6) == 0)
            read_device_loop(r, r->word[6]);
        else if (is_word(r, "if"))
            read_block(r, MOD_IF);
        else if (is_word(r, "sections"))
            read_block(r, MOD_SECTIONS);
        else if (is_word(r, "section"))
            read_block(r, MOD_SECTION);
        else if (is_word(r, "break"))
            add_node(r, MOD_BREAK);
        else if (is_word(r, "break?"))
            r->nodes[add_node(r, MOD_BREAK)].cond = 0;
        else if (is_word(r, "return"))
            add_node(r, MOD_RETURN);
        else if (is_word(r, "eval"))
            add_node(r, MOD_EVAL);
        else
            read_task(r);
    }
}

/* Scratch made after its task's cells entry shifts their number: cells are the last array. */
static void settle_cells(reader *r)
{
    for (uint32_t t = 0; t < r->entry->task_count; t++)
        for (uint32_t i = 0; i < r->tasks[t].access_count; i++) {
            mod_access *a = (mod_access *)&r->tasks[t].accesses[i];
            if (a->array == MOD_NONE)
                a->array = r->entry->param_count + r->entry->scratch_count;
        }
}

mod_entry *entry_of(mem_arena *arena, const char *program)
{
    reader r = { .arena = arena, .at = program };

    r.entry = arena_new(arena, sizeof *r.entry);
    r.entry->params = r.params = arena_new(arena, MOST * sizeof *r.params);
    r.entry->scratch = r.scratch = arena_new(arena, MOST * sizeof *r.scratch);
    r.entry->nodes = r.nodes = arena_new(arena, MOST * sizeof *r.nodes);
    r.entry->tasks = r.tasks = arena_new(arena, MOST * sizeof *r.tasks);
    r.entry->name = "k";
    read_params(&r);
    read_nodes(&r);
    settle_cells(&r);
    return r.entry;
}

static plan_home home_of(char letter)
{
    return letter == 'h'   ? PLAN_HOME_UNKNOWN
           : letter == 's' ? PLAN_HOME_UNKNOWN
           : letter == 'p' ? PLAN_HOME_PINNED
           : letter == 'k' ? PLAN_HOME_KEPT
                           : PLAN_HOME_RESIDENT;
}

plan_shape *shape_of(mem_arena *arena, const mod_entry *entry, const char *letters)
{
    plan_shape *shape = arena_new(arena, sizeof *shape);
    plan_home *homes = arena_new(arena, (entry->param_count + 1) * sizeof *homes);
    uint32_t *classes = arena_new(arena, (entry->param_count + 1) * sizeof *classes);
    uint32_t *ranges = arena_new(arena, (entry->param_count + 1) * sizeof *ranges);
    bool *small = arena_new(arena, entry->param_count + 1);
    uint32_t next_class = 0, next_range = 0;

    for (uint32_t p = 0; p < entry->param_count; p++, letters++) {
        bool same = *letters == '=';
        letters += same;
        if (isdigit((unsigned char)*letters)) {
            uint32_t other = (uint32_t)(*letters - '0');
            homes[p] = homes[other];
            small[p] = small[other];
            classes[p] = classes[other];
            ranges[p] = same ? ranges[other] : next_range++;
        } else {
            CHECK(*letters && strchr("hspkd", *letters));
            homes[p] = home_of(*letters);
            small[p] = *letters == 's';
            classes[p] = next_class++;
            ranges[p] = next_range++;
        }
    }
    *shape = (plan_shape){ .homes = homes,
                           .classes = classes,
                           .ranges = ranges,
                           .small = small,
                           .param_count = entry->param_count };
    shape->stream = strstr(letters, "explicit")  ? PLAN_EXPLICIT_STREAM
                    : strstr(letters, "wrapped") ? PLAN_WRAPPED_STREAM
                                                 : PLAN_DEFAULT_STREAM;
    shape->conservative = strstr(letters, "conservative") != NULL;
    shape->wants_result = strstr(letters, "result") != NULL;
    return shape;
}

const plan_facts *facts_of(int which)
{
    static const char *const names[] = { "cpu", "cuda", "hip", "vulkan" };
    static plan_facts mapped;

    if (which < 4)
        return plan_facts_named(names[which]);
    mapped = *plan_facts_named("vulkan");
    mapped.name = "vulkan, mapped";
    mapped.holds[PLAN_FACT_device_memory_mapped] = true;
    mapped.source[PLAN_FACT_device_memory_mapped] = "queue_limits.device_mapped";
    return &mapped;
}
