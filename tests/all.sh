#!/bin/sh
# Every test there is, in sections; stops at the first that fails. This is what CI runs.
# A tool that is missing is installed when this runs as root; else its section is skipped with a notice,
# except under CI=true, where that is a failure.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
. scripts/need.sh
need_compilers
need_cmake "$root/build/tools"

# One folder for every build: the library is compiled once for debug and once for release.
CARGO_TARGET_DIR=$root/target
STICTION_CARGO_TARGET_DIR=$root/target
export CARGO_TARGET_DIR STICTION_CARGO_TARGET_DIR
export CARGO_TERM_COLOR=never

passed=0
skipped=0
started=$(date +%s)

# tools TOOL...: leaves the section as skipped when they cannot be had.
tools() {
  try_tools "$@" || {
    echo "missing: $*; to run this section, $hint"
    exit 77
  }
}

section() {
  name=$1
  shift
  printf '\n==== %s ====\n' "$name"
  begin=$(date +%s)
  # Not as a condition: `set -e` would be off inside.
  set +e
  (
    set -e
    "$@"
  )
  status=$?
  set -e
  took=$(($(date +%s) - begin))
  if [ "$status" -eq 0 ]; then
    passed=$((passed + 1))
    echo "---- $name: passed, $took s"
  elif [ "$status" -eq 77 ] && [ "${CI:-}" != true ]; then
    skipped=$((skipped + 1))
    echo "---- $name: skipped"
  else
    echo "---- $name: FAILED with status $status, $took s"
    printf '\n%s sections passed, 1 failed, %s skipped; the rest was not run\n' "$passed" "$skipped"
    exit 1
  fi
}

formatting() { cargo fmt --all --check; }

lints() { cargo clippy --quiet --locked --workspace --all-targets --all-features -- -D warnings; }

rust_tests() { cargo test --quiet --locked --workspace; }

# The tests that need a library with faults on purpose are those that name the feature.
injected_faults() {
  count=0
  for file in tests/*.rs; do
    grep -q 'inject-faults' "$file" || continue
    cargo test --quiet --locked --features inject-faults --test "$(basename "$file" .rs)"
    count=$((count + 1))
  done
  [ "$count" -gt 0 ] || {
    echo "no test names the feature inject-faults"
    exit 1
  }
}

documentation() { RUSTDOCFLAGS="-D warnings" cargo doc --quiet --locked --workspace --no-deps; }

# The promise is C99 and C++11; the later ones are tried because people use them.
header_modes() {
  tools gcc g++ clang
  strict="-Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude"
  count=0
  # The flags are word lists on purpose.
  # shellcheck disable=SC2086
  for source in include/stiction.h c_examples/*.c cmake/consumer/main.c; do
    for std in c99 c11 c17; do
      for compiler in gcc clang; do
        "$compiler" -x c -std=$std $strict "$source"
        count=$((count + 1))
      done
    done
    for std in c++11 c++17 c++20; do
      for compiler in g++ clang++; do
        "$compiler" -x c++ -std=$std $strict "$source"
        count=$((count + 1))
      done
    done
  done
  echo "$count compilations without a warning"
}

demonstration() { sh scripts/demo.sh; }

examples() { (cd build && ctest --output-on-failure); }

# The examples with the library as it is shipped, on both cores; the bad inputs with line numbers.
memory() {
  tools valgrind
  # By the expected outputs: an example that was not built must not go unnoticed.
  for expected in c_examples/*.expected; do basename "$expected" .expected; done |
    RUST_BACKTRACE=0 xargs -P 2 -I '{}' valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite \
      --error-exitcode=9 build/examples/'{}' >/dev/null
  echo "$(ls c_examples/*.expected | wc -l) examples: no error, no leak"
  sh tests/valgrind.sh tests/boundary/*.c
}

# What the release library exports is what the header declares, and nothing else.
symbols() {
  tools nm
  nm -D --defined-only build/lib/libstiction.so | sed 's/.* //' | sort >target/exported.txt
  cc -E -P -Iinclude include/stiction.h | tr '\n' ' ' | grep -o 'stn_[a-z0-9_]* *(' | tr -d ' (' |
    sort -u >target/declared.txt
  if [ -f tests/abi/symbols.txt ]; then
    grep -v '^#' tests/abi/symbols.txt | sort | diff - target/exported.txt
  fi
  diff target/declared.txt target/exported.txt
  echo "$(wc -l <target/exported.txt) symbols, all declared"
}

# Functions and types against those of earlier releases.
interface() { sh tests/abi/compare.sh; }

# Beyond the work it asks for.
call_cost() {
  tools valgrind
  sh benches/call_cost.sh
}

# Counts of fixed scenes beside those of a table, so that cost is watched without clocks.
instructions() {
  tools valgrind
  sh benches/instructions.sh
}

consumers() {
  tools pkg-config ninja
  sh tests/consumer.sh
}

umbra_style() { sh tests/umbra.sh; }

viewer() { sh tests/viewer.sh; }

binding() { sh "tests/bindings/$1.sh"; }

# Which functions of the header each binding covers; needs nothing but Python.
binding_coverage() {
  tools python3
  python3 -B tests/bindings/header_coverage.py
}

fuzzing() { sh fuzz/run.sh; }

# A few thousand steps of what runs for ten million by hand.
soak() {
  cargo run --quiet --locked --example soak -- 3000 pendulum block discs
  cargo run --quiet --locked --example soak -- 1000 pile
}

manual() { sh manual/build.sh; }

# Compares what the bindings above have left; those that were skipped are not there.
same_bits() {
  tools python3
  ls build/bindings/pendulum_*.csv >/dev/null 2>&1 || exit 77
  build/examples/05_double_pendulum --csv build/bindings/c_pendulum.csv >/dev/null
  python3 -B tests/bindings/same_bits.py build/bindings/c_pendulum.csv build/bindings/pendulum_*.csv
}

# Nothing above may write into the sources.
clean_tree() {
  have git && git rev-parse --git-dir >/dev/null 2>&1 || return 0
  git status --porcelain >target/after.txt
  diff target/before.txt target/after.txt
}

mkdir -p target
if have git && git rev-parse --git-dir >/dev/null 2>&1; then git status --porcelain >target/before.txt; fi

section "rustfmt" formatting
section "clippy, warnings are errors" lints
section "Rust tests and doc tests" rust_tests
section "Rust tests with faults on purpose" injected_faults
section "rustdoc, warnings are errors" documentation
section "header and examples as C99 to C++20, gcc and clang" header_modes
section "demonstration (scripts/demo.sh)" demonstration
section "C examples print what they should" examples
section "C examples and bad inputs under valgrind" memory
section "exported symbols" symbols
section "binary interface against earlier releases (abidiff)" interface
section "hostile numbers, a short run" fuzzing
section "long runs, a short form" soak
section "manual and gallery" manual
section "what a call from C costs" call_cost
section "what a step costs, in instructions" instructions
section "install, link and run from outside" consumers
section "a modular host with contacts of its own" umbra_style
rm -rf build/bindings
section "bindings cover the header" binding_coverage
section "C++ binding, gcc with sanitizers and clang" binding cpp
section "Python binding" binding python
section "MATLAB and Octave binding, in Octave" binding octave
section "Julia binding, read or run" binding julia
section "Fortran through iso_c_binding" binding fortran
section "the same bits from every language" same_bits
section "pages of the viewer in a browser" viewer
section "the source tree is as before" clean_tree

printf '\n%s sections passed, 0 failed, %s skipped, in %s s\n' "$passed" "$skipped" "$(($(date +%s) - started))"
