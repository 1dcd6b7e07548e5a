# SPDX-License-Identifier: Apache-2.0
#
# Turns the headers that kernels see into one C table, builtin_headers (src/front/builtin.h).
# Included: defines slipway_embed_headers(out_var). Run as a script (-P) with OUT and LIST: writes the
# file. Must give the texts byte for byte.
if(CMAKE_SCRIPT_MODE_FILE)
    set(arrays "")
    set(rows "")
    set(number 0)
    foreach(entry IN LISTS LIST) # file=name under the virtual folder
        string(REGEX REPLACE "=.*" "" file "${entry}")
        string(REGEX REPLACE ".*=" "" name "${entry}")
        file(READ ${file} hex HEX)
        string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
        string(REGEX REPLACE "(................................................................................)"
               "\\1\n" bytes "${bytes}")
        string(APPEND arrays "static const char text_${number}[] = {\n${bytes}0\n};\n")
        string(APPEND rows
               "    { BUILTIN_DIR \"/${name}\", text_${number}, sizeof text_${number} - 1 },\n")
        math(EXPR number "${number} + 1")
    endforeach()
    file(WRITE ${OUT} "/* Made by cmake/EmbedText.cmake from the headers' files. */\n"
         "#include \"front/builtin.h\"\n\n${arrays}\n"
         "const builtin_header builtin_headers[] = {\n${rows}};\n"
         "const uint32_t builtin_header_count = ${number};\n")
    return()
endif()

set(SLIPWAY_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

# Adds the generated file to the list named by `sources_var`.
function(slipway_embed_headers sources_var)
    file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/front/builtin/*.h)
    set(out ${CMAKE_BINARY_DIR}/front_builtin_headers.c)
    set(list "${CMAKE_SOURCE_DIR}/include/slipway/kernel.h=slipway/kernel.h")
    foreach(header IN LISTS headers)
        get_filename_component(name ${header} NAME)
        list(APPEND list "${header}=${name}")
    endforeach()
    add_custom_command(OUTPUT ${out}
        COMMAND ${CMAKE_COMMAND} "-DOUT=${out}" "-DLIST=${list}" -P ${SLIPWAY_EMBED_SCRIPT}
        DEPENDS ${headers} ${CMAKE_SOURCE_DIR}/include/slipway/kernel.h ${SLIPWAY_EMBED_SCRIPT}
        VERBATIM COMMENT "Embedding the kernel headers")
    set(${sources_var} ${${sources_var}} ${out} PARENT_SCOPE)
endfunction()

# The math library as IR text (src/mathlib): made by a program of the compiler's first layers.
function(slipway_embed_math sources_var)
    file(GLOB math_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/math/*.c)
    file(GLOB math_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/math/*.h)
    add_executable(slipway_math_ir ${CMAKE_SOURCE_DIR}/math/generate/math_ir.c
        $<TARGET_OBJECTS:layer_base> $<TARGET_OBJECTS:layer_module>
        $<TARGET_OBJECTS:layer_module_write> $<TARGET_OBJECTS:layer_ir> $<TARGET_OBJECTS:layer_front>)
    target_link_libraries(slipway_math_ir PRIVATE slipway_flags slipway_llvm Threads::Threads
                          ${CMAKE_DL_LIBS} m)
    set(out ${CMAKE_BINARY_DIR}/mathlib_rows.c)
    add_custom_command(OUTPUT ${out}
        COMMAND slipway_math_ir ${out} ${CMAKE_SOURCE_DIR}/include ${math_sources}
        DEPENDS slipway_math_ir ${math_sources} ${math_headers} ${CMAKE_SOURCE_DIR}/include/slipway/slip_math.h
        VERBATIM COMMENT "Turning the math library into IR")
    set_source_files_properties(${out} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
    set(${sources_var} ${${sources_var}} ${out} PARENT_SCOPE)
endfunction()
