#!/bin/sh
# The Python binding: builds and installs its wheel into build/python, checks its types, runs its tests and examples.
set -eu
. "$(dirname "$0")/common.sh"
# The judge of types changes its mind between releases.
try_venv "$root/build/python" numpy pytest matplotlib tqdm mypy==2.4.1 || {
  echo "missing: Python with numpy, pytest, matplotlib, tqdm, mypy; to run this, $hint"
  exit 77
}
python=$root/build/python/bin/python
"$python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$root/bindings/python"
cd "$out" # away from the sources: what is installed is tested
"$python" -m mypy --strict --allow-any-generics --cache-dir "$out/mypy" -p stiction
"$python" -B -m pytest -q -rP -p no:cacheprovider "$root/bindings/python/tests" >"$out/pytest.txt" 2>&1 || {
  cat "$out/pytest.txt"
  exit 1
}
grep -E 'us of Python| KB more|passed' "$out/pytest.txt"
"$python" -B "$root/bindings/python/examples/lemke.py"
"$python" -B "$root/bindings/python/examples/stick_slip.py" --csv "$out/stick_slip_python.csv" --png "$out/stick_slip.png" 2>&1 |
  tail -n 7
"$python" -B "$root/bindings/python/examples/pendulum.py" --csv "$out/pendulum_python.csv" --png "$out/pendulum.png" \
  --html "$out/pendulum.html"
# The program in the README of the binding is a program.
sed -n '/^```python$/,/^```$/p' "$root/bindings/python/README.md" | grep -v '^```' >"$out/readme.py"
"$python" -B "$out/readme.py"
