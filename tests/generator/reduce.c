/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce.c - takes lines out of a program, whole blocks first, as long as it fails the same way:
 * gcc accepts it, its builds agree, and slipc's differs (or slipc refuses it, or the call fails).
 */
#define _GNU_SOURCE
#include "generator/reduce.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 4000 };

typedef struct reducing {
    gen_program program;
    slip_device *device;
    char *lines[MOST_LINES];
    bool gone[MOST_LINES];
    int count, tries;
    int wanted; /* what the whole program gave: a verdict, or -1 where slipc refuses it */
} reducing;

static char *join(const reducing *r)
{
    char *all = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&all, &bytes);

    for (int i = 0; i < r->count; i++)
        if (!r->gone[i])
            fprintf(to, "%s\n", r->lines[i]);
    fclose(to);
    return all;
}

static int judge_now(reducing *r, FILE *out)
{
    char *source = join(r), *wrapper = gen_wrapper(&r->program), *whole = NULL, *what = NULL;
    built b;
    int found = -2;

    r->tries++;
    if (asprintf(&whole, "%s\n%s", source, wrapper) < 0)
        abort();
    if (build_programs(whole, "reduced", r->device, true, &b, &what)) {
        found = (int)run_program(&r->program, &b, r->device, out);
        build_drop(&b);
    } else if (strstr(what, "slipc refuses")) {
        found = -1;
    }
    free(what);
    free(source);
    free(wrapper);
    free(whole);
    return found;
}

/* Braces opened less those closed. */
static int balance(const char *text)
{
    int open = 0;

    for (; *text; text++)
        open += *text == '{' ? 1 : *text == '}' ? -1 : 0;
    return open;
}

/* The end of the block that begins at a line, past it; the line alone where it opens none. */
static int block_end(const reducing *r, int at)
{
    int open = 0;

    for (int i = at; i < r->count; i++) {
        if (r->gone[i])
            continue;
        open += balance(r->lines[i]);
        if (open <= 0)
            return i + 1;
    }
    return r->count;
}

static bool try_without(reducing *r, int first, int end)
{
    bool before[MOST_LINES];

    memcpy(before, r->gone, sizeof before);
    for (int i = first; i < end; i++)
        r->gone[i] = true;
    if (judge_now(r, NULL) == r->wanted)
        return true;
    memcpy(r->gone, before, sizeof before);
    return false;
}

/* One pass over all lines. Returns whether any went. */
static bool pass(reducing *r)
{
    bool any = false;

    for (int i = 0; i < r->count; i++) {
        if (r->gone[i] || strchr("{}", r->lines[i][0]))
            continue;
        int end = block_end(r, i);
        if (try_without(r, i, end)) {
            any = true;
            continue;
        }
        /* The head and foot of a block alone: its body stays. */
        if (end > i + 1 && balance(r->lines[i]) == 1) {
            bool before[MOST_LINES];
            memcpy(before, r->gone, sizeof before);
            r->gone[i] = r->gone[end - 1] = true;
            if (judge_now(r, NULL) == r->wanted)
                any = true;
            else
                memcpy(r->gone, before, sizeof before);
        }
    }
    return any;
}

bool reduce_program(uint64_t seed, slip_device *device)
{
    reducing *r = calloc(1, sizeof *r);
    char *rest;

    r->device = device;
    gen_make(seed, &r->program);
    rest = r->program.source;
    for (char *at; r->count < MOST_LINES && (at = strsep(&rest, "\n")) != NULL;)
        if (*at)
            r->lines[r->count++] = at;
    r->wanted = judge_now(r, NULL);
    bool fails = r->wanted != AGREES;
    if (!fails)
        printf("seed %" PRIu64 " agrees\n", seed);
    for (int round = 0; fails && round < 6 && pass(r); round++)
        continue;
    if (fails) {
        char *source = join(r);
        printf("%s---- seed %" PRIu64 ", after %d tries; verdict %d\n", source, seed, r->tries,
               r->wanted);
        free(source);
        judge_now(r, stdout);
    }
    gen_free(&r->program);
    free(r);
    return fails;
}
