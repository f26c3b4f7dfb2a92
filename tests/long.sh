#!/bin/sh
# The long form of what tests/all.sh does in a short one: hours on two cores. Goes on after a failure and ends with a table.
#   sh tests/long.sh [PART...]     parts: abi asan valgrind fuzz soak faults manual; all of them unless named
#   STN_FUZZ_LONG=1000000          inputs per harness instead of 10,000,000
#   STN_SOAK_STEPS=1000000         steps per motion instead of 10,000,000
# What each part prints is kept in build/long.
set -u
cd "$(dirname "$0")/.."
. scripts/need.sh
need_compilers || exit 1
logs=build/long
mkdir -p "$logs"
: >"$logs/table.txt"
bad=0

abi() { cargo test --quiet --locked --test abi --test header_sync --test package && sh tests/abi/compare.sh; }

asan() { sh tests/asan.sh; }

# Chapters, bad inputs and clients of earlier releases.
valgrind_all() { sh tests/valgrind.sh && sh tests/valgrind.sh tests/abi/*/client.c; }

fuzz() { sh fuzz/run.sh long "${STN_FUZZ_LONG:-10000000}"; }

soak() { cargo run --quiet --locked --release --example soak -- "${STN_SOAK_STEPS:-10000000}"; }

# Ignored tests are the long forms of those beside them; only their files are built as releases.
faults() {
  for file in tests/*.rs; do
    grep -q '^#\[ignore' "$file" || continue
    cargo test --quiet --locked --release --test "$(basename "$file" .rs)" -- --ignored || return 1
  done
  cargo test --quiet --locked --features inject-faults --test boundary &&
    cargo test --quiet --locked --test memory_fails --test memory_builder --test memory_motion
}

manual() { sh manual/build.sh; }

part() {
  name=$1 begin=$(date +%s)
  shift
  printf '==== %s ====\n' "$name"
  if "$@" >"$logs/$name.txt" 2>&1; then
    said=passed
  elif [ $? -eq 77 ]; then
    said='not to be had here'
  else
    said=FAILED bad=1
    tail -20 "$logs/$name.txt"
  fi
  printf '%-10s %-20s %6s s\n' "$name" "$said" "$(($(date +%s) - begin))" | tee -a "$logs/table.txt"
}

for wanted in ${*:-abi asan valgrind faults manual fuzz soak}; do
  case $wanted in
    valgrind) part valgrind valgrind_all ;;
    abi | asan | fuzz | soak | faults | manual) part "$wanted" "$wanted" ;;
    *)
      echo "no part is called $wanted" >&2
      exit 2
      ;;
  esac
done
echo
cat "$logs/table.txt"
exit $bad
