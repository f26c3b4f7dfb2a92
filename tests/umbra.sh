#!/bin/sh
# The modular host of c_examples/umbra_style, built from an installed package and run; its scenes check themselves.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/need.sh"
try_tools g++ || {
  echo "missing: g++; to run this, $hint"
  exit 77
}
out=$root/build/umbra_style
rm -rf "$out"
mkdir -p "$out"
cmake --install "$root/build" --prefix "$out/prefix" >/dev/null
cmake -S "$out/prefix/share/doc/stiction/examples/umbra_style" -B "$out/build" -DCMAKE_PREFIX_PATH="$out/prefix" \
  -DCMAKE_CXX_FLAGS=-Werror >/dev/null
cmake --build "$out/build" >/dev/null

# Scene, names of its bodies, frames.
scene() {
  echo "$1:"
  "$out/build/$1" "$out" --html
  [ "$(wc -l <"$out/$1.csv")" -eq $(($3 + 1)) ]
  [ "$(head -n 1 "$out/$1.csv" | tr ',' '\n' | grep -c '\.qw$')" -eq "$2" ]
  tail -n 1 "$out/$1.svg" | grep -q '</svg>'
}
scene rover 7 1100
scene pawl 1 400
