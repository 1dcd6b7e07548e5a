/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h - the command line of one command, sorted into what was asked for.
 */
#ifndef SLIPWAY_TOOLS_OPTIONS_H
#define SLIPWAY_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <slipway/slipway.h>

/* Which options a command takes; --help and --json all of them do. */
enum options_flags {
    OPTIONS_FILE = 1,   /* a module or kernel file, and how to compile it: -I -D -O --fma */
    OPTIONS_KERNEL = 2, /* a kernel and name=value arguments */
    OPTIONS_ON = 4,
    OPTIONS_RUN = 8,     /* --out --repeat */
    OPTIONS_EXPLAIN = 16 /* --memory --stream --sync --svg */
};

typedef struct options_command {
    const char *name; /* "run" */
    const char *help; /* all of it, from the usage line on */
    unsigned flags;
} options_command;

/* Words of the command line, borrowed from argv. */
typedef struct options_list {
    const char **items;
    uint32_t count;
} options_list;

typedef struct options {
    bool json, fma;
    const char *file, *kernel;
    const char *on;      /* NULL: not given */
    options_list values; /* "n=1000" */
    options_list outs;   /* "u=v.npy" */
    options_list memory; /* "u=device" */
    slip_explain_stream stream;
    bool svg;
    slip_sync sync; /* 0: not given */
    options_list includes, defines;
    uint32_t optimize;
    bool optimize_given;
    uint32_t repeat; /* at least 1 */
} options;

/*
 * options_parse - sort argv[0 .. argc - 1], the words after the command's name.
 *
 * Returns true when the command should go on. Otherwise help was printed, or on stderr what is
 * wrong, and *out_exit is what main returns. options_finish in either case.
 */
bool options_parse(const options_command *command, int argc, char **argv, options *out,
                   int *out_exit);
void options_finish(options *o);

/* "u=v.npy": the length of the name, or 0 where there is no "name=". */
uint32_t options_name_length(const char *word);

#endif
