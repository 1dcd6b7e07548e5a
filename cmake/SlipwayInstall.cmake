# SPDX-License-Identifier: Apache-2.0
#
# What is installed: headers, libraries, tools, the CMake package, pkg-config files, man pages, completion.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/slipway)
install(DIRECTORY include/slipway DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(target slipway slipc_library slipway_shared slipc_shared)
    if(TARGET ${target})
        install(TARGETS ${target} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
                LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    endif()
endforeach()
foreach(tool slipc slipway_tool)
    if(TARGET ${tool})
        install(TARGETS ${tool} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    endif()
endforeach()

# The sources of the math library: references are built with it, by the user's compiler.
file(GLOB math_files CONFIGURE_DEPENDS math/*.[ch])
install(FILES ${math_files} DESTINATION ${CMAKE_INSTALL_DATADIR}/slipway/math)

configure_package_config_file(cmake/slipwayConfig.cmake.in
    ${CMAKE_BINARY_DIR}/package/slipwayConfig.cmake INSTALL_DESTINATION ${package_folder}
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR
              CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/slipwayConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/package/slipwayConfig.cmake
        ${CMAKE_BINARY_DIR}/package/slipwayConfigVersion.cmake cmake/SlipwayKernels.cmake
        DESTINATION ${package_folder})

# The prefix is found from where a .pc file lies, so that `cmake --install --prefix` and moved trees work.
set(SLIPWAY_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    string(REGEX REPLACE "/$" "" up ${up})
    set(SLIPWAY_PC_PREFIX "\${pcfiledir}/${up}")
endif()
set(packages slipway)
if(SLIPWAY_COMPILER)
    list(APPEND packages slipc)
endif()
foreach(package IN LISTS packages)
    configure_file(${package}.pc.in ${CMAKE_BINARY_DIR}/package/${package}.pc @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/package/${package}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

file(GLOB pages CONFIGURE_DEPENDS docs/man/*.1)
if(pages)
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
foreach(tool slipway slipc) # found by the command's name
    install(FILES docs/completion/slipway.bash RENAME ${tool}
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endforeach()
# What README.md and the pages have links to.
install(FILES LICENSE README.md ARCHITECTURE.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md"
        PATTERN man EXCLUDE PATTERN completion EXCLUDE PATTERN reference EXCLUDE)
