# Every package we build against, found in one place. deploy/packages.txt names the Debian packages.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED CONFIG)
find_package(absl REQUIRED CONFIG)
find_package(hwy REQUIRED CONFIG)
find_package(PkgConfig REQUIRED)
find_package(OpenSSL REQUIRED)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
# The chunks of recordings and their CRC (server/storage/mcap_writer.h).
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
find_package(ZLIB REQUIRED)
find_package(pugixml REQUIRED)
find_package(nlohmann_json REQUIRED CONFIG)
# MUMPS without MPI has neither a package file nor a config of its own.
find_path(MUMPS_INCLUDE_DIR dmumps_c.h REQUIRED)
find_library(MUMPS_LIBRARY dmumps_seq REQUIRED)
add_library(MUMPS::seq UNKNOWN IMPORTED GLOBAL)
set_target_properties(MUMPS::seq PROPERTIES IMPORTED_LOCATION "${MUMPS_LIBRARY}"
                      INTERFACE_INCLUDE_DIRECTORIES "${MUMPS_INCLUDE_DIR}")
# CMake's own module would link all that the static library needs.
pkg_check_modules(hdf5 REQUIRED hdf5-serial)

# oneTBB is not instrumented for ThreadSanitizer; that build runs the arena on std::thread instead
# (solver/parallel/worker_arena.h).
if(NOT TALUS_SANITIZER STREQUAL "thread")
  find_package(TBB REQUIRED CONFIG)
endif()

if(TALUS_SERVICE)
  find_package(Protobuf REQUIRED)
  find_package(gRPC REQUIRED CONFIG)
  find_package(spdlog REQUIRED CONFIG)
  find_package(CLI11 REQUIRED CONFIG)
  # Of prometheus-cpp only the text form of metrics is used; its own exposer has no place for /healthz.
  find_path(PROMETHEUS_INCLUDE_DIR prometheus/text_serializer.h REQUIRED)
  find_library(PROMETHEUS_CORE_LIBRARY prometheus-cpp-core REQUIRED)
  add_library(prometheus::core UNKNOWN IMPORTED GLOBAL)
  set_target_properties(prometheus::core PROPERTIES IMPORTED_LOCATION "${PROMETHEUS_CORE_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${PROMETHEUS_INCLUDE_DIR}")
  find_path(CIVETWEB_INCLUDE_DIR civetweb.h REQUIRED)
  find_library(CIVETWEB_LIBRARY civetweb REQUIRED)
  add_library(civetweb::civetweb UNKNOWN IMPORTED GLOBAL)
  set_target_properties(civetweb::civetweb PROPERTIES IMPORTED_LOCATION "${CIVETWEB_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${CIVETWEB_INCLUDE_DIR}")
endif()
if(TALUS_TESTS)
  find_package(GTest REQUIRED CONFIG)
  # Whose files are read and written; tests alone use it (docs/decisions/0017-fclib-files.md).
  pkg_check_modules(fclib REQUIRED IMPORTED_TARGET fclib)
endif()
