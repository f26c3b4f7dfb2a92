#!/bin/sh
# The C chapters and the programs of bad inputs under valgrind, or only those given: no read or write outside of what the caller
# gave, no use of what was never set, no leak. Builds the library with line numbers, statically linked, so
# that a complaint names the place. Ends with 77 when valgrind is missing.
set -eu
cd "$(dirname "$0")/.."

command -v valgrind >/dev/null 2>&1 || {
  echo "valgrind is not installed"
  exit 77
}
target=${CARGO_TARGET_DIR:-target}
cargo build --quiet --locked --lib
out=$target/valgrind
mkdir -p "$out"
native="-lpthread -lm -ldl"
[ "$(uname)" = Linux ] && native="-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc"

check() {
  for source in "$@"; do
    program=$out/$(basename "$source" .c)
    # The list of libraries is a word list on purpose.
    # shellcheck disable=SC2086
    "${CC:-cc}" -std=c99 -g -Wall -Wextra -Wpedantic -Werror -I"$(dirname "$source")" -Iinclude "$source" \
      "$target/debug/libstiction.a" $native -o "$program"
    RUST_BACKTRACE=0 valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite,indirect \
      --error-exitcode=9 "$program" >"$program.out"
    expected=${source%.c}.expected
    if [ -f "$expected" ]; then diff "$expected" "$program.out"; fi
    echo "$source: no error, no leak"
  done
}

# Valgrind uses one core; two halves of the programs use two.
one='' other=''
[ $# -gt 0 ] || set -- c_examples/[0-9]*.c tests/boundary/*.c
for source in "$@"; do
  swap=$one
  one="$other $source" other=$swap
done
# The names are word lists on purpose.
# shellcheck disable=SC2086
check $one &
first=$!
# shellcheck disable=SC2086
check $other
wait "$first"
