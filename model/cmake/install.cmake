# What of libsmwave is installed: the shared library in one part, what compiling against
# it needs in another.
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/smwave)
install(TARGETS smwave_shared smwave_static EXPORT smwave-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        COMPONENT libsmwave NAMELINK_COMPONENT libsmwave-dev
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libsmwave-dev)
install(FILES smwave.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT libsmwave-dev)
install(FILES smwave/err.h smwave/counters.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/smwave COMPONENT libsmwave-dev)
install(EXPORT smwave-targets NAMESPACE smwave:: DESTINATION ${package}
    COMPONENT libsmwave-dev)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/smwave-config-version.cmake
    VERSION ${SMW_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES cmake/smwave-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/smwave-config-version.cmake
    DESTINATION ${package} COMPONENT libsmwave-dev)

# Without a path of this machine: the folder may be moved as a whole.
file(RELATIVE_PATH SMW_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" SMW_PC_TO_PREFIX "${SMW_PC_TO_PREFIX}")
configure_file(cmake/smwave.pc.in smwave.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/smwave.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT libsmwave-dev)
