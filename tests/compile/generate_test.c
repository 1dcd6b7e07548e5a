/* SPDX-License-Identifier: Apache-2.0 */
/*
 * generate_test.c - the generated header and source: their text, and that both C and C++ compilers
 * take them without a warning (LANGUAGE rule 6).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipway/slipc.h>

#include "support/check.h"

static const char source[] =
    "#include <slipway/kernel.h>\n"
    "struct pair { f32 a, b[2]; };\n"
    "typedef struct { i64 wide; bool on; } flags;\n"
    "typedef struct spot { f32 x; } spot_t, *spot_pointer;\n"
    "typedef spot_t place; typedef flags marks;\n"
    "struct apart { i32 a; };\n"
    "typedef struct apart apart;\n"
    "enum kind { ONE, TWO };\n"
    "slip_kernel struct pair odd(i32 class, flags f, const struct pair *new,\n"
    "                            f32 x[class][3], slip_out u8 delete[class], bool result,\n"
    "                            enum kind k)\n"
    "{\n"
    "    slip_for (i, class) {\n"
    "        x[i][0] += new[i].a + (f32)f.wide;\n"
    "        delete[i] = (u8)(result + (k == TWO));\n"
    "    }\n"
    "    return (struct pair){ 1, { 2, 3 } };\n"
    "}\n"
    "slip_kernel void none(void) { }\n"
    "slip_kernel void delete(spot_t s, marks m, f32 new_, f32 x[1], f32 new, apart a)\n"
    "{ x[0] = s.x + (f32)m.wide + new - new_ + (f32)a.a; }\n"
    "slip_kernel void delete_(f32 x[1]) { x[0] = 1; }\n"
    "slip_kernel f64 half(f64 x, f32 y, u16 z) { return x / 2 + y + z; }\n"
    "slip_kernel i32 plain_names(i32 site, i32 args) { return site + args; }\n";

static void write_text(const char *path, const char *content)
{
    FILE *f = fopen(path, "w");

    CHECK(f != NULL);
    fputs(content, f);
    CHECK_EQ_I64(fclose(f), 0);
}

static void generate(char **header, char **body)
{
    slipc_result *result = NULL;
    size_t size = 0;

    CHECK_EQ_I64(slipc_compile("odd.c", source, &(slipc_options){ .targets = "host" }, &result),
                 SLIP_OK);
    const void *bytes = slipc_module_bytes(result, &size);
    CHECK_EQ_I64(slipc_generate(bytes, size, "odd", header, body), SLIP_OK);
    slipc_result_free(result);
}

static void the_header_declares_what_rule_6_says(void)
{
    char *header = NULL, *body = NULL;

    generate(&header, &body);
    CHECK_CONTAINS(
        header,
        "slip_status odd(slip_stream *slip_on, int32_t class_, flags f, const struct pair *new_, "
        "float *x, uint8_t *delete_, bool result, ");
    CHECK_CONTAINS(header, "struct pair *slip_result);");
    CHECK_CONTAINS(header, "slip_status none(slip_stream *slip_on);");
    CHECK_CONTAINS(header, "slip_status half(slip_stream *slip_on, double x, float y, uint16_t z, "
                           "double *slip_result);");
    CHECK_CONTAINS(header, "slip_status delete__(slip_stream *slip_on, struct spot s, flags m, "
                           "float new_, float *x, float new__, struct apart a);");
    CHECK_CONTAINS(header, "slip_status delete_(slip_stream *slip_on, float *x);");
    CHECK_CONTAINS(header, "typedef struct spot spot_t;\n");
    CHECK_CONTAINS(header, "typedef struct spot place;\n");
    CHECK_CONTAINS(header, "typedef struct apart apart;\n");
    CHECK_CONTAINS(header, "typedef flags marks;\n");
    CHECK(strstr(header, "spot_pointer") == NULL);
    CHECK_CONTAINS(header, "extern \"C\"");
    CHECK(strstr(header, "kernel.h") == NULL && strstr(header, "f32") == NULL);
    CHECK_CONTAINS(body, "slip_call(slip_on, &slip_site_,");
    slipc_text_free(header);
    slipc_text_free(body);
}

static void run_compiler(const char *compiler, const char *path)
{
    char command[1024];

    snprintf(command, sizeof command, "%s -Wall -Wextra -Wpedantic -Werror -I%s -fsyntax-only %s",
             compiler, check_path("include"), path);
    if (system(command) != 0)
        CHECK_FAIL("refused: %s", command);
}

static void c_and_cxx_compilers_take_both_files(void)
{
    char *header = NULL, *body = NULL, folder[256], path[512];

    generate(&header, &body);
    snprintf(folder, sizeof folder, "%s.files", check_temp_path(".d"));
    snprintf(path, sizeof path, "mkdir -p %s", folder);
    CHECK_EQ_I64(system(path), 0);
    snprintf(path, sizeof path, "%s/odd.slip.h", folder);
    write_text(path, header);
    snprintf(path, sizeof path, "%s/user.cc", folder);
    write_text(
        path,
        "#include \"odd.slip.h\"\n"
        "int main() { pair p = pair(); place s = spot_t(); apart a = apart(); marks m = flags();\n"
        "(void)p; (void)s; (void)a; (void)m; float x;\n"
        "return delete_(0, &x) != delete__(0, s, m, 1, &x, 2, a); }\n");
    if (system("g++ --version > /dev/null 2>&1") == 0)
        run_compiler("g++ -std=c++17", path);
    snprintf(path, sizeof path, "%s/odd.slip.c", folder);
    write_text(path, body);
    run_compiler("cc -std=c11", path);
    snprintf(path, sizeof path, "rm -r %s", folder);
    CHECK_EQ_I64(system(path), 0);
    slipc_text_free(header);
    slipc_text_free(body);
}

static void damaged_bytes_are_refused(void)
{
    char *header = NULL, *body = NULL;

    CHECK_STATUS(slipc_generate("no module", 9, "odd", &header, &body), SLIP_ERR_FORMAT);
    CHECK(header == NULL && body == NULL);
}

static const check_case cases[] = {
    CASE(the_header_declares_what_rule_6_says),
    CASE(c_and_cxx_compilers_take_both_files),
    CASE(damaged_bytes_are_refused),
};
CHECK_MAIN(cases)
