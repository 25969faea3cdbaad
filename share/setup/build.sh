#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Configures and builds a preset in build/<preset>; "release" unless another is named.
#   share/setup/build.sh tools   PSMFormer alone; needs the packages of section build
#   share/setup/build.sh package both tools, and a Debian package of them in build/package; needs the section package as well
#   share/setup/build.sh all     with tests and benchmarks; needs section test as well
#   share/setup/build.sh preset <preset> [target...]   targets of another preset; it is only configured when none is named
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
preset=release
[ "${1:-}" != preset ] || preset=${2:-release}
build="$repository/build/$preset"

stop() { printf 'build.sh: %s\n' "$1" >&2; exit 1; }

# A file that includes LibTorch takes up to 2 GiB to compile.
build_jobs() {
  local cores memory_jobs
  cores=$(nproc)
  memory_jobs=$(awk '/^MemAvailable:/ { print int($2 / 2097152) }' /proc/meminfo 2>/dev/null || true)
  [ -n "$memory_jobs" ] && [ "$memory_jobs" -ge 1 ] || memory_jobs=1
  echo $((cores < memory_jobs ? cores : memory_jobs))
}

configure() {
  local log="$build/configure.log"
  mkdir -p "$build"
  (cd "$repository" && cmake --preset "$preset" "$@") >"$log" 2>&1 </dev/null || {
    tail -n 30 "$log" >&2
    stop "cmake could not configure the project; the reason is above and in $log. If that folder comes from another machine or compiler, remove $build and run this again."
  }
}

compile() {
  local log="$build/build.log"
  cmake --build "$build" -j "$(build_jobs)" "$@" >"$log" 2>&1 </dev/null || {
    grep -E -A 5 'FAILED:|error:' "$log" | head -n 60 >&2 || tail -n 30 "$log" >&2
    stop "the build failed; the reason is above and in $log."
  }
}

# Tests that were configured before stay configured.
configure_tools() {
  if [ -f "$build/build.ninja" ]; then
    return 0 # ninja configures again by itself when a CMake file has changed
  fi
  configure -DPSMFORMER_BUILD_TESTS=OFF -DPSMFORMER_BUILD_BENCHMARKS=OFF
}

make_package() {
  local log="$build/package.log"
  rm -rf "$repository/build/package"
  cpack --config "$build/CPackConfig.cmake" -B "$repository/build/package" >"$log" 2>&1 </dev/null || {
    tail -n 30 "$log" >&2
    stop "cpack could not make the package; the reason is above and in $log. Check that the section package is installed: share/setup/install.sh package"
  }
  rm -rf "$repository/build/package/_CPack_Packages"
  printf 'The package: %s\n' "$repository"/build/package/*.deb
}

case "${1:-}" in
  tools)
    printf 'Building PSMFormer in %s (several minutes the first time)\n' "$build"
    configure_tools
    compile --target PSMFormer
    ;;
  package)
    printf 'Building both tools in %s (several minutes the first time)\n' "$build"
    configure_tools
    compile --target PSMFormer PSMFormerTrainer
    make_package
    ;;
  all)
    printf 'Building PSMFormer and its tests in %s (several minutes the first time)\n' "$build"
    configure
    compile
    ;;
  preset)
    [ "$#" -ge 2 ] || stop "name the preset: share/setup/build.sh preset asan"
    printf 'Configuring %s\n' "$build${3:+ and building ${*:3}}"
    configure
    [ "$#" -lt 3 ] || compile --target "${@:3}"
    ;;
  *) stop "say what to build: share/setup/build.sh tools, package or all" ;;
esac
