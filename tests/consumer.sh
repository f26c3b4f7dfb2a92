#!/bin/sh
# Installs the library into a scratch prefix and builds cmake/consumer against it in every way the
# README names, then runs it; wrong versions must be refused, and uninstall must leave nothing.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/need.sh"
need_compilers
need_cmake "$root/build/tools"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One cargo folder for all builds below: only the first one compiles.
STICTION_CARGO_TARGET_DIR=${STICTION_CARGO_TARGET_DIR:-$root/target}
export STICTION_CARGO_TARGET_DIR
cc=${CC:-cc}
with_ninja=
have ninja && with_ninja=1
# How CMake counts: 3.16 is 316. FetchContent knows SOURCE_SUBDIR from 3.18, multi-config Ninja from 3.20.
cmake_version=$(cmake --version | sed -n 's/^cmake version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
cmake_version=$((${cmake_version% *} * 100 + ${cmake_version#* }))
unset CMAKE_PREFIX_PATH PKG_CONFIG_PATH LD_LIBRARY_PATH || true

ok() { echo "  ok   $*"; }
fail() {
  echo "  FAIL $*" >&2
  [ -f "$work/log" ] && tail -n 40 "$work/log" >&2
  exit 1
}
# quietly WHAT COMMAND...: the output only matters when it fails.
quietly() {
  what=$1
  shift
  "$@" >"$work/log" 2>&1 || fail "$what: $*"
}
configure() { quietly "configure" cmake "$@"; }
build() { quietly "build" cmake --build "$@"; }

# runs WHAT PROGRAM shared|static: it prints version and solution, and needs the shared library or not.
runs() {
  printed=$("$2") || fail "$1: the program failed"
  [ "$printed" = "$number 2" ] || fail "$1: printed '$printed' instead of '$number 2'"
  if have readelf; then
    needed=$(readelf -d "$2" | grep NEEDED | grep -c "libstiction\.so\.$abi\]" || true)
    case "$3:$needed" in
      shared:1 | static:0) ;;
      *) fail "$1: should be $3, but needs libstiction.so.$abi $needed times" ;;
    esac
  fi
  ok "$1"
}

version=$(sed -n 's/^version = "\([0-9.]*\).*/\1/p' "$root/Cargo.toml" | head -n 1)
major=${version%%.*}
minor=${version#*.}
minor=${minor%%.*}
patch=${version##*.}
number=$((1000000 * major + 1000 * minor + patch))
abi=$major
[ "$major" -eq 0 ] && abi=0.$minor

# ---- install ----
prefix=$work/prefix
configure -S "$root/cmake" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" \
  -DCMAKE_INSTALL_LIBDIR=lib -DSTICTION_BUILD_EXAMPLES=OFF
build "$work/build"
quietly install cmake --install "$work/build"
for file in include/stiction.h lib/libstiction.a lib/pkgconfig/stiction.pc \
  lib/cmake/stiction/stiction-config.cmake share/doc/stiction/README.md \
  share/doc/stiction/LICENSE-MIT share/doc/stiction/LICENSE-APACHE share/doc/stiction/examples; do
  [ -e "$prefix/$file" ] || fail "$file was not installed"
done
if have readelf; then
  links="$(readlink "$prefix/lib/libstiction.so") $(readlink "$prefix/lib/libstiction.so.$abi")"
  [ "$links" = "libstiction.so.$abi libstiction.so.$version" ] ||
    fail "the links libstiction.so -> .so.$abi -> .so.$version are not there"
  readelf -d "$prefix/lib/libstiction.so" | grep -q "SONAME.*\[libstiction\.so\.$abi\]" ||
    fail "the SONAME is not libstiction.so.$abi"
fi
ok "install"

# A prefix may be moved after the installation: everything below uses the new place.
mv "$prefix" "$work/moved"
prefix=$work/moved
libdir=$prefix/lib

# ---- find_package ----
for kind in shared static; do
  configure -S "$root/cmake/consumer" -B "$work/$kind" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCONSUMER_TARGET="stiction::$kind" -DCONSUMER_VERSION="$major.$minor"
  build "$work/$kind"
  runs "find_package, stiction::$kind" "$work/$kind/consumer" "$kind"
done
configure -S "$root/cmake/consumer" -B "$work/chosen" -DCMAKE_PREFIX_PATH="$prefix" -DBUILD_SHARED_LIBS=OFF
build "$work/chosen"
runs "find_package, stiction::stiction with BUILD_SHARED_LIBS=OFF" "$work/chosen/consumer" static
for wrong in 9.0 "$major.$((minor + 1))" "$major.$minor.$((patch + 1))"; do
  if cmake -S "$root/cmake/consumer" -B "$work/wrong" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCONSUMER_VERSION="$wrong" >"$work/log" 2>&1; then
    fail "find_package(stiction $wrong) was not refused"
  fi
  grep -q 'compatible with requested version\|requested version' "$work/log" ||
    fail "find_package(stiction $wrong) failed for another reason"
  rm -rf "$work/wrong"
done
ok "find_package refuses 9.0, $major.$((minor + 1)) and $major.$minor.$((patch + 1))"

# ---- pkg-config ----
if have pkg-config; then
  PKG_CONFIG_PATH=$libdir/pkgconfig
  export PKG_CONFIG_PATH
  [ "$(pkg-config --modversion stiction)" = "$version" ] || fail "pkg-config does not say $version"
  # The answers are word lists on purpose.
  # shellcheck disable=SC2046
  quietly compile "$cc" "$root/cmake/consumer/main.c" -o "$work/pc_shared" \
    $(pkg-config --cflags --libs stiction) -Wl,-rpath,"$libdir"
  runs "pkg-config, shared" "$work/pc_shared" shared
  # shellcheck disable=SC2046
  quietly compile "$cc" "$root/cmake/consumer/main.c" -o "$work/pc_static" \
    $(pkg-config --cflags stiction) $(pkg-config --variable=static_libs stiction)
  runs "pkg-config, static" "$work/pc_static" static
  mkdir "$work/only_static"
  mv "$libdir"/libstiction.*so* "$work/only_static" 2>/dev/null || mv "$libdir"/libstiction.*dylib "$work/only_static"
  # shellcheck disable=SC2046
  quietly compile "$cc" "$root/cmake/consumer/main.c" -o "$work/pc_private" \
    $(pkg-config --cflags --static --libs stiction)
  runs "pkg-config --static, when only the archive is there" "$work/pc_private" static
  unset PKG_CONFIG_PATH
elif [ "${CI:-}" = true ]; then
  fail "pkg-config is missing"
else
  echo "  skip pkg-config is missing"
fi

# ---- another CMAKE_INSTALL_LIBDIR, and uninstall ----
configure -S "$root/cmake" -B "$work/build" -DCMAKE_INSTALL_PREFIX="$work/gone" -DCMAKE_INSTALL_LIBDIR=lib/deep/er
quietly install cmake --install "$work/build"
libdir=$work/gone/lib/deep/er
configure -S "$root/cmake/consumer" -B "$work/nested" -Dstiction_DIR="$libdir/cmake/stiction"
build "$work/nested"
runs "CMAKE_INSTALL_LIBDIR=lib/deep/er, find_package" "$work/nested/consumer" shared
if have pkg-config; then
  # shellcheck disable=SC2046
  quietly compile "$cc" "$root/cmake/consumer/main.c" -o "$work/pc_nested" \
    $(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs stiction) -Wl,-rpath,"$libdir"
  runs "CMAKE_INSTALL_LIBDIR=lib/deep/er, pkg-config" "$work/pc_nested" shared
fi
quietly uninstall cmake --build "$work/build" --target uninstall
left=$(find "$work/gone" ! -type d)
[ -z "$left" ] || fail "uninstall left $left"
left=$(find "$work/gone" -name stiction)
[ -z "$left" ] || fail "uninstall left $left"
ok "uninstall"

# ---- from the sources ----
sources="subdirectory fetch"
[ "$cmake_version" -ge 318 ] || sources=subdirectory
for source in $sources; do
  # The two generators that people use, one each.
  [ "$source" = fetch ] && [ -n "$with_ninja" ] && CMAKE_GENERATOR=Ninja && export CMAKE_GENERATOR
  for kind in shared static; do
    configure -S "$root/cmake/consumer" -B "$work/$source" -DCONSUMER_SOURCE="$source" \
      -DSTICTION_SOURCE="$root" -DCONSUMER_TARGET="stiction::$kind"
    build "$work/$source"
    runs "$source, stiction::$kind" "$work/$source/consumer" "$kind"
  done
done

# ---- several configurations in one build tree ----
if [ -n "$with_ninja" ] && [ "$cmake_version" -ge 320 ]; then
  configure -S "$root/cmake/consumer" -B "$work/multi" -G "Ninja Multi-Config" -DCONSUMER_SOURCE=subdirectory \
    -DSTICTION_SOURCE="$root" -DCONSUMER_TARGET=stiction::shared
  for config in Debug Release; do
    build "$work/multi" --config "$config"
    runs "Ninja Multi-Config, $config" "$work/multi/$config/consumer" shared
  done
  cmp -s "$work/multi/stiction/lib/Debug/libstiction.a" "$work/multi/stiction/lib/Release/libstiction.a" &&
    fail "Debug and Release are the same library"
fi

# ---- a Rust program that loads as a plugin ----
# Cargo passes linker arguments of a dependency on to it; it must not end up with our SONAME.
if have readelf; then
  mkdir -p "$work/plugin/src"
  cat >"$work/plugin/Cargo.toml" <<END
[package]
name = "plugin"
version = "3.0.0"
edition = "2024"
[lib]
crate-type = ["cdylib"]
[dependencies]
stiction = { path = "$root" }
END
  echo '#[unsafe(no_mangle)] pub extern "C" fn plugin() -> bool { stiction::lcp::Lcp::new(1).is_ok() }' \
    >"$work/plugin/src/lib.rs"
  cp "$root/Cargo.lock" "$work/plugin/Cargo.lock"
  quietly "Rust plugin" cargo build --offline --manifest-path "$work/plugin/Cargo.toml" --target-dir "$work/plugin/target"
  readelf -d "$work/plugin/target/debug/libplugin.so" >"$work/log" || fail "no plugin was built"
  if grep -q "SONAME.*stiction" "$work/log"; then fail "a Rust plugin carries the name libstiction"; fi
  ok "a Rust plugin that uses the crate keeps its own name"
fi
