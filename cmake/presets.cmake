# Presets and built-in files: what is compiled in at build time.

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

# smw_presets_source(VAR): add a rule that makes the table of gpu/presets.h from
# configs/*.yml and set VAR to the C file. Call it in the directory of the target that
# compiles the file.
function(smw_presets_source var)
    set(out ${CMAKE_BINARY_DIR}/generated/presets.c)
    file(GLOB configs CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/configs/*.yml)
    list(SORT configs)
    add_executable(gen_presets
        ${CMAKE_SOURCE_DIR}/testbench/tools/gen_presets.c
        ${CMAKE_SOURCE_DIR}/testbench/io/yaml.c
        ${CMAKE_SOURCE_DIR}/model/base/err.c)
    target_include_directories(gen_presets PRIVATE
        ${CMAKE_SOURCE_DIR}/model ${CMAKE_SOURCE_DIR}/testbench)
    target_link_libraries(gen_presets PRIVATE smw_flags ${FYAML_LIBRARY})
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
    add_custom_command(OUTPUT ${out}
        COMMAND gen_presets ${out} ${configs}
        DEPENDS gen_presets ${configs}
        COMMENT "compiling presets" VERBATIM)
    set(${var} ${out} PARENT_SCOPE)
endfunction()

# smw_builtins_source(VAR): the same for the built-in launch files and their PTX, and
# for the sweeps that are shipped.
function(smw_builtins_source var)
    set(out ${CMAKE_BINARY_DIR}/generated/builtins.c)
    set(root ${CMAKE_SOURCE_DIR}/testbench)
    file(GLOB files RELATIVE ${root} CONFIGURE_DEPENDS
        ${root}/launches/*.yml ${root}/kernels/*.ptx
        ${root}/kernels/*.cu
        ${root}/report/*.css ${root}/report/*.js)
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
