# find_package(smwave) makes the targets smwave::smwave_shared, smwave::smwave_static and
# smwave::smwave, which is the shared one unless smwave_USE_STATIC_LIBS is on.
include(${CMAKE_CURRENT_LIST_DIR}/smwave-targets.cmake)
if(NOT TARGET smwave::smwave)
    if(smwave_USE_STATIC_LIBS)
        add_library(smwave::smwave ALIAS smwave::smwave_static)
    else()
        add_library(smwave::smwave ALIAS smwave::smwave_shared)
    endif()
endif()
