# One set of flags for all our code: target `talus_flags`, linked privately by every target of ours.
# Bits must not depend on what the optimizer fuses, so contraction is off and fast-math is never used.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(TALUS_CCACHE ccache)
if(TALUS_CCACHE)
  # Not by what the compiler says it has read (CCACHE_DEPEND), an eighth less time where nothing is kept: files that are
  # compiled together are named by their whole path, and no other checkout would find their objects.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${TALUS_CCACHE}")
endif()

# Flags that third-party and generated code must share (instrumentation, instruction set).
add_compile_options(-ffp-contract=off)
# __FILE__ without the checkout: files that are compiled together are named by their whole path, and objects that hold it
# would be compiled again in every other checkout, the image's among them.
add_compile_options("-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=")
# gcc looks for garbage from 128 MB on, a seventh of the time to compile what is full of templates. With 1 GB it seldom does,
# and takes up to a third more memory (deploy/build_jobs.sh).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-heapsize=1000000)
endif()
if(TALUS_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-march=${TALUS_ARCH})
endif()
if(TALUS_SANITIZER STREQUAL "address")
  # Without the two checks at every use of a pointer, a third of the time to compile: a null pointer ends a run here
  # anyhow, and what reads bytes is also built with both by the preset `fuzz`.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,alignment -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(TALUS_SANITIZER STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(TALUS_SANITIZER STREQUAL "fuzzer")
  # Clang's. The fuzzers' program links the engine itself (tests/fuzz).
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
    -fsanitize-coverage-ignorelist=${CMAKE_CURRENT_LIST_DIR}/fuzz_coverage_ignored.txt)
  add_link_options(-fsanitize=address,undefined)
elseif(TALUS_SANITIZER)
  message(FATAL_ERROR "TALUS_SANITIZER is '${TALUS_SANITIZER}', must be empty, 'address', 'thread' or 'fuzzer'")
endif()

# talus_unite(TARGET [ENDING text] [AT_ONCE count]): compiles up to so many (14) neighbours of a folder (whose names end
# so, before .cc) at once where TALUS_UNITY is on. Most of what it takes to compile a file is reading headers, so that many
# take little longer than one. Names of a folder's anonymous namespaces must differ for it (tests/tidy/private_names.py).
# Files with flags of their own stay alone.
function(talus_unite target)
  if(NOT TALUS_UNITY)
    return()
  endif()
  cmake_parse_arguments(arg "" "ENDING;AT_ONCE" "" ${ARGN})
  if(NOT arg_AT_ONCE)
    set(arg_AT_ONCE 14)
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "${arg_ENDING}\\.cc$")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR batch "0${count_${folder}} / ${arg_AT_ONCE}")
    math(EXPR count_${folder} "0${count_${folder}} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${batch}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

add_library(talus_flags INTERFACE)
target_compile_options(talus_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  -Woverloaded-virtual -Wimplicit-fallthrough -Werror)
# gcc 12 warns about uninitialised values inside Eigen and std under the sanitizers.
if(TALUS_SANITIZER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(talus_flags INTERFACE -Wno-maybe-uninitialized -Wno-uninitialized)
endif()
# Compiled together, classes of a .cc file are taken for those of a header.
if(TALUS_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(talus_flags INTERFACE -Wno-subobject-linkage)
endif()
# Clang builds the fuzzers only; what it warns about on top of gcc is no reason not to.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(talus_flags INTERFACE -Wno-error -Wno-bitwise-instead-of-logical)
endif()
target_include_directories(talus_flags INTERFACE "${PROJECT_SOURCE_DIR}")
