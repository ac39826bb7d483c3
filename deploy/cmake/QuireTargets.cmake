# One way to declare each kind of target, so that warnings and sanitizers are the same everywhere.

add_library(quire_options INTERFACE)
target_include_directories(quire_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include)
target_compile_options(quire_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wunused -Werror)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(quire_options INTERFACE -Wthread-safety)
else()
  # g++ 12 reports false "restrict" and "dangling" findings inside libstdc++ strings at -O2.
  target_compile_options(quire_options INTERFACE -Wno-restrict)
endif()
if(QUIRE_CHECKED)
  target_compile_definitions(quire_options INTERFACE QUIRE_CHECKED=1)
endif()
if(QUIRE_SANITIZE)
  add_compile_options(-fsanitize=${QUIRE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${QUIRE_SANITIZE})
  if(QUIRE_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()

# quire_library(<layer> SOURCES a.cc … USES target…)
function(quire_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC quire_options ${ARG_USES})
endfunction()

# quire_program(<name> SOURCES a.cc … USES target…): an executable in bin/
function(quire_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_compile_definitions(${name} PRIVATE QUIRE_VERSION="${PROJECT_VERSION}")
  target_link_libraries(${name} PRIVATE quire_options ${ARG_USES})
endfunction()

# quire_test(<name> SOURCES a_test.cc … USES target… [TIMEOUT s] [LABELS …]): one GoogleTest binary,
# one ctest per TEST
include(GoogleTest)
function(quire_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT;LABELS" "SOURCES;USES" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_compile_definitions(${name} PRIVATE QUIRE_BIN_DIR="${CMAKE_BINARY_DIR}/bin"
                                             QUIRE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE quire_options ${ARG_USES} GTest::gmock_main GTest::gmock GTest::gtest)
  set(properties TIMEOUT ${ARG_TIMEOUT})
  if(ARG_LABELS)
    list(APPEND properties LABELS ${ARG_LABELS})
  endif()
  if(QUIRE_SANITIZE STREQUAL "thread")
    list(APPEND properties ENVIRONMENT
         "TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/thread_sanitizer_suppressions.txt")
  endif()
  # The prefix lets a run choose binaries: ctest -R '^unit_volume\.'
  gtest_discover_tests(${name} TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST
                       PROPERTIES ${properties})
endfunction()
