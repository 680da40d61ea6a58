# Run by cpack between installing and packing: what Debian's policy wants in a package
# and nobody else in an installation. Copyright and changelog, compressed manual pages.

# indented(VAR TEXT): as a field of a copyright file continues.
function(indented var text)
    string(REGEX REPLACE "^[ \t\n*]+" "" text "${text}")
    string(STRIP "${text}" text)
    string(REGEX REPLACE "\n[ \t*]*" "\n " text " ${text}")
    string(REGEX REPLACE "\n (\n|$)" "\n .\n" text "${text}")
    string(REGEX REPLACE "\n (\n|$)" "\n .\n" text "${text}")
    set(${var} "${text}" PARENT_SCOPE)
endfunction()

file(READ ${CPACK_SMW_SOURCE_DIR}/LICENSE license)
string(REGEX REPLACE "^MIT License\n\n[^\n]*\n" "" license "${license}")
indented(license "${license}")
set(copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: smwave

Files: *
Copyright: 2026 the smwave authors
License: Expat

License: Expat
${license}
")

# The program has the writer of FST files inside; its sources say whose they are.
set(others)
if(CPACK_SMW_FST_DIRECTORY)
    foreach(file fstapi fastlz lz4)
        file(READ ${CPACK_SMW_FST_DIRECTORY}/${file}.c text LIMIT 4000)
        string(FIND "${text}" "*/" end)
        string(SUBSTRING "${text}" 2 ${end} text)
        string(REGEX REPLACE "\\*/.*|\\*$" "" text "${text}")
        string(REGEX MATCH "Copyright[^\n]*" holder "${text}")
        string(REGEX REPLACE "^Copyright *(\\([Cc]\\))? *" "" holder "${holder}")
        indented(text "${text}")
        string(APPEND others "
Files: ${file}.c
Copyright: ${holder}
License: ${file}
Comment: compiled into the program from the sources of GTKWave

License: ${file}
${text}
")
    endforeach()
endif()

foreach(component ${CPACK_COMPONENTS_ALL})
    string(TOUPPER ${component} part)
    set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
    if(NOT IS_DIRECTORY ${root})
        message(FATAL_ERROR "${component}: nothing was installed in ${root}")
    endif()
    set(doc ${root}/share/doc/${CPACK_DEBIAN_${part}_PACKAGE_NAME})
    if(component STREQUAL smwave)
        file(WRITE ${doc}/copyright "${copyright}${others}")
        # For linkers that ask for NVIDIA's names: one has nothing in it, one is a script.
        file(WRITE ${root}/share/lintian/overrides/smwave
            "smwave: no-code-sections *libcudadevrt.a*\n"
            "smwave: unpack-message-for-deb-data *libcudart_static.a*\n")
    else()
        file(WRITE ${doc}/copyright "${copyright}")
    endif()
    configure_file(${CPACK_SMW_SOURCE_DIR}/cmake/debian/changelog ${doc}/changelog COPYONLY)
    file(GLOB_RECURSE archives ${root}/*.a)
    list(FILTER archives EXCLUDE REGEX "/libexec/") # scripts for the linker
    if(archives)
        execute_process(COMMAND strip --strip-debug --enable-deterministic-archives
            ${archives} COMMAND_ERROR_IS_FATAL ANY)
    endif()
    file(GLOB_RECURSE pages ${root}/share/man/*.[157])
    execute_process(COMMAND gzip -9nf ${doc}/changelog ${pages}
        COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# What the libraries need is said here: where cpack finds it out itself, it writes scripts
# that run ldconfig too, which is what the trigger is for.
foreach(part LIBSMWAVE LIBVCD)
    string(TOLOWER ${part} component)
    file(GLOB_RECURSE library
        ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/*.so.*.*)
    file(WRITE ${CPACK_TEMPORARY_DIRECTORY}/${component}.shlibs/debian/control "")
    execute_process(COMMAND dpkg-shlibdeps -O ${library}
        WORKING_DIRECTORY ${CPACK_TEMPORARY_DIRECTORY}/${component}.shlibs
        OUTPUT_VARIABLE depends ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE ".*Depends=([^\n]*).*" "\\1" depends "${depends}")
    set(CPACK_DEBIAN_${part}_PACKAGE_DEPENDS "${depends}")
    file(REMOVE_RECURSE ${CPACK_TEMPORARY_DIRECTORY}/${component}.shlibs)
endforeach()
