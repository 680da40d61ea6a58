# cpack -G DEB: a package of the program, and for each library one to run and one to
# compile with. Configure with the preset "deb", which installs to /usr.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME smwave)
set(CPACK_PACKAGE_VERSION ${SMW_VERSION})
set(CPACK_PACKAGE_CONTACT
    "the smwave authors <authors@smwave.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL smwave libsmwave libsmwave-dev libvcd libvcd-dev)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian/policy.cmake)

set(CPACK_SMW_SOURCE_DIR ${CMAKE_SOURCE_DIR})
set(CPACK_SMW_FST_DIRECTORY)
if(TARGET Fst::fst)
    set(CPACK_SMW_FST_DIRECTORY ${FST_DIRECTORY})
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_SMWAVE_PACKAGE_SHLIBDEPS ON) # of the libraries: debian/policy.cmake
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# smw_package(COMPONENT NAME SECTION SUMMARY TEXT): TEXT has one string a line.
macro(smw_package component name section summary)
    string(TOUPPER ${component} part)
    set(CPACK_DEBIAN_${part}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${part}_PACKAGE_SECTION ${section})
    set(CPACK_DEBIAN_${part}_DESCRIPTION "${summary}\n${ARGN}")
    string(REPLACE ";" "\n" CPACK_DEBIAN_${part}_DESCRIPTION
        "${CPACK_DEBIAN_${part}_DESCRIPTION}")
endmacro()

set(model_text "A model of a CUDA streaming multiprocessor and its memory system. It runs PTX"
    "kernels, moves every load and store as a timed transaction through crossbar,"
    "banks, caches and DRAM, and counts what happens cycle by cycle.")
set(vcd_text "Writes value change dumps (VCD, IEEE 1364), the waveforms that viewers such as"
    "GTKWave open. It needs the C library only, and equal calls give equal bytes.")

smw_package(smwave smwave science "modelled GPU whose shared memory can be watched"
    ${model_text} "Runs can be looked at as waveforms, explained instruction by instruction,"
    "and swept over configurations of the device.")
set(CPACK_DEBIAN_SMWAVE_PACKAGE_SUGGESTS "gtkwave, clang-19 | clang-16 | clang-14")
smw_package(libsmwave libsmwave${SMW_ABI} libs "modelled GPU to embed - shared library"
    ${model_text} "This package has the shared library.")
smw_package(libsmwave-dev libsmwave-dev libdevel "modelled GPU to embed - development files"
    ${model_text} "This package has headers, the static library, and files for CMake and"
    "pkg-config.")
smw_package(libvcd libvcd0 libs "writer of value change dumps - shared library"
    ${vcd_text} "This package has the shared library.")
smw_package(libvcd-dev libvcd-dev libdevel "writer of value change dumps - development files"
    ${vcd_text} "This package has the header, the static library, and files for CMake and"
    "pkg-config.")
set(CPACK_DEBIAN_LIBSMWAVE-DEV_PACKAGE_DEPENDS "libsmwave${SMW_ABI} (= ${SMW_VERSION})")
set(CPACK_DEBIAN_LIBVCD-DEV_PACKAGE_DEPENDS "libvcd0 (= ${SMW_VERSION})")

# What a package says that was built against the libraries, and who runs ldconfig.
set(triggers ${CMAKE_CURRENT_LIST_DIR}/debian/triggers)
foreach(library smwave vcd)
    string(TOUPPER lib${library} part)
    set(name ${CPACK_DEBIAN_${part}_PACKAGE_NAME})
    set(shlibs ${CMAKE_BINARY_DIR}/packages/${name}/shlibs)
    string(REGEX MATCH "[0-9]+$" number ${name})
    file(WRITE ${shlibs} "lib${library} ${number} ${name} (>= ${SMW_VERSION})\n")
    set(CPACK_DEBIAN_${part}_PACKAGE_CONTROL_EXTRA "${shlibs};${triggers}")
endforeach()

include(CPack)
