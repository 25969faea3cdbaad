# SPDX-License-Identifier: BSD-3-Clause
# psmformer_openms_dep: OpenMS as one INTERFACE target with SYSTEM includes, for OpenMS 2.6 and newer. No other file calls
# find_package(OpenMS): the packages leave out dependencies, and Debian's 2.6 exports paths of its own build machine.
include_guard(GLOBAL)

# Debian 12 (OpenMS 2.6): the exported include directories do not exist, the generated headers lie in a folder named after
# the package build, and the link interface lists development libraries that no dependency installs. Can go when OpenMS
# older than 2.8 is no longer supported.
function(psmformer_repair_openms_export target)
  find_path(PSMFORMER_OPENMS_INCLUDE_DIR OpenMS/CONCEPT/Types.h REQUIRED)
  set(forwarding "${PROJECT_BINARY_DIR}/openms_compat")
  foreach(header OpenMSConfig.h config.h build_config.h openms_package_version.h openms_data_path.h
                 OPENSWATHALGO/OpenSwathAlgoConfig.h)
    if(EXISTS "${PSMFORMER_OPENMS_INCLUDE_DIR}/OpenMS/${header}")
      continue()
    endif()
    get_filename_component(name "${header}" NAME)
    file(GLOB_RECURSE generated "${PSMFORMER_OPENMS_INCLUDE_DIR}/OpenMS/build/*/${name}")
    if(NOT generated)
      message(FATAL_ERROR "OpenMS/${header} is missing below ${PSMFORMER_OPENMS_INCLUDE_DIR}; install the development package of OpenMS again (Debian: libopenms-dev).")
    endif()
    list(GET generated 0 source)
    file(CONFIGURE OUTPUT "${forwarding}/OpenMS/${header}" CONTENT "#include \"@source@\"\n" @ONLY)
  endforeach()

  get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
  set(present)
  foreach(library IN LISTS libraries)
    if(NOT IS_ABSOLUTE "${library}" OR EXISTS "${library}")
      list(APPEND present "${library}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${present}")
  target_include_directories(psmformer_openms_dep SYSTEM INTERFACE "${forwarding}" "${PSMFORMER_OPENMS_INCLUDE_DIR}")
endfunction()

function(psmformer_find_openms)
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  find_package(Qt5 QUIET COMPONENTS Core Network)
  find_package(Eigen3 QUIET)
  find_package(XercesC)
  if(NOT XercesC_FOUND)
    message(FATAL_ERROR "The headers of Xerces-C, which those of OpenMS include, were not found; install them (Debian: libxerces-c-dev).")
  endif()
  # Without a version: OpenMS declares every minor version incompatible with the others.
  find_package(OpenMS QUIET HINTS /usr/share/openms/cmake)
  if(NOT OpenMS_FOUND)
    message(FATAL_ERROR "OpenMS was not found; install it (Debian: libopenms-dev) or set OpenMS_DIR to the folder of OpenMSConfig.cmake.")
  endif()
  if(OpenMS_VERSION VERSION_LESS 2.6)
    message(FATAL_ERROR "OpenMS ${OpenMS_VERSION} was found in ${OpenMS_DIR}; PSMFormer needs OpenMS 2.6 or newer.")
  endif()

  set(target OpenMS)
  if(TARGET OpenMS::OpenMS)
    set(target OpenMS::OpenMS)
  endif()
  string(REPLACE "." ";" version "${OpenMS_VERSION}.0.0")
  list(GET version 0 major)
  list(GET version 1 minor)
  list(GET version 2 patch)
  math(EXPR number "${major} * 10000 + ${minor} * 100 + ${patch}")

  add_library(psmformer_openms_dep INTERFACE)
  if(OpenMS_VERSION VERSION_LESS 2.8)
    psmformer_repair_openms_export(${target})
  endif()
  target_link_libraries(psmformer_openms_dep INTERFACE ${target} OpenMP::OpenMP_CXX XercesC::XercesC)
  target_compile_definitions(psmformer_openms_dep INTERFACE
    PSMFORMER_OPENMS_VERSION=${number} BOOST_ALL_NO_LIB QT_NO_KEYWORDS)
  if(OpenMS_VERSION VERSION_GREATER_EQUAL 3.4)
    target_compile_features(psmformer_openms_dep INTERFACE cxx_std_20)
  endif()
  message(STATUS "OpenMS ${OpenMS_VERSION}")
endfunction()

psmformer_find_openms()
