#!/bin/sh
# Fortran through iso_c_binding: the passive host prints what the same chapter in C prints.
set -eu
. "$(dirname "$0")/common.sh"
tools gfortran
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gfortran -std=f2018 -Wall -Wextra -Werror -J"$work" "$root/c_examples/fortran/passive.f90" \
  -L"$root/build/lib" -Wl,-rpath,"$root/build/lib" -lstiction -o "$work/passive"
"$work/passive" >"$work/printed"
diff "$root/c_examples/16_passive_host.expected" "$work/printed"
echo "the passive host in Fortran prints what the one in C prints"
