#!/bin/sh
# What a call from C costs beyond the work it asks for: nanoseconds are told, instructions are judged.
#
#   sh benches/call_cost.sh          the library in build/lib, or in the folder that STICTION_LIB names
set -eu
cd "$(dirname "$0")/.."
lib=${STICTION_LIB:-$PWD/build/lib}
work=target/call_cost
# A tenth of a microsecond at the seven to ten instructions per nanosecond that such calls run at.
limit=700
calls=$(sed -n 's/.*CALLS = \([0-9]*\).*/\1/p' benches/call_cost.c)
mkdir -p "$work"
cc -std=c99 -O2 -Wall -Wextra -Wpedantic -Werror benches/call_cost.c -Iinclude -L"$lib" -Wl,-rpath,"$lib" -lstiction \
  -o "$work/calls"
"$work/calls"

# count FUNCTION: instructions per call inside it.
count() {
  valgrind --tool=callgrind --callgrind-out-file="$work/$1.out" --toggle-collect="$1" "$work/calls" once \
    >/dev/null 2>"$work/$1.log" || { cat "$work/$1.log" >&2; return 1; }
  collected=$(sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p' "$work/$1.log")
  [ "${collected:-0}" -gt 0 ] || { echo "$1: nothing was counted" >&2; return 1; }
  echo $((collected / calls))
}

alone=$(count all_at_once)
called=$(count one_by_one)
read_state=$(count read_state)
echo "a step of one point mass: $alone instructions of work, $((called - alone)) of call; reading its state: $read_state"
[ $((called - alone)) -lt "$limit" ] && [ "$read_state" -lt "$limit" ] || {
  echo "a call costs $limit instructions or more" >&2
  exit 1
}
