# SPDX-License-Identifier: Apache-2.0
#
# Every tests/<layer>/<name>_test.c is one program, test_<layer>_<name>, registered with CTest as
# <layer>/<name> and linked to the objects of its layer and of the layers that one may use.
#
# Other .c files of the folder are helpers: an archive that its tests link.
#
# tests/<folder>/CMakeLists.txt, where there is one, comes after and may add to these targets
# (kernels, arguments). Tests of tools/ use the public libraries alone.

# What sanitizers must know of other libraries.
set(SLIPWAY_TEST_ENVIRONMENT
    LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/vulkan/leaks.txt:print_suppressions=0)

# slipway_add_test(layer/name command...): a test that runs at the top of the source tree. What the
# Vulkan validation layer has to say of it (SLIPWAY_VULKAN_VALIDATE=1) fails it.
function(slipway_add_test name)
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES TIMEOUT 900
                         ENVIRONMENT "${SLIPWAY_TEST_ENVIRONMENT}"
                         FAIL_REGULAR_EXPRESSION "slipway: vulkan validation:")
endfunction()

# slipway_vulkan_test(name target arguments...): test NAME.vulkan, the program on a Vulkan device,
# which SLIPWAY_TEST_FAMILY and SLIPWAY_DEVICE then name. Where there is none CTest says skipped, or
# failed if SLIPWAY_REQUIRE names vulkan. Lavapipe and such run tasks on all cores.
function(slipway_vulkan_test name target)
    if(TARGET ${target})
        set(target $<TARGET_FILE:${target}>)
    endif()
    slipway_add_test(${name}.vulkan on_vulkan ${target} ${ARGN})
    set_tests_properties(${name}.vulkan PROPERTIES SKIP_RETURN_CODE 77 PROCESSORS 2
                         ENVIRONMENT "${SLIPWAY_TEST_ENVIRONMENT};SLIPWAY_CACHE=0")
endfunction()

set(SLIPWAY_LOOK_ALIKES_FROM "" CACHE PATH
    "A build with slipc, whose kernels the look-alikes' thread tests take in a build without")
set(SLIPWAY_GPU_CODE ${CMAKE_BINARY_DIR}/gpu_code)
if(SLIPWAY_LOOK_ALIKES_FROM)
    set(SLIPWAY_GPU_CODE ${SLIPWAY_LOOK_ALIKES_FROM}/gpu_code)
endif()

# slipway_gpu_test(name cuda|hip target arguments...): test NAME.cuda, the program on the look-alike of
# that vendor's driver (tests/fake), whose work runs in an order drawn by a seed, or late; on a real device where
# SLIPWAY_REQUIRE names the family. Whatever the look-alike finds wrong fails the test.
function(slipway_gpu_test name family target)
    if(TARGET ${target})
        set(target $<TARGET_FILE:${target}>)
    endif()
    set(library none) # nothing makes what a look-alike would run
    if(SLIPWAY_LOOK_ALIKES_FROM OR (TARGET slipc AND NOT CMAKE_CROSSCOMPILING))
        set(library $<TARGET_FILE:fake_${family}>)
    endif()
    set(schedule random)
    if(family STREQUAL "hip")
        set(schedule lazy) # what is queued runs when it must, and no sooner
    endif()
    slipway_add_test(${name}.${family} on_gpu ${family} ${library} ${target} ${ARGN})
    set_tests_properties(${name}.${family} PROPERTIES SKIP_RETURN_CODE 77
        ENVIRONMENT "${SLIPWAY_TEST_ENVIRONMENT};SLIPFAKE_CODE=${SLIPWAY_GPU_CODE};SLIPFAKE_SCHEDULE=${schedule}"
        FAIL_REGULAR_EXPRESSION "slipfake: ")
endfunction()

# slipway_gpu_code(target kernels...): what look-alikes run in the place of these files' GPU code, which
# slipway_add_kernels compiles for the target.
function(slipway_gpu_code target)
    if(NOT TARGET slipc OR CMAKE_CROSSCOMPILING)
        return()
    endif()
    file(MAKE_DIRECTORY ${SLIPWAY_GPU_CODE})
    foreach(source IN LISTS ARGN)
        get_filename_component(name ${source} NAME_WE)
        set(module ${CMAKE_CURRENT_BINARY_DIR}/slipway_kernels/${name}.slip)
        add_custom_command(OUTPUT ${module}.blobs
            COMMAND fake_module --folder ${SLIPWAY_GPU_CODE} ${module}
            COMMAND ${CMAKE_COMMAND} -E touch ${module}.blobs
            DEPENDS ${module} fake_module VERBATIM COMMENT "Code of ${name}.c for the look-alikes")
        target_sources(${target} PRIVATE ${module}.blobs)
    endforeach()
    add_dependencies(${target} fake_cuda fake_hip on_gpu)
endfunction()

# slipway_test_program(target sources...): a program with the checks, not yet registered.
function(slipway_test_program target)
    add_executable(${target} ${ARGN})
    target_link_libraries(${target} PRIVATE slipway_flags test_support)
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    target_compile_definitions(${target} PRIVATE CHECK_ROOT="${CMAKE_SOURCE_DIR}"
                               CHECK_BUILD="${CMAKE_BINARY_DIR}")
