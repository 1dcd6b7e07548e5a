/* SPDX-License-Identifier: Apache-2.0 */
/*
 * math_docs_test.c - the guide lists what <math.h> has in kernels, and nothing else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/builtin.h"
#include "support/check.h"

enum { MOST = 128, NAME_BYTES = 32 };

typedef struct names {
    char of[MOST][NAME_BYTES];
    size_t count;
} names;

static void add(names *all, const char *name, size_t bytes)
{
    CHECK(all->count < MOST && bytes > 0 && bytes < NAME_BYTES);
    snprintf(all->of[all->count++], NAME_BYTES, "%.*s", (int)bytes, name);
}

static bool has(const names *all, const char *name)
{
    for (size_t k = 0; k < all->count; k++)
        if (strcmp(all->of[k], name) == 0)
            return true;
    return false;
}

/* What stands between `start` and the next `(`, at the begin of a line. */
static void header_names(const char *text, const char *start, names *out)
{
    for (const char *at = strstr(text, start); at; at = strstr(at, start)) {
        at += strlen(start);
        size_t bytes = strcspn(at, "( \n");
        if (at[bytes] == '(')
            add(out, at, bytes);
    }
}

static const char *math_header(void)
{
    for (uint32_t k = 0; k < builtin_header_count; k++)
        if (strcmp(builtin_headers[k].path, BUILTIN_DIR "/math.h") == 0)
            return builtin_headers[k].text;
    return "";
}

/* The names in backquotes of the paragraph after the one that begins so. */
static void listed_names(const char *page, names *out)
{
    const char *at = strstr(page, "\nThese are the functions of `<math.h>`");

    CHECK(at != NULL);
    at = strstr(at, "\n\n") + 2;
    const char *end = strstr(at, "\n\n");
    while ((at = strchr(at, '`')) != NULL && at < end) {
        size_t bytes = strcspn(++at, "`");
        add(out, at, bytes);
        at += bytes + 1;
    }
}

static void the_guide_lists_the_header(void)
{
    static names header, f32, listed;
    char *page = check_read("docs/guide/floating-point.md", NULL), with_f[NAME_BYTES + 1];

    header_names(math_header(), "\ndouble ", &header);
    header_names(math_header(), "\nfloat ", &f32);
    CHECK(header.count >= 40);
    CHECK_EQ_U64(f32.count, header.count);
    for (size_t k = 0; k < header.count; k++) {
        snprintf(with_f, sizeof with_f, "%sf", header.of[k]);
        CHECK(has(&f32, with_f));
    }
    header_names(math_header(), "\n#define ", &header);
    listed_names(page, &listed);
    for (size_t k = 0; k < header.count; k++)
        if (!has(&listed, header.of[k]))
            CHECK_TEXT("is not in the guide", header.of[k]);
    for (size_t k = 0; k < listed.count; k++)
        if (!has(&header, listed.of[k]))
            CHECK_TEXT("is not in the header", listed.of[k]);
    free(page);
}

static const check_case cases[] = { CASE(the_guide_lists_the_header) };
CHECK_MAIN(cases)
