#!/bin/sh
# The C++ binding: its tests with gcc and the sanitizers and with clang, its examples from an installed package.
set -eu
. "$(dirname "$0")/common.sh"
tools g++ clang++
cpp=$root/bindings/cpp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict="-Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion"
library="-I$cpp -I$root/include -L$root/build/lib -Wl,-rpath,$root/build/lib -lstiction -pthread"
eigen=
[ -e /usr/include/eigen3/Eigen/Core ] && eigen="-isystem /usr/include/eigen3"

# The program in the README of the binding is a program.
sed -n '/^```cpp$/,/^```$/p' "$cpp/README.md" | grep -v '^```' >"$work/readme.cpp"

# The flags are word lists on purpose.
# shellcheck disable=SC2086
{
  g++ -std=c++17 -g -O1 $strict -fsanitize=address,undefined -fno-sanitize-recover=all \
    "$cpp/tests/test.cpp" $eigen $library -o "$work/gcc"
  "$work/gcc"
  clang++ -std=c++20 -O1 $strict "$cpp/tests/test.cpp" $library -o "$work/clang"
  "$work/clang"
  clang++ -std=c++17 $strict "$work/readme.cpp" $library -o "$work/readme"
  "$work/readme"
}
echo "tests pass with g++ (C++17, address and undefined-behavior sanitizers) and clang++ (C++20)"

cmake --install "$root/build" --prefix "$work/prefix" >/dev/null
cmake -S "$root/tests/bindings/cpp_consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DEXAMPLES="$cpp/examples" -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$work/build" >/dev/null
"$work/build/lemke"
"$work/build/pendulum" "$out/pendulum_cpp.csv"
"$work/build/stick_slip" "$out/stick_slip_cpp.csv"

if [ "$(uname)" = Linux ]; then
  other_library "$work/other.so"
  if LD_PRELOAD="$work/other.so" "$work/build/lemke" >"$work/log" 2>&1 || ! grep -q 'binary interface 999' "$work/log"; then
    echo "a library of another binary interface was not refused" >&2
    exit 1
  fi
  echo "a library of another binary interface is refused"
fi
