#!/bin/sh
# Counts the instructions of a step on fixed scenes under callgrind and compares them with instructions.txt: more than
# a tenth above it fails. Counts repeat, clocks on busy machines do not. Another compiler or machine than the one of
# the table makes other code: then the counts are told and nothing fails.
#
#   sh benches/instructions.sh          the library in build/lib, or in the folder that STICTION_LIB names
#   STN_BLESS=1 sh benches/instructions.sh    writes the table anew
set -eu
cd "$(dirname "$0")/.."
lib=${STICTION_LIB:-$PWD/build/lib}
table=benches/instructions.txt
work=target/instructions
mkdir -p "$work"
cc -std=c99 -O2 -Wall -Wextra -Wpedantic -Werror benches/instructions.c -Iinclude -L"$lib" -Wl,-rpath,"$lib" -lstiction -lm \
  -o "$work/scenes"

# Scenes and their steps: a few seconds of valgrind each.
list='rest 100
pushed 100
stack 20
pile 12
chain 24'

made_by="$(rustc --version) on $(uname -m)"

count() {
  valgrind --tool=callgrind --callgrind-out-file="$work/$1.out" --toggle-collect=stn_stepper_step \
    "$work/scenes" "$1" "$2" 2>"$work/$1.log" || { cat "$work/$1.log"; return 1; }
  collected=$(sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p' "$work/$1.log")
  [ "${collected:-0}" -gt 0 ] || { echo "$1: nothing was counted"; return 1; }
  echo "$1 $2 $((collected / $2))"
}

echo "$list" | while read -r name steps; do count "$name" "$steps"; done >"$work/counted.txt" || {
  cat "$work/counted.txt"
  exit 1
}
[ "$(wc -l <"$work/counted.txt")" -eq "$(echo "$list" | wc -l)" ] || { cat "$work/counted.txt"; exit 1; }

if [ -n "${STN_BLESS:-}" ]; then
  {
    echo "# Instructions of a step, by benches/instructions.sh: scene, steps, instructions per step."
    echo "# $made_by"
    cat "$work/counted.txt"
  } >"$table"
  echo "$table written"
  exit 0
fi

awk -v made_by="$made_by" '
  FNR == NR && FNR == 2 { known = ($0 == "# " made_by) }
  FNR == NR && !/^#/ { before[$1 " " $2] = $3 }
  FNR != NR {
    was = before[$1 " " $2]
    if (was == "") { print $1 ": not in the table"; bad = known; next }
    ratio = $3 / was
    printf "%-8s %4d steps %10d instructions per step, %.3f of the table\n", $1, $2, $3, ratio
    if (ratio > 1.1) { dear = dear " " $1 }
    if (ratio < 0.9) { cheap = cheap " " $1 }
  }
  END {
    if (!known) print "another compiler or machine than the one of the table (" made_by "): told, not judged"
    if (cheap != "") print "cheaper by more than a tenth:" cheap "; STN_BLESS=1 sh benches/instructions.sh keeps it"
    if (dear != "") print "dearer by more than a tenth:" dear "; find out why, or accept it by STN_BLESS=1 sh benches/instructions.sh"
    exit (known && (dear != "" || bad)) ? 1 : 0
  }
' "$table" "$work/counted.txt"
