/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_image_link.c - lays out objects' sections and resolves every relocation inside the image.
 *
 * The image is mapped at a page boundary and nowhere else is known, so only relative relocations
 * can be resolved; anything else is refused by number, and an undefined name by name. Reads an
 * object with every offset checked: must never trust a number in it.
 */
#include "target/cpu_image_link.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "target/cpu_image_reloc.h"

enum { MAX_SECTIONS = 4096, IMPORTS_ALIGN = 65536 };

typedef struct image {
    const target_row *row;
    uint8_t *bytes;
    uint64_t size, imports_at;
} image;

/* One object, and where it goes. */
typedef struct linker {
    const uint8_t *bytes;
    size_t size;
    image *image;
    Elf64_Ehdr header;
    uint64_t *section_at; /* offset in the image; UINT64_MAX: not there */
    const uint8_t *symbols;
    uint64_t symbol_count;
    const char *names;
    uint64_t names_size;
} linker;

static bool inside(const linker *l, uint64_t offset, uint64_t bytes)
{
    return offset <= l->size && bytes <= l->size - offset;
}

static slip_status damaged(const char *what, uint64_t number)
{
    return SLIP_FAIL(SLIP_ERR_INTERNAL, "the object from LLVM is damaged: %s %" PRIu64, what,
                     number);
}

/* The caller keeps index below e_shnum. */
static Elf64_Shdr section(const linker *l, uint32_t index)
{
    Elf64_Shdr s;

    memcpy(&s, l->bytes + l->header.e_shoff + (uint64_t)index * sizeof s, sizeof s);
    return s;
}

static slip_status read_header(linker *l)
{
    uint16_t machine = l->image->row->arch == TARGET_X86_64 ? EM_X86_64 : EM_AARCH64;

    if (l->size < sizeof l->header)
        return damaged("size", l->size);
    memcpy(&l->header, l->bytes, sizeof l->header);
    if (memcmp(l->header.e_ident, ELFMAG, SELFMAG) != 0 ||
        l->header.e_ident[EI_CLASS] != ELFCLASS64 || l->header.e_type != ET_REL ||
        l->header.e_machine != machine)
        return damaged("machine", l->header.e_machine);
    if (l->header.e_shentsize != sizeof(Elf64_Shdr) || l->header.e_shnum > MAX_SECTIONS ||
        !inside(l, l->header.e_shoff, (uint64_t)l->header.e_shnum * sizeof(Elf64_Shdr)))
        return damaged("sections", l->header.e_shnum);
    return SLIP_OK;
}

/* Places one section after what is there. */
static slip_status place(linker *l, uint32_t index, const Elf64_Shdr *s)
{
    uint64_t align = s->sh_addralign ? s->sh_addralign : 1, at, end;

    if (s->sh_type == SHT_NOBITS || (s->sh_flags & SHF_WRITE))
        return SLIP_FAIL(SLIP_ERR_INTERNAL,
                         "the object holds %" PRIu64 " bytes of writable data; an image has none",
                         (uint64_t)s->sh_size);
    if ((align & (align - 1)) != 0 || align > 4096 || !inside(l, s->sh_offset, s->sh_size))
        return damaged("section", index);
    at = (l->image->size + align - 1) & ~(align - 1);
    if (!mem_add(at, s->sh_size, &end) || end > INT32_MAX)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED, "code of more than 2 GiB");
    l->section_at[index] = at;
    l->image->size = end;
    return SLIP_OK;
}

/* The sections of code, or those of constants. */
static slip_status lay_out(linker *l, bool code)
{
    for (uint32_t i = 0; i < l->header.e_shnum; i++) {
        Elf64_Shdr s = section(l, i);
        bool is_code = (s.sh_flags & SHF_EXECINSTR) != 0;
        if ((s.sh_flags & SHF_ALLOC) && s.sh_size && is_code == code)
            SLIP_TRY(place(l, i, &s));
    }
    return SLIP_OK;
}

static void copy_sections(linker *l)
{
    for (uint32_t i = 0; i < l->header.e_shnum; i++) {
        Elf64_Shdr s = section(l, i);
        if (l->section_at[i] != UINT64_MAX)
            memcpy(l->image->bytes + l->section_at[i], l->bytes + s.sh_offset, s.sh_size);
    }
}

