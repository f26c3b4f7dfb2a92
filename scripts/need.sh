# Sourced by the other scripts: finds the tools they need, or gets them. Says what to do when it cannot.
# shellcheck shell=sh

# rustup puts cargo where a plain shell may not look.
PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
export PATH

have() { command -v "$1" >/dev/null 2>&1; }

# The package of a tool where the two names differ: package_of MANAGER TOOL
package_of() {
  case "$1:$2" in
    apk:ninja | pacman:ninja | brew:ninja) echo ninja ;;
    *:ninja) echo ninja-build ;;
    dnf:g++) echo gcc-c++ ;;
    apk:pkg-config | pacman:pkg-config | brew:pkg-config) echo pkgconf ;;
    dnf:pkg-config) echo pkgconf-pkg-config ;;
    pacman:g++) echo gcc ;;
    *:octave-cli) echo octave ;;
    apt-get:mkoctfile) echo octave-dev ;;
    dnf:mkoctfile) echo octave-devel ;;
    *:mkoctfile) echo octave ;;
    *:clang++) echo clang ;;
    apt-get:abidiff) echo abigail-tools ;;
    *:abidiff) echo libabigail ;;
    *) echo "$2" ;;
  esac
}

# install_tools TOOL...: by the system's package manager, as root (Homebrew: as anybody). Quiet when it works.
install_tools() {
  manager=
  for candidate in apt-get dnf apk pacman brew; do
    if have "$candidate"; then
      manager=$candidate
      break
    fi
  done
  [ -n "$manager" ] || return 1
  packages=
  for tool in "$@"; do packages="$packages $(package_of "$manager" "$tool")"; done
  if [ "$manager" != brew ] && [ "$(id -u)" -ne 0 ]; then
    hint="sudo $manager install$packages"
    [ "$manager" = pacman ] && hint="sudo pacman -S$packages"
    [ "$manager" = apk ] && hint="sudo apk add$packages"
    return 1
  fi
  echo "installing$packages with $manager" >&2
  # The lists are word lists on purpose.
  # shellcheck disable=SC2086
  case $manager in
    apt-get)
      export DEBIAN_FRONTEND=noninteractive
      apt-get install -y --no-install-recommends $packages >/dev/null 2>&1 ||
        { apt-get update >/dev/null 2>&1 && apt-get install -y --no-install-recommends $packages >/dev/null; }
      ;;
    dnf) dnf install -y $packages >/dev/null ;;
    apk) apk add --quiet $packages ;;
    pacman) pacman -Sy --noconfirm $packages >/dev/null ;;
    brew) brew install --quiet $packages ;;
  esac
}

# try_tools TOOL...: true when all are there or could be installed.
try_tools() {
  missing=
  for tool in "$@"; do have "$tool" || missing="$missing $tool"; done
  [ -z "$missing" ] && return 0
  hint="install$missing"
  # shellcheck disable=SC2086
  install_tools $missing || return 1
  for tool in "$@"; do have "$tool" || return 1; done
}

# try_pip FOLDER: CMake and Ninja from PyPI into FOLDER, for machines where one is not root.
try_pip() {
  python=
  for candidate in python3 python; do
    if "$candidate" -m pip --version >/dev/null 2>&1; then
      python=$candidate
      break
    fi
  done
  [ -n "$python" ] || return 1
  if [ ! -x "$1/bin/cmake" ]; then
    echo "installing cmake and ninja with pip into $1" >&2
    "$python" -m pip install --quiet --disable-pip-version-check --target "$1" cmake ninja || return 1
  fi
  PATH="$1/bin:$PATH"
  PYTHONPATH="$1${PYTHONPATH:+:$PYTHONPATH}"
  export PATH PYTHONPATH
  have cmake && have ninja
}

# try_venv FOLDER PACKAGE...: a Python of our own in FOLDER with these packages from PyPI; the system's stays as it is.
try_venv() {
  venv=$1
  shift
  hint="install python3 with venv and pip"
  try_tools python3 || return 1
  if [ ! -x "$venv/bin/pip" ]; then
    # Debian keeps venv in a package of its own.
    python3 -m venv "$venv" >/dev/null 2>&1 ||
      { install_tools python3-venv && python3 -m venv --clear "$venv" >/dev/null; } || return 1
  fi
  [ $# -eq 0 ] && return 0
  hint="see that $venv/bin/pip can install $*"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "$@"
}

# need_cmake FOLDER: CMake and something that executes what it writes; pip, if need be, into FOLDER.
need_cmake() {
  hint=
  if have cmake && { have ninja || have make; }; then
    :
  elif have ninja || have make; then
    try_tools cmake || try_pip "$1"
  else
    try_tools cmake make || try_pip "$1"
  fi || {
    echo "CMake 3.16 or newer is needed and could not be installed. Please run" >&2
    echo "    ${hint:-pip install cmake ninja}" >&2
    echo "(or get CMake from https://cmake.org/download) and start this again." >&2
    return 1
  }
  if ! have make && [ -z "${CMAKE_GENERATOR:-}" ]; then
    CMAKE_GENERATOR=Ninja
    export CMAKE_GENERATOR
  fi
}

# need_compilers: Rust and a C compiler, which nobody should install behind a user's back.
need_compilers() {
  have cargo || {
    echo "Rust is needed: see https://rustup.rs, then start this again." >&2
    return 1
  }
  have cc || have gcc || have clang || {
    echo "A C compiler is needed: install gcc or clang, then start this again." >&2
    return 1
  }
}
