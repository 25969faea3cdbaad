# SPDX-License-Identifier: BSD-3-Clause
# The warnings and sanitizers that all own targets are built with (linked PRIVATE).
include_guard(GLOBAL)
add_library(psmformer_warnings INTERFACE)
target_compile_options(psmformer_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wnon-virtual-dtor
  $<$<BOOL:${PSMFORMER_WARNINGS_AS_ERRORS}>:-Werror>)
if(PSMFORMER_SANITIZE)
  add_compile_options(-fsanitize=${PSMFORMER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${PSMFORMER_SANITIZE})
endif()
