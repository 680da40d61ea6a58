# Build helpers: one static library per layer, one test program per unit. They stand here
# because model/ is built alone too.
set(SMW_MODEL_DIR ${CMAKE_CURRENT_LIST_DIR})
cmake_path(GET SMW_MODEL_DIR PARENT_PATH SMW_MODEL_DIR)

add_library(smw_flags INTERFACE)
target_compile_options(smw_flags INTERFACE
    -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes
    -Wwrite-strings -Wvla -ffp-contract=off -fno-math-errno)
if(SMW_WERROR)
    target_compile_options(smw_flags INTERFACE -Werror)
endif()
# With link-time optimisation objects hold machine code too (smw_plain_link()).
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(smw_flags INTERFACE -ffat-lto-objects)
    set(smw_has_code TRUE)
endif()
if(SMW_SANITIZE)
    target_compile_options(smw_flags INTERFACE -fsanitize=${SMW_SANITIZE}
        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(smw_flags INTERFACE -fsanitize=${SMW_SANITIZE})
endif()
if(SMW_COVERAGE)
    target_compile_options(smw_flags INTERFACE --coverage)
    target_link_options(smw_flags INTERFACE --coverage)
endif()

# What reads the files of others gets guarded stacks and calls; the model does not,
# whose host instructions are counted. Sanitizers and coverage see more without.
add_library(smw_hard INTERFACE)
if(NOT SMW_SANITIZE AND NOT SMW_COVERAGE)
    target_compile_options(smw_hard INTERFACE -fstack-protector-strong
        $<$<CONFIG:Release>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>)
endif()

# smw_layer(NAME SOURCES a.c ... DEPENDS layer ...): the static library smw_NAME.
# Link order enforces the layering; includes are checked by a test. Its objects go into
# libsmwave too (library.cmake), hence the two properties.
function(smw_layer name)
    cmake_parse_arguments(L "" "" "SOURCES;DEPENDS" ${ARGN})
    add_library(smw_${name} STATIC ${L_SOURCES})
    set_target_properties(smw_${name} PROPERTIES
        POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
    target_include_directories(smw_${name} PUBLIC ${SMW_MODEL_DIR})
    target_link_libraries(smw_${name} PRIVATE smw_flags)
    foreach(dep ${L_DEPENDS})
        target_link_libraries(smw_${name} PUBLIC smw_${dep})
    endforeach()
endfunction()

# smw_plain_link(TARGET ...): programs that are neither shipped nor timed are linked without
# link-time optimisation, which is a minute for each that holds the model.
function(smw_plain_link)
    if(smw_has_code)
        set_target_properties(${ARGN} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
        foreach(target ${ARGN})
            target_link_options(${target} PRIVATE -fno-lto)
        endforeach()
    endif()
endfunction()

# smw_test(NAME [SLOW] SOURCES a.c ... LIBS target ...): a cmocka program, run by ctest. One
# that takes some seconds is SLOW, all others are run by "ctest -L quick".
function(smw_test name)
    cmake_parse_arguments(T "SLOW" "" "SOURCES;LIBS" ${ARGN})
    if(NOT SMW_TESTS)
        return()
    endif()
    add_executable(test_${name} ${T_SOURCES})
    target_link_libraries(test_${name} PRIVATE ${T_LIBS} smw_flags cmocka)
    target_include_directories(test_${name} PRIVATE
        ${SMW_MODEL_DIR} ${CMAKE_SOURCE_DIR}/traces ${CMAKE_SOURCE_DIR}/testbench)
    smw_plain_link(test_${name})
    add_test(NAME ${name} COMMAND test_${name})
    if(T_SLOW)
        set_tests_properties(${name} PROPERTIES TIMEOUT 900)
    else()
        set_tests_properties(${name} PROPERTIES TIMEOUT 300 LABELS quick)
    endif()
endfunction()
