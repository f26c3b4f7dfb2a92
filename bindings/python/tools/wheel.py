"""Builds the wheel: cargo compiles the library, table.py writes the ctypes table, a zip holds both.

A PEP 517 backend for this one package. It works from the source tree only, since the library is compiled
from the crate two folders up. STICTION_LIBRARY names a compiled library to pack in place of a new one.
"""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import table

PYTHON = Path(__file__).resolve().parents[1]
ROOT = PYTHON.parents[1]
NAMES = {"linux": "libstiction.so", "darwin": "libstiction.dylib", "win32": "stiction.dll"}
VIEWER = ["page.html", "three.min.js", "viewer.js"]  # one after the other
LIBRARY = NAMES.get(sys.platform, "libstiction.so")


def version():
    return re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.M)[1]


def library():
    """The path of the compiled library."""
    given = os.environ.get("STICTION_LIBRARY")
    if given:
        return Path(given)
    cargo = shutil.which("cargo") or shutil.which("cargo", path=str(Path.home() / ".cargo" / "bin"))
    if not cargo:
        raise SystemExit("Stiction is compiled by cargo, which was not found: see https://rustup.rs")
    command = [cargo, "build", "--release", "--lib", "--locked", "--message-format=json-render-diagnostics"]
    built = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    for line in built.stdout.splitlines():
        message = json.loads(line)
        if message.get("reason") == "compiler-artifact" and "cdylib" in message["target"]["kind"]:
            return next(Path(name) for name in message["filenames"] if Path(name).name == LIBRARY)
    raise SystemExit("cargo built no shared library")


def metadata():
    return (
        f"Metadata-Version: 2.1\nName: stiction\nVersion: {version()}\n"
        "Summary: Motion of bodies that touch, by linear complementarity\n"
        "License: MIT OR Apache-2.0\nRequires-Python: >=3.9\nRequires-Dist: numpy>=1.21\n"
        "Provides-Extra: plot\nRequires-Dist: matplotlib; extra == 'plot'\n"
        "Provides-Extra: progress\nRequires-Dist: tqdm; extra == 'progress'\n"
        "Description-Content-Type: text/markdown\n\n" + (PYTHON / "README.md").read_text(encoding="utf-8")
    )


def tag():
    """Any Python 3, this platform: the library knows nothing of Python."""
    return "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def pack(folder, files):
    """Writes a wheel with these files, {name in the wheel: bytes}; gives its name."""
    info = f"stiction-{version()}.dist-info"
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: stiction\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()
    for licence in ("LICENSE-MIT", "LICENSE-APACHE"):
        files[f"{info}/licenses/{licence}"] = (ROOT / licence).read_bytes()
    record = ""
    name = f"stiction-{version()}-{tag()}.whl"
    with zipfile.ZipFile(Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(content)}\n"
            wheel.writestr(path, content)
        wheel.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {f"stiction/{p.name}": p.read_bytes() for p in sorted((PYTHON / "stiction").iterdir()) if p.is_file()}
    files["stiction/_c.py"] = table.table(table.header.read()).encode()
    files["stiction/viewer.html"] = b"".join((ROOT / "viewer" / part).read_bytes() for part in VIEWER)
    files[f"stiction/{LIBRARY}"] = library().read_bytes()
    return pack(wheel_directory, files)


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("the source distribution of Stiction is its repository")
