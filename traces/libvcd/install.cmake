# What is installed: libvcd.so.0 in one part, what compiling against it needs in another,
# a static library among that. Both are made without link-time optimisation, for whatever
# compiler comes next, and the shared one shows what vcd.h declares.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(vcd_objects OBJECT ${sources})
set_target_properties(vcd_objects PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF
    POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_include_directories(vcd_objects PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/..)
target_link_libraries(vcd_objects PRIVATE vcd_flags)
add_library(vcd_static STATIC $<TARGET_OBJECTS:vcd_objects>)
add_library(vcd_shared SHARED $<TARGET_OBJECTS:vcd_objects>)
set_target_properties(vcd_shared PROPERTIES VERSION ${VCD_VERSION} SOVERSION ${VCD_ABI})
target_link_libraries(vcd_shared PRIVATE $<BUILD_INTERFACE:vcd_flags>)
foreach(kind static shared)
    set_target_properties(vcd_${kind} PROPERTIES OUTPUT_NAME vcd
        INTERPROCEDURAL_OPTIMIZATION OFF
        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/installed
        ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/installed)
    target_include_directories(vcd_${kind} INTERFACE
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/libvcd)
install(TARGETS vcd_shared vcd_static EXPORT libvcd-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        COMPONENT libvcd NAMELINK_COMPONENT libvcd-dev
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libvcd-dev)
install(FILES vcd.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/libvcd COMPONENT libvcd-dev)
install(EXPORT libvcd-targets NAMESPACE libvcd:: DESTINATION ${package}
    COMPONENT libvcd-dev)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/libvcd-config-version.cmake
    VERSION ${VCD_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES libvcd-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/libvcd-config-version.cmake
    DESTINATION ${package} COMPONENT libvcd-dev)

# Without a path of this machine: the folder may be moved as a whole.
file(RELATIVE_PATH VCD_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" VCD_PC_TO_PREFIX "${VCD_PC_TO_PREFIX}")
configure_file(libvcd.pc.in libvcd.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/libvcd.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT libvcd-dev)
