#!/bin/sh
# Opens pages of the viewer in a headless Chromium: something is drawn, all bodies are there and move, play plays, the slider
# scrubs. The pages come from C, from the modular host, and from Python where its test has run.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/need.sh"
try_tools python3 || {
  echo "missing: python3; to run this, $hint"
  exit 77
}
browser=
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
  if have "$name"; then
    browser=$name
    break
  fi
done
if [ -z "$browser" ]; then
  if try_tools chromium-headless-shell; then
    browser=chromium-headless-shell
  elif try_tools chromium; then
    browser=chromium
  else
    echo "missing: chromium; to run this, $hint"
    exit 77
  fi
fi
out=$root/build/viewer
rm -rf "$out"
mkdir -p "$out"

"$root/build/examples/19_solids" --html "$out/solids.html" >/dev/null
set -- "$out/solids.html" 2 "$root/build/umbra_style/rover.html" 7 "$root/build/umbra_style/pawl.html" 1
[ -e "$root/build/bindings/pendulum.html" ] && set -- "$@" "$root/build/bindings/pendulum.html" 2
python3 -B "$root/tests/viewer.py" "$browser" "$out" "$@" || {
  grep -v -E 'dbus|vaapi' "$out/log.txt" | tail -n 20
  exit 1
}
