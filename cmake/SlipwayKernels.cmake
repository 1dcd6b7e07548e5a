# SPDX-License-Identifier: Apache-2.0
#
# For projects that use Slipway, and for this one's examples and tests.
#
#   slipway_add_kernels(target heat.c ... [OPTIONS --fma ...])
#       compiles each kernel file with slipc; adds NAME.slip.c to the target and the folder of
#       NAME.slip.h to its include path. The code is for the processor that is built for
#       (CMAKE_SYSTEM_PROCESSOR), for CUDA and for Vulkan; SLIPWAY_KERNEL_TARGETS or, for one file, the
#       option --target=LIST says otherwise
#   slipway_add_reference(target heat.c ... [KERNELS name ...] [OPTIONS -O2 ...])
#       compiles the same file as plain C, each kernel k renamed k_reference, and puts
#       NAME.reference.h, which declares them, on the include path
#
# Where there is no slipc, SLIPWAY_KERNELS_FROM may name a folder with the generated files of a build that has
# one, laid out like that build (dev/collect_kernels.sh makes it). SLIPWAY_HAS_KERNELS says whether
# slipway_add_kernels can work.
#
# The kernels of a file are the functions marked slip_kernel in its text; those that come from a
# macro are named with KERNELS.

# What makes C of a kernel file, for a reference.
set(SLIPWAY_REFERENCE_OPTIONS -fwrapv -ffp-contract=off -fno-strict-aliasing -fsigned-char)

set(SLIPWAY_KERNELS_FROM "" CACHE PATH "Generated kernel files, for a build without slipc")
set(SLIPWAY_KERNEL_TARGETS "" CACHE STRING
    "What kernel files are compiled for (slipc --target=); empty: the processor that is built for, ptx and spirv")

# After the tools are defined: sets SLIPWAY_HAS_KERNELS.
macro(slipway_find_kernels)
    set(SLIPWAY_HAS_KERNELS OFF)
    if(TARGET slipc OR TARGET slipway::slipc OR SLIPWAY_KERNELS_FROM)
        set(SLIPWAY_HAS_KERNELS ON)
    endif()
endmacro()

# slipc's own default is the processor it runs on, which is another one in a cross build.
function(slipway_kernel_targets out)
    set(targets ${SLIPWAY_KERNEL_TARGETS})
    if(NOT targets AND CMAKE_CROSSCOMPILING)
        if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)")
            set(targets cpu-aarch64,ptx,spirv)
        elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)")
            set(targets cpu-x86-64,ptx,spirv)
        else()
            message(FATAL_ERROR "kernels: no target for CMAKE_SYSTEM_PROCESSOR "
                                "\"${CMAKE_SYSTEM_PROCESSOR}\"; set SLIPWAY_KERNEL_TARGETS")
        endif()
    endif()
    if(targets)
        set(targets --target=${targets})
    endif()
    set(${out} ${targets} PARENT_SCOPE)
endfunction()

# The generated files of a source, from SLIPWAY_KERNELS_FROM. Two folders of a build may compile one
# source with different options, so the build's folder says which is meant.
function(slipway_made_kernels target source)
    file(RELATIVE_PATH folder ${CMAKE_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR})
    get_filename_component(name ${source} NAME_WE)
    target_sources(${target} PRIVATE ${SLIPWAY_KERNELS_FROM}/${folder}/${name}.slip.c)
    target_include_directories(${target} PRIVATE ${SLIPWAY_KERNELS_FROM}/${folder})
endfunction()

function(slipway_kernel_folder out)
    set(${out} ${CMAKE_CURRENT_BINARY_DIR}/slipway_kernels PARENT_SCOPE)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/slipway_kernels)
endfunction()

