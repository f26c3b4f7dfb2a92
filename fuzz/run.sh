#!/bin/sh
# Fuzzes the entry points of the library.
#   sh fuzz/run.sh                     a short run of each harness against the release library in build/lib (made by
#                                      scripts/demo.sh); STN_FUZZ_RUNS mutations instead of 5000
#   sh fuzz/run.sh fast RUNS [NAME..]  RUNS mutations of what is quick of the corpus and of what long runs found, against the
#                                      same library: ten times as many a second; STN_FUZZ_SEED makes others
#   sh fuzz/run.sh long RUNS [NAME..]  libFuzzer with coverage of the library, RUNS inputs each; new inputs that
#                                      reach new code go to build/fuzz/found/NAME, broken promises to build/fuzz
# Harnesses: lcp contact impact model stepper hosted snapshot.
set -eu
cd "$(dirname "$0")/.."
. scripts/need.sh
all="lcp contact impact model stepper hosted snapshot"
out=build/fuzz
mkdir -p "$out"
flags="-std=c11 -O1 -g -Wall -Wextra -Werror -Iinclude"
native="-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc"

# $1 mutations for each of the other arguments; what was found before is part of it with STN_FUZZ_FOUND=1.
short() {
  runs=$1
  shift
  for name in ${*:-$all}; do
    # The flags are word lists on purpose.
    # shellcheck disable=SC2086
    "${CC:-cc}" $flags "fuzz/$name.c" fuzz/drive.c build/lib/libstiction.a $native -o "$out/$name"
    printf '%s: ' "$name"
    found=
    [ -z "${STN_FUZZ_FOUND:-}" ] || found=$(find "$out/found/$name" -type f -size -512c | sort | head -8000)
    # shellcheck disable=SC2086
    "$out/$name" "$runs" fuzz/corpus/"$name"/* $found || {
      echo "$name: broken; the input is in $out/$name-broken"
      exit 1
    }
  done
}

# LLVM's counters in the Rust code, as libFuzzer wants them; works with a stable compiler.
instrument() {
  triple=$(rustc -vV | sed -n 's/^host: //p')
  RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Ccodegen-units=1" \
    cargo rustc --quiet --locked --release --lib --crate-type staticlib --target "$triple" --target-dir "$out/target"
  library=$out/target/$triple/release/libstiction.a
}

# Debian keeps libFuzzer in a package beside clang, named after its version.
has_fuzzer() {
  echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' |
    clang -x c -fsanitize=fuzzer - -o "$out/probe" 2>/dev/null
}

long() {
  runs=$1
  shift
  try_tools clang && { has_fuzzer || { install_tools "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev" && has_fuzzer; }; } || {
    echo "clang with libFuzzer is needed: ${hint:-install libclang-rt}" >&2
    exit 77
  }
  instrument
  for name in ${*:-$all}; do
    # shellcheck disable=SC2086
    clang -fsanitize=fuzzer $flags "fuzz/$name.c" "$library" $native -o "$out/$name-cover"
    mkdir -p "$out/found/$name"
    # Without the entropic schedule, whose bookkeeping takes four times as long as these small problems do.
    "$out/$name-cover" -entropic=0 -runs="$runs" -timeout=20 -rss_limit_mb=1024 -max_len=512 -print_final_stats=1 \
      -artifact_prefix="$out/$name-" "$out/found/$name" "fuzz/corpus/$name" 2>"$out/$name.log" || {
      tail -20 "$out/$name.log"
      echo "$name: broken; the input is in $out"
      exit 1
    }
    grep -E 'stat::number_of_executed_units|cov:' "$out/$name.log" | tail -2
  done
}

case ${1:-short} in
  short) short "${STN_FUZZ_RUNS:-5000}" ;;
  fast)
    shift
    export STN_FUZZ_MOST_US="${STN_FUZZ_MOST_US:-150}"
    STN_FUZZ_FOUND=1 short "$@"
    ;;
  long)
    shift
    long "$@"
    ;;
  *)
    echo "usage: sh fuzz/run.sh [fast|long RUNS [NAME..]]" >&2
    exit 2
    ;;
esac
