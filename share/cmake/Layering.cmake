# SPDX-License-Identifier: BSD-3-Clause
# The arrows between the libraries point downward only: core <- model <- openms <- tools. Debian puts the headers of LibTorch
# and OpenMS side by side under /usr/include, so the compiler would not notice a wrong include; the link lists are checked
# here, the includes by tests/layering.
include_guard(GLOBAL)

function(psmformer_forbid_link target)
  if(NOT TARGET ${target})
    return()
  endif()
  get_target_property(libraries ${target} LINK_LIBRARIES)
  foreach(forbidden IN LISTS ARGN)
    if("${libraries}" MATCHES "(^|[;:>,])${forbidden}($|[;:>,])") # alone or in a generator expression
      message(FATAL_ERROR "${target} must not link ${forbidden}: core <- model <- openms <- tools, arrows only downward.")
    endif()
  endforeach()
endfunction()

function(psmformer_check_layering)
  psmformer_forbid_link(psmformer_core psmformer_model psmformer_openms psmformer_torch psmformer_openms_dep)
  psmformer_forbid_link(psmformer_model psmformer_openms psmformer_openms_dep Qt5::Core)
  psmformer_forbid_link(psmformer_openms psmformer_torch)
endfunction()
