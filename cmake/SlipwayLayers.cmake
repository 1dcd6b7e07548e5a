# SPDX-License-Identifier: Apache-2.0
#
# Layers of src/ as object libraries, and the two libraries and tools made of them.
#
# A static library is one object: its layers are linked with `ld -r` and the hidden names made
# local, so that only slip_ and slipc_ names remain and both libraries, each with its own copy of
# base/, can stand in one program.

include(${CMAKE_CURRENT_LIST_DIR}/EmbedText.cmake)

# Reads src/LAYERS: sets SLIPWAY_LAYERS, and SLIPWAY_USES_<layer> for each.
function(slipway_read_layers)
    file(STRINGS ${CMAKE_SOURCE_DIR}/src/LAYERS rows REGEX "^[a-z_]+:")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/LAYERS)
    set(layers "")
    foreach(row IN LISTS rows)
        string(REGEX REPLACE "#.*" "" row "${row}")
        string(REGEX MATCH "^[a-z_]+" layer "${row}")
        string(REGEX REPLACE "^[a-z_]+:" "" uses "${row}")
        separate_arguments(uses UNIX_COMMAND "${uses}")
        list(APPEND layers ${layer})
        set(SLIPWAY_USES_${layer} "${uses}" PARENT_SCOPE)
    endforeach()
    set(SLIPWAY_LAYERS "${layers}" PARENT_SCOPE)
endfunction()

function(slipway_object_layer name)
    if(NOT ARGN)
        return()
    endif()
    add_library(layer_${name} OBJECT ${ARGN})
    target_link_libraries(layer_${name} PRIVATE slipway_flags)
    if(name MATCHES "^(front|target|compile)$")
        target_link_libraries(layer_${name} PRIVATE slipway_llvm)
        target_compile_definitions(layer_${name} PRIVATE
            SLIPWAY_SOURCE_INCLUDE="${CMAKE_SOURCE_DIR}/include"
            SLIPWAY_INSTALL_INCLUDE="${CMAKE_INSTALL_FULL_INCLUDEDIR}"
            SLIPWAY_LLVM_BIN="${SLIPWAY_LLVM_BIN}")
    endif()
endfunction()

# One object library per folder with sources. The writers of module/ are apart: only the compiler
# writes modules.
macro(slipway_layers)
    slipway_read_layers()
    foreach(layer IN LISTS SLIPWAY_LAYERS)
        file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${layer}/*.c)
        if(layer STREQUAL "module")
            set(writers ${sources})
            list(FILTER writers INCLUDE REGEX "/[^/]*write[^/]*$")
            list(FILTER sources EXCLUDE REGEX "/[^/]*write[^/]*$")
            slipway_object_layer(module_write ${writers})
        endif()
        if(layer MATCHES "^(ir|front|target|mathlib|compile)$" AND NOT SLIPWAY_COMPILER)
            set(sources "")
        endif()
        if(layer STREQUAL "front" AND sources)
            slipway_embed_headers(sources)
        endif()
        if(layer STREQUAL "mathlib" AND sources)
            slipway_embed_math(sources)
        endif()
        slipway_object_layer(${layer} ${sources})
    endforeach()
endmacro()

# slipway_library(slipc base ...): target `slipway`, or `slipc_library` (slipc is the tool).
function(slipway_library name)
    set(objects "")
    foreach(layer IN LISTS ARGN)
        if(TARGET layer_${layer})
            list(APPEND objects $<TARGET_OBJECTS:layer_${layer}>)
        endif()
    endforeach()
    set(target ${name})
    if(name STREQUAL "slipc")
        set(target slipc_library)
    endif()
    set(whole ${CMAKE_BINARY_DIR}/lib${name}.whole.o)
    add_custom_command(OUTPUT ${whole}
        COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${whole} ${objects}
        COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${whole}
        DEPENDS ${objects} COMMAND_EXPAND_LISTS VERBATIM
        COMMENT "Linking lib${name} into one object")
    set_source_files_properties(${whole} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    add_library(${target} STATIC ${whole})
    foreach(layer IN LISTS ARGN) # for Makefiles: one target cannot make another's objects
        if(TARGET layer_${layer})
            add_dependencies(${target} layer_${layer})
        endif()
    endforeach()
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C
                          ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} EXPORT_NAME lib${name})
    target_include_directories(${target} INTERFACE
        $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    if(SLIPWAY_SHARED)
        add_library(${name}_shared SHARED ${objects})
        set_target_properties(${name}_shared PROPERTIES OUTPUT_NAME ${name} VERSION ${PROJECT_VERSION}
                              SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE C
                              LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
        target_link_libraries(${name}_shared PRIVATE Threads::Threads ${CMAKE_DL_LIBS} m)
        if(name STREQUAL "slipc")
            target_link_libraries(${name}_shared PRIVATE slipway_llvm)
        endif()
        target_include_directories(${name}_shared INTERFACE ${CMAKE_SOURCE_DIR}/include)
    endif()
endfunction()

# tools/slipc.c makes slipc; tools/slipway.c and cmd_*.c make slipway, which compiles kernel files
# itself where the compiler is built. Other files of tools/ are an archive for both and their tests.
function(slipway_tools)
    file(GLOB common CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/*.c)
    set(commands ${common})
    list(FILTER common EXCLUDE REGEX "/(slipc|slipway|cmd_[^/]*)\\.c$")
    list(FILTER commands INCLUDE REGEX "/(slipway|cmd_[^/]*)\\.c$")
    add_library(tool_options INTERFACE)
    target_link_libraries(tool_options INTERFACE slipway_flags)
    target_compile_definitions(tool_options INTERFACE
        SLIPWAY_SOURCE_INCLUDE="${CMAKE_SOURCE_DIR}/include"
        $<$<BOOL:${SLIPWAY_COMPILER}>:SLIPWAY_WITH_COMPILER>)
    if(common)
        add_library(tool_common STATIC ${common})
        target_include_directories(tool_common PUBLIC ${CMAKE_SOURCE_DIR}/tools)
        target_link_libraries(tool_common PRIVATE tool_options PUBLIC slipway)
    endif()
    if(EXISTS ${CMAKE_SOURCE_DIR}/tools/slipc.c AND SLIPWAY_COMPILER)
        slipway_tool(slipc slipc ${CMAKE_SOURCE_DIR}/tools/slipc.c)
    endif()
    if(EXISTS ${CMAKE_SOURCE_DIR}/tools/slipway.c)
        slipway_tool(slipway_tool slipway ${commands})
    endif()
endfunction()

function(slipway_tool target name)
    add_executable(${target} ${ARGN})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}
                          RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
    target_link_libraries(${target} PRIVATE tool_options slipway)
    if(TARGET tool_common)
        target_link_libraries(${target} PRIVATE tool_common)
    endif()
    if(SLIPWAY_COMPILER)
        target_link_libraries(${target} PRIVATE slipc_library)
    endif()
endfunction()
