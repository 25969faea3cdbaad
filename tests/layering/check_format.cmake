# SPDX-License-Identifier: BSD-3-Clause
# Compares all sources with .clang-format. Usage: cmake -DROOT=<repository> -DCLANG_FORMAT=<program> -P check_format.cmake
if(NOT CLANG_FORMAT)
  message(FATAL_ERROR "clang-format was not found; install it (Debian: clang-format).")
endif()
file(GLOB_RECURSE files "${ROOT}/include/*.h" "${ROOT}/src/*.h" "${ROOT}/src/*.cpp" "${ROOT}/tests/*.h"
     "${ROOT}/tests/*.cpp")
list(FILTER files EXCLUDE REGEX "/tests/layering/bad/")
if(NOT files)
  message(FATAL_ERROR "No source files below '${ROOT}'; set ROOT to the folder of the repository.")
endif()
execute_process(COMMAND ${CLANG_FORMAT} --dry-run -Werror ${files} RESULT_VARIABLE result ERROR_VARIABLE message)
if(NOT result EQUAL 0)
  string(REGEX MATCHALL "[^\n]*: error: [^\n]*" lines "${message}")
  list(TRANSFORM lines REPLACE ":[0-9]+:[0-9]+: error:.*" "")
  list(REMOVE_DUPLICATES lines)
  list(JOIN lines "\n  " names)
  message(FATAL_ERROR "These files differ from .clang-format; run clang-format -i on them:\n  ${names}")
endif()
