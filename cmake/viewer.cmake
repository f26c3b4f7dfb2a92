# The page that shows motions: its three parts one after the other, see viewer/README.md.
set(stiction_viewer "${CMAKE_CURRENT_BINARY_DIR}/viewer.html")
set(stiction_page "")
foreach(part page.html three.min.js viewer.js)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${STICTION_ROOT}/viewer/${part}")
  file(READ "${STICTION_ROOT}/viewer/${part}" text)
  string(APPEND stiction_page "${text}")
endforeach()
file(WRITE "${stiction_viewer}" "${stiction_page}")
