# Libraries of the program, and the files that are compiled into it.

function(smw_find_library var name package)
    find_library(${var} ${name})
    if(NOT ${var})
        message(FATAL_ERROR "lib${name} is missing (Debian, Ubuntu: apt install ${package})")
    endif()
    mark_as_advanced(${var})
endfunction()

smw_find_library(FYAML_LIBRARY fyaml libfyaml-dev)
smw_find_library(JANSSON_LIBRARY jansson libjansson-dev)
smw_find_library(EV_LIBRARY ev libev-dev)
smw_find_library(SQLITE_LIBRARY sqlite3 libsqlite3-dev)
smw_find_library(LZ4_LIBRARY lz4 liblz4-dev)
smw_find_library(ZSTD_LIBRARY zstd libzstd-dev)

# smw_builtins_source(VAR): add a rule that makes a C file of the built-in launch files
# and their PTX, of the CUDA programs and of the sweeps that are shipped, and set VAR to it. Call it in
# the directory of the target that compiles it.
function(smw_builtins_source var)
    set(out ${CMAKE_BINARY_DIR}/generated/builtins.c)
    set(root ${CMAKE_SOURCE_DIR}/testbench)
    file(GLOB files RELATIVE ${root} CONFIGURE_DEPENDS
        ${root}/launches/*.yml ${root}/kernels/*.ptx
        ${root}/kernels/*.cu ${root}/programs/*.cu
        ${root}/report/*.css ${root}/report/*.js ${root}/sweep/*.py)
    list(SORT files)
    set(depends ${files})
    list(TRANSFORM depends PREPEND ${root}/)
    file(GLOB sweeps CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/configs/sweeps/*.yml)
    list(SORT sweeps)
    foreach(sweep ${sweeps})
        get_filename_component(name ${sweep} NAME)
        list(APPEND files sweeps/${name}=../configs/sweeps/${name})
        list(APPEND depends ${sweep})
    endforeach()
    add_executable(embed ${root}/tools/embed.c)
    target_link_libraries(embed PRIVATE smw_flags)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
    add_custom_command(OUTPUT ${out}
        COMMAND embed ${out} ${root} ${files}
        DEPENDS embed ${depends}
        COMMENT "compiling built-in launch files" VERBATIM)
    set(${var} ${out} PARENT_SCOPE)
endfunction()
