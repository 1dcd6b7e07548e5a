# SPDX-License-Identifier: Apache-2.0
#
# The CMakeLists.txt of a project that uses the installed package, in C and in C++.
cmake_minimum_required(VERSION 3.22)
project(user C CXX)
find_package(slipway REQUIRED)
set(CMAKE_C_FLAGS "-std=c11 -Wall -Wextra -Wpedantic -Werror")
set(CMAKE_CXX_FLAGS "-std=c++17 -Wall -Wextra -Wpedantic -Werror")
add_executable(user main.c)
target_link_libraries(user PRIVATE slipway::slipway)
slipway_add_kernels(user axpy.c)
slipway_add_reference(user axpy.c)
configure_file(main.c user_cxx.cpp COPYONLY)
add_executable(user_cxx ${CMAKE_CURRENT_BINARY_DIR}/user_cxx.cpp)
target_link_libraries(user_cxx PRIVATE slipway::slipway)
slipway_add_kernels(user_cxx axpy.c)
