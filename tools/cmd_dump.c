/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_dump.c - slipway dump: what is in a module, whatever device its code is for.
 */
#include <slipway/slipway.h>

#include "commands.h"
#include "kernel_file.h"
#include "tool.h"

static const options_command command = {
    .name = "dump",
    .flags = OPTIONS_FILE,
    .help =
        "usage: slipway dump FILE [--json] [options]\n"
        "\n"
        "Prints what is in a module (FILE.slip), or in the module that a kernel file (FILE.c) "
        "makes:\n"
        "kernels with their signatures, launch programs, tasks and what each reads and writes, "
        "code.\n"
        "\n"
        "  --json   one JSON object: producer, files, kernels with parameters and tasks, code\n"
        "  -I DIR  -D NAME[=VALUE]  -O0..-O3  --fma    for a kernel file, as slipc takes them\n",
};

static slip_status dump(const options *o, kernel_file *file)
{
    char *text = NULL;

    TOOL_TRY(kernel_file_open(o, NULL, file));
    TOOL_TRY(tool_library_of(o->json ? slip_dump_json(file->bytes, file->size, &text)
                                     : slip_dump(file->bytes, file->size, &text),
                             o->file));
    fputs(text, stdout);
    slip_text_free(text);
    return SLIP_OK;
}

int cmd_dump(int argc, char **argv)
{
    options o;
    kernel_file file = { 0 };
    int exit_code = TOOL_OK;

    if (options_parse(&command, argc, argv, &o, &exit_code))
        exit_code = dump(&o, &file) == SLIP_OK ? TOOL_OK : tool_report(stderr);
    kernel_file_close(&file);
    options_finish(&o);
    return exit_code;
}
