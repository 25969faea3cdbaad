# SPDX-License-Identifier: BSD-3-Clause
# cpack makes a Debian package of the component tools: cpack --config build/release/CPackConfig.cmake -B build/package
include_guard(GLOBAL)

set(PSMFORMER_MAINTAINER "The PSMFormer developers <psmformer@example.org>" CACHE STRING
  "Name and mail address of who distributes the Debian package")
file(STRINGS ${PROJECT_SOURCE_DIR}/CITATION.cff release_date REGEX "^date-released: ")
string(REGEX REPLACE "^date-released: *" "" release_date "${release_date}")
configure_file(${PROJECT_SOURCE_DIR}/share/packaging/finish_deb.cmake.in ${PROJECT_BINARY_DIR}/finish_deb.cmake @ONLY)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME psmformer)
set(CPACK_PACKAGE_CONTACT "${PSMFORMER_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL tools)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/finish_deb.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME psmformer)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The reference BLAS, which LibTorch makes do with, is tens of times slower.
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "libopenblas0-openmp, topp")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "comet-ms, tandem-mass")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION
"PSMFormer reads spectra (mzML) and the identifications of a search engine
(idXML), scores every peptide-spectrum match with a transformer network, and
writes identifications that the tools of OpenMS take: FalseDiscoveryRate,
IDFilter, PercolatorAdapter and others. It runs offline on a CPU.

PSMFormerTrainer trains and fine-tunes the models. A trained model is part of
the package.")
include(CPack)
