#!/bin/sh
# The Julia binding. Where there is Julia, its tests and its example run in it; everywhere its sources are parsed, its calls
# and its table are compared with the header, and the library is run through the table.
set -eu
. "$(dirname "$0")/common.sh"
try_venv "$root/build/python" tree-sitter==0.26.0 tree-sitter-julia==0.23.1 || {
  echo "missing: Python with tree-sitter and tree-sitter-julia; to run this, $hint"
  exit 77
}
library=$root/build/lib/libstiction.so
[ -e "$library" ] || library=$root/build/lib/libstiction.dylib
"$root/build/python/bin/python" -B "$root/tests/bindings/julia_check.py" "$library"
if have julia; then
  package=$root/bindings/julia/Stiction.jl
  JULIA_DEPOT_PATH=$out/julia
  export JULIA_DEPOT_PATH
  julia --project="$package" -e 'using Pkg; Pkg.test()'
  julia --project="$package" "$package/examples/pendulum.jl" "$out/pendulum_julia.csv"
else
  echo "there is no Julia here: the package was read and not run"
fi
