# SPDX-License-Identifier: Apache-2.0
#
# Finds LLVM 19 and libclang 19 and makes `slipway_llvm` of them; settles SLIPWAY_COMPILER to ON or
# OFF. Must say plainly which, and what is missing.
if(NOT SLIPWAY_COMPILER MATCHES "^(ON|OFF|AUTO)$")
    message(FATAL_ERROR "SLIPWAY_COMPILER is \"${SLIPWAY_COMPILER}\"; it takes ON, OFF or AUTO")
endif()
if(NOT SLIPWAY_COMPILER STREQUAL "OFF")
    set(missing "")
    find_program(SLIPWAY_LLVM_CONFIG NAMES llvm-config-19 llvm-config
                 HINTS /usr/lib/llvm-19/bin DOC "llvm-config of LLVM 19")
    if(SLIPWAY_LLVM_CONFIG)
        execute_process(COMMAND ${SLIPWAY_LLVM_CONFIG} --version OUTPUT_VARIABLE llvm_version
                        OUTPUT_STRIP_TRAILING_WHITESPACE)
        execute_process(COMMAND ${SLIPWAY_LLVM_CONFIG} --includedir OUTPUT_VARIABLE llvm_include
                        OUTPUT_STRIP_TRAILING_WHITESPACE)
        execute_process(COMMAND ${SLIPWAY_LLVM_CONFIG} --libdir OUTPUT_VARIABLE llvm_lib
                        OUTPUT_STRIP_TRAILING_WHITESPACE)
        execute_process(COMMAND ${SLIPWAY_LLVM_CONFIG} --bindir OUTPUT_VARIABLE SLIPWAY_LLVM_BIN
                        OUTPUT_STRIP_TRAILING_WHITESPACE)
        execute_process(COMMAND ${SLIPWAY_LLVM_CONFIG} --targets-built OUTPUT_VARIABLE llvm_targets
                        OUTPUT_STRIP_TRAILING_WHITESPACE)
        separate_arguments(llvm_targets)
        foreach(wanted X86 AArch64 NVPTX AMDGPU)
            if(NOT wanted IN_LIST llvm_targets)
                string(APPEND missing " LLVM's target ${wanted} (this LLVM was built without it)")
            endif()
        endforeach()
    else()
        string(APPEND missing " llvm-config-19 (package llvm-19-dev)")
    endif()
    if(SLIPWAY_LLVM_CONFIG AND NOT llvm_version MATCHES "^19\\.")
        string(APPEND missing " LLVM 19 (${SLIPWAY_LLVM_CONFIG} is ${llvm_version})")
    endif()
    find_path(SLIPWAY_LLVM_HEADERS llvm-c/Core.h HINTS ${llvm_include} NO_DEFAULT_PATH)
    find_library(SLIPWAY_LLVM_LIBRARY NAMES LLVM-19 LLVM HINTS ${llvm_lib} NO_DEFAULT_PATH)
    find_path(SLIPWAY_CLANG_HEADERS clang-c/Index.h HINTS ${llvm_include} NO_DEFAULT_PATH)
    find_library(SLIPWAY_CLANG_LIBRARY NAMES clang-19 clang HINTS ${llvm_lib} NO_DEFAULT_PATH)
    if(NOT SLIPWAY_LLVM_HEADERS OR NOT SLIPWAY_LLVM_LIBRARY)
        string(APPEND missing " the LLVM 19 library and headers (package llvm-19-dev)")
    endif()
    if(NOT SLIPWAY_CLANG_HEADERS OR NOT SLIPWAY_CLANG_LIBRARY)
        string(APPEND missing " libclang 19 (package libclang-19-dev)")
    endif()

    if(missing AND SLIPWAY_COMPILER STREQUAL "AUTO")
        message(STATUS "slipway: the compiler is left out; missing:${missing}")
        set(SLIPWAY_COMPILER OFF)
    elseif(missing)
        message(FATAL_ERROR "SLIPWAY_COMPILER=${SLIPWAY_COMPILER} needs:${missing}")
    else()
        set(SLIPWAY_COMPILER ON)
        add_library(slipway_llvm INTERFACE)
        target_include_directories(slipway_llvm SYSTEM INTERFACE ${llvm_include})
        target_link_libraries(slipway_llvm INTERFACE ${SLIPWAY_CLANG_LIBRARY} ${SLIPWAY_LLVM_LIBRARY})
    endif()
endif()
