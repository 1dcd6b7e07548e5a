/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.c - the names of errors.
 */
#include "fake/stream/core.h"

static const struct {
    int number;
    const char *name;
    bool sticky;
} errors[FAKE_ERROR_COUNT] = {
#define ERROR_(name, code, cuda, hip, sticky) { code, FAKE_NAME_(cuda, hip), sticky },
    FAKE_ERRORS(ERROR_)
#undef ERROR_
};

int error_number(uint32_t bit)
{
    return errors[bit].number;
}

bool error_is_sticky(int code)
{
    for (size_t k = 0; k < FAKE_ERROR_COUNT; k++)
        if (errors[k].number == code)
            return errors[k].sticky;
    return false;
}

static const char *name_of(int code)
{
    for (size_t k = 0; k < FAKE_ERROR_COUNT; k++)
        if (errors[k].number == code)
            return errors[k].name;
    return NULL;
}

/* Work before and without init, and never fail for a reason of their own. */
#if defined(FAKE_HIP)

const char *fake_error_name_of(int code)
{
    return name_of(code) ? name_of(code) : "hipErrorUnknown";
}

const char *fake_error_text_of(int code)
{
    return name_of(code) ? "as a look-alike was told" : "unknown error";
}

#else

int fake_error_name(int code, const char **out)
{
    *out = name_of(code);
    return *out ? FAKE_OK : FAKE_INVALID_VALUE;
}

int fake_error_text(int code, const char **out)
{
    *out = name_of(code) ? "as a look-alike was told" : NULL;
    return *out ? FAKE_OK : FAKE_INVALID_VALUE;
}

#endif
