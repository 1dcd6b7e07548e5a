/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gpu_link.c - see gpu_link.h. lld has no C interface (LANGUAGE rule 28). What a process leaves
 * behind is removed on every way out.
 */
#define _GNU_SOURCE /* mkdtemp */
#include "target/gpu_link.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"

extern char **environ;

enum { PATH_BYTES = 512, WORDS_BYTES = 200 };

typedef struct files {
    char folder[PATH_BYTES - 16], in[PATH_BYTES], out[PATH_BYTES], said[PATH_BYTES];
} files;

static slip_status files_new(files *f)
{
    const char *tmp = getenv("TMPDIR");

    if (!tmp || !*tmp || strlen(tmp) > PATH_BYTES / 2)
        tmp = "/tmp";
    snprintf(f->folder, sizeof f->folder, "%s/slipc-XXXXXX", tmp);
    if (!mkdtemp(f->folder)) {
        slip_status status = SLIP_FAIL(SLIP_ERR_INTERNAL, "no folder %s can be made: %s", f->folder,
                                       strerror(errno));
        f->folder[0] = '\0';
        return status;
    }
    snprintf(f->in, sizeof f->in, "%s/in.o", f->folder);
    snprintf(f->out, sizeof f->out, "%s/out", f->folder);
    snprintf(f->said, sizeof f->said, "%s/said", f->folder);
    return SLIP_OK;
}

static void files_drop(files *f)
{
    if (!f->folder[0])
        return;
    unlink(f->in);
    unlink(f->out);
    unlink(f->said);
    rmdir(f->folder);
}

static slip_status write_file(const char *path, const llvm_object *object)
{
    FILE *to = fopen(path, "wbe");
    bool whole = to && fwrite(object->bytes, 1, object->size, to) == object->size;

    if (to && fclose(to) != 0)
        whole = false;
    return whole ? SLIP_OK
                 : SLIP_FAIL(SLIP_ERR_INTERNAL, "%zu bytes cannot be written to %s: %s",
                             object->size, path, strerror(errno));
}

/* Starts the linker. What it says goes to a file. False: there is none of that name. */
static bool start(const files *f, const char *linker, pid_t *out)
{
    char *words[] = { (char *)linker, "-shared", "-o", (char *)f->out, (char *)f->in, NULL };
    posix_spawn_file_actions_t files;
    int flags = O_WRONLY | O_CREAT | O_TRUNC;

    if (posix_spawn_file_actions_init(&files))
        return false;
    bool done = !posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0) &&
                !posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, f->said, flags, 0600) &&
                !posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO) &&
                !posix_spawnp(out, linker, &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    return done;
}

static bool start_any(const files *f, pid_t *out)
{
    const char *named = getenv("SLIPWAY_LLD");

    if (named && *named)
        return start(f, named, out);
    return start(f, SLIPWAY_LLVM_BIN "/ld.lld", out) || start(f, "ld.lld-19", out) ||
           start(f, "ld.lld", out);
}

/* A program that ignores SIGCHLD is told nothing of its children: then the file decides. */
static bool succeeded(pid_t child)
{
    int how = 0;
    pid_t got;

    do
        got = waitpid(child, &how, 0);
    while (got < 0 && errno == EINTR);
    return got < 0 || (WIFEXITED(how) && WEXITSTATUS(how) == 0);
}

static slip_status refused(const files *f)
{
    char words[WORDS_BYTES] = "";
    FILE *from = fopen(f->said, "rbe");

    if (from && !fgets(words, sizeof words, from))
        words[0] = '\0';
    if (from)
        fclose(from);
    words[strcspn(words, "\n")] = '\0';
    return SLIP_FAIL(SLIP_ERR_INTERNAL, "ld.lld made no code object: %s",
                     words[0] ? words : "no reason given");
}

static slip_status link_files(const files *f, llvm_object *object)
{
    llvm_object made = { 0 };
    const char *named = getenv("SLIPWAY_LLD");
    pid_t child;

    SLIP_TRY(write_file(f->in, object));
    bool started = start_any(f, &child);
    if (!started && named && *named)
        return SLIP_FAIL(
            SLIP_ERR_NOT_FOUND,
            "SLIPWAY_LLD is \"%.128s\", which cannot be run; it takes the name or path "
            "of an ld.lld of LLVM 19 (package lld-19) or nothing",
            named);
    if (!started)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND,
                         "code for AMD GPUs is linked by ld.lld of LLVM 19 (package lld-19), and "
                         "there is none; SLIPWAY_LLD may name one");
    if (!succeeded(child) || llvm_object_read(f->out, &made) != SLIP_OK)
        return refused(f);
    llvm_object_free(object);
    *object = made;
    return SLIP_OK;
}

slip_status gpu_link(llvm_object *object)
{
    files f = { 0 };
    slip_status status = files_new(&f);

    if (status == SLIP_OK)
        status = link_files(&f, object);
    files_drop(&f);
    return status;
}
