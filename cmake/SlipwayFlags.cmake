# SPDX-License-Identifier: Apache-2.0
#
# How this project's own C is compiled. `slipway_flags` carries the warnings; sanitizers are for
# everything in the build, or nothing would link.
find_package(Threads REQUIRED)

add_library(slipway_flags INTERFACE)
target_compile_options(slipway_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wstrict-prototypes -Wmissing-prototypes -Wundef
    # gcc's plain -Wshadow also refuses a variable named as a type: `plan *plan`.
    $<IF:$<C_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow>
    -fvisibility=hidden -ffp-contract=off
    # A repeated call runs in caches that the GPU's driver has filled: each stub costs it a line.
    -fno-plt
    "-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=")
target_include_directories(slipway_flags INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
if(SLIPWAY_WERROR)
    target_compile_options(slipway_flags INTERFACE -Werror)
endif()
if(SLIPWAY_TEST_SMALL)
    target_compile_definitions(slipway_flags INTERFACE SLIP_TEST_SMALL)
endif()

if(NOT SLIPWAY_SANITIZE STREQUAL "none")
    add_compile_options(-fsanitize=${SLIPWAY_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${SLIPWAY_SANITIZE})
endif()
