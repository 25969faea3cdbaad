# SPDX-License-Identifier: BSD-3-Clause
# psmformer_torch: LibTorch as one INTERFACE target with SYSTEM includes. No other file calls find_package(Torch): its
# configuration pushes definitions and touches global flags.
include_guard(GLOBAL)

function(psmformer_find_torch)
  find_package(Torch REQUIRED)
  if(TORCH_CXX_FLAGS MATCHES "_GLIBCXX_USE_CXX11_ABI=0")
    message(FATAL_ERROR "This LibTorch was built with the old C++ ABI, which OpenMS cannot be linked with; take the cxx11-ABI build of LibTorch.")
  endif()
  add_library(psmformer_torch INTERFACE)
  target_include_directories(psmformer_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  target_link_libraries(psmformer_torch INTERFACE ${TORCH_LIBRARIES})
  message(STATUS "LibTorch ${Torch_VERSION}")
endfunction()

psmformer_find_torch()
