# What a program needs besides libstiction.a: the system libraries of Rust's standard library.
# tests/package.rs compares the list of the machine it runs on with the compiler's own. For a system
# that is not listed, `cargo rustc --release --lib --crate-type staticlib -- --print native-static-libs`
# prints it; set STICTION_NATIVE_LIBS to the names, without -l and separated by semicolons.
if(WIN32)
  set(stiction_native_libs kernel32 ntdll userenv ws2_32 dbghelp)
elseif(APPLE)
  set(stiction_native_libs System c m)
elseif(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(stiction_native_libs gcc_s util rt pthread m dl c)
else()
  set(stiction_native_libs m)
endif()
set(STICTION_NATIVE_LIBS "${stiction_native_libs}" CACHE STRING
    "System libraries that a static link needs")
