# Sourced by the scripts beside it: where things are, and how a script leaves when a tool cannot be had.
# shellcheck shell=sh
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/scripts/need.sh"
# What the bindings leave for each other's comparison, and all they build.
out=$root/build/bindings
mkdir -p "$out"

# The library as scripts/demo.sh and tests/all.sh build it.
[ -e "$root/build/lib/libstiction.so" ] || [ -e "$root/build/lib/libstiction.dylib" ] || {
  echo "first build the library: sh scripts/demo.sh" >&2
  exit 1
}

# tools TOOL...: status 77 says that the test was skipped.
tools() {
  try_tools "$@" || {
    echo "missing: $*; to run this, $hint"
    exit 77
  }
}

# other_library FILE: a library that claims another binary interface; loaded first, it stands for a wrong installation.
other_library() {
  echo 'int stn_abi_version(void) { return 999; }' >"$1.c"
  cc -shared -fPIC -o "$1" "$1.c"
}