static slip_status find_symbols(linker *l)
{
    for (uint32_t i = 0; i < l->header.e_shnum; i++) {
        Elf64_Shdr s = section(l, i), names;
        if (s.sh_type != SHT_SYMTAB)
            continue;
        if (s.sh_link >= l->header.e_shnum || !inside(l, s.sh_offset, s.sh_size))
            return damaged("symbol table", i);
        names = section(l, s.sh_link);
        if (!inside(l, names.sh_offset, names.sh_size) || names.sh_size == 0 ||
            l->bytes[names.sh_offset + names.sh_size - 1] != 0)
            return damaged("names", s.sh_link);
        l->symbols = l->bytes + s.sh_offset;
        l->symbol_count = s.sh_size / sizeof(Elf64_Sym);
        l->names = (const char *)l->bytes + names.sh_offset;
        l->names_size = names.sh_size;
        return SLIP_OK;
    }
    return damaged("symbol tables", 0);
}

static slip_status symbol(const linker *l, uint64_t index, Elf64_Sym *out, const char **out_name)
{
    if (index >= l->symbol_count)
        return damaged("symbol", index);
    memcpy(out, l->symbols + index * sizeof *out, sizeof *out);
    if (out->st_name >= l->names_size)
        return damaged("name", out->st_name);
    *out_name = l->names + out->st_name;
    return SLIP_OK;
}

/* Where a symbol lies in the image. */
static slip_status resolve(const linker *l, uint64_t index, uint64_t *out)
{
    Elf64_Sym s;
    const char *name = NULL;

    SLIP_TRY(symbol(l, index, &s, &name));
    if (s.st_shndx == SHN_UNDEF && strcmp(name, CPU_IMAGE_IMPORTS) == 0) {
        *out = l->image->imports_at;
        return SLIP_OK;
    }
    if (s.st_shndx == SHN_UNDEF)
        return SLIP_FAIL(SLIP_ERR_INTERNAL, "the code for %s calls `%s`, which an image has not",
                         l->image->row->name, name);
    if (s.st_shndx >= l->header.e_shnum || l->section_at[s.st_shndx] == UINT64_MAX)
        return damaged("section of a symbol", s.st_shndx);
    *out = l->section_at[s.st_shndx] + s.st_value;
    return SLIP_OK;
}

static slip_status relocate(linker *l, const Elf64_Shdr *s)
{
    uint64_t base = l->section_at[s->sh_info];
    Elf64_Shdr target = section(l, s->sh_info);

    if (!inside(l, s->sh_offset, s->sh_size))
        return damaged("relocations of section", s->sh_info);
    for (uint64_t k = 0; k < s->sh_size / sizeof(Elf64_Rela); k++) {
        cpu_image_reloc reloc = { 0 };
        Elf64_Rela r;
        memcpy(&r, l->bytes + s->sh_offset + k * sizeof r, sizeof r);
        if (r.r_offset > target.sh_size || target.sh_size - r.r_offset < 4)
            return damaged("place", r.r_offset);
        SLIP_TRY(resolve(l, ELF64_R_SYM(r.r_info), &reloc.target));
        reloc.type = ELF64_R_TYPE(r.r_info);
        reloc.target += (uint64_t)r.r_addend;
        reloc.place = base + r.r_offset;
        reloc.room = target.sh_size - r.r_offset;
        reloc.bytes = l->image->bytes + reloc.place;
        SLIP_TRY(cpu_image_relocate(l->image->row->arch, &reloc));
    }
    return SLIP_OK;
}

static slip_status relocate_all(linker *l)
{
    for (uint32_t i = 0; i < l->header.e_shnum; i++) {
        Elf64_Shdr s = section(l, i);
        if (s.sh_type != SHT_RELA && s.sh_type != SHT_REL)
            continue;
        if (s.sh_info >= l->header.e_shnum)
            return damaged("relocated section", s.sh_info);
        if (l->section_at[s.sh_info] == UINT64_MAX)
            continue; /* of notes and the like */
        if (s.sh_type == SHT_REL)
            return damaged("relocations without addends in section", i);
        SLIP_TRY(relocate(l, &s));
    }
    return SLIP_OK;
}

