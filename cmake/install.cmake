# Install rules; the target `uninstall` takes everything away again.
include(CMakePackageConfigHelpers)

set(stiction_installed "${stiction_stage}/${stiction_static}")
if(WIN32)
  install(FILES "${stiction_stage}/${stiction_shared}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
  list(APPEND stiction_installed "${stiction_stage}/${stiction_implib}")
else()
  list(APPEND stiction_installed "${stiction_stage}/${stiction_shared}")
  foreach(link IN LISTS stiction_links)
    list(APPEND stiction_installed "${stiction_stage}/${link}")
  endforeach()
endif()
install(FILES ${stiction_installed} DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(FILES "${STICTION_ROOT}/include/stiction.h" "${STICTION_ROOT}/bindings/cpp/stiction.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${STICTION_ROOT}/bindings/cpp/stiction" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp")

# Before 1.0 a minor release may break programs, so 0.1 does not serve who asks for 0.2.
set(stiction_compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(stiction_compatibility SameMinorVersion)
endif()
set(stiction_config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/stiction")
configure_package_config_file(stiction-config.cmake.in
  "${CMAKE_CURRENT_BINARY_DIR}/stiction-config.cmake" INSTALL_DESTINATION "${stiction_config_dir}"
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_DATAROOTDIR)
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/stiction-config-version.cmake"
  COMPATIBILITY "${stiction_compatibility}")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/stiction-config.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/stiction-config-version.cmake"
        DESTINATION "${stiction_config_dir}")

# pkg-config: relative to the .pc file itself, so that a moved prefix keeps working; absolute folders
# stay what they are.
function(stiction_pc_folder variable folder)
  if(IS_ABSOLUTE "${folder}")
    set("${variable}" "${folder}" PARENT_SCOPE)
  else()
    set("${variable}" "\${prefix}/${folder}" PARENT_SCOPE)
  endif()
endfunction()
stiction_pc_folder(stiction_pc_libdir "${CMAKE_INSTALL_LIBDIR}")
stiction_pc_folder(stiction_pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
set(stiction_pc_prefix "${CMAKE_INSTALL_PREFIX}")
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH stiction_pc_up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
  string(REGEX REPLACE "/$" "" stiction_pc_up "${stiction_pc_up}")
  set(stiction_pc_prefix "\${pcfiledir}/${stiction_pc_up}")
endif()
set(stiction_pc_native "")
foreach(library IN LISTS STICTION_NATIVE_LIBS)
  string(APPEND stiction_pc_native " -l${library}")
endforeach()
configure_file(stiction.pc.in "${CMAKE_CURRENT_BINARY_DIR}/stiction.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/stiction.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(FILES "${STICTION_ROOT}/README.md" "${STICTION_ROOT}/CHANGELOG.md"
              "${STICTION_ROOT}/LICENSE-MIT" "${STICTION_ROOT}/LICENSE-APACHE"
        DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/stiction")
install(DIRECTORY "${STICTION_ROOT}/c_examples/" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/stiction/examples"
        FILES_MATCHING PATTERN "*.c" PATTERN "*.h" PATTERN "*.f90" PATTERN "*.expected" PATTERN "*.md"
        PATTERN "*.cpp" PATTERN "*.hpp" PATTERN "CMakeLists.txt")

install(FILES "${stiction_viewer}" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/stiction")

if(stiction_top_level)
  configure_file(cmake_uninstall.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/cmake_uninstall.cmake" @ONLY)
  add_custom_target(uninstall COMMAND "${CMAKE_COMMAND}" -P "${CMAKE_CURRENT_BINARY_DIR}/cmake_uninstall.cmake"
                    COMMENT "Removing what was installed" VERBATIM)
endif()
