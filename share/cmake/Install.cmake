# SPDX-License-Identifier: BSD-3-Clause
# What cmake --install puts where. The installed folder can be moved: the tools find their models, and find_package its files,
# from where they are themselves.
#   component tools          programs, models, report template, example, documents, man pages
#   component development    headers, static libraries, and the package that find_package(PSMFormer) reads
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

# As Debian wants it; other systems do not mind.
set(PSMFORMER_INSTALL_DOCDIR "${CMAKE_INSTALL_DATADIR}/doc/psmformer")
set(PSMFORMER_INSTALL_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/PSMFormer")

# psmformer_install_library(<layer> <target>...): the targets of a layer, which PSMFormer_<layer>.cmake imports
function(psmformer_install_library layer)
  install(TARGETS ${ARGN} EXPORT PSMFormer_${layer}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    OBJECTS DESTINATION ${CMAKE_INSTALL_LIBDIR}/PSMFormer COMPONENT development)
  install(EXPORT PSMFormer_${layer} NAMESPACE PSMFormer:: DESTINATION ${PSMFORMER_INSTALL_CMAKEDIR} COMPONENT development)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/PSMFormer/${layer} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/PSMFormer
    COMPONENT development FILES_MATCHING PATTERN "*.h")
endfunction()

function(psmformer_install_package)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/share/cmake/PSMFormerConfig.cmake.in
    ${PROJECT_BINARY_DIR}/PSMFormerConfig.cmake INSTALL_DESTINATION ${PSMFORMER_INSTALL_CMAKEDIR}
    NO_SET_AND_CHECK_MACRO)
  # The C++ interface may change with every minor version before 1.0.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/PSMFormerConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES
    ${PROJECT_BINARY_DIR}/PSMFormerConfig.cmake
    ${PROJECT_BINARY_DIR}/PSMFormerConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/share/cmake/TorchTarget.cmake
    ${PROJECT_SOURCE_DIR}/share/cmake/OpenMSTarget.cmake
    DESTINATION ${PSMFORMER_INSTALL_CMAKEDIR} COMPONENT development)
endfunction()

# psmformer_license_field(<variable> <file>): a licence as the field of a Debian copyright file
function(psmformer_license_field variable file)
  file(READ "${file}" text)
  string(STRIP "${text}" text)
  string(REGEX REPLACE "\r?\n" "\n " text " ${text}")
  string(REGEX REPLACE "\n[ \t]*(\n|$)" "\n .\\1" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

function(psmformer_install_data)
  install(DIRECTORY share/PSMFormer DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT tools USE_SOURCE_PERMISSIONS)
  file(GLOB documents CONFIGURE_DEPENDS share/doc/*.md share/doc/*.svg)
  install(FILES ${documents} README.md CHANGELOG.md CITATION.cff DESTINATION ${PSMFORMER_INSTALL_DOCDIR} COMPONENT tools)
  psmformer_license_field(BSD_3_CLAUSE ${PROJECT_SOURCE_DIR}/LICENSE)
  psmformer_license_field(MIT ${PROJECT_SOURCE_DIR}/share/PSMFormer/report/uPlot.LICENSE)
  configure_file(share/packaging/copyright.in ${PROJECT_BINARY_DIR}/copyright @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/copyright DESTINATION ${PSMFORMER_INSTALL_DOCDIR} COMPONENT tools)
  install(FILES share/man/PSMFormer.1 share/man/PSMFormerTrainer.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
endfunction()

psmformer_install_data()
psmformer_install_package()
