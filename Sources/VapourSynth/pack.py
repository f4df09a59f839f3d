"""Packs a folder with the plug-in into a wheel: pack.py CONTENTS FOLDER VERSION"""

import base64
import hashlib
import pathlib
import platform
import re
import subprocess
import sys
import zipfile

METADATA = """Metadata-Version: 2.1
Name: frameeffects-vapoursynth
Version: {version}
Summary: Video frame effects for VapourSynth: interpolation, motion blur, noise reduction, super resolution
License: MIT
Requires-Python: >=3.12
Requires-Dist: vapoursynth
"""
WHEEL = """Wheel-Version: 1.0
Generator: FrameEffects
Root-Is-Purelib: false
Tag: {tag}
"""


def oldest_glibc(library):
    """The version of the C library that a shared library needs."""
    symbols = subprocess.run(["readelf", "-V", library], check=True, capture_output=True, text=True).stdout
    return max(tuple(map(int, found)) for found in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols))


def main():
    contents, folder, version = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    library, = contents.rglob("*.so")
    major, minor = oldest_glibc(library)
    tag = f"py3-none-manylinux_{major}_{minor}_{platform.machine()}"
    information = f"frameeffects_vapoursynth-{version}.dist-info"
    files = {str(library.relative_to(contents)): library.read_bytes()}
    files[f"{information}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{information}/WHEEL"] = WHEEL.format(tag=tag).encode()
    files[f"{information}/licenses/LICENSE"] = pathlib.Path("LICENSE").read_bytes()
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
        for name, data in files.items())
    files[f"{information}/RECORD"] = f"{record}{information}/RECORD,,\n".encode()
    wheel = folder / f"frameeffects_vapoursynth-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            # A fixed time, so that the same files make the same wheel.
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)
    print(f"{wheel}: {wheel.stat().st_size} bytes, of which the plug-in is {library.stat().st_size} unpacked")


main()
