# The writer of FST files. Its author's sources are nobody's library: Debian's verilator
# package carries them, and they are compiled from there. Sets Fst_FOUND and makes the
# target Fst::fst, which needs zlib.
find_path(FST_DIRECTORY fstapi.c
    HINTS ENV VERILATOR_ROOT
    PATHS /usr/share/verilator /usr/local/share/verilator
    PATH_SUFFIXES include/gtkwave)
mark_as_advanced(FST_DIRECTORY)
find_package(ZLIB QUIET)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Fst REQUIRED_VARS FST_DIRECTORY ZLIB_FOUND)

if(Fst_FOUND AND NOT TARGET Fst::fst)
    add_library(fst STATIC EXCLUDE_FROM_ALL
        ${FST_DIRECTORY}/fstapi.c ${FST_DIRECTORY}/fastlz.c ${FST_DIRECTORY}/lz4.c)
    add_library(Fst::fst ALIAS fst)
    target_include_directories(fst SYSTEM PUBLIC ${FST_DIRECTORY})
    target_compile_definitions(fst PRIVATE FST_CONFIG_INCLUDE="fst_config.h"
        FST_IO_REPLACES)
    # Other people's warnings; and what they ask of the system comes to fst_io.c.
    target_compile_options(fst PRIVATE -w -include ${CMAKE_SOURCE_DIR}/traces/fst_io.h)
    add_library(fst_io STATIC EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/traces/fst_io.c)
    target_link_libraries(fst_io PRIVATE smw_base smw_flags ZLIB::ZLIB)
    set_target_properties(fst_io PROPERTIES
        POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
    target_link_libraries(fst PRIVATE fst_io)
    target_link_libraries(fst PUBLIC ZLIB::ZLIB)
    set_target_properties(fst PROPERTIES
        C_STANDARD 11 C_EXTENSIONS ON INTERPROCEDURAL_OPTIMIZATION OFF
        POSITION_INDEPENDENT_CODE ON) # the runtime library writes them too
endif()