function(slipway_add_kernels target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS")
    slipway_kernel_folder(folder)
    if(TARGET slipc)
        set(compiler slipc)
    elseif(TARGET slipway::slipc)
        set(compiler slipway::slipc)
    elseif(SLIPWAY_KERNELS_FROM)
        foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
            slipway_made_kernels(${target} ${source})
        endforeach()
        return()
    else()
        message(FATAL_ERROR "slipway_add_kernels(${target}): there is no slipc in this build; "
                            "configure with LLVM 19 installed")
    endif()
    slipway_kernel_targets(targets)
    foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
        get_filename_component(source ${source} ABSOLUTE)
        get_filename_component(name ${source} NAME_WE)
        set(module ${folder}/${name}.slip)
        # The module comes first: it is what the depfile names, and Ninja rebuilds for ever where the two differ.
        add_custom_command(OUTPUT ${module} ${module}.c ${module}.h
            COMMAND ${compiler} ${targets} ${arg_OPTIONS} -MD -MF ${module}.d -o ${module} ${source}
            DEPENDS ${source} ${compiler} DEPFILE ${module}.d VERBATIM
            COMMENT "Compiling kernels of ${name}.c")
        target_sources(${target} PRIVATE ${module}.c ${module}.h)
    endforeach()
    target_include_directories(${target} PRIVATE ${folder})
endfunction()

# The heads of all kernels in a text: "slip_kernel void heat(i32 n, f32 u[n])", without comments.
function(slipway_kernel_heads source out)
    file(READ ${source} text)
    string(REPLACE ";" " @ " text "${text}") # CMake's own list separator
    string(REGEX REPLACE "//[^\n]*" " " text "${text}")
    string(REGEX REPLACE "/[*]([^*]|[*]+[^*/])*[*]+/" " " text "${text}")
    string(REGEX REPLACE "#[ \t]*define([^\n\\]|\\\\.|\\\\\n)*" " " text "${text}")
    string(REPLACE "[" "<(" text "${text}") # brackets would glue list elements
    string(REPLACE "]" ")>" text "${text}")
    string(REGEX MATCHALL "slip_kernel[ \t\n][^{@]*{" heads "${text}")
    set(${out} "${heads}" PARENT_SCOPE)
endfunction()

# slipway_math: the math library that kernels call, built by this project's C compiler as what the
# references link. Its bits must not depend on the options of anything else.
function(slipway_math_library)
    if(TARGET slipway_math)
        return()
    endif()
    if(TARGET slipway)
        set(folder ${slipway_SOURCE_DIR}/math)
        set(include ${slipway_SOURCE_DIR}/include)
    else()
        set(folder ${SLIPWAY_MATH_FOLDER})
        set(include ${SLIPWAY_INCLUDE_FOLDER})
    endif()
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.c)
    add_library(slipway_math STATIC EXCLUDE_FROM_ALL ${sources})
    set_target_properties(slipway_math PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF
                          POSITION_INDEPENDENT_CODE ON)
    target_compile_definitions(slipway_math PRIVATE SLIP_REFERENCE)
    target_compile_options(slipway_math PRIVATE -O2 ${SLIPWAY_REFERENCE_OPTIONS})
    target_include_directories(slipway_math PUBLIC ${include})
    target_link_libraries(slipway_math PUBLIC m)
endfunction()

function(slipway_add_reference target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "KERNELS;OPTIONS")
    slipway_kernel_folder(folder)
    foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
        get_filename_component(source ${source} ABSOLUTE)
        get_filename_component(name ${source} NAME_WE)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
        slipway_kernel_heads(${source} heads)
        set(defines "")
        set(prototypes "")
        foreach(kernel IN LISTS arg_KERNELS)
            string(APPEND defines "#define ${kernel} ${kernel}_reference\n")
        endforeach()
        foreach(head IN LISTS heads)
            string(REGEX REPLACE "[ \t\n]*{$" "" head "${head}")
            string(REPLACE "<(" "[" head "${head}")
            string(REPLACE ")>" "]" head "${head}")
            string(REGEX MATCH "([A-Za-z_0-9]+)[ \t\n]*[(]" unused "${head}")
            set(kernel ${CMAKE_MATCH_1})
            string(APPEND defines "#define ${kernel} ${kernel}_reference\n")
            string(REGEX REPLACE "([^A-Za-z_0-9])${kernel}[ \t\n]*[(]" "\\1${kernel}_reference("
                   head "${head}")
            string(APPEND prototypes "${head};\n")
        endforeach()
        set(wrapper ${folder}/${name}.reference.c)
        set(header ${folder}/${name}.reference.h)
        file(GENERATE OUTPUT ${wrapper} CONTENT
             "/* Generated. The kernels of ${name}.c as plain C. */\n${defines}#include \"${source}\"\n")
        string(MAKE_C_IDENTIFIER "${name}_REFERENCE_H" guard)
        string(TOUPPER ${guard} guard)
        file(GENERATE OUTPUT ${header} CONTENT
"/* Generated. Structs of ${name}.c must be declared before this is included. */
#ifndef ${guard}
#define ${guard}
#include <slipway/kernel.h>
${prototypes}#endif
")
        # A library of its own: none of the target's options may reach the reference.
        string(MAKE_C_IDENTIFIER "${target}_${name}_reference" library)
        add_library(${library} OBJECT ${wrapper})
        set_target_properties(${library} PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF
                              POSITION_INDEPENDENT_CODE ON)
        target_compile_definitions(${library} PRIVATE SLIP_REFERENCE)
        target_compile_options(${library} PRIVATE ${SLIPWAY_REFERENCE_OPTIONS}
            -fno-sanitize=vla-bound -Wno-unknown-pragmas ${arg_OPTIONS})
        get_filename_component(beside ${source} DIRECTORY)
        target_include_directories(${library} PRIVATE ${beside})
        foreach(user ${library} ${target})
            if(TARGET slipway)
                target_include_directories(${user} PRIVATE ${slipway_SOURCE_DIR}/include)
            else()
                target_link_libraries(${user} PRIVATE slipway::slipway)
            endif()
        endforeach()
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${library}>)
    endforeach()
    target_include_directories(${target} PRIVATE ${folder})
    slipway_math_library()
    target_link_libraries(${target} PRIVATE slipway_math m)
endfunction()
