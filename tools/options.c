/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c - the command line of one command, sorted into what was asked for.
 *
 * Must not look at what values mean: only at which word is what. A value follows its option as the
 * next word or, for long options, after "=".
 */
#include "options.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

typedef struct words {
    const options_command *command;
    char **at, **end;
    bool failed;
} words;

static void complain(words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void complain(words *w, const char *format, ...)
{
    va_list args;

    if (w->failed)
        return;
    w->failed = true;
    fprintf(stderr, "slipway %s: ", w->command->name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "; see slipway %s --help\n", w->command->name);
}

static void push(options_list *list, const char *word)
{
    list->items[list->count++] = word;
}

/* Is `word` the option? Then *out_value is its value, from the same word or the next one. */
static bool option_value(words *w, const char *option, const char **out_value)
{
    const char *word = *w->at;
    size_t length = strlen(option);

    if (strncmp(word, option, length) != 0)
        return false;
    bool is_short = option[1] != '-';
    if (word[length] && (is_short || word[length] == '=')) {
        *out_value = word + length + !is_short;
        return true;
    }
    if (word[length])
        return false;
    if (w->at + 1 == w->end) {
        complain(w, "%s needs a value", option);
        *out_value = "";
        return true;
    }
    *out_value = *++w->at;
    return true;
}

/* 1 .. 1000000000, decimal. */
static uint32_t parse_repeat(words *w, const char *text)
{
    char *end = NULL;
    unsigned long count = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;

    if (count < 1 || count > 1000000000 || *end) {
        complain(w, "--repeat %s: a count from 1 to 1000000000 belongs there", text);
        return 1;
    }
    return (uint32_t)count;
}

static void take_level(words *w, options *out, const char *text)
{
    if (strlen(text) != 1 || *text < '0' || *text > '3')
        complain(w, "-O%s: the levels are 0 to 3", text);
    out->optimize = (uint32_t)(*text - '0');
    out->optimize_given = true;
}

static bool take_compile_option(words *w, options *out)
{
    const char *value = NULL;

    if (strcmp(*w->at, "--fma") == 0)
        out->fma = true;
    else if (option_value(w, "-I", &value))
        push(&out->includes, value);
    else if (option_value(w, "-D", &value))
        push(&out->defines, value);
    else if (option_value(w, "-O", &value))
        take_level(w, out, value);
    else
        return false;
    return true;
}

static bool take_run_option(words *w, options *out)
{
    const char *value = NULL;

    if (option_value(w, "--out", &value)) {
        if (!w->failed && options_name_length(value) == 0)
            complain(w, "--out %s: NAME=FILE belongs there", value);
        push(&out->outs, value);
    } else if (option_value(w, "--repeat", &value)) {
        out->repeat = parse_repeat(w, value);
    } else {
        return false;
    }
    return true;
}

static void take_stream(words *w, options *out, const char *text)
{
    static const char *const names[] = { [SLIP_EXPLAIN_DEFAULT] = "default",
                                         [SLIP_EXPLAIN_EXPLICIT] = "explicit",
                                         [SLIP_EXPLAIN_WRAPPED] = "wrapped" };

    for (uint32_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(text, names[k]) == 0) {
            out->stream = (slip_explain_stream)k;
            return;
        }
    complain(w, "--stream %s: default, explicit or wrapped belongs there", text);
}

static void take_sync(words *w, options *out, const char *text)
{
    out->sync = strcmp(text, "conservative") == 0 ? SLIP_SYNC_CONSERVATIVE : SLIP_SYNC_MINIMAL;
    if (out->sync == SLIP_SYNC_MINIMAL && strcmp(text, "minimal") != 0)
        complain(w, "--sync %s: minimal or conservative belongs there", text);
}

static bool take_explain_option(words *w, options *out)
{
    const char *value = NULL;

    if (strcmp(*w->at, "--svg") == 0) {
        out->svg = true;
    } else if (option_value(w, "--memory", &value)) {
        if (!w->failed && options_name_length(value) == 0)
            complain(w, "--memory %s: NAME=KIND belongs there", value);
        push(&out->memory, value);
    } else if (option_value(w, "--stream", &value)) {
        take_stream(w, out, value);
    } else if (option_value(w, "--sync", &value)) {
        take_sync(w, out, value);
    } else {
        return false;
    }
    return true;
}

static void take_option(words *w, options *out)
{
    unsigned flags = w->command->flags;

    if (strcmp(*w->at, "--json") == 0)
        out->json = true;
    else if (!((flags & OPTIONS_FILE && take_compile_option(w, out)) ||
               (flags & OPTIONS_ON && option_value(w, "--on", &out->on)) ||
               (flags & OPTIONS_RUN && take_run_option(w, out)) ||
               (flags & OPTIONS_EXPLAIN && take_explain_option(w, out))))
        complain(w, "there is no option %s", *w->at);
}

static void take_word(words *w, options *out)
{
    const char *word = *w->at;
    unsigned flags = w->command->flags;

    if (flags & OPTIONS_FILE && !out->file)
        out->file = word;
    else if (flags & OPTIONS_KERNEL && !out->kernel)
        out->kernel = word;
    else if (flags & OPTIONS_KERNEL && options_name_length(word) > 0)
        push(&out->values, word);
    else if (flags & OPTIONS_KERNEL)
        complain(w, "`%s` is no NAME=VALUE", word);
    else
        complain(w, "`%s` is one word too many", word);
}

/* Each list holds at most every word. */
static bool make_lists(options *out, int argc)
{
    options_list *lists[] = { &out->values, &out->outs, &out->memory, &out->includes,
                              &out->defines };

    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        lists[k]->items = tool_new((size_t)argc + 1, sizeof *lists[k]->items);
        if (!lists[k]->items)
            return false;
    }
    return true;
}

bool options_parse(const options_command *command, int argc, char **argv, options *out,
                   int *out_exit)
{
    words w = { .command = command, .at = argv, .end = argv + argc };

    *out = (options){ .repeat = 1 };
    if (!make_lists(out, argc)) {
        *out_exit = tool_report(stderr);
        return false;
    }
    for (; w.at < w.end && !w.failed; w.at++) {
        if (strcmp(*w.at, "--help") == 0 || strcmp(*w.at, "-h") == 0) {
            fputs(command->help, stdout);
            *out_exit = TOOL_OK;
            return false;
        }
        if ((*w.at)[0] == '-' && (*w.at)[1])
            take_option(&w, out);
        else
            take_word(&w, out);
    }
    if (command->flags & OPTIONS_FILE && !out->file)
        complain(&w, "a module or kernel file is missing");
    if (command->flags & OPTIONS_KERNEL && !out->kernel)
        complain(&w, "the kernel's name is missing");
    *out_exit = TOOL_USAGE;
    return !w.failed;
}

void options_finish(options *o)
{
    free(o->values.items);
    free(o->outs.items);
    free(o->memory.items);
    free(o->includes.items);
    free(o->defines.items);
    *o = (options){ 0 };
}

uint32_t options_name_length(const char *word)
{
    const char *equals = strchr(word, '=');

    return equals ? (uint32_t)(equals - word) : 0;
}
