# How every target of attest is compiled: C++20, warnings, and floating point that means what it says.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)

if(CMAKE_CXX_FLAGS MATCHES "-(ffast-math|Ofast|funsafe-math-optimizations)")
  message(FATAL_ERROR "attest proves roundings: it can't be built with ${CMAKE_MATCH_0}")
endif()

# g++ 12 sees overlapping copies in "literal" + string where there are none (GCC bug 105651), and takes the room inside a
# string for all that it has.
set(attest_false_warnings
    "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<COMPILE_LANGUAGE:CXX>>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>"
)

# Usage requirements shared by the layers, the program and the tests.
add_library(attest_options INTERFACE)
target_include_directories(attest_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(
  attest_options
  INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow
            ${attest_false_warnings} $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual>
            $<$<BOOL:${ATTEST_WERROR}>:-Werror>
            $<$<BOOL:${ATTEST_SANITIZE}>:-fsanitize=address,undefined
            -fno-sanitize-recover=undefined>)
target_link_options(attest_options INTERFACE
                    $<$<BOOL:${ATTEST_SANITIZE}>:-fsanitize=address,undefined>)

# For code whose speed nobody would notice, all but the reference and the derivation: it takes most of the time to compile.
add_library(attest_hardly_optimised INTERFACE)
target_compile_options(attest_hardly_optimised INTERFACE -O1)

find_program(ATTEST_CCACHE ccache)
if(ATTEST_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${ATTEST_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ATTEST_CCACHE})
endif()

# attest_precompile(TARGET HEADERS...): the headers that most of its sources need are compiled once; not beside ccache, which
# would then keep nothing.
function(attest_precompile target)
  if(NOT ATTEST_CCACHE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# attest_layer(NAME SOURCES... ): the library attest_NAME, known to others as attest::NAME.
function(attest_layer name)
  add_library(attest_${name} STATIC ${ARGN})
  add_library(attest::${name} ALIAS attest_${name})
  set_target_properties(attest_${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(attest_${name} PRIVATE $<BUILD_INTERFACE:attest_options>)
  target_include_directories(
    attest_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                          $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/attest>)
  attest_precompile(
    attest_${name}
    <algorithm>
    <cmath>
    <functional>
    <map>
    <memory>
    <optional>
    <span>
    <string>
    <vector>)
endfunction()
