#!/bin/sh
# Builds the library and the C examples with CMake and runs the main demonstration. No arguments.
# Everything it makes lies in build/.
set -eu
cd "$(dirname "$0")/.."
. scripts/need.sh

demonstration="02_impact 01_lcp"

need_compilers
need_cmake "$PWD/build/tools"

cmake -S cmake -B build -DCMAKE_BUILD_TYPE=Release
cmake --build build

for example in $demonstration; do
  printf '\n---- c_examples/%s.c ----\n' "$example"
  "build/examples/$example"
done
printf '\nThe library lies in build/lib, the header in include/stiction.h.\n'
