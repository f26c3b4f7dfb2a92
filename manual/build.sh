#!/bin/sh
# Builds the manual with its gallery into build/manual/site: computes every published experiment, draws it, writes the
# reference from the header, and makes static HTML that is read from its folder, without a network. A broken link, a missing
# status, something loaded from elsewhere or a figure that has left its paper is a failure.
set -eu
cd "$(dirname "$0")/.."
. scripts/need.sh
need_compilers
try_venv "$PWD/build/venv" mkdocs pymdown-extensions pygments matplotlib || {
  echo "mkdocs, pymdown-extensions, pygments and matplotlib are needed: $hint" >&2
  exit 77
}
python=$PWD/build/venv/bin/python

rm -rf build/manual/pages build/manual/site
mkdir -p build/manual/pages/mathematics build/manual/pages/languages
cp -r manual/pages/. build/manual/pages
for room in lcp velocity impact step rigid; do
  cp "src/$room/theory.md" "build/manual/pages/mathematics/$room.md"
done
cp src/step/capture/theory.md build/manual/pages/mathematics/capture.md
cp bindings/cpp/README.md build/manual/pages/languages/cpp.md
cp bindings/python/README.md build/manual/pages/languages/python.md
cp bindings/matlab/README.md build/manual/pages/languages/matlab.md
cp bindings/julia/Stiction.jl/README.md build/manual/pages/languages/julia.md

cargo run --quiet --locked --example gallery -- build/gallery
"$python" -B manual/figures.py build/gallery build/manual/pages/gallery
"$python" -B manual/reference.py build/manual/pages
"$python" -m pygments -S default -f html -a .highlight >build/manual/pages/code.css
"$python" -m mkdocs build --quiet --strict --config-file manual/mkdocs.yml
"$python" -B manual/finish.py build/manual/site
echo "the manual is build/manual/site/index.html"