endfunction()

# A layer and those it may use, as archives, so that a test takes in what it names and no more; LLVM
# where a layer needs it.
function(slipway_link_layers target)
    set(layers ${ARGN})
    list(REVERSE layers) # users before what they use; base comes last
    list(TRANSFORM layers REPLACE "^module$" "module_write;module")
    set(archives "")
    foreach(layer IN LISTS layers)
        if(TARGET layer_${layer})
            if(NOT TARGET archive_${layer})
                add_library(archive_${layer} STATIC $<TARGET_OBJECTS:layer_${layer}>)
                set_target_properties(archive_${layer} PROPERTIES LINKER_LANGUAGE C)
            endif()
            list(APPEND archives archive_${layer})
        endif()
        if(layer MATCHES "^(front|target|compile)$")
            target_link_libraries(${target} PRIVATE slipway_llvm)
        endif()
    endforeach()
    target_link_libraries(${target} PRIVATE ${archives} Threads::Threads ${CMAKE_DL_LIBS} m)
endfunction()

function(slipway_layer_tests layer)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${layer}/*_test.c)
    if(layer MATCHES "^(ir|front|target|mathlib|compile)$" AND NOT SLIPWAY_COMPILER)
        return()
    endif()
    file(GLOB helpers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${layer}/*.c)
    list(FILTER helpers EXCLUDE REGEX "(_test|_runner)\\.c$") # a runner is built for another machine
    if(helpers AND sources)
        add_library(test_${layer}_helpers STATIC ${helpers})
        target_link_libraries(test_${layer}_helpers PRIVATE slipway_flags test_support)
        target_include_directories(test_${layer}_helpers PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    endif()
    foreach(source IN LISTS sources)
        get_filename_component(name ${source} NAME)
        string(REGEX REPLACE "_test\\.c$" "" name ${name})
        set(target test_${layer}_${name})
        slipway_test_program(${target} ${source})
        if(layer STREQUAL "tools")
            target_compile_definitions(${target} PRIVATE CHECK_PUBLIC)
            target_link_libraries(${target} PRIVATE tool_options tool_common slipway)
            foreach(tool slipc slipway_tool)
                if(TARGET ${tool})
                    add_dependencies(${target} ${tool})
                endif()
            endforeach()
        else()
            if(TARGET test_${layer}_helpers)
                target_link_libraries(${target} PRIVATE test_${layer}_helpers)
            endif()
            slipway_link_layers(${target} ${SLIPWAY_USES_${layer}} ${layer})
        endif()
        slipway_add_test(${layer}/${name} ${target})
    endforeach()
endfunction()

# The checks on the source and on what was built.
function(slipway_house_checks)
    foreach(check layers headers spdx)
        if(EXISTS ${CMAKE_SOURCE_DIR}/dev/check_${check}.sh)
            slipway_add_test(house/${check} ${CMAKE_SOURCE_DIR}/dev/check_${check}.sh)
        endif()
    endforeach()
    foreach(pair "slipway:slip_" "slipc_library:slipc_")
        string(REPLACE ":" ";" pair ${pair})
        list(GET pair 0 target)
        list(GET pair 1 prefix)
        if(TARGET ${target} AND EXISTS ${CMAKE_SOURCE_DIR}/dev/check_exports.sh)
            slipway_add_test(house/exports_${target} ${CMAKE_SOURCE_DIR}/dev/check_exports.sh
                             $<TARGET_FILE:${target}> ${prefix})
        endif()
    endforeach()
endfunction()

function(slipway_tests)
    find_library(SLIPWAY_CMOCKA_LIBRARY cmocka)
    find_path(SLIPWAY_CMOCKA_HEADERS cmocka.h)
    if(NOT SLIPWAY_CMOCKA_LIBRARY OR NOT SLIPWAY_CMOCKA_HEADERS)
        message(FATAL_ERROR "the tests need cmocka (package libcmocka-dev), or SLIPWAY_TESTS=OFF")
    endif()
    # An archive: a program takes in only the fakes that it names.
    file(GLOB support CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/support/*.c
         ${CMAKE_SOURCE_DIR}/tests/fake/*.c)
    add_library(test_support STATIC ${support})
    target_link_libraries(test_support PRIVATE slipway_flags PUBLIC ${SLIPWAY_CMOCKA_LIBRARY} m)
    target_include_directories(test_support SYSTEM PUBLIC ${SLIPWAY_CMOCKA_HEADERS})
    target_include_directories(test_support PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    target_compile_definitions(test_support PRIVATE CHECK_ROOT="${CMAKE_SOURCE_DIR}")

    foreach(layer IN LISTS SLIPWAY_LAYERS ITEMS tools)
        slipway_layer_tests(${layer})
    endforeach()
    file(GLOB folders ${CMAKE_SOURCE_DIR}/tests/*/CMakeLists.txt)
    foreach(folder IN LISTS folders)
        get_filename_component(folder ${folder} DIRECTORY)
        add_subdirectory(${folder})
    endforeach()
    slipway_house_checks()
endfunction()
