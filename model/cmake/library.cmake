# libsmwave of its layers. Whoever uses it sees what smwave.h declares, and nothing else.
include(CheckLinkerFlag)
include(GNUInstallDirs)

# smw_whole_object(VAR): a rule that links the objects of all layers into one and makes
# every name that smwave.h does not declare local to it. Sets VAR to that object; to
# nothing where tools for it are missing.
function(smw_whole_object var)
    set(link ${CMAKE_C_COMPILER} -r -nostdlib)
    set(able ON)
    if(NOT CMAKE_OBJCOPY OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
        set(able OFF)
    elseif(CMAKE_INTERPROCEDURAL_OPTIMIZATION AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        list(APPEND link -flto=auto -flinker-output=nolto-rel)
    elseif(CMAKE_INTERPROCEDURAL_OPTIMIZATION)
        set(able OFF) # objects that are no machine code yet
    endif()
    if(NOT able)
        message(STATUS "libsmwave.a: names of its insides are hidden, not local")
        set(${var} PARENT_SCOPE)
        return()
    endif()
    separate_arguments(flags UNIX_COMMAND
        "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${SMW_BUILD_TYPE}}")
    set(out ${CMAKE_CURRENT_BINARY_DIR}/whole.o)
    # Coverage and profiles instrument when objects are made; here it would be again.
    list(FILTER flags EXCLUDE REGEX "^(--coverage|-fprofile-.*|-fsanitize.*)$")
    add_custom_command(OUTPUT ${out}
        COMMAND ${link} ${flags} -o ${out} ${SMW_LAYER_OBJECTS}
        COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${out}
        DEPENDS ${SMW_LAYER_TARGETS} ${SMW_LAYER_OBJECTS}
        COMMENT "linking the layers into one object" COMMAND_EXPAND_LISTS VERBATIM)
    set(${var} ${out} PARENT_SCOPE)
endfunction()

# The targets smwave_static, smwave_shared and smwave::smwave, one of the two.
function(smw_library)
    foreach(layer ${SMW_LAYERS})
        list(APPEND SMW_LAYER_TARGETS smw_${layer})
        list(APPEND SMW_LAYER_OBJECTS $<TARGET_OBJECTS:smw_${layer}>)
    endforeach()
    string(TOUPPER "${CMAKE_BUILD_TYPE}" SMW_BUILD_TYPE)

    smw_whole_object(whole)
    if(whole)
        add_library(smwave_static STATIC ${whole})
        set_source_files_properties(${whole} PROPERTIES EXTERNAL_OBJECT ON)
    else()
        add_library(smwave_static STATIC ${SMW_LAYER_OBJECTS})
    endif()
    add_library(smwave_shared SHARED ${SMW_LAYER_OBJECTS})
    set_target_properties(smwave_shared PROPERTIES
        VERSION ${SMW_VERSION} SOVERSION ${SMW_ABI})
    target_link_libraries(smwave_shared PRIVATE $<BUILD_INTERFACE:smw_flags>)
    check_linker_flag(C -Wl,-z,defs HAVE_DEFS)
    if(HAVE_DEFS AND NOT SMW_SANITIZE)
        target_link_options(smwave_shared PRIVATE -Wl,-z,defs)
    endif()

    foreach(kind static shared)
        add_dependencies(smwave_${kind} ${SMW_LAYER_TARGETS})
        set_target_properties(smwave_${kind} PROPERTIES OUTPUT_NAME smwave LINKER_LANGUAGE C)
        target_include_directories(smwave_${kind} INTERFACE
            $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>
            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
        add_library(smwave::smwave_${kind} ALIAS smwave_${kind})
    endforeach()
    set(kind static)
    if(BUILD_SHARED_LIBS)
        set(kind shared)
    endif()
    add_library(smwave::smwave ALIAS smwave_${kind})
endfunction()
