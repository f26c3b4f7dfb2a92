# The chapters of c_examples, each compiled as C99 and run by ctest; what it must print lies beside it.
file(GLOB stiction_examples CONFIGURE_DEPENDS "${STICTION_ROOT}/c_examples/[0-9]*.c")
foreach(source IN LISTS stiction_examples)
  get_filename_component(name "${source}" NAME_WE)
  set(expected "${STICTION_ROOT}/c_examples/${name}.expected")
  if(NOT EXISTS "${expected}")
    message(FATAL_ERROR "${source} has no ${name}.expected beside it that says what it prints")
  endif()
  set(target "stiction_example_${name}")
  add_executable("${target}" "${source}")
  set_target_properties("${target}" PROPERTIES
    OUTPUT_NAME "${name}"
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/examples"
    C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options("${target}" PRIVATE -Wall -Wextra -Wpedantic)
  endif()
  target_compile_definitions("${target}" PRIVATE "STICTION_VIEWER=\"${stiction_viewer}\"")
  target_link_libraries("${target}" PRIVATE stiction::stiction)
  if(UNIX)
    target_link_libraries("${target}" PRIVATE m)
  elseif(STICTION_SHARED)
    # Windows looks for a DLL beside the program.
    add_custom_command(TARGET "${target}" POST_BUILD COMMAND "${CMAKE_COMMAND}" -E copy_if_different
                       "$<TARGET_FILE:stiction::shared>" "$<TARGET_FILE_DIR:${target}>")
  endif()
  add_test(NAME "example_${name}"
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${target}>" "-DEXPECTED=${expected}"
            -P "${CMAKE_CURRENT_SOURCE_DIR}/run-example.cmake")
endforeach()
