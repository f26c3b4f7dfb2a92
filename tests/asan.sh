#!/bin/sh
# The Rust code under the address sanitizer: reads and writes out of bounds, use after free, leaks. Runs the C chapters, the
# programs of bad inputs, the fuzz corpora with mutations, and the Rust tests; or the parts that are named: programs corpora rust.
# The standard library itself is not instrumented. A stable compiler takes the flag when RUSTC_BOOTSTRAP is set; where it does
# not, or clang's runtime is missing, this ends with 77.
set -eu
cd "$(dirname "$0")/.."
. scripts/need.sh
out=build/asan
mkdir -p "$out"
RUSTC_BOOTSTRAP=1
RUST_BACKTRACE=0
export RUSTC_BOOTSTRAP RUST_BACKTRACE
triple=$(rustc -vV | sed -n 's/^host: //p')

unavailable() {
  echo "no address sanitizer here: $1"
  exit 77
}

try_tools clang || unavailable "clang is missing"
has_runtime() { echo 'int main(void) { return 0; }' | clang -x c -fsanitize=address - -o "$out/probe" 2>/dev/null; }
has_runtime || { install_tools "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev" && has_runtime; } ||
  unavailable "clang has no runtime for it"
echo 'pub fn f() {}' | rustc --crate-type lib -Zsanitizer=address --target "$triple" -o "$out/probe.rlib" - 2>/dev/null ||
  unavailable "this rustc refuses -Zsanitizer=address"

# Lines are all that a complaint needs of the debug information.
CARGO_PROFILE_DEV_DEBUG=line-tables-only
RUSTFLAGS="-Zsanitizer=address"
export RUSTFLAGS CARGO_PROFILE_DEV_DEBUG
cargo rustc --quiet --locked --lib --crate-type staticlib --target "$triple" --target-dir "$out"
library=$out/$triple/debug/libstiction.a
native="-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc"
flags="-fsanitize=address -g -O1 -Wall -Wextra -Iinclude"
ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:exitcode=9
export ASAN_OPTIONS

# The flags and libraries are word lists on purpose.
# shellcheck disable=SC2086
programs() {
  count=0
  for source in c_examples/[0-9]*.c tests/boundary/*.c tests/abi/*/client.c; do
    header=
    case $source in tests/abi/*) header=-I$(dirname "$source") ;; esac
    clang -std=c99 $header $flags "$source" "$library" $native -o "$out/program"
    "$out/program" >"$out/program.out"
    expected=${source%.c}.expected
    if [ -f "$expected" ]; then diff "$expected" "$out/program.out"; fi
    count=$((count + 1))
  done
  echo "$count C programs: no error, no leak"
}

# shellcheck disable=SC2086
corpora() {
  for name in lcp contact impact model stepper hosted snapshot; do
    clang -std=c11 $flags "fuzz/$name.c" fuzz/drive.c "$library" $native -o "$out/$name"
    printf '%s: ' "$name"
    # A harness keeps handles for its whole run.
    ASAN_OPTIONS=detect_leaks=0:exitcode=9 "$out/$name" "${STN_FUZZ_RUNS:-2000}" fuzz/corpus/"$name"/*
  done
}

# All but those that compile C programs, which would need the runtime linked into each: the C programs above stand for them. An
# allocator of a test's own counts and fails before it asks the sanitizer's, so that those tests see both.
rust() {
  names=
  for file in tests/*.rs; do
    grep -qE '^mod c;|Command::new' "$file" || names="$names --test $(basename "$file" .rs)"
  done
  # shellcheck disable=SC2086
  cargo test --locked --target "$triple" --target-dir "$out" --lib $names >"$out/rust.txt" 2>&1 || {
    tail -40 "$out/rust.txt"
    return 1
  }
  awk '/^test result: ok/ { tests += $4; files++ } END { print tests " Rust tests of " files " files: no error, no leak" }' "$out/rust.txt"
}

for part in ${*:-programs corpora rust}; do
  case $part in
    programs | corpora | rust) "$part" ;;
    *)
      echo "no part is called $part" >&2
      exit 2
      ;;
  esac
done