/* The number after `prefix` in name, if that is what name is. */
static bool numbered(const char *name, const char *prefix, uint32_t *out)
{
    size_t length = strlen(prefix);
    char *end;

    if (strncmp(name, prefix, length) != 0)
        return false;
    *out = (uint32_t)strtoul(name + length, &end, 10);
    return *end == '\0' && end != name + length;
}

/* The entry points of one object. */
static slip_status find_tasks(const linker *l, const mod_code *code, mod_symbol *found)
{
    for (uint64_t k = 1; k < l->symbol_count; k++) {
        Elf64_Sym s;
        const char *name = NULL;
        uint64_t at;
        uint32_t number, *entry;
        SLIP_TRY(symbol(l, k, &s, &name));
        bool is_main = numbered(name, CPU_IMAGE_MAIN, &number);
        if (!is_main && !numbered(name, CPU_IMAGE_FINISH, &number))
            continue;
        if (number >= code->symbol_count)
            return damaged("task", number);
        entry = is_main ? &found[number].main : &found[number].finish;
        if (*entry != MOD_NONE)
            return damaged("second code of task", number);
        SLIP_TRY(resolve(l, k, &at));
        *entry = (uint32_t)at;
    }
    return SLIP_OK;
}

static slip_status entry_points(const linker *l, uint32_t count, mem_arena *arena, mod_code *code)
{
    mod_symbol *found = arena_new(arena, sizeof *found * (code->symbol_count + 1u));

    for (uint32_t i = 0; i < code->symbol_count; i++)
        found[i] = (mod_symbol){ MOD_NONE, MOD_NONE };
    for (uint32_t k = 0; k < count; k++)
        SLIP_TRY(find_tasks(&l[k], code, found));
    for (uint32_t i = 0; i < code->symbol_count; i++)
        if (found[i].main == MOD_NONE)
            return SLIP_FAIL(SLIP_ERR_INTERNAL, "task %u of %u has no code for %s", i,
                             code->symbol_count, l->image->row->name);
    code->symbols = found;
    return SLIP_OK;
}

static slip_status open_object(linker *l, image *image, cpu_object object, mem_arena *arena)
{
    *l = (linker){ .bytes = object.bytes, .size = object.size, .image = image };
    SLIP_TRY(read_header(l));
    SLIP_TRY(find_symbols(l));
    l->section_at = arena_new(arena, sizeof(uint64_t) * (l->header.e_shnum + 1u));
    for (uint32_t i = 0; i < l->header.e_shnum; i++)
        l->section_at[i] = UINT64_MAX;
    return SLIP_OK;
}

slip_status cpu_image_link(const target_row *row, const cpu_object *objects, uint32_t object_count,
                           mem_arena *arena, mod_code *code)
{
    image made = { .row = row };
    linker *l = arena_new(arena, sizeof *l * (object_count + 1u));

    for (uint32_t k = 0; k < object_count; k++)
        SLIP_TRY(open_object(&l[k], &made, objects[k], arena));
    /* Code first, so that it starts on a page; then constants. */
    for (uint32_t k = 0; k < object_count; k++)
        SLIP_TRY(lay_out(&l[k], true));
    for (uint32_t k = 0; k < object_count; k++)
        SLIP_TRY(lay_out(&l[k], false));
    made.imports_at = (made.size + IMPORTS_ALIGN - 1) & ~(uint64_t)(IMPORTS_ALIGN - 1);
    made.bytes = arena_new(arena, made.size + 1);
    for (uint32_t k = 0; k < object_count; k++)
        copy_sections(&l[k]);
    for (uint32_t k = 0; k < object_count; k++)
        SLIP_TRY(relocate_all(&l[k]));
    SLIP_TRY(entry_points(l, object_count, arena, code));
    code->bytes = made.bytes;
    code->size = made.size;
    code->imports_offset = made.imports_at;
    return mem_arena_full(arena)
               ? SLIP_FAIL(SLIP_ERR_MEMORY, "code of %" PRIu64 " bytes", made.size)
               : SLIP_OK;
}
