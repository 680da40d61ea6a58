# Where the program and what belongs to it go; the libraries install themselves
# (model/cmake/install.cmake, traces/libvcd/install.cmake). One component, smwave.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME smwave)
set(share ${CMAKE_INSTALL_DATADIR}/smwave)
set(SMW_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING
    "where zsh looks for completions")
mark_as_advanced(SMW_ZSH_DIR)

install(TARGETS smwave RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The program has them inside; these are to be read, copied and changed. Launch files find
# their kernels at ../kernels.
install(DIRECTORY configs/ DESTINATION ${share}/configs FILES_MATCHING PATTERN *.yml)
install(DIRECTORY testbench/launches testbench/kernels DESTINATION ${share}
    FILES_MATCHING PATTERN *.yml PATTERN *.cu PATTERN *.ptx)
install(DIRECTORY testbench/programs DESTINATION ${share})

# What looks like a toolkit's folder: headers for CUDA programs, the names under which
# build systems look for compiler and libraries.
set(cuda_root ${CMAKE_INSTALL_LIBEXECDIR}/smwave)
install(DIRECTORY testbench/cuda/include DESTINATION ${cuda_root})
install(DIRECTORY testbench/cuda/cc/lib/ DESTINATION ${cuda_root}/lib64)
file(RELATIVE_PATH to_program ${CMAKE_INSTALL_FULL_LIBEXECDIR}/smwave/bin
    ${CMAKE_INSTALL_FULL_BINDIR}/smwave)
file(CREATE_LINK ${to_program} ${CMAKE_BINARY_DIR}/nvcc SYMBOLIC)
install(FILES ${CMAKE_BINARY_DIR}/nvcc DESTINATION ${cuda_root}/bin)

install(FILES README.md NEWS.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES model/SPEC.md model/DESIGN.md model/DEVIATIONS.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/model)
install(DIRECTORY testbench/manual DESTINATION ${CMAKE_INSTALL_DOCDIR}/testbench
    FILES_MATCHING PATTERN *.md)
install(DIRECTORY traces/views DESTINATION ${CMAKE_INSTALL_DOCDIR}/traces
    FILES_MATCHING PATTERN *.png)

# What the build makes of the tables of options: manual pages, completions.
foreach(section 1 5 7)
    install(DIRECTORY ${CMAKE_BINARY_DIR}/man/
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} OPTIONAL
        FILES_MATCHING PATTERN *.${section})
endforeach()
set(completions ${CMAKE_BINARY_DIR}/completions)
install(FILES ${completions}/smwave.bash OPTIONAL RENAME smwave
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completions}/_smwave OPTIONAL DESTINATION ${SMW_ZSH_DIR})
install(FILES ${completions}/smwave.fish OPTIONAL
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
