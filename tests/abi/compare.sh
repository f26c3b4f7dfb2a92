#!/bin/sh
# Compares the binary interface that the header declares with the one of an earlier release, by libabigail.
#   sh tests/abi/compare.sh                 against every tests/abi/*.abi and every frozen header; ends with 1 when a
#                                           function or type that was there is gone or changed. Struct members at
#                                           the end, functions and enumerators may be added.
#   sh tests/abi/compare.sh write VERSION   leaves the interface of this release as tests/abi/stiction-VERSION.abi
# The interface is read from a library of empty functions made from the header: the debug information of a C compiler knows
# handles as opaque and names no file of ours. That the true library has these symbols is shown by `nm` in tests/all.sh.
set -eu
cd "$(dirname "$0")/../.."
. scripts/need.sh
try_tools abidiff || {
  echo "abidiff is missing; to run this, $hint"
  exit 77
}
header=${STN_ABI_HEADER:-include/stiction.h}
out=build/abi
mkdir -p "$out"

# stub HEADER LIBRARY: every declared function, defined to give back zero.
stub() {
  {
    echo "#include \"$(basename "$1")\""
    cc -E -P "$1" | tr '\n' ' ' | sed 's/;/;\n/g' | grep -E 'stn_[a-z0-9_]+ *\(' | grep -vE 'typedef|\( *\*' |
      sed -E 's/(struct|enum) stn_/stn_/g; s/^ *//; /^void stn_/{s/;$/ {}/;b}; s/;$/ { return 0; }/'
  } >"$out/stub.c"
  cc -std=c99 -g -O0 -fPIC -shared -w -I"$(dirname "$1")" "$out/stub.c" -o "$2"
}

# The comparison is about functions and types: neither paths nor names of parameters.
describe() { abidw --no-show-locs --no-comp-dir-path --no-corpus-path --no-elf-needed --no-parameter-names "$1"; }

stub "$header" "$out/libstiction.so"
described=$(grep -c 'return 0\|{}' "$out/stub.c")
describe "$out/libstiction.so" >"$out/now.abi"
if [ "${1:-}" = write ]; then
  cp "$out/now.abi" "tests/abi/stiction-$2.abi"
  echo "tests/abi/stiction-$2.abi has $described functions"
  exit 0
fi
for frozen in tests/abi/*/stiction.h; do
  release=$(basename "$(dirname "$frozen")")
  stub "$frozen" "$out/old.so"
  describe "$out/old.so" >"$out/frozen-$release.abi"
done
for old in tests/abi/stiction-*.abi "$out"/frozen-*.abi; do
  abidiff "$old" "$out/now.abi" >"$out/all.txt" || true
  # Growth at the end is let through by the suppression, which lets members through that moved for it: they are looked for.
  if ! abidiff --no-added-syms --suppressions tests/abi/growth.suppr "$old" "$out/now.abi" >"$out/report.txt" ||
    grep -E "offset changed|type of '|deletion" "$out/all.txt"; then
    cat "$out/report.txt"
    echo "$old: what programs rely on has changed"
    exit 1
  fi
  added=$(grep -c '\[A\]' "$out/all.txt" || true)
  echo "$old: nothing gone, nothing changed; $described functions now, $added of them new"
done
