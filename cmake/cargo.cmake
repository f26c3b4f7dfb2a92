# Cargo builds the library, this file puts it in place and describes it to CMake:
#   <build>/lib[/<config>]   the files as they will be installed, links included
#   stiction::shared, stiction::static, and stiction::stiction for the one STICTION_SHARED chooses
#   stiction::cpp, which adds the header-only C++17 binding

include(native-libs.cmake)

find_program(STICTION_CARGO cargo HINTS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin"
             "$ENV{USERPROFILE}/.cargo/bin" DOC "The cargo that builds Stiction")
if(NOT STICTION_CARGO)
  message(FATAL_ERROR "Stiction is built by cargo, which was not found. Install Rust "
                      "(https://rustup.rs) or set STICTION_CARGO to its path.")
endif()
set(STICTION_CARGO_FLAGS "" CACHE STRING "More arguments for cargo build, for example --offline")
# The environment may name one folder for several build trees, so that only the first one compiles.
set(stiction_cargo_default "${CMAKE_CURRENT_BINARY_DIR}/cargo")
if(DEFINED ENV{STICTION_CARGO_TARGET_DIR})
  set(stiction_cargo_default "$ENV{STICTION_CARGO_TARGET_DIR}")
endif()
set(STICTION_CARGO_TARGET_DIR "${stiction_cargo_default}" CACHE PATH
    "Where cargo keeps its intermediate files")

# ---- target -------------------------------------------------------------------------------------
# Rust and C compiler must agree on the platform. On Linux the default of cargo is right unless one
# cross-compiles; on Windows the two worlds (MSVC, MinGW) and on macOS the two processors are told apart.
set(stiction_triple "")
if(WIN32)
  set(stiction_arch x86_64)
  if(CMAKE_SIZEOF_VOID_P EQUAL 4)
    set(stiction_arch i686)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(ARM64|aarch64)$")
    set(stiction_arch aarch64)
  endif()
  if(MSVC)
    set(stiction_triple "${stiction_arch}-pc-windows-msvc")
  else()
    set(stiction_triple "${stiction_arch}-pc-windows-gnu")
  endif()
elseif(APPLE AND CMAKE_OSX_ARCHITECTURES)
  list(LENGTH CMAKE_OSX_ARCHITECTURES stiction_count)
  if(stiction_count GREATER 1 AND NOT STICTION_RUST_TARGET)
    message(FATAL_ERROR "Stiction builds one architecture at a time: "
                        "CMAKE_OSX_ARCHITECTURES is \"${CMAKE_OSX_ARCHITECTURES}\"")
  endif()
  string(REPLACE "arm64" "aarch64" stiction_arch "${CMAKE_OSX_ARCHITECTURES}")
  set(stiction_triple "${stiction_arch}-apple-darwin")
endif()
set(STICTION_RUST_TARGET "${stiction_triple}" CACHE STRING
    "Rust target triple; empty: cargo's default, needed when cross-compiling")
if(CMAKE_CROSSCOMPILING AND NOT STICTION_RUST_TARGET)
  message(FATAL_ERROR "Cross-compiling: set STICTION_RUST_TARGET, for example aarch64-unknown-linux-gnu")
endif()
set(stiction_target_arg)
set(stiction_target_dir "${STICTION_CARGO_TARGET_DIR}")
if(STICTION_RUST_TARGET)
  set(stiction_target_arg --target "${STICTION_RUST_TARGET}")
  set(stiction_target_dir "${STICTION_CARGO_TARGET_DIR}/${STICTION_RUST_TARGET}")
endif()

