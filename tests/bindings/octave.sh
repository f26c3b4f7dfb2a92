#!/bin/sh
# The MATLAB and Octave binding, in Octave: compiles the gateway by its own build script, runs its tests and examples.
set -eu
. "$(dirname "$0")/common.sh"
tools octave-cli mkoctfile
matlab=$root/bindings/matlab
mkdir -p "$out/octave"
# A home of its own: Octave writes there.
HOME=$out/octave
export HOME
cd "$matlab"
octave-cli --quiet --no-history --eval "build('$root/build/lib', '$root/include', '$out/octave')"
octave-cli --quiet --no-history --eval "addpath('$matlab', '$out/octave', '$matlab/examples', '$matlab/tests'); \
  lemke; run_tests('$out')"
[ -s "$out/pendulum_octave.csv" ]

# raises IDENTIFIER FOLDERS: asking for the version fails in this way.
raises() {
  octave-cli --quiet --no-history --eval "addpath($2); \
    try, stiction.version(); catch e, assert(strcmp(e.identifier, '$1'), e.message); exit(0); end; exit(1)"
  echo "$1 is raised when it should be"
}
raises stiction:NotFound "'$matlab'"
if [ "$(uname)" = Linux ]; then
  other_library "$out/octave/other.so"
  LD_PRELOAD="$out/octave/other.so" raises stiction:Abi "'$matlab', '$out/octave'"
fi
