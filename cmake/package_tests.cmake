# smw_package_tests(): the Debian packages are built and looked at; where one may make a
# bare Debian, they are installed there, run and removed. Tests whose tools are missing are
# not registered, and CMake says so; check.sh installs the tools.
function(smw_package_tests)
    foreach(tool dpkg-deb dpkg-shlibdeps fakeroot lintian)
        find_program(TOOL_${tool} ${tool})
        if(NOT TOOL_${tool})
            message(STATUS "packages are not tested: ${tool} is missing "
                "(Debian, Ubuntu: apt install dpkg-dev fakeroot lintian)")
            return()
        endif()
    endforeach()
    set(tools ${CMAKE_SOURCE_DIR}/testbench/tools)
    set(made ${CMAKE_BINARY_DIR}/deb)
    add_test(NAME packages COMMAND sh ${tools}/check_packages.sh
        ${CMAKE_COMMAND} ${CMAKE_C_COMPILER} ${made})
    set_tests_properties(packages PROPERTIES TIMEOUT 3600 LABELS slow
        FIXTURES_SETUP packages)

    find_program(TOOL_debootstrap debootstrap PATHS /usr/sbin)
    execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(may_not yes)
    if(TOOL_debootstrap AND user EQUAL 0) # which is not enough in every container
        execute_process(COMMAND unshare --mount true RESULT_VARIABLE may_not ERROR_QUIET)
    endif()
    if(may_not)
        message(STATUS "packages are not installed in a bare Debian: that needs root, who may "
            "mount, and debootstrap (Debian, Ubuntu: apt install debootstrap)")
        return()
    endif()
    add_test(NAME packages_chroot COMMAND sh ${tools}/check_chroot.sh ${made})
    set_tests_properties(packages_chroot PROPERTIES TIMEOUT 1800 LABELS slow
        FIXTURES_REQUIRED packages)
endfunction()
