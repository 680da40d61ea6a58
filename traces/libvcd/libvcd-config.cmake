# find_package(libvcd) makes the targets libvcd::vcd_shared, libvcd::vcd_static and
# libvcd::vcd, which is the shared one unless libvcd_USE_STATIC_LIBS is on.
include(${CMAKE_CURRENT_LIST_DIR}/libvcd-targets.cmake)
if(NOT TARGET libvcd::vcd)
    if(libvcd_USE_STATIC_LIBS)
        add_library(libvcd::vcd ALIAS libvcd::vcd_static)
    else()
        add_library(libvcd::vcd ALIAS libvcd::vcd_shared)
    endif()
endif()