# ---- configuration ------------------------------------------------------------------------------
# Debug is cargo's dev profile, RelWithDebInfo is release with line tables, everything else release;
# nobody gets a slow solver because CMAKE_BUILD_TYPE was left empty.
get_property(stiction_multi GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
set(stiction_stage "${CMAKE_CURRENT_BINARY_DIR}/lib")
if(stiction_multi)
  if(CMAKE_GENERATOR STREQUAL "Ninja Multi-Config" AND CMAKE_VERSION VERSION_LESS 3.20)
    message(FATAL_ERROR "Stiction needs CMake 3.20 for the generator \"Ninja Multi-Config\"")
  endif()
  string(APPEND stiction_stage "/$<CONFIG>")
endif()
set(stiction_debug "$<CONFIG:Debug>")
set(stiction_relwithdebinfo "$<CONFIG:RelWithDebInfo>")
set(stiction_profile "$<IF:${stiction_debug},dev,$<IF:${stiction_relwithdebinfo},relwithdebinfo,release>>")
set(stiction_folder "$<IF:${stiction_debug},debug,$<IF:${stiction_relwithdebinfo},relwithdebinfo,release>>")
set(stiction_out "${stiction_target_dir}/${stiction_folder}")

# ---- names --------------------------------------------------------------------------------------
# build.rs writes the same SONAME into the library.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(stiction_abi "0.${PROJECT_VERSION_MINOR}")
else()
  set(stiction_abi "${PROJECT_VERSION_MAJOR}")
endif()
# cargo's name of each file, and ours; the links that lead to it; the import library of Windows
set(stiction_links)
set(stiction_implib)
if(WIN32)
  set(stiction_cargo_shared stiction.dll)
  set(stiction_shared stiction.dll)
  if(MSVC)
    set(stiction_static stiction.lib)
    set(stiction_implib stiction.dll.lib)
  else()
    set(stiction_static libstiction.a)
    set(stiction_implib libstiction.dll.a)
  endif()
elseif(APPLE)
  set(stiction_cargo_shared libstiction.dylib)
  set(stiction_shared "libstiction.${PROJECT_VERSION}.dylib")
  set(stiction_soname "libstiction.${stiction_abi}.dylib")
  set(stiction_soname_property "@rpath/${stiction_soname}")
  set(stiction_links "${stiction_soname}" libstiction.dylib)
  set(stiction_static libstiction.a)
else()
  set(stiction_cargo_shared libstiction.so)
  set(stiction_shared "libstiction.so.${PROJECT_VERSION}")
  set(stiction_soname "libstiction.so.${stiction_abi}")
  set(stiction_soname_property "${stiction_soname}")
  set(stiction_links "${stiction_soname}" libstiction.so)
  set(stiction_static libstiction.a)
endif()

# ---- build --------------------------------------------------------------------------------------
set(stiction_stage_commands
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${stiction_stage}"
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${stiction_out}/${stiction_cargo_shared}"
            "${stiction_stage}/${stiction_shared}"
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${stiction_out}/${stiction_static}"
            "${stiction_stage}/${stiction_static}")
set(stiction_files "${stiction_stage}/${stiction_shared}" "${stiction_stage}/${stiction_static}")
if(stiction_implib)
  list(APPEND stiction_stage_commands
       COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${stiction_out}/${stiction_implib}"
               "${stiction_stage}/${stiction_implib}")
  list(APPEND stiction_files "${stiction_stage}/${stiction_implib}")
endif()
# libstiction.so -> libstiction.so.0.1 -> libstiction.so.0.1.0
set(stiction_to "${stiction_shared}")
foreach(link IN LISTS stiction_links)
  list(APPEND stiction_stage_commands
       COMMAND "${CMAKE_COMMAND}" -E create_symlink "${stiction_to}" "${stiction_stage}/${link}")
  set(stiction_to "${link}")
endforeach()

# Cargo knows best what is out of date, so it is asked at every build; files that did not change keep
# their time and relink nothing. Ninja must know who makes the files: BYPRODUCTS.
set(stiction_all)
if(stiction_top_level OR STICTION_INSTALL)
  set(stiction_all ALL)
endif()
set(stiction_byproducts)
if(NOT stiction_multi OR NOT CMAKE_VERSION VERSION_LESS 3.20)
  set(stiction_byproducts BYPRODUCTS ${stiction_files})
endif()
separate_arguments(stiction_flags NATIVE_COMMAND "${STICTION_CARGO_FLAGS}")
add_custom_target(stiction_cargo ${stiction_all}
  COMMAND "${STICTION_CARGO}" build --lib --locked
          --manifest-path "${STICTION_ROOT}/Cargo.toml" --target-dir "${STICTION_CARGO_TARGET_DIR}"
          --config "profile.relwithdebinfo.inherits='release'"
          --config "profile.relwithdebinfo.debug=true"
          --profile "${stiction_profile}" ${stiction_target_arg} ${stiction_flags}
  ${stiction_stage_commands}
  ${stiction_byproducts}
  WORKING_DIRECTORY "${STICTION_ROOT}"
  COMMENT "cargo builds Stiction ${PROJECT_VERSION}"
  USES_TERMINAL VERBATIM)

# ---- targets ------------------------------------------------------------------------------------
add_library(stiction::shared SHARED IMPORTED GLOBAL)
add_library(stiction::static STATIC IMPORTED GLOBAL)
add_library(stiction::stiction INTERFACE IMPORTED GLOBAL)

# Sets the place of each library for one configuration; suffix is empty or _<CONFIG>.
function(stiction_locate suffix folder)
  set_property(TARGET stiction::shared PROPERTY "IMPORTED_LOCATION${suffix}" "${folder}/${stiction_shared}")
  set_property(TARGET stiction::static PROPERTY "IMPORTED_LOCATION${suffix}" "${folder}/${stiction_static}")
  if(stiction_implib)
    set_property(TARGET stiction::shared PROPERTY "IMPORTED_IMPLIB${suffix}" "${folder}/${stiction_implib}")
  else()
    set_property(TARGET stiction::shared PROPERTY "IMPORTED_SONAME${suffix}" "${stiction_soname_property}")
  endif()
endfunction()
if(stiction_multi)
  foreach(config IN LISTS CMAKE_CONFIGURATION_TYPES)
    string(TOUPPER "${config}" upper)
    stiction_locate("_${upper}" "${CMAKE_CURRENT_BINARY_DIR}/lib/${config}")
    set_property(TARGET stiction::shared stiction::static APPEND PROPERTY IMPORTED_CONFIGURATIONS "${upper}")
  endforeach()
else()
  stiction_locate("" "${stiction_stage}")
endif()

set_property(TARGET stiction::shared stiction::static PROPERTY
             INTERFACE_INCLUDE_DIRECTORIES "${STICTION_ROOT}/include")
# The header imports from the DLL on Windows when it sees this.
set_property(TARGET stiction::shared PROPERTY INTERFACE_COMPILE_DEFINITIONS STN_SHARED)
set_property(TARGET stiction::static PROPERTY INTERFACE_LINK_LIBRARIES "${STICTION_NATIVE_LIBS}")
if(STICTION_SHARED)
  set_property(TARGET stiction::stiction PROPERTY INTERFACE_LINK_LIBRARIES stiction::shared)
else()
  set_property(TARGET stiction::stiction PROPERTY INTERFACE_LINK_LIBRARIES stiction::static)
endif()
# The C++ binding: headers and a language level, nothing to compile here.
add_library(stiction::cpp INTERFACE IMPORTED GLOBAL)
set_target_properties(stiction::cpp PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${STICTION_ROOT}/bindings/cpp"
  INTERFACE_COMPILE_FEATURES cxx_std_17
  INTERFACE_LINK_LIBRARIES stiction::stiction)
foreach(target shared static stiction)
  add_dependencies(stiction::${target} stiction_cargo)
endforeach()
